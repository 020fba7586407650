package statics_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// What breaks ties is the geometry with which a step began, whatever the step has done to a surface
// before it asks again: a step with several workers may begin again in the whole space.
func TestASurfaceKeepsItsKeyWhenItIsStoppedSlowedOrTurned(t *testing.T) {
	turning := statics.Turning{On: true, Angular: collide.Vec3{X: 0.5, Z: 2}}
	v, half, turn := collide.Vec3{X: 1, Y: 2}, collide.Vec3{X: 1, Y: 2, Z: 3}, collide.Quat{X: 0.6, W: 0.8}
	shapes := map[string]statics.Shape{
		"plane":        {Plane: collide.Plane{Normal: collide.Vec3{Y: 1}}, Velocity: v},
		"box":          {Half: half, Velocity: v, Rotation: turn},
		"rotating box": {Half: half, Turning: turning, Rotation: turn},
		"moving, too":  {Half: half, Velocity: v, Turning: turning, Rotation: collide.Quat{W: 1}},
	}
	changes := map[string]func(w *statics.Set, k int32){
		"stopped": func(w *statics.Set, k int32) { w.Stop(k, 0.25) },
		"slowed":  func(w *statics.Set, k int32) { w.Slow(k, 0.5) },
		"turned": func(w *statics.Set, k int32) {
			if w.At(k).Turning.On {
				w.Turn(k, collide.Vec3{Y: 1}, 0.25)
			}
		},
	}
	for shape, f := range shapes {
		for name, change := range changes {
			w := &statics.Set{}
			k := w.Add()
			w.Put(k, f)
			w.Update(0.5)
			key, middle := w.At(k).Key, w.At(k).Middle()
			change(w, k)
			w.Update(0.5)
			if w.At(k).Key != key || w.At(k).Middle() != middle {
				t.Errorf("%s, %s: key %d, middle %v, want %d and %v",
					shape, name, w.At(k).Key, w.At(k).Middle(), key, middle)
			}
			elsewhere := f
			elsewhere.Offset, elsewhere.Plane.Distance = collide.Vec3{X: 5}, 5
			if w.Put(k, elsewhere); w.At(k).Key == key {
				t.Errorf("%s, %s: has the same key in another place", shape, name)
			}
		}
	}
}
