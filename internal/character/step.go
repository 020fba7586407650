package character

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Mover moves characters, one after the other. Its memory is used again for each.
type Mover struct {
	// Contacts are what the character met in the last step, in the order of time.
	Contacts []collide.MoveContact

	world World
	set   *Settings
	s     *State
	in    Input

	seconds  float64 // of the step
	now      float64 // since the beginning of the step, s
	wanted   collide.Vec3
	climbed  bool    // the last contact was a step, which the character has climbed
	landed   bool    // the last contact is ground to walk on
	stopped  bool    // the last contact ends the movement
	walled   bool    // a contact has been a wall because it is too steep
	yields   bool    // such contacts are no walls: something pushes the character, and it has no other way out
	squeeze  float64 // maxSqueeze or maxShove
	shoved   bool    // another character would have made it faster than maxShove lets it
	turns    int     // how often the ground has changed in this step
	pushes   []push
	lifted   []lifted
	lifts    bool                // it has hit a body with its head in this step
	under    bool                // it was in the air, and met a ceiling, in the last step
	landing  collide.Vec3        // force with which it has landed on landedOn, N
	landedOn int                 // -1 for nothing
	searched collide.MoveContact // the last steep contact of this climb for which frontOfStep has looked
	planar   [6]collide.SlideContact
	scratch  []collide.MoveContact
	cast     collide.MoveCast
	probe    collide.MoveCast
	touch    func(collide.Vec3, collide.MoveContact) collide.MoveResponse
	overlaps func(collide.Vec3, []collide.MoveContact) []collide.MoveContact

	stopOnGround func(collide.Vec3, collide.MoveContact) collide.MoveResponse
}

// push is the force on an obstacle in the next step, N.
type push struct {
	obstacle int
	force    collide.Vec3
}

const (
	// maxPhases is how often a movement may begin anew in a step, with a change of the ground, a
	// step of stairs, or a landing. The rest of the movement only slides.
	maxPhases = 8

	// angleSlack is the difference of cosines up to which a slope counts as one of the limit: that
	// of a millionth of a degree at 45 degrees, far above the rounding of a normal.
	angleSlack = 1e-8

	// hysteresis is the difference of cosines by which ground may be steeper than the limit for a
	// character that stands on it already: 0.4 degrees at 45 degrees. So it doesn't begin and cease
	// to slide on uneven ground.
	hysteresis = 0.005

	// ceilingCosine separates walls from ceilings, and walls from steep ground: 1 degree.
	ceilingCosine = 0.0175

	// uprightCosine is the cosine up to which a wall is upright: one that is tilted more doesn't
	// lead upwards what walks into it. It is far above the rounding of a normal, and so small that
	// what walks at 1 m/s rises by less than rounding in a step.
	uprightCosine = 1e-12

	// launchSpeed is the upward speed relative to the ground, m/s, above which a velocity that the
	// game sets lifts a character off the ground, and one that a hit gives it.
	launchSpeed = 1e-3
)

// NewMover returns a mover for characters in world.
func NewMover(world World) *Mover {
	m := &Mover{world: world}
	m.cast = func(p, v collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome) {
		c, o := world.Cast(p, v, m.now+start, m.now+end)
		if o == collide.Overlap {
			m.s.MayOverlap = true
		}
		return c, o
	}
	m.probe = func(p, v collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome) {
		c, o := world.Probe(p, v.Scale(end-start), m.now)
		c.Time *= end - start
		c.Velocity = collide.Vec3{}
		return c, o
	}
	m.touch = m.onContact
	m.overlaps = func(p collide.Vec3, found []collide.MoveContact) []collide.MoveContact {
		n := len(found)
		found = world.Overlaps(p, found)
		for i := n; i < len(found); i++ {
			m.lifts = m.lifts || m.liftsWithHead(&found[i])
		}
		return found
	}
	m.stopOnGround = func(_ collide.Vec3, c collide.MoveContact) collide.MoveResponse {
		return collide.MoveResponse{Stop: m.isGroundNormal(c.Normal)}
	}
	return m
}

