package collide

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// rotatingCase is a sphere on a straight path and a shape that rotates.
type rotatingCase struct {
	a       Sphere
	va      Vec3
	m       Rotating
	shape   any
	seconds float64
}

// sweep calls the sweep under test.
func (c *rotatingCase) sweep() (Contact, Outcome) {
	switch b := c.shape.(type) {
	case Plane:
		return SweepSphereRotatingPlane(c.a, c.va, b, false, c.m, c.seconds)
	case Segment:
		return SweepSphereRotatingSegment(c.a, c.va, b, c.m, c.seconds)
	case Capsule:
		return SweepSphereRotatingCapsule(c.a, c.va, b, c.m, c.seconds)
	case Polygon:
		return SweepSphereRotatingPolygon(c.a, c.va, b, false, c.m, c.seconds)
	case Box:
		return SweepSphereRotatingBox(c.a, c.va, b, c.m, c.seconds)
	case *Hull:
		return RotatingFrame{Motion: c.m}.SweepHull(c.a, c.va, b, 0, c.seconds)
	case Cylinder:
		return RotatingFrame{Motion: c.m}.SweepCylinder(c.a, c.va, b, 0, c.seconds)
	case *Mesh:
		frame := RotatingFrame{Motion: c.m}
		within := frame.Within(c.a, c.va, 0, c.seconds)
		first, outcome := Contact{Time: math.Inf(1)}, Miss
		b.EachFacetAt(within.Center, within.Radius, func(t Facet) {
			if k, on := frame.SweepFacet(c.a, c.va, t, 0, c.seconds); on != Miss && k.Time < first.Time {
				first, outcome = k, on
			}
		})
		return first, outcome
	}
	panic("unknown shape")
}

// turnedAngle is the angle by which the shape has rotated at time t, from the definition of the
// interpolation, with the functions of package math.
func (c *rotatingCase) turnedAngle(t float64) float64 {
	angle := c.m.Angular.Length() * c.m.Seconds
	n := max(1, math.Ceil(angle/MaxRotationPiece))
	piece := min(math.Floor(t/c.m.Seconds*n), n-1)
	s := t/c.m.Seconds*n - piece
	half := angle / n / 2
	return piece*angle/n + 2*math.Atan2(s*math.Sin(half), 1-s*(1-math.Cos(half)))
}

// gap is the distance of the sphere from the shape at time t, negative inside: the oracle. It turns
// the sphere back into the shape's frame by Rodrigues' formula.
func (c *rotatingCase) gap(t float64) float64 {
	d := c.a.Center.AddScaled(t, c.va).Sub(c.m.Pivot.AddScaled(t, c.m.Velocity))
	if k, ok := c.m.Angular.Normalized(); ok {
		sin, cos := math.Sincos(-c.turnedAngle(t))
		d = d.Scale(cos).Add(k.Cross(d).Scale(sin)).Add(k.Scale(k.Dot(d) * (1 - cos)))
	}
	p := d.Add(c.m.Pivot)
	switch b := c.shape.(type) {
	case Plane:
		return math.Abs(b.SignedDistance(p)) - c.a.Radius
	case Segment:
		return p.Distance(b.ClosestPoint(p)) - c.a.Radius
	case Capsule:
		return p.Distance(Segment{b.A, b.B}.ClosestPoint(p)) - c.a.Radius - b.Radius
	case Polygon:
		return p.Distance(b.ClosestPoint(p)) - c.a.Radius
	case Box:
		q := b.Rotation.conjugate().Rotate(p.Sub(b.Center))
		d := q.absolute().Sub(b.Half)
		if inside := max(d.X, d.Y, d.Z); inside < 0 {
			return inside - c.a.Radius
		}
		return q.Distance(q.clamped(b.Half)) - c.a.Radius
	case *Hull:
		d, _, _ := b.Nearest(p)
		return d - c.a.Radius
	case Cylinder:
		return b.SignedDistance(p) - c.a.Radius
	case *Mesh:
		q, _ := b.ClosestPoint(p)
		return p.Distance(q) - c.a.Radius
	}
	panic("unknown shape")
}

