package systems

import "time"

// Stats describes the last step.
type Stats struct {
	Bodies       int // spheres and dynamic shapes in the step, static ones and sensors too
	Surfaces     int // all other colliders in the step; each part of a compound counts
	Pairs        int // candidate pairs; more if several workers share the step
	Sweeps       int // computed times of impact; more if several workers share the step
	Impacts      int // impacts resolved
	Jammed       int // bodies that had used up their impacts: see [Config.MaxImpacts]
	SpentBudgets int // bodies stopped for the rest of the step because something kinematic squeezed them
	Blocked      int // kinematic bodies, surfaces and groups that were slowed or stopped by a load
	Asleep       int // bodies that sleep
	Errors       int // length of [Physics.Errors]: entities left out, and fields of Config out of range

	// Durations: reading the world, finding candidates, predicting impacts, solving contacts and
	// resolving impacts, writing the world.
	Gather, Broadphase, Sweep, Response, Scatter time.Duration
}

// Stats returns the statistics of the last step.
func (p *Physics) Stats() Stats { return p.stats }
