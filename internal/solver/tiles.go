package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Floors of tiles. A body on polygons that lie in one plane has one contact with all of them, as on
// a plane: with one of those that its centre is above. When it leaves that one, the contact
// continues with the next one, with the same impulses.

// continueOnNextTile continues contact c, whose body has left the polygon, with the next tile.
func (s *Space) continueOnNextTile(c *contact) {
	if s.flags[s.index[c.a]]&shaped != 0 {
		s.continueShapeOnNextTile(c)
		return
	}
	if c.next < 0 || s.findContact(c.a, codeOf(c.next)) >= 0 {
		return
	}
	s.addContact(c.a, codeOf(c.next))
	added := &s.solverContacts[s.findContact(c.a, codeOf(c.next))]
	added.History, added.logged, added.near = c.History, c.logged, c.near
}

// nextTile returns a polygon that is the same floor as that of contact c, which its body has left:
// it lies in the same plane, or touches the body. If there are several, it is the one whose normal
// is closest to that of the polygon, and then the one with the smaller key. It returns -1 if there
// is none, or if the body has a shape.
func (s *Space) nextTile(c *contact) int32 {
	i := s.index[c.a]
	if s.flags[i]&shaped != 0 {
		return -1
	}
	b, from := &s.bodies[i], surfaceOf(c.b)
	f := s.statics.At(from)
	best, next := 0.5, int32(-1) // not around a corner of more than 60 degrees
	ball := collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + contactLifeReach))}
	s.statics.EachSolidNear(s.around(i), ball, func(k int32) {
		g := s.statics.At(k)
		if k == from || !s.statics.HasEdges(k) || g.Velocity != f.Velocity ||
			g.Rotates() || f.Rotates() || !s.maySolveSurface(i, k) {
			return
		}
		gap, n, ok := s.touchOf(i, k)
		if !ok {
			return
		}
		face, height, ok := s.statics.FaceHeight(s.around(i), from, b.x, n, 0)
		cosine := math.Abs(n.Dot(face))
		if !ok || cosine < best || cosine == best && next >= 0 && s.statics.Compare(k, next) > 0 {
			return
		}
		was := math.Abs(height) - b.radius // the gap to the plane that the body has been on
		same := cosine > 1-sameFloorTilt && gap <= float64(contactLifeReach*b.radius) && isSameGap(gap, was, b.radius)
		if gap > float64(touchTolerance*b.radius) && !same {
			return
		}
		best, next = cosine, k
	})
	return next
}

// sameFloorTilt is the angle between two faces, squared and halved, up to which they are one floor:
// 1e-6 rad. It is far above rounding, and too small to be seen.
const sameFloorTilt = 0x1p-40

// isSameGap reports whether two gaps of a body with the given radius are the same up to what counts
// as an overlap.
func isSameGap(a, b, radius float64) bool { return math.Abs(a-b) <= float64(overlapTolerance*radius) }

// isOnSameFloor reports whether body i has a contact with another polygon than k that has the same
// gap and normal. A contact with k would be the same one again.
func (s *Space) isOnSameFloor(i, k int32, gap float64, n collide.Vec3) bool {
	if !s.statics.HasEdges(k) {
		return false
	}
	for at := s.firstContact[s.infos[i].id]; at >= 0; at = s.contactLinks[at].next {
		other := surfaceOf(s.contactLinks[at].b)
		if other < 0 || other == k {
			continue
		}
		f := s.statics.At(other)
		if !s.statics.HasEdges(other) || f.Rotates() || f.Velocity != s.statics.At(k).Velocity {
			continue
		}
		if g, m, ok := s.touchOf(i, other); ok && n.Dot(m) >= 1-sameFloorTilt && isSameGap(gap, g, s.size(i)) {
			return true
		}
	}
	return false
}

// addFloorContacts adds the contacts of body i with the surfaces of s.nearSurfaces that it touches,
// one for each floor.
func (s *Space) addFloorContacts(i int32) {
	slices.SortFunc(s.nearSurfaces, s.statics.Compare) // the tree's order must not decide
	for _, k := range s.nearSurfaces {
		if gap, n, ok := s.touchOf(i, k); ok && !s.isOnSameFloor(i, k, gap, n) {
			s.addContact(s.infos[i].id, codeOf(k))
		}
	}
}
