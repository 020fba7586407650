package solver

// Rouse takes their rest away from all bodies, for tests that compare with a step in which none is passed over.
func (s *Space) Rouse() {
	for i := range s.flags {
		s.flags[i] &^= resting
	}
}
