package sweeps

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/exact"
)

// Count is what a run has compared.
type Count struct {
	Name             string
	Cases            int     // scenes
	Hits, Misses     int     // that the oracle knew, and agreed with
	Overlaps         int     // at the start, approaching
	Unsure           int     // scenes of which the oracle knows the outcome not for sure, or not at all
	Behind           int     // of these, scenes that come from the back of something one-sided
	WorstGap         float64 // largest gap at the time of contact, in 1200 bits, relative to the sizes
	WorstTime        float64 // largest difference from the oracle's time as a way, relative to the sizes
	Failed           int
	First            string // the first failures
	FamiliesWithHits int
}

// Names returns the names of all sweeps.
func Names() (names []string) {
	for _, g := range groups() {
		names = append(names, g.name)
	}
	return names
}

// Run compares n scenes of one of the sweeps, in all families. Equal seeds give equal scenes.
func Run(name string, n int, seed uint64) Count {
	for i, g := range groups() {
		if g.name == name {
			return run(g, n, seed, uint64(i))
		}
	}
	panic("sweeps: there is no sweep of that name: " + name)
}

func run(g group, n int, seed, stream uint64) Count {
	c := Count{Name: g.name}
	rng := rand.New(rand.NewPCG(seed, stream))
	var hits [64]int
	var w work
	for i := 0; c.Cases < n; i++ {
		family := i / len(g.kinds) % len(Families)
		k := &g.kinds[i%len(g.kinds)]
		s, ok := newScene(&generator{Rand: rng, family: Families[family]}, k)
		if !ok {
			continue
		}
		c.Cases++
		before := c.Hits
		if problem := w.compare(&s, k, &c); problem != "" {
			if c.Failed++; c.Failed <= 3 {
				c.First += fmt.Sprintf("%s, case %d, %s: %s\nmover %#v at %v\ntarget %#v at %v\nhorizon %v\n",
					g.name, i, s.family, problem, s.mover.make(s.at), s.v, s.target.describe(), s.vb, s.horizon)
			}
		}
		hits[family] += c.Hits - before
	}
	for _, h := range hits {
		if h > 0 {
			c.FamiliesWithHits++
		}
	}
	return c
}

// work is memory that scenes share.
type work struct {
	room     []vec
	findings []finding
}

// expect returns what the oracle says about a scene. piece is the one that is hit.
func (w *work) expect(s *scene, k *kind) (f finding, piece int) {
	cloud, m := s.cloud(), s.motion()
	w.findings = w.findings[:0]
	first, unsureAt := finding{time: math.Inf(1)}, math.Inf(1)
	clear, overlaps, left := true, false, false
	piece = -1
	for i := range s.target.pieces {
		b := &s.target.pieces[i]
		f := advance(&cloud, b, m, min(s.horizon*(1+1e-6), first.time), &w.room)
		switch f.verdict {
		case hit:
			if f.time < first.time {
				first, piece = f, i
			}
		case unsure:
			unsureAt = min(unsureAt, f.time)
		case overlap:
			overlaps, clear, first, piece = true, false, f, i
		case leaves:
			left, clear = true, false
		}
	}
	switch {
	case !clear && (len(s.target.pieces) > 1 || k.ray || k.thrown):
		return finding{verdict: unsure}, piece
	case overlaps:
		return first, piece
	case left:
		return finding{verdict: miss}, piece
	case unsureAt <= first.time+1e-6*s.horizon && unsureAt <= s.horizon*(1+1e-6):
		return finding{verdict: unsure}, piece
	}
	return first, piece
}

// compare returns what is wrong, or nothing.
func (w *work) compare(s *scene, k *kind, count *Count) string {
	c, got := k.sweep(s)
	if got != collide.Miss {
		if l := c.Normal.Length(); math.Abs(l-1) > 1e-15 || !c.Point.IsFinite() {
			return fmt.Sprintf("normal of length %v, point %v", l, c.Point)
		}
	}
	if got == collide.Overlap && c.Time != 0 && !k.thrown ||
		got == collide.Hit && !(c.Time >= 0 && c.Time <= s.horizon*(1+1e-15)) {
		return fmt.Sprintf("%v at time %v", got, c.Time)
	}
	if problem := w.compareSeparation(s); problem != "" {
		return problem
	}
	want, i := w.expect(s, k)
	if want.verdict == hit || want.verdict == overlap {
		switch w.side(s, &s.target.pieces[i], &want, k) {
		case back:
			count.Behind++
			want.verdict = unsure
		case passes:
			want.verdict = miss
		}
	}
	switch want.verdict {
	case unsure:
		count.Unsure++
		return ""
	case overlap:
		if got == collide.Miss || got == collide.Hit && c.Time > 0 {
			return fmt.Sprintf("%v at %v, but they overlap and approach along %v", got, c.Time, want.normal)
		}
		count.Overlaps++
		return ""
	case miss:
		if v := s.motion().velocity(c.Time); got == collide.Hit && math.Abs(c.Normal.Dot(v)) < 1e-9*v.Length() {
			count.Unsure++ // a graze by rounding
			return ""
		}
		if got != collide.Miss {
			return fmt.Sprintf("%v at %v, normal %v, but they miss", got, c.Time, c.Normal)
		}
		count.Misses++
		return ""
	}
	return w.compareHit(s, &want, i, c, got, count)
}

