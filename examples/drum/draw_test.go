package drum

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// The chart got a point for every fiftieth of a turn, and all were drawn in every frame.
func TestTheChartDoesNotGrowForEver(t *testing.T) {
	v := New(1).(*view)
	v.count = leastBalls
	v.Reset()
	v.scene.ticks = settleTicks + 1
	for turn := range 3000 { // by hand: a turn takes seconds
		v.scene.turned = float64(turn) * 0.5 * 2 * math.Pi
		v.note()
	}
	first, last := v.chart[0].X, v.chart[len(v.chart)-1].X
	if n := len(v.chart); n < mostPoints/2 || n > mostPoints || first != 0 || last < 1490 {
		t.Errorf("%d points, from turn %g to %g", n, first, last)
	}
}

// The pointer drags the ball that it is pressed on, towards the middle of the drum, and nothing
// overlaps. How far it comes depends on the balls that lie on it, so it is tried six times: by 0.20
// to 0.41 m.
func TestABallIsDragged(t *testing.T) {
	const tries = 6
	sum := 0.0
	for k := range tries {
		sum += dragged(t, settleTicks+10+5*k) / tries
	}
	if sum < 0.22 {
		t.Errorf("a ball rose by %.3f m on average, want about 0.3", sum)
	}
}

// dragged returns how far a ball rises that is dragged up by 0.3 m after so many ticks.
func dragged(t *testing.T, ticks int) float64 {
	v := New(1).(*view)
	v.count = leastBalls
	v.Reset()
	in := stage.Input{W: 1280, H: 800, Scale: 1}
	for range ticks {
		v.Step(in)
	}
	front := v.scene.balls[0]
	for _, b := range v.scene.balls {
		if components.Transform.Get(b).Position.Z > components.Transform.Get(front).Position.Z {
			front = b
		}
	}
	box, _ := areas(in.W, in.H)
	l := v.lens(box, in.Scale)
	in.Held = true
	in.Pointer, _ = l.At(components.Transform.Get(front).Position)
	before := components.Transform.Get(front).Position
	above, _ := l.At(before.Add(collide.Vec3{Y: 0.3}))
	v.Step(in)
	in.Pointer = above
	for range 60 {
		v.Step(in)
	}
	if v.scene.worstOverlap > slack*v.scene.least {
		t.Errorf("overlap of %g m", v.scene.worstOverlap)
	}
	return components.Transform.Get(front).Position.Y - before.Y
}
