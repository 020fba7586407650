package bridge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// inBench are the components of a sphere of the bench.
var inBench = []donburi.IComponentType{
	components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Material,
}

// crowd returns a world of n spheres on a lattice, with the components that spheres of the bench
// have. They move at most at speed, so slowly that they never meet: only reading and writing is to
// be measured.
func crowd(n int, speed float64) (donburi.World, []*donburi.Entry) {
	return crowdOf(n, speed, inBench...)
}

// stillCrowd returns a world of n spheres without Velocity.
func stillCrowd(n int) (donburi.World, []*donburi.Entry) {
	return crowdOf(n, 0, components.Transform, components.SphereCollider)
}

// spinningCrowd returns a crowd of spheres with friction that rotate.
func spinningCrowd(n int) (donburi.World, []*donburi.Entry) {
	w, entries := crowdOf(n, 1e-3, append(slices.Clone(inBench), components.AngularVelocity)...)
	for i, e := range entries {
		components.Material.Get(e).Friction = 0.5
		w := &components.AngularVelocity.Get(e).Angular
		w.X, w.Y, w.Z = float64(i%7)-3.5, float64(i%5)-2.5, float64(i%3)-1.5
	}
	return w, entries
}

func crowdOf(n int, speed float64, types ...donburi.IComponentType) (donburi.World, []*donburi.Entry) {
	w := donburi.NewWorld()
	side := 1
	for side*side*side < n {
		side++
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func() float64 { return float64((r.Float64() - 0.5) * speed) }
	places := r.Perm(n)
	entries := make([]*donburi.Entry, n)
	for i := range entries {
		e := w.Entry(w.Create(types...))
		at := places[i] // the order of entities is no order in space
		x := &components.Transform.Get(e).Position
		x.X, x.Y, x.Z = float64(at%side), float64(at/side%side), float64(at/side/side)
		components.SphereCollider.Get(e).Radius = 0.1
		if e.HasComponent(components.Velocity) && speed > 0 { // without speed it would have zeros of both signs
			components.Velocity.Get(e).Linear = collide.Vec3{X: random(), Y: random(), Z: random()}
		}
		if e.HasComponent(components.Body) {
			components.Body.Get(e).Mass = 2
			components.Material.Get(e).Restitution = 1
		}
		entries[i] = e
	}
	return w, entries
}

// surfaces returns a world of n squares or capsules that lie side by side, or of n floors.
func surfaces(n int, types ...donburi.IComponentType) (donburi.World, []*donburi.Entry) {
	w := donburi.NewWorld()
	entries := make([]*donburi.Entry, n)
	for i := range entries {
		e := w.Entry(w.Create(append(types, components.Transform)...))
		x := collide.Vec3{X: float64(i % 300 * 3), Z: float64(i / 300 * 3)}
		components.Transform.Get(e).Position = x
		if e.HasComponent(components.PolygonCollider) {
			components.PolygonCollider.Get(e).Points = []collide.Vec3{
				{X: -1, Z: -1}, {X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1},
			}
		}
		entries[i] = e
	}
	return w, entries
}

var (
	sizes  = []int{100, 1_000, 10_000, 100_000}
	crowds = []struct {
		name string
		make func(n int) (donburi.World, []*donburi.Entry)
	}{
		{"moving", func(n int) (donburi.World, []*donburi.Entry) { return crowd(n, 1e-3) }},
		{"spinning", func(n int) (donburi.World, []*donburi.Entry) { return spinningCrowd(n) }},
		{"resting", func(n int) (donburi.World, []*donburi.Entry) { return crowd(n, 0) }},
		{"static", stillCrowd},
		{"tiles", func(n int) (donburi.World, []*donburi.Entry) { return surfaces(n, components.PolygonCollider) }},
		{"capsules", func(n int) (donburi.World, []*donburi.Entry) { return surfaces(n, components.CapsuleCollider) }},
		{"planes", func(n int) (donburi.World, []*donburi.Entry) { return surfaces(n, components.PlaneCollider) }},
	}
)

// forCrowds runs a benchmark for every crowd, after the steps in which its bodies are sorted.
func forCrowds(b *testing.B, run func(b *testing.B, p *stepper, w donburi.World, n int)) {
	for _, c := range crowds {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				w, _ := c.make(n)
				p := newStepper(Settings{})
				for range 3 {
					p.step(w)
				}
				if len(p.errors) > 0 {
					b.Fatal(p.errors)
				}
				run(b, p, w, n)
			})
		}
	}
}

