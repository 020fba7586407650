package statics

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/tiebreak"
)

// A surface that rotates is handled in a frame of its own, in which it is at rest: the frame that
// it has when the step begins. A question about it at time t is asked for the point of the shape
// that is there at time t, and the answer is rotated. So everything that knows a shape at rest
// serves shapes that rotate. Only the time of impact needs more: see collide.RotatingFrame.

// Turning is how a surface rotates in a step.
type Turning struct {
	On      bool         // the surface can rotate, and has a frame of its own, also while Angular is zero
	Angular collide.Vec3 // angular velocity, rad/s
	Pivot   collide.Vec3 // where the axis is when the step begins, m; it moves at the surface's Velocity
	Loaded  bool         // Angular may change within the step: see Set.Turn
}

// turned is what the surface keeps of its rotation in this step.
type turned struct {
	motion  collide.Rotating
	resting Surface // see Surface.resting
	stopped bool    // it has been stopped in this step
	until   float64 // time at which it was stopped, s
	reach   float64 // how far it may get out of its bounds in the next steps, m

	// If Angular has changed within the step, Rotation, Offset and motion are those that would have
	// brought the surface where it is at the present speed, and these are where it really began.
	changed  bool
	rotation collide.Quat
	origin   collide.Vec3
}

// prepareTurning makes room for the motion of a surface that can rotate. The memory belongs to its
// number.
func (f *Surface) prepareTurning() {
	if f.turned == nil {
		f.turned = new(turned)
	}
	*f.turned = turned{}
}

// moved returns the time at which the motion of the step is as far as the surface is at time t.
func (k *turned) moved(t float64) float64 {
	if k != nil && k.stopped {
		return min(t, k.until)
	}
	return t
}

// Rotates reports whether the surface can rotate.
func (f *Surface) Rotates() bool { return f.Turning.On }

// Turns reports whether the surface rotates in this step, or moves in a frame of its own.
func (f *Surface) Turns() bool { return f.Turning.On && f.Moves() }

// frame returns the frame of the shape: see collide.RotatingFrame. The points of a plane are those
// of the world.
func (f *Surface) frame() collide.RotatingFrame {
	return collide.RotatingFrame{Rotation: f.Rotation, Origin: f.Offset, Motion: f.turned.motion}
}

// Motion returns the frame of the surface in this step, and when it was stopped; +Inf for never.
func (f *Surface) Motion() (frame collide.RotatingFrame, until float64) {
	if f.turned.stopped {
		return f.frame(), f.turned.until
	}
	return f.frame(), math.Inf(1)
}

// Turn gives surface k, which rotates under load, another angular velocity from time t on. All
// predictions for it become void. After that the surface can only be asked about times from t on.
func (w *Set) Turn(k int32, angular collide.Vec3, t float64) {
	f := &w.surfaces[k]
	if f.turned.stopped {
		return
	}
	q, origin := f.pose(t)
	if !f.turned.changed {
		f.turned.changed, f.turned.rotation, f.turned.origin = true, f.Rotation, f.Offset
	}
	f.Turning.Angular, f.turned.motion.Angular = angular, angular
	m := &f.turned.motion
	f.Rotation, f.Offset = inverse(m.Rotation(t)).Mul(q).Normalized(), m.StartOf(origin, t)
	f.Stamp++
	w.queue(k)
}

// begin returns rotation and origin of the surface's frame when the step began.
func (f *Surface) begin() (collide.Quat, collide.Vec3) {
	if f.turned.changed {
		return f.turned.rotation, f.turned.origin
	}
	return f.Rotation, f.Offset
}

// deriveMotion computes how the surface moves in the step.
func (f *Surface) deriveMotion(seconds float64) {
	if f.turned.stopped || f.turned.changed {
		return
	}
	f.turned.motion = collide.Rotating{
		Pivot: f.Turning.Pivot, Velocity: f.Velocity, Angular: f.Turning.Angular, Seconds: seconds,
	}
	if !(seconds > 0) {
		f.turned.motion = collide.Rotating{Pivot: f.Turning.Pivot, Seconds: 1}
	}
}

