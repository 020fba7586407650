// Package components holds dango's Donburi components: plain data that a game attaches to its
// entities, and that the systems of package systems read and write.
//
// What an entity carries decides what it is. A collider without a [Velocity] is static; with one it is
// dynamic, unless its [Body] says kinematic. Everything else has a default: without a [Body] the mass
// is 1 kg, without a [Material] the other side of a contact decides restitution and friction, without a
// [CollisionFilter] it collides with everything, and without an [AngularVelocity] a sphere doesn't turn. An
// entity has one collider at most, and every collider needs a [Transform].
//
// Each component is a pair: XData is the struct, X its Donburi type. Data is plain; Validate reports
// every field that the systems cannot work with. The systems call it where data enters a step, so a
// game need not.
package components
