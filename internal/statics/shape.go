package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// Kind says which shape a [Shape] has.
type Kind uint8

// The kinds of shape.
const (
	Plane   Kind = iota // endless: Shape.Plane
	Polygon             // Shape.Polygon
)

// Shape says what a surface is when a step begins.
type Shape struct {
	Plane    collide.Plane    // of a polygon: the plane that it is in, without Offset
	Polygon  *collide.Polygon // nil for a plane
	Offset   collide.Vec3     // of a polygon: from its corners to where they are when the step begins, metres
	TwoSided bool             // it stops what comes from either side, and not only from where Plane.Normal points
	Velocity collide.Vec3     // metres per second, constant in a step
	Sensor   bool             // nothing stops at it
}

// Kind returns which shape it is.
func (f *Shape) Kind() Kind {
	if f.Polygon != nil {
		return Polygon
	}
	return Plane
}

const unknownKind = "statics: unknown kind of shape"

// Surface is a Shape and what follows from it for one step. It is read only outside of this
// package.
type Surface struct {
	Shape
	Stamp uint32 // counts its paths: an event predicted with an older stamp is void
	Key   uint32 // from its geometry alone, for ties: it doesn't depend on the order in which surfaces were made
	Alive bool   // it has been put, and not removed

	bounds    collide.AABB // over the whole step; undefined for a plane
	margin    float64      // metres, above what rounding can do to a distance from it; 0 for a plane
	rate      float64      // speed along Plane.Normal, m/s
	travelled collide.Vec3 // how far it had moved in this step before it was stopped; then Velocity is zero
	queued    bool         // it is in Set.changed
}

// roundingShare is how far beside a shape something may be and still be asked whether it touches,
// as a fraction of all coordinates: 8,000 roundings. A larger value costs time; a smaller one
// could miss a touch that is computed as one.
const roundingShare = 0x1p-40

// Moves reports whether the surface moves in this step.
func (f *Surface) Moves() bool { return f.Alive && f.Velocity != collide.Vec3{} }

// Travelled returns how far the surface has moved since the step began, at time t.
func (f *Surface) Travelled(t float64) collide.Vec3 { return f.travelled.AddScaled(t, f.Velocity) }

// origin returns where the frame of a shape with bounds is at time t.
func (f *Surface) origin(t float64) collide.Vec3 { return f.Offset.Add(f.Travelled(t)) }

// isPlane reports whether it is a plane that stops things.
func (f *Surface) isPlane() bool { return f.Alive && f.Kind() == Plane && !f.Sensor }

// isSensor reports whether it is a sensor.
func (f *Surface) isSensor() bool { return f.Alive && f.Sensor }

// derive works out what follows from the shape for a step of so many seconds.
func (f *Surface) derive(seconds float64) {
	f.rate = f.Plane.Normal.Dot(f.Velocity)
	f.Key = tiebreak.Hash(&f.Plane.Normal, &collide.Vec3{X: f.Plane.Distance})
	switch f.Kind() {
	case Plane:
	case Polygon:
		f.deriveBounds(f.Polygon.Bounds(), seconds)
	}
}

// deriveBounds sets the bounds and the margin of a shape that has bounds in its own frame, and
// adds them to its key.
func (f *Surface) deriveBounds(own collide.AABB, seconds float64) {
	b := own.Translate(f.Offset)
	now := b.Translate(f.travelled)
	f.bounds = now.Union(now.Translate(f.Velocity.Scale(seconds)))
	// A touch may be computed 2^-45 of the coordinates beside the corners.
	sizes := own.Min.MaxAbs() + own.Max.MaxAbs() + f.Offset.MaxAbs() + float64(f.Velocity.MaxAbs()*seconds)
	f.margin = roundingShare * sizes
	c := b.Center()
	f.Key += tiebreak.Hash(&c, &b.Max)
}

// mayMeet reports whether a ball may touch a shape with bounds within so many seconds. The ball
// moves at v from now on. It says no only where the ball surely stays clear of it, or can't come
// to it from the front.
func (f *Surface) mayMeet(ball *collide.Sphere, v collide.Vec3, now, within float64) bool {
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
	default:
		return true
	}
}

// sweep returns when a sphere first touches a shape with bounds between now and the end of the
// step, and the normal there, from the shape to the sphere. The sphere's centre is at x + t·v at
// time t.
func (f *Surface) sweep(x, v collide.Vec3, radius, now, seconds float64) (t float64, n collide.Vec3, ok bool) {
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
	}
	approach := -(c.Normal.Dot(v) - c.Normal.Dot(f.Velocity))
	if outcome == collide.Miss || approach <= approachError(c.Normal, v, f.Velocity) {
		return 0, collide.Vec3{}, false
	}
	return min(now+c.Time, seconds), c.Normal, true
}

