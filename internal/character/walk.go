package character

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// move moves the character for the whole step. The movement begins anew where the ground changes,
// so that the character follows it at its own speed.
func (m *Mover) move() {
	s := m.s
	for phase := 0; m.now < m.seconds && phase < 2*maxPhases; phase++ {
		left := m.seconds - m.now
		m.wanted = s.Velocity.AddScaled(left/2, m.set.Gravity)
		if s.Ground == OnGround {
			m.wanted = s.GroundVelocity.Add(m.alongGround(s.Walk))
		} else {
			m.wanted = m.limitFall(m.wanted)
		}
		m.climbed, m.landed, m.stopped = false, false, false
		r := m.slide(left, phase < maxPhases)
		used := r.Seconds
		if s.Ground == OnGround {
			s.Velocity = r.Velocity
			if !m.climbed && !m.landed {
				m.loseWalk()
			}
		} else {
			s.Velocity = m.fallen(r.Velocity, used, left)
		}
		if !m.climbed { // a climb has moved the character
			s.Position = r.Position
			m.now += used
		}
		if m.landed {
			m.land()
		}
		s.Crushed = s.Crushed || r.Outcome == collide.Crushed
		if m.stopped {
			m.endStep(collide.Vec3{})
		}
	}
}

// endStep ends the step at a velocity, without what the character wants, but for what pushes it. It
// returns the velocity that this gives it.
func (m *Mover) endStep(v collide.Vec3) collide.Vec3 {
	m.wanted = v
	r := m.slide(m.seconds-m.now, false)
	m.s.Position, m.now = r.Position, m.seconds
	m.s.Crushed = m.s.Crushed || r.Outcome == collide.Crushed
	return r.Velocity
}

// goBack moves a character that is crushed to where the step began, carried on by the ground, or
// where it is pushed to from there. Bodies and characters that have moved before this one have left
// it that place, though they may have come there on a bent way, which the casts take for straight.
// Characters that move after this one stop at it, also if their ground carries them to that place.
// One that is crushed there, too, ends where it was crushed first.
func (m *Mover) goBack(start collide.Vec3) {
	s, end := m.s, m.s.Position
	s.Position, m.now, s.Crushed = start, 0, false
	carried := start.AddScaled(m.seconds, m.in.Carried)
	switch v := m.endStep(m.in.Carried); {
	case !s.Crushed:
		s.Velocity = v
	case m.mayBeCarried(start, false):
		s.Position, s.Velocity, s.Crushed = carried, m.in.Carried, false
	default:
		s.Position = end
	}
}

// maxSqueeze is how many times as fast as what pushes it a character may be pushed out to the side,
// between two things that close in on it: that is at angles of 7 degrees and more. At smaller ones
// it is crushed, as between two that are parallel. Without a bound, a plate at 0.2 m/s shot
// characters away at any speed.
const maxSqueeze = 8

// maxShove takes the place of maxSqueeze where another character pushes, with something else in the
// way: that is at angles of 42 degrees and more. A character can't give another one much more than
// its speed. With maxSqueeze, one that ran at 8 m/s into another one at a wall made that 57 m/s.
// One that would be faster stays where its ground has carried it, if there is room, and else
// is moved aside, but has no such velocity afterwards.
const maxShove = 1.5

// slide is the MoveAndSlide of a phase.
func (m *Mover) slide(left float64, watch bool) collide.MoveResult {
	m.squeeze = maxSqueeze
	move := collide.Move{
		Position: m.s.Position, Velocity: m.wanted, Seconds: left,
		Constraints: m.constraints(), RecoverySpeed: m.set.RecoverySpeed, MaxSqueeze: maxSqueeze,
	}
	if m.s.MayOverlap && m.now == 0 {
		m.s.MayOverlap = false
		move.Overlaps = m.overlaps
	}
	if watch {
		move.OnContact = m.touch
	}
	from, turns := len(m.Contacts), m.turns
	m.walled = false
	r := collide.MoveAndSlide(move, m.cast, m.Contacts)
	if r.Outcome == collide.Crushed && m.walled { // what pushes it may push it up a slope
		m.yields, m.turns = true, turns
		m.climbed, m.landed, m.stopped = false, false, false
		r = collide.MoveAndSlide(move, m.cast, r.Contacts[:from])
		m.yields = false
	}
	m.shove(&r, from)
	m.Contacts = r.Contacts
	for i := from; i < len(r.Contacts); i++ {
		r.Contacts[i].Time += m.now
		if r.Contacts[i].Depth > 0 {
			m.s.MayOverlap = true // until it's out
		}
		m.push(&r.Contacts[i])
	}
	m.s.MayOverlap = m.s.MayOverlap || r.Outcome == collide.Crushed
	return r
}

