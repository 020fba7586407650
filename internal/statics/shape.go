package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Kind is the kind of a [Shape].
type Kind uint8

// The kinds of shape. Those with facets come last: tests make one of each of the others. Any kind
// is a plane, a polygon, a capsule, a solid ([Surface.isSolid]) or has facets ([Shape.HasFacets]).
const (
	Plane    Kind = iota // infinite: Shape.Plane
	Polygon              // Shape.Polygon
	Capsule              // Shape.Capsule, solid
	Cylinder             // Shape.Capsule with flat ends, solid
	Box                  // Shape.Half, solid
	Hull                 // Shape.Hull, solid
	Mesh                 // Shape.Mesh: facets
	Field                // Shape.Field: facets
)

// Shape describes a surface at the start of a step.
type Shape struct {
	Plane    collide.Plane    // of a polygon: its plane, without Offset; zero for a shape that lies in no plane
	Polygon  *collide.Polygon // nil for other kinds
	Capsule  collide.Capsule  // of radius 0 for other kinds than capsules and cylinders
	FlatEnds bool             // Capsule is a cylinder, without its round ends; Hull is then a prism around it
	Half     collide.Vec3     // of a box: half its sides, m; zero for other kinds
	Hull     *collide.Hull
	Mesh     *collide.Mesh
	Field    *collide.HeightField
	Turning  Turning
	Rotation collide.Quat // turns the points of a box, hull, mesh, field or polygon with Turning, before Offset
	Offset   collide.Vec3 // of a shape with bounds: from its points to where they are when the step begins, m
	TwoSided bool         // solid from both sides, as Mesh and Field say; otherwise only from where Plane.Normal points
	Velocity collide.Vec3 // m/s, constant in a step
	Sensor   bool         // reports overlaps and stops nothing
}

// Kind returns which shape it is.
func (f *Shape) Kind() Kind {
	switch {
	case f.Polygon != nil:
		return Polygon
	case f.Capsule.Radius > 0:
		if f.FlatEnds {
			return Cylinder
		}
		return Capsule
	case f.Mesh != nil:
		return Mesh
	case f.Half.X > 0:
		return Box
	case f.Hull != nil:
		return Hull
	case f.Field != nil:
		return Field
	}
	return Plane
}

const unknownKind = "statics: unknown kind of shape"

// Surface is a Shape and what follows from it for one step. Other packages only read it.
type Surface struct {
	Shape
	Stamp uint32 // counts changes of its path: an event predicted with an older stamp is void
	Key   uint32 // hash of its geometry for breaking ties, independent of its number
	Alive bool   // it has been put, and not removed

	middle    collide.Vec3 // mean of its corners or ends, where they are when the step begins; zero for a plane
	bounds    collide.AABB // over the whole step; undefined for a plane
	margin    float64      // m, larger than the rounding error of a distance to it; 0 for a plane
	rate      float64      // speed along Plane.Normal, m/s
	inverse   collide.Quat // the opposite of Rotation
	travelled collide.Vec3 // how far it had moved in this step before it was stopped; then Velocity is zero
	facets    int32        // the number of its first facet; 0 if it has none: see facet.go
	turned    *turned      // nil for what can't rotate
	queued    bool         // it is in Set.changed
	isMover   bool         // it is in Set.movers
	hasKey    bool         // Key and middle are those from when it was put, however it is stopped or turned since

	// derivedFor is the duration of the step for which all of this was derived, s. It is 0 if
	// something has changed since.
	derivedFor float64

	polytope *convex.Shape // what convex shapes meet, relative to origin; nil until one comes near
}

// roundingShare is the margin of quick tests, as a fraction of all coordinates: 8,000 roundings.
// Something that far from a shape is still tested exactly. A larger value costs time; a smaller one
// could miss a contact that exists by rounding.
const roundingShare = 0x1p-40

// Moves reports whether the surface moves in this step.
func (f *Surface) Moves() bool {
	return f.Alive && (f.Velocity != collide.Vec3{} || f.Turning.Angular != collide.Vec3{} || f.Turning.Loaded)
}

