package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Contact is two bodies, or a body and a surface, that touch or come close in this step.
type Contact struct {
	A, B            int32        // as AddBody and AddSurface returned them; A is a body
	Normal          collide.Vec3 // unit vector from B to A; zero if their centres coincide
	Gap             float64      // distance of their surfaces at the start of the step, m; negative where they overlap
	Restitution     float64      // coefficient for an impact at ApproachSpeed, 0 to 1
	Elastic         bool         // the restitution is positive at any speed: the two were not linked
	Misses          bool         // the two approach, but pass each other in this step without a touch
	Friction        FrictionCoefficients
	SurfaceVelocity collide.Vec3 // of a conveyor belt: how fast B's surface moves relative to B, m/s
	History         *History     // nil for a new contact
}

// History is what a contact keeps from step to step. That of a new contact is zero.
type History struct {
	NormalImpulse   float64      // in the last step, N·s
	Before          float64      // in the step before that, N·s
	Uncertainty     float64      // gap that it needs for what the iterations leave of an approach, m
	FrictionImpulse collide.Vec3 // on A in the last step, N·s
	TorqueImpulse   collide.Vec3 // of rolling and spinning resistance on A in the last step, N·m·s
}

// noHistory is the History of a new contact. Nothing writes to it.
var noHistory History

// Preparation says what became of a contact that was added.
type Preparation uint8

// What becomes of a contact that is added.
const (
	Solved   Preparation = iota // it became a constraint, to be finished after Solve
	LeftOut                     // it bounces or misses, which the caller resolves: its impulses are to be forgotten
	Immobile                    // neither side can give way along the normal: not solved here
)

// contactConstraint is a contact as the iterations read it. The impulses and lastChange are what
// they write.
type contactConstraint struct {
	a, b           int32
	normal         collide.Vec3
	normalImpulse  float64
	targetVelocity float64 // relative velocity along the normal that the spring tends to
	bound          float64 // least relative velocity that keeps the two apart in this step: the hard stop
	mass           float64 // effective mass along the normal
	softScale      float64 // 1/(1+softness of the spring); 1 for a hard contact
	relaxedLoad    float64 // 1-softScale times the impulse at which the spring is relaxed
	lastChange     float64 // of normalImpulse in the last iteration

	staticFriction, dynamicFriction float64 // coefficients; static is 0 where there is no friction
	tangentMass                     float64 // effective mass along the surface, spin included; 0 where nothing resists
	frictionImpulse                 collide.Vec3

	gap      float64
	rotation int32 // index in rotations; -1 if no body turns or can turn, and the surface is no conveyor belt
	slanted  bool  // locked axes turn friction aside, so that it has a component along the normal
	stopped  bool  // its island could not yield, and so stopped the driver in this contact
}

// rotationConstraint is the rest of a constraint whose bodies turn or can turn, or whose surface is
// a conveyor belt.
type rotationConstraint struct {
	ra, rb                        float64 // distances of the point where friction acts; rb is 0 for a surface
	surfaceVelocity               collide.Vec3
	angularMass                   float64 // effective inertia; 0 where nothing resists rolling or spinning
	rollingLength, spinningLength float64 // greatest torque impulses, as lengths that multiply the normal impulse
	torqueImpulse                 collide.Vec3
}

// smallerRadius returns the smaller radius of two bodies, or that of a body p at a surface.
func smallerRadius(p, q *solverBodyInfo) float64 {
	if q.surface {
		return p.radius
	}
	return min(p.radius, q.radius)
}

