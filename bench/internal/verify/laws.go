package verify

import "math"

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
	return t.Start.Velocity.Length() + t.End.Velocity.Length() + t.accelerates()*seconds
}

// accelerates is the greatest acceleration of a thing by gravity, forces and characters, m/s².
func (t *Thing) accelerates() float64 {
	a := t.Acceleration.Length()
	if t.Push > 0 {
		a += t.Push / t.Mass
	}
	return a
}

// lifted is the greatest impulse that the heads of characters have given a thing when the step was
// over, N·s.
func (t *Thing) lifted() float64 {
	sum := 0.0
	for _, l := range t.Lifts {
		sum += l.Impulse
	}
	return sum
}

// lifts returns the greatest changes of the velocity of a thing by the heads of characters, times a
// factor.
func (t *Thing) lifts(factor float64) []V {
	var ways []V
	for _, l := range t.Lifts {
		ways = append(ways, l.Normal.unlocked(t.Locked).Scale(l.Impulse/t.Mass*factor))
	}
	return ways
}

// beyond returns how far off is from the nearest sum of ways, of each any part from none to all.
func beyond(off V, ways []V) float64 {
	n := len(ways)
	if n == 0 {
		return off.Length()
	}
	way, size := ways[n-1], ways[n-1].Dot(ways[n-1])
	switch {
	case size == 0:
		return beyond(off, ways[:n-1])
	case n == 1:
		return off.Sub(way.Scale(min(max(off.Dot(way)/size, 0), 1))).Length()
	case n > maxWays:
		return max(0, beyond(off, ways[:n-1])-math.Sqrt(size)) // a bound
	}
	rest := func(part float64) float64 { return beyond(off.Sub(way.Scale(part)), ways[:n-1]) }
	least, _ := byGoldenSection(rest, 0, 1)
	return least
}

// maxWays is how many ways beyond searches; each takes 72 times as long.
const maxWays = 3

// isKnown reports whether thing i is a dynamic body whose motion the checks can derive.
func (c *Checker) isKnown(i int) bool {
	t := &c.step.Things[i]
	return !t.isImmovable() && !t.Sensor && !t.Changed && !c.pushed[i] && t.Push == 0
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
			c.driven(i)
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

// driven checks that immovable thing i has moved at its velocity.
func (c *Checker) driven(i int) {
	s, d := c.step, V{}
	t := &s.Things[i]
	if t.Rotates() {
		c.rotation(i)
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

// rotation checks that no point of thing i, which rotates, has moved farther than its speeds allow.
func (c *Checker) rotation(i int) {
	s := c.step
	t := &s.Things[i]
	turns := t.Turns + c.within(i)
	most := float64((t.Start.Velocity.Length() + turns*t.Swing) * s.Seconds * (1 + 1e-9))
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

// within returns by how much the speed of thing i, which rotates, may have been above those at the
// ends of the step. What yields to load may have been driven by the weight of all that it touches,
// at the longest lever, until something else slowed it down again. If something stopped it within
// the step, it may have had all their momentum, too.
func (c *Checker) within(i int) (turns float64) {
	s := c.step
	t := &s.Things[i]
	if !t.Yields {
		return 0
	}
	for k := range s.Things {
		o := &s.Things[k]
		if o.isImmovable() || c.root(k) != c.root(i) {
			continue
		}
		v := contactAcceleration * o.Acceleration.Length() * s.Seconds
		if s.Blocked > 0 {
			v += o.Start.Velocity.Length()
		}
		turns += o.Mass * v * (1 + friction(t, o)) * t.Swing / t.Inertia
	}
	return turns
}

// contactAcceleration is how many times its own acceleration the normal forces of contacts can make
// of that of a body within a step. What changes a velocity more is no force that lasts, and changes
// it at once. Friction adds its coefficient times as much.
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
		} else if !c.heldEnd[i] && (p != nil || len(c.impacts[i]) == 0) {
			off("ends", t.End.Position, t.Start.Position.Add(b.mean.Scale(s.Seconds)))
			want := b.v0.Add(t.Acceleration.Scale(s.Seconds))
			if d := beyond(t.End.Velocity.Sub(want), t.lifts(1)); d > 1e-12*t.speeds(s.Seconds) {
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
		// or that contact has changed its acceleration. A group of impacts that something supports
		// moves so, too.
		rest := s.Seconds - p[n].T
		a := t.Acceleration.Scale(s.Seconds / 2)
		d := c.givenBack(i, t.End.Position.Sub(p[n].P.Add(t.End.Velocity.Sub(a).Scale(rest))), rest)
		if c.heldStart[i] || c.near[i] || c.grouped[i] {
			d = c.givenBack(i, t.End.Position.Sub(p[n].P.Add(t.End.Velocity.Scale(rest))), rest)
			d -= contactAcceleration * (1 + c.friction[i]) * a.Length() * rest
		}
		if d > tol {
			c.fail("path", limit, t.ID, -1,
				"%d ends %.3g radii (%.3g m) from where it goes after its last impact, at %.6g s",
				t.ID, d/t.Radius, d, p[n].T)
		}
	}
}

// givenBack returns how far body i is from where its velocity after the step takes it, less what is
// because characters have given way, or have lifted it. Physics resolves an impact with a character
// as one with something immovable, and when the step is over the body gives back up to all of the
// impulse. Then a character that rises lifts it. Both change its velocity, and not its path.
func (c *Checker) givenBack(i int, off V, rest float64) float64 {
	t, from, most, impacts := &c.step.Things[i], V{}, 0.0, 0
	ways := t.lifts(-rest)
	for _, k := range c.impacts[i] {
		m := &c.step.Impacts[k]
		n, other := m.Normal, m.B // from the other to the body
		if m.B == t.ID {
			n, other = n.Scale(-1), m.A
		}
		if j := c.step.find(other); j >= 0 && c.step.Things[j].Character {
			from, most, impacts = n.unlocked(t.Locked), most+m.Impulse/t.Mass*rest, impacts+1
		}
	}
	if impacts == 1 && from != (V{}) {
		return beyond(off, append(ways, from.Scale(most)))
	}
	return max(0, beyond(off, ways)-most) // in several directions
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
	gain := (a.accelerates() + b.accelerates()) * s.Seconds
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
		if len(c.impacts[x]) != 1 || !c.isKnown(x) || !c.isFree(x) || c.heldEnd[x] || len(t.Lifts) > 0 {
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
