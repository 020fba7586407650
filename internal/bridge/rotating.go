package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// Surfaces that rotate. They take the slow path in each step.

var errRotatingSensor = &components.FieldError{
	Component: "KinematicGroup", Field: "Leader", Value: "(rotates)",
	Reason: "can't lead a sensor: sensors can't rotate",
}

// rotates reports whether a surface with these components can rotate: it is kinematic and has an
// AngularVelocity, which may be zero at present, or the leader of its group has.
func (c *common) rotates() bool {
	if c.grouped {
		return c.turning.On
	}
	return c.spin != nil && c.kind() != components.Static
}

// cannotRotate returns an error for a surface with an AngularVelocity that does not allow for it,
// or a sensor in a group that rotates.
func (b *Bridge) cannotRotate(c *common) error {
	if c.sensor && c.grouped && c.turning.Angular != (collide.Vec3{}) {
		return errRotatingSensor
	}
	if c.spin == nil || c.spin.Angular == (collide.Vec3{}) {
		return nil
	}
	wrong := func(reason string) error {
		return &components.FieldError{
			Component: "AngularVelocity", Field: "Angular", Value: c.spin.Angular, Reason: reason,
		}
	}
	switch {
	case c.sensor:
		return wrong("can't be a sensor's: only spheres that are sensors rotate")
	case c.grouped:
		return wrong("can't be that of a member of a KinematicGroup: the group rotates as its leader does")
	case c.velocity == nil:
		return wrong("needs a Velocity, which may be zero: without it the entity is static")
	}
	return b.tooFast(c.spin.Angular)
}

// tooFast returns an error for an angular velocity that is too large for surfaces, or nil.
func (b *Bridge) tooFast(angular collide.Vec3) error {
	reason := ""
	switch speed := angular.Length(); {
	case !(speed <= maxSurfaceSpin):
		reason = "is beyond 1e4 rad/s: only spheres rotate faster"
	case float64(speed*b.settings.Solver.Seconds) > maxSurfaceTurn:
		reason = "rotates by more than 1600 rad in a step: only spheres do; make Config.StepSeconds shorter"
	default:
		return nil
	}
	return &components.FieldError{Component: "AngularVelocity", Field: "Angular", Value: angular, Reason: reason}
}

// maxSurfaceSpin is the largest angular velocity of a surface, rad/s: 27 turns in a step of 1/60 s.
// A step has a piece for each quarter of a radian, all of which are searched.
const maxSurfaceSpin = 1e4

// maxSurfaceTurn is the largest angle by which a surface rotates in a step, rad. Sweeps against a
// collide.Rotating find nothing beyond 1608.
const maxSurfaceTurn = 1600

// readTurning copies the rotation of a surface.
func (b *Bridge) readTurning(c *common, f *solver.Surface) {
	if !c.rotates() {
		return
	}
	if c.grouped {
		f.Turning = c.turning
		return
	}
	f.Turning = turningOf(c.spin, c.transform)
	f.Turning.Loaded = c.loaded
}

// turningOf returns how something with these components rotates.
func turningOf(spin *components.AngularVelocityData, transform *components.TransformData) solver.Turning {
	return solver.Turning{
		On: true, Angular: spin.Angular, Pivot: transform.Position.Add(transform.Rotation.Rotate(spin.Pivot)),
	}
}

// turnSurface rotates the Transform of a surface as far as it has turned in the step, unless the
// game has rotated it since.
func (b *Bridge) turnSurface(k *record, transform *components.TransformData) {
	source := &b.registry.sources.list[k.handle.Surface()]
	if !b.registry.surfaceState[k.handle.Surface()].Turning.On || transform.Rotation != source.transform.Rotation {
		return
	}
	if turned := b.space.Turned(k.handle.Surface()); turned != upright {
		transform.Rotation = turned.Mul(transform.Rotation).Normalized()
	}
}

// Turned returns the rotation of an entity that was rotated by before when the step began, after
// the step, also if the game has set another one in between.
func (b *Bridge) Turned(e donburi.Entity, before collide.Quat) collide.Quat {
	turned := upright
	handle, ok := b.registry.handle(e)
	switch {
	case !ok:
		if at, ok := b.groups.of[e]; ok && b.groups.list[at].turning.On && b.groups.list[at].member != none {
			turned = b.space.Turned(b.groups.list[at].member.Surface())
		}
	case handle.IsSurface():
		if b.registry.surfaceState[handle.Surface()].Turning.On {
			turned = b.space.Turned(handle.Surface())
		}
	default:
		if spin := b.registry.spin(handle); spin != nil && spin.turned != (collide.Quat{}) {
			turned = spin.turned
		}
	}
	if turned == upright {
		return before
	}
	return turned.Mul(before).Normalized()
}
