// Package statics holds the shapes that no impact moves, planes and polygons at rest or at a
// constant velocity, and computes the first impact of a moving sphere, distances and neighbours.
//
// It has no bodies and no materials. The caller decides which surfaces a body may collide with, in
// a function that it passes to [Set.First].
//
// Read shape.go first: what a surface is, and everything that depends on its shape. set.go keeps
// the surfaces of a world and the tree of those with bounds. first.go finds the first impact, and
// freebox.go is a quick test that most bodies meet no plane. near.go has all other searches.
//
// # Adding a shape
//
// Everything that depends on a shape is in shape.go. A new kind of shape needs:
//
//   - a [Kind], a field in [Shape], and a line in [Shape.Kind]
//   - a case in each function of shape.go that switches on f.Kind(): derive (bounds, margin and
//     key), mayMeet (a quick test, which may always say yes), sweep, Separation, Cast,
//     OverlapsBox, and faces
//   - the exact time of impact, the closest point and the overlap with a box, in package
//     collide
//
// The tree finds shapes with bounds; nothing else needs a change. Shapes without bounds, like
// planes, need a list of their own in [Set], and a loop over it in first.go and near.go.
// TestEveryKindOfShape checks what must hold for all kinds: add the new kind to its list.
package statics
