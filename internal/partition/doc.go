// Package partition divides space into boxes, one for each part of a step that is computed in
// parallel, and finds the boxes that a body is in or near.
//
// The boxes are the leaves of a k-d tree. They fill all of space and don't overlap.
//
// Read partition.go from top to bottom; box.go has the geometry of one box.
package partition
