package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// touchTolerance is how far apart, as a fraction of a radius, two bodies may be and still touch.
// Resting and sliding leave gaps of a few roundings, some 2^-50. A smaller value ends contacts
// that last; with a larger one, two bodies that have parted still count as touching for some
// steps.
const touchTolerance = 0x1p-20

// closingContact is a contact with which the contact solver or a jam closes a gap within the step.
type closingContact struct {
	a, b     int32   // as in contact
	approach float64 // when it got its impulse, m/s; at least 0
	impulse  float64 // N·s
	impact   bool    // the two approached
	persists bool    // it is a persistent contact from now on
	hard     bool    // the two come as close as they touch; others keep a gap (contacts.RestGap)
}

// noteBegun takes note of contact c, whose two sides begin to press on each other in this step. If
// they touch, that is logged at once. Otherwise they touch at the end of the step, if nothing else
// comes between.
//
// If the two approach, it is an impact. Otherwise, as on the next tile of a floor, a contact begins
// without one.
func (s *Space) noteBegun(c *contact) {
	solver := &s.contactSolver
	a, b := solver.Bodies(c.constraint)
	n := solver.Normal(c.constraint)
	approach := solver.ApproachSpeed(a, b, n)
	speeds := solver.StartVelocity(a).SumAbs() + solver.StartVelocity(b).SumAbs()
	begun := closingContact{
		a: c.a, b: c.b, approach: max(approach, 0), impulse: c.NormalImpulse, persists: true,
		impact: approach > float64(touchTolerance*speeds), hard: solver.IsHard(c.constraint),
	}
	if c.touches && s.touchesAlready(c) {
		s.logContact(&begun, n, 0)
	} else {
		s.closingContacts = append(s.closingContacts, begun)
	}
}

// touchesAlready reports whether the two sides of a contact, whose gap along its normal is closed
// when the step starts, touch: a shape may still be beside the surface, above its plane.
func (s *Space) touchesAlready(c *contact) bool {
	i := s.index[c.a]
	if c.b >= 0 || s.flags[i]&shaped == 0 {
		return true
	}
	gap, _ := s.gapAt(i, s.bodies[i].x, surfaceOf(c.b), 0)
	return gap <= float64(touchTolerance*s.size(i))
}

// noteClosing takes note of the contact of body i with code, a body's id or a surface's code, in a
// jam that acts across its gap. If the gap is closed at the end of the step, that is logged.
func (s *Space) noteClosing(i, code, logBody int32, approach, impulse float64, impact, persists bool) {
	if !s.owns(logBody) {
		return
	}
	if impact {
		s.Counts.Impacts++
	}
	c := closingContact{s.infos[i].id, code, approach, impulse, impact, persists, false}
	if c.b >= 0 && c.b < c.a {
		c.a, c.b = c.b, c.a
	}
	s.addClosing(&c)
}

// addClosing adds a contact to those that close a gap, and to the persistent contacts.
func (s *Space) addClosing(c *closingContact) {
	s.closingContacts = append(s.closingContacts, *c)
	if c.persists && s.subdomain == nil {
		s.addContact(c.a, c.b)
	}
}

// logClosed logs the contacts that have closed their gaps by the end of the step, unless an impact
// has been logged since.
func (s *Space) logClosed() {
	before := s.log.Len()
	s.mergeClosing()
	for k := range s.closingContacts {
		c := &s.closingContacts[k]
		at := s.findContact(c.a, c.b)
		i := s.index[c.a]
		if at >= 0 && s.solverContacts[at].logged || !s.isClosed(c) || !s.mayTouch(c.a, s.ownerOf(c.b)) {
			continue
		}
		n := collide.Vec3{}
		if c.b >= 0 {
			n = s.normalBetween(i, s.index[c.b], 0)
		} else {
			_, n = s.gapAt(i, s.bodies[i].x, surfaceOf(c.b), s.Seconds)
		}
		s.logContact(c, n, s.Seconds)
	}
	s.log.SortFrom(before)
}

// isClosed reports whether a contact has closed its gap. What a hard contact with a surface has
// left of its gap it closes in the next step.
func (s *Space) isClosed(c *closingContact) bool {
	i := s.index[c.a]
	if c.hard && c.b < 0 {
		return s.gap(i, surfaceOf(c.b)) <= float64(touchTolerance*s.size(i))
	}
	return s.isAtRestDistance(i, c.b)
}

