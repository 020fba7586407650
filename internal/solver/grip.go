package solver

import "github.com/dango-physics/dango/collide"

// Grip is how a surface holds on to what slides, rolls or turns on it. The zero value doesn't.
type Grip struct {
	Static, Dynamic float64 // Coulomb's coefficients, >= 0, Static >= Dynamic
	Rolling         float64 // the greatest torque against rolling, in parts of radius times normal force, >= 0
	Spinning        float64 // the same for turning about the normal
	Rule            uint8   // which of the two rules counts is the caller's affair: see Settings.CombineGrip
}

// Grip returns the number by which a Material names g. There are few of them in a game, and they are kept for good.
func (s *Space) Grip(g Grip) uint16 {
	if g == (Grip{}) {
		return 0
	}
	if len(s.grips) == 0 {
		s.grips = append(s.grips, Grip{})
	}
	for k := range s.grips {
		if s.grips[k] == g {
			return uint16(k)
		}
	}
	if len(s.grips) > maxGrips {
		return maxGrips
	}
	s.grips = append(s.grips, g)
	return uint16(len(s.grips) - 1)
}

// maxGrips bounds how many different grips there can be.
const maxGrips = 1<<16 - 2

// grip returns how two things hold on to each other.
func (s *Space) grip(a, b *Material) Grip {
	if DevMu > 0 {
		return Grip{Static: DevMu, Dynamic: DevMu}
	}
	if a.Grip|b.Grip == 0 {
		return Grip{}
	}
	return s.CombineGrip(&s.grips[a.Grip], &s.grips[b.Grip])
}

// spin is how a body turns.
type spin struct {
	w              collide.Vec3 // angular velocity, radians a second
	inverseInertia float64      // 0 for what nothing turns
	turned         collide.Quat // how far it has turned since the step began
}

// SetSpin gives a body a spin, after Set, which takes it away. What has none doesn't turn, and slides where others roll.
func (s *Space) SetSpin(id int32, w collide.Vec3, inverseInertia float64) {
	for len(s.spins) <= int(id) {
		s.spins = append(s.spins, spin{})
	}
	s.spins[id] = spin{w: w, inverseInertia: inverseInertia, turned: collide.Quat{W: 1}}
	s.flags[s.index[id]] |= spins
}

// Spin returns the angular velocity of a body after the step, and how far it has turned in the step.
func (s *Space) Spin(id int32) (w collide.Vec3, turned collide.Quat) {
	if s.flags[s.index[id]]&spins == 0 {
		return collide.Vec3{}, collide.Quat{W: 1}
	}
	return s.spins[id].w, s.spins[id].turned
}

var DevMu float64
var DevRounds int
