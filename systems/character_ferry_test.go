package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// ferry is floors beside each other, with characters and balls on them, between two walls.
type ferry struct {
	*characterScene
	floors, characters, balls []*donburi.Entry
}

// newFerry makes n floors along X without anything on them, and walls in some distance.
func newFerry(n int, walls float64) *ferry {
	f := &ferry{characterScene: newCharacterScene()}
	for k := range n {
		at := collide.Vec3{Y: -0.5, Z: 0.61 * float64(k)}
		f.floors = append(f.floors,
			components.CreateBox(f.world, at, collide.Vec3{X: 20, Y: 0.5, Z: 0.304}, components.Velocity))
	}
	for _, side := range []float64{-1, 1} {
		components.CreatePlane(f.world, collide.Vec3{X: side * walls}, collide.Vec3{X: -side})
	}
	return f
}

// add adds a character, whose feet are at a place on a floor.
func (f *ferry) add(x, z float64) *components.CharacterControllerData {
	e, c := f.character(collide.Vec3{X: x, Z: z})
	f.characters = append(f.characters, e)
	return c
}

// step moves the floors at some speeds along X, and returns what is wrong then.
func (f *ferry) step(speeds ...float64) (wrong string) {
	for k, v := range speeds {
		components.Velocity.Get(f.floors[k]).Linear = collide.Vec3{X: v}
	}
	f.steps(1)
	for i, a := range f.characters {
		for k, b := range f.characters[:i] {
			if d := collide.Separation(capsuleOf(a), capsuleOf(b)).Distance; d < -1e-9 {
				return fmt.Sprintf("characters %d and %d are %v deep in each other", k, i, -d)
			}
		}
		for k, b := range f.balls {
			ball := collide.Sphere{
				Center: components.Transform.Get(b).Position, Radius: components.SphereCollider.Get(b).Radius,
			}
			if d := collide.Separation(capsuleOf(a), ball).Distance; d < -1e-9 {
				return fmt.Sprintf("ball %d is %v deep in character %d", k, -d, i)
			}
		}
	}
	return ""
}

// On a ferry that came to a wall, those behind the one who had been stopped there went through it:
// they were carried on before it was known that it would stop.
func TestThoseInARowOnAFerryStopBehindTheFirstOne(t *testing.T) {
	for _, direction := range []float64{1, -1} {
		for _, period := range []float64{4, math.Inf(1)} {
			f := newFerry(1, 3)
			for k := range 5 {
				f.add(0.6003*float64(k)-1.2, 0)
			}
			for n := range 240 {
				v := 3 * direction * math.Cos(2*math.Pi*float64(n)*pushTick/period)
				if wrong := f.step(v); wrong != "" {
					t.Fatalf("direction %v, period %v, step %d: %s", direction, period, n, wrong)
				}
			}
		}
	}
}

// When a ferry started, those on it went with it at once, into others who could not, since they
// stood at a wall.
func TestThoseOnAFerryThatStartsStopBehindOneAtAWall(t *testing.T) {
	for _, side := range []float64{1, -1} {
		f := newFerry(1, 3)
		for k := range 3 {
			f.add(side*(2.699-0.603*float64(k)), 0)
		}
		for n := range 60 {
			v := 0.0
			if n >= 10 {
				v = 3 * side
			}
			if wrong := f.step(v); wrong != "" {
				t.Fatalf("side %v, step %d: %s", side, n, wrong)
			}
		}
		for k, e := range f.characters {
			closeTo(t, fmt.Sprintf("side %v: place of %d", side, k), components.Transform.Get(e).Position.X,
				side*(2.7-0.6*float64(k)), 1e-9)
		}
	}
}

// Those that move as one don't stop each other, and walls that move with the floor don't stop them.
func TestThoseInATrainThatStartsAreCarriedAsOne(t *testing.T) {
	f := newFerry(1, 1000)
	wall := components.CreateBox(f.world, collide.Vec3{X: 2.5, Y: 1}, collide.Vec3{X: 0.1, Y: 1, Z: 1},
		components.Velocity)
	for k := range 4 {
		f.add(2.0999-0.6001*float64(k), 0)
	}
	start := [4]float64{}
	for k, e := range f.characters {
		start[k] = components.Transform.Get(e).Position.X
	}
	way := 0.0
	for n := range 120 {
		v := 5 * math.Sin(float64(n)/10)
		way += v * pushTick
		components.Velocity.Get(wall).Linear.X = v
		if wrong := f.step(v); wrong != "" {
			t.Fatalf("step %d: %s", n, wrong)
		}
		for k, e := range f.characters {
			at := components.Transform.Get(e).Position.X
			closeTo(t, fmt.Sprintf("step %d: place of %d", n, k), at, start[k]+way, 1e-9)
		}
		if t.Failed() {
			return
		}
	}
}