// mergeClosing makes one of all notes about a pair, which may be in many jams of a step: with
// the fastest approach, and the sum of the impulses. Subdomains note them in another order.
func (s *Space) mergeClosing() {
	all := s.closingContacts
	slices.SortFunc(all, func(a, b closingContact) int {
		return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b), cmp.Compare(b.approach, a.approach),
			cmp.Compare(a.impulse, b.impulse))
	})
	merged := all[:0]
	for k := range all {
		c, last := &all[k], len(merged)-1
		if last < 0 || merged[last].a != c.a || merged[last].b != c.b {
			merged = append(merged, *c)
			continue
		}
		merged[last].impulse += c.impulse
		merged[last].impact = merged[last].impact || c.impact
		merged[last].hard = merged[last].hard && c.hard
	}
	s.closingContacts = merged
}

// logContact logs at time t that a contact begins, with or without an impact. The normal n points
// to body a.
func (s *Space) logContact(c *closingContact, n collide.Vec3, t float64) {
	s.markLogged(c.a, c.b) // contacts with other facets of the same mesh, too
	body, side, other := s.index[c.a], n, c.b
	key := s.pathKey(s.index[c.a])
	if c.b >= 0 {
		theirs := s.pathKey(s.index[c.b])
		if theirs < key { // the point is on the same body, whichever was created first
			body, side, other = s.index[c.b], n.Neg(), c.a
		}
		key += theirs
	} else {
		key += s.statics.Key(surfaceOf(c.b))
	}
	e := s.log.Add()
	e.Time, e.Point, e.Normal = t, s.pointAtRest(body, other, side, t), n
	e.A, e.B, e.Key, e.Kind = c.a, s.ownerOf(c.b), key, eventlog.Begin
	if c.impact {
		e.Approach, e.Impulse, e.Kind = c.approach, c.impulse, eventlog.Begin|eventlog.Impact
	}
	s.Counts.inelastic++
}

// updateContacts finds which contacts began and ended in the step. A contact begins with an
// impact, or when the contact solver closes a gap. It ends with an impact that bounces, or when the
// two are found apart at the end of the step.
func (s *Space) updateContacts() {
	s.logClosed()
	defer func() { s.setSurfaces = s.setSurfaces[:0] }()
	if s.openContacts.Len() == 0 && s.Counts.inelastic == 0 { // every impact bounced: each was a contact of its own
		return
	}
	if s.movingBodies == 0 && s.log.Len() == 0 && s.statics.Moving() == 0 && len(s.vetoes)+len(s.setSurfaces) == 0 {
		return // nothing has changed
	}
	slices.Sort(s.setSurfaces)
	s.openContacts.MarkImpacts(&s.log)
	s.closeContacts()
	s.beginAdjacentContacts()
	s.openContacts.Settle()
}

// closeContacts ends the open contacts that don't last beyond the end of the step.
func (s *Space) closeContacts() {
	if s.chunksLoops {
		s.lasting = grow.Resize(s.lasting, s.openContacts.Len())
	}
	if s.runChunks((*Space).findLasting) {
		s.openContacts.Close(func(k int, _, _ int32) bool { return s.lasting[k] }, s.markUnlogged)
		return
	}
	s.openContacts.Close(func(_ int, a, b int32) bool { return s.keepsTouching(a, b) }, s.markUnlogged)
}

// keepsTouching reports whether an open contact lasts beyond the end of the step.
func (s *Space) keepsTouching(a, b int32) bool {
	return s.rested(a, b) && !s.vetoed(a, b) ||
		(s.areInContact(a, b) || s.touch(a, b, touchTolerance)) && s.mayTouch(a, b)
}

// rested reports whether a body and something else, which touched before the step, have not
// changed since.
func (s *Space) rested(a, b int32) bool {
	if a < 0 {
		a, b = b, a
	}
	if s.flags[s.index[a]]&unchanged == 0 {
		return false
	}
	if b < 0 {
		_, set := slices.BinarySearch(s.setSurfaces, b)
		return !set && s.isUndisturbed(s.index[a])
	}
	return s.flags[s.index[b]]&unchanged != 0
}

