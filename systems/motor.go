package systems

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// motors set the angular velocity of the entities with a Motor before each step, and find out after
// it how far they have rotated.
type motors struct {
	query   *donburi.Query
	running []runningMotor
	errors  []EntityError    // of the last step
	failed  []donburi.Entity // that had them
	pushes  []rotorPush      // of characters, in the next step
}

// runningMotor is a motor in a step.
type runningMotor struct {
	entity  donburi.Entity
	axis    collide.Vec3
	before  collide.Quat // rotation that the step has read
	angular collide.Vec3 // angular velocity that the step has read
	angle   float64      // of the motor when the step began
	turn    float64      // rotation that was asked for, radians
	rotor   int          // its index in the space if it yields to load; otherwise -1
}

// maxMotorTurn is the largest rotation of a motor in a step, radians: less than half a turn, so
// that it can be told from the rotation before and after the step.
const maxMotorTurn = 3

// begin sets the angular velocities for a step.
func (m *motors) begin(w donburi.World, seconds float64) {
	if m.query == nil {
		m.query = donburi.NewQuery(filter.Contains(components.Motor, components.AngularVelocity, components.Transform))
	}
	m.running, m.errors = m.running[:0], m.errors[:0]
	for e := range m.query.Iter(w) {
		d, spin := components.Motor.Get(e), components.AngularVelocity.Get(e)
		err := d.Validate()
		if err == nil {
			err = cannotTurn(e, d)
		}
		if err != nil {
			m.errors = append(m.errors, EntityError{e.Entity(), err})
			d.Torque = 0
			if !isDynamicBall(e) { // which rolls as if it had none
				spin.Angular = collide.Vec3{}
			}
			continue
		}
		axis, ok := d.Axis.Normalized()
		if !ok {
			axis = collide.Vec3{Z: 1}
		}
		turn := nextTurn(d, seconds)
		r := runningMotor{entity: e.Entity(), axis: axis, angle: d.Angle, turn: turn, rotor: -1}
		if d.Inertia > 0 {
			most := maxMotorTurn / seconds
			if spin.Validate() == nil { // otherwise it stays, and is an error
				spin.Angular = axis.Scale(max(-most, min(most, axis.Dot(spin.Angular))))
			}
			m.running = append(m.running, r)
			continue
		}
		spin.Angular, d.Torque = axis.Scale(turn/seconds), 0
		if turn != 0 {
			m.running = append(m.running, r)
		}
	}
}

// cannotTurn returns why no motor can rotate an entity that has one, or nil.
func cannotTurn(e *donburi.Entry, d *components.MotorData) error {
	isBall, reason := e.HasComponent(components.SphereCollider), ""
	switch {
	case e.HasComponent(components.KinematicGroup) && components.KinematicGroup.Get(e).Leader != e.Entity():
		if !isBall {
			reason = "can't be that of a member of a KinematicGroup: the group rotates as its leader does"
		}
	case !e.HasComponent(components.Velocity):
		reason = "needs a Velocity, which may be zero: without it the entity is static"
	case isBall && d.Inertia > 0:
		reason = "can't be a sphere's: only surfaces yield to load"
	case isBall:
	case e.HasComponent(components.Sensor):
		reason = "can't be a Sensor's: only spheres that are sensors rotate"
	case e.HasComponent(components.ShapeCollider) && e.HasComponent(components.Body) &&
		components.Body.Get(e).Kind == components.Dynamic &&
		!e.HasComponent(components.KinematicGroup) && !e.HasComponent(components.CharacterController):
		reason = "can't be that of a dynamic Body, which keeps its orientation: set its Kind to Kinematic"
	}
	switch {
	case reason == "":
		return nil
	case d.Inertia > 0:
		return &components.FieldError{Component: "Motor", Field: "Inertia", Value: d.Inertia, Reason: reason}
	}
	return &components.FieldError{Component: "Motor", Field: "Speed", Value: d.Speed, Reason: reason}
}

