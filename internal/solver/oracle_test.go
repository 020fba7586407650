package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/oracle"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// family is a kind of random scene.
type family struct {
	name         string
	count        int // of scenes
	balls        int // at most
	radii, speed [2]float64
	masses       [2]float64
	crowd        float64 // half the room's width, in mean distances between bodies of the largest radius
	flat         bool
	still        float64 // share of static bodies
	pushers      float64 // share of kinematic bodies
	locked       bool
	filters      bool
	restitution  [2]float64
	slides       bool
	rest         float64
	sheets       bool // two-sided planes inside, and walls that move
	offset       float64
}

var families = []family{
	{name: "like spheres", count: 2400, balls: 30, radii: [2]float64{0.5, 0.5}, speed: [2]float64{1, 10}, masses: [2]float64{1, 1}, crowd: 1.1, restitution: [2]float64{1, 1}},
	{name: "like spheres, fast", count: 1200, balls: 20, radii: [2]float64{0.5, 0.5}, speed: [2]float64{10, 300}, masses: [2]float64{1, 1}, crowd: 1.2, restitution: [2]float64{1, 1}},
	{name: "crowded", count: 240, balls: 60, radii: [2]float64{0.3, 0.5}, speed: [2]float64{1, 20}, masses: [2]float64{0.5, 2}, crowd: 0.9, restitution: [2]float64{0.8, 1}},
	{name: "mixed radii and masses", count: 2000, balls: 30, radii: [2]float64{0.01, 3}, speed: [2]float64{0.1, 100}, masses: [2]float64{1e-3, 1e3}, crowd: 0.5, restitution: [2]float64{0.5, 1}},
	{name: "circles", count: 1600, balls: 25, radii: [2]float64{0.1, 1}, speed: [2]float64{1, 100}, masses: [2]float64{0.1, 10}, crowd: 0.9, flat: true, restitution: [2]float64{0.3, 1}},
	{name: "static and kinematic", count: 1600, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 0.9, still: 0.2, pushers: 0.1, restitution: [2]float64{0.3, 1}},
	{name: "locked axes", count: 1600, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 0.9, still: 0.1, locked: true, restitution: [2]float64{0.3, 1}},
	{name: "filters", count: 800, balls: 25, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 1, filters: true, restitution: [2]float64{0.3, 1}},
	{name: "sliding among static spheres", count: 1200, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 0.9, still: 0.3, slides: true, restitution: [2]float64{0.3, 1}},
	{name: "resting below a threshold", count: 1200, balls: 20, radii: [2]float64{0.2, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 0.9, rest: 5, restitution: [2]float64{0.3, 1}},
	{name: "sheets and moving walls", count: 1200, balls: 20, radii: [2]float64{0.2, 0.6}, speed: [2]float64{1, 80}, masses: [2]float64{0.1, 10}, crowd: 1, sheets: true, restitution: [2]float64{0.3, 1}},
	{name: "a thousand kilometres from the origin", count: 800, balls: 20, radii: [2]float64{0.5, 1}, speed: [2]float64{1, 50}, masses: [2]float64{0.1, 10}, crowd: 1, restitution: [2]float64{1, 1}, offset: 1e6},
}

// scene makes a random scene of the family, in which nothing overlaps.
func (f *family) scene(r *rand.Rand) *world {
	w := newWorld()
	w.space.RestSpeed = f.rest
	w.space.Seconds = logUniform(r, 1.0/240, min(0.5, 20/f.speed[1]))
	n := 2 + r.IntN(f.balls-1)
	half := f.crowd * 2 * f.radii[1] * math.Cbrt(float64(n))
	if f.flat {
		half = f.crowd * 2 * f.radii[1] * math.Sqrt(float64(n))
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
		w.space.SetSurface(-2-w.codes[k], w.surfaces[k])
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
		case u < f.still:
			b.kind, b.v, b.mass = solver.Static, collide.Vec3{}, 0
		case u < f.still+f.pushers:
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

// reference returns the same scene for the oracle, with every coordinate off by up to noise and velocities by some ulps.
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
		o.Planes = append(o.Planes, oracle.Plane{
			Plane: f.Plane, Velocity: f.Velocity, Restitution: f.Material.Restitution, TwoSided: f.TwoSided,
			Layers: f.Material.Layers, Mask: f.Material.Mask,
		})
	}
	return o
}

// impacts returns the log of the last step in the oracle's terms.
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

// differ says how two histories of impacts differ by more than slack seconds, or "" if they don't.
// Impacts closer together than that may change places.
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

// spread returns how far two states of the oracle are apart.
func spread(a, b *oracle.World) (x, v float64) {
	for i := range a.Bodies {
		x = max(x, a.Bodies[i].Position.Distance(b.Bodies[i].Position))
		v = max(v, a.Bodies[i].Velocity.Distance(b.Bodies[i].Velocity))
	}
	return x, v
}

// tied reports whether a body has two impacts at once: one that rests on a wall and is hit, or one without restitution
// that is pressed against a third. Rounding decides which comes first, and how often they come.
func tied(log []oracle.Impact) bool {
	for i, a := range log {
		for _, b := range log[:i] {
			if a.Time-b.Time < 1e-9 && (a.A == b.A || a.A == b.B || b.A == a.B || b.B == a.B && a.B >= 0) {
				return true
			}
		}
	}
	return false
}

// TestAgreesWithTheOracle compares each step with that of the plain reference from the same state.
//
// Impacts are chaotic: one makes an error larger by the ratio of the free path to the radius. So the oracle also runs
// from positions that are off by some ulps, and what that changes is what rounding may change. Steps in which
// that is too much to tell anything are left out; there must be few.
func TestAgreesWithTheOracle(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			r := random(1)
			steps, impacts, vague := 0, 0, 0
			for scene := range heavy(f.count) {
				w := f.scene(r)
				for range 1 + r.IntN(4) {
					if w.space.Contacts() > 0 {
						break // what rests is solved together, which the reference doesn't
					}
					steps++
					noise := 0x1p-50 * (10 + f.offset)
					want, off := w.reference(r, 0), w.reference(r, noise)
					before := append([]ball(nil), w.balls...)
					log, ok := want.Step(w.space.Seconds, 1000)
					log2, ok2 := off.Step(w.space.Seconds, 1000)
					w.step()
					w.checkApart(t, scene)
					x, v := spread(want, off)
					if !ok || !ok2 || w.space.Counts.SpentBudgets+w.space.Counts.Blocked > 0 || differ(log, log2, 1e-9) != "" || x > 1e-7 || tied(log) {
						vague++
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
							t.Fatalf("scene %d: body %d is off by %.3g m and %.3g m/s after %d impacts; noise makes that %.3g and %.3g\nstarted %+v", scene, i, dx, dv, len(log), x, v, before[i])
						}
					}
				}
			}
			t.Logf("%d steps, %d impacts, %d too chaotic to tell", steps, impacts, vague)
			if vague > steps/8 {
				t.Errorf("%d of %d steps tell nothing", vague, steps)
			}
			if impacts < steps {
				t.Errorf("only %d impacts in %d steps", impacts, steps)
			}
		})
	}
}
