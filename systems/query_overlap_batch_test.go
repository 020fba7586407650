package systems_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// manyOverlaps is manyCasts with a shape at the start of each cast, and some that aren't valid.
func manyOverlaps(workers, n int) (donburi.World, *systems.Physics, []systems.OverlapQuery) {
	w, p, casts := manyCasts(workers, n)
	queries := make([]systems.OverlapQuery, n)
	for i, c := range casts {
		queries[i] = systems.OverlapQuery{Sphere: c.Sphere, Shape: c.Shape}
		queries[i].Sphere.Radius *= 10
		switch {
		case i%16 == 8:
			queries[i].Sphere.Radius = math.NaN()
		case i%16 == 9:
			queries[i].Shape = collide.Box{Half: vec(-1, 1, 1)}
		}
	}
	components.CreateCompound(w, vec(0, 0, 0), []components.ShapePart{
		{Shape: collide.Box{Half: vec(1, 1, 1)}}, {Shape: collide.Box{Center: vec(1, 0, 0), Half: vec(1, 1, 1)}},
	})
	queries[0] = systems.OverlapQuery{Sphere: collide.Sphere{Radius: 2}} // touches both parts
	p.Sync(w)
	return w, p, queries
}

func TestABatchOfOverlapsFindsWhatEachQueryFinds(t *testing.T) {
	filters := []systems.Filter{
		{},
		{Sensors: true},
		{Layers: 1, As: &components.CollisionFilterData{Mask: 1}},
		{Accept: func(e donburi.Entity) bool { return e%2 == 0 }},
	}
	for _, workers := range []int{1, 2, 7} {
		_, p, queries := manyOverlaps(workers, 2000)
		var got []systems.Overlap
		for k, filter := range filters {
			for _, some := range [][]systems.OverlapQuery{queries, queries[:100], nil} {
				var want []systems.Overlap
				for i, q := range some {
					all := p.OverlapSphere(q.Sphere, filter)
					if q.Shape != nil {
						all = p.OverlapShape(q.Shape, filter)
					}
					for e := range all {
						want = append(want, systems.Overlap{Query: i, Entity: e})
					}
				}
				got = p.OverlapBatch(some, filter, got)
				if !slices.Equal(got, want) || len(want) < len(some)/8 {
					t.Errorf("%d workers, filter %d, %d queries: got %d overlaps, want %d",
						workers, k, len(some), len(got), len(want))
				}
			}
		}
	}
}

func TestABatchOfOverlapsInTheFilterOfABatchIsAnother(t *testing.T) {
	_, p, queries := manyOverlaps(1, 50)
	want := slices.Clone(p.OverlapBatch(queries, systems.Filter{}, nil))
	inner := 0
	got := p.OverlapBatch(queries, systems.Filter{Accept: func(donburi.Entity) bool {
		inner += len(p.OverlapBatch(queries[:3], systems.Filter{}, nil))
		return true
	}}, nil)
	if !slices.Equal(got, want) || inner == 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestABatchOfOverlapsAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	for _, workers := range []int{1, 2} {
		w, p, queries := manyOverlaps(workers, 1000)
		var found []systems.Overlap
		ask := func() { found = p.OverlapBatch(queries, systems.Filter{Sensors: true}, found) }
		expectBatchWithoutAllocations(t, workers, w, p, ask)
	}
}
