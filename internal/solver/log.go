package solver

import (
	"math"

	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/eventlog"
)

// Log returns what happened in the last step, in chronological order. The slice is valid until
// the next step.
func (s *Space) Log() []eventlog.Entry { return s.log.Entries() }

// Parted returns the contacts that ended in the last step without an impact, because the two
// moved apart.
func (s *Space) Parted() []eventlog.Pair { return s.openContacts.Parted() }

// round returns 1 plus the round of the calendar event that is being processed.
func (s *Space) round() uint16 { return uint16(min(s.calendar.Round()+1, math.MaxUint16)) }

// tied is the order of events of the same time, round and key. Such events come from bodies that
// are alike in everything and in the same place.
func (s *Space) tied(e, f calendar.Event) bool { return s.namesOf(&e) < s.namesOf(&f) }

// namesOf returns the ids and codes of the two sides of an event: the same as those of its entry
// in the log.
func (s *Space) namesOf(e *calendar.Event) eventlog.PairKey {
	b := e.B
	switch {
	case b >= 0:
		b = s.infos[b].id
	case b < maxExitCode:
		b = codeOf(b - exitCode)
	default:
		b = s.ownerOf(b)
	}
	return eventlog.KeyOf(s.infos[e.A].id, b)
}