// shove bounds the velocity after a movement by maxShove, relative to the ground, if another
// character is among its contacts from an index on.
func (m *Mover) shove(r *collide.MoveResult, from int) {
	ground := m.in.Carried
	fastest, shoved := m.wanted.Sub(ground).LengthSquared(), false
	for i := from; i < len(r.Contacts); i++ {
		c := &r.Contacts[i]
		fastest = max(fastest, c.Velocity.Sub(ground).LengthSquared())
		shoved = shoved || c.Velocity != ground && m.world.Obstacle(c.Obstacle, c.Point).Character
	}
	v := r.Velocity.Sub(ground)
	if most := float64(maxShove * math.Sqrt(fastest)); shoved && v.Length() > most {
		m.shoved, m.squeeze = true, maxShove
		r.Velocity = ground.AddScaled(most/v.Length(), v)
	}
}

// stayShoved moves a character that another one has moved aside back to where its ground has
// carried it, if there is room.
func (m *Mover) stayShoved(start collide.Vec3) {
	if m.mayBeCarried(start, true) {
		m.s.Position, m.s.Velocity = start.AddScaled(m.seconds, m.in.Carried), m.in.Carried
	}
}

// mayBeCarried reports whether the character overlaps nothing where its ground carries it from
// start, nor on the way. The step moves it like that also through static walls. Other characters
// that have not moved yet count only with waiting.
func (m *Mover) mayBeCarried(start collide.Vec3, waiting bool) bool {
	samples := carriedSamples
	if m.in.Carried == (collide.Vec3{}) {
		samples = 1
	}
	for k := 1; k <= samples; k++ {
		after := float64(m.seconds * float64(k) / float64(samples))
		if !m.world.IsFree(start.AddScaled(after, m.in.Carried), after, waiting) {
			return false
		}
	}
	return true
}

// carriedSamples is at how many places of its way mayBeCarried looks for the character: walls are
// found unless it is carried over 64 times as much as both are thick.
const carriedSamples = 64

