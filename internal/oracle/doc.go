// Package oracle is a simple reference implementation of the event loop, with which tests compare
// the solver.
//
// It has no grid, no calendar and no stored predictions: it tests all pairs, takes the earliest
// impact, moves everything to that time, resolves the impact, and starts again. It leaves out
// everything that makes the solver fast, so that its correctness can be seen by reading it. Only
// tests import it.
//
// Everything is in oracle.go; begin with World.Step.
package oracle
