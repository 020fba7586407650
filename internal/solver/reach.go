package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"

	"github.com/dango-physics/dango/internal/calendar"
)

// Codes of what an event or a contact is about, where it isn't a body.
const (
	crossingCode = int32(-1)
	surfaceCode  = int32(-2) // surfaceCode-k is surface k

	leaveSurface = int32(math.MinInt32)     // leaveSurface+k, in events only: the end of a stay in sensor k
	leaving      = int32(math.MinInt32 / 2) // between the two
)

// reach appends to out those of near whose straight path, from now to the end of the step, comes within touch of
// body i's, with a margin for rounding on the side of too many. foresee decides. Where deep is not negative, pairs
// that are inside each other by more than a part of deep are in out as well, whatever their motion. Behind near there is room for overrun more.
func (s *Space) reach(i int32, now, deep float64, near, out []int32) []int32 {
	q := &s.asked
	q.of(&s.bodies[i])
	q.now, q.keep = now, 1-deep
	return q.filter(s.bodies, i, near, out)
}

// query is what reach asks: which bodies come within touch of one at x that moves at v. Field by field, assembly reads it.
type query struct {
	x, v                                    collide.Vec3
	radius                                  float64
	now, until, untilLess, less, more, keep float64
}

// of asks for body b.
func (q *query) of(b *body) {
	// Number by number: b has mostly just been written so, and a wider read would have to wait for that.
	q.x.X, q.x.Y, q.x.Z = b.x.X, b.x.Y, b.x.Z
	q.v.X, q.v.Y, q.v.Z = b.v.X, b.v.Y, b.v.Z
	q.radius = b.radius
}

// ask readies s.asked for a step: what is the same in all that it asks.
func (s *Space) ask() {
	// Rounding can add up to less than 2^-49 of the terms' sizes; 2^-46 of them are on the side of a hit.
	const less, more = 1 - 0x1p-46, 1 + 0x1p-46
	q := &s.asked
	q.until, q.untilLess, q.less, q.more = s.Seconds, float64(s.Seconds*less), less, more
}

// among appends to out those of near that come within touch.
//
// There is no branch in it but the loop, because which pairs pass is as good as random.
func (q *query) among(bodies []body, near, out []int32) []int32 {
	out = append(out, near...)[:len(out)+len(near)]
	n := len(out) - len(near)
	for _, j := range near {
		b := &bodies[j]
		dx, dy, dz := q.x.X-b.x.X, q.x.Y-b.x.Y, q.x.Z-b.x.Z
		wx, wy, wz := q.v.X-b.v.X, q.v.Y-b.v.Y, q.v.Z-b.v.Z
		r := q.radius + b.radius
		// |d + t·w|² = r², that is a t² + 2b t + c = 0.
		a := float64(wx*wx) + float64(wy*wy) + float64(wz*wz)
		h := float64(dx*wx) + float64(dy*wy) + float64(dz*wz)
		dd := float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
		rr := float64(r * r)
		c := float64(dd*q.less) - float64(rr*q.more)
		approach := h + float64(a*q.now)
		root := float64(h*h) - float64(a*c)
		closest := h + float64(a*q.untilLess) // < 0 while they still approach at the end of the step
		gap := c + float64(q.until*(h+closest))
		hits := sign(approach) &^ sign(root) & (sign(gap) | (1 ^ sign(closest)))
		out[n] = j
		n += hits | sign(dd-float64(rr*q.keep))
	}
	return out[:n]
}

// sign returns 1 where x has its sign bit set, and 0 otherwise.
func sign(x float64) int { return int(math.Float64bits(x) >> 63) }

const (
	deepShare = 0x1p-30 // of the smaller radius: what is deeper than that, about 1e-9, was put there and is mended
	maybeDeep = 0x1p-44 // of the square of the distance, in reach: pairs that checkDeep has to look at
	notDeep   = 2.0     // with it, no pair counts as deep
)

// foresee puts the next impact of bodies i and j in the calendar, if there is one in this step after now.
func (s *Space) foresee(i, j int32, now float64) {
	bi, bj := &s.bodies[i], &s.bodies[j]
	if i == j {
		return
	}
	if s.flags[i]&s.flags[j]&plain == 0 {
		mi, mj := &s.infos[i].material, &s.infos[j].material
		if !mi.collides(mj) {
			return
		}
		if mi.Sensor || mj.Sensor {
			s.foreseeSensor(i, j, now)
			return
		}
	}
	if bi.inverseMass == 0 && bj.inverseMass == 0 && (s.flags[i]|s.flags[j])&frozen == 0 {
		return
	}
	d, w := bi.x.Sub(bj.x), bi.v.Sub(bj.v)
	b := d.Dot(w)
	if b >= 0 {
		return // they were closest at or before the start of the step
	}
	r := bi.radius + bj.radius
	a, c := w.Dot(w), d.Dot(d)-float64(r*r)
	// b² - a·c, without its cancellation: by Lagrange's identity it is a·r² - |d×w|².
	n := d.Cross(w)
	root := float64(a*float64(r*r)) - n.Dot(n)
	if !(root > 0) {
		return
	}
	t := c / (math.Sqrt(root) - b) // like signs are added
	if t > s.Seconds {
		return
	}
	if t < now {
		// They touch already. Moving apart is always free; what approaches meets now.
		if b+float64(a*now) >= 0 {
			return
		}
		t = now
	}
	if len(s.vetoes) > 0 && s.vetoed(s.infos[i].id, s.infos[j].id) {
		return
	}
	if len(s.slides) > 0 && (s.slidesOn(i, s.infos[j].id) || s.slidesOn(j, s.infos[i].id)) {
		return
	}
	s.push(t, i, j)
}

// push puts an event of body i with b, a body or a code, in the calendar.
func (s *Space) push(t float64, i, b int32) {
	m := s.marks[i]
	e := calendar.Event{Time: t, A: i, B: b, StampA: m.stamp, Key: m.key}
	switch {
	case b >= 0:
		m := s.marks[b]
		e.StampB = m.stamp
		e.Key += m.key
	case b <= surfaceCode && b > leaving:
		k := surfaceCode - b
		e.StampB = s.surfaces[k].stamp
		e.Key += s.surfaces[k].key
	}
	s.calendar.Push(e)
}
