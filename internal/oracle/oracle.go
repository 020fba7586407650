// Package oracle is the plain reference that the solver is held against: no grid, no calendar, no intercepts. It looks at
// all pairs, takes the earliest impact, brings everything to that time, resolves it, and looks at all pairs again.
// Everything a solver does to be fast is missing here, so that one can see by reading that it is right.
package oracle

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Body is a sphere.
type Body struct {
	Position, Velocity collide.Vec3
	Radius             float64
	InverseMass        float64 // 0 for what no impact moves
	Restitution        float64 // the larger of two counts
	Slide              bool    // never bounces
	Locked             uint8   // axes along which it never moves, bit 0 for x
	Layers, Mask       uint32

	contacts []contact
}

// Plane is a half-space or, two-sided, a thin sheet.
type Plane struct {
	collide.Plane
	Velocity     collide.Vec3
	Restitution  float64
	TwoSided     bool
	Layers, Mask uint32
}

// contact is something immovable along which a body slides for the rest of a step.
type contact struct {
	with int // a body, or -1-plane
	collide.SlideContact
	from collide.Vec3 // the velocity before the first of them
}

// Impact is an impact of body A with body B, or with plane -1-B.
type Impact struct {
	Time float64
	A, B int
}

// World is everything there is.
type World struct {
	Bodies    []Body
	Planes    []Plane
	RestSpeed float64 // a closing speed up to which a restitution below 1 counts as 0
}

// graze is the closing speed, relative to the speeds, below which something moves along what it touches: what
// rounding leaves of a closing speed of zero.
const graze = 1e-13

// Step moves the world on and returns its impacts in the order of time, or false when there are more than limit.
func (w *World) Step(seconds float64, limit int) ([]Impact, bool) {
	for i := range w.Bodies {
		w.Bodies[i].contacts = nil
	}
	var log []Impact
	for now := 0.0; ; {
		t, a, b := w.next(seconds - now)
		if math.IsInf(t, 1) {
			w.advance(seconds - now)
			return log, true
		}
		if len(log) == limit {
			return log, false
		}
		w.advance(t)
		now += t
		if b >= 0 {
			w.meet(a, b)
		} else {
			w.meetPlane(a, -1-b)
		}
		log = append(log, Impact{now, a, b})
	}
}

func (w *World) advance(t float64) {
	for i := range w.Bodies {
		b := &w.Bodies[i]
		b.Position = b.Position.AddScaled(t, b.Velocity)
	}
	for k := range w.Planes {
		p := &w.Planes[k]
		p.Distance += float64(p.Normal.Dot(p.Velocity) * t)
	}
}

// next returns the earliest impact from now on and the seconds until then, +Inf for none.
func (w *World) next(horizon float64) (t float64, a, b int) {
	t = math.Inf(1)
	offer := func(at float64, i, j int) {
		if at < t {
			t, a, b = at, i, j
		}
	}
	for i := range w.Bodies {
		for j := i + 1; j < len(w.Bodies); j++ {
			if at, ok := w.pair(i, j, horizon); ok {
				offer(at, i, j)
			}
		}
		for k := range w.Planes {
			if at, ok := w.plane(i, k, horizon); ok {
				offer(at, i, -1-k)
			}
		}
	}
	return t, a, b
}

func (w *World) pair(i, j int, horizon float64) (float64, bool) {
	a, b := &w.Bodies[i], &w.Bodies[j]
	if a.Layers&b.Mask == 0 || b.Layers&a.Mask == 0 || a.InverseMass == 0 && b.InverseMass == 0 || a.slidesOn(j) || b.slidesOn(i) {
		return 0, false
	}
	c, outcome := collide.SweepSphereSphere(collide.Sphere{Center: a.Position, Radius: a.Radius}, a.Velocity,
		collide.Sphere{Center: b.Position, Radius: b.Radius}, b.Velocity, horizon)
	approach := c.Normal.Dot(b.Velocity.Sub(a.Velocity))
	return c.Time, outcome != collide.Miss && approach > graze*(a.Velocity.Length()+b.Velocity.Length())
}

func (w *World) plane(i, k int, horizon float64) (float64, bool) {
	b, p := &w.Bodies[i], &w.Planes[k]
	if b.Layers&p.Mask == 0 || p.Layers&b.Mask == 0 || b.InverseMass == 0 || b.slidesOn(-1-k) {
		return 0, false
	}
	n := p.facing(b)
	if n.Dot(p.Velocity.Sub(b.Velocity)) <= graze*(b.Velocity.Length()+p.Velocity.Length()) {
		return 0, false
	}
	if p.SignedDistance(b.Position) <= 0 && !p.TwoSided {
		return 0, true // all behind it is solid
	}
	c, outcome := collide.SweepSpherePlane(collide.Sphere{Center: b.Position, Radius: b.Radius}, b.Velocity, p.Plane, p.Velocity, horizon)
	return c.Time, outcome != collide.Miss
}