// fastest bounds the rate of change of gap.
func (c *rotatingCase) fastest() float64 {
	w := c.va.Sub(c.m.Velocity)
	arm := c.a.Center.Sub(c.m.Pivot).Length() + w.Length()*c.seconds
	return w.Length() + 1.01*c.m.Angular.Length()*arm
}

// size is the scale of rounding errors.
func (c *rotatingCase) size() float64 {
	return c.a.Center.SumAbs() + c.m.Pivot.SumAbs() + c.a.Radius + c.va.SumAbs()*c.seconds
}

// firstBelow returns the first time at which gap is less than level, by conservative advancement:
// as long as the gap is positive, time may go on by the gap divided by the greatest rate. It stops
// half way between level and 0. known is false if that took too long, because the two only graze.
func (c *rotatingCase) firstBelow(level, from float64) (t float64, ok, known bool) {
	rate := c.fastest()
	t = from
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

// check compares the sweep with the oracle.
func (c *rotatingCase) check(t *testing.T) (hit, decided bool) {
	t.Helper()
	contact, outcome := c.sweep()
	tolerance := 0x1p-47 * (c.size() + somewhereOn(c.shape).SumAbs()) // 64 roundings
	start := c.gap(0)
	if start < tolerance {
		return false, true // it touches at the start
	}
	late, exists, known := c.firstBelow(-4*tolerance, 0)
	if outcome == Miss {
		if known && exists {
			t.Fatalf("missed at %v, gap %v: %+v", late, c.gap(late), *c)
		}
		return false, known
	}
	if outcome == Overlap {
		t.Fatalf("overlap, and the gap at the start is %v: %+v", start, *c)
	}
	if known && !exists && c.gap(contact.Time) > tolerance {
		t.Fatalf("hit at %v with gap %v, and the oracle finds none: %+v", contact.Time, c.gap(contact.Time), *c)
	}
	if known && exists && contact.Time > late+1e-15 {
		t.Fatalf("hit at %v, too late: gap %v at %v: %+v", contact.Time, c.gap(late), late, *c)
	}
	// At the time of contact the two touch, or would within 1e-11 s at the present rate.
	g, after := c.gap(contact.Time), c.gap(min(contact.Time+1e-7, c.seconds))
	rate := (g - after) / 1e-7
	if g > tolerance && g > 1e-11*rate || g < -4*tolerance {
		t.Fatalf("hit at %v with gap %v, approach %v: %+v", contact.Time, g, rate, *c)
	}
	// The normal points from the shape to the sphere.
	if l := contact.Normal.Length(); math.Abs(l-1) > 1e-14 {
		t.Fatalf("normal of length %v", l)
	}
	moved := *c
	moved.a.Center = moved.a.Center.AddScaled(1e-3*c.a.Radius, contact.Normal)
	if c.a.Radius > 1e-6*c.size() && moved.gap(contact.Time)-g < 0.99e-3*c.a.Radius {
		t.Fatalf("normal %v leads out of the shape by %v only", contact.Normal, moved.gap(contact.Time)-g)
	}
	return true, true
}

func normalVec(r *rand.Rand, scale float64) Vec3 {
	return Vec3{r.NormFloat64() * scale, r.NormFloat64() * scale, r.NormFloat64() * scale}
}

func randomShape(r *rand.Rand, kind int) any {
	switch kind {
	case 0:
		n, _ := normalVec(r, 1).Normalized()
		return Plane{n, r.NormFloat64()}
	case 1:
		return Segment{normalVec(r, 1), normalVec(r, 1)}
	case 2:
		p := normalVec(r, 1)
		return Segment{p, p} // a vertex
	case 3:
		return Box{normalVec(r, 0.5), normalVec(r, 0.7).absolute(), RotationBy(normalVec(r, 2))}
	case 4:
		u, v := normalVec(r, 1), normalVec(r, 1)
		p := normalVec(r, 1)
		g, err := NewPolygon(p, p.Add(u), p.Add(u).Add(v))
		if err != nil {
			return Segment{p, p.Add(u)}
		}
		return g
	}
	points := make([]Vec3, 4+r.IntN(5))
	for i := range points {
		points[i] = normalVec(r, 1)
	}
	switch kind {
	case 6:
		return randomHull(points)
	case 7:
		return Cylinder{points[0], points[1], 1.5 * r.Float64()}
	case 8:
		return randomMesh(points)
	}
	return Capsule{normalVec(r, 1), normalVec(r, 1), r.Float64()}
}

func randomHull(points []Vec3) *Hull {
	h, err := NewHull(points)
	if err != nil {
		panic(err)
	}
	return h
}

// randomMesh returns the surface of the hull of points, solid from both sides.
func randomMesh(points []Vec3) *Mesh {
	h := randomHull(points)
	var corners []Vec3
	var indices []uint32
	for i := range h.Len() {
		corners = append(corners, h.Corner(i))
	}
	for i := range h.Faces() {
		for f, k := h.Face(i), 2; k < len(f); k++ {
			indices = append(indices, uint32(f[0]), uint32(f[k-1]), uint32(f[k]))
		}
	}
	m, err := NewMesh(corners, indices, MeshOptions{TwoSided: true})
	if err != nil {
		panic(err)
	}
	return m
}

// somewhereOn returns a point of a shape.
func somewhereOn(shape any) Vec3 {
	switch b := shape.(type) {
	case Plane:
		return b.Normal.Scale(b.Distance)
	case Segment:
		return b.A
	case Capsule:
		return b.A.Lerp(b.B, 0.3)
	case Polygon:
		return b.Corner(1)
	case Box:
		return b.Center
	case Sphere:
		return b.Center
	case *Hull:
		return b.Corner(0)
	case Cylinder:
		return b.A
	case *Mesh:
		q, _ := b.ClosestPoint(Vec3{})
		return q
	}
	panic("unknown shape")
}

var rotatingShapes = []string{"plane", "edge", "vertex", "box", "triangle", "capsule", "hull", "cylinder", "mesh"}

// TestRotatingSweepsAgreeWithConservativeAdvancement makes random cases, of which about half hit.
func TestRotatingSweepsAgreeWithConservativeAdvancement(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	n := slow.Cases(120000) // of each of the nine shapes: a million
	if testing.Short() {
		n = 1000
	}
	for kind, name := range rotatingShapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(kind), 7))
			hits, undecided := 0, 0
			for range n {
				c := randomRotatingCase(r, kind)
				hit, decided := c.check(t)
				if hit {
					hits++
				} else if !decided {
					undecided++
				}
			}
			t.Logf("%d of %d hit, %d not decided", hits, n, undecided)
			if hits < n/100 || undecided > n/3 {
				t.Errorf("%d of %d hit, %d undecided", hits, n, undecided)
			}
		})
	}
}