// constraints returns the planes that a character in a plane keeps to.
func (m *Mover) constraints() []collide.SlideContact {
	n := 0
	for axis, is := range m.set.Planar {
		if is {
			normal := [3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[axis]
			m.planar[n].Normal, m.planar[n+1].Normal = normal, normal.Neg()
			n += 2
		}
	}
	return m.planar[:n]
}

// Free returns d without the axes that are locked.
func Free(locked [3]bool, d collide.Vec3) collide.Vec3 {
	if locked[0] {
		d.X = 0
	}
	if locked[1] {
		d.Y = 0
	}
	if locked[2] {
		d.Z = 0
	}
	return d
}

// onContact decides how a movement goes on after a contact.
func (m *Mover) onContact(position collide.Vec3, c collide.MoveContact) (response collide.MoveResponse) {
	h := m.up(c.Normal)
	if m.set.Floating {
		return m.onContactFloating(&c)
	}
	if m.liftsWithHead(&c) {
		m.lifts = true
	}
	if m.isGroundNormal(c.Normal) {
		if m.s.Ground == OnGround && m.sameGround(&c) || m.lifts {
			return response // one that lifts something rises, though not in this step
		}
		if m.turns++; m.turns > maxPhases {
			return response
		}
		m.landed, response.Stop = true, true
		return response
	}
	switch {
	case m.s.Ground == OnGround && h > -ceilingCosine && m.climb(position, &c):
		m.climbed, response.Stop = true, true
	case h < -ceilingCosine && m.s.Ground != OnGround && m.set.NoCeilingSlide:
		m.stopped, response.Stop = true, true
	case !m.yields && (h > uprightCosine || h < -uprightCosine && m.s.Ground == OnGround):
		// A slope that is too steep is a wall, and so is a low ceiling for one who walks.
		response.Wall, _ = m.flat(c.Normal).Normalized()
		m.walled = true
	}
	return response
}

// sameGround reports whether a contact is with the plane on which the character walks.
func (m *Mover) sameGround(c *collide.MoveContact) bool {
	return c.Normal.Sub(m.s.GroundNormal).MaxAbs() <= angleSlack && c.Obstacle == m.s.GroundObstacle
}

// land makes the last contact the ground: of one that falls, or that walks onto another slope.
func (m *Mover) land() {
	s, c := m.s, &m.Contacts[len(m.Contacts)-1]
	falling := s.Ground != OnGround
	before := s.GroundVelocity
	m.setGround(c)
	if falling {
		s.Landed, s.Jumping = true, false
		s.Walk = m.flat(s.Velocity.Sub(s.GroundVelocity))
	} else {
		s.Walk = s.Walk.Add(m.flat(before.Sub(s.GroundVelocity)))
	}
}

// alongGround returns the velocity on the ground of one who walks at the horizontal velocity walk.
func (m *Mover) alongGround(walk collide.Vec3) collide.Vec3 {
	n := m.s.GroundNormal
	h := n.Dot(walk)
	v := walk.AddScaled(-h, n)
	switch length := v.Length(); {
	case h == 0 || length == 0:
	case m.set.ConstantSpeed:
		v = v.Scale(walk.Length() / length)
	case h > 0: // downhill the horizontal velocity stays
		v = walk.AddScaled(-h/m.up(n), m.set.Up)
	}
	return v
}

// loseWalk takes from the walking velocity what leads into what the character has met. What pushes
// it gives it no more than its own speed, also where it squeezes the character out faster.
func (m *Mover) loseWalk() {
	var room [8]collide.SlideContact
	if walls := m.walls(room[:0]); len(walls) > 0 {
		if walk, ok := m.slideAmong(m.s.Walk, walls); ok {
			fastest := m.s.Walk.Length()
			for k := range walls {
				fastest = max(fastest, walls[k].Velocity.Length())
			}
			walk = m.flat(walk)
			if speed := walk.Length(); speed > fastest {
				walk = walk.Scale(fastest / speed)
			}
			m.s.Walk = walk
		}
	}
	m.loseWalkIntoBodies()
}

// loseWalkIntoBodies takes from the walking velocity what leads faster into bodies and other
// characters than the character wants to walk, and than they move after its pushes: all of it from
// characters, and from a body that doesn't move yet the part that the two would lose in an
// inelastic impact. A body that is held never moves.
func (m *Mover) loseWalkIntoBodies() {
	s := m.s
	for i := range m.Contacts {
		c := &m.Contacts[i]
		flat, ok := m.flat(c.Normal).Normalized()
		o := m.world.Obstacle(c.Obstacle, c.Point)
		if !ok || m.isGroundNormal(c.Normal) || o.InverseMass == 0 {
			continue
		}
		lost := 1.0
		if !o.Character {
			pushed := float64(m.set.MaxPushForce * o.InverseMass * m.seconds)
			if flat.Dot(s.GroundVelocity.Sub(o.Velocity)) >= pushed/2 {
				continue
			}
			lost = 1 / (1 + float64(m.set.Mass*o.InverseMass))
		}
		makesWay := o.Velocity.Add(o.Pushed).Sub(s.GroundVelocity)
		least := min(0, flat.Dot(m.in.Desired), flat.Dot(makesWay))
		if into := flat.Dot(s.Walk); into < least {
			s.Walk = s.Walk.AddScaled(float64(lost*(least-into)), flat)
		}
	}
}

// walls appends the walls that the character has met and can't push, as seen from the ground, as
// far as there is room.
func (m *Mover) walls(walls []collide.SlideContact) []collide.SlideContact {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		flat, ok := m.flat(c.Normal).Normalized()
		if !ok || len(walls) == cap(walls) || m.isGroundNormal(c.Normal) ||
			m.world.Obstacle(c.Obstacle, c.Point).InverseMass > 0 {
			continue
		}
		walls = append(walls, collide.SlideContact{Normal: flat, Velocity: c.Velocity.Sub(m.s.GroundVelocity)})
	}
	return walls
}

// CarriedVelocity returns the mean velocity at which the ground carries the character on in the
// next step, m/s: that of the ground, as far as what nothing can push lets it. Bodies see the
// character move like that. The cast is for that step.
func (m *Mover) CarriedVelocity(next collide.MoveCast) collide.Vec3 {
	s, v := m.s, Free(m.set.Planar, m.s.GroundVelocity)
	if v == (collide.Vec3{}) {
		return v
	}
	r := collide.MoveAndSlide(collide.Move{
		Position: s.Position, Velocity: v, Seconds: m.seconds, Constraints: m.constraints(),
	}, next, m.scratch[:0])
	m.scratch = r.Contacts
	stopped := slices.ContainsFunc(r.Contacts, func(c collide.MoveContact) bool { return !m.sameGround(&c) })
	if !stopped || r.Outcome == collide.Crushed {
		return v
	}
	return r.Position.Sub(s.Position).Scale(1 / m.seconds)
}

