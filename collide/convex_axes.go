package collide

import "math"

// Two polytopes that don't rotate touch when their projections touch on the last of their
// separating axes: the normals of their faces, and the cross products of an edge of one and an edge
// of the other. On each axis the projections overlap in an interval of time, and the polytopes
// overlap in the intersection of these intervals.

// axisCount returns the number of separating axes.
func (p *pair) axisCount() int {
	return len(p.a.faces) + len(p.b.faces) + len(p.a.directions)*len(p.b.directions)
}

// axisEdges returns the edges of axis k, which is a cross product.
func (p *pair) axisEdges(k int) (ea, eb coreEdge) {
	k -= len(p.a.faces) + len(p.b.faces)
	n := len(p.b.directions)
	return p.a.directions[k/n], p.b.directions[k%n]
}

// axis returns axis k, of any length. It is zero for parallel edges.
func (p *pair) axis(k int) twofold3 {
	switch na := len(p.a.faces); {
	case k < na:
		return p.a.faceNormal(k)
	case k < na+len(p.b.faces):
		return p.b.faceNormal(k - na)
	}
	ea, eb := p.axisEdges(k)
	return p.a.edgeVector(ea).cross(p.b.edgeVector(eb))
}

// axisRounded returns axis k in float64, with an error of at most 2^-43 of its length.
func (p *pair) axisRounded(k int) Vec3 {
	na := len(p.a.faces)
	if k < na+len(p.b.faces) {
		if k < na {
			return p.a.faceNormalRounded(k)
		}
		return p.b.faceNormalRounded(k - na)
	}
	ea, eb := p.axisEdges(k)
	e, g := p.a.edgeVectorRounded(ea), p.b.edgeVectorRounded(eb)
	if n := e.Cross(g); isAccurate(n, e, g) {
		return n
	}
	return p.axis(k).rounded()
}

// isAccurate reports whether n = e×g, computed in float64, has an error of at most 2^-43 of its
// length. Each component has an error of at most 8·2^-53 of |e||g|.
func isAccurate(n, e, g Vec3) bool {
	return n.MaxAbs() >= float64(0x1p-7*(e.MaxAbs()*g.MaxAbs()))
}

// projection is the overlap of the projections on an axis: low is the height of a's lowest corner
// over b's highest, and high the height of a's highest corner over b's lowest. The cores are apart
// where low >= 0 or high <= 0. Both heights change at the given rate.
type projection struct{ low, high, rate twofold }

// projectRounded returns the projection on axis n in float64, and bounds of the errors of its
// heights and of its rate.
func (p *pair) projectRounded(n Vec3) (low, high, rate, err, rateErr float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, q := range p.a.points {
		h := n.Dot(q)
		low, high = min(low, h), max(high, h)
	}
	bottom, top := math.Inf(1), math.Inf(-1)
	for _, q := range p.b.points {
		h := n.Dot(q)
		bottom, top = min(bottom, h), max(top, h)
	}
	at := n.Dot(p.originRounded)
	size := float64(0x1p-42 * n.SumAbs())
	return at + (low - top), at + (high - bottom), n.Dot(p.vRounded),
		float64(size * p.extent), float64(size * p.vRounded.MaxAbs())
}

// project returns the projection on axis n. The given n is the same axis in float64.
func (p *pair) project(n twofold3, rounded Vec3) projection {
	slack := float64(0x1p-46*rounded.SumAbs()) * p.extent
	lowA, highA := extremes(p.a.points, n, rounded, slack)
	lowB, highB := extremes(p.b.points, n, rounded, slack)
	return projection{
		low:  n.dot(p.origin.add(twoDiff3(lowA, highB))),
		high: n.dot(p.origin.add(twoDiff3(highA, lowB))),
		rate: n.dot(p.v),
	}
}

// extremes returns the lowest and the highest of the points along n. Where float64 with the error
// bound slack doesn't decide, twofold arithmetic does.
func extremes(points []Vec3, n twofold3, rounded Vec3, slack float64) (lowest, highest Vec3) {
	lowest, highest = points[0], points[0]
	low := rounded.Dot(lowest)
	high := low
	for _, q := range points[1:] {
		h := rounded.Dot(q)
		if h < low-slack || h <= low+slack && n.dot(twoDiff3(q, lowest)).hi < 0 {
			lowest, low = q, h
		}
		if h > high+slack || h >= high-slack && n.dot(twoDiff3(q, highest)).hi > 0 {
			highest, high = q, h
		}
	}
	return lowest, highest
}

