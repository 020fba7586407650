package verify

import (
	"math"
)

// lawError is the relative error that laws of motion may have in one step: speeds are sums and
// quotients of a few dozen rounded terms, and directions have the rounding of places over radii.
const lawError = 1e-9

// body is what a step does to a dynamic sphere.
type body struct {
	v0, w0 V // after damping
	mean   V // velocity of the chord if nothing happens
}

// begin returns the motion with which a dynamic sphere begins the step.
func (t *Thing) begin(seconds float64) body {
	v := t.Start.Velocity.unlocked(t.Locked).Scale(1 / (1 + float64(t.Damping*seconds)))
	w := t.Start.Angular.Scale(1 / (1 + float64(t.AngularDamping*seconds)))
	if t.Locked == 1 || t.Locked == 2 || t.Locked == 4 {
		w = w.unlocked(^t.Locked) // one locked axis: it rotates about that one only
	}
	return body{v, w, v.Add(t.Acceleration.Scale(seconds / 2))}
}

// speeds is a bound for the speeds of a thing in the step.
func (t *Thing) speeds(seconds float64) float64 {
	return t.Start.Velocity.Length() + t.End.Velocity.Length() + t.Acceleration.Length()*seconds
}

// isKnown reports whether thing i is a dynamic body whose motion the checks can derive.
func (c *Checker) isKnown(i int) bool {
	t := &c.step.Things[i]
	return !t.isImmovable() && !t.Sensor && !t.Changed && !c.pushed[i] && !c.walked[i]
}

// isFree reports whether nothing holds body i when the step begins.
func (c *Checker) isFree(i int) bool { return !c.near[i] && !c.heldStart[i] && !c.crowded[i] }

// motion checks the paths of bodies between impacts, and single impacts.
func (c *Checker) motion() {
	s := c.step
	c.findPressed()
	for i := range s.Things {
		t := &s.Things[i]
		if t.Changed {
			continue
		}
		if t.isImmovable() {
			c.driven(t)
		} else if c.isKnown(i) {
			c.straight(i)
		}
	}
	for k := range s.Impacts {
		c.bounce(k)
	}
	c.groups()
	c.characters()
}

// driven checks that something immovable has moved at its velocity.
func (c *Checker) driven(t *Thing) {
	s, d := c.step, V{}
	if t.Rotates() {
		c.rotation(t)
		return
	}
	if t.Character {
		return
	}
	if t.Kind == Kinematic {
		d = t.Start.Velocity.unlocked(t.Locked).Scale(s.Seconds)
	}
	off := t.End.Position.Sub(t.Start.Position.Add(d)).Length()
	if off > slack(t, t, s.Seconds) && (s.Blocked == 0 || t.Kind == Static) {
		c.fail("driven", "", t.ID, -1, "%d is %.3g m from where its velocity takes it", t.ID, off)
	}
	if t.End.Velocity != t.Start.Velocity {
		c.fail("driven", "", t.ID, -1,
			"the velocity of %d changes from %v to %v", t.ID, t.Start.Velocity, t.End.Velocity)
	}
}

// rotation checks that no point of something that rotates has moved farther than its speeds allow.
func (c *Checker) rotation(t *Thing) {
	s := c.step
	most := float64((t.Start.Velocity.Length() + t.Turns*t.Swing) * s.Seconds * (1 + 1e-9))
	check := func(from, to *Solid) {
		for k, p := range from.Points {
			off := t.End.Position.Add(to.Points[k]).Sub(t.Start.Position.Add(p)).Length()
			if off > most+4*slack(t, t, s.Seconds) {
				c.fail("driven", "", t.ID, -1,
					"a point of %d moves by %.9g m, and at its speeds by up to %.9g", t.ID, off, most)
				return
			}
		}
	}
	if t.EndSolid != nil {
		check(t.Solid, t.EndSolid)
	}
	for k := range t.EndParts {
		check(t.Parts[k].solid, t.EndParts[k].solid)
	}
}

// contactAcceleration is how many times its own acceleration contacts can make of that of a body
// within a step. What changes a velocity more is no force that lasts, and changes it at once.
const contactAcceleration = 2

