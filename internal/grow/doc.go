// Package grow changes the length of slices that are kept from step to step, so that a warm step
// allocates nothing.
package grow
