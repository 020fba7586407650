package solver

import "github.com/dango-physics/dango/collide"

// Kind says what moves a body.
type Kind uint8

// The kinds of body.
const (
	Dynamic   Kind = iota // impacts, contacts, gravity and forces
	Kinematic             // only the game: it moves at the velocity that it is given
	Static                // nothing
)

// body is a sphere, or a body of another shape, on a straight path: at time t of the step its
// centre is at x + t·v. It fills a cache line of 64 bytes.
//
// Under an acceleration a the true path is a parabola, and the straight path is its chord: v is the
// mean velocity of the step, and the velocity at time t is v + (t - Seconds/2)·a. An impact changes
// both by the same amount. Therefore a body is on its parabola at both ends of the step, an elastic
// impact conserves energy, and a uniform acceleration cancels out of every pair. With
// Settings.Parabolic, bodies move along the parabola itself: see arc.go.
type body struct {
	x, v        collide.Vec3 // metres at time 0, and metres per second
	radius      float64      // metres; of a body with another shape: of the ball around x that contains it
	inverseMass float64      // 1/kg; 0 for a body that no impact moves
}

// at returns the centre at time t.
func (b *body) at(t float64) collide.Vec3 { return b.x.AddScaled(t, b.v) }

// bodyInfo is what a step needs of a body besides its path. It fills a cache line of 64 bytes.
type bodyInfo struct {
	traits                uint32 // hash of radius, mass and material
	id                    int32
	slideContacts         int32 // first of its slide contacts of this step; -1 for none
	overlaps              int32 // first of the sensors that it is in, in sensorOverlaps; -1 for none
	budget                int32 // impacts that it may still have in this step; less than 0 if it is jammed
	kind                  Kind
	acceleratedByContacts bool    // contact solving may have changed its acceleration: see accelerationBeforeSolving
	movesAtEndVelocity    bool    // see Space.movesAtEndVelocity, which knows when it counts
	calmSteps             int8    // for how many steps it has been slow and hardly accelerated (package contacts)
	group                 int32   // its kinematic group, 0 for none: see group.go
	blockedInStep         uint32  // the last step in which it was halted or slowed down; 0 for none
	maxSpeedSquared       float64 // square of its greatest speed in this step, m²/s²
	material              Material
}

// flags are the boolean properties of a body.
type flags uint32

const (
	alive             flags = 1 << iota
	placed                  // the game moved or changed it since the last step: finds its pairs even at rest
	frozen                  // it is halted
	overlapping             // overlapped something at the end of the last step
	overlapsAtStart         // overlapped something at the start of the step
	touchesChecked          // beginTouchedContacts has checked which surfaces it touches
	unfiltered              // no sensor, and with a mask for all layers: collides with all others like it
	movedByContacts         // the contact solver chooses its velocity when it is in a contact, if it has a mass
	accelerated             // its acceleration isn't zero
	ghost                   // in a subdomain: a copy of a body that another subdomain owns
	unchanged               // a step would leave it as it is, to the bit: see isUnchanged
	hasSpin                 // it has an entry in spins
	neverSleeps             // the game keeps it awake
	sleeping                // it is in a sleeping island
	supportsSleeper         // a sleeping body rests on it
	pairsSolved             // all that it could meet in this step is in contact with it, and solved
	passing                 // came into the front of one-sided polygons without meeting it: see findPassing
	touchedByGame           // it sleeps or supports a sleeper, and the game set it: see applyGameChanges
	shaped                  // it is no sphere: see shape.go
	unusual                 // it is not Dynamic, or has friction or locked axes: see bounce.go
	forced                  // a step force is part of its acceleration, and the game has not set it since
	nearMovingSurface       // what moves in this step, or was set, may meet it where it is: see markNearMovingSurfaces

	// Flags that are only set within a step: see stage.go.
	unsolved          // it is in a contact: its velocity is known once contacts are solved
	stale             // its predictions are void: repredictStale makes new ones
	countedAsMoving   // it is counted in movingBodies
	missedByNeighbors // its path changed: neighbours may have searched for pairs without finding it
)
