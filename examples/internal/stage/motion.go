package stage

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// knot is the place of a body at an impact within a step.
type knot struct {
	part float64 // of the step, 0 to 1
	at   collide.Vec3
}

// stepped forgets the paths of the last step.
func (c *Canvas) stepped() { clear(c.paths) }

// Pose returns where to draw a sphere: where it is after the step, or in slow motion where it is
// within the step, which has 1/60 s. Then it is on its path, which goes straight from impact to
// impact.
func (c *Canvas) Pose(p *systems.Physics, e *donburi.Entry) components.TransformData {
	end := *components.Transform.Get(e)
	if c.Part >= 1 || c.Part == 0 {
		return end
	}
	// The physics of a game that runs whole steps has kept no time, so this is the beginning.
	begin, ok := p.Interpolated(e.Entity())
	if !ok {
		return end
	}
	from, to := knot{0, begin.Position}, knot{1, end.Position}
	for _, k := range c.path(p, e.World)[e.Entity()] {
		if k.part > c.Part {
			to = k
			break
		}
		from = k
	}
	pose := end
	pose.Position = from.at
	if to.part > from.part {
		pose.Position = from.at.Lerp(to.at, (c.Part-from.part)/(to.part-from.part))
	}
	a, b := begin.Rotation, end.Rotation
	if a.X*b.X+a.Y*b.Y+a.Z*b.Z+a.W*b.W < 0 {
		b = collide.Quat{X: -b.X, Y: -b.Y, Z: -b.Z, W: -b.W}
	}
	t := c.Part
	mixed := collide.Quat{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y), Z: a.Z + t*(b.Z-a.Z), W: a.W + t*(b.W-a.W)}
	if mixed.LengthSquared() > 0 {
		pose.Rotation = mixed.Normalized()
	}
	return pose
}

// Path returns the way of a sphere from the beginning of the step to where [Canvas.Pose] draws it,
// with a corner at each impact.
func (c *Canvas) Path(p *systems.Physics, e *donburi.Entry) []collide.Vec3 {
	end := c.Pose(p, e).Position
	begin, ok := p.Interpolated(e.Entity())
	if !ok {
		return []collide.Vec3{end}
	}
	way := []collide.Vec3{begin.Position}
	for _, k := range c.path(p, e.World)[e.Entity()] {
		if k.part <= c.Part {
			way = append(way, k.at)
		}
	}
	return append(way, end)
}

// path returns the impacts of the last step by body, in chronological order.
func (c *Canvas) path(p *systems.Physics, w donburi.World) map[donburi.Entity][]knot {
	if paths := c.paths[p]; paths != nil {
		return paths
	}
	paths := map[donburi.Entity][]knot{}
	for i := range p.Impacts() {
		part := i.Time * 60
		for _, side := range []struct {
			e    donburi.Entity
			sign float64
		}{{i.A, 1}, {i.B, -1}} {
			if w.Valid(side.e) && w.Entry(side.e).HasComponent(components.SphereCollider) {
				r := components.SphereCollider.Get(w.Entry(side.e)).Radius
				paths[side.e] = append(paths[side.e], knot{part, i.Point.AddScaled(side.sign*r, i.Normal)})
			}
		}
	}
	if c.paths == nil {
		c.paths = map[*systems.Physics]map[donburi.Entity][]knot{}
	}
	c.paths[p] = paths
	return paths
}

// bodies are all spheres that move.
var bodies = donburi.NewQuery(filter.Contains(components.Velocity, components.SphereCollider, components.Body))

// SetGravity lets the bodies of a world fall with a fraction of its gravity.
func SetGravity(w donburi.World, fraction float64) {
	for e := range bodies.Iter(w) {
		b := components.Body.Get(e)
		b.GravityScale, b.Weightless = fraction, fraction == 0
	}
}

// SetMaterial gives all bodies of a world this restitution and friction.
func SetMaterial(w donburi.World, restitution, friction float64) {
	for e := range bodies.Iter(w) {
		if e.HasComponent(components.Material) {
			m := components.Material.Get(e)
			m.Restitution, m.Friction = restitution, friction
		}
	}
}
