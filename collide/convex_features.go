package collide

import "math"

// A sphere touches the set D of a pair first at one of D's features: a corner, an edge or a face.
// All combinations of a corner, an edge or a face of a with one of b are tested that may form such
// a feature. Those that lie inside D do no harm, because the sphere meets D's boundary before.

// pairFeature is a feature of D, given by a corner of it and up to two directions.
type pairFeature struct {
	kind   featureKind
	i, j   int32    // the corners of a and of b that form the corner of D
	e      twofold3 // of an edge: the direction
	normal twofold3 // of a face: its normal, of any length
}

// edgeFeature returns the feature of D that the edge e of a or of b forms with a corner of the
// other.
func (p *pair) edgeFeature(ofA bool, e coreEdge, corner int32) pairFeature {
	if ofA {
		return pairFeature{kind: onEdge, i: e.from, j: corner, e: p.a.edgeVector(e).scaled(-1)}
	}
	return pairFeature{kind: onEdge, i: corner, j: e.from, e: p.b.edgeVector(e)}
}

// faceFeature returns the feature of D that face f of a or of b forms with a corner of the other.
func (p *pair) faceFeature(ofA bool, f int, corner int32) pairFeature {
	if ofA {
		return pairFeature{
			kind: onFace, i: p.a.faces[f].corners[0], j: corner, normal: p.a.faceNormal(f).scaled(-1),
		}
	}
	return pairFeature{kind: onFace, i: corner, j: p.b.faces[f].corners[0], normal: p.b.faceNormal(f)}
}

// faceNormalRounded is faceNormal in float64, with an error of at most 2^-43 of its length.
func (c *core) faceNormalRounded(f int) Vec3 {
	if c.solid() {
		at := c.faces[f].corners
		e, g := c.points[at[1]].Sub(c.points[at[0]]), c.points[at[2]].Sub(c.points[at[0]])
		if n := e.Cross(g); isAccurate(n, e, g) {
			return n
		}
	}
	return c.faceNormal(f).rounded()
}

// covers reports whether the projection of d, given relative to the face's first corner, lies in
// face f with normal n, or at most slack times the length of an edge and of n outside of that edge.
// If mirrored is set, the face is reflected in its first corner, as faces of a are in D.
func (c *core) covers(f int, n, d Vec3, mirrored bool, slack float64) bool {
	if mirrored {
		d = d.Neg()
	}
	corners := c.faces[f].corners
	first := c.points[corners[0]]
	from := c.points[corners[len(corners)-1]]
	for _, k := range corners {
		to := c.points[k]
		e := to.Sub(from)
		if n.Dot(e.Cross(d.Sub(from.Sub(first)))) < -float64(slack*e.MaxAbs())*n.MaxAbs() {
			return false
		}
		from = to
	}
	return true
}

// approach returns the rate of change of the distance to a feature, and the excess of the squared
// distance over r², both with a positive factor. For a face they are those of the distance.
func (p *pair) approach(f *pairFeature) (rate, excess twofold) {
	d := p.between(f.i, f.j)
	switch f.kind {
	case onEdge:
		e := f.e.scaled(inverseScale(f.e))
		m, w := d.cross(e), p.v.cross(e)
		return m.dot(w), m.dot(m).sub(p.r.mul(p.r).mul(e.dot(e)))
	case onCorner:
		return d.dot(p.v), d.dot(d).sub(p.r.mul(p.r))
	}
	n := f.normal.scaled(inverseScale(f.normal))
	height, rate := n.dot(d), n.dot(p.v)
	if height.hi < 0 {
		height, rate = height.neg(), rate.neg()
	}
	return rate, height.sub(p.r.mul(n.dot(n).sqrt()))
}

// inverseScale returns the power of two that scales v to a length of about 1, so that products of
// several lengths neither overflow nor underflow.
func inverseScale(v twofold3) float64 {
	_, exponent := math.Frexp(v.rounded().MaxAbs())
	return math.Ldexp(1, -exponent)
}

