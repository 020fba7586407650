package sweeps

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
)

type vec = collide.Vec3

// piece is a part of a target: a convex shape, unless plane or axis says otherwise.
type piece struct {
	exact.Cloud
	// normal is the front of a one-sided piece. Zero if both sides are solid.
	normal vec
	// plane has the plane through the only point, perpendicular to normal; solid behind if half.
	plane, half, twoSided bool
	// flat has the polygon between the points. wobble is how far they may be off a plane.
	flat   bool
	wobble float64
	// cylinder has the solid between two points, at most wide away from their line.
	cylinder bool
	wide     float64
}

// motion is the way of a relative to b: by v·t + acceleration·t²/2.
type motion struct{ v, acceleration vec }

func (m motion) at(t float64) vec { return m.v.Scale(t).AddScaled(t*t/2, m.acceleration) }

func (m motion) velocity(t float64) vec { return m.v.AddScaled(t, m.acceleration) }

// nearest returns the vector from the nearest point of b's core to that of a's core, with a moved
// by shift, and the largest of the coordinates that it was computed from. The cores are without
// their radii. A zero vector says that they overlap, or that a is behind a plane. The plane at
// apart along d separates the cores, whether rounding has found the nearest points or not.
func nearest(a *exact.Cloud, b *piece, shift vec, room *[]vec) (d vec, apart, size float64) {
	// Differences of large coordinates first, so that small ones keep their digits.
	between := func(p, q vec) vec {
		if a.Origin == (vec{}) {
			return p.Sub(b.Origin).Sub(q).Add(shift)
		}
		return a.Origin.Sub(b.Origin).Sub(q).Add(p).Add(shift)
	}
	switch {
	case b.plane:
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range a.Points {
			x := between(p, b.Points[0])
			h := b.normal.Dot(x)
			low, high = min(low, h), max(high, h)
			size = max(size, x.MaxAbs(), p.MaxAbs(), b.Points[0].MaxAbs())
		}
		if low > 0 {
			return b.normal.Scale(low), low, size
		}
		if high < 0 && b.twoSided {
			return b.normal.Scale(high), -high, size
		}
		return vec{}, 0, size
	case b.cylinder:
		axis, _ := b.Points[1].Sub(b.Points[0]).Normalized()
		p := between(a.Points[0], b.Points[0])
		length, height := b.Points[1].Distance(b.Points[0]), p.Dot(axis)
		off := p.AddScaled(-height, axis)
		along, around := height-max(0, min(height, length)), off.Length()
		d = axis.Scale(along)
		if around > b.wide {
			d = d.AddScaled(1-b.wide/around, off)
		}
		return d, d.Length(), p.MaxAbs() + length + b.wide
	}
	points := (*room)[:0]
	for _, p := range a.Points {
		for _, q := range b.Points {
			points = append(points, between(p, q))
		}
	}
	*room = points
	for _, p := range points {
		size = max(size, p.MaxAbs())
	}
	if d = nearestOfHull(points); d == (vec{}) {
		return d, 0, size
	}
	apart = math.Inf(1)
	for _, p := range points {
		apart = min(apart, d.Dot(p)/d.Length())
	}
	return d, apart, size
}

// nearestOfHull returns the point of the convex hull of points that is nearest to the origin (P.
// Wolfe, "Finding the nearest point in a polytope", 1976). It knows nothing about edges and faces.
func nearestOfHull(points []vec) vec {
	var chosen [5]vec
	var weights [5]float64
	n, scale := 1, 0.0
	chosen[0], weights[0] = points[0], 1
	for _, p := range points {
		scale = max(scale, p.MaxAbs())
		if p.LengthSquared() < chosen[0].LengthSquared() {
			chosen[0] = p
		}
	}
	x := chosen[0]
	for range 200 {
		best, least := vec{}, math.Inf(1)
		for _, p := range points {
			if h := x.Dot(p); h < least {
				best, least = p, h
			}
		}
		if x.LengthSquared()-least <= 1e-15*scale*x.Length()+1e-31*scale*scale || n == 4 {
			return x
		}
		chosen[n], weights[n] = best, 0
		n++
		for {
			affine, ok := affineMinimum(chosen[:n])
			if !ok { // the new point depends on the others, up to rounding
				return x
			}
			theta := 1.0
			for k := range n {
				if affine[k] <= 0 && weights[k] > affine[k] {
					theta = min(theta, weights[k]/(weights[k]-affine[k]))
				}
			}
			m := 0
			for k := range n {
				if w := theta*affine[k] + (1-theta)*weights[k]; w > 1e-14 {
					chosen[m], weights[m] = chosen[k], w
					m++
				}
			}
			done := m == n
			n = m
			x = vec{}
			for k := range n {
				x = x.AddScaled(weights[k], chosen[k])
			}
			if done {
				break
			}
		}
	}
	return x
}

