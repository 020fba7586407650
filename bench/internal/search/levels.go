package search

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// level is what levels builds: tiles over a line in the plane of X and Y, and bodies on it.
type level struct {
	*builder
	line     []collide.Vec3 // corners of the line, from left to right; a closed one goes on around above
	ground   int            // how many of them are on the ground
	size     float64        // half of the longest side of the largest bodies, about
	deep     float64        // half of the length of the level along Z
	flat     bool           // bodies move in the plane z = 0
	oneSided bool           // all tiles are one-sided
	mixed    bool           // some are
}

// levels are dynamic boxes, capsules, cylinders, hulls and balls on floors, steps and ramps of
// polygons, and in rooms of them: at rest, stacked, sliding, falling and thrown.
func levels(b *builder) {
	size := b.decades(0.1, 1)
	b.half = size * b.between(3, 8)
	b.fixed = true
	l := &level{builder: b, size: size, flat: b.chance(0.25), oneSided: b.chance(0.5), mixed: b.chance(0.2)}
	if b.chance(0.8) {
		b.earth()
	} else if b.chance(0.5) {
		b.s.Config.Gravity = b.direction().Scale(b.decades(0.1, 100))
	}
	l.deep = b.half
	if l.flat {
		l.deep = b.one(b.half, 1000)
	}
	l.draw()
	l.tiles()
	if b.chance(0.2) {
		l.platform()
	}
	if b.chance(0.5) { // walls around it
		for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
			if n.Z == 0 || !l.flat {
				b.add(plane(n.Scale(-b.half), n)).Material = b.material()
			}
		}
	}
	surfaces := len(b.s.Things)
	spread := b.one(1, 1, 10, 100)
	if b.chance(0.4) {
		l.stack(spread)
	}
	for range 1 + b.IntN(6) {
		l.body(spread)
	}
	if b.chance(0.4) {
		l.tilt(surfaces)
	}
	if b.chance(0.3) {
		for k := range b.s.Things {
			m := b.s.Things[k].Material
			m.Friction, m.StaticFriction = 0, 0
		}
	}
	if b.chance(0.2) {
		b.elastic()
	}
	b.s.Steps = 20 + b.IntN(80)
	if b.chance(0.1) {
		b.twin()
	}
}

// draw draws the line: a flat floor, steps and ramps, or a room.
func (l *level) draw() {
	cell := max(l.size*l.decades(0.2, 4), l.half/8)
	n := int(2 * l.half / cell)
	cell = 2 * l.half / float64(n)
	rough := l.chance(0.6)
	height := l.size * l.decades(1e-3, 1)
	y := 0.0
	l.line = append(l.line, vec(-l.half, y, 0))
	for k := range n {
		x := -l.half + float64(k+1)*cell
		if rough {
			switch l.IntN(5) {
			case 0: // a step
				y += l.one(-1, 1) * height
				l.line = append(l.line, vec(x-cell, y, 0))
			case 1: // a ramp
				y += cell * l.between(-0.7, 0.7)
			case 2:
				y += l.one(-1, 1) * height
			}
		}
		l.line = append(l.line, vec(x, y, 0))
	}
	l.ground = len(l.line)
	if l.chance(0.3) {
		top := l.half * 1.5
		for k := range n + 1 {
			l.line = append(l.line, vec(l.half-float64(k)*cell, top, 0))
		}
		l.line = append(l.line, l.line[0])
	}
}

// tiles adds the polygons over the line: squares, strips, triangles, with T-junctions or without.
func (l *level) tiles() {
	n := 1
	if !l.flat {
		n = 1 + l.IntN(4)
	}
	wide := 2 * l.deep / float64(n)
	kind := l.IntN(3)
	for k := range len(l.line) - 1 {
		p, q := l.line[k], l.line[k+1]
		first := -l.deep
		if kind == 1 && k%2 == 1 && n > 1 { // T-junctions
			first += wide / 2
		}
		for i := range n {
			z0, z1 := first+float64(i)*wide, first+float64(i+1)*wide
			a, b, c, d := vec(p.X, p.Y, z0), vec(p.X, p.Y, z1), vec(q.X, q.Y, z1), vec(q.X, q.Y, z0)
			if kind == 2 {
				l.tile(collide.Vec3{}, a, b, c)
				l.tile(collide.Vec3{}, a, c, d)
			} else {
				l.tile(collide.Vec3{}, a, b, c, d)
			}
		}
	}
}

