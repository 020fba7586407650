package collide

import (
	"math"
	"math/bits"
	"slices"
)

// meshNode has the boxes of up to eight nodes below it in a mesh's tree. It is two cache lines, for
// which a search waits once: in a large mesh it waits for memory more than it computes.
type meshNode struct {
	// Side i of the box of child k is at origin + quanta[k/4][i][k%4]·scale. The sides are minimum
	// X, Y, Z, then maximum, rounded outwards.
	origin, scale [3]float32
	quanta        [meshWidth / 4][6][4]uint8
	children      [meshWidth]meshChild
	_             [24]byte
}

// meshChild is the index of a node or, with leafChild, a leaf: the index of its first triangle and,
// from leafCount on, the number of its triangles minus 1. Zero, the root, stands for no child.
type meshChild uint32

const (
	leafChild meshChild = 1 << 31
	leafCount           = 29
	leafFirst meshChild = 1<<leafCount - 1
)

// leaf returns the triangles of a leaf.
func (c meshChild) leaf() (first, count uint32) {
	return uint32(c & leafFirst), uint32(c&^leafChild>>leafCount) + 1
}

const (
	meshWidth = 8
	// maxLeaf is the number of triangles in a leaf. With fewer, the tree takes more memory; with
	// more, searches test more triangles.
	maxLeaf = 2
	// meshBins is the number of bins along the longest axis, of which the cheapest boundary divides
	// a node.
	meshBins = 12
	// maxMeshDepth is the depth below which nodes are divided into halves, so that the tree is no
	// higher than maxMeshHeight with 2^29 triangles.
	maxMeshDepth  = 40
	maxMeshHeight = 72
	// maxMeshStack is the number of nodes that may wait: all children of a node but one, while a
	// search goes down. In a tree that is much higher than others, nodes have fewer children.
	maxMeshStack = 112
	// hugeMesh is the coordinate from which the tree is scaled down by hugeScale, so that the boxes
	// are finite in float32.
	hugeMesh  = 0x1p100
	hugeScale = 0x1p-200
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
func (b *meshBuilder) buildTree() {
	m := b.m
	m.treeScale = 1
	if m.extent > hugeMesh {
		m.treeScale = hugeScale
	}
	items := make([]meshItem, len(m.triangles))
	for k := range items {
		c := &b.corners[k]
		p, q, r := b.vertices[c[0]], b.vertices[c[1]], b.vertices[c[2]]
		if m.treeScale != 1 {
			p, q, r = p.Scale(m.treeScale), q.Scale(m.treeScale), r.Scale(m.treeScale)
		}
		items[k] = meshItem{
			[6]float32{
				roundDown(min(p.X, q.X, r.X)), roundDown(min(p.Y, q.Y, r.Y)), roundDown(min(p.Z, q.Z, r.Z)),
				roundUp(max(p.X, q.X, r.X)), roundUp(max(p.Y, q.Y, r.Y)), roundUp(max(p.Z, q.Z, r.Z)),
			},
			uint32(k),
		}
	}
	t := treeBuilder{items: items, nodes: make([]binaryNode, 1, len(items)+1)}
	all := groupOf(items)
	t.fill(0, 0, len(items), 0, &all)
	t.wide = make([]meshNode, 1, len(t.nodes)/8+1)
	t.widen(0, 0, 1)
	m.nodes = slices.Clone(t.wide)
	triangles, corners := make([]meshTriangle, len(items)), make([][3]uint32, len(items))
	for k := range items {
		triangles[k], corners[k] = m.triangles[items[k].index], b.corners[items[k].index]
	}
	m.triangles, b.corners = triangles, corners
}

// renumber sorts the vertices by the first triangle that has them, so that triangles in the same
// leaf have vertices in the same cache lines.
func (b *meshBuilder) renumber() {
	number := make([]uint32, len(b.vertices)) // plus 1
	vertices := make([]Vec3, 0, len(b.vertices))
	for k := range b.corners {
		c := &b.corners[k]
		for i, v := range c {
			if number[v] == 0 {
				vertices = append(vertices, b.vertices[v])
				number[v] = uint32(len(vertices))
			}
			c[i] = number[v] - 1
		}
	}
	b.vertices = vertices
}

// setBlocks sets the vertices of each block of triangles.
func (b *meshBuilder) setBlocks() {
	m := b.m
	m.blocks = make([]uint32, 0, (len(m.triangles)+meshBlock-1)/meshBlock)
	vertices := make([]Vec3, 0, min(9*len(b.vertices)/4, 3*len(b.corners)))
	last := make([]uint32, len(b.vertices)) // where a vertex has been put last, plus 1
	first := 0                              // vertex of the block
	for k := range m.triangles {
		if k%meshBlock == 0 {
			first = len(vertices)
			m.blocks = append(m.blocks, uint32(first))
		}
		for i, v := range b.corners[k] {
			if int(last[v]) <= first {
				vertices = append(vertices, b.vertices[v])
				last[v] = uint32(len(vertices))
			}
			m.triangles[k].corners[i] = uint8(int(last[v]) - 1 - first)
		}
	}
	m.vertices = slices.Clone(vertices)
}

// binaryNode is a leaf or the box around two nodes.
type binaryNode struct {
	bounds [6]float32 // as those of a meshItem
	first  uint32     // of a leaf its first triangle, otherwise its first child; the second follows
	count  uint32     // of a leaf the number of its triangles, otherwise 0
	// If k+1 children of a node are for what is below this one, then splits[k] of them are for its
	// first child; with 0 the node itself is the child.
	splits [meshWidth]uint8
	height uint32 // 0 for a leaf
}

// treeCosts has, at k, what it costs to search what is below a binary node if at most k+1 children
// of a node in the wide tree are for it.
type treeCosts [meshWidth]float32

// treeBuilder makes a binary tree first, and then a wide one.
type treeBuilder struct {
	items []meshItem
	nodes []binaryNode
	wide  []meshNode
}

// join finds out what is the cheapest for n, whose two children have the costs a and b. A node in
// the wide tree costs its surface, to which the number of searches that open it is proportional.
func (n *binaryNode) join(a, b *treeCosts) (c treeCosts) {
	for k := 1; k < meshWidth; k++ {
		c[k], n.splits[k] = a[0]+b[k-1], 1
		for split := 2; split <= k; split++ {
			if sum := a[split-1] + b[k-split]; sum < c[k] {
				c[k], n.splits[k] = sum, uint8(split)
			}
		}
	}
	c[0] = c[meshWidth-1] + halfSurface(&n.bounds)
	for k := 1; k < meshWidth-1; k++ {
		if c[0] < c[k] {
			c[k], n.splits[k] = c[0], 0
		}
	}
	return c
}

// collect appends the binary nodes that become children of a node in the wide tree, of which room
// are for what is below from.
func (b *treeBuilder) collect(below []uint32, from uint32, room int) []uint32 {
	n := &b.nodes[from]
	if n.count > 0 || n.splits[room-1] == 0 {
		return append(below, from)
	}
	split := int(n.splits[room-1])
	return b.collect(b.collect(below, n.first, split), n.first+1, room-split)
}

// widen makes the node at index at of the wide tree of the binary node from. While a search is
// there, waiting nodes are on its stack.
func (b *treeBuilder) widen(at int, from uint32, waiting int) {
	var room [meshWidth]uint32
	below := room[:0]
	if n := &b.nodes[from]; n.count > 0 || maxMeshStack-waiting-int(n.height) >= meshWidth {
		below = b.collect(below, from, meshWidth)
	} else {
		below = append(below, n.first, n.first+1)
	}
	waiting += len(below) - 1
	w := meshNode{}
	bounds := &b.nodes[from].bounds
	for axis := range 3 {
		w.origin[axis] = bounds[axis]
		w.scale[axis] = quantumOf(bounds[axis], bounds[axis+3])
	}
	for k, node := range below {
		n := &b.nodes[node]
		for axis := range 3 {
			w.quanta[k/4][axis][k%4] = w.quantum(axis, n.bounds[axis], false)
			w.quanta[k/4][axis+3][k%4] = w.quantum(axis, n.bounds[axis+3], true)
		}
		if n.count > 0 {
			w.children[k] = leafChild | meshChild(n.count-1)<<leafCount | meshChild(n.first)
		} else {
			w.children[k] = meshChild(len(b.wide))
			b.wide = append(b.wide, meshNode{})
		}
	}
	b.wide[at] = w
	for k, node := range below {
		if c := w.children[k]; c&leafChild == 0 {
			b.widen(int(c), node, waiting)
		}
	}
}

// quantumOf returns the smallest scale with which 255 quanta reach from low to high.
func quantumOf(low, high float32) float32 {
	q := roundUp((float64(high) - float64(low)) / 255)
	for float64(low)+float64(255*float64(q)) < float64(high) {
		q = math.Nextafter32(q, float32(math.Inf(1)))
	}
	return q
}

// quantum returns the number of quanta of the coordinate x along an axis, rounded down or up.
func (n *meshNode) quantum(axis int, x float32, up bool) uint8 {
	origin, scale, at := float64(n.origin[axis]), float64(n.scale[axis]), float64(x)
	if scale == 0 {
		return 0
	}
	if up {
		q := min(255, math.Ceil((at-origin)/scale))
		for origin+float64(q*scale) < at {
			q++
		}
		return uint8(q)
	}
	q := min(255, math.Floor((at-origin)/scale))
	for origin+float64(q*scale) > at {
		q--
	}
	return uint8(q)
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

// treeGroup has the bounds of the items of a node, and those of their centres.
type treeGroup struct{ bounds, centers [6]float32 }

// groupOf returns the bounds of items.
func groupOf(items []meshItem) treeGroup {
	g := treeGroup{emptyBounds, emptyBounds}
	for k := range items {
		enlarge(&g.bounds, &items[k].bounds)
		g.addCenter(&items[k])
	}
	return g
}

// addCenter enlarges the bounds of the centres.
func (g *treeGroup) addCenter(i *meshItem) {
	for k := range 3 {
		c := i.center(k)
		if c < g.centers[k] {
			g.centers[k] = c
		}
		if c > g.centers[k+3] {
			g.centers[k+3] = c
		}
	}
}

// fill makes the node at index at of the items from low to high, with the bounds g, and those below
// it. It returns what it costs to search them.
func (b *treeBuilder) fill(at, low, high, depth int, g *treeGroup) (c treeCosts) {
	if high-low <= maxLeaf {
		b.nodes[at] = binaryNode{bounds: g.bounds, first: uint32(low), count: uint32(high - low)}
		return c // the same for all trees
	}
	var halves [2]treeGroup
	boundary := low + b.divide(b.items[low:high], g, depth, &halves)
	first := len(b.nodes)
	b.nodes = append(b.nodes, binaryNode{}, binaryNode{})
	x := b.fill(first, low, boundary, depth+1, &halves[0])
	y := b.fill(first+1, boundary, high, depth+1, &halves[1])
	n := &b.nodes[at]
	n.bounds, n.first = g.bounds, uint32(first)
	n.height = 1 + max(b.nodes[first].height, b.nodes[first+1].height)
	return n.join(&x, &y)
}

// divide reorders items, with the bounds g, into two groups, and returns the size of the first. Of
// the boundaries between bins along the longest axis it takes the one with the least sum of surface
// times number of items of both groups.
func (b *treeBuilder) divide(items []meshItem, g *treeGroup, depth int, halves *[2]treeGroup) int {
	axis := 0
	for k := 1; k < 3; k++ {
		if g.centers[k+3]-g.centers[k] > g.centers[axis+3]-g.centers[axis] {
			axis = k
		}
	}
	from, width := g.centers[axis], g.centers[axis+3]-g.centers[axis]
	if depth >= maxMeshDepth || !(width > 0) || math.IsInf(float64(width), 0) {
		return halve(items, halves) // all in one place, or so many levels down that order doesn't matter
	}
	bins := min(meshBins, len(items))
	var room [meshBins]([6]float32)
	var counts [meshBins]int
	boxes := room[:bins]
	for k := range boxes {
		boxes[k] = emptyBounds
	}
	scale := float32(bins) / width
	for k := range items {
		bin := binAt(float32((items[k].center(axis)-from)*scale), bins)
		enlarge(&boxes[bin], &items[k].bounds)
		counts[bin]++
	}
	var above [meshBins]float32
	box, count := emptyBounds, 0
	for k := bins - 1; k > 0; k-- {
		enlarge(&box, &boxes[k])
		count += counts[k]
		above[k] = float32(halfSurface(&box) * float32(count))
	}
	box, count = emptyBounds, 0
	best, boundary := float32(math.Inf(1)), 0
	for k := 1; k < bins; k++ {
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
		return halve(items, halves)
	}
	*halves = [2]treeGroup{{emptyBounds, emptyBounds}, {emptyBounds, emptyBounds}}
	for k := range boxes {
		if k < boundary {
			enlarge(&halves[0].bounds, &boxes[k])
		} else {
			enlarge(&halves[1].bounds, &boxes[k])
		}
	}
	i, j := 0, len(items)-1
	for i <= j {
		if binAt(float32((items[i].center(axis)-from)*scale), bins) < boundary {
			halves[0].addCenter(&items[i])
			i++
		} else {
			halves[1].addCenter(&items[i])
			items[i], items[j] = items[j], items[i]
			j--
		}
	}
	return i
}

// binAt returns the bin at x, in bins. What is beyond the range of float32 is in the first or last
// one.
func binAt(x float32, bins int) int {
	if last := bins - 1; x >= float32(last) {
		return last
	}
	if x > 0 {
		return int(x)
	}
	return 0
}

// halve divides items in the middle, where they are.
func halve(items []meshItem, halves *[2]treeGroup) int {
	middle := len(items) / 2
	*halves = [2]treeGroup{groupOf(items[:middle]), groupOf(items[middle:])}
	return middle
}

// meshSearch finds the leaves that a ball or a box may touch on its way. It contains its own stack,
// so a local variable is enough. It computes in float32: its boxes are grown by far more than the
// rounding, which is still far less than what the quanta of a node's boxes add.
type meshSearch struct {
	nodes []meshNode
	// low and high are the corners of the box that moves, and inverse are its inverse speeds. Its
	// upper side along axis k is at the lower side x of another box at (x - high[k])·inverse[k],
	// and its lower side at the upper side x of another at (x - low[k])·inverse[k]. Times are
	// multiplied by unit.
	low, high, inverse [3]float32
	end                float32            // of the motion
	unit               float64            // the speed along the fastest axis
	enters             [meshWidth]float32 // when it enters the children of the node that was opened last
	depth              int
	stack              [maxMeshStack]meshPlace
}

// meshPlace is a node or a leaf, and when it is entered.
type meshPlace struct {
	child meshChild
	enter float32
}

const (
	// searchSlack bounds the rounding of a position, relative to the largest length in a search: a
	// difference, the sum of a side's quanta, and the conversions to float32 are less than 16
	// half-ulps. timeSlack bounds the other roundings of a time, relative to it.
	searchSlack = 0x1p-20
	timeSlack   = 0x1p-21
	// minSlack is added, so that underflow doesn't matter.
	minSlack = 0x1p-100
	// maxInverse is the inverse speed, relative to that of the fastest axis, above which an axis
	// counts as that slow: its products are finite. Such an axis leaves no box before slowExit.
	maxInverse = 0x1p120
	slowExit   = 0x1p19
	// maxSearchSize is the length beyond which the search finds all leaves.
	maxSearchSize = 0x1p110
)

// begin starts a search for what a ball of the given radius around p touches, moving at v from time
// 0 to end.
func (s *meshSearch) begin(m *Mesh, p, v Vec3, radius, end float64) {
	s.beginBox(m, p, v, Vec3{radius, radius, radius}, end)
}

// beginBox is begin for a box around p with the given half extents.
func (s *meshSearch) beginBox(m *Mesh, p, v, half Vec3, end float64) {
	if m.isEmpty() {
		s.depth = 0
		return
	}
	s.nodes = m.nodes
	s.unit = float64(max(v.MaxAbs(), minSpeed) * m.treeScale)
	s.shorten(end)
	s.stack[0], s.depth = meshPlace{}, 1
	size := float64((p.MaxAbs() + m.extent + half.MaxAbs()) * m.treeScale)
	if size > maxSearchSize {
		s.low, s.high, s.inverse = [3]float32{}, [3]float32{}, [3]float32{}
		return
	}
	margin := minSlack + float64(searchSlack*size)
	slowest := maxInverse / max(size, 1)
	p, v, half = p.Scale(m.treeScale), v.Scale(m.treeScale), half.Scale(m.treeScale)
	s.beginAxis(0, p.X, half.X+margin, v.X, slowest)
	s.beginAxis(1, p.Y, half.Y+margin, v.Y, slowest)
	s.beginAxis(2, p.Z, half.Z+margin, v.Z, slowest)
}

// beginAxis is beginBox for one axis.
func (s *meshSearch) beginAxis(k int, at, reach, speed, slowest float64) {
	s.low[k], s.high[k] = float32(at-reach), float32(at+reach)
	s.inverse[k] = float32(math.Copysign(min(s.unit/math.Abs(speed), slowest), speed))
}

// shorten ends the motion at a time.
func (s *meshSearch) shorten(end float64) { s.end = float32(float64(end * s.unit)) }

// next returns the triangles of the next leaf, or false if there is none.
func (s *meshSearch) next() (first, count uint32, ok bool) {
	for {
		at, ok := s.pop()
		if !ok {
			return 0, 0, false
		}
		if at&leafChild != 0 {
			first, count = at.leaf()
			return first, count, true
		}
		s.open(&s.nodes[at])
	}
}

// pop takes the next node or leaf that is entered in time from the stack.
func (s *meshSearch) pop() (at meshChild, ok bool) {
	for s.depth > 0 {
		s.depth--
		if p := &s.stack[s.depth]; float32(p.enter*(1-timeSlack)) <= s.end {
			return p.child, true
		}
	}
	return 0, false
}

// open puts the children of a node that are entered in time on the stack, the first one on top.
func (s *meshSearch) open(n *meshNode) {
	bottom := s.depth
	for entered := s.enterBoxes(n); entered != 0; entered &= entered - 1 {
		k := bits.TrailingZeros32(entered) % meshWidth
		first, i := s.enters[k], s.depth
		for ; i > bottom && s.stack[i-1].enter < first; i-- {
			s.stack[i] = s.stack[i-1]
		}
		s.stack[i] = meshPlace{n.children[k], first}
		s.depth++
	}
}

// enterBoxesGo returns the bits of the children of a node that are entered in time, and leaves in
// s.enters when they are.
func (s *meshSearch) enterBoxesGo(n *meshNode) (entered uint32) {
	// The times at which sides are passed are linear in their quanta.
	var step, first, last [3]float32
	var near, far [3]int // sides
	for axis := range 3 {
		origin, inverse := n.origin[axis], s.inverse[axis]
		step[axis] = float32(n.scale[axis] * inverse)
		first[axis], last[axis] = float32((origin-s.high[axis])*inverse), float32((origin-s.low[axis])*inverse)
		near[axis], far[axis] = axis, axis+3
		if inverse < 0 {
			first[axis], last[axis] = last[axis], first[axis]
			near[axis], far[axis] = far[axis], near[axis]
		}
	}
	for k, child := range n.children {
		if child == 0 {
			break
		}
		q, i := &n.quanta[k/4], k%4
		enter := max(0, first[0]+float32(float32(q[near[0]][i])*step[0]),
			first[1]+float32(float32(q[near[1]][i])*step[1]), first[2]+float32(float32(q[near[2]][i])*step[2]))
		leave := min(last[0]+float32(float32(q[far[0]][i])*step[0]),
			last[1]+float32(float32(q[far[1]][i])*step[1]), last[2]+float32(float32(q[far[2]][i])*step[2]))
		soon := float32(enter * (1 - timeSlack))
		if soon <= s.end && min(soon, slowExit) <= float32(leave*(1+timeSlack)) {
			s.enters[k] = enter
			entered |= 1 << k
		}
	}
	return entered
}