// affineMinimum returns the weights of the point nearest to the origin of the affine hull of s.
func affineMinimum(s []vec) (w [5]float64, ok bool) {
	// (QᵀQ + 11ᵀ) w = 1, scaled to a sum of 1.
	var m [5][6]float64
	n, scale := len(s), 0.0
	for i := range n {
		scale = max(scale, s[i].LengthSquared())
	}
	for i := range n {
		for j := range n {
			m[i][j] = s[i].Dot(s[j])/scale + 1
		}
		m[i][n] = 1
	}
	for k := range n {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[pivot][k]) {
				pivot = i
			}
		}
		m[k], m[pivot] = m[pivot], m[k]
		if math.Abs(m[k][k]) < 1e-13 {
			return w, false
		}
		for i := range n {
			if i == k {
				continue
			}
			f := m[i][k] / m[k][k]
			for j := k; j <= n; j++ {
				m[i][j] -= f * m[k][j]
			}
		}
	}
	sum := 0.0
	for k := range n {
		w[k] = m[k][n] / m[k][k]
		sum += w[k]
	}
	for k := range n {
		w[k] /= sum
	}
	return w, true
}

// verdict is what the oracle says about a shape and a piece.
type verdict uint8

const (
	miss    verdict = iota
	hit             // at time, with normal
	overlap         // at time 0, approaching
	leaves          // overlaps at time 0, and leaves
	unsure          // grazes, or overlaps in a way that the oracle doesn't know
)

// finding is a verdict with its numbers. time is a lower bound for what is unsure.
type finding struct {
	verdict
	time   float64
	normal vec
	slack  float64 // how exact the gap is, metres
}

// tolerance returns how near to a contact conservative advancement ends, metres: small against the
// radius, which otherwise wouldn't matter, and large against rounding. ok is false if it can't be.
// way is how far a has come.
func (b *piece) tolerance(size, way, r float64) (slack float64, ok bool) {
	least := max(2e-14*size, 0x1p-50*way) + b.wobble
	slack = max(least, 1e-10*size)
	if r > 0 {
		slack = max(least, min(slack, 1e-9*r))
		return slack, slack <= 1e-3*r
	}
	return slack, true
}

// advance is conservative advancement of a against b until the horizon. A plane between the nearest
// points separates the shapes until a reaches it, so no contact is before that.
func advance(a *exact.Cloud, b *piece, m motion, horizon float64, room *[]vec) finding {
	r := a.Radius + b.Radius
	if r == 0 && len(a.Points) == 1 && b.flat {
		return b.pierced(a, m, horizon)
	}
	var normal vec
	t := 0.0
	for step := range 400 {
		x, apart, size := nearest(a, b, m.at(t), room)
		d, v := x.Length(), m.velocity(t)
		slack, ok := b.tolerance(size, m.at(t).MaxAbs(), r)
		if !ok || d < 1e-9*size && r > 0 {
			return finding{verdict: unsure, time: t}
		}
		if apart < d-slack/4 { // rounding has not found the nearest points
			switch {
			case r == 0 && d < 100*slack:
				return b.inside(a, m, finding{time: t, normal: normal, slack: max(d, slack)}, step, room)
			case step == 0 || apart-r <= slack:
				return finding{verdict: unsure, time: t}
			}
		}
		d = apart
		if d < slack && r == 0 {
			return b.inside(a, m, finding{time: t, normal: normal, slack: slack}, step, room)
		}
		n := x.Scale(1 / x.Length())
		gap, rate := d-r, n.Dot(v)
		clear := 1e-4 * v.Length()
		switch {
		case step == 0 && gap < -slack && rate > clear:
			return finding{verdict: leaves}
		case step == 0 && gap < -slack && rate < -clear:
			return finding{verdict: overlap, normal: n, slack: slack}
		case step == 0 && gap < -slack:
			return finding{verdict: unsure}
		case step == 0 && gap <= slack && rate > clear && m.acceleration == vec{}:
			return finding{verdict: leaves}
		case gap <= slack && r > 0 && slack > 0.1*r*(rate*rate)/v.LengthSquared():
			return finding{verdict: unsure, time: t} // may pass a round side as near as that
		case gap <= slack && rate < -clear:
			return finding{hit, max(0, t-gap/rate), n, slack}
		case gap <= slack:
			return finding{verdict: unsure, time: t}
		}
		next, reached := m.reach(n, gap, t)
		switch {
		case !reached && gap < 100*slack:
			return finding{verdict: unsure, time: t}
		case !reached || next > horizon*(1+1e-9):
			return finding{verdict: miss}
		}
		normal, t = n, next
	}
	return finding{verdict: unsure, time: t}
}

