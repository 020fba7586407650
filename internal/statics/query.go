package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// CastShape is [Surface.Cast] for any convex shape.
func (f *Surface) CastShape(
	shape collide.Convex, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	if f.Turning.On {
		return f.castShapeRotating(shape, direction, distance, t)
	}
	if f.Kind() == Plane {
		return f.castAtPlane(shape, direction, distance, t)
	}
	if c, ok := shape.(collide.Capsule); ok && f.Kind() == Mesh {
		// collide has a faster sweep for capsules than for a Placed
		return f.CastCapsule(c, direction, distance, t, nil)
	}
	moved := f.localShape(shape, t)
	return f.castLocal(moved, moved.Bounds().Center(), f.toLocalDirection(direction), distance, t)
}

// Gap returns the distance between a convex shape and the surface as it is at time t, the normal
// and the nearest points: A is the shape. It returns false if the surface doesn't stop the shape
// because that is behind it.
func (f *Surface) Gap(shape collide.Convex, t float64) (collide.Gap, bool) {
	if f.Turning.On {
		return f.gapRotating(shape, t)
	}
	if f.Kind() == Plane {
		return f.planeGap(shape, t), true
	}
	origin := f.origin(t)
	moved := collide.NewPlaced(shape, origin.Neg(), collide.Quat{})
	var g collide.Gap
	switch f.Kind() {
	case Polygon:
		g = collide.Separation(moved, *f.Polygon)
		if !f.TwoSided && g.Distance < 0 && !f.stops(moved.Bounds().Center(), g.Normal) {
			return g, false
		}
	case Capsule:
		g = collide.Separation(moved, f.Capsule)
	case Cylinder, Box, Hull, Mesh, Field:
		return f.gapToWorld(f.localGap(f.localShape(shape, t)), t), true
	case Plane:
	default:
		panic(unknownKind)
	}
	g.PointA, g.PointB = g.PointA.Add(origin), g.PointB.Add(origin)
	return g, true
}

// gapToWorld returns a gap in the frame of the surface at time t in the world's.
func (f *Surface) gapToWorld(g collide.Gap, t float64) collide.Gap {
	g.Normal = f.toWorld(g.Normal)
	g.PointA, g.PointB = f.toWorldPoint(g.PointA, t), f.toWorldPoint(g.PointB, t)
	return g
}

// Distance is Gap for queries. A shape that reaches through the facets of a one-sided mesh or
// height field from behind is at distance 0. Gap leaves these facets out.
func (f *Surface) Distance(shape collide.Convex, t float64) (collide.Gap, bool) {
	if kind := f.Kind(); f.Turning.On || kind != Mesh && kind != Field {
		return f.Gap(shape, t)
	}
	return f.gapToWorld(f.facetsGap(f.localShape(shape, t), true), t), true
}

// GapOfShape is [Surface.Gap] for a mover and surface or facet k.
func (w *Set) GapOfShape(m *Mover, k int32, t float64) (g collide.Gap, ok bool) {
	shape := collide.NewPlaced(m.Shape.Exact, m.at(t), collide.Quat{})
	if f := w.At(k); !IsFacet(k) {
		if f.Turning.On {
			return m.gapOf(&obstacle{f: f}, t)
		}
		return f.Gap(shape, t)
	}
	w.withFacet(k, func(f *Surface, facet collide.Facet) {
		if f.Turning.On {
			g, _ = m.gapOf(&obstacle{f: f, facet: facet, alone: true}, t)
			return
		}
		c := facet.Corners()
		g = collide.Separation(f.localShape(shape, t), collide.Triangle{A: c[0], B: c[1], C: c[2]})
		g.Normal = f.toWorld(g.Normal)
		g.PointA, g.PointB = f.toWorldPoint(g.PointA, t), f.toWorldPoint(g.PointB, t)
	})
	return g, true
}

// planeGap is Gap for a plane.
func (f *Surface) planeGap(shape collide.Convex, t float64) collide.Gap {
	plane := collide.Plane{Normal: f.Plane.Normal, Distance: f.Plane.Distance + float64(f.rate*t)}
	low, high := collide.ConvexHeights(shape, plane)
	if f.TwoSided && -low > high {
		plane = collide.Plane{Normal: plane.Normal.Neg(), Distance: -plane.Distance}
		low = -high
	}
	// The lowest point is where the shape would first touch a plane below it.
	below := plane
	below.Distance -= math.Abs(low) + f.Plane.Normal.MaxAbs()
	c, _ := collide.SweepConvexPlane(shape, plane.Normal.Neg(), below, collide.Vec3{}, math.Inf(1))
	a := c.Point.AddScaled(c.Time, plane.Normal)
	return collide.Gap{Distance: low, Normal: plane.Normal, PointA: a, PointB: a.AddScaled(-low, plane.Normal)}
}

// localShape returns a convex shape at time t in the frame of the surface.
func (f *Surface) localShape(shape collide.Convex, t float64) collide.Placed {
	return collide.NewPlaced(shape, f.toLocalDirection(f.origin(t).Neg()), f.inverse)
}

