package components

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
)

// CombineRule says how a number of two materials that meet, such as restitution, becomes one.
type CombineRule uint8

// The combine rules. If the two materials have different rules, the one later in this list is used; CombineDefault leaves the
// choice to the other material.
const (
	CombineDefault   CombineRule = iota // the other material's rule; the larger value if both have CombineDefault
	CombineAverage                      // half the sum
	CombineGeometric                    // the square root of the product
	CombineMin                          // the smaller value
	CombineMultiply                     // the product
	CombineMax                          // the larger value
)

// Apply returns the combination of a and b, both >= 0, by this rule. CombineDefault gives the larger value.
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

// MaxFriction bounds the coefficients of friction.
const MaxFriction = 1e6

// MaterialData is what the surface of an entity is like in contacts. Coefficients have no unit. The zero value doesn't bounce, has
// no friction, and leaves both to the other material: a ball of restitution 0.8 bounces on a floor of the zero material.
type MaterialData struct {
	Restitution        float64     // 0 (no bounce) to 1 (no energy is lost)
	Friction           float64     // Coulomb's coefficient while sliding, 0 to 1e6: the force in parts of the normal force
	StaticFriction     float64     // the coefficient at rest, from Friction to 1e6; 0 stands for Friction
	RollingResistance  float64     // 0 to 1e6: the largest torque against rolling, in parts of radius times normal force
	SpinningResistance float64     // 0 to 1e6: the same against spinning about the contact's normal, as a top does
	RestitutionCombine CombineRule // how Restitution is combined with the other material's
	FrictionCombine    CombineRule // how each coefficient of friction and resistance is combined
}

// Material is the component type of [MaterialData], for every kind of collider. An entity without one has the zero value. Friction
// turns spheres that have an [AngularVelocity]; others slide. Resistance acts on spheres that turn.
var Material = donburi.NewComponentType[MaterialData]()

// Validate reports every field that physics cannot work with.
func (d *MaterialData) Validate() error {
	okRestitution := d.Restitution >= 0 && d.Restitution <= 1
	okFriction, okRolling, okSpinning := coefficient(d.Friction), coefficient(d.RollingResistance), coefficient(d.SpinningResistance)
	okStatic := d.StaticFriction == 0 || coefficient(d.StaticFriction) && (d.StaticFriction >= d.Friction || !okFriction)
	if okRestitution && okFriction && okStatic && okRolling && okSpinning && d.RestitutionCombine <= CombineMax && d.FrictionCombine <= CombineMax {
		return nil
	}
	const reason = "is not between 0 and 1e6"
	return errors.Join(
		check(okRestitution, "Material", "Restitution", d.Restitution, "is not between 0 and 1"),
		check(okFriction, "Material", "Friction", d.Friction, reason),
		check(okStatic, "Material", "StaticFriction", d.StaticFriction, "is neither 0 nor between Friction and 1e6"),
		check(okRolling, "Material", "RollingResistance", d.RollingResistance, reason),
		check(okSpinning, "Material", "SpinningResistance", d.SpinningResistance, reason),
		check(d.RestitutionCombine <= CombineMax, "Material", "RestitutionCombine", d.RestitutionCombine, "is not a combine rule"),
		check(d.FrictionCombine <= CombineMax, "Material", "FrictionCombine", d.FrictionCombine, "is not a combine rule"),
	)
}

func coefficient(x float64) bool { return x >= 0 && x <= MaxFriction }

// CombineMaterials returns the material of a contact between a and b, with StaticFriction filled in.
func CombineMaterials(a, b MaterialData) MaterialData {
	restitution, friction := max(a.RestitutionCombine, b.RestitutionCombine), max(a.FrictionCombine, b.FrictionCombine)
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

// SurfaceVelocityData makes the surface of a plane or polygon run, as a conveyor belt does, without the entity moving.
type SurfaceVelocityData struct {
	// Linear is how fast the surface runs, metres per second in the world's frame, relative to the entity. What of it
	// points out of the plane doesn't count. Both sides of a sheet run alike.
	Linear collide.Vec3
}

// SurfaceVelocity is the component type of [SurfaceVelocityData], for planes and polygons, static or kinematic. It carries only
// what it has friction with: see [Material]. A sphere can turn instead: see [AngularVelocity].
var SurfaceVelocity = donburi.NewComponentType[SurfaceVelocityData]()

// Validate reports every field that physics cannot work with.
func (d *SurfaceVelocityData) Validate() error {
	if within(d.Linear) {
		return nil
	}
	return check(false, "SurfaceVelocity", "Linear", d.Linear, notFinite)
}
