package verify

import (
	"math"
	"slices"
	"sort"
)

// path is the motion of a thing in a step: straight from vertex to vertex, of which the first is at
// time 0 and the last at the end of the step. Times don't decrease.
type path []Vertex

// at returns the place at time t, with the last of several vertices at that time.
func (p path) at(t float64) V {
	k := max(0, sort.Search(len(p), func(k int) bool { return p[k].T > t })-1)
	if k == len(p)-1 || p[k+1].T == p[k].T {
		return p[k].P
	}
	return p[k].P.Add(p[k+1].P.Sub(p[k].P).Scale((t - p[k].T) / (p[k+1].T - p[k].T)))
}

// centers returns where an impact says that the centres of A and B are. For a plane or polygon the
// second is the point itself.
func (i *Impact) centers(a, b *Thing) (V, V) {
	return i.Point.Add(i.Normal.Scale(a.Radius)), i.Point.Sub(i.Normal.Scale(b.Radius))
}

// paths returns the path of each thing: as physics reports it, or reconstructed from its states and
// its impacts. A path is nil if it can't be known: the game has changed the thing within the step,
// or something has stopped a kinematic surface.
//
// Paths change at impacts, and where a body leaves the straight path of its contacts for the chord
// of its parabola. So a reported path is checked, too: it has to go through the impacts.
func (s *Step) paths() []path {
	all := make([]path, len(s.Things))
	for i := range s.Things {
		t := &s.Things[i]
		if t.Changed {
			continue
		}
		if len(t.Path) > 0 {
			all[i] = t.Path
			continue
		}
		all[i] = path{{0, t.Start.Position}}
	}
	for k := range s.Impacts {
		m := &s.Impacts[k]
		i, j := s.find(m.A), s.find(m.B)
		if i < 0 || j < 0 || m.Time <= 0 || m.Time >= s.Seconds {
			continue // at the ends of the step a body is where it is; a report that disagrees fails by itself
		}
		a, b := m.centers(&s.Things[i], &s.Things[j])
		if t := &s.Things[i]; all[i] != nil && len(t.Path) == 0 && t.Kind != Static {
			all[i] = append(all[i], Vertex{m.Time, a})
		}
		if t := &s.Things[j]; all[j] != nil && len(t.Path) == 0 && t.Shape == Sphere && t.Kind != Static {
			all[j] = append(all[j], Vertex{m.Time, b})
		}
	}
	for i := range s.Things {
		t := &s.Things[i]
		if all[i] == nil || len(t.Path) > 0 {
			continue
		}
		if t.Shape != Sphere && t.Kind == Kinematic {
			d := t.Start.Position.Add(t.Start.Velocity.Scale(s.Seconds)).Sub(t.End.Position).Length()
			if d > slack(t, t, s.Seconds) || t.Rotates() {
				all[i] = nil
				continue
			}
		}
		all[i] = append(all[i], Vertex{s.Seconds, t.End.Position})
	}
	return all
}

// mayBend reports whether t may move on a parabola, so that its path is not straight between
// impacts: something accelerates it, or what it touches.
func (s *Step) mayBend(t *Thing) bool {
	accelerates := func(o Thing) bool { return o.accelerates() > 0 }
	return s.Arcs && !t.isImmovable() && slices.ContainsFunc(s.Things, accelerates)
}

// find returns the index of the thing with that ID, or -1.
func (s *Step) find(id int) int {
	k, ok := slices.BinarySearchFunc(s.Things, id, func(t Thing, id int) int { return t.ID - id })
	if !ok {
		return -1
	}
	return k
}

// rounding is the bound for errors of places, relative to coordinates and path lengths: a place is
// the result of a few dozen operations, each with an error of 2^-53.
const rounding = 0x1p-46

// slack is the bound for rounding errors of the distance of two things, in metres.
func slack(a, b *Thing, seconds float64) float64 {
	return rounding * max(a.extent(seconds), b.extent(seconds))
}

