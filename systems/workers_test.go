package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A scene that is large enough to be divided into subdomains is run with several orders of creation
// and numbers of workers. Everything observable must be equal: positions, velocities, events and
// their order, contacts, stats.
func TestResultsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	const steps = 10
	var want []string
	for _, workers := range slow.Workers(1, 2, 3, 8) {
		for shuffle := range uint64(2) {
			got := observe(t, workers, shuffle, steps)
			if want == nil {
				want = got
				continue
			}
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%d workers, order %d: got %s, want %s", workers, shuffle, got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%d workers, order %d: got %d things to see, want %d", workers, shuffle, len(got), len(want))
			}
		}
	}
}

// observe describes everything observable of 5,000 spheres of all kinds and some capsules in a long
// room, by their numbers in the scene.
func observe(t *testing.T, workers int, shuffle uint64, steps int) (seen []string) {
	w := donburi.NewWorld()
	r := rand.New(rand.NewPCG(3, 4))
	half := vec(50, 5, 5)
	var births []func() donburi.Entity
	for _, n := range []collide.Vec3{
		vec(1, 0, 0), vec(-1, 0, 0), vec(0, 1, 0), vec(0, -1, 0), vec(0, 0, 1),
		vec(0, 0, -1),
	} {
		births = append(births, func() donburi.Entity {
			return wall(w, n.Scale(-math.Abs(n.Dot(half))-0.5), n, bouncy(0.5)).Entity()
		})
	}
	for x := range 100 {
		for y := range 7 {
			for z := range 7 {
				p := vec(float64(x)-49.5, 1.5*float64(y)-4.5, 1.5*float64(z)-4.5)
				v := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(60)
				radius, kind := 0.2+float64(0.25*r.Float64()), r.IntN(40)
				births = append(births, func() donburi.Entity {
					switch kind {
					case 0:
						return spawn(w, at(p.X, p.Y, p.Z), sphere(2*radius), components.SensorData{}).Entity()
					case 1:
						return ball(w, p, v.Scale(0.1), radius,
							components.BodyData{Kind: components.Kinematic}).Entity()
					case 2, 3:
						return spawn(w, at(p.X, p.Y, p.Z), sphere(radius)).Entity()
					case 4, 5, 6, 7:
						return ball(w, p, v, radius, components.SlidingData{}).Entity()
					}
					return ball(w, p, v, radius, bouncy(0.6)).Entity()
				})
			}
		}
	}
	for k := range 10 { // pairs that cross
		p := vec(float64(k/2*20)-40, 0, 0)
		half := vec(2, 0, float64(k%2*4)-2)
		births = append(births, func() donburi.Entity {
			return spawn(w, at(p.X, p.Y, p.Z), capsule(half, 0.3), bouncy(0.3), rough(0.1*half.Z+0.2)).Entity()
		})
	}
	all, number := [5000]donburi.Entity{}, map[donburi.Entity]int{}
	order := rand.New(rand.NewPCG(shuffle, 0)).Perm(len(births))
	for _, i := range order {
		e := births[i]()
		all[i], number[e] = e, i
	}
	pair := func(a, b donburi.Entity, normal collide.Vec3) string {
		i, j := number[a], number[b]
		if i > j {
			i, j, normal = j, i, normal.Neg()
		}
		return fmt.Sprint(i, " and ", j, normal.Add(collide.Vec3{})) // no -0
	}
	p := systems.NewPhysics(systems.Config{Workers: workers, Gravity: vec(0, -9.81, 0)})
	for range steps {
		p.Step(w)
		for e := range p.Impacts() {
			seen = append(seen, fmt.Sprint("impact of ", pair(e.A, e.B, e.Normal), e.Time, e.Point, e.Approach,
				e.Impulse))
		}
		for e := range p.ContactBegins() {
			seen = append(seen, fmt.Sprint("contact of ", pair(e.A, e.B, e.Normal), e.Time, e.Point, e.Sensor))
		}
		ends := 0
		for e := range p.ContactEnds() { // contacts that end by separation are in the order of entities
			ends++
			if e.Time < 1.0/60 {
				seen = append(seen, fmt.Sprint("end of ", pair(e.A, e.B, vec(0, 0, 0)), e.Time, e.Sensor))
			}
		}
		s := p.Stats()
		seen = append(seen, fmt.Sprint("ends, impacts, jammed, spent, blocked: ", ends, s.Impacts, s.Jammed,
			s.SpentBudgets, s.Blocked))
	}
	expectNoErrors(t, p)
	for i, e := range all[:len(births)] {
		entry := w.Entry(e)
		seen = append(seen, fmt.Sprint("at the end ", i, components.Transform.Get(entry).Position))
		if entry.HasComponent(components.Velocity) {
			seen = append(seen, fmt.Sprint("at the end ", i, components.Velocity.Get(entry).Linear))
		}
		touching := 0
		for range p.Contacts(e) {
			touching++
		}
		seen = append(seen, fmt.Sprint(i, " touches ", touching))
	}
	return seen
}

// The number of subdomains was computed again after a query of the candidates, when nothing moved
// any more. That once was a division by zero.
func TestCandidatesAfterAllBodiesHaveStopped(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Workers: 2})
	var all []*donburi.Entry
	for i := range 4000 {
		at := vec(float64(i%20)*3, float64(i/20%20)*3, float64(i/400)*3)
		all = append(all, ball(w, at, vec(1, 0.5, 0.25), 0.5, bouncy(1)))
	}
	for range 3 {
		p.Step(w)
	}
	var want []collide.Vec3
	for _, e := range all {
		components.Velocity.Get(e).Linear = collide.Vec3{}
		want = append(want, components.Transform.Get(e).Position)
	}
	e := newECS(w)
	p.Broadphase(e)
	for c := range p.Candidates() {
		t.Errorf("%v is a candidate, and nothing moves", c)
	}
	p.Sweep(e)
	p.Response(e)
	for i, e := range all {
		if got := components.Transform.Get(e).Position; got != want[i] {
			t.Fatalf("ball %d moved from %v to %v", i, want[i], got)
		}
	}
}
