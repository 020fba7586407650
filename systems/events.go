package systems

import (
	"iter"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/features/events"
)

// Impact is one impact of a step.
type Impact struct {
	A, B     donburi.Entity // A is a sphere; B is a sphere that is a later entity, or a plane or polygon
	Time     float64        // seconds into the step
	Point    collide.Vec3   // where they touched
	Normal   collide.Vec3   // unit length, from B towards A
	Approach float64        // m/s, how fast they closed in along Normal
	Impulse  float64        // N·s, what A was given along Normal, and B against it
}

// ContactBegin says that two entities began to touch or, where one is a sensor, to overlap.
//
// A bounce begins a contact and ends it at once. What slides or rests keeps touching until it is found further
// apart than a millionth of its radius.
type ContactBegin struct {
	A, B   donburi.Entity // A is a sphere; with a sensor, the visitor
	Time   float64        // seconds into the step
	Point  collide.Vec3   // where they touch
	Normal collide.Vec3   // unit length, from B towards A
	Sensor bool           // B is a sensor
}

// ContactEnd says that two entities ceased to touch or, where one is a sensor, to overlap. An entity may have been
// removed from the world since.
type ContactEnd struct {
	A, B   donburi.Entity
	Time   float64 // seconds into the step; the step's end for what just drifted apart
	Sensor bool    // B is a sensor
}

// Crushed says that something pushed an entity that could not give way, against a wall, a floor or another pusher: a press that closes on a ball. What
// pushes stops where it is for the rest of the step, so nothing is inside anything; whether the entity breaks is the game's affair. As long
// as it is pushed there is one of these in every step.
type Crushed struct {
	Entity donburi.Entity // the sphere that could not give way
	Other  donburi.Entity // what pushed it
}

// The event types that physics publishes when [Config.Publish] asks for them.
var (
	ImpactEvent       = events.NewEventType[Impact]()
	ContactBeginEvent = events.NewEventType[ContactBegin]()
	ContactEndEvent   = events.NewEventType[ContactEnd]()
	CrushedEvent      = events.NewEventType[Crushed]()
	ErrorEvent        = events.NewEventType[EntityError]()
)

// pendingEvents is what reading the world has found and no step has reported yet.
type pendingEvents struct {
	errors []EntityError
	ends   []ContactEnd
}

// stepEvents is what the last step reports.
type stepEvents struct {
	left []ContactEnd // contacts that ended before the step, because one side left the world

	// After Sync the log's codes may stand for other entities: then these hold what the log said.
	kept    bool
	impacts []Impact
	begins  []ContactBegin
	ends    []ContactEnd
	crushed []Crushed
}

func (t *stepEvents) reset() {
	*t = stepEvents{left: t.left[:0], impacts: t.impacts[:0], begins: t.begins[:0], ends: t.ends[:0], crushed: t.crushed[:0]}
}

// keepEvents notes the events of the last step with their entities, before the log's codes come to stand for others.
func (p *Physics) keepEvents() {
	if t := &p.last; !t.kept {
		t.impacts = slices.AppendSeq(t.impacts, p.Impacts())
		t.begins = slices.AppendSeq(t.begins, p.ContactBegins())
		t.ends = slices.AppendSeq(t.ends, p.ContactEnds())
		t.crushed = slices.AppendSeq(t.crushed, p.Crushed())
		t.kept = true
	}
}

// Impacts returns the impacts of the last step in the order of time.
func (p *Physics) Impacts() iter.Seq[Impact] {
	return func(yield func(Impact) bool) {
		if p.last.kept {
			slices.Values(p.last.impacts)(yield)
			return
		}
		for _, e := range p.space.Log() {
			if e.Kind&eventlog.Impact != 0 && !yield(p.impact(&e)) {
				return
			}
		}
	}
}

func (p *Physics) impact(e *eventlog.Entry) Impact {
	a, b, n := p.sides(e)
	return Impact{a, b, e.Time, e.Point, n, e.Approach, e.Impulse}
}

// sides returns the two sides of an entry of the log, and the normal from the second to the first. Of two spheres the one with the
// lower entity comes first, whichever the step found first.
func (p *Physics) sides(e *eventlog.Entry) (a, b donburi.Entity, n collide.Vec3) {
	a, b = p.bridge.Sides(solver.Handle(e.A), solver.Handle(e.B), e.Kind&eventlog.Sensor != 0)
	if a != p.bridge.Entity(solver.Handle(e.A)) {
		return a, b, e.Normal.Neg()
	}
	return a, b, e.Normal
}

