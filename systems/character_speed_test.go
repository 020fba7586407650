package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// A character that landed on a falling ball went on with it as something of infinite mass. When the
// ball reached the floor, it was squeezed out at up to 200 m/s, and the character took the speed of
// its surface. Neither may get faster than what falls there, but for a step of gravity.
func TestACharacterThatLandsOnAFallingBallMakesNothingFasterThanTheFall(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const r, g, gap = 0.25, 9.81, 0.01
	cases := 0
	for _, spins := range []bool{false, true} {
		for _, friction := range []float64{0, 0.1, 0.4} {
			for _, falls := range []float64{1, 3, 6} {
				for k := range 10 {
					for h := 0.02; h < 1; h += 0.08 {
						cases++
						w, p := donburi.NewWorld(), onEarth()
						components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0))
						var more []donburi.IComponentType
						if spins {
							more = append(more, components.AngularVelocity)
						}
						ball := components.CreateCircle2D(w, vec(0, r+h, 0), r, more...)
						components.Material.Get(ball).Friction = friction
						off := -0.02 - 0.03*float64(k)
						above := 0.3 + math.Sqrt((r+0.3)*(r+0.3)-off*off)
						hero := components.CreateCharacter2D(w, vec(off, h+r+above+gap, 0), 0.3, 1.2)
						c := components.CharacterController.Get(hero)
						c.State.Velocity.Y = -falls
						most := math.Sqrt(falls*falls+2*g*(h+gap)) + g/60
						for tick := range 60 {
							p.Step(w)
							expectNoErrors(t, p)
							v := components.Velocity.Get(ball).Linear.Length()
							if side := math.Abs(c.State.Velocity.X); v > most || side > most {
								t.Fatalf("spins %v, friction %v, falls at %v m/s onto a ball %v m up, %v m aside, "+
									"tick %d: the ball moves at %v m/s and the character aside at %v, want at most %v",
									spins, friction, falls, h, off, tick, v, side, most)
							}
						}
					}
				}
			}
		}
	}
	if cases < 2000 {
		t.Errorf("only %d cases", cases)
	}
}

// A character that something stopped, and that stood still, went off at the speed of its knockback
// when that something was gone.
func TestACharacterForgetsTheKnockbackThatSomethingHasStopped(t *testing.T) {
	for _, name := range []string{"crate", "character", "wall"} {
		s := newCharacterScene()
		s.floor()
		hero, c := s.character(vec(0, 0, 0))
		var o *donburi.Entry
		switch name {
		case "crate":
			o = components.CreateCrate(s.world, vec(1, 0.5, 0), vec(0.5, 0.5, 0.5))
			components.Body.Get(o).Mass = 1e6
		case "character":
			o, _ = s.character(vec(0.8, 0, 0))
		case "wall":
			o = components.CreateBox(s.world, vec(1, 1, 0), vec(0.5, 1, 2))
		}
		s.steps(3)
		c.State.Velocity = vec(30, 0, 0)
		s.steps(6)
		at := position(hero)
		o.Remove()
		s.steps(60)
		if way := position(hero).Distance(at); way > 1e-9 {
			t.Errorf("without the %s it slides by %v m", name, way)
		}
	}
}

// What can be pushed to the speed of a knockback doesn't end that.
func TestAKnockbackCarriesALightCrateAlong(t *testing.T) {
	s := newCharacterScene()
	s.floor()
	hero, c := s.character(vec(0, 0, 0))
	crate := components.CreateCrate(s.world, vec(1, 0.5, 0), vec(0.5, 0.5, 0.5))
	c.MaxPushForce = 1e6
	s.steps(3)
	c.State.Velocity = vec(10, 0, 0)
	s.steps(5)
	if x, v := position(hero).X, components.Velocity.Get(crate).Linear.X; x < 0.4 || v < 5 {
		t.Errorf("the character is at x = %v, and the crate moves at %v m/s", x, v)
	}
	s.noErrors(t)
}

// A light thing that is free doesn't stop a character that glides or was knocked back: that keeps
// the speed at which both would move on.
func TestALightThingDoesNotStopAGlidingCharacter(t *testing.T) {
	for _, mass := range []float64{0.1, 0.5, 1, 5} {
		s := newCharacterScene()
		s.floor()
		_, c := s.character(vec(0, 0, 0))
		c.Acceleration = 0.5
		crate := components.CreateCrate(s.world, vec(1, 0.5, 0), vec(0.5, 0.5, 0.5))
		components.Body.Get(crate).Mass = mass
		s.steps(3)
		c.State.Velocity = vec(8, 0, 0)
		s.steps(60)
		want := 8*c.Mass/(c.Mass+mass) - c.Acceleration
		if v := c.State.Velocity.X; math.Abs(v-want) > 0.1 {
			t.Errorf("a crate of %v kg: the character glides at %v m/s, want %v", mass, v, want)
		}
	}
}

// A character that is squeezed out between two walls is as fast as the wall afterwards, not as it
// was in between.
func TestASqueezedCharacterKeepsNoMoreThanTheSpeedOfTheWall(t *testing.T) {
	const speed = 3
	for _, degrees := range []float64{10, 15, 20} {
		s := newCharacterScene()
		s.floor()
		half := degrees * math.Pi / 180
		wall := func(x, angle float64) *donburi.Entry {
			e := components.CreateBox(s.world, vec(x, 1, 0), vec(0.5, 1, 20), components.Velocity)
			components.Transform.Get(e).Rotation = collide.RotationBy(vec(0, angle, 0))
			return e
		}
		wall(-0.82, 0)
		moving := wall(0.5/math.Cos(half)+0.32/math.Cos(half)+0.1, half)
		hero, c := s.character(vec(0, 0, 0))
		components.Velocity.Get(moving).Linear = vec(-speed, 0, 0)
		fastest := 0.0
		for range 12 {
			s.steps(1)
			fastest = max(fastest, c.State.Velocity.Length())
		}
		components.Velocity.Get(moving).Linear = vec(0, 0, 0)
		s.steps(1)
		if v := c.State.Velocity.Length(); fastest < speed*1.2 || v > speed || c.State.Crushed {
			t.Errorf("%v degrees: at most %v m/s, then %v, at %v", degrees, fastest, v, position(hero))
		}
	}
}

// A character on the slope of a wedge that sinks doesn't move aside, nor push anything there.
func TestACharacterOnASinkingWedgeMovesAsideAsThat(t *testing.T) {
	s := newCharacterScene()
	lift := components.CreateBox(s.world, vec(0, 99.8, 0), vec(5, 0.2, 5), components.Velocity)
	hull, err := collide.NewHull([]collide.Vec3{
		vec(-1, 0, -1), vec(1, 0, -1), vec(1, 1, -1), vec(-1, 0, 1), vec(1, 0, 1), vec(1, 1, 1),
	})
	if err != nil {
		t.Fatal(err)
	}
	wedge := components.CreateShapeBody(s.world, vec(0, 100, 0), hull)
	components.Body.Get(wedge).Mass = 1000
	hero, c := s.character(vec(0, 100.6, 0))
	s.steps(60)
	for range 60 {
		v := components.Velocity.Get(lift)
		v.Linear.Y = max(-3, v.Linear.Y-0.1)
		s.steps(1)
		got, want := components.Velocity.Get(hero).Linear, components.Velocity.Get(wedge).Linear
		if math.Abs(got.X-want.X) > 1e-9 || math.Abs(got.Z-want.Z) > 1e-9 {
			t.Fatalf("its velocity is %v, that of the wedge %v, and it is %v", got, want, c.State.Ground)
		}
	}
}
