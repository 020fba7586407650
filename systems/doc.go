// Package systems runs dango's physics in a Donburi world.
//
// [NewPhysics] makes the physics of one world. Its three stages are ordinary ECS systems:
// [Physics.Broadphase] reads the entities and finds the pairs that could meet in this step,
// [Physics.Sweep] finds when each of them first touches, and [Physics.Response] takes the impacts in the order
// of time, bounces or slides what they meet, and writes the entities back. [Physics.AddTo] adds all three to an
// ecs.ECS; [Physics.Step] runs all three on a plain World. One call is one fixed step of
// [Config.StepSeconds].
package systems
