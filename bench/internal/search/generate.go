package search

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// builder makes a random scene.
type builder struct {
	*rand.Rand
	s    *Scene
	half float64 // half of the side of the cube in which things are
	next int

	hasGround bool    // balls are above a ground
	low       float64 // that is at most so high

	fixed bool // bodies keep their orientation, since they would be in what they lie on
}

// vec returns a vector.
func vec(x, y, z float64) collide.Vec3 { return collide.Vec3{X: x, Y: y, Z: z} }

// decades returns a number whose logarithm is uniform.
func (b *builder) decades(from, to float64) float64 {
	return from * math.Pow(to/from, b.Float64())
}

// between returns a uniform number.
func (b *builder) between(from, to float64) float64 { return from + b.Float64()*(to-from) }

// chance is true with that probability.
func (b *builder) chance(p float64) bool { return b.Float64() < p }

// direction returns a random vector of length 1, one time in three along an axis.
func (b *builder) direction() collide.Vec3 {
	if b.IntN(3) == 0 {
		d := []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[b.IntN(3)]
		if b.chance(0.5) {
			d = d.Neg()
		}
		return d
	}
	for {
		if d, ok := vec(b.NormFloat64(), b.NormFloat64(), b.NormFloat64()).Normalized(); ok {
			return d
		}
	}
}

// one returns one of the numbers.
func (b *builder) one(list ...float64) float64 { return list[b.IntN(len(list))] }

// place returns a random place in the cube.
func (b *builder) place() collide.Vec3 {
	return vec(b.between(-b.half, b.half), b.between(-b.half, b.half), b.between(-b.half, b.half))
}

// add adds a thing and gives it its ID.
func (b *builder) add(t Thing) *Thing {
	b.next++
	t.ID = b.next
	b.s.Things = append(b.s.Things, t)
	return &b.s.Things[len(b.s.Things)-1]
}

// ball returns a dynamic sphere.
func ball(at, velocity collide.Vec3, radius float64) Thing {
	return Thing{
		Transform: components.TransformData{Position: at},
		Velocity:  &components.VelocityData{Linear: velocity},
		Sphere:    &components.SphereColliderData{Radius: radius},
		Body:      &components.BodyData{},
		Material:  &components.MaterialData{},
	}
}

// plane returns a static plane.
func plane(at, normal collide.Vec3) Thing {
	return Thing{
		Transform: components.TransformData{Position: at},
		Plane:     &components.PlaneColliderData{Normal: normal},
		Material:  &components.MaterialData{},
	}
}

// polygon returns a static polygon.
func polygon(at collide.Vec3, corners ...collide.Vec3) Thing {
	return Thing{
		Transform: components.TransformData{Position: at},
		Polygon:   &components.PolygonColliderData{Points: corners},
		Material:  &components.MaterialData{},
	}
}

// kinematic makes a thing kinematic.
func kinematic(t Thing, velocity collide.Vec3) Thing {
	t.Velocity = &components.VelocityData{Linear: velocity}
	t.Body = &components.BodyData{Kind: components.Kinematic}
	return t
}

// box adds six planes around the cube, or five without the one above.
func (b *builder) box(open bool) {
	for k, n := range []collide.Vec3{{Y: 1}, {X: 1}, {X: -1}, {Z: 1}, {Z: -1}, {Y: -1}} {
		if k == 5 && open {
			return
		}
		b.add(plane(n.Scale(-b.half), n))
	}
}

// fits reports whether t overlaps none of the things, and isn't closer to them than gap radii.
func fits(t *Thing, things []Thing, gap float64) bool {
	v := describe(t, collide.Vec3{}, (*Solid).turned)
	v.Start.Position = vector(t.Transform.Position)
	for k := range things {
		o := describe(&things[k], collide.Vec3{}, (*Solid).turned)
		o.Start.Position = vector(things[k].Transform.Position)
		a, c := &v, &o
		if a.Shape != verify.Sphere && a.Shape != verify.Convex {
			a, c = c, a
		}
		if a.Shape != verify.Sphere && a.Shape != verify.Convex {
			continue // neither of the two is one that package verify compares
		}
		if verify.Gap(a, c) < gap*a.Radius {
			return false
		}
	}
	return true
}

// try adds make() at a place where it overlaps nothing, if there is one in a few attempts.
func (b *builder) try(make func() Thing) *Thing {
	for range 20 {
		if t := make(); fits(&t, b.s.Things, 1e-6) {
			return b.add(t)
		}
	}
	return nil
}

