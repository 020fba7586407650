package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Boxes, hulls, cylinders, meshes and height fields keep their data in a frame of their own, so
// that any number of surfaces can share it. Boxes, hulls and cylinders are solids: convex, so that
// a sphere touches one in one point, and full, so that a sphere inside is pushed out.

// isSolid reports whether it is a solid with faces.
func (f *Surface) isSolid() bool {
	k := f.Kind()
	return k == Box || k == Hull || k == Cylinder
}

// toLocal returns the point p at time t in the frame of the shape.
func (f *Surface) toLocal(p collide.Vec3, t float64) collide.Vec3 {
	if f.Turning.On {
		q, origin := f.pose(t)
		return into(q, origin, p)
	}
	p = p.Sub(f.Offset.Add(f.travelled.AddScaled(t, f.Velocity))) // as origin, without calls
	if f.inverse == (collide.Quat{}) {
		return p
	}
	return f.inverse.Rotate(p)
}

// toLocalDirectionAt returns a direction at time t in the frame of the shape.
func (f *Surface) toLocalDirectionAt(v collide.Vec3, t float64) collide.Vec3 {
	if f.Turning.On {
		q, _ := f.pose(t)
		return inverse(q).Rotate(v)
	}
	return f.toLocalDirection(v)
}

// toWorldAt returns a unit vector of the shape's frame at time t in the world's.
func (f *Surface) toWorldAt(n collide.Vec3, t float64) collide.Vec3 {
	if f.Turning.On {
		q, _ := f.pose(t)
		n, _ = q.Rotate(n).Normalized()
		return n
	}
	return f.toWorld(n)
}

// toLocalDirection returns a direction in the frame of the shape.
func (f *Surface) toLocalDirection(v collide.Vec3) collide.Vec3 { return f.inverse.Rotate(v) }

// toWorld returns a unit vector of the shape's frame in the world's.
func (f *Surface) toWorld(n collide.Vec3) collide.Vec3 {
	if f.Rotation == (collide.Quat{}) {
		return n
	}
	n, _ = f.Rotation.Rotate(n).Normalized()
	return n
}

// toWorldPoint returns a point of the shape's frame at time t in the world's.
func (f *Surface) toWorldPoint(p collide.Vec3, t float64) collide.Vec3 {
	return f.Rotation.Rotate(p).Add(f.origin(t))
}

// inverseOf returns the opposite rotation.
func inverseOf(q collide.Quat) collide.Quat {
	if q == (collide.Quat{}) {
		return q
	}
	return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}
}

// ownBounds returns the bounds in the frame of the shape.
func (f *Surface) ownBounds() collide.AABB {
	switch f.Kind() {
	case Cylinder:
		return f.cylinder().Bounds().Union(f.Hull.Bounds()) // casts of other shapes meet the prism
	case Box:
		return collide.AABB{Min: f.Half.Neg(), Max: f.Half}
	case Hull:
		return f.Hull.Bounds()
	case Mesh:
		return f.Mesh.Bounds()
	case Field:
		return f.Field.Bounds()
	case Polygon:
		return f.Polygon.Bounds()
	case Capsule:
		return f.Capsule.Bounds()
	case Plane:
	}
	panic(unknownKind)
}

// deriveTurned is derive for the kinds that have a frame of their own.
func (f *Surface) deriveTurned(seconds float64) {
	f.inverse = inverseOf(f.Rotation)
	own := f.ownBounds()
	bounds := own
	if f.Rotation != (collide.Quat{}) {
		bounds = collide.Box{Center: own.Center(), Half: own.Size().Scale(0.5)}.Turned(f.Rotation).Bounds()
	}
	f.deriveBounds(bounds, seconds)
	f.middle = f.Offset.Add(f.Rotation.Rotate(own.Center()))
	turn := collide.Vec3{X: f.Rotation.X, Y: f.Rotation.Y, Z: f.Rotation.Z}
	kind := collide.Vec3{X: float64(f.Kind()), Y: f.Rotation.W}
	if f.Hull != nil {
		kind = kind.Add(f.Hull.Corner(0))
	}
	f.Key += tiebreak.Hash(&turn, &kind)
}

// cylinder returns the cylinder in its frame.
func (f *Surface) cylinder() collide.Cylinder {
	return collide.Cylinder{A: f.Capsule.A, B: f.Capsule.B, Radius: f.Capsule.Radius}
}

// nearest returns the distance of a point in the frame of a solid from its surface, negative
// inside, the unit normal in which it grows, and whether a face is nearest, not an edge or a
// corner.
func (f *Surface) nearest(p collide.Vec3) (d float64, n collide.Vec3, face bool) {
	switch f.Kind() {
	case Box:
		return nearestOfBox(f.Half, p)
	case Hull:
		return f.Hull.Nearest(p)
	case Cylinder:
		d, n, _ = f.cylinder().Nearest(p)
		return d, n, f.isCylinderFace(n)
	case Plane, Polygon, Capsule, Mesh, Field:
	}
	panic(unknownKind)
}

