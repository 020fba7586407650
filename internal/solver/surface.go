package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Surface is a shape, static or moving at a constant velocity, and what it is made of.
type Surface struct {
	statics.Shape                // without Sensor, which follows from Material
	SurfaceVelocity collide.Vec3 // of the surface of a conveyor, whose shape does not move, m/s
	Material        Material
}

// surfaceInfo is what the solver knows about a surface besides its shape.
type surfaceInfo struct {
	material        Material
	surfaceVelocity collide.Vec3
	speedScale      float64 // fraction of the commanded speed reached in the last step; 0 means 1
	supportsSleeper bool    // a sleeping body rests on it
}

// AddSurface returns the number of a new surface. Define it with SetSurface.
func (s *Space) AddSurface() int32 {
	k := s.statics.Add()
	s.surfaces = extendTo(s.surfaces, s.statics.Numbers(), surfaceInfo{})
	return k
}

// SetSurface defines or changes surface k.
func (s *Space) SetSurface(k int32, f Surface) {
	s.noteReplaced()
	s.wakeDependents(k)
	f.Sensor = f.Material.Sensor
	s.statics.Put(k, f.Shape)
	s.surfaces[k] = surfaceInfo{
		material: f.Material, surfaceVelocity: f.SurfaceVelocity, speedScale: s.surfaces[k].speedScale,
	}
	s.surfacesChanged = true
}

// RemoveSurface removes surface k. Its number is reused after the next step has begun.
func (s *Space) RemoveSurface(k int32) {
	s.noteReplaced()
	s.wakeDependents(k)
	s.statics.Remove(k)
	s.surfaces[k] = surfaceInfo{}
}

// Travelled returns how far surface k moved in the last step, m.
func (s *Space) Travelled(k int32) collide.Vec3 { return s.statics.Travelled(k) }

// Surfaces returns the number of surfaces.
func (s *Space) Surfaces() int { return s.statics.Len() }

// predictFirstSurface notes the surfaces that body i overlaps at the start of the step by more than
// rounding, and predicts its first impact with a surface.
func (s *Space) predictFirstSurface(i int32) {
	b := &s.bodies[i]
	if b.inverseMass == 0 || s.infos[i].material.Sensor || !s.statics.MayMeet(&b.x, &b.v, b.radius, 0) {
		return
	}
	known := len(s.overlapPairs)
	s.predictSurface(i, 0, float64(overlapTolerance*b.radius))
	if len(s.overlapPairs)-known > 1 { // no result may depend on the order of the tree
		slices.SortFunc(s.overlapPairs[known:], func(p, q overlapPair) int {
			return cmp.Or(cmp.Compare(s.kindOf(p.b), s.kindOf(q.b)), cmp.Compare(q.b, p.b))
		})
	}
}

// kindOf returns the kind of shape of the surface with a code.
func (s *Space) kindOf(code int32) statics.Kind { return s.statics.At(surfaceCode - code).Kind() }

// repredictSurfaces predicts the next impact of body i with a surface.
func (s *Space) repredictSurfaces(i int32, now float64) {
	b := &s.bodies[i]
	if (b.inverseMass != 0 || s.flags[i]&frozen != 0) && s.statics.MayMeet(&b.x, &b.v, b.radius, now) {
		s.predictSurface(i, now, math.Inf(1))
	}
}

// predictSurface adds the first impact of body i with a surface from now on to the calendar. It
// also notes the surfaces that the body overlaps by more than depth at the start of the step. Later
// in the step, depth is infinite.
func (s *Space) predictSurface(i int32, now, depth float64) {
	b := &s.bodies[i]
	t, k, n := s.statics.First(&b.x, &b.v, b.radius, now, depth,
		func(k int32) bool { return s.mayMeetSurface(i, k) },
		func(k int32) { s.noteSurfaceOverlap(i, k) })
	if k < 0 {
		return
	}
	if n != (collide.Vec3{}) {
		s.surfaceNormals[i] = n
	}
	s.push(t, i, surfaceCode-k)
}

// mayMeetSurface reports whether body i and surface k can have an impact.
func (s *Space) mayMeetSurface(i, k int32) bool {
	if !s.infos[i].material.collides(&s.surfaces[k].material) || s.infos[i].material.Sensor {
		return false
	}
	return !s.vetoed(s.infos[i].id, surfaceCode-k) && !s.slidesAlong(i, surfaceCode-k)
}

// stopSurface stops surface k, which moves, where it is at time t for the rest of the step, because
// what it pushes cannot yield.
func (s *Space) stopSurface(k int32, t float64) {
	if s.subdomain != nil {
		s.subdomain.invalidate()
		return
	}
	s.statics.Stop(k, t)
	s.Counts.Blocked++
	s.repredictNearSurface(k, t)
}

// repredictNearSurface predicts the next impacts with surfaces again, from time t on, of all bodies
// that may meet surface k. The velocity of the surface has changed, and predictions for the old one
// are void.
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

// gap returns the distance between body b and surface k at the end of the step, negative inside.
func (s *Space) gap(b *body, k int32) float64 {
	gap, _ := s.separation(b, k, s.Seconds)
	return gap
}

// separation returns the distance between body b at its position x and surface k as it is at time
// t, negative inside, and the unit normal there, from the surface to the body.
func (s *Space) separation(b *body, k int32, t float64) (float64, collide.Vec3) {
	return s.statics.At(k).Separation(b.x, b.radius, t)
}
