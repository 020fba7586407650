package systems

import "time"

// Stats describes the last step.
type Stats struct {
	Bodies       int // spheres in the step: dynamic, kinematic, static and sensors
	Surfaces     int // planes, polygons and capsules in the step
	Pairs        int // candidate pairs; more if several workers share the step
	Sweeps       int // computed times of impact; more if several workers share the step
	Impacts      int // impacts resolved
	Jammed       int // bodies that had used up their impacts: see [Config.MaxImpacts]
	SpentBudgets int // bodies stopped for the rest of the step because something kinematic squeezed them
	Blocked      int // kinematic bodies, surfaces and groups that were slowed or stopped by what could not yield
	Asleep       int // spheres that sleep
	Errors       int // length of [Physics.Errors]: entities left out, and fields of Config out of range

	// Durations: reading the world, finding candidates, predicting impacts, solving contacts and
	// resolving impacts, writing the world.
	Gather, Broadphase, Sweep, Response, Scatter time.Duration
}

// Stats returns the statistics of the last step.
func (p *Physics) Stats() Stats { return p.stats }
