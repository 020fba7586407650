package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// What is kinematic, and pushes into a pile, is solved together with that from before it touches it: then the pile gives way in time. What it met in the
// calendar would only find its neighbours in the way, which stand still, and they theirs.

// drives reports whether body i goes somewhere by itself.
func (s *Space) drives(i int32) bool {
	b := &s.bodies[i]
	return s.flags[i]&(alive|resting|asleep) == alive && b.inverseMass == 0 && b.v != (collide.Vec3{}) && s.infos[i].kind == Kinematic
}

// rouseDriven wakes what sleeps where something kinematic comes.
func (s *Space) rouseDriven() {
	if len(s.naps) == len(s.freeNaps) {
		return
	}
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			s.driveAll(i, s.rouseIn)
		}
	}
	if s.moving > 0 {
		s.driveSurfaces(s.rouseIn)
	}
}

// findDriven adds holds of what is kinematic, and comes near, with what other bodies hold. What nothing else holds meets it in the calendar, which is exact.
func (s *Space) findDriven() {
	s.thrust = 0
	any := s.moving > 0
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			any = true
			s.sit(i, false)
		}
	}
	if !any {
		return
	}
	for k := range s.holds {
		h := &s.holds[k]
		if h.b < 0 {
			continue
		}
		if p, q := &s.sitters[s.seatOf[h.a]], &s.sitters[s.seatOf[h.b]]; p.movable && q.movable && !s.bounce(p.body, q.body) {
			p.others, q.others = true, true
		}
	}
	for i := range int32(len(s.flags)) {
		if s.drives(i) {
			s.driveAll(i, s.drive)
		}
	}
	if s.moving > 0 {
		s.driveSurfaces(s.drive)
	}
}

// rouseIn ends the nap that body i is in, if any.
func (s *Space) rouseIn(i, _ int32) {
	if s.flags[i]&asleep != 0 {
		s.wake(s.stills[s.infos[i].id].nap)
	}
}

// drive adds a hold of body i, if others hold it, with what comes: a body's id or a surface's code.
func (s *Space) drive(i, code int32) {
	if at := s.seatOf[s.infos[i].id]; at >= 0 && s.sitters[at].others {
		s.addHold(s.infos[i].id, code)
		var v collide.Vec3
		if code >= 0 {
			v = s.bodies[s.index[code]].v
		} else {
			v = s.surfaces[surfaceCode-code].Velocity
		}
		s.thrust = max(s.thrust, float64(v.Distance(s.bodies[i].v)*s.Seconds))
	}
}

// driveAll calls meets with the bodies that the kinematic body i comes near to in this step, and its id.
func (s *Space) driveAll(i int32, meets func(j, code int32)) {
	if s.infos[i].material.Sensor || s.infos[i].material.Slide {
		return
	}
	b := &s.bodies[i]
	id, v := s.infos[i].id, b.v
	s.lookNear(b, b.radius)
	for _, j := range s.near {
		o := &s.bodies[j]
		if !s.canHold(j) || s.infos[j].material.Slide || !s.infos[i].material.collides(&s.infos[j].material) {
			continue
		}
		least := min(b.radius, o.radius)
		d := o.x.Sub(b.x)
		length, touch := d.Length(), b.radius+o.radius
		if gap := length - touch; gap > least || gap < -least || !(length > 0) {
			continue // farther than that off where it is says little of where it is going to be met
		}
		w := s.fallOf(j).Sub(v)
		if length+float64(min(0, d.Dot(w))/length*s.Seconds) <= touch+float64(nearShare*least) {
			meets(j, id)
		}
	}
}

// fallOf returns the velocity that body i has at the end of the step if nothing holds it.
func (s *Space) fallOf(i int32) collide.Vec3 {
	if s.flags[i]&pulled != 0 {
		return s.bodies[i].v.AddScaled(s.Seconds/2, s.pulls[i])
	}
	return s.bodies[i].v
}

// driveSurfaces calls meets with the bodies that moving surfaces come near to in this step, and their codes.
func (s *Space) driveSurfaces(meets func(i, code int32)) {
	for k := range s.surfaces {
		f := &s.surfaces[k]
		if !f.moves() || f.Material.Sensor || f.Material.Slide {
			continue
		}
		for i := range int32(len(s.bodies)) {
			if !s.canHold(i) || !s.mayHoldSurface(i, int32(k)) {
				continue
			}
			b := &s.bodies[i]
			if f.Polygon != nil && math.Abs(f.Plane.Normal.Dot(b.x.Sub(f.shift(0)))-f.Plane.Distance) > 2*b.radius {
				continue
			}
			gap, n := s.separation(b, int32(k), 0)
			if gap > b.radius || gap < -b.radius {
				continue
			}
			if gap+float64(min(0, n.Dot(s.fallOf(i).Sub(f.Velocity)))*s.Seconds) <= float64(nearShare*b.radius) {
				meets(i, surfaceCode-int32(k))
			}
		}
	}
}

