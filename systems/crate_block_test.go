package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// blockFloors are floors for a block of crates of 1 m between 0 and 3 in X and Z.
var blockFloors = map[string]func(w donburi.World){
	"plane": func(w donburi.World) { wall(w, vec(0, 0, 0), vec(0, 1, 0)) },
	"tiles with the edges of the crates": func(w donburi.World) {
		for i := range 25 {
			components.CreateBox(w, vec(float64(i%5)-0.5, -0.5, float64(i/5)-0.5), vec(0.5, 0.5, 0.5))
		}
	},
	"a pit of tiles that the crates fill": func(w donburi.World) {
		for i := range 25 {
			x, z, top := i%5-1, i/5-1, 0
			if x < 0 || x > 2 || z < 0 || z > 2 {
				top = 3
			}
			for y := range top + 1 {
				at := vec(float64(x)+0.5, float64(y)-0.5, float64(z)+0.5)
				components.CreateBox(w, at, vec(0.5, 0.5, 0.5))
			}
		}
	},
	"polygons": func(w donburi.World) {
		for i := range 25 {
			x, z := float64(i%5-1), float64(i/5-1)
			components.CreatePolygon(
				w, []collide.Vec3{vec(x, 0, z), vec(x, 0, z+1), vec(x+1, 0, z+1), vec(x+1, 0, z)},
			)
		}
	},
}

// Crates that touched side by side had contacts at their edges with all neighbours, also with those
// above and below, which bore weight in changing directions. A block of 27 never came to rest, and
// one of 216 crept 9 cm in a minute.
func TestABlockOfCratesThatTouchComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, floor := range blockFloors {
		for _, shape := range []collide.Shape{collide.Box{Half: vec(0.5, 0.5, 0.5)}, cubicHull(t, 0.5)} {
			for _, friction := range []float64{0, 0.5} {
				w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
				floor(w)
				var crates []*donburi.Entry
				var start []collide.Vec3
				for i := range 27 {
					at := vec(float64(i%3)+0.5, float64(i/9)+0.5, float64(i/3%3)+0.5)
					e := components.CreateShapeBody(w, at, shape)
					components.Material.Get(e).Friction = friction
					crates, start = append(crates, e), append(start, at)
				}
				stepCrates(t, p, w, 60)
				for i, e := range crates {
					if d := components.Transform.Get(e).Position.Distance(start[i]); d > 1e-6 || !p.Asleep(e.Entity()) {
						t.Errorf("%s, %T, friction %v: crate %d moved by %.3g m, asleep: %v",
							name, shape, friction, i, d, p.Asleep(e.Entity()))
						break
					}
				}
			}
		}
	}
}

// The same contacts kept a wall of crates trembling after a hit, until columns fell half a minute
// later.
func TestAWallOfCratesThatABallHasHitComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range 3 {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		for i := range 6 * 6 * 2 {
			at := vec(float64(i%6), float64(i/12)+0.5, float64(i/6%2))
			e := components.CreateCrate(w, at, vec(0.5, 0.5, 0.5))
			components.Body.Get(e).Mass = 10
			components.Material.SetValue(e, components.MaterialData{Friction: 0.5})
		}
		b := components.CreateBall(w, vec(1.3+float64(seed), 2.7, -6), 0.4)
		components.Body.Get(b).Mass = 5
		components.Velocity.Get(b).Linear.Z = 30 + 5*float64(seed)
		stepCrates(t, p, w, 90)
		w.Remove(b.Entity())
		stepCrates(t, p, w, 300)
		if s := p.Stats(); s.Asleep != s.Bodies {
			t.Errorf("ball at %v m/s: %d of %d asleep after 6.5 s", 30+5*seed, s.Asleep, s.Bodies)
		}
	}
}

// A crate that touches another one's edge with its own is not held by it: it falls into a shaft
// that is as wide as it.
func TestACrateFallsIntoAShaftOfItsWidth(t *testing.T) {
	for _, dynamic := range []bool{false, true} {
		t.Run(fmt.Sprint(dynamic), func(t *testing.T) {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			for _, x := range []float64{-1, 1} {
				if dynamic {
					components.Body.Get(components.CreateCrate(w, vec(x, 1, 0), vec(0.5, 1, 0.5))).Mass = 100
				} else {
					components.CreateBox(w, vec(x, 1, 0), vec(0.5, 1, 0.5))
				}
			}
			crate := components.CreateCrate(w, vec(0, 2.5, 0), vec(0.5, 0.5, 0.5))
			stepCrates(t, p, w, 120)
			if y := components.Transform.Get(crate).Position.Y; y > 0.5+1e-9 {
				t.Errorf("crate at height %v, want 0.5", y)
			}
		})
	}
}
