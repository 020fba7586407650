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

// Config holds the settings of the physics of a world. The zero value of every field is a sensible
// default.
//
// A field that is out of its range counts as its default, and [Physics.Errors] reports it.
type Config struct {
	// Gravity is the acceleration of every dynamic body, m/s², of length 0 to 1e9; (0, -9.81, 0) on
	// Earth with Y up. [Physics.SetGravity] changes it between steps.
	Gravity collide.Vec3

	// StepSeconds is the length of a step in seconds, 1e-9 to 1000; 0 stands for 1/60, Ebitengine's
	// default tick.
	StepSeconds float64

	// RestitutionThreshold is the approach speed in m/s, finite, up to which impacts do not bounce,
	// so that a ball comes to rest instead of bouncing ever lower. 0 stands for twice the speed
	// that gravity adds in one step; negative values mean no threshold. A restitution of exactly 1
	// has no threshold. But without Parabolic, a ball that would hop lower than g·dt²/8 off
	// something immovable (0.34 mm on Earth) comes to rest at any restitution, and hops of up to
	// twice that height get lower.
	//
	// The speed is in the world's units, as Gravity is, so LengthUnit doesn't change it. Without
	// gravity 0 means no threshold. Box2D's default is 1 m/s.
	RestitutionThreshold float64

	// LengthUnit is the number of the world's units of length in a metre, 1e-6 to 1e6; 0 stands for
	// 1, a world in metres. In a world of pixels it is the number of pixels that make a metre, such
	// as 50. It scales the speeds and gaps below which bodies come to rest and fall asleep, and
	// nothing else: all other numbers are in the world's units, even if the documentation calls
	// them metres.
	LengthUnit float64

	// NoSleeping keeps all bodies awake: persistent contacts are solved in every step, which costs
	// time. Results are deterministic with and without sleep. They have the same bits, except where
	// a body that rests against another one, or against a character, is hit or pushed: positions
	// may then differ by some 0.1 mm, and later by more (docs/limits.md). NeverSleep of
	// [components.BodyData] does the same for single bodies.
	NoSleeping bool

	// MaxImpacts is the number of impacts with loss of energy that a body may have in one step, 1
	// to 524,287; 0 stands for 16. Most games never need another one. Further impacts of the body
	// in the step don't bounce, and are resolved together with all that touches it, so that every
	// step ends; momentum is conserved. A body that then meets something that stands still, or
	// rests on something immovable, stops for the rest of the step. Jammed of [Stats] counts both.
	//
	// An impact counts as
	//   - 1/4096 without loss of energy,
	//   - 1/128 with something kinematic that moves,
	//   - 4 without a bounce in a heap that something immovable supports, unless something in the
	//     world yields to torque,
	//   - 1 otherwise.
	MaxImpacts int

	// TouchingGap is the gap in metres up to which bodies touch, finite and not negative. An impact
	// of a body with restitution is resolved together with those that it causes among bodies that
	// touch, because real balls stay in contact while the impulse travels through them. A rack of
	// billiard balls then breaks symmetrically. With 0 impacts at the same time are resolved one
	// after another.
	TouchingGap float64

	// Parabolic makes bodies that fly move along parabolas within a step, so that the times and
	// places of their impacts are exact, and a ball with restitution 1 keeps its height however low
	// it hops. By default they move along the chords of these parabolas, which are up to g·dt²/8
	// off: 0.34 mm on Earth at 60 steps a second. Positions at the ends of steps are exact in any
	// case. What contacts support, and what is near a surface that rotates, moves along chords. In
	// a world without gravity and forces the setting changes nothing.
	Parabolic bool

	// ContactRule, if not nil, is asked about every impact before its response, and in each step
	// about every persistent contact of bodies that are awake. It may change the material of the
	// contact, or make the two ignore each other. It must decide by its argument and by what
	// doesn't change within a step, and treat A and B alike: then results have the same bits in any
	// order of creation. It may be asked more than once about an impact, and must not call methods
	// of the Physics or create, change or remove entities. A value out of its range is reported by
	// [Physics.Errors], and the contact is as without the rule. A world with a rule is stepped by
	// one worker. Sensors, and what characters meet while they walk, are not asked about.
	ContactRule func(*RuledContact) `json:"-"`

	// MaxSteps is the number of steps that one call of [Physics.Advance] may run, at least 1; 0
	// stands for 8. Time beyond that is dropped, so that a slow machine doesn't fall behind ever
	// further.
	MaxSteps int

	// Workers is the largest number of goroutines that share a step, 1 to 256; 0 stands for
	// GOMAXPROCS. Results have the same bits for any number. One worker reads and writes fewer than
	// about 4,000 entities. One worker also steps fewer than a few thousand moving bodies, and
	// steps that several workers would not finish sooner. Waiting workers keep their processors
	// busy, within a step and between steps that follow each other within two milliseconds.
	Workers int

	// Transform2D synchronizes [components.Transform] with the Transform of Donburi's
	// features/transform, for entities with both. A step reads X and Y of the position from
	// Donburi's, and the rotation of surfaces and entities with an AngularVelocity. After
	// the step it writes them back. Positions are relative to parents; scales are ignored, as in
	// Donburi's WorldPosition. Other entities are not affected.
	Transform2D bool

	// Publish is the set of events that are published on Donburi's event buses. They stay there
	// until the game calls ProcessEvents, so publish only events that it processes. Polling, as
	// with [Physics.Impacts], needs no setting.
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

	// elasticShare is the number of impacts without loss that count as one with loss. Sequences of
	// elastic impacts always end, but may be long: between a wall and a sphere of 1e8 times its
	// mass, a sphere has 31,415. With a smaller number such a sphere would not bounce any more,
	// with a larger one steps could take longer.
	elasticShare = 4096
)

