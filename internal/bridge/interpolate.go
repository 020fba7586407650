package bridge

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Interpolated returns where a sphere was when a fraction alpha of the last step had passed, 0 to
// 1, and how it was turned. The rotation takes the shorter way. The result is false for an entity
// that was no sphere of the last step, or has been removed from the world since.
func (b *Bridge) Interpolated(entity donburi.Entity, alpha float64) (components.TransformData, bool) {
	handle, ok := b.registry.handle(entity)
	if !ok || handle.IsSurface() || !b.world.Valid(entity) {
		return components.TransformData{}, false
	}
	e := b.world.Entry(entity)
	if !e.HasComponent(components.Transform) {
		return components.TransformData{}, false
	}
	at := components.TransformData{
		Position: b.space.StartPosition(handle.Body()).Lerp(b.space.State(handle.Body()).Position, alpha),
		Rotation: components.Transform.Get(e).Rotation,
	}
	if e.HasComponent(components.AngularVelocity) && b.registry.find(entity).kind != components.Static {
		if turned := b.registry.spins[handle].turned; turned != upright && turned != (collide.Quat{}) {
			at.Rotation = scaledRotation(turned, alpha-1).Mul(at.Rotation).Normalized()
		}
	}
	return at, true
}

// scaledRotation returns a fraction of a rotation, t from -1 to 1, by the shorter way. It is exact
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
