package convex

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// A Pair is two shapes, a and b. Where a is p away from b, the two touch if p is on the boundary of
// their Minkowski sum: the set of all differences of a point of b and one of a. For polytopes it is
// a polytope. Each of its faces lies in a plane that is perpendicular to an axis: the normal of a
// face of a or b, or a cross product of two edges whose arcs cross. So the gap along an axis is a
// linear function of p, and the two overlap if all gaps are negative. Around it, a capsule or ball
// adds its radius.
//
// A Pair keeps its memory: declare one and set it again and again.
type Pair struct {
	// Admits, if it isn't nil, says which normals the contact may have: those of a facet whose
	// neighbours hide the others. It belongs to the shapes, and Set removes it.
	Admits Admitter

	a, b     *Shape // a is nil for a ball of the given radius
	radius   float64
	triangle collide.Triangle // b, if that is nil
	flipped  bool             // a and b are in the other order, because a round shape comes first
	alike    bool             // both are round and the same, and where they are decides which comes first
	axes     []axis

	// The last answer of roundGap, and for which p it was. What rests is asked several times.
	answered bool
	asked    collide.Vec3
	gap      Contact
	onFace   bool
}

// Admitter decides which normals a contact may have.
type Admitter interface {
	AdmitsNormal(n collide.Vec3) bool
}

// axis is a unit direction from b to a, along which the gap is n·p - distance.
type axis struct {
	n        collide.Vec3
	distance float64
}

// Contact is how far two shapes are apart.
type Contact struct {
	Gap    float64      // m, negative where they overlap
	Normal collide.Vec3 // of unit length, from b to a
}

// snapTilt is the angle to the normal of a face, squared and halved, up to which the normal of a
// round shape is that of the face: 1e-6 rad. Rounding tilts a capsule that slides over the edge
// between two faces in one plane by 1e-8; a larger value could be seen.
const snapTilt = 0x1p-40

// parallelSine is the sine of the angle up to which the cross product of two edges is no axis. The
// face without one is as narrow as the shorter edge times that, and the faces beside it decide. At
// smaller angles the rounding of the product tilts the axis by more than that is worth: either way
// a contact is off by at most 1e-8 of the edge.
const parallelSine = 0x1p-27

// Set makes the pair that of two shapes.
func (q *Pair) Set(a, b *Shape) {
	*q = Pair{a: a, b: b, axes: q.axes[:0]}
	if a.Radius == 0 && b.Radius > 0 || a.Radius > 0 && b.Radius > 0 && b.Key < a.Key {
		q.a, q.b, q.flipped = b, a, true
	}
	q.alike = a.Radius > 0 && b.Radius > 0 && a.Key == b.Key
	q.findAxes(q.b.Points, q.b.Normals, q.b.arcs)
}

// SetBall makes the pair that of a ball around its origin, and a shape.
func (q *Pair) SetBall(radius float64, b *Shape) {
	*q = Pair{b: b, radius: radius, axes: q.axes[:0]}
	q.findAxes(b.Points, b.Normals, nil)
}

// SetPlane makes the pair that of a shape and the half-space behind a plane.
func (q *Pair) SetPlane(a *Shape, plane collide.Plane) {
	*q = Pair{axes: q.axes[:0]}
	low, _ := a.Extent(plane.Normal)
	q.axes = append(q.axes, axis{plane.Normal, plane.Distance - low + a.Radius})
}

// SetTriangle makes the pair that of a shape and a triangle with the given normal.
func (q *Pair) SetTriangle(a *Shape, t collide.Triangle, normal collide.Vec3) {
	*q = Pair{a: a, triangle: t, axes: q.axes[:0]}
	points := [3]collide.Vec3{t.A, t.B, t.C}
	normals := [2]collide.Vec3{normal, normal.Neg()}
	var arcs [3]arc
	n := 0
	for i := range points {
		if a, ok := flatArc(points[i], points[(i+1)%3], normal); ok {
			arcs[n] = a
			n++
		}
	}
	q.findAxes(points[:], normals[:], arcs[:n])
}

// round reports whether one of the shapes has a radius.
func (q *Pair) round() bool { return q.radius > 0 || q.a != nil && q.a.Radius > 0 }

