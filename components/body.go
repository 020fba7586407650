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
	NeverSleep    bool    // it is computed in every step, even at rest. That changes no result, only what a step costs
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

// ResponseMode says what an impact does to a body.
type ResponseMode uint8

// What an impact can do. The zero value is ModeBounce.
const (
	ModeBounce ResponseMode = iota // reflects, with the pair's restitution
	ModeSlide                      // keeps what the contacts allow of the movement, and never bounces
)

// ResponseData is what happens to an entity at an impact, and how bouncy the things are that hit it.
type ResponseData struct {
	Restitution float64 // 0 (no bounce) to 1 (no energy lost); ModeSlide takes no notice of it
	Mode        ResponseMode
	Combine     CombineRule // how Restitution joins with the other side's
}

// Response is the component type of [ResponseData]. An entity without one counts as restitution 0 with
// CombineDefault, so the other side decides.
var Response = donburi.NewComponentType[ResponseData]()

// Bounce returns the response of something that bounces with the given restitution, 0 to 1.
func Bounce(restitution float64) ResponseData { return ResponseData{Restitution: restitution} }

// Slide returns the response of something that slides along what it meets: a character, or a ball that has to roll away
// without a hop. In an impact with it nothing bounces.
func Slide() ResponseData { return ResponseData{Mode: ModeSlide} }

// Validate reports every field that physics cannot work with.
func (d *ResponseData) Validate() error {
	okRestitution := d.Restitution >= 0 && d.Restitution <= 1
	if d.Mode <= ModeSlide && okRestitution && d.Combine <= CombineMax {
		return nil
	}
	return errors.Join(
		check(d.Mode <= ModeSlide, "Response", "Mode", d.Mode, "is not a response mode"),
		check(okRestitution, "Response", "Restitution", d.Restitution, "is not between 0 and 1"),
		check(d.Combine <= CombineMax, "Response", "Combine", d.Combine, "is not a combine rule"),
	)
}

// CollisionFilterData says what an entity collides with: two collide where each one's Layers meet the other's Mask.
type CollisionFilterData struct {
	Layers uint32 // the layers that it is in, one bit each
	Mask   uint32 // the layers that it collides with
}

// CollisionFilter is the component type of [CollisionFilterData]. As created, and on entities without one, it is layer 1 (bit 0)
// and collides with every layer. A literal that leaves out Mask collides with nothing: start from [DefaultFilter].
var CollisionFilter = donburi.NewComponentType[CollisionFilterData](DefaultFilter)

// DefaultFilter is the filter of an entity without a [CollisionFilter].
var DefaultFilter = CollisionFilterData{Layers: 1, Mask: ^uint32(0)}

// Collides reports whether a and b may collide.
func (d CollisionFilterData) Collides(other CollisionFilterData) bool {
	return d.Layers&other.Mask != 0 && other.Layers&d.Mask != 0
}

// SensorData marks an entity that reports what enters and leaves it and stops nothing.
type SensorData struct{}

// Sensor is the component type of [SensorData]: attach it to a collider to make it a sensor. Sensors meet dynamic and
// kinematic bodies, not each other and not what is static.
var Sensor = donburi.NewComponentType[SensorData]()
