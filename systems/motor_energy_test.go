package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A crate that slides down a seesaw was thrown at 77 m/s: a corner was in the surface by 1e-10 m,
// which is no overlap, and was to be out of it 1e-12 s later, at the end of the step.
func TestACrateOnASeesawIsNotThrown(t *testing.T) {
	for _, seed := range []uint64{481, 499} {
		r := rand.New(rand.NewPCG(seed, 77))
		between := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
		logBetween := func(low, high float64) float64 { return math.Exp(between(math.Log(low), math.Log(high))) }
		seconds := []float64{1. / 30, 1. / 60, 1. / 120}[r.IntN(3)]
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), StepSeconds: seconds})
		motor := components.MotorData{Inertia: logBetween(0.1, 30), Low: -0.4, High: 0.4}
		half := between(0.5, 2)
		board := components.ShapePart{Shape: collide.Box{Half: vec(half, 0.05, 0.5)}}
		seesaw := loaded(w, vec(0, 0, 0), motor, shaped(board))
		isCrate := []bool{r.IntN(2) == 0, r.IntN(2) == 0}
		masses := []float64{logBetween(1, 100), logBetween(0.1, 10)}
		put := func(x, y, mass float64, isCrate bool) *donburi.Entry {
			if isCrate {
				e := components.CreateCrate(w, vec(x, y, 0), vec(0.15, 0.15, 0.15))
				components.Body.Get(e).Mass, components.Material.Get(e).Friction = mass, 0.5
				return e
			}
			return ball(w, vec(x, y, 0), vec(0, 0, 0), 0.15, components.BodyData{Mass: mass}, rough(0.5))
		}
		load := put(-half*between(0.3, 0.9), 0.2, masses[1], isCrate[0])
		weight := put(half*between(0.3, 0.9), 0.3+between(0, 4), masses[0], isCrate[1])
		energy := func() float64 {
			sum := motor.Inertia * turnsAt(seesaw) * turnsAt(seesaw) / 2
			for k, e := range []*donburi.Entry{weight, load} {
				sum += masses[k] * (velocity(e).LengthSquared()/2 + 9.81*position(e).Y)
			}
			return sum
		}
		last := energy()
		for step := range int(2 / seconds) {
			p.Step(w)
			if now := energy(); now > last+1e-3*masses[0]*9.81 {
				t.Fatalf("seed %d, step %d: energy rises from %v to %v J", seed, step, last, now)
			} else {
				last = now
			}
		}
	}
}

// A body that a fast mill drives slows that down. Pushes along chords gave a body the velocity of
// the mill, and nothing to the mill: the energy grew to 14 times what it was, and angular momentum
// to 11 times.
func TestABodyThatAFastMillDrivesSlowsItDown(t *testing.T) {
	for _, angle := range []float64{0.1, 0.24, 0.26, 0.4} { // in a step, rad
		for _, mass := range []float64{0.1, 1, 10} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			speed, inertia := 60*angle, 0.05
			mill := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: inertia}, plank())
			components.AngularVelocity.Get(mill).Angular.Z = speed
			b := ball(w, vec(0.1, 0.3, 0), vec(0, 0.1*speed, 0), 0.2, components.BodyData{Mass: mass})
			energy := func() float64 {
				return mass*velocity(b).LengthSquared()/2 + inertia*turnsAt(mill)*turnsAt(mill)/2
			}
			momentum := func() float64 {
				return mass*position(b).Cross(velocity(b)).Z + inertia*turnsAt(mill)
			}
			// A surface that rotates by more than a quarter of a radian in a step is never solved
			// together with the body: what is left there is in docs/limits.md.
			mostEnergy, tolerance := 1.04, 1e-9
			if angle > 0.25 {
				mostEnergy, tolerance = 1.1, 0.08
			}
			energyBefore, momentumBefore := energy(), momentum()
			for range 60 {
				steps(t, w, p, 1)
				if got := energy() / energyBefore; got > mostEnergy {
					t.Fatalf("%v rad in a step, %v kg: %v times the energy", angle, mass, got)
				}
			}
			if got := momentum() / momentumBefore; math.Abs(got-1) > tolerance {
				t.Errorf("%v rad in a step, %v kg: %v times the angular momentum", angle, mass, got)
			}
		}
	}
}

// A mill of several boxes that overlap is as heavy as one of a single box. What a body takes from
// it at the end of a step was counted once for each box: momentum was lost.
func TestAMillOfSeveralBoxesGivesABodyItsMomentumOnce(t *testing.T) {
	after := func(boxes int) (momentum float64) {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		parts := make([]components.ShapePart, boxes)
		for k := range parts {
			parts[k].Shape = collide.Box{Half: vec(2, 0.1, 0.5)}
		}
		mill := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 0.05}, shaped(parts...))
		components.AngularVelocity.Get(mill).Angular.Z = 24
		b := ball(w, vec(0.1, 0.3, 0), vec(0, 2.4, 0), 0.2, components.BodyData{Mass: 1})
		steps(t, w, p, 60)
		return position(b).Cross(velocity(b)).Z + 0.05*turnsAt(mill)
	}
	want := after(1)
	for _, boxes := range []int{2, 4} {
		if got := after(boxes); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%d boxes: angular momentum %v, one box: %v", boxes, got, want)
		}
	}
}

