package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Convex shapes other than spheres against surfaces that rotate: the first impact is found by
// steps for which a plane surely separates the two.

// obstacle is a surface that can rotate, or one facet of it: convex, but for planes.
type obstacle struct {
	f     *Surface
	facet collide.Facet
	alone bool // it is the facet
}

// localGap returns the gap between a convex shape and the obstacle, in the frame of the surface. It
// returns false where neighbours of a facet have that contact.
func (o *obstacle) localGap(shape collide.Placed) (g collide.Gap, ok bool) {
	if !o.alone {
		r := &o.f.turned.resting
		return r.Gap(shape, 0)
	}
	c := o.facet.Corners()
	g = collide.Separation(shape, collide.Triangle{A: c[0], B: c[1], C: c[2]})
	return g, o.facet.AdmitsNormal(g.Normal)
}

// fromGapFrame returns a gap in the frame of a surface in the world.
func fromGapFrame(g collide.Gap, q collide.Quat, origin collide.Vec3) collide.Gap {
	g.Normal = q.Rotate(g.Normal)
	g.PointA, g.PointB = q.Rotate(g.PointA).Add(origin), q.Rotate(g.PointB).Add(origin)
	return g
}

// gapTurning is TouchOfShape for surface or facet k, which can rotate.
func (w *Set) gapTurning(m *Mover, k int32, t float64) (gap float64, n collide.Vec3, ok bool) {
	o := obstacle{f: w.At(k)}
	if !IsFacet(k) {
		return m.gapTo(&o, t)
	}
	w.withFacet(k, func(_ *Surface, facet collide.Facet) {
		o.facet, o.alone = facet, true
		gap, n, ok = m.gapTo(&o, t)
	})
	return gap, n, ok
}

// gapTo is gap without the points.
func (m *Mover) gapTo(o *obstacle, t float64) (gap float64, n collide.Vec3, ok bool) {
	g, ok := m.gap(o, t)
	return g.Distance, g.Normal, ok
}

// gapOf returns the gap between the mover and an obstacle at time t: see obstacle.localGap.
func (m *Mover) gapOf(o *obstacle, t float64) (g collide.Gap, ok bool) {
	placed, q, origin := o.f.placedIn(collide.NewPlaced(m.Shape.Exact, m.at(t), collide.Quat{}), t)
	g, ok = m.Gaps.localGap(m, o, placed)
	return fromGapFrame(g, q, origin), ok
}

// gap is gapOf for contacts. How deep it is in a facet counts along the normals that the
// facet has itself, if any: what comes into both faces of a concave edge leaves each most easily
// through the other. That contact is not a neighbour's, so gap returns true then.
func (m *Mover) gap(o *obstacle, t float64) (g collide.Gap, ok bool) {
	if g, ok = m.gapOf(o, t); ok || !o.alone || g.Distance >= 0 {
		return g, ok
	}
	p := m.at(t).Sub(m.setTurnedFacet(o, t))
	c, own := m.pair.Own(p)
	if own {
		g.Distance, g.Normal = c.Gap, c.Normal
	}
	return g, own
}

// GapLater returns the gap of a mover to surface or facet k, which can rotate, at time t, and the
// normal. The two had a contact along n at time from.
//
// As they move, the shortest way out of a facet may come to be a neighbour's. The axes that the
// facet has itself can be far from n then, and the mover deep along all of them. But n, which turns
// with the facet, is one of its normals at any time.
func (w *Set) GapLater(m *Mover, k int32, n collide.Vec3, from, t float64) (gap float64, normal collide.Vec3) {
	o := obstacle{f: w.At(k)}
	if IsFacet(k) {
		w.withFacet(k, func(_ *Surface, facet collide.Facet) { o.facet, o.alone = facet, true })
	}
	lower, ok := m.gapAlong(&o, n, from, t)
	rounding := float64(lowerRounding * (m.at(t).SumAbs() + m.Shape.Bound))
	if ok && lower.Distance >= -rounding { // most often, and what touches has a gap of rounding
		return max(0, lower.Distance), lower.Normal
	}
	gap, normal, _ = m.gapTo(&o, t)
	if o.alone && lower.Distance > gap {
		return lower.Distance, lower.Normal
	}
	return gap, normal
}

