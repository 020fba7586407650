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

// Settings apply to a whole space. The caller has checked that all are in their documented range.
type Settings struct {
	Seconds             float64 // duration of a step, > 0
	RestSpeed           float64 // closing speed, m/s, up to which a restitution below 1 counts as 0
	MaxImpacts          int     // impacts that a body may have in a step before it is jammed: see impactgroup.go
	MaxInelasticImpacts int     // the same for impacts that lose energy, which can be infinitely many
	TouchingGap         float64 // gap up to which bodies take part in each other's impacts, metres; 0 for none

	// CombineRestitution returns the restitution between two materials, 0 to 1, neither of which is
	// Sliding. It is called for each impact, and in each step for each persistent contact. Nil
	// stands for the larger value.
	CombineRestitution func(a, b *Material) float64

	// CombineFriction returns the coefficients between two surfaces, of which at least one has a
	// Friction, always the same for the same two. Nil stands for the larger value of each
	// coefficient.
	CombineFriction func(a, b *Friction) FrictionCoefficients

	// ContactRule may change a contact, or make its two sides ignore each other. It is called for
	// each impact, and in each step for each persistent contact. With one, steps are not parallel.
	ContactRule func(*ContactSettings)

	LengthUnit float64       // units of length per metre; limits of speed and distance scale with it
	Down       collide.Vec3  // direction in which most bodies fall, of any length
	Sleeping   bool          // islands at rest are skipped: see sleep.go
	Workers    int           // greatest number of workers of a step, at least 1
	Pool       *workers.Pool // shared with the caller; nil for a pool of the space's own

	// Parabolic makes bodies that nothing supports move along their parabolas within a step, and
	// not along the chords of these: see arc.go.
	Parabolic bool

	// KeepPaths makes the space note the ways of all bodies from the next step on, for PathAt. It
	// changes no result.
	KeepPaths bool

	// ForceParallelFrom is for tests. Where it is positive, a step is parallel with at least so
	// many moving bodies for each of two workers, whatever it costs and however often halos were
	// too small.
	ForceParallelFrom int
}

// Space is the state of one world. Its fields are grouped by purpose; groups are embedded, and
// declared in the order in which a step uses them.
type Space struct {
	Settings

	bodyArrays
	arcState
	surfaceState
	groupState
	stepState
	broadphase
	eventQueue
	contactState
	sleepStore
	stepForceStore
	slideState
	impactGroupState
	ruleState
	sensorState
	shapeState
	overlapState
	reports
	queryState
	parallelState

	debug  debugState
	Counts Counts
}

// bodyArrays holds the bodies. The index of a body changes when bodies are sorted; its id doesn't.
type bodyArrays struct {
	bodies           []body
	infos            []bodyInfo
	pathIDs          []calendar.PathID
	flags            []flags
	accelerations    []collide.Vec3 // gravity and forces, less what contacts cancel, m/s²; empty if all are 0 so far
	startPositions   []collide.Vec3 // where each body was when the step began, metres
	index            []int32        // index of a body, by its id
	freeIDs          []int32
	removedIDs       []int32    // ids of removed bodies, which contacts or sensors may still refer to
	placedIDs        []int32    // ids of the bodies that the game has placed since the last step
	spins            []spin     // by id, for bodies with the flag hasSpin
	frictions        []Friction // by FrictionID; the first is the zero value
	combinedFriction combinedFriction
	speedScales      []float64 // by id: fraction of its velocity that a kinematic body reached; 0 means 1
}

// surfaceState holds the surfaces.
type surfaceState struct {
	statics        statics.Set
	surfaces       []surfaceInfo  // what isn't their shape, by their numbers
	rotors         []rotor        // what rotates under load in this step
	rotorLoads     []rotorLoad    // scratch of slowRotors
	setSurfaces    []int32        // codes of entities whose surfaces the game has set or removed since updateContacts
	placedSurfaces []int32        // numbers of those that the game has put or changed since the last step
	movingSurfaces []int32        // those that move in this step
	reaches        []collide.AABB // scratch of markNearMovingSurfaces
	someNearMoving bool           // it has marked bodies
}

// groupState holds the kinematic groups: see group.go.
type groupState struct {
	groups []kinematicGroup // by number; the first is unused
}

