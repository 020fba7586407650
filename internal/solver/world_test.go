package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

const (
	step = 1.0 / 60
	all  = ^uint32(0)
)

// ball is a sphere as a game describes it. Mass 0 stands for infinite mass.
type ball struct {
	x, v     collide.Vec3
	r, mass  float64
	kind     solver.Kind
	material solver.Material
}

// bouncy returns a material with restitution e that collides with everything.
func bouncy(e float64) solver.Material { return solver.Material{Restitution: e, Layers: 1, Mask: all} }

// slippery returns the material of a sliding character.
func slippery() solver.Material { return solver.Material{Sliding: true, Layers: 1, Mask: all} }

func sensor() solver.Material { return solver.Material{Sensor: true, Layers: 1, Mask: all} }

// world uses a space as package systems does: it sets the state of everything before each step and
// reads the results after it.
type world struct {
	space    solver.Space
	gravity  collide.Vec3
	balls    []ball
	ids      []int32
	surfaces []solver.Surface
	codes    []int32

	forgotten []string         // what Forget reported
	between   func(sweep bool) // called after Begin (false) and after Sweep (true)
}

func settings() solver.Settings {
	return solver.Settings{
		LengthUnit: 1, Sleeping: true,
		Seconds: step, MaxImpacts: 32 * 128, MaxInelasticImpacts: 32,
	}
}

// frictionID adds a friction to the space.
func (w *world) frictionID(f solver.FrictionCoefficients) uint16 {
	id, ok := w.space.AddFriction(solver.Friction{FrictionCoefficients: f})
	if !ok {
		panic("solver_test: too many frictions")
	}
	return id
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
	w.codes = append(w.codes, int32(solver.SurfaceHandle(k)))
	w.space.SetSurface(k, f)
	return len(w.surfaces) - 1
}

// surface returns what the space calls surface k of the world.
func (w *world) surface(k int) int32 { return solver.Handle(w.codes[k]).Surface() }

// plane adds an infinite plane.
func (w *world) plane(n collide.Vec3, distance float64, m solver.Material) int {
	p, err := collide.NewPlane(n, distance)
	if err != nil {
		panic(err)
	}
	return w.addSurface(solver.Surface{Shape: statics.Shape{Plane: p}, Material: m})
}

// box adds the six walls of a room.
func (w *world) box(half collide.Vec3, m solver.Material) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		w.plane(n, -math.Abs(n.Dot(half)), m)
	}
}

