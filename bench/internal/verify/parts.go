package verify

import "math"

// Part is a part of a thing of the shape Parts: a triangle of a mesh, or a convex part of a
// compound. Its points are relative to the position of the thing.
type Part struct {
	solid  *Solid
	middle V       // of a sphere around it
	reach  float64 // radius of that sphere
}

// NewPart returns the convex hull of points, grown by a radius. Three points are a triangle.
func NewPart(points []V, radius float64) Part { return partOf(NewSolid(points, radius)) }

// partOf returns a solid as a part.
func partOf(o *Solid) Part {
	var middle V
	for _, p := range o.Points {
		middle = middle.Add(p.Scale(1 / float64(len(o.Points))))
	}
	reach := 0.0
	for _, p := range o.Points {
		reach = max(reach, p.Sub(middle).Length())
	}
	return Part{o, middle, reach*(1+1e-9) + o.Radius}
}

// Reach returns the greatest distance of the surface of a solid or of parts from the position of
// the thing.
func (t *Thing) Reach() float64 {
	if t.Solid != nil {
		return t.Solid.Reach
	}
	return reachOf(t.Parts)
}

// reachOf returns the greatest distance of a part's surface from the position of the thing.
func reachOf(parts []Part) float64 {
	reach := 0.0
	for k := range parts {
		reach = max(reach, parts[k].solid.Reach)
	}
	return reach
}

// partsGap returns the signed distance of solid o, at x relative to the thing, from the nearest of
// its parts, or some number between enough and that if it is more than enough.
func partsGap(o *Solid, x V, parts []Part, enough float64) float64 {
	best := math.Inf(1)
	for k := range parts {
		p := &parts[k]
		far := x.Sub(p.middle).Length() - p.reach - o.Reach
		if far < min(best, enough) {
			far = solidGap(o, x, p.solid, enough)
		}
		best = min(best, far)
	}
	return best
}

// nearestPart is nearestSolids for solid o and each of the parts.
func nearestPart(o *Solid, r0, r1 V, parts []Part, enough float64) (least, at float64) {
	least = math.Inf(1)
	d := r1.Sub(r0)
	middle, half := r0.Add(d.Scale(0.5)), d.Length()/2
	for k := range parts {
		p := &parts[k]
		if middle.Sub(p.middle).Length()-p.reach-o.Reach-half > enough {
			continue
		}
		if g, s := nearestOf(o, r0, r1, p.solid, enough); g < least {
			least, at = g, s
		}
	}
	return least, at
}

// groups checks that the members of each group have moved alike, also where something stops them.
func (c *Checker) groups() {
	s := c.step
	first := map[int]int{}
	for i := range s.Things {
		t := &s.Things[i]
		if t.Group == 0 || t.Changed {
			continue
		}
		k, ok := first[t.Group]
		if !ok {
			first[t.Group] = i
			continue
		}
		o := &s.Things[k]
		d := t.End.Position.Sub(t.Start.Position).Sub(o.End.Position.Sub(o.Start.Position)).Length()
		if d > slack(t, o, s.Seconds) {
			c.fail("group", "", o.ID, t.ID, "%d and %d of one group move apart by %.3g m", o.ID, t.ID, d)
		}
	}
}

// crossings returns how many triangles the segment from p to q, relative to the thing, goes
// through. It reports false where it meets an edge or lies in a triangle, to rounding.
func crossings(parts []Part, p, q V) (n int, ok bool) {
	d := q.Sub(p)
	for k := range parts {
		c := parts[k].solid.Points
		u, v := c[1].Sub(c[0]), c[2].Sub(c[0])
		normal := u.Cross(v)
		size := normal.Length()
		from, to := normal.Dot(p.Sub(c[0])), normal.Dot(q.Sub(c[0]))
		near := 1e-9 * size * parts[k].reach
		if math.Abs(from) <= near || math.Abs(to) <= near {
			if p.Sub(parts[k].middle).Length() <= parts[k].reach+d.Length() {
				return 0, false
			}
			continue
		}
		if (from > 0) == (to > 0) {
			continue
		}
		x := p.Add(d.Scale(from / (from - to)))
		inside := 0
		for e := range 3 {
			a, b := c[e], c[(e+1)%3]
			h := normal.Dot(b.Sub(a).Cross(x.Sub(a))) / size
			if math.Abs(h) <= 1e-9*size {
				return 0, false
			}
			if h > 0 {
				inside++
			}
		}
		if inside == 3 {
			n++
		}
	}
	return n, true
}

// characters checks that characters are in nothing that is immovable or a body, and that none has
// gone through something closed. What crushes one, and what it was in before, is exempt.
func (c *Checker) characters() {
	s := c.step
	for i := range s.Things {
		t := &s.Things[i]
		if !t.Character || t.Changed {
			continue
		}
		for j := range s.Things {
			o := &s.Things[j]
			if i == j || o.Changed || o.Sensor || o.Shape == Polygon || o.Rotates() || t.Layers&o.Mask == 0 ||
				o.Layers&t.Mask == 0 || s.vetoed(t, o) {
				continue
			}
			x0, x1 := t.Start.Position, t.End.Position
			n, ok := crossings(closedParts(o), x0.Sub(o.Start.Position), x1.Sub(o.End.Position))
			if ok && n%2 == 1 {
				c.fail("character through", "", t.ID, o.ID,
					"character %d goes through %d, from %v to %v", t.ID, o.ID, x0, x1)
			}
			tol := 1e-9*t.Radius + 2*slack(t, o, s.Seconds)
			crushed := c.isCrushed(t) || c.isCrushed(o)
			before := gap(t, x0, o, o.Start.Position, 0)
			if g := gap(t, x1, o, o.End.Position, 0); g < -tol && before > -tol && !crushed {
				c.fail("character overlap", "", t.ID, o.ID,
					"character %d ends %.3g m deep in %d, and had a gap of %.3g m before the step",
					t.ID, -g, o.ID, before)
			}
		}
	}
}

// isCrushed reports whether a character has ended without room, next to something that isn't a
// character and moves. Others are stopped by characters, so these alone crush none.
func (c *Checker) isCrushed(t *Thing) bool {
	if !t.Character || !t.Crushed {
		return false
	}
	for i := range c.step.Things {
		o := &c.step.Things[i]
		moves := o.Kind == Dynamic || o.Rotates() || o.Start.Position != o.End.Position
		if !moves || o.Character || o.Sensor {
			continue
		}
		if o.Shape == Polygon {
			for _, corner := range o.Corners { // a ball around the polygon will do
				if t.End.Position.Sub(o.End.Position).Length() < corner.Length()+t.solidOf().Reach+t.Radius {
					return true
				}
			}
		} else if gap(t, t.End.Position, o.atEnd(), o.End.Position, 0) < t.Radius {
			return true
		}
	}
	return false
}

// closedParts returns the triangles of what nothing gets to the other side of.
func closedParts(t *Thing) []Part {
	if t.Shape == Parts && t.Closed {
		return t.Parts
	}
	return nil
}
