package collide

import "math"

// acrossEdge returns what the equation of a sphere and an endless cylinder along an edge consists of. With
// p the centre seen from the edge, v its velocity and e the edge's direction (scaled by a power of two to a length of about
// 1), m = p×e and w = v×e are p and v across the edge, turned and times |e|. They touch where
//
//	|m + t·w|² = r²·e·e
func (s *flatSweep) acrossEdge(from, to Vec3) (m, w, e twofold3, rr twofold) {
	e = twoDiff3(to, from)
	_, exponent := math.Frexp(e.rounded().largestPart())
	e = e.scaled(math.Ldexp(1, -exponent))
	r := twofold{s.ball.Radius, 0}
	return twoDiff3(s.ball.Center, from).cross(e), twoDiff3(s.va, s.vb).cross(e), e, r.mul(r).mul(e.dot(e))
}

// edge looks for an earlier touch of the side of an edge; its ends are corners.
func (s *flatSweep) edge(from, to Vec3) {
	if from == to || s.passesEdge(from, to) {
		return
	}
	m, w, e, rr := s.acrossEdge(from, to)
	b, c := m.dot(w), m.dot(m).sub(rr)
	if b.hi >= 0 || c.hi < 0 || w.rounded().largestPart() < slowest {
		return // receding from the line or within its cylinder, which is left at the ends
	}
	// D = B² - A·C is by Lagrange's identity A·r²e·e - |m×w|², and m×w = e (e·(p×v)):
	// D = (e·e)(A r² - (e·(p×v))²), in which nothing cancels but what really does.
	p, v := twoDiff3(s.ball.Center, from), twoDiff3(s.va, s.vb)
	ee, k := e.dot(e), e.dot(p.cross(v))
	disc := w.dot(w).mul(rr).sub(ee.mul(k.mul(k)))
	// The rounding of k is relative to |e||p||v|, which may be much larger than itself.
	noise := math.Sqrt(float64(p.dot(p).hi * v.dot(v).hi))
	noise = float64(float64(ee.hi*math.Abs(k.hi)) * float64(math.Sqrt(ee.hi)*noise))
	if c.hi > 0 && disc.hi < -float64(vanishing*(float64(w.dot(w).hi*rr.hi)+noise)) {
		return
	}
	root := disc.sqrt()
	t := c.div(root.sub(b)).hi
	if !(t <= s.limit) || s.hit && s.time <= t {
		return
	}
	// Where along the edge the sphere touches it.
	q := s.ball.Center.Sub(from).AddScaled(t, s.va.Sub(s.vb))
	line := to.Sub(from)
	if at := q.Dot(line); at < 0 || at > line.LengthSquared() {
		return
	}
	// The centre, across the edge, is then (k·(e·e)·w - √D·(e×w)) / (A·e·e), as for two spheres.
	across := e.cross(w).rounded()
	normal := w.rounded().Scale(float64(k.hi*ee.hi)).AddScaled(-root.hi, across)
	if c.hi == 0 {
		normal = e.cross(m).rounded()
	}
	s.time, s.normal, s.hit = t, awayFrom(normal, across), true
}

// passesEdge is the cheap early-out: in plain floats, the sphere surely doesn't touch the edge's endless
// cylinder, or recedes from it.
func (s *flatSweep) passesEdge(from, to Vec3) bool {
	p, v, e := s.ball.Center.Sub(from), s.va.Sub(s.vb), to.Sub(from)
	scale := e.largestPart()
	e = Vec3{e.X / scale, e.Y / scale, e.Z / scale}
	m, w := p.Cross(e), v.Cross(e)
	pp, vv, ee, rr := p.Dot(p), v.Dot(v), e.Dot(e), float64(s.ball.Radius*s.ball.Radius)
	// Each component of a cross product is off by at most 7u of its terms, u = 2^-53 (the division
	// above included), and its square by twice as much: 32·termSlack is ample for all that follows.
	const slack = 32 * termSlack
	if m.Dot(w) > float64(slack*math.Sqrt(float64(pp*vv)))*ee {
		return true
	}
	k := e.Dot(p.Cross(v))
	size := float64(float64(vv*ee) * (pp + rr))
	return float64(w.Dot(w)*rr)-float64(k*k) < -float64(slack*size)
}

// scaled returns s·a, exactly for s a power of two.
func (a twofold3) scaled(s float64) twofold3 {
	return twofold3{
		twofold{float64(a.x.hi * s), float64(a.x.lo * s)},
		twofold{float64(a.y.hi * s), float64(a.y.lo * s)},
		twofold{float64(a.z.hi * s), float64(a.z.lo * s)},
	}
}
