package statics

import (
	"cmp"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// The triangles of meshes and height fields are facets. A contact is with one facet, so each facet
// has a number of its own, beyond those of the surfaces. Nothing is stored for it: the number tells
// which surface has it (its owner) and which triangle it is, and the mesh has the rest.

const (
	// firstFacet is the smallest number of a facet. Surfaces have smaller numbers.
	firstFacet = 1 << 24

	// facetPage is how many numbers are assigned at once: a surface has whole pages. A larger one
	// wastes numbers on small meshes; a smaller one makes the table of pages longer.
	facetPage = 64

	// MaxFacets is the largest number of facets of all surfaces: what fits into the codes of the
	// solver.
	MaxFacets = 1<<30 - 2*firstFacet
)

// facetPages assigns numbers to facets.
type facetPages struct {
	owners []int32     // by page
	free   []pageRange // ordered by from, not adjacent
	gone   []pageRange // free after Release
	facets int         // of all surfaces
}

// pageRange is n pages.
type pageRange struct{ from, n int32 }

// pagesFor returns how many pages that many facets need.
func pagesFor(facets int) int32 { return int32((facets + facetPage - 1) / facetPage) }

// take assigns pages for the facets of a surface and returns the number of the first facet.
func (p *facetPages) take(owner int32, facets int) int32 {
	p.facets += facets
	n := pagesFor(facets)
	from := int32(len(p.owners))
	found := false
	for k := range p.free {
		if r := &p.free[k]; r.n >= n {
			from, found = r.from, true
			if *r = (pageRange{r.from + n, r.n - n}); r.n == 0 {
				p.free = append(p.free[:k], p.free[k+1:]...)
			}
			break
		}
	}
	if !found {
		p.owners = append(p.owners, make([]int32, n)...)
	}
	for k := from; k < from+n; k++ {
		p.owners[k] = owner
	}
	return firstFacet + from*facetPage
}

// drop makes the pages of a surface free after release.
func (p *facetPages) drop(first int32, facets int) {
	p.facets -= facets
	p.gone = append(p.gone, pageRange{(first - firstFacet) / facetPage, pagesFor(facets)})
}

// release makes the pages that were dropped available.
func (p *facetPages) release() {
	for _, r := range p.gone {
		at := 0
		for at < len(p.free) && p.free[at].from < r.from {
			at++
		}
		if at > 0 && p.free[at-1].from+p.free[at-1].n == r.from {
			p.free[at-1].n += r.n
			at--
		} else {
			p.free = append(p.free, pageRange{})
			copy(p.free[at+1:], p.free[at:])
			p.free[at] = r
		}
		if at+1 < len(p.free) && p.free[at].from+p.free[at].n == p.free[at+1].from {
			p.free[at].n += p.free[at+1].n
			p.free = append(p.free[:at+1], p.free[at+2:]...)
		}
	}
	p.gone = p.gone[:0]
}

// IsFacet reports whether number k is that of a facet, and not of a surface.
func IsFacet(k int32) bool { return k >= firstFacet }

// Owner returns the surface that has facet k, or k if it is a surface.
func (w *Set) Owner(k int32) int32 {
	if !IsFacet(k) {
		return k
	}
	return w.pages.owners[(k-firstFacet)/facetPage]
}

// Exists reports whether there is a surface or facet with number k.
func (w *Set) Exists(k int32) bool {
	if k < 0 || !IsFacet(k) && int(k) >= len(w.surfaces) ||
		IsFacet(k) && pagesFor(int(k-firstFacet)+1) > w.pages.len() {
		return false
	}
	f := w.At(k)
	if !f.Alive || !IsFacet(k) {
		return f.Alive
	}
	return f.facets != 0 && k >= f.facets && int(k-f.facets) < f.Facets() &&
		(f.Field == nil || !f.Field.IsHole(int(k-f.facets)))
}

// len returns the number of pages in use and free.
func (p *facetPages) len() int32 { return int32(len(p.owners)) }

// Facets returns the number of facets of all surfaces.
func (w *Set) Facets() int { return w.pages.facets }

// HasFacets reports whether it is a mesh or a height field.
func (f *Shape) HasFacets() bool { return f.Mesh != nil || f.Field != nil }

// Facets returns how many facets the shape has.
func (f *Shape) Facets() int {
	switch {
	case f.Mesh != nil:
		return f.Mesh.Triangles()
	case f.Field != nil:
		return f.Field.Triangles()
	}
	return 0
}

// HasEdges reports whether surface k has faces with edges between them. A contact with such a
// surface is one with the union of all that meet there.
func (w *Set) HasEdges(k int32) bool { return w.At(k).hasEdges() }

// HidingBounds returns the bounds of surface k as of the last Update, and false if it hides no
// edges of surfaces that stand still: it has been removed, it moves or may rotate, or it is a
// sensor, a plane or a capsule.
func (w *Set) HidingBounds(k int32) (collide.AABB, bool) {
	f := w.At(k)
	if !f.Alive || f.Sensor || !f.hasEdges() || f.Turning.On || f.Velocity != (collide.Vec3{}) {
		return collide.AABB{}, false
	}
	return f.bounds.Grow(f.margin), true
}

func (f *Surface) hasEdges() bool {
	k := f.Kind()
	return k != Plane && k != Capsule
}

// withFacet calls do with facet k and its owner.
func (w *Set) withFacet(k int32, do func(f *Surface, t collide.Facet)) {
	f := w.At(k)
	id := int(k - f.facets)
	if f.Mesh != nil {
		do(f, f.Mesh.Facet(id))
		return
	}
	f.Field.WithFacet(id, func(t collide.Facet) { do(f, t) })
}

// facetShape is the mesh or the height field of which facets are: one of the two, or none.
type facetShape struct {
	mesh  *collide.Mesh
	field *collide.HeightField
}

func (f *Shape) facetShape() facetShape { return facetShape{f.Mesh, f.Field} }

// with calls do with the facet that has an ID. It is valid until do returns.
func (m facetShape) with(id int32, do func(t collide.Facet)) {
	if m.mesh != nil {
		do(m.mesh.Facet(int(id)))
	} else {
		m.field.WithFacet(int(id), do)
	}
}

// eachFacet is EachFacet of the mesh or height field.
func (m facetShape) eachFacet(
	s *collide.FacetSweep, ball collide.Sphere, v collide.Vec3, seconds float64, do func(t collide.Facet) float64,
) {
	if m.mesh != nil {
		m.mesh.EachFacet(s, ball, v, seconds, do)
	} else {
		m.field.EachFacet(s, ball, v, seconds, do)
	}
}

// eachFacetAt calls do with the facets that may be at most reach away from p, a point in the frame
// of the shape. They are valid until do returns.
func (f *Surface) eachFacetAt(a *Around, p collide.Vec3, reach float64, do func(t collide.Facet)) {
	m := f.facetShape()
	if among, ok := a.among(m, p, collide.Vec3{}, reach); ok {
		a.each(among, p, collide.Vec3{}, reach, do)
	} else if m.mesh != nil {
		m.mesh.EachFacetAt(p, reach, do)
	} else {
		m.field.EachFacetAt(p, reach, do)
	}
}

// eachFacetOnPath calls do with the facets that a ball in the frame of the shape may touch when it
// moves at v. do returns until when to search. touched, unless it is nil, says which of the facets
// of a, bits, may be touched.
func (f *Surface) eachFacetOnPath(
	a *Around, s *collide.FacetSweep, ball collide.Sphere, v collide.Vec3, seconds float64,
	touched func(facets uint32) uint32, do func(t collide.Facet) float64,
) {
	d, m := v.Scale(seconds), f.facetShape()
	if among, ok := a.among(m, ball.Center, d, ball.Radius); ok {
		s.Start(ball, v, seconds)
		if touched != nil {
			a.call(touched(among), func(t collide.Facet) { do(t) })
		} else {
			a.each(among, ball.Center, d, ball.Radius, func(t collide.Facet) { do(t) })
		}
	} else {
		m.eachFacet(s, ball, v, seconds, do)
	}
}

// facetGap returns the distance between a sphere and a facet, in its frame, negative where it is
// inside, the unit normal from the facet to the sphere, whether its face is nearest, and whether
// the facet's neighbours leave that contact to it.
func facetGap(t collide.Facet, p collide.Vec3, radius float64) (gap float64, n collide.Vec3, face, admitted bool) {
	return facetGapWith(t, p, radius, t.Normal)
}

// facetGapWith is facetGap with a function that returns the facet's normal.
func facetGapWith(
	t collide.Facet, p collide.Vec3, radius float64, normal func() collide.Vec3,
) (gap float64, n collide.Vec3, face, admitted bool) {
	q, on := t.ClosestFeature(p)
	if on != collide.Face {
		// Mostly float64 is enough to see that the face counts as neither nearest nor flat.
		height, bound := t.Height(p)
		d := p.Sub(q)
		distance := d.Length()
		if size := math.Abs(height); size > 2*bound && size+2*bound < float64(distance*(1-faceTilt)) {
			if m, ok := d.Normalized(); ok {
				if behind := !t.TwoSided() && height < 0; behind {
					return distance, m, true, t.Admits(on, m)
				}
				return distance - radius, m, false, t.Admits(on, m)
			}
		}
	}
	n = normal()
	height := n.Dot(p.Sub(t.Corners()[0]))
	behind := !t.TwoSided() && height < 0 // there, nothing collides
	if behind {
		radius = 0
	}
	d := p.Sub(q)
	// Above a flat edge, two facets meet whose faces a rounding may separate: see faceTilt.
	if distance := d.Length(); on == collide.Face ||
		math.Abs(height) >= float64(distance*(1-faceTilt)) && !behind && distance > 0 {
		gap, n = faceGap(n, height, radius)
		return gap, n, true, true
	}
	if m, ok := d.Normalized(); ok {
		n = m
	}
	return d.Length() - radius, n, behind, t.Admits(on, n)
}

// faceGap returns the gap and the normal of a sphere at that height above a face with normal n.
func faceGap(n collide.Vec3, height, radius float64) (float64, collide.Vec3) {
	if height < 0 {
		return -height - radius, n.Neg()
	}
	return height - radius, n
}

// separationOfFacet is separation for a facet. It also reports whether neighbours in the same mesh
// leave the contact to it.
func (w *Set) separationOfFacet(
	a *Around, k int32, x collide.Vec3, radius, t float64,
) (gap float64, n collide.Vec3, face, admitted bool) {
	if f := w.At(k); f.Mesh != nil { // by far the most
		facet := f.Mesh.Facet(int(k - f.facets))
		gap, n, face, admitted = a.facetGap(facet, f.facetShape(), f.toLocal(x, t), radius)
		return gap, f.toWorldAt(n, t), face, admitted
	}
	w.withFacet(k, func(f *Surface, facet collide.Facet) {
		gap, n, face, admitted = a.facetGap(facet, f.facetShape(), f.toLocal(x, t), radius)
		n = f.toWorldAt(n, t)
	})
	return gap, n, face, admitted
}

// Separation returns the distance between a sphere at x and surface or facet k as it is at time t,
// negative inside, and the unit normal there, from the surface to the sphere.
func (w *Set) Separation(a *Around, k int32, x collide.Vec3, radius, t float64) (gap float64, n collide.Vec3) {
	if IsFacet(k) {
		gap, n, _, _ = w.separationOfFacet(a, k, x, radius, t)
		return gap, n
	}
	return w.surfaces[k].Separation(x, radius, t)
}

// nearestFacet is separation for a mesh or height field: that of the nearest facet.
func (f *Surface) nearestFacet(x collide.Vec3, radius, t float64) (gap float64, n collide.Vec3, face bool) {
	p := f.toLocal(x, t)
	var q collide.Vec3
	if f.Mesh != nil {
		q, _ = f.Mesh.ClosestPoint(p)
	} else {
		q, _ = f.Field.ClosestPoint(p)
	}
	reach := p.Distance(q)
	gap = math.Inf(1)
	f.eachFacetAt(nil, p, reach+f.margin, func(facet collide.Facet) {
		g, m, flat, admitted := facetGap(facet, p, radius)
		// Where several are equally near, that whose neighbours leave the contact to it.
		if better := g < gap-f.margin || g <= gap+f.margin && admitted && flat && !face; better {
			gap, n, face = g, m, flat
		}
	})
	return gap, f.toWorldAt(n, t), face
}

// Key returns a hash of the geometry of surface or facet k for breaking ties.
func (w *Set) Key(k int32) uint32 {
	if !IsFacet(k) {
		return w.surfaces[k].Key
	}
	key := uint32(0)
	w.withFacet(k, func(f *Surface, t collide.Facet) { key = f.Key + facetKey(t) })
	return key
}

// facetKey returns a hash of a facet in its frame.
func facetKey(t collide.Facet) uint32 {
	c := t.Corners()
	sum := c[0].Add(c[1]).Add(c[2])
	return tiebreak.Hash(&sum, &c[1])
}

// Middle returns the middle of surface or facet k: see [Surface.Middle].
func (w *Set) Middle(k int32) (m collide.Vec3) {
	if !IsFacet(k) {
		return w.surfaces[k].middle
	}
	w.withFacet(k, func(f *Surface, t collide.Facet) { m = f.toWorldPoint(facetMiddle(t), 0) })
	return m
}

// facetMiddle returns the middle of a facet in its frame.
func facetMiddle(t collide.Facet) collide.Vec3 {
	c := t.Corners()
	return c[0].Add(c[1]).Add(c[2]).Scale(1.0 / 3)
}

// Normal returns the normal of a plane, polygon or facet, and zero for other surfaces.
func (w *Set) Normal(a *Around, k int32) collide.Vec3 {
	if !IsFacet(k) {
		return w.surfaces[k].Plane.Normal
	}
	var n collide.Vec3
	w.withFacet(k, func(f *Surface, t collide.Facet) { n = f.toWorld(a.normal(t, f.facetShape())) })
	return n
}

// FaceHeight returns the normal of that face of surface or facet k whose normal is closest to n,
// and the distance of x from its plane at time t. It returns false for surfaces without faces.
func (w *Set) FaceHeight(
	a *Around, k int32, x, n collide.Vec3, t float64,
) (face collide.Vec3, height float64, ok bool) {
	f := w.At(k)
	switch {
	case IsFacet(k):
		w.withFacet(k, func(f *Surface, facet collide.Facet) {
			m, p := a.normal(facet, f.facetShape()), f.toLocal(x, t)
			height = m.Dot(p.Sub(facet.Corners()[0]))
			face = f.toWorldAt(m, t)
		})
	case f.Kind() == Polygon:
		face, height = f.Plane.Normal, f.Plane.Normal.Dot(x.Sub(f.origin(t)))-f.Plane.Distance
	case f.isSolid():
		m, found := f.faceAt(f.toLocal(x, t), f.toLocalDirectionAt(n, t), math.Inf(1))
		if !found {
			return n, 0, false
		}
		p := f.toLocal(x, t)
		face, height = f.toWorldAt(m, t), m.Dot(p)-f.support(m)
		if f.Kind() == Cylinder && math.Abs(m.Dot(f.Capsule.B.Sub(f.Capsule.A))) <= axisTilt*f.Capsule.B.MaxAbs() {
			height, _, _ = f.nearest(p) // the side isn't flat
		}
		return face, height, true
	default:
		return n, 0, false
	}
	if height < 0 && f.TwoSided {
		return face.Neg(), -height, true
	}
	return face, height, true
}

// EachSolidNear calls found with all surfaces that may touch a ball at the start of the step. Of
// meshes and height fields it finds facets. Sensors with bounds are included, plane sensors are
// not.
func (w *Set) EachSolidNear(a *Around, ball collide.Sphere, found func(k int32)) {
	w.eachSolidNear(a, ball, func(*Surface, collide.Facet) bool { return true }, found)
}

// eachSolidNear is EachSolidNear, but of facets only those that count.
func (w *Set) eachSolidNear(
	a *Around, ball collide.Sphere, counts func(f *Surface, t collide.Facet) bool, found func(k int32),
) {
	var near Cursor
	w.SolidNear(&near, ball)
	for k, ok := near.Next(); ok; k, ok = near.Next() {
		f := &w.surfaces[k]
		if !f.HasFacets() {
			found(k)
			continue
		}
		f.eachFacetAt(a, f.toLocal(ball.Center, 0), ball.Radius+f.margin, func(t collide.Facet) {
			if counts(f, t) {
				found(f.facets + int32(t.ID()))
			}
		})
	}
}

// EachFacetNear calls found with surface k, or with its facets that may be at most reach away from
// x at time t.
func (w *Set) EachFacetNear(a *Around, k int32, x collide.Vec3, reach, t float64, found func(k int32)) {
	f := &w.surfaces[k]
	if !f.HasFacets() {
		found(k)
		return
	}
	f.eachFacetAt(a, f.toLocal(x, t), reach+f.margin, func(facet collide.Facet) {
		found(f.facets + int32(facet.ID()))
	})
}

// comparePieces orders two surfaces or facets by their geometry: see [Set.Compare].
func (w *Set) comparePieces(j, k int32) int {
	a, b := w.Middle(j), w.Middle(k)
	return cmp.Or(
		cmp.Compare(w.Key(j), w.Key(k)), cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z),
		cmp.Compare(j, k),
	)
}
