package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// A pairQuery finds the bodies whose straight paths touch the path of one body. It is the first
// test of a pair, without a square root, and errs on the side of too many; predictImpact decides.
//
// Assembly reads it field by field.
type pairQuery struct {
	x, v   collide.Vec3 // the body's path: its centre is at x + t·v
	radius float64

	now       float64 // touches before now don't count, seconds into the step
	until     lanes   // the end of the step
	untilLess lanes   // until·less
	less      lanes   // slightly less than 1: makes room for rounding
	more      lanes   // slightly more than 1

	// keep is one of the two values below. Pairs whose squared distance is less than keep times the
	// square of the sum of their radii are found whatever their motion.
	keep float64

	// wide is 0 if all paths are straight. Otherwise they are off their chords by up to bulge, and
	// the square of a sum of radii with twice that is at most wide times the square without. Then
	// all pairs are found that come that close, also those that recede.
	wide, bulge float64

	inAssembly bool // testNeighborhood can use it

	// For assembly: body 0, and what follows it in its cell. Those of body i are i places on.
	bodies *body
	next   *int32
}

// lanes are four copies of a number, for assembly that tests four pairs at once.
type lanes [4]float64

func copies(x float64) lanes { return lanes{x, x, x, x} }

// Values of pairQuery.keep: which overlapping pairs a query finds whatever their motion.
const (
	maybeOverlapping = 1 - 0x1p-44 // all that could overlap by more than overlapTolerance: noteOverlap decides
	neverOverlapping = -1.0        // none
)

// setStep prepares the query for a step of that duration, in seconds.
func (q *pairQuery) setStep(seconds float64) {
	// Rounding adds up to less than 2^-49 of the largest term. A margin of 2^-46 is on the safe
	// side.
	const less, more = 1 - 0x1p-46, 1 + 0x1p-46
	q.until, q.untilLess, q.less, q.more = copies(seconds), copies(seconds*less), copies(less), copies(more)
}

// setTime sets the time from which touches count, and maybeOverlapping or neverOverlapping.
func (q *pairQuery) setTime(now, keep float64) {
	q.now, q.keep = now, keep
	if q.wide > 0 {
		if q.keep = q.more[0]; now > 0 { // what touched before and recedes now may come back
			q.now = -0x1p930
		}
	}
}

// maxWide is the largest value of wide for the whole of a scene. Where the smallest body is so
// small that it would be larger, bodies are tested one by one with the right radius. A larger value
// lets more pairs of large bodies pass the test; with a smaller one, fewer scenes are tested
// quickly.
const maxWide = 1.5

// widenQuery prepares the query for the bodies and the arcs of the step.
func (s *Space) widenQuery() {
	q := &s.query
	if len(s.bodies) > 0 {
		q.bodies, q.next = &s.bodies[0], s.grid.Next()
	}
	if q.wide, q.bulge, q.inAssembly = 0, 0, hasAVX2 && s.shapedBodies == 0; len(s.bends) == 0 {
		return
	}
	wider := 1 + s.bulge/s.leastRadius
	q.wide, q.bulge = float64(wider*wider*(1+0x1p-40)), s.bulge
	if q.inAssembly = q.inAssembly && q.wide <= maxWide; q.wide <= maxWide {
		q.more = copies(q.more[0] * q.wide)
	}
}

// setBody sets the body whose path is tested.
func (q *pairQuery) setBody(b *body) {
	// Field by field: b was mostly just written field by field, and a wider read would have to wait
	// until those writes have reached the cache.
	q.x.X, q.x.Y, q.x.Z = b.x.X, b.x.Y, b.x.Z
	q.v.X, q.v.Y, q.v.Z = b.v.X, b.v.Y, b.v.Z
	q.radius = b.radius
}

// filterPairs appends to out the bodies of near whose paths, from now to the end of the step, could
// touch the path of body i. keep is maybeOverlapping or neverOverlapping. near must have capacity
// for padding more.
func (s *Space) filterPairs(i int32, now, keep float64, near, out []int32) []int32 {
	if s.shapedBodies > 0 {
		return s.filterShapes(i, now, near, out)
	}
	q := &s.query
	q.setBody(&s.bodies[i])
	q.setTime(now, keep)
	if q.wide > maxWide {
		q.radius += float64(2 * q.bulge * (1 + 0x1p-40))
		return q.filterGo(s.bodies, near, out)
	}
	return q.filter(s.bodies, i, near, out)
}

// filterGo is filter without assembly. The query's numbers are in local variables, since a write to
// out could change the query for all that the compiler knows, and it would load them again for each
// pair. The only branch is the last one, because whether one of the conditions holds is
// unpredictable, but few pairs pass all of them.
func (q *pairQuery) filterGo(bodies []body, near, out []int32) []int32 {
	x, v, radius := q.x, q.v, q.radius
	now, keep, until, untilLess, less, more := q.now, q.keep, q.until[0], q.untilLess[0], q.less[0], q.more[0]
	for _, j := range near {
		b := &bodies[j]
		dx, dy, dz := x.X-b.x.X, x.Y-b.x.Y, x.Z-b.x.Z
		wx, wy, wz := v.X-b.v.X, v.Y-b.v.Y, v.Z-b.v.Z
		r := radius + b.radius
		// |d + t·w|² = r², that is a·t² + 2h·t + c = 0.
		a := float64(wx*wx) + float64(wy*wy) + float64(wz*wz)
		h := float64(dx*wx) + float64(dy*wy) + float64(dz*wz)
		dd := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
		rr := float64(r * r)
		c := float64(dd*less) - float64(rr*more)
		approach := math.Float64bits(h + float64(a*now))              // < 0 if they approach now
		root := math.Float64bits(float64(h*h) - float64(a*c))         // < 0 if they never touch
		closest := h + float64(a*untilLess)                           // < 0 if they still approach at the end
		gap := math.Float64bits(c + float64(until*(h+closest)))       // < 0 if they overlap at the end
		overlap := math.Float64bits(dd - float64(rr*keep))            // < 0 if they are found whatever their motion
		hits := approach &^ root & (gap | ^math.Float64bits(closest)) // its sign bit, as of all of these
		if int64(hits|overlap) < 0 {
			out = append(out, j)
		}
	}
	return out
}
