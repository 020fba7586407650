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

// Impact is an impact of the last step, or one that [Physics.FirstImpacts] predicts. A body is a
// sphere or a dynamic shape; any other collider is a surface.
//
// Where bodies rest on each other, what closes a gap is reported at the end of the step, at a gap
// of at most 1/256 of the smaller radius, with the Approach of the beginning of the step.
type Impact struct {
	A, B     donburi.Entity // A is a body; B is a surface, or a body with a greater Entity
	Time     float64        // seconds into its step
	Point    collide.Vec3   // where they touched, metres
	Normal   collide.Vec3   // unit length, from B towards A
	Approach float64        // approach speed along Normal, m/s
	Impulse  float64        // on A along Normal, and on B against it, N·s, at least 0
}

// ContactBegin says that two entities began to touch or, if one is a sensor, to overlap. A contact
// of two that don't approach, such as of a ball that the game places on a floor, begins without an
// Impact.
//
// A bounce begins a contact and ends it at the same time. A contact of entities that slide or rest
// lasts until they are further apart than a millionth of the radius.
type ContactBegin struct {
	A, B   donburi.Entity // as in Impact; with a sensor, A is what is in it
	Time   float64        // seconds into its step
	Point  collide.Vec3   // where they touch, metres
	Normal collide.Vec3   // unit length, from B towards A
	Sensor bool           // B is a sensor
}

// ContactEnd says that two entities ceased to touch or, if one is a sensor, to overlap. Every
// contact that began ends once, with the same A and B. Each of the two may have been removed from
// the world.
type ContactEnd struct {
	A, B   donburi.Entity // as in the ContactBegin
	Time   float64        // seconds into its step; the end of that for contacts that were found apart there
	Sensor bool           // B is a sensor
}

// Crushed says that something kinematic pushed an entity that could not yield, for example a press
// that closes on a ball. What pushes, and the group that it is in, stops for the rest of the step,
// so nothing overlaps. The event repeats in every step in which the entity is pushed.
type Crushed struct {
	Entity donburi.Entity // the body that could not yield
	Other  donburi.Entity // what pushed it
}

// The types of the events that are published if [Config.Publish] contains them.
var (
	ImpactEvent       = events.NewEventType[Impact]()
	ContactBeginEvent = events.NewEventType[ContactBegin]()
	ContactEndEvent   = events.NewEventType[ContactEnd]()
	CrushedEvent      = events.NewEventType[Crushed]()
	ErrorEvent        = events.NewEventType[EntityError]() // once, when an error is new
)

// pendingEvents are events found while reading the world, and not reported by a step yet.
type pendingEvents struct {
	errors []EntityError
	ends   []ContactEnd
}

// stepEvents are the events of the last step that are not in the log of the space.
type stepEvents struct {
	left []ContactEnd // contacts that ended before the step, because one side left the world

	// After Sync the handles in the log may belong to other entities, and after Advance there may
	// be events of several steps. Then kept is true, and these hold all events.
	kept    bool
	impacts []Impact
	begins  []ContactBegin
	ends    []ContactEnd
	crushed []Crushed
}

// reset removes all events, and keeps the memory.
func (t *stepEvents) reset() {
	*t = stepEvents{
		left: t.left[:0], impacts: t.impacts[:0], begins: t.begins[:0], ends: t.ends[:0], crushed: t.crushed[:0],
	}
}

// keepEvents copies the events of the last step with their entities, before their handles may get
// other entities.
func (p *Physics) keepEvents() {
	if !p.last.kept {
		p.last.append(p)
		p.last.kept = true
	}
}

// append appends the events of the last step of p with their entities.
func (t *stepEvents) append(p *Physics) {
	t.impacts = slices.AppendSeq(t.impacts, p.Impacts())
	t.begins = slices.AppendSeq(t.begins, p.ContactBegins())
	t.ends = slices.AppendSeq(t.ends, p.ContactEnds())
	t.crushed = slices.AppendSeq(t.crushed, p.Crushed())
}

// Impacts returns the impacts of the last step, or of the steps of the last [Physics.Advance], in
// chronological order.
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

// impact returns an entry of the log with its entities.
func (p *Physics) impact(e *eventlog.Entry) Impact {
	a, b, n := p.sides(e)
	return Impact{a, b, e.Time, e.Point, n, e.Approach, e.Impulse}
}

// sides returns the entities of an entry of the log, and the normal from the second to the first.
// Of two spheres the earlier entity comes first. The order in the log doesn't matter.
func (p *Physics) sides(e *eventlog.Entry) (a, b donburi.Entity, n collide.Vec3) {
	a, b = p.bridge.Sides(solver.Handle(e.A), solver.Handle(e.B), e.Kind&eventlog.Sensor != 0)
	if a != p.bridge.Entity(solver.Handle(e.A)) {
		return a, b, e.Normal.Neg()
	}
	return a, b, e.Normal
}

// ContactBegins returns the contacts that began in the last step, or in the steps of the last
// [Physics.Advance], in chronological order.
//
// A body that slides over a floor of polygons is in contact with those that it touches at the ends
// of steps: with one, or with several where they meet. Those that it has crossed within a step are
// not reported.
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

// ContactEnds returns the contacts that ended in the last step, or in the steps of the last
// [Physics.Advance]. Of each step, those of entities that left the world, or were left out because
// of an error, come first, and the others in chronological order.
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

// Crushed returns the entities that something kinematic pushed in the last step, and that could not
// yield. After [Physics.Advance] they are those of all its steps, and may come several times.
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

// Contact is one contact of an entity after a step.
type Contact struct {
	Other  donburi.Entity // the one that it touches
	Point  collide.Vec3   // where they touch, metres; with a sensor, the point on the other's surface deepest in it
	Normal collide.Vec3   // unit length, from Other towards the entity
	Sensor bool           // one of the two is a sensor
}

// Contacts returns the contacts of entity after the last step. Those of a sensor are with all that
// overlaps it, and an entity that is in sensors has contacts with them, too. The order is the same
// in every run of the same program.
func (p *Physics) Contacts(entity donburi.Entity) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		handle, ok := p.bridge.Handle(entity)
		if !ok {
			return
		}
		p.space.Touching(handle, func(other solver.Handle, sensor bool) bool {
			point, normal := p.space.Between(handle, other)
			return yield(Contact{p.bridge.Entity(other), point, normal, sensor})
		})
	}
}

// Touching returns the entities that entity touches after the last step: the Other of each of its
// [Physics.Contacts].
func (p *Physics) Touching(entity donburi.Entity) iter.Seq[donburi.Entity] {
	return func(yield func(donburi.Entity) bool) {
		handle, ok := p.bridge.Handle(entity)
		if !ok {
			return
		}
		p.space.Touching(handle, func(other solver.Handle, _ bool) bool { return yield(p.bridge.Entity(other)) })
	}
}

// publish publishes the events of the step on the world's event buses.
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
