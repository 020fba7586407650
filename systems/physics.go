package systems

import (
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/bridge"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// Config is what a world's physics can be told. The zero value of every field is a sensible default.
//
// A field that is out of its range counts as its default, and [Physics.Errors] says so.
type Config struct {
	// Gravity is the acceleration of every dynamic body, m/s²; (0, -9.81, 0) on Earth with Y up.
	Gravity collide.Vec3

	// StepSeconds is how much time one step covers, in seconds, 1e-9 to 1000; 0 stands for 1/60, Ebitengine's default tick.
	StepSeconds float64

	// RestitutionThreshold is the closing speed, m/s, finite, up to which nothing bounces, so that a ball comes to rest
	// instead of bouncing ever lower. 0 stands for twice what gravity adds to a speed in one step,
	// negative for no threshold. A restitution of exactly 1 has no threshold. Under gravity a bounce
	// off something immovable that would be over within half a step counts as rest at any restitution.
	//
	// It is a speed in the world's units, as Gravity is an acceleration in them, and so LengthUnit doesn't change it. Where there is no gravity nothing
	// has to come to rest, and 0 is no threshold. Box2D's default, 1 m/s, is the number that LengthUnit has.
	RestitutionThreshold float64

	// LengthUnit is how many of the world's units of length make a metre, 1e-6 to 1e6; 0 stands for 1, a world in metres. A game in pixels says
	// how many it draws a metre with, such as 50. It scales what counts as slow or as close where things come to rest and
	// fall asleep, and nothing else: all other numbers are in the world's units, whatever the documentation calls them.
	LengthUnit float64

	// NoSleeping keeps everything awake, to measure what a step costs then. Sleeping bodies cost next to nothing. Results are the
	// same bits until something disturbs a sleeping body; after that the last digits may differ. See also NeverSleep of
	// [components.BodyData].
	NoSleeping bool

	// MaxImpacts is how many impacts that cost it energy a body may have in one step, at least 1; 0 stands for 16. A
	// body that has had them stops where it is for the rest of the step, so that every step ends, and goes on at its velocity in the next; [Stats] counts
	// how often. An impact that costs no energy takes 1/128 of one.
	MaxImpacts int

	// MaxSteps is how many steps one call of [Physics.Advance] may run, at least 1; 0 stands for 8. What a slow
	// machine can't make up for is lost, instead of making it slower still.
	MaxSteps int

	// Workers is how many goroutines may work on a step at once, 1 to 256; 0 stands for GOMAXPROCS. The results are the same bits
	// with any number. Fewer than about 4,000 entities are read and written by one worker, and fewer than a few thousand moving bodies
	// are stepped by one, as are steps that several workers wouldn't finish sooner.
	// Workers that wait for each other keep their processors busy, within a step, and between two that follow each other within two milliseconds.
	Workers int

	// Transform2D ties [components.Transform] to the Transform of Donburi's features/transform, for entities that have both: a step begins
	// where Donburi's says (position to X and Y; of planes, polygons and what has an AngularVelocity also the rotation) and moves and turns it along. Parents count; scales don't,
	// here as in Donburi's own WorldPosition. Entities without Donburi's Transform are as ever.
	Transform2D bool

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
	PublishCrushed                     // [CrushedEvent]

	PublishAll = PublishImpacts | PublishContacts | PublishErrors | PublishCrushed
)

const (
	defaultStep    = 1.0 / 60
	defaultImpacts = 16
	defaultSteps   = 8
	maxWorkers     = 256

	// elasticShare is how many impacts without loss cost as much of the budget as one with. Elastic spheres always come to an end of
	// their impacts, after however many: a heavy one among light ones has hundreds in a step.
	elasticShare = 128
)

// Physics is the physics of one world. Its methods are for one goroutine at a time.
type Physics struct {
	config       Config
	configErrors []EntityError
	bridge       *bridge.Bridge
	space        *solver.Space // of the bridge
	errors       []EntityError
	pending      pendingEvents
	last         stepEvents
	kept         float64 // seconds that Advance has not used yet
	stats        Stats
}

// NewPhysics returns the physics of one world.
func NewPhysics(config Config) *Physics {
	p := &Physics{}
	p.config, p.configErrors = config.checked()
	p.bridge = bridge.New(bridge.Settings{
		Gravity:     p.config.Gravity,
		Transform2D: p.config.Transform2D,
		Solver: solver.Settings{
			Seconds:             p.config.StepSeconds,
			RestSpeed:           p.config.RestitutionThreshold,
			MaxInelasticImpacts: p.config.MaxImpacts,
			MaxImpacts:          p.config.MaxImpacts * elasticShare,
			LengthUnit:          p.config.LengthUnit,
			Sleeping:            !p.config.NoSleeping,
			Workers:             p.config.Workers,
		},
	})
	p.space = p.bridge.Space()
	p.errors = slices.Clone(p.configErrors)
	return p
}

// checked returns c with its defaults filled in, and what was wrong with it.
func (c Config) checked() (Config, []EntityError) {
	var wrong []EntityError
	reject := func(field string, value any, reason string) {
		wrong = append(wrong, EntityError{Err: &components.FieldError{Component: "Config", Field: field, Value: value, Reason: reason}})
	}
	if !c.Gravity.IsFinite() || c.Gravity.Length() > components.MaxCoordinate {
		reject("Gravity", c.Gravity, "is not finite or beyond 1e9")
		c.Gravity = collide.Vec3{}
	}
	if !(c.StepSeconds >= 0 && c.StepSeconds <= 1e3) || c.StepSeconds != 0 && c.StepSeconds < 1e-9 {
		reject("StepSeconds", c.StepSeconds, "is not between 1e-9 and 1000")
		c.StepSeconds = 0
	}
	if c.StepSeconds == 0 {
		c.StepSeconds = defaultStep
	}
	if math.IsNaN(c.RestitutionThreshold) || math.IsInf(c.RestitutionThreshold, 0) {
		reject("RestitutionThreshold", c.RestitutionThreshold, "is not finite")
		c.RestitutionThreshold = 0
	}
	if c.RestitutionThreshold == 0 {
		c.RestitutionThreshold = float64(2*c.Gravity.Length()) * c.StepSeconds
	}
	if !(c.LengthUnit >= 1e-6 && c.LengthUnit <= 1e6) && c.LengthUnit != 0 {
		reject("LengthUnit", c.LengthUnit, "is not between 1e-6 and 1e6")
		c.LengthUnit = 0
	}
	if c.LengthUnit == 0 {
		c.LengthUnit = 1
	}
	if c.MaxImpacts < 0 || c.MaxImpacts > math.MaxInt32/elasticShare {
		reject("MaxImpacts", c.MaxImpacts, "is negative or too large")
		c.MaxImpacts = 0
	}
	if c.MaxImpacts == 0 {
		c.MaxImpacts = defaultImpacts
	}
	if c.MaxSteps < 0 {
		reject("MaxSteps", c.MaxSteps, "is negative")
		c.MaxSteps = 0
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = defaultSteps
	}
	if c.Workers < 0 || c.Workers > maxWorkers {
		reject("Workers", c.Workers, "is not between 0 and 256")
		c.Workers = 0
	}
	if c.Workers == 0 {
		c.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	return c, wrong
}

// AddTo adds Broadphase, Sweep and Response to game, in that order, and returns p. It panics for a nil ECS.
func (p *Physics) AddTo(game *ecs.ECS) *Physics {
	worldOf("AddTo", game)
	game.AddSystem(p.Broadphase).AddSystem(p.Sweep).AddSystem(p.Response)
	return p
}

// Broadphase is the first system of a step: it reads the world and finds the pairs that could meet in this step.
func (p *Physics) Broadphase(game *ecs.ECS) { p.broadphase(worldOf("Broadphase", game), false) }

// Sweep is the second system of a step: it finds when each of those pairs first touches.
func (p *Physics) Sweep(game *ecs.ECS) { p.sweep(worldOf("Sweep", game)) }

// Response is the third system of a step: it takes the impacts in the order of time, lets what meets bounce or slide,
// and writes positions and velocities back into the world. A position or velocity that the game has changed since Broadphase stays
// as the game set it.
func (p *Physics) Response(game *ecs.ECS) { p.respond(worldOf("Response", game), false) }

// worldOf returns the world of an argument of the given method. It panics for a nil ECS, and for one without a World.
func worldOf(method string, game *ecs.ECS) donburi.World {
	if game == nil {
		panic("systems: Physics." + method + " needs an ECS, and got nil")
	}
	checkWorld(method, game.World)
	return game.World
}

// checkWorld panics for a nil World.
func checkWorld(method string, w donburi.World) {
	if w == nil {
		panic("systems: Physics." + method + " needs a World, and got nil")
	}
}

// Step runs one whole step: Broadphase, Sweep and Response.
//
// A step that the game has begun with Broadphase or Sweep, for a Veto for example, is completed instead.
func (p *Physics) Step(w donburi.World) {
	checkWorld("Step", w)
	uninterrupted := p.space.Stage() == solver.Idle || !p.bridge.Serves(w)
	if uninterrupted {
		p.broadphase(w, true)
	}
	p.sweep(w)
	p.respond(w, uninterrupted)
}

// broadphase is the first system. A step is uninterrupted where no game code runs until its end.
func (p *Physics) broadphase(w donburi.World, uninterrupted bool) {
	start := time.Now()
	p.readWorld(w, p.config.StepSeconds, uninterrupted)
	p.last.reset()
	gathered := time.Now()
	p.space.Begin()
	p.stats = Stats{
		Bodies: p.space.Bodies(), Surfaces: p.space.Surfaces(), Errors: len(p.errors),
		Gather: gathered.Sub(start), Broadphase: time.Since(gathered),
	}
	if p.config.Publish&PublishErrors != 0 {
		for _, e := range p.pending.errors {
			ErrorEvent.Publish(w, e)
		}
	}
	p.pending.errors = p.pending.errors[:0]
}

// readWorld gathers the world, and remembers what the next step has to tell about it.
func (p *Physics) readWorld(w donburi.World, seconds float64, uninterrupted bool) {
	if !p.bridge.Serves(w) {
		p.pending, p.last = pendingEvents{}, stepEvents{}
	}
	p.bridge.Read(w, seconds, uninterrupted)
	p.errors = append(p.errors[:0], p.configErrors...)
	for _, e := range p.bridge.Errors() {
		p.errors = append(p.errors, EntityError(e))
	}
	for _, e := range p.bridge.NewErrors() {
		p.pending.errors = append(p.pending.errors, EntityError(e))
	}
	for _, e := range p.bridge.Ended() {
		p.pending.ends = append(p.pending.ends, ContactEnd{A: e.A, B: e.B, Sensor: e.Sensor})
	}
}

func (p *Physics) sweep(w donburi.World) {
	if p.space.Stage() == solver.Idle || !p.bridge.Serves(w) {
		p.broadphase(w, false)
	}
	if p.space.Stage() == solver.ImpactsFound {
		return
	}
	start := time.Now()
	p.space.Sweep()
	p.stats.Sweep = time.Since(start)
}

func (p *Physics) respond(w donburi.World, uninterrupted bool) {
	if p.space.Stage() != solver.ImpactsFound || !p.bridge.Serves(w) {
		p.sweep(w)
	}
	start := time.Now()
	p.space.Finish()
	finished := time.Now()
	p.bridge.Write(w, uninterrupted)
	p.last.left, p.pending.ends = p.pending.ends, p.last.left[:0]
	p.publish(w)
	c := p.space.Counts
	p.stats.Asleep = c.Asleep
	p.stats.Pairs, p.stats.Sweeps, p.stats.Impacts, p.stats.SpentBudgets, p.stats.Blocked = c.Pairs, c.Sweeps, c.Impacts, c.SpentBudgets, c.Blocked
	p.stats.Response, p.stats.Scatter = finished.Sub(start), time.Since(finished)
}

// Advance runs as many fixed steps as seconds have room for, at most [Config.MaxSteps], and keeps the rest for the next call.
// It returns how many steps it ran. Seconds that are negative or not finite count as 0.
func (p *Physics) Advance(w donburi.World, seconds float64) int {
	checkWorld("Advance", w)
	if seconds > 0 && !math.IsInf(seconds, 1) {
		p.kept += seconds
	}
	steps := 0
	for ; p.kept >= p.config.StepSeconds && steps < p.config.MaxSteps; steps++ {
		p.Step(w)
		p.kept -= p.config.StepSeconds
	}
	if p.kept >= p.config.StepSeconds { // too slow: what can't be made up for is lost
		p.kept = 0
	}
	return steps
}

// Alpha returns how far the time that Advance has kept reaches into the next step, 0 to 1: what drawing interpolates with.
func (p *Physics) Alpha() float64 { return p.kept / p.config.StepSeconds }

// Interpolated returns where to draw entity and how it is turned: between the beginning and the end of the last step, at
// [Physics.Alpha]. What is drawn is then up to a step behind, which is the price of smooth motion. The rotation takes the shorter
// way; a sphere without an AngularVelocity has that of its Transform. The result is false for planes and polygons, and for an
// entity that was not part of the last step or has been removed from the world since.
func (p *Physics) Interpolated(entity donburi.Entity) (components.TransformData, bool) {
	return p.bridge.Interpolated(entity, p.Alpha())
}

// Asleep reports whether entity sleeps: it is at rest, and so is all that it touches, and it is left out of the steps until something could
// touch it or the game changes it. What is static, and planes and polygons, never sleep.
func (p *Physics) Asleep(entity donburi.Entity) bool {
	handle, ok := p.bridge.Handle(entity)
	return ok && !handle.IsSurface() && p.space.IsAsleep(handle.Body())
}

// Sync reads the world again, for queries about entities that the game has created, moved or removed since the last step.
// It moves nothing. Between Broadphase and Response it does nothing.
func (p *Physics) Sync(w donburi.World) {
	checkWorld("Sync", w)
	if p.space.Stage() != solver.Idle {
		return
	}
	p.keepEvents()
	p.readWorld(w, 0, false)
	p.space.Sync()
}
