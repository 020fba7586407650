package bridge

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
)

// With another layout of Donburi's storage columns are read one by one, which is slower. If this
// test fails, adapt readColumn to Donburi's new layout.
func TestDonburiKeepsComponentsAsKnown(t *testing.T) {
	w, entries := crowd(10, 1)
	storage := w.StorageAccessor().Components.Storage(components.Transform)
	if !isKnown(storage) {
		t.Fatalf("Donburi's storage is laid out in a way that readColumn doesn't know: %T", storage)
	}
	at := slices.Index(w.Archetypes(), entries[0].Archetype())
	direct, used := readColumn(storage, at, len(entries), nil, true)
	if used != nil {
		t.Error("the column was not read as a whole")
	}
	one, _ := readColumn(storage, at, len(entries), nil, false)
	if !slices.Equal(direct, one) {
		t.Errorf("columns: got %v, want %v", direct, one)
	}
	for i, e := range entries {
		if got, want := get[components.TransformData](direct, i), components.Transform.Get(e); got != want {
			t.Errorf("row %d: got %p, want %p", i, got, want)
		}
	}
	if got, used := readColumn(storage, at, len(entries)-1, nil, true); len(got) != len(entries)-1 || used == nil {
		t.Errorf("a column of another length: got %d, want %d read one by one", len(got), len(entries)-1)
	}
	if got, _ := readColumn(storage, at, 0, nil, true); len(got) != 0 {
		t.Errorf("no rows: got %d", len(got))
	}
}

func TestOtherLayoutsAreNotKnown(t *testing.T) {
	type twoFields struct {
		_ [][]pointer
		_ int
	}
	type otherField struct{ _ [][]int }
	if isKnown(new(twoFields)) || isKnown(new(otherField)) || isKnown(new([][]pointer)) {
		t.Error("a storage that is laid out otherwise is taken for Donburi's")
	}
}

// Both ways of reading columns give the same bits.
func TestPhysicsRunsOnColumnsReadOneByOne(t *testing.T) {
	run := func(direct bool) (all []components.TransformData) {
		w, entries := crowd(200, 100)
		p := newStepper(Settings{})
		p.step(w)
		p.registry.direct = direct
		for range 20 {
			p.step(w)
		}
		for _, e := range entries {
			all = append(all, *components.Transform.Get(e))
		}
		return all
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the two ways differ")
	}
}