// sweepFeatures is the sweep of a pair whose cores aren't solid, or whose radii aren't 0.
func (p *pair) sweepFeatures() Outcome {
	near := p.nearest()
	if !p.separates(&near) {
		if !(p.r.hi > 0) {
			return Miss
		}
		_, normal, leaves := p.penetration()
		if leaves {
			return Miss
		}
		p.normal = normal
		return Overlap
	}
	if p.surelyMisses(near.d) {
		return Miss
	}
	switch rate, excess := p.approach(&near.pairFeature); {
	case rate.hi > 0:
		return Miss
	case excess.hi < 0:
		p.normal, _ = near.d.Normalized()
		return Overlap
	case rate.hi == 0:
		return Miss
	case excess.hi == 0:
		p.normal, _ = near.d.Normalized()
		return Hit
	}
	p.sweepFaces(false)
	if p.hit && len(p.a.points) == 1 && p.b.solid() {
		return Hit // the face bounds D, so nothing is hit before
	}
	p.sweepFaces(true)
	p.sweepEdgePairs()
	for i := range p.a.points {
		for _, eb := range p.b.edges {
			p.sweepEdge(int32(i), eb.from, p.b.edgeVectorRounded(eb), func() twofold3 { return p.b.edgeVector(eb) })
		}
	}
	for j := range p.b.points {
		for _, ea := range p.a.edges {
			p.sweepEdge(ea.from, int32(j), p.a.edgeVectorRounded(ea).Neg(),
				func() twofold3 { return p.a.edgeVector(ea).scaled(-1) })
		}
	}
	for i := range p.a.points {
		for j := range p.b.points {
			p.sweepCorner(int32(i), int32(j))
		}
	}
	p.takeInner()
	if p.hit {
		return Hit
	}
	return Miss
}

// surelyMisses is the test of flatSweep.surelyMisses: D lies behind the plane through its point
// nearest to the origin.
func (p *pair) surelyMisses(d Vec3) bool {
	extent := p.extent + p.rRounded
	slack := float64(8 * termError * extent)
	gap := d.LengthSquared() - float64(p.rRounded*p.rRounded) - float64(8*slack*extent)
	rate := d.Dot(p.vRounded) - float64(4*slack*p.vRounded.MaxAbs())
	return gap > 0 && (rate >= 0 || gap > float64(-2*rate*p.limit))
}

// end is the time after which a contact is of no use.
func (p *pair) end() float64 {
	if p.hit {
		return p.time
	}
	return p.limit
}

// keep keeps the contact if it is the earliest.
func (p *pair) keep(t float64, normal Vec3) {
	c := &p.inner
	switch {
	case p.hit && !(t < p.time):
	case p.isInner(t, normal):
		if t <= p.limit && (!c.hit || t < c.time) {
			c.time, c.normal, c.hit = t, normal, true
		}
	case t <= p.limit:
		p.time, p.normal, p.hit = t, normal, true
	case c.late == 0 || t < c.late:
		c.late = t
	}
}

const (
	// innerDepth is how much of D, as a fraction of its size, is in front of a contact with a
	// feature inside of it. Normals are far more precise, but for those of balls that are tiny
	// beside the cores. With a smaller value, a contact of these might count as inside.
	innerDepth = 0x1p-10

	// innerSlack is the way, as a fraction of the size, within which two contacts are at the same
	// time: 256 times faceSlack.
	innerSlack = 0x1p-40
)

// isInner reports whether a contact with a unit normal at a time is one with a feature inside of D:
// much of D is in front of the plane through it.
func (p *pair) isInner(t float64, n Vec3) bool {
	gap := n.Dot(p.originRounded.AddScaled(t, p.vRounded)) + p.gapOfCores(n) - p.rRounded
	return gap < -float64(innerDepth*(p.extent+p.rRounded))
}

// takeInner takes the contact with a feature inside of D if there is no other one at that time, up
// to rounding.
func (p *pair) takeInner() {
	c := &p.inner
	border := math.Inf(1) // when that is touched
	if p.hit {
		border = p.time
	} else if c.late > 0 {
		border = c.late
	}
	if c.hit && float64((border-c.time)*p.vRounded.MaxAbs()) > float64(innerSlack*p.extent) {
		p.time, p.normal, p.hit = c.time, c.normal, true
	}
}

// sweepFaces tests for contacts with the features of the faces of a or of b.
func (p *pair) sweepFaces(ofA bool) {
	of, other := &p.b, &p.a
	if ofA {
		of, other = other, of
	}
	slack := p.faceSlack()
	for f := range of.faces {
		n := of.faceNormalRounded(f)
		length := n.Length()
		if length == 0 {
			continue
		}
		rate := n.Dot(p.vRounded)
		outward := rate < 0 != ofA // moves against the outward normal
		if of.solid() && !outward {
			continue // an approach with a rate of about 0 hits an edge at the same time
		}
		for c := range other.points {
			d := p.fromFace(ofA, f, int32(c))
			t, off, ok := p.faceTime(n, d, length, rate)
			if !ok || !of.covers(f, n, d.AddScaled(t, p.vRounded), ofA, slack+off) {
				continue
			}
			feature := p.faceFeature(ofA, f, int32(c))
			t, normal, ok := p.faceContact(&feature)
			if ok && of.covers(f, n, d.AddScaled(t, p.vRounded), ofA, slack) {
				p.keep(t, normal)
			}
		}
	}
}

