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

// Newton's cradle without strings: as many balls leave as arrived, at the same speed, and the
// others don't move.
func TestNewtonsCradle(t *testing.T) {
	for _, gap := range []float64{0, 0.01, 0.37} {
		// Sums of 0.1 are rounded, so touching balls have a tiny gap or overlap.
		for _, radius := range []float64{0.5, 0.1} {
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
						// Equal masses exchange their speeds, up to a few rounding errors.
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

// A ball that hits the walls of a right-angled corner at the same time, or nearly so, reverses its
// velocity.
func TestRightAngledCornerReversesTheVelocity(t *testing.T) {
	for _, c := range []struct {
		name  string
		walls []collide.Vec3
		v     collide.Vec3
	}{
		{"two at once", []collide.Vec3{{X: 1}, {Y: 1}}, vec(-2, -2, 0)},
		{"three at once", []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}, vec(-2, -2, -2)},
		{"three at different speeds", []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}, vec(-1, -2, -4)},
	} {
		for _, q := range []collide.Quat{{W: 1}, generalRotation()} {
			for _, touching := range []bool{false, true} {
				w := donburi.NewWorld()
				for _, n := range c.walls {
					wall(w, vec(0, 0, 0), q.Rotate(n))
				}
				// It reaches all walls at the same time: its distance from each is proportional to
				// its speed towards it.
				from := vec(1, 1, 1)
				if !touching {
					from = from.Sub(c.v)
				}
				b := ball(w, q.Rotate(from), q.Rotate(c.v), 1, bouncy(1))
				p := systems.NewPhysics(systems.Config{})
				steps(t, w, p, 120)
				// The angles are right up to rounding.
				expectVelocity(t, fmt.Sprintf("%s, touching %v, turned %v", c.name, touching, q.W != 1), b,
					q.Rotate(c.v.Neg()), 1e-13)
			}
		}
	}
	// In a corner of 60 degrees, two bounces rotate the velocity by 120 degrees. The walls aren't
	// hit at the same time, in either order.
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	wall(w, vec(0, 0, 0), vec(math.Sqrt(3)/2, -0.5, 0))
	b := ball(w, vec(20*math.Sqrt(3)/2, 20*0.5, 0), vec(-3*math.Sqrt(3)/2, -3*0.5, 0), 1, bouncy(1))
	steps(t, w, systems.NewPhysics(systems.Config{}), 1200)
	// Along the bisector it is reflected, the only symmetric result that conserves energy.
	expectVelocity(t, "the middle of a wedge of 60 degrees", b, vec(3*math.Sqrt(3)/2, 3*0.5, 0), 1e-12)
}

// Simultaneous impacts are processed one after the other, each as if it were alone. A ball that
// hits two touching balls between them hits one first, and the other with the remaining velocity.
// Their paths decide about the order, not the order of creation.
func TestSimultaneousImpactsAreProcessedInSequence(t *testing.T) {
	const speed = 5.0
	cos, sin := math.Sqrt(3)/2, 0.5 // of the angle between the velocity and the line of centres
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
		expectMomentum(t, "three balls", balls, before, size)
		if ratio := energy(balls) / start; math.Abs(ratio-1) > 1e-12 {
			t.Errorf("energy ratio: got %.15f, want 1", ratio)
		}
		if got := states(balls); want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("created in the order %v: got %v, want %v", order, got, want)
		}
		side := 1.0 // of the ball that is hit first, which is faster
		first, second := balls[1], balls[2]
		if velocity(second).Length() > velocity(first).Length() {
			side, first, second = -1, second, first
		}
		const tolerance = 1e-12 * speed // a few rounding errors
		hit := vec(cos, 0, side*sin).Scale(cos * speed)
		left := vec(speed, 0, 0).Sub(hit)
		then := vec(cos, 0, -side*sin).Scale(left.Dot(vec(cos, 0, -side*sin)))
		expectVelocity(t, "hit first", first, hit, tolerance)
		expectVelocity(t, "hit second", second, then, tolerance)
		expectVelocity(t, "the one that hits", balls[0], left.Sub(then), tolerance)
	}
}

