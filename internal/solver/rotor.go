package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/statics"
)

// Rotors are surfaces that rotate about a fixed axis and yield to torque: a seesaw, or a mill whose
// motor has a greatest torque. The contact solver finds their speed together with the velocities of
// what rests on them. An impact changes their speed at its time, by the impulse that the two
// exchange, and predictions for the old motion are void. The step of a world with rotors is not
// divided among workers.

// Rotor is how a surface rotates under load.
type Rotor struct {
	Axis      collide.Vec3 // unit vector; the angular velocity of the surface is along it
	Inertia   float64      // about the axis, kg·m², > 0
	Goal      float64      // speed that the motor aims for, rad/s
	MaxTorque float64      // of the motor, N·m, >= 0
	Push      float64      // speed that something beside the contacts adds as the step begins, rad/s
	Low, High float64      // how far it may rotate in this step, radians: Low <= 0 <= High
}

// RotorReport is what became of a rotor in a step.
type RotorReport struct {
	Speed  float64 // at the end of the step, rad/s
	Angle  float64 // by which it has rotated in the step, radians
	Torque float64 // that the motor exerted on average, N·m
}

// rotor is a rotor in a step.
type rotor struct {
	Rotor
	surface int32   // the first one of its entity
	solved  int32   // its index in contactSolver, when that is in use
	speed   float64 // now, rad/s
	angle   float64 // by which it had rotated at time since, radians
	since   float64 // s
	pending float64 // change of speed at the end of the step, rad/s
	most    float64 // bound of that: one that ends the fastest approach, rad/s
	slowed  float64 // change of speed then, by what is pushed in finishPushes, rad/s
	motor   float64 // impulse of the motor, N·m·s
	changes int     // of speed in this step by impacts
	loaded  bool    // something resists it
}

// maxRotorChanges is how many impacts may change the speed of a rotor in a step. Further ones are
// as with something of infinite inertia that does not bounce. Their impulses are given to the rotor
// when the step ends, but stop it as soon as they would turn it round. With less, a rack of balls
// that lands on a rotor loses more energy than it should; with more, steps with heaps on light
// rotors take longer.
const maxRotorChanges = 64

// ClearRotors removes all rotors. It is called before the surfaces of a step are set.
func (s *Space) ClearRotors() {
	for k := range s.rotors {
		s.eachPart(s.rotors[k].surface, func(k int32) { s.surfaces[k].rotor = 0 })
	}
	s.rotors = s.rotors[:0]
}

// CanBeRotor reports whether surface k can be a rotor: it rotates, is no plane, and in no group but
// that of the parts of its entity.
func (s *Space) CanBeRotor(k int32) bool {
	f := s.statics.At(k)
	if !f.Turning.Loaded || f.Kind() == statics.Plane || f.Sensor {
		return false
	}
	g := s.surfaces[k].group
	if g == 0 {
		return true
	}
	for _, code := range s.groups[g].codes {
		if s.ownerOf(code) != codeOf(k) {
			return false
		}
	}
	return true
}

// AddRotor makes a surface, and all parts of its entity, a rotor in the next step, and returns its
// index. It is called after the surface has been set, with an angular velocity along the axis.
func (s *Space) AddRotor(k int32, r Rotor) int {
	at := int32(len(s.rotors))
	speed := r.Axis.Dot(s.statics.At(k).Turning.Angular)
	s.rotors = append(s.rotors, rotor{Rotor: r, surface: k, speed: speed})
	s.eachPart(k, func(k int32) { s.surfaces[k].rotor = at + 1 })
	return int(at)
}

// Rotor returns what became of a rotor in the last step, by its index.
func (s *Space) Rotor(at int) RotorReport {
	r := &s.rotors[at]
	return RotorReport{Speed: r.speed, Angle: r.angle, Torque: r.motor / s.Seconds}
}

// RotorState is a rotor after a step.
type RotorState struct {
	Axis    collide.Vec3 // unit vector
	Pivot   collide.Vec3 // a point of the axis
	Inertia float64      // about the axis, kg·m²
}

// RotorOf returns the rotor that a surface belongs to, as it is at the end of the step.
func (s *Space) RotorOf(h Handle) (RotorState, bool) {
	r := s.rotorOf(h.Surface())
	if r == nil {
		return RotorState{}, false
	}
	f := s.statics.At(r.surface)
	return RotorState{r.Axis, f.Turning.Pivot.AddScaled(s.Seconds, f.Velocity), r.Inertia}, true
}

