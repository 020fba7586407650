package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// This file lets characters act on what they stand on and walk against.

// Push implements character.World. A force that would make a body faster than velocities may be has
// no effect.
func (c *characterWorld) Push(number int, force collide.Vec3) {
	if !isCharacter(number) {
		c.pushBody(handleOf(number), force)
	}
}

// rotorAt returns by how much a point of what yields to torque moves for each rad/s, m, its inertia
// together with those who stood on it in this step or have landed on it, kg·m², and its entity.
func (c *characterWorld) rotorAt(
	number int, point collide.Vec3,
) (arm collide.Vec3, inertia float64, e donburi.Entity, ok bool) {
	if isCharacter(number) || !handleOf(number).IsSurface() {
		return arm, 0, e, false
	}
	r, ok := c.p.space.RotorOf(handleOf(number))
	e = c.p.bridge.Entity(handleOf(number))
	return r.Axis.Cross(point.Sub(r.Pivot)), r.Inertia + c.p.motors.pushOn(e).landed, e, ok
}

// LoadSurface implements character.World. What has landed moves with the surface already, as far as
// impulses say until now: its mass doesn't change that.
func (c *characterWorld) LoadSurface(
	number int, point collide.Vec3, mass float64, gravity collide.Vec3, landed bool,
) {
	arm, inertia, e, ok := c.rotorAt(number, point)
	if !ok {
		return
	}
	add := rotorPush{entity: e, inertia: float64(mass * arm.LengthSquared())}
	if landed {
		add.landed = add.inertia
		add.impulse = float64(add.inertia * c.p.motors.pushOn(e).impulse / inertia)
	}
	add.impulse += float64(mass * arm.Dot(gravity) * c.p.config.StepSeconds)
	c.p.motors.push(add)
}

// PushSurface implements character.World.
func (c *characterWorld) PushSurface(
	number int, point, d collide.Vec3, approach, inverseMass, most float64,
) (impulse float64) {
	arm, inertia, e, ok := c.rotorAt(number, point)
	lever := arm.Dot(d)
	if !ok || lever == 0 || !(approach > 0) {
		return 0
	}
	push := rotorPush{entity: e}
	impulse = approach / (float64(lever*lever)/inertia + inverseMass)
	switch {
	case inverseMass == 0 && impulse <= most:
		push.speed = approach / lever
	default:
		impulse = max(0, min(most, impulse))
		push.impulse = float64(impulse * lever)
	}
	c.p.motors.push(push)
	return impulse
}

// Hit implements character.World. Another character feels nothing, nor does what would get faster
// than velocities may be.
func (c *characterWorld) Hit(number int, impulse collide.Vec3) {
	if isCharacter(number) {
		return
	}
	h := handleOf(number)
	v, ok := c.bodyVelocity(h)
	if !ok {
		return
	}
	way := character.Free(lockedOf(c.p.bridge.World().Entry(c.p.bridge.Entity(h))), impulse)
	if after := v.AddScaled(c.p.space.ObstacleOf(h).InverseMass, way); after.MaxAbs() <= components.MaxCoordinate {
		*v = after
	}
}

// Load implements character.World.
func (c *characterWorld) Load(number int, mass float64, weight collide.Vec3) {
	if isCharacter(number) {
		return
	}
	if h := handleOf(number); c.pushBody(h, weight) {
		c.p.space.AddStepMass(h.Body(), mass)
	}
}

// pushBody is Push for a body. It reports whether the force acts.
func (c *characterWorld) pushBody(h solver.Handle, force collide.Vec3) bool {
	v, ok := c.bodyVelocity(h)
	if !ok {
		return false
	}
	o := c.p.space.ObstacleOf(h)
	all := c.p.space.StepForce(h.Body()).Add(force)
	if !(v.AddScaled(float64(o.InverseMass*c.p.config.StepSeconds), all).MaxAbs() <= components.MaxCoordinate) {
		return false
	}
	c.p.space.AddStepForce(h.Body(), force)
	return true
}
