package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Surface is a plane or a polygon, static or moving at a constant velocity.
type Surface struct {
	Plane           collide.Plane
	Polygon         *collide.Polygon // nil for an endless plane; otherwise Plane is the plane that it is in
	Offset          collide.Vec3     // from the polygon's corners to where they are when the step begins, metres
	TwoSided        bool
	Velocity        collide.Vec3 // metres per second
	SurfaceVelocity collide.Vec3 // how fast its surface runs, as a conveyor's does, without the shape moving, m/s
	Material        Material
}

// surfaceInfo is what the solver knows of a surface besides its shape.
type surfaceInfo struct {
	material        Material
	surfaceVelocity collide.Vec3
	speedScale      float64 // fraction of the commanded speed reached in the last step; 0 means 1
	supportsSleeper bool    // a sleeping body rests on it
}

// AddSurface makes room for a surface and returns its number. Fill it in with SetSurface.
func (s *Space) AddSurface() int32 {
	k := s.statics.Add()
	s.surfaces = extendTo(s.surfaces, s.statics.Numbers(), surfaceInfo{})
	return k
}

// SetSurface says what surface k is.
func (s *Space) SetSurface(k int32, f Surface) {
	s.wakeDependents(k)
	s.statics.Put(k, statics.Shape{
		Plane: f.Plane, Polygon: f.Polygon, Offset: f.Offset, TwoSided: f.TwoSided, Velocity: f.Velocity, Sensor: f.Material.Sensor,
	})
	s.surfaces[k] = surfaceInfo{material: f.Material, surfaceVelocity: f.SurfaceVelocity, speedScale: s.surfaces[k].speedScale}
	s.surfacesChanged = true
}

// RemoveSurface takes surface k out.
func (s *Space) RemoveSurface(k int32) {
	s.wakeDependents(k)
	s.statics.Remove(k)
	s.surfaces[k] = surfaceInfo{}
}

// Travelled returns how far surface k has moved in the last step.
func (s *Space) Travelled(k int32) collide.Vec3 { return s.statics.Travelled(k) }

// Surfaces returns how many surfaces there are.
func (s *Space) Surfaces() int { return s.statics.Len() }

// predictFirstSurface notes the surfaces that body i starts inside of by more than rounding, and
// predicts its first impact with one.
func (s *Space) predictFirstSurface(i int32) {
	b := &s.bodies[i]
	if b.inverseMass == 0 || s.infos[i].material.Sensor || !s.statics.MayMeet(&b.x, &b.v, b.radius, 0) {
		return
	}
	known := len(s.overlapPairs)
	s.predictSurface(i, 0, float64(overlapTolerance*b.radius))
	if len(s.overlapPairs)-known > 1 { // those with bounds come in an order of the tree's
		slices.SortFunc(s.overlapPairs[known:], func(p, q overlapPair) int {
			return cmp.Or(cmp.Compare(s.kindOf(p.b), s.kindOf(q.b)), cmp.Compare(q.b, p.b))
		})
	}
}

// kindOf returns which shape the surface with a code has.
func (s *Space) kindOf(code int32) statics.Kind { return s.statics.At(surfaceCode - code).Kind() }

// repredictSurfaces predicts the next impact of body i with a surface.
func (s *Space) repredictSurfaces(i int32, now float64) {
	b := &s.bodies[i]
	if (b.inverseMass != 0 || s.flags[i]&frozen != 0) && s.statics.MayMeet(&b.x, &b.v, b.radius, now) {
		s.predictSurface(i, now, math.Inf(1))
	}
}

// predictSurface puts the first impact of body i with a surface from now on in the calendar. It
// also notes the surfaces that the body is inside of by more than depth when the step begins;
// depth is infinite later in the step.
func (s *Space) predictSurface(i int32, now, depth float64) {
	b := &s.bodies[i]
	t, k, n := s.statics.First(&b.x, &b.v, b.radius, now, depth,
		func(k int32) bool { return s.meetSurface(i, k) },
		func(k int32) { s.noteSurfaceOverlap(i, k) })
	if k < 0 {
		return
	}
	if n != (collide.Vec3{}) {
		s.polygonNormals[i] = n
	}
	s.push(t, i, surfaceCode-k)
}

// meetSurface reports whether body i and surface k stop each other.
func (s *Space) meetSurface(i, k int32) bool {
	if !s.infos[i].material.collides(&s.surfaces[k].material) || s.infos[i].material.Sensor {
		return false
	}
	return !s.vetoed(s.infos[i].id, surfaceCode-k) && !s.slidesAlong(i, surfaceCode-k)
}

// stopSurface holds a moving surface where it is at time t for the rest of the step, because what
// it pushes can't give way.
func (s *Space) stopSurface(k int32, t float64) {
	if s.subdomain != nil {
		s.subdomain.invalidate()
		return
	}
	s.statics.Stop(k, t)
	s.Counts.Blocked++
	s.repredictNearSurface(k, t)
}

// repredictNearSurface predicts the next impacts with surfaces again, from time t on, of all bodies that come
// near surface k. The surface has another velocity now, and what was predicted with the old one
// is void.
func (s *Space) repredictNearSurface(k int32, t float64) {
	f := s.statics.At(k)
	for i := range s.infos {
		if s.flags[i]&(alive|stale) != alive {
			continue
		}
		b := &s.bodies[i]
		ball := collide.Sphere{Center: b.at(t), Radius: b.radius}
		if f.MayBeMet(collide.SweptAABB(ball, b.v, s.Seconds-t)) {
			s.repredictSurfaces(int32(i), t)
		}
	}
}

// gap returns how far body b is from surface k at the end of the step, negative inside.
func (s *Space) gap(b *body, k int32) float64 {
	gap, _ := s.separation(b, k, s.Seconds)
	return gap
}

// separation returns how far body b's position x is from surface k as it is at time t, and the
// normal there.
func (s *Space) separation(b *body, k int32, t float64) (float64, collide.Vec3) {
	return s.statics.At(k).Separation(b.x, b.radius, t)
}
