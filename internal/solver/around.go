package solver

import (
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// around returns the facets of a mesh around body i, or nil.
func (s *Space) around(i int32) *statics.Around {
	if id := s.infos[i].id; s.subdomain == nil && int(id) < len(s.aroundOf) && s.aroundOf[id] > 0 {
		return &s.arounds[s.aroundOf[id]-1]
	}
	return nil
}

// needAround is around for a body in a contact, which will ask for the facets several times. It
// returns nil if there are no facets. The result is valid until the next call.
func (s *Space) needAround(i int32) *statics.Around {
	if s.statics.Facets() == 0 {
		return nil
	}
	id := s.infos[i].id
	s.aroundOf = grow.Extend(s.aroundOf, len(s.index))
	if s.aroundOf[id] == 0 {
		s.arounds = append(s.arounds, statics.Around{})
		s.aroundOf[id] = int32(len(s.arounds))
	}
	return &s.arounds[s.aroundOf[id]-1]
}

// forgetAround makes nothing refer to the mesh of surface k, which is to be removed.
func (s *Space) forgetAround(k int32) {
	if !s.statics.At(k).HasFacets() {
		return
	}
	for n := range s.arounds {
		s.arounds[n].Forget()
	}
	s.turningGaps.Forget()
}
