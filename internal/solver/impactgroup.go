package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/impulse"
)

// Groups: impacts that are resolved for several bodies at once (package impulse).
//
// A body that has had too many impacts in a step is jammed. Impacts that lose energy can be
// infinitely many in finite time, and resolving all of them one by one would never end. So from
// then on, an impact of the body does not bounce, and is resolved together with the other contacts
// of its group: with jammed bodies and immovable things that touch it, directly or through others.
// A pair that has been part of such a group does not meet again in the step: groups keep it apart
// even where it has a gap. There are finitely many pairs, so every step ends.
//
// A jammed body that meets something that stands still is halted instead, which is cheap: what
// stands still takes any momentum. So is a jammed body in an island that something immovable
// supports, and groups treat those bodies as standing still. Otherwise each jam in a heap would
// spread through all of it, and undo what the contact solver has found.
//
// With TouchingGap, groups also resolve impacts among bodies that touch, which bounce.
//
// Resolving goes in rounds. In each, all contacts of the group that approach get impulses at the
// same time, as after a reflection (Smith, Kaufman, Vouga, Tamstorf and Grinspun, Reflections on
// Simultaneous Impact, 2012). Contacts that approach after it are next. So an impulse travels
// through a row of balls as it does in Newton's cradle, and a symmetric group keeps its symmetry.
// No round adds energy: the impulses change it by the sum of impulse·(1-e)·(approach)/2 over all
// contacts, with restitution e and an approach that is negative.

// impactGroupState is the group that is being resolved, and what is known of earlier groups of the
// step.
type impactGroupState struct {
	group      group
	taken      []takenAcceleration
	takenOf    []int32     // by index of a body: 1 + its place in taken, or 0; only if that has any
	apartPairs []apartPair // see noteApart
	firstApart []int32     // by index of a body: 1 + its first apartPair, or 0; only if there are apartPairs
	wastedWork int         // of the groups of the step that bounce and found no impulses
	groupWork  int         // takes the place of maxGroupWork, for tests; 0 for none
}

// group is bodies and surfaces that are resolved together.
type group struct {
	solver      impulse.Solver
	bodies      []impulse.Body
	parts       []member // what bodies are, by the same index
	places      []int32  // by index of a body: 1 + its index in members, or 0
	surfaces    []int32  // the members that are surfaces
	contacts    []groupContact
	active      []impulse.Contact
	activeOf    []int32 // by index in active: index in contacts, in the order of keys
	jam         bool
	fraction    float64 // see impulse.Solver.Solve
	speed       float64 // the fastest of the group, m/s
	speedBefore float64 // speed when the first round begins, m/s
	driven      bool    // something in it moves by itself
	takes       bool    // its bodies move at their velocities at the end of the step
}

// member is a body or a surface of a group.
type member struct {
	code         int32 // of a surface, or index of a body
	key          uint32
	x            collide.Vec3 // centre of a body at the time of the impact
	acceleration collide.Vec3
	taken        takenAcceleration // if takes is set in the group
	movable      bool
	halts        bool  // it is movable, but stands still in this group: see isSettling
	engaged      bool  // it has got an impulse
	bounces      bool  // from another member
	released     bool  // it has got back the acceleration that contacts took
	searched     bool  // the contacts of the body are known
	seenBy       int32 // 1 + the member whose search has found it last
}

// groupContact is a contact between two members.
type groupContact struct {
	a, b        int32 // indices of members; a is a body
	key         uint32
	normal      collide.Vec3 // from b to a
	gap         float64      // metres
	material    float64      // restitution at high speeds
	restitution float64
	parting     float64 // when a round begins that of the two, then that at which they have to part in it, m/s
	closing     float64 // speed at which the two approached when the contact got its first impulse, m/s
	impulse     float64 // sum, N·s
	initial     bool    // the impact with which the group began
	engaged     bool    // it has got an impulse
	late        bool    // only because of accelerations
	turning     bool    // b is a surface that rotates, and moves at another velocity at each contact
	followed    uint8   // how often the speed of that surface has been raised
	inelastic   bool    // it does not bounce, and takes part in all further rounds
}

