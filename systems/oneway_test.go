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

// oneSidedFloor creates n by n one-sided squares at y = 0 that face up, each a metre wide.
func oneSidedFloor(w donburi.World, n int, more ...any) {
	for x := range n {
		for z := range n {
			tile := square(0.5)
			tile.OneSided = true
			spawn(w, append([]any{at(float64(x)-float64(n-1)/2, 0, float64(z)-float64(n-1)/2), tile}, more...)...)
		}
	}
}

// A ball that does not pass a one-sided floor with all of it flies as if the floor were not there.
// One that does lands on it. A ceiling turns some balls around in the middle of a step.
func TestOneSidedFloorIsOpenUntilTheWholeBallHasPassed(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const r = 0.3
	for _, tiles := range []int{1, 4} {
		for _, speed := range []float64{6, 60, 1000} {
			for _, apex := range []float64{-0.5, -0.29, -0.1, 0, 0.01, 0.1, 0.29, 0.31, 0.5} {
				for _, drift := range []float64{0, 0.7} {
					name := fmt.Sprintf("%d tiles, %v m/s, apex at %v, drift %v", tiles, speed, apex, drift)
					run := func(floor bool) (path []collide.Vec3) {
						w := donburi.NewWorld()
						if floor {
							oneSidedFloor(w, tiles)
						}
						wall(w, vec(0, apex+r, 0), vec(0, -1, 0), bouncy(0.3)) // turns the ball around
						b := ball(w, vec(-0.13, -1, 0.21), vec(drift, speed, 0), r)
						p := onEarth()
						for range 150 {
							p.Step(w)
							path = append(path, position(b))
						}
						return path
					}
					free, got := run(false), run(true)
					landed := got[len(got)-1].Y > 0
					if tiles > 1 || drift == 0 {
						if want := apex > r; landed != want {
							t.Errorf("%s: landed: %v, want %v", name, landed, want)
						}
					}
					for k := range got {
						if apex < r && got[k] != free[k] {
							t.Errorf("%s: step %d: at %v, want %v", name, k, got[k], free[k])
							break
						}
					}
					if end := got[len(got)-1]; apex > r && drift == 0 && !near(end.Y, r, 1e-6) {
						t.Errorf("%s: ends at %v", name, end)
					}
				}
			}
		}
	}
}

// A ball that comes from the side, lower than it would lie on the floor, goes through it.
func TestBallThatEntersAOneSidedFloorOverItsEdgePassesThrough(t *testing.T) {
	for _, h := range []float64{-0.29, -0.1, 0, 0.1, 0.29} {
		for _, v := range []collide.Vec3{{X: 3}, {X: 3, Y: 0.2}, {X: 100}, {X: 3, Y: -0.2}} {
			if v.Y < 0 && h >= 0 {
				continue // it falls onto the edge
			}
			run := func(floor bool) (path []collide.Vec3) {
				w := donburi.NewWorld()
				if floor {
					oneSidedFloor(w, 3)
				}
				b := ball(w, vec(-4, h, 0.1), v, 0.3)
				p := systems.NewPhysics(systems.Config{})
				for range 200 {
					p.Step(w)
					if position(b).X > 0 && v.Y == 0 { // gravity begins to act in the middle of the floor
						components.Velocity.Get(b).Linear.Y = -1
					}
					path = append(path, position(b))
				}
				return path
			}
			free, got := run(false), run(true)
			for k := range got {
				if got[k] != free[k] {
					t.Errorf("height %v, velocity %v, step %d: at %v, want %v", h, v, k, got[k], free[k])
					break
				}
			}
		}
	}
}

// A ball that the game puts into the front of a one-sided floor is moved out, as it is from others.
func TestBallPutIntoTheFrontOfAOneSidedFloorIsMovedOut(t *testing.T) {
	w := donburi.NewWorld()
	oneSidedFloor(w, 2)
	b := ball(w, vec(0.2, 0.05, 0), vec(0, 0, 0), 0.3)
	c := ball(w, vec(-0.4, -2, 0.3), vec(0, 5, 0), 0.3, components.BodyData{Weightless: true})
	p := onEarth()
	for range 120 {
		p.Step(w)
	}
	if y := position(b).Y; !near(y, 0.3, 1e-6) {
		t.Errorf("the ball ends at height %v, want 0.3", y)
	}
	// One that passed is moved out as well, once the game has put it there.
	components.Transform.Get(c).Position = vec(-0.4, 0.1, 0.3)
	components.Velocity.Get(c).Linear = vec(0, 0, 0)
	components.Body.Get(c).Weightless = false
	for range 120 {
		p.Step(w)
	}
	if y := position(c).Y; !near(y, 0.3, 1e-6) {
		t.Errorf("the second ball ends at height %v, want 0.3", y)
	}
}

