// Package level is a playground in three dimensions: a character runs, jumps, climbs stairs and
// rides lifts in a level of a glTF file, collects stars and kicks balls into a goal. The world is
// in metres, y up.
package level

import (
	"embed"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/hero"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/gltf"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

//go:generate sh -c "cd ../.. && go run ./examples/level/make"

// data has the level and its models, which make writes.
//
//go:embed data/level.glb
var data embed.FS

const (
	gravity     = 20.0
	runSpeed    = 6.0
	heroRadius  = 0.36
	heroHeight  = 1.8
	jumpHeight  = 1.5
	starReach   = 0.5 // m between hero and star
	goalsToWin  = 3
	stepSeconds = hero.StepSeconds

	eyeDistance = 7.0 // of the camera
	eyeRadius   = 0.3 // of the sphere that keeps it out of walls
	steepest    = 1.2 // rad, the largest angle by which the camera looks down
	flattest    = -0.15
)

// input is the input of one tick.
type input struct {
	Move collide.Vec3 // to the right along X and ahead along Y, -1 to 1
	Jump bool         // the button is down
	Turn collide.Vec3 // radians by which the camera turns to the right, X, and up, Y
	Auto bool         // the game plays by itself
}

// scene is the game without its drawing.
type scene struct {
	level   *levels.Level
	world   donburi.World
	physics *systems.Physics
	hero    *donburi.Entry
	lifts   []hero.Lift
	balls   []*donburi.Entry
	crates  []*donburi.Entry
	stars   []collide.Vec3 // those that are left
	all     int            // stars
	goal    collide.AABB
	start   collide.Vec3

	yaw, pitch   float64 // of the camera: about Y, and down
	eye          collide.Vec3
	facing       float64 // angle about Y to which the hero looks
	goals, falls int
	kicks        int
	stride       float64
	held         bool
	ticks, time  int
	won          int // ticks since everything was done, 0 before
	rest         int // ticks in which the player hasn't turned the camera
	player       player
}

// newScene begins a game.
func newScene() *scene {
	l, err := gltf.Load(data, "data/level.glb", gltf.Options{Merge: true, Weld: 1e-4})
	if err != nil {
		panic("level: " + err.Error())
	}
	s := &scene{level: l}
	s.restart()
	return s
}

// restart puts everything back to its beginning.
func (s *scene) restart() {
	*s = scene{level: s.level, ticks: s.ticks, pitch: 0.35, facing: math.Pi}
	s.world = donburi.NewWorld()
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds, Gravity: collide.Vec3{Y: -gravity}})
	for i, e := range s.level.Create(s.world) {
		o := &s.level.Objects[i]
		switch {
		case o.Name == "start":
			s.start = o.Position
		case o.Class == "star":
			s.stars = append(s.stars, o.Position)
		case o.Class == "ball":
			s.createBall(o)
		case o.Class == "crate":
			s.createCrate(o)
		case o.Class == "goal":
			half := o.Size.Scale(0.5)
			s.goal = collide.AABB{Min: o.Position.Sub(half), Max: o.Position.Add(half)}
		case o.Class == "lift":
			s.lifts = append(s.lifts, hero.Lift{
				Name: o.Name, Entry: e, From: o.Position, Seconds: o.Properties.Number("seconds", 6),
				Way: collide.Vec3{Y: o.Properties.Number("dy", 0), Z: o.Properties.Number("dz", 0)},
			})
		}
	}
	s.all = len(s.stars)
	s.start.Y += heroHeight / 2
	s.hero = components.CreateCharacter(s.world, s.start, heroRadius, heroHeight)
	c := components.CharacterController.Get(s.hero)
	c.JumpHeight, c.StepHeight, c.ConstantSpeed = jumpHeight, 0.35, true
	c.Acceleration, c.AirAcceleration = 45, 18
	c.MaxPushForce, c.MaxFallSpeed = 400, 30
	s.placeEye(1)
}

// createBall creates a ball that rolls.
func (s *scene) createBall(o *levels.ObjectData) {
	e := components.CreateBall(s.world, o.Position, 0.5, components.AngularVelocity, levels.Object)
	*levels.Object.Get(e) = *o
	components.Body.Get(e).Mass = 2
	m := components.Material.Get(e)
	m.Restitution, m.Friction, m.RollingResistance = 0.55, 0.5, 0.01
	s.balls = append(s.balls, e)
}

// createCrate creates a crate that can be pushed, and climbed.
func (s *scene) createCrate(o *levels.ObjectData) {
	e := components.CreateCrate(s.world, o.Position, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}, levels.Object)
	*levels.Object.Get(e) = *o
	components.Body.Get(e).Mass = 10
	components.Material.Get(e).Friction = 0.4
	s.crates = append(s.crates, e)
}

func (s *scene) at() collide.Vec3 { return components.Transform.Get(s.hero).Position }

func (s *scene) character() *components.CharacterControllerData {
	return components.CharacterController.Get(s.hero)
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if in.Auto {
		in = s.play()
	}
	if s.won > 0 {
		if s.won++; s.won > 360 || s.won > 60 && in.Jump && !s.held {
			s.restart()
		}
	} else {
		s.time++
	}
	s.moveLifts()
	s.control(in)
	s.physics.Step(s.world)
	s.kick()
	s.collect()
	s.turnCamera(in)
}

// moveLifts moves the lifts, which wait a little at the ends of their ways.
func (s *scene) moveLifts() {
	for _, l := range s.lifts {
		l.MoveTo(min(max(1.6*l.Part(s.time+1)-0.3, 0), 1), 6)
	}
}

