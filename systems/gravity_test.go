package systems_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// roomOf makes a room of six planes, 2·half wide.
func roomOf(w donburi.World, half, friction float64) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		wall := components.CreatePlane(w, n.Scale(-half), n, components.Material)
		components.Material.Get(wall).Friction = friction
	}
}

// pour creates balls and crates in a lattice with disorder, in a room.
func pour(w donburi.World, n int, seed uint64, crates bool) []*donburi.Entry {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []*donburi.Entry
	for i := range n {
		at := vec(float64(i%5)*0.7-1.4+0.1*r.Float64(), float64(i/25)*0.7-1.8, float64(i/5%5)*0.7-1.4+0.1*r.Float64())
		var e *donburi.Entry
		if crates && i%4 == 0 {
			e = components.CreateCrate(w, at, vec(0.2, 0.2, 0.2))
		} else {
			e = components.CreateBall(w, at, 0.2+0.1*r.Float64(), components.AngularVelocity)
		}
		components.Material.Get(e).Friction = 0.3
		all = append(all, e)
	}
	return all
}

// mustSetGravity sets the gravity, which is valid.
func mustSetGravity(t testing.TB, p *systems.Physics, g collide.Vec3) {
	t.Helper()
	if err := p.SetGravity(g); err != nil {
		t.Fatal(err)
	}
}

// motionsOf returns the bits of the positions and velocities of bodies.
func motionsOf(all []*donburi.Entry) string {
	var b strings.Builder
	for _, e := range all {
		for _, v := range []collide.Vec3{components.Transform.Get(e).Position, components.Velocity.Get(e).Linear} {
			fmt.Fprintf(&b, "%x %x %x ", math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z))
		}
	}
	return b.String()
}

func TestBodiesAsleepOnAFloorFallToTheCeilingWhenGravityFlips(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, crates := range []bool{false, true} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		roomOf(w, 2, 0.3)
		all := pour(w, 50, 1, crates)
		for range 900 {
			p.Step(w)
		}
		if s := p.Stats(); s.Asleep != len(all) {
			t.Fatalf("crates %v: %d of %d bodies sleep on the floor", crates, s.Asleep, len(all))
		}
		mustSetGravity(t, p, vec(0, 9.81, 0))
		p.Step(w)
		if s := p.Stats(); s.Asleep != 0 {
			t.Errorf("crates %v: %d bodies sleep on when gravity has flipped", crates, s.Asleep)
		}
		for _, e := range all {
			if v := components.Velocity.Get(e).Linear.Y; v < 0 {
				t.Errorf("crates %v: a body moves down at %g m/s in the first step", crates, v)
			}
		}
		for range 900 {
			p.Step(w)
		}
		for _, e := range all {
			if y := components.Transform.Get(e).Position.Y; y < 0.5 {
				t.Errorf("crates %v: a body is at y = %g, far from the ceiling", crates, y)
			}
		}
		if s := p.Stats(); s.Asleep != len(all) {
			t.Errorf("crates %v: %d of %d bodies sleep on the ceiling", crates, s.Asleep, len(all))
		}
	}
}

func TestAPileFlowsToAWallWhenGravityTurns(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	roomOf(w, 2, 0.2)
	all := pour(w, 75, 2, false)
	for tick := range 1500 {
		angle := min(math.Pi/2, float64(tick)*0.005) // 17 degrees a second
		mustSetGravity(t, p, collide.Rotation2D(angle).Rotate(vec(0, -9.81, 0)))
		p.Step(w)
	}
	sum := 0.0
	for _, e := range all {
		sum += components.Transform.Get(e).Position.X / float64(len(all))
	}
	if s := p.Stats(); sum < 1 || s.Asleep < len(all)*9/10 {
		t.Errorf("the bodies are at a mean x of %g, and %d of %d sleep", sum, s.Asleep, len(all))
	}
}

func TestBodiesSleepOnWhenTheSameGravityIsSetAgain(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := donburi.NewWorld()
	g := vec(0, -9.81, 0)
	p := systems.NewPhysics(systems.Config{Gravity: g})
	roomOf(w, 2, 0.3)
	all := pour(w, 50, 3, true)
	for range 900 {
		p.Step(w)
	}
	for _, next := range []collide.Vec3{g, vec(0, -9.81, math.Copysign(0, -1)), g} {
		mustSetGravity(t, p, vec(1, 2, 3)) // has no effect, as no step begins with it
		p.Sync(w)
		mustSetGravity(t, p, next)
		p.Step(w)
		if s := p.Stats(); s.Asleep != len(all) {
			t.Errorf("gravity %v: %d of %d bodies sleep on", next, s.Asleep, len(all))
		}
	}
}

