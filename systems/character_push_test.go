package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

const (
	pushTick    = 1.0 / 60
	pushGravity = 9.81
	pushedMass  = 50.0
)

// pushed adds a crate of a metre, of 50 kg and with a friction of 0.5: 245 N hold it.
func (s *characterScene) pushed(x, z float64) *donburi.Entry {
	center, half := collide.Vec3{X: x, Y: 0.5, Z: z}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}
	e := components.CreateCrate(s.world, center, half, components.Material)
	components.Body.Get(e).Mass = pushedMass
	components.Material.SetValue(e, components.MaterialData{Friction: 0.5, FrictionCombine: components.CombineMax})
	return e
}

// pusher adds a character to the left of x, or to the right with a negative side, that walks
// against what is there with the given force.
func (s *characterScene) pusher(x, side, force float64) *components.CharacterControllerData {
	_, c := s.character(collide.Vec3{X: x - side*0.3001})
	c.DesiredVelocity, c.MaxPushForce = collide.Vec3{X: 5 * side}, force
	return c
}

// A crate that friction holds stays, and sleeps, whoever pushes it: it crept by 8 mm/s.
func TestACrateThatFrictionHoldsDoesNotCreep(t *testing.T) {
	for _, force := range []float64{1, 100, 240} {
		s := newCharacterScene()
		s.floor()
		crate := s.pushed(0, 0)
		s.steps(60)
		start := components.Transform.Get(crate).Position
		s.pusher(-0.5, 1, force)
		for step := range 240 {
			s.steps(1)
			if d := components.Transform.Get(crate).Position.Distance(start); d > 1e-12 {
				t.Fatalf("%v N, step %d: the crate has moved by %v", force, step, d)
			}
		}
		if !s.physics.Asleep(crate.Entity()) {
			t.Errorf("%v N: the crate doesn't sleep", force)
		}
		s.noErrors(t)
	}
}

// Above friction the crate accelerates by (F - µ·m·g) / m, up to the speed of the character.
func TestACharacterPushesWithItsForce(t *testing.T) {
	for _, sphere := range []bool{false, true} {
		s := newCharacterScene()
		s.floor()
		force, friction := 400.0, 0.5*pushedMass*pushGravity
		body := s.pushed(0, 0)
		if sphere { // without spin and friction
			s.world.Remove(body.Entity())
			body, friction = components.CreateBall(s.world, collide.Vec3{Y: 0.5}, 0.5), 0
			components.Body.Get(body).Mass = pushedMass
		}
		s.steps(60)
		c := s.pusher(-0.5, 1, force)
		c.Acceleration = math.Inf(1)
		for len(c.State.Contacts) == 0 {
			s.steps(1)
		}
		for n := 1; n <= 20; n++ {
			s.steps(1)
			want := float64(n) * pushTick * (force - friction) / pushedMass
			closeTo(t, "speed", components.Velocity.Get(body).Linear.X, want, 1e-9)
		}
		s.steps(300)
		if v := components.Velocity.Get(body).Linear.X; v < 5-friction/pushedMass*pushTick-1e-9 || v > 5+1e-9 {
			t.Errorf("sphere %v: in the end the body moves at %v, want 5", sphere, v)
		}
		s.noErrors(t)
	}
}

// What a character stands on sleeps, although it is pressed in each step. It bears the weight, and
// friction holds it against more than alone.
func TestACrateSleepsUnderAStandingCharacter(t *testing.T) {
	for _, mass := range []float64{2, pushedMass} {
		s := newCharacterScene()
		s.floor()
		crate := s.pushed(0, 0)
		components.Body.Get(crate).Mass = mass
		_, c := s.character(collide.Vec3{Y: 1})
		s.steps(200)
		if !c.OnGround() || c.State.GroundEntity != crate.Entity() {
			t.Fatalf("it doesn't stand on the crate: %+v", c.State)
		}
		if !s.physics.Asleep(crate.Entity()) {
			t.Errorf("a crate of %v kg doesn't sleep", mass)
		}
		// The weight of 70 kg raises what friction holds by 343 N.
		s.pusher(-0.5, 1, 0.5*mass*pushGravity+300).StepHeight = 0
		start := components.Transform.Get(crate).Position
		s.steps(100)
		if d := components.Transform.Get(crate).Position.Distance(start); d > 1e-12 {
			t.Errorf("a crate of %v kg is pushed by %v under the weight", mass, d)
		}
		if !s.physics.Asleep(crate.Entity()) {
			t.Errorf("a crate of %v kg that is pushed, too, doesn't sleep", mass)
		}
		s.noErrors(t)
	}
}

