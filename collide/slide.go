package collide

// SlideContact is a surface that a movement must not enter.
type SlideContact struct {
	Normal   Vec3 // unit length, out of the surface
	Velocity Vec3 // of the surface, metres per second; zero for static ones
}

// SlideOutcome says which constraints the result of [Slide] is subject to.
type SlideOutcome uint8

// Outcomes of [Slide]. The zero value is Free.
const (
	Free     SlideOutcome = iota // no contact opposes v
	OnPlane                      // constrained to the plane of one contact
	OnCrease                     // constrained to the line in which the planes of two contacts meet
	Stuck                        // constrained by three contacts: at rest, or moving with them
	Crushed                      // no velocity satisfies all contacts; the result violates them least
)

// String returns the outcome's name.
func (o SlideOutcome) String() string {
	switch o {
	case Free:
		return "Free"
	case OnPlane:
		return "OnPlane"
	case OnCrease:
		return "OnCrease"
	case Stuck:
		return "Stuck"
	case Crushed:
		return "Crushed"
	}
	return "SlideOutcome(?)"
}

// SlideResult describes the result of [Slide].
type SlideResult struct {
	// Active has bit i set if the new velocity keeps contact i: it lies in the contact's plane up
	// to rounding (or, when Crushed, enters it). Otherwise the movement leaves that contact, which
	// the caller may drop.
	Active  uint64
	Outcome SlideOutcome
}

// Slide returns the velocity nearest to v that enters none of the contacts. It is the projection of
// v on the convex set of all w with Normal·(w - Velocity) >= 0 for every contact, and so unique. If
// no contact opposes v, the result is v. A single contact leaves the component of v in its plane,
// two leave the component along their crease (the line in which their planes meet), and three leave
// none, unless an admissible velocity is nearer. Velocities are in metres per second; displacements
// in metres work as well.
//
// The result is accurate to a few ulps of |v| (or of the fastest contact, if that is faster), also
// in acute wedges, and sliding the result again doesn't change it. If no contact moves, the result
// is no longer than v, and exactly zero if only rounding errors are left. Contacts that differ by
// rounding count as one.
//
// Contacts that move towards each other may admit no velocity at all. Then the outcome is Crushed,
// and the result is the velocity with the smallest largest violation; of those, the nearest to v.
//
// Only the first 64 contacts are used. Contacts are ignored if the length of their normal isn't 1
// (within a factor of 2) or a component of their velocity is NaN, infinite or beyond 1e72. Such a v
// gives a zero velocity and Stuck. Slide doesn't allocate.
func Slide(v Vec3, contacts []SlideContact) (Vec3, SlideResult) {
	if !v.within(maxInput) {
		return Vec3{}, SlideResult{Outcome: Stuck}
	}
	s := slider{v: v, contacts: contacts[:min(len(contacts), 64)], static: true}
	for i := range s.contacts {
		if c := &s.contacts[i]; c.Velocity != (Vec3{}) && c.isValid() {
			s.static = false
			s.speed = max(s.speed, c.Velocity.MaxAbs())
		}
	}
	w, planes, ok := s.project()
	if !ok {
		w, planes = s.minimizeViolation()
	}
	outcome := SlideOutcome(planes) // Free, OnPlane, OnCrease and Stuck are 0 to 3 planes
	switch {
	case !ok && !s.static:
		outcome = Crushed
	case !ok && s.maxDepth(w) > staticTolerance*v.MaxAbs():
		w, outcome = Vec3{}, Stuck // rest is always admissible for static contacts
	case planes > 0 && s.static && w.MaxAbs() <= restTolerance*v.MaxAbs():
		w = Vec3{}
	}
	return w, SlideResult{s.active(w), outcome}
}

// slideTolerance is the speed at which a result may enter a contact, relative to the larger of the
// result and the fastest contact: 16 ulps. The rounded normals of 64 planes around a shaft admit no
// movement at all if they are taken exactly; the crease of two neighbours, a tenth of a radian
// apart, has ten times their rounding error. If it were smaller, bodies would get stuck in shafts;
// if it were larger, a result could enter contacts by as much.
const slideTolerance = 0x1p-48

