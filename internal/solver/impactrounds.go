package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/impulse"
)

// The rounds in which a group is resolved: see impactgroup.go.

// resolveRounds gives the group its impulses. It returns false, and the velocities are of no use,
// if there are none that end all approaches.
func (s *Space) resolveRounds(t float64) bool {
	g := &s.group
	g.speedBefore = g.speed
	_, ok := s.runRounds(0, false, t)
	if ok && s.takeAccelerations(t) {
		_, ok = s.runRounds(0, true, t)
	}
	for round := 0; ok && s.followTurning(t); {
		round, ok = s.runRounds(round, true, t)
	}
	return ok && !g.isSqueezed()
}

// isSqueezed reports whether something that moves by itself squeezes a body out too fast. What
// rotates may make bodies faster: with MaxThrow, a drum of balls would stop.
func (g *group) isSqueezed() bool {
	if !g.driven || g.speed <= float64(contacts.MaxThrow*g.speedBefore) {
		return false
	}
	turns := slices.ContainsFunc(g.contacts, func(c groupContact) bool { return c.turning })
	return !turns || g.speed > float64(contacts.MaxSqueezeSpeed*g.speedBefore)
}

// runRounds makes rounds from the given one on until nothing approaches. late is set when the
// engaged bodies have taken their accelerations, see takeAccelerations: then nothing bounces. It
// returns the number of the next round, and false if there are no impulses that end all approaches.
func (s *Space) runRounds(round int, late bool, t float64) (next int, ok bool) {
	for ; s.activate(round == 0 && !late, late || s.group.jam || round >= maxRounds, late, s.Seconds-t); round++ {
		if round > 2*maxRounds || !s.solveActive(t) || s.group.isSqueezed() {
			return round, false
		}
	}
	return round, true
}

// activate lists the contacts that take part in the next round, and reports whether one of them
// approaches. The first round begins with the impact itself. With inelastic set, nothing bounces,
// and a contact with a gap may close it in the time that is left of the step. late is set when the
// engaged bodies have taken their accelerations, see takeAccelerations.
func (s *Space) activate(first, inelastic, late bool, left float64) bool {
	g := &s.group
	g.active, g.activeOf, g.fraction = g.active[:0], g.activeOf[:0], 0
	least := float64(groupTolerance * g.speed)
	approaches := false
	for k := range g.contacts { // before engage changes velocities: the order of contacts must not count
		c := &g.contacts[k]
		c.parting = c.normal.Dot(g.bodies[c.a].Velocity.Sub(g.bodies[c.b].Velocity))
	}
	for k := range g.contacts {
		c := &g.contacts[k]
		c.inelastic = c.inelastic || c.engaged && inelastic
		parting := c.parting
		allowed := 0.0
		if inelastic && !c.turning {
			allowed = s.allowedApproach(c, left)
		}
		if parting < -least-allowed || first && c.initial {
			approaches = true
			if g.jam && !c.engaged {
				g.fraction = jamShare
			}
			s.engage(c, -parting, inelastic, late)
		} else if !c.inelastic || !inelastic && parting > least {
			continue
		}
		if !c.inelastic {
			parting *= -c.restitution
		} else if c.turning {
			parting = 2 * least
		} else {
			parting = min(0, float64(jamTolerance*s.smallerRadius(c))/left-allowed)
		}
		c.parting = parting
		g.activeOf = append(g.activeOf, int32(k))
	}
	if !approaches {
		return false
	}
	s.orderGroup(g.activeOf)
	for _, k := range g.activeOf {
		c := &g.contacts[k]
		g.active = append(g.active, impulse.Contact{A: c.a, B: c.b, Normal: c.normal, Parting: c.parting})
	}
	return true
}

// orderGroup puts contacts of the group, by their indices, in an order that follows from their
// paths.
func (s *Space) orderGroup(of []int32) {
	all := s.group.contacts
	slices.SortFunc(of, func(k, l int32) int {
		c, d := &all[k], &all[l]
		if c.key != d.key {
			return cmp.Compare(c.key, d.key)
		}
		return cmp.Compare(s.namesOfContact(c), s.namesOfContact(d))
	})
}

// allowedApproach returns the closing speed at which the two sides just don't meet in the time that
// is left of the step, m/s. Sideways motion only takes spheres apart.
func (s *Space) allowedApproach(c *groupContact, left float64) float64 {
	closed := float64((1-0x1p-20)*max(c.gap, 0)) + float64(jamTolerance*s.smallerRadius(c))
	return min(closed/left, math.MaxFloat64)
}

// reportedGap is the gap up to which an impact of a contact is one where the two are. In a jam, and
// between two that a jam has kept apart before in the step, larger ones have impulses, too. What
// gap the first impact has is rounding.
func (s *Space) reportedGap(c *groupContact) float64 {
	if c.initial {
		return math.Inf(1)
	}
	touch := float64(touchTolerance * s.smallerRadius(c))
	if s.group.jam {
		return touch
	}
	return max(s.TouchingGap, touch)
}

