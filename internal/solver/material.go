package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// Material decides how two bodies or surfaces respond to each other.
type Material struct {
	Restitution     float64 // 0 to 1
	RestitutionRule uint8   // how two restitutions combine; only Settings.CombineRestitution reads it
	Sliding         bool    // never bounces
	Sensor          bool    // reports overlaps and stops nothing
	Locked          uint8   // axes along which the body never moves, bit 0 for x
	FrictionID      uint16  // of its Friction, from AddFriction; 0 for none
	Layers, Mask    uint32  // two things collide if each one's Layers share a bit with the other's Mask
}

// collides reports whether the layers and masks of two things let them collide.
func (m *Material) collides(o *Material) bool { return m.Layers&o.Mask != 0 && o.Layers&m.Mask != 0 }

// FrictionCoefficients say how much a surface or a contact resists sliding, rolling and spinning.
type FrictionCoefficients = contacts.FrictionCoefficients

// Friction is the friction of a surface. A rule counts even if all coefficients are 0: with the
// smaller value as a rule, they take the friction from the other surface.
type Friction struct {
	FrictionCoefficients
	FrictionRule uint8 // how two frictions combine; only Settings.CombineFriction reads it
}

// MaxFrictions is how many different frictions a space may have, with the zero value. The IDs are
// 16 bits long, and math.MaxUint16 has to stay free: see ForgetFrictions.
const MaxFrictions = 65_000

// AddFriction returns the ID of f for Material.FrictionID. Equal values get the same ID. IDs stay
// valid until ForgetFrictions. The result is false if f is one friction more than MaxFrictions.
func (s *Space) AddFriction(f Friction) (id uint16, ok bool) {
	if f == (Friction{}) {
		return 0, true
	}
	if len(s.frictions) == 0 {
		s.frictions = append(s.frictions, Friction{})
	}
	for k := range s.frictions {
		if s.frictions[k] == f {
			return uint16(k), true
		}
	}
	if len(s.frictions) >= MaxFrictions {
		return 0, false
	}
	s.frictions = append(s.frictions, f)
	return uint16(len(s.frictions) - 1), true
}

// Frictions returns how many frictions there are, with the zero value once there is any other.
func (s *Space) Frictions() int { return len(s.frictions) }

// FrictionOf returns the friction of a body or a surface.
func (s *Space) FrictionOf(h Handle) Friction {
	if id := s.Material(h).FrictionID; id != 0 {
		return s.frictions[id]
	}
	return Friction{}
}

// ForgetFrictions removes all frictions. Every body and surface needs a new Material before the
// next step.
func (s *Space) ForgetFrictions() {
	s.frictions, s.combinedFriction = s.frictions[:0], combinedFriction{}
	for i := range s.infos {
		s.infos[i].material.FrictionID = math.MaxUint16 // no friction has it, so Set sees a change
	}
}

// combineFriction returns the coefficients of a contact between two materials.
func (s *Space) combineFriction(a, b *Material) FrictionCoefficients {
	if a.FrictionID|b.FrictionID == 0 {
		return FrictionCoefficients{}
	}
	last := &s.combinedFriction
	if last.valid && last.a == a.FrictionID && last.b == b.FrictionID {
		return last.coefficients
	}
	f, g := &s.frictions[a.FrictionID], &s.frictions[b.FrictionID]
	*last = combinedFriction{a: a.FrictionID, b: b.FrictionID, valid: true}
	if s.CombineFriction != nil {
		last.coefficients = s.CombineFriction(f, g)
	} else {
		last.coefficients = FrictionCoefficients{
			Static: max(f.Static, g.Static), Dynamic: max(f.Dynamic, g.Dynamic),
			Rolling: max(f.Rolling, g.Rolling), Spinning: max(f.Spinning, g.Spinning),
		}
	}
	return last.coefficients
}

// combinedFriction is the last result of combineFriction, for the frictions with the IDs a and b.
// In a heap most contacts are between things of one friction. If Settings.CombineFriction gets
// another parameter, that has to be compared here, too.
type combinedFriction struct {
	a, b         uint16
	valid        bool
	coefficients FrictionCoefficients
}

// restitution returns the restitution of an impact between two materials at a closing speed in m/s.
func (s *Space) restitution(a, b *Material, closing float64) float64 {
	if closing <= s.RestSpeed && a.Restitution < 1 && b.Restitution < 1 { // no rule makes 1 of these
		return 0
	}
	return s.restitutionAt(s.combineRestitution(a, b), closing)
}

// combineRestitution returns the restitution between two materials at high speeds.
func (s *Space) combineRestitution(a, b *Material) float64 {
	switch {
	case a.Sliding || b.Sliding:
		return 0
	case s.CombineRestitution != nil:
		return s.CombineRestitution(a, b)
	}
	return max(a.Restitution, b.Restitution)
}

// restitutionAt returns what is left of a restitution at a closing speed in m/s.
func (s *Space) restitutionAt(e, closing float64) float64 {
	if e < 1 && closing <= s.RestSpeed {
		return 0
	}
	return e
}

// Material returns the material of a body or a surface.
func (s *Space) Material(h Handle) Material { return *s.materialOf(int32(h)) }

// materialOf returns the material of a body or a surface.
func (s *Space) materialOf(code int32) *Material {
	if code >= 0 {
		return &s.infos[s.index[code]].material
	}
	return &s.infoOf(code).material
}

// unlocked returns n without the axes along which body i never moves.
func (s *Space) unlocked(i int32, n collide.Vec3) collide.Vec3 {
	if s.infos[i].material.Locked != 0 {
		return Unlocked(n, s.infos[i].material.Locked)
	}
	return n
}

// freeNormal returns the unit vector n without the axes along which body i never moves. It is zero
// if only rounding is left: normals on the side of a capsule along X have an X of some 1e-16.
func (s *Space) freeNormal(i int32, n collide.Vec3) collide.Vec3 {
	if s.infos[i].material.Locked == 0 {
		return n
	}
	free := s.unlocked(i, n)
	if free.LengthSquared() <= contacts.LockedRounding*contacts.LockedRounding {
		return collide.Vec3{}
	}
	return free
}

// isBlocked reports whether body i has locked axes, and can't move along the unit vector n.
func (s *Space) isBlocked(i int32, n collide.Vec3) bool {
	return s.infos[i].material.Locked != 0 && s.freeNormal(i, n) == collide.Vec3{}
}

// Unlocked returns v with its components along locked axes set to zero. Bit 0 of locked is the x
// axis.
func Unlocked(v collide.Vec3, locked uint8) collide.Vec3 {
	if locked&1 != 0 {
		v.X = 0
	}
	if locked&2 != 0 {
		v.Y = 0
	}
	if locked&4 != 0 {
		v.Z = 0
	}
	return v
}