// straight checks the first and the last piece of the path of dynamic sphere i.
func (c *Checker) straight(i int) {
	s, t := c.step, &c.step.Things[i]
	if s.Blocked > 0 || len(s.Crushed) > 0 {
		return
	}
	limit := ""
	if s.Spent > 0 {
		limit = limitJams
	}
	b := t.begin(s.Seconds)
	tol := slack(t, t, s.Seconds)*4 + lawError*t.Radius
	off := func(what string, got, want V) {
		if d := got.Sub(want).Length(); d > tol {
			c.fail("path", limit, t.ID, -1,
				"%d %s %.3g radii (%.3g m) from where its velocity takes it", t.ID, what, d/t.Radius, d)
		}
	}
	p := c.paths[i]
	if c.isFree(i) {
		if len(p) > 2 {
			off("has its first impact", p[1].P, t.Start.Position.Add(b.mean.Scale(p[1].T)))
		} else if !c.heldEnd[i] {
			off("ends", t.End.Position, t.Start.Position.Add(b.mean.Scale(s.Seconds)))
			want := b.v0.Add(t.Acceleration.Scale(s.Seconds))
			if d := t.End.Velocity.Sub(want).Length(); d > 1e-12*t.speeds(s.Seconds) {
				c.fail("free motion", limit, t.ID, -1,
					"velocity of %d is %v without an impact, and should be %v", t.ID, t.End.Velocity, want)
			}
			if d := t.End.Angular.Sub(b.w0).Length(); t.Inertia > 0 && t.Locked == 0 && d > 1e-12*b.w0.Length() {
				c.fail("free motion", limit, t.ID, -1,
					"angular velocity of %d is %v without an impact, and should be %v", t.ID, t.End.Angular, b.w0)
			}
		}
	}
	if n := len(p) - 2; n > 0 && !c.heldEnd[i] && !c.crowded[i] && !c.pressed[i] {
		// The body moves at the mean of its velocities. In a contact it moves at the last of them,
		// or that contact has changed its acceleration, to at most twice its own. A group of
		// impacts that something supports moves so, too.
		rest := s.Seconds - p[n].T
		a := t.Acceleration.Scale(s.Seconds / 2)
		d := c.givenBack(i, t.End.Position.Sub(p[n].P.Add(t.End.Velocity.Sub(a).Scale(rest))), rest).Length()
		if c.heldStart[i] || c.near[i] || c.grouped[i] {
			d = c.givenBack(i, t.End.Position.Sub(p[n].P.Add(t.End.Velocity.Scale(rest))), rest).Length()
			d -= contactAcceleration * a.Length() * rest
		}
		if d > tol {
			c.fail("path", limit, t.ID, -1,
				"%d ends %.3g radii (%.3g m) from where it goes after its last impact, at %.6g s",
				t.ID, d/t.Radius, d, p[n].T)
		}
	}
}

// givenBack returns how far body i is from where its velocity after the step takes it, less what is
// because characters have given way. Physics resolves an impact with a character as one with
// something immovable, and when the step is over the body gives back up to all of the impulse. That
// changes its velocity, and not its path.
func (c *Checker) givenBack(i int, off V, rest float64) V {
	t := &c.step.Things[i]
	for _, k := range c.impacts[i] {
		m := &c.step.Impacts[k]
		n, other := m.Normal, m.B // from the other to the body
		if m.B == t.ID {
			n, other = n.Scale(-1), m.A
		}
		if j := c.step.find(other); j >= 0 && c.step.Things[j].Character {
			off = off.Sub(n.Scale(min(max(off.Dot(n), 0), m.Impulse/t.Mass*rest)))
		}
	}
	return off
}

// findPressed marks the bodies of all groups in which some press on each other, and those of groups
// that are resolved together and may have met something immovable.
func (c *Checker) findPressed() {
	pressed, fixed := map[int]bool{}, map[int]bool{}
	for k := range c.step.Impacts {
		if m := &c.step.Impacts[k]; c.presses(k) {
			for _, id := range []int{m.A, m.B} {
				if i := c.step.find(id); i >= 0 {
					pressed[c.root(i)] = true
				}
			}
		}
	}
	for i := range c.fixed {
		if c.fixed[i] && c.step.TouchingGap > 0 {
			fixed[c.root(i)] = true
		}
	}
	for i := range c.pressed {
		c.pressed[i], c.grouped[i] = pressed[c.root(i)], fixed[c.root(i)]
	}
}

