package collide

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

func TestOverlapAABBPolygon(t *testing.T) {
	square, err := NewPolygon(Vec3{0, 0, 0}, Vec3{2, 0, 0}, Vec3{2, 2, 0}, Vec3{0, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	slanted, err := NewPolygon(Vec3{0, 0, 0}, Vec3{1, 0, 1}, Vec3{1, 1, 1}, Vec3{0, 1, 0})
	if err != nil {
		t.Fatal(err)
	}
	diamond, err := NewPolygon(Vec3{-2, 0, 0}, Vec3{0, -2, 0}, Vec3{2, 0, 0}, Vec3{0, 2, 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		box  AABB
		on   Polygon
		want bool
	}{
		{"a box around the whole polygon", AABB{Vec3{-1, -1, -1}, Vec3{3, 3, 1}}, square, true},
		{"a box that the middle of the polygon cuts", AABB{Vec3{0.9, 0.9, -1}, Vec3{1.1, 1.1, 1}}, square, true},
		{"a box that stands on it", AABB{Vec3{0.5, 0.5, 0}, Vec3{1, 1, 1}}, square, true},
		{"a box just above it", AABB{Vec3{0.5, 0.5, 0x1p-30}, Vec3{1, 1, 1}}, square, false},
		{"a box that touches an edge from outside", AABB{Vec3{2, 0, -1}, Vec3{3, 1, 1}}, square, true},
		{"a box beside an edge", AABB{Vec3{2.001, 0, -1}, Vec3{3, 1, 1}}, square, false},
		{"in the bounds, above the slant", AABB{Vec3{0, 0, 0.5}, Vec3{0.4, 1, 1}}, slanted, false},
		{"in the bounds, on the slant", AABB{Vec3{0, 0, 0.5}, Vec3{0.6, 1, 1}}, slanted, true},
		{"in the bounds, outside an edge that runs across", AABB{Vec3{1.1, 1.1, -1}, Vec3{2, 2, 1}}, diamond, false},
		{"a corner just over that edge", AABB{Vec3{0.9, 0.9, -1}, Vec3{2, 2, 1}}, diamond, true},
		{"an empty box", AABB{Vec3{1, 1, 1}, Vec3{0, 0, -1}}, square, false},
		{"no polygon", AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}, Polygon{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := OverlapAABBPolygon(c.box, c.on); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A sampled point of the polygon inside the box proves an overlap. The shapes are proven disjoint
// if the polygon is further from the box's centre than half the box's diagonal. Cases in between
// are covered by the table of TestOverlapAABBPolygon only.
func TestOverlapAABBPolygonAgreesWithSampledPoints(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	rng := rand.New(rand.NewPCG(3, 4))
	random := func() Vec3 { return Vec3{rng.Float64()*4 - 2, rng.Float64()*4 - 2, rng.Float64()*4 - 2} }
	overlaps, apart := 0, 0
	for range 5000 {
		a, b, c := random(), random(), random()
		p, err := NewPolygon(a, b, c)
		if err != nil {
			continue
		}
		box := NewAABB(random(), random())
		got := OverlapAABBPolygon(box, p)
		inside := false
		for range 300 {
			u, v := rng.Float64(), rng.Float64()
			if u+v > 1 {
				u, v = 1-u, 1-v
			}
			inside = inside || box.Contains(a.AddScaled(u, b.Sub(a)).AddScaled(v, c.Sub(a)))
		}
		if inside {
			overlaps++
			if !got {
				t.Fatalf("%v and %v %v %v have a common point, got no overlap", box, a, b, c)
			}
		}
		middle := box.Center()
		if p.ClosestPoint(middle).Distance(middle) > box.Size().Length()/2 {
			apart++
			if got {
				t.Fatalf("%v and %v %v %v are apart, got an overlap", box, a, b, c)
			}
		}
	}
	if overlaps < 500 || apart < 500 {
		t.Errorf("only %d overlaps and %d apart", overlaps, apart)
	}
}
