package main

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// The cradle: steel balls side by side. A ball's X is how far along its arc it is, so they need one
// dimension, and two balls that hang equally far out touch if they touch at rest.
const (
	ballCount    = 5
	ballRadius   = 1.0 / 32 // metres; a power of two, so that the places of balls that touch are exact
	ballMass     = 1.0      // kilograms, of steel
	stringLength = 0.30     // metres
	gravity      = 9.81     // m/s²
	wideGap      = 0.004    // metres between the balls, where gaps are asked for
	farthest     = 0.18     // metres along the arc: as far as a hand pulls

	// The strings are the game's, and act at the ends of a step: short steps are for them. The
	// impacts need none.
	stepsPerTick = 64
	rowSeconds   = 1.0 / 60 / stepsPerTick

	// A string pulls a ball back with ballMass·rate times its way out. Huygens' pendulum does so
	// exactly, and a swing then takes the same time however wide it is; one on a plain string
	// nearly does.
	rate = gravity / stringLength // 1/s²
)

// kickRate is the rate that makes kicks at the ends of the steps keep the energy of a swing,
// ballMass/2·(v² + rate·x²), to the last digits: half a kick, a flight and half a kick keep v² +
// k·(1 - k·dt²/4)·x², so k·(1 - k·dt²/4) has to be rate.
var kickRate = 2 * rate / (1 + math.Sqrt(1-rate*rowSeconds*rowSeconds))

// blow is an impact that was hard enough to see and hear.
type blow struct {
	Left  int // the ball on its left
	Speed float64
	Age   int // ticks
}

// blowTicks is how long a blow is seen.
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

	impacts      int
	start        float64 // joules, when the balls were let go
	drift        float64 // the largest change of energy since then, as a part of start
	worstOverlap float64 // metres, over all steps
}

// hold says where a hand holds a ball.
type hold struct {
	Held bool
	At   float64 // metres along its arc
}

// newRow hangs up the balls, at rest.
func newRow(gap float64) *row {
	r := &row{world: donburi.NewWorld(), gap: gap}
	r.game = ecs.NewECS(r.world)
	r.physics = systems.NewPhysics(systems.Config{StepSeconds: rowSeconds})
	r.game.AddSystem(r.pull) // half of the strings' work before the flight, half after it
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

// place returns where a ball hangs at rest.
func (r *row) place(i int) float64 {
	return float64(i-ballCount/2) * (2*ballRadius + r.gap)
}

// out returns how far along its arc a ball is.
func (r *row) out(i int) float64 {
	return components.Transform.Get(r.balls[i]).Position.X - r.place(i)
}

// speed returns how fast a ball swings to the right.
func (r *row) speed(i int) float64 { return components.Velocity.Get(r.balls[i]).Linear.X }

// pull is the system of the strings: half of what they do in a step.
func (r *row) pull(*ecs.ECS) {
	for i, e := range r.balls {
		if !r.holds[i].Held {
			components.Velocity.Get(e).Linear.X -= kickRate * rowSeconds / 2 * r.out(i)
		}
	}
}

// hold takes balls into the hand or lets them go. A ball that is held is kinematic: it goes where
// the hand goes, pushes others and isn't pushed.
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
		r.start, r.drift = 0, 0 // let go: measured anew from here
	}
	r.holds = holds
}

// fastestHand bounds how fast a hand moves a ball, m/s.
const fastestHand = 1.5

// held reports whether any ball is held.
func held(holds [ballCount]hold) bool {
	return slices.ContainsFunc(holds[:], func(h hold) bool { return h.Held })
}

// grasp returns the holds of a hand that has taken a ball and pulls it somewhere along its arc:
// those beyond it come along.
func grasp(ball int, at float64) (holds [ballCount]hold) {
	at = min(max(at, -farthest), farthest)
	for i := range holds {
		if at < 0 && i <= ball || at >= 0 && i >= ball {
			holds[i] = hold{true, at}
		}
	}
	return holds
}

// step plays one tick.
func (r *row) step() {
	for i := range r.blows {
		r.blows[i].Age++
	}
	r.blows = slices.DeleteFunc(r.blows, func(b blow) bool { return b.Age > blowTicks })
	for range stepsPerTick {
		r.game.Update()
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

// note is the system that keeps what a step did, for the drawing and the readouts.
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

// even gives back to two balls what the strings did to the wrong one. At a blow they exchange their
// speeds, and with them what the strings have given them in this step so far: half of a whole
// step's worth, whenever the blow comes. Where the two hang alike that is the same for both. Where
// there are gaps the left one is further out, to the right, by a gap.
func (r *row) even(left int, time float64) {
	if r.holds[left].Held || r.holds[left+1].Held {
		return
	}
	part := kickRate * (time - rowSeconds/2) * r.gap
	components.Velocity.Get(r.balls[left]).Linear.X += part
	components.Velocity.Get(r.balls[left+1]).Linear.X -= part
}

// energy returns the kinetic energy of the balls and what they can win by swinging back, joules.
func (r *row) energy() float64 {
	sum := 0.0
	for i := range r.balls {
		v, x := r.speed(i), r.out(i)
		sum += ballMass / 2 * (v*v + rate*x*x)
	}
	return sum
}
