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

// spinWorld is a world of bodies with spin.
type spinWorld struct {
	world
	spins []bodySpin
}

// bodySpin is the spin of a body. An inverse inertia of 0 means that no impact changes the spin.
// With noSpin the body has no spin at all.
type bodySpin struct {
	w              collide.Vec3
	inverseInertia float64
	rotation       collide.Quat
	noSpin         bool
}

// solidInverseInertia returns the inverse moment of inertia of a solid ball.
func solidInverseInertia(b ball) float64 { return 2.5 / (b.mass * b.r * b.r) }

func newSpinWorld() *spinWorld {
	w := &spinWorld{world: world{space: solver.Space{Settings: settings()}}}
	return w
}

func (w *spinWorld) add(b ball, spin bodySpin) int {
	w.spins = append(w.spins, spin)
	return w.world.add(b)
}

// rough returns a material with restitution e and coefficient of friction mu.
func (w *spinWorld) rough(e, mu float64) solver.Material {
	m := bouncy(e)
	m.FrictionID = w.frictionID(solver.FrictionCoefficients{Static: mu, Dynamic: mu})
	return m
}

func (w *spinWorld) step() {
	for i := range w.balls {
		w.set(i)
		if p := &w.spins[i]; !p.noSpin {
			w.space.SetSpin(w.ids[i], p.w, p.inverseInertia)
		}
		if b := &w.balls[i]; b.kind == solver.Dynamic && w.gravity != (collide.Vec3{}) {
			w.space.Accelerate(w.ids[i], solver.Unlocked(w.gravity, b.material.Locked))
		}
	}
	w.space.Begin()
	w.space.Sweep()
	w.space.Finish()
	for i := range w.balls {
		b, s := &w.balls[i], w.space.State(w.ids[i])
		b.x = s.Position
		if b.kind == solver.Dynamic {
			b.v = s.Velocity
		}
		w.spins[i].w, w.spins[i].rotation = w.space.Spin(w.ids[i])
	}
}

func (w *spinWorld) energy() float64 {
	sum := w.world.energy()
	for i := range w.spins {
		if p := &w.spins[i]; !p.noSpin && p.inverseInertia > 0 {
			sum += 0.5 * p.w.LengthSquared() / p.inverseInertia
		}
	}
	return sum
}

func (w *spinWorld) momentum() (linear, angular collide.Vec3) {
	linear, angular = w.world.momentum()
	for i := range w.spins {
		if p := &w.spins[i]; !p.noSpin && p.inverseInertia > 0 {
			angular = angular.AddScaled(1/p.inverseInertia, p.w)
		}
	}
	return linear, angular
}

// momentumTerms returns the sums of the absolute values of the terms of both momenta.
func (w *spinWorld) momentumTerms() (linear, angular float64) {
	for i, b := range w.balls {
		linear += b.mass * b.v.Length()
		angular += b.mass * b.x.Length() * b.v.Length()
		if p := &w.spins[i]; !p.noSpin && p.inverseInertia > 0 {
			angular += p.w.Length() / p.inverseInertia
		}
	}
	return linear, angular
}

