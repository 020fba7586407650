package solver

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/statics"
)

// waves returns a mesh of n·n cells of 1 m.
func waves(t *testing.T, n int) *collide.Mesh {
	t.Helper()
	var vertices []collide.Vec3
	var indices []uint32
	id := func(i, j int) uint32 { return uint32(i*(n+1) + j) }
	for i := range n + 1 {
		for j := range n + 1 {
			height := 0.3 * math.Sin(float64(i)) * math.Cos(0.7*float64(j))
			vertices = append(vertices, collide.Vec3{X: float64(i), Y: height, Z: float64(j)})
		}
	}
	for i := range n {
		for j := range n {
			indices = append(indices, id(i, j), id(i, j+1), id(i+1, j), id(i+1, j+1), id(i+1, j), id(i, j+1))
		}
	}
	m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Balls that fall on a mesh, roll and meet, some of them in heaps, some inside the mesh when they
// begin. Workers share the loops over their contacts.
func TestWorkersThatShareContactsChangeNoBit(t *testing.T) {
	slow.Skip(t, slow.Foreign, slow.Hashed)
	mesh := waves(t, 24)
	run := func(workers int) (states []State, shared, impacts int) {
		s := &Space{Settings: Settings{
			Seconds: 1.0 / 60, MaxImpacts: 2048, MaxInelasticImpacts: 16, LengthUnit: 1, Workers: workers,
			RestSpeed: 0.5, Down: collide.Vec3{Y: -1},
			CombineRestitution: func(a, b *Material) float64 { return min(a.Restitution, b.Restitution) },
			CombineFriction:    func(a, _ *Friction) FrictionCoefficients { return a.FrictionCoefficients },
		}}
		rough, _ := s.AddFriction(Friction{FrictionCoefficients: FrictionCoefficients{Static: 0.5, Dynamic: 0.4}})
		m := Material{Layers: 1, Mask: 1, Restitution: 0.3, FrictionID: rough}
		s.SetSurface(s.AddSurface(), Surface{Shape: statics.Shape{Mesh: mesh}, Material: m})
		var ids []int32
		for k := range 500 {
			id := s.Add()
			x := collide.Vec3{X: 1 + float64(k%21), Y: 0.55 + 0.001*float64(k%7), Z: 1 + float64(k/21%21)}
			if k >= 441 {
				x.Y = 1.2
			}
			s.Set(id, State{x, collide.Vec3{X: 0.3 * math.Sin(float64(k)), Z: 0.2}}, 0.3, 1, Dynamic, m)
			ids = append(ids, id)
		}
		for range 240 {
			for _, id := range ids { // as package systems does
				s.Set(id, s.State(id), 0.3, 1, Dynamic, m)
				s.Accelerate(id, collide.Vec3{Y: -9.81})
			}
			s.Begin()
			s.Sweep()
			s.Finish()
			if s.chunksLoops {
				shared++
			}
			impacts += s.Counts.Impacts
		}
		for _, id := range ids {
			states = append(states, s.State(id))
		}
		return states, shared, impacts
	}
	want, shared, impacts := run(1)
	if shared > 0 || impacts < 500 {
		t.Fatalf("one worker shared %d steps; %d impacts", shared, impacts)
	}
	for _, workers := range []int{2, 5} {
		got, shared, _ := run(workers)
		if shared < 16 {
			t.Errorf("%d workers shared %d steps", workers, shared)
		}
		for k := range want {
			if !got[k].Position.SameBits(want[k].Position) || !got[k].Velocity.SameBits(want[k].Velocity) {
				t.Fatalf("%d workers: body %d is %v, want %v", workers, k, got[k], want[k])
			}
		}
	}
}
