package eventlog

import (
	"cmp"
	"slices"
)

// Pair is two things by their codes, in the order in which their contact began.
type Pair struct{ A, B int32 }

// contact is a contact that may outlast the impact with which it began.
type contact struct {
	key  PairKey
	pair Pair
	open bool // it has begun and not ended
}

// Contacts is the list of open contacts, sorted by key. The zero value is an empty list.
//
// In each step, Reset comes first. Where something may have changed, MarkImpacts, Close and Settle
// bring the list up to date at the step's end, in this order; Begin adds contacts without an
// impact between Close and Settle.
type Contacts struct {
	list   []contact
	added  []contact // scratch of merge
	sorted int       // how many of list are in order: all but those that Begin has added
	parted []Pair    // those that Close has ended in this step
	sides  Adjacency
	stale  bool // sides doesn't belong to list any more
}

// Reset forgets what Close ended in the last step.
func (c *Contacts) Reset() { c.parted = c.parted[:0] }

// Len returns the number of open contacts.
func (c *Contacts) Len() int { return len(c.list) }

// Parted returns the contacts that ended in the step without an impact, because the two moved
// apart, by key.
func (c *Contacts) Parted() []Pair { return c.parted }

// MarkImpacts marks the impacts of a log that begin or end a contact. A contact begins with an
// impact, or with an entry that says so. It ends with an impact that bounces, or in Close.
func (c *Contacts) MarkImpacts(l *Log) {
	before := len(c.list)
	l.Each(func(e *Entry) {
		if e.Kind&Sensor == 0 && e.Kind&(Impact|Begin) != 0 && e.Kind&Bounce == 0 && !c.Has(e.A, e.B) {
			c.list = append(c.list, contact{key: KeyOf(e.A, e.B), pair: Pair{e.A, e.B}})
		}
	})
	if len(c.list) > before {
		c.merge(before)
	}
	c.sorted = len(c.list)
	c.stale = c.stale || len(c.list) > before
	l.Each(func(e *Entry) {
		if e.Kind&Sensor != 0 || e.Kind&(Impact|Begin) == 0 {
			return
		}
		e.Kind &^= Begin | End
		k := c.find(KeyOf(e.A, e.B))
		if k == nil || !k.open {
			e.Kind |= Begin
		}
		if e.Kind&Bounce != 0 {
			e.Kind |= End
		}
		if k != nil {
			k.open = e.Kind&Bounce == 0
		}
	})
}

// Close ends the open contacts for which lasts is false, and notes them as parted. It calls
// closed with those, and with the contacts that a bounce has ended. lasts gets the index of a
// contact in the list, too.
func (c *Contacts) Close(lasts func(k int, a, b int32) bool, closed func(a, b int32)) {
	kept := 0
	for k := range c.list {
		t := &c.list[k]
		if t.open && lasts(k, t.pair.A, t.pair.B) {
			if kept < k {
				c.list[kept] = *t
			}
			kept++
			continue
		}
		if t.open {
			c.parted = append(c.parted, t.pair)
		}
		closed(t.pair.A, t.pair.B)
	}
	c.stale = c.stale || kept < len(c.list)
	c.list = c.list[:kept]
	c.sorted = kept
}

// Has reports whether a contact was open after Close.
func (c *Contacts) Has(a, b int32) bool { return c.find(KeyOf(a, b)) != nil }

// Open returns the contacts that were open after Close, one for each k from 0 to Len()-1. Begin
// adds to them. Before Close, there are those that Close looks at.
func (c *Contacts) Open(k int) Pair { return c.list[k].pair }

// Begin adds a contact that is known to be open. Has doesn't see it before Settle.
func (c *Contacts) Begin(a, b int32) {
	c.list = append(c.list, contact{key: KeyOf(a, b), pair: Pair{a, b}, open: true})
	c.stale = true
}

// Settle puts the contacts that Begin has added in their places.
func (c *Contacts) Settle() {
	if len(c.list) > c.sorted {
		c.merge(c.sorted)
		c.sorted = len(c.list)
	}
}

// Of calls yield with everything that code touches, in the order of the contacts' keys. It looks
// at the contacts of code alone, apart from the first call after the list has changed. It returns
// false if yield did.
func (c *Contacts) Of(code int32, yield func(other int32) bool) bool {
	if c.stale {
		c.sides.Build(len(c.list), func(k int) Pair { return c.list[k].pair })
		c.stale = false
	}
	list := c.list // yield may remove contacts
	return c.sides.Each(code, func(k int) bool {
		if k >= len(list) {
			return false
		}
		other, ok := list[k].pair.Other(code)
		return !ok || yield(other)
	})
}

// Forget ends all contacts of code, and calls ended with each.
func (c *Contacts) Forget(code int32, ended func(a, b int32)) {
	was := len(c.list)
	c.list = slices.DeleteFunc(c.list, func(k contact) bool {
		if _, ok := k.pair.Other(code); !ok {
			return false
		}
		ended(k.pair.A, k.pair.B)
		return true
	})
	c.sorted = len(c.list)
	c.stale = c.stale || len(c.list) < was
}

// Other returns the other of two things, and false if code is neither.
func (p Pair) Other(code int32) (other int32, ok bool) {
	switch code {
	case p.A:
		return p.B, true
	case p.B:
		return p.A, true
	}
	return 0, false
}

// merge puts the contacts behind the first sorted ones, which are in order, in their places. It
// drops those that are in the list already, and all but the first of those with the same key.
func (c *Contacts) merge(sorted int) {
	added := append(c.added[:0], c.list[sorted:]...)
	c.list = c.list[:sorted]
	slices.SortStableFunc(added, func(a, b contact) int { return cmp.Compare(a.key, b.key) })
	fresh := added[:0]
	at := 0
	for k := range added {
		key := added[k].key
		for at < sorted && c.list[at].key < key {
			at++
		}
		if at < sorted && c.list[at].key == key || len(fresh) > 0 && fresh[len(fresh)-1].key == key {
			continue
		}
		fresh = append(fresh, added[k])
	}
	c.added = added[:0]
	c.list = append(c.list, fresh...)
	// From the back, so that nothing is overwritten that is still to be moved.
	i, j := sorted-1, len(fresh)-1
	for k := len(c.list) - 1; j >= 0; k-- {
		if i >= 0 && c.list[i].key > fresh[j].key {
			c.list[k] = c.list[i]
			i--
		} else {
			c.list[k] = fresh[j]
			j--
		}
	}
}

// find returns the contact with a key, or nil. It is a binary search, written out because each
// comparison of slices.BinarySearchFunc is a call.
func (c *Contacts) find(key PairKey) *contact {
	sorted := c.list[:c.sorted]
	from, to := 0, len(sorted)
	for from < to {
		if middle := int(uint(from+to) >> 1); sorted[middle].key < key {
			from = middle + 1
		} else {
			to = middle
		}
	}
	if from < len(sorted) && sorted[from].key == key {
		return &sorted[from]
	}
	return nil
}