// What is driven is solved with gaps that are kept open: what the rounds leave of an approach must not make contacts, for of those there would be thousands, each in the way
// of the next. A pile resists with hundreds of times its weight, and that takes many rounds to find; conjugate directions find it in fewer. Where
// those don't suffice either, what drives is slowed down until they do, and takes up speed again from step to step.
const (
	driveRounds = 120    // in which what is driven is solved
	driveAgain  = 20     // and as many more each time that what drives is slowed down
	driveFloor  = 1.0    // the gap that is kept, in parts of restGap
	driveLeft   = 0x1p-7 // of the speed of what drives is what may be left of an approach
	slowest     = 0x1p-5 // slower than that, in parts of its speed, what drives stands
)

// heading is where the impulses of a tie go, and where they were.
type heading struct {
	push, push0                float64
	drag, drag0, twist, twist0 collide.Vec3
}

// findDrivers reports whether something kinematic drives the bodies of an island. Then their contacts keep a gap.
func (s *Space) findDrivers(ties []tie, joints []joint) bool {
	driven := false
	for k := range ties {
		t := &ties[k]
		for _, at := range [2]int32{t.a, t.b} {
			st := &s.sitters[at]
			if st.movable || st.v0 == (collide.Vec3{}) {
				continue
			}
			if st.begun == 0 {
				st.pace, st.begun = 1, 1
				if last := s.lastPace(at); last > 0 {
					st.begun = min(1, 2*last)
				}
			}
			s.seats[at].v = st.v0.Scale(st.begun)
			driven = driven || s.sitters[t.a].others || s.sitters[t.b].others
		}
	}
	if !driven {
		return false
	}
	for k := range ties {
		t, d := &ties[k], &joints[k]
		if s.sitters[t.a].others || s.sitters[t.b].others {
			t.bound = (float64(float64(driveFloor*restGap)*d.least()) - d.gap) / s.Seconds
			if t.bound > 0 {
				t.bound *= opens
			}
		}
	}
	return true
}

// least returns the smaller radius.
func (d *joint) least() float64 {
	if d.rb > 0 {
		return min(d.ra, d.rb)
	}
	return d.ra
}

// lastPace returns what of its speed a seat's body or surface kept in the last step, 0 for all.
func (s *Space) lastPace(at int32) float64 {
	if i := s.sitters[at].body; i >= 0 {
		if id := s.infos[i].id; int(id) < len(s.paces) {
			return s.paces[id]
		}
		return 0
	}
	return s.surfaces[s.surfaceAt(at)].pace
}

// surfaceAt returns the surface that has a seat.
func (s *Space) surfaceAt(at int32) int32 {
	for k, seat := range s.surfaceSeat {
		if seat == at {
			return int32(k)
		}
	}
	return -1
}

// solveDriven is solve for what is driven.
func (s *Space) solveDriven(ties []tie, joints []joint, enough float64, rounds int) {
	s.conjugate(ties, joints, enough, max(rounds, driveRounds))
	for part := 1.0; !s.clears(ties, joints, part); {
		part /= 2
		if part < slowest {
			part = 0
		}
		s.slow(ties, part)
		s.conjugate(ties, joints, enough, driveAgain)
		if part == 0 {
			break
		}
	}
}

// clears reports whether what the rounds have left of approaches makes no contacts in this step, but for slow ones.
func (s *Space) clears(ties []tie, joints []joint, part float64) bool {
	fastest := 0.0
	for k := range ties {
		t := &ties[k]
		for _, at := range [2]int32{t.a, t.b} {
			if st := &s.sitters[at]; !st.movable {
				fastest = max(fastest, st.v0.LengthSquared())
			}
		}
	}
	left := float64(driveLeft * math.Sqrt(fastest))
	for k := range ties {
		t := &ties[k]
		bound := -max(joints[k].gap, 0) / s.Seconds
		if s.seats[t.a].v.Sub(s.seats[t.b].v).Dot(t.normal) < bound-left {
			return false
		}
	}
	return true
}

// slow lets what drives an island go at a part of the speed with which it began.
func (s *Space) slow(ties []tie, part float64) {
	for k := range ties {
		t := &ties[k]
		for _, at := range [2]int32{t.a, t.b} {
			if st := &s.sitters[at]; !st.movable && st.begun > 0 {
				pace := float64(part * st.begun)
				if pace < slowest {
					pace = 0
				}
				s.seats[at].v = st.v0.Scale(pace)
				st.pace = min(st.pace, pace)
			}
		}
	}
}

