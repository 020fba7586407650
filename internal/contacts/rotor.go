package contacts

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// A rotor is a surface that rotates about a fixed axis and yields to torque: a seesaw, or a mill
// whose motor has a greatest torque. Each of its contacts has a surface of its own here, which
// moves by Arm for each rad/s of the rotor. Its bodies are solved as one island, in which the
// iterations see each contact at the present speed of the rotor, and with the inertia that it has
// there.

// Rotor is how something rotates and what resists that.
type Rotor struct {
	Speed          float64 // at the start of the step, about its axis, rad/s; surfaces have their velocities at it
	Push           float64 // speed that something beside the contacts adds, rad/s
	InverseInertia float64 // 1/(kg·m²), > 0
	Goal           float64 // speed that the motor aims for, rad/s
	MaxImpulse     float64 // that the motor may exert in the step, N·m·s; >= 0
	Least, Most    float64 // bounds of the speed, rad/s, for the limits of its angle
}

// rotor is a Rotor that is being solved.
type rotor struct {
	Rotor
	torque    float64 // impulse of all contacts about the axis, N·m·s
	torque0   float64 // its value before the iteration
	direction float64 // the sum of its last changes, as in bodyDirection
	first     int32   // the first movable body that touches it, -1 for none
}

// AddRotor adds a rotor and returns its index, which counts from 0.
func (s *Solver) AddRotor(r Rotor) int32 {
	s.rotors = append(s.rotors, rotor{Rotor: r, first: -1})
	return int32(len(s.rotors) - 1)
}

// SpeedUnder returns the speed at the end of the step, rad/s, if contacts exert an impulse about
// the axis, N·m·s, and the impulse of the motor.
func (r *Rotor) SpeedUnder(torque float64) (speed, motor float64) {
	speed = r.Speed + r.Push + float64(torque*r.InverseInertia)
	motor = max(-r.MaxImpulse, min(r.MaxImpulse, (r.Goal-speed)/r.InverseInertia))
	if math.Abs(motor) < r.MaxImpulse {
		speed = r.Goal
	} else {
		speed += float64(motor * r.InverseInertia)
	}
	return max(r.Least, min(r.Most, speed)), motor
}

// LinkToRotor notes that body k touches a rotor: all bodies that do are solved together. It is
// called before GroupContacts.
func (s *Solver) LinkToRotor(k, r int32) {
	if !s.infos[k].movable {
		return
	}
	if s.rotors[r].first < 0 {
		s.rotors[r].first = k
		return
	}
	if a, b := s.IslandRoot(k), s.IslandRoot(s.rotors[r].first); a != b {
		s.nodes[max(a, b)].parent = min(a, b)
	}
}

// RotorSpeed returns the speed of rotor r at the end of the step, rad/s, and the impulses about its
// axis of its motor and of its contacts, N·m·s.
func (s *Solver) RotorSpeed(r int32) (speed, motor, torque float64) {
	p := &s.rotors[r]
	speed, motor = p.SpeedUnder(p.torque)
	return speed, motor, p.torque
}

// rotorOf returns the rotor of body or surface k, nil for none.
func (s *Solver) rotorOf(k int32) *rotor {
	if s.infos[k].rotor {
		return &s.rotors[s.drivers[s.infos[k].driver-1].rotor-1]
	}
	return nil
}

// armOf returns the change of velocity of surface k for each rad/s of its rotor.
func (s *Solver) armOf(k int32) collide.Vec3 { return s.drivers[s.infos[k].driver-1].arm }

// rotorInverseMass returns what a rotor adds to the inverse mass of a contact along n.
func (s *Solver) rotorInverseMass(k int32, n collide.Vec3) float64 {
	r := s.rotorOf(k)
	if r == nil {
		return 0
	}
	arm := n.Dot(s.armOf(k))
	return float64(float64(arm*arm) * r.InverseInertia)
}

// startRotors lists the contacts of an island that are with rotors, and passes the impulses with
// which they begin to those.
func (s *Solver) startRotors(constraints []contactConstraint) {
	for k := range constraints {
		c := &constraints[k]
		if r := s.rotorOf(c.b); r != nil {
			s.withRotors = append(s.withRotors, int32(k))
			r.torque -= s.armOf(c.b).Dot(c.normal.Scale(c.normalImpulse).Add(c.frictionImpulse))
		}
	}
}

// moveWithRotor gives surface k the velocity that it has at the present speed of its rotor.
func (s *Solver) moveWithRotor(k int32, r *rotor) {
	speed, _ := r.SpeedUnder(r.torque)
	s.bodies[k].v = s.infos[k].v0.AddScaled(speed-r.Speed, s.armOf(k))
}

// relaxRotors is relaxAgain for an island some of whose contacts are with rotors. These come last,
// so that all others may be in batches.
func (s *Solver) relaxRotors(batched bool, constraints []contactConstraint, tolerance float64) (unsettled bool) {
	if batched {
		unsettled = s.relaxPrepared(1, tolerance)
	} else {
		first := int32(0)
		for _, k := range s.withRotors {
			unsettled = s.relax(constraints[first:k], 1, tolerance) || unsettled
			first = k + 1
		}
		unsettled = s.relax(constraints[first:], 1, tolerance) || unsettled
	}
	for _, k := range s.withRotors {
		c := &constraints[k]
		r := s.rotorOf(c.b)
		s.moveWithRotor(c.b, r)
		normal, friction := c.normalImpulse, c.frictionImpulse
		unsettled = s.relax(constraints[k:k+1], 1, tolerance) || unsettled
		change := c.normal.Scale(c.normalImpulse - normal).Add(c.frictionImpulse.Sub(friction))
		r.torque -= s.armOf(c.b).Dot(change)
	}
	return unsettled
}

// moveRotors gives the surfaces of all rotors their velocities at the end of the step.
func (s *Solver) moveRotors() {
	if len(s.rotors) == 0 {
		return
	}
	for k := range s.infos {
		if r := s.rotorOf(int32(k)); r != nil {
			s.moveWithRotor(int32(k), r)
		}
	}
}
