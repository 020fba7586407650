package archetypes_test

import (
	"testing"

	"github.com/dango-physics/dango/internal/archetypes"
	"github.com/yohamta/donburi"
)

// panics reports whether World.Create panics for these types.
func panics(w donburi.World, types ...donburi.IComponentType) (result bool) {
	defer func() { result = recover() != nil }()
	w.Create(types...)
	return false
}

func TestAnArchetypeInWhichCreatePanicsIsFound(t *testing.T) {
	a, b := donburi.NewComponentType[int](), donburi.NewComponentType[float64]()
	both := []donburi.IComponentType{a, b}
	for _, c := range []struct {
		name    string
		prepare func(w donburi.World)
	}{
		{"no such archetype", func(w donburi.World) { w.Create(a) }},
		{"created there", func(w donburi.World) { w.Create(a, b) }},
		{"created there, in another order", func(w donburi.World) { w.Create(b, a) }},
		{"created there and removed", func(w donburi.World) { w.Remove(w.Create(a, b)) }},
		{"by AddComponent", func(w donburi.World) { w.Entry(w.Create(a)).AddComponent(b) }},
		{"by AddComponent and removed", func(w donburi.World) {
			e := w.Entry(w.Create(a))
			e.AddComponent(b)
			e.Remove()
		}},
		{"created there before AddComponent", func(w donburi.World) {
			w.Create(a, b)
			w.Entry(w.Create(a)).AddComponent(b)
		}},
	} {
		w := donburi.NewWorld()
		c.prepare(w)
		got := archetypes.CreatePanics(w, both)
		if want := panics(w, both...); got != want {
			t.Errorf("%s: got %v, but Create panics: %v", c.name, got, want)
		}
	}
}
