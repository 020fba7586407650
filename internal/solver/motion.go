package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// How a body moves within a step. Its centre moves along a straight path at constant velocity from
// one impact to the next (see body), and a body with spin rotates about a fixed axis.

// velocity returns the velocity of body i at time t.
func (s *Space) velocity(i int32, t float64) collide.Vec3 {
	v := s.bodies[i].v
	if s.flags[i]&accelerated != 0 {
		v = v.AddScaled(t-float64(s.Seconds/2), s.accelerations[i])
	}
	return v
}

// velocityFrom returns the velocity at time t of body i if its mean velocity is v.
func (s *Space) velocityFrom(i int32, v collide.Vec3, t float64) collide.Vec3 {
	if s.flags[i]&accelerated != 0 {
		v = v.AddScaled(t-float64(s.Seconds/2), s.accelerations[i])
	}
	return v
}

// startVelocity returns the velocity of body i when the step begins.
func (s *Space) startVelocity(i int32) collide.Vec3 {
	if s.flags[i]&accelerated != 0 {
		return s.bodies[i].v.AddScaled(-s.Seconds/2, s.accelerations[i])
	}
	return s.bodies[i].v
}

// maxSpeed is the greatest component of the velocities that a step leaves, m/s. It is
// components.MaxCoordinate, with which the next step may begin. Each impact with something far
// heavier makes a body faster by up to twice the speed of that. What is beyond maxSpeed is lost.
const maxSpeed = 1e9

// limited returns v with components of at most maxSpeed.
func limited(v collide.Vec3) collide.Vec3 {
	return collide.Vec3{
		X: min(max(v.X, -maxSpeed), maxSpeed),
		Y: min(max(v.Y, -maxSpeed), maxSpeed),
		Z: min(max(v.Z, -maxSpeed), maxSpeed),
	}
}

// freeVelocity returns the velocity that body i has at the end of the step if no contact acts. That
// of a sleeping body is what it would have if its island were awake.
func (s *Space) freeVelocity(i int32) collide.Vec3 {
	if s.flags[i]&sleeping != 0 {
		a := s.sleepStates[s.infos[i].id].acceleration
		return collide.Vec3{}.AddScaled(s.Seconds/2, a).AddScaled(s.Seconds/2, a)
	}
	if s.flags[i]&accelerated != 0 {
		return s.bodies[i].v.AddScaled(s.Seconds/2, s.accelerations[i])
	}
	return s.bodies[i].v
}

// useParabola puts body i on its parabola, before an impact at time t that bounces, and predicts
// its next events. It reports whether the body was not on it.
//
// The contact solver, and a group of impacts, let bodies move through the whole step at the
// velocity of its end. That contains the whole acceleration of the step, also what the body gets
// only after t. A bounce would reverse that part, and add energy. On the parabola the body has at
// the end of the step the same velocity, but the right one at t.
func (s *Space) useParabola(i int32, t float64) bool {
	if !s.movesAtEndVelocity(i) {
		return false
	}
	f := &s.infos[i]
	f.movesAtEndVelocity = false
	a := s.accelerationLeft(i)
	if s.flags[i]&frozen != 0 || a == (collide.Vec3{}) {
		return false
	}
	b := &s.bodies[i]
	s.accelerate(i, s.acceleration(i).Add(a))
	f.slideContacts = -1 // what the new path enters has a new impact
	s.setPath(i, s.at(i, t), b.v.AddScaled(-s.Seconds/2, a), t)
	s.repredict(i, t)
	return true
}

// parabolaVelocity returns the velocity that body i has at time t, and whether that is so only on
// the parabola on which useParabola would put it.
func (s *Space) parabolaVelocity(i int32, t float64) (v collide.Vec3, only bool) {
	v = s.velocity(i, t)
	if !s.movesAtEndVelocity(i) || s.flags[i]&frozen != 0 {
		return v, false
	}
	a := s.accelerationLeft(i)
	return v.AddScaled(t-s.Seconds, a), a != (collide.Vec3{})
}