// isDynamicBall reports whether a sphere with a Velocity is moved by impacts.
func isDynamicBall(e *donburi.Entry) bool {
	if !e.HasComponent(components.SphereCollider) || e.HasComponent(components.KinematicGroup) ||
		e.HasComponent(components.CharacterController) {
		return false
	}
	if e.HasComponent(components.Body) {
		return components.Body.Get(e).Kind == components.Dynamic
	}
	return !e.HasComponent(components.Sensor)
}

// cannotYield returns why something that a motor could rotate can't yield to load.
func cannotYield(e *donburi.Entry) string {
	switch {
	case e.HasComponent(components.PlaneCollider):
		return "can't be a plane's, which has no bounds"
	case e.HasComponent(components.Body) && components.Body.Get(e).Kind == components.Static:
		return "needs a Body whose Kind is not Static, or none"
	}
	return "needs a collider of its own, outside of any KinematicGroup"
}

// load notes the rotations that have been read, which may be those of Donburi's Transforms, and
// tells the space about the motors that yield to load. It is called after the world has been read.
func (m *motors) load(w donburi.World, p *Physics, seconds float64) {
	p.space.ClearRotors()
	for k := range m.running {
		r := &m.running[k]
		e := w.Entry(r.entity)
		d := components.Motor.Get(e)
		r.before, r.angular = components.Transform.Get(e).Rotation, components.AngularVelocity.Get(e).Angular
		if d.Inertia == 0 || p.bridge.HasError(r.entity) {
			continue
		}
		handle, ok := p.bridge.Handle(r.entity)
		if !ok || !handle.IsSurface() || !p.space.CanBeRotor(handle.Surface()) {
			m.errors = append(m.errors, EntityError{r.entity, &components.FieldError{
				Component: "Motor", Field: "Inertia", Value: d.Inertia, Reason: cannotYield(e),
			}})
			continue
		}
		low, high := float64(-maxMotorTurn), float64(maxMotorTurn)
		if d.Low != d.High {
			low = max(low, min(0, min(d.Low, d.High)-d.Angle))
			high = min(high, max(0, max(d.Low, d.High)-d.Angle))
		}
		push := m.pushOn(r.entity)
		r.rotor = p.space.AddRotor(handle.Surface(), solver.Rotor{
			Axis: r.axis, Inertia: d.Inertia + push.inertia, Push: push.change(d.Inertia + push.inertia),
			Goal: r.turn / seconds, MaxTorque: d.MaxTorque, Low: low, High: high,
		})
	}
}

// addMotorErrors adds the errors of motors to those of what has been read, in the order of
// entities, and to those that are published if they are new.
func (p *Physics) addMotorErrors(w donburi.World) {
	m := &p.motors
	if len(m.errors) > 0 {
		for _, e := range m.errors {
			if w.Valid(e.Entity) {
				p.errors = append(p.errors, e)
			}
			if !slices.Contains(m.failed, e.Entity) {
				p.pending.errors = append(p.pending.errors, e)
			}
		}
		sortErrors(p.errors)
	}
	m.failed = m.failed[:0]
	for _, e := range m.errors {
		m.failed = append(m.failed, e.Entity)
	}
}

// rotorPush is what characters do to an entity that yields to torque in the next step.
type rotorPush struct {
	entity  donburi.Entity
	speed   float64 // that it gets whatever its inertia is, rad/s
	impulse float64 // about the axis, N·m·s
	inertia float64 // of those who stand on it, kg·m²
	landed  float64 // of those of them who have landed in this step, kg·m²
}

// change returns the change of speed of something with the given inertia, rad/s.
func (r rotorPush) change(inertia float64) float64 { return r.speed + r.impulse/inertia }

// push adds to what characters do to an entity in the next step.
func (m *motors) push(add rotorPush) {
	k := slices.IndexFunc(m.pushes, func(r rotorPush) bool { return r.entity == add.entity })
	if k < 0 {
		m.pushes = append(m.pushes, add)
		return
	}
	r := &m.pushes[k]
	r.speed, r.impulse = r.speed+add.speed, r.impulse+add.impulse
	r.inertia, r.landed = r.inertia+add.inertia, r.landed+add.landed
}

