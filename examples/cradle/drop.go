package cradle

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The drop: two balls that touch, the lower with three times the mass of the upper. The lower hits
// the floor at speed v, and then, rising at v, the upper. With masses 3:1 that stops the lower ball
// and sends the upper one up at 2v, to four times its height.
const (
	heavyMass   = 3.0
	heavyRadius = 0.072
	lightRadius = 0.050 // of the same density: the cube root of 1/3
	lightRest   = 2*heavyRadius + lightRadius
	dropHeight  = 0.25 // metres

	// Within a step bodies move in straight lines, and here two impacts follow each other at once.
	// The shorter the step, the closer the height is to 4.
	dropSteps = 16 // a tick
)

// drop is the two balls.
type drop struct {
	world        donburi.World
	physics      *systems.Physics
	heavy, light *donburi.Entry
	height       float64 // metres from which they fall
	rising       bool    // the lower ball has hit the floor
	drops        int     // before this one
	highest      float64 // largest height of the upper ball, as a multiple of height
}

// newDrop creates the two balls at a height.
func newDrop(height float64) *drop {
	d := &drop{world: donburi.NewWorld(), height: height}
	d.physics = systems.NewPhysics(systems.Config{
		Gravity: collide.Vec3{Y: -gravity}, StepSeconds: 1.0 / 60 / dropSteps,
	})
	components.CreatePlane(d.world, collide.Vec3{}, collide.Vec3{Y: 1})
	ball := func(y, radius, mass float64) *donburi.Entry {
		e := components.CreateBall(d.world, collide.Vec3{Y: y}, radius)
		components.Body.SetValue(e, components.BodyData{Mass: mass})
		// The floor has no Material, so that of the balls counts.
		components.Material.SetValue(e, components.MaterialData{Restitution: 1})
		return e
	}
	d.heavy = ball(height+heavyRadius, heavyRadius, heavyMass)
	d.light = ball(height+lightRest, lightRadius, 1)
	return d
}

// step runs n steps.
func (d *drop) step(n int) {
	for range n {
		d.physics.Step(d.world)
	}
	d.highest = max(d.highest, d.apex())
	// The upper ball comes back at 2v. After that impact both rise at v, one above the other, to
	// their initial height, where they are dropped again.
	if _, v := state(d.heavy, heavyRadius); v > 0 {
		d.rising = true
	} else if y, _ := state(d.heavy, heavyRadius); d.rising && y > d.height/2 {
		again := newDrop(d.height)
		again.drops, again.highest = d.drops+1, d.highest
		*d = *again
	}
}

// state returns the height of a ball above its position on the floor, and its upward speed.
func state(e *donburi.Entry, rest float64) (y, v float64) {
	return components.Transform.Get(e).Position.Y - rest, components.Velocity.Get(e).Linear.Y
}

// apex returns the height that the upper ball will reach, as a multiple of the height from which it
// fell.
func (d *drop) apex() float64 {
	y, v := state(d.light, lightRest)
	return (y + v*v/(2*gravity)) / d.height
}
