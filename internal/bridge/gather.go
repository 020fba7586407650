package bridge

import (
	"cmp"
	"errors"
	mathbits "math/bits"
	"slices"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/convex"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// gather copies the world into the space. See Read for the arguments.
func (b *Bridge) gather(w donburi.World, seconds float64, uninterrupted bool) {
	accessor := w.StorageAccessor()
	r := &b.registry
	b.errors, b.newErrors, b.ended = b.errors[:0], b.newErrors[:0], b.ended[:0]
	b.pruneFrictions()
	b.beginGroups()
	r.learn(w)
	r.gathers++
	if r.interrupted = r.interrupted || !uninterrupted; r.interrupted {
		r.velocities = grow.Extend(r.velocities, len(r.bodies)) // those of unchanged bodies are 0
	}
	r.moving = 0
	ready := 0
	for i := range r.tables {
		t := &r.tables[i]
		t.ents = accessor.Archetypes[t.at].Entities()
		if t.isConstant() {
			b.watchConstants(w)
		}
		ready += len(t.ents)
		if t.isConstant() {
			b.settle(w, t)
		}
		if !t.settled || len(t.fresh) > 0 {
			t.read(accessor, everything, r.direct)
		}
	}
	r.constants.all = false
	if r.accelerated {
		b.space.ListAccelerations()
	}
	b.runChunks(0, task{stepping: seconds > 0, uninterrupted: uninterrupted})
	r.informed = 0
	for _, l := range b.parallel.workers {
		r.informed += l.informed + len(l.slowRows)
	}
	b.reserve()
	for i := range b.parallel.chunks {
		c := &b.parallel.chunks[i]
		t := &r.tables[c.table]
		r.moving += c.moving
		for _, slow := range c.worker.slowRows[c.first:c.last] {
			row := int(slow)
			e := t.ents[row]
			if !e.IsReady() {
				ready--
				continue
			}
			k := b.register(e)
			if t.has&hasConstant == 0 && r.profiles.list[k.profile].has&hasConstant != 0 {
				r.constants.all = true // it has lost its Constant
			}
			k.flags &^= grouped
			if t.has&hasGroup != 0 && b.waitForLeader(c.table, row, k) {
				continue
			}
			err := b.readSlowly(t, row, k, nil, seconds)
			if err == nil && k.kind != components.Static {
				r.moving++
			}
			b.noteError(k, err)
		}
	}
	b.readGroups(w, seconds)
	if ready != r.count && !b.removeReported(r.count-ready) {
		b.removeAbsent()
	}
	b.settleConstants()
	slices.SortStableFunc(b.errors, func(x, y Error) int { return cmp.Compare(x.Entity.Id(), y.Entity.Id()) })
	b.checkHandles("gather")
}

// reserve makes room for the bodies of a scene and the surfaces of a level that are new, so that
// the lists do not grow step by step. Lists that have grown have up to a quarter of their memory
// unused.
func (b *Bridge) reserve() {
	r := &b.registry
	bodies, surfaces := -b.space.Bodies(), -b.space.Surfaces()
	for i := range b.parallel.chunks {
		switch c := &b.parallel.chunks[i]; {
		case r.tables[c.table].has&anySurface != 0:
			surfaces += c.last - c.first
		case r.tables[c.table].has&hasSphere != 0:
			bodies += c.to - c.from
		}
	}
	if bodies >= minReserved {
		b.space.ReserveBodies(bodies)
		r.bodies = slices.Grow(r.bodies, bodies)
	}
	if surfaces >= minReserved {
		b.space.ReserveSurfaces(surfaces)
		r.surfaces, r.surfaceState = slices.Grow(r.surfaces, surfaces), slices.Grow(r.surfaceState, surfaces)
		r.sources.reserve(surfaces)
	}
	if all := max(bodies, 0) + max(surfaces, 0); all >= minReserved {
		r.records = slices.Grow(r.records, all)
	}
}

// minReserved is the number of new bodies or surfaces from which room is made for all of them. For
// fewer, growing lists costs little.
const minReserved = 1 << 8

var (
	errNoTransform = &components.FieldError{
		Component: "Transform", Field: "Position", Value: "(no component)",
		Reason: "is missing: every collider needs a components.Transform",
	}
	errColliders = &components.FieldError{
		Component: "Collider", Field: "Shape", Value: "(several)",
		Reason: "is ambiguous: keep one collider on an entity",
	}
	errPolygonSensor = &components.FieldError{
		Component: "Sensor", Field: "Shape", Value: "(polygon)",
		Reason: "can't be a sensor: a polygon encloses nothing",
	}
	errMeshSensor     = shapeSensorError("(mesh)", "only what is convex can: take a box or hull, or several entities")
	errFieldSensor    = shapeSensorError("(height field)", "only what is convex can: take a box or hull")
	errCompoundSensor = shapeSensorError("(compound)", "only one convex shape can: give each part an entity")
	errDynamicSensor  = shapeSensorError("(dynamic shape)", "dynamic shapes can't: make it kinematic")
)

// shapeSensorError is the error of an entity with a Sensor and a shape that can't be one.
func shapeSensorError(shape, reason string) *components.FieldError {
	return &components.FieldError{
		Component: "Sensor", Field: "Shape", Value: shape, Reason: "can't be a sensor: " + reason,
	}
}

// readSlowly validates one entity and copies it into the space, or returns its errors. If it is a
// member of a group, leader is the group's velocity, otherwise nil.
func (b *Bridge) readSlowly(
	t *table, row int, k *record, leader *groupMotion, seconds float64,
) error {
	if t.has&hasTransform == 0 {
		return errNoTransform
	}
	if mathbits.OnesCount32(uint32(t.has&anyCollider)) > 1 {
		return errColliders
	}
	c := t.common(row)
	if leader != nil {
		c.velocity, c.turning, c.grouped = &leader.velocity, leader.turning, true
	}
	switch {
	case t.has&hasSphere != 0:
		return b.readSphere(t, row, k, &c, seconds)
	case t.bodies && c.kind() == components.Dynamic && !c.grouped:
		return b.readShapeBody(t, row, k, &c, seconds)
	}
	return b.readSurface(t, row, k, &c)
}

// common holds the components that every kind of collider may have. Missing ones have the zero
// value unless they are pointers.
type common struct {
	transform *components.TransformData
	velocity  *components.VelocityData // nil for none
	body      components.BodyData
	material  components.MaterialData
	filter    components.CollisionFilterData
	spin      *components.AngularVelocityData // nil for none
	surface   *components.SurfaceVelocityData // nil for none
	force     components.ForceData            // does nothing to what isn't dynamic
	sensor    bool
	sliding   bool
	loaded    bool           // it has a Motor that yields to load
	grouped   bool           // it is a member of a group, and velocity is the group's
	turning   solver.Turning // of the group
}

// common returns the components of a row.
func (t *table) common(row int) common {
	c := common{
		transform: get[components.TransformData](t.cols[colTransform], row),
		sensor:    t.has&hasSensor != 0,
		sliding:   t.has&hasSliding != 0,
	}
	if t.has&hasVelocity != 0 {
		c.velocity = get[components.VelocityData](t.cols[colVelocity], row)
	}
	if t.has&hasBody != 0 {
		c.body = *get[components.BodyData](t.cols[colBody], row)
	} else if c.sensor {
		c.body.Kind = components.Kinematic // gravity would take it away
	}
	if t.has&hasMaterial != 0 {
		c.material = *get[components.MaterialData](t.cols[colMaterial], row)
	}
	if t.has&hasFilter != 0 {
		c.filter = *get[components.CollisionFilterData](t.cols[colFilter], row)
	}
	if t.has&hasSpin != 0 {
		c.spin = get[components.AngularVelocityData](t.cols[colSpin], row)
		c.loaded = t.has&hasMotor != 0 && get[components.MotorData](t.cols[colMotor], row).Inertia > 0
	}
	if t.has&hasForce != 0 {
		c.force = *get[components.ForceData](t.cols[colForce], row)
	}
	if t.has&hasSurfaceVelocity != 0 {
		c.surface = get[components.SurfaceVelocityData](t.cols[colSurfaceVelocity], row)
	}
	return c
}

// surfaceVelocity returns the velocity of the surface itself, m/s, as of a conveyor belt.
func (c *common) surfaceVelocity() collide.Vec3 {
	if c.surface == nil {
		return collide.Vec3{}
	}
	return c.surface.Linear
}

// validate returns all errors of the components, joined with those of the collider.
func (c *common) validate(collider error) error {
	transform, body, material := c.transform.Validate(), c.body.Validate(), c.material.Validate()
	force := c.force.Validate()
	var velocity, spin, surface error
	if c.velocity != nil {
		velocity = c.velocity.Validate()
	}
	if c.spin != nil {
		spin = c.spin.Validate()
	}
	if c.surface != nil {
		surface = c.surface.Validate()
	}
	if transform == nil && body == nil && material == nil && velocity == nil &&
		spin == nil && surface == nil && collider == nil && force == nil {
		return nil // the common case; Join would allocate
	}
	return errors.Join(transform, velocity, spin, collider, body, material, surface, force)
}

// kind returns the kind of the body. It is static without a Velocity.
func (c *common) kind() components.BodyKind {
	switch {
	case c.velocity == nil:
		return components.Static
	case c.grouped:
		return components.Kinematic
	}
	return c.body.Kind
}

// material returns the solver's material. The error is that of friction.
func (b *Bridge) material(c *common) (solver.Material, error) {
	friction, err := b.friction(&c.material)
	layers, mask := c.filter.Effective()
	return solver.Material{
		Restitution:     c.material.Restitution + 0, // -0 is 0
		RestitutionRule: uint8(c.material.RestitutionCombine), Sliding: c.sliding,
		Sensor: c.sensor, Locked: uint8(c.body.Locked), FrictionID: friction, Layers: layers, Mask: mask,
	}, err
}

// readSphere validates an entity with a SphereCollider and copies it into the space.
func (b *Bridge) readSphere(t *table, row int, k *record, c *common, seconds float64) error {
	collider := get[components.SphereColliderData](t.cols[colSphere], row)
	if err := c.validate(collider.Validate()); err != nil {
		return err
	}
	if v := c.surfaceVelocity(); v != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "SurfaceVelocity", Field: "Linear", Value: v,
			Reason: "can't be a sphere's: give it an AngularVelocity",
		}
	}
	return b.readBody(t, k, c, collider.Radius, nil, seconds)
}

