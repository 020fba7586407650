package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// A driver is something that moves and that contacts do not move: a kinematic body or a moving
// surface. An island that a driver touches keeps its gaps fully open. Bodies that a driver carries
// or moves out of its way are solved like others. But a heap that is in its way resists with
// hundreds of times its weight, and that takes more iterations to find. Where these, and ending the
// approaches that they leave, still leave approaches that would become impacts, the driver moves
// more slowly in this step, down to a stop. In the following steps it takes up speed again. Drivers
// of one group have one speed scale.

// driver is what is known of a body or a surface that contacts do not move, besides solverBodyInfo.
type driver struct {
	leader      int32   // the first of its group in drivers, which has the speed scales; itself without a group
	rotor       int32   // 1 + that of a surface; 0 for none
	lastScale   float64 // the speed scale of the last step; 0 for 1
	speedScale  float64
	islandScale float64      // the speed scale that the island which is being solved leaves it
	firstScale  float64      // the speed scale at which its islands begin; 0 for what drives nothing
	arm         collide.Vec3 // of a surface with a rotor: change of its velocity for each rad/s
}

// addDriver adds a driver and returns 1 + its index.
func (s *Solver) addDriver(group int32, speedScale float64) int32 {
	k := int32(len(s.drivers))
	s.drivers = append(s.drivers, driver{leader: k, lastScale: speedScale})
	if group > 0 {
		for int(group) >= len(s.leaders) {
			s.leaders = append(s.leaders, -1)
		}
		if s.leaders[group] < 0 {
			s.leaders[group] = k
		}
		s.drivers[k].leader = s.leaders[group]
	}
	return k + 1
}

// leaderOf returns the driver that has the speed scales of a body or surface which contacts do not
// move.
func (s *Solver) leaderOf(p *solverBodyInfo) *driver { return &s.drivers[s.drivers[p.driver-1].leader] }

// startDriver reports whether body or surface k is a driver, and gives it the velocity with which
// it begins. pushes says that it moves towards a body that it touches: one that only moves away
// from what has slowed it down before takes up its whole speed at once.
func (s *Solver) startDriver(k int32, pushes bool) bool {
	p := &s.infos[k]
	if p.movable || p.v0 == (collide.Vec3{}) || p.rotor {
		return false
	}
	l := s.leaderOf(p)
	if l.firstScale == 0 {
		l.firstScale, l.speedScale, l.islandScale = 1, 1, 1
	}
	if pushes && l.lastScale > 0 {
		l.firstScale = min(1, 2*l.lastScale)
	}
	s.bodies[k].v = p.v0.Scale(l.firstScale)
	return true
}

// movesAway reports whether p, the side of a contact that contacts do not move, moves away from the
// other one.
func (s *Solver) movesAway(c *contactConstraint, p *solverBodyInfo) bool {
	return s.towardsBody(c).Dot(p.v0) < -float64(slopeRounding*p.v0.SumAbs())
}

// startDrivers gives the drivers of an island the velocity with which they begin, whatever other
// islands have left them.
func (s *Solver) startDrivers(l *island) {
	constraints := s.constraints[l.first:l.next]
	for k := range constraints {
		for _, at := range [2]int32{constraints[k].a, constraints[k].b} {
			l.turned = s.startDriver(at, false) && s.infos[at].w0 != (collide.Vec3{}) || l.turned
		}
	}
}

// openGaps makes the contacts of an island of bodies that hold each other keep a gap, since a
// driver pushes into it. If one of them rotates, it is as wide as the last step's iterations have
// left an approach. Contacts of bodies that nothing disturbs open none.
func (s *Solver) openGaps(l *island) {
	first, constraints := int(l.first), s.constraints[l.first:l.next]
	widest, opening := 1.0, openingShare
	if l.turned {
		widest, opening = turnedGap, turnedOpening
	}
	s.findDisturbed(constraints)
	for k := range constraints {
		c := &constraints[k]
		p, q := &s.infos[c.a], &s.infos[c.b]
		if (p.linked || q.linked) && (p.disturbed || q.disturbed) {
			rest := float64(float64(drivenGap*RestGap) * smallerRadius(p, q))
			rest = max(rest, min(s.needs[first+k], float64(widest*rest)))
			c.bound = (rest - c.gap) / s.Seconds
			if c.bound > 0 {
				c.bound *= opening
			}
		}
	}
}

