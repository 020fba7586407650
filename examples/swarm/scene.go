// Package swarm moves as many bodies as the machine can 60 times a second. It adds bodies while
// there is time left in a step, and the box grows with them.
package swarm

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

const (
	radius      = 0.5 // metres, of a body; every tenth has twice that
	room        = 6.0 // m² of the box for each body
	aspect      = 1.4 // width of the box by its height
	pull        = 30  // m/s², towards the pointer
	firstBodies = 1500
	leastBodies = 200
	mostBodies  = 60000
	stepSeconds = 1.0 / 60
)

// input is the input of one tick.
type input struct {
	At   collide.Vec3 // of the pointer
	Pull bool         // towards it
	Want int          // number of bodies; 0 keeps it
}

// scene is the swarm without its drawing.
type scene struct {
	world   donburi.World
	physics *systems.Physics
	random  *rand.Rand
	bodies  []*donburi.Entry
	walls   [4]*donburi.Entry
	half    collide.Vec3 // from the middle of the box to its walls
	speed   float64      // m/s, of a body that nobody pulls
	ticks   int
	impacts int
}

// newScene returns a swarm of a number of bodies.
func newScene(seed uint64, count int, speed float64) *scene {
	s := &scene{world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 6)), speed: speed}
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})
	for i, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		s.walls[i] = components.CreatePlane(s.world, collide.Vec3{}, n)
	}
	s.grow(count)
	s.add(count)
	return s
}

// grow moves the walls outwards, so that this many bodies have room. The box never shrinks, since
// walls that jump inwards would overlap bodies.
func (s *scene) grow(count int) {
	h := math.Sqrt(float64(count) * room / aspect / 4)
	s.half.X, s.half.Y = max(s.half.X, aspect*h), max(s.half.Y, h)
	for _, w := range s.walls {
		n := components.PlaneCollider.Get(w).Normal
		components.Transform.Get(w).Position = n.MulElem(s.half).Scale(-1)
	}
}

// add creates bodies in free places.
func (s *scene) add(n int) {
	s.physics.Sync(s.world) // lets the query see the bodies as they are now
	first := len(s.bodies)
	for tries := 100 * n; n > 0 && tries > 0; tries-- {
		r := radius
		if s.random.IntN(10) == 0 {
			r = 2 * radius
		}
		at := collide.Vec3{
			X: (2*s.random.Float64() - 1) * (s.half.X - r), Y: (2*s.random.Float64() - 1) * (s.half.Y - r),
		}
		if s.occupied(collide.Sphere{Center: at, Radius: r}, s.bodies[first:]) {
			continue
		}
		e := components.CreateBall(s.world, at, r)
		*components.Body.Get(e) = components.BodyData{Mass: r * r, Locked: components.AxisZ}
		components.Material.Get(e).Restitution = 1
		angle := 2 * math.Pi * s.random.Float64()
		components.Velocity.Get(e).Linear = collide.Vec3{X: math.Cos(angle), Y: math.Sin(angle)}.Scale(s.speed)
		s.bodies = append(s.bodies, e)
		n--
	}
}

// occupied reports whether a new body would overlap one of the last step, or a fresh one, which
// queries don't know yet.
func (s *scene) occupied(place collide.Sphere, fresh []*donburi.Entry) bool {
	for _, e := range fresh {
		reach := place.Radius + components.SphereCollider.Get(e).Radius
		if place.Center.Sub(components.Transform.Get(e).Position).LengthSquared() < reach*reach {
			return true
		}
	}
	for range s.physics.OverlapSphere(place, systems.Filter{}) {
		return true
	}
	return false
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if n := in.Want - len(s.bodies); in.Want > 0 && n > 0 {
		s.grow(in.Want)
		s.add(n)
	} else if in.Want > 0 && n < 0 {
		for _, e := range s.bodies[in.Want:] {
			s.world.Remove(e.Entity())
		}
		s.bodies = s.bodies[:in.Want]
	}
	for _, e := range s.bodies {
		v := &components.Velocity.Get(e).Linear
		if in.Pull {
			if d, ok := in.At.Sub(components.Transform.Get(e).Position).Normalized(); ok {
				*v = v.AddScaled(pull*stepSeconds, d)
			}
			*v = v.Scale(0.99)
		} else if l := v.Length(); l > 0 { // back to its own speed
			*v = v.Scale(1 + 0.02*(s.speed/l-1)*min(l/s.speed, 1))
		}
	}
	s.physics.Step(s.world)
	s.impacts += s.physics.Stats().Impacts
}
