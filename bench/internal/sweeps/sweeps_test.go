package sweeps

import (
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

func TestSweepsAgreeWithConservativeAdvancementAndExactArithmetic(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			c := Run(name, slow.Cases(12_000), 1)
			if c.Failed > 0 {
				t.Errorf("%d of %d scenes fail:\n%s", c.Failed, c.Cases, c.First)
			}
			t.Logf("%+v", c)
			// Enough of each outcome, in enough of the families, or the test says little.
			if c.Hits < c.Cases/15 || c.Misses < c.Cases/5 || c.Unsure > c.Cases*2/5 ||
				c.FamiliesWithHits < len(Families)*3/5 {
				t.Errorf("%d hits in %d families, %d misses, %d unsure, of %d", c.Hits, c.FamiliesWithHits, c.Misses,
					c.Unsure, c.Cases)
			}
		})
	}
}

func TestTheOracleFindsWrongSweeps(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mutate func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome)
		want   string
	}{
		{"a contact that is missed", func(collide.Contact, collide.Outcome) (collide.Contact, collide.Outcome) {
			return collide.Contact{}, collide.Miss
		}, "want a Hit"},
		{"a time that is late by 1e-11", func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome) {
			c.Time *= 1 + 1e-11
			return c, o
		}, "gap along the normal"},
		{"a time that is late by 1e-7", func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome) {
			c.Time *= 1 + 1e-7
			return c, o
		}, "touches at"},
		{"a normal that is turned", func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome) {
			c.Normal, _ = c.Normal.Add(vec{X: 1e-5}).Normalized()
			return c, o
		}, "gap along the normal"},
		{"a normal that isn't of unit length", func(c collide.Contact, o collide.Outcome) (
			collide.Contact, collide.Outcome,
		) {
			c.Normal = c.Normal.Scale(1 + 1e-14)
			return c, o
		}, "normal of length"},
		{"an overlap without one", func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome) {
			if o == collide.Hit {
				c.Time, o = 0, collide.Overlap
			}
			return c, o
		}, "Overlap"},
		{"a hit without one", func(c collide.Contact, o collide.Outcome) (collide.Contact, collide.Outcome) {
			if o == collide.Miss {
				c.Normal, o = vec{Y: 1}, collide.Hit
			}
			return c, o
		}, "but they miss"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, g := range groups() {
				if g.name != "Sweep" && g.name != "SweepSphereMesh" {
					continue
				}
				for i := range g.kinds {
					right := g.kinds[i].sweep
					g.kinds[i].sweep = func(s *scene) (collide.Contact, collide.Outcome) { return tt.mutate(right(s)) }
				}
				if c := run(g, 2000, 1, 1); c.Failed < 100 || !strings.Contains(c.First, tt.want) {
					t.Errorf("%s: %d failures, the first: %.200s", g.name, c.Failed, c.First)
				}
			}
		})
	}
}