// findDisturbed finds the bodies of an island that something accelerates, that bear something, that
// move against one which they touch or come to, or that touch one of these or a surface that moves.
// Without gravity, others would keep the velocity with which a gap opens.
func (s *Solver) findDisturbed(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		moves := s.disturbs(c)
		for _, at := range [2]int32{c.a, c.b} {
			p := &s.infos[at]
			driven := !p.stays() && (moves || !p.movable || p.freeVelocity != p.v0)
			p.disturbed = p.disturbed || driven || p.movable && c.normalImpulse > 0
		}
	}
	for more := true; more; {
		more = false
		for k := range constraints {
			c := &constraints[k]
			p, q := &s.infos[c.a], &s.infos[c.b]
			if p.disturbed == q.disturbed || c.gap > float64(RestGap*smallerRadius(p, q)) {
				continue
			}
			if q.disturbed {
				p, q = q, p
			}
			if q.movable {
				q.disturbed, more = true, true
			}
		}
	}
}

// disturbs reports whether the two sides of a contact move against each other, and touch or come to
// touch in this step.
func (s *Solver) disturbs(c *contactConstraint) bool {
	p, q := &s.infos[c.a], &s.infos[c.b]
	rest := float64(RestGap * smallerRadius(p, q))
	slow := float64(undisturbedShare*rest) / s.Seconds
	if p.v0.Sub(q.v0).SumAbs() <= slow && p.freeVelocity.Sub(q.freeVelocity).SumAbs() <= slow {
		return false
	}
	return c.gap <= rest || s.reaches(c, p, q, s.ApproachSpeed(c.a, c.b, c.normal))
}

// undisturbedShare is how far two bodies may move against each other in a step without a gap, as a
// fraction of RestGap. It is far above rounding, and too little to use up any of the gap.
const undisturbedShare = 0x1p-20

// solveDriven is the part of solveIsland that differs where a driver pushes into an island.
func (s *Solver) solveDriven(l *island, constraints []contactConstraint, tolerance float64, iterations int) {
	approach, rounds, first := drivenApproach, 1, drivenIterations
	if l.turned { // with three rounds there are fewer impacts, in the same time
		approach, rounds = turnedApproach, 2
	}
	if l.needsDirections(len(constraints)) {
		rounds, first = 2, conjugateIterations
	}
	fastest, pair := s.fastestDriver(constraints, s.freeVelocityOf), fastestPair(constraints, s.freeVelocityOf)
	// A row that can't yield leaves a part of the driver's speed in each of its contacts, the
	// smaller the longer it is. In front of a slow driver, that is no small approach.
	moves := max(s.fastestDriver(constraints, s.startVelocityOf), fastestPair(constraints, s.startVelocityOf))
	allowed := float64(approach * min(fastest, moves))
	enough := float64(float64(settledShare*approach) * min(fastest, pair))
	if l.turned || !s.yieldsSoon(l, constraints, tolerance, iterations, enough, max(l.scale, pair)) {
		for n := 0; n < rounds && (n == 0 || s.fastestApproach(constraints) > enough); n++ {
			s.iterateDriven(l, constraints, tolerance, first)
		}
	}
	limit := float64(MaxThrow * max(l.scale, pair))
	throws := func() bool { return fastestPair(constraints, s.velocityOf) > limit }
	fraction := 1.0
	for throws() || s.fastestApproach(constraints) > float64(fraction*allowed) {
		fraction /= 2
		if fraction < MinSpeedScale {
			fraction = 0
		}
		s.slowDrivers(constraints, fraction)
		if throws() { // these impulses hold each other, and slower drivers would not end them
			s.keepFraction(constraints, 0)
			for n := 0; n < drivenIterations && s.relaxAgain(false, constraints, tolerance); n++ {
			}
		} else if fraction == 0 && !l.turned {
			keepGaps(constraints)
			s.iterateDriven(l, constraints, tolerance, slowedIterations)
			s.stopJam(l, constraints, tolerance)
		} else {
			s.iterateDriven(l, constraints, tolerance, slowedIterations)
		}
		if fraction == 0 {
			break
		}
	}
	s.keepSlowed(constraints)
}

