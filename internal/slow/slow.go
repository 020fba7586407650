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

// Reasons to leave out tests on other platforms that compute results or compare code for some
// platform with the Go code for all.
const (
	// Hashed says that results are compared there in another way: by hashes that are equal on all
	// platforms, in collide, internal/solver, systems and bench/internal/scene.
	Hashed = "golden hashes compare the results of all platforms"
	// Portable says that the platform runs Go code which another target runs, too.
	Portable = "the Go code that runs here runs natively with -tags purego"
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

// CasesVariable is the environment variable that asks for all random cases: "all", or empty.
const CasesVariable = "DANGO_TEST_CASES"

// fewest is the least number of cases of a test without -short, as far as it has so many. Tests
// with few cases have large ones, a whole scene each, which differ more.
const fewest = 5

// Cases returns how many of n independent random cases a test runs. Seeds are fixed, so they are
// always the first ones: all if [CasesVariable] asks for them, otherwise an eighth, but at least
// five. With -short it is a tenth, and a twentieth where a single goroutine is slow ([Sequential]);
// at least one.
func Cases(n int) int {
	if testing.Short() {
		return Steps(n)
	}
	if All() {
		return n
	}
	return max(min(n, fewest), n/8)
}

// All reports whether [CasesVariable] asks for all cases. Few tests need it: those whose last case
// takes many minutes.
func All() bool { return os.Getenv(CasesVariable) == "all" && !testing.Short() }

// Steps returns how many of n steps a test simulates, where a slow fault shows only in a long run:
// all of them without -short, a tenth with it, and a twentieth where a single goroutine is slow
// ([Sequential]); at least one.
func Steps(n int) int {
	switch now, _ := current(os.Getenv(Variable)); {
	case !testing.Short():
		return n
	case now&Sequential != 0:
		return n/20 + 1
	default:
		return n/10 + 1
	}
}

// current returns the circumstances that hold with -short, and whether it knows the value of
// [Variable].
func current(variable string) (now Target, ok bool) {
	now = Short
	if RaceDetector {
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

// Workers returns which of several numbers of workers, the smallest first, a test compares: all, or
// with -short where a single goroutine is slow ([Sequential]) the first and that in the middle. The
// race detector finds what two goroutines share, however many there are, and how work is divided
// among more of them is the same everywhere.
func Workers(numbers ...int) []int {
	now, _ := current(os.Getenv(Variable))
	if testing.Short() && now&Sequential != 0 && len(numbers) > 2 {
		return []int{numbers[0], numbers[len(numbers)/2]}
	}
	return numbers
}
