package convex

// Cache keeps the last pairs that were asked for, with their axes. Shapes don't rotate, so these
// stay the same for as long as the shapes do. A contact of two crates is asked for several times in
// a step, and hundreds of times where something squeezes them. The zero value is ready for use.
type Cache struct {
	pairs []Pair
	room  int // number of axes for which each pair has memory
}

// cachedPairs is the number of pairs in a Cache. With fewer, pairs of a row of crates replace each
// other; with more, those of hulls with many edges take megabytes.
const cachedPairs = 32

// Pair returns the pair of two shapes. It is valid until the next call. Pairs with the same slot
// replace each other.
func (c *Cache) Pair(a, b *Shape, slot uint32) *Pair {
	c.reserve(maxAxes(a, b))
	q := &c.pairs[slot%cachedPairs]
	if !q.isOf(a, b) {
		q.Set(a, b)
	}
	return q
}

// Ball is Pair for a ball around its origin, and a shape.
func (c *Cache) Ball(radius float64, b *Shape, slot uint32) *Pair {
	c.reserve(len(b.Normals))
	q := &c.pairs[slot%cachedPairs]
	if q.a != nil || q.b != b || q.radius != radius {
		q.SetBall(radius, b)
	}
	return q
}

// isOf reports whether the pair is that of a and b, in this order.
func (q *Pair) isOf(a, b *Shape) bool {
	if q.flipped {
		a, b = b, a
	}
	return q.a == a && q.b == b
}

// reserve makes room for pairs with that many axes. All get it at once, so that a step that meets
// pairs in new slots allocates nothing.
func (c *Cache) reserve(axes int) {
	if c.pairs != nil && axes <= c.room {
		return
	}
	c.room = max(axes, 2*c.room)
	c.pairs = make([]Pair, cachedPairs)
	memory := make([]axis, cachedPairs*c.room)
	for k := range c.pairs {
		from := k * c.room
		c.pairs[k].axes = memory[from : from : from+c.room]
	}
}

// maxAxes returns the largest number of axes that the pair of two shapes can have.
func maxAxes(a, b *Shape) int {
	n := len(a.Normals) + len(b.Normals)
	if a.Radius > 0 || b.Radius > 0 || a.upright && b.upright {
		return n
	}
	return n + 2*len(a.Edges)*len(b.Edges)
}
