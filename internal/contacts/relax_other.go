//go:build !wasm || purego

package contacts

// relax is relaxGo.
func (s *Solver) relax(constraints []contactConstraint, factor, tolerance float64) (unsettled bool) {
	return s.relaxGo(constraints, factor, tolerance)
}
