package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// raft is a crate on which a Force acts, with nothing below, and characters that stand on it.
type raft struct {
	*characterScene
	t        *testing.T
	crate    *donburi.Entry
	at       *components.TransformData
	velocity *components.VelocityData
	force    *components.ForceData
	riders   []*components.CharacterControllerData
	mass     float64 // of all
}

// raftMass is the mass of a raft, and that of each rider: with a power of two, a force that carries
// a raft and one rider does so exactly.
const raftMass = 64.0

// newRaft makes a raft that rests.
func newRaft(t *testing.T, riders int) *raft {
	s := newCharacterScene()
	r := &raft{characterScene: s, t: t, crate: s.pushed(0, 0), mass: raftMass}
	r.crate.AddComponent(components.Force)
	components.Body.Get(r.crate).Mass = raftMass
	for k := range riders {
		_, c := s.character(collide.Vec3{X: 0.1, Y: 1, Z: 0.6*float64(k) - 0.3})
		c.Mass = raftMass
		r.riders, r.mass = append(r.riders, c), r.mass+c.Mass
	}
	r.find()
	r.force.Force.Y = r.mass * pushGravity
	for range 3 {
		r.step()
	}
	return r
}

// find finds the components of the crate, which move when it gets another one.
func (r *raft) find() {
	r.at, r.velocity = components.Transform.Get(r.crate), components.Velocity.Get(r.crate)
	r.force = components.Force.Get(r.crate)
}

// step steps once, and fails if one of the riders doesn't stand on the raft any more.
func (r *raft) step() {
	r.t.Helper()
	r.steps(1)
	r.noErrors(r.t)
	for _, c := range r.riders {
		if !c.OnGround() || c.State.GroundEntity != r.crate.Entity() {
			r.t.Fatalf("one at %v left the raft at %v", c.State.Position, r.at.Position)
		}
		if d := c.State.Position.Y - r.at.Position.Y - 1.4; math.Abs(d) > 1e-9 {
			r.t.Fatalf("one stands %v above the raft", d)
		}
	}
}

// A raft and those who stand on it accelerate as one. It sank for ever, since the characters didn't
// yield, and downwards their weight accelerated the raft alone.
func TestARaftAcceleratesWithThoseWhoStandOnIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, riders := range []int{1, 2} {
		for _, times := range []float64{0, 0.5, 1, 1.001, 3} {
			for _, restitution := range []float64{0, 1} {
				r := newRaft(t, riders)
				components.Material.Get(r.crate).Restitution = restitution
				r.force.Force.Y = times * r.mass * pushGravity
				for n := 1; n <= 60 && !t.Failed(); n++ {
					r.step()
					closeTo(t, fmt.Sprintf("%d on it, %v weights, step %d: speed", riders, times, n),
						r.velocity.Linear.Y, (times-1)*pushGravity*float64(n)*pushTick, 1e-9)
				}
			}
		}
	}
}

// A raft whose buoyancy grows with its depth bobs about the depth at which that carries the weight
// of all, like one that has the mass of all, and with drag or damping comes to rest there.
func TestARaftBobsAboutTheDepthThatCarriesAll(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const stiffness = 2000.0 // N/m
	for _, riders := range []int{1, 2} {
		for _, drag := range []float64{0, 300} {
			for _, damping := range []float64{0, 3} {
				r := newRaft(t, riders)
				components.Body.Get(r.crate).LinearDamping = damping
				rest := r.at.Position.Y - 0.2 // it begins 0.2 m too high
				want, speed := 0.2, r.velocity.Linear.Y
				crossed := []float64{}
				for n := range 600 {
					off := r.at.Position.Y - rest
					r.force.Force.Y = r.mass*pushGravity - stiffness*off - drag*r.velocity.Linear.Y
					r.step()
					damped := speed / (1 + damping*pushTick)
					a := (-stiffness*want - drag*speed) / r.mass
					speed = damped + a*pushTick
					want += (damped + speed) / 2 * pushTick // what damping takes, it takes at once
					now := r.at.Position.Y - rest
					closeTo(t, fmt.Sprintf("%d on it, drag %v, damping %v, step %d: height", riders, drag, damping, n),
						now, want, 1e-9)
					if t.Failed() {
						return
					}
					if off < 0 && now >= 0 {
						crossed = append(crossed, (float64(n)-off/(now-off))*pushTick)
					}
				}
				if drag == 0 && damping == 0 {
					period := (crossed[len(crossed)-1] - crossed[0]) / float64(len(crossed)-1)
					closeTo(t, "period", period, 2*math.Pi*math.Sqrt(r.mass/stiffness), 2e-3)
				}
			}
		}
	}
}

