package bridge

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// twin is one of two worlds to which the same happens. In one of them every row takes the slow
// path, in the other three workers share the rows; or one is stepped by one worker, and the other
// by several.
type twin struct {
	w       donburi.World
	p       *stepper
	r       *rand.Rand
	slow    bool
	half    collide.Vec3 // of the hall in which they are
	entries []*donburi.Entry
	tiles   []*donburi.Entry // and planes
}

// marked is a component without meaning: adding it moves an entity to another table.
var marked = donburi.NewTag()

// newTwin returns a twin of many different things and some spheres that are all alike.
func newTwin(config Settings, seed uint64, slow bool, alike int) *twin {
	t := newGame(config, seed, collide.Vec3{X: 6, Y: 6, Z: 6})
	t.slow = slow
	if !slow {
		t.p.settings.Solver.Workers, t.p.parallel.rows, t.p.parallel.always = 3, blockRows/8, true
	}
	if !slow && alike > 0 { // pieces of several blocks, as in a large world
		t.p.parallel.rows = 5 * blockRows / 2
	}
	t.furnish(alike)
	return t
}

// newGame returns a twin whose hall is empty and has no walls yet.
func newGame(config Settings, seed uint64, half collide.Vec3) *twin {
	w := donburi.NewWorld()
	return &twin{w: w, p: newStepper(config), r: rand.New(rand.NewPCG(seed, 5)), half: half}
}

// furnish puts a twin's things into its hall.
func (t *twin) furnish(alike int) {
	w := t.w
	for range alike { // first, since Donburi can't create into archetypes whose first entity came by AddComponent
		e := w.Entry(w.Create(withMaterial...))
		components.Transform.Get(e).Position = t.position(t.vector(5.5))
		components.SphereCollider.Get(e).Radius = 0.05
		components.Velocity.Get(e).Linear = t.vector(1)
		t.entries = append(t.entries, e)
	}
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		wall := w.Entry(w.Create(components.Transform, components.PlaneCollider))
		components.Transform.Get(wall).Position = t.position(n.Scale(-6))
		components.PlaneCollider.Get(wall).Normal = n
	}
	for range 150 {
		t.spawn()
	}
	for range 20 {
		t.lay()
	}
}

// position maps a position in a cube, from -6 to 6 on each axis, to one in the hall.
func (t *twin) position(at collide.Vec3) collide.Vec3 {
	return collide.Vec3{
		X: float64(at.X * t.half.X / 6), Y: float64(at.Y * t.half.Y / 6), Z: float64(at.Z * t.half.Z / 6),
	}
}

// lay adds a tile or a capsule, or sometimes a floor far below.
func (t *twin) lay() {
	kinds := []donburi.IComponentType{components.Transform, components.PolygonCollider}
	switch t.r.IntN(8) {
	case 0, 1:
		kinds[1] = components.PlaneCollider
	case 2, 3:
		kinds[1] = components.CapsuleCollider
	}
	e := t.w.Entry(t.w.Create(kinds...))
	for _, c := range []donburi.IComponentType{
		components.Velocity, components.Body, components.Material,
		components.CollisionFilter, components.Force, components.SurfaceVelocity,
	} {
		if t.r.IntN(4) == 0 {
			e.AddComponent(c)
		}
	}
	if e.HasComponent(components.PlaneCollider) {
		components.Transform.Get(e).Position = t.vector(1).Add(collide.Vec3{Y: -2 - t.half.Y})
	} else {
		components.Transform.Get(e).Position = t.position(t.vector(4))
		if e.HasComponent(components.PolygonCollider) {
			t.reshape(e)
		}
	}
	t.tiles = append(t.tiles, e)
}

// reshape gives a tile three corners, or four that are in a plane except for rounding.
func (t *twin) reshape(e *donburi.Entry) {
	a, b := t.vector(1), t.vector(1)
	points := []collide.Vec3{{}, a, b}
	if t.r.IntN(2) == 0 {
		points = []collide.Vec3{{}, a, a.Add(b), b}
	}
	components.PolygonCollider.Get(e).Points = points
}

