package solver

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// seat is a thing in the solution, a body or a surface: what every round looks at.
type seat struct {
	v       collide.Vec3 // its velocity at the end of the step
	inverse collide.Vec3 // inverse mass along each axis: 0 along those that are locked
}

// whirl is how a seat's body turns.
type whirl struct {
	w       collide.Vec3
	inverse float64 // inertia
}

// sitter is the same thing as a seat: the rest of what is known of it.
type sitter struct {
	v0      collide.Vec3 // its velocity when the step begins
	w0      collide.Vec3
	fall    collide.Vec3 // the velocity that it would have at the end of the step if nothing held it
	x       collide.Vec3
	height  float64
	body    int32 // -1 for a surface
	island  int32 // another of its island; itself for one of each
	member  bool  // it was held by something already
	movable bool
	visit   uint32  // the count of Space.visits in which lose has looked at it
	others  bool    // it is held by another body
	abrupt  bool    // it comes against something: its velocity doesn't change evenly
	jumps   bool    // it is in a contact that isn't solved
	pressed bool    // something presses on it
	stands  bool    // it has been calm for long enough
	pace    float64 // of something kinematic: what it keeps of its speed
	begun   float64 // and with how much of it each island begins
	carried bool    // it touches something that moves without being moved
	nap     int32   // of its island's top: its nap and 1; 0 for none
	calm    int8    // of its island's top: for how many steps all of it has been calm
}

// tie is a contact of the solution: what every round looks at. The rest is its joint.
type tie struct {
	a, b   int32 // seats
	normal collide.Vec3
	push   float64
	least  float64 // the velocity along the normal that it should have
	bound  float64 // the least that doesn't bring them into contact
	mass   float64 // effective, along the normal
	soft   float64 // softness
	yield  float64 // 1/(1+soft)
	load   float64 // the push, times softness, that the spring has given way to: more it gives way only to more
	left   float64 // by how much the last round changed the push

	static  float64 // friction; 0 for none
	dynamic float64
	side    float64 // effective mass across, with spin
	drag    collide.Vec3
	turns   bool // one of them turns, or its surface runs
}

// joint is the rest of what is known of a tie.
type joint struct {
	ra, rb       float64 // radii
	belt         collide.Vec3
	round        float64 // effective inertia; 0 where nothing resists rolling or turning
	roll, swivel float64 // the greatest torques of resistance, in parts of push
	twist        collide.Vec3
	hold         int32
	gap          float64
}

// sit gives body i a seat, unless it has one, and returns it.
func (s *Space) sit(i int32, member bool) int32 {
	id := s.infos[i].id
	if k := s.seatOf[id]; k >= 0 {
		s.sitters[k].member = s.sitters[k].member || member
		return k
	}
	b := &s.bodies[i]
	k := int32(len(s.seats))
	half := s.Seconds / 2
	t := sitter{x: b.x, body: i, island: k, member: member, movable: s.canHold(i) && b.inverseMass > 0}
	t.v0, t.fall = b.v, b.v
	if s.flags[i]&pulled != 0 {
		t.v0, t.fall = b.v.AddScaled(-half, s.pulls[i]), b.v.AddScaled(half, s.pulls[i])
	}
	t.height = -b.x.Dot(s.Down)
	st := seat{v: t.fall}
	if t.movable {
		st.inverse = s.unlocked(i, collide.Vec3{X: b.inverseMass, Y: b.inverseMass, Z: b.inverseMass})
	}
	turn := whirl{}
	if p := s.spinOf(i); p != nil {
		turn.w = p.w
		t.w0 = p.w
		if t.movable {
			turn.inverse = p.inverseInertia
		}
	}
	s.seats, s.sitters, s.whirls = append(s.seats, st), append(s.sitters, t), append(s.whirls, turn)
	s.seatOf[id] = k
	return k
}

// top returns the sitter that stands for the island of sitter k.
func (s *Space) top(k int32) int32 {
	for s.sitters[k].island != k {
		up := s.sitters[k].island
		s.sitters[k].island = s.sitters[up].island
		k = up
	}
	return k
}