// Two tiles of one plane are at the same height for the contact solver. A ball that drops into the
// gap between them touches both at once. Two triangles of a square even have the same bounds.
func TestTouchingCoplanarTilesDoesNotDependOnTheirOrder(t *testing.T) {
	drop := func(places []collide.Vec3, tiles ...components.PolygonColliderData) (all []collide.Vec3) {
		w := donburi.NewWorld()
		for k, tile := range tiles {
			spawn(w, at(places[k].X, places[k].Y, places[k].Z), tile, rough(0.3))
		}
		b := ball(w, vec(0.01, 0.6, 0.02), vec(0.1, 0, 0.05), 0.5, turning(0, 0, 0))
		p := onEarth()
		for range 100 {
			p.Step(w)
			all = append(all, position(b), velocity(b), spinOf(b))
		}
		expectNoErrors(t, p)
		return all
	}
	corners := square(2).Points
	for _, c := range []struct {
		name   string
		places []collide.Vec3
		tiles  [2]components.PolygonColliderData
	}{
		{"a gap", []collide.Vec3{{X: -2.3}, {X: 2.3}}, [2]components.PolygonColliderData{square(2), square(2)}},
		{"triangles of a square", make([]collide.Vec3, 2), [2]components.PolygonColliderData{
			{Points: []collide.Vec3{corners[0], corners[1], corners[2]}},
			{Points: []collide.Vec3{corners[2], corners[3], corners[0]}},
		}},
	} {
		want := drop(c.places, c.tiles[0], c.tiles[1])
		slices.Reverse(c.places)
		got := drop(c.places, c.tiles[1], c.tiles[0])
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("%s: after step %d, the ball differs: %v, want %v", c.name, k/3+1, got[k], want[k])
				break
			}
		}
	}
}

// A ball that falls on the common edge of two triangles meets both at once. One bounces it.
func TestWhichTriangleBouncesDoesNotDependOnTheirOrder(t *testing.T) {
	corners := square(2).Points
	one := components.PolygonColliderData{Points: []collide.Vec3{corners[0], corners[1], corners[2]}}
	two := components.PolygonColliderData{Points: []collide.Vec3{corners[2], corners[3], corners[0]}}
	drop := func(reversed bool) (all []collide.Vec3) {
		w := donburi.NewWorld()
		makers := []func(){
			func() { spawn(w, at(0, 0, 0), one, bouncy(1)) },
			func() { spawn(w, at(0, 0, 0), two, bouncy(0.2), rough(0.5)) },
		}
		if reversed {
			slices.Reverse(makers)
		}
		for _, spawnTile := range makers {
			spawnTile()
		}
		b := ball(w, vec(0, 2, 0), vec(0, 0, 0), 0.5)
		p := onEarth()
		for range 120 {
			p.Step(w)
			all = append(all, position(b), velocity(b))
		}
		expectNoErrors(t, p)
		return all
	}
	want, got := drop(false), drop(true)
	for k := range want {
		if got[k] != want[k] {
			t.Fatalf("in the opposite order, the ball differs after step %d: %v, want %v", k/2+1, got[k], want[k])
		}
	}
}

// The break of a touching rack conserves momentum, and energy if nothing absorbs any. Nothing
// overlaps, and the order of creation has no effect. The symmetry of the rack isn't conserved: see
// docs/decisions/event-order.md.
func TestBreakOfARackConservesMomentumAndEnergy(t *testing.T) {
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
			for range 12 { // 0.2 s: the break is over
				steps(t, w, p, 1)
				if n := p.Stats().Jammed; n > 0 {
					t.Errorf("%s: %d bodies were jammed, so that they did not bounce", name, n)
				}
			}
			expectMomentum(t, name, balls, before, size)
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

// Two balls with masses 3:1 are dropped on top of each other. The upper one leaves at twice the
// speed, so it rises four times as high, and the lower one stops.
func TestUpperOfTwoDroppedBallsLeavesAtTwiceTheSpeed(t *testing.T) {
	t.Run("weightless", func(t *testing.T) { // exact up to rounding
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
		// The speed v of the impact corresponds to a height v²/2g with an error of up to offChord,
		// which 2v multiplies by four. The highest point is between two steps, up to offChord above
		// both.
		if math.Abs(top-4*h) > 5*offChord {
			t.Errorf("the upper one goes up to %v m, want %v within %.2g", top, 4*h, 5*offChord)
		}
		// The lower ball only has the velocity that gravity adds in the rest of the step.
		if stopped > earth*tick {
			t.Errorf("the lower one never has less than %v m/s", stopped)
		}
	})
}
