package collide

import "math"

// Facet is a triangle of a [Mesh] or [HeightField] with its surroundings: it knows which of its
// edges and corners its neighbours hide. It is for engines that handle the contacts of each
// triangle by themselves; others use [SweepSphereMesh] and the like. The zero value is no facet:
// its methods, and those of [FacetSweep] that take it, must not be called; they check nothing.
type Facet struct {
	m     *Mesh
	index uint32
	id    int
}

// fieldScratch is memory for the facets of a cell of a height field. Facets point into it and are
// handed to functions of the caller, so that it can't be on the stack.
type fieldScratch struct {
	cell fieldCell
	mesh Mesh
}

// Facet returns the facet with the given ID, 0 <= id < m.Triangles(). IDs are in no particular
// order; [Facet.Triangle] has the number in the indices of the mesh.
func (m *Mesh) Facet(id int) Facet { return Facet{m: m, index: uint32(id), id: id} }

// WithFacet calls do with triangle id, which must not be one of a hole. The facet is valid until do
// returns.
func (f *HeightField) WithFacet(id int, do func(t Facet)) {
	scratch := f.takeScratch()
	defer f.scratch.Put(scratch)
	k := id / 2
	f.fill(scratch, k/(f.columns-1), k%(f.columns-1))
	do(Facet{m: &scratch.mesh, index: uint32(middleTriangle + id%2), id: id})
}

// takeScratch returns memory for the facets of a cell, which the caller puts back into f.scratch.
func (f *HeightField) takeScratch() *fieldScratch {
	if s, ok := f.scratch.Get().(*fieldScratch); ok {
		return s
	}
	return new(fieldScratch)
}

// fill sets scratch to the cell between rows i and i+1 and columns j and j+1, and returns false if
// it is a hole.
func (f *HeightField) fill(scratch *fieldScratch, i, j int) bool {
	scratch.mesh = f.surface(&scratch.cell)
	f.cell(&scratch.cell, &scratch.mesh, i, j)
	return !scratch.cell.empty
}

// ID returns the number by which the mesh or height field returns the facet.
func (t Facet) ID() int { return t.id }

// Triangle returns the number of the triangle, as in [MeshContact].
func (t Facet) Triangle() int { return int(t.m.triangles[t.index].original) }

// TwoSided reports whether both sides of the facet are solid.
func (t Facet) TwoSided() bool { return t.m.twoSided }

// Corners returns the corners.
func (t Facet) Corners() [3]Vec3 {
	a, b, c := t.m.corners(t.index)
	return [3]Vec3{*a, *b, *c}
}

// Normal returns the unit normal of the front, rounded only at the end.
func (t Facet) Normal() Vec3 {
	c := t.Corners()
	n := twoDiff3(c[1], c[0]).cross(twoDiff3(c[2], c[0]))
	if size := n.rounded().MaxAbs(); !(size > 0x1p-300 && size < 0x1p300) {
		n = n.scaled(inverseScale(n)) // so that squares neither overflow nor underflow
	}
	normal, _ := n.rounded().Normalized()
	return normal
}

// Height returns the signed distance of p from the facet's plane, in float64 throughout, and a
// bound of its error: for thin triangles and far points it is large.
func (t Facet) Height(p Vec3) (height, bound float64) {
	a, b, c := t.m.corners(t.index)
	e, g, d := b.Sub(*a), c.Sub(*a), p.Sub(*a)
	n := e.Cross(g)
	length := n.Length()
	// Each term of the triple product goes through at most ten roundings.
	return n.Dot(d) / length, float64(0x1p-48*float64(e.SumAbs()*float64(g.SumAbs()*(d.SumAbs()+p.SumAbs())))) / length
}

// Feature is what of a [Facet] is touched: its face, an edge or a corner.
type Feature uint8

// The features of a facet. Edge i goes from corner i to the next one.
const (
	Face Feature = iota
	Edge0
	Edge1
	Edge2
	Corner0
	Corner1
	Corner2
)

// Closest returns the point of the facet nearest to p, and the feature on which it lies.
func (t Facet) Closest(p Vec3) (Vec3, Feature) {
	q, on := t.ClosestFeature(p)
	if on == Face {
		unit := t.Normal()
		q = p.AddScaled(-unit.Dot(p.Sub(q)), unit)
	}
	return q, on
}

