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
	Rotation collide.Quat // unit length; the zero value is upright
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
