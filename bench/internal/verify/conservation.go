package verify

import (
	"math"
	"slices"
)

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
	chord                         float64 // J that chords may add
	lift                          float64 // J that opening gaps may add, where each lifts by one rest gap
	wedgeLift                     float64 // J that they may add where walls are wedges
	free                          float64 // J: kinetic energy if nothing happened in the step
	rubs                          bool    // something in it has friction
	parts                         bool    // a contact has opened farther than the rest gap
	parting                       float64 // J that bodies may get that leave contacts within the step: see add
	left                          float64 // J that bodies have got so without an impact
	motor                         float64 // J that motors of what yields to load may add
	bend                          float64 // J that the arcs of what yields to load may add
	yielding                      int     // ID of something in it that yields to load
	pushed                        float64 // √J: what characters may add to the root of twice its kinetic energy
	pushedPotential               float64 // J: what their pushes may add to its potential energy
	pushedMomentum                float64 // N·s: what they may add to its momentum
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
	g.rough = g.rough || t.Shape == Convex || c.friction[i] > 0 && t.Inertia == 0
	g.inside = g.inside || c.pushed[i]
	g.held = g.held || c.heldStart[i] || c.heldEnd[i] || c.near[i]
	g.slides = g.slides || t.Sliding
	g.rubs, g.parts = g.rubs || c.friction[i] > 0, g.parts || c.parted[i]
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
	unit := t.Mass * t.accelerates() * t.accelerates() * s.Seconds * s.Seconds / 4
	if pushed := t.Push*s.Seconds + t.lifted(); pushed > 0 {
		g.pushed += pushed / math.Sqrt(t.Mass)
		g.pushedPotential += a.Length() * t.Push * s.Seconds * s.Seconds
		g.pushedMomentum += pushed
	}
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
	//
	// If the two don't meet on their parabolas, there is no impact. Then it shows in how much less
	// far the body has gone.
	if behind := a.Dot(v.Scale(s.Seconds).Sub(t.End.Position.Sub(t.Start.Position))); held || c.near[i] {
		if behind > 0 && behind < a.Dot(a)*s.Seconds*s.Seconds/2*(1-1e-9) { // otherwise it was free all the time
			g.left += t.Mass * behind
		}
	}
	if held {
		g.parting += unit
	} else if c.near[i] {
		g.parting += 2 * unit
	}
	g.lift += size * t.Radius * restGap
	g.wedgeLift += size * t.Radius * restGap * c.wedgeLift(i)
	change := v.Sub(b.v0).Sub(a.Scale(s.Seconds)).Scale(t.Mass)
	g.momentum = g.momentum.Add(change)
	g.pSize += t.Mass * t.speeds(s.Seconds)
}

// addYielding adds something that yields to load: its energy of rotation, and what its motor may
// add, which never drives it beyond its speed.
//
// What it pushes without a bounce moves on a chord, so that it keeps clear of the wall until the
// step ends. A wall whose points move at u, and that turns by an angle φ in a step, comes after
// what moves across it at w with the acceleration (2·w + u)·φ/dt, of Coriolis and of the arc. So
// the chord is faster than the wall by up to d = (2·w + u)·φ/2 along the normal, and the push does
// not take the energy of that from the wall: m·(u·d + d²/2). Checker.bent has twice as much.
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
			more += math.Sqrt(t.Mass)*t.accelerates()*s.Seconds + t.lifted()/math.Sqrt(t.Mass)
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
		} else if _, kept := c.kept(g); gain <= tol+kept {
			limit = limitBounces
		}
		c.fail("energy", limit, id, -1,
			"the group of %d (%d bodies, %d impacts) has %.15g J and gains %.3g J; at most %.3g J can be explained",
			id, len(g.ids), g.impacts, before, gain, tol)
	}
	limit := ""
	if s.Spent > 0 {
		limit = limitJams
	}
	if !g.lossy && !g.weight && !g.slides && !g.inside && g.pushed == 0 && -gain > tol {
		c.fail("elastic energy", limit, id, -1,
			"the group of %d (%d bodies, %d impacts) is elastic, has %.15g J and loses %.3g J",
			id, len(g.ids), g.impacts, before, -gain)
	}
}

