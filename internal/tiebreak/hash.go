package tiebreak

import (
	"unsafe"

	"github.com/dango-physics/dango/collide"
)

// Hash mixes two vectors into a number that depends on nothing but their bits. Unlike an index,
// it is the same however the game happened to order its entities.
func Hash(a, b *collide.Vec3) uint32 { return End(Begin(a), b) }

// Begin is the first half of Hash. The compiler inlines each half, but not both as one.
func Begin(a *collide.Vec3) uint64 {
	x := bitsOf(a)
	h := x[0] * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ x[1]) * 0xbf58476d1ce4e5b9
	return (h ^ h>>32 ^ x[2]) * 0x94d049bb133111eb
}

// End is the second half of Hash.
func End(h uint64, b *collide.Vec3) uint32 {
	x := bitsOf(b)
	h = (h ^ h>>29 ^ x[0]) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ x[1]) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29 ^ x[2]) * 0x94d049bb133111eb
	return uint32(h >> 32)
}

// bitsOf returns the bits of a vector. math.Float64bits would load each component into a register
// for floats first.
func bitsOf(v *collide.Vec3) *[3]uint64 { return (*[3]uint64)(unsafe.Pointer(v)) }