// pierced is advance of a point against a polygon, which it meets only inside of the border.
func (b *piece) pierced(a *exact.Cloud, m motion, horizon float64) finding {
	p := a.Origin.Sub(b.Origin).Add(a.Points[0].Sub(b.Points[0]))
	n, _ := b.Points[1].Sub(b.Points[0]).Cross(b.Points[2].Sub(b.Points[0])).Normalized()
	if n.Dot(p) < 0 {
		n = n.Neg()
	}
	size := p.MaxAbs() + b.wobble
	if rate := n.Dot(m.v); m.acceleration != (vec{}) || n.Dot(p) < 1e-9*size || math.Abs(rate) < 1e-4*m.v.Length() {
		return finding{verdict: unsure}
	}
	t, ok := m.reach(n, n.Dot(p), 0)
	if !ok || t > horizon*(1+1e-9) {
		return finding{verdict: miss}
	}
	at, inner, outer := p.Add(m.at(t)), math.Inf(1), math.Inf(1)
	for i := range b.Points {
		q, e := b.Points[i].Sub(b.Points[0]), b.Points[(i+1)%len(b.Points)].Sub(b.Points[i])
		inward, _ := n.Cross(e).Normalized()
		h := inward.Dot(at.Sub(q))
		inner, outer = min(inner, h), min(outer, -h)
	}
	border := 1e-9 * (size + b.Points[0].Sub(b.Points[1]).MaxAbs())
	switch {
	case inner > border || outer > border:
		return finding{hit, t, n, 1e-10*size + b.wobble}
	case inner < -border && outer < -border:
		return finding{verdict: miss}
	}
	return finding{verdict: unsure, time: t}
}

// inside returns what is known of a piece whose core the core of a has reached, of shapes without
// radii. It doesn't graze if it is in the inside a little later as well.
func (b *piece) inside(a *exact.Cloud, m motion, f finding, step int, room *[]vec) finding {
	f.verdict = unsure
	v := m.velocity(f.time)
	if step == 0 || f.normal.Dot(v) > -1e-4*v.Length() {
		return f
	}
	if b.plane {
		f.verdict = hit
		return f
	}
	later := f.time + 1e5*f.slack/v.Length()
	for _, off := range [6]vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		if x, _, _ := nearest(a, b, m.at(later).AddScaled(4*f.slack, off), room); x.Length() > f.slack/2 {
			return f
		}
	}
	f.verdict = hit
	return f
}

// reach returns when the motion has come nearer by gap along -n, counted from time t on.
func (m motion) reach(n vec, gap, t float64) (next float64, ok bool) {
	rate, half := n.Dot(m.velocity(t)), n.Dot(m.acceleration)/2
	if half == 0 {
		return t - gap/rate, rate < 0
	}
	root := rate*rate - 4*half*gap
	if root < 0 {
		return 0, false
	}
	// The first positive solution of gap + rate·x + half·x² = 0.
	q := -(rate + math.Copysign(math.Sqrt(root), rate)) / 2
	x, y := q/half, gap/q
	if x > y {
		x, y = y, x
	}
	if x > 0 {
		return t + x, true
	}
	return t + y, y > 0
}

// gapAt returns, rounded from 1200 bits, the gap between a and b along the normal at time t, and
// the size of the numbers that it is the difference of.
func gapAt(a *exact.Cloud, va, acceleration vec, b *piece, vb, normal vec, t float64) (gap, size float64) {
	n, time := exact.OfVec(normal), exact.Of(t)
	shift := exact.OfVec(a.Origin).Sub(exact.OfVec(b.Origin))
	way := exact.OfVec(va).Sub(exact.OfVec(vb)).Scale(time)
	if acceleration != (vec{}) {
		way = way.Add(exact.OfVec(acceleration).Scale(time.Mul(time).Mul(exact.Of(0.5))))
	}
	low, high := extreme(a.Points, n, false), extreme(b.Points, n, true)
	g := low.Sub(high).Add(n.Dot(shift.Add(way)))
	r := exact.Of(a.Radius).Add(exact.Of(b.Radius))
	g = g.Sub(r.Mul(n.Dot(n).Sqrt()))
	size = a.Origin.Sub(b.Origin).MaxAbs() + va.Sub(vb).Scale(t).MaxAbs() + a.Radius + b.Radius
	for _, p := range a.Points {
		size = max(size, p.MaxAbs())
	}
	for _, p := range b.Points {
		size = max(size, p.MaxAbs())
	}
	return g.Float(), size
}

// extreme returns the height along n of the lowest or highest point.
func extreme(points []vec, n exact.Vec, highest bool) exact.Num {
	best := n.Dot(exact.OfVec(points[0]))
	for _, p := range points[1:] {
		if h := n.Dot(exact.OfVec(p)); (h.Cmp(best) > 0) == highest {
			best = h
		}
	}
	return best
}
