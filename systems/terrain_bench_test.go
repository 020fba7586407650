package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// terrain creates hills of 64 by 64 cells of the given size around the origin, as a height field or
// as a mesh of the same triangles.
func (s *characterScene) terrain(tb testing.TB, cell float64, asMesh bool) {
	const n = 65
	origin := collide.Vec3{X: -cell * (n - 1) / 2, Z: -cell * (n - 1) / 2}
	heights := make([]float64, n*n)
	vertices := make([]collide.Vec3, n*n)
	var indices []uint32
	for i := range n {
		for j := range n {
			x, z := origin.X+float64(i)*cell, origin.Z+float64(j)*cell
			h := 0.6*math.Sin(0.4*x)*math.Cos(0.3*z) + 0.1*math.Sin(1.7*x+z)
			heights[i*n+j], vertices[i*n+j] = h, collide.Vec3{X: x, Y: h, Z: z}
			if i > 0 && j > 0 {
				a, b, c, d := uint32((i-1)*n+j-1), uint32((i-1)*n+j), uint32(i*n+j-1), uint32(i*n+j)
				indices = append(indices, a, b, c, d, c, b)
			}
		}
	}
	if asMesh {
		m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{})
		if err != nil {
			tb.Fatal(err)
		}
		components.CreateMesh(s.world, collide.Vec3{}, m)
		return
	}
	f, err := collide.NewHeightField(origin, cell, cell, n, heights)
	if err != nil {
		tb.Fatal(err)
	}
	components.CreateHeightField(s.world, collide.Vec3{}, f)
}

func BenchmarkCharactersOnTerrain(b *testing.B) {
	const n = 100
	for name, asMesh := range map[string]bool{"field": false, "mesh": true} {
		b.Run(name, func(b *testing.B) {
			s := newCharacterScene()
			s.terrain(b, 1, asMesh)
			var all []*components.CharacterControllerData
			for i := range n {
				_, c := s.character(collide.Vec3{X: float64(i%10)*4 - 18, Y: 2, Z: float64(i/10)*4 - 18})
				all = append(all, c)
			}
			s.steps(60)
			tick := 0
			for b.Loop() {
				for i, c := range all {
					angle := float64(tick)*0.02 + float64(i)
					c.DesiredVelocity = collide.Vec3{X: 3 * math.Cos(angle), Z: 3 * math.Sin(angle)}
				}
				tick++
				s.steps(1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/character")
		})
	}
}

func BenchmarkBodiesOnTerrain(b *testing.B) {
	const n = 100
	for _, what := range []string{"ball", "crate"} {
		for name, asMesh := range map[string]bool{"field": false, "mesh": true} {
			b.Run(what+"/"+name, func(b *testing.B) {
				s := newCharacterScene()
				s.terrain(b, 1, asMesh)
				var all []*components.VelocityData
				for i := range n {
					at := collide.Vec3{X: float64(i%10)*4 - 18, Y: 2, Z: float64(i/10)*4 - 18}
					var e *donburi.Entry
					if what == "crate" {
						e = components.CreateCrate(s.world, at, collide.Vec3{X: 0.4, Y: 0.4, Z: 0.4})
					} else {
						e = components.CreateBall(s.world, at, 0.4)
					}
					all = append(all, components.Velocity.Get(e))
				}
				s.steps(200)
				tick := 0
				for b.Loop() {
					for i, v := range all {
						angle := float64(tick)*0.02 + float64(i)
						v.Linear.X, v.Linear.Z = 3*math.Cos(angle), 3*math.Sin(angle)
					}
					tick++
					s.steps(1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/body")
			})
		}
	}
}
