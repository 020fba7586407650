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

// block is how many rows are read together. A pass over them that does one thing keeps what it needs in registers, and has the memory of
// many rows on its way at a time.
const block = 64

// readMoving is readQuickly for spheres with a Velocity.
func (p *Physics) readMoving(t *table, stepping, unbroken bool) {
	var codes [block]int32
	for from := 0; from < len(t.ents); from += block {
		to := min(from+block, len(t.ents))
		for row := from; row < to; row++ { // once, if all agree
			if row = p.agree(t, from, row, to, &codes); row < to {
				codes[row-from] = none
			}
		}
		p.readMotion(t, from, to, &codes, stepping, unbroken)
	}
}

// agree returns the first row from one on that is not as the step before left it, as far as what seldom changes goes, or to. For the others
// it notes the codes.
func (p *Physics) agree(t *table, from, row, to int, codes *[block]int32) int {
	list, styles, ents, has := p.members.list, p.members.styles.list, t.ents[:to], t.has
	colliders, bodies, responses, filters := t.cols[2], t.cols[5], t.cols[6], t.cols[7]
	if has&hasBody == 0 {
		bodies = nil
	}
	if has&hasResponse == 0 {
		responses = nil
	}
	if has&hasFilter == 0 {
		filters = nil
	}
	at, s := int32(0), &styles[0]
	for ; row < len(ents); row++ {
		e := ents[row]
		id := int(e.Id())
		if id >= len(list) {
			return row
		}
		k := &list[id]
		if k.style != at {
			at, s = k.style, &styles[k.style]
		}
		if k.entity != e || s.has != has {
			return row
		}
		// Differences are collected, and not branched on: there are nearly always none.
		differs := math.Float64bits((*components.SphereColliderData)(colliders[row]).Radius) ^ math.Float64bits(k.radius)
		if bodies != nil {
			b := (*components.BodyData)(bodies[row])
			differs |= math.Float64bits(b.Mass) ^ math.Float64bits(k.mass)
			differs |= math.Float64bits(b.GravityScale) ^ math.Float64bits(s.body.GravityScale)
			differs |= math.Float64bits(b.LinearDamping) ^ math.Float64bits(s.body.LinearDamping)
			differs |= uint64(b.Kind^s.body.Kind) | uint64(b.Locked^s.body.Locked)
			if b.Weightless != s.body.Weightless {
				return row
			}
		}
		if responses != nil {
			r := (*components.ResponseData)(responses[row])
			differs |= math.Float64bits(r.Restitution) ^ math.Float64bits(s.response.Restitution)
			differs |= uint64(r.Mode^s.response.Mode) | uint64(r.Combine^s.response.Combine)
		}
		if filters != nil {
			f := (*components.CollisionFilterData)(filters[row])
			differs |= uint64(f.Layers^s.filter.Layers) | uint64(f.Mask^s.filter.Mask)
		}
		if differs != 0 {
			return row
		}
		codes[(row-from)&(block-1)] = k.quick
	}
	return to
}

// readMotion tells the space how the rows of a block move that agree has found as they were.
func (p *Physics) readMotion(t *table, from, to int, codes *[block]int32, stepping, unbroken bool) {
	m := &p.members
	transforms, velocities := t.cols[0][from:to], t.cols[1][from:to]
	for i, at := range transforms {
		code := codes[i&(block-1)]
		x, v := (*components.TransformData)(at), (*components.VelocityData)(velocities[i])
		if code == none || !isUpright(&x.Rotation) || !areUsual(&x.Position, &v.Linear) {
			m.odd = append(m.odd, from+i)
			continue
		}
		if code&special != 0 || !unbroken || m.pulled {
			p.readSpecial(t, from+i, code&^special, stepping, unbroken)
			continue
		}
		p.space.Move(code, x.Position, v.Linear)
	}
}

// readSpecial is readMotion for a row that has to do with more than position and velocity.
func (p *Physics) readSpecial(t *table, row int, code int32, stepping, unbroken bool) {
	m := &p.members
	x, v := get[components.TransformData](t.cols[0], row).Position, get[components.VelocityData](t.cols[1], row).Linear
	k := &m.list[t.ents[row].Id()]
	if k.still {
		if isZero(v) && same(x, k.position) {
			return
		}
		k.move()
	}
	if !unbroken {
		k.position, m.given[code] = x, v
	}
	s := &m.styles.list[k.style]
	if s.bends {
		if stepping {
			v = v.Scale(s.damping)
		}
		v = solver.Unlocked(v, s.locked)
	}
	pull := s.pull
	if !stepping {
		pull = collide.Vec3{}
	}
	if m.pulled {
		p.space.MovePulled(code, x, v, pull)
	} else {
		p.space.Move(code, x, v)
	}
}

// readStatic is readQuickly for spheres without a Velocity.
func (p *Physics) readStatic(t *table) {
	m := &p.members
	var codes [block]int32
	for from := 0; from < len(t.ents); from += block {
		to := min(from+block, len(t.ents))
		for row := from; row < to; row++ {
			agrees := p.agree(t, from, row, to, &codes)
			for ; row < agrees; row++ {
				x, k := get[components.TransformData](t.cols[0], row), &m.list[t.ents[row].Id()]
				if !isUpright(&x.Rotation) || !k.still || !same(x.Position, k.position) {
					m.odd = append(m.odd, row)
				}
			}
			if row < to {
				m.odd = append(m.odd, row)
			}
		}
	}
}

// isUpright reports whether a rotation is none, as nearly all of spheres are.
func isUpright(q *collide.Quat) bool {
	const one = 1023 << 52
	w := math.Float64bits(q.W)
	return (math.Float64bits(q.X)|math.Float64bits(q.Y)|math.Float64bits(q.Z))<<1 == 0 && (w == one || w == 0)
}

// areUsual reports whether a position and a velocity are such as the quick way takes. It is false for what is not finite.
func areUsual(x, v *collide.Vec3) bool {
	return float64(x.X*x.X)+float64(x.Y*x.Y)+float64(x.Z*x.Z)+(float64(v.X*v.X)+float64(v.Y*v.Y)+float64(v.Z*v.Z)) <= usual*usual
}

// isZero reports whether all bits of v are 0.
func isZero(v collide.Vec3) bool {
	return math.Float64bits(v.X)|math.Float64bits(v.Y)|math.Float64bits(v.Z) == 0
}

// same reports whether a and b are the same bits.
func same(a, b collide.Vec3) bool {
	return math.Float64bits(a.X)^math.Float64bits(b.X)|math.Float64bits(a.Y)^math.Float64bits(b.Y)|math.Float64bits(a.Z)^math.Float64bits(b.Z) == 0
}