// resting returns the surface in its own frame, at rest.
func (f *Surface) resting() Surface {
	g := Surface{Shape: f.Shape, margin: f.margin, Alive: true}
	g.Rotation, g.Offset, g.Velocity, g.Turning = collide.Quat{}, collide.Vec3{}, collide.Vec3{}, Turning{}
	if f.Kind() == Polygon {
		g.Plane = f.Polygon.Plane()
	}
	return g
}

// pose returns rotation and origin of the surface's frame at time t, or when it was stopped.
func (f *Surface) pose(t float64) (collide.Quat, collide.Vec3) {
	return f.frame().At(f.turned.moved(t))
}

// into returns a point of the world in a frame.
func into(q collide.Quat, origin, p collide.Vec3) collide.Vec3 {
	return inverse(q).Rotate(p.Sub(origin))
}

// inverse returns the opposite rotation.
func inverse(q collide.Quat) collide.Quat { return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }

// VelocityAt returns the velocity at time t of the point of the surface that is at p, m/s.
func (f *Surface) VelocityAt(p collide.Vec3, t float64) collide.Vec3 {
	if !f.Turning.On {
		return f.Velocity
	}
	if f.Turning.Angular == (collide.Vec3{}) {
		return f.Velocity // both are zero once it is stopped
	}
	return f.turned.motion.VelocityAt(p, t)
}

// Carried returns where a point that is at p at time from and moves with the surface is at time to.
func (f *Surface) Carried(p collide.Vec3, from, to float64) collide.Vec3 {
	if !f.Turning.On {
		return p.AddScaled(to-from, f.Velocity)
	}
	if f.turned.changed && from == 0 {
		q, origin := f.begin()
		p = into(q, origin, p)
		q, origin = f.pose(to)
		return q.Rotate(p).Add(origin)
	}
	m := &f.turned.motion
	return m.PointAt(m.StartOf(p, f.turned.moved(from)), f.turned.moved(to))
}

// Began returns where a point that is at p at time t and moves with the surface was when the step
// began.
func (f *Surface) Began(p collide.Vec3, t float64) collide.Vec3 {
	if !f.Turning.On {
		return p.AddScaled(-t, f.Velocity)
	}
	q, origin := f.pose(t)
	p = into(q, origin, p)
	q, origin = f.begin()
	return q.Rotate(p).Add(origin)
}

// PieceEnd returns the end of the piece of the step after time t in which the rotation is one
// interpolation: see collide.MaxRotationPiece. It is the end of the step for what doesn't rotate.
func (f *Surface) PieceEnd(t float64) float64 {
	n := f.Pieces()
	if n == 1 {
		return f.turned.motion.Seconds
	}
	seconds := f.turned.motion.Seconds / float64(n)
	// What is left of a piece that is over but for rounding doesn't count.
	return float64((math.Floor(t/seconds+0x1p-20) + 1) * seconds)
}

// Pieces returns into how many pieces the rotation of a step is divided.
func (f *Surface) Pieces() int {
	angle := float64(f.Turning.Angular.Length() * f.turned.motion.Seconds)
	if !(angle > collide.MaxRotationPiece) {
		return 1
	}
	return int(math.Ceil(angle / collide.MaxRotationPiece))
}

// Turned returns how far surface k rotated in the last step.
func (w *Set) Turned(k int32) collide.Quat {
	f := &w.surfaces[k]
	if !f.Turning.On || !(w.seconds > 0) {
		return collide.Quat{W: 1}
	}
	if f.turned.changed {
		q, _ := f.pose(w.seconds)
		return q.Mul(inverse(f.turned.rotation)).Normalized()
	}
	return f.turned.motion.Rotation(f.turned.moved(w.seconds))
}

