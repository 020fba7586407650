package impulse

import (
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Body is a body of a group.
type Body struct {
	Velocity collide.Vec3 // m/s; Solve changes it
	Mobility collide.Vec3 // inverse mass along each axis, 1/kg; 0 along locked axes, or everywhere if nothing moves it
}

// Contact is a contact between two bodies of a group.
type Contact struct {
	A, B    int32        // indices of the bodies
	Normal  collide.Vec3 // unit length, from B towards A
	Parting float64      // the least speed at which A and B separate along Normal afterwards, m/s
	Impulse float64      // result of Solve: on A along Normal, and on B against it, N·s
}

// Solver solves groups of contacts. The zero value is ready for use. It keeps its memory.
type Solver struct {
	Work    int // sum of the contacts of all iterations so far
	MaxWork int // Solve gives up where Work would exceed it; 0 for no bound

	bodies   []Body
	contacts []Contact

	// By contact. Impulses are in units of scale, in which a contact alone has an effective inverse
	// mass of 1. Otherwise unequal masses would slow down convergence.
	scale     []float64
	x         []float64 // impulses in these units
	gradient  []float64 // parting speeds less those that are wanted, in units of 1/scale
	direction []float64 // of the search
	change    []float64 // of the gradient along direction

	changes []collide.Vec3 // by body: velocities from impulses
}

const (
	// tolerance is the error of a parting speed that is left, as a fraction of the fastest speed of
	// the group: 128 roundings. A smaller value can't be reached in large groups; with a larger
	// one, bodies would approach visibly after 10^4 steps.
	tolerance = 0x1p-46

	// immovable is the effective inverse mass of a contact that nothing moves, as a fraction of
	// what it would be without locked axes. It is far above rounding.
	immovable = 0x1p-30
)

// Solve finds the impulses of contacts and adds them to the velocities of bodies. It returns false,
// with velocities unchanged, if there are none, or if it has not found them: something moves and
// something is in its way that can't yield. The result does not depend on the order of bodies; the
// order of contacts decides how sums are rounded.
//
// fraction is the fraction of the fastest approach that may be left of all, for a caller that goes
// on with what is left; 0 means none but rounding. Impulses that are not exact do not add energy
// either, if Parting is 0.
//
// It minimizes x·A·x/2 + b·x for x >= 0, where A maps impulses to parting speeds, by conjugate
// gradients on the contacts with an impulse, which are extended and reduced on the way (MPRGP:
// Dostál, Schöberl, Minimizing quadratic functions subject to bound constraints, 2005).
func (s *Solver) Solve(bodies []Body, contacts []Contact, fraction float64) bool {
	s.bodies, s.contacts = bodies, contacts
	bound, ok := s.prepare()
	if !ok {
		return false
	}
	speed := 0.0
	for k := range contacts {
		c := &contacts[k]
		speed = max(speed, bodies[c.A].Velocity.SumAbs(), bodies[c.B].Velocity.SumAbs(), math.Abs(c.Parting))
	}
	step := 1.9 / bound // along the gradient; 2/bound would be too long
	for range maxRestarts {
		solved, found := s.minimize(step, speed, fraction)
		if !found {
			return false
		}
		if solved {
			s.apply()
			return true
		}
	}
	return false
}

// maxRestarts is how often the search starts again with gradients computed anew. A group that can
// be solved needs one or two.
const maxRestarts = 4

// A search has at most maxIterations, and iterationsPerContact for each contact. A heap of 100 with
// masses from 1 to 10 needs 200, and one with masses from 1 to 1000 needs 700.
const maxIterations, iterationsPerContact = 500, 8

// prepare sets the scales. It returns an upper bound for the eigenvalues of the scaled matrix, and
// false if a contact can't be moved.
func (s *Solver) prepare() (bound float64, ok bool) {
	n := len(s.contacts)
	s.scale, s.x, s.gradient = resize(s.scale, n), resize(s.x, n), resize(s.gradient, n)
	s.direction, s.change = resize(s.direction, n), resize(s.change, n)
	s.changes = slices.Grow(s.changes[:0], len(s.bodies))[:len(s.bodies)]
	// An entry of the matrix is at most the product of the shares of its two contacts in the body
	// that they have in common. The sum of a row bounds the eigenvalues.
	clear(s.changes)
	for k := range s.contacts {
		c := &s.contacts[k]
		a, b := mobilityAlong(&s.bodies[c.A], c.Normal), mobilityAlong(&s.bodies[c.B], c.Normal)
		if !(a+b > float64(immovable*(largest(s.bodies[c.A].Mobility)+largest(s.bodies[c.B].Mobility)))) {
			return 0, false
		}
		s.scale[k] = 1 / math.Sqrt(a+b)
		s.changes[c.A].X += float64(math.Sqrt(a) * s.scale[k])
		s.changes[c.B].X += float64(math.Sqrt(b) * s.scale[k])
		s.x[k] = 0
	}
	for k := range s.contacts {
		c := &s.contacts[k]
		a, b := mobilityAlong(&s.bodies[c.A], c.Normal), mobilityAlong(&s.bodies[c.B], c.Normal)
		row := float64(math.Sqrt(a)*s.scale[k]*s.changes[c.A].X) + float64(math.Sqrt(b)*s.scale[k]*s.changes[c.B].X)
		bound = max(bound, row)
	}
	return bound, true
}

// minimize searches from the present impulses. It reports whether the error is small enough, and
// whether there is a minimum at all.
//
// The error that is left is a fraction of speed, or of the largest change of speed that an impulse
// makes: between a light body and two heavy ones, impulses far larger than their sum cancel.
func (s *Solver) minimize(step, speed, fraction float64) (solved, found bool) {
	s.computeGradient()
	s.restart()
	fresh := true // the direction is the gradient
	first := 0.0
	for k, g := range s.gradient {
		first = max(first, -g/s.scale[k])
	}
	least := fraction * first
	for range maxIterations + iterationsPerContact*len(s.contacts) {
		if s.Work += len(s.contacts); s.MaxWork > 0 && s.Work > s.MaxWork {
			return false, false
		}
		free, chopped, worstFree, worstChopped, fastest := 0.0, 0.0, 0.0, 0.0, speed
		for k, g := range s.gradient {
			switch {
			case s.x[k] > 0:
				fastest = max(fastest, s.x[k]/s.scale[k])
				// A step along the gradient may not lead below 0: only so much of it counts.
				free += float64(g * min(g, s.x[k]/step))
				worstFree = max(worstFree, math.Abs(g)/s.scale[k])
			case g < 0:
				chopped += float64(g * g)
				worstChopped = max(worstChopped, -g/s.scale[k])
			}
		}
		enough := max(float64(tolerance*fastest), least)
		if max(worstFree, worstChopped) <= enough {
			break
		}
		if worstChopped > enough && (worstFree <= enough || chopped > free) { // more contacts need an impulse
			for k, g := range s.gradient {
				s.direction[k] = 0
				if s.x[k] <= 0 {
					s.direction[k] = min(g, 0)
				}
			}
			curvature := s.multiply()
			if !(curvature > negligible*chopped) {
				return false, false
			}
			s.move(chopped / curvature)
			s.restart()
			fresh = true
			continue
		}
		length, limit, size := math.Inf(1), math.Inf(1), 0.0
		for k, d := range s.direction {
			size += float64(d * d)
			if d > 0 {
				limit = min(limit, s.x[k]/d)
			}
		}
		curvature := s.multiply()
		switch {
		case curvature > negligible*size:
			length = dot(s.gradient, s.direction) / curvature
		case !fresh: // what is left of the direction, or of the gradient, is rounding
			s.computeGradient()
			s.restart()
			fresh = true
			continue
		}
		fresh = false
		switch {
		case length <= limit && length < math.Inf(1):
			s.move(length)
			turn := 0.0
			for k, c := range s.change {
				if s.x[k] > 0 {
					turn += float64(s.gradient[k] * c)
				}
			}
			turn /= curvature
			for k, d := range s.direction {
				s.direction[k] = -float64(turn * d)
				if s.x[k] > 0 {
					s.direction[k] += s.gradient[k]
				}
			}
		case limit < math.Inf(1): // contacts lose their impulses
			s.move(limit)
			for k, g := range s.gradient {
				if s.x[k] > 0 {
					s.x[k] = max(0, s.x[k]-float64(step*g))
				}
			}
			s.computeGradient()
			s.restart()
			fresh = true
		default:
			return false, false // the impulses would grow forever
		}
	}
	s.computeGradient() // without the rounding errors of the updates
	worst, fastest := 0.0, speed
	for k, g := range s.gradient {
		if fastest = max(fastest, s.x[k]/s.scale[k]); s.x[k] > 0 || g < 0 {
			worst = max(worst, math.Abs(g)/s.scale[k])
		}
	}
	return worst <= 2*max(float64(tolerance*fastest), least), true
}

// negligible is the curvature along a direction, as a fraction of the largest possible one, that
// counts as 0: some hundred roundings. Masses of 1e6:1 lead to 1e-12.
const negligible = 0x1p-46

// restart begins conjugate directions anew, with the gradient of the contacts that have an impulse.
func (s *Solver) restart() {
	for k, g := range s.gradient {
		s.direction[k] = 0
		if s.x[k] > 0 {
			s.direction[k] = g
		}
	}
}

// move subtracts length times the direction, whose change of the gradient is known.
func (s *Solver) move(length float64) {
	for k, d := range s.direction {
		if d != 0 {
			s.x[k] = max(0, s.x[k]-float64(length*d))
		}
		s.gradient[k] -= float64(length * s.change[k])
	}
}

// multiply computes the change of the gradient along the direction, and returns the curvature.
func (s *Solver) multiply() float64 {
	s.push(s.direction)
	for k := range s.contacts {
		c := &s.contacts[k]
		s.change[k] = c.Normal.Dot(s.changes[c.A].Sub(s.changes[c.B])) * s.scale[k]
	}
	return dot(s.direction, s.change)
}

// computeGradient computes the gradient from the impulses.
func (s *Solver) computeGradient() {
	s.push(s.x)
	for k := range s.contacts {
		c := &s.contacts[k]
		v := s.bodies[c.A].Velocity.Sub(s.bodies[c.B].Velocity).Add(s.changes[c.A].Sub(s.changes[c.B]))
		s.gradient[k] = (c.Normal.Dot(v) - c.Parting) * s.scale[k]
	}
}

// push computes the changes of velocity from impulses in units of scale.
func (s *Solver) push(impulses []float64) {
	clear(s.changes)
	for k, x := range impulses {
		if x == 0 {
			continue
		}
		c := &s.contacts[k]
		j := c.Normal.Scale(x * s.scale[k])
		s.changes[c.A] = s.changes[c.A].Add(times(j, s.bodies[c.A].Mobility))
		s.changes[c.B] = s.changes[c.B].Sub(times(j, s.bodies[c.B].Mobility))
	}
}

// apply adds the impulses to the velocities.
func (s *Solver) apply() {
	for k, x := range s.x {
		c := &s.contacts[k]
		c.Impulse = x * s.scale[k]
		j := c.Normal.Scale(c.Impulse)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		a.Velocity = a.Velocity.Add(times(j, a.Mobility))
		b.Velocity = b.Velocity.Sub(times(j, b.Mobility))
	}
}

// mobilityAlong returns the effective inverse mass of a body along n.
func mobilityAlong(b *Body, n collide.Vec3) float64 { return n.Dot(times(n, b.Mobility)) }

// times returns the products of the components.
func times(a, b collide.Vec3) collide.Vec3 {
	return collide.Vec3{X: float64(a.X * b.X), Y: float64(a.Y * b.Y), Z: float64(a.Z * b.Z)}
}

// largest returns the largest component.
func largest(v collide.Vec3) float64 { return max(v.X, v.Y, v.Z) }

// dot returns the sum of the products.
func dot(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += float64(a[k] * b[k])
	}
	return sum
}

// resize returns s with length n, and any contents.
func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, n+n/2)
	}
	return s[:n]
}