const (
	// groupTolerance is the approach that counts as none, as a fraction of the fastest speed of the
	// group. It is above what package impulse leaves. With a smaller value, rounds would never end;
	// with a larger one, bodies that stay in contact for 10^5 steps would overlap.
	groupTolerance = 0x1p-44

	// jamReach is the gap, as a fraction of the smaller radius, up to which bodies take part in a
	// jam if they would close it in the rest of the step.
	jamReach = 0x1p-6

	// jamTolerance is how far two sides of a contact in a jam may come to overlap, as a fraction of
	// the smaller radius: far less than overlapTolerance. With 0, a heap passes on ever smaller
	// impulses, which takes twice as long.
	jamTolerance = 0x1p-38

	// jamShare is the fraction of the fastest approach that a round of a jam may leave to the next,
	// if more contacts come to it. With 0, a heap of 500 takes twice as long.
	jamShare = 0x1p-3

	// maxRounds is the number of rounds after which a group no longer bounces. A row of n balls
	// takes n rounds, a rack of fifteen about thirty. Restitutions below 1 could take forever.
	maxRounds = 512
)

// resolveGroup resolves the impact at time t of body i with code, a body's id or a surface's code,
// together with all contacts of its group. The normal n points to body i. It returns false if no
// other contact takes part, so that the impact is an ordinary one.
func (s *Space) resolveGroup(i, code int32, n collide.Vec3, t float64) bool {
	g := &s.group
	g.jam = s.isJammed(i, code)
	switch {
	case !g.jam && s.TouchingGap == 0: // one of the two is halted
		return false
	case g.jam && s.haltInJam(i, code, t):
		return true
	case !g.jam && s.exceedsGroupWork(s.wastedWork):
		return false
	case g.jam && s.exceedsGroupWork(g.solver.Work):
		s.haltJammed(i, code, t)
		return true
	}
	s.resetGroup()
	a, b := s.joinGroup(i, t), int32(0)
	if code >= 0 {
		b = s.joinGroup(s.index[code], t)
		s.addGroupContact(a, b, n, s.bodyGap(i, s.index[code], t), t)
	} else {
		gap := 0.0
		if s.flags[i]&overlapsAtStart != 0 {
			gap, _ = s.gapAt(i, g.parts[a].x, surfaceOf(code), t)
			gap = min(0, gap)
		}
		s.addSurfaceToGroup(a, code, n, gap, t)
	}
	g.contacts[0].initial = true
	s.searchGroup(a, t)
	s.searchGroup(b, t)
	if !g.jam && len(g.contacts) == 1 {
		return false
	}
	before := g.solver.Work
	g.solver.MaxWork = 0
	if g.jam { // giving up groups that bounce let two balls of a test overlap by 3e-5 radii
		g.solver.MaxWork = s.mostGroupWork()
	}
	if !s.resolveRounds(t) {
		if g.jam {
			s.exceedsGroupWork(g.solver.Work) // which makes a subdomain void
			s.haltJammed(i, code, t)
		} else {
			s.wastedWork += g.solver.Work - before
		}
		return g.jam
	}
	if !g.jam && s.engagedContacts() == 1 {
		return false
	}
	if s.subdomain != nil {
		s.subdomain.checkGroup(t)
	}
	s.checkGroup(t)
	s.finishGroup(t)
	return true
}

// maxGroupWork bounds the work of groups in a step: contacts times iterations for each body of the
// world, some 0.25 ms a body. After that, what is jammed is halted when it meets anything, so that
// the time of a step is bounded. It also bounds the work of groups that bounce and have no
// solution, because something that moves squeezes them: after that, impacts are ordinary ones.
// Where balls are poured into a drum that is too narrow for them, a step needs up to 10,000, a
// shaken bin 600. With less, balls halt where they could flow, and drums stop; with more, such
// steps take longer.
const maxGroupWork = 1 << 13

// exceedsGroupWork reports whether work that groups have done in this step exceeds the bound. In a
// parallel step no subdomain may do more than its share: then all together have not done all of it,
// and the step has the same bits as in the whole space.
func (s *Space) exceedsGroupWork(work int) bool {
	spent := work > s.mostGroupWork()
	if spent && s.subdomain != nil {
		s.subdomain.invalidate()
	}
	return spent
}

