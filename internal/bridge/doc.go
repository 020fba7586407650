// Package bridge copies the components of a Donburi world into the solver, and the solver's
// results back into the components.
//
// Files, in the order in which to read them: bridge.go (the interface), registry.go (entities and
// their bodies), storage.go (Donburi's storage as columns), gather.go (reading, and the slow path
// of rows that are new or changed), friction.go and combine.go (materials), gravity.go,
// fastpath.go, compare.go and profile.go (rows in which only the motion has changed), rowcache.go
// (blocks in which nothing has changed), surfacesource.go, shapes.go and rotating.go (surfaces),
// shapebody.go (dynamic shapes), constant.go (entities that are read once), group.go (kinematic
// groups), spin.go, scatter.go (writing), parallel.go (several workers), interpolate.go,
// transform2d.go, and debug_on.go (checks of the debug build).
package bridge
