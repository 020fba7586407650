package search

import (
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// kind is a kind of scenes.
type kind struct {
	name string
	make func(*builder)
}

// kinds are all kinds of scenes, in the order in which they take turns.
var kinds = []kind{
	{"gas", gas},             // balls without gravity, with sizes, speeds and masses over decades
	{"elastic", elastic},     // the same, without any loss
	{"oracle", oracle},       // small scenes that an engine of package verify runs, too
	{"box", boxed},           // a heap in a box
	{"column", column},       // columns and pyramids of unequal masses
	{"tiles", tiles},         // floors of polygons
	{"sheets", sheets},       // polygons anywhere, one- and two-sided, static and kinematic
	{"locked", locked},       // locked axes
	{"squeeze", squeeze},     // kinematic walls that close on balls
	{"kinematic", movers},    // kinematic balls, belts, lifts
	{"overlap", overlapped},  // things inside each other
	{"rack", rack},           // rows and racks of touching balls
	{"slide", sliding},       // sliding bodies
	{"extreme", extreme},     // extreme speeds, sizes, steps
	{"flat", flat},           // 2D
	{"sensors", sensors},     // sensors
	{"churn", churn},         // the game changes everything, between the stages and in handlers
	{"twin", twins},          // two worlds with one difference
	{"bad", bad},             // invalid values
	{"crates", crates},       // dynamic boxes, capsules, cylinders and hulls
	{"rotors", rotors},       // walls that rotate, and motors
	{"meshes", meshes},       // meshes and terrain
	{"compounds", compounds}, // compounds of convex parts
	{"groups", groups},       // kinematic groups
	{"walkers", walkers},     // characters
	{"workers", manyWorkers}, // thousands of balls, with one worker and with several
	{"loads", loads},         // walls that rotate and yield to load
	{"pushers", pushers},     // characters and crates
	{"turning", turning},     // meshes, terrain and compounds that rotate
	{"corners", corners},     // the same and balls, in wedges and corners of tilted walls
	{"levels", levels},       // the same and balls, on floors, steps and ramps of polygons
}

// slowKinds run only if they are named: a scene takes a second or more.
var slowKinds = []kind{
	{"grounds", grounds}, // dynamic boxes, capsules and hulls on meshes, terrain and compounds
}

// Kinds returns the names of all kinds but the slow ones.
func Kinds() []string { return namesOf(kinds) }

// SlowKinds returns the names of kinds whose scenes take a second or more.
func SlowKinds() []string { return namesOf(slowKinds) }

func namesOf(kinds []kind) (list []string) {
	for _, k := range kinds {
		list = append(list, k.name)
	}
	return list
}

// Turns returns the order in which scenes of these kinds come, from the first to the last and then
// again. Scenes of thousands of balls take as long as many others, so they have every fourth turn.
func Turns(names []string) []string {
	var list []string
	for round := range 4 {
		for _, name := range names {
			if name != "workers" || round == 0 {
				list = append(list, name)
			}
		}
	}
	return list
}

// New returns the random scene of that kind and seed. Equal arguments give equal scenes.
func New(name string, seed uint64) *Scene {
	for k, o := range slices.Concat(kinds, slowKinds) {
		if o.name == name {
			return generate(o.make, name, rand.New(rand.NewPCG(seed, uint64(k))), seed)
		}
	}
	panic("search: no kind " + name)
}

// generate runs a maker.
func generate(make func(*builder), name string, r *rand.Rand, seed uint64) *Scene {
	b := &builder{Rand: r, s: &Scene{Kind: name, Seed: seed, Steps: 40}, half: 3}
	b.s.Config.Workers = 1
	if b.chance(0.2) {
		b.s.Mode = Mode(b.IntN(3))
	}
	make(b)
	if b.chance(0.1) {
		b.settings()
	}
	if b.chance(0.1) {
		b.turn()
	}
	if b.chance(0.05) && b.next > 1 {
		for range 1 + b.IntN(5) {
			b.s.Vetoes = append(b.s.Vetoes, Veto{b.IntN(b.s.Steps), 1 + b.IntN(b.next), 1 + b.IntN(b.next)})
		}
	}
	b.s.Config.Parabolic = !b.s.Oracle && b.chance(0.1) // the engine of package verify has chords only
	return b.s
}

// settings changes settings that no kind cares about.
func (b *builder) settings() {
	c := &b.s.Config
	c.RestitutionThreshold = b.one(0, -1, b.decades(0.01, 10))
	c.LengthUnit = b.one(0, b.decades(0.01, 100))
	c.NoSleeping = b.chance(0.5)
	c.MaxImpacts = b.IntN(40)
}

// turn makes surfaces out of a rotation and what they are before it.
func (b *builder) turn() {
	for k := range b.s.Things {
		t := &b.s.Things[k]
		if t.Sphere != nil || t.Spin != nil {
			continue
		}
		if b.fixed && t.Body != nil && t.Solid != nil {
			continue
		}
		q := collide.RotationAround(b.direction(), b.between(-3, 3))
		back := product(collide.Quat{W: q.W, X: -q.X, Y: -q.Y, Z: -q.Z}, t.Transform.Rotation)
		t.Transform.Rotation = q
		if t.Mesh != nil || t.Compound != nil || t.Walker != nil {
			t.Transform.Rotation = collide.Quat{}
		}
		if t.Plane != nil {
			t.Plane.Normal = back.Rotate(t.Plane.Normal)
		}
		if t.Polygon != nil {
			for i, p := range t.Polygon.Points {
				t.Polygon.Points[i] = back.Rotate(p)
			}
		}
	}
}

func (b *builder) earth() { b.s.Config.Gravity = collide.Vec3{Y: -9.81} }

func gas(b *builder) {
	b.half = b.decades(0.5, 20)
	b.s.Config.StepSeconds = b.one(0, 0, 1.0/240, 0.1)
	switch b.IntN(4) {
	case 0:
	case 1:
		b.half *= 0.5
		b.box(false)
		b.materials()
	default:
		b.box(false)
	}
	b.balls(2+b.IntN(25), b.half*b.decades(0.02, 0.5), b.half*b.decades(0.1, 300), b.one(1, 10, 1e3))
	b.s.Steps = 10 + b.IntN(40)
}

func elastic(b *builder) {
	gas(b)
	b.elastic()
}

func oracle(b *builder) {
	b.s.Oracle = true
	b.half = b.decades(0.5, 20)
	if b.chance(0.7) {
		b.box(false)
	}
	n := 2 + b.IntN(6)
	speed := b.half * b.decades(1, 100)
	for range n {
		t := b.try(func() Thing {
			return ball(b.place(), b.direction().Scale(b.decades(speed/10, speed)), b.half*b.decades(0.05, 0.4))
		})
		if t == nil {
			continue
		}
		t.Body.Mass = b.decades(0.01, 100)
		t.Material.Restitution = b.one(0.3, 0.8, 1, 1)
		if b.chance(0.1) {
			t.Body.Locked = components.Axes(1 << b.IntN(3))
		}
		if b.chance(0.1) {
			*t.Body = components.BodyData{Kind: components.BodyKind(1 + b.IntN(2))}
		}
	}
	if b.chance(0.3) {
		b.earth()
	}
}

func boxed(b *builder) {
	b.earth()
	b.half = b.decades(0.5, 5)
	b.box(true)
	b.materials()
	if b.chance(0.3) {
		b.s.Config.Gravity = b.direction().Scale(b.decades(0.1, 100))
		b.half *= 0.9
		b.s.Things = b.s.Things[:0]
		b.box(false)
	}
	b.balls(2+b.IntN(30), b.half*b.decades(0.1, 0.5), b.half*b.decades(0.1, 10), b.one(1, 4, 100))
	b.s.Steps = 30 + b.IntN(120)
}

func column(b *builder) {
	b.earth()
	b.add(plane(collide.Vec3{}, vec(0, 1, 0)))
	b.s.Things[0].Material.Friction = b.one(0, 0.5, 1)
	r := b.decades(0.1, 1)
	n := 2 + b.IntN(9)
	gap := b.one(0, 0, 1e-9, 0.01, 0.3) * r
	ratio := b.one(1, 1, 10, 1000)
	rising := b.IntN(3)
	y := r
	for k := range n {
		t := ball(vec(0, y, 0), collide.Vec3{}, r)
		if gap > r*0.1 {
			t.Transform.Position.X = b.between(-1, 1) * r * 0.2
		}
		if rising == 0 && k == n-1 || rising == 1 && k == 0 || rising == 2 && k%2 == 0 {
			t.Body.Mass = ratio
		}
		*t.Material = components.MaterialData{Friction: b.one(0, 0.5), Restitution: b.one(0, 0, 0.5)}
		if b.chance(0.5) {
			b.spin(&t, 0)
		}
		b.add(t)
		y += 2*r + gap
	}
	if b.chance(0.3) {
		b.add(ball(vec(-5*r, r, 0), vec(b.decades(0.1, 100), 0, 0), r))
	}
	b.s.Steps = 60 + b.IntN(100)
}

func tiles(b *builder) {
	b.earth()
	b.half = b.decades(1, 10)
	b.floor(0)
	r := b.half * b.decades(0.02, 0.4)
	for range 1 + b.IntN(6) {
		t := b.try(func() Thing {
			at := b.place()
			at.Y = r * b.one(1, 1, 1.5, 4)
			v := b.direction()
			v.Y *= b.one(0, 1)
			return ball(at, v.Scale(b.decades(0.01, 50)), r)
		})
		if t == nil {
			continue
		}
		t.Body.Mass = b.decades(0.1, 10)
		t.Material = b.material()
		if b.chance(0.5) {
			b.spin(t, 10)
		}
	}
	b.s.Steps = 30 + b.IntN(100)
}

func sheets(b *builder) {
	if b.chance(0.5) {
		b.earth()
	}
	if b.chance(0.5) {
		b.box(false)
	}
	for range 1 + b.IntN(8) {
		t := polygon(b.place(), b.sheet(b.decades(0.1, 4))...)
		t.Polygon.OneSided = b.chance(0.5)
		t.Material = b.material()
		if b.chance(0.3) {
			t = kinematic(t, b.direction().Scale(b.decades(0.1, 10)))
		}
		b.add(t)
	}
	b.balls(1+b.IntN(12), b.decades(0.05, 1), b.decades(0.1, 300), b.one(1, 10, 100))
}

func locked(b *builder) {
	if b.chance(0.8) {
		b.earth()
	}
	b.add(plane(vec(0, -b.one(0.5, 3), 0), vec(0, 1, 0)))
	b.s.Things[0].Material = b.material()
	b.half = 2
	r := b.decades(0.05, 1)
	for range 2 + b.IntN(4) {
		t := b.try(func() Thing {
			at := b.place()
			if b.chance(0.5) {
				at = vec(float64(b.IntN(4)), float64(b.IntN(4)), 1)
			}
			return ball(at, b.direction().Scale(b.one(0, 0, 1, 10)), r)
		})
		if t == nil {
			continue
		}
		t.Body.Locked = components.Axes(b.IntN(8))
		if b.chance(0.3) {
			t.Body.Mass = b.decades(1e-5, 1e5)
		}
		t.Material = b.material()
		if b.chance(0.5) {
			t.Material.Friction = b.one(0, 10)
			t.Material.StaticFriction = 0
		}
		if b.chance(0.3) {
			b.spin(t, 1)
		}
	}
	b.s.Steps = 60 + b.IntN(60)
}

func squeeze(b *builder) {
	b.half = 2
	if b.chance(0.5) {
		b.earth()
	}
	u := b.decades(0.1, 3000)
	walls := 1 + b.IntN(3)
	for k, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}} {
		v := n.Scale(u * b.between(0.2, 1))
		t := plane(n.Scale(-b.half*b.between(1, 2)), n)
		if b.chance(0.3) {
			c := b.half * 2
			p, q := vec(n.Y, n.Z, n.X), n.Cross(vec(n.Y, n.Z, n.X))
			corners := []collide.Vec3{p.Add(q).Scale(-c), p.Sub(q).Scale(c), p.Add(q).Scale(c), q.Sub(p).Scale(c)}
			t = polygon(n.Scale(-b.half*1.2), corners...)
		}
		if k < walls {
			t = kinematic(t, v)
		}
		t.Material = b.material()
		b.add(t)
	}
	b.balls(1+b.IntN(10), b.decades(0.1, 0.8), b.decades(0.1, 10), b.one(1, 10))
	if b.chance(0.5) {
		b.elastic()
	}
	b.s.Steps = 20 + b.IntN(40)
}

