package solver

import (
	"unsafe"

	"github.com/dango-physics/dango/internal/prefetch"
)

// A world of many bodies doesn't fit the caches. Each event then begins with a chain of cache
// misses: the entry of the calendar, its bodies, their cells. So while one event is processed, the
// data of events that are due soon are prefetched. Prefetching changes no result.
const (
	// prefetchFrom is the number of bodies from which prefetching pays. A step of 100,000 bodies
	// took 20 % less time with it, and one of 10,000 took 18 % more.
	prefetchFrom = 20000

	// Bodies are prefetched when their event is in one of the next bodyBuckets buckets of the
	// calendar, and then their cells when it is in one of the next cellBuckets. On average every
	// seventh bucket has an event. Up to four times as many made no difference.
	cellBuckets, bodyBuckets = 16, 40

	// prefetchContactsFrom is the number of contacts from which loops over contacts and their
	// bodies prefetch what they read of the bodies, contactsAhead before. A step of a heap of
	// 10,000 balls, with 25,000 contacts, takes 3 to 5 % less time.
	prefetchContactsFrom, contactsAhead = 8192, 8
)

// prefetched is how far in the calendar bodies and cells have been prefetched, in buckets.
type prefetched struct{ bodies, cells uint }

// prefetch prefetches what the events that are due soon will read.
func (s *Space) prefetch() {
	for {
		e := s.calendar.Upcoming(&s.prefetched.bodies, bodyBuckets)
		if e == nil {
			break
		}
		s.prefetchBody(e.A)
		if e.B >= 0 {
			s.prefetchBody(e.B)
		}
	}
	for {
		e := s.calendar.Upcoming(&s.prefetched.cells, cellBuckets)
		if e == nil {
			break
		}
		if s.pathIDs[e.A].Stamp == e.StampA {
			s.grid.PrefetchNeighbors(e.A)
		}
	}
}

func (s *Space) prefetchBody(i int32) {
	prefetch.Lines(
		unsafe.Pointer(&s.pathIDs[i]), unsafe.Pointer(&s.bodies[i]), unsafe.Pointer(&s.infos[i]),
		s.grid.LocationAddress(i))
}

// prefetchesContacts reports whether loops over all contacts, or over their bodies, prefetch what
// they read of the bodies.
func (s *Space) prefetchesContacts() bool {
	return prefetch.Works && len(s.solverContacts) >= prefetchContactsFrom
}

// prefetchContact prefetches the bodies of contact k, if there is one.
func (s *Space) prefetchContact(k int) {
	if k >= len(s.solverContacts) {
		return
	}
	c := &s.solverContacts[k]
	i, j := s.index[c.a], s.index[max(c.b, 0)]
	prefetch.Lines(
		unsafe.Pointer(&s.bodies[i]), unsafe.Pointer(&s.infos[i]), unsafe.Pointer(&s.bodies[j]),
		unsafe.Pointer(&s.infos[j]))
}

// prefetchContactBody prefetches number k of the contact solver, if there is one.
func (s *Space) prefetchContactBody(k int) {
	if k >= len(s.contactBodies) {
		return
	}
	i := s.contactBodies[k].index
	prefetch.Lines(unsafe.Pointer(&s.bodies[i]), unsafe.Pointer(&s.infos[i]))
}
