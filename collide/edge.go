package collide

import "math"

// edgeEquation returns the terms of the equation for the contact of the sphere and the infinite
// cylinder along an edge. Let p be the centre relative to the edge, v its relative velocity and e
// the direction of the edge, scaled by a power of two to a length of about 1. Then m = p×e and w =
// v×e are the components of p and v perpendicular to the edge, rotated by 90° and multiplied by
// |e|. The sphere touches the line of the edge when
//
//	|m + t·w|² = r²·e·e
func (s *flatSweep) edgeEquation(from, to Vec3) (m, w, e twofold3, rr twofold) {
	e = twoDiff3(to, from)
	_, exponent := math.Frexp(e.rounded().MaxAbs())
	e = e.scaled(math.Ldexp(1, -exponent))
	r := s.radius()
	return twoDiff3(s.ball.Center, from).cross(e), twoDiff3(s.va, s.vb).cross(e), e, r.mul(r).mul(e.dot(e))
}

// edge tests the side of one edge, without its ends, and keeps the contact if it is the earliest.
// The ends are tested by corner.
func (s *flatSweep) edge(from, to Vec3) {
	if from == to || s.surelyMissesEdge(from, to) {
		return
	}
	m, w, e, rr := s.edgeEquation(from, to)
	b, c := m.dot(w), m.dot(m).sub(rr)
	if b.hi >= 0 || w.rounded().MaxAbs() < minSpeed {
		return
	}
	t, normal := 0.0, e.cross(m).rounded()
	if c.hi > 0 {
		// By Lagrange's identity D = B² - A·C equals A·r²e·e - |m×w|², and m×w = e (e·(p×v)). So
		// D = (e·e)(A r² - (e·(p×v))²), a form without avoidable cancellation.
		p, v := twoDiff3(s.ball.Center, from), twoDiff3(s.va, s.vb)
		ee, k := e.dot(e), e.dot(p.cross(v))
		disc := w.dot(w).mul(rr).sub(ee.mul(k.mul(k)))
		// The rounding error of k is relative to |e||p||v|, which may be much larger than k.
		noise := math.Sqrt(float64(p.dot(p).hi * v.dot(v).hi))
		noise = float64(float64(ee.hi*math.Abs(k.hi)) * float64(math.Sqrt(ee.hi)*noise))
		if disc.hi < -float64(cancelTolerance*(float64(w.dot(w).hi*rr.hi)+noise)) {
			return
		}
		// As for two spheres, the centre perpendicular to the edge is then
		// (k·(e·e)·w - √D·(e×w)) / (A·e·e).
		root := disc.sqrt()
		t = c.div(root.sub(b)).hi
		normal = w.rounded().Scale(float64(k.hi*ee.hi)).AddScaled(-root.hi, e.cross(w).rounded())
	}
	if !(t <= s.limit) || s.hit && s.time <= t {
		return
	}
	// The position of the contact along the edge. If the sphere overlaps the infinite cylinder
	// beside the edge, only the ends can be hit. If it overlaps the edge, it touches: it doesn't
	// overlap the shape, but the corners of a polygon may lie slightly off its plane.
	q := s.ball.Center.Sub(from).AddScaled(t, s.va.Sub(s.vb))
	line := to.Sub(from)
	if at := q.Dot(line); at < 0 || at > line.LengthSquared() {
		return
	}
	s.time, s.normal, s.hit = t, separationNormal(normal, e.cross(w).rounded()), true
}

// surelyMissesEdge is a fast rejection test in float64. It returns true only if the sphere
// certainly doesn't touch the infinite cylinder along the edge, or recedes from it.
func (s *flatSweep) surelyMissesEdge(from, to Vec3) bool {
	p, v, e := s.ball.Center.Sub(from), s.va.Sub(s.vb), to.Sub(from)
	scale := e.MaxAbs()
	e = Vec3{e.X / scale, e.Y / scale, e.Z / scale}
	m, w := p.Cross(e), v.Cross(e)
	r := s.ball.Radius + s.round
	pp, vv, ee, rr := p.Dot(p), v.Dot(v), e.Dot(e), float64(r*r)
	// Each component of a cross product has an error of at most 7u of its terms, u = 2^-53,
	// including the division above, and its square of twice as much. 32·termError is more than all
	// of the following steps add up to.
	const slack = 32 * termError
	if m.Dot(w) > float64(slack*math.Sqrt(float64(pp*vv)))*ee {
		return true
	}
	k := e.Dot(p.Cross(v))
	size := float64(float64(vv*ee) * (pp + rr))
	return float64(w.Dot(w)*rr)-float64(k*k) < -float64(slack*size)
}

// scaled returns s·a. The result is exact if s is a power of two.
func (a twofold3) scaled(s float64) twofold3 {
	return twofold3{
		twofold{float64(a.x.hi * s), float64(a.x.lo * s)},
		twofold{float64(a.y.hi * s), float64(a.y.lo * s)},
		twofold{float64(a.z.hi * s), float64(a.z.lo * s)},
	}
}
