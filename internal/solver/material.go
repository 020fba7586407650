package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// Material decides how two bodies or surfaces respond to each other.
type Material struct {
	Restitution  float64 // 0 to 1
	Rule         uint8   // how two restitutions combine; only Settings.Combine reads it
	Sliding      bool    // never bounces
	Sensor       bool    // reports overlaps and stops nothing
	Locked       uint8   // axes along which the body never moves, bit 0 for x
	Friction     uint16  // number of its Friction, from AddFriction; 0 for none
	Layers, Mask uint32  // two things collide if each one's Layers share a bit with the other's Mask
}

// collides reports whether the layers and masks of two things let them collide.
func (m *Material) collides(o *Material) bool { return m.Layers&o.Mask != 0 && o.Layers&m.Mask != 0 }

// Friction describes the resistance of a surface against sliding, rolling and spinning.
type Friction = contacts.Friction

// AddFriction returns the number of f for Material.Friction. Equal values get the same number.
// Numbers stay valid until ForgetFrictions.
func (s *Space) AddFriction(f Friction) uint16 {
	if f == (Friction{}) {
		return 0
	}
	if len(s.frictions) == 0 {
		s.frictions = append(s.frictions, Friction{})
	}
	for k := range s.frictions {
		if s.frictions[k] == f {
			return uint16(k)
		}
	}
	if len(s.frictions) > maxFrictions {
		return maxFrictions
	}
	s.frictions = append(s.frictions, f)
	return uint16(len(s.frictions) - 1)
}

// maxFrictions is the largest number of a Friction. It has to fit into a uint16. Further values get
// the number of the last one, and so the wrong friction.
const maxFrictions = 1<<16 - 2

// Frictions returns how many frictions there are.
func (s *Space) Frictions() int { return len(s.frictions) }

// FrictionOf returns the friction of a body or a surface.
func (s *Space) FrictionOf(code int32) Friction {
	if n := s.Material(code).Friction; n != 0 {
		return s.frictions[n]
	}
	return Friction{}
}

// ForgetFrictions removes all frictions. Every body and surface needs a new Material before the
// next step.
func (s *Space) ForgetFrictions() {
	s.frictions = s.frictions[:0]
	for i := range s.infos {
		s.infos[i].material.Friction = math.MaxUint16 // a number that none has, so that Set sees a change
	}
}

// combineFriction returns the friction of a contact between two materials.
func (s *Space) combineFriction(a, b *Material) Friction {
	if a.Friction|b.Friction == 0 {
		return Friction{}
	}
	return s.CombineFriction(&s.frictions[a.Friction], &s.frictions[b.Friction])
}

// restitution returns the restitution of an impact between two materials at a closing speed in m/s.
func (s *Space) restitution(a, b *Material, closing float64) float64 {
	if a.Sliding || b.Sliding {
		return 0
	}
	e := s.Combine(a, b)
	if e < 1 && closing <= s.RestSpeed {
		return 0
	}
	return e
}

// Material returns the material of a body (its id) or a surface (its code).
func (s *Space) Material(code int32) Material {
	if code >= 0 {
		return s.infos[s.index[code]].material
	}
	return s.surfaces[surfaceCode-code].material
}

// unlocked returns n without the axes along which body i never moves.
func (s *Space) unlocked(i int32, n collide.Vec3) collide.Vec3 {
	if s.infos[i].material.Locked != 0 {
		return Unlocked(n, s.infos[i].material.Locked)
	}
	return n
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
