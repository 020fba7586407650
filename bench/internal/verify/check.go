package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The limits of docs/limits.md that a failure may name. TestEachLimitIsAHeading checks the names.
const (
	limitJams     = "Jams"
	limitGaps     = "Gaps"
	limitStopping = "Stopping"
	limitOverlaps = "Overlapping groups"
	limitFriction = "Least friction"
	limitTouching = "Touching gap"
	limitTurning  = "Walls that rotate"
	limitRange    = "Range"
	limitBounces  = "Bounces in a contact"
)

// Limits returns the names of all limits that a failure may have.
func Limits() []string {
	return []string{
		limitJams, limitGaps, limitStopping, limitOverlaps, limitFriction, limitTouching, limitTurning, limitRange,
		limitBounces,
	}
}

// restGap is the largest gap at which things rest on each other, as a share of the smaller radius.
const restGap = 1.0 / 512

// contactsAhead is the gap up to which bodies in contacts act on each other, as a share of the
// smaller radius.
const contactsAhead = 1.0 / 4

// maxYields is how many impacts what yields to load takes in a step: see docs/limits.md.
const maxYields = 64

// touchGap is the largest gap at which things touch, as a share of the smaller radius.
const touchGap = 0x1p-20

// pairState is what a Checker remembers of a pair between steps.
type pairState struct {
	collided bool    // they stopped each other in the last step
	excused  bool    // they overlap, which the game has caused
	passing  bool    // the sphere is within reach of a one-sided polygon, and came from behind
	side     float64 // of a two-sided plane
	start    float64 // gap at the start of the step
}

// Checker checks the steps of one world in their order.
type Checker struct {
	pairs      map[[2]int]*pairState
	open       map[contactKey]int
	last       map[int]State
	wasHeld    map[int]bool    // things that may have been in a contact in the last step
	wasBlocked bool            // something kinematic was blocked in the last step
	rests      map[[2]int]bool // pairs that have been in contact, and close to each other since then
	rested     bool            // there was such a pair at the start of the step
	most       map[int]float64 // twice the largest kinetic energy of a thing in any step so far, J
	found      []Failure

	// of the present step, and indexed as Step.Things
	step        *Step
	paths       []path
	chords      []path // the same, also where they may be bent, for what passes polygons
	impacts     [][]int
	group       []int     // union-find over things that may have met in this step
	overlapping [][2]int  // the pairs that overlap at the start of the step
	wall        []int     // the immovable thing that it met last
	smooth      [][]int   // the immovable things without friction that it may have met
	lifts       []float64 // what wedgeLift has found, or 0
	push        []float64 // sum over drivers that it may have met: twice their speed
	friction    []float64 // largest coefficient with what it may have met
	bent        []float64 // J that the arc of what yields to load may add to it in an impact, see bend
	flags
}

// flags are what the checks need to know of each thing.
type flags struct {
	inside    []bool // it overlaps something at the start of the step
	pushed    []bool // what overlaps may push it: it is moved at the end of the step
	close     []bool // it is close to something at the start
	near      []bool // it may be in a contact that is solved, or something that drives is near
	crowded   []bool // it is close to something that is in a contact
	heldStart []bool // it has an open contact at the start
	heldEnd   []bool // it has an open contact at the end
	fixed     []bool // it may have met something immovable
	wedged    []bool // it may have met two such things
	lossy     []bool // it may have met something with which impacts lose energy
	pressed   []bool // it may have met bodies that press on each other
	grouped   []bool // its impacts may be resolved together with some on something immovable
	parted    []bool // a gap at which it rested is wider than things rest at
	unknown   []bool // it may have met what the game has changed within the step, or has hit a character
}

// NewChecker returns a checker of a world that has not been stepped.
func NewChecker() *Checker {
	return &Checker{
		pairs: map[[2]int]*pairState{}, open: map[contactKey]int{}, last: map[int]State{}, most: map[int]float64{},
		rests: map[[2]int]bool{}, wasHeld: map[int]bool{},
	}
}