// step runs a step and moves the kinematic surfaces.
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
			w.space.SetSurface(w.surface(k), w.surfaces[k])
		}
	}
	w.space.Begin()
	if w.between != nil {
		w.between(false)
	}
	w.space.Sweep()
	if w.between != nil {
		w.between(true)
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
		moved := w.space.Travelled(w.surface(k))
		switch f.Kind() {
		case statics.Plane:
			f.Plane.Distance += f.Plane.Normal.Dot(moved)
		case statics.Capsule:
			f.Offset = f.Offset.Add(moved)
		case statics.Polygon:
			var points []collide.Vec3
			for i := range f.Polygon.Len() {
				points = append(points, f.Polygon.Corner(i).Add(moved))
			}
			g, err := collide.NewPolygon(points...)
			if err != nil {
				panic(err)
			}
			f.Polygon, f.Plane = &g, g.Plane()
		default:
			panic("world.step: unknown kind of shape")
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

// overlap returns the largest penetration depth of any pair, relative to the smaller radius and
// minus the rounding error of the coordinates, and the pair. Surface k has the number -1-k.
func (w *world) overlap() (worst float64, a, b int) {
	offer := func(depth, radius, coordinate float64, i, j int) {
		if relative := (depth - 8*0x1p-53*coordinate) / radius; relative > worst {
			worst, a, b = relative, i, j
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
			gap := distance(f, p.x)
			if f.Kind() == statics.Polygon && !f.TwoSided && f.Plane.SignedDistance(p.x) < 0 {
				continue
			}
			offer(p.r-gap, p.r, size(p.x)+size(f.Offset)+p.r, i, -1-k)
		}
	}
	return worst, a, b
}

// distance returns the distance of a point from a surface, negative inside.
func distance(f *solver.Surface, p collide.Vec3) float64 {
	switch f.Kind() {
	case statics.Polygon:
		return p.Distance(f.Polygon.ClosestPoint(p))
	case statics.Capsule:
		return f.Capsule.SignedDistance(p.Sub(f.Offset))
	case statics.Plane:
		if f.TwoSided {
			return math.Abs(f.Plane.SignedDistance(p))
		}
		return f.Plane.SignedDistance(p)
	}
	panic("distance: unknown kind of shape")
}

func (w *world) collide(p *ball, m *solver.Material) bool {
	return !p.material.Sensor && !m.Sensor && p.material.Layers&m.Mask != 0 && m.Layers&p.material.Mask != 0
}

// maxOverlap is the documented limit of penetration, relative to the smaller radius.
const maxOverlap = 1e-9

// checkApart fails the test if anything overlaps, or has a NaN or infinite position or velocity.
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

// within returns a random point between -half and half.
func within(r *rand.Rand, half collide.Vec3) collide.Vec3 {
	return collide.Vec3{
		X: half.X * (2*r.Float64() - 1), Y: half.Y * (2*r.Float64() - 1),
		Z: half.Z * (2*r.Float64() - 1),
	}
}

// logUniform returns a random number between lo and hi with a uniform logarithm.
func logUniform(r *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }

// direction returns a random unit vector, in the plane z = 0 if flat is set.
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

func bits(v collide.Vec3) [3]uint64 {
	return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
}

// sheet returns a square polygon around center with its front in the direction n.
func sheet(center, n collide.Vec3, half float64) collide.Polygon {
	n, _ = n.Normalized()
	a := collide.Vec3{X: 1}
	if n.X > 0.9 || n.X < -0.9 {
		a = collide.Vec3{Y: 1}
	}
	a, _ = n.Cross(a).Normalized()
	b := n.Cross(a)
	g, err := collide.NewPolygon(
		center.AddScaled(half, a).AddScaled(half, b), center.AddScaled(-half, a).AddScaled(half, b),
		center.AddScaled(-half, a).AddScaled(-half, b), center.AddScaled(half, a).AddScaled(-half, b))
	if err != nil {
		panic(err)
	}
	return g
}

// rod returns a capsule.
func rod(a, b collide.Vec3, radius float64, m solver.Material) solver.Surface {
	return solver.Surface{Shape: statics.Shape{Capsule: collide.Capsule{A: a, B: b, Radius: radius}}, Material: m}
}

// polygon is NewPolygon for corners that are known to be valid.
func polygon(corners ...collide.Vec3) *collide.Polygon {
	g, err := collide.NewPolygon(corners...)
	if err != nil {
		panic(err)
	}
	return &g
}

// fill adds up to n bodies that don't overlap, at random positions between -half and half.
func (w *world) fill(seed uint64, n int, half collide.Vec3, radii, masses [2]float64, speed, e float64) {
	r := random(seed)
	for tries := 0; len(w.balls) < n && tries < 100*n; tries++ {
		b := ball{
			x: within(r, half), r: logUniform(r, radii[0], radii[1]), mass: logUniform(r, masses[0], masses[1]),
			material: bouncy(e),
			v:        direction(r, half.Z == 0).Scale(speed * (0.5 + r.Float64())),
		}
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap <= 0 {
			w.add(b)
		}
	}
}

// remove removes body i from the world.
func (w *world) remove(i int) {
	w.space.Forget(solver.BodyHandle(w.ids[i]), func(a, b solver.Handle, sensor bool) {
		w.forgotten = append(w.forgotten,
			fmt.Sprint(a, b, sensor))
	})
	w.space.Remove(w.ids[i])
	w.balls, w.ids = slices.Delete(w.balls, i, i+1), slices.Delete(w.ids, i, i+1)
}

// differs describes the first difference between two worlds, compared bit by bit in everything
// observable. It returns "" if there is none.
func (w *world) differs(o *world) string {
	if len(w.ids) != len(o.ids) {
		return "number of bodies"
	}
	vectors := func(a, b collide.Vec3) bool { return bits(a) == bits(b) }
	for i, id := range w.ids {
		a, b := w.space.State(id), o.space.State(id)
		if !vectors(a.Position, b.Position) || !vectors(a.Velocity, b.Velocity) {
			return fmt.Sprintf("body %d: %v and %v", i, a, b)
		}
		if a, b := w.space.StartPosition(id), o.space.StartPosition(id); !vectors(a, b) {
			return fmt.Sprintf("body %d before: %v and %v", i, a, b)
		}
		if a, b := w.space.HasZeroMotion(id), o.space.HasZeroMotion(id); a != b {
			return fmt.Sprintf("body %d without motion: %v and %v", i, a, b)
		}
		if a, b := w.space.Traits(id), o.space.Traits(id); a != b {
			return fmt.Sprintf("body %d: %+v and %+v", i, a, b)
		}
	}
	a, b := w.space.Log(), o.space.Log()
	for k := range min(len(a), len(b)) {
		e, f := solver.Plain(a[k]), solver.Plain(b[k])
		if e != f {
			return fmt.Sprintf("entry %d of the log: %+v and %+v", k, a[k], b[k])
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("the log has %d entries, and %d", len(a), len(b))
	}
	if a, b := w.space.Parted(), o.space.Parted(); !slices.Equal(a, b) {
		return fmt.Sprintf("parted: %v and %v", a, b)
	}
	c, d := w.space.Counts, o.space.Counts
	if c.Impacts != d.Impacts || c.Jammed != d.Jammed || c.SpentBudgets != d.SpentBudgets ||
		c.Blocked != d.Blocked || c.Moves != d.Moves {
		return fmt.Sprintf("counts: %+v and %+v", c, d)
	}
	if a, b := w.space.MovingBodies(), o.space.MovingBodies(); a != b {
		return fmt.Sprintf("%d move, and %d", a, b)
	}
	for _, code := range slices.Concat(w.ids, w.codes) {
		if a, b := w.touching(code), o.touching(code); !slices.Equal(a, b) {
			return fmt.Sprintf("%d touches %v and %v", code, a, b)
		}
	}
	if a, b := fmt.Sprint(w.space.Halted()), fmt.Sprint(o.space.Halted()); a != b {
		return fmt.Sprintf("halted: %v and %v", a, b)
	}
	for k := range w.codes {
		if a, b := w.space.Travelled(w.surface(k)), o.space.Travelled(o.surface(k)); !vectors(a, b) {
			return fmt.Sprintf("surface %d travels %v and %v", k, a, b)
		}
	}
	if !slices.Equal(w.forgotten, o.forgotten) {
		return fmt.Sprintf("forgotten: %v and %v", w.forgotten, o.forgotten)
	}
	return ""
}

func (w *world) touching(code int32) (all []string) {
	w.space.Touching(solver.Handle(code), func(other solver.Handle, sensor bool) bool {
		point, normal := w.space.Between(solver.Handle(code), other)
		all = append(all, fmt.Sprint(other, sensor, bits(point), bits(normal)))
		return true
	})
	return all
}

// hash returns a hash of h, of all positions and velocities, and of the log of the last step.
func (w *world) hash(h uint64) uint64 {
	add := func(v collide.Vec3) {
		for _, x := range bits(v) {
			h = (h ^ x) * 1099511628211
		}
	}
	for _, b := range w.balls {
		add(b.x)
		add(b.v)
	}
	for _, e := range w.space.Log() {
		add(e.Point)
		add(e.Normal)
		add(collide.Vec3{X: e.Time, Y: float64(e.B), Z: float64(e.Kind)})
	}
	for _, p := range w.space.Parted() {
		add(collide.Vec3{X: float64(p.A), Y: float64(p.B)})
	}
	return h
}

// twoSided returns a two-sided polygon at rest.
func twoSided(g *collide.Polygon, m solver.Material) solver.Surface {
	return solver.Surface{Shape: statics.Shape{Polygon: g, Plane: g.Plane(), TwoSided: true}, Material: m}
}
