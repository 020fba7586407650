package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// MotionMode says how a character moves.
type MotionMode uint8

// The motion modes. The zero value is Grounded.
const (
	Grounded MotionMode = iota // with gravity, ground, jumps and slopes
	Floating                   // without: for swimming, flying, ladders, and games seen from above
)

// PlatformOnLeave says which part of a platform's velocity a character keeps when it leaves it.
type PlatformOnLeave uint8

// What a character keeps. The zero value is AddVelocity.
const (
	AddVelocity       PlatformOnLeave = iota // all of it
	AddUpwardVelocity                        // all but a downward part
	DoNothing                                // nothing
)

// GroundState says on what a character stands.
type GroundState uint8

// The ground states. The zero value is InAir.
const (
	InAir         GroundState = iota // it flies, falls or floats
	OnGround                         // it stands or walks
	OnSteepGround                    // it slides down a slope that is too steep to stand on
)

// String returns the name of the state.
func (g GroundState) String() string {
	switch g {
	case InAir:
		return "InAir"
	case OnGround:
		return "OnGround"
	case OnSteepGround:
		return "OnSteepGround"
	}
	return "GroundState(?)"
}

// CharacterControllerData moves its entity as a character: a player or a person. The game sets the
// input in every tick; physics moves the character at the end of each step, and writes its
// Transform and its State.
//
// The entity needs a Transform, a Velocity and a CapsuleCollider, a SphereCollider, or a
// ShapeCollider with one box, capsule or sphere; a SphereCollider also needs a [Body] of the kind
// Kinematic. [CreateCharacter] makes one. To the rest of the world it is
// kinematic: bodies rest on it and bounce off it. Its [Velocity] is that of the ground that carries
// it, as far as walls admit it, which physics writes. Axes that its Body locks keep it in a plane,
// and its CollisionFilter counts for all that it meets.
//
// A step of stairs, or a kerb, has a height above the ground before it of at most StepHeight. From
// its edge on, there has to be room to get on by a third of StepHeight, measured in metres straight
// onto the step, for one that is raised by StepHeight. So it climbs all stairs of up to 45 degrees
// at any speed, and none of more than about 70 degrees: those are a wall. Crates, balls and other
// characters on the step may take that room. The front of a step may also be a slope that is too
// steep to walk on. It climbs that at its own speed, and if it stops on the way, it stands there.
//
// Lengths are in metres, velocities in metres per second, in the world's frame. Make values with
// [NewCharacterController] or change those of the component; a zero in a setting means zero.
type CharacterControllerData struct {
	// Input.

	// DesiredVelocity is how the character shall move, m/s, relative to the ground on which it
	// stands. When Grounded, its part along Up doesn't count.
	DesiredVelocity collide.Vec3
	Jump            bool // begins a jump; physics sets it to false when it has read it
	Crouch          bool // shrinks a capsule to CrouchHeight; it rises again where there is room
	DropThrough     bool // passes each one-sided PolygonCollider downwards, but no mesh or chain

	// Settings.

	Mode MotionMode

	// Up is the direction away from the ground, of any length. Zero stands for the direction
	// against gravity, or Y without gravity.
	Up              collide.Vec3
	GravityScale    float64 // multiplies the world's gravity, >= 0; default 1
	MaxFallSpeed    float64 // m/s, > 0, or 0 for no limit; default 0
	Acceleration    float64 // on the ground, and when Floating, m/s²; may be +Inf; default 50
	AirAcceleration float64 // in the air, m/s²; default 10

	JumpHeight float64 // how high a jump rises, metres; default 1
	CoyoteTime float64 // seconds after leaving the ground in which a jump is still possible; default 0.1
	JumpBuffer float64 // seconds for which Jump is remembered until the character lands; default 0.1

	MaxSlopeAngle float64 // of the steepest ground to stand on, radians, 0 to π/2; default π/4
	StepHeight    float64 // of the highest step that it climbs, metres; 0 for none; default 0.4; see above
	SnapLength    float64 // how far down it follows the ground, metres; at least StepHeight counts; default 0.1
	ConstantSpeed bool    // up and down slopes it is as fast as on the level; otherwise slower and faster
	CrouchHeight  float64 // of a crouching capsule, metres; 0 if it can't crouch; default 0

	// WallMinSlideAngle is the angle between motion and the normal of a wall, in radians, below
	// which a Floating character stops at the wall; default π/12.
	WallMinSlideAngle float64
	NoCeilingSlide    bool // a jump ends at a ceiling, and doesn't slide along it

	PlatformOnLeave PlatformOnLeave
	Mass            float64 // kg, > 0; the body on which it stands bears it; default 70
	MaxPushForce    float64 // with which it pushes a body or a door at most, N; default 100
	RecoverySpeed   float64 // at which it moves out of what it overlaps, m/s; default 1

	State CharacterState
}

