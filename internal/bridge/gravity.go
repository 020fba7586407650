package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
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
