package main

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The drop: a ball of three times the mass below, and the two touch. The lower meets the floor at
// speed v and then, coming back at v, the upper. Of masses 3:1 that stops the lower and sends the
// upper up at 2v: four times as high as it was.
const (
	heavyMass   = 3.0
	heavyRadius = 0.072
	lightRadius = 0.050 // of the same stuff: the cube root of 1/3
	lightRest   = 2*heavyRadius + lightRadius
	dropHeight  = 0.25 // metres

	// Within a step flight is straight, and here two impacts follow each other in no time: the
	// shorter the step, the nearer to 4 they come.
	dropSteps = 16 // a tick
)

// drop is the two balls.
type drop struct {
	world        donburi.World
	physics      *systems.Physics
	heavy, light *donburi.Entry
	height       float64 // metres that they fell from
	rising       bool    // the lower has been on the floor
	drops        int     // before this one
	highest      float64 // how high the upper flew, as a part of height
}

// newDrop holds the two at a height, ready to fall.
func newDrop(height float64) *drop {
	d := &drop{world: donburi.NewWorld(), height: height}
	d.physics = systems.NewPhysics(systems.Config{
		Gravity: collide.Vec3{Y: -gravity}, StepSeconds: 1.0 / 60 / dropSteps,
	})
	components.CreatePlane(d.world, collide.Vec3{}, collide.Vec3{Y: 1})
	ball := func(y, radius, mass float64) *donburi.Entry {
		e := components.CreateBall(d.world, collide.Vec3{Y: y}, radius)
		components.Body.SetValue(e, components.BodyData{Mass: mass})
		components.Material.SetValue(e, components.MaterialData{Restitution: 1}) // the floor has none: the balls decide
		return e
	}
	d.heavy = ball(height+heavyRadius, heavyRadius, heavyMass)
	d.light = ball(height+lightRest, lightRadius, 1)
	return d
}

// step plays one tick.
func (d *drop) step() {
	for range dropSteps {
		d.physics.Step(d.world)
	}
	d.highest = max(d.highest, d.apex())
	// The upper comes back at 2v, and then both rise at v, side by side, to where they were: there
	// they are caught and dropped again.
	if _, v := state(d.heavy, heavyRadius); v > 0 {
		d.rising = true
	} else if y, _ := state(d.heavy, heavyRadius); d.rising && y > d.height/2 {
		again := newDrop(d.height)
		again.drops, again.highest = d.drops+1, d.highest
		*d = *again
	}
}

// state returns how high above its place on the floor a ball is, and how fast it rises.
func state(e *donburi.Entry, rest float64) (y, v float64) {
	return components.Transform.Get(e).Position.Y - rest, components.Velocity.Get(e).Linear.Y
}

// apex returns how high the upper ball would get if nothing stopped it, as a part of what it fell.
func (d *drop) apex() float64 {
	y, v := state(d.light, lightRest)
	return (y + v*v/(2*gravity)) / d.height
}
