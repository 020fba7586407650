package contacts

import "github.com/dango-physics/dango/collide"

// Contact is two bodies, or a body and a surface, that touch or come close in this step.
type Contact struct {
	A, B            int32        // as AddBody and AddSurface returned them; A is a body
	Island          int32        // from OrderContacts; contacts of an island are added one after another
	Normal          collide.Vec3 // unit vector from B to A; zero if their centres coincide
	Gap             float64      // distance of their surfaces at the start of the step, m; negative where they overlap
	Restitution     float64      // coefficient for an impact at ApproachSpeed, 0 to 1
	Elastic         bool         // the restitution is positive at any speed: the two were not linked
	Friction        FrictionCoefficients
	SurfaceVelocity collide.Vec3 // of a conveyor belt: how fast B's surface moves relative to B, m/s
	History         History
}

// History is what a contact keeps from step to step. That of a new contact is zero.
type History struct {
	NormalImpulse   float64      // in the last step, N·s
	Before          float64      // in the step before that, N·s
	Uncertainty     float64      // gap that it needs for what the iterations leave of an approach, m
	FrictionImpulse collide.Vec3 // on A in the last step, N·s
	TorqueImpulse   collide.Vec3 // of rolling and spinning resistance on A in the last step, N·m·s
}

// Preparation says what became of a contact that was added.
type Preparation uint8

// What becomes of a contact that is added.
const (
	Solved   Preparation = iota // it became a constraint
	Bounces                     // an impact, not solved here: its impulses are to be forgotten
	Immobile                    // neither side can give way along the normal: not solved here
)

// contactConstraint is the part of a contact that every iteration reads.
type contactConstraint struct {
	a, b           int32
	normal         collide.Vec3
	normalImpulse  float64
	targetVelocity float64 // relative velocity along the normal that the spring tends to
	bound          float64 // least relative velocity that keeps the two apart in this step: the hard stop
	mass           float64 // effective mass along the normal
	softness       float64 // of the spring, as a fraction of the effective inverse mass; 0 for a hard contact
	softScale      float64 // 1/(1+softness)
	relaxedLoad    float64 // softness times the impulse at which the spring is relaxed
	lastChange     float64 // of normalImpulse in the last iteration

	staticFriction, dynamicFriction float64 // coefficients; static is 0 where there is no friction
	tangentMass                     float64 // effective mass along the surface, spin included; 0 where nothing resists
	frictionImpulse                 collide.Vec3
	rotates                         bool // a body turns or can turn, or the surface is a conveyor belt
}

// constraintInfo is the rest of a constraint.
type constraintInfo struct {
	ra, rb                        float64 // radii; rb is 0 for a surface
	surfaceVelocity               collide.Vec3
	angularMass                   float64 // effective inertia; 0 where nothing resists rolling or spinning
	rollingLength, spinningLength float64 // greatest torque impulses, as lengths that multiply the normal impulse
	torqueImpulse                 collide.Vec3
	gap                           float64
	before                        float64 // the normal impulse of the last step
	uncertainty                   float64
	contact                       int32 // index in the order of AddContact
	island                        int32
}

// smallerRadius returns the smaller radius of the two, or that of the body at a surface.
func (d *constraintInfo) smallerRadius() float64 {
	if d.rb > 0 {
		return min(d.ra, d.rb)
	}
	return d.ra
}

// AddContact adds a contact after all bodies have been added and linked. Contacts are solved in the
// order in which they are added; see OrderContacts. The contact itself is not kept.
func (s *Solver) AddContact(contact *Contact) Preparation {
	p, q := &s.infos[contact.A], &s.infos[contact.B]
	s.constraints = append(s.constraints, contactConstraint{
		a: contact.A, b: contact.B, normal: contact.Normal, softness: softness,
		normalImpulse: contact.History.NormalImpulse,
	})
	s.constraintInfos = append(s.constraintInfos, constraintInfo{
		ra: p.radius, rb: q.radius, gap: contact.Gap, contact: int32(s.added), island: contact.Island,
		before: contact.History.NormalImpulse, uncertainty: contact.History.Uncertainty,
		surfaceVelocity: contact.SurfaceVelocity,
	})
	s.added++
	result := s.prepareContact(contact, p, q)
	if result != Solved {
		last := len(s.constraints) - 1
		s.constraints, s.constraintInfos = s.constraints[:last], s.constraintInfos[:last]
	}
	return result
}

