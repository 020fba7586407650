package grid_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
	"github.com/dango-physics/dango/internal/slow"
)

// scene is a set of bodies in straight motion, and a grid that follows them.
type scene struct {
	grid     grid.Grid
	scratch  grid.Scratch
	x, v     []collide.Vec3
	diameter []float64
	seconds  float64
	size     float64   // of the world, metres
	turned   []float64 // when each body started on its present path
}

func (f *scene) layout(sample int) {
	f.grid.Layout(len(f.x), f.seconds, grid.Samples{Count: sample, At: func(i int) (grid.Sample, bool) {
		return grid.Sample{Center: f.x[i], Diameter: f.diameter[i], Speed: f.v[i].Length()}, true
	}}, &f.scratch)
	for i := range f.x {
		f.put(i)
	}
}

// path is the path of body i from now on.
func (f *scene) path(i int, now float64) grid.Path {
	return grid.Path{X: f.x[i], V: f.v[i], Radius: f.diameter[i] / 2, Now: now, Until: f.seconds}
}

func (f *scene) put(i int) {
	f.grid.Put(int32(i), f.x[i], f.diameter[i], f.v[i].Length()*f.seconds/2, f.v[i].Length())
}

// crossing is the next crossing of a body.
type crossing struct {
	body int
	time float64
	side grid.Side
}

// follow moves all bodies through their crossings and returns, for each pair that the grid found,
// the time at which it was found first. In the middle of the step one in turning of the bodies
// starts on a new path, or none for 0. For these bodies only what is found afterwards counts.
func (f *scene) follow(turning int, r *rand.Rand) map[[2]int32]float64 {
	seen := map[[2]int32]float64{}
	note := func(i int32, near []int32, at float64) {
		for _, j := range near {
			key := [2]int32{min(i, j), max(i, j)}
			if t, ok := seen[key]; !ok || at < t {
				seen[key] = at
			}
		}
	}
	f.turned = make([]float64, len(f.x))
	for i := range f.x {
		if turning > 1 { // one search per pair is enough
			note(int32(i), f.grid.HalfNeighbors(int32(i), f.path(i, 0), nil), 0)
		} else {
			note(int32(i), f.grid.Neighbors(int32(i), f.path(i, 0), nil), 0)
		}
	}
	next := make([]crossing, len(f.x)) // by body; with the time of the end of the step if there is none
	predict := func(i int) {
		t, side := f.grid.NextCrossing(int32(i), &f.x[i], &f.v[i], f.seconds)
		next[i] = crossing{i, t, side}
	}
	again := make([]float64, len(f.x)) // when each body next searches for smaller ones
	for i := range f.x {
		predict(i)
		again[i] = f.grid.NextSearch(int32(i), 0)
	}
	for len(next) > 0 {
		c := slices.MinFunc(next, func(a, b crossing) int { return cmp.Compare(a.time, b.time) })
		if t := slices.Min(again); t < c.time && (turning == 0 || t < f.seconds/2) {
			i := int32(slices.Index(again, t))
			note(i, f.grid.FinerNeighbors(i, f.path(int(i), t), nil), t)
			again[i] = f.grid.NextSearch(i, t)
			continue
		}
		if now := f.seconds / 2; turning > 0 && c.time >= now {
			for i := range f.x {
				if r.IntN(turning) != 0 {
					continue
				}
				maps.DeleteFunc(seen, func(k [2]int32, _ float64) bool { return int(k[0]) == i || int(k[1]) == i })
				p := f.x[i].AddScaled(now, f.v[i])
				f.v[i] = f.v[r.IntN(len(f.v))].Neg()
				switch r.IntN(4) {
				case 0:
					f.v[i] = f.v[i].Scale(10)
				case 1, 2:
					// Towards the place where it just reaches another body before the end of the
					// step.
					j, at := r.IntN(len(f.x)), now+float64((f.seconds-now)*r.Float64())
					v := f.graze(i, j, at, r).Sub(p).Scale(1 / (at - now))
					if j != i && v.Length()*f.seconds < 3*f.size {
						f.v[i] = v
					}
				}
				f.x[i] = p.AddScaled(-now, f.v[i])
				f.turned[i] = now
				note(int32(i), f.grid.Neighbors(int32(i), f.path(i, now), nil), now)
				predict(i)
				again[i] = f.grid.NextSearch(int32(i), now)
			}
			turning = 0
			continue
		}
		if c.side == 0 {
			return seen
		}
		if f.grid.Move(int32(c.body), c.side) && f.grid.TryUnbin(int32(c.body), f.path(c.body, c.time)) {
			note(int32(c.body), f.grid.Binned(nil), c.time)
			next[c.body] = crossing{c.body, f.seconds, 0}
			continue
		}
		note(int32(c.body), f.grid.FaceNeighbors(int32(c.body), c.side, nil), c.time)
		predict(c.body)
	}
	return seen
}

