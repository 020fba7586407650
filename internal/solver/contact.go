package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
	"github.com/dango-physics/dango/internal/calendar"
)

// Impact is an entry of a step's log: an impact, or something that entered or left a sensor.
type Impact struct {
	Time              float64
	Point, Normal     collide.Vec3 // the normal points from B to A
	Approach, Impulse float64
	A, B              int32 // A is a body's id; B is another, or -2-k for surface k. With a sensor, A is the visitor
	What              Event
	round             uint16 // of the event it came of, in the calendar, and 1; 0 if it came before them all
	key               uint32 // of that event
}

// Event says what an entry of the log is. An impact may begin a contact and end it.
type Event uint8

// The kinds of entry, joined with |.
const (
	Impacts Event = 1 << iota // an impact
	Begins                    // they touch, or the visit begins
	Ends                      // they part, or the visit ends
	Visit                     // B is a sensor
	bounces                   // the two part at once
)

// Parted is a contact that ended without an impact.
type Parted struct{ A, B int32 }

// Log returns what happened in the last step, in the order of time.
func (s *Space) Log() []Impact {
	if len(s.runs) > 0 {
		s.mergeLog()
	}
	return s.log
}

// sortLog brings what is told of the beginning of the step into order.
func (s *Space) sortLog() {
	slices.SortFunc(s.log, func(a, b Impact) int {
		if a.before(&b) {
			return -1
		}
		return 1
	})
}

// mergeLog puts what the parts of the step have logged in the order of time.
func (s *Space) mergeLog() {
	out := s.merged[:0]
	s.eachLogged(func(e *Impact) { out = append(out, *e) })
	s.log, s.merged = out, s.log
	s.runs = s.runs[:0]
}

// eachLogged calls yield with the entries of the log in the order of time.
func (s *Space) eachLogged(yield func(e *Impact)) {
	from, heads := s.first, s.heads[:0]
	for k := range from {
		yield(&s.log[k])
	}
	for _, end := range s.runs {
		heads = append(heads, from)
		from = end
	}
	s.heads = heads
	for {
		var first *Impact
		which := -1
		for k, at := range heads {
			if at == s.runs[k] {
				continue
			}
			if e := &s.log[at]; which < 0 || e.before(first) {
				first, which = e, k
			}
		}
		if which < 0 {
			break
		}
		heads[which]++
		yield(first)
	}
	for k := from; k < len(s.log); k++ { // what was added after the parts comes last, and all of it where there are none
		yield(&s.log[k])
	}
}

// before is the order in which events are taken.
func (e *Impact) before(o *Impact) bool {
	if e.Time != o.Time {
		return e.Time < o.Time
	}
	if e.round != o.round {
		return e.round < o.round
	}
	if e.key != o.key {
		return e.key < o.key
	}
	return keyOf(e.A, e.B) < keyOf(o.A, o.B)
}

// round returns the round of the event that is being taken, and 1.
func (s *Space) round() uint16 { return uint16(min(s.calendar.Round()+1, math.MaxUint16)) }

// tied is the order of events of the same time, round and key: bodies that are alike in everything, in the same place, have such.
func (s *Space) tied(e, f calendar.Event) bool { return s.namesOf(&e) < s.namesOf(&f) }

// namesOf returns what an event is of, by ids and codes instead of places in memory: the same as of its entry in the log.
func (s *Space) namesOf(e *calendar.Event) pairKey {
	b := e.B
	switch {
	case b >= 0:
		b = s.infos[b].id
	case b < leaving:
		b = surfaceCode - (b - leaveSurface)
	}
	return keyOf(s.infos[e.A].id, b)
}

// Parted returns the contacts that ended in the last step by drifting apart.
func (s *Space) Parted() []Parted { return s.parted }

// Touching calls yield with everything that touches body or surface code after the step, and with every sensor that it visits or visitor that it has.
func (s *Space) Touching(code int32, yield func(other int32, visit bool) bool) {
	for _, k := range s.touching {
		if k.a == code && !yield(k.b, false) || k.b == code && !yield(k.a, false) {
			return
		}
	}
	for _, k := range s.stays {
		if k.visitor < 0 {
			continue
		}
		if k.visitor == code && !yield(k.sensor, true) || k.sensor == code && !yield(k.visitor, true) {
			return
		}
	}
}