// approachError bounds the rounding error of n·v - n·u. What approaches a surface no faster than
// that moves along it. There are three products and three sums for each, every one rounded by
// half an ulp of at most |v| or |u|.
func approachError(n, v, u collide.Vec3) float64 {
	return float64(8*0x1p-53) * (v.SumAbs() + u.SumAbs())
}

// Separation returns how far a sphere at x is from the surface as it is at time t, negative
// inside, and the normal there, from the surface to the sphere.
func (f *Surface) Separation(x collide.Vec3, radius, t float64) (gap float64, n collide.Vec3) {
	switch f.Kind() {
	case Polygon:
		p := x.Sub(f.origin(t))
		q := f.Polygon.ClosestPoint(p)
		n, ok := p.Sub(q).Normalized()
		front := f.Polygon.Plane().SignedDistance(p) >= 0
		if !ok {
			n = f.Plane.Normal
		}
		if !f.TwoSided && !front {
			return p.Distance(q), n // what is behind it passes through
		}
		return p.Distance(q) - radius, n
	case Plane:
		h, n := f.Plane.Normal.Dot(x)-f.Plane.Distance-float64(f.rate*t), f.Plane.Normal
		if f.TwoSided && h < 0 {
			h, n = -h, n.Neg()
		}
		return h - radius, n
	}
	panic(unknownKind)
}

// startsInside reports whether a sphere at x is inside the surface by more than depth when the
// step begins.
func (f *Surface) startsInside(x collide.Vec3, radius, depth float64) bool {
	// What is that far from a polygon's plane is as far from the polygon: most spheres rest on
	// it, or beside.
	if f.Kind() == Polygon && !(math.Abs(f.PlaneHeight(x))-f.margin < radius-float64(depth/2)) {
		return false
	}
	gap, _ := f.Separation(x, radius, 0)
	return gap < -depth
}

// PlaneHeight returns how far x is in front of the plane that a polygon is in, when the step
// begins.
func (f *Surface) PlaneHeight(x collide.Vec3) float64 {
	return f.Plane.Normal.Dot(x.Sub(f.origin(0))) - f.Plane.Distance
}

// faces reports whether a sphere at x is above the inside of the surface, and not beyond its
// edges, with its centre at most reach above it when the step begins. The edge of a tile that a
// ball rolls towards isn't in its way.
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
	default:
		return true
	}
}

// Height returns how far the centre of a sphere is in front of a plane at time t, and how fast it
// leaves the plane; from behind too if the plane has two sides. The centre is at x + t·v.
func (f *Surface) Height(x, v collide.Vec3, t float64) (height, rate float64) {
	rate = f.Plane.Normal.Dot(v) - f.rate
	height = f.Plane.Normal.Dot(x) - f.Plane.Distance + float64(rate*t)
	if f.TwoSided && height < 0 {
		return -height, -rate
	}
	return height, rate
}

// NormalTo returns the normal of a plane at time t, on the side of p.
func (f *Surface) NormalTo(p collide.Vec3, t float64) collide.Vec3 {
	n := f.Plane.Normal
	if f.TwoSided && n.Dot(p)-f.Plane.Distance-float64(f.rate*t) < 0 {
		return n.Neg()
	}
	return n
}

// Cast returns what a sphere meets of the surface as it is at time t, on its way along the unit
// vector direction.
func (f *Surface) Cast(
	sphere collide.Sphere, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
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
	case Plane:
		plane := collide.Plane{Normal: f.Plane.Normal, Distance: f.Plane.Distance + float64(f.rate*t)}
		if f.TwoSided {
			return collide.SweepSpherePlane(sphere, direction, plane, collide.Vec3{}, distance)
		}
		return castHalfSpace(sphere, direction, plane, distance)
	}
	panic(unknownKind)
}

// castHalfSpace casts a sphere against everything behind a plane: a sphere that starts in there
// overlaps, however deep.
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

// OverlapsBox reports whether a box overlaps or touches the surface as it is at time t, or what
// is behind a plane with one side.
func (f *Surface) OverlapsBox(box collide.AABB, t float64) bool {
	switch f.Kind() {
	case Polygon:
		moved := box.Translate(f.origin(t).Neg())
		height, reach := f.span(moved)
		return !(height > reach || height < -reach) && collide.OverlapAABBPolygon(moved, *f.Polygon)
	case Plane:
		height, reach := f.span(box.Translate(f.Velocity.Scale(-t))) // where it was stopped is in Plane.Distance
		return !(height > reach || f.TwoSided && height < -reach)
	}
	panic(unknownKind)
}

// span returns how far the centre of a box is in front of the plane, and how far the box reaches
// from there along the normal, to the nearest and to the farthest of its corners.
func (f *Surface) span(box collide.AABB) (height, reach float64) {
	half, n := box.Max.Sub(box.Min).Scale(0.5), f.Plane.Normal
	reach = float64(half.X*math.Abs(n.X)) + float64(half.Y*math.Abs(n.Y)) + float64(half.Z*math.Abs(n.Z))
	return f.Plane.SignedDistance(box.Center()), reach
}
