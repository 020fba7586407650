package bridge

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// The fast path gives the bits of the slow path, whatever the game does and whenever.
func TestTheFastPathGivesTheBitsOfTheSlowPath(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // so that all three workers are ready
	steps := slow.Cases(500)                        // a random change each
	shared := 0
	for name, settings := range map[string]Settings{"weightless": {}, "under gravity": gravity(-9.81)} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				alike, steps := 0, steps
				if seed == 3 {
					alike, steps = 4*blockRows, steps/2
				}
				fast, slow := newTwin(settings, seed, false, alike), newTwin(settings, seed, true, alike)
				for step := range steps {
					fast.step()
					slow.step()
					shared += fast.p.parallel.shared()
					got, want := fast.state(), slow.state()
					for i := range want {
						if got[i] != want[i] {
							t.Errorf("step %d: got %s, want %s", step, got[i], want[i])
						}
					}
					if got, want := fast.p.stats.Pairs, slow.p.stats.Pairs; got != want {
						t.Errorf("step %d: got %d pairs, want %d", step, got, want)
					}
					if wrong := fast.p.staleCache(); wrong != "" {
						t.Errorf("step %d: %s", step, wrong)
					}
					if t.Failed() {
						t.FailNow()
					}
				}
				if slow.p.stats.bodies < 50 {
					t.Errorf("only %d bodies are left", slow.p.stats.bodies)
				}
			})
		}
	}
	if runtime.NumCPU() == 1 {
		return
	}
	// On an idle machine every third step is written by several workers. On a busy one none may be:
	// so few rows are written before another worker is awake. This one has more.
	busy := newTwin(Settings{}, 3, false, 64*blockRows)
	for begun := time.Now(); shared == 0; shared += busy.p.parallel.shared() {
		if time.Since(begun) > time.Minute {
			t.Fatal("no step was written by several workers")
		}
		busy.step()
	}
}

// Profiles that change all the time don't accumulate.
func TestProfilesThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := crowd(10, 1)
	p := newStepper(Settings{})
	for step := range 3 * minProfiles {
		components.Body.Get(entries[step%10]).LinearDamping = float64(step) / 1e6
		p.step(w)
		if n := len(p.registry.profiles.list); n > minProfiles+30 {
			t.Fatalf("step %d: %d profiles", step, n)
		}
	}
}

// Corners that are removed and added again don't accumulate.
func TestPointsThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := surfaces(10, components.PolygonCollider)
	p := newStepper(Settings{})
	for step := range 300 {
		d := components.PolygonCollider.Get(entries[step%10])
		d.Points = d.Points[:3+step/10%2]
		p.step(w)
		if n := len(p.registry.sources.points); n > 100 {
			t.Fatalf("step %d: %d points", step, n)
		}
		for i, e := range entries {
			sources := &p.registry.sources
			got, want := sources.pointsOf(&sources.list[i]), components.PolygonCollider.Get(e).Points
			if !slices.Equal(got, want) {
				t.Fatalf("step %d: tile %d: got %v, want %v", step, i, got, want)
			}
		}
	}
}