// Physics is the physics of one world. [NewPhysics] makes it; the zero value is of no use. Its
// methods are for one goroutine at a time.
//
// It may go on with a new world, and forgets the old one. If it then steps the old one again,
// [Physics.Errors] reports that: contacts, pushes of characters and sleep have been lost.
type Physics struct {
	config       Config       // with the gravity of the last step, or of the one that is under way
	gravity      collide.Vec3 // of the steps that begin from now on, m/s²
	noThreshold  bool         // RestitutionThreshold is the default, which follows from gravity
	configErrors []EntityError
	bridge       *bridge.Bridge
	space        *solver.Space     // of the bridge
	worlds       []donburi.WorldId // that it has stepped before the one that it steps now, the latest last
	worldErrors  []EntityError     // if it has stepped the world before, and another one since
	errors       []EntityError
	pending      pendingEvents
	last         stepEvents
	advanced     stepEvents // of the steps that Advance has made so far
	kept         float64    // seconds that Advance has not simulated yet
	ruleErrors   []EntityError
	asksRule     bool // a ContactRule is being called
	jammedInARow int  // steps in a row in which bodies have used up their impacts
	stats        Stats
	characters   characters
	motors       motors
	batch        *castBatch    // nil until CastBatch is called
	overlapBatch *overlapBatch // nil until OverlapBatch is called
}

// NewPhysics returns the physics of one world.
func NewPhysics(config Config) *Physics {
	p := &Physics{}
	p.config, p.configErrors = config.checked()
	p.gravity, p.noThreshold = p.config.Gravity, config.hasDefaultThreshold()
	p.bridge = bridge.New(bridge.Settings{
		Gravity:     p.config.Gravity,
		Transform2D: p.config.Transform2D,
		Solver: solver.Settings{
			Seconds:             p.config.StepSeconds,
			RestSpeed:           p.config.RestitutionThreshold,
			MaxInelasticImpacts: p.config.MaxImpacts,
			MaxImpacts:          p.config.MaxImpacts * elasticShare,
			TouchingGap:         p.config.TouchingGap,
			Parabolic:           p.config.Parabolic,
			LengthUnit:          p.config.LengthUnit,
			Sleeping:            !p.config.NoSleeping,
			Workers:             p.config.Workers,
		},
	})
	p.space = p.bridge.Space()
	p.space.ContactRule = p.contactRule()
	p.errors = slices.Clone(p.configErrors)
	return p
}

