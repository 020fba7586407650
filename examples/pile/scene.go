// Package pile shows many simultaneous contacts: thousands of balls are poured into a bin, stirred,
// tilted and shaken.
package pile

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// The origin is the middle of the floor of the bin, y up. The walls are infinitely high.
const (
	binX = 1.2 // metres, half of its width
	binZ = 0.8 // and of its depth

	leastRadius = 0.040
	mostRadius  = 0.065
	density     = 600.0 // kg/m³, of wood
	bounce      = 0.15  // restitution
	grip        = 0.35  // friction, static and dynamic
	dent        = 0.01  // rolling resistance

	firstBalls = 1000
	moreBalls  = 500 // balls per pour
	mostBalls  = 4000

	pourHeight = 2.4 // metres; height at which balls are created
	pourSpeed  = 4.5 // m/s, downwards; a layer has to be out of the way of the next one
	pourTicks  = 2   // from one layer to the next

	stirRadius = 0.17 // metres, of the stirring ball
	stirMass   = 30.0 // kilograms
	stirForce  = 4000 // newtons; the largest force on the stirring ball
	stirSpeed  = 2.5  // m/s; its largest speed
	parkHeight = 3.2  // metres; its height while it is not used, out of sight

	steepest = 0.50 // radians; the largest tilt of the bin
	pivot    = 0.5  // metres above the floor; height of the axis of the tilt

	shakeTicks = 80   // duration of shaking
	shakeWidth = 0.07 // metres; amplitude of shaking
	shakeTurns = 3.0  // oscillations per second

	gravity     = 9.81
	stepSeconds = 1.0 / 60
)

// ballData is the game's data of a ball.
type ballData struct{ Colour int }

// ball is the game's own component, besides dango's.
var ball = donburi.NewComponentType[ballData]()

// input is the input of one tick.
type input struct {
	Keys string       // F pours, X shakes, T tilts the bin to one side, to the other, and back
	Lean collide.Vec3 // tilt, X to the right and Z to the front, of length 1 at most
	Stir bool         // the stirring ball moves above At, a point of the pile
	Down bool         // into the pile
	At   collide.Vec3
	Auto bool // the scene plays by itself

	Drop int // so many balls leave the bin, the last first
}

// scene is the game without its drawing.
type scene struct {
	game    *ecs.ECS
	world   donburi.World
	physics *systems.Physics
	random  *rand.Rand

	balls   []*donburi.Entry
	walls   []*donburi.Entry
	stirrer *donburi.Entry

	material components.MaterialData // of everything
	weight   float64                 // part of gravity that acts

	waiting int          // balls still to be poured
	lean    collide.Vec3 // radians: X to the right, Z to the front
	side    int          // tilt by T: 0 none, 1 and 2 to the sides
	shaking int          // ticks left
	forced  bool         // forces act on the balls

	gauge        gauge
	overlap      float64 // metres, after the last step
	fastest      float64 // m/s
	worstOverlap float64 // metres, over all steps
	volume       float64 // m³ of balls
	ticks        int
	impacts      int
}

// newScene returns the scene with a pour about to begin. Equal seeds give piles with the same bits.
func newScene(seed uint64) *scene {
	s := &scene{
		world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 4)), waiting: firstBalls, weight: 1,
	}
	s.material = components.MaterialData{
		Restitution: bounce, Friction: grip, RollingResistance: dent, SpinningResistance: dent,
	}
	s.game = ecs.NewECS(s.world)
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -gravity}, StepSeconds: stepSeconds})
	s.game.AddSystem(s.pour)
	s.game.AddSystem(s.push)
	s.physics.AddTo(s.game)
	s.game.AddSystem(s.note)

	for _, w := range []struct{ at, normal collide.Vec3 }{
		{collide.Vec3{}, collide.Vec3{Y: 1}},
		{collide.Vec3{X: -binX}, collide.Vec3{X: 1}},
		{collide.Vec3{X: binX}, collide.Vec3{X: -1}},
		{collide.Vec3{Z: -binZ}, collide.Vec3{Z: 1}},
		{collide.Vec3{Z: binZ}, collide.Vec3{Z: -1}},
	} {
		e := components.CreatePlane(s.world, w.at, w.normal, components.Material)
		s.surface(e)
		s.walls = append(s.walls, e)
	}
	s.stirrer = components.CreateBall(
		s.world, collide.Vec3{X: binX - 2*stirRadius, Y: parkHeight}, stirRadius, components.Force,
	)
	*components.Body.Get(s.stirrer) = components.BodyData{Mass: stirMass, Weightless: true}
	s.surface(s.stirrer)
	return s
}

// surface gives an entity the material of this scene.
func (s *scene) surface(e *donburi.Entry) {
	components.Material.SetValue(e, s.material)
}

