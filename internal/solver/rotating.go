package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/impulse"
)

// Surfaces that rotate. Their impacts are found at the exact time (package statics), and use the
// velocity that the surface has at the point of contact then.
//
// A body that is pushed without a bounce moves on a straight path, and the surface on an arc: at
// the velocity of the surface it would be hit again at once, without end. So it gets the least
// velocity with which it touches the surface again when the piece of the rotation ends, the
// velocity of the chord (pushVelocity). At the end of the step it gets the velocity of the surface
// (finishPushes). Contacts with slow surfaces are solved with all others, with the velocity of the
// chord over the step (addTurningSurface).

// pushVelocity returns the velocity that surface k, which rotates and moves at u where it touches
// body i at p, gives the body in an impact at time t without a bounce.
func (s *Space) pushVelocity(i, k int32, p, n, u collide.Vec3, t float64) collide.Vec3 {
	b, f := &s.bodies[i], s.statics.At(k)
	end := min(f.PieceEnd(t), s.Seconds)
	beside := b.v.AddScaled(-n.Dot(b.v), n)
	speed := s.chordSpeed(k, i, p, beside, n, n.Dot(u), t, end)
	speed = max(speed, s.partingSpeed(i, k, n, u, end-t))
	return u.AddScaled(speed-n.Dot(u), n)
}

// partingSpeed returns the speed along n at which body i at least leaves surface k, which pushes
// it, moves at u where the two touch, and rotates on for the given seconds.
//
// The two may touch without an approach, and rounding must not make that an impact again. What is
// about to slip off an edge is pressed on the surface only for less than the shortest chord. This
// speed keeps it clear for twice as long. With less, it has pushes without end.
func (s *Space) partingSpeed(i, k int32, n, u collide.Vec3, seconds float64) float64 {
	v := s.bodies[i].v
	parting := n.Dot(v) + float64(turningPartingShare*(v.SumAbs()+u.SumAbs()))
	shortest := math.Ldexp(seconds, 1-chordParts)
	return max(parting, n.Dot(u)+float64(s.pressing(i, k, n, u)*shortest))
}

// pressing returns the acceleration along n with which surface k, which rotates and moves at u
// where it touches body i, turns into the straight path of that.
func (s *Space) pressing(i, k int32, n, u collide.Vec3) float64 {
	f, v, round := s.statics.At(k), s.bodies[i].v, s.bodies[i].radius
	if a := s.shapeOf(i); a != nil {
		round = a.Radius
	}
	// The gap grows by n·slip, where the slip may be taken at the centre of a ball. n turns, and
	// slip changes as the velocity of the surface does along the path.
	slip := v.Sub(u).AddScaled(-round, f.Turning.Angular.Cross(n))
	return n.Dot(f.Turning.Angular.Cross(slip.Add(v).Sub(f.Velocity)))
}

// endsHopOnTurning reports whether a bounce with restitution e of body i off surface k, which
// rotates and moves at u where the two touch, counts as rest: see endsHop. The path of the body is
// straight, so in the frame of the surface it is an arc, which may lead back to that. An approach
// of rounding is no bounce, either: that would leave the velocity as it is.
func (s *Space) endsHopOnTurning(i, k int32, n, u collide.Vec3, e, closing float64) bool {
	v, least := s.bodies[i].v, shortestHop
	if e >= 1 {
		least = shortestDrivenHop
	}
	return isGraze(closing, v.SumAbs()+u.SumAbs()) ||
		float64(2*float64(e*closing)) <= float64(s.pressing(i, k, n, u)*float64(least*s.Seconds))
}

// chordSpeed returns the least speed along n, and at least the given one, with which body i, which
// is at p at time t, and moves at beside across n, is out of surface or facet k at the given end,
// and at the chordParts before it. Other facets that it comes into have an impact of their own.
//
// A body that slips over an edge of the surface is clear of it at the end anyway. Until then the
// edge turns into its straight path, at once and without an approach: pushes that look at the end
// alone would have no end.
//
// A ball that is out at a time, at more than the given speed, is out before. What has a shape may
// touch the surface at several points, and some of them meet it faster than the given one, so all
// times count.
//
// One that the game has put into the surface only gets no deeper: separate moves it out.
//
// What doesn't rotate now has no arc. There, a gap that is negative by rounding, at the shortest of
// these times, would push the body at 1e-7 of its radius a second.
func (s *Space) chordSpeed(
	k, i int32, p, beside, n collide.Vec3, least, t, end float64,
) float64 {
	if s.statics.At(k).Turning.Angular == (collide.Vec3{}) {
		return least
	}
	left, speed, deep := end-t, least, s.depthIn(k, i, p, t)
	severalPoints := s.flags[i]&shaped != 0
	for at := 0; at < chordParts && (speed == least || severalPoints); at++ {
		speed = s.clearSpeed(k, i, p, beside, n, speed, deep, t, left)
		left /= 2
	}
	return speed
}

