// Package twins runs the same scene in two worlds, with different numbers of workers and entities
// created in opposite order. All positions and velocities agree in every bit, after every step, and
// with a recording from another machine.
package twins

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

const (
	half        = 10.0 // metres, from the middle of the box to a wall
	columns     = 40   // of balls at the beginning, and rows
	radius      = 0.12
	stepSeconds = 1.0 / 60
)

// twin is one of the worlds.
type twin struct {
	workers int
	world   donburi.World
	physics *systems.Physics
	balls   []*donburi.Entry // by number, whatever the order of creation was
}

// newTwin creates the balls, in the order of their numbers or backwards.
func newTwin(seed uint64, speed float64, workers int, backwards bool) *twin {
	t := &twin{workers: workers, world: donburi.NewWorld(), balls: make([]*donburi.Entry, columns*columns)}
	t.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds, Workers: workers})
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		components.CreatePlane(t.world, n.Scale(-half), n)
	}
	order := make([]int, len(t.balls))
	for i := range order {
		order[i] = i
	}
	if backwards {
		slices.Reverse(order)
	}
	for _, i := range order {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		const pitch = 2 * half / columns
		at := collide.Vec3{X: (float64(i%columns)+0.5)*pitch - half, Y: (float64(i/columns)+0.5)*pitch - half}
		e := components.CreateBall(t.world, at, radius)
		components.Material.Get(e).Restitution = 1
		components.Body.Get(e).Locked = components.AxisZ
		v := collide.Vec3{X: random.Float64() - 0.5, Y: random.Float64() - 0.5}
		components.Velocity.Get(e).Linear = v.Scale(2 * speed)
		t.balls[i] = e
	}
	return t
}

// hash returns a hash of the bits of all positions and velocities, in the order of the numbers.
func (t *twin) hash() uint64 {
	h := uint64(14695981039346656037)
	for _, e := range t.balls {
		p, v := components.Transform.Get(e).Position, components.Velocity.Get(e).Linear
		for _, x := range [...]float64{p.X, p.Y, p.Z, v.X, v.Y, v.Z} {
			h = (h ^ math.Float64bits(x)) * 1099511628211
			h ^= h >> 29
		}
	}
	return h
}

// recordEvery is the number of steps from one recorded hash to the next.
const recordEvery = 120

// recorded are the hashes of the scene with seed 1 and 6 m/s, from Linux on amd64. The test of this
// package prints them.
var recorded = [...]uint64{
	0x46c41b1e5248953a,
	0x60e349c8dd9282be,
	0x88b3a26a574794db,
	0x57f3f04e1b1791e5,
	0x56f0553f0abbd7ba,
	0x41c9a0c8418fece1,
	0xc4498f7e9e6e263b,
	0xdb9c0331e6436807,
	0x4c135dc1263140dc,
	0xd0c918dbca7bab96,
}

// scene is the two worlds.
type scene struct {
	twins     [2]*twin
	hashes    [2]uint64
	ticks     int
	equal     int  // steps after which the hashes were equal
	touched   bool // somebody has dragged a ball: the recording knows nothing of that
	checked   int  // recorded hashes that were compared
	different bool // one of them was another one
	standard  bool // seed and speed are those of the recording
}

func newScene(seed uint64, speed float64) *scene {
	return &scene{
		twins:    [2]*twin{newTwin(seed, speed, 1, false), newTwin(seed, speed, 4, true)},
		standard: seed == 1 && speed == 6,
	}
}

// step plays one tick of 1/60 s in both worlds.
func (s *scene) step() {
	s.ticks++
	for i, t := range s.twins {
		t.physics.Step(t.world)
		s.hashes[i] = t.hash()
	}
	if s.hashes[0] == s.hashes[1] {
		s.equal++
	}
	n := s.ticks / recordEvery
	if s.standard && !s.touched && s.ticks%recordEvery == 0 && n <= len(recorded) {
		s.checked++
		s.different = s.different || s.hashes[0] != recorded[n-1]
	}
}

// recording says in a few words whether the recording agrees.
func (s *scene) recording() string {
	switch {
	case s.different:
		return "different"
	case s.touched:
		return "ended by your touch"
	case !s.standard:
		return "seed 1, 6 m/s only"
	case s.checked == 0:
		return "in two seconds"
	}
	return "the same bits"
}
