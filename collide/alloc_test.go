package collide

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

var sink struct {
	c Contact
	o Outcome
	v Vec3
	r SlideResult
}

// sweeps returns the calls that a step or a query makes, by name. None may allocate.
func sweeps(tb testing.TB) map[string]func() {
	zero := Vec3{}
	ball, falling := Sphere{Vec3{0.1, 3, 0.2}, 0.5}, Vec3{0.2, -1, 0.1}
	tile := Triangle{Vec3{-2, 0, 2}, Vec3{2, 0, 2}, Vec3{0, 0, -2}}
	room, err := NewPolygon(Vec3{-2, 0, -2}, Vec3{-2, 0, 2}, Vec3{2, 0, 2}, Vec3{2, 0, -2})
	if err != nil {
		tb.Fatal(err)
	}
	floor := Plane{Normal: Vec3{Y: 1}}
	box := AABB{Vec3{-1, -1, -1}, Vec3{1, 0, 1}}
	ray := Ray{ball.Center, falling}
	corner := []SlideContact{{Normal: Vec3{Y: 1}}, {Normal: Vec3{X: -1}}, {Normal: Vec3{Z: -1}}}
	crush := []SlideContact{{Vec3{Y: 1}, Vec3{Y: 1}}, {Vec3{Y: -1}, Vec3{Y: -1}}}
	crate := Box{Center: Vec3{Y: 3}, Half: Vec3{0.5, 0.5, 0.5}}
	turned := Box{Half: Vec3{1, 1, 1}, Rotation: RotationAround(Vec3{1, 2, 3}, 1)}
	shaft := make([]SlideContact, 64)
	for i := range shaft {
		shaft[i].Normal, _ = Vec3{float64(i%8) - 3.5, float64(i/8) - 3.5, 0}.Normalized()
	}
	return map[string]func(){
		"SphereSphere hit": func() {
			sink.c, sink.o = SweepSphereSphere(ball, falling, Sphere{Vec3{}, 1}, zero, 10)
		},
		"SphereSphere exact": func() {
			sink.c, sink.o = SweepSphereSphere(Sphere{Vec3{X: 1.6, Y: 1e5}, 0.6}, Vec3{Y: -1}, Sphere{Vec3{}, 1},
				zero, 1e6)
		},
		"SphereSphere receding": func() {
			sink.c, sink.o = SweepSphereSphere(ball, Vec3{Y: 1}, Sphere{Vec3{}, 1}, zero, 10)
		},
		"SphereSphere too far": func() {
			sink.c, sink.o = SweepSphereSphere(ball, falling, Sphere{Vec3{}, 1}, zero, 0.1)
		},
		"SphereSphere passes by": func() {
			sink.c, sink.o = SweepSphereSphere(ball, falling, Sphere{Vec3{X: 3}, 1}, zero, 10)
		},
		"SphereStill hit": func() { sink.c, sink.o = SweepSphereStill(ball, falling, Sphere{Vec3{}, 1}, 10) },
		"SphereStill passes by": func() {
			sink.c, sink.o = SweepSphereStill(ball, falling, Sphere{Vec3{X: 3}, 1}, 10)
		},
		"SpherePoint hit": func() {
			sink.c, sink.o = SweepSpherePoint(ball, falling, Vec3{X: 0.7, Z: 0.3}, zero, 10)
		},
		"SpherePoint passes by": func() { sink.c, sink.o = SweepSpherePoint(ball, falling, Vec3{X: 3}, zero, 10) },
		"SpherePlane hit":       func() { sink.c, sink.o = SweepSpherePlane(ball, falling, floor, zero, 10) },
		"SpherePlane receding":  func() { sink.c, sink.o = SweepSpherePlane(ball, Vec3{Y: 1}, floor, zero, 10) },
		"SpherePlane too far":   func() { sink.c, sink.o = SweepSpherePlane(ball, falling, floor, zero, 0.1) },
		"SpherePlaneFront hit":  func() { sink.c, sink.o = SweepSpherePlaneFront(ball, falling, floor, zero, 10) },
		"SpherePlaneFront behind": func() {
			sink.c, sink.o = SweepSpherePlaneFront(Sphere{Vec3{Y: -3}, 0.5}, Vec3{Y: 1}, floor, zero, 10)
		},
		"SphereSegment hit": func() {
			sink.c, sink.o = SweepSphereSegment(ball, falling, Segment{Vec3{X: -1}, Vec3{X: 1}}, zero, 10)
		},
		"SphereSegment end": func() {
			sink.c, sink.o = SweepSphereSegment(ball, falling, Segment{Vec3{X: -1, Z: 0.4}, Vec3{X: 0.5, Z: 0.4}},
				zero, 10)
		},
		"SphereSegment passes by": func() {
			sink.c, sink.o = SweepSphereSegment(ball, falling, Segment{Vec3{X: -1, Z: 3}, Vec3{X: 1, Z: 3}}, zero, 10)
		},
		"SphereCapsule hit": func() {
			sink.c, sink.o = SweepSphereCapsule(ball, falling, Capsule{Vec3{X: -1}, Vec3{X: 1}, 0.2}, zero, 10)
		},
		"SphereCapsule end": func() {
			sink.c, sink.o = SweepSphereCapsule(ball, falling,
				Capsule{Vec3{X: -1, Z: 0.4}, Vec3{X: 0.5, Z: 0.4}, 0.2}, zero, 10)
		},
		"SphereCapsule passes by": func() {
			sink.c, sink.o = SweepSphereCapsule(ball, falling, Capsule{Vec3{X: -1, Z: 3}, Vec3{X: 1, Z: 3}, 0.2},
				zero, 10)
		},
		"SphereTriangle hit":     func() { sink.c, sink.o = SweepSphereTriangle(ball, falling, tile, zero, 10) },
		"SphereTriangle too far": func() { sink.c, sink.o = SweepSphereTriangle(ball, falling, tile, zero, 0.1) },
		"SphereTriangle passes by": func() {
			sink.c, sink.o = SweepSphereTriangle(Sphere{Vec3{4, 3, 0}, 0.5}, Vec3{Y: -1}, tile, zero, 10)
		},
		"SphereTriangleFront hit": func() { sink.c, sink.o = SweepSphereTriangleFront(ball, falling, tile, zero, 10) },
		"SphereTriangleFront behind": func() {
			sink.c, sink.o = SweepSphereTriangleFront(Sphere{Vec3{Y: -3}, 0.5}, Vec3{Y: 1}, tile, zero, 10)
		},
		"SpherePolygon face": func() { sink.c, sink.o = SweepSpherePolygon(ball, falling, room, zero, 10) },
		"SpherePolygon edge": func() {
			sink.c, sink.o = SweepSpherePolygon(Sphere{Vec3{2.1, 3, 0}, 0.5}, Vec3{Y: -1}, room, zero, 10)
		},
		"SpherePolygon corner": func() {
			sink.c, sink.o = SweepSpherePolygon(Sphere{Vec3{2.1, 3, 2.1}, 0.5}, Vec3{Y: -1}, room, zero, 10)
		},
		"SpherePolygon too far": func() { sink.c, sink.o = SweepSpherePolygon(ball, falling, room, zero, 0.1) },
		"SpherePolygon passes by": func() {
			sink.c, sink.o = SweepSpherePolygon(Sphere{Vec3{4, 3, 0}, 0.5}, Vec3{Y: -1}, room, zero, 10)
		},
		"SpherePolygonFront hit": func() { sink.c, sink.o = SweepSpherePolygonFront(ball, falling, room, zero, 10) },
		"SpherePolygonFront behind": func() {
			sink.c, sink.o = SweepSpherePolygonFront(Sphere{Vec3{Y: -3}, 0.5}, Vec3{Y: 1}, room, zero, 10)
		},
		"AABBAABB hit": func() { sink.c, sink.o = SweepAABBAABB(ball.Bounds(), falling, box, zero, 10) },
		"AABBAABB passes by": func() {
			sink.c, sink.o = SweepAABBAABB(ball.Bounds(), Vec3{X: 1, Y: -1}, box, zero, 10)
		},
		"RayCastCapsule": func() {
			sink.c, sink.o = RayCastCapsule(ray, Capsule{Vec3{X: -1}, Vec3{X: 1}, 0.2}, 10)
		},
		"Sweep boxes": func() { sink.c, sink.o = Sweep(crate, falling, turned, zero, 10) },
		"Sweep capsule and box": func() {
			sink.c, sink.o = Sweep(Capsule{Vec3{X: -1, Y: 3}, Vec3{X: 1, Y: 3}, 0.2}, falling, turned, zero, 10)
		},
		"Sweep box and triangle": func() { sink.c, sink.o = Sweep(crate, falling, tile, zero, 10) },
		"Sweep sphere and box":   func() { sink.c, sink.o = Sweep(ball, falling, turned, zero, 10) },
		"Separation":             func() { sink.v = Separation(crate, turned).Normal },
		"Overlaps":               func() { Overlaps(crate, turned) },
		"RayCast":                func() { sink.c, sink.o = RayCast(ray, turned, 10) },
		"SweepConvexPlane":       func() { sink.c, sink.o = SweepConvexPlane(crate, falling, floor, zero, 10) },
		"RayCastTriangle":        func() { sink.c, sink.o = RayCastTriangle(ray, tile, 10) },
		"RayCastPolygon":         func() { sink.c, sink.o = RayCastPolygon(ray, room, 10) },
		"RayCastAABB":            func() { sink.c, sink.o = RayCastAABB(ray, box, 10) },
		"Bounce":                 func() { sink.v, _, _ = Bounce(falling, zero, 1, 1, Vec3{Y: 1}, 0.5) },
		"Slide none":             func() { sink.v, sink.r = Slide(falling, nil) },
		"Slide plane":            func() { sink.v, sink.r = Slide(falling, corner[:1]) },
		"Slide crease":           func() { sink.v, sink.r = Slide(Vec3{1, -2, -3}, corner) },
		"Slide corner":           func() { sink.v, sink.r = Slide(Vec3{1, -2, 3}, corner) },
		"Slide shaft":            func() { sink.v, sink.r = Slide(Vec3{1, -2, 3}, shaft) },
		"Slide crushed":          func() { sink.v, sink.r = Slide(Vec3{1, -2, 3}, crush) },
	}
}

func TestSweepsDoNotAllocate(t *testing.T) {
	for name, f := range sweeps(t) {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

// The names in sweeps contain the expected outcome. A wrong name would make its benchmark
// misleading.
func TestNamesOfSweepsMatchTheirOutcomes(t *testing.T) {
	ends := map[string]Outcome{
		"hit": Hit, "face": Hit, "edge": Hit, "corner": Hit, "end": Hit,
		"receding": Miss, "too far": Miss, "passes by": Miss, "behind": Miss,
	}
	for name, f := range sweeps(t) {
		what, end, _ := strings.Cut(name, " ")
		want, ok := ends[end]
		if !ok || what == "Slide" {
			continue
		}
		if f(); sink.o != want {
			t.Errorf("%s: got %v, want %v", name, sink.o, want)
		}
	}
}

func BenchmarkSweeps(b *testing.B) {
	calls := sweeps(b)
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				calls[name]()
			}
		})
	}
}
