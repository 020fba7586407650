package solver_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A ball that a force presses on a wall with friction spins up, until it bounces off the floor. The
// recorded path of its rotation knew of no change there.
func TestARecordedRotationEndsWhereTheBodyDoesAfterABounceOffItsContacts(t *testing.T) {
	for n := range 20 {
		w := newSpinWorld()
		w.space.KeepPaths = true
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(1))
		w.plane(collide.Vec3{X: 1}, 0, w.rough(0, 1))
		w.gravity = collide.Vec3{X: -8}
		height := 0.5 + 0.008*float64(n)
		b := ball{x: collide.Vec3{X: 0.5, Y: height}, v: collide.Vec3{Y: -9}, r: 0.5, mass: 1, material: bouncy(0)}
		k := w.add(b, bodySpin{w: collide.Vec3{X: -1, Z: -16}, inverseInertia: solidInverseInertia(b)})
		w.step()
		if w.spins[k].w == (collide.Vec3{X: -1, Z: -16}) {
			t.Errorf("height %v: nothing changes the spin, so this tests nothing", height)
		}
		got, ok := w.space.RotationAt(w.ids[k], w.space.Seconds)
		want := w.spins[k].rotation
		if d := (collide.Vec3{X: got.X - want.X, Y: got.Y - want.Y, Z: got.Z - want.Z}).Length(); !ok || d > 1e-14 {
			t.Errorf("height %v: the path ends at rotation %v, %v, the body at %v", height, got, ok, want)
		}
	}
}
