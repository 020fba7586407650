package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
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
	key := s.infos[i].nature + hash(&b.x, &b.v)
	if s.flags[i]&spins != 0 {
		key += s.spins[s.infos[i].id].key()
	}
	return key
}

//go:noinline
func (p *spin) key() uint32 { return hash(&p.w, &collide.Vec3{X: p.inverseInertia}) }

// hash mixes two vectors into a number that depends on nothing but their bits. Events that are due at exactly the same
// time are taken in the order of such numbers: unlike an index, they are the same however the game
// happened to order its entities.
func hash(a, b *collide.Vec3) uint32 {
	h := math.Float64bits(a.X) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ math.Float64bits(a.Y)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ math.Float64bits(a.Z)) * 0x94d049bb133111eb
	h = (h ^ h>>29 ^ math.Float64bits(b.X)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ math.Float64bits(b.Y)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29 ^ math.Float64bits(b.Z)) * 0x94d049bb133111eb
	return uint32(h >> 32)
}
