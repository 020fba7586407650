package collide_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// differences returns the differences of all points of b and of a: the corners of the set whose
// distance from the origin is that of the shapes without their radii.
func differences(a, b convexShape, points []vec) []vec {
	points = points[:0]
	shift := b.cloud.Origin.Sub(a.cloud.Origin)
	for _, p := range a.cloud.Points {
		for _, q := range b.cloud.Points {
			points = append(points, shift.Add(q.Sub(p)))
		}
	}
	return points
}

// nearestOfHull returns the point of the convex hull of points, moved by shift, that is nearest to
// the origin (P. Wolfe, "Finding the nearest point in a polytope", 1976). It knows nothing about
// edges and faces.
func nearestOfHull(points []vec, shift vec) vec {
	var chosen [5]vec
	var weights [5]float64
	n, scale := 1, 0.0
	chosen[0], weights[0] = points[0].Add(shift), 1
	for _, p := range points {
		p = p.Add(shift)
		scale = max(scale, p.MaxAbs())
		if p.LengthSquared() < chosen[0].LengthSquared() {
			chosen[0] = p
		}
	}
	x := chosen[0]
	for range 200 {
		best, least := vec{}, math.Inf(1)
		for _, p := range points {
			if h := x.Dot(p.Add(shift)); h < least {
				best, least = p.Add(shift), h
			}
		}
		if x.LengthSquared()-least <= 1e-13*scale*x.Length()+1e-28*scale*scale || n == 4 {
			return x
		}
		chosen[n], weights[n] = best, 0
		n++
		for {
			affine, ok := affineMinimum(chosen[:n])
			if !ok { // the new point depends on the others, up to rounding
				return x
			}
			theta := 1.0
			for k := range n {
				if affine[k] <= 0 {
					theta = min(theta, weights[k]/(weights[k]-affine[k]))
				}
			}
			m := 0
			for k := range n {
				if w := theta*affine[k] + (1-theta)*weights[k]; w > 1e-14 {
					chosen[m], weights[m] = chosen[k], w
					m++
				}
			}
			done := m == n
			n = m
			x = vec{}
			for k := range n {
				x = x.AddScaled(weights[k], chosen[k])
			}
			if done {
				break
			}
		}
	}
	return x
}

// affineMinimum returns the weights of the point nearest to the origin of the affine hull of s.
func affineMinimum(s []vec) (w [5]float64, ok bool) {
	// (QᵀQ + 11ᵀ) w = 1, scaled to a sum of 1.
	var m [5][6]float64
	n, scale := len(s), 0.0
	for i := range n {
		scale = max(scale, s[i].LengthSquared())
	}
	for i := range n {
		for j := range n {
			m[i][j] = s[i].Dot(s[j])/scale + 1
		}
		m[i][n] = 1
	}
	for k := range n {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[pivot][k]) {
				pivot = i
			}
		}
		m[k], m[pivot] = m[pivot], m[k]
		if math.Abs(m[k][k]) < 1e-13 {
			return w, false
		}
		for i := range n {
			if i == k {
				continue
			}
			f := m[i][k] / m[k][k]
			for j := k; j <= n; j++ {
				m[i][j] -= f * m[k][j]
			}
		}
	}
	sum := 0.0
	for k := range n {
		w[k] = m[k][n] / m[k][k]
		sum += w[k]
	}
	for k := range n {
		w[k] /= sum
	}
	return w, true
}

// advance is conservative advancement: a may move until the plane between the nearest points is
// reached, again and again. decided is false if it doesn't converge, as when a grazes b.
func advance(points []vec, v vec, r, horizon float64) (time float64, normal vec, hit, decided bool) {
	extent := 0.0
	for _, p := range points {
		extent = max(extent, p.MaxAbs())
	}
	for range 300 {
		x := nearestOfHull(points, v.Scale(-time))
		d := x.Length()
		if d < 1e-9*extent {
			// It doesn't graze if it is inside a little later as well.
			later := time + 1e-4*extent/v.Length()
			inside := nearestOfHull(points, v.Scale(-later)).Length() < 1e-9*extent
			return time, normal, r == 0, r == 0 && normal != vec{} && inside
		}
		n := x.Scale(-1 / d)
		if r == 0 || d > r {
			normal = n
		}
		speed := -n.Dot(v)
		if d-r <= 1e-10*extent {
			return time, n, true, speed > 1e-4*v.Length()
		}
		if speed <= 1e-9*v.Length() {
			return 0, n, false, speed < -1e-9*v.Length() || v == vec{}
		}
		time += (d - r) / speed
		if time > horizon {
			return 0, n, false, true
		}
	}
	return 0, normal, false, false
}

