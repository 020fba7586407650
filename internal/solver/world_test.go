package solver_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

const (
	step = 1.0 / 60
	all  = ^uint32(0)
)

// ball is a sphere as a game would describe it. Mass 0 stands for infinite.
type ball struct {
	x, v     collide.Vec3
	r, mass  float64
	kind     solver.Kind
	material solver.Material
}

// bouncy is a material that every other meets.
func bouncy(e float64) solver.Material { return solver.Material{Restitution: e, Layers: 1, Mask: all} }

// slippery is the material of a character.
func slippery() solver.Material { return solver.Material{Sliding: true, Layers: 1, Mask: all} }

func sensor() solver.Material { return solver.Material{Sensor: true, Layers: 1, Mask: all} }

// world drives a space the way package systems does: everything is told anew before each step, and read back after it.
type world struct {
	space    solver.Space
	gravity  collide.Vec3
	balls    []ball
	ids      []int32
	surfaces []solver.Surface
	codes    []int32

	forgotten []string         // what Forget told
	meanwhile func(sweep bool) // what the game does after Begin, and after Sweep
}

func settings() solver.Settings {
	return solver.Settings{
		LengthUnit: 1, Sleeping: true,
		Seconds: step, MaxImpacts: 32 * 128, MaxInelasticImpacts: 32,
		Combine: func(a, b *solver.Material) float64 { return max(a.Restitution, b.Restitution) },
	}
}

func newWorld(balls ...ball) *world {
	w := &world{space: solver.Space{Settings: settings()}}
	for _, b := range balls {
		w.add(b)
	}
	return w
}

func (w *world) add(b ball) int {
	w.balls = append(w.balls, b)
	w.ids = append(w.ids, w.space.Add())
	w.set(len(w.balls) - 1)
	return len(w.balls) - 1
}

func (w *world) set(i int) {
	b := &w.balls[i]
	inverse := 0.0
	if b.kind == solver.Dynamic {
		inverse = 1 / b.mass
	}
	w.space.Set(w.ids[i], solver.State{Position: b.x, Velocity: b.v}, b.r, inverse, b.kind, b.material)
}

func (w *world) addSurface(f solver.Surface) int {
	k := w.space.AddSurface()
	w.surfaces = append(w.surfaces, f)
	w.codes = append(w.codes, -2-k)
	w.space.SetSurface(k, f)
	return len(w.surfaces) - 1
}

// plane adds an endless plane.
func (w *world) plane(n collide.Vec3, distance float64, m solver.Material) int {
	p, err := collide.NewPlane(n, distance)
	if err != nil {
		panic(err)
	}
	return w.addSurface(solver.Surface{Plane: p, Material: m})
}

// box adds the six walls of a room.
func (w *world) box(half collide.Vec3, m solver.Material) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		w.plane(n, -math.Abs(n.Dot(half)), m)
	}
}

// step runs one step, and moves the kinematic surfaces on.
func (w *world) step() {
	w.space.Down = w.gravity
	for i := range w.balls {
		w.set(i)
		if b := &w.balls[i]; b.kind == solver.Dynamic && w.gravity != (collide.Vec3{}) {
			w.space.Accelerate(w.ids[i], solver.Unlocked(w.gravity, b.material.Locked))
		}
	}
	for k := range w.surfaces {
		if w.surfaces[k].Velocity != (collide.Vec3{}) {
			w.space.SetSurface(-2-w.codes[k], w.surfaces[k])
		}
	}
	w.space.Begin()
	if w.meanwhile != nil {
		w.meanwhile(false)
	}
	w.space.Sweep()
	if w.meanwhile != nil {
		w.meanwhile(true)
	}
	w.space.Finish()
	for i := range w.balls {
		b, s := &w.balls[i], w.space.State(w.ids[i])
		b.x = s.Position
		if b.kind == solver.Dynamic {
			b.v = s.Velocity
		}
	}
	for k := range w.surfaces {
		f := &w.surfaces[k]
		if f.Velocity == (collide.Vec3{}) {
			continue
		}
		moved := w.space.Travelled(-2 - w.codes[k])
		f.Plane.Distance += f.Plane.Normal.Dot(moved)
		if f.Polygon != nil {
			var points []collide.Vec3
			for i := range f.Polygon.Len() {
				points = append(points, f.Polygon.Corner(i).Add(moved))
			}
			g, err := collide.NewPolygon(points...)
			if err != nil {
				panic(err)
			}
			f.Polygon, f.Plane = &g, g.Plane()
		}
	}
}