// Compares impacts with a floor at y = 0 with textbook formulas. If the contact sticks, a slip u
// changes the velocity of a solid ball by 2/7 u. If it slips, the tangential change is mu times the
// normal change.
func TestImpactWithAFloorMatchesTheClosedForm(t *testing.T) {
	const r = 0.5
	for _, c := range []struct {
		name         string
		e, mu        float64
		v, w         collide.Vec3
		wantV, wantW collide.Vec3
		noSpin       bool
	}{
		{name: "straight down", e: 0.8, mu: 1, v: collide.Vec3{Y: -5}, wantV: collide.Vec3{Y: 4}},
		{
			name: "oblique, sticks", e: 1, mu: 1, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 * 5. / 7, Y: 4}, wantW: collide.Vec3{Z: -3 * 5. / 7 / r},
		},
		{
			name: "oblique, slips", e: 0.5, mu: 0.1, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 - 0.1*6, Y: 2}, wantW: collide.Vec3{Z: -0.1 * 6 * 2.5 / r},
		},
		{
			name: "oblique, without spin", e: 0.5, mu: 0.1, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 - 0.1*6, Y: 2}, noSpin: true,
		},
		{
			name: "oblique, without spin, sticks", e: 0.5, mu: 1, v: collide.Vec3{X: 3, Y: -4, Z: 2},
			wantV: collide.Vec3{Y: 2}, noSpin: true,
		},
		{
			name: "dropped with backspin, slips", e: 0.5, mu: 0.2, v: collide.Vec3{Y: -4}, w: collide.Vec3{Z: 20},
			wantV: collide.Vec3{X: -0.2 * 6, Y: 2}, wantW: collide.Vec3{Z: 20 - 0.2*6*2.5/r},
		},
		{
			name: "dropped with backspin, sticks", e: 0.5, mu: 2, v: collide.Vec3{Y: -4}, w: collide.Vec3{Z: 20},
			wantV: collide.Vec3{X: -20 * r * 2 / 7, Y: 2}, wantW: collide.Vec3{Z: 20 * 2. / 7},
		},
		{
			name: "thrown with backspin comes back", e: 0.7, mu: 9, v: collide.Vec3{X: 3, Y: -4},
			w: collide.Vec3{Z: 20}, wantV: collide.Vec3{X: 3 - 13*2./7, Y: 2.8}, wantW: collide.Vec3{Z: 20 - 13*5./7/r},
		},
		{
			name: "spinning about the normal", e: 1, mu: 1, v: collide.Vec3{Y: -4}, w: collide.Vec3{Y: 20},
			wantV: collide.Vec3{Y: 4}, wantW: collide.Vec3{Y: 20},
		},
		{
			name: "rolling", e: 1, mu: 1, v: collide.Vec3{X: 3, Y: -4}, w: collide.Vec3{Z: -3 / r},
			wantV: collide.Vec3{X: 3, Y: 4}, wantW: collide.Vec3{Z: -3 / r},
		},
		{
			name: "sidespin, sticks", e: 1, mu: 5, v: collide.Vec3{X: 3, Y: -4}, w: collide.Vec3{X: 10},
			wantV: collide.Vec3{X: 3 * 5. / 7, Y: 4, Z: 10 * r * 2 / 7},
			wantW: collide.Vec3{X: 10 * 2. / 7, Z: -3 * 5. / 7 / r},
		},
		{
			name: "lands without a bounce, sticks", e: 0, mu: 5, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 * 5. / 7}, wantW: collide.Vec3{Z: -3 * 5. / 7 / r},
		},
		{
			name: "lands without a bounce, slips", e: 0, mu: 0.1, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 - 0.4}, wantW: collide.Vec3{Z: -0.4 * 2.5 / r},
		},
		{
			name: "lands without a bounce or spin, slips", e: 0, mu: 0.1, v: collide.Vec3{X: 3, Y: -4},
			wantV: collide.Vec3{X: 3 - 0.4}, noSpin: true,
		},
		{name: "lands without a bounce or spin, sticks", e: 0, mu: 1, v: collide.Vec3{X: 3, Y: -4}, noSpin: true},
	} {
		for _, floor := range []string{"plane", "polygon", "immovable ball"} {
			t.Run(c.name+", "+floor, func(t *testing.T) {
				w := newSpinWorld()
				m := w.rough(c.e, c.mu)
				b := ball{
					x: collide.Vec3{Y: r + 0.03}.AddScaled(-0.03/4, collide.Vec3{X: c.v.X, Z: c.v.Z}), v: c.v,
					r: r, mass: 2, material: m,
				}
				at := 0.03 / -c.v.Y
				switch floor {
				case "plane":
					w.plane(collide.Vec3{Y: 1}, 0, bouncy(c.e))
				case "polygon":
					g := sheet(collide.Vec3{}, collide.Vec3{Y: 1}, 3)
					w.addSurface(twoSided(&g, bouncy(c.e)))
				default:
					w.add(ball{x: collide.Vec3{Y: -100}, r: 100, kind: solver.Static, material: bouncy(c.e)},
						bodySpin{noSpin: true})
					if at = 0.03 / 4; c.v.Y != -4 {
						t.Skip("it is to land on the top")
					}
				}
				i := w.add(b, bodySpin{w: c.w, inverseInertia: solidInverseInertia(b), noSpin: c.noSpin})
				w.step()
				got, spin := w.balls[i].v, w.spins[i].w
				if got.Distance(c.wantV) > 1e-12 || spin.Distance(c.wantW) > 1e-11 {
					t.Errorf("leaves at %v spinning %v, want %v and %v", got, spin, c.wantV, c.wantW)
				}
				rotation := collide.RotationBy(c.wantW.Scale(step - at)).Mul(collide.RotationBy(c.w.Scale(at)))
				for _, p := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
					if d := w.spins[i].rotation.Rotate(p).Distance(rotation.Rotate(p)); d > 1e-12 {
						t.Errorf("has rotation by %v, want %v", w.spins[i].rotation, rotation)
					}
				}
			})
		}
	}
}