// movesAtEndVelocity reports whether body i moves at its velocity at the end of the step.
func (s *Space) movesAtEndVelocity(i int32) bool {
	f := &s.infos[i]
	return f.acceleratedByContacts && f.movesAtEndVelocity &&
		(s.sleepStateOf(f.id).solvedInStep == s.stepNumber || s.takenFrom(i) != nil)
}

// setPath puts body i on a new path: it is at p at time now, and continues at the mean velocity v.
func (s *Space) setPath(i int32, p, v collide.Vec3, now float64) {
	if len(s.bends) > 0 || s.KeepPaths || s.subdomain != nil {
		s.setNotedPath(i, p, v, now)
		return
	}
	b, f := &s.bodies[i], &s.infos[i]
	b.x, b.v = p.AddScaled(-now, v), v
	f.noteSpeed(v)
	// startPath, without a call:
	m := &s.pathIDs[i]
	m.Stamp++
	m.Key = f.traits + tiebreak.End(tiebreak.Begin(&b.x), &b.v)
	if s.flags[i]&(hasSpin|unchanged|sleeping|pairsSolved) != 0 {
		s.addSpinKey(i, m)
		s.markChanged(i)
	}
}

// noteSpeed notes that the body moves at v from now on.
func (f *bodyInfo) noteSpeed(v collide.Vec3) {
	f.maxSpeedSquared = max(f.maxSpeedSquared, v.LengthSquared()) // no branch: it is unpredictable
}

// setNotedPath is setPath where paths may be bent, or something notes them.
func (s *Space) setNotedPath(i int32, p, v collide.Vec3, now float64) {
	b, f := &s.bodies[i], &s.infos[i]
	b.x, b.v = p.AddScaled(-now, v), v
	before := collide.Vec3{}
	if len(s.bends) > 0 {
		before = s.bend(i)
		s.bendPath(i, b, now)
		if before != (collide.Vec3{}) || s.isOnArc(i) { // it is or was beside the chord, which its cells follow
			speed := v.Length()
			s.grid.Put(i, b.at(now), s.diameter(b), s.stride(speed), speed)
		}
	}
	f.noteSpeed(v)
	s.startPath(i, b, f)
	if s.flags[i]&(unchanged|sleeping|pairsSolved) != 0 {
		s.markChanged(i)
	}
	if s.KeepPaths {
		s.noteTurn(i, p, before, now)
	}
	if s.subdomain != nil {
		s.subdomain.recordTurn(i, p, now)
	}
}

// markChanged notes that the path of body i changes. If the body sleeps, its island wakes before
// the next step.
func (s *Space) markChanged(i int32) {
	if s.flags[i]&sleeping != 0 {
		s.wakeLater(i)
	}
	s.flags[i] &^= unchanged | pairsSolved
}

// startPath gives body i, which is b and f, a new path ID. Events that were predicted on its
// earlier paths become void.
func (s *Space) startPath(i int32, b *body, f *bodyInfo) {
	m := &s.pathIDs[i]
	m.Stamp++
	m.Key = f.traits + tiebreak.End(tiebreak.Begin(&b.x), &b.v)
	s.addSpinKey(i, m)
}

// addSpinKey adds to the key of body i's path m what comes from its spin.
func (s *Space) addSpinKey(i int32, m *calendar.PathID) {
	if p := s.spinOf(i); p != nil {
		m.Key += p.key()
	}
}

// pathKey returns the tie-breaking key of body i on its current path. It depends on position,
// velocity, spin and the body's properties, not on the body's number.
func (s *Space) pathKey(i int32) uint32 {
	key := s.infos[i].traits + tiebreak.Hash(&s.bodies[i].x, &s.bodies[i].v)
	if p := s.spinOf(i); p != nil {
		key += p.key()
	}
	return key
}

// spin is the rotation of a body. A sphere has the same inertia about every axis, so its angular
// velocity is constant between impacts, and it rotates about one axis from each impact to the next.
type spin struct {
	angularVelocity collide.Vec3 // rad/s
	inverseInertia  float64      // 1/(kg·m²); 0 if no impact changes the angular velocity
	rotation        collide.Quat // from the beginning of the step to the time since
	since           float64      // time in the step at which angularVelocity last changed, s
	byContacts      collide.Vec3 // how much contacts change it evenly through the step, rad/s
}

