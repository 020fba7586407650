package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/statics"
)

// What bodies that are no spheres (see shape.go) do at an impact and in persistent contacts and
// groups: which contact counts, when it begins, and when it ends.

// shapeContact returns the contact that bodies i and j are about to have at the start of the step,
// if i moves at w relative to j as long as nothing holds it: see [convex.Pair.Near].
func (s *Space) shapeContact(i, j int32, w collide.Vec3) convex.Contact {
	sign := s.setShapePair(i, j)
	v := s.startVelocity(i).Sub(s.startVelocity(j))
	c := s.pairQuestion.Near(s.bodies[i].x.Sub(s.bodies[j].x).Scale(sign), v.Scale(sign), w.Scale(sign),
		s.Seconds, s.pairTolerance(i, j), s.nearReach(min(s.size(i), s.size(j))))
	c.Normal = c.Normal.Scale(sign)
	return c
}

// restContact returns the contact of bodies i and j, one of which rests on the other. near is that
// which they would be about to have if no contact acted, which is not how they move. If they are
// apart along another axis, by more than gaps are, that has the contact, so that they touch.
func (s *Space) restContact(i, j int32, near convex.Contact) convex.Contact {
	now := s.shapeGap(i, j, 0)
	if now.Gap <= float64(2*contacts.RestGap*min(s.size(i), s.size(j))) {
		return near
	}
	return now
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

// comesNearShape is comesNear for bodies of which one at least has a shape.
func (s *Space) comesNearShape(k, i, j int32) bool {
	smaller := min(s.size(i), s.size(j))
	travel := min(s.driverTravel, smaller)
	w := s.contactSolver.FreeVelocity(k).Sub(s.freeVelocity(j))
	c := s.shapeContact(i, j, w)
	return c.Gap <= float64(searchReach*smaller)+travel &&
		c.Gap+float64(s.Seconds*min(0, c.Normal.Dot(w))) <= float64(nearTolerance*smaller)+travel &&
		!s.passesCorner(i, j, w)
}

// listSurfacesNearShape is listSurfacesNear for a body with a shape.
func (s *Space) listSurfacesNearShape(i int32, free collide.Vec3) {
	near := s.nearReach(s.size(i))
	s.setMover(&s.mover, i, s.bodies[i].x, s.startVelocity(i))
	s.mover.Free = free
	s.statics.EachNearShape(&s.mover, near, func(k int32) {
		if s.maySolveSurface(i, k) && s.closesShape(i, k, near) {
			s.nearSurfaces = append(s.nearSurfaces, k)
		}
	})
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
	move := s.startVelocity(i).Sub(velocity).Scale(s.Seconds)
	before := s.bodies[i].x.Sub(move)
	// The contact before the body has left it, or has passed it within the last step.
	s.setMover(&s.probe, i, before, s.startVelocity(i))
	height, was, ok := s.statics.TouchOfShape(&s.probe, from, 0, true)
	if !ok {
		height, was = s.gapAt(i, before, from, 0)
	}
	height += was.Dot(move) // over the face that the body has been on
	reach := max(float64(touchTolerance*size), height+float64(overlapTolerance*size))
	reach = min(reach, float64(contactLifeReach*size)) // what has ended because of its gap doesn't continue
	best, next := 0.5, int32(-1)
	s.setMover(&s.mover, i, s.bodies[i].x, collide.Vec3{})
	s.statics.EachNearShape(&s.mover, float64(contactLifeReach*size), func(k int32) {
		g := s.statics.At(k)
		if k == from || !s.statics.HasEdges(k) || g.Velocity != velocity || g.Rotates() || !s.maySolveSurface(i, k) {
			return
		}
		gap, n, ok := s.touchOfShape(i, k, true)
		if !ok || gap > reach {
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
	return s.maySolve(i, j) && s.mayCollide(i, j) &&
		s.gapNow(i, j) <= float64(contactLifeReach*min(s.size(i), s.size(j))) &&
		!s.passesCorner(i, j, s.freeVelocity(i).Sub(s.freeVelocity(j)))
}

// passesCorner reports whether bodies i and j only pass each other with edges or corners, if i
// moves at w relative to j as long as nothing holds it: see [convex.Pair.Passes].
func (s *Space) passesCorner(i, j int32, w collide.Vec3) bool {
	sign := s.setShapePair(i, j)
	v := s.startVelocity(i).Sub(s.startVelocity(j))
	return s.pairQuestion.Passes(s.bodies[i].x.Sub(s.bodies[j].x).Scale(sign), v.Scale(sign), w.Scale(sign),
		s.Seconds, s.pairTolerance(i, j), min(s.size(i), s.size(j)))
}

// isCloseToBody reports whether bodies i and j, whose gap is at most limit, are no farther apart
// than that. Where polytopes are closest at corners, their gap, which is along an axis, is smaller.
func (s *Space) isCloseToBody(i, j int32, limit float64) bool {
	a, b := s.shapeOf(i), s.shapeOf(j)
	if a == nil || b == nil || a.Radius > 0 || b.Radius > 0 {
		return true
	}
	if distance, ok := convex.BoxDistance(a, b, s.bodies[i].x.Sub(s.bodies[j].x)); ok {
		return distance <= limit
	}
	s.setShapePair(i, j)
	if within, known := s.pairQuestion.IsWithin(s.bodies[i].x.Sub(s.bodies[j].x), limit); known {
		return within
	}
	return s.separateBody(collide.NewPlaced(a.Exact, s.bodies[i].x, collide.Quat{}), j).Distance <= limit
}

// isCloseToSurface is isCloseToBody for body i and surface k at the end of the step.
func (s *Space) isCloseToSurface(i, k int32, limit float64) bool {
	a := s.shapeOf(i)
	if a == nil || a.Radius > 0 {
		return true
	}
	s.setMover(&s.probe, i, s.bodies[i].x, collide.Vec3{})
	g, ok := s.statics.GapOfShape(&s.probe, k, s.Seconds)
	return ok && g.Distance <= limit
}

// staysOnTile reports whether the contact of body i, which has a shape, with a surface goes on: the
// two touch along n, or approach. What is round has to be close, too: where it passes the other
// side, the gap along n, with which they will touch, is smaller than the real one. If the body has
// slid off a surface with edges, the contact may continue with another one; not if it bears load
// across the gap that contacts keep open, or what rests would change tiles in each step.
func (s *Space) staysOnTile(i int32, c *contact, gap float64, n collide.Vec3) bool {
	k := surfaceOf(c.b)
	if gap <= float64(touchTolerance*s.size(i)) ||
		c.NormalImpulse > 0 && gap <= float64(2*contacts.RestGap*s.size(i)) {
		return true
	}
	if s.statics.HasEdges(k) && !(n.Dot(s.freeVelocity(i).Sub(s.statics.At(k).VelocityAt(s.bodies[i].x, 0))) < 0) {
		return false
	}
	if c.NormalImpulse > 0 || s.shapeOf(i).Radius == 0 && s.kindOf(c.b) != statics.Capsule {
		return true
	}
	gap, _, _ = s.touchOfShape(i, k, false)
	return gap <= float64(contactLifeReach*s.size(i))
}

// comesNearDriver reports whether body j comes close to the kinematic body i in this step. One of
// them at least has a shape.
func (s *Space) comesNearDriver(i, j int32) bool {
	smaller := min(s.size(i), s.size(j))
	v := s.bodies[i].v
	c := s.shapeContact(j, i, s.freeVelocity(j).Sub(v))
	return math.Abs(c.Gap) <= smaller &&
		c.Gap+float64(s.towards(j, c.Normal, v)*s.Seconds) <= float64(nearTolerance*smaller)
}

// eachNearMember calls found with the surfaces that body i, a member of a group at x, comes closer
// to than near.
func (s *Space) eachNearMember(i int32, x collide.Vec3, near float64, found func(k int32)) {
	if s.flags[i]&shaped == 0 {
		every := func(int32) bool { return true }
		s.statics.EachApproached(nil, x, collide.Vec3{}, s.bodies[i].radius, near, every, found)
		return
	}
	s.setMover(&s.mover, i, x, collide.Vec3{})
	s.statics.EachNearShape(&s.mover, near, found)
}

// groupTouch returns the gap and the normal of the contact of body i, a member of a group at x,
// with surface k at time t, and false if other surfaces hide it.
func (s *Space) groupTouch(
	i, k int32, x collide.Vec3, t float64, hides statics.Hides,
) (gap float64, n collide.Vec3, ok bool) {
	if s.flags[i]&shaped == 0 {
		return s.statics.Touch(nil, k, x, s.bodies[i].radius, t, hides)
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
