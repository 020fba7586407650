package collide

import "math"

// MeshContact is a contact with a triangle of a mesh.
type MeshContact struct {
	Contact
	Triangle int // in the indices that the mesh was made of
}

// SweepSphereMesh returns the first contact of a, moving at va, with the mesh b, moving at vb,
// within horizon seconds. The rules are those of [SweepSphereTriangle] and, for a one-sided mesh,
// of [SweepSphereTriangleFront], except that a sphere that only grazes an edge or a vertex is a
// Miss. If the sphere overlaps several triangles that it approaches, the contact is that of the
// deepest. CenterB is the origin, moved by vb.
func SweepSphereMesh(a Sphere, va Vec3, b *Mesh, vb Vec3, horizon float64) (MeshContact, Outcome) {
	s := meshSweep{m: b}
	if !s.begin(a, va, vb, horizon) {
		return MeshContact{}, Miss
	}
	var search meshSearch
	search.begin(b, a.Center, s.v, a.Radius, horizon)
	for {
		first, count, ok := search.next()
		if !ok {
			return s.contact(a, va, vb)
		}
		s.m.loadBlock(first)
		for k := first; k < first+count; k++ {
			s.triangle(k)
		}
		search.shorten(s.end)
	}
}

// begin returns false for invalid input, and if nothing moves.
func (s *meshSweep) begin(a Sphere, va, vb Vec3, horizon float64) bool {
	s.p, s.r, s.v2, s.end = a.Center, a.Radius, twoDiff3(va, vb), horizon
	s.v = s.v2.rounded()
	return a.Radius >= 0 && a.Radius <= maxInput && a.Center.within(maxInput) && va.within(maxInput) &&
		vb.within(maxInput) && horizon >= 0 && s.v.MaxAbs() >= minSpeed
}

// contact returns the contact found.
func (s *meshSweep) contact(a Sphere, va, vb Vec3) (MeshContact, Outcome) {
	if s.outcome == Miss {
		return MeshContact{}, Miss
	}
	c := MeshContact{Contact{
		Time: s.time, Normal: s.normal, CenterA: a.Center.AddScaled(s.time, va), CenterB: vb.Scale(s.time),
	}, int(s.number)}
	c.Point = c.CenterA.AddScaled(s.depth-a.Radius, s.normal)
	return c, s.outcome
}

// meshSweep is the sweep of a sphere against a mesh.
type meshSweep struct {
	m    *Mesh
	p, v Vec3
	v2   twofold3 // v without rounding
	r    float64
	end  float64 // the time up to which a better contact may be
	rim  bool    // contacts with faces don't count

	// The greatest coordinate of the sphere where it is moved from step to step, if that isn't in
	// the mesh's own frame, m.
	moved float64

	known *meshFace // of the last sweep in this mesh; nil for none

	// The best contact found so far.
	outcome Outcome
	time    float64
	normal  Vec3
	depth   float64 // of an overlap, metres
	number  uint32  // of the triangle
}

// keep keeps a contact if it is the earliest; of equal ones that of the triangle with the lowest
// number, so that the result doesn't depend on the tree.
func (s *meshSweep) keep(t float64, normal Vec3, number uint32) {
	if !(t <= s.end) || s.outcome == Overlap ||
		s.outcome == Hit && (t > s.time || t == s.time && number > s.number) {
		return
	}
	s.outcome, s.time, s.normal, s.number, s.end = Hit, t, normal, number, t
}

// keepOverlap keeps an overlap if it is the deepest.
func (s *meshSweep) keepOverlap(depth float64, normal Vec3, number uint32) {
	if s.outcome == Overlap && (depth < s.depth || depth == s.depth && number > s.number) {
		return
	}
	s.outcome, s.time, s.depth, s.normal, s.number, s.end = Overlap, 0, depth, normal, number, 0
}

// triangle tests triangle k.
func (s *meshSweep) triangle(k uint32) {
	if a, b, c := s.m.corners(k); !s.decideByFace(k, a, b, c) {
		s.rimOf(k)
	}
}

