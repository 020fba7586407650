package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/exact"
	"github.com/dango-physics/dango/internal/oracle"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// family is a kind of random scene.
type family struct {
	name         string
	count        int // of scenes
	balls        int // at most
	radii, speed [2]float64
	masses       [2]float64
	spacing      float64 // half the width of the room, in mean distances of bodies with the largest radius
	flat         bool
	static       float64 // fraction of static bodies
	kinematic    float64 // fraction of kinematic bodies
	locked       bool
	filters      bool
	restitution  [2]float64
	slides       bool
	restSpeed    float64
	sheets       bool // two-sided planes inside, and moving walls
	capsules     bool // static and kinematic ones
	offset       float64
}

var families = []family{
	{
		name: "like spheres", count: 2400, balls: 30, radii: [2]float64{0.5, 0.5}, speed: [2]float64{1, 10},
		masses: [2]float64{1, 1}, spacing: 1.1, restitution: [2]float64{1, 1},
	},
	{
		name: "like spheres, fast", count: 1200, balls: 20, radii: [2]float64{0.5, 0.5}, speed: [2]float64{10, 300},
		masses: [2]float64{1, 1}, spacing: 1.2, restitution: [2]float64{1, 1},
	},
	{
		name: "crowded", count: 240, balls: 60, radii: [2]float64{0.3, 0.5}, speed: [2]float64{1, 20},
		masses: [2]float64{0.5, 2}, spacing: 0.9, restitution: [2]float64{0.8, 1},
	},
	{
		name: "mixed radii and masses", count: 2000, balls: 30, radii: [2]float64{0.01, 3},
		speed: [2]float64{0.1, 100}, masses: [2]float64{1e-3, 1e3}, spacing: 0.5, restitution: [2]float64{0.5, 1},
	},
	{
		name: "circles", count: 1600, balls: 25, radii: [2]float64{0.1, 1}, speed: [2]float64{1, 100},
		masses: [2]float64{0.1, 10}, spacing: 0.9, flat: true, restitution: [2]float64{0.3, 1},
	},
	{
		name: "static and kinematic", count: 1600, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50},
		masses: [2]float64{0.1, 10}, spacing: 0.9, static: 0.2, kinematic: 0.1, restitution: [2]float64{0.3, 1},
	},
	{
		name: "locked axes", count: 1600, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50},
		masses: [2]float64{0.1, 10}, spacing: 0.9, static: 0.1, locked: true, restitution: [2]float64{0.3, 1},
	},
	{
		name: "filters", count: 800, balls: 25, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50},
		masses: [2]float64{0.1, 10}, spacing: 1, filters: true, restitution: [2]float64{0.3, 1},
	},
	{
		name: "sliding among static spheres", count: 1200, balls: 20, radii: [2]float64{0.2, 1},
		speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, spacing: 0.9, static: 0.3, slides: true,
		restitution: [2]float64{0.3, 1},
	},
	{
		name: "resting below a threshold", count: 1200, balls: 20, radii: [2]float64{0.2, 1},
		speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, spacing: 0.9, restSpeed: 5,
		restitution: [2]float64{0.3, 1},
	},
	{
		name: "sheets and moving walls", count: 1200, balls: 20, radii: [2]float64{0.2, 0.6},
		speed: [2]float64{1, 80}, masses: [2]float64{0.1, 10}, spacing: 1, sheets: true,
		restitution: [2]float64{0.3, 1},
	},
	{
		name: "capsules", count: 1200, balls: 20, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 80},
		masses: [2]float64{0.1, 10}, spacing: 1.2, capsules: true, restitution: [2]float64{0.3, 1},
	},
	{
		name: "sliding among capsules", count: 1200, balls: 20, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 50},
		masses: [2]float64{0.1, 10}, spacing: 1.6, capsules: true, slides: true, restitution: [2]float64{0.3, 1},
	},
	{
		name: "a thousand kilometres from the origin", count: 800, balls: 20, radii: [2]float64{0.5, 1},
		speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, spacing: 1, restitution: [2]float64{1, 1}, offset: 1e6,
	},
}

