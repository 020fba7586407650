//go:build !purego

package contacts

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTheAssemblyRunsWhereItCan checks that contacts are solved in batches on processors that can.
// Otherwise only the time of a step would show it.
func TestTheAssemblyRunsWhereItCan(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	_, of, _ := strings.Cut(string(info), "\nflags")
	of, _, _ = strings.Cut(of, "\n")
	can := slices.Contains(strings.Fields(of), "avx2")
	mayBeOff := strings.Contains(os.Getenv("GODEBUG"), "cpu.")
	if hasAVX2 != can && (hasAVX2 || !mayBeOff) {
		t.Errorf("relaxBatches runs here: %v, want %v", hasAVX2, can)
	}
}
