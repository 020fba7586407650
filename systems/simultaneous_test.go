package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Newton's cradle, without the strings: as many leave as came, at the speed at which they came, and the others stay.
func TestACradleSendsOnAsManyAsCame(t *testing.T) {
	for _, gap := range []float64{0, 0.01, 0.37} {
		for _, radius := range []float64{0.5, 0.1} { // of 0.1 the sums are rounded, and what touches overlaps by a rounding or lacks it
			for came := 1; came <= 4; came++ {
				for _, floor := range []bool{false, true} {
					name := fmt.Sprintf("%d come, gaps of %v, radius %v, floor %v", came, gap, radius, floor)
					w := donburi.NewWorld()
					p := systems.NewPhysics(systems.Config{})
					if floor {
						wall(w, vec(0, 0, 0), vec(0, 1, 0))
						p = onEarth()
					}
					const speed = 3
					var balls []*donburi.Entry
					pitch := 2*radius + gap
					for k := range 5 {
						x, v := float64(k)*pitch, 0.0
						if k < came {
							x, v = x-1, speed
						}
						balls = append(balls, ball(w, vec(x, radius, 0), vec(v, 0, 0), radius, bouncy(1)))
					}
					steps(t, w, p, 120)
					for k, b := range balls {
						want := 0.0
						if k >= 5-came {
							want = speed
						}
						// Equal masses exchange their speeds, to a few roundings.
						expectVelocity(t, fmt.Sprintf("%s: ball %d", name, k), b, vec(want, 0, 0), 1e-13*speed)
					}
					if t.Failed() {
						return
					}
				}
			}
		}
	}
}

// A ball that hits several walls at once, or nearly, leaves a corner of right angles the way it came.
func TestACornerSendsBackWhatComes(t *testing.T) {
	for _, c := range []struct {
		name  string
		walls []collide.Vec3
		v     collide.Vec3
	}{
		{"two at once", []collide.Vec3{{X: 1}, {Y: 1}}, vec(-2, -2, 0)},
		{"three at once", []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}, vec(-2, -2, -2)},
		{"three at different speeds", []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}, vec(-1, -2, -4)},
	} {
		for _, q := range []collide.Quat{{W: 1}, aside()} {
			for _, touching := range []bool{false, true} {
				w := donburi.NewWorld()
				for _, n := range c.walls {
					wall(w, vec(0, 0, 0), q.Rotate(n))
				}
				// It comes to the walls all at once: as far from each as it takes at the speed towards it.
				from := vec(1, 1, 1)
				if !touching {
					from = from.Sub(c.v)
				}
				b := ball(w, q.Rotate(from), q.Rotate(c.v), 1, bouncy(1))
				p := systems.NewPhysics(systems.Config{})
				steps(t, w, p, 120)
				// Right angles are right to rounding.
				expectVelocity(t, fmt.Sprintf("%s, touching %v, turned %v", c.name, touching, q.W != 1), b, q.Rotate(c.v.Neg()), 1e-13)
			}
		}
	}
	// In a corner of 60 degrees two bounces turn it by 120: the second wall isn't there at once with the first, whichever that is.
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	wall(w, vec(0, 0, 0), vec(math.Sqrt(3)/2, -0.5, 0))
	b := ball(w, vec(20*math.Sqrt(3)/2, 20*0.5, 0), vec(-3*math.Sqrt(3)/2, -3*0.5, 0), 1, bouncy(1))
	steps(t, w, systems.NewPhysics(systems.Config{}), 1200)
	// Along the middle of the wedge it is reflected straight: that is the only symmetric answer that keeps energy.
	expectVelocity(t, "the middle of a wedge of 60 degrees", b, vec(3*math.Sqrt(3)/2, 3*0.5, 0), 1e-12)
}

// Impacts at the same time are taken one after another, each as if it were alone. So a ball that hits two touching ones in their middle hits the one first and then
// the other, with what the first has left of it: which of them is first is decided by their paths, and not by who was created first.
func TestABallThatHitsTwoAtOnceHitsOneAfterTheOther(t *testing.T) {
	const speed = 5.0
	cos, sin := math.Sqrt(3)/2, 0.5 // of the angle between its way and the line of centres
	starts := []collide.Vec3{vec(-3, 0, 0), vec(0, 0, 0.5), vec(0, 0, -0.5)}
	var want []collide.Vec3
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}} {
		w := donburi.NewWorld()
		balls := make([]*donburi.Entry, 3)
		for _, k := range order {
			balls[k] = ball(w, starts[k], vec(0, 0, 0), 0.5, bouncy(1))
		}
		components.Velocity.SetValue(balls[0], moving(speed, 0, 0))
		before, size := momentum(balls)
		start := energy(balls)
		steps(t, w, systems.NewPhysics(systems.Config{}), 60)
		keepsMomentum(t, "three balls", balls, before, size)
		if ratio := energy(balls) / start; math.Abs(ratio-1) > 1e-12 {
			t.Errorf("energy ratio: got %.15f, want 1", ratio)
		}
		if got := states(balls); want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("created in the order %v: got %v, want %v", order, got, want)
		}
		side := 1.0 // of the one that is hit first, the faster one
		first, second := balls[1], balls[2]
		if velocity(second).Length() > velocity(first).Length() {
			side, first, second = -1, second, first
		}
		const tolerance = 1e-12 * speed // the place of the impact is known to rounding, and velocities to a few more
		hit := vec(cos, 0, side*sin).Scale(cos * speed)
		left := vec(speed, 0, 0).Sub(hit)
		then := vec(cos, 0, -side*sin).Scale(left.Dot(vec(cos, 0, -side*sin)))
		expectVelocity(t, "hit first", first, hit, tolerance)
		expectVelocity(t, "hit second", second, then, tolerance)
		expectVelocity(t, "the one that hits", balls[0], left.Sub(then), tolerance)
	}
}