// graze returns a position at which body i just touches body j at time t: in front of it, behind it
// or beside it.
func (f *scene) graze(i, j int, t float64, r *rand.Rand) collide.Vec3 {
	n, ok := f.v[j].Normalized()
	if !ok || r.IntN(3) == 0 {
		n, _ = inUnitCube(r).Normalized()
	}
	if r.IntN(2) == 0 {
		n = n.Neg()
	}
	return f.x[j].AddScaled(t, f.v[j]).AddScaled((f.diameter[i]+f.diameter[j])/2*(1-1e-9), n)
}

// touch returns when two bodies first touch within the step, on the paths that they have at its
// end.
func (f *scene) touch(i, j int) (float64, bool) {
	from := max(f.turned[i], f.turned[j])
	a := collide.Sphere{Center: f.x[i].AddScaled(from, f.v[i]), Radius: f.diameter[i] / 2}
	b := collide.Sphere{Center: f.x[j].AddScaled(from, f.v[j]), Radius: f.diameter[j] / 2}
	if collide.OverlapSphereSphere(a, b) {
		return from, true
	}
	c, outcome := collide.SweepSphereSphere(a, f.v[i], b, f.v[j], f.seconds-from)
	return from + c.Time, outcome != collide.Miss
}

type layout struct {
	name     string
	n        int
	box      collide.Vec3 // half extents
	diameter interval
	speed    interval
	offset   collide.Vec3
	outliers int
	sampled  bool // Layout sees the first half of the bodies only
	hot      bool // smaller bodies are faster: all have the kinetic energy of the largest
}

type interval [2]float64

func vec(x, y, z float64) collide.Vec3 { return collide.Vec3{X: x, Y: y, Z: z} }

