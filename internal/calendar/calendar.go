// Package calendar keeps the events of one step and gives them back in the order of time.
//
// It is a bucketed queue: the step is cut into as many slices as there are bodies, an event that is due
// later waits unsorted in its slice, and only the slice being worked through is a heap. Putting an event in and
// taking the next one out both cost the same however many wait.
package calendar

// Event is something that is due. What A, B, StampA and StampB mean is its owner's affair: dango keeps two bodies
// there and the state that each was in when the event was foreseen.
type Event struct {
	Time           float64 // seconds into the step, in [0, the duration given to Reset]
	A, B           int32
	StampA, StampB uint32
	Key            uint32 // decides between events of the same Time and round: the smaller is taken first
	next           int32  // the next event in the same slice, or in the free list; of one in ready its slice; of one in heap its round
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

	pool    []Event
	free    int32   // head of the list of unused places in pool, -1 for none
	slices  []int32 // heads of the lists of waiting events, -1 for none
	perUnit float64 // slices a second
	current int     // the slice that heap holds
	end     int     // the slice before which Pop ends
	heap    []Event
	first   Event   // the one taken out last
	ready   []Event // those that were put in before the first was taken out, slice after slice
	taken   int     // how many of ready
	started bool

	now   float64 // when the event was due that was taken out last, and its round
	round int32
}

const (
	minSlices = 16
	maxSlices = 1 << 20

	// sortFrom is how many events must wait before the first is taken for it to pay to bring them into the order in which they are due. Fewer stay
	// in a processor's cache, in any order; with 10,000 bodies it made no difference, with 100,000 it saved a tenth of a step.
	sortFrom = 1 << 15
)

// Reset empties the calendar and readies it for a step of the given duration, in seconds, in which about
// expected events are due.
func (c *Calendar) Reset(duration float64, expected int) {
	n := minSlices
	for n < 2*expected && n < maxSlices {
		n *= 2
	}
	if cap(c.slices) < n {
		c.slices = make([]int32, n)
	}
	c.slices, c.end = c.slices[:n], n
	for i := range c.slices {
		c.slices[i] = -1
	}
	c.pool, c.free, c.heap, c.current = c.pool[:0], -1, c.heap[:0], 0
	c.ready, c.taken, c.started = c.ready[:0], 0, false
	c.now, c.round = -1, -1
	c.perUnit = float64(n) / duration
}

// Until lets Pop return what is due in the first k of n equal spans of the step, and nil when those are over. At first it is all of it. n is a power of two, at most
// minSlices: then two calendars of the same duration agree on what is due in a span.
func (c *Calendar) Until(k, n int) { c.end = len(c.slices) * k / n }

// Push adds an event.
func (c *Calendar) Push(e Event) {
	s := len(c.slices) - 1
	if at := e.Time * c.perUnit; at < float64(s) {
		s = int(at)
	}
	if s <= c.current && c.started {
		e.next = 0
		if e.Time <= c.now {
			e.next = c.round + 1
		}
		c.add(&e)
		return
	}
	at := c.free
	if at >= 0 {
		c.free = c.pool[at].next
	} else {
		at = int32(len(c.pool))
		c.pool = append(c.pool, Event{})
	}
	// Field by field: all at once, in wider pieces than they were just written in, they would have to wait for their own stores.
	p := &c.pool[at]
	p.Time, p.A, p.B, p.StampA, p.StampB, p.Key = e.Time, e.A, e.B, e.StampA, e.StampB, e.Key
	p.next = c.slices[s]
	c.slices[s] = at
}

// start puts what waits in the order of the slices, if it is much, so that from now on it is read from memory as it lies there.
func (c *Calendar) start() {
	c.started = true
	if len(c.pool) < sortFrom {
		return
	}
	for k, at := range c.slices {
		if at < 0 {
			continue
		}
		for ; at >= 0; at = c.pool[at].next {
			c.ready = append(c.ready, c.pool[at])
			c.ready[len(c.ready)-1].next = int32(k)
		}
		c.slices[k] = -1
	}
	c.pool = c.pool[:0]
}

// Pop takes out the earliest event. It returns nil when none is left, or none before what Until said. The event is good until the next Pop.
func (c *Calendar) Pop() *Event {
	for len(c.heap) == 0 {
		if !c.started {
			c.start()
		} else {
			c.current++
		}
		if c.current >= c.end {
			c.current = c.end - 1
			return nil
		}
		from := c.taken
		for c.taken < len(c.ready) && int(c.ready[c.taken].next) == c.current {
			c.taken++
		}
		at := c.slices[c.current]
		switch early := c.ready[from:c.taken]; {
		case at < 0 && len(early) == 0:
			continue
		case at < 0 && len(early) == 1: // the only one, as often as not
			c.now, c.round = early[0].Time, 0
			return &early[0]
		case at >= 0 && len(early) == 0 && c.pool[at].next < 0:
			e := &c.pool[at]
			c.first = *e
			e.next = c.free
			c.free = at
			c.slices[c.current] = -1
			c.now, c.round = c.first.Time, 0
			return &c.first
		default:
			for k := range early {
				early[k].next = 0
				c.add(&early[k])
			}
		}
		for at >= 0 {
			e := &c.pool[at]
			next := e.next
			e.next = 0
			c.add(e)
			e.next = c.free
			c.free = at
			at = next
		}
		c.slices[c.current] = -1
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
	for _, e := range c.ready[c.taken:] {
		if !yield(e) {
			return
		}
	}
	for _, at := range c.slices {
		for ; at >= 0; at = c.pool[at].next {
			if !yield(c.pool[at]) {
				return
			}
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