// scene returns a random scene of the family in which nothing overlaps.
func (f *family) scene(r *rand.Rand) *world {
	w := newWorld()
	w.space.RestSpeed = f.restSpeed
	w.space.Seconds = logUniform(r, 1.0/240, min(0.5, 20/f.speed[1]))
	n := 2 + r.IntN(f.balls-1)
	half := f.spacing * 2 * f.radii[1] * math.Cbrt(float64(n))
	if f.flat {
		half = f.spacing * 2 * f.radii[1] * math.Sqrt(float64(n))
	}
	room := collide.Vec3{X: half, Y: half, Z: half}
	center := collide.Vec3{}
	if f.offset != 0 {
		center = direction(r, false).Scale(f.offset)
	}
	wall := solver.Material{Restitution: f.restitution[0], Layers: 3, Mask: all}
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		if f.flat && n.Z != 0 {
			continue
		}
		tilted, _ := n.AddScaled(0.3, direction(r, f.flat)).Normalized()
		k := w.plane(tilted, tilted.Dot(center)-half, wall)
		if f.sheets && r.IntN(3) == 0 {
			w.surfaces[k].Velocity = direction(r, f.flat).Scale(10 * r.Float64())
		}
	}
	if f.sheets {
		k := w.plane(direction(r, f.flat), half*(r.Float64()-0.5), wall)
		w.surfaces[k].TwoSided = true
		w.space.SetSurface(w.surface(k), w.surfaces[k])
	}
	for k := 0; f.capsules && k < 6; k++ {
		a := center.Add(within(r, room))
		c := rod(a, a.AddScaled(2*half*r.Float64(), direction(r, f.flat)), logUniform(r, 0.05, 1), wall)
		c.Offset = direction(r, f.flat).Scale(0.1)
		if r.IntN(2) == 0 {
			c.Velocity = direction(r, f.flat).Scale(10 * r.Float64())
		}
		w.addSurface(c)
	}
	for tries := 0; len(w.balls) < n && tries < 50*n; tries++ {
		b := ball{
			x: within(r, room), r: logUniform(r, f.radii[0], f.radii[1]), mass: logUniform(r, f.masses[0], f.masses[1]),
			material: bouncy(f.restitution[0] + r.Float64()*(f.restitution[1]-f.restitution[0])),
		}
		if f.flat {
			b.x.Z = 0
		}
		b.x = b.x.Add(center)
		b.v = direction(r, f.flat).Scale(logUniform(r, f.speed[0], f.speed[1]))
		if f.slides && r.IntN(2) == 0 {
			b.material.Sliding = true
		}
		if f.locked && r.IntN(2) == 0 {
			b.material.Locked = uint8(r.IntN(7))
			b.v = solver.Unlocked(b.v, b.material.Locked)
		}
		if f.filters {
			b.material.Layers, b.material.Mask = 1<<r.IntN(3), uint32(r.IntN(8))|1
		}
		switch u := r.Float64(); {
		case u < f.static:
			b.kind, b.v, b.mass = solver.Static, collide.Vec3{}, 0
		case u < f.static+f.kinematic:
			b.kind, b.mass = solver.Kinematic, 0
		}
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap <= 0 {
			w.add(b)
		}
	}
	return w
}

// reference returns the same scene for the oracle. Coordinates are displaced by up to noise, and
// velocities by a few ulps if noise isn't 0.
func (w *world) reference(r *rand.Rand, noise float64) *oracle.World {
	o := &oracle.World{RestSpeed: w.space.RestSpeed}
	for _, b := range w.balls {
		p := oracle.Body{
			Position: b.x, Velocity: b.v, Radius: b.r, Restitution: b.material.Restitution, Slide: b.material.Sliding,
			Locked: b.material.Locked, Layers: b.material.Layers, Mask: b.material.Mask,
		}
		if b.kind == solver.Dynamic {
			p.InverseMass = 1 / b.mass
		}
		if noise > 0 {
			p.Position = p.Position.Add(within(r, collide.Vec3{X: noise, Y: noise, Z: noise}))
			p.Velocity = p.Velocity.AddScaled(0x1p-50, within(r, collide.Vec3{X: b.v.X, Y: b.v.Y, Z: b.v.Z}))
		}
		o.Bodies = append(o.Bodies, p)
	}
	for _, f := range w.surfaces {
		shape := oracle.Surface{
			Plane: f.Plane, Velocity: f.Velocity, Restitution: f.Material.Restitution, TwoSided: f.TwoSided,
			Layers: f.Material.Layers, Mask: f.Material.Mask,
		}
		switch f.Kind() {
		case statics.Plane:
		case statics.Capsule:
			shape.Capsule = collide.Capsule{
				A: f.Capsule.A.Add(f.Offset), B: f.Capsule.B.Add(f.Offset), Radius: f.Capsule.Radius,
			}
		default:
			panic("the oracle has no such surfaces")
		}
		o.Surfaces = append(o.Surfaces, shape)
	}
	return o
}