// facing returns the plane's normal on the side of b.
func (p *Plane) facing(b *Body) collide.Vec3 {
	if p.TwoSided && p.SignedDistance(b.Position) < 0 {
		return p.Normal.Neg()
	}
	return p.Normal
}

func (b *Body) slidesOn(with int) bool {
	for _, c := range b.contacts {
		if c.with == with {
			return true
		}
	}
	return false
}

func (b *Body) unlocked(v collide.Vec3) collide.Vec3 {
	if b.Locked&1 != 0 {
		v.X = 0
	}
	if b.Locked&2 != 0 {
		v.Y = 0
	}
	if b.Locked&4 != 0 {
		v.Z = 0
	}
	return v
}

func (w *World) restitution(a, b float64, slide bool, approach float64) float64 {
	e := max(a, b)
	if slide || e < 1 && approach <= w.RestSpeed {
		return 0
	}
	return e
}

func (w *World) meet(i, j int) {
	a, b := &w.Bodies[i], &w.Bodies[j]
	n, _ := a.Position.Sub(b.Position).Normalized()
	approach := n.Dot(b.Velocity.Sub(a.Velocity))
	e := w.restitution(a.Restitution, b.Restitution, a.Slide || b.Slide, approach)
	switch {
	case e == 0 && b.InverseMass == 0:
		w.slide(i, j, n, b.Velocity)
		return
	case e == 0 && a.InverseMass == 0:
		w.slide(j, i, n.Neg(), a.Velocity)
		return
	case a.Locked|b.Locked == 0:
		a.Velocity, b.Velocity, _ = collide.Bounce(a.Velocity, b.Velocity, a.InverseMass, b.InverseMass, n, e)
	default:
		na, nb := a.unlocked(n), b.unlocked(n)
		j := (1 + e) * approach / (float64(a.InverseMass*na.Dot(na)) + float64(b.InverseMass*nb.Dot(nb)))
		a.Velocity = a.Velocity.AddScaled(j*a.InverseMass, na)
		b.Velocity = b.Velocity.AddScaled(-j*b.InverseMass, nb)
	}
	a.contacts, b.contacts = nil, nil
}

func (w *World) meetPlane(i, k int) {
	b, p := &w.Bodies[i], &w.Planes[k]
	n := p.facing(b)
	approach := n.Dot(p.Velocity.Sub(b.Velocity))
	e := w.restitution(b.Restitution, p.Restitution, b.Slide, approach)
	if e == 0 {
		w.slide(i, -1-k, n, p.Velocity)
		return
	}
	free := b.unlocked(n)
	b.Velocity = b.Velocity.AddScaled((1+e)*approach/free.Dot(free), free)
	b.contacts = nil
}

// slide lets body i go on along what it has met and what it slides along already. What slides or rests is limited in the
// movement that it had before the first of its contacts, what is thrown about in that which it has.
func (w *World) slide(i, with int, n, u collide.Vec3) {
	b := &w.Bodies[i]
	b.contacts = slices.DeleteFunc(b.contacts, func(c contact) bool { return w.gap(i, c.with) > touching*b.Radius })
	from := b.Velocity
	if len(b.contacts) > 0 && (b.Slide || n.Dot(u.Sub(b.Velocity)) <= w.RestSpeed) {
		from = b.contacts[0].from
	}
	free := b.unlocked(n)
	size := free.Length()
	free = free.Scale(1 / size)
	next := contact{with, collide.SlideContact{Normal: free, Velocity: free.Scale(n.Dot(u) / size)}, from}
	b.contacts = append([]contact{next}, b.contacts...)
	var all []collide.SlideContact
	for _, c := range b.contacts {
		all = append(all, c.SlideContact)
	}
	v, result := collide.Slide(from, all)
	b.Velocity = b.unlocked(v)
	var kept []contact
	for k, c := range b.contacts {
		if result.Active>>k&1 != 0 {
			c.from = from
			kept = append(kept, c)
		}
	}
	b.contacts = kept
}

// touching is how far apart, in parts of a radius, two things may be and still touch.
const touching = 0x1p-20

// gap returns how far body i is from a body or plane.
func (w *World) gap(i, with int) float64 {
	b := &w.Bodies[i]
	if with >= 0 {
		return b.Position.Distance(w.Bodies[with].Position) - b.Radius - w.Bodies[with].Radius
	}
	p := &w.Planes[-1-with]
	return p.facing(b).Dot(b.Position) - float64(p.facing(b).Dot(p.Normal)*p.Distance) - b.Radius
}
