package crew

import (
	"slices"
	"time"
)

// Trial finds out whether something that is done again and again is sooner done together or by one alone. Where other programs, or other goroutines of the game, are on the processors,
// workers wait for each other, and together they can take twice as long as one. No result depends on it. The zero Trial begins with together.
//
// One way is taken for a while, then the other one for some times, and then the one that took less time.
type Trial struct {
	alone    bool // the way that is being taken
	trying   bool // it is the other one
	times    int  // since that began
	patience int  // how often a way is taken before the other is tried
	took     [trialTimes / 2]time.Duration
	usual    time.Duration // what the way took that was taken before the trial: see judge
}

const (
	// The other way is tried after so many times at first, after so many where it turned out to be the better one, and after twice as many each time that it is the worse one, up to the most.
	firstPatience, newPatience, mostPatience = 16, 32, 256

	// A trial is so many times, of which the later half counts: at first memory has to be made, or to come from afar. On a shared Xeon, where a step in parts
	// took 10 ms and one as a whole 7.5, the first five of those took as long.
	trialTimes = 16

	// A trial ends early if the last so many times each took a quarter longer than the other way usually does, and as many were before.
	surelyLost = 3
)

// Together reports whether to do it together the next time.
func (t *Trial) Together() bool {
	if t.patience == 0 {
		t.patience = firstPatience
	}
	switch {
	case !t.trying && t.times >= t.patience:
		t.usual = t.judge()
		t.alone, t.trying, t.times = !t.alone, true, 0
	case t.trying && (t.times >= trialTimes || t.isHopeless()):
		if t.isHopeless() || t.judge() > t.usual {
			t.patience = min(2*t.patience, mostPatience)
			t.alone = !t.alone
		} else {
			t.patience = newPatience
		}
		t.trying, t.times = false, 0
	}
	return !t.alone
}

// Note notes how long it took, the way that Together has said last.
func (t *Trial) Note(d time.Duration) {
	copy(t.took[1:], t.took[:])
	t.took[0] = d
	t.times++
}

// isHopeless reports whether the way that is being tried has so far taken so much longer than the other that it needn't be tried to the end.
func (t *Trial) isHopeless() bool {
	return t.times >= 2*surelyLost && slices.Min(t.took[:surelyLost]) > t.usual+t.usual/4
}

// judge returns how long the way that is being taken usually takes. Together is given a 32nd: to change the way costs some milliseconds.
func (t *Trial) judge() time.Duration {
	d := usual(t.took[:])
	if !t.alone {
		d -= d / 32
	}
	return d
}

// usual returns what usually is taken: the mean without the longest quarter. One step in seventy is taken twice, and now and then something else gets in the way.
func usual(took []time.Duration) time.Duration {
	var room [len(Trial{}.took)]time.Duration
	sorted := room[:copy(room[:], took)]
	slices.Sort(sorted)
	sorted = sorted[:len(sorted)*3/4]
	sum := time.Duration(0)
	for _, d := range sorted {
		sum += d
	}
	return sum / time.Duration(len(sorted))
}
