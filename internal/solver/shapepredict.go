package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Predictions for bodies that are no spheres (see shape.go): impacts with bodies and surfaces, and
// entries into sensors. Each function has the name of its twin for spheres.

// predictShapeImpact is predictImpact for two bodies of which one at least has a shape.
func (s *Space) predictShapeImpact(i, j int32, now float64) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	if bi.inverseMass == 0 && bj.inverseMass == 0 && !s.isHaltedDynamic(i) && !s.isHaltedDynamic(j) ||
		len(s.vetoes) > 0 && s.vetoed(s.infos[i].id, s.infos[j].id) ||
		len(s.slideContacts) > 0 && (s.slidesAlong(i, s.infos[j].id) || s.slidesAlong(j, s.infos[i].id)) ||
		len(s.apartPairs) > 0 && s.areApart(i, s.infos[j].id) {
		return
	}
	slack := float64(shapeSlack * (bi.v.SumAbs() + bj.v.SumAbs()))
	if t, ok := s.sweepShapes(i, j, now, s.pairTolerance(i, j), slack); ok {
		s.push(t, i, j)
	}
}

// sweepShapes returns when bodies i and j, of which one at least has a shape, first touch and
// approach, from now to the end of the step. For tolerance and slack see convex.Pair.Touch.
//
// It looks from the start of the step, so that rounding does not depend on when a pair is found,
// which follows from cells and workers. The Minkowski sum is convex: if the two touch later than
// now, or never, it is the same from now on.
func (s *Space) sweepShapes(i, j int32, now, tolerance, slack float64) (t float64, ok bool) {
	sign := s.setShapePair(i, j)
	a, b := &s.bodies[i], &s.bodies[j]
	w := a.v.Sub(b.v).Scale(sign)
	t, c, ok := s.pairQuestion.Sweep(a.x.Sub(b.x).Scale(sign), w, s.Seconds, tolerance, slack)
	if t < now && c.Normal != (collide.Vec3{}) {
		t, _, ok = s.pairQuestion.Sweep(a.at(now).Sub(b.at(now)).Scale(sign), w, s.Seconds-now, tolerance, slack)
		t += now
	}
	return min(t, s.Seconds), ok
}

// filterShapes is filterPairs in a space with shaped bodies: it finds all bodies whose balls touch
// that of body i from now on. Shapes may touch while their centres recede from each other.
func (s *Space) filterShapes(i int32, now float64, near, out []int32) []int32 {
	b := &s.bodies[i]
	x, left := b.at(now), s.Seconds-now
	for _, j := range near {
		o := &s.bodies[j]
		d, w := x.Sub(o.at(now)), b.v.Sub(o.v)
		reach := float64((b.radius + o.radius) * (1 + 0x1p-40))
		reach += s.roundingOf(i) + s.roundingOf(j)
		if ww := w.LengthSquared(); ww > 0 {
			d = d.AddScaled(min(max(-d.Dot(w)/ww, 0), left), w)
		}
		if d.LengthSquared() <= float64(reach*reach) {
			out = append(out, j)
		}
	}
	return out
}

// nextSurfaceOfShape is nextSurface for a body with a shape.
func (s *Space) nextSurfaceOfShape(i int32, now, depth float64) (t float64, k int32) {
	b := &s.bodies[i]
	s.setMover(&s.mover, i, b.x, b.v)
	if depth < math.Inf(1) {
		depth = s.mover.Tolerance
		s.findPassingShape(i)
	}
	t, k, n := s.statics.FirstOfShape(&s.mover, now, depth,
		func(k int32) bool { return s.mayMeetSurface(i, k) && !s.passes(i, k, b.at(now), now) },
		func(k int32) {
			if !s.passes(i, k, b.x, 0) {
				s.noteSurfaceOverlap(i, k)
			}
		})
	if k >= 0 {
		s.noteSurfaceImpact(i, k, n)
	}
	return t, k
}

// findPassingShape sets the flag passing of body i, which has a shape, when the step starts: it is
// inside one-sided facets, and the game has put neither it nor them there. So it has come from
// behind, and goes through until all of it has left.
func (s *Space) findPassingShape(i int32) {
	if !s.statics.HasOneSided() || s.flags[i]&placed != 0 {
		s.flags[i] &^= passing
		return
	}
	inside, was := false, s.flags[i]&passing != 0
	s.setMover(&s.probe, i, s.bodies[i].x, collide.Vec3{})
	s.statics.EachNearShape(&s.probe, 0, func(k int32) {
		if inside || !s.statics.At(k).IsOneSided() || !s.isSolid(i, k) {
			return
		}
		gap, _, ok := s.statics.TouchOfShape(&s.probe, k, 0, false)
		inside = ok && gap < -s.probe.Tolerance && (was || !slices.Contains(s.placedSurfaces, s.statics.Owner(k)))
	})
	switch {
	case !inside:
		s.flags[i] &^= passing
	case s.flags[i]&overlapping == 0: // what is being moved out stays what it is
		s.flags[i] |= passing
	}
}

// predictShapeEntry is predictSensorEntry for body i, which has a shape, and sensor j.
func (s *Space) predictShapeEntry(i, j int32, now float64) {
	gap := s.shapeGap(i, j, now).Gap
	tolerance := s.pairTolerance(i, j)
	if s.isInside(s.infos[i].id, s.infos[j].id) && !(now == 0 && gap > tolerance) {
		return
	}
	if now == 0 && gap < -tolerance {
		s.push(0, i, j)
		return
	}
	if t, ok := s.sweepShapes(i, j, now, tolerance, 0); ok {
		s.push(t, i, j)
	}
}

// shapeLeavesAt is leavesAt for body i, which has a shape, and sensor j. From the end of the step
// backwards, the time at which the two part is the first at which they meet.
func (s *Space) shapeLeavesAt(i, j int32, now float64) float64 {
	tolerance := s.pairTolerance(i, j)
	if s.shapeGap(i, j, now).Gap > tolerance {
		return now
	}
	if s.shapeGap(i, j, s.Seconds).Gap <= tolerance {
		return math.Inf(1)
	}
	sign := s.setShapePair(i, j)
	bi, bj := &s.bodies[i], &s.bodies[j]
	p, w := bi.at(s.Seconds).Sub(bj.at(s.Seconds)).Scale(sign), bj.v.Sub(bi.v).Scale(sign)
	t, _, ok := s.pairQuestion.Sweep(p, w, s.Seconds-now, tolerance, 0)
	if !ok {
		return now // it touches the sensor, and leaves
	}
	return max(now, s.Seconds-t)
}
