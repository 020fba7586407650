package solver

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
	"github.com/dango-physics/dango/internal/contacts"
)

// hold is a contact that lasts: two things that came to rest against each other, or that slide or roll on each other, and press. Whatever is
// held when a step begins is solved together (package contacts), as velocities that bring nothing into contact. What
// else meets, meets in the calendar; an impact there that doesn't bounce is where a hold begins.
//
// Bodies that are held by other bodies keep a small gap, contacts.RestGap: so what a solution leaves of an approach doesn't make them meet.
type hold struct {
	a, b int32 // a body's id, and a larger one or a surface's code
	next int32 // the next hold of body a
	told bool  // it is in Space.touching
	gone bool  // to be dropped
	near bool  // they are about as close as they rest

	contacts.History
	island int32 // the island in which it was when the contacts were last ordered
}

const (
	// nearShare is how close to each other, in parts of the smaller radius, two bodies come that are held by other things, to be solved together.
	nearShare = 0x1p-4

	// reachShare is from how far, in parts of the smaller radius, two such that come closer in the step are solved together already.
	reachShare = 0x1p-2

	// loseShare is how far apart, in parts of the smaller radius, two things are that hold each other no more.
	loseShare = 0x1p-3

	// moveShare is how far, in parts of the smallest radius, a body moves before it looks again for what it comes near to. Two that both move as far are
	// still found in time.
	moveShare = 0x1p-6
)

// namedPair names two things by ids and codes.
type namedPair struct{ a, b int32 }

// grasp begins a hold of body i with code, a body's id or a surface's code, unless there is one.
func (s *Space) grasp(i, code int32) {
	if s.region != nil {
		if s.owns(i) || code >= 0 && s.owns(s.index[code]) {
			s.grasped = append(s.grasped, namedPair{s.infos[i].id, code})
		}
		return
	}
	s.addHold(s.infos[i].id, code)
	s.told(s.infos[i].id, code)
}

func (s *Space) addHold(a, b int32) {
	if b >= 0 && b < a {
		a, b = b, a
	}
	if s.findHold(a, b) >= 0 {
		return
	}
	s.holds = append(s.holds, hold{a: a, b: b, next: s.firstHold[a]})
	s.firstHold[a] = int32(len(s.holds) - 1)
	s.holdsChanged = true
}

// extendTo makes s at least n long.
func extendTo[T any](s []T, n int, fill T) []T {
	for len(s) < n {
		s = append(s, fill)
	}
	return s
}

// findHold returns the place of the hold of a with b, where a is the smaller of two ids, or -1.
func (s *Space) findHold(a, b int32) int32 {
	if int(a) >= len(s.firstHold) {
		return -1
	}
	at := s.firstHold[a]
	for at >= 0 && s.holds[at].b != b {
		at = s.holds[at].next
	}
	return at
}

// isHeld reports whether two things, bodies or surfaces, hold each other after a step, or rest on each other in a nap.
func (s *Space) isHeld(a, b int32) bool {
	if a < 0 || b >= 0 && b < a {
		a, b = b, a
	}
	i := s.index[a]
	if b < 0 {
		if s.flags[i]&asleep != 0 && s.surfaces[surfaceCode-b].bears {
			return true
		}
	} else if j := s.index[b]; s.flags[i]&asleep != 0 && s.flags[j]&(asleep|bears) != 0 || s.flags[i]&bears != 0 && s.flags[j]&asleep != 0 {
		return true // what naps touches what it touched
	}
	at := s.findHold(a, b)
	if at < 0 {
		return false
	}
	h := &s.holds[at]
	return (h.NormalImpulse > 0 || h.near) && s.isNear(i, b)
}

// isNear reports whether body i is about as close as they rest to code.
func (s *Space) isNear(i, code int32) bool {
	b := &s.bodies[i]
	if code < 0 {
		return s.gap(b, surfaceCode-code) <= float64(2*contacts.RestGap*b.radius)
	}
	o := &s.bodies[s.index[code]]
	return b.x.Distance(o.x)-(b.radius+o.radius) <= float64(2*contacts.RestGap*min(b.radius, o.radius))
}

// told notes that the game knows of a contact.
func (s *Space) told(a, b int32) {
	if b >= 0 && b < a {
		a, b = b, a
	}
	if at := s.findHold(a, b); at >= 0 {
		s.holds[at].told = true
	}
}

// untellHold notes that the game knows no more of a contact.
func (s *Space) untellHold(a, b int32) {
	if a < 0 || b >= 0 && b < a {
		a, b = b, a
	}
	if at := s.findHold(a, b); at >= 0 {
		s.holds[at].told = false
	}
	for _, id := range [2]int32{a, b} { // something has roused them in the step
		if id < 0 || s.stills[id].nap < 0 {
			continue
		}
		for k := range s.naps[s.stills[id].nap].holds {
			if h := &s.naps[s.stills[id].nap].holds[k]; h.a == a && h.b == b {
				h.told = false
			}
		}
	}
}