// lids returns what may lie on crates at some height: functions that add it and return its weight.
func lids(height float64) map[string]func(s *characterScene) (weight float64) {
	top := collide.Vec3{Y: height}
	return map[string]func(s *characterScene) (weight float64){
		"nothing": func(*characterScene) float64 { return 0 },
		"a character": func(s *characterScene) float64 {
			_, c := s.character(top)
			return c.Mass * pushGravity
		},
		"a character that floats": func(s *characterScene) float64 {
			_, c := s.character(top)
			c.Mode = components.Floating
			return 0
		},
		"a ceiling": func(s *characterScene) float64 {
			components.CreatePlane(s.world, top, collide.Vec3{Y: -1})
			return 0
		},
		"something kinematic": func(s *characterScene) float64 {
			half := collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5}
			e := components.CreateCrate(s.world, top.Add(collide.Vec3{Y: 0.5}), half)
			components.Body.Get(e).Kind = components.Kinematic
			return 0
		},
	}
}

// Friction holds a crate between a floor and what is on it with the weight of both times the
// coefficient, and not with nine times the weight of the crate: under a character, a crate of 2 kg
// needed 2,790 N to move, and not 353. A ceiling that it touches, or something kinematic, doesn't
// hold it any more than no ceiling.
func TestACrateMovesWhenItIsPushedHarderThanFrictionUnderAnyLoad(t *testing.T) {
	for name, lid := range lids(1) {
		for _, mass := range []float64{2, pushedMass} {
			for _, times := range []float64{0.99, 1.01, 3} {
				s := newCharacterScene()
				s.floor()
				crate := s.pushed(0, 0)
				components.Body.Get(crate).Mass = mass
				crate.AddComponent(components.Force)
				load := lid(s)
				weight, moving := load+mass*pushGravity, mass
				if name == "a character" { // it moves with the crate
					moving += load / pushGravity
				}
				s.steps(100)
				if !s.physics.Asleep(crate.Entity()) {
					t.Errorf("%v kg under %v: it doesn't sleep", mass, name)
				}
				components.Force.Get(crate).Force.X = times * 0.5 * weight
				s.steps(5)
				want := max(0, times-1) * 0.5 * weight / moving * 5 * pushTick
				closeTo(t, fmt.Sprintf("%v kg under %v, %v of friction: speed", mass, name, times),
					components.Velocity.Get(crate).Linear.X, want, 1e-9)
				s.noErrors(t)
			}
		}
	}
}

// Two characters that push a crate from both sides hold it, and it sleeps. Where one leaves, the
// other moves it.
func TestTwoCharactersHoldACrateBetweenThem(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	crate := s.pushed(0, 0)
	s.steps(60)
	start := components.Transform.Get(crate).Position
	s.pusher(-0.5, 1, 500)
	right := s.pusher(0.5, -1, 500)
	s.steps(60)
	if d := components.Transform.Get(crate).Position.Distance(start); d > 1e-3 { // one came first
		t.Errorf("the crate has moved by %v", d)
	}
	if !s.physics.Asleep(crate.Entity()) {
		t.Errorf("the crate doesn't sleep between them")
	}
	right.MaxPushForce, right.DesiredVelocity = 0, collide.Vec3{X: 5}
	s.steps(60)
	if d := components.Transform.Get(crate).Position.X - start.X; d < 1 {
		t.Errorf("one leaves, and the crate moves by %v", d)
	}
	s.noErrors(t)
}

