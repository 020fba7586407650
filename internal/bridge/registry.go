package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/component"
)

// registry maps the entities of the world to the bodies and surfaces of the space.
type registry struct {
	tables  []table
	seen    int      // archetypes of the world that learn has seen
	direct  bool     // Donburi's storage has the layout that readColumn knows
	records []record // by entity id; donburi.Null for an id that takes no part
	count   int      // records with an entity

	bodies       []donburi.Entity // by body id
	surfaces     []donburi.Entity // by surface number
	surfaceState []solver.Surface // by surface number: what the space has
	sources      surfaceSources   // by surface number: what those were made from
	shapes       []shapeSource    // by surface number: what those of a ShapeCollider were made from
	bodyShapes   []bodyShape      // by body id: those with a ShapeCollider
	lastShape    bodyShape        // that was made
	velocities   []collide.Vec3   // by body id: the velocity that was read, if interrupted
	spins        []spinState      // by body id, of bodies with an AngularVelocity
	profiles     profiles
	frictions    frictions
	constants    constants
	generation   int  // changes when every row cache becomes invalid
	gathers      int  // how often the world was read
	moving       int  // entities that may move
	informed     int  // bodies about which this step passed anything to the space
	accelerated  bool // gravity or a force has acted, so accelerations in the space may not be 0
	interrupted  bool // game code has run within a step, and what was read is kept for comparison
}

// table is an archetype of the world whose entities have a collider.
type table struct {
	at     int // its index in the world's list of archetypes
	has    has
	cols   [columns][]pointer
	room   [columns][]pointer // storage for columns that Donburi doesn't return as a whole
	ents   []donburi.Entity
	caches []rowCache // by block, for spheres with a Velocity

	bodies bool // its ShapeColliders are dynamic bodies, where the kind of Body says so
	// Of a table of entities with a Constant:
	settled     bool   // all rows but fresh are known as they are
	wasSettled  bool   // it was settled when the world was read
	settledRows int    // how many there were then
	settledSum  uint64 // of the hashes of those, with those that came and without those that went
	left        int    // how many entities have been removed since
	fresh       []int  // rows that are read although it is settled
}

// record is what the registry knows about an entity, also about one with an error. It has what the
// fast path compares, in 32 bytes, half a cache line.
type record struct {
	entity  donburi.Entity
	handle  solver.Handle // of its body or surface, or none
	profile uint16        // its place in profiles; 0 for an entity that takes the slow path
	kind    components.BodyKind
	flags   flags
	radius  float64 // of a sphere or capsule; of a plane, its distance
	mass    float64 // as in its Body
}

// flags are facts about a record.
type flags uint8

const (
	rejected    flags = 1 << iota // its error was reported, and it takes no part
	unchanged                     // nothing to copy: position as in the space, no velocity, spin or acceleration
	accelerated                   // gravity or a force acts on it
	adjusted                      // damping or locked axes change its velocity
	here                          // for removeAbsent
	grouped                       // a member of a kinematic group, but not its leader
	flagged                       // a plane that is two-sided, or a polygon that is one-sided
)

// none is the handle of an entity that is neither a body nor a surface of the space.
const none = solver.Handle(-1)

// Columns of a table. A new one needs its bit in has and its entry in types.
const (
	colTransform = iota
	colVelocity
	colSphere
	colPlane
	colPolygon
	colCapsule
	colShape
	colBody
	colMaterial
	colFilter
	colForce
	colSensor
	colSliding
	colSpin
	colSurfaceVelocity
	colGroup
	colConstant
	colMotor
	columns
)

// has says which components the entities of a table have, one bit for each column.
type has uint32

const (
	hasTransform       has = 1 << colTransform
	hasVelocity        has = 1 << colVelocity
	hasSphere          has = 1 << colSphere
	hasPlane           has = 1 << colPlane
	hasPolygon         has = 1 << colPolygon
	hasCapsule         has = 1 << colCapsule
	hasShape           has = 1 << colShape
	hasBody            has = 1 << colBody
	hasMaterial        has = 1 << colMaterial
	hasFilter          has = 1 << colFilter
	hasForce           has = 1 << colForce
	hasSensor          has = 1 << colSensor
	hasSliding         has = 1 << colSliding
	hasSpin            has = 1 << colSpin
	hasSurfaceVelocity has = 1 << colSurfaceVelocity
	hasGroup           has = 1 << colGroup
	hasConstant        has = 1 << colConstant
	hasMotor           has = 1 << colMotor

	hasCharacter has = 1 << columns // a CharacterController, which has no column

	everything  has = 1<<columns - 1
	anySurface      = hasPlane | hasPolygon | hasCapsule | hasShape // colliders that are surfaces of the space
	anyCollider     = hasSphere | anySurface
)

// types are the component types by column.
var types = [columns]component.IComponentType{
	colTransform:       components.Transform,
	colVelocity:        components.Velocity,
	colSphere:          components.SphereCollider,
	colPlane:           components.PlaneCollider,
	colPolygon:         components.PolygonCollider,
	colCapsule:         components.CapsuleCollider,
	colShape:           components.ShapeCollider,
	colBody:            components.Body,
	colMaterial:        components.Material,
	colFilter:          components.CollisionFilter,
	colForce:           components.Force,
	colSensor:          components.Sensor,
	colSliding:         components.Sliding,
	colSpin:            components.AngularVelocity,
	colSurfaceVelocity: components.SurfaceVelocity,
	colGroup:           components.KinematicGroup,
	colConstant:        components.Constant,
	colMotor:           components.Motor,
}