func randomRotatingCase(r *rand.Rand, kind int) rotatingCase {
	c := rotatingCase{seconds: 1.0 / 60, shape: randomShape(r, kind)}
	c.a = Sphere{normalVec(r, 1.5), math.Exp(2*r.NormFloat64() - 2)}
	c.m = Rotating{
		Pivot: normalVec(r, 1), Velocity: normalVec(r, 5), Angular: normalVec(r, 30*r.Float64()), Seconds: c.seconds,
	}
	c.va = normalVec(r, 60*r.Float64())
	switch r.IntN(4) {
	case 0: // it comes close to the shape
		c.va = c.m.PointAt(somewhereOn(c.shape), c.seconds*r.Float64()).Sub(c.a.Center).Scale(1 / c.seconds)
	case 1: // only the shape moves
		c.va, c.m.Velocity = Vec3{}, Vec3{}
	case 2: // nothing but translation, in some
		if r.IntN(4) == 0 {
			c.m.Angular = Vec3{}
		}
	}
	return c
}

// degenerateRotations change a random case to one that is hard in some way.
var degenerateRotations = []struct {
	name string
	make func(r *rand.Rand, c *rotatingCase)
}{
	{"axis through the sphere", func(r *rand.Rand, c *rotatingCase) {
		c.m.Pivot = c.a.Center
	}},
	{"axis through the shape", func(r *rand.Rand, c *rotatingCase) {
		if s, ok := c.shape.(Segment); ok {
			c.m.Pivot = s.A
			c.m.Angular = s.B.Sub(s.A).Scale(10)
		}
	}},
	{"the path goes through the pivot", func(r *rand.Rand, c *rotatingCase) {
		c.va = c.m.Pivot.AddScaled(r.Float64()*c.seconds, c.m.Velocity).Sub(c.a.Center).Scale(1 / c.seconds)
	}},
	{"grazing", func(r *rand.Rand, c *rotatingCase) {
		// The sphere is moved so that it just touches at its lowest gap.
		best, at := math.Inf(1), 0.0
		for i := range 200 {
			if g := c.gap(float64(i) / 200 * c.seconds); g < best {
				best, at = g, float64(i)/200*c.seconds
			}
		}
		if c.gap(at)+c.a.Radius > 0.01 {
			c.a.Radius += c.gap(at) + 1e-9*r.NormFloat64()
		}
	}},
	{"far from the origin", func(r *rand.Rand, c *rotatingCase) {
		d := normalVec(r, 1e4)
		c.a.Center, c.m.Pivot = c.a.Center.Add(d), c.m.Pivot.Add(d)
		c.shape = translated(c.shape, d)
	}},
	{"far from the pivot", func(r *rand.Rand, c *rotatingCase) {
		c.m.Pivot = c.m.Pivot.Add(normalVec(r, 1e3))
		c.m.Angular = c.m.Angular.Scale(1e-2)
	}},
	{"tiny", func(r *rand.Rand, c *rotatingCase) {
		c.a.Radius = 1e-4
		c.a.Center = c.a.Center.Scale(1e-3)
		c.shape = scaledShape(c.shape, 1e-3)
		c.m.Pivot, c.m.Velocity, c.va = c.m.Pivot.Scale(1e-3), c.m.Velocity.Scale(1e-3), c.va.Scale(1e-3)
	}},
	{"a tiny sphere at high speed", func(r *rand.Rand, c *rotatingCase) {
		c.a.Radius, c.va = 1e-3, c.va.Scale(20)
	}},
	{"slow rotation", func(r *rand.Rand, c *rotatingCase) {
		c.m.Angular, c.m.Velocity, c.va = c.m.Angular.Scale(1e-6), Vec3{}, Vec3{}
		if g := c.gap(0); g > 0 {
			c.a.Radius += g * (1 - 1e-8)
		}
	}},
	{"many turns", func(r *rand.Rand, c *rotatingCase) { c.m.Angular = c.m.Angular.Scale(20) }},
}

