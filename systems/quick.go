package systems

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// usual bounds what the quick way of reading takes: positions in metres, speeds in metres per second and how much a speed may gain
// in a step. Sums of such values stay within components.MaxCoordinate, so that nothing else has to be checked. What is beyond is read the long way,
// which knows what is an error.
const usual = components.MaxCoordinate / 4

const moves = hasTransform | hasVelocity

// readQuickly reads the spheres of a table that are as they were in the step before but for how they move, and leaves the other
// rows in p.members.odd for the long way.
func (p *Physics) readQuickly(t *table, stepping, unbroken bool) {
	m := &p.members
	m.odd = m.odd[:0]
	switch t.has & (moves | hasSphere | hasPlane | hasPolygon | hasForce) {
	case moves | hasSphere:
		p.readMoving(t, stepping, unbroken)
	case hasTransform | hasSphere:
		p.readStatic(t)
	default:
		for row := range t.ents {
			m.odd = append(m.odd, row)
		}
	}
}

// readMoving is readQuickly for spheres with a Velocity.
func (p *Physics) readMoving(t *table, stepping, unbroken bool) {
	m := &p.members
	list, styles := m.list, m.styles.list
	transforms, velocities, colliders := t.cols[0][:len(t.ents)], t.cols[1][:len(t.ents)], t.cols[2][:len(t.ents)]
	for row, e := range t.ents {
		id := int(e.Id())
		if id >= len(list) {
			m.odd = append(m.odd, row)
			continue
		}
		k := &list[id]
		s := &styles[k.style]
		if k.entity != e || s.has != t.has || !t.looks(row, s, k) {
			m.odd = append(m.odd, row)
			continue
		}
		x, v := (*components.TransformData)(transforms[row]), (*components.VelocityData)(velocities[row]).Linear
		if (*components.SphereColliderData)(colliders[row]).Radius != k.radius || !isUpright(&x.Rotation) || !isUsual(x.Position) || !isUsual(v) {
			m.odd = append(m.odd, row)
			continue
		}
		if isZero(v) && k.still && same(x.Position, k.position) {
			continue
		}
		if k.still {
			k.still = false
		}
		if !unbroken {
			k.position, m.given[k.code] = x.Position, v
		}
		if s.bends {
			if stepping {
				v = v.Scale(s.damping)
			}
			v = solver.Unlocked(v, s.locked)
		}
		if !m.pulled {
			p.space.Move(k.code, x.Position, v)
			continue
		}
		pull := s.pull
		if !stepping {
			pull = collide.Vec3{}
		}
		p.space.MovePulled(k.code, x.Position, v, pull)
	}
}

// readStatic is readQuickly for spheres without a Velocity.
func (p *Physics) readStatic(t *table) {
	m := &p.members
	list, styles := m.list, m.styles.list
	transforms, colliders := t.cols[0][:len(t.ents)], t.cols[2][:len(t.ents)]
	for row, e := range t.ents {
		id := int(e.Id())
		if id >= len(list) {
			m.odd = append(m.odd, row)
			continue
		}
		k := &list[id]
		s := &styles[k.style]
		if k.entity != e || s.has != t.has || !t.looks(row, s, k) {
			m.odd = append(m.odd, row)
			continue
		}
		x := (*components.TransformData)(transforms[row])
		if (*components.SphereColliderData)(colliders[row]).Radius != k.radius || !isUpright(&x.Rotation) || !k.still || !same(x.Position, k.position) {
			m.odd = append(m.odd, row)
		}
	}
}

// looks reports whether the components of a row that seldom change are as they were.
func (t *table) looks(row int, s *style, k *member) bool {
	if t.has&hasBody != 0 {
		b := get[components.BodyData](t.cols[5], row)
		if b.Mass != k.mass || b.Kind != s.body.Kind || b.GravityScale != s.body.GravityScale || b.Weightless != s.body.Weightless ||
			b.LinearDamping != s.body.LinearDamping || b.Locked != s.body.Locked {
			return false
		}
	}
	if t.has&hasResponse != 0 && *get[components.ResponseData](t.cols[6], row) != s.response {
		return false
	}
	return t.has&hasFilter == 0 || *get[components.CollisionFilterData](t.cols[7], row) == s.filter
}

// isUpright reports whether a rotation is none, as nearly all of spheres are.
func isUpright(q *collide.Quat) bool {
	return q.X == 0 && q.Y == 0 && q.Z == 0 && (q.W == 1 || q.W == 0)
}

// isUsual reports whether v is a vector that the quick way takes. It is false for one that is not finite.
func isUsual(v collide.Vec3) bool {
	return math.Abs(v.X) <= usual && math.Abs(v.Y) <= usual && math.Abs(v.Z) <= usual
}

// isZero reports whether all bits of v are 0.
func isZero(v collide.Vec3) bool {
	return math.Float64bits(v.X)|math.Float64bits(v.Y)|math.Float64bits(v.Z) == 0
}

// same reports whether a and b are the same bits.
func same(a, b collide.Vec3) bool {
	return math.Float64bits(a.X)^math.Float64bits(b.X)|math.Float64bits(a.Y)^math.Float64bits(b.Y)|math.Float64bits(a.Z)^math.Float64bits(b.Z) == 0
}
