package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// spinState is what the registry keeps about a body with an AngularVelocity.
type spinState struct {
	inertia, damping float64      // as in its AngularVelocity
	inverse          float64      // of its moment of inertia; 0 if no torque turns it
	slows            float64      // factor on its angular velocity for a step
	fixed            uint8        // axes about which it never turns
	angular          collide.Vec3 // the angular velocity that was read
	rotation         collide.Quat // the rotation that was read
	turned           collide.Quat // how far it turned in the last step; the zero value for not at all
}

// readSpin tells the space how a sphere turns. It returns false for one that doesn't turn at present.
func (b *Bridge) readSpin(id int32, c *common, radius, inverseMass, seconds float64) bool {
	k := &b.registry.spins[id]
	turned := k.turned
	if seconds > 0 { // a step begins; Sync keeps what the last one did
		turned = collide.Quat{}
	}
	*k = spinState{turned: turned, inertia: c.spin.Inertia, damping: c.spin.Damping, slows: 1, angular: c.spin.Angular, rotation: c.transform.Rotation}
	if inverseMass != 0 {
		k.fixed = fixed(uint8(c.body.Locked))
		k.inverse = 1 / inertia(c.spin.Inertia, radius, inverseMass)
		if c.spin.Damping != 0 {
			k.slows = damping(c.spin.Damping, b.settings.Solver.Seconds)
		}
	}
	b.space.SetSpin(id, k.begin(&c.spin.Angular, seconds > 0), k.inverse)
	return !isZero(c.spin.Angular)
}

// begin returns the angular velocity with which a step begins. It has no zeros below 0.
func (k *spinState) begin(angular *collide.Vec3, stepping bool) collide.Vec3 {
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

// writeSpins writes back how the spheres of a range of rows turn. It comes after writeRows.
func (b *Bridge) writeSpins(t *table, from, to int, uninterrupted bool) {
	transforms, spins := t.cols[colTransform][from:to], t.cols[colSpin][from:to]
	for row, e := range t.ents[from:to] {
		k := b.registry.find(e)
		if k == nil || k.handle == none || k.kind == components.Static {
			continue
		}
		spin := get[components.AngularVelocityData](spins, row)
		if k.flags&unchanged != 0 && isZero(spin.Angular) && (b.space.IsUnchanged(k.handle) || b.space.IsAsleep(k.handle)) {
			continue
		}
		if b.scatterSpin(k, get[components.TransformData](transforms, row), spin, uninterrupted) {
			if k.flags&unchanged != 0 {
				k.flags &^= unchanged
				b.invalidate(t, from+row, uninterrupted)
			}
		}
	}
}

// scatterSpin turns a sphere as far as it has turned in the step. It returns false for one that hasn't, and won't in the next.
func (b *Bridge) scatterSpin(k *record, transform *components.TransformData, spin *components.AngularVelocityData, uninterrupted bool) bool {
	at := &b.registry.spins[k.handle]
	w, turned := b.space.Spin(k.handle)
	w, turned = solver.Unlocked(w, at.fixed), about(turned, at.fixed)
	at.turned = turned
	if turned != upright && (uninterrupted || transform.Rotation == at.rotation) {
		transform.Rotation = turned.Mul(transform.Rotation).Normalized()
	}
	if !(w.LengthSquared() <= fastPathMaxSpin*fastPathMaxSpin) { // a speck of dust that rolls
		w = collide.Vec3{X: atMost(w.X), Y: atMost(w.Y), Z: atMost(w.Z)}
	}
	if k.kind == components.Dynamic && (uninterrupted || spin.Angular == at.angular) {
		spin.Angular = w
	}
	return turned != upright || !isZero(w) || !isZero(spin.Angular)
}

// atMost returns x, or the bound that it is beyond.
func atMost(x float64) float64 {
	return max(-components.MaxAngularSpeed, min(components.MaxAngularSpeed, x))
}

// readSpins tells the space how the spheres of a block turn. Rows that must take the slow path lose their handles.
func (b *Bridge) readSpins(t *table, rows *block, what task) {
	transforms := t.cols[colTransform][rows.from:rows.to]
	for i, at := range t.cols[colSpin][rows.from:rows.to] {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		s, q := (*components.AngularVelocityData)(at), &(*components.TransformData)(transforms[i]).Rotation
		k := &b.registry.spins[rows.handles[i]]
		w := &s.Angular
		if s.Inertia != k.inertia || s.Damping != k.damping || !isRotation(q) || !(w.LengthSquared() <= fastPathMaxSpin*fastPathMaxSpin) {
			rows.handles[i], rows.uniform = none, false
			continue
		}
		if !what.uninterrupted || b.settings.Transform2D {
			k.angular, k.rotation = *w, *q
		}
		if what.stepping {
			k.turned = collide.Quat{}
		}
		if rows.records[i].flags&unchanged != 0 {
			if isZero(*w) {
				continue
			}
			rows.records[i].flags &^= unchanged
		}
		b.space.SetSpin(rows.handles[i], k.begin(w, what.stepping), k.inverse)
	}
}

// fastPathMaxSpin bounds the angular velocities, in radians per second, that the fast path takes.
const fastPathMaxSpin = components.MaxAngularSpeed / 4

// isRotation reports whether q is surely a rotation. Others take the slow path.
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