// stepState is the progress of the current step: see stage.go.
type stepState struct {
	stage           Stage
	isParallel      bool          // the step is divided into subdomains
	inspected       bool          // it was, until the game asked about it or vetoed a pair
	solved          bool          // persistent contacts have been solved in this step
	stepNumber      uint32        // counts steps
	stepTime        time.Duration // spent in this step's earlier stages
	movingBodies    int           // bodies that moved in the last step
	unsolvedBodies  []int32       // indices of bodies with the flag unsolved
	staleBodies     []int32       // indices of bodies with the flag stale
	predictedBodies []int32       // scratch of chunked loops: indices of the bodies whose own events are predicted
	slowedSurfaces  []int32       // surfaces slowed down because what they push can't yield in time
}

// broadphase finds candidate pairs: see broadphase.go.
type broadphase struct {
	grid             grid.Grid
	gridStale        bool // the grid must be laid out anew: it doesn't contain the bodies where they are
	stepsSinceLayout int
	movesSinceLayout int // sum of movingBodies over these steps
	scratch          grid.Scratch
	sorter           sorter
	pairs            []pair // the candidates of the step

	query      pairQuery
	nearby     []int32          // the bodies that the last search of the grid found
	passed     []int32          // those of them that passed the pair test
	testBuffer [maxTested]int32 // scratch of testNeighborhood: the bodies that it tests
	hitBuffer  [maxTested]int32 // scratch of testNeighborhood: the bodies that pass
}

// eventQueue is the predicted events of the step: see events.go.
type eventQueue struct {
	calendar       calendar.Calendar
	eventCount     int // events that were due in the last step, without those that the calendar dropped
	prefetched     prefetched
	surfaceImpacts []surfaceImpacts // by body
	dueKey         uint32           // key of the event that is being processed
}

// contactState is the persistent contacts and what is needed to find and solve them: see
// contact.go.
type contactState struct {
	solverContacts    []contact        // those of an island in the order in which they are solved
	contactLinks      []contactLink    // of solverContacts
	nearSurfaces      []int32          // scratch of addFloorContacts: polygons close to a body
	leftTiles         []contact        // scratch of addSolverBodies: contacts with polygons that have ended
	spareContacts     []contact        // scratch of settleWoken
	firstContact      []int32          // by id: a body's first contact in solverContacts; -1 for none
	gatheringContacts bool             // contacts are being found: bodies that wake are added to contactSolver at once
	hasWoken          bool             // an island has woken since settleWoken
	begunContacts     []eventlog.Pair  // in a subdomain: contacts that began, for the whole space
	closingContacts   []closingContact // that close a gap in this step, see noteBegun
	stoppedIDs        []int32          // ids of the bodies that stopped in the last step
	neighborSearches  []neighborSearch // by id, as many as sleepStates
	aroundOf          []int32          // by id: 1 + index in arounds, 0 for none
	arounds           []statics.Around // of bodies that have been in contacts where there are facets
	smallestRadius    float64          // metres
	driverTravel      float64          // greatest distance that a driver approaches a heap in this step, m

	contactSolver   contacts.Solver
	contactBodies   []contactBody   // by index in contactSolver
	solverBodyOf    []int32         // by id: index in contactSolver, -1 for none
	turningGroups   int32           // surfaces that rotate in contactSolver
	contactSurfaces []int32         // the surfaces in contactSolver
	solverSurfaceOf []int32         // by number of a surface: index in contactSolver, -1 for none
	solverPairs     []contacts.Pair // of solverContacts: the two sides of each in contactSolver
	movedFrom       []int32         // scratch of moveContacts
	lasting         []bool          // scratch of closeContacts
	elasticBodies   bool            // a body in contactSolver has a restitution of 1
}

// sleepStore is which bodies sleep: see sleep.go.
type sleepStore struct {
	sleepStates     []sleepState // by id; those of new bodies may be missing: see needSleepStates
	sleepingIslands []sleepingIsland
	freeIslands     []int32        // unused indices in sleepingIslands
	sleptContacts   []sleptContact // in the order of pairs
	islandsToWake   []int32        // islands that wake when the next step begins; in a subdomain, ids of their bodies
	changedSupports []int32        // codes of what sleeping bodies rest on and the game has changed
}