func TestBodiesOnWhichTheChangeOfGravityDoesNotActSleepOn(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	falls := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
	locked := components.CreateBall(w, vec(5, 0.5, 0), 0.5)
	components.Body.Get(locked).Locked = components.AxisX
	for range 60 {
		p.Step(w)
	}
	if !p.Asleep(falls.Entity()) || !p.Asleep(locked.Entity()) {
		t.Fatal("the balls don't sleep")
	}
	mustSetGravity(t, p, vec(2, -9.81, 0))
	p.Step(w)
	if p.Asleep(falls.Entity()) || !p.Asleep(locked.Entity()) {
		t.Errorf("asleep: free ball %v, ball that locks X %v; want false, true",
			p.Asleep(falls.Entity()), p.Asleep(locked.Entity()))
	}
}

func TestGravitySetLaterIsThatOfAWorldCreatedWithIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, first := range []collide.Vec3{{}, {Y: 5}, {X: 1, Y: -9.81}} {
		for _, config := range []systems.Config{{}, {Parabolic: true}, {Workers: 2}, {RestitutionThreshold: 0.7}} {
			g := vec(0.5, -9.81, 0.25)
			run := func(set func(p *systems.Physics)) string {
				w := donburi.NewWorld()
				c := config
				if c.Gravity = g; set != nil {
					c.Gravity = first
				}
				p := systems.NewPhysics(c)
				roomOf(w, 2, 0.3)
				all := pour(w, 60, 4, !config.Parabolic)
				for _, e := range all {
					components.Material.Get(e).Restitution = 0.6
				}
				hero := components.CreateCharacter(w, vec(0, 0, 0), 0.2, 1)
				if set != nil {
					set(p)
				}
				for range 120 {
					p.Step(w)
				}
				return motionsOf(append(all, hero))
			}
			want := run(nil)
			if got := run(func(p *systems.Physics) { mustSetGravity(t, p, g) }); got != want {
				t.Errorf("from %v, %+v: set before the first step, other bits than created with it", first, config)
			}
			got := run(func(p *systems.Physics) {
				mustSetGravity(t, p, vec(3, 2, 1))
				mustSetGravity(t, p, g)
			})
			if got != want {
				t.Errorf("from %v, %+v: set twice, other bits", first, config)
			}
		}
	}
}

func TestItDoesNotMatterWhenBetweenStepsGravityIsSet(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	gravityAt := func(tick int) collide.Vec3 {
		return collide.Rotation2D(float64(tick / 40)).Rotate(vec(0, -9.81, 0))
	}
	run := func(mode int) string {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		roomOf(w, 2, 0.3)
		all := pour(w, 40, 5, true)
		all = append(all, components.CreateCharacter(w, vec(0, 1, 0), 0.2, 1))
		game := newECS(w)
		for tick := range 300 {
			if mode == 0 {
				mustSetGravity(t, p, gravityAt(tick))
			}
			if mode == 1 {
				p.Sync(w)
				mustSetGravity(t, p, gravityAt(tick))
				p.Sync(w)
				p.Check(w)
			}
			if mode == 2 { // of the next step: a step that is under way keeps its own
				p.Broadphase(game)
				mustSetGravity(t, p, gravityAt(tick+1))
				p.Sweep(game)
				p.Response(game)
				continue
			}
			p.Step(w)
		}
		return motionsOf(all)
	}
	want := run(0)
	for mode := 1; mode <= 2; mode++ {
		if got := run(mode); got != want {
			t.Errorf("mode %d: other bits", mode)
		}
	}
}

func TestGravityThatChangesHasTheSameBitsWithAnyWorkersAndWithoutSleep(t *testing.T) {
	slow.Skip(t, slow.Sequential, "other tests compare heaps of several workers, with the race detector too")
	for _, crates := range []bool{false, true} {
		run := func(config systems.Config) (bits string, slept int) {
			w := donburi.NewWorld()
			config.Gravity = vec(0, -9.81, 0)
			p := systems.NewPhysics(config)
			roomOf(w, 3, 0.3)
			all := pour(w, 50, 6, crates)
			for tick := range 1200 {
				if tick%300 == 0 {
					mustSetGravity(t, p, collide.Rotation2D(float64(tick)/300).Rotate(vec(0, -9.81, 0)))
				}
				p.Step(w)
				slept += p.Stats().Asleep
			}
			return motionsOf(all), slept
		}
		want, slept := run(systems.Config{Workers: 1})
		if slept == 0 {
			t.Error("nothing has slept")
		}
		if got, _ := run(systems.Config{Workers: 2}); got != want {
			t.Errorf("crates %v: two workers give other bits", crates)
		}
		if got, _ := run(systems.Config{Workers: 1, NoSleeping: true}); got != want {
			t.Errorf("crates %v: without sleep the bits are others", crates)
		}
	}
}

