package systems_test

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// savedThing is what a save has of an entity. Pointers are nil for components that it doesn't have.
type savedThing struct {
	Entity    donburi.Entity // in the world that was saved
	Transform components.TransformData
	Velocity  *components.VelocityData
	Group     *components.KinematicGroupData
	Character *components.CharacterControllerData
}

// makeThing creates an entity of the game. The saved one says which kind it is.
func makeThing(w donburi.World, t *savedThing) *donburi.Entry {
	switch {
	case t.Character != nil:
		return components.CreateCharacter(w, collide.Vec3{}, 0.3, 1.8)
	case t.Group != nil:
		return components.CreateBox(w, collide.Vec3{}, collide.Vec3{X: 1, Y: 0.5, Z: 1}, components.KinematicGroup)
	}
	return w.Entry(w.Create(components.Transform, components.Velocity)) // the leader of a group
}

// componentOf returns a component of an entity, or nil if it has none.
func componentOf[T any](e *donburi.Entry, c *donburi.ComponentType[T]) *T {
	if !e.HasComponent(c) {
		return nil
	}
	return c.Get(e)
}

// A lift of two boxes and a character on it are saved, and go on in another world. Leader and
// GroundEntity name entities, which have other names there. The guide says more:
// docs/guide/saving.md.
func Example_saveAndLoad() {
	world := donburi.NewWorld()
	physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	leader := makeThing(world, &savedThing{})
	components.Velocity.Get(leader).Linear = collide.Vec3{X: 1, Y: 0.5}
	for _, x := range []float64{-1, 1} {
		box := makeThing(world, &savedThing{Group: &components.KinematicGroupData{}})
		components.Transform.Get(box).Position.X = x
		components.KinematicGroup.Get(box).Leader = leader.Entity()
	}
	hero := makeThing(world, &savedThing{Character: &components.CharacterControllerData{}})
	components.Transform.Get(hero).Position.Y = 1.4
	for range 60 {
		physics.Step(world)
	}

	var things []savedThing
	for e := range donburi.NewQuery(filter.Contains(components.Transform)).Iter(world) {
		things = append(things, savedThing{
			e.Entity(), *components.Transform.Get(e), componentOf(e, components.Velocity),
			componentOf(e, components.KinematicGroup), componentOf(e, components.CharacterController),
		})
	}
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(things); err != nil {
		fmt.Println(err)
	}

	var loaded []savedThing
	if err := gob.NewDecoder(&file).Decode(&loaded); err != nil {
		fmt.Println(err)
	}
	next := donburi.NewWorld()
	next.Create(components.Transform) // so that entities have other names
	names := map[donburi.Entity]donburi.Entity{}
	for k := range loaded {
		names[loaded[k].Entity] = makeThing(next, &loaded[k]).Entity()
	}
	for _, t := range loaded {
		e := next.Entry(names[t.Entity])
		components.Transform.SetValue(e, t.Transform)
		if t.Velocity != nil {
			components.Velocity.SetValue(e, *t.Velocity)
		}
		if t.Group != nil {
			components.KinematicGroup.SetValue(e, components.KinematicGroupData{Leader: names[t.Group.Leader]})
		}
		if t.Character != nil {
			t.Character.State.GroundEntity = names[t.Character.State.GroundEntity]
			components.CharacterController.SetValue(e, *t.Character)
			hero = e
		}
	}
	physics = systems.NewPhysics(systems.Config{Gravity: physics.Gravity()})
	for range 60 {
		physics.Step(next)
	}
	at := components.Transform.Get(hero).Position
	fmt.Printf("at %.2f, %.2f, on ground: %v\n", at.X, at.Y, components.CharacterController.Get(hero).OnGround())
	// Output: at 2.00, 2.40, on ground: true
}