// alter changes something about a tile or a floor.
func (t *twin) alter() {
	at := t.r.IntN(len(t.tiles))
	e, v := t.tiles[at], t.vector(1)
	tile := tileOf(e)
	switch t.r.IntN(23) {
	case 0:
		tile.transform.Position = tile.transform.Position.AddScaled(0.1, v)
	case 1:
		tile.transform.Rotation = collide.RotationAround(collide.Vec3{Y: 1}, v.X)
	case 2:
		tile.transform.Rotation = collide.Quat{X: math.NaN()}
	case 3:
		tile.transform.Rotation = collide.Quat{}
	case 4, 5, 6:
		switch reshaped := t.r.IntN(3) == 0; {
		case tile.plane != nil:
			tile.plane.Normal = collide.Vec3{Y: 1}.AddScaled(0.1, v)
			tile.plane.TwoSided = !tile.plane.TwoSided
		case tile.capsule != nil && reshaped:
			tile.capsule.A = v
		case tile.capsule != nil:
			tile.capsule.B = v
		case reshaped:
			t.reshape(e)
		default:
			tile.polygon.Points[1] = tile.polygon.Points[1].AddScaled(0.1, v) // a triangle stays flat
		}
	case 7:
		switch {
		case tile.plane != nil:
			tile.plane.Distance = v.X
		case tile.capsule != nil:
			tile.capsule.Radius = v.X + 0.8 // an error now and then
		default:
			tile.polygon.OneSided = !tile.polygon.OneSided
		}
	case 8:
		if tile.polygon != nil {
			tile.polygon.Points = tile.polygon.Points[:2+t.r.IntN(len(tile.polygon.Points)-1)]
			if len(tile.polygon.Points) < 3 {
				t.reshape(e)
			}
		}
	case 9:
		e.Remove()
		t.tiles[at] = t.tiles[len(t.tiles)-1]
		t.tiles = t.tiles[:len(t.tiles)-1]
		t.lay()
	case 10:
		tile.velocity.Linear = v
	case 11:
		tile.velocity.Linear = collide.Vec3{}
	case 12:
		tile.body.Mass = v.X - 0.8 // an error mostly
	case 13:
		tile.body.Mass = 0
	case 14:
		tile.material.Restitution = v.Y // an error every other time
	case 15:
		tile.filter.Layers ^= 2
	case 16:
		tile.material.Friction = v.X + 0.9 // an error now and then
	case 17:
		tile.material.FrictionCombine = components.CombineRule(t.r.IntN(6))
	case 18:
		tile.surfaceVelocity.Linear = v
	case 19:
		tile.surfaceVelocity.Linear = collide.Vec3{X: math.Copysign(0, v.X)}
	case 20, 21:
		t.follow(e)
	case 22:
		if e.HasComponent(components.KinematicGroup) {
			e.RemoveComponent(components.KinematicGroup)
		}
	}
}

// follow makes e a member of a group: of a random leader, of that of something else, or of none.
func (t *twin) follow(e *donburi.Entry) {
	if !e.HasComponent(components.KinematicGroup) {
		e.AddComponent(components.KinematicGroup)
	}
	of := t.entries[t.r.IntN(len(t.entries))]
	if t.r.IntN(3) == 0 {
		of = t.tiles[t.r.IntN(len(t.tiles))]
	}
	leader := of.Entity()
	if of.HasComponent(components.KinematicGroup) && t.r.IntN(3) > 0 {
		leader = components.KinematicGroup.Get(of).Leader
	}
	components.KinematicGroup.Get(e).Leader = leader
	if of.HasComponent(components.Body) && of.HasComponent(components.Velocity) && t.r.IntN(2) == 0 {
		components.Body.Get(of).Kind = components.Kinematic
		components.Velocity.Get(of).Linear = t.vector(1)
	}
}

// parts are the components of a tile. For those that it lacks there are values that nothing reads.
type parts struct {
	transform       *components.TransformData
	velocity        *components.VelocityData
	plane           *components.PlaneColliderData
	polygon         *components.PolygonColliderData
	capsule         *components.CapsuleColliderData
	body            *components.BodyData
	material        *components.MaterialData
	filter          *components.CollisionFilterData
	surfaceVelocity *components.SurfaceVelocityData
}

func tileOf(e *donburi.Entry) parts {
	t := parts{
		components.Transform.Get(e), &components.VelocityData{}, nil, nil, nil,
		&components.BodyData{}, &components.MaterialData{},
		&components.CollisionFilterData{}, &components.SurfaceVelocityData{},
	}
	if e.HasComponent(components.PlaneCollider) {
		t.plane = components.PlaneCollider.Get(e)
	}
	if e.HasComponent(components.PolygonCollider) {
		t.polygon = components.PolygonCollider.Get(e)
	}
	if e.HasComponent(components.CapsuleCollider) {
		t.capsule = components.CapsuleCollider.Get(e)
	}
	if e.HasComponent(components.Velocity) {
		t.velocity = components.Velocity.Get(e)
	}
	if e.HasComponent(components.Body) {
		t.body = components.Body.Get(e)
	}
	if e.HasComponent(components.Material) {
		t.material = components.Material.Get(e)
	}
	if e.HasComponent(components.CollisionFilter) {
		t.filter = components.CollisionFilter.Get(e)
	}
	if e.HasComponent(components.SurfaceVelocity) {
		t.surfaceVelocity = components.SurfaceVelocity.Get(e)
	}
	return t
}

