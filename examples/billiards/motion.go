package main

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// motion is how a ball moves on the cloth, as far as a prediction knows.
type motion struct {
	at, v, w collide.Vec3 // place, velocity, angular velocity
}

// rolling returns the angular velocity of a ball that rolls.
func rolling(v collide.Vec3) collide.Vec3 { return collide.Vec3{Z: 1}.Cross(v).Scale(1 / ballRadius) }

// slip returns how fast the point that touches the cloth slides over it.
func (m motion) slip() collide.Vec3 { return m.v.Sub(m.w.Cross(collide.Vec3{Z: ballRadius})) }

// slides returns for how many seconds a ball goes on sliding: friction slows it by clothGrip·g and
// speeds its turning up by 5/2 of that, so slip falls by 7/2.
func (m motion) slides() float64 { return m.slip().Length() / (3.5 * clothGrip * gravity) }

// slide returns the motion after some seconds of sliding.
func (m motion) slide(seconds float64) motion {
	d, ok := m.slip().Normalized()
	if !ok {
		d = collide.Vec3{}
	}
	pull := d.Scale(-clothGrip * gravity)
	m.at = m.at.AddScaled(seconds, m.v).AddScaled(seconds*seconds/2, pull)
	m.v = m.v.AddScaled(seconds, pull)
	m.w = m.w.AddScaled(-2.5*seconds/ballRadius, collide.Vec3{Z: 1}.Cross(pull))
	return m
}

// cushion lets it bounce off a cushion. What it then has downwards the cloth takes.
func (m *motion) cushion(normal collide.Vec3) {
	m.push(normal, -(1+cushionBounce)*m.v.Dot(normal), m.rub(normal), cushionGrip, 3.5)
	m.v.Z = 0
}

// ball lets it hit another ball, at rest, whose centre is against normal. Each takes half of what a
// wall would give.
func (m *motion) ball(other *motion, normal collide.Vec3) {
	blow, rub := -(1+ballBounce)/2*m.v.Dot(normal), m.rub(normal)
	m.push(normal, blow, rub, ballGrip, 7)
	other.push(normal.Neg(), blow, rub.Neg(), ballGrip, 7)
	m.v.Z, other.v.Z = 0, 0
}

// rub returns how fast the point of the ball against normal moves across it.
func (m motion) rub(normal collide.Vec3) collide.Vec3 {
	u := m.v.Sub(m.w.Cross(normal).Scale(ballRadius))
	return u.AddScaled(-u.Dot(normal), normal)
}

// push gives the ball a blow along normal, and what friction makes of it across: as much as stops
// the rubbing, which a blow of 1 slows by share, or less.
func (m *motion) push(normal collide.Vec3, blow float64, rub collide.Vec3, grip, share float64) {
	m.v = m.v.AddScaled(blow, normal)
	if d, ok := rub.Normalized(); ok {
		hold := min(grip*blow, rub.Length()/share)
		m.v = m.v.AddScaled(-hold, d)
		m.w = m.w.AddScaled(2.5*hold/ballRadius, normal.Cross(d))
	}
}

// rollingDistance returns how far a ball rolls that starts at speed, metres: felt and air take a +
// k·v from v every second, so v dv/dx = -(a + k·v), and x = v/k - a/k²·ln(1 + k·v/a).
func rollingDistance(speed float64) float64 {
	const a, k = clothRolling * gravity / 1.4, clothDamping // a ball that rolls is as hard to stop as 7/5 of its mass
	return speed/k - a/(k*k)*math.Log1p(k*speed/a)
}
