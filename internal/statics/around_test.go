package statics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// bumpy returns a mesh of n by n squares with sides of the given size, divided into triangles, of
// which some are thin and some lie in one plane, around a point.
func bumpy(t *testing.T, r *rand.Rand, n int, size float64, origin collide.Vec3, twoSided bool) *collide.Mesh {
	t.Helper()
	var vertices []collide.Vec3
	for i := range n + 1 {
		for j := range n + 1 {
			v := collide.Vec3{X: float64(i - n/2), Z: float64(j - n/2)}
			if r.IntN(3) > 0 {
				v.X, v.Z = v.X+0.45*(2*r.Float64()-1), v.Z+0.45*(2*r.Float64()-1)
			}
			if i > n/3 {
				v.Y = r.Float64()
			}
			if r.IntN(8) == 0 {
				v.X = float64(i-n/2) + 1e-9*r.Float64()
			}
			vertices = append(vertices, v.Scale(size).Add(origin))
		}
	}
	var indices []uint32
	for i := range n {
		for j := range n {
			a := uint32(i*(n+1) + j)
			b, c, d := a+1, a+uint32(n)+1, a+uint32(n)+2
			indices = append(indices, a, b, c, c, b, d)
		}
	}
	m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{TwoSided: twoSided, SkipDegenerate: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bumpyField is bumpy as a height field, in which all squares are equal.
func bumpyField(t *testing.T, r *rand.Rand, n int, size float64, origin collide.Vec3) *collide.HeightField {
	t.Helper()
	heights := make([]float64, (n+1)*(n+1))
	for k := range heights {
		if k/(n+1) > n/3 {
			heights[k] = size * r.Float64()
		}
	}
	corner := origin.Sub(collide.Vec3{X: size * float64(n/2), Z: size * float64(n/2)})
	f, err := collide.NewHeightField(corner, size, size, n+1, heights)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// roller is a ball near a mesh or a height field.
type roller struct {
	x, v   collide.Vec3
	radius float64
}

// forRollers calls do with random meshes and height fields at the origin and far from it, small and
// large, and balls near them in each step of a way.
func forRollers(t *testing.T, do func(r *rand.Rand, w *Set, f *Surface, b roller, a *Around)) {
	for seed := range uint64(slow.Cases(40)) {
		r := rand.New(rand.NewPCG(seed, 16))
		size := math.Pow(10, float64(r.IntN(9)-4))
		origin := collide.Vec3{}
		if r.IntN(2) == 0 {
			origin = collide.Vec3{X: 1e3 * r.Float64(), Y: -1e3 * r.Float64(), Z: 1e4 * r.Float64()}.Scale(size)
		}
		w := new(Set)
		k := w.Add()
		shape := Shape{TwoSided: r.IntN(4) == 0}
		if seed%3 == 2 {
			if shape.Field = bumpyField(t, r, 12, size, origin); shape.TwoSided {
				shape.Field = shape.Field.WithBothSides()
			}
		} else {
			shape.Mesh = bumpy(t, r, 12, size, origin, shape.TwoSided)
		}
		if r.IntN(3) == 0 {
			shape.Offset = collide.Vec3{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}.Scale(size)
		}
		w.Put(k, shape)
		w.Update(seconds)
		var a Around
		for range 10 {
			b := roller{radius: size * (0.1 + r.Float64())}
			b.x = collide.Vec3{X: 6 * (2*r.Float64() - 1), Y: r.Float64(), Z: 6 * (2*r.Float64() - 1)}.Scale(size)
			b.x = b.x.Add(origin).Add(shape.Offset)
			b.x.Y += b.radius
			b.v = collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64() / 4, Z: r.NormFloat64()}
			b.v = b.v.Scale(b.radius / seconds / 4)
			if r.IntN(2) == 0 { // it touches a facet and moves along it, up to rounding
				var n collide.Vec3
				var c [3]collide.Vec3
				shape.facetShape().with(int32(r.IntN(shape.Facets())), func(facet collide.Facet) {
					n, c = facet.Normal(), facet.Corners()
				})
				b.x = c[0].Scale(0.2).AddScaled(0.3, c[1]).AddScaled(0.5, c[2]).Add(shape.Offset).AddScaled(b.radius, n)
				b.v = b.v.AddScaled(-n.Dot(b.v), n).AddScaled(b.v.SumAbs()*0x1p-52*float64(r.IntN(9)-4), n)
			}
			for range 10 {
				do(r, w, w.At(k), b, &a)
				b.x = b.x.AddScaled(seconds, b.v)
			}
		}
	}
}

func TestAroundHasAllFacetsThatABallReaches(t *testing.T) {
	asked, known, reached, found := 0, 0, 0, 0
	forRollers(t, func(r *rand.Rand, w *Set, f *Surface, b roller, a *Around) {
		p := f.toLocal(b.x, 0)
		a.prepare(f, collide.Sphere{Center: p, Radius: b.radius * 1.0625}, b.v, seconds)
		for range 3 {
			from, d, reach := p, b.v.Scale(seconds*r.Float64()), b.radius
			switch r.IntN(3) {
			case 0:
				d = collide.Vec3{}
			case 1:
				from = p.AddScaled(seconds, b.v)
				d = d.Scale(-r.Float64())
			}
			among, ok := a.among(f.facetShape(), from, d, reach)
			if asked++; !ok {
				continue
			}
			known++
			var got []int
			a.each(among, from, d, reach, func(t collide.Facet) { got = append(got, t.ID()) })
			found += len(got)
			for id := range f.Facets() {
				near := false
				f.facetShape().with(int32(id), func(facet collide.Facet) {
					for k := range 9 {
						at := from.AddScaled(float64(k)/8, d)
						q, _ := facet.Closest(at)
						near = near || q.Distance(at) <= reach
					}
				})
				if near {
					reached++
				}
				if near && !slices.Contains(got, id) {
					t.Fatalf("facet %d is reached from %v by %v with %v, but not found", id, from, d, reach)
				}
			}
		}
	})
	if known*3 < asked || reached == 0 || found > 3*reached {
		t.Errorf("of %d queries, %d were known; %d facets were found, and %d reached", asked, known, found, reached)
	}
}

func TestAroundChangesNoResult(t *testing.T) {
	hits, entered, passed, faced, inside, rolls := 0, 0, 0, 0, 0, 0
	forRollers(t, func(r *rand.Rand, w *Set, f *Surface, b roller, a *Around) {
		results := func(a *Around) []string {
			var all []string
			note := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
			w.EachApproached(a, b.x, b.v, b.radius, b.radius/16, every, func(k int32) {
				gap, n, ok := w.Touch(a, k, b.x, b.radius, 0, never)
				face, height, _ := w.FaceHeight(a, k, b.x, n, 0)
				note("faced %d %v %v %v %v %v %v", k, gap, n, ok, face, height, w.Normal(a, k))
				faced++
			})
			x, v := b.x, b.v
			for n := range 2 {
				depth := 0x1p-30 * b.radius
				met, k, normal := w.First(a, &x, &v, b.radius, 0, depth, every, never, func(k int32) {
					note("inside %d", k)
					inside++
				})
				note("first %v %d %v", met, k, normal)
				if k >= 0 {
					hits++
				}
				may := a.MayEnter()
				w.EachEntered(a, x, v, b.radius, 0, min(met, seconds), func(k int32, inside bool) {
					note("entered %d %v", k, inside)
					entered++
					if !may {
						t.Fatalf("the ball enters %d, which First has not noted", k)
					}
				})
				if !may {
					passed++
				}
				arc := NewArc(x, v, collide.Vec3{Y: -b.radius / seconds}, seconds)
				met, k, normal = w.FirstOnArc(a, &arc, b.radius, 0, depth, every, never, func(int32) {})
				note("on arc %v %d %v", met, k, normal)
				v = v.Scale(1 + 0.01*float64(n))
			}
			w.EachSolidNear(a, collide.Sphere{Center: b.x, Radius: b.radius}, func(k int32) {
				if gap, n, ok := w.Touch(a, k, b.x, b.radius, 0, never); gap <= 0 { // others may be found or not
					note("near %d %v %v %v", k, gap, n, ok)
				}
			})
			ball, d := collide.Sphere{Center: f.toLocal(b.x, 0), Radius: b.radius}, b.v.Scale(seconds)
			near, _ := a.among(f.facetShape(), ball.Center, d, ball.Radius)
			if near != 0 && a.met(f, near, &ball, d, b.v) == 0 {
				rolls++
			}
			slices.Sort(all) // in any order
			return all
		}
		if got, want := results(a), results(nil); !slices.Equal(got, want) {
			t.Fatalf("with the facets around the ball:\n%q\nwithout:\n%q", got, want)
		}
	})
	if hits == 0 || entered == 0 || passed == 0 || faced == 0 || inside == 0 || rolls == 0 {
		t.Errorf("%d hits, %d entered, %d that certainly enter nothing, %d faced, %d inside, %d that meet none",
			hits, entered, passed, faced, inside, rolls)
	}
}

func TestFacetsThatABallComesIntoFromBehindAreFound(t *testing.T) {
	come := 0
	forRollers(t, func(_ *rand.Rand, w *Set, f *Surface, b roller, a *Around) {
		if f.TwoSided {
			return
		}
		var found []int32
		w.EachEntered(a, b.x, b.v, b.radius, 0, seconds, func(k int32, inside bool) { found = append(found, k) })
		p, d, deep := f.toLocal(b.x, 0), b.v.Scale(seconds), 1e-6*b.radius
		for id := range f.Facets() {
			f.facetShape().with(int32(id), func(facet collide.Facet) {
				height, rise := facet.Normal().Dot(p.Sub(facet.Corners()[0])), facet.Normal().Dot(d)
				q, _ := facet.Closest(p)
				lies, falls := q.Distance(p) < b.radius+deep, rise < deep
				if height > b.radius-deep || height >= 0 && (lies || falls) || height < 0 && height+rise < deep {
					return
				}
				comes := false
				for k := range 17 {
					at := p.AddScaled(float64(k)/16, d)
					q, _ = facet.Closest(at)
					comes = comes || q.Distance(at) < b.radius-deep
				}
				if !comes {
					return
				}
				if come++; !slices.Contains(found, f.facets+int32(id)) {
					t.Fatalf("a ball at %v that moves by %v comes into facet %d, which is not found", p, d, id)
				}
			})
		}
	})
	if n := slow.Cases(40); come < 3*n {
		t.Errorf("only %d facets were entered in %d scenes", come, n)
	}
}

func TestAroundOfAnotherMeshHasNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := new(Set)
	for range 2 {
		w.Put(w.Add(), Shape{Mesh: bumpy(t, r, 4, 1, collide.Vec3{}, false)})
	}
	w.Update(seconds)
	var a Around
	ball := collide.Sphere{Center: collide.Vec3{Y: 0.5}, Radius: 0.5}
	a.prepare(w.At(0), ball, collide.Vec3{}, seconds)
	has := func(k int32) bool {
		_, ok := a.among(w.At(k).facetShape(), ball.Center, collide.Vec3{}, ball.Radius)
		return ok
	}
	if !has(0) || has(1) {
		t.Errorf("it has facets of the first mesh: %v, of the second: %v", has(0), has(1))
	}
	if a.Forget(); has(0) {
		t.Error("it has facets after Forget")
	}
}

func every(int32) bool { return true }
