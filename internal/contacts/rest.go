package contacts

import "github.com/dango-physics/dango/collide"

// countCalmSteps counts for how many steps each body has been calm, and each island. It stops
// bodies that move by nothing but rounding. To stop a calm body before the rest of its island would
// end nothing: the contacts want to move it again, and what it does not give way pushes the others.
func (s *Solver) countCalmSteps() {
	speed := float64(calmSpeed * s.LengthUnit)
	for k := range s.nodes {
		s.nodes[k].islandCalm = calmSteps + 1
	}
	for k := range s.infos {
		p := &s.infos[k]
		if !p.movable {
			continue
		}
		n := &s.nodes[k]
		if s.isCalm(int32(k), speed) {
			n.calmSteps = min(n.calmSteps+1, calmSteps+1)
		} else {
			n.calmSteps = 0
		}
		if v := &s.bodies[k].v; *v != (collide.Vec3{}) &&
			v.SumAbs() <= float64(roundingShare*p.freeVelocity.Sub(p.v0).SumAbs()) {
			*v = collide.Vec3{}
		}
		root := s.rootOf(int32(k))
		root.islandCalm = min(root.islandCalm, n.calmSteps)
	}
}

// isCalm reports whether body k ends the step slow and hardly accelerated, held by contacts that
// are solved.
func (s *Solver) isCalm(k int32, speed float64) bool {
	p, v := &s.infos[k], s.bodies[k].v
	if p.unresolved || p.carried || v.LengthSquared() > float64(speed*speed) {
		return false
	}
	w := s.spins[k].w
	limit := calmShare
	if s.nodes[k].calmSteps >= calmSteps && p.v0 == (collide.Vec3{}) && p.w0 == (collide.Vec3{}) &&
		!s.fallsIntoGap(p, v) {
		limit = restShare
	}
	most := float64(limit*limit) * p.freeVelocity.Sub(p.v0).LengthSquared()
	if v.Sub(p.v0).LengthSquared() > most || most == 0 && v != (collide.Vec3{}) {
		return false // nothing accelerates it, so nothing holds it: it drifts on, however slow it is
	}
	if w == (collide.Vec3{}) && p.w0 == (collide.Vec3{}) {
		return true
	}
	rr := float64(p.radius * p.radius)
	return float64(w.LengthSquared()*rr) <= float64(speed*speed) && float64(w.Sub(p.w0).LengthSquared()*rr) <= most
}

// fallsIntoGap reports whether a body that begins the step at rest, and ends it at v, moves by more
// than a gap at which it may rest along its acceleration. In a long step, what falls towards
// something nearby is slow, too.
func (s *Solver) fallsIntoGap(p *solverBodyInfo, v collide.Vec3) bool {
	descent := float64(p.freeVelocity.Dot(v) * s.Seconds)
	gap := float64(RestGap * p.radius)
	return descent > 0 && float64(descent*descent) > float64(float64(gap*gap)*p.freeVelocity.LengthSquared())
}

// CalmSteps returns for how many steps body k has been calm. The caller keeps it for the next
// step's [Body].
func (s *Solver) CalmSteps(k int32) int8 { return s.nodes[k].calmSteps }

// Rests reports whether all bodies of body k's island have been calm for so long that their
// velocities are to be zero.
func (s *Solver) Rests(k int32) bool { return s.rootOf(k).islandCalm >= calmSteps }

// MaySleep reports whether the island of body k was at rest already when the step began, and its
// contacts have kept it there: each further step would begin like this one and change nothing.
func (s *Solver) MaySleep(k int32) bool { return s.rootOf(k).islandCalm > calmSteps }