// ContactBegins returns the contacts that began in the last step, in the order of time.
func (p *Physics) ContactBegins() iter.Seq[ContactBegin] {
	return func(yield func(ContactBegin) bool) {
		if p.last.kept {
			slices.Values(p.last.begins)(yield)
			return
		}
		for _, e := range p.space.Log() {
			if e.Kind&eventlog.Begin == 0 {
				continue
			}
			a, b, n := p.sides(&e)
			if !yield(ContactBegin{a, b, e.Time, e.Point, n, e.Kind&eventlog.Sensor != 0}) {
				return
			}
		}
	}
}

// ContactEnds returns the contacts that ended in the last step. Those of entities that left the world before it come
// first, then the others in the order of time.
func (p *Physics) ContactEnds() iter.Seq[ContactEnd] {
	return func(yield func(ContactEnd) bool) {
		if p.last.kept {
			slices.Values(p.last.ends)(yield)
			return
		}
		for _, e := range p.last.left {
			if !yield(e) {
				return
			}
		}
		for _, e := range p.space.Log() {
			if e.Kind&eventlog.End == 0 {
				continue
			}
			a, b, _ := p.sides(&e)
			if !yield(ContactEnd{a, b, e.Time, e.Kind&eventlog.Sensor != 0}) {
				return
			}
		}
		for _, e := range p.space.Parted() {
			a, b := p.bridge.Sides(solver.Handle(e.A), solver.Handle(e.B), false)
			if !yield(ContactEnd{a, b, p.config.StepSeconds, false}) {
				return
			}
		}
	}
}

// Crushed returns what was pushed in the last step and could not give way.
func (p *Physics) Crushed() iter.Seq[Crushed] {
	return func(yield func(Crushed) bool) {
		if p.last.kept {
			slices.Values(p.last.crushed)(yield)
			return
		}
		more := true
		p.space.EachCrushed(func(body, other solver.Handle) {
			more = more && yield(Crushed{p.bridge.Entity(body), p.bridge.Entity(other)})
		})
	}
}

// Contact is what an entity touches after a step.
type Contact struct {
	Other  donburi.Entity
	Point  collide.Vec3 // where they touch; with a sensor, the point of the visitor's surface that is deepest in it
	Normal collide.Vec3 // unit length, from Other towards the entity
	Sensor bool         // the two don't stop each other: one is a sensor
}

// Contacts returns what entity touches after the last step and where: for a sensor what is in it, and for others also the sensors that
// they are in. The order is the same in every run of the same program.
func (p *Physics) Contacts(entity donburi.Entity) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		handle, ok := p.bridge.Handle(entity)
		if !ok {
			return
		}
		p.space.Touching(handle, func(other solver.Handle, visit bool) bool {
			point, normal := p.space.Between(handle, other)
			return yield(Contact{p.bridge.Entity(other), point, normal, visit})
		})
	}
}

// Touching returns what entity touches after the last step: the Other of each of its [Physics.Contacts].
func (p *Physics) Touching(entity donburi.Entity) iter.Seq[donburi.Entity] {
	return func(yield func(donburi.Entity) bool) {
		handle, ok := p.bridge.Handle(entity)
		if !ok {
			return
		}
		p.space.Touching(handle, func(other solver.Handle, _ bool) bool { return yield(p.bridge.Entity(other)) })
	}
}

// publish puts the events of the step on the world's event buses.
func (p *Physics) publish(w donburi.World) {
	if p.config.Publish&PublishContacts != 0 {
		for e := range p.ContactBegins() {
			ContactBeginEvent.Publish(w, e)
		}
	}
	if p.config.Publish&PublishImpacts != 0 {
		for e := range p.Impacts() {
			ImpactEvent.Publish(w, e)
		}
	}
	if p.config.Publish&PublishCrushed != 0 {
		for e := range p.Crushed() {
			CrushedEvent.Publish(w, e)
		}
	}
	if p.config.Publish&PublishContacts != 0 {
		for e := range p.ContactEnds() {
			ContactEndEvent.Publish(w, e)
		}
	}
}