// decideByFace tests the face of triangle k, which has the given corners. It returns false if an
// edge or a corner may be touched instead.
func (s *meshSweep) decideByFace(k uint32, a, b, c *Vec3) bool {
	e, g, p := b.Sub(*a), c.Sub(*a), s.p.Sub(*a)
	n := e.Cross(g)
	length := n.Length()
	height, rate := n.Dot(p), n.Dot(s.v)
	behind := height < 0
	if behind && s.m.twoSided {
		height, rate, behind = -height, -rate, false
	}
	// Errors relative to what the terms were computed from; a thin triangle's normal has few
	// digits.
	area := float64(e.MaxAbs() * g.MaxAbs())
	size := p.MaxAbs() + e.MaxAbs() + g.MaxAbs() + s.r
	slack, rateSlack := float64(0x1p-48*float64(area*size)), float64(0x1p-48*float64(area*s.v.MaxAbs()))
	gap := height - float64(length*s.r)
	if gap > slack {
		if rate > rateSlack || gap-slack > float64((rateSlack-rate)*s.end) {
			return true // recedes from the plane, or doesn't reach it
		}
	}
	if !behind {
		off := float64(0x1p-48 * size) // by rounding, metres
		if gap <= slack {
			// Touches the plane, or will before rounding tells.
			way := off
			if rate < 0 {
				way += float64(max(0, min((gap+slack)/-rate, s.end))*s.v.MaxAbs()) + s.beneath(rate/length, e, g)
			}
			if rate < rateSlack && covers(n, e, g, p, way) {
				if s.face(k, a, b, c) {
					return true
				}
			} else if covers(n, e, g, p, off) {
				return true // touches the face, and only that
			}
		} else if rate < 0 {
			q := p.AddScaled(gap/-rate, s.v)
			off += float64(slack/-rate*s.v.MaxAbs()) + s.beneath(rate/length, e, g)
			if covers(n, e, g, q, off) && s.face(k, a, b, c) {
				return true
			}
		}
	}
	return false
}

// testsRim reports whether sweeps test an edge or a corner of triangle k.
func (m *Mesh) testsRim(k uint32) bool {
	sides := &m.triangles[k].sides
	return sides[0]|sides[1]|sides[2] >= testsVertex || m.allSharp
}

// rimOf tests the edges and corners of triangle k.
func (s *meshSweep) rimOf(k uint32) {
	all, t := s.m.allSharp, &s.m.triangles[k]
	if t.sides[0]|t.sides[1]|t.sides[2] < testsVertex && !all {
		return
	}
	for i := range 3 {
		if all || t.sides[i]&testsEdge != 0 {
			s.edge(k, i)
		}
	}
	for i := range 3 {
		if all || t.sides[i]&testsVertex != 0 {
			s.vertex(k, i)
		}
	}
}

// covers reports whether the projection of q lies in the triangle with the edges e and g from its
// first corner, to which q is relative, or at most off metres beside it.
func covers(n, e, g, q Vec3, off float64) bool {
	y, x := n.Dot(e.Cross(q)), n.Dot(q.Cross(g)) // coordinates along g and e, times n·n
	slack := float64(n.SumAbs() * float64(off*(e.MaxAbs()+g.MaxAbs())))
	return x >= -slack && y >= -slack && x+y <= n.Dot(n)+slack
}

// meshFace is what the contact with a face needs, in twofold arithmetic.
type meshFace struct {
	index  uint32   // of the triangle; noNeighbor for none
	number uint32   // in the indices that the mesh was made of
	area   twofold3 // normal, scaled
	length twofold  // of area
	normal Vec3     // of unit length
}

// is reports whether f is the face of triangle k. f may be nil.
func (f *meshFace) is(k uint32) bool { return f != nil && f.index == k }

// set sets f to the face of triangle k of m.
func (f *meshFace) set(m *Mesh, k uint32, a, b, c *Vec3) {
	n := twoDiff3(*b, *a).cross(twoDiff3(*c, *a))
	n = n.scaled(inverseScale(n))
	f.index, f.number, f.area, f.length = k, m.triangles[k].original, n, n.dot(n).sqrt()
	f.normal, _ = n.rounded().Normalized()
}

