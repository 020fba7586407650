package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
)

// paths are the ways of all things in the last step, for drawing between steps. A body moves along
// a straight line or an arc from one turn to the next, and rotates about a fixed axis from one
// change of its spin to the next. Turns are noted only if KeepPaths is set, and sorted by bodies
// only when PathAt is asked.
type paths struct {
	turns     []turn
	spinTurns []spinTurn
	stops     []surfaceStop
	complete  bool // all turns of the last step have been noted
	indexed   bool // the fields below are those of the last step
	firstTurn []int32
	firstSpin []int32
	endSpins  []collide.Vec3 // by id: angular velocity at the end of the step
	endBends  []collide.Vec3 // by id: bend at the end of the step; none if all paths were straight
	lastTurn  []int32        // scratch
	travelled []surfaceMotion
	rotated   []surfaceRotation
	changed   []surfaceRotation // before the rotation of something under load has changed, in order
}

// turn says that a body was at a point at a time, when it took a new path.
type turn struct {
	time float64
	at   collide.Vec3
	bend collide.Vec3 // of the path before
	id   int32
	next int32 // the body's next turn, -1 for none
}

// spinTurn says that the angular velocity of a body changed.
type spinTurn struct {
	time          float64
	rotation      collide.Quat // since the step began
	before, after collide.Vec3 // angular velocities
	id            int32
	next          int32 // the body's next change, -1 for none
}

// surfaceStop says that a moving surface was stopped.
type surfaceStop struct {
	surface int32
	time    float64
}

// surfaceMotion is the motion of a surface in the last step: how far, and until when.
type surfaceMotion struct {
	travelled collide.Vec3
	until     float64
}

// surfaceRotation is the rotation of a surface in the last step, and until when it lasted.
type surfaceRotation struct {
	surface int32
	frame   collide.RotatingFrame
	until   float64
}

// reset forgets the ways of the last step, and says whether those of the next are noted.
func (w *paths) reset(kept bool) {
	w.turns, w.spinTurns, w.stops = w.turns[:0], w.spinTurns[:0], w.stops[:0]
	w.changed = w.changed[:0]
	w.complete, w.indexed = kept, false
}

// noteTurn notes that body i takes a new path at p. Its path before was bent by bend.
func (s *Space) noteTurn(i int32, p, bend collide.Vec3, now float64) {
	if now > 0 && s.owns(i) {
		s.paths.turns = append(s.paths.turns, turn{time: now, at: p, bend: bend, id: s.infos[i].id, next: -1})
	}
}

// noteSpin notes that the angular velocity of body i changes to w.
func (s *Space) noteSpin(i int32, p *spin, w collide.Vec3, now float64) {
	if s.owns(i) {
		p.advance(now)
		s.paths.spinTurns = append(
			s.paths.spinTurns, spinTurn{now, p.rotation, p.angularVelocity, w, s.infos[i].id, -1})
	}
}

// noteStop notes that surface k stops.
func (s *Space) noteStop(k int32, t float64) {
	if s.KeepPaths {
		s.paths.stops = append(s.paths.stops, surfaceStop{k, t})
	}
}

// noteRotation notes that surface k rotates otherwise from time t on.
func (s *Space) noteRotation(k int32, t float64) {
	if s.KeepPaths {
		frame, _ := s.statics.At(k).Motion()
		s.paths.changed = append(s.paths.changed, surfaceRotation{k, frame, t})
	}
}

// add adds the turns of a subdomain, all of them of bodies that it owns.
func (w *paths) add(o *paths) {
	w.turns, w.spinTurns = append(w.turns, o.turns...), append(w.spinTurns, o.spinTurns...)
}

// IndexPaths sorts the turns of the last step by bodies, unless that has been done. Those of each
// body were noted in chronological order. It has to be called before the game's changes are read
// without a step, because PathAt and the like are then about other bodies.
func (s *Space) IndexPaths() {
	w := &s.paths
	if w.indexed || !w.complete || s.stage != Idle {
		return
	}
	w.indexed = true
	n := len(s.index)
	w.firstTurn, w.lastTurn = grow.Resize(w.firstTurn, n), grow.Resize(w.lastTurn, n)
	fill(w.firstTurn, -1)
	for k := range w.turns {
		id := w.turns[k].id
		if w.firstTurn[id] < 0 {
			w.firstTurn[id] = int32(k)
		} else {
			w.turns[w.lastTurn[id]].next = int32(k)
		}
		w.lastTurn[id] = int32(k)
	}
	m := len(s.spins)
	w.firstSpin, w.endSpins = grow.Resize(w.firstSpin, m), grow.Resize(w.endSpins, m)
	fill(w.firstSpin, -1)
	for k := range w.spinTurns {
		id := w.spinTurns[k].id
		if w.firstSpin[id] < 0 {
			w.firstSpin[id] = int32(k)
		} else {
			w.spinTurns[w.lastTurn[id]].next = int32(k)
		}
		w.lastTurn[id] = int32(k)
	}
	for id := range s.spins {
		w.endSpins[id] = s.spins[id].angularVelocity
	}
	w.endBends = w.endBends[:0]
	if len(s.bends) > 0 {
		w.endBends = grow.Resize(w.endBends, n)
		clear(w.endBends)
		for i := range s.infos[:len(s.bends)] {
			if s.flags[i]&alive != 0 {
				w.endBends[s.infos[i].id] = s.bends[i].a
			}
		}
	}
	w.rotated = w.rotated[:0]
	w.travelled = grow.Resize(w.travelled, s.statics.Numbers())
	for k := range w.travelled {
		w.travelled[k] = surfaceMotion{s.statics.Travelled(int32(k)), s.Seconds}
		if f := s.statics.At(int32(k)); f.Alive && f.Rotates() {
			frame, until := f.Motion()
			w.rotated = append(w.rotated, surfaceRotation{int32(k), frame, min(until, s.Seconds)})
		}
	}
	for _, stop := range w.stops {
		w.travelled[stop.surface].until = stop.time
	}
}