// Beside a wall that may hold it by friction, a raft comes to rest at the same depth.
func TestARaftBesideAWallReachesItsEquilibrium(t *testing.T) {
	r := newRaft(t, 1)
	components.CreatePlane(r.world, collide.Vec3{X: 0.5}, collide.Vec3{X: -1})
	rest := r.at.Position.Y - 0.2
	for range 1200 {
		r.force.Force.Y = r.mass*pushGravity - 2000*(r.at.Position.Y-rest) - 300*r.velocity.Linear.Y
		r.step()
	}
	closeTo(t, "height", r.at.Position.Y, rest, 1e-3)
}

// What lies on a raft moves with it, and is part of what it carries. The gap between the two opens
// at first, at up to 0.006 m/s.
func TestARaftCarriesCratesAndWhoStandsOnThem(t *testing.T) {
	for name, feet := range map[string]collide.Vec3{
		"on the raft":  {X: -0.8, Y: 1},
		"on the crate": {X: 0.5, Y: 2},
	} {
		for _, times := range []float64{0, 0.5, 1.5} {
			s := newCharacterScene()
			r := &raft{characterScene: s, t: t}
			half := collide.Vec3{X: 2, Y: 0.5, Z: 2}
			r.crate = components.CreateCrate(s.world, collide.Vec3{Y: 0.5}, half, components.Force)
			components.Body.Get(r.crate).Mass = 100
			r.find()
			cargo := s.pushed(0.5, 0)
			components.Transform.Get(cargo).Position.Y = 1.5
			_, c := s.character(feet)
			r.mass = 150 + c.Mass
			r.force.Force.Y = r.mass * pushGravity
			for range 3 {
				s.steps(1)
			}
			r.force.Force.Y = times * r.mass * pushGravity
			start := r.velocity.Linear.Y
			for n := 1; n <= 60; n++ {
				s.steps(1)
				s.noErrors(t)
				if !c.OnGround() {
					t.Fatalf("%s, %v weights, step %d: it left its ground", name, times, n)
				}
				want := start + (times-1)*pushGravity*float64(n)*pushTick
				closeTo(t, fmt.Sprintf("%s, %v weights, step %d: speed", name, times, n),
					r.velocity.Linear.Y, want, 0.007)
				closeTo(t, fmt.Sprintf("%s, %v weights, step %d: speed of the crate", name, times, n),
					components.Velocity.Get(cargo).Linear.Y, want, 0.007)
			}
		}
	}
}

// What something else supports bears the whole weight, and doesn't move: a crate on a floor, a
// stack, one that friction holds on a wall. A force that is less than the weight of all changes
// nothing.
func TestWhatIsSupportedBearsTheWholeWeight(t *testing.T) {
	for name, support := range map[string]func(s *characterScene, crate *donburi.Entry){
		"floor": func(s *characterScene, _ *donburi.Entry) { s.floor() },
		"stack": func(s *characterScene, _ *donburi.Entry) {
			components.CreatePlane(s.world, collide.Vec3{Y: -2}, collide.Vec3{Y: 1})
			for k := range 2 {
				e := s.pushed(0, 0)
				components.Transform.Get(e).Position.Y = -0.5 - float64(k)
			}
		},
		"wall": func(s *characterScene, crate *donburi.Entry) {
			components.CreatePlane(s.world, collide.Vec3{X: 0.5}, collide.Vec3{X: -1})
			components.Force.Get(crate).Force.X = 1.01 * (pushedMass + 70) * pushGravity / 0.5
		},
	} {
		for _, times := range []float64{0, 0.99} {
			s := newCharacterScene()
			crate := s.pushed(0, 0)
			crate.AddComponent(components.Force)
			support(s, crate)
			_, c := s.character(collide.Vec3{Y: 1})
			components.Force.Get(crate).Force.Y = times * (pushedMass + c.Mass) * pushGravity
			s.steps(10)
			start := components.Transform.Get(crate).Position
			s.steps(300)
			s.noErrors(t)
			if d := components.Transform.Get(crate).Position.Distance(start); d > 1e-9 {
				t.Errorf("%s, %v weights: the crate moves by %v", name, times, d)
			}
			if asleep := s.physics.Asleep(crate.Entity()); !c.OnGround() || !asleep {
				t.Errorf("%s, %v weights: on ground %v, asleep %v", name, times, c.OnGround(), asleep)
			}
		}
	}
}

