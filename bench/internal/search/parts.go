package search

import (
	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// Mesh is a mesh, or terrain if it has Columns.
type Mesh struct {
	Points    []collide.Vec3 `json:",omitempty"`
	Triangles []uint32       `json:",omitempty"`
	TwoSided  bool           `json:",omitempty"`
	Closed    bool           `json:",omitempty"` // nothing gets to its other side

	Columns int       `json:",omitempty"`
	Cell    float64   `json:",omitempty"` // side of a cell
	Heights []float64 `json:",omitempty"` // the first is that at the least X and Z
}

// shape returns the shape for a ShapeCollider, or nil if it is none.
func (m *Mesh) shape() collide.Shape {
	if m.Columns > 0 {
		if f, err := collide.NewHeightField(collide.Vec3{}, m.Cell, m.Cell, m.Columns, m.Heights); err == nil {
			return f
		}
		return nil
	}
	mesh, err := collide.NewMesh(m.Points, m.Triangles, collide.MeshOptions{TwoSided: m.TwoSided})
	if err != nil {
		return nil
	}
	return mesh
}

// parts returns the triangles as package verify knows them. The two triangles of a cell of terrain
// meet between the corner with the next column and that with the next row.
func (m *Mesh) parts(turned func(collide.Vec3) verify.V) (list []verify.Part) {
	add := func(a, b, c collide.Vec3) {
		list = append(list, verify.NewPart([]verify.V{turned(a), turned(b), turned(c)}, 0))
	}
	at := func(i, k int) collide.Vec3 {
		return vec(float64(i)*m.Cell, m.Heights[i*m.Columns+k], float64(k)*m.Cell)
	}
	if m.Columns > 0 {
		for i := range len(m.Heights)/m.Columns - 1 {
			for k := range m.Columns - 1 {
				add(at(i, k), at(i, k+1), at(i+1, k))
				add(at(i+1, k+1), at(i+1, k), at(i, k+1))
			}
		}
		return list
	}
	for k := 0; k < len(m.Triangles); k += 3 {
		add(m.Points[m.Triangles[k]], m.Points[m.Triangles[k+1]], m.Points[m.Triangles[k+2]])
	}
	return list
}

// Placed is a convex part of a compound.
type Placed struct {
	Solid    Solid
	Position collide.Vec3
	Rotation collide.Quat
}

// compoundParts returns the parts for a ShapeCollider.
func compoundParts(list []Placed) (parts []components.ShapePart) {
	for k := range list {
		p := &list[k]
		parts = append(parts, components.ShapePart{Shape: p.Solid.shape(), Position: p.Position, Rotation: p.Rotation})
	}
	return parts
}

// verifyParts returns the parts as package verify knows them.
func verifyParts(list []Placed, turned func(collide.Vec3) verify.V) (parts []verify.Part) {
	for k := range list {
		p := &list[k]
		var points []verify.V
		for _, x := range p.Solid.points() {
			if p.Rotation != (collide.Quat{}) {
				v := vector(x).Turn(verify.V{p.Rotation.X, p.Rotation.Y, p.Rotation.Z}, p.Rotation.W)
				x = vec(v[0], v[1], v[2])
			}
			points = append(points, turned(p.Position.Add(x)))
		}
		parts = append(parts, verify.NewPart(points, p.Solid.Radius))
	}
	return parts
}

// partsAt returns the parts of a mesh or compound at a rotation. It keeps the last result: most
// don't rotate.
func (t *Thing) partsAt(q collide.Quat) []verify.Part {
	if t.parts != nil && t.rotation == q {
		return t.parts
	}
	t.rotation = q
	turned := func(p collide.Vec3) verify.V { return turnedBy(p, q) }
	if t.Mesh != nil {
		t.parts = t.Mesh.parts(turned)
	} else {
		t.parts = verifyParts(t.Compound, turned)
	}
	return t.parts
}

// grid returns a mesh over a square with a side of 2·half, n cells wide, at the heights that a
// function gives.
func grid(half float64, n int, height func(x, z float64) float64, twoSided bool) *Mesh {
	m := &Mesh{TwoSided: twoSided}
	for i := range n + 1 {
		for k := range n + 1 {
			x, z := half*(2*float64(i)/float64(n)-1), half*(2*float64(k)/float64(n)-1)
			m.Points = append(m.Points, vec(x, height(x, z), z))
		}
	}
	at := func(i, k int) uint32 { return uint32(i*(n+1) + k) }
	for i := range n {
		for k := range n {
			m.Triangles = append(m.Triangles, at(i, k), at(i, k+1), at(i+1, k), at(i+1, k+1), at(i+1, k), at(i, k+1))
		}
	}
	return m
}

// sculpt returns a thing with a shape that no body has.
func sculpt(at collide.Vec3) Thing {
	return Thing{Transform: components.TransformData{Position: at}, Material: &components.MaterialData{}}
}

// ground adds a mesh or terrain that reaches over the edges of the cube, and returns how high it is
// at most. Walls around the cube keep everything above it.
func (b *builder) ground() float64 {
	n := 2 + b.IntN(9)
	rough, bowl := b.half*b.one(0, 0, 0.02, 0.1, 0.3), b.one(0, 0, 0.3)
	height := func(x, z float64) float64 {
		return rough*b.between(-1, 1) + bowl*(x*x+z*z)/b.half
	}
	t := sculpt(vec(0, -b.half, 0))
	half := 1.25 * b.half
	if b.chance(0.5) {
		t.Mesh = grid(half, n, height, b.chance(0.3))
	} else {
		t.Mesh = &Mesh{Columns: n + 1, Cell: 2 * half / float64(n)}
		for i := range n + 1 {
			for k := range n + 1 {
				x, z := half*(2*float64(i)/float64(n)-1), half*(2*float64(k)/float64(n)-1)
				t.Mesh.Heights = append(t.Mesh.Heights, height(x, z))
			}
		}
		t.Transform.Position = vec(-half, -b.half, -half)
	}
	t.Material, t.Mesh.Closed = b.material(), true
	b.add(t)
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		b.add(plane(n.Scale(-b.half), n)).Material = b.material()
	}
	return -b.half + rough + 3.2*bowl*b.half
}

