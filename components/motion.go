package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// TransformData is where an entity is. Physics moves the position of what is dynamic or kinematic.
type TransformData struct {
	Position collide.Vec3 // metres, in the world's frame; a sphere's centre
	Rotation collide.Quat // unit length; the zero value is upright. Physics turns spheres that have an AngularVelocity
}

// Transform is the component type of [TransformData]. Every collider needs one.
var Transform = donburi.NewComponentType[TransformData](TransformData{Rotation: collide.Quat{W: 1}})

// rotationSlack is how far the squared length of a rotation may be from 1. Products of a few thousand
// rotations stay well inside it; anything beyond was not meant as a rotation.
const rotationSlack = 1e-6

// Validate reports every field that physics cannot work with.
func (d *TransformData) Validate() error {
	if within(d.Position) && (d.Rotation == collide.Quat{} || math.Abs(d.Rotation.LengthSquared()-1) <= rotationSlack) {
		return nil // kept apart because building an error's arguments allocates
	}
	return errors.Join(
		check(within(d.Position), "Transform", "Position", d.Position, notFinite),
		check(d.Rotation == collide.Quat{} || math.Abs(d.Rotation.LengthSquared()-1) <= rotationSlack,
			"Transform", "Rotation", d.Rotation, "is not of unit length"),
	)
}

// VelocityData is how an entity moves. Physics writes it for what is dynamic and obeys it for what is kinematic.
type VelocityData struct {
	Linear collide.Vec3 // metres per second
}

// Velocity is the component type of [VelocityData]. An entity with a collider and no Velocity is static.
var Velocity = donburi.NewComponentType[VelocityData]()

// Validate reports every field that physics cannot work with.
func (d *VelocityData) Validate() error {
	if within(d.Linear) {
		return nil
	}
	return check(false, "Velocity", "Linear", d.Linear, notFinite)
}

// MaxAngularSpeed bounds angular velocities, radians per second about each axis. A ball of a millimetre that rolls at MaxCoordinate turns as fast.
const MaxAngularSpeed = 1e12

// MaxInertia bounds moments of inertia, in kg·m²; 1/MaxInertia bounds them from below.
const MaxInertia = 1e60

// AngularVelocityData is how a sphere turns, and how hard it is to turn. Physics writes Angular for what is dynamic and obeys it for
// what is kinematic: a roller. What is static doesn't turn.
type AngularVelocityData struct {
	// Angular points along the axis, in the world's frame, and is as long as the speed in radians per second, at most 1e12 along each
	// axis of the world. The turn is counter-clockwise when looking against it: in 2D, along Z, from X towards Y.
	Angular collide.Vec3

	// Inertia is the moment of inertia, kg·m², 1e-60 to 1e60. 0 stands for that of a solid ball, 2/5·mass·radius². That of a hollow
	// one is 2/3·mass·radius², that of a disc in 2D 1/2·mass·radius². It counts for dynamic bodies only.
	Inertia float64

	// Damping in 1/s, >= 0: a step first multiplies Angular by 1/(1 + Damping·StepSeconds). It counts for dynamic bodies only.
	Damping float64
}

// AngularVelocity is the component type of [AngularVelocityData], for spheres that move. Physics then turns their Transform's rotation, and
// friction turns them, so that they roll: see [Material]. A sphere without one keeps its rotation, slides where others roll, and costs less.
//
// A body that is locked along one axis, as 2D bodies are along Z, turns about that axis only.
var AngularVelocity = donburi.NewComponentType[AngularVelocityData]()

// Validate reports every field that physics cannot work with.
func (d *AngularVelocityData) Validate() error {
	w := d.Angular
	okAngular := math.Abs(w.X) <= MaxAngularSpeed && math.Abs(w.Y) <= MaxAngularSpeed && math.Abs(w.Z) <= MaxAngularSpeed
	okInertia := d.Inertia == 0 || d.Inertia >= 1/MaxInertia && d.Inertia <= MaxInertia
	okDamping := d.Damping >= 0 && finite(d.Damping)
	if okAngular && okInertia && okDamping {
		return nil
	}
	return errors.Join(
		check(okAngular, "AngularVelocity", "Angular", d.Angular, "is not finite or beyond 1e12"),
		check(okInertia, "AngularVelocity", "Inertia", d.Inertia, "is not between 1e-60 and 1e60"),
		check(okDamping, "AngularVelocity", "Damping", d.Damping, "is negative or not finite"),
	)
}

// ForceData is a force that acts on an entity for as long as the component says so.
type ForceData struct {
	Force collide.Vec3 // newtons, in the world's frame
}

// Force is the component type of [ForceData]. It accelerates dynamic bodies, all through
// every step. For a kick that acts once, change [Velocity] instead.
var Force = donburi.NewComponentType[ForceData]()

// Validate reports every field that physics cannot work with.
func (d *ForceData) Validate() error {
	if d.Force.IsFinite() {
		return nil
	}
	return check(false, "Force", "Force", d.Force, "is not finite")
}
