package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// CombineRule says how a number of each of two things that meet, restitution or friction, becomes one.
type CombineRule uint8

// The combine rules. Where the two name different rules, the one later in this list is used;
// CombineDefault leaves the choice to the other side.
const (
	CombineDefault   CombineRule = iota // the other side's rule; the larger value where both say so
	CombineAverage                      // half the sum
	CombineGeometric                    // the square root of the product
	CombineMin                          // the smaller value
	CombineMultiply                     // the product
	CombineMax                          // the larger value
)

// of returns what a and b, both >= 0, become.
func (r CombineRule) of(a, b float64) float64 {
	switch r {
	case CombineAverage:
		return (a + b) / 2
	case CombineGeometric:
		return math.Sqrt(a * b)
	case CombineMin:
		return min(a, b)
	case CombineMultiply:
		return float64(a * b)
	default:
		return max(a, b)
	}
}

// CombineRestitution returns the restitution of an impact between a and b, 0 to 1.
func CombineRestitution(a, b ResponseData) float64 {
	if a.Mode == ModeSlide || b.Mode == ModeSlide {
		return 0
	}
	return max(a.Combine, b.Combine).of(a.Restitution, b.Restitution)
}

// MaxFriction bounds the coefficients of friction.
const MaxFriction = 1e6

// FrictionData is how an entity holds on to what slides, rolls or turns on it. All are numbers without a unit, 0 to 1e6. Its zero
// value is as smooth as having none.
type FrictionData struct {
	Dynamic  float64     // Coulomb's coefficient: the force against sliding, in parts of the normal force
	Static   float64     // the same for what doesn't slide yet: 0 stands for Dynamic, others must be at least as large
	Rolling  float64     // the greatest torque against rolling, in parts of radius times normal force. What doesn't turn doesn't feel it
	Spinning float64     // the same against turning about the contact's normal, as a top does
	Combine  CombineRule // how each coefficient joins with the other side's
}

// Friction is the component type of [FrictionData], for every kind of collider. An entity without one counts as all zeros with
// CombineDefault, so the other side decides. Spheres that have an [AngularVelocity] are turned by it; others slide.
var Friction = donburi.NewComponentType[FrictionData]()

// Rough returns the friction of something with the given coefficient of Coulomb, at rest and sliding, 0 to 1e6.
func Rough(coefficient float64) FrictionData { return FrictionData{Dynamic: coefficient} }

// Validate reports every field that physics cannot work with.
func (d *FrictionData) Validate() error {
	okDynamic, okRolling, okSpinning := coefficient(d.Dynamic), coefficient(d.Rolling), coefficient(d.Spinning)
	okStatic := d.Static == 0 || coefficient(d.Static) && (d.Static >= d.Dynamic || !okDynamic)
	if okDynamic && okStatic && okRolling && okSpinning && d.Combine <= CombineMax {
		return nil
	}
	const reason = "is not between 0 and 1e6"
	return errors.Join(
		check(okDynamic, "Friction", "Dynamic", d.Dynamic, reason),
		check(okStatic, "Friction", "Static", d.Static, "is neither 0 nor between Dynamic and 1e6"),
		check(okRolling, "Friction", "Rolling", d.Rolling, reason),
		check(okSpinning, "Friction", "Spinning", d.Spinning, reason),
		check(d.Combine <= CombineMax, "Friction", "Combine", d.Combine, "is not a combine rule"),
	)
}

func coefficient(x float64) bool { return x >= 0 && x <= MaxFriction }

// CombineFriction returns the friction between a and b, with Static filled in.
func CombineFriction(a, b FrictionData) FrictionData {
	rule := max(a.Combine, b.Combine)
	return FrictionData{
		Dynamic:  rule.of(a.Dynamic, b.Dynamic),
		Static:   rule.of(max(a.Static, a.Dynamic), max(b.Static, b.Dynamic)),
		Rolling:  rule.of(a.Rolling, b.Rolling),
		Spinning: rule.of(a.Spinning, b.Spinning),
		Combine:  rule,
	}
}

// SurfaceVelocityData makes the surface of a plane or polygon run, as a conveyor belt does, without the entity moving.
type SurfaceVelocityData struct {
	// Linear is how fast the surface runs, metres per second in the world's frame, relative to the entity. What of it
	// points out of the plane doesn't count. Both sides of a sheet run alike.
	Linear collide.Vec3
}

// SurfaceVelocity is the component type of [SurfaceVelocityData], for planes and polygons, static or kinematic. It carries only
// what it has [Friction] with. A sphere can turn instead: see [AngularVelocity].
var SurfaceVelocity = donburi.NewComponentType[SurfaceVelocityData]()

// Validate reports every field that physics cannot work with.
func (d *SurfaceVelocityData) Validate() error {
	if within(d.Linear) {
		return nil
	}
	return check(false, "SurfaceVelocity", "Linear", d.Linear, notFinite)
}
