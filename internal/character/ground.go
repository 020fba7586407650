package character

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

const (
	// settleSpeed is the speed, relative to that of a fall, below which something that slopes keep
	// from falling counts as standing.
	settleSpeed = 0.01

	// settleLength is how far down a character may slide along steep slopes to find ground that it
	// touches, metres, as a fraction of the step height and the snap length.
	settleLength = 0.02

	// settleDepth is the overlap up to which one that has been put on the ground stands there,
	// metres: rounding. One that is deeper is moved out first.
	settleDepth = 1e-9

	// snapSlack is the distance that a character keeps from the ground, relative to the
	// coordinates, as collide.MoveAndSlide keeps it.
	snapSlack = 0x1p-44

	// grazeCosine is the cosine between a movement and a normal up to which the movement only
	// grazes what it meets, such as a wall along which it leads up: going back hardly leads away.
	grazeCosine = 0x1p-20
)

// isGroundNormal reports whether a slope with that normal is flat enough to walk on.
func (m *Mover) isGroundNormal(n collide.Vec3) bool {
	limit := m.set.MinGroundCosine - angleSlack
	if m.s.Ground == OnGround {
		limit -= hysteresis
	}
	return m.up(n) >= limit
}

// edgeNormal reports whether a contact below the character is with the edge of ground to walk on,
// and returns the normal of that ground, and how high that is at the contact. The normal of the
// contact depends on where a round shape touches the edge, and says nothing about the slope.
func (m *Mover) edgeNormal(c *collide.MoveContact, time float64) (normal collide.Vec3, height float64, ok bool) {
	inwards, ok := m.flat(c.Normal).Neg().Normalized()
	reach := m.reach()
	if !ok || reach == 0 || m.up(c.Normal) <= ceilingCosine {
		return normal, 0, false
	}
	// A little behind the edge, the ground is at most as much higher or lower as the steepest slope
	// is.
	aside := float64(reach / 16)
	cos := max(m.set.MinGroundCosine, 1e-3)
	rise := float64(aside * math.Sqrt(max(0, 1-float64(cos*cos))) / cos)
	down := m.set.Up.Scale(float64(-2 * (rise + aside)))
	above := c.Point.AddScaled(rise+aside, m.set.Up)
	point, normal, ok := m.world.Ray(above.AddScaled(aside, inwards), down, time)
	if !ok || !m.isGroundNormal(normal) || math.Abs(m.up(point.Sub(c.Point))) > rise+float64(aside/2) {
		return normal, 0, false
	}
	// That may be the floor under a slope that is steep, or what the slope is made of.
	if _, _, blocked := m.world.Ray(above, inwards.Scale(aside), time); blocked {
		return normal, 0, false
	}
	behind := m.up(point) + float64(aside*inwards.Dot(normal)/max(cos, m.up(normal)))
	return normal, max(m.up(c.Point), behind), true // the edge may be a lip
}

// leastReach is how far down ground is looked for at least, as a fraction of the height of the
// character's origin above its lowest point: one that neither climbs nor snaps stands, too.
const leastReach = 0x1p-10

// reach returns how far down ground is looked for.
func (m *Mover) reach() float64 {
	return max(m.set.SnapLength, m.set.StepHeight, float64(leastReach*m.set.Foot))
}

// putDown moves one that the game has put on the ground, to within rounding, to where it stands:
// between the sides of pieces of the ground it could be stuck. One that has never moved stands
// there at once, also if the ground is a little lower.
func (m *Mover) putDown() {
	s := m.s
	first := math.IsInf(s.SinceGround, 1) && s.Velocity == (collide.Vec3{})
	if !first && !s.MayOverlap {
		return
	}
	put := s.Position
	lift := max(settleDepth, float64(8*snapSlack*put.MaxAbs()))
	length := lift
	if first {
		length = max(lift, settleLength*m.reach())
	}
	if raised := put.AddScaled(lift, m.set.Up); m.world.IsFree(raised, 0, true) {
		s.Position = raised
		length += lift
	}
	r := collide.MoveAndSlide(collide.Move{
		Position: s.Position, Velocity: m.set.Up.Scale(-length), Seconds: 1, Constraints: m.constraints(),
		OnContact: m.stopOnGround,
	}, m.probe, m.scratch[:0])
	m.scratch = r.Contacts
	s.Position = put
	for i := range r.Contacts {
		if !(r.Contacts[i].Depth <= settleDepth) {
			return
		}
	}
	if n := len(r.Contacts); n > 0 && m.isGroundNormal(r.Contacts[n-1].Normal) &&
		m.flat(r.Position.Sub(put)).Length() <= lift {
		s.Position = r.Position
		if first {
			m.setGround(&r.Contacts[n-1])
		}
	}
}

// setGround makes a contact the ground.
func (m *Mover) setGround(c *collide.MoveContact) {
	s := m.s
	s.Ground, s.GroundNormal, s.GroundPoint, s.GroundObstacle = OnGround, c.Normal, c.Point, c.Obstacle
	s.GroundVelocity = m.world.Obstacle(c.Obstacle, c.Point).Velocity
	s.SinceGround, s.Climbed = 0, 0
}