// impacts returns the impacts of the last step in the oracle's format.
func (w *world) impacts() (out []oracle.Impact) {
	index := map[int32]int{}
	for i, id := range w.ids {
		index[id] = i
	}
	for k, code := range w.codes {
		index[code] = -1 - k
	}
	for _, e := range w.space.Log() {
		if e.Kind&eventlog.Impact != 0 {
			a, b := index[e.A], index[e.B]
			if b >= 0 && b < a {
				a, b = b, a
			}
			out = append(out, oracle.Impact{Time: e.Time, A: a, B: b})
		}
	}
	return out
}

// differ describes the first difference between two lists of impacts, with a tolerance of slack
// seconds, or returns "" if there is none. Impacts within that time of each other may be in any
// order.
func differ(got, want []oracle.Impact, slack float64) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d impacts, want %d", len(got), len(want))
	}
	used := make([]bool, len(want))
next:
	for i, g := range got {
		if i > 0 && g.Time < got[i-1].Time {
			return fmt.Sprintf("impact %d at %v comes after one at %v", i, g.Time, got[i-1].Time)
		}
		for j, o := range want {
			if !used[j] && o.A == g.A && o.B == g.B {
				if math.Abs(o.Time-g.Time) > slack {
					return fmt.Sprintf("impact %d of %d and %d at %v, want %v", i, g.A, g.B, g.Time, o.Time)
				}
				used[j] = true
				continue next
			}
		}
		return fmt.Sprintf("impact %d of %d and %d at %v isn't the oracle's", i, g.A, g.B, g.Time)
	}
	return ""
}

// distances returns the largest distance between the positions and between the velocities of two
// states of the oracle.
func distances(a, b *oracle.World) (x, v float64) {
	for i := range a.Bodies {
		x = max(x, a.Bodies[i].Position.Distance(b.Bodies[i].Position))
		v = max(v, a.Bodies[i].Velocity.Distance(b.Bodies[i].Velocity))
	}
	return x, v
}

// hasSimultaneousImpacts reports whether a body has two impacts at the same time, for example
// because it rests on a wall and is hit. Rounding errors decide about the order and the number of
// such impacts.
func hasSimultaneousImpacts(log []oracle.Impact) bool {
	for i, a := range log {
		for _, b := range log[:i] {
			if a.Time-b.Time < 1e-9 && (a.A == b.A || a.A == b.B || b.A == a.B || b.B == a.B && a.B >= 0) {
				return true
			}
		}
	}
	return false
}

// Compares every step with a step of the oracle from the same state.
//
// Impacts are chaotic: each increases an error by the ratio of the free path to the radius.
// Therefore the oracle also runs from positions that are displaced by a few ulps, and the resulting
// differences are tolerated. Steps in which they are too large for a comparison are skipped; there
// must be few.
func TestStepsMatchTheOracle(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			r := random(1)
			steps, impacts, skipped := 0, 0, 0
			for scene := range slow.Cases(f.count) {
				w := f.scene(r)
				for range 1 + r.IntN(4) {
					if w.space.Contacts() > 0 {
						break // the oracle has no contact solver
					}
					steps++
					noise := 0x1p-50 * (10 + f.offset)
					want, off := w.reference(r, 0), w.reference(r, noise)
					before := append([]ball(nil), w.balls...)
					log, ok := want.Step(w.space.Seconds, 1000)
					log2, ok2 := off.Step(w.space.Seconds, 1000)
					w.step()
					w.checkApart(t, scene)
					x, v := distances(want, off)
					if !ok || !ok2 || w.space.Counts.Jammed+w.space.Counts.Blocked > 0 ||
						differ(log, log2, 1e-9) != "" || x > 1e-7 || hasSimultaneousImpacts(log) {
						skipped++
						continue
					}
					slack := 1e-11 + 20*noise
					for i := range log {
						slack = max(slack, 200*math.Abs(log[i].Time-log2[i].Time))
					}
					impacts += len(log)
					if d := differ(w.impacts(), log, slack); d != "" {
						t.Fatalf("scene %d: %s\n%v\n%v", scene, d, w.impacts(), log)
					}
					for i, b := range w.balls {
						o := &want.Bodies[i]
						dx, dv := b.x.Distance(o.Position), b.v.Distance(o.Velocity)
						if dx > 1e-12+200*(noise+x) || dv > 1e-11+200*(noise+v) {
							t.Fatalf("scene %d: body %d is off by %.3g m and %.3g m/s after %d impacts; "+
								"noise changes that by %.3g and %.3g\nstarted %+v",
								scene, i, dx, dv, len(log), x, v, before[i])
						}
					}
				}
			}
			t.Logf("%d steps, %d impacts, %d skipped as chaotic", steps, impacts, skipped)
			if skipped > steps/8 {
				t.Errorf("%d of %d steps were skipped", skipped, steps)
			}
			if impacts < steps {
				t.Errorf("only %d impacts in %d steps", impacts, steps)
			}
		})
	}
}

