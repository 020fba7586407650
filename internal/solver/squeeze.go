package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// Squeezing. Contacts that close in on a body push it out to the side, the faster the smaller the
// angle between them. A body that would get far faster than all else, or that friction holds, is
// crushed instead: it stops, and what pushes it does, too.

// isSqueezed reports whether the contacts in s.slideScratch, which are in the order of those along
// which body i slides, must not change its velocity from v to after, since that is too fast, or
// since friction holds the body. Two that face each other but for a millionth, and close in by
// rounding, would make it too fast.
func (s *Space) isSqueezed(i int32, v, after collide.Vec3) bool {
	fastest, speed := s.fastestAround(i, v), after.SumAbs()
	return speed > float64(contacts.MaxSqueezeSpeed*fastest) ||
		speed > float64(wedgeFactor*fastest) && s.isHeldInWedge(i)
}

// fastestAround returns the largest speed of body i, which moves at v, and of what it slides along,
// as a sum of components.
func (s *Space) fastestAround(i int32, v collide.Vec3) float64 {
	fastest := v.SumAbs()
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		k := &s.slideContacts[at]
		if k.other < 0 && s.statics.At(surfaceOf(k.other)).Turns() {
			fastest = max(fastest, k.Velocity.SumAbs())
			continue
		}
		fastest = max(fastest, s.meanVelocity(k.other).SumAbs())
	}
	return fastest
}

// wedgeFactor is how many times as fast as all else a body would have to become for isSqueezed to
// ask whether friction holds it: farther from 1 than rounding, and nearer than any wedge leads.
const wedgeFactor = 1 + 0x1p-20

// isHeldInWedge reports whether friction holds body i between two of the contacts in s.slideScratch
// that close in on it.
//
// Between two surfaces at an angle, friction holds a body if forces within the cones of friction
// around both normals can be opposite: if the angle is at most the sum of the angles of friction. A
// ball that can rotate is held only if the two forces act along the line through both points of
// contact, which is half of the angle off each normal.
func (s *Space) isHeldInWedge(i int32) bool {
	a := s.infos[i].slideContacts
	for k := range s.slideScratch {
		b := s.slideContacts[a].next
		for l := k + 1; b >= 0; l++ {
			if closeIn(&s.slideScratch[k], &s.slideScratch[l]) && s.holdsBetween(i, a, b) {
				return true
			}
			b = s.slideContacts[b].next
		}
		a = s.slideContacts[a].next
	}
	return false
}

// closeIn reports whether one of two contacts of a body is at rest, and the other one moves towards
// it. Between two that move, the body would have to move with one of them to be held.
func closeIn(a, b *collide.SlideContact) bool {
	u := a.Velocity.Sub(b.Velocity)
	return a.Normal.Dot(u) > 0 && b.Normal.Dot(u) < 0 &&
		(a.Velocity == collide.Vec3{} || b.Velocity == collide.Vec3{})
}

// holdsBetween reports whether friction holds body i between the slide contacts a and b, which
// close in on it.
func (s *Space) holdsBetween(i, a, b int32) bool {
	p, q := &s.slideContacts[a], &s.slideContacts[b]
	first, second := s.holdingFriction(i, p.other), s.holdingFriction(i, q.other)
	if s.flags[i]&hasSpin != 0 {
		first = min(first, second)
		second = first
	}
	cosine := -p.Normal.Dot(q.Normal)
	// cosine >= cos(atan(first) + atan(second))
	return first > 0 && second > 0 &&
		cosine*math.Sqrt((1+float64(first*first))*(1+float64(second*second))) >= 1-float64(first*second)
}

// holdingFriction returns the coefficient of dynamic friction of body i with code, a body's id or a
// surface's code; 0 if code is a conveyor belt, whose friction moves the body.
func (s *Space) holdingFriction(i, code int32) float64 {
	if code >= 0 {
		return s.combineFriction(&s.infos[i].material, &s.infos[s.index[code]].material).Dynamic
	}
	f := s.infoOf(code)
	if f.surfaceVelocity != (collide.Vec3{}) {
		return 0
	}
	return s.combineFriction(&s.infos[i].material, &f.material).Dynamic
}

// isWedged reports whether a body that moves at v cannot yield to something immovable that moves at
// u, since its locked axes would let it do so only at a speed that is far above that of both. The
// normal n points to the body, and free is n without the locked axes.
func isWedged(n, free, v, u collide.Vec3) bool {
	return n.Dot(u) > float64(contacts.MaxSqueezeSpeed*float64(free.Length()*max(u.SumAbs(), v.SumAbs())))
}

// crushBody halts body i, since what is around it closes in on it: it sets the velocity to zero and
// the budget so that spendBudget halts the body. It returns the results of slideAlong.
func (s *Space) crushBody(i int32, n collide.Vec3) (v collide.Vec3, impulse float64, ok bool) {
	s.infos[i].slideContacts, s.infos[i].budget = -1, crushedBudget
	s.setAcceleration(i, collide.Vec3{})
	return collide.Vec3{}, n.Dot(s.bodies[i].v.Neg()) / s.bodies[i].inverseMass, true
}