var layouts = []layout{
	{
		name: "bodies of about one size", n: 150, box: vec(4, 4, 4),
		diameter: interval{1, 1}, speed: interval{0, 100},
	},
	{name: "all sizes", n: 120, box: vec(4, 4, 4), diameter: interval{0.01, 3}, speed: interval{0, 100}},
	{
		name: "sizes that differ by a factor of 5,000", n: 120, box: vec(50, 50, 50),
		diameter: interval{0.01, 50}, speed: interval{0, 1000},
	},
	{
		name: "sizes that differ by a factor of 1e9", n: 60, box: vec(1e3, 1e3, 1e3),
		diameter: interval{1e-6, 1e3}, speed: interval{0, 100},
	},
	{name: "a plane", n: 150, box: vec(10, 10, 0), diameter: interval{0.3, 1}, speed: interval{0, 100}},
	{name: "a line", n: 60, box: vec(0, 50, 0), diameter: interval{0.3, 1}, speed: interval{0, 100}},
	{name: "a thin slab", n: 150, box: vec(10, 0.6, 10), diameter: interval{0.3, 1}, speed: interval{0, 300}},
	{name: "all in one place", n: 40, diameter: interval{0.3, 1}, speed: interval{0, 300}},
	{
		name: "far outliers", n: 150, box: vec(2, 2, 2),
		diameter: interval{0.3, 1}, speed: interval{0, 100}, outliers: 8,
	},
	{name: "sparse and fast", n: 60, box: vec(30, 30, 30), diameter: interval{0.5, 1}, speed: interval{1e3, 3e4}},
	{
		name: "a corner below zero", n: 120, box: vec(4, 4, 4),
		diameter: interval{0.1, 1}, speed: interval{0, 100}, offset: vec(-1000, -77, -3),
	},
	{
		name: "1e6 from the origin", n: 120, box: vec(4, 4, 4),
		diameter: interval{0.1, 1}, speed: interval{0, 100}, offset: vec(1e6, -1e6, 1e6),
	},
	{
		name: "1e8 from the origin", n: 100, box: vec(9, 9, 9),
		diameter: interval{0.1, 3}, speed: interval{0, 100}, offset: vec(1e8, -1e8, 1e8),
	},
	{
		name: "1e9 from the origin", n: 100, box: vec(9, 9, 9),
		diameter: interval{0.1, 3}, speed: interval{0, 100}, offset: vec(-1e9, 1e9, 1e9),
	},
	{
		name: "1e9 from the origin, of all sizes", n: 60, box: vec(90, 90, 90),
		diameter: interval{0.01, 90}, speed: interval{0, 100}, offset: vec(-1e9, 1e9, 1e9),
	},
	{
		name: "1e9 from the origin, crowded", n: 100, box: vec(0.5, 0.5, 0.5),
		diameter: interval{0.01, 1}, speed: interval{0, 100}, offset: vec(-1e9, 1e9, 1e9),
	},
	{
		name: "1e8 from the origin, small and large", n: 100, box: vec(0.2, 0.2, 0.2),
		diameter: interval{1e-3, 0.5}, speed: interval{0, 10}, offset: vec(-1e8-12.3, 1e8+5.7, 1e8),
	},
	{
		name: "giants among dust", n: 200, box: vec(8, 8, 8),
		diameter: interval{0.02, 4}, speed: interval{0, 3}, hot: true,
	},
	{
		name: "giants among dust in a plane", n: 150, box: vec(20, 20, 0),
		diameter: interval{0.02, 4}, speed: interval{0, 3}, hot: true,
	},
	{
		name: "dust 1e8 from the origin", n: 150, box: vec(8, 8, 8),
		diameter: interval{0.02, 4}, speed: interval{0, 3}, hot: true, offset: vec(-1e8, 1e8, 1e8),
	},
	{
		name: "laid out for other bodies", n: 120, box: vec(4, 4, 4),
		diameter: interval{0.1, 1}, speed: interval{0, 100}, sampled: true,
	},
}

func (l *layout) scene(r *rand.Rand) *scene {
	f := &scene{seconds: 1.0 / 60, size: l.box.Length()}
	f.grid.EagerUnbin = r.IntN(2) == 0
	uniform := func(half float64) float64 { return half * (2*r.Float64() - 1) }
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
	largest := 0.0
	for i := range l.n {
		x := collide.Vec3{X: uniform(l.box.X), Y: uniform(l.box.Y), Z: uniform(l.box.Z)}
		if i < l.outliers {
			x = x.Scale(1e4)
		}
		v := collide.Vec3{X: uniform(1), Y: uniform(1), Z: uniform(1)}
		if r.IntN(2) == 0 {
			// Towards the middle, so that fast bodies meet.
			v = x.Scale(-1/max(x.Length(), 1e-9)).AddScaled(0.05, v)
		}
		f.x = append(f.x, x.Add(l.offset))
		f.v = append(f.v, v.Scale(between(l.speed[0], l.speed[1])))
		f.diameter = append(f.diameter, l.diameter[0]*math.Pow(l.diameter[1]/l.diameter[0], r.Float64()))
		if l.hot {
			f.v[i] = f.v[i].Scale(math.Pow(l.diameter[1]/f.diameter[i], 1.5))
		}
		largest = max(largest, f.diameter[i])
		if l.hot && i%2 == 1 {
			t := f.seconds * r.Float64()
			f.x[i] = f.graze(i, r.IntN(i), t, r).AddScaled(-t, f.v[i])
		}
	}
	sample := l.n
	if l.sampled {
		sample /= 2
		f.diameter[0] = largest // every diameter must fit
	}
	f.layout(sample)
	return f
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// inUnitCube returns a random point of the unit cube around the origin.
func inUnitCube(r *rand.Rand) collide.Vec3 {
	return collide.Vec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5}
}