// sweepAxes is the sweep of two cores without radii, at least one of which is solid. The outcome
// Overlap leaves time and normal unset.
func (p *pair) sweepAxes() Outcome {
	// In float64, bounds for the first and the last time of overlap.
	firstLow, lastHigh := math.Inf(-1), math.Inf(1)
	n := p.axisCount()
	for k := range n {
		axis := p.axisRounded(k)
		if axis == (Vec3{}) {
			continue
		}
		low, high, rate, err, rateErr := p.projectRounded(axis)
		if rate > 0 {
			low, high, rate = -high, -low, -rate
		}
		if low > err && rate+rateErr < 0 {
			firstLow = max(firstLow, (low-err)/(rateErr-rate))
		} else if low > err && rate == 0 && rateErr == 0 {
			return Miss
		}
		if rate+rateErr < 0 {
			lastHigh = min(lastHigh, max((high+err)/-(rate+rateErr), 0))
		}
		if firstLow > float64(lastHigh*(1+0x1p-40)) || firstLow > float64(p.limit*(1+0x1p-40)) {
			return Miss
		}
	}
	// Exactly, for the axes that may decide.
	first, last := twofold{math.Inf(-1), 0}, twofold{math.Inf(1), 0}
	for k := range n {
		axis := p.axisRounded(k)
		if axis == (Vec3{}) {
			continue
		}
		low, high, rate, err, rateErr := p.projectRounded(axis)
		if rate > 0 {
			low, high, rate = -high, -low, -rate
		}
		// Axes whose interval begins before another's and ends after it don't decide.
		latest := float64(max(firstLow, first.hi) * (1 + 0x1p-40))
		leave := (min(high, -low) - err) / (rateErr - rate)
		enter := math.Inf(-1)
		certain := low < -err && high > err
		if low > err && rate+rateErr < 0 {
			enter, leave = (low+err)/-(rate+rateErr), (high-err)/(rateErr-rate)
			certain = true
		}
		if certain && leave > max(latest, 0) && (enter < 0 || float64(enter*(1+0x1p-39)) < latest) {
			continue
		}
		exact := p.axis(k)
		j := p.project(exact, axis)
		if j.rate.hi > 0 {
			exact = exact.scaled(-1)
			j = projection{j.high.neg(), j.low.neg(), j.rate.neg()}
		}
		if j.rate.hi == 0 {
			if j.low.hi >= 0 || j.high.hi <= 0 {
				return Miss
			}
			continue
		}
		down := j.rate.neg()
		if begin := j.low.div(down); math.IsInf(first.hi, -1) || begin.sub(first).hi > 0 {
			first = begin
			p.normal, _ = exact.rounded().Normalized()
		}
		if end := j.high.div(down); math.IsInf(last.hi, 1) || end.sub(last).hi < 0 {
			last = end
		}
	}
	switch {
	case first.hi < 0 && last.hi > 0:
		return Overlap
	case first.hi < 0 || !(first.hi <= p.limit):
		return Miss
	case !math.IsInf(last.hi, 1) && first.sub(last).hi >= 0:
		return Miss
	}
	p.time, p.hit = first.hi, true
	return Hit
}

// penetration returns the least depth by which the cores overlap, without radii, and the direction
// in which a has to move to be free. leaves is set if a moves in that direction.
func (p *pair) penetration() (depth float64, normal Vec3, leaves bool) {
	depth = math.Inf(1)
	best, up, opposite := -1, false, 0.0 // opposite: the depth in the other direction
	for k := range p.axisCount() {
		axis := p.axisRounded(k)
		length := axis.Length()
		if length == 0 {
			continue
		}
		low, high, _, _, _ := p.projectRounded(axis)
		// A difference by rounding doesn't decide: the first axis does.
		if d := -low / length; d < float64(depth*(1-0x1p-40)) {
			depth, best, up, opposite = d, k, true, high/length
		}
		if d := high / length; d < float64(depth*(1-0x1p-40)) {
			depth, best, up, opposite = d, k, false, -low/length
		}
	}
	if best < 0 {
		// Both cores are points or parallel segments.
		e := Vec3{}
		for _, c := range [2]*core{&p.a, &p.b} {
			if len(c.edges) > 0 && e == (Vec3{}) {
				e = c.edgeVectorRounded(c.edges[0])
			}
		}
		v := p.vRounded
		if e != (Vec3{}) {
			// Perpendicular to the segment, and against the velocity as far as possible.
			v = e.Cross(v.Cross(e))
			return 0, separationNormal(v.Neg(), perpendicular(e)), false
		}
		return 0, separationNormal(v.Neg(), Vec3{Y: -1}), false
	}
	exact := p.axis(best)
	if !up {
		exact = exact.scaled(-1)
	}
	if depth <= 0 && opposite <= 0 && exact.dot(p.v).hi > 0 {
		exact = exact.scaled(-1) // flat cores that cross have no better side
	}
	normal, _ = exact.rounded().Normalized()
	return max(depth, 0), normal, exact.dot(p.v).hi > 0
}
