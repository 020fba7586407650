package search

import (
	"math"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// Solid is a convex shape that a ShapeCollider gets: a hull of points, or a box if there are none,
// or a capsule or cylinder along Y if it has a Radius. Cylinders are for bodies only.
type Solid struct {
	Half     collide.Vec3   // half of the sides of a box; of a capsule or cylinder Y is half of the length of its axis
	Radius   float64        `json:",omitempty"`
	Cylinder bool           `json:",omitempty"`
	Points   []collide.Vec3 `json:",omitempty"`
}

// shape returns the shape for a ShapeCollider, or nil if it is none.
func (o *Solid) shape() collide.Shape {
	switch {
	case len(o.Points) > 0:
		hull, err := collide.NewHull(o.Points)
		if err != nil {
			return nil
		}
		return hull
	case o.Cylinder:
		return collide.Cylinder{A: vec(0, -o.Half.Y, 0), B: vec(0, o.Half.Y, 0), Radius: o.Radius}
	case o.Radius > 0:
		return collide.Capsule{A: vec(0, -o.Half.Y, 0), B: vec(0, o.Half.Y, 0), Radius: o.Radius}
	}
	return collide.Box{Half: o.Half}
}

// points returns the corners of a solid, or the ends of the axis of a capsule.
func (o *Solid) points() []collide.Vec3 {
	switch h := o.Half; {
	case len(o.Points) > 0:
		return o.Points
	case o.Radius > 0:
		return []collide.Vec3{{Y: -h.Y}, {Y: h.Y}}
	default:
		return []collide.Vec3{
			h, h.Neg(), vec(-h.X, h.Y, h.Z), vec(h.X, -h.Y, h.Z), vec(h.X, h.Y, -h.Z),
			vec(h.X, -h.Y, -h.Z), vec(-h.X, h.Y, -h.Z), vec(-h.X, -h.Y, h.Z),
		}
	}
}

// turned returns a solid as package verify knows it, at a rotation. A body that is a cylinder is a
// prism, whose sides depend on the direction of the axis.
func (o *Solid) turned(q collide.Quat) *verify.Solid {
	var list []verify.V
	if o.Cylinder {
		half := vec(0, o.Half.Y, 0)
		if q != (collide.Quat{}) {
			half = q.Rotate(half)
		}
		prism, err := collide.Cylinder{A: half.Neg(), B: half, Radius: o.Radius}.Prism(16)
		if err != nil {
			panic(err)
		}
		for k := range prism.Len() {
			list = append(list, vector(prism.Corner(k)))
		}
		return verify.NewSolid(list, 0)
	}
	for _, p := range o.points() {
		v := vector(p)
		if q != (collide.Quat{}) {
			v = v.Turn(verify.V{q.X, q.Y, q.Z}, q.W)
		}
		list = append(list, v)
	}
	return verify.NewSolid(list, o.Radius)
}

// describeSolid is describe for a thing with a solid.
func describeSolid(v *verify.Thing, o *verify.Solid) {
	v.Shape, v.Solid = verify.Convex, o
	v.Radius = v.Solid.HalfWidth()
}

// describeRotation is describe for a thing that rotates.
func describeRotation(v *verify.Thing, t *Thing) {
	v.Turns = t.Spin.Angular.Length()
	if m := t.Motor; m != nil {
		v.Turns = max(v.Turns, m.Speed, m.ReturnSpeed)
		v.Yields, v.Inertia, v.Torque = m.Inertia > 0, m.Inertia, m.MaxTorque
		v.MotorSpeed = max(m.Speed, m.ReturnSpeed)
	}
	v.Swing = v.Reach() + t.Spin.Pivot.Length()
}

// solid returns a dynamic thing with a convex shape.
func solid(at, velocity collide.Vec3, o Solid) Thing {
	t := ball(at, velocity, 0)
	t.Sphere, t.Solid = nil, &o
	return t
}

// hull returns a hull of random points around the origin.
func (b *builder) hull(size float64) Solid {
	for {
		o := Solid{}
		for range 5 + b.IntN(6) {
			o.Points = append(o.Points, b.direction().Scale(size*b.between(0.5, 1)))
		}
		if o.shape() != nil && o.turned(collide.Quat{}).HalfWidth() > size*0.2 {
			return o
		}
	}
}

// anySolid returns a random convex shape.
func (b *builder) anySolid(size float64) Solid {
	switch b.IntN(5) {
	case 0:
		return b.hull(size)
	case 1:
		return Solid{Half: vec(0, size*b.between(0.1, 0.8), 0), Radius: size * b.between(0.2, 0.5)}
	case 2:
		return Solid{Half: vec(size, size, size)}
	}
	return Solid{Half: vec(size*b.decades(0.1, 1), size*b.decades(0.1, 1), size*b.decades(0.1, 1))}
}

// anyBody returns a random convex shape for a body.
func (b *builder) anyBody(size float64) Solid {
	if b.chance(0.15) {
		return Solid{Half: vec(0, size*b.between(0.1, 0.8), 0), Radius: size * b.between(0.2, 0.5), Cylinder: true}
	}
	return b.anySolid(size)
}

// crates are dynamic boxes, capsules, cylinders and hulls, with balls and static boxes.
func crates(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.7) {
		b.earth()
		b.box(true)
	} else if b.chance(0.7) {
		b.box(false)
	}
	b.materials()
	size := b.half * b.decades(0.05, 0.3)
	upright := b.chance(0.5)
	for range b.IntN(3) {
		t := solid(b.place(), collide.Vec3{}, b.anySolid(2*size))
		t.Velocity, t.Body = nil, nil
		if !upright {
			t.Transform.Rotation = collide.RotationAround(b.direction(), b.between(-3, 3))
		}
		b.add(t)
	}
	speed, spread := b.half*b.decades(0.1, 30), b.one(1, 1, 10, 100)
	if b.chance(0.4) { // a stack that touches
		y := -b.half
		x, z := b.between(-0.5, 0.5)*b.half, b.between(-0.5, 0.5)*b.half
		for range 2 + b.IntN(5) {
			half := vec(size*b.decades(0.3, 1), size*b.decades(0.3, 1), size*b.decades(0.3, 1))
			y += half.Y
			t := solid(vec(x+b.one(0, 0.3)*half.X, y, z), collide.Vec3{}, Solid{Half: half})
			y += half.Y
			t.Material = b.material()
			if fits(&t, b.s.Things, -1e-9) {
				b.add(t)
			}
		}
	}
	for range 1 + b.IntN(10) {
		o := b.anyBody(size * b.decades(0.3, 1))
		t := b.try(func() Thing {
			t := solid(b.place(), b.direction().Scale(b.decades(speed/10, speed)), o)
			if !upright {
				t.Transform.Rotation = collide.RotationAround(b.direction(), b.between(-3, 3))
			}
			return t
		})
		if t == nil {
			continue
		}
		t.Body.Mass, t.Material = b.decades(1/spread, spread), b.material()
		if b.chance(0.05) {
			t.Body.Locked = components.Axes(b.IntN(8))
		}
	}
	b.balls(b.IntN(5), size, speed, spread)
	if b.chance(0.3) {
		b.elastic()
	}
	b.s.Steps = 20 + b.IntN(60)
}

