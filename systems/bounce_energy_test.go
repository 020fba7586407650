package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Scenes of one step in which something that contacts hold, or have pressed on, bounces later in
// the step. All were found by bench/search.
func TestBouncesAfterAContactGainNoEnergy(t *testing.T) {
	weight := func(mass float64) components.BodyData { return components.BodyData{Mass: mass} }
	tests := []struct {
		name    string
		gravity collide.Vec3
		scene   func(w donburi.World) (balls []*donburi.Entry)
	}{
		{
			"a ball on the floor is knocked against it, bounces and falls again",
			vec(0, -10, 0),
			func(w donburi.World) []*donburi.Entry {
				wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
				return []*donburi.Entry{
					ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, bouncy(1)),
					ball(w, vec(-2, 0.2, 0), vec(800, 0, 0), 0.5),
				}
			},
		},
		{
			"a ball is pressed on one on the floor, and bounces off another",
			vec(0, -10, 0),
			func(w donburi.World) []*donburi.Entry {
				wall(w, vec(0, -0.5, 0), vec(0, 1, 0))
				return []*donburi.Entry{
					ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, bouncy(1)),
					ball(w, vec(0, 1, 0), vec(0, 0, 0), 0.5),
					ball(w, vec(1, 0, 0), vec(0, 0, 0), 0.5),
					ball(w, vec(-2, 0.5, 0), vec(600, 0, 0), 0.5, bouncy(1)),
				}
			},
		},
		{
			"a heavy ball jams a light one, and then bounces off it",
			vec(0, 0, 3),
			func(w donburi.World) []*donburi.Entry {
				wall(w, vec(0, 0, 0.987), vec(0, 0.0004, -1))
				return []*donburi.Entry{
					ball(w, vec(0.354, 0.956, 0.956), vec(0, 0, 0), 0.0311),
					ball(w, vec(0.423, 0.871, 0.868), vec(0, 0, 0), 0.109, weight(0.01)),
					ball(w, vec(0.559, 0.745, 0.65), vec(0, 0, 1), 0.176, weight(9), bouncy(1)),
				}
			},
		},
		{
			"a ball that a force rolls along a wall bounces off another wall",
			vec(-0.5, 0.3, -0.2),
			func(w donburi.World) []*donburi.Entry {
				wall(w, vec(0, 0, 0), vec(1, 0, 0), rough(1))
				wall(w, vec(0, 0, -0.06), vec(0, 0, 1), components.MaterialData{
					Restitution: 1, FrictionCombine: components.CombineMultiply,
				})
				return []*donburi.Entry{
					ball(w, vec(0.04, 0, 0), vec(0, 14, -5.6), 0.04, rough(1), turning(0, 140, 350)),
				}
			},
		},
		{
			"a heavy ball that turns and presses a rough one on a wall bounces off that",
			vec(-38.7, 0, 0),
			func(w donburi.World) []*donburi.Entry {
				wall(w, vec(-2.06, 0, 0), vec(1, 0, 0))
				return []*donburi.Entry{
					ball(w, vec(-2, 0.054371534944087696, -1.9673672060828042),
						vec(0, -0.7581767658448592, -0.9781203723937375), 0.06, components.MaterialData{
							Friction: 1, RestitutionCombine: components.CombineMultiply,
							FrictionCombine: components.CombineAverage,
						}),
					ball(w, vec(-1.821993383181219, 0.20042301941819388, -1.789424495493663),
						vec(-1.591075639307173, 0.08390672192067306, 0.10865400104388298), 0.231, weight(10), bouncy(1),
						turning(-0.03523517277447568, -6.573860428603814, 4.688486172227134)),
				}
			},
		},
		{
			"a ball that drives another one like a gear bounces off a wall without friction",
			vec(-10, 0, 0),
			func(w donburi.World) []*donburi.Entry {
				smooth := components.MaterialData{Restitution: 1, FrictionCombine: components.CombineMultiply}
				wall(w, vec(-1.3, 0, 0), vec(1, 0, 0), smooth)
				wall(w, vec(0, -0.502, 0), vec(0, 1, 0), smooth)
				return []*donburi.Entry{
					ball(w, vec(0, 0, 0), vec(0, -1, 0), 0.5, rough(1), turning(0, 0, 20)),
					ball(w, vec(-0.9, 0, 0), vec(0, 0, 0), 0.4, rough(1), turning(0, 0, -10)),
				}
			},
		},
	}
	for k := range 2 * len(tests) { // with a gap, impacts are resolved in groups
		c, gap := tests[k/2], 0.01*float64(k%2)
		t.Run(fmt.Sprintf("%s, gap %v", c.name, gap), func(t *testing.T) {
			const dt = 1.0 / 60
			w := donburi.NewWorld()
			balls := c.scene(w)
			total := func() (sum float64) {
				sum = energy(balls)
				for _, b := range balls {
					sum -= mass(b) * c.gravity.Dot(position(b))
					if b.HasComponent(components.AngularVelocity) {
						r, u := components.SphereCollider.Get(b).Radius, components.AngularVelocity.Get(b).Angular
						sum += 0.2 * mass(b) * r * r * u.LengthSquared()
					}
				}
				return sum
			}
			before := total()
			p := systems.NewPhysics(systems.Config{Gravity: c.gravity, TouchingGap: gap})
			steps(t, w, p, 1)
			chords := 0.0
			for e := range p.Impacts() { // at each, both paths may be off by an eighth of a·dt²
				for _, b := range balls {
					if b.Entity() == e.A || b.Entity() == e.B {
						chords += mass(b) * c.gravity.LengthSquared() * dt * dt / 8
					}
				}
			}
			if chords == 0 {
				t.Error("there is no impact, so this tests nothing")
			}
			if gain := total() - before; gain > 1e-12*math.Abs(before)+chords {
				t.Errorf("the energy is %.9g J and grows by %.3g J", before, gain)
			}
		})
	}
}

