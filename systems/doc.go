// Package systems runs dango's physics in a Donburi world.
//
// [NewPhysics] makes the physics of one world. Its three stages are ordinary ECS systems:
// [Physics.Broadphase] reads the entities and finds candidate pairs, [Physics.Sweep] predicts their
// first impacts, and [Physics.Response] solves contacts, resolves all impacts in chronological
// order, and writes the entities back. [Physics.AddTo] adds all three to an ecs.ECS; [Physics.Step]
// runs all three on a plain World. One call is one fixed step of [Config.StepSeconds].
//
// # Between the systems
//
// A game may add its own systems between the three. They may read [Physics.Candidates] and
// [Physics.FirstImpacts], prevent contacts with [Physics.Veto], and create, change and remove
// entities. Values that they set between Broadphase and Response are not overwritten; the step
// itself continues with what Broadphase read. A system called out of order first runs those before
// it. Sweep does nothing if it has already run in the step.
//
// # Events
//
// After a step [Physics.Impacts], [Physics.ContactBegins] and [Physics.ContactEnds] return what
// happened in it, with times. [Physics.Touching] and [Physics.Contacts] return what touches now.
// These methods need no setting, and iterating allocates nothing or little. Events in
// [Config.Publish] also go to Donburi's event buses. Every contact that begins also ends, once and
// with the same two entities, even if an entity has been removed or its components have changed.
//
// # Queries
//
// [Physics.RayCast], [Physics.SphereCast], [Physics.OverlapSphere] and the other queries use the
// world as the last step left it. They find what the game has created, moved or removed since only
// after the next step or [Physics.Sync], and nothing before the first of either. A query with a
// number that is not finite, a negative radius or distance, or a direction of length 0 finds
// nothing. Only the distance of a cast may be infinite.
//
// # Errors
//
// An entity with an invalid value takes no part in steps, and is not changed, until the value is
// valid. [Physics.Errors] reports it. All other entities move exactly as if it did not exist. With
// an error of its [components.Motor] or [components.CharacterController] alone, it takes part as
// what it is without that component, and a motor stands.
//
// # Friction, spin and rest
//
// Friction acts if the [components.Material] of one side of a contact has it. It rotates spheres
// that have a [components.AngularVelocity], so that they roll; others slide. Steps integrate the
// rotation into the Transform.
//
// Bodies at rest fall asleep, unless [Config.NoSleeping] or their Body forbids it. A sleeping body
// costs next to nothing until something touches it or the game changes it. Results are
// deterministic, and those without sleep differ from them only as [Config.NoSleeping] says.
// [Physics.Asleep] reports whether a body sleeps. The speed below which
// bodies may come to rest scales with [Config.LengthUnit], the number of the world's units in a
// metre.
//
// Spheres and dynamic shapes are called bodies, all other colliders surfaces: no impact moves a
// surface. Kinematic spheres and surfaces move at their Velocity, through everything that is
// kinematic or static, and push dynamic bodies away. What pushes into a heap slows to the speed at
// which the heap can yield within the step, and stops at bodies that can't yield: [Physics.Crushed]
// returns those. Blocked of [Stats] counts what was slowed or stopped. The members of a
// [components.KinematicGroup] move, slow down and stop as one.
//
// A surface whose Transform the game changes jumps there. Bodies that then overlap it are moved out
// over several steps, as far as there is room; so to tilt a bin of bodies, turn gravity instead,
// with [Physics.SetGravity].
//
// # Two dimensions
//
// A flat game uses the plane z = 0: circles are spheres, walls are planes with normals in that
// plane, and points and vectors are those of collide.Vec2. Y may point up or down: only Gravity and
// the normals of planes depend on it. Nothing pushes a circle out of the plane unless a surface is
// tilted or something lies outside of it. A [components.BodyData] that locks AxisZ never leaves the
// plane, and rotates in it only. Games that keep positions in Donburi's features/transform set
// [Config.Transform2D].
//
// # Donburi
//
// In Donburi 1.15.7 World.Create panics for an archetype whose first entity was made by
// AddComponent or RemoveComponent. If a game creates entities both ways, it should first create one
// with World.Create. The functions of package components that create entities avoid the panic.
//
// # Files
//
// physics.go has Config, the systems and Advance; then read events.go, query.go with
// query_shape.go, query_batch.go and query_overlap_batch.go, inspect.go (between the systems),
// gravity.go, rule.go, errors.go, check.go, check_effect.go, debug.go and stats.go. character.go,
// character_world.go, character_others.go and character_sensor.go move characters,
// character_hits.go gives them their part of impacts, character_pushes.go lets them act on what
// they stand on and walk against, character_carry.go moves those on kinematic ground with it,
// character_riders.go and character_loads.go move what they stand on, and motor.go has motors.
// Entities are read and written in internal/bridge.
package systems
