package solver

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grid"
)

// Begin is the broadphase: it brings the grid up to date and finds the pairs that could meet in this step if nothing
// turned them aside. Positions and velocities are those of the start of the step, with gravity and forces in them.
func (s *Space) Begin() {
	s.Counts = Counts{}
	s.log, s.parted = s.log[:0], s.parted[:0]
	s.halted = s.halted[:0]
	s.slides, s.deep, s.pairs = s.slides[:0], s.deep[:0], s.pairs[:0]
	clear(s.vetoes)
	s.clock, s.bounded = 0, false
	s.listSurfaces()
	s.place()
	s.calendar.Reset(s.Seconds, len(s.bodies))
	for i := range s.bodies {
		f, b := &s.infos[i], &s.bodies[i]
		s.before[i] = b.x
		f.flags &^= frozen | deep | looked
		f.slides = -1
		f.budget = int32(s.MaxImpacts)
		if f.flags&alive == 0 {
			continue
		}
		f.stamp++
		f.key = f.nature + hash(b.x, b.v)
		if !s.stirs(int32(i)) {
			continue
		}
		s.near = s.grid.Near(int32(i), s.near[:0])
		s.Counts.Sweeps += len(s.near)
		s.reached = s.reach(int32(i), 0, maybeDeep, s.near, s.reached[:0])
		for _, j := range s.reached {
			// Each pair once: from the side that comes first, or from the only one that looks.
			if int32(i) < j || int32(i) > j && !s.stirs(j) {
				s.pairs = append(s.pairs, pair{int32(i), j})
			}
		}
	}
	s.Counts.Pairs = len(s.pairs)
}

// stirs reports whether a body has to look for others: because it moves, or because the game has just put it there.
func (s *Space) stirs(i int32) bool {
	return s.infos[i].flags&(placed|overlaps) != 0 || s.bodies[i].v != (collide.Vec3{})
}

// relayAfter is how many steps the cells and the order of the bodies in memory are kept: they cost little to choose
// anew, and nothing but speed depends on them.
const relayAfter = 16

// place puts every body in its cell.
func (s *Space) place() {
	n := len(s.bodies)
	s.laidOut++
	fits := s.grid.Capacity() >= n
	for i := 0; fits && i < n; i++ {
		fits = s.infos[i].flags&alive == 0 || s.grid.Fits(2*s.bodies[i].radius)
	}
	if !fits || s.laidOut >= relayAfter {
		s.laidOut = 0
		s.sort()
		s.samples = s.samples[:0]
		for i := range s.bodies {
			if s.infos[i].flags&alive != 0 {
				s.samples = append(s.samples, grid.Sample{Center: s.bodies[i].x, Diameter: 2 * s.bodies[i].radius, Stride: s.stride(int32(i))})
			}
		}
		room := n + n/4 + 16 // for what the game adds before the next time
		s.grid.Layout(room, s.samples, &s.scratch)
		s.crossings = resize(s.crossings, room)
		s.pending = resize(s.pending, room)
	}
	for i := range s.bodies {
		if s.infos[i].flags&alive != 0 {
			b := &s.bodies[i]
			s.grid.Put(int32(i), b.x, 2*b.radius, s.stride(int32(i)))
		}
	}
}

// mostCells is about how many cells a body crosses along an axis in a step, at the most: one that is faster lives among larger cells. Between
// 4 and 256 the scenes `mix` and `bullets` took the same time; without a bound, a bullet at 1e9 m/s took a second a step.
const mostCells = 64

// stride returns how wide body i wants its cells to be for its speed.
func (s *Space) stride(i int32) float64 {
	return s.bodies[i].v.Length() * (s.Seconds / mostCells)
}

// Sweep finds when the candidates first touch, and puts those impacts in the calendar.
func (s *Space) Sweep() {
	for _, p := range s.pairs {
		s.checkDeep(p.a, p.b)
		s.foresee(p.a, p.b, 0)
	}
	for i := range s.bodies {
		f := &s.infos[i]
		if f.flags&alive == 0 {
			continue
		}
		if f.inside >= 0 {
			s.foreseeLeaving(int32(i), 0)
		}
		if s.stirs(int32(i)) || s.restless && f.kind != Static {
			s.beginSurfaces(int32(i))
			s.sweepSensing(int32(i), 0)
			s.foreseeCrossing(int32(i), 0)
		}
		f.flags &^= placed | overlaps
	}
	s.restless = s.moving > 0
}