// Every change that a game makes to a surface through a pointer is found, and the others take the
// fast path.
func TestEveryChangeOfASurfaceIsSeen(t *testing.T) {
	for _, c := range []struct {
		collider donburi.IComponentType
		fields   func(e *donburi.Entry, i int) map[string]*float64
	}{
		{components.PolygonCollider, func(e *donburi.Entry, i int) map[string]*float64 {
			return map[string]*float64{"a corner": &components.PolygonCollider.Get(e).Points[i%4].X}
		}},
		{components.PlaneCollider, func(e *donburi.Entry, _ int) map[string]*float64 {
			d := components.PlaneCollider.Get(e)
			return map[string]*float64{"the normal": &d.Normal.X, "the distance": &d.Distance}
		}},
		{components.CapsuleCollider, func(e *donburi.Entry, _ int) map[string]*float64 {
			d := components.CapsuleCollider.Get(e)
			return map[string]*float64{"an end": &d.A.X, "the other end": &d.B.Z, "the radius": &d.Radius}
		}},
	} {
		for _, velocity := range []bool{false, true} {
			w, entries := surfaces(100, c.collider)
			if velocity {
				for _, e := range entries {
					e.AddComponent(components.Velocity)
				}
			}
			p := newStepper(Settings{})
			for range 2 {
				p.step(w)
			}
			if n := p.slowRows(); n > 0 {
				t.Errorf("%s: %d of them that nobody changed are read slowly", c.collider.Name(), n)
			}
			for i, e := range entries {
				fields := c.fields(e, i)
				fields["its place"] = &components.Transform.Get(e).Position.Y
				fields["its rotation"] = &components.Transform.Get(e).Rotation.Y
				for name, f := range fields {
					was := *f
					*f = math.Nextafter(was, 100)
					p.step(w)
					if n := p.slowRows(); n != 1 {
						t.Errorf("%s: %s: %d rows take the slow path, want 1", c.collider.Name(), name, n)
					}
					*f = was
					p.step(w)
				}
			}
			if len(p.errors) > 0 {
				t.Error(p.errors)
			}
		}
	}
}

// Spheres with friction and spheres that rotate are read by the fast path, whatever their rotation
// and however it changes.
func TestFrictionAndSpinTakeTheFastPath(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	w, entries := spinningCrowd(300)
	kinds := []donburi.IComponentType{
		components.Transform, components.PlaneCollider, components.Material, components.SurfaceVelocity,
	}
	floor := w.Entry(w.Create(kinds...))
	components.Transform.Get(floor).Position.Y = -100
	components.Material.SetValue(floor, components.MaterialData{
		Friction: 0.3, RollingResistance: 0.1, FrictionCombine: components.CombineMin,
	})
	components.SurfaceVelocity.Get(floor).Linear.X = 3
	p := newStepper(gravity(-1))
	p.step(w)
	for step := range 20 {
		p.step(w)
		if n := p.slowRows(); n > 0 || len(p.errors) > 0 {
			t.Fatalf("step %d: %d rows take the slow path, errors %v", step, n, p.errors)
		}
		components.AngularVelocity.Get(entries[step]).Angular.X = float64(step)
	}
	for name, change := range map[string]func(){
		"a friction":       func() { components.Material.Get(entries[7]).RollingResistance += 0.1 },
		"a floor's":        func() { components.Material.Get(floor).FrictionCombine = components.CombineMax },
		"a belt":           func() { components.SurfaceVelocity.Get(floor).Linear.Z++ },
		"an inertia":       func() { components.AngularVelocity.Get(entries[7]).Inertia = 3 },
		"a spin's drag":    func() { components.AngularVelocity.Get(entries[7]).Damping = 3 },
		"whether it rests": func() { components.Body.Get(entries[7]).NeverSleep = true },
	} {
		change()
		p.step(w)
		if n := p.slowRows(); n != 1 {
			t.Errorf("%s: %d rows take the slow path, want 1", name, n)
		}
		p.step(w)
		if n := p.slowRows(); n != 0 {
			t.Errorf("%s: %d rows take the slow path in the step after, want none", name, n)
		}
	}
}

// Spheres that neither move nor rotate are unchanged, whatever their rotation.
func TestSpheresThatDoNotRotateAreUnchanged(t *testing.T) {
	w, entries := spinningCrowd(100)
	for i, e := range entries {
		components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular = collide.Vec3{}, collide.Vec3{}
		components.Transform.Get(e).Rotation = collide.RotationAround(collide.Vec3{X: 1, Y: 2}, float64(i))
	}
	p := newStepper(Settings{})
	for range 3 {
		p.step(w)
	}
	for i, e := range entries {
		if k := p.registry.find(e.Entity()); k.flags&unchanged == 0 {
			t.Fatalf("ball %d is not unchanged", i)
		}
	}
	components.AngularVelocity.Get(entries[3]).Angular.Y = 1
	p.step(w)
	if p.registry.find(entries[3].Entity()).flags&unchanged != 0 || p.slowRows() != 0 {
		t.Error("a ball to which the game gave a spin counts as unchanged, or took the slow path")
	}
}

