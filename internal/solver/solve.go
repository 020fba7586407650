package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// The contacts that are held are solved by projected successive over-relaxation: contact by contact, from the lowest to the highest, the impulse that
// brings its two to the velocity that they should have, over and over, beginning with the impulses of the step before. Each island, the bodies that hold
// each other directly or through others, is a solution of its own.
//
// Where bodies hold each other, a contact is a stiff spring with a damper within the gap that they keep, and hard where that is used up. The spring is what lets disordered
// heaps come to rest: with hard contacts alone the forces in them have no one solution that a few rounds find. It remembers: it is relaxed at the load
// of the step before, whatever the gap, and only slowly opens that. So what it carries doesn't sag, and what is no more pressed isn't thrown off.
const (
	softness     = 0x1p-8  // of a contact, in parts of its effective inverse mass
	pressedMost  = 0.75    // of the gap is what the softness may take of it in a step: a heavier load finds a stiffer contact
	opens        = 0.1     // of what the gap lacks is made up for in a step, at the most
	over         = 1.7     // relaxation: beyond 1, and below 2
	roundsHeld   = 20      // at the most, where there is friction
	roundsSlick  = 80      // and where there is none: then far more depends on each contact
	roundsMore   = 60      // more in small islands
	tiesMore     = 1 << 12 // of which those go through about so many contacts
	roundsUneven = 400     // more where masses differ: as many as one is times another
	tiesUneven   = 1 << 15 // through about so many contacts
	tiesFew      = 16      // in islands with no more than so many contacts the rounds go on to rounding
	unsureness   = 8       // the gap that a contact needs, in parts of the way that the last round of a step left open
	surer        = 0.9     // what remains of that need from step to step
	solvedShare  = 0x1p-17 // of what pulls at bodies in a step: changes of velocity below count as none
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
	visit   uint32
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

// solveHolds solves the holds: the velocities of the bodies that are held become what the contacts leave of them.
func (s *Space) solveHolds() {
	s.unite()
	if s.holdsChanged {
		s.orderHolds()
	}
	s.tieAll()
	s.Counts.Rounds = 0
	for from := 0; from < len(s.ties); {
		to := from + 1
		for to < len(s.ties) && s.islands[s.joints[to].hold] == s.islands[s.joints[from].hold] {
			to++
		}
		s.Counts.Rounds = max(s.Counts.Rounds, s.solve(s.ties[from:to], s.joints[from:to]))
		from = to
	}
	s.slowDrivers()
	s.unseat()
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
		e, p.jumps, q.jumps = 0, true, true
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

// solve finds the impulses of the contacts of an island, and the velocities that they leave, and returns in how many rounds.
func (s *Space) solve(ties []tie, joints []joint) int {
	rounds := roundsSlick
	scale, light, heavy := 0.0, 0.0, math.Inf(1)
	for k := range ties {
		t := &ties[k]
		if t.static > heapGrip {
			rounds = roundsHeld
		}
		for _, at := range [2]int32{t.a, t.b} {
			if st := &s.sitters[at]; st.movable {
				scale = max(scale, abs1(st.fall.Sub(st.v0)), float64(0x1p-7*abs1(st.fall)))
				inverse := s.bodies[st.body].inverseMass
				light, heavy = max(light, inverse), min(heavy, inverse)
			}
		}
	}
	driven := s.findDrivers(ties, joints)
	s.warm(ties, joints)
	enough := float64(solvedShare * scale)
	if len(ties) <= tiesFew {
		enough = float64(restShare * scale)
	}
	rounds += min(roundsMore, tiesMore/len(ties)) + min(roundsUneven, tiesUneven/len(ties), int(min(light/heavy, roundsUneven)))
	if driven {
		return s.press2(ties, joints, enough, rounds)
	}
	round := 1
	for ; round < rounds && s.relax(ties, joints) > enough; round++ {
	}
	s.lose(ties, joints)
	return round
}

// lose takes back as much of the impulses as makes energy. Friction, cut off where a contact comes to bear less, can; where so few rounds as there are come to an end in the middle of that, it does.
func (s *Space) lose(ties []tie, joints []joint) {
	gain, scale := 0.0, 0.0
	s.visits++
	for k := range ties {
		t := &ties[k]
		if t.least > 0 {
			gain -= float64(2 * t.push * t.least) // a gap is made on purpose
		}
		for _, at := range [2]int32{t.a, t.b} {
			st := &s.sitters[at]
			if st.carried {
				return // something else drives them
			}
			if !st.movable || st.visit == s.visits {
				continue
			}
			st.visit = s.visits
			mass := 1 / s.bodies[st.body].inverseMass
			was := float64(mass * st.fall.LengthSquared())
			gain += float64(mass*s.seats[at].v.LengthSquared()) - was
			scale += was
			if w := &s.whirls[at]; w.inverse > 0 {
				gain += (w.w.LengthSquared() - st.w0.LengthSquared()) / w.inverse
			}
		}
	}
	if gain <= float64(0x1p-40*scale) {
		return
	}
	// The energy is a parabola in what is taken of the impulses: 0 for none, and gain for all.
	after := s.power(ties, joints)
	for k := range ties {
		s.strike(&ties[k], &joints[k], -1)
	}
	before := s.power(ties, joints)
	part := 0.0
	if work := after - before; work > 0 {
		part = max(0, min(1, -before/work))
	}
	for k := range ties {
		t, d := &ties[k], &joints[k]
		s.strike(t, d, part)
		t.push, t.drag, d.twist = float64(part*t.push), t.drag.Scale(part), d.twist.Scale(part)
	}
}

// warm begins with the impulses of the step before, or with a part of them.
//
// Every round takes energy from the velocities, whatever it begins with. So energy could come only from what it begins with: where that adds some, because the load of the step before is
// gone, as much of it is taken as adds least.
func (s *Space) warm(ties []tie, joints []joint) {
	before := s.power(ties, joints)
	for k := range ties {
		s.strike(&ties[k], &joints[k], 1)
	}
	work := s.power(ties, joints) - before // twice the energy that the impulses have given, without what they have taken
	if before+float64(work/2) <= 0 {
		return
	}
	part := max(0, -before/work)
	for k := range ties {
		t, d := &ties[k], &joints[k]
		s.strike(t, d, part-1)
		t.push, t.drag, d.twist = float64(part*t.push), t.drag.Scale(part), d.twist.Scale(part)
	}
}

// power returns the sum of the impulses of the contacts times the velocities at them.
func (s *Space) power(ties []tie, joints []joint) float64 {
	sum := 0.0
	for k := range ties {
		t, d := &ties[k], &joints[k]
		if t.push == 0 {
			continue
		}
		w := s.seats[t.a].v.Sub(s.seats[t.b].v)
		sum += float64(t.push * w.Dot(t.normal))
		if t.static > 0 {
			if t.turns {
				w = s.turning(t, d, w)
			}
			sum += t.drag.Dot(w)
		}
		if d.round > 0 {
			sum += d.twist.Dot(s.whirls[t.a].w.Sub(s.whirls[t.b].w))
		}
	}
	return sum
}

// turning returns the velocity of the two of a tie relative to each other where they touch, w being that of their centres.
func (s *Space) turning(t *tie, d *joint, w collide.Vec3) collide.Vec3 {
	return w.Sub(d.belt).Add(t.normal.Cross(s.whirls[t.a].w.Scale(d.ra).Add(s.whirls[t.b].w.Scale(d.rb))))
}

// strike gives the two of a tie so many times its impulses.
func (s *Space) strike(t *tie, d *joint, times float64) {
	if t.push == 0 {
		return
	}
	drag := t.drag.Scale(times)
	p := t.normal.Scale(float64(times * t.push)).Add(drag)
	a, b := &s.seats[t.a], &s.seats[t.b]
	a.v = a.v.Add(mul(p, a.inverse))
	b.v = b.v.Sub(mul(p, b.inverse))
	if t.turns {
		s.turn2(t, d, drag, d.twist.Scale(times))
	}
}

// turn2 turns the two of a tie by an impulse on the first where they touch, and one of a torque.
func (s *Space) turn2(t *tie, d *joint, drag, twist collide.Vec3) {
	turn := t.normal.Cross(drag)
	wa, wb := &s.whirls[t.a], &s.whirls[t.b]
	wa.w = wa.w.AddScaled(-float64(d.ra*wa.inverse), turn).AddScaled(wa.inverse, twist)
	wb.w = wb.w.AddScaled(-float64(d.rb*wb.inverse), turn).AddScaled(-wb.inverse, twist)
}

// relax goes once through the contacts, and returns the greatest change of a velocity.
func (s *Space) relax(ties []tie, joints []joint) float64 {
	most := 0.0
	seats := s.seats
	for k := range ties {
		t := &ties[k]
		a, b := &seats[t.a], &seats[t.b]
		wx, wy, wz := a.v.X-b.v.X, a.v.Y-b.v.Y, a.v.Z-b.v.Z
		nx, ny, nz := t.normal.X, t.normal.Y, t.normal.Z
		along := float64(wx*nx) + float64(wy*ny) + float64(wz*nz)
		change := float64((t.least - along) * t.mass)
		change = min(change, float64((change+t.load-float64(t.soft*t.push))*t.yield))
		push := max(0, t.push+max(float64(over*change), float64((t.bound-along)*t.mass)))
		change = push - t.push
		if push == 0 && change == 0 {
			t.left = 0
			continue // apart, and it stays so: there is no friction either
		}
		t.push, t.left = push, change
		px, py, pz := float64(nx*change), float64(ny*change), float64(nz*change)
		most = max(most, math.Abs(change)/t.mass)
		if t.static > 0 {
			if t.turns {
				w := s.turning(t, &joints[k], collide.Vec3{X: wx, Y: wy, Z: wz})
				wx, wy, wz = w.X, w.Y, w.Z
				along = w.Dot(t.normal)
			}
			dx := t.drag.X - float64(t.side*(wx-float64(along*nx)))
			dy := t.drag.Y - float64(t.side*(wy-float64(along*ny)))
			dz := t.drag.Z - float64(t.side*(wz-float64(along*nz)))
			if l, most := float64(dx*dx)+float64(dy*dy)+float64(dz*dz), float64(t.static*push); l > float64(most*most) {
				part := float64(t.dynamic*push) / math.Sqrt(l)
				dx, dy, dz = float64(dx*part), float64(dy*part), float64(dz*part)
			}
			cx, cy, cz := dx-t.drag.X, dy-t.drag.Y, dz-t.drag.Z
			t.drag = collide.Vec3{X: dx, Y: dy, Z: dz}
			most = max(most, (math.Abs(cx)+math.Abs(cy)+math.Abs(cz))/t.side)
			px, py, pz = px+cx, py+cy, pz+cz
			if t.turns {
				d := &joints[k]
				s.turn2(t, d, collide.Vec3{X: cx, Y: cy, Z: cz}, collide.Vec3{})
				if d.round > 0 {
					most = max(most, s.resist(t, d))
				}
			}
		}
		a.v.X += float64(px * a.inverse.X)
		a.v.Y += float64(py * a.inverse.Y)
		a.v.Z += float64(pz * a.inverse.Z)
		b.v.X -= float64(px * b.inverse.X)
		b.v.Y -= float64(py * b.inverse.Y)
		b.v.Z -= float64(pz * b.inverse.Z)
	}
	return most
}

// resist is relax for the torques against rolling and turning. It returns the change as that of a velocity.
func (s *Space) resist(t *tie, d *joint) float64 {
	wa, wb := &s.whirls[t.a], &s.whirls[t.b]
	twist := d.twist.AddScaled(-d.round, wa.w.Sub(wb.w))
	about := t.normal.Dot(twist)
	over := twist.AddScaled(-about, t.normal)
	if l, most := over.LengthSquared(), float64(d.roll*t.push); l > float64(most*most) {
		over = over.Scale(most / math.Sqrt(l))
	}
	most := float64(d.swivel * t.push)
	twist = over.AddScaled(max(-most, min(most, about)), t.normal)
	change := twist.Sub(d.twist)
	d.twist = twist
	wa.w = wa.w.AddScaled(wa.inverse, change)
	wb.w = wb.w.AddScaled(-wb.inverse, change)
	return float64(abs1(change)/d.round) * max(d.ra, d.rb)
}

// unseat gives the bodies the velocities that were found.
func (s *Space) unseat() {
	s.calmDown()
	for k := range s.seats {
		if s.sitters[k].stands {
			s.seats[k].v, s.whirls[k].w = collide.Vec3{}, collide.Vec3{}
		}
	}
	for k := range s.ties {
		t, d := &s.ties[k], &s.joints[k]
		h := &s.holds[d.hold]
		if !h.told && t.push > 0 {
			s.tellHold(t, d, h)
		}
		h.push, h.drag, h.twist = t.push, t.drag, d.twist
		h.unsure = max(float64(surer*h.unsure), float64(float64(unsureness*math.Abs(t.left))*s.Seconds)/t.mass)
		if t.push > 0 {
			s.sitters[t.a].pressed, s.sitters[t.b].pressed = true, true
		}
		// What a few rounds leave too fast meets in the calendar.
		va, vb := s.seats[t.a].v, s.seats[t.b].v
		if va.Sub(vb).Dot(t.normal) < t.bound-float64(flat(t.normal, va, vb)) {
			s.sitters[t.a].jumps = true
			s.sitters[t.b].jumps = true
		}
	}
	for k := range s.seats {
		st, v := &s.sitters[k], s.seats[k].v
		i := st.body
		if i < 0 {
			continue
		}
		id := s.infos[i].id
		s.seatOf[id] = -1
		if !st.movable {
			continue
		}
		b := &s.bodies[i]
		if s.sitters[s.top(int32(k))].calm >= calmSteps {
			s.stand(i, id)
			continue
		}
		if abs1(v) <= float64(restShare*abs1(st.fall.Sub(st.v0))) {
			v = collide.Vec3{}
		}
		s.flags[i] &^= settled
		if !st.pressed {
			continue // it flies
		}
		is := &s.stills[id]
		is.own, is.solved, is.early = s.pulls[i], s.searches, st.others || st.abrupt
		if is.early { // as if the change had come at once: that takes energy from what shakes
			b.v, s.pulls[i] = v, collide.Vec3{}
			s.flags[i] &^= pulled
		} else { // evenly, so that what slides down a slope is where it should be
			b.v = st.v0.Add(v).Scale(0.5)
			s.pulls[i] = v.Sub(st.v0).Scale(1 / s.Seconds)
			s.flags[i] |= pulled
		}
		if p := s.spinOf(i); p != nil {
			p.w = s.whirls[k].w
		}
		if !st.jumps && s.settles(i) {
			s.flags[i] |= settled
		}
	}
	s.nap()
	s.sortLog()
}

// tellHold tells the game of a contact that has come about without an impact, when the step begins.
func (s *Space) tellHold(t *tie, d *joint, h *hold) {
	h.told = true
	i := s.index[h.a]
	approach := -t.normal.Dot(s.sitters[t.a].v0.Sub(s.sitters[t.b].v0))
	key := s.marks[i].key
	if h.b >= 0 {
		key += s.marks[s.index[h.b]].key
	} else {
		key += s.surfaces[surfaceCode-h.b].key
	}
	s.log = append(s.log, Impact{
		Point: s.bodies[i].x.AddScaled(-d.ra, t.normal), Normal: t.normal, Approach: max(approach, 0), Impulse: t.push,
		A: h.a, B: h.b, What: Impacts, key: key,
	})
	s.Counts.lasting++
}

// mul multiplies axis by axis.
func mul(a, b collide.Vec3) collide.Vec3 {
	return collide.Vec3{X: float64(a.X * b.X), Y: float64(a.Y * b.Y), Z: float64(a.Z * b.Z)}
}