// Check returns the promises that a step breaks, in a fixed order. It derives Normal of polygons
// and Moved itself.
func (c *Checker) Check(s *Step) []Failure {
	c.step, c.found = s, nil
	n := len(s.Things)
	c.group, c.push, c.impacts = make([]int, n), make([]float64, n), make([][]int, n)
	c.wall, c.bent, c.friction = make([]int, n), make([]float64, n), make([]float64, n)
	c.smooth, c.lifts = make([][]int, n), make([]float64, n)
	for _, f := range []*[]bool{
		&c.inside, &c.pushed, &c.close, &c.near, &c.crowded, &c.heldStart, &c.heldEnd, &c.fixed, &c.lossy, &c.unknown,
		&c.wedged, &c.pressed, &c.grouped, &c.parted,
	} {
		*f = make([]bool, n)
	}
	for i := range s.Things {
		t := &s.Things[i]
		c.group[i] = i
		if t.Shape == Polygon {
			t.Normal = normalOf(t.Corners)
		}
		last, known := c.last[t.ID]
		t.Moved = !known || last.Position != t.Start.Position
		t.known.extent = 0
		t.known.extent, t.known.seconds = t.extent(s.Seconds), s.Seconds
	}
	if !c.finite() {
		return c.found
	}
	for k, m := range s.Impacts {
		if i, j := s.find(m.A), s.find(m.B); i >= 0 && j >= 0 {
			c.impacts[i] = append(c.impacts[i], k)
			c.impacts[j] = append(c.impacts[j], k)
			if s.Things[i].Character || s.Things[j].Character { // see givenBack
				c.unknown[i], c.unknown[j] = true, true
			}
		}
	}
	c.loads()
	for _, m := range s.Impacts {
		if i, j := s.find(m.A), s.find(m.B); i >= 0 && j >= 0 {
			c.join(i, j)
		}
	}
	for key := range c.open {
		if i, j := s.find(key.a), s.find(key.b); i >= 0 && j >= 0 && !key.sensor {
			c.heldStart[i], c.heldStart[j] = true, true
			c.join(i, j)
		}
	}
	c.overlapping = nil
	c.eachPair(c.begin)
	c.rested = len(c.rests) > 0
	c.spread()
	c.chords = s.paths()
	c.paths = slices.Clone(c.chords)
	for i := range s.Things {
		t := &s.Things[i]
		t.known.travel = math.Inf(1)
		if s.mayBend(t) {
			c.paths[i] = nil
		}
		if p := c.paths[i]; p != nil && !t.Rotates() {
			t.known.travel = p[0].P.Sub(t.Start.Position).Length() + p.length()
		}
	}
	c.reports()
	c.contacts()
	c.eachPair(c.overlap)
	c.motion()
	c.conservation()
	clear(c.wasHeld)
	for i := range s.Things {
		c.last[s.Things[i].ID] = s.Things[i].End
		if c.heldStart[i] || c.heldEnd[i] || c.close[i] || len(c.impacts[i]) > 0 {
			c.wasHeld[s.Things[i].ID] = true
		}
	}
	c.wasBlocked = s.Blocked > 0
	c.noteRests()
	for k := range c.found {
		if f := &c.found[k]; f.Limit == "" && (c.isPastRange(f.A) || c.isPastRange(f.B)) {
			f.Limit = limitRange
		}
	}
	slices.SortStableFunc(c.found, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), a.A-b.A, a.B-b.B)
	})
	return c.found
}