// deriveRotating computes what follows from the rotation for a step of the given duration.
func (f *Surface) deriveRotating(seconds float64) {
	f.deriveMotion(seconds)
	f.Key += tiebreak.Hash(&f.Turning.Angular, &f.Turning.Pivot) +
		tiebreak.Hash(&collide.Vec3{X: f.Rotation.X, Y: f.Rotation.Y, Z: f.Rotation.Z}, &collide.Vec3{X: f.Rotation.W})
	switch f.Kind() {
	case Plane:
		return
	case Polygon:
		f.middle = f.Offset.Add(f.Rotation.Rotate(meanOfCorners(f.Polygon)))
	case Capsule:
		f.middle = f.Offset.Add(f.Rotation.Rotate(f.Capsule.A.Lerp(f.Capsule.B, 0.5)))
	case Cylinder, Box, Hull, Mesh, Field:
	default:
		panic(unknownKind)
	}
	f.growByRotation(f.ownBounds(), seconds)
}

// growByRotation computes the bounds of the surface over its rotation in the step, from the bounds
// in its own frame.
func (f *Surface) growByRotation(own collide.AABB, seconds float64) {
	if f.turned.stopped || f.turned.changed {
		return // the bounds of the whole step are still valid
	}
	// All points are within a ball around the pivot.
	pivot := f.Turning.Pivot
	p := into(f.Rotation, f.Offset, pivot)
	to, from := own.Max.Sub(p), p.Sub(own.Min)
	arm := collide.Vec3{X: max(to.X, from.X), Y: max(to.Y, from.Y), Z: max(to.Z, from.Z)}.Length()
	angle := float64(f.Turning.Angular.Length() * seconds)
	ball := collide.AABB{Min: pivot, Max: pivot}.Grow(arm)
	if angle < 1 && !f.Turning.Loaded {
		// No point moves by more than the arc.
		begin := f.bounds // those of the path of a shape that has turned to Rotation and doesn't rotate
		if k := f.Kind(); k == Polygon || k == Capsule {
			begin = turnedBounds(own, f.Rotation, f.Offset)
		}
		begin = begin.Grow(float64(arm * angle))
		ball.Min.X, ball.Max.X = max(ball.Min.X, begin.Min.X), min(ball.Max.X, begin.Max.X)
		ball.Min.Y, ball.Max.Y = max(ball.Min.Y, begin.Min.Y), min(ball.Max.Y, begin.Max.Y)
		ball.Min.Z, ball.Max.Z = max(ball.Min.Z, begin.Min.Z), min(ball.Max.Z, begin.Max.Z)
	}
	f.turned.reach = float64(arm * min(2, float64(stepsAhead*angle)))
	f.turned.reach += float64(f.Velocity.MaxAbs() * float64(stepsAhead*seconds))
	f.bounds = ball.Union(ball.Translate(f.Velocity.Scale(seconds)))
	f.margin += float64(roundingShare * (arm + pivot.MaxAbs()))
}

// withReach returns the box of a surface for the tree: tight, and what the surface may reach in the
// next steps. It also returns how large the box may be before it is replaced.
func (f *Surface) withReach(tight collide.AABB) (box, largest collide.AABB) {
	return tight.Grow(f.turned.reach), tight.Grow(float64(3 * f.turned.reach))
}

// turnedBounds returns the bounding box of a box that is rotated and moved.
func turnedBounds(own collide.AABB, q collide.Quat, origin collide.Vec3) collide.AABB {
	return collide.Box{
		Center: q.Rotate(own.Center()).Add(origin), Half: own.Size().Scale(0.5), Rotation: q,
	}.Bounds()
}

// sweepRotating is sweep for a surface that rotates, also for planes. What is inside by more than
// rounding is swept as a ball that is as much smaller: only what brings it deeper is an impact. In
// the frame of the surface its path is an arc, on which it may rise and come back.
func (f *Surface) sweepRotating(
	x, v collide.Vec3, radius, now, seconds float64,
) (t float64, n collide.Vec3, ok bool) {
	at := x.AddScaled(now, v)
	if gap, _, _ := f.separation(at, radius, now); gap > f.mostApproach(at, v, now, seconds) {
		return 0, n, false
	}
	ball := collide.Sphere{Center: x, Radius: radius}
	c, outcome := f.sweepInFrame(ball, v, now, seconds)
	if outcome != collide.Miss {
		if ball.Radius -= f.depthOf(at, radius, now); ball.Radius < radius {
			c, outcome = f.sweepInFrame(ball, v, now, seconds)
		}
	}
	return c.Time, c.Normal, outcome != collide.Miss
}