// rotorOf returns the rotor of surface k, nil for none.
func (s *Space) rotorOf(k int32) *rotor {
	if at := s.surfaces[s.statics.Owner(k)].rotor; at > 0 {
		return &s.rotors[at-1]
	}
	return nil
}

// forStep returns the rotor as the contact solver sees it when the step begins, for a step of the
// given duration.
func (r *rotor) forStep(seconds float64) contacts.Rotor {
	return contacts.Rotor{
		Speed: r.speed, Push: r.Push, InverseInertia: 1 / r.Inertia, Goal: r.Goal,
		MaxImpulse: float64(r.MaxTorque * seconds),
		Least:      r.Low / seconds, Most: r.High / seconds,
	}
}

// addRotors adds all rotors to the contact solver, and links the bodies that touch them.
func (s *Space) addRotors() {
	if len(s.rotors) == 0 {
		return
	}
	for k := range s.rotors {
		s.rotors[k].solved = s.contactSolver.AddRotor(s.rotors[k].forStep(s.Seconds))
	}
	for k := range s.solverContacts {
		if c := &s.solverContacts[k]; c.b < 0 {
			if r := s.rotorOf(surfaceOf(c.b)); r != nil {
				s.contactSolver.LinkToRotor(s.solverBodyOf[c.a], r.solved)
			}
		}
	}
}

// startRotors gives the rotors the speed that motors and persistent contacts give them. solved says
// that contacts have been solved.
func (s *Space) startRotors(solved bool) {
	for k := range s.rotors {
		r := &s.rotors[k]
		free := r.forStep(s.Seconds)
		speed, motor := free.SpeedUnder(0)
		if solved {
			unloaded := speed
			speed, motor, _ = s.contactSolver.RotorSpeed(r.solved)
			r.loaded = math.Abs(speed-unloaded) > float64(loadTolerance*max(math.Abs(unloaded), math.Abs(r.Goal)))
		}
		if r.motor = motor; speed != r.speed {
			s.turnRotor(r, speed, 0)
			s.eachPart(r.surface, func(k int32) { s.slowedSurfaces = append(s.slowedSurfaces, k) })
		}
	}
}

// loadTolerance is the change of a rotor's speed that counts as a load, as a fraction of the speed:
// far above rounding.
const loadTolerance = 0x1p-30

// reportRotors counts the motors that have been slowed down, and notes the bodies that have stopped
// one as crushed.
func (s *Space) reportRotors() {
	for k := range s.rotors {
		r := &s.rotors[k]
		if f := s.statics.At(r.surface); s.surfaces[r.surface].blockedInStep == s.stepNumber && !f.Moves() {
			continue // its stop has been counted
		}
		if !r.loaded || r.Goal == 0 || !(r.speed/r.Goal < 1) {
			continue
		}
		s.Counts.Blocked++
		if r.speed/r.Goal > contacts.MinSpeedScale {
			continue
		}
		for at := range s.solverContacts {
			c := &s.solverContacts[at]
			if c.constraint < 0 || c.b >= 0 || !(c.NormalImpulse > 0) || s.rotorOf(surfaceOf(c.b)) != r {
				continue
			}
			n := s.contactSolver.Normal(c.constraint)
			f := s.statics.At(surfaceOf(c.b))
			i := s.index[c.a]
			if arm := n.Dot(r.Axis.Cross(s.contactPoint(i, c.b, n, 0).Sub(f.Turning.Pivot))); arm*r.Goal > 0 {
				s.noteCrushed(i, s.ownerOf(c.b), s.statics.Key(surfaceOf(c.b)), 0)
			}
		}
	}
}

// turnRotor gives a rotor another speed from time t on.
func (s *Space) turnRotor(r *rotor, speed, t float64) {
	r.angle += float64(r.speed * (t - r.since))
	r.since, r.speed = t, speed
	s.eachPart(r.surface, func(k int32) {
		s.noteRotation(k, t)
		s.statics.Turn(k, r.Axis.Scale(speed), t)
	})
}

// stop notes that the rotor is stopped at time t.
func (r *rotor) stop(t float64) {
	r.angle += float64(r.speed * (t - r.since))
	r.since, r.speed, r.pending, r.changes, r.loaded = t, 0, 0, maxRotorChanges, true
}

