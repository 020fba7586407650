package cradle

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// slack is how deep things may be in each other, as a part of a radius: the engine's promise.
const slack = 1e-9

// play runs ticks and hands each of them to look.
func play(s *scene, ticks int, in input, look func()) {
	for range ticks {
		s.step(in)
		in.Keys, in.Drop, in.Shot = "", 0, nil
		if look != nil {
			look()
		}
	}
}

// outermost returns the ball that is furthest out on each side in these ticks, for every ball.
func outermost(s *scene, ticks int) (left, right [ballCount]float64) {
	play(s, ticks, input{}, func() {
		for i := range ballCount {
			left[i], right[i] = min(left[i], s.row.out(i)), max(right[i], s.row.out(i))
		}
	})
	return left, right
}

// As many balls leave as come, as far out as those were, and the others stay where they hang.
func TestAsManyLeaveAsCome(t *testing.T) {
	for n := 1; n < ballCount; n++ {
		s := newScene()
		play(s, calmTicks+pullTicks+stayTicks+1, input{Keys: string(rune('0' + n))}, nil)
		left, right := outermost(s, 600)
		for i := range ballCount {
			wantLeft, wantRight := 0.0, 0.0
			if i < n {
				wantLeft = -0.8 * farthest
			}
			if i >= ballCount-n {
				wantRight = 0.8 * farthest
			}
			if math.Abs(left[i]-wantLeft) > 1e-3 || math.Abs(right[i]-wantRight) > 1e-3 {
				t.Errorf(
					"%d pulled: ball %d swings from %g to %g, want %g to %g", n, i, left[i], right[i], wantLeft,
					wantRight,
				)
			}
		}
	}
}

func TestOneFromEachSide(t *testing.T) {
	s := newScene()
	play(s, calmTicks+pullTicks+stayTicks+1, input{Keys: "5"}, nil)
	play(s, 900, input{}, func() {
		for i := range ballCount {
			if far := s.row.out(i) + s.row.out(ballCount-1-i); math.Abs(far) > 1e-12 {
				t.Fatalf(
					"tick %d: balls %d and %d are not each other's mirror image: %g", s.ticks, i, ballCount-1-i,
					far,
				)
			}
		}
	})
}

// A minute of swinging keeps the energy: to rounding where the balls touch, and to what the
// strings' steps allow where they don't.
func TestEnergyIsKept(t *testing.T) {
	for _, c := range []struct {
		name string
		keys string
		want float64
	}{{"touching", "2", 1e-12}, {"with gaps", "G", 1e-6}} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			play(s, 3600, input{Keys: c.keys}, func() {
				if s.row.drift > c.want {
					t.Fatalf("tick %d: energy changed by %g of it, want at most %g", s.ticks, s.row.drift, c.want)
				}
			})
			if s.row.start == 0 || s.row.impacts < 100 {
				t.Errorf("%d impacts and %g J: nothing swings", s.row.impacts, s.row.start)
			}
		})
	}
}

// With gaps a blow is late, and leaves something behind: after a while every ball swings.
func TestGapsSpreadTheSwing(t *testing.T) {
	s := newScene()
	play(s, 1800, input{Keys: "G"}, nil)
	left, right := outermost(s, 120)
	for i := range ballCount {
		if right[i]-left[i] < 0.02 {
			t.Errorf("ball %d swings by %g m only", i, right[i]-left[i])
		}
	}
}

// The programme and rough hands: nothing overlaps, and nothing is wrong with any entity.
func TestNothingOverlaps(t *testing.T) {
	s := newScene()
	check := func() {
		if s.row.worstOverlap > slack*ballRadius {
			t.Fatalf("tick %d: overlap of %g m", s.ticks, s.row.worstOverlap)
		}
		if n := s.row.physics.Stats().Errors + s.drop.physics.Stats().Errors + s.corner.physics.Stats().Errors; n > 0 {
			t.Fatalf("tick %d: %d mistakes", s.ticks, n)
		}
	}
	play(s, 2600, input{Auto: true}, check)
	for i := range 40 { // to and fro, faster than a hand goes, and through the middle
		play(s, 7+i%5, input{Grab: true, Ball: i % ballCount, At: 0.3 * math.Sin(float64(i))}, check)
		play(s, i%30, input{}, check)
	}
}

// A hand takes along what hangs beyond its ball, and what is let go swings with just what it was
// lifted by.
func TestDragPullsThoseBeyond(t *testing.T) {
	for _, c := range []struct {
		name string
		ball int
		at   float64
		want int
	}{
		{"the first, to the left", 0, -0.1, 1},
		{"the second, to the left", 1, -0.1, 2},
		{"the middle one, to the right", 2, 0.1, 3},
		{"the second, to the right", 1, 0.1, 4},
		{"further than the hand goes", 4, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			s.hand = hand{}
			play(s, 90, input{Grab: true, Ball: c.ball, At: c.at}, nil)
			out := min(math.Abs(c.at), farthest)
			play(s, 1, input{}, nil)
			want := float64(c.want) * ballMass / 2 * rate * out * out
			if e := s.row.energy(); math.Abs(e-want) > 1e-6*want {
				t.Errorf("energy %g J, want %g J for %d balls", e, want, c.want)
			}
		})
	}
}

// Three to one: the lower stops, and the upper flies to four times the height. Straight flight
// within a step costs less than 1e-4 of it.
func TestDrop(t *testing.T) {
	d := newDrop(dropHeight)
	for d.apex() < 2 {
		d.step(dropSteps)
	}
	if d.apex() < 3.9999 || d.apex() > 4.0001 {
		t.Errorf("the upper flies to %g of its height, want 4", d.apex())
	}
	if y, v := state(d.heavy, heavyRadius); y > 1e-3 || math.Abs(v) > 1e-2 {
		t.Errorf("the lower is %g m above the floor at %g m/s, want it at rest", y, v)
	}
	for range 600 {
		d.step(dropSteps)
	}
	if d.drops < 6 || d.highest > 4.0001 {
		t.Errorf("%d drops, the highest flight %g: want one about every 80 ticks, each as high", d.drops, d.highest)
	}
}

// A ball that meets two walls at once goes back on its own line, from anywhere.
func TestCorner(t *testing.T) {
	for i := range 40 {
		c := newCorner(collide.Vec3{X: 0.25 + 0.025*float64(i), Y: 1.2 - 0.02*float64(i)})
		for range 600 {
			c.step(cornerSteps)
			if v := c.velocity(); math.Abs(math.Abs(v.Dot(c.way))-shotSpeed) > 1e-12*shotSpeed {
				t.Fatalf("from %v: velocity %v isn't along its line %v", c.from, v, c.way)
			}
		}
		if c.visits < 3 || c.astray > 1e-12 {
			t.Errorf("from %v: %d visits, astray by %g m", c.from, c.visits, c.astray)
		}
	}
}

func TestClicksDropAndShoot(t *testing.T) {
	s := newScene()
	play(s, 1, input{Drop: 0.1, Shot: &collide.Vec3{X: 0.5, Y: 0.7}}, nil)
	if s.drop.height != 0.1 || s.corner.from != (collide.Vec3{X: 0.5, Y: 0.7}) {
		t.Errorf("dropped from %g, shot from %v", s.drop.height, s.corner.from)
	}
}