// tune changes the restitution and friction of everything, and the part of gravity that acts.
func (s *scene) tune(restitution, friction, weight float64) {
	if m := s.material; m.Restitution != restitution || m.Friction != friction {
		s.material.Restitution, s.material.Friction = restitution, friction
		for _, list := range [][]*donburi.Entry{s.balls, s.walls, {s.stirrer}} {
			for _, e := range list {
				s.surface(e)
			}
		}
	}
	s.forced = s.forced || weight != s.weight
	s.weight = weight
}

// drop removes balls, the last first.
func (s *scene) drop(n int) {
	keep := max(len(s.balls)-n, 0)
	for _, e := range s.balls[keep:] {
		s.volume -= components.Body.Get(e).Mass / density
		s.world.Remove(e.Entity())
	}
	s.balls = s.balls[:keep]
}

// newBall creates a ball of a random size, moving down.
func (s *scene) newBall(at collide.Vec3, radius float64) {
	e := components.CreateBall(s.world, at, radius, components.Force, components.AngularVelocity, ball)
	mass := density * 4 / 3 * math.Pi * radius * radius * radius
	components.Body.Get(e).Mass = mass
	s.surface(e)
	components.Velocity.Get(e).Linear = collide.Vec3{Y: -pourSpeed}
	turn := collide.Vec3{X: s.random.Float64() - 0.5, Y: s.random.Float64() - 0.5, Z: s.random.Float64() - 0.5}
	components.Transform.Get(e).Rotation = collide.RotationAround(turn, 2*math.Pi*s.random.Float64())
	ball.SetValue(e, ballData{Colour: s.random.IntN(len(paints))})
	s.balls = append(s.balls, e)
	s.volume += mass / density
	s.forced = true // the new ball needs the force of the tilt
}

// paints are the colours of balls, as codes, because the scene doesn't draw.
var paints = [...]uint32{0xe5684a, 0xf2b33d, 0x2fa58a, 0x3b82d6, 0x8b62c9, 0xe8e2d0}

// pour is the system that creates balls above the bin, one layer at a time, from a moving spout.
func (s *scene) pour(*ecs.ECS) {
	if s.waiting == 0 || s.ticks%pourTicks != 0 {
		return
	}
	const pitch = 2.05 * mostRadius
	spout := collide.Vec3{
		X: 0.7 * math.Sin(float64(s.ticks)*0.031), Y: pourHeight, Z: 0.4 * math.Sin(float64(s.ticks)*0.047),
	}
	s.physics.Sync(s.world) // lets the query see the layer before
	for row := range 3 {
		for k := range 4 {
			at := spout.Add(collide.Vec3{X: (float64(k) - 1.5) * pitch, Z: (float64(row) - 1) * pitch})
			radius := leastRadius + (mostRadius-leastRadius)*s.random.Float64()
			if s.waiting > 0 && !s.occupied(collide.Sphere{Center: at, Radius: radius}) {
				s.newBall(at, radius)
				s.waiting--
			}
		}
	}
}

// occupied reports whether a new ball would overlap something: shaking may throw balls that high.
func (s *scene) occupied(place collide.Sphere) bool {
	for range s.physics.OverlapSphere(place, systems.Filter{}) {
		return true
	}
	return false
}

// tilt returns the rotation of the bin.
func (s *scene) tilt() collide.Quat {
	return collide.RotationAround(collide.Vec3{X: s.lean.Z, Z: -s.lean.X}, s.lean.Length())
}

// push is the system that applies the tilt and the shaking to the balls. The world is the frame of
// the bin. In it gravity tilts, and shaking is an inertial force; Force components add both.
func (s *scene) push(*ecs.ECS) {
	if !s.forced {
		return
	}
	down := collide.Vec3{Y: -gravity}
	back := s.tilt()
	back.W = -back.W // the inverse rotation
	extra := back.Rotate(down.Scale(s.weight)).Sub(down).Sub(s.jolt())
	for _, e := range s.balls {
		components.Force.Get(e).Force = extra.Scale(components.Body.Get(e).Mass)
	}
	s.forced = false
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	if in.Auto {
		drop := in.Drop
		in = s.programme()
		in.Drop = drop
	}
	s.ticks++
	for _, k := range in.Keys {
		switch k {
		case 'F':
			s.waiting = min(s.waiting+moreBalls, mostBalls-len(s.balls))
		case 'X':
			s.shaking = shakeTicks
		case 'T':
			s.side = (s.side + 1) % 3
		}
	}
	if in.Drop > 0 {
		s.waiting = 0
		s.drop(in.Drop)
	}
	s.leanTo(in.Lean)
	if s.shaking > 0 {
		s.shaking--
		s.forced = true
	}
	s.stir(in)
	s.game.Update()
}