func (w *world) energy() (sum float64) {
	for _, b := range w.balls {
		if b.kind == solver.Dynamic {
			sum += 0.5 * b.mass * b.v.LengthSquared()
		}
	}
	return sum
}

func (w *world) momentum() (linear, angular collide.Vec3) {
	for _, b := range w.balls {
		if b.kind == solver.Dynamic {
			linear = linear.AddScaled(b.mass, b.v)
			angular = angular.AddScaled(b.mass, b.x.Cross(b.v))
		}
	}
	return linear, angular
}

// overlap returns the deepest interpenetration of anything, in parts of the smaller radius, beyond what the rounding of
// the coordinates amounts to, and what it is between.
func (w *world) overlap() (worst float64, a, b int) {
	offer := func(depth, radius, coordinate float64, i, j int) {
		if share := (depth - 8*0x1p-53*coordinate) / radius; share > worst {
			worst, a, b = share, i, j
		}
	}
	size := func(v collide.Vec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }
	for i := range w.balls {
		p := &w.balls[i]
		for j := range i {
			q := &w.balls[j]
			if w.collide(p, &q.material) && (p.kind == solver.Dynamic || q.kind == solver.Dynamic) {
				offer(p.r+q.r-p.x.Distance(q.x), min(p.r, q.r), size(p.x)+size(q.x), i, j)
			}
		}
		for k := range w.surfaces {
			f := &w.surfaces[k]
			if !w.collide(p, &f.Material) || p.kind != solver.Dynamic {
				continue
			}
			switch {
			case f.Polygon != nil:
				depth := p.r - p.x.Distance(f.Polygon.ClosestPoint(p.x))
				if f.TwoSided || f.Plane.SignedDistance(p.x) >= 0 {
					offer(depth, p.r, size(p.x)+p.r, i, -1-k)
				}
			case f.TwoSided:
				offer(p.r-math.Abs(f.Plane.SignedDistance(p.x)), p.r, size(p.x)+p.r, i, -1-k)
			default:
				offer(p.r-f.Plane.SignedDistance(p.x), p.r, size(p.x)+p.r, i, -1-k)
			}
		}
	}
	return worst, a, b
}

func (w *world) collide(p *ball, m *solver.Material) bool {
	return !p.material.Sensor && !m.Sensor && p.material.Layers&m.Mask != 0 && m.Layers&p.material.Mask != 0
}

// maxOverlap is what we promise, in parts of the smaller radius.
const maxOverlap = 1e-9

// checkApart fails the test where anything overlaps or isn't a number any more.
func (w *world) checkApart(t *testing.T, when any) {
	t.Helper()
	if worst, a, b := w.overlap(); worst > maxOverlap {
		t.Fatalf("%v: %d and %d overlap by %.3g of the smaller radius", when, a, b, worst)
	}
	for i, b := range w.balls {
		if !b.x.IsFinite() || !b.v.IsFinite() {
			t.Fatalf("%v: body %d is at %v and moves at %v", when, i, b.x, b.v)
		}
	}
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// within returns a point in a box around the origin.
func within(r *rand.Rand, half collide.Vec3) collide.Vec3 {
	return collide.Vec3{X: half.X * (2*r.Float64() - 1), Y: half.Y * (2*r.Float64() - 1), Z: half.Z * (2*r.Float64() - 1)}
}

// logUniform returns a number between lo and hi whose logarithm is uniform.
func logUniform(r *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }

// direction returns a unit vector; in the plane z = 0 where flat.
func direction(r *rand.Rand, flat bool) collide.Vec3 {
	for {
		v := within(r, collide.Vec3{X: 1, Y: 1, Z: 1})
		if flat {
			v.Z = 0
		}
		if l := v.Length(); l > 0.1 && l <= 1 {
			n, _ := v.Normalized()
			return n
		}
	}
}

// heavy returns n, or a tenth of it in short runs: under emulation.
func heavy(n int) int {
	if testing.Short() {
		return n/10 + 1
	}
	return n
}

func bits(v collide.Vec3) [3]uint64 {
	return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
}