// prepareContact works out the constraint that was added last, of bodies p and q.
func (s *Solver) prepareContact(contact *Contact, p, q *solverBodyInfo) Preparation {
	last := len(s.constraints) - 1
	c, d := &s.constraints[last], &s.constraintInfos[last]
	if c.normal == (collide.Vec3{}) {
		p.unresolved, q.unresolved = true, true
		return Immobile
	}
	if !q.movable && (q.moves() || d.surfaceVelocity != (collide.Vec3{})) {
		p.carried = true
	}
	if !p.movable && p.moves() {
		q.carried = true
	}
	approach := s.ApproachSpeed(c.a, c.b, c.normal)
	smaller := d.smallerRadius()
	overlaps := d.gap < -float64(s.OverlapTolerance*smaller)
	if overlaps { // the contact stops the approach, and something else moves them apart
		p.unresolved, q.unresolved = true, true
	}
	if s.bounces(contact, p, q, approach, overlaps) {
		p.unresolved, q.unresolved = true, true
		return Bounces
	}
	ia, ib := s.bodies[c.a].mobility, s.bodies[c.b].mobility
	inverseMass := c.normal.MulElem(ia).Dot(c.normal) + c.normal.MulElem(ib).Dot(c.normal)
	if !(inverseMass > 0) { // neither gives way along the normal
		if approach > 0 {
			p.unresolved, q.unresolved = true, true
		}
		return Immobile
	}
	c.mass = 1 / inverseMass
	s.prepareNormal(c, d, p, q, contact)
	freeChange := p.freeVelocity.Sub(p.v0).SumAbs() + q.freeVelocity.Sub(q.v0).SumAbs()
	if c.bound+approach > float64(accelerationRounding*freeChange) {
		p.abrupt, q.abrupt = true, true
	}
	c.softScale = 1 / (1 + c.softness)
	s.prepareFriction(c, d, p, q, contact)
	return Solved
}

// bounces reports whether a contact is an impact that bounces, which is resolved at its own time
// and not here.
func (s *Solver) bounces(contact *Contact, p, q *solverBodyInfo, approach float64, overlaps bool) bool {
	e := contact.Restitution
	gained := -contact.Normal.Dot(p.freeVelocity.Sub(q.freeVelocity)) - approach
	if (!p.movable || !q.movable) && 2*approach <= gained {
		e = 0 // it would be back within half a step
	}
	if e < 1 && s.pushesIntoHeap(p, q) {
		e = 0 // the bodies behind are in the way
	}
	// Elastic contacts of two movable bodies are of two islands, neither of which can be solved
	// without the other. Even overlapping ones are left to impacts.
	if overlaps && !(p.movable && q.movable && contact.Elastic) {
		e = 0
	}
	return e > 0
}

// pushesIntoHeap reports whether one of the two is kinematic and moves, and the other is in contact
// with other movable bodies.
func (s *Solver) pushesIntoHeap(p, q *solverBodyInfo) bool {
	if q.linked {
		p, q = q, p
	}
	return p.linked && !q.movable && q.v0 != (collide.Vec3{})
}

// moves reports whether a body or a surface moves or turns when the step begins.
func (p *solverBodyInfo) moves() bool { return p.v0 != (collide.Vec3{}) || p.w0 != (collide.Vec3{}) }