// pushOn returns what characters do to an entity in the next step.
func (m *motors) pushOn(e donburi.Entity) rotorPush {
	for _, r := range m.pushes {
		if r.entity == e {
			return r
		}
	}
	return rotorPush{}
}

// nextTurn returns the rotation of a motor in the next step, radians.
func nextTurn(d *components.MotorData, seconds float64) float64 {
	switch {
	case !d.Swing || !d.On:
		d.Returns = false
	case d.Returns && d.Angle == d.Low, !d.Returns && d.Angle == d.High:
		d.Returns = !d.Returns
	}
	goal, speed := d.High, d.Speed
	if !d.On || d.Returns {
		goal = d.Low
		if d.ReturnSpeed > 0 {
			speed = d.ReturnSpeed
		}
	}
	most := min(float64(speed*seconds), maxMotorTurn)
	return max(-most, min(most, goal-d.Angle))
}

// finish writes the angles that the motors have reached in the step, and the speeds of those that
// yield to load, unless the game has set others since it began. What characters did to them has
// acted.
func (m *motors) finish(w donburi.World, p *Physics) {
	m.pushes = m.pushes[:0]
	for _, r := range m.running {
		if !w.Valid(r.entity) {
			continue
		}
		e := w.Entry(r.entity)
		if !e.HasComponent(components.Motor) || !e.HasComponent(components.Transform) {
			continue
		}
		d := components.Motor.Get(e)
		if r.rotor >= 0 && e.HasComponent(components.AngularVelocity) {
			report := p.space.Rotor(r.rotor)
			r.turn, d.Torque = report.Angle, report.Torque
			if spin := components.AngularVelocity.Get(e); spin.Angular == r.angular {
				spin.Angular = r.axis.Scale(report.Speed)
			}
		}
		after := components.Transform.Get(e).Rotation
		if after != r.before { // the step has rotated it, or the game
			after = p.bridge.Turned(r.entity, r.before)
		}
		if d.Angle != r.angle || !isRotation(r.before) || !isRotation(after) {
			continue // the entity has an error, or gets it in the next step; or the game has set the angle
		}
		turned := r.turned(after)
		if math.Abs(turned-r.turn) <= 1e-12 { // all the way, but for rounding
			turned = r.turn
		}
		next := d.Angle + turned
		for _, goal := range [2]float64{d.Low, d.High} {
			if math.Abs(next-goal) <= 1e-12 {
				next = goal
			}
		}
		d.Angle = next
	}
}

// isRotation reports whether q is a valid rotation of a Transform.
func isRotation(q collide.Quat) bool {
	t := components.TransformData{Rotation: q}
	return t.Validate() == nil
}

// turned returns the angle about the axis between the rotation before the step and that after it.
func (r *runningMotor) turned(after collide.Quat) float64 {
	before := r.before
	if before == (collide.Quat{}) {
		before.W = 1
	}
	if after == (collide.Quat{}) {
		after.W = 1
	}
	q := after.Mul(collide.Quat{X: -before.X, Y: -before.Y, Z: -before.Z, W: before.W})
	sin, cos := r.axis.Dot(collide.Vec3{X: q.X, Y: q.Y, Z: q.Z}), q.W
	if cos < 0 {
		sin, cos = -sin, -cos
	}
	// Newton's method for the half angle. The sine of what is left of it is nearly that itself.
	half := float64(r.turn / 2)
	for range 40 {
		p := collide.RotationBy(r.axis.Scale(2 * half))
		s := r.axis.Dot(collide.Vec3{X: p.X, Y: p.Y, Z: p.Z})
		left := float64(sin*p.W) - float64(cos*s)
		half += left
		if math.Abs(left) <= 1e-16 {
			break
		}
	}
	return 2 * half
}