// presses reports whether impact k may end with two things that accelerate against each other: one
// that doesn't bounce, or whose bounce would be over within the step. Their velocities at the end
// of the step are not those of their chords.
func (c *Checker) presses(k int) bool {
	s, m := c.step, &c.step.Impacts[k]
	i, j := s.find(m.A), s.find(m.B)
	if i < 0 || j < 0 {
		return true
	}
	a, b := &s.Things[i], &s.Things[j]
	gain := (a.Acceleration.Length() + b.Acceleration.Length()) * s.Seconds
	e := restitution(a, b)
	dead := c.wasBlocked && a.drive()+b.drive() > 0 // see docs/limits.md, what is blocked
	return gain > 0 && (dead || a.Sliding || b.Sliding || e < 1 && m.Approach <= s.Threshold*(1+1e-6) ||
		e*m.Approach <= gain)
}

// bounce checks impact k against Newton's law of restitution and Coulomb's law, if it is the only
// one of both sides.
func (c *Checker) bounce(k int) {
	s, m := c.step, &c.step.Impacts[k]
	i, j := s.find(m.A), s.find(m.B)
	if i < 0 || j < 0 || s.Spent > 0 || s.Blocked > 0 || len(s.Crushed) > 0 {
		return
	}
	a, b := &s.Things[i], &s.Things[j]
	if b.Changed || !a.isBody() || a.isImmovable() && b.isImmovable() || a.Rotates() || b.Rotates() {
		return
	}
	var before, after [2]V
	size := 0.0
	for n, x := range []int{i, j} {
		t := &s.Things[x]
		before[n], after[n] = t.Start.Velocity, t.End.Velocity
		if t.Kind == Static {
			before[n], after[n] = V{}, V{}
		}
		if t.isImmovable() {
			continue
		}
		if len(c.impacts[x]) != 1 || !c.isKnown(x) || !c.isFree(x) || c.heldEnd[x] {
			return
		}
		before[n] = t.begin(s.Seconds).v0.Add(t.Acceleration.Scale(m.Time))
		after[n] = t.End.Velocity.Sub(t.Acceleration.Scale(s.Seconds - m.Time))
		size += t.speeds(s.Seconds)
	}
	size += b.drive()
	reach := reach(a, b)
	tol := size * (lawError + 4*slack(a, b, s.Seconds)/reach)
	if tol > 1e-3*m.Approach {
		return // too much rounding to say anything
	}
	closing := before[1].Sub(before[0]).Dot(m.Normal)
	if math.Abs(closing-m.Approach) > tol {
		c.fail("approach speed", "", a.ID, b.ID,
			"%d and %d approach at %v, and Approach is %v", a.ID, b.ID, closing, m.Approach)
		return
	}
	e := restitution(a, b)
	if c.pressed[i] || c.pressed[j] {
		return
	}
	switch {
	case a.Sliding || b.Sliding:
		e = 0
	case e < 1 && s.Threshold > 0 && math.Abs(closing-s.Threshold) <= 2*tol:
		return
	case e < 1 && s.Threshold > 0 && closing < s.Threshold:
		e = 0
	}
	// A character takes its part of the impulse when the step is over: see givenBack.
	yields := a.Character || b.Character
	if a.Character {
		after[0] = before[0]
	} else if b.Character {
		after[1] = before[1]
	}
	parting := after[0].Sub(after[1]).Dot(m.Normal)
	least := float64(e * closing)
	if yields {
		least = -closing
	}
	if parting < least-tol || parting > float64(e*closing)+tol {
		c.fail("restitution", "", a.ID, b.ID,
			"%d and %d approach at %v and part at %v with restitution %v", a.ID, b.ID, closing, parting, e)
	}
	for n, x := range []*Thing{a, b} {
		if x.isImmovable() || x.Locked != 0 {
			continue
		}
		change := after[n].Sub(before[n]).Scale(x.Mass)
		normal := math.Abs(change.Dot(m.Normal))
		if normal > m.Impulse+tol*x.Mass || normal < m.Impulse-tol*x.Mass && !yields {
			c.fail("impulse", "", a.ID, b.ID,
				"the momentum of %d changes by %v along the normal, and Impulse is %v", x.ID, normal, m.Impulse)
		}
		f := friction(a, b)
		side := change.Sub(m.Normal.Scale(change.Dot(m.Normal))).Length()
		if side > float64(f*m.Impulse)*(1+1e-9)+tol*x.Mass {
			c.fail("friction", "", a.ID, b.ID,
				"friction on %d is %v at a normal impulse of %v and a coefficient of %v", x.ID, side, m.Impulse, f)
		}
	}
}

