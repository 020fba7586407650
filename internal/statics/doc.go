// Package statics holds the shapes that no impact moves, from planes to meshes, at rest, moving or
// rotating. It computes the first impact of a moving sphere or convex shape, distances and
// neighbours.
//
// It has no bodies and no materials. The caller decides which surfaces a body may collide with, in
// a function that it passes to [Set.First].
//
// Read shape.go first: what a surface is, and everything that depends on its shape. set.go keeps
// the surfaces of a world and the tree of those with bounds. first.go finds the first impact, and
// rotating.go has surfaces that rotate. freebox.go is a quick test that most bodies meet no plane.
// solid.go has boxes, hulls and cylinders, facet.go the triangles of meshes, and around.go those
// around a body. union.go makes what meets act as one surface. oneway.go finds the one-sided
// polygons that a body comes into from behind. convex.go has bodies that are no spheres,
// turningconvex.go those that meet what rotates, with the gaps in gapcache.go, and arc.go spheres
// on parabolas. query.go and cast.go have casts and distances of any convex shape, near.go all
// other searches, and debug_on.go the checks of the debug build.
//
// # Adding a shape
//
// The sections "A new shape" and "A new collider" of docs/architecture.md list all places that a
// new shape passes through. In this package they are a [Kind], a field in [Shape], a line in
// [Shape.Kind] (shape.go), isSolid (solid.go), and a case in each function that switches on
// f.Kind(). A case that is missing panics.
//
// The tree finds every shape with bounds. Shapes without bounds, like planes, need a list of their
// own in [Set], and a loop over it in first.go and near.go. TestEveryKindOfShape checks what must
// hold for all kinds: add the new kind to its list.
package statics