// loads finds the greatest speeds of what yields to load: each impact may add its impulse, at the
// longest lever, what presses on it from then on, and the friction of both.
func (c *Checker) loads() {
	s := c.step
	for i := range s.Things {
		t := &s.Things[i]
		if !t.Yields {
			continue
		}
		t.Turns = max(t.Turns, t.Start.Angular.Length(), t.End.Angular.Length())
		for _, k := range c.impacts[i] {
			m := &s.Impacts[k]
			o := &s.Things[s.find(m.A)]
			if o == t {
				o = &s.Things[s.find(m.B)]
			}
			pressed := m.Impulse + o.Mass*contactAcceleration*o.Acceleration.Length()*(s.Seconds-m.Time)
			t.Turns += pressed * (1 + friction(t, o)) * t.Swing / t.Inertia
		}
	}
}

// fail adds a failure.
func (c *Checker) fail(check, limit string, a, b int, format string, args ...any) {
	if len(c.found) < 100 {
		c.found = append(c.found, Failure{check, limit, fmt.Sprintf(format, args...), a, b})
	}
}

// maxSpeed is the greatest component of a velocity that a step leaves, m/s: see docs/limits.md.
const maxSpeed = 1e9

// isPastRange reports whether the group of a thing has a body that the step has slowed down to
// maxSpeed, and had the energy to make it faster by elastic impacts.
func (c *Checker) isPastRange(id int) bool {
	i := c.step.find(id)
	if i < 0 {
		return false
	}
	energy, least := 0.0, math.Inf(1)
	for k := range c.step.Things {
		t := &c.step.Things[k]
		if t.isImmovable() || c.root(k) != c.root(i) {
			continue
		}
		v := t.Start.Velocity.Length() + t.Acceleration.Length()*c.step.Seconds
		energy += t.Mass / 2 * v * v
		for _, x := range t.End.Velocity {
			if math.Abs(x) == maxSpeed {
				least = min(least, t.Mass)
			}
		}
	}
	return energy >= least/2*maxSpeed*maxSpeed
}

// finite checks that all results are finite.
func (c *Checker) finite() bool {
	ok := true
	for i := range c.step.Things {
		t := &c.step.Things[i]
		if e := t.End; !e.Position.finite() || !e.Velocity.finite() || !e.Angular.finite() {
			c.fail("finite", "", t.ID, -1, "thing %d ends at %v with velocity %v, angular %v",
				t.ID, e.Position, e.Velocity, e.Angular)
			ok = false
		}
	}
	for _, m := range c.step.Impacts {
		if !m.Point.finite() || !m.Normal.finite() || !(V{m.Time, m.Approach, m.Impulse}).finite() {
			c.fail("finite", "", m.A, m.B, "impact %+v", m)
			ok = false
		}
	}
	return ok
}

// root returns the representative of a group of things that may have met.
func (c *Checker) root(i int) int {
	for c.group[i] != i {
		c.group[i] = c.group[c.group[i]]
		i = c.group[i]
	}
	return i
}

// join notes that two things may have met. Immovable things don't connect what they touch.
func (c *Checker) join(i, j int) {
	a, b := &c.step.Things[i], &c.step.Things[j]
	lossy := restitution(a, b) < 1
	rough := friction(a, b)
	for _, k := range []int{i, j} {
		c.lossy[k] = c.lossy[k] || lossy || rough > 0 || resistance(a, b) > 0
		c.friction[k] = max(c.friction[k], rough)
		c.unknown[k] = c.unknown[k] || a.Changed || b.Changed
		if a.isImmovable() || b.isImmovable() {
			wall := j
			if a.isImmovable() {
				wall = i
			}
			c.wedged[k] = c.wedged[k] || c.fixed[k] && c.wall[k] != wall
			c.fixed[k], c.wall[k] = true, wall
			if rough == 0 && !slices.Contains(c.smooth[k], wall) {
				c.smooth[k] = append(c.smooth[k], wall)
			}
		}
		c.push[k] += 2 * (c.pushes(i) + c.pushes(j))
		if t := &c.step.Things[k]; a.Yields != b.Yields && !t.Yields {
			wall := a
			if b.Yields {
				wall = b
			}
			u := wall.drive()
			w := u + t.Start.Velocity.Length() + t.accelerates()*c.step.Seconds
			more := (2*w + u) * wall.Turns * c.step.Seconds / 2
			c.bent[k] = max(c.bent[k], t.Mass*more*(2*u+more))
		}
	}
	if (a.Yields || !a.isImmovable()) && (b.Yields || !b.isImmovable()) {
		c.group[c.root(i)] = c.root(j)
	}
}

