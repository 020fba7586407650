package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/yohamta/donburi"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
)

// Two crates that a game has put into each other stay so for as long as a third lies on both, if
// that is deeper in one of them than exactly on it, by 1e-13 m: each of them was an obstacle to the
// others, also along its faces.
func TestTwoCratesInEachOtherUnderAThirdComeApart(t *testing.T) {
	for _, deep := range []float64{-1e-9, 0, 1e-13, 1e-12, 1e-10, 1e-6, 1e-4} {
		for _, round := range []bool{false, true} {
			w, p := donburi.NewWorld(), onEarth()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			half := vec(0.25, 0.25, 0.25)
			all := []*donburi.Entry{
				components.CreateCrate(w, vec(0, 0.25, 0.19), half),
				components.CreateCrate(w, vec(0, 0.25, -0.19), half),
			}
			if round {
				all = append(all, components.CreateBall(w, vec(0, 0.75-deep, 0), 0.25))
			} else {
				all = append(all, components.CreateCrate(w, vec(0, 0.75-deep, 0.05), half))
			}
			what := fmt.Sprintf("%g m deep, a ball %v", deep, round)
			for range 60 {
				p.Step(w)
			}
			if gap := position(all[0]).Z - position(all[1]).Z - 0.5; gap < -1e-9 {
				t.Errorf("%s: after a second, the two are %.3g m in each other", what, -gap)
			}
			for range 240 {
				p.Step(w)
			}
			if n := p.Stats().Asleep; n != 3 {
				t.Errorf("%s: after 5 s, %d of 3 bodies sleep", what, n)
			}
		}
	}
}

// Several crates are put into the same place on a floor. Of 40 groups of 3, 8 never came apart.
func TestCratesInTheSamePlaceComeApart(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for n := 2; n <= 8; n++ {
		for seed := range slow.Cases(40) {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
			w, p := donburi.NewWorld(), onEarth()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			var crates []*donburi.Entry
			for range n {
				at := vec(0.2*r.Float64(), 0.25+0.2*r.Float64(), 0.2*r.Float64())
				crates = append(crates, components.CreateCrate(w, at, vec(0.25, 0.25, 0.25)))
			}
			for range 300 {
				p.Step(w)
			}
			for i, e := range crates {
				for _, o := range crates[:i] {
					if gap := position(e).Sub(position(o)).MaxAbs() - 0.5; gap < -1e-9 {
						t.Errorf("%d crates, seed %d: after 5 s, two are %.3g m in each other", n, seed, -gap)
					}
				}
			}
			for range 120 {
				p.Step(w)
			}
			if asleep := p.Stats().Asleep; asleep != n {
				t.Errorf("%d crates, seed %d: after 7 s, %d sleep", n, seed, asleep)
			}
		}
	}
}

// Two balls at one point have no normal. They come apart along an axis that isn't locked, and it
// doesn't matter which was created first.
func TestBallsAtOnePointComeApartWhateverAxesAreLocked(t *testing.T) {
	for locked := range components.AxisX | components.AxisY | components.AxisZ {
		for _, other := range []float64{0.5, 0.3} {
			var ends [2][2]collide.Vec3 // of the balls, for both orders of creation
			for swapped := range ends {
				w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
				balls := [2]*donburi.Entry{}
				for n := range balls {
					at, body := n^swapped, components.BodyData{Mass: 1, Locked: locked}
					balls[at] = ball(w, vec(1, 2, 3), vec(0, 0, 0), []float64{0.5, other}[at], body)
				}
				for range 120 {
					p.Step(w)
				}
				for n, b := range balls {
					ends[swapped][n] = position(b)
					moved := position(b).Sub(vec(1, 2, 3))
					for axis := range 3 {
						if locked>>axis&1 != 0 && moved.Component(axis) != 0 {
							t.Errorf("locked axes %b, radius %v: a ball moved by %v", locked, other, moved)
						}
					}
				}
				if gap := ends[swapped][0].Distance(ends[swapped][1]) - 0.5 - other; gap < -1e-9 {
					t.Errorf("locked axes %b, radius %v: after 2 s, they are %v m in each other", locked, other, -gap)
				}
			}
			if other != 0.5 && ends[0] != ends[1] {
				t.Errorf("locked axes %b: the balls end at %v, and if the smaller one was created first, at %v",
					locked, ends[0], ends[1])
			}
		}
	}
}

// A game merges two circles in a heap at rest into a larger one, which overlaps its neighbours.
// These overlaps grew, up to a radius, and in 5 of 12 heaps lasted for half a minute.
func TestACircleThatGrowsInAHeapComesFree(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range slow.Cases(12) {
		h := newMergeGame(uint64(seed))
		before := h.merge()
		for step := range 600 {
			h.p.Step(h.w)
			switch depth := h.deepest(); {
			case depth > before+0.1:
				t.Fatalf("seed %d, step %d: circles are %.3g m in each other, after %.3g m", seed, step, depth, before)
			case step == 599 && depth > 1e-9:
				t.Errorf("seed %d: after 10 s, two are %.3g m in each other", seed, depth)
			}
		}
		if n := h.p.Stats().Asleep; n != len(h.circles) {
			t.Errorf("seed %d: after 10 s, %d of %d circles sleep", seed, n, len(h.circles))
		}
	}
}

// mergeGame is a heap of circles at rest in a bin, of radii between 0.15 and 0.45 m.
type mergeGame struct {
	w       donburi.World
	p       *systems.Physics
	circles []*donburi.Entry
	rotates bool
}

