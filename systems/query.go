package systems

import (
	"iter"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Filter says which entities a query sees. The zero value sees everything but sensors.
type Filter struct {
	Layers  uint32                          // only what is in one of these layers; 0 stands for all
	As      *components.CollisionFilterData // only what would collide with this
	Except  []donburi.Entity                // not these
	Sensors bool                            // sensors too
	Accept  func(donburi.Entity) bool       // only those for which it returns true
}

// CastHit is what a cast found.
type CastHit struct {
	Entity   donburi.Entity
	Distance float64      // metres along the cast; 0 where it starts inside
	Point    collide.Vec3 // where the surfaces touch
	Normal   collide.Vec3 // unit length, out of what was hit
	Center   collide.Vec3 // the cast sphere's centre, or the end of the ray, at that distance
	Overlap  bool         // the cast started inside of Entity
}

// RayCast returns the first thing that a ray from origin along direction meets within maxDistance metres.
// Direction may have any length but zero.
func (p *Physics) RayCast(origin, direction collide.Vec3, maxDistance float64, filter Filter) (CastHit, bool) {
	return CastHit{}, false
}

// SphereCast returns the first thing that sphere meets when it moves maxDistance metres along direction.
func (p *Physics) SphereCast(sphere collide.Sphere, direction collide.Vec3, maxDistance float64, filter Filter) (CastHit, bool) {
	return CastHit{}, false
}

// RayCastAll and SphereCastAll return everything on the way, nearest first.
func (p *Physics) RayCastAll(origin, direction collide.Vec3, maxDistance float64, filter Filter) iter.Seq[CastHit] {
	return func(func(CastHit) bool) {}
}

// SphereCastAll returns everything on the sphere's way, nearest first.
func (p *Physics) SphereCastAll(sphere collide.Sphere, direction collide.Vec3, maxDistance float64, filter Filter) iter.Seq[CastHit] {
	return func(func(CastHit) bool) {}
}

// OverlapSphere returns what overlaps or touches sphere, in the order of entities.
func (p *Physics) OverlapSphere(sphere collide.Sphere, filter Filter) iter.Seq[donburi.Entity] {
	return func(func(donburi.Entity) bool) {}
}

// OverlapBox returns what overlaps or touches box, in the order of entities.
func (p *Physics) OverlapBox(box collide.AABB, filter Filter) iter.Seq[donburi.Entity] {
	return func(func(donburi.Entity) bool) {}
}

// Pair is two entities that could meet in this step.
type Pair struct{ A, B donburi.Entity }

// Candidates returns, between Broadphase and Response, the pairs that could meet if nothing turned them aside.
func (p *Physics) Candidates() iter.Seq[Pair] { return func(func(Pair) bool) {} }

// FirstImpacts returns, between Sweep and Response, the impacts that are due if nothing comes before them.
func (p *Physics) FirstImpacts() iter.Seq[Impact] { return func(func(Impact) bool) {} }

// Veto keeps a and b from colliding for the rest of this step. Call it between Broadphase and Response.
func (p *Physics) Veto(a, b donburi.Entity) {}
