package collide

import (
	"cmp"
	"math"
	"slices"
)

// meshBuilder builds a mesh. While it does, each vertex has a number.
type meshBuilder struct {
	m        *Mesh
	vertices []Vec3
	corners  [][3]uint32     // of the triangles of m
	twice    map[uint32]bool // the original numbers of triangles that are there before
}

// weld sets the vertices, corners and triangles, with vertices merged and without those of b.twice.
func (b *meshBuilder) weld(vertices []Vec3, indices []uint32, options MeshOptions) error {
	w := newWelder(len(vertices), options.Weld)
	number := make([]uint32, len(vertices)) // 0 for not seen, otherwise the new number plus 1
	m := b.m
	m.triangles = make([]meshTriangle, 0, len(indices)/3)
	b.corners = make([][3]uint32, 0, len(indices)/3)
	for i := 0; i < len(indices); i += 3 {
		if b.twice[uint32(i/3)] {
			continue
		}
		var corners [3]uint32
		for k, v := range indices[i : i+3] {
			if number[v] == 0 {
				number[v] = w.add(vertices[v]) + 1
			}
			corners[k] = number[v] - 1
		}
		p, q, r := corners[0], corners[1], corners[2]
		if p == q || q == r || r == p || areCollinear(w.vertices[p], w.vertices[q], w.vertices[r]) {
			if options.SkipDegenerate {
				continue
			}
			return &MeshError{ErrDegenerate, i / 3, -1}
		}
		m.triangles = append(m.triangles, meshTriangle{original: uint32(i / 3)})
		b.corners = append(b.corners, corners)
	}
	if len(m.triangles) == 0 {
		return ErrIndexCount
	}
	b.vertices = w.vertices
	m.bounds = NewAABB()
	for _, v := range b.vertices {
		m.bounds.Min = Vec3{min(m.bounds.Min.X, v.X), min(m.bounds.Min.Y, v.Y), min(m.bounds.Min.Z, v.Z)}
		m.bounds.Max = Vec3{max(m.bounds.Max.X, v.X), max(m.bounds.Max.Y, v.Y), max(m.bounds.Max.Z, v.Z)}
	}
	m.extent = max(m.bounds.Min.MaxAbs(), m.bounds.Max.MaxAbs())
	return nil
}

// areCollinear reports whether three points lie exactly on one line: whether their projections on
// all three coordinate planes do.
func areCollinear(a, b, c Vec3) bool {
	u, v := b.Sub(a), c.Sub(a)
	n := u.Cross(v)
	if n.MaxAbs() > float64(0x1p-48*(u.MaxAbs()*v.MaxAbs())) {
		return false
	}
	for k := range 3 {
		off := a
		switch size := 1 + 2*a.MaxAbs(); k {
		case 0:
			off.X += size
		case 1:
			off.Y += size
		case 2:
			off.Z += size
		}
		if Orientation(a, b, c, off) != 0 {
			return false
		}
	}
	return true
}

// welder finds the vertices near a point with a hash table of cells.
type welder struct {
	distance float64
	cell     float64 // edge length of a cell; 0 if only equal points are merged
	vertices []Vec3
	next     []int32 // of the vertices with the same hash
	heads    []int32 // by hash; 0 for none, otherwise the vertex plus 1
}

func newWelder(n int, distance float64) *welder {
	size := 1
	for size < n {
		size *= 2
	}
	return &welder{distance: distance, cell: 2 * distance, heads: make([]int32, size)}
}

// add returns the number of the first vertex within the distance from p, or that of p, which it
// adds.
func (w *welder) add(p Vec3) uint32 {
	p = p.Add(Vec3{}) // without negative zeros
	if w.cell == 0 {
		h := w.hash(p)
		for at := w.heads[h]; at != 0; at = w.next[at-1] {
			if w.vertices[at-1] == p {
				return uint32(at - 1)
			}
		}
		return w.insert(p, h)
	}
	d := Vec3{w.distance, w.distance, w.distance}
	low, high := w.cellOf(p.Sub(d)), w.cellOf(p.Add(d))
	found := int32(math.MaxInt32)
	for k := range 8 {
		c := low
		if k&1 != 0 {
			c.X = high.X
		}
		if k&2 != 0 {
			c.Y = high.Y
		}
		if k&4 != 0 {
			c.Z = high.Z
		}
		for at := w.heads[w.hash(c)]; at != 0; at = w.next[at-1] {
			if at-1 < found && w.vertices[at-1].Distance(p) <= w.distance {
				found = at - 1
			}
		}
	}
	if found < math.MaxInt32 {
		return uint32(found)
	}
	return w.insert(p, w.hash(w.cellOf(p)))
}

