package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// startPath marks that body i is on another path than before.
func (s *Space) startPath(i int32) {
	m := &s.pathIDs[i]
	m.stamp++
	m.key = s.pathKey(i)
}

// pathKey returns the key of the path that body i is on.
func (s *Space) pathKey(i int32) uint32 {
	b := &s.bodies[i]
	key := s.infos[i].traits + tiebreak.Hash(&b.x, &b.v)
	if s.flags[i]&hasSpin != 0 {
		key += s.spins[s.infos[i].id].key()
	}
	return key
}

//go:noinline
func (p *spin) key() uint32 {
	return tiebreak.Hash(&p.angularVelocity, &collide.Vec3{X: p.inverseInertia})
}