func (t *twin) vector(size float64) collide.Vec3 {
	random := func() float64 { return float64((t.r.Float64()*2 - 1) * size) }
	return collide.Vec3{X: random(), Y: random(), Z: random()}
}

func (t *twin) spawn() {
	// Other components are added, because Donburi can't create into archetypes whose first entity
	// came by AddComponent.
	e := t.w.Entry(t.w.Create(components.Transform, components.SphereCollider))
	for _, c := range []donburi.IComponentType{
		components.Velocity, components.Velocity, components.Body, components.Material,
		components.CollisionFilter, components.Sliding, components.AngularVelocity,
	} {
		if t.r.IntN(4) > 0 && !e.HasComponent(c) {
			e.AddComponent(c)
		}
	}
	components.Transform.Get(e).Position = t.position(t.vector(5.5))
	components.SphereCollider.Get(e).Radius = 0.1 + t.r.Float64()*0.3
	if e.HasComponent(components.Velocity) && t.r.IntN(3) > 0 {
		components.Velocity.Get(e).Linear = t.vector(10)
	}
	if e.HasComponent(components.Body) {
		components.Body.Get(e).Mass = t.r.Float64() * 3
	}
	if e.HasComponent(components.Material) {
		components.Material.Get(e).Friction = float64(t.r.IntN(3)) / 4
	}
	if e.HasComponent(components.AngularVelocity) {
		components.AngularVelocity.Get(e).Angular = t.vector(float64(t.r.IntN(3) * 5))
	}
	if t.r.IntN(4) == 0 {
		e.AddComponent(components.Force)
		components.Force.Get(e).Force = t.vector(float64(t.r.IntN(3)))
	}
	t.entries = append(t.entries, e)
}