// mostGroupWork returns the bound of exceedsGroupWork.
func (s *Space) mostGroupWork() int {
	whole, parts := s, 1
	if s.subdomain != nil {
		whole, parts = s.subdomain.parent.whole, len(s.subdomain.parent.subdomains)
	}
	most := maxGroupWork
	if whole.groupWork > 0 {
		most = whole.groupWork
	}
	return most * whole.Bodies() / parts
}

// isJammed reports whether body i or the body with an id, if code is one, has had its impacts of
// this step.
func (s *Space) isJammed(i, code int32) bool {
	return s.infos[i].budget < 0 && s.bodies[i].inverseMass > 0 ||
		code >= 0 && s.infos[s.index[code]].budget < 0 && s.bodies[s.index[code]].inverseMass > 0
}

// haltInJam halts those of body i and code that can move, if one of them stands still or is
// settling. One of the two is jammed. It reports whether that is so.
func (s *Space) haltInJam(i, code int32, t float64) bool {
	stands := func(i int32) bool {
		b := &s.bodies[i]
		return b.inverseMass == 0 && b.v == (collide.Vec3{}) || s.isSettling(i)
	}
	other := int32(-1)
	if code >= 0 {
		other = s.index[code]
	}
	if !stands(i) && (other < 0 || !stands(other)) &&
		(other >= 0 || s.statics.At(surfaceOf(code)).Moves()) {
		return false
	}
	for _, k := range [2]int32{i, other} {
		if k < 0 || s.bodies[k].inverseMass == 0 {
			continue
		}
		if s.infos[k].budget >= 0 {
			s.jam(k)
		}
		s.halt(k, s.at(k, t), t)
		s.repredict(k, t)
	}
	return true
}

// haltJammed halts body i and the body with an id, if code is one: the impulses of their group have
// no solution, because something that moves squeezes them.
func (s *Space) haltJammed(i, code int32, t float64) {
	pair := [2]int32{i, -1}
	if code >= 0 {
		pair[1] = s.index[code]
	}
	for _, k := range pair {
		if k < 0 || s.bodies[k].inverseMass == 0 {
			continue
		}
		s.halt(k, s.at(k, t), t)
		if s.owns(k) {
			s.Counts.SpentBudgets++
		}
		s.repredict(k, t)
	}
}

// joinGroup returns the member that is a body (its index) or a surface (its code). It adds it at
// time t if it isn't there.
func (s *Space) joinGroup(code int32, t float64) int32 {
	g := &s.group
	if at := s.placeInGroup(code); at >= 0 {
		return at
	}
	m, b := member{code: code}, impulse.Body{}
	if code < 0 {
		f := s.statics.At(surfaceOf(code))
		m.key, b.Velocity = f.Key, f.Velocity
	} else {
		from := &s.bodies[code]
		m.key, m.x, m.movable = s.pathIDs[code].Key, s.at(code, t), from.inverseMass > 0
		m.acceleration, b.Velocity = s.acceleration(code), s.velocity(code, t)
		if !g.jam && s.movesAtEndVelocity(code) { // a bounce would reverse what it gets after t
			left := s.accelerationLeft(code)
			m.acceleration = m.acceleration.Add(left)
			b.Velocity = b.Velocity.AddScaled(t-s.Seconds, left)
		}
		if m.movable && g.jam && s.isSettling(code) {
			m.movable, m.halts, m.acceleration, b.Velocity = false, true, collide.Vec3{}, collide.Vec3{}
		}
		if m.movable {
			mass := from.inverseMass
			b.Mobility = s.unlocked(code, collide.Vec3{X: mass, Y: mass, Z: mass})
		}
	}
	g.speed = max(g.speed, b.Velocity.SumAbs())
	g.driven = g.driven || !m.movable && b.Velocity != (collide.Vec3{})
	g.parts, g.bodies = append(g.parts, m), append(g.bodies, b)
	at := int32(len(g.parts) - 1)
	if code >= 0 {
		g.places[code] = at + 1
	} else {
		g.surfaces = append(g.surfaces, at)
	}
	return at
}

// placeInGroup returns the member that is a body (its index) or a surface (its code), or -1.
func (s *Space) placeInGroup(code int32) int32 {
	if code >= 0 {
		return s.group.places[code] - 1
	}
	for _, at := range s.group.surfaces {
		if s.group.parts[at].code == code {
			return at
		}
	}
	return -1
}

