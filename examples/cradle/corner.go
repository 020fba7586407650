package cradle

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The corner: two walls at a right angle, and a ball that hits both at the same time. Each wall
// reverses one component of the velocity, so the ball goes back on its line. A third wall across
// the line sends it into the corner again.
const (
	shotRadius = 0.07 // metres
	shotSpeed  = 1.6  // m/s
	cornerSize = 1.0  // metres of wall that are drawn

	cornerSteps = 16 // a tick
)

// corner is the ball and its walls.
type corner struct {
	world   donburi.World
	physics *systems.Physics
	ball    *donburi.Entry
	from    collide.Vec3 // initial position
	way     collide.Vec3 // direction into the corner, of length 1
	visits  int          // number of impacts with the corner
	astray  float64      // metres; largest distance from its line
}

// newCorner creates the ball and shoots it into the corner.
func newCorner(from collide.Vec3) *corner {
	c := &corner{world: donburi.NewWorld(), from: from}
	c.physics = systems.NewPhysics(systems.Config{StepSeconds: 1.0 / 60 / cornerSteps})
	c.way, _ = collide.Vec3{X: shotRadius, Y: shotRadius}.Sub(from).Normalized()
	components.CreatePlane(c.world, collide.Vec3{}, collide.Vec3{X: 1})
	components.CreatePlane(c.world, collide.Vec3{}, collide.Vec3{Y: 1})
	components.CreatePlane(c.world, from.AddScaled(-shotRadius, c.way), c.way)
	c.ball = components.CreateBall(c.world, from, shotRadius)
	components.Material.SetValue(c.ball, components.MaterialData{Restitution: 1})
	components.Velocity.Get(c.ball).Linear = c.way.Scale(shotSpeed)
	return c
}

// at returns the position of the ball.
func (c *corner) at() collide.Vec3 { return components.Transform.Get(c.ball).Position }

// velocity returns the velocity of the ball.
func (c *corner) velocity() collide.Vec3 { return components.Velocity.Get(c.ball).Linear }

// step runs n steps.
func (c *corner) step(n int) {
	before := c.velocity().Dot(c.way)
	for range n {
		c.physics.Step(c.world)
	}
	if before > 0 && c.velocity().Dot(c.way) < 0 {
		c.visits++
	}
	c.astray = max(c.astray, c.at().Sub(c.from).Cross(c.way).Length())
}