func movers(b *builder) {
	b.earth()
	b.box(false)
	b.s.Things[0].Belt = &components.SurfaceVelocityData{Linear: vec(b.one(0, 1, 10), 0, 0)}
	b.materials()
	for range 1 + b.IntN(3) {
		t := b.try(func() Thing {
			v := b.direction().Scale(b.decades(0.1, 60))
			return kinematic(ball(b.place(), collide.Vec3{}, b.decades(0.2, 1.5)), v)
		})
		if t != nil && b.chance(0.5) {
			b.spin(t, 10)
		}
	}
	if b.chance(0.5) {
		t := polygon(vec(0, -2.5, 0), vec(-1, 0, -1), vec(-1, 0, 1), vec(1, 0, 1), vec(1, 0, -1))
		b.add(kinematic(t, vec(0, b.decades(0.1, 10), 0)))
	}
	b.balls(1+b.IntN(15), b.decades(0.2, 0.8), b.decades(0.1, 10), b.one(1, 10))
}

func overlapped(b *builder) {
	if b.chance(0.5) {
		b.earth()
	}
	if b.chance(0.6) {
		b.box(false)
	}
	b.half = b.between(0.3, 3)
	for range 2 + b.IntN(12) {
		t := ball(b.place(), b.direction().Scale(b.one(0, 0, 1, 30)), b.decades(0.1, 1))
		t.Material = b.material()
		t.Body.Mass = b.decades(0.1, 10)
		if b.chance(0.1) {
			t = kinematic(t, collide.Vec3{})
		}
		b.add(t)
	}
	if b.chance(0.3) {
		b.add(polygon(b.place(), b.sheet(1)...))
	}
}

