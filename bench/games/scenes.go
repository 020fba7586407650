package main

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Sizes of all scenes, metres, and the friction and restitution of what is in them.
const (
	radius  = 0.05
	thick   = 0.1 // half the thickness of walls
	spacing = 2.1 * radius
	grip    = 0.4
	bounce  = 0.1
)

// scene is a world and what the game does in each tick.
type scene struct {
	world   donburi.World
	physics *systems.Physics
	bin     *donburi.Entry
	half    float64 // half the width of the inside of the bin, metres
	bodies  []*donburi.Entry
	random  *rand.Rand
	tick    func(seconds float64) // nil for a game that does nothing
	warm    int                   // ticks before the measured ones
}

// kind is a kind of scenes, with n bodies each.
type kind struct {
	name, text string
	new        func(n int) *scene
}

// kinds are all of them, in the order of the table.
var kinds = []kind{
	{"rest", "balls at rest in a bin, and kept awake", func(n int) *scene { return newHeap(n, ball) }},
	{"asleep", "balls at rest in a bin, asleep", newAsleep},
	{"fall", "balls that fall into a bin", func(n int) *scene { return newDrop(n, ball) }},
	{"lift", "the bin moves up and down", func(n int) *scene { return lift(newHeap(n, ball)) }},
	{"tilt", "the bin tilts to and fro", newTilt},
	{"push", "a wall pushes the balls into half of the bin", func(n int) *scene { return push(newHeap(n, ball)) }},
	{"press", "a lid presses on the balls", newPress},
	{"sizes", "balls of 1.5 to 6 cm, at rest", func(n int) *scene { return newHeap(n, sizedBall) }},
	{"sizes on a lift", "the same in a bin that moves", func(n int) *scene { return lift(newHeap(n, sizedBall)) }},
	{"crates", "crates at rest in a bin", func(n int) *scene { return newHeap(n, crate) }},
	{"crates fall", "crates that fall into a bin", func(n int) *scene { return newDrop(n, crate) }},
	{"crates on a lift", "the same in a bin that moves", func(n int) *scene { return lift(newHeap(n, crate)) }},
	{"crates pushed", "a wall pushes the crates", func(n int) *scene { return push(newHeap(n, crate)) }},
	{"hulls", "hulls of 20 corners at rest in a bin", func(n int) *scene { return newHeap(n, hull) }},
	{"capsules", "capsules at rest in a bin", func(n int) *scene { return newHeap(n, capsule) }},
	{"capsules on a lift", "the same in a bin that moves", func(n int) *scene { return lift(newHeap(n, capsule)) }},
	{"character", "a character walks on the balls", func(n int) *scene { return newCharacters(n, 1, 2) }},
	{"10 characters", "ten characters walk on the balls", func(n int) *scene { return newCharacters(n, 10, 2) }},
	{"character stands", "a character stands on the balls", func(n int) *scene { return newCharacters(n, 1, 0) }},
	{"crowd", "a character for ten bodies, all of which press on one point", newCrowd},
	{"seesaw", "balls are poured on a seesaw", newSeesaw},
	{"gas", "elastic balls fly about without gravity", newGas},
	{"circles", "the balls at rest, in 2D", func(n int) *scene { return newHeap2D(n, false) }},
	{"crates in 2D", "crates at rest, in 2D", func(n int) *scene { return newHeap2D(n, true) }},
}

// newScene returns a bin for n bodies that are spacing apart, with room for as many again above.
func newScene(n int, half float64, more ...donburi.IComponentType) *scene {
	more = append(more, components.Velocity, components.Material)
	s := &scene{
		world: donburi.NewWorld(), half: half, random: rand.New(rand.NewPCG(1, uint64(n))),
		physics: systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1, NoSleeping: true}),
	}
	wide, high := half+thick, 4*half
	box := func(at, half collide.Vec3) components.ShapePart {
		return components.ShapePart{Shape: collide.Box{Half: half}, Position: at}
	}
	s.bin = components.CreateCompound(
		s.world, collide.Vec3{}, []components.ShapePart{
			box(collide.Vec3{Y: -thick}, collide.Vec3{X: wide + thick, Y: thick, Z: wide + thick}),
			box(collide.Vec3{X: wide, Y: high}, collide.Vec3{X: thick, Y: high, Z: wide + thick}),
			box(collide.Vec3{X: -wide, Y: high}, collide.Vec3{X: thick, Y: high, Z: wide + thick}),
			box(collide.Vec3{Y: high, Z: wide}, collide.Vec3{X: half, Y: high, Z: thick}),
			box(collide.Vec3{Y: high, Z: -wide}, collide.Vec3{X: half, Y: high, Z: thick}),
		},
		more...,
	)
	components.Material.Get(s.bin).Friction = grip
	return s
}

