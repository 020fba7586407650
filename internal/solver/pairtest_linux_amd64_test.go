//go:build !purego

package solver

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheAssemblyRunsWhereItCan checks that the assembly is used on processors that can run it.
// Otherwise only the time of a step would show it.
func TestTheAssemblyRunsWhereItCan(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	_, of, _ := strings.Cut(string(info), "\nflags")
	of, _, _ = strings.Cut(of, "\n")
	mayBeOff := strings.Contains(os.Getenv("GODEBUG"), "cpu.")
	check := func(name string, runs bool, needs ...string) {
		can := !slices.ContainsFunc(needs, func(flag string) bool { return !slices.Contains(strings.Fields(of), flag) })
		if runs != can && (runs || !mayBeOff) {
			t.Errorf("%s runs here: %v, want %v", name, runs, can)
		}
	}
	check("searchFour", hasAVX2, "avx2", "bmi1", "bmi2", "popcnt")
}
