//go:build amd64 && !purego

package contacts

// UseAVX2 switches the assembly on or off, where the processor can run it, and returns whether it
// was on.
func UseAVX2(on bool) (was bool) {
	was, hasAVX2 = hasAVX2, on
	return was
}

// Batches returns how many batches the last island had that was solved in batches.
func (s *Solver) Batches() int { return len(s.batches.batches) }