// restTolerance is the length of a result, relative to v, up to which it counts as a rounding error
// of zero: 4 ulps.
const restTolerance = 0x1p-50

// staticTolerance is the speed at which a result may enter static contacts if rounding admits
// nothing better, relative to v: 256 ulps. That happens between two groups of nearly opposite
// contacts whose normals differ by less than that. If it were smaller, a plate between two plates
// would get stuck; if it were larger, a result could enter contacts by as much.
const staticTolerance = 0x1p-44

// parallelSineSquared is the squared sine of the angle below which two normals count as equal or
// opposite. The sine is staticTolerance. The crease of two such planes is dominated by rounding
// errors.
const parallelSineSquared = staticTolerance * staticTolerance

// slider is the state of one call of Slide.
type slider struct {
	v          Vec3
	contacts   []SlideContact
	speed      float64 // largest absolute component of the contacts' velocities
	relaxation float64 // speed at which contacts may be entered; not 0 in minimizeViolation only
	static     bool    // no contact moves
}

// isValid reports whether Slide can use the contact.
func (c *SlideContact) isValid() bool {
	n := c.Normal.LengthSquared()
	return n > 0.25 && n < 4 && c.Velocity.within(maxInput)
}

// bound returns the smallest Normal·w that contact i admits.
func (s *slider) bound(i int) float64 {
	return s.contacts[i].Normal.Dot(s.contacts[i].Velocity) - s.relaxation
}

// depth returns the speed at which w enters contact i; it is negative if w leaves the contact.
func (s *slider) depth(i int, w Vec3) float64 { return s.bound(i) - s.contacts[i].Normal.Dot(w) }

// slack returns the depth that counts as zero. It is relative to w and not to v, so that sliding a
// result again doesn't change it.
func (s *slider) slack(w Vec3) float64 { return slideTolerance * max(s.speed, w.MaxAbs()) }

// basis holds the contacts whose planes constrain a movement: the first n elements of at.
type basis struct {
	at [3]int
	n  int
}

// project returns the admissible movement nearest to v and the number of planes that constrain it,
// or false if no movement is admissible.
//
// It uses the method of Sharir and Welzl for problems of linear-programming type ("A combinatorial
// bound for linear programming and related problems", 1992). Each round adds the contact that is
// violated most and solves for it and the current basis. The distance from v grows in each round,
// so no basis occurs twice. With at most four contacts, all bases that contain the new contact are
// tried.
func (s *slider) project() (w Vec3, planes int, ok bool) {
	w = s.v
	var active basis
	for range 4 * len(s.contacts) { // far more than needed; prevents cycles caused by rounding
		k := s.deepest(w)
		if k < 0 {
			return w, active.n, true
		}
		if w, active, ok = s.add(active, k); !ok {
			return Vec3{}, 0, false
		}
	}
	return w, active.n, s.deepest(w) < 0
}

// deepest returns the contact that w enters fastest, or -1 if it enters none.
func (s *slider) deepest(w Vec3) int {
	worst, k := s.slack(w), -1
	for i := range s.contacts {
		if d := s.depth(i, w); d > worst && s.contacts[i].isValid() {
			worst, k = d, i
		}
	}
	return k
}

// add returns the movement nearest to v that the contacts of old and contact k admit, and its
// basis, which contains k.
func (s *slider) add(old basis, k int) (Vec3, basis, bool) {
	var best Vec3
	var bestBasis basis
	nearest := -1.0
	try := func(w Vec3, by basis) {
		slack := s.slack(w)
		for _, i := range old.at[:old.n] {
			if s.depth(i, w) > slack {
				return
			}
		}
		if s.depth(k, w) > slack {
			return
		}
		if d := w.Sub(s.v).LengthSquared(); nearest < 0 || d < nearest {
			best, bestBasis, nearest = w, by, d
		}
	}
	try(s.onPlane(k), basis{[3]int{k}, 1})
	if nearest >= 0 {
		return best, bestBasis, true // the other candidates lie in k's plane too, so none is nearer
	}
	for a := range old.n {
		i := old.at[a]
		if w, ok := s.onCrease(k, i); ok {
			try(w, basis{[3]int{k, i}, 2})
		}
	}
	for a := range old.n {
		for b := range a {
			i, j := old.at[a], old.at[b]
			if w, ok := s.atCorner(k, i, j); ok {
				try(w, basis{[3]int{k, i, j}, 3})
			}
		}
	}
	return best, bestBasis, nearest >= 0
}

