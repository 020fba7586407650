package solver

import "github.com/dango-physics/dango/collide"

// spin is how a body turns. A sphere of the same inertia about every axis keeps its angular velocity between impacts, so that is constant piece by piece, and
// the rotation of each piece is a rotation about one axis.
type spin struct {
	w              collide.Vec3 // angular velocity, radians a second
	inverseInertia float64      // 0 for what nothing turns
	turned         collide.Quat // how far it had turned, since the step began, at the time since
	since          float64      // when in the step w began to be what it is
}

// SetSpin gives a body a spin, after Set, which takes it away. What has none doesn't turn, and slides where others roll.
func (s *Space) SetSpin(id int32, w collide.Vec3, inverseInertia float64) {
	for len(s.spins) <= int(id) {
		s.spins = append(s.spins, spin{})
	}
	i := s.index[id]
	if f := s.flags[i]; f&asleep != 0 || f&bears != 0 && w != (collide.Vec3{}) {
		s.flags[i] |= said
	}
	s.spins[id] = spin{w: w, inverseInertia: inverseInertia, turned: collide.Quat{W: 1}}
	s.flags[i] = s.flags[i]&^resting | spins
}

// Spin returns the angular velocity of a body after the step, and how far it has turned in the step.
func (s *Space) Spin(id int32) (w collide.Vec3, turned collide.Quat) {
	p := s.spinOf(s.index[id])
	if p == nil {
		return collide.Vec3{}, collide.Quat{W: 1}
	}
	return p.w, p.turned
}

// spinOf returns how body i turns, or nil for one that has no spin.
func (s *Space) spinOf(i int32) *spin {
	if s.flags[i]&spins == 0 {
		return nil
	}
	return &s.spins[s.infos[i].id]
}

// turns reports whether body i turns.
func (s *Space) turns(i int32) bool {
	return s.flags[i]&spins != 0 && s.spins[s.infos[i].id].w != (collide.Vec3{})
}

// become lets the spin be w from time t on.
func (p *spin) become(w collide.Vec3, t float64) {
	p.advance(t)
	p.w = w
}

// advance brings the rotation to time t.
func (p *spin) advance(t float64) {
	if p.w != (collide.Vec3{}) && t > p.since {
		p.turned = collide.RotationBy(p.w.Scale(t - p.since)).Mul(p.turned)
	}
	p.since = t
}

// beginSpins begins the step of all that turns. What rests doesn't turn, and has turned by nothing.
func (s *Space) beginSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(spins|resting) == spins {
			p := &s.spins[s.infos[i].id]
			p.turned, p.since = collide.Quat{W: 1}, 0
		}
	}
}

// landSpins brings all that turns to the end of the step.
func (s *Space) landSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(spins|resting) == spins {
			s.spins[s.infos[i].id].advance(s.Seconds)
		}
	}
}
