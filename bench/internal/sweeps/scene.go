package sweeps

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/internal/exact"
)

// Families are the kinds of scenes that take turns. In all but the first, something is special.
var Families = []string{
	"ordinary",
	"lattice",         // small integers: parallel sides, edges that meet, corners on corners
	"through a point", // a point of the one meets a corner of the other
	"along an edge",   // moves along an edge, nearly touching
	"parallel",        // moves parallel to a side, nearly touching
	"grazing",         // passes at about the sum of the radii
	"far way",         // comes from up to 1e8 away
	"far off",         // everything is 1e8 away from the origin
	"tiny", "huge",    // the moving shape is, by up to a factor of 1e6
	"slow", "fast", // by up to a factor of 1e12
	"touching",    // at the start, up to rounding
	"overlapping", // at the start
	"flat",        // in the plane z = 0
}

// generator generates the numbers of a scene of a family.
type generator struct {
	*rand.Rand
	family string
	flat   bool // z = 0, as in a 2D game
}

func (g *generator) number(size float64) float64 {
	if g.family == "lattice" {
		return float64(g.IntN(7) - 3)
	}
	return size * g.NormFloat64()
}

func (g *generator) vec(size float64) vec {
	v := vec{X: g.number(size), Y: g.number(size), Z: g.number(size)}
	if g.flat {
		v.Z = 0
	}
	return v
}

// across returns a vector perpendicular to v.
func (g *generator) across(v vec) vec {
	if g.flat {
		return v.Cross(vec{Z: 1})
	}
	return v.Cross(g.vec(1))
}

// length returns a positive length of about size; a whole number of quarters on a lattice.
func (g *generator) length(size float64) float64 {
	if g.family == "lattice" {
		return float64(1+g.IntN(4)) / 4
	}
	return size * (0.05 + g.Float64())
}

// radius returns a radius, which is 0 in one of twelve cases.
func (g *generator) radius(size float64) float64 {
	if g.IntN(12) == 0 {
		return 0
	}
	return g.length(size)
}

// nearZero returns 0, or a number of any magnitude down to 1e-16.
func (g *generator) nearZero() float64 {
	if g.IntN(4) == 0 {
		return 0
	}
	return math.Ldexp(g.NormFloat64(), -g.IntN(54))
}

// scene is what is swept: a moving shape, where it is, and the target.
type scene struct {
	family  string
	mover   mover
	at      vec
	target  *target
	v, vb   vec // of the mover and of the target
	pull    vec // acceleration of the mover
	horizon float64
}

// cloud returns the mover's corners.
func (s *scene) cloud() exact.Cloud { return s.mover.cloud(s.at) }

func (s *scene) motion() motion { return motion{s.v.Sub(s.vb), s.pull} }