// A crate that sleeps wakes when it is pushed, also while it sleeps under a weaker push, and sleeps
// again when the push is over.
func TestASleepingCrateWakesWhenItIsPushedHarder(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	crate := s.pushed(0, 0)
	s.steps(100)
	c := s.pusher(-0.5, 1, 200)
	for k, force := range []float64{200, 240, 300} {
		start := components.Transform.Get(crate).Position.X
		if k > 0 && !s.physics.Asleep(crate.Entity()) {
			t.Errorf("%v N: the crate doesn't sleep before", force)
		}
		c.MaxPushForce = force
		s.steps(120)
		if d := components.Transform.Get(crate).Position.X - start; (d > 0.1) != (force > 250) {
			t.Errorf("%v N: the crate moves by %v", force, d)
		}
	}
	c.DesiredVelocity.X = 0
	s.steps(120)
	if !s.physics.Asleep(crate.Entity()) {
		t.Error("the crate doesn't sleep when the push is over")
	}
	c.DesiredVelocity.X, c.MaxPushForce = 5, 300
	start := components.Transform.Get(crate).Position.X
	s.steps(120)
	if d := components.Transform.Get(crate).Position.X - start; d < 0.1 {
		t.Errorf("the crate that sleeps moves by %v", d)
	}
	s.noErrors(t)
}

// A push never gives a body more momentum than the force in that time, however the character meets
// it, and a force that ends leaves nothing behind: in a world without gravity the body moves on at
// the same velocity.
func TestAPushGivesNoMoreMomentumThanItsForceAllows(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	s := newCharacterScene()
	s.physics = systems.NewPhysics(systems.Config{Workers: 1})
	for k := range 20 {
		z := float64(4 * k)
		_, c := s.character(collide.Vec3{Z: z})
		c.Mode, c.MaxPushForce = components.Floating, 100
		c.DesiredVelocity = collide.Vec3{X: 3, Z: 0.05 * float64(k-10)}
		ball := components.CreateBall(s.world, collide.Vec3{X: 1.5, Y: 0.9, Z: z}, 0.5)
		components.Body.Get(ball).Mass = 1 + float64(k*k)
		body := components.Body.Get(ball)
		velocity := components.Velocity.Get(ball)
		pushed := 0
		for range 200 {
			before := *velocity
			touched := len(c.State.Contacts) > 0
			s.steps(1)
			gained := velocity.Linear.Sub(before.Linear).Length() * body.Mass
			if most := 100 * pushTick; gained > most*(1+1e-12) || !touched && gained > 0 {
				t.Fatalf("%v kg: a momentum of %v N·s in a step, want at most %v", body.Mass, gained, most)
			}
			if gained > 0 {
				pushed++
			}
		}
		if pushed == 0 {
			t.Errorf("%v kg: the ball isn't pushed", body.Mass)
		}
	}
	s.noErrors(t)
}

// Without gravity the solver isn't told of a ball at rest in each step. A push that a wall holds,
// and that ends, must leave nothing behind.
func TestABallAtRestForgetsAPushThatIsOver(t *testing.T) {
	s := newCharacterScene()
	s.physics = systems.NewPhysics(systems.Config{Workers: 1, NoSleeping: true})
	components.CreatePlane(s.world, collide.Vec3{X: 0.5}, collide.Vec3{X: -1})
	e, c := s.character(collide.Vec3{X: -1.5})
	c.Mode, c.DesiredVelocity.X = components.Floating, 2
	ball := components.CreateBall(s.world, collide.Vec3{Y: 0.9}, 0.5)
	wall := components.CreatePlane(s.world, collide.Vec3{X: 0.5}, collide.Vec3{X: -1})
	s.steps(200)
	at := *components.Transform.Get(ball)
	s.world.Remove(e.Entity())
	s.world.Remove(wall.Entity())
	s.steps(60)
	if d := components.Transform.Get(ball).Position.Distance(at.Position); d > 1e-12 {
		t.Errorf("the ball moves by %v when nobody pushes it", d)
	}
}

