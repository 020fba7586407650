package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/internal/eventlog"
)

// sensorOverlap is a visitor's stay in a sensor.
type sensorOverlap struct {
	sensor  int32 // a body's id, or a surface's code
	visitor int32 // a body's id; -1 in a place that is free
	next    int32 // the visitor's next stay
}

// isInSensor reports whether body i is in sensor.
func (s *Space) isInSensor(i, sensor int32) bool {
	for at := s.infos[i].overlaps; at >= 0; at = s.sensorOverlaps[at].next {
		if s.sensorOverlaps[at].sensor == sensor {
			return true
		}
	}
	return false
}

// visitor returns which of two bodies is a visitor and which the sensor, and false where no visit counts.
func (s *Space) visitor(i, j int32) (visitor, sensor int32, ok bool) {
	if s.infos[i].material.Sensor {
		i, j = j, i
	}
	return i, j, !s.infos[i].material.Sensor && s.infos[i].kind != Static
}

// predictSensorEntry adds the time when a body enters a sensor, the other body, to the calendar.
func (s *Space) predictSensorEntry(i, j int32, now float64) {
	i, j, ok := s.visitor(i, j)
	if !ok || s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	a, b, c, root, deep := s.approach(i, j)
	if s.isInSensor(i, s.infos[j].id) && !(now == 0 && s.outside(i, j, c)) {
		return
	}
	if now == 0 && deep { // it starts inside
		s.push(0, i, j)
		return
	}
	if b >= 0 || !(root > 0) {
		return
	}
	t := c / (math.Sqrt(root) - b)
	if t > s.Seconds || t < now && b+float64(a*now) >= 0 {
		return
	}
	s.push(max(t, now), i, j)
}

// approach returns the coefficients of |d + t·w|² - r² = a t² + 2b t + c, its discriminant, and whether the two are inside
// each other at the start of the step by more than rounding.
func (s *Space) approach(i, j int32) (a, b, c, root float64, deep bool) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	d, w := bi.x.Sub(bj.x), bi.v.Sub(bj.v)
	r := bi.radius + bj.radius
	rr := float64(r * r)
	a, b, c = w.Dot(w), d.Dot(w), d.Dot(d)-rr
	n := d.Cross(w)
	return a, b, c, float64(a*rr) - n.Dot(n), c < -float64(overlapTolerance*rr)
}

// outside reports whether two bodies start apart by more than rounding, c being the excess of their squared distance.
func (s *Space) outside(i, j int32, c float64) bool {
	r := s.bodies[i].radius + s.bodies[j].radius
	return c > float64(overlapTolerance*float64(r*r))
}

// predictSensorExits adds the times when body i leaves the sensors that it is in to the calendar.
func (s *Space) predictSensorExits(i int32, now float64) {
	for at := s.infos[i].overlaps; at >= 0; {
		sensor := s.sensorOverlaps[at].sensor
		at = s.sensorOverlaps[at].next
		if sensor >= 0 && s.subdomain != nil && !s.hasBody(sensor) {
			s.subdomain.invalidate()
			continue
		}
		m := s.Material(sensor)
		if !m.Sensor || s.infos[i].material.Sensor || s.infos[i].kind == Static || !s.infos[i].material.collides(&m) {
			s.endedOverlaps = append(s.endedOverlaps, endedOverlap{i, sensor, s.pathIDs[i].key}) // the game has made it something else
			continue
		}
		if sensor >= 0 {
			if t := s.leavesAt(i, s.index[sensor], now); t <= s.Seconds {
				s.push(t, s.index[sensor], i) // the sensor first: that is how collide knows
			}
			continue
		}
		k := surfaceCode - sensor
		if t := s.leavesSurfaceAt(i, k, now); t <= s.Seconds {
			s.push(t, i, exitCode+k)
		}
	}
}

// leavesAt returns when body i has left body j, at the earliest now.
func (s *Space) leavesAt(i, j int32, now float64) float64 {
	a, b, c, root, _ := s.approach(i, j)
	if now == 0 && s.outside(i, j, c) {
		return now // the game has moved it out: that it may come in again is another visit
	}
	if !(root > 0) {
		if c+float64(now*(2*b+float64(a*now))) > 0 { // it isn't inside any more
			return now
		}
		return math.Inf(1)
	}
	q := math.Sqrt(root)
	if b > 0 {
		return max(now, -c/(b+q))
	}
	return max(now, (q-b)/a)
}

