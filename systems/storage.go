package systems

import (
	"unsafe"

	"github.com/yohamta/donburi"
)

// pointer is where Donburi keeps a component's value.
type pointer = unsafe.Pointer

// columnReader is the part of Donburi's component storage that reading it takes. Its index types are internal to Donburi; they come in as
// type parameters that the compiler infers.
type columnReader[A, C ~int] interface {
	Component(archetype A, index C) unsafe.Pointer
}

// readColumn fills col with the places of the components of archetype at, one for each of count entities. Reading them anew in every step
// costs a few nanoseconds an entity and is right whatever the game did in between: a place changes when
// an entity is removed, or a component is exchanged with Set.
func readColumn[S columnReader[A, C], A, C ~int](storage S, at, count int, col []pointer) []pointer {
	col = col[:0]
	for i := range count {
		col = append(col, storage.Component(A(at), C(i)))
	}
	return col
}

// read fills in where the wanted components of t's entities are.
func (t *table) read(accessor donburi.StorageAccessor, wanted has) {
	t.ents = accessor.Archetypes[t.at].Entities()
	for bit, c := range types {
		if t.has&wanted>>bit&1 != 0 {
			t.cols[bit] = readColumn(accessor.Components.Storage(c), t.at, len(t.ents), t.cols[bit])
		}
	}
}

// get returns the component of a table's i-th entity. The table must have it.
func get[T any](col []pointer, i int) *T { return (*T)(col[i]) }