func rack(b *builder) {
	if b.chance(0.3) {
		b.earth()
		b.add(plane(vec(0, -0.5, 0), vec(0, 1, 0)))
	}
	e := b.one(0, 0.5, 0.95, 1, 1)
	f := b.one(0, 0, 0.3)
	put := func(at, v collide.Vec3) *Thing {
		t := ball(at, v, 0.5)
		t.Material.Restitution, t.Material.Friction = e, f
		if f > 0 {
			b.spin(&t, 0)
		}
		return b.add(t)
	}
	speed := b.decades(0.1, 1e3)
	switch b.IntN(3) {
	case 0: // a row
		n := 2 + b.IntN(12)
		for k := range n {
			put(vec(float64(k), 0, 0), collide.Vec3{})
		}
		put(vec(-2, 0, 0), vec(speed, 0, 0))
		if b.chance(0.3) {
			put(vec(float64(n)+1, 0, 0), vec(-speed, 0, 0))
		}
	case 1: // a triangle
		rows := 2 + b.IntN(4)
		for i := range rows {
			for k := range i + 1 {
				put(vec(0.8660254037844387*float64(i), 0, float64(k)-0.5*float64(i)), collide.Vec3{})
			}
		}
		put(vec(-3, 0, b.one(0, 0, 0.1, 0.5)), vec(speed, 0, 0))
	case 2: // a lattice
		n := 2 + b.IntN(2)
		for i := range n {
			for j := range n {
				for k := range n {
					put(vec(float64(i), float64(j), float64(k)), collide.Vec3{})
				}
			}
		}
		put(vec(-2, b.one(0, 0.5, 0.2), b.one(0, 0.5)), vec(speed, 0, 0))
	}
	if b.chance(0.3) {
		for k := range b.s.Things {
			if t := &b.s.Things[k]; t.Sphere != nil && b.chance(0.3) {
				t.Body.Mass = b.decades(0.1, 10)
			}
		}
	}
	if b.chance(0.3) {
		b.half = 20
		b.box(false)
	}
	if b.chance(0.4) { // with gaps across which impacts act
		gap := b.decades(1e-6, 0.05)
		b.s.Config.TouchingGap = gap
		for k := range b.s.Things {
			if t := &b.s.Things[k]; t.Sphere != nil {
				t.Transform.Position = t.Transform.Position.Scale(1 + gap*b.one(0, 0.5, 0.9, 2))
			}
		}
	}
}