// findGround snaps a character that walks to the ground below, and makes one that has lost the
// ground fall. One that can't fall any more, because steep slopes hold it, stands.
func (m *Mover) findGround() {
	s := m.s
	m.now = m.seconds
	if s.Ground != OnGround {
		m.findSteepGround()
		return
	}
	m.searched.Obstacle = -1
	down := m.set.Up.Scale(-m.reach())
	c, outcome := m.world.Probe(s.Position, down, m.seconds)
	if outcome == collide.Overlap {
		s.MayOverlap = true
	}
	if outcome != collide.Miss {
		at := s.Position
		if outcome == collide.Hit {
			at = at.AddScaled(m.keepOff(&c, down), down)
		}
		if f, ok := m.footing(&c, at, math.Inf(1), m.seconds); ok {
			s.Position = at
			m.standOn(&c, &f)
			m.stand()
			return
		}
		if m.settle(&c, down) {
			m.stand()
			return
		}
	}
	m.leaveGround()
	if outcome != collide.Miss && c.Time*m.reach() <= settleLength*m.reach() {
		s.Ground, s.GroundNormal, s.GroundPoint, s.GroundObstacle = OnSteepGround, c.Normal, c.Point, c.Obstacle
	}
}

// keepOff returns which fraction of a displacement leads to the contact, up to the distance that
// the character keeps from it. It is negative for one that is nearer than half of that: so near,
// the next piece of the same ground may be higher by rounding, and its side a wall.
func (m *Mover) keepOff(c *collide.MoveContact, displacement collide.Vec3) float64 {
	slack := float64(snapSlack * (m.s.Position.MaxAbs() + c.Point.MaxAbs()))
	kept := keptTime(slack, -c.Normal.Dot(displacement), displacement.Length())
	if c.Time < kept/2 {
		if _, above := m.world.Probe(m.s.Position, displacement.Scale(-kept), m.now); above == collide.Miss {
			return c.Time - kept
		}
	}
	return max(0, c.Time-kept)
}

// keptTime returns how long before a contact a movement has to end, to keep a distance: zero if it
// only grazes what it meets.
func keptTime(distance, approach, speed float64) float64 {
	if approach <= float64(grazeCosine*speed) {
		return 0
	}
	return distance / approach
}

// settle looks for ground that a character touches besides a steep slope: it slides down the slope
// a little. If it finds no ground, but can't slide either, what holds it is the ground.
func (m *Mover) settle(c *collide.MoveContact, down collide.Vec3) bool {
	s := m.s
	down = down.Scale(settleLength)
	move := collide.Move{Position: s.Position, Velocity: down, Seconds: 1, Constraints: m.constraints()}
	r := collide.MoveAndSlide(move, m.probe, m.scratch[:0])
	m.scratch = r.Contacts
	for i := range r.Contacts {
		if m.isGroundNormal(r.Contacts[i].Normal) {
			m.setGround(&r.Contacts[i])
			return true
		}
	}
	if len(r.Contacts) > 1 && r.Position.Distance(s.Position) <= settleSpeed*down.Length() {
		m.setGround(c)
		s.GroundNormal = m.set.Up
		return true
	}
	return false
}

// findSteepGround looks for steep slopes among the contacts of one who falls.
func (m *Mover) findSteepGround() {
	s := m.s
	s.Ground, s.GroundNormal, s.GroundVelocity, s.GroundObstacle = InAir, collide.Vec3{}, collide.Vec3{}, -1
	if m.lifts {
		return
	}
	for i := len(m.Contacts) - 1; i >= 0; i-- {
		c := &m.Contacts[i]
		if m.up(c.Normal) <= ceilingCosine || c.Depth > 0 {
			continue
		}
		if normal, _, ok := m.edgeNormal(c, m.seconds); ok && m.up(s.Velocity) <= launchSpeed {
			s.Landed, s.Jumping = true, false
			m.setGround(c)
			s.GroundNormal = normal
			s.Walk = m.flat(s.Velocity.Sub(s.GroundVelocity))
			m.stand()
			return
		}
		gained := m.set.Gravity.Length() * m.seconds
		if s.Velocity.Sub(c.Velocity).Length() <= settleSpeed*gained && m.settle(c, m.set.Up.Scale(-m.reach())) {
			s.Landed, s.Jumping, s.Walk = true, false, collide.Vec3{}
			m.stand()
			return
		}
		s.Ground, s.GroundNormal, s.GroundPoint = OnSteepGround, c.Normal, c.Point
		s.GroundObstacle, s.GroundVelocity = c.Obstacle, c.Velocity
		return
	}
}

// stand presses on what the character stands on.
func (m *Mover) stand() {
	o := m.world.Obstacle(m.s.GroundObstacle, m.s.GroundPoint)
	landed := m.landedOn == m.s.GroundObstacle
	if o.InverseMass == 0 {
		m.world.LoadSurface(m.s.GroundObstacle, m.s.GroundPoint, m.set.Mass, m.set.Gravity, landed)
		return
	}
	load := m.set.Gravity.Scale(m.set.Mass)
	if landed { // the push of landing is for what doesn't carry the character yet
		load = load.AddScaled(float64(m.set.Mass*o.InverseMass), m.landing)
	}
	m.world.Load(m.s.GroundObstacle, m.set.Mass, load)
}