// Step moves a character for the given seconds. The obstacles of the world move in the same time.
func (m *Mover) Step(s *State, set *Settings, in Input, seconds float64) {
	m.s, m.set, m.in, m.seconds, m.now = s, set, in, seconds, 0
	m.Contacts, m.pushes, m.turns, m.landedOn = m.Contacts[:0], m.pushes[:0], 0, -1
	m.shoved = false
	m.lifted, m.lifts, m.under = m.lifted[:0], false, s.OnCeiling && s.Ground != OnGround
	s.Jumped, s.Landed, s.Crushed, s.OnWall, s.OnCeiling = false, false, false, false, false
	s.WallNormal = collide.Vec3{}
	m.world.IgnoreOneWay(in.DropThrough)
	start, before := s.Position, s.Velocity
	if set.Floating {
		s.Resting = false
		if m.float(); s.Crushed {
			m.goBack(start)
		}
	} else {
		m.putDown()
		m.followGround()
		m.control()
		m.tryJump()
		if s.Resting && m.stands() && m.world.IsUnchanged() {
			m.stand()
			return
		}
		put := s.Position
		m.move()
		switch {
		case s.Crushed:
			m.goBack(put)
		case m.shoved:
			m.stayShoved(put)
		}
		m.findGround()
		s.Resting = s.Position == put && m.stands() && len(m.Contacts) == 0 && s.Climbed == 0
	}
	m.limitVelocity(start, before)
	m.keepInPlane(start)
	m.noteSides()
	s.Left = s.Velocity
	m.world.IgnoreOneWay(false)
}

// limitVelocity gives a character the velocity at which it has really moved from start, if the
// velocity that obstacles have left it is another one: if they crush it, if it is so deep in them
// that it doesn't move, or if they have made it faster than anything is, and it hasn't moved that
// far. On ground, it rises no faster than it has risen. One that is crushed loses its walking
// speed, too. If it kept that, it would leave at that speed when it is free again, and a high one
// could end State.Crushed before.
func (m *Mover) limitVelocity(start, before collide.Vec3) {
	s := m.s
	moved := s.Position.Sub(start).Scale(1 / m.seconds)
	if s.Crushed {
		s.Velocity, s.Walk = moved, collide.Vec3{}
		return
	}
	fastest := max(before.Length(), m.wanted.Length(), moved.Length(), s.GroundVelocity.Length())
	fastest += float64(m.set.Gravity.Length()*m.seconds) + launchSpeed
	stays := false
	for i := range m.Contacts {
		c := &m.Contacts[i]
		fastest = max(fastest, c.Velocity.Length())
		stays = stays || c.Depth > settleDepth && moved == (collide.Vec3{})
	}
	if stays || s.Velocity.Length() > fastest {
		s.Velocity = moved
	}
	m.limitPushes(before, moved)
	// What walks up a slope against a wall slides up the wall, and is put down on the slope again.
	if s.Ground == OnGround && !s.Landed && len(m.Contacts) > 0 {
		if unreal := m.up(s.Velocity) - max(0, m.up(moved)); unreal > launchSpeed {
			s.Velocity = s.Velocity.AddScaled(-unreal, m.set.Up)
		}
	}
}

// limitPushes bounds the velocity that the character has from bodies that pushed it. While they
// move it out of their way they count as fast as their mean motion in the step. A ball that has
// hit it is slower when the step ends, and the character is not to be faster than the ball then.
func (m *Mover) limitPushes(before, moved collide.Vec3) {
	v := &m.s.Velocity
	for i := range m.Contacts {
		c := &m.Contacts[i]
		n := c.Normal
		most := max(n.Dot(before), n.Dot(moved))
		if n.Dot(*v) <= most || n.Dot(c.Velocity) <= most {
			continue
		}
		if o := m.world.Obstacle(c.Obstacle, c.Point); o.InverseMass > 0 && !o.Character {
			most = max(most, n.Dot(o.Velocity))
			*v = v.AddScaled(min(0, most-n.Dot(*v)), n)
		}
	}
}

// keepInPlane moves a character back into its plane. Where obstacles leave it no way in the plane,
// they push it out of that.
func (m *Mover) keepInPlane(start collide.Vec3) {
	s := m.s
	out := s.Position.Sub(start)
	if left := Free(m.set.Planar, out); left != out {
		s.Position, s.MayOverlap = start.Add(left), true
	}
	s.Velocity = Free(m.set.Planar, s.Velocity)
}

// stands reports whether the character stands on ground at rest, and does nothing.
func (m *Mover) stands() bool {
	s, zero := m.s, collide.Vec3{}
	return s.Ground == OnGround && s.GroundObstacle >= 0 && s.Walk == zero && s.Velocity == zero &&
		s.GroundVelocity == zero && !s.MayOverlap && !m.in.DropThrough
}

// up returns the component of v along the up direction.
func (m *Mover) up(v collide.Vec3) float64 { return m.set.Up.Dot(v) }

// flat returns v without its component along the up direction.
func (m *Mover) flat(v collide.Vec3) collide.Vec3 { return v.AddScaled(-m.up(v), m.set.Up) }

