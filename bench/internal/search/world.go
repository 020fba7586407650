package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// world is a running scene.
type world struct {
	scene    *Scene
	w        donburi.World
	game     *ecs.ECS
	p        *systems.Physics
	mode     Mode
	entities map[int]donburi.Entity
	ids      map[donburi.Entity]int // also of entities that are gone
	things   map[int]*Thing         // as the game made them
	changed  map[int]bool           // within the present step
	solids   map[*Solid]turnedSolid
	pushes   map[int]float64                   // the greatest force of characters in the next step, N
	walked   map[int]components.CharacterState // of characters, when the step began
	step     int
	handled  [stages]bool // handlers that have made their changes in this step
}

// prepare makes Donburi know the set of components of t. A set that an entity first gets by a
// change can't be used by Create any more, because of a fault of Donburi: see docs/limits.md.
func (w *world) prepare(t *Thing) {
	e := w.w.Create(types(t)...)
	w.w.Remove(e)
}

// newWorld creates the entities of a scene. A twin is nil for the scene as it is.
func newWorld(s *Scene, twin *Twin) *world {
	config := s.Config
	config.Publish = systems.PublishAll
	w := &world{
		scene: s, w: donburi.NewWorld(), mode: s.Mode,
		entities: map[int]donburi.Entity{}, ids: map[donburi.Entity]int{}, walked: map[int]components.CharacterState{},
		things: map[int]*Thing{}, changed: map[int]bool{},
		solids: map[*Solid]turnedSolid{},
	}
	order := make([]int, len(s.Things))
	for k := range order {
		order[k] = k
	}
	if twin != nil {
		if twin.Workers > 0 {
			config.Workers = twin.Workers
		}
		if twin.Sleep {
			config.NoSleeping = !config.NoSleeping
		}
		if twin.Mode != nil {
			w.mode = *twin.Mode
		}
		if twin.Order != 0 {
			rand.New(rand.NewPCG(uint64(twin.Order), 1)).Shuffle(len(order), func(i, j int) {
				order[i], order[j] = order[j], order[i]
			})
		}
	}
	w.p, w.game = systems.NewPhysics(config), ecs.NewECS(w.w)
	for _, c := range s.Changes {
		if c.Thing != nil {
			w.prepare(c.Thing)
		}
	}
	for _, k := range order {
		if t := &s.Things[k]; twin == nil || twin.Without == 0 || t.ID != twin.Without {
			w.put(t.ID, t)
		}
	}
	for k := range s.Things {
		w.join(&s.Things[k])
	}
	w.p.Path(donburi.Null) // paths are recorded from now on
	systems.ContactBeginEvent.Subscribe(w.w, func(donburi.World, systems.ContactBegin) { w.handle(InContactBegin) })
	systems.ImpactEvent.Subscribe(w.w, func(donburi.World, systems.Impact) { w.handle(InImpact) })
	systems.ContactEndEvent.Subscribe(w.w, func(donburi.World, systems.ContactEnd) { w.handle(InContactEnd) })
	return w
}

// types returns the component types of a thing.
func types(t *Thing) []donburi.IComponentType {
	list := []donburi.IComponentType{components.Transform}
	add := func(has bool, c donburi.IComponentType) {
		if has {
			list = append(list, c)
		}
	}
	add(t.Velocity != nil, components.Velocity)
	add(t.Sphere != nil, components.SphereCollider)
	add(t.Plane != nil, components.PlaneCollider)
	add(t.Polygon != nil, components.PolygonCollider)
	add(t.Solid != nil || t.Mesh != nil || t.Compound != nil, components.ShapeCollider)
	add(t.Leader != 0, components.KinematicGroup)
	add(t.Walker != nil, components.CapsuleCollider)
	add(t.Walker != nil, components.CharacterController)
	add(t.Motor != nil, components.Motor)
	add(t.Body != nil, components.Body)
	add(t.Material != nil, components.Material)
	add(t.Spin != nil, components.AngularVelocity)
	add(t.Force != nil, components.Force)
	add(t.Filter != nil, components.CollisionFilter)
	add(t.Belt != nil, components.SurfaceVelocity)
	add(t.Sensor, components.Sensor)
	add(t.Sliding, components.Sliding)
	return list
}

