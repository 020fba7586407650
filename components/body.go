package components

import (
	"errors"

	"github.com/yohamta/donburi"
)

// BodyKind says what moves an entity.
type BodyKind uint8

// The kinds of body. The zero value is Dynamic.
const (
	Dynamic   BodyKind = iota // moved by velocity, gravity, forces and impacts
	Kinematic                 // moves at its Velocity and pushes dynamic bodies; stops for the rest of a step where one can't give way
	Static                    // never moves, even where it has a Velocity
)

// Axes is a set of coordinate axes.
type Axes uint8

// The coordinate axes, to be joined with |.
const (
	AxisX Axes = 1 << iota
	AxisY
	AxisZ
)

// MaxMass bounds masses, in kilograms; 1/MaxMass bounds them from below. Products and quotients of such masses and of speeds and sizes up to
// MaxCoordinate stay far inside the range of float64.
const MaxMass = 1e30

// BodyData is how an entity takes part in the motion. Its zero value is an ordinary dynamic body of 1 kg.
type BodyData struct {
	Kind          BodyKind
	Locked        Axes    // axes along which it never moves: AxisZ keeps a 2D body in its plane. Where that is one axis, it turns about that one only
	Weightless    bool    // gravity doesn't act at all
	NeverSleep    bool    // it and what it touches never fall asleep: see NoSleeping of systems.Config
	Mass          float64 // kilograms, 1e-30 to 1e30; 0 stands for 1. Counts for dynamic bodies only
	GravityScale  float64 // factor on the world's gravity; 0 stands for 1, negative falls upwards
	LinearDamping float64 // 1/s, >= 0: a step first multiplies the velocity by 1/(1 + LinearDamping·StepSeconds)
}

// Body is the component type of [BodyData]. An entity without one is dynamic where it has a Velocity
// and static where it has none, of 1 kg, with gravity and without damping.
var Body = donburi.NewComponentType[BodyData]()

// Validate reports every field that physics cannot work with.
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

// Sliding is the component type of [SlidingData]: attach it to an entity that slides along what it touches and never bounces, such
// as a character, or a ball that has to roll away without a hop. Impacts with it have restitution 0, whatever the materials are.
var Sliding = donburi.NewComponentType[SlidingData]()

// DefaultLayer is the layer of an entity without a [CollisionFilter], and of a [CollisionFilterData] whose Layers is 0.
const DefaultLayer uint32 = 1

// CollisionFilterData says what an entity collides with. Two entities collide if each has a layer that is in the other's Mask. The
// zero value is in the default layer and collides with everything.
type CollisionFilterData struct {
	Layers   uint32 // the layers that the entity is in, one bit each; 0 stands for DefaultLayer
	Mask     uint32 // the layers that the entity collides with; 0 stands for all
	Disabled bool   // it collides with nothing, whatever Mask is; Layers still counts for queries
}

// CollisionFilter is the component type of [CollisionFilterData]. An entity without one has the zero value.
var CollisionFilter = donburi.NewComponentType[CollisionFilterData]()

// Effective returns the layers that the entity is in and those that it collides with, with the defaults filled in. No bit of
// mask is set for a filter that is disabled.
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

// SensorData marks an entity that reports what enters and leaves it and stops nothing.
type SensorData struct{}

// Sensor is the component type of [SensorData]: attach it to a collider to make it a sensor. Sensors meet dynamic and
// kinematic bodies, not each other and not what is static.
var Sensor = donburi.NewComponentType[SensorData]()