// faceSlack is how far beside a face of D a contact may be seen by rounding, in metres.
func (p *pair) faceSlack() float64 { return float64(0x1p-48 * p.extent) }

// faceTime returns in float64 when the sphere touches the plane of a face, and how far the sphere
// may be from where it is then, in metres, because the time is rounded. It is false if the time is
// certainly too late, or in the past.
func (p *pair) faceTime(n, d Vec3, length, rate float64) (t, off float64, ok bool) {
	height := n.Dot(d)
	if height < 0 {
		height, rate = -height, -rate
	}
	slack := float64(16 * termError * float64(length*(p.extent+p.rRounded)))
	gap := height - float64(length*p.rRounded)
	if rate >= 0 || gap < -slack {
		return 0, 0, false
	}
	t, off = max(gap, 0)/-rate, float64(slack/-rate*p.vRounded.MaxAbs())
	return t, off, gap-slack <= float64(-rate*float64(p.end()*(1+0x1p-40)))
}

// faceContact returns the time and the normal of the contact with the plane of a face. It is false
// if the sphere recedes from the plane, or has reached it before.
func (p *pair) faceContact(f *pairFeature) (t float64, normal Vec3, ok bool) {
	n := f.normal.scaled(inverseScale(f.normal))
	height, rate := n.dot(p.between(f.i, f.j)), n.dot(p.v)
	normal, _ = n.rounded().Normalized()
	if height.hi < 0 {
		height, rate, normal = height.neg(), rate.neg(), normal.Neg()
	}
	gap := height.sub(p.r.mul(n.dot(n).sqrt()))
	if rate.hi >= 0 || gap.hi < 0 {
		return 0, normal, false
	}
	return gap.div(rate.neg()).hi, normal, true
}

// sweepEdgePairs tests for contacts with the faces of D that an edge of a and one of b form.
func (p *pair) sweepEdgePairs() {
	slack := p.faceSlack()
	for _, ea := range p.a.edges {
		e := p.a.edgeVectorRounded(ea).Neg()
		for _, eb := range p.b.edges {
			g := p.b.edgeVectorRounded(eb)
			n := e.Cross(g)
			if !isAccurate(n, e, g) {
				n = p.a.edgeVector(ea).cross(p.b.edgeVector(eb)).rounded().Neg()
			}
			length := n.Length()
			d := p.betweenRounded(ea.from, eb.from)
			t, off, ok := p.faceTime(n, d, length, n.Dot(p.vRounded))
			if !ok || !isInParallelogram(n, e, g, d.AddScaled(t, p.vRounded), slack+off) {
				continue
			}
			feature := pairFeature{
				kind: onFace, i: ea.from, j: eb.from,
				normal: p.a.edgeVector(ea).cross(p.b.edgeVector(eb)),
			}
			t, normal, ok := p.faceContact(&feature)
			if ok && isInParallelogram(n, e, g, d.AddScaled(t, p.vRounded), slack) {
				p.keep(t, normal)
			}
		}
	}
}

// isInParallelogram reports whether the projection of q lies in the parallelogram with the edges e
// and g from the origin and the normal n = e×g, or at most slack metres beside it.
func isInParallelogram(n, e, g, q Vec3, slack float64) bool {
	nn, off := n.Dot(n), float64(slack*n.Length())
	x, y := n.Dot(q.Cross(g)), n.Dot(e.Cross(q))
	se, sg := float64(off*g.MaxAbs()), float64(off*e.MaxAbs())
	return x >= -se && x <= nn+se && y >= -sg && y <= nn+sg
}