// AddContact adds one of the contacts that were grouped, and returns the constraint that it
// becomes, -1 if it is not solved. Contacts of an island are solved in the order in which they are
// added; see OrderContacts. The contact itself is not kept.
func (s *Solver) AddContact(contact *Contact) (constraint int32, result Preparation) {
	p, q := &s.infos[contact.A], &s.infos[contact.B]
	l := s.islandOf(contact.A, contact.B)
	h := contact.History
	if h == nil {
		h = &noHistory
	}
	c := &s.constraints[l.next]
	*c = contactConstraint{}
	c.a, c.b, c.rotation = contact.A, contact.B, -1
	c.normal, c.gap, c.normalImpulse = contact.Normal, contact.Gap, h.NormalImpulse
	approach := -c.normal.Dot(p.v0.Sub(q.v0))
	if result = s.prepareContact(contact, h, c, p, q, approach); result != Solved {
		return -1, result
	}
	s.needs[l.next] = h.Uncertainty
	l.next++
	if q.rotor {
		l.rotors = true
	}
	if c.staticFriction >= roughFriction {
		l.rough++
	}
	if c.slanted {
		l.slanted = true
	}
	if c.rotation >= 0 {
		l.turning = true
	}
	if c.staticFriction > c.dynamicFriction {
		l.sticks = true
	}
	if !p.movable && s.startDriver(c.a, !s.movesAway(c, p)) || !q.movable && s.startDriver(c.b, !s.movesAway(c, q)) {
		l.drivers, l.driven = true, l.driven || p.linked || q.linked
	}
	l.reached = l.reached || p.linked || q.linked || s.reaches(c, p, q, approach)
	l.power += s.power(c)
	return l.next - 1, Solved
}

// reaches reports whether bodies p and q of a constraint touch in this step if no contact acts on
// them. On a parabola, the mean velocity decides.
func (s *Solver) reaches(c *contactConstraint, p, q *solverBodyInfo, approach float64) bool {
	change := p.freeVelocity.Sub(p.v0)
	if q.movable {
		change = change.Sub(q.freeVelocity.Sub(q.v0))
	}
	return c.bound+approach+max(0, -c.normal.Dot(change)/2) > 0
}

// prepareContact works out a constraint of bodies p and q, which approach each other at the start
// of the step.
func (s *Solver) prepareContact(
	contact *Contact, h *History, c *contactConstraint, p, q *solverBodyInfo, approach float64,
) Preparation {
	if c.normal == (collide.Vec3{}) {
		p.unresolved, q.unresolved = true, true
		return Immobile
	}
	if !q.movable && (q.moves() || q.rotor || contact.SurfaceVelocity != (collide.Vec3{})) {
		p.carried = true
	}
	if !p.movable && p.moves() {
		q.carried = true
	}
	smaller := smallerRadius(p, q)
	overlaps := c.gap < -float64(s.OverlapTolerance*smaller)
	if overlaps { // the contact stops the approach, and something else moves them apart
		p.unresolved, q.unresolved = true, true
	}
	if contact.Misses || s.bounces(contact, p, q, approach, overlaps) {
		p.unresolved, q.unresolved = true, true
		return LeftOut
	}
	ia, ib := &s.bodies[c.a].mobility, &s.bodies[c.b].mobility
	inverseMass := c.normal.MulElem(*ia).Dot(c.normal) + c.normal.MulElem(*ib).Dot(c.normal)
	if q.rotor {
		inverseMass += s.rotorInverseMass(c.b, c.normal)
	}
	// Neither gives way along the normal, but for its rounding.
	if !(inverseMass > float64(LockedRounding*LockedRounding*(p.inverseMass+q.inverseMass))) ||
		s.isWedged(c, p, q, inverseMass) {
		if approach > float64(LockedRounding*(p.v0.SumAbs()+q.v0.SumAbs())) {
			p.unresolved, q.unresolved = true, true
		}
		return Immobile
	}
	c.mass = 1 / inverseMass
	p.abrupt = p.abrupt || q.rotor // a rotor moves at its speed at the end of the step, too
	s.prepareNormal(c, p, q, contact, h, smaller)
	switch {
	case c.bound+approach > 0 && c.bound+approach > float64(accelerationRounding*freeChange(p, q)):
		p.abrupt, q.abrupt = true, true
	case (!p.movable || !q.movable) && c.bound == 0 && approach > float64(slopeRounding*(p.v0.SumAbs()+q.v0.SumAbs())):
		// The velocity lies in the plane of the last tile of a slanted floor, which differs from
		// this one by rounding. The mean velocity of the step must not enter it.
		if p.movable {
			p.v0 = p.v0.AddScaled(approach, p.wayAlong(c.normal, *ia))
		} else {
			q.v0 = q.v0.AddScaled(-approach, q.wayAlong(c.normal, *ib))
		}
	}
	s.prepareFriction(c, p, q, contact, h)
	return Solved
}

