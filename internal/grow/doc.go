// Package grow changes the length of slices that are kept from step to step, so that a warm step
// allocates nothing. All of it is in grow.go.
package grow
