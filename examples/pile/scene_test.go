package pile

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// slack is how deep things may be in each other, as a part of the smallest radius: the engine's
// promise.
const slack = 1e-9

// small returns a bin for which only n balls are waiting.
func small(seed uint64, n int) *scene {
	s := newScene(seed)
	s.waiting = n
	return s
}

// play runs ticks and checks after each that nothing overlaps, is outside, or wrong.
func play(t *testing.T, s *scene, ticks int, in input) {
	t.Helper()
	for range ticks {
		s.step(in)
		in.Keys = ""
		if s.overlap > slack*leastRadius {
			t.Fatalf("tick %d: overlap of %g m", s.ticks, s.overlap)
		}
		if errs := slices.Collect(s.physics.Errors()); len(errs) > 0 {
			t.Fatalf("tick %d: %v", s.ticks, errs)
		}
	}
}

func TestPouredBallsLieInTheBin(t *testing.T) {
	s := small(1, 200)
	play(t, s, 400, input{})
	if len(s.balls) != 200 || s.waiting != 0 {
		t.Fatalf("%d balls and %d waiting, want 200 and none", len(s.balls), s.waiting)
	}
	if s.fastest > 0.5 {
		t.Errorf("after 400 ticks a ball still has %g m/s", s.fastest)
	}
	for _, b := range s.gauge.balls {
		if b.Center.Y > 1 {
			t.Errorf("a ball is %g m above the floor", b.Center.Y)
		}
	}
}

func TestPourStopsAtTheMost(t *testing.T) {
	s := small(1, 0)
	for range 10 {
		s.step(input{Keys: "F"})
	}
	if n := len(s.balls) + s.waiting; n != mostBalls {
		t.Errorf("%d balls poured or waiting, want %d", n, mostBalls)
	}
}

// The stirring ball goes where it is wanted as far as the bin allows, and pushes what is there.
func TestStir(t *testing.T) {
	s := small(2, 150)
	play(t, s, 240, input{})
	for i := range 240 {
		a := float64(i) / 20
		play(t, s, 1, input{Stir: true, Down: true, At: collide.Vec3{X: 3 * math.Cos(a), Z: 3 * math.Sin(a)}})
	}
	at := components.Transform.Get(s.stirrer).Position
	if at.Y > 0.5 || math.Abs(at.X) > binX-stirRadius || math.Abs(at.Z) > binZ-stirRadius {
		t.Errorf("the stirring ball is at %v, not in the bin", at)
	}
	play(t, s, 240, input{})
	if at := components.Transform.Get(s.stirrer).Position; math.Abs(at.Y-parkHeight) > 0.01 {
		t.Errorf("the stirring ball waits at %v, want it %g m up", at, parkHeight)
	}
}

// Balls run to the side that the bin leans to, and a bin that leans no more has no forces left.
func TestLean(t *testing.T) {
	for name, c := range map[string]struct {
		in   input
		side collide.Vec3
	}{
		"left":   {input{Lean: collide.Vec3{X: -1}}, collide.Vec3{X: -1}},
		"right":  {input{Lean: collide.Vec3{X: 1}}, collide.Vec3{X: 1}},
		"front":  {input{Lean: collide.Vec3{Z: 1}}, collide.Vec3{Z: 1}},
		"by key": {input{Keys: "T"}, collide.Vec3{X: -1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := small(3, 60)
			play(t, s, 200, input{})
			play(t, s, 300, c.in)
			mean := 0.0
			for _, b := range s.gauge.balls {
				mean += b.Center.Dot(c.side) / float64(len(s.balls))
			}
			if mean < 0.3*binZ {
				t.Errorf("the balls are %g m to that side on average", mean)
			}
			play(t, s, 200, input{Keys: map[bool]string{true: "TT"}[c.in.Keys != ""]})
			noForces(t, s)
		})
	}
}

