//go:build !purego

package contacts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// TestTheAssemblyRelaxesLikeGo compares what relax and relaxGo make of random contacts of a few
// bodies.
func TestTheAssemblyRelaxesLikeGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { // also zeros of both signs, and numbers that are the same
		return [...]float64{0, math.Copysign(0, -1), 1, r.NormFloat64(), r.NormFloat64()}[r.IntN(5)]
	}
	positive := func() float64 { return math.Abs(number()) }
	vector := func() collide.Vec3 { return collide.Vec3{X: number(), Y: number(), Z: number()} }
	unsettled := 0
	for n := range 1000 {
		var plain Solver
		for range 2 + r.IntN(4) {
			m := positive()
			mobility := collide.Vec3{X: m, Y: m, Z: positive()}
			plain.bodies = append(plain.bodies, solverBody{v: vector(), mobility: mobility})
			plain.spins = append(plain.spins, solverSpin{vector(), positive()})
		}
		for range r.IntN(8) {
			pair := r.Perm(len(plain.bodies))
			normal, _ := vector().Normalized()
			c := contactConstraint{
				a: int32(pair[0]), b: int32(pair[1]), normal: normal, normalImpulse: positive(),
				targetVelocity: number(), bound: -positive(), mass: positive(), softScale: r.Float64(),
				relaxedLoad: positive(), lastChange: 7,
				staticFriction: 2 * positive(), dynamicFriction: positive(), tangentMass: positive(),
				frictionImpulse: vector(), rotation: -1, slanted: r.IntN(3) == 0,
			}
			if r.IntN(2) == 0 {
				c.rotation = int32(len(plain.rotations))
				plain.rotations = append(plain.rotations, rotationConstraint{
					ra: positive(), rb: positive(), surfaceVelocity: vector(), angularMass: positive(),
					rollingLength: positive(), spinningLength: positive(), torqueImpulse: vector(),
				})
			}
			plain.constraints = append(plain.constraints, c)
		}
		fast := Solver{
			bodies: slices.Clone(plain.bodies), spins: slices.Clone(plain.spins),
			constraints: slices.Clone(plain.constraints), rotations: slices.Clone(plain.rotations),
		}
		for range 3 {
			factor, tolerance := 1+r.Float64(), positive()/4
			want := plain.relaxGo(plain.constraints, factor, tolerance)
			if got := fast.relax(fast.constraints, factor, tolerance); got != want {
				t.Fatalf("case %d: unsettled is %v, want %v", n, got, want)
			}
			if want {
				unsettled++
			}
			// A float's %v has all of its bits, but those of a NaN.
			got := fmt.Sprint(fast.bodies, fast.spins, fast.constraints, fast.rotations)
			if want := fmt.Sprint(plain.bodies, plain.spins, plain.constraints, plain.rotations); got != want {
				t.Fatalf("case %d: got\n%s, want\n%s", n, got, want)
			}
		}
	}
	if unsettled < 500 {
		t.Errorf("only %d of the iterations changed more than the tolerance", unsettled)
	}
}
