package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// solveIsland finds the impulses of the contacts of one island by projected successive
// over-relaxation: contact after contact, the impulse that gives its two bodies the relative
// velocity that the contact demands, over and over. Where masses differ much, it uses conjugate
// directions.
func (s *Solver) solveIsland(l *island) {
	constraints := s.constraints[l.first:l.next]
	if len(constraints) == 0 {
		return
	}
	if l.bodies == 1 && !l.reached && !l.drivers && !l.rotors {
		s.leaveFree(constraints)
		return
	}
	iterations := iterationsSmooth
	if l.isRough() {
		iterations = iterationsRough
	}
	tolerance := float64(solvedShare * l.scale)
	if len(constraints) <= fewContacts {
		tolerance = float64(roundingShare * l.scale)
	}
	iterations += min(extraIterations, extraBudget/len(constraints))
	ratio := int(min(l.lightest/l.heaviest, unevenIterations)) // of masses
	iterations += min(unevenIterations, unevenBudget/len(constraints), ratio)
	if l.drivers {
		s.startDrivers(l)
	}
	if !l.rotors && (l.bodies == 1 || len(constraints) <= max(fewContacts, int(l.bodies)+1)) &&
		s.solveWithoutParting(l, constraints, tolerance, iterations) {
		return
	}
	if l.driven {
		s.openGaps(l)
	} else {
		l.closeWedges(constraints)
	}
	s.warmStart(constraints, l.power)
	s.withRotors = s.withRotors[:0]
	if l.rotors {
		s.startRotors(constraints)
	}
	switch {
	case l.driven:
		s.solveDriven(l, constraints, tolerance, iterations)
	case l.rotors:
		s.iterateConjugate(l, constraints, tolerance, max(iterations, conjugateIterations))
	default:
		settled := s.solveUndriven(l, constraints, len(constraints), tolerance, iterations)
		if !settled && !l.drivers && len(constraints) >= fewestEnded {
			s.endApproaches(constraints, l.batched)
		}
		if !settled && l.drivers && l.bodies == 1 && s.isSqueezed(constraints) {
			// Each iteration has pressed once more from both sides.
			s.keepFraction(constraints, 0)
			s.relax(constraints, 1, tolerance)
		}
	}
}

// closeWedges ends the opening of gaps at contacts that bear far more than all bodies of the island
// together weigh. That is a body between two sides at an angle below that of friction: it holds
// itself, whatever the two bear, so gaps that open only make them bear more.
func (l *island) closeWedges(constraints []contactConstraint) {
	most := float64(wedgeLoad*float64(l.bodies)*l.scale) / l.heaviest
	for k := range constraints {
		if c := &constraints[k]; c.normalImpulse > most && c.targetVelocity > 0 {
			c.targetVelocity = 0
		}
	}
}

// solveUndriven is the part of solveIsland for an island into which no driver pushes, or that may
// yield to one, and of whose contacts so many act. It reports whether there is nothing that
// endApproaches should end.
func (s *Solver) solveUndriven(
	l *island, constraints []contactConstraint, acting int, tolerance float64, iterations int,
) (settled bool) {
	if acting > 1 && acting <= int(l.bodies) && s.findChain(constraints, l.bodies) {
		hardenChain(constraints)
		if l.turning || l.slanted {
			s.solveChain(constraints, tolerance)
		} else if s.solveStickingChain(constraints, tolerance, iterations/2) {
			return true
		}
	}
	// In a large driven island, endApproaches and further iterations have no directions either.
	if l.isUneven() && iterations >= fewestConjugate && !(l.driven && len(constraints) >= fewestEnded) {
		return s.iterateConjugate(l, constraints, tolerance, iterations) || !l.isRough()
	}
	return s.iterate(l, constraints, tolerance, iterations)
}

// leaveFree gives contacts no impulse. Their island is a body whose parabola ends before it reaches
// any of them, although its velocity at the end of the step would.
func (s *Solver) leaveFree(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		c.normalImpulse, c.frictionImpulse = 0, collide.Vec3{}
		if c.rotation >= 0 {
			s.rotations[c.rotation].torqueImpulse = collide.Vec3{}
		}
	}
}

// fewestUnsettled is the number of contacts from which on an island is expected to need more than
// one iteration, even if it was calm in the last step. For one iteration, batches would not pay.
const fewestUnsettled = 256