// A bin that is shaken throws the balls about, comes back to where it stood, and leaves no force
// behind.
func TestShake(t *testing.T) {
	s := small(4, 120)
	play(t, s, 240, input{})
	far, fast := 0.0, 0.0
	play(t, s, 1, input{Keys: "X"})
	for range shakeTicks + 5 {
		play(t, s, 1, input{})
		far, fast = max(far, math.Abs(s.shift().X)), max(fast, s.fastest)
	}
	if far < shakeWidth/2 || fast < 0.5 {
		t.Errorf("the bin moved by %g m, and the fastest ball at %g m/s", far, fast)
	}
	if s.shift() != (collide.Vec3{}) {
		t.Errorf("the bin stands at %v", s.shift())
	}
	play(t, s, 240, input{})
	if s.fastest > 0.3 { // a ball that rolls alone goes on for long
		t.Errorf("a ball still has %g m/s", s.fastest)
	}
	noForces(t, s)
}

// noForces fails where a force acts on a ball.
func noForces(t *testing.T, s *scene) {
	t.Helper()
	for _, e := range s.balls {
		if f := components.Force.Get(e).Force; f.Length() > 1e-9 {
			t.Fatalf("a force of %v is left", f)
		}
	}
}

// The whole programme with few balls.
func TestUnattendedPlay(t *testing.T) {
	s := small(5, 100)
	for range 1450 {
		in := s.programme()
		if in.Keys == "F" {
			in.Keys = ""
		}
		play(t, s, 1, in)
	}
	if len(s.balls) != 100 || s.impacts < 1000 {
		t.Errorf("%d balls, %d impacts", len(s.balls), s.impacts)
	}
}

// Hundreds of balls press on one another while they are stirred. This found overlaps of 4e-4 of a
// radius that 150 balls never have, where a body was slowed down after its contacts were solved.
func TestStirredBallsOverlapNowhere(t *testing.T) {
	s := newScene(3)
	s.waiting = 800
	for range 850 {
		in := s.programme()
		in.Keys = ""
		play(t, s, 1, in)
	}
	if len(s.balls) != 800 || s.impacts < 100_000 {
		t.Errorf("%d balls, %d impacts", len(s.balls), s.impacts)
	}
}

func TestSameSeedSamePile(t *testing.T) {
	a, b := small(7, 150), small(7, 150)
	for range 200 {
		a.step(input{})
		b.step(input{})
	}
	if !slices.Equal(a.gauge.balls, b.gauge.balls) {
		t.Error("two piles of one seed differ")
	}
}

// The gauge finds what looking at all pairs finds, inside of the bin and far outside.
func TestGauge(t *testing.T) {
	s := small(8, 0)
	for i := range 300 {
		r := s.random
		at := collide.Vec3{X: 4 * (r.Float64() - 0.5), Y: 6*r.Float64() - 1, Z: 3 * (r.Float64() - 0.5)}
		if i > 200 { // a crowd
			at = at.Scale(0.1)
		}
		s.newBall(at, leastRadius+(mostRadius-leastRadius)*r.Float64())
		s.gauge.fill(s.balls)
		want := 0.0
		for i, a := range s.gauge.balls {
			for _, b := range s.gauge.balls[:i] {
				want = max(want, a.Radius+b.Radius-a.Center.Distance(b.Center))
			}
		}
		if got := s.gauge.overlap(); got != want {
			t.Fatalf("%d balls: overlap %g, want %g", len(s.balls), got, want)
		}
	}
}

// What is left out of the picture is hidden: every pixel of a ball that no nearer ball covers is in
// the part that is drawn.
func TestCoverKeepsWhatIsSeen(t *testing.T) {
	s := small(9, 0)
	const size = 200
	for range 20 {
		var items []item
		for range 120 {
			r := s.random
			var b item
			b.at.X, b.at.Y, b.radius = size*r.Float64(), size*r.Float64(), 3+20*r.Float64()
			items = append(items, b)
		}
		var k cover
		k.prune(items, size, size)
		for y := range size {
			for x := range size {
				for _, b := range items {
					d := math.Hypot(float64(x)+0.5-b.at.X, float64(y)+0.5-b.at.Y)
					if d > b.radius+0.5 {
						continue
					}
					in := float64(x) >= b.seen.X && float64(x) < b.seen.X+b.seen.W &&
						float64(y) >= b.seen.Y && float64(y) < b.seen.Y+b.seen.H
					if !in {
						t.Fatalf("pixel %d, %d of a ball of radius %g isn't drawn", x, y, b.radius)
					}
					if d < b.radius-0.5 {
						break // it hides the rest
					}
				}
			}
		}
		if k.kept == len(items) {
			t.Error("nothing was hidden")
		}
	}
}
