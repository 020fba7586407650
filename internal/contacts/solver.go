package contacts

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Settings are the same for all contacts of a step.
type Settings struct {
	Seconds          float64      // duration of the step, s, > 0
	LengthUnit       float64      // units of length in a metre, > 0; it scales what counts as slow
	Down             collide.Vec3 // direction of gravity, of any length; the lowest contacts are solved first
	TouchTolerance   float64      // gap up to which two things touch, as a fraction of the smaller radius
	OverlapTolerance float64      // depth from which two things overlap, as a fraction of the smaller radius
}

// Body is a sphere that takes part in contacts.
type Body struct {
	ID              int32        // the caller's name of it; orders contacts at the same height and place
	Position        collide.Vec3 // centre, m; only the order of contacts depends on it
	Velocity        collide.Vec3 // at the start of the step, m/s
	FreeVelocity    collide.Vec3 // at the end of the step if no contact acted, m/s
	AngularVelocity collide.Vec3 // rad/s
	Radius          float64      // m, > 0
	InverseMass     float64      // 1/kg; 0 for what contacts do not move: static and kinematic bodies
	Mobility        collide.Vec3 // inverse mass along each axis: InverseMass, or 0 along a locked axis
	InverseInertia  float64      // 1/(kg·m²); 0 for what contacts do not turn
	SpeedScale      float64      // of a kinematic body: fraction of Velocity reached in the last step; 0 means 1
	Group           int32        // of a kinematic body: all of one group move together, at one SpeedScale; 0 for none
	CalmSteps       int8         // as [Solver.CalmSteps] returned after the last step
}

// Surface is a surface that takes part in contacts. Contacts never move it.
type Surface struct {
	SortKey
	Velocity   collide.Vec3 // m/s
	Angular    collide.Vec3 // angular velocity, rad/s; Velocity is then that at the contact
	SpeedScale float64      // fraction of Velocity reached in the last step; 0 means 1
	Group      int32        // as Body.Group
	Rotor      int32        // 1 + its rotor; 0 for none
	Arm        collide.Vec3 // change of Velocity for each rad/s of the rotor, m
}

// SortKey orders contacts at the same height: by where a surface is, or that part of it with which
// a contact is.
type SortKey struct {
	Position collide.Vec3 // comes first: any function of where it is
	Middle   collide.Vec3 // orders contacts at the same Position; zero for a plane
	Key      uint32       // orders contacts at the same Middle: a hash of the geometry
	ID       int32        // as Body.ID
}

// Solver solves the contacts of one step after another. The zero value is ready for Reset. It keeps
// its memory: once the arrays are large enough, a step allocates nothing.
type Solver struct {
	Settings

	// Bodies and surfaces, one element each.
	bodies    []solverBody
	infos     []solverBodyInfo
	spins     []solverSpin
	nodes     []islandNode
	locations []location

	room    int      // for so many bodies and surfaces there is memory
	drivers []driver // what contacts do not move

	// Contacts that are solved, island by island, each in the order in which they are solved.
	constraints []contactConstraint
	needs       []float64            // of each constraint: History.Uncertainty
	rotations   []rotationConstraint // of the constraints whose bodies turn
	islands     []island
	begun       []begunContact // scratch of solveWithoutParting
	directions  []searchDirection

	bodyDirections []bodyDirection
	bodyPlaces     []int32    // by body: index in bodyDirections, -1 for none
	chain          []chainRow // scratch of solveChain
	batches        batchScratch
	moved          []int32 // scratch of endApproaches, the last pass that has moved each body, and of totalRise

	rotors     []rotor
	withRotors []int32 // contacts with rotors of the island that is being solved, from its first
	leaders    []int32 // by group: the first of its drivers, -1 for none
	debug      debugState

	moves, lastMoves []Move  // scratch of OrderContacts
	order            []int32 // scratch of sortMoves

	sorted     []uint64 // scratch of sortMoves
	spareMoves []Move   // scratch of sortMoves
}

