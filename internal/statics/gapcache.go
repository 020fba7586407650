package statics

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// GapCache keeps the last gaps of movers to surfaces that rotate. A step asks for the gap of each
// contact some ten times, but only for its start and its end. The cache changes no result. The zero
// value is ready for use.
type GapCache struct{ gaps []cachedGap }

// cachedGap is a result of localGap, with all that it depends on.
type cachedGap struct {
	shape, other *convex.Shape // other is nil for facets
	facets       facetShape
	facet        int // -1 for all
	twoSided     bool
	position     collide.Vec3 // of shape in the frame of the surface, like the gap
	rotation     collide.Quat
	gap          collide.Gap
	ok           bool
}

// cachedGaps is the number of gaps in a GapCache, a power of two: those of 250 bodies with two
// contacts each.
const cachedGaps = 1024

// localGap is localGap of o for a mover, which is placed in the frame of the surface.
func (c *GapCache) localGap(m *Mover, o *obstacle, placed collide.Placed) (g collide.Gap, ok bool) {
	if c == nil || o.f.Kind() == Plane {
		return o.localGap(placed)
	}
	want := cachedGap{shape: m.Shape, twoSided: o.f.TwoSided, position: placed.Position, rotation: placed.Rotation}
	switch {
	case o.alone:
		want.facets, want.facet = o.f.facetShape(), o.facet.ID()
	case o.f.HasFacets():
		want.facets, want.facet = o.f.facetShape(), -1
	default:
		want.other = o.f.convexShape()
	}
	if c.gaps == nil {
		c.gaps = make([]cachedGap, cachedGaps)
	}
	turn := collide.Vec3{X: want.rotation.X, Y: want.rotation.Y, Z: want.rotation.Z}
	slot := &c.gaps[(tiebreak.Hash(&want.position, &turn)+uint32(want.facet))%cachedGaps]
	want.gap, want.ok = slot.gap, slot.ok
	if *slot != want {
		want.gap, want.ok = o.localGap(placed)
		*slot = want
	}
	return want.gap, want.ok
}

// Forget makes the cache empty.
func (c *GapCache) Forget() { clear(c.gaps) }
