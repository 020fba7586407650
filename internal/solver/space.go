// Package solver is the step on flat arrays: spheres that fly straight between impacts, planes and polygons that stop
// them, and a calendar that takes the impacts one by one in the order of time. It knows no ECS.
//
// A step is Begin, then Sweep, then Finish. docs/architecture.md follows one through the code.
package solver

import (
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/calendar"
	"github.com/dango-physics/dango/internal/contacts"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/grid"
	"github.com/dango-physics/dango/internal/statics"
	"github.com/dango-physics/dango/internal/workers"
)

// Kind says what moves a body.
type Kind uint8

// The kinds of body.
const (
	Dynamic Kind = iota
	Kinematic
	Static
)

// Material is what decides how two things respond to each other.
type Material struct {
	Restitution  float64 // 0 to 1
	Rule         uint8   // which of the two rules counts is the caller's affair: see Settings.Combine
	Sliding      bool    // never bounces
	Sensor       bool    // reports, and stops nothing
	Locked       uint8   // axes along which the body never moves, bit 0 for x
	Friction     uint16  // number of its Friction, from AddFriction; 0 for none
	Layers, Mask uint32
}

// collides reports whether two filters let each other through to a contact.
func (m *Material) collides(o *Material) bool { return m.Layers&o.Mask != 0 && o.Layers&m.Mask != 0 }

// Settings are what a whole space is told. All are in the documented range; the caller has checked them.
type Settings struct {
	Seconds             float64 // duration of a step, > 0
	RestSpeed           float64 // closing speed, m/s, up to which a restitution below 1 counts as 0
	MaxImpacts          int     // impacts a body may have in a step before it stops where it is
	MaxInelasticImpacts int     // the same for impacts that lose energy, of which there can be infinitely many
	Combine             func(a, b *Material) float64
	CombineFriction     func(a, b *Friction) Friction
	LengthUnit          float64       // how many of the world's units of length make a metre: what counts as slow or close scales with it
	Down                collide.Vec3  // the way that most things fall, of any length
	Sleeping            bool          // what is at rest is passed over; see nap
	Workers             int           // how many may work on a step at once, at least 1
	Pool                *workers.Pool // shared with the caller; nil for a pool of the space's own
	ForceParallelFrom   int           // in tests: steps are taken in parts from so many moving bodies each on; no guess is thought too dear, and no wrong one keeps from the next
}

// body is a sphere in flight: at time t of the step its centre is at x + t·v. Sixty-four bytes, a cache line.
//
// Under an acceleration a the true flight is a parabola, and this is its chord: v is the mean velocity of the step, and
// that at time t is v + (t - Seconds/2)·a. An impact changes both by as much. So at the ends of the
// step a body is where the parabola is, an impact without loss keeps its energy, and
// a uniform acceleration cancels out of every pair.
type body struct {
	x, v        collide.Vec3
	radius      float64
	inverseMass float64 // 0 for what no impact moves
}

// at returns the centre at time t.
func (b *body) at(t float64) collide.Vec3 { return b.x.AddScaled(t, b.v) }

// bodyInfo is what a step knows of a body besides its flight. Sixty-four bytes too.
type bodyInfo struct {
	traits                uint32 // of what it is
	id                    int32
	slideContacts         int32 // its contacts of this step, a list in Space.slides; -1 for none
	overlaps              int32 // the sensors that it is in, a list in Space.stays; -1 for none
	budget                int32 // what is left of it
	kind                  Kind
	acceleratedByContacts bool    // the solution may have taken what pulls at it in this step: see accelerationBeforeSolving
	_                     [8]byte // to a whole line of cache
	maxSpeedSquared       float64 // the square of its greatest speed in this step
	material              Material
}

// pathID tells a body's path from its earlier ones, and from those of others. Apart from info because every event looks at it.
type pathID struct {
	stamp uint32 // counts its paths; an event predicted on an older one is void
	key   uint32 // of its path and of what it is, for ties: see hash
}

type flags uint32

const (
	alive           flags = 1 << iota
	placed                // the game has put it where it is since the last step, so it must look around even if it is at rest
	frozen                // its budget is spent
	overlapping           // was inside another thing at the end of the last step
	overlapsAtStart       // began the step inside another thing
	tilesChecked          // updateTouching has looked at what it touches
	unfiltered            // neither a sensor nor picky about layers: it collides with whatever else is plain
	accelerated           // its pull isn't zero
	ghost                 // in a part of a step: a guest
	unchanged             // nothing about it has changed since begin last did its work for it, and nothing will: see rests
	hasSpin               // it has an entry in Space.spins
	neverSleeps           // never sleeps
	sleeping              // it is in a nap
	supportsSleeper       // something that sleeps rests on it
	pairsSolved           // what it could meet in this step is held
	touchedByGame         // it naps, or something rests on it, and the game has said something of it since the last step: see heed

	// Within a step: see stage.go.
	unsolved      // it is in a contact: its velocity is known when contacts have been solved
	stale         // what was predicted of it is void: resolve predicts it again
	isCounted     // it is among those that stirring counts
	mustFindPairs // its neighbours may have looked in vain for it
)