// tile adds a polygon.
func (l *level) tile(at collide.Vec3, corners ...collide.Vec3) *Thing {
	t := polygon(at, corners...)
	t.Polygon.OneSided = l.oneSided
	if l.mixed {
		t.Polygon.OneSided = l.chance(0.5)
	}
	t.Material = l.material()
	return l.add(t)
}

// platform adds tiles above the ground, some of which move.
func (l *level) platform() {
	n, wide := 1+l.IntN(3), l.size*l.decades(0.5, 3)
	at := vec(l.between(-0.7, 0.7)*l.half, l.half*l.between(0.2, 1), 0)
	deep := min(l.deep, wide*l.between(1, 3))
	v := vec(l.between(-1, 1), l.between(-1, 1), 0).Scale(l.one(0, 0, l.decades(0.01, 3)))
	for k := range n {
		x0, x1 := float64(k)*wide, float64(k+1)*wide
		t := l.tile(at, vec(x0, 0, -deep), vec(x0, 0, deep), vec(x1, 0, deep), vec(x1, 0, -deep))
		if v != (collide.Vec3{}) {
			*t = kinematic(*t, v)
		}
	}
}

// top returns the height of the ground between two places.
func (l *level) top(x0, x1 float64) float64 {
	most := math.Inf(-1)
	for k := range l.ground - 1 {
		p, q := l.line[k], l.line[k+1]
		if q.X < x0 || p.X > x1 {
			continue
		}
		if p.X == q.X {
			most = max(most, p.Y, q.Y)
			continue
		}
		for _, x := range []float64{max(x0, p.X), min(x1, q.X)} {
			most = max(most, p.Y+(q.Y-p.Y)*(x-p.X)/(q.X-p.X))
		}
	}
	return most
}

// shape returns a body of a random shape.
func (l *level) shape() Thing {
	if l.chance(0.2) {
		t := ball(collide.Vec3{}, collide.Vec3{}, l.size*l.decades(0.3, 1))
		if l.chance(0.5) {
			t.Spin = &components.AngularVelocityData{}
			if l.chance(0.5) {
				t.Spin.Angular = vec(0, 0, l.between(-10, 10))
			}
		}
		return t
	}
	t := solid(collide.Vec3{}, collide.Vec3{}, l.anyBody(l.size*l.decades(0.3, 1)))
	switch {
	case l.chance(0.6):
	case l.flat:
		t.Transform.Rotation = collide.RotationAround(collide.Vec3{Z: 1}, l.between(-3, 3))
	default:
		t.Transform.Rotation = collide.RotationAround(l.direction(), l.between(-3, 3))
	}
	return t
}

// bounds returns how far a body reaches to the left, to the right and down.
func bounds(t *Thing) (left, right, down float64) {
	if t.Sphere != nil {
		return t.Sphere.Radius, t.Sphere.Radius, t.Sphere.Radius
	}
	o := t.Solid.turned(t.Transform.Rotation)
	for _, p := range o.Points {
		left, right, down = max(left, -p[0]+o.Radius), max(right, p[0]+o.Radius), max(down, -p[1]+o.Radius)
	}
	return left, right, down
}

