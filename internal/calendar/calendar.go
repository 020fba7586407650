package calendar

import "math/bits"

// Event is an entry of the calendar. The meaning of A, B, StampA and StampB is up to the caller:
// the solver stores two bodies, and a number that identifies the path on which each was when the
// event was predicted.
type Event struct {
	Time           float64 // seconds into the step, in [0, the duration given to Reset]
	A, B           int32
	StampA, StampB uint32
	Key            uint32 // orders events of the same time and round, the smallest first

	// next is, for an event in a bucket, the next event of the bucket in pool, or -1; in the free
	// list the next free place; in the heap the event's round; in store, see Calendar.blocks.
	next int32
}

// PathID identifies the path that a body is on.
type PathID struct {
	Stamp uint32 // counts the body's paths; an event that was predicted on an earlier one is void
	Key   uint32 // hash of the path and of the body's traits, which orders simultaneous events
}

// before is the order of the calendar without TieBreak.
func (e *Event) before(f *Event) bool {
	if e.Time != f.Time {
		return e.Time < f.Time
	}
	if e.next != f.next {
		return e.next < f.next
	}
	return e.Key < f.Key
}

// before is the order of the calendar, for two events of the heap.
func (c *Calendar) before(e, f *Event) bool {
	return e.before(f) ||
		c.TieBreak != nil && e.Time == f.Time && e.next == f.next && e.Key == f.Key && c.TieBreak(*e, *f)
}

// Calendar is a queue of events. Call Reset before use.
//
// Events of the same time are ordered by round and then by key. An event that was added before its
// time is in round 0. An event that is added while an event of the same time and of round n is
// processed is in round n+1. The order is thus known from times, rounds and keys, even if two
// calendars contain a part of the events each.
type Calendar struct {
	// TieBreak reports whether e comes before f, for events of the same time, round and key. If it
	// is nil their order is not defined.
	TieBreak func(e, f Event) bool

	// Paths are those on which A and B are, if B is not negative. Events of other stamps will never
	// count again: those that are void shortly before they are due are dropped. It may be nil.
	Paths []PathID

	perSecond   float64 // buckets a second
	end         uint    // number of buckets
	until       uint    // Pop stops before this bucket
	next        uint    // the bucket after the one in the heap
	distributed uint    // all buckets before it have been distributed

	// For each block, the index in store of its last event, or -1. The block's other events precede
	// it, down to the first event of the chunk; that event's next is the last event of the chunk
	// before, or -1.
	blocks    []int32
	store     []Event
	freeChunk int32 // head of the list of unused chunks, or -1

	buckets  [openBuckets]Event       // the first event of each distributed bucket, by bucket modulo openBuckets
	occupied [openBuckets / 64]uint64 // one bit for each bucket that contains events
	pool     []Event                  // the other events of these buckets
	free     int32                    // head of the list of unused places in pool, or -1

	heap  []Event // the events of the current bucket
	first Event   // the event that was removed from the heap last

	debug debugState
	now   float64 // time of the event that Pop returned last
	round int32   // and its round
}

const (
	// maxBuckets limits the memory for blocks to 128 kB. With more bodies the heap has more events.
	maxBuckets = 1 << 22

	// bucketsPerEvent is the least number of buckets for each expected event. With 4, more events
	// share a bucket and go through the heap: a step of gas 1000 took 4 % longer. With 16 it took
	// as long as with 8.
	bucketsPerEvent = 8

	// blockSize is the number of buckets in a block, a power of two and a multiple of 64. Between
	// 64 and 256 there was no difference. The buckets of two blocks take 8 kB, a sixth of a
	// first-level cache.
	blockSize   = 128
	openBuckets = 2 * blockSize

	chunkSize = 8 // events, a power of two: 256 bytes, which are written and read in order
)

// Reset empties the calendar and prepares it for a step of that duration, in seconds, with about so
// many expected events.
func (c *Calendar) Reset(duration float64, expected int) {
	n := blockSize
	for n < bucketsPerEvent*expected && n < maxBuckets {
		n *= 2
	}
	c.end, c.until, c.perSecond = uint(n), uint(n), float64(n)/duration
	if n /= blockSize; cap(c.blocks) < n {
		c.blocks = make([]int32, n)
	}
	c.blocks = c.blocks[:n]
	for i := range c.blocks {
		c.blocks[i] = -1
	}
	c.occupied = [openBuckets / 64]uint64{}
	c.store, c.freeChunk, c.distributed = c.store[:0], -1, 0
	c.pool, c.free = c.pool[:0], -1
	c.heap, c.next = c.heap[:0], 0
	c.now, c.round = -1, -1
	c.checkReset(duration)
}

// Until limits Pop to events in the first k of n equal spans of the step. After Reset there is no
// limit. n is a power of two, at most 128; two calendars of the same duration then agree on which
// events are in a span.
func (c *Calendar) Until(k, n int) { c.until = c.end * uint(k) / uint(n) }