// solverBody is what every iteration reads and writes of a body or a surface. It fills a cache line
// of 64 bytes, and relaxBatches reads and writes its vectors with the zeros that follow them.
//
// No component of v is -0: AddBody makes it 0, and then no sum is -0 either. So adding a zero, of
// whatever sign, changes nothing.
type solverBody struct {
	v        collide.Vec3 // velocity at the end of the step
	_        float64
	mobility collide.Vec3 // inverse mass along each axis
	_        float64
}

// solverSpin is what the iterations read and write of how a body turns. No component of w is -0.
type solverSpin struct {
	w              collide.Vec3
	inverseInertia float64
}

// solverBodyInfo is the rest of what is known of a body or a surface.
type solverBodyInfo struct {
	v0           collide.Vec3 // velocity at the start of the step
	sudden       collide.Vec3 // the change of velocity at the start of the step, by contacts that it runs into
	w0           collide.Vec3 // angular velocity at the start of the step
	suddenSpin   collide.Vec3 // the change of angular velocity then, by the same contacts
	freeVelocity collide.Vec3 // velocity at the end of the step if no contact acted
	radius       float64      // 0 for a surface
	inverseMass  float64
	driver       int32 // of what contacts do not move: 1 + index in drivers; 0 for a movable body
	surface      bool  // a surface, not a body
	rotor        bool  // a surface that belongs to a rotor
	movable      bool  // contacts change its velocity
	locked       bool  // along some axes they don't
	turns        bool  // it turns, or contacts can turn it
	linked       bool  // in contact with another movable body, so in an island with it
	abrupt       bool  // runs into a contact: its velocity changes at an instant of the step, and not evenly
	unresolved   bool  // in a contact that is not solved, or not well enough
	pressed      bool  // a contact exerts an impulse on it
	byBody       bool  // one with a body, and not a surface, does
	disturbed    bool  // see findDisturbed
	carried      bool  // touches something that moves and that contacts do not move
}

// islandNode is a body or a surface in the union-find forest of islands.
type islandNode struct {
	parent     int32 // itself if it is a root
	island     int32 // of a root: index in islands, -1 if it has no contacts
	calmSteps  int8
	islandCalm int8 // of a root: the least calmSteps of its island
	supported  bool // of a root: see Supported
	squeezed   bool // of a root: forces other than contacts press two of its bodies together
}

// location is where a body or a surface is: only the order of contacts depends on it.
type location struct {
	SortKey         // of a body without Middle and Key
	height  float64 // against gravity
}

// Reset forgets all bodies and contacts.
func (s *Solver) Reset(settings Settings) {
	s.Settings = settings
	s.bodies, s.infos, s.spins, s.locations = s.bodies[:0], s.infos[:0], s.spins[:0], s.locations[:0]
	s.nodes, s.drivers = s.nodes[:0], s.drivers[:0]
	s.constraints, s.rotations, s.islands = s.constraints[:0], s.rotations[:0], s.islands[:0]
	s.leaders, s.rotors = s.leaders[:0], s.rotors[:0]
}

// AddBody adds a body and returns its index, which counts bodies and surfaces from 0.
func (s *Solver) AddBody(b *Body) int32 {
	k := s.add()
	info, body, spin := &s.infos[k], &s.bodies[k], &s.spins[k]
	info.v0, info.w0, info.freeVelocity = b.Velocity, b.AngularVelocity, b.FreeVelocity
	info.radius, info.inverseMass = b.Radius, b.InverseMass
	body.v = b.FreeVelocity.Add(collide.Vec3{})
	spin.w = b.AngularVelocity.Add(collide.Vec3{})
	if b.InverseMass > 0 {
		info.movable = true
		info.locked = b.Mobility != collide.Vec3{X: b.InverseMass, Y: b.InverseMass, Z: b.InverseMass}
		body.mobility, spin.inverseInertia = b.Mobility, b.InverseInertia
	} else {
		info.driver = s.addDriver(b.Group, b.SpeedScale)
	}
	info.turns = spin.inverseInertia > 0 || spin.w != collide.Vec3{}
	s.nodes[k].calmSteps = b.CalmSteps
	at := &s.locations[k]
	at.Position, at.height, at.ID = b.Position, -b.Position.Dot(s.Down), b.ID
	return k
}

