package solver

import "time"

// trial finds out whether steps are sooner done in parts or as a whole. Where other programs, or other goroutines of the game, are on the processors, parts wait for each other, and
// more lanes than idle processors can take twice as long as one. No result depends on it.
type trial struct {
	took   [2][trialSteps]float64 // seconds of the last steps of each way: as a whole, in parts
	known  [2]int                 // how many of those there are
	now    int                    // the way that is being taken
	better int                    // the one that was better
	steps  int                    // since that began
}

const (
	trialSteps = 4
	trialAfter = 256 // steps, after which the other way is tried again
)

// inParts reports whether to take the next step in parts.
func (t *trial) inParts() bool {
	t.steps++
	switch other := 1 - t.now; {
	case t.known[t.now] < trialSteps: // it is being tried
	case t.known[other] < trialSteps || t.now == t.better && t.steps >= trialAfter:
		t.begin(other)
	default:
		if t.better = 0; mean(t.took[1]) <= mean(t.took[0]) {
			t.better = 1
		}
		if t.now != t.better {
			t.now, t.steps = t.better, 0
		}
	}
	return t.now == 1
}

// begin begins to try a way. Its first step doesn't count: memory may have to be made for it, or to come from afar.
func (t *trial) begin(way int) { t.now, t.known[way], t.steps = way, -1, 0 }

// note notes how long a step took.
func (t *trial) note(parts bool, d time.Duration) {
	way := 0
	if parts {
		way = 1
	}
	if t.known[way] >= 0 {
		copy(t.took[way][1:], t.took[way][:])
		t.took[way][0] = d.Seconds()
	}
	t.known[way] = min(t.known[way]+1, trialSteps)
}

func mean(of [trialSteps]float64) float64 {
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	return sum / trialSteps
}
