package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/statics"
)

// sensorOverlap is an overlap of a body or a surface (the visitor) with a sensor. It lasts from
// entry to exit, over any number of steps.
type sensorOverlap struct {
	sensor  int32 // a body's id, or a surface's code
	visitor int32 // a body's id or a surface's code; noVisitor if this element is unused
	next    int32 // index of the visitor's next overlap; -1 for none
}

// noVisitor is no id and no code.
const noVisitor = int32(-1)

// overlapsFrom returns where the list of the sensors begins that a visitor is in.
func (s *Space) overlapsFrom(visitor int32) *int32 {
	if visitor <= surfaceCode {
		return &s.surfaces[surfaceOf(visitor)].overlaps
	}
	return &s.infos[s.index[visitor]].overlaps
}

// countSensor keeps count of the bodies that are sensors: body i will be one, or not.
func (s *Space) countSensor(i int32, will bool) {
	was := &s.infos[i].material.Sensor
	if *was && !will {
		s.sensorBodies--
	} else if !*was && will {
		s.sensorBodies++
	}
	*was = will
}

// isInside reports whether a visitor overlaps a sensor, each a body's id or a surface's code.
func (s *Space) isInside(visitor, sensor int32) bool {
	for at := *s.overlapsFrom(visitor); at >= 0; at = s.sensorOverlaps[at].next {
		if s.sensorOverlaps[at].sensor == sensor {
			return true
		}
	}
	return false
}

// visitor returns which of two bodies is the visitor and which is the sensor. It returns false if
// their overlap is not reported: both are sensors, or the visitor is static.
func (s *Space) visitor(i, j int32) (visitor, sensor int32, ok bool) {
	if s.infos[i].material.Sensor {
		i, j = j, i
	}
	return i, j, !s.infos[i].material.Sensor && s.infos[i].kind != Static
}

