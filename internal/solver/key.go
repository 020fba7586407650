package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// newPath marks that body i is on another path than before.
func (s *Space) newPath(i int32) {
	m := &s.marks[i]
	m.stamp++
	m.key = s.pathKey(i)
}

// pathKey returns the key of the path that body i is on.
func (s *Space) pathKey(i int32) uint32 {
	b := &s.bodies[i]
	key := s.infos[i].nature + tiebreak.Hash(&b.x, &b.v)
	if s.flags[i]&spins != 0 {
		key += s.spins[s.infos[i].id].key()
	}
	return key
}

//go:noinline
func (p *spin) key() uint32 { return tiebreak.Hash(&p.w, &collide.Vec3{X: p.inverseInertia}) }
