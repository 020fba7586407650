package solver

import "github.com/dango-physics/dango/collide"

// stepForce is a force that acts on a body in the next step only, like the push of a character. It
// is part of the body's acceleration in that step, so contacts hold it like gravity.
//
// The game doesn't set the acceleration of a body that sleeps or stays at rest again in each step.
// What such a body has without the force is kept here, while the force acts or the body sleeps
// under it. A body sleeps on as long as the same force acts in each step.
type stepForce struct {
	id   int32
	next collide.Vec3 // in the next step, or in the one that is under way; N
	last collide.Vec3 // in the step before

	// Without the force, and when it last began to act: of a sleeping body, when it fell asleep.
	velocity     collide.Vec3 // mean velocity, m/s
	acceleration collide.Vec3 // m/s²
}

// AddStepForce lets a force act on a body in the next step only, N.
func (s *Space) AddStepForce(id int32, force collide.Vec3) {
	p := s.stepForceOn(id)
	if p == nil {
		for int(id) >= len(s.stepForceOf) {
			s.stepForceOf = append(s.stepForceOf, 0)
		}
		s.stepForces = append(s.stepForces, stepForce{id: id})
		s.stepForceOf[id] = int32(len(s.stepForces))
		p = &s.stepForces[len(s.stepForces)-1]
		p.acceleration = s.sleepStateOf(id).acceleration // of a body that is awake it is set in Begin
	}
	p.next = p.next.Add(force)
}

// StepForce returns the force that acts on a body in the next step only, N.
func (s *Space) StepForce(id int32) collide.Vec3 {
	if p := s.stepForceOn(id); p != nil {
		return p.next
	}
	return collide.Vec3{}
}

// stepForceOn returns the step force of a body, or nil.
func (s *Space) stepForceOn(id int32) *stepForce {
	if int(id) >= len(s.stepForceOf) || s.stepForceOf[id] == 0 {
		return nil
	}
	return &s.stepForces[s.stepForceOf[id]-1]
}

// removeStepForce removes the step force of a body, if it has one.
func (s *Space) removeStepForce(id int32) {
	p, last := s.stepForceOn(id), len(s.stepForces)-1
	if p == nil {
		return
	}
	*p = s.stepForces[last]
	s.stepForceOf[p.id] = s.stepForceOf[id]
	s.stepForceOf[id] = 0
	s.stepForces = s.stepForces[:last]
}

// beginStepForces adds the step forces to the accelerations that the game has set. Bodies that
// sleep wake if the force is another one than in the last step.
func (s *Space) beginStepForces() {
	for k := range s.stepForces {
		p := &s.stepForces[k]
		i := s.index[p.id]
		b := &s.bodies[i]
		switch {
		case s.flags[i]&sleeping != 0 && p.next == p.last:
			continue
		case s.flags[i]&sleeping != 0:
			s.wakeLater(i)
			b.v = collide.Vec3{}.AddScaled(s.Seconds/2, p.acceleration)
			s.setAcceleration(i, p.acceleration)
		case s.flags[i]&forced != 0: // the game hasn't set the body since a force was last added
			b.v = p.velocity
			s.setAcceleration(i, p.acceleration)
		}
		s.setAccelerated(i)
		p.velocity, p.acceleration = b.v, s.acceleration(i)
		start := s.startVelocity(i)
		push := s.unlocked(i, p.next.Scale(b.inverseMass))
		s.setAcceleration(i, p.acceleration.Add(push))
		b.v = start.AddScaled(s.Seconds/2, s.acceleration(i)) // exact for a body at rest
		s.setAccelerated(i)
		s.flags[i] = s.flags[i]&^unchanged | forced
	}
}

// wakeUnderStepForce gives body i, whose island wakes, the flag of a body on which a step force
// acts: it has the acceleration with which it fell asleep.
func (s *Space) wakeUnderStepForce(i int32) {
	if p := s.stepForceOn(s.infos[i].id); p != nil && p.last != (collide.Vec3{}) {
		p.velocity = collide.Vec3{}.AddScaled(s.Seconds/2, p.acceleration)
		s.flags[i] |= forced
	}
}

// setAccelerated sets the flag accelerated of body i to what its acceleration is.
func (s *Space) setAccelerated(i int32) {
	s.flags[i] &^= accelerated
	if s.acceleration(i) != (collide.Vec3{}) {
		s.flags[i] |= accelerated
	}
}

// finishStepForces ends the step of the forces. A body that they leave at rest keeps none of their
// acceleration, as the game doesn't set it again.
func (s *Space) finishStepForces() {
	for k := len(s.stepForces) - 1; k >= 0; k-- {
		p := &s.stepForces[k]
		i := s.index[p.id]
		if s.flags[i]&forced != 0 && s.bodies[i].v == (collide.Vec3{}) {
			s.setAcceleration(i, collide.Vec3{})
			s.flags[i] &^= accelerated
		}
		s.flags[i] &^= forced
		if p.last, p.next = p.next, (collide.Vec3{}); p.last == (collide.Vec3{}) {
			s.removeStepForce(p.id)
		}
	}
}
