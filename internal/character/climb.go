package character

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// climb moves a character onto the step that it has met. The height of a step is that above the
// character's lowest point or, on a slope that leads up to it, above the ground in front of it. On
// the inclined front of a step it is that above the ground in front of that.
func (m *Mover) climb(position collide.Vec3, c *collide.MoveContact) bool {
	if m.set.StepHeight == 0 || !(m.seconds-m.now-c.Time > 0) || c.Normal.Dot(m.s.Walk) >= 0 {
		return false
	}
	foot := m.up(position) - m.set.Foot - m.s.Climbed
	if m.climbFrom(foot, position, c) {
		return true
	}
	ground, ok := m.groundBefore(position, foot, c)
	return ok && m.climbFrom(ground, position, c)
}

// groundBefore returns the height of the ground in front of a wall that the character has met. It
// returns false if that is no slope on which it could have come from its height, but a stair whose
// steps are not as deep as minTread.
func (m *Mover) groundBefore(position collide.Vec3, foot float64, c *collide.MoveContact) (float64, bool) {
	away, ok := m.flat(c.Normal).Normalized()
	above := m.up(c.Point) - foot
	if !ok || !(above > 0) {
		return 0, false
	}
	from := c.Point.AddScaled(float64(m.set.StepHeight/64), away)
	point, normal, ok := m.world.Ray(from, m.set.Up.Scale(-above), m.now+c.Time)
	edge := c.Point
	if ok && !m.isGroundNormal(normal) { // the wall is inclined
		point, ok = m.groundBelow(c.Point, c.Normal, m.now+c.Time)
		edge = point.AddScaled(m.up(edge.Sub(point)), m.set.Up)
	}
	if !ok {
		return 0, false
	}
	cos := max(m.set.MinGroundCosine, 1e-3)
	steepest := math.Sqrt(max(0, 1-float64(cos*cos))) / cos
	rise := m.up(point) - foot
	if !(rise > 0) || !(rise <= float64(m.flat(point.Sub(position)).Length()*steepest)) {
		return 0, false
	}
	tread := float64(minTread * m.set.StepHeight)
	depth := m.up(c.Point.Sub(point)) + float64(tread*steepest*(1+hysteresis))
	_, _, ok = m.world.Ray(edge.AddScaled(tread, away), m.set.Up.Scale(-depth), m.now+c.Time)
	return m.up(point), ok
}

// climbFrom moves a character onto the step that it has met: up, forward and down. Only the way
// forward takes time, so nobody is faster on stairs than on the level. It returns false, and moves
// nothing, if there is no ground to stand on or if that is a step higher than the given height.
func (m *Mover) climbFrom(ground float64, position collide.Vec3, c *collide.MoveContact) bool {
	s, left := m.s, m.seconds-m.now-c.Time
	time := m.now + c.Time
	m.searched.Obstacle = -1
	forward := s.Walk.Add(s.GroundVelocity)

	up := m.set.Up.Scale(ground + m.set.StepHeight - (m.up(position) - m.set.Foot))
	hit, outcome := m.world.CastAtCharacter(c.Obstacle, position.Add(up), forward, time, m.seconds)
	if outcome != collide.Miss && m.wayTo(&hit, outcome, position, forward) == 0 {
		return false // another character that is too tall: it stops this one also if it can't rise as much
	}
	up, ok := m.room(position, up, time)
	raised := position.Add(up)
	if !ok || !m.hasTread(raised, c, time) {
		return false
	}

	way := left
	if hit, outcome := m.world.Cast(raised, forward, time, m.seconds); outcome == collide.Overlap {
		return false
	} else if outcome == collide.Hit {
		way = m.wayTo(&hit, outcome, position, forward)
	}
	if m.stepDown(ground, position, raised.AddScaled(way, forward), up, time+way) {
		return true
	}
	// One that is fast may be beyond the step by then, or at the next one, to which it can't climb.
	inwards, _ := m.flat(c.Normal).Neg().Normalized()
	least := float64(minTread*m.set.StepHeight) / inwards.Dot(s.Walk)
	for shorter := min(least, way/2); shorter > least/16; shorter /= 2 {
		if m.stepDown(ground, position, raised.AddScaled(shorter, forward), up, time+shorter) {
			return true
		}
	}
	return false
}

// room returns how far a character at a position can move up, at most by the given displacement. It
// returns false if it overlaps something.
func (m *Mover) room(position, up collide.Vec3, time float64) (collide.Vec3, bool) {
	hit, outcome := m.world.Probe(position, up, time)
	if outcome == collide.Hit {
		up = up.Scale(m.keepOff(&hit, up))
	}
	return up, outcome != collide.Overlap
}

// stepDown moves a character that a climb has raised by up, and moved forward from a position until
// the given time, down onto the step. It returns false, and moves nothing, like climbFrom.
func (m *Mover) stepDown(ground float64, position, raised, up collide.Vec3, time float64) bool {
	s, down := m.s, up.Neg()
	time = min(m.seconds, time)
	hit, outcome := m.world.Probe(raised, down, time)
	if outcome != collide.Hit {
		return false
	}
	end := raised.AddScaled(m.keepOff(&hit, down), down)
	if !(m.up(end.Sub(position)) > angleSlack*m.set.StepHeight) {
		return false
	}
	f, ok := m.footing(&hit, end, ground+float64(m.set.StepHeight*(1+angleSlack)), time)
	if !ok {
		return false
	}
	s.Position = end
	m.now = time
	m.standOn(&hit, &f)
	return true
}

// minTread is the least free room behind the edge of a step, as a fraction of StepHeight. Whatever
// is at most StepHeight high counts as free, such as the next steps. So stairs of up to 45 degrees
// have room of at least half of StepHeight, whatever the height of their steps. Stairs of more than
// 72 degrees have less than a third, if their steps are much lower than StepHeight.
const minTread = 1.0 / 3

// hasTread reports whether the step that a character has met is deep enough to stand on: whether
// the character, raised by StepHeight, can move by minTread beyond the point of contact before it
// meets a wall. What can be pushed, and other characters, are no walls here. It moves straight onto
// the step, in any case by the same distance, so that neither the angle nor the speed at which it
// walks decides.
func (m *Mover) hasTread(raised collide.Vec3, c *collide.MoveContact, time float64) bool {
	inwards, ok := Free(m.set.Planar, m.flat(c.Normal).Neg()).Normalized()
	if !ok {
		return true
	}
	passed := inwards.Dot(raised.Sub(c.Point)) + m.world.Extent(inwards)
	way := float64(minTread*m.set.StepHeight) - passed
	if !(way > 0) {
		return true
	}
	hit, outcome := m.world.Probe(raised, inwards.Scale(way), time)
	if outcome != collide.Hit {
		return outcome == collide.Miss
	}
	return m.isGroundNormal(hit.Normal) || m.world.Obstacle(hit.Obstacle, hit.Point).InverseMass > 0
}

// wayTo returns for how long a movement forward leads towards what it hits, up to the distance that
// the character keeps.
func (m *Mover) wayTo(
	hit *collide.MoveContact, outcome collide.Outcome, position, forward collide.Vec3,
) float64 {
	if outcome == collide.Overlap {
		return 0
	}
	relative := hit.Velocity.Sub(forward)
	slack := float64(snapSlack * (position.MaxAbs() + hit.Point.MaxAbs()))
	return max(0, hit.Time-keptTime(slack, hit.Normal.Dot(relative), relative.Length()))
}
