package collide

// Separation for spheres, capsules and segments: the cores are points and segments, whose nearest
// points are found directly (C. Ericson, Real-Time Collision Detection, 2005, section 5.1.9).

// roundSegment is a segment, or a point if both ends are the same, grown by a radius.
type roundSegment struct {
	from, to Vec3
	radius   float64
}

// roundSegmentOf returns a sphere, a capsule or a segment as a roundSegment.
func roundSegmentOf(c Convex) (roundSegment, bool) {
	switch c := c.(type) {
	case Sphere:
		return roundSegment{c.Center, c.Center, c.Radius}, true
	case Capsule:
		return roundSegment{c.A, c.B, c.Radius}, true
	case Segment:
		return roundSegment{c.A, c.B, 0}, true
	}
	return roundSegment{}, false
}

// separationOfRoundSegments is Separation for two round segments. It returns false for other shapes
// and for invalid input, and where rounding matters: where the cores are so close that the
// direction between them is rounding, or cross at an angle of less than half a degree.
func separationOfRoundSegments(a, b Convex) (g Gap, ok bool) {
	p, isA := roundSegmentOf(a)
	q, isB := roundSegmentOf(b)
	if !isA || !isB {
		return g, false
	}
	e, f, d := p.to.Sub(p.from), q.to.Sub(q.from), p.from.Sub(q.from)
	extent, radius := max(d.MaxAbs(), e.MaxAbs(), f.MaxAbs()), p.radius+q.radius
	if !(extent > 0x1p-60 && extent < 0x1p60 && p.from.MaxAbs() < 0x1p60 && q.from.MaxAbs() < 0x1p60 &&
		p.radius >= 0 && q.radius >= 0 && radius < 0x1p60) {
		return g, false
	}
	// The vector from b's nearest point to a's, and where that is on a.
	var between Vec3
	var at float64
	n := e.Cross(f)
	ee, ff, nn := e.LengthSquared(), f.LengthSquared(), n.LengthSquared()
	parallel, inner := nn == 0 && ee > 0 && ff > 0, false
	if nn > 0 {
		if !isAccurate(n, e, f) || nn < 0x1p-900 {
			return g, false
		}
		if s, t := n.Dot(f.Cross(d)), n.Dot(e.Cross(d)); s > 0 && s < nn && t > 0 && t < nn {
			inner, at = true, s/nn
			between = d.AddScaled(at, e).AddScaled(-t/nn, f)
			g.Normal = n.Scale(n.Dot(d))
		}
	}
	if !inner {
		// At least one of the nearest points is an end.
		least := -1.0
		offer := func(v Vec3, s float64) {
			if l := v.LengthSquared(); least < 0 || l < least {
				between, at, least = v, s, l
			}
		}
		fraction := func(end, edge Vec3, squared float64) float64 {
			if squared == 0 {
				return 0
			}
			return max(0, min(1, end.Dot(edge)/squared))
		}
		endOfA, endOfB := d.Add(e), d.Sub(f)
		s, t := fraction(d.Neg(), e, ee), fraction(endOfB.Neg(), e, ee)
		offer(d.AddScaled(s, e), s)
		offer(endOfB.AddScaled(t, e), t)
		offer(d.AddScaled(-fraction(d, f, ff), f), 0)
		offer(endOfA.AddScaled(-fraction(endOfA, f, ff), f), 1)
		g.Normal = between
		// Of parallel ones, the middle of what lies side by side counts.
		if parallel && s != t {
			at = (s + t) / 2
		}
	}
	distance := between.Length()
	if g.Normal, ok = g.Normal.Normalized(); !ok || distance < float64(0x1p-24*extent) {
		return Gap{}, false
	}
	g.Distance, g.Normal = distance-radius, g.Normal.Add(Vec3{}) // without negative zeros
	g.PointA = p.from.AddScaled(at, e).AddScaled(-p.radius, g.Normal)
	g.PointB = g.PointA.AddScaled(-g.Distance, g.Normal)
	return g, true
}