// sweepEdge tests for a contact with an edge of D, without its ends, that starts at the corner of
// a's corner i and b's corner j.
func (p *pair) sweepEdge(i, j int32, e Vec3, exact func() twofold3) {
	// In float64, for a rejection, as in flatSweep.surelyMissesEdge.
	d := p.betweenRounded(i, j)
	scale := e.MaxAbs()
	if scale == 0 {
		return
	}
	e = Vec3{e.X / scale, e.Y / scale, e.Z / scale}
	m, w := d.Cross(e), p.vRounded.Cross(e)
	vv, rr, xx := p.vRounded.Dot(p.vRounded), float64(p.rRounded*p.rRounded), float64(p.extent*p.extent)
	const slack = 64 * termError
	rate, rateSlack := m.Dot(w), float64(slack*math.Sqrt(float64(xx*vv)))
	if rate > rateSlack {
		return
	}
	// The contact isn't before gap/(-2 rate): the squared distance is at least gap + 2·rate·t.
	gap := m.Dot(m) - float64(rr*e.Dot(e))
	if gap-float64(slack*(xx+rr)) > float64(2*(rateSlack-rate)*p.end()) {
		return // is still apart at the end
	}
	k := e.Dot(d.Cross(p.vRounded))
	if float64(w.Dot(w)*rr)-float64(k*k) < -float64(slack*float64(vv*(xx+rr))) {
		return
	}
	if passesEdge(d, p.vRounded, e, float64(e.Dot(e)*scale), p.rRounded, p.end(), p.extent) {
		return
	}
	t, normal, ok := sweepLine(p.between(i, j), p.v, exact(), p.r)
	if !ok || !(t <= p.end()) {
		return
	}
	q := d.AddScaled(t, p.vRounded)
	if at, ee := q.Dot(e), float64(e.Dot(e)*scale); at >= 0 && at <= ee {
		p.keep(t, normal)
	}
}

// passesEdge reports in float64 whether a sphere of radius r that starts at d and moves at v surely
// doesn't touch an edge by the end: it is beside the edge at both times, or apart from its line at
// the end and still approaching it. The edge goes from the origin along e to a product with e of
// length. size bounds the coordinates from which d was computed.
func passesEdge(d, v, e Vec3, length, r, end, size float64) bool {
	way := v.Scale(end)
	last := d.Add(way)
	size += way.MaxAbs()
	from, to, off := e.Dot(d), e.Dot(last), float64(0x1p-46*float64(e.SumAbs()*size))
	if max(from, to) < -off || min(from, to) > length+off {
		return true
	}
	m, w := last.Cross(e), v.Cross(e)
	rr, xx := float64(r*r), float64(size*size)
	slack := float64(64 * termError * e.Dot(e))
	return m.Dot(w) < -float64(slack*math.Sqrt(float64(xx*v.Dot(v)))) &&
		m.Dot(m)-float64(rr*e.Dot(e)) > float64(slack*(xx+rr))
}

// sweepLine returns when a sphere of radius r at p, moving at v, touches the line through the
// origin along e. It is false if it recedes, overlaps, or misses.
func sweepLine(p, v, e twofold3, r twofold) (t float64, normal Vec3, ok bool) {
	e = e.scaled(inverseScale(e))
	m, w := p.cross(e), v.cross(e)
	ee := e.dot(e)
	rr := r.mul(r).mul(ee)
	b, c := m.dot(w), m.dot(m).sub(rr)
	if b.hi >= 0 || c.hi < 0 || w.rounded().MaxAbs() < minSpeed {
		return 0, Vec3{}, false
	}
	// The formulas of flatSweep.edge.
	k := e.dot(p.cross(v))
	disc := w.dot(w).mul(rr).sub(ee.mul(k.mul(k)))
	noise := math.Sqrt(float64(p.dot(p).hi * v.dot(v).hi))
	noise = float64(float64(ee.hi*math.Abs(k.hi)) * float64(math.Sqrt(ee.hi)*noise))
	if c.hi > 0 && disc.hi < -float64(cancelTolerance*(float64(w.dot(w).hi*rr.hi)+noise)) {
		return 0, Vec3{}, false
	}
	root := disc.sqrt()
	t = c.div(root.sub(b)).hi
	across := e.cross(w).rounded()
	normal = w.rounded().Scale(float64(k.hi*ee.hi)).AddScaled(-root.hi, across)
	if c.hi == 0 {
		normal = e.cross(m).rounded()
	}
	return t, separationNormal(normal, across), true
}

// sweepCorner tests for a contact with the corner of D of a's corner i and b's corner j.
func (p *pair) sweepCorner(i, j int32) {
	d := p.betweenRounded(i, j)
	vv, rr, xx := p.vRounded.Dot(p.vRounded), float64(p.rRounded*p.rRounded), float64(p.extent*p.extent)
	const slack = 64 * termError
	rate, rateSlack := d.Dot(p.vRounded), float64(slack*math.Sqrt(float64(xx*vv)))
	if rate > rateSlack || d.Dot(d)-rr-float64(slack*(xx+rr)) > float64(2*(rateSlack-rate)*p.end()) {
		return // recedes, or is still apart at the end
	}
	n := d.Cross(p.vRounded)
	if float64(vv*rr)-n.Dot(n) < -float64(slack*float64(vv*(xx+rr))) {
		return
	}
	if t, normal, outcome := sweepPoint(p.between(i, j), p.v, p.r, math.Inf(1)); outcome == Hit {
		p.keep(t, normal)
	}
}
