package billiards

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// rules are what the sliders change.
type rules struct {
	bounce float64 // restitution of two balls
	grip   float64 // friction of the cloth
	weight float64 // gravity, in units of that of the earth
}

// usual are the rules of a real table.
var usual = rules{bounce: ballBounce, grip: clothGrip, weight: 1}

// motion is the predicted motion of a ball on the cloth.
type motion struct {
	rules    rules
	at, v, w collide.Vec3 // position, velocity, angular velocity
}

// pull returns the deceleration of a sliding ball, m/s².
func (r rules) pull() float64 { return r.grip * r.weight * gravity }

// rolling returns the angular velocity of a ball that rolls.
func rolling(v collide.Vec3) collide.Vec3 { return collide.Vec3{Z: 1}.Cross(v).Scale(1 / ballRadius) }

// slip returns the velocity of the contact point over the cloth.
func (m motion) slip() collide.Vec3 { return m.v.Sub(m.w.Cross(collide.Vec3{Z: ballRadius})) }

// slides returns for how many seconds the ball still slides. Friction decelerates it by pull and
// accelerates its spin by 5/2 of that, so the slip decreases by 7/2 of it.
func (m motion) slides() float64 { return m.slip().Length() / (3.5 * m.rules.pull()) }

// slide returns the motion after some seconds of sliding.
func (m motion) slide(seconds float64) motion {
	d, ok := m.slip().Normalized()
	if !ok {
		d = collide.Vec3{}
	}
	pull := d.Scale(-m.rules.pull())
	m.at = m.at.AddScaled(seconds, m.v).AddScaled(seconds*seconds/2, pull)
	m.v = m.v.AddScaled(seconds, pull)
	m.w = m.w.AddScaled(-2.5*seconds/ballRadius, collide.Vec3{Z: 1}.Cross(pull))
	return m
}

// cushion lets the ball bounce off a cushion. The cloth absorbs the downward part of its velocity.
func (m *motion) cushion(normal collide.Vec3) {
	m.push(normal, -(1+cushionBounce)*m.v.Dot(normal), m.rub(normal), cushionGrip, 3.5)
	m.v.Z = 0
}

// ball lets the ball hit another one at rest, whose centre is in the direction of -normal. Each
// gets half of the impulse that a wall would give.
func (m *motion) ball(other *motion, normal collide.Vec3) {
	blow, rub := -(1+m.rules.bounce)/2*m.v.Dot(normal), m.rub(normal)
	m.push(normal, blow, rub, ballGrip, 7)
	other.push(normal.Neg(), blow, rub.Neg(), ballGrip, 7)
	m.v.Z, other.v.Z = 0, 0
}

// rub returns the tangential velocity of the contact point in the direction of -normal.
func (m motion) rub(normal collide.Vec3) collide.Vec3 {
	u := m.v.Sub(m.w.Cross(normal).Scale(ballRadius))
	return u.AddScaled(-u.Dot(normal), normal)
}

// push applies an impulse along normal and the friction impulse that results: enough to stop the
// tangential motion, of which an impulse of 1 removes share, but at most the friction limit.
func (m *motion) push(normal collide.Vec3, blow float64, rub collide.Vec3, grip, share float64) {
	m.v = m.v.AddScaled(blow, normal)
	if d, ok := rub.Normalized(); ok {
		hold := min(grip*blow, rub.Length()/share)
		m.v = m.v.AddScaled(-hold, d)
		m.w = m.w.AddScaled(2.5*hold/ballRadius, normal.Cross(d))
	}
}

// rollingDistance returns how many metres a ball with this speed rolls. Cloth and air decelerate it
// by a + k·v, so v dv/dx = -(a + k·v), and x = v/k - a/k²·ln(1 + k·v/a).
func (r rules) rollingDistance(speed float64) float64 {
	a, k := clothRolling*r.weight*gravity/1.4, clothDamping // the effective mass of a rolling ball is 7/5 of its mass
	return speed/k - a/(k*k)*math.Log1p(k*speed/a)
}