// A ball that touches the edge of a one-sided polygon has a persistent contact with it. If it is
// then pushed past the edge into the front, lower than it would lie there, it goes through, and the
// contact must not stop it.
func TestBallThatIsPushedPastTheEdgeItTouchesPassesThrough(t *testing.T) {
	for _, speed := range []float64{1, 4, 20} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 0, 1))
		ceiling := components.PolygonColliderData{ // its front is down
			OneSided: true, Points: []collide.Vec3{vec(0, -9, 0), vec(0, 9, 0), vec(9, 9, 0), vec(9, -9, 0)},
		}
		spawn(w, at(0, 0, 0.8), ceiling)
		b := ball(w, vec(-0.4, 0, 0.5), vec(0, 0, 0), 0.5, bouncy(0.5))
		ball(w, vec(-1.4-speed/120, 0, 0.5), vec(speed, 0, 0), 0.5, bouncy(0.5))
		p := systems.NewPhysics(systems.Config{RestitutionThreshold: 0.1})
		for step := range 30 {
			p.Step(w)
			for m := range p.Impacts() {
				if step > 0 {
					t.Errorf("speed %v: impact at %v with a normal of %v in step %d", speed, m.Point, m.Normal, step)
				}
			}
		}
		want := 0.75 * speed * (30.0/60 - 1.0/120)
		expectPosition(t, "the ball that was pushed", b, vec(want-0.4, 0, 0.5), 1e-9)
	}
}

// Two balls that are in contact come through a one-sided platform that moves down to them, as if it
// were not there. One alone always did: it has no contacts that are solved.
func TestTouchingBallsPassAOneSidedPlatformThatMoves(t *testing.T) {
	const r = 1
	platforms := map[string]func(w donburi.World) *donburi.Entry{
		"none": nil,
		"a polygon": func(w donburi.World) *donburi.Entry {
			tile := square(4)
			tile.OneSided = true
			return spawn(w, at(0.1, 2, 0.2), tile, components.VelocityData{Linear: vec(0, -0.3, 0)})
		},
		"a mesh": func(w donburi.World) *donburi.Entry {
			m := grid(t, 3, func(u, v float64) collide.Vec3 { return vec(8*u-4, 0, 8*v-4) })
			e := components.CreateMesh(w, vec(0.1, 2, 0.2), m, components.Velocity)
			components.Velocity.Get(e).Linear.Y = -0.3
			return e
		},
	}
	run := func(create func(w donburi.World) *donburi.Entry) (path []collide.Vec3) {
		w := donburi.NewWorld()
		if create != nil {
			e := create(w)
			e.AddComponent(components.Body)
			components.Body.Get(e).Kind = components.Kinematic
		}
		a, b := ball(w, vec(-r, 0, 0), vec(0.01, 1, 0), r), ball(w, vec(r, 0.2, 0), vec(-0.01, 1, 0), r)
		p := systems.NewPhysics(systems.Config{})
		for range 300 {
			p.Step(w)
			path = append(path, position(a), position(b))
		}
		expectNoErrors(t, p)
		return path
	}
	free := run(nil)
	for name, create := range platforms {
		for k, got := range run(create) {
			if !near(got.Y, free[k].Y, 0.01) {
				t.Errorf("%s: step %d: at %v, want %v", name, k/2, got, free[k])
				break
			}
		}
	}
}

// A body comes from the side to the edge of a one-sided tile, with a wall behind. Far away, a plane
// that squeezes a ball stops before the body has touched the edge. So its impacts are predicted
// again, when it is partly below the tile.
func TestAPlaneThatStopsFarAwayDoesNotLetABodyPastAnEdge(t *testing.T) {
	for _, c := range []struct {
		name         string
		create       func(w donburi.World) *donburi.Entry
		velocity     collide.Vec3
		wall, stopAt float64
	}{
		{"ball", func(w donburi.World) *donburi.Entry {
			return components.CreateBall(w, vec(-0.8, 0.6, 0), 0.5)
		}, vec(31, -70, 0), 1.15, 0.55},
		{"crate", func(w donburi.World) *donburi.Entry {
			return components.CreateCrate(w, vec(-0.8, 0.55, 0), vec(0.5, 0.5, 0.5))
		}, vec(60, -30, 0), 1.45, 0.2},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(stops bool) (collide.Vec3, int) {
				w := donburi.NewWorld()
				corners := []collide.Vec3{vec(0, 0, 3), vec(3, 0, 3), vec(3, 0, -3), vec(0, 0, -3)}
				tile := components.CreatePolygon(w, corners)
				components.PolygonCollider.Get(tile).OneSided = true
				body := c.create(w)
				components.Velocity.Get(body).Linear = c.velocity
				components.CreateBox(w, vec(c.wall, 0, 0), vec(1, 2, 2))
				if stops {
					at := vec(0, 0, -20.8-c.stopAt/2)
					driver := components.CreatePlane(w, at, vec(0, 0, 1), components.Velocity, components.Body)
					components.Body.Get(driver).Kind = components.Kinematic
					components.Velocity.Get(driver).Linear = vec(0, 0, 60)
					components.CreateBox(w, vec(5, 5, -18.8+c.stopAt/2), vec(1, 1, 1))
					components.CreateBall(w, vec(5, 5, -20.3), 0.5)
				}
				p := systems.NewPhysics(systems.Config{Workers: 1})
				p.Step(w)
				expectNoErrors(t, p)
				return components.Transform.Get(body).Position, p.Stats().Blocked
			}
			want, _ := run(false)
			got, blocked := run(true)
			if blocked == 0 {
				t.Fatal("nothing stops")
			}
			if got.Distance(want) > 1e-12 {
				t.Errorf("got %v, want %v as without the plane", got, want)
			}
		})
	}
}