// axisTilt is the cosine below which a normal counts as perpendicular to a cylinder's axis, and the
// cosine less 1 above which it counts as parallel to it: far above rounding. At a rim, normals that
// close to those of a face are that of the face.
const axisTilt = 0x1p-44

// isCylinderFace reports whether n is the normal of the side or of an end of a cylinder, not of a
// rim.
func (f *Surface) isCylinderFace(n collide.Vec3) bool {
	axis, _ := f.Capsule.B.Sub(f.Capsule.A).Normalized()
	c := math.Abs(axis.Dot(n))
	return c <= axisTilt || c >= 1-axisTilt
}

// nearestOfBox is nearest for a box around the origin. Inside, of sides equally near that along Y
// counts, then that along X, so that bodies in 2D scenes stay in 2D.
func nearestOfBox(half, p collide.Vec3) (d float64, n collide.Vec3, face bool) {
	over := collide.Vec3{X: math.Abs(p.X) - half.X, Y: math.Abs(p.Y) - half.Y, Z: math.Abs(p.Z) - half.Z}
	sign := collide.Vec3{X: math.Copysign(1, p.X), Y: math.Copysign(1, p.Y), Z: math.Copysign(1, p.Z)}
	outside := 0
	var off collide.Vec3
	if over.X > 0 {
		off.X = over.X * sign.X
		outside++
	}
	if over.Y > 0 {
		off.Y = over.Y * sign.Y
		outside++
	}
	if over.Z > 0 {
		off.Z = over.Z * sign.Z
		outside++
	}
	if outside > 1 {
		n, _ = off.Normalized()
		return off.Length(), n, false
	}
	switch {
	case over.Y >= over.X && over.Y >= over.Z:
		return over.Y, collide.Vec3{Y: sign.Y}, true
	case over.X >= over.Z:
		return over.X, collide.Vec3{X: sign.X}, true
	}
	return over.Z, collide.Vec3{Z: sign.Z}, true
}

// support returns the largest n·p of all points p of a solid, in its frame.
func (f *Surface) support(n collide.Vec3) float64 {
	switch f.Kind() {
	case Box:
		return float64(math.Abs(n.X)*f.Half.X) + float64(math.Abs(n.Y)*f.Half.Y) + float64(math.Abs(n.Z)*f.Half.Z)
	case Hull:
		return f.Hull.Support(n)
	case Cylinder:
		axis, _ := f.Capsule.B.Sub(f.Capsule.A).Normalized()
		c := axis.Dot(n)
		return max(n.Dot(f.Capsule.A), n.Dot(f.Capsule.B)) +
			float64(f.Capsule.Radius*math.Sqrt(max(0, n.Dot(n)-float64(c*c))))
	case Plane, Polygon, Capsule, Mesh, Field:
	}
	panic(unknownKind)
}

// faceAt returns the normal of that face of a solid that contains p, up to reach, and whose normal
// is closest to n, all in its frame. It returns false if p is on no face.
func (f *Surface) faceAt(p, n collide.Vec3, reach float64) (face collide.Vec3, ok bool) {
	best := math.Inf(-1)
	offer := func(m collide.Vec3, height float64) {
		if math.Abs(height) <= reach && m.Dot(n) > best {
			best, face, ok = m.Dot(n), m, true
		}
	}
	switch f.Kind() {
	case Box:
		offer(collide.Vec3{Y: math.Copysign(1, p.Y)}, math.Abs(p.Y)-f.Half.Y)
		offer(collide.Vec3{X: math.Copysign(1, p.X)}, math.Abs(p.X)-f.Half.X)
		offer(collide.Vec3{Z: math.Copysign(1, p.Z)}, math.Abs(p.Z)-f.Half.Z)
	case Hull:
		for i := range f.Hull.Faces() {
			plane := f.Hull.Plane(i)
			offer(plane.Normal, plane.SignedDistance(p))
		}
	case Cylinder:
		axis, _ := f.Capsule.B.Sub(f.Capsule.A).Normalized()
		offer(axis, axis.Dot(p.Sub(f.Capsule.B)))
		offer(axis.Neg(), axis.Dot(f.Capsule.A.Sub(p)))
		off := p.Sub(f.Capsule.A)
		off = off.AddScaled(-axis.Dot(off), axis)
		if side, round := off.Normalized(); round {
			offer(side, off.Length()-f.Capsule.Radius)
		}
	default:
		panic(unknownKind)
	}
	return face, ok
}

