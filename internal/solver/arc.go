package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/roots"
	"github.com/dango-physics/dango/internal/statics"
)

// Arcs (Settings.Parabolic): bodies that nothing supports move along their parabolas within a step,
// and not along the chords of these (see body).
//
// An arc is stored as its chord, and the acceleration that bends it, its bend. At time t of a step
// of duration T the centre is at
//
//	x + t·v + t·(t-T)/2·bend
//
// The last term is zero at both ends of the step, and the same function of time for all bodies with
// the same bend. So it is as if such bodies moved along straight lines in a frame that falls with
// them: two of them meet exactly when their chords do, and an impact changes x and v as before.
// Only what has another bend, or none, is met at other times. The grid and the pair test know the
// chords alone, and allow for the distance of the arcs from them (bulge).
//
// Bodies of islands move at one velocity through the whole step. What is jammed, and bodies near
// surfaces that rotate, keep to their chords, and so does everything in a space that has bodies
// with a shape of their own.

// arcState is what is known of the arcs of the step.
type arcState struct {
	bends       []bend  // by index of a body; none if all paths of the step are straight
	maxBend     float64 // square of the largest bend, m²/s⁴
	bulge       float64 // largest distance of an arc from its chord, m
	gridBulge   float64 // by how much the cells of the grid are wider than bodies, m; at least bulge
	leastRadius float64 // smallest radius of a body, m
}

// bend is the bend of a body's path, m/s², zero for a straight one, and when the path began.
// Impacts are predicted from that time on, since their last digits must not depend on when a pair
// is tested.
type bend struct {
	a     collide.Vec3
	since float64
}

// beginArcs finds out how far arcs may be from their chords in this step. It comes before the grid
// is updated.
func (s *Space) beginArcs() {
	if !s.Parabolic {
		return
	}
	if s.solved { // the step is repeated in the whole space: accelerations were those of contacts
		s.setArcs(s.maxBend, s.leastRadius)
		return
	}
	if s.shapedBodies > 0 {
		s.setArcs(0, 0)
		return
	}
	largest, smallest := 0.0, math.Inf(1)
	for i, f := range s.flags[:len(s.bodies)] {
		if f&alive == 0 {
			continue
		}
		smallest = min(smallest, s.bodies[i].radius)
		switch {
		case f&sleeping != 0: // arcs must not depend on what sleeps
			largest = max(largest, s.sleepStateOf(s.infos[i].id).acceleration.LengthSquared())
		case f&accelerated != 0:
			largest = max(largest, s.acceleration(int32(i)).LengthSquared())
		}
	}
	s.setArcs(largest, smallest)
}

// setArcs stores the square of the largest acceleration and the smallest radius, and makes room for
// bends.
func (s *Space) setArcs(maxBend, leastRadius float64) {
	s.maxBend, s.leastRadius = maxBend, leastRadius
	bulge := float64(math.Sqrt(maxBend) * float64(s.Seconds*s.Seconds) / 8 * (1 + 0x1p-20))
	s.bulge = bulge
	if bulge > s.gridBulge || bulge < float64(s.gridBulge/4) {
		s.gridBulge, s.gridStale = float64(bulge*1.25), true
	}
	if maxBend == 0 {
		s.bends = s.bends[:0]
		return
	}
	s.bends = grow.Resize(s.bends, len(s.bodies))
	clear(s.bends)
}

// startArc puts body i on its path at the start of the step.
func (s *Space) startArc(i int32) {
	s.bends[i] = bend{a: s.bendOf(i, 0)}
}

// bendOf returns the bend of the path that body i begins at time now.
func (s *Space) bendOf(i int32, now float64) collide.Vec3 {
	if s.flags[i]&accelerated == 0 || s.infos[i].budget < 0 { // what is jammed would have no end of hops
		return collide.Vec3{}
	}
	a := s.acceleration(i)
	if a.LengthSquared() > float64(s.maxBend*(1+0x1p-20)) {
		return collide.Vec3{} // pair tests don't expect it
	}
	if s.statics.CanTurn() {
		b := &s.bodies[i]
		ball := collide.Sphere{Center: b.at(now), Radius: b.radius + 2*s.bulge}
		if s.statics.MeetsTurning(collide.SweptAABB(ball, b.v, s.Seconds-now)) {
			return collide.Vec3{}
		}
	}
	return a
}