// readBody copies a body whose components are valid into the space: a sphere of the given radius,
// or a shape with that bound.
func (b *Bridge) readBody(
	t *table, k *record, c *common, radius float64, shape *convex.Shape, seconds float64,
) error {
	material, err := b.material(c)
	if err != nil {
		return err
	}
	kind := c.kind()
	state := solver.State{Position: c.transform.Position}
	inverseMass := 0.0
	if kind != components.Static {
		state.Velocity = c.velocity.Linear
	}
	var acceleration collide.Vec3
	if kind == components.Dynamic {
		inverseMass = 1
		if c.body.Mass != 0 {
			inverseMass = 1 / c.body.Mass
		}
		if c.body.LinearDamping != 0 {
			state.Velocity = state.Velocity.Scale(damping(c.body.LinearDamping, seconds))
		}
		state.Velocity = solver.Unlocked(state.Velocity, uint8(c.body.Locked))
		acceleration = b.acceleration(&c.body, c.force.Force.Scale(inverseMass))
		if isTooMuch(acceleration, seconds) {
			return b.tooMuch(c, inverseMass, seconds)
		}
	}
	if c.turning.Angular != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "KinematicGroup", Field: "Leader", Value: "(rotates)",
			Reason: "can't lead a sphere, which moves along straight paths: use a ShapeCollider with a sphere",
		}
	}
	b.enterSpace(k, false)
	r := &b.registry
	if c.velocity != nil && r.interrupted {
		r.velocities[k.handle] = c.velocity.Linear
	}
	b.space.Set(k.handle.Body(), state, radius, inverseMass, solver.Kind(kind), material)
	if shape != nil {
		b.space.SetShape(k.handle.Body(), shape)
	}
	if c.body.NeverSleep {
		b.space.KeepAwake(k.handle.Body())
	}
	k.flags &^= accelerated | adjusted | unchanged
	if acceleration != (collide.Vec3{}) {
		k.flags |= accelerated
		r.accelerated = true
		if seconds > 0 {
			b.space.Accelerate(k.handle.Body(), acceleration)
		}
	}
	k.profile = b.profile(t, c)
	if r.profiles.list[k.profile].adjusted {
		k.flags |= adjusted
	}
	if c.spin != nil && shape == nil {
		r.spins = grow.Extend(r.spins, int(k.handle)+1)
	}
	turns := c.spin != nil && shape == nil && kind != components.Static &&
		b.readSpin(k.handle.Body(), c, radius, inverseMass, seconds)
	moving := !isZero(state.Velocity) || c.velocity != nil && !isZero(c.velocity.Linear)
	if k.flags&accelerated == 0 && !moving && !turns {
		k.flags |= unchanged
	}
	k.kind, k.radius, k.mass = kind, radius, c.body.Mass
	return nil
}

