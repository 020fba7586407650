package bridge

import (
	"reflect"
	"unsafe"

	"github.com/yohamta/donburi"
)

// pointer is the address of a component's value in Donburi's storage.
type pointer = unsafe.Pointer

// columnReader is the method of Donburi's component storage that reads need. Its types are internal
// to Donburi, so they are type parameters that the compiler infers.
type columnReader[T any, A, C ~int] interface {
	*T
	Component(archetype A, index C) unsafe.Pointer
}

// readColumn returns the addresses of the components of archetype at, one for each of count
// entities. It must be called anew in every step, because an address changes when an entity is
// removed or a component is replaced with Set.
//
// If direct says that the layout of Donburi's storage is known (see isKnown), the column is
// Donburi's own list, not to be written. Otherwise, or if that list has another length or other
// addresses than Donburi's method returns, the addresses are read one by one into room.
func readColumn[T any, S columnReader[T, A, C], A, C ~int](
	storage S, at, count int, room []pointer, direct bool,
) (column, used []pointer) {
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

// isKnown reports whether Donburi's storage is a struct of nothing but a list of addresses for each
// archetype, as in Donburi 1.15.
func isKnown[T any](*T) bool {
	t := reflect.TypeFor[T]()
	return t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type == reflect.TypeFor[[][]pointer]()
}

// read sets the table's entities and its columns of the wanted components.
func (t *table) read(accessor donburi.StorageAccessor, wanted has, direct bool) {
	t.ents = accessor.Archetypes[t.at].Entities()
	for bit, c := range types {
		if t.has&wanted>>bit&1 != 0 {
			storage := accessor.Components.Storage(c)
			t.cols[bit], t.room[bit] = readColumn(storage, t.at, len(t.ents), t.room[bit], direct)
		}
	}
}

// get returns the component of a table's i-th entity. The table must have it.
func get[T any](col []pointer, i int) *T { return (*T)(col[i]) }
