// Package calendar keeps the events of one step and gives them back in the order of time.
//
// It is a bucketed queue on two levels: the step is cut into several times as many slices as there are bodies, and into drawers of 128 slices. An
// event that is due later waits in its drawer, in no order. The drawer that is being worked through and the one after it are dealt out into slices, and only the
// slice being worked through is a heap. So putting an event in and taking the next one out both cost the same however many wait; and what waits
// is written and read as it lies in memory, while all that is looked into here and there is small enough for the nearest cache.
package calendar

import "math/bits"

// Event is something that is due. What A, B, StampA and StampB mean is its owner's affair: dango keeps two bodies
// there and the state that each was in when the event was foreseen.
type Event struct {
	Time           float64 // seconds into the step, in [0, the duration given to Reset]
	A, B           int32
	StampA, StampB uint32
	Key            uint32 // decides between events of the same Time and round: the smaller is taken first
	next           int32  // the next event in the same slice, or in the free list; of one in heap its round; of one in a drawer, see drawers
}

// before is the order of the calendar, but for ties.
func (e *Event) before(f *Event) bool {
	if e.Time != f.Time {
		return e.Time < f.Time
	}
	if e.next != f.next {
		return e.next < f.next
	}
	return e.Key < f.Key
}

// before is the order of the calendar, down to Tie.
func (c *Calendar) before(e, f *Event) bool {
	return e.before(f) || c.Tie != nil && e.Time == f.Time && e.next == f.next && e.Key == f.Key && c.Tie(*e, *f)
}

// Calendar is a queue of events. The zero value is empty; call Reset before use.
//
// Of events of the same time, those that were put in earlier than that are taken first: they are round 0. What one of round n brings about at
// once is of round n+1. So the order in which events are taken is that of their times, rounds and keys, and is known from
// those even where two calendars have a part of the events each.
type Calendar struct {
	Tie func(e, f Event) bool // reports whether e comes before f, where they are of the same time, round and key; nil if either may

	perUnit float64 // slices a second
	end     uint    // slices
	until   uint    // the slice before which Pop ends
	next    uint    // the slice after the one that heap holds

	// Of each drawer, where in store its last event is, or -1. It has others before it down to a multiple of chunk; next of the one there says where more are.
	drawers   []int32
	store     []Event
	freeChunk int32 // head of the list of unused chunks, -1 for none
	dealt     uint  // how many slices have been dealt out

	slices [window]Event       // one event of each slice that has been dealt out, by their numbers modulo window; others follow in pool
	filled [window / 64]uint64 // a bit for each of them: whether there is one
	pool   []Event
	free   int32 // head of the list of unused places in pool, -1 for none

	heap  []Event
	first Event // the one taken out of it last

	now   float64 // when the event was due that was taken out last, and its round
	round int32
}

const (
	maxSlices = 1 << 22

	// finer is how many slices there are to a body, at least. With four, more events share a slice and have to be put in order: a gas of 1,000
	// took 4 % longer. With 16 it took as long.
	finer = 8

	// A drawer is so many slices. Between 64 and 256 it made no difference. What is dealt out are 8 kB, a sixth of the nearest cache.
	drawer = 128
	window = 2 * drawer

	chunk = 8 // events
)

// Reset empties the calendar and readies it for a step of the given duration, in seconds, in which about
// expected events are due.
func (c *Calendar) Reset(duration float64, expected int) {
	n := drawer
	for n < finer*expected && n < maxSlices {
		n *= 2
	}
	c.end, c.until, c.perUnit = uint(n), uint(n), float64(n)/duration
	if n /= drawer; cap(c.drawers) < n {
		c.drawers = make([]int32, n)
	}
	c.drawers = c.drawers[:n]
	for i := range c.drawers {
		c.drawers[i] = -1
	}
	c.filled = [window / 64]uint64{}
	c.store, c.freeChunk, c.dealt = c.store[:0], -1, 0
	c.pool, c.free = c.pool[:0], -1
	c.heap, c.next = c.heap[:0], 0
	c.now, c.round = -1, -1
}

// Until lets Pop return what is due in the first k of n equal spans of the step, and nil when those are over. At first it is all of it. n is a power of two, at most
// 128: then two calendars of the same duration agree on what is due in a span.
func (c *Calendar) Until(k, n int) { c.until = c.end * uint(k) / uint(n) }

// Push adds an event.
func (c *Calendar) Push(e Event) {
	s := c.sliceOf(e.Time)
	if s >= c.dealt {
		d := &c.drawers[s/drawer]
		was := *d
		at := was + 1
		if uint32(at)%chunk == 0 {
			at = c.newChunk()
		}
		*d = at
		// Field by field: all at once, in wider pieces than they were just written in, they would have to wait for their own stores.
		p := &c.store[at]
		p.Time, p.A, p.B, p.StampA, p.StampB, p.Key, p.next = e.Time, e.A, e.B, e.StampA, e.StampB, e.Key, was
		return
	}
	if s < c.next {
		e.next = 0
		if e.Time <= c.now {
			e.next = c.round + 1
		}
		c.add(&e)
		return
	}
	c.put(s, &e)
}

