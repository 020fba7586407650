package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// In a pile at rest, the forces are in balance. These tests search for forces at the contacts that
// support all resting balls: forces that push, within the cone of friction. They find the contacts
// from positions only and use nothing of the solver.

// support is a point at which two bodies touch.
type support struct {
	a, b  int          // balls; b is -1 for a wall
	n     collide.Vec3 // from b to a
	lever float64      // of torques: the effective radius of the pair, in metres
}

// reaction is what a support transmits: a force on body a in newtons, and a torque divided by the
// lever (so also in newtons), which resists rolling and spinning.
type reaction struct{ force, couple collide.Vec3 }

func (g reaction) addScaled(k float64, o reaction) reaction {
	return reaction{g.force.AddScaled(k, o.force), g.couple.AddScaled(k, o.couple)}
}

func (g reaction) dot(o reaction) float64 { return g.force.Dot(o.force) + g.couple.Dot(o.couple) }

// structure is a set of resting balls and their supports.
type structure struct {
	masses, radii []float64
	turns         []bool
	supports      []support
	friction      frictionPart // of all contacts
	gravity       collide.Vec3
}

// touching is the largest gap of two bodies that count as touching, relative to the smaller radius,
// in addition to restGap. It is the gap at which contacts end.
const touching = 1e-6

// structureOf finds the supports of balls and planes.
func structureOf(balls, walls []*donburi.Entry, friction frictionPart) *structure {
	s := &structure{friction: friction, gravity: vec(0, -earth, 0)}
	for i, b := range balls {
		r, p := components.SphereCollider.Get(b).Radius, position(b)
		s.masses, s.radii, s.turns = append(s.masses, mass(b)), append(s.radii, r),
			append(s.turns, b.HasComponent(components.AngularVelocity))
		for j, c := range balls[:i] {
			q := components.SphereCollider.Get(c).Radius
			if d := p.Sub(position(c)); d.Length() <= r+q+restGap+touching*min(r, q) {
				n, _ := d.Normalized()
				s.supports = append(s.supports, support{i, j, n, r * q / (r + q)})
			}
		}
		for _, e := range walls {
			n, _ := components.PlaneCollider.Get(e).Normal.Normalized()
			if n.Dot(p.Sub(position(e))) <= r+restGap+touching*r {
				s.supports = append(s.supports, support{i, -1, n, r})
			}
		}
	}
	return s
}

// load is the unbalanced force on a ball, relative to its weight, and the unbalanced torque,
// relative to weight times radius.
type load struct{ force, torque collide.Vec3 }

// loads returns the loads that remain on each ball with the reactions f. Weight 1 includes gravity,
// 0 excludes it.
func (s *structure) loads(f []reaction, weight float64) []load {
	all := make([]load, len(s.masses))
	g := s.gravity.Length()
	for i := range all {
		all[i].force = s.gravity.Scale(weight / g)
	}
	for k, c := range s.supports {
		torque := c.n.Cross(f[k].force).Neg() // on both balls, divided by the radius
		add := func(i int, sign float64) {
			all[i].force = all[i].force.AddScaled(sign/(s.masses[i]*g), f[k].force)
			if s.turns[i] {
				all[i].torque = all[i].torque.AddScaled(1/(s.masses[i]*g), torque)
				all[i].torque = all[i].torque.AddScaled(sign*c.lever/s.radii[i]/(s.masses[i]*g), f[k].couple)
			}
		}
		add(c.a, 1)
		if c.b >= 0 {
			add(c.b, -1)
		}
	}
	return all
}

// gradient returns the change of the loads with each reaction: the transpose of [structure.loads].
func (s *structure) gradient(all []load) []reaction {
	f := make([]reaction, len(s.supports))
	g := s.gravity.Length()
	for k, c := range s.supports {
		add := func(i int, sign float64) {
			f[k].force = f[k].force.AddScaled(sign/(s.masses[i]*g), all[i].force)
			if s.turns[i] {
				f[k].force = f[k].force.AddScaled(1/(s.masses[i]*g), c.n.Cross(all[i].torque))
				f[k].couple = f[k].couple.AddScaled(sign*c.lever/s.radii[i]/(s.masses[i]*g), all[i].torque)
			}
		}
		add(c.a, 1)
		if c.b >= 0 {
			add(c.b, -1)
		}
	}
	return f
}

