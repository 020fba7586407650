package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// limitEnergy takes back as much of the impulses of each island as adds kinetic energy to the free
// velocities. Friction that is cut off because its contact bears less can add some, as the
// iterations end before it is balanced. So can gaps that open on both sides of a narrow wedge: they
// squeeze out what is in it, at many times their speed. Islands that something kinematic drives are
// exempt.
func (s *Solver) limitEnergy() {
	for k := range s.infos {
		p := &s.infos[k]
		root := s.rootOf(int32(k)).island
		if !p.movable || root < 0 {
			continue
		}
		l := &s.islands[root]
		l.carried = l.carried || p.carried
		mass := 1 / p.inverseMass
		free := float64(mass * p.freeVelocity.LengthSquared())
		l.gain += float64(mass*s.bodies[k].v.LengthSquared()) - free + s.turningGain(int32(k))
		l.energy += free
		if p.linked {
			rise, _ := s.rise(int32(k))
			l.rise += rise
		}
	}
	for k := range s.islands {
		l := &s.islands[k]
		allowed := float64(energyRounding * l.energy)
		if l.carried {
			continue
		}
		if l.gain > allowed {
			s.limitGain(l, s.constraints[l.first:l.next], allowed)
		} else if l.rise > allowed {
			s.limitRise(s.constraints[l.first:l.next])
		}
	}
}

// turningGain returns twice the energy that body k gains by turning faster.
func (s *Solver) turningGain(k int32) float64 {
	w := &s.spins[k]
	if w.inverseInertia == 0 {
		return 0
	}
	return (w.w.LengthSquared() - s.infos[k].w0.LengthSquared()) / w.inverseInertia
}

// rise returns twice the energy that body k, which moves at its velocity at the end of the step,
// gains on its way, and what it would lose without contacts. The potential energy falls by the work
// of the free acceleration.
func (s *Solver) rise(k int32) (gain, freeLoss float64) {
	p, v := &s.infos[k], s.bodies[k].v
	mass, change := 1/p.inverseMass, p.freeVelocity.Sub(p.v0)
	work := p.v0.LengthSquared() + float64(2*change.Dot(v))
	gain = float64(mass*v.LengthSquared()) - float64(mass*work) + s.turningGain(k)
	return gain, float64(mass * change.LengthSquared())
}

// limitRise keeps the largest fraction of the impulses of an island with which its bodies do not
// gain energy on their way through the step, beyond what gaps that open add. With much friction the
// iterations may go in circles, and end where a contact that parts still presses.
func (s *Solver) limitRise(constraints []contactConstraint) {
	allowed := 0.0
	for k := range constraints {
		c := &constraints[k]
		allowed += float64(2 * c.normalImpulse * max(0, c.targetVelocity))
	}
	rise, freeLoss := s.totalRise(constraints)
	if rise <= allowed { // where gaps lift what rests on them, the two differ by rounding only
		return
	}
	// With a fraction x of the impulses, twice the energy rises by q·x² + 2p·x - freeLoss.
	after := s.totalPower(constraints)
	s.applyImpulses(constraints, -1)
	q := after - s.totalPower(constraints)
	s.applyImpulses(constraints, 1)
	if !(q > 0) {
		return
	}
	p := float64((rise + freeLoss - q) / 2)
	x := (math.Sqrt(float64(p*p)+float64(q*(freeLoss+allowed))) - p) / q
	s.keepFraction(constraints, max(0, min(1, x)))
}

// totalRise returns the sums of rise over the bodies of an island, in the order of its contacts,
// since that of its bodies depends on which was created first. So does which of the two of a
// contact is the first, so each contact adds the sum of both.
func (s *Solver) totalRise(constraints []contactConstraint) (gain, freeLoss float64) {
	s.moved = grow.Extend(s.moved, len(s.bodies))
	for k := range constraints {
		s.moved[constraints[k].a], s.moved[constraints[k].b] = 0, 0
	}
	for k := range constraints {
		both, bothLoss := 0.0, 0.0
		for _, of := range [2]int32{constraints[k].a, constraints[k].b} {
			if s.infos[of].movable && s.infos[of].linked && s.moved[of] == 0 {
				s.moved[of] = 1
				rise, loss := s.rise(of)
				both, bothLoss = both+rise, bothLoss+loss
			}
		}
		gain, freeLoss = gain+both, freeLoss+bothLoss
	}
	return gain, freeLoss
}

