package verify

import (
	"math"
	"slices"
)

// Solid is a convex shape: the convex hull of points, grown by a radius. A box has eight points, a
// capsule two. Its points are in the directions of the world, relative to the position of the
// thing.
type Solid struct {
	Points []V
	Radius float64
	Reach  float64 // greatest distance of its surface from the position
	faces  []V     // unit normals of the faces of the hull, outwards
	edges  [][2]V
	lines  []V // unit vectors along the edges, each direction once
}

// NewSolid returns a solid. Its faces are found by testing all triples of points, and two points
// that have two faces in common are the ends of an edge.
func NewSolid(points []V, radius float64) *Solid {
	o := &Solid{Points: points, Radius: radius}
	size := 0.0
	for _, p := range points {
		size = max(size, p.Length())
	}
	o.Reach = size + radius
	for i, a := range points {
		for j := i + 1; j < len(points); j++ {
			for _, c := range points[j+1:] {
				n := points[j].Sub(a).Cross(c.Sub(a))
				if n.Length() > 1e-9*size*size {
					o.addFace(n.Unit(), a, 1e-12*size)
				}
			}
		}
	}
	for i, p := range points {
		for _, q := range points[i+1:] {
			common := 0
			for _, n := range o.faces {
				_, hi := o.extent(n)
				if min(n.Dot(p), n.Dot(q)) >= hi-1e-12*size {
					common++
				}
			}
			if common > 1 || len(points) == 2 {
				o.edges = append(o.edges, [2]V{p, q})
				o.addLine(q.Sub(p).Unit())
			}
		}
	}
	return o
}

// newSheet returns a flat convex polygon with that unit normal as a solid without thickness.
func newSheet(corners []V, normal V) *Solid {
	o := &Solid{Points: corners, faces: []V{normal, normal.Scale(-1)}}
	for k, p := range corners {
		q := corners[(k+1)%len(corners)]
		o.Reach = max(o.Reach, p.Length())
		if d := q.Sub(p).Unit(); d != (V{}) {
			o.edges = append(o.edges, [2]V{p, q})
			o.addLine(d)
		}
	}
	return o
}

// addFace adds the face through a with unit normal n or -n, if all points are behind it, to
// rounding.
func (o *Solid) addFace(n, a V, rounding float64) {
	lo, hi := o.extent(n)
	for _, s := range []float64{1, -1} {
		if s > 0 && hi-n.Dot(a) > rounding || s < 0 && n.Dot(a)-lo > rounding {
			continue
		}
		m := n.Scale(s)
		if !slices.ContainsFunc(o.faces, func(f V) bool { return f.Sub(m).Length() < 1e-9 }) {
			o.faces = append(o.faces, m)
		}
	}
}

// addLine adds the direction of an edge.
func (o *Solid) addLine(d V) {
	if !slices.ContainsFunc(o.lines, func(e V) bool { return e.Cross(d).Length() < 1e-12 }) {
		o.lines = append(o.lines, d)
	}
}

// HalfWidth returns half of the least width of a solid across its faces. A capsule has no faces.
func (o *Solid) HalfWidth() float64 {
	least := math.Inf(1)
	for _, n := range o.faces {
		lo, hi := o.extent(n)
		least = min(least, (hi-lo)/2)
	}
	if len(o.faces) == 0 {
		least = 0
	}
	return least + o.Radius
}

// extent returns the least and the greatest product of n and a point.
func (o *Solid) extent(n V) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range o.Points {
		h := n.Dot(p)
		lo, hi = min(lo, h), max(hi, h)
	}
	return lo, hi
}

// along returns how far a, at x relative to b, is beyond b in the direction of the unit vector n.
// It is never more than the signed distance of the two.
func along(a *Solid, x V, b *Solid, n V) float64 {
	lo, _ := a.extent(n)
	_, hi := b.extent(n)
	return n.Dot(x) + lo - hi - a.Radius - b.Radius
}

// directions calls f with all directions in which the signed distance of a, at x relative to b, may
// be: normals of faces, products of edges, and the shortest connections of corners with corners and
// with edges. It stops when f returns false.
func directions(a *Solid, x V, b *Solid, f func(n V) bool) {
	try := func(n V) bool {
		l := n.Length()
		return !(l > 0) || f(n.Scale(1/l))
	}
	if !try(x) {
		return
	}
	for _, n := range b.faces {
		if !f(n) {
			return
		}
	}
	for _, n := range a.faces {
		if !f(n.Scale(-1)) {
			return
		}
	}
	for _, p := range a.lines {
		for _, q := range b.lines {
			if n := p.Cross(q); !try(n) || !try(n.Scale(-1)) {
				return
			}
		}
	}
	// If the distance is that of two corners, or of a corner and an edge, no other two are closer.
	corners, edge, own := shortest{}, shortest{}, shortest{}
	for _, p := range a.Points {
		p = p.Add(x)
		for _, q := range b.Points {
			corners.offer(p.Sub(q))
		}
		for _, e := range b.edges {
			edge.offer(fromEdge(p, e))
		}
	}
	for _, q := range b.Points {
		q = q.Sub(x)
		for _, e := range a.edges {
			own.offer(fromEdge(q, e).Scale(-1))
		}
	}
	_ = try(corners.v) && try(edge.v) && try(own.v)
}

// shortest is the shortest of the vectors that have been offered.
type shortest struct {
	v      V
	square float64
	any    bool
}

// offer takes v if it is shorter than those before.
func (m *shortest) offer(v V) {
	if square := v.Dot(v); !m.any || square < m.square {
		*m = shortest{v, square, true}
	}
}

