// Package levels describes levels that are read from files, and creates their colliders. Packages
// levels/tiled, levels/ldtk and levels/gltf read the formats of Tiled, LDtk and glTF.
//
// A [Level] is a list of objects: the outlines of solid tiles, and everything that the file has
// drawn or placed. Objects with a [Kind] are colliders. All others, such as spawn points, are only
// listed, and the game decides what they are.
//
// # Which objects are colliders
//
// The property "collider" of an object says what it is: "solid", "oneway", "trigger" or "none".
// Without it, a class with one of these names says the same. Upper and lower case make no
// difference. Where neither is set, the object inherits from what it belongs to: a tile from its
// tileset and layer, an object from its layer, a node from its parent.
//
// Other properties set components of a collider, and are inherited in the same way:
//
//   - material: a name in [Options].Materials
//   - restitution, friction, staticFriction, rollingResistance, spinningResistance: numbers of
//     its [components.Material]
//   - layers, mask: bits of its [components.CollisionFilter]
//   - surfaceVelocityX, surfaceVelocityY, surfaceVelocityZ: its [components.SurfaceVelocity], in
//     the file's units a second
//   - kinematic: whether it has a [components.Velocity], so that it moves
//
// All properties stay in [ObjectData] for the game.
//
// Read level.go (what a level is), then create.go (its colliders).
package levels
