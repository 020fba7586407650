//go:build !race

package slow

const raceEnabled = false
