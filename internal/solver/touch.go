package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/statics"
)

// touchTolerance is how far apart, as a fraction of a radius, two bodies may be and still touch.
// Resting and sliding leave gaps of a few roundings, some 2^-50. A smaller value ends contacts
// that last; with a larger one, two bodies that have parted still count as touching for some
// steps.
const touchTolerance = 0x1p-20

// updateContacts finds which contacts began and ended in the step. A contact begins with an
// impact. It ends with an impact that bounces, or when the two are found apart at the end of the
// step.
func (s *Space) updateContacts() {
	if s.openContacts.Len() == 0 && s.Counts.inelastic == 0 { // every impact bounced: each was a contact of its own
		return
	}
	if s.movingBodies == 0 && s.log.Len() == 0 && s.statics.Moving() == 0 && len(s.vetoes) == 0 { // nothing has changed
		return
	}
	s.openContacts.Follow(&s.log)
	s.openContacts.Close(s.keepsTouching, s.markUnlogged)
	s.touchTiles()
	s.openContacts.Settle()
}

// keepsTouching reports whether an open contact lasts beyond the end of the step.
func (s *Space) keepsTouching(a, b int32) bool {
	return s.rested(a, b) || (s.areInContact(a, b) || s.touch(a, b)) && s.mayTouch(a, b)
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
	return b >= 0 && s.flags[s.index[b]]&unchanged != 0
}

// mayTouch reports whether a body and something else are both solid and may still collide: the
// game may have changed their layers, or vetoed the pair for this step.
func (s *Space) mayTouch(a, b int32) bool {
	m, o := s.Material(a), s.Material(b)
	return m.collides(&o) && !m.Sensor && !o.Sensor && !s.vetoed(a, b)
}

// touch reports whether a body and something else touch where they are now, at the end of the step.
func (s *Space) touch(a, b int32) bool {
	if a < 0 {
		a, b = b, a
	}
	p := &s.bodies[s.index[a]]
	if b >= 0 {
		q := &s.bodies[s.index[b]]
		return p.x.Distance(q.x) <= p.radius+q.radius+float64(touchTolerance*min(p.radius, q.radius))
	}
	return s.gap(p, surfaceCode-b) <= float64(touchTolerance*p.radius)
}

// touchTiles begins the contacts of bodies with the surfaces beside those that they slide or rest
// on, such as the tiles of a floor. A ball that rolls from one tile of a floor to the next meets
// no resistance there, and so has no impact with the next tile.
func (s *Space) touchTiles() {
	if !s.statics.HasBounded() {
		return
	}
	for k := range s.openContacts.Len() {
		s.touchTilesBeside(s.openContacts.Open(k))
	}
	for _, p := range s.openContacts.Parted() {
		s.touchTilesBeside(p)
	}
}

// touchTilesBeside is touchTiles for one contact, which is open or has ended in this step.
func (s *Space) touchTilesBeside(p eventlog.Pair) {
	if p.A >= 0 && p.B < 0 && s.kindOf(p.B) != statics.Plane {
		s.touchBounded(s.index[p.A])
	}
}

// touchBounded begins the contacts of body i with all bounded surfaces that it touches and neither
// approaches nor leaves.
func (s *Space) touchBounded(i int32) {
	b, f := &s.bodies[i], &s.infos[i]
	if s.flags[i]&tilesChecked != 0 {
		return
	}
	s.flags[i] |= tilesChecked
	reach := collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + touchTolerance))}
	box := collide.SweptAABB(reach, collide.Vec3{}, 0)
	s.nearby = s.statics.BoundedNear(box, s.nearby[:0])
	slices.Sort(s.nearby) // the tree's order must not show in the log
	for _, k := range s.nearby {
		code := surfaceCode - k
		if s.openContacts.Has(f.id, code) || !s.touch(f.id, code) || !s.mayTouch(f.id, code) {
			continue
		}
		_, n := s.separation(b, k, s.Seconds)
		u := s.statics.At(k).Velocity
		if math.Abs(n.Dot(b.v.Sub(u))) > float64(touchTolerance*(b.v.SumAbs()+u.SumAbs())) {
			continue // it approaches or leaves
		}
		s.openContacts.Begin(f.id, code)
		*s.log.Add() = eventlog.Entry{
			Time: s.Seconds, Point: b.x.AddScaled(-b.radius, n), Normal: n, A: f.id, B: code, Kind: eventlog.Begin,
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
			if t := &s.sensorOverlaps[k]; t.visitor >= 0 {
				return eventlog.Pair{A: t.visitor, B: t.sensor}
			}
			return eventlog.Pair{} // unused
		})
		s.overlapsChanged = false
	}
	s.overlapsOf.Each(code, func(k int) bool {
		if t := s.sensorOverlaps[k]; t.visitor >= 0 {
			if other, ok := (eventlog.Pair{A: t.visitor, B: t.sensor}).Other(code); ok {
				return yield(Handle(other), true)
			}
		}
		return true
	})
}

// Between returns where two things touch, one of which is a body at least, and the normal from
// the second to the first.
func (s *Space) Between(a, b Handle) (point, normal collide.Vec3) {
	if a.IsSurface() || !b.IsSurface() && s.Material(int32(a)).Sensor && !s.Material(int32(b)).Sensor {
		point, normal = s.Between(b, a)
		return point, normal.Neg()
	}
	p := &s.bodies[s.index[a.Body()]]
	if !b.IsSurface() {
		normal, _ = p.x.Sub(s.bodies[s.index[b.Body()]].x).Normalized()
	} else {
		_, normal = s.separation(p, b.Surface(), s.queryTime)
	}
	return p.x.AddScaled(-p.radius, normal), normal
}

// Forget ends every contact and sensor overlap of a body or a surface that is about to be removed,
// and calls ended with each. It names the two in the order in which the contact began, and the
// sensor last.
func (s *Space) Forget(h Handle, ended func(a, b Handle, sensor bool)) {
	code := int32(h)
	s.openContacts.Forget(code, func(a, b int32) { ended(Handle(a), Handle(b), false) })
	for at := range s.sensorOverlaps {
		k := &s.sensorOverlaps[at]
		if k.visitor < 0 || k.visitor != code && k.sensor != code {
			continue
		}
		ended(Handle(k.visitor), Handle(k.sensor), true)
		s.removeOverlap(int32(at))
	}
}
