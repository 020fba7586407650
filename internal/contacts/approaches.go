package contacts

import "github.com/dango-physics/dango/internal/grow"

// endApproaches ends the approaches that the iterations have left in an island and that its gaps do
// not allow in this step. It goes through the contacts until there are none, at most mostPasses
// times. batched says whether the iterations were those of relaxPrepared. Then it may continue with
// their batches.
//
// The event loop would find them as impacts, one by one, each with two searches of the grid, and
// would pass them on through the heap until bodies are jammed. Impulses only grow here. So they
// take energy, apart from what it takes to open a gap, of at most RestGap at the end of the step.
func (s *Solver) endApproaches(constraints []contactConstraint, batched bool) {
	s.moved = grow.Extend(s.moved, len(s.bodies))
	moved := s.moved
	for k := range constraints {
		moved[constraints[k].a], moved[constraints[k].b] = -1, -1
	}
	fastest, approaching := 0.0, 0
	for k := range constraints {
		c := &constraints[k]
		if approach := s.approach(c); approach > 0 {
			fastest, approaching = max(fastest, approach), approaching+1
			moved[c.a], moved[c.b] = 0, 0
		}
	}
	if approaching == 0 {
		return
	}
	factor, least := float64(overRelaxation-1), float64(leftShare*fastest)
	if batched && fewApproaching*approaching > len(constraints) {
		s.endPreparedApproaches(constraints, factor, least)
	} else {
		s.endApproachesGo(constraints, factor, least)
	}
}

// fewApproaching is the number of contacts for each that approaches above which batches do not pay.
// endApproachesGo finds few that approach sooner: in a heap of 10,000 that settles, going through
// all batches took nearly three times as long.
const fewApproaching = 16

// approach returns how fast the bodies of a constraint approach each other beyond what the gap
// between them allows, m/s.
func (s *Solver) approach(c *contactConstraint) float64 {
	a, b := &s.bodies[c.a], &s.bodies[c.b]
	return c.bound - a.v.Sub(b.v).Dot(c.normal)
}

// mostOpening returns the greatest speed, m/s, at which endApproaches lets two bodies part.
func (s *Solver) mostOpening(c *contactConstraint) float64 {
	return float64(RestGap*smallerRadius(&s.infos[c.a], &s.infos[c.b])) / s.Seconds
}

// endApproachesGo lets the bodies of each constraint that approach part, at a multiple of their
// approach and the least speed. It goes only through the constraints of bodies that have been moved
// since, or that s.moved says approach something.
func (s *Solver) endApproachesGo(constraints []contactConstraint, factor, least float64) {
	bodies, moved := s.bodies, s.moved
	for pass := int32(1); pass <= mostPasses; pass++ {
		ended := true
		for k := range constraints {
			c := &constraints[k]
			if moved[c.a] < pass-1 && moved[c.b] < pass-1 {
				continue
			}
			approach := s.approach(c)
			if !(approach > 0) {
				continue
			}
			ended = false
			impulse := float64((approach + min(float64(factor*approach)+least, s.mostOpening(c))) * c.mass)
			c.normalImpulse += impulse
			a, b := &bodies[c.a], &bodies[c.b]
			p := c.normal.Scale(impulse)
			a.v, b.v = a.v.Add(p.MulElem(a.mobility)), b.v.Sub(p.MulElem(b.mobility))
			if s.infos[c.a].movable {
				moved[c.a] = pass
			}
			if s.infos[c.b].movable {
				moved[c.b] = pass
			}
		}
		if ended {
			return
		}
	}
}
