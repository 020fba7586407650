package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/bvh"
)

// hold is a contact that lasts: two things that came to rest against each other, or that slide or roll on each other, and press. Whatever is
// held at the beginning of a step is solved together (solve.go), as velocities at the end of the step that bring nothing closer. What
// else meets, meets in the calendar; an impact there that doesn't bounce is where a hold begins.
//
// Things that are held keep a small gap, restGap, and may come closer under load, but never touch: so what a solution leaves of an approach
// doesn't make them meet.
type hold struct {
	a, b  int32        // a body's id, and a larger one or a surface's code
	next  int32        // the next hold of body a
	known bool         // the game has been told
	gone  bool         // to be dropped
	push  float64      // impulse along the normal in the last step, N·s
	drag  collide.Vec3 // impulse of friction on body a
}

const (
	// restGap is how far apart things rest, in parts of the smaller radius.
	restGap = 0x1p-9

	// nearShare is how close to each other, in parts of the smaller radius, two that are held by other things are, for the two of them to be solved together.
	nearShare = 0.05

	// loseShare is how far apart, in parts of the smaller radius, two things are no more held.
	loseShare = 0.06

	slow = 0.1
	most = 0.75
)

// grasp begins a hold of body i with code, a body's id or a surface's code, unless there is one.
func (s *Space) grasp(i, code int32) {
	if s.share != nil {
		s.grasped = append(s.grasped, pairOf{s.infos[i].id, code})
		return
	}
	s.addHold(s.infos[i].id, code)
}

// pairOf names two things by ids and codes.
type pairOf struct{ a, b int32 }

func (s *Space) addHold(a, b int32) {
	if b >= 0 && b < a {
		a, b = b, a
	}
	for len(s.firstHold) < len(s.index) {
		s.firstHold = append(s.firstHold, -1)
	}
	if s.findHold(a, b) >= 0 {
		return
	}
	s.holds = append(s.holds, hold{a: a, b: b, next: s.firstHold[a]})
	s.firstHold[a] = int32(len(s.holds) - 1)
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

// isHeld reports whether two things, bodies or surfaces, hold each other.
func (s *Space) isHeld(a, b int32) bool {
	if a < 0 || b >= 0 && b < a {
		a, b = b, a
	}
	at := s.findHold(a, b)
	return at >= 0 && s.holds[at].push > 0
}

// forget drops the holds of a body or surface.
func (s *Space) forgetHolds(code int32) {
	if len(s.holds) == 0 {
		return
	}
	for k := range s.holds {
		if h := &s.holds[k]; h.a == code || h.b == code {
			h.gone = true
		}
	}
	s.tidyHolds()
}

// tidyHolds takes out the holds that are gone, and chains the others anew.
func (s *Space) tidyHolds() {
	for k := range s.holds {
		s.firstHold[s.holds[k].a] = -1
	}
	s.holds = slices.DeleteFunc(s.holds, func(h hold) bool { return h.gone })
	s.chainHolds()
}

func (s *Space) chainHolds() {
	for len(s.firstHold) < len(s.index) {
		s.firstHold = append(s.firstHold, -1)
	}
	for k := range s.holds {
		s.firstHold[s.holds[k].a] = -1
	}
	for k := range s.holds {
		h := &s.holds[k]
		h.next = s.firstHold[h.a]
		s.firstHold[h.a] = int32(k)
	}
}

// canHold reports whether body i takes part in holds: it moves as impacts tell it.
func (s *Space) canHold(i int32) bool {
	f := &s.infos[i]
	return s.flags[i]&alive != 0 && f.kind == Dynamic && !f.material.Sensor && !f.material.Slide
}

// mayHold reports whether bodies i and j may hold each other.
func (s *Space) mayHold(i, j int32) bool {
	return (s.canHold(i) || s.canHold(j)) && !s.infos[i].material.Slide && !s.infos[j].material.Slide
}

// seat is a thing in the solution: a body, or a surface.
type seat struct {
	v       collide.Vec3 // its velocity at the end of the step
	inverse collide.Vec3 // inverse mass along each axis: 0 along those that are locked
	v0      collide.Vec3 // its velocity when the step begins
	x       collide.Vec3
	radius  float64
	height  float64
	body    int32 // -1 for a surface
	others  bool  // it is held by another body
}

// tie is a contact of the solution.
type tie struct {
	a, b   int32 // seats
	normal collide.Vec3
	gap    float64
	least  float64 // the velocity along the normal that brings it where it should be
	bound  float64 // the least that doesn't make them touch
	mass   float64 // effective, along the normal
	side   float64 // effective, across
	soft   float64
	grip   Grip
	push   float64
	drag   collide.Vec3
	hold   int32
}

// solveHolds brings the holds up to date and solves them: the velocities of bodies that are held become what the contacts leave of them.
func (s *Space) solveHolds() {
	if len(s.holds) == 0 || s.share != nil {
		return
	}
	s.seatAll()
	s.findNear()
	if s.tieAll(); len(s.ties) > 0 {
		s.solve()
		s.unseat()
	}
}

// sit returns the seat of body i.
func (s *Space) sit(i int32) int32 {
	id := s.infos[i].id
	if k := s.seatOf[id]; k >= 0 {
		return k
	}
	b := &s.bodies[i]
	k := int32(len(s.seats))
	st := seat{x: b.x, radius: b.radius, body: i}
	half := s.Seconds / 2
	st.v0 = b.v.AddScaled(-half, s.pulls[i])
	st.v = b.v.AddScaled(half, s.pulls[i])
	if s.canHold(i) {
		st.inverse = Unlocked(collide.Vec3{X: b.inverseMass, Y: b.inverseMass, Z: b.inverseMass}, s.infos[i].material.Locked)
	}
	st.height = -b.x.Dot(s.Down)
	s.seats = append(s.seats, st)
	s.seatOf[id] = k
	return k
}

// seatAll gives every body that is held a seat, and drops the holds that are over.
func (s *Space) seatAll() {
	s.seats = s.seats[:0]
	s.seatOf = resize(s.seatOf, len(s.index))
	for k := range s.seatOf {
		s.seatOf[k] = -1
	}
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
		h := &s.holds[k]
		s.sit(s.index[h.a])
		if h.b >= 0 {
			s.sit(s.index[h.b])
		}
	}
	s.members = len(s.seats)
}