// allTypes are the types that a thing may have besides the Transform.
var allTypes = []donburi.IComponentType{
	components.Velocity, components.SphereCollider, components.PlaneCollider, components.PolygonCollider,
	components.Body, components.Material, components.AngularVelocity, components.Force, components.CollisionFilter,
	components.SurfaceVelocity, components.Sensor, components.Sliding, components.ShapeCollider, components.Motor,
	components.KinematicGroup, components.CapsuleCollider, components.CharacterController,
}

// put makes the entity with that ID what t says, or removes it if t is nil.
func (w *world) put(id int, t *Thing) {
	w.changed[id] = true
	old, exists := w.entities[id]
	if t == nil {
		if exists {
			w.w.Remove(old)
			delete(w.entities, id)
			delete(w.things, id)
		}
		return
	}
	want := types(t)
	if !exists {
		old = w.w.Create(want...)
		w.entities[id], w.ids[old] = old, id
	}
	e := w.w.Entry(old)
	if exists {
		for _, c := range allTypes {
			wanted := slices.ContainsFunc(want, func(o donburi.IComponentType) bool { return o.Id() == c.Id() })
			switch {
			case wanted && !e.HasComponent(c):
				e.AddComponent(c)
			case !wanted && e.HasComponent(c):
				e.RemoveComponent(c)
			}
		}
	}
	w.things[id] = t
	*components.Transform.Get(e) = t.Transform
	if t.Velocity != nil {
		*components.Velocity.Get(e) = *t.Velocity
	}
	if t.Sphere != nil {
		*components.SphereCollider.Get(e) = *t.Sphere
	}
	if t.Plane != nil {
		*components.PlaneCollider.Get(e) = *t.Plane
	}
	if t.Polygon != nil {
		*components.PolygonCollider.Get(e) = components.PolygonColliderData{
			Points: slices.Clone(t.Polygon.Points), OneSided: t.Polygon.OneSided,
		}
	}
	if t.Solid != nil {
		components.ShapeCollider.SetValue(e, components.ShapeColliderData{Shape: t.Solid.shape()})
	}
	if o := t.Walker; o != nil {
		*components.CapsuleCollider.Get(e) = components.CapsuleColliderData{
			A: vec(0, -o.Half, 0), B: vec(0, o.Half, 0), Radius: o.Radius,
		}
		if !exists {
			components.CharacterController.SetValue(e, components.NewCharacterController())
		}
	}
	if t.Mesh != nil {
		components.ShapeCollider.SetValue(e, components.ShapeColliderData{Shape: t.Mesh.shape()})
	}
	if t.Compound != nil {
		components.ShapeCollider.SetValue(e, components.ShapeColliderData{Parts: compoundParts(t.Compound)})
	}
	if t.Motor != nil {
		*components.Motor.Get(e) = *t.Motor
	}
	if t.Body != nil {
		*components.Body.Get(e) = *t.Body
	}
	if t.Material != nil {
		*components.Material.Get(e) = *t.Material
	}
	if t.Spin != nil {
		*components.AngularVelocity.Get(e) = *t.Spin
	}
	if t.Force != nil {
		*components.Force.Get(e) = *t.Force
	}
	if t.Filter != nil {
		*components.CollisionFilter.Get(e) = *t.Filter
	}
	if t.Belt != nil {
		*components.SurfaceVelocity.Get(e) = *t.Belt
	}
	if t.Bad != "" {
		badFields[t.Bad](e)
	}
}

// join makes a thing a member of the group of its leader, which exists by now.
func (w *world) join(t *Thing) {
	e, exists := w.entities[t.ID]
	if leader, ok := w.entities[t.Leader]; t.Leader != 0 && exists && ok {
		components.KinematicGroup.SetValue(w.w.Entry(e), components.KinematicGroupData{Leader: leader})
	}
}

