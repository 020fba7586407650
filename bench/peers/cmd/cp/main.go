// Cp runs a 2D scene through cp, the Go port of Chipmunk.
// README.md of bench/peers says why the settings are what they are.
package main

import (
	"math"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
	"github.com/jakecoffman/cp/v2"
)

type world struct {
	space  *cp.Space
	bodies []*cp.Body
	dt     float64
}

func main() {
	modes := []string{"tree", "hash"}
	runner.Main("cp", "github.com/jakecoffman/cp/v2", modes, func(mode string, s *scene.Scene) runner.Engine {
		return build(s, mode == "hash")
	})
}

func build(s *scene.Scene, hash bool) *world {
	w := &world{space: cp.NewSpace(), dt: s.StepSeconds}
	w.space.SetGravity(cp.Vector{X: s.Gravity.X, Y: s.Gravity.Y})

	if hash {
		// The spatial hash is faster than the tree if all shapes have the same size and the hash is
		// tuned. These values were the fastest of cells 1 to 2 m wide and 3 to 30 cells for each
		// circle.
		w.space.UseSpatialHash(1.5, 10*len(s.Spheres))
	}

	// Chipmunk multiplies the two elasticities and frictions of a pair.
	surface := func(shape *cp.Shape) {
		shape.SetElasticity(math.Sqrt(s.Restitution))
		shape.SetFriction(math.Sqrt(s.Friction))
		w.space.AddShape(shape)
	}
	// The walls are segments, just thicker than the largest displacement in a step, because they
	// are in every cell that they touch.
	const thick = 3
	x, y := s.Half.X, s.Half.Y
	wall := func(x1, y1, x2, y2 float64) {
		surface(cp.NewSegment(w.space.StaticBody, cp.Vector{X: x1, Y: y1}, cp.Vector{X: x2, Y: y2}, thick))
	}
	wall(-x-thick, -y-thick, -x-thick, y+thick)
	wall(x+thick, -y-thick, x+thick, y+thick)
	wall(-x-thick, -y-thick, x+thick, -y-thick)
	if !s.OpenTop {
		wall(-x-thick, y+thick, x+thick, y+thick)
	}
	for _, b := range s.Spheres {
		body := w.space.AddBody(cp.NewBody(b.Mass, math.Inf(1))) // circles of a scene don't rotate
		body.SetPosition(cp.Vector{X: b.Position.X, Y: b.Position.Y})
		body.SetVelocity(b.Velocity.X, b.Velocity.Y)
		surface(cp.NewCircle(body, b.Radius, cp.Vector{}))
		w.bodies = append(w.bodies, body)
	}
	return w
}

func (w *world) Step() { w.space.Step(w.dt) }

func (w *world) Motion(i int) runner.Motion {
	p, v := w.bodies[i].Position(), w.bodies[i].Velocity()
	return runner.Motion{X: p.X, Y: p.Y, VX: v.X, VY: v.Y}
}
