package statics

import (
	"math"
	"math/bits"

	"github.com/dango-physics/dango/collide"
)

// Around has the facets of a mesh or height field around a body that rolls, slides or rests on it,
// so that not each query searches that. For each facet it has planes, by which most of them are
// seen to be too far away without reading it.
//
// It only says which facets certainly don't matter, and has the last gaps computed. So no result
// depends on what it contains, nor on whether there is one. The zero value has no facets.
//
// Queries that are given an Around may change it.
type Around struct {
	of facetShape // in whose frame the rest is; zero for none

	sphere   collide.Sphere // with which the facets have gaps
	computed int32          // how many gaps have been computed: see nextPlace
	count    int32          // of facets; more than maxAround if they don't fit
	near     uint32         // bits of the facets that a ball touches on its way
	seen     uint32         // bits of those of which faces has the plane
	on       int8           // a facet on which the ball was: met looks at it first
	all      bool           // near has all facets on the way
	enters   bool           // see MayEnter

	// The ball contains the body with a margin, and the way is the body's in the step without
	// contacts.
	ball collide.Sphere
	way  collide.Vec3

	// The facets are known that are at most reach away from the segment from middle-half to
	// middle+half.
	reach        float64 // m
	middle, half collide.Vec3
	slack        float64 // larger than the rounding error of all distances, m

	gaps   [knownGaps]knownGap
	ids    [maxAround]int32
	_      [16]byte // to whole cache lines
	facets [maxAround]facetPlanes
	faces  [maxAround]knownFace
}

const (
	// maxAround is the largest number of facets. With a smaller number, there is no room for those
	// of a fine mesh; a larger one takes more memory for each body in a contact.
	maxAround = 16

	// knownGaps is how many gaps are kept. A step asks several times for that of each contact of a
	// body; a ball in a corner has three.
	knownGaps = 3
)

// knownFace is the plane of a facet in its frame, in a cache line.
type knownFace struct {
	normal, corner collide.Vec3

	compared uint32 // bits of the facets that have been compared with the plane
	behind   uint32 // bits of those of which nothing is in front of it, up to rounding: with itself
	_        [8]byte
}

// knownGap is a result of facetGap.
type knownGap struct {
	gap            float64
	normal         collide.Vec3
	id             int32
	both           bool // solid from both sides
	face, admitted bool
}

// facetPlanes has directions in which a facet ends, relative to the middle of Around: no point of
// the facet is beyond these planes, with rounding. It takes one cache line.
type facetPlanes struct {
	normal [3]float32 // a unit vector, or zero
	height float32    // of the facet along normal, m
	edges  [3]edgePlane
}

// edgePlane is a plane through an edge, perpendicular to the facet.
type edgePlane struct {
	out  [3]float32 // a unit vector, or zero for an edge without a direction
	high float32    // how far the facet reaches along out, m
}

const (
	// aroundPad is how far the facets reach beyond what is asked for, as a fraction of the radius.
	// With a smaller value, facets are collected more often; with a larger one there are more of
	// them.
	aroundPad = 0x1p-2

	// aroundSteps is for how many steps of a body the facets are collected, if it moves by at most
	// its radius in half of them. With 6, rolling balls take 2 % more instructions.
	aroundSteps = 12

	// aroundSlack is Around.slack as a fraction of the coordinates: 256 roundings of a float32.
	aroundSlack = 0x1p-16

	// Facets with an angle whose sine, squared, is less than aroundThin, or that are not wider
	// than aroundWidth times the margin of the surface, are lines: by rounding, their normals may
	// be more than 2^-20 rad off.
	aroundThin, aroundWidth = 0x1p-60, 0x1p9
)

// prepare makes a contain the facets of f around a ball in its frame that moves at v, unless it
// does, and finds those that are near for a step of the given duration.
func (a *Around) prepare(f *Surface, ball collide.Sphere, v collide.Vec3, seconds float64) {
	if a == nil || !f.HasFacets() || f.Turning.On {
		return
	}
	a.ball, a.way, a.near = ball, v.Scale(seconds), 0
	a.all = a.of == f.facetShape() && a.covers(ball.Center, a.way, ball.Radius)
	if !a.all {
		a.collect(f, ball, v.Scale(aroundSteps*seconds/2))
		a.all = a.covers(ball.Center, a.way, ball.Radius)
	}
	if a.all = a.all && a.count <= maxAround; a.all {
		a.near = a.reached(a.known(), ball.Center, a.way, ball.Radius)
	}
}

