package systems_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// constantFloor is a floor of constant tiles of 1 m, and a ball that falls on the tile at x = 0.
type constantFloor struct {
	w     donburi.World
	tiles []*donburi.Entry
	ball  *donburi.Entry
}

func newConstantFloor() *constantFloor {
	f := &constantFloor{w: donburi.NewWorld()}
	for i := range 200 {
		f.tiles = append(f.tiles, spawn(f.w, at(float64(i), 0, 0), square(0.5), components.ConstantData{}))
	}
	f.ball = ball(f.w, vec(0, 0.25, 0), vec(0, 0, 0), 0.25)
	return f
}

func TestConstantPolygonsMayBeCreatedAndRemoved(t *testing.T) {
	for name, change := range map[string]func(f *constantFloor){
		"removed": func(f *constantFloor) { f.tiles[0].Remove() },
		"another one is created": func(f *constantFloor) {
			f.tiles[0].Remove()
			spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
		},
		"another one was created before": func(f *constantFloor) {
			spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
			f.tiles[0].Remove()
		},
		"not constant any more, and moved away": func(f *constantFloor) {
			f.tiles[0].RemoveComponent(components.Constant)
			set(f.tiles[0], at(0, -50, 0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newConstantFloor()
			p := onEarth()
			steps(t, f.w, p, 10)
			if y := position(f.ball).Y; !near(y, 0.25, 1e-9) {
				t.Fatalf("on the tile the ball is at height %v, want 0.25", y)
			}
			change(f)
			steps(t, f.w, p, 30)
			if y := position(f.ball).Y; y > -0.5 {
				t.Errorf("without the tile the ball is at height %v, want it to fall", y)
			}
		})
	}
}

func TestAConstantPolygonThatIsCreatedLaterIsSolid(t *testing.T) {
	f := newConstantFloor()
	p := onEarth()
	steps(t, f.w, p, 10)
	spawn(f.w, at(-50, 0, 0), square(0.5), components.ConstantData{})
	b := ball(f.w, vec(-50, 0.25, 0), vec(0, 0, 0), 0.25)
	steps(t, f.w, p, 30)
	if y := position(b).Y; !near(y, 0.25, 1e-9) {
		t.Errorf("the ball is at height %v, want 0.25: on the new tile", y)
	}
}

// What makes a component constant is that its changes need not be looked for.
func TestAConstantPolygonStaysWhereItWasRead(t *testing.T) {
	f := newConstantFloor()
	p := onEarth()
	steps(t, f.w, p, 10)
	components.Transform.Get(f.tiles[0]).Position.Y = -50
	steps(t, f.w, p, 30)
	if y := position(f.ball).Y; !near(y, 0.25, 1e-9) {
		t.Errorf("the ball is at height %v, want 0.25", y)
	}
}

// An invalid entity is reported in every step, constant or not.
func TestAnInvalidConstantEntityIsReportedInEveryStep(t *testing.T) {
	f := newConstantFloor()
	spawn(f.w, at(0, 0, 0), components.PolygonColliderData{}, components.ConstantData{})
	p := onEarth()
	for n := range 5 {
		p.Step(f.w)
		if got := len(errorsOf(p)); got != 1 {
			t.Fatalf("step %d: %d errors, want 1", n, got)
		}
	}
}

// One tile leaves its table, another one comes into it, and a third is removed: there are as many
// as the world has reported, but not the same.
func TestAConstantTileIsFoundThatTakesThePlaceOfAnother(t *testing.T) {
	f := newConstantFloor()
	p := onEarth()
	steps(t, f.w, p, 10)
	f.tiles[1].AddComponent(components.Material)
	e := spawn(f.w, at(-50, 0, 0), square(0.5))
	e.AddComponent(components.Constant)
	f.tiles[2].Remove()
	b := ball(f.w, vec(-50, 0.25, 0), vec(0, 0, 0), 0.25)
	steps(t, f.w, p, 30)
	if y := position(b).Y; !near(y, 0.25, 1e-9) {
		t.Errorf("the ball is at height %v, want 0.25: on the new tile", y)
	}
}

// Whatever the game creates, removes and changes, rays find the same tiles whether they have a
// Constant or are read in each step.
func TestConstantTilesThatComeAndGoAreAsThoseThatAreReadInEachStep(t *testing.T) {
	const side = 12
	for seed := range slow.Cases(60) {
		var found [2][]bool
		for constant := range 2 {
			rng := rand.New(rand.NewPCG(uint64(seed), 5))
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			var tiles, fresh, read []*donburi.Entry // of this step, and of that before
			create := func(extra bool) {
				where := at(float64(rng.IntN(side)), 0, float64(rng.IntN(side)))
				all := []any{where, square(0.4)}
				if constant == 1 {
					all = append(all, components.ConstantData{})
				}
				if extra {
					all = append(all, components.MaterialData{Friction: 0.5})
				}
				e := spawn(w, all...)
				tiles, fresh = append(tiles, e), append(fresh, e)
			}
			for range 30 {
				create(rng.IntN(2) == 0)
			}
			for range 40 {
				for range rng.IntN(4) {
					switch k := rng.IntN(len(tiles)); rng.IntN(10) {
					case 0, 1, 2:
						tiles[k].Remove()
						tiles = slices.Delete(tiles, k, k+1)
					case 3, 4, 5:
						create(rng.IntN(2) == 0)
					case 6:
						if !tiles[k].HasComponent(components.CollisionFilter) {
							tiles[k].AddComponent(components.CollisionFilter)
						}
					case 7:
						if all := slices.Concat(fresh, read); len(all) > 0 { // those may change
							if e := all[rng.IntN(len(all))]; e.Valid() {
								set(e, at(float64(rng.IntN(side)), 0, float64(rng.IntN(side))))
							}
						}
					case 8:
						if constant == 1 && tiles[k].HasComponent(components.Constant) {
							tiles[k].RemoveComponent(components.Constant)
						}
					case 9:
						create(false) // and at once
						tiles[len(tiles)-1].Remove()
						tiles = tiles[:len(tiles)-1]
					}
				}
				read, fresh = fresh, nil
				p.Step(w)
				expectNoErrors(t, p)
				for k := range side * side {
					_, hit := p.RayCast(vec(float64(k%side), 1, float64(k/side)), vec(0, -1, 0), 2, systems.Filter{})
					found[constant] = append(found[constant], hit)
				}
			}
		}
		if !slices.Equal(found[0], found[1]) {
			t.Fatalf("seed %d: rays find other tiles if these have a Constant", seed)
		}
	}
}