// limitFall returns v with at most the largest speed downwards.
func (m *Mover) limitFall(v collide.Vec3) collide.Vec3 {
	if down := -m.up(v); m.set.MaxFallSpeed > 0 && down > m.set.MaxFallSpeed {
		return v.AddScaled(down-m.set.MaxFallSpeed, m.set.Up)
	}
	return v
}

// fallen returns the velocity after some of the time left has been used, for one who fell at the
// mean velocity wanted and ends at the mean velocity v.
func (m *Mover) fallen(v collide.Vec3, used, left float64) collide.Vec3 {
	// The velocity at time t is the mean one and gravity times t - left/2. Only what the obstacles
	// let pass of the last term counts.
	var obstacles [16]collide.SlideContact
	n := 0
	for i := max(0, len(m.Contacts)-len(obstacles)); i < len(m.Contacts); i++ {
		c := &m.Contacts[i]
		obstacles[n] = collide.SlideContact{Normal: c.Normal, Velocity: c.Velocity}
		for k := range m.lifted {
			if l := &m.lifted[k]; l.obstacle == c.Obstacle {
				obstacles[n].Velocity = l.velocity
				v = v.AddScaled(min(0, c.Normal.Dot(l.velocity.Sub(v))), c.Normal) // the movement has ended there
			}
		}
		n++
	}
	v = v.AddScaled(used-float64(left/2), m.set.Gravity)
	if n > 0 && !m.landed {
		if slid, ok := m.slideAmong(v, obstacles[:n]); ok {
			v = slid
		}
	}
	if m.stopped { // at a ceiling
		if rise := m.up(v); rise > 0 {
			v = v.AddScaled(-rise, m.set.Up)
		}
	}
	return m.limitFall(v)
}

// lifted is a body that the character has hit with its head, and the velocity that both have then.
type lifted struct {
	obstacle int
	velocity collide.Vec3
}

// heldShare is a fraction of the speed at which a character rises. A body that it has hit in the
// last step, and that rises more slowly than that, counts as a ceiling: something above holds it. A
// larger value would make a ceiling of light stacks, in which the others slow down the lowest body.
const heldShare = 0.125

// liftsWithHead reports whether a contact is with a body that a jumping character lifts.
func (m *Mover) liftsWithHead(c *collide.MoveContact) bool {
	rise := m.up(m.wanted)
	if m.s.Ground == OnGround || m.set.Floating || !(m.up(c.Normal) < -ceilingCosine) || !(rise > 0) {
		return false
	}
	o := m.world.Obstacle(c.Obstacle, c.Point)
	return o.InverseMass > 0 && (!m.under || m.up(o.Velocity) > float64(heldShare*rise))
}

// lift shares the momentum of a character that jumps with the body on its head, which it approaches
// at some speed: both go on at one velocity.
func (m *Mover) lift(c *collide.MoveContact, approach float64, o *Obstacle) {
	impulse := approach / (o.InverseMass + 1/m.set.Mass)
	m.world.Hit(c.Obstacle, c.Normal.Scale(-impulse))
	after := o.Velocity.Add(o.Pushed).AddScaled(-float64(impulse*o.InverseMass), c.Normal)
	m.lifted = append(m.lifted, lifted{c.Obstacle, after})
}

// slideAmong returns the velocity that obstacles leave of v, and false if they crush what moves at
// v, or squeeze it out at more than so many times the largest speed as in the last slide.
func (m *Mover) slideAmong(v collide.Vec3, obstacles []collide.SlideContact) (after collide.Vec3, ok bool) {
	fastest := v.LengthSquared()
	for k := range obstacles {
		fastest = max(fastest, obstacles[k].Velocity.LengthSquared())
	}
	after, result := collide.Slide(v, obstacles)
	return after, result.Outcome != collide.Crushed &&
		after.LengthSquared() <= float64(float64(m.squeeze*m.squeeze)*fastest)
}

