package eventlog

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Entry is one event of a step: an impact, the beginning or end of a contact, or of an overlap
// with a sensor.
type Entry struct {
	Time     float64      // seconds since the step began
	Point    collide.Vec3 // where the two touch
	Normal   collide.Vec3 // unit length, from B towards A
	Approach float64      // closing speed along Normal before the impact, m/s, at least 0
	Impulse  float64      // along Normal on A, N·s
	A, B     int32        // codes. A is a body; with a sensor it is the body that is in it, and B the sensor
	Kind     Kind
	Round    uint16 // 1 + the round of the calendar event behind it; 0 for what was found before all events
	Key      uint32 // of that event: it decides which of two events of the same time and round comes first
}

// Kind says what an entry is about. The bits are combined: an impact may begin a contact and end
// it.
type Kind uint8

// The bits of a Kind.
const (
	Impact Kind = 1 << iota // the two met, or pressed on each other from the step's beginning
	Begin                   // they touch or overlap from now on
	End                     // they don't from now on
	Sensor                  // B is a sensor
	Bounce                  // an impact after which the two part at once
)

// PairKey names two things, whichever of them is mentioned first.
type PairKey uint64

// KeyOf returns the key of two things. Keys are ordered by the larger code first, as an unsigned
// number.
func KeyOf(a, b int32) PairKey {
	if a < b {
		a, b = b, a
	}
	return PairKey(uint32(a))<<32 | PairKey(uint32(b))
}

// Compare is the chronological order of entries. At equal times the calendar's order decides:
// rounds, then keys.
func (e *Entry) Compare(o *Entry) int {
	switch {
	case e.Time != o.Time:
		return cmp.Compare(e.Time, o.Time)
	case e.Round != o.Round:
		return cmp.Compare(e.Round, o.Round)
	case e.Key != o.Key:
		return cmp.Compare(e.Key, o.Key)
	}
	return cmp.Compare(KeyOf(e.A, e.B), KeyOf(o.A, o.B))
}

// Log holds the entries of one step. The zero value is an empty log.
//
// Entries that are added one by one must come in chronological order, with two exceptions: Sort
// orders those added so far, and each call of AddRun appends a sorted run of its own, the log of
// one subdomain of a parallel step. The runs are merged when the order is first asked for.
type Log struct {
	entries []Entry
	runs    []int // where each run ends; empty if all entries are in order
	first   int   // where the first run begins
	merged  []Entry
	heads   []int
}

// Reset empties the log.
func (l *Log) Reset() { l.entries, l.runs, l.first = l.entries[:0], l.runs[:0], 0 }

// Len returns the number of entries.
func (l *Log) Len() int { return len(l.entries) }

// Add appends an empty entry, to be filled in place because entries are large. The pointer is
// valid until the next Add.
func (l *Log) Add() *Entry {
	l.entries = append(l.entries, Entry{})
	return &l.entries[len(l.entries)-1]
}

// Sort puts the entries in chronological order. No runs may have been added yet.
func (l *Log) Sort() { SortEntries(l.entries) }

// SortFrom puts the entries from number k on in chronological order. They must have been added
// since the last run.
func (l *Log) SortFrom(k int) { SortEntries(l.entries[k:]) }

// SortEntries puts entries of any origin in chronological order.
func SortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return a.Compare(&b) })
}

// Insert puts more entries, which are in chronological order, where they belong: after those of
// the same time.
func (l *Log) Insert(more []Entry) {
	if len(more) == 0 {
		return
	}
	l.Entries()
	k := len(l.entries) - 1
	l.entries = append(l.entries, more...)
	for at := len(l.entries) - 1; len(more) > 0; at-- {
		if last := len(more) - 1; k < 0 || l.entries[k].Time <= more[last].Time {
			l.entries[at], more = more[last], more[:last]
		} else {
			l.entries[at] = l.entries[k]
			k--
		}
	}
}

// AddRun appends the entries of another log, which are in order among themselves but not with
// other runs. All entries that were added before the first run come before all runs, and those
// added after the last run come after all.
func (l *Log) AddRun(from *Log) {
	if len(l.runs) == 0 {
		l.first = len(l.entries)
	}
	l.entries = append(l.entries, from.entries...)
	l.runs = append(l.runs, len(l.entries))
}

// Entries returns all entries in chronological order. The slice is valid until the log changes.
func (l *Log) Entries() []Entry {
	if len(l.runs) > 0 {
		out := l.merged[:0]
		l.Each(func(e *Entry) { out = append(out, *e) })
		l.entries, l.merged = out, l.entries
		l.runs, l.first = l.runs[:0], 0
	}
	return l.entries
}

// Each calls yield with all entries in chronological order. It merges the runs on the way,
// without copying entries.
func (l *Log) Each(yield func(e *Entry)) {
	from, heads := l.first, l.heads[:0]
	for k := range from {
		yield(&l.entries[k])
	}
	for _, end := range l.runs {
		heads = append(heads, from)
		from = end
	}
	l.heads = heads
	for {
		var first *Entry
		run := -1
		for k, at := range heads {
			if at == l.runs[k] {
				continue
			}
			if e := &l.entries[at]; run < 0 || e.Compare(first) < 0 {
				first, run = e, k
			}
		}
		if run < 0 {
			break
		}
		heads[run]++
		yield(first)
	}
	for k := from; k < len(l.entries); k++ { // without runs, this is all of them
		yield(&l.entries[k])
	}
}
