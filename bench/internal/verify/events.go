package verify

import (
	"math"
	"slices"
	"sort"
)

// contactKey names a contact as events do.
type contactKey struct {
	a, b   int
	sensor bool
}

// reports checks each reported impact by itself: time, order, normal, impulse, and that the
// surfaces touch where and when the report says.
func (c *Checker) reports() {
	s := c.step
	last := 0.0
	for k := range s.Impacts {
		m := &s.Impacts[k]
		i, j := s.find(m.A), s.find(m.B)
		if m.Time < last || m.Time > s.Seconds {
			c.fail("impact order", "", m.A, m.B,
				"impact at %v after one at %v, in a step of %v s", m.Time, last, s.Seconds)
		}
		last = max(last, m.Time)
		if math.Abs(m.Normal.Length()-1) > 1e-9 {
			c.fail("impact normal", "", m.A, m.B,
				"normal %v of %d and %d has length %v", m.Normal, m.A, m.B, m.Normal.Length())
			continue
		}
		if m.Impulse < 0 {
			c.fail("negative impulse", "", m.A, m.B, "impulse %v of %d and %d at %v s", m.Impulse, m.A, m.B, m.Time)
		}
		if m.Approach < -c.speedSlack(i, j) {
			c.fail("negative approach", "", m.A, m.B, "approach %v of %d and %d at %v s", m.Approach, m.A, m.B, m.Time)
		}
		if i < 0 || j < 0 || s.Things[i].Changed || s.Things[j].Changed {
			continue
		}
		if !s.Things[i].isBody() || !collides(&s.Things[i], &s.Things[j]) ||
			s.vetoed(&s.Things[i], &s.Things[j]) {
			c.fail("impact of two that don't collide", "", m.A, m.B, "%+v", *m)
			continue
		}
		c.places(k, i, j)
	}
}

// speedSlack bounds rounding of the relative speed of two things.
func (c *Checker) speedSlack(i, j int) float64 {
	if i < 0 || j < 0 {
		return 0
	}
	v := 0.0
	for _, k := range []int{i, j} {
		t := &c.step.Things[k]
		v += t.Start.Velocity.Length() + t.End.Velocity.Length() + t.accelerates()*c.step.Seconds
	}
	return 1e-9 * v
}

// places checks that an impact is where the paths of both sides are.
func (c *Checker) places(k, i, j int) {
	s, m := c.step, &c.step.Impacts[k]
	a, b := &s.Things[i], &s.Things[j]
	if c.paths[i] == nil || c.paths[j] == nil || c.pushed[i] || c.pushed[j] || a.Shape == Convex || b.Shape == Convex {
		return
	}
	pa, pb := m.centers(a, b)
	tol := tolerance(a, b, s.Seconds)
	reach := reach(a, b)
	limit := ""
	off := c.away(i, m.Time, pa)
	if b.Shape == Sphere {
		off = max(off, c.away(j, m.Time, pb))
	} else {
		at := b.Start.Position.Add(b.Start.Velocity.Scale(m.Time))
		if b.Kind == Static {
			at = b.Start.Position
		}
		var d float64
		switch b.Shape {
		case Parts:
			d = math.Abs(partsGap(&Solid{Points: []V{{}}}, m.Point.Sub(at), b.Parts, math.Inf(1)))
		case Plane:
			d = math.Abs(m.Point.Sub(at).Dot(b.Normal) - b.Distance)
		default:
			d, _ = toPolygon(m.Point.Sub(at), b.Corners, b.Normal)
		}
		off = max(off, d)
	}
	first, second := i, j
	if b.isBody() {
		first, second = min(i, j), max(i, j)
	}
	if p := c.pair(first, second); p.excused { // the game has put them into each other
		tol += max(0, -p.start)
	}
	switch {
	case off <= tol:
	case m.Time == 0 && off <= reach*touchGap*(1+1e-9)+tol, // they touch, and begin to press on each other
		s.Spent > 0 && off <= reach*touchGap*(1+1e-9)+tol,          // in a jam
		m.Time == s.Seconds && off <= 2*reach*restGap*(1+1e-9)+tol: // a contact has closed a gap
		limit = limitGaps
	case off <= s.TouchingGap*(1+1e-9)+tol:
		limit = limitTouching
	}
	check := "impact place"
	if m.Time == 0 {
		check = "impact place at 0"
	}
	if off > tol {
		c.fail(check, limit, m.A, m.B,
			"impact of %d and %d at %.6g of %.6g s: a surface is %.3g radii of the smaller one (%.3g m) from the point",
			m.A, m.B, m.Time, s.Seconds, off/reach, off)
	}
}

// away returns how far a reported centre of thing i at time t is from where it can be: where it
// began at time 0, where it ends at the end of the step, where it rests if it doesn't move, on
// its reported path, or where its other impacts at that time put it.
func (c *Checker) away(i int, t float64, p V) float64 {
	s, th := c.step, &c.step.Things[i]
	off := 0.0
	if t == 0 || th.Kind == Static {
		off = p.Sub(th.Start.Position).Length()
	}
	if t == s.Seconds {
		off = max(off, p.Sub(th.End.Position).Length())
	}
	path := c.paths[i]
	if len(th.Path) > 0 {
		return max(off, path.at(t).Sub(p).Length())
	}
	first := sort.Search(len(path), func(k int) bool { return path[k].T >= t })
	for k := first; k < len(path) && path[k].T == t && t < s.Seconds; k++ {
		off = max(off, path[k].P.Sub(p).Length())
	}
	return off
}