// key returns the part of the tie-breaking key that comes from the spin. It is not inlined: most
// bodies have no spin.
//
//go:noinline
func (p *spin) key() uint32 {
	return tiebreak.Hash(&p.angularVelocity, &collide.Vec3{X: p.inverseInertia})
}

// SetSpin gives a body a spin: its angular velocity w in rad/s and its inverse inertia in
// 1/(kg·m²). Set removes the spin, so SetSpin comes after Set. A body without spin does not rotate,
// and slides where others roll.
func (s *Space) SetSpin(id int32, w collide.Vec3, inverseInertia float64) {
	for len(s.spins) <= int(id) {
		s.spins = append(s.spins, spin{})
	}
	i := s.index[id]
	s.applyGameChange(i, &s.bodies[i].x, motionChange(&w))
	s.spins[id] = spin{angularVelocity: w, inverseInertia: inverseInertia, rotation: collide.Quat{W: 1}}
	s.flags[i] = s.flags[i]&^unchanged | hasSpin
}

// Spin returns the angular velocity of a body after the step, in rad/s, and its rotation during the
// step.
func (s *Space) Spin(id int32) (w collide.Vec3, rotation collide.Quat) {
	p := s.spinOf(s.index[id])
	if p == nil {
		return collide.Vec3{}, collide.Quat{W: 1}
	}
	return p.angularVelocity, p.rotation
}

// spinOf returns the spin of body i, or nil if it has none.
func (s *Space) spinOf(i int32) *spin {
	if s.flags[i]&hasSpin == 0 {
		return nil
	}
	return &s.spins[s.infos[i].id]
}

// isRotating reports whether the angular velocity of body i is not zero.
func (s *Space) isRotating(i int32) bool {
	return s.flags[i]&hasSpin != 0 && s.spins[s.infos[i].id].angularVelocity != (collide.Vec3{})
}

// at returns the angular velocity at time t of a step of the given length. What contacts change
// evenly through the step is in angularVelocity from the start.
func (p *spin) at(t, seconds float64) collide.Vec3 {
	if p.byContacts == (collide.Vec3{}) {
		return p.angularVelocity
	}
	return p.angularVelocity.AddScaled((t-seconds)/seconds, p.byContacts)
}

// setVelocity changes the angular velocity to w at time t.
func (p *spin) setVelocity(w collide.Vec3, t float64) {
	p.advance(t)
	p.angularVelocity = w
}

// advance integrates the rotation up to time t. It is exact, since the angular velocity is
// constant.
func (p *spin) advance(t float64) {
	if p.angularVelocity != (collide.Vec3{}) && t > p.since {
		p.rotation = collide.RotationBy(p.angularVelocity.Scale(t - p.since)).Mul(p.rotation)
	}
	p.since = t
}

// beginSpins resets the rotations at the beginning of a step. Unchanged bodies have an identity
// rotation already. If contacts have been solved, the step is repeated in the whole space, and
// their effect stays.
func (s *Space) beginSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(hasSpin|unchanged) == hasSpin {
			p := &s.spins[s.infos[i].id]
			p.rotation, p.since = collide.Quat{W: 1}, 0
			if !s.solved {
				p.byContacts = collide.Vec3{}
			}
		}
	}
}

// finishSpins advances all rotations to the end of the step.
func (s *Space) finishSpins() {
	for i, f := range s.flags[:len(s.bodies)] {
		if f&(hasSpin|unchanged) == hasSpin {
			s.spins[s.infos[i].id].advance(s.Seconds)
		}
	}
}

// inOrder returns bodies i and j with the first one of the pair first. The order decides how some
// sums are rounded. Therefore it depends on the paths of the two, and neither on their indices nor
// on which one found the other, which depends on cells. There is no branch for it, since it is
// unpredictable.
func (s *Space) inOrder(i, j int32) (first, second int32) {
	a, b := s.pathIDs[i].Key, s.pathIDs[j].Key
	if first, second = i, j; a > b {
		first, second = j, i
	}
	if a == b && s.infos[i].id > s.infos[j].id {
		first, second = j, i
	}
	return first, second
}
