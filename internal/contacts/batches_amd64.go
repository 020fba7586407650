//go:build amd64 && !purego

package contacts

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/dango-physics/dango/internal/grow"
)

// hasAVX2 reports whether the processor can run relaxBatches.
var hasAVX2 = cpu.X86.HasAVX2

// A batch is four contacts that share no body that contacts move, as relaxBatches reads and writes
// them: each column has a value for each of them. Its unused places have a mass of zero.
type batch struct {
	a, b                                             [4]int32 // offsets of the spins of the bodies in memory
	nx, ny, nz                                       [4]float64
	impulse, target, bound, mass, softScale, load    [4]float64
	change, static, dynamic, tangentMass, fx, fy, fz [4]float64
}

// A turningBatch is what relaxBatches reads and writes of the rotation constraints of a batch.
type turningBatch struct {
	ra, rb, lever                  [4]float64 // radii, and the larger of the two
	turnA, turnB, ia, ib           [4]float64 // inverse inertias times radii, and inverse inertias
	sx, sy, sz                     [4]float64 // surface velocity
	angularMass, rolling, spinning [4]float64
	tx, ty, tz                     [4]float64 // torque impulse
}

// relaxBatches does what relax does for the contacts of n batches, to the same velocities bit for
// bit. turning is nil if no contact has a rotation constraint. unsettled is not 0 if an impulse has
// changed a velocity by more than tolerance.
//
//go:noescape
func relaxBatches(
	batches *batch, turning *turningBatch, n int, bodies *solverBody, spins *solverSpin, factor, tolerance float64,
) (unsettled int)

// endBatchedApproaches does what endApproachesGo does in a pass, for the contacts of n batches, to
// the same velocities bit for bit. load is what mostOpening returns. found is 0 if none of them
// approaches.
//
//go:noescape
func endBatchedApproaches(batches *batch, n int, bodies *solverBody, factor, least float64) (found int)

// batchScratch is the memory of prepareBatches.
type batchScratch struct {
	batches []batch
	turning []turningBatch // of the batches; empty if no body turns
	ranks   []int32        // by body: of its last contact
	places  []int32        // by constraint: its group, then its place in batches; -1 if it is in none
	ends    []int32        // by group, two for a rank: how many contacts it has, then where its next one is placed
}

// Copying contacts into batches costs about as much as an iteration in Go. It pays for islands of
// at least fewestInBatches contacts, with at least leastFilled of them in a batch on average. In a
// column each contact has a rank of its own, and so a batch: with neither bound, a step of 100
// columns of ten takes 8 % more.
const fewestInBatches, leastFilled = 24, 2

// prepareBatches copies the contacts of an island into batches, for relaxPrepared. It reports
// whether it did: some islands and processors are not for it.
//
// Contacts without a common body can be solved in any order, since none reads what the other
// writes. So each contact gets a rank: one more than the contacts before it that share a body with
// it. Contacts of one rank are solved together, and the ranks one after the other. The results are
// those of relax to the bit. Contacts with rotors are in no batch (relaxRotors).
func (s *Solver) prepareBatches(l *island, constraints []contactConstraint) bool {
	n := len(constraints) - len(s.withRotors)
	if !hasAVX2 || l.slanted || n < fewestInBatches {
		return false
	}
	s.rankConstraints(constraints)
	if leastFilled*len(s.batches.batches) > n {
		s.batches.batches = s.batches.batches[:0]
		return false
	}
	s.fillBatches(constraints)
	s.batches.turning = s.batches.turning[:0]
	if l.turning {
		s.fillTurning(constraints)
	}
	return true
}

// relaxPrepared is relax for the contacts that prepareBatches has copied.
func (s *Solver) relaxPrepared(factor, tolerance float64) (unsettled bool) {
	m, turning := &s.batches, (*turningBatch)(nil)
	if len(m.turning) > 0 {
		turning = &m.turning[0]
	}
	return relaxBatches(&m.batches[0], turning, len(m.batches), &s.bodies[0], &s.spins[0], factor, tolerance) != 0
}

