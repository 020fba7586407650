package systems

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// gather reads the world into the space. Gravity, forces and damping act for the given seconds.
func (p *Physics) gather(w donburi.World, seconds float64) {
	if p.world == nil || p.world.Id() != w.Id() {
		settings := p.space.Settings
		p.world, p.space, p.members = w, solver.Space{Settings: settings}, members{}
	}
	m := &p.members
	m.round++
	m.newErrors, p.removed = m.newErrors[:0], p.removed[:0]
	p.errors = append(p.errors[:0], p.configErrors...)
	m.learn(w)
	accessor := w.StorageAccessor()
	for i := range m.tables {
		t := &m.tables[i]
		t.read(accessor, everything)
		for row, e := range t.ents {
			if !e.IsReady() {
				continue
			}
			k, fresh := m.find(e)
			if fresh {
				if k.entity != donburi.Null { // its number is in use again
					p.dismiss(k)
				}
				*k = member{entity: e, code: none}
			}
			k.round = m.round
			if err := p.read(t, row, k, seconds); err != nil {
				p.reject(k, err)
			} else {
				k.wrong = false
			}
		}
	}
	p.dismissAbsent()
	if len(p.errors) > len(p.configErrors) {
		p.sortErrors()
	}
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
	if bits.OnesCount16(uint16(t.has&(hasSphere|hasPlane|hasPolygon))) > 1 {
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
	return c
}

// validate reports everything that is wrong with the components that all colliders share.
func (c *common) validate(collider, force error) error {
	transform, body, response := c.transform.Validate(), c.body.Validate(), c.response.Validate()
	var velocity error
	if c.velocity != nil {
		velocity = c.velocity.Validate()
	}
	if transform == nil && body == nil && response == nil && velocity == nil && collider == nil && force == nil {
		return nil // the common case; Join would allocate
	}
	return errors.Join(transform, velocity, collider, body, response, force)
}

// kind returns what moves the entity.
func (c *common) kind() components.BodyKind {
	if c.velocity == nil {
		return components.Static
	}
	return c.body.Kind
}

func (c *common) material() solver.Material {
	return solver.Material{
		Restitution: c.response.Restitution, Rule: uint8(c.response.Combine), Slide: c.response.Mode == components.ModeSlide,
		Sensor: c.sensor, Locked: uint8(c.body.Locked), Layers: c.filter.Layers, Mask: c.filter.Mask,
	}
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
			state.Velocity = state.Velocity.Scale(1 / (1 + float64(c.body.LinearDamping*seconds)))
		}
		state.Velocity = solver.Unlocked(state.Velocity, uint8(c.body.Locked))
		pull = p.pull(&c.body, force.Force.Scale(inverseMass))
		if v := (components.VelocityData{Linear: state.Velocity.AddScaled(seconds, pull)}); v.Validate() != nil {
			return &components.FieldError{Component: "Velocity", Field: "Linear", Value: c.velocity.Linear, Reason: "goes beyond 1e9 under gravity and Force"}
		}
	}
	p.admit(k, false)
	k.kind = kind
	if c.velocity != nil {
		p.members.given[k.code] = c.velocity.Linear
	}
	p.space.Set(k.code, state, collider.Radius, inverseMass, solver.Kind(kind), c.material())
	if seconds > 0 && pull != (collide.Vec3{}) {
		p.space.Pull(k.code, pull)
	}
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

// made is what the space was last told of a surface, so that it is made anew only when something changed.
type made struct {
	surface   solver.Surface
	points    []collide.Vec3 // of a PolygonCollider
	transform components.TransformData
}

// readSurface reads an entity with a PlaneCollider or a PolygonCollider. What has not changed is left alone.
func (p *Physics) readSurface(t *table, row int, k *member, c *common) error {
	if c.sensor && t.has&hasPolygon != 0 {
		return errSensor
	}
	var was made
	if k.code != none {
		was = p.members.made[-2-k.code]
	}
	f, wrong := t.surface(row, c, &was)
	if err := c.validate(wrong, nil); err != nil {
		return err
	}
	f.Material = c.material()
	k.kind = components.Static
	if c.kind() != components.Static {
		f.Velocity = solver.Unlocked(c.velocity.Linear, uint8(c.body.Locked))
	}
	if f.Velocity != (collide.Vec3{}) {
		k.kind = components.Kinematic
	}
	fresh := k.code == none
	p.admit(k, true)
	if fresh || was.surface != f || k.kind == components.Kinematic {
		p.space.SetSurface(-2-k.code, f)
	}
	is := &p.members.made[-2-k.code]
	is.surface, is.transform = f, *c.transform
	if t.has&hasPolygon != 0 {
		is.points = append(is.points[:0], get[components.PolygonColliderData](t.cols[4], row).Points...)
	}
	return nil
}

// surface returns the shape of a plane or polygon. A polygon that was made before is used again.
func (t *table) surface(row int, c *common, was *made) (f solver.Surface, wrong error) {
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
	f.Polygon, f.TwoSided, f.Offset = was.surface.Polygon, !d.OneSided, c.transform.Position
	if f.Polygon == nil || was.transform.Rotation != c.transform.Rotation || !slices.Equal(was.points, d.Points) {
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

// scatter writes positions and velocities back, and moves what is kinematic. What the game has changed since gather stays as it is.
func (p *Physics) scatter(w donburi.World) {
	p.members.learn(w)
	accessor := w.StorageAccessor()
	for i := range p.members.tables {
		t := &p.members.tables[i]
		if t.has&(hasVelocity|hasTransform) != hasVelocity|hasTransform {
			continue
		}
		t.read(accessor, hasTransform|hasVelocity)
		for row, e := range t.ents {
			k, fresh := p.members.find(e)
			if fresh || k.code == none || k.kind == components.Static {
				continue
			}
			transform := get[components.TransformData](t.cols[0], row)
			if k.code < 0 {
				p.scatterSurface(k, transform)
				continue
			}
			velocity := get[components.VelocityData](t.cols[1], row)
			before, after := p.space.Before(k.code), p.space.State(k.code)
			if transform.Position == before {
				transform.Position = after.Position
			}
			if k.kind == components.Dynamic && velocity.Linear == p.members.given[k.code] {
				velocity.Linear = after.Velocity
			}
		}
	}
}

// scatterSurface moves a kinematic plane or polygon on.
func (p *Physics) scatterSurface(k *member, transform *components.TransformData) {
	if transform.Position == p.members.made[-2-k.code].transform.Position {
		transform.Position = transform.Position.Add(p.space.Travelled(-2 - k.code))
	}
}