// contactToWorld returns a contact in the frame of the surface at time t in the world's.
func (f *Surface) contactToWorld(c collide.Contact, t float64) collide.Contact {
	c.Normal = f.toWorld(c.Normal)
	c.Point, c.CenterA = f.toWorldPoint(c.Point, t), f.toWorldPoint(c.CenterA, t)
	return c
}

// castTurned is Cast for the kinds that have a frame of their own.
func (f *Surface) castTurned(
	sphere collide.Sphere, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	sphere.Center, direction = f.toLocal(sphere.Center, t), f.toLocalDirection(direction)
	zero := collide.Vec3{}
	switch f.Kind() {
	case Mesh:
		if sphere.Radius == 0 {
			ray := collide.Ray{Origin: sphere.Center, Direction: direction}
			c, outcome := collide.RayCastMesh(ray, f.Mesh, distance)
			return f.contactToWorld(c.Contact, t), outcome
		}
		c, outcome := collide.SweepSphereMesh(sphere, direction, f.Mesh, zero, distance)
		return f.contactToWorld(c.Contact, t), outcome
	case Field:
		if sphere.Radius == 0 {
			ray := collide.Ray{Origin: sphere.Center, Direction: direction}
			c, outcome := collide.RayCastHeightField(ray, f.Field, distance)
			return f.contactToWorld(c.Contact, t), outcome
		}
		c, outcome := collide.SweepSphereHeightField(sphere, direction, f.Field, zero, distance)
		return f.contactToWorld(c.Contact, t), outcome
	case Plane, Polygon, Capsule, Cylinder, Box, Hull:
	}
	c, outcome := f.sweepLocal(sphere, direction, distance)
	return f.contactToWorld(c, t), outcome
}

// localGap returns the gap between a convex shape and the surface, in its frame.
func (f *Surface) localGap(shape collide.Placed) collide.Gap {
	switch f.Kind() {
	case Box:
		return collide.Separation(shape, collide.AABB{Min: f.Half.Neg(), Max: f.Half})
	case Cylinder:
		if ball, ok := shape.Shape.(collide.Sphere); ok {
			center := shape.Rotation.Rotate(ball.Center).Add(shape.Position)
			d, n, _ := f.nearest(center)
			return collide.Gap{
				Distance: d - ball.Radius, Normal: n,
				PointA: center.AddScaled(-ball.Radius, n), PointB: center.AddScaled(-d, n),
			}
		}
		return collide.Separation(shape, f.Hull)
	case Hull:
		return collide.Separation(shape, f.Hull)
	case Mesh, Field:
		return f.facetsGap(shape, false)
	case Plane, Polygon, Capsule:
	}
	panic(unknownKind)
}

// faceRounding is more than rounding: a fraction of the size of a shape, and the cosine of an angle
// that counts as a right one.
const faceRounding = 0x1p-30

// wayOutOfFace returns the gap of a shape that overlaps a facet along the normal of its face. The
// shortest way out of the facet alone may lead over an edge, into a neighbour.
func wayOutOfFace(shape collide.Placed, middle collide.Vec3, t collide.Facet) collide.Gap {
	n, on := t.Normal(), t.Corners()[0]
	lowest, highest := collide.ConvexHeights(shape, collide.Plane{Normal: n, Distance: n.Dot(on)})
	g := collide.Gap{Distance: lowest, Normal: n}
	if t.TwoSided() && -highest > lowest {
		g.Distance, g.Normal = -highest, n.Neg()
	}
	g.PointB, _ = t.Closest(middle)
	g.PointA = g.PointB.AddScaled(g.Distance, g.Normal)
	return g
}

// facetsGap is localGap for a mesh or height field: the gap to the nearest triangle. Of those that
// the shape overlaps, it is the deepest, and its way out leads over no inner edge: see
// [collide.Facet.AdmitsNormal]. Those that it overlaps from behind, where nothing is solid, are
// left out, or with behind at the smallest distance that is no overlap.
func (f *Surface) facetsGap(shape collide.Placed, behind bool) collide.Gap {
	bounds := shape.Bounds()
	middle := bounds.Center()
	var near collide.Vec3
	if f.Mesh != nil {
		near, _ = f.Mesh.ClosestPoint(middle)
	} else {
		near, _ = f.Field.ClosestPoint(middle)
	}
	best := collide.Gap{Distance: math.Inf(1)}
	shallow := float64(faceRounding * bounds.Size().MaxAbs()) // more than the overlap of what only touches
	// What is nearer to the shape than that point is within twice the way from the middle.
	f.eachFacetAt(nil, middle, middle.Distance(near)+float64(bounds.Size().Length()/2)+f.margin, func(t collide.Facet) {
		c := t.Corners()
		g := collide.Separation(shape, collide.Triangle{A: c[0], B: c[1], C: c[2]})
		if g.Distance < -shallow && t.Normal().Dot(g.Normal) >= -faceRounding && !t.AdmitsNormal(g.Normal) {
			g = wayOutOfFace(shape, middle, t)
		}
		if g.Distance < 0 && !t.TwoSided() {
			if n := t.Normal(); n.Dot(g.Normal) < 0 || n.Dot(middle.Sub(c[0])) < 0 {
				if !behind {
					return
				}
				g.Distance = math.SmallestNonzeroFloat64
			}
		}
		if g.Distance < best.Distance {
			best = g
		}
	})
	return best
}