// wayAlong returns the displacement that moves a body by 1 along n and not at all along its locked
// axes. The mobility is that of the body, and not zero along n.
func (p *solverBodyInfo) wayAlong(n, mobility collide.Vec3) collide.Vec3 {
	if !p.locked {
		return n
	}
	way := n.MulElem(mobility)
	return way.Scale(1 / way.Dot(n))
}

// freeChange returns by how much free motion changes the velocities of two bodies in the step, m/s.
func freeChange(p, q *solverBodyInfo) float64 {
	return p.freeVelocity.Sub(p.v0).SumAbs() + q.freeVelocity.Sub(q.v0).SumAbs()
}

// isWedged reports whether one of the two is a driver, and the locked axes of the other let it give
// way only at a speed that is far above that of both.
func (s *Solver) isWedged(c *contactConstraint, p, q *solverBodyInfo, inverseMass float64) bool {
	push := c.normal.Dot(q.v0)
	if !p.movable {
		p, q, push = q, p, -c.normal.Dot(p.v0)
	}
	if q.movable || !(push > 0) {
		return false
	}
	free := math.Sqrt(inverseMass / p.inverseMass)
	return push > float64(MaxSqueezeSpeed*free)*max(p.freeVelocity.SumAbs(), q.v0.SumAbs())
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

// stays reports whether a body or a surface is where it was at the end of the step if no contact
// acts on it.
func (p *solverBodyInfo) stays() bool {
	return p.v0 == (collide.Vec3{}) && p.freeVelocity == (collide.Vec3{})
}

// prepareNormal works out what a contact demands along its normal.
//
// Where no other movable body is involved, a contact is hard, and the two come as close as they
// touch. In an island of several bodies it is a spring with a damper within a small gap, RestGap,
// and hard where the gap is used up. The spring is relaxed at the load of the last step, whatever
// the gap, and opens the gap only slowly. So a steady load does not make it sag, and a load that
// vanishes does not make it throw anything off. Without friction it does spring back, up to the
// gap.
func (s *Solver) prepareNormal(
	c *contactConstraint, p, q *solverBodyInfo, contact *Contact, h *History, smaller float64,
) {
	if way := c.gap - float64(clearance*smaller); way > 0 {
		c.bound = -way / s.Seconds
	}
	if !p.linked && !q.linked { // IsHard
		if c.gap <= float64(s.TouchTolerance*smaller) {
			c.bound = 0
		}
		c.softScale, c.targetVelocity = 1, c.bound
		return
	}
	rest := float64(RestGap * smaller)
	soft, spring := softness, float64(softness*h.NormalImpulse)/c.mass // the spring gives way at this speed
	if most := float64(softGapShare*rest) / s.Seconds; spring > most { // too much of the gap: stiffer
		soft, spring = float64(soft*(most/spring)), most
	}
	c.softScale = 1 / (1 + soft)
	c.relaxedLoad = float64((1 - c.softScale) * h.NormalImpulse)
	if c.gap > rest {
		c.targetVelocity = -(c.gap - rest) / s.Seconds
		return
	}
	if p.freeVelocity == p.v0 && q.freeVelocity == q.v0 {
		return // nothing accelerates them, so the gap need not open
	}
	gap := c.gap
	if gap < 0 {
		gap = 0
	}
	if needed := min(rest, h.Uncertainty) - gap; needed > 0 {
		opening := float64(openingShare*needed) / s.Seconds
		c.targetVelocity = min(opening, float64(soft*min(h.NormalImpulse, h.Before))/c.mass)
	}
	if contact.Friction == (FrictionCoefficients{}) {
		c.targetVelocity = min(c.targetVelocity+spring, (rest-gap)/s.Seconds)
		c.relaxedLoad = 0
	}
	// Where axes are locked, a slow opening can take a fast movement across the normal.
	c.targetVelocity *= s.freeShare(c, p, q)
}

// freeShare returns by which factor locked axes reduce the effective inverse mass along the normal
// of a contact: 1 where no axes are locked.
func (s *Solver) freeShare(c *contactConstraint, p, q *solverBodyInfo) float64 {
	if !p.locked && !q.locked {
		return 1
	}
	return 1 / (float64(c.mass*p.inverseMass) + float64(c.mass*q.inverseMass))
}

// prepareFriction works out how a contact resists sliding, rolling and spinning.
func (s *Solver) prepareFriction(c *contactConstraint, p, q *solverBodyInfo, contact *Contact, h *History) {
	f := contact.Friction
	slow := float64(calmSpeed*calmSpeed) * float64(s.LengthUnit*s.LengthUnit)
	if (p.linked || q.linked) && p.v0.Sub(q.v0).LengthSquared() <= slow {
		if f.Static < heapFriction {
			f.Static, f.Dynamic = heapFriction, heapFriction
		}
		if f.Rolling < heapFriction { // not max, which is slow for numbers that may be NaN
			f.Rolling = heapFriction
		}
		if f.Spinning < heapFriction {
			f.Spinning = heapFriction
		}
	}
	if f == (FrictionCoefficients{}) {
		return
	}
	c.staticFriction, c.dynamicFriction = f.Static, f.Dynamic
	ia, ib := &s.bodies[c.a].mobility, &s.bodies[c.b].mobility
	wa, wb := &s.spins[c.a], &s.spins[c.b]
	across := ia.X + ib.X
	if y := ia.Y + ib.Y; y > across {
		across = y
	}
	if z := ia.Z + ib.Z; z > across {
		across = z
	}
	ra, rb := p.radius, q.radius
	if wa.inverseInertia > 0 && wb.inverseInertia > 0 { // friction acts in one point, to keep angular momentum
		apart := 1 + c.gap/(ra+rb)
		ra, rb = float64(ra*apart), float64(rb*apart)
	}
	turning := float64(wa.inverseInertia*float64(ra*ra)) + float64(wb.inverseInertia*float64(rb*rb))
	if r := s.rotorOf(c.b); r != nil {
		across += float64(s.armOf(c.b).LengthSquared() * r.InverseInertia)
	}
	c.tangentMass = 1 / (across + turning)
	c.slanted = s.freeShare(c, p, q) < leastFree
	if h.NormalImpulse > 0 { // otherwise warmStart would not apply it
		c.frictionImpulse = h.FrictionImpulse.AddScaled(-h.FrictionImpulse.Dot(c.normal), c.normal)
	}
	if !p.turns && !q.turns && contact.SurfaceVelocity == (collide.Vec3{}) {
		return
	}
	c.rotation = int32(len(s.rotations))
	s.rotations = append(s.rotations, rotationConstraint{ra: ra, rb: rb, surfaceVelocity: contact.SurfaceVelocity})
	d := &s.rotations[c.rotation]
	inverseInertia := wa.inverseInertia + wb.inverseInertia
	if inverseInertia > 0 && (f.Rolling > 0 || f.Spinning > 0) {
		lever := RollingLever(p.radius, q.radius)
		d.angularMass = 1 / inverseInertia
		d.rollingLength, d.spinningLength = float64(f.Rolling*lever), float64(f.Spinning*lever)
		if h.NormalImpulse > 0 {
			d.torqueImpulse = h.TorqueImpulse
		}
	}
}