func TestDegenerateRotatingSweepsAgreeWithConservativeAdvancement(t *testing.T) {
	n := slow.Cases(1500)
	for _, f := range degenerateRotations {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(11, uint64(len(f.name))))
			hits := 0
			for k := range n {
				c := randomRotatingCase(r, k%len(rotatingShapes))
				f.make(r, &c)
				if hit, _ := c.check(t); hit {
					hits++
				}
			}
			t.Logf("%d of %d hit", hits, n)
		})
	}
}

func translated(shape any, d Vec3) any {
	switch b := shape.(type) {
	case Plane:
		return Plane{b.Normal, b.Distance + b.Normal.Dot(d)}
	case Segment:
		return Segment{b.A.Add(d), b.B.Add(d)}
	case Capsule:
		return Capsule{b.A.Add(d), b.B.Add(d), b.Radius}
	case Box:
		return Box{b.Center.Add(d), b.Half, b.Rotation}
	case Cylinder:
		return Cylinder{b.A.Add(d), b.B.Add(d), b.Radius}
	case *Hull:
		return randomHull(movedCorners(b, func(p Vec3) Vec3 { return p.Add(d) }))
	case *Mesh:
		return randomMesh(movedCorners(b, func(p Vec3) Vec3 { return p.Add(d) }))
	case Polygon:
		return movedPolygon(b, func(p Vec3) Vec3 { return p.Add(d) })
	}
	panic("unknown shape")
}