// badFields makes one field of an entity invalid, by the name that the error must have. The entity
// needs the component.
var badFields = map[string]func(*donburi.Entry){
	"Transform.Position":    func(e *donburi.Entry) { components.Transform.Get(e).Position.Y = math.NaN() },
	"Transform.Rotation":    func(e *donburi.Entry) { components.Transform.Get(e).Rotation = collide.Quat{W: 3} },
	"Velocity.Linear":       func(e *donburi.Entry) { components.Velocity.Get(e).Linear.X = math.Inf(-1) },
	"SphereCollider.Radius": func(e *donburi.Entry) { components.SphereCollider.Get(e).Radius = -1 },
	"Body.Mass":             func(e *donburi.Entry) { components.Body.Get(e).Mass = math.NaN() },
	"Body.LinearDamping":    func(e *donburi.Entry) { components.Body.Get(e).LinearDamping = -1 },
	"Body.Locked":           func(e *donburi.Entry) { components.Body.Get(e).Locked = 8 },
	"Body.Kind":             func(e *donburi.Entry) { components.Body.Get(e).Kind = 3 },
	"Body.GravityScale":     func(e *donburi.Entry) { components.Body.Get(e).GravityScale = math.Inf(1) },
	"Material.Restitution":  func(e *donburi.Entry) { components.Material.Get(e).Restitution = 1.5 },
	"Material.Friction":     func(e *donburi.Entry) { components.Material.Get(e).Friction = -0.1 },
	"Material.StaticFriction": func(e *donburi.Entry) {
		*components.Material.Get(e) = components.MaterialData{Friction: 0.5, StaticFriction: 0.25}
	},
}

// handle makes the changes of the first event of a kind in a step.
func (w *world) handle(stage Stage) {
	if !w.handled[stage] {
		w.handled[stage] = true
		w.change(stage)
	}
}

// change makes the changes of a stage.
func (w *world) change(stage Stage) {
	for k := range w.scene.Changes {
		if c := &w.scene.Changes[k]; c.Step == w.step && c.Stage == stage {
			w.put(c.ID, c.Thing)
		}
	}
}

// advance runs a step, and calls before with the world as the step reads it and after when the step
// is over, before the game handles its events.
func (w *world) advance(before, after func()) {
	w.handled = [stages]bool{}
	w.change(BeforeStep)
	w.walk()
	clear(w.changed)
	before()
	if w.mode == OneCall && !w.hasChanges(AfterBroadphase, AfterSweep) && len(w.vetoes()) == 0 {
		w.p.Step(w.w)
	} else {
		w.p.Broadphase(w.game)
		w.inspect()
		w.change(AfterBroadphase)
		for _, v := range w.vetoes() {
			if _, alive := w.entities[v[0]]; alive {
				w.p.Veto(w.entities[v[0]], w.entities[v[1]])
			}
		}
		w.p.Sweep(w.game)
		w.inspect()
		w.change(AfterSweep)
		w.p.Response(w.game)
	}
	after()
	w.change(AfterResponse)
	systems.ErrorEvent.ProcessEvents(w.w)
	systems.ContactBeginEvent.ProcessEvents(w.w)
	systems.ImpactEvent.ProcessEvents(w.w)
	systems.CrushedEvent.ProcessEvents(w.w)
	systems.ContactEndEvent.ProcessEvents(w.w)
	w.step++
}

// walk gives the characters their input: a random walk that only depends on the scene.
func (w *world) walk() {
	for _, id := range w.live() {
		o := w.things[id].Walker
		if o == nil {
			continue
		}
		r := rand.New(rand.NewPCG(w.scene.Seed, uint64(1000*id+w.step/o.Every)))
		c := components.CharacterController.Get(w.w.Entry(w.entities[id]))
		w.walked[id] = c.State
		v := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(o.Speed)
		if r.Float64() < 0.2 {
			v = collide.Vec3{}
		}
		c.DesiredVelocity, c.Mode = v, o.Mode
		c.Jump = c.Jump || r.Float64() < 0.3 && w.step%o.Every == 0
	}
}

