package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// kinematicBall creates a kinematic sphere.
func kinematicBall(w donburi.World, p, v collide.Vec3, radius float64, more ...any) *donburi.Entry {
	return ball(w, p, v, radius, append([]any{components.BodyData{Kind: components.Kinematic}}, more...)...)
}

// A kinematic sphere moves down into a heap, sideways and up again. The heap yields as far as it
// can: no budget stops the sphere, no ball is thrown, and the heap comes to rest.
func TestHeapYieldsToAKinematicBody(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, speed := range []float64{0.2, 1} {
		w := donburi.NewWorld()
		rough := rough(0.35)
		balls := heapInBin(w, 60, 3, []any{rough}, rough)
		p := onEarth()
		steps(t, w, p, 240)
		k := kinematicBall(w, vec(0, 3, 0), vec(0, 0, 0), 0.4)
		spent := 0
		went := func(n int, v collide.Vec3) float64 {
			from := position(k)
			for range n {
				components.Velocity.SetValue(k, components.VelocityData{Linear: v})
				steps(t, w, p, 1)
				spent += p.Stats().SpentBudgets
				expectInside(t, balls, worldWalls(w))
				if f := fastest(balls); f > 3+4*speed {
					t.Fatalf("speed %v: a ball is thrown at %v", speed, f)
				}
			}
			return position(k).Distance(from) / (v.Length() * float64(n) * tick)
		}
		down := went(slow.Steps(int(1.6/speed/tick)), vec(0, -speed, 0))
		side := went(slow.Steps(int(0.5/speed/tick)), vec(speed, 0, 0))
		up := went(slow.Steps(int(1.6/speed/tick)), vec(0, speed, 0))
		t.Logf("speed %v: went %.2f, %.2f and %.2f of its way, %d budgets spent", speed, down, side, up, spent)
		if up < 1-1e-9 {
			t.Errorf("speed %v: it went %v of its way up, with nothing in it", speed, up)
		}
		if down < 0.5 || side < 0.1 {
			t.Errorf("speed %v: it went %v of its way down and %v to the side", speed, down, side)
		}
		// The impact budgets of the heap mustn't be what stops the sphere.
		if most := int(2.5 / speed / tick); spent > most {
			t.Errorf("speed %v: %d budgets were spent, want at most %d", speed, spent, most)
		}
	}
}

// A kinematic body that is faster than the heap can yield is slowed down, and penetrates nothing.
func TestFastKinematicBodyDoesNotPenetrateAHeap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.35} {
		w := donburi.NewWorld()
		balls := heapInBin(w, 60, 5, []any{rough(mu)}, rough(mu))
		p := onEarth()
		steps(t, w, p, 120)
		k := kinematicBall(w, vec(0, 6, 0), vec(0, 0, 0), 0.4)
		for range slow.Steps(120) { // to half a metre above the floor, which it doesn't touch
			components.Velocity.SetValue(k, moving(0, -min(30, (position(k).Y-0.9)/tick), 0))
			steps(t, w, p, 1)
			expectInside(t, balls, worldWalls(w))
		}
		components.Velocity.SetValue(k, moving(0, 30, 0))
		steps(t, w, p, 60)
	}
}

// Kinematic bodies don't collide with each other. A ball between two of them stops both and is
// crushed, whatever its mass.
func TestKinematicBodiesStopAtABallBetweenThem(t *testing.T) {
	w := donburi.NewWorld()
	c, d := kinematicBall(w, vec(-2, 5, 0), vec(1, 0, 0), 0.5), kinematicBall(w, vec(2, 5, 0), vec(-1, 0, 0), 0.5)
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

// What is kinematic goes through a kinematic body that is stopped, as through one that moves.
func TestStoppedKinematicBodyStopsNothingKinematic(t *testing.T) {
	w := donburi.NewWorld()
	stopped := kinematicBall(w, vec(0, 0, 0), vec(1, 0, 0), 0.5, components.CollisionFilterData{Layers: 3, Mask: 3})
	ball(w, vec(1, 0, 0), vec(0, 0, 0), 0.5)
	wall(w, vec(1.5, 0, 0), vec(-1, 0, 0))
	c := kinematicBall(w, vec(0, 3, 0), vec(0, -1, 0), 0.5)
	d := wall(w, vec(0, 0, -2), vec(0, 0, 1), moving(0, 0, 1), components.CollisionFilterData{Layers: 2, Mask: 2})
	p := systems.NewPhysics(systems.Config{})
	for range 300 {
		p.Step(w)
	}
	if p.Stats().Blocked == 0 {
		t.Error("the first body is not stopped")
	}
	expectPosition(t, "the stopped body", stopped, vec(0, 0, 0), 1e-9)
	expectPosition(t, "the other body", c, vec(0, -2, 0), 1e-9)
	expectPosition(t, "the wall", d, vec(0, 0, 3), 1e-9)
}

// A kinematic body pushes a ball at its own speed, however heavy the ball is.
func TestKinematicBodyPushesHeavyBalls(t *testing.T) {
	for _, m := range []float64{1e-3, 1, 1e6} {
		w := donburi.NewWorld()
		wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
		k := kinematicBall(w, vec(-2, 0, 0), vec(1, 0, 0), 0.5)
		b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: m})
		p := onEarth()
		steps(t, w, p, 180)
		expectPosition(t, fmt.Sprint("the pusher of ", m, " kg"), k, vec(1, 0, 0), 1e-9)
		if gap := position(b).X - position(k).X; !near(gap, 1, 1e-6) {
			t.Errorf("%v kg: the ball is %v before the pusher, want 1", m, gap)
		}
	}
}

