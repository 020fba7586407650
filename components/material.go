package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// CombineRule says how a coefficient of two materials in contact, such as restitution, is combined.
type CombineRule uint8

// The combine rules. If the two materials have different rules, the one later in this list is used:
// see [CombineRule.With].
const (
	CombineDefault   CombineRule = iota // the other material's rule; the larger value if both have CombineDefault
	CombineAverage                      // half the sum
	CombineGeometric                    // the square root of the product
	CombineMin                          // the smaller value
	CombineMultiply                     // the product
	CombineMax                          // the larger value
)

// With returns the rule for two materials that have the rules r and o: the later in the list of
// rules.
func (r CombineRule) With(o CombineRule) CombineRule { return max(r, o) }

// Apply returns the combination of a and b, both >= 0, by this rule. CombineDefault gives the
// larger value.
func (r CombineRule) Apply(a, b float64) float64 {
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

// MaxFriction is the largest coefficient of friction or resistance.
const MaxFriction = 1e6

// MaterialData is the surface of an entity. Coefficients have no unit. The zero value has no bounce
// and no friction, and leaves both to the other material: a ball with restitution 0.8 bounces on a
// floor with the zero value.
type MaterialData struct {
	// Restitution is the fraction of the approach speed with which the two separate: 0 (no bounce)
	// to 1 (no energy is lost). What adds energy, such as a bumper of a pinball table, has up to 1,
	// and the game adds velocity at its impacts: see docs/guide/2d-game.md.
	Restitution float64

	// Friction is Coulomb's coefficient while sliding: friction force divided by normal force, 0 to
	// 1e6.
	Friction float64

	// StaticFriction is the coefficient at rest, from Friction to 1e6; 0 stands for Friction.
	StaticFriction float64

	// RollingResistance is the largest torque against rolling, divided by radius and normal force,
	// 0 to 1e6.
	RollingResistance float64

	// SpinningResistance is the largest torque against spinning about the contact normal, as a top
	// does, divided by radius and normal force, 0 to 1e6.
	SpinningResistance float64

	RestitutionCombine CombineRule // for Restitution
	FrictionCombine    CombineRule // for all coefficients of friction and resistance
}

// Material is the component type of [MaterialData], for every kind of collider. An entity without
// one has the zero value. Friction changes the spin of spheres that have an [AngularVelocity];
// others only slide. The two resistances act on spheres with an [AngularVelocity].
var Material = donburi.NewComponentType[MaterialData]()

// Validate returns an error that names every invalid field, or nil.
func (d *MaterialData) Validate() error {
	okRestitution := d.Restitution >= 0 && d.Restitution <= 1
	okFriction := coefficient(d.Friction)
	okStatic := d.StaticFriction == 0 ||
		coefficient(d.StaticFriction) && (d.StaticFriction >= d.Friction || !okFriction)
	okRolling, okSpinning := coefficient(d.RollingResistance), coefficient(d.SpinningResistance)
	okRules := d.RestitutionCombine <= CombineMax && d.FrictionCombine <= CombineMax
	if okRestitution && okFriction && okStatic && okRolling && okSpinning && okRules {
		return nil
	}
	const reason, noRule = "is not between 0 and 1e6", "is not a combine rule"
	restitution := "is not between 0 and 1"
	if d.Restitution > 1 {
		restitution += ": a bumper, which adds energy, needs velocity added at its impacts"
	}
	return errors.Join(
		check(okRestitution, "Material", "Restitution", d.Restitution, restitution),
		check(okFriction, "Material", "Friction", d.Friction, reason),
		check(okStatic, "Material", "StaticFriction", d.StaticFriction, "is neither 0 nor between Friction and 1e6"),
		check(okRolling, "Material", "RollingResistance", d.RollingResistance, reason),
		check(okSpinning, "Material", "SpinningResistance", d.SpinningResistance, reason),
		check(d.RestitutionCombine <= CombineMax, "Material", "RestitutionCombine", d.RestitutionCombine, noRule),
		check(d.FrictionCombine <= CombineMax, "Material", "FrictionCombine", d.FrictionCombine, noRule),
	)
}

// coefficient reports whether x is a valid coefficient of friction or resistance.
func coefficient(x float64) bool { return x >= 0 && x <= MaxFriction }

// CombineMaterials returns the material of a contact between a and b, with StaticFriction filled
// in.
func CombineMaterials(a, b MaterialData) MaterialData {
	restitution, friction := a.RestitutionCombine.With(b.RestitutionCombine), a.FrictionCombine.With(b.FrictionCombine)
	return MaterialData{
		Restitution:        restitution.Apply(a.Restitution, b.Restitution),
		Friction:           friction.Apply(a.Friction, b.Friction),
		StaticFriction:     friction.Apply(max(a.StaticFriction, a.Friction), max(b.StaticFriction, b.Friction)),
		RollingResistance:  friction.Apply(a.RollingResistance, b.RollingResistance),
		SpinningResistance: friction.Apply(a.SpinningResistance, b.SpinningResistance),
		RestitutionCombine: restitution,
		FrictionCombine:    friction,
	}
}

// SurfaceVelocityData moves the surface of a plane, polygon or shape like a conveyor belt. The
// entity stays in place.
type SurfaceVelocityData struct {
	// Linear is the velocity of the surface relative to the entity, metres per second in the
	// world's frame, at most 1e9 along each axis. Its component along the normal is ignored. Both
	// sides of a two-sided collider have the same velocity.
	Linear collide.Vec3
}

// SurfaceVelocity is the component type of [SurfaceVelocityData], for static and kinematic planes,
// polygons and shapes; on a [CapsuleCollider] it is an error. It acts by friction only: see
// [Material]. For a roller, use a kinematic sphere with an [AngularVelocity].
var SurfaceVelocity = donburi.NewComponentType[SurfaceVelocityData]()

// Validate returns an error that names every invalid field, or nil.
func (d *SurfaceVelocityData) Validate() error {
	if within(d.Linear) {
		return nil
	}
	return check(false, "SurfaceVelocity", "Linear", d.Linear, notFinite)
}
