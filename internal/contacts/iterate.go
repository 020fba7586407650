package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// solveIsland finds the impulses of the contacts of one island by projected successive
// over-relaxation: contact after contact, the impulse that gives its two bodies the relative
// velocity that the contact demands, over and over.
func (s *Solver) solveIsland(constraints []contactConstraint, infos []constraintInfo) {
	iterations := iterationsFrictionless
	scale, lightest, heaviest := 0.0, 0.0, math.Inf(1)
	for k := range constraints {
		c := &constraints[k]
		if c.staticFriction > heapFriction {
			iterations = iterationsFriction
		}
		for _, at := range [2]int32{c.a, c.b} {
			if p := &s.infos[at]; p.movable {
				scale = max(scale, p.freeVelocity.Sub(p.v0).SumAbs(), float64(speedShare*p.freeVelocity.SumAbs()))
				lightest, heaviest = max(lightest, p.inverseMass), min(heaviest, p.inverseMass)
			}
		}
	}
	driven := s.findDrivers(constraints, infos)
	s.warmStart(constraints, infos)
	tolerance := float64(solvedShare * scale)
	if len(constraints) <= fewContacts {
		tolerance = float64(roundingShare * scale)
	}
	iterations += min(extraIterations, extraBudget/len(constraints))
	iterations += min(unevenIterations, unevenBudget/len(constraints), int(min(lightest/heaviest, unevenIterations)))
	if driven {
		s.solveDriven(constraints, infos, tolerance, iterations)
		return
	}
	for iteration := 1; iteration < iterations && s.relax(constraints, infos) > tolerance; iteration++ {
	}
	s.limitEnergy(constraints, infos)
}

// relax goes once through the contacts, and returns the greatest change of a velocity. It is the
// inner loop of the package.
func (s *Solver) relax(constraints []contactConstraint, infos []constraintInfo) float64 {
	most := 0.0
	bodies := s.bodies
	for k := range constraints {
		c := &constraints[k]
		a, b := &bodies[c.a], &bodies[c.b]
		wx, wy, wz := a.v.X-b.v.X, a.v.Y-b.v.Y, a.v.Z-b.v.Z
		nx, ny, nz := c.normal.X, c.normal.Y, c.normal.Z
		normalVelocity := float64(wx*nx) + float64(wy*ny) + float64(wz*nz)
		change := float64((c.targetVelocity - normalVelocity) * c.mass)
		change = min(change, float64((change+c.relaxedLoad-float64(c.softness*c.normalImpulse))*c.softScale))
		impulse := max(0, c.normalImpulse+max(float64(overRelaxation*change), float64((c.bound-normalVelocity)*c.mass)))
		change = impulse - c.normalImpulse
		if impulse == 0 && change == 0 {
			c.lastChange = 0
			continue // apart, and it stays so: there is no friction either
		}
		c.normalImpulse, c.lastChange = impulse, change
		px, py, pz := float64(nx*change), float64(ny*change), float64(nz*change)
		most = max(most, math.Abs(change)/c.mass)
		if c.tangentMass > 0 {
			if c.rotates {
				w := s.slipVelocity(c, &infos[k], collide.Vec3{X: wx, Y: wy, Z: wz})
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
			most = max(most, (math.Abs(cx)+math.Abs(cy)+math.Abs(cz))/c.tangentMass)
			px, py, pz = px+cx, py+cy, pz+cz
			if c.rotates {
				d := &infos[k]
				s.applyTorque(c, d, collide.Vec3{X: cx, Y: cy, Z: cz}, collide.Vec3{})
				if d.angularMass > 0 {
					most = max(most, s.resistRotation(c, d))
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
	return most
}

// resistRotation is relax for rolling and spinning resistance. It returns the greatest change of a
// velocity at the surface.
func (s *Solver) resistRotation(c *contactConstraint, d *constraintInfo) float64 {
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	torque := d.torqueImpulse.AddScaled(-d.angularMass, wa.w.Sub(wb.w))
	spinning := c.normal.Dot(torque)
	rolling := torque.AddScaled(-spinning, c.normal)
	if l, most := rolling.LengthSquared(), float64(d.rollingLength*c.normalImpulse); l > float64(most*most) {
		rolling = rolling.Scale(most / math.Sqrt(l))
	}
	most := float64(d.spinningLength * c.normalImpulse)
	torque = rolling.AddScaled(max(-most, min(most, spinning)), c.normal)
	change := torque.Sub(d.torqueImpulse)
	d.torqueImpulse = torque
	wa.w = wa.w.AddScaled(wa.inverseInertia, change)
	wb.w = wb.w.AddScaled(-wb.inverseInertia, change)
	return float64(change.SumAbs()/d.angularMass) * max(d.ra, d.rb)
}

// slipVelocity returns the velocity of the two surfaces of a contact relative to each other where
// they touch; w is that of the centres.
func (s *Solver) slipVelocity(c *contactConstraint, d *constraintInfo, w collide.Vec3) collide.Vec3 {
	return w.Sub(d.surfaceVelocity).Add(c.normal.Cross(s.spins[c.a].w.Scale(d.ra).Add(s.spins[c.b].w.Scale(d.rb))))
}

// applyImpulse gives the two bodies of a contact so many times its impulses.
func (s *Solver) applyImpulse(c *contactConstraint, d *constraintInfo, times float64) {
	if c.normalImpulse == 0 {
		return
	}
	friction := c.frictionImpulse.Scale(times)
	impulse := c.normal.Scale(float64(times * c.normalImpulse)).Add(friction)
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	a.v = a.v.Add(impulse.MulElem(a.mobility))
	b.v = b.v.Sub(impulse.MulElem(b.mobility))
	if c.rotates {
		s.applyTorque(c, d, friction, d.torqueImpulse.Scale(times))
	}
}

// applyTorque turns the two bodies of a contact by a friction impulse on A at the contact point and
// a torque impulse on A.
func (s *Solver) applyTorque(c *contactConstraint, d *constraintInfo, friction, torque collide.Vec3) {
	turn := c.normal.Cross(friction)
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	wa.w = wa.w.AddScaled(-float64(d.ra*wa.inverseInertia), turn).AddScaled(wa.inverseInertia, torque)
	wb.w = wb.w.AddScaled(-float64(d.rb*wb.inverseInertia), turn).AddScaled(-wb.inverseInertia, torque)
}
