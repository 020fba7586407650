//go:build amd64 && !purego

package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
)

// TestTheAssemblyFiltersTheSameBodiesAsGo compares the pair test in assembly with filterGo.
func TestTheAssemblyFiltersTheSameBodiesAsGo(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	some := func(size float64) collide.Vec3 {
		return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
	}
	found, rejected := 0, 0
	for range 20000 {
		bodies := make([]body, 1+r.IntN(30))
		size := math.Pow(10, 4*r.Float64()-2)
		for i := range bodies {
			bodies[i] = body{some(size), some(size), r.Float64() * size / 2, 1}
			if r.IntN(8) == 0 {
				bodies[i].v = collide.Vec3{}
			}
			if r.IntN(8) == 0 { // touching, up to rounding
				bodies[i].x = bodies[0].x.AddScaled(bodies[0].radius+bodies[i].radius, collide.Vec3{X: 1})
			}
		}
		var near []int32
		most := 40
		if r.IntN(100) == 0 {
			most = 1000
		}
		for range r.IntN(most) {
			near = append(near, int32(r.IntN(len(bodies))))
		}
		i := int32(r.IntN(len(bodies)))
		b := &bodies[i]
		keep := neverOverlapping
		if r.IntN(2) == 0 {
			keep = maybeOverlapping
		}
		var q pairQuery
		q.setStep(1.0 / 60)
		q.setTime(r.Float64()/60, keep)
		q.setBody(b)
		got := q.filter(bodies, i, slices.Grow(slices.Clone(near), padding), []int32{-7})
		want := q.filterGo(bodies, near, []int32{-7})
		if !slices.Equal(got, want) {
			t.Fatalf("body %d among %v: got %v, want %v", i, near, got, want)
		}
		found += len(want) - 1
		rejected += len(near) - len(want) + 1
	}
	if found < 1000 || rejected < 1000 {
		t.Errorf("%d pairs found and %d rejected, want at least 1000 of each", found, rejected)
	}
}

// TestTheAssemblySearchesLikeGo compares testNeighborhood with collecting and testing bodies one
// after the other.
func TestTheAssemblySearchesLikeGo(t *testing.T) {
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(1, 2))
	found, tested, refused := 0, 0, 0
	for range 60 {
		n := 1 + r.IntN(400)
		// From more than two bodies in a cell to many empty cells.
		side := math.Cbrt(float64(n)) * (0.7 + 2*r.Float64())
		flat := r.IntN(4) // 0 and 1: all bodies are on a line; 2: in a plane; 3: in space
		some := func(size float64) (v collide.Vec3) {
			v.X = size * r.Float64()
			if flat > 1 {
				v.Y = size * r.Float64()
			}
			if flat > 2 {
				v.Z = size * r.Float64()
			}
			return v
		}
		s := Space{bodyArrays: bodyArrays{bodies: make([]body, n)}}
		s.Seconds = 1.0 / 60
		for i := range s.bodies {
			s.bodies[i] = body{some(side), some(60).Sub(some(60)), 0.5, 1}
		}
		s.grid.Layout(n, s.Seconds, grid.Samples{Count: n, At: func(i int) (grid.Sample, bool) {
			return grid.Sample{Center: s.bodies[i].x, Diameter: 1}, true
		}}, &grid.Scratch{})
		away := collide.Vec3{}
		if r.IntN(4) == 0 { // some come to the edge of the torus
			away.X = side / 4
		}
		for i := range s.bodies {
			s.bodies[i].x = s.bodies[i].x.Add(away)
			s.grid.Put(int32(i), s.bodies[i].x, 1, 0, 0)
		}
		s.query.setStep(s.Seconds)
		s.widenQuery()
		for i := range int32(n) {
			now := s.Seconds * r.Float64()
			keep := keepAt(float64(r.IntN(2)))
			for z := range grid.Stencil(8) {
				s.Counts.Sweeps = 0
				hits, ok := s.testNeighborhood(i, now, keep, z)
				if !ok {
					refused++
					continue
				}
				got, tests := slices.Clone(hits), s.Counts.Sweeps
				switch side := grid.Side(z - grid.Full); z {
				case grid.Full:
					s.nearby = s.grid.Neighbors(i, grid.Path{}, s.nearby[:0])
				case grid.Half:
					s.nearby = s.grid.HalfNeighbors(i, grid.Path{}, s.nearby[:0])
				default:
					s.nearby = s.grid.FaceNeighbors(i, side, s.nearby[:0])
				}
				b := &s.bodies[i]
				q := s.query
				q.x, q.v, q.radius = b.x, b.v, b.radius
				want := q.filterGo(s.bodies, s.nearby, nil)
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) || tests != len(s.nearby) {
					t.Fatalf("body %d, stencil %d: got %v of %d, want %v of %d", i, z, got, tests, want, len(s.nearby))
				}
				found += len(want)
				tested += tests
			}
		}
	}
	if found < 1000 || tested < 2*found || refused < 500 {
		t.Errorf("%d of %d pairs found, and %d searches without a view", found, tested, refused)
	}
}
