package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A placed shape is the shape with its corners turned and moved.
func TestAPlacedShapeIsTheShapeTurnedAndMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	random := func() Vec3 { return Vec3{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5} }
	hits := 0
	for range 2000 {
		p := Placed{Position: random().Scale(20), Rotation: RotationBy(random().Scale(6))}
		if r.IntN(4) == 0 {
			p.Rotation = Quat{}
		}
		put := func(q Vec3) Vec3 { return p.Rotation.Rotate(q).Add(p.Position) }
		var want Convex
		switch r.IntN(5) {
		case 0:
			c := Capsule{random(), random(), 0.3}
			p.Shape, want = c, Capsule{put(c.A), put(c.B), c.Radius}
		case 1:
			c := Triangle{random(), random(), random()}
			p.Shape, want = c, Triangle{put(c.A), put(c.B), put(c.C)}
		case 2:
			c := Box{random(), random().absolute(), RotationBy(random())}
			p.Shape, want = c, Box{put(c.Center), c.Half, p.Rotation.Mul(c.Rotation)}
		case 3:
			c := Sphere{random(), 0.4}
			p.Shape, want = c, Sphere{put(c.Center), c.Radius}
		default:
			c, err := NewPolygon(Vec3{-1, 0, -1}, Vec3{-1, 0, 1}, Vec3{1, 0, 1}, Vec3{2, 0, -1})
			if err != nil {
				t.Fatal(err)
			}
			turned, err := NewPolygon(put(c.Corner(0)), put(c.Corner(1)), put(c.Corner(2)), put(c.Corner(3)))
			if err != nil {
				continue // the corners are rounded out of one plane
			}
			p.Shape, want = c, turned
		}
		target := AABB{Vec3{-1, -1, -1}, Vec3{1, 1, 1}}
		v := p.Position.Neg().Add(random())
		a, oa := Sweep(p, v, target, Vec3{}, 2)
		b, ob := Sweep(want, v, target, Vec3{}, 2)
		if oa != ob || math.Abs(a.Time-b.Time) > 1e-9 || a.Normal.Distance(b.Normal) > 1e-6 ||
			a.CenterA.Distance(b.CenterA) > 1e-9 {
			t.Fatalf("%v as %v: got %v %v, want %v %v", p, want, a, oa, b, ob)
		}
		if oa == Hit {
			hits++
		}
		if c, o := Sweep(&p, v, target, Vec3{}, 2); c != a || o != oa {
			t.Fatalf("%v by pointer: got %v %v, want %v %v", p, c, o, a, oa)
		}
		da, db := Separation(p, target).Distance, Separation(want, target).Distance
		if math.Abs(da-db) > 1e-9 {
			t.Fatalf("distance of %v: got %v, want %v", p, da, db)
		}
		ba, bb := p.Bounds(), want.Bounds()
		if ba.Min.Distance(bb.Min) > 1e-9 || ba.Max.Distance(bb.Max) > 1e-9 {
			t.Fatalf("bounds of %v: got %v, want %v", p, ba, bb)
		}
		plane := Plane{Vec3{0.6, 0.8, 0}, r.Float64()}
		la, ha := ConvexHeights(p, plane)
		lb, hb := ConvexHeights(want, plane)
		if math.Abs(la-lb) > 1e-9 || math.Abs(ha-hb) > 1e-9 {
			t.Fatalf("heights of %v: got %v and %v, want %v and %v", p, la, ha, lb, hb)
		}
	}
	if hits < 500 {
		t.Errorf("got %d hits: too few to show anything", hits)
	}
	for _, bad := range []Convex{Placed{}, Placed{Shape: Placed{Shape: Sphere{Radius: 1}}}} {
		if _, o := Sweep(bad, Vec3{X: 1}, Sphere{Vec3{X: 3}, 1}, Vec3{}, 9); o != Miss {
			t.Errorf("%v: got %v, want Miss", bad, o)
		}
	}
}

func TestAHalfSpaceIsSolidAtAnyDepth(t *testing.T) {
	floor := Plane{Normal: Vec3{Y: 1}}
	for _, tt := range []struct {
		name     string
		y        float64
		v        Vec3
		want     Outcome
		wantTime float64
	}{
		{"falls onto it", 3, Vec3{Y: -1}, Hit, 2},
		{"stands on it and slides", 1, Vec3{X: 1}, Miss, 0},
		{"stands on it and is pressed", 1, Vec3{Y: -1}, Hit, 0},
		{"half inside, sinking", 0.2, Vec3{Y: -1}, Overlap, 0},
		{"half inside, rising", 0.2, Vec3{Y: 1}, Miss, 0},
		{"deep inside, sinking", -30, Vec3{Y: -1}, Overlap, 0},
		{"deep inside, along the surface", -30, Vec3{X: 1}, Miss, 0},
		{"flies off", 3, Vec3{Y: 1}, Miss, 0},
	} {
		box := Box{Center: Vec3{Y: tt.y}, Half: Vec3{1, 1, 1}}
		c, o := SweepConvexHalfSpace(box, tt.v, floor, Vec3{}, 10)
		if o != tt.want || o == Hit && c.Time != tt.wantTime || o != Miss && c.Normal != floor.Normal {
			t.Errorf("%s: got %v %v, want %v at %v", tt.name, c, o, tt.want, tt.wantTime)
		}
		if low, high := ConvexHeights(box, floor); low != tt.y-1 || high != tt.y+1 {
			t.Errorf("%s: heights: got %v and %v, want %v and %v", tt.name, low, high, tt.y-1, tt.y+1)
		}
	}
}
