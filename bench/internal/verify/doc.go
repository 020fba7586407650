// Package verify checks the result of a physics step from what a game can see: the states before
// and after the step, and the events. It imports the standard library only, so it shares no code
// with the solver, and a fault of one is not a fault of the other.
//
// Read thing.go (what it gets), check.go (the checks in order), path.go, geometry.go, solid.go and
// parts.go (the motion within a step, convex shapes, meshes and compounds), laws.go (laws of motion
// and of single impacts), conservation.go (energy and momentum), events.go (impacts and contacts),
// oracle.go (an event-driven engine for small scenes).
package verify