// unite finds the islands.
func (s *Space) unite() {
	for k := range s.holds {
		h := &s.holds[k]
		if h.b < 0 {
			continue
		}
		a, b := s.seatOf[h.a], s.seatOf[h.b]
		if p, q := &s.sitters[a], &s.sitters[b]; p.movable && q.movable && !s.bounce(p.body, q.body) {
			p.others, q.others = true, true
			if a, b = s.top(a), s.top(b); a != b {
				s.sitters[max(a, b)].island = min(a, b)
			}
		}
	}
}

// bounce reports whether two bodies bounce off each other however slowly they meet.
func (s *Space) bounce(i, j int32) bool {
	a, b := &s.infos[i].material, &s.infos[j].material
	return (a.Restitution == 1 || b.Restitution == 1) && s.restitution(a, b, 0) > 0
}

// ranking is the place of a hold in the order of the solution.
type ranking struct {
	height float64
	island int32
	hold   int32
}

// orderHolds puts the holds in the order in which they are solved: island by island, and each from the lowest contact to the highest. It depends on nothing but where
// things are. While no hold comes or goes it stays as it is.
func (s *Space) orderHolds() {
	s.holdsChanged = false
	order := s.order[:0]
	for k := range s.holds {
		h := &s.holds[k]
		a := s.seatOf[h.a]
		height := s.sitters[a].height
		if h.b >= 0 {
			b := s.seatOf[h.b]
			height = max(height, s.sitters[b].height)
			if !s.sitters[a].movable {
				a = b
			}
		}
		order = append(order, ranking{height, s.top(a), int32(k)})
	}
	slices.SortFunc(order, func(p, q ranking) int {
		if p.island != q.island {
			return cmp.Compare(p.island, q.island)
		}
		if p.height != q.height {
			return cmp.Compare(p.height, q.height)
		}
		return s.compareHolds(p.hold, q.hold)
	})
	s.order = order
	s.unchain()
	s.spareHolds, s.islands = resize(s.spareHolds, len(s.holds)), resize(s.islands, len(s.holds))
	for k, r := range order {
		s.spareHolds[k], s.islands[k] = s.holds[r.hold], r.island
	}
	s.holds, s.spareHolds = s.spareHolds, s.holds
	s.chain()
}

// compareHolds orders two contacts of an island at the same height by what is there. Which of the two of a contact comes first is a matter of ids, on which no result may depend.
func (s *Space) compareHolds(p, q int32) int {
	a, b := s.sum(&s.holds[p]), s.sum(&s.holds[q])
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z), cmp.Compare(a.Y, b.Y), cmp.Compare(s.holds[p].a, s.holds[q].a), cmp.Compare(s.holds[p].b, s.holds[q].b))
}

// sum returns something that tells where a contact is, whichever of its two comes first.
func (s *Space) sum(h *hold) collide.Vec3 {
	x := s.sitters[s.seatOf[h.a]].x
	if h.b >= 0 {
		return x.Add(s.sitters[s.seatOf[h.b]].x)
	}
	return x.AddScaled(2, s.surfaces[surfaceCode-h.b].Plane.Normal)
}

// tieAll works out the contacts of the solution.
func (s *Space) tieAll() {
	s.surfaceSeat = resize(s.surfaceSeat, len(s.surfaces))
	for k := range s.surfaceSeat {
		s.surfaceSeat[k] = -1
	}
	s.ties, s.joints = s.ties[:0], s.joints[:0]
	for k := range s.holds {
		s.tieUp(int32(k))
	}
}

