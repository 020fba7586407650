package collide

// Placed is a convex shape turned by Rotation about the origin and then moved by Position. The
// corners of a turned shape are rounded; use [Box] for boxes, whose sides then stay flat.
type Placed struct {
	Shape    Convex // not a Placed itself
	Position Vec3
	Rotation Quat // zero value: not turned
}

func (Placed) isConvex() {}

// Bounds returns the smallest box that contains p, enlarged by a few ulps because of rounding.
func (p Placed) Bounds() AABB {
	var s coreStorage
	k, ok := coreOf(p, &s)
	if !ok {
		return NewAABB()
	}
	return k.bounds().Translate(k.origin).Grow(k.radius + float64(0x1p-50*(k.size+k.origin.MaxAbs())))
}

// core returns the core of p in the given storage.
func (p Placed) core(s *coreStorage) (core, bool) {
	if b, ok := p.Shape.(Box); ok && p.Rotation != (Quat{}) {
		b.Center, b.Rotation = p.Rotation.Rotate(b.Center), p.Rotation.Mul(b.Rotation)
		p.Shape, p.Rotation = b, Quat{}
	}
	k, ok := plainCore(p.Shape, s) // false for a Placed and for nil
	if !ok {
		return k, false
	}
	if p.Rotation == (Quat{}) {
		k.origin = k.origin.Add(p.Position)
		return k, k.origin.within(maxInput)
	}
	points := s.points[:0] // those of k, or elsewhere
	for _, q := range k.points {
		q = p.Rotation.Rotate(q)
		if !q.within(maxInput) {
			return k, false
		}
		points = append(points, q)
	}
	k.points, k.origin = points, p.Rotation.Rotate(k.origin).Add(p.Position)
	if len(k.faces) == 1 {
		k.normal = k.flatNormal()
	}
	return k, p.Rotation.within(maxInput) && k.origin.within(maxInput)
}

// flatNormal returns a vector along the normal of a flat core: its area, doubled.
func (c *core) flatNormal() twofold3 {
	corners := c.faces[0].corners
	sum, first := twofold3{}, c.points[corners[0]]
	for i := 1; i+1 < len(corners); i++ {
		sum = sum.add(twoDiff3(c.points[corners[i]], first).cross(twoDiff3(c.points[corners[i+1]], first)))
	}
	return sum
}

// placedOf returns the Placed that c is, or points to.
func placedOf(c Convex) (p Placed, ok bool) {
	if at, ok := c.(*Placed); ok && at != nil {
		return *at, true
	}
	p, ok = c.(Placed)
	return p, ok
}

// NewPlaced returns shape, which may be a [Placed], turned by rotation about the origin and then
// moved by position.
func NewPlaced(shape Convex, position Vec3, rotation Quat) Placed {
	if p, ok := placedOf(shape); ok {
		return Placed{p.Shape, rotation.Rotate(p.Position).Add(position), rotation.Mul(p.Rotation)}
	}
	return Placed{shape, position, rotation}
}