// Forces returns the sum of all forces on the dynamic body of an entity in the next step, and the
// sum of their sizes: of gravity, its Force, and its damping. N.
func (b *Bridge) Forces(e *donburi.Entry, seconds float64) (sum collide.Vec3, size float64) {
	body, v := components.BodyData{}, components.Velocity.Get(e).Linear
	if e.HasComponent(components.Body) {
		body = *components.Body.Get(e)
	}
	mass := cmp.Or(body.Mass, 1)
	gravity := b.acceleration(&body, collide.Vec3{}).Scale(mass)
	damped := v.Scale(-float64(mass*DampingLoss(&body, seconds)) / seconds)
	sum, size = gravity.Add(damped), gravity.Length()+damped.Length()
	if e.HasComponent(components.Force) {
		force := components.Force.Get(e).Force
		sum, size = sum.Add(force), size+force.Length()
	}
	return sum, size
}

// DampingLoss returns the part of the velocity of a body that its LinearDamping takes in the given
// seconds.
func DampingLoss(body *components.BodyData, seconds float64) float64 {
	return 1 - damping(body.LinearDamping, seconds)
}

// acceleration returns the acceleration of a body, m/s², by gravity and by a force that alone
// accelerates it by a.
func (b *Bridge) acceleration(body *components.BodyData, a collide.Vec3) collide.Vec3 {
	switch {
	case body.Weightless:
	case body.GravityScale != 0:
		a = a.AddScaled(body.GravityScale, b.settings.Gravity)
	default:
		a = a.Add(b.settings.Gravity)
	}
	return solver.Unlocked(a, uint8(body.Locked))
}

