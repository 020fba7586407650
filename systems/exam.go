package systems

import (
	"unsafe"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// aheadRows is how many rows before it is looked at a component is sent for, where that is done row by row.
const aheadRows = 32

// exam is some rows of spheres with a Velocity, and what their components are compared with.
type exam struct {
	rows       int      // at least one
	ahead      int      // what is so many rows ahead will be wanted next
	transforms *pointer // the column from the first row on, as the others
	velocities *pointer
	spheres    *pointer
	bodies     *pointer // any column where they have none
	responses  *pointer // the same
	has        has
	sizes      *measures     // by row
	landed     *solver.State // the first row's, and so on, with room for 8 bytes behind the last
	body       components.BodyData
	response   components.ResponseData
	_          uint64 // so that four words of response can be read
}

// examine examines the rows of a block of spheres with a Velocity.
func (b *block) examine(t *table, s *style) findings {
	column := func(bit int) *pointer { return &t.cols[bit][b.from] }
	e := exam{
		rows: b.to - b.from, transforms: column(0), velocities: column(1), spheres: column(2), bodies: column(0), responses: column(0),
		has: t.has, sizes: &b.read, landed: &b.page.landed[0], body: s.body, response: s.response,
	}
	if t.has&hasBody != 0 {
		e.bodies = column(5)
	}
	if t.has&hasResponse != 0 {
		e.responses = column(6)
	}
	if b.recalled {
		e.sizes = &b.page.measures
	} else {
		for i, k := range b.of[:e.rows] {
			b.read.radius[i&(blockRows-1)], b.read.mass[i&(blockRows-1)] = k.radius, k.mass
		}
	}
	if b.to+aheadRows <= len(t.ents) {
		e.ahead = aheadRows
	}
	return examine(&e)
}

// findings are what an exam finds, of all rows together.
type findings struct {
	differs  uint64  // 0 if collider, Body and Response are as wanted, to the bit
	rotation uint64  // 0 if no rotation has an imaginary part, and all have the same real one
	strays   uint64  // 0 if positions and velocities are as landed, to the bit
	squares  float64 // the sum of the squares of all coordinates and parts of velocities
}

// examinePlain finds out what there is to know of the rows of e.
func examinePlain(e *exam) (f findings) {
	n := e.rows
	for i, c := range unsafe.Slice(e.spheres, n) {
		f.differs |= bits(&(*components.SphereColliderData)(c).Radius) ^ bits(&e.sizes.radius[i&(blockRows-1)])
	}
	if e.has&hasBody != 0 {
		f.differs |= differBodies(unsafe.Slice(e.bodies, n), &e.body)
		for i, c := range unsafe.Slice(e.bodies, n) {
			f.differs |= bits(&(*components.BodyData)(c).Mass) ^ bits(&e.sizes.mass[i&(blockRows-1)])
		}
	}
	if e.has&hasResponse != 0 {
		f.differs |= differResponses(unsafe.Slice(e.responses, n), &e.response)
	}
	transforms, velocities, landed := unsafe.Slice(e.transforms, n), unsafe.Slice(e.velocities, n), unsafe.Slice(e.landed, n)
	first := bits(&(*components.TransformData)(transforms[0]).Rotation.W)
	turned, differs := uint64(0), uint64(0)
	var a, b, c, g, h, k float64
	for i, at := range transforms {
		t, v := (*components.TransformData)(at), &(*components.VelocityData)(velocities[i]).Linear
		x, q, s := &t.Position, &t.Rotation, &landed[i]
		a, b, c = a+float64(x.X*x.X), b+float64(x.Y*x.Y), c+float64(x.Z*x.Z)
		g, h, k = g+float64(v.X*v.X), h+float64(v.Y*v.Y), k+float64(v.Z*v.Z)
		turned |= bits(&q.X) | bits(&q.Y) | bits(&q.Z)
		differs |= bits(&q.W) ^ first
		if f.strays == 0 && !(same(*x, s.Position) && same(*v, s.Velocity)) {
			f.strays = 1
		}
	}
	f.rotation = turned<<1 | differs
	f.squares = a + b + c + (g + h + k)
	return f
}

// differBodies returns something other than 0 if any Body differs from is, but for its mass.
func differBodies(column []pointer, is *components.BodyData) uint64 {
	gravity, damping, kind, locked, known := bits(&is.GravityScale), bits(&is.LinearDamping), uint8(is.Kind), uint8(is.Locked), truthsOf(is)
	differs, bytes, truths := uint64(0), uint8(0), uint16(0)
	for _, c := range column {
		d := (*components.BodyData)(c)
		differs |= bits(&d.GravityScale) ^ gravity
		differs |= bits(&d.LinearDamping) ^ damping
		bytes |= (uint8(d.Kind) ^ kind) | (uint8(d.Locked) ^ locked)
		truths |= truthsOf(d) ^ known
	}
	return differs | uint64(bytes) | uint64(truths)
}

// differResponses returns something other than 0 if any Response differs from is.
func differResponses(column []pointer, is *components.ResponseData) uint64 {
	restitution, mode, combine := bits(&is.Restitution), uint8(is.Mode), uint8(is.Combine)
	differs, bytes := uint64(0), uint8(0)
	for _, c := range column {
		r := (*components.ResponseData)(c)
		differs |= bits(&r.Restitution) ^ restitution
		bytes |= (uint8(r.Mode) ^ mode) | (uint8(r.Combine) ^ combine)
	}
	return differs | uint64(bytes)
}