func (w *welder) insert(p Vec3, h int) uint32 {
	w.vertices, w.next = append(w.vertices, p), append(w.next, w.heads[h])
	w.heads[h] = int32(len(w.vertices))
	return uint32(len(w.vertices) - 1)
}

func (w *welder) cellOf(p Vec3) Vec3 {
	return Vec3{math.Floor(p.X / w.cell), math.Floor(p.Y / w.cell), math.Floor(p.Z / w.cell)}.Add(Vec3{})
}

func (w *welder) hash(p Vec3) int {
	h := math.Float64bits(p.X)
	h = h*0x9E3779B97F4A7C15 ^ h>>29
	h ^= math.Float64bits(p.Y)
	h = h*0x9E3779B97F4A7C15 ^ h>>31
	h ^= math.Float64bits(p.Z)
	h = h*0x9E3779B97F4A7C15 ^ h>>30
	h *= 0xBF58476D1CE4E5B9
	return int(h >> 32 & uint64(len(w.heads)-1))
}

// connect finds the neighbours of all triangles. It adds to b.twice those that are there before,
// facing the same side, and returns whether there are any.
func (b *meshBuilder) connect() (twice bool) {
	// The edges of each vertex, by the other end: an edge belongs to its end with the lower number.
	m := b.m
	start := make([]uint32, len(b.vertices)+1)
	for k := range b.corners {
		c := &b.corners[k]
		for i := range 3 {
			start[min(c[i], c[(i+1)%3])+1]++
		}
	}
	for v := range b.vertices {
		start[v+1] += start[v]
	}
	edges := make([]uint64, 3*len(m.triangles)) // other end << 32 | 4·triangle + edge
	at := slices.Clone(start[:len(b.vertices)])
	for k := range m.triangles {
		t, c := &m.triangles[k], &b.corners[k]
		for i := range 3 {
			t.sides[i] = noNeighbor
			p, q := c[i], c[(i+1)%3]
			low := min(p, q)
			edges[at[low]] = uint64(max(p, q))<<32 | uint64(4*k+i)
			at[low]++
		}
	}
	for v := range b.vertices {
		group := edges[start[v]:start[v+1]]
		slices.Sort(group)
		for i := 0; i < len(group); {
			j := i + 1
			for j < len(group) && group[j]>>32 == group[i]>>32 {
				j++
			}
			if j > i+1 {
				ka, kb := uint32(group[i])/4, uint32(group[i+1])/4
				ea, eb := group[i]%4, group[i+1]%4
				if j == i+2 && b.corners[ka][ea] != b.corners[kb][eb] {
					m.triangles[ka].sides[ea], m.triangles[kb].sides[eb] = kb, ka
				} else {
					twice = b.findTwice(group[i:j]) || twice
				}
			}
			i = j
		}
	}
	return twice
}

// findTwice adds to b.twice what is there before among the triangles that share an edge, which are
// given as in connect, and reorders these. It returns whether there are any.
func (b *meshBuilder) findTwice(edges []uint64) (found bool) {
	compare := func(x, y uint64) int { // by the start of the edge and the corner off it
		p, q, i, j := &b.corners[uint32(x)/4], &b.corners[uint32(y)/4], x%4, y%4
		return cmp.Or(cmp.Compare(p[i], q[j]), cmp.Compare(p[(i+2)%3], q[(j+2)%3]))
	}
	original := func(x uint64) uint32 { return b.m.triangles[uint32(x)/4].original }
	slices.SortFunc(edges, func(x, y uint64) int {
		return cmp.Or(compare(x, y), cmp.Compare(original(x), original(y)))
	})
	for k := 1; k < len(edges); k++ {
		if compare(edges[k-1], edges[k]) == 0 {
			if b.twice == nil {
				b.twice = map[uint32]bool{}
			}
			b.twice[original(edges[k])], found = true, true
		}
	}
	return found
}

