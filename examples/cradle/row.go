package cradle

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// The cradle: steel balls side by side. The X of a ball is its position along its arc. So the world
// has one dimension, and two balls with the same displacement touch if they touch at rest.
const (
	ballCount    = 5
	ballRadius   = 1.0 / 32 // metres; a power of two, so that the positions of touching balls are exact
	ballMass     = 1.0      // kilograms, of steel
	stringLength = 0.30     // metres
	gravity      = 9.81     // m/s²
	wideGap      = 0.004    // metres between the balls, if gaps are on
	farthest     = 0.18     // metres along the arc; largest displacement by hand

	// The game computes the forces of the strings, and applies them at the ends of a step. They
	// need short steps; impacts don't.
	stepsPerTick = 64
	rowSeconds   = 1.0 / 60 / stepsPerTick

	// A string pulls a ball back with ballMass·rate times its displacement. That is exact for
	// Huygens' pendulum, whose period doesn't depend on the amplitude, and nearly so for a plain
	// string.
	rate = gravity / stringLength // 1/s²
)

// kickRate is the rate k with which impulses at the ends of steps conserve the energy of a swing,
// ballMass/2·(v² + rate·x²), to the last digits. Half an impulse, a flight and half an impulse
// conserve v² + k·(1 - k·dt²/4)·x², so k·(1 - k·dt²/4) must equal rate.
var kickRate = 2 * rate / (1 + math.Sqrt(1-rate*rowSeconds*rowSeconds))

// blow is a hard impact, for drawing.
type blow struct {
	Left  int // index of the left ball
	Speed float64
	Age   int // ticks
}

// blowTicks is the duration of the drawing of a blow.
const blowTicks = 14

// row is the cradle.
type row struct {
	game    *ecs.ECS
	world   donburi.World
	physics *systems.Physics
	balls   [ballCount]*donburi.Entry
	gap     float64 // metres

	holds [ballCount]hold
	blows []blow
	heard []systems.Impact // of the last tick, with their times in it

	impacts      int
	start        float64 // joules, when the balls were released
	drift        float64 // the largest change of energy since then, relative to start
	worstOverlap float64 // metres, over all steps
}

// hold is a ball held by the hand.
type hold struct {
	Held bool
	At   float64 // metres along its arc
}

// newRow creates the balls, at rest.
func newRow(gap float64) *row {
	r := &row{world: donburi.NewWorld(), gap: gap}
	r.game = ecs.NewECS(r.world)
	r.physics = systems.NewPhysics(systems.Config{StepSeconds: rowSeconds})
	r.game.AddSystem(r.pull) // half of the strings' impulse before physics, half after it
	r.physics.AddTo(r.game)
	r.game.AddSystem(r.pull)
	r.game.AddSystem(r.note)
	for i := range r.balls {
		e := components.CreateBall(r.world, collide.Vec3{X: r.place(i)}, ballRadius)
		components.Body.SetValue(e, components.BodyData{Mass: ballMass, Locked: components.AxisY | components.AxisZ})
		components.Material.SetValue(e, components.MaterialData{Restitution: 1})
		r.balls[i] = e
	}
	return r
}

// place returns the rest position of a ball.
func (r *row) place(i int) float64 {
	return float64(i-ballCount/2) * (2*ballRadius + r.gap)
}

// out returns the displacement of a ball along its arc, in metres.
func (r *row) out(i int) float64 {
	return components.Transform.Get(r.balls[i]).Position.X - r.place(i)
}

// speed returns the velocity of a ball to the right, in m/s.
func (r *row) speed(i int) float64 { return components.Velocity.Get(r.balls[i]).Linear.X }

// pull is the system that applies half of the impulse of the strings in a step.
func (r *row) pull(*ecs.ECS) {
	for i, e := range r.balls {
		if !r.holds[i].Held {
			components.Velocity.Get(e).Linear.X -= kickRate * rowSeconds / 2 * r.out(i)
		}
	}
}