// bendPath gives body i, whose path has changed at time now, its bend. Its chord is shifted so that
// the arc is where the chord was.
func (s *Space) bendPath(i int32, b *body, now float64) {
	a := s.bendOf(i, now)
	s.bends[i] = bend{a, now}
	b.x = b.x.AddScaled(-statics.Bulge(now, s.Seconds), a)
}

// at returns the centre of body i at time t.
func (s *Space) at(i int32, t float64) collide.Vec3 {
	p := s.bodies[i].at(t)
	if int(i) < len(s.bends) { // the game may have added bodies since the step
		p = p.AddScaled(statics.Bulge(t, s.Seconds), s.bends[i].a)
	}
	return p
}

// bend returns by which acceleration the path of body i is bent, zero for a straight path.
func (s *Space) bend(i int32) collide.Vec3 {
	if int(i) >= len(s.bends) {
		return collide.Vec3{}
	}
	return s.bends[i].a
}

// arcOf returns the path of body i, and false if it is straight.
func (s *Space) arcOf(i int32) (statics.Arc, bool) {
	a := s.bend(i)
	if a == (collide.Vec3{}) {
		return statics.Arc{}, false
	}
	b := &s.bodies[i]
	return statics.NewArc(b.x, b.v, a, s.Seconds), true
}

// restVelocity returns the mean velocity of body i from time t to the end of the step, m/s.
func (s *Space) restVelocity(i int32, t float64) collide.Vec3 {
	return s.bodies[i].v.AddScaled(t/2, s.bend(i))
}

// pathVelocity returns how fast body i moves along its path at time t, m/s: at its mean velocity on
// a straight one, although it may be accelerated.
func (s *Space) pathVelocity(i int32, t float64) collide.Vec3 {
	return s.bodies[i].v.AddScaled(t-float64(s.Seconds/2), s.bend(i))
}

// isOnArc reports whether the path of body i is bent.
func (s *Space) isOnArc(i int32) bool { return s.bend(i) != (collide.Vec3{}) }

// arcBetween returns the path of body i relative to body j, and false if it is straight.
func (s *Space) arcBetween(i, j int32) (statics.Arc, bool) {
	if len(s.bends) == 0 || s.bends[i].a == s.bends[j].a {
		return statics.Arc{}, false
	}
	a, b := &s.bodies[i], &s.bodies[j]
	c := statics.NewArc(a.x, a.v, s.bends[i].a, s.Seconds)
	return c.Sub(statics.NewArc(b.x, b.v, s.bends[j].a, s.Seconds)), true
}

// since returns when the paths of bodies i and j have both begun.
func (s *Space) since(i, j int32) float64 { return max(s.bends[i].since, s.bends[j].since) }

// mayMeetOnArc is a quick test: the path of body i relative to body j is close to its secant from
// now to the end of the step, and if it returns false that keeps away.
func (s *Space) mayMeetOnArc(i, j int32, now float64) bool {
	a, b := &s.bodies[i], &s.bodies[j]
	bend, left := s.bends[i].a.Sub(s.bends[j].a), s.Seconds-now
	v := a.v.Sub(b.v)
	p := a.x.Sub(b.x).AddScaled(now, v).AddScaled(statics.Bulge(now, s.Seconds), bend)
	v = v.AddScaled(now/2, bend)
	r := a.radius + b.radius + float64(bend.SumAbs()*float64(left*left)/8)
	away := p.Dot(p) - float64(float64(r*r)*(1+0x1p-30))
	approach, square := p.Dot(v), v.Dot(v)
	switch {
	case approach >= 0: // they are closest now
		return away <= 0
	case approach+float64(square*left) < 0: // or at the end
		return away+float64(left*(2*approach+float64(square*left))) <= 0
	}
	return float64(away*square) <= float64(approach*approach)
}