// fill sets all elements of list to x.
func fill(list []int32, x int32) {
	for k := range list {
		list[k] = x
	}
}

// PathAt returns where a body was at time t of the last step, 0 to Seconds. If its turns in the
// step are unknown, the way from its start to its end counts as straight.
func (s *Space) PathAt(id int32, t float64) collide.Vec3 {
	s.IndexPaths()
	w := &s.paths
	from, to := turn{at: s.StartPosition(id)}, turn{time: s.Seconds, at: s.bodies[s.index[id]].x}
	if w.indexed && int(id) < len(w.endBends) {
		to.bend = w.endBends[id]
	}
	if w.indexed && int(id) < len(w.firstTurn) {
		for k := w.firstTurn[id]; k >= 0; k = w.turns[k].next {
			if w.turns[k].time > t {
				to = w.turns[k]
				break
			}
			from = w.turns[k]
		}
	}
	if !(to.time > from.time) {
		return to.at
	}
	p := from.at.Lerp(to.at, (t-from.time)/(to.time-from.time))
	return p.AddScaled(float64(t-from.time)*float64(t-to.time)/2, to.bend)
}

// Turns calls yield with each point at which a body took a new path in the last step, and the time.
func (s *Space) Turns(id int32, yield func(t float64, at collide.Vec3) bool) {
	s.IndexPaths()
	w := &s.paths
	if !w.indexed || int(id) >= len(w.firstTurn) {
		return
	}
	for k := w.firstTurn[id]; k >= 0; k = w.turns[k].next {
		if !yield(w.turns[k].time, w.turns[k].at) {
			return
		}
	}
}

// RotationAt returns by how much a body had rotated at time t of the last step since the step
// began, and false if that is unknown.
func (s *Space) RotationAt(id int32, t float64) (collide.Quat, bool) {
	s.IndexPaths()
	w := &s.paths
	if !w.indexed || int(id) >= len(w.firstSpin) {
		return collide.Quat{}, false
	}
	rotation, since, velocity := collide.Quat{W: 1}, 0.0, w.endSpins[id]
	for k := w.firstSpin[id]; k >= 0; k = w.spinTurns[k].next {
		f := &w.spinTurns[k]
		if f.time > t {
			velocity = f.before
			break
		}
		rotation, since, velocity = f.rotation, f.time, f.after
	}
	if velocity != (collide.Vec3{}) && t > since {
		rotation = collide.RotationBy(velocity.Scale(t - since)).Mul(rotation)
	}
	return rotation, true
}

// PlaceAt returns where the point of surface k that is at p now was at time t of the last step.
func (s *Space) PlaceAt(k int32, p collide.Vec3, t float64) collide.Vec3 {
	s.IndexPaths()
	w := &s.paths
	if !w.indexed || int(k) >= len(w.travelled) {
		return p
	}
	if r := w.rotationOf(k); r != nil {
		if e := w.rotationAt(r, t); e != r {
			q, origin := r.frame.At(r.until)
			p = collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}.Rotate(p.Sub(origin))
			q, origin = e.frame.At(t)
			return q.Rotate(p).Add(origin)
		}
		m := &r.frame.Motion
		return m.PointAt(m.StartOf(p, r.until), min(t, r.until))
	}
	f := &w.travelled[k]
	if !(t < f.until) {
		return p
	}
	return p.Sub(f.travelled.Scale(1 - t/f.until))
}

// StillToTurn returns how surface k still had to rotate at time t of the last step.
func (s *Space) StillToTurn(k int32, t float64) collide.Quat {
	s.IndexPaths()
	w := &s.paths
	r := w.rotationOf(k)
	if !w.indexed || r == nil {
		return collide.Quat{W: 1}
	}
	from, _ := w.rotationAt(r, t).frame.At(min(t, r.until))
	to, _ := r.frame.At(r.until)
	return to.Mul(collide.Quat{X: -from.X, Y: -from.Y, Z: -from.Z, W: from.W})
}

// rotationOf returns the rotation of surface k in the last step, or nil if it can't rotate.
func (w *paths) rotationOf(k int32) *surfaceRotation {
	for i := range w.rotated {
		if w.rotated[i].surface == k {
			return &w.rotated[i]
		}
	}
	return nil
}

// rotationAt returns how the surface of last, its rotation at the end of the step, rotated at time
// t.
func (w *paths) rotationAt(last *surfaceRotation, t float64) *surfaceRotation {
	for i := range w.changed {
		if e := &w.changed[i]; e.surface == last.surface && t < e.until {
			return e
		}
	}
	return last
}

// forgetPath forgets the way of a body: it is a new one, or the game has moved it.
func (w *paths) forgetPath(id int32) {
	if !w.indexed {
		return
	}
	if int(id) < len(w.firstTurn) {
		w.firstTurn[id] = -1
	}
	if int(id) < len(w.firstSpin) {
		w.firstSpin[id], w.endSpins[id] = -1, collide.Vec3{}
	}
	if int(id) < len(w.endBends) {
		w.endBends[id] = collide.Vec3{}
	}
}
