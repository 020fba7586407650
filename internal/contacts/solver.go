package contacts

import (
	"math"

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
	CalmSteps       int8         // as [Solver.CalmSteps] returned after the last step
}

// Surface is a surface that takes part in contacts. Contacts never move it.
type Surface struct {
	ID         int32        // as Body.ID
	Position   collide.Vec3 // orders contacts at the same height: any function of where it is
	Middle     collide.Vec3 // orders contacts at the same height and Position; zero for a plane
	Velocity   collide.Vec3 // m/s
	SpeedScale float64      // fraction of Velocity reached in the last step; 0 means 1
}

// Solver solves the contacts of one step after another. The zero value is ready for Reset. It keeps
// its memory: once the arrays are large enough, a step allocates nothing.
type Solver struct {
	Settings

	// Bodies and surfaces, one element each.
	bodies []solverBody
	infos  []solverBodyInfo
	spins  []solverSpin

	// Contacts that are solved, in the order in which they are solved.
	constraints     []contactConstraint
	constraintInfos []constraintInfo
	directions      []searchDirection

	debug   debugState
	added   int    // calls of AddContact since Reset
	visited uint32 // calls of limitEnergy, which looks at each body once
	ranks   []Rank
}

// solverBody is what every iteration reads and writes of a body or a surface.
type solverBody struct {
	v        collide.Vec3 // velocity at the end of the step
	mobility collide.Vec3 // inverse mass along each axis
}

// solverSpin is what the iterations read and write of how a body turns.
type solverSpin struct {
	w              collide.Vec3
	inverseInertia float64
}

// solverBodyInfo is the rest of what is known of a body or a surface.
type solverBodyInfo struct {
	v0           collide.Vec3 // velocity at the start of the step
	w0           collide.Vec3 // angular velocity at the start of the step
	freeVelocity collide.Vec3 // velocity at the end of the step if no contact acted
	position     collide.Vec3
	middle       collide.Vec3 // of a surface that ends somewhere; otherwise zero
	height       float64      // against gravity
	radius       float64      // 0 for a surface
	inverseMass  float64
	id           int32
	island       int32 // parent in the union-find forest; the body itself if it is a root
	visited      uint32
	surface      bool // a surface, not a body
	movable      bool // contacts change its velocity
	linked       bool // in contact with another movable body, so in an island with it
	abrupt       bool // runs into a contact: its velocity changes at an instant of the step, and not evenly
	unresolved   bool // in a contact that is not solved, or not well enough
	pressed      bool // a contact exerts an impulse on it
	carried      bool // touches something that moves and that contacts do not move
	speedScale   float64
	firstScale   float64 // of a driver: the speed scale at which its islands begin; 0 for what drives nothing
	calmSteps    int8
	islandCalm   int8 // of a root: the least calmSteps of its island
}

// Reset forgets all bodies and contacts.
func (s *Solver) Reset(settings Settings) {
	s.Settings = settings
	s.bodies, s.infos, s.spins = s.bodies[:0], s.infos[:0], s.spins[:0]
	s.constraints, s.constraintInfos = s.constraints[:0], s.constraintInfos[:0]
	s.added = 0
}

// AddBody adds a body and returns its index, which counts bodies and surfaces from 0.
func (s *Solver) AddBody(b *Body) int32 {
	k := int32(len(s.bodies))
	info := solverBodyInfo{
		v0: b.Velocity, w0: b.AngularVelocity, freeVelocity: b.FreeVelocity,
		position: b.Position, height: -b.Position.Dot(s.Down), radius: b.Radius,
		inverseMass: b.InverseMass, id: b.ID, island: k, movable: b.InverseMass > 0,
		speedScale: b.SpeedScale, calmSteps: b.CalmSteps,
	}
	body, spin := solverBody{v: b.FreeVelocity}, solverSpin{w: b.AngularVelocity}
	if info.movable {
		body.mobility, spin.inverseInertia = b.Mobility, b.InverseInertia
	}
	s.bodies, s.infos, s.spins = append(s.bodies, body), append(s.infos, info), append(s.spins, spin)
	return k
}