// iterate calls relax until it has nothing left to change, at most so many times.
func (s *Solver) iterate(l *island, constraints []contactConstraint, tolerance float64, iterations int) (settled bool) {
	factor := overRelaxation
	if l.drivers && !l.driven || len(constraints) <= fewContacts {
		// Where a driver moves along a contact with much friction and lifts a body off another one,
		// over-relaxation overshoots for ever. Small islands settle sooner without.
		factor = 1
	}
	expected := l.moving || len(constraints) >= fewestUnsettled
	n := 1
	l.batched = expected && s.prepareBatches(l, constraints)
	if !l.batched {
		if !s.relax(constraints, factor, tolerance) { // true of many islands
			return true
		}
		n, l.batched = 2, !expected && s.prepareBatches(l, constraints)
	}
	if !l.batched {
		for ; n < iterations; n++ {
			if !s.relax(constraints, factor, tolerance) {
				return true
			}
			if l.sticks && n == iterations/2 {
				s.fixFriction(l, constraints)
			}
		}
		return false
	}
	for ; n < iterations; n++ {
		if settled = !s.relaxPrepared(factor, tolerance); settled {
			break
		}
		if l.sticks && n == iterations/2 {
			s.takeImpulses(constraints)
			s.fixFriction(l, constraints)
			s.passImpulses(constraints)
		}
	}
	s.takeImpulses(constraints)
	return settled
}

// fixFriction decides for the rest of the iterations which contacts of an island slip and which
// stick. A contact that begins to slip loses part of its friction at once: up to a multiple of the
// weight that it carries, where bodies are wedged. In one of the last iterations nothing would
// balance that any more, and something would be thrown up. So a contact that sticks now does so for
// the rest of the step, up to its static friction, and begins to slip in the next one.
func (s *Solver) fixFriction(l *island, constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		limit := float64(c.dynamicFriction * c.normalImpulse)
		if math.Abs(c.frictionImpulse.Length()-limit) <= float64(frictionRounding*limit) {
			c.staticFriction = c.dynamicFriction
		} else {
			c.dynamicFriction = c.staticFriction
		}
	}
	l.sticks = false
}

// relaxGo goes once through the contacts, and reports whether an impulse has changed a velocity by
// more than tolerance. The change of impulse that would satisfy a contact by itself is multiplied
// by a factor, if that keeps the two apart. It is the inner loop of the package.
func (s *Solver) relaxGo(constraints []contactConstraint, factor, tolerance float64) (unsettled bool) {
	bodies := s.bodies
	for k := range constraints {
		c := &constraints[k]
		a, b := &bodies[c.a], &bodies[c.b]
		wx, wy, wz := a.v.X-b.v.X, a.v.Y-b.v.Y, a.v.Z-b.v.Z
		nx, ny, nz := c.normal.X, c.normal.Y, c.normal.Z
		normalVelocity := float64(wx*nx) + float64(wy*ny) + float64(wz*nz)
		old := c.normalImpulse
		change := float64((c.targetVelocity - normalVelocity) * c.mass)
		if soft := float64(c.softScale*change) + (c.relaxedLoad - float64((1-c.softScale)*old)); soft < change {
			change = soft
		}
		impulse := old + float64(factor*change)
		if hard := old + float64((c.bound-normalVelocity)*c.mass); hard > impulse {
			impulse = hard
		}
		if !(impulse > 0) { // not max, which is a call on some processors
			impulse = 0
		}
		if impulse == 0 && old == 0 {
			c.lastChange = 0
			continue // apart, and it stays so: there is no friction either
		}
		change = impulse - old
		c.normalImpulse, c.lastChange = impulse, change
		px, py, pz := float64(nx*change), float64(ny*change), float64(nz*change)
		if math.Abs(change) > float64(tolerance*c.mass) {
			unsettled = true
		}
		if c.tangentMass > 0 {
			if c.slanted {
				wx += float64(px * (a.mobility.X + b.mobility.X))
				wy += float64(py * (a.mobility.Y + b.mobility.Y))
				wz += float64(pz * (a.mobility.Z + b.mobility.Z))
				normalVelocity = float64(wx*nx) + float64(wy*ny) + float64(wz*nz)
			}
			if c.rotation >= 0 {
				w := s.slipVelocity(c, collide.Vec3{X: wx, Y: wy, Z: wz})
				wx, wy, wz = w.X, w.Y, w.Z
				normalVelocity = w.Dot(c.normal)
			}
			fx := c.frictionImpulse.X - float64(c.tangentMass*(wx-float64(normalVelocity*nx)))
			fy := c.frictionImpulse.Y - float64(c.tangentMass*(wy-float64(normalVelocity*ny)))
			fz := c.frictionImpulse.Z - float64(c.tangentMass*(wz-float64(normalVelocity*nz)))
			l, cone := float64(fx*fx)+float64(fy*fy)+float64(fz*fz), float64(c.staticFriction*impulse)
			if l > float64(cone*cone) {
				ratio := float64(c.dynamicFriction*impulse) / math.Sqrt(l)
				fx, fy, fz = float64(fx*ratio), float64(fy*ratio), float64(fz*ratio)
			}
			cx, cy, cz := fx-c.frictionImpulse.X, fy-c.frictionImpulse.Y, fz-c.frictionImpulse.Z
			c.frictionImpulse = collide.Vec3{X: fx, Y: fy, Z: fz}
			if math.Abs(cx)+math.Abs(cy)+math.Abs(cz) > float64(tolerance*c.tangentMass) {
				unsettled = true
			}
			px, py, pz = px+cx, py+cy, pz+cz
			if c.rotation >= 0 {
				s.applyTorque(c, collide.Vec3{X: cx, Y: cy, Z: cz}, collide.Vec3{})
				if d := &s.rotations[c.rotation]; d.angularMass > 0 && s.resistRotation(c, d, tolerance) {
					unsettled = true
				}
			}
		}
		a.v.X += float64(px * a.mobility.X)
		a.v.Y += float64(py * a.mobility.Y)
		a.v.Z += float64(pz * a.mobility.Z)
		b.v.X -= float64(px * b.mobility.X)
		b.v.Y -= float64(py * b.mobility.Y)
		b.v.Z -= float64(pz * b.mobility.Z)
	}
	return unsettled
}