// keepGaps ends the opening of gaps. Between two sides that don't yield there may be no room for
// them, and impulses would grow without end.
func keepGaps(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		c.targetVelocity, c.bound = min(c.targetVelocity, 0), min(c.bound, 0)
	}
}

// stopJam stops the bodies of an island that has stopped its drivers, if all of them are slow. What
// the iterations leave of approaches, where there are no gaps to take it up, would become impacts.
// These would pass through the rows of the jam for as long as the step lasts. Bodies that are
// nearly slow enough are iterated further. It leaves alone what yields to torque: that goes on.
func (s *Solver) stopJam(l *island, constraints []contactConstraint, tolerance float64) {
	most := float64(jamShare * l.scale)
	fastest := s.fastestMoved(constraints)
	if l.rotors || fastest > float64(nearlyJammed*most) {
		return
	}
	if fastest > most {
		s.iterateDriven(l, constraints, tolerance, drivenIterations)
		if s.fastestMoved(constraints) > most {
			return
		}
	}
	for k := range constraints {
		for _, at := range [2]int32{constraints[k].a, constraints[k].b} {
			if s.infos[at].movable {
				s.bodies[at].v = collide.Vec3{}
			}
		}
	}
}

// fastestMoved returns the greatest component of a velocity of a body of an island that contacts
// move, m/s.
func (s *Solver) fastestMoved(constraints []contactConstraint) float64 {
	fastest := 0.0
	for k := range constraints {
		for _, at := range [2]int32{constraints[k].a, constraints[k].b} {
			if s.infos[at].movable {
				fastest = max(fastest, s.bodies[at].v.MaxAbs())
			}
		}
	}
	return fastest
}

// needsDirections reports whether over-relaxation and endApproaches are not enough for a driven
// island with so many contacts. Neither passes impulses on to what yields to torque. In small ones,
// passes would press from both sides of wedges. Where something rotates, heavy bodies among light
// ones would stop it.
func (l *island) needsDirections(contacts int) bool {
	return l.rotors || l.turned && l.isUneven() || !l.turned && contacts < fewestEnded
}

// iterateDriven iterates at most so many times, and ends the approaches that are left, or iterates
// along conjugate directions instead.
func (s *Solver) iterateDriven(l *island, constraints []contactConstraint, tolerance float64, iterations int) {
	if l.needsDirections(len(constraints)) {
		s.iterateConjugate(l, constraints, tolerance, iterations)
		return
	}
	s.iterate(l, constraints, tolerance, iterations)
	s.endApproaches(constraints, l.batched)
}

// yieldsSoon solves a driven island like one into which nothing pushes, and reports whether that is
// enough. It is where bodies are carried or move out of the way, which is most often the case. In
// small islands, where more iterations cost little, it isn't enough if two sides of a contact
// become faster, relative to each other, than most. It doesn't try where something yields to
// torque, or where a driver was slowed down in the last step.
func (s *Solver) yieldsSoon(
	l *island, constraints []contactConstraint, tolerance float64, iterations int, enough, most float64,
) bool {
	if l.rotors || s.wasSlowed(constraints) {
		return false
	}
	s.solveUndriven(l, constraints, len(constraints), tolerance, iterations)
	if len(constraints) < fewestEnded {
		return s.fastestApproach(constraints) <= enough && fastestPair(constraints, s.velocityOf) <= most
	}
	if s.fastestApproach(constraints) > enough {
		s.endApproaches(constraints, l.batched)
	}
	return s.fastestApproach(constraints) <= enough
}

// wasSlowed reports whether a driver of an island begins more slowly than its velocity says.
func (s *Solver) wasSlowed(constraints []contactConstraint) bool {
	for k := range constraints {
		for _, at := range [2]int32{constraints[k].a, constraints[k].b} {
			if p := &s.infos[at]; p.driver > 0 {
				if scale := s.leaderOf(p).firstScale; scale > 0 && scale < 1 {
					return true
				}
			}
		}
	}
	return false
}

// freeVelocityOf returns the velocity of a body if no contact acts, and that of a driver.
func (s *Solver) freeVelocityOf(k int32) collide.Vec3 {
	if p := &s.infos[k]; p.movable {
		return p.freeVelocity
	}
	return s.infos[k].v0
}

