package character

import "github.com/dango-physics/dango/collide"

// footing is what a character stands on at a contact below it.
type footing struct {
	normal  collide.Vec3
	height  float64 // of the ground at the contact, or on top of the step
	climbed float64 // as in State
}

// footing returns what a character at a position stands on at a contact below it, if that is ground
// to walk on, its edge, or the inclined front of a step.
func (m *Mover) footing(c *collide.MoveContact, position collide.Vec3, time float64) (f footing, ok bool) {
	if m.isGroundNormal(c.Normal) {
		return footing{normal: c.Normal, height: m.up(c.Point)}, true
	}
	if normal, height, ok := m.edgeNormal(c, time); ok {
		return footing{normal: normal, height: height}, true
	}
	ground, top, ok := m.frontOfStep(c, position, time)
	return footing{normal: m.set.Up, height: top, climbed: m.up(position) - m.set.Foot - ground}, ok
}

// standOn makes a contact with such a footing the ground.
func (m *Mover) standOn(c *collide.MoveContact, f *footing) {
	m.setGround(c)
	m.s.GroundNormal, m.s.Climbed = f.normal, f.climbed
}

// frontOfStep reports whether a contact of a character at a position is with the inclined front of
// a step: whether there is ground at the foot of that slope, and ground on top of it that is at
// most StepHeight higher, and as deep as minTread. It returns the heights of both. What can be
// pushed is no step.
//
// A climb moves the character up, forward by the way of a tick, and down. Where it then comes down
// on the front, it stands there and climbs on in the next tick. Both heights are found anew each
// time, so what it climbs in several ticks doesn't add up.
func (m *Mover) frontOfStep(c *collide.MoveContact, position collide.Vec3, time float64) (ground, top float64, ok bool) {
	inwards, ok := Free(m.set.Planar, m.flat(c.Normal).Neg()).Normalized()
	if !ok || m.set.StepHeight == 0 || m.world.Obstacle(c.Obstacle, c.Point).InverseMass > 0 {
		return 0, 0, false
	}
	if ground, ok = m.groundBelow(c.Point, c.Normal, time); !ok {
		return 0, 0, false
	}
	highest, at := ground+float64(m.set.StepHeight*(1+angleSlack)), m.up(c.Point)
	rise := ground + m.set.StepHeight - (m.up(position) - m.set.Foot)
	if !(rise > 0) || at > highest {
		return 0, 0, false
	}
	up, ok := m.room(position, m.set.Up.Scale(rise), time)
	if !ok {
		return 0, 0, false
	}

	// Up to the height of the step, and with that as far as the step may be deep, the slope goes on
	// for at most:
	cot := m.up(c.Normal) / -inwards.Dot(c.Normal)
	tread := float64(minTread * m.set.StepHeight)
	passed := inwards.Dot(position.Sub(c.Point)) + m.world.Extent(inwards)
	way := inwards.Scale(max(0, min(float64((ground+m.set.StepHeight-at)*cot), m.set.StepHeight)+tread-passed))
	hit, outcome := m.world.Probe(position.Add(up), way, time)
	if outcome == collide.Overlap {
		return 0, 0, false
	}
	blocked := outcome == collide.Hit
	if blocked {
		way = way.Scale(max(0, m.keepOff(&hit, way)))
		blocked = m.world.Obstacle(hit.Obstacle, hit.Point).InverseMass == 0
	}
	if hit, outcome = m.world.Probe(position.Add(up).Add(way), up.Neg(), time); outcome != collide.Hit {
		return 0, 0, false
	}
	top, ok = m.up(hit.Point), m.isGroundNormal(hit.Normal)
	if !ok {
		if _, top, ok = m.edgeNormal(&hit, time); !ok {
			top, ok = m.groundBelow(hit.Point, hit.Normal, time) // of the next step
		}
	}
	if blocked && way.Dot(inwards)+passed < float64((top-at)*cot)+tread {
		return 0, 0, false
	}
	return ground, top, ok && top >= at && top <= highest
}

// groundBelow returns the height of the ground at the foot of a slope with a point and normal, at
// most StepHeight below it and beside it.
func (m *Mover) groundBelow(point, normal collide.Vec3, time float64) (height float64, ok bool) {
	for range 4 { // the slope may be less steep further down
		away, ok := Free(m.set.Planar, m.flat(normal)).Normalized()
		up, flat := m.up(normal), away.Dot(normal)
		if !ok || !(up > 0) {
			return 0, false
		}
		down := away.Scale(up).AddScaled(-flat, m.set.Up).Scale(m.set.StepHeight / max(up, flat))
		point, normal, ok = m.world.Ray(point.AddScaled(m.set.StepHeight/1024, normal), down, time)
		if !ok || m.isGroundNormal(normal) {
			return m.up(point), ok
		}
	}
	return 0, false
}