// TestEveryPairIsFoundBeforeItTouches compares the pairs that the grid finds with all pairs.
func TestEveryPairIsFoundBeforeItTouches(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Portable)
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			r, touches := random(1), 0
			for round := range slow.Cases(12) {
				f := l.scene(r)
				for turning := range 3 {
					f.grid.BeginStep()
					for i := range f.x {
						f.put(i)
					}
					seen := f.follow(turning, r)
					for i := range f.x {
						for j := range i {
							at, ok := f.touch(i, j)
							if !ok {
								continue
							}
							touches++
							first, known := seen[[2]int32{int32(j), int32(i)}]
							// Far from the origin coordinates are that coarse.
							coarse := f.x[i].Length() * 0x1p-51 / (f.v[i].Sub(f.v[j]).Length() + 1e-300)
							if !known || first > at+coarse {
								t.Fatalf("round %d: bodies %d, %d (%v, %v wide) touch at %v but are found at %v: %v",
									round, j, i, f.diameter[j], f.diameter[i], at, first, known)
							}
						}
					}
					for i := range f.x {
						f.x[i] = f.x[i].AddScaled(f.seconds, f.v[i])
					}
				}
			}
			if touches < slow.Cases(10) {
				t.Errorf("only %d pairs touched", touches)
			}
		})
	}
}

// TestInBoxFindsEveryBodyThatReachesIn compares InBox with a search of all bodies, after crossings.
func TestInBoxFindsEveryBodyThatReachesIn(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			r, asked := random(2), 0
			for range slow.Cases(10) {
				f := l.scene(r)
				f.follow(0, nil)
				for i := range f.x {
					f.x[i] = f.x[i].AddScaled(f.seconds, f.v[i])
				}
				for range 50 {
					c := f.x[r.IntN(len(f.x))]
					half := collide.Vec3{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}
					half = half.Scale(math.Pow(10, 4*r.Float64()-3) * l.diameter[1])
					box := collide.AABB{Min: c.Sub(half), Max: c.Add(half)}
					got, ok := f.grid.InBox(box, []int32{-7})
					if got[0] != -7 || !ok && len(got) != 1 {
						t.Fatalf("InBox overwrote out: %v", got)
					}
					if !ok {
						continue
					}
					asked++
					got = got[1:]
					slices.Sort(got)
					if len(slices.Compact(slices.Clone(got))) != len(got) {
						t.Fatalf("InBox lists a body twice: %v", got)
					}
					for i := range f.x {
						// Bodies that touch the box only by rounding may be missing.
						reach := f.diameter[i]/2 - 1e-9*f.diameter[i] - f.x[i].Length()*0x1p-50
						if f.x[i].Distance(box.ClosestPoint(f.x[i])) < reach && !slices.Contains(got, int32(i)) {
							t.Fatalf("InBox %v misses body %d at %v, %v wide", box, i, f.x[i], f.diameter[i])
						}
					}
				}
			}
			if asked == 0 {
				t.Error("no box was small enough for InBox")
			}
		})
	}
}

