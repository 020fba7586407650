package systems_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// falling is balls of different sizes that fall into a box of planes and rest on each other.
func falling(w donburi.World, reversed bool) (all map[donburi.Entity]*donburi.Entry) {
	r := rand.New(rand.NewPCG(11, 4))
	var create []func() *donburi.Entry
	for _, n := range []collide.Vec3{{Y: 1}, {X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		at := n.Scale(-1.5)
		create = append(create, func() *donburi.Entry { return wall(w, at, n, rough(0.3)) })
	}
	for k := range 60 {
		jitter := vec(r.Float64(), r.Float64(), r.Float64()).Scale(0.2)
		at := vec(float64(k%3)-1, float64(k/9), float64(k/3%3)-1).Add(jitter)
		radius, v := 0.2+0.2*r.Float64(), vec(r.Float64()-0.5, -20*r.Float64(), r.Float64()-0.5)
		create = append(create, func() *donburi.Entry { return ball(w, at, v, radius, bouncy(0.3), rough(0.3)) })
	}
	if reversed {
		slices.Reverse(create)
	}
	all = map[donburi.Entity]*donburi.Entry{}
	for _, f := range create {
		e := f()
		all[e.Entity()] = e
	}
	return all
}

// gapOf returns the gap of a ball at p and another entity, as a fraction of the smaller radius.
func gapOf(a, b *donburi.Entry, p, q collide.Vec3) float64 {
	ra := components.SphereCollider.Get(a).Radius
	if !b.HasComponent(components.SphereCollider) {
		n := components.PlaneCollider.Get(b).Normal
		return (p.Sub(q).Dot(n) - ra) / ra
	}
	rb := components.SphereCollider.Get(b).Radius
	return (p.Distance(q) - ra - rb) / min(ra, rb)
}

// Impacts of a heap used to be reported at time 0, up to a quarter of a radius before the two
// touched.
func TestImpactsAreReportedWhereAndWhenSurfacesTouch(t *testing.T) {
	w := donburi.NewWorld()
	all := falling(w, false)
	p := onEarth()
	before := map[donburi.Entity]collide.Vec3{}
	atEnds := 0
	for step := range 200 {
		for e, entry := range all {
			before[e] = position(entry)
		}
		p.Step(w)
		expectNoErrors(t, p)
		for m := range p.Impacts() {
			a, b := all[m.A], all[m.B]
			gap, most := 0.0, 1e-9
			switch m.Time {
			case 0:
				gap, most = gapOf(a, b, before[m.A], before[m.B]), 0x1p-20
			case 1.0 / 60:
				gap, most = gapOf(a, b, position(a), position(b)), 1.0/256
				atEnds++
			}
			if gap > most*(1+1e-6) || m.Impulse < 0 || m.Approach < 0 {
				t.Fatalf("step %d: %+v at a gap of %v of the smaller radius", step+1, m, gap)
			}
		}
	}
	if atEnds < 10 {
		t.Errorf("only %d impacts at the ends of steps", atEnds)
	}
}

// Reports at the ends of steps come in the same order, with the same points, in whatever order the
// entities were created.
func TestReportsOfAHeapDontDependOnTheOrderOfCreation(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	report := func(reversed bool) (list [][6]float64) {
		w := donburi.NewWorld()
		falling(w, reversed)
		p := onEarth()
		for step := range 200 {
			p.Step(w)
			for m := range p.Impacts() {
				list = append(list, [6]float64{float64(step), m.Time, m.Point.X, m.Point.Y, m.Point.Z, m.Impulse})
			}
			for m := range p.ContactBegins() {
				list = append(list, [6]float64{float64(step), m.Time, m.Point.X, m.Point.Y, m.Point.Z})
			}
		}
		return list
	}
	one, other := report(false), report(true)
	if len(one) != len(other) {
		t.Fatalf("%d reports, and %d in the other order of creation", len(one), len(other))
	}
	for k := range one {
		if one[k] != other[k] {
			t.Fatalf("report %d of %d is %v, and %v in the other order of creation", k, len(one), one[k], other[k])
		}
	}
}

// Each contact begins once before it ends, and ends once.
func TestContactsOfAHeapBeginOnce(t *testing.T) {
	w := donburi.NewWorld()
	falling(w, false)
	p := onEarth()
	type pair [2]donburi.Entity
	open := map[pair]int{}
	for step := range 200 {
		p.Step(w)
		type change struct {
			pair
			time float64
			by   int
		}
		var list []change
		for e := range p.ContactBegins() {
			list = append(list, change{pair{e.A, e.B}, e.Time, 1})
		}
		for e := range p.ContactEnds() {
			list = append(list, change{pair{e.A, e.B}, e.Time, -1})
		}
		for _, c := range list {
			open[c.pair] += c.by
		}
		for key, n := range open {
			if n < 0 || n > 1 {
				slices.SortFunc(list, func(a, b change) int { return cmp.Compare(a.time, b.time) })
				t.Fatalf("step %d: the contact of %v is open %d times, after %v", step+1, key, n, list)
			}
		}
	}
}

// What begins to touch without an approach is a ContactBegin and no Impact.
func TestPlacingABallOnAFloorIsNoImpact(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5)
	ball(w, vec(3, 0.5, 0), vec(2, 0, 0), 0.5)
	p := onEarth()
	p.Step(w)
	if e := eventsOf(p); len(e.impacts) != 0 || len(e.begins) != 2 || e.begins[0].Time != 0 {
		t.Errorf("got %+v", e)
	}
}

