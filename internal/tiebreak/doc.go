// Package tiebreak makes the numbers that decide which of two events at exactly the same time
// comes first. All of it is in hash.go.
package tiebreak
