//go:build !purego

package contacts

// relaxContacts is relaxGo for n contacts, with the same bits.
//
//go:noescape
func relaxContacts(
	first *contactConstraint, n int, bodies *solverBody, spins *solverSpin, rotations *rotationConstraint,
	factor, tolerance float64,
) (unsettled int)

// relax is relaxGo in assembly, because Go's code for WebAssembly takes twice as long: it jumps
// through a table for each branch, and computes the address of each number that it reads.
func (s *Solver) relax(constraints []contactConstraint, factor, tolerance float64) (unsettled bool) {
	if len(constraints) == 0 {
		return false
	}
	rotations := (*rotationConstraint)(nil)
	if len(s.rotations) > 0 {
		rotations = &s.rotations[0]
	}
	return relaxContacts(
		&constraints[0], len(constraints), &s.bodies[0], &s.spins[0], rotations, factor, tolerance,
	) != 0
}