// followGround takes over the velocity of the ground, and leaves the ground if the game has given
// the character a velocity away from it, or another up direction, in which it is no ground.
func (m *Mover) followGround() {
	s := m.s
	if s.Ground == OnGround && m.up(s.GroundNormal) <= ceilingCosine {
		m.leaveGround()
	}
	if s.Ground == OnGround {
		relative := s.Velocity.Sub(s.GroundVelocity)
		s.GroundVelocity = collide.Vec3{}
		if s.GroundObstacle >= 0 {
			s.GroundVelocity = m.world.Obstacle(s.GroundObstacle, s.GroundPoint).Velocity
		}
		if s.Velocity != s.Left {
			s.Walk = m.flat(relative)
			if m.up(relative) > launchSpeed {
				m.leaveGround()
				return
			}
		}
		s.SinceGround = 0
		if m.in.DropThrough {
			m.dropThrough()
		}
		return
	}
	s.SinceGround += m.seconds
}

// StaysOnGround reports whether a character that stands on ground with that normal stays there when
// something hits it and gives it a velocity: unless that leads up, and away from the ground. The
// velocity that it has doesn't matter, which leads up if it walks up a slope.
func StaysOnGround(given, normal, up collide.Vec3) bool {
	return !(up.Dot(given) > launchSpeed && normal.Dot(given) > launchSpeed)
}

// WalkAfterHit returns the walking velocity of a character that stays on ground with that normal
// when something hits it and gives it a velocity. own is its velocity relative to the ground. One
// that walks against the hit keeps the part of its walk with which it gets on: where something is
// in its way, it doesn't press on.
func WalkAfterHit(walk, own, given, normal, up collide.Vec3) collide.Vec3 {
	given = given.AddScaled(-up.Dot(given), up)
	free := walk.AddScaled(-normal.Dot(walk), normal) // on a slope, the ground takes a part
	if most := free.LengthSquared(); given.Dot(walk) < 0 && most > 0 {
		walk = walk.Scale(max(0, min(1, own.Dot(free)/most)))
	}
	return walk.Add(given)
}

// dropThrough makes a character fall that stands on one-way platforms only.
func (m *Mover) dropThrough() {
	down := m.set.Up.Scale(-settleLength * m.reach())
	if _, outcome := m.world.Probe(m.s.Position, down, 0); outcome == collide.Miss {
		m.s.Velocity = m.s.GroundVelocity.Add(m.s.Walk)
		m.leaveGround()
	}
}

// leaveGround makes the character fall or fly, with the velocity that it has.
func (m *Mover) leaveGround() {
	s := m.s
	s.Ground, s.GroundNormal, s.GroundObstacle, s.Climbed = InAir, collide.Vec3{}, -1, 0
	g := s.GroundVelocity
	switch m.set.OnLeave {
	case KeepNothing:
		s.Velocity = s.Velocity.Sub(g)
	case KeepUpwardVelocity:
		if down := m.up(g); down < 0 {
			s.Velocity = s.Velocity.AddScaled(-down, m.set.Up)
		}
	case KeepVelocity:
	}
	s.GroundVelocity, s.Walk = collide.Vec3{}, collide.Vec3{}
}

// control accelerates the character towards its desired velocity.
func (m *Mover) control() {
	s, target := m.s, m.flat(m.in.Desired)
	if s.Ground == OnGround {
		s.Walk = approach(s.Walk, target, m.set.Acceleration*m.seconds)
		return
	}
	if target != (collide.Vec3{}) {
		now := m.flat(s.Velocity)
		s.Velocity = s.Velocity.Add(approach(now, target, m.set.AirAcceleration*m.seconds).Sub(now))
	}
}

// approach returns v, changed towards target by at most change.
func approach(v, target collide.Vec3, change float64) collide.Vec3 {
	d := target.Sub(v)
	if length := d.Length(); length > change {
		return v.AddScaled(change/length, d)
	}
	return target
}

// tryJump begins a jump if one is wished and possible.
func (m *Mover) tryJump() {
	s := m.s
	wished := m.in.Jump || s.JumpWish > 0
	s.JumpWish -= m.seconds
	if m.in.Jump {
		s.JumpWish = m.set.JumpBuffer
	}
	onGround := s.Ground == OnGround
	if !wished || !onGround && (s.Jumping || s.SinceGround > m.set.CoyoteTime) {
		return
	}
	if onGround {
		s.Velocity = s.GroundVelocity.Add(s.Walk)
		m.leaveGround()
	}
	// Nothing is lost of an upward velocity. A fall within the coyote time ends.
	speed := math.Sqrt(2 * max(0, -m.up(m.set.Gravity)) * m.set.JumpHeight)
	rise := m.up(s.Velocity)
	if !onGround {
		rise = max(rise, 0)
	}
	s.Velocity = m.flat(s.Velocity).AddScaled(rise+speed, m.set.Up)
	s.Jumped, s.Jumping, s.JumpWish = true, true, 0
}

// noteSides notes walls and ceilings among the contacts.
func (m *Mover) noteSides() {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		switch h := m.up(c.Normal); {
		case h < -ceilingCosine:
			m.s.OnCeiling = true
		case h <= ceilingCosine:
			m.s.OnWall, m.s.WallNormal = true, c.Normal
		}
	}
}