// allowed returns the reaction nearest to f that support k can transmit: a push, and friction and
// resistance to rolling and spinning within their limits.
func (s *structure) allowed(k int, f reaction) reaction {
	n := s.supports[k].n
	push, spinning := n.Dot(f.force), n.Dot(f.couple)
	tangent, rolling := f.force.AddScaled(-push, n), f.couple.AddScaled(-spinning, n)
	parts := [3]struct{ size, most float64 }{ // most is relative to the push
		{tangent.Length(), max(s.friction.Dynamic, s.friction.Static)},
		{rolling.Length(), s.friction.Rolling},
		{math.Abs(spinning), s.friction.Spinning},
	}
	// The best push is the root of push - n·f - Σ most·max(0, size - most·push). The function is
	// concave, so Newton's method converges from below in as many steps as there are parts.
	best := push
	for range parts {
		sum, slope := push, 1.0
		for _, p := range parts {
			if p.size > p.most*best {
				sum, slope = sum+p.most*p.size, slope+p.most*p.most
			}
		}
		best = sum / slope
	}
	if best <= 0 {
		return reaction{}
	}
	shrink := func(k int) float64 {
		if parts[k].size > parts[k].most*best {
			return parts[k].most * best / parts[k].size
		}
		return 1
	}
	return reaction{
		n.Scale(best).AddScaled(shrink(0), tangent),
		n.Scale(shrink(2)*spinning).AddScaled(shrink(1), rolling),
	}
}

// unbalanced returns the largest load of a ball that no reactions can balance, relative to its
// weight, or to weight times radius for torques. It searches for reactions by Nesterov's
// accelerated gradient method with restarts.
func (s *structure) unbalanced() float64 {
	f, extrapolated := make([]reaction, len(s.supports)), make([]reaction, len(s.supports))
	step := 1 / s.stiffness()
	best, momentum := math.Inf(1), 1.0
	for range 20_000 {
		all := s.loads(extrapolated, 1)
		worst := 0.0
		for _, l := range all {
			worst = max(worst, l.force.Length(), l.torque.Length())
		}
		if best = min(best, worst); best < 1e-7 {
			break
		}
		gradient := s.gradient(all)
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		uphill := 0.0
		for k := range f {
			was := f[k]
			f[k] = s.allowed(k, extrapolated[k].addScaled(-step, gradient[k]))
			change := f[k].addScaled(-1, was)
			uphill += gradient[k].dot(change)
			extrapolated[k] = f[k].addScaled((momentum-1)/next, change)
		}
		if momentum = next; uphill > 0 {
			copy(extrapolated, f)
			momentum = 1
		}
	}
	return best
}

// stiffness returns an upper bound of the largest eigenvalue, which limits the step size of the
// gradient method.
func (s *structure) stiffness() float64 {
	f := make([]reaction, len(s.supports))
	for k := range f {
		f[k].force = s.supports[k].n.Add(vec(0.1, 0.2, 0.3)) // any start that isn't orthogonal to the solution
	}
	most := 1.0
	for range 50 {
		f = s.gradient(s.loads(f, 0))
		sum := 0.0
		for _, v := range f {
			sum += v.dot(v)
		}
		most = math.Sqrt(sum)
		for k := range f {
			f[k] = reaction{}.addScaled(1/most, f[k])
		}
	}
	return 1.2 * most
}