// resetGroup empties the group.
func (s *Space) resetGroup() {
	g := &s.group
	if len(g.places) != len(s.bodies) {
		g.places = grow.Resize(g.places, len(s.bodies))
		clear(g.places)
	} else {
		for k := range g.parts {
			if code := g.parts[k].code; code >= 0 {
				g.places[code] = 0
			}
		}
	}
	g.bodies, g.parts, g.contacts, g.surfaces = g.bodies[:0], g.parts[:0], g.contacts[:0], g.surfaces[:0]
	g.speed, g.driven, g.takes = 0, false, false
}

// addGroupContact adds the contact of members a and b with normal n from b to a. It puts the two in
// an order that follows from their paths.
func (s *Space) addGroupContact(a, b int32, n collide.Vec3, gap, t float64) {
	g := &s.group
	p, q := &g.parts[a], &g.parts[b]
	q.seenBy = a + 1
	restitution := 0.0
	switch first := len(g.contacts) == 0; {
	case s.ContactRule == nil:
		restitution = s.combineRestitution(s.memberMaterial(a), s.memberMaterial(b))
	case first: // the impact, about which the rule has been asked
		restitution = s.ruling.Restitution
	default:
		approach := n.Dot(g.bodies[b].Velocity.Sub(g.bodies[a].Velocity))
		c := s.ruleOn(p.code, q.code, n, max(approach, 0), t, false)
		if c.Ignore {
			return
		}
		restitution = c.Restitution
	}
	if q.code >= 0 {
		if first, _ := s.inOrder(p.code, q.code); first != p.code {
			a, b, n = b, a, n.Neg()
		}
	}
	g.contacts = append(g.contacts, groupContact{
		a: a, b: b, key: p.key + q.key, normal: n, gap: gap, material: restitution,
	})
}

// searchGroup adds the contacts of member k: with bodies and surfaces that touch it at time t, and
// with those that it is kept from approaching. Bodies that overlap by more than rounding, of which
// there may be hundreds in one place, meet in pairs.
func (s *Space) searchGroup(k int32, t float64) {
	g := &s.group
	m := &g.parts[k]
	if m.searched || !m.movable {
		return
	}
	m.searched = true
	i, x := m.code, m.x
	b := &s.bodies[i]
	reachShare := float64(touchTolerance)
	if g.jam {
		reachShare = jamReach
	}
	near := max(s.TouchingGap, float64(reachShare*s.size(i)))
	initial := &g.contacts[0]
	known := func(code int32) bool { // the impact with which the group began, or found before
		if code < 0 && s.statics.At(surfaceOf(code)).Turns() {
			return s.turningIsKnown(k, code)
		}
		at := s.placeInGroup(code)
		return at >= 0 && (g.parts[at].searched || g.parts[at].seenBy == k+1 ||
			initial.a == at && initial.b == k || initial.a == k && initial.b == at)
	}
	add := func(j int32, reach float64, keptApart bool) {
		o := &s.bodies[j]
		if !s.areSpheres(i, j) {
			c := s.shapeGap(i, j, t)
			if c.Gap <= reach && (keptApart || c.Gap >= -s.pairTolerance(i, j)) && !known(j) {
				s.addGroupContact(k, s.joinGroup(j, t), c.Normal, c.Gap, t)
			}
			return
		}
		d := x.Sub(s.at(j, t))
		limit := b.radius + o.radius + reach
		if d.LengthSquared() > float64(limit*limit) || known(j) ||
			!keptApart && s.isOverlapping(d.LengthSquared(), i, j) {
			return
		}
		// The same measure as of reportedGap: by another one, rounding would decide what bounces.
		gap := d.Length() - (b.radius + o.radius)
		if n, ok := d.Normalized(); ok && gap <= reach {
			s.addGroupContact(k, s.joinGroup(j, t), n, gap, t)
		}
	}
	s.listNearBox(collide.AABB{Min: x, Max: x}.Grow(b.radius + float64(near*(1+0x1p-6)) + 2*s.bulge))
	for _, j := range s.nearby {
		o := &s.infos[j].material
		if i == j || s.flags[j]&alive == 0 || o.Sensor || !s.infos[i].material.collides(o) ||
			s.vetoed(s.infos[i].id, s.infos[j].id) {
			continue
		}
		add(j, max(s.TouchingGap, float64(reachShare*min(s.size(i), s.size(j)))), false)
	}
	solid := func(f int32) bool { return s.isSolid(i, f) && !s.passes(i, f, x, t) }
	hides := func(f, _ int32, _ float64) bool { return solid(f) }
	s.eachNearMember(i, x, near, func(f int32) {
		if s.infoOf(codeOf(f)).material.Sensor || !solid(f) || known(codeOf(f)) {
			return
		}
		if gap, n, ok := s.groupTouch(i, f, x, t, hides); ok && gap <= near {
			s.addSurfaceToGroup(k, codeOf(f), n, gap, t)
		}
	})
	for at := s.firstApartOf(i); at >= 0; at = s.apartPairs[at].next {
		switch h := &s.apartPairs[at]; {
		case !h.forStep:
		case h.other >= 0:
			add(s.index[h.other], math.Inf(1), true)
		case !known(h.other):
			gap, n := s.gapAt(i, x, surfaceOf(h.other), t)
			s.addSurfaceToGroup(k, h.other, n, gap, t)
		}
	}
}

