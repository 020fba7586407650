package bridge

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// The engine combines materials as components.CombineMaterials does, for all pairs of rules.
func TestMaterialsCombineAsCombineMaterials(t *testing.T) {
	b := New(Settings{})
	material := func(d *components.MaterialData) (solver.Material, solver.Friction) {
		id, err := b.friction(d)
		if err != nil {
			t.Fatal(err)
		}
		f := solver.Friction{}
		for g, k := range b.registry.frictions.ids {
			if k == id {
				f = g
			}
		}
		rule := uint8(d.RestitutionCombine)
		return solver.Material{Restitution: d.Restitution, RestitutionRule: rule, FrictionID: id}, f
	}
	rules := components.CombineMax + 1
	for k := range rules * rules {
		one := components.MaterialData{
			Restitution: 0.9, Friction: 0.3, StaticFriction: 0.7, RollingResistance: 0.02, SpinningResistance: 0.5,
			RestitutionCombine: k % rules, FrictionCombine: k / rules,
		}
		for l := range rules * rules {
			other := components.MaterialData{
				Restitution: 0.4, Friction: 0.6, RollingResistance: 0.1, SpinningResistance: 0.2,
				RestitutionCombine: l % rules, FrictionCombine: l / rules,
			}
			want := components.CombineMaterials(one, other)
			m, f := material(&one)
			n, g := material(&other)
			got := combineFriction(&f, &g)
			if combineRestitution(&m, &n) != want.Restitution ||
				got.Dynamic != want.Friction || got.Static != want.StaticFriction ||
				got.Rolling != want.RollingResistance || got.Spinning != want.SpinningResistance {
				t.Fatalf("%+v with %+v: got %v and %+v, want %+v",
					one, other, combineRestitution(&m, &n), got, want)
			}
		}
	}
}