// A lift that starts carries those who stand on the heads of others, too: nobody is in the way of
// the one below, nor throws it aside.
func TestALiftThatStartsCarriesOneOnAnothersHead(t *testing.T) {
	for _, off := range []float64{0, 0.01, 0.05} {
		for _, speed := range []float64{0.1, 0.5, 2} {
			f := newFerry(1, 3)
			f.add(0, 0)
			e, _ := f.character(collide.Vec3{X: off, Y: 1.8})
			f.characters = append(f.characters, e)
			for range 20 {
				f.step(0)
			}
			var start [2]collide.Vec3
			for k, e := range f.characters {
				start[k] = components.Transform.Get(e).Position
			}
			lift := components.Velocity.Get(f.floors[0])
			for n := range 60 {
				lift.Linear.Y = speed
				f.steps(1)
				for k, e := range f.characters {
					want := start[k].Add(collide.Vec3{Y: speed * float64(n+1) * pushTick})
					if at := components.Transform.Get(e).Position; at.Distance(want) > 1e-9 {
						t.Fatalf("off %v, %v m/s, step %d: %d is at %v, want %v", off, speed, n, k, at, want)
					}
				}
			}
		}
	}
}

// One who walked to a wall on a ferry, with another one on its head, got a billion metres a second,
// and was an error from then on.
func TestOneWithAnotherOnItsHeadIsStoppedAtAWall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for start := range 30 {
		f := newFerry(1, 1.5)
		x := -0.9 - 0.01*float64(start)
		f.add(x, 0).DesiredVelocity.X = -3
		e, _ := f.character(collide.Vec3{X: x + 0.05, Y: 1.8})
		f.characters = append(f.characters, e)
		for n := range 120 {
			f.step(1)
			f.noErrors(t)
			for k, e := range f.characters {
				if v := components.Velocity.Get(e).Linear.Length(); v > 10 {
					t.Fatalf("start %d, step %d: %d is carried on at %v m/s", start, n, k, v)
				}
			}
		}
	}
}

// A Velocity that the game gives a character stays, also where others are in its way, and what the
// game has removed stops nobody.
func TestAFerryLeavesTheVelocitiesThatTheGameGivesAndNoticesWhoIsGone(t *testing.T) {
	f := newFerry(1, 3)
	for k := range 3 {
		f.add(0.601*float64(k), 0)
	}
	for range 10 {
		f.step(0)
	}
	game := ecs.NewECS(f.world)
	f.world.Remove(f.characters[1].Entity())
	given := components.Velocity.Get(f.characters[0])
	given.Linear = collide.Vec3{X: 2}
	components.Velocity.Get(f.floors[0]).Linear.X = 1.5
	f.physics.Broadphase(game)
	if given.Linear != (collide.Vec3{X: 2}) {
		t.Errorf("the character has the Velocity %v, and the game has given it 2 m/s", given.Linear)
	}
	if v := components.Velocity.Get(f.characters[2]).Linear.X; v != 1.5 {
		t.Errorf("the other one is carried on at %v m/s, want 1.5", v)
	}
	components.Velocity.Get(f.floors[0]).Linear.X = 2.5 // within the step: it is read anew
	f.physics.Broadphase(game)
	if v := components.Velocity.Get(f.characters[2]).Linear.X; v != 2.5 {
		t.Errorf("the other one is carried on at %v m/s, want 2.5", v)
	}
	f.physics.Response(game)
	f.noErrors(t)
}

// Crowds on floors that stop, start and reverse as the game says came into each other in a tenth of
// such worlds, by up to the width of two characters, and balls into characters.
func TestCrowdsOnFloorsThatTheGameStopsAndStartsStayApart(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range slow.Cases(64) {
		rng := rand.New(rand.NewPCG(uint64(seed), 4))
		n := 1 + rng.IntN(3)
		f := newFerry(n, 2.2+rng.Float64())
		type disc struct{ x, z, radius float64 }
		var taken []disc
		free := func(radius float64) (d disc, ok bool) {
			d = disc{3.4*rng.Float64() - 1.7, 0.61 * float64(rng.IntN(n)), radius}
			for _, o := range taken {
				if math.Hypot(o.x-d.x, o.z-d.z) < o.radius+d.radius+0.002 {
					return d, false
				}
			}
			taken = append(taken, d)
			return d, true
		}
		for range 6 * n {
			if d, ok := free(0.3); ok {
				c := f.add(d.x, d.z)
				if rng.IntN(3) == 0 {
					c.DesiredVelocity = collide.Vec3{X: 6*rng.Float64() - 3, Z: 2*rng.Float64() - 1}
				}
			}
			if d, ok := free(0.2); ok && rng.IntN(2) == 0 {
				f.balls = append(f.balls, components.CreateBall(f.world, collide.Vec3{X: d.x, Y: 0.2, Z: d.z}, 0.2))
			}
		}
		speeds, fastest, shift := make([]float64, n), make([]float64, n), make([]float64, n)
		for k := range n {
			fastest[k], shift[k] = 0.5+3*rng.Float64(), 7*rng.Float64()
		}
		for step := range 180 {
			for k := range n {
				speeds[k] = 0
				if int(2*float64(step)*pushTick+shift[k])%2 == 0 {
					speeds[k] = fastest[k]
				}
			}
			if wrong := f.step(speeds...); wrong != "" {
				t.Errorf("seed %d, step %d: %s", seed, step, wrong)
				break
			}
		}
	}
}
