package search

import (
	"slices"

	"github.com/dango-physics/dango/components"
)

// anything makes a scene of a random kind out of those that need nothing else.
func (b *builder) anything() {
	list := []func(*builder){
		gas, elastic, boxed, column, tiles, sheets, locked, squeeze, movers, overlapped, rack, sliding, flat, sensors,
	}
	list[b.IntN(len(list))](b)
}

// archetypes that churn may create: changes only switch between these, as docs/limits.md asks.
func churn(b *builder) {
	b.half = 3
	b.earth()
	b.box(false)
	b.balls(5+b.IntN(15), 0.6, 20, 4)
	random := func(id int) *Thing {
		t := ball(b.place(), b.direction().Scale(b.decades(0.1, 30)), b.decades(0.1, 0.8))
		switch b.IntN(7) {
		case 0:
			t.Sensor = true
		case 1:
			t = kinematic(t, b.direction().Scale(b.decades(0.1, 5)))
		case 2:
			t = polygon(b.place(), b.sheet(1)...)
		case 3:
			t.Velocity = nil
		case 4:
			t.Sliding = true
		case 5:
			t.Filter = &components.CollisionFilterData{Layers: uint32(b.IntN(4)), Mask: uint32(b.IntN(4))}
		default:
			b.spin(&t, 3)
		}
		t.ID = id
		if t.Material != nil {
			t.Material = b.material()
		}
		return &t
	}
	for range 5 + b.IntN(60) {
		id := 7 + b.IntN(b.next)
		c := Change{Step: b.IntN(b.s.Steps), Stage: Stage(b.IntN(int(stages))), ID: id}
		if b.chance(0.75) {
			c.Thing = random(id)
		}
		b.s.Changes = append(b.s.Changes, c)
	}
	slices.SortStableFunc(b.s.Changes, func(x, y Change) int { return x.Step - y.Step })
}

func twins(b *builder) {
	if b.chance(0.2) {
		churn(b)
	} else {
		b.anything()
	}
	b.twin()
}

// twin adds a second world with one difference.
func (b *builder) twin() {
	t := &Twin{}
	switch b.IntN(4) {
	case 0:
		t.Workers = 2 + b.IntN(7)
	case 1:
		t.Order = 1 + int64(b.IntN(1000))
	case 2:
		t.Sleep = true
		if len(b.s.Changes) == 0 {
			b.s.Steps *= 3
		}
	case 3:
		m := Mode((int(b.s.Mode) + 1 + b.IntN(2)) % 3)
		t.Mode = &m
	}
	b.s.Twin = t
}

func bad(b *builder) {
	b.anything()
	names := make([]string, 0, len(badFields))
	for name := range badFields {
		names = append(names, name)
	}
	slices.Sort(names)
	t := ball(b.place(), b.direction(), 0.5)
	t.Bad = names[b.IntN(len(names))]
	made := b.add(t)
	b.s.Twin = &Twin{Without: made.ID}
}

func manyWorkers(b *builder) {
	b.half = 12
	b.box(false)
	b.s.Quick = true
	b.s.Config.Workers = 1
	b.s.Config.StepSeconds = 1.0 / 60
	if b.chance(0.3) {
		b.earth()
	}
	n := 20 // balls along an edge: 3500 are enough for several workers
	wide := 2 * b.half / float64(n)
	speed := b.decades(1, 60)
	e, f := b.one(0.5, 1), b.one(0, 0.4)
	for i := range n * n * n / 2 {
		at := vec(float64(i%n), float64(i/n%n), float64(i/n/n)).Scale(wide).Sub(vec(1, 1, 1).Scale(b.half - wide/2))
		t := ball(at, b.direction().Scale(b.decades(speed/10, speed)), wide*b.between(0.1, 0.45))
		t.Material.Restitution, t.Material.Friction = e, f
		b.add(t)
	}
	b.s.Steps = 6
	b.s.Twin = &Twin{Workers: 2 + b.IntN(7)}
}