// vetoes returns the pairs that ignore each other in this step, if both exist.
func (w *world) vetoes() (list [][2]int) {
	for _, v := range w.scene.Vetoes {
		_, first := w.entities[v.A]
		if _, second := w.entities[v.B]; v.Step == w.step && first && second && v.A != v.B {
			list = append(list, [2]int{v.A, v.B})
		}
	}
	return list
}

// hasChanges reports whether there are changes in this step at one of these stages.
func (w *world) hasChanges(list ...Stage) bool {
	return slices.ContainsFunc(w.scene.Changes, func(c Change) bool {
		return c.Step == w.step && slices.Contains(list, c.Stage)
	})
}

// inspect looks at everything that a game can look at.
func (w *world) inspect() {
	if w.mode != Inspect {
		return
	}
	for range w.p.Candidates() {
	}
	for range w.p.FirstImpacts() {
	}
	for range w.p.OverlapSphere(collide.Sphere{Radius: 2}, systems.Filter{Sensors: true}) {
	}
	w.p.RayCast(collide.Vec3{Y: 3}, collide.Vec3{X: 0.1, Y: -1}, 100, systems.Filter{})
}

// live returns the IDs of all entities, in order.
func (w *world) live() []int {
	list := make([]int, 0, len(w.entities))
	for id := range w.entities {
		list = append(list, id)
	}
	slices.Sort(list)
	return list
}

// rotation reads the rotation of a thing.
func (w *world) rotation(id int) collide.Quat {
	return components.Transform.Get(w.w.Entry(w.entities[id])).Rotation
}

// vector converts a vector.
func vector(v collide.Vec3) verify.V { return verify.V{v.X, v.Y, v.Z} }

// state reads what steps change.
func (w *world) state(id int) verify.State {
	e := w.w.Entry(w.entities[id])
	s := verify.State{Position: vector(components.Transform.Get(e).Position)}
	if leader, ok := w.entities[w.things[id].Leader]; ok {
		s.Velocity = vector(components.Velocity.Get(w.w.Entry(leader)).Linear)
	} else if e.HasComponent(components.Velocity) {
		s.Velocity = vector(components.Velocity.Get(e).Linear)
	}
	if e.HasComponent(components.AngularVelocity) {
		s.Angular = vector(components.AngularVelocity.Get(e).Angular)
	}
	return s
}

// describe returns what package verify needs to know of a thing. Its rules are those of the
// documentation of package components.
func (w *world) describe(id int) verify.Thing {
	t := w.things[id]
	v := describe(t, w.scene.Config.Gravity, w.turned)
	v.Start = w.state(id)
	v.End = v.Start
	if v.Kind == verify.Dynamic {
		v.Push = w.pushes[id]
	}
	if v.Rotates() && t.Solid != nil {
		v.Solid = w.turned(t.Solid, w.rotation(id))
	} else if v.Rotates() {
		v.Parts = t.partsAt(w.rotation(id))
	}
	return v
}

// turnedBy returns a vector rotated by a unit quaternion. Zero is no rotation.
func turnedBy(p collide.Vec3, q collide.Quat) verify.V {
	if q == (collide.Quat{}) {
		return vector(p)
	}
	return vector(p).Turn(verify.V{q.X, q.Y, q.Z}, q.W)
}

// turnedSolid is a solid at a rotation.
type turnedSolid struct {
	rotation collide.Quat
	solid    *verify.Solid
}

// turned is Solid.turned, which keeps the last result: most solids don't turn.
func (w *world) turned(o *Solid, q collide.Quat) *verify.Solid {
	last, ok := w.solids[o]
	if !ok || last.rotation != q {
		last = turnedSolid{q, o.turned(q)}
		w.solids[o] = last
	}
	return last.solid
}

