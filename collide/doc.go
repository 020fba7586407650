// Package collide computes collisions of moving shapes: vectors, shapes, the exact time at which
// two moving shapes first touch (a sweep), and the velocity after the contact. It needs no ECS,
// display or clock, and imports nothing outside this module but the standard library. No function
// allocates, except those that return an error and make a polygon, hull, mesh or height field, and
// those that are given a polygon with more than 32 corners or too small a slice for their results.
//
// Lengths are in metres, times in seconds and masses in kilograms; any other consistent set of
// units works as well. Coordinates are right-handed. A 2D game uses the plane z = 0: circles are
// spheres, and walls are planes whose normals lie in that plane.
//
// A suffix "Front" marks one-sided sweeps, which ignore what comes from the back of a surface.
// Invalid input (NaN, infinities, magnitudes beyond 1e72) never panics; it gives [Miss] or false.
// So does a mesh or height field that is nil or zero.
//
// Read the files in this order:
//
//   - vec.go, vec2d.go, quat.go, shapes.go: vectors, rotations, and the shapes without behaviour
//   - plane.go, polygon.go, aabb.go: constructors and bounds of the shapes
//   - sweep.go, sphere_sphere.go: [Contact], [Outcome], and the rules that all sweeps share
//   - sphere_plane.go, sphere_point.go, sphere_segment.go, sphere_capsule.go, sphere_triangle.go,
//     sphere_polygon.go: sweeps of a sphere against the other shapes; flat.go and edge.go do their
//     common work
//   - aabb_aabb.go, aabb_polygon.go, aabb_capsule.go, interval.go, raycast.go: boxes, intervals of
//     overlap, and rays
//   - convex.go: all convex shapes in one form, for [Sweep], [Separation], [Overlaps] and
//     [RayCast]; placed.go: the same, turned and moved; convex_plane.go: against half-spaces
//   - box.go, hull.go, hull_build.go: oriented boxes and convex hulls; convex_sweep.go,
//     convex_features.go, convex_nearest.go, convex_axes.go, convex_ray.go: sweeps;
//     separation.go, separation_round.go: distances
//   - mesh.go, mesh_build.go, mesh_tree.go: triangle meshes (on amd64 mesh_boxes_amd64.s opens the
//     nodes of their tree, elsewhere mesh_boxes_other.go); chain2d.go: chains and polygons of 2D
//     games, made of them; mesh_sphere.go, mesh_capsule.go, mesh_near.go, mesh_convex.go,
//     mesh_ray.go, mesh_rays.go: what hits them; heightfield.go: terrain; facet.go: single
//     triangles for engines
//   - rotating.go, sphere_rotating.go: shapes that rotate; sphere_parabola.go: spheres that are
//     thrown; curve.go and curve_solids.go have what both do
//   - cylinder.go: cylinders against spheres and rays
//   - bounce.go, slide.go: the velocity after a contact; move.go: a whole movement with many
//     contacts
//   - limits.go, twofold.go, orientation.go: the range of valid input, error bounds, double-double
//     arithmetic, and an exact predicate
package collide
