package search

import (
	"fmt"
	"slices"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/components"
)

// frame is everything that must have the same bits in twin worlds after a step.
type frame struct {
	ids     []int
	things  []thingBits
	impacts []verify.Impact
	begins  []verify.Contact
	ends    []verify.Contact
}

// thingBits is the state of a thing.
type thingBits struct {
	verify.State
	Rotation [4]float64
}

// frameOf reads a world.
func frameOf(w *world) *frame {
	f := &frame{}
	for _, id := range w.live() {
		t := w.things[id]
		if t.Bad != "" {
			continue
		}
		e := w.w.Entry(w.entities[id])
		q := components.Transform.Get(e).Rotation
		f.ids = append(f.ids, id)
		f.things = append(f.things, thingBits{w.state(id), [4]float64{q.W, q.X, q.Y, q.Z}})
	}
	s := &verify.Step{}
	w.complete(s)
	f.impacts, f.begins, f.ends = s.Impacts, s.Begins, s.Ends
	return f
}

// normalize makes frames comparable whose entities were created in another order: A of two spheres
// is the entity that was created first, and events at the same time may come in another order.
func (f *frame) normalize() {
	for k := range f.impacts {
		if m := &f.impacts[k]; m.A > m.B {
			m.A, m.B, m.Normal = m.B, m.A, m.Normal.Scale(-1)
		}
	}
	for _, list := range []*[]verify.Contact{&f.begins, &f.ends} {
		for k := range *list {
			if m := &(*list)[k]; m.A > m.B {
				m.A, m.B, m.Normal = m.B, m.A, m.Normal.Scale(-1)
			}
		}
		slices.SortStableFunc(*list, compareContacts)
	}
}

// compareContacts orders events by time, then by what touches.
func compareContacts(a, b verify.Contact) int {
	switch {
	case a.Time < b.Time:
		return -1
	case a.Time > b.Time:
		return 1
	case a.A != b.A:
		return a.A - b.A
	default:
		return a.B - b.B
	}
}

// comparison runs the second world of a scene and compares.
type comparison struct {
	scene *Scene
	other *world
	first *frame // of the first world, after this step
}

func newComparison(s *Scene, other *world) *comparison { return &comparison{scene: s, other: other} }

// record reads the first world after a step.
func (c *comparison) record(w *world) { c.first = frameOf(w) }

// step runs the second world, and compares.
func (c *comparison) step() []verify.Failure {
	var second *frame
	c.other.advance(func() {}, func() { second = frameOf(c.other) })
	if c.scene.Twin.Order != 0 {
		c.first.normalize()
		second.normalize()
	}
	return difference(c.first, second)
}

// difference returns the first difference of two frames.
func difference(a, b *frame) []verify.Failure {
	fail := func(check string, x, y int, format string, args ...any) []verify.Failure {
		return []verify.Failure{{Check: check, Text: fmt.Sprintf(format, args...), A: x, B: y}}
	}
	if !slices.Equal(a.ids, b.ids) {
		return fail("twin entities", -1, -1, "%v and %v", a.ids, b.ids)
	}
	for k, id := range a.ids {
		if a.things[k] != b.things[k] {
			return fail("twin state", id, -1, "thing %d differs: %+v and %+v", id, a.things[k], b.things[k])
		}
	}
	if len(a.impacts) != len(b.impacts) {
		return fail("twin impacts", -1, -1, "%d impacts and %d", len(a.impacts), len(b.impacts))
	}
	for k, m := range a.impacts {
		if o := b.impacts[k]; m != o {
			return fail("twin impacts", m.A, m.B, "impact %d differs: %+v and %+v", k, m, o)
		}
	}
	for _, lists := range [][2][]verify.Contact{{a.begins, b.begins}, {a.ends, b.ends}} {
		if len(lists[0]) != len(lists[1]) {
			return fail("twin contacts", -1, -1, "%d contacts begin or end, and %d", len(lists[0]), len(lists[1]))
		}
		for k, m := range lists[0] {
			if o := lists[1][k]; m != o {
				return fail("twin contacts", m.A, m.B, "%+v and %+v", m, o)
			}
		}
	}
	return nil
}