// stepForceStore is the forces that act in one step: see stepforce.go.
type stepForceStore struct {
	stepForces  []stepForce
	stepForceOf []int32 // by id: 1 + index in stepForces, 0 for none; those of new bodies may be missing
}

// slideState is the contacts along which bodies slide within a step: see slide.go.
type slideState struct {
	slideContacts         []slideContact
	slideScratch          []collide.SlideContact
	cancelledAcceleration float64 // acceleration along its normal that the last inelastic impact cancels, m/s²
}

// ruleState is what the contact rule has said: see rule.go.
type ruleState struct {
	ruled   ContactSettings    // scratch of ruleOn
	ruling  ContactSettings    // for the impact that is being resolved
	ignored []eventlog.PairKey // pairs that ignore each other until they are apart
}

// sensorState is which bodies are in which sensors: see sensor.go.
type sensorState struct {
	sensorOverlaps  []sensorOverlap
	freeOverlaps    []int32
	endedOverlaps   []endedOverlap
	overlapsOf      eventlog.Adjacency // sensorOverlaps by the bodies and surfaces in them, for queries
	overlapsChanged bool               // overlapsOf is out of date

	sensorBodies    int     // how many bodies are sensors
	visitors        []int32 // the surfaces that may be in sensors, by number: see visitor.go
	visitingSurface surfaceVisitor
	sensorsNear     []int32 // scratch of CompareWithSensors
	visitorEvents   []eventlog.Entry
}

// overlapState is what is resolved apart from impacts: see separate.go and halt.go.
type overlapState struct {
	overlapPairs       []overlapPair // overlapping at the start of the step
	spareOverlapPairs  []overlapPair // scratch of sortOverlapPairs
	displacements      []displacement
	displacementOf     map[int32]int32 // numbers of displacements by index of a body
	apartConstraints   []apartConstraint
	overlappedSurfaces []overlappedSurface
	haltedBodies       []haltedBody
	crushedBodies      []crushedBody
}

// reports is what happened in the step: see log.go and touch.go.
type reports struct {
	log           eventlog.Log
	paths         paths
	likeSteps     int               // bodies that the game has moved as a step would, since the last one began
	lastLikeSteps int               // the same, before the last step
	openContacts  eventlog.Contacts // contacts that have begun and not ended
	vetoes        map[eventlog.PairKey]struct{}
	endedVetoes   []eventlog.PairKey // the vetoes of the last step
}

// queryState is what queries between steps need: see query.go.
type queryState struct {
	probeShape   collide.Placed
	obstacles    []int32      // scratch of Obstacles: bodies
	queryTime    float64      // time of the step at which queries see surfaces, seconds
	bounds       collide.AABB // of all bodies
	boundsValid  bool         // bounds and what bodies have moved are up to date
	farMove      float64      // so far along an axis is far for a body since the step began, metres
	farMoved     []int32      // ids of the bodies that have moved farther; some twice
	farthestMove float64      // of the others, metres
	batch        *queryBatch  // nil until the first one: see querybatch.go
}

// parallelState is how the step is divided among workers: see parallelstep.go.
type parallelState struct {
	parallelStep *parallelStep // nil until the first parallel step
	subdomain    *subdomain    // of which this is the space; nil for a whole space
	chunksLoops  bool          // the loops of this step run in chunks: see loops.go
	loop         *chunkedLoop  // nil until the first one
	tuner        workers.Tuner // decides whether workers share a step
	measured     bool          // it did, and gets the duration of the step
}

// Counts is what a step did.
type Counts struct {
	Pairs, Sweeps, Impacts, SpentBudgets, Blocked, Moves int

	Jammed int // bodies that have had all impacts of their budget: see impactgroup.go

	Asleep                  int // bodies that sleep
	inelastic, sensorEvents int // impacts that don't bounce; sensor entries and exits
	reachTests              int // tests whether a body is near a surface that moves or was set
}

// pair is two bodies by index, or a body and the code of a surface.
type pair struct{ a, b int32 }

// Bodies returns how many bodies there are.
func (s *Space) Bodies() int { return len(s.index) - len(s.freeIDs) - len(s.removedIDs) }