// freeGone makes the ids and numbers of what has been removed free for others: what held on to it is let go of first.
func (s *Space) freeGone() {
	if len(s.goneIDs) == 0 && len(s.goneSurfaces) == 0 {
		return
	}
	s.wakeRoused()
	lost := false
	for k := range s.holds {
		h := &s.holds[k]
		h.gone = s.flags[s.index[h.a]]&alive == 0 || h.b >= 0 && s.flags[s.index[h.b]]&alive == 0 || h.b < 0 && !s.surfaces[surfaceCode-h.b].alive
		lost = lost || h.gone
	}
	if lost {
		s.tidyHolds()
	}
	s.freeIDs = append(s.freeIDs, s.goneIDs...)
	s.freeSurfaces = append(s.freeSurfaces, s.goneSurfaces...)
	s.goneIDs, s.goneSurfaces = s.goneIDs[:0], s.goneSurfaces[:0]
}

// holdTogether finds what lasts of the contacts, and lets it have its say about the velocities with which the step begins.
func (s *Space) holdTogether() {
	s.wakeRoused()
	if len(s.vetoes) > 0 {
		s.wakeVetoed()
	}
	s.findPlaced()
	s.rouseDriven()
	if len(s.holds) > 0 {
		s.seatAll()
		s.solving = true
		s.tellStopped()
		s.findDriven()
		s.findNear()
		s.solving = false
		s.solveContacts()
		for k := range s.contactBodies {
			i := s.contactBodies[k].index
			if !s.contactSolver.Movable(int32(k)) || s.flags[i]&asleep != 0 {
				continue
			}
			s.markStale(i)
			b := &s.bodies[i]
			speed := b.v.Length()
			s.grid.Put(i, b.x, 2*b.radius, s.stride(speed), speed)
		}
	}
	s.Counts.Asleep = 0
	for n := range s.naps {
		s.Counts.Asleep += len(s.naps[n].bodies)
	}
}

// seatAll drops the holds that are over, and gives a seat to every body that is held.
func (s *Space) seatAll() {
	s.resetContactSolver()
	lost := false
	for k := range s.holds {
		h := &s.holds[k]
		h.gone = !s.lasts(h)
		lost = lost || h.gone
	}
	if lost {
		s.tidyHolds()
	}
	for k := range s.holds {
		s.seatHold(&s.holds[k])
	}
}

// seatHold gives the two of a hold their seats.
func (s *Space) seatHold(h *hold) {
	s.addSolverBody(s.index[h.a], true)
	if h.b >= 0 {
		s.addSolverBody(s.index[h.b], true)
	}
}

// tellStopped makes those look again for what is near around which something has stopped that isn't held: neither it nor they would look.
func (s *Space) tellStopped() {
	s.finest = math.Inf(1)
	for i, f := range s.flags {
		if f&alive != 0 {
			s.finest = min(s.finest, s.bodies[i].radius)
		}
	}
	for _, id := range s.stopped {
		b := &s.bodies[s.index[id]]
		if at := s.solverBodyOf[id]; at >= 0 && s.contactSolver.Movable(at) {
			continue
		}
		s.lookNear(b, float64(reachShare*b.radius))
		for _, j := range s.near {
			s.searched[s.infos[j].id].number = 0
		}
	}
}

// tidyHolds takes out the holds that are gone.
func (s *Space) tidyHolds() {
	s.unchain()
	s.holds = slices.DeleteFunc(s.holds, func(h hold) bool { return h.gone })
	s.chain()
	s.holdsChanged = true
}

func (s *Space) unchain() {
	for k := range s.holds {
		s.firstHold[s.holds[k].a] = -1
	}
}

func (s *Space) chain() {
	for k := range s.holds {
		h := &s.holds[k]
		h.next = s.firstHold[h.a]
		s.firstHold[h.a] = int32(k)
	}
}

// canHold reports whether body i moves as contacts tell it.
func (s *Space) canHold(i int32) bool {
	f := &s.infos[i]
	return s.flags[i]&alive != 0 && f.kind == Dynamic && !f.material.Sensor && !f.material.Slide
}

// mayHold reports whether bodies i and j may hold each other.
func (s *Space) mayHold(i, j int32) bool {
	a, b := &s.infos[i].material, &s.infos[j].material
	return (s.canHold(i) || s.canHold(j)) && !a.Slide && !b.Slide && !a.Sensor && !b.Sensor
}