// Friction with the floor was to end the slide of the lower crate within the step. A bounce ended
// it at once, and the friction of the floor went on: the crate slid back at -0.97 m/s.
func TestACrateThatABounceHasStoppedDoesNotSlideBack(t *testing.T) {
	for _, friction := range []float64{3, 10, 80} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
		components.CreatePlane(w, vec(0, -1.19556, 0), vec(0, 1, 0))
		lower := components.CreateCrate(w, vec(-0.115, -0.931167, 0),
			vec(0.1477902179127615, 0.2643982534454407, 0.24206075203648175))
		components.Material.Get(lower).Restitution = 1
		components.Material.Get(lower).Friction = friction
		components.CreateCrate(w, vec(0, -0.556561, 0),
			vec(0.17512153787735962, 0.11020698271471674, 0.14478987047055675))
		pushes := components.CreateCrate(w, vec(-0.327, -1, 0),
			vec(0.05376529789740764, 0.10316794479388157, 0.13861910818737733))
		components.Velocity.Get(pushes).Linear = vec(1.15, 0.0948, 0)
		stepCrates(t, p, w, 1)
		if v := components.Velocity.Get(lower).Linear.X; v < 0.5 {
			t.Fatalf("friction %v: the lower crate moves at %v after a step, so this tests nothing", friction, v)
		}
		stepCrates(t, p, w, 1)
		if v := components.Velocity.Get(lower).Linear.X; v < -0.1 {
			t.Errorf("friction %v: the lower crate slides back at %v m/s", friction, v)
		}
	}
}

// Without gravity a ball lay on the floor, in the same island as two others that could meet it and
// a polygon that moved. All contacts there opened gaps, so it rose at 0.008 m/s, and for ever.
func TestABallAtRestWithoutWeightStaysWhereAPolygonMovesNearIt(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{})
	components.CreatePlane(w, vec(0, -3, 0), vec(0, 1, 0))
	around := func(center collide.Vec3, corners ...collide.Vec3) *donburi.Entry {
		for k := range corners {
			corners[k] = corners[k].Add(center)
		}
		e := components.CreatePolygon(w, corners, components.Body, components.Velocity)
		components.PolygonCollider.Get(e).OneSided = true
		components.Body.Get(e).Kind = components.Kinematic
		return e
	}
	moving := around(vec(1, -3, -1), vec(0.2557270112140049, 0.22204469027269624, -2.6490757108268665),
		vec(-0.7908895227562682, -1.9948705879206563, -1.5897444356496648),
		vec(-1.0466165339702729, -2.216915278193352, 1.0593312751772026),
		vec(-0.25572701121400454, -0.2220446902726958, 2.6490757108268665),
		vec(0.7908895227562684, 1.9948705879206565, 1.5897444356496646),
		vec(1.0466165339702729, 2.216915278193352, -1.059331275177203))
	components.Velocity.Get(moving).Linear = vec(0, 0.1, 0)
	around(vec(2, -1, -1), vec(-2.648768528078059, -0.9392534939258149, 0),
		vec(-0.5109668777059813, -2.7635275810232214, 0), vec(2.137801650372078, -1.8242740870974068, 0),
		vec(2.648768528078059, 0.9392534939258149, 0), vec(0.5109668777059816, 2.763527581023221, 0),
		vec(-2.1378016503720785, 1.8242740870974061, 0))
	ball := func(x, v collide.Vec3, restitution, friction float64) *donburi.Entry {
		e := components.CreateBall(w, x, 0.7)
		components.Velocity.Get(e).Linear = v
		components.Material.Get(e).Restitution, components.Material.Get(e).Friction = restitution, friction
		return e
	}
	ball(vec(0, -1, 0), vec(0, 0, -200), 0, 0.5)
	ball(vec(0, 0, 1), vec(0, -200, 0), 0.4, 0)
	rests := ball(vec(-1, -1, 1.4), vec(80, -40, -100), 0, 1)
	stepCrates(t, p, w, 1)
	if v := components.Velocity.Get(rests).Linear; v != (collide.Vec3{}) {
		t.Fatalf("the ball moves at %v after a step, so this tests nothing", v)
	}
	stepCrates(t, p, w, 1)
	if v := components.Velocity.Get(rests).Linear; v != (collide.Vec3{}) {
		t.Errorf("the ball gets the velocity %v", v)
	}
}