// extent is the greatest of the numbers from which places of t in a step are computed, in metres.
func (t *Thing) extent(seconds float64) float64 {
	if t.known.seconds == seconds && t.known.extent > 0 {
		return t.known.extent
	}
	size := max(t.Start.Position.Length(), t.End.Position.Length(), t.Radius, math.Abs(t.Distance))
	size = max(size, seconds*max(t.Start.Velocity.Length(), t.End.Velocity.Length()))
	size = max(size, seconds*seconds*t.accelerates())
	if t.Solid != nil {
		size = max(size, t.Solid.Reach, t.Swing)
	}
	for _, c := range t.Corners {
		size = max(size, c.Length())
	}
	size = max(size, reachOf(t.Parts))
	return size
}

// moves returns how far t is from where it was at the start of the step, or, if the game has
// changed it within the step, how far it would come if it met nothing.
func (t *Thing) moves(seconds float64) float64 {
	if t.Rotates() {
		return math.Inf(1)
	}
	if t.Changed {
		return seconds * (t.Start.Velocity.Length() + t.accelerates()*seconds)
	}
	return t.End.Position.Sub(t.Start.Position).Length()
}

// length is the length of a path.
func (p path) length() float64 {
	sum := 0.0
	for k := 1; k < len(p); k++ {
		sum += p[k].P.Sub(p[k-1].P).Length()
	}
	return sum
}

// tolerance is how deep two things may overlap: see docs/limits.md, Range.
func tolerance(a, b *Thing, seconds float64) float64 {
	return 1e-9*reach(a, b) + slack(a, b, seconds)
}

// approach is the least gap of two things in a part of a step, and when it is.
type approach struct {
	gap, time float64
	passing   bool // the sphere passes through a one-sided polygon
}

