// Package tiebreak makes the numbers that decide which of two events at exactly the same time
// comes first.
package tiebreak