// Travelled returns how far the surface has moved since the step began, at time t.
func (f *Surface) Travelled(t float64) collide.Vec3 {
	if f.Turning.On {
		_, origin := f.pose(t)
		_, begin := f.begin()
		return origin.Sub(begin)
	}
	return f.travelled.AddScaled(t, f.Velocity)
}

// origin returns where the frame of a shape with bounds is at time t.
func (f *Surface) origin(t float64) collide.Vec3 {
	if f.Turning.On && f.turned.changed {
		_, origin := f.pose(t)
		return origin
	}
	return f.Offset.Add(f.Travelled(t))
}

// Middle returns a point that tells surfaces in one plane apart, such as the triangles of a square,
// whose bounds are the same: the mean of a polygon's corners or a capsule's ends at the start of
// the step, and zero for a plane.
func (f *Surface) Middle() collide.Vec3 { return f.middle }

// isPlane reports whether it is a plane and no sensor.
func (f *Surface) isPlane() bool { return f.Alive && f.Kind() == Plane && !f.Sensor }

// isPlaneSensor reports whether it is a plane and a sensor.
func (f *Surface) isPlaneSensor() bool { return f.Alive && f.Sensor && f.Kind() == Plane }

// isShapeSensor reports whether it is a sensor and no plane.
func (f *Surface) isShapeSensor() bool { return f.Alive && f.Sensor && f.Kind() != Plane }

// derive computes what follows from the shape for a step of the given duration.
func (f *Surface) derive(seconds float64) {
	f.rate = f.Plane.Normal.Dot(f.Velocity)
	f.Key = tiebreak.Hash(&f.Plane.Normal, &collide.Vec3{X: f.Plane.Distance})
	switch f.Kind() {
	case Plane:
	case Polygon:
		f.deriveBounds(f.Polygon.Bounds(), seconds)
		f.middle = f.Offset.Add(meanOfCorners(f.Polygon))
	case Capsule:
		f.deriveBounds(f.Capsule.Bounds(), seconds)
		a, b := f.Offset.Add(f.Capsule.A), f.Offset.Add(f.Capsule.B)
		f.middle = a.Lerp(b, 0.5)
		f.Key += tiebreak.Hash(&a, &b) // the diagonals of a box have the same bounds
	case Cylinder, Box, Hull, Mesh, Field:
		f.deriveTurned(seconds)
	default:
		panic(unknownKind)
	}
	if f.Turning.On {
		f.deriveRotating(seconds)
		f.turned.resting = f.resting()
	}
}

// meanOfCorners returns the mean of a polygon's corners in its own frame.
func meanOfCorners(g *collide.Polygon) (mean collide.Vec3) {
	for i := range g.Len() {
		mean = mean.Add(g.Corner(i))
	}
	return mean.Scale(1 / float64(g.Len()))
}

// deriveBounds computes bounds and margin of a shape from its bounds in its own frame, and adds
// them to its key.
func (f *Surface) deriveBounds(own collide.AABB, seconds float64) {
	b := own.Translate(f.Offset)
	if f.bounds = b; f.Velocity != (collide.Vec3{}) || f.travelled != (collide.Vec3{}) {
		now := b.Translate(f.travelled)
		f.bounds = now.Union(now.Translate(f.Velocity.Scale(seconds)))
	}
	// Rounding can move a computed contact by 2^-45 of the coordinates.
	sizes := own.Min.MaxAbs() + own.Max.MaxAbs() + f.Offset.MaxAbs() + float64(f.Velocity.MaxAbs()*seconds)
	f.margin = roundingShare * sizes
	c := b.Center()
	f.Key += tiebreak.Hash(&c, &b.Max)
}