// CharacterState is what physics knows of a character after a step. The game may set Velocity, for
// example to throw it into the air, and only reads the other fields. A copy of the component saves
// all of it.
type CharacterState struct {
	Velocity collide.Vec3 // m/s, in the world's frame

	Ground         GroundState
	GroundEntity   donburi.Entity // donburi.Null in the air
	GroundNormal   collide.Vec3   // unit length; Up on the inclined front of a step; zero in the air
	GroundPoint    collide.Vec3   // where it touches the ground
	GroundVelocity collide.Vec3   // of the ground at GroundPoint; zero in the air

	OnWall, OnCeiling bool         // it touched one in the last step: upright within a degree, or overhanging
	WallNormal        collide.Vec3 // unit length; zero without a wall
	Jumped, Landed    bool         // in the last step
	Crouching         bool
	Crushed           bool // what closed in on it left no way out, or none at up to 8 times its speed

	// Contacts are what it met in the last step, and other characters that met it, in the order of
	// time, without ground that it only stands on. The next step overwrites the slice. Balls and
	// crates that hit it are in the events of the step.
	Contacts []CharacterContact

	// What follows is used by the next step, as are the ground, Velocity and OnCeiling.

	Position     collide.Vec3 // of the Transform after the last step; another one is a teleport
	Previous     collide.Vec3 // Position when the last step began
	Walk         collide.Vec3 // horizontal velocity relative to the ground that it has accelerated to
	LastVelocity collide.Vec3 // Velocity as the last step left it
	SinceGround  float64      // seconds since it stood on ground
	JumpWish     float64      // seconds for which a Jump is still remembered
	StandHeight  float64      // length of the axis of a crouching capsule when it stands
	Climbed      float64      // height on the inclined front of a step, above the ground before it; else 0
	Jumping      bool         // it left the ground by a jump
	MayOverlap   bool         // overlaps are looked for in the next step
	Started      bool         // it has been in a step
	Resting      bool         // it stands, and the last step has changed nothing
	Surroundings uint64       // hash of what was near it in the last step
}

// CharacterContact is something that a character met in the last step.
type CharacterContact struct {
	Entity   donburi.Entity // what it met
	Time     float64        // seconds into the step
	Point    collide.Vec3   // of contact
	Normal   collide.Vec3   // unit length, out of Entity
	Velocity collide.Vec3   // of Entity at Point
}

// CharacterController is the component type of [CharacterControllerData]. New ones have the
// defaults of [NewCharacterController].
var CharacterController = donburi.NewComponentType[CharacterControllerData](NewCharacterController())

// NewCharacterController returns the defaults.
func NewCharacterController() CharacterControllerData {
	return CharacterControllerData{
		GravityScale: 1, Acceleration: 50, AirAcceleration: 10,
		JumpHeight: 1, CoyoteTime: 0.1, JumpBuffer: 0.1,
		MaxSlopeAngle: math.Pi / 4, StepHeight: 0.4, SnapLength: 0.1, WallMinSlideAngle: math.Pi / 12,
		Mass: 70, MaxPushForce: 100, RecoverySpeed: 1,
	}
}

// Scaled returns d with all lengths, velocities, accelerations and forces multiplied by the number
// of a world's units in a metre, such as 50 in a world of pixels: see LengthUnit of systems.Config.
func (d CharacterControllerData) Scaled(unit float64) CharacterControllerData {
	for _, x := range []*float64{
		&d.MaxFallSpeed, &d.Acceleration, &d.AirAcceleration, &d.JumpHeight, &d.StepHeight, &d.SnapLength,
		&d.CrouchHeight, &d.MaxPushForce, &d.RecoverySpeed,
	} {
		*x *= unit
	}
	d.DesiredVelocity, d.State.Velocity = d.DesiredVelocity.Scale(unit), d.State.Velocity.Scale(unit)
	return d
}

// OnGround reports whether the character stands on ground.
func (d *CharacterControllerData) OnGround() bool { return d.State.Ground == OnGround }

// Validate returns an error that names every invalid field, or nil.
func (d *CharacterControllerData) Validate() error {
	var errs []error
	test := func(ok bool, field string, value any, reason string) {
		if !ok {
			errs = append(errs, &FieldError{"CharacterController", field, value, reason})
		}
	}
	if d.isValid() {
		return nil // returns before the arguments of an error are built, which allocates
	}
	const negative, angle = "is negative or beyond 1e9", "is not between 0 and π/2 radians"
	test(within(d.DesiredVelocity), "DesiredVelocity", d.DesiredVelocity, notFinite)
	test(within(d.State.Velocity), "State.Velocity", d.State.Velocity, notFinite)
	test(d.Up.IsFinite(), "Up", d.Up, "is not finite")
	for _, v := range d.State.vectors() {
		test(v.value.IsFinite(), v.name, v.value, "is not finite")
	}
	for _, f := range d.State.times() {
		test(!math.IsNaN(f.value), f.name, f.value, "is not a number")
	}
	for _, f := range d.State.lengths() {
		test(isSize(f.value), f.name, f.value, negative)
	}
	test(d.Mode <= Floating, "Mode", d.Mode, "is not a motion mode")
	test(d.PlatformOnLeave <= DoNothing, "PlatformOnLeave", d.PlatformOnLeave, "is not a mode")
	for _, f := range d.lengths() {
		test(isSize(f.value), f.name, f.value, negative)
	}
	test(d.Acceleration >= 0, "Acceleration", d.Acceleration, "is negative or NaN")
	test(d.AirAcceleration >= 0, "AirAcceleration", d.AirAcceleration, "is negative or NaN")
	test(isSlope(d.MaxSlopeAngle), "MaxSlopeAngle", d.MaxSlopeAngle, angle)
	test(isSlope(d.WallMinSlideAngle), "WallMinSlideAngle", d.WallMinSlideAngle, angle)
	test(d.Mass >= 1/MaxMass && d.Mass <= MaxMass, "Mass", d.Mass, "is not between 1e-30 and 1e30")
	return errors.Join(errs...)
}