// material returns a random material.
func (b *builder) material() *components.MaterialData {
	m := &components.MaterialData{Restitution: b.one(0, 0, 0.3, 0.5, 0.9, 1, 1, b.Float64())}
	if b.chance(0.5) {
		m.Friction = b.one(0.1, 0.5, 1, b.decades(1e-3, 100))
		if b.chance(0.2) {
			m.StaticFriction = m.Friction * b.between(1, 2)
		}
		if b.chance(0.2) {
			m.RollingResistance = b.decades(1e-3, 1)
		}
		if b.chance(0.2) {
			m.SpinningResistance = b.decades(1e-3, 1)
		}
	}
	if b.chance(0.2) {
		m.RestitutionCombine = components.CombineRule(b.IntN(6))
		m.FrictionCombine = components.CombineRule(b.IntN(6))
	}
	return m
}

// materials gives all things a material.
func (b *builder) materials() {
	for k := range b.s.Things {
		b.s.Things[k].Material = b.material()
	}
}

// spin gives a ball a rotation.
func (b *builder) spin(t *Thing, speed float64) {
	t.Spin = &components.AngularVelocityData{Angular: b.direction().Scale(min(1e11, speed/t.Sphere.Radius*b.Float64()))}
	if b.chance(0.2) {
		t.Spin.Damping = b.decades(0.01, 10)
	}
	if b.chance(0.2) {
		t.Spin.Inertia = 0.4 * mass(t) * t.Sphere.Radius * t.Sphere.Radius * b.between(0.2, 1.6)
	}
}

// mass returns the mass of a ball.
func mass(t *Thing) float64 {
	if t.Body == nil || t.Body.Mass == 0 {
		return 1
	}
	return t.Body.Mass
}

// balls adds up to n balls of random size, speed and mass. Spread is the ratio of the largest of
// these to the smallest.
func (b *builder) balls(n int, radius, speed, spread float64) {
	spins := b.chance(0.5)
	alike := b.chance(0.3)
	shared := b.material()
	for range n {
		r, v := b.decades(radius/math.Sqrt(spread), radius), b.decades(speed/spread, speed)
		m := b.decades(1/spread, spread)
		if alike {
			r, m = radius, 1
		}
		made := b.try(func() Thing {
			at := b.place()
			if b.hasGround {
				at.Y = b.low + r + b.half*b.Float64() // a ball below a one-sided ground stays there
			}
			return ball(at, b.direction().Scale(v), r)
		})
		if made == nil {
			continue
		}
		made.Body.Mass = m
		made.Material = b.material()
		if alike {
			c := *shared
			made.Material = &c
		}
		if spins {
			b.spin(made, speed)
		}
		if b.chance(0.05) {
			made.Body.LinearDamping = b.decades(0.01, 10)
		}
		if b.chance(0.05) {
			made.Body.GravityScale = b.one(-1, 0.5, 3)
		}
		if b.chance(0.03) {
			made.Force = &components.ForceData{Force: b.direction().Scale(m * b.decades(0.1, 100))}
		}
	}
}

// elastic makes all impacts of a scene lossless.
func (b *builder) elastic() {
	for k := range b.s.Things {
		if m := b.s.Things[k].Material; m != nil {
			*m = components.MaterialData{Restitution: 1}
		}
	}
}

// floor adds tiles at height y: squares, strips, triangles, with T-junctions or without.
func (b *builder) floor(y float64) {
	n := 2 + b.IntN(4)
	wide := 2 * b.half / float64(n)
	one := b.chance(0.5)
	tile := func(corners ...collide.Vec3) {
		t := polygon(vec(0, y, 0), corners...)
		t.Polygon.OneSided = one
		t.Material = b.material()
		b.add(t)
	}
	kind := b.IntN(4)
	for i := range n {
		x0, x1 := -b.half+float64(i)*wide, -b.half+float64(i+1)*wide
		if kind == 1 { // strips
			tile(vec(x0, 0, -b.half), vec(x0, 0, b.half), vec(x1, 0, b.half), vec(x1, 0, -b.half))
			continue
		}
		shift := 0.0
		if kind == 2 { // T-junctions
			shift = wide / 2 * float64(i%2)
		}
		for k := range n {
			z0, z1 := -b.half+float64(k)*wide+shift, -b.half+float64(k+1)*wide+shift
			a, c, d, e := vec(x0, 0, z0), vec(x0, 0, z1), vec(x1, 0, z1), vec(x1, 0, z0)
			if kind == 3 {
				tile(a, c, d)
				tile(a, d, e)
			} else {
				tile(a, c, d, e)
			}
		}
	}
}

// sheet returns a random flat convex polygon around the origin.
func (b *builder) sheet(size float64) []collide.Vec3 {
	n := b.direction()
	u, _ := n.Cross(vec(0.3, 0.5, 0.8)).Normalized()
	v := n.Cross(u)
	corners := 3 + b.IntN(4)
	list := make([]collide.Vec3, corners)
	turn := b.Float64()
	for k := range list {
		angle := 2 * math.Pi * (float64(k) + turn) / float64(corners)
		list[k] = u.Scale(size * math.Cos(angle)).Add(v.Scale(size * math.Sin(angle)))
	}
	return list
}
