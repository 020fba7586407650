package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Obstacle is a body or surface near something that moves on its own after a step, such as a
// character. It sees the obstacle on the chord of its motion in that step.
type Obstacle struct {
	Handle      Handle
	Velocity    collide.Vec3 // mean velocity in the last step, m/s; that of its origin if it rotates
	InverseMass float64      // 1/kg; 0 for what no impact moves
	Turns       bool         // it is a surface that rotates: see PointVelocity
}

// Obstacles appends to out what may touch box in the last step, without sensors, for which accept
// is true. If fixed is set, it leaves out what impacts move. It is for the time between two steps.
func (s *Space) Obstacles(box collide.AABB, fixed bool, accept func(Handle) bool, out []Obstacle) []Obstacle {
	near := s.obstacles[:0]
	find := func(i int32) {
		f, b := &s.infos[i], &s.bodies[i]
		if s.flags[i]&alive == 0 || f.material.Sensor || fixed && b.inverseMass > 0 {
			return
		}
		room := collide.SweptAABB(collide.Sphere{Center: b.x, Radius: b.radius}, s.startPositions[i].Sub(b.x), 1)
		if room.Overlaps(box) && accept(BodyHandle(f.id)) {
			near = append(near, i)
		}
	}
	s.eachNearInStep(box, find)
	slices.SortFunc(near, s.comparePlaces) // no result may depend on cells
	for _, i := range slices.Compact(near) {
		out = append(out, s.bodyObstacle(i))
	}
	s.obstacles = near
	s.statics.Update(s.Seconds)
	var surfaces statics.Cursor
	s.statics.AllNear(&surfaces, box)
	for k, ok := surfaces.Next(); ok; k, ok = surfaces.Next() {
		if f := s.statics.At(k); !f.Sensor && accept(SurfaceHandle(k)) {
			out = append(out, s.surfaceObstacle(k))
		}
	}
	return out
}

// comparePlaces orders bodies by their places.
func (s *Space) comparePlaces(i, j int32) int {
	a, b := &s.bodies[i].x, &s.bodies[j].x
	switch { // not cmp.Or, which would compare all of them each time
	case a.X != b.X:
		return cmp.Compare(a.X, b.X)
	case a.Y != b.Y:
		return cmp.Compare(a.Y, b.Y)
	case a.Z != b.Z:
		return cmp.Compare(a.Z, b.Z)
	}
	return cmp.Compare(s.infos[i].id, s.infos[j].id)
}

// ObstacleOf returns what Obstacles would say about a body or surface.
func (s *Space) ObstacleOf(h Handle) Obstacle {
	if h.IsSurface() {
		return s.surfaceObstacle(h.Surface())
	}
	return s.bodyObstacle(s.index[h.Body()])
}

func (s *Space) bodyObstacle(i int32) Obstacle {
	b := &s.bodies[i]
	o := Obstacle{Handle: BodyHandle(s.infos[i].id), InverseMass: b.inverseMass}
	if b.x != s.startPositions[i] {
		o.Velocity = b.x.Sub(s.startPositions[i]).Scale(1 / s.Seconds)
	}
	return o
}

func (s *Space) surfaceObstacle(k int32) Obstacle {
	o := Obstacle{Handle: SurfaceHandle(k), Turns: s.statics.At(k).Turns()}
	if d := s.statics.Travelled(k); d != (collide.Vec3{}) {
		o.Velocity = d.Scale(1 / s.Seconds)
	}
	return o
}

// PointVelocity returns the mean velocity in the last step of the point of a surface that is at p
// at the end of the step, m/s.
func (s *Space) PointVelocity(h Handle, p collide.Vec3) collide.Vec3 {
	return p.Sub(s.statics.At(h.Surface()).Began(p, s.Seconds)).Scale(1 / s.Seconds)
}

// SweepSphere sweeps a sphere at velocity v against a body or surface as it is at the end of the
// step. A sphere of radius 0 is a ray.
func (s *Space) SweepSphere(
	h Handle, shape collide.Sphere, v collide.Vec3, seconds float64,
) (collide.Contact, collide.Outcome) {
	if !h.IsSurface() {
		if i := s.index[h.Body()]; s.flags[i]&shaped != 0 {
			return s.sweepBody(shape, v, i, seconds)
		}
		return collide.SweepSphereSphere(shape, v, s.ball(h), collide.Vec3{}, seconds)
	}
	return s.statics.At(h.Surface()).Cast(shape, v, seconds, s.queryTime)
}

// SweepCapsule is SweepSphere for a capsule. near has the triangles of a mesh around it, and may be
// nil.
func (s *Space) SweepCapsule(
	h Handle, shape collide.Capsule, v collide.Vec3, seconds float64, near *collide.MeshNear,
) (collide.Contact, collide.Outcome) {
	if !h.IsSurface() {
		return s.sweepBody(shape, v, s.index[h.Body()], seconds)
	}
	return s.statics.At(h.Surface()).CastCapsule(shape, v, seconds, s.queryTime, near)
}

