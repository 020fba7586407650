package solver

import "github.com/dango-physics/dango/collide"

// spin is how a body turns. A sphere of the same inertia about every axis keeps its angular velocity between impacts, so that is constant piece by piece, and
// the rotation of each piece is a rotation about one axis.
type spin struct {
	angularVelocity collide.Vec3 // angular velocity, radians a second
	inverseInertia  float64      // 0 for what nothing turns
	rotation        collide.Quat // how far it had turned, since the step began, at the time since
	since           float64      // when in the step w began to be what it is
}

// SetSpin gives a body a spin, after Set, which takes it away. What has none doesn't turn, and slides where others roll.
func (s *Space) SetSpin(id int32, w collide.Vec3, inverseInertia float64) {
	for len(s.spins) <= int(id) {
		s.spins = append(s.spins, spin{})
	}
	i := s.index[id]
	if f := s.flags[i]; f&sleeping != 0 || f&supportsSleeper != 0 && w != (collide.Vec3{}) {
		s.flags[i] |= touchedByGame
	}
	s.spins[id] = spin{angularVelocity: w, inverseInertia: inverseInertia, rotation: collide.Quat{W: 1}}
	s.flags[i] = s.flags[i]&^unchanged | hasSpin
}

// Spin returns the angular velocity of a body after the step, and how far it has turned in the step.
func (s *Space) Spin(id int32) (w collide.Vec3, turned collide.Quat) {
	p := s.spinOf(s.index[id])
	if p == nil {
		return collide.Vec3{}, collide.Quat{W: 1}
	}
	return p.angularVelocity, p.rotation
}

// spinOf returns how body i turns, or nil for one that has no spin.
func (s *Space) spinOf(i int32) *spin {
	if s.flags[i]&hasSpin == 0 {
		return nil
	}
	return &s.spins[s.infos[i].id]
}

// turns reports whether body i turns.
func (s *Space) turns(i int32) bool {
	return s.flags[i]&hasSpin != 0 && s.spins[s.infos[i].id].angularVelocity != (collide.Vec3{})
}

// setVelocity lets the spin be w from time t on.
func (p *spin) setVelocity(w collide.Vec3, t float64) {
	p.advance(t)
	p.angularVelocity = w
}

// advance brings the rotation to time t.
func (p *spin) advance(t float64) {
	if p.angularVelocity != (collide.Vec3{}) && t > p.since {
		p.rotation = collide.RotationBy(p.angularVelocity.Scale(t - p.since)).Mul(p.rotation)
	}
	p.since = t
}

// beginSpins begins the step of all that turns. What rests doesn't turn, and has turned by nothing.
func (s *Space) beginSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(hasSpin|unchanged) == hasSpin {
			p := &s.spins[s.infos[i].id]
			p.rotation, p.since = collide.Quat{W: 1}, 0
		}
	}
}

// finishSpins brings all that turns to the end of the step.
func (s *Space) finishSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(hasSpin|unchanged) == hasSpin {
			s.spins[s.infos[i].id].advance(s.Seconds)
		}
	}
}