// isUndisturbed reports whether neither body i nor any surface near it has changed since before the
// step.
func (s *Space) isUndisturbed(i int32) bool {
	return s.flags[i]&(unchanged|nearMovingSurface) == unchanged
}

// mayTouch reports whether a body and something else are both solid and may still collide: the
// game may have changed their layers, or vetoed the pair for this step.
func (s *Space) mayTouch(a, b int32) bool {
	if a >= 0 && b >= 0 && s.flags[s.index[a]]&s.flags[s.index[b]]&unfiltered != 0 {
		return !s.vetoed(a, b)
	}
	m, o := s.materialOf(a), s.materialOf(b)
	return m.collides(o) && !m.Sensor && !o.Sensor && !s.vetoed(a, b)
}

// touch reports whether a body and something else touch where they are now, at the end of the
// step: up to a gap that is a fraction of the smaller size.
func (s *Space) touch(a, b int32, tolerance float64) bool {
	if a < 0 {
		a, b = b, a
	}
	p := &s.bodies[s.index[a]]
	if i := s.index[a]; b >= 0 && !s.areSpheres(i, s.index[b]) {
		return s.gapNow(i, s.index[b]) <= float64(tolerance*min(s.size(i), s.size(s.index[b])))
	} else if s.flags[i]&shaped != 0 {
		return s.shapeTouches(i, surfaceOf(b), tolerance)
	}
	if b >= 0 {
		q := &s.bodies[s.index[b]]
		return p.x.Distance(q.x) <= p.radius+q.radius+float64(tolerance*min(p.radius, q.radius))
	}
	touches := false
	near := float64(p.radius * (1 + tolerance))
	s.eachPart(surfaceOf(b), func(k int32) {
		s.statics.EachFacetNear(s.around(s.index[a]), k, p.x, near, s.Seconds, func(k int32) {
			if touches {
				return
			}
			gap, _, ok := s.statics.Touch(s.around(s.index[a]), k, p.x, p.radius, s.Seconds,
				func(q, _ int32, _ float64) bool { return s.isSolid(s.index[a], q) })
			touches = ok && gap <= float64(tolerance*p.radius)
		})
	})
	return touches
}

// beginAdjacentContacts begins the contacts of bodies with the surfaces beside those that they
// slide or rest on, such as the tiles of a floor. A ball that rolls from one tile of a floor to the
// next meets no resistance there, and so has no impact with the next tile.
func (s *Space) beginAdjacentContacts() {
	if s.statics.Bounded() == 0 {
		return
	}
	if s.statics.Bounded() > 1 { // otherwise it is the one of the open contact
		for k := range s.openContacts.Len() {
			if p := s.openContacts.Open(k); p.A < 0 || !s.isUndisturbed(s.index[p.A]) {
				s.beginContactsBeside(p)
			}
		}
	}
	for _, p := range s.openContacts.Parted() {
		s.beginContactsBeside(p)
	}
}

// beginContactsBeside is beginAdjacentContacts for one contact, which is open or has ended in this
// step.
func (s *Space) beginContactsBeside(p eventlog.Pair) {
	if p.A >= 0 && p.B < 0 && s.kindOf(p.B) != statics.Plane {
		s.beginTouchedContacts(s.index[p.A])
	}
}

// beginTouchedContacts begins the contacts of body i with all bounded surfaces that it touches and
// neither approaches nor leaves.
func (s *Space) beginTouchedContacts(i int32) {
	b, f := &s.bodies[i], &s.infos[i]
	if s.flags[i]&touchesChecked != 0 {
		return
	}
	s.flags[i] |= touchesChecked
	reach := collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + touchTolerance))}
	box := collide.SweptAABB(reach, collide.Vec3{}, 0)
	s.nearby = s.statics.BoundedNear(box, s.nearby[:0])
	slices.Sort(s.nearby) // the tree's order must not show in the log
	begun := s.nearby[:0] // codes of surfaces; of several parts of one, the first that touches counts
	for _, k := range s.nearby {
		code := s.ownerOf(codeOf(k))
		if slices.Contains(begun, code) || s.openContacts.Has(f.id, code) || !s.touch(f.id, code, touchTolerance) ||
			!s.mayTouch(f.id, code) || s.passes(i, k, b.x, s.Seconds) {
			continue
		}
		gap, n := s.gapAt(i, b.x, k, s.Seconds)
		if gap > float64(2*touchTolerance*s.size(i)) {
			continue // another part of the surface touches
		}
		point := s.pointNow(i, codeOf(k), n)
		u := s.statics.At(k).VelocityAt(point, s.Seconds)
		if math.Abs(n.Dot(b.v.Sub(u))) > float64(touchTolerance*(b.v.SumAbs()+u.SumAbs())) {
			continue // it approaches or leaves
		}
		begun = append(begun, code)
		s.openContacts.Begin(f.id, code)
		*s.log.Add() = eventlog.Entry{
			Time: s.Seconds, Point: point, Normal: n, A: f.id, B: code, Kind: eventlog.Begin,
		}
	}
}

