package character

import "github.com/dango-physics/dango/collide"

// Settings are what stays the same from step to step. Lengths are in metres.
type Settings struct {
	Up      collide.Vec3 // unit length
	Gravity collide.Vec3 // m/s²
	Foot    float64      // from the lowest point of the shape up to its position

	Acceleration    float64 // on the ground and when floating, m/s²; +Inf reaches the desired velocity at once
	AirAcceleration float64 // m/s²
	JumpHeight      float64
	CoyoteTime      float64 // seconds after leaving the ground in which a jump is still possible
	JumpBuffer      float64 // seconds for which a wish to jump is remembered
	MaxFallSpeed    float64 // m/s; 0 for no limit

	MinGroundCosine float64 // cosine of the steepest slope to walk on
	StepHeight      float64 // of the highest step to climb
	SnapLength      float64 // how far down ground is looked for after a movement on the ground
	ConstantSpeed   bool    // the speed along a slope is the desired one
	NoCeilingSlide  bool    // a jump ends at a ceiling without sliding along it

	Floating           bool    // no gravity, ground and jumps
	MinWallSlideCosine float64 // when floating: cosine between motion and wall's normal above which it stops

	OnLeave       LeaveMode
	Mass          float64 // kg; presses on what it stands on
	MaxPushForce  float64 // N, on each obstacle
	RecoverySpeed float64 // m/s, out of what it overlaps

	// Planar keeps the character in its plane perpendicular to the marked axes.
	Planar [3]bool
}

// LeaveMode says which velocity of the ground a character keeps when it leaves the ground.
type LeaveMode uint8

// The modes.
const (
	KeepVelocity       LeaveMode = iota // all of it
	KeepUpwardVelocity                  // all but a downward part
	KeepNothing
)

// Input is what a character shall do in a step.
type Input struct {
	Desired     collide.Vec3 // velocity, m/s; relative to the ground
	Jump        bool         // begin a jump, as soon as possible within JumpBuffer
	DropThrough bool         // pass one-way platforms downwards
	Carried     collide.Vec3 // velocity at which its ground carries it on if it does nothing, m/s
}

// Ground says on what a character stands.
type Ground uint8

// The kinds of ground.
const (
	InAir         Ground = iota
	OnGround             // that is flat enough to walk on
	OnSteepGround        // too steep to stand on: it slides down
)

// State is what changes from step to step.
type State struct {
	Position collide.Vec3
	Velocity collide.Vec3 // m/s, in the world's frame

	Ground         Ground
	GroundNormal   collide.Vec3 // zero in the air
	GroundPoint    collide.Vec3
	GroundVelocity collide.Vec3 // of the ground at GroundPoint, m/s
	GroundObstacle int          // as in collide.MoveContact
	Climbed        float64      // height on the inclined front of a step, above the ground before it, metres; else 0

	OnWall, OnCeiling       bool
	WallNormal              collide.Vec3 // zero without a wall
	Jumped, Landed, Crushed bool         // in the last step

	// Walk is the horizontal velocity relative to the ground that acceleration has reached. On
	// slopes and at walls, Velocity differs.
	Walk collide.Vec3
	Left collide.Vec3 // Velocity as the last step left it: another one was set by the game

	SinceGround float64 // seconds
	JumpWish    float64 // seconds for which a wish to jump is still remembered
	Jumping     bool    // it left the ground by a jump
	MayOverlap  bool    // overlaps are looked for in the next step
	Resting     bool    // the last step has changed nothing: the next one won't, unless the world does
}

// Obstacle describes what a character has met.
type Obstacle struct {
	Velocity    collide.Vec3 // at the point of contact, m/s; with the motion of a conveyor
	Pushed      collide.Vec3 // by how much pushes of this step will change Velocity in the next one
	InverseMass float64      // 1/kg; 0 for what can't be pushed
	Character   bool         // another character, which makes way by itself
}

// World is what a character moves in. An obstacle keeps its number during a step.
type World interface {
	// Cast is a [collide.MoveCast] for the character's shape.
	Cast(position, velocity collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome)

	// Probe casts the shape by a displacement among obstacles as they are at the given time of the
	// step. Times of contacts are fractions of the displacement.
	Probe(position, displacement collide.Vec3, time float64) (collide.MoveContact, collide.Outcome)

	// CastAtCharacter is Cast among a single obstacle. It is a Miss if that is no other character.
	CastAtCharacter(
		number int, position, velocity collide.Vec3, start, end float64,
	) (collide.MoveContact, collide.Outcome)

	// Overlaps appends what the shape overlaps at the start of the step.
	Overlaps(position collide.Vec3, found []collide.MoveContact) []collide.MoveContact

	// IsFree reports whether the shape overlaps nothing at the given time of the step, but for
	// rounding. Without waiting, other characters that have not moved yet in this step don't count:
	// they will stop at this one.
	IsFree(position collide.Vec3, time float64, waiting bool) bool

	// Ray casts a ray among obstacles as they are at the given time, and returns the normal of the
	// first one.
	Ray(from, displacement collide.Vec3, time float64) (point, normal collide.Vec3, ok bool)

	// Extent returns how far the shape reaches from its position along a unit vector.
	Extent(d collide.Vec3) float64

	// Obstacle returns what an obstacle is, and how its surface moves at point.
	Obstacle(number int, point collide.Vec3) Obstacle

	// Push lets a force act on an obstacle with an InverseMass in the next step, N.
	Push(number int, force collide.Vec3)

	// LoadSurface lets an obstacle without an InverseMass that yields to torque carry a mass at a
	// point in the next step, kg, on which gravity acts, m/s². What has landed there in this step
	// has given it an impulse by PushSurface, and moves with it from then on.
	LoadSurface(number int, point collide.Vec3, mass float64, gravity collide.Vec3, landed bool)

	// PushSurface lets an obstacle without an InverseMass that yields to torque rotate in the next
	// step: point gets the speed approach along the unit vector d, m/s, together with something of
	// the given inverse mass, as far as an impulse of at most the given size does that. It returns
	// the impulse, N·s, which is 0 for what doesn't yield.
	PushSurface(number int, point, d collide.Vec3, approach, inverseMass, most float64) float64

	// Hit gives an obstacle with an InverseMass an impulse, N·s.
	Hit(number int, impulse collide.Vec3)

	// Load lets an obstacle with an InverseMass carry a mass in the next step, kg, whose weight
	// acts on it, N.
	Load(number int, mass float64, weight collide.Vec3)

	// IsUnchanged reports whether all that the character could meet is at rest, and where it was in
	// the character's last step. It may return false in any case.
	IsUnchanged() bool

	// IgnoreOneWay makes the character pass one-way platforms, or no longer.
	IgnoreOneWay(ignore bool)
}
