package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/workers"
	"github.com/yohamta/donburi"
)

// Settings are what a Bridge needs to know about the steps of a world.
type Settings struct {
	Gravity     collide.Vec3 // acceleration of every dynamic body, m/s²
	Transform2D bool         // components.Transform follows Donburi's features/transform, and moves it

	// Solver is for the space. New sets CombineRestitution, CombineFriction, Down and Pool.
	Solver solver.Settings
}

// Bridge connects a Donburi world with a space of the solver. It serves one world at a time:
// reading another one begins anew.
type Bridge struct {
	settings         Settings
	pool             workers.Pool
	world            donburi.World // the world that was last read, nil for none
	watchesConstants bool          // the world reports entities with a Constant
	worlds           int           // how often another world has been begun
	space            solver.Space
	registry         registry
	parallel         parallel
	links            transformLinks
	groups           groups
	errors           []Error
	newErrors        []Error
	ended            []EndedContact
}

// Error is why an entity takes no part in steps.
type Error struct {
	Entity donburi.Entity
	Err    error // a *components.FieldError, or several joined
}

// EndedContact is a contact that ended because one of its sides left the space. A is a sphere;
// B is a sphere of a later entity, a surface, or a sensor.
type EndedContact struct {
	A, B   donburi.Entity
	Sensor bool // B is a sensor
}

// New returns a bridge that has read no world yet.
func New(settings Settings) *Bridge {
	b := &Bridge{settings: settings, parallel: parallel{rows: chunkRows, prefetchFrom: minPrefetchRows}}
	s := &b.settings.Solver
	s.CombineRestitution, s.CombineFriction = combineRestitution, combineFriction
	s.Down, s.Pool = settings.Gravity, &b.pool
	b.space.Settings = *s
	return b
}

// Serves reports whether w is the world that was last read.
func (b *Bridge) Serves(w donburi.World) bool { return b.world != nil && b.world.Id() == w.Id() }

// World returns the world that was last read, or nil.
func (b *Bridge) World() donburi.World { return b.world }

// Space returns the space with the bodies and surfaces of the world. It is the same for all worlds.
func (b *Bridge) Space() *solver.Space { return &b.space }

// Read copies the world into the space. Gravity, forces and damping act for the given seconds:
// those of a step, or 0 if no step follows. In an uninterrupted step no game code runs before
// Write, which then doesn't compare what was read with what it overwrites.
func (b *Bridge) Read(w donburi.World, seconds float64, uninterrupted bool) {
	if !b.Serves(w) {
		b.begin(w)
	}
	if b.settings.Transform2D {
		b.pullTransforms(w)
	}
	b.gather(w, seconds, uninterrupted)
}

// begin forgets the world that was last read, and begins with another one.
func (b *Bridge) begin(w donburi.World) {
	settings := b.space.Settings
	b.world, b.space, b.links = w, solver.Space{Settings: settings}, transformLinks{}
	b.registry = registry{direct: isKnown(w.StorageAccessor().Components.Storage(components.Transform))}
	b.watchesConstants = false
	b.worlds++
	b.forgetProfiles()
}

// Write copies positions, velocities and rotations from the space into the world. What the game
// has changed since Read stays as it is, unless the step is uninterrupted.
//
// It leaves Donburi's own Transforms to WriteTransforms.
func (b *Bridge) Write(w donburi.World, uninterrupted bool) { b.scatter(w, uninterrupted) }

// WriteTransforms copies components.Transform into Donburi's own Transforms, if they are connected.
func (b *Bridge) WriteTransforms(w donburi.World) {
	if b.settings.Transform2D {
		b.pushTransforms(w)
	}
}

// Errors returns the errors that the last Read found, in the order of entities. The next Read
// overwrites them.
func (b *Bridge) Errors() []Error { return b.errors }

// NewErrors returns the errors of entities that had none in the Read before, in no particular
// order. The next Read overwrites them.
func (b *Bridge) NewErrors() []Error { return b.newErrors }

// Ended returns the contacts that ended in the last Read. The next one overwrites them.
func (b *Bridge) Ended() []EndedContact { return b.ended }

// Handle returns which body or surface of the space an entity is. The result is false for an entity
// that takes no part.
func (b *Bridge) Handle(e donburi.Entity) (solver.Handle, bool) {
	handle, ok := b.registry.handle(e)
	return handle, ok
}

// HasError reports whether the last Read has found an error of an entity, which takes no part then.
func (b *Bridge) HasError(e donburi.Entity) bool {
	k := b.registry.find(e)
	return k != nil && k.flags&rejected != 0
}

// Entity returns which entity a body or surface of the space is.
func (b *Bridge) Entity(h solver.Handle) donburi.Entity { return b.registry.entity(h) }

// Sides returns the entities of two handles in the order in which events name them: a sphere
// before a surface, the earlier entity before the later one, and a visitor before its sensor,
// which is the second.
func (b *Bridge) Sides(first, second solver.Handle, sensor bool) (x, y donburi.Entity) {
	x, y = b.Entity(first), b.Entity(second)
	if !sensor && (first.IsSurface() || !second.IsSurface() && y < x) {
		return y, x
	}
	return x, y
}