// A crate slides down a wall if friction bears less than its weight and that of who stands on it.
func TestACrateSlidesDownAWallUnderTheWeightOfACharacter(t *testing.T) {
	s := newCharacterScene()
	crate := s.pushed(0, 0)
	crate.AddComponent(components.Force)
	components.CreatePlane(s.world, collide.Vec3{X: 0.5}, collide.Vec3{X: -1})
	components.Force.Get(crate).Force.X = 0.9 * (pushedMass + 70) * pushGravity / 0.5
	_, c := s.character(collide.Vec3{Y: 1})
	s.steps(60)
	if y := components.Transform.Get(crate).Position.Y; y > 0.3 || !c.OnGround() {
		t.Errorf("the crate is at %v, and the character on ground: %v", y, c.OnGround())
	}
	s.noErrors(t)
}

// A lift that moves up and down carries a crate and who stands on it. Where it began to rise, the
// character didn't yet, and stopped the crate, which then fell from the lift.
func TestALiftCarriesACrateAndWhoStandsOnIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	center, half := collide.Vec3{Y: -0.5}, collide.Vec3{X: 2, Y: 0.5, Z: 2}
	for name, create := range map[string]func(s *characterScene) *donburi.Entry{
		"wall": func(s *characterScene) *donburi.Entry {
			return components.CreateBox(s.world, center, half, components.Velocity)
		},
		"body": func(s *characterScene) *donburi.Entry {
			e := components.CreateCrate(s.world, center, half)
			components.Body.Get(e).Kind = components.Kinematic
			return e
		},
	} {
		s := newCharacterScene()
		lift := create(s)
		height := func() float64 { return components.Transform.Get(lift).Position.Y }
		start := height()
		crate := s.pushed(0, 0)
		_, c := s.character(collide.Vec3{Y: 1})
		for n := range 600 {
			components.Velocity.Get(lift).Linear.Y = 3 * math.Sin(float64(n)/30) // up to 6 m/s²
			s.steps(1)
			s.noErrors(t)
			gap := components.Transform.Get(crate).Position.Y - 0.5 - (height() - start)
			if !c.OnGround() || c.State.GroundEntity != crate.Entity() || math.Abs(gap) > 1e-9 {
				t.Fatalf("%s, step %d: on ground %v, the crate %v above the lift", name, n, c.OnGround(), gap)
			}
		}
	}
}

// A balloon lifts off the floor with who stands on it, rests at a ceiling, and comes down again.
func TestABalloonRisesToACeilingAndComesDown(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, asleep := range []bool{false, true} {
		for _, above := range []string{"rider", "balloon"} {
			s := newCharacterScene()
			s.floor()
			top := 5.0
			r := &raft{characterScene: s, t: t, crate: s.pushed(0, 0)}
			r.crate.AddComponent(components.Force)
			r.find()
			e, c := s.character(collide.Vec3{Y: 1})
			if above == "rider" {
				components.CreatePlane(s.world, collide.Vec3{Y: top}, collide.Vec3{Y: -1})
			} else { // a bar over an edge of the crate, at which it stops
				components.CreateBox(s.world, collide.Vec3{X: -0.6, Y: 3.5}, collide.Vec3{X: 0.2, Y: 0.5, Z: 2})
				top = 3
			}
			r.riders, r.mass = append(r.riders, c), pushedMass+c.Mass
			wait := 2
			if asleep {
				wait = 100
			}
			for range wait {
				r.step()
			}
			if s.physics.Asleep(r.crate.Entity()) != asleep {
				t.Errorf("asleep %v: it isn't", asleep)
			}
			r.force.Force.Y = 1.1 * r.mass * pushGravity
			for range 30 {
				r.step()
			}
			steps := 30.0
			if asleep {
				steps-- // in which it wakes
			}
			closeTo(t, "speed", r.velocity.Linear.Y, 0.1*pushGravity*steps*pushTick, 1e-9)
			for range 300 {
				s.steps(1)
				highest := feetOf(e).Y + 1.8
				if above == "balloon" {
					highest = r.at.Position.Y + 0.5
				}
				if highest > top+1e-9 {
					t.Fatalf("%s: %v m in the ceiling", above, highest-top)
				}
				if !c.OnGround() || r.at.Position.Y+0.5 > feetOf(e).Y+1e-9 {
					t.Fatalf("%s: the balloon overlaps its rider by %v", above, r.at.Position.Y+0.5-feetOf(e).Y)
				}
			}
			for range 60 {
				r.step()
			}
			r.force.Force.Y = 0.9 * r.mass * pushGravity
			for range 40 {
				r.step()
			}
			if v := r.velocity.Linear.Y; math.Abs(v+0.1*pushGravity*40*pushTick) > 0.05 {
				t.Errorf("%s: coming down at %v", above, v)
			}
			for range 300 {
				r.step()
			}
			closeTo(t, above+": height at the end", r.at.Position.Y, 0.5, 1e-9)
		}
	}
}

