package solver

import (
	"github.com/dango-physics/dango/collide"
)

// apart is the speed, in parts of the speeds before, at which a pair leaves that doesn't bounce. Their common velocity is rounded, and
// what rounding leaves of an approach would be another impact at once. 2^-44 is 500 roundings: within
// a step of 1/60 s at 100 m/s it opens a gap of 1e-13 m.
const apart = 0x1p-44

// collide lets bodies i and j meet at time t.
func (s *Space) collide(i, j int32, t float64) {
	if s.materials[i].Sensor || s.materials[j].Sensor {
		s.passSensor(i, j, t)
		return
	}
	bi, bj := &s.bodies[i], &s.bodies[j]
	pi, pj := bi.at(t), bj.at(t)
	vi, vj := bi.v, bj.v
	d := pi.Sub(pj)
	n, ok := d.Normalized()
	if !ok { // the same centre: part along the motion
		n, _ = vj.Sub(vi).Normalized()
	}
	approach := -n.Dot(vi.Sub(vj)) // of their chords
	if !(approach > 0) {
		return // it only grazes, to rounding
	}
	closing := -n.Dot(s.velocity(i, t).Sub(s.velocity(j, t)))
	ni, nj := s.unlocked(i, n), s.unlocked(j, n)
	wi := float64(bi.inverseMass * ni.Dot(ni))
	wj := float64(bj.inverseMass * nj.Dot(nj))
	e := s.restitution(&s.materials[i], &s.materials[j], closing)
	if e > 0 && (wi == 0 || wj == 0) && float64((1+e)*closing) <= approach {
		e = 0 // it wouldn't leave for as long as the step
	}
	if s.infos[i].flags&s.infos[j].flags&deep != 0 && isDeep(d.LengthSquared(), bi, bj) {
		e = 0 // separate moves them apart
	}
	impulse := 0.0
	switch {
	case wi == 0 && wj == 0:
		s.block(i, j, t)
		return
	case e == 0 && wj == 0:
		vi, impulse = s.slide(i, s.infos[j].id, n, ni, vj, t)
	case e == 0 && wi == 0:
		vj, impulse = s.slide(j, s.infos[i].id, n.Neg(), nj.Neg(), vi, t)
	default:
		least := approach + float64(apart*(abs1(vi)+abs1(vj)))
		impulse = max(closing+float64(e*closing), least) / (wi + wj)
		vi = vi.AddScaled(float64(impulse*bi.inverseMass), ni)
		vj = vj.AddScaled(-float64(impulse*bj.inverseMass), nj)
		if e == 0 {
			s.rest(i, j, n, ni, nj, wi+wj)
		}
		s.infos[i].slides, s.infos[j].slides = -1, -1 // what they slid on is found again if they still press on it
	}
	s.Counts.Impacts++
	s.record(i, s.infos[j].id, t, pi.AddScaled(-bi.radius, n), n, max(closing, 0), impulse, e > 0)
	if wi > 0 {
		s.turn(i, pi, vi, t)
	}
	if wj > 0 {
		s.turn(j, pj, vj, t)
	}
	if wi > 0 {
		s.spend(i, pi, t, e)
		s.lookAround(i, t)
	}
	if wj > 0 {
		s.spend(j, pj, t, e)
		s.lookAround(j, t)
	}
}

// meet lets body i meet surface k at time t.
func (s *Space) meet(i, k int32, t float64) {
	b, f := &s.bodies[i], &s.surfaces[k]
	if f.Material.Sensor {
		s.passSensor(i, surfaceCode-k, t)
		return
	}
	p, v := b.at(t), b.v
	n := f.Plane.Normal
	switch {
	case f.Polygon != nil:
		n = s.pending[i]
	case f.TwoSided && n.Dot(p)-f.Plane.Distance-float64(f.rate*t) < 0:
		n = n.Neg()
	}
	approach := -n.Dot(v.Sub(f.Velocity))
	if !(approach > 0) {
		return
	}
	ni := s.unlocked(i, n)
	size := ni.Dot(ni)
	if b.inverseMass == 0 || size == 0 {
		s.stopSurface(k, t)
		return
	}
	closing := -n.Dot(s.velocity(i, t).Sub(f.Velocity))
	e := s.restitution(&s.materials[i], &f.Material, closing)
	if float64((1+e)*closing) <= approach || s.infos[i].flags&deep != 0 && s.isDeepIn(p, b.radius, k, t) {
		e = 0 // it wouldn't leave for as long as the step, or is inside, and separate moves it out
	}
	impulse := 0.0
	if e == 0 {
		v, impulse = s.slide(i, surfaceCode-k, n, ni, f.Velocity, t)
	} else {
		change := (closing + float64(e*closing)) / size
		impulse = change / b.inverseMass
		v = v.AddScaled(change, ni)
		s.infos[i].slides = -1
	}
	s.Counts.Impacts++
	s.record(i, surfaceCode-k, t, p.AddScaled(-b.radius, n), n, max(closing, 0), impulse, e > 0)
	s.turn(i, p, v, t)
	s.spend(i, p, t, e)
	s.lookAround(i, t)
}

