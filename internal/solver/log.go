package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
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
		b = surfaceCode - (b - exitCode)
	}
	return eventlog.KeyOf(s.infos[e.A].id, b)
}

// logImpact counts an impact of body i with code and logs it. In a parallel step several spaces see
// the same impact: it is logged by the one that owns teller, a body whose path the impact changes.
func (s *Space) logImpact(
	i, code, teller int32, t float64, point, n collide.Vec3, approach, impulse float64, bounced bool,
) {
	if !s.owns(teller) {
		return
	}
	s.Counts.Impacts++
	e := s.log.Add()
	e.Time, e.Point, e.Normal, e.Approach, e.Impulse = t, point, n, approach, impulse
	e.A, e.B, e.Kind, e.Round, e.Key = s.infos[i].id, code, eventlog.Impact, s.round(), s.dueKey
	if bounced {
		// A contact of its own, unless the two touched before: see eventlog.Contacts.Follow.
		e.Kind |= eventlog.Bounce | eventlog.Begin | eventlog.End
	} else {
		s.Counts.inelastic++
	}
}

// logSensorEvent logs that body i enters or leaves a sensor.
func (s *Space) logSensorEvent(i, sensor int32, t float64, kind eventlog.Kind) {
	b := &s.bodies[i]
	p := b.at(t)
	var n collide.Vec3
	if sensor >= 0 {
		n, _ = p.Sub(s.bodies[s.index[sensor]].at(t)).Normalized()
	} else {
		n = s.statics.At(surfaceCode - sensor).Plane.Normal
	}
	if s.owns(i) {
		s.Counts.sensorEvents++
		*s.log.Add() = eventlog.Entry{
			Time: t, Point: p.AddScaled(-b.radius, n), Normal: n, A: s.infos[i].id, B: sensor, Kind: kind,
			Round: s.round(), Key: s.dueKey,
		}
	}
	if s.subdomain != nil {
		s.subdomain.recordSensorEvent(i, sensor, kind, t)
	}
}