func perEntity(b *testing.B, d time.Duration, n int) {
	b.ReportMetric(float64(d.Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
}

// BenchmarkInStep measures Read and Write within a step, with the processor's caches as the solver
// leaves them.
func BenchmarkInStep(b *testing.B) {
	forCrowds(b, func(b *testing.B, p *stepper, w donburi.World, n int) {
		var gather, scatter time.Duration
		for b.Loop() {
			p.step(w)
			gather += p.stats.gather
			scatter += p.stats.scatter
		}
		b.ReportMetric(float64(gather.Nanoseconds())/float64(b.N)/float64(n), "gather-ns/entity")
		b.ReportMetric(float64(scatter.Nanoseconds())/float64(b.N)/float64(n), "scatter-ns/entity")
		perEntity(b, gather+scatter, n)
	})
}

// BenchmarkGather measures gather alone, as in an uninterrupted step.
func BenchmarkGather(b *testing.B) {
	forCrowds(b, func(b *testing.B, p *stepper, w donburi.World, n int) {
		for b.Loop() {
			p.gather(w, p.settings.Solver.Seconds, true)
		}
		perEntity(b, b.Elapsed(), n)
	})
}

// BenchmarkScatter measures scatter alone, as in an uninterrupted step.
func BenchmarkScatter(b *testing.B) {
	forCrowds(b, func(b *testing.B, p *stepper, w donburi.World, n int) {
		for b.Loop() {
			p.scatter(w, true)
		}
		perEntity(b, b.Elapsed(), n)
	})
}

// BenchmarkBetweenSystems measures Read and Write in steps in which the game may change things
// between the systems.
func BenchmarkBetweenSystems(b *testing.B) {
	forCrowds(b, func(b *testing.B, p *stepper, w donburi.World, n int) {
		var took time.Duration
		for b.Loop() {
			p.broadphase(w, false)
			p.sweep(w)
			p.respond(w, false)
			took += p.stats.gather + p.stats.scatter
		}
		perEntity(b, took, n)
	})
}

// BenchmarkFloor measures the least that any code can take which keeps pointers to the components:
// two of them are read and written.
func BenchmarkFloor(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, entries := crowd(n, 1e-3)
			all := bothOf(entries)
			for b.Loop() {
				advance(all, 1e-3)
			}
			perEntity(b, b.Elapsed(), n)
		})
	}
}

// BenchmarkFloorInStep is BenchmarkFloor with the processor's caches as a step leaves them, to be
// compared with BenchmarkInStep.
func BenchmarkFloorInStep(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, entries := crowd(n, 1e-3)
			all := bothOf(entries)
			p := newStepper(Settings{})
			var took time.Duration
			for b.Loop() {
				p.step(w)
				start := time.Now()
				advance(all, 0)
				took += time.Since(start)
			}
			perEntity(b, took, n)
		})
	}
}

// both are the components that a step changes.
type both struct {
	t *components.TransformData
	v *components.VelocityData
}

func bothOf(entries []*donburi.Entry) []both {
	all := make([]both, len(entries))
	for i, e := range entries {
		all[i] = both{components.Transform.Get(e), components.Velocity.Get(e)}
	}
	return all
}

func advance(all []both, seconds float64) {
	for _, c := range all {
		c.t.Position = c.t.Position.AddScaled(seconds, c.v.Linear)
		c.v.Linear = c.v.Linear.Neg()
	}
}
