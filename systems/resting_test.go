package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestBallsThatRideOnEachOtherKeepTheirSpeed(t *testing.T) {
	// A column glides over the floor. What each carries must cost it nothing, and no budget.
	for _, mass := range []float64{1, 5, 0.2} {
		for _, slide := range []bool{false, true} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			var column []*donburi.Entry
			for k := range 5 {
				b := ball(w, vec(0, 10+20*float64(k), 0), vec(100, 0, 0), 10, components.BodyData{Mass: math.Pow(mass, float64(k))})
				if slide {
					b.AddComponent(components.Sliding)
				}
				column = append(column, b)
			}
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -900, 0)})
			spent := 0
			for range 120 {
				p.Step(w)
				spent += p.Stats().SpentBudgets
			}
			expectNoErrors(t, p)
			for k, b := range column {
				x, v := components.Transform.Get(b).Position, components.Velocity.Get(b).Linear
				// Those that hold each other part by up to 2^-9 of a radius each, at 1e-5 m/s at most: gravity says that a metre is 92 of this world's units here.
				gap := x.Y - 10 - 20*float64(k)
				if x.Distance(vec(200, x.Y, 0)) > 1e-6 || gap < -1e-6 || gap > 1e-6+0x1p-9*10*float64(k+1) || v.Distance(vec(100, v.Y, 0)) > 1e-6 || math.Abs(v.Y) > 1e-5*92 {
					t.Errorf("mass ratio %v, slide %v: ball %d is at %v and moves at %v", mass, slide, k, x, v)
				}
			}
			if spent > 0 {
				t.Errorf("mass ratio %v, slide %v: %d budgets spent", mass, slide, spent)
			}
		}
	}
}

func TestWalkingOverTilesNeverLosesTheGround(t *testing.T) {
	for _, speed := range []float64{1, 137.3, 1000} {
		w := donburi.NewWorld()
		for k := range 120 {
			x := float64(k) * 16
			components.CreatePolygon(w, []collide.Vec3{{X: x, Z: 50}, {X: x + 16, Z: 50}, {X: x + 16, Z: -50}, {X: x, Z: -50}})
		}
		hero := ball(w, vec(8, 12, 0), vec(speed, 0, 0), 12, components.SlidingData{})
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -900, 0)})
		p.Step(w)
		open := map[donburi.Entity]int{}
		for step := range int(1500/speed*60) % 1000 {
			for range p.Touching(hero.Entity()) {
				open[hero.Entity()]++
			}
			if open[hero.Entity()] == 0 {
				t.Fatalf("speed %v: no ground after step %d", speed, step)
			}
			open[hero.Entity()] = 0
			p.Step(w)
			if v := components.Velocity.Get(hero).Linear; v.Distance(vec(speed, 0, 0)) > 1e-9*speed {
				t.Fatalf("speed %v: moves at %v after step %d", speed, v, step)
			}
		}
	}
}

func TestBodiesInOnePlacePartTheSameWayWhateverTheirOrder(t *testing.T) {
	run := func(order []int) (at [3]collide.Vec3) {
		w := donburi.NewWorld()
		var entries [3]*donburi.Entry
		for _, k := range order {
			entries[k] = ball(w, vec(1, 2, 0), vec(0, 0, 0), 1+float64(k%2), components.BodyData{Mass: float64(k + 1)})
		}
		p := systems.NewPhysics(systems.Config{})
		for range 60 {
			p.Step(w)
		}
		for k, e := range entries {
			at[k] = components.Transform.Get(e).Position
		}
		return at
	}
	want := run([]int{0, 1, 2})
	if want[0] == want[1] || want[1] == want[2] {
		t.Errorf("they don't part: %v", want)
	}
	for _, order := range [][]int{{2, 1, 0}, {1, 0, 2}, {1, 2, 0}} {
		if got := run(order); got != want {
			t.Errorf("created in the order %v: got %v, want %v", order, got, want)
		}
	}
}

func TestATeleportLeavesNoStreakBehind(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	p.Advance(w, 1.5/60)
	components.Transform.Get(b).Position = vec(1000, 0, 0)
	p.Sync(w)
	if got, ok := p.Interpolated(b.Entity()); !ok || got.Position != vec(1000, 0, 0) {
		t.Errorf("got %v, %v, want where it was put", got, ok)
	}
}

func TestWhatIsCrushedIsNotThrown(t *testing.T) {
	// A press comes down on a ball that lies on the floor.
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	spawn(w, at(0, 2, 0), moving(0, -0.1, 0), plane(0, -1, 0))
	under := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for step := range 30 {
		p.Step(w)
		if p.Stats().Blocked == 0 {
			t.Fatalf("step %d: nothing blocks the press", step)
		}
		if v, x := components.Velocity.Get(under).Linear, components.Transform.Get(under).Position; v.Length() > 1e-12 || x.Distance(vec(0, 1, 0)) > 1e-12 {
			t.Fatalf("step %d: the ball is at %v and moves at %v", step, x, v)
		}
	}
}

// A player who keeps pushing at a wall is stopped in each step, and Velocity says so, however the systems are run.
func TestWhoPushesAtAWallIsStoppedInEveryStep(t *testing.T) {
	for _, how := range []string{"Step", "one by one"} {
		t.Run(how, func(t *testing.T) {
			w := donburi.NewWorld()
			p := systems.NewPhysics(systems.Config{})
			e := newECS(w)
			player := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, components.SlidingData{})
			wall(w, vec(1, 0, 0), vec(-1, 0, 0))
			for k := range 60 {
				components.Velocity.Get(player).Linear = vec(3, 0, 0)
				if how == "Step" {
					p.Step(w)
				} else {
					p.Broadphase(e)
					p.Sweep(e)
					p.Response(e)
				}
				if v := velocity(player); k > 12 && v != (collide.Vec3{}) {
					t.Fatalf("step %d: velocity %v at %v", k, v, position(player))
				}
			}
			expectPosition(t, "the player", player, vec(0.5, 0, 0), 1e-9)
		})
	}
}