// prepareNormal works out what a contact demands along its normal.
//
// Where no other movable body is involved, a contact is hard, and the two come as close as they
// touch. In an island of several bodies it is a spring with a damper within a small gap, RestGap,
// and hard where the gap is used up. The spring is relaxed at the load of the last step, whatever
// the gap, and opens the gap only slowly. So a steady load does not make it sag, and a load that
// vanishes does not make it throw anything off. Without friction it does spring back, up to the
// gap.
func (s *Solver) prepareNormal(c *contactConstraint, d *constraintInfo, p, q *solverBodyInfo, contact *Contact) {
	h := &contact.History
	smaller := d.smallerRadius()
	rest := float64(RestGap * smaller)
	c.bound = -max(d.gap-float64(clearance*smaller), 0) / s.Seconds
	switch {
	case !p.linked && !q.linked:
		if d.gap <= float64(s.TouchTolerance*smaller) {
			c.bound = 0
		}
		c.softness, c.targetVelocity = 0, c.bound
	case d.gap > rest:
		c.targetVelocity = -(d.gap - rest) / s.Seconds
		c.relaxedLoad = s.relaxSpring(c, smaller)
	default:
		c.relaxedLoad = s.relaxSpring(c, smaller)
		if p.freeVelocity == p.v0 && q.freeVelocity == q.v0 {
			break // nothing accelerates them, so the gap need not open
		}
		opening := float64(openingShare*max(0, min(rest, h.Uncertainty)-max(d.gap, 0))) / s.Seconds
		c.targetVelocity = min(opening, float64(c.softness*min(h.NormalImpulse, h.Before))/c.mass)
		if contact.Friction == (FrictionCoefficients{}) {
			c.targetVelocity = min(c.targetVelocity+c.relaxedLoad/c.mass, (rest-max(d.gap, 0))/s.Seconds)
			c.relaxedLoad = 0
		}
	}
}

// relaxSpring returns the relaxedLoad of a contact whose spring is relaxed at the load of the last
// step. Where the spring would give way by too much of the gap under that load, it makes it
// stiffer.
func (s *Solver) relaxSpring(c *contactConstraint, smaller float64) float64 {
	spring := float64(c.softness*c.normalImpulse) / c.mass
	if most := float64(float64(softGapShare*RestGap)*smaller) / s.Seconds; spring > most {
		c.softness *= most / spring
	}
	return float64(c.softness * c.normalImpulse)
}

// prepareFriction works out how a contact resists sliding, rolling and spinning.
func (s *Solver) prepareFriction(c *contactConstraint, d *constraintInfo, p, q *solverBodyInfo, contact *Contact) {
	f := contact.Friction
	slow := float64(calmSpeed*calmSpeed) * float64(s.LengthUnit*s.LengthUnit)
	if (p.linked || q.linked) && p.v0.Sub(q.v0).LengthSquared() <= slow {
		if f.Static < heapFriction {
			f.Static, f.Dynamic = heapFriction, heapFriction
		}
		f.Rolling, f.Spinning = max(f.Rolling, heapFriction), max(f.Spinning, heapFriction)
	}
	if f == (FrictionCoefficients{}) {
		return
	}
	h := &contact.History
	c.staticFriction, c.dynamicFriction = f.Static, f.Dynamic
	ia, ib := s.bodies[c.a].mobility, s.bodies[c.b].mobility
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	across := max(ia.X+ib.X, ia.Y+ib.Y, ia.Z+ib.Z)
	turning := float64(wa.inverseInertia*float64(d.ra*d.ra)) + float64(wb.inverseInertia*float64(d.rb*d.rb))
	c.tangentMass = 1 / (across + turning)
	c.frictionImpulse = h.FrictionImpulse.AddScaled(-h.FrictionImpulse.Dot(c.normal), c.normal)
	c.rotates = wa.turns() || wb.turns() || d.surfaceVelocity != (collide.Vec3{})
	inverseInertia := wa.inverseInertia + wb.inverseInertia
	if inverseInertia > 0 && (f.Rolling > 0 || f.Spinning > 0) {
		lever := RollingLever(d.ra, d.rb)
		d.angularMass = 1 / inverseInertia
		d.rollingLength, d.spinningLength = float64(f.Rolling*lever), float64(f.Spinning*lever)
		d.torqueImpulse = h.TorqueImpulse
	}
}

// turns reports whether a body turns or contacts can turn it.
func (w *solverSpin) turns() bool { return w.inverseInertia > 0 || w.w != (collide.Vec3{}) }
