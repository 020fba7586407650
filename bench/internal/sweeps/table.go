package sweeps

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/systems"
)

// kind is one of the sweeps.
type kind struct {
	mover  func(g *generator, size float64) mover
	target func(g *generator, at vec) *target
	sweep  func(s *scene) (collide.Contact, collide.Outcome)
	still  bool // the target doesn't move
	ray    bool // starts inside are reported in another way
	thrown bool // the mover has an acceleration
	flat   bool // in the plane z = 0
}

// of returns the target's shape.
func of[T any](s *scene) T { return s.target.shape.(T) }

func (s *scene) sphere() collide.Sphere { return s.mover.make(s.at).(collide.Sphere) }

func (s *scene) throw() collide.Throw {
	return collide.Throw{Position: s.at, Velocity: s.v, Acceleration: s.pull}
}

func (s *scene) ray() collide.Ray { return collide.Ray{Origin: s.at, Direction: s.v} }

func fromMesh(c collide.MeshContact, o collide.Outcome) (collide.Contact, collide.Outcome) {
	return c.Contact, o
}

// ballSweep is a sweep of package collide of a sphere against a T.
type ballSweep[T any] func(collide.Sphere, vec, T, vec, float64) (collide.Contact, collide.Outcome)

func ofBall[T any](target string, f ballSweep[T]) kind {
	return kind{
		mover: movers["sphere"], target: targets[target],
		sweep: func(s *scene) (collide.Contact, collide.Outcome) {
			return f(s.sphere(), s.v, of[T](s), s.vb, s.horizon)
		},
	}
}

func ofRay[T any](target string, f func(collide.Ray, T, float64) (collide.Contact, collide.Outcome)) kind {
	return kind{
		mover: movers["point"], target: targets[target], still: true, ray: true,
		sweep: func(s *scene) (collide.Contact, collide.Outcome) { return f(s.ray(), of[T](s), s.horizon) },
	}
}

func ofConvex[T any](
	mover, target string, f func(collide.Convex, vec, T, vec, float64) (collide.Contact, collide.Outcome),
) kind {
	return kind{
		mover: movers[mover], target: targets[target],
		sweep: func(s *scene) (collide.Contact, collide.Outcome) {
			return f(s.mover.make(s.at), s.v, of[T](s), s.vb, s.horizon)
		},
	}
}

func ofThrow[T any](target string, f func(s *scene, r float64, b T) (collide.Contact, collide.Outcome)) kind {
	return kind{
		mover: movers["sphere"], target: targets[target], thrown: true,
		sweep: func(s *scene) (collide.Contact, collide.Outcome) { return f(s, s.sphere().Radius, of[T](s)) },
	}
}

// castIn is a cast in a world.
func castIn(mover, target string) kind {
	return kind{
		mover: movers[mover], target: targets[target], still: true, ray: mover == "point",
		sweep: func(s *scene) (collide.Contact, collide.Outcome) {
			p, speed := of[*systems.Physics](s), s.v.Length()
			var h systems.CastHit
			var ok bool
			switch shape := s.mover.make(s.at).(type) {
			case collide.Sphere:
				h, ok = p.SphereCast(shape, s.v, s.horizon*speed, systems.Filter{})
			case collide.Capsule:
				h, ok = p.CapsuleCast(shape, s.v, s.horizon*speed, systems.Filter{})
			case collide.Box:
				h, ok = p.BoxCast(shape, s.v, s.horizon*speed, systems.Filter{})
			default:
				h, ok = p.ShapeCast(shape, s.v, s.horizon*speed, systems.Filter{})
			}
			c := collide.Contact{Time: h.Distance / speed, Point: h.Point, Normal: h.Normal, CenterA: h.Center}
			switch {
			case !ok:
				return c, collide.Miss
			case h.Overlap:
				return c, collide.Overlap
			}
			return c, collide.Hit
		},
	}
}

// group is the sweeps of one function.
type group struct {
	name  string
	kinds []kind
}

