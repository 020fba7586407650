package systems_test

import (
	"fmt"
	"math"
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
						balls = append(balls, ball(w, vec(x, radius, 0), vec(v, 0, 0), radius, components.Bounce(1)))
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
				b := ball(w, q.Rotate(from), q.Rotate(c.v), 1, components.Bounce(1))
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
	b := ball(w, vec(20*math.Sqrt(3)/2, 20*0.5, 0), vec(-3*math.Sqrt(3)/2, -3*0.5, 0), 1, components.Bounce(1))
	steps(t, w, systems.NewPhysics(systems.Config{}), 1200)
	// Along the middle of the wedge it is reflected straight: that is the only symmetric answer that keeps energy.
	expectVelocity(t, "the middle of a wedge of 60 degrees", b, vec(3*math.Sqrt(3)/2, 3*0.5, 0), 1e-12)
}

// A ball that hits two touching ones in their middle: impulses along the two normals, equal by symmetry, that keep the energy. That gives 2√3/5 of the speed to each
// of the two, 30° to either side, and -1/5 of it to the first.
func TestABallThatHitsTwoAtOnceTreatsThemAlike(t *testing.T) {
	w := donburi.NewWorld()
	const speed = 5.0
	cue := ball(w, vec(-3, 0, 0), vec(speed, 0, 0), 0.5, components.Bounce(1))
	left := ball(w, vec(0, 0, 0.5), vec(0, 0, 0), 0.5, components.Bounce(1))
	right := ball(w, vec(0, 0, -0.5), vec(0, 0, 0), 0.5, components.Bounce(1))
	steps(t, w, systems.NewPhysics(systems.Config{}), 60)
	u := 2 * math.Sqrt(3) / 5 * speed
	const tolerance = 1e-12 * speed // the place of the impact is known to rounding, and velocities to a few more
	expectVelocity(t, "the one that hits", cue, vec(-speed/5, 0, 0), tolerance)
	expectVelocity(t, "left", left, vec(u*math.Sqrt(3)/2, 0, u/2), tolerance)
	expectVelocity(t, "right", right, vec(u*math.Sqrt(3)/2, 0, -u/2), tolerance)
}

// The break of a touching rack of 15 keeps momentum and energy, and what begins symmetric stays symmetric.
func TestTheBreakOfARackIsSymmetricAndKeepsWhatItMust(t *testing.T) {
	const radius, speed = 0.0286, 8.0
	for _, restitution := range []float64{1, 0.95} {
		w := donburi.NewWorld()
		balls := []*donburi.Entry{ball(w, vec(-0.5, 0, 0), vec(speed, 0, 0), radius, components.Bounce(restitution), components.BodyData{Mass: 0.17})}
		mirror := []int{0}
		row := radius * math.Sqrt(3)
		for k := range 5 {
			for i := range k + 1 {
				mirror = append(mirror, len(balls)-i+k-i)
				z := float64(2*i-k) * radius
				balls = append(balls, ball(w, vec(float64(k)*row, 0, z), vec(0, 0, 0), radius, components.Bounce(restitution), components.BodyData{Mass: 0.17}))
			}
		}
		before, size := momentum(balls)
		start := energy(balls)
		p := systems.NewPhysics(systems.Config{})
		steps(t, w, p, 12) // 0.2 s: the break is over, and they fly apart
		after, _ := momentum(balls)
		// A few hundred impacts, each with a rounding or two of the whole.
		if d := after.Distance(before) / size; d > 1e-13 {
			t.Errorf("restitution %v: momentum changed by %.3g of itself", restitution, d)
		}
		switch ratio := energy(balls) / start; {
		case restitution == 1 && math.Abs(ratio-1) > 1e-12:
			t.Errorf("energy ratio: got %.15f, want 1", ratio)
		case restitution < 1 && (ratio >= 1 || ratio < 0.3):
			t.Errorf("restitution %v: energy ratio: got %.15f, want less than 1, but not much less", restitution, ratio)
		}
		place, pace := 0.0, 0.0
		for k, b := range balls {
			q, u := position(balls[mirror[k]]), velocity(balls[mirror[k]])
			place = max(place, position(b).Distance(vec(q.X, q.Y, -q.Z))/radius)
			pace = max(pace, velocity(b).Distance(vec(u.X, u.Y, -u.Z))/speed)
		}
		if place > 1e-9 || pace > 1e-9 {
			t.Errorf("restitution %v: a ball is %.3g radii from the mirror image of the one across, and its velocity %.3g of the first one's", restitution, place, pace)
		}
		if moved := fastest(balls[1:]); moved < speed/10 {
			t.Errorf("restitution %v: the fastest of the rack has %v m/s: no break", restitution, moved)
		}
	}
}

// Two balls dropped on top of each other, of masses 3:1: the upper one goes up at twice the speed, and so four times as high, and the lower one stops.
func TestOfTwoStackedBallsDroppedTheUpperGoesUpAtTwiceTheSpeed(t *testing.T) {
	t.Run("weightless", func(t *testing.T) { // exact but for rounding
		for _, gap := range []float64{0, 0.01} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			lower := ball(w, vec(0, 3, 0), vec(0, -4, 0), 0.5, components.Bounce(1), components.BodyData{Mass: 3})
			upper := ball(w, vec(0, 4+gap, 0), vec(0, -4, 0), 0.5, components.Bounce(1))
			steps(t, w, systems.NewPhysics(systems.Config{}), 60)
			expectVelocity(t, fmt.Sprint("lower, gap ", gap), lower, vec(0, 0, 0), 4e-14)
			expectVelocity(t, fmt.Sprint("upper, gap ", gap), upper, vec(0, 8, 0), 4e-14)
		}
	})
	t.Run("on Earth", func(t *testing.T) {
		const h = 5.0
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		lower := ball(w, vec(0, 0.5+h, 0), vec(0, 0, 0), 0.5, components.Bounce(1), components.BodyData{Mass: 3})
		upper := ball(w, vec(0, 1.5+h, 0), vec(0, 0, 0), 0.5, components.Bounce(1))
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
