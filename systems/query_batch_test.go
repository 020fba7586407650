package systems_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// manyCasts creates a world of balls, crates, boxes, sensors and a mesh, and casts through it.
func manyCasts(workers, n int) (donburi.World, *systems.Physics, []systems.CastQuery) {
	w := donburi.NewWorld()
	r := rand.New(rand.NewPCG(16, 2))
	anywhere := func() collide.Vec3 { return vec(r.Float64()*40-20, r.Float64()*40-20, r.Float64()*40-20) }
	for k := range 200 {
		e := ball(w, anywhere(), vec(0, 0, 0), 0.2+r.Float64())
		if k%9 == 0 {
			e.AddComponent(components.Sensor)
		}
		if k%5 == 0 {
			components.CreateBox(w, anywhere(), vec(1, 0.5, 2))
			components.CreateCrate(w, anywhere(), vec(0.5, 0.5, 0.5))
		}
	}
	components.CreateShape(w, vec(0, -25, 0), soup(quad(vec(-30, 0, -30), vec(-30, 0, 30), vec(30, 0, 30),
		vec(30, 0, -30))).mesh())
	components.CreatePlane(w, vec(0, 25, 0), vec(0, -1, 0))
	p := systems.NewPhysics(systems.Config{Workers: workers})
	p.Step(w)
	casts := make([]systems.CastQuery, n)
	for i := range casts {
		c := &casts[i]
		c.Sphere.Center, c.Direction, c.Distance = anywhere(), anywhere(), 50*r.Float64()
		switch i % 16 {
		case 0:
			c.Shape = collide.Capsule{A: c.Sphere.Center, B: c.Sphere.Center.Add(vec(0, 1, 0)), Radius: 0.3}
		case 1:
			c.Shape = collide.Box{Center: c.Sphere.Center, Half: vec(0.3, 0.2, 0.1)}
		case 2:
			c.Distance = math.Inf(1)
		case 3:
			c.Direction = vec(0, 0, 0)
		case 4, 5, 6, 7:
			c.Sphere.Radius = 0.3
		}
	}
	return w, p, casts
}

func TestABatchOfCastsFindsWhatEachCastFinds(t *testing.T) {
	filters := []systems.Filter{
		{},
		{Sensors: true},
		{Layers: 1, As: &components.CollisionFilterData{Mask: 1}},
		{Accept: func(e donburi.Entity) bool { return e%2 == 0 }},
	}
	n := 2000
	for _, workers := range []int{1, 2, 7} {
		w, p, casts := manyCasts(workers, n)
		var hits []systems.CastHit
		for k, filter := range filters {
			for _, some := range [][]systems.CastQuery{casts, casts[:100], nil} {
				hits = p.CastBatch(some, filter, hits)
				found := 0
				for i, c := range some {
					want, ok := p.SphereCast(c.Sphere, c.Direction, c.Distance, filter)
					if c.Shape != nil {
						want, ok = p.ShapeCast(c.Shape, c.Direction, c.Distance, filter)
					}
					if !ok {
						want = systems.CastHit{Entity: donburi.Null, Distance: c.Distance}
					} else {
						found++
					}
					if hits[i] != want {
						t.Fatalf("%d workers, filter %d, cast %+v: got %+v, want %+v", workers, k, c, hits[i], want)
					}
				}
				if len(hits) != len(some) || found < len(some)/4 || len(some) > 0 && found == len(some) {
					t.Errorf("%d workers, filter %d: %d hits of %d casts", workers, k, found, len(some))
				}
			}
		}
		// Balls that the game moves are found where they are after Sync.
		for e := range components.SphereCollider.Iter(w) {
			components.Transform.Get(e).Position.X += 0.5
		}
		p.Sync(w)
		hits = p.CastBatch(casts, systems.Filter{}, hits)
		for i, c := range casts {
			if want, ok := p.SphereCast(c.Sphere, c.Direction, c.Distance, systems.Filter{}); ok && c.Shape == nil &&
				hits[i] != want {
				t.Fatalf("%d workers, after Sync: got %+v, want %+v", workers, hits[i], want)
			}
		}
		p.Step(w)
		expectNoErrors(t, p)
	}
}

func TestABatchInTheFilterOfABatchIsAnother(t *testing.T) {
	_, p, casts := manyCasts(1, 50)
	want := slices.Clone(p.CastBatch(casts, systems.Filter{}, nil))
	inner := 0
	got := p.CastBatch(casts, systems.Filter{Accept: func(donburi.Entity) bool {
		inner += len(p.CastBatch(casts[:3], systems.Filter{}, nil))
		return true
	}}, nil)
	if !slices.Equal(got, want) || inner == 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestABatchOfCastsAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	for _, workers := range []int{1, 2} {
		w, p, casts := manyCasts(workers, 1000)
		var hits []systems.CastHit
		ask := func() { hits = p.CastBatch(casts, systems.Filter{Sensors: true}, hits) }
		expectBatchWithoutAllocations(t, workers, w, p, ask)
	}
}

// expectBatchWithoutAllocations fails if ask, which makes a batch of queries, allocates when it is
// warm.
func expectBatchWithoutAllocations(t *testing.T, workers int, w donburi.World, p *systems.Physics, ask func()) {
	t.Helper()
	for range 20 {
		p.Step(w)
		ask()
	}
	if n := testing.AllocsPerRun(20, ask); n > 0 {
		t.Errorf("%d workers: %v allocations in a batch", workers, n)
	}
}
