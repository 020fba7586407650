package components

import (
	"errors"

	"github.com/yohamta/donburi"
)

// BodyKind says what can change the velocity of an entity.
type BodyKind uint8

// The kinds of body. The zero value is Dynamic.
const (
	// Dynamic bodies are moved by their velocity, gravity, forces and impacts.
	Dynamic BodyKind = iota

	// Kinematic bodies move at their Velocity, which only the game changes, and push dynamic
	// bodies. They slow down or stop for a step if what they push cannot yield.
	Kinematic

	// Static bodies never move, even if they have a Velocity.
	Static
)

// Axes is a set of coordinate axes.
type Axes uint8

// The coordinate axes, to be joined with |.
const (
	AxisX Axes = 1 << iota
	AxisY
	AxisZ
)

// MaxMass is the largest mass, in kilograms; the smallest is 1/MaxMass. Products and quotients of
// such masses with speeds and sizes of up to MaxCoordinate stay within the range of float64.
const MaxMass = 1e30

// BodyData describes the dynamics of an entity. The zero value is a dynamic body of 1 kg.
type BodyData struct {
	// Kind is Dynamic, Kinematic or Static. Planes, polygons and capsules with a Velocity are
	// kinematic instead of dynamic, and so are entities with a CharacterController, and sensors
	// without a Body. An entity without a Velocity is static. Members of a KinematicGroup are
	// kinematic in any case; a leader that is Static holds its group.
	Kind BodyKind

	// Locked is the set of axes along which the body never moves; AxisZ keeps a 2D body in its
	// plane. If it is exactly one axis, the body rotates about that axis only. Kinematic spheres
	// and members of a KinematicGroup move along locked axes, too.
	Locked Axes

	// Weightless turns gravity off for this body. Only used for dynamic bodies, as GravityScale and
	// LinearDamping are; a character has a GravityScale of its own.
	Weightless bool

	// NeverSleep keeps this body and the bodies of its island (everything it rests on or supports,
	// but for static things) awake: their contacts are solved in every step. That changes results
	// only where something hits or pushes a body that rests beside another one or a character: by
	// some 0.1 mm, and later by more. See docs/limits.md.
	NeverSleep bool

	// Mass in kilograms, 1e-30 to 1e30; 0 stands for 1. Only used for dynamic bodies.
	Mass float64

	// GravityScale multiplies the world's gravity, finite; 0 stands for 1. With a negative value
	// the body rises.
	GravityScale float64

	// LinearDamping in 1/s, >= 0 and finite. Each step begins by multiplying the velocity by
	// 1/(1 + LinearDamping·StepSeconds).
	LinearDamping float64
}

// Body is the component type of [BodyData]. An entity without one has the zero value: a mass of 1
// kg, gravity, no damping.
var Body = donburi.NewComponentType[BodyData]()

// Validate returns an error that names every invalid field, or nil.
func (d *BodyData) Validate() error {
	okMass := d.Mass == 0 || d.Mass >= 1/MaxMass && d.Mass <= MaxMass
	okDamping := d.LinearDamping >= 0 && finite(d.LinearDamping)
	if d.Kind <= Static && okMass && finite(d.GravityScale) && okDamping && d.Locked < 8 {
		return nil
	}
	return errors.Join(
		check(d.Kind <= Static, "Body", "Kind", d.Kind, "is not a kind of body"),
		check(okMass, "Body", "Mass", d.Mass, "is not between 1e-30 and 1e30"),
		check(finite(d.GravityScale), "Body", "GravityScale", d.GravityScale, "is not finite"),
		check(okDamping, "Body", "LinearDamping", d.LinearDamping, "is negative or not finite"),
		check(d.Locked < 8, "Body", "Locked", d.Locked, "names an axis that doesn't exist"),
	)
}

// SlidingData marks an entity that slides along what it touches.
type SlidingData struct{}

// Sliding is the component type of [SlidingData]. Attach it to an entity that slides along what it
// touches and never bounces, such as a character, or a ball that has to roll away without a hop.
// Its impacts have restitution 0, whatever the materials are. Sliding bodies take no part in the
// contact solver: they never sleep, keep awake what they touch, and have no friction with what lies
// on them.
var Sliding = donburi.NewComponentType[SlidingData]()

// DefaultLayer is the layer of an entity without a [CollisionFilter], and of a
// [CollisionFilterData] with Layers 0.
const DefaultLayer uint32 = 1

// CollisionFilterData says what an entity collides with. Two entities collide if each is in a layer
// of the other's Mask. The zero value is in the default layer and collides with everything.
type CollisionFilterData struct {
	Layers   uint32 // the layers that the entity is in, one bit each; 0 stands for DefaultLayer
	Mask     uint32 // the layers that the entity collides with; 0 stands for all
	Disabled bool   // it collides with nothing, whatever Mask is; Layers still counts for queries
}

// CollisionFilter is the component type of [CollisionFilterData]. An entity without one has the
// zero value.
var CollisionFilter = donburi.NewComponentType[CollisionFilterData]()

// Effective returns the layers that the entity is in and those that it collides with, with defaults
// filled in. For a disabled filter mask is 0.
func (d CollisionFilterData) Effective() (layers, mask uint32) {
	layers, mask = d.Layers, d.Mask
	if layers == 0 {
		layers = DefaultLayer
	}
	if mask == 0 {
		mask = ^uint32(0)
	}
	if d.Disabled {
		mask = 0
	}
	return layers, mask
}

// Collides reports whether two entities with these filters collide.
func (d CollisionFilterData) Collides(other CollisionFilterData) bool {
	layers, mask := d.Effective()
	otherLayers, otherMask := other.Effective()
	return layers&otherMask != 0 && otherLayers&mask != 0
}

// ConstantData marks a static entity whose components don't change.
type ConstantData struct{}

// Constant is the component type of [ConstantData]. Attach it to static entities with a collider of
// which there are thousands, such as the polygons of a level. Physics reads such an entity when it
// is created and in the step after that, and then not again, so that it costs nothing in a step.
//
// A change of the value of a component of such an entity is ignored. To change one, remove the
// entity and create another one, which takes little time also among many, or remove Constant, and
// add it again after a step. When a component is added or removed, physics reads all such entities
// again. Entities with a Velocity are not constant, whether they have this component or not.
var Constant = donburi.NewComponentType[ConstantData]()

// SensorData marks an entity that reports what enters and leaves it, and stops nothing.
type SensorData struct{}

// Sensor is the component type of [SensorData]. Attach it to a sphere, plane or capsule, or a
// ShapeCollider with one convex shape, to make it a sensor. Sensors detect what is dynamic or
// kinematic: balls, crates, characters, lifts; not kinematic planes, meshes and height fields, not
// what is static, and not each other. With a Velocity they move at it; a sphere with a dynamic
// [Body] falls, too. A polygon, mesh, height field or compound that is a sensor is an error, and so
// are characters, dynamic shapes and surfaces that rotate.
var Sensor = donburi.NewComponentType[SensorData]()
