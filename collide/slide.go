package collide

// SlideContact is something a movement may not enter.
type SlideContact struct {
	Normal   Vec3 // unit length, out of the surface and towards what moves
	Velocity Vec3 // of the surface, metres per second; zero for still ones
}

// SlideOutcome says what the contacts leave of a movement.
type SlideOutcome uint8

// What a slide can become. The zero value is Free.
const (
	Free     SlideOutcome = iota // nothing opposes the movement
	OnPlane                      // it follows one contact's plane
	InCrease                     // it follows the line in which two contacts' planes meet
	Stuck                        // it is held by three: at rest, or carried along where the contacts move
	Crushed                      // no movement satisfies all contacts; this one violates them least
)

// String returns the outcome's name.
func (o SlideOutcome) String() string {
	switch o {
	case Free:
		return "Free"
	case OnPlane:
		return "OnPlane"
	case InCrease:
		return "InCrease"
	case Stuck:
		return "Stuck"
	case Crushed:
		return "Crushed"
	}
	return "SlideOutcome(?)"
}

// SlideResult says how a slide ended.
type SlideResult struct {
	// Active has bit i set where the new movement stays on the plane of contact i, to rounding (or, when
	// Crushed, enters it). Where it is clear the movement leaves that contact, which may be forgotten.
	Active  uint64
	Outcome SlideOutcome
}

// Slide returns the movement nearest to v that enters none of the contacts: v projected on the set
// of w with Normal·(w - Velocity) >= 0 for all of them, which is the closest point of a convex set and so
// unique. Nothing in the way leaves v as it is, one contact leaves its plane, two that both oppose leave their
// crease, three leave nothing, unless a nearer movement is allowed.
//
// The result is right to a few ulps of |v| (of the fastest contact, if that is faster) in acute wedges
// too, and sliding it again gives the same. Where all contacts are still it is no longer than v, and exactly
// zero where only rounding is left. Contacts that differ by rounding count as one.
//
// Contacts that close in on each other may leave no movement at all. The outcome is then Crushed, and the result
// the movement whose worst violation is the smallest; among those, the nearest to v.
//
// At most 64 contacts count, the first ones. One with a normal that isn't of unit length (within a factor of 2)
// or a velocity beyond 1e72 is ignored. A v like that gives a zero movement and Stuck. Slide doesn't allocate.
func Slide(v Vec3, contacts []SlideContact) (Vec3, SlideResult) {
	if !v.within(largest) {
		return Vec3{}, SlideResult{Outcome: Stuck}
	}
	s := slider{v: v, contacts: contacts[:min(len(contacts), 64)], still: true}
	for i := range s.contacts {
		if c := &s.contacts[i]; c.Velocity != (Vec3{}) && c.counts() {
			s.still = false
			s.speed = max(s.speed, c.Velocity.largestPart())
		}
	}
	w, held, ok := s.project()
	if !ok {
		w, held = s.leastViolating()
	}
	outcome := SlideOutcome(held) // Free, OnPlane, InCrease and Stuck are 0 to 3 planes
	switch {
	case !ok && !s.still:
		outcome = Crushed
	case !ok && s.depthOf(w) > lostInRounding*v.largestPart():
		w, outcome = Vec3{}, Stuck // still contacts always allow rest
	case held > 0 && s.still && w.largestPart() <= noMovement*v.largestPart():
		w = Vec3{}
	}
	return w, SlideResult{s.active(w), outcome}
}

// slideSlack is how far a movement may enter a contact, relative to the larger of the two movements: 16 ulps.
// Sixty-four planes around a shaft have normals that are rounded by half an ulp each, so that exactly taken they
// leave no movement at all; the crease of two neighbours among them, a tenth of a radian apart, is off by ten
// times their rounding. Smaller, and shafts get stuck; larger only lets a movement in by as much.
const slideSlack = 0x1p-48