// nearest returns the least gap between sphere a on path p and thing b on path q. Through one-sided
// polygons some spheres pass, and passing says whether this one did when the step began.
func nearest(a *Thing, p path, b *Thing, q path, side float64, passing bool) approach {
	best := approach{gap: math.Inf(1), passing: passing}
	times := make([]float64, 0, len(p)+len(q))
	for _, v := range p {
		times = append(times, v.T)
	}
	for _, v := range q {
		times = append(times, v.T)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for k, t0 := range times {
		t1 := t0
		if k+1 < len(times) {
			t1 = times[k+1]
		}
		// the ends of this interval; where a path jumps at t1 the earlier place counts
		r0, r1 := p.at(t0).Sub(q.at(t0)), p.before(t1).Sub(q.before(t1))
		if t1 == t0 {
			r1 = r0
		}
		best.segment(a, b, r0, r1, t0, t1, side)
	}
	return best
}

// before returns the place at time t, with the first of several vertices at that time.
func (p path) before(t float64) V {
	k := min(len(p)-1, sort.Search(len(p), func(k int) bool { return p[k].T >= t }))
	if k == 0 || p[k].T == t {
		return p[k].P
	}
	return p[k-1].P.Add(p[k].P.Sub(p[k-1].P).Scale((t - p[k-1].T) / (p[k].T - p[k-1].T)))
}

// segment is the part of [nearest] in which the place of a relative to b goes from r0 to r1.
func (m *approach) segment(a, b *Thing, r0, r1 V, t0, t1, side float64) {
	offer := func(g, s float64) {
		if g < m.gap {
			m.gap, m.time = g, t0+float64(s*(t1-t0))
		}
	}
	d := r1.Sub(r0)
	if b.Shape == Parts {
		offer(nearestPart(a.solidOf(), r0, r1, b.Parts, -tolerance(a, b, 0)/2))
		return
	}
	if a.Shape == Convex && b.Shape == Polygon && b.OneSided {
		m.oneSidedSolid(a, b, r0, r1, offer)
		return
	}
	if a.Shape == Convex || b.Shape == Convex {
		offer(nearestSolids(a, b, r0, r1, side, -tolerance(a, b, 0)/2))
		return
	}
	switch b.Shape {
	case Plane: // linear
		offer(gap(a, r0, b, V{}, side), 0)
		offer(gap(a, r1, b, V{}, side), 1)
	case Sphere: // a quadratic
		s := 0.0
		if l := d.Dot(d); l > 0 {
			s = min(max(-r0.Dot(d)/l, 0), 1)
		}
		offer(r0.Add(d.Scale(s)).Length()-a.Radius-b.Radius, s)
	case Polygon:
		if gap(a, r0, b, V{}, 0) > d.Length() {
			return // out of reach
		}
		if !b.OneSided {
			offer(lowest(a, b, r0, d, 0, 1))
			return
		}
		m.oneSided(a, b, r0, d, offer)
	}
}

// oneSided is segment for a one-sided polygon. It stops a sphere that is in front with all of it,
// and moves against the normal. Any other sphere that comes within reach passes until it is out of
// reach again.
func (m *approach) oneSided(a, b *Thing, r0, d V, offer func(g, s float64)) {
	pass := func(lo, hi float64) {
		g, _ := lowest(a, b, r0, d, lo, hi)
		m.passing = m.passing || g < -tolerance(a, b, 0)
	}
	_, h0 := toPolygon(r0, b.Corners, b.Normal)
	_, h1 := toPolygon(r0.Add(d), b.Corners, b.Normal)
	lo, hi := 0.0, 1.0
	switch {
	case h0 < 0 && h1 < 0 || h1 >= h0:
		pass(0, 1)
		if !m.passing {
			offer(lowest(a, b, r0, d, 0, 1))
		}
		return
	case h1 < 0: // it goes behind
		hi = h0 / (h0 - h1)
	}
	if !m.passing {
		g, s := lowest(a, b, r0, d, lo, hi)
		if m.passing = g < 0 && overEdge(a, b, r0, d, lo, s); !m.passing {
			offer(g, s)
		}
	}
	pass(hi, 1)
}

// overEdge reports whether sphere a is lower than it would lie on polygon b when it first touches
// it, on the way from r0+lo·d, with a gap, to r0+hi·d, where they overlap.
func overEdge(a, b *Thing, r0, d V, lo, hi float64) bool {
	if gap(a, r0.Add(d.Scale(lo)), b, V{}, 0) < 0 {
		hi = lo
	}
	for range 60 {
		if m := (lo + hi) / 2; gap(a, r0.Add(d.Scale(m)), b, V{}, 0) > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	_, height := toPolygon(r0.Add(d.Scale(lo)), b.Corners, b.Normal)
	return height < a.Radius*(1-1e-7)
}

// lowest returns the least gap to polygon b on the way from r0+lo·d to r0+hi·d, and where it is.
// The distance to a convex set is a convex function, so a search by the golden section finds it.
func lowest(a, b *Thing, r0, d V, lo, hi float64) (least, at float64) {
	g := func(s float64) float64 { return gap(a, r0.Add(d.Scale(s)), b, V{}, 0) }
	least, at = g(lo), lo
	if last := g(hi); last < least {
		least, at = last, hi
	}
	// a gap changes by at most the length of the way
	if least+max(g(lo), g(hi))-float64((hi-lo)*d.Length()) > 0 {
		return least, at
	}
	if m, mid := byGoldenSection(g, lo, hi); m < least {
		least, at = m, mid
	}
	return least, at
}

// byGoldenSection returns the least value of g, a convex function, from lo to hi, and where it is.
func byGoldenSection(g func(float64) float64, lo, hi float64) (least, at float64) {
	const golden = 0.6180339887498949
	m1, m2 := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
	g1, g2 := g(m1), g(m2)
	for range 70 {
		if g1 <= g2 {
			hi, m2, g2 = m2, m1, g1
			m1 = hi - float64(golden*(hi-lo))
			g1 = g(m1)
		} else {
			lo, m1, g1 = m1, m2, g2
			m2 = lo + float64(golden*(hi-lo))
			g2 = g(m2)
		}
	}
	return min(g1, g2), (lo + hi) / 2
}