// AddSurface adds a surface and returns its index, which counts bodies and surfaces from 0.
//
// Its free velocity is zero also where it moves, unlike that of a kinematic body. The free velocity
// only decides whether a contact bounces and whether a change of velocity is abrupt.
func (s *Solver) AddSurface(f *Surface) int32 {
	k := s.add()
	s.bodies[k].v, s.spins[k].w = f.Velocity, f.Angular
	info := &s.infos[k]
	info.v0, info.w0, info.surface, info.turns = f.Velocity, f.Angular, true, f.Angular != collide.Vec3{}
	info.driver, info.rotor = s.addDriver(f.Group, f.SpeedScale), f.Rotor > 0
	s.drivers[info.driver-1].rotor, s.drivers[info.driver-1].arm = f.Rotor, f.Arm
	s.locations[k] = location{f.SortKey, math.Inf(-1)}
	return k
}

// add adds an element to each of the arrays of bodies and surfaces, zero but for its node.
func (s *Solver) add() int32 {
	k := len(s.nodes)
	if k == s.room {
		s.makeRoom()
	}
	s.bodies, s.infos, s.spins = s.bodies[:k+1], s.infos[:k+1], s.spins[:k+1]
	s.locations, s.nodes = s.locations[:k+1], s.nodes[:k+1]
	s.bodies[k], s.infos[k], s.spins[k], s.locations[k] = solverBody{}, solverBodyInfo{}, solverSpin{}, location{}
	s.nodes[k] = islandNode{parent: int32(k), island: -1}
	return int32(k)
}

// makeRoom makes room for more bodies and surfaces.
func (s *Solver) makeRoom() {
	s.room += s.room/2 + 64
	more := s.room - len(s.nodes)
	s.bodies, s.infos, s.spins = slices.Grow(s.bodies, more), slices.Grow(s.infos, more), slices.Grow(s.spins, more)
	s.locations, s.nodes = slices.Grow(s.locations, more), slices.Grow(s.nodes, more)
}

// Solve finds the impulses of all contacts and the velocities of all bodies.
func (s *Solver) Solve() {
	s.describeIslands()
	for k := range s.islands {
		s.solveIsland(&s.islands[k])
	}
	s.limitEnergy()
	s.setDriverVelocities()
	s.moveRotors()
	s.countCalmSteps()
	s.checkSolution()
}

// Finish finds out what the solution has left open at a constraint, and writes what it is to begin
// with in the next step. It is called once for each constraint.
func (s *Solver) Finish(constraint int32, h *History) {
	c := &s.constraints[constraint]
	p, q := &s.infos[c.a], &s.infos[c.b]
	of := c.a
	if !p.movable {
		of = c.b
	}
	if !s.MaySleep(of) {
		s.remember(c, h)
	}
	if c.normalImpulse > 0 {
		p.pressed, q.pressed = true, true
		if !q.surface {
			p.byBody, q.byBody = true, true
		}
		away := c.normal.Dot(p.v0.Sub(q.v0))
		if away > 0 && away > float64(accelerationRounding*freeChange(p, q)) {
			p.abrupt, q.abrupt = true, true // a parabola would carry it away from what it is pressed on
		}
		s.noteSudden(c, p, q)
	}
	va, vb := &s.bodies[c.a].v, &s.bodies[c.b].v
	if w := va.Sub(*vb).Dot(c.normal); w < c.bound &&
		w < c.bound-float64(float64(velocityRounding)*(va.SumAbs()+vb.SumAbs())) {
		p.unresolved, q.unresolved = true, true
	}
}