// depthIn returns how deep body i, which is at p at time t, is in surface k and may stay: by any
// depth if it overlapped something at the start of the step, and otherwise by what doesn't count as
// an overlap. Just before the step ends, nothing could move out of that at a moderate speed.
func (s *Space) depthIn(k, i int32, p collide.Vec3, t float64) float64 {
	gap, _ := s.gapAt(i, p, k, t)
	if s.flags[i]&overlapsAtStart == 0 {
		gap = max(gap, -float64(overlapTolerance*s.size(i)))
	}
	return max(0, -gap)
}

// clearSpeed is chordSpeed for one time, left seconds after t. The body may be in the surface by
// deep.
func (s *Space) clearSpeed(
	k, i int32, p, beside, n collide.Vec3, speed, deep, t, left float64,
) float64 {
	if !(left > 0) {
		return speed
	}
	clearance := float64(chordClearance * s.size(i))
	for range maxChordSteps {
		gap, m := s.gapLater(i, p.AddScaled(left, beside.AddScaled(speed, n)), k, n, t, t+left)
		if gap += deep; gap >= 0 {
			break
		}
		tilt := n.Dot(m)
		if tilt < 0 && deep > float64(overlapTolerance*s.size(i)) {
			break // it is nearer to another side, so it goes deeper in no direction
		} else if tilt < 0 { // the centre is beyond a thin surface
			gap, tilt = -gap-2*s.size(i), -tilt
		}
		speed += (clearance - gap) / float64(left*max(tilt, 0.25))
	}
	return speed
}

// gapLater is gapAt for body i and surface k, which rotates, at a later time. They have a contact
// along n at time t.
func (s *Space) gapLater(
	i int32, x collide.Vec3, k int32, n collide.Vec3, t, later float64,
) (gap float64, normal collide.Vec3) {
	if s.flags[i]&shaped == 0 {
		return s.gapAt(i, x, k, later)
	}
	s.setMover(&s.probe, i, x, collide.Vec3{})
	return s.statics.GapLater(&s.probe, k, n, t, later)
}

const (
	// chordClearance is the gap with which a pushed body arrives, as a fraction of its radius:
	// above the rounding of a gap. With less, rounding could leave an overlap, which is another
	// impact.
	chordClearance = 0x1p-44

	// maxChordSteps bounds the steps of Newton's method, of which a push needs about four.
	maxChordSteps = 12

	// chordParts is at how many times a chord is compared with the surface: at its end, in the
	// middle, and at further halves. Each costs time. With fewer, partingSpeed would be larger.
	chordParts = 16

	// turningPartingShare is the speed at which a body at least leaves a surface that pushes it, as
	// a fraction of the speeds. With less than rounding, a push would leave the velocity as it is;
	// with much more, the body would gain visible speed.
	turningPartingShare = 0x1p-28
)

// addTurningToGroup adds the contact of member k of an impact group, a body, with a surface that
// rotates. Each contact has a member of its own for the surface, since it moves at another velocity
// there. In a jam that is along the normal the velocity of the chord, as in pushVelocity.
func (s *Space) addTurningToGroup(k, code int32, n collide.Vec3, gap, t float64) {
	g := &s.group
	f := s.statics.At(surfaceOf(code))
	x, i := g.parts[k].x, g.parts[k].code
	at := x.AddScaled(-(gap + s.bodies[i].radius), n)
	if s.flags[i]&shaped != 0 {
		at = s.contactPoint(i, code, n, t).AddScaled(-gap, n)
	}
	u := f.VelocityAt(at, t)
	if end := min(f.PieceEnd(t), s.Seconds); g.jam && end > t {
		v := s.bodies[i].v
		least := n.Dot(u) - float64(max(gap, 0)/(end-t))
		speed := s.chordSpeed(surfaceOf(code), i, x, v.AddScaled(-n.Dot(v), n), n, least, t, end)
		if len(g.contacts) == 0 { // the impact itself, as in pushVelocity
			speed = max(speed, s.partingSpeed(i, surfaceOf(code), n, u, end-t))
		}
		u = u.AddScaled(speed-n.Dot(u), n)
	}
	g.parts = append(g.parts, member{code: code, key: s.statics.Key(surfaceOf(code))})
	g.bodies = append(g.bodies, impulse.Body{Velocity: u})
	g.speed, g.driven = max(g.speed, u.SumAbs()), true
	surface := int32(len(g.parts) - 1)
	g.surfaces = append(g.surfaces, surface)
	before := len(g.contacts)
	s.addGroupContact(k, surface, n, gap, t)
	for at := before; at < len(g.contacts); at++ { // none if the game ignores the contact
		g.contacts[at].turning = true
	}
}

