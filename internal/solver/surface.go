package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Surface is a plane or a polygon, static or moving at a constant velocity.
type Surface struct {
	Plane    collide.Plane
	Polygon  *collide.Polygon // nil for an endless plane; the plane is then this one's
	Offset   collide.Vec3     // where the polygon's frame is when the step begins
	TwoSided bool
	Velocity collide.Vec3
	Material Material
}

// surface is a Surface in its step.
type surface struct {
	Surface
	rate   float64      // how fast the plane moves along its normal
	bounds collide.AABB // of a polygon, over the whole step
	stamp  uint32
	key    uint32
	alive  bool

	come collide.Vec3 // how far it had come when it was stopped
}

// travelled returns how far a surface has come at time t.
func (f *surface) travelled(t float64) collide.Vec3 { return f.come.AddScaled(t, f.Velocity) }

// shift returns where a polygon's frame is at time t.
func (f *surface) shift(t float64) collide.Vec3 { return f.Offset.Add(f.travelled(t)) }

// AddSurface makes room for a surface and returns its number. Fill it in with SetSurface.
func (s *Space) AddSurface() int32 {
	s.listed = false
	if n := len(s.freeSurfaces); n > 0 {
		k := s.freeSurfaces[n-1]
		s.freeSurfaces = s.freeSurfaces[:n-1]
		s.surfaces[k] = surface{alive: true}
		return k
	}
	s.surfaces = append(s.surfaces, surface{alive: true})
	return int32(len(s.surfaces) - 1)
}

// SetSurface says what surface k is.
func (s *Space) SetSurface(k int32, f Surface) {
	s.surfaces[k] = surface{Surface: f, alive: true, stamp: s.surfaces[k].stamp + 1}
	s.listed, s.restless = false, true
}

// RemoveSurface takes surface k out.
func (s *Space) RemoveSurface(k int32) {
	s.surfaces[k] = surface{stamp: s.surfaces[k].stamp}
	s.freeSurfaces = append(s.freeSurfaces, k)
	s.listed = false
}

// Travelled returns how far surface k has moved in the last step.
func (s *Space) Travelled(k int32) collide.Vec3 {
	return s.surfaces[k].travelled(s.Seconds)
}

// Material returns the material of a body, by its id, or a surface, by its code.
func (s *Space) Material(code int32) Material {
	if code >= 0 {
		return s.materials[s.index[code]]
	}
	return s.surfaces[surfaceCode-code].Material
}

// Surfaces returns how many surfaces there are.
func (s *Space) Surfaces() int { return len(s.surfaces) - len(s.freeSurfaces) }

// listSurfaces sorts the surfaces by what is to be done with them.
func (s *Space) listSurfaces() {
	if !s.listed {
		s.solid, s.sensing, s.planes = s.solid[:0], s.sensing[:0], 0
		for k := range s.surfaces {
			switch f := &s.surfaces[k]; {
			case !f.alive:
			case f.Material.Sensor:
				s.sensing = append(s.sensing, int32(k))
			case f.Polygon == nil:
				s.solid = append(s.solid, int32(k))
				s.planes++
			}
		}
		for k := range s.surfaces {
			if f := &s.surfaces[k]; f.alive && !f.Material.Sensor && f.Polygon != nil {
				s.solid = append(s.solid, int32(k))
			}
		}
		s.listed = true
	}
	for k := range s.surfaces {
		f := &s.surfaces[k]
		if !f.alive {
			continue
		}
		f.rate = f.Plane.Normal.Dot(f.Velocity)
		f.key = hash(f.Plane.Normal, collide.Vec3{X: f.Plane.Distance})
		if f.Polygon != nil {
			b := f.Polygon.Bounds().Translate(f.Offset)
			f.bounds = b.Union(b.Translate(f.Velocity.Scale(s.Seconds)))
			c := b.Center()
			f.key += hash(c, b.Max)
		}
	}
}

