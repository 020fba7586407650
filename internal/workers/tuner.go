package workers

import (
	"slices"
	"time"
)

// Tuner chooses whether a job that is run again and again runs in parallel, by measuring both ways.
// When other programs or goroutines of the game use the same processors, workers wait for each
// other, and a parallel run can take twice as long as a serial one. The zero Tuner starts in
// parallel.
//
// One way is used for some time, then the other is tried for a few runs, and the faster one is used
// from then on. The choice must not change any result.
type Tuner struct {
	serial   bool                         // the way in use
	trying   bool                         // the way in use is on trial
	runs     int                          // runs since the trial, or the period between trials, began
	interval int                          // runs until the next trial
	times    [trialRuns / 2]time.Duration // of the last runs, the latest first
	rival    time.Duration                // during a trial: typical time of the way used before it
}

const (
	// Runs until a trial of the other way: firstInterval at first, newInterval after the other way
	// has won a trial. The interval doubles with each trial that is lost, up to maxInterval. With
	// shorter intervals more time is lost in trials of the slower way; with longer ones it takes
	// longer until a change in the machine's load is noticed.
	firstInterval, newInterval, maxInterval = 16, 32, 256

	// trialRuns is the length of a trial. Only its second half counts: in the first runs memory is
	// allocated, and caches are cold. On a shared Xeon, where a parallel step took 10 ms and a
	// serial one 7.5, the first five serial steps after a change took 10 as well.
	trialRuns = 16

	// A trial ends early if each of the last lostRuns runs took a quarter longer than the rival's
	// typical time, and at least 2·lostRuns were measured, or if each of the last hopelessRuns took
	// more than twice as long. The latter is what happens where another program keeps one of two
	// processors busy: parallel steps of 10,000 bodies then take 10 to 30 ms instead of 5.5.
	lostRuns, hopelessRuns = 3, 2
)

// Parallel reports whether the next run is to be parallel.
func (t *Tuner) Parallel() bool {
	if t.interval == 0 {
		t.interval = firstInterval
	}
	switch {
	case !t.trying && t.runs >= t.interval:
		t.rival = t.typical()
		t.serial, t.trying, t.runs = !t.serial, true, 0
	case t.trying && (t.runs >= trialRuns || t.isLost()):
		if t.isLost() || t.typical() > t.rival {
			t.interval = min(2*t.interval, maxInterval)
			t.serial = !t.serial
		} else {
			t.interval = newInterval
		}
		t.trying, t.runs = false, 0
	}
	return !t.serial
}

// Record adds the duration of a run that was made in the way that Parallel returned last.
func (t *Tuner) Record(d time.Duration) {
	copy(t.times[1:], t.times[:])
	t.times[0] = d
	t.runs++
}

// isLost reports whether the way on trial is so much slower than its rival that the trial can end
// now.
func (t *Tuner) isLost() bool {
	return t.runs >= 2*lostRuns && slices.Min(t.times[:lostRuns]) > t.rival+t.rival/4 ||
		t.runs >= hopelessRuns && slices.Min(t.times[:hopelessRuns]) > 2*t.rival
}

// typical returns the typical time of the way in use. Parallel runs are given an advantage of 1/32,
// because changing the way costs some milliseconds.
func (t *Tuner) typical() time.Duration {
	d := trimmedMean(t.times[:])
	if !t.serial {
		d -= d / 32
	}
	return d
}

// trimmedMean returns the mean of the times without the longest quarter of them: about one step in
// 70 is taken twice, and sometimes other work delays one.
func trimmedMean(times []time.Duration) time.Duration {
	var room [len(Tuner{}.times)]time.Duration
	sorted := room[:copy(room[:], times)]
	slices.Sort(sorted)
	sorted = sorted[:len(sorted)*3/4]
	sum := time.Duration(0)
	for _, d := range sorted {
		sum += d
	}
	return sum / time.Duration(len(sorted))
}