// findAxes finds the axes of a and a shape with the given points, normals and arcs. If a is round,
// they are those of the other shape's faces, for snap.
func (q *Pair) findAxes(points, normals []collide.Vec3, arcs []arc) {
	if q.round() {
		for i := range normals {
			_, high := extent(points, normals[i])
			distance := high + q.radius
			if q.a != nil {
				low, _ := q.a.Extent(normals[i])
				distance = high - low + q.a.Radius
			}
			q.axes = append(q.axes, axis{normals[i], distance})
		}
		return
	}
	add := func(n collide.Vec3) {
		low, _ := q.a.Extent(n)
		_, high := extent(points, n)
		q.axes = append(q.axes, axis{n, high - low})
	}
	for i := range normals {
		add(normals[i])
	}
	if q.b != nil && q.a.upright && q.b.upright {
		return
	}
	for i := range q.a.Normals {
		add(q.a.Normals[i].Neg())
	}
	for i := range arcs {
		for k := range q.a.arcs {
			if n, ok := arcs[i].crossing(&q.a.arcs[k]); ok {
				add(n)
			}
		}
	}
}

// comesBefore reports whether axis n decides rather than m where both are as good. That depends
// neither on their signs nor on the order of the shapes. Along Y first, so that what lies on the
// edge of something else is held.
func comesBefore(n, m *collide.Vec3) bool {
	for _, c := range [3][2]float64{{n.Y, m.Y}, {n.X, m.X}, {n.Z, m.Z}} {
		if x, y := math.Abs(c[0]), math.Abs(c[1]); x != y {
			return x > y
		}
	}
	return false
}

// Gap returns the gap where a is at p relative to b: the largest along any axis.
func (q *Pair) Gap(p collide.Vec3) Contact {
	if q.round() {
		c, _ := q.roundGap(p)
		return c
	}
	return q.deepest(p)
}

// deepest is Gap for polytopes.
func (q *Pair) deepest(p collide.Vec3) Contact {
	c := Contact{Gap: math.Inf(-1)}
	for i := range q.axes {
		x := &q.axes[i]
		if gap := x.n.Dot(p) - x.distance; gap > c.Gap || gap == c.Gap && comesBefore(&x.n, &c.Normal) {
			c = Contact{gap, x.n}
		}
	}
	return c
}

// IsWithin reports whether polytopes are no farther apart than limit where a is at p relative to b,
// and whether that is known: their distance may be larger than their gap where edges or corners are
// closest. It is known where the nearest point of the Minkowski sum is on the face with the gap.
func (q *Pair) IsWithin(p collide.Vec3, limit float64) (within, known bool) {
	if q.round() {
		return false, false
	}
	c := q.deepest(p)
	if c.Gap > limit || c.Gap <= 0 {
		return c.Gap <= limit, true
	}
	nearest := p.AddScaled(-c.Gap, c.Normal)
	for i := range q.axes {
		if x := &q.axes[i]; x.n.Dot(nearest)-x.distance > float64(withinRounding*limit) {
			return false, false
		}
	}
	return true, true
}

// withinRounding is how far outside of the Minkowski sum the nearest point may be for IsWithin, as
// a fraction of the limit.
const withinRounding = 0x1p-20

// Own returns the contact along the normal with the largest gap of those that Admits has, and false
// if there is none. Where two overlap by more than rounding it is the one that counts: from each of
// two triangles in a plane alone, the shortest way out at their common edge leads into the other.
func (q *Pair) Own(p collide.Vec3) (c Contact, ok bool) {
	if q.round() {
		c, face := q.roundGap(p)
		return c, face || q.admits(c.Normal)
	}
	c.Gap = math.Inf(-1)
	for i := range q.axes {
		x := &q.axes[i]
		gap := x.n.Dot(p) - x.distance
		if (gap > c.Gap || gap == c.Gap && comesBefore(&x.n, &c.Normal)) && q.admits(x.n) {
			c, ok = Contact{gap, x.n}, true
		}
	}
	return c, ok
}