// hasOf returns which components the entities of an archetype have.
func hasOf(layout interface {
	HasComponent(donburi.IComponentType) bool
},
) (h has) {
	for col, c := range types {
		if layout.HasComponent(c) {
			h |= 1 << col
		}
	}
	return h
}

// learn finds the archetypes that were added to the world since the last call.
func (r *registry) learn(w donburi.World) {
	all := w.Archetypes()
	for ; r.seen < len(all); r.seen++ {
		if h := hasOf(all[r.seen].Layout()); h&anyCollider != 0 {
			if all[r.seen].Layout().HasComponent(components.CharacterController) {
				h |= hasCharacter // or a dynamic shape would be taken for the character that it becomes
			}
			const body = moves | hasShape | hasBody
			r.tables = append(r.tables, table{at: r.seen, has: h, bodies: h&(body|hasGroup|hasCharacter) == body})
		}
	}
}

// find returns the record of an entity, or nil.
func (r *registry) find(e donburi.Entity) *record {
	if id := int(e.Id()); id < len(r.records) && r.records[id].entity == e && e != donburi.Null {
		return &r.records[id]
	}
	return nil
}

// handle returns the body or surface of an entity.
func (r *registry) handle(e donburi.Entity) (solver.Handle, bool) {
	if k := r.find(e); k != nil && k.handle != none {
		return k.handle, true
	}
	return none, false
}

// spin returns what was read of a body's AngularVelocity, or nil if neither it nor a body with a
// larger id has had one.
func (r *registry) spin(handle solver.Handle) *spinState {
	if int(handle) < len(r.spins) {
		return &r.spins[handle]
	}
	return nil
}

// entity returns the entity of a body or surface.
func (r *registry) entity(handle solver.Handle) donburi.Entity {
	if !handle.IsSurface() {
		return r.bodies[handle]
	}
	return r.surfaces[handle.Surface()]
}

// bind sets the entity of a body or surface.
func (r *registry) bind(handle solver.Handle, e donburi.Entity) {
	list, at := &r.bodies, int(handle)
	if handle.IsSurface() {
		list, at = &r.surfaces, int(handle.Surface())
	}
	*list = grow.Extend(*list, at+1)
	(*list)[at] = e
}

// register returns the record of an entity, a new one if it has none yet.
func (b *Bridge) register(e donburi.Entity) *record {
	r := &b.registry
	id := int(e.Id())
	r.records = grow.Extend(r.records, id+1)
	k := &r.records[id]
	if k.entity != e {
		if k.entity != donburi.Null { // Donburi has given the id to another entity
			b.leaveSpace(k)
		} else {
			r.count++
		}
		*k = record{entity: e, handle: none}
	}
	return k
}

// enterSpace makes an entity a surface of the space, or else a body, unless it is one already.
func (b *Bridge) enterSpace(k *record, surface bool) {
	if k.handle != none && k.handle.IsSurface() == surface {
		return
	}
	b.leaveSpace(k)
	r := &b.registry
	if surface {
		n := b.space.AddSurface()
		k.handle = solver.SurfaceHandle(n)
		r.surfaceState = grow.Extend(r.surfaceState, int(n)+1)
		r.surfaceState[n] = solver.Surface{}
	} else {
		k.handle = solver.BodyHandle(b.space.Add())
		if r.interrupted {
			r.velocities = grow.Extend(r.velocities, int(k.handle)+1)
		}
		if at := r.spin(k.handle); at != nil {
			*at = spinState{}
		}
	}
	r.bind(k.handle, k.entity)
}

// leaveSpace removes an entity's body or surface from the space, and ends its contacts.
func (b *Bridge) leaveSpace(k *record) {
	if k.handle == none {
		return
	}
	b.space.Forget(k.handle, func(first, second solver.Handle, sensor bool) {
		x, y := b.Sides(first, second, sensor)
		b.ended = append(b.ended, EndedContact{A: x, B: y, Sensor: sensor})
	})
	if !k.handle.IsSurface() {
		b.space.Remove(k.handle.Body())
	} else {
		b.dropParts(k.handle.Surface())
		b.space.RemoveSurface(k.handle.Surface())
		b.registry.sources.remove(k.handle.Surface())
	}
	k.handle, k.profile = none, 0
	k.flags &^= unchanged
}

// removeAbsent removes the records of entities that no table has any more.
func (b *Bridge) removeAbsent() {
	r := &b.registry
	for i := range r.tables {
		for _, e := range r.tables[i].ents {
			if k := r.find(e); k != nil {
				k.flags |= here
			}
		}
	}
	for i := range r.records {
		k := &r.records[i]
		if k.entity != donburi.Null && k.flags&here == 0 {
			b.forget(k)
		}
		k.flags &^= here
	}
}

// forget removes a record.
func (b *Bridge) forget(k *record) {
	b.leaveSpace(k)
	*k = record{handle: none}
	b.registry.count--
}

// noteError stores whether reading an entity failed.
func (b *Bridge) noteError(k *record, err error) {
	if err != nil {
		b.reject(k, err)
		return
	}
	k.flags &^= rejected
}

// reject reports an entity's error and removes the entity from the space.
func (b *Bridge) reject(k *record, err error) {
	b.leaveSpace(k)
	e := Error{k.entity, err}
	b.errors = append(b.errors, e)
	if k.flags&rejected == 0 {
		k.flags |= rejected
		b.newErrors = append(b.newErrors, e)
	}
}
