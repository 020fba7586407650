package exact

import "github.com/dango-physics/dango/collide"

// Cloud is a convex shape: all points that are at most Radius away from the convex hull of Points,
// which are relative to Origin.
type Cloud struct {
	Origin collide.Vec3
	Points []collide.Vec3
	Radius float64
}

// Convex is the reference of [collide.Sweep], without a horizon. It knows nothing about edges and
// faces: it tests the hulls of all pairs of points, and of all triples. Their number grows with the
// third power of the product of the numbers of points.
func Convex(a Cloud, va collide.Vec3, b Cloud, vb collide.Vec3) Result {
	v, r := OfVec(va).Sub(OfVec(vb)), Of(a.Radius).Add(Of(b.Radius))
	shift := OfVec(b.Origin).Sub(OfVec(a.Origin))
	var points []Vec // of the set of differences of a point of b and a point of a
	for _, p := range a.Points {
		for _, q := range b.Points {
			points = append(points, shift.Add(OfVec(q).Sub(OfVec(p))))
		}
	}
	if r.Sign() == 0 {
		return polytopes(a, b, shift, v)
	}
	return sphereHull(points, v, r)
}

// sphereHull sweeps a sphere of radius r from the origin against the convex hull of points.
func sphereHull(points []Vec, v Vec, r Num) Result {
	n := len(points)
	var nearest Vec
	var nearestTimes Num
	var best Result
	first, inside, solid, near := true, true, false, false
	offer := func(corners ...Vec) {
		s := surface{corners: corners, normal: OfVec(collide.Vec3{})}
		if len(corners) == 3 {
			s.normal = corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0]))
			if s.normal.Dot(s.normal).Sign() == 0 {
				return
			}
			if inside {
				inside = s.notBeyond(points)
				solid = true
			}
		}
		d, times := s.fromNearest(OfVec(collide.Vec3{}))
		if first || d.Dot(d).Mul(nearestTimes.Mul(nearestTimes)).Cmp(nearest.Dot(nearest).Mul(times.Mul(times))) < 0 {
			nearest, nearestTimes, first = d, times, false
		}
		result := s.sweepFrom(v, r)
		near = near || result.Close
		if result.Outcome == collide.Hit && (best.Outcome == collide.Miss || result.Time.Cmp(best.Time) < 0) {
			best = result
		}
	}
	for i := range n {
		offer(points[i], points[i])
		for j := range i {
			offer(points[i], points[j])
			for k := range j {
				offer(points[i], points[j], points[k])
			}
		}
	}
	if inside && solid || nearest.Dot(nearest).Sign() == 0 {
		return Result{Outcome: collide.Overlap}
	}
	if result, done := judge(nearest, v, r.Mul(r).Mul(nearestTimes).Mul(nearestTimes)); done {
		return result
	}
	best.Close = near
	return best
}

// notBeyond reports whether the origin may be inside the hull of the points: they lie on both sides
// of the surface's plane, or strictly on the side of the origin.
func (s surface) notBeyond(points []Vec) bool {
	up, down := false, false
	for _, p := range points {
		h := s.normal.Dot(p.Sub(s.corners[0])).Sign()
		up, down = up || h > 0, down || h < 0
	}
	at := s.normal.Dot(s.corners[0]).Sign() // the opposite of the origin's height
	return up && down || at > 0 && down || at < 0 && up
}

// polytopes sweeps two convex hulls of points without radii, at least one of which has a volume.
func polytopes(a, b Cloud, shift, v Vec) Result {
	var axes []Vec
	var edges [2][]Vec
	for s, c := range [2]Cloud{a, b} {
		for i := range c.Points {
			for j := range i {
				e := OfVec(c.Points[j]).Sub(OfVec(c.Points[i]))
				edges[s] = append(edges[s], e)
				for k := range j {
					axes = append(axes, e.Cross(OfVec(c.Points[k]).Sub(OfVec(c.Points[i]))))
				}
			}
		}
	}
	for _, e := range edges[0] {
		for _, f := range edges[1] {
			axes = append(axes, e.Cross(f))
		}
	}
	var enter, leave Num
	entered, left := false, false
	for _, n := range axes {
		if n.Dot(n).Sign() == 0 {
			continue
		}
		lowA, highA := span(a.Points, n)
		lowB, highB := span(b.Points, n)
		at, rate := n.Dot(shift), n.Dot(v)
		low, high := lowA.Sub(highB).Sub(at), highA.Sub(lowB).Sub(at)
		if rate.Sign() > 0 {
			low, high, rate = high.Neg(), low.Neg(), rate.Neg()
		}
		if rate.Sign() == 0 {
			if low.Sign() >= 0 || high.Sign() <= 0 {
				return Result{}
			}
			continue
		}
		t, u := low.Div(rate.Neg()), high.Div(rate.Neg())
		if !entered || t.Cmp(enter) > 0 {
			enter, entered = t, true
		}
		if !left || u.Cmp(leave) < 0 {
			leave, left = u, true
		}
	}
	switch {
	case !entered:
		return Result{Outcome: collide.Overlap}
	case enter.Sign() < 0 && leave.Sign() > 0:
		return Result{Outcome: collide.Overlap}
	case enter.Sign() < 0 || enter.Cmp(leave) >= 0:
		return Result{}
	}
	return Result{Outcome: collide.Hit, Time: enter}
}

// span returns the extreme heights of the points along n.
func span(points []collide.Vec3, n Vec) (low, high Num) {
	for k, p := range points {
		h := n.Dot(OfVec(p))
		if k == 0 || h.Cmp(low) < 0 {
			low = h
		}
		if k == 0 || h.Cmp(high) > 0 {
			high = h
		}
	}
	return low, high
}