// A step makes a positive zero of a negative one.
func TestASphereAtANegativeZeroIsReadOnce(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1)} {
		w := donburi.NewWorld()
		fixed := w.Entry(w.Create(components.Transform, components.SphereCollider))
		stands := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Velocity))
		for i, e := range []*donburi.Entry{fixed, stands} {
			components.Transform.Get(e).Position = collide.Vec3{X: x, Y: 3 * float64(i)}
			components.Transform.Get(e).Rotation.W = 1
			components.SphereCollider.Get(e).Radius = 1
		}
		p := newStepper(Settings{})
		for range 4 {
			p.step(w)
		}
		if n := p.slowRows(); n > 0 || len(p.errors) > 0 {
			t.Errorf("at %v: %d rows took the slow path, errors %v", x, n, p.errors)
		}
		if p.registry.find(stands.Entity()).flags&unchanged == 0 {
			t.Errorf("at %v: a sphere that stands is not unchanged", x)
		}
	}
}

// Frictions that change all the time don't accumulate, and those in use keep their values.
func TestFrictionsThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := spinningCrowd(10)
	p := newStepper(Settings{})
	for step := range 3 * minFrictions {
		components.Material.Get(entries[step%9]).Friction = float64(step) / 1e6
		p.step(w)
		if n := p.space.Frictions(); n > minFrictions+30 {
			t.Fatalf("step %d: %d frictions", step, n)
		}
		for _, e := range entries {
			handle, _ := p.registry.handle(e.Entity())
			got, want := p.space.FrictionOf(handle).Dynamic, components.Material.Get(e).Friction
			if got != want {
				t.Fatalf("step %d: friction: got %v, want %v", step, got, want)
			}
		}
	}
}

// slowRows returns how many rows took the slow path in the last Read.
func (b *Bridge) slowRows() (n int) {
	for _, l := range b.parallel.workers {
		n += len(l.slowRows)
	}
	return n
}

func TestAWarmStepOfALargeWorldAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	for _, workers := range []int{1, 2, 3, 8} {
		for _, eager := range []bool{false, true} { // else a step may be found to be sooner done by one
			w, _ := crowd(2*5*chunkRows, 1e-3)
			p := newStepper(withWorkers(workers))
			if eager {
				p.space.ForceParallelFrom = 1000
			}
			for range 40 {
				p.step(w)
			}
			if n := len(p.parallel.workers); n != min(workers, 5) {
				t.Errorf("%d workers: %d share the rows", workers, n)
			}
			if got := allocations(func() { p.step(w) }); got > 0 {
				t.Errorf("%d workers, eager %v: got %v allocations a step, want none", workers, eager, got)
			}
		}
	}
}

// Workers that wait for the next step end also in a bubble of testing/synctest, where time doesn't
// pass while any goroutine runs.
func TestABubbleEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	synctest.Test(t, func(*testing.T) {
		w, _ := crowd(2*5*chunkRows, 1e-3)
		p := newStepper(withWorkers(2))
		for range 4 {
			p.step(w)
			p.step(w)
			synctest.Wait()
		}
	})
}

// allocations returns how often f allocates. On a busy machine a goroutine that has done its work
// may not have ended when the next one starts, and then the runtime allocates another one.
// Therefore f is measured again, up to ten times, until nothing is allocated.
func allocations(f func()) (n float64) {
	for range 10 {
		if n = testing.AllocsPerRun(20, f); n == 0 {
			break
		}
	}
	return n
}