// remember writes what a constraint is to begin with in the next step.
//
// It isn't called for an island that may sleep. So the next step of an island that is kept awake
// begins with the same bits as this one, and leaves it at rest, as sleep would. Otherwise impulses
// that still settle would set some heaps in motion again.
func (s *Solver) remember(c *contactConstraint, h *History) {
	h.Uncertainty = float64(uncertaintyDecay * h.Uncertainty)
	if left := float64(float64(uncertaintyFactor*math.Abs(c.lastChange))*s.Seconds) / c.mass; left > h.Uncertainty {
		h.Uncertainty = left
	}
	h.Before = h.NormalImpulse
	h.NormalImpulse, h.FrictionImpulse, h.TorqueImpulse = c.normalImpulse, c.frictionImpulse, collide.Vec3{}
	if c.rotation >= 0 {
		h.TorqueImpulse = s.rotations[c.rotation].torqueImpulse
	}
}

// noteSudden notes which part of the impulses of a contact ends the approach with which p and q
// begin the step. The rest is the impulse of forces, which last for the whole step.
func (s *Solver) noteSudden(c *contactConstraint, p, q *solverBodyInfo) {
	switch {
	case !p.movable:
		s.rootOf(c.b).supported = true
	case !q.movable || s.freeShare(c, p, q) < leastFree: // what a locked axis takes, no body of the island gets
		s.rootOf(c.a).supported = true
	default:
		pressing := -c.normal.Dot(p.freeVelocity.Sub(p.v0).Sub(q.freeVelocity.Sub(q.v0)))
		if pressing > float64(accelerationRounding*freeChange(p, q)) {
			s.rootOf(c.a).squeezed = true
		}
	}
	// A surface has contacts with bodies of other islands, which must not matter here.
	if !(p.movable && p.abrupt) && !(q.movable && q.abrupt) {
		return
	}
	n, a, b := c.normal, &s.bodies[c.a], &s.bodies[c.b]
	start := n.Dot(p.v0.Sub(q.v0))
	ended := n.Dot(a.v.Sub(b.v)) - start
	if !(start < c.bound) || !(ended > 0) {
		return
	}
	// Alone, p and q take the first of these impulses. Other contacts may be in the way, as in a
	// wedge. Then it is at least the share of the approach in all that acts on the two.
	fraction := max(float64(ended*c.mass)/c.normalImpulse, ended/(ended+freeChange(p, q)))
	fraction = min(fraction, 1)
	impulse := n.Scale(c.normalImpulse).Add(c.frictionImpulse).Scale(fraction)
	p.sudden = p.sudden.Add(impulse.MulElem(a.mobility))
	q.sudden = q.sudden.Sub(impulse.MulElem(b.mobility))
	if c.rotation >= 0 {
		d, arm := &s.rotations[c.rotation], c.frictionImpulse.Cross(n)
		ta, tb := arm.Scale(d.ra).Add(d.torqueImpulse), arm.Scale(d.rb).Sub(d.torqueImpulse)
		p.suddenSpin = p.suddenSpin.AddScaled(float64(fraction*s.spins[c.a].inverseInertia), ta)
		q.suddenSpin = q.suddenSpin.AddScaled(float64(fraction*s.spins[c.b].inverseInertia), tb)
	}
}

// Movable reports whether contacts can move body k.
func (s *Solver) Movable(k int32) bool { return s.infos[k].movable }

// FreeVelocity returns the velocity that body k would have at the end of the step if no contact
// acted, m/s.
func (s *Solver) FreeVelocity(k int32) collide.Vec3 { return s.infos[k].freeVelocity }

// StartVelocity returns the velocity of body or surface k at the start of the step, m/s.
func (s *Solver) StartVelocity(k int32) collide.Vec3 { return s.infos[k].v0 }

// ApproachSpeed returns how fast a and b approach each other at the start of the step, m/s, where n
// points from b to a.
func (s *Solver) ApproachSpeed(a, b int32, n collide.Vec3) float64 {
	return -n.Dot(s.infos[a].v0.Sub(s.infos[b].v0))
}

// Velocity returns the velocity of body k at the end of the step, m/s.
func (s *Solver) Velocity(k int32) collide.Vec3 { return s.bodies[k].v }

// AngularVelocity returns the angular velocity of body k at the end of the step, rad/s.
func (s *Solver) AngularVelocity(k int32) collide.Vec3 { return s.spins[k].w }