// face computes the contact with the face of triangle k in twofold arithmetic. If the sphere
// touches its plane, but for rounding, then float64 doesn't tell when it meets that, nor whether
// that is in the triangle. It returns false if the sphere is beside the face when it meets the
// plane: then it may meet an edge.
func (s *meshSweep) face(k uint32, a, b, c *Vec3) bool {
	if s.rim {
		return true
	}
	f := s.known
	if f == nil {
		f = &meshFace{index: noNeighbor}
	}
	if f.index != k {
		f.set(s.m, k, a, b, c)
	}
	height, rate, normal := f.area.dot(twoDiff3(s.p, *a)), f.area.dot(s.v2), f.normal
	if height.hi < 0 || height.hi == 0 && s.m.twoSided && rate.hi > 0 {
		height, rate, normal = height.neg(), rate.neg(), normal.Neg()
	}
	e, g, p := b.Sub(*a), c.Sub(*a), s.p.Sub(*a)
	t := 0.0
	approaches := rate.hi < 0 && !(height.hi == 0 && s.m.twoSided && s.r == 0)
	gap := height.sub(f.length.mul(twofold{s.r, 0}))
	if approaches {
		if t = max(gap.div(rate.neg()).hi, 0); !(t <= s.end) {
			return true // stays in front of the plane
		}
	}
	q := p.AddScaled(t, s.v)
	// Rounding must not see the sphere beside both triangles of an edge.
	off := float64(0x1p-48 * (p.MaxAbs() + q.MaxAbs() + e.MaxAbs() + g.MaxAbs() + s.r))
	switch {
	case !covers(e.Cross(g), e, g, q, off) &&
		!(approaches && s.isBeneath(k, *a, e, g, q, s.beneath(rate.div(f.length).hi, e, g))):
		return false
	case !approaches:
	case gap.hi < 0:
		s.keepOverlap(-gap.div(f.length).hi, normal, f.number)
	default:
		s.keep(t, normal, f.number)
	}
	return true
}

// beneath returns how far beside a triangle with the edges e and g a sphere may be by rounding of
// its position when it touches the plane, which it approaches at that rate: m/s, negative.
//
// Beyond a concave edge the plane is beneath the neighbour. A sphere that rolls on that neighbour,
// lower than it by a rounding, meets the plane before it comes to the edge.
func (s *meshSweep) beneath(rate float64, e, g Vec3) float64 {
	return min(float64(s.positionRounding()*s.v.MaxAbs())/-rate, float64(mostBeneath*(e.MaxAbs()+g.MaxAbs())))
}

// isBeneath reports whether q, relative to the first corner a of triangle k, is over it or at most
// off metres beyond edges that aren't tested, where the plane is lower than the neighbour by no
// more than rounding.
func (s *meshSweep) isBeneath(k uint32, a, e, g, q Vec3, off float64) bool {
	if s.m.allSharp {
		return false
	}
	n, t := e.Cross(g), &s.m.triangles[k]
	inside := insideOf(n, e, g, q)
	slack := float64(n.SumAbs() * float64(off*(e.MaxAbs()+g.MaxAbs())))
	for i := range inside {
		if inside[i] >= 0 {
			continue
		}
		j := t.neighbor(i)
		if inside[i] < -slack || t.sides[i]&testsEdge != 0 || j == noNeighbor {
			return false
		}
		// The neighbour's plane leaves this one with the distance from the edge.
		o := s.m.opposite(k, i).Sub(a)
		beyond := insideOf(n, e, g, o)[i]
		low := float64(2 * s.positionRounding() * n.Length())
		if !(beyond < 0) || math.Abs(n.Dot(o))*(inside[i]/beyond) > low {
			return false
		}
	}
	return true
}

// insideOf returns how far q, relative to the first corner of the triangle with the edges e and g
// and the normal n, is on the inner side of its three edges: barycentric coordinates times n·n.
func insideOf(n, e, g, q Vec3) [3]float64 {
	y, x := n.Dot(e.Cross(q)), n.Dot(q.Cross(g))
	return [3]float64{y, n.Dot(n) - (x + y), x}
}