// mayMeetBox is mayMeet for a box.
func (f *Surface) mayMeetBox(ball *collide.Sphere, v collide.Vec3, now, within float64) bool {
	p, u := f.toLocal(ball.Center, now), f.toLocalDirection(v.Sub(f.Velocity))
	size := float64(roundingShare * (ball.Center.SumAbs() + ball.Radius + float64(v.SumAbs()*within)))
	reach := ball.Radius + f.margin + size
	for axis := range 3 {
		x, way := p.Component(axis), float64(u.Component(axis)*within)
		limit := f.Half.Component(axis) + reach
		if x > limit && x+way > limit || x < -limit && x+way < -limit {
			return false
		}
	}
	return true
}

// sweepSolid is sweep for a solid: ball is relative to the shape's origin, at time now.
func (f *Surface) sweepSolid(
	ball collide.Sphere, v collide.Vec3, now, seconds float64,
) (t float64, n collide.Vec3, face, ok bool) {
	ball.Center = f.toLocalDirection(ball.Center)
	u := f.toLocalDirection(v.Sub(f.Velocity))
	c, outcome := f.sweepLocal(ball, u, seconds-now)
	if outcome == collide.Miss {
		return 0, n, false, false
	}
	n = f.toWorld(c.Normal)
	if !f.approaches(n, v) {
		return 0, n, false, false
	}
	return min(now+c.Time, seconds), n, f.isOwnFace(c.Normal), true
}

// sweepLocal sweeps a ball at velocity v against a solid in its frame.
func (f *Surface) sweepLocal(ball collide.Sphere, v collide.Vec3, seconds float64) (collide.Contact, collide.Outcome) {
	zero := collide.Vec3{}
	switch f.Kind() {
	case Box:
		return collide.Sweep(ball, v, collide.AABB{Min: f.Half.Neg(), Max: f.Half}, zero, seconds)
	case Hull:
		return collide.Sweep(ball, v, f.Hull, zero, seconds)
	case Cylinder:
		return collide.SweepSphereCylinder(ball, v, f.cylinder(), zero, seconds)
	case Plane, Polygon, Capsule, Mesh, Field:
	}
	panic(unknownKind)
}

// isOwnFace reports whether n, in the frame of a solid, is the normal of a face up to rounding.
func (f *Surface) isOwnFace(n collide.Vec3) bool {
	switch f.Kind() {
	case Box:
		return n.MaxAbs() == 1 && n.SumAbs() == 1
	case Hull:
		for i := range f.Hull.Faces() {
			if n.Sub(f.Hull.Plane(i).Normal).MaxAbs() <= 0x1p-50 {
				return true
			}
		}
		return false
	case Cylinder:
		return f.isCylinderFace(n)
	case Plane, Polygon, Capsule, Mesh, Field:
	}
	panic(unknownKind)
}

// sweepSolidFaces returns the first impact of a ball at p that moves at u, in the frame of a solid,
// with the interior of one of its flat faces.
func (f *Surface) sweepSolidFaces(p, u collide.Vec3, radius, left float64) (t float64, n collide.Vec3, ok bool) {
	t = math.Inf(1)
	offer := func(normal collide.Vec3, height float64, covers func(q collide.Vec3) bool) {
		rate := normal.Dot(u)
		if !(height >= 0 && -rate > approachError(normal, u, collide.Vec3{})) {
			return
		}
		met := max(0, (height-radius)/-rate)
		if met <= left && met < t && covers(p.AddScaled(met, u)) {
			t, n, ok = met, normal, true
		}
	}
	switch f.Kind() {
	case Box:
		for axis := range 3 {
			var normal collide.Vec3
			sign := math.Copysign(1, p.Component(axis))
			*[3]*float64{&normal.X, &normal.Y, &normal.Z}[axis] = sign
			offer(normal, float64(sign*p.Component(axis))-f.Half.Component(axis), func(q collide.Vec3) bool {
				for other := range 3 {
					if other != axis && math.Abs(q.Component(other)) > f.Half.Component(other) {
						return false
					}
				}
				return true
			})
		}
	case Hull:
		for i := range f.Hull.Faces() {
			plane := f.Hull.Plane(i)
			offer(plane.Normal, plane.SignedDistance(p), func(q collide.Vec3) bool {
				corners := f.Hull.Face(i)
				for k, c := range corners {
					from, to := f.Hull.Corner(int(c)), f.Hull.Corner(int(corners[(k+1)%len(corners)]))
					if plane.Normal.Dot(to.Sub(from).Cross(q.Sub(from))) < 0 {
						return false
					}
				}
				return true
			})
		}
	case Cylinder:
		axis, _ := f.Capsule.B.Sub(f.Capsule.A).Normalized()
		covers := func(q collide.Vec3) bool {
			off := q.Sub(f.Capsule.A)
			return off.AddScaled(-axis.Dot(off), axis).Length() <= f.Capsule.Radius
		}
		offer(axis, axis.Dot(p.Sub(f.Capsule.B)), covers)
		offer(axis.Neg(), axis.Dot(f.Capsule.A.Sub(p)), covers)
	default:
		panic(unknownKind)
	}
	return t, n, ok
}