// otherSide returns the neighbour at edge i of triangle k, and which of its edges that is. Two
// triangles may share several edges: those of a sheet with a front and a back.
func (m *Mesh) otherSide(k uint32, i int) (j uint32, edge int) {
	j = m.triangles[k].neighbor(i)
	t, end := &m.triangles[j], m.corner(k, (i+1)%3)
	for edge < 2 && (t.neighbor(edge) != k || m.corner(j, edge) != end) { // it goes along the edge the other way
		edge++
	}
	return j, edge
}

// opposite returns the corner of the neighbour at edge i of triangle k that isn't on that edge.
func (m *Mesh) opposite(k uint32, i int) Vec3 {
	j, edge := m.otherSide(k, i)
	return m.corner(j, (edge+2)%3)
}

// classify finds the edges and vertices that have to be tested, by exact orientation tests. Of the
// triangles that share one, the first tests it.
func (b *meshBuilder) classify() {
	m := b.m
	sharp := make([]bool, len(b.vertices)) // vertices with an edge that is tested
	first := make([]uint32, len(b.vertices))
	for v := range first {
		first[v] = math.MaxUint32
	}
	for k := range m.triangles {
		t, corners := &m.triangles[k], &b.corners[k]
		for i, c := range corners {
			first[c] = min(first[c], t.original)
			j := t.neighbor(i)
			if j != noNeighbor && m.triangles[j].original < t.original || !m.isSharp(uint32(k), i) {
				continue
			}
			t.sides[i] |= testsEdge
			sharp[c], sharp[corners[(i+1)%3]] = true, true
		}
	}
	for k := range m.triangles {
		t := &m.triangles[k]
		for i, c := range b.corners[k] {
			if sharp[c] && first[c] == t.original {
				t.sides[i] |= testsVertex
			}
		}
	}
}

// isSharp reports whether edge i of triangle k can be hit: it is at the rim, or convex. In a
// two-sided mesh concave edges are convex on the other side.
func (m *Mesh) isSharp(k uint32, i int) bool {
	j := m.triangles[k].neighbor(i)
	if j == noNeighbor {
		return true
	}
	t, w := m.triangle(k), m.opposite(k, i)
	switch o := Orientation(t.A, t.B, t.C, w); {
	case o < 0:
		return true
	case o > 0:
		return m.twoSided
	}
	// In one plane: sharp if the neighbour is folded back on the triangle.
	a, b, opposite := m.corner(k, i), m.corner(k, (i+1)%3), m.corner(k, (i+2)%3)
	e := b.Sub(a)
	return e.Cross(w.Sub(a)).Dot(e.Cross(opposite.Sub(a))) > 0
}

// findJunctions finds the vertices at the rim that lie on an edge at the rim.
func (b *meshBuilder) findJunctions(weld float64) {
	m := b.m
	margin := max(weld, float64(0x1p-40*m.extent))
	rim := make([]bool, len(b.vertices))
	for k := range m.triangles {
		t := &m.triangles[k]
		for i := range 3 {
			if t.neighbor(i) == noNeighbor {
				rim[b.corners[k][i]], rim[b.corners[k][(i+1)%3]] = true, true
			}
		}
	}
	for v, p := range b.vertices {
		if rim[v] {
			m.EachFacetAt(p, margin, func(t Facet) { m.offerJunction(t.index, p, margin) })
		}
	}
}

// offerJunction adds p if it lies on a rim edge of triangle k.
func (m *Mesh) offerJunction(k uint32, p Vec3, margin float64) {
	t := &m.triangles[k]
	for i := range 3 {
		if t.neighbor(i) != noNeighbor {
			continue
		}
		e := Segment{m.corner(k, i), m.corner(k, (i+1)%3)}
		if p.Distance(e.A) > margin && p.Distance(e.B) > margin && e.ClosestPoint(p).Distance(p) <= margin {
			m.junctions = append(m.junctions, TJunction{p, int(m.triangles[k].original), i})
		}
	}
}
