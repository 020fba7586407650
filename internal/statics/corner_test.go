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