// restitution returns what counts for an impact at that closing speed.
func (s *Space) restitution(a, b *Material, approach float64) float64 {
	if a.Slide || b.Slide {
		return 0
	}
	e := s.Combine(a, b)
	if e < 1 && approach <= s.RestSpeed {
		return 0
	}
	return e
}

// unlocked returns n without the axes along which body i never moves.
func (s *Space) unlocked(i int32, n collide.Vec3) collide.Vec3 {
	if s.materials[i].Locked != 0 {
		return Unlocked(n, s.materials[i].Locked)
	}
	return n
}

// Unlocked returns v with its parts along the locked axes, bit 0 for x, set to zero.
func Unlocked(v collide.Vec3, locked uint8) collide.Vec3 {
	if locked&1 != 0 {
		v.X = 0
	}
	if locked&2 != 0 {
		v.Y = 0
	}
	if locked&4 != 0 {
		v.Z = 0
	}
	return v
}

// slide is a contact along which a body slides for the rest of the step.
type slide struct {
	collide.SlideContact
	with  int32  // the id of a body, or a surface code
	stamp uint32 // of its path: once that is stopped, the contact is void
	next  int32

	from, pull collide.Vec3 // the body's mean velocity and its acceleration before it met the first of its contacts
}

// stampOf returns the stamp of something's path: a body, by its id, or a surface, by its code.
func (s *Space) stampOf(code int32) uint32 {
	if code >= 0 {
		return s.infos[s.index[code]].stamp
	}
	return s.surfaces[surfaceCode-code].stamp
}

// rest lets two bodies that don't bounce off each other press on each other: their accelerations must not approach either.
func (s *Space) rest(i, j int32, n, ni, nj collide.Vec3, inverse float64) {
	closing := -n.Dot(s.pulls[i].Sub(s.pulls[j]))
	if !(closing > 0) {
		return
	}
	force := closing / inverse
	s.pulls[i] = s.pulls[i].AddScaled(float64(force*s.bodies[i].inverseMass), ni)
	s.pulls[j] = s.pulls[j].AddScaled(-float64(force*s.bodies[j].inverseMass), nj)
}

// slide adds what body i has met at time t, something immovable that moves at u, to the contacts it slides along, and
// returns the mean velocity that they leave it, with the impulse that took. Contacts that it leaves are dropped.
//
// Where it slides, or rests, all contacts limit the movement that it had before the first of them. Limiting what the
// others have left of it isn't the same: in a funnel each wall would throw it off the one before, for ever.
func (s *Space) slide(i, with int32, n, free, u collide.Vec3, t float64) (collide.Vec3, float64) {
	c := collide.SlideContact{Normal: n, Velocity: u}
	if free != n { // what counts is the part of the contact along which the body can move
		size := free.Length()
		c.Normal = free.Scale(1 / size)
		c.Velocity = c.Normal.Scale(n.Dot(u) / size)
	}
	f := &s.infos[i]
	for link := &f.slides; *link >= 0; {
		if k := &s.slides[*link]; k.stamp != s.stampOf(k.with) || !s.holds(i, k.with, t) {
			*link = k.next
		} else {
			link = &k.next
		}
	}
	v := s.velocity(i, t)
	first := slide{c, with, s.stampOf(with), f.slides, s.bodies[i].v, s.pulls[i]}
	leaving := c.Normal.Dot(v.Sub(c.Velocity))
	switch {
	case f.slides >= 0 && (s.materials[i].Slide || -leaving <= s.RestSpeed):
		first.from, first.pull = s.slides[f.slides].from, s.slides[f.slides].pull
		v, s.pulls[i] = first.from.AddScaled(t-float64(s.Seconds/2), first.pull), first.pull
	case leaving > 0:
		// Its mean velocity approaches and only the present one doesn't: the hop would be over within the step.
		v = v.AddScaled(-leaving, c.Normal)
	}
	s.slides = append(s.slides, first)
	f.slides = int32(len(s.slides) - 1)
	s.slideWork = s.slideWork[:0]
	for at := f.slides; at >= 0; at = s.slides[at].next {
		s.slideWork = append(s.slideWork, s.slides[at].SlideContact)
	}
	after, result := collide.Slide(v, s.slideWork)
	if result.Outcome == collide.Crushed { // what holds it closes in on it: it stops here, and they at it
		f.slides, f.budget = -1, 0
		return collide.Vec3{}, n.Dot(s.bodies[i].v.Neg()) / s.bodies[i].inverseMass
	}
	if s.pulls[i] != (collide.Vec3{}) {
		after, result = s.slidePulled(i, after, result.Active, t)
	}
	after = s.unlocked(i, after)
	kept, k := int32(-1), 0
	for at := f.slides; at >= 0; k++ {
		next := s.slides[at].next
		if k < 64 && result.Active>>k&1 != 0 {
			o := &s.slides[at]
			o.next, o.from, o.pull = kept, first.from, first.pull
			kept = at
		}
		at = next
	}
	f.slides = kept
	return after, after.Sub(s.bodies[i].v).Dot(n) / s.bodies[i].inverseMass
}