// valley adds up to four walls that meet at the origin: planes, and sides of static boxes.
func (b *builder) valley() {
	n := 2 + b.IntN(3)
	first := b.between(0, 2*math.Pi)
	for k := range n {
		angle := first + float64(k)*2*math.Pi/float64(n) + b.one(0, b.between(-0.5, 0.5))
		rise := b.one(b.decades(0.01, 2), b.between(0, 2), 1)
		normal, _ := vec(math.Cos(angle), rise, math.Sin(angle)).Normalized()
		t := plane(collide.Vec3{}, normal)
		if b.chance(0.3) {
			t = solid(normal.Scale(-b.half), collide.Vec3{}, Solid{Half: vec(b.half, b.half, b.half)})
			t.Transform.Rotation = collide.RotationAround(collide.Vec3{Y: 1}.Cross(normal), math.Acos(normal.Y))
			t.Velocity, t.Body = nil, nil
		}
		t.Material = b.material()
		b.add(t)
	}
}

// corners are dynamic boxes, capsules, cylinders, hulls and balls in a wedge or corner of tilted
// walls, into which their weight or a force presses them.
func corners(b *builder) {
	b.half = b.decades(0.3, 3)
	b.earth()
	b.valley()
	upright := b.chance(0.3)
	size, spread := b.half*b.decades(0.1, 0.5), b.one(1, 1, 10, 100)
	for range 1 + b.IntN(4) {
		o := b.anyBody(size * b.decades(0.3, 1))
		t := b.try(func() Thing {
			at := b.direction().Scale(b.half * b.between(0, 1))
			at.Y = b.half * b.between(0.2, 2)
			t := solid(at, b.direction().Scale(b.one(0, b.decades(0.01, 10))), o)
			if b.chance(0.3) {
				t = ball(at, b.direction().Scale(b.one(0, b.decades(0.01, 10))), size*b.decades(0.3, 1))
			} else if !upright {
				t.Transform.Rotation = collide.RotationAround(b.direction(), b.between(-3, 3))
			}
			return t
		})
		if t == nil {
			continue
		}
		t.Body.Mass, t.Material = b.decades(1/spread, spread), b.material()
		if b.chance(0.3) {
			t.Force = &components.ForceData{Force: b.direction().Scale(t.Body.Mass * b.decades(1, 100))}
		}
		if t.Sphere != nil && b.chance(0.5) {
			b.spin(t, 10)
		}
	}
	b.s.Steps = 40 + b.IntN(80)
}