// newScene aims a mover at a target.
func newScene(g *generator, k *kind) (scene, bool) {
	size := 1.0
	g.flat = g.family == "flat" || k.flat
	switch g.family {
	case "tiny":
		size = math.Ldexp(1, -g.IntN(20))
	case "huge":
		size = math.Ldexp(1, g.IntN(20))
	}
	origin := vec{}
	if g.family == "far off" {
		origin = g.vec(1e8)
		if k.still {
			origin = g.vec(3)
		}
	}
	s := scene{family: g.family, mover: k.mover(g, size), target: k.target(g, origin)}
	if s.target == nil {
		return s, false
	}
	// A point of the target is hit by a point of the mover after about a second.
	b := &s.target.pieces[g.IntN(len(s.target.pieces))]
	q := g.point(b.Points, g.family == "through a point").Add(b.Origin)
	offset := s.mover.cloud(vec{})
	p := g.point(offset.Points, g.family == "through a point").Add(offset.Origin)
	s.at = q.Sub(p).Add(g.from(6*max(1, size), b))
	if g.family == "lattice" {
		s.at = origin.Add(g.vec(1)).Add(g.vec(1))
	}
	if g.family == "far way" {
		s.at = s.at.Add(s.at.Sub(q).Scale(math.Ldexp(1, g.IntN(25))))
	}
	reach := b.Radius + offset.Radius
	way := q.Sub(p).Sub(s.at)
	switch g.family {
	case "lattice":
		s.v = g.vec(1)
		if s.v == (vec{}) {
			s.v = vec{Y: -1}
		}
	case "along an edge", "parallel":
		e, n := g.edge(b)
		aside, ok := n.Normalized()
		if !ok || e == (vec{}) {
			return s, false
		}
		s.at = q.Sub(p).AddScaled(reach*(1+g.nearZero()), aside).AddScaled(-3*g.Float64(), e)
		s.v = e.AddScaled(g.nearZero(), aside)
		if g.family == "parallel" && !g.flat {
			s.v = s.v.Add(e.Cross(n).Scale(g.NormFloat64()))
		}
	case "grazing":
		aside, _ := g.across(way).Normalized()
		s.v = way.AddScaled(reach*(1+g.nearZero()), aside)
	case "through a point":
		s.v = way
	case "touching", "overlapping":
		s.v = way
		if !s.approach(g) {
			return s, false
		}
		if s.v = g.vec(1); g.IntN(2) == 0 {
			s.v = way
		}
	default:
		s.v = way.Add(g.vec(0.5 * (reach + 0.3)))
	}
	s.horizon = 2 * g.Float64()
	if g.family == "lattice" {
		s.horizon = 20
	}
	if !k.still {
		s.vb = g.vec(0.5)
		s.v = s.v.Add(s.vb)
	}
	if k.thrown {
		s.pull = g.vec(1)
		// Time may pass before it arrives: let it do so all the same.
		s.v = s.v.AddScaled(-0.5, s.pull)
	}
	switch g.family {
	case "slow", "fast":
		f := math.Ldexp(1, g.IntN(40))
		if g.family == "slow" {
			f = 1 / f
		}
		s.v, s.vb, s.pull, s.horizon = s.v.Scale(f), s.vb.Scale(f), s.pull.Scale(f*f), s.horizon/f
	}
	if k.thrown { // such sweeps are accurate to the rounding of the whole way
		for i := range s.target.pieces {
			s.target.pieces[i].wobble += 0x1p-41 * (s.motion().at(s.horizon).MaxAbs() + s.at.Sub(origin).MaxAbs() + 1)
		}
	}
	return s, s.v.Sub(s.vb) != vec{}
}

// approach moves the mover towards the target until it touches it, up to rounding, or overlaps it.
func (s *scene) approach(g *generator) bool {
	var room []vec
	cloud, first := s.cloud(), finding{time: 2}
	for k := range s.target.pieces {
		f := advance(&cloud, &s.target.pieces[k], motion{v: s.v}, first.time, &room)
		if f.verdict == hit && f.time < first.time {
			first = f
		}
	}
	if first.verdict != hit {
		return false
	}
	t := first.time
	if g.family == "overlapping" {
		t += 0.3 * g.Float64()
	} else {
		t += 1e-3 * g.nearZero()
	}
	s.at = s.at.AddScaled(t, s.v)
	return true
}

// from returns a vector of about the given length away from the front of a piece.
func (g *generator) from(length float64, b *piece) vec {
	v := g.vec(1)
	n, ok := v.Normalized()
	if !ok {
		n = vec{Y: 1}
	}
	if b.normal.Dot(n) < 0 && g.IntN(16) > 0 {
		n = n.Neg()
	}
	return n.Scale(length * (0.3 + g.Float64()))
}

// point returns a corner of the points, or a point between some of them.
func (g *generator) point(points []vec, corner bool) vec {
	p := points[g.IntN(len(points))]
	if corner || g.family == "lattice" {
		return p
	}
	for range g.IntN(4) {
		p = p.Lerp(points[g.IntN(len(points))], g.Float64())
	}
	return p
}

// edge returns the difference of two corners of a piece, and a direction perpendicular to it: the
// normal of a side, if the piece has one.
func (g *generator) edge(b *piece) (e, n vec) {
	i, j, k := g.IntN(len(b.Points)), g.IntN(len(b.Points)), g.IntN(len(b.Points))
	e = b.Points[j].Sub(b.Points[i])
	n = e.Cross(b.Points[k].Sub(b.Points[i]))
	if g.family == "along an edge" || g.flat || n == (vec{}) {
		n = n.Add(g.across(e))
	}
	if g.flat {
		n.Z = 0
	}
	if b.normal.Dot(n) < 0 {
		n = n.Neg()
	}
	return e, n
}