// Pressed reports whether a contact exerts an impulse on body k. What is not pressed flies, and
// keeps its free velocity.
func (s *Solver) Pressed(k int32) bool { return s.infos[k].pressed }

// PressedByBody reports whether a contact with another body exerts an impulse on body k.
func (s *Solver) PressedByBody(k int32) bool { return s.infos[k].byBody }

// Unresolved reports whether body k has a contact that was not solved or that is left approaching,
// so that continuous collision detection must look for it.
func (s *Solver) Unresolved(k int32) bool { return s.infos[k].unresolved }

// MovesAtEndVelocity reports whether body k is to move through the whole step at the velocity of
// its end (implicit Euler, which damps oscillations in heaps). Otherwise its velocity changes
// evenly from Velocity in [Body] to the result, and its path is a parabola.
func (s *Solver) MovesAtEndVelocity(k int32) bool { return s.infos[k].linked || s.infos[k].abrupt }

// FallsFreely reports whether nothing presses on the island of body k, nor presses it together: a
// stack that has lost its floor. Its contacts act at the start of the step only.
func (s *Solver) FallsFreely(k int32) bool {
	root := s.rootOf(k)
	return s.infos[k].linked && !root.supported && !root.squeezed
}

// MaxAcceleration is how many times its own acceleration the forces of contacts can make of it.
// Bodies that push each other down slopes stay far below. A blow that goes through a row of bodies
// that touch is far above; only the first of them begins the step with an approach.
const MaxAcceleration = 2

// Acceleration returns the acceleration of body k within the step, m/s²: its own, and that of the
// forces of its contacts. What contacts change at the start of the step is no part of it. Where
// nothing supports an island, contacts do nothing else: all its bodies fall alike.
func (s *Solver) Acceleration(k int32) collide.Vec3 {
	change, _ := s.evenChange(k)
	return change.Scale(1 / s.Seconds)
}

// AngularAcceleration returns how the forces of contacts turn body k within the step, rad/s². What
// contacts change at the start of the step is no part of it.
func (s *Solver) AngularAcceleration(k int32) collide.Vec3 {
	if _, pressed := s.evenChange(k); !pressed {
		return collide.Vec3{}
	}
	p := &s.infos[k]
	return s.spins[k].w.Sub(p.w0).Sub(p.suddenSpin).Scale(1 / s.Seconds)
}

// evenChange returns the change of the velocity of body k that comes evenly through the step, and
// whether contacts have a part in it.
func (s *Solver) evenChange(k int32) (change collide.Vec3, pressed bool) {
	p := &s.infos[k]
	own := p.freeVelocity.Sub(p.v0)
	change = s.bodies[k].v.Sub(p.v0).Sub(p.sudden)
	if !s.Supported(k) || change.LengthSquared() > float64(MaxAcceleration*MaxAcceleration)*own.LengthSquared() {
		return own, false
	}
	return change, true
}

// Supported reports whether something that contacts do not move, or only along some axes, presses
// on the island of body k.
func (s *Solver) Supported(k int32) bool { return s.rootOf(k).supported }

// Driven reports whether something that moves and that contacts do not move pushes into the island
// of body k.
func (s *Solver) Driven(k int32) bool {
	at := s.rootOf(k).island
	return at >= 0 && s.islands[at].driven
}

// Bodies returns the two bodies, or a body and a surface, of a constraint.
func (s *Solver) Bodies(constraint int32) (a, b int32) {
	return s.constraints[constraint].a, s.constraints[constraint].b
}

// IsHard reports whether the two sides of a constraint come as close as they touch, since no other
// movable body is involved. Others keep a gap of about RestGap.
func (s *Solver) IsHard(constraint int32) bool {
	c := &s.constraints[constraint]
	return !s.infos[c.a].linked && !s.infos[c.b].linked
}

// Normal returns the normal of a constraint, from b to a.
func (s *Solver) Normal(constraint int32) collide.Vec3 { return s.constraints[constraint].normal }

// NormalImpulse returns the impulse along the normal of a constraint, N·s, >= 0.
func (s *Solver) NormalImpulse(constraint int32) float64 {
	return s.constraints[constraint].normalImpulse
}
