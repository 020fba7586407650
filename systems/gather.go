package systems

import (
	"errors"
	mathbits "math/bits"
	"slices"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// gather reads the world into the space. Gravity, forces and damping act for the given seconds. Where no game code runs before scatter,
// the step is unbroken, and less has to be remembered.
func (p *Physics) gather(w donburi.World, seconds float64, unbroken bool) {
	accessor := w.StorageAccessor()
	if p.world == nil || p.world.Id() != w.Id() {
		settings := p.space.Settings
		p.world, p.space = w, solver.Space{Settings: settings}
		p.members = members{direct: isKnown(accessor.Components.Storage(components.Transform))}
		p.forgetStyles()
	}
	m := &p.members
	m.newErrors, p.removed = m.newErrors[:0], p.removed[:0]
	p.errors = append(p.errors[:0], p.configErrors...)
	p.tidyGrips()
	m.learn(w)
	m.moving = 0
	ready := 0
	for i := range m.tables {
		m.tables[i].read(accessor, everything, m.direct)
		ready += len(m.tables[i].ents)
	}
	p.share(0, task{stepping: seconds > 0, unbroken: unbroken})
	m.told = 0
	for _, l := range p.lanes.all {
		m.told += l.told + len(l.odd)
	}
	for i := range p.lanes.pieces {
		c := &p.lanes.pieces[i]
		t := &m.tables[c.table]
		m.moving += c.moving
		for _, row := range c.lane.odd[c.first:c.last] {
			e := t.ents[row]
			if !e.IsReady() {
				ready--
				continue
			}
			k := p.enlist(e)
			if err := p.read(t, row, k, seconds); err != nil {
				p.reject(k, err)
			} else {
				k.marks &^= wrong
				if k.kind != components.Static {
					m.moving++
				}
			}
		}
	}
	if ready != m.count {
		p.dismissAbsent()
	}
	if len(p.errors) > len(p.configErrors) {
		p.sortErrors()
	}
}

// enlist returns the member that an entity is from now on.
func (p *Physics) enlist(e donburi.Entity) *member {
	m := &p.members
	id := int(e.Id())
	m.list, m.places = extend(m.list, id), extend(m.places, id)
	k := &m.list[id]
	if k.entity != e {
		if k.entity != donburi.Null { // its number is in use again
			p.dismiss(k)
		} else {
			m.count++
		}
		*k = member{entity: e, code: none}
	}
	return k
}

var (
	errNoTransform = &components.FieldError{Component: "Transform", Field: "Position", Value: "(no component)", Reason: "is missing: every collider needs a components.Transform"}
	errColliders   = &components.FieldError{Component: "Collider", Field: "Shape", Value: "(several)", Reason: "is ambiguous: keep one collider on an entity"}
	errSensor      = &components.FieldError{Component: "Sensor", Field: "Shape", Value: "(polygon)", Reason: "can't be a sensor: a polygon encloses nothing"}
)

// read reads one entity into the space, or says what is wrong with it.
func (p *Physics) read(t *table, row int, k *member, seconds float64) error {
	if t.has&hasTransform == 0 {
		return errNoTransform
	}
	if mathbits.OnesCount16(uint16(t.has&(hasSphere|hasPlane|hasPolygon))) > 1 {
		return errColliders
	}
	c := t.common(row)
	if t.has&hasSphere != 0 {
		return p.readSphere(t, row, k, &c, seconds)
	}
	return p.readSurface(t, row, k, &c)
}

// common is what entities with every kind of collider may have. Missing components have their defaults.
type common struct {
	transform *components.TransformData
	velocity  *components.VelocityData // nil for none
	body      components.BodyData
	response  components.ResponseData
	filter    components.CollisionFilterData
	friction  components.FrictionData
	spin      *components.AngularVelocityData // nil for none
	surface   *components.SurfaceVelocityData // nil for none
	sensor    bool
}

func (t *table) common(row int) common {
	c := common{transform: get[components.TransformData](t.cols[0], row), filter: components.DefaultFilter, sensor: t.has&hasSensor != 0}
	if t.has&hasVelocity != 0 {
		c.velocity = get[components.VelocityData](t.cols[1], row)
	}
	if t.has&hasBody != 0 {
		c.body = *get[components.BodyData](t.cols[5], row)
	}
	if t.has&hasResponse != 0 {
		c.response = *get[components.ResponseData](t.cols[6], row)
	}
	if t.has&hasFilter != 0 {
		c.filter = *get[components.CollisionFilterData](t.cols[7], row)
	}
	if t.has&hasFriction != 0 {
		c.friction = *get[components.FrictionData](t.cols[10], row)
	}
	if t.has&hasSpin != 0 {
		c.spin = get[components.AngularVelocityData](t.cols[11], row)
	}
	if t.has&hasBelt != 0 {
		c.surface = get[components.SurfaceVelocityData](t.cols[12], row)
	}
	return c
}

// belt returns how fast the surface runs.
func (c *common) belt() collide.Vec3 {
	if c.surface == nil {
		return collide.Vec3{}
	}
	return c.surface.Linear
}

// validate reports everything that is wrong with the components that all colliders share.
func (c *common) validate(collider, force error) error {
	transform, body, response, friction := c.transform.Validate(), c.body.Validate(), c.response.Validate(), c.friction.Validate()
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
	if transform == nil && body == nil && response == nil && friction == nil && velocity == nil && spin == nil && surface == nil && collider == nil && force == nil {
		return nil // the common case; Join would allocate
	}
	return errors.Join(transform, velocity, spin, collider, body, response, friction, surface, force)
}

// kind returns what moves the entity.
func (c *common) kind() components.BodyKind {
	if c.velocity == nil {
		return components.Static
	}
	return c.body.Kind
}

func (p *Physics) material(c *common) (solver.Material, error) {
	grip, err := p.grip(&c.friction)
	return solver.Material{
		Restitution: c.response.Restitution + 0, // -0 is 0
		Rule:        uint8(c.response.Combine), Slide: c.response.Mode == components.ModeSlide,
		Sensor: c.sensor, Locked: uint8(c.body.Locked), Friction: grip, Layers: c.filter.Layers, Mask: c.filter.Mask,
	}, err
}

// readSphere reads an entity with a SphereCollider.
func (p *Physics) readSphere(t *table, row int, k *member, c *common, seconds float64) error {
	collider := get[components.SphereColliderData](t.cols[2], row)
	var force components.ForceData
	if t.has&hasForce != 0 {
		force = *get[components.ForceData](t.cols[8], row)
	}
	if err := c.validate(collider.Validate(), force.Validate()); err != nil {
		return err
	}
	if v := c.belt(); v != (collide.Vec3{}) {
		return &components.FieldError{Component: "SurfaceVelocity", Field: "Linear", Value: v, Reason: "can't be a sphere's: give it an AngularVelocity"}
	}
	material, err := p.material(c)
	if err != nil {
		return err
	}
	kind := c.kind()
	state := solver.State{Position: c.transform.Position}
	inverseMass := 0.0
	if kind != components.Static {
		state.Velocity = c.velocity.Linear
	}
	var pull collide.Vec3
	if kind == components.Dynamic {
		inverseMass = 1
		if c.body.Mass != 0 {
			inverseMass = 1 / c.body.Mass
		}
		if c.body.LinearDamping != 0 {
			state.Velocity = state.Velocity.Scale(damping(c.body.LinearDamping, seconds))
		}
		state.Velocity = solver.Unlocked(state.Velocity, uint8(c.body.Locked))
		pull = p.pull(&c.body, force.Force.Scale(inverseMass))
		if v := (components.VelocityData{Linear: state.Velocity.AddScaled(seconds, pull)}); v.Validate() != nil {
			return &components.FieldError{Component: "Velocity", Field: "Linear", Value: c.velocity.Linear, Reason: "goes beyond 1e9 under gravity and Force"}
		}
	}
	p.admit(k, false)
	m := &p.members
	if c.velocity != nil {
		m.given[k.code] = c.velocity.Linear
	}
	p.space.Set(k.code, state, collider.Radius, inverseMass, solver.Kind(kind), material)
	if c.body.NeverSleep {
		p.space.KeepAwake(k.code)
	}
	k.marks &^= pulled | bends | still
	if pull != (collide.Vec3{}) {
		k.marks |= pulled
		m.pulled = true
		if seconds > 0 {
			p.space.Pull(k.code, pull)
		}
	}
	k.style = p.style(t, c)
	if m.styles.list[k.style].bends {
		k.marks |= bends
	}
	turns := c.spin != nil && kind != components.Static && p.readSpin(k.code, c, collider.Radius, inverseMass, seconds)
	if k.marks&pulled == 0 && isZero(state.Velocity) && (c.velocity == nil || isZero(c.velocity.Linear)) && !turns {
		k.marks |= still
	}
	k.kind, k.radius, k.mass, m.places[k.entity.Id()] = kind, collider.Radius, c.body.Mass, c.transform.Position
	return nil
}

// pull returns the acceleration of a body: gravity, and what a force adds.
func (p *Physics) pull(b *components.BodyData, a collide.Vec3) collide.Vec3 {
	switch {
	case b.Weightless:
	case b.GravityScale != 0:
		a = a.AddScaled(b.GravityScale, p.config.Gravity)
	default:
		a = a.Add(p.config.Gravity)
	}
	return solver.Unlocked(a, uint8(b.Locked))
}

// readSurface reads an entity with a PlaneCollider or a PolygonCollider. What has not changed is left alone.
func (p *Physics) readSurface(t *table, row int, k *member, c *common) error {
	if c.sensor && t.has&hasPolygon != 0 {
		return errSensor
	}
	if c.spin != nil && c.spin.Angular != (collide.Vec3{}) {
		return &components.FieldError{Component: "AngularVelocity", Field: "Angular", Value: c.spin.Angular, Reason: "can't be a plane's or polygon's: only spheres turn"}
	}
	m := &p.members
	points, distance, flag := t.shape(row)
	var was solver.Surface
	var made *collide.Polygon
	if k.code < none {
		was = m.made[-2-k.code]
		if of := &m.forms.list[-2-k.code]; of.transform.Rotation == c.transform.Rotation && slices.Equal(m.forms.points(of), points) {
			made = was.Polygon
		}
	}
	f, wrong := t.surface(row, c, made)
	if err := c.validate(wrong, nil); err != nil {
		return err
	}
	material, err := p.material(c)
	if err != nil {
		return err
	}
	f.Material = material
	f.Belt = along(c.belt(), f.Plane.Normal)
	k.kind = components.Static
	if c.kind() != components.Static {
		f.Velocity = solver.Unlocked(c.velocity.Linear, uint8(c.body.Locked))
	}
	if f.Velocity != (collide.Vec3{}) {
		k.kind = components.Kinematic
	}
	fresh := k.code == none
	p.admit(k, true)
	if fresh || was != f || k.kind == components.Kinematic {
		p.space.SetSurface(-2-k.code, f)
	}
	m.made[-2-k.code] = f
	m.forms.keep(-2-k.code, c.transform, points)
	k.marks &^= flagged
	if flag {
		k.marks |= flagged
	}
	k.style, k.radius, k.mass = 0, distance, c.body.Mass
	if k.kind == components.Static {
		k.style = p.style(t, c)
	}
	return nil
}

// shape returns what decides the shape of a plane or polygon: its normal or corners, its distance, and whether it is two-sided or one-sided.
func (t *table) shape(row int) (points []collide.Vec3, distance float64, flag bool) {
	if t.has&hasPlane != 0 {
		d := get[components.PlaneColliderData](t.cols[3], row)
		return unsafe.Slice(&d.Normal, 1), d.Distance, d.TwoSided
	}
	d := get[components.PolygonColliderData](t.cols[4], row)
	return d.Points, 0, d.OneSided
}

// surface returns the shape of a plane or polygon. Where that polygon has been made before, it is given.
func (t *table) surface(row int, c *common, made *collide.Polygon) (f solver.Surface, wrong error) {
	if t.has&hasPlane != 0 {
		d := get[components.PlaneColliderData](t.cols[3], row)
		if wrong = d.Validate(); wrong == nil {
			n, _ := d.Normal.Normalized()
			n, _ = c.transform.Rotation.Rotate(n).Normalized()
			f.Plane = collide.Plane{Normal: n, Distance: n.Dot(c.transform.Position) + d.Distance}
			f.TwoSided = d.TwoSided
		}
		return f, wrong
	}
	d := get[components.PolygonColliderData](t.cols[4], row)
	f.Polygon, f.TwoSided, f.Offset = made, !d.OneSided, c.transform.Position
	if f.Polygon == nil {
		turned := components.TransformData{Rotation: c.transform.Rotation}
		if turned.Validate() != nil { // then that is what is wrong, and not the corners
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

// scatter writes positions and velocities back, and moves what is kinematic. What the game has changed since gather stays as it is; in an
// unbroken step it can't have changed anything.
func (p *Physics) scatter(w donburi.World, unbroken bool) {
	m := &p.members
	if unbroken && m.told == 0 && p.space.IsIdle() {
		return // all was still when the step began, and is
	}
	m.learn(w)
	accessor := w.StorageAccessor()
	for i := range m.tables {
		if t := &m.tables[i]; t.has&moves == moves {
			t.read(accessor, hasTransform|hasVelocity|hasSpin, m.direct)
		}
	}
	p.share(moves, task{write: true, unbroken: unbroken})
	visited := 0
	for i := range p.lanes.pieces {
		visited += p.lanes.pieces[i].moving
	}
	p.space.Stopped(func(id int32) {
		if k := m.find(m.bodies[id]); k != nil {
			k.style = 0
			m.round++
		}
	})
	if visited < m.moving { // some are where they can't be written back, and have moved all the same
		for i := range m.list {
			m.list[i].marks &^= still
		}
		p.lanes.lost.Store(true)
	}
	if p.lanes.lost.Swap(false) {
		m.round++
	}
}

// writeBack is scatter for some rows of a table. It returns how many of them may have moved.
func (p *Physics) writeBack(t *table, first, last int, what task) (visited int) {
	var room scratch
	next := block{scratch: &room}
	for from := first; from < last; from += blockRows {
		to := min(from+blockRows, last)
		g := p.page(t, from)
		if what.unbroken && g != nil && g.flies {
			visited += to - from
			p.writeFlown(t, from, to, last, g)
			continue
		}
		if g != nil && g.rests && (what.unbroken || g.recalls(t.ents[from:to], p.members.round)) && p.space.AreUntouched(g.ids[:to-from]) {
			visited += to - from
			continue
		}
		if what.ahead && to < last {
			p.recognise(t, &next, to, min(to+blockRows, last))
			p.send(t, &next, moves)
		}
		visited += p.writeRows(t, from, to, what.unbroken)
	}
	return visited
}

// writeRows is writeBack row by row.
func (p *Physics) writeRows(t *table, from, to int, unbroken bool) (visited int) {
	m := &p.members
	transforms, velocities := t.cols[0][from:to], t.cols[1][from:to]
	for row, e := range t.ents[from:to] {
		k := m.find(e)
		if k == nil || k.code == none || k.kind == components.Static {
			continue
		}
		visited++
		if k.code < 0 {
			p.scatterSurface(k, get[components.TransformData](transforms, row))
			continue
		}
		if k.marks&still != 0 && p.space.IsUntouched(k.code) {
			continue
		}
		transform, velocity := get[components.TransformData](transforms, row), get[components.VelocityData](velocities, row)
		x, v := p.space.Motion(k.code)
		if k.marks&still != 0 {
			if same(x, m.places[e.Id()]) && isZero(v) && (k.marks&pulled == 0 || p.space.Asleep(k.code)) {
				continue
			}
			k.marks &^= still
			p.forget(t, from+row, unbroken)
		}
		if unbroken || same(transform.Position, m.places[e.Id()]) {
			transform.Position = x
		}
		if k.kind == components.Dynamic && (unbroken || same(velocity.Linear, m.given[k.code])) {
			velocity.Linear = v
		}
		if isZero(v) && p.noteStill(k, x) {
			p.forget(t, from+row, unbroken)
		}
	}
	return visited
}

// noteStill notes of a body that has come to rest at x whether it will stay there, and says so. Then no page is to say any more that it is on the move.
//
//go:noinline
func (p *Physics) noteStill(k *member, x collide.Vec3) bool {
	if !(k.marks&pulled == 0 && p.space.IsStill(k.code) || p.space.Asleep(k.code)) {
		return false
	}
	k.marks |= still
	p.members.places[k.entity.Id()], p.members.given[k.code] = x, collide.Vec3{}
	return true
}

// scatterSurface moves a kinematic plane or polygon on.
func (p *Physics) scatterSurface(k *member, transform *components.TransformData) {
	if transform.Position == p.members.forms.list[-2-k.code].transform.Position {
		transform.Position = transform.Position.Add(p.space.Travelled(-2 - k.code))
	}
}
