package solver

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/statics"
)

// Two blocks of touching balls meet at high speed. If groups may do less work than that takes, the
// rest of the balls is halted: the step ends, nothing overlaps, and the bits are those of any
// number of workers.
func TestTheWorkOfGroupsInAStepIsBounded(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const side, radius = 6, 0.5
	run := func(groupWork, workers int) (s *Space, ids []int32, halted, work int) {
		s = &Space{Settings: Settings{
			Seconds: 1.0 / 60, MaxImpacts: 2048, MaxInelasticImpacts: 16, LengthUnit: 1, Workers: workers,
			CombineRestitution: func(a, b *Material) float64 { return min(a.Restitution, b.Restitution) },
			CombineFriction:    func(a, _ *Friction) FrictionCoefficients { return a.FrictionCoefficients },
			ForceParallelFrom:  100,
		}}
		s.groupWork = groupWork
		m := Material{Layers: 1, Mask: 1, Restitution: 0.5}
		for k := range 2 * side * side * side {
			x := collide.Vec3{X: float64(k % side), Y: float64(k / side % side), Z: float64(k / side / side)}
			v := collide.Vec3{X: 3, Y: 5, Z: 100}
			if x.Z >= side {
				x = x.Add(collide.Vec3{X: 0.3, Y: 0.4, Z: 0.5})
				v.Z = -100
			}
			ids = append(ids, s.Add())
			s.Set(ids[k], State{x, v}, radius, 1, Dynamic, m)
		}
		for range 4 {
			for _, id := range ids { // as package systems does
				s.Set(id, s.State(id), radius, 1, Dynamic, m)
			}
			s.Begin()
			s.Sweep()
			s.Finish()
			halted += s.Counts.SpentBudgets
			work = max(work, s.group.solver.Work)
		}
		return s, ids, halted, work
	}
	_, _, halted, most := run(0, 1)
	if halted > 0 {
		t.Errorf("%d bodies halted without a bound", halted)
	}
	for _, groupWork := range []int{1, 100} {
		s, ids, halted, work := run(groupWork, 1)
		if halted == 0 || work > most/4 {
			t.Errorf("bound %d: %d bodies halted after work of %d, %d without a bound", groupWork, halted, work, most)
		}
		for k, id := range ids {
			for _, other := range ids[:k] {
				if gap := s.State(id).Position.Distance(s.State(other).Position) - 2*radius; gap < -1e-9*radius {
					t.Fatalf("work %d: overlap of %v", groupWork, -gap)
				}
			}
		}
		for _, workers := range []int{2, 3} {
			again, _, _, _ := run(groupWork, workers)
			for _, id := range ids {
				a, b := s.State(id), again.State(id)
				if !a.Position.SameBits(b.Position) || !a.Velocity.SameBits(b.Velocity) {
					t.Fatalf("work %d, %d workers: body %d is %v, want %v", groupWork, workers, id, b, a)
				}
			}
		}
	}
}

// Bodies that touch and bounce are in a box that is too small, and a lid comes down on them. In the
// second step each impact begins a group that has no solution. The work of all of them is bounded.
func TestTheWorkOfGroupsWithoutASolutionIsBounded(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const side = 4
	run := func(groupWork int) int {
		s := &Space{Settings: Settings{
			Seconds: 1.0 / 60, MaxImpacts: 2048, MaxInelasticImpacts: 16, LengthUnit: 1, Workers: 1, TouchingGap: 0.01,
			CombineRestitution: func(a, b *Material) float64 { return max(a.Restitution, b.Restitution) },
			CombineFriction:    func(a, _ *Friction) FrictionCoefficients { return a.FrictionCoefficients },
		}}
		s.groupWork = groupWork
		m := Material{Layers: 1, Mask: 1, Restitution: 0.5}
		for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}} {
			plane := collide.Plane{Normal: n, Distance: -side/2 - 0.001}
			s.SetSurface(s.AddSurface(), Surface{Shape: statics.Shape{Plane: plane}, Material: m})
		}
		for k := range side * side * side {
			x := collide.Vec3{X: float64(k % side), Y: float64(k / side % side), Z: float64(k / side / side)}
			x = x.Sub(collide.Vec3{X: 1.5, Y: 1.5, Z: 1.5})
			s.Set(s.Add(), State{x, collide.Vec3{X: 0.1, Y: 0.2}}, 0.5, 1, Dynamic, m)
		}
		lid := s.Add()
		for k := range 2 {
			z := 100 + side/2 + 0.01 - 0.005*float64(k)
			s.Set(lid, State{collide.Vec3{Z: z}, collide.Vec3{Z: -1}}, 100, 0, Kinematic, m)
			s.Begin()
			s.Sweep()
			s.Finish()
		}
		return s.group.solver.Work
	}
	unbounded, bounded := run(1<<20), run(1)
	if bounded > unbounded/2 {
		t.Errorf("work of %d with the least bound, %d without", bounded, unbounded)
	}
}
