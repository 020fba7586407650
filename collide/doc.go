// Package collide holds the numbers of swept collision: vectors, shapes, the exact time at which two
// moving shapes first touch, and what a movement becomes at a contact. It knows no ECS, no drawing and
// no clock, and it imports the standard library alone.
//
// Lengths are in metres, times in seconds and masses in kilograms, but any consistent set of units
// does. Coordinates are right-handed. A 2D game uses the plane z = 0: circles are spheres, walls are
// planes whose normals lie in it.
package collide
