package slow

import (
	"os"
	"testing"
)

// Target is a set of the circumstances in which tests run slowly.
type Target uint8

// What makes tests slow, and by about how much.
const (
	Short    Target = 1 << iota // -short alone
	Race                        // -short with the race detector: 10 times
	Foreign                     // -short with 386, WebAssembly and whatever is emulated: 2 to 4 times, 20 if emulated
	Emulated                    // -short under an emulator: 20 times

	// Sequential is for tests of what one goroutine does alone. They can't race, and the golden
	// hashes (TestSameBitsEverywhere) compare the results of all platforms.
	Sequential = Race | Foreign
)

// Variable is the environment variable that says what the tests run on, since a test can't find out
// whether it is emulated: empty for the machine itself, "foreign" or "emulated".
const Variable = "DANGO_TEST_TARGET"

// Skip skips the test if it runs with -short in one of the given circumstances. The reason says why
// nothing is lost: what else covers there what the test is about. Without -short every test runs
// everywhere.
func Skip(tb testing.TB, where Target, reason string) {
	tb.Helper()
	now, ok := current(os.Getenv(Variable))
	if !ok {
		tb.Fatalf("%s is %q, want nothing, \"foreign\" or \"emulated\"", Variable, os.Getenv(Variable))
	}
	if testing.Short() && now&where != 0 {
		tb.Skipf("slow here: %s", reason)
	}
}

// current returns the circumstances that hold with -short, and whether it knows the value of
// [Variable].
func current(variable string) (now Target, ok bool) {
	now = Short
	if raceEnabled {
		now |= Race
	}
	switch variable {
	case "":
	case "foreign":
		now |= Foreign
	case "emulated":
		now |= Foreign | Emulated
	default:
		return now, false
	}
	return now, true
}
