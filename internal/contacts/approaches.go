package contacts

import "github.com/dango-physics/dango/internal/grow"

// endApproaches ends the approaches that the iterations have left in an island and that its gaps do
// not allow in this step. It goes through the contacts until there are none, at most mostPasses
// times; after the first time only through those of bodies that have been moved since.
//
// The event loop would find them as impacts, one by one, each with two searches of the grid, and
// would pass them on through the heap until bodies are jammed. Impulses only grow here. So they
// take energy, apart from what it takes to open a gap, of at most RestGap at the end of the step.
func (s *Solver) endApproaches(constraints []contactConstraint) {
	bodies, moved := s.bodies, grow.Extend(s.moved, len(s.bodies))
	s.moved = moved
	for k := range constraints {
		moved[constraints[k].a], moved[constraints[k].b] = 0, 0
	}
	fastest := 0.0
	for pass := int32(1); pass <= mostPasses; pass++ {
		ended := true
		for k := range constraints {
			c := &constraints[k]
			if moved[c.a] < pass-1 && moved[c.b] < pass-1 {
				continue
			}
			a, b := &bodies[c.a], &bodies[c.b]
			nx, ny, nz := c.normal.X, c.normal.Y, c.normal.Z
			approach := c.bound - (float64((a.v.X-b.v.X)*nx) + float64((a.v.Y-b.v.Y)*ny) + float64((a.v.Z-b.v.Z)*nz))
			if !(approach > 0) {
				continue
			}
			ended = false
			p, q := &s.infos[c.a], &s.infos[c.b]
			fastest = max(fastest, approach)
			opening := min(float64((overRelaxation-1)*approach)+float64(leftShare*fastest),
				float64(RestGap*smallerRadius(p, q))/s.Seconds)
			impulse := float64((approach + opening) * c.mass)
			c.normalImpulse += impulse
			px, py, pz := float64(nx*impulse), float64(ny*impulse), float64(nz*impulse)
			a.v.X += float64(px * a.mobility.X)
			a.v.Y += float64(py * a.mobility.Y)
			a.v.Z += float64(pz * a.mobility.Z)
			b.v.X -= float64(px * b.mobility.X)
			b.v.Y -= float64(py * b.mobility.Y)
			b.v.Z -= float64(pz * b.mobility.Z)
			if p.movable {
				moved[c.a] = pass
			}
			if q.movable {
				moved[c.b] = pass
			}
		}
		if ended {
			return
		}
	}
}
