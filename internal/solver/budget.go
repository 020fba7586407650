package solver

import "github.com/dango-physics/dango/collide"

// spendBudget takes an impact off the budget of body i, which is at p. A body whose budget is spent stops there for the rest of the step, and
// what meets it meets something immovable: so every step ends, and nothing overlaps.
func (s *Space) spendBudget(i int32, p collide.Vec3, t, e float64) {
	f := &s.infos[i]
	cost := int32(1)
	if e < 1 {
		cost = int32(max(1, s.MaxImpacts/s.MaxInelasticImpacts))
	}
	f.budget -= cost
	if f.budget < 0 {
		s.freeze(i, p, t)
		if s.owns(i) {
			s.Counts.SpentBudgets++
		}
	}
}

// haltedBody is a body that was stopped, and the velocity with which the next step begins.
type haltedBody struct {
	index    int32
	velocity collide.Vec3
}

// freeze stops body i at p for the rest of the step. Its velocity is kept for the next one: what was in its way had no say in it.
func (s *Space) freeze(i int32, p collide.Vec3, t float64) {
	f := &s.infos[i]
	s.haltedBodies = append(s.haltedBodies, haltedBody{i, s.velocityForNextStep(i, t)})
	s.flags[i] |= frozen
	f.slideContacts = -1 // what it followed and what pushed it meets it anew
	s.bodies[i].inverseMass = 0
	s.accelerations[i] = collide.Vec3{}
	s.setPath(i, p, collide.Vec3{}, t)
}

// velocityForNextStep returns the velocity of body i, which stops at time t, for the next step. Where the solution has given it all at once what pulls at it gives in the step, that is taken back for the
// time that is left, in which it doesn't go where it is pulled: as far as it moves along with the pull.
func (s *Space) velocityForNextStep(i int32, t float64) collide.Vec3 {
	v := s.velocity(i, t)
	pull, held := s.takenAcceleration(i)
	if along := pull.Dot(v); held && s.sleepStates[s.infos[i].id].atEndVelocity && along > 0 {
		v = v.AddScaled(-min(s.Seconds-t, along/pull.LengthSquared()), pull)
	}
	return v
}

// blockPair stops the bodies of a pair neither of which can give way: something kinematic, and what it pushes.
func (s *Space) blockPair(i, j int32, t float64) {
	for n, k := range [2]int32{i, j} {
		if s.flags[k]&frozen == 0 && s.bodies[k].v != (collide.Vec3{}) {
			if s.infos[k].kind == Kinematic {
				s.noteCrushed([2]int32{j, i}[n], s.infos[k].id, s.pathIDs[k].key, t)
			}
			s.freeze(k, s.bodies[k].at(t), t)
			if s.owns(k) {
				s.Counts.Blocked++
			}
			s.repredict(k, t)
		}
	}
}
