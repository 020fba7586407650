package corridor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// slack is how deep the walker may be in a wall, as a part of its radius: the engine's promise.
const slack = 1e-9

// put places the walker somewhere, at rest.
func put(s *scene, at collide.Vec3) {
	e := s.world.Entry(s.walker)
	components.Transform.Get(e).Position = at
	components.Velocity.Get(e).Linear = collide.Vec3{}
}

// walk steps n times with one wish.
func walk(s *scene, wish collide.Vec3, n int) {
	for range n {
		s.step(input{Move: wish})
	}
}

// inPlace reports whether p is over the floor or in the shaft.
func inPlace(p collide.Vec3) bool {
	corners := outline()
	in := false
	for i := range corners { // a ray towards -x crosses the outline an odd number of times
		a, b := corners[i], corners[(i+1)%len(corners)]
		if (a.Y > p.Y) != (b.Y > p.Y) && a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) < p.X {
			in = !in
		}
	}
	r, ok := shaftRadius(p.X)
	return in || ok && math.Hypot(p.Y-shaftY, p.Z) < r
}

func TestTourStaysInside(t *testing.T) {
	s := newScene()
	deepest := 0.0
	for range 5000 {
		s.step(input{Auto: true})
		at := s.position()
		if !inPlace(at) || at.Z != 0 {
			t.Fatalf("tick %d, leg %d: at %v, outside", s.ticks, s.guide.leg, at)
		}
		if o := s.overlap(); o > slack*radius {
			t.Fatalf("tick %d, leg %d: %g m deep in a wall at %v", s.ticks, s.guide.leg, o, at)
		}
		if errs := slices.Collect(s.physics.Errors()); len(errs) > 0 {
			t.Fatal(errs)
		}
		deepest = max(deepest, s.overlap())
	}
	if s.guide.leg < 2*len(tour) || s.stuckTicks < 100 {
		t.Errorf("leg %d after %d ticks, stuck for %d: the tour went astray", s.guide.leg, s.ticks, s.stuckTicks)
	}
	t.Logf("deepest in a wall: %g m", deepest)
}

// A drunk player with both hands on the keys, in either mode.
func TestAnyWalkStaysInside(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := newScene()
		var wish collide.Vec3
		for range 3000 {
			in := input{Move: wish}
			if r.IntN(40) == 0 {
				angle := r.Float64() * 2 * math.Pi
				wish = collide.Vec3{X: math.Cos(angle), Y: math.Sin(angle)}
			}
			in.Switch = r.IntN(200) == 0
			s.step(in)
			if !inPlace(s.position()) || s.overlap() > slack*radius {
				t.Fatalf("seed %d, tick %d: at %v, %g m deep in a wall", seed, s.ticks, s.position(), s.overlap())
			}
		}
	}
}

// In a wedge of ten degrees the sphere comes to where it touches both walls, r/tan(5°) from the
// tip, and stays.
func TestWedgeHolds(t *testing.T) {
	s := newScene()
	put(s, collide.Vec3{X: 5, Y: 0.5})
	walk(s, collide.Vec3{X: 1}, 120)
	want := 12.5 - radius/math.Tan(5*math.Pi/180)
	at := s.position()
	if math.Abs(at.X-want) > 1e-9 || math.Abs(at.Y-radius) > 1e-9 {
		t.Fatalf("at %v, want x = %v and y = %v", at, want, radius)
	}
	walk(s, collide.Vec3{X: 1}, 1000)
	if moved := s.position().Distance(at); moved > 1e-12 || !s.stuck() {
		t.Errorf("moved %g m in 1000 steps, velocity %v", moved, s.velocity())
	}
}

func TestCornersHold(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to collide.Vec3
	}{
		{"acute", collide.Vec3{X: 0.5, Y: 4}, collide.Vec3{X: -2.6, Y: 6}},
		{"right", collide.Vec3{X: 2, Y: 2}, collide.Vec3{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			put(s, c.from)
			wish, _ := c.to.Sub(c.from).Normalized()
			walk(s, wish, 150)
			at := s.position()
			if !s.stuck() || len(s.contacts) != 2 {
				t.Fatalf("at %v with velocity %v and %d contacts: not in the corner", at, s.velocity(), len(s.contacts))
			}
			walk(s, wish, 1000)
			if moved := s.position().Distance(at); moved > 1e-12 {
				t.Errorf("moved %g m in 1000 steps", moved)
			}
		})
	}
}

// An inner corner of 150 degrees turns the walker and doesn't stop it.
func TestObtuseCornerTurns(t *testing.T) {
	s := newScene()
	put(s, collide.Vec3{X: 7, Y: 3})
	walk(s, collide.Vec3{X: 1}, 60)
	v := s.velocity()
	// What the slope leaves of the wish: its part along the slope.
	want := collide.Vec3{X: math.Cos(math.Pi / 6), Y: math.Sin(math.Pi / 6)}.Scale(walkSpeed * math.Cos(math.Pi/6))
	if v.Distance(want) > 1e-9 {
		t.Errorf("velocity %v up the slope, want %v", v, want)
	}
}

