package contacts

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// A driver is something that moves and that contacts do not move: a kinematic body or a moving
// surface. A heap resists a driver with hundreds of times its weight, and that takes many
// iterations to find. So an island that a driver touches keeps its gaps fully open, and is iterated
// along conjugate directions, which converges in fewer iterations. Where the iterations still leave
// approaches that would become impacts, the driver moves more slowly in this step, down to a stop.
// In the following steps it takes up speed again.

// searchDirection is the sum of the last changes of a contact's impulses, and their values before
// the iteration.
type searchDirection struct {
	normal, normal0                      float64
	friction, friction0, torque, torque0 collide.Vec3
}

// findDrivers gives the drivers of an island the velocity with which they begin, and reports
// whether they drive bodies that hold each other. Then their contacts keep a gap.
func (s *Solver) findDrivers(constraints []contactConstraint, infos []constraintInfo) bool {
	driven := false
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			p := &s.infos[at]
			if p.movable || p.v0 == (collide.Vec3{}) {
				continue
			}
			if p.firstScale == 0 {
				p.firstScale = 1
				if last := p.speedScale; last > 0 {
					p.firstScale = min(1, 2*last)
				}
				p.speedScale = 1
			}
			s.bodies[at].v = p.v0.Scale(p.firstScale)
			driven = driven || s.infos[c.a].linked || s.infos[c.b].linked
		}
	}
	if !driven {
		return false
	}
	for k := range constraints {
		c, d := &constraints[k], &infos[k]
		if s.infos[c.a].linked || s.infos[c.b].linked {
			c.bound = (float64(float64(drivenGap*RestGap)*d.smallerRadius()) - d.gap) / s.Seconds
			if c.bound > 0 {
				c.bound *= openingShare
			}
		}
	}
	return true
}

// solveDriven is the part of solveIsland that differs where a driver pushes into an island.
func (s *Solver) solveDriven(
	constraints []contactConstraint, infos []constraintInfo, tolerance float64, iterations int,
) {
	s.iterateConjugate(constraints, infos, tolerance, max(iterations, drivenIterations))
	for fraction := 1.0; !s.yields(constraints, infos); {
		fraction /= 2
		if fraction < MinSpeedScale {
			fraction = 0
		}
		s.slowDrivers(constraints, fraction)
		s.iterateConjugate(constraints, infos, tolerance, slowedIterations)
		if fraction == 0 {
			break
		}
	}
}

// yields reports whether no contact is left approaching so fast that it would become an impact in
// this step, but for slow ones.
func (s *Solver) yields(constraints []contactConstraint, infos []constraintInfo) bool {
	fastest := 0.0
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; !p.movable {
				fastest = max(fastest, p.v0.LengthSquared())
			}
		}
	}
	allowed := float64(drivenApproach * math.Sqrt(fastest))
	for k := range constraints {
		c := &constraints[k]
		bound := -max(infos[k].gap, 0) / s.Seconds
		if s.bodies[c.a].v.Sub(s.bodies[c.b].v).Dot(c.normal) < bound-allowed {
			return false
		}
	}
	return true
}

// slowDrivers lets the drivers of an island move at a fraction of the speed with which they began.
func (s *Solver) slowDrivers(constraints []contactConstraint, fraction float64) {
	for k := range constraints {
		c := &constraints[k]
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; !p.movable && p.firstScale > 0 {
				scale := float64(fraction * p.firstScale)
				if scale < MinSpeedScale {
					scale = 0
				}
				s.bodies[at].v = p.v0.Scale(scale)
				p.speedScale = min(p.speedScale, scale)
			}
		}
	}
}

// iterateConjugate iterates at most so many times. After each iteration it goes on along the
// direction that the last ones took together: nonlinear conjugate gradients after Fletcher and
// Reeves. (M. Silcowitz, S. Niebe and K. Erleben, A nonsmooth nonlinear conjugate gradient method
// for interactive contact force problems, 2010.)
func (s *Solver) iterateConjugate(
	constraints []contactConstraint, infos []constraintInfo, tolerance float64, iterations int,
) {
	s.directions = slices.Grow(s.directions[:0], len(constraints))[:len(constraints)]
	clear(s.directions)
	before := math.Inf(1)
	for iteration := 1; iteration < iterations; iteration++ {
		for k := range constraints {
			g, c := &s.directions[k], &constraints[k]
			g.normal0, g.friction0, g.torque0 = c.normalImpulse, c.frictionImpulse, infos[k].torqueImpulse
		}
		if s.relax(constraints, infos) <= tolerance {
			return
		}
		now := 0.0 // squared length of the residual
		for k := range constraints {
			g, c := &s.directions[k], &constraints[k]
			x := c.normalImpulse - g.normal0
			now += float64(x*x) / c.mass
			if c.tangentMass > 0 {
				now += c.frictionImpulse.Sub(g.friction0).LengthSquared() / c.tangentMass
			}
		}
		beta := now / before
		before = now
		if !(beta <= 1) { // the residual grew: begin anew
			clear(s.directions)
			before = math.Inf(1)
			continue
		}
		for k := range constraints {
			s.stepAlong(&s.directions[k], &constraints[k], &infos[k], beta)
		}
	}
	s.relax(constraints, infos)
}

// stepAlong adds beta times the search direction of a contact to its impulses, and then their last
// change to the direction.
func (s *Solver) stepAlong(g *searchDirection, c *contactConstraint, d *constraintInfo, beta float64) {
	x, y, z := c.normalImpulse-g.normal0, c.frictionImpulse.Sub(g.friction0), d.torqueImpulse.Sub(g.torque0)
	g.normal, g.friction, g.torque = float64(beta*g.normal), g.friction.Scale(beta), g.torque.Scale(beta)
	if g.normal != 0 || g.friction != (collide.Vec3{}) || g.torque != (collide.Vec3{}) {
		c.normalImpulse += g.normal
		c.frictionImpulse, d.torqueImpulse = c.frictionImpulse.Add(g.friction), d.torqueImpulse.Add(g.torque)
		impulse := c.normal.Scale(g.normal).Add(g.friction)
		a, b := &s.bodies[c.a], &s.bodies[c.b]
		a.v = a.v.Add(impulse.MulElem(a.mobility))
		b.v = b.v.Sub(impulse.MulElem(b.mobility))
		if c.rotates {
			s.applyTorque(c, d, g.friction, g.torque)
		}
	}
	g.normal, g.friction, g.torque = g.normal+x, g.friction.Add(y), g.torque.Add(z)
}

// setDriverVelocities gives each driver the least of the velocities that its islands have left it.
func (s *Solver) setDriverVelocities() {
	for k := range s.infos {
		if p := &s.infos[k]; !p.movable && p.firstScale > 0 {
			p.speedScale = min(p.speedScale, p.firstScale)
			s.bodies[k].v = p.v0.Scale(p.speedScale)
		}
	}
}

// SpeedScale returns the fraction of its velocity at which body or surface k may move in this step,
// from 0 to 1, and whether it is a driver: something that moves, that contacts do not move, and
// that is in a contact that was solved. What keeps less than 1 pushes into something that cannot
// yield in time. The value for the next step's [Body] or [Surface] is at least [MinSpeedScale],
// since 0 means 1 there.
func (s *Solver) SpeedScale(k int32) (scale float64, driver bool) {
	p := &s.infos[k]
	return p.speedScale, !p.movable && p.firstScale > 0
}