// holds reports whether body i still touches at time t what it slid along: that can be round, or come to an edge.
func (s *Space) holds(i, with int32, t float64) bool {
	b := s.bodies[i]
	b.x = b.at(t)
	if with >= 0 {
		o := &s.bodies[s.index[with]]
		return b.x.Distance(o.at(t)) <= b.radius+o.radius+float64(touchShare*b.radius)
	}
	gap, _ := s.separation(&b, surfaceCode-with, t)
	return gap <= float64(touchShare*b.radius)
}

// slidePulled takes from the acceleration of body i what its contacts, those in s.slideWork that are active, hold up, and returns the mean
// velocity of a body that moves at v at time t.
func (s *Space) slidePulled(i int32, v collide.Vec3, active uint64, t float64) (collide.Vec3, collide.SlideResult) {
	all := len(s.slideWork)
	for k := range min(all, 64) {
		if active>>k&1 != 0 {
			s.slideWork = append(s.slideWork, collide.SlideContact{Normal: s.slideWork[k].Normal})
		}
	}
	s.pulls[i], _ = collide.Slide(s.pulls[i], s.slideWork[all:])
	s.slideWork = s.slideWork[:all]
	return collide.Slide(v.AddScaled(float64(s.Seconds/2)-t, s.pulls[i]), s.slideWork)
}

// slidesOn reports whether body i slides along with, a body's id or a surface code, so that they can't meet anew.
func (s *Space) slidesOn(i, with int32) bool {
	for at := s.infos[i].slides; at >= 0; at = s.slides[at].next {
		if k := &s.slides[at]; k.with == with {
			return k.stamp == s.stampOf(with)
		}
	}
	return false
}

// spend takes an impact off the budget of body i, which is at p. A body whose budget is spent stops there for the rest of the step, and
// what meets it meets something immovable: so every step ends, and nothing overlaps.
func (s *Space) spend(i int32, p collide.Vec3, t, e float64) {
	f := &s.infos[i]
	cost := int32(1)
	if e < 1 {
		cost = int32(max(1, s.MaxImpacts/s.MaxDamped))
	}
	f.budget -= cost
	if f.budget < 0 {
		s.freeze(i, p, t)
		s.Counts.Spent++
	}
}

// freeze stops body i at p for the rest of the step.
func (s *Space) freeze(i int32, p collide.Vec3, t float64) {
	f := &s.infos[i]
	f.flags |= frozen
	f.slides = -1 // what it followed and what pushed it meets it anew
	s.bodies[i].inverseMass = 0
	s.pulls[i] = collide.Vec3{}
	s.turn(i, p, collide.Vec3{}, t)
}

// block stops the bodies of a pair neither of which can give way: something kinematic, and what it pushes.
func (s *Space) block(i, j int32, t float64) {
	for _, k := range [2]int32{i, j} {
		if s.infos[k].flags&frozen == 0 && s.bodies[k].v != (collide.Vec3{}) {
			s.freeze(k, s.bodies[k].at(t), t)
			s.Counts.Blocked++
			s.lookAround(k, t)
		}
	}
}