// A heap of balls moves to and fro between two opposed conveyor belts. Nothing leaves the bin and
// nothing overlaps.
func TestOpposedConveyorBeltsMoveAHeap(t *testing.T) {
	w := donburi.NewWorld()
	rough := rough(0.5)
	for k, x := range []float64{1.5, -1.5} {
		side := x / 1.5
		e := components.CreatePolygon(w, []collide.Vec3{
			{X: -3, Y: 0, Z: 0},
			{X: -3, Y: 0, Z: side * 2},
			{X: 3, Y: 0, Z: side * 2},
			{X: 3, Y: 0, Z: 0},
		}, components.Material, components.SurfaceVelocity)
		if k == 1 {
			components.PolygonCollider.Get(e).Points = []collide.Vec3{
				{X: -3, Y: 0, Z: side * 2},
				{X: -3, Y: 0, Z: 0},
				{X: 3, Y: 0, Z: 0},
				{X: 3, Y: 0, Z: side * 2},
			}
		}
		set(e, rough)
		components.SurfaceVelocity.SetValue(e, components.SurfaceVelocityData{Linear: vec(side, 0, 0)})
	}
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		wall(w, n.Scale(-2), n, rough)
	}
	var balls []*donburi.Entry
	for k := range 24 {
		balls = append(balls, ball(w, vec(float64(k%6)*0.6-1.5, 0.3+0.6*float64(k/12), float64(k/6%2)-0.5),
			vec(0, 0, 0), 0.25, rough, turning(0, 0, 0)))
	}
	p := onEarth()
	for range slow.Steps(1200) {
		steps(t, w, p, 1)
		expectInside(t, balls, worldWalls(w))
		for k, b := range balls {
			if y := position(b).Y; y < 0.25-1e-9 {
				t.Fatalf("ball %d is at %v: through a conveyor", k, position(b))
			}
		}
	}
}

// press creates two planes at distance a on either side of the origin that close along X at the
// given speed.
func press(w donburi.World, a, speed float64, more ...any) (jaws []*donburi.Entry) {
	return []*donburi.Entry{
		wall(w, vec(-a, 0, 0), vec(1, 0, 0), append([]any{moving(speed, 0, 0)}, more...)...),
		wall(w, vec(a, 0, 0), vec(-1, 0, 0), append([]any{moving(-speed, 0, 0)}, more...)...),
	}
}

// crushed returns the crushed bodies of the last step and what they are crushed by.
func crushed(p *systems.Physics) map[donburi.Entity][]donburi.Entity {
	all := map[donburi.Entity][]donburi.Entity{}
	for c := range p.Crushed() {
		all[c.Entity] = append(all[c.Entity], c.Other)
	}
	return all
}

// The planes of a press stop at a ball between them, and the ball is reported as crushed in every
// step.
func TestPressStopsAtACrushedBall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, speed := range []float64{0.1, 3, 1000} {
		for _, gravity := range []float64{0, -earth} {
			w := donburi.NewWorld()
			jaws := press(w, 2, speed)
			wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
			b := ball(w, vec(0.7, 0, 0), vec(0, 0, 0), 0.5)
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, gravity, 0)})
			reported, needs := 0, int(1.5/speed/tick)+2
			for step := range needs + 60 {
				steps(t, w, p, 1)
				expectInside(t, []*donburi.Entry{b}, jaws)
				c := crushed(p)[b.Entity()]
				if len(c) > 0 {
					reported++
				}
				if len(c) > 0 && step < int(0.9*1.5/speed/tick) {
					t.Fatalf("speed %v: crushed in step %d, before both jaws are at the ball", speed, step)
				}
			}
			if reported < 58 {
				t.Errorf("speed %v: crushed in %d steps, want each of the last 60", speed, reported)
			}
			// The distance of the planes is the diameter of the ball.
			if gap := position(jaws[1]).X - position(jaws[0]).X; gap < 1-1e-9 || gap > 1+1e-9 {
				t.Errorf("speed %v: the jaws end %v apart, want 1", speed, gap)
			}
			if v := velocity(b).Length(); v > 1e-9 {
				t.Errorf("speed %v: what is crushed moves at %v", speed, v)
			}
		}
	}
}

