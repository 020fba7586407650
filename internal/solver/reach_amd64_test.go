//go:build amd64 && !purego

package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// TestFourAtATimeFindsTheSame holds the assembly of the pair test against the Go beside it.
func TestFourAtATimeFindsTheSame(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2, so the assembly doesn't run")
	}
	r := rand.New(rand.NewPCG(1, 2))
	some := func(size float64) collide.Vec3 {
		return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
	}
	found, missed := 0, 0
	for range 20000 {
		bodies := make([]body, 1+r.IntN(30))
		size := math.Pow(10, 4*r.Float64()-2)
		for i := range bodies {
			bodies[i] = body{some(size), some(size), r.Float64() * size / 2, 1}
			if r.IntN(8) == 0 {
				bodies[i].v = collide.Vec3{}
			}
			if r.IntN(8) == 0 { // touching or the same, to rounding
				bodies[i].x = bodies[0].x.AddScaled(bodies[0].radius+bodies[i].radius, collide.Vec3{X: 1})
			}
		}
		var near []int32
		for range r.IntN(40) {
			near = append(near, int32(r.IntN(len(bodies))))
		}
		i := int32(r.IntN(len(bodies)))
		b := &bodies[i]
		deep := notDeep
		if r.IntN(2) == 0 {
			deep = maybeDeep
		}
		q := query{x: b.x, v: b.v, radius: b.radius, now: r.Float64() / 60, until: 1.0 / 60, untilLess: 1.0 / 60 * (1 - 0x1p-46), less: 1 - 0x1p-46, more: 1 + 0x1p-46, keep: 1 - deep}
		got, want := q.filter(bodies, i, slices.Clone(near), []int32{-7}), q.among(bodies, near, []int32{-7})
		if !slices.Equal(got, want) {
			t.Fatalf("body %d among %v: got %v, want %v", i, near, got, want)
		}
		found += len(want) - 1
		missed += len(near) - len(want) + 1
	}
	if found < 1000 || missed < 1000 {
		t.Errorf("%d pairs found and %d not", found, missed)
	}
}
