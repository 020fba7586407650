package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// SetGravity changes the gravity, m/s², and the closing speed up to which impacts don't bounce,
// m/s, from the next Read on. That reads all dynamic bodies anew, and the space wakes those whose
// acceleration has changed.
func (b *Bridge) SetGravity(gravity collide.Vec3, restSpeed float64) {
	b.settings.Gravity, b.settings.Solver.Down, b.settings.Solver.RestSpeed = gravity, gravity, restSpeed
	b.space.SetDown(gravity)
	b.space.RestSpeed = restSpeed
	r := &b.registry
	for i := range r.profiles.list {
		s := &r.profiles.list[i]
		if s.has&hasVelocity == 0 || s.body.Kind != components.Dynamic {
			continue
		}
		if s.acceleration = b.acceleration(&s.body, collide.Vec3{}); !b.fastPathTakes(s.acceleration) {
			b.forgetProfiles()
			return
		}
	}
	for i := range r.records {
		k := &r.records[i]
		if k.kind == components.Dynamic && k.handle != none && !k.handle.IsSurface() {
			k.profile = 0
		}
	}
	r.generation++
}

// isTooMuch reports whether a body gains more speed in the given seconds than bodies may have.
func isTooMuch(acceleration collide.Vec3, seconds float64) bool {
	gained := components.VelocityData{Linear: acceleration.Scale(seconds)}
	return gained.Validate() != nil
}

// tooMuch returns the error of a body of which isTooMuch is true. It names what accelerates it.
func (b *Bridge) tooMuch(c *common, inverseMass, seconds float64) error {
	wrong := func(component, field string, value any) error {
		return &components.FieldError{
			Component: component, Field: field, Value: value, Reason: "accelerates it beyond 1e9 m/s in a step",
		}
	}
	locked := uint8(c.body.Locked)
	switch {
	case c.body.GravityScale != 0 && isTooMuch(b.acceleration(&c.body, collide.Vec3{}), seconds):
		return wrong("Body", "GravityScale", c.body.GravityScale)
	case isTooMuch(solver.Unlocked(c.force.Force.Scale(inverseMass), locked), seconds):
		return wrong("Force", "Force", c.force.Force)
	}
	return &components.FieldError{
		Component: "Velocity", Field: "Linear", Value: c.velocity.Linear,
		Reason: "goes beyond 1e9 under gravity and Force",
	}
}
