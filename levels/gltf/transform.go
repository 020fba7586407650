package gltf

import (
	"errors"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/qmuntal/gltf"
)

// linear is a matrix, by its columns.
type linear [3]collide.Vec3

// transform is the affine map from a node to the world, in the file's units.
type transform struct {
	by   linear
	move collide.Vec3
}

var identity = transform{by: linear{{X: 1}, {Y: 1}, {Z: 1}}}

// apply returns m·v.
func (m linear) apply(v collide.Vec3) collide.Vec3 {
	return m[0].Scale(v.X).Add(m[1].Scale(v.Y)).Add(m[2].Scale(v.Z))
}

// determinant returns how m changes volumes; negative if it mirrors.
func (m linear) determinant() float64 { return m[0].Dot(m[1].Cross(m[2])) }

// isHidden reports whether m makes anything smaller than all that can be seen.
func (m linear) isHidden() bool {
	return m[0].MaxAbs() < 1e-100 && m[1].MaxAbs() < 1e-100 && m[2].MaxAbs() < 1e-100
}

// then returns the transform of a node whose parent has the transform t.
func (t transform) then(n *gltf.Node) (transform, error) {
	own := transform{}
	if m := n.MatrixOrDefault(); m != gltf.DefaultMatrix {
		for i := range 3 {
			own.by[i] = collide.Vec3{X: m[4*i], Y: m[4*i+1], Z: m[4*i+2]}
		}
		own.move = collide.Vec3{X: m[12], Y: m[13], Z: m[14]}
	} else {
		q, s, v := n.RotationOrDefault(), n.ScaleOrDefault(), n.TranslationOrDefault()
		turn := collide.Quat{}
		if q != gltf.DefaultRotation {
			turn = collide.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Normalized()
		}
		own.by = linear{
			turn.Rotate(collide.Vec3{X: s[0]}), turn.Rotate(collide.Vec3{Y: s[1]}), turn.Rotate(collide.Vec3{Z: s[2]}),
		}
		own.move = collide.Vec3{X: v[0], Y: v[1], Z: v[2]}
	}
	world := transform{
		by:   linear{t.by.apply(own.by[0]), t.by.apply(own.by[1]), t.by.apply(own.by[2])},
		move: t.by.apply(own.move).Add(t.move),
	}
	for _, v := range []collide.Vec3{world.by[0], world.by[1], world.by[2], world.move} {
		if !(v.MaxAbs() <= 1e9) {
			return world, errors.New("its transform is not finite, or beyond 1e9")
		}
	}
	return world, nil
}

// split returns the rotation of t, and what its vertices have to be multiplied by before that: one
// that mirrors does it along X. A transform that shears has no rotation here.
func (t transform) split() (collide.Quat, linear) {
	x, y, z := t.by[0], t.by[1], t.by[2]
	// Files have seven digits, so what is a right angle to them is one to 1e-6.
	right := func(a, b collide.Vec3) bool { return math.Abs(a.Dot(b)) <= 1e-6*float64(a.Length()*b.Length()) }
	ux, okX := x.Normalized()
	uy, okY := y.Normalized()
	uz, okZ := z.Normalized()
	if !okX || !okY || !okZ || !right(x, y) || !right(y, z) || !right(z, x) {
		return collide.Quat{}, t.by
	}
	scale := linear{{X: x.Length()}, {Y: y.Length()}, {Z: z.Length()}}
	if t.by.determinant() < 0 {
		ux, scale[0].X = ux.Neg(), -scale[0].X
	}
	return rotationOf(linear{ux, uy, uz}), scale
}

// rotationOf returns the quaternion of a rotation matrix, and the zero value for no rotation.
func rotationOf(m linear) collide.Quat {
	if m == identity.by {
		return collide.Quat{}
	}
	// The largest of the four components is computed first, so that nothing is divided by little.
	xx, yy, zz := m[0].X, m[1].Y, m[2].Z
	var q collide.Quat
	switch {
	case xx+yy+zz > 0:
		q = collide.Quat{W: 1 + xx + yy + zz, X: m[1].Z - m[2].Y, Y: m[2].X - m[0].Z, Z: m[0].Y - m[1].X}
	case xx >= yy && xx >= zz:
		q = collide.Quat{X: 1 + xx - yy - zz, W: m[1].Z - m[2].Y, Y: m[0].Y + m[1].X, Z: m[2].X + m[0].Z}
	case yy >= zz:
		q = collide.Quat{Y: 1 + yy - xx - zz, W: m[2].X - m[0].Z, X: m[0].Y + m[1].X, Z: m[1].Z + m[2].Y}
	default:
		q = collide.Quat{Z: 1 + zz - xx - yy, W: m[0].Y - m[1].X, X: m[2].X + m[0].Z, Y: m[1].Z + m[2].Y}
	}
	return q.Normalized()
}
