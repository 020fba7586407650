package character

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// maxFront is how far from the foot of the front the ground on top of a step may be, as a fraction
// of StepHeight: a front of 45 degrees is as deep as high, and minTread follows.
const maxFront = 1 + minTread

// footing is what a character stands on at a contact below it.
type footing struct {
	normal  collide.Vec3
	climbed float64 // as in State
}

// footing returns what a character at a position stands on at a contact below it. It returns false
// unless that is ground to walk on, its edge, or the inclined front of a step, and neither the
// ground nor the top of the step is above the highest height.
func (m *Mover) footing(c *collide.MoveContact, position collide.Vec3, highest, time float64) (f footing, ok bool) {
	if m.isGroundNormal(c.Normal) {
		return footing{normal: c.Normal}, m.up(c.Point) <= highest
	}
	if normal, height, ok := m.edgeNormal(c, time); ok {
		return footing{normal: normal}, height <= highest
	}
	ground, ok := m.frontOfStep(c, position, highest, time)
	climbed := m.up(position) - m.set.Foot - ground - float64(angleSlack*m.set.StepHeight)
	return footing{m.set.Up, max(0, climbed)}, ok
}

// standOn makes a contact with such a footing the ground.
func (m *Mover) standOn(c *collide.MoveContact, f *footing) {
	m.setGround(c)
	m.s.GroundNormal, m.s.Climbed = f.normal, f.climbed
}

// frontOfStep reports whether a contact of a character at a position is with the inclined front of
// a step: whether there is ground at the foot of that slope, and ground on top that is at most
// StepHeight higher, not above the highest height, and has room of minTread. It returns the height
// of the ground at the foot. What can be pushed has no such front.
//
// A climb moves the character up, forward by its way in a tick, and down. If it comes down on the
// front, it stands there, and climbs on in the next tick. Both heights are found again then, so
// partial climbs don't add up to more than StepHeight above the foot.
func (m *Mover) frontOfStep(
	c *collide.MoveContact, position collide.Vec3, highest, time float64,
) (ground float64, ok bool) {
	inwards, ok := Free(m.set.Planar, m.flat(c.Normal).Neg()).Normalized()
	if !ok || m.set.StepHeight == 0 || m.onPlane(c, &m.searched) ||
		m.world.Obstacle(c.Obstacle, c.Point).InverseMass > 0 {
		return 0, false
	}
	m.searched = *c
	foot, ok := m.groundBelow(c.Point, c.Normal, time)
	if !ok {
		return 0, false
	}
	ground = m.up(foot)
	limit, at := ground+float64(m.set.StepHeight*(1+angleSlack)), m.up(c.Point)
	rise := limit - (m.up(position) - m.set.Foot)
	highest = min(highest, limit)
	if !(rise > 0) || !(at <= highest) {
		return 0, false
	}
	up, ok := m.room(position, m.set.Up.Scale(rise), time)
	if !ok {
		return 0, false
	}

	// The top is looked for at the end of maxFront first, and then nearer, since other steps may
	// begin before that.
	way := max(0, float64(maxFront*m.set.StepHeight)-inwards.Dot(c.Point.Sub(foot)))
	room := math.Inf(1) // from the contact to a wall, where that is StepHeight above the foot
	hit, outcome := m.world.Probe(position.Add(up), inwards.Scale(way), time)
	if outcome == collide.Overlap || outcome == collide.Hit && m.onPlane(&hit, c) {
		return 0, false // the slope goes on above StepHeight
	} else if outcome == collide.Hit {
		way = float64(way * max(0, m.keepOff(&hit, inwards.Scale(way))))
		if !m.isGroundNormal(hit.Normal) && m.world.Obstacle(hit.Obstacle, hit.Point).InverseMass == 0 {
			wallCot := max(0, m.up(hit.Normal)) / -inwards.Dot(hit.Normal)
			room = inwards.Dot(hit.Point.Sub(c.Point)) - float64((m.up(hit.Point)-limit)*wallCot)
		}
	}
	tread := float64(minTread * m.set.StepHeight)
	cot := m.up(c.Normal) / -inwards.Dot(c.Normal)
	for range 4 {
		top, ok := m.topOf(position.Add(up).AddScaled(way, inwards), up.Neg(), time)
		if ok && top >= at && top <= highest && room >= float64((top-at)*cot)+tread {
			return ground, true
		}
		way /= 2
	}
	return 0, false
}

// onPlane reports whether two contacts are with the same plane of an obstacle.
func (m *Mover) onPlane(a, b *collide.MoveContact) bool {
	return a.Obstacle == b.Obstacle && a.Normal.Sub(b.Normal).MaxAbs() <= angleSlack &&
		math.Abs(a.Normal.Dot(a.Point.Sub(b.Point))) <= angleSlack*m.set.StepHeight
}

// topOf returns the height of the ground to walk on that a character meets on its way down, or that
// of the ground at the foot of the slope that it meets.
func (m *Mover) topOf(raised, down collide.Vec3, time float64) (height float64, ok bool) {
	hit, outcome := m.world.Probe(raised, down, time)
	if outcome != collide.Hit {
		return 0, false
	}
	if m.isGroundNormal(hit.Normal) {
		return m.up(hit.Point), true
	}
	if _, height, ok = m.edgeNormal(&hit, time); ok {
		return height, true
	}
	foot, ok := m.groundBelow(hit.Point, hit.Normal, time)
	return m.up(foot), ok
}

// groundBelow returns where the ground begins at the foot of a slope with a point and normal. It
// follows up to four slopes that get less steep, each by at most StepHeight down and by as much
// aside as maxFront says.
func (m *Mover) groundBelow(point, normal collide.Vec3, time float64) (foot collide.Vec3, ok bool) {
	for range 4 { // the slope may get less steep on the way down
		away, ok := Free(m.set.Planar, m.flat(normal)).Normalized()
		up, flat := m.up(normal), away.Dot(normal)
		if !ok || !(up > 0) {
			return point, false
		}
		down := away.Scale(up).AddScaled(-flat, m.set.Up).Scale(m.set.StepHeight * min(1/flat, maxFront/up))
		point, normal, ok = m.world.Ray(point.AddScaled(m.set.StepHeight/1024, normal), down, time)
		if !ok || m.isGroundNormal(normal) {
			return point, ok
		}
	}
	return point, false
}
