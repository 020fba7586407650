// Package exact is the reference for the sweeps of package collide: it answers the same questions
// slowly, with numbers of 1200 bits.
//
// Sums and products of ordinary coordinates fit into that many bits, so they are exact; quotients
// and roots have 360 correct decimal digits. Package exact uses the textbook formulas where collide
// uses formulas that lose no digits, so the two don't share mistakes. Only tests import it.
//
// Read exact.go (numbers and vectors), then sweep.go (the sweeps) and
// convex.go (the sweep of two convex shapes).
package exact
