// Package gas shows what exact impacts are good for: spheres that all begin with the same speed
// find Maxwell's distribution by themselves, press on the walls as theory says, and keep their
// energy to twelve digits.
package gas

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

const (
	half        = 5.0 // metres, from the middle of the box to a wall
	stepSeconds = 1.0 / 60
	bins        = 32
	core        = 0.7 // part of the box, along each axis, in which the density is measured, and the pressure
)

// settings are what a gas begins with.
type settings struct {
	count int
	fill  float64 // part of the box that the spheres take, in volume
	speed float64 // m/s, of every sphere
}

// scene is the gas. A sphere has 1 kg.
type scene struct {
	settings
	radius  float64
	world   donburi.World
	physics *systems.Physics
	balls   []*donburi.Entry

	start, energy float64 // joules: at the beginning, and now
	drift         float64 // the largest change of the energy, relative to start
	histogram     [bins]float64
	pushed        float64 // N·s, of impacts with the middle parts of the walls
	inCore        float64 // spheres in the core, summed over ticks
	ticks         int     // of pushed, inCore and histogram
	age           int     // ticks since the beginning, or since a hand let go
	impacts       int
}

// newScene fills the box. Equal seeds give the same gas.
func newScene(seed uint64, set settings) *scene {
	s := &scene{settings: set, world: donburi.NewWorld()}
	s.radius = math.Cbrt(set.fill * 8 * half * half * half * 3 / (4 * math.Pi * float64(set.count)))
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		components.CreatePlane(s.world, n.Scale(-half), n)
	}
	random := rand.New(rand.NewPCG(seed, 5))
	side := int(math.Ceil(math.Cbrt(float64(set.count)))) // of a lattice
	pitch := 2 * half / float64(side)
	for i := range set.count {
		place := func(k int) float64 { return (float64(k)+0.5)*pitch - half }
		e := components.CreateBall(
			s.world, collide.Vec3{X: place(i % side), Y: place(i / side % side), Z: place(i / side / side)}, s.radius,
		)
		components.Material.Get(e).Restitution = 1
		components.Velocity.Get(e).Linear = direction(random).Scale(set.speed)
		s.balls = append(s.balls, e)
	}
	s.start = s.measure()
	s.energy = s.start
	return s
}

// direction returns a random direction.
func direction(random *rand.Rand) collide.Vec3 {
	z, angle := 2*random.Float64()-1, 2*math.Pi*random.Float64()
	r := math.Sqrt(1 - z*z)
	return collide.Vec3{X: r * math.Cos(angle), Y: r * math.Sin(angle), Z: z}
}

// calmTicks is how long the gas may take to forget how it began, before it is measured.
const calmTicks = 180

// step plays one tick of 1/60 s and measures.
func (s *scene) step() {
	s.physics.Step(s.world)
	s.age++
	if s.age == calmTicks {
		s.pushed, s.inCore, s.ticks, s.histogram = 0, 0, 0, [bins]float64{}
	}
	s.ticks++
	for i := range s.physics.Impacts() {
		s.impacts++
		if !s.world.Entry(i.B).HasComponent(components.SphereCollider) && nearAxis(i.Point) {
			s.pushed += i.Impulse
		}
	}
	if s.age < calmTicks { // the histogram shows how the speeds spread
		for i := range s.histogram {
			s.histogram[i] *= 0.93
		}
	}
	s.energy = s.measure()
	s.drift = max(s.drift, math.Abs(s.energy/s.start-1))
}

// nearAxis reports whether a point of a wall is in the wall's middle part: at the edges the density
// is another one.
func nearAxis(p collide.Vec3) bool {
	n := 0
	for axis := range 3 {
		if math.Abs(p.Component(axis)) < core*half {
			n++
		}
	}
	return n == 2
}

// addWork lets a hand change velocities, and adds its work to the energy at the beginning: the
// temperature follows. While it pulls, nothing is measured.
func (s *scene) addWork(held bool, pull func() bool) bool {
	if !held {
		return pull()
	}
	before := s.kinetic()
	if !pull() {
		return false
	}
	s.start += s.kinetic() - before
	s.age, s.ticks, s.pushed, s.inCore = 0, 0, 0, 0
	return true
}

// kinetic returns the kinetic energy.
func (s *scene) kinetic() float64 {
	sum := 0.0
	for _, e := range s.balls {
		sum += components.Velocity.Get(e).Linear.LengthSquared() / 2
	}
	return sum
}

// measure counts speeds and positions, and returns the kinetic energy.
func (s *scene) measure() float64 {
	sum := 0.0
	for _, e := range s.balls {
		v2 := components.Velocity.Get(e).Linear.LengthSquared()
		sum += v2 / 2
		if i := int(math.Sqrt(v2) / s.binWidth()); i < bins {
			s.histogram[i]++
		}
		if components.Transform.Get(e).Position.MaxAbs() < core*half {
			s.inCore++
		}
	}
	return sum
}

// binWidth returns the width of a bin of the histogram, m/s.
func (s *scene) binWidth() float64 { return 2.6 * s.speed / bins }

// temperature returns kT in joules: the mean energy along one axis, twice.
func (s *scene) temperature() float64 { return 2 * s.start / (3 * float64(s.count)) }

// maxwell returns the part of the spheres that a bin has in Maxwell's distribution, by the density
// in its middle.
func (s *scene) maxwell(bin int) float64 {
	v, kt := (float64(bin)+0.5)*s.binWidth(), s.temperature()
	return 4 * math.Pi * math.Pow(2*math.Pi*kt, -1.5) * v * v * math.Exp(-v*v/(2*kt)) * s.binWidth()
}

// pressure returns the pressure on the walls in pascals, and what the equation of state of
// Carnahan and Starling gives for the density in the core: p = n·kT·(1+f+f²-f³)/(1-f)³, with the
// part f of the volume that the spheres take.
func (s *scene) pressure() (measured, theory float64) {
	if s.ticks == 0 {
		return 0, 0
	}
	const side = 2 * core * half
	const area, volume = 6 * side * side, side * side * side
	measured = s.pushed / (area * float64(s.ticks) * stepSeconds)
	n := s.inCore / float64(s.ticks) / volume
	f := n * 4 / 3 * math.Pi * s.radius * s.radius * s.radius
	return measured, n * s.temperature() * (1 + f + f*f - f*f*f) / ((1 - f) * (1 - f) * (1 - f))
}