// A ball that is squeezed between a wall and a kinematic ball had impulses down to -68,884 N·s.
func TestImpulsesOfASqueezedBallAreNotNegative(t *testing.T) {
	for seed := range uint64(slow.Cases(300)) {
		r := rand.New(rand.NewPCG(seed+20, 8))
		w := donburi.NewWorld()
		angle := 3 * r.Float64()
		wall(w, vec(0, 0, 0), vec(1, 0, 0), bouncy(r.Float64()*float64(r.IntN(2))))
		wall(w, vec(0, 0, 0), vec(math.Cos(angle), math.Sin(angle), 0), rough(r.Float64()))
		for range 1 + r.IntN(3) {
			ball(w, vec(2+2*r.Float64(), 1+4*(r.Float64()-0.5), 0), vec(-60*r.Float64(), 20*(r.Float64()-0.5), 0),
				0.3+r.Float64(), components.BodyData{Kind: components.Kinematic})
		}
		for range 1 + r.IntN(3) {
			ball(w, vec(0.31+r.Float64(), 0.4+r.Float64(), 0), vec(5*r.Float64(), 30*(r.Float64()-0.5), 0), 0.3,
				bouncy(r.Float64()*float64(r.IntN(2))))
		}
		p := onEarth()
		for range 20 {
			p.Step(w)
			for m := range p.Impacts() {
				if !(m.Impulse >= 0) {
					t.Fatalf("seed %d: %+v", seed, m)
				}
			}
		}
	}
}

// pathAt returns where a ball was at time t of the last step.
func pathAt(p *systems.Physics, e donburi.Entity, t float64) collide.Vec3 {
	from, at := 0.0, collide.Vec3{}
	for to, x := range p.Path(e) {
		if to >= t {
			if to > from {
				return at.Lerp(x, (t-from)/(to-from))
			}
			return x
		}
		from, at = to, x
	}
	return at
}

// A jam acts across gaps. Impacts in it used to be reported at once, up to an eighth of a radius
// before the two touched.
func TestImpactsInAJamAreReportedWhereAndWhenSurfacesTouch(t *testing.T) {
	jammed, late := 0, 0
	for _, gap := range []float64{1e-3, 0.01, 0.03} {
		w := donburi.NewWorld()
		all := map[donburi.Entity]*donburi.Entry{}
		add := func(e *donburi.Entry) { all[e.Entity()] = e }
		add(ball(w, vec(-2, 0.1, 0.2), vec(3000, 0, 0), 0.5, bouncy(0.5)))
		for k := range 60 {
			at := vec(float64(k%5), float64(k/5%4)-2, float64(k/20)-1).Scale(1 + gap)
			add(ball(w, at, vec(0, 0, 0), 0.5, bouncy(0.5)))
		}
		p := systems.NewPhysics(systems.Config{MaxImpacts: 2})
		p.Path(donburi.Null) // records paths from now on
		for step := range 10 {
			p.Step(w)
			jammed += p.Stats().Jammed
			for m := range p.Impacts() {
				most := 0x1p-20
				if m.Time == 1.0/60 {
					most, late = 1.0/256, late+1
				}
				gap := gapOf(all[m.A], all[m.B], pathAt(p, m.A, m.Time), pathAt(p, m.B, m.Time))
				if gap > most*(1+1e-6) || m.Impulse < 0 {
					t.Fatalf("step %d: %+v at a gap of %v radii", step+1, m, gap)
				}
			}
		}
	}
	if jammed < 10 || late < 10 {
		t.Errorf("%d jammed balls, %d impacts at the ends of steps", jammed, late)
	}
}

// With TouchingGap, two that a jam has kept apart across a gap bounced later in the step, together
// with others that touch: 1.6 mm from each other, with impacts reported there.
func TestImpactsAfterAJamAreReportedWhereSurfacesTouch(t *testing.T) {
	const gap = 1.9444755038421358e-06
	w := donburi.NewWorld()
	all := map[donburi.Entity]*donburi.Entry{}
	floor := wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
	all[floor.Entity()] = floor
	for _, b := range []struct {
		x, v collide.Vec3
		e, f float64
	}{
		{x: vec(0, 0, 1)},
		{x: vec(0, 1, 1)},
		{x: vec(0, 1, 2)},
		{x: vec(1, 0, 1)},
		{vec(1, 1.14708, 1.0000008750164515), vec(0, -4.0875, 0), 1, 0},
		{vec(1, 1.1470758750069954, 2), vec(0, -4, 0), 0, 0},
		{x: vec(2, 0, 1), e: 1},
		{x: vec(1.99998, 1, 1), e: 1, f: 0.3},
		{x: vec(2, 2, 1)},
	} {
		e := ball(w, b.x, b.v, 0.5, components.MaterialData{Restitution: b.e, Friction: b.f})
		all[e.Entity()] = e
	}
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0), TouchingGap: gap})
	p.Path(donburi.Null) // records paths from now on
	jammed, checked := 0, 0
	for step := range 3 {
		p.Step(w)
		jammed += p.Stats().Jammed
		for m := range p.Impacts() {
			if m.B == floor.Entity() || m.Time == 0 || m.Time == tick {
				continue
			}
			checked++
			if g := gapOf(all[m.A], all[m.B], pathAt(p, m.A, m.Time), pathAt(p, m.B, m.Time)); g > 2*gap*(1+1e-6) {
				t.Errorf("step %d: %+v at a gap of %v radii", step+1, m, g)
			}
		}
	}
	if jammed == 0 || checked < 10 {
		t.Errorf("%d jams and %d impacts, want some", jammed, checked)
	}
}
