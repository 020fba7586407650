// Package character moves a character through a world that it knows only by casts: it walks, climbs
// slopes and steps, jumps, falls, slides along walls, and rides on what moves. It is the mover of
// components.CharacterController and needs no ECS.
//
// Read the files in this order:
//
//   - character.go: Settings, Input, State, and World, through which a character sees obstacles
//   - step.go: one step of a character
//   - walk.go: movement on the ground and in the air, contact by contact
//   - climb.go: steps of stairs
//   - front.go: steps whose front is inclined
//   - ground.go: what counts as ground, and snapping to it
//   - shape.go: the shapes that a character can have
package character
