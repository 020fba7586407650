package systems_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Nothing else moves here, so whatever the characters do, each of them has a place.
func TestCharactersInANarrowRoomOverlapNowhereAndCrushNobody(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range slow.Cases(100) {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		direction := func() collide.Vec3 {
			v := collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			return v.Scale(math.Exp(2 + rng.NormFloat64()))
		}
		s := newCharacterScene()
		for _, d := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			components.CreatePlane(s.world, d.Scale(-1.5), d)
		}
		s.shape(t, collide.Vec3{X: 1.2, Y: -1.4}, collide.Box{Half: collide.Vec3{X: 0.3, Y: 0.3, Z: 0.3}})
		var all [4]*donburi.Entry
		for i := range all {
			var c *components.CharacterControllerData
			all[i], c = s.character(collide.Vec3{X: -0.8 + 1.5*float64(i%2), Y: -1.5, Z: -0.8 + 0.8*float64(i&2)})
			c.Acceleration, c.AirAcceleration, c.CrouchHeight = 1000, 1000, 0.8
			c.NoCeilingSlide = i == 1
			if i == 2 {
				c.Mode = components.Floating
			}
		}
		for step := range 200 {
			for _, e := range all {
				c := components.CharacterController.Get(e)
				if rng.IntN(5) == 0 {
					c.DesiredVelocity = direction()
				}
				if rng.IntN(9) == 0 {
					c.State.Velocity = direction()
				}
				c.Jump, c.Crouch = rng.IntN(6) == 0, rng.IntN(3) == 0
			}
			s.steps(1)
			for i, a := range all {
				if components.CharacterController.Get(a).State.Crushed {
					t.Errorf("seed %d, step %d: character %d is crushed", seed, step, i)
				}
				for k, b := range all[:i] {
					if gap := collide.Separation(capsuleOf(a), capsuleOf(b)).Distance; gap < -1e-9 {
						t.Fatalf("seed %d, step %d: character %d is %v deep in %d", seed, step, i, -gap, k)
					}
				}
			}
		}
	}
}

func capsuleOf(e *donburi.Entry) collide.Capsule {
	at, c := components.Transform.Get(e).Position, components.CapsuleCollider.Get(e)
	return collide.Capsule{A: at.Add(c.A), B: at.Add(c.B), Radius: c.Radius}
}

// Characters sweep upright capsules as a ball and a longer capsule: that is the general sweep of
// two capsules, but for rounding.
func TestUprightCapsulesAreSweptLikeAnyTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	normal := func(scale float64) collide.Vec3 {
		return collide.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(scale)
	}
	capsule := func() character.Shape {
		h := rng.Float64()
		return character.Shape{
			Kind: character.Capsule, Radius: 0.2 + 0.4*rng.Float64(),
			A: collide.Vec3{Y: -h}, B: collide.Vec3{Y: h + 0.1},
		}
	}
	outcomes := map[collide.Outcome]int{}
	for range 100_000 {
		a, b := capsule(), capsule()
		p, v := normal(1), normal(3)
		if rng.IntN(2) == 0 {
			p.Y, v.Y = rng.Float64()-0.5, 0
		}
		got, outcome, ok := systems.SweepParallel(&a, p, v, &b, 1)
		want, expected := a.Sweep(p, v, b.Capsule(collide.Vec3{}), collide.Vec3{}, 1)
		outcomes[expected]++
		switch {
		case !ok || outcome != expected:
			t.Fatalf("%+v at %v, moving at %v, against %+v: got %v, want %v", a, p, v, b, outcome, expected)
		case outcome == collide.Miss:
		case math.Abs(got.Time-want.Time) > 1e-13 || got.Normal.Distance(want.Normal) > 1e-12 ||
			got.Point.Distance(want.Point) > 1e-12:
			t.Fatalf("%+v at %v, moving at %v, against %+v:\ngot  %+v\nwant %+v", a, p, v, b, got, want)
		}
	}
	for _, o := range []collide.Outcome{collide.Miss, collide.Overlap, collide.Hit} {
		if outcomes[o] < 1000 {
			t.Errorf("only %d sweeps end with %v", outcomes[o], o)
		}
	}
}

