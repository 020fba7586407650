package bridge

import (
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// combineRestitution returns the restitution between two materials as components.CombineMaterials
// does, 0 to 1.
func combineRestitution(a, b *solver.Material) float64 {
	rule := components.CombineRule(a.RestitutionRule).With(components.CombineRule(b.RestitutionRule))
	return rule.Apply(a.Restitution, b.Restitution)
}

// combineFriction returns the coefficients between two surfaces as components.CombineMaterials
// does.
func combineFriction(a, b *solver.Friction) solver.FrictionCoefficients {
	rule := components.CombineRule(a.FrictionRule).With(components.CombineRule(b.FrictionRule))
	return solver.FrictionCoefficients{
		Static: rule.Apply(a.Static, b.Static), Dynamic: rule.Apply(a.Dynamic, b.Dynamic),
		Rolling: rule.Apply(a.Rolling, b.Rolling), Spinning: rule.Apply(a.Spinning, b.Spinning),
	}
}
