package systems

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// SetGravity sets the gravity of all steps that begin from now on, in m/s², of length 0 to 1e9. A
// step that is under way keeps the gravity with which it began.
//
// Bodies that sleep wake, unless it is the same gravity or the change doesn't act on them, because
// they are Weightless or lock the axes along which it has changed. What follows from gravity
// follows from the new one: the Up of characters that have none of their own, and
// [Config.RestitutionThreshold], if that is the default.
//
// The error is a *[components.FieldError] if gravity is not finite or too large. Gravity then stays
// as it is. SetGravity panics if a ContactRule calls it.
func (p *Physics) SetGravity(gravity collide.Vec3) error {
	p.checkCaller()
	if err := checkGravity("Physics", gravity); err != nil {
		return err
	}
	p.gravity = gravity
	return nil
}

// Gravity returns the gravity of the steps that begin from now on, in m/s²: that of the last
// [Physics.SetGravity], or else [Config.Gravity].
func (p *Physics) Gravity() collide.Vec3 { return p.gravity }

// checkGravity returns an error if g is out of its range, which names it as the field Gravity of
// component.
func checkGravity(component string, g collide.Vec3) error {
	if g.IsFinite() && g.Length() <= components.MaxCoordinate {
		return nil
	}
	return &components.FieldError{
		Component: component, Field: "Gravity", Value: g, Reason: "is not finite, or is beyond 1e9",
	}
}

// hasDefaultThreshold reports whether the restitution threshold of c follows from gravity.
func (c Config) hasDefaultThreshold() bool {
	return c.RestitutionThreshold == 0 || math.IsNaN(c.RestitutionThreshold) || math.IsInf(c.RestitutionThreshold, 0)
}

// defaultThreshold returns the restitution threshold that follows from gravity, m/s.
func defaultThreshold(gravity collide.Vec3, seconds float64) float64 {
	return float64(2*gravity.Length()) * seconds
}

// applyGravity makes the gravity that the game has set that of the step that begins.
func (p *Physics) applyGravity() {
	if p.gravity.SameBits(p.config.Gravity) {
		return
	}
	p.config.Gravity = p.gravity
	if p.noThreshold {
		p.config.RestitutionThreshold = defaultThreshold(p.gravity, p.config.StepSeconds)
	}
	p.bridge.SetGravity(p.gravity, p.config.RestitutionThreshold)
	p.characters.riders.setGravity(p.bridge.World(), p.gravity)
}