// gapAlong returns the gap of the mover to an obstacle at time t along n, the normal at time from,
// which turns with the obstacle. It is at most their gap, and takes far less time. The points are
// on the planes across n that touch the two. It returns false for a plane.
func (m *Mover) gapAlong(o *obstacle, n collide.Vec3, from, t float64) (g collide.Gap, ok bool) {
	if o.f.Kind() == Plane {
		return g, false
	}
	before, _ := o.f.pose(from)
	q, origin := o.f.pose(t)
	n = inverse(before).Rotate(n) // in the frame of the obstacle
	top := math.Inf(-1)
	if o.alone {
		for _, c := range o.facet.Corners() {
			top = max(top, n.Dot(c))
		}
	} else {
		shape := o.f.convexShape()
		_, top = shape.Extent(n)
		top += shape.Radius
	}
	n, x := q.Rotate(n), m.at(t)
	low, _ := m.Shape.Extent(n)
	low -= m.Shape.Radius
	g.Distance, g.Normal = n.Dot(x.Sub(origin))+low-top, n
	g.PointA, g.PointB = x.AddScaled(low, n), origin.AddScaled(top, n)
	return g, true
}

const (
	// lowerRounding is the rounding of a gap along a normal, as a fraction of the coordinates. With
	// less, what rests on something that rotates takes up to twice as long.
	lowerRounding = 0x1p-50

	// maxAdvances bounds the steps by which a shape advances to its impact with a surface that
	// rotates: each comes a good part nearer. After half of them the gap at which the two touch
	// doubles with each step. With fewer, impacts where the two come near slowly are less exact.
	maxAdvances = 64

	// bendShare is how much of the acceleration by a steady rotation counts: within a step the rate
	// varies by up to 0.3 %, which takes a tenth more. With less, impacts could be missed; with
	// more, the search takes more steps.
	bendShare = 1.25

	// turningReach is the gap to a surface that rotates at which a shape touches it, as a fraction
	// of its size. With less, an impact takes more steps.
	turningReach = 0x1p-32

	// turningParts is into how many parts the search for an impact divides the time in which a
	// mover touches a surface that rotates, and its square that in which it is near it. With less,
	// the mover could come into it in between; with more, what rests on a turntable takes longer.
	turningParts = 16

	// timeDigits is how often the time in which an impact lies is halved: until it is rounding.
	timeDigits = 40
)

// firstTurning is FirstOfShape for a surface that can rotate. Each facet is an obstacle of its own:
// what touches a floor all the way would not find the wall that it comes to.
func (w *Set) firstTurning(
	m *Mover, k int32, now, depth float64, meets func(k int32) bool, inside func(k int32),
	take func(next impact, k int32),
) {
	f := &w.surfaces[k]
	if !f.HasFacets() {
		o := obstacle{f: f}
		if depth < math.MaxFloat64 {
			m.depthIn(&o, k, now, depth, inside)
		}
		w.firstOfObstacle(m, &o, k, now, meets, take)
		return
	}
	deep := 0.0
	f.eachFacetAt(nil, f.toLocal(m.at(now), now), m.Shape.Bound+f.margin, func(t collide.Facet) {
		o := obstacle{f: f, facet: t, alone: true}
		deep = max(deep, m.depthIn(&o, f.facets+int32(t.ID()), now, depth, inside))
	})
	// Within a step, what touches one facet all the way may be in it by as much as an arc is off
	// its chord, and comes over the edge of the next one so deep. It must not count as coming into
	// that.
	if deep > m.Tolerance {
		_, bend := m.motion(f, now, w.seconds)
		interval := w.seconds / 2 // the longest between times at which a push keeps it clear
		m.sag = min(deep, float64(bend*float64(interval*interval))/8)
		defer func() { m.sag = 0 }()
	}
	ball := collide.Sphere{Center: m.X, Radius: m.Shape.Bound + m.Tolerance}
	frame := f.frameFrom(now, w.seconds)
	within := frame.Within(ball, m.V, now, w.seconds)
	f.eachFacetAt(nil, within.Center, within.Radius+f.margin, func(t collide.Facet) {
		q := f.facets + int32(t.ID())
		w.firstOfObstacle(m, &obstacle{f: f, facet: t, alone: true}, q, now, meets, take)
	})
}