// SweepBox is SweepSphere for a box.
func (s *Space) SweepBox(
	h Handle, shape collide.Box, v collide.Vec3, seconds float64,
) (collide.Contact, collide.Outcome) {
	if !h.IsSurface() {
		return s.sweepBody(shape, v, s.index[h.Body()], seconds)
	}
	return s.statics.At(h.Surface()).CastBox(shape, v, seconds, s.queryTime)
}

// MayTouch is a quick test: it returns false only if a body, as it is at the end of the step, has
// no point in a box that moves by way.
func (s *Space) MayTouch(h Handle, box collide.AABB, way collide.Vec3) bool {
	b := &s.bodies[s.index[h.Body()]]
	const rounding = 0x1p-40 // of coordinates, and far more
	r := b.radius + float64(rounding*(box.Min.SumAbs()+box.Max.SumAbs()+way.SumAbs()))
	return b.x.X-r <= box.Max.X+max(0, way.X) && b.x.X+r >= box.Min.X+min(0, way.X) &&
		b.x.Y-r <= box.Max.Y+max(0, way.Y) && b.x.Y+r >= box.Min.Y+min(0, way.Y) &&
		b.x.Z-r <= box.Max.Z+max(0, way.Z) && b.x.Z+r >= box.Min.Z+min(0, way.Z)
}

// MeetingSpeed returns how fast a body that moves at v, m/s, for the given seconds from where it is
// at the end of the step would meet the first thing in its way, m/s, relative to that, and 0 for
// nothing.
func (s *Space) MeetingSpeed(id int32, v collide.Vec3, seconds float64) (speed float64) {
	direction, ok := v.Normalized()
	if !ok {
		return 0
	}
	i, distance := s.index[id], float64(v.Length()*seconds)
	probe := s.probeOf(i)
	hit, stopped := s.Cast(&probe, direction, distance, func(h Handle) bool {
		return int32(h) != id && s.blocks(i, int32(h), direction, distance)
	})
	if !stopped {
		return 0
	}
	return max(0, hit.Normal.Dot(s.ObstacleOf(hit.Handle).Velocity.Sub(v)))
}

// ball returns the shape of a body at the end of the step.
func (s *Space) ball(h Handle) collide.Sphere {
	b := &s.bodies[s.index[h.Body()]]
	return collide.Sphere{Center: b.x, Radius: b.radius}
}

// SeparateObstacle returns the gap between a convex shape and a body or surface as it is at the end
// of the step. It returns false if the surface doesn't stop the shape because that is behind it.
func (s *Space) SeparateObstacle(h Handle, shape collide.Convex) (collide.Gap, bool) {
	if !h.IsSurface() {
		return s.separateBody(shape, s.index[h.Body()]), true
	}
	return s.statics.At(h.Surface()).Gap(shape, s.queryTime)
}

// OneWay returns the plane of a one-sided polygon as it is at the end of the step, and false for
// everything else.
func (s *Space) OneWay(h Handle) (collide.Plane, bool) {
	if !h.IsSurface() {
		return collide.Plane{}, false
	}
	return s.statics.At(h.Surface()).OneWay(s.queryTime)
}

// SurfaceVelocityAt returns how fast the surface of a body or surface moves at a point, relative to
// the Velocity of its Obstacle, m/s: by rotation, or as a conveyor. The point of a surface is where
// the step begins, and the velocity the mean one of the step.
func (s *Space) SurfaceVelocityAt(h Handle, point collide.Vec3) collide.Vec3 {
	if h.IsSurface() {
		k := h.Surface()
		v := s.surfaces[k].surfaceVelocity
		if f := s.statics.At(k); f.Turns() {
			mean := f.Carried(point, 0, s.Seconds).Sub(point).Scale(1 / s.Seconds)
			v = v.Add(mean.Sub(s.surfaceObstacle(k).Velocity))
		}
		return v
	}
	i := s.index[h.Body()]
	if s.flags[i]&hasSpin == 0 {
		return collide.Vec3{}
	}
	return s.spins[s.infos[i].id].angularVelocity.Cross(point.Sub(s.bodies[i].x))
}

// PlaceHash returns a hash of a body or surface, of where it is, and of its shape. For a surface it
// changes with everything that is changed about it.
func (s *Space) PlaceHash(h Handle) uint64 {
	if h.IsSurface() {
		k := h.Surface()
		return mix(uint64(uint32(k))<<32 | uint64(s.statics.At(k).Stamp))
	}
	i := s.index[h.Body()]
	return mix(PointHash(s.bodies[i].x) + mix(uint64(uint32(h.Body()))<<32|uint64(s.infos[i].traits)))
}

// PointHash returns a hash of a point.
func PointHash(p collide.Vec3) uint64 {
	return mix(math.Float64bits(p.X) + mix(math.Float64bits(p.Y)+mix(math.Float64bits(p.Z))))
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