// turningIsKnown reports whether the group has the contact of member k with a surface that rotates.
func (s *Space) turningIsKnown(k, code int32) bool {
	for _, at := range s.group.surfaces {
		if m := &s.group.parts[at]; m.code == code && m.seenBy == k+1 {
			return true
		}
	}
	return false
}

// gapAfter returns the gap of contact c of the group, with a surface that rotates, some seconds
// after t, if the body moves on at its velocity v.
func (s *Space) gapAfter(c *groupContact, v collide.Vec3, t, seconds float64) float64 {
	m := &s.group.parts[c.a]
	k := surfaceOf(s.group.parts[c.b].code)
	gap, _ := s.gapLater(m.code, m.x.AddScaled(seconds, v), k, c.normal, t, t+seconds)
	return gap
}

// followTurning makes the surfaces of the group that rotate faster, along the normal, where a body
// would come into one before the piece of its rotation ends: the impulses have changed the body's
// velocity along the surface. It reports whether there are any.
func (s *Space) followTurning(t float64) (any bool) {
	g := &s.group
	for k := range g.contacts {
		c := &g.contacts[k]
		if !c.turning || !c.engaged || !g.jam {
			continue
		}
		m, k := &g.parts[c.a], surfaceOf(g.parts[c.b].code)
		left := min(s.statics.At(k).PieceEnd(t), s.Seconds) - t
		v := g.bodies[c.a].Velocity.AddScaled(float64(s.Seconds/2)-t, m.acceleration)
		gap := s.gapAfter(c, v, t, left) + s.depthIn(k, m.code, m.x, t)
		clearance := float64(chordClearance * s.smallerRadius(c))
		if gap >= 0 || !(left > 0) || c.followed >= maxFollowed {
			continue
		}
		c.followed++
		b := &g.bodies[c.b]
		b.Velocity = b.Velocity.AddScaled((2*clearance-gap)/left, c.normal)
		any = true
	}
	return any
}

// maxFollowed is how often the speed of a surface is raised in a group. Newton's method needs three
// steps.
const maxFollowed = 8

// dropSlideContact removes the slide contact of body i with a surface that rotates, which has
// another normal now.
func (s *Space) dropSlideContact(i, code int32) {
	for link := &s.infos[i].slideContacts; *link >= 0; {
		if k := &s.slideContacts[*link]; k.other == code {
			*link = k.next
			s.restartSlide(i, s.bodies[i].v)
		} else {
			link = &k.next
		}
	}
}

// finishPushes gives bodies that touch a surface that rotates its velocity, if they approach it at
// the end of the step: the velocity of a chord points into the surface there.
func (s *Space) finishPushes() {
	if s.statics.Moving() == 0 {
		return
	}
	if len(s.rotors) > 0 {
		s.slowRotors()
	}
	s.eachTurningContact(s.finishPush)
}

// eachTurningContact calls do with each dynamic body that is in contact, at the end of the step,
// with a surface that rotates, and with that surface.
func (s *Space) eachTurningContact(do func(i, k int32)) {
	for at := range s.openContacts.Len() {
		c := s.openContacts.Open(at)
		if c.A < 0 || c.B >= 0 {
			continue
		}
		i := s.index[c.A]
		if s.infos[i].kind == Dynamic && !s.infos[i].material.Sensor {
			s.eachPart(surfaceOf(c.B), func(k int32) {
				if s.statics.At(k).Turns() {
					do(i, k)
				}
			})
		}
	}
}

// finishPush is finishPushes for body i and surface k.
func (s *Space) finishPush(i, k int32) {
	if p, ok := s.lastPush(i, k); ok {
		b := &s.bodies[i]
		b.v = limited(b.v.AddScaled(p.approach/p.free.LengthSquared(), p.free))
	}
}

// turningPush is how a surface that rotates pushes a body when the step ends.
type turningPush struct {
	approach float64      // that it ends, m/s
	free     collide.Vec3 // normal, from the surface to the body, without locked axes
	arm      float64      // of a rotor: by how much the surface moves along the normal for each rad/s, m
}

// lastPush returns how surface k, which rotates, pushes body i when the step ends. It returns false
// if it doesn't.
func (s *Space) lastPush(i, k int32) (p turningPush, ok bool) {
	b, f := &s.bodies[i], s.statics.At(k)
	gap, n := s.gapAt(i, b.x, k, s.Seconds)
	if gap > float64(touchTolerance*s.size(i)) {
		return p, false
	}
	at := s.pointNow(i, codeOf(k), n)
	p.free, p.approach = s.freeNormal(i, n), -n.Dot(b.v.Sub(f.VelocityAt(at, s.Seconds)))
	if r := s.rotorOf(k); r != nil {
		p.arm = s.armOf(r, at, s.Seconds).Dot(n)
		p.approach += float64(r.slowed * p.arm)
	}
	return p, p.approach > 0 && p.free.LengthSquared() > 0.25
}