// Finish takes the impacts in the order of time until the step is over.
func (s *Space) Finish() {
	for {
		e, ok := s.calendar.Pop()
		if !ok {
			break
		}
		if s.infos[e.A].stamp != e.StampA {
			continue
		}
		switch {
		case len(s.vetoes) > 0 && s.vetoedLate(e.A, e.B):
			if e.B < 0 { // only the first surface on a body's way is in the calendar: now find the next
				s.sweepSurfaces(e.A, e.Time)
			}
		case e.B == crossingCode:
			s.cross(e.A, e.Time)
		case e.B >= 0 && s.infos[e.B].stamp == e.StampB:
			s.collide(e.A, e.B, e.Time)
		case e.B < leaving:
			s.leave(e.A, surfaceCode-(e.B-leaveSurface), e.Time)
		case e.B < 0 && s.surfaces[surfaceCode-e.B].stamp == e.StampB:
			s.meet(e.A, surfaceCode-e.B, e.Time)
		}
	}
	for i := range s.bodies {
		b := &s.bodies[i]
		b.x = b.at(s.Seconds)
		b.v = s.velocity(int32(i), s.Seconds)
	}
	for _, h := range s.halted {
		s.bodies[h.i].v = h.v
	}
	s.clock, s.bounded = s.Seconds, false
	s.separate()
	s.updateTouching()
}

// vetoedLate reports whether an event that is in the calendar already has been vetoed since.
func (s *Space) vetoedLate(i, b int32) bool {
	switch {
	case b >= 0:
		return s.vetoed(s.infos[i].id, s.infos[b].id)
	case b <= surfaceCode && b > leaving:
		return s.vetoed(s.infos[i].id, b)
	}
	return false
}

// foreseeCrossing puts in the calendar when body i next leaves its cell.
func (s *Space) foreseeCrossing(i int32, now float64) {
	b := &s.bodies[i]
	if c, ok := s.grid.NextCrossing(i, b.x, b.v, s.Seconds); ok {
		s.crossings[i] = c
		s.push(max(c.Time, now), i, crossingCode)
	}
}

// cross moves body i on to its next cell and looks at what that brings near.
func (s *Space) cross(i int32, now float64) {
	s.near = s.grid.Cross(i, s.crossings[i], s.near[:0])
	s.foreseeAll(i, now)
	s.foreseeCrossing(i, now)
}

// foreseeAll foresees the next impacts of body i with those in s.near.
func (s *Space) foreseeAll(i int32, now float64) {
	s.Counts.Sweeps += len(s.near)
	deep := notDeep
	if now == 0 { // a body that starts in a sensor enters it whatever turned it first
		deep = maybeDeep
	}
	s.reached = s.reach(i, now, deep, s.near, s.reached[:0])
	for _, j := range s.reached {
		s.foresee(i, j, now)
	}
}

// velocity returns the velocity of body i at time t.
func (s *Space) velocity(i int32, t float64) collide.Vec3 {
	return s.bodies[i].v.AddScaled(t-float64(s.Seconds/2), s.pulls[i])
}

// turn puts body i on a new path: it is at p at time now, and moves on at a mean v.
func (s *Space) turn(i int32, p, v collide.Vec3, now float64) {
	b, f := &s.bodies[i], &s.infos[i]
	b.x, b.v = p.AddScaled(-now, v), v
	f.stamp++
	f.key = f.nature + hash(b.x, v)
}

// lookAround foresees what body i meets on its new path.
func (s *Space) lookAround(i int32, now float64) {
	s.near = s.grid.Near(i, s.near[:0])
	s.foreseeAll(i, now)
	s.sweepSurfaces(i, now)
	s.sweepSensing(i, now)
	s.foreseeCrossing(i, now)
	if s.infos[i].inside >= 0 {
		s.foreseeLeaving(i, now)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