// tieUp adds the contact of hold k to the solution.
func (s *Space) tieUp(k int32) {
	h := &s.holds[k]
	a := s.seatOf[h.a]
	i := s.sitters[a].body
	s.ties, s.joints = append(s.ties, tie{a: a, soft: softness, push: h.push}), append(s.joints, joint{hold: k, ra: s.bodies[i].radius})
	t, d := &s.ties[len(s.ties)-1], &s.joints[len(s.joints)-1]
	var other *Material
	least := d.ra
	if h.b >= 0 {
		t.b = s.seatOf[h.b]
		j := s.sitters[t.b].body
		other = &s.infos[j].material
		d.rb = s.bodies[j].radius
		way := s.sitters[t.a].x.Sub(s.sitters[t.b].x)
		length := way.Length()
		t.normal = way.Scale(1 / length)
		if !(length > 0) {
			s.giveUp(t)
			return
		}
		d.gap = length - (d.ra + d.rb)
		least = min(d.ra, d.rb)
	} else {
		number := surfaceCode - h.b
		f := &s.surfaces[number]
		other = &f.Material
		if s.surfaceSeat[number] < 0 {
			s.surfaceSeat[number] = int32(len(s.seats))
			s.seats = append(s.seats, seat{v: f.Velocity})
			s.sitters = append(s.sitters, sitter{v0: f.Velocity, body: -1, island: int32(len(s.seats) - 1)})
			s.whirls = append(s.whirls, whirl{})
		}
		t.b = s.surfaceSeat[number]
		d.gap, t.normal = s.separation(&s.bodies[i], number, 0)
		d.belt = f.Belt
	}
	p, q := &s.sitters[t.a], &s.sitters[t.b]
	material := &s.infos[i].material
	if !q.movable && (q.v0 != (collide.Vec3{}) || q.w0 != (collide.Vec3{}) || d.belt != (collide.Vec3{})) {
		p.carried = true
	}
	if !p.movable && (p.v0 != (collide.Vec3{}) || p.w0 != (collide.Vec3{})) {
		q.carried = true
	}
	h.near = d.gap <= float64(2*restGap*least)
	rest := float64(restGap * least)
	approach := -t.normal.Dot(p.v0.Sub(q.v0))
	e := s.restitution(material, other, approach)
	if fall := -t.normal.Dot(p.fall.Sub(q.fall)) - approach; (!p.movable || !q.movable) && 2*approach <= fall {
		e = 0 // it would be back within half a step
	}
	if e < 1 && s.presses(p, q) {
		e = 0
	}
	if d.gap < -float64(deepShare*least) { // they come no closer, and separate moves them apart
		p.jumps, q.jumps = true, true
		if !(p.movable && q.movable) || !s.bounce(p.body, q.body) { // those are of two islands, and neither can be solved without the other: they meet in the calendar
			e = 0
		}
	}
	if e > 0 {
		h.push, h.drag, h.twist = 0, collide.Vec3{}, collide.Vec3{}
		s.giveUp(t) // it bounces, in its time
		return
	}
	ia, ib := s.seats[t.a].inverse, s.seats[t.b].inverse
	ease := mul(t.normal, ia).Dot(t.normal) + mul(t.normal, ib).Dot(t.normal)
	if !(ease > 0) { // neither gives way along the normal
		jumps := [2]bool{p.jumps, q.jumps}
		s.giveUp(t)
		if !(approach > 0) {
			p.jumps, q.jumps = jumps[0], jumps[1] // and neither has to
		}
		return
	}
	t.mass = 1 / ease
	t.bound = -max(d.gap-float64(hardShare*least), 0) / s.Seconds
	switch {
	case !p.others && !q.others: // alone, it touches what it rests on
		if d.gap <= float64(touchShare*least) {
			t.bound = 0
		}
		t.soft, t.least = 0, t.bound
	case d.gap > rest:
		t.least = -(d.gap - rest) / s.Seconds
		t.load = s.springOf(t, h, least)
	default:
		t.load = s.springOf(t, h, least)
		if p.fall == p.v0 && q.fall == q.v0 {
			break // nothing presses but their motion
		}
		parts := float64(opens*max(0, min(rest, h.unsure)-max(d.gap, 0))) / s.Seconds
		t.least = min(parts, float64(t.soft*min(h.push, h.before))/t.mass)
		if s.grip(material, other) == (Grip{}) {
			t.least = min(t.least+t.load/t.mass, (rest-max(d.gap, 0))/s.Seconds)
			t.load = 0
		}
	}
	h.before = h.push
	// Half of the rounding of a step.
	if t.bound+approach > float64(0x1p-30*(abs1(p.fall.Sub(p.v0))+abs1(q.fall.Sub(q.v0)))) {
		p.abrupt, q.abrupt = true, true
	}
	t.yield = 1 / (1 + t.soft)
	g := s.grip(material, other)
	if (p.others || q.others) && p.v0.Sub(q.v0).LengthSquared() <= float64(calmSpeed*calmSpeed)*float64(s.Length*s.Length) {
		if g.Static < heapGrip {
			g.Static, g.Dynamic = heapGrip, heapGrip
		}
		g.Rolling, g.Spinning = max(g.Rolling, heapGrip), max(g.Spinning, heapGrip)
	}
	if g != (Grip{}) {
		t.static, t.dynamic = g.Static, g.Dynamic
		wa, wb := &s.whirls[t.a], &s.whirls[t.b]
		across := max(ia.X+ib.X, ia.Y+ib.Y, ia.Z+ib.Z)
		turning := float64(wa.inverse*float64(d.ra*d.ra)) + float64(wb.inverse*float64(d.rb*d.rb))
		t.side = 1 / (across + turning)
		t.drag = h.drag.AddScaled(-h.drag.Dot(t.normal), t.normal)
		t.turns = wa.inverse > 0 || wb.inverse > 0 || wa.w != (collide.Vec3{}) || wb.w != (collide.Vec3{}) || d.belt != (collide.Vec3{})
		if turns := wa.inverse + wb.inverse; turns > 0 && (g.Rolling > 0 || g.Spinning > 0) {
			lever := d.ra
			if h.b >= 0 {
				lever = float64(d.ra*d.rb) / (d.ra + d.rb)
			}
			d.round, d.roll, d.swivel = 1/turns, float64(g.Rolling*lever), float64(g.Spinning*lever)
			d.twist = h.twist
		}
	}
}

