package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// The tests of this file took seconds to hours. Where what they are about comes back, go test ends
// with a timeout.

// A point that was thrown against a box took seconds in one of 60 calls: wherever it was in the box
// or near an edge, its way was divided into millions of parts.
func TestAThrownPointTakesNoSeconds(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, radius := range []float64{0, 1e-12, 1e-6} {
		r := rand.New(rand.NewPCG(2, 2))
		for range 2000 {
			p := Throw{normalVec(r, 3), normalVec(r, 5), Vec3{Y: -9.81}}
			b := Box{Half: Vec3{1, 1, 1}, Rotation: RotationBy(normalVec(r, 1))}
			c, outcome := SweepThrownSphereBox(p, radius, b, Vec3{}, 2)
			if outcome != Miss && !(c.Time >= 0 && c.Time <= 2) {
				t.Errorf("radius %v: %v at %v", radius, outcome, c.Time)
			}
		}
	}
	p := Throw{
		Vec3{-0.41371819039905144, 1e-308, 5e-324},
		Vec3{0.3871397509302444, -2.651351855343872, 0.549298360545861},
		Vec3{5e-324, 0.09151560430818229, 2.9741016980781683},
	}
	b := Box{
		Vec3{Z: -2.129704385619423},
		Vec3{1.7271204928951576, 1.455422350038621, 1.8947085345382249},
		Quat{X: 0.20580195693415365, Y: 0.0888949877057304, W: 0.9745477082641315},
	}
	for range 10 {
		SweepThrownSphereBox(p, 0, b, Vec3{4.669849356262043, 2.1317363595722063, -0.31910914250193084}, 0.398)
	}
}

func TestThrownSpecksAgreeWithConservativeAdvancement(t *testing.T) {
	n := slow.Cases(1000)
	for kind := range thrownShapes {
		r := rand.New(rand.NewPCG(uint64(kind), 12))
		for range n {
			c := thrownCase{
				a: Throw{normalVec(r, 2), normalVec(r, 4), normalVec(r, 5)}, shape: randomShape(r, kind),
				radius: math.Pow(10, -8*r.Float64()-2), vb: normalVec(r, 1), seconds: 2 * r.Float64(),
			}
			if r.IntN(2) == 0 {
				c.a = ThrowTo(c.a.Position, somewhereOn(c.shape), c.a.Acceleration, c.seconds*r.Float64())
			}
			c.check(t)
		}
	}
}

// A sphere that moves fast along a long segment took 4 s, and it was said to touch it only where
// that ends, though it comes nearer before. The time is that at which it begins to come nearer.
func TestAThrownSphereAlongALongSegmentTakesNoSeconds(t *testing.T) {
	for range 20 {
		c := thrownCase{
			a: Throw{Vec3{-0.87, 0.81, 1.23}, Vec3{0.93, 0.07, -0.94}, Vec3{1.05, -2.19, 1e9}}, radius: 4.1,
			shape: Segment{Vec3{-1.56, -4.1, 1e9}, Vec3{1.6, 1.1, -0.8}}, vb: Vec3{2.18, -0.74, 0.54}, seconds: 3.86,
		}
		got, outcome := c.sweep()
		if outcome != Overlap || math.Abs(got.Time-0.314885) > 1e-6 {
			t.Fatalf("%v at %v", outcome, got.Time)
		}
	}
}

// Rotating shapes with speeds of 1e30 gave no answer: the rounding of coordinates was more than the
// way, so that no part of it was found to be far from the shape.
func TestARotatingShapeAtAnImpossibleSpeedIsSweptInTime(t *testing.T) {
	for _, v := range []float64{1e20, 1e30, 1e50, 1e72} {
		for _, horizon := range []float64{1e-60, 1e-40, 1e-30, 1e-20, 1e-10, 1} {
			m := Rotating{Velocity: Vec3{Z: v}, Angular: Vec3{X: -1.7, Z: -2.4}, Seconds: 0.3}
			b := Box{Center: Vec3{X: 5}, Half: Vec3{0.5, 3, 3}}
			a := Sphere{Radius: 0.1}
			check := func(c Contact, outcome Outcome) {
				t.Helper()
				if outcome != Miss && !(c.Time >= 0 && c.Time <= horizon) {
					t.Errorf("%v m/s, horizon %v: %v at %v", v, horizon, outcome, c.Time)
				}
			}
			check(SweepSphereRotatingBox(a, Vec3{X: 2}, b, m, horizon))
			check(SweepSphereRotatingCapsule(a, Vec3{X: 2}, Capsule{b.Center, Vec3{X: 5, Y: 1}, 0.5}, m, horizon))
			f := RotatingFrame{Origin: b.Center, Motion: m}
			check(f.SweepCylinder(a, Vec3{X: 2}, Cylinder{Vec3{Y: -1}, Vec3{Y: 1}, 1}, 0, horizon))
		}
	}
}

// A speck near the rim of a cylinder that spins about its axis has nearly the same distance from it
// all the time. It took minutes, and some came into the cylinder by their whole radius. A contact
// that is found a little too soon is right here.
func TestASpeckAboveASpinningRimIsSweptInTimeAndNotMissed(t *testing.T) {
	b := Cylinder{Vec3{Y: -0.5}, Vec3{Y: 0.5}, 0.8}
	out := Vec3{X: 0.6, Y: 0.8}
	for _, radius := range []float64{1e-3, 1e-4, 1e-5, 1e-6} {
		for _, speed := range []float64{1e-2, 1e-4, 1e-5} {
			for _, spin := range []float64{0.2, 2, 20} {
				a := Sphere{Vec3{X: 0.8, Y: 0.5}.AddScaled(radius+0.7*speed, out), radius}
				f := RotatingFrame{Motion: Rotating{Angular: Vec3{Y: spin}, Seconds: 2}}
				for _, towards := range []float64{1, 0, -1} {
					va := out.Scale(-towards * speed)
					got, outcome := f.SweepCylinder(a, va, b, 0, 2)
					what := fmt.Sprintf("radius %v, speed %v, spin %v, %v", radius, speed, spin, towards)
					gap := b.SignedDistance(a.Center.AddScaled(got.Time, va)) - radius
					switch {
					case towards > 0 && (outcome != Hit || gap < -1e-10 || gap > 1e-6):
						t.Errorf("%s: %v at %v with a gap of %v", what, outcome, got.Time, gap)
					case towards <= 0 && outcome == Hit && gap > 1e-6, outcome == Overlap:
						t.Errorf("%s: %v with a gap of %v", what, outcome, gap)
					}
				}
			}
		}
	}
}