// Near returns the contact that the two are about to have, where a is at p relative to b and moves
// at v, and at w if nothing holds it. Polytopes that are apart along several axes, by more than
// -tolerance each, will touch along the one that closes last, at v or, if that closes none, at w.
// If one of them doesn't close, they won't touch. So what slides on a floor stays on it and doesn't
// meet the side of the next tile, and what falls past an edge isn't held by it. Polytopes that
// neither v nor w brings closer than reach along some axis within the given seconds have a contact
// along that: a tilted box doesn't lie on an edge that is below its side. What is round will touch
// where it comes closest at v within that time.
func (q *Pair) Near(p, v, w collide.Vec3, seconds, tolerance, reach float64) Contact {
	slack := float64(closingSlack * (v.SumAbs() + w.SumAbs()))
	if q.round() {
		return q.roundNear(p, v, seconds, slack)
	}
	best, closes := -1, [3]float64{}
	apart, most := -1, reach
	for i := range q.axes {
		x := &q.axes[i]
		gap := x.n.Dot(p) - x.distance
		if gap < -tolerance {
			continue
		}
		if gap > most {
			if left := gap + float64(min(0, x.n.Dot(v), x.n.Dot(w))*seconds); left > most {
				apart, most = i, left
			}
		}
		// The last one counts for axes that close at the same time.
		time := [3]float64{math.Inf(1), math.Inf(1), gap}
		if rate := x.n.Dot(v); rate < -slack {
			time[0] = max(gap, 0) / -rate
		}
		if rate := x.n.Dot(w); rate < -slack {
			time[1] = max(gap, 0) / -rate
		}
		order := slices.Compare(time[:], closes[:])
		if best < 0 || order > 0 || order == 0 && comesBefore(&x.n, &q.axes[best].n) {
			best, closes = i, time
		}
	}
	if apart >= 0 {
		x := &q.axes[apart]
		return Contact{x.n.Dot(p) - x.distance, x.n}
	}
	if best < 0 {
		return q.deepest(p)
	}
	return Contact{closes[2], q.axes[best].n}
}

// Passes reports whether polytopes have only edges or corners near each other, and don't meet
// there. They are apart along two axes at a right or obtuse angle, by more than -tolerance, and
// neither v nor w makes them overlap along all axes within the given seconds, by more than
// cornerDepth times size. As long as they are apart along one of the two axes, nothing holds them
// along the other one.
func (q *Pair) Passes(p, v, w collide.Vec3, seconds, tolerance, size float64) bool {
	if q.round() {
		return false
	}
	apart, left := -1, -float64(cornerDepth*size)
	for i := range q.axes {
		x := &q.axes[i]
		gap := x.n.Dot(p) - x.distance
		if gap < -tolerance {
			continue
		}
		if later := gap + float64(min(0, x.n.Dot(v), x.n.Dot(w))*seconds); later >= left {
			apart, left = i, later
		}
	}
	if apart < 0 {
		return false
	}
	for i := range q.axes {
		x := &q.axes[i]
		if x.n.Dot(q.axes[apart].n) <= 0 && x.n.Dot(p)-x.distance >= -tolerance {
			return true
		}
	}
	return false
}

// cornerDepth is the overlap up to which Passes leaves edges and corners to impacts, as a fraction
// of a size. It is a sixteenth of the gap at which bodies rest, so that what trembles within the
// gap meets no corner.
const cornerDepth = 0x1p-13

// closingSlack is the closing speed that counts as none in Near, as a fraction of the speeds. It is
// that of a floor of tiles whose normals differ by rounding.
const closingSlack = 0x1p-38

// roundNear is Near for a pair with a radius: the contact at the time when the path at v comes
// closest to the Minkowski sum. That is convex, so the plane that touches it there never keeps a
// from moving at v if the two only pass each other.
func (q *Pair) roundNear(p, v collide.Vec3, seconds, slack float64) Contact {
	c, _ := q.roundGap(p)
	if c.Gap <= 0 || c.Normal.Dot(v) >= -slack {
		return c
	}
	if c.Gap <= float64(2*v.SumAbs()*seconds) { // more than it moves
		if t, hit, _ := q.sweepRound(p, v, seconds, slack); hit.Normal != (collide.Vec3{}) {
			return Contact{float64(-hit.Normal.Dot(v) * t), hit.Normal}
		}
	}
	early, t := 0.0, seconds
	c, _ = q.roundGap(p.AddScaled(t, v))
	for range closestHalvings {
		if c.Normal.Dot(v) <= slack {
			break
		}
		middle := (early + t) / 2
		if m, _ := q.roundGap(p.AddScaled(middle, v)); m.Normal.Dot(v) < -slack {
			early = middle
		} else {
			t, c = middle, m
		}
	}
	return Contact{c.Gap - float64(c.Normal.Dot(v)*t), c.Normal}
}