// rotors are kinematic boxes, capsules and hulls that rotate, some of them with motors, among balls
// and now and then crates.
func rotors(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.6) {
		b.earth()
	}
	b.box(false)
	b.materials()
	for range 1 + b.IntN(3) {
		o := b.anySolid(b.half * b.decades(0.2, 0.7))
		t := solid(b.place().Scale(0.6), collide.Vec3{}, o)
		t = kinematic(t, b.direction().Scale(b.one(0, 0, b.decades(0.01, 1)*b.half)))
		t.Spin = &components.AngularVelocityData{Angular: b.direction().Scale(b.decades(0.1, 30))}
		if b.chance(0.3) {
			t.Spin.Pivot = b.direction().Scale(b.half * b.between(0, 0.5))
		}
		if b.chance(0.3) {
			t.Motor = &components.MotorData{
				Axis: b.direction(), Low: -b.between(0, 3), High: b.between(0, 3), Speed: b.decades(0.1, 30),
				On: true, Swing: b.chance(0.6),
			}
		}
		t.Material = b.material()
		b.add(t)
	}
	b.balls(1+b.IntN(12), b.half*b.decades(0.03, 0.2), b.half*b.decades(0.1, 10), b.one(1, 10))
	if b.chance(0.3) {
		for range 1 + b.IntN(4) {
			o := b.anyBody(b.half * b.decades(0.05, 0.2))
			b.try(func() Thing {
				t := solid(b.place(), b.direction().Scale(b.half), o)
				t.Material = b.material()
				return t
			})
		}
	}
	b.s.Steps = 20 + b.IntN(40)
}

// grounds are dynamic boxes, capsules and hulls, and balls, on a mesh or terrain and on compounds.
func grounds(b *builder) {
	b.half = b.decades(1, 5)
	b.earth()
	low := b.ground()
	b.hasGround, b.low = true, low
	for range b.IntN(3) {
		b.add(b.compound())
	}
	size, speed := b.half*b.decades(0.03, 0.2), b.half*b.decades(0.1, 10)
	for range 1 + b.IntN(8) {
		o := b.anyBody(size)
		t := b.try(func() Thing {
			at := b.place().Scale(0.8)
			at.Y = b.between(low+2*size, low+b.half)
			return solid(at, b.direction().Scale(b.decades(speed/10, speed)), o)
		})
		if t != nil {
			t.Material, t.Body.Mass = b.material(), b.decades(0.3, 3)
		}
	}
	b.balls(b.IntN(6), size, speed, b.one(1, 10))
	b.s.Steps = 30 + b.IntN(60)
}

