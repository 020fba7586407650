// Package collide computes collisions of moving shapes: vectors, shapes, the exact time at which
// two moving shapes first touch (a sweep), and the velocity after the contact. It needs no ECS,
// display or clock, and imports the standard library only. No function allocates, except the
// constructors of polygons.
//
// Lengths are in metres, times in seconds and masses in kilograms; any other consistent set of
// units works as well. Coordinates are right-handed. A 2D game uses the plane z = 0: circles are
// spheres, and walls are planes whose normals lie in that plane.
//
// A suffix "Front" marks one-sided sweeps, which ignore what comes from the back of a surface.
// Invalid input (NaN, infinities, magnitudes beyond 1e72) never panics; it gives [Miss] or false.
//
// Read the files in this order:
//
//   - vec.go, quat.go, shapes.go: vectors, rotations, and the shapes without behaviour
//   - plane.go, polygon.go, aabb.go: constructors and bounds of the shapes
//   - sweep.go, sphere_sphere.go: [Contact], [Outcome], and the rules that all sweeps share
//   - sphere_plane.go, sphere_point.go, sphere_segment.go, sphere_triangle.go, sphere_polygon.go:
//     sweeps of a sphere against the other shapes; flat.go and edge.go do their common work
//   - aabb_aabb.go, aabb_polygon.go, interval.go, raycast.go: boxes, intervals of overlap, and rays
//   - bounce.go, slide.go: the velocity after a contact
//   - limits.go, twofold.go: the range of valid input, error bounds, and double-double arithmetic
package collide
