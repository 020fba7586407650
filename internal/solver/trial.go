package solver

import (
	"slices"
	"time"
)

// trial finds out whether steps are sooner done in parts or as a whole. Where other programs, or other goroutines of the game, are on the processors, parts wait for each other, and
// more lanes than idle processors can take twice as long as one. No result depends on it.
//
// One way is taken for a while, then the other one for some steps, and then the one that took less time.
type trial struct {
	parts    bool // the way that is being taken
	trying   bool // it is the other one
	steps    int  // since that began
	patience int  // for how many steps a way is taken before the other is tried
	took     [trialSteps / 2]time.Duration
	usual    time.Duration // a step of the way that was taken before the trial: see judge
}

const (
	// The other way is tried after so many steps, and each time that it is the worse one after twice as many, up to the most.
	leastPatience, mostPatience = 32, 256

	// A trial has so many steps, of which the later half counts: at first memory has to be made, or to come from afar. On a shared Xeon, where a step in parts
	// took 10 ms and one as a whole 7.5, the first five of those took as long.
	trialSteps = 16
)

// begin begins with a way of which nothing is known yet.
func (t *trial) begin(parts bool) { *t = trial{parts: parts, patience: trialSteps} }

// inParts reports whether to take the next step in parts.
func (t *trial) inParts() bool {
	switch {
	case !t.trying && t.steps >= t.patience:
		t.usual = t.judge()
		t.parts, t.trying, t.steps = !t.parts, true, 0
	case t.trying && t.steps >= trialSteps:
		if t.judge() <= t.usual {
			t.patience = leastPatience
		} else {
			t.patience = min(2*t.patience, mostPatience)
			t.parts = !t.parts
		}
		t.trying, t.steps = false, 0
	}
	return t.parts
}

// note notes how long the step took for which inParts was asked.
func (t *trial) note(d time.Duration) {
	copy(t.took[1:], t.took[:])
	t.took[0] = d
	t.steps++
}

// judge returns how long a step usually takes the way that is being taken. Parts are given a 32nd: to change the way costs some milliseconds.
func (t *trial) judge() time.Duration {
	d := usual(t.took[:])
	if t.parts {
		d -= d / 32
	}
	return d
}

// usual returns how long steps usually take: the mean without the longest quarter. One guess in seventy is wrong, and now and then something else gets in the way.
func usual(took []time.Duration) time.Duration {
	var room [len(trial{}.took)]time.Duration
	sorted := room[:copy(room[:], took)]
	slices.Sort(sorted)
	sorted = sorted[:len(sorted)*3/4]
	sum := time.Duration(0)
	for _, d := range sorted {
		sum += d
	}
	return sum / time.Duration(len(sorted))
}