// mostApproach returns a bound of how much nearer a surface that rotates and a point at x that
// moves at v can come from now until the given end.
func (f *Surface) mostApproach(x, v collide.Vec3, now, seconds float64) float64 {
	arm := x.Sub(f.Turning.Pivot.AddScaled(now, f.Velocity))
	way := float64(v.Sub(f.Velocity).Length() * (seconds - now))
	angle := float64(f.Turning.Angular.Length() * (seconds - now))
	most := way + float64(angle*(arm.Length()+way))
	return float64(most*(1+approachSlack)) + float64(0x1p-40*(x.MaxAbs()+f.Turning.Pivot.MaxAbs()+arm.Length()))
}

// approachSlack is more than the 0.3 % by which the rate of rotation may exceed its mean.
const approachSlack = 0.01

// sweepInFrame sweeps a ball, whose centre is at ball.Center + t·v at time t, against a surface
// that rotates and has no facets.
func (f *Surface) sweepInFrame(
	ball collide.Sphere, v collide.Vec3, now, seconds float64,
) (c collide.Contact, outcome collide.Outcome) {
	frame := f.frameFrom(now, seconds)
	switch f.Kind() {
	case Plane:
		return frame.SweepPlane(ball, v, f.Plane, !f.TwoSided, now, seconds)
	case Polygon:
		return frame.SweepPolygon(ball, v, *f.Polygon, !f.TwoSided, now, seconds)
	case Box:
		return frame.SweepBox(ball, v, f.Half, now, seconds)
	case Capsule:
		return frame.SweepCapsule(ball, v, f.Capsule, now, seconds)
	case Hull:
		return frame.SweepHull(ball, v, f.Hull, now, seconds)
	case Cylinder:
		return frame.SweepCylinder(ball, v, f.cylinder(), now, seconds)
	case Mesh, Field: // firstBounded sweeps their facets
		return c, collide.Miss
	}
	panic(unknownKind)
}

// depthOf returns how deep a ball is in the surface at time t. It is 0 for what is in it by no more
// than rounding, and where the centre is in it, too: no smaller ball is less deep.
func (f *Surface) depthOf(x collide.Vec3, radius, t float64) float64 {
	ball := collide.Sphere{Center: x, Radius: radius}
	gap, _, _ := f.separation(x, radius, t)
	if gap > -radius && gap < -f.enterMargin(&ball, collide.Vec3{}) {
		return -gap
	}
	return 0
}

// frameFrom returns the frame of the surface for sweeps from now until the given end.
func (f *Surface) frameFrom(now, seconds float64) collide.RotatingFrame {
	frame := f.frame()
	if f.turned.stopped {
		frame.Rotation, frame.Origin = f.pose(now)
		frame.Motion = collide.Rotating{Pivot: frame.Origin, Seconds: frame.Motion.Seconds}
	}
	frame.Motion.Seconds = max(frame.Motion.Seconds, seconds)
	return frame
}

// sweepTurningFacets is sweepFacets for a surface that rotates. For what is inside see
// sweepRotating.
func (w *Set) sweepTurningFacets(
	k int32, x, v collide.Vec3, radius, now, depth float64, hit *impact,
	meets func(k int32) bool, hides Hides, inside func(k int32),
) (found bool) {
	f := &w.surfaces[k]
	ball := collide.Sphere{Center: x, Radius: radius}
	frame := f.frameFrom(now, w.seconds)
	until := w.seconds
	if hit.surface >= 0 {
		until = min(until, hit.time+float64(roundingShare*w.seconds))
	}
	start := collide.Sphere{Center: f.toLocal(x.AddScaled(now, v), now), Radius: radius}
	within := frame.Within(ball, v, now, until)
	depthIn := -1.0 // not known
	// Each facet is swept to the end of the step: the last digits of a time of impact depend on how
	// long the path is, and what is found must not depend on what was found before.
	f.eachFacetAt(nil, within.Center, within.Radius+f.margin, func(t collide.Facet) {
		q := f.facets + int32(t.ID())
		if depth < math.MaxFloat64 && facetStartsInside(nil, t, f.facetShape(), start, depth) {
			if _, _, ok := w.Touch(nil, q, x, radius, 0, hides); ok {
				inside(q)
			}
		}
		c, outcome := frame.SweepFacet(ball, v, t, now, w.seconds)
		if outcome != collide.Miss {
			if depthIn < 0 {
				depthIn = f.depthOf(x.AddScaled(now, v), radius, now)
			}
			if depthIn > 0 {
				c, outcome = frame.SweepFacet(collide.Sphere{Center: x, Radius: radius - depthIn}, v, t, now, w.seconds)
			}
		}
		if outcome == collide.Miss || !meets(q) {
			return
		}
		found = w.takeImpact(hit, impact{c.Time, q, c.Normal}, true, x, v, radius, now, hides) || found
	})
	return found
}