// closestHalvings is how often roundNear halves the time in which a path comes closest. With fewer,
// the contact of two that pass each other quickly has a normal behind the closest place; more cost
// time.
const closestHalvings = 6

// Touch returns the contact of shapes that touch or overlap where a is at p relative to b and moves
// at w, and whether they approach along it by more than slack. Polytopes that touch along several
// axes, up to tolerance, as at a corner, have a contact along that with the slowest approach: so
// what slides on one face doesn't hit the side of the next one.
func (q *Pair) Touch(p, w collide.Vec3, tolerance, slack float64) (c Contact, approach bool) {
	if q.round() {
		c, face := q.roundGap(p)
		return c, -c.Normal.Dot(w) > slack && (face || q.admits(c.Normal))
	}
	best, least := -1, math.Inf(1)
	deepest := Contact{Gap: math.Inf(-1)}
	for i := range q.axes {
		x := &q.axes[i]
		gap := x.n.Dot(p) - x.distance
		if gap > deepest.Gap || gap == deepest.Gap && comesBefore(&x.n, &deepest.Normal) {
			deepest = Contact{gap, x.n}
		}
		if gap < -tolerance {
			continue
		}
		rate := -x.n.Dot(w)
		if rate <= slack {
			return Contact{gap, x.n}, false // they stay apart along it
		}
		if (rate < least || rate == least && comesBefore(&x.n, &q.axes[best].n)) && q.admits(x.n) {
			best, least = i, rate
		}
	}
	if best >= 0 {
		x := &q.axes[best]
		return Contact{x.n.Dot(p) - x.distance, x.n}, true
	}
	if deepest.Gap >= -tolerance {
		return deepest, false // hidden by the neighbours of a facet
	}
	if c, ok := q.Own(p); ok {
		return c, -c.Normal.Dot(w) > slack
	}
	return deepest, false
}

// admits reports whether a contact may have normal n.
func (q *Pair) admits(n collide.Vec3) bool { return q.Admits == nil || q.Admits.AdmitsNormal(n) }

// Hidden reports whether the neighbours of a facet hide its contact.
func (q *Pair) Hidden(c Contact) bool { return !q.admits(c.Normal) }

// Sweep returns when a, which is at p relative to b and moves at w, first touches b and approaches
// it, from now up to the given seconds. For tolerance and slack see Touch.
func (q *Pair) Sweep(p, w collide.Vec3, seconds, tolerance, slack float64) (t float64, c Contact, ok bool) {
	if q.round() {
		return q.sweepRound(p, w, seconds, slack)
	}
	for i := range q.axes {
		x := &q.axes[i]
		gap, rate := x.n.Dot(p)-x.distance, x.n.Dot(w)
		if !(gap > 0) {
			continue
		}
		if rate >= 0 || gap > float64(-rate*seconds) {
			return 0, c, false
		}
		t = max(t, gap/-rate)
	}
	if t > seconds {
		return 0, c, false
	}
	at := p.AddScaled(t, w)
	for i := range q.axes {
		x := &q.axes[i]
		// Rounding of the position must not make a gap of what has been closed.
		if x.n.Dot(w) >= 0 && x.n.Dot(at)-x.distance > 0 {
			return 0, c, false
		}
	}
	c, ok = q.Touch(at, w, tolerance, slack)
	return t, c, ok
}

// roundGap returns the gap of a pair with a radius, and whether its normal is that of a face of b.
func (q *Pair) roundGap(p collide.Vec3) (c Contact, face bool) {
	p = p.Add(collide.Vec3{}) // without negative zeros, which equal zeros
	if q.answered && q.asked == p {
		return q.gap, q.onFace
	}
	q.answered, q.asked = true, p
	q.gap, q.onFace = q.newRoundGap(p)
	return q.gap, q.onFace
}

