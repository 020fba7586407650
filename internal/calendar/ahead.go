package calendar

// Ahead returns events that are due soon, for a look at what they concern before their turn comes: one of those that were put in early and one
// of the others, k places after the present one. Either may be nil.
func (c *Calendar) Ahead(k int) (early, late *Event) {
	if at := c.taken + k; at < len(c.ready) {
		early = &c.ready[at]
	}
	if s := c.current + k; s < len(c.slices) {
		if at := c.slices[s]; at >= 0 {
			late = &c.pool[at]
		}
	}
	return early, late
}