// meetOnArc returns when bodies i and j meet between now and the end of the step. The path of the
// first relative to the second is c.
func (s *Space) meetOnArc(i, j int32, c *statics.Arc, now float64) (t float64, ok bool) {
	r := s.bodies[i].radius + s.bodies[j].radius
	if t, ok = firstOnArc(c, r, s.since(i, j)); ok && t < now {
		t, ok = firstOnArc(c, r, now)
	}
	return t, ok
}

// firstOnArc returns when what moves along c comes from outside to a distance r from the origin, or
// is not farther and approaches, by more than rounding, from a time to the end of the step.
func firstOnArc(c *statics.Arc, r, from float64) (t float64, ok bool) {
	outside := distanceOnArc(c, r, from)
	u, ok := outside.FirstEntry()
	if !ok {
		return 0, false
	}
	t = from + float64(u*(c.Seconds-from))
	p, v, err := c.At(t), c.Velocity(t), c.ApproachError(collide.Vec3{})
	n, ok := p.Normalized()
	rate := n.Dot(v)
	if !ok || rate < -err {
		return t, true
	}
	// It touches, and rounding hides how slowly it approaches: it waits until that shows.
	pressing := pressingOnArc(n, c.A, v, p.Length())
	wait := (rate + err + err) / pressing
	return t + wait, pressing > 0 && t+wait <= c.Seconds
}

// pressingOnArc returns at which acceleration two balls press on each other that touch, m/s². n is
// the normal, a and v are the relative acceleration and velocity of their paths, and distance is
// that of the centres. Where one rolls over the other, the motion across the normal takes it off.
func pressingOnArc(n, a, v collide.Vec3, distance float64) float64 {
	across := v.AddScaled(-n.Dot(v), n)
	return -n.Dot(a) - float64(across.LengthSquared()/distance)
}

// meetLater adds to the calendar that body i meets b, a body or a code, once they approach at a
// speed: at time t, rounding hides their approach, and their paths are bent towards each other by
// pressing, m/s². A prediction sees another rounding, and does not come again. If they are in each
// other and come out first, approach is negative by more than that.
func (s *Space) meetLater(i, b int32, speed, approach, pressing, t float64) {
	if !(pressing > 0) {
		return
	}
	if t = max(t+float64((speed-min(0, approach+speed))/pressing), math.Nextafter(t, math.Inf(1))); t <= s.Seconds {
		s.push(t, i, b)
	}
}

// distanceOnArc returns by how much the square of the distance from the origin is more than r² for
// what moves along c, from now to the end of the step.
func distanceOnArc(c *statics.Arc, r, now float64) roots.Poly {
	left := c.Seconds - now
	p0, p2 := c.At(now), c.At(c.Seconds)
	p1 := p0.AddScaled(float64(left/2), c.Velocity(now))
	square := float64(r * r)
	outside := roots.Of(-square, -square, -square, -square, -square)
	for axis := range 3 {
		x := roots.Of(p0.Component(axis), p1.Component(axis), p2.Component(axis))
		x.Err = float64(8 * 0x1p-53 * x.MaxAbs())
		x = x.Mul(&x)
		outside = outside.Add(&x)
		square += x.MaxAbs()
	}
	outside.Err += float64(8 * 0x1p-53 * square)
	return outside
}

// leaveOnArc returns when bodies i and j, which overlap, are apart: see meetOnArc.
func (s *Space) leaveOnArc(i, j int32, c *statics.Arc, now float64) (t float64, ok bool) {
	outside := distanceOnArc(c, s.bodies[i].radius+s.bodies[j].radius, now)
	inside := outside.Scale(-1)
	u, ok := inside.First()
	return now + float64(u*(c.Seconds-now)), ok
}

// endsHop reports whether a bounce with restitution e counts as rest: the two approach at closing,
// and pressing is the acceleration at which they fall together again.
func (s *Space) endsHop(e, closing, pressing float64) bool {
	least := float64(shortestHop * s.Seconds)
	if e >= 1 {
		least = float64(shortestElasticHop * s.Seconds)
	}
	return float64(2*float64(e*closing)) <= float64(pressing*least)
}