// lasts reports whether the two of a hold are still close enough, and have to do with each other.
func (s *Space) lasts(h *hold) bool {
	i := s.index[h.a]
	a := &s.bodies[i]
	if h.b >= 0 {
		j := s.index[h.b]
		b := &s.bodies[j]
		reach := a.radius + b.radius + float64(loseShare*min(a.radius, b.radius))
		return a.x.Sub(b.x).LengthSquared() <= float64(reach*reach) && s.mayHold(i, j) && s.infos[i].material.collides(&s.infos[j].material) && !s.vetoed(h.a, h.b)
	}
	f := &s.surfaces[surfaceCode-h.b]
	if !f.alive || f.Material.Sensor || f.Material.Slide || !s.canHold(i) || !s.infos[i].material.collides(&f.Material) || s.vetoed(h.a, h.b) {
		return false
	}
	gap, _ := s.separation(a, surfaceCode-h.b, 0)
	return gap <= float64(loseShare*a.radius)
}

// findPlaced adds holds of what the game has put where it touches something, and where nothing bounces: it rests, or slides, from the first moment on.
func (s *Space) findPlaced() {
	for _, id := range s.placedIDs {
		i := s.index[id]
		if !s.canHold(i) {
			continue
		}
		b := &s.bodies[i]
		material := &s.infos[i].material
		touches := func(gap, least float64) bool {
			return gap <= float64(touchShare*least) && gap >= -float64(deepShare*least)
		}
		s.lookNear(b, float64(touchShare*b.radius))
		for _, j := range s.near {
			o := &s.bodies[j]
			if i == j || !s.mayHold(i, j) || s.infos[j].material.Sensor || !material.collides(&s.infos[j].material) {
				continue
			}
			d := b.x.Sub(o.x)
			if length := d.Length(); length > 0 && touches(length-(b.radius+o.radius), min(b.radius, o.radius)) {
				approach := -d.Dot(s.start(i).Sub(s.start(j))) / length
				if s.restitution(material, &s.infos[j].material, approach) == 0 {
					s.addHold(id, s.infos[j].id)
				}
			}
		}
		look := func(k int32) {
			f := &s.surfaces[k]
			if !s.mayHoldSurface(i, k) {
				return
			}
			if gap, n := s.separation(b, k, 0); touches(gap, b.radius) && s.restitution(material, &f.Material, -n.Dot(s.start(i).Sub(f.Velocity))) == 0 {
				s.addHold(id, surfaceCode-k)
			}
		}
		for at := range s.planes {
			look(s.planes[at].surface)
		}
		if s.polygons.Len() > 0 {
			var search bvh.Search
			s.polygons.Search(&search, boxOf(collide.Sphere{Center: b.x, Radius: float64(b.radius * (1 + touchShare))}), collide.Vec3{}, 0)
			for k, ok := search.Next(); ok; k, ok = search.Next() {
				look(k)
			}
		}
	}
}

// idle reports whether there is nothing that holdTogether would have to do.
func (s *Space) idle() bool {
	if len(s.holds)+len(s.naps)-len(s.freeNaps) > 0 {
		return false
	}
	return len(s.placedIDs) == 0
}

// start returns the velocity of body i when the step begins.
func (s *Space) start(i int32) collide.Vec3 {
	if s.flags[i]&pulled != 0 {
		return s.bodies[i].v.AddScaled(-s.Seconds/2, s.pulls[i])
	}
	return s.bodies[i].v
}

// search is a body's last look for what it comes near to.
type search struct {
	at     collide.Vec3 // where it was
	open   bool         // there was something at rest with which it isn't solved
	number uint32       // the step in which that was known to hold still, by Space.searches
}

// findNear adds holds of those that are held by other things and come close to each other.
func (s *Space) findNear() {
	for k := int32(0); int(k) < len(s.contactBodies); k++ {
		i := s.contactBodies[k].index
		if !s.contactBodies[k].member || !s.contactSolver.Movable(k) {
			continue
		}
		id := s.infos[i].id
		b := &s.bodies[i]
		// What moves along at the same speed isn't found by where it moves, so the fast ones look every time.
		move := float64(moveShare * s.finest)
		last := &s.searched[id]
		known := last.number == s.searches-1 && s.flags[i]&placed == 0 // it was held in the step before, too
		last.number = s.searches
		if far := b.x.Sub(last.at); known && s.thrust <= move && far.LengthSquared() <= float64(move*move) && float64(b.v.LengthSquared()*s.Seconds*s.Seconds) <= float64(move*move) {
			continue
		}
		last.at, last.open = b.x, false
		s.lookNear(b, float64(reachShare*b.radius)+min(s.thrust, b.radius))
		for _, j := range s.near {
			if i == j || s.flags[j]&alive == 0 || !s.infos[i].material.collides(&s.infos[j].material) {
				continue
			}
			o := s.infos[j].id
			if s.infos[j].material.Sensor || !s.mayHold(i, j) {
				last.open = last.open || s.bodies[j].v == collide.Vec3{}
				continue
			}
			if s.canHold(j) && s.flags[j]&asleep == 0 {
				if at := s.solverBodyOf[o]; at < 0 || !s.contactBodies[at].member { // it flies: let them meet
					last.open = last.open || s.bodies[j].v == collide.Vec3{}
					continue
				}
			}
			if !s.comesNear(k, i, j) || s.vetoed(id, o) {
				continue
			}
			if s.flags[j]&asleep != 0 {
				s.wake(s.stills[o].nap)
			}
			s.addHold(id, o)
			s.addSolverBody(j, s.canHold(j))
		}
		s.findSurfaces(i, id, s.contactSolver.FreeVelocity(k))
	}
}