// resistRotation is relax for rolling and spinning resistance. It reports whether a velocity at the
// surface has changed by more than tolerance.
func (s *Solver) resistRotation(c *contactConstraint, d *rotationConstraint, tolerance float64) (unsettled bool) {
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	torque := d.torqueImpulse.AddScaled(-d.angularMass, wa.w.Sub(wb.w))
	spinning := c.normal.Dot(torque)
	rolling := torque.AddScaled(-spinning, c.normal)
	if l, most := rolling.LengthSquared(), float64(d.rollingLength*c.normalImpulse); l > float64(most*most) {
		rolling = rolling.Scale(most / math.Sqrt(l))
	}
	if most := float64(d.spinningLength * c.normalImpulse); spinning > most {
		spinning = most
	} else if spinning < -most {
		spinning = -most
	}
	torque = rolling.AddScaled(spinning, c.normal)
	change := torque.Sub(d.torqueImpulse)
	d.torqueImpulse = torque
	wa.w = wa.w.AddScaled(wa.inverseInertia, change)
	wb.w = wb.w.AddScaled(-wb.inverseInertia, change)
	return float64(change.SumAbs()*max(d.ra, d.rb)) > float64(tolerance*d.angularMass)
}

// slipVelocity returns the velocity of the two surfaces of a contact relative to each other where
// they touch; w is that of the centres.
func (s *Solver) slipVelocity(c *contactConstraint, w collide.Vec3) collide.Vec3 {
	d := &s.rotations[c.rotation]
	return w.Sub(d.surfaceVelocity).Add(c.normal.Cross(s.spins[c.a].w.Scale(d.ra).Add(s.spins[c.b].w.Scale(d.rb))))
}

// applyImpulse gives the two bodies of a contact so many times its impulses.
func (s *Solver) applyImpulse(c *contactConstraint, times float64) {
	if c.normalImpulse == 0 {
		return
	}
	friction := c.frictionImpulse.Scale(times)
	impulse := c.normal.Scale(float64(times * c.normalImpulse)).Add(friction)
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	a.v = a.v.Add(impulse.MulElem(a.mobility))
	b.v = b.v.Sub(impulse.MulElem(b.mobility))
	if c.rotation >= 0 {
		s.applyTorque(c, friction, s.rotations[c.rotation].torqueImpulse.Scale(times))
	}
}

// applyTorque turns the two bodies of a contact by a friction impulse on A at the contact point and
// a torque impulse on A.
func (s *Solver) applyTorque(c *contactConstraint, friction, torque collide.Vec3) {
	d := &s.rotations[c.rotation]
	turn := c.normal.Cross(friction)
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	wa.w = wa.w.AddScaled(-float64(d.ra*wa.inverseInertia), turn).AddScaled(wa.inverseInertia, torque)
	wb.w = wb.w.AddScaled(-float64(d.rb*wb.inverseInertia), turn).AddScaled(-wb.inverseInertia, torque)
}
