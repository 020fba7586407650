package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// The contact solver slows a kinematic body down before the subdomains are simulated. The halo is
// too small, so the step is repeated as a whole, which begins by sorting the bodies.
func TestSlowedKinematicBodyInAnInvalidParallelStep(t *testing.T) {
	run := func(workers int) (s *Space, ids []int32, step func(k int)) {
		r := rand.New(rand.NewPCG(1, 2))
		s = &Space{Settings: Settings{
			Seconds: 1.0 / 60, MaxImpacts: 2048, MaxInelasticImpacts: 16, LengthUnit: 1, Workers: workers,
			Down:               collide.Vec3{Y: -1},
			CombineRestitution: func(a, b *Material) float64 { return min(a.Restitution, b.Restitution) },
			CombineFriction:    func(a, _ *Friction) FrictionCoefficients { return a.FrictionCoefficients },
		}}
		wall := s.AddSurface()
		m := Material{Layers: 1, Mask: 1}
		plane := collide.Plane{Normal: collide.Vec3{X: 1}, Distance: -5}
		s.SetSurface(wall, Surface{Shape: statics.Shape{Plane: plane}, Material: m})
		add := func(x, v collide.Vec3, mass float64, kind Kind, m Material) {
			id := s.Add()
			ids = append(ids, id)
			s.Set(id, State{x, v}, 0.5, mass, kind, m)
		}
		for k := range 4 { // a row at the wall, and a kinematic body that pushes it
			add(collide.Vec3{X: -4.5 + float64(k)}, collide.Vec3{}, 1, Dynamic, m)
		}
		add(collide.Vec3{X: -0.4}, collide.Vec3{X: -1}, 0, Kinematic, m)
		bouncy := m
		bouncy.Restitution = 1
		for range 60 {
			v := collide.Vec3{X: r.Float64() - 0.5, Y: r.Float64() - 0.5, Z: r.Float64() - 0.5}
			add(collide.Vec3{X: 15 * r.Float64(), Y: 20 + 10*r.Float64(), Z: 10 * r.Float64()}, v.Scale(60), 1,
				Dynamic, bouncy)
		}
		s.ForceParallelFrom = 4
		return s, ids, func(k int) {
			if s.Workers > 1 {
				s.SetHalo(float64(100 * (1 - k%2)))
			}
			for n, id := range ids { // as package systems does
				b := s.State(id)
				switch {
				case n == 4:
					s.Set(id, State{b.Position, collide.Vec3{X: -1}}, 0.5, 0, Kinematic, m)
				case n < 4:
					s.Set(id, b, 0.5, 1, Dynamic, m)
				default:
					s.Set(id, b, 0.5, 1, Dynamic, bouncy)
				}
			}
			s.Begin()
			s.Sweep()
			s.Finish()
		}
	}
	a, ids, stepA := run(1)
	b, _, stepB := run(2)
	blocked := 0
	for k := range 60 {
		stepA(k)
		stepB(k)
		blocked += a.Counts.Blocked
		for n, id := range ids {
			if got, want := b.State(id), a.State(id); got != want {
				valid, invalid := b.ParallelSteps()
				t.Fatalf("step %d (%d valid and %d invalid parallel steps, %d blocked): body %d: got %v, want %v", k,
					valid, invalid, blocked, n, got, want)
			}
		}
	}
	valid, invalid := b.ParallelSteps()
	t.Log(valid, invalid, blocked)
}