// settles reports whether all that body i could meet in this step is solved together with it: it comes so little along that what was near enough for that
// was found.
func (s *Space) settles(i int32) bool {
	move := float64(moveShare * s.finest)
	return !s.searched[s.infos[i].id].open && float64(s.bodies[i].v.LengthSquared()*float64(s.Seconds*s.Seconds)) <= float64(move*move)
}

// lookNear lists in s.near the bodies that are within so far of body b, itself too. Who else is in the cells there is left out: nothing may depend on those.
func (s *Space) lookNear(b *body, margin float64) {
	all := false
	const more = 1 + 0x1p-6 // what only grazes a box, to rounding, the grid may leave out
	if s.near, all = s.grid.InBox(collide.AABB{Min: b.x, Max: b.x}.Grow(b.radius+float64(margin*more)), s.near[:0]); !all {
		s.near = s.near[:0]
		for i, f := range s.flags {
			if f&alive != 0 {
				s.near = append(s.near, int32(i))
			}
		}
	}
	s.near = slices.DeleteFunc(s.near, func(j int32) bool {
		o := &s.bodies[j]
		reach := b.radius + margin + o.radius
		return !(b.x.Sub(o.x).LengthSquared() <= float64(reach*reach))
	})
}

// comesNear reports whether body j is so close to body i, number k of the contact solver, that the two are solved together.
func (s *Space) comesNear(k, i, j int32) bool {
	a, b := &s.bodies[i], &s.bodies[j]
	d := a.x.Sub(b.x)
	touch := a.radius + b.radius
	least := min(a.radius, b.radius)
	thrust := min(s.thrust, least)
	far := touch + float64(nearShare*least) + thrust
	dd := d.LengthSquared()
	if most := touch + float64(reachShare*least) + thrust; dd > float64(most*most) {
		return false
	}
	// Whoever comes near in the step counts as well: |d| + t n·w <= far, times |d|.
	w := s.contactSolver.FreeVelocity(k).Sub(b.v.AddScaled(s.Seconds/2, s.pulls[j]))
	return dd+float64(s.Seconds*min(0, d.Dot(w))) <= float64(far*math.Sqrt(dd))
}

// findSurfaces adds holds of body i with surfaces that it comes close to.
func (s *Space) findSurfaces(i, id int32, free collide.Vec3) {
	x, radius := s.bodies[i].x, s.bodies[i].radius
	near := float64(nearShare*radius) + min(s.thrust, radius)
	for at := range s.planes {
		p := &s.planes[at]
		gap := p.Normal.Dot(x) - p.Distance
		rate := p.Normal.Dot(free) - p.rate
		if p.twoSided && gap < 0 {
			gap, rate = -gap, -rate
		}
		gap -= radius
		if gap+float64(min(0, rate)*s.Seconds) <= near && math.Abs(gap) <= radius && s.mayHoldSurface(i, p.surface) {
			s.addHold(id, surfaceCode-p.surface)
		}
	}
	if s.polygons.Len() == 0 {
		return
	}
	ball := collide.Sphere{Center: x, Radius: radius + near}
	var search bvh.Search
	s.polygons.Search(&search, boxOf(ball), collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &s.surfaces[k]
		height := f.Plane.Normal.Dot(x.Sub(f.shift(0))) - f.Plane.Distance
		if f.TwoSided {
			height = math.Abs(height)
		}
		if height <= 0 || height > ball.Radius || !s.mayHoldSurface(i, k) {
			continue
		}
		// Only what lies under it: the edge of a tile that it rolls towards isn't in its way.
		if gap, _ := s.separation(&s.bodies[i], k, 0); math.Abs(gap+radius-height) <= f.slack {
			s.addHold(id, surfaceCode-k)
		}
	}
}

func (s *Space) mayHoldSurface(i, k int32) bool {
	m := &s.surfaces[k].Material
	return !m.Slide && !m.Sensor && s.infos[i].material.collides(m) && !s.vetoed(s.infos[i].id, surfaceCode-k)
}
