package systems_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// randomGame is a game that makes random changes between the systems, whether they make sense or
// not.
type randomGame struct {
	random *rand.Rand
	world  donburi.World
	all    []*donburi.Entry
}

// newRandomGame returns balls, crates and a kinematic group over a floor of tiles on a plane.
func newRandomGame(seed uint64) *randomGame {
	g := &randomGame{random: rand.New(rand.NewPCG(seed, 77)), world: donburi.NewWorld()}
	w := g.world
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	for x := range 4 {
		for z := range 4 {
			spawn(w, at(float64(x)*2-3, 0.1, float64(z)*2-3), square(1))
		}
	}
	leader := spawn(w, at(0, 3, 0), moving(0.3, 0, 0), sphere(0.3), components.BodyData{Kind: components.Kinematic})
	for range 3 {
		p := g.position()
		g.add(at(p.X, p.Y, p.Z), moving(0, 0, 0), sphere(0.2), components.KinematicGroupData{Leader: leader.Entity()})
	}
	for k := range 60 {
		p := g.position()
		switch {
		case k%7 == 0:
			g.add(at(p.X, p.Y, p.Z), sphere(0.2)) // static
		case k%11 == 0:
			box := components.ShapeColliderData{Shape: collide.Box{Half: vec(0.2, 0.2, 0.2)}}
			g.add(at(p.X, p.Y, p.Z), moving(0, 0, 0), box)
		case k%5 == 0:
			g.add(at(p.X, p.Y, p.Z), moving(0, 0, 0), sphere(0.2), turning(0, 1, 0), rough(0.5))
		default:
			g.add(at(p.X, p.Y, p.Z), moving(0, 0, 0), sphere(0.2))
		}
	}
	return g
}

func (g *randomGame) add(parts ...any) { g.all = append(g.all, spawn(g.world, parts...)) }

func (g *randomGame) position() collide.Vec3 {
	r := g.random
	return vec(r.Float64()*6-3, 0.3+r.Float64()*3, r.Float64()*6-3)
}

// changeSome changes some entities now and then.
func (g *randomGame) changeSome() {
	if g.random.IntN(4) > 0 {
		return
	}
	for range 1 + g.random.IntN(4) {
		if e := g.all[g.random.IntN(len(g.all))]; e.Valid() {
			g.change(e)
		}
	}
}

func (g *randomGame) change(e *donburi.Entry) {
	r, where := g.random, components.Transform.Get(e)
	toggle := func(c donburi.IComponentType) {
		if e.HasComponent(c) {
			e.RemoveComponent(c)
		} else {
			e.AddComponent(c)
		}
	}
	switch zero := math.Copysign(0, float64(r.IntN(2)*2-1)); r.IntN(12) {
	case 0, 1:
		toggle(components.Force)
		if e.HasComponent(components.Force) {
			components.Force.Get(e).Force = vec(r.NormFloat64()*3, 5, 0)
		}
	case 2:
		if r.IntN(5) == 0 {
			e.Remove()
		}
	case 3:
		where.Position = g.position()
	case 4, 5:
		if e.HasComponent(components.Velocity) {
			components.Velocity.Get(e).Linear = vec(zero, 0, 0)
		}
	case 6:
		p := g.position()
		g.add(at(p.X, p.Y, p.Z), moving(0, 0, 0), sphere(0.2))
	case 7:
		toggle(components.Velocity)
	case 8:
		where.Position.X = zero
	case 9:
		where.Position.X += 1e-9 * float64(r.IntN(3)-1)
	case 10:
		if where.Position.X = math.NaN(); r.IntN(2) == 0 {
			where.Position.X = 0
		}
	case 11:
		toggle(components.Material)
	}
}

// step makes a step in one of several ways.
func (g *randomGame) step(p *systems.Physics) {
	e := newECS(g.world)
	switch g.random.IntN(5) {
	case 0, 1:
		p.Step(g.world)
	case 2:
		p.Broadphase(e)
		g.changeSome()
		p.Sweep(e)
		g.changeSome()
		p.Response(e)
	case 3:
		p.Sync(g.world)
		g.changeSome()
		p.Step(g.world)
	case 4:
		p.Broadphase(e)
		g.changeSome()
		p.Broadphase(e)
		g.changeSome()
		p.Response(e)
	}
	g.changeSome()
}

// Whatever the game changes or removes between the systems, and however often it calls them, each
// step ends, and any number of workers comes to the same. In some, such as 8 and 51, a body that
// was removed within a step was predicted all the same. In 391, a ball that fell asleep in its
// first contact met the floor again and again, on an arc that it was no longer on.
func TestStepsEndWhateverTheGameDoesBetweenTheSystems(t *testing.T) {
	seeds := []uint64{391}
	slow.Skip(t, slow.Emulated, slow.Hashed)
	for k := range slow.Cases(400) {
		seeds = append(seeds, uint64(k))
	}
	for _, seed := range seeds {
		run := func(workers int) uint64 {
			g, h := newRandomGame(seed), fnv.New64a()
			c := systems.Config{Workers: workers, Parabolic: g.random.IntN(4) == 0}
			if g.random.IntN(3) > 0 {
				c.Gravity = vec(0, -earth, 0)
			}
			p := systems.NewPhysics(c)
			for range 150 {
				g.step(p)
				for _, e := range g.all {
					if !e.Valid() {
						continue
					}
					fmt.Fprint(h, *components.Transform.Get(e))
					if e.HasComponent(components.Velocity) {
						fmt.Fprint(h, *components.Velocity.Get(e))
					}
				}
			}
			return h.Sum64()
		}
		if one, three := run(1), run(3); one != three {
			t.Errorf("seed %d: one worker and three differ", seed)
		}
	}
}