// Compares the first impacts of pairs with arithmetic of 1200 bits. The pairs are distant, fast,
// grazing, or of very different sizes.
func TestFirstImpactsHaveTheirExactTime(t *testing.T) {
	r := random(1)
	hits, worst := 0, 0.0
	for range slow.Cases(20000) {
		speed := logUniform(r, 0.1, 1e5)
		a := ball{v: direction(r, false).Scale(speed), r: logUniform(r, 0.01, 3), mass: 1, material: bouncy(0.5)}
		b := ball{
			v: direction(r, false).Scale(speed * r.Float64()), r: logUniform(r, 0.01, 3), mass: 1,
			material: bouncy(0.5),
		}
		// The bodies meet at impactTime. Many of them are so far off the line of centres that they
		// only graze.
		impactTime := step * r.Float64() * 1.1
		off := 1 - logUniform(r, 1e-9, 1)
		if r.IntN(4) == 0 {
			off = 1 + logUniform(r, 1e-9, 0.1)
		}
		side, ok := a.v.Sub(b.v).Cross(direction(r, false)).Normalized()
		if !ok {
			continue
		}
		a.x = a.v.Scale(-impactTime)
		b.x = b.v.Scale(-impactTime).AddScaled(off*(a.r+b.r), side)
		want := exact.SphereSphere(collide.Sphere{Center: a.x, Radius: a.r}, a.v,
			collide.Sphere{Center: b.x, Radius: b.r}, b.v)
		w := newWorld(a, b)
		if inside, _, _ := w.overlap(); inside > 0 {
			continue
		}
		w.step()
		w.checkApart(t, "after a graze")
		at := math.Inf(1)
		if want.Outcome == collide.Hit {
			at = want.Time.Float()
		}
		switch log := w.space.Log(); {
		case len(log) > 0 && at <= step:
			hits++
			// At grazing impacts, the error of the time is the square root of the coordinates'
			// rounding.
			slack := 1e-11
			if off > 1-1e-6 {
				slack = 1e-7 * step
			}
			worst = max(worst, math.Abs(log[0].Time-at)/slack)
		case len(log) > 0 && math.IsInf(at, 1) && math.Abs(off-1) > 1e-7:
			t.Fatalf("an impact at %v where there is none, %v off", log[0].Time, off)
		case len(log) == 0 && at < step*(1-1e-9) && math.Abs(off-1) > 1e-7:
			t.Fatalf("no impact at %v", at)
		}
	}
	if worst > 1 {
		t.Errorf("the largest error of a time is %.3g of the tolerance", worst)
	}
	if hits < slow.Cases(20000)/3 {
		t.Errorf("only %d hits", hits)
	}
}