// isFast reports whether a surface rotates so far in a step that its contacts are not solved at the
// start of the step: each push is an impact.
func (s *Space) isFast(k int32) bool {
	f := s.statics.At(k)
	return f.Rotates() && f.Pieces() > 1
}

// addTurningSurface adds the surface of contact c, which rotates, to the contact solver. Along the
// normal it moves at the velocity of the chord over the step at the contact, so that the body
// touches the surface again when the step ends. Across the normal it moves at the velocity below
// the middle of the body, which is the same for all facets that a crate touches: it would creep
// towards the one that is solved last. All contacts of a surface have one speed scale.
func (s *Space) addTurningSurface(c *contact) {
	on := surfaceOf(c.b) // it or a facet of it
	k := s.statics.Owner(on)
	f, i := s.statics.At(k), s.index[c.a]
	b := &s.bodies[i]
	first := s.solverSurfaceOf[k] < 0
	group, scale := s.surfaces[k].group, s.surfaces[k].speedScale
	switch {
	case group > 0:
		scale = s.groups[group].speedScale
	case first:
		s.turningGroups++
		group = int32(len(s.groups)) + s.turningGroups
		s.surfaces[k].turningGroup = group
	default:
		group = s.surfaces[k].turningGroup
	}
	gap, n, _ := s.touchOf(i, on)
	p := b.x.AddScaled(-(gap + b.radius), n)
	touch := p
	if s.flags[i]&shaped != 0 { // it touches facets beside each other, and can't rotate as they do
		touch = s.pointAtRest(i, c.b, n, 0).AddScaled(-gap, n)
		middle := b.x.Add(s.shapeOf(i).Middle())
		p = middle.AddScaled(n.Dot(touch.Sub(middle)), n)
	}
	carried := f.Carried(p, 0, s.Seconds)
	w := carried.Sub(p).Scale(1 / s.Seconds)
	least := n.Dot(w)
	if touch != p {
		least = n.Dot(f.Carried(touch, 0, s.Seconds).Sub(touch)) / s.Seconds
	}
	v := s.startVelocity(i)
	from := b.x.AddScaled(-gap, n)
	beside := v.AddScaled(-n.Dot(v), n)
	speed := s.chordSpeed(on, i, from, beside, n, least, 0, s.Seconds)
	rotor := s.rotorOf(k)
	if rotor == nil && !s.contactSolver.Linked(s.solverBodyOf[c.a]) {
		// Its path is the chord of a parabola. So its velocity at the end of the step is that of
		// the surface then, where it is then. In islands, bodies move at their velocity at the end.
		slip := v.Sub(f.VelocityAt(p, 0))
		slip = slip.AddScaled(-n.Dot(slip), n)
		w = f.VelocityAt(carried.AddScaled(s.Seconds, slip), s.Seconds)
	}
	w = w.AddScaled(speed-n.Dot(w), n)
	input := contacts.Surface{
		SortKey: s.sortKeyOf(nil, on), Velocity: w, Angular: f.Turning.Angular, SpeedScale: scale, Group: group,
	}
	if rotor != nil {
		arm, lever := rotor.Axis.Cross(p.Sub(f.Turning.Pivot)), n.Dot(rotor.Axis.Cross(touch.Sub(f.Turning.Pivot)))
		// The push may be that of another corner of the body, where the rotor is faster.
		other := (speed - least) / rotor.speed
		if touch != p && float64(lever*rotor.speed) > 0 && math.Abs(other) < 2*s.size(i) {
			lever += other
		}
		input.Rotor, input.Arm = rotor.solved+1, arm.AddScaled(lever-n.Dot(arm), n)
	}
	added := s.contactSolver.AddSurface(&input)
	c.solverB = added
	if first {
		s.contactSurfaces = append(s.contactSurfaces, k)
		s.solverSurfaceOf[k] = added
	}
}

// Moved returns where the point of surface k that was at p when the last step began is now.
func (s *Space) Moved(k int32, p collide.Vec3) collide.Vec3 {
	if f := s.statics.At(k); f.Rotates() {
		return f.Carried(p, 0, s.Seconds)
	}
	return p.Add(s.statics.Travelled(k))
}

// Turned returns how far surface k rotated in the last step.
func (s *Space) Turned(k int32) collide.Quat { return s.statics.Turned(k) }