// rigidImpact solves the impact of two rigid bodies by linear algebra, without any formula for
// spheres. The matrix K maps an impulse at the point of contact to the change of the relative
// velocity of the surfaces there. Its columns result from unit impulses along the axes.
func rigidImpact(a, b ball, p, q bodySpin, e, mu float64) (va, wa, vb, wb collide.Vec3, stuck bool) {
	n, _ := a.x.Sub(b.x).Normalized()
	at := b.x.AddScaled(b.r, n)
	ra, rb := at.Sub(a.x), at.Sub(b.x)
	push := func(j collide.Vec3) (dva, dwa, dvb, dwb collide.Vec3) {
		return j.Scale(1 / a.mass), ra.Cross(j).Scale(p.inverseInertia), j.Scale(-1 / b.mass),
			rb.Cross(j).Scale(-q.inverseInertia)
	}
	relative := func(va, wa, vb, wb collide.Vec3) collide.Vec3 {
		return va.Add(wa.Cross(ra)).Sub(vb).Sub(wb.Cross(rb))
	}
	axes := [3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	var k [3]collide.Vec3 // columns
	for c := range axes {
		k[c] = relative(push(axes[c]))
	}
	solve := func(y collide.Vec3) collide.Vec3 { // K x = y
		det := k[0].Dot(k[1].Cross(k[2]))
		return collide.Vec3{
			X: y.Dot(k[1].Cross(k[2])) / det, Y: k[0].Dot(y.Cross(k[2])) / det,
			Z: k[0].Dot(k[1].Cross(y)) / det,
		}
	}
	u := relative(a.v, p.w, b.v, q.w)
	un := n.Dot(u)
	j := solve(n.Scale(-e * un).Sub(u))
	jn := n.Dot(j)
	if jt := j.AddScaled(-jn, n); jt.Length() > mu*jn {
		slip := u.AddScaled(-un, n)
		d := n.AddScaled(-mu/slip.Length(), slip) // jn·d is the impulse
		kd := k[0].Scale(d.X).Add(k[1].Scale(d.Y)).Add(k[2].Scale(d.Z))
		j = d.Scale(-(1 + e) * un / n.Dot(kd))
	} else {
		stuck = true
	}
	dva, dwa, dvb, dwb := push(j)
	return a.v.Add(dva), p.w.Add(dwa), b.v.Add(dvb), q.w.Add(dwb), stuck
}

// Compares impacts of pairs with many sizes, masses and inertias with rigidImpact, and checks that
// momentum is conserved and no energy is gained.
func TestSpinningPairsMatchRigidBodyDynamics(t *testing.T) {
	r := random(21)
	hits, stuck := 0, 0
	worst, off, turnOff, gain := 0.0, 0.0, 0.0, 0.0
	for range slow.Cases(20000) {
		w := newSpinWorld()
		e, mu := r.Float64(), logUniform(r, 1e-3, 10)
		if r.IntN(4) == 0 {
			e = float64(r.IntN(2))
		}
		m := w.rough(e, mu)
		one := func() (ball, bodySpin) {
			b := ball{
				v: direction(r, false).Scale(logUniform(r, 0.1, 100)), r: logUniform(r, 0.05, 2),
				mass: logUniform(r, 1e-2, 1e2), material: m,
			}
			p := bodySpin{
				w:              direction(r, false).Scale(logUniform(r, 0.1, 100) / b.r),
				inverseInertia: solidInverseInertia(b) * (0.6 + r.Float64()),
			}
			switch r.IntN(6) {
			case 0:
				p.w, p.noSpin, p.inverseInertia = collide.Vec3{}, true, 0
			case 1:
				p.w = collide.Vec3{}
			}
			return b, p
		}
		a, p := one()
		b, q := one()
		impactTime := step * r.Float64()
		n := direction(r, false)
		if n.Dot(a.v.Sub(b.v)) > -1e-3 {
			continue
		}
		b.x = within(r, collide.Vec3{X: 1, Y: 1, Z: 1})
		a.x = b.x.AddScaled(a.r+b.r, n)
		va, wa, vb, wb, sticks := rigidImpact(a, b, p, q, e, mu)
		a.x, b.x = a.x.AddScaled(-impactTime, a.v), b.x.AddScaled(-impactTime, b.v)
		if a.x.Distance(b.x) < a.r+b.r {
			continue
		}
		i, j := w.add(a, p), w.add(b, q)
		linear, angular := w.momentum()
		size, turn := w.momentumTerms()
		energy := w.energy()
		w.step()
		if len(w.space.Log()) == 0 {
			continue
		}
		hits++
		if sticks {
			stuck++
		}
		speed := a.v.Length() + b.v.Length() + a.r*p.w.Length() + b.r*q.w.Length()
		// The error relative to the speeds before and after the impact: a light body may get a high
		// speed.
		d := max(w.balls[i].v.Distance(va)/(speed+va.Length()), a.r*w.spins[i].w.Distance(wa)/(speed+a.r*wa.Length()),
			w.balls[j].v.Distance(vb)/(speed+vb.Length()), b.r*w.spins[j].w.Distance(wb)/(speed+b.r*wb.Length()))
		// The time of impact is rounded, which changes the normal of a grazing impact.
		d *= -n.Dot(a.v.Sub(b.v)) / a.v.Distance(b.v)
		worst = max(worst, d)
		l, g := w.momentum()
		off = max(off, l.Distance(linear)/size)
		if !p.noSpin && !q.noSpin { // a body without spin absorbs angular momentum
			turnOff = max(turnOff, g.Distance(angular)/turn)
		}
		gain = max(gain, w.energy()/energy-1)
	}
	t.Logf("%d impacts, %d of them stuck; errors: velocities %.3g, momentum %.3g, angular %.3g, energy %.3g", hits,
		stuck, worst, off, turnOff, gain)
	if hits < slow.Cases(20000)/4 || stuck < hits/10 || stuck > hits*9/10 {
		t.Errorf("%d impacts of which %d stuck", hits, stuck)
	}
	if worst > 1e-12 {
		t.Errorf("error of %.3g of the speeds", worst)
	}
	if off > 2e-15 || turnOff > 1e-14 {
		t.Errorf("momentum has an error of %.3g, angular momentum of %.3g of their terms", off, turnOff)
	}
	if gain > 1e-14 {
		t.Errorf("energy grows by %.3g", gain)
	}
}

// addSpinning adds n spinning balls that don't overlap, with the same bits on all platforms.
func (w *spinWorld) addSpinning(r *rand.Rand, n int, half collide.Vec3, frictions []solver.Material, noSpin float64) {
	for tries := 0; len(w.balls) < n && tries < 100*n; tries++ {
		b := ball{
			x: within(r, half), r: 0.2 + float64(0.4*r.Float64()), mass: 0.1 + float64(8*r.Float64()),
			v:        direction(r, half.Z == 0).Scale(10 * r.Float64()),
			material: frictions[r.IntN(len(frictions))],
		}
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap > 0 {
			continue
		}
		p := bodySpin{w: direction(r, false).Scale(50 * r.Float64()), inverseInertia: solidInverseInertia(b)}
		if half.Z == 0 {
			p.w = collide.Vec3{Z: p.w.Length()}
		}
		if r.Float64() < noSpin {
			p = bodySpin{noSpin: true}
		}
		w.add(b, p)
	}
}

// frictions returns materials with several frictions, with and without rolling and spinning
// resistance.
func (w *spinWorld) frictions(e float64) (all []solver.Material) {
	for _, g := range []solver.FrictionCoefficients{
		{},
		{Static: 0.1, Dynamic: 0.1},
		{Static: 0.8, Dynamic: 0.4},
		{Static: 5, Dynamic: 5, Rolling: 0.1},
		{Static: 0.5, Dynamic: 0.3, Spinning: 0.2, Rolling: 0.02},
	} {
		m := bouncy(e)
		m.FrictionID = w.frictionID(g)
		all = append(all, m)
	}
	return all
}

func TestSpinningBallsConserveMomentum(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, e := range []float64{1, 0.5} {
		w := newSpinWorld()
		w.space.MaxInelasticImpacts = w.space.MaxImpacts // a spent budget doesn't conserve momentum
		r := random(31)
		w.addSpinning(r, 120, collide.Vec3{X: 5, Y: 5, Z: 5}, w.frictions(e), 0)
		for i := range w.balls {
			w.balls[i].v = w.balls[i].v.AddScaled(-2, w.balls[i].x)
		}
		linear, angular := w.momentum()
		size, turn := w.momentumTerms()
		energy, impacts, spent := w.energy(), 0, 0
		for k := range slow.Steps(300) {
			w.step()
			impacts += w.space.Counts.Impacts
			spent += w.space.Counts.Jammed
			now := w.energy()
			if now > energy*(1+1e-14) {
				t.Fatalf("step %d: the energy grows from %v to %v", k, energy, now)
			}
			energy = now
		}
		w.checkApart(t, "at the end")
		l, a := w.momentum()
		t.Logf("%d impacts, %d budgets: error of momentum %.3g, of angular momentum %.3g of their terms", impacts,
			spent, l.Distance(linear)/size, a.Distance(angular)/turn)
		if impacts < 100 || l.Distance(linear) > 1e-13*size || a.Distance(angular) > 1e-12*turn {
			t.Errorf("restitution %v: %d impacts, error of momentum %.3g, of angular momentum %.3g of their terms", e,
				impacts, l.Distance(linear)/size, a.Distance(angular)/turn)
		}
	}
}

// Rooms with and without gravity, in which balls bounce, land and pile up.
func TestSpinningBallsNeverGainEnergy(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	half := collide.Vec3{X: 4, Y: 4, Z: 4}
	for _, flat := range []bool{false, true} {
		for _, e := range []float64{0, 0.3, 1} {
			for _, gravity := range []float64{0, -10} {
				for _, slide := range []bool{false, true} {
					t.Run(fmt.Sprint("restitution ", e, ", gravity ", gravity, ", slide ", slide, ", flat ", flat),
						func(t *testing.T) {
							w := newSpinWorld()
							r := random(41)
							w.gravity.Y = gravity
							w.space.RestSpeed = 2 * math.Abs(gravity) * step
							all := w.frictions(e)
							for k := range all {
								all[k].Sliding = slide && k%2 == 0
							}
							w.box(half, all[2])
							where, n := half.Scale(0.9), 90
							if flat {
								where.Z, n = 0, 40
							}
							w.addSpinning(r, n, where, all, 0.2)
							total := func() float64 {
								sum := w.energy()
								for _, b := range w.balls {
									sum += b.mass * -gravity * (b.x.Y + half.Y)
								}
								return sum
							}
							energy := total()
							first := energy
							for k := range slow.Steps(200) {
								w.step()
								w.checkApart(t, k)
								now := total()
								// Within a step, the chord deviates from the parabola by up to
								// g·dt²/8. Each loss may add at most m·g times that.
								if slack := 1e-14 * first; gravity == 0 && now > energy+slack {
									t.Fatalf("step %d: the energy grows from %v to %v", k, energy, now)
								} else if now > first*(1+1e-12) {
									t.Fatalf("step %d: the energy has grown from %v to %v", k, first, now)
								}
								energy = now
							}
							t.Logf("energy from %.4g to %.4g, %d impacts in the last step, %d budgets", first, energy,
								w.space.Counts.Impacts, w.space.Counts.Jammed)
						})
				}
			}
		}
	}
}

// Bodies land on several things without bouncing.
func TestInelasticImpactsWithFriction(t *testing.T) {
	const r, drop = 0.5, 0.02
	t.Run("in a corner", func(t *testing.T) {
		// A block enters a corner at an angle and slides along z. The impact with the floor comes
		// first, and friction takes 0.1 of the stopped velocity. The wall is met while the block
		// slides on the floor; the friction of both is left to the next step.
		w := newSpinWorld()
		m := w.rough(0, 0.1)
		w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.plane(collide.Vec3{X: 1}, 0, bouncy(0))
		b := ball{
			x: collide.Vec3{X: r + 0.01, Y: r + 0.01}, v: collide.Vec3{X: -3, Y: -4, Z: 2}, r: r, mass: 1,
			material: m,
		}
		w.add(b, bodySpin{noSpin: true})
		w.step()
		want := collide.Vec3{Z: 2 * (1 - 0.4/math.Sqrt(13))}
		if got := w.balls[0].v; got.Distance(want) > 1e-14 {
			t.Errorf("slides on at %v, want %v", got, want)
		}
		w.checkApart(t, "in the corner")
	})
	t.Run("on a free ball", func(t *testing.T) {
		w := newSpinWorld()
		m := w.rough(0, 9)
		a := ball{x: collide.Vec3{Y: 2*r + drop}, v: collide.Vec3{X: 0.5, Y: -2}, r: r, mass: 1, material: m}
		b := ball{x: collide.Vec3{X: 0.005}, r: r, mass: 3, material: m}
		w.add(a, bodySpin{inverseInertia: solidInverseInertia(a)})
		w.add(b, bodySpin{inverseInertia: solidInverseInertia(b)})
		linear, angular := w.momentum()
		energy := w.energy()
		w.step()
		l, g := w.momentum()
		if l.Distance(linear) > 1e-15 || g.Distance(angular) > 1e-15 || w.energy() >= energy {
			t.Errorf("momentum %v, was %v; angular %v, was %v; energy %v, was %v", l, linear, g, angular, w.energy(),
				energy)
		}
		e := w.space.Log()[0]
		n := e.Normal
		if w.slip(int(e.A), int(e.B), n) > 1e-14 || math.Abs(n.Dot(w.balls[0].v.Sub(w.balls[1].v))) > 1e-12 {
			t.Errorf("they slip at %v on each other, leaving at %v and %v", w.slip(int(e.A), int(e.B), n),
				w.balls[0].v, w.balls[1].v)
		}
	})
	t.Run("on a conveyor belt", func(t *testing.T) {
		w := newSpinWorld()
		m := w.rough(0, 9)
		k := w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
		w.surfaces[k].SurfaceVelocity = collide.Vec3{X: 7, Y: 5} // the normal component has no effect
		w.space.SetSurface(w.surface(k), w.surfaces[k])
		for _, noSpin := range []bool{true, false} {
			b := ball{
				x: collide.Vec3{Y: r + drop, Z: 3 * float64(len(w.balls))}, v: collide.Vec3{Y: -4}, r: r,
				mass: 1, material: m,
			}
			w.add(b, bodySpin{inverseInertia: solidInverseInertia(b), noSpin: noSpin})
		}
		w.step()
		if got, want := w.balls[0].v, (collide.Vec3{X: 7}); got.Distance(want) > 1e-14 {
			t.Errorf("a block moves at %v, want %v", got, want)
		}
		if got, want := w.balls[1].v, (collide.Vec3{X: 2}); got.Distance(want) > 1e-14 ||
			w.spins[1].w.Distance(collide.Vec3{Z: 5 / r}) > 1e-13 {
			t.Errorf("a ball moves at %v spinning %v, want %v", got, w.spins[1].w, want)
		}
	})
	t.Run("on a wheel", func(t *testing.T) {
		// A kinematic body spins, and no impact changes that.
		w := newSpinWorld()
		m := w.rough(0.5, 9)
		w.add(ball{x: collide.Vec3{Y: -1}, r: 1, kind: solver.Kinematic, material: m}, bodySpin{w: collide.Vec3{Z: -7}})
		b := ball{x: collide.Vec3{Y: r + drop}, v: collide.Vec3{Y: -4}, r: r, mass: 1, material: m}
		w.add(b, bodySpin{inverseInertia: solidInverseInertia(b)})
		w.step()
		if got, want := w.balls[1].v, (collide.Vec3{X: 2, Y: 2}); got.Distance(want) > 1e-13 ||
			w.spins[0].w != (collide.Vec3{Z: -7}) {
			t.Errorf("leaves at %v, want %v; the wheel turns at %v", got, want, w.spins[0].w)
		}
		if got, want := w.spins[0].rotation, collide.RotationBy(collide.Vec3{Z: -7 * step}); got != want {
			t.Errorf("the wheel has rotation by %v, want %v", got, want)
		}
	})
}

// slip returns the relative speed of the surfaces of two bodies in a contact with normal n, from
// the second to the first.
func (w *spinWorld) slip(i, j int, n collide.Vec3) float64 {
	a, b := &w.balls[i], &w.balls[j]
	u := a.v.Sub(b.v).Add(n.Cross(w.spins[i].w.Scale(a.r).AddScaled(b.r, w.spins[j].w)))
	return u.AddScaled(-n.Dot(u), n).Length()
}

// A ball bounces between two rough walls and slips at first. Each impact reduces the slip by mu·2·v
// until it is zero. After that nothing changes.
func TestFrictionStopsTheSpinOfABallBetweenWalls(t *testing.T) {
	const mu, v, r = 0.01, 30.0, 0.5
	w := newSpinWorld()
	m := w.rough(1, mu)
	w.plane(collide.Vec3{X: 1}, -1, bouncy(1))
	w.plane(collide.Vec3{X: -1}, -1, bouncy(1))
	b := ball{v: collide.Vec3{X: v}, r: r, mass: 2, material: m}
	w.add(b, bodySpin{w: collide.Vec3{Y: 40, Z: 10}, inverseInertia: solidInverseInertia(b)})
	impacts := 0
	for range 600 {
		w.step()
		impacts += w.space.Counts.Impacts
	}
	// At one wall the slip is u + r·w and at the other u - r·w, rotated by a right angle. Both must
	// vanish.
	got, spin := w.balls[0].v, w.spins[0].w
	if impacts != 300 || math.Abs(math.Abs(got.X)-v) > 1e-11 || math.Hypot(got.Y, got.Z) > 1e-9 ||
		math.Hypot(spin.Y, spin.Z) > 1e-9 {
		t.Errorf("after %d impacts it moves at %v and spins %v", impacts, got, spin)
	}
}

func TestRollingAndSpinningResistanceInImpacts(t *testing.T) {
	const r = 0.5
	w := newSpinWorld()
	m := bouncy(1)
	m.FrictionID = w.frictionID(solver.FrictionCoefficients{Rolling: 0.01, Spinning: 0.02})
	w.plane(collide.Vec3{Y: 1}, 0, bouncy(1))
	for _, spin := range []collide.Vec3{{X: 9, Y: -9}, {X: 0.01, Y: 0.01}} {
		b := ball{
			x: collide.Vec3{X: 3 * float64(len(w.balls)), Y: r + 0.02}, v: collide.Vec3{Y: -4}, r: r, mass: 1,
			material: m,
		}
		w.add(b, bodySpin{w: spin, inverseInertia: solidInverseInertia(b)})
	}
	w.step()
	// The impulse is 8. The torques are 0.01·0.5·8 and twice that, and the inertia is 0.1.
	if got, want := w.spins[0].w, (collide.Vec3{X: 9 - 0.4, Y: -9 + 0.8}); got.Distance(want) > 1e-14 {
		t.Errorf("spins %v, want %v", got, want)
	}
	if got := w.spins[1].w; got.Length() > 1e-17 {
		t.Errorf("spins %v, want zero", got)
	}
}

// Bodies that don't move are skipped by most of the step, but their rotation must be computed.
// Bodies that don't spin are unchanged.
func TestBodiesThatSpinInPlaceRotate(t *testing.T) {
	w := newSpinWorld()
	spin := collide.Vec3{X: 1, Y: -2, Z: 3}
	w.add(ball{r: 1, mass: 1, material: bouncy(1)}, bodySpin{w: spin, inverseInertia: 1})
	w.add(ball{x: collide.Vec3{X: 5}, r: 1, kind: solver.Static, material: bouncy(1)}, bodySpin{w: spin})
	w.add(ball{x: collide.Vec3{X: 10}, r: 1, mass: 1, material: bouncy(1)}, bodySpin{inverseInertia: 1})
	w.add(ball{x: collide.Vec3{X: 15}, r: 1, mass: 1, material: bouncy(1)}, bodySpin{noSpin: true})
	want := collide.RotationBy(spin.Scale(step))
	for range 3 { // also without setting the spin again
		w.step()
		for again := range 3 {
			for i := range w.balls {
				got, rotation := w.space.Spin(w.ids[i])
				if i < 2 && (got != spin || rotation != want) || i >= 2 && rotation != (collide.Quat{W: 1}) {
					t.Fatalf("%d spins %v and has rotation by %v, want %v", i, got, rotation, want)
				}
				if turns := i < 2; w.space.HasZeroMotion(w.ids[i]) == turns || again == 2 &&
					w.space.IsUnchanged(w.ids[i]) == turns {
					t.Fatalf("%d: without motion %v, unchanged %v", i, w.space.HasZeroMotion(w.ids[i]),
						w.space.IsUnchanged(w.ids[i]))
				}
			}
			w.space.Begin()
			w.space.Sweep()
			w.space.Finish()
		}
	}
}

// A ball without initial spin and a block are launched along a floor. Both decelerate at mu·g: the
// ball until it rolls, at 5/7 of its speed, and the block until it rests.
func TestSlidingBecomesRolling(t *testing.T) {
	const mu, g, v, r = 0.3, 10, 7.0, 0.5
	w := newSpinWorld()
	w.gravity.Y = -g
	w.space.RestSpeed = 2 * g * step
	m := w.rough(0, mu)
	w.plane(collide.Vec3{Y: 1}, 0, m)
	b := ball{x: collide.Vec3{Y: r}, v: collide.Vec3{X: v}, r: r, mass: 1, material: m}
	w.add(b, bodySpin{inverseInertia: solidInverseInertia(b)})
	b.x.Z = 5
	w.add(b, bodySpin{noSpin: true})
	for k := range 200 {
		w.step()
		now := float64(k+1) * step
		if got, want := w.balls[0].v, (collide.Vec3{X: max(v*5/7, v-mu*g*now)}); got.Distance(want) > 1e-13 {
			t.Fatalf("after %v s the ball moves at %v, want %v", now, got, want)
		}
		if got, want := w.balls[1].v, (collide.Vec3{X: max(0, v-mu*g*now)}); got.Distance(want) > 1e-13 {
			t.Fatalf("after %v s the block moves at %v, want %v", now, got, want)
		}
	}
	if got, want := w.spins[0].w, (collide.Vec3{Z: -v * 5 / 7 / r}); got.Distance(want) > 1e-12 {
		t.Errorf("rolls with a spin of %v, want %v", got, want)
	}
}