// separationRotating is separation for a surface that rotates.
func (f *Surface) separationRotating(
	x collide.Vec3, radius, t float64,
) (gap float64, n collide.Vec3, face bool) {
	q, origin := f.pose(t)
	g := &f.turned.resting
	gap, n, face = g.separation(into(q, origin, x), radius, 0)
	return gap, q.Rotate(n), face
}

// castRotating is Cast for a surface that rotates.
func (f *Surface) castRotating(
	sphere collide.Sphere, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	q, origin := f.pose(t)
	g := &f.turned.resting
	sphere.Center = into(q, origin, sphere.Center)
	c, outcome := g.Cast(sphere, inverse(q).Rotate(direction), distance, 0)
	return fromFrame(c, q, origin), outcome
}

// fromFrame returns a contact in a frame in that of the world.
func fromFrame(c collide.Contact, q collide.Quat, origin collide.Vec3) collide.Contact {
	c.Normal = q.Rotate(c.Normal)
	c.Point, c.CenterA = q.Rotate(c.Point).Add(origin), q.Rotate(c.CenterA).Add(origin)
	c.CenterB = q.Rotate(c.CenterB).Add(origin)
	return c
}

// placedIn returns a convex shape at time t in the surface's frame.
func (f *Surface) placedIn(shape collide.Convex, t float64) (collide.Placed, collide.Quat, collide.Vec3) {
	q, origin := f.pose(t)
	back := inverse(q)
	return collide.NewPlaced(shape, back.Rotate(origin.Neg()), back), q, origin
}

// castShapeRotating is CastShape for a surface that rotates.
func (f *Surface) castShapeRotating(
	shape collide.Convex, direction collide.Vec3, distance, t float64,
) (collide.Contact, collide.Outcome) {
	placed, q, origin := f.placedIn(shape, t)
	g := &f.turned.resting
	c, outcome := g.CastShape(placed, inverse(q).Rotate(direction), distance, 0)
	return fromFrame(c, q, origin), outcome
}

// gapRotating is Gap for a surface that rotates.
func (f *Surface) gapRotating(shape collide.Convex, t float64) (collide.Gap, bool) {
	placed, q, origin := f.placedIn(shape, t)
	r := &f.turned.resting
	g, ok := r.Gap(placed, 0)
	return fromGapFrame(g, q, origin), ok
}

// overlapsBoxRotating is OverlapsBox for a surface that rotates.
func (f *Surface) overlapsBoxRotating(box collide.AABB, t float64) bool {
	g, ok := f.gapRotating(box, t)
	return ok && g.Distance <= 0
}

// firstRotatingPlane is the part of First for a plane that rotates. The first impact so far is with
// surface at time first, with normal n.
func (w *Set) firstRotatingPlane(
	k int32, x, v *collide.Vec3, radius, now, depth, first float64, surface int32, n collide.Vec3,
	meets func(k int32) bool, inside func(k int32),
) (float64, int32, collide.Vec3) {
	f := &w.surfaces[k]
	if depth < math.MaxFloat64 {
		if gap, _ := f.Separation(*x, radius, 0); gap < -depth {
			inside(k)
		}
	}
	t, m, ok := f.sweepRotating(*x, *v, radius, now, w.seconds)
	if !ok || !meets(k) || t > first || t == first && f.Key >= w.surfaces[surface].Key {
		return first, surface, n
	}
	return t, k, m
}