// compareSeparation compares the distance at the start with [collide.Separation].
func (w *work) compareSeparation(s *scene) string {
	other, ok := s.target.shape.(collide.Convex)
	if !ok {
		return ""
	}
	b, cloud := &s.target.pieces[0], s.cloud()
	x, apart, size := nearest(&cloud, b, vec{}, &w.room)
	size += cloud.Radius + b.Radius
	slack := 1e-11*size + b.wobble
	if (cloud.Origin == vec{}) != (b.Origin == vec{}) { // then the coordinates themselves are rounded
		slack += 0x1p-49 * (cloud.Origin.MaxAbs() + b.Origin.MaxAbs())
	}
	if apart < x.Length()-slack {
		return "" // the oracle doesn't know it well enough
	}
	distance := x.Length() - cloud.Radius - b.Radius
	g := collide.Separation(s.mover.make(s.at), other)
	switch {
	case x.Length() > slack && math.Abs(g.Distance-distance) > slack:
		return fmt.Sprintf("distance %v, want %v", g.Distance, distance)
	case x.Length() <= slack && g.Distance > distance+slack:
		return fmt.Sprintf("distance %v of shapes that overlap by %v", g.Distance, -distance)
	case !(g.PointA.Sub(g.PointB).AddScaled(-g.Distance, g.Normal).Length() <= 1e-12*(size+g.PointB.MaxAbs())):
		return fmt.Sprintf("%+v doesn't agree with its points", g)
	}
	return ""
}

// compareHit compares a contact with that of the oracle.
func (w *work) compareHit(
	s *scene, want *finding, i int, c collide.Contact, got collide.Outcome, count *Count,
) string {
	m := s.motion()
	rate := -want.normal.Dot(m.velocity(want.time))
	cloud := s.cloud()
	_, _, size := nearest(&cloud, &s.target.pieces[i], m.at(want.time), &w.room)
	size += m.at(want.time).MaxAbs() + cloud.Origin.Sub(s.target.pieces[i].Origin).MaxAbs() + cloud.Radius
	late := math.Abs(want.time-s.horizon) * rate
	switch {
	case got == collide.Miss && (want.time > s.horizon || late <= 2*want.slack):
		count.Misses++
		return ""
	case got == collide.Miss && float64(rate*rate) <= float64(4*want.slack*want.normal.Dot(m.acceleration)):
		count.Unsure++ // turns back before it is deeper than the oracle's accuracy
		return ""
	case got == collide.Overlap && want.time*rate <= 2*want.slack:
		count.Overlaps++ // touches, up to the oracle's accuracy
		return ""
	case (got == collide.Miss || got == collide.Hit && (c.Time-want.time)*rate > 1e-6*size) &&
		s.target.union && cloud.Radius == 0 && !w.bars(s, want):
		count.Unsure++ // passes a corner, and may meet something later
		return ""
	case got != collide.Hit:
		return fmt.Sprintf("%v, want a Hit at %v, normal %v", got, want.time, want.normal)
	}
	// Shapes without radii may enter a little later than they seem to touch. Then the gap tells.
	off, later := math.Abs(c.Time-want.time)*rate, 0.0
	if r := cloud.Radius + s.target.pieces[i].Radius; r == 0 && c.Time > want.time {
		later = 1e5 * want.slack
	}
	if off > 2*want.slack+later {
		return fmt.Sprintf("touches at %v, want %v: off by %v", c.Time, want.time, off)
	}
	count.Hits++
	count.WorstTime = max(count.WorstTime, off/size)
	if c.Normal.Dot(m.velocity(c.Time)) >= 0 {
		return fmt.Sprintf("the normal %v leaves", c.Normal)
	}
	// In 1200 bits: of the pieces that are touched at that time, that to which the normal belongs.
	best := math.Inf(1)
	for j := range s.target.pieces {
		b := &s.target.pieces[j]
		if b.cylinder || b.plane || s.pull != (vec{}) {
			return w.comparePoint(s, b, c, size)
		}
		if x, _, _ := nearest(&cloud, b, m.at(c.Time), &w.room); x.Length()-cloud.Radius-b.Radius > 1e-6*size {
			continue
		}
		gap, size := gapAt(&cloud, s.v, s.pull, b, s.vb, c.Normal, c.Time)
		best = min(best, math.Abs(gap)/size)
	}
	count.WorstGap = max(count.WorstGap, best)
	if best > gapTolerance+s.target.pieces[i].wobble {
		return fmt.Sprintf("the gap along the normal is %v of the sizes at the time of contact", best)
	}
	return ""
}

