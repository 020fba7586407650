package systems_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// twoWorlds returns the same world twice: balls that fall into a bin, settle and are hit by a fast
// one, with a kinematic ball that pushes through them.
func twoWorlds(workers int) (w [2]donburi.World, p [2]*systems.Physics, balls [2][]*donburi.Entry) {
	for k := range w {
		w[k] = donburi.NewWorld()
		p[k] = systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		balls[k] = pouredInto(w[k], 40, 9, []any{grippy}, grippy, turning(0, 0, 0))
		balls[k] = append(balls[k],
			ball(w[k], vec(-1.2, 0.3, 0), vec(0.4, 0, 0), 0.25, components.BodyData{Kind: components.Kinematic}),
			ball(w[k], vec(0, 30, 0), vec(0, -20, 0), 0.3, bouncy(0.5)))
	}
	return w, p, balls
}

// Step and the systems that AddTo adds do the same: the same bits, events and counts in every step,
// whether the game looks at what the stages have found or not.
func TestStepAndTheThreeSystemsAgree(t *testing.T) {
	for _, inspects := range []bool{false, true} {
		t.Run(fmt.Sprint("inspected ", inspects), func(t *testing.T) {
			w, p, balls := twoWorlds(1)
			game := newECS(w[1])
			impacts := 0
			for step := range fewer(400) {
				p[0].Step(w[0])
				p[1].Broadphase(game)
				if inspects {
					for range p[1].Candidates() {
						impacts++
					}
				}
				p[1].Sweep(game)
				if inspects {
					for range p[1].FirstImpacts() {
						impacts++
					}
				}
				p[1].Response(game)
				for i := range balls[0] {
					a, b := balls[0][i], balls[1][i]
					if position(a) != position(b) || velocity(a) != velocity(b) {
						t.Fatalf("step %d: ball %d: Step has it at %v, the systems at %v", step, i, position(a), position(b))
					}
				}
				if a, b := fmt.Sprint(eventsOf(p[0])), fmt.Sprint(eventsOf(p[1])); a != b {
					t.Fatalf("step %d: events: Step has %v, the systems %v", step, a, b)
				}
				a, b := p[0].Stats(), p[1].Stats()
				a.Gather, a.Broadphase, a.Sweep, a.Response, a.Scatter = b.Gather, b.Broadphase, b.Sweep, b.Response, b.Scatter
				if a != b {
					t.Fatalf("step %d: counts: Step has %+v, the systems %+v", step, a, b)
				}
			}
			if inspects && impacts == 0 {
				t.Error("there was nothing to look at")
			}
		})
	}
}

// What Broadphase finds is taken by Step, with the vetoes that came in between: two balls pass
// through each other that would meet otherwise.
func TestAVetoBetweenBroadphaseAndStepIsKept(t *testing.T) {
	for _, after := range []string{"Broadphase", "Sweep"} {
		w, p, a, b, _, _ := meeting()
		game := newECS(w)
		p.Broadphase(game)
		if after == "Sweep" {
			p.Sweep(game)
		}
		p.Veto(a.Entity(), b.Entity())
		p.Step(w)
		expectVelocity(t, "after "+after+": passed through, and back from the wall", a, vec(-20, 0, 0), 1e-12)
		expectVelocity(t, "after "+after+": not hit", b, vec(0, 0, 0), 0)
	}
}

// A ball that rests on another touches it. A step in which the two are kept from meeting ends that
// contact; the next one begins it again.
func TestAVetoedPairIsNotInContacts(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 5})
	high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
	p := onEarth()
	steps(t, w, p, 90)
	touches := func() bool {
		return slices.Contains(slices.Collect(p.Touching(high.Entity())), low.Entity())
	}
	if !touches() {
		t.Fatal("they don't touch: the test shows nothing")
	}
	p.Broadphase(newECS(w))
	p.Veto(high.Entity(), low.Entity())
	p.Step(w)
	ends := slices.Collect(p.ContactEnds())
	if touches() || len(ends) != 1 {
		t.Errorf("with a veto: touching %v, ends %v; want neither to touch and one end", touches(), ends)
	}
	if y := position(high).Y; !(y < 1.5) || math.IsNaN(y) {
		t.Errorf("with a veto: the upper ball is at %v, want it to begin to fall", y)
	}
	p.Step(w)
	if !touches() {
		t.Error("a step later: they don't touch")
	}
}

// A veto of two balls that are in one heap, and asleep, wakes them and lets the one fall.
func TestAVetoWakesASleepingPair(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	low := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 5})
	high := ball(w, vec(0, 1.5, 0), vec(0, 0, 0), 0.5)
	p := onEarth()
	steps(t, w, p, 180)
	if !p.Asleep(high.Entity()) {
		t.Fatal("it doesn't sleep: the test shows nothing")
	}
	before := position(high).Y
	for range 10 {
		p.Broadphase(newECS(w))
		p.Veto(low.Entity(), high.Entity())
		p.Step(w)
	}
	if fall := before - position(high).Y; !(fall > 0.1) {
		t.Errorf("it fell by %v m in ten steps, want some 0.13", fall)
	}
}

// With AddTo, as with Step, most of a gas's time goes into Response, and Broadphase and Sweep do
// work of their own. This test counts what each leaves behind; times are for bench/scene.
func TestEachSystemDoesItsOwnWork(t *testing.T) {
	w := donburi.NewWorld()
	gas(w, 200)
	p := systems.NewPhysics(systems.Config{Workers: 1})
	game := newECS(w)
	candidates, first, impacts := 0, 0, 0
	for range 30 {
		p.Broadphase(game)
		for range p.FirstImpacts() {
			t.Fatal("there are impacts before Sweep")
		}
		for range p.Candidates() {
			candidates++
		}
		p.Sweep(game)
		for range p.FirstImpacts() {
			first++
		}
		p.Response(game)
		impacts += p.Stats().Impacts
	}
	if candidates == 0 || first == 0 || impacts == 0 {
		t.Errorf("%d candidates, %d first impacts, %d impacts: want some of each", candidates, first, impacts)
	}
}