// meshes are balls on meshes and terrain, and in closed ones.
func meshes(b *builder) {
	b.half = b.decades(1, 5)
	low := -b.half
	if b.chance(0.7) {
		b.earth()
		low = b.ground()
	} else { // a box of triangles, whose front is inside
		b.add(b.room())
	}
	for range b.IntN(3) { // sheets that are solid from both sides
		m := &Mesh{TwoSided: true, Points: b.sheet(b.half * b.decades(0.1, 0.5))}
		for k := 2; k < len(m.Points); k++ {
			m.Triangles = append(m.Triangles, 0, uint32(k-1), uint32(k))
		}
		t := sculpt(b.place().Scale(0.7))
		if t.Mesh, t.Material = m, b.material(); b.chance(0.3) {
			t = kinematic(t, b.direction().Scale(b.decades(0.01, 3)))
			t.Body = nil
		}
		b.add(t)
	}
	top := max(b.half, low+b.half)
	radius, speed := b.half*b.decades(0.02, 0.2), b.half*b.decades(0.1, 30)
	spins := b.chance(0.5)
	for range 1 + b.IntN(12) {
		r := radius * b.decades(0.3, 1)
		t := b.try(func() Thing {
			at := b.place()
			at.Y = b.between(low+r, top)
			return ball(at.Scale(0.95), b.direction().Scale(b.decades(speed/30, speed)), r)
		})
		if t == nil {
			continue
		}
		t.Material, t.Body.Mass = b.material(), b.decades(0.1, 10)
		if spins {
			b.spin(t, speed)
		}
	}
	b.s.Steps = 30 + b.IntN(80)
}

// room returns a box of twelve triangles around the cube.
func (b *builder) room() Thing {
	t := sculpt(collide.Vec3{})
	t.Mesh = &Mesh{TwoSided: b.chance(0.3), Closed: true}
	for k := range 8 {
		sign := func(bit int) float64 { return b.half * float64(2*(k>>bit&1)-1) }
		t.Mesh.Points = append(t.Mesh.Points, vec(sign(0), sign(1), sign(2)))
	}
	t.Mesh.Triangles = []uint32{
		0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, // Z
		0, 2, 6, 0, 6, 4, 1, 7, 3, 1, 5, 7, // X
		0, 4, 5, 0, 5, 1, 2, 7, 6, 2, 3, 7, // Y
	}
	t.Material = b.material()
	return t
}

// compounds are static and kinematic compounds of convex parts, and balls.
func compounds(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.6) {
		b.earth()
	}
	b.box(false)
	for range 1 + b.IntN(3) {
		b.add(b.compound())
	}
	b.balls(1+b.IntN(12), b.half*b.decades(0.03, 0.2), b.half*b.decades(0.1, 30), b.one(1, 10))
	b.s.Steps = 30 + b.IntN(60)
}

// compound returns a compound of boxes, capsules and hulls that meet, or don't.
func (b *builder) compound() Thing {
	t := sculpt(b.place().Scale(0.7))
	size := b.half * b.decades(0.05, 0.3)
	for range 1 + b.IntN(4) {
		p := Placed{Solid: b.anySolid(size), Position: b.direction().Scale(size * b.between(0, 2))}
		if b.chance(0.5) {
			p.Rotation = collide.RotationAround(b.direction(), b.between(-3, 3))
		}
		t.Compound = append(t.Compound, p)
	}
	if t.Material = b.material(); b.chance(0.3) {
		t = kinematic(t, b.direction().Scale(b.decades(0.01, 3)))
		t.Body = nil
	}
	return t
}