// sliceOf returns the slice of what is due at that time.
func (c *Calendar) sliceOf(t float64) uint { return min(uint(int(t*c.perUnit)), c.end-1) }

// newChunk returns where there is room in store for a chunk of events.
func (c *Calendar) newChunk() int32 {
	at := c.freeChunk
	if at >= 0 {
		c.freeChunk = c.store[at].next
		return at
	}
	at = int32(len(c.store))
	c.store = append(c.store, make([]Event, chunk)...)
	return at
}

// put puts an event in slice s, which is dealt out.
func (c *Calendar) put(s uint, e *Event) {
	s %= window
	p, bit := &c.slices[s], uint64(1)<<(s%64)
	next := int32(-1)
	if c.filled[s/64]&bit != 0 {
		at := c.free
		if at >= 0 {
			c.free = c.pool[at].next
		} else {
			at = int32(len(c.pool))
			c.pool = append(c.pool, Event{})
		}
		next = p.next
		p.next = at
		p = &c.pool[at]
	}
	c.filled[s/64] |= bit
	p.Time, p.A, p.B, p.StampA, p.StampB, p.Key, p.next = e.Time, e.A, e.B, e.StampA, e.StampB, e.Key, next
}

// deal deals the next drawer out.
func (c *Calendar) deal() {
	d := &c.drawers[c.dealt/drawer]
	c.dealt += drawer
	for at := *d; at >= 0; {
		first := at &^ (chunk - 1)
		for k := first; k <= at; k++ {
			e := &c.store[k]
			c.put(c.sliceOf(e.Time), e)
		}
		at = c.store[first].next
		c.store[first].next = c.freeChunk
		c.freeChunk = first
	}
	*d = -1
}

// Pop takes out the earliest event. It returns nil when none is left, or none before what Until said. The event is good until the next Pop.
func (c *Calendar) Pop() *Event {
	if len(c.heap) == 0 {
		// The next slice with an event in it.
		for {
			if c.next >= c.until {
				c.next = c.until
				return nil
			}
			if c.next%drawer == 0 {
				for c.dealt < c.end && c.dealt < c.next+window {
					c.deal()
				}
			}
			w := &c.filled[c.next%window/64]
			if left := *w >> (c.next % 64); left != 0 {
				if c.next += uint(bits.TrailingZeros64(left)); c.next >= c.until {
					continue
				}
				*w &^= 1 << (c.next % 64)
				break
			}
			c.next = (c.next | 63) + 1
		}
		e := &c.slices[c.next%window]
		c.next++
		if e.next < 0 { // the only one, more often than not
			c.now, c.round = e.Time, 0
			return e
		}
		at := e.next
		e.next = 0
		c.add(e)
		for at >= 0 {
			e := &c.pool[at]
			next := e.next
			e.next = 0
			c.add(e)
			e.next = c.free
			c.free = at
			at = next
		}
	}
	c.first = c.heap[0]
	last := len(c.heap) - 1
	c.heap[0] = c.heap[last]
	c.heap = c.heap[:last]
	if last > 1 {
		c.down()
	}
	c.now, c.round = c.first.Time, c.first.next
	return &c.first
}

// Round returns the round of the event that was taken out last, and -1 before the first.
func (c *Calendar) Round() int32 { return c.round }

// add puts an event into the heap.
func (c *Calendar) add(e *Event) {
	c.heap = append(c.heap, *e)
	c.up(len(c.heap) - 1)
}

// All calls yield with every waiting event, in no particular order.
func (c *Calendar) All(yield func(Event) bool) {
	for _, e := range c.heap {
		if !yield(e) {
			return
		}
	}
	for k := range c.slices {
		if c.filled[k/64]>>(k%64)&1 == 0 {
			continue
		}
		for e := &c.slices[k]; ; e = &c.pool[e.next] {
			if !yield(*e) {
				return
			}
			if e.next < 0 {
				break
			}
		}
	}
	for _, at := range c.drawers {
		for at >= 0 {
			first := at &^ (chunk - 1)
			for _, e := range c.store[first : at+1] {
				if !yield(e) {
					return
				}
			}
			at = c.store[first].next
		}
	}
}

func (c *Calendar) up(i int) {
	h := c.heap
	e := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(&e, &h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (c *Calendar) down() {
	h := c.heap
	e := h[0]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && c.before(&h[child+1], &h[child]) {
			child++
		}
		if !c.before(&h[child], &e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
}