// endPreparedApproaches is endApproachesGo for the contacts that prepareBatches has copied. It goes
// through all of them each time: finding those of bodies that have been moved would take longer.
func (s *Solver) endPreparedApproaches(constraints []contactConstraint, factor, least float64) {
	m := &s.batches
	for k := range constraints {
		m.batches[m.places[k]>>2].load[m.places[k]&3] = s.mostOpening(&constraints[k])
	}
	for range mostPasses {
		if endBatchedApproaches(&m.batches[0], len(m.batches), &s.bodies[0], factor, least) == 0 {
			break
		}
	}
	for k := range constraints {
		constraints[k].normalImpulse = m.batches[m.places[k]>>2].impulse[m.places[k]&3]
	}
}

// passImpulses copies the impulses of constraints, and their coefficients of friction, to their
// batches.
func (s *Solver) passImpulses(constraints []contactConstraint) {
	for k := range constraints {
		if s.batches.places[k] < 0 {
			continue
		}
		c, b, lane := &constraints[k], &s.batches.batches[s.batches.places[k]>>2], s.batches.places[k]&3
		b.static[lane], b.dynamic[lane] = c.staticFriction, c.dynamicFriction
		s.passImpulse(k, c)
	}
}

// passImpulse copies the impulses of constraint k to its batch, if it is in one.
func (s *Solver) passImpulse(k int, c *contactConstraint) {
	if s.batches.places[k] < 0 {
		return
	}
	b, lane := &s.batches.batches[s.batches.places[k]>>2], s.batches.places[k]&3
	b.impulse[lane] = c.normalImpulse
	b.fx[lane], b.fy[lane], b.fz[lane] = c.frictionImpulse.X, c.frictionImpulse.Y, c.frictionImpulse.Z
	if c.rotation >= 0 {
		t, torque := &s.batches.turning[s.batches.places[k]>>2], &s.rotations[c.rotation].torqueImpulse
		t.tx[lane], t.ty[lane], t.tz[lane] = torque.X, torque.Y, torque.Z
	}
}

// takeImpulses copies the impulses of constraints from their batches.
func (s *Solver) takeImpulses(constraints []contactConstraint) {
	for k := range constraints {
		s.takeImpulse(k, &constraints[k])
	}
}

// takeImpulse copies the impulses of constraint k from its batch, if it is in one.
func (s *Solver) takeImpulse(k int, c *contactConstraint) {
	if s.batches.places[k] < 0 {
		return
	}
	b, lane := &s.batches.batches[s.batches.places[k]>>2], s.batches.places[k]&3
	c.normalImpulse, c.lastChange = b.impulse[lane], b.change[lane]
	c.frictionImpulse.X, c.frictionImpulse.Y, c.frictionImpulse.Z = b.fx[lane], b.fy[lane], b.fz[lane]
	if c.rotation >= 0 {
		t, torque := &s.batches.turning[s.batches.places[k]>>2], &s.rotations[c.rotation].torqueImpulse
		torque.X, torque.Y, torque.Z = t.tx[lane], t.ty[lane], t.tz[lane]
	}
}