// collect finds the facets of f around a ball in its frame, on a way that is twice half.
func (a *Around) collect(f *Surface, ball collide.Sphere, half collide.Vec3) {
	if size := half.MaxAbs(); size > ball.Radius {
		half = half.Scale(ball.Radius / size)
	}
	if a.of != f.facetShape() {
		a.of, a.computed = f.facetShape(), 0
	}
	a.middle, a.half, a.count, a.seen = ball.Center.Add(half), half, 0, 0
	a.reach = float64(ball.Radius * (1 + aroundPad))
	box := a.box()
	size := box.Max.MaxAbs()
	a.slack = float64(aroundSlack * size)
	if !(size > 0x1p-40 && size < 0x1p40 && f.margin < a.slack/4) { // rounding would matter
		a.count = maxAround + 1
		return
	}
	var sweep collide.FacetSweep
	a.of.eachFacet(&sweep, collide.Sphere{Center: ball.Center, Radius: a.reach}, half.Scale(2), 1,
		func(t collide.Facet) float64 {
			a.add(t, &box, f.margin)
			return 1
		})
}

// box returns the bounds of all points whose facets are known, relative to the middle.
func (a *Around) box() collide.AABB {
	h := collide.Vec3{X: math.Abs(a.half.X), Y: math.Abs(a.half.Y), Z: math.Abs(a.half.Z)}
	return collide.AABB{Min: h.Neg(), Max: h}.Grow(a.reach)
}

// add adds a facet if it is near enough to the segment. box is that of all points near it, and
// margin that of the surface.
func (a *Around) add(t collide.Facet, box *collide.AABB, margin float64) {
	corners := t.Corners()
	for i := range corners {
		corners[i] = corners[i].Sub(a.middle)
	}
	c, d, e := &corners[0], &corners[1], &corners[2]
	low, high := &box.Min, &box.Max
	if c.X > high.X && d.X > high.X && e.X > high.X || c.X < low.X && d.X < low.X && e.X < low.X ||
		c.Y > high.Y && d.Y > high.Y && e.Y > high.Y || c.Y < low.Y && d.Y < low.Y && e.Y < low.Y ||
		c.Z > high.Z && d.Z > high.Z && e.Z > high.Z || c.Z < low.Z && d.Z < low.Z && e.Z < low.Z {
		return
	}
	side, other := d.Sub(*c), e.Sub(*c)
	cross := side.Cross(other)
	n, _ := cross.Normalized()
	if height := math.Abs(n.Dot(*c)) - math.Abs(n.Dot(a.half)); height > a.reach+a.slack {
		return // a quick test
	}
	if a.count >= maxAround {
		a.count = maxAround + 1
		return
	}
	// The normal of a line has no digits, so nothing tells what is beside it.
	s, o, width := side.LengthSquared(), other.LengthSquared(), float64(aroundWidth*margin)
	thin := cross.LengthSquared() < float64(aroundThin*float64(s*o))+float64(float64(width*width)*(s+o))
	g := &a.facets[a.count]
	g.setHeight(n, &corners, a.slack/4)
	for i := range 3 {
		out := corners[(i+1)%3].Sub(corners[i]).Cross(n)
		if square := out.LengthSquared(); square > 0x1p-400 {
			out = out.Scale(1 / math.Sqrt(square))
		} else {
			out = collide.Vec3{}
		}
		if thin || math.Abs(out.Dot(n)) > aroundSlack { // not perpendicular, by rounding
			out = collide.Vec3{}
		}
		g.edges[i].out, _, g.edges[i].high = extent(out, &corners)
	}
	if a.reached(1<<a.count, a.middle.Sub(a.half), a.half.Scale(2), a.reach) != 0 {
		a.ids[a.count] = int32(t.ID())
		a.count++
	}
}

