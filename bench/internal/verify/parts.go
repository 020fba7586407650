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
func NewPart(points []V, radius float64) Part {
	var middle V
	for _, p := range points {
		middle = middle.Add(p.Scale(1 / float64(len(points))))
	}
	reach := 0.0
	for _, p := range points {
		reach = max(reach, p.Sub(middle).Length())
	}
	return Part{NewSolid(points, radius), middle, reach*(1+1e-9) + radius}
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
// its parts, or some number of at least enough if it is that large.
func partsGap(o *Solid, x V, parts []Part, enough float64) float64 {
	best := enough
	for k := range parts {
		p := &parts[k]
		if x.Sub(p.middle).Length()-p.reach-o.Reach < best {
			best = min(best, solidGap(o, x, p.solid, math.Inf(1)))
		}
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