// groupOf is what conservation sums over a group of bodies that may have met.
type groupOf struct {
	ids                           []int
	unknown, fixed, locked, lossy bool
	inside, held, slides          bool
	rough                         bool    // something in it does not rotate, and takes up angular momentum
	fixedSpin                     bool    // a body in a contact does not rotate, so friction there has one side only
	weight                        bool    // something accelerates it
	sheared                       bool    // not all of its bodies accelerate alike
	acceleration                  V       // of its first body
	push                          float64 // twice the speeds of all drivers that it met
	walls                         int     // bodies that met something immovable, twice if two such things
	impacts                       int
	mass                          float64
	kinetic0, kinetic1, potential float64 // J; potential: its change
	potentialSize                 float64
	chord, lift                   float64 // J that chords, and opening gaps, may add
	free                          float64 // J: kinetic energy if nothing happened in the step
	rubs                          bool    // something in it has friction
	parts                         bool    // a contact has opened farther than the rest gap
	parting                       float64 // J that bodies may get that leave contacts within the step: see add
	motor                         float64 // J that motors of what yields to load may add
	bend                          float64 // J that the arcs of what yields to load may add
	yielding                      int     // ID of something in it that yields to load
	pSize                         float64
	rounding                      float64 // J: what is left of velocities that have become 0
	pRounding                     float64 // N·s: the same, of impulses that contacts keep for the next step
	momentum                      V
}

// conservation checks energy, momentum and angular momentum of each group.
func (c *Checker) conservation() {
	s := c.step
	groups, all := make(map[int]*groupOf), &groupOf{}
	var order []int
	for i := range s.Things {
		t := &s.Things[i]
		if t.isImmovable() && !t.Yields || t.Sensor {
			continue
		}
		r := c.root(i)
		g := groups[r]
		if g == nil {
			g = &groupOf{}
			groups[r] = g
			order = append(order, r)
		}
		g.add(c, i)
		all.add(c, i)
	}
	for _, r := range order {
		g := groups[r]
		if !g.unknown {
			c.energy(g, all)
		}
		if !g.unknown && len(g.ids) > 0 {
			c.momentum(g)
			c.angular(g)
		}
	}
}

// add adds body i.
func (g *groupOf) add(c *Checker, i int) {
	s, t := c.step, &c.step.Things[i]
	g.unknown = g.unknown || t.Changed || c.unknown[i]
	if t.Yields {
		g.addYielding(t, s.Seconds)
		return
	}
	b := t.begin(s.Seconds)
	g.ids = append(g.ids, i)
	g.bend += c.bent[i] * float64(2+len(c.impacts[i]))
	g.fixed = g.fixed || c.fixed[i]
	g.locked = g.locked || t.Locked != 0
	g.lossy = g.lossy || c.lossy[i]
	g.rough = g.rough || t.Shape == Convex || c.rough[i] && t.Inertia == 0
	g.inside = g.inside || c.pushed[i]
	g.held = g.held || c.heldStart[i] || c.heldEnd[i] || c.near[i]
	g.slides = g.slides || t.Sliding
	g.rubs, g.parts = g.rubs || c.rough[i], g.parts || c.parted[i]
	g.fixedSpin = g.fixedSpin || t.Inertia == 0 && (c.heldStart[i] || c.heldEnd[i] || c.near[i])
	g.weight = g.weight || t.Acceleration != V{}
	g.push += c.push[i]
	if c.fixed[i] {
		g.walls++
	}
	if c.wedged[i] {
		g.walls++
	}
	n := float64(len(c.impacts[i]))
	g.impacts += len(c.impacts[i])
	g.mass += t.Mass
	v, w := t.End.Velocity, t.End.Angular
	g.kinetic0 += float64(t.Mass*b.v0.Dot(b.v0))/2 + float64(t.Inertia*b.w0.Dot(b.w0))/2
	g.kinetic1 += float64(t.Mass*v.Dot(v))/2 + float64(t.Inertia*w.Dot(w))/2
	c.most[t.ID] = max(c.most[t.ID], float64(t.Mass*b.v0.Dot(b.v0))+float64(t.Inertia*b.w0.Dot(b.w0)))
	g.rounding += 1e-24 * c.most[t.ID]
	g.pRounding += 0x1p-52 * math.Sqrt(t.Mass*c.most[t.ID])
	a := t.Acceleration
	free := b.v0.Add(a.Scale(s.Seconds))
	g.free += float64(t.Mass*free.Dot(free))/2 + float64(t.Inertia*b.w0.Dot(b.w0))/2
	size := t.Mass * a.Length()
	g.potential -= t.Mass * a.Dot(t.End.Position.Sub(t.Start.Position))
	g.potentialSize += size * (t.Start.Position.Length() + t.End.Position.Length())
	held := c.heldStart[i] || c.heldEnd[i]
	if held {
		n++ // friction may stop it within the step, and it moves at its mean velocity
	}
	unit := size * a.Length() * s.Seconds * s.Seconds / 4
	g.chord += n * unit
	if len(g.ids) == 1 {
		g.acceleration = a
	}
	g.sheared = g.sheared || a != g.acceleration
	// A body in contacts moves at its velocity v at the end of the step, which adds no energy,
	// until an impact at time t. From then on it is on its own parabola, which ends with v as well.
	// There it goes a·(dt-t)²/2 less far along its acceleration a, so it keeps up to m·a²·dt²/2
	// more potential energy. If all accelerate alike, their contacts have taken more than that:
	// their impulse only ends an approach.
	if held {
		g.parting += unit
	} else if c.near[i] {
		g.parting += 2 * unit
	}
	g.lift += size * t.Radius * restGap
	change := v.Sub(b.v0).Sub(a.Scale(s.Seconds)).Scale(t.Mass)
	g.momentum = g.momentum.Add(change)
	g.pSize += t.Mass * t.speeds(s.Seconds)
}

