package solver

import "github.com/dango-physics/dango/collide"

// stepForce is a force that acts on a body in the next step only, like the push of a character, and
// a mass that the body carries in it. The force is part of the body's acceleration in that step, so
// contacts hold it like gravity.
//
// The game doesn't set the acceleration of a body that sleeps or stays at rest again in each step.
// What such a body has without the force is kept here, while the force acts or the body sleeps
// under it. A body sleeps on as long as the same force acts in each step.
type stepForce struct {
	id   int32
	next collide.Vec3 // in the next step, or in the one that is under way; N
	last collide.Vec3 // in the step before

	mass float64 // of what the body carries in the step, kg
	own  float64 // inverse mass of the body alone while it carries that, 1/kg
	all  float64 // inverse mass of both

	// Without the force, and when it last began to act: of a sleeping body, when it fell asleep.
	velocity     collide.Vec3 // mean velocity, m/s
	acceleration collide.Vec3 // m/s²
}

// AddStepMass adds to the mass of a body in the next step only, kg. It doesn't add weight.
func (s *Space) AddStepMass(id int32, mass float64) {
	s.AddStepForce(id, collide.Vec3{})
	s.stepForceOn(id).mass += mass
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
			p.carry(b)
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
		fraction := p.carry(b)
		push := s.unlocked(i, p.next.Scale(b.inverseMass))
		s.setAcceleration(i, p.acceleration.Scale(fraction).Add(push))
		b.v = start.AddScaled(s.Seconds/2, s.acceleration(i)) // exact for a body at rest
		s.setAccelerated(i)
		s.flags[i] = s.flags[i]&^unchanged | forced
	}
}

// carry adds the mass that the body carries to its own, and returns the fraction of the whole that
// its own is. It may be called again in a step, also after the game has set the body.
func (p *stepForce) carry(b *body) float64 {
	if p.mass == 0 || b.inverseMass == 0 {
		return 1
	}
	if b.inverseMass != p.all {
		p.own = b.inverseMass
	}
	fraction := 1 / (1 + float64(p.mass*p.own))
	p.all = float64(p.own * fraction)
	b.inverseMass = p.all
	return fraction
}

// putDown gives the body its own mass again, unless it has another one by now, such as that of a
// halted body.
func (p *stepForce) putDown(b *body) {
	if p.mass > 0 && b.inverseMass == p.all {
		b.inverseMass = p.own
	}
	p.mass, p.own, p.all = 0, 0, 0
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
		p.putDown(&s.bodies[i])
		if p.last, p.next = p.next, (collide.Vec3{}); p.last == (collide.Vec3{}) {
			s.removeStepForce(p.id)
		}
	}
}