// pushes is the speed at which thing i may push others whatever these do. That of what yields to
// load is part of the energy of the group, but in jams, where it is as heavy as any wall, and after
// so many impacts that it does not yield any more.
func (c *Checker) pushes(i int) float64 {
	t := &c.step.Things[i]
	if t.Yields && c.step.Spent == 0 && len(c.impacts[i]) < maxYields {
		return 0
	}
	return t.drive()
}

// pair returns the state of a pair.
func (c *Checker) pair(i, j int) *pairState {
	key := [2]int{c.step.Things[i].ID, c.step.Things[j].ID}
	p := c.pairs[key]
	if p == nil {
		p = &pairState{}
		c.pairs[key] = p
	}
	return p
}

// eachPair calls f with each sphere or solid and each other thing.
func (c *Checker) eachPair(f func(i, j int)) {
	s := c.step
	for i := range s.Things {
		for j := i + 1; j < len(s.Things); j++ {
			a, b := &s.Things[i], &s.Things[j]
			if a.isBody() && !(a.Shape == Convex && a.isImmovable() && b.isBody()) {
				f(i, j)
			} else if b.isBody() {
				f(j, i)
			}
		}
	}
}

// between is how deep solid a may be in b, which yields to load, where the two touch all the way.
// They are compared at the ends of sixteenths of a step. In the frame of b, which turns at a rate
// w, a moves on an arc, with an acceleration of w·(2·v + w·r) and a quarter more, since the rate
// varies: so much times h²/8 is how far the arc is from its chord in a time h. At the end of the
// step all is compared, but b may change its speed between.
func between(a, b *Thing, seconds float64) float64 {
	if a.Shape != Convex || !b.Yields {
		return 0
	}
	h := seconds / 16
	bend := 1.25 * b.Turns * (2*a.speeds(seconds) + b.Turns*b.Swing)
	return bend * h * h / 8
}