func sliding(b *builder) {
	if b.chance(0.7) {
		b.earth()
	}
	if b.chance(0.3) {
		b.half = 5
		b.floor(-3)
	}
	b.half = 3
	b.box(false)
	if b.chance(0.5) {
		b.add(plane(vec(0, -1, 0), vec(b.between(-1, 1), 1, b.between(-1, 1))))
	}
	b.materials()
	b.balls(2+b.IntN(10), b.decades(0.2, 0.8), b.decades(0.1, 100), b.one(1, 10))
	for k := range b.s.Things {
		if t := &b.s.Things[k]; t.Sphere != nil && b.chance(0.5) {
			t.Sliding = true
		}
	}
}

func extreme(b *builder) {
	b.half = b.decades(1e-3, 1e4)
	b.s.Config.StepSeconds = b.decades(1e-6, 10)
	if b.chance(0.7) {
		b.box(false)
	}
	speed := min(1e8, b.half*b.decades(1, 1e3)/b.s.Config.StepSeconds)
	b.balls(1+b.IntN(8), b.half*b.decades(1e-4, 0.5), speed, b.one(1, 100, 1e6))
	if b.chance(0.5) {
		b.elastic()
	}
	if b.chance(0.2) {
		b.s.Config.Gravity = b.direction().Scale(min(1e8, b.half*b.decades(1e-3, 10)/b.s.Config.StepSeconds))
	}
	b.s.Steps = 10
}

