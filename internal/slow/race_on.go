//go:build race

package slow

const raceEnabled = true