// The lower end of the capsule comes below the tile beside it before it touches its edge. So it
// goes through, wherever in a step that is.
func TestCapsuleThatFallsPastTheEdgeOfAOneSidedTileIsNotTurnedAside(t *testing.T) {
	for k := range 60 {
		w := donburi.NewWorld()
		tile := components.CreatePolygon(w, []collide.Vec3{vec(-3, 0, -3), vec(-3, 0, 3), vec(0, 0, 3), vec(0, 0, -3)})
		components.PolygonCollider.Get(tile).OneSided = true
		height := 1.5 + 0.01*float64(k)
		pill := collide.Capsule{A: vec(0, -0.3, 0), B: vec(0, 0.3, 0), Radius: 0.5}
		body := components.CreateShapeBody(w, vec(0.25, height, 0), pill)
		p := onEarth()
		for range 60 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		expectVelocity(t, fmt.Sprintf("from %v m", height), body, vec(0, -9.81, 0), 1e-9)
	}
}

// A ball flies into a one-sided tile over its far edge, slowly or within one step. It meets the
// edge of the next tile, in the same plane, if that is solid from both sides.
func TestBallInAOneSidedTileMeetsTheEdgeOfATwoSidedOne(t *testing.T) {
	const r = 0.3
	for _, twoSided := range []bool{true, false} {
		for _, speed := range []float64{3, 60, 300} {
			for _, height := range []float64{-0.2, -0.1, -1e-13, -1e-16, 0, 1e-13, 0.05, 0.1, 0.2} {
				w := donburi.NewWorld()
				passed, next := square(0.5), square(0.5)
				passed.OneSided, next.OneSided = true, !twoSided
				spawn(w, at(0.5, 0, 0), passed)
				spawn(w, at(-0.5, 0, 0), next)
				b := ball(w, vec(1.5, height, 0.1), vec(-speed, 0, 0), r, bouncy(1))
				p := systems.NewPhysics(systems.Config{Workers: 1})
				for range int(120/speed) + 1 {
					p.Step(w)
				}
				expectNoErrors(t, p)
				v, want := components.Velocity.Get(b).Linear, vec(-speed, 0, 0)
				if twoSided {
					n := vec(math.Sqrt(r*r-height*height), height, 0).Scale(1 / r)
					want = want.AddScaled(-2*want.Dot(n), n)
				}
				if v.Distance(want) > 1e-12*speed {
					t.Errorf("two sides: %v, %v m/s, height %v: velocity %v, want %v", twoSided, speed, height, v, want)
				}
			}
		}
	}
}

// A ball that overlapped another one, which it leaves slowly, didn't count as passing the tile.
func TestBallThatOverlapsAnotherPassesAOneSidedTile(t *testing.T) {
	const r = 0.3
	for _, speed := range []float64{3, 60, 300} {
		for _, height := range []float64{-0.2, -0.1, 0.05, 0.1, 0.2} {
			w := donburi.NewWorld()
			passed := square(0.5)
			passed.OneSided = true
			spawn(w, at(0.5, 0, 0), passed)
			spawn(w, at(-0.5, 0, 0), square(0.5))
			b := ball(w, vec(1.5, height, 0.1), vec(-speed, 0, 0), r, bouncy(1), components.BodyData{Mass: 1e9})
			ball(w, vec(1.5+1.99*r, height, 0.1), vec(-speed, 0, 0), r, bouncy(1), components.BodyData{Mass: 1})
			p := systems.NewPhysics(systems.Config{Workers: 1})
			for range int(120/speed) + 1 {
				p.Step(w)
			}
			expectNoErrors(t, p)
			v, want := components.Velocity.Get(b).Linear, vec(-speed, 0, 0)
			n := vec(math.Sqrt(r*r-height*height), height, 0).Scale(1 / r)
			want = want.AddScaled(-2*want.Dot(n), n)
			if v.Distance(want) > 1e-6*speed {
				t.Errorf("%v m/s, height %v: velocity %v, want %v", speed, height, v, want)
			}
		}
	}
}
