// Package convex finds contacts of convex shapes that keep their orientation: boxes, hulls,
// capsules and balls that move, and what they meet.
//
// Read shape.go first, which has the shapes, then pair.go: two shapes that do not rotate are a
// point, the position of one relative to the other, and an obstacle that never changes, the
// Minkowski sum. All questions about the two are questions about that point. cache.go keeps pairs
// that are asked for again.
package convex
