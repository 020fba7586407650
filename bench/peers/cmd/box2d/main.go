// Box2d runs a 2D scene through the Go port of Box2D 2.4.
// README.md of bench/peers says why the settings are what they are.
package main

import (
	"math"

	"github.com/ByteArena/box2d"
	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/bench/peers/internal/runner"
)

// unit is the length of Box2D's unit of time, in seconds. Box2D has a constant restitution
// threshold of one metre per unit of time; a long unit makes that 1 mm/s.
const unit = 1000.0

type world struct {
	world  box2d.B2World
	bodies []*box2d.B2Body
	dt     float64 // in units
}

func main() {
	modes := []string{"ccd", "bullets"}
	runner.Main("box2d", "github.com/ByteArena/box2d", modes, func(mode string, s *scene.Scene) runner.Engine {
		return build(s, mode == "bullets")
	})
}

func build(s *scene.Scene, bullets bool) *world {
	w := &world{
		world: box2d.MakeB2World(box2d.MakeB2Vec2(s.Gravity.X*unit*unit, s.Gravity.Y*unit*unit)),
		dt:    s.StepSeconds / unit,
	}
	w.world.SetAllowSleeping(false)

	x, y := s.Half.X, s.Half.Y
	walls := w.world.CreateBody(box2d.NewB2BodyDef())
	// Of the two restitutions of a pair Box2D takes the larger, of the frictions the geometric
	// mean.
	surface := func(body *box2d.B2Body, shape box2d.B2ShapeInterface, density float64) {
		fixture := box2d.MakeB2FixtureDef()
		fixture.Shape = shape
		fixture.Density = density
		fixture.Restitution = s.Restitution
		fixture.Friction = s.Friction
		body.CreateFixtureFromDef(&fixture)
	}
	wall := func(x1, y1, x2, y2 float64) {
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.MakeB2Vec2(x1, y1), box2d.MakeB2Vec2(x2, y2))
		surface(walls, &edge, 0)
	}
	wall(-x, -3*y, -x, 3*y)
	wall(x, -3*y, x, 3*y)
	wall(-3*x, -y, 3*x, -y)
	if !s.OpenTop {
		wall(-3*x, y, 3*x, y)
	}
	for _, b := range s.Spheres {
		def := box2d.MakeB2BodyDef()
		def.Type = box2d.B2BodyType.B2_dynamicBody
		def.Position = box2d.MakeB2Vec2(b.Position.X, b.Position.Y)
		def.LinearVelocity = box2d.MakeB2Vec2(b.Velocity.X*unit, b.Velocity.Y*unit)
		def.FixedRotation = true // circles of a scene don't rotate
		def.AllowSleep = false
		def.Bullet = bullets
		body := w.world.CreateBody(&def)
		circle := box2d.MakeB2CircleShape()
		circle.SetRadius(b.Radius)
		surface(body, &circle, b.Mass/(math.Pi*b.Radius*b.Radius))
		w.bodies = append(w.bodies, body)
	}
	return w
}

// Step takes as many iterations as the manual of Box2D suggests.
func (w *world) Step() { w.world.Step(w.dt, 8, 3) }

func (w *world) Motion(i int) runner.Motion {
	p, v := w.bodies[i].GetPosition(), w.bodies[i].GetLinearVelocity()
	return runner.Motion{X: p.X, Y: p.Y, VX: v.X / unit, VY: v.Y / unit}
}