// A raft accelerates alone when its rider has jumped off. One that lands on it gives it momentum,
// and none gets lost.
func TestWhoJumpsOffARaftLeavesItToItself(t *testing.T) {
	r := newRaft(t, 1)
	c := r.riders[0]
	c.Jump, r.riders = true, nil
	r.steps(1)
	if c.OnGround() {
		t.Fatal("it doesn't jump")
	}
	before := r.velocity.Linear.Y
	r.steps(1)
	closeTo(t, "acceleration", (r.velocity.Linear.Y-before)/pushTick, pushGravity, 1e-9)
	for !c.OnGround() {
		r.force.Force.Y = raftMass * pushGravity
		r.velocity.Linear.Y = 0 // it waits
		before = c.State.Velocity.Y
		r.steps(1)
	}
	r.force.Force.Y = r.mass * pushGravity
	r.riders = append(r.riders, c)
	r.steps(3)
	r.step()
	v := r.velocity.Linear.Y
	if want := raftMass / r.mass * before; math.Abs(v-want) > 0.2 { // gravity acts for a part of a step
		t.Errorf("landed at %v, and they move at %v, want %v", before, v, want)
	}
	for range 10 {
		r.step()
	}
	closeTo(t, "speed", r.velocity.Linear.Y, v, 1e-9)
}

// A raft that is carried exactly sleeps with who stands on it, and wakes when its force changes.
func TestARaftSleepsAndWakes(t *testing.T) {
	r := newRaft(t, 1)
	for range 100 {
		r.step()
	}
	if !r.physics.Asleep(r.crate.Entity()) {
		t.Error("it doesn't sleep")
	}
	for _, times := range []float64{1.1, 0.9} {
		r.force.Force.Y = times * r.mass * pushGravity
		r.step() // in which it wakes
		before := r.velocity.Linear.Y
		for range 20 {
			r.step()
		}
		closeTo(t, "speed gained", r.velocity.Linear.Y-before, (times-1)*pushGravity*20*pushTick, 1e-9)
	}
}

// The game may give a raft a velocity.
func TestARaftWhoseVelocityTheGameSetsCarriesWhoStandsOnIt(t *testing.T) {
	for _, speed := range []float64{-3, 0.5, 3} {
		r := newRaft(t, 1)
		r.velocity.Linear.Y = speed
		for range 20 {
			r.step()
			closeTo(t, "speed", r.velocity.Linear.Y, speed, 1e-9)
		}
	}
}

// The step of a raft may begin again, after the game has changed its force.
func TestTheStepOfARaftMayBeginAgain(t *testing.T) {
	final := func(again bool) float64 {
		r := newRaft(t, 2)
		game := ecs.NewECS(r.world)
		for n := range 60 {
			force := (0.5 + float64(n%7)/5) * r.mass * pushGravity
			if again {
				for _, other := range []float64{2 * force, 0, force / 3} {
					r.force.Force.Y = other
					r.physics.Broadphase(game)
				}
			}
			r.force.Force.Y = force
			r.physics.Broadphase(game)
			r.physics.Sweep(game)
			r.physics.Response(game)
		}
		r.noErrors(t)
		return r.at.Position.Y
	}
	closeTo(t, "height of one whose steps begin again", final(true), final(false), 1e-12)
}

