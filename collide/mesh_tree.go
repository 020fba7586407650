package collide

import "math"

// meshNode is a leaf or the box around two nodes of a mesh's tree. Its size is 32 bytes: half a
// cache line, so that two siblings take one.
type meshNode struct {
	bounds [6]float32 // minimum X, Y, Z, then maximum, rounded outwards
	first  uint32     // of a leaf its first triangle, otherwise its first child; the second follows
	count  uint32     // of a leaf the number of its triangles, otherwise 0
}

const (
	// maxLeaf is the number of triangles in a leaf. With fewer, the tree takes more memory; with
	// more, searches test more triangles.
	maxLeaf = 4
	// meshBins is the number of bins along the longest axis, of which the cheapest boundary divides
	// a node.
	meshBins = 12
	// maxMeshDepth is the depth below which nodes are divided into halves, so that the tree is no
	// higher than maxMeshHeight with 2^29 triangles.
	maxMeshDepth  = 40
	maxMeshHeight = 72
)

// meshItem is a triangle while the tree is built.
type meshItem struct {
	bounds [6]float32
	index  uint32
}

func (i *meshItem) center(axis int) float32 { return i.bounds[axis] + i.bounds[axis+3] }

// roundDown returns the largest float32 that isn't above x, and roundUp the smallest that isn't
// below it.
func roundDown(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

func roundUp(x float64) float32 { return -roundDown(-x) }

// buildTree builds the tree and sorts the triangles into its leaves.
func (m *Mesh) buildTree() {
	items := make([]meshItem, len(m.triangles))
	for k := range items {
		c := &m.triangles[k].corners
		a, b, d := &m.vertices[c[0]], &m.vertices[c[1]], &m.vertices[c[2]]
		items[k] = meshItem{
			[6]float32{
				roundDown(min(a.X, b.X, d.X)), roundDown(min(a.Y, b.Y, d.Y)), roundDown(min(a.Z, b.Z, d.Z)),
				roundUp(max(a.X, b.X, d.X)), roundUp(max(a.Y, b.Y, d.Y)), roundUp(max(a.Z, b.Z, d.Z)),
			},
			uint32(k),
		}
	}
	// The node after the root isn't used, so that siblings share a cache line.
	b := treeBuilder{items: items, nodes: make([]meshNode, 2, len(items)+2)}
	b.fill(0, 0, len(items), 0)
	m.nodes = make([]meshNode, len(b.nodes))
	copy(m.nodes, b.nodes)
	triangles, original := make([]meshTriangle, len(items)), make([]uint32, len(items))
	for k := range items {
		triangles[k], original[k] = m.triangles[items[k].index], m.original[items[k].index]
	}
	m.triangles, m.original = triangles, original
	m.renumber()
}

// renumber sorts the vertices by the first triangle that has them, so that triangles in the same
// leaf have vertices in the same cache lines.
func (m *Mesh) renumber() {
	number := make([]uint32, len(m.vertices)) // plus 1
	vertices := make([]Vec3, 0, len(m.vertices))
	for k := range m.triangles {
		c := &m.triangles[k].corners
		for i, v := range c {
			if number[v] == 0 {
				vertices = append(vertices, m.vertices[v])
				number[v] = uint32(len(vertices))
			}
			c[i] = number[v] - 1
		}
	}
	m.vertices = vertices
}

type treeBuilder struct {
	items []meshItem
	nodes []meshNode
}

// emptyBounds contain nothing.
var emptyBounds = [6]float32{
	float32(math.Inf(1)), float32(math.Inf(1)), float32(math.Inf(1)),
	float32(math.Inf(-1)), float32(math.Inf(-1)), float32(math.Inf(-1)),
}

// enlarge enlarges a so that it contains b.
func enlarge(a, b *[6]float32) {
	for k := range 3 {
		if b[k] < a[k] {
			a[k] = b[k]
		}
		if b[k+3] > a[k+3] {
			a[k+3] = b[k+3]
		}
	}
}

// halfSurface returns half the surface of a box.
func halfSurface(b *[6]float32) float32 {
	x, y, z := b[3]-b[0], b[4]-b[1], b[5]-b[2]
	return float32(x*y) + float32(y*z) + float32(z*x)
}

// fill makes the node at index at of the items from low to high, and those below it.
func (b *treeBuilder) fill(at, low, high, depth int) {
	items := b.items[low:high]
	bounds, centers := emptyBounds, emptyBounds
	for k := range items {
		i := &items[k]
		enlarge(&bounds, &i.bounds)
		c := [6]float32{i.center(0), i.center(1), i.center(2), i.center(0), i.center(1), i.center(2)}
		enlarge(&centers, &c)
	}
	if len(items) <= maxLeaf {
		b.nodes[at] = meshNode{bounds, uint32(low), uint32(len(items))}
		return
	}
	boundary := low + b.divide(items, &centers, depth)
	first := len(b.nodes)
	b.nodes = append(b.nodes, meshNode{}, meshNode{})
	b.nodes[at] = meshNode{bounds, uint32(first), 0}
	b.fill(first, low, boundary, depth+1)
	b.fill(first+1, boundary, high, depth+1)
}

// divide reorders items into two groups and returns the size of the first. Of the boundaries
// between bins along the longest axis it takes the one with the least sum of surface times number
// of items of both groups.
func (b *treeBuilder) divide(items []meshItem, centers *[6]float32, depth int) int {
	axis := 0
	for k := 1; k < 3; k++ {
		if centers[k+3]-centers[k] > centers[axis+3]-centers[axis] {
			axis = k
		}
	}
	from, width := centers[axis], centers[axis+3]-centers[axis]
	if depth >= maxMeshDepth || !(width > 0) || math.IsInf(float64(width), 0) {
		return len(items) / 2 // all in one place, or so many levels down that order doesn't matter
	}
	var boxes [meshBins]([6]float32)
	var counts [meshBins]int
	for k := range boxes {
		boxes[k] = emptyBounds
	}
	scale := meshBins / width
	for k := range items {
		bin := min(int(float32((items[k].center(axis)-from)*scale)), meshBins-1)
		enlarge(&boxes[bin], &items[k].bounds)
		counts[bin]++
	}
	var above [meshBins]float32
	box, count := emptyBounds, 0
	for k := meshBins - 1; k > 0; k-- {
		enlarge(&box, &boxes[k])
		count += counts[k]
		above[k] = float32(halfSurface(&box) * float32(count))
	}
	box, count = emptyBounds, 0
	best, boundary := float32(math.Inf(1)), 0
	for k := 1; k < meshBins; k++ {
		enlarge(&box, &boxes[k-1])
		count += counts[k-1]
		if count == 0 || count == len(items) {
			continue
		}
		if cost := float32(halfSurface(&box)*float32(count)) + above[k]; cost < best {
			best, boundary = cost, k
		}
	}
	if boundary == 0 {
		return len(items) / 2
	}
	i, j := 0, len(items)-1
	for i <= j {
		if min(int(float32((items[i].center(axis)-from)*scale)), meshBins-1) < boundary {
			i++
		} else {
			items[i], items[j] = items[j], items[i]
			j--
		}
	}
	return i
}

// meshSearch finds the leaves that a ball of a given radius may touch on its way. It contains its
// own stack, so a local variable is enough.
type meshSearch struct {
	nodes []meshNode
	// The ball enters a box where it passes the near sides, grown by the radius, and leaves it
	// where it passes the far sides. near and far are the indices of these sides in the bounds;
	// from and to are the centre moved by the radius towards them.
	near, far  [3]int
	from, to   [3]float64
	inverse    [3]float64
	end        float64 // of the motion; may be reduced during the search
	depth      int
	stack      [maxMeshHeight]uint32
	stackEnter [maxMeshHeight]float64
}

// begin starts a search for what a ball of the given radius around p touches, moving at v from time
// 0 to end.
func (s *meshSearch) begin(m *Mesh, p, v Vec3, radius, end float64) {
	s.beginBox(m, p, v, Vec3{radius, radius, radius}, end)
}

// beginBox is begin for a box around p with the given half extents.
func (s *meshSearch) beginBox(m *Mesh, p, v, half Vec3, end float64) {
	s.nodes, s.end, s.depth = m.nodes, end, 0
	// All roundings of the following computations are a few ulps of the coordinates.
	margin := float64(0x1p-46 * (p.MaxAbs() + m.extent + half.MaxAbs()))
	for k := range 3 {
		at, speed, radius := p.Component(k), v.Component(k), half.Component(k)+margin
		if math.Abs(speed) < minSpeed {
			speed = minSpeed
		}
		s.near[k], s.far[k] = k, k+3
		s.from[k], s.to[k] = at+radius, at-radius
		if speed < 0 {
			s.near[k], s.far[k] = k+3, k
			s.from[k], s.to[k] = at-radius, at+radius
		}
		s.inverse[k] = 1 / speed
	}
	if _, ok := s.enter(&m.nodes[0]); ok {
		s.depth = 1
		s.stack[0], s.stackEnter[0] = 0, 0
	}
}

// enter returns when the ball enters a node's box, and whether it does so in time.
func (s *meshSearch) enter(n *meshNode) (float64, bool) {
	first := float64((float64(n.bounds[s.near[0]]) - s.from[0]) * s.inverse[0])
	last := float64((float64(n.bounds[s.far[0]]) - s.to[0]) * s.inverse[0])
	if t := float64((float64(n.bounds[s.near[1]]) - s.from[1]) * s.inverse[1]); t > first {
		first = t
	}
	if t := float64((float64(n.bounds[s.far[1]]) - s.to[1]) * s.inverse[1]); t < last {
		last = t
	}
	if t := float64((float64(n.bounds[s.near[2]]) - s.from[2]) * s.inverse[2]); t > first {
		first = t
	}
	if t := float64((float64(n.bounds[s.far[2]]) - s.to[2]) * s.inverse[2]); t < last {
		last = t
	}
	if first < 0 {
		first = 0
	}
	// Two roundings of each time.
	return first, float64(first*(1-0x1p-50)) <= float64(last*(1+0x1p-50)) && float64(first*(1-0x1p-50)) <= s.end
}

// next returns the triangles of the next leaf, or false if there is none.
func (s *meshSearch) next() (first, count uint32, ok bool) {
	for s.depth > 0 {
		s.depth--
		if s.stackEnter[s.depth] > s.end {
			continue
		}
		n := &s.nodes[s.stack[s.depth]]
		for n.count == 0 {
			a, b := &s.nodes[n.first], &s.nodes[n.first+1]
			ta, okA := s.enter(a)
			tb, okB := s.enter(b)
			switch {
			case okA && okB:
				later, at := n.first+1, tb
				if tb < ta {
					a, later, at = b, n.first, ta
				}
				s.stack[s.depth], s.stackEnter[s.depth] = later, at
				s.depth++
				n = a
			case okA:
				n = a
			case okB:
				n = b
			default:
				n = nil
			}
			if n == nil {
				break
			}
		}
		if n != nil {
			return n.first, n.count, true
		}
	}
	return 0, 0, false
}