// The ball meets the character at 45 degrees. Both part as fast as they approached, as far as the
// axes that are locked allow, and neither moves along these.
func TestABallWithALockedAxisBouncesOffACharacterAlongTheOthers(t *testing.T) {
	for _, locked := range []struct{ ball, character components.Axes }{
		{components.AxisX, 0},
		{0, components.AxisX},
		{components.AxisX, components.AxisX},
		{components.AxisX, components.AxisZ},
		{0, 0},
	} {
		s := newCharacterScene()
		s.physics = systems.NewPhysics(systems.Config{Workers: 1})
		e, c := s.character(collide.Vec3{})
		c.Mode, c.Acceleration = components.Floating, 1e-12
		components.Body.Get(e).Locked = locked.character
		side := 0.8 * math.Sqrt2 / 2
		ball := components.CreateBall(s.world, vec(side, 0.9, side+0.01), 0.5, components.Material)
		components.Material.SetValue(ball, components.MaterialData{
			Restitution: 1, RestitutionCombine: components.CombineMax,
		})
		components.Body.Get(ball).Mass, components.Body.Get(ball).Locked = 30, locked.ball
		components.Velocity.Get(ball).Linear = collide.Vec3{Z: -2}
		s.steps(1)
		hits := 0
		for hit := range s.physics.Impacts() {
			hits++
			v, own := components.Velocity.Get(ball).Linear, c.State.Velocity
			if locked.ball != 0 && v.X != 0 || locked.character == components.AxisX && own.X != 0 ||
				locked.character == components.AxisZ && own.Z != 0 {
				t.Errorf("%+v: moves along the locked axis: the ball at %v, the character at %v", locked, v, own)
			}
			closeTo(t, "part", math.Abs(v.Sub(own).Dot(hit.Normal)), hit.Approach, 1e-9)
			energy := 0.5*30*v.LengthSquared() + 0.5*c.Mass*own.LengthSquared()
			closeTo(t, "energy", energy, 60, 1e-7)
		}
		if hits != 1 {
			t.Errorf("%+v: %d impacts", locked, hits)
		}
		s.noErrors(t)
	}
}

func TestAPushedCrateMayBeRemovedAndChanged(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	crate := s.pushed(0, 0)
	s.pusher(-0.5, 1, 200)
	s.steps(100)
	s.world.Remove(crate.Entity())
	other := s.pushed(20, 0) // may get the id
	start := components.Transform.Get(other).Position
	s.steps(2)
	if v := components.Velocity.Get(other).Linear; v != (collide.Vec3{}) {
		t.Errorf("another crate has the push: %v", v)
	}
	s.steps(60)
	if d := components.Transform.Get(other).Position.Distance(start); d > 1e-12 {
		t.Errorf("another crate has moved by %v", d)
	}
	for name, change := range map[string]func(e *donburi.Entry){
		"locked":    func(e *donburi.Entry) { components.Body.Get(e).Locked = components.AxisX },
		"kinematic": func(e *donburi.Entry) { components.Body.Get(e).Kind = components.Kinematic },
		"static":    func(e *donburi.Entry) { components.Body.Get(e).Kind = components.Static },
	} {
		s := newCharacterScene()
		s.floor()
		crate := s.pushed(0, 0)
		c := s.pusher(-0.5, 1, 1e4)
		for len(c.State.Contacts) == 0 {
			s.steps(1)
		}
		start := components.Transform.Get(crate).Position.X // the push acts in the next step
		change(crate)
		s.steps(100)
		if x := components.Transform.Get(crate).Position.X; x != start {
			t.Errorf("%s: the crate moves from %v to %v", name, start, x)
		}
		s.noErrors(t)
	}
}

// The least mass under the greatest weight would get a velocity of 1e19 m/s.
func TestTheHeaviestCharacterStandsOnTheLightestCrate(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	crate := s.pushed(0, 0)
	components.Body.Get(crate).Mass = 1 / components.MaxMass
	_, c := s.character(collide.Vec3{Y: 1})
	c.Mass, c.MaxPushForce = components.MaxMass, components.MaxCoordinate
	s.pusher(-0.5, 1, components.MaxCoordinate)
	for range 200 {
		s.steps(1)
		s.noErrors(t)
	}
	if !components.Transform.Get(crate).Position.IsFinite() {
		t.Errorf("the crate is at %v", components.Transform.Get(crate).Position)
	}
}

