package bridge

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/randomgame"
	"github.com/dango-physics/dango/internal/slow"
)

// Several workers give the bits that one gives, whatever the game does and whenever. FuzzParts
// tries other seeds.
func TestPartsGiveTheBitsOfTheWholeWhateverTheGameDoes(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	steps := slow.Cases(200) // a random change each
	shared := 0
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { shared += comparePartsWithWhole(t, seed, steps) })
	}
	if shared < 7*steps { // of eight times as many
		t.Errorf("only %d steps were shared", shared)
	}
}

func FuzzParts(f *testing.F) {
	slow.Skip(f, slow.Emulated, slow.Hashed)
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { comparePartsWithWhole(t, seed, slow.Cases(300)) })
}

// comparePartsWithWhole plays a game twice, with one worker and with several, and returns how many
// steps the latter shared.
func comparePartsWithWhole(t *testing.T, seed uint64, steps int) (shared int) {
	halls := []collide.Vec3{{X: 30, Y: 3, Z: 2}, {X: 12, Y: 3, Z: 3}, {X: 20, Y: 0.5, Z: 0.5}}
	config, half := withWorkers(1), halls[seed/2%3]
	if seed%2 == 1 {
		config.Gravity.Y = -9.81
	}
	whole, parts := newGame(config, seed, half), newGame(config, seed, half)
	parts.p.space.Workers, parts.p.space.ForceParallelFrom = 2+int(seed/6%3), 4+int(seed/18%20)
	whole.furnish(0)
	parts.furnish(0)
	for step := range steps {
		whole.step()
		parts.step()
		got, want := parts.state(), whole.state()
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("step %d: got %s, want %s", step, got[i], want[i])
			}
		}
		if t.Failed() {
			t.FailNow()
		}
		if parts.p.stats.Sweeps != whole.p.stats.Sweeps {
			shared++
		}
	}
	return shared
}

// Several workers also read and write all other kinds of entities as one does: with all shapes,
// constants, groups, sensors and invalid values.
func TestPartsReadAndWriteAnyGameAsTheWholeDoes(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	for seed := range uint64(slow.Cases(16)) {
		whole, parts := newStepper(withWorkers(1)), newStepper(withWorkers(3))
		parts.parallel.rows = blockRows / 8
		games := [2]*randomgame.Game{}
		for k, p := range [2]*stepper{whole, parts} {
			games[k] = randomgame.New(seed, 200, randomgame.All)
			p.space.ForceParallelFrom = 10
		}
		for step := range 30 {
			var states [2]string
			for k, p := range [2]*stepper{whole, parts} {
				g := games[k]
				for range 10 {
					g.Change()
				}
				if step%3 == 0 {
					p.broadphase(g.World, false)
					g.Change()
				}
				p.step(g.World)
				states[k] = fmt.Sprint(p.errors, p.stats.Impacts, p.events())
				for _, e := range g.Entries {
					if e.Valid() && e.HasComponent(components.Transform) {
						states[k] += fmt.Sprint("\n", e.Entity(), *components.Transform.Get(e))
					}
				}
			}
			if states[0] != states[1] {
				t.Fatalf("seed %d, step %d: got %s, want %s", seed, step, states[1], states[0])
			}
		}
	}
}