// The check must find structures that aren't balanced.
func TestBalanceCheckFindsUnbalancedStructures(t *testing.T) {
	const half = math.Sqrt2 / 2
	for _, c := range []struct {
		name     string
		friction float64
		make     func(w donburi.World) []*donburi.Entry
		want     float64
	}{
		{"on the floor", 0, func(w donburi.World) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			return []*donburi.Entry{ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)}
		}, 0},
		{"in mid-air", 0, func(w donburi.World) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			return []*donburi.Entry{ball(w, vec(0, 0.51, 0), vec(0, 0, 0), 0.5)}
		}, 1},
		{"on a slope without friction", 0, func(w donburi.World) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(half, half, 0))
			return []*donburi.Entry{ball(w, vec(half, half, 0).Scale(0.5), vec(0, 0, 0), 0.5)}
		}, half},
		{"on a slope with too little friction", 0.6, func(w donburi.World) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(half, half, 0))
			return []*donburi.Entry{ball(w, vec(half, half, 0).Scale(0.5), vec(0, 0, 0), 0.5)}
		}, half * 0.4 / math.Sqrt(1+0.6*0.6)}, // the nearest force in the cone isn't parallel to the slope
		{"on a slope with enough friction", 1.1, func(w donburi.World) []*donburi.Entry {
			wall(w, vec(0, 0, 0), vec(half, half, 0))
			return []*donburi.Entry{ball(w, vec(half, half, 0).Scale(0.5), vec(0, 0, 0), 0.5)}
		}, 0},
		{"a pyramid between walls", 0, func(w donburi.World) []*donburi.Entry { return pyramid(w, 4, room) }, 0},
		{"a column", 0, func(w donburi.World) []*donburi.Entry { return column(w, 0.5, 1, 10, 0.1, 1) }, 0},
		// Without rotation, friction suffices.
		{"a ball on a ball, aslant and rough", 5, func(w donburi.World) []*donburi.Entry {
			return append(column(w, 0.5, 1), ball(w, vec(half, 0.5+half, 0), vec(0, 0, 0), 0.5))
		}, 0},
	} {
		w := donburi.NewWorld()
		balls := c.make(w)
		if got := structureOf(balls, worldWalls(w), rough(c.friction)).unbalanced(); !near(got, c.want, 1e-6) {
			t.Errorf("%s: got %v of a weight unbalanced, want %v", c.name, got, c.want)
		}
	}
	// Balls that can rotate need a balance of torques as well. On a rough slope, a ball without
	// rotation rests, and a ball with rotation rolls.
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(half, half, 0))
	b := ball(w, vec(half, half, 0).Scale(0.5), vec(0, 0, 0), 0.5, turning(0, 0, 0))
	for _, c := range []struct {
		rolling  float64
		balanced bool
	}{{0, false}, {0.9, false}, {1.1, true}} { // of a slope of 1
		s := structureOf([]*donburi.Entry{b}, worldWalls(w), frictionPart{Dynamic: 2, Rolling: c.rolling})
		if got := s.unbalanced(); c.balanced && got > 1e-6 || !c.balanced && got < 0.02 {
			t.Errorf("a ball that can roll down, with a resistance of %v: got %v unbalanced", c.rolling, got)
		}
	}
}

// In small heaps at rest, the forces are in balance up to 1e-4 of each ball's weight.
func TestForcesOfRestingHeapsAreInBalance(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, c := range []struct {
		name     string
		friction frictionPart
		turns    bool
		steps    int
	}{
		{"without friction", frictionPart{}, false, 1800},
		{"with friction", rough(0.3), false, 900},
		{"with friction and spin", frictionPart{Dynamic: 0.3, Rolling: 0.01, Spinning: 0.01}, true, 900},
	} {
		for seed := range uint64(slow.Cases(6)) {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				w := donburi.NewWorld()
				more := []any{c.friction}
				if c.turns {
					more = append(more, turning(0, 0, 0))
				}
				balls := heapInBin(w, 10+int(seed*7%21), seed, more[:1], more...)
				p := onEarth()
				steps(t, w, p, c.steps)
				if v := fastest(balls); v > 1e-3 {
					t.Errorf("the fastest still has %v m/s", v)
				}
				given := c.friction
				// The minimum of persistent contacts, see docs/numerics.md.
				given.Dynamic, given.Rolling, given.Spinning = max(given.Dynamic, 0.02), max(given.Rolling, 0.02),
					max(given.Spinning, 0.02)
				s := structureOf(balls, worldWalls(w), given)
				got := s.unbalanced()
				if got > 1e-4 {
					t.Errorf("%v of a weight is held up by nothing that touches", got)
				}
				t.Logf("%d balls touch in %d places; unbalanced %.2g", len(balls), len(s.supports), got)
			})
		}
	}
}
