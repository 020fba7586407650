// Package components holds dango's Donburi components: plain data that a game attaches to its
// entities, and that the systems of package systems read and write.
//
// An entity takes part in a step if it has a [Transform] and exactly one collider: a
// [SphereCollider], a [PlaneCollider], a [PolygonCollider], a [CapsuleCollider] or a
// [ShapeCollider]. Without a [Velocity] it is static. With one, a sphere is dynamic, and so is a
// ShapeCollider that has a [Body], unless the Body sets another kind; anything else is kinematic.
// Spheres and dynamic shapes are called bodies, all other colliders surfaces. All other components
// are optional:
//
//   - without a [Body] the mass of a sphere is 1 kg
//   - without a [Material] the other side of a contact decides restitution and friction
//   - without a [CollisionFilter] the entity collides with everything
//   - without an [AngularVelocity] a sphere does not rotate
//   - with a [Constant] a static entity is read once, and costs nothing in a step
//   - with a [KinematicGroup] an entity is kinematic and moves with others
//   - with a [CharacterController] a kinematic capsule, sphere or box walks, jumps and climbs
//
// Each component is a pair: XData is the struct, X its Donburi type. Validate returns an error that
// names every invalid field. The systems call it when they read an entity, so a game does not have
// to. An entity with an invalid value is left out of the step until it is corrected, and
// Physics.Errors of package systems reports it.
//
// # Units
//
// The documentation uses metres, kilograms and seconds. A world may use any unit of length instead;
// LengthUnit of systems.Config then says how many of them make a metre.
//
// # Files
//
// body.go, character.go, collider.go, shape.go, group.go, material.go, motion.go and motor.go
// declare the components; factory.go, shape_factory.go and crate.go create entities with several of
// them; check.go reports invalid values.
package components
