package calendar

import "math/bits"

// Ahead returns an event that is due in one of the next k slices, at most 128, for a look at what it concerns before its turn comes. Called with the
// same at again and again, it names one event of each slice in turn, and nil when it has come k slices far.
func (c *Calendar) Ahead(at *uint, k uint) *Event {
	s, end := max(*at, c.next), min(c.next+k, c.dealt)
	for s < end {
		left := c.filled[s%window/64] >> (s % 64)
		if left == 0 {
			s = (s | 63) + 1
			continue
		}
		s += uint(bits.TrailingZeros64(left))
		if s >= end {
			break
		}
		*at = s + 1
		return &c.slices[s%window]
	}
	*at = end
	return nil
}