// addSurfaceToGroup adds the contact of member k, a body, with a surface or facet.
func (s *Space) addSurfaceToGroup(k, code int32, n collide.Vec3, gap, t float64) {
	if s.statics.At(surfaceOf(code)).Turns() {
		s.addTurningToGroup(k, code, n, gap, t)
		return
	}
	s.addGroupContact(k, s.joinGroup(code, t), n, gap, t)
}

// memberVelocity returns the mean velocity of a member of the group from time t to the end of the
// step, m/s.
func (s *Space) memberVelocity(member int32, t float64) collide.Vec3 {
	if code := s.group.parts[member].code; code >= 0 && len(s.bends) > 0 {
		return s.restVelocity(code, t)
	}
	return s.group.bodies[member].Velocity
}

// comeBack reports whether the two sides of a contact may approach in the rest of the step although
// they part on average: their paths are bent towards each other, or approach at time t and are bent
// apart.
func (s *Space) comeBack(c *groupContact, t, least float64) bool {
	i, code := s.group.parts[c.a].code, s.group.parts[c.b].code
	bend, v := s.bend(i), s.pathVelocity(i, t)
	if code >= 0 {
		bend, v = bend.Sub(s.bend(code)), v.Sub(s.pathVelocity(code, t))
	} else {
		v = v.Sub(s.group.bodies[c.b].Velocity)
	}
	rate := c.normal.Dot(bend)
	return rate < 0 || rate > 0 && c.normal.Dot(v) < -least
}

// engagedContacts returns how many contacts of the group have got impulses.
func (s *Space) engagedContacts() (n int) {
	for k := range s.group.contacts {
		if s.group.contacts[k].engaged {
			n++
		}
	}
	return n
}

// memberCode returns the id of a body or the code of a surface, by its place in the group.
func (s *Space) memberCode(member int32) int32 {
	if code := s.group.parts[member].code; code < 0 {
		return code
	} else {
		return s.infos[code].id
	}
}

// memberMaterial returns the material of a member of the group.
func (s *Space) memberMaterial(member int32) *Material {
	if code := s.group.parts[member].code; code < 0 {
		return &s.infoOf(code).material
	} else {
		return &s.infos[code].material
	}
}

// namesOfContact returns the key of a contact by ids and codes.
func (s *Space) namesOfContact(c *groupContact) eventlog.PairKey {
	return eventlog.KeyOf(s.memberCode(c.a), s.memberCode(c.b))
}

// overlaps reports whether the two sides of a contact overlap by more than rounding.
func (s *Space) overlaps(c *groupContact) bool {
	a, b := s.group.parts[c.a].code, s.group.parts[c.b].code
	if b < 0 {
		return c.gap < -(float64(overlapTolerance*s.size(a)) + s.roundingOf(a))
	}
	return c.gap < -s.pairTolerance(a, b)
}

// smallerRadius returns the smaller radius of the two sides of a contact, in metres.
func (s *Space) smallerRadius(c *groupContact) float64 {
	a, b := s.group.parts[c.a].code, s.group.parts[c.b].code
	if b < 0 {
		return s.size(a)
	}
	return min(s.size(a), s.size(b))
}
