// Package tunnel compares three ways to step the same fast balls in the same box: naive stepping,
// which moves bodies and then pushes apart what overlaps, the same with eight substeps, and dango.
package tunnel

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

const (
	half        = 1.0  // metres, from the middle of the box to a wall
	radius      = 0.07 // of a ball
	stepSeconds = 1.0 / 60
	substeps    = 8
)

// lane is one way to step the balls.
type lane interface {
	step()
	ball(i int) state
	put(i int, s state)
}

// state is where a ball is and how it moves.
type state struct{ at, velocity collide.Vec3 }

// scene is three boxes with the same balls.
type scene struct {
	lanes [3]lane
	count int
	start []state // of the balls
	speed float64 // m/s, of every ball at the beginning
	ticks int

	escapes [3]int     // balls that have left each box
	given   [3]float64 // v² of the balls at the beginning, and what the pointer has added in each box
}

// newScene fills the boxes. Equal seeds give the same balls.
func newScene(seed uint64, count int, speed float64) *scene {
	random := rand.New(rand.NewPCG(seed, 3))
	var start []state
	for i := range count { // in a lattice, so that no two overlap
		const columns = 6
		at := collide.Vec3{
			X: 0.28 * (float64(i%columns) - (columns-1)/2.0), Y: 0.28 * (float64(i/columns) - (columns-1)/2.0),
		}
		angle := 2 * math.Pi * random.Float64()
		start = append(start, state{at, collide.Vec3{X: math.Cos(angle), Y: math.Sin(angle)}.Scale(speed)})
	}
	s := &scene{count: count, start: start, speed: speed, lanes: [3]lane{
		newNaive(start, 1), newNaive(start, substeps), newExact(start),
	}}
	for k := range s.given {
		s.given[k] = float64(count) * speed * speed
	}
	return s
}

// step plays one tick of 1/60 s in every lane.
func (s *scene) step() {
	s.ticks++
	for k, l := range s.lanes {
		for i := range s.count { // those that have flown out of sight begin again
			if l.ball(i).at.MaxAbs() > 3*half {
				l.put(i, s.start[i])
			}
		}
		before := s.outside(l)
		l.step()
		s.escapes[k] += max(s.outside(l)-before, 0)
	}
}

// outside returns how many balls of a lane are outside of the box.
func (s *scene) outside(l lane) int {
	n := 0
	for i := range s.count {
		if outside(l.ball(i).at) {
			n++
		}
	}
	return n
}

func outside(at collide.Vec3) bool { return at.MaxAbs() > half }

// nearest returns the ball of a lane that is at most reach metres from a point, or -1.
func (s *scene) nearest(l lane, at collide.Vec3, reach float64) int {
	best := -1
	for i := range s.count {
		if d := l.ball(i).at.Distance(at); d <= reach {
			best, reach = i, d
		}
	}
	return best
}

// pull lets a ball of every lane fly to a point within a tenth of a second, however fast that is.
func (s *scene) pull(ball int, to collide.Vec3) {
	for k, l := range s.lanes {
		b := l.ball(ball)
		before := b.velocity.LengthSquared()
		b.velocity = to.Sub(b.at).Scale(10)
		l.put(ball, b)
		if !outside(b.at) {
			s.given[k] += b.velocity.LengthSquared() - before
		}
	}
}

// energy returns the kinetic energy of the balls in a box, as a fraction of that at the beginning
// and what the pointer has added.
func (s *scene) energy(box int) float64 {
	sum := 0.0
	for i := range s.count {
		if b := s.lanes[box].ball(i); !outside(b.at) {
			sum += b.velocity.LengthSquared()
		}
	}
	return sum / s.given[box]
}

// exact is the box in dango.
type exact struct {
	world   donburi.World
	physics *systems.Physics
	balls   []*donburi.Entry
}

func newExact(start []state) *exact {
	e := &exact{world: donburi.NewWorld()}
	e.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})
	for _, w := range walls {
		components.CreateWall2D(e.world, w[0], w[1])
	}
	for i, s := range start {
		b := components.CreateBall(e.world, s.at, radius)
		components.Material.Get(b).Restitution = 1
		components.Body.Get(b).Locked = components.AxisZ
		e.balls = append(e.balls, b)
		e.put(i, s)
	}
	return e
}

func (e *exact) step() { e.physics.Step(e.world) }

func (e *exact) ball(i int) state {
	return state{components.Transform.Get(e.balls[i]).Position, components.Velocity.Get(e.balls[i]).Linear}
}

func (e *exact) put(i int, s state) {
	components.Transform.Get(e.balls[i]).Position = s.at
	components.Velocity.Get(e.balls[i]).Linear = s.velocity
}

// walls are the sides of the box: thin sheets, with nothing behind them.
var walls = [4][2]collide.Vec3{
	{{X: -half, Y: -half}, {X: half, Y: -half}},
	{{X: half, Y: -half}, {X: half, Y: half}},
	{{X: half, Y: half}, {X: -half, Y: half}},
	{{X: -half, Y: half}, {X: -half, Y: -half}},
}
