package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

func TestElasticImpactsConserveEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	half := collide.Vec3{X: 5, Y: 5, Z: 5}
	cases := []struct {
		name     string
		make     func() *world
		momentum bool
	}{
		{"like spheres in a box", func() *world {
			w := newWorld()
			w.box(half, bouncy(1))
			w.fill(1, 150, half, [2]float64{0.5, 0.5}, [2]float64{1, 1}, 5, 1)
			return w
		}, false},
		{"all sizes and masses in a box", func() *world {
			w := newWorld()
			w.box(half, bouncy(1))
			w.fill(2, 120, half, [2]float64{0.02, 1.5}, [2]float64{1e-3, 1e3}, 20, 1)
			return w
		}, false},
		{"a free cloud that falls together", func() *world {
			w := newWorld()
			w.fill(3, 120, half.Scale(2), [2]float64{0.1, 1}, [2]float64{0.1, 10}, 1, 1)
			for i := range w.balls {
				b := &w.balls[i]
				b.v = b.v.AddScaled(-2, b.x)
			}
			return w
		}, true},
		{"circles in a room", func() *world {
			w := newWorld()
			flat := collide.Vec3{X: 8, Y: 8}
			w.box(collide.Vec3{X: 8, Y: 8, Z: 9}, bouncy(1))
			w.fill(4, 100, flat, [2]float64{0.2, 0.6}, [2]float64{0.5, 2}, 10, 1)
			return w
		}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := c.make()
			energy := w.energy()
			linear, angular := w.momentum()
			size, turn := 0.0, 0.0
			for _, b := range w.balls {
				size += b.mass * b.v.Length()
				turn += b.mass * b.x.Length() * b.v.Length()
			}
			impacts := 0
			for k := range slow.Steps(300) {
				w.step()
				impacts += w.space.Counts.Impacts
				if k%10 == 0 {
					w.checkApart(t, k)
				}
			}
			w.checkApart(t, "at the end")
			if w.space.Counts.Jammed > 0 || impacts < 100 {
				t.Errorf("%d impacts, %d bodies jammed in the last step", impacts, w.space.Counts.Jammed)
			}
			if off := math.Abs(w.energy()/energy - 1); off > 1e-12 {
				t.Errorf("energy has an error of %.3g after %d impacts", off, impacts)
			}
			if !c.momentum {
				return
			}
			l, a := w.momentum()
			if off := l.Distance(linear) / size; off > 1e-13 {
				t.Errorf("momentum has an error of %.3g of its terms", off)
			}
			if off := a.Distance(angular) / turn; off > 1e-12 {
				t.Errorf("angular momentum has an error of %.3g of its terms", off)
			}
		})
	}
}

// Energy is conserved because bodies are exactly on their parabolas at the end of each step.
func TestBouncingUnderGravityConservesEnergy(t *testing.T) {
	half := collide.Vec3{X: 3, Y: 5, Z: 3}
	w := newWorld()
	w.gravity = collide.Vec3{Y: -10}
	w.box(half, bouncy(1))
	w.fill(5, 40, half, [2]float64{0.2, 0.5}, [2]float64{0.5, 5}, 5, 1)
	total := func() float64 {
		e := w.energy()
		for _, b := range w.balls {
			e += b.mass * 10 * (b.x.Y + half.Y)
		}
		return e
	}
	before, impacts := total(), 0
	for k := range slow.Steps(400) {
		w.step()
		impacts += w.space.Counts.Impacts
		w.checkApart(t, k)
	}
	if off := math.Abs(total()/before - 1); off > 1e-9 {
		t.Errorf("energy has an error of %.3g after %d impacts", off, impacts)
	}
}

