package collide

import "testing"

// Touching isn't an overlap; a depth of a millionth of a metre is.
func TestOverlapWithASphere(t *testing.T) {
	square, err := NewPolygon(Vec3{X: -1, Y: -1}, Vec3{X: 1, Y: -1}, Vec3{X: 1, Y: 1}, Vec3{X: -1, Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y, z float64) Sphere { return Sphere{Center: Vec3{x, y, z}, Radius: 0.5} }
	box := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}
	segment := Segment{Vec3{X: -1}, Vec3{X: 1}}
	capsule := Capsule{Vec3{X: -1}, Vec3{X: 1}, 0.25}
	triangle := Triangle{Vec3{X: -1, Y: -1}, Vec3{X: 1, Y: -1}, Vec3{Y: 1}}
	floor := Plane{Normal: Vec3{Z: 1}}
	const a = 1e-6
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"point inside", OverlapSpherePoint(at(0, 0, 0), Vec3{X: 0.4}), true},
		{"point on the surface", OverlapSpherePoint(at(0, 0, 0), Vec3{X: 0.5}), false},
		{"point just inside", OverlapSpherePoint(at(0, 0, 0), Vec3{X: 0.5 - a}), true},
		{"plane cut", OverlapSpherePlane(at(0, 0, 0.2), floor), true},
		{"plane touched from behind", OverlapSpherePlane(at(0, 0, -0.5), floor), false},
		{"plane missed in front", OverlapSpherePlane(at(0, 0, 0.5+a), floor), false},
		{"plane missed behind", OverlapSpherePlane(at(0, 0, -0.5-a), floor), false},
		{"segment beside its middle", OverlapSphereSegment(at(0, 0.5-a, 0), segment), true},
		{"segment beyond its end", OverlapSphereSegment(at(1.5-a, 0, 0), segment), true},
		{"segment too far beyond its end", OverlapSphereSegment(at(1.5, 0, 0), segment), false},
		{"capsule beside its middle", OverlapSphereCapsule(at(0, 0.75-a, 0), capsule), true},
		{"capsule touched at its middle", OverlapSphereCapsule(at(0, 0.75, 0), capsule), false},
		{"capsule beyond its end", OverlapSphereCapsule(at(1.75-a, 0, 0), capsule), true},
		{"capsule touched at its end", OverlapSphereCapsule(at(1.75, 0, 0), capsule), false},
		{"capsule around the whole sphere", OverlapSphereCapsule(Sphere{Radius: 0.1}, capsule), true},
		{"triangle above its face", OverlapSphereTriangle(at(0, 0, 0.5-a), triangle), true},
		{"triangle below its face, too far", OverlapSphereTriangle(at(0, 0, -0.5-a), triangle), false},
		{"triangle at its tip", OverlapSphereTriangle(at(0, 1.5-a, 0), triangle), true},
		{"triangle beyond its tip", OverlapSphereTriangle(at(0, 1.5, 0), triangle), false},
		{"polygon above its face", OverlapSpherePolygon(at(0.9, 0.9, 0.5-a), square), true},
		{"polygon beside an edge", OverlapSpherePolygon(at(1.5-a, 0, 0), square), true},
		{"polygon beside a corner", OverlapSpherePolygon(at(1.4, 1.4, 0), square), false},
		{"box around the centre", OverlapSphereAABB(at(0, 0, 0), box), true},
		{"box touched at a face", OverlapSphereAABB(at(1.5-a, 0, 0), box), true},
		{"box missed at a corner", OverlapSphereAABB(at(1.4, 1.4, 1.4), box), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestSweepSphereStillEqualsARayCastAgainstTheGrownSphere(t *testing.T) {
	a, b := Sphere{Center: Vec3{X: -5, Y: 0.6}, Radius: 0.5}, Sphere{Radius: 1}
	got, outcome := SweepSphereStill(a, Vec3{X: 2}, b, 10)
	ray, hit := RayCastSphere(Ray{a.Center, Vec3{X: 2}}, Sphere{Center: b.Center, Radius: a.Radius + b.Radius}, 10)
	if outcome != Hit || hit != Hit || got.Time != ray.Time || got.CenterA != ray.Point {
		t.Errorf("got %v %+v and %v %+v", outcome, got, hit, ray)
	}
}
