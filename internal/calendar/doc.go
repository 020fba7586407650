// Package calendar is the priority queue of a step's events, ordered by time.
//
// It is a bucket queue on two levels. The step is divided into several times as many buckets as
// there are bodies, and the buckets are grouped into blocks of 128. Events of a later block wait
// there without order. The current block and the next one are distributed to their buckets, and
// only the events of the current bucket form a heap. Adding and removing an event therefore cost
// the same however many events wait. Waiting events are written and read in the order of memory,
// and everything that is accessed at random fits the first-level cache.
//
// Read calendar.go, then upcoming.go, which looks ahead for prefetching, and debug_on.go, the
// checks of the debug build.
package calendar
