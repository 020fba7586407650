package bridge

import (
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// combineRestitution returns the restitution between two materials, 0 to 1.
func combineRestitution(a, b *solver.Material) float64 {
	if a.Sliding || b.Sliding {
		return 0
	}
	return components.CombineRule(max(a.Rule, b.Rule)).Apply(a.Restitution, b.Restitution)
}

// combineFriction returns the friction between two surfaces.
func combineFriction(a, b *solver.Friction) solver.Friction {
	rule := max(components.CombineRule(a.Rule), components.CombineRule(b.Rule))
	return solver.Friction{
		Static: rule.Apply(a.Static, b.Static), Dynamic: rule.Apply(a.Dynamic, b.Dynamic),
		Rolling: rule.Apply(a.Rolling, b.Rolling), Spinning: rule.Apply(a.Spinning, b.Spinning), Rule: uint8(rule),
	}
}
