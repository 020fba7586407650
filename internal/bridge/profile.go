package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// profileKey holds the component values that many entities of a game share, whatever their size,
// mass and motion.
type profileKey struct {
	has             has
	body            components.BodyData // without the mass
	material        components.MaterialData
	filter          components.CollisionFilterData
	surfaceVelocity collide.Vec3
}

// profile is a profileKey and what follows from it for a step.
type profile struct {
	profileKey
	acceleration collide.Vec3 // by gravity
	damping      float64      // factor on the velocity
	locked       uint8        // axes
	adjusted     bool         // damping or locked axes change the velocity
}

// profiles are the profiles in use. The first is the zero value and belongs to no entity.
type profiles struct {
	list []profile
	of   map[profileKey]uint16
	last uint16
}

// adjust applies locked axes to a velocity, and damping if time passes.
func (s *profile) adjust(v collide.Vec3, stepping bool) collide.Vec3 {
	if stepping {
		v = v.Scale(s.damping)
	}
	return solver.Unlocked(v, s.locked)
}

// profile returns the number of the profile of an entity without errors, or 0 if the entity must
// take the slow path.
func (b *Bridge) profile(t *table, c *common) uint16 {
	s := &b.registry.profiles
	if t.has&hasGroup != 0 || t.has&hasSphere != 0 && c.kind() == components.Static && c.velocity != nil {
		return 0
	}
	l := profileKey{t.has, c.body, c.material, c.filter, c.surfaceVelocity()}
	l.body.Mass = 0
	if s.list[s.last].profileKey == l {
		return s.last
	}
	if at, ok := s.of[l]; ok {
		s.last = at
		return at
	}
	if len(s.list) >= maxProfiles || len(s.list) > 2*len(b.registry.bodies)+minProfiles {
		b.forgetProfiles()
	}
	is := profile{profileKey: l, damping: 1}
	if c.kind() == components.Dynamic {
		is.acceleration = b.acceleration(&c.body, collide.Vec3{})
		is.locked = uint8(c.body.Locked)
		if c.body.LinearDamping != 0 {
			is.damping = damping(c.body.LinearDamping, b.settings.Solver.Seconds)
		}
		is.adjusted = is.locked != 0 || c.body.LinearDamping != 0
		if !b.fastPathTakes(is.acceleration) { // speeds then need a range check
			return 0
		}
	}
	s.last = uint16(len(s.list))
	s.list = append(s.list, is)
	s.of[l] = s.last
	return s.last
}

// minProfiles and maxProfiles bound the number of profiles. A game that changes a component all the
// time, such as a damping that fades, creates new profiles all the time. Beyond two for each body,
// all are forgotten and those in use are created again. With a smaller minimum, small worlds would
// forget too often; the maximum is the range of uint16.
const (
	minProfiles = 1 << 10
	maxProfiles = 1 << 16
)

// forgetProfiles empties the list of profiles. All entities then take the slow path once.
func (b *Bridge) forgetProfiles() {
	s := &b.registry.profiles
	if s.of == nil {
		s.of = map[profileKey]uint16{}
	}
	clear(s.of)
	s.list, s.last = append(s.list[:0], profile{}), 0
	b.registry.generation++
	b.registry.constants.all = true // its records have no profile any more
	for i := range b.registry.records {
		b.registry.records[i].profile = 0
	}
}

// damping returns the factor by which a damping of d, 1/s, reduces a velocity in the given seconds.
func damping(d, seconds float64) float64 { return 1 / (1 + float64(d*seconds)) }
