package main

import (
	"fmt"
	"math"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// rolled is what became of the spheres that roll down the level.
type rolled struct {
	millis  float64 // median time of a step, ms
	deepest float64 // of all spheres, in radii
	lost    int     // spheres below the level
	moved   float64 // mean way of a sphere, m
}

// rollSteps is how long spheres roll: 10 s.
const rollSteps = 600

// roll lets spheres roll down the level for ten seconds, with so many workers, and finds how deep
// one was in it in any tenth step.
func roll(m *collide.Mesh, centers []vec, workers int) rolled {
	w := donburi.NewWorld()
	components.CreateMesh(w, vec{}, m, components.Constant)
	var balls []*donburi.Entry
	for _, c := range centers {
		e := components.CreateBall(w, c, castRadius, components.AngularVelocity)
		components.Material.Get(e).Friction = 0.5
		balls = append(balls, e)
	}
	p := systems.NewPhysics(systems.Config{Gravity: vec{Y: -9.81}, Workers: workers})
	var r rolled
	var times []float64
	bottom := m.Bounds().Min.Y - 1
	for n := range rollSteps {
		start := time.Now()
		p.Step(w)
		times = append(times, time.Since(start).Seconds()*1e3)
		if n%10 > 0 {
			continue
		}
		for _, e := range balls {
			x := components.Transform.Get(e).Position
			q, _ := m.ClosestPoint(x)
			r.deepest = max(r.deepest, 1-x.Distance(q)/castRadius)
		}
	}
	for i, e := range balls {
		x := components.Transform.Get(e).Position
		if x.Y < bottom {
			r.lost++
		}
		r.moved += math.Sqrt(x.Sub(centers[i]).LengthSquared()) / float64(len(balls))
	}
	r.millis = median(times)
	return r
}

func (r rolled) print(spheres, workers int) {
	fmt.Printf("rolling         %.2f ms a step for %d spheres with %d workers, at most %.1e radii deep, %d lost, "+
		"%.1f m on average\n", r.millis, spheres, workers, r.deepest, r.lost, r.moved)
}
