package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// MotorData rotates a kinematic surface between two angles: a flipper, a door, a seesaw. Physics
// sets the AngularVelocity of the entity before each step, so that it arrives at an angle exactly,
// and writes Angle after it. The entity rotates about the Pivot of its AngularVelocity.
//
// What cannot yield stops the surface, as it stops everything kinematic (Physics.Crushed), and the
// motor goes on when the way is free.
//
// With an Inertia the surface also yields to what touches it. A motor with a MaxTorque is slowed
// down by a load (Blocked of Stats), and stopped by a jam. Without a Speed it turns freely: a
// seesaw, on whose pivot MaxTorque is the friction. Contacts that persist are solved together with
// the rotation, and each impact changes its speed at once. Its centre of mass is on the axis:
// gravity does not turn it. Such an entity is no plane, and not in a [KinematicGroup].
type MotorData struct {
	// Axis is the axis of rotation in the world's frame, of any length. Zero stands for +Z, about
	// which 2D games rotate.
	Axis collide.Vec3

	// Low and High are the angles between which it rotates, radians, -1e6 to 1e6, in any order. The
	// angle is 0 as the entity is created. With an Inertia they are stops without a bounce; equal
	// ones stand for none, but a Speed drives to High all the same. For a mill that never ends, set
	// High to 1e6.
	Low, High float64

	// Speed in rad/s, >= 0, at which it rotates to High. It is at most 3 radians in a step.
	Speed float64

	// ReturnSpeed in rad/s at which it rotates back to Low; 0 stands for Speed.
	ReturnSpeed float64

	// On makes it rotate to High and stay there. Otherwise it springs back to Low.
	On bool

	// Swing makes it swing between Low and High as long as it is On.
	Swing bool

	// Inertia is the moment of inertia about the axis, kg·m², 1e-60 to 1e60; 0 stands for one that
	// nothing can change, whatever MaxTorque is.
	Inertia float64

	// MaxTorque is the greatest torque of the motor, N·m, >= 0 and finite, with which it drives the
	// surface at its speed and holds it at its angle. Only used with an Inertia.
	MaxTorque float64

	// Torque is the torque of the motor in the last step, N·m, along the axis, which physics
	// writes. It is MaxTorque, with either sign, if that is not enough to keep up the speed. Always
	// 0 without an Inertia.
	Torque float64

	// Angle is the present angle, radians, which physics writes. A rotation that the game sets
	// doesn't change it.
	Angle float64

	// Returns is whether a motor that swings is on its way to Low, which physics writes.
	Returns bool
}

// Motor is the component type of [MotorData]. The entity needs an [AngularVelocity] and a
// [Velocity], too: see [CreateFlipper2D].
var Motor = donburi.NewComponentType[MotorData]()

// Validate returns an error that names every invalid field, or nil.
func (d *MotorData) Validate() error {
	angle := func(a float64) bool { return math.Abs(a) <= 1e6 }
	okSpeed := d.Speed >= 0 && finite(d.Speed)
	okReturn := d.ReturnSpeed >= 0 && finite(d.ReturnSpeed)
	okInertia := d.Inertia == 0 || d.Inertia >= 1/MaxInertia && d.Inertia <= MaxInertia
	okTorque := d.MaxTorque >= 0 && finite(d.MaxTorque)
	if d.Axis.IsFinite() && angle(d.Low) && angle(d.High) && angle(d.Angle) && okSpeed && okReturn &&
		okInertia && okTorque {
		return nil
	}
	const beyond = "is not finite, or is beyond 1e6"
	return errors.Join(
		check(d.Axis.IsFinite(), "Motor", "Axis", d.Axis, "is not finite"),
		check(angle(d.Low), "Motor", "Low", d.Low, beyond),
		check(angle(d.High), "Motor", "High", d.High, beyond),
		check(angle(d.Angle), "Motor", "Angle", d.Angle, beyond),
		check(okSpeed, "Motor", "Speed", d.Speed, "is negative or not finite"),
		check(okInertia, "Motor", "Inertia", d.Inertia, "is not between 1e-60 and 1e60"),
		check(okTorque, "Motor", "MaxTorque", d.MaxTorque, "is negative or not finite"),
		check(okReturn, "Motor", "ReturnSpeed", d.ReturnSpeed, "is negative or not finite"),
	)
}

// CreateFlipper2D creates a flipper in w for a 2D game: a capsule from pivot to tip that rotates
// about pivot by stroke radians, from X towards Y if that is positive, at speed rad/s while its
// [Motor] is On, and back otherwise. It has the components Transform, Velocity, AngularVelocity,
// CapsuleCollider, Body, Material, Motor and more.
func CreateFlipper2D(
	w donburi.World, pivot, tip collide.Vec3, radius, stroke, speed float64, more ...donburi.IComponentType,
) *donburi.Entry {
	own := []donburi.IComponentType{Transform, Velocity, AngularVelocity, CapsuleCollider, Body, Material, Motor}
	e := create(w, pivot, own, more)
	CapsuleCollider.SetValue(e, CapsuleColliderData{B: tip.Sub(pivot), Radius: radius})
	Body.Get(e).Kind = Kinematic
	Motor.SetValue(e, MotorData{High: stroke, Speed: speed})
	return e
}