// sweepSurfaces foresees the next impact of body i with a surface.
func (s *Space) sweepSurfaces(i int32, now float64) {
	b, until := &s.bodies[i], s.Seconds
	if b.inverseMass == 0 && s.flags[i]&frozen == 0 {
		return
	}
	first, which := math.Inf(1), int32(-1)
	for _, k := range s.solid[:s.planes] {
		f := &s.surfaces[k]
		gap := f.Plane.Normal.Dot(b.x) - f.Plane.Distance
		rate := f.Plane.Normal.Dot(b.v) - f.rate
		if f.TwoSided {
			if gap+float64(rate*now) < 0 { // it is behind: look from there
				gap, rate = -gap, -rate
			}
		}
		gap -= b.radius
		if rate >= 0 || gap+float64(rate*until) > 0 {
			continue
		}
		if -rate <= flat(f.Plane.Normal, b.v, f.Velocity) || !s.meetSurface(i, k) {
			continue
		}
		t := max(now, gap/-rate)
		if t < first || t == first && f.key < s.surfaces[which].key {
			first, which = t, k
		}
	}
	if s.planes < len(s.solid) {
		p := b.at(now)
		path := collide.SweptAABB(collide.Sphere{Center: p, Radius: b.radius}, b.v, until-now)
		for _, k := range s.solid[s.planes:] {
			f := &s.surfaces[k]
			if !path.Overlaps(f.bounds) || !s.meetSurface(i, k) {
				continue
			}
			t, n, ok := s.sweepPolygon(b, f, now)
			if !ok {
				continue
			}
			if t < first || t == first && f.key < s.surfaces[which].key {
				first, which = t, k
				s.pending[i] = n
			}
		}
	}
	if which >= 0 {
		s.push(first, i, surfaceCode-which)
	}
}

// sweepPolygon returns when body b, seen from now, first touches polygon f within the step, and the normal there.
func (s *Space) sweepPolygon(b *body, f *surface, now float64) (float64, collide.Vec3, bool) {
	ball := collide.Sphere{Center: b.at(now), Radius: b.radius}
	ball.Center = ball.Center.Sub(f.shift(now)) // the polygon stays where it was when the step began
	sweep := collide.SweepSpherePolygon
	if !f.TwoSided {
		sweep = collide.SweepSpherePolygonFront
	}
	c, outcome := sweep(ball, b.v, *f.Polygon, f.Velocity, s.Seconds-now)
	if outcome == collide.Miss || -(c.Normal.Dot(b.v)-c.Normal.Dot(f.Velocity)) <= flat(c.Normal, b.v, f.Velocity) {
		return 0, collide.Vec3{}, false
	}
	return min(now+c.Time, s.Seconds), c.Normal, true
}

// flat bounds the rounding error of n·v - n·u: a body that approaches a surface no faster than that moves along it.
// Three products and three sums each, every one rounded by half an ulp of at most |v| or |u|.
func flat(n, v, u collide.Vec3) float64 {
	return float64(8*0x1p-53) * (abs1(v) + abs1(u))
}

func abs1(v collide.Vec3) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// meetSurface reports whether body i and surface k have to do with each other.
func (s *Space) meetSurface(i, k int32) bool {
	if !s.materials[i].collides(&s.surfaces[k].Material) || s.materials[i].Sensor {
		return false
	}
	return !s.vetoed(s.infos[i].id, surfaceCode-k) && !s.slidesOn(i, surfaceCode-k)
}

// stopSurface holds a moving surface where it is at time t for the rest of the step, because what it pushes can't give way.
func (s *Space) stopSurface(k int32, t float64) {
	if s.share != nil {
		s.share.fail()
		return
	}
	f := &s.surfaces[k]
	f.come = f.Velocity.Scale(t)
	if f.Polygon == nil {
		f.Plane.Distance += float64(f.rate * t)
	}
	f.rate, f.Velocity = 0, collide.Vec3{}
	f.stamp++
	s.Counts.Blocked++
	for i := range s.infos {
		if s.flags[i]&alive != 0 {
			s.sweepSurfaces(int32(i), t)
		}
	}
}

// gap returns how far body b is from surface k, negative inside.
func (s *Space) gap(b *body, k int32) float64 {
	gap, _ := s.separation(b, k, s.Seconds)
	return gap
}

// separation returns how far body b's position x is from surface k as it is at time t, and the normal there.
func (s *Space) separation(b *body, k int32, t float64) (float64, collide.Vec3) {
	f := &s.surfaces[k]
	if f.Polygon != nil {
		p := b.x.Sub(f.shift(t))
		q := f.Polygon.ClosestPoint(p)
		n, ok := p.Sub(q).Normalized()
		front := f.Polygon.Plane().SignedDistance(p) >= 0
		if !ok {
			n = f.Plane.Normal
		}
		if !f.TwoSided && !front {
			return p.Distance(q), n // what is behind passes
		}
		return p.Distance(q) - b.radius, n
	}
	h, n := f.Plane.Normal.Dot(b.x)-f.Plane.Distance-float64(f.rate*t), f.Plane.Normal
	if f.TwoSided && h < 0 {
		h, n = -h, n.Neg()
	}
	return h - b.radius, n
}
