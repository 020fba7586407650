package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// Shaped bodies: boxes, hulls and capsules that move by themselves and never rotate. For cells and
// candidate pairs a body of any shape is the ball around its position that contains it. Where
// spheres would be compared by their centres, package convex compares shapes. Since nothing
// rotates, a contact of two convex shapes is one normal and a gap, whatever the area is that
// touches.

// shapeState is the shapes of bodies, and memory for questions about them.
type shapeState struct {
	shapes       []*convex.Shape // by id, for bodies with the flag shaped
	shapedBodies int             // how many bodies have that flag
	pairCache    convex.Cache
	pairQuestion *convex.Pair  // the one of pairCache that is being asked
	mover        statics.Mover // that is being swept
	probe        statics.Mover // for other questions, also during a sweep
	turningGaps  statics.GapCache
}

// SetShape gives a body the shape that is around its position, after Set, to which its Bound is the
// radius. Set removes it.
func (s *Space) SetShape(id int32, shape *convex.Shape) {
	i := s.index[id]
	s.shapes = grow.Extend(s.shapes, int(id)+1)
	f := &s.infos[i]
	if was := s.shapes[id]; was != shape && (was == nil || was.Key != shape.Key) {
		s.applyGameChange(i, &s.bodies[i].x, reshaped)
	}
	s.shapes[id] = shape
	s.shapedBodies++
	s.flags[i] = s.flags[i]&^unfiltered | shaped
	f.traits = s.traitsOf(s.bodies[i].radius, s.bodies[i].inverseMass, &f.material) + shape.Key
}

// dropShape makes body i a sphere.
func (s *Space) dropShape(i int32) {
	if s.flags[i]&shaped != 0 {
		s.flags[i] &^= shaped
		s.shapedBodies--
	}
}

// shapeOf returns the shape of body i, or nil for a sphere.
func (s *Space) shapeOf(i int32) *convex.Shape {
	if s.flags[i]&shaped == 0 {
		return nil
	}
	return s.shapes[s.infos[i].id]
}

// size returns the radius of body i or, of another shape, half of its least width: tolerances are
// fractions of it, m.
func (s *Space) size(i int32) float64 {
	if s.flags[i]&shaped != 0 {
		return s.shapes[s.infos[i].id].Size
	}
	return s.bodies[i].radius
}

// areSpheres reports whether both bodies are spheres.
func (s *Space) areSpheres(i, j int32) bool { return (s.flags[i]|s.flags[j])&shaped == 0 }

// setShapePair sets pairQuestion to bodies i and j, one of which at least has a shape. It returns
// -1 if j is what moves relative to i, as a ball, and otherwise 1.
func (s *Space) setShapePair(i, j int32) float64 {
	a, b := s.shapeOf(i), s.shapeOf(j)
	slot := (uint32(s.infos[i].id)*0x9e3779b1 + uint32(s.infos[j].id)*0x85ebca6b) >> 12 // well mixed
	switch {
	case a == nil:
		s.pairQuestion = s.pairCache.Ball(s.bodies[i].radius, b, slot)
	case b == nil:
		s.pairQuestion = s.pairCache.Ball(s.bodies[j].radius, a, slot)
		return -1
	default:
		s.pairQuestion = s.pairCache.Pair(a, b, slot)
	}
	return 1
}

// pairTolerance returns the overlap of bodies i and j up to which they touch, m.
func (s *Space) pairTolerance(i, j int32) float64 {
	return float64(overlapTolerance*min(s.size(i), s.size(j))) + s.roundingOf(i) + s.roundingOf(j)
}

// shapeSlack is the closing speed of two shapes that counts as none, as a fraction of their speeds:
// some roundings of it. With less, shapes that slide along each other have impacts; with more, they
// sink into each other.
const shapeSlack = 0x1p-49

// shapeGap returns the gap between bodies i and j at time t, one of which at least has a shape, and
// the unit normal from j to i.
func (s *Space) shapeGap(i, j int32, t float64) convex.Contact {
	sign := s.setShapePair(i, j)
	c := s.pairQuestion.Gap(s.bodies[i].at(t).Sub(s.bodies[j].at(t)).Scale(sign))
	c.Normal = c.Normal.Scale(sign)
	return c
}