// groups are kinematic groups of walls, balls and compounds that push balls, and are stopped by
// them.
func groups(b *builder) {
	b.half = b.decades(1, 5)
	if b.chance(0.7) {
		b.earth()
	}
	b.box(false)
	b.materials()
	for range 1 + b.IntN(2) {
		v := b.direction().Scale(b.half * b.decades(0.01, 10))
		leader, middle := 0, b.place().Scale(0.6)
		for range 2 + b.IntN(4) {
			var t Thing
			at := middle.Add(b.direction().Scale(b.half * b.between(0, 0.5)))
			switch b.IntN(4) {
			case 0:
				t = polygon(at, b.sheet(b.half*b.decades(0.1, 0.5))...)
			case 1:
				t = ball(at, collide.Vec3{}, b.half*b.decades(0.05, 0.3))
			case 2:
				t = solid(at, collide.Vec3{}, b.anySolid(b.half*b.decades(0.05, 0.3)))
			case 3:
				t = b.compound()
				t.Transform.Position = at
			}
			t.Velocity, t.Body = nil, nil
			t.Material = b.material()
			if leader == 0 {
				t.Velocity = &components.VelocityData{Linear: v}
				t.Body = &components.BodyData{Kind: components.Kinematic}
				if t.Sphere == nil {
					t.Body = nil
				}
			}
			t.Leader = leader
			if added := b.add(t); leader == 0 {
				leader = added.ID
				added.Leader = leader
			}
		}
	}
	b.balls(1+b.IntN(12), b.half*b.decades(0.05, 0.3), b.half*b.decades(0.1, 10), b.one(1, 10))
	b.s.Steps = 30 + b.IntN(60)
}

// Walker is a character: a capsule along Y that walks at random.
type Walker struct {
	Radius, Half float64 // of its axis
	Speed        float64 // m/s
	Every        int     // steps until it changes its mind
	Mode         components.MotionMode
}

// characters adds some characters above a height.
func (b *builder) characters(low float64) {
	for range 1 + b.IntN(4) {
		o := Walker{
			Radius: b.between(0.2, 0.5), Half: b.between(0.1, 0.7), Speed: b.decades(0.5, 10), Every: 5 + b.IntN(30),
		}
		if b.chance(0.2) {
			o.Mode = components.Floating
		}
		b.try(func() Thing {
			at := b.place().Scale(0.8)
			at.Y = low + 3*b.Float64() + o.Radius + o.Half
			return Thing{
				Transform: components.TransformData{Position: at}, Velocity: &components.VelocityData{},
				Body: &components.BodyData{Kind: components.Kinematic}, Walker: &o,
			}
		})
	}
}

// walkers are characters on planes, meshes, terrain and convex shapes, among balls and lifts.
func walkers(b *builder) {
	b.earth()
	b.half = b.between(3, 8)
	low := -b.half
	if b.chance(0.6) {
		low = b.ground()
		b.hasGround, b.low = true, low
	} else {
		b.box(true)
	}
	for range b.IntN(5) {
		size := b.half * b.decades(0.05, 0.3)
		at := b.place()
		at.Y = low + size*b.between(-0.5, 1)
		t := solid(at, collide.Vec3{}, b.anySolid(size))
		t.Velocity, t.Body = nil, nil
		if b.chance(0.3) {
			t.Transform.Rotation = collide.RotationAround(b.direction(), b.between(-3, 3))
		}
		if t.Material = b.material(); b.chance(0.2) {
			t = kinematic(t, b.direction().Scale(b.decades(0.1, 3)))
			t.Body = nil
		}
		b.add(t)
	}
	if b.chance(0.3) {
		b.add(b.compound())
	}
	b.characters(low)
	b.balls(b.IntN(8), b.half*b.decades(0.03, 0.1), b.half*b.decades(0.1, 3), b.one(1, 10))
	b.s.Steps = 60 + b.IntN(120)
}

// pushers are characters among crates of all masses that they push, and stand on.
func pushers(b *builder) {
	b.earth()
	b.half = b.between(2, 5)
	b.box(true)
	b.materials()
	for range 1 + b.IntN(8) {
		size := b.between(0.2, 0.8)
		t := b.try(func() Thing {
			at := b.place()
			at.Y = -b.half + size*b.one(1, 1, b.between(1, 4))
			return solid(at, b.direction().Scale(b.one(0, b.decades(0.01, 3))), b.anyBody(size))
		})
		if t != nil {
			t.Body.Mass, t.Material = b.decades(0.1, 1000), b.material()
			if b.chance(0.1) {
				t.Body.Locked = components.Axes(b.IntN(8))
			}
			if b.chance(0.2) { // it floats, with who stands on it or without
				up := b.between(0.5, 2) * (t.Body.Mass + b.one(0, 70)) * b.s.Config.Gravity.Length()
				t.Force = &components.ForceData{Force: collide.Vec3{Y: up}}
			}
		}
	}
	b.characters(-b.half)
	b.balls(b.IntN(3), 0.5, 3, b.one(1, 10))
	b.s.Steps = 60 + b.IntN(120)
}