func flat(b *builder) {
	if b.chance(0.7) {
		b.earth()
	}
	b.half = b.decades(1, 5)
	corner := []collide.Vec3{
		vec(-b.half, -b.half, 0), vec(b.half, -b.half, 0), vec(b.half, b.half, 0), vec(-b.half, b.half, 0),
	}
	for k, from := range corner {
		to, up := corner[(k+1)%4], vec(0, 0, 1000)
		t := polygon(collide.Vec3{}, from.Sub(up), to.Sub(up), to.Add(up), from.Add(up))
		t.Material = b.material()
		b.add(t)
	}
	for range b.IntN(4) {
		t := plane(b.place(), b.direction())
		t.Transform.Position.Z, t.Plane.Normal = 0, vec(b.NormFloat64(), b.NormFloat64(), 0)
		t.Plane.TwoSided = true
		b.add(t)
	}
	b.balls(30, b.half*b.decades(0.02, 0.3), b.half*b.decades(0.1, 100), b.one(1, 10))
	kept := b.s.Things[:0]
	for _, t := range b.s.Things {
		if t.Sphere != nil {
			t.Transform.Position.Z, t.Velocity.Linear.Z = 0, 0
			t.Body.Locked = components.AxisZ
			if t.Spin != nil {
				t.Spin.Angular = vec(0, 0, b.between(-10, 10))
			}
			if !fits(&t, kept, 1e-6) {
				continue
			}
		}
		kept = append(kept, t)
	}
	b.s.Things = kept
}

func sensors(b *builder) {
	if b.chance(0.5) {
		boxed(b)
	} else {
		gas(b)
	}
	for range 1 + b.IntN(5) {
		t := Thing{
			Transform: components.TransformData{Position: b.place()},
			Sphere:    &components.SphereColliderData{Radius: b.half * b.decades(0.05, 1)}, Sensor: true,
		}
		if b.chance(0.2) {
			t.Sphere, t.Plane = nil, &components.PlaneColliderData{Normal: b.direction()}
		}
		b.add(t)
	}
}