// pairKey is the key of a pair in rests.
func pairKey(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// noteRests notes the pairs that are in contact after the step, or were within it.
func (c *Checker) noteRests() {
	bounced := map[contactKey]float64{}
	for _, e := range c.step.Ends {
		bounced[contactKey{e.A, e.B, e.Sensor}] = e.Time
	}
	for _, e := range c.step.Begins {
		if t, ended := bounced[contactKey{e.A, e.B, e.Sensor}]; !e.Sensor && (!ended || t != e.Time) {
			c.rests[pairKey(e.A, e.B)] = true
		}
	}
	for k := range c.step.Impacts {
		if m := &c.step.Impacts[k]; c.presses(k) {
			c.rests[pairKey(m.A, m.B)] = true
		}
	}
}

// spread marks all bodies that may be moved at the end of the step because something overlaps.
func (c *Checker) spread() {
	roots := map[int]bool{}
	for i := range c.inside {
		if c.inside[i] {
			roots[c.root(i)] = true
		}
	}
	for i := range c.pushed {
		c.pushed[i] = roots[c.root(i)]
	}
}

// reach returns the smaller radius of a sphere or solid and another thing. Planes, polygons and
// solids that aren't dynamic have none.
func reach(a, b *Thing) float64 {
	switch {
	case !b.isBody() || b.Shape == Convex && b.isImmovable():
		return a.Radius
	case a.Shape == Convex && a.isImmovable():
		return b.Radius
	}
	return min(a.Radius, b.Radius)
}

// begin finds out how sphere or solid i and thing j are when the step begins.
func (c *Checker) begin(i, j int) {
	s := c.step
	a, b := &s.Things[i], &s.Things[j]
	p := c.pair(i, j)
	if !collides(a, b) || s.vetoed(a, b) {
		*p = pairState{}
		return
	}
	fresh := !p.collided || a.Moved || b.Moved
	if fresh {
		*p = pairState{collided: true}
	}
	from, at := a.Start.Position, b.Start.Position
	if b.Shape == Plane && !b.OneSided && p.side == 0 {
		p.side = math.Copysign(1, from.Sub(at).Dot(b.Normal)-b.Distance)
	}
	p.start = gap(a, from, b, at, p.side)
	r, tol := reach(a, b), tolerance(a, b, s.Seconds)
	if p.start > r*contactsAhead+tol {
		delete(c.rests, pairKey(a.ID, b.ID))
	}
	moves := s.Seconds * a.Start.Velocity.Sub(b.Start.Velocity).Length()
	moves += s.Seconds * (float64(a.Turns*a.Swing) + float64(b.Turns*b.Swing)) // a surface that rotates
	comesNear := p.start-a.moves(s.Seconds)-b.moves(s.Seconds) < r/2+2*tol
	if p.start < r*contactsAhead+tol || comesNear && (a.Changed || b.Changed ||
		gap(a.atEnd(), a.End.Position, b.atEnd(), b.End.Position, p.side) < r/2+tol) {
		c.join(i, j)
	}
	if p.start < r/8+tol && (c.heldStart[i] || c.heldStart[j] && !b.isImmovable()) {
		c.crowded[i], c.crowded[j] = true, true
	}
	driven := (a.drive() > 0 || b.drive() > 0) && p.start < r/8+2*moves
	// What is in contacts, isn't round and comes near in the step is kept apart by the normal with
	// which it will touch, or begins: the limit "Contacts ahead". The gap along that is less than
	// the distance. What has left its contact goes on to what it reaches next.
	held := c.heldStart[i] || c.heldStart[j] || c.wasHeld[a.ID] || c.wasHeld[b.ID] && !b.isImmovable()
	ahead := (a.Shape == Convex || b.Shape == Convex) && held && p.start-moves < r/16+tol
	ahead = ahead || a.Shape == Convex && b.Shape == Convex && p.start < r*contactsAhead+tol && p.start-moves < r/16+tol
	if ahead {
		c.join(i, j)
	}
	if p.start < r/8+tol {
		c.close[i], c.close[j] = true, true
	}
	if p.start < r/8+tol || driven || ahead {
		c.near[i], c.near[j] = true, true
	}
	if (a.Character || b.Character) && min(p.start, gap(a.atEnd(), a.End.Position, b.atEnd(), b.End.Position, 0)) < r {
		c.join(i, j)
	}
	if driven { // contacts with what drives are solved as far ahead as it comes in a step
		c.join(i, j)
	}
	if b.Shape == Polygon && b.OneSided {
		if a.Shape == Convex {
			p.passing = p.start < -tol // it isn't wholly in front, also if the game has put it there
		} else {
			_, height := toPolygon(from.Sub(at), b.Corners, b.Normal)
			p.passing = p.start < 0 && (p.passing || height < 0)
		}
		if p.passing {
			p.start = math.Inf(1)
		}
	}
	if p.start < -tol && fresh {
		p.excused = true
	}
	if p.start < -0x1p-30*r-tol {
		c.inside[i], c.inside[j] = true, true
		c.overlapping = append(c.overlapping, [2]int{i, j})
	}
}

// overlap checks that sphere or solid i and thing j neither overlap nor tunnel, but for what the
// game has put into each other, which must not go deeper.
func (c *Checker) overlap(i, j int) {
	s := c.step
	a, b := &s.Things[i], &s.Things[j]
	p := c.pair(i, j)
	if a.Changed || b.Changed {
		*p = pairState{}
	}
	if !p.collided {
		return
	}
	r, tol := reach(a, b), tolerance(a, b, s.Seconds)
	end := gap(a.atEnd(), a.End.Position, b.atEnd(), b.End.Position, p.side)
	if rest := restGap*r + tol; p.start <= rest && end > rest {
		c.parted[i], c.parted[j] = true, true
	}
	m := approach{gap: math.Inf(1)}
	// What overlaps may only not go deeper, so its way does not matter, but for what passes.
	far := !p.passing && p.start-a.known.travel-b.known.travel > tol
	if c.paths[i] != nil && c.paths[j] != nil && (!p.excused || b.Shape == Polygon) && !far {
		m = nearest(a, c.paths[i], b, c.paths[j], p.side, p.passing)
	} else if b.Shape == Polygon && b.OneSided && c.chords[i] != nil && !b.Changed { // something has stopped it
		q := path{{0, b.Start.Position}, {s.Seconds, b.End.Position}}
		straight := nearest(a, c.chords[i], b, q, p.side, p.passing)
		m.passing = straight.passing && straight.gap >= -tol
	}
	if b.Shape == Polygon && b.OneSided {
		_, height := toPolygon(a.End.Position.Sub(b.End.Position), b.Corners, b.Normal)
		behind := a.Shape == Sphere && height < 0
		if p.passing = (m.passing && !p.excused || behind) && end < 0; p.passing {
			end = math.Inf(1)
		}
	}
	if p.excused {
		if end < p.start-tol-1e-9*math.Abs(p.start) && a.Kind != Kinematic && b.Kind != Kinematic {
			limit, others := "", 0
			for _, pair := range c.overlapping { // immovable things have roots of their own
				for _, k := range []int{i, j} {
					if r := c.root(k); !s.Things[k].isImmovable() && (r == c.root(pair[0]) || r == c.root(pair[1])) {
						others++
						break
					}
				}
			}
			if others > 1 {
				limit = limitOverlaps
			}
			c.fail("deeper overlap", limit, a.ID, b.ID,
				"%d and %d overlap by %.3g radii of the smaller one at the start and by %.3g at the end",
				a.ID, b.ID, -p.start/r, -end/r)
		}
		p.excused = end < -tol
		return
	}
	if end < -tol && c.slidOn(i, j, -end, tol) {
		p.excused = true
		return
	}
	if end < -tol {
		limit := ""
		if end > -tol-between(a, b, s.Seconds) {
			limit = limitTurning
		}
		c.fail("overlap", limit, a.ID, b.ID, "%d and %d end %.3g radii of the smaller one (%.3g m) deep in each other,"+
			" and had a gap of %.3g m before the step", a.ID, b.ID, -end/r, -end, p.start)
		p.excused = true // report it once
		return
	}
	if m.gap < -tol && !c.pushed[i] && !c.pushed[j] {
		c.fail("tunnel", "", a.ID, b.ID,
			"%d and %d overlap by %.3g radii of the smaller one at %.6g s of the step, by their paths",
			a.ID, b.ID, -m.gap/r, m.time)
	}
}

// slidOn reports whether sphere i, in thing j by some depth when the step is over, has come there
// from another tile of the same floor that the game has put it into, where it was as deep.
func (c *Checker) slidOn(i, j int, depth, tol float64) bool {
	b := &c.step.Things[j]
	if b.Shape != Polygon {
		return false
	}
	for _, pair := range c.overlapping {
		if pair[0] != i && pair[1] != i {
			continue
		}
		k := pair[0] + pair[1] - i
		o := &c.step.Things[k]
		if k == j || o.Shape != Polygon || b.Start.Velocity != o.Start.Velocity {
			continue
		}
		between := b.Start.Position.Add(b.Corners[0]).Sub(o.Start.Position.Add(o.Corners[0]))
		inPlane := o.Normal.Cross(b.Normal).Length() < 1e-12 && math.Abs(o.Normal.Dot(between)) < tol
		if inPlane && depth < tol-c.pair(i, k).start {
			return true
		}
	}
	return false
}