func scaledShape(shape any, k float64) any {
	switch b := shape.(type) {
	case Plane:
		return Plane{b.Normal, b.Distance * k}
	case Segment:
		return Segment{b.A.Scale(k), b.B.Scale(k)}
	case Capsule:
		return Capsule{b.A.Scale(k), b.B.Scale(k), b.Radius * k}
	case Box:
		return Box{b.Center.Scale(k), b.Half.Scale(k), b.Rotation}
	case Cylinder:
		return Cylinder{b.A.Scale(k), b.B.Scale(k), b.Radius * k}
	case *Hull:
		return randomHull(movedCorners(b, func(p Vec3) Vec3 { return p.Scale(k) }))
	case *Mesh:
		return randomMesh(movedCorners(b, func(p Vec3) Vec3 { return p.Scale(k) }))
	case Polygon:
		return movedPolygon(b, func(p Vec3) Vec3 { return p.Scale(k) })
	}
	panic("unknown shape")
}

// movedCorners returns the corners of a hull or mesh, moved.
func movedCorners(shape any, move func(Vec3) Vec3) (points []Vec3) {
	if m, ok := shape.(*Mesh); ok {
		for _, p := range m.vertices {
			points = append(points, move(p))
		}
		return points
	}
	h := shape.(*Hull)
	for i := range h.Len() {
		points = append(points, move(h.Corner(i)))
	}
	return points
}

func movedPolygon(g Polygon, move func(Vec3) Vec3) any {
	var points []Vec3
	for i := range g.Len() {
		points = append(points, move(g.Corner(i)))
	}
	moved, err := NewPolygon(points...)
	if err != nil {
		return Segment{points[0], points[1]}
	}
	return moved
}

func TestASphereThatTouchesARotatingWall(t *testing.T) {
	wall := Segment{Vec3{}, Vec3{X: 2}}
	m := Rotating{Angular: Vec3{Z: 2}, Seconds: 0.1}
	on := Sphere{Vec3{X: 1, Y: 0.25}, 0.25}
	for _, tt := range []struct {
		name    string
		a       Sphere
		va      Vec3
		outcome Outcome
		late    bool
	}{
		{"is hit where it rests", on, Vec3{}, Hit, false},
		{"moves away faster than the wall", on, Vec3{Y: 3}, Miss, false},
		{"moves along with it, and is caught up with later", on, Vec3{Y: 2}, Hit, true},
		{"moves away more slowly than the wall", on, Vec3{Y: 1.99}, Hit, false},
		{"moves away, and is caught up with later", on, Vec3{Y: 2.005}, Hit, true},
		{"is behind the wall, which moves away", Sphere{Vec3{X: 1, Y: -0.25}, 0.25}, Vec3{}, Miss, false},
		{"overlaps and is pushed", Sphere{Vec3{X: 1, Y: 0.2}, 0.25}, Vec3{}, Overlap, false},
		{"overlaps and leaves", Sphere{Vec3{X: 1, Y: 0.2}, 0.25}, Vec3{Y: 3}, Miss, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, outcome := SweepSphereRotatingSegment(tt.a, tt.va, wall, m, 0.1)
			if outcome != tt.outcome || outcome != Miss && (c.Time > 1e-7) != tt.late {
				t.Errorf("got %v at %v, want %v, later: %v", outcome, c.Time, tt.outcome, tt.late)
			}
		})
	}
}

func TestRotatingMotionAgreesWithItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		c := randomRotatingCase(r, 0)
		at := r.Float64() * c.seconds
		p := normalVec(r, 1)
		k, ok := c.m.Angular.Normalized()
		sin, cos := math.Sincos(c.turnedAngle(at))
		d := p.Sub(c.m.Pivot)
		want := d.Scale(cos).Add(k.Cross(d).Scale(sin)).Add(k.Scale(k.Dot(d) * (1 - cos))).Add(c.m.PivotAt(at))
		got := c.m.PointAt(p, at)
		if got.Distance(want) > 1e-14*(1+p.Length()+c.m.Pivot.Length()) {
			t.Fatalf("point at %v, want %v", got, want)
		}
		if back := c.m.StartOf(got, at); back.Distance(p) > 1e-14*(1+p.Length()+c.m.Pivot.Length()) {
			t.Fatalf("started at %v, want %v", back, p)
		}
		const dt = 1e-7
		if at > dt && at < c.seconds-dt {
			_, start, seconds := c.m.pieceAt(at)
			if at-start > dt && start+seconds-at > dt {
				v := c.m.PointAt(p, at+dt).Sub(c.m.PointAt(p, at-dt)).Scale(0.5 / dt)
				if got := c.m.VelocityAt(c.m.PointAt(p, at), at); got.Distance(v) > 1e-6*(1+v.Length()) {
					t.Fatalf("velocity %v, want %v", got, v)
				}
			}
		}
		// It is uniform but for what the doc comment says.
		if angle := c.m.Angular.Length() * at; math.Abs(c.turnedAngle(at)-angle) > 6.5e-5 {
			t.Fatalf("turned by %v, uniformly by %v", c.turnedAngle(at), angle)
		}
		if w := c.m.AngularVelocityAt(at).Length(); ok && math.Abs(w/c.m.Angular.Length()-1) > 0.006 {
			t.Fatalf("rate %v of %v", w, c.m.Angular.Length())
		}
	}
}

func TestRotatingSweepsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var cases [64]rotatingCase
	for k := range cases {
		cases[k] = randomRotatingCase(r, k%len(rotatingShapes))
	}
	if n := testing.AllocsPerRun(10, func() {
		for k := range cases {
			cases[k].sweep()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSweepSphereRotating(b *testing.B) {
	m := Rotating{Angular: Vec3{Z: 30}, Seconds: 1.0 / 60}
	near, far := Sphere{Vec3{X: 1, Y: 0.4}, 0.2}, Sphere{Vec3{X: 5, Y: 3}, 0.2}
	square, _ := NewPolygon(Vec3{Z: -1}, Vec3{X: 2, Z: -1}, Vec3{X: 2, Z: 1}, Vec3{Z: 1})
	for _, c := range []struct {
		name  string
		sweep func(a Sphere)
	}{
		{"plane", func(a Sphere) { SweepSphereRotatingPlane(a, Vec3{}, Plane{Normal: Vec3{Y: 1}}, true, m, 1) }},
		{"capsule", func(a Sphere) { SweepSphereRotatingCapsule(a, Vec3{}, Capsule{Vec3{}, Vec3{X: 2}, 0.1}, m, 1) }},
		{"square", func(a Sphere) { SweepSphereRotatingPolygon(a, Vec3{}, square, false, m, 1) }},
		{"box", func(a Sphere) { SweepSphereRotatingBox(a, Vec3{}, Box{Half: Vec3{2, 0.1, 1}}, m, 1) }},
	} {
		for _, at := range []struct {
			name string
			ball Sphere
		}{{"near", near}, {"far", far}} {
			b.Run(c.name+"/"+at.name, func(b *testing.B) {
				for b.Loop() {
					c.sweep(at.ball)
				}
			})
		}
	}
}