// readSurface validates an entity with a collider other than a SphereCollider. The space is told
// only of changes.
func (b *Bridge) readSurface(t *table, row int, k *record, c *common) error {
	switch {
	case c.sensor && t.has&hasPolygon != 0:
		return errPolygonSensor
	case c.sensor && t.has&hasShape != 0:
		if err := cannotSense(get[components.ShapeColliderData](t.cols[colShape], row)); err != nil {
			return err
		}
	}
	if err := b.cannotRotate(c); err != nil {
		return err
	}
	if v := c.surfaceVelocity(); v != (collide.Vec3{}) && t.has&hasCapsule != 0 {
		return &components.FieldError{
			Component: "SurfaceVelocity", Field: "Linear", Value: v,
			Reason: "can't be a CapsuleCollider's: planes, polygons and ShapeColliders are conveyors",
		}
	}
	if t.has&hasShape != 0 {
		return b.readShapeCollider(t, row, k, c)
	}
	r := &b.registry
	points, distance, flag := t.shape(row)
	var was solver.Surface
	var made *collide.Polygon
	if k.handle.IsSurface() {
		was = r.surfaceState[k.handle.Surface()]
		of := &r.sources.list[k.handle.Surface()]
		if (of.transform.Rotation == c.transform.Rotation && !was.Turning.On || was.Turning.On && c.rotates()) &&
			slices.Equal(r.sources.pointsOf(of), points) {
			made = was.Polygon
		}
	}
	f, wrong := t.surface(row, c, made)
	if err := c.validate(wrong); err != nil {
		return err
	}
	material, err := b.material(c)
	if err != nil {
		return err
	}
	f.Material = material
	f.SurfaceVelocity = tangent(c.surfaceVelocity(), f.Plane.Normal)
	k.kind = b.readSurfaceMotion(c, &f)
	fresh := k.handle == none
	b.enterSpace(k, true)
	if fresh || was != f || k.kind == components.Kinematic {
		b.space.SetSurface(k.handle.Surface(), f)
	}
	r.surfaceState[k.handle.Surface()] = f
	r.sources.set(k.handle.Surface(), c.transform, points)
	k.flags &^= flagged
	if flag {
		k.flags |= flagged
	}
	k.profile, k.radius, k.mass = 0, distance, c.body.Mass
	if k.kind == components.Static {
		k.profile = b.profile(t, c)
	}
	return nil
}

// readSurfaceMotion copies the motion of a surface, and returns whether it is static or kinematic.
func (b *Bridge) readSurfaceMotion(c *common, f *solver.Surface) components.BodyKind {
	if c.kind() != components.Static {
		f.Kinematic = true
		f.Velocity = c.velocity.Linear
		if !c.grouped {
			f.Velocity = solver.Unlocked(f.Velocity, uint8(c.body.Locked))
		}
	}
	b.readTurning(c, f)
	if f.Velocity != (collide.Vec3{}) || f.Turning.Angular != (collide.Vec3{}) || f.Turning.Loaded {
		return components.Kinematic
	}
	return components.Static
}