// The game may remove or change a raft or a rider between steps, and go on with another world.
func TestARaftAndItsRidersMayBeRemovedAndChanged(t *testing.T) {
	for name, change := range map[string]func(r *raft, rider *donburi.Entry){
		"raft":  func(r *raft, _ *donburi.Entry) { r.world.Remove(r.crate.Entity()) },
		"rider": func(r *raft, rider *donburi.Entry) { r.world.Remove(rider.Entity()) },
		"both": func(r *raft, rider *donburi.Entry) {
			r.world.Remove(rider.Entity())
			r.world.Remove(r.crate.Entity())
		},
		"controller": func(_ *raft, rider *donburi.Entry) { rider.RemoveComponent(components.CharacterController) },
		"velocity":   func(r *raft, _ *donburi.Entry) { r.crate.RemoveComponent(components.Velocity) },
		"kinematic":  func(r *raft, _ *donburi.Entry) { components.Body.Get(r.crate).Kind = components.Kinematic },
		"locked":     func(r *raft, _ *donburi.Entry) { components.Body.Get(r.crate).Locked = components.AxisY },
		"world":      func(r *raft, _ *donburi.Entry) { r.enterNewWorld() },
	} {
		r := newRaft(t, 2)
		var rider *donburi.Entry
		components.CharacterController.Each(r.world, func(e *donburi.Entry) { rider = e })
		r.force.Force.Y *= 1.5
		r.step()
		change(r, rider)
		r.steps(20)
		if name != "velocity" {
			r.noErrors(t)
		}
	}
}

// The game may remove the Transform of anything that a rider moves with, and of the rider. It ended
// in a panic.
func TestWhatCarriesACharacterMayLoseItsTransform(t *testing.T) {
	for k := range 4 {
		s := newCharacterScene()
		lift := components.CreateCrate(s.world, collide.Vec3{Y: -0.5}, collide.Vec3{X: 2, Y: 0.5, Z: 2})
		components.Body.Get(lift).Kind = components.Kinematic
		crate, above := s.pushed(0, 0), s.pushed(0.5, 0)
		components.Transform.Get(above).Position.Y = 1.5
		e, _ := s.character(collide.Vec3{X: 0.5, Y: 2})
		for n := range 20 {
			components.Velocity.Get(lift).Linear.Y = 0.1 * float64(n)
			s.steps(1)
		}
		components.Velocity.Get(lift).Linear.Y = 0
		broken := []*donburi.Entry{lift, crate, above, e}[k]
		broken.RemoveComponent(components.Transform)
		s.steps(20)
		named := false
		for err := range s.physics.Errors() {
			named = named || err.Entity == broken.Entity()
		}
		if !named {
			t.Errorf("no error names entity %d", k)
		}
	}
}

// A rider rises only as far as there is room under a character that lands on its head. It rose as
// far as there was room before that, and the raft got 1 mm into it.
func TestARaftDoesNotRiseIntoARiderOnWhoseHeadAnotherLands(t *testing.T) {
	for _, gap := range []float64{0.001, 0.1, 1} {
		r := newRaft(t, 1)
		above, _ := r.character(collide.Vec3{X: 0.1, Y: r.at.Position.Y + 0.5 + 1.8 + gap, Z: -0.3})
		r.force.Force.Y = 1.05 * r.mass * pushGravity
		for range 60 {
			r.steps(1)
			r.noErrors(t)
			if d := feetOf(above).Y - 1.8 - r.at.Position.Y - 0.5; d < -1e-9 {
				t.Fatalf("the one above is %v in the one on the raft", -d)
			}
		}
	}
}

// enterNewWorld goes on with another world, whose entities have the same numbers.
func (r *raft) enterNewWorld() {
	r.world = donburi.NewWorld()
	r.floor()
	r.character(collide.Vec3{Y: 1})
	r.pushed(0, 0)
}

// A warm step with a raft, cargo and riders allocates nothing.
func TestARaftAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	r := newRaft(t, 2)
	cargo := r.pushed(0.5, 0)
	components.Transform.Get(cargo).Position.Y = 1.5
	n := 0
	step := func() {
		n++
		r.force.Force.Y = (r.mass + pushedMass) * pushGravity * (1 + 0.1*math.Cos(float64(n)/10))
		r.steps(1)
	}
	for range 200 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n > 0 {
		t.Errorf("%v allocations", n)
	}
	r.noErrors(t)
}