// The shaft lets the sphere in, however it leans, and along at full speed.
func TestShaftSlides(t *testing.T) {
	for _, c := range []struct {
		name string
		from collide.Vec3
		wish collide.Vec3
	}{
		{"along the axis", collide.Vec3{X: 13, Y: shaftY}, collide.Vec3{X: -1}},
		{"beside the axis", collide.Vec3{X: 13, Y: shaftY + 0.3}, collide.Vec3{X: -1}},
		{"pressed to one side", collide.Vec3{X: 13, Y: shaftY}, collide.Vec3{X: -0.8, Y: -0.6}},
		{"pressed to the other side", collide.Vec3{X: 13, Y: shaftY}, collide.Vec3{X: -0.8, Y: 0.6}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene()
			put(s, c.from)
			inside := 0
			for range 400 {
				walk(s, c.wish, 1)
				at := s.position()
				if at.X > 10 || at.X < 4.6 {
					continue
				}
				inside++
				if math.Abs(at.Y-shaftY) > 2*play {
					t.Fatalf("%g m off the axis at x = %v", at.Y-shaftY, at.X)
				}
				if v := s.velocity(); math.Abs(v.X-walkSpeed*c.wish.X) > 1e-9 || math.Abs(v.Y) > 1e-9 {
					t.Fatalf("velocity %v at x = %v, want %v along the axis", v, at.X, walkSpeed*c.wish.X)
				}
			}
			if inside < 60 {
				t.Errorf("only %d ticks in the shaft, at %v", inside, s.position())
			}
		})
	}
}

// In the taper it is stuck, and still.
func TestTaperHolds(t *testing.T) {
	for _, wish := range []collide.Vec3{{X: -1}, {X: -0.8, Y: 0.6}, {X: -0.6, Y: -0.8}} {
		s := newScene()
		put(s, collide.Vec3{X: 6, Y: shaftY})
		walk(s, wish, 200)
		at := s.position()
		slope := math.Atan((radius + play - 0.2) / (4.4 - 1.6))
		if want := 4.4 + radius*math.Tan(slope/2); math.Abs(at.X-want) > 1e-9 {
			t.Errorf("wish %v: stuck at x = %v, want %v", wish, at.X, want)
		}
		if !s.stuck() {
			t.Errorf("wish %v: velocity %v, want none", wish, s.velocity())
		}
		for range 1000 {
			walk(s, wish, 1)
			if moved := s.position().Distance(at); moved > 1e-12 {
				t.Fatalf("wish %v: moved by %g m at tick %d", wish, moved, s.ticks)
			}
		}
		// And it comes out again.
		walk(s, collide.Vec3{X: 1}, 200)
		if s.position().X < mouthX {
			t.Errorf("wish %v: came back only to %v", wish, s.position())
		}
	}
}

// With restitution 1 a ball that bounced between the sides of the shaft had 65,537 impacts in each
// step, so the slider ends below that.
func TestBouncingInTheShaftEnds(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	for _, slider := range v.Panel().Sliders {
		if slider.Name == "restitution" {
			slider.Set(1)
		}
	}
	for _, push := range []stage.Pt{{X: -1}, {X: -0.7, Y: 0.7}, {X: 0.5, Y: -0.8}} {
		for _, x := range []float64{4.41427, 3, 9} { // where the taper holds it, farther in, and in the tube
			v.Reset()
			v.Step(stage.Input{Switch: true})
			put(v.scene, collide.Vec3{X: x, Y: shaftY})
			for range 30 {
				v.Step(stage.Input{Move: push})
				if n := v.scene.physics.Stats().Impacts; n > 1000 {
					t.Fatalf("from x = %g, pushed by %v: %d impacts in a step", x, push, n)
				}
			}
		}
	}
}

func TestSwitchChangesMode(t *testing.T) {
	s := newScene()
	put(s, collide.Vec3{X: 3, Y: 3})
	s.step(input{Switch: true})
	if s.slide {
		t.Fatal("still sliding")
	}
	walk(s, collide.Vec3{X: -1}, 40)
	bounced := false
	for range 200 {
		s.step(input{})
		bounced = bounced || s.velocity().X > 0.5
	}
	if !bounced {
		t.Errorf("velocity %v: it hit the wall and did not bounce", s.velocity())
	}
	s.step(input{Switch: true})
	s.step(input{})
	if !s.slide || s.velocity() != (collide.Vec3{}) {
		t.Errorf("slide %v, velocity %v: want a slider that stands still", s.slide, s.velocity())
	}
}
