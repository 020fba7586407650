package statics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A ball met the edge of a polygon 3e-10 m beside a corner. The sweep found the corner, at the same
// time up to rounding, and its normal was tilted by 1e-9 along the edge. So the other end of the
// edge was above the plane of the contact, which counted as hidden, and the ball went through.
func TestABallMeetsAnEdgeCloseToACorner(t *testing.T) {
	met := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 74))
		size := math.Exp(4*r.Float64() - 1)
		q, at := someRotation(r), vector(r, 5)
		var corners []collide.Vec3
		for _, c := range []collide.Vec3{{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1}} {
			corners = append(corners, q.Rotate(c.Scale(size)).Add(at))
		}
		polygon, err := collide.NewPolygon(corners...)
		if err != nil {
			t.Fatal(err)
		}
		var w Set
		k := w.Add()
		w.Put(k, Shape{Polygon: &polygon, TwoSided: r.IntN(2) == 0})
		w.Update(seconds)
		// Over the edge, beside one of its ends.
		radius := 0.01 + 0.5*r.Float64()
		beside := math.Exp(-32*r.Float64()) * 1e-2
		if r.IntN(2) == 0 {
			beside = -beside
		}
		out := radius * r.Float64()
		local := collide.Vec3{X: -size + beside, Y: 2 * radius, Z: size + 0.9*out}
		x := q.Rotate(local).Add(at)
		v := q.Rotate(collide.Vec3{Y: -4 * radius / seconds})
		all := func(int32) bool { return true }
		hides := func(int32, int32, float64) bool { return true }
		first, _, n := w.First(nil, &x, &v, radius, 0, math.Inf(1), all, hides, func(int32) {})
		closest := polygon.ClosestPoint(x.AddScaled(min(first, seconds), v))
		if gap := closest.Distance(x.AddScaled(min(first, seconds), v)) - radius; math.Abs(gap) > 1e-12*(1+size) {
			t.Errorf("seed %d: %v m beside a corner, the gap is %v at the first impact, %v", seed, beside, gap, first)
			continue
		}
		met++
		across := collide.Vec3{X: min(beside, 0), Z: 0.9 * out}
		across.Y = math.Sqrt(radius*radius - across.LengthSquared())
		want := across.Scale(1 / radius)
		if got := inverseOf(q).Rotate(n); got.Distance(want) > 2e-6 { // see faceTilt
			t.Errorf("seed %d: %v m beside a corner, the normal is %v, want %v", seed, beside, got, want)
		}
	}
	if met < 3900 {
		t.Errorf("%d impacts, want more", met)
	}
}

// The far corner of a polygon hid the contact of a ball that touched its edge: along 40 m, rounding
// alone tilts the normal by more than what counts as hidden. The ball was not moved out of the
// edge, and did not rest on it.
func TestABallTouchesTheEdgeOfALargePolygon(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 75))
		size := math.Exp(9*r.Float64() - 1)
		q, at := someRotation(r), vector(r, 5)
		var w Set
		k := w.Add()
		w.Put(k, tileAt(t, Polygon, q, at, -size, size, size))
		w.Update(seconds)
		radius := 0.01 + 0.5*r.Float64()
		out := 0.9 * radius * r.Float64()
		up := math.Sqrt(radius*radius - out*out)
		beside := math.Exp(-32*r.Float64()) * size
		x := q.Rotate(collide.Vec3{X: -size + beside, Y: up, Z: size + out}).Add(at)
		_, n, ok := w.Touch(nil, k, x, radius, 0, func(int32, int32, float64) bool { return true })
		want := collide.Vec3{Y: up / radius, Z: out / radius}
		if got := inverseOf(q).Rotate(n); !ok || got.Distance(want) > 2e-6 {
			t.Errorf("seed %d: %v m beside the corner of a polygon of %v m, touched: %v, normal %v, want %v",
				seed, beside, size, ok, got, want)
		}
	}
}

// A ball fell on the outer edge of two tiles in a row where they meet, with a gap of a rounding. It
// touched the corner of each, with a normal tilted towards the other one, and each hid the contact
// of the other: the ball went through.
func TestABallMeetsTheEdgeOfTwoTilesWhereTheyMeet(t *testing.T) {
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 76))
		size := math.Exp(5*r.Float64() - 1)
		gap := math.Pow(10, -15+5*r.Float64()) * float64(r.IntN(3)-1)
		q, at := someRotation(r), vector(r, 5)
		kinds := [3]Kind{Polygon, Mesh, Box}
		var w Set
		w.Put(w.Add(), tileAt(t, kinds[r.IntN(3)], q, at, -2*size-gap/2, -gap/2, size))
		w.Put(w.Add(), tileAt(t, kinds[r.IntN(3)], q, at, gap/2, 2*size+gap/2, size))
		w.Update(seconds)
		radius := 0.01 + 0.5*r.Float64()
		beside := gap * (r.Float64() - 0.5)
		if r.IntN(3) == 0 {
			beside = math.Exp(-32*r.Float64()) * 1e-2
		}
		out := 0.9 * radius * r.Float64()
		x := q.Rotate(collide.Vec3{X: beside, Y: 2 * radius, Z: size + out}).Add(at)
		v := q.Rotate(collide.Vec3{Y: -4 * radius / seconds})
		all := func(int32) bool { return true }
		hides := func(int32, int32, float64) bool { return true }
		first, k, n := w.First(nil, &x, &v, radius, 0, math.Inf(1), all, hides, func(int32) {})
		want := collide.Vec3{Y: math.Sqrt(radius*radius-out*out) / radius, Z: out / radius}
		if got := inverseOf(q).Rotate(n); k < 0 || got.Distance(want) > 2e-6 {
			t.Errorf("seed %d: %v m beside a gap of %v m, tiles of %v m: surface %d is met at %v, normal %v, want %v",
				seed, beside, gap, size, k, first, got, want)
		}
	}
}

// tileAt returns a square or box with its top at y = 0 in a frame, between two x and from -z to z.
func tileAt(t *testing.T, kind Kind, q collide.Quat, at collide.Vec3, low, high, z float64) Shape {
	t.Helper()
	var corners []collide.Vec3
	for _, c := range []collide.Vec3{{X: low, Z: z}, {X: high, Z: z}, {X: high, Z: -z}, {X: low, Z: -z}} {
		corners = append(corners, q.Rotate(c).Add(at))
	}
	switch kind {
	case Box:
		middle, half := float64((low+high)/2), float64((high-low)/2)
		center := q.Rotate(collide.Vec3{X: middle, Y: -z}).Add(at)
		return Shape{Half: collide.Vec3{X: half, Y: z, Z: z}, Rotation: q, Offset: center}
	case Mesh:
		mesh, err := collide.NewMesh(corners, []uint32{0, 1, 2, 0, 2, 3}, collide.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return Shape{Mesh: mesh, Rotation: collide.Quat{W: 1}}
	}
	polygon, err := collide.NewPolygon(corners...)
	if err != nil {
		t.Fatal(err)
	}
	return Shape{Polygon: &polygon}
}
