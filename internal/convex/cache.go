package convex

import (
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Cache keeps the last pairs that were asked for, with their axes. Shapes don't rotate, so these
// stay the same for as long as the shapes do. A contact of two crates is asked for several times in
// a step, and hundreds of times where something squeezes them. The zero value is ready for use.
type Cache struct {
	pairs    []Pair
	room     int // number of axes for which each pair has memory
	replaced int // how many pairs that are worth keeping others have replaced since there was room for more
	which    int // of the pairs with a slot was replaced last
}

// A Cache has room for fewestCached pairs at first. Pairs with manyAxes take longer to set than all
// questions about them in a step, and round ones keep their last gap. Where these replace each
// other as often as replacedOften says, in multiples of the pairs that it keeps, it makes room for
// twice as many, up to mostCached: of hulls with 20 corners, which have 120 axes, that takes 18 MB.
const (
	fewestCached  = 32
	mostCached    = 4096
	manyAxes      = 16
	replacedOften = 4
	ways          = 4 // how many pairs may have the same slot
)

// Pair returns the pair of two shapes. It is valid until the next call. There is room for ways
// pairs with the same slot; others replace them.
func (c *Cache) Pair(a, b *Shape, slot uint32) *Pair {
	c.reserve(len(a.Normals) + len(b.Normals))
	kept := c.at(slot)
	for k := range kept {
		if kept[k].isOf(a, b) {
			return &kept[k]
		}
	}
	q := c.replace(slot)
	if q.Set(a, b); len(q.axes) > c.room {
		c.reserve(len(q.axes))
		q = c.replace(slot)
		q.Set(a, b)
	}
	return q
}

// Triangle is Pair for a shape, and a triangle whose first corner is the origin, with the given
// normal.
func (c *Cache) Triangle(a *Shape, t collide.Triangle, normal collide.Vec3, slot uint32) *Pair {
	c.reserve(len(a.Normals) + 2)
	kept := c.at(slot)
	for k := range kept {
		q := &kept[k]
		if q.b == nil && q.a != nil && q.triangle == t && q.axes[0].n == normal && q.a.equals(a) {
			return q
		}
	}
	q := c.replace(slot)
	if q.SetTriangle(a, t, normal); len(q.axes) > c.room {
		c.reserve(len(q.axes))
		q = c.replace(slot)
		q.SetTriangle(a, t, normal)
	}
	return q
}

// replace returns one of the pairs with a slot for another one, in a larger cache if too many are
// replaced.
func (c *Cache) replace(slot uint32) *Pair {
	c.which = (c.which + 1) % ways
	q := &c.at(slot)[c.which]
	if q.a != nil && (len(q.axes) > manyAxes || q.round()) {
		c.replaced++
		if c.replaced > replacedOften*len(c.pairs) && len(c.pairs) < mostCached {
			c.grow(2*len(c.pairs), c.room)
			q = &c.at(slot)[0]
		}
	}
	return q
}

// Ball is Pair for a ball around its origin, and a shape.
func (c *Cache) Ball(radius float64, b *Shape, slot uint32) *Pair {
	c.reserve(len(b.Normals))
	q := &c.at(slot)[0]
	if q.a != nil || q.b != b || q.radius != radius {
		q.SetBall(radius, b)
	}
	return q
}

// at returns the pairs with a slot.
func (c *Cache) at(slot uint32) []Pair {
	k := ways * (slot % uint32(len(c.pairs)/ways))
	return c.pairs[k : k+ways]
}

// isOf reports whether the pair is that of a and b, in this order, or of equal shapes: a game may
// make each of a hundred equal crates by itself.
func (q *Pair) isOf(a, b *Shape) bool {
	if q.flipped {
		a, b = b, a
	}
	return q.a.equals(a) && q.b.equals(b)
}

// equals reports whether two shapes are surely the same. They may be nil.
func (s *Shape) equals(o *Shape) bool {
	if s == o {
		return true
	}
	if s == nil || o == nil || s.Key != o.Key || s.Radius != o.Radius || !slices.Equal(s.Points, o.Points) ||
		!slices.Equal(s.Normals, o.Normals) {
		return false
	}
	switch exact := s.Exact.(type) {
	case collide.Box, collide.Capsule, collide.Sphere:
		return exact == o.Exact
	case *collide.Hull:
		_, ok := o.Exact.(*collide.Hull)
		return ok // with the same corners and sides
	}
	return false
}

// reserve makes room for pairs with that many axes. All get it at once, so that a step that meets
// pairs in new slots allocates nothing.
func (c *Cache) reserve(axes int) {
	if c.pairs == nil || axes > c.room {
		c.grow(max(fewestCached, len(c.pairs)), max(axes, 2*c.room))
	}
}

// grow makes room for so many pairs with so many axes, and forgets those that it has kept.
func (c *Cache) grow(pairs, room int) {
	*c = Cache{pairs: make([]Pair, pairs), room: room}
	memory := make([]axis, pairs*room)
	for k := range c.pairs {
		from := k * room
		c.pairs[k].axes = memory[from : from : from+room]
	}
}