// noMovement is how much of a movement, relative to its size, is taken for the rounding left of it: 4 ulps.
const noMovement = 0x1p-50

// lostInRounding is how far a movement may enter still contacts where rounding leaves no better one, relative
// to the movement that was asked for: 256 ulps. It takes two groups of all but opposite contacts whose normals differ by
// less than that. Smaller, and a plate between two plates gets stuck; larger only lets a movement in by as much.
const lostInRounding = 0x1p-44

// parallel is the square of the sine of the angle below which two normals count as one, or as opposite:
// the sine is that of lostInRounding. The crease of two such planes has no direction but that of their rounding.
const parallel = lostInRounding * lostInRounding

// slider is one Slide under way.
type slider struct {
	v        Vec3
	contacts []SlideContact
	speed    float64 // the largest component of any contact's velocity
	relax    float64 // how far contacts may be entered: 0 but for leastViolating
	still    bool    // no contact moves
}

// counts reports whether the contact is one Slide can work with.
func (c *SlideContact) counts() bool {
	n := c.Normal.LengthSquared()
	return n > 0.25 && n < 4 && c.Velocity.within(largest)
}

// bound returns the least Normal·w that contact i allows.
func (s *slider) bound(i int) float64 {
	return s.contacts[i].Normal.Dot(s.contacts[i].Velocity) - s.relax
}

// depth returns how fast w enters contact i; negative where it leaves it.
func (s *slider) depth(i int, w Vec3) float64 { return s.bound(i) - s.contacts[i].Normal.Dot(w) }

// slack is the depth that passes for none. It goes by w and not by v, so that a result stays one when it is slid again.
func (s *slider) slack(w Vec3) float64 { return slideSlack * max(s.speed, w.largestPart()) }

// basis is the contacts that hold a movement: the first n of at.
type basis struct {
	at [3]int
	n  int
}

// project returns the allowed movement nearest to v and how many planes hold it, or false where none is allowed.
//
// It is the method of Sharir and Welzl for problems of the linear-programming type ("A combinatorial bound for
// linear programming and related problems", 1992): take the contact that is entered most, solve for it and the
// few that hold the movement so far, repeat. Each round ends further from v, so no basis comes twice. With
// four contacts at most, solving is trying out all ways to be held by the new one.
func (s *slider) project() (w Vec3, held int, ok bool) {
	w = s.v
	var hold basis
	for range 4 * len(s.contacts) { // far more than it ever took; guards against a cycle by rounding
		k := s.deepest(w)
		if k < 0 {
			return w, hold.n, true
		}
		if w, hold, ok = s.add(hold, k); !ok {
			return Vec3{}, 0, false
		}
	}
	return w, hold.n, s.deepest(w) < 0
}

// deepest returns the contact that w enters fastest, or -1 where it enters none.
func (s *slider) deepest(w Vec3) int {
	worst, k := s.slack(w), -1
	for i := range s.contacts {
		if d := s.depth(i, w); d > worst && s.contacts[i].counts() {
			worst, k = d, i
		}
	}
	return k
}

// add returns the movement nearest to v that the contacts of hold and k allow, one held by k.
func (s *slider) add(hold basis, k int) (Vec3, basis, bool) {
	var best Vec3
	var bestHold basis
	nearest := -1.0
	try := func(w Vec3, by basis) {
		slack := s.slack(w)
		for _, i := range hold.at[:hold.n] {
			if s.depth(i, w) > slack {
				return
			}
		}
		if s.depth(k, w) > slack {
			return
		}
		if d := w.Sub(s.v).LengthSquared(); nearest < 0 || d < nearest {
			best, bestHold, nearest = w, by, d
		}
	}
	try(s.onPlane(k), basis{[3]int{k}, 1})
	if nearest >= 0 {
		return best, bestHold, true // every other way is held by k's plane too, so not nearer
	}
	for a := range hold.n {
		i := hold.at[a]
		if w, ok := s.inCrease(k, i); ok {
			try(w, basis{[3]int{k, i}, 2})
		}
	}
	for a := range hold.n {
		for b := range a {
			i, j := hold.at[a], hold.at[b]
			if w, ok := s.atCorner(k, i, j); ok {
				try(w, basis{[3]int{k, i, j}, 3})
			}
		}
	}
	return best, bestHold, nearest >= 0
}