// setHeight sets where the facet is along n, unless it reaches farther than allowed along n as that
// is rounded: then nothing is beyond its plane.
func (g *facetPlanes) setHeight(n collide.Vec3, corners *[3]collide.Vec3, allowed float64) {
	d, low, high := extent(n, corners)
	if float64(high-low) > allowed {
		d, low, high = [3]float32{}, 0, 0
	}
	g.normal, g.height = d, (low+high)/2
}

// extent returns direction n in float32, and between which two distances along that the corners
// are.
func extent(n collide.Vec3, corners *[3]collide.Vec3) (d [3]float32, low, high float32) {
	d = [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
	n = collide.Vec3{X: float64(d[0]), Y: float64(d[1]), Z: float64(d[2])}
	a, b, c := n.Dot(corners[0]), n.Dot(corners[1]), n.Dot(corners[2])
	from, to := min(a, b, c), max(a, b, c)
	const rounding = 0x1p-23 // of a float32
	return d, float32(from - float64(rounding*math.Abs(from))), float32(to + float64(rounding*math.Abs(to)))
}

// among returns those of the facets, bits, among which are all facets of m that something may touch
// that reaches that far around a point and moves from p to p+d. It returns false if some of these
// are not known; a nil Around knows none.
func (a *Around) among(m facetShape, p, d collide.Vec3, reach float64) (facets uint32, ok bool) {
	if a == nil || a.of != m || a.count > maxAround {
		return 0, false
	}
	if room := a.ball.Radius - reach; a.all && room >= 0 && (p == a.ball.Center || a.isOnWay(p, room)) &&
		(d == collide.Vec3{} || a.isOnWay(p.Add(d), room)) {
		return a.near, true
	}
	return a.known(), a.covers(p, d, reach)
}

// covers reports whether such a thing stays where all facets are known.
func (a *Around) covers(p, d collide.Vec3, reach float64) bool {
	room := a.reach - a.slack - reach
	from := p.Sub(a.middle)
	return room >= 0 && isOnSegment(from, a.half, room) && isOnSegment(from.Add(d), a.half, room)
}

// isOnSegment reports whether p is at most that far from the segment from -half to half.
func isOnSegment(p, half collide.Vec3, far float64) bool {
	if at, all := p.Dot(half), half.LengthSquared(); all > 0 {
		p = p.AddScaled(-max(-1, min(1, at/all)), half)
	}
	return p.LengthSquared() <= float64(far*far)
}

// known returns the bits of all facets.
func (a *Around) known() uint32 { return 1<<a.count - 1 }

// each calls do with those of the facets, bits, that may be at most reach away from a point that
// moves from p to p+d.
func (a *Around) each(facets uint32, p, d collide.Vec3, reach float64, do func(t collide.Facet)) {
	if facets&(facets-1) != 0 { // a single one is mostly what the body is on
		facets = a.reached(facets, p, d, reach)
	}
	a.call(facets, do)
}

// call calls do with the given facets, bits.
func (a *Around) call(facets uint32, do func(t collide.Facet)) {
	for ; facets != 0; facets &= facets - 1 {
		a.of.with(a.ids[bits.TrailingZeros32(facets)%maxAround], do)
	}
}

// below returns those of the facets, bits, on whose face the nearest point to p may be: p is inside
// of all their edges, but for rounding and faceTilt.
func (a *Around) below(facets uint32, p collide.Vec3) (found uint32) {
	for ; facets != 0; facets &= facets - 1 {
		k := bits.TrailingZeros32(facets) % maxAround
		if a.isInside(k, p, collide.Vec3{}, -a.slack) {
			found |= 1 << k
		}
	}
	return found
}

// isInside reports whether a point that moves from p to p+d stays inside of all edges of a facet,
// seen along its normal, and that far from them. It may be wrong by a.slack.
func (a *Around) isInside(k int, p, d collide.Vec3, far float64) bool {
	from := p.Sub(a.middle)
	x, y, z := float32(from.X), float32(from.Y), float32(from.Z)
	dx, dy, dz := float32(d.X), float32(d.Y), float32(d.Z)
	inset := float32(far)
	for i := range a.facets[k].edges {
		e := &a.facets[k].edges[i]
		beside := float32(e.out[0]*x) + float32(e.out[1]*y) + float32(e.out[2]*z) - e.high
		if by := float32(e.out[0]*dx) + float32(e.out[1]*dy) + float32(e.out[2]*dz); by > 0 {
			beside += by
		}
		if beside > -inset {
			return false
		}
	}
	return true
}

// isOnWay reports whether a point is at most that far from the way of the ball.
func (a *Around) isOnWay(p collide.Vec3, far float64) bool {
	half := a.way.Scale(0.5)
	return isOnSegment(p.Sub(a.ball.Center).Sub(half), half, far)
}

// reached returns those of the facets that may be at most reach away from a point that moves from p
// to p+d.
func (a *Around) reached(among uint32, p, d collide.Vec3, reach float64) (found uint32) {
	from := p.Sub(a.middle)
	x, y, z := float32(from.X), float32(from.Y), float32(from.Z)
	dx, dy, dz := float32(d.X), float32(d.Y), float32(d.Z)
	far := float32(reach + a.slack)
	for ; among != 0; among &= among - 1 {
		k := bits.TrailingZeros32(among) % maxAround
		g := &a.facets[k]
		n := &g.normal
		low := float32(n[0]*x) + float32(n[1]*y) + float32(n[2]*z) - g.height
		high := low
		if rise := float32(n[0]*dx) + float32(n[1]*dy) + float32(n[2]*dz); rise < 0 {
			low += rise
		} else {
			high += rise
		}
		gap := low
		if gap < -high {
			gap = -high
		}
		if gap > far {
			continue
		}
		if gap < 0 {
			gap = 0
		}
		room := float32(far*far) - float32(gap*gap)
		reached := true
		for i := range g.edges {
			e := &g.edges[i]
			beside := float32(e.out[0]*x) + float32(e.out[1]*y) + float32(e.out[2]*z) - e.high
			if beside <= 0 {
				continue
			}
			if by := float32(e.out[0]*dx) + float32(e.out[1]*dy) + float32(e.out[2]*dz); by < 0 {
				beside += by
			}
			if beside > 0 && float32(beside*beside) > room {
				reached = false
				break
			}
		}
		if reached {
			found |= 1 << k
		}
	}
	return found
}

// facetGap is facetGap for a facet of m, in whose frame p is. It computes the gap of a sphere
// that doesn't move only once.
func (a *Around) facetGap(
	t collide.Facet, m facetShape, p collide.Vec3, radius float64,
) (gap float64, n collide.Vec3, face, admitted bool) {
	if a == nil || a.of != m {
		return facetGap(t, p, radius)
	}
	if s := (collide.Sphere{Center: p, Radius: radius}); a.sphere != s {
		a.sphere, a.computed = s, 0
	}
	id, both := int32(t.ID()), t.TwoSided()
	for k := range min(a.computed, knownGaps) {
		if g := &a.gaps[k]; g.id == id && g.both == both {
			return g.gap, g.normal, g.face, g.admitted
		}
	}
	if k := a.find(t, m); k >= 0 && a.count <= maxAround &&
		a.isInside(k, p, collide.Vec3{}, float64(insideShare*radius)+a.slack) {
		f := a.face(k)
		height := f.normal.Dot(p.Sub(f.corner))
		if height < 0 && !both {
			radius = 0
		}
		gap, n = faceGap(f.normal, height, radius)
		face, admitted = true, true
	} else {
		gap, n, face, admitted = facetGapWith(t, p, radius, func() collide.Vec3 { return a.normal(t, m) })
	}
	a.gaps[nextPlace(&a.computed, knownGaps)] = knownGap{gap, n, id, both, face, admitted}
	return gap, n, face, admitted
}

// normal returns the normal of a facet of m. It computes those of known facets only once.
func (a *Around) normal(t collide.Facet, m facetShape) collide.Vec3 {
	if k := a.find(t, m); k >= 0 {
		return a.face(k).normal
	}
	return t.Normal()
}

// face returns the plane of facet k of those that are known.
func (a *Around) face(k int) *knownFace {
	g := &a.faces[k%maxAround]
	if a.seen&(1<<k) == 0 {
		a.seen |= 1 << k
		a.of.with(a.ids[k%maxAround], func(t collide.Facet) { g.normal, g.corner = t.Normal(), t.Corners()[0] })
		g.compared, g.behind = 1<<k, 1<<k
	}
	return g
}

// behind returns those of the facets, bits, of which nothing is in front of the plane of facet k,
// up to rounding.
func (a *Around) behind(k int, facets uint32) uint32 {
	g := a.face(k)
	todo := facets &^ g.compared
	for g.compared |= todo; todo != 0; todo &= todo - 1 {
		j := bits.TrailingZeros32(todo) % maxAround
		var c [3]collide.Vec3
		a.of.with(a.ids[j], func(t collide.Facet) { c = t.Corners() })
		rises := false
		for i := range c {
			d := c[i].Sub(g.corner)
			rises = rises || g.normal.Dot(d) > float64(planeRounding*d.SumAbs())
		}
		if !rises {
			g.behind |= 1 << j
		}
	}
	return g.behind
}

// met returns those of the facets of f, bits, with which a ball in its frame may have an impact
// when it moves by d, at v in the world: none if planes of facets separate it all the way from all
// that it reaches. If some are left, edges between these and others may be touched, by rounding,
// so that only those are left out whose own plane is beyond reach.
func (a *Around) met(f *Surface, facets uint32, ball *collide.Sphere, d, v collide.Vec3) uint32 {
	passed, beyond := uint32(0), uint32(0)
	pass := func(k int) {
		g := a.face(k)
		from := ball.Center.Sub(g.corner)
		low := g.normal.Dot(from) - ball.Radius + min(0, g.normal.Dot(d))
		rounding := float64(planeRounding * (ball.Center.SumAbs() + ball.Radius + from.SumAbs()))
		if low > rounding {
			beyond |= 1 << k
		} else if !(low >= -min(rounding, float64(passedDepth*ball.Radius)) && f.movesAlong(g.normal, v)) {
			return
		}
		a.on, passed = int8(k), passed|a.behind(k, facets)
	}
	if facets&(1<<a.on) != 0 {
		pass(int(a.on))
	}
	if facets&^passed == 0 {
		return 0
	}
	facets = a.reached(facets, ball.Center, d, ball.Radius)
	for todo := facets &^ passed; todo != 0; {
		k := bits.TrailingZeros32(todo) % maxAround
		pass(k)
		todo &^= passed | 1<<k
	}
	if facets&^passed == 0 {
		return 0
	}
	return facets &^ beyond
}

const (
	// planeRounding is the rounding error of a height over a plane, as a fraction of the
	// coordinates. A ball may come that deep into facets that it moves along; with a smaller value,
	// more of these are swept.
	planeRounding = 0x1p-51

	// passedDepth is less than what counts as an overlap, as a fraction of the radius: it limits
	// that depth.
	passedDepth = 0x1p-31
)

// nextPlace returns the index of the next of n things that are kept: it replaces the oldest. count
// counts them up to n, and from then on stays from n to 2n-1, so that it doesn't overflow.
func nextPlace(count *int32, n int32) int32 {
	k := *count % n
	if *count++; *count == 2*n {
		*count = n
	}
	return k
}

// find returns the index of a facet of m, and -1 if it is none of those that are known.
func (a *Around) find(t collide.Facet, m facetShape) int {
	if a == nil || a.of != m {
		return -1
	}
	id := int32(t.ID())
	for k := range min(a.count, maxAround) {
		if a.ids[k] == id {
			return int(k)
		}
	}
	return -1
}

// noteEntered sets what MayEnter returns.
func (a *Around) noteEntered(enters bool) {
	if a != nil {
		a.enters = enters
	}
}

// MayEnter reports whether [Set.EachEntered] may find anything on the way for which First or
// FirstOnArc was called last, up to the impact that it returned.
func (a *Around) MayEnter() bool { return a == nil || a.enters }

// Forget makes the Around empty.
func (a *Around) Forget() { a.of = facetShape{} }
