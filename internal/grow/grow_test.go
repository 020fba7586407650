package grow

import (
	"slices"
	"testing"
)

// What a slice held before it became shorter must not come back.
func TestNewElementsAreZero(t *testing.T) {
	list := []int{1, 2, 3, 4}
	if got := Extend(list[:1], 3); !slices.Equal(got, []int{1, 0, 0}) {
		t.Errorf("longer within the capacity: %v", got)
	}
	if got := Extend([]int{5}, 100); len(got) != 100 || got[0] != 5 || slices.Max(got[1:]) != 0 {
		t.Errorf("longer than the capacity: %v", got)
	}
	if got := Extend([]int{5, 6}, 1); !slices.Equal(got, []int{5, 6}) {
		t.Errorf("long enough already: %v", got)
	}
	if got := Fill([]int{5}, 3, -1); !slices.Equal(got, []int{5, -1, -1}) {
		t.Errorf("Fill: %v", got)
	}
	if got := Resize(list, 2); len(got) != 2 || cap(got) != cap(list) {
		t.Errorf("a shorter slice has length %d and capacity %d", len(got), cap(got))
	}
	if got := Resize(list, 9); len(got) != 9 {
		t.Errorf("a longer slice has length %d", len(got))
	}
	if got := Resize(make([]int, 1000), 1001); cap(got) < 1250 {
		t.Errorf("a slice that has grown from 1000 elements to %d has capacity %d", len(got), cap(got))
	}
}