// Coulomb's law where what a ball hits is light and makes way: friction changes the velocity along
// the plank by the coefficient times what the impact changes across it. It was that of an impact
// with a wall, up to 200 times as much. A ball that doesn't bounce stays on the plank, which
// presses on it for the rest of the step: with friction, too, that no impact reports.
func TestFrictionOnALightPlankIsThatOfTheImpulse(t *testing.T) {
	for restitution, tolerance := range map[float64]float64{0: 0.02, 0.5: 1e-12} {
		for _, inertia := range []float64{0.01, 1, 100} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			loaded(w, vec(0, 0, 0), components.MotorData{Inertia: inertia}, plank())
			material := components.MaterialData{Restitution: restitution, Friction: 0.3}
			b := ball(w, vec(1.5, 0.33, 0), vec(4, -4, 0), 0.2, components.BodyData{Mass: 2}, material)
			steps(t, w, p, 1)
			impulse := 0.0
			for k := range p.Impacts() {
				impulse += k.Impulse
			}
			ratio := math.Abs(velocity(b).X-4) * 2 / (0.3 * impulse)
			if !(ratio > 1-1e-12 && ratio < 1+tolerance) {
				t.Errorf("restitution %v, %v kg·m²: impulse %v across the plank, and %v of its friction along it",
					restitution, inertia, impulse, ratio)
			}
		}
	}
}

// A crate that meets a light board near its axis was thrown by the half of the board that came up,
// as if that were heavy: up to 2.4 times the energy.
func TestALightBoardUnderACrateDoesNotThrowIt(t *testing.T) {
	for _, speed := range []float64{-40, -13, -5, 5, 13, 40} {
		for _, x := range []float64{-0.1, 0.02, 0.1, 0.14} {
			for _, speedDown := range []float64{6, 2, 0.5, -0.5} {
				w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
				thin := shaped(components.ShapePart{Shape: collide.Box{Half: vec(1, 0.05, 0.5)}})
				board := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 0.05}, thin)
				components.AngularVelocity.Get(board).Angular.Z = speed
				crate := components.CreateCrate(w, vec(x, 0.21, 0), vec(0.15, 0.15, 0.15))
				components.Body.Get(crate).Mass = 10
				components.Velocity.Get(crate).Linear = vec(0, -speedDown, 0)
				energy := func() float64 {
					return 0.05*turnsAt(board)*turnsAt(board)/2 + 10*velocity(crate).LengthSquared()/2
				}
				before := energy()
				for range 30 {
					steps(t, w, p, 1)
					if got := energy() / before; got > 1+1e-9 {
						t.Fatalf("board at %v rad/s, crate at %v m and %v m/s: %v times the energy",
							speed, x, -speedDown, got)
					}
				}
			}
		}
	}
}

// A light door between heavy balls that bounce hits them in turn, more often than a step has
// changes of its speed, and then hit the next one as if it were heavy: 34,000 times the energy.
func TestALightDoorBetweenHeavyBallsGivesNoEnergyAway(t *testing.T) {
	for _, restitution := range []float64{0, 0.5, 1} {
		for _, inertia := range []float64{0.003, 0.03, 1} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			door := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: inertia}, plank())
			bouncy := components.MaterialData{Restitution: restitution}
			masses := []float64{1000, 300, 3}
			balls := []*donburi.Entry{
				ball(w, vec(1.6, 0.45, 0), vec(0, -5, 0), 0.2, components.BodyData{Mass: masses[0]}, bouncy),
				ball(w, vec(-1.2, 0.5, 0), vec(0, -6, 0), 0.2, components.BodyData{Mass: masses[1]}, bouncy),
				ball(w, vec(0.9, -0.6, 0), vec(0, 2, 0), 0.2, components.BodyData{Mass: masses[2]}, bouncy),
			}
			energy := func() float64 {
				sum := inertia * turnsAt(door) * turnsAt(door) / 2
				for k, b := range balls {
					sum += masses[k] * velocity(b).LengthSquared() / 2
				}
				return sum
			}
			before := energy()
			for step := range 60 {
				steps(t, w, p, 1)
				if got := energy() / before; got > 1+1e-12 {
					t.Fatalf("restitution %v, %v kg·m², step %d: %v times the energy",
						restitution, inertia, step, got)
				}
			}
		}
	}
}

// A crate that slid along the arm of a light mill to its hub was thrown by the other arm, and the
// mill lost nothing: up to 11.6 times the energy in a step. The contact solver took the lever of
// the point of contact, near the axis, and the speed of the corner that the other arm pushed.
func TestAMillDoesNotThrowACrateAtItsHub(t *testing.T) {
	for _, k := range []struct {
		speed, mass float64 // of the mill, rad/s, and of the crate, kg
		x, v        collide.Vec3
	}{
		{
			13.34993822750183, 133.2640433155447,
			vec(-0.524349317049977, 1.4247229957048253, 0), vec(0.44312925868344305, -1.1139280140191428, 0),
		},
		{
			12.952534040183423, 142.55565559177685,
			vec(0.07736074211856658, 1.4503344324233423, 0), vec(0.0948215233172322, -1.809795306486584, 0),
		},
	} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		arm := collide.Box{Half: vec(0.5, 0.05, 0.5)}
		arms := shaped(turned(arm, vec(0.5, 0, 0), 0), turned(arm, vec(-0.5, 0, 0), math.Pi))
		mill := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 0.5}, arms)
		components.AngularVelocity.Get(mill).Angular.Z = k.speed
		crate := components.CreateCrate(w, k.x, vec(0.15, 0.15, 0.15))
		components.Body.Get(crate).Mass = k.mass
		components.Velocity.Get(crate).Linear = k.v
		energy := func() float64 {
			return 0.5*turnsAt(mill)*turnsAt(mill)/2 + k.mass*velocity(crate).LengthSquared()/2
		}
		last := energy()
		for step := range 120 {
			steps(t, w, p, 1)
			now := energy()
			if now > 1.0001*last { // 1.0000154 by the walls that make way on chords
				t.Fatalf("mill at %v rad/s, step %d: energy rises from %v to %v J", k.speed, step, last, now)
			}
			last = now
		}
	}
}