// Push adds an event with these fields. They are passed one by one because a struct of so many
// would be passed in memory, and a step pushes tens of thousands.
func (c *Calendar) Push(time float64, a, b int32, stampA, stampB, key uint32) {
	c.checkPush(time, a, b)
	s := c.bucketOf(time)
	if s < c.distributed {
		c.pushSoon(s, &Event{Time: time, A: a, B: b, StampA: stampA, StampB: stampB, Key: key})
		return
	}
	last := &c.blocks[s/blockSize]
	was := *last
	at := was + 1
	if uint32(at)%chunkSize == 0 {
		at = c.newChunk()
	}
	*last = at
	p := &c.store[at]
	p.Time, p.A, p.B, p.StampA, p.StampB, p.Key, p.next = time, a, b, stampA, stampB, key, was
}

// pushSoon adds an event to bucket s, which has been distributed, or to the heap.
func (c *Calendar) pushSoon(s uint, e *Event) {
	if s >= c.next {
		c.put(s, e)
		return
	}
	if e.Time <= c.now {
		e.next = c.round + 1
	}
	c.add(e)
}

// bucketOf returns the bucket of a time.
func (c *Calendar) bucketOf(t float64) uint { return min(uint(int(t*c.perSecond)), c.end-1) }

// newChunk returns the index of an unused chunk of store.
func (c *Calendar) newChunk() int32 {
	at := c.freeChunk
	if at >= 0 {
		c.freeChunk = c.store[at].next
		return at
	}
	at = int32(len(c.store))
	c.store = append(c.store, make([]Event, chunkSize)...)
	return at
}

// put adds an event to bucket s, which has been distributed.
func (c *Calendar) put(s uint, e *Event) {
	s %= openBuckets
	p, bit := &c.buckets[s], uint64(1)<<(s%64)
	next := int32(-1)
	if c.occupied[s/64]&bit != 0 {
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
	c.occupied[s/64] |= bit
	p.Time, p.A, p.B, p.StampA, p.StampB, p.Key, p.next = e.Time, e.A, e.B, e.StampA, e.StampB, e.Key, next
}

// putValid puts the events of a chunk in their buckets, except those of which a body has changed
// its path since they were predicted. These are nearly half, and as many events have one body, so
// that branches for either would be mispredicted.
//
//go:noinline
func (c *Calendar) putValid(chunk []Event, paths []PathID) {
	var valid [chunkSize]uint8 // indices of events
	n := uint(0)
	for k := range chunk {
		e, changes := &chunk[k], uint32(0)
		if paths != nil {
			none := e.B >> 31 // all bits if there is only one body
			changes = (paths[e.A].Stamp ^ e.StampA) | (paths[e.B&^none].Stamp^e.StampB)&^uint32(none)
		}
		valid[n%chunkSize] = uint8(k)
		n += uint((uint64(changes) - 1) >> 63)
	}
	for _, k := range valid[:n] {
		e := &chunk[k]
		c.put(c.bucketOf(e.Time), e)
	}
}

// distribute moves the events of the next block to their buckets, without those that are void.
func (c *Calendar) distribute() {
	last := &c.blocks[c.distributed/blockSize]
	c.distributed += blockSize
	for at := *last; at >= 0; {
		first := at &^ (chunkSize - 1)
		chunk := c.store[first : at+1]
		c.putValid(chunk, c.Paths)
		at = chunk[0].next
		chunk[0].next = c.freeChunk
		c.freeChunk = first
	}
	*last = -1
}

// Pop removes the earliest event and returns it. It returns nil if no event is left, or none within
// the limit of Until. The event is valid until the next call of Pop.
func (c *Calendar) Pop() *Event {
	if len(c.heap) == 0 {
		for { // find the next bucket with events
			if c.next >= c.until {
				c.next = c.until
				return nil
			}
			if c.next%blockSize == 0 {
				for c.distributed < c.end && c.distributed < c.next+openBuckets {
					c.distribute()
				}
			}
			w := &c.occupied[c.next%openBuckets/64]
			if left := *w >> (c.next % 64); left != 0 {
				if c.next += uint(bits.TrailingZeros64(left)); c.next >= c.until {
					continue
				}
				*w &^= 1 << (c.next % 64)
				break
			}
			c.next = (c.next | 63) + 1
		}
		e := &c.buckets[c.next%openBuckets]
		c.next++
		if e.next < 0 { // the only event of the bucket, the most frequent case
			c.now, c.round = e.Time, 0
			c.checkPop(e)
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
	c.checkPop(&c.first)
	return &c.first
}

// Round returns the round of the event that Pop returned last, and -1 before the first.
func (c *Calendar) Round() int32 { return c.round }

// All calls yield with every waiting event, in no particular order, until yield returns false.
func (c *Calendar) All(yield func(Event) bool) {
	for _, e := range c.heap {
		if !yield(e) {
			return
		}
	}
	for k := range c.buckets {
		if c.occupied[k/64]>>(k%64)&1 == 0 {
			continue
		}
		for e := &c.buckets[k]; ; e = &c.pool[e.next] {
			if !yield(*e) {
				return
			}
			if e.next < 0 {
				break
			}
		}
	}
	for _, at := range c.blocks {
		for at >= 0 {
			first := at &^ (chunkSize - 1)
			for _, e := range c.store[first : at+1] {
				if !yield(e) {
					return
				}
			}
			at = c.store[first].next
		}
	}
}

// add adds an event to the heap.
func (c *Calendar) add(e *Event) {
	c.heap = append(c.heap, *e)
	c.up(len(c.heap) - 1)
}

// up moves event i of the heap up to where it belongs.
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

// down moves the first event of the heap down to where it belongs.
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
