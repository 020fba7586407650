package bvh

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func vec(r *rand.Rand, size float64) collide.Vec3 {
	return collide.Vec3{X: size * (2*r.Float64() - 1), Y: size * (2*r.Float64() - 1), Z: size * (2*r.Float64() - 1)}
}

// generator makes boxes of all sizes. Some are flat, lines or points, and some are the same as the
// one before.
type generator struct {
	r    *rand.Rand
	size float64
	last collide.AABB
}

func (c *generator) box() collide.AABB {
	if c.r.IntN(8) == 0 && !c.last.IsEmpty() && c.last.Size() != (collide.Vec3{}) {
		return c.last
	}
	at := vec(c.r, c.size)
	half := vec(c.r, c.size*math.Pow(2, -12*c.r.Float64()))
	for _, axis := range []*float64{&half.X, &half.Y, &half.Z} {
		if c.r.IntN(6) == 0 {
			*axis = 0
		}
	}
	c.last = collide.NewAABB(at.Add(half), at.Sub(half))
	return c.last
}

// check fails the test if the tree is inconsistent, or doesn't contain exactly these boxes.
func check(t *testing.T, tree *Tree, want map[int32]collide.AABB) {
	t.Helper()
	if tree.Len() != len(want) {
		t.Fatalf("%d items, want %d", tree.Len(), len(want))
	}
	for item, box := range want {
		if got, ok := tree.Box(item); !ok || !(got == box) {
			t.Fatalf("item %d has %v, %v, want %v", item, got, ok, box)
		}
	}
	if len(want) == 0 {
		return
	}
	leaves, nodes := 0, 0
	var walk func(at, parent int32, depth int) collide.AABB
	walk = func(at, parent int32, depth int) collide.AABB {
		nodes++
		n := &tree.nodes[at]
		if n.parent != parent {
			t.Fatalf("node %d has the parent %d, want %d", at, n.parent, parent)
		}
		if depth > maxHeight {
			t.Fatalf("node %d is %d deep", at, depth)
		}
		if n.child < 0 {
			leaves++
			if tree.leaves[^n.child] != at || n.height != 0 {
				t.Fatalf("item %d is at %d and not at %d, height %d", ^n.child, tree.leaves[^n.child], at, n.height)
			}
			return n.box
		}
		a, b := walk(n.child, at, depth+1), walk(n.child+1, at, depth+1)
		if n.box != a.Union(b) || n.height != 1+max(tree.nodes[n.child].height, tree.nodes[n.child+1].height) {
			t.Fatalf("node %d has the box %v and the height %d, not those of its children", at, n.box, n.height)
		}
		return n.box
	}
	walk(0, -1, 0)
	if leaves != len(want) || nodes+2*len(tree.spare)+1 != len(tree.nodes) {
		t.Fatalf("%d leaves, %d nodes and %d unused pairs of %d nodes, want %d leaves",
			leaves, nodes, len(tree.spare), len(tree.nodes), len(want))
	}
}

// TestRandomChangesKeepTheTreeConsistent adds, changes and removes one or many items again and
// again.
func TestRandomChangesKeepTheTreeConsistent(t *testing.T) {
	for seed := range uint64(20) {
		r := random(seed)
		c := &generator{r: r, size: math.Pow(10, float64(seed%7)-3)}
		var tree Tree
		want := map[int32]collide.AABB{}
		for range 120 {
			switch r.IntN(4) {
			case 0: // many at a time
				var items []Item
				from := int32(r.IntN(300))
				for k := range int32(r.IntN(100)) {
					items = append(items, Item{c.box(), from + k})
				}
				tree.Put(items)
				for _, i := range items {
					want[i.Item] = i.Box
				}
			case 1:
				k := int32(r.IntN(400))
				for range r.IntN(40) {
					tree.Remove(k)
					delete(want, k)
					k = int32(r.IntN(400))
				}
			default:
				for range r.IntN(20) {
					k := int32(r.IntN(400))
					want[k] = c.box()
					tree.Put([]Item{{want[k], k}})
				}
			}
			check(t, &tree, want)
		}
	}
}