// ClosestFeature returns the feature that has the facet's point nearest to p, and that point or, if
// it is the face, a corner: it is faster than Closest, which then needs the normal.
func (t Facet) ClosestFeature(p Vec3) (Vec3, Feature) {
	c := t.Corners()
	return closestFeature(&c, p)
}

// closestFeature is ClosestFeature for a triangle with the given corners.
func closestFeature(c *[3]Vec3, p Vec3) (Vec3, Feature) {
	// By regions, as in Ericson, Real-Time Collision Detection, 5.1.5.
	e, g, d := c[1].Sub(c[0]), c[2].Sub(c[0]), p.Sub(c[0])
	d1, d2 := e.Dot(d), g.Dot(d)
	if d1 <= 0 && d2 <= 0 {
		return c[0], Corner0
	}
	d = p.Sub(c[1])
	d3, d4 := e.Dot(d), g.Dot(d)
	if d3 >= 0 && d4 <= d3 {
		return c[1], Corner1
	}
	n := e.Cross(g)
	if d1 >= 0 && d3 <= 0 && n.Dot(e.Cross(p.Sub(c[0]))) <= 0 {
		return c[0].AddScaled(d1/(d1-d3), e), Edge0
	}
	d = p.Sub(c[2])
	d5, d6 := e.Dot(d), g.Dot(d)
	if d6 >= 0 && d5 <= d6 {
		return c[2], Corner2
	}
	if d2 >= 0 && d6 <= 0 && n.Dot(p.Sub(c[0]).Cross(g)) <= 0 {
		return c[0].AddScaled(d2/(d2-d6), g), Edge2
	}
	h := c[2].Sub(c[1])
	if d4-d3 >= 0 && d5-d6 >= 0 && n.Dot(h.Cross(p.Sub(c[1]))) <= 0 {
		return c[1].AddScaled((d4-d3)/((d4-d3)+(d5-d6)), h), Edge1
	}
	return c[0], Face
}

// Admits reports whether a contact with a feature of the facet may have this normal: whether it is
// the normal of the face, on its front or of a two-sided mesh on its back, or lies between the
// normals of the faces around the edge or corner. An invalid normal gives false.
func (t Facet) Admits(on Feature, normal Vec3) bool {
	if !normal.within(maxInput) {
		return false
	}
	switch on {
	case Face:
		return true
	case Edge0, Edge1, Edge2:
		i := int(on - Edge0)
		return t.isTested(i) && t.m.inArc(t.index, i, normal, t.TwoSided())
	}
	return t.m.inCone(t.index, int(on-Corner0), normal, t.TwoSided())
}

// isTested reports whether edge i can be hit.
func (t Facet) isTested(i int) bool {
	own := &t.m.triangles[t.index]
	if own.sides[i]&testsEdge != 0 || t.m.allSharp {
		return true
	}
	if own.neighbor(i) == noNeighbor {
		return false
	}
	j, edge := t.m.otherSide(t.index, i)
	// Of a height field's cell, only the triangles in the middle are marked.
	return t.m.triangles[j].sides[edge]&testsEdge != 0 || t.m.nodes == nil && t.m.isSharp(t.index, i)
}

// FacetSweep is the sweep of a sphere against single facets.
type FacetSweep struct {
	sweep   meshSweep
	seconds float64
}

// MovesAt says where the sphere is moved from step to step, if that isn't in the frame of the
// facets: its position has the rounding of those coordinates.
func (s *FacetSweep) MovesAt(x Vec3) { s.sweep.moved = x.MaxAbs() }

// EachFacet calls test with the facets of m that ball may touch when it moves at v within the given
// seconds, roughly from near to far. s.Sweep then has the contact with a facet. test returns the
// time up to which the search goes on. ball and v must be finite.
func (m *Mesh) EachFacet(s *FacetSweep, ball Sphere, v Vec3, seconds float64, test func(t Facet) float64) {
	s.Start(ball, v, seconds)
	var search meshSearch
	search.begin(m, ball.Center, v, ball.Radius, seconds)
	for end := seconds; ; {
		first, count, ok := search.next()
		if !ok {
			return
		}
		for k := first; k < first+count; k++ {
			if t := test(Facet{m: m, index: k, id: int(k)}); t < end {
				end = t
				search.shorten(end)
			}
		}
	}
}