// lasts reports whether the two of a hold are still close enough.
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
	if !f.alive || f.Material.Sensor || !s.canHold(i) || !s.infos[i].material.collides(&f.Material) || s.vetoed(h.a, h.b) {
		return false
	}
	gap, _ := s.separation(a, surfaceCode-h.b, 0)
	return gap <= float64(loseShare*a.radius)
}

// findNear adds holds of those that are held by other things and come close to each other.
func (s *Space) findNear() {
	for k := range s.members {
		st := &s.seats[k]
		i := st.body
		if st.inverse == (collide.Vec3{}) {
			continue
		}
		id := s.infos[i].id
		s.near = s.grid.Near(i, s.flight(i, 0), s.near[:0])
		for _, j := range s.near {
			o := s.infos[j].id
			at := s.seatOf[o]
			movable := at >= 0 && int(at) < s.members && s.seats[at].inverse != (collide.Vec3{})
			if i == j || movable && o < id || !movable && s.infos[j].kind == Dynamic {
				continue
			}
			if !s.comesNear(st, j) || !s.infos[i].material.collides(&s.infos[j].material) || s.infos[j].material.Sensor || s.infos[j].material.Slide {
				continue
			}
			s.addHold(id, o)
			s.sit(j)
			st = &s.seats[k]
		}
		s.findSurfaces(i, id, st)
	}
}

// comesNear reports whether body j is so close to a seat's that the two are solved together.
func (s *Space) comesNear(st *seat, j int32) bool {
	b := &s.bodies[j]
	d := st.x.Sub(b.x)
	touch := st.radius + b.radius
	far := touch + float64(nearShare*min(st.radius, b.radius))
	dd := d.LengthSquared()
	if most := 2 * touch; dd > float64(most*most) {
		return false
	}
	// Whoever comes near in the step counts as well: |d| + t n·w <= far, times |d|.
	w := st.v.Sub(b.v.AddScaled(s.Seconds/2, s.pulls[j]))
	return dd+float64(s.Seconds*min(0, d.Dot(w))) <= float64(far*math.Sqrt(dd))
}

// findSurfaces adds holds of body i with surfaces that it comes close to.
func (s *Space) findSurfaces(i, id int32, st *seat) {
	near := float64(nearShare * st.radius)
	for at := range s.planes {
		p := &s.planes[at]
		gap := p.Normal.Dot(st.x) - p.Distance
		rate := p.Normal.Dot(st.v) - p.rate
		if p.twoSided && gap < 0 {
			gap, rate = -gap, -rate
		}
		gap -= st.radius
		if gap+float64(min(0, rate)*s.Seconds) <= near && gap <= st.radius && s.infos[i].material.collides(&s.surfaces[p.surface].Material) {
			s.addHold(id, surfaceCode-p.surface)
		}
	}
	if s.polygons.Len() == 0 {
		return
	}
	ball := collide.Sphere{Center: st.x, Radius: st.radius + near}
	var search bvh.Search
	s.polygons.Search(&search, boxOf(ball), collide.Vec3{}, 0)
	for k, ok := search.Next(); ok; k, ok = search.Next() {
		f := &s.surfaces[k]
		height := f.Plane.Normal.Dot(st.x.Sub(f.shift(0))) - f.Plane.Distance
		if f.TwoSided {
			height = math.Abs(height)
		}
		if height <= 0 || height > ball.Radius || !s.infos[i].material.collides(&f.Material) {
			continue
		}
		// Only what lies under it: the edge of a tile that it rolls towards isn't in its way.
		gap, _ := s.separation(&s.bodies[i], k, 0)
		if math.Abs(gap+st.radius-height) <= f.slack {
			s.addHold(id, surfaceCode-k)
		}
	}
}

