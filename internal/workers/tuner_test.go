package workers

import (
	"testing"
	"time"
)

// TestTheFasterWayIsChosen simulates steps with given times, some of which change from time to
// time.
func TestTheFasterWayIsChosen(t *testing.T) {
	type times func(step, since int, parallel bool) float64 // milliseconds; since: steps since the last change of way
	fixed := func(parallel, serial float64) times {
		return func(_, _ int, p bool) float64 { return pick(p, parallel, serial) }
	}
	cases := []struct {
		name  string
		took  times
		share float64 // expected share of parallel steps, within 0.05
		loss  float64 // largest loss of time, relative to always using the faster way
	}{
		{"parallel is faster", fixed(4, 6), 0.98, 0.02},
		{"parallel is slower", fixed(10, 6), 0.05, 0.05},
		{"both take about the same time", fixed(6.1, 6), 0.96, 0.03},
		{"parallel is faster once it is warm", func(step, _ int, parallel bool) float64 {
			return pick(parallel, pick(step < 10, 20, 4), 6)
		}, 0.98, 0.05},
		{"a step takes longer from time to time", func(step, _ int, parallel bool) float64 {
			return pick(parallel, pick(step%70 == 50, 10, 4), 6)
		}, 0.98, 0.05},
		{"serial is faster once it is warm", func(_, since int, parallel bool) float64 {
			return pick(parallel || since < 6, 10, 7.5)
		}, 0.06, 0.05},
		{"every ninth step is delayed", func(step, _ int, parallel bool) float64 {
			return pick(parallel, 5, 5.5) + pick(step%9 == 4, 20, 0)
		}, 0.96, 0.02},
		{"other work keeps a processor busy", func(step, _ int, parallel bool) float64 {
			return pick(parallel, pick(step%3 == 0, 30, 12), 5.5)
		}, 0.01, 0.03},
		{"other work comes and goes", func(step, _ int, parallel bool) float64 {
			return pick(parallel, pick(step/2000%2 == 0, 4, 12), 6)
		}, 0.6, 0.2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			const steps = 10000
			var tuner Tuner
			parallelSteps, cost, best := 0, 0.0, 0.0
			since, was := 0, true
			for step := range steps {
				parallel := tuner.Parallel()
				if parallel {
					parallelSteps++
				}
				if since++; parallel != was {
					since, was = 0, parallel
				}
				d := c.took(step, since, parallel)
				cost += d
				best += min(c.took(step, steps, true), c.took(step, steps, false))
				tuner.Record(time.Duration(d * 1e6))
			}
			if got := float64(parallelSteps) / steps; got < c.share-0.05 || got > c.share+0.05 {
				t.Errorf("%.3f of the steps were parallel, want about %.2f", got, c.share)
			}
			if cost > (1+c.loss)*best {
				t.Errorf("the steps took %.0f ms, and the best choice would take %.0f", cost, best)
			}
		})
	}
}

// TestALostTrialEndsEarly has one way take half as long again as the other, for either way.
func TestALostTrialEndsEarly(t *testing.T) {
	for _, faster := range []bool{false, true} {
		var tuner Tuner
		tuner.serial = !faster // start with the faster way
		slow := 0
		for range 48 {
			parallel := tuner.Parallel()
			if parallel != faster {
				slow++
			}
			tuner.Record(time.Duration(pick(parallel == faster, 67, 101)) * time.Millisecond)
		}
		if slow != 2*lostRuns {
			t.Errorf("parallel is faster: %v: %d of 48 steps used the slower way, want %d", faster, slow, 2*lostRuns)
		}
	}
}

// TestOneSlowStepEndsNoTrial delays one step in a trial of the faster way.
func TestOneSlowStepEndsNoTrial(t *testing.T) {
	var tuner Tuner
	for step := range firstInterval + trialRuns {
		d := pick(tuner.Parallel(), 6, 4)
		if step == firstInterval+2*lostRuns-2 {
			d = 20
		}
		tuner.Record(time.Duration(d) * time.Millisecond)
	}
	if tuner.Parallel() {
		t.Error("the slower way was chosen")
	}
}

// TestAfterAChangeTheNextTrialComesSoon makes one way the faster one for a long time, and then the
// other.
func TestAfterAChangeTheNextTrialComesSoon(t *testing.T) {
	var tuner Tuner
	changed := 0 // the step in which serial was chosen for good
	for step := range 5000 {
		parallel := tuner.Parallel()
		if changed > 0 && parallel {
			if n := step - changed; n != trialRuns+newInterval {
				t.Errorf("parallel was tried again after %d steps, want %d", n, trialRuns+newInterval)
			}
			return
		}
		switch {
		case parallel || step < 2000:
			changed = 0
		case changed == 0:
			changed = step
		}
		tuner.Record(time.Duration(pick(parallel == (step < 2000), 4, 6)) * time.Millisecond)
	}
	t.Error("parallel was not tried again")
}

func pick(b bool, x, y float64) float64 {
	if b {
		return x
	}
	return y
}