func newMergeGame(seed uint64) *mergeGame {
	h := &mergeGame{w: donburi.NewWorld(), rotates: seed%2 == 0}
	h.p = systems.NewPhysics(systems.Config{Gravity: vec(0, -15, 0)})
	components.CreateBox2D(h.w, vec(0, -0.2, 0), 2.2, 0.2, 0)
	components.CreateBox2D(h.w, vec(-2.1, 5, 0), 0.1, 5.4, 0)
	components.CreateBox2D(h.w, vec(2.1, 5, 0), 0.1, 5.4, 0)
	r := rand.New(rand.NewPCG(seed, 1))
	for step := range 1200 {
		if step%12 == 0 && len(h.circles) < 60 {
			h.add(vec(-1.4+2.8*r.Float64(), 9, 0), 0.15+0.3*r.Float64())
		}
		h.p.Step(h.w)
	}
	return h
}

func (h *mergeGame) add(at collide.Vec3, radius float64) {
	var more []donburi.IComponentType
	if h.rotates {
		more = append(more, components.AngularVelocity)
	}
	e := components.CreateCircle2D(h.w, at, radius, more...)
	components.Body.Get(e).Mass = 100 * radius * radius
	components.Material.SetValue(e, components.MaterialData{Friction: 0.3, Restitution: 0.1})
	h.circles = append(h.circles, e)
}

// merge replaces the two lowest circles that touch by one with a fifth more area than both. It
// returns by how much that overlaps another one.
func (h *mergeGame) merge() float64 {
	var a, b *donburi.Entry
	lowest := math.Inf(1)
	for i, e := range h.circles {
		for _, o := range h.circles[:i] {
			x, y := position(e), position(o)
			if gap := x.Distance(y) - radiusOf(e) - radiusOf(o); gap < 0.01 && x.Y+y.Y < lowest {
				a, b, lowest = e, o, x.Y+y.Y
			}
		}
	}
	radius := 1.1 * math.Hypot(radiusOf(a), radiusOf(b))
	at := position(a).Add(position(b)).Scale(0.5)
	at.X, at.Y = min(max(at.X, radius-2), 2-radius), max(at.Y, radius)
	h.circles = slices.DeleteFunc(h.circles, func(e *donburi.Entry) bool { return e == a || e == b })
	a.Remove()
	b.Remove()
	h.add(at, radius)
	return h.deepest()
}

// deepest returns by how much two circles overlap at most.
func (h *mergeGame) deepest() float64 {
	depth := 0.0
	for i, e := range h.circles {
		for _, o := range h.circles[:i] {
			depth = max(depth, radiusOf(e)+radiusOf(o)-position(e).Distance(position(o)))
		}
	}
	return depth
}

func radiusOf(e *donburi.Entry) float64 { return components.SphereCollider.Get(e).Radius }

// A ball overlaps the floor of a level, and another ball pushes it towards a wall of the same
// entity. It went into the wall, which didn't count as long as the ball overlapped the floor.
func TestABallThatLeavesAFloorDoesNotEnterAWallOfTheSameLevel(t *testing.T) {
	floor := collide.Box{Center: vec(0, -1, 0), Half: vec(5, 1, 5)}
	side := collide.Box{Center: vec(1.05, 1, 0), Half: vec(0.05, 1, 5)}
	corners := []collide.Vec3{
		vec(-5, 0, -5), vec(-5, 0, 5), vec(5, 0, 5), vec(5, 0, -5),
		vec(1, 0, -5), vec(1, 0, 5), vec(1, 2, 5), vec(1, 2, -5),
	}
	mesh, err := collide.NewMesh(corners, []uint32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, level := range map[string]func(w donburi.World){
		"two boxes": func(w donburi.World) {
			components.CreateBox(w, floor.Center, floor.Half)
			components.CreateBox(w, side.Center, side.Half)
		},
		"compound": func(w donburi.World) {
			components.CreateCompound(w, vec(0, 0, 0), []components.ShapePart{{Shape: floor}, {Shape: side}})
		},
		"mesh": func(w donburi.World) { components.CreateMesh(w, vec(0, 0, 0), mesh) },
	} {
		w, p := donburi.NewWorld(), onEarth()
		level(w)
		a, b := components.CreateBall(w, vec(0.5, 0.45, 0), 0.5), components.CreateBall(w, vec(-0.2, 0.5, 0), 0.5)
		for step := range 120 {
			p.Step(w)
			if x := position(a).X; x > 0.5+1e-9 {
				t.Fatalf("%s, step %d: the ball is %.3g m in the wall", name, step, x-0.5)
			}
		}
		if gap := position(a).Distance(position(b)) - 1; gap < -1e-9 || position(a).Y < 0.5-1e-9 {
			t.Errorf("%s: after 2 s, the balls are %.3g m in each other, one at %v", name, -gap, position(a))
		}
	}
}

// A light ball is inside a wall, with a heavy crate behind it. It moved that by the ratio of their
// masses in each pass, and never came out.
func TestALightBallComesOutOfAWallBesideAHeavyCrate(t *testing.T) {
	for _, mass := range []float64{1, 100, 1e4, 1e6} {
		for _, crates := range []int{1, 4} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			wall(w, vec(0, 0, 0), vec(1, 0, 0))
			b := components.CreateBall(w, vec(0.15, 0, 0), 0.2)
			for k := range crates {
				crate := components.CreateCrate(w, vec(0.35+0.25+0.5*float64(k), 0, 0), vec(0.25, 0.25, 0.25))
				components.Body.Get(crate).Mass = mass
			}
			for range 40 {
				p.Step(w)
			}
			if x := position(b).X; x < 0.2-1e-9 {
				t.Errorf("%d crates of %v kg: after 40 steps, the ball is %.3g m in the wall", crates, mass, 0.2-x)
			}
		}
	}
}
