package character

import "github.com/dango-physics/dango/collide"

// Kind is the kind of a Shape.
type Kind uint8

// The kinds of shape.
const (
	Sphere Kind = iota
	Capsule
	Box
)

// Shape is the shape of a character, relative to its position.
type Shape struct {
	Kind     Kind
	Radius   float64      // of a sphere or capsule
	A, B     collide.Vec3 // ends of the axis of a capsule; the centre of a sphere or box is A
	Half     collide.Vec3 // of a box
	Rotation collide.Quat // of a box
}

// Sphere returns the shape of a sphere at p.
func (s *Shape) Sphere(p collide.Vec3) collide.Sphere {
	return collide.Sphere{Center: p.Add(s.A), Radius: s.Radius}
}

// Capsule returns the shape of a capsule at p.
func (s *Shape) Capsule(p collide.Vec3) collide.Capsule {
	return collide.Capsule{A: p.Add(s.A), B: p.Add(s.B), Radius: s.Radius}
}

// Box returns the shape of a box at p.
func (s *Shape) Box(p collide.Vec3) collide.Box {
	return collide.Box{Center: p.Add(s.A), Half: s.Half, Rotation: s.Rotation}
}

// Bounds returns the smallest box around the shape at p.
func (s *Shape) Bounds(p collide.Vec3) collide.AABB {
	switch s.Kind {
	case Capsule:
		return s.Capsule(p).Bounds()
	case Box:
		return s.Box(p).Bounds()
	}
	return s.Sphere(p).Bounds()
}

// Sweep is [collide.Sweep] of the shape at p.
func (s *Shape) Sweep(
	p, v collide.Vec3, b collide.Convex, vb collide.Vec3, horizon float64,
) (collide.Contact, collide.Outcome) {
	switch s.Kind {
	case Capsule:
		return collide.Sweep(s.Capsule(p), v, b, vb, horizon)
	case Box:
		return collide.Sweep(s.Box(p), v, b, vb, horizon)
	}
	return collide.Sweep(s.Sphere(p), v, b, vb, horizon)
}

// Separation is [collide.Separation] of the shape at p.
func (s *Shape) Separation(p collide.Vec3, b collide.Convex) collide.Gap {
	switch s.Kind {
	case Capsule:
		return collide.Separation(s.Capsule(p), b)
	case Box:
		return collide.Separation(s.Box(p), b)
	}
	return collide.Separation(s.Sphere(p), b)
}

// Lowest returns the lowest height of a point of the shape at p along the unit vector up.
func (s *Shape) Lowest(p, up collide.Vec3) float64 {
	switch s.Kind {
	case Capsule:
		return min(up.Dot(p.Add(s.A)), up.Dot(p.Add(s.B))) - s.Radius
	case Box:
		low := up.Dot(p.Add(s.A))
		for _, axis := range s.Box(p).Axes() {
			low -= max(up.Dot(axis), -up.Dot(axis))
		}
		return low
	}
	return up.Dot(p.Add(s.A)) - s.Radius
}

// Extent returns how far the shape reaches from its position along the unit vector d.
func (s *Shape) Extent(d collide.Vec3) float64 { return -s.Lowest(collide.Vec3{}, d.Neg()) }
