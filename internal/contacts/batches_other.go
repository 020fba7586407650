//go:build !amd64 || purego

package contacts

// batchScratch is empty: see batches_amd64.go.
type batchScratch struct{}

// prepareBatches returns false: without assembly, contacts are solved one after the other.
func (s *Solver) prepareBatches(*island, []contactConstraint) bool { return false }

func (s *Solver) relaxPrepared(_, _ float64) bool         { return false }
func (s *Solver) passImpulses(_ []contactConstraint)      {}
func (s *Solver) passImpulse(_ int, _ *contactConstraint) {}
func (s *Solver) takeImpulses(_ []contactConstraint)      {}
func (s *Solver) takeImpulse(_ int, _ *contactConstraint) {}

func (s *Solver) endPreparedApproaches(_ []contactConstraint, _, _ float64) {}