// checked returns c with its defaults filled in, and its errors.
func (c Config) checked() (Config, []EntityError) {
	var wrong []EntityError
	reject := func(field string, value any, reason string) {
		wrong = append(
			wrong,
			EntityError{Err: &components.FieldError{Component: "Config", Field: field, Value: value, Reason: reason}},
		)
	}
	if err := checkGravity("Config", c.Gravity); err != nil {
		wrong = append(wrong, EntityError{Err: err})
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
		c.RestitutionThreshold = defaultThreshold(c.Gravity, c.StepSeconds)
	}
	if !(c.LengthUnit >= 1e-6 && c.LengthUnit <= 1e6) && c.LengthUnit != 0 {
		reject("LengthUnit", c.LengthUnit, "is not between 1e-6 and 1e6")
		c.LengthUnit = 0
	}
	if c.LengthUnit == 0 {
		c.LengthUnit = 1
	}
	if c.MaxImpacts < 0 || c.MaxImpacts > math.MaxInt32/elasticShare {
		reject("MaxImpacts", c.MaxImpacts, "is not between 0 and 524287")
		c.MaxImpacts = 0
	}
	if c.MaxImpacts == 0 {
		c.MaxImpacts = defaultImpacts
	}
	if !(c.TouchingGap >= 0) || math.IsInf(c.TouchingGap, 1) {
		reject("TouchingGap", c.TouchingGap, "is negative or not finite")
		c.TouchingGap = 0
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

// AddTo adds the systems Broadphase, Sweep and Response to game, in that order, and returns p. It
// panics if game or its World is nil.
func (p *Physics) AddTo(game *ecs.ECS) *Physics {
	worldOf("AddTo", game)
	game.AddSystem(p.Broadphase).AddSystem(p.Sweep).AddSystem(p.Response)
	return p
}

// Broadphase is the first system of a step. It reads the world and finds the candidate pairs. If a
// step is under way, Broadphase abandons it and begins a new one.
func (p *Physics) Broadphase(game *ecs.ECS) { p.broadphase(worldOf("Broadphase", game), false) }

// Sweep is the second system of a step. It predicts the first impact of each candidate pair, and
// impacts with surfaces. It runs Broadphase first if that has not run.
func (p *Physics) Sweep(game *ecs.ECS) { p.sweep(worldOf("Sweep", game)) }

// Response is the third system of a step. It solves contacts, resolves all impacts in chronological
// order, and writes positions and velocities into the world. A position or velocity that the game
// has changed since Broadphase is not overwritten. Response runs the systems that have not run.
func (p *Physics) Response(game *ecs.ECS) { p.respond(worldOf("Response", game), false) }

// worldOf returns the world of game, the argument of the given method. It panics if one of them is
// nil.
func worldOf(method string, game *ecs.ECS) donburi.World {
	if game == nil {
		panic("systems: Physics." + method + " needs an ECS, and got nil")
	}
	checkWorld(method, game.World)
	return game.World
}

// checkCaller panics if a ContactRule, which is called within a step, takes a step itself or
// changes the gravity. If one has panicked, its step will never end.
func (p *Physics) checkCaller() {
	if p.asksRule {
		panic("systems: a ContactRule must not call Step, Advance, Sync, SetGravity or one of the systems; " +
			"if it has panicked in a step before, make a new Physics")
	}
}

// checkWorld panics for a nil World.
func checkWorld(method string, w donburi.World) {
	if w == nil {
		panic("systems: Physics." + method + " needs a World, and got nil")
	}
}

// Step runs one step: Broadphase, Sweep and Response.
//
// If the game has begun a step with Broadphase or Sweep, Step completes that step, with its vetoes,
// instead of beginning a new one.
func (p *Physics) Step(w donburi.World) {
	checkWorld("Step", w)
	uninterrupted := p.space.Stage() == solver.Idle || !p.bridge.Serves(w)
	if uninterrupted {
		p.broadphase(w, true)
	}
	p.sweep(w)
	p.respond(w, uninterrupted)
}

// broadphase is Broadphase. A step is uninterrupted if no game code runs before its end.
func (p *Physics) broadphase(w donburi.World, uninterrupted bool) {
	p.checkCaller()
	start := time.Now()
	p.applyGravity()
	p.motors.begin(w, p.config.StepSeconds)
	p.characters.beginStep(p, w)
	p.readWorld(w, p.config.StepSeconds, uninterrupted)
	p.motors.load(w, p, p.config.StepSeconds)
	p.addMotorErrors(w)
	p.last.reset()
	p.ruleErrors = p.ruleErrors[:0]
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

// changeWorld takes note that another world follows. One that has been stepped before has lost the
// contacts, pushes and sleep of its bodies: that is an error, unlike a new world.
func (p *Physics) changeWorld(next donburi.World) {
	const most = 16 // worlds that are remembered
	p.motors.pushes = p.motors.pushes[:0]
	if w := p.bridge.World(); w != nil && !slices.Contains(p.worlds, w.Id()) {
		p.worlds = append(p.worlds[max(0, len(p.worlds)-most+1):], w.Id())
	}
	first := len(p.worldErrors) == 0
	if p.worldErrors = p.worldErrors[:0]; !slices.Contains(p.worlds, next.Id()) {
		return
	}
	p.worldErrors = append(p.worldErrors, EntityError{Err: &components.FieldError{
		Component: "Physics", Field: "World", Value: next.Id(),
		Reason: "was stepped before, and another world since: give each world a Physics of its own",
	}})
	if first {
		p.pending.errors = append(p.pending.errors, p.worldErrors...)
	}
}

// readWorld reads the world, and collects the errors and ended contacts that the next step reports.
func (p *Physics) readWorld(w donburi.World, seconds float64, uninterrupted bool) {
	if !p.bridge.Serves(w) {
		p.pending, p.last = pendingEvents{}, stepEvents{}
		p.characters.forget()
		p.changeWorld(w)
	}
	p.bridge.Read(w, seconds, uninterrupted)
	p.errors = append(append(p.errors[:0], p.configErrors...), p.worldErrors...)
	for _, e := range p.bridge.Errors() {
		p.errors = append(p.errors, EntityError(e))
	}
	for _, e := range p.bridge.NewErrors() {
		p.pending.errors = append(p.pending.errors, EntityError(e))
	}
	p.errors, p.pending.errors = p.characters.errors(w, p.errors, p.pending.errors)
	for _, e := range p.bridge.Ended() {
		p.pending.ends = append(p.pending.ends, ContactEnd{A: e.A, B: e.B, Sensor: e.Sensor})
	}
}

// sweep is Sweep.
func (p *Physics) sweep(w donburi.World) {
	p.checkCaller()
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

// respond is Response.
func (p *Physics) respond(w donburi.World, uninterrupted bool) {
	p.checkCaller()
	if p.space.Stage() != solver.ImpactsFound || !p.bridge.Serves(w) {
		p.sweep(w)
	}
	start := time.Now()
	p.space.Finish()
	finished := time.Now()
	if len(p.ruleErrors) > 0 {
		p.errors = append(p.errors, p.ruleErrors...)
		sortErrors(p.errors)
		p.stats.Errors = len(p.errors)
	}
	if p.config.Publish&PublishErrors != 0 {
		for _, e := range p.ruleErrors {
			ErrorEvent.Publish(w, e)
		}
	}
	p.bridge.Write(w, uninterrupted)
	p.motors.finish(w, p)
	p.characters.move(p, w)
	p.space.FinishSensors()
	p.bridge.WriteTransforms(w)
	p.last.left, p.pending.ends = p.pending.ends, p.last.left[:0]
	p.publish(w)
	c := p.space.Counts
	p.stats.Asleep = c.Asleep
	p.stats.Pairs, p.stats.Sweeps, p.stats.Impacts = c.Pairs, c.Sweeps, c.Impacts
	p.stats.Jammed, p.stats.SpentBudgets, p.stats.Blocked = c.Jammed, c.SpentBudgets, c.Blocked
	if p.jammedInARow++; c.Jammed == 0 {
		p.jammedInARow = 0
	}
	p.stats.Response, p.stats.Scatter = finished.Sub(start), time.Since(finished)
}

// Advance simulates the given time in fixed steps, at most [Config.MaxSteps], and keeps the
// remainder for the next call. It returns the number of steps. Seconds that are negative or not
// finite count as 0.
//
// Afterwards [Physics.Impacts], [Physics.ContactBegins], [Physics.ContactEnds] and
// [Physics.Crushed] return the events of all these steps, and none if there was no step.
func (p *Physics) Advance(w donburi.World, seconds float64) int {
	checkWorld("Advance", w)
	if seconds > 0 && !math.IsInf(seconds, 1) {
		p.kept += seconds
	}
	steps := 0
	for ; p.kept >= p.config.StepSeconds && steps < p.config.MaxSteps; steps++ {
		if steps > 0 {
			p.advanced.append(p)
		}
		p.Step(w)
		p.kept -= p.config.StepSeconds
	}
	if steps != 1 && p.space.Stage() == solver.Idle { // else a step is under way
		if steps > 1 {
			p.advanced.append(p)
		}
		p.last, p.advanced = p.advanced, p.last
		p.last.kept = true
		p.advanced.reset()
	}
	if p.kept >= p.config.StepSeconds { // more than MaxSteps: the rest is dropped
		p.kept = 0
	}
	return steps
}

// Alpha returns the time that Advance has kept, as a fraction of a step, 0 to 1.
// [Physics.Interpolated] uses it.
func (p *Physics) Alpha() float64 { return p.kept / p.config.StepSeconds }

// Interpolated returns the position and rotation at which to draw entity: where it was in the last
// step when a fraction [Physics.Alpha] of it had passed. Motion is then smooth, and up to a step
// late. The path within the step is followed through all its impacts, so that nothing that is drawn
// overlaps. Surfaces are interpolated too. What [Physics.Sync] has read and was in no step yet is
// where its Transform is. The result is false for an entity that no step and no Sync has read, or
// that has been removed since.
//
// Paths are recorded from the step after the first call on. Before that motion counts as straight.
func (p *Physics) Interpolated(entity donburi.Entity) (components.TransformData, bool) {
	if at, ok := p.characters.interpolated(p, entity, p.Alpha()); ok {
		return at, true
	}
	return p.bridge.Interpolated(entity, p.Alpha())
}

// Asleep reports whether entity sleeps. Bodies at rest sleep together with all that they touch:
// steps skip them until something could touch them or the game changes one of them. Static
// entities and surfaces never sleep.
func (p *Physics) Asleep(entity donburi.Entity) bool {
	handle, ok := p.bridge.Handle(entity)
	return ok && !handle.IsSurface() && p.space.IsAsleep(handle.Body())
}

// Sync reads the world, so that queries see entities that the game has created, moved or removed
// since the last step. It moves nothing. Between Broadphase and Response it has no effect.
func (p *Physics) Sync(w donburi.World) {
	checkWorld("Sync", w)
	p.checkCaller()
	if p.space.Stage() != solver.Idle {
		return
	}
	p.keepEvents()
	p.space.IndexPaths()
	p.readWorld(w, 0, false)
	p.addMotorErrors(w)
	p.space.Sync()
}