// describe is the part of world.describe that doesn't need a world. solid is Solid.turned.
func describe(t *Thing, gravity collide.Vec3, solid func(*Solid, collide.Quat) *verify.Solid) verify.Thing {
	v := verify.Thing{ID: t.ID, Mass: 1, Sensor: t.Sensor, Sliding: t.Sliding}
	body := components.BodyData{}
	if t.Body != nil {
		body = *t.Body
	}
	v.Kind = verify.Kind(body.Kind)
	if t.Velocity == nil {
		v.Kind = verify.Static
	} else if t.Solid != nil && t.Body == nil {
		v.Kind = verify.Kinematic
	}
	turned := func(p collide.Vec3) verify.V { return turnedBy(p, t.Transform.Rotation) }
	switch {
	case t.Sphere != nil:
		v.Shape, v.Radius = verify.Sphere, t.Sphere.Radius
	case t.Plane != nil:
		v.Shape, v.Normal, v.Distance = verify.Plane, turned(t.Plane.Normal).Unit(), t.Plane.Distance
		v.OneSided = !t.Plane.TwoSided
	case t.Walker != nil:
		o := Solid{Half: vec(0, t.Walker.Half, 0), Radius: t.Walker.Radius}
		describeSolid(&v, o.turned(collide.Quat{}))
		v.Kind, v.Character = verify.Kinematic, true
	case t.Mesh != nil || t.Compound != nil:
		v.Shape, v.Parts = verify.Parts, t.partsAt(t.Transform.Rotation)
		v.Closed = t.Mesh != nil && t.Mesh.Closed
	case t.Solid != nil:
		describeSolid(&v, solid(t.Solid, t.Transform.Rotation))
	case t.Polygon != nil:
		v.Shape, v.OneSided = verify.Polygon, t.Polygon.OneSided
		for _, p := range t.Polygon.Points {
			v.Corners = append(v.Corners, turned(p))
		}
	}
	if t.Leader != 0 {
		v.Kind, v.Group = verify.Kinematic, t.Leader
	}
	if v.Shape != verify.Sphere && v.Shape != verify.Convex && v.Kind == verify.Dynamic {
		v.Kind = verify.Kinematic
	}
	turns := t.Spin != nil && v.Kind == verify.Kinematic && (v.Shape == verify.Convex || v.Shape == verify.Parts)
	if turns {
		describeRotation(&v, t)
	}
	if body.Mass != 0 {
		v.Mass = body.Mass
	}
	v.Locked, v.Damping = uint8(body.Locked), body.LinearDamping
	if !body.Weightless && v.Kind == verify.Dynamic {
		scale := body.GravityScale
		if scale == 0 {
			scale = 1
		}
		v.Acceleration = vector(gravity).Scale(scale)
	}
	if t.Force != nil && v.Kind == verify.Dynamic {
		v.Acceleration = v.Acceleration.Add(vector(t.Force.Force).Scale(1 / v.Mass))
	}
	for k := range v.Acceleration {
		if v.Locked>>k&1 != 0 {
			v.Acceleration[k] = 0
		}
	}
	if t.Spin != nil && v.Shape == verify.Sphere {
		v.Inertia, v.AngularDamping = t.Spin.Inertia, t.Spin.Damping
		if v.Inertia == 0 {
			v.Inertia = 0.4 * v.Mass * v.Radius * v.Radius
		}
	}
	if m := t.Material; m != nil {
		v.Restitution, v.Friction, v.StaticFriction = m.Restitution, m.Friction, m.StaticFriction
		v.Resistance = max(m.RollingResistance, m.SpinningResistance)
		v.RestitutionRule, v.FrictionRule = verify.Rule(m.RestitutionCombine), verify.Rule(m.FrictionCombine)
	}
	filter := components.CollisionFilterData{}
	if t.Filter != nil {
		filter = *t.Filter
	}
	v.Layers, v.Mask = filter.Effective()
	if t.Belt != nil {
		v.Belt = vector(t.Belt.Linear)
	}
	return v
}
