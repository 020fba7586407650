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
// A game may add systems of its own between the three: look at [Physics.Candidates] and
// [Physics.FirstImpacts], and keep pairs from meeting with [Physics.Veto]. It may create, change
// and remove entities at any time. What it sets between Broadphase and Response stays as it set it;
// the step itself goes on with what Broadphase read. A stage called out of order runs the stages
// that it lacks, and a stage that has run already doesn't run twice.
//
// # Events
//
// After a step [Physics.Impacts], [Physics.ContactBegins] and [Physics.ContactEnds] say what
// happened in it, and when; [Physics.Touching] and [Physics.Contacts] say what touches now. Polling
// needs nothing and allocates nothing. Where [Config.Publish] asks for it, the same events go to
// Donburi's event buses. Every contact that begins also ends, once and under the same two names,
// even where an entity has been removed or its components have changed.
//
// # Queries
//
// [Physics.RayCast], [Physics.SphereCast], [Physics.OverlapSphere] and their like see the world as
// the last step left it. What the game has created, moved or removed since is seen after the next
// step or after [Physics.Sync]. Before the first of either there is nothing to see. A query with a
// number that is not finite, a negative radius or distance, or no direction finds nothing; only the
// distance of a cast may be infinite.
//
// # Mistakes
//
// An entity with a value that physics cannot work with is left out, untouched, until it is mended,
// and [Physics.Errors] names it. All others move exactly as if it weren't there.
//
// # Friction, spin and rest
//
// Friction acts where the [components.Material] of one side of a contact has it. It turns spheres
// that have a [components.AngularVelocity], so that they roll; others slide under it. Steps
// integrate the rotation of what turns into its Transform.
//
// Bodies at rest fall asleep, unless [Config.NoSleeping] or their Body forbids it. A sleeping body
// costs next to nothing until something touches it or the game changes it. Until then results have
// the same bits as without sleep; after that the last digits may differ. [Physics.Asleep] reports
// whether a body sleeps. The speed below which bodies may come to rest scales with
// [Config.LengthUnit], the number of the world's units in a metre.
//
// What is kinematic, spheres as well as planes and polygons, moves at its Velocity through
// everything that is kinematic or static, and what is dynamic gives way. A pile that takes more
// than a step's work to set in motion slows it down for the step, and what can't give way stops it:
// both count in [Stats]. [Physics.Crushed] tells what it was stopped by. A plane or polygon that
// the game puts elsewhere or turns jumps there, into what is in its place, which is moved out
// little by little as far as it has room: turn gravity instead of a bin.
//
// # Two dimensions
//
// A flat game uses the plane z = 0: circles are spheres, walls are planes whose normals lie in it.
// Nothing pushes a circle out of the plane unless something leans or lies outside of it; a
// [components.BodyData] that locks AxisZ stays in it for good, and turns in it only. Games that
// keep positions in Donburi's features/transform set [Config.Transform2D].
//
// # Donburi
//
// In Donburi 1.15.7 World.Create panics for an archetype whose first entity came by AddComponent or
// RemoveComponent. Where a game adds components to entities that it also creates whole, it should
// create a whole one first.
package systems
