package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
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

// solveHolds solves the holds: the velocities of the bodies that are held become what the contacts leave of them.
func (s *Space) solveHolds() {
	s.unite()
	if s.holdsChanged {
		s.orderHolds()
	}
	s.tieAll()
	for from := 0; from < len(s.ties); {
		to := from + 1
		for to < len(s.ties) && s.islands[s.joints[to].hold] == s.islands[s.joints[from].hold] {
			to++
		}
		s.solve(s.ties[from:to], s.joints[from:to])
		from = to
	}
	s.slowDrivers()
	s.unseat()
}

// solve finds the impulses of the contacts of an island, and the velocities that they leave.
func (s *Space) solve(ties []tie, joints []joint) {
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
		s.solveDriven(ties, joints, enough, rounds)
		return
	}
	for round := 1; round < rounds && s.relax(ties, joints) > enough; round++ {
	}
	s.lose(ties, joints)
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
		s.twirl(t, d, drag, d.twist.Scale(times))
	}
}

// twirl turns the two of a tie by an impulse on the first where they touch, and one of a torque.
func (s *Space) twirl(t *tie, d *joint, drag, twist collide.Vec3) {
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
				s.twirl(t, d, collide.Vec3{X: cx, Y: cy, Z: cz}, collide.Vec3{})
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
		s.infos[i].solved = true
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
	s.log.Sort()
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
	*s.log.Add() = eventlog.Entry{
		Point: s.bodies[i].x.AddScaled(-d.ra, t.normal), Normal: t.normal, Approach: max(approach, 0), Impulse: t.push,
		A: h.a, B: h.b, Kind: eventlog.Impact, Key: key,
	}
	s.Counts.lasting++
}