// depthIn returns how deep the mover is in o, surface or facet k, at time t, and 0 where that is
// not deep along its own normals. It calls inside if that is more than depth.
func (m *Mover) depthIn(o *obstacle, k int32, t, depth float64, inside func(k int32)) float64 {
	gap, _, own := m.gapTo(o, t)
	if !own {
		return 0
	}
	if gap < -depth {
		inside(k)
		m.Inside = true
	}
	return max(0, -gap)
}

// firstOfObstacle is firstTurning for one obstacle, surface or facet k. The shape advances by the
// time in which the two can't touch, until they do (conservative advancement).
func (w *Set) firstOfObstacle(
	m *Mover, o *obstacle, k int32, now float64, meets func(k int32) bool, take func(next impact, k int32),
) {
	f := o.f
	if !meets(k) {
		return
	}
	deep := 0.0 // how deep it is, and may stay
	if m.Inside {
		// What is in it by less than the tolerance was put into something else.
		if gap, _, _ := m.gapTo(o, now); gap < -m.Tolerance {
			deep = -gap
		}
	}
	fastest, bend := m.motion(f, now, w.seconds)
	if !(fastest > 0) {
		return
	}
	t, least := now, float64(turningReach*m.Shape.Size)
	touches := least
	for step := range maxAdvances {
		g, ok := m.gap(o, t)
		if !ok && !o.alone {
			return
		}
		gap, n := g.Distance, g.Normal
		// What is at rest is met along a normal that the mover approaches. Where that passes a
		// corner, the shortest gap may be along another one.
		closes := ok && (f.Turns() || -n.Dot(m.V) > m.slack(f))
		if step >= maxAdvances/2 {
			touches *= 2
		}
		end := min(f.PieceEnd(t), w.seconds)
		switch {
		case gap > touches:
			t = min(t+max(gap/fastest, m.apartFor(o, &g, t, bend)), end)
		case closes && t > now && gap >= 0 && gap <= least:
			take(impact{time: t, normal: n}, k)
			return
		default: // it touches the obstacle, and may keep clear of it
			if closes && !m.isClear(o, n, t, end, deep) {
				if gap, _, _ := m.gapTo(o, end); gap < -m.Tolerance-deep {
					take(impact{time: t, normal: n}, k)
					return
				}
			}
			if at, n := m.comesInto(o, t, end, bend, deep, n, closes); at < math.Inf(1) {
				take(impact{time: at, normal: n}, k)
				return
			}
			t = end
		}
		if !(t < w.seconds) {
			return
		}
	}
	_, n, ok := m.gapTo(o, t) // it is out of steps
	if at, n := m.comesInto(o, t, w.seconds, bend, deep, n, ok); at < math.Inf(1) {
		take(impact{time: at, normal: n}, k)
	}
}

// motion returns bounds of the speed and the acceleration of points of the mover and of f relative
// to each other, in the frame of either, from now until the given end.
func (m *Mover) motion(f *Surface, now, end float64) (fastest, bend float64) {
	arm := m.at(now).Distance(f.Turning.Pivot) + m.Shape.Bound +
		float64((m.V.Length()+f.Velocity.Length())*(end-now))
	speed, turn := m.V.Sub(f.Velocity).Length(), f.Turning.Angular.Length()
	return speed + float64(turn*arm), float64(bendShare * turn * (2*speed + float64(turn*arm)))
}