// halfFor returns half the width of a bin in which n balls lie about half as high as it is wide.
func halfFor(n int) float64 { return spacing * math.Cbrt(float64(n)/4) }

// maker creates one body.
type maker func(s *scene, at collide.Vec3) *donburi.Entry

func ball(s *scene, at collide.Vec3) *donburi.Entry {
	return components.CreateBall(s.world, at, radius, components.AngularVelocity)
}

// sizedBall makes balls whose mass is as their volume.
func sizedBall(s *scene, at collide.Vec3) *donburi.Entry {
	r := radius * (0.3 + 0.9*s.random.Float64()*s.random.Float64())
	e := components.CreateBall(s.world, at, r, components.AngularVelocity)
	components.Body.Get(e).Mass = 4000 * r * r * r
	return e
}

func crate(s *scene, at collide.Vec3) *donburi.Entry {
	return components.CreateCrate(s.world, at, collide.Vec3{X: 0.9 * radius, Y: 0.9 * radius, Z: 0.9 * radius})
}

func capsule(s *scene, at collide.Vec3) *donburi.Entry {
	a := collide.Vec3{X: s.random.NormFloat64(), Y: s.random.NormFloat64(), Z: s.random.NormFloat64()}
	a = a.Scale(radius / 2 / a.Length())
	return components.CreateShapeBody(s.world, at, collide.Capsule{A: a, B: a.Neg(), Radius: radius / 2})
}

func hull(s *scene, at collide.Vec3) *donburi.Entry {
	points := make([]collide.Vec3, 20)
	for i := range points {
		p := collide.Vec3{X: s.random.NormFloat64(), Y: s.random.NormFloat64(), Z: s.random.NormFloat64()}
		points[i] = p.Scale(radius / p.Length())
	}
	h, err := collide.NewHull(points)
	if err != nil {
		panic(err) // points of a sphere have a hull
	}
	return components.CreateShapeBody(s.world, at, h)
}

// pour puts n bodies above the bottom of the bin, in layers.
func (s *scene) pour(n int, create maker) {
	side := max(1, int(2*s.half/spacing))
	for i := range n {
		at := func(k int) float64 {
			return spacing*(float64(k%side)-float64(side-1)/2) + 0.02*radius*s.random.Float64()
		}
		y := 1.2*radius + spacing*float64(i/side/side)
		e := create(s, collide.Vec3{X: at(i), Y: y, Z: at(i / side)})
		if b := components.Body.Get(e); b.Mass == 1 {
			b.Mass = 0.5
		}
		components.Material.SetValue(e, components.MaterialData{Friction: grip, Restitution: bounce})
		s.bodies = append(s.bodies, e)
	}
}

// newDrop returns n bodies that are about to fall.
func newDrop(n int, create maker) *scene {
	s := newScene(n, halfFor(n))
	s.pour(n, create)
	return s
}

// newHeap returns n bodies at rest in a bin.
func newHeap(n int, create maker) *scene {
	s := newDrop(n, create)
	s.warm = 180
	return s
}

func newAsleep(n int) *scene {
	s := newHeap(n, ball)
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}, Workers: 1})
	s.warm = 600
	return s
}

// lift moves the bin up and down.
func lift(s *scene) *scene {
	v := components.Velocity.Get(s.bin)
	s.tick = func(t float64) { v.Linear.Y = math.Sin(2 * t) }
	return s
}

func newTilt(n int) *scene {
	s := newScene(n, halfFor(n), components.AngularVelocity)
	s.pour(n, ball)
	s.warm = 180
	w := components.AngularVelocity.Get(s.bin)
	s.tick = func(t float64) { w.Angular.Z = 0.5 * math.Cos(2*t) }
	return s
}

// push moves a wall out of the left side of the bin and back into it.
func push(s *scene) *scene {
	half := collide.Vec3{X: thick / 2, Y: 2 * s.half, Z: 0.98 * s.half}
	from := collide.Vec3{X: -s.half - half.X, Y: half.Y + 0.1*radius}
	e := components.CreateBox(s.world, from, half, components.Velocity)
	v := components.Velocity.Get(e)
	s.tick = func(t float64) { v.Linear.X = 0.6 * s.half * math.Sin(t) }
	return s
}

// newPress moves a lid up and down on the balls: it presses at 0.1 m/s for a second and rises for
// one.
func newPress(n int) *scene {
	s := newHeap(n, ball)
	half := collide.Vec3{X: 0.98 * s.half, Y: thick / 2, Z: 0.98 * s.half}
	e := components.CreateBox(s.world, collide.Vec3{Y: 4 * s.half}, half, components.Velocity)
	p, v := components.Transform.Get(e), components.Velocity.Get(e)
	s.tick = func(t float64) {
		if t == 0 { // now they lie
			top := 0.0
			for _, b := range s.bodies {
				top = max(top, components.Transform.Get(b).Position.Y)
			}
			p.Position.Y = top + radius + half.Y + 0.01
		}
		v.Linear.Y = -0.1 * math.Sin(math.Pi*t)
	}
	return s
}

