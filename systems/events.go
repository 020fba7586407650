package systems

import (
	"iter"

	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/features/events"
)

// Impact is one impact of a step.
type Impact struct {
	A, B     donburi.Entity // A is a sphere; B is another, or a plane or polygon
	Time     float64        // seconds into the step
	Point    collide.Vec3   // where they touched
	Normal   collide.Vec3   // unit length, from B towards A
	Approach float64        // m/s, how fast they closed in along Normal
	Impulse  float64        // N·s, what A was given along Normal, and B against it
}

// ContactBegin says that two entities began to touch or, where one is a sensor, to overlap.
type ContactBegin struct {
	A, B   donburi.Entity // as in [Impact]; a sensor comes first
	Time   float64        // seconds into the step
	Point  collide.Vec3
	Normal collide.Vec3 // from B towards A
	Sensor bool         // A is a sensor
}

// ContactEnd says that two entities ceased to touch or, where one is a sensor, to overlap. An entity may have been removed from
// the world since.
type ContactEnd struct {
	A, B   donburi.Entity
	Time   float64
	Sensor bool
}

// The event types that physics publishes when [Config.Publish] asks for them.
var (
	ImpactEvent       = events.NewEventType[Impact]()
	ContactBeginEvent = events.NewEventType[ContactBegin]()
	ContactEndEvent   = events.NewEventType[ContactEnd]()
	ErrorEvent        = events.NewEventType[EntityError]()
)

// Impacts returns the impacts of the last step in the order of time.
func (p *Physics) Impacts() iter.Seq[Impact] { return func(func(Impact) bool) {} }

// ContactBegins returns the contacts that began in the last step, in the order of time.
func (p *Physics) ContactBegins() iter.Seq[ContactBegin] { return func(func(ContactBegin) bool) {} }

// ContactEnds returns the contacts that ended in the last step, in the order of time.
func (p *Physics) ContactEnds() iter.Seq[ContactEnd] { return func(func(ContactEnd) bool) {} }

// Touching returns what entity touches (or, for a sensor, contains) after the last step.
func (p *Physics) Touching(entity donburi.Entity) iter.Seq[donburi.Entity] {
	return func(func(donburi.Entity) bool) {}
}