// apartFor returns a time in which the mover surely does not touch o, to which it has gap g at time
// t. bend is how much points of the two may accelerate towards each other in the frames of both.
//
// A plane across g separates the two. It may move with the obstacle, and some point of the mover
// comes to it first, or with the mover, and some point of the obstacle does.
func (m *Mover) apartFor(o *obstacle, g *collide.Gap, t, bend float64) float64 {
	if !(g.Distance > 0) {
		return 0
	}
	f := o.f
	until := func(height, rate float64) float64 { // the root of height + rate·t - bend·t²/2
		if !(height > 0) {
			return 0
		}
		return 2 * height / (math.Sqrt(float64(rate*rate)+2*float64(bend*height)) - rate)
	}
	most, x := math.Inf(1), m.at(t)
	for _, p := range m.Shape.Points {
		p = p.Add(x)
		height := g.Normal.Dot(p.Sub(g.PointB)) - m.Shape.Radius
		most = min(most, until(height, g.Normal.Dot(m.V.Sub(f.VelocityAt(p, t)))))
	}
	if f.Kind() == Plane {
		return most
	}
	other, radius := math.Inf(1), 0.0
	q, origin := f.pose(t)
	meets := func(points []collide.Vec3) {
		for _, p := range points {
			p = q.Rotate(p).Add(origin)
			height := g.Normal.Dot(g.PointA.Sub(p)) - radius
			other = min(other, until(height, g.Normal.Dot(m.V.Sub(f.VelocityAt(p, t)))))
		}
	}
	if o.alone {
		corners := o.facet.Corners()
		meets(corners[:])
		return max(most, other)
	}
	shape := f.convexShape()
	radius = shape.Radius
	meets(shape.Points)
	return max(most, other)
}

// isClear reports whether the plane across n, their normal at time t, keeps the mover clear of o at
// another time, by less than deep and the tolerance inside of it. It answers no where it doesn't
// know.
func (m *Mover) isClear(o *obstacle, n collide.Vec3, t, at, deep float64) bool {
	g, ok := m.gapAlong(o, n, t, at)
	return ok && g.Distance >= -m.Tolerance-deep
}

// comesInto returns when the mover, which is in o by deep or less at time t and has the normal n
// then, comes deeper into it before the given end, and the normal then; +Inf for never. ok says
// that no neighbour of a facet has the contact along n.
//
// It looks at the times at which a push keeps the mover clear (Parts), from each as far as the two
// are surely apart, and at the end. Where neighbours have the contact it goes on: what slides from
// one facet to the next, and is in both by more than the tolerance, is found as soon as the next
// one has it.
func (m *Mover) comesInto(
	o *obstacle, t, end, bend, deep float64, n collide.Vec3, ok bool,
) (at float64, normal collide.Vec3) {
	left, clear := end-t, 0.0
	for s := math.Ldexp(left, 1-m.Parts); left > 0; {
		deepest := m.Tolerance + deep
		if s < left {
			deepest += m.sag
		}
		own := ok
		g, known := m.gapAlong(o, n, t+clear, t+s)
		if !known || g.Distance < -deepest {
			g, own = m.gap(o, t+s)
		}
		if g.Distance < -deepest && own {
			gap := g.Distance
			for range timeDigits {
				middle := clear + float64((s-clear)/2)
				if d, k, own := m.gapTo(o, t+middle); d < -deep && own {
					s, gap = middle, d
				} else {
					clear, n, ok = middle, k, own
				}
			}
			if m.Inside && gap < -m.Tolerance-deep {
				// It comes over an edge as deep as it is in the neighbours.
				deep, clear, n, ok = -gap, s, g.Normal, true
				continue
			}
			if !ok { // until then a neighbour had the contact
				n = g.Normal
			}
			return t + clear, n
		}
		if s >= left {
			break
		}
		clear, n, ok = s, g.Normal, own
		least := min(s, left/turningParts)
		if g.Distance > 4*m.Tolerance {
			least /= turningParts
		}
		s = min(left, s+max(least, m.apartFor(o, &g, t+s, bend)))
	}
	return math.Inf(1), n
}