const (
	// shortestHop is the duration of a hop with loss that counts as rest, as a fraction of a step.
	// With a smaller value, a body that comes to rest uses up its impacts.
	shortestHop = 1.0 / 8

	// shortestElasticHop is the same for hops without loss, which may go on for ever: a body's
	// budget suffices for twice as many. On Earth at 60 steps a second it is 3e-13 m high.
	shortestElasticHop = 0x1p-15

	// shortestDrivenHop is the same for hops without loss on what rotates, each of which takes more
	// of a body's budget: see drivenShare. With a larger value, low hops visibly end; with a
	// smaller one, a step has more impacts. Under 1 m/s², at 60 steps a second, it is 2 nm high.
	shortestDrivenHop = 0x1p-7
)

// keepEnergy corrects the velocity of body i, which has bounced off something at rest with normal n
// and was on path before, since a time in the step: in a million bounces, rounding would add up to
// more than what a low hop is high. What it changes of the energy, the velocity balances.
//
// The energy on the new path is that at the end of the step. That on the old path is that at the
// start of the step, if it began there. So what is compared are velocities that the body really
// has: those at other times round gravity in another way, always to the same side.
func (s *Space) keepEnergy(i int32, before *body, since float64, n collide.Vec3, t float64) {
	a, b := s.bends[i].a, &s.bodies[i]
	half := float64(s.Seconds / 2)
	old, from := before.v.AddScaled(-half, a), before.x
	if since > 0 {
		old, from = before.v.AddScaled(half, a), before.at(s.Seconds)
	}
	now, to := b.v.AddScaled(half, a), b.at(s.Seconds)
	gain := float64(now.Sub(old).Dot(now.Add(old))/2) - a.Dot(to.Sub(from))
	n = s.unlocked(i, n)
	change := -gain / n.Dot(b.v.AddScaled(-half, a)) // a higher velocity also leads to another place
	// It moves the body by about as much as the rounding did. More is not from rounding.
	if math.Abs(float64(change*t)) <= float64(0x1p-50*b.x.SumAbs()) {
		b.v = b.v.AddScaled(change, n)
		s.startPath(i, b, &s.infos[i])
	}
}

// dipsOnArc reports whether body i, which gets a new arc at time t with the mean velocity v, begins
// it by entering something that it slides along, although it would not on the chord.
func (s *Space) dipsOnArc(i int32, v collide.Vec3, t float64) bool {
	if len(s.bends) == 0 || s.infos[i].slideContacts < 0 || s.bendOf(i, t) == (collide.Vec3{}) {
		return false
	}
	v = s.velocityFrom(i, v, t)
	for at := s.infos[i].slideContacts; at >= 0; at = s.slideContacts[at].next {
		k := &s.slideContacts[at]
		u := k.at(t).Velocity
		if -k.Normal.Dot(v.Sub(u)) > float64(leavingShare*(v.SumAbs()+u.SumAbs())) {
			return true
		}
	}
	return false
}

// slideOnArc is slideAccelerated for a body on an arc. Its velocity at time t and its acceleration
// enter none of its contacts, so neither does its path. Contacts that the acceleration leaves end.
func (s *Space) slideOnArc(i int32, v collide.Vec3, active uint64, t float64) (collide.Vec3, collide.SlideResult) {
	all := len(s.slideScratch)
	var limits [64]uint8
	for k, at := 0, s.infos[i].slideContacts; k < min(all, 64); k, at = k+1, s.slideContacts[at].next {
		if active>>k&1 != 0 {
			limits[len(s.slideScratch)-all] = uint8(k)
			s.slideScratch = append(s.slideScratch, collide.SlideContact{
				Normal: s.slideScratch[k].Normal, Velocity: s.slideContacts[at].acceleration,
			})
		}
	}
	a, result := collide.Slide(s.acceleration(i), s.slideScratch[all:])
	kept := uint64(0)
	for k := range len(s.slideScratch) - all {
		if result.Active>>k&1 != 0 {
			kept |= 1 << limits[k]
		}
	}
	s.slideScratch = s.slideScratch[:all]
	s.setAcceleration(i, a)
	result.Active = kept
	return v.AddScaled(float64(s.Seconds/2)-t, a), result
}
