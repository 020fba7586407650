package systems_test

import (
	"fmt"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// pusher is a kinematic sphere.
func pusher(w donburi.World, p, v collide.Vec3, radius float64, more ...any) *donburi.Entry {
	return ball(w, p, v, radius, append([]any{components.BodyData{Kind: components.Kinematic}}, more...)...)
}

// A kinematic sphere goes down into a heap, to the side and up again. The heap gives way as far as it can: it isn't jammed by budgets, nothing is thrown, and it comes to rest.
func TestAHeapGivesWayToAPusher(t *testing.T) {
	for _, speed := range []float64{0.2, 1} {
		w := donburi.NewWorld()
		rough := rough(0.35)
		balls := pouredInto(w, 60, 3, []any{rough}, rough)
		p := onEarth()
		steps(t, w, p, 240)
		k := pusher(w, vec(0, 3, 0), vec(0, 0, 0), 0.4)
		spent := 0
		went := func(n int, v collide.Vec3) float64 {
			from := position(k)
			for range n {
				components.Velocity.SetValue(k, components.VelocityData{Linear: v})
				steps(t, w, p, 1)
				spent += p.Stats().SpentBudgets
				bounds(t, balls, worldWalls(w))
				if f := fastest(balls); f > 3+4*speed {
					t.Fatalf("speed %v: a ball is thrown at %v", speed, f)
				}
			}
			return position(k).Distance(from) / (v.Length() * float64(n) * tick)
		}
		down := went(fewer(int(1.6/speed/tick)), vec(0, -speed, 0))
		side := went(fewer(int(0.5/speed/tick)), vec(speed, 0, 0))
		up := went(fewer(int(1.6/speed/tick)), vec(0, speed, 0))
		t.Logf("speed %v: went %.2f, %.2f and %.2f of its way, %d budgets spent", speed, down, side, up, spent)
		if up < 1-1e-9 {
			t.Errorf("speed %v: it went %v of its way up, with nothing in it", speed, up)
		}
		if down < 0.5 || side < 0.1 {
			t.Errorf("speed %v: it went %v of its way down and %v to the side", speed, down, side)
		}
		// It is never the pile's budgets that stop it.
		if most := int(2.5 / speed / tick); spent > most {
			t.Errorf("speed %v: %d budgets were spent, want at most %d", speed, spent, most)
		}
	}
}

// Something kinematic that is faster than a heap can give way is held up by it, and goes through nothing.
func TestAFastPusherGoesThroughNothing(t *testing.T) {
	for _, mu := range []float64{0, 0.35} {
		w := donburi.NewWorld()
		balls := pouredInto(w, 60, 5, []any{rough(mu)}, rough(mu))
		p := onEarth()
		steps(t, w, p, 120)
		k := pusher(w, vec(0, 6, 0), vec(0, 0, 0), 0.4)
		for range fewer(120) { // to half a metre above the floor, which isn't in its way
			components.Velocity.SetValue(k, moving(0, -min(30, (position(k).Y-0.9)/tick), 0))
			steps(t, w, p, 1)
			bounds(t, balls, worldWalls(w))
		}
		components.Velocity.SetValue(k, moving(0, 30, 0))
		steps(t, w, p, 60)
	}
}

// Two that are kinematic know nothing of each other. A ball between them stops both, and is crushed, whatever its mass.
func TestPushersStopAtWhatIsBetweenThem(t *testing.T) {
	w := donburi.NewWorld()
	c, d := pusher(w, vec(-2, 5, 0), vec(1, 0, 0), 0.5), pusher(w, vec(2, 5, 0), vec(-1, 0, 0), 0.5)
	between := ball(w, vec(0, 5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 1e6})
	p := systems.NewPhysics(systems.Config{})
	for range 180 {
		steps(t, w, p, 1)
	}
	if gap := position(d).X - position(c).X; !near(gap, 2, 1e-9) {
		t.Errorf("two pushers end %v apart, with a ball between them, want 2", gap)
	}
	all := crushed(p)
	if got := fmt.Sprint(len(all), len(all[between.Entity()])); got != "1 2" {
		t.Errorf("crushed: got %v, want the ball by both", all)
	}
}

// However heavy a ball is, a pusher pushes it on at its speed.
func TestAPusherPushesWhatIsHeavy(t *testing.T) {
	for _, m := range []float64{1e-3, 1, 1e6} {
		w := donburi.NewWorld()
		wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
		k := pusher(w, vec(-2, 0, 0), vec(1, 0, 0), 0.5)
		b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: m})
		p := onEarth()
		steps(t, w, p, 180)
		expectPosition(t, fmt.Sprint("the pusher of ", m, " kg"), k, vec(1, 0, 0), 1e-9)
		if gap := position(b).X - position(k).X; !near(gap, 1, 1e-6) {
			t.Errorf("%v kg: the ball is %v before the pusher, want 1", m, gap)
		}
	}
}

// A heap of balls rides to and fro between two belts that run against each other: nothing leaves the bin, and nothing overlaps.
func TestBeltsAgainstEachOtherCarryBalls(t *testing.T) {
	w := donburi.NewWorld()
	rough := rough(0.5)
	for k, x := range []float64{1.5, -1.5} {
		side := x / 1.5
		e := components.CreatePolygon(w, []collide.Vec3{{X: -3, Y: 0, Z: 0}, {X: -3, Y: 0, Z: side * 2}, {X: 3, Y: 0, Z: side * 2}, {X: 3, Y: 0, Z: 0}}, components.Material, components.SurfaceVelocity)
		if k == 1 {
			components.PolygonCollider.Get(e).Points = []collide.Vec3{{X: -3, Y: 0, Z: side * 2}, {X: -3, Y: 0, Z: 0}, {X: 3, Y: 0, Z: 0}, {X: 3, Y: 0, Z: side * 2}}
		}
		set(e, rough)
		components.SurfaceVelocity.SetValue(e, components.SurfaceVelocityData{Linear: vec(side, 0, 0)})
	}
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		wall(w, n.Scale(-2), n, rough)
	}
	var balls []*donburi.Entry
	for k := range 24 {
		balls = append(balls, ball(w, vec(float64(k%6)*0.6-1.5, 0.3+0.6*float64(k/12), float64(k/6%2)-0.5), vec(0, 0, 0), 0.25, rough, turning(0, 0, 0)))
	}
	p := onEarth()
	for range fewer(1200) {
		steps(t, w, p, 1)
		bounds(t, balls, worldWalls(w))
		for k, b := range balls {
			if y := position(b).Y; y < 0.25-1e-9 {
				t.Fatalf("ball %d is at %v: through a belt", k, position(b))
			}
		}
	}
}