// limitGain is limitEnergy for an island that has gained more than allowed, which is twice the
// energy. If gaps open there, it solves the island again without that, and then keeps as much of
// the impulses as takes most energy, if they still add some.
func (s *Solver) limitGain(l *island, constraints []contactConstraint, allowed float64) {
	opens := false
	for k := range constraints {
		c := &constraints[k]
		opens = opens || c.targetVelocity > 0 && c.normalImpulse > 0
		c.targetVelocity = min(c.targetVelocity, 0)
	}
	if opens {
		s.iterate(l, constraints, float64(roundingShare*l.scale), iterationsSmooth+extraIterations)
	}
	// The energy is a parabola in the fraction of the impulses that is kept, as in warmStart.
	after := s.totalPower(constraints)
	s.applyImpulses(constraints, -1)
	before := s.totalPower(constraints)
	s.applyImpulses(constraints, 1)
	if before+after <= allowed {
		return
	}
	fraction := 0.0
	if work := after - before; work > 0 {
		fraction = max(0, min(1, -before/work))
	}
	s.keepFraction(constraints, fraction)
}

// LimitMotion slows down body k if it would gain energy on its way through the step, and returns
// the velocity with which it begins a parabola. It does nothing for a body that touches another
// one, or something that moves. It is called after Finish of all constraints.
//
// A ball that rolls from one face of a terrain to the next slips on that at first. Friction ends
// the slip, and is the force that holds back the ball, too: this may do work on the mean slip. A
// ball that spins in a corner climbs out of it, against what presses it in, by the friction that
// ends its slip there. Where weight stops a ball on its way up a slope, friction holds it from then
// on; if both slowed it down evenly through the whole step, friction would lift it.
func (s *Solver) LimitMotion(k int32) (start collide.Vec3) {
	p, b, w := &s.infos[k], &s.bodies[k], &s.spins[k]
	if p.carried || p.linked {
		return p.v0
	}
	// The energy changes by half of z·x² + y·x - c if velocity and angular velocity at the end are
	// x times what they are: the way of a parabola is Seconds times the mean velocity, or that at
	// the end, and the potential energy falls by its product with the free acceleration.
	mass := 1 / p.inverseMass
	z := float64(mass * b.v.LengthSquared())
	y := float64(mass * b.v.Dot(p.v0.Sub(p.freeVelocity)))
	c := float64(mass * p.freeVelocity.Dot(p.v0))
	if p.abrupt {
		y, c = 2*y, float64(mass*p.v0.LengthSquared())
	}
	if w.inverseInertia > 0 {
		z += w.w.LengthSquared() / w.inverseInertia
		c += p.w0.LengthSquared() / w.inverseInertia
	}
	if !(z+y-c > float64(energyRounding*(z+math.Abs(y)+math.Abs(c)))) {
		return p.v0
	}
	start = p.v0
	if c < 0 {
		// Free motion turns it round. The change of energy is linear in what the parabola begins
		// with: at most up less if it begins at rest.
		up := float64(mass * start.Dot(start.Sub(p.freeVelocity)))
		if gain := z + y - c; gain < up {
			return start.Scale((up - gain) / up)
		}
		start, c = collide.Vec3{}, c+up
	}
	x := 0.0
	if d := float64(y*y) + float64(float64(4*z)*c); d > 0 {
		x = max(0, min(1, (math.Sqrt(d)-y)/(2*z)))
	}
	b.v, w.w = b.v.Scale(x), w.w.Scale(x)
	return start
}