// conjugate goes through the contacts so many times, and on along the directions that the rounds take together. (M. Silcowitz, S. Niebe and K. Erleben, A nonsmooth
// nonlinear conjugate gradient method for interactive contact force problems, 2010.)
func (s *Space) conjugate(ties []tie, joints []joint, enough float64, rounds int) {
	s.headings = resize(s.headings, len(ties))
	clear(s.headings)
	before := math.Inf(1)
	for round := 1; round < rounds; round++ {
		for k := range ties {
			g := &s.headings[k]
			g.push0, g.drag0, g.twist0 = ties[k].push, ties[k].drag, joints[k].twist
		}
		if s.relax(ties, joints) <= enough {
			return
		}
		now := 0.0
		for k := range ties {
			g, t := &s.headings[k], &ties[k]
			x := t.push - g.push0
			now += float64(x*x) / t.mass
			if t.static > 0 {
				now += t.drag.Sub(g.drag0).LengthSquared() / t.side
			}
		}
		beta := now / before
		before = now
		if !(beta <= 1) {
			clear(s.headings)
			before = math.Inf(1)
			continue
		}
		for k := range ties {
			g, t, d := &s.headings[k], &ties[k], &joints[k]
			x, y, z := t.push-g.push0, t.drag.Sub(g.drag0), d.twist.Sub(g.twist0)
			g.push, g.drag, g.twist = float64(beta*g.push), g.drag.Scale(beta), g.twist.Scale(beta)
			if g.push != 0 || g.drag != (collide.Vec3{}) || g.twist != (collide.Vec3{}) {
				t.push, t.drag, d.twist = t.push+g.push, t.drag.Add(g.drag), d.twist.Add(g.twist)
				p := t.normal.Scale(g.push).Add(g.drag)
				a, b := &s.seats[t.a], &s.seats[t.b]
				a.v = a.v.Add(mul(p, a.inverse))
				b.v = b.v.Sub(mul(p, b.inverse))
				if t.turns {
					s.twirl(t, d, g.drag, g.twist)
				}
			}
			g.push, g.drag, g.twist = g.push+x, g.drag.Add(y), g.twist.Add(z)
		}
	}
	s.relax(ties, joints)
}

// slowDrivers slows down what drives, for this step, as the solution has it. What it presses on where it stands is crushed.
func (s *Space) slowDrivers() {
	for at := range s.sitters {
		st := &s.sitters[at]
		if st.movable || st.begun == 0 {
			continue
		}
		pace := min(st.pace, st.begun)
		s.seats[at].v = st.v0.Scale(pace) // and not as the last of the islands that it drives left it
		if i := st.body; i >= 0 {
			id := s.infos[i].id
			s.paces = extendTo(s.paces, len(s.index), 0)
			s.paces[id] = 0
			if pace < 1 {
				s.paces[id] = max(pace, slowest)
				s.halted = append(s.halted, halt{i, st.v0})
				s.bodies[i].v = st.v0.Scale(pace)
				s.Counts.Blocked++
			}
		} else {
			k := s.surfaceAt(int32(at))
			f := &s.surfaces[k]
			f.pace = 0
			if pace < 1 {
				f.pace = max(pace, slowest)
				s.slowSurface(k, st.v0.Scale(pace))
				s.Counts.Blocked++
			}
		}
	}
	for k := range s.ties {
		t := &s.ties[k]
		h := &s.holds[s.joints[k].hold]
		for n, at := range [2]int32{t.a, t.b} {
			st := &s.sitters[at]
			if st.movable || st.begun == 0 || st.pace > 0 || t.push == 0 {
				continue
			}
			other := s.sitters[[2]int32{t.b, t.a}[n]].body
			if st.body >= 0 {
				s.crushes(other, s.infos[st.body].id, s.marks[st.body].key, 0)
			} else {
				s.crushes(other, h.b, s.surfaces[surfaceCode-h.b].key, 0)
			}
		}
	}
}

// slowSurface gives surface k another velocity for this step.
func (s *Space) slowSurface(k int32, v collide.Vec3) {
	f := &s.surfaces[k]
	if f.moves() && v == (collide.Vec3{}) {
		s.moving--
	}
	f.Velocity = v
	f.rate = f.Plane.Normal.Dot(v)
	if at, found := s.findPlane(k); found {
		s.planes[at].rate = f.rate
	}
	s.queue(k)
}