// Space is the state of one world.
type Space struct {
	Settings

	bodies         []body
	infos          []bodyInfo
	pathIDs        []pathID
	flags          []flags
	accelerations  []collide.Vec3 // the acceleration of each body: gravity and forces, less what it rests on
	startPositions []collide.Vec3 // where each body was when the step began
	index          []int32        // of a body, by its id
	freeIDs        []int32
	removedIDs     []int32 // free as soon as nothing refers to those that had them

	statics         statics.Set
	surfaces        []surfaceInfo // what is known of them besides their shapes, by their numbers
	surfacesChanged bool          // a surface changed or moves: bodies at rest must look at them too

	grid             grid.Grid
	gridStale        bool // the grid doesn't say where the bodies are
	scratch          grid.Scratch
	samples          []grid.Sample
	sorter           sorter
	stepsSinceLayout int // steps since the grid was laid out
	calendar         calendar.Calendar

	nearby            []int32 // the bodies that a search of the grid has found
	hits              []int32 // those that passed the pair test, in passed or hitBuffer
	passed            []int32 // scratch of testNear
	query             pairQuery
	testBuffer        [maxTested]int32 // scratch of testNeighborhood: the bodies that it tests
	hitBuffer         [maxTested]int32 // and those that pass
	prefetched        prefetched
	pairs             []pair
	solverContacts    []contact // in the order in which they are solved
	spareContacts     []contact
	firstContact      []int32          // by id: the first contact in solverContacts of a body; -1 for none
	unsolvedBodies    []int32          // the bodies that are unsolved
	staleBodies       []int32          // the bodies that are stale
	slowedSurfaces    []int32          // the surfaces that drive into what can't yield in time, and were slowed down
	placedIDs         []int32          // ids of the bodies that the game has placed since the last step
	stoppedIDs        []int32          // ids of the bodies that have stopped since the last step
	gatheringContacts bool             // contacts are being found: bodies that wake are added to contactSolver at once
	contactsChanged   bool             // contacts have come or gone since they were ordered
	begunContacts     []namedPair      // in a part of a step: the contacts that began
	neighborSearches  []neighborSearch // by id
	stepNumber        uint32
	smallestRadius    float64 // the smallest radius
	driverTravel      float64 // greatest distance by which a driver approaches a body of a heap in this step, m

	contactSolver   contacts.Solver
	contactBodies   []contactBody   // by index in contactSolver
	solverBodyOf    []int32         // by id: index in contactSolver, -1 for none
	solverSurfaceOf []int32         // by number of a surface: index in contactSolver, -1 for none
	solverPairs     []contacts.Pair // scratch of orderContacts
	speedScales     []float64       // by id: fraction of its velocity that a kinematic body reached in the last step; 0 means 1

	sleepStates      []sleepState // by id
	sleepingIslands  []sleepingIsland
	freeIslands      []int32
	islandsToWake    []int32        // naps that are over when the next step begins
	changedSupports  []int32        // codes of what something that naps rests on, and that has changed
	frictions        []Friction     // by the numbers in Material
	spins            []spin         // by id, for bodies with the flag spins
	polygonNormals   []collide.Vec3 // normal of each body's next impact with a surface
	slideContacts    []slideContact
	slideScratch     []collide.SlideContact
	heldAcceleration float64 // the acceleration along its normal that the last contact which doesn't bounce takes from the two
	sensorOverlaps   []sensorOverlap
	freeOverlaps     []int32
	overlapsOf       eventlog.Adjacency // which of stays a body or surface is part of, for queries
	overlapsChanged  bool               // overlapsOf is out of date
	endedOverlaps    []endedOverlap
	overlapPairs     []overlapPair
	haltedBodies     []haltedBody
	crushedBodies    []crushedBody
	vetoes           map[eventlog.PairKey]struct{}

	log          eventlog.Log
	openContacts eventlog.Contacts // those that are open
	dueKey       uint32            // key of the event that is being taken

	queryTime   float64      // where in the step the surfaces are seen by queries
	bounds      collide.AABB // of all bodies, for queries
	boundsValid bool         // bounds is up to date

	parallelStep     *parallelStep // for steps in parts; nil until there is one
	subdomain        *subdomain    // in a space that is a part of another's step
	stage            Stage
	isParallel       bool          // the step is taken in parts
	inspected        bool          // it was begun in parts, and is taken as a whole because the game has looked at it
	solved           bool          // the contacts that last are solved
	stepTime         time.Duration // on the step, before Finish
	movingBodies     int           // bodies that moved in the last step
	movesSinceLayout int           // how often a body moved since the grid was laid out

	Counts Counts
}

// Counts is what a step did.
type Counts struct {
	Pairs, Sweeps, Impacts, SpentBudgets, Blocked, Moves int

	Asleep                  int // bodies that sleep
	inelastic, sensorEvents int // impacts that don't bounce; comings and goings in sensors
}

// pair is two bodies by index, or a body and -1-surface.
type pair struct{ a, b int32 }

// Bodies returns how many bodies there are.
func (s *Space) Bodies() int { return len(s.index) - len(s.freeIDs) - len(s.removedIDs) }

// Radius returns a body's radius.
func (s *Space) Radius(id int32) float64 { return s.bodies[s.index[id]].radius }
