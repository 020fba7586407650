// Package sweeps compares all sweeps and casts of package collide, and casts in a world, with a
// slow oracle that knows nothing but the corners of the shapes.
//
// The oracle is conservative advancement: a shape moves until the plane between the nearest points
// is reached, again and again. What it finds is compared with the result, and each contact is
// checked in 1200-bit arithmetic: at the time reported, the gap along the normal reported is zero.
//
// Read oracle.go (the oracle), scene.go (random scenes of ordinary and degenerate families),
// target.go (what is swept against what), table.go (all sweeps) and compare.go (the comparison).
package sweeps