// addYielding adds something that yields to load: its energy of rotation, and what its motor may
// add, which never drives it beyond its speed.
//
// What it pushes without a bounce moves on a chord of the arc on which the point of contact moves,
// so that it keeps clear of that. In a step in which the wall turns by an angle φ, the chord is
// faster than the wall, of speed u, by up to u·φ/2 along the normal, and the push does not take the
// energy of that from the wall: m·u²·φ/2, and half of the square of the difference. Checker.bent
// has twice as much.
func (g *groupOf) addYielding(t *Thing, seconds float64) {
	w0, w1 := t.Start.Angular, t.End.Angular
	g.kinetic0 += float64(t.Inertia*w0.Dot(w0)) / 2
	g.kinetic1 += float64(t.Inertia*w1.Dot(w1)) / 2
	g.free += float64(t.Inertia*w0.Dot(w0)) / 2
	g.motor += t.Torque * seconds * t.MotorSpeed
	g.lossy, g.yielding = true, t.ID // it has stops
}

// wedge is how much faster than what drives it a body may leave a wedge: the inverse of the sine of
// an angle, which this takes for at least half a degree.
const wedge = 100

// energy checks that a group doesn't gain energy, and loses none if all is elastic. Something that
// drives the group adds at most twice its speed to it, in each impact: in the frame of the driver
// the group gains nothing.
//
// In a jam, impulses that act across gaps are not reported unless these close, so a group may get
// energy from others. All together still gain none.
func (c *Checker) energy(g, all *groupOf) {
	s, id := c.step, g.yielding
	if len(g.ids) > 0 {
		id = s.Things[g.ids[0]].ID
	}
	before, after := g.kinetic0, g.kinetic1
	if g.push > 0 {
		v0, v1 := math.Sqrt(2*before), math.Sqrt(2*after)
		more := g.push * math.Sqrt(g.mass)
		if g.walls > 1 {
			more *= wedge
		}
		for _, i := range g.ids {
			t := &s.Things[i]
			more += math.Sqrt(t.Mass) * t.Acceleration.Length() * s.Seconds
		}
		v0 += math.Sqrt(2 * (g.motor + g.bend))
		if v1 > v0*(1+1e-9)+more {
			c.fail("driven energy", "", id, -1,
				"the group of %d (%d bodies) has %.6g J of kinetic energy after %.6g J; what drives it explains %.6g J",
				id, len(g.ids), after, before, (v0+more)*(v0+more)/2)
		}
		return
	}
	if g.weight && g.inside {
		return // moving it out of what it overlaps lifts it
	}
	gain, tol := g.gained()
	if gain > tol {
		limit := ""
		if sum, most := all.gained(); s.Spent > 0 && sum <= most && all.push == 0 && !all.unknown {
			limit = limitJams
		}
		c.fail("energy", limit, id, -1,
			"the group of %d (%d bodies, %d impacts) has %.15g J and gains %.3g J; at most %.3g J can be explained",
			id, len(g.ids), g.impacts, before, gain, tol)
	}
	limit := ""
	if s.Spent > 0 {
		limit = limitJams
	}
	if !g.lossy && !g.weight && !g.slides && !g.inside && -gain > tol {
		c.fail("elastic energy", limit, id, -1,
			"the group of %d (%d bodies, %d impacts) is elastic, has %.15g J and loses %.3g J",
			id, len(g.ids), g.impacts, before, -gain)
	}
}

