package solver

import (
	"testing"
	"time"
)

// TestTheQuickerWayIsTaken lets steps take made up times, which change now and then.
func TestTheQuickerWayIsTaken(t *testing.T) {
	cases := []struct {
		name  string
		took  func(step int, parts bool) float64 // milliseconds
		parts float64                            // about what share of the steps is in parts
	}{
		{"parts are quicker", func(_ int, parts bool) float64 { return pick(parts, 4, 6) }, 0.98},
		{"parts are slower", func(_ int, parts bool) float64 { return pick(parts, 10, 6) }, 0.02},
		{"parts are quicker once they are warm", func(step int, parts bool) float64 { return pick(parts, pick(step == 0, 100, 4), 6) }, 0.98},
		{"now and then a step takes longer", func(step int, parts bool) float64 { return pick(parts, pick(step%70 == 50, 10, 4), 6) }, 0.98},
		{"other work comes and goes", func(step int, parts bool) float64 { return pick(parts, pick(step/1000%2 == 0, 4, 12), 6) }, 0.5},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			const steps = 10000
			var v trial
			v.begin(1)
			parts, cost, best := 0, 0.0, 0.0
			for step := range steps {
				in := v.inParts()
				if in {
					parts++
				}
				d := c.took(step, in)
				cost += d
				best += min(c.took(step, true), c.took(step, false))
				v.note(in, time.Duration(d*1e6))
			}
			if got := float64(parts) / steps; got < c.parts-0.1 || got > c.parts+0.1 {
				t.Errorf("%.3f of the steps were in parts, want about %.2f", got, c.parts)
			}
			if cost > 1.1*best {
				t.Errorf("the steps took %.0f ms, and the best choice takes %.0f", cost, best)
			}
		})
	}
}

func pick(b bool, x, y float64) float64 {
	if b {
		return x
	}
	return y
}