// The order of creation doesn't change a bit of how rafts, cargo and riders move.
func TestRaftsDoNotDependOnTheOrderOfCreation(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	final := func(order []int) (places [6]collide.Vec3) {
		s := newCharacterScene()
		var entries [6]*donburi.Entry
		for _, k := range order {
			switch k {
			case 0, 1: // a raft, and one under its edge
				center := collide.Vec3{X: float64(k), Y: 0.5 - float64(k)}
				e := components.CreateCrate(s.world, center, collide.Vec3{X: 2, Y: 0.5, Z: 2}, components.Force)
				components.Body.Get(e).Mass = 100 + float64(k)
				components.Force.Get(e).Force.Y = (180 + 30*float64(k)) * pushGravity
				entries[k] = e
			case 2, 3:
				entries[k] = s.pushed(0.7*float64(k)-2, 0.3)
				components.Transform.Get(entries[k]).Position.Y = 1.5
			default:
				entries[k], _ = s.character(collide.Vec3{X: 1.3, Y: 1, Z: 1.3 * (2*float64(k) - 9)})
			}
		}
		s.steps(100)
		s.noErrors(t)
		for k, e := range entries {
			places[k] = components.Transform.Get(e).Position
		}
		return places
	}
	want := final([]int{0, 1, 2, 3, 4, 5})
	for _, order := range [][]int{{5, 4, 3, 2, 1, 0}, {2, 5, 0, 3, 1, 4}, {4, 1, 0, 5, 2, 3}} {
		if got := final(order); got != want {
			t.Errorf("order %v: %v, want %v", order, got, want)
		}
	}
}

// A raft may be a ball, and its rider any shape.
func TestABallCarriesACharacterOfAnyShape(t *testing.T) {
	for name, create := range map[string]func(s *characterScene) *donburi.Entry{
		"capsule": func(s *characterScene) *donburi.Entry {
			return components.CreateCharacter(s.world, collide.Vec3{Y: 1.9}, 0.3, 1.8)
		},
		"sphere": func(s *characterScene) *donburi.Entry {
			e := components.CreateCharacter(s.world, collide.Vec3{Y: 1.3}, 0.3, 1.8, components.SphereCollider)
			e.RemoveComponent(components.CapsuleCollider)
			components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: 0.3})
			return e
		},
		"box": func(s *characterScene) *donburi.Entry {
			e := components.CreateCharacter(s.world, collide.Vec3{Y: 1.9}, 0.3, 1.8, components.ShapeCollider)
			e.RemoveComponent(components.CapsuleCollider)
			components.ShapeCollider.SetValue(e, components.ShapeColliderData{
				Shape: collide.Box{Half: collide.Vec3{X: 0.3, Y: 0.9, Z: 0.3}},
			})
			return e
		},
	} {
		for _, times := range []float64{0, 0.5, 1.5} {
			s := newCharacterScene()
			ball := components.CreateBall(s.world, collide.Vec3{Y: 0.5}, 0.5, components.Force)
			components.Body.Get(ball).Mass = 30
			c := components.CharacterController.Get(create(s))
			force := components.Force.Get(ball)
			force.Force.Y = (30 + c.Mass) * pushGravity
			s.steps(3)
			force.Force.Y *= times
			begun := 0
			for n := 1; n <= 60 && !t.Failed(); n++ {
				s.steps(1)
				for range s.physics.ContactBegins() {
					begun++
				}
				closeTo(t, fmt.Sprintf("%s, %v weights, step %d: speed", name, times, n),
					components.Velocity.Get(ball).Linear.Y, (times-1)*pushGravity*float64(n)*pushTick, 1e-9)
				if !c.OnGround() {
					t.Errorf("%s, %v weights, step %d: it left the ball", name, times, n)
				}
			}
			if begun > 0 {
				t.Errorf("%s, %v weights: %d contacts began", name, times, begun)
			}
			s.noErrors(t)
		}
	}
}

func BenchmarkACharacterOnABobbingRaft(b *testing.B) {
	r := newRaft(&testing.T{}, 1)
	n := 0
	for b.Loop() {
		n++
		r.force.Force.Y = r.mass * pushGravity * (1 + 0.1*math.Cos(float64(n)/10))
		r.steps(1)
	}
}