// rotorLoad is what a rotor pushes when a step ends, as seen from its axis.
type rotorLoad struct {
	rotor    int32
	body     int32   // its index
	inertia  float64 // kg·m²
	momentum float64 // angular momentum that it lacks to move with the rotor, kg·m²/s
}

// slowRotors slows rotors down by what finishPushes is going to push, as if all of that moved on
// with them. It is called before the bodies are pushed.
func (s *Space) slowRotors() {
	s.rotorLoads = s.rotorLoads[:0]
	s.eachTurningContact(func(i, k int32) {
		p, ok := s.lastPush(i, k)
		if at := s.surfaces[s.statics.Owner(k)].rotor; ok && at > 0 && s.bodies[i].inverseMass > 0 {
			mass := 1 / float64(s.bodies[i].inverseMass*p.free.LengthSquared())
			inertia, momentum := float64(mass*float64(p.arm*p.arm)), float64(mass*float64(p.arm*p.approach))
			load := rotorLoad{at - 1, i, inertia, momentum}
			// A compound, or a mesh, has several parts at a body, one after the other.
			if n := len(s.rotorLoads); n > 0 && s.rotorLoads[n-1].rotor == at-1 && s.rotorLoads[n-1].body == i {
				if math.Abs(momentum) > math.Abs(s.rotorLoads[n-1].momentum) {
					s.rotorLoads[n-1] = load
				}
			} else {
				s.rotorLoads = append(s.rotorLoads, load)
			}
		}
	})
	// Contacts are in an order that depends on which body was created first, and sums round.
	slices.SortFunc(s.rotorLoads, func(a, b rotorLoad) int {
		return cmp.Or(
			cmp.Compare(a.rotor, b.rotor), cmp.Compare(a.momentum, b.momentum), cmp.Compare(a.inertia, b.inertia),
		)
	})
	for first, next := 0, 0; first < len(s.rotorLoads); first = next {
		at, inertia, momentum := s.rotorLoads[first].rotor, 0.0, 0.0
		for ; next < len(s.rotorLoads) && s.rotorLoads[next].rotor == at; next++ {
			inertia, momentum = inertia+s.rotorLoads[next].inertia, momentum+s.rotorLoads[next].momentum
		}
		s.rotors[at].slowed = -momentum / (s.rotors[at].Inertia + inertia)
	}
}

// finishRotors ends the step of the rotors.
func (s *Space) finishRotors() {
	for k := range s.rotors {
		r := &s.rotors[k]
		r.angle += float64(r.speed * (s.Seconds - r.since))
		r.since = s.Seconds
		r.speed += r.slowed + max(-r.most, min(r.most, r.pending))
	}
	s.reportRotors()
}

// armOf returns by how much the point p of a rotor moves at time t for each rad/s, m.
func (s *Space) armOf(r *rotor, p collide.Vec3, t float64) collide.Vec3 {
	f := s.statics.At(r.surface)
	return r.Axis.Cross(p.Sub(f.Turning.Pivot.AddScaled(t, f.Velocity)))
}

// rotorInverseMass returns the effective inverse mass of a rotor at time t in direction d at a
// point that moves by arm for each rad/s: 0 if the rotor is at a limit of its angle, and an impulse
// against d would push it beyond.
func (s *Space) rotorInverseMass(r *rotor, arm, d collide.Vec3, t float64) float64 {
	lever := arm.Dot(d)
	least, most := s.rotorBounds(r, t)
	if lever > 0 && r.speed <= least || lever < 0 && r.speed >= most {
		return 0
	}
	return float64(lever*lever) / r.Inertia
}

// rotorBounds returns the bounds of the speed of a rotor from time t on, for the limits of its
// angle.
func (s *Space) rotorBounds(r *rotor, t float64) (least, most float64) {
	left := s.Seconds - t
	if !(left > 0) {
		return math.Inf(-1), math.Inf(1)
	}
	at := r.angle + float64(r.speed*(t-r.since))
	return min(0, (r.Low-at)/left), max(0, (r.High-at)/left)
}

// pushRotor gives a rotor an impulse along d at time t, N·s, at a point that moves by arm for each
// rad/s.
func (s *Space) pushRotor(r *rotor, arm, d collide.Vec3, impulse, t float64) {
	s.changeRotor(r, float64(impulse*arm.Dot(d))/r.Inertia, t)
}