func TestACharacterStandsOnTheCeilingWhenGravityFlips(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	floor := components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	ceiling := components.CreatePlane(w, vec(0, 4, 0), vec(0, -1, 0))
	hero := components.CreateCharacter(w, vec(0, 0.9, 0), 0.3, 1.8)
	k := components.CharacterController.Get(hero)
	for range 60 {
		p.Step(w)
	}
	if k.State.GroundEntity != floor.Entity() || !k.State.Resting {
		t.Fatalf("it doesn't stand on the floor: %+v", k.State)
	}
	mustSetGravity(t, p, vec(0, 9.81, 0))
	p.Step(w)
	if k.OnGround() {
		t.Errorf("in the first step it still stands on the floor: %+v", k.State)
	}
	if v := k.State.Velocity.Y; math.Abs(v-9.81/60) > 1e-9 {
		t.Errorf("in the first step its velocity becomes %g m/s, want %g", v, 9.81/60)
	}
	for range 90 {
		p.Step(w)
	}
	at := components.Transform.Get(hero).Position
	if k.State.GroundEntity != ceiling.Entity() || math.Abs(at.Y-3.1) > 1e-6 {
		t.Errorf("at %v on entity %d, want the ceiling", at, k.State.GroundEntity.Id())
	}
	k.Jump = true
	p.Step(w)
	if v := k.State.Velocity.Y; v >= 0 {
		t.Errorf("it jumps at %g m/s, want down", v)
	}
}

func TestACrateBearsTheCharacterOnItWithTheNewGravity(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	crate := components.CreateCrate(w, vec(0, 0.5, 0), vec(0.5, 0.5, 0.5))
	hero := components.CreateCharacter(w, vec(0, 1.9, 0), 0.3, 1.8)
	k := components.CharacterController.Get(hero)
	for tick := range 300 {
		mustSetGravity(t, p, vec(0, -9.81*(1+0.5*math.Sin(float64(tick)/20)), 0))
		p.Step(w)
		if y := components.Transform.Get(crate).Position.Y; math.Abs(y-0.5) > 1e-6 || k.State.Crushed {
			t.Fatalf("tick %d: the crate is at %g, crushed: %v", tick, y, k.State.Crushed)
		}
	}
	if k.State.GroundEntity != crate.Entity() {
		t.Error("the character has left the crate")
	}
	mustSetGravity(t, p, vec(0, 9.81, 0))
	for range 30 { // both fall up; the crate is behind, and hits the character in each step
		p.Step(w)
	}
	a, b := components.Transform.Get(crate).Position.Y-0.5, components.Transform.Get(hero).Position.Y-1.9
	if free := 9.81 / 8; !(a > 0.8*free && a <= b && b < 1.01*free) {
		t.Errorf("in half a second the crate has fallen %g m up and the character %g, want about %g", a, b, free)
	}
}

func TestThrowsFollowTheParabolaOfTheNewGravity(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Parabolic: true})
	components.CreatePlane(w, vec(5, 0, 0), vec(-1, 0, 0))
	ball := components.CreateBall(w, vec(0, 0, 0), 0.5)
	p.Step(w)
	mustSetGravity(t, p, vec(8, 0, 0))
	for range 59 {
		p.Step(w)
	}
	if want := 0.5 * 8 * (59.0 / 60) * (59.0 / 60); math.Abs(components.Transform.Get(ball).Position.X-want) > 1e-9 {
		t.Errorf("at %v, want %g", components.Transform.Get(ball).Position, want)
	}
	for range 10 {
		p.Step(w)
		for hit := range p.Impacts() {
			if want := math.Sqrt(2 * 8 * 4.5); math.Abs(hit.Approach-want) > 1e-9 {
				t.Errorf("hits at %v m/s, want %v", hit.Approach, want)
			}
			return
		}
	}
	t.Error("no impact")
}

func TestAWrongGravityIsAnErrorThatChangesNothing(t *testing.T) {
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for _, g := range []collide.Vec3{{X: nan}, {Y: inf}, {Z: -inf}, {X: 1e9, Y: 1e9}, {Y: 2e9}} {
		err := p.SetGravity(g)
		var field *components.FieldError
		if !errors.As(err, &field) || field.Field != "Gravity" || !strings.HasPrefix(err.Error(), "Physics.Gravity") {
			t.Errorf("%v: got the error %v", g, err)
		}
		if p.Gravity() != vec(0, -9.81, 0) {
			t.Errorf("%v: gravity is now %v", g, p.Gravity())
		}
	}
	mustSetGravity(t, p, vec(0, 1e9, 0))
	if p.Gravity() != vec(0, 1e9, 0) {
		t.Errorf("gravity is %v", p.Gravity())
	}
}

func TestGravityThatChangesInEachTickAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	roomOf(w, 2, 0.3)
	pour(w, 60, 7, false)
	tick := 0
	step := func() {
		tick++
		mustSetGravity(t, p, collide.Rotation2D(0.3*math.Sin(float64(tick)/30)).Rotate(vec(0, -9.81, 0)))
		p.Step(w)
	}
	for range 1200 {
		step()
	}
	if n := testing.AllocsPerRun(300, step); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}