// keepsMomentum fails where balls haven't the momentum that they had, to a rounding or two of the whole for each of a few hundred impacts.
func keepsMomentum(t *testing.T, what string, balls []*donburi.Entry, before collide.Vec3, size float64) {
	t.Helper()
	after, _ := momentum(balls)
	if d := after.Distance(before) / size; d > 1e-13 {
		t.Errorf("%s: momentum changed by %.3g of itself", what, d)
	}
}

// rack is a triangle of 15 touching balls, and one that comes to break it. They are created in an order of their own, and given back in that of their places.
func rack(w donburi.World, radius, speed, restitution float64, order *rand.Rand) []*donburi.Entry {
	places := []collide.Vec3{vec(-0.5, 0, 0)}
	row := radius * math.Sqrt(3)
	for k := range 5 {
		for i := range k + 1 {
			places = append(places, vec(float64(k)*row, 0, float64(2*i-k)*radius))
		}
	}
	balls := make([]*donburi.Entry, len(places))
	for _, k := range order.Perm(len(places)) {
		balls[k] = ball(w, places[k], vec(0, 0, 0), radius, bouncy(restitution), components.BodyData{Mass: 0.17})
	}
	components.Velocity.SetValue(balls[0], moving(speed, 0, 0))
	return balls
}

// The break of a touching rack keeps momentum, and energy where nothing takes any; nothing overlaps; and it doesn't matter in which order the balls were created. What it doesn't keep is
// the symmetry of the rack: see docs/decisions/event-order.md.
func TestTheBreakOfARackKeepsWhatItMust(t *testing.T) {
	const radius, speed = 0.0286, 8.0
	for _, restitution := range []float64{1, 0.95} {
		var want []collide.Vec3
		for seed := range uint64(5) {
			name := fmt.Sprintf("restitution %v, order %d", restitution, seed)
			w := donburi.NewWorld()
			balls := rack(w, radius, speed, restitution, rand.New(rand.NewPCG(seed, 50)))
			before, size := momentum(balls)
			start := energy(balls)
			p := systems.NewPhysics(systems.Config{})
			for range 12 { // 0.2 s: the break is over, and they fly apart
				steps(t, w, p, 1)
				if n := p.Stats().SpentBudgets; n > 0 {
					t.Errorf("%s: %d budgets were spent, which costs momentum", name, n)
				}
			}
			keepsMomentum(t, name, balls, before, size)
			switch ratio := energy(balls) / start; {
			case restitution == 1 && math.Abs(ratio-1) > 1e-12:
				t.Errorf("%s: energy ratio: got %.15f, want 1", name, ratio)
			case restitution < 1 && (ratio >= 1 || ratio < 0.3):
				t.Errorf("%s: energy ratio: got %.15f, want less than 1, but not much less", name, ratio)
			}
			if got := states(balls); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: not the bits of order 0", name)
			}
			if moved := fastest(balls[1:]); moved < speed/10 {
				t.Errorf("%s: the fastest of the rack has %v m/s: no break", name, moved)
			}
		}
	}
}

// Two balls dropped on top of each other, of masses 3:1: the upper one goes up at twice the speed, and so four times as high, and the lower one stops.
func TestOfTwoStackedBallsDroppedTheUpperGoesUpAtTwiceTheSpeed(t *testing.T) {
	t.Run("weightless", func(t *testing.T) { // exact but for rounding
		for _, gap := range []float64{0, 0.01} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			lower := ball(w, vec(0, 3, 0), vec(0, -4, 0), 0.5, bouncy(1), components.BodyData{Mass: 3})
			upper := ball(w, vec(0, 4+gap, 0), vec(0, -4, 0), 0.5, bouncy(1))
			steps(t, w, systems.NewPhysics(systems.Config{}), 60)
			expectVelocity(t, fmt.Sprint("lower, gap ", gap), lower, vec(0, 0, 0), 4e-14)
			expectVelocity(t, fmt.Sprint("upper, gap ", gap), upper, vec(0, 8, 0), 4e-14)
		}
	})
	t.Run("on Earth", func(t *testing.T) {
		const h = 5.0
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		lower := ball(w, vec(0, 0.5+h, 0), vec(0, 0, 0), 0.5, bouncy(1), components.BodyData{Mass: 3})
		upper := ball(w, vec(0, 1.5+h, 0), vec(0, 0, 0), 0.5, bouncy(1))
		p := onEarth()
		top, stopped := 0.0, math.Inf(1)
		for step := range 300 {
			steps(t, w, p, 1)
			top = max(top, position(upper).Y-1.5)
			if float64(step)*tick > math.Sqrt(2*h/earth) {
				stopped = min(stopped, math.Abs(velocity(lower).Y))
			}
		}
		// The speed v of the impact belongs to a height that is wrong by up to offChord, v²/2g; what goes up at 2v errs four times as much. The top itself lies
		// between two steps, up to offChord above both.
		if math.Abs(top-4*h) > 5*offChord {
			t.Errorf("the upper one goes up to %v m, want %v within %.2g", top, 4*h, 5*offChord)
		}
		// What the lower one keeps is what gravity gives it in what is left of a step.
		if stopped > earth*tick {
			t.Errorf("the lower one never has less than %v m/s", stopped)
		}
	})
}