// changeRotor changes the speed of a rotor at time t.
func (s *Space) changeRotor(r *rotor, change, t float64) {
	if change == 0 || r.changes >= maxRotorChanges {
		return
	}
	r.changes++
	least, most := s.rotorBounds(r, t)
	speed := max(least, min(most, r.speed+change))
	if r.Goal*change < 0 {
		r.loaded = true
	}
	if speed != r.speed {
		s.turnRotor(r, speed, t)
	}
}

// pushByRotor is pushVelocity for the surface k of a rotor, which moves at u where body i at p
// touches it. The body has given it an impulse in this impact, and its speed was speedBefore. If
// the rotor would push the body to a higher speed than u, it comes to that at another point, or
// turns on meanwhile, and loses speed. Otherwise it would push like something of infinite inertia.
// pushByRotor returns the velocity and all that the body has given.
func (s *Space) pushByRotor(
	r *rotor, i, k int32, p, n, u collide.Vec3, given, speedBefore, t float64,
) (pushed collide.Vec3, all float64) {
	f, free := s.statics.At(k), s.freeNormal(i, n)
	inverse := float64(s.bodies[i].inverseMass * free.LengthSquared())
	before := n.Dot(s.velocity(i, t).Sub(f.Velocity))
	again := func() collide.Vec3 {
		return s.pushVelocity(i, k, p, n, f.VelocityAt(s.contactPoint(i, codeOf(k), n, t), t), t)
	}
	pushed = s.pushVelocity(i, k, p, n, u, t)
	speed := n.Dot(pushed.Sub(f.Velocity))
	late := speed - before - float64(given*inverse)
	if late > 0 && r.speed != 0 && r.changes < maxRotorChanges &&
		n.Dot(pushed.Sub(u)) > float64(chordTolerance*pushed.SumAbs()) {
		lever := speed / r.speed // where the rotor is as fast as that
		impulse := late / (inverse + float64(lever*lever)/r.Inertia)
		change := -float64(impulse*lever) / r.Inertia
		if math.Abs(change) > math.Abs(r.speed) { // the body is in its way on both sides of the axis
			change = -r.speed
			impulse = float64(r.speed*r.Inertia) / lever
		}
		s.changeRotor(r, change, t)
		given += impulse
		pushed = again()
		speed = n.Dot(pushed.Sub(f.Velocity))
	}
	// With more energy than the rotor had, the body would be thrown by what isn't there.
	gain := (float64(speed*speed) - float64(before*before)) / inverse
	if speed > 0 && r.speed != 0 && gain > float64(r.Inertia*float64(speedBefore*speedBefore)) {
		s.turnRotor(r, 0, t)
		pushed = again()
	}
	return pushed, given
}

// chordTolerance is by how much a push along a chord may be faster than the point of contact, as a
// fraction of the velocity, without slowing a rotor down. With less, each push by a slow rotor is
// computed twice; with more, fast light ones give away energy.
const chordTolerance = 0x1p-10

// closingForBounce returns the closing speed of a bounce with restitution e off a rotor. closing is
// that of the surface, and uniform that of a surface that rotates at the rotor's speed. They differ
// by up to 0.3 % of the speed (see [collide.Rotating]). Energy is that of the rotor's speed, so a
// bounce at the other one would change the energy. What hardly bounces has to leave the surface.
func (r *rotor) closingForBounce(e, closing, uniform float64) float64 {
	if float64(e*uniform) > float64(4*math.Abs(uniform-closing)) {
		return uniform
	}
	return closing
}

// pushLater gives a rotor the impulse that ends an approach along n at a closing speed, for an
// effective inverse mass of both sides, when the step ends. Several of them don't make it faster
// than one could.
func (r *rotor) pushLater(arm, n collide.Vec3, closing, inverse float64) {
	lever := arm.Dot(n)
	if !(closing > 0) || lever == 0 {
		return
	}
	r.pending -= float64(closing/inverse*lever) / r.Inertia
	r.most = max(r.most, closing/math.Abs(lever))
}

// slowLater slows a rotor down when the step ends. Several calls don't turn it round, and slow it
// by no more than the largest change.
func (r *rotor) slowLater(change float64) {
	r.pending -= change
	r.most = max(r.most, min(math.Abs(change), math.Abs(r.speed)))
}

// repredictNearRotor is repredictNearSurface for all surfaces of a rotor.
func (s *Space) repredictNearRotor(r *rotor, t float64) {
	s.eachPart(r.surface, func(k int32) { s.repredictNearSurface(k, t) })
}
