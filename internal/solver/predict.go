package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/internal/grid"
)

// Codes that say what an event or a contact is about if it is not a body.
const (
	crossingCode = int32(-1) // the body leaves its cell, or searches for smaller bodies: searchSide
	surfaceCode  = int32(-2) // of surface 0; codeOf and surfaceOf have the others

	exitCode    = int32(math.MinInt32)     // in events only: exitCode+k is the exit from sensor surface k
	maxExitCode = int32(math.MinInt32 / 2) // between the codes of exits and those of surfaces
)

// overlapTolerance is the overlap, as a fraction of the smaller radius, above which two bodies are
// moved apart. Rounding leaves far smaller overlaps; larger ones come from the game, which has put
// a body there. With a smaller value, overlaps from rounding would move bodies; a larger one would
// leave overlaps that can be seen.
//
// Rounding of coordinates and paths comes to it: roundingOf.
const overlapTolerance = 0x1p-30

// pathRounding is the error of a position in a step, as a fraction of the coordinates and of the
// path in the step: 16 roundings. A ball that crosses many million of its radii in a step is left
// inside what it bounced off by more than overlapTolerance. With a smaller value, its next bounce
// would be lost; with a larger one, a fast ball that the game puts into something bounces off it.
const pathRounding = 16 * 0x1p-53

// roundingOf returns by how much rounding may have moved body i in a step, m.
func (s *Space) roundingOf(i int32) float64 {
	b := &s.bodies[i]
	return float64(pathRounding * (b.x.SumAbs() + float64(b.v.SumAbs()*s.Seconds)))
}

// predictImpact adds the next impact of bodies i and j to the calendar, if there is one in this
// step at or after now.
func (s *Space) predictImpact(i, j int32, now float64) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	if i == j {
		return
	}
	if s.flags[i]&s.flags[j]&unfiltered == 0 {
		mi, mj := &s.infos[i].material, &s.infos[j].material
		if !mi.collides(mj) {
			return
		}
		if mi.Sensor || mj.Sensor {
			s.predictSensorEntry(i, j, now)
			return
		}
		if !s.areSpheres(i, j) {
			s.predictShapeImpact(i, j, now)
			return
		}
	}
	if bi.inverseMass == 0 && bj.inverseMass == 0 && !s.isHaltedDynamic(i) && !s.isHaltedDynamic(j) {
		return
	}
	if len(s.bends) > 0 && s.bends[i].a != s.bends[j].a {
		if !s.mayMeetOnArc(i, j, now) {
			return
		}
		c, _ := s.arcBetween(i, j)
		if t, ok := s.meetOnArc(i, j, &c, now); ok {
			s.pushImpact(t, i, j)
		}
		return
	}
	d, w := bi.x.Sub(bj.x), bi.v.Sub(bj.v)
	b := d.Dot(w)
	if b >= 0 {
		return // they were closest at or before the start of the step
	}
	r := bi.radius + bj.radius
	a, c := w.Dot(w), d.Dot(d)-float64(r*r)
	// b² - a·c without cancellation: by Lagrange's identity it is a·r² - |d×w|².
	n := d.Cross(w)
	root := float64(a*float64(r*r)) - n.Dot(n)
	if !(root > 0) {
		return
	}
	t := c / (math.Sqrt(root) - b) // b < 0, so nothing cancels
	if t > s.Seconds {
		return
	}
	if t < now {
		// They touch already. A pair that moves apart has no impact, a pair that approaches has one
		// now.
		if b+float64(a*now) >= 0 {
			return
		}
		t = now
	}
	s.pushImpact(t, i, j)
}

// pushImpact adds the impact of bodies i and j at time t to the calendar, unless something keeps
// the two from meeting.
func (s *Space) pushImpact(t float64, i, j int32) {
	if len(s.vetoes)|len(s.slideContacts)|len(s.apartPairs) != 0 && s.areKeptApart(i, j) {
		return
	}
	m, o := s.pathIDs[i], s.pathIDs[j]
	s.calendar.Push(t, i, j, m.Stamp, o.Stamp, m.Key+o.Key)
}

// areKeptApart reports whether a veto, a contact or what separates overlaps keeps bodies i and j
// from meeting.
//
//go:noinline
func (s *Space) areKeptApart(i, j int32) bool {
	ki, kj := s.infos[i].id, s.infos[j].id
	return s.vetoed(ki, kj) ||
		len(s.slideContacts) > 0 && (s.slidesAlong(i, kj) || s.slidesAlong(j, ki)) ||
		len(s.apartPairs) > 0 && s.areApart(i, kj)
}