// positionRounding returns the error of the position of a sphere that is moved from step to step,
// in metres. It doesn't depend on how long the sweep is. With 2^-49, some balls sink by 1e-8 of
// their radius 300 m from the origin.
func (s *meshSweep) positionRounding() float64 {
	return float64(0x1p-46 * (max(s.p.MaxAbs(), s.moved) + s.r))
}

// mostBeneath bounds beneath, as a fraction of the triangle's size: the next triangle may be
// narrow, and what is beyond that isn't looked at. With 2^-20, spheres that roll 300 m from the
// origin over a tilted mesh with slopes of 1e-8 sink by more than 1e-9 of their radius.
const mostBeneath = 0x1p-10

// edge tests edge i of triangle k.
func (s *meshSweep) edge(k uint32, i int) {
	from, to := s.m.corner(k, i), s.m.corner(k, (i+1)%3)
	d, e := s.p.Sub(from), to.Sub(from)
	foot, ee := d.Dot(e), e.Dot(e)
	dd, vv, rr := d.Dot(d), s.v.Dot(s.v), float64(s.r*s.r)
	slack := float64(64 * termError * (dd + rr))
	// In float64, a rejection: how near does the sphere come to the line?
	m, w := d.Cross(e), s.v.Cross(e)
	rate, rateSlack := m.Dot(w), float64(float64(slack*ee)*math.Sqrt(vv/dd))
	if rate > rateSlack {
		return // recedes from the line
	}
	// The contact isn't before gap/(-2 rate): the squared distance is at least gap + 2·rate·t.
	gap := m.Dot(m) - float64(rr*ee)
	if gap-float64(slack*ee) > float64(2*(rateSlack-rate)*s.end) {
		return // is still apart at the end
	}
	x := e.Dot(d.Cross(s.v))
	if float64(w.Dot(w)*rr)-float64(x*x) < -float64(slack*float64(vv*ee)) {
		return // passes it
	}
	if passesEdge(d, s.v, e, ee, s.r, s.end, d.MaxAbs()) {
		return
	}
	// Rounding must not see the contact beyond the edge if the vertex knows that it isn't there.
	off := float64(0x1p-48 * float64(e.SumAbs()*d.MaxAbs()))
	// Near enough to touch at time 0?
	if gap <= float64(slack*ee) {
		p2, e2 := twoDiff3(s.p, from), twoDiff3(to, from)
		e2 = e2.scaled(inverseScale(e2))
		m2, w2 := p2.cross(e2), s.v2.cross(e2)
		rr2 := twoProd(s.r, s.r).mul(e2.dot(e2))
		rate, gap := m2.dot(w2), m2.dot(m2).sub(rr2)
		if rate.hi >= 0 {
			return
		}
		if gap.hi <= 0 {
			if foot < -off || foot > ee+off {
				return // the line overlaps, so only a vertex can be hit
			}
			across := d.AddScaled(-foot/ee, e)
			normal, ok := across.Normalized()
			switch {
			case !ok || !s.m.inArc(k, i, normal, s.m.twoSided):
			case gap.hi == 0:
				s.keep(0, normal, s.m.triangles[k].original)
			default:
				s.keepOverlap(s.r-across.Length(), normal, s.m.triangles[k].original)
			}
			return
		}
	}
	time, normal, ok := sweepLine(twoDiff3(s.p, from), s.v2, twoDiff3(to, from), twofold{s.r, 0})
	if !ok || !(time <= s.end) {
		return
	}
	q := d.AddScaled(time, s.v)
	off += float64(0x1p-48 * float64(e.SumAbs()*q.MaxAbs()))
	if at := q.Dot(e); at >= -off && at <= ee+off && s.approaches(normal) && s.m.inArc(k, i, normal, s.m.twoSided) {
		s.keep(time, normal, s.m.triangles[k].original)
	}
}

// approaches reports whether the sphere moves against the normal, and doesn't only graze. A ball
// that rolls off a table grazes its edge.
func (s *meshSweep) approaches(normal Vec3) bool {
	return normal.Dot(s.v) < -float64(arcTolerance*s.v.MaxAbs())
}