// checkAgainstOracle compares a sweep with conservative advancement.
func checkAgainstOracle(t *testing.T, a convexShape, va vec, b convexShape, vb vec, horizon float64, room *[]vec) (
	hit, decided bool,
) {
	*room = differences(a, b, *room)
	r, v := a.cloud.Radius+b.cloud.Radius, va.Sub(vb)
	x := nearestOfHull(*room, vec{})
	extent := 0.0
	for _, p := range *room {
		extent = max(extent, p.MaxAbs())
	}
	c, got := collide.Sweep(a.shape, va, b.shape, vb, horizon)
	g := collide.Separation(a.shape, b.shape)
	if distance := x.Length() - r; distance > 1e-9*extent && math.Abs(g.Distance-distance) > 1e-8*extent {
		t.Fatalf("%+v %+v: distance %v, want %v", a.shape, b.shape, g.Distance, distance)
	} else if distance < 1e-8*extent {
		if distance < -1e-8*extent && g.Distance >= 0 {
			t.Fatalf("%+v %+v: distance %v of shapes that overlap by %v", a.shape, b.shape, g.Distance, -distance)
		}
		return false, false
	}
	if off := g.PointA.Sub(g.PointB).AddScaled(-g.Distance, g.Normal).Length(); off > 1e-9*extent {
		t.Fatalf("%+v %+v: %+v doesn't agree with its points", a.shape, b.shape, g)
	}
	time, normal, hit, decided := advance(*room, v, r, horizon)
	if !decided {
		return false, false
	}
	if hit != (got == collide.Hit) && math.Abs(time-horizon) > 1e-6*horizon {
		t.Fatalf("%+v at %v, %+v at %v, horizon %v: got %v at %v, want hit %v at %v", a.shape, va, b.shape, vb, horizon,
			got, c.Time, hit, time)
	}
	if !hit || got != collide.Hit {
		return false, true
	}
	if speed := -normal.Dot(v); math.Abs(c.Time-time)*speed > 1e-7*extent {
		t.Fatalf("%+v at %v, %+v at %v: got %v, want %v", a.shape, va, b.shape, vb, c.Time, time)
	}
	if c.Normal.Dot(v) >= 0 {
		t.Fatalf("%+v at %v, %+v at %v: normal %v, which a leaves", a.shape, va, b.shape, vb, c.Normal)
	}
	// The point of contact is on both surfaces at that time.
	ball := convexShape{}
	for _, s := range []struct {
		convexShape
		v vec
	}{{a, va}, {b, vb}} {
		ball.cloud.Points = []vec{c.Point.AddScaled(-c.Time, s.v)}
		*room = differences(ball, s.convexShape, *room)
		if d := nearestOfHull(*room, vec{}).Length() - s.cloud.Radius; math.Abs(d) > 1e-7*(extent+v.Length()*c.Time) {
			t.Fatalf("%+v at %v, %+v at %v: point %v is %v off %+v", a.shape, va, b.shape, vb, c.Point, d, s.shape)
		}
	}
	return true, true
}

func runOracle(t *testing.T, n int) {
	for _, kindA := range []string{"sphere", "capsule", "AABB", "box", "hull"} {
		for _, kindB := range convexKinds {
			t.Run(kindA+" "+kindB, func(t *testing.T) {
				m := generator{rand.New(rand.NewPCG(3, uint64(len(kindA)*16+len(kindB)))), "ordinary"}
				var room []vec
				hits, decided := 0, 0
				for range n {
					a, va, b, vb := m.convexPair(kindA, kindB)
					if a.cloud.Radius+b.cloud.Radius == 0 && !a.solid() && !b.solid() {
						continue
					}
					hit, ok := checkAgainstOracle(t, a, va, b, vb, 20*m.Float64(), &room)
					if hit {
						hits++
					}
					if ok {
						decided++
					}
				}
				if hits < n/10 || decided < n/2 {
					t.Errorf("%d hits, %d decided, of %d", hits, decided, n)
				}
			})
		}
	}
}

func TestSweepOfConvexShapesAgainstConservativeAdvancement(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	runOracle(t, 400)
}

func TestAMillionSweepsAgainstConservativeAdvancement(t *testing.T) {
	slow.Skip(t, slow.Short, "TestSweepOfConvexShapesAgainstConservativeAdvancement does 14,000 of them")
	runOracle(t, slow.Cases(30000))
}
