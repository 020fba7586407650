//go:build !purego

package solver

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheAssemblyRunsWhereItCan: were it never used, nothing but the time that steps take would tell.
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
	check("lookFour", hasAVX2, "avx2", "bmi1", "popcnt")
}
