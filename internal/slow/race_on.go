//go:build race

package slow

// RaceDetector says whether the race detector is on. There, a sync.Pool forgets some of what it is
// given, at random, so tests don't count allocations.
const RaceDetector = true