// cannotSense returns the error of a shape that isn't convex, or has no inside, so that it can't be
// a sensor.
func cannotSense(d *components.ShapeColliderData) error {
	if len(d.Parts) > 0 {
		return errCompoundSensor
	}
	switch d.Shape.(type) {
	case *collide.Mesh:
		return errMeshSensor
	case *collide.HeightField:
		return errFieldSensor
	}
	return nil
}

// readShapeCollider is readSurface for an entity with a ShapeCollider.
func (b *Bridge) readShapeCollider(t *table, row int, k *record, c *common) error {
	d := get[components.ShapeColliderData](t.cols[colShape], row)
	if err := c.validate(d.Validate()); err != nil {
		return err
	}
	material, err := b.material(c)
	if err != nil {
		return err
	}
	like := solver.Surface{Material: material, SurfaceVelocity: c.surfaceVelocity()}
	k.kind = b.readSurfaceMotion(c, &like)
	if err := b.readShape(k, c, d, like); err != nil {
		return err
	}
	b.registry.sources.set(k.handle.Surface(), c.transform, nil)
	k.flags &^= flagged
	k.profile, k.radius, k.mass = 0, 0, c.body.Mass
	if k.kind == components.Static {
		k.profile = b.profile(t, c)
	}
	return nil
}

// shape returns what a surface follows from: the normal, the corners or the ends of the axis, the
// distance of a plane or the radius of a capsule in metres, and whether it is a two-sided plane or
// a one-sided polygon.
func (t *table) shape(row int) (points []collide.Vec3, size float64, flag bool) {
	switch t.has & anySurface {
	case hasPlane:
		d := get[components.PlaneColliderData](t.cols[colPlane], row)
		return unsafe.Slice(&d.Normal, 1), d.Distance, d.TwoSided
	case hasPolygon:
		d := get[components.PolygonColliderData](t.cols[colPolygon], row)
		return d.Points, 0, d.OneSided
	case hasCapsule:
		d := get[components.CapsuleColliderData](t.cols[colCapsule], row)
		return endsOf(d), d.Radius, false
	}
	panic(unknownCollider)
}

const unknownCollider = "bridge: unknown kind of collider"

// endsOf returns A and B of a capsule, which are adjacent.
func endsOf(d *components.CapsuleColliderData) []collide.Vec3 { return unsafe.Slice(&d.A, 2) }

var _ = [1]struct{}{}[unsafe.Offsetof(components.CapsuleColliderData{}.B)-unsafe.Sizeof(collide.Vec3{})]

// surface returns the surface of an entity. Building a polygon is expensive: made is the one built
// before if the entity's shape and rotation are unchanged, else nil.
func (t *table) surface(row int, c *common, made *collide.Polygon) (f solver.Surface, wrong error) {
	turned := components.TransformData{Rotation: c.transform.Rotation}
	if turned.Validate() != nil { // reported already; the shape may be valid
		turned = components.TransformData{}
	}
	if c.rotates() && t.has&hasPolygon != 0 { // it is built once, and rotated by the space
		f.Rotation, turned = turned.Rotation, components.TransformData{}
	}
	switch t.has & anySurface {
	case hasPlane:
		d := get[components.PlaneColliderData](t.cols[colPlane], row)
		if wrong = d.Validate(); wrong == nil {
			n, _ := d.Normal.Normalized()
			n, _ = turned.Rotation.Rotate(n).Normalized()
			f.Plane = collide.Plane{Normal: n, Distance: n.Dot(c.transform.Position) + d.Distance}
			f.TwoSided = d.TwoSided
		}
		return f, wrong
	case hasPolygon:
		d := get[components.PolygonColliderData](t.cols[colPolygon], row)
		f.Polygon, f.TwoSided, f.Offset = made, !d.OneSided, c.transform.Position
		if f.Polygon == nil {
			shape, err := d.Shape(turned)
			if err != nil {
				return f, err
			}
			f.Polygon = &shape
		}
		if f.Plane = f.Polygon.Plane(); c.rotates() {
			f.Plane.Normal, f.TwoSided = f.Rotation.Rotate(f.Plane.Normal), true
		}
		return f, nil
	case hasCapsule:
		d := get[components.CapsuleColliderData](t.cols[colCapsule], row)
		f.Capsule, f.Offset = d.Shape(turned), c.transform.Position
		return f, d.Validate()
	}
	panic(unknownCollider)
}