// onPlane returns the movement nearest to v along the plane of contact i.
func (s *slider) onPlane(i int) Vec3 {
	n := s.contacts[i].Normal
	nn := n.LengthSquared()
	w := s.v.AddScaled(s.depth(i, s.v)/nn, n)
	return w.AddScaled(s.depth(i, w)/nn, n) // once more, for what the first rounding left
}

// inCrease returns the movement nearest to v along the planes of both contacts, if they aren't parallel.
func (s *slider) inCrease(i, j int) (Vec3, bool) {
	a, b := s.contacts[i].Normal, s.contacts[j].Normal
	t := crossExactly(a, b) // exactly, since in an acute wedge a plain product is mostly rounding
	tt := t.LengthSquared()
	if tt <= parallel {
		return Vec3{}, false
	}
	w := t.Scale(t.Dot(s.v) / tt)
	if s.bound(i) == 0 && s.bound(j) == 0 {
		return w, true
	}
	for range 2 { // the second round is for what the first one's rounding left
		// x = (p (b×t) + q (t×a)) / t·t has a·x = p and b·x = q, and no part along t.
		p, q := s.depth(i, w), s.depth(j, w)
		w = w.Add(b.Cross(t).Scale(p / tt)).Add(t.Cross(a).Scale(q / tt))
	}
	return w, true
}

// atCorner returns the one movement along the planes of all three contacts, if there is one.
func (s *slider) atCorner(i, j, k int) (Vec3, bool) {
	a, b, c := s.contacts[i].Normal, s.contacts[j].Normal, s.contacts[k].Normal
	bc, ca, ab := crossExactly(b, c), crossExactly(c, a), crossExactly(a, b)
	if min(bc.LengthSquared(), ca.LengthSquared(), ab.LengthSquared()) <= parallel {
		return Vec3{}, false // two of them count as one
	}
	if s.bound(i) == 0 && s.bound(j) == 0 && s.bound(k) == 0 {
		return Vec3{}, true
	}
	det := a.Dot(bc)
	if det*det <= parallel {
		return Vec3{}, false
	}
	var w Vec3
	for range 2 {
		// Cramer's rule.
		p, q, r := s.depth(i, w)/det, s.depth(j, w)/det, s.depth(k, w)/det
		w = w.Add(bc.Scale(p)).Add(ca.Scale(q)).Add(ab.Scale(r))
	}
	return w, true
}

// leastViolating returns the answer for contacts that can't all be satisfied. Letting all of them in by the
// same depth makes them satisfiable; halving finds the smallest such depth.
func (s *slider) leastViolating() (best Vec3, held int) {
	best = s.v
	low, high := 0.0, s.depthOf(best)
	for range 60 {
		s.relax = 0.5 * (low + high)
		if w, n, ok := s.project(); ok {
			best, held, high = w, n, s.relax
		} else {
			low = s.relax
		}
	}
	s.relax = 0
	return best, held
}

// depthOf returns how fast w enters the contact that it enters fastest, and 0 where it enters none.
func (s *slider) depthOf(w Vec3) float64 {
	depth := 0.0
	for i := range s.contacts {
		if s.contacts[i].counts() {
			depth = max(depth, s.depth(i, w))
		}
	}
	return depth
}

// active returns the contacts that w doesn't leave, one bit each.
func (s *slider) active(w Vec3) uint64 {
	slack, bits := s.slack(w), uint64(0)
	for i := range s.contacts {
		if s.depth(i, w) >= -slack && s.contacts[i].counts() {
			bits |= 1 << i
		}
	}
	return bits
}