// gained returns the energy that a group that nothing drives has gained, and the most that can be
// explained, J.
//
// Contacts add to the energy of a group what their impulses P do on the ways δ by which their gaps
// open, Σ P·δ/dt, since they change the velocities of bodies that move by w·dt by impulses whose
// products with w sum up to that. A gap opens up to the rest gap. Where contacts bear no more than
// weight, that lifts each body by at most one rest gap for each body below it.
//
// Contacts without friction are springs, and push with more than weight after a hit. In a wedge
// small gaps are a long way, too, so neither P nor δ is known from outside. But two bounds hold
// whatever P is. No gap opens beyond the rest gap, so all that is lifted in many steps is lifted by
// gaps once. And contacts take kinetic energy from the velocities with which free bodies would end
// the step: a group at rest gains at most what one step of free fall would give it.
func (g *groupOf) gained() (gain, tol float64) {
	gain = g.kinetic1 - g.kinetic0
	tol = 1e-12*(10+float64(g.impacts))*(g.kinetic0+g.kinetic1) + g.rounding + g.motor + g.bend
	if g.weight {
		gain += g.potential
		tol += rounding * g.potentialSize
		spring := tol + g.free - g.kinetic0 + g.potential // reached if kinetic1 is free
		tol += g.chord * (1 + 1e-9)
		if g.sheared && g.impacts > 0 {
			tol += g.parting
		}
		if g.held {
			tol += g.lift * float64(len(g.ids))
		}
		if g.held && g.impacts == 0 && !g.rubs && !g.parts {
			tol = max(tol, spring)
		}
	}
	return gain, tol
}

// momentum checks that a group that meets nothing immovable keeps its momentum.
func (c *Checker) momentum(g *groupOf) {
	if g.fixed || g.locked {
		return
	}
	s, id := c.step, c.step.Things[g.ids[0]].ID
	limit := ""
	if s.Spent > 0 {
		limit = limitJams
	} else if g.held && c.slow(g) {
		limit = limitStopping
	}
	if d := g.momentum.Length(); d > 1e-12*(1+float64(g.impacts)/8)*g.pSize+g.pRounding {
		c.fail("momentum", limit, id, -1,
			"the momentum of the group of %d (%d bodies, %d impacts) changes by %.3g of %.6g N·s",
			id, len(g.ids), g.impacts, d, g.pSize)
	}
}

// slow reports whether something in the group may be stopped.
func (c *Checker) slow(g *groupOf) bool {
	for _, i := range g.ids {
		if v := c.step.Things[i].End.Velocity; v == (V{}) && c.heldStart[i] {
			return true
		}
	}
	return false
}

// angular checks that a group that meets nothing immovable keeps its angular momentum.
func (c *Checker) angular(g *groupOf) {
	if g.fixed || g.locked || g.weight || g.inside || g.rough {
		return
	}
	s := c.step
	var center V
	for _, i := range g.ids {
		t := &s.Things[i]
		center = center.Add(t.Start.Position.Scale(t.Mass / g.mass))
	}
	var change V
	size, tol := 0.0, 0.0
	for _, i := range g.ids {
		t := &s.Things[i]
		b := t.begin(s.Seconds)
		x0, x1 := t.Start.Position.Sub(center), t.End.Position.Sub(center)
		l0, l1 := x0.Cross(b.v0).Scale(t.Mass), x1.Cross(t.End.Velocity).Scale(t.Mass)
		spin := t.End.Angular.Sub(b.w0).Scale(t.Inertia)
		change = change.Add(l1.Sub(l0)).Add(spin)
		speed := t.speeds(s.Seconds)
		size += t.Mass*(x0.Length()+x1.Length())*speed + t.Inertia*(t.Start.Angular.Length()+t.End.Angular.Length())
		tol += 4 * t.Mass * slack(t, t, s.Seconds) * speed
	}
	limit := ""
	if s.Spent > 0 {
		limit = limitJams
	} else if g.held && c.slow(g) {
		limit = limitStopping
	} else if g.fixedSpin {
		limit = limitFriction
	}
	if d := change.Length(); d > 1e-12*(10+float64(g.impacts))*size+tol*(1+float64(g.impacts)) {
		id := s.Things[g.ids[0]].ID
		c.fail("angular momentum", limit, id, -1,
			"the angular momentum of the group of %d (%d bodies, %d impacts) changes by %.3g of %.6g N·m·s",
			id, len(g.ids), g.impacts, d, size)
	}
}