// mayMeet is a quick test whether a ball may touch a shape with bounds within the given seconds.
// The ball moves at v from now on. If it returns false, the ball certainly keeps away from the
// shape, or does not approach its front.
func (f *Surface) mayMeet(ball *collide.Sphere, v collide.Vec3, now, within float64) bool {
	if f.Turning.On {
		return true // the sweep begins with a quick test
	}
	switch f.Kind() {
	case Polygon:
		height := f.Plane.Normal.Dot(ball.Center.Sub(f.origin(now))) - f.Plane.Distance
		rate := f.Plane.Normal.Dot(v) - f.rate
		rise := float64(rate * within)
		margin := f.margin + float64(roundingShare*(ball.Center.SumAbs()+ball.Radius+float64(v.SumAbs()*within)))
		if !f.TwoSided && (height < -margin || rise > margin) {
			return false
		}
		reach := ball.Radius + margin
		return !(height > reach && height+rise > reach || height < -reach && height+rise < -reach)
	case Plane, Capsule, Hull, Cylinder: // their sweeps begin with a quick test
		return true
	case Box:
		return f.mayMeetBox(ball, v, now, within)
	case Mesh, Field: // facets are tested one by one
		return true
	}
	panic(unknownKind)
}

// sweep returns the time at which a sphere first touches a shape with bounds, between now and the
// end of the step, the unit normal there, from the shape to the sphere, and whether that is the
// normal of a face. The sphere's centre is at x + t·v at time t.
func (f *Surface) sweep(
	x, v collide.Vec3, radius, now, seconds float64,
) (t float64, n collide.Vec3, face, ok bool) {
	if f.Turning.On {
		t, n, ok = f.sweepRotating(x, v, radius, now, seconds)
		return t, n, true, ok
	}
	ball := collide.Sphere{Center: x.AddScaled(now, v).Sub(f.origin(now)), Radius: radius} // in the shape's frame
	var c collide.Contact
	outcome := collide.Miss
	switch f.Kind() {
	case Plane: // first.go sweeps all planes together
	case Polygon:
		if f.TwoSided {
			c, outcome = collide.SweepSpherePolygon(ball, v, *f.Polygon, f.Velocity, seconds-now)
		} else {
			c, outcome = collide.SweepSpherePolygonFront(ball, v, *f.Polygon, f.Velocity, seconds-now)
		}
	case Capsule:
		c, outcome = collide.SweepSphereCapsule(ball, v, f.Capsule, f.Velocity, seconds-now)
	case Cylinder, Box, Hull:
		return f.sweepSolid(ball, v, now, seconds)
	case Mesh, Field: // firstBounded sweeps their facets
	default:
		panic(unknownKind)
	}
	if outcome == collide.Miss || !f.approaches(c.Normal, v) {
		return 0, collide.Vec3{}, false, false
	}
	return min(now+c.Time, seconds), c.Normal, f.isFaceNormal(c.Normal), true
}

// approachError bounds the rounding error of n·v - n·u. Something that approaches a surface no
// faster moves along it. There are three products and three sums for each term, every one rounded
// by half an ulp of at most |v| or |u|.
func approachError(n, v, u collide.Vec3) float64 {
	return float64(8*0x1p-53) * (v.SumAbs() + u.SumAbs())
}

// Separation returns the distance between a sphere at x and the surface as it is at time t,
// negative inside, and the unit normal there, from the surface to the sphere. Of a mesh it is that
// of the nearest facet.
func (f *Surface) Separation(x collide.Vec3, radius, t float64) (gap float64, n collide.Vec3) {
	gap, n, _ = f.separation(x, radius, t)
	return gap, n
}

// separation is Separation. It also reports whether a face is nearest, not an edge or a corner.
func (f *Surface) separation(x collide.Vec3, radius, t float64) (gap float64, n collide.Vec3, face bool) {
	if f.Turning.On {
		return f.separationRotating(x, radius, t)
	}
	switch f.Kind() {
	case Polygon:
		p := x.Sub(f.origin(t))
		height, n := f.Plane.Normal.Dot(p)-f.Plane.Distance, f.Plane.Normal
		behind := !f.TwoSided && height < 0 // there, nothing collides
		if behind {
			radius = 0
		}
		if f.Polygon.Covers(p) {
			if height < 0 {
				height, n = -height, n.Neg()
			}
			return height - radius, n, true
		}
		d := p.Sub(f.Polygon.ClosestPoint(p))
		if m, ok := d.Normalized(); ok {
			n = m
		}
		return d.Length() - radius, n, behind
	case Capsule:
		p := x.Sub(f.origin(t))
		q := collide.Segment{A: f.Capsule.A, B: f.Capsule.B}.ClosestPoint(p)
		n, ok := p.Sub(q).Normalized()
		if !ok {
			n = outOfAxis(f.Capsule.B.Sub(f.Capsule.A))
		}
		return p.Distance(q) - (radius + f.Capsule.Radius), n, true
	case Plane:
		h, n := f.Plane.Normal.Dot(x)-f.Plane.Distance-float64(f.rate*t), f.Plane.Normal
		if f.TwoSided && h < 0 {
			h, n = -h, n.Neg()
		}
		return h - radius, n, true
	case Cylinder, Box, Hull:
		d, n, face := f.nearest(f.toLocal(x, t))
		return d - radius, f.toWorld(n), face
	case Mesh, Field:
		return f.nearestFacet(x, radius, t)
	}
	panic(unknownKind)
}

