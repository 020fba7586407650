package systems

// ForceParallelFrom makes steps of at least n moving bodies for each worker parallel.
func (p *Physics) ForceParallelFrom(n int) { p.space.ForceParallelFrom = n }

// SweepParallel is how characters sweep capsules with parallel axes.
var SweepParallel = sweepParallel