// predictSurfaceSensors puts in the calendar when body i enters a surface that is a sensor.
func (s *Space) predictSurfaceSensors(i int32, now float64) {
	b := &s.bodies[i]
	if len(s.statics.Sensors()) == 0 || s.infos[i].material.Sensor || s.infos[i].kind == Static {
		return
	}
	for _, k := range s.statics.Sensors() {
		code := surfaceCode - k
		if !s.infos[i].material.collides(&s.surfaces[k].material) || s.isInSensor(i, code) || s.vetoed(s.infos[i].id, code) {
			continue
		}
		height, rate := s.statics.At(k).Height(b.x, b.v, now)
		gap := height - b.radius
		switch {
		case gap < -float64(overlapTolerance*b.radius): // it starts inside
			s.push(now, i, code)
		case rate < 0 && gap+float64(rate*(s.Seconds-now)) <= 0:
			s.push(now+max(0, gap/-rate), i, code)
		}
	}
}

// leavesSurfaceAt returns when body i has left surface k, at the earliest now.
func (s *Space) leavesSurfaceAt(i, k int32, now float64) float64 {
	b, f := &s.bodies[i], s.statics.At(k)
	height, rate := f.Height(b.x, b.v, now)
	gap := height - b.radius
	switch {
	case gap > float64(touchTolerance*b.radius):
		return now
	case rate > 0:
		return now + max(0, -gap/rate)
	case rate < 0 && f.TwoSided:
		return now + (height+b.radius)/-rate // through to the other side
	}
	return math.Inf(1)
}

// enterOrLeaveSensor begins the stay of one of two bodies in the other, or in a surface: i comes first. If the sensor comes first, the stay
// ends instead.
func (s *Space) enterOrLeaveSensor(i, b int32, t float64) {
	if s.infos[i].material.Sensor {
		s.leaveSensor(b, s.infos[i].id, t)
		return
	}
	code := b
	if b >= 0 {
		code = s.infos[b].id
	}
	if s.isInSensor(i, code) {
		return
	}
	s.addOverlap(i, code)
	s.logSensorEvent(i, code, t, eventlog.Begin|eventlog.Sensor)
	s.predictSensorExits(i, t)
}

// addOverlap puts a stay into the list of body i.
func (s *Space) addOverlap(i, sensor int32) {
	f := &s.infos[i]
	s.flags[i] &^= unchanged
	at := int32(len(s.sensorOverlaps))
	if n := len(s.freeOverlaps); n > 0 {
		at = s.freeOverlaps[n-1]
		s.freeOverlaps = s.freeOverlaps[:n-1]
	} else {
		s.sensorOverlaps = append(s.sensorOverlaps, sensorOverlap{})
	}
	s.sensorOverlaps[at] = sensorOverlap{sensor: sensor, visitor: f.id, next: f.overlaps}
	f.overlaps = at
	s.overlapsChanged = true
}

// leaveSensor ends the stay of body i in sensor, a body's id or a surface's code.
func (s *Space) leaveSensor(i, sensor int32, t float64) {
	if s.endOverlap(i, sensor) {
		s.logSensorEvent(i, sensor, t, eventlog.End|eventlog.Sensor)
	}
}

// endedOverlap is a stay of a body in a sensor that isn't one any more, or not for that body, and the key of the body's path.
type endedOverlap struct {
	visitor, sensor int32
	key             uint32
}

// leaveEndedSensors ends the stays that the game has ended by making something else of visitor or sensor, before the step's first event.
func (s *Space) leaveEndedSensors() {
	slices.SortFunc(s.endedOverlaps, func(a, b endedOverlap) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(eventlog.KeyOf(s.infos[a.visitor].id, a.sensor), eventlog.KeyOf(s.infos[b.visitor].id, b.sensor)))
	})
	for _, k := range s.endedOverlaps {
		s.dueKey = k.key
		s.leaveSensor(k.visitor, k.sensor, 0)
	}
}

// endOverlap removes the stay of body i in sensor, if there is one.
func (s *Space) endOverlap(i, sensor int32) bool {
	for at := s.infos[i].overlaps; at >= 0; at = s.sensorOverlaps[at].next {
		if s.sensorOverlaps[at].sensor == sensor {
			s.removeOverlap(at)
			return true
		}
	}
	return false
}

// removeOverlap takes a stay out of its visitor's list.
func (s *Space) removeOverlap(at int32) {
	k := &s.sensorOverlaps[at]
	link := &s.infos[s.index[k.visitor]].overlaps
	for *link != at {
		link = &s.sensorOverlaps[*link].next
	}
	*link = k.next
	*k = sensorOverlap{visitor: -1}
	s.freeOverlaps = append(s.freeOverlaps, at)
	s.overlapsChanged = true
}