// newCharacters lets so many characters walk to and fro on a heap.
func newCharacters(n, characters int, speed float64) *scene {
	s := newHeap(n, ball)
	var all []*donburi.Entry
	for k := range characters {
		turn := 2 * math.Pi * float64(k) / float64(characters)
		at := collide.Vec3{X: 0.6 * s.half * math.Cos(turn), Y: 3 * s.half, Z: 0.6 * s.half * math.Sin(turn)}
		all = append(all, components.CreateCharacter(s.world, at, 0.1, 0.4))
	}
	s.tick = func(t float64) {
		for k, e := range all {
			turn := 0.7*t + float64(k)
			components.CharacterController.Get(e).DesiredVelocity = collide.Vec3{
				X: speed * math.Cos(turn), Z: speed * math.Sin(turn),
			}
		}
	}
	return s
}

// newCrowd lets a character for every ten bodies walk to one point. There are no bodies.
func newCrowd(n int) *scene {
	s := newScene(n, 4*halfFor(n))
	side := int(math.Ceil(math.Sqrt(float64(n) / 10)))
	var all []*donburi.Entry
	for k := range n / 10 {
		x, z := float64(k%side-side/2), float64(k/side-side/2)
		all = append(all, components.CreateCharacter(s.world, collide.Vec3{X: 0.25 * x, Y: 0.2, Z: 0.25 * z}, 0.1, 0.4))
	}
	s.tick = func(float64) {
		for _, e := range all {
			at := components.Transform.Get(e).Position
			wish, _ := collide.Vec3{X: -at.X, Z: -at.Z}.Normalized()
			components.CharacterController.Get(e).DesiredVelocity = wish
		}
	}
	return s
}

// newSeesaw pours balls on a seesaw that is nearly as wide as the bin.
func newSeesaw(n int) *scene {
	s := newScene(n, 1.3*halfFor(n))
	e := components.CreateBox(
		s.world, collide.Vec3{Y: 0.5 * s.half}, collide.Vec3{X: 0.9 * s.half, Y: 0.02, Z: 0.9 * s.half},
		components.Velocity, components.AngularVelocity, components.Body, components.Motor,
	)
	components.Body.Get(e).Kind = components.Kinematic
	components.Motor.SetValue(e, components.MotorData{Inertia: 5, Low: -0.3, High: 0.3, MaxTorque: 1})
	s.pour(n, ball)
	for _, b := range s.bodies {
		components.Transform.Get(b).Position.Y += s.half
	}
	return s
}

// newGas fills a fifth of a closed box with balls that fly one radius in each step.
func newGas(n int) *scene {
	half := math.Cbrt(float64(n)*4/3*math.Pi/0.2) * radius / 2
	s := newScene(n, half)
	s.physics = systems.NewPhysics(systems.Config{Workers: 1})
	s.pour(n, ball)
	for _, b := range s.bodies {
		v := collide.Vec3{X: s.random.NormFloat64(), Y: s.random.NormFloat64(), Z: s.random.NormFloat64()}
		components.Velocity.Get(b).Linear = v.Scale(60 * radius / v.Length())
		components.Material.SetValue(b, components.MaterialData{Restitution: 1})
	}
	components.Material.SetValue(s.bin, components.MaterialData{Restitution: 1})
	components.CreatePlane(s.world, collide.Vec3{Y: 2 * half}, collide.Vec3{Y: -1})
	return s
}

// newHeap2D returns circles or crates at rest in a bin of the plane z = 0.
func newHeap2D(n int, crates bool) *scene {
	s := newScene(n, spacing*math.Sqrt(float64(n)/4))
	s.warm = 180
	side := int(2 * s.half / spacing)
	for i := range n {
		x := spacing*(float64(i%side)-float64(side-1)/2) + 0.02*radius*s.random.Float64()
		at := collide.Vec3{X: x, Y: 1.2*radius + spacing*float64(i/side)}
		var e *donburi.Entry
		if crates {
			e = components.CreateCrate2D(s.world, at, 0.9*radius, 0.9*radius)
		} else {
			e = components.CreateCircle2D(s.world, at, radius, components.AngularVelocity)
		}
		components.Material.SetValue(e, components.MaterialData{Friction: grip, Restitution: bounce})
		s.bodies = append(s.bodies, e)
	}
	return s
}
