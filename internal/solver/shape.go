package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
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
	pairQuestion convex.Pair
	mover        statics.Mover // that is being swept
	probe        statics.Mover // for other questions, also during a sweep
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
	switch {
	case a == nil:
		s.pairQuestion.SetBall(s.bodies[i].radius, b)
	case b == nil:
		s.pairQuestion.SetBall(s.bodies[j].radius, a)
		return -1
	default:
		s.pairQuestion.Set(a, b)
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

// shapeContact returns the contact that bodies i and j are about to have at the start of the step,
// if i moves at w relative to j as long as nothing holds it: see [convex.Pair.Near].
func (s *Space) shapeContact(i, j int32, w collide.Vec3) convex.Contact {
	sign := s.setShapePair(i, j)
	v := s.startVelocity(i).Sub(s.startVelocity(j))
	c := s.pairQuestion.Near(s.bodies[i].x.Sub(s.bodies[j].x).Scale(sign), v.Scale(sign), w.Scale(sign),
		s.pairTolerance(i, j))
	c.Normal = c.Normal.Scale(sign)
	return c
}

// shapeImpact returns the contact of bodies i and j at time t, when they have an impact, and
// whether they approach.
func (s *Space) shapeImpact(i, j int32, t float64) (convex.Contact, bool) {
	sign := s.setShapePair(i, j)
	bi, bj := &s.bodies[i], &s.bodies[j]
	c, ok := s.pairQuestion.Touch(bi.at(t).Sub(bj.at(t)).Scale(sign), bi.v.Sub(bj.v).Scale(sign),
		s.pairTolerance(i, j), float64(shapeSlack*(bi.v.SumAbs()+bj.v.SumAbs())))
	c.Normal = c.Normal.Scale(sign)
	return c, ok
}

// predictShapeImpact is predictImpact for two bodies of which one at least has a shape.
func (s *Space) predictShapeImpact(i, j int32, now float64) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	if bi.inverseMass == 0 && bj.inverseMass == 0 && !s.isHaltedDynamic(i) && !s.isHaltedDynamic(j) ||
		len(s.vetoes) > 0 && s.vetoed(s.infos[i].id, s.infos[j].id) ||
		len(s.slideContacts) > 0 && (s.slidesAlong(i, s.infos[j].id) || s.slidesAlong(j, s.infos[i].id)) ||
		len(s.apartPairs) > 0 && s.areApart(i, s.infos[j].id) {
		return
	}
	sign := s.setShapePair(i, j)
	p, w := bi.at(now).Sub(bj.at(now)).Scale(sign), bi.v.Sub(bj.v).Scale(sign)
	t, _, ok := s.pairQuestion.Sweep(p, w, s.Seconds-now, s.pairTolerance(i, j),
		float64(shapeSlack*(bi.v.SumAbs()+bj.v.SumAbs())))
	if ok {
		s.push(min(now+t, s.Seconds), i, j)
	}
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
}