// Touching calls yield with everything that a body or surface touches after the step, and with
// every sensor that it is in or, for a sensor, every body in it. It looks at nothing else, apart
// from the first call after a change, which prepares an index of all contacts.
func (s *Space) Touching(h Handle, yield func(other Handle, sensor bool) bool) {
	code := int32(h)
	if !s.openContacts.Of(code, func(other int32) bool { return yield(Handle(other), false) }) {
		return
	}
	if s.overlapsChanged {
		s.overlapsOf.Build(len(s.sensorOverlaps), func(k int) eventlog.Pair {
			if t := &s.sensorOverlaps[k]; t.visitor != noVisitor {
				return eventlog.Pair{A: t.visitor, B: t.sensor}
			}
			return eventlog.Pair{} // unused
		})
		s.overlapsChanged = false
	}
	s.overlapsOf.Each(code, func(k int) bool {
		if t := s.sensorOverlaps[k]; t.visitor != noVisitor {
			if other, ok := (eventlog.Pair{A: t.visitor, B: t.sensor}).Other(code); ok {
				return yield(Handle(other), true)
			}
		}
		return true
	})
}

// Between returns where two things touch, and the normal from the second to the first. Of two
// surfaces, one is a sensor and the other in it.
func (s *Space) Between(a, b Handle) (point, normal collide.Vec3) {
	if a.IsSurface() && b.IsSurface() {
		return s.betweenSurfaces(a, b)
	}
	if a.IsSurface() || !b.IsSurface() && s.Material(a).Sensor && !s.Material(b).Sensor {
		point, normal = s.Between(b, a)
		return point, normal.Neg()
	}
	i := s.index[a.Body()]
	p := &s.bodies[i]
	if !b.IsSurface() {
		normal = s.normalBetween(s.index[a.Body()], s.index[b.Body()], 0)
	} else {
		nearest := math.Inf(1)
		s.eachPart(b.Surface(), func(k int32) {
			if gap, n := s.gapAt(i, p.x, k, s.queryTime); gap < nearest {
				nearest, normal = gap, n
			}
		})
	}
	if s.flags[i]&shaped != 0 {
		return s.pointBetween(i, b, normal), normal
	}
	return p.x.AddScaled(-p.radius, normal), normal
}

// normalBetween returns the unit vector at time t of the step from body j to body i. If their
// centres coincide, it is opposed to the velocity of i relative to j, or +Y if that is zero.
func (s *Space) normalBetween(i, j int32, t float64) collide.Vec3 {
	a, b := &s.bodies[i], &s.bodies[j]
	if !s.areSpheres(i, j) {
		return s.shapeGap(i, j, t).Normal
	}
	for _, d := range [2]collide.Vec3{s.at(i, t).Sub(s.at(j, t)), b.v.Sub(a.v)} {
		if n, ok := d.Normalized(); ok {
			return n
		}
	}
	return collide.Vec3{Y: 1}
}

// Forget ends every contact and sensor overlap of a body or a surface that is about to be removed,
// and calls ended with each. It names the two in the order in which the contact began, and the
// sensor last.
func (s *Space) Forget(h Handle, ended func(a, b Handle, sensor bool)) {
	code := int32(h)
	s.openContacts.Forget(code, func(a, b int32) { ended(Handle(a), Handle(b), false) })
	for at := range s.sensorOverlaps {
		k := &s.sensorOverlaps[at]
		if k.visitor == noVisitor || k.visitor != code && k.sensor != code {
			continue
		}
		ended(Handle(k.visitor), Handle(k.sensor), true)
		s.removeOverlap(int32(at))
	}
}
