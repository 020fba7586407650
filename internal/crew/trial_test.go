package crew

import (
	"testing"
	"time"
)

// TestTheQuickerWayIsTaken lets steps take made up times, which change now and then.
func TestTheQuickerWayIsTaken(t *testing.T) {
	cases := []struct {
		name  string
		took  func(step, since int, together bool) float64 // milliseconds, since the way was changed
		share float64                                      // about what share of the steps is taken together
		loss  float64                                      // how much longer, at most, all steps take than if the quicker way were always known
	}{
		{"together is quicker", func(_, _ int, together bool) float64 { return pick(together, 4, 6) }, 0.98, 0.02},
		{"together is slower", func(_, _ int, together bool) float64 { return pick(together, 10, 6) }, 0.05, 0.05},
		{"together is quicker once it is warm", func(step, _ int, together bool) float64 { return pick(together, pick(step < 10, 20, 4), 6) }, 0.98, 0.05},
		{"now and then a step takes longer", func(step, _ int, together bool) float64 { return pick(together, pick(step%70 == 50, 10, 4), 6) }, 0.98, 0.05},
		{"alone is quicker once it is warm", func(_, since int, together bool) float64 { return pick(together || since < 6, 10, 7.5) }, 0.06, 0.05},
		{"they take about as long", func(_, _ int, together bool) float64 { return pick(together, 6.1, 6) }, 0.96, 0.03},
		{"every ninth time something gets in the way", func(step, _ int, together bool) float64 { return pick(together, 5, 5.5) + pick(step%9 == 4, 20, 0) }, 0.96, 0.02},
		{"other work comes and goes", func(step, _ int, together bool) float64 { return pick(together, pick(step/2000%2 == 0, 4, 12), 6) }, 0.6, 0.2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			const steps = 10000
			var v Trial
			shared, cost, best := 0, 0.0, 0.0
			since, was := 0, true
			for step := range steps {
				in := v.Together()
				if in {
					shared++
				}
				if since++; in != was {
					since, was = 0, in
				}
				d := c.took(step, since, in)
				cost += d
				best += min(c.took(step, steps, true), c.took(step, steps, false))
				v.Note(time.Duration(d * 1e6))
			}
			if got := float64(shared) / steps; got < c.share-0.05 || got > c.share+0.05 {
				t.Errorf("%.3f of the steps were taken together, want about %.2f", got, c.share)
			}
			if cost > (1+c.loss)*best {
				t.Errorf("the steps took %.0f ms, and the best choice takes %.0f", cost, best)
			}
		})
	}
}

// TestALostTrialEndsEarly tries what takes far longer, whichever way that is.
func TestALostTrialEndsEarly(t *testing.T) {
	for _, together := range []bool{false, true} {
		var v Trial
		v.alone = !together // what is quicker is taken at first
		slow := 0
		for range 48 {
			in := v.Together()
			if in != together {
				slow++
			}
			v.Note(time.Duration(pick(in == together, 67, 101)) * time.Millisecond)
		}
		if slow != 2*surelyLost {
			t.Errorf("together quicker: %v: %d of 48 steps were the slow way, want %d", together, slow, 2*surelyLost)
		}
	}
}

// TestOneSlowStepEndsNoTrial has something else get in the way while the quicker way is tried.
func TestOneSlowStepEndsNoTrial(t *testing.T) {
	var v Trial
	for step := range firstPatience + trialTimes {
		d := pick(v.Together(), 6, 4)
		if step == firstPatience+2*surelyLost-2 {
			d = 20
		}
		v.Note(time.Duration(d) * time.Millisecond)
	}
	if v.Together() {
		t.Error("the slower way is taken")
	}
}

// TestANewWayIsSoonCalledInQuestion lets one way be the quicker one for long, and then the other.
func TestANewWayIsSoonCalledInQuestion(t *testing.T) {
	var v Trial
	changed := 0 // the step in which alone was taken for good
	for step := range 5000 {
		together := v.Together()
		if changed > 0 && together {
			if n := step - changed; n != trialTimes+newPatience {
				t.Errorf("together was tried again after %d steps, want %d", n, trialTimes+newPatience)
			}
			return
		}
		switch {
		case together || step < 2000:
			changed = 0
		case changed == 0:
			changed = step
		}
		v.Note(time.Duration(pick(together == (step < 2000), 4, 6)) * time.Millisecond)
	}
	t.Error("together was not tried again")
}

func pick(b bool, x, y float64) float64 {
	if b {
		return x
	}
	return y
}