// Between returns where two things touch, one of which is a body at least, and the normal from the second to the first.
func (s *Space) Between(a, b int32) (point, normal collide.Vec3) {
	if a < 0 || b >= 0 && s.Material(a).Sensor && !s.Material(b).Sensor {
		point, normal = s.Between(b, a)
		return point, normal.Neg()
	}
	p := &s.bodies[s.index[a]]
	if b >= 0 {
		normal, _ = p.x.Sub(s.bodies[s.index[b]].x).Normalized()
	} else {
		_, normal = s.separation(p, surfaceCode-b, s.clock)
	}
	return p.x.AddScaled(-p.radius, normal), normal
}

// record counts an impact of body i with code, and writes it into the log. Where several spaces share a step it is the affair of the one that
// owns teller, a body that it turns.
func (s *Space) record(i, code, teller int32, t float64, point, n collide.Vec3, approach, impulse float64, bounced bool) {
	if !s.owns(teller) {
		return
	}
	s.Counts.Impacts++
	s.log = append(s.log, Impact{})
	e := &s.log[len(s.log)-1] // in place: it is large
	e.Time, e.Point, e.Normal, e.Approach, e.Impulse = t, point, n, approach, impulse
	e.A, e.B, e.What, e.round, e.key = s.infos[i].id, code, Impacts, s.round(), s.due
	if bounced {
		e.What |= bounces | Begins | Ends // unless the two touched before: see updateTouching
	} else {
		s.Counts.lasting++
	}
}

// pairKey names two things, bodies or surfaces, whichever comes first.
type pairKey uint64

func keyOf(a, b int32) pairKey {
	if a < b {
		a, b = b, a
	}
	return pairKey(uint32(a))<<32 | pairKey(uint32(b))
}

// touch is a contact that may last beyond its impact.
type touch struct {
	key  pairKey
	a, b int32
	open bool // it has begun and not ended
}

// touchShare is how far apart, in parts of a radius, two bodies may be and still touch. Rest and sliding leave gaps of
// a few roundings; two things that part are beyond a millionth of a radius soon.
const touchShare = 0x1p-20

// updateTouching tells which contacts began and which ended. A contact begins with an impact. It ends with one that bounces, or
// when the two are found apart.
func (s *Space) updateTouching() {
	if len(s.touching) == 0 && s.Counts.lasting == 0 { // nothing but bounces, each a contact of its own
		return
	}
	if s.stirring == 0 && len(s.log) == 0 && len(s.runs) == 0 && s.moving == 0 { // nothing has changed
		return
	}
	s.touched = append(s.touched[:0], s.touching...)
	s.eachLogged(func(e *Impact) {
		if e.What&(Impacts|bounces) == Impacts {
			s.touched = append(s.touched, touch{key: keyOf(e.A, e.B), a: e.A, b: e.B})
		}
	})
	if len(s.touched) > len(s.touching) { // those of before are in order, and come first
		slices.SortStableFunc(s.touched, func(a, b touch) int { return cmp.Compare(a.key, b.key) })
		s.touched = slices.CompactFunc(s.touched, func(a, b touch) bool { return a.key == b.key })
	}
	s.eachLogged(func(e *Impact) {
		if e.What&Impacts == 0 {
			return
		}
		e.What &^= Begins | Ends
		k := find(s.touched, keyOf(e.A, e.B))
		if k == nil || !k.open {
			e.What |= Begins
		}
		if e.What&bounces != 0 {
			e.What |= Ends
		}
		if k != nil {
			k.open = e.What&bounces == 0
		}
	})
	s.touched = slices.DeleteFunc(s.touched, func(k touch) bool {
		if k.open && s.rested(k.a, k.b) {
			return false
		}
		if k.open && !((s.isHeld(k.a, k.b) || s.touch(k.a, k.b)) && s.mayTouch(k.a, k.b)) {
			s.untellHold(k.a, k.b)
			s.parted = append(s.parted, Parted{k.a, k.b})
			return true
		}
		if !k.open {
			s.untellHold(k.a, k.b)
		}
		return !k.open
	})
	s.touchTiles()
	s.touching, s.touched = s.touched, s.touching
}

