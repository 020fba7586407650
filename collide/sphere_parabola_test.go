package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// thrownCase is a sphere on a parabola and a shape that moves at a constant velocity.
type thrownCase struct {
	a       Throw
	radius  float64
	shape   any
	vb      Vec3
	seconds float64
}

func (c *thrownCase) sweep() (Contact, Outcome) {
	switch b := c.shape.(type) {
	case Plane:
		return SweepThrownSpherePlane(c.a, c.radius, b, false, c.vb, c.seconds)
	case Sphere:
		return SweepThrownSphereSphere(c.a, c.radius, b, c.vb, c.seconds)
	case Segment:
		return SweepThrownSphereSegment(c.a, c.radius, b, c.vb, c.seconds)
	case Capsule:
		return SweepThrownSphereCapsule(c.a, c.radius, b, c.vb, c.seconds)
	case Polygon:
		return SweepThrownSpherePolygon(c.a, c.radius, b, false, c.vb, c.seconds)
	case Box:
		return SweepThrownSphereBox(c.a, c.radius, b, c.vb, c.seconds)
	}
	panic("unknown shape")
}

// gap is the distance of the sphere from the shape at time t: the oracle.
func (c *thrownCase) gap(t float64) float64 {
	p := c.a.Position.AddScaled(t, c.a.Velocity).AddScaled(t*t/2, c.a.Acceleration).AddScaled(-t, c.vb)
	if s, ok := c.shape.(Sphere); ok {
		return p.Distance(s.Center) - s.Radius - c.radius
	}
	resting := rotatingCase{a: Sphere{p, c.radius}, shape: c.shape, m: Rotating{Seconds: 1}}
	return resting.gap(0)
}

func (c *thrownCase) firstBelow(level float64) (t float64, ok, known bool) {
	rate := c.a.Velocity.Sub(c.vb).Length() + c.a.Acceleration.Length()*c.seconds
	for range 20000 {
		g := c.gap(t) - level
		if g <= -level/2 {
			return t, true, true
		}
		if t += (g - level/4) / rate; !(t <= c.seconds) {
			return 0, false, true
		}
	}
	return t, false, false
}

// thrownShapes is the number of shapes of randomShape, the first ones, that thrown spheres meet.
const thrownShapes = 6

// check compares the sweep with the oracle, and reports whether it is a hit.
func (c *thrownCase) check(t *testing.T) bool {
	t.Helper()
	if c.gap(0) <= 0 {
		return false
	}
	size := c.a.Position.Length() + c.seconds*(c.a.Velocity.Length()+c.vb.Length()) +
		c.seconds*c.seconds*c.a.Acceleration.Length()
	tolerance := 1e-13 * (1 + size)
	late, exists, known := c.firstBelow(-4 * tolerance)
	contact, outcome := c.sweep()
	switch {
	case outcome == Overlap:
		t.Fatalf("overlap: %+v", c)
	case outcome == Miss && known && exists:
		t.Fatalf("missed at %v: %+v", late, c)
	case outcome == Miss:
		return false
	case known && exists && contact.Time > late+1e-15:
		t.Fatalf("hit at %v, too late after %v: %+v", contact.Time, late, c)
	}
	if g := c.gap(contact.Time); math.Abs(g) > 4*tolerance {
		t.Fatalf("hit at %v with gap %v: %+v", contact.Time, g, c)
	}
	return true
}

func TestThrownSpheresAgreeWithConservativeAdvancement(t *testing.T) {
	n := slow.Cases(20000)
	for kind := range thrownShapes + 1 {
		r := rand.New(rand.NewPCG(uint64(kind), 8))
		hits := 0
		for range n {
			c := thrownCase{
				a:      Throw{normalVec(r, 2), normalVec(r, 4), normalVec(r, 5)},
				radius: math.Exp(r.NormFloat64() - 2), vb: normalVec(r, 1), seconds: 2 * r.Float64(),
			}
			if kind < thrownShapes {
				c.shape = randomShape(r, kind)
			} else {
				c.shape = Sphere{normalVec(r, 1), r.Float64()}
			}
			if r.IntN(2) == 0 { // it comes close to the shape
				c.a = ThrowTo(c.a.Position, somewhereOn(c.shape), c.a.Acceleration, c.seconds*r.Float64())
			}
			if c.check(t) {
				hits++
			}
		}
		if hits < n/50 {
			t.Errorf("shape %d: only %d of %d hit", kind, hits, n)
		}
	}
}

// TestAThrownBallMeetsACornerWhereTheClosedFormSays throws a ball so that its centre is at a known
// point at a known time, a radius away from a corner.
func TestAThrownBallMeetsACornerWhereTheClosedFormSays(t *testing.T) {
	gravity := Vec3{Y: -9.81}
	for _, seconds := range []float64{0.01, 0.25, 1, 3} {
		corner, radius := Vec3{X: 3, Y: 1}, 0.25
		n := Vec3{X: -0.6, Y: 0.8}
		throw := ThrowTo(Vec3{}, corner.AddScaled(radius, n), gravity, seconds)
		if throw.VelocityAt(seconds).Dot(n) > -0.1 {
			t.Fatal("it doesn't arrive from outside")
		}
		c, outcome := SweepThrownSphereSphere(throw, radius, Sphere{Center: corner}, Vec3{}, 2*seconds)
		if outcome != Hit || math.Abs(c.Time-seconds) > 1e-12 || c.Normal.Distance(n) > 1e-12 {
			t.Errorf("got %v at %v, normal %v, want %v, %v", outcome, c.Time, c.Normal, seconds, n)
		}
	}
}

func TestThrownSweepsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for kind := range thrownShapes {
		c := thrownCase{radius: 0.1, shape: randomShape(r, kind), seconds: 1}
		c.a = Throw{normalVec(r, 2), normalVec(r, 4), normalVec(r, 5)}
		if n := testing.AllocsPerRun(10, func() { c.sweep() }); n != 0 {
			t.Errorf("%v allocations with shape %d", n, kind)
		}
	}
}

// TestAThrownPointThatGrazesASheetIsNotHitByItsOtherSide throws a point so that it turns back
// exactly where it reaches a plane or a polygon.
func TestAThrownPointThatGrazesASheetIsNotHitByItsOtherSide(t *testing.T) {
	square, err := NewPolygon(Vec3{X: 8, Z: -8}, Vec3{X: -8, Z: -8}, Vec3{X: -8, Z: 8}, Vec3{X: 8, Z: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []float64{1, -1} {
		graze := Throw{Vec3{Y: side}, Vec3{X: 1, Y: -2 * side}, Vec3{Y: 2 * side}} // Y is side·(1-t)²
		turned := Throw{Vec3{-1, -1, 2}, Vec3{Z: 2 * side}, Vec3{Z: -2 * side}}
		rest := Throw{Vec3{}, Vec3{}, Vec3{Y: side}}
		through := Throw{Vec3{Y: side}, Vec3{Y: -2.5 * side}, Vec3{Y: 2 * side}}
		for name, shape := range map[string]any{"plane": Plane{Normal: Vec3{Y: 1}}, "polygon": square} {
			for _, seconds := range []float64{2, 3, 20} {
				for i, a := range []Throw{graze, rest} {
					c := thrownCase{a: a, shape: shape, seconds: seconds}
					if contact, outcome := c.sweep(); outcome != Miss {
						t.Errorf("%s, throw %d, side %v, %v s: %v at %v, normal %v", name, i, side, seconds, outcome,
							contact.Time, contact.Normal)
					}
				}
				c := thrownCase{a: through, shape: shape, seconds: seconds}
				if contact, outcome := c.sweep(); outcome != Hit || contact.Time != 0.5 || contact.Normal.Y != side {
					t.Errorf("%s, side %v, %v s: %v at %v, normal %v, want a hit at 0.5", name, side, seconds, outcome,
						contact.Time, contact.Normal)
				}
			}
		}
		n := Vec3{1, 2, 1}.Scale(1 / math.Sqrt(6)).Neg()
		c := thrownCase{a: turned, shape: Plane{Normal: n}, seconds: 20}
		if contact, outcome := c.sweep(); outcome == Hit && side > 0 {
			t.Errorf("slanted: hit at %v, normal %v", contact.Time, contact.Normal)
		}
	}
}

// TestAPointOnACurveHitsTheFaceOfASolidThatItEnters lets it enter at a place where the sweep halves
// the curve, so that a part begins on the surface.
func TestAPointOnACurveHitsTheFaceOfASolidThatItEnters(t *testing.T) {
	box := Box{Half: Vec3{0.75, 0.5, 0.75}}
	throw := Throw{Vec3{Y: -1, Z: -2}, Vec3{-1.5, 2.5, 2}, Vec3{1, -3, 0}}
	if c, outcome := SweepThrownSphereBox(throw, 0, box, Vec3{}, 20); outcome != Hit || c.Normal != (Vec3{Z: -1}) {
		t.Errorf("thrown into a box: %v at %v, normal %v", outcome, c.Time, c.Normal)
	}
	corners := box.Corners()
	hull, err := NewHull(corners[:])
	if err != nil {
		t.Fatal(err)
	}
	cylinder := Cylinder{A: Vec3{Z: -0.75}, B: Vec3{Z: 0.75}, Radius: 1}
	for _, v := range []Vec3{{0.5, -0.25, 2}, {-0.5, 0.25, 2}, {-0.25, -0.5, 2}, {0.25, 0.5, 2}} {
		for _, end := range []float64{-1, 1} { // enters through the ends at 0.5 s
			v := Vec3{v.X, v.Y, -end * v.Z}
			a := Sphere{Center: Vec3{Z: 0.75 * end}.AddScaled(-0.5, v).Add(Vec3{X: 0.25, Y: 0.125})}
			for name, shape := range map[string]any{"box": box, "hull": hull, "cylinder": cylinder} {
				c := rotatingCase{a: a, va: v, shape: shape, m: Rotating{Seconds: 1}, seconds: 1}
				contact, outcome := c.sweep()
				if outcome != Hit || contact.Time != 0.5 || contact.Normal.Distance(Vec3{Z: end}) > 1e-15 {
					t.Errorf("%s: %v at %v, normal %v, want a hit at 0.5, normal Z %v", name, outcome, contact.Time,
						contact.Normal, end)
				}
			}
		}
	}
}