// fromEdge returns the shortest vector from edge e to p. It leaves out what rounding gives it along
// the edge, 2^-53 of the coordinates. Divided by the distance of the two, that tilts the direction,
// and one end of the edge is farther along a tilted direction by the tilt times the edge's length.
// That made an overlap of 1e-9 m at an edge of 2 km, 0.1 m away.
func fromEdge(p V, e [2]V) V {
	d, h := e[1].Sub(e[0]), p.Sub(e[0])
	at := h.Dot(d) / d.Dot(d)
	if at <= 0 || at >= 1 {
		return h.Sub(d.Scale(min(max(at, 0), 1)))
	}
	h = h.Sub(d.Scale(at))
	return h.Sub(d.Scale(h.Dot(d) / d.Dot(d)))
}

// solidGap returns the signed distance of two solids, a at x relative to b: the greatest distance
// along any direction. It returns some number of at least enough if the distance is that large.
func solidGap(a *Solid, x V, b *Solid, enough float64) float64 {
	if far := x.Length() - a.Reach - b.Reach; far >= enough {
		return far
	}
	best := math.Inf(-1)
	directions(a, x, b, func(n V) bool {
		best = max(best, along(a, x, b, n))
		return best < enough
	})
	return best
}

// solidOf returns the solid of a thing that is a sphere or a solid.
func (t *Thing) solidOf() *Solid {
	if t.Shape == Sphere {
		return &Solid{Points: []V{{}}, Radius: t.Radius, Reach: t.Radius}
	}
	return t.Solid
}

// sheet returns a polygon as the only part of a list.
func (t *Thing) sheet() []Part {
	if t.known.sheet == nil {
		t.known.sheet = []Part{partOf(newSheet(t.Corners, t.Normal))}
	}
	return t.known.sheet
}

// underside returns how high the lowest point of solid a, at r relative to polygon b, is above the
// plane of b.
func underside(a *Thing, r V, b *Thing) float64 {
	lo, _ := a.Solid.extent(b.Normal)
	return r.Sub(b.Corners[0]).Dot(b.Normal) + lo - a.Solid.Radius
}

// solidGapAt is gap where one of the two is a solid, and the other one a sphere, a solid, a plane
// or a polygon.
func solidGapAt(a *Thing, p V, b *Thing, q V, side, enough float64) float64 {
	switch b.Shape {
	case Polygon:
		return partsGap(a.Solid, p.Sub(q), b.sheet(), enough)
	case Sphere, Convex, Parts:
		return solidGap(a.solidOf(), p.Sub(q), b.solidOf(), enough)
	case Plane:
	}
	n, d := b.Normal, p.Sub(q).Dot(b.Normal)-b.Distance
	if !b.OneSided && (side < 0 || side == 0 && d < 0) {
		n, d = n.Scale(-1), -d
	}
	lo, _ := a.Solid.extent(n)
	return d + lo - a.Solid.Radius
}

// nearestSolids returns the least gap of two of which one is a solid, on a segment of the way that
// goes from r0 to r1 relative to b. The gap is a convex function of the place, so a search by the
// golden section finds it. It returns at once if a direction shows that no gap is below enough.
func nearestSolids(a, b *Thing, r0, r1 V, side, enough float64) (least, at float64) {
	d := r1.Sub(r0)
	g := func(s float64) float64 { return solidGapAt(a, r0.Add(d.Scale(s)), b, V{}, side, math.Inf(1)) }
	if b.Shape == Plane {
		if g0, g1 := g(0), g(1); g1 < g0 {
			return g1, 1
		} else {
			return g0, 0
		}
	}
	if b.Shape == Polygon {
		return nearestPart(a.Solid, r0, r1, b.sheet(), enough)
	}
	return nearestOf(a.solidOf(), r0, r1, b.solidOf(), enough)
}

// oneSidedSolid is segment for solid a and a one-sided polygon. That stops a solid that is wholly
// in front of it. What comes below the plane of the polygon beside it, or was below it before, goes
// through. Then m.passing is set, until all of the solid is in front again.
func (m *approach) oneSidedSolid(a, b *Thing, r0, r1 V, offer func(g, s float64)) {
	tol, d := tolerance(a, b, a.known.seconds), r1.Sub(r0)
	h0, h1 := underside(a, r0, b), underside(a, r1, b)
	if m.passing = h1 < -tol; h0 < -tol || h1 >= -tol {
		return
	}
	s := (h0 + tol) / (h0 - h1)
	// A bit lower, it is in the polygon as deep as below its plane if it meets the inside of that.
	below := r0.Add(d.Scale(s)).Sub(b.Normal.Scale(tol))
	if solidGapAt(a, below, b, V{}, 0, math.Inf(1)) <= -2*tol*(1-1.0/16) {
		m.passing = false
		offer(nearestPart(a.Solid, r0.Add(d.Scale(s)), r1, b.sheet(), -tol/2))
	}
}

// nearestOf is nearestSolids for the solids themselves.
func nearestOf(sa *Solid, r0, r1 V, sb *Solid, enough float64) (least, at float64) {
	d := r1.Sub(r0)
	g := func(s float64) float64 { return solidGap(sa, r0.Add(d.Scale(s)), sb, math.Inf(1)) }
	if mid := r0.Add(d.Scale(0.5)).Length() - sa.Reach - sb.Reach - d.Length()/2; mid > enough {
		return mid, 0.5
	}
	free := false
	for _, s := range []float64{0, 1} {
		directions(sa, r0.Add(d.Scale(s)), sb, func(n V) bool {
			free = along(sa, r0, sb, n) >= enough && along(sa, r1, sb, n) >= enough
			return !free
		})
		if free {
			return enough, s
		}
	}
	if d == (V{}) {
		return g(0), 0
	}
	least, at = byGoldenSection(g, 0, 1)
	for _, s := range []float64{0, 1} {
		if e := g(s); e < least {
			least, at = e, s
		}
	}
	return least, at
}
