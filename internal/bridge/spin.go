package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// spinState is what the registry keeps about a body with an AngularVelocity.
type spinState struct {
	inertia, damping float64      // as in its AngularVelocity
	inverse          float64      // of its moment of inertia, 1/(kg·m²); 0 if no torque changes its rotation
	slows            float64      // factor of its angular velocity for a step, by damping
	fixed            uint8        // axes about which it can't rotate
	angular          collide.Vec3 // the angular velocity that was read
	rotation         collide.Quat // the rotation that was read
	turned           collide.Quat // how far it turned in the last step; the zero value for not at all
}

// readSpin passes the rotation of a sphere to the space. It returns false if the sphere doesn't
// rotate at present.
func (b *Bridge) readSpin(id int32, c *common, radius, inverseMass, seconds float64) bool {
	k := &b.registry.spins[id]
	turned := k.turned
	if seconds > 0 { // a step begins; without one the rotation of the last step is kept
		turned = collide.Quat{}
	}
	*k = spinState{
		inertia: c.spin.Inertia, damping: c.spin.Damping, slows: 1,
		angular: c.spin.Angular, rotation: c.transform.Rotation, turned: turned,
	}
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

// begin returns the angular velocity at the beginning of a step, rad/s. It has no component of -0.
func (k *spinState) begin(angular *collide.Vec3, stepping bool) collide.Vec3 {
	w := *angular
	if stepping && k.slows != 1 {
		w = w.Scale(k.slows)
	}
	return solver.Unlocked(w, k.fixed).Add(collide.Vec3{})
}

// inertia returns the moment of inertia that the game has set, or else that of a solid ball, kg·m².
// It has a lower bound, because the square of a tiny radius may underflow.
func inertia(given, radius, inverseMass float64) float64 {
	if given != 0 {
		return given
	}
	return max(1/components.MaxInertia, float64(0.4*radius)*radius/inverseMass)
}

// fixed returns the axes about which a body can't rotate if it can't move along the locked axes. A
// body that is kept in a plane rotates in that plane only.
func fixed(locked uint8) uint8 {
	const all = uint8(components.AxisX | components.AxisY | components.AxisZ)
	switch components.Axes(locked) {
	case components.AxisX, components.AxisY, components.AxisZ:
		return all &^ locked
	}
	return 0
}

// about removes from a rotation the parts about fixed axes. None or two axes are fixed.
func about(q collide.Quat, fixed uint8) collide.Quat {
	if fixed == 0 {
		return q
	}
	v := solver.Unlocked(collide.Vec3{X: q.X, Y: q.Y, Z: q.Z}, fixed)
	return collide.Quat{X: v.X, Y: v.Y, Z: v.Z, W: q.W}.Normalized()
}

var upright = collide.Quat{W: 1}

// writeSpins writes the rotations and angular velocities of a range of rows. It runs after
// writeRows.
func (b *Bridge) writeSpins(t *table, from, to int, uninterrupted bool) {
	transforms, spins := t.cols[colTransform][from:to], t.cols[colSpin][from:to]
	for row, e := range t.ents[from:to] {
		k := b.registry.find(e)
		if k == nil || k.handle == none || k.kind == components.Static || k.flags&grouped != 0 ||
			k.handle.IsSurface() { // it has got its SphereCollider since gather
			continue
		}
		spin := get[components.AngularVelocityData](spins, row)
		if k.flags&unchanged != 0 && isZero(spin.Angular) &&
			(b.space.IsUnchanged(k.handle.Body()) || b.space.IsAsleep(k.handle.Body())) {
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

// scatterSpin rotates a sphere as far as it has turned in the step. It returns false if the sphere
// neither turned nor will in the next step.
func (b *Bridge) scatterSpin(
	k *record, transform *components.TransformData, spin *components.AngularVelocityData, uninterrupted bool,
) bool {
	at := b.registry.spin(k.handle)
	if at == nil { // it has got its AngularVelocity since gather
		return !isZero(spin.Angular)
	}
	w, turned := b.space.Spin(k.handle.Body())
	w, turned = solver.Unlocked(w, at.fixed), about(turned, at.fixed)
	at.turned = turned
	if turned != upright && (uninterrupted || transform.Rotation == at.rotation) {
		transform.Rotation = turned.Mul(transform.Rotation).Normalized()
	}
	if !(w.LengthSquared() <= fastPathMaxSpin*fastPathMaxSpin) { // a tiny sphere that rolls
		w = collide.Vec3{X: atMost(w.X), Y: atMost(w.Y), Z: atMost(w.Z)}
	}
	if k.kind == components.Dynamic && (uninterrupted || spin.Angular == at.angular) {
		spin.Angular = w
	}
	return turned != upright || !isZero(w) || !isZero(spin.Angular)
}

// atMost returns the number nearest to x within ±MaxAngularSpeed.
func atMost(x float64) float64 {
	return max(-components.MaxAngularSpeed, min(components.MaxAngularSpeed, x))
}

// readSpins passes the rotation of a block's spheres to the space. Rows that must take the slow
// path get the handle none.
func (b *Bridge) readSpins(t *table, rows *rowBlock, what task) {
	transforms := t.cols[colTransform][rows.from:rows.to]
	for i, at := range t.cols[colSpin][rows.from:rows.to] {
		i &= blockRows - 1
		if rows.handles[i] == none {
			continue
		}
		s, q := (*components.AngularVelocityData)(at), &(*components.TransformData)(transforms[i]).Rotation
		k := &b.registry.spins[rows.handles[i]]
		w := &s.Angular
		if s.Inertia != k.inertia || s.Damping != k.damping || !isRotation(q) ||
			!(w.LengthSquared() <= fastPathMaxSpin*fastPathMaxSpin) {
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
		b.space.SetSpin(rows.handles[i].Body(), k.begin(w, what.stepping), k.inverse)
	}
}

// fastPathMaxSpin bounds the angular velocities that the fast path takes, rad/s. See fastPathMax.
const fastPathMaxSpin = components.MaxAngularSpeed / 4

// isRotation reports whether q is a rotation by a margin, or zero. Others take the slow path, which
// decides.
func isRotation(q *collide.Quat) bool {
	const slack = 5e-7 // half the tolerance of TransformData.Validate
	l := q.LengthSquared()
	return l >= 1-slack && l <= 1+slack || *q == collide.Quat{}
}

// tangent returns v without its component along the unit vector n.
func tangent(v, n collide.Vec3) collide.Vec3 {
	if v == (collide.Vec3{}) {
		return v
	}
	return v.AddScaled(-v.Dot(n), n)
}
