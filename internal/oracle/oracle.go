package oracle

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Body is a sphere.
type Body struct {
	Position, Velocity collide.Vec3 // metres, metres per second
	Radius             float64      // metres
	InverseMass        float64      // 1/kg; 0 if no impact changes its velocity
	Restitution        float64      // the larger one of the two bodies is used
	Slide              bool         // the body slides along what it touches and never bounces
	Locked             uint8        // axes along which impacts don't move it, bit 0 for x
	Layers, Mask       uint32

	contacts []contact
}

// Surface is a capsule, a half-space or, two-sided, a thin sheet.
type Surface struct {
	Plane        collide.Plane
	Capsule      collide.Capsule // instead of Plane, if its radius is not 0
	Velocity     collide.Vec3
	Restitution  float64
	TwoSided     bool
	Layers, Mask uint32
}

// contact is an immovable body or surface along which a body slides for the rest of a step.
type contact struct {
	with int // a body, or -1-k for surface k
	collide.SlideContact
	from collide.Vec3 // the body's velocity before the first of its contacts
}

// Impact is an impact of body A with body B, or with surface -1-B if B is negative. Time is in
// seconds from the start of the step.
type Impact struct {
	Time float64
	A, B int
}

// World is a scene.
type World struct {
	Bodies    []Body
	Surfaces  []Surface
	RestSpeed float64 // metres per second; for slower impacts a restitution below 1 counts as 0
}

// graze is the closing speed, relative to the sum of both speeds, up to which a pair counts as
// moving along each other. Rounding leaves such a speed where the exact one is 0. Larger, and slow
// impacts would be missed; smaller, and a body would hit again and again what it slides along.
const graze = 1e-13

// Step advances the world by that many seconds and returns the impacts in the order of time. It
// returns false as soon as there are more than limit.
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
			w.meetSurface(a, -1-b)
		}
		log = append(log, Impact{now, a, b})
	}
}

// advance moves everything for t seconds.
func (w *World) advance(t float64) {
	for i := range w.Bodies {
		b := &w.Bodies[i]
		b.Position = b.Position.AddScaled(t, b.Velocity)
	}
	for k := range w.Surfaces {
		p := &w.Surfaces[k]
		p.Plane.Distance += float64(p.Plane.Normal.Dot(p.Velocity) * t)
		p.Capsule.A = p.Capsule.A.AddScaled(t, p.Velocity)
		p.Capsule.B = p.Capsule.B.AddScaled(t, p.Velocity)
	}
}

// next returns the earliest impact within horizon seconds, and the seconds until then: +Inf if
// there is none.
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
		for k := range w.Surfaces {
			if at, ok := w.surface(i, k, horizon); ok {
				offer(at, i, -1-k)
			}
		}
	}
	return t, a, b
}

// pair returns the time until bodies i and j meet.
func (w *World) pair(i, j int, horizon float64) (float64, bool) {
	a, b := &w.Bodies[i], &w.Bodies[j]
	if a.Layers&b.Mask == 0 || b.Layers&a.Mask == 0 || a.InverseMass == 0 && b.InverseMass == 0 ||
		a.slidesOn(j) || b.slidesOn(i) {
		return 0, false
	}
	c, outcome := collide.SweepSphereSphere(collide.Sphere{Center: a.Position, Radius: a.Radius}, a.Velocity,
		collide.Sphere{Center: b.Position, Radius: b.Radius}, b.Velocity, horizon)
	approach := c.Normal.Dot(b.Velocity.Sub(a.Velocity))
	return c.Time, outcome != collide.Miss && approach > graze*(a.Velocity.Length()+b.Velocity.Length())
}

// surface returns the time until body i meets surface k.
func (w *World) surface(i, k int, horizon float64) (float64, bool) {
	b, p := &w.Bodies[i], &w.Surfaces[k]
	if b.Layers&p.Mask == 0 || p.Layers&b.Mask == 0 || b.InverseMass == 0 || b.slidesOn(-1-k) {
		return 0, false
	}
	least := graze * (b.Velocity.Length() + p.Velocity.Length())
	ball := collide.Sphere{Center: b.Position, Radius: b.Radius}
	if p.Capsule.Radius > 0 {
		c, outcome := collide.SweepSphereCapsule(ball, b.Velocity, p.Capsule, p.Velocity, horizon)
		return c.Time, outcome != collide.Miss && c.Normal.Dot(p.Velocity.Sub(b.Velocity)) > least
	}
	if p.facing(b).Dot(p.Velocity.Sub(b.Velocity)) <= least {
		return 0, false
	}
	if p.Plane.SignedDistance(b.Position) <= 0 && !p.TwoSided {
		return 0, true // everything behind a one-sided plane is solid
	}
	c, outcome := collide.SweepSpherePlane(ball, b.Velocity, p.Plane, p.Velocity, horizon)
	return c.Time, outcome != collide.Miss
}

// facing returns the surface's normal towards b.
func (p *Surface) facing(b *Body) collide.Vec3 {
	switch {
	case p.Capsule.Radius > 0:
		n, _ := b.Position.Sub(p.nearestOfAxis(b)).Normalized()
		return n
	case p.TwoSided && p.Plane.SignedDistance(b.Position) < 0:
		return p.Plane.Normal.Neg()
	}
	return p.Plane.Normal
}

// nearestOfAxis returns the point of a capsule's axis nearest to b.
func (p *Surface) nearestOfAxis(b *Body) collide.Vec3 {
	return collide.Segment{A: p.Capsule.A, B: p.Capsule.B}.ClosestPoint(b.Position)
}

// slidesOn reports whether b slides along a body, or along surface -1-with.
func (b *Body) slidesOn(with int) bool {
	for _, c := range b.contacts {
		if c.with == with {
			return true
		}
	}
	return false
}

// unlocked returns v without its components along locked axes.
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

// restitution returns the coefficient for an impact at that closing speed.
func (w *World) restitution(a, b float64, slide bool, approach float64) float64 {
	e := max(a, b)
	if slide || e < 1 && approach <= w.RestSpeed {
		return 0
	}
	return e
}

// meet resolves an impact of two bodies.
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

// meetSurface resolves an impact of a body with a surface.
func (w *World) meetSurface(i, k int) {
	b, p := &w.Bodies[i], &w.Surfaces[k]
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

// slide makes body i slide along what it has met and along its other contacts. For a body with
// Slide, and for a slow one, the velocity is computed from the one before the first of these
// contacts; for any other body, from its present velocity.
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

// touching is the largest gap at which a body counts as touching, relative to its radius.
const touching = 0x1p-20

// gap returns the distance between body i and a body, or surface -1-with, in metres.
func (w *World) gap(i, with int) float64 {
	b := &w.Bodies[i]
	if with >= 0 {
		return b.Position.Distance(w.Bodies[with].Position) - b.Radius - w.Bodies[with].Radius
	}
	p := &w.Surfaces[-1-with]
	if p.Capsule.Radius > 0 {
		return p.Capsule.SignedDistance(b.Position) - b.Radius
	}
	return p.facing(b).Dot(b.Position) - float64(p.facing(b).Dot(p.Plane.Normal)*p.Plane.Distance) - b.Radius
}