// engage notes that a contact, which closes at the given speed, and its bodies get impulses.
func (s *Space) engage(c *groupContact, closing float64, inelastic, late bool) {
	g := &s.group
	if !c.engaged {
		c.engaged, c.late, c.closing = true, late, max(closing, 0)
	}
	if c.restitution = 0; !inelastic && !c.inelastic && !s.overlaps(c) && c.gap <= s.reportedGap(c) {
		c.restitution = s.restitutionAt(c.material, closing)
	}
	c.inelastic = c.restitution == 0
	for _, k := range [2]int32{c.a, c.b} {
		m := &g.parts[k]
		if late && m.movable && !m.engaged {
			g.bodies[k].Velocity = s.velocity(m.code, s.Seconds)
			s.takeAcceleration(k, 0)
		}
		m.engaged = true
		m.bounces = m.bounces || !c.inelastic
	}
}

// solveActive gives the active contacts their impulses and finds the contacts of the bodies that
// they move. It returns false if there are no impulses that end the approaches.
func (s *Space) solveActive(t float64) bool {
	g := &s.group
	g.solver.Work += len(g.contacts) // of this round
	if !g.solver.Solve(g.bodies, g.active, g.fraction) {
		return false
	}
	for k := range g.active {
		g.contacts[g.activeOf[k]].impulse += g.active[k].Impulse
	}
	for k := range g.bodies {
		g.speed = max(g.speed, g.bodies[k].Velocity.SumAbs())
	}
	for k := range g.parts {
		if g.parts[k].engaged {
			s.searchGroup(int32(k), t)
		}
	}
	return true
}

// finishGroup puts the engaged bodies on their new paths, and logs the impacts.
//
// Friction acts between the two with whose impact the group began, as if they were alone.
func (s *Space) finishGroup(t float64) {
	g := &s.group
	elastic, supported := 1.0, false
	for k := range g.parts {
		supported = supported || g.parts[k].engaged && !g.parts[k].movable
	}
	for k := range g.parts {
		m := &g.parts[k]
		if !m.engaged && (m.movable || m.halts) { // the velocity of a body is now the mean velocity
			g.bodies[k].Velocity = s.bodies[m.code].v
			continue
		}
		if !m.movable {
			continue
		}
		v := g.bodies[k].Velocity.AddScaled(float64(s.Seconds/2)-t, m.acceleration)
		g.bodies[k].Velocity = s.unlocked(m.code, v)
		f := &s.infos[m.code]
		if g.takes && (!g.jam || f.budget >= 0) { // what is jammed bounces no more
			s.noteTaken(m, g.bodies[k].Velocity, t, supported)
		} else {
			f.acceleratedByContacts = false
		}
		f.slideContacts = -1
		if m.released {
			s.endTurning(m.code, t)
		}
		s.setAcceleration(m.code, m.acceleration)
		if m.acceleration != (collide.Vec3{}) {
			s.flags[m.code] |= accelerated
		}
	}
	g.activeOf = g.activeOf[:0]
	for k := range g.contacts {
		if g.contacts[k].engaged {
			g.activeOf = append(g.activeOf, int32(k))
		}
	}
	s.orderGroup(g.activeOf)
	for _, k := range g.activeOf {
		c := &g.contacts[k]
		if c.restitution < 1 {
			elastic = 0
		}
		i, code := g.parts[c.a].code, s.memberCode(c.b)
		if c.initial && c.restitution > 0 && s.isRough(s.memberMaterial(c.a), s.memberMaterial(c.b)) {
			v := &g.bodies[c.a].Velocity
			w := &g.bodies[c.b].Velocity
			*v, *w, _, _ = s.applyFriction(i, code, c.normal, *v, *w, c.impulse, t)
		}
		persists := code < 0 && s.maySolveSurface(i, surfaceOf(code)) || code >= 0 && s.maySolve(i, s.index[code])
		logBody := i
		if !g.parts[c.a].movable {
			logBody = s.index[code]
		}
		logs := !c.late && c.impulse > 0
		switch {
		case c.gap > s.reportedGap(c):
			s.noteClosing(i, code, logBody, c.closing, c.impulse, logs, persists)
			continue
		case c.inelastic && persists:
			s.beginContact(i, code)
		}
		if logs {
			point := s.groupPoint(i, code, c, t)
			s.logImpact(i, code, logBody, t, point, c.normal, c.closing, c.impulse, !c.inelastic)
		}
	}
	for k := range g.parts {
		switch m := &g.parts[k]; {
		case m.movable && m.engaged:
			s.setPath(m.code, m.x, g.bodies[k].Velocity, t)
		case m.halts && m.engaged:
			s.halt(m.code, m.x, t)
		}
	}
	least, turns, overlaps := float64(groupTolerance*g.speed), false, false
	for k := range g.contacts {
		c := &g.contacts[k]
		parting := c.normal.Dot(s.memberVelocity(c.a, t).Sub(s.memberVelocity(c.b, t)))
		overlap := s.overlaps(c)
		turns, overlaps = turns || c.turning && c.engaged, overlaps || overlap && c.engaged && !c.turning
		if parting >= -least-s.allowedApproach(c, s.Seconds-t) && !s.comeBack(c, t, least) &&
			(!c.turning || overlap) {
			s.keepApart(c.a, c.b, g.jam && c.engaged, overlap)
			s.keepApart(c.b, c.a, g.jam && c.engaged, overlap)
		}
	}
	for k := range g.parts {
		if m := &g.parts[k]; (m.movable || m.halts) && m.engaged {
			if !g.jam || s.infos[m.code].budget >= 0 && m.movable {
				s.spendBudget(m.code, m.x, t, elastic, g.driven)
			} else if (turns || overlaps) && m.movable {
				s.spendMeeting(m.code, m.x, t, overlaps)
			}
			s.repredict(m.code, t)
		}
	}
}
