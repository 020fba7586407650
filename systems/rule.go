package systems

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// RuledContact is a contact that [Config.ContactRule] may change.
type RuledContact struct {
	A, B       donburi.Entity // as in [Impact]; the game may have removed them since the step began
	Time       float64        // seconds into the step
	Point      collide.Vec3   // where they touch, metres
	Normal     collide.Vec3   // unit length, from B towards A
	Approach   float64        // approach speed along Normal, m/s
	Persistent bool           // bodies that rest or slide on each other, at the beginning of the step; else an impact

	// Ignore makes A and B pass through each other until they are apart. They are then in no
	// events and not in [Physics.Contacts]. A mesh or a compound is ignored as a whole.
	Ignore bool

	// Restitution and the coefficients of friction and resistance have the ranges of
	// [components.MaterialData]. They begin as the combination of both materials. A StaticFriction
	// that is smaller than Friction counts as Friction.
	Restitution        float64
	Friction           float64
	StaticFriction     float64
	RollingResistance  float64
	SpinningResistance float64

	// SurfaceVelocity is that of B as a conveyor belt, if B is a surface, m/s, and begins as its
	// [components.SurfaceVelocity]. Its part along Normal has no effect.
	SurfaceVelocity collide.Vec3
}

// contactRule returns the function that asks the game's rule on behalf of the solver.
func (p *Physics) contactRule() func(*solver.ContactSettings) {
	rule := p.config.ContactRule
	if rule == nil {
		return nil
	}
	var c RuledContact // not on the stack of each call, since the rule could keep it
	return func(s *solver.ContactSettings) {
		f := s.Friction
		c = RuledContact{
			Time: s.Time, Point: s.Point, Normal: s.Normal, Approach: s.Approach, Persistent: s.Persistent,
			Restitution: s.Restitution, Friction: f.Dynamic, StaticFriction: f.Static,
			RollingResistance: f.Rolling, SpinningResistance: f.Spinning, SurfaceVelocity: s.SurfaceVelocity,
		}
		if c.A, c.B = p.bridge.Sides(s.A, s.B, false); c.A != p.bridge.Entity(s.A) {
			c.Normal = c.Normal.Neg()
		}
		a := c.A // the rule may change it
		p.asksRule = true
		rule(&c)
		p.asksRule = false
		if err := c.check(); err != nil {
			p.rejectRule(a, err)
			return
		}
		s.Ignore, s.Restitution, s.SurfaceVelocity = c.Ignore, c.Restitution, c.SurfaceVelocity
		s.Friction = solver.FrictionCoefficients{
			Static: max(c.StaticFriction, c.Friction), Dynamic: c.Friction,
			Rolling: c.RollingResistance, Spinning: c.SpinningResistance,
		}
	}
}

// check returns an error if a value is out of its range.
func (c *RuledContact) check() error {
	wrong := func(field string, value any, reason string) error {
		return &components.FieldError{Component: "ContactRule", Field: field, Value: value, Reason: reason}
	}
	if !(c.Restitution >= 0 && c.Restitution <= 1) {
		return wrong("Restitution", c.Restitution, "is not between 0 and 1")
	}
	for _, f := range [...]struct {
		name  string
		value float64
	}{
		{"Friction", c.Friction},
		{"StaticFriction", c.StaticFriction},
		{"RollingResistance", c.RollingResistance},
		{"SpinningResistance", c.SpinningResistance},
	} {
		if !(f.value >= 0 && f.value <= components.MaxFriction) {
			return wrong(f.name, f.value, "is not between 0 and 1e6")
		}
	}
	if !(c.SurfaceVelocity.MaxAbs() <= components.MaxCoordinate) {
		return wrong("SurfaceVelocity", c.SurfaceVelocity, "is not finite, or is beyond 1e9")
	}
	return nil
}

// mostRuleErrors is the largest number of errors of the contact rule that a step reports.
const mostRuleErrors = 16

// rejectRule reports an error of the contact rule, once for each entity and step.
func (p *Physics) rejectRule(entity donburi.Entity, err error) {
	same := func(e EntityError) bool { return e.Entity == entity }
	if len(p.ruleErrors) < mostRuleErrors && !slices.ContainsFunc(p.ruleErrors, same) {
		p.ruleErrors = append(p.ruleErrors, EntityError{Entity: entity, Err: err})
	}
}
