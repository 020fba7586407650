// Package workers runs the pieces of a job on several goroutines, and keeps those goroutines ready
// between jobs.
//
// A parallel part of a step takes a few hundred microseconds. Waking a blocked goroutine takes
// about 100 µs, and a processor that was idle is slow for some milliseconds afterwards. Goroutines
// that wait therefore spin for up to 2 ms before they block.
//
// Which worker runs a piece, and whether a job runs in parallel at all, depends on timing. No
// result may depend on it: callers write to memory that belongs to the piece.
//
// Read pool.go first (Pool: acquire, run, release), then cond.go (spinCond: how workers wait), then
// tuner.go (Tuner: whether running in parallel is faster).
package workers