// One character is carried along a wall, and another one towards that wall. Each was carried on as
// if the other one stopped behind it. The first one was crushed between the wall and where the
// other one would have been carried, so it was not where bodies saw it, and a ball behind it came
// into it.
func TestABallIsStoppedByACharacterToWhichAnotherOneIsCarried(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, name := range []string{"the floors move", "the floors begin to move"} {
		for k := range 80 {
			side, offset, gap := float64(1-k%2*2), 0.004*float64(k%20-10), 0.0001+0.005*float64(k/20)
			s := newCharacterScene()
			components.CreatePlane(s.world, vec(0, 0, -0.3), vec(0, 0, 1))
			under := components.CreateBox(s.world, vec(0, -0.5, 0), vec(20, 0.5, 0.3), components.Velocity)
			beside := components.CreateBox(s.world, vec(0, -0.5, 5.45), vec(20, 0.5, 5), components.Velocity)
			first, _ := s.character(vec(0, 0, 0))
			second, _ := s.character(vec(side*offset, 0, 0.6+gap))
			if name == "the floors begin to move" {
				s.steps(1)
			} else {
				components.Transform.Get(second).Position.Z += 1.0 / 60
			}
			components.Velocity.Get(under).Linear = vec(side, 0, 0)
			components.Velocity.Get(beside).Linear = vec(side, 0, -1)
			if name == "the floors move" {
				s.steps(1)
			}
			ball := components.CreateBall(s.world, position(first).Sub(vec(0.6001*side, 0, 0)), 0.3)
			components.Velocity.Get(ball).Linear.X = side
			for step := range 20 {
				s.steps(1)
				at := collide.Sphere{Center: position(ball), Radius: 0.3}
				a, b := capsuleOf(first), capsuleOf(second)
				gap := min(collide.Separation(a, at).Distance, collide.Separation(b, at).Distance,
					collide.Separation(a, b).Distance, position(first).Z)
				if c := components.CharacterController.Get(first); gap < -1e-9 || c.State.Crushed {
					t.Fatalf("%s, case %d, step %d: overlap of %v m, crushed: %v", name, k, step, -gap, c.State.Crushed)
				}
			}
			s.noErrors(t)
		}
	}
}

// Two characters were carried towards each other, each on as if the other one stopped behind it. A
// ball followed the faster one, which had to stop and was crushed between the two.
func TestABallThatFollowsACharacterToAnotherOneDoesNotEnterIt(t *testing.T) {
	s := newCharacterScene()
	components.CreatePlane(s.world, vec(0, 0, -0.3), vec(0, 0, 1))
	var all [2]*donburi.Entry
	at, v := [2]collide.Vec3{{}, vec(0.32, 0, 0.51)}, [2]collide.Vec3{vec(1, 0, -1.26), vec(-0.92, 0, -1.3)}
	for i := range all {
		floor := components.CreateBox(s.world, at[i].Add(vec(0, -0.5, 0)), vec(20, 0.5, 0.3), components.Velocity)
		components.Velocity.Get(floor).Linear = v[i]
		all[i], _ = s.character(at[i])
	}
	s.steps(1)
	var balls [2]*donburi.Entry
	for i, e := range all {
		back, _ := v[i].Neg().Normalized()
		balls[i] = components.CreateBall(s.world, position(e).AddScaled(0.5001, back), 0.2)
		components.Velocity.Get(balls[i]).Linear = v[i]
	}
	for step := range 20 {
		s.steps(1)
		for i, e := range all {
			gap := position(e).Z
			for _, b := range balls {
				at := collide.Sphere{Center: position(b), Radius: 0.2}
				gap = min(gap, collide.Separation(capsuleOf(e), at).Distance)
			}
			if c := components.CharacterController.Get(e); gap < -1e-9 || c.State.Crushed {
				t.Errorf("step %d: character %d overlaps by %v m, crushed: %v", step, i, -gap, c.State.Crushed)
			}
		}
	}
	s.noErrors(t)
}

// A monster that walked into a hero at rest was in no list of the hero: only the one that moves had
// the contact.
func TestACharacterHasTheContactsOfOthersThatWalkIntoIt(t *testing.T) {
	for _, flees := range []float64{0, 1} {
		w := donburi.NewWorld()
		p := onEarth()
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		hero := components.CreateCharacter(w, vec(3, 0.9, 0), 0.3, 1.8)
		monster := components.CreateCharacter(w, vec(0, 0.9, 0), 0.3, 1.8)
		components.CharacterController.Get(hero).DesiredVelocity = vec(flees, 0, 0)
		components.CharacterController.Get(monster).DesiredVelocity = vec(2, 0, 0)
		meetings := 0
		for step := range 300 {
			p.Step(w)
			own := components.CharacterController.Get(monster).State
			got := components.CharacterController.Get(hero).State.Contacts
			met := slices.IndexFunc(own.Contacts, func(c components.CharacterContact) bool {
				return c.Entity == hero.Entity()
			})
			if met < 0 {
				if len(got) > 0 {
					t.Fatalf("step %d: nothing has met the hero, and it has contacts %+v", step, got)
				}
				continue
			}
			meetings++
			c := own.Contacts[met]
			want := components.CharacterContact{
				Entity: monster.Entity(), Time: c.Time, Point: c.Point, Normal: c.Normal.Neg(), Velocity: own.Velocity,
			}
			if len(got) != 1 || got[0] != want {
				t.Fatalf("step %d: the hero has contacts %+v, want %+v", step, got, want)
			}
		}
		if meetings < 50 {
			t.Errorf("the hero flees at %v m/s, and has contacts in %d steps", flees, meetings)
		}
	}
}