// isValid reports whether Validate has no error.
func (d *CharacterControllerData) isValid() bool {
	for _, f := range d.lengths() {
		if !isSize(f.value) {
			return false
		}
	}
	for _, v := range d.State.vectors() {
		if !v.value.IsFinite() {
			return false
		}
	}
	for _, f := range d.State.lengths() {
		if !isSize(f.value) {
			return false
		}
	}
	for _, f := range d.State.times() {
		if math.IsNaN(f.value) {
			return false
		}
	}
	return within(d.DesiredVelocity) && within(d.State.Velocity) && d.Up.IsFinite() &&
		d.Mode <= Floating && d.PlatformOnLeave <= DoNothing && d.Acceleration >= 0 && d.AirAcceleration >= 0 &&
		isSlope(d.MaxSlopeAngle) && isSlope(d.WallMinSlideAngle) && d.Mass >= 1/MaxMass && d.Mass <= MaxMass
}

// namedValue is a field of a component.
type namedValue struct {
	name  string
	value float64
}

// lengths returns the settings that are between 0 and 1e9.
func (d *CharacterControllerData) lengths() [10]namedValue {
	return [...]namedValue{
		{"GravityScale", d.GravityScale},
		{"MaxFallSpeed", d.MaxFallSpeed},
		{"JumpHeight", d.JumpHeight},
		{"CoyoteTime", d.CoyoteTime},
		{"JumpBuffer", d.JumpBuffer},
		{"StepHeight", d.StepHeight},
		{"SnapLength", d.SnapLength},
		{"CrouchHeight", d.CrouchHeight},
		{"MaxPushForce", d.MaxPushForce},
		{"RecoverySpeed", d.RecoverySpeed},
	}
}

// namedVector is a field of a component.
type namedVector struct {
	name  string
	value collide.Vec3
}

// vectors returns those that the next step uses, beside the velocity.
func (s *CharacterState) vectors() [6]namedVector {
	return [...]namedVector{
		{"State.GroundNormal", s.GroundNormal},
		{"State.GroundPoint", s.GroundPoint},
		{"State.GroundVelocity", s.GroundVelocity},
		{"State.Position", s.Position},
		{"State.Walk", s.Walk},
		{"State.LastVelocity", s.LastVelocity},
	}
}

// lengths returns those of the state that are between 0 and 1e9.
func (s *CharacterState) lengths() [2]namedValue {
	return [...]namedValue{{"State.StandHeight", s.StandHeight}, {"State.Climbed", s.Climbed}}
}

// times returns the durations, which may be infinite.
func (s *CharacterState) times() [2]namedValue {
	return [...]namedValue{{"State.SinceGround", s.SinceGround}, {"State.JumpWish", s.JumpWish}}
}

func isSize(x float64) bool  { return x >= 0 && x <= MaxCoordinate }
func isSlope(x float64) bool { return x >= 0 && x <= math.Pi/2 }

// CreateCharacter creates a character in w: a capsule along Y around center, with the components
// Transform, Velocity, CapsuleCollider, Body, CharacterController and more. Height is that of the
// whole capsule; if it is less than 2·radius, the character is a ball.
func CreateCharacter(
	w donburi.World, center collide.Vec3, radius, height float64, more ...donburi.IComponentType,
) *donburi.Entry {
	own := []donburi.IComponentType{Transform, Velocity, CapsuleCollider, Body, CharacterController}
	e := create(w, center, own, more)
	end := collide.Vec3{Y: max(0, float64(height/2)-radius)}
	CapsuleCollider.SetValue(e, CapsuleColliderData{A: end.Neg(), B: end, Radius: radius})
	Body.Get(e).Kind = Kinematic
	return e
}

// CreateCharacter2D is [CreateCharacter] for a 2D game: the character stays in its plane
// perpendicular to Z.
func CreateCharacter2D(
	w donburi.World, center collide.Vec3, radius, height float64, more ...donburi.IComponentType,
) *donburi.Entry {
	e := CreateCharacter(w, center, radius, height, more...)
	Body.Get(e).Locked = AxisZ
	return e
}