// onPlane returns the movement nearest to v in the plane of contact i.
func (s *slider) onPlane(i int) Vec3 {
	n := s.contacts[i].Normal
	nn := n.LengthSquared()
	w := s.v.AddScaled(s.depth(i, s.v)/nn, n)
	return w.AddScaled(s.depth(i, w)/nn, n) // a second time, to remove the rounding error of the first
}

// onCrease returns the movement nearest to v along the crease of both contacts, or false if their
// planes are parallel.
func (s *slider) onCrease(i, j int) (Vec3, bool) {
	a, b := s.contacts[i].Normal, s.contacts[j].Normal
	t := crossTwofold(a, b) // in float64 the product of nearly parallel normals is mostly rounding error
	tt := t.LengthSquared()
	if tt <= parallelSineSquared {
		return Vec3{}, false
	}
	w := t.Scale(t.Dot(s.v) / tt)
	if s.bound(i) == 0 && s.bound(j) == 0 {
		return w, true
	}
	for range 2 { // the second pass removes the rounding error of the first
		// x = (p (b×t) + q (t×a)) / t·t satisfies a·x = p and b·x = q, and has no component along
		// t.
		p, q := s.depth(i, w), s.depth(j, w)
		w = w.Add(b.Cross(t).Scale(p / tt)).Add(t.Cross(a).Scale(q / tt))
	}
	return w, true
}

// atCorner returns the only movement that lies in the planes of all three contacts, or false if it
// isn't unique.
func (s *slider) atCorner(i, j, k int) (Vec3, bool) {
	a, b, c := s.contacts[i].Normal, s.contacts[j].Normal, s.contacts[k].Normal
	bc, ca, ab := crossTwofold(b, c), crossTwofold(c, a), crossTwofold(a, b)
	if min(bc.LengthSquared(), ca.LengthSquared(), ab.LengthSquared()) <= parallelSineSquared {
		return Vec3{}, false // two of the planes count as one
	}
	if s.bound(i) == 0 && s.bound(j) == 0 && s.bound(k) == 0 {
		return Vec3{}, true
	}
	det := a.Dot(bc)
	if det*det <= parallelSineSquared {
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

// minimizeViolation returns the result for contacts that can't all be satisfied. They become
// satisfiable if all of them may be entered at the same speed; bisection finds the smallest such
// speed.
func (s *slider) minimizeViolation() (best Vec3, planes int) {
	best = s.v
	low, high := 0.0, s.maxDepth(best)
	for range 60 {
		s.relaxation = 0.5 * (low + high)
		if w, n, ok := s.project(); ok {
			best, planes, high = w, n, s.relaxation
		} else {
			low = s.relaxation
		}
	}
	s.relaxation = 0
	return best, planes
}

// maxDepth returns the largest speed at which w enters a contact, and 0 if it enters none.
func (s *slider) maxDepth(w Vec3) float64 {
	depth := 0.0
	for i := range s.contacts {
		if s.contacts[i].isValid() {
			depth = max(depth, s.depth(i, w))
		}
	}
	return depth
}

// active returns one bit for each contact that w doesn't leave.
func (s *slider) active(w Vec3) uint64 {
	slack, bits := s.slack(w), uint64(0)
	for i := range s.contacts {
		if s.depth(i, w) >= -slack && s.contacts[i].isValid() {
			bits |= 1 << i
		}
	}
	return bits
}
