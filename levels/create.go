package levels

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// TriggerLayer is the layer of triggers without the property "layers". A query with
// [systems.Filter].Layers of this value finds triggers only.
//
// [systems.Filter]: https://pkg.go.dev/github.com/dango-physics/dango/systems#Filter
const TriggerLayer uint32 = 1 << 31

// Object is the component type of [ObjectData]. [Level.Create] gives it to each collider, so that a
// game finds out what a contact is about.
var Object = donburi.NewComponentType[ObjectData]()

// Create creates the colliders of l in w. The result has an entry for each of l.Objects, which is
// nil if that is no collider. A level may be created in any number of worlds.
//
// Solid objects get a ShapeCollider. One-way ones get a one-sided PolygonCollider, through which
// characters drop with DropThrough. A trigger gets a Sensor, with a SphereCollider if it is a
// circle or a sphere and a ShapeCollider otherwise. A trigger that isn't convex gets a disabled
// CollisionFilter instead: it sends no events. Queries find all triggers in [TriggerLayer].
func (l *Level) Create(w donburi.World) []*donburi.Entry {
	entries := make([]*donburi.Entry, len(l.Objects))
	for i := range l.Objects {
		entries[i] = l.Objects[i].Create(w)
	}
	return entries
}

// isMesh reports whether a shape is no solid.
func isMesh(shape collide.Shape) bool {
	switch shape.(type) {
	case *collide.Mesh, *collide.HeightField:
		return true
	}
	return false
}

// Create creates the collider of o in w, with the components more in addition to those of
// [Level.Create], and returns it. It returns nil if Kind is None or there is no Shape.
func (o *ObjectData) Create(w donburi.World, more ...donburi.IComponentType) *donburi.Entry {
	if o.Kind == None || o.Shape == nil {
		return nil
	}
	polygon, isPolygon := o.Shape.(collide.Polygon)
	sphere, isSphere := o.Shape.(collide.Sphere)
	isSensor := o.Kind == Trigger && !isPolygon && !isMesh(o.Shape)
	types := append(make([]donburi.IComponentType, 0, 6+len(more)), Object)
	add := func(condition bool, t donburi.IComponentType) {
		if condition {
			types = append(types, t)
		}
	}
	add(o.Material != components.MaterialData{}, components.Material)
	add(o.Kind == Trigger || o.Filter != components.CollisionFilterData{}, components.CollisionFilter)
	moves := o.SurfaceVelocity != collide.Vec3{} && o.Kind != Trigger // nothing touches a trigger
	add(moves, components.SurfaceVelocity)
	add(isSensor, components.Sensor)
	add(o.Kinematic, components.Velocity)
	add(o.Constant && !o.Kinematic, components.Constant)
	types = append(types, more...)

	var e *donburi.Entry
	switch {
	case isPolygon:
		points := make([]collide.Vec3, polygon.Len())
		for i := range points {
			points[i] = polygon.Corner(i)
		}
		e = components.CreatePolygon(w, points, types...)
		components.PolygonCollider.Get(e).OneSided = true
		components.Transform.Get(e).Position = o.Position
	case isSensor && isSphere:
		e = components.CreateSensor(w, o.Position.Add(o.Rotation.Rotate(sphere.Center)), sphere.Radius, types...)
	default:
		e = components.CreateShape(w, o.Position, o.Shape, types...)
	}
	components.Transform.Get(e).Rotation = o.Rotation
	*Object.Get(e) = *o
	if e.HasComponent(components.Material) {
		*components.Material.Get(e) = o.Material
	}
	if e.HasComponent(components.CollisionFilter) {
		f := o.Filter
		if o.Kind == Trigger {
			f.Disabled = !isSensor
			if f.Layers == 0 {
				f.Layers = TriggerLayer
			}
		}
		*components.CollisionFilter.Get(e) = f
	}
	if moves {
		components.SurfaceVelocity.Get(e).Linear = o.SurfaceVelocity
	}
	return e
}
