package outline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func square(x, y, size float64) []collide.Vec3 {
	return []collide.Vec3{{X: x, Y: y}, {X: x + size, Y: y}, {X: x + size, Y: y + size}, {X: x, Y: y + size}}
}

// The outline of random tiles is the set of unit edges between a solid and an empty cell, with the
// solid on the left, whatever the order of the tiles and of their corners.
func TestTheOutlineOfTilesIsWhereSolidMeetsEmpty(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const n = 8
		var solid [n + 2][n + 2]bool
		var tiles [][]collide.Vec3
		for y := range n {
			for x := range n {
				if random.IntN(2) == 0 {
					continue
				}
				solid[y+1][x+1] = true
				s := square(float64(x), float64(y), 1)
				if random.IntN(2) == 0 {
					slices.Reverse(s)
				}
				tiles = append(tiles, s)
			}
		}
		random.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		var tracer Tracer
		for _, s := range tiles {
			tracer.Add(s, 0)
		}
		found := map[edge]bool{}
		for _, c := range tracer.Chains() {
			if c.Points[0] != c.Points[len(c.Points)-1] {
				t.Fatalf("a chain of whole tiles is open: %v", c.Points)
			}
			for i := 1; i < len(c.Points); i++ {
				a, b := c.Points[i-1], c.Points[i]
				d := b.Sub(a)
				length := d.Length()
				d = d.Scale(1 / length)
				for k := range int(length) {
					e := edge{a.AddScaled(float64(k), d), a.AddScaled(float64(k+1), d)}
					if found[e] {
						t.Fatalf("edge %v twice", e)
					}
					found[e] = true
				}
			}
		}
		count := 0
		want := func(inside, outside bool, a, b collide.Vec3) {
			if inside && !outside {
				count++
				if !found[edge{a, b}] {
					t.Fatalf("edge from %v to %v is missing", a, b)
				}
			}
		}
		for y := range n + 1 {
			for x := range n + 1 {
				fx, fy := float64(x), float64(y)
				o, right, up := collide.Vec3{X: fx, Y: fy}, collide.Vec3{X: fx + 1, Y: fy}, collide.Vec3{
					X: fx,
					Y: fy + 1,
				}
				want(solid[y+1][x+1], solid[y][x+1], o, right) // below
				want(solid[y][x+1], solid[y+1][x+1], right, o) // above
				want(solid[y+1][x+1], solid[y+1][x], up, o)    // to the left
				want(solid[y+1][x], solid[y+1][x+1], o, up)    // to the right
			}
		}
		if count != len(found) {
			t.Fatalf("%d edges, want %d", len(found), count)
		}
	}
}

func TestChains(t *testing.T) {
	v := func(xy ...float64) (points []collide.Vec3) {
		for i := 0; i < len(xy); i += 2 {
			points = append(points, collide.Vec3{X: xy[i], Y: xy[i+1]})
		}
		return points
	}
	tests := []struct {
		name string
		add  func(t *Tracer)
		want [][]collide.Vec3
	}{
		{"a row of tiles is one rectangle", func(t *Tracer) {
			for x := range 5 {
				t.Add(square(float64(x), 0, 1), 0)
			}
		}, [][]collide.Vec3{v(0, 0, 5, 0, 5, 1, 0, 1, 0, 0)}},
		{"a slope goes on over two tiles without a corner", func(t *Tracer) {
			t.Add(v(0, 0, 2, 0, 2, 1), 0)
			t.Add(v(2, 0, 4, 0, 4, 2, 2, 1), 0)
		}, [][]collide.Vec3{v(0, 0, 4, 0, 4, 2, 0, 0)}},
		{"half a tile beside a whole one leaves the upper half of its side", func(t *Tracer) {
			t.Add(square(0, 0, 2), 0)
			t.Add(v(2, 0, 4, 0, 4, 1, 2, 1), 0)
		}, [][]collide.Vec3{v(0, 0, 4, 0, 4, 1, 2, 1, 2, 2, 0, 2, 0, 0)}},
		{"tiles that touch at a corner stay apart", func(t *Tracer) {
			t.Add(square(0, 0, 1), 0)
			t.Add(square(1, 1, 1), 0)
		}, [][]collide.Vec3{v(0, 0, 1, 0, 1, 1, 0, 1, 0, 0), v(1, 1, 2, 1, 2, 2, 1, 2, 1, 1)}},
		{"ice beside stone has no wall in between", func(t *Tracer) {
			t.Add(square(0, 0, 1), 0)
			t.Add(square(1, 0, 1), 1)
		}, [][]collide.Vec3{v(1, 1, 0, 1, 0, 0, 1, 0), v(1, 0, 2, 0, 2, 1, 1, 1)}},
		{"two halves of a tile, cut along its diagonal, are a tile", func(t *Tracer) {
			t.Add(v(0, 0, 1, 0, 1, 1), 0)
			t.Add(v(0, 0, 1, 1, 0, 1), 0)
		}, [][]collide.Vec3{v(0, 0, 1, 0, 1, 1, 0, 1, 0, 0)}},
		{"a hole runs clockwise", func(t *Tracer) {
			for y := range 3 {
				for x := range 3 {
					if x != 1 || y != 1 {
						t.Add(square(float64(x), float64(y), 1), 0)
					}
				}
			}
		}, [][]collide.Vec3{v(0, 0, 3, 0, 3, 3, 0, 3, 0, 0), v(1, 1, 1, 2, 2, 2, 2, 1, 1, 1)}},
		{"the upper sides of one-way tiles join", func(t *Tracer) {
			for x := range 3 {
				t.AddFacing(square(float64(x), 0, 1), 1, 0)
				t.AddFacing(square(float64(x), 1, 1), 1, 0)
			}
		}, [][]collide.Vec3{v(3, 1, 0, 1), v(3, 2, 0, 2)}},
		{"nothing has no outline", func(*Tracer) {}, nil},
	}
	for _, test := range tests {
		var tracer Tracer
		test.add(&tracer)
		var got [][]collide.Vec3
		for _, c := range tracer.Chains() {
			got = append(got, c.Points)
		}
		for _, w := range test.want {
			if !slices.ContainsFunc(got, func(g []collide.Vec3) bool { return sameChain(g, w) }) {
				t.Errorf("%s: %v is missing in %v", test.name, w, got)
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %d chains, want %d", test.name, len(got), len(test.want))
		}
	}
}

// sameChain reports whether two chains are the same. Closed ones may begin anywhere.
func sameChain(a, b []collide.Vec3) bool {
	if len(a) != len(b) {
		return false
	}
	if n := len(a) - 1; a[0] == a[n] && b[0] == b[n] {
		for i := range n {
			if slices.Equal(append(slices.Clone(a[i:n]), a[:i]...), b[:n]) {
				return true
			}
		}
		return false
	}
	return slices.Equal(a, b)
}
