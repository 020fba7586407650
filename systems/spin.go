package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// turning is what there is to know of a body that may turn.
type turning struct {
	inertia, damping float64      // as its AngularVelocity has them
	inverse          float64      // of its moment of inertia; 0 for what nothing turns
	slows            float64      // factor on its angular velocity for a step
	fixed            uint8        // axes about which it never turns
	angular          collide.Vec3 // the angular velocity that the game had set
	rotation         collide.Quat // where it was turned when it was read
}

// readSpin tells the space how a sphere turns. It returns false for one that doesn't turn at present.
func (p *Physics) readSpin(id int32, c *common, radius, inverseMass, seconds float64) bool {
	k := &p.members.turning[id]
	*k = turning{inertia: c.spin.Inertia, damping: c.spin.Damping, slows: 1, angular: c.spin.Angular, rotation: c.transform.Rotation}
	if inverseMass != 0 {
		k.fixed = fixed(uint8(c.body.Locked))
		k.inverse = 1 / inertia(c.spin.Inertia, radius, inverseMass)
		if c.spin.Damping != 0 {
			k.slows = damping(c.spin.Damping, p.config.StepSeconds)
		}
	}
	p.space.SetSpin(id, k.begin(&c.spin.Angular, seconds > 0), k.inverse)
	return !isZero(c.spin.Angular)
}

// begin returns the angular velocity with which a step begins. It has no zeros below 0.
func (k *turning) begin(angular *collide.Vec3, stepping bool) collide.Vec3 {
	w := *angular
	if stepping && k.slows != 1 {
		w = w.Scale(k.slows)
	}
	return solver.Unlocked(w, k.fixed).Add(collide.Vec3{})
}

// inertia returns the moment of inertia of a sphere for which the game has given one, or that of a solid ball. Of a radius whose square is
// hardly a number any more it is what can be worked with.
func inertia(given, radius, inverseMass float64) float64 {
	if given != 0 {
		return given
	}
	return max(1/components.MaxInertia, float64(0.4*radius)*radius/inverseMass)
}

// fixed returns the axes about which a body never turns that never moves along the locked axes. One that is kept in a plane turns in the plane.
func fixed(locked uint8) uint8 {
	const all = uint8(components.AxisX | components.AxisY | components.AxisZ)
	switch components.Axes(locked) {
	case components.AxisX, components.AxisY, components.AxisZ:
		return all &^ locked
	}
	return 0
}

// about leaves of a rotation what turns about axes that are not fixed. One or three of them aren't.
func about(q collide.Quat, fixed uint8) collide.Quat {
	if fixed == 0 {
		return q
	}
	v := solver.Unlocked(collide.Vec3{X: q.X, Y: q.Y, Z: q.Z}, fixed)
	return collide.Quat{X: v.X, Y: v.Y, Z: v.Z, W: q.W}.Normalized()
}

var upright = collide.Quat{W: 1}

// writeSpins is writeBack for how the spheres of a table turn. It comes after it.
func (p *Physics) writeSpins(t *table, from, to int, unbroken bool) {
	transforms, spins := t.cols[0][from:to], t.cols[11][from:to]
	for row, e := range t.ents[from:to] {
		k := p.members.find(e)
		if k == nil || k.code == none || k.kind == components.Static {
			continue
		}
		spin := get[components.AngularVelocityData](spins, row)
		if k.marks&still != 0 && isZero(spin.Angular) && (p.space.IsUntouched(k.code) || p.space.Asleep(k.code)) {
			continue
		}
		if p.scatterSpin(k, get[components.TransformData](transforms, row), spin, unbroken) {
			if k.marks&still != 0 {
				k.marks &^= still
				p.forget(t, from+row, unbroken)
			}
		}
	}
}

// scatterSpin turns a sphere as far as it has turned in the step. It returns false for one that hasn't, and won't in the next.
func (p *Physics) scatterSpin(k *member, transform *components.TransformData, spin *components.AngularVelocityData, unbroken bool) bool {
	at := &p.members.turning[k.code]
	w, turned := p.space.Spin(k.code)
	w, turned = solver.Unlocked(w, at.fixed), about(turned, at.fixed)
	if turned != upright && (unbroken || transform.Rotation == at.rotation) {
		transform.Rotation = turned.Mul(transform.Rotation).Normalized()
	}
	if !(w.LengthSquared() <= usualSpin*usualSpin) { // a speck of dust that rolls
		w = collide.Vec3{X: atMost(w.X), Y: atMost(w.Y), Z: atMost(w.Z)}
	}
	if k.kind == components.Dynamic && (unbroken || spin.Angular == at.angular) {
		spin.Angular = w
	}
	return turned != upright || !isZero(w) || !isZero(spin.Angular)
}

// atMost returns x, or the bound that it is beyond.
func atMost(x float64) float64 {
	return max(-components.MaxAngularSpeed, min(components.MaxAngularSpeed, x))
}

// readSpins tells the space how the rows of a block turn, and leaves out those that are to be read the long way.
func (p *Physics) readSpins(t *table, from, to int, b *block, what task) {
	transforms := t.cols[0][from:to]
	for i, at := range t.cols[11][from:to] {
		i &= blockRows - 1
		if b.ids[i] == none {
			continue
		}
		s, q := (*components.AngularVelocityData)(at), &(*components.TransformData)(transforms[i]).Rotation
		k := &p.members.turning[b.ids[i]]
		w := &s.Angular
		if s.Inertia != k.inertia || s.Damping != k.damping || !isRotation(q) || !(w.LengthSquared() <= usualSpin*usualSpin) {
			b.ids[i], b.alike = none, false
			continue
		}
		if !what.unbroken || p.config.Transform2D {
			k.angular, k.rotation = *w, *q
		}
		if b.marks&still != 0 {
			if isZero(*w) && (b.recalled || b.of[i].marks&still != 0) {
				continue
			}
			if b.recalled {
				p.meet(t, b)
			}
			b.of[i].marks &^= still
		}
		p.space.SetSpin(b.ids[i], k.begin(w, what.stepping), k.inverse)
	}
}

// usualSpin bounds the angular velocities that the quick way takes.
const usualSpin = components.MaxAngularSpeed / 4

// isRotation reports whether q is surely a rotation. What is farther off goes the long way.
func isRotation(q *collide.Quat) bool {
	const slack = 5e-7 // half of what a TransformData may be off
	l := q.LengthSquared()
	return l >= 1-slack && l <= 1+slack || *q == collide.Quat{}
}

// along returns the part of v that doesn't point along the unit vector n.
func along(v, n collide.Vec3) collide.Vec3 {
	if v == (collide.Vec3{}) {
		return v
	}
	return v.AddScaled(-v.Dot(n), n)
}