// In worlds with energy loss, energy never increases, nothing overlaps and nothing leaves the room.
func TestInelasticImpactsNeverGainEnergy(t *testing.T) {
	half := collide.Vec3{X: 3, Y: 3, Z: 3}
	for _, c := range []struct {
		name    string
		e, rest float64
		slide   bool
		gravity float64
	}{
		{"restitution 0.9", 0.9, 0, false, 0},
		{"restitution 0.5", 0.5, 0, false, 0},
		{"restitution 0", 0, 0, false, 0},
		{"sliding", 0, 0, true, 0},
		{"a threshold", 0.7, 1, false, 0},
		{"gravity", 0.5, 0.33, false, 10},
		{"gravity, sliding", 0, 0.33, true, 10},
		{"gravity, restitution 0", 0, 0.33, false, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			w.gravity.Y = -c.gravity
			w.space.RestSpeed = c.rest
			w.box(half, bouncy(0))
			w.fill(6, 40, half, [2]float64{0.2, 0.5}, [2]float64{0.5, 5}, 5, c.e)
			for i := range w.balls {
				w.balls[i].material.Sliding = c.slide
			}
			total := func() float64 {
				e := w.energy()
				for _, b := range w.balls {
					e += b.mass * c.gravity * (b.x.Y + half.Y)
				}
				return e
			}
			start := total()
			last := start
			spent := 0
			for k := range slow.Steps(300) {
				w.step()
				w.checkApart(t, k)
				now := total()
				// A body that comes to rest in the middle of a step does so on the chord of its
				// parabola, which deviates by up to g·T²/8.
				chords := float64(w.space.Counts.Impacts) * 5 * c.gravity * c.gravity * step * step / 8
				// The contact solver corrects its remaining error by opening gaps, which adds a
				// little potential energy.
				parts := 1e-6 * start * c.gravity / 10
				if now > last+1e-12*start+chords+parts {
					t.Fatalf("step %d: energy rises by %.3g of the whole", k, (now-last)/start)
				}
				last = now
				spent += w.space.Counts.Jammed
			}
			t.Logf("energy goes from %.3g to %.3g, %d bodies jammed", start, last, spent)
		})
	}
}

