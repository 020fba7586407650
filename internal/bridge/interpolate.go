package bridge

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Interpolated returns where a sphere or a surface was when a fraction alpha of the last step had
// passed, 0 to 1, and how it was rotated; of one that was in no step yet, where it is. The result
// is false for an entity that is unknown or has been removed from the world since.
//
// The first call makes the space note the ways of all things from the next step on, so that games
// that never ask have no cost. Until then motion counts as straight, and the rotation takes the
// shorter way.
func (b *Bridge) Interpolated(entity donburi.Entity, alpha float64) (components.TransformData, bool) {
	b.KeepPaths()
	handle, ok := b.registry.handle(entity)
	if !ok || !b.world.Valid(entity) {
		return components.TransformData{}, false
	}
	e := b.world.Entry(entity)
	if !e.HasComponent(components.Transform) {
		return components.TransformData{}, false
	}
	t := float64(alpha * b.space.Seconds)
	at := *components.Transform.Get(e)
	if handle.IsSurface() {
		at.Position = b.space.PlaceAt(handle.Surface(), at.Position, t)
		if left := b.space.StillToTurn(handle.Surface(), t); left != upright {
			at.Rotation = inverse(left).Mul(at.Rotation).Normalized()
		}
		return at, true
	}
	at.Position = b.space.PathAt(handle.Body(), t)
	if e.HasComponent(components.AngularVelocity) && b.registry.find(entity).kind != components.Static {
		spin := b.registry.spin(handle)
		if spin != nil && spin.turned != upright && spin.turned != (collide.Quat{}) {
			rotation, ok := b.space.RotationAt(handle.Body(), t)
			if !ok {
				rotation = scaledRotation(spin.turned, alpha)
			}
			at.Rotation = about(rotation, spin.fixed).Mul(inverse(spin.turned)).Mul(at.Rotation).Normalized()
		}
	}
	return at, true
}

// KeepPaths makes the space note the ways of all things from the next step on.
func (b *Bridge) KeepPaths() { b.space.KeepPaths = true }

// inverse returns the inverse of a rotation of unit length.
func inverse(q collide.Quat) collide.Quat { return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }

// scaledRotation returns a fraction of a rotation, t from 0 to 1, by the shorter way. It is exact
// for t = 0 and 1. Otherwise its angle may be off by a few degrees, for rotations of nearly half a
// turn.
func scaledRotation(q collide.Quat, t float64) collide.Quat {
	if q.W < 0 {
		q = collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: -q.W}
	}
	s := math.Abs(t)
	return collide.Quat{
		X: float64(t * q.X), Y: float64(t * q.Y), Z: float64(t * q.Z), W: 1 - s + float64(s*q.W),
	}.Normalized()
}