// push adds an event of body i with b, a body or a code, to the calendar.
func (s *Space) push(t float64, i, b int32) {
	m := s.pathIDs[i]
	stamp, key := uint32(0), m.Key
	switch {
	case b >= 0:
		other := s.pathIDs[b]
		stamp = other.Stamp
		key += other.Key
	case b <= surfaceCode && b > maxExitCode:
		k := surfaceOf(b)
		stamp = s.statics.At(k).Stamp
		key += s.statics.Key(k)
	case b < maxExitCode:
		stamp = s.statics.At(b - exitCode).Stamp
	}
	s.calendar.Push(t, i, b, m.Stamp, stamp, key)
}

// repredict adds the next events of body i on its new path to the calendar.
func (s *Space) repredict(i int32, now float64) {
	hits, ok := s.testNeighborhood(i, now, keepAt(now), grid.Full)
	if !ok {
		s.nearby = s.grid.Neighbors(i, s.flight(i, now), s.nearby[:0])
		hits = s.testNear(i, now, keepAt(now))
	}
	s.predictImpacts(i, hits, now)
	s.repredictSurfaces(i, now)
	if s.statics.HasSensors() {
		s.predictSurfaceSensors(i, now)
	}
	s.predictCrossing(i, now)
	if s.grid.HasLevels() {
		s.predictSearch(i, now)
	}
	if len(s.sensorOverlaps) == 0 {
		return
	}
	if s.infos[i].overlaps >= 0 {
		s.predictSensorExits(i, now)
	}
	if s.infos[i].material.Sensor {
		s.predictVisitorExits(s.infos[i].id, now)
	}
}

// testNear returns the bodies of s.nearby that pass the pair test with body i.
func (s *Space) testNear(i int32, now, keep float64) []int32 {
	s.Counts.Sweeps += len(s.nearby)
	s.nearby = slices.Grow(s.nearby, padding)
	s.passed = s.filterPairs(i, now, keep, s.nearby, s.passed[:0])
	return s.passed
}

// keepAt returns the argument keep of the pair test for bodies on a new path at time now. A body
// that starts inside a sensor enters it, even if an impact at time 0 comes first.
func keepAt(now float64) float64 {
	if now == 0 {
		return maybeOverlapping
	}
	return neverOverlapping
}

// predictImpacts adds the next impacts of body i with others to the calendar.
func (s *Space) predictImpacts(i int32, others []int32, now float64) {
	for _, j := range others {
		s.predictImpact(i, j, now)
	}
}

// flight is the path of body i from now on.
func (s *Space) flight(i int32, now float64) grid.Path {
	b := &s.bodies[i]
	return grid.Path{X: b.x, V: b.v, Radius: b.radius + s.bulge, Now: now, Until: s.Seconds}
}

// predictCrossing adds the time when body i next leaves its cell to the calendar.
func (s *Space) predictCrossing(i int32, now float64) {
	b := &s.bodies[i]
	if t, side := s.grid.NextCrossing(i, &b.x, &b.v, s.Seconds); side != 0 {
		if t < now {
			t = now
		}
		id := s.pathIDs[i]
		s.calendar.Push(t, i, crossingCode, id.Stamp, uint32(side), id.Key)
	}
}

// predictSearch adds the time when body i next has to search for smaller bodies to the calendar.
func (s *Space) predictSearch(i int32, now float64) {
	if t := s.grid.NextSearch(i, now); t < s.Seconds {
		id := s.pathIDs[i]
		s.calendar.Push(t, i, crossingCode, id.Stamp, searchSide, id.Key)
	}
}

// searchSide is in the place of the side of a crossing in an event that is no crossing, but a
// search for smaller bodies.
const searchSide = 0

// searchFiner predicts impacts of body i with smaller bodies that have come near.
func (s *Space) searchFiner(i int32, now float64) {
	s.nearby = s.grid.FinerNeighbors(i, s.flight(i, now), s.nearby[:0])
	s.predictImpacts(i, s.testNear(i, now, keepAt(now)), now)
	s.predictSearch(i, now)
}

// crossCell moves body i to its next cell and predicts impacts with the bodies that come into its
// neighbourhood. A body that crosses very many cells is taken out of the cells: see grid.TryUnbin.
func (s *Space) crossCell(i int32, side grid.Side, now float64) {
	if s.grid.Move(i, side) && s.grid.TryUnbin(i, s.flight(i, now)) {
		s.nearby = s.grid.Binned(s.nearby[:0])
		s.predictImpacts(i, s.testNear(i, now, keepAt(now)), now)
		return
	}
	s.checkCell(i, now)
	hits, ok := s.testNeighborhood(i, now, keepAt(now), grid.Face(side))
	if !ok {
		s.nearby = s.grid.FaceNeighbors(i, side, s.nearby[:0])
		hits = s.testNear(i, now, keepAt(now))
	}
	s.predictImpacts(i, hits, now)
	s.predictCrossing(i, now)
}
