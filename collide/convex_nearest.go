package collide

import "math"

// The feature of the set D of a pair that is nearest to the origin, which [Separation] and
// [Overlaps] need.

// nearFeature is the feature of D nearest to the origin, and the vector from its nearest point to
// the origin.
type nearFeature struct {
	pairFeature
	d       Vec3
	squared float64 // of the distance, biased
}

// offer keeps the feature if it is the nearest. Rounding must not make the boundary of a feature
// nearer than its interior, so edges have a bias and faces twice that bias.
func (n *nearFeature) offer(kind featureKind, d Vec3, feature func() pairFeature) {
	bias := 1.0
	switch kind {
	case onFace:
		bias = 1 - 0x1p-46
	case onEdge:
		bias = 1 - 0x1p-47
	}
	if s := float64(bias * d.LengthSquared()); s < n.squared {
		n.pairFeature, n.d, n.squared = feature(), d, s
	}
}

// nearest returns the feature of D nearest to the origin. The corners come first: edges that are
// behind the plane through the nearest point so far need not be looked at.
func (p *pair) nearest() nearFeature {
	best := nearFeature{squared: math.Inf(1)}
	for i := range p.a.points {
		for j := range p.b.points {
			best.offer(onCorner, p.betweenRounded(int32(i), int32(j)), func() pairFeature {
				return pairFeature{kind: onCorner, i: int32(i), j: int32(j)}
			})
		}
	}
	p.nearestFace(&best, false)
	p.nearestFace(&best, true)
	if best.kind == onFace && p.isNearest(best.d) {
		return best
	}
	for i := range p.a.points {
		plane := p.cullingFor(&best, p.a.points[i], p.a.points[i], 1)
		for _, eb := range p.b.edges {
			if !plane.culls(p.b.points[eb.from], p.b.points[eb.to]) {
				p.nearestEdge(&best, false, eb, int32(i))
			}
		}
	}
	for j := range p.b.points {
		plane := p.cullingFor(&best, p.b.points[j], p.b.points[j], -1)
		for _, ea := range p.a.edges {
			if !plane.culls(p.a.points[ea.from], p.a.points[ea.to]) {
				p.nearestEdge(&best, true, ea, int32(j))
			}
		}
	}
	for _, ea := range p.a.edges {
		plane := p.cullingFor(&best, p.a.points[ea.from], p.a.points[ea.to], 1)
		for _, eb := range p.b.edges {
			if plane.culls(p.b.points[eb.from], p.b.points[eb.to]) {
				continue
			}
			d, e, g := p.betweenRounded(ea.from, eb.from), p.a.edgeVectorRounded(ea).Neg(), p.b.edgeVectorRounded(eb)
			n := e.Cross(g)
			if !isAccurate(n, e, g) {
				n = p.a.edgeVector(ea).cross(p.b.edgeVector(eb)).rounded().Neg()
			}
			nn := n.Dot(n)
			if s, t := n.Dot(d.Cross(g)), n.Dot(e.Cross(d)); nn > 0 && s > 0 && s < nn && t > 0 && t < nn {
				best.offer(onFace, n.Scale(n.Dot(d)/nn), func() pairFeature {
					return pairFeature{
						kind: onFace, i: ea.from, j: eb.from, normal: p.a.edgeVector(ea).cross(p.b.edgeVector(eb)),
					}
				})
			}
		}
	}
	return best
}

// isNearest reports whether all of D lies behind the plane through a point of it, perpendicular to
// the vector d from there to the origin, but for rounding. Then no point of D is nearer.
func (p *pair) isNearest(d Vec3) bool {
	n, ok := d.Normalized()
	return ok && n.Dot(p.originRounded)+p.gapOfCores(n) >= d.Length()-float64(0x1p-46*p.extent)
}

// culling is the plane through the nearest point so far, perpendicular to the vector from there to
// the origin, as the points of one shape see it, for a corner or an edge of the other one. Features
// of points behind it are farther from the origin.
type culling struct {
	d     Vec3
	limit float64 // points with a smaller product with d are behind the plane
}