// areOverlapping reports whether bodies i and j overlap at time t by more than rounding.
func (s *Space) areOverlapping(i, j int32, t float64) bool {
	if !s.areSpheres(i, j) {
		return s.shapeGap(i, j, t).Gap < -s.pairTolerance(i, j)
	}
	return s.isOverlapping(s.at(i, t).Sub(s.at(j, t)).LengthSquared(), i, j)
}

// bodyGap returns the gap between bodies i and j at time t.
func (s *Space) bodyGap(i, j int32, t float64) float64 {
	if !s.areSpheres(i, j) {
		return s.shapeGap(i, j, t).Gap
	}
	a, b := &s.bodies[i], &s.bodies[j]
	return s.at(i, t).Distance(s.at(j, t)) - (a.radius + b.radius)
}

// setMover makes m body i, with the given position at time 0 and velocity.
func (s *Space) setMover(m *statics.Mover, i int32, x, v collide.Vec3) {
	m.Shape, m.X, m.V, m.Free = s.shapeOf(i), x, v, v
	m.Tolerance, m.Parts = float64(overlapTolerance*m.Shape.Size)+s.roundingOf(i), chordParts
	m.Reach = s.nearReach(m.Shape.Size)
	m.Inside, m.Gaps = s.flags[i]&overlapsAtStart != 0, &s.turningGaps
}

// nearReach returns the gap up to which something of that size is solved together with others, m.
// What drives is met as far ahead as it comes in a step.
func (s *Space) nearReach(size float64) float64 {
	return float64(nearTolerance*size) + min(s.driverTravel, size)
}

// gapAt returns the gap between body i, when it is at x, and surface k at time t, and the unit
// normal to the body.
func (s *Space) gapAt(i int32, x collide.Vec3, k int32, t float64) (gap float64, n collide.Vec3) {
	if s.flags[i]&shaped == 0 {
		return s.statics.Separation(nil, k, x, s.bodies[i].radius, t)
	}
	s.setMover(&s.probe, i, x, collide.Vec3{})
	gap, n, _ = s.statics.TouchOfShape(&s.probe, k, t, false)
	return gap, n
}

// contactPoint returns where body i, at time t, touches a body (its id) or a surface (its code)
// along n.
func (s *Space) contactPoint(i, code int32, n collide.Vec3, t float64) collide.Vec3 {
	return s.pointWhere(i, code, n, t, t)
}

// pointWhere is contactPoint for bodies where they are at one time and surfaces at another.
func (s *Space) pointWhere(i, code int32, n collide.Vec3, t, surfaceTime float64) collide.Vec3 {
	x := s.at(i, t)
	a := s.shapeOf(i)
	if a == nil {
		return x.AddScaled(-s.bodies[i].radius, n)
	}
	if code >= 0 {
		j := s.index[code]
		y := s.at(j, t)
		if b := s.shapeOf(j); b != nil {
			return s.middleOfContact(a, b, x, y)
		}
		return y.AddScaled(s.bodies[j].radius, n)
	}
	s.setMover(&s.probe, i, x, collide.Vec3{})
	if g, ok := s.statics.GapOfShape(&s.probe, surfaceOf(code), surfaceTime); ok {
		return g.PointA
	}
	low, _ := a.Extent(n)
	return x.AddScaled(low-a.Radius, n)
}

// middleOfContact returns the middle of the area in which shape a at x and shape b at y touch, on
// the surface of the one with the smaller key. The result does not depend on which is a.
func (s *Space) middleOfContact(a, b *convex.Shape, x, y collide.Vec3) collide.Vec3 {
	if b.Key < a.Key {
		a, b, x, y = b, a, y, x
	}
	if p, ok := convex.BoxPoint(a, b, x, y); ok {
		return p
	}
	there := collide.NewPlaced(b.Exact, y, collide.Quat{})
	return collide.Separation(collide.NewPlaced(a.Exact, x, collide.Quat{}), there).PointA
}