// body adds a body that lies or slides on the ground, falls or is thrown.
func (l *level) body(spread float64) {
	for range 20 {
		t := l.shape()
		x := l.between(-0.9, 0.9) * l.half
		left, right, down := bounds(&t)
		y := l.top(x-left, x+right) + down
		v, gap := collide.Vec3{}, 0.0
		switch l.IntN(4) {
		case 0: // at rest
		case 1: // slides
			v = vec(l.between(-1, 1), 0, l.between(-1, 1)).Scale(l.decades(0.01, 30))
		case 2: // falls
			gap = l.size * l.decades(1e-6, 3)
			v.Y = l.one(0, -l.decades(0.1, 30))
		default:
			gap = l.size * l.decades(1e-3, 5)
			v = l.direction().Scale(l.decades(0.1, 100))
		}
		t.Transform.Position, t.Velocity.Linear = vec(x, y+gap, l.between(-0.9, 0.9)*l.half), v
		if l.put(&t, spread) {
			return
		}
	}
}

// stack adds boxes on one another that touch.
func (l *level) stack(spread float64) {
	x, z := l.between(-0.8, 0.8)*l.half, l.between(-0.8, 0.8)*l.half
	var y float64
	for k := range 2 + l.IntN(4) {
		half := vec(l.size*l.decades(0.3, 1), l.size*l.decades(0.3, 1), l.size*l.decades(0.3, 1))
		if k == 0 {
			y = l.top(x-half.X, x+half.X)
		}
		t := solid(vec(x, y+half.Y, z), collide.Vec3{}, Solid{Half: half})
		if !l.put(&t, spread) {
			return
		}
		y += 2 * half.Y
	}
}

// put gives a body its material and mass, and adds it if it overlaps nothing.
func (l *level) put(t *Thing, spread float64) bool {
	t.Material, t.Body.Mass = l.material(), l.decades(1/spread, spread)
	if l.flat {
		t.Transform.Position.Z, t.Velocity.Linear.Z, t.Body.Locked = 0, 0, components.AxisZ
	} else if l.chance(0.03) {
		t.Body.Locked = components.Axes(l.IntN(8))
	}
	if l.chance(0.05) {
		t.Force = &components.ForceData{Force: vec(l.between(-1, 1), l.between(-1, 1), 0).Scale(30 * t.Body.Mass)}
	}
	if !fits(t, l.s.Things, -1e-9) {
		return false
	}
	l.add(*t)
	return true
}

// product returns the rotation by b and then by a.
func product(a, b collide.Quat) collide.Quat {
	if b == (collide.Quat{}) {
		return a
	}
	u, v := vec(a.X, a.Y, a.Z), vec(b.X, b.Y, b.Z)
	w := v.Scale(a.W).Add(u.Scale(b.W)).Add(u.Cross(v))
	return collide.Quat{W: float64(a.W*b.W) - u.Dot(v), X: w.X, Y: w.Y, Z: w.Z}.Normalized()
}

// tilt turns everything. Some of the bodies, which come after the surfaces, keep their orientation,
// if they don't overlap anything then.
func (l *level) tilt(surfaces int) {
	axis := l.direction()
	if l.flat {
		axis = collide.Vec3{Z: 1}
	}
	q := collide.RotationAround(axis, l.one(l.between(-0.6, 0.6), l.between(-3, 3)))
	baked := l.chance(0.5)
	things := l.s.Things
	for k := range things {
		t := &things[k]
		t.Transform.Position = q.Rotate(t.Transform.Position)
		if t.Velocity != nil {
			t.Velocity.Linear = q.Rotate(t.Velocity.Linear)
		}
		switch {
		case t.Plane != nil:
			t.Plane.Normal = q.Rotate(t.Plane.Normal)
		case t.Polygon != nil && baked:
			for i, p := range t.Polygon.Points {
				t.Polygon.Points[i] = q.Rotate(p)
			}
		case t.Sphere == nil:
			was := t.Transform.Rotation
			t.Transform.Rotation = product(q, was)
			if turned := t.Transform.Rotation; k >= surfaces && l.chance(0.2) {
				t.Transform.Rotation = was
				if !fits(t, things[:k], -1e-9) || !fits(t, things[k+1:], -1e-9) {
					t.Transform.Rotation = turned
				}
			}
		}
		if t.Body != nil && t.Body.Locked != 0 && !l.flat {
			t.Body.Locked = 0
		}
	}
}
