package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
)

// Kinematic surfaces and characters in sensors. Nothing in the step depends on them, so they are
// found when it is over: each has moved from where it was to where it is, along a straight line.

// Visitor is the shape of something kinematic where it is when the step has ended. All questions
// are about it moved by shift, and a body or surface where that is at the end.
type Visitor interface {
	// SensorGap returns the gap to a body or surface.
	SensorGap(h Handle, shift collide.Vec3) collide.Gap

	// MeetsSensor returns after how many seconds the visitor first touches a body or surface if it
	// moves at v, and false if it doesn't within the given seconds.
	MeetsSensor(h Handle, shift, v collide.Vec3, seconds float64) (float64, bool)
}

// HasSensors reports whether there are sensors, or overlaps with former ones.
func (s *Space) HasSensors() bool {
	return s.sensorBodies > 0 || s.statics.HasSensors() || len(s.sensorOverlaps) > len(s.freeOverlaps)
}

// CompareWithSensors finds the sensors that something kinematic has entered and left in the last
// step, and notes that. It moved by travel, and path contains it at all times. FinishSensors comes
// after all calls.
func (s *Space) CompareWithSensors(h Handle, path collide.AABB, travel collide.Vec3, shape Visitor) {
	code := int32(h)
	if h.IsSurface() {
		s.surfaces[h.Surface()].comparedInStep = s.stepNumber
	}
	near := s.sensorsNear[:0]
	s.eachNearInStep(path, func(i int32) {
		if s.flags[i]&alive != 0 && s.infos[i].material.Sensor && s.infos[i].id != code {
			near = append(near, s.infos[i].id)
		}
	})
	s.statics.EachSensorNear(path, func(k int32) { near = append(near, codeOf(k)) })
	for at := *s.overlapsFrom(code); at >= 0; at = s.sensorOverlaps[at].next {
		near = append(near, s.sensorOverlaps[at].sensor)
	}
	slices.Sort(near)
	s.sensorsNear = slices.Compact(near)
	slack := float64(overlapTolerance * path.Size().MaxAbs())
	for _, sensor := range s.sensorsNear {
		s.compareWithSensor(code, sensor, travel, slack, shape)
	}
}

// compareWithSensor is CompareWithSensors for one sensor. The two touch up to a gap or depth of
// slack.
func (s *Space) compareWithSensor(code, sensor int32, travel collide.Vec3, slack float64, shape Visitor) {
	was := s.isInside(code, sensor)
	m := s.materialOf(code)
	if on := s.materialOf(sensor); !on.Sensor || !m.collides(on) || s.vetoed(code, sensor) {
		if was {
			s.endOverlap(code, sensor)
			s.noteSensorEvent(code, sensor, 0, collide.Gap{}, eventlog.End)
		}
		return
	}
	h := Handle(sensor)
	of := s.sensorTravel(sensor)
	d := travel.Sub(of) // relative to the sensor
	end := shape.SensorGap(h, collide.Vec3{})
	start := end
	if d != (collide.Vec3{}) {
		start = shape.SensorGap(h, d.Neg())
	}
	inside := end.Distance < -slack || was && end.Distance <= slack
	gapAt := func(t float64) collide.Gap { // in the world at time t
		left := 1 - t/s.Seconds
		g := shape.SensorGap(h, d.Scale(-left))
		g.PointB = g.PointB.AddScaled(-left, of)
		return g
	}
	if was && start.Distance > slack { // the game has moved one of the two
		s.endOverlap(code, sensor)
		s.noteSensorEvent(code, sensor, 0, gapAt(0), eventlog.End)
		was = false
	}
	if was && inside || !was && !inside && (start.Distance <= slack || d == collide.Vec3{}) {
		return
	}
	enters, leaves := 0.0, s.Seconds
	if !was && start.Distance >= -slack {
		t, ok := shape.MeetsSensor(h, d.Neg(), d.Scale(1/s.Seconds), s.Seconds)
		if !ok && !inside {
			return
		}
		if enters = s.Seconds; ok {
			enters = min(t, s.Seconds)
		}
	}
	if !inside {
		if t, ok := shape.MeetsSensor(h, collide.Vec3{}, d.Scale(-1/s.Seconds), s.Seconds); ok {
			leaves = max(s.Seconds-t, enters)
		}
	}
	if !was {
		s.addOverlap(code, sensor)
		s.noteSensorEvent(code, sensor, enters, gapAt(enters), eventlog.Begin)
	}
	if !inside {
		s.endOverlap(code, sensor)
		s.noteSensorEvent(code, sensor, leaves, gapAt(leaves), eventlog.End)
	}
}

// sensorTravel returns how far a sensor, an id or a code, moved in the last step, m.
func (s *Space) sensorTravel(sensor int32) collide.Vec3 {
	if sensor <= surfaceCode {
		return s.statics.Travelled(surfaceOf(sensor))
	}
	i := s.index[sensor]
	return s.bodies[i].x.Sub(s.startPositions[i])
}

