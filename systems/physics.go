package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// Config is what a world's physics can be told. The zero value of every field is a sensible default.
type Config struct {
	// Gravity is the acceleration of every dynamic body, m/s²; (0, -9.81, 0) on Earth with Y up.
	Gravity collide.Vec3

	// StepSeconds is how much time one step covers; 0 stands for 1/60, Ebitengine's default tick.
	StepSeconds float64

	// Publish says which events go to Donburi's event buses. Events wait in their bus until the game calls
	// ProcessEvents, so publish only what it processes. Polling with [Physics.Impacts] and its like needs nothing here.
	Publish Events
}

// Events is a set of event types.
type Events uint8

// The event types that physics can publish, to be joined with |.
const (
	PublishImpacts  Events = 1 << iota // [ImpactEvent]
	PublishContacts                    // [ContactBeginEvent] and [ContactEndEvent]
	PublishErrors                      // [ErrorEvent]
	PublishAll      Events = PublishImpacts | PublishContacts | PublishErrors
)

// Physics is the physics of one world.
type Physics struct {
	config Config
}

// NewPhysics returns the physics of one world.
func NewPhysics(config Config) *Physics { return &Physics{config: config} }

// AddTo adds Broadphase, Sweep and Response to game, in that order, and returns p.
func (p *Physics) AddTo(game *ecs.ECS) *Physics {
	game.AddSystem(p.Broadphase).AddSystem(p.Sweep).AddSystem(p.Response)
	return p
}

// Broadphase is the first system of a step.
func (p *Physics) Broadphase(game *ecs.ECS) {}

// Sweep is the second system of a step.
func (p *Physics) Sweep(game *ecs.ECS) {}

// Response is the third system of a step.
func (p *Physics) Response(game *ecs.ECS) {}

// Step runs one whole step: Broadphase, Sweep and Response.
func (p *Physics) Step(w donburi.World) {}

// Advance runs as many fixed steps as seconds have room for, and keeps the rest for the next call.
// It returns how many steps it ran.
func (p *Physics) Advance(w donburi.World, seconds float64) int { return 0 }

// Alpha returns how far the time that Advance has kept reaches into the next step, 0 to 1: what drawing interpolates with.
func (p *Physics) Alpha() float64 { return 0 }

// Interpolated returns where entity is between the last two steps, at Alpha.
func (p *Physics) Interpolated(entity donburi.Entity) (collide.Vec3, bool) {
	return collide.Vec3{}, false
}

// Sync reads the world again, for queries about entities that the game has created, moved or removed since the last step.
func (p *Physics) Sync(w donburi.World) {}
