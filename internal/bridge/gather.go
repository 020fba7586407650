package bridge

import (
	"cmp"
	"errors"
	mathbits "math/bits"
	"slices"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// gather copies the world into the space. See Read for the arguments.
func (b *Bridge) gather(w donburi.World, seconds float64, uninterrupted bool) {
	accessor := w.StorageAccessor()
	r := &b.registry
	b.errors, b.newErrors, b.ended = b.errors[:0], b.newErrors[:0], b.ended[:0]
	b.pruneFrictions()
	r.learn(w)
	r.moving = 0
	ready := 0
	for i := range r.tables {
		r.tables[i].read(accessor, everything, r.direct)
		ready += len(r.tables[i].ents)
	}
	b.runChunks(0, task{stepping: seconds > 0, uninterrupted: uninterrupted})
	r.informed = 0
	for _, l := range b.parallel.workers {
		r.informed += l.informed + len(l.slowRows)
	}
	for i := range b.parallel.chunks {
		c := &b.parallel.chunks[i]
		t := &r.tables[c.table]
		r.moving += c.moving
		for _, row := range c.worker.slowRows[c.first:c.last] {
			e := t.ents[row]
			if !e.IsReady() {
				ready--
				continue
			}
			k := b.register(e)
			if err := b.readSlowly(t, row, k, seconds); err != nil {
				b.reject(k, err)
			} else {
				k.flags &^= rejected
				if k.kind != components.Static {
					r.moving++
				}
			}
		}
	}
	if ready != r.count {
		b.removeAbsent()
	}
	slices.SortStableFunc(b.errors, func(x, y Error) int { return cmp.Compare(x.Entity.Id(), y.Entity.Id()) })
	b.checkHandles("gather")
}

var (
	errNoTransform = &components.FieldError{
		Component: "Transform", Field: "Position", Value: "(no component)",
		Reason: "is missing: every collider needs a components.Transform",
	}
	errColliders = &components.FieldError{
		Component: "Collider", Field: "Shape", Value: "(several)",
		Reason: "is ambiguous: keep one collider on an entity",
	}
	errSensor = &components.FieldError{
		Component: "Sensor", Field: "Shape", Value: "(polygon)",
		Reason: "can't be a sensor: a polygon encloses nothing",
	}
)

// readSlowly validates one entity and copies it into the space, or returns its errors.
func (b *Bridge) readSlowly(t *table, row int, k *record, seconds float64) error {
	if t.has&hasTransform == 0 {
		return errNoTransform
	}
	if mathbits.OnesCount16(uint16(t.has&(hasSphere|hasPlane|hasPolygon))) > 1 {
		return errColliders
	}
	c := t.common(row)
	if t.has&hasSphere != 0 {
		return b.readSphere(t, row, k, &c, seconds)
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
	sensor    bool
	sliding   bool
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
	}
	if t.has&hasMaterial != 0 {
		c.material = *get[components.MaterialData](t.cols[colMaterial], row)
	}
	if t.has&hasFilter != 0 {
		c.filter = *get[components.CollisionFilterData](t.cols[colFilter], row)
	}
	if t.has&hasSpin != 0 {
		c.spin = get[components.AngularVelocityData](t.cols[colSpin], row)
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

// validate returns all errors of the components, joined with those of the collider and the force.
func (c *common) validate(collider, force error) error {
	transform, body, material := c.transform.Validate(), c.body.Validate(), c.material.Validate()
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
	if c.velocity == nil {
		return components.Static
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
	var force components.ForceData
	if t.has&hasForce != 0 {
		force = *get[components.ForceData](t.cols[colForce], row)
	}
	if err := c.validate(collider.Validate(), force.Validate()); err != nil {
		return err
	}
	if v := c.surfaceVelocity(); v != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "SurfaceVelocity", Field: "Linear", Value: v,
			Reason: "can't be a sphere's: give it an AngularVelocity",
		}
	}
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
		acceleration = b.acceleration(&c.body, force.Force.Scale(inverseMass))
		after := components.VelocityData{Linear: state.Velocity.AddScaled(seconds, acceleration)}
		if after.Validate() != nil {
			return &components.FieldError{
				Component: "Velocity", Field: "Linear", Value: c.velocity.Linear,
				Reason: "goes beyond 1e9 under gravity and Force",
			}
		}
	}
	b.enterSpace(k, false)
	r := &b.registry
	if c.velocity != nil {
		r.velocities[k.handle] = c.velocity.Linear
	}
	b.space.Set(k.handle.Body(), state, collider.Radius, inverseMass, solver.Kind(kind), material)
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
	turns := c.spin != nil && kind != components.Static &&
		b.readSpin(k.handle.Body(), c, collider.Radius, inverseMass, seconds)
	moving := !isZero(state.Velocity) || c.velocity != nil && !isZero(c.velocity.Linear)
	if k.flags&accelerated == 0 && !moving && !turns {
		k.flags |= unchanged
	}
	k.kind, k.radius, k.mass, r.positions[k.entity.Id()] = kind, collider.Radius, c.body.Mass, c.transform.Position
	return nil
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

// readSurface validates an entity with a PlaneCollider or a PolygonCollider. The space is told only
// of changes.
func (b *Bridge) readSurface(t *table, row int, k *record, c *common) error {
	if c.sensor && t.has&hasPolygon != 0 {
		return errSensor
	}
	if c.spin != nil && c.spin.Angular != (collide.Vec3{}) {
		return &components.FieldError{
			Component: "AngularVelocity", Field: "Angular", Value: c.spin.Angular,
			Reason: "can't be a plane's or polygon's: only spheres turn",
		}
	}
	r := &b.registry
	points, distance, flag := t.shape(row)
	var was solver.Surface
	var made *collide.Polygon
	if k.handle.IsSurface() {
		was = r.surfaceState[k.handle.Surface()]
		of := &r.sources.list[k.handle.Surface()]
		if of.transform.Rotation == c.transform.Rotation && slices.Equal(r.sources.pointsOf(of), points) {
			made = was.Polygon
		}
	}
	f, wrong := t.surface(row, c, made)
	if err := c.validate(wrong, nil); err != nil {
		return err
	}
	material, err := b.material(c)
	if err != nil {
		return err
	}
	f.Material = material
	f.SurfaceVelocity = tangent(c.surfaceVelocity(), f.Plane.Normal)
	k.kind = components.Static
	if c.kind() != components.Static {
		f.Velocity = solver.Unlocked(c.velocity.Linear, uint8(c.body.Locked))
	}
	if f.Velocity != (collide.Vec3{}) {
		k.kind = components.Kinematic
	}
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

// shape returns what the shape of a plane or polygon follows from: the normal or the corners, the
// distance of a plane in metres, and whether it is a two-sided plane or a one-sided polygon.
func (t *table) shape(row int) (points []collide.Vec3, distance float64, flag bool) {
	if t.has&hasPlane != 0 {
		d := get[components.PlaneColliderData](t.cols[colPlane], row)
		return unsafe.Slice(&d.Normal, 1), d.Distance, d.TwoSided
	}
	d := get[components.PolygonColliderData](t.cols[colPolygon], row)
	return d.Points, 0, d.OneSided
}

// surface returns the surface of a plane or polygon. Building a polygon is expensive: made is the
// one built before if the entity's shape and rotation are unchanged, else nil.
func (t *table) surface(row int, c *common, made *collide.Polygon) (f solver.Surface, wrong error) {
	if t.has&hasPlane != 0 {
		d := get[components.PlaneColliderData](t.cols[colPlane], row)
		if wrong = d.Validate(); wrong == nil {
			n, _ := d.Normal.Normalized()
			n, _ = c.transform.Rotation.Rotate(n).Normalized()
			f.Plane = collide.Plane{Normal: n, Distance: n.Dot(c.transform.Position) + d.Distance}
			f.TwoSided = d.TwoSided
		}
		return f, wrong
	}
	d := get[components.PolygonColliderData](t.cols[colPolygon], row)
	f.Polygon, f.TwoSided, f.Offset = made, !d.OneSided, c.transform.Position
	if f.Polygon == nil {
		turned := components.TransformData{Rotation: c.transform.Rotation}
		if turned.Validate() != nil { // reported already; the corners may be valid
			turned = components.TransformData{}
		}
		shape, err := d.Shape(turned)
		if err != nil {
			return f, err
		}
		f.Polygon = &shape
	}
	f.Plane = f.Polygon.Plane()
	return f, nil
}