// TestRandomOperationsKeepTheLists puts, removes and moves bodies at random, and checks that every
// body of the grid is still found by its neighbours, and that no other body is.
func TestRandomOperationsKeepTheLists(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Portable)
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			r := random(3)
			for round := range slow.Cases(6) {
				f := l.scene(r)
				in := make([]bool, len(f.x))
				for i := range in {
					in[i] = true
				}
				for op := range 400 {
					i := r.IntN(len(f.x))
					if op%150 == 149 {
						f.grid.Clear()
						for i := range in {
							if in[i] = r.IntN(2) == 0; in[i] {
								f.put(i)
							}
						}
					}
					switch r.IntN(4) {
					case 0:
						f.grid.Remove(int32(i))
						in[i] = false
					case 1:
						f.x[i] = f.x[r.IntN(len(f.x))].AddScaled(f.diameter[i], inUnitCube(r))
						f.put(i)
						in[i] = true
					default:
						if !in[i] {
							continue
						}
						f.grid.Neighbors(int32(i), f.path(i, 0), nil) // a new path, so the body is in a cell
						if t, side := f.grid.NextCrossing(int32(i), &f.x[i], &f.v[i], 10); side != 0 && t >= 0 {
							if f.grid.Move(int32(i), side) {
								f.grid.TryUnbin(int32(i), f.path(i, t))
							}
							// Move it to the crossing.
							f.x[i] = f.x[i].AddScaled(t, f.v[i])
						}
					}
					if op%20 != 0 {
						continue
					}
					for i := range f.x {
						if !in[i] {
							continue
						}
						near := f.grid.Neighbors(int32(i), f.path(i, 0), nil)
						slices.Sort(near)
						if len(slices.Compact(slices.Clone(near))) != len(near) {
							t.Fatalf("round %d, %d: Neighbors lists a body twice: %v", round, op, near)
						}
						for j := range f.x {
							found := slices.Contains(near, int32(j)) ||
								in[j] && slices.Contains(f.grid.Neighbors(int32(j), f.path(j, 0), nil), int32(i))
							rounding := 1e-9*min(f.diameter[i], f.diameter[j]) + 0x1p-48*f.x[i].Length()
							d := (f.diameter[i]+f.diameter[j])/2 - rounding
							if found && !in[j] || in[j] && !found && f.x[i].Distance(f.x[j]) < d {
								t.Fatalf("round %d, %d: body %d at %v (%v wide) finds body %d at %v (%v wide): %v",
									round, op, i, f.x[i], f.diameter[i], j, f.x[j], f.diameter[j], found)
							}
						}
					}
				}
			}
		})
	}
}

// TestAGridOfFewBodiesWorks uses grids of no body, one and two.
func TestAGridOfFewBodiesWorks(t *testing.T) {
	for n := range 3 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := &scene{seconds: 1}
			for i := range n {
				f.x = append(f.x, collide.Vec3{X: float64(i) * 10})
				f.v = append(f.v, collide.Vec3{X: float64(-i) * 30})
				f.diameter = append(f.diameter, 1)
			}
			f.layout(n)
			f.follow(0, nil)
			if got, ok := f.grid.InBox(collide.AABB{}, nil); ok && n > 0 && len(got) == 0 {
				t.Errorf("InBox returns %v", got)
			}
		})
	}
	var g grid.Grid
	if g.Fits(1) || !math.IsInf(g.CastSegment(), 1) {
		t.Error("the zero grid has a level")
	}
}

// TestThereIsNoViewWhileABodyIsUnbinned: a view contains cells only.
func TestThereIsNoViewWhileABodyIsUnbinned(t *testing.T) {
	r := random(4)
	l := layouts[0]
	f := l.scene(r)
	f.grid.EagerUnbin = true
	f.layout(len(f.x))
	for i := range int32(len(f.x)) {
		if slots, _ := f.grid.View(i, grid.Full); slots == nil {
			continue // at an edge of the torus
		}
		j := (i + 1) % int32(len(f.x))
		_, side := f.grid.NextCrossing(j, &f.x[j], &f.v[j], math.Inf(1))
		if side == 0 || !f.grid.Move(j, side) || !f.grid.TryUnbin(j, f.path(int(j), 0)) {
			t.Fatal("the body is not unbinned")
		}
		if slots, _ := f.grid.View(i, grid.Full); slots != nil {
			t.Error("View succeeds while a body is unbinned")
		}
		f.put(int(j))
		if slots, _ := f.grid.View(i, grid.Full); slots == nil {
			t.Error("View fails after the body has returned to a cell")
		}
		return
	}
	t.Error("View fails for every body")
}