// leanTo moves the tilt of the bin a little closer to the wanted one.
func (s *scene) leanTo(want collide.Vec3) {
	if want == (collide.Vec3{}) {
		want.X = [...]float64{0, -1, 1}[s.side]
	}
	next := s.lean.Lerp(want.Scale(steepest), 0.05)
	if next.Distance(want.Scale(steepest)) < 1e-3 {
		next = want.Scale(steepest)
	}
	s.forced = s.forced || next != s.lean
	s.lean = next
}

// swing returns the displacement of the bin if shaking ends in this many ticks.
func swing(left int) collide.Vec3 {
	u := float64(left) / shakeTicks
	turn := 2 * math.Pi * shakeTurns * float64(left) * stepSeconds
	wide := shakeWidth * math.Sin(math.Pi*u) * math.Sin(math.Pi*u)
	return collide.Vec3{X: wide * math.Sin(turn), Y: wide / 2 * (1 - math.Cos(turn))}
}

// shift returns the displacement of the bin by shaking.
func (s *scene) shift() collide.Vec3 { return swing(s.shaking) }

// jolt returns the acceleration of the bin by shaking.
func (s *scene) jolt() collide.Vec3 {
	if s.shaking == 0 {
		return collide.Vec3{}
	}
	now, next, before := swing(s.shaking), swing(s.shaking-1), swing(s.shaking+1)
	return next.Sub(now).Add(before.Sub(now)).Scale(1 / (stepSeconds * stepSeconds))
}

// level returns the approximate height of the pile.
func (s *scene) level() float64 { return s.volume / 0.6 / (4 * binX * binZ) }

// stir moves the stirring ball by a force: to a point above the pile, into the pile, or back to its
// waiting position. A limited force yields to the pile, unlike a kinematic body. The ball keeps a
// distance of one ball from the walls.
func (s *scene) stir(in input) {
	const room = stirRadius + 2.2*mostRadius
	to := collide.Vec3{X: binX - 2*stirRadius, Y: parkHeight}
	if in.Stir {
		to = in.At
		to.Y = s.level() + stirRadius + 2*mostRadius
		if in.Down {
			to.Y = 0.6 * s.level()
		}
	}
	to.X = min(max(to.X, -binX+room), binX-room)
	to.Z = min(max(to.Z, -binZ+room), binZ-room)
	to.Y = max(to.Y, room)
	v := to.Sub(components.Transform.Get(s.stirrer).Position).Scale(8)
	if l := v.Length(); l > stirSpeed {
		v = v.Scale(stirSpeed / l)
	}
	pull := v.Sub(components.Velocity.Get(s.stirrer).Linear).Scale(stirMass / stepSeconds)
	if l := pull.Length(); l > stirForce {
		pull = pull.Scale(stirForce / l)
	}
	components.Force.Get(s.stirrer).Force = pull
}

// programme returns the input of an unattended run: pour, stir, tilt to both sides, shake, and pour
// again.
func (s *scene) programme() (in input) {
	const round = 1500
	switch t := s.ticks % round; {
	case t == 180 || t == 190:
		in.Keys = "F"
	case t >= 420 && t < 840:
		a := float64(t-420) * 0.035
		in.Stir, in.Down = true, t >= 440 && t < 800
		in.At = collide.Vec3{X: 0.65 * math.Cos(a), Z: 0.35 * math.Sin(1.6*a)}
	case t >= 900 && t < 1030:
		in.Lean.X = -1
	case t >= 1030 && t < 1160:
		in.Lean.X = 1
	case t == 1300:
		in.Keys = "X"
	}
	return in
}

// note is the system that measures the state after a step.
func (s *scene) note(*ecs.ECS) {
	s.impacts += s.physics.Stats().Impacts
	s.gauge.fill(s.balls)
	s.overlap = max(s.gauge.overlap(), s.binOverlap())
	s.worstOverlap = max(s.worstOverlap, s.overlap)
	s.fastest = 0
	for _, e := range s.balls {
		s.fastest = max(s.fastest, components.Velocity.Get(e).Linear.LengthSquared())
	}
	s.fastest = math.Sqrt(s.fastest)
}

// binOverlap returns the deepest overlap of a ball with a wall or the stirring ball, in metres.
func (s *scene) binOverlap() float64 {
	worst := 0.0
	stirrer := components.Transform.Get(s.stirrer).Position
	for _, b := range s.gauge.balls {
		for _, w := range s.walls {
			normal := components.PlaneCollider.Get(w).Normal
			worst = max(worst, b.Radius-b.Center.Sub(components.Transform.Get(w).Position).Dot(normal))
		}
		worst = max(worst, b.Radius+stirRadius-b.Center.Distance(stirrer))
	}
	return worst
}
