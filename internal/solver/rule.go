package solver

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
)

// ContactSettings is a contact about which Settings.ContactRule decides.
type ContactSettings struct {
	A, B       Handle       // A is a body, B a body with a larger id or a surface
	Time       float64      // seconds into the step
	Point      collide.Vec3 // where they touch
	Normal     collide.Vec3 // unit length, from B to A
	Approach   float64      // closing speed along the normal, m/s
	Persistent bool         // contact that is solved when the step begins, and no impact

	// What the rule may change.
	Ignore          bool    // the two ignore each other until they are apart
	Restitution     float64 // 0 to 1
	Friction        FrictionCoefficients
	SurfaceVelocity collide.Vec3 // of B, if that is a surface, m/s
}

// ruleOn asks the contact rule about a contact at time t of body i with code, a body's index or a
// surface's code. The unit normal n points to body i. The result has the settings, and is valid
// until the next call. If the two are to ignore each other, ruleOn vetoes the pair.
func (s *Space) ruleOn(i, code int32, n collide.Vec3, approach, t float64, persistent bool) *ContactSettings {
	named := code // by the id of a body
	if code >= 0 {
		named = s.infos[code].id
	}
	c := &s.ruled
	*c = ContactSettings{
		A: BodyHandle(s.infos[i].id), Time: t, Point: s.contactPoint(i, named, n, t), Normal: n,
		Approach: approach, Persistent: persistent,
	}
	own := &s.infos[i].material
	var other *Material
	if code >= 0 {
		other = &s.infos[code].material
		c.B = BodyHandle(named)
		if c.B < c.A {
			c.A, c.B, c.Normal = c.B, c.A, n.Neg()
		}
	} else {
		info := s.infoOf(code)
		other = &info.material
		c.B, c.SurfaceVelocity = Handle(s.ownerOf(code)), info.surfaceVelocity
	}
	c.Restitution, c.Friction = s.combineRestitution(own, other), s.combineFriction(own, other)
	s.ContactRule(c)
	if c.Ignore {
		key := eventlog.KeyOf(int32(c.A), int32(c.B))
		s.Veto(c.A, c.B)
		s.ignored = append(s.ignored, key)
	}
	return c
}

// ignoreImpact asks the contact rule about an impact. It reports whether the two sides ignore each
// other; then they stay on their paths, and what they meet next is predicted.
func (s *Space) ignoreImpact(i, code int32, n collide.Vec3, approach, t float64) bool {
	s.ruling = *s.ruleOn(i, code, n, max(approach, 0), t, false)
	if !s.ruling.Ignore {
		return false
	}
	for _, k := range [2]int32{i, code} {
		if k >= 0 {
			s.setPath(k, s.at(k, t), s.bodies[k].v, t)
			s.repredict(k, t)
		}
	}
	return true
}

// impactRestitution returns the restitution of the impact that is being resolved, between two
// materials at a closing speed in m/s.
func (s *Space) impactRestitution(a, b *Material, closing float64) float64 {
	if s.ContactRule != nil {
		return s.restitutionAt(s.ruling.Restitution, closing)
	}
	return s.restitution(a, b, closing)
}

// isRough reports whether friction may act in the impact that is being resolved, between two
// materials. Where the rule of one makes all coefficients 0, those of the other don't count: a
// bounce without friction doesn't end what contacts do to a body's spin.
func (s *Space) isRough(a, b *Material) bool {
	if s.ContactRule != nil {
		return s.ruling.Friction != FrictionCoefficients{}
	}
	return s.combineFriction(a, b) != FrictionCoefficients{}
}

// beltVelocity returns how fast a surface moves as a conveyor belt in the impact that is being
// resolved.
func (s *Space) beltVelocity(f *surfaceInfo) collide.Vec3 {
	if s.ContactRule != nil {
		return s.ruling.SurfaceVelocity
	}
	return f.surfaceVelocity
}

// applyRule asks the contact rule about a persistent contact, and sets what it says in the input of
// the contact solver. It returns false if the two sides ignore each other.
func (s *Space) applyRule(c *contact, input *contacts.Contact, approach float64) bool {
	code := c.b
	if code >= 0 {
		code = s.index[code]
	}
	r := s.ruleOn(s.index[c.a], code, input.Normal, max(approach, 0), 0, true)
	if r.Ignore {
		c.constraint, c.near, c.touches, c.History = -1, false, false, contacts.History{}
		return false
	}
	input.Restitution, input.Friction = s.restitutionAt(r.Restitution, approach), r.Friction
	input.Elastic = code >= 0 && r.Restitution == 1
	if code < 0 {
		v := r.SurfaceVelocity
		input.SurfaceVelocity = v.AddScaled(-input.Normal.Dot(v), input.Normal)
	}
	return true
}

// keepIgnoring vetoes the pairs that ignored each other in the last step and are not apart.
func (s *Space) keepIgnoring() {
	s.ignored = slices.DeleteFunc(s.ignored, func(key eventlog.PairKey) bool {
		a, b := int32(key>>32), int32(key)
		if !s.exists(max(a, b)) || !s.exists(min(a, b)) || !s.overlapNow(max(a, b), min(a, b)) {
			return true
		}
		s.Veto(Handle(a), Handle(b))
		return false
	})
}

// overlapNow reports whether the body with an id and another one (its id) or an entity of surfaces
// (its code) overlap.
func (s *Space) overlapNow(id, code int32) bool {
	i := s.index[id]
	if code >= 0 {
		return s.bodyGap(i, s.index[code], 0) < 0
	}
	overlap := false
	s.eachPart(surfaceOf(code), func(k int32) {
		gap, _ := s.gapAt(i, s.bodies[i].x, k, 0)
		overlap = overlap || gap < 0
	})
	return overlap
}
