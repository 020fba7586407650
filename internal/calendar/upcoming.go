package calendar

import "math/bits"

// Upcoming returns an event of one of the next k buckets, at most 128, without removing it. Called
// repeatedly with the same cursor, it returns one event of each bucket in turn, and nil after k
// buckets.
func (c *Calendar) Upcoming(cursor *uint, k uint) *Event {
	s, end := max(*cursor, c.next), min(c.next+k, c.distributed)
	for s < end {
		left := c.occupied[s%openBuckets/64] >> (s % 64)
		if left == 0 {
			s = (s | 63) + 1
			continue
		}
		s += uint(bits.TrailingZeros64(left))
		if s >= end {
			break
		}
		*cursor = s + 1
		return &c.buckets[s%openBuckets]
	}
	*cursor = end
	return nil
}