// A press closes on a heap and squeezes it upwards as long as there is space. Nothing passes a wall
// and nothing overlaps at any time. Where a ball can't yield, the press waits.
func TestPressSqueezesBallsOutOfAHeap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(slow.Cases(2)) {
			w := donburi.NewWorld()
			balls := heapInBin(w, 30, seed, []any{rough(mu)}, rough(mu))
			p := onEarth()
			steps(t, w, p, 300)
			jaws := press(w, 1.7, 0.3, rough(mu))
			for range slow.Steps(300) {
				steps(t, w, p, 1)
				expectInside(t, balls, jaws)
			}
			// The planes are closer than the heap was wide, minus the smallest radii, or something
			// is crushed.
			gap := position(jaws[1]).X - position(jaws[0]).X
			if gap > 2 && len(crushed(p)) == 0 && !testing.Short() {
				t.Errorf("friction %v, seed %d: the jaws are %v apart, and Crushed lists nothing", mu, seed,
					gap)
			}
		}
	}
}

// In a box with a lid nothing can yield. Every ball that carries the load of the press is crushed,
// and the press stops.
func TestPressOnAFullBoxReportsCrushedBalls(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := donburi.NewWorld()
	balls := pyramid(w, 2, restGap)
	lid := wall(w, vec(0, 4, 0), vec(0, -1, 0), moving(0, -0.5, 0))
	p := onEarth()
	// The lower four balls are pushed apart until they touch the walls, with 1.5 gaps each.
	lowest := 0.5 + math.Sqrt(1-2*(0.5+1.5*restGap)*(0.5+1.5*restGap)) + 0.5
	for range 600 {
		steps(t, w, p, 1)
		expectInside(t, balls, []*donburi.Entry{lid})
	}
	if y := position(lid).Y; y < lowest-1e-6 || y > lowest+1e-6+3*restGap {
		t.Errorf("the lid is at %v, want %v", y, lowest)
	}
	if len(crushed(p)) == 0 {
		t.Error("Crushed lists nothing")
	}
	for k, b := range balls {
		if v := velocity(b).Length(); v > 1e-3 {
			t.Errorf("ball %d moves at %v", k, v)
		}
	}
}

// A lift moves a pile up and down for a minute. Nothing sinks into the lift, and the pile stays on
// it. Downwards it accelerates less than gravity.
func TestLiftMovesAPile(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.3} {
		w := donburi.NewWorld()
		balls := heapInBin(w, 30, 1, []any{rough(mu)}, rough(mu))
		var lift *donburi.Entry
		for _, e := range worldWalls(w) {
			if components.PlaneCollider.Get(e).Normal == vec(0, 1, 0) {
				lift = e
			}
		}
		donburi.Add(lift, components.Velocity, &components.VelocityData{})
		p := onEarth()
		steps(t, w, p, 300)
		const swing, rate = 2.0, 1.5 // metres and radians a second: at most 3 m/s and 4.5 m/s²
		n := slow.Steps(3600)
		for step := range n {
			// At the end of each step the lift is at its nominal position.
			at := swing * (1 - math.Cos(rate*tick*float64(step+1)))
			components.Velocity.SetValue(lift, moving(0, (at-position(lift).Y)/tick, 0))
			steps(t, w, p, 1)
			if y := position(lift).Y; !near(y, at, 1e-9) {
				t.Fatalf("friction %v, step %d: the lift is at %v, want %v: what it carries stops it, %+v", mu, step,
					y, at, p.Stats())
			}
			expectInside(t, balls, worldWalls(w))
			for k, b := range balls {
				if y := position(b).Y - position(lift).Y; y > 3 {
					t.Fatalf("friction %v, step %d: ball %d is %v over the lift", mu, step, k, y)
				}
			}
		}
		components.Velocity.SetValue(lift, moving(0, 0, 0))
		steps(t, w, p, 1200)
		expectRest(t, w, p, balls, 10)
	}
}