// gapNow returns the gap between bodies i and j where they are when a step has ended or begins.
func (s *Space) gapNow(i, j int32) float64 { return s.bodyGap(i, j, 0) }

// probeOf returns a probe of the shape of body i where it is. It is valid until the next call.
func (s *Space) probeOf(i int32) Probe {
	b := &s.bodies[i]
	p := Probe{Sphere: collide.Sphere{Center: b.x, Radius: b.radius}}
	if a := s.shapeOf(i); a != nil {
		s.probeShape = collide.NewPlaced(a.Exact, b.x, collide.Quat{})
		p.Shape = &s.probeShape // a pointer, since a value would be allocated
	}
	return p
}

// sweepBody sweeps a convex shape along v, for the given seconds, against body i where it is.
func (s *Space) sweepBody(
	shape collide.Convex, v collide.Vec3, i int32, seconds float64,
) (collide.Contact, collide.Outcome) {
	b := &s.bodies[i]
	if a := s.shapeOf(i); a != nil {
		return collide.Sweep(shape, v, collide.NewPlaced(a.Exact, b.x, collide.Quat{}), collide.Vec3{}, seconds)
	}
	return collide.Sweep(shape, v, collide.Sphere{Center: b.x, Radius: b.radius}, collide.Vec3{}, seconds)
}

// separateBody returns the gap between a convex shape and body i where it is.
func (s *Space) separateBody(shape collide.Convex, i int32) collide.Gap {
	b := &s.bodies[i]
	if a := s.shapeOf(i); a != nil {
		return collide.Separation(shape, collide.NewPlaced(a.Exact, b.x, collide.Quat{}))
	}
	return collide.Separation(shape, collide.Sphere{Center: b.x, Radius: b.radius})
}

// shapeTouches reports whether body i, which has a shape, touches the entity of surface k at the
// end of the step: see touch.
func (s *Space) shapeTouches(i, k int32, tolerance float64) bool {
	touches := false
	size := s.size(i)
	s.eachPart(k, func(k int32) {
		s.statics.EachFacetNear(nil, k, s.bodies[i].x, s.bodies[i].radius+float64(tolerance*size), s.Seconds,
			func(k int32) {
				if touches {
					return
				}
				s.setMover(&s.probe, i, s.bodies[i].x, collide.Vec3{})
				gap, _, ok := s.statics.TouchOfShape(&s.probe, k, s.Seconds, false)
				touches = ok && gap <= float64(tolerance*size) && s.isSolid(i, k)
			})
	})
	return touches
}

// pointBetween returns where body i, which has a shape, and another body or surface are closest, on
// the surface of body i.
func (s *Space) pointBetween(i int32, h Handle, n collide.Vec3) collide.Vec3 {
	if !h.IsSurface() {
		return s.pointWhere(i, h.Body(), n, 0, 0)
	}
	return s.pointWhere(i, codeOf(h.Surface()), n, 0, s.queryTime)
}

// pointAtRest returns where body i touches a body (its id) or a surface (its code) along n, when
// the bodies are at their positions and the surfaces where they are at time t: at the start or the
// end of the step.
func (s *Space) pointAtRest(i, code int32, n collide.Vec3, t float64) collide.Vec3 {
	if s.flags[i]&shaped == 0 {
		return s.bodies[i].x.AddScaled(-s.bodies[i].radius, n)
	}
	return s.pointWhere(i, code, n, 0, t)
}

// pointNow is pointAtRest for the end of the step.
func (s *Space) pointNow(i, code int32, n collide.Vec3) collide.Vec3 {
	return s.pointAtRest(i, code, n, s.Seconds)
}

// extent returns the middle of body i along n, which has unit length, relative to its position, and
// half of its size along n, m.
func (s *Space) extent(i int32, n collide.Vec3) (middle collide.Vec3, half float64) {
	a := s.shapeOf(i)
	if a == nil {
		return collide.Vec3{}, s.bodies[i].radius
	}
	low, high := a.Extent(n)
	return n.Scale((low + high) / 2), a.Radius + float64((high-low)/2)
}