// float moves a character without gravity and ground.
func (m *Mover) float() {
	s := m.s
	s.Ground, s.GroundNormal, s.GroundVelocity, s.GroundObstacle = InAir, collide.Vec3{}, collide.Vec3{}, -1
	s.Walk, s.Jumping, s.JumpWish, s.SinceGround = collide.Vec3{}, false, 0, m.set.CoyoteTime+m.seconds
	s.Climbed = 0
	s.Velocity = approach(s.Velocity, m.in.Desired, m.set.Acceleration*m.seconds)
	m.wanted = s.Velocity
	m.stopped = false
	r := m.slide(m.seconds, true)
	s.Position, s.Velocity, m.now = r.Position, r.Velocity, r.Seconds
	s.Crushed = r.Outcome == collide.Crushed
	if m.stopped {
		s.Velocity = m.endStep(collide.Vec3{})
	}
}

// onContactFloating stops a character that floats almost straight into a wall.
func (m *Mover) onContactFloating(c *collide.MoveContact) collide.MoveResponse {
	v := m.in.Desired
	if v == (collide.Vec3{}) {
		v = m.wanted
	}
	if -c.Normal.Dot(v) > float64(m.set.MinWallSlideCosine*v.Length()) && c.Velocity == (collide.Vec3{}) {
		m.stopped = true
		return collide.MoveResponse{Stop: true}
	}
	return collide.MoveResponse{}
}

// push pushes what the character has met, and can be pushed: as hard as is necessary to make it as
// fast as the character in the next step, if it can. What the character walks on feels its weight
// instead.
func (m *Mover) push(c *collide.MoveContact) {
	o := m.world.Obstacle(c.Obstacle, c.Point)
	if m.s.Ground == OnGround && m.sameGround(c) {
		return
	}
	approach := c.Normal.Dot(o.Velocity.Add(o.Pushed).Sub(m.wanted))
	if !(approach > 0) {
		return
	}
	if o.InverseMass == 0 {
		m.pushSurface(c, approach)
		return
	}
	if m.s.Ground != OnGround && !m.set.Floating && m.isGroundNormal(c.Normal) { // it falls on it
		force := c.Normal.Scale(-approach / float64((o.InverseMass+1/m.set.Mass)*m.seconds))
		m.world.Push(c.Obstacle, force)
		m.landWith(c.Obstacle, force)
		return
	}
	if m.liftsWithHead(c) {
		m.lift(c, approach, &o)
		return
	}
	k := m.pushOn(c.Obstacle)
	force := min(m.set.MaxPushForce, approach/float64(o.InverseMass*m.seconds))
	before, all := m.pushes[k].force, m.pushes[k].force.AddScaled(-force, c.Normal)
	if size := all.Length(); size > m.set.MaxPushForce {
		all = all.Scale(m.set.MaxPushForce / size)
	}
	m.pushes[k].force = all
	m.world.Push(c.Obstacle, all.Sub(before))
}

// landWith notes the force with which the character lands on an obstacle.
func (m *Mover) landWith(obstacle int, force collide.Vec3) {
	if m.landedOn != obstacle {
		m.landedOn, m.landing = obstacle, collide.Vec3{}
	}
	m.landing = m.landing.Add(force)
}

// pushOn returns the index in m.pushes of the force on an obstacle.
func (m *Mover) pushOn(obstacle int) int {
	k := slices.IndexFunc(m.pushes, func(p push) bool { return p.obstacle == obstacle })
	if k < 0 {
		k = len(m.pushes)
		m.pushes = append(m.pushes, push{obstacle: obstacle})
	}
	return k
}

// pushSurface pushes a surface that may yield to torque: as hard as is necessary to make the point
// of contact as fast as the character, with at most MaxPushForce. A character that falls on it
// stops with it.
func (m *Mover) pushSurface(c *collide.MoveContact, approach float64) {
	d := c.Normal.Neg()
	if m.s.Ground != OnGround && !m.set.Floating && m.isGroundNormal(c.Normal) {
		if m.world.PushSurface(c.Obstacle, c.Point, d, approach, 1/m.set.Mass, math.Inf(1)) > 0 {
			m.landWith(c.Obstacle, collide.Vec3{}) // the world knows the impulse
		}
		return
	}
	k := m.pushOn(c.Obstacle)
	left := m.set.MaxPushForce - m.pushes[k].force.Length()
	impulse := m.world.PushSurface(c.Obstacle, c.Point, d, approach, 0, float64(left*m.seconds))
	m.pushes[k].force = m.pushes[k].force.AddScaled(impulse/m.seconds, d)
}
