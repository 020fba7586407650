package tiebreak

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Hash mixes two vectors into a number that depends on nothing but their bits. Unlike an index,
// it is the same however the game happened to order its entities.
func Hash(a, b *collide.Vec3) uint32 {
	h := math.Float64bits(a.X) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ math.Float64bits(a.Y)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ math.Float64bits(a.Z)) * 0x94d049bb133111eb
	h = (h ^ h>>29 ^ math.Float64bits(b.X)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ math.Float64bits(b.Y)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29 ^ math.Float64bits(b.Z)) * 0x94d049bb133111eb
	return uint32(h >> 32)
}
