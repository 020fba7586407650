// Package archetypes finds archetypes of a Donburi world in which World.Create panics.
//
// Donburi 1.15.7 counts the entities of an archetype from 0 if the first of them was created there,
// and from 1 if it came by AddComponent or RemoveComponent. In the second case World.Create looks
// for a new entity behind the last one.
package archetypes

import (
	"reflect"

	"github.com/yohamta/donburi"
)

// CreatePanics reports whether World.Create panics for exactly the given component types.
func CreatePanics(w donburi.World, types []donburi.IComponentType) bool {
	for i, a := range w.Archetypes() {
		if a.LayoutMatches(types) {
			return Miscounted(w, i)
		}
	}
	return false
}

// Miscounted reports whether Donburi's count of the entities of the archetype with this index in
// World.Archetypes is wrong, so that World.Create panics for its component types. The result is
// false in versions of Donburi that count differently.
func Miscounted(w donburi.World, index int) bool {
	components := reflect.ValueOf(w.StorageAccessor().Components)
	if components.Kind() != reflect.Pointer || components.IsNil() || components.Elem().Kind() != reflect.Struct {
		return false
	}
	last := components.Elem().FieldByName("componentIndices") // of each archetype: the index of its last entity
	if last.Kind() != reflect.Map || !last.Type().Key().ConvertibleTo(reflect.TypeFor[int]()) ||
		last.Type().Elem().Kind() != reflect.Int {
		return false
	}
	key := reflect.ValueOf(index).Convert(last.Type().Key())
	at := last.MapIndex(key)
	return at.IsValid() && at.Int() != int64(w.Archetypes()[index].Count()-1)
}