// arcTolerance is how far a normal may be outside of the normals that an edge or a vertex has, as
// the sine of an angle. A sphere that has sunk by rounding, 1e-16 of its radius, meets an edge that
// it should pass at an angle of 1e-8, which is 10,000 times as much; rounding of a normal is 10,000
// times less.
const arcTolerance = 0x1p-40

// inArc reports whether a contact with edge i of triangle k may have this normal: one between those
// of the edge's two faces. At the rim it is one that doesn't point over the face, nor to its back.
func (m *Mesh) inArc(k uint32, i int, normal Vec3, twoSided bool) bool {
	from, to := m.corner(k, i), m.corner(k, (i+1)%3)
	own := m.corner(k, (i+2)%3).Sub(from)
	if normal.Dot(own) > float64(arcTolerance*own.SumAbs()) {
		return false
	}
	if m.triangles[k].neighbor(i) != noNeighbor {
		other := m.opposite(k, i).Sub(from)
		return normal.Dot(other) <= float64(arcTolerance*other.SumAbs())
	}
	n := to.Sub(from).Cross(own)
	return twoSided || normal.Dot(n) >= -float64(arcTolerance*n.SumAbs())
}

// vertex tests corner i of triangle k.
func (s *meshSweep) vertex(k uint32, i int) {
	q := s.m.corner(k, i)
	d := s.p.Sub(q)
	b, dd, vv, rr := d.Dot(s.v), d.Dot(d), s.v.Dot(s.v), float64(s.r*s.r)
	slack := float64(64 * termError * (dd + rr))
	bSlack := float64(slack * math.Sqrt(vv/dd))
	if b > bSlack || (dd-rr)-slack > float64(2*(bSlack-b)*s.end) {
		return // recedes, or is still apart at the end
	}
	n := d.Cross(s.v)
	if float64(vv*rr)-n.Dot(n) < -float64(slack*vv) {
		return
	}
	if dd-rr <= slack {
		p2 := twoDiff3(s.p, q)
		rate, gap := p2.dot(s.v2), p2.dot(p2).sub(twoProd(s.r, s.r))
		if rate.hi >= 0 {
			return
		}
		if gap.hi <= 0 {
			normal, ok := d.Normalized()
			switch {
			case !ok || !s.m.inCone(k, i, normal, s.m.twoSided):
			case gap.hi == 0:
				s.keep(0, normal, s.m.triangles[k].original)
			default:
				s.keepOverlap(s.r-d.Length(), normal, s.m.triangles[k].original)
			}
			return
		}
	}
	time, normal, outcome := sweepPoint(twoDiff3(s.p, q), s.v2, twofold{s.r, 0}, s.end)
	if outcome == Hit && s.approaches(normal) && s.m.inCone(k, i, normal, s.m.twoSided) {
		s.keep(time, normal, s.m.triangles[k].original)
	}
}

// inCone reports whether a contact with corner i of triangle k may have this normal: one that
// doesn't point over an edge from that vertex and, in a one-sided mesh, points to the front of a
// triangle around it.
func (m *Mesh) inCone(k uint32, i int, normal Vec3, twoSided bool) bool {
	at := m.corner(k, i)
	front, edgeOn := twoSided, false
	// Around the vertex, first counter-clockwise and, if that ends at the rim, clockwise.
	for _, turn := range [2]int{2, 0} {
		for now := k; ; {
			a, b, c := m.corners(now)
			j := 0
			switch at {
			case *b:
				j, b, c = 1, c, a
			case *c:
				j, b, c = 2, a, b
			}
			x, y := b.Sub(at), c.Sub(at)
			if normal.Dot(x) > float64(arcTolerance*x.SumAbs()) || normal.Dot(y) > float64(arcTolerance*y.SumAbs()) {
				return false
			}
			n := x.Cross(y)
			height, slack := normal.Dot(n), float64(arcTolerance*n.SumAbs())
			front, edgeOn = front || height > slack, edgeOn || height >= -slack
			now = m.triangles[now].neighbor((j + turn) % 3)
			if now == k {
				return front || edgeOn // from the side, where a sheet has a front and a back
			}
			if now == noNeighbor {
				break
			}
		}
	}
	return front || edgeOn // at the rim, also from the side
}
