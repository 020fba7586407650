package systems

import (
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// This file finds what has no effect on its entity.

// checkMotor finds a Motor that rotates nothing, or something that no motor should rotate.
func (c *checker) checkMotor(e *donburi.Entry) {
	if !e.HasComponent(components.Motor) {
		return
	}
	if !e.HasComponent(components.AngularVelocity) {
		c.add(NoEffect, e.Entity(), donburi.Null, "Motor",
			"it has no AngularVelocity, so its Motor does not rotate it",
			"add components.AngularVelocity and components.Velocity")
		return
	}
	d := components.Motor.Get(e)
	switch {
	case c.hasError(e.Entity()):
	case e.HasComponent(components.CharacterController):
		c.add(NoEffect, e.Entity(), donburi.Null, "Motor",
			"it is a character, which its Motor tilts: a Motor is for kinematic surfaces",
			"remove the Motor")
	case c.kind(e.Entity()) == components.Static:
		c.add(NoEffect, e.Entity(), donburi.Null, "Motor", "it is static, so its Motor does not rotate it",
			"add components.Velocity, and set Body.Kind to components.Kinematic")
	case isDynamicBall(e):
		c.add(NoEffect, e.Entity(), donburi.Null, "Motor",
			"it is a dynamic ball, which its Motor spins with any torque: a Motor is for kinematic surfaces",
			"set its AngularVelocity instead, or set Body.Kind to components.Kinematic")
	case d.On && d.Speed == 0 && d.Inertia == 0:
		c.add(NoEffect, e.Entity(), donburi.Null, "Motor.Speed", "it is 0, so a Motor that is On does not rotate it",
			"set a Speed; an Inertia makes it a seesaw, which needs none")
	}
}

// checkForce finds a Force on something that is never dynamic.
func (c *checker) checkForce(e *donburi.Entry) {
	if !e.HasComponent(components.Force) || components.Force.Get(e).Force == (collide.Vec3{}) {
		return
	}
	reason, advice := "planes, polygons and CapsuleColliders are never dynamic, so its Force does not move it",
		"give it a SphereCollider or ShapeCollider, or set its Velocity"
	switch {
	case e.HasComponent(components.CharacterController):
		reason, advice = "it is a character, so its Force does not move it",
			"set State.Velocity of its CharacterController"
	case e.HasComponent(components.KinematicGroup):
		return
	case !e.HasComponent(components.Velocity) &&
		(e.HasComponent(components.SphereCollider) || e.HasComponent(components.ShapeCollider)):
		reason, advice = "it has no Velocity and is static, so its Force does not move it",
			"add components.Velocity, and components.Body to a ShapeCollider"
	case e.HasComponent(components.Body) && components.Body.Get(e).Kind != components.Dynamic:
		reason, advice = "its Body is not Dynamic, so its Force does not move it",
			"set Body.Kind to components.Dynamic, or set its Velocity"
	case e.HasComponent(components.SphereCollider):
		return
	case e.HasComponent(components.ShapeCollider):
		if e.HasComponent(components.Body) {
			return
		}
		reason, advice = "a ShapeCollider without a Body is kinematic, so its Force does not move it",
			"add components.Body, or set its Velocity"
	}
	c.add(NoEffect, e.Entity(), donburi.Null, "Force.Force", reason, advice)
}

// checkCrouch finds a CrouchHeight with which a character can't crouch.
func (c *checker) checkCrouch(e *donburi.Entry) {
	if !e.HasComponent(components.CharacterController) {
		return
	}
	d := components.CharacterController.Get(e)
	if d.CrouchHeight == 0 || d.State.Crouching {
		return
	}
	if !e.HasComponent(components.CapsuleCollider) {
		c.add(NoEffect, e.Entity(), donburi.Null, "CharacterController.CrouchHeight",
			"only a character with a CapsuleCollider can crouch", "give it one, or set CrouchHeight to 0")
		return
	}
	capsule := components.CapsuleCollider.Get(e)
	width := float64(2 * capsule.Radius)
	height, low := capsule.A.Distance(capsule.B)+width, max(d.CrouchHeight, width)
	if !(low < height) {
		c.add(NoEffect, e.Entity(), donburi.Null, "CharacterController.CrouchHeight",
			fmt.Sprintf("crouching it would be %g high, and it is %g: so Crouch does nothing", low, height),
			"make CrouchHeight less than the height of its capsule")
	}
}
