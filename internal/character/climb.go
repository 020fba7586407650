package character

import "github.com/dango-physics/dango/collide"

// climb moves a character onto the step that it has met: up, forward and down. Only the way forward
// takes time, so nobody is faster on stairs than on the level. It returns false, and moves nothing,
// if there is no ground to stand on or if that is higher than a step.
func (m *Mover) climb(position collide.Vec3, c *collide.MoveContact) bool {
	s, left := m.s, m.seconds-m.now-c.Time
	if m.set.StepHeight == 0 || !(left > 0) || c.Normal.Dot(s.Walk) >= 0 {
		return false
	}
	time := m.now + c.Time
	ground := m.up(position) - m.set.Foot

	up := m.set.Up.Scale(m.set.StepHeight)
	if hit, outcome := m.world.Probe(position, up, time); outcome == collide.Overlap {
		return false
	} else if outcome == collide.Hit {
		up = up.Scale(m.keepOff(&hit, up))
	}
	raised := position.Add(up)

	forward, way := s.Walk.Add(s.GroundVelocity), left
	if hit, outcome := m.world.Cast(raised, forward, time, m.seconds); outcome == collide.Overlap {
		return false
	} else if outcome == collide.Hit {
		approach := hit.Normal.Dot(hit.Velocity.Sub(forward))
		way = max(0, hit.Time-float64(snapSlack*(position.MaxAbs()+hit.Point.MaxAbs()))/approach)
	}
	raised = raised.AddScaled(way, forward)
	time = min(m.seconds, time+way)

	down := up.Neg()
	hit, outcome := m.world.Probe(raised, down, time)
	if outcome != collide.Hit {
		return false
	}
	end := raised.AddScaled(m.keepOff(&hit, down), down)
	height := m.up(hit.Point) - ground
	if !(height <= m.set.StepHeight*(1+angleSlack)) || !(m.up(end.Sub(position)) > angleSlack*m.set.StepHeight) {
		return false
	}
	normal, ok := hit.Normal, m.isGroundNormal(hit.Normal)
	if !ok {
		if normal, ok = m.edgeNormal(&hit, time); !ok {
			return false
		}
	}
	s.Position = end
	m.now = time
	m.setGround(&hit)
	s.GroundNormal = normal
	return true
}