func TestContactsAtTheStartAndTheEndOfAStep(t *testing.T) {
	x := collide.Vec3{X: 1}
	cases := []struct {
		name        string
		gap, speed  float64 // of two spheres of radius 0.5, in a step of a second
		impacts     int
		position, v float64 // of the first sphere, after the step
	}{
		{"touch and approach at the start", 0, 1, 1, -1, -1},
		{"touch and part at the start", 0, -1, 0, -1, -1},
		{"touch and rest", 0, 0, 0, 0, 0},
		{"meet exactly at the horizon", 2, 1, 1, 1, -1},
		{"meet just after the horizon", math.Nextafter(2, 3), 1, 0, 1, 1},
		{"meet in the middle", 1, 1, 1, 0, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(ball{v: x.Scale(c.speed), r: 0.5, mass: 1, material: bouncy(1)},
				ball{x: x.Scale(1 + c.gap), v: x.Scale(-c.speed), r: 0.5, mass: 1, material: bouncy(1)})
			w.space.Seconds = 1
			w.step()
			if a := w.balls[0]; len(w.space.Log()) != c.impacts || math.Abs(a.x.X-c.position) > 1e-12 ||
				math.Abs(a.v.X-c.v) > 1e-12 {
				t.Errorf("%d impacts, at %v moving at %v; want %d, %v, %v", len(w.space.Log()), a.x.X, a.v.X,
					c.impacts, c.position, c.v)
			}
			// The same against a plane, at half the distance.
			p := newWorld(ball{v: x.Scale(c.speed), r: 0.5, mass: 1, material: bouncy(1)})
			p.space.Seconds = 1
			p.plane(x.Neg(), -0.5-c.gap/2, bouncy(1))
			p.step()
			if a := p.balls[0]; len(p.space.Log()) != c.impacts || math.Abs(a.x.X-c.position) > 1e-12 {
				t.Errorf("at a plane: %d impacts, at %v; want %d, %v", len(p.space.Log()), a.x.X, c.impacts, c.position)
			}
		})
	}
}

// One ball hits a row of balls that touch. Only the last ball moves on, with the speed of the
// first.
func TestNewtonsCradleMovesOnlyTheLastBall(t *testing.T) {
	for _, gap := range []float64{0, 1e-12, 1e-3} {
		w := newWorld(ball{x: collide.Vec3{X: -2}, v: collide.Vec3{X: 90}, r: 0.5, mass: 1, material: bouncy(1)})
		for k := range 6 {
			w.add(ball{x: collide.Vec3{X: float64(k) * (1 + gap)}, r: 0.5, mass: 1, material: bouncy(1)})
		}
		w.step()
		w.step()
		for i, b := range w.balls {
			want := 0.0
			if i == 6 {
				want = 90
			}
			if b.v.Distance(collide.Vec3{X: want}) > 1e-9 {
				t.Errorf("gap %v: ball %d moves at %v, want %v", gap, i, b.v, want)
			}
		}
		w.checkApart(t, gap)
	}
}

// Small fast bodies fly towards each other and towards thin sheets, through hundreds of cells of
// the grid.
func TestFastBodiesDoNotTunnel(t *testing.T) {
	for _, speed := range []float64{1e2, 1e4, 1e6, 1e8} {
		w := newWorld()
		w.fill(1, 100, collide.Vec3{X: 20, Y: 20, Z: 20}, [2]float64{0.2, 0.2}, [2]float64{1, 1}, 0, 1)
		for i := range w.balls {
			w.balls[i].x.X += 100 // away from the path; these bodies determine the layout of the grid
		}
		a := w.add(ball{
			x: collide.Vec3{X: -speed * step * 0.3}, v: collide.Vec3{X: speed}, r: 0.01, mass: 1,
			material: bouncy(1),
		})
		b := w.add(ball{
			x: collide.Vec3{X: speed * step * 0.3, Y: 0.001}, v: collide.Vec3{X: -speed}, r: 0.01,
			mass: 1, material: bouncy(1),
		})
		g := sheet(collide.Vec3{Y: speed * step / 2, Z: 9}, collide.Vec3{Y: 1}, 1)
		w.addSurface(twoSided(&g, bouncy(1)))
		c := w.add(ball{x: collide.Vec3{Z: 9}, v: collide.Vec3{Y: speed}, r: 0.01, mass: 1, material: bouncy(1)})
		w.step()
		if w.balls[a].v.X > 0 || w.balls[b].v.X < 0 {
			t.Errorf("%v m/s: two bodies missed each other", speed)
		}
		if w.balls[c].v.Y > 0 {
			t.Errorf("%v m/s: a body passed a sheet", speed)
		}
	}
}