// The results must have the same bits if the bodies are added in another order, if other bodies
// were added and removed before, and if distant bodies cause another layout of the grid.
func TestResultsDoNotDependOnTheOrderOfBodies(t *testing.T) {
	half := collide.Vec3{X: 4, Y: 4, Z: 4}
	lattice := func(w *world) {
		n := 0
		for x := -2.0; x <= 2; x++ {
			for y := -2.0; y <= 2; y++ {
				for z := -1.0; z <= 1; z++ {
					n++
					w.add(ball{x: collide.Vec3{X: x, Y: y, Z: z}, r: 0.5, mass: 1, material: bouncy(1)})
				}
			}
		}
		w.balls[0].v = collide.Vec3{X: 3, Y: 2, Z: 1}
		w.balls[n-1].v = collide.Vec3{X: -5, Y: -5, Z: -5}
		w.balls[n/2].v = collide.Vec3{X: 7}
		w.box(half, bouncy(1))
	}
	cradle := func(w *world) {
		for k := range 7 {
			w.add(ball{x: collide.Vec3{X: float64(k)}, r: 0.5, mass: 1, material: bouncy(1)})
		}
		w.add(ball{x: collide.Vec3{X: -2}, v: collide.Vec3{X: 100}, r: 0.5, mass: 1, material: bouncy(1)})
		w.add(ball{x: collide.Vec3{X: 8}, v: collide.Vec3{X: -100}, r: 0.5, mass: 1, material: bouncy(1)})
		w.box(half.Scale(4), bouncy(1))
	}
	scenes := []struct {
		name string
		make func(w *world)
	}{
		{"gas", func(w *world) {
			w.box(half, bouncy(1))
			w.fill(7, 80, half, [2]float64{0.2, 0.6}, [2]float64{0.5, 2}, 20, 1)
		}},
		{"all sizes, lossy, gravity", func(w *world) {
			w.gravity.Y = -10
			w.box(half, bouncy(0.2))
			w.fill(8, 60, half, [2]float64{0.02, 1}, [2]float64{0.01, 10}, 10, 0.5)
		}},
		{"sliding in a pile", func(w *world) {
			w.gravity.Y = -10
			w.box(half, bouncy(0))
			w.fill(9, 60, half, [2]float64{0.3, 0.6}, [2]float64{0.5, 2}, 3, 0)
		}},
		{"a lattice that touches", lattice},
		{"a cradle hit from both sides", cradle},
		{"overlapping at the start", func(w *world) {
			r := random(10)
			w.box(half, bouncy(0.5))
			for range 40 {
				w.add(ball{
					x: within(r, half), v: direction(r, false), r: 0.3 + 0.5*r.Float64(), mass: 1,
					material: bouncy(0.5),
				})
			}
		}},
		{"sensors and kinematic bodies", func(w *world) {
			w.box(half, bouncy(0.8))
			w.fill(11, 50, half, [2]float64{0.2, 0.6}, [2]float64{0.5, 2}, 10, 0.9)
			for i := range 4 {
				w.balls[i].material = sensor()
			}
			w.balls[4].kind, w.balls[5].kind, w.balls[6].kind = solver.Kinematic, solver.Kinematic, solver.Static
			w.balls[6].v = collide.Vec3{}
		}},
	}
	steps := slow.Steps(40)
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			plain := newWorld()
			scene.make(plain)
			start := append([]ball(nil), plain.balls...)
			variant := func(name string, prepare func(w *world) []int) {
				w := newWorld()
				w.space.RestSpeed, w.gravity = plain.space.RestSpeed, plain.gravity
				order := prepare(w)
				for _, f := range plain.surfaces {
					w.addSurface(f)
				}
				p := newWorld()
				p.gravity = plain.gravity
				for _, f := range plain.surfaces {
					p.addSurface(f)
				}
				for _, b := range start {
					p.add(b)
				}
				for k := range steps {
					p.step()
					w.step()
					for i := range p.balls {
						a, b := &p.balls[i], &w.balls[order[i]]
						if bits(a.x) != bits(b.x) || bits(a.v) != bits(b.v) {
							t.Fatalf("%s: after step %d body %d is at %v and not at %v", name, k, i, b.x, a.x)
						}
					}
					if a, b := len(p.space.Log()), len(w.space.Log()); a != b {
						t.Fatalf("%s: %d impacts and not %d in step %d", name, b, a, k)
					}
					for n, e := range p.space.Log() {
						if f := w.space.Log()[n]; e.Time != f.Time || e.Kind != f.Kind || e.Approach != f.Approach ||
							e.Impulse != f.Impulse {
							t.Fatalf("%s: step %d: entry %d of the log is %+v and not %+v", name, k, n, f, e)
						}
					}
				}
			}
			variant("shuffled", func(w *world) []int {
				order := make([]int, len(start))
				for at, i := range random(1).Perm(len(start)) {
					w.add(start[i])
					order[i] = at
				}
				return order
			})
			variant("in used places", func(w *world) []int {
				r := random(2)
				for range 3 {
					var junk []int32
					for range len(start) / 2 {
						id := w.space.Add()
						w.space.Set(id, solver.State{Position: within(r, half)}, 0.1, 1, solver.Dynamic, bouncy(1))
						junk = append(junk, id)
					}
					w.step()
					for _, k := range r.Perm(len(junk)) {
						w.space.Forget(solver.BodyHandle(junk[k]), func(solver.Handle, solver.Handle, bool) {})
						w.space.Remove(junk[k])
					}
				}
				order := make([]int, len(start))
				for at, i := range r.Perm(len(start)) {
					w.add(start[i])
					order[i] = at
				}
				return order
			})
			variant("in another grid", func(w *world) []int {
				order := make([]int, len(start))
				for i, b := range start {
					order[i] = w.add(b)
				}
				nobody := solver.Material{}
				for k := range 5 {
					w.add(ball{
						x: collide.Vec3{X: 1e4 * float64(k+1), Y: 3e5}, v: collide.Vec3{Z: 1e3}, r: 3000,
						mass: 1, material: nobody,
					})
					w.add(ball{x: collide.Vec3{X: float64(k)}, r: 1e-3, mass: 1, material: nobody})
				}
				return order
			})
		})
	}
}