// outOfAxis returns the unit normal of a capsule for a point on its axis: perpendicular to the
// axis, in the plane z = 0, and upwards, so that 2D scenes stay in 2D and bodies are not pushed
// down.
func outOfAxis(axis collide.Vec3) collide.Vec3 {
	n, ok := collide.Vec3{X: axis.Y, Y: -axis.X}.Normalized()
	if !ok {
		return collide.Vec3{Y: 1}
	}
	if n.Y < 0 || n.Y == 0 && n.X < 0 {
		return n.Neg()
	}
	return n
}

// startsInside reports whether a sphere at x overlaps the surface by more than depth at the start
// of the step.
func (f *Surface) startsInside(x collide.Vec3, radius, depth float64) bool {
	// A quick test: a sphere that far from a polygon's plane is at least as far from the polygon.
	if f.Kind() == Polygon && !(math.Abs(f.PlaneHeight(x))-f.margin < radius-float64(depth/2)) {
		return false
	}
	gap, _ := f.Separation(x, radius, 0)
	return gap < -depth
}

// PlaneHeight returns the signed distance of x from a polygon's plane at the start of the step. It
// is only for surfaces of the kind Polygon.
func (f *Surface) PlaneHeight(x collide.Vec3) float64 {
	return f.Plane.Normal.Dot(x.Sub(f.origin(0))) - f.Plane.Distance
}

// faces reports whether the centre of a sphere at x is above the interior of the surface, not
// beyond its edges, and at most reach above it at the start of the step. The edge of a tile towards
// which a ball rolls is no obstacle.
func (f *Surface) faces(x collide.Vec3, radius, reach float64) bool {
	switch f.Kind() {
	case Polygon:
		height := f.PlaneHeight(x)
		if f.TwoSided {
			height = math.Abs(height)
		}
		if height <= 0 || height > reach {
			return false
		}
		gap, _ := f.Separation(x, radius, 0)
		return math.Abs(gap+radius-height) <= f.margin
	case Capsule: // it has no edges
		gap, _ := f.Separation(x, radius, 0)
		return gap > -radius && gap+radius <= reach
	case Cylinder, Box, Hull:
		gap, _, face := f.separation(x, radius, 0)
		return face && gap > -radius && gap+radius <= reach
	case Plane, Mesh, Field:
		return true
	}
	panic(unknownKind)
}

// Height returns the distance of a sphere's centre from a plane at time t, negative behind it
// unless the plane is two-sided, and the rate at which it grows. The centre is at x + t·v. It is
// only for surfaces of the kind Plane.
func (f *Surface) Height(x, v collide.Vec3, t float64) (height, rate float64) {
	rate = f.Plane.Normal.Dot(v) - f.rate
	height = f.Plane.Normal.Dot(x) - f.Plane.Distance + float64(rate*t)
	if f.TwoSided && height < 0 {
		return -height, -rate
	}
	return height, rate
}

// NormalTo returns the normal of a plane at time t, on the side of p. It is only for surfaces of
// the kind Plane.
func (f *Surface) NormalTo(p collide.Vec3, t float64) collide.Vec3 {
	n := f.Plane.Normal
	if f.TwoSided && n.Dot(p)-f.Plane.Distance-float64(f.rate*t) < 0 {
		return n.Neg()
	}
	return n
}

