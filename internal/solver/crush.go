package solver

import (
	"cmp"
	"slices"
)

// crushedBody is a body that couldn't give way, and the code of what pushed it and was stopped by it.
type crushedBody struct {
	time        float64
	key         uint32
	body, other int32
}

// noteCrushed notes that at time t body i stops what pushes it, something with that code and key. What doesn't move by itself isn't crushed. Each pair comes
// at most once in a step: what pushed doesn't move any more.
//
// In a part of a step the part tells it whose own the body is.
func (s *Space) noteCrushed(i, code int32, key uint32, t float64) {
	if s.infos[i].kind == Dynamic && s.owns(i) {
		s.crushedBodies = append(s.crushedBodies, crushedBody{t, s.pathKey(i) + key, s.infos[i].id, code})
	}
}

// EachCrushed calls yield with the bodies that something pushed in the last step although they couldn't give way, and the codes of what pushed them, in the order of time.
func (s *Space) EachCrushed(yield func(body, other int32)) {
	slices.SortFunc(s.crushedBodies, func(a, b crushedBody) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.key, b.key), cmp.Compare(a.body, b.body), cmp.Compare(b.other, a.other))
	})
	for k := range s.crushedBodies {
		yield(s.crushedBodies[k].body, s.crushedBodies[k].other)
	}
}