// startVelocityOf returns the velocity of a body at the start of the step, and that with which a
// driver begins it.
func (s *Solver) startVelocityOf(k int32) collide.Vec3 {
	if p := &s.infos[k]; p.movable {
		return p.v0
	}
	return s.bodies[k].v
}

// velocityOf returns the velocity that the iterations have given to a body or surface.
func (s *Solver) velocityOf(k int32) collide.Vec3 { return s.bodies[k].v }

// fastestPair returns the largest relative velocity of the two sides of a contact of an island,
// m/s.
func fastestPair(constraints []contactConstraint, velocity func(k int32) collide.Vec3) float64 {
	fastest := 0.0
	for k := range constraints {
		fastest = max(fastest, velocity(constraints[k].a).Sub(velocity(constraints[k].b)).LengthSquared())
	}
	return math.Sqrt(fastest)
}

// fastestDriver returns the speed of the fastest driver of an island, m/s.
func (s *Solver) fastestDriver(constraints []contactConstraint, velocity func(k int32) collide.Vec3) float64 {
	fastest := 0.0
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if !s.infos[at].movable {
				fastest = max(fastest, velocity(at).LengthSquared())
			}
		}
	}
	return math.Sqrt(fastest)
}

// fastestApproach returns by how much the fastest approach that is left in an island is faster than
// the gap of its contact allows in this step, m/s. It would become an impact.
func (s *Solver) fastestApproach(constraints []contactConstraint) float64 {
	fastest := 0.0
	for k := range constraints {
		c := &constraints[k]
		bound := -max(c.gap, 0) / s.Seconds
		fastest = max(fastest, bound-s.bodies[c.a].v.Sub(s.bodies[c.b].v).Dot(c.normal))
	}
	return fastest
}

// slowDrivers lets the drivers of an island move at a fraction of the speed with which they began.
// One that moves away from all of its bodies there keeps its speed: slower, it would be in the way.
func (s *Solver) slowDrivers(constraints []contactConstraint, fraction float64) {
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			p := &s.infos[at]
			if p.movable || s.movesAway(c, p) {
				continue
			}
			if l := s.leaderOf(p); l.firstScale > 0 {
				if l.islandScale = float64(fraction * l.firstScale); l.islandScale < MinSpeedScale {
					l.islandScale = 0
				}
			}
		}
	}
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; !p.movable {
				if l := s.leaderOf(p); l.firstScale > 0 {
					scale := min(l.islandScale, l.firstScale)
					s.bodies[at].v = p.v0.Scale(scale)
					c.stopped = p.v0 != (collide.Vec3{}) && scale == 0
				}
			}
		}
	}
}

// keepSlowed makes the drivers of an island as slow as slowDrivers has left them, or slower.
func (s *Solver) keepSlowed(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; !p.movable {
				if l := s.leaderOf(p); l.firstScale > 0 {
					l.speedScale, l.islandScale = min(l.speedScale, l.islandScale), 1
				}
			}
		}
	}
}

// setDriverVelocities gives each driver the least of the velocities that its islands have left it.
func (s *Solver) setDriverVelocities() {
	for k := range s.infos {
		p := &s.infos[k]
		if p.movable {
			continue
		}
		if l := s.leaderOf(p); l.firstScale > 0 {
			l.speedScale = min(l.speedScale, l.firstScale)
			s.bodies[k].v = p.v0.Scale(l.speedScale)
		}
	}
}

// SpeedScale returns the fraction of its velocity at which body or surface k may move in this step,
// from 0 to 1, and whether it is a driver: something that moves, that contacts do not move, and
// that is in a contact that was solved, or in a group with such a driver. What keeps less than 1
// pushes into something that cannot yield in time. The value for the next step's [Body] or
// [Surface] is at least [MinSpeedScale], since 0 means 1 there.
func (s *Solver) SpeedScale(k int32) (scale float64, driver bool) {
	p := &s.infos[k]
	if p.movable {
		return 0, false
	}
	l := s.leaderOf(p)
	return l.speedScale, l.firstScale > 0
}

// Stopped reports whether the island of a constraint could not yield at all, and so stopped the
// driver that is one side of the constraint.
func (s *Solver) Stopped(constraint int32) bool { return s.constraints[constraint].stopped }