// The systems of a step may begin anew: a push acts once.
func TestAPushActsOnceIfAStepBeginsTwice(t *testing.T) {
	final := func(again, asleep bool) collide.Vec3 {
		s := newCharacterScene()
		s.floor()
		crate := s.pushed(0, 0)
		if asleep {
			s.steps(100)
		}
		s.pusher(-0.5, 1, 300)
		game := ecs.NewECS(s.world)
		for range 60 {
			s.physics.Broadphase(game)
			if again {
				s.physics.Broadphase(game)
			}
			s.physics.Sweep(game)
			s.physics.Response(game)
			s.physics.Sync(s.world)
		}
		s.noErrors(t)
		return components.Transform.Get(crate).Position
	}
	for _, asleep := range []bool{false, true} {
		if once, twice := final(false, asleep), final(true, asleep); once != twice || once.X < 0.05 {
			t.Errorf("asleep %v: the crate is at %v, and at %v if each step begins twice", asleep, once, twice)
		}
	}
}

// A ball that bounces between a character and a wall, or between two characters, hits them many
// times in a step. Each impact gave a part of its impulse to the character, and the ball got that
// back although it had bounced off something else since: both became ever faster.
func TestABallThatBouncesAtCharactersGetsNoFaster(t *testing.T) {
	for _, walled := range []bool{false, true} {
		s := newCharacterScene()
		s.physics = systems.NewPhysics(systems.Config{Workers: 1})
		_, left := s.character(collide.Vec3{X: -0.9})
		left.Mode, left.Acceleration = components.Floating, 0
		heroes := []*components.CharacterControllerData{left}
		if walled {
			components.CreatePlane(s.world, collide.Vec3{X: 0.6}, collide.Vec3{X: -1}, components.Material)
		} else {
			_, right := s.character(collide.Vec3{X: 0.9})
			right.Mode, right.Acceleration = components.Floating, 0
			heroes = append(heroes, right)
		}
		ball := components.CreateBall(s.world, collide.Vec3{Y: 0.9}, 0.5, components.Material)
		components.Body.Get(ball).Mass = 10
		components.Material.SetValue(ball, components.MaterialData{
			Restitution: 1, RestitutionCombine: components.CombineMax,
		})
		velocity := components.Velocity.Get(ball)
		velocity.Linear.X = 100
		energy := func() float64 {
			sum := 10 * velocity.Linear.LengthSquared() / 2
			for _, c := range heroes {
				sum += c.Mass * c.State.Velocity.LengthSquared() / 2
			}
			return sum
		}
		start := energy()
		for step := range 200 {
			s.steps(1)
			if e := energy(); e > start*(1+1e-9) {
				t.Fatalf("walled %v, step %d: %v J of %v", walled, step, e, start)
			}
		}
		if left.State.Velocity.X > -1 {
			t.Errorf("walled %v: the ball pushes the character to %v", walled, left.State.Velocity)
		}
	}
}

// A ball that others press on a character meets it with their force, too, which isn't the ball's
// to get back. It was thrown at 16, 75 and 9,700 m/s, and the character with it.
func TestACharacterOnAHeapThrowsNoBall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, seed := range []uint64{11, 121, 275} {
		s := newCharacterScene()
		s.floor()
		for _, d := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
			components.CreatePlane(s.world, d.Scale(0.56), d.Neg())
		}
		random := rand.New(rand.NewPCG(seed, 7))
		balls, places := []*components.VelocityData{}, []*components.TransformData{}
		for k := range 4 {
			radius, x, z := 0.2+0.1*random.Float64(), random.Float64()-0.5, random.Float64()-0.5
			at := collide.Vec3{X: 0.52 * x, Y: 0.4 + 0.65*float64(k), Z: 0.52 * z}
			e := components.CreateBall(s.world, at, radius, components.AngularVelocity)
			components.Body.Get(e).Mass = 20 / 0.0156 * radius * radius * radius
			balls, places = append(balls, components.Velocity.Get(e)), append(places, components.Transform.Get(e))
		}
		s.steps(240)
		top := 0.0
		for _, at := range places {
			top = max(top, at.Position.Y)
		}
		s.character(collide.Vec3{X: 0.05, Y: top + 0.4})
		for n := range 400 {
			s.steps(1)
			for k, v := range balls {
				if v.Linear.Length() > 3 {
					t.Fatalf("seed %d, step %d: ball %d at %v", seed, n, k, v.Linear)
				}
			}
		}
		s.noErrors(t)
	}
}
