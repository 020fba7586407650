//go:build dangodebug

package contacts

import (
	"fmt"
	"math"
)

// debugState is empty: see debug_off.go.
type debugState struct{}

// coneTolerance is by how much of it an impulse may exceed a bound, for rounding.
const coneTolerance = 1e-9

// checkSolution panics if a constraint is not a number, or an impulse breaks its law.
func (s *Solver) checkSolution() {
	fastest := 0.0
	for k := range s.infos {
		fastest = max(fastest, s.infos[k].v0.SumAbs(), s.infos[k].freeVelocity.SumAbs())
	}
	for at := range s.islands {
		l := &s.islands[at]
		if l.next < l.first || at+1 < len(s.islands) && l.next > s.islands[at+1].first {
			panic(fmt.Sprintf("contacts: Solve: island %d has constraints %d to %d, want them before those of the next",
				at, l.first, l.next))
		}
		for k := l.first; k < l.next; k++ {
			s.checkConstraint(k, int32(at), fastest)
		}
	}
	s.checkBodies()
}

// checkConstraint is checkSolution for a constraint of an island; no body is faster than fastest.
func (s *Solver) checkConstraint(k, island int32, fastest float64) {
	c, d := &s.constraints[k], &rotationConstraint{}
	if c.rotation >= 0 {
		d = &s.rotations[c.rotation]
	}
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("contacts: Solve: constraint %d of bodies %d and %d: ", k, s.locations[c.a].ID,
			s.locations[c.b].ID) +
			fmt.Sprintf(format, args...) + fmt.Sprintf(" (%+v %+v)", *c, *d))
	}
	if c.a == c.b || s.infos[c.a].surface {
		fail("want two bodies, or a body and a surface")
	}
	if got := s.contactRoot(c.a, c.b).island; got != island {
		fail("it is in island %d, want %d", island, got)
	}
	if !(math.Abs(c.normal.LengthSquared()-1) < 1e-9) {
		fail("the normal has length %v, want 1", c.normal.Length())
	}
	if !(c.mass > 0 && isFinite(c.mass)) || !(c.softScale > 0 && c.softScale <= 1) ||
		!(c.relaxedLoad >= 0) ||
		!isFinite(c.bound) || !isFinite(c.targetVelocity) || !isFinite(c.relaxedLoad) || !isFinite(c.gap) {
		fail("want a row of finite numbers, and a mass > 0")
	}
	if !(c.normalImpulse >= 0 && isFinite(c.normalImpulse)) {
		fail("the normal impulse is %v, want >= 0", c.normalImpulse)
	}
	if !(c.staticFriction >= 0) || !c.frictionImpulse.IsFinite() || !d.torqueImpulse.IsFinite() ||
		c.staticFriction+d.angularMass > 0 && !(c.tangentMass > 0) {
		fail("want friction in finite numbers")
	}
	rounding := float64(roundingShare*c.tangentMass*fastest) + 1e-60
	f, most := c.frictionImpulse.Length(), float64(c.staticFriction*c.normalImpulse)
	if !(f <= float64(most*(1+coneTolerance))+rounding) {
		fail("the friction impulse is %v, want at most %v", f, most)
	}
	spinning := c.normal.Dot(d.torqueImpulse)
	rolling := d.torqueImpulse.AddScaled(-spinning, c.normal).Length()
	rounding = float64(coneTolerance*d.torqueImpulse.Length()) + float64(rounding*max(d.ra, d.rb))
	if !(math.Abs(spinning) <= float64(d.spinningLength*c.normalImpulse)+rounding &&
		rolling <= float64(d.rollingLength*c.normalImpulse)+rounding) {
		fail("the torque impulses are %v spinning and %v rolling, want at most %v and %v",
			spinning, rolling, float64(d.spinningLength*c.normalImpulse), float64(d.rollingLength*c.normalImpulse))
	}
}

// checkBodies is checkSolution for bodies.
func (s *Solver) checkBodies() {
	for k := range s.bodies {
		p := &s.infos[k]
		if !s.bodies[k].v.IsFinite() || !s.spins[k].w.IsFinite() || p.movable && !(p.inverseMass > 0) ||
			!(s.spins[k].inverseInertia >= 0) {
			panic(fmt.Sprintf("contacts: Solve: body %d has velocity %v, spin %+v and inverse mass %v, want "+
				"finite numbers",
				s.locations[k].ID, s.bodies[k].v, s.spins[k], p.inverseMass))
		}
		if root := s.IslandRoot(int32(k)); root > int32(k) || s.infos[root].movable != p.movable {
			panic(fmt.Sprintf("contacts: Solve: body %d stands for the island of body %d, want the first movable "+
				"one", root, k))
		}
	}
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
