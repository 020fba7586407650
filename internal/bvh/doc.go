// Package bvh finds which of very many boxes a moving box touches: a bounding volume hierarchy.
//
// Many new boxes make a new tree, by the surface area heuristic. A few are inserted into the
// existing tree and removed from it, as in Catto's "Dynamic Bounding Volume Hierarchies" (2019).
// The shape of the tree affects the order in which a [Search] finds items and the time it takes,
// but not which items it finds.
//
// Read tree.go (insert and remove), build.go (a new tree), search.go, and debug_on.go (checks of
// the debug build).
package bvh