// directions returns the directions ahead of the camera and to its right, on the level.
func (s *scene) directions() (ahead, right collide.Vec3) {
	sin, cos := math.Sincos(s.yaw)
	return collide.Vec3{X: -sin, Z: -cos}, collide.Vec3{X: cos, Z: -sin}
}

// control moves the hero as the player wants.
func (s *scene) control(in input) {
	c := s.character()
	ahead, right := s.directions()
	wish := right.Scale(in.Move.X).Add(ahead.Scale(in.Move.Y))
	c.DesiredVelocity = wish.Scale(runSpeed)
	c.Jump = in.Jump && !s.held
	s.held = in.Jump
	hero.CutJump(c, in.Jump, 3, 0.7)
	if wish.Length() > 0.1 {
		to := math.Atan2(wish.X, wish.Z)
		s.facing += math.Remainder(to-s.facing, 2*math.Pi) * 0.25
	}
	relative := c.State.Velocity.Sub(c.State.GroundVelocity)
	s.stride += math.Hypot(relative.X, relative.Z) * stepSeconds
}

// kick gives balls that the hero runs into more than a push.
func (s *scene) kick() {
	st := &s.character().State
	for _, k := range st.Contacts {
		if !s.world.Valid(k.Entity) {
			continue
		}
		e := s.world.Entry(k.Entity)
		if !e.HasComponent(levels.Object) || levels.Object.Get(e).Class != "ball" {
			continue
		}
		way := components.Transform.Get(e).Position.Sub(s.at())
		way.Y = 0
		n, ok := way.Normalized()
		wish := s.character().DesiredVelocity
		if v := components.Velocity.Get(e); ok && wish.Dot(n) > 2 && v.Linear.Dot(n) < 7 {
			v.Linear = wish.Scale(0.6).Add(n.Scale(6.5)).Add(collide.Vec3{Y: 2.4})
			s.kicks++
		}
	}
}

// collect takes stars and counts goals, and puts back what has left the level.
func (s *scene) collect() {
	body := components.CapsuleCollider.Get(s.hero).Shape(*components.Transform.Get(s.hero))
	left := s.stars[:0]
	for _, star := range s.stars {
		if body.SignedDistance(star) > starReach {
			left = append(left, star)
		}
	}
	s.stars = left
	hero.PutBack(s.crates, -3)
	for _, e := range s.balls {
		t := components.Transform.Get(e)
		in := s.goal.Contains(t.Position)
		if in {
			s.goals++
		}
		if in || t.Position.Y < -3 {
			t.Position = levels.Object.Get(e).Position
			components.Velocity.Get(e).Linear = collide.Vec3{}
			components.AngularVelocity.Get(e).Angular = collide.Vec3{}
		}
	}
	if s.at().Y < -3 || s.character().State.Crushed { // it fell, or a lift came down on it
		s.falls++
		components.Transform.Get(s.hero).Position = s.start
		s.character().State.Velocity = collide.Vec3{}
	}
	if s.won == 0 && len(s.stars) == 0 && s.goals >= goalsToWin {
		s.won = 1
	}
}

// turnCamera turns the camera as the player wants, and otherwise slowly behind the hero.
func (s *scene) turnCamera(in input) {
	s.yaw -= in.Turn.X
	s.pitch = min(max(s.pitch-in.Turn.Y, flattest), steepest)
	if in.Turn != (collide.Vec3{}) {
		s.rest = 0
	}
	s.rest++
	if s.rest > 60 { // the more, the more the hero runs across the view
		s.yaw -= 0.022 * in.Move.X
	}
	s.placeEye(0.25)
}

// target returns the point at which the camera looks.
func (s *scene) target() collide.Vec3 { return s.at().Add(collide.Vec3{Y: 0.7}) }

// placeEye puts the camera behind the hero, and before what would hide it: at once where it has to
// come closer, and otherwise by a share of the way.
func (s *scene) placeEye(share float64) {
	sin, cos := math.Sincos(s.yaw)
	down, level := math.Sincos(s.pitch)
	back := collide.Vec3{X: sin * level, Y: down, Z: cos * level}
	target := s.target()
	free := eyeDistance
	hit, ok := s.physics.SphereCast(collide.Sphere{Center: target, Radius: eyeRadius}, back, eyeDistance,
		systems.Filter{
			Accept: func(e donburi.Entity) bool {
				return e != s.hero.Entity() && s.world.Entry(e).HasComponent(components.ShapeCollider)
			}, Layers: ^levels.TriggerLayer,
		})
	if ok {
		free = hit.Distance
	}
	now := s.eye.Sub(target).Length()
	if s.eye == (collide.Vec3{}) || free < now {
		now = free
	} else {
		now += (free - now) * share
	}
	s.eye = target.AddScaled(min(now, eyeDistance), back)
}

// hint returns what to do next.
func (s *scene) hint() string {
	switch {
	case s.won > 0:
		return "All stars and three goals! Jump to play again"
	case s.time < 60*7:
		return "Run: WASD, arrows, left stick or left thumb. Look: drag, right stick or right thumb"
	case s.time < 60*13:
		return "Jump: space, gamepad button or the disc. Hold it to jump higher"
	case s.goals < goalsToWin && len(s.stars) > 0:
		return "Collect the stars, and run into balls to kick them into the goal"
	case s.goals < goalsToWin:
		return "All stars! Now kick balls into the goal"
	case len(s.stars) > 0:
		return "Enough goals! Look for stars: up ramps, stairs and lifts, and over the bridge"
	}
	return ""
}