// hold holds the given balls and releases all others. A held ball is kinematic: it follows the
// hand, pushes others and isn't pushed.
func (r *row) hold(holds [ballCount]hold) {
	for i, e := range r.balls {
		body, v := components.Body.Get(e), components.Velocity.Get(e)
		switch {
		case holds[i].Held:
			body.Kind = components.Kinematic
			way := holds[i].At - r.out(i)
			v.Linear.X = min(max(way*15, -fastestHand), fastestHand)
		case r.holds[i].Held:
			body.Kind = components.Dynamic
			v.Linear.X = 0
		}
	}
	if r.holds != holds && !held(holds) {
		r.start, r.drift = 0, 0 // balls were released: measure from here
	}
	r.holds = holds
}

// fastestHand is the largest speed of a held ball, m/s.
const fastestHand = 1.5

// held reports whether any ball is held.
func held(holds [ballCount]hold) bool {
	return slices.ContainsFunc(holds[:], func(h hold) bool { return h.Held })
}

// grasp returns the holds if a ball is pulled to a position along its arc. The balls on its outer
// side move with it.
func grasp(ball int, at float64) (holds [ballCount]hold) {
	at = min(max(at, -farthest), farthest)
	for i := range holds {
		if at < 0 && i <= ball || at >= 0 && i >= ball {
			holds[i] = hold{true, at}
		}
	}
	return holds
}

// age lets the blows fade by a tick.
func (r *row) age() {
	for i := range r.blows {
		r.blows[i].Age++
	}
	r.blows = slices.DeleteFunc(r.blows, func(b blow) bool { return b.Age > blowTicks })
}

// step runs n steps.
func (r *row) step(n int) {
	r.heard = r.heard[:0]
	for i := range n {
		r.game.Update()
		for hit := range r.physics.Impacts() {
			hit.Time += float64(i) * rowSeconds
			r.heard = append(r.heard, hit)
		}
	}
	if held(r.holds) {
		return
	}
	if e := r.energy(); r.start == 0 {
		r.start = e
	} else {
		r.drift = max(r.drift, math.Abs(e-r.start)/r.start)
	}
}

// note is the system that records the results of a step, for the drawing and the text.
func (r *row) note(*ecs.ECS) {
	for hit := range r.physics.Impacts() {
		r.impacts++
		left := slices.IndexFunc(
			r.balls[:], func(e *donburi.Entry) bool { return e.Entity() == hit.A || e.Entity() == hit.B },
		)
		r.even(left, hit.Time)
		if hit.Approach > 0.05 {
			r.blows = append(r.blows, blow{Left: left, Speed: hit.Approach})
		}
	}
	for i := 1; i < ballCount; i++ {
		d := components.Transform.Get(r.balls[i]).Position.X - components.Transform.Get(r.balls[i-1]).Position.X
		r.worstOverlap = max(r.worstOverlap, 2*ballRadius-d)
	}
}

// even corrects the impulses of strings after an impact. In an impact two balls exchange their
// velocities, including the change of velocity that their strings have caused in this step: half of
// the whole, whenever the impact happens. If both have the same displacement, that change is the
// same for both. With gaps, the left ball is displaced farther to the right by one gap.
func (r *row) even(left int, time float64) {
	if r.holds[left].Held || r.holds[left+1].Held {
		return
	}
	part := kickRate * (time - rowSeconds/2) * r.gap
	components.Velocity.Get(r.balls[left]).Linear.X += part
	components.Velocity.Get(r.balls[left+1]).Linear.X -= part
}

// energy returns the kinetic and potential energy of the balls, in joules.
func (r *row) energy() float64 {
	sum := 0.0
	for i := range r.balls {
		v, x := r.speed(i), r.out(i)
		sum += ballMass / 2 * (v*v + rate*x*x)
	}
	return sum
}
