package solver

import "github.com/dango-physics/dango/internal/grow"

// Pairs that don't approach: those that a group of impacts keeps apart, see impactgroup.go, and
// bodies that only graze a surface.

// apartPair says that two things don't approach on their present paths, although the rounding of
// these may make it look so. Each of the two has one.
type apartPair struct {
	other        int32  // an id or a surface code
	stamp, their uint32 // of their paths
	next         int32  // the owner's next one; -1 for none
	forStep      bool   // the two are kept from meeting for the rest of the step
	overlap      bool   // they overlap by more than rounding: separate moves them apart
}

// keepApart notes that members a and b of the group don't approach on their new paths.
func (s *Space) keepApart(a, b int32, forStep, overlap bool) {
	if i := s.group.parts[a].code; i >= 0 {
		s.noteApart(i, s.memberCode(b), forStep, overlap)
	}
}

// noteApart is keepApart for body i and code, an id or a surface's code.
func (s *Space) noteApart(i, code int32, forStep, overlap bool) {
	if len(s.apartPairs) == 0 {
		s.firstApart = grow.Resize(s.firstApart, len(s.bodies))
		clear(s.firstApart)
	}
	at := s.firstApartOf(i)
	for at >= 0 && s.apartPairs[at].other != code {
		at = s.apartPairs[at].next
	}
	if at < 0 {
		at = int32(len(s.apartPairs))
		s.apartPairs = append(s.apartPairs, apartPair{other: code, next: s.firstApartOf(i)})
		s.firstApart[i] = at + 1
	}
	h := &s.apartPairs[at]
	h.stamp, h.their, h.forStep = s.pathIDs[i].Stamp, s.stampOf(code), h.forStep || forStep
	h.overlap = overlap
}

// areApart reports whether body i and code, an id or a surface's code, are known not to approach. A
// body and a surface that overlap and whose group was jammed count as such: separate moves the body
// out. Two bodies meet again if something else changes their paths.
func (s *Space) areApart(i, code int32) bool {
	for at := s.firstApartOf(i); at >= 0; at = s.apartPairs[at].next {
		if h := &s.apartPairs[at]; h.other == code {
			return h.forStep && h.overlap && code < 0 || h.stamp == s.pathIDs[i].Stamp && h.their == s.stampOf(code)
		}
	}
	return false
}

// passSurface predicts the next impact of body i, which has come to surface k at time t on a
// straight path, and does not approach it. As long as both paths stay what they are, k counts no
// more. Only the first impact with a surface is predicted: without this, the body would meet
// nothing else in the step.
func (s *Space) passSurface(i, k int32, t float64) {
	s.noteApart(i, codeOf(k), false, false)
	s.repredictSurfaces(i, t)
}

// firstApartOf returns the first of the apartPairs of body i in this step, or -1.
func (s *Space) firstApartOf(i int32) int32 {
	if len(s.apartPairs) == 0 {
		return -1
	}
	return s.firstApart[i] - 1
}
