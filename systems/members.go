package systems

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/component"
	"github.com/yohamta/donburi/filter"
)

// members knows which entities of the world take part, and as which bodies and surfaces of the space.
type members struct {
	tables    []table
	seen      int              // archetypes of the world that have been looked at
	direct    bool             // Donburi's storage is laid out as readColumn knows it
	list      []member         // by entity id; one that doesn't take part has no entity
	places    []collide.Vec3   // by entity id: of what is still, where it is; between the systems of a step, where each one was when it was read
	count     int              // of those in list that have one
	bodies    []donburi.Entity // by body id
	surfaces  []donburi.Entity // by surface number
	made      []solver.Surface // by surface number: what the space was last told
	forms     forms            // what those were made of
	given     []collide.Vec3   // by body id: the velocity that the game had set
	turning   []turning        // by body id, of those that may turn
	styles    styles
	round     int // counts when all that the pages say of members was forgotten
	grips     grips
	moving    int           // how many of them may move
	told      int           // of how many the space has been told anything in this step, but for what was still
	pulled    bool          // something was pulled at some time, so the pulls of the space aren't all zero
	newErrors []EntityError // those of errors that were not there the time before
}

// table is an archetype of the world whose entities have a collider.
type table struct {
	at   int // its place in the world's list of archetypes
	has  has
	cols [columns][]pointer
	room [columns][]pointer // for columns that Donburi doesn't give away whole
	ents []donburi.Entity

	pages []page // of spheres that may move
}

// member is an entity that takes part, or would if it weren't for an error. It has what the quick way of reading compares: 32
// bytes, half a cache line.
type member struct {
	entity donburi.Entity
	code   int32  // the id of a body, or -2-k for surface k, or none
	style  uint16 // of a body that can be read the quick way: its place in styles; 0 for others
	kind   components.BodyKind
	marks  marks
	radius float64 // of a plane, its distance
	mass   float64 // as its Body has it
}

// marks are what there is to know of a member that is true or not.
type marks uint8

const (
	wrong   marks = 1 << iota // it was reported, and is left out
	still                     // as far as the space knows it is at its place, and nothing moves or pulls it
	pulled                    // gravity or a force pulls it
	bends                     // its velocity is not taken as it is, for damping or locked axes
	here                      // for dismissAbsent
	flagged                   // a plane that is two-sided, or a polygon that is one-sided
)

const none = int32(-1)

// has says which components the entities of a table have.
type has uint16

const (
	hasTransform has = 1 << iota
	hasVelocity
	hasSphere
	hasPlane
	hasPolygon
	hasBody
	hasResponse
	hasFilter
	hasForce
	hasSensor
	hasFriction
	hasSpin
	hasBelt
)

// types are the component types in the order of their bits.
var types = [...]component.IComponentType{
	components.Transform, components.Velocity, components.SphereCollider, components.PlaneCollider, components.PolygonCollider,
	components.Body, components.Response, components.CollisionFilter, components.Force, components.Sensor,
	components.Friction, components.AngularVelocity, components.SurfaceVelocity,
}

const (
	columns    = len(types)
	everything = has(1<<columns - 1)
)

var anyCollider = filter.Or(
	filter.Contains(components.SphereCollider),
	filter.Contains(components.PlaneCollider),
	filter.Contains(components.PolygonCollider),
)

// learn finds the archetypes that have come into the world since the last time.
func (m *members) learn(w donburi.World) {
	all := w.Archetypes()
	for ; m.seen < len(all); m.seen++ {
		layout := all[m.seen].Layout()
		if !anyCollider.MatchesLayout(layout.Components()) {
			continue
		}
		t := table{at: m.seen}
		for bit, c := range types {
			if layout.HasComponent(c) {
				t.has |= 1 << bit
			}
		}
		m.tables = append(m.tables, t)
	}
}

// find returns the member that an entity is, or nil.
func (m *members) find(e donburi.Entity) *member {
	if id := int(e.Id()); id < len(m.list) && m.list[id].entity == e && e != donburi.Null {
		return &m.list[id]
	}
	return nil
}

// code returns what an entity is in the space.
func (m *members) code(e donburi.Entity) (int32, bool) {
	if k := m.find(e); k != nil && k.code != none {
		return k.code, true
	}
	return none, false
}

// entity returns which entity a body or surface of the space is.
func (m *members) entity(code int32) donburi.Entity {
	if code >= 0 {
		return m.bodies[code]
	}
	return m.surfaces[-2-code]
}

// name remembers which entity a body or surface is.
func (m *members) name(code int32, e donburi.Entity) {
	list, at := &m.bodies, int(code)
	if code < 0 {
		list, at = &m.surfaces, int(-2-code)
	}
	*list = extend(*list, at)
	(*list)[at] = e
}

// extend returns list with room for an element at.
func extend[T any](list []T, at int) []T {
	if at >= len(list) {
		list = append(list, make([]T, at+1-len(list))...)
	}
	return list
}

// admit gives a member its place in the space: a body, or a surface.
func (p *Physics) admit(k *member, surface bool) {
	if k.code != none && (k.code < 0) == surface {
		return
	}
	p.dismiss(k)
	if surface {
		k.code = -2 - p.space.AddSurface()
		p.members.made = extend(p.members.made, int(-2-k.code))
		p.members.made[-2-k.code] = solver.Surface{}
	} else {
		k.code = p.space.Add()
		p.members.given = extend(p.members.given, int(k.code))
		p.members.turning = extend(p.members.turning, int(k.code))
	}
	p.members.name(k.code, k.entity)
}

// dismiss takes a member out of the space, and ends its contacts.
func (p *Physics) dismiss(k *member) {
	if k.code == none {
		return
	}
	p.space.Forget(k.code, func(first, second int32, visit bool) {
		a, b := p.order(first, second, visit)
		p.removed = append(p.removed, ContactEnd{A: a, B: b, Sensor: visit})
	})
	if k.code >= 0 {
		p.space.Remove(k.code)
	} else {
		p.space.RemoveSurface(-2 - k.code)
		p.members.forms.drop(-2 - k.code)
	}
	k.code, k.style = none, 0
	k.marks &^= still
}

// dismissAbsent takes out the members that are not in the tables any more.
func (p *Physics) dismissAbsent() {
	m := &p.members
	for i := range m.tables {
		for _, e := range m.tables[i].ents {
			if k := m.find(e); k != nil {
				k.marks |= here
			}
		}
	}
	for i := range m.list {
		k := &m.list[i]
		if k.entity != donburi.Null && k.marks&here == 0 {
			p.dismiss(k)
			*k = member{code: none}
			m.count--
		}
		k.marks &^= here
	}
}

// reject reports an entity's error and leaves it out.
func (p *Physics) reject(k *member, err error) {
	p.dismiss(k)
	e := EntityError{k.entity, err}
	p.errors = append(p.errors, e)
	if k.marks&wrong == 0 {
		k.marks |= wrong
		p.members.newErrors = append(p.members.newErrors, e)
	}
}

// sortErrors puts the errors in the order of entities, behind those of the Config.
func (p *Physics) sortErrors() {
	slices.SortStableFunc(p.errors[len(p.configErrors):], func(a, b EntityError) int {
		return cmp.Compare(a.Entity.Id(), b.Entity.Id())
	})
}