// TestNestedBoxesDoNotMakeTheTreeTooHigh adds boxes that contain each other, in several orders.
func TestNestedBoxesDoNotMakeTheTreeTooHigh(t *testing.T) {
	for name, order := range map[string]func(k int) int{
		"inwards":  func(k int) int { return k },
		"outwards": func(k int) int { return 499 - k },
		"mixed":    func(k int) int { return k * 7 % 500 },
	} {
		t.Run(name, func(t *testing.T) {
			var tree Tree
			var items []Item
			want := map[int32]collide.AABB{}
			for k := range 500 {
				half := math.Pow(1.3, float64(order(k)-250))
				i := Item{collide.AABB{}.Grow(half), int32(k)}
				i.Box = i.Box.Translate(collide.Vec3{X: half})
				want[i.Item] = i.Box
				items = append(items, i)
				tree.Put(items[k:])
			}
			check(t, &tree, want)
			tree.Put(items)
			check(t, &tree, want)
		})
	}
}

// find returns the items that a search finds, sorted.
func find(tree *Tree, box collide.AABB, v collide.Vec3, seconds float64) []int32 {
	var s Search
	var out []int32
	tree.Search(&s, box, v, seconds)
	for k, ok := s.Next(); ok; k, ok = s.Next() {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// TestSearchFindsEveryBoxThatIsTouched compares searches with a test of all boxes. A search may
// find a few more.
func TestSearchFindsEveryBoxThatIsTouched(t *testing.T) {
	for seed := range uint64(30) {
		r := random(100 + seed)
		size := math.Pow(10, float64(seed%10)-3)
		c := &generator{r: r, size: size}
		var tree Tree
		var items []Item
		for k := range int32(300) {
			items = append(items, Item{c.box(), k})
		}
		tree.Put(items[:250])
		for _, i := range items[250:] {
			tree.Put([]Item{i})
		}
		hits, finds := 0, 0
		for range 300 {
			from := c.box()
			if r.IntN(2) == 0 {
				from = from.Translate(vec(r, 10*size))
			}
			v := vec(r, size)
			if r.IntN(5) == 0 {
				v = items[r.IntN(len(items))].Box.Center().Sub(from.Center())
			}
			for _, axis := range []*float64{&v.X, &v.Y, &v.Z} {
				if r.IntN(5) == 0 {
					*axis = 0
				}
			}
			seconds := []float64{0, 1, 1e-3, 1e6, math.Inf(1)}[r.IntN(5)]
			got := find(&tree, from, v, seconds)
			for _, i := range items {
				_, found := slices.BinarySearch(got, i.Item)
				touches := reaches(from, v, seconds, i.Box)
				if touches && !found {
					t.Fatalf("seed %d: from %v at %v for %v s: %v is not found", seed, from, v, seconds, i.Box)
				}
				if touches {
					hits++
				}
				if found {
					finds++
				}
			}
		}
		if hits < 200 || finds > hits+hits/3 {
			t.Errorf("seed %d: %d touches, %d found", seed, hits, finds)
		}
	}
}

// reaches reports whether a moving box touches another, computed axis by axis.
func reaches(a collide.AABB, v collide.Vec3, seconds float64, b collide.AABB) bool {
	first, last := 0.0, seconds
	for axis := range 3 {
		lo, hi := b.Min.Component(axis)-a.Max.Component(axis), b.Max.Component(axis)-a.Min.Component(axis)
		w := v.Component(axis)
		switch {
		case w == 0 && (lo > 0 || hi < 0):
			return false
		case w == 0:
			continue
		case w < 0:
			lo, hi = hi, lo
		}
		first, last = max(first, lo/w), min(last, hi/w)
	}
	return first <= last
}

// TestAShortenedSearchFindsTheFirstTouch calls Until whenever a box is touched earlier than all
// before.
func TestAShortenedSearchFindsTheFirstTouch(t *testing.T) {
	r := random(7)
	c := &generator{r: r, size: 10}
	var tree Tree
	var items []Item
	for k := range int32(2000) {
		at := vec(r, 10)
		items = append(items, Item{collide.NewAABB(at, at.Add(vec(r, 0.3))), k})
	}
	tree.Put(items)
	touch := func(from collide.AABB, v collide.Vec3, b collide.AABB) float64 {
		span, ok := collide.IntervalAABBAABB(from, v, b, collide.Vec3{})
		if !ok || span.Last < 0 || span.First > 1 {
			return math.Inf(1)
		}
		return max(0, span.First)
	}
	tested := 0
	for range 2000 {
		from, v := c.box(), vec(r, 30)
		from = collide.NewAABB(from.Center(), from.Center().Add(vec(r, 0.1)))
		want := math.Inf(1)
		for _, i := range items {
			want = min(want, touch(from, v, i.Box))
		}
		got := math.Inf(1)
		var s Search
		tree.Search(&s, from, v, 1)
		for k, ok := s.Next(); ok; k, ok = s.Next() {
			tested++
			got = min(got, touch(from, v, items[k].Box))
			s.Until(got)
		}
		if got != want {
			t.Fatalf("from %v at %v: first touch at %v, want %v", from, v, got, want)
		}
	}
	if tested > 8000 {
		t.Errorf("%d boxes tested in 2000 searches, want at most 8000: they are not returned in order", tested)
	}
}

func TestNothingIsFoundInAnEmptyTree(t *testing.T) {
	var tree Tree
	box := collide.AABB{Max: collide.Vec3{X: 1, Y: 1, Z: 1}}
	if got := find(&tree, box, collide.Vec3{X: 1}, math.Inf(1)); len(got) > 0 {
		t.Errorf("found %v in a tree that was never used", got)
	}
	tree.Put([]Item{{box, 3}})
	if got := find(&tree, box, collide.Vec3{}, 0); !slices.Equal(got, []int32{3}) {
		t.Errorf("found %v, want 3", got)
	}
	tree.Remove(3)
	tree.Remove(3)
	tree.Remove(99)
	if got := find(&tree, box, collide.Vec3{X: 1}, math.Inf(1)); len(got) > 0 {
		t.Errorf("found %v after the last item was removed", got)
	}
}

func TestATouchAtZeroIsFound(t *testing.T) {
	zero := math.Copysign(0, -1)
	var tree Tree
	tree.Put([]Item{{collide.AABB{Min: collide.Vec3{X: -1}, Max: collide.Vec3{X: zero, Y: zero, Z: zero}}, 0}})
	if got := find(&tree, collide.AABB{}, collide.Vec3{}, 0); len(got) != 1 {
		t.Error("a point that touches a box at 0 is not found")
	}
}

func TestWarmChangesAndSearchesAllocateNothing(t *testing.T) {
	r := random(9)
	c := &generator{r: r, size: 100}
	var tree Tree
	var items []Item
	for k := range int32(1000) {
		items = append(items, Item{c.box(), k})
	}
	tree.Put(items)
	k := 0
	if got := testing.AllocsPerRun(1000, func() {
		k = (k + 37) % 1000
		items[k].Box = c.box()
		tree.Put(items[k : k+1])
		var s Search
		tree.Search(&s, items[k].Box, collide.Vec3{X: 1, Y: 2, Z: 3}, 5)
		for _, ok := s.Next(); ok; _, ok = s.Next() {
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// terrain returns n·n tiles side by side in a plane.
func terrain(n int) []Item {
	var items []Item
	for k := range n * n {
		at := collide.Vec3{X: float64(k % n), Z: float64(k / n)}
		size := collide.Vec3{X: 1, Y: float64(k*7%5) / 4, Z: 1}
		items = append(items, Item{collide.AABB{Min: at, Max: at.Add(size)}, int32(k)})
	}
	return items
}

func BenchmarkBuild(b *testing.B) {
	items := terrain(316)
	for b.Loop() {
		var tree Tree
		tree.Put(items)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(items)), "ns/item")
}

// BenchmarkPut changes the box of one item of 100,000.
func BenchmarkPut(b *testing.B) {
	items := terrain(316)
	var tree Tree
	tree.Put(items)
	k := 0
	for b.Loop() {
		k = (k + 7919) % len(items)
		tree.Put(items[k : k+1])
	}
}

// BenchmarkSearch searches 100,000 tiles for those that a sphere of half a tile's size touches
// while it moves by about a quarter of a tile, in a tree that was built at once and in one that was
// built by insertion.
func BenchmarkSearch(b *testing.B) {
	items := terrain(316)
	var built, grown Tree
	built.Put(items)
	for k := range items {
		grown.Put(items[k : k+1])
	}
	for name, tree := range map[string]*Tree{"built": &built, "grown": &grown} {
		b.Run(name, func(b *testing.B) {
			r := random(3)
			ways := make([]collide.AABB, 200)
			for k := range ways {
				at := collide.Vec3{X: 300 * r.Float64(), Y: 1, Z: 300 * r.Float64()}
				ways[k] = collide.AABB{Min: at, Max: at}.Grow(0.5)
			}
			k, found := 0, 0
			for b.Loop() {
				k = (k + 1) % len(ways)
				var s Search
				tree.Search(&s, ways[k], collide.Vec3{X: 10, Y: -10, Z: 5}, 1.0/60)
				for _, ok := s.Next(); ok; _, ok = s.Next() {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "found/op")
		})
	}
}