// packedScene returns a lattice of balls that fills a room, with gaps between none and 5 cm, random
// velocities, and random mass, friction, restitution and spin. Some balls have locked axes.
func packedScene(r *rand.Rand) (w *spinWorld, name string) {
	w = newSpinWorld()
	pick := func(all ...float64) float64 { return all[r.IntN(len(all))] }
	nx, ny, nz := 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(4)
	gap, shift := pick(0, 0, 1e-12, 1e-6, 1e-3, 0.05), pick(0, 0.1, 0.5)
	g, ratio, e, speed, mu := pick(0, 0, 10), pick(1, 10, 1000), pick(0, 0, 0.5, 1), pick(0.01, 1, 10),
		pick(0, 0.1, 0.5, 2)
	noSpin, locked := pick(0, 0.5, 1), pick(0, 0, 0.3)
	name = fmt.Sprintf("%d x %d x %d, gap %v, shift %v, gravity %v, masses 1 to %v, "+
		"restitution %v, speed %v, friction %v, without spin %v, locked %v",
		nx, ny, nz, gap, shift, g, ratio, e, speed, mu, noSpin, locked)
	m := bouncy(e)
	m.FrictionID = w.frictionID(solver.FrictionCoefficients{
		Static: mu, Dynamic: mu * pick(1, 0.5), Rolling: pick(0, 0.1),
		Spinning: pick(0, 0.1),
	})
	w.space.RestSpeed = pick(0, 2*10*step, 1)
	w.gravity = direction(r, false).Scale(g)
	if r.IntN(2) == 0 {
		w.gravity = collide.Vec3{Y: -g}
	}
	w.space.MaxImpacts = 8 * w.space.MaxInelasticImpacts // elastic impacts between touching bodies never end
	pitch := 1 + gap
	half := collide.Vec3{
		X: float64(nx), Y: float64(ny),
		Z: float64(nz),
	}.Scale(pitch / 2).Add(collide.Vec3{X: shift, Y: pick(0, shift), Z: shift})
	w.box(half, m)
	for x := range nx {
		for y := range ny {
			for z := range nz {
				if r.IntN(8) == 0 {
					continue
				}
				at := collide.Vec3{
					X: float64(x) - float64(nx-1)/2, Y: float64(y) - float64(ny-1)/2,
					Z: float64(z) - float64(nz-1)/2,
				}.Scale(pitch)
				at = at.Add(within(r, collide.Vec3{X: gap / 4, Y: gap / 4, Z: gap / 4}))
				if y%2 == 1 && shift == 0.5 { // above the gaps of the layer below
					at = at.Add(collide.Vec3{X: shift / 2, Z: shift / 2})
				}
				b := ball{
					x: at, r: 0.5, mass: logUniform(r, 1, ratio), material: m,
					v: direction(r, false).Scale(speed * r.Float64()),
				}
				if r.Float64() < locked {
					b.material.Locked = uint8(1 + r.IntN(7))
					b.v = solver.Unlocked(b.v, b.material.Locked)
				}
				p := bodySpin{
					w:              direction(r, false).Scale(2 * speed * r.Float64()),
					inverseInertia: solidInverseInertia(b),
				}
				if r.Float64() < noSpin {
					p = bodySpin{noSpin: true}
				}
				w.add(b, p)
			}
		}
	}
	return w, name
}

// No step may increase the energy of packed bodies, whatever touches what. Without gravity that
// holds up to rounding.
func TestPackedBodiesNeverGainEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for seed := range uint64(slow.Cases(800)) {
		w, name := packedScene(random(seed))
		weight, g := 0.0, w.gravity.Length()
		for _, b := range w.balls {
			weight += b.mass * g
		}
		total := func() float64 {
			sum := w.energy()
			for _, b := range w.balls {
				sum -= b.mass * solver.Unlocked(w.gravity, b.material.Locked).Dot(b.x)
			}
			return sum
		}
		least, fastest := total(), 0.0
		for k := range 40 {
			fastest = max(fastest, w.energy())
			w.step()
			now := total()
			// Within a step a path deviates from its parabola by up to g·T²/8, and so does the
			// height at which an impact removes energy, a few times in a step. The contact solver
			// corrects its remaining error by opening gaps of at most 1/512 of a radius each.
			slack := 1e-12*(fastest+math.Abs(least)) + 4*weight*g*step*step/8 + 4*weight*0.5/512
			if !(now <= least+slack) {
				t.Errorf("seed %d: %s: step %d: the energy goes from %v to %v", seed, name, k, least, now)
				break
			}
			least = min(least, now)
		}
	}
}
