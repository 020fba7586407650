package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// TransformData is the position and rotation of an entity. Physics writes both for dynamic and
// kinematic entities. If the game writes them, it teleports the entity.
type TransformData struct {
	// Position in metres, in the world's frame, at most 1e9 along each axis. For spheres it is the
	// centre.
	Position collide.Vec3

	// Rotation is a unit quaternion; the zero value means no rotation. Physics changes it for
	// what rotates: spheres and surfaces with an AngularVelocity, and members of groups.
	Rotation collide.Quat
}

// Transform is the component type of [TransformData]. Every collider needs one.
var Transform = donburi.NewComponentType[TransformData](TransformData{Rotation: collide.Quat{W: 1}})

// rotationSlack is the largest allowed difference between the squared length of a rotation and 1.
// Products of a few thousand rotations stay well below it. With a smaller value such products would
// be rejected, with a larger one lengths that are visibly wrong would be accepted.
const rotationSlack = 1e-6

// Validate returns an error that names every invalid field, or nil.
func (d *TransformData) Validate() error {
	if within(d.Position) && (d.Rotation == collide.Quat{} || math.Abs(d.Rotation.LengthSquared()-1) <= rotationSlack) {
		return nil // returns before the arguments of an error are built, which allocates
	}
	return errors.Join(
		check(within(d.Position), "Transform", "Position", d.Position, notFinite),
		check(d.Rotation == collide.Quat{} || math.Abs(d.Rotation.LengthSquared()-1) <= rotationSlack,
			"Transform", "Rotation", d.Rotation, "is not of unit length"),
	)
}

// VelocityData is the velocity of an entity. Physics writes it for dynamic bodies. Kinematic ones
// move at the velocity that the game sets.
type VelocityData struct {
	Linear collide.Vec3 // metres per second in the world's frame, at most 1e9 along each axis
}

// Velocity is the component type of [VelocityData]. An entity with a collider and no Velocity is
// static, unless it is a member of a [KinematicGroup].
var Velocity = donburi.NewComponentType[VelocityData]()

// Validate returns an error that names every invalid field, or nil.
func (d *VelocityData) Validate() error {
	if within(d.Linear) {
		return nil
	}
	return check(false, "Velocity", "Linear", d.Linear, notFinite)
}

// MaxAngularSpeed is the largest angular velocity about each axis, in radians per second: that of a
// ball with a radius of a millimetre that rolls at MaxCoordinate.
const MaxAngularSpeed = 1e12

// MaxInertia is the largest moment of inertia, in kg·m²; the smallest is 1/MaxInertia.
const MaxInertia = 1e60

// AngularVelocityData is the rotation of a sphere or a kinematic surface. Physics writes Angular
// for dynamic spheres. Kinematic ones (rollers) rotate as the game sets it, and static ones don't
// rotate.
//
// Surfaces with a Velocity, which may be zero, rotate about Pivot as the game sets it, at most 1e4
// rad/s and 1600 radians in a step: flippers, doors, mills, drums. Physics writes their Transform.
// They carry and throw what touches them, at the velocity that they have there, and slow down or
// stop if it cannot yield. Within a step the rotation is that of collide.Rotating. Polygons, meshes
// and height fields that rotate are solid from both sides. A change of the Transform by the game
// remains a teleport. A [KinematicGroup] rotates as its leader does. A [Motor] sets Angular, or
// lets what touches the surface change it.
type AngularVelocityData struct {
	// Angular is the angular velocity in radians per second, in the world's frame, at most 1e12
	// about each axis. The vector points along the axis of rotation; seen from its tip the rotation
	// is counter-clockwise. In 2D it points along Z, and positive values rotate X towards Y.
	Angular collide.Vec3

	// Inertia is the moment of inertia in kg·m², 1e-60 to 1e60. 0 stands for that of a solid ball,
	// 2/5·mass·radius². A hollow ball has 2/3·mass·radius², a disc in 2D 1/2·mass·radius². Only
	// used for dynamic bodies.
	Inertia float64

	// Pivot is the point about which a surface rotates, in the frame of its Transform, in metres.
	// Only used for surfaces; spheres rotate about their centre.
	Pivot collide.Vec3

	// Damping in 1/s, >= 0 and finite. Each step begins by multiplying Angular by
	// 1/(1 + Damping·StepSeconds). Only used for dynamic bodies.
	Damping float64
}

// AngularVelocity is the component type of [AngularVelocityData], for things that move. Spheres
// with this component are spun by friction, so that they roll (see [Material]), and physics writes
// the rotation of their Transform. A sphere without it keeps its rotation, slides where others
// roll, and costs less.
//
// A body that is locked along exactly one axis, as 2D bodies are along Z, rotates about that axis
// only.
var AngularVelocity = donburi.NewComponentType[AngularVelocityData]()

// Validate returns an error that names every invalid field, or nil.
func (d *AngularVelocityData) Validate() error {
	w := d.Angular
	okAngular := math.Abs(w.X) <= MaxAngularSpeed && math.Abs(w.Y) <= MaxAngularSpeed &&
		math.Abs(w.Z) <= MaxAngularSpeed
	okInertia := d.Inertia == 0 || d.Inertia >= 1/MaxInertia && d.Inertia <= MaxInertia
	okDamping := d.Damping >= 0 && finite(d.Damping)
	if okAngular && okInertia && okDamping && within(d.Pivot) {
		return nil
	}
	return errors.Join(
		check(okAngular, "AngularVelocity", "Angular", d.Angular, "is not finite, or is beyond 1e12"),
		check(within(d.Pivot), "AngularVelocity", "Pivot", d.Pivot, notFinite),
		check(okInertia, "AngularVelocity", "Inertia", d.Inertia, "is not between 1e-60 and 1e60"),
		check(okDamping, "AngularVelocity", "Damping", d.Damping, "is negative or not finite"),
	)
}

// ForceData is a constant force on an entity. It acts until the game changes or removes it.
type ForceData struct {
	Force collide.Vec3 // newtons, in the world's frame; finite
}

// Force is the component type of [ForceData]. It accelerates dynamic bodies throughout every step.
// For an impulse that acts once, change [Velocity] instead.
var Force = donburi.NewComponentType[ForceData]()

// Validate returns an error that names every invalid field, or nil.
func (d *ForceData) Validate() error {
	if d.Force.IsFinite() {
		return nil
	}
	return check(false, "Force", "Force", d.Force, "is not finite")
}
