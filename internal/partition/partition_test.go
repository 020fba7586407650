package partition

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

// points returns n random points of a box with these half extents.
func points(r *rand.Rand, n int, half collide.Vec3) []collide.Vec3 {
	p := make([]collide.Vec3, n)
	for k := range p {
		p[k] = collide.Vec3{
			X: half.X * (2*r.Float64() - 1),
			Y: half.Y * (2*r.Float64() - 1),
			Z: half.Z * (2*r.Float64() - 1),
		}
	}
	return p
}

var clouds = []struct {
	name string
	n    int
	half collide.Vec3
}{
	{"a cube of points", 2000, collide.Vec3{X: 1, Y: 1, Z: 1}},
	{"a plane", 500, collide.Vec3{X: 10, Z: 3}},
	{"a line", 500, collide.Vec3{Y: 100}},
	{"all points in one place", 100, collide.Vec3{}},
	{"one point", 1, collide.Vec3{X: 1, Y: 1, Z: 1}},
	{"no point", 0, collide.Vec3{}},
	{"fewer points than boxes", 3, collide.Vec3{X: 1, Y: 1, Z: 1}},
}

func TestEveryPointIsInExactlyOneBox(t *testing.T) {
	for _, c := range clouds {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			for n := 1; n <= 20; n++ {
				var p Partition
				sample := points(r, c.n, c.half)
				p.Build(sample, n)
				if p.Len() != n {
					t.Fatalf("%d boxes, want %d", p.Len(), n)
				}
				tests := append(points(r, 200, collide.Vec3{X: 200, Y: 200, Z: 200}), sample...)
				for _, x := range tests {
					in := 0
					for k := range n {
						b := p.Box(k)
						if b.Contains(&x) {
							in++
						}
						if out := b.Outside(&x); b.Contains(&x) && out > 0 || !b.Contains(&x) && out < 0 {
							t.Fatalf("%v is %v outside of %v", x, out, b)
						}
					}
					if in != 1 {
						t.Fatalf("%v is in %d of %d boxes", x, in, n)
					}
				}
			}
		})
	}
}

func TestBoxesHaveTheSameNumberOfPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 16; n++ {
		var p Partition
		sample := points(r, 1600, collide.Vec3{X: 5, Y: 1, Z: 2})
		p.Build(sample, n)
		for k := range n {
			b, count := p.Box(k), 0
			for i := range sample {
				if b.Contains(&sample[i]) {
					count++
				}
			}
			if want := float64(len(sample)) / float64(n); math.Abs(float64(count)-want) > 5 {
				t.Errorf("box %d of %d has %d points, want about %v", k, n, count, want)
			}
		}
	}
}

func TestBuildDoesNotDependOnTheOrderOfPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	sample := points(r, 999, collide.Vec3{X: 1, Y: 2, Z: 3})
	var p, q Partition
	p.Build(slices.Clone(sample), 7)
	for range 20 {
		r.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
		q.Build(slices.Clone(sample), 7)
		if !slices.Equal(p.boxes, q.boxes) || !slices.Equal(p.nodes, q.nodes) {
			t.Fatal("another order of the same points gives another partition")
		}
	}
}

func TestABodyIsListedInEveryBoxWithinTheHalo(t *testing.T) {
	for _, c := range clouds {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, 8))
			for n := 1; n <= 12; n++ {
				var p Partition
				p.Build(points(r, c.n, c.half), n)
				halo := math.Pow(10, 4*r.Float64()-3)
				bodies := points(r, 300, c.half.Add(collide.Vec3{X: 1, Y: 1, Z: 1}))
				var lists Lists
				lists.Reset(3)
				lists.Reset(n)
				for i := range bodies {
					p.Add(&lists, int32(i), &bodies[i], halo)
				}
				total := 0
				for k := range n {
					b, list := p.Box(k), lists.Of(int32(k))
					total += len(list)
					if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
						t.Fatalf("box %d lists bodies twice or out of order: %v", k, list)
					}
					for i := range bodies {
						out := b.Outside(&bodies[i])
						if _, listed := slices.BinarySearch(list, int32(i)); listed != (out <= halo) {
							t.Fatalf("body %d, %v outside of box %d, with a halo of %v: listed %v",
								i, out, k, halo, listed)
						}
					}
				}
				if total != lists.Total() {
					t.Fatalf("Total is %d, want %d", lists.Total(), total)
				}
			}
		})
	}
}

func TestWarmListsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var p Partition
	p.Build(points(r, 500, collide.Vec3{X: 1, Y: 1, Z: 1}), 5)
	bodies := points(r, 500, collide.Vec3{X: 1, Y: 1, Z: 1})
	var lists Lists
	if n := testing.AllocsPerRun(10, func() {
		lists.Reset(p.Len())
		for i := range bodies {
			p.Add(&lists, int32(i), &bodies[i], 0.1)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