// Cast returns the contact of a sphere that moves along a unit vector with the surface as it is at
// time t.
func (f *Surface) Cast(
	sphere collide.Sphere, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	if f.Turning.On {
		return f.castRotating(sphere, direction, distance, t)
	}
	switch f.Kind() {
	case Polygon:
		origin := f.origin(t)
		sphere.Center = sphere.Center.Sub(origin)
		sweep := collide.SweepSpherePolygon
		if !f.TwoSided {
			sweep = collide.SweepSpherePolygonFront
		}
		c, outcome := sweep(sphere, direction, *f.Polygon, collide.Vec3{}, distance)
		c.Point, c.CenterA = c.Point.Add(origin), c.CenterA.Add(origin)
		return c, outcome
	case Capsule:
		origin := f.origin(t)
		sphere.Center = sphere.Center.Sub(origin)
		c, outcome := collide.SweepSphereCapsule(sphere, direction, f.Capsule, collide.Vec3{}, distance)
		c.Point, c.CenterA = c.Point.Add(origin), c.CenterA.Add(origin)
		return c, outcome
	case Cylinder, Box, Hull, Mesh, Field:
		return f.castTurned(sphere, direction, distance, t)
	case Plane:
		plane := collide.Plane{Normal: f.Plane.Normal, Distance: f.Plane.Distance + float64(f.rate*t)}
		if f.TwoSided {
			return collide.SweepSpherePlane(sphere, direction, plane, collide.Vec3{}, distance)
		}
		return castHalfSpace(sphere, direction, plane, distance)
	}
	panic(unknownKind)
}

// castHalfSpace casts a sphere against the half-space behind a plane. A sphere that starts inside
// overlaps it, at any depth.
func castHalfSpace(
	sphere collide.Sphere, direction collide.Vec3, plane collide.Plane, distance float64,
) (collide.Contact, collide.Outcome) {
	if plane.SignedDistance(sphere.Center) >= sphere.Radius {
		// A point on the surface counts as in front of it.
		return collide.SweepSpherePlaneFront(sphere, direction, plane, collide.Vec3{}, distance)
	}
	if plane.Normal.Dot(direction) >= 0 {
		return collide.Contact{}, collide.Miss
	}
	point := sphere.Center.AddScaled(-sphere.Radius, plane.Normal)
	return collide.Contact{Point: point, Normal: plane.Normal, CenterA: sphere.Center}, collide.Overlap
}

// OverlapsBox reports whether a box overlaps or touches the surface as it is at time t. A one-sided
// plane counts as the half-space behind it, and a box with its middle behind a one-sided polygon
// doesn't overlap that, as in Gap.
func (f *Surface) OverlapsBox(box collide.AABB, t float64) bool {
	if f.Turning.On {
		return f.overlapsBoxRotating(box, t)
	}
	switch f.Kind() {
	case Polygon:
		moved := box.Translate(f.origin(t).Neg())
		height, reach := f.span(moved)
		return !(height > reach || height < -reach || !f.TwoSided && height < 0) &&
			collide.OverlapAABBPolygon(moved, *f.Polygon)
	case Capsule:
		return collide.OverlapAABBCapsule(box.Translate(f.origin(t).Neg()), f.Capsule)
	case Plane:
		height, reach := f.span(box.Translate(f.Velocity.Scale(-t))) // Stop has changed Plane.Distance
		return !(height > reach || f.TwoSided && height < -reach)
	case Cylinder, Box, Hull, Mesh, Field:
		g, _ := f.Gap(box, t)
		return g.Distance <= 0
	}
	panic(unknownKind)
}

// span returns the signed distance of a box's centre from the plane, and the half-extent of the box
// along the plane's normal.
func (f *Surface) span(box collide.AABB) (height, reach float64) {
	half, n := box.Max.Sub(box.Min).Scale(0.5), f.Plane.Normal
	reach = float64(half.X*math.Abs(n.X)) + float64(half.Y*math.Abs(n.Y)) + float64(half.Z*math.Abs(n.Z))
	return f.Plane.SignedDistance(box.Center()), reach
}
