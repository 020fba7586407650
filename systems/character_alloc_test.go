package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

func TestCharactersDontAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	s := newCharacterScene()
	s.quad(0, 50)
	s.quad(0.3, 3)
	for i := range 10 {
		_, c := s.character(collide.Vec3{X: float64(i) * 1.1, Y: 0.1})
		c.DesiredVelocity = collide.Vec3{X: -2, Z: 0.3 * float64(i%3)}
		components.CreateBall(s.world, collide.Vec3{X: float64(i) * 1.1, Y: 2.5, Z: 1}, 0.2)
	}
	for i := range 5 {
		s.pushed(-2-1.5*float64(i), 0)
	}
	s.steps(100)
	if n := testing.AllocsPerRun(100, func() { s.physics.Step(s.world) }); n > 0 {
		t.Errorf("%v allocations in a step", n)
	}
}

// Characters that walk far need other triangles of a mesh now and then.
func TestCharactersThatWalkOverAMeshDontAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	const side = 64
	var corners []collide.Vec3
	var triangles []uint32
	for i := range side {
		for j := range side {
			corners = append(corners, collide.Vec3{X: float64(i), Y: 0.1 * float64((i*j)%5), Z: float64(j)})
			if at := uint32(i*side + j); i < side-1 && j < side-1 {
				triangles = append(triangles, at, at+1, at+side, at+side, at+1, at+side+1)
			}
		}
	}
	mesh, err := collide.NewMesh(corners, triangles, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := newCharacterScene()
	components.CreateMesh(s.world, collide.Vec3{}, mesh)
	for i := range 10 {
		_, c := s.character(collide.Vec3{X: 5, Y: 0.5, Z: 5 + 5*float64(i)})
		c.DesiredVelocity = collide.Vec3{X: 4}
	}
	s.steps(60)
	if n := testing.AllocsPerRun(1, func() { s.steps(300) }); n > 0 {
		t.Errorf("%v allocations in 300 steps", n)
	}
}