// kept returns how much of the momentum and the energy that a group gains the limit "Bounces in a
// contact" explains, N·s and J. A body that bounces at a time t leaves its contacts. What is beside
// it keeps what a contact would have done to it in the rest of the step: the impulse of that
// contact times (dt-t)/dt, which is P.
//
// The energy that a contact gives the neighbor, the center of the body and its spin sums up to at
// most 0. A body that leaves the contact altogether makes the energy of the neighbor a gain, which
// is at most P times the speed of its surface. Where the contact has begun in this step, and
// nothing immovable supports the two, both keep P, and gain at most P times the speed at which they
// part. A body that only isn't turned any longer makes a gain of what its spin would have lost, at
// most P times the speed of its rotation.
//
// The impulse isn't known from outside. What changes the momentum of the neighbor, its impacts
// included, is taken for it.
func (c *Checker) kept(g *groupOf) (momentum, energy float64) {
	s := c.step
	for _, i := range g.ids {
		a := &s.Things[i]
		held := c.heldStart[i] || c.near[i]
		for _, j := range g.ids {
			b := &s.Things[j]
			rest := c.restAfterBounce(i, b.ID)
			if rest == 0 || i == j || !collides(a, b) || s.vetoed(a, b) {
				continue
			}
			begun := slices.IndexFunc(c.impacts[j], func(k int) bool { // in this step, and before the bounce
				m := &s.Impacts[k]
				return (m.A == a.ID || m.B == a.ID) && m.Time <= (1-rest)*s.Seconds*(1+1e-12) && c.presses(k)
			})
			if begun < 0 && (!held || c.pair(min(i, j), max(i, j)).start > reach(a, b)*contactsAhead) {
				continue
			}
			speed := max(b.surfaceSpeed(s.Seconds), a.rotationSpeed())
			if begun >= 0 && !c.fixed[i] && !c.fixed[j] {
				n := s.Impacts[c.impacts[j][begun]].Normal
				speed = max(speed, math.Abs(n.Dot(a.End.Velocity.Sub(b.End.Velocity))))
			}
			impulse := b.End.Velocity.Sub(b.begin(s.Seconds).v0.Add(b.Acceleration.Scale(s.Seconds))).Length() * b.Mass
			for _, k := range c.impacts[j] {
				impulse += s.Impacts[k].Impulse
			}
			momentum += impulse * rest
			energy += impulse * rest * speed
		}
	}
	return momentum, energy
}

// restAfterBounce returns which part of the step is left when body i bounces first, 0 if it
// doesn't, or if the first bounce is one with thing id: then both leave their contact.
func (c *Checker) restAfterBounce(i, id int) float64 {
	for _, k := range c.impacts[i] {
		if m := &c.step.Impacts[k]; !c.presses(k) {
			if m.A == id || m.B == id {
				return 0
			}
			return 1 - m.Time/c.step.Seconds
		}
	}
	return 0
}

// surfaceSpeed is a bound for the speed of the surface of a body in the step, m/s.
func (t *Thing) surfaceSpeed(seconds float64) float64 {
	speed := max(t.Start.Velocity.Length(), t.End.Velocity.Length()) + t.accelerates()*seconds
	return speed + t.rotationSpeed()
}

// rotationSpeed is the greatest speed of the surface of a body by its rotation at the ends of the
// step, m/s.
func (t *Thing) rotationSpeed() float64 {
	return t.Radius * max(t.Start.Angular.Length(), t.End.Angular.Length())
}

