package bridge

import (
	"reflect"
	"unsafe"

	"github.com/yohamta/donburi"
)

// pointer is where Donburi keeps a component's value.
type pointer = unsafe.Pointer

// columnReader is the part of Donburi's component storage that reading it takes. Its types are internal to Donburi; they come in as
// type parameters that the compiler infers.
type columnReader[T any, A, C ~int] interface {
	*T
	Component(archetype A, index C) unsafe.Pointer
}

// readColumn returns the places of the components of archetype at, one for each of count entities. They have to be read anew in every step, since a
// place changes when an entity is removed or a component is exchanged with Set.
//
// Where direct says that Donburi keeps them as known, they are Donburi's own list, to be read and not written. Otherwise, and where
// that list is not what Donburi itself says, they are asked for one by one and put into room.
func readColumn[T any, S columnReader[T, A, C], A, C ~int](storage S, at, count int, room []pointer, direct bool) (column, used []pointer) {
	if direct && count > 0 {
		if all := *(*[][]pointer)(pointer((*T)(storage))); at < len(all) && len(all[at]) == count {
			c := all[at]
			if c[0] == storage.Component(A(at), 0) && c[count-1] == storage.Component(A(at), C(count-1)) {
				return c[:count:count], room
			}
		}
	}
	room = room[:0]
	for i := range count {
		room = append(room, storage.Component(A(at), C(i)))
	}
	return room, room
}

// isKnown reports whether Donburi's storage of components is nothing but a list for each archetype of the places of its components, as
// in Donburi 1.15.
func isKnown[T any](*T) bool {
	t := reflect.TypeFor[T]()
	return t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type == reflect.TypeFor[[][]pointer]()
}

// read fills in where the wanted components of t's entities are.
func (t *table) read(accessor donburi.StorageAccessor, wanted has, direct bool) {
	t.ents = accessor.Archetypes[t.at].Entities()
	for bit, c := range types {
		if t.has&wanted>>bit&1 != 0 {
			t.cols[bit], t.room[bit] = readColumn(accessor.Components.Storage(c), t.at, len(t.ents), t.room[bit], direct)
		}
	}
}

// get returns the component of a table's i-th entity. The table must have it.
func get[T any](col []pointer, i int) *T { return (*T)(col[i]) }