// noteSensorEvent notes an event that FinishSensors logs.
func (s *Space) noteSensorEvent(code, sensor int32, t float64, g collide.Gap, kind eventlog.Kind) {
	s.visitorEvents = append(s.visitorEvents, eventlog.Entry{
		Time: t, Point: g.PointB, Normal: g.Normal, A: code, B: sensor, Kind: kind | eventlog.Sensor,
	})
}

// FinishSensors calls CompareWithSensors for all kinematic surfaces for which nobody has, and
// logs what all calls have found.
func (s *Space) FinishSensors() {
	if s.HasSensors() {
		visitors := s.visitors[:0]
		for _, k := range s.visitors {
			f := &s.surfaces[k]
			if f.visits {
				visitors = append(visitors, k)
			}
			switch {
			case f.comparedInStep == s.stepNumber:
			case !f.visits || f.partOf != 0:
				s.leaveAllSensors(k)
			default:
				s.compareSurface(k)
			}
		}
		s.visitors = visitors
	}
	slices.SortStableFunc(s.visitorEvents, func(a, b eventlog.Entry) int { return cmp.Compare(a.Time, b.Time) })
	s.log.Insert(s.visitorEvents)
	s.visitorEvents = s.visitorEvents[:0]
}

// listVisitor adds surface k to the list of those that may be in sensors, or removes it.
func (s *Space) listVisitor(k int32, visits bool) {
	at, found := slices.BinarySearch(s.visitors, k)
	if found && !visits {
		s.visitors = slices.Delete(s.visitors, at, at+1)
	} else if !found && visits {
		s.visitors = slices.Insert(s.visitors, at, k)
	}
}

// surfaceVisitor is the Visitor for the surfaces of an entity, of which k is the first.
type surfaceVisitor struct {
	s *Space
	k int32
}

// compareSurface is CompareWithSensors for the entity whose first surface is k.
func (s *Space) compareSurface(k int32) {
	s.statics.Update(s.Seconds)
	path := collide.NewAABB()
	s.eachPart(k, func(k int32) {
		if shape, ok := s.statics.At(k).ConvexAt(s.Seconds); ok {
			path = path.Union(shape.Bounds())
		}
	})
	if path.IsEmpty() { // it has become a plane or a mesh
		s.leaveAllSensors(k)
		return
	}
	travel := s.statics.Travelled(k)
	s.visitingSurface = surfaceVisitor{s, k}
	s.CompareWithSensors(SurfaceHandle(k), path.Union(path.Translate(travel.Neg())), travel, &s.visitingSurface)
}

// leaveAllSensors ends the overlaps of surface k, which the game has changed so that it is not in
// sensors any longer, and notes that.
func (s *Space) leaveAllSensors(k int32) {
	for at := s.surfaces[k].overlaps; at >= 0; at = s.surfaces[k].overlaps {
		sensor := s.sensorOverlaps[at].sensor
		s.removeOverlap(at)
		s.noteSensorEvent(codeOf(k), sensor, 0, collide.Gap{}, eventlog.End)
	}
}

// SensorGap implements Visitor: it returns the gap to the nearest part.
func (v *surfaceVisitor) SensorGap(h Handle, shift collide.Vec3) (nearest collide.Gap) {
	first := true
	v.s.eachPart(v.k, func(k int32) {
		shape, ok := v.s.statics.At(k).ConvexAt(v.s.Seconds)
		if !ok {
			return
		}
		shape.Position = shape.Position.Add(shift)
		if g, ok := v.s.SeparateObstacle(h, shape); ok && (first || g.Distance < nearest.Distance) {
			nearest, first = g, false
		}
	})
	return nearest
}

// MeetsSensor implements Visitor: it returns the time of the part that is first.
func (v *surfaceVisitor) MeetsSensor(
	h Handle, shift, velocity collide.Vec3, seconds float64,
) (earliest float64, meets bool) {
	v.s.eachPart(v.k, func(k int32) {
		shape, ok := v.s.statics.At(k).ConvexAt(v.s.Seconds)
		if !ok {
			return
		}
		shape.Position = shape.Position.Add(shift)
		c, outcome := v.s.sweepAtSensor(h, shape, velocity, seconds)
		if outcome != collide.Miss && (!meets || c.Time < earliest) {
			earliest, meets = c.Time, true
		}
	})
	return earliest, meets
}

// sweepAtSensor sweeps a convex shape at velocity v against a body or surface as it is at the end
// of the step.
func (s *Space) sweepAtSensor(
	h Handle, shape collide.Convex, v collide.Vec3, seconds float64,
) (collide.Contact, collide.Outcome) {
	if !h.IsSurface() {
		return s.sweepBody(shape, v, s.index[h.Body()], seconds)
	}
	return s.statics.At(h.Surface()).CastShape(shape, v, seconds, s.queryTime)
}

// betweenSurfaces is Between for a sensor and a surface that is in it.
func (s *Space) betweenSurfaces(a, b Handle) (point, normal collide.Vec3) {
	if s.Material(a).Sensor && !s.Material(b).Sensor {
		point, normal = s.betweenSurfaces(b, a)
		return point, normal.Neg()
	}
	v := surfaceVisitor{s, a.Surface()}
	g := v.SensorGap(b, collide.Vec3{})
	return g.PointA, g.Normal
}