// gained returns the energy that a group that nothing drives has gained, and the most that can be
// explained, J.
//
// Contacts add to the energy of a group what their impulses P do on the ways δ by which their gaps
// open, Σ P·δ/dt, since they change the velocities of bodies that move by w·dt by impulses whose
// products with w sum up to that. A gap opens up to the rest gap. Where contacts bear no more than
// weight, that lifts each body by at most one rest gap for each body below it, and by more in a
// wedge without friction: see wedgeLift.
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
		switch {
		case !g.sheared:
		case g.impacts > 0:
			tol += g.parting
		default:
			tol += g.left
		}
		switch {
		case !g.held:
		case g.impacts == 0 && !g.rubs && !g.parts:
			tol = max(tol+g.lift*float64(len(g.ids)), spring)
		default:
			tol += g.wedgeLift * float64(len(g.ids))
		}
	}
	if g.pushed > 0 {
		// The work of a push is its impulse times the mean velocity. What moves at its velocity at
		// the end instead has up to half of pushedPotential more, since the same push has then
		// worked against less of its weight. So has what weight makes faster until it bounces.
		tol += g.pushed*(math.Sqrt(2*g.kinetic0)+math.Sqrt(2*g.kinetic1))/2 + g.pushedPotential
	}
	return gain, tol
}

// wedgeLift returns by how many rest gaps a body rises when its gaps to what it rests on open by
// one: 1, or more in a wedge or funnel without friction. Two or three walls bear a weight of 1 with
// impulses along their normals, which do as much work on their gaps as the sum of the impulses.
// Walls of which one would have to pull don't bear it, nor do those that are parallel, but for
// about a degree.
func (c *Checker) wedgeLift(i int) float64 {
	walls, up := c.smooth[i], c.step.Things[i].Acceleration.Scale(-1).Unit()
	if len(walls) < 2 || up == (V{}) {
		return 1
	}
	if c.lifts[i] > 0 {
		return c.lifts[i]
	}
	lift, normals := 1.0, make([]V, len(walls))
	for k, wall := range walls {
		normals[k] = c.normalAtStart(i, wall)
		for l, m := range normals[:k] {
			pair := normals[k].Cross(m) // nothing bears what the weight is along the bottom of a wedge
			if p := components(up, normals[k], m, pair); min(p[0], p[1]) >= 0 && p[0]+p[1] < wedge {
				lift = max(lift, p[0]+p[1])
			}
			for _, n := range normals[:l] {
				if p := components(up, normals[k], m, n); min(p[0], p[1], p[2]) >= 0 && p[0]+p[1]+p[2] < wedge {
					lift = max(lift, p[0]+p[1]+p[2])
				}
			}
		}
	}
	c.lifts[i] = lift
	return lift
}

// components returns the coefficients with which the vectors l, m and n add up to u, or NaN if they
// lie in one plane.
func components(u, l, m, n V) [3]float64 {
	d := l.Dot(m.Cross(n))
	if d == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	return [3]float64{u.Dot(m.Cross(n)) / d, u.Dot(n.Cross(l)) / d, u.Dot(l.Cross(m)) / d}
}

// normalAtStart returns the direction in which the gap between two things grows fastest when the
// step begins.
func (c *Checker) normalAtStart(i, j int) (n V) {
	a, b := &c.step.Things[i], &c.step.Things[j]
	h := 1e-6 * a.Radius
	for k := range n {
		d := V{}
		d[k] = h
		x := a.Start.Position
		n[k] = (gap(a, x.Add(d), b, b.Start.Position, 0) - gap(a, x.Sub(d), b, b.Start.Position, 0)) / (2 * h)
	}
	return n
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
	tol := 1e-12*(1+float64(g.impacts)/8)*g.pSize + g.pRounding + g.pushedMomentum
	if d := g.momentum.Length(); d > tol {
		if kept, _ := c.kept(g); limit == "" && d <= tol+kept {
			limit = limitBounces
		}
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
	if g.fixed || g.locked || g.weight || g.inside || g.rough || g.pushed > 0 {
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
