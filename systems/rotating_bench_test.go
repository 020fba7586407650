package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// BenchmarkRotatingWallsNearNothing measures steps of worlds in which walls rotate far from
// anything else. The difference between a hundred walls and none, divided by a hundred, is what one
// costs.
func BenchmarkRotatingWallsNearNothing(b *testing.B) {
	shapes := []struct {
		name  string
		parts func(at collide.Vec3) []any
	}{
		{"box", func(p collide.Vec3) []any {
			return []any{at(p.X, p.Y, p.Z), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 0.1, 0.5)}}}
		}},
		{"capsule", func(p collide.Vec3) []any {
			return []any{at(p.X, p.Y, p.Z), capsule(vec(1, 0, 0), 0.125)}
		}},
		{"polygon", func(p collide.Vec3) []any {
			return []any{at(p.X, p.Y, p.Z), square(1)}
		}},
	}
	for _, shape := range shapes {
		for _, n := range []int{0, 1, 100} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Workers: 1})
				for k := range n {
					parts := shape.parts(vec(float64(4*(k%10)), 0, float64(4*(k/10))))
					spawn(w, append(parts, moving(0, 0, 0), about(vec(0, 2, 0), vec(-1, 0, 0)))...)
				}
				spawn(w, at(0, 100, 0), moving(0, 0.01, 0), components.SphereColliderData{Radius: 0.5})
				for range 20 {
					p.Step(w)
				}
				for b.Loop() {
					p.Step(w)
				}
				if p.Stats().Errors > 0 {
					b.Fatal("entities left out")
				}
			})
		}
	}
}

// BenchmarkAFlipperAtWork measures steps in which a flipper strikes a ball in a narrow box over and
// over. The difference between a flipper that works and one that is at rest, divided by the hits in
// a step, is what a hit costs with all that follows from it.
func BenchmarkAFlipperAtWork(b *testing.B) {
	for _, works := range []bool{false, true} {
		b.Run(fmt.Sprintf("works=%v", works), func(b *testing.B) {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: 1})
			motor := components.MotorData{High: 1, Speed: 40, ReturnSpeed: 20, On: works, Swing: works}
			flipper := spawn(w, at(0, 0, 0), moving(0, 0, 0), capsule(vec(0.04, 0, 0), 0.01), bouncy(0.5), motor,
				about(vec(0, 0, 0), vec(-0.04, 0, 0)))
			for _, n := range []collide.Vec3{vec(1, 0, 0), vec(-1, 0, 0), vec(0, 1, 0), vec(0, -1, 0)} {
				wall(w, n.Scale(-0.07), n, bouncy(0.5))
			}
			ball(w, vec(0.02, 0.05, 0), vec(0, 0, 0), 0.0135, bouncy(0.5),
				components.BodyData{Locked: components.AxisZ})
			impacts, n := 0, 0
			for b.Loop() {
				p.Step(w)
				for hit := range p.Impacts() {
					if hit.B == flipper.Entity() {
						impacts++
					}
				}
				n++
			}
			b.ReportMetric(float64(impacts)/float64(n), "hits/step")
		})
	}
}