// presses reports whether of two seats the one is something kinematic that moves, and the other is held by other bodies, too: they don't bounce off each other, for
// those are in the way.
func (s *Space) presses(p, q *sitter) bool {
	if q.others {
		p, q = q, p
	}
	return p.others && !q.movable && q.v0 != (collide.Vec3{})
}

// springOf returns what the spring of a contact gives way to under the load of the step before, as a tie's load.
func (s *Space) springOf(t *tie, h *hold, least float64) float64 {
	spring := float64(t.soft*h.push) / t.mass
	if most := float64(float64(pressedMost*restGap)*least) / s.Seconds; spring > most {
		t.soft *= most / spring // a heavier load finds a stiffer contact
	}
	return float64(t.soft * h.push)
}

// heapGrip is the least friction of bodies that hold each other, and the least resistance to rolling and turning, while they slip slower than what counts as calm. Without any, a disordered heap is a mechanism that
// creeps on for minutes from one arrangement to the next.
const heapGrip = 0.02

// restShare is the velocity, in parts of what pulls in a step, below which there is nothing left but rounding.
const restShare = 0x1p-42

// hardShare is by how much, in parts of the smaller radius, what is solved stays clear of a touch: far above what rounding makes of a gap.
const hardShare = 0x1p-40

// giveUp takes the last tie back: its two meet in the calendar, if they do.
func (s *Space) giveUp(t *tie) {
	s.sitters[t.a].jumps = true
	s.sitters[t.b].jumps = true
	s.ties, s.joints = s.ties[:len(s.ties)-1], s.joints[:len(s.joints)-1]
}

// mul multiplies axis by axis.
func mul(a, b collide.Vec3) collide.Vec3 {
	return collide.Vec3{X: float64(a.X * b.X), Y: float64(a.Y * b.Y), Z: float64(a.Z * b.Z)}
}