// On a lift at constant speed a pile rests as on a floor.
func TestPileRestsOnALiftAtConstantSpeed(t *testing.T) {
	for _, v := range []collide.Vec3{{Y: 2}, {Y: -2}} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), moving(0, v.Y, 0))
		var balls []*donburi.Entry
		for k := range 5 {
			balls = append(balls, ball(w, vec(0, 0.5+float64(k), 0), v, 0.5))
		}
		p := onEarth()
		steps(t, w, p, 600)
		for k, b := range balls {
			// Ten or twenty metres in steps of a few centimetres, with a rounding error each.
			expectPosition(t, fmt.Sprintf("ball %d at %v", k, v), b, vec(0, 0.5+float64(k)+10*v.Y, 0),
				1e-9+restGap*float64(k+1))
			// While the gaps open, the velocities differ by at most 1e-5 m/s from the lift's. On a
			// lift, no ball is put to rest.
			expectVelocity(t, fmt.Sprintf("ball %d at %v", k, v), b, v, 1e-5)
		}
	}
}

// worldWalls returns the planes of w.
func worldWalls(w donburi.World) (all []*donburi.Entry) {
	newOverlapChecker().walls.Each(w, func(e *donburi.Entry) { all = append(all, e) })
	return all
}

// Gravity rotates slowly, as if the bin were turned, and the balls fall from wall to wall.
//
// This is the way to turn a bin. If the game rotates the walls themselves, they jump and overlap
// the balls, which are moved out only as far as there is space: physics moves walls by their
// Velocity, but doesn't rotate them.
func TestBallsStayInABinWhileGravityRotates(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(slow.Cases(2)) {
			w := donburi.NewWorld()
			balls, walls := closedBin(w, 30, seed, rough(mu))
			for _, b := range balls {
				components.Body.Get(b).Weightless = true
				donburi.Add(b, components.Force, &components.ForceData{})
			}
			p := onEarth()
			n := slow.Steps(900)
			for step := range n {
				down := collide.RotationAround(vec(0.6, 0, 0.8),
					4*math.Pi*float64(step)/float64(n)).Rotate(vec(0, -earth, 0))
				for _, b := range balls {
					components.Force.SetValue(b, components.ForceData{Force: down.Scale(mass(b))})
				}
				steps(t, w, p, 1)
				expectInside(t, balls, walls)
			}
			steps(t, w, p, 1200)
			expectRest(t, w, p, balls, 5)
		}
	}
}

// A ball between a wall and a press that begins to move gets the impulse that makes it as fast as
// the press, though it can't move: the impulses of all iterations were added, to 7,981 N·s.
func TestABallInAPressGetsTheImpulseOfItsSpeed(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(-0.5, 0, 0), vec(1, 0, 0))
	ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 8})
	press := components.CreateBox(w, vec(1, 0.5, 0), vec(0.5, 0.5, 0.5), components.Velocity)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	components.Velocity.Get(press).Linear.X = -8.6
	p.Step(w)
	hits := 0
	for hit := range p.Impacts() {
		if hits++; hit.Impulse > 8*8.6+1e-9 {
			t.Errorf("an impulse of %v N·s, want %v", hit.Impulse, 8*8.6)
		}
	}
	if hits == 0 {
		t.Error("no impact")
	}
}

// What lies on a floor and is pressed on it by something kinematic meets that at its speed, and not
// at five times that: the contact solver has no solution there, and its over-relaxation made the
// body leave the floor at four times the speed of the press.
func TestABodyOnAFloorMeetsAPressAtTheSpeedOfThePress(t *testing.T) {
	for _, start := range []float64{0, -13, 5} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0))
		b := ball(w, vec(0, 0.5, 0), vec(0, 0, 0), 0.5, components.BodyData{Mass: 8})
		press := components.CreateBox(w, vec(0, 1.5, 0), vec(0.5, 0.5, 0.5), components.Velocity)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
		p.Step(w)
		const speed = 8.6
		components.Velocity.Get(press).Linear.Y = -speed
		components.Velocity.Get(b).Linear.Y = start
		for range 3 {
			p.Step(w)
			for hit := range p.Impacts() {
				approach := speed + max(start, 0)
				if most := 8 * (approach + 1e-9); hit.Approach > approach+1e-9 || hit.Impulse > most {
					t.Errorf("from %v m/s: they approach at %v m/s, and get %v N·s; want at most %v and %v",
						start, hit.Approach, hit.Impulse, approach, most)
				}
			}
		}
		if x := position(b); !nearVec(x, vec(0, 0.5, 0), 1e-9) {
			t.Errorf("from %v m/s: the body is at %v", start, x)
		}
	}
}