// newRoundGap is roundGap for another p than that of the last time.
func (q *Pair) newRoundGap(p collide.Vec3) (c Contact, face bool) {
	flipped := q.isFlipped(p)
	if flipped {
		p = p.Neg()
	}
	g := q.separation(p)
	c, face = q.snap(p, Contact{g.Distance, g.Normal})
	if flipped {
		c.Normal = c.Normal.Neg()
	}
	return c, face
}

// isFlipped reports whether a round pair is computed the other way around, so that the result does
// not depend on which is a and which is b.
func (q *Pair) isFlipped(p collide.Vec3) bool {
	if !q.alike {
		return q.flipped
	}
	for _, x := range [3]float64{p.X, p.Y, p.Z} {
		if x != 0 {
			return x < 0
		}
	}
	return false
}

// snap gives a contact the normal of a face, and the gap along it, if it has that normal but for
// rounding.
func (q *Pair) snap(p collide.Vec3, c Contact) (snapped Contact, face bool) {
	for i := range q.axes {
		if x := &q.axes[i]; x.n.Dot(c.Normal) >= 1-snapTilt {
			return Contact{x.n.Dot(p) - x.distance, x.n}, q.admits(x.n)
		}
	}
	return c, false
}

// sweepRound is Sweep for a pair with a radius.
func (q *Pair) sweepRound(
	p, w collide.Vec3, seconds, slack float64,
) (t float64, c Contact, ok bool) {
	flipped := q.isFlipped(p)
	if flipped {
		p, w = p.Neg(), w.Neg()
	}
	hit, outcome := q.cast(p, w, seconds)
	switch outcome {
	case collide.Miss:
		return 0, c, false
	case collide.Overlap:
		g := q.separation(p)
		c = Contact{g.Distance, g.Normal}
	case collide.Hit:
		t, c.Normal = hit.Time, hit.Normal
	}
	face := false
	c, face = q.snap(p.AddScaled(t, w), c)
	ok = -c.Normal.Dot(w) > slack && (face || q.admits(c.Normal))
	if flipped {
		c.Normal = c.Normal.Neg()
	}
	return t, c, ok
}

// separation is collide.Separation, where a is at p relative to b.
func (q *Pair) separation(p collide.Vec3) collide.Gap {
	if q.a == nil {
		return q.separationOf(collide.Sphere{Center: p, Radius: q.radius})
	}
	switch s := q.a.Exact.(type) {
	case collide.Sphere:
		return q.separationOf(collide.Sphere{Center: s.Center.Add(p), Radius: s.Radius})
	case collide.Capsule:
		c := collide.Capsule{A: s.A.Add(p), B: s.B.Add(p), Radius: s.Radius}
		if q.b == nil {
			return collide.Separation(c, q.triangle)
		}
		return collide.Separation(c, q.b.Exact)
	}
	panic(unknownRound)
}

const unknownRound = "convex: unknown round shape"

func (q *Pair) separationOf(s collide.Sphere) collide.Gap {
	if q.b == nil {
		return collide.Separation(s, q.triangle)
	}
	return collide.Separation(s, q.b.Exact)
}

// cast is collide.Sweep, where a is at p relative to b and moves at w.
func (q *Pair) cast(p, w collide.Vec3, seconds float64) (collide.Contact, collide.Outcome) {
	if q.a == nil {
		return q.castOf(collide.Sphere{Center: p, Radius: q.radius}, w, seconds)
	}
	switch s := q.a.Exact.(type) {
	case collide.Sphere:
		return q.castOf(collide.Sphere{Center: s.Center.Add(p), Radius: s.Radius}, w, seconds)
	case collide.Capsule:
		c := collide.Capsule{A: s.A.Add(p), B: s.B.Add(p), Radius: s.Radius}
		if q.b == nil {
			return collide.Sweep(c, w, q.triangle, collide.Vec3{}, seconds)
		}
		return collide.Sweep(c, w, q.b.Exact, collide.Vec3{}, seconds)
	}
	panic(unknownRound)
}

func (q *Pair) castOf(s collide.Sphere, w collide.Vec3, seconds float64) (collide.Contact, collide.Outcome) {
	if q.b == nil {
		return collide.Sweep(s, w, q.triangle, collide.Vec3{}, seconds)
	}
	return collide.Sweep(s, w, q.b.Exact, collide.Vec3{}, seconds)
}
