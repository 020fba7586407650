// Package statics holds the shapes that no impact moves: planes and polygons, at rest or at a
// constant velocity. It answers what a moving sphere meets first, what is near, and how far a
// sphere is from a shape at a time of the step.
//
// It knows no bodies and no materials. Whether a body may meet a surface at all is asked of the
// caller (see [Set.First]).
//
// Read shape.go first: what a surface is, and all that depends on its shape. set.go keeps the
// surfaces of a world and the tree of those that have bounds. first.go finds the first impact,
// freebox.go spares most bodies from asking; near.go answers the other questions.
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
// A shape with bounds is found through the tree without further ado. Shapes without bounds, as
// planes are, need a list of their own in [Set] that first.go and near.go go through.
// TestEveryKindOfShape holds each kind against what must be true of all: add the new kind to its
// list.
package statics