// rested reports whether a body and something else that touched are as they were.
func (s *Space) rested(a, b int32) bool {
	if a < 0 {
		a, b = b, a
	}
	if s.flags[s.index[a]]&resting == 0 {
		return false
	}
	return b >= 0 && s.flags[s.index[b]]&resting != 0
}

// touchTiles adds the contacts of bodies with polygons beside those that they slid or rested on: what crosses from one tile of a floor to the
// next meets no resistance from the next, and so has no impact with it.
func (s *Space) touchTiles() {
	if s.polygons.Len() == 0 {
		return
	}
	known := len(s.touched)
	look := func(a, b int32) {
		if a >= 0 && b < 0 && s.surfaces[surfaceCode-b].Polygon != nil {
			s.touchPolygons(s.index[a], s.touched[:known])
		}
	}
	for _, k := range s.touched[:known] {
		look(k.a, k.b)
	}
	for _, k := range s.parted {
		look(k.A, k.B)
	}
	if len(s.touched) > known {
		slices.SortFunc(s.touched, func(a, b touch) int { return cmp.Compare(a.key, b.key) })
		s.touched = slices.CompactFunc(s.touched, func(a, b touch) bool { return a.key == b.key })
	}
}

// touchPolygons adds the contacts of body i with polygons that it touches and moves along, but for those known.
func (s *Space) touchPolygons(i int32, known []touch) {
	b, f := &s.bodies[i], &s.infos[i]
	if s.flags[i]&looked != 0 {
		return
	}
	s.flags[i] |= looked
	box := collide.SweptAABB(collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + touchShare))}, collide.Vec3{}, 0)
	s.near = s.near[:0]
	var search bvh.Search
	s.polygons.Search(&search, box, collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		s.near = append(s.near, k)
	}
	slices.Sort(s.near) // for the log
	for _, k := range s.near {
		code := surfaceCode - k
		if !box.Overlaps(s.surfaces[k].bounds) || find(known, keyOf(f.id, code)) != nil || !s.touch(f.id, code) || !s.mayTouch(f.id, code) {
			continue
		}
		_, n := s.separation(b, k, s.Seconds)
		u := s.surfaces[k].Velocity
		if math.Abs(n.Dot(b.v.Sub(u))) > float64(touchShare*(abs1(b.v)+abs1(u))) {
			continue // it comes or goes
		}
		s.touched = append(s.touched, touch{key: keyOf(f.id, code), a: f.id, b: code, open: true})
		s.log = append(s.log, Impact{Time: s.Seconds, Point: b.x.AddScaled(-b.radius, n), Normal: n, A: f.id, B: code, What: Begins})
	}
}

func find(sorted []touch, key pairKey) *touch {
	if len(sorted) == 0 {
		return nil
	}
	if i, ok := slices.BinarySearchFunc(sorted, key, func(k touch, key pairKey) int { return cmp.Compare(k.key, key) }); ok {
		return &sorted[i]
	}
	return nil
}

// mayTouch reports whether a body and something else, both solid, may still collide: the game may have changed its mind.
func (s *Space) mayTouch(a, b int32) bool {
	m, o := s.Material(a), s.Material(b)
	return m.collides(&o) && !m.Sensor && !o.Sensor
}

// touch reports whether a body and something else touch where they are now, after the step.
func (s *Space) touch(a, b int32) bool {
	if a < 0 {
		a, b = b, a
	}
	p := &s.bodies[s.index[a]]
	if b >= 0 {
		q := &s.bodies[s.index[b]]
		return p.x.Distance(q.x) <= p.radius+q.radius+float64(touchShare*min(p.radius, q.radius))
	}
	return s.gap(p, surfaceCode-b) <= float64(touchShare*p.radius)
}

// Forget ends every contact and visit of a body's id or a surface's code that is about to be removed, and calls ended with each.
// It names the two in the order in which the contact began: a visitor before its sensor.
func (s *Space) Forget(code int32, ended func(a, b int32, visit bool)) {
	s.touching = slices.DeleteFunc(s.touching, func(k touch) bool {
		if code != k.a && code != k.b {
			return false
		}
		ended(k.a, k.b, false)
		return true
	})
	for at := range s.stays {
		k := &s.stays[at]
		if k.visitor < 0 || k.visitor != code && k.sensor != code {
			continue
		}
		ended(k.visitor, k.sensor, true)
		s.removeStay(int32(at))
	}
}