// cullingFor returns that for the corners q and r of a, with sign 1, or of b, with sign -1.
func (p *pair) cullingFor(best *nearFeature, q, r Vec3, sign float64) culling {
	d := best.d.Scale(sign)
	low := float64(sign*p.originRounded.Dot(d)) + min(d.Dot(q), d.Dot(r))
	slack := float64(0x1p-40 * best.d.SumAbs() * p.extent)
	return culling{d: d, limit: low - best.d.LengthSquared() - slack}
}

// culls reports whether the edge from q to r is behind the plane, by more than rounding.
func (c *culling) culls(q, r Vec3) bool { return max(c.d.Dot(q), c.d.Dot(r)) < c.limit }

// nearestEdge offers the interior of the feature of an edge and a corner.
func (p *pair) nearestEdge(best *nearFeature, ofA bool, edge coreEdge, corner int32) {
	var d, e Vec3
	if ofA {
		d, e = p.betweenRounded(edge.from, corner), p.a.edgeVectorRounded(edge).Neg()
	} else {
		d, e = p.betweenRounded(corner, edge.from), p.b.edgeVectorRounded(edge)
	}
	if s, ee := d.Dot(e), e.Dot(e); s > 0 && s < ee {
		best.offer(onEdge, d.AddScaled(-s/ee, e), func() pairFeature { return p.edgeFeature(ofA, edge, corner) })
	}
}

// nearestFace offers the features of the faces of a or of b.
func (p *pair) nearestFace(best *nearFeature, ofA bool) {
	of, other := &p.b, &p.a
	if ofA {
		of, other = other, of
	}
	for f := range of.faces {
		n := of.faceNormalRounded(f)
		nn := n.Dot(n)
		if nn == 0 {
			continue
		}
		for c := range other.points {
			d := p.fromFace(ofA, f, int32(c))
			height := n.Dot(d)
			if ofA {
				height = -height
			}
			if of.solid() && height < 0 || float64(height*height) > float64(best.squared*nn)*(1+0x1p-30) ||
				!of.covers(f, n, d, ofA, 0) {
				continue
			}
			best.offer(onFace, n.Scale(n.Dot(d)/nn), func() pairFeature { return p.faceFeature(ofA, f, int32(c)) })
		}
	}
}

// fromFace returns the position of the origin relative to the first corner of the feature of a
// face.
func (p *pair) fromFace(ofA bool, f int, corner int32) Vec3 {
	if ofA {
		return p.betweenRounded(p.a.faces[f].corners[0], corner)
	}
	return p.betweenRounded(corner, p.b.faces[f].corners[0])
}

// separates reports whether all of D lies behind the plane through the nearest point,
// perpendicular to d. Then the origin is outside of D. If it is inside, some of D is in front of
// the plane through the origin, so what lies between the two planes decides nothing.
func (p *pair) separates(near *nearFeature) bool {
	n, ok := near.d.Normalized()
	distance := near.d.Length()
	if !ok || distance <= float64(0x1p-44*p.extent) {
		return false
	}
	if p.isBehind(n, distance) {
		return true
	}
	// Rounding turns a short d by much.
	return distance < float64(0x1p-16*p.extent) && p.isBehind(p.direction(near), distance)
}

// gapOfCores returns how far the lowest point of a's core along n would be above the highest of b's
// core if both had the same origin.
func (p *pair) gapOfCores(n Vec3) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range p.a.points {
		low = min(low, n.Dot(q))
	}
	for _, q := range p.b.points {
		high = max(high, n.Dot(q))
	}
	return low - high
}

// isBehind reports whether all of D is farther along -n than half the distance.
func (p *pair) isBehind(n Vec3, distance float64) bool {
	return n.Dot(p.originRounded)+p.gapOfCores(n) >= float64(0.5*distance)
}

// direction returns the direction of d, as a unit vector, from the feature in twofold arithmetic.
func (p *pair) direction(near *nearFeature) Vec3 {
	d := p.between(near.i, near.j)
	switch near.kind {
	case onFace:
		d = near.normal
		if near.d.Dot(d.rounded()) < 0 {
			d = d.scaled(-1)
		}
	case onEdge:
		e := near.e.scaled(inverseScale(near.e))
		d = e.cross(d).cross(e)
	}
	n, _ := d.rounded().Normalized()
	return n
}