// groups are all sweeps, by the function that computes them.
func groups() (all []group) {
	add := func(name string, kinds ...kind) { all = append(all, group{name, kinds}) }
	point := func(a collide.Sphere, va, b, vb vec, h float64) (collide.Contact, collide.Outcome) {
		return collide.SweepSpherePoint(a, va, b, vb, h)
	}
	add("SweepSpherePoint", ofBall("point", point))
	add("SweepSphereSphere", ofBall("sphere", collide.SweepSphereSphere))
	add("SweepSphereSegment", ofBall("segment", collide.SweepSphereSegment))
	add("SweepSphereCapsule", ofBall("capsule", collide.SweepSphereCapsule))
	add("SweepSphereTriangle", ofBall("triangle", collide.SweepSphereTriangle))
	add("SweepSphereTriangleFront", ofBall("triangle front", collide.SweepSphereTriangleFront))
	add("SweepSpherePolygon", ofBall("polygon", collide.SweepSpherePolygon))
	add("SweepSpherePolygonFront", ofBall("polygon front", collide.SweepSpherePolygonFront))
	add("SweepSpherePlane", ofBall("plane", collide.SweepSpherePlane))
	add("SweepSpherePlaneFront", ofBall("plane front", collide.SweepSpherePlaneFront))
	add("SweepSphereCylinder", ofBall("cylinder", collide.SweepSphereCylinder))
	ballMesh := func(a collide.Sphere, va vec, b *collide.Mesh, vb vec, h float64) (collide.Contact, collide.Outcome) {
		return fromMesh(collide.SweepSphereMesh(a, va, b, vb, h))
	}
	add("SweepSphereMesh", ofBall("mesh", ballMesh), ofBall("two-sided mesh", ballMesh))
	add("SweepSphereHeightField", ofBall("height field",
		func(a collide.Sphere, va vec, b *collide.HeightField, vb vec, h float64) (collide.Contact, collide.Outcome) {
			return fromMesh(collide.SweepSphereHeightField(a, va, b, vb, h))
		}))
	box := ofConvex("AABB", "AABB", func(a collide.Convex, va vec, b collide.AABB, vb vec, h float64) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepAABBAABB(a.(collide.AABB), va, b, vb, h)
	})
	add("SweepAABBAABB", box)
	add("Sweep", convexPairs()...)
	var planes, halves, meshes, fields, flats, casts []kind
	for _, m := range []string{"sphere", "capsule", "AABB", "box", "hull"} {
		planes = append(planes, ofConvex(m, "plane", collide.SweepConvexPlane))
		halves = append(halves, ofConvex(m, "half space", collide.SweepConvexHalfSpace))
	}
	overMesh := func(a collide.Convex, va vec, b *collide.Mesh, vb vec, h float64) (collide.Contact, collide.Outcome) {
		return fromMesh(collide.SweepMesh(a, va, b, vb, h))
	}
	overField := func(a collide.Convex, va vec, b *collide.HeightField, vb vec, h float64) (
		collide.Contact, collide.Outcome,
	) {
		return fromMesh(collide.SweepHeightField(a, va, b, vb, h))
	}
	for _, m := range []string{"capsule", "box", "hull"} {
		meshes = append(meshes, ofConvex(m, "mesh", overMesh), ofConvex(m, "two-sided mesh", overMesh))
		fields = append(fields, ofConvex(m, "height field", overField))
	}
	for _, m := range []string{"sphere", "capsule", "box2D"} {
		for _, t := range []string{"chain2D", "polygon2D"} {
			k := ofConvex(m, t, overMesh)
			k.flat = true
			flats = append(flats, k)
		}
	}
	for _, m := range []string{"point", "sphere", "capsule", "box", "hull"} {
		casts = append(casts, castIn(m, "compound"))
	}
	add("SweepConvexPlane", planes...)
	add("SweepConvexHalfSpace", halves...)
	add("SweepMesh", meshes...)
	add("SweepHeightField", fields...)
	add("NewChain2D, NewPolygon2D", flats...)
	add("casts at a compound", casts...)
	add("RayCastSphere", ofRay("sphere", collide.RayCastSphere))
	add("RayCastCapsule", ofRay("capsule", collide.RayCastCapsule))
	add("RayCastPlane", ofRay("plane", collide.RayCastPlane))
	add("RayCastAABB", ofRay("AABB", collide.RayCastAABB))
	add("RayCastCylinder", ofRay("cylinder", collide.RayCastCylinder))
	add("RayCast", ofRay("box", collide.RayCast), ofRay("hull", collide.RayCast), ofRay("placed", collide.RayCast))
	all = append(all, surfaceRays()...)
	return append(all, throws()...)
}

// convexPairs are the pairs of collide.Sweep.
func convexPairs() (kinds []kind) {
	for _, a := range []string{"sphere", "capsule", "AABB", "box", "hull"} {
		for _, b := range []string{
			"sphere", "capsule", "segment", "triangle", "polygon", "AABB", "box", "hull", "placed",
		} {
			kinds = append(kinds, ofConvex(a, b, collide.Sweep))
		}
	}
	return kinds
}

// surfaceRays are casts of rays at what has no volume.
func surfaceRays() (all []group) {
	add := func(name string, kinds ...kind) { all = append(all, group{name, kinds}) }
	add("RayCastTriangle", ofRay("triangle", collide.RayCastTriangle))
	add("RayCastPolygon", ofRay("polygon", collide.RayCastPolygon))
	meshRay := func(r collide.Ray, m *collide.Mesh, h float64) (collide.Contact, collide.Outcome) {
		return fromMesh(collide.RayCastMesh(r, m, h))
	}
	add("RayCastMesh", ofRay("mesh", meshRay), ofRay("two-sided mesh", meshRay))
	add("RayCastHeightField", ofRay("height field",
		func(r collide.Ray, f *collide.HeightField, h float64) (collide.Contact, collide.Outcome) {
			return fromMesh(collide.RayCastHeightField(r, f, h))
		}))
	return all
}

// throws are the sweeps of spheres that fly along parabolas.
func throws() (all []group) {
	add := func(name string, kinds ...kind) { all = append(all, group{name, kinds}) }
	add("SweepThrownSpherePlane", ofThrow("plane", func(s *scene, r float64, b collide.Plane) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSpherePlane(s.throw(), r, b, false, s.vb, s.horizon)
	}))
	add("SweepThrownSphereSphere", ofThrow("sphere", func(s *scene, r float64, b collide.Sphere) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSphereSphere(s.throw(), r, b, s.vb, s.horizon)
	}))
	add("SweepThrownSphereSegment", ofThrow("segment", func(s *scene, r float64, b collide.Segment) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSphereSegment(s.throw(), r, b, s.vb, s.horizon)
	}))
	add("SweepThrownSphereCapsule", ofThrow("capsule", func(s *scene, r float64, b collide.Capsule) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSphereCapsule(s.throw(), r, b, s.vb, s.horizon)
	}))
	add("SweepThrownSpherePolygon", ofThrow("polygon", func(s *scene, r float64, b collide.Polygon) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSpherePolygon(s.throw(), r, b, false, s.vb, s.horizon)
	}))
	add("SweepThrownSphereBox", ofThrow("box", func(s *scene, r float64, b collide.Convex) (
		collide.Contact, collide.Outcome,
	) {
		return collide.SweepThrownSphereBox(s.throw(), r, b.(collide.Box), s.vb, s.horizon)
	}))
	return all
}
