package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A shape is all above a plane with two sides, and its position, which is not inside of it, is
// below. It falls on the plane from above and rests there; once it was pushed out to the other
// side. From below it comes to rest at the other side, and a sensor in that plane notices nothing
// before the shape crosses the plane.
func TestAShapeBesideItsPositionStaysOnItsSideOfATwoSidedPlane(t *testing.T) {
	shapes := map[string]struct {
		shape     collide.Shape
		low, high float64 // its extent above its position
	}{
		"capsule": {collide.Capsule{A: vec(0, 1, 0), B: vec(0.5, 2, 0), Radius: 0.25}, 0.75, 2.25},
		"box":     {collide.Box{Center: vec(0, 3, 0), Half: vec(0.5, 0.25, 0.5)}, 2.75, 3.25},
	}
	for name, s := range shapes {
		for _, side := range []float64{1, -1} {
			w := donburi.NewWorld()
			plane := components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
			components.PlaneCollider.Get(plane).TwoSided = true
			sensor := components.CreatePlane(w, vec(0, side, 0), vec(0, 1, 0), components.Sensor)
			components.PlaneCollider.Get(sensor).TwoSided = true
			nearest := s.low // of the shape's extent to the plane at y = 0
			if side < 0 {
				nearest = s.high
			}
			e := components.CreateShapeBody(w, vec(0, 2*side-nearest, 0), s.shape)
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10*side, 0)})
			entered := -1
			for step := range 200 {
				p.Step(w)
				for c := range p.ContactBegins() {
					if c.Sensor {
						entered = step
					}
				}
			}
			// It falls from 2 m to 1 m above the plane in √0.2 s.
			if want := int(math.Sqrt(0.2) * 60); entered != want {
				t.Errorf("%s, side %v: in the sensor in step %d, want %d", name, side, entered, want)
			}
			if y := components.Transform.Get(e).Position.Y + nearest; math.Abs(y) > 1e-3 || y*side < -1e-9 {
				t.Errorf("%s, side %v: rests at %v, want 0", name, side, y)
			}
		}
	}
}