// bars reports whether the pieces that meet at a contact of a shape without a radius stop it
// together: whether a plane separates it from all of them, which it approaches from their fronts.
// It is perpendicular to two edges.
func (w *work) bars(s *scene, want *finding) bool {
	cloud, m := s.cloud(), s.motion()
	shift, v := m.at(want.time), m.velocity(want.time)
	var touched []*piece
	size := 0.0
	for i := range s.target.pieces {
		b := &s.target.pieces[i]
		x, _, extent := nearest(&cloud, b, shift, &w.room)
		if size = max(size, extent); x.Length()-b.Radius < 1e-8*extent {
			touched = append(touched, b)
		}
	}
	edges := func(points []vec) (all []vec) {
		for i, p := range points {
			for _, q := range points[:i] {
				all = append(all, q.Sub(p))
			}
		}
		return all
	}
	var all []vec
	for _, b := range touched {
		all = append(all, edges(b.Points)...)
		if len(b.Points) == 2 {
			all = append(all, vec{Z: 1}) // a wall of a 2D game
		}
	}
	all = append(all, edges(cloud.Points)...)
	var normals []vec
	for i, e := range all {
		for _, f := range all[:i] {
			n, ok := e.Cross(f).Normalized()
			if n.Dot(v) > 0 {
				n = n.Neg()
			}
			if ok && n.Dot(v) < -1e-4*v.Length() {
				normals = append(normals, n)
			}
		}
	}
	// The exact time: the last at which a plane separates it from a piece, for the first of these.
	first := math.Inf(1)
	for _, b := range touched {
		last := math.Inf(-1)
		for _, n := range normals {
			last = max(last, height(&cloud, b, n, vec{})/-n.Dot(v))
		}
		first = min(first, last)
	}
	shift = m.at(first)
candidates:
	for _, n := range normals {
		for _, b := range touched {
			if b.normal != (vec{}) && n.Dot(b.normal) < 1e-6 || height(&cloud, b, n, shift) < -1e-13*size {
				continue candidates
			}
		}
		return true
	}
	return false
}

// height returns how high a, moved by shift, is above b along n.
func height(a *exact.Cloud, b *piece, n, shift vec) float64 {
	h := math.Inf(1)
	for _, p := range a.Points {
		for _, q := range b.Points {
			h = min(h, n.Dot(a.Origin.Sub(b.Origin).Sub(q).Add(p).Add(shift)))
		}
	}
	return h - b.Radius
}

// gapTolerance is the largest gap at the time of contact relative to the sizes: the relative error
// of a time of 2^-42 that the sweeps promise.
const gapTolerance = 0x1p-42

// comparePoint checks that the point of contact is on the piece. It is for planes and cylinders,
// and for parabolas, whose normals are exact to the root of a rounding only.
func (w *work) comparePoint(s *scene, b *piece, c collide.Contact, size float64) string {
	p := ball(0).cloud(c.Point.AddScaled(-c.Time, s.vb))
	slack := 1e-12*(size+p.Points[0].MaxAbs()) + 4*b.wobble
	if x, _, _ := nearest(&p, b, vec{}, &w.room); math.Abs(x.Length()-b.Radius) > slack {
		return fmt.Sprintf("the point %v is %v off the surface", c.Point, x.Length())
	}
	return ""
}

// side is from where a contact with something one-sided comes.
type side uint8

const (
	front  side = iota
	back        // the oracle doesn't know what happens afterwards
	passes      // it passes
)

func (w *work) side(s *scene, b *piece, want *finding, k *kind) side {
	n, cloud := b.normal, s.cloud()
	if n == (vec{}) || b.twoSided || b.half {
		return front
	}
	if s.target.union {
		// All pieces that meet there must be hit from the front. At a sharp edge, some aren't.
		shift := s.motion().at(want.time)
		for i := range s.target.pieces {
			c := &s.target.pieces[i]
			if want.normal.Dot(c.normal) > 1e-6 {
				continue
			}
			if x, _, size := nearest(&cloud, c, shift, &w.room); x.Length()-cloud.Radius < 1e-6*size+2*want.slack {
				return back
			}
		}
		return front
	}
	if k.ray {
		return front
	}
	height, rate := n.Dot(cloud.Points[0].Sub(b.Points[0])), n.Dot(s.v.Sub(s.vb))
	if math.Abs(height) < 1e-9*cloud.Points[0].Sub(b.Points[0]).MaxAbs() || math.Abs(rate) < 1e-9*s.v.MaxAbs() {
		return back
	}
	if height < 0 || rate > 0 {
		return passes
	}
	return front
}