// loads are walls that rotate about an axis and yield to what touches them, some of them with
// motors, among balls and now and then crates.
func loads(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.8) {
		b.earth()
	}
	b.box(false)
	b.materials()
	spread := b.one(1, 1, 10, 100)
	for range 1 + b.IntN(2) {
		t := b.wheel(b.half * b.decades(0.3, 0.9))
		t.Transform.Position = b.place().Scale(0.5)
		t = kinematic(t, collide.Vec3{})
		axis := b.direction()
		t.Spin = &components.AngularVelocityData{Angular: axis.Scale(b.one(0, 0, b.decades(0.1, 10)))}
		if b.chance(0.3) {
			t.Spin.Pivot = b.direction().Scale(b.half * b.between(0, 0.3))
		}
		m := &components.MotorData{Axis: axis, Inertia: b.half * b.half * b.decades(0.01, 10)}
		if b.chance(0.6) {
			m.Low, m.High = -b.between(0, 3), b.between(0, 3)
		}
		if b.chance(0.5) {
			m.Speed, m.On, m.Swing = b.decades(0.1, 10), true, b.chance(0.6)
		}
		if b.chance(0.7) {
			m.MaxTorque = m.Inertia * b.decades(0.1, 100)
		}
		t.Motor, t.Material = m, b.material()
		b.add(t)
	}
	b.balls(3+b.IntN(20), b.half*b.decades(0.05, 0.2), b.half*b.decades(0.1, 30), spread)
	if b.chance(0.4) {
		for range 1 + b.IntN(6) {
			o := b.anyBody(b.half * b.decades(0.05, 0.2))
			t := b.try(func() Thing { return solid(b.place(), b.direction().Scale(b.half), o) })
			if t != nil {
				t.Material, t.Body.Mass = b.material(), b.decades(1/spread, spread)
			}
		}
	}
	b.s.Steps = 30 + b.IntN(60)
}

// wheel returns something of a size that can rotate: a solid, a plank, blades, or a sheet.
func (b *builder) wheel(size float64) Thing {
	switch b.IntN(4) {
	case 0:
		return solid(collide.Vec3{}, collide.Vec3{}, b.anySolid(size))
	case 1:
		thin := size * b.decades(0.03, 0.2)
		return solid(collide.Vec3{}, collide.Vec3{}, Solid{Half: vec(size, thin, size*b.between(0.2, 1))})
	case 2:
		t := sculpt(collide.Vec3{})
		half := vec(size/2, size*b.decades(0.03, 0.1), size*b.between(0.2, 1))
		n := 2 + b.IntN(5)
		for k := range n {
			q := collide.RotationAround(collide.Vec3{Z: 1}, 2*math.Pi*float64(k)/float64(n))
			t.Compound = append(t.Compound, Placed{
				Solid: Solid{Half: half}, Position: q.Rotate(vec(size/2, 0, 0)), Rotation: q,
			})
		}
		return t
	}
	t := sculpt(collide.Vec3{})
	n, rough := 1+b.IntN(4), size*b.one(0, 0.1, 0.3)
	t.Mesh = grid(size, n, func(_, _ float64) float64 { return rough * b.between(-1, 1) }, b.chance(0.5))
	if b.chance(0.5) {
		t.Mesh = &Mesh{Columns: n + 1, Cell: 2 * size / float64(n)}
		for range (n + 1) * (n + 1) {
			t.Mesh.Heights = append(t.Mesh.Heights, rough*b.between(-1, 1))
		}
	}
	return t
}

// turning are meshes, terrain and compounds that rotate, and rooms of triangles around everything,
// with balls, crates, capsules and hulls.
func turning(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.7) {
		b.earth()
	}
	axis, speed := b.direction(), b.decades(0.03, 10)
	inside := b.chance(0.4)
	if inside { // a drum
		t := kinematic(b.room(), collide.Vec3{})
		t.Body, t.Mesh.TwoSided = nil, true
		t.Spin = &components.AngularVelocityData{Angular: axis.Scale(speed)}
		b.add(t)
	} else {
		b.box(false)
		b.materials()
		for range 1 + b.IntN(2) {
			t := b.wheel(b.half * b.decades(0.2, 0.7))
			if b.chance(0.4) {
				t = b.compound()
			}
			t.Transform.Position, t.Material = b.place().Scale(0.6), b.material()
			t = kinematic(t, b.direction().Scale(b.one(0, 0, b.decades(0.01, 1)*b.half)))
			t.Body = nil
			t.Spin = &components.AngularVelocityData{Angular: axis.Scale(speed)}
			if b.chance(0.3) {
				t.Spin.Pivot = b.direction().Scale(b.half * b.between(0, 0.5))
			}
			b.add(t)
			axis, speed = b.direction(), b.decades(0.03, 10)
		}
	}
	size := b.half * b.decades(0.05, 0.2)
	for range b.IntN(6) {
		o := b.anyBody(size)
		t := b.try(func() Thing { return solid(b.place().Scale(0.8), b.direction().Scale(b.half), o) })
		if t != nil {
			t.Material, t.Body.Mass = b.material(), b.decades(0.3, 3)
		}
	}
	b.balls(1+b.IntN(8), size, b.half*b.decades(0.1, 10), b.one(1, 10))
	b.s.Steps = 20 + b.IntN(40)
}