func (t *twin) change() {
	at := t.r.IntN(len(t.entries))
	e, kind, x := t.entries[at], t.r.IntN(36), t.r.Float64()
	v := t.vector(10)
	toggle := func(c donburi.IComponentType) {
		if e.HasComponent(c) {
			e.RemoveComponent(c)
		} else {
			e.AddComponent(c)
		}
	}
	switch kind {
	case 0:
		toggle(components.Velocity)
	case 1:
		toggle(components.Body)
	case 2:
		toggle(components.Material)
	case 3:
		toggle(components.CollisionFilter)
	case 4:
		if x < 0.2 {
			toggle(components.Sensor)
		}
	case 5:
		if x < 0.3 {
			toggle(components.Force)
		}
		if e.HasComponent(components.Force) && x > 0.2 {
			components.Force.Get(e).Force = v
		}
	case 6: // gone and back between two readings
		toggle(components.Velocity)
		toggle(components.Velocity)
	case 7:
		e.Remove()
		t.entries[at] = t.entries[len(t.entries)-1]
		t.entries = t.entries[:len(t.entries)-1]
		t.spawn()
	case 8, 9:
		components.Transform.Get(e).Position = t.position(v.Scale(0.5))
	case 10:
		components.Transform.Get(e).Rotation.X = math.NaN()
	case 11:
		components.Transform.Set(e, &components.TransformData{Position: t.position(v.Scale(0.5))})
	case 12:
		components.SphereCollider.Get(e).Radius = x*0.5 - 0.02
	case 30: // into something else
		o := t.entries[t.r.IntN(len(t.entries))]
		components.Transform.Get(e).Position = components.Transform.Get(o).Position.AddScaled(0.02*x, v)
	case 31:
		components.SphereCollider.Get(e).Radius = 0.01 + float64(x*x*x)
	case 32: // wider than all there is, now and then
		if x < 0.1 {
			components.SphereCollider.Get(e).Radius = 8
		}
	case 34: // comes into a group, mostly, or leaves it
		toggle(components.KinematicGroup)
	case 35:
		t.follow(e)
	case 33: // what has grown is small again
		for _, o := range t.entries {
			if d := components.SphereCollider.Get(o); d.Radius > 1 {
				d.Radius = 0.1 + 0.3*x
			}
		}
	}
	if e = t.entries[at%len(t.entries)]; e.HasComponent(components.Velocity) {
		d := components.Velocity.Get(e)
		switch kind {
		case 13:
			d.Linear = v
		case 14:
			d.Linear = collide.Vec3{}
		case 15:
			d.Linear = collide.Vec3{X: math.Copysign(0, -1)}
		case 16:
			if x < 0.02 {
				d.Linear = v.Scale(5e7)
			}
		}
	}
	if e.HasComponent(components.Body) {
		d := components.Body.Get(e)
		switch kind {
		case 17:
			d.Mass = x
		case 18:
			d.LinearDamping = float64(t.r.IntN(3))
		case 19:
			d.Locked = components.Axes(t.r.IntN(8))
		case 20:
			d.Kind = components.BodyKind(t.r.IntN(3))
		case 21:
			d.Weightless = !d.Weightless
		case 12:
			d.GravityScale = float64(t.r.IntN(3))
		case 24:
			d.NeverSleep = !d.NeverSleep
		}
	}
	if kind == 25 {
		toggle(components.Sliding)
	}
	if kind == 26 {
		toggle(components.AngularVelocity)
	}
	if e.HasComponent(components.Material) && kind == 27 {
		m := components.Material.Get(e)
		m.Friction, m.RollingResistance, m.FrictionCombine = x/2-0.01, x/10, components.CombineRule(t.r.IntN(6))
	}
	if e.HasComponent(components.AngularVelocity) {
		d, q := components.AngularVelocity.Get(e), &components.Transform.Get(e).Rotation
		switch kind {
		case 28:
			*d = components.AngularVelocityData{
				Angular: v, Inertia: float64(t.r.IntN(3)) - 0.1*x, Damping: float64(t.r.IntN(2)),
			}
		case 29:
			d.Angular = collide.Vec3{X: math.Copysign(0, x-0.5)}
		case 0:
			*q = collide.RotationAround(v, x)
		case 1:
			*q = collide.Quat{}
		case 2:
			d.Angular = v.Scale(1e11)
		case 3:
			q.W *= 1 + 1e-6*(x-0.5)
		}
	}
	if e.HasComponent(components.Material) && kind == 22 {
		m := components.Material.Get(e)
		m.Restitution, m.RestitutionCombine = float64(t.r.IntN(3))/2, components.CombineRule(t.r.IntN(6))
	}
	if e.HasComponent(components.CollisionFilter) && kind == 23 {
		*components.CollisionFilter.Get(e) = components.CollisionFilterData{
			Layers: 1 << t.r.IntN(2), Mask: uint32(t.r.IntN(4)), Disabled: t.r.IntN(4) == 0,
		}
	}
}

func (t *twin) disturb() {
	for range t.r.IntN(4) {
		t.change()
		t.alter()
	}
}

func (t *twin) forget() {
	if t.slow {
		t.p.forgetProfiles()
	}
}

func (t *twin) step() {
	t.forget()
	switch t.r.IntN(8) {
	case 0:
		t.p.broadphase(t.w, false)
		t.disturb()
		t.p.sweep(t.w)
		t.disturb()
		away := t.entries[t.r.IntN(len(t.entries))] // in another table, and in its own again for the next step
		away.AddComponent(marked)
		t.p.respond(t.w, false)
		away.RemoveComponent(marked)
	case 1:
		t.p.sync(t.w)
		t.disturb()
		t.forget()
		t.p.step(t.w)
	case 2: // a step that the game breaks off
		t.p.broadphase(t.w, false)
		t.disturb()
		t.forget()
		t.p.step(t.w)
	default:
		t.p.step(t.w)
	}
	if t.r.IntN(3) == 0 {
		t.disturb()
	}
}

// state returns everything that a step changes, as text, so that NaNs are equal and zeros of
// different signs are not.
func (t *twin) state() []string {
	s := []string{fmt.Sprint(t.p.errors), fmt.Sprint(t.p.stats.Impacts, t.p.stats.bodies, t.p.stats.errors)}
	s = append(s, t.p.events()...)
	for _, e := range append(t.entries, t.tiles...) {
		line := fmt.Sprint(e.Entity(), *components.Transform.Get(e))
		if e.HasComponent(components.AngularVelocity) {
			line += fmt.Sprint(components.AngularVelocity.Get(e).Angular)
		}
		if e.HasComponent(components.Velocity) {
			line += fmt.Sprint(components.Velocity.Get(e).Linear)
		}
		s = append(s, line)
	}
	return s
}