// AddSurface adds a surface and returns its index, which counts bodies and surfaces from 0.
//
// Its free velocity is zero also where it moves, unlike that of a kinematic body. The free velocity
// only decides whether a contact bounces and whether a change of velocity is abrupt.
func (s *Solver) AddSurface(f *Surface) int32 {
	k := int32(len(s.bodies))
	s.bodies = append(s.bodies, solverBody{v: f.Velocity})
	s.infos = append(s.infos, solverBodyInfo{
		v0: f.Velocity, position: f.Position, height: math.Inf(-1), surface: true, middle: f.Middle,
		id: f.ID, island: k, speedScale: f.SpeedScale,
	})
	s.spins = append(s.spins, solverSpin{})
	return k
}

// Solve finds the impulses of all contacts and the velocities of all bodies.
func (s *Solver) Solve() {
	for from := 0; from < len(s.constraints); {
		to := from + 1
		for to < len(s.constraints) && s.constraintInfos[to].island == s.constraintInfos[from].island {
			to++
		}
		s.solveIsland(s.constraints[from:to], s.constraintInfos[from:to])
		from = to
	}
	s.setDriverVelocities()
	s.countCalmSteps()
	s.finishContacts()
	s.finishBodies()
	s.checkSolution()
}

// finishContacts finds out what the solution has left open.
func (s *Solver) finishContacts() {
	for k := range s.constraints {
		c, d := &s.constraints[k], &s.constraintInfos[k]
		left := float64(float64(uncertaintyFactor*math.Abs(c.lastChange))*s.Seconds) / c.mass
		d.uncertainty = max(float64(uncertaintyDecay*d.uncertainty), left)
		p, q := &s.infos[c.a], &s.infos[c.b]
		if c.normalImpulse > 0 {
			p.pressed, q.pressed = true, true
		}
		va, vb := s.bodies[c.a].v, s.bodies[c.b].v
		if va.Sub(vb).Dot(c.normal) < c.bound-float64(float64(velocityRounding)*(va.SumAbs()+vb.SumAbs())) {
			p.unresolved, q.unresolved = true, true
		}
	}
}

// finishBodies stops what moves by nothing but rounding.
func (s *Solver) finishBodies() {
	for k := range s.bodies {
		p, b := &s.infos[k], &s.bodies[k]
		if p.movable && b.v.SumAbs() <= float64(roundingShare*p.freeVelocity.Sub(p.v0).SumAbs()) {
			b.v = collide.Vec3{}
		}
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

// Unresolved reports whether body k has a contact that was not solved or that is left approaching,
// so that continuous collision detection must look for it.
func (s *Solver) Unresolved(k int32) bool { return s.infos[k].unresolved }

// MovesAtEndVelocity reports whether body k is to move through the whole step at the velocity of
// its end (implicit Euler, which damps oscillations in heaps). Otherwise its velocity changes
// evenly from Velocity in [Body] to the result, and its path is a parabola.
func (s *Solver) MovesAtEndVelocity(k int32) bool { return s.infos[k].linked || s.infos[k].abrupt }

// Constraints returns how many contacts were solved. The methods below number them from 0.
func (s *Solver) Constraints() int { return len(s.constraints) }

// ContactOf returns which of the contacts that were added constraint k is, counted from 0.
func (s *Solver) ContactOf(k int) int { return int(s.constraintInfos[k].contact) }

// Bodies returns the two bodies, or a body and a surface, of constraint k.
func (s *Solver) Bodies(k int) (a, b int32) { return s.constraints[k].a, s.constraints[k].b }

// Normal returns the normal of constraint k, from b to a.
func (s *Solver) Normal(k int) collide.Vec3 { return s.constraints[k].normal }

// NormalImpulse returns the impulse along the normal of constraint k, N·s, >= 0.
func (s *Solver) NormalImpulse(k int) float64 { return s.constraints[k].normalImpulse }

// History returns what constraint k is to begin with in the next step.
func (s *Solver) History(k int) History {
	c, d := &s.constraints[k], &s.constraintInfos[k]
	return History{
		NormalImpulse: c.normalImpulse, Before: d.before, Uncertainty: d.uncertainty,
		FrictionImpulse: c.frictionImpulse, TorqueImpulse: d.torqueImpulse,
	}
}