// gapAt returns the gap between body i, when it is at x, and surface k at time t, and the unit
// normal to the body.
func (s *Space) gapAt(i int32, x collide.Vec3, k int32, t float64) (gap float64, n collide.Vec3) {
	if s.flags[i]&shaped == 0 {
		return s.statics.Separation(k, x, s.bodies[i].radius, t)
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
	shape := collide.NewPlaced(a.Exact, x, collide.Quat{})
	if g, ok := s.statics.At(surfaceOf(code)).Gap(shape, surfaceTime); ok {
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
	there := collide.NewPlaced(b.Exact, y, collide.Quat{})
	return collide.Separation(collide.NewPlaced(a.Exact, x, collide.Quat{}), there).PointA
}

// touchOfShape is touchOf for a body with a shape. closing is set for a contact that is to be
// solved.
func (s *Space) touchOfShape(i, k int32, closing bool) (gap float64, n collide.Vec3, ok bool) {
	b := &s.bodies[i]
	v := collide.Vec3{}
	if closing {
		v = s.startVelocity(i)
	}
	s.setMover(&s.probe, i, b.x, v)
	s.probe.Free = s.freeVelocity(i)
	gap, n, ok = s.statics.TouchOfShape(&s.probe, k, 0, closing)
	return gap, n, ok && !s.passes(i, k, b.x, 0)
}

// predictShapeSurface is predictSurface for a body with a shape.
func (s *Space) predictShapeSurface(i int32, now, depth float64) {
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
	if k < 0 {
		return
	}
	s.surfaceNormals = grow.Extend(s.surfaceNormals, len(s.bodies))
	s.surfaceNormals[i] = n
	s.push(t, i, codeOf(k))
}

// findPassingShape sets the flag passing of body i, which has a shape, when the step starts: it is
// inside one-sided facets, and the game hasn't put it there. So it has come from behind, and goes
// through until all of it has left.
func (s *Space) findPassingShape(i int32) {
	if !s.statics.HasOneSided() || s.flags[i]&placed != 0 {
		s.flags[i] &^= passing
		return
	}
	inside := false
	s.setMover(&s.probe, i, s.bodies[i].x, collide.Vec3{})
	s.statics.EachNearShape(&s.probe, 0, func(k int32) {
		if inside || !s.statics.At(k).IsOneSided() || !s.isSolid(i, k) {
			return
		}
		gap, _, ok := s.statics.TouchOfShape(&s.probe, k, 0, false)
		inside = ok && gap < -s.probe.Tolerance
	})
	switch {
	case !inside:
		s.flags[i] &^= passing
	case s.flags[i]&overlapping == 0: // what is being moved out stays what it is
		s.flags[i] |= passing
	}
}

// comesNearShape is comesNear for bodies of which one at least has a shape.
func (s *Space) comesNearShape(k, i, j int32) bool {
	smaller := min(s.size(i), s.size(j))
	travel := min(s.driverTravel, smaller)
	w := s.contactSolver.FreeVelocity(k).Sub(s.freeVelocity(j))
	c := s.shapeContact(i, j, w)
	return c.Gap <= float64(searchReach*smaller)+travel &&
		c.Gap+float64(s.Seconds*min(0, c.Normal.Dot(w))) <= float64(nearTolerance*smaller)+travel
}

// addShapeSurfaceContacts is addSurfaceContacts for a body with a shape.
func (s *Space) addShapeSurfaceContacts(i, id int32, free collide.Vec3) {
	size := s.size(i)
	near := float64(nearTolerance*size) + min(s.driverTravel, size)
	s.nearSurfaces = s.nearSurfaces[:0]
	s.setMover(&s.mover, i, s.bodies[i].x, s.startVelocity(i))
	s.mover.Free = free
	s.statics.EachNearShape(&s.mover, near, func(k int32) {
		if !s.maySolveSurface(i, k) || !s.closesShape(i, k, near) {
			return
		}
		if s.statics.HasEdges(k) {
			s.nearSurfaces = append(s.nearSurfaces, k)
			return
		}
		s.addContact(id, codeOf(k))
	})
	s.addFloorContacts(i)
}

// closesShape reports whether body i, which is s.mover, comes closer than near to surface k in this
// step, and doesn't overlap it by more than its size.
func (s *Space) closesShape(i, k int32, near float64) bool {
	gap, n, ok := s.statics.TouchOfShape(&s.mover, k, 0, true)
	if !ok || gap < -s.size(i) {
		return false
	}
	x := s.mover.X
	rate := n.Dot(s.mover.Free.Sub(s.statics.At(k).VelocityAt(x, 0)))
	return gap+float64(min(0, rate)*s.Seconds) <= near
}

// addShapePairOfPlaced adds the contact of bodies i, which the game has placed, and j, one of which
// at least has a shape, if they touch and wouldn't bounce.
func (s *Space) addShapePairOfPlaced(i, j int32) {
	c := s.shapeGap(i, j, 0)
	smaller := min(s.size(i), s.size(j))
	if c.Gap > float64(touchTolerance*smaller) || c.Gap < -float64(overlapTolerance*smaller) {
		return
	}
	approach := -c.Normal.Dot(s.startVelocity(i).Sub(s.startVelocity(j)))
	if s.restitution(&s.infos[i].material, &s.infos[j].material, approach) == 0 {
		s.addContact(s.infos[i].id, s.infos[j].id)
	}
}

// continueShapeOnNextTile is continueOnNextTile for a body with a shape.
func (s *Space) continueShapeOnNextTile(c *contact) {
	i := s.index[c.a]
	from := surfaceOf(c.b)
	size := s.size(i)
	if !s.statics.Exists(from) || s.statics.At(from).Rotates() {
		return
	}
	velocity := s.statics.At(from).Velocity
	before := s.bodies[i].x.AddScaled(-s.Seconds, s.startVelocity(i).Sub(velocity))
	_, was := s.gapAt(i, before, from, 0) // the normal of the contact before the body has left it
	best, next := 0.5, int32(-1)
	s.setMover(&s.mover, i, s.bodies[i].x, collide.Vec3{})
	s.statics.EachNearShape(&s.mover, float64(contactLifeReach*size), func(k int32) {
		g := s.statics.At(k)
		if k == from || !s.statics.HasEdges(k) || g.Velocity != velocity || g.Rotates() || !s.maySolveSurface(i, k) {
			return
		}
		gap, n, ok := s.touchOfShape(i, k, true)
		if !ok || gap > float64(touchTolerance*size) && gap > float64(4*contacts.RestGap*size) {
			return
		}
		cosine := n.Dot(was)
		if cosine < best || cosine == best && next >= 0 && s.statics.Compare(k, next) > 0 {
			return
		}
		best, next = cosine, k
	})
	if next < 0 || s.findContact(c.a, codeOf(next)) >= 0 {
		return
	}
	s.addContact(c.a, codeOf(next))
	added := &s.solverContacts[s.findContact(c.a, codeOf(next))]
	added.History, added.logged, added.near = c.History, c.logged, c.near
}

// turningGap returns the gap between body i, when it is at x, and surface f, which rotates, at time
// t, and the unit normal to the body.
func (s *Space) turningGap(f *statics.Surface, i int32, x collide.Vec3, t float64) (gap float64, n collide.Vec3) {
	a := s.shapeOf(i)
	if a == nil {
		return f.Separation(x, s.bodies[i].radius, t)
	}
	g, _ := f.Gap(collide.NewPlaced(a.Exact, x, collide.Quat{}), t)
	return g.Distance, g.Normal
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

// gapNow returns the gap between bodies i and j where they are when a step has ended or begins.
func (s *Space) gapNow(i, j int32) float64 { return s.bodyGap(i, j, 0) }

// gapNear returns the gap between body i and surface k at the start of the step, and the normal of
// the contact that is to be solved.
func (s *Space) gapNear(i, k int32) (gap float64, n collide.Vec3) {
	if s.flags[i]&shaped == 0 {
		return s.gapAt(i, s.bodies[i].x, k, 0)
	}
	gap, n, ok := s.touchOfShape(i, k, true)
	if !ok {
		gap = math.Inf(1)
	}
	return gap, n
}

// shapePersists reports whether bodies i and j, one of which at least has a shape, are still close
// enough for a contact and still collide.
func (s *Space) shapePersists(i, j int32) bool {
	return s.maySolve(i, j) && s.infos[i].material.collides(&s.infos[j].material) &&
		s.gapNow(i, j) <= float64(contactLifeReach*min(s.size(i), s.size(j)))
}

// staysOnTile reports whether the contact of body i, which has a shape, with a surface goes on: the
// two touch along n, or approach. If it has slid off a surface with edges, the contact may continue
// with another one.
func (s *Space) staysOnTile(i int32, c *contact, gap float64, n collide.Vec3) bool {
	k := surfaceOf(c.b)
	if !s.statics.HasEdges(k) || gap <= float64(touchTolerance*s.size(i)) {
		return true
	}
	return n.Dot(s.freeVelocity(i).Sub(s.statics.At(k).VelocityAt(s.bodies[i].x, 0))) < 0
}

// comesNearDriver reports whether body j comes close to the kinematic body i in this step. One of
// them at least has a shape.
func (s *Space) comesNearDriver(i, j int32) bool {
	smaller := min(s.size(i), s.size(j))
	w := s.freeVelocity(j).Sub(s.bodies[i].v)
	c := s.shapeContact(j, i, w)
	return math.Abs(c.Gap) <= smaller &&
		c.Gap+float64(min(0, c.Normal.Dot(w))*s.Seconds) <= float64(nearTolerance*smaller)
}

// probeOf returns a probe of the shape of body i where it is.
func (s *Space) probeOf(i int32) Probe {
	b := &s.bodies[i]
	p := Probe{Sphere: collide.Sphere{Center: b.x, Radius: b.radius}}
	if a := s.shapeOf(i); a != nil {
		p.Shape = collide.NewPlaced(a.Exact, b.x, collide.Quat{})
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
// end of the step.
func (s *Space) shapeTouches(i, k int32) bool {
	touches := false
	size := s.size(i)
	s.eachPart(k, func(k int32) {
		s.statics.EachFacetNear(k, s.bodies[i].x, s.bodies[i].radius+float64(touchTolerance*size), s.Seconds,
			func(k int32) {
				if touches {
					return
				}
				s.setMover(&s.probe, i, s.bodies[i].x, collide.Vec3{})
				gap, _, ok := s.statics.TouchOfShape(&s.probe, k, s.Seconds, false)
				touches = ok && gap <= float64(touchTolerance*size) && s.isSolid(i, k)
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

// reach returns how far body i reaches from its position against the unit vector n, m.
func (s *Space) reach(i int32, n collide.Vec3) float64 {
	a := s.shapeOf(i)
	if a == nil {
		return s.bodies[i].radius
	}
	low, _ := a.Extent(n)
	return a.Radius - low
}

// eachNearMember calls found with the surfaces that body i, a member of a group at x, comes closer
// to than near.
func (s *Space) eachNearMember(i int32, x collide.Vec3, near float64, found func(k int32)) {
	if s.flags[i]&shaped == 0 {
		s.statics.EachApproached(x, collide.Vec3{}, s.bodies[i].radius, near, found)
		return
	}
	s.setMover(&s.mover, i, x, collide.Vec3{})
	s.statics.EachNearShape(&s.mover, near, found)
}

// groupTouch returns the gap and the normal of the contact of body i, a member of a group at x,
// with surface k at time t, and false if other surfaces, for which solid is true, hide it.
func (s *Space) groupTouch(
	i, k int32, x collide.Vec3, t float64, solid func(k int32) bool,
) (gap float64, n collide.Vec3, ok bool) {
	if s.flags[i]&shaped == 0 {
		return s.statics.Touch(k, x, s.bodies[i].radius, t, solid)
	}
	s.setMover(&s.probe, i, x, collide.Vec3{})
	return s.statics.TouchOfShape(&s.probe, k, t, false)
}

// groupPoint returns where body i touches a body (its id) or a surface (its code) in contact c of a
// group at time t: in the middle of the gap.
func (s *Space) groupPoint(i, code int32, c *groupContact, t float64) collide.Vec3 {
	x := s.group.parts[c.a].x
	if s.flags[i]&shaped == 0 {
		return x.AddScaled(-(s.bodies[i].radius + float64(max(c.gap, 0)/2)), c.normal)
	}
	return s.contactPoint(i, code, c.normal, t).AddScaled(-float64(max(c.gap, 0)/2), c.normal)
}

// predictShapeEntry is predictSensorEntry for body i, which has a shape, and sensor j.
func (s *Space) predictShapeEntry(i, j int32, now float64) {
	gap := s.shapeGap(i, j, now).Gap
	tolerance := s.pairTolerance(i, j)
	if s.isInSensor(i, s.infos[j].id) && !(now == 0 && gap > tolerance) {
		return
	}
	if now == 0 && gap < -tolerance {
		s.push(0, i, j)
		return
	}
	sign := s.setShapePair(i, j)
	bi, bj := &s.bodies[i], &s.bodies[j]
	p, w := bi.at(now).Sub(bj.at(now)).Scale(sign), bi.v.Sub(bj.v).Scale(sign)
	if t, _, ok := s.pairQuestion.Sweep(p, w, s.Seconds-now, tolerance, 0); ok {
		s.push(min(now+t, s.Seconds), i, j)
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