// predictSensorEntry adds the time at which one of two bodies enters the other, a sensor, to the
// calendar.
func (s *Space) predictSensorEntry(i, j int32, now float64) {
	i, j, ok := s.visitor(i, j)
	if !ok || s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	if !s.areSpheres(i, j) {
		s.predictShapeEntry(i, j, now)
		return
	}
	a, b, c, root, inside := s.approach(i, j)
	if s.isInside(s.infos[i].id, s.infos[j].id) && !(now == 0 && s.outside(i, j, c)) {
		return
	}
	if now == 0 && inside {
		s.push(0, i, j)
		return
	}
	if arc, ok := s.arcBetween(i, j); ok {
		if t, ok := s.meetOnArc(i, j, &arc, now); ok {
			s.push(t, i, j)
		}
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

// approach returns the coefficients of |d + t·w|² - r² = a·t² + 2b·t + c, where d and w are the
// relative position at time 0 and velocity of two bodies and r is the sum of their radii. It also
// returns the discriminant b² - a·c, computed without cancellation, and whether the two overlap at
// the start of the step by more than rounding.
func (s *Space) approach(i, j int32) (a, b, c, root float64, inside bool) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	d, w := bi.x.Sub(bj.x), bi.v.Sub(bj.v)
	r := bi.radius + bj.radius
	rr := float64(r * r)
	a, b, c = w.Dot(w), d.Dot(w), d.Dot(d)-rr
	n := d.Cross(w)
	return a, b, c, float64(a*rr) - n.Dot(n), c < -float64(overlapTolerance*rr)
}

// outside reports whether two bodies are apart at the start of the step by more than rounding. c is
// their squared distance minus the square of the sum of their radii.
func (s *Space) outside(i, j int32, c float64) bool {
	r := s.bodies[i].radius + s.bodies[j].radius
	return c > float64(overlapTolerance*float64(r*r))
}

// predictSensorExits adds the times at which body i leaves the sensors that it overlaps to the
// calendar.
func (s *Space) predictSensorExits(i int32, now float64) {
	for at := s.infos[i].overlaps; at >= 0; at = s.sensorOverlaps[at].next {
		s.predictSensorExit(i, s.sensorOverlaps[at].sensor, now)
	}
}

// predictSensorExit adds the time at which body i leaves a sensor that it overlaps, a body's id or
// a surface's code, to the calendar.
func (s *Space) predictSensorExit(i, sensor int32, now float64) {
	if sensor >= 0 && s.subdomain != nil && !s.hasBody(sensor) {
		s.subdomain.invalidate()
		return
	}
	m := s.materialOf(sensor)
	if !m.Sensor || s.infos[i].material.Sensor || s.infos[i].kind == Static || !s.infos[i].material.collides(m) {
		// The game has changed one of the two, and the overlap is not reported any longer.
		s.endedOverlaps = append(s.endedOverlaps, endedOverlap{i, sensor, s.pathIDs[i].Key})
		return
	}
	if sensor >= 0 {
		if t := s.leavesAt(i, s.index[sensor], now); t <= s.Seconds {
			s.push(t, s.index[sensor], i) // the sensor comes first: see enterOrLeaveSensor
		}
		return
	}
	k := surfaceOf(sensor)
	if t := s.leavesSurfaceAt(i, k, now); t <= s.Seconds {
		s.push(t, i, exitCode+k)
	}
}

// predictVisitorExits adds the times at which bodies leave a sensor, a body's id or a surface's
// code, to the calendar: its path has changed at time now, and the predictions for the old one are
// void.
func (s *Space) predictVisitorExits(sensor int32, now float64) {
	for at := range s.sensorOverlaps {
		if k := &s.sensorOverlaps[at]; k.sensor == sensor && k.visitor >= 0 {
			s.predictSensorExit(s.index[k.visitor], sensor, now)
		}
	}
}

// leavesAt returns the time at which body i leaves body j, a sensor, at the earliest now; infinity
// if it does not.
func (s *Space) leavesAt(i, j int32, now float64) float64 {
	if !s.areSpheres(i, j) {
		return s.shapeLeavesAt(i, j, now)
	}
	a, b, c, root, _ := s.approach(i, j)
	if now == 0 && s.outside(i, j, c) {
		return now // the game has moved it out; if it enters again, that is another overlap
	}
	if arc, ok := s.arcBetween(i, j); ok {
		if t, ok := s.leaveOnArc(i, j, &arc, now); ok {
			return t
		}
		return math.Inf(1)
	}
	if !(root > 0) {
		if c+float64(now*(2*b+float64(a*now))) > 0 { // it is outside already
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

// predictSurfaceSensors adds the times at which body i enters surfaces that are sensors to the
// calendar.
func (s *Space) predictSurfaceSensors(i int32, now float64) {
	b := &s.bodies[i]
	if !s.statics.HasSensors() || s.infos[i].material.Sensor || s.infos[i].kind == Static {
		return
	}
	ball := collide.Sphere{Center: s.at(i, now), Radius: b.radius + s.bulge}
	s.statics.EachSensorNear(collide.SweptAABB(ball, b.v, s.Seconds-now), func(k int32) {
		code := codeOf(k)
		flat := s.statics.At(k).Kind() == statics.Plane
		if !s.infos[i].material.collides(&s.surfaces[k].material) || s.vetoed(s.infos[i].id, code) ||
			s.isInside(s.infos[i].id, code) && (flat || now > 0 || !s.isOutside(i, k)) {
			return
		}
		if !flat {
			if t := s.entersShapeAt(i, k, now); t <= s.Seconds {
				s.push(t, i, code)
			}
			return
		}
		height, rate, a := s.heightAbove(i, k, now)
		_, half := s.extent(i, s.statics.At(k).Plane.Normal)
		gap := height - half
		switch {
		case gap < -float64(overlapTolerance*b.radius):
			s.push(now, i, code)
		case a != 0:
			if wait, ok := statics.TimeToPlane(gap, rate, a, s.Seconds-now, 0); ok {
				s.push(now+wait, i, code)
			}
		case rate < 0 && gap+float64(rate*(s.Seconds-now)) <= 0:
			s.push(now+max(0, gap/-rate), i, code)
		}
	})
}

// heightAbove returns the height of the middle of body i above surface k, a plane, at time t, how
// fast it grows, m/s, and how fast that grows, m/s², which is 0 on a straight path.
func (s *Space) heightAbove(i, k int32, t float64) (height, rate, a float64) {
	b, f := &s.bodies[i], s.statics.At(k)
	c, ok := s.arcOf(i)
	if !ok {
		middle, _ := s.extent(i, f.Plane.Normal)
		height, rate = f.Height(b.x.Add(middle), b.v, t)
		return height, rate, 0
	}
	v := c.Velocity(t)
	height, rate = f.Height(c.At(t).AddScaled(-t, v), v, t)
	a = f.Plane.Normal.Dot(c.A)
	if f.NormalTo(c.At(t), t) != f.Plane.Normal {
		a = -a
	}
	return height, rate, a
}

// leavesSurfaceAt returns the time at which body i leaves surface k, a sensor, at the earliest now;
// infinity if it does not.
func (s *Space) leavesSurfaceAt(i, k int32, now float64) float64 {
	b, f := &s.bodies[i], s.statics.At(k)
	if f.Kind() != statics.Plane {
		return s.leavesShapeAt(i, k, now)
	}
	height, rate, a := s.heightAbove(i, k, now)
	_, half := s.extent(i, f.Plane.Normal)
	gap := height - half
	switch {
	case gap > float64(touchTolerance*b.radius):
		return now
	case a != 0:
		leaves := math.Inf(1)
		if wait, ok := statics.TimeToPlane(-gap, -rate, -a, s.Seconds-now, 0); ok {
			leaves = now + wait
		}
		if f.TwoSided { // on the other side
			if wait, ok := statics.TimeToPlane(height+half, rate, a, s.Seconds-now, 0); ok {
				leaves = min(leaves, now+wait)
			}
		}
		return leaves
	case rate > 0:
		return now + max(0, -gap/rate)
	case rate < 0 && f.TwoSided:
		return now + (height+half)/-rate // on the other side
	}
	return math.Inf(1)
}

// enterOrLeaveSensor processes the entry of body i into a sensor, or its exit if i is the sensor.
// The other side is b: a body's index or a surface's code. The order in which the two are in the
// calendar tells entries from exits.
func (s *Space) enterOrLeaveSensor(i, b int32, t float64) {
	if s.infos[i].material.Sensor {
		s.leaveSensor(b, s.infos[i].id, t)
		if s.bend(i) != s.bend(b) { // its arc may lead back
			s.predictSensorEntry(i, b, t)
		}
		return
	}
	code := b
	if b >= 0 {
		code = s.infos[b].id
	}
	if s.isInside(s.infos[i].id, code) {
		return
	}
	s.addOverlap(s.infos[i].id, code)
	s.logSensorEvent(i, code, t, eventlog.Begin|eventlog.Sensor)
	s.predictSensorExits(i, t)
}

// addOverlap adds a sensor overlap to the list of a visitor. Each of the two is a body's id or a
// surface's code.
func (s *Space) addOverlap(visitor, sensor int32) {
	if visitor >= 0 {
		s.flags[s.index[visitor]] &^= unchanged
	}
	first := s.overlapsFrom(visitor)
	at := int32(len(s.sensorOverlaps))
	if n := len(s.freeOverlaps); n > 0 {
		at = s.freeOverlaps[n-1]
		s.freeOverlaps = s.freeOverlaps[:n-1]
	} else {
		s.sensorOverlaps = append(s.sensorOverlaps, sensorOverlap{})
	}
	s.sensorOverlaps[at] = sensorOverlap{sensor: sensor, visitor: visitor, next: *first}
	*first = at
	s.overlapsChanged = true
}

// leaveSensor ends the overlap of body i with sensor, a body's id or a surface's code, and logs it.
func (s *Space) leaveSensor(i, sensor int32, t float64) {
	if s.endOverlap(s.infos[i].id, sensor) {
		s.logSensorEvent(i, sensor, t, eventlog.End|eventlog.Sensor)
	}
}

// endedOverlap is an overlap that the game has ended, by changing the visitor or the sensor so that
// they no longer interact. visitor is a body's index, sensor an id or a surface's code, and key the
// tie-breaking key of the visitor's path.
type endedOverlap struct {
	visitor, sensor int32
	key             uint32
}

// leaveEndedSensors ends the overlaps that the game has ended, before the first event of the step.
func (s *Space) leaveEndedSensors() {
	slices.SortFunc(s.endedOverlaps, func(a, b endedOverlap) int {
		ids := func(k *endedOverlap) eventlog.PairKey { return eventlog.KeyOf(s.infos[k.visitor].id, k.sensor) }
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(ids(&a), ids(&b)))
	})
	for _, k := range s.endedOverlaps {
		s.dueKey = k.key
		s.leaveSensor(k.visitor, k.sensor, 0)
	}
}

// endOverlap removes the overlap of a visitor with a sensor, and reports whether there was one.
func (s *Space) endOverlap(visitor, sensor int32) bool {
	for at := *s.overlapsFrom(visitor); at >= 0; at = s.sensorOverlaps[at].next {
		if s.sensorOverlaps[at].sensor == sensor {
			s.removeOverlap(at)
			return true
		}
	}
	return false
}

// removeOverlap removes the overlap with index at from its visitor's list.
func (s *Space) removeOverlap(at int32) {
	k := &s.sensorOverlaps[at]
	link := s.overlapsFrom(k.visitor)
	for *link != at {
		link = &s.sensorOverlaps[*link].next
	}
	*link = k.next
	*k = sensorOverlap{visitor: noVisitor}
	s.freeOverlaps = append(s.freeOverlaps, at)
	s.overlapsChanged = true
}

// logSensorEvent logs the beginning or the end of an overlap of body i with sensor, a body's id or
// a surface's code.
func (s *Space) logSensorEvent(i, sensor int32, t float64, kind eventlog.Kind) {
	var n collide.Vec3
	switch {
	case sensor >= 0:
		n = s.normalBetween(i, s.index[sensor], t)
	case s.kindOf(sensor) == statics.Plane:
		n = s.statics.At(surfaceOf(sensor)).Plane.Normal
	default:
		_, n = s.gapAt(i, s.at(i, t), surfaceOf(sensor), t)
	}
	if s.owns(i) {
		s.Counts.sensorEvents++
		*s.log.Add() = eventlog.Entry{
			Time: t, Point: s.contactPoint(i, sensor, n, t), Normal: n,
			A: s.infos[i].id, B: sensor, Kind: kind, Round: s.round(), Key: s.dueKey,
		}
	}
	if s.subdomain != nil {
		s.subdomain.recordSensorEvent(i, sensor, kind, t)
	}
}