// tieAll works out the contacts of the solution, in an order that depends on nothing but where things are.
func (s *Space) tieAll() {
	s.ties = s.ties[:0]
	s.surfaceSeat = resize(s.surfaceSeat, len(s.surfaces))
	for k := range s.surfaceSeat {
		s.surfaceSeat[k] = -1
	}
	order := s.order[:0]
	for k := range s.holds {
		h := &s.holds[k]
		a := s.seatOf[h.a]
		i := s.seats[a].body
		t := tie{a: a, hold: int32(k), push: h.push, soft: softness}
		var least float64
		material := &s.infos[i].material
		var other *Material
		if h.b >= 0 {
			t.b = s.seatOf[h.b]
			j := s.seats[t.b].body
			other = &s.infos[j].material
			d := s.seats[a].x.Sub(s.seats[t.b].x)
			n, ok := d.Normalized()
			if !ok {
				continue
			}
			t.normal = n
			t.gap = d.Length() - s.seats[a].radius - s.seats[t.b].radius
			least = min(s.seats[a].radius, s.seats[t.b].radius)
		} else {
			number := surfaceCode - h.b
			f := &s.surfaces[number]
			other = &f.Material
			if s.surfaceSeat[number] < 0 {
				s.surfaceSeat[number] = int32(len(s.seats))
				s.seats = append(s.seats, seat{v: f.Velocity, v0: f.Velocity, body: -1, height: math.Inf(-1)})
			}
			t.b = s.surfaceSeat[number]
			t.gap, t.normal = s.separation(&s.bodies[i], number, 0)
			least = s.seats[a].radius
		}
		p, q := &s.seats[a], &s.seats[t.b]
		approach := -t.normal.Dot(p.v0.Sub(q.v0))
		if !(approach <= s.RestSpeed) && s.restitution(material, other, approach) > 0 {
			s.holds[k].push = 0
			continue // it bounces, at its time
		}
		na, nb := mul(t.normal, p.inverse), mul(t.normal, q.inverse)
		give := na.Dot(t.normal) + nb.Dot(t.normal)
		if !(give > 0) {
			continue
		}
		t.mass = 1 / give
		t.side = 1 / max(p.inverse.X+q.inverse.X, p.inverse.Y+q.inverse.Y, p.inverse.Z+q.inverse.Z)
		t.grip = s.grip(material, other)
		rest := restGap * least
		if t.gap > rest {
			t.least = -(t.gap - rest) / s.Seconds
		} else {
			if p := float64(softness*t.push) / t.mass; p > most*rest/s.Seconds {
				t.soft *= most * rest / s.Seconds / p
			}
			p := float64(t.soft*t.push) / t.mass
			open := (rest - max(t.gap, 0)) / s.Seconds
			t.least = min(p+min(p, slow*open), open)
		}
		t.bound = -max(t.gap-float64(0x1p-40*least), 0) / s.Seconds
		t.drag = h.drag.AddScaled(-h.drag.Dot(t.normal), t.normal)
		if h.b >= 0 {
			p.others, q.others = true, true
		}
		order = append(order, ranking{max(p.height, q.height), int32(len(s.ties))})
		s.ties = append(s.ties, t)
	}
	slices.SortFunc(order, func(a, b ranking) int {
		if a.height != b.height {
			return cmp.Compare(a.height, b.height)
		}
		return s.compareTies(&s.ties[a.tie], &s.ties[b.tie])
	})
	s.order = order
	s.tied2 = resize(s.tied2, len(s.ties))
	for k := range order {
		s.tied2[k] = s.ties[order[k].tie]
	}
	s.ties, s.tied2 = s.tied2, s.ties
}

// ranking is the place of a tie in the order of the solution.
type ranking struct {
	height float64
	tie    int32
}

// compareTies orders contacts at the same height by where they are.
func (s *Space) compareTies(a, b *tie) int {
	p, q := &s.seats[a.a].x, &s.seats[b.a].x
	if c := cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Z, q.Z), cmp.Compare(p.Y, q.Y)); c != 0 {
		return c
	}
	m, n := &a.normal, &b.normal
	if c := cmp.Or(cmp.Compare(m.X, n.X), cmp.Compare(m.Y, n.Y), cmp.Compare(m.Z, n.Z)); c != 0 {
		return c
	}
	return cmp.Compare(a.hold, b.hold)
}

// mul multiplies axis by axis.
func mul(a, b collide.Vec3) collide.Vec3 {
	return collide.Vec3{X: a.X * b.X, Y: a.Y * b.Y, Z: a.Z * b.Z}
}