// contacts checks that begins and ends are balanced, and agree with what touches after the step.
func (c *Checker) contacts() {
	s := c.step
	seen := map[contactKey]int{}
	for _, e := range s.Begins {
		if i, j := s.find(e.A), s.find(e.B); i < 0 || j < 0 {
			c.fail("contact of something gone", "", e.A, e.B, "%+v begins", e)
		}
		if !(e.Time >= 0 && e.Time <= s.Seconds) {
			c.fail("contact time", "", e.A, e.B, "%+v begins outside of the step", e)
		}
		seen[contactKey{e.A, e.B, e.Sensor}]++
	}
	for _, e := range s.Ends {
		if !(e.Time >= 0 && e.Time <= s.Seconds) {
			c.fail("contact time", "", e.A, e.B, "%+v ends outside of the step", e)
		}
		seen[contactKey{e.A, e.B, e.Sensor}]--
	}
	for key, n := range seen {
		before := c.open[key]
		if n += before; n < 0 || n > 1 {
			c.fail("unbalanced contact", "", key.a, key.b,
				"%+v was open %d times before the step and %d times after it", key, before, n)
			n = min(max(n, 0), 1)
		}
		c.open[key] = n
		if n == 0 {
			delete(c.open, key)
		}
		if i, j := s.find(key.a), s.find(key.b); i >= 0 && j >= 0 && !key.sensor {
			c.join(i, j)
		}
	}
	for key := range c.open {
		if i, j := s.find(key.a), s.find(key.b); i >= 0 && j >= 0 && !key.sensor {
			c.heldEnd[i], c.heldEnd[j] = true, true
			c.join(i, j)
			c.openGap(i, j)
		} else if i < 0 || j < 0 {
			c.fail("contact of something gone", "", key.a, key.b, "%+v is open", key)
		}
	}
	c.touchList()
	c.sensors()
}

// openGap checks that two things in an open contact are close to each other.
func (c *Checker) openGap(i, j int) {
	s := c.step
	a, b := &s.Things[i], &s.Things[j]
	if a.Changed || b.Changed || a.Character || b.Character { // a character walks on after the contact
		return
	}
	if !a.isBody() || a.Shape == Convex && b.isBody() && a.isImmovable() {
		a, b = b, a
	}
	g := gap(a.atEnd(), a.End.Position, b.atEnd(), b.End.Position, 0)
	reach := reach(a, b)
	if g > 2*restGap*reach*(1+1e-6)+tolerance(a, b, s.Seconds) {
		c.fail("contact open at a distance", "", a.ID, b.ID, "%d and %d: gap of %.3g radii", a.ID, b.ID, g/reach)
	}
}

// touchList compares the open contacts with what Touching says.
func (c *Checker) touchList() {
	s := c.step
	list := map[[2]int]bool{}
	for _, t := range s.Touching {
		list[[2]int{min(t[0], t[1]), max(t[0], t[1])}] = true
	}
	changed := func(id int) bool { k := s.find(id); return k < 0 || s.Things[k].Changed }
	for key := range c.open {
		pair := [2]int{min(key.a, key.b), max(key.a, key.b)}
		if !key.sensor && !list[pair] && !changed(key.a) && !changed(key.b) {
			c.fail("touching", "", key.a, key.b,
				"the contact of %d and %d is open, and Touching does not list it", key.a, key.b)
		}
		delete(list, pair)
	}
	for pair := range list {
		if !changed(pair[0]) && !changed(pair[1]) {
			c.fail("touching", "", pair[0], pair[1],
				"Touching lists %d and %d, and no contact is open", pair[0], pair[1])
		}
	}
}

// sensors checks that a sensor contact is open if and only if the two overlap.
func (c *Checker) sensors() {
	s := c.step
	for i := range s.Things {
		for j := range s.Things {
			a, b := &s.Things[i], &s.Things[j]
			if a.Shape != Sphere || a.Kind == Static || !b.Sensor || a.Sensor || a.Changed || b.Changed || i == j ||
				s.vetoed(a, b) || a.Layers&b.Mask == 0 || b.Layers&a.Mask == 0 || c.pushed[i] {
				continue
			}
			if b.Shape == Plane && !b.OneSided || b.Kind != Static {
				continue
			}
			g := gap(a, a.End.Position, b, b.End.Position, 0)
			tol := 1e-6*a.Radius + 4*slack(a, b, s.Seconds)
			open := c.open[contactKey{a.ID, b.ID, true}] > 0
			if open && g > tol || !open && g < -tol {
				c.fail("sensor", "", a.ID, b.ID,
					"%d is %.3g m inside of sensor %d, and the contact is open: %v", a.ID, -g, b.ID, open)
			}
		}
	}
	for _, e := range append(slices.Clone(s.Begins), s.Ends...) {
		i, j := s.find(e.A), s.find(e.B)
		if !e.Sensor || e.Time == 0 || e.Time == s.Seconds || i < 0 || j < 0 ||
			c.paths[i] == nil || c.paths[j] == nil || c.pushed[i] || c.pushed[j] ||
			s.Spent > 0 || s.Things[i].Shape != Sphere {
			continue
		}
		a, b := &s.Things[i], &s.Things[j]
		g := gap(a, c.paths[i].at(e.Time), b, c.paths[j].at(e.Time), 0)
		if math.Abs(g) > 1e-6*a.Radius+4*slack(a, b, s.Seconds) && !c.heldStart[i] && !c.heldEnd[i] && !c.near[i] {
			c.fail("sensor time", "", a.ID, b.ID,
				"%d enters or leaves sensor %d at %v s, where their surfaces are %.3g m apart", a.ID, b.ID, e.Time, g)
		}
	}
}