// EachFacet calls test as that of [Mesh] does. A facet is valid until test returns.
func (f *HeightField) EachFacet(
	s *FacetSweep, ball Sphere, v Vec3, seconds float64, test func(t Facet) float64,
) {
	scratch := f.takeScratch()
	defer f.scratch.Put(scratch)
	s.Start(ball, v, seconds)
	f.each(ball.Center, v, Vec3{ball.Radius, ball.Radius, ball.Radius}, seconds, func(i, j int) float64 {
		end := seconds
		if f.fill(scratch, i, j) {
			for k := range middleCount {
				id := 2*(i*(f.columns-1)+j) + k
				end = min(end, test(Facet{m: &scratch.mesh, index: uint32(middleTriangle + k), id: id}))
			}
		}
		return end
	})
}

// Start starts the sweep of a ball at v, as EachFacet does, for facets that the caller knows.
func (s *FacetSweep) Start(ball Sphere, v Vec3, seconds float64) {
	s.sweep.p, s.sweep.r = ball.Center, ball.Radius
	s.sweep.v, s.sweep.v2 = v, toTwofold3(v)
	s.seconds = seconds
}

// Sweep returns the first contact of the ball with a facet that EachFacet has found, whether its
// surroundings hide the rest of the facet or not: time, unit normal, and the outcome, as for
// [SweepSphereMesh]. Each edge and corner is tested with one of the facets that share it.
func (s *FacetSweep) Sweep(t Facet) (time float64, normal Vec3, outcome Outcome) {
	s.sweep.m, s.sweep.outcome, s.sweep.end = t.m, Miss, s.seconds
	s.sweep.triangle(t.index)
	return s.sweep.time, s.sweep.normal, s.sweep.outcome
}

// SweepRim is Sweep for a ball that doesn't approach the face: contacts with that don't count, and
// are not computed.
func (s *FacetSweep) SweepRim(t Facet) (time float64, normal Vec3, outcome Outcome) {
	s.sweep.rim = true
	time, normal, outcome = s.Sweep(t)
	s.sweep.rim = false
	return time, normal, outcome
}

// AdmitsNormal reports whether a contact of the facet with a convex shape may have this unit
// normal, which points to the shape: whether its neighbours leave the feature that is the farthest
// along the normal to it, as in [SweepMesh]. An invalid normal gives false.
func (t Facet) AdmitsNormal(n Vec3) bool {
	return n.within(maxInput) && t.m.admits(t.index, n, t.TwoSided())
}

// EachFacetAt calls test with the facets of m that may be at most reach away from p.
func (m *Mesh) EachFacetAt(p Vec3, reach float64, test func(t Facet)) {
	var s meshSearch
	s.begin(m, p, Vec3{}, reach, 0)
	for {
		first, count, ok := s.next()
		if !ok {
			return
		}
		for k := first; k < first+count; k++ {
			test(Facet{m: m, index: k, id: int(k)})
		}
	}
}

// EachFacetAt calls test as that of [Mesh] does. A facet is valid until test returns.
func (f *HeightField) EachFacetAt(p Vec3, reach float64, test func(t Facet)) {
	scratch := f.takeScratch()
	defer f.scratch.Put(scratch)
	f.each(p, Vec3{}, Vec3{reach, reach, reach}, 0, func(i, j int) float64 {
		if f.fill(scratch, i, j) {
			for k := range middleCount {
				test(Facet{m: &scratch.mesh, index: uint32(middleTriangle + k), id: 2*(i*(f.columns-1)+j) + k})
			}
		}
		return math.Inf(1)
	})
}

// ClosestPoint returns the point of f nearest to p, and the number of a triangle that has it; -1
// if all of f is a hole or p is not finite. It looks at the cells around p first, and then farther
// and farther away.
func (f *HeightField) ClosestPoint(p Vec3) (Vec3, int) {
	if f.isEmpty() || f.bounds.IsEmpty() {
		return Vec3{}, -1
	}
	all := f.bounds.ClosestPoint(p).Distance(p) + f.bounds.Size().Length()
	reach := f.bounds.ClosestPoint(p).Distance(p) + max(f.cellX, f.cellZ)
	for {
		best, at, number := math.Inf(1), Vec3{}, -1
		f.EachFacetAt(p, reach, func(t Facet) {
			q, _ := t.Closest(p)
			if d := q.Distance(p); d < best || d == best && t.id < number {
				best, at, number = d, q, t.id
			}
		})
		if best <= reach || !(reach <= all) { // NaN, if p is
			return at, number
		}
		reach *= 2
	}
}