// rankConstraints finds the place of each constraint in the batches. Of each rank, contacts that
// begin without an impulse come last: relaxBatches is fast where all four of a batch are apart.
func (s *Solver) rankConstraints(constraints []contactConstraint) {
	m := &s.batches
	m.ranks = grow.Extend(m.ranks, len(s.bodies))
	m.places = slices.Grow(m.places[:0], len(constraints))[:len(constraints)]
	m.ends = m.ends[:0]
	if len(constraints) > len(s.bodies)/4 {
		clear(m.ranks)
	} else {
		for k := range constraints {
			m.ranks[constraints[k].a], m.ranks[constraints[k].b] = 0, 0
		}
	}
	infos, ranks := s.infos, m.ranks
	for k := range constraints {
		c := &constraints[k]
		if infos[c.b].rotor {
			m.places[k] = -1
			continue
		}
		rank := max(ranks[c.a], ranks[c.b])
		if infos[c.a].movable {
			ranks[c.a] = rank + 1
		}
		if infos[c.b].movable {
			ranks[c.b] = rank + 1
		}
		if 2*int(rank) == len(m.ends) {
			m.ends = append(m.ends, 0, 0)
		}
		group := 2 * rank
		if c.normalImpulse == 0 {
			group++
		}
		m.places[k] = group
		m.ends[group]++
	}
	first := int32(0)
	for group, n := range m.ends {
		m.ends[group] = first
		if first += n; group&1 != 0 {
			first = (first + 3) &^ 3 // the next rank begins with a new batch
		}
	}
	ends := m.ends
	for k, group := range m.places {
		if group >= 0 {
			m.places[k] = ends[group]
			ends[group]++
		}
	}
	m.batches = slices.Grow(m.batches[:0], int(first/4))[:first/4]
}

// fillBatches copies constraints to their places.
func (s *Solver) fillBatches(constraints []contactConstraint) {
	m := &s.batches
	for group := 1; group < len(m.ends); group += 2 {
		if end := m.ends[group]; end&3 != 0 {
			m.batches[end>>2] = batch{} // the last contacts of the rank do not fill it
		}
	}
	for k := range constraints {
		if m.places[k] < 0 {
			continue
		}
		c, b, lane := &constraints[k], &m.batches[m.places[k]>>2], m.places[k]&3
		b.a[lane], b.b[lane] = c.a*int32(unsafe.Sizeof(solverSpin{})), c.b*int32(unsafe.Sizeof(solverSpin{}))
		b.nx[lane], b.ny[lane], b.nz[lane] = c.normal.X, c.normal.Y, c.normal.Z
		b.impulse[lane], b.target[lane], b.bound[lane] = c.normalImpulse, c.targetVelocity, c.bound
		b.mass[lane], b.softScale[lane], b.load[lane] = c.mass, c.softScale, c.relaxedLoad
		b.static[lane], b.dynamic[lane], b.tangentMass[lane] = c.staticFriction, c.dynamicFriction, c.tangentMass
		b.fx[lane], b.fy[lane], b.fz[lane] = c.frictionImpulse.X, c.frictionImpulse.Y, c.frictionImpulse.Z
	}
}

// fillTurning copies rotation constraints to their places.
func (s *Solver) fillTurning(constraints []contactConstraint) {
	m := &s.batches
	m.turning = slices.Grow(m.turning[:0], len(m.batches))[:len(m.batches)]
	clear(m.turning)
	for k := range constraints {
		c := &constraints[k]
		if c.rotation < 0 || m.places[k] < 0 {
			continue
		}
		t, lane, d := &m.turning[m.places[k]>>2], m.places[k]&3, &s.rotations[c.rotation]
		ia, ib := s.spins[c.a].inverseInertia, s.spins[c.b].inverseInertia
		t.ra[lane], t.rb[lane], t.lever[lane] = d.ra, d.rb, max(d.ra, d.rb)
		t.ia[lane], t.ib[lane] = ia, ib
		t.turnA[lane], t.turnB[lane] = d.ra*ia, d.rb*ib
		t.sx[lane], t.sy[lane], t.sz[lane] = d.surfaceVelocity.X, d.surfaceVelocity.Y, d.surfaceVelocity.Z
		t.angularMass[lane], t.rolling[lane], t.spinning[lane] = d.angularMass, d.rollingLength, d.spinningLength
		t.tx[lane], t.ty[lane], t.tz[lane] = d.torqueImpulse.X, d.torqueImpulse.Y, d.torqueImpulse.Z
	}
}
