package systems

import "time"

// Stats describes the last step.
type Stats struct {
	Bodies       int // spheres in the step: dynamic, kinematic, static and sensors
	Surfaces     int // planes and polygons in the step
	Pairs        int // candidate pairs; more if several workers share the step
	Sweeps       int // computed times of impact; more if several workers share the step
	Impacts      int // impacts resolved
	SpentBudgets int // bodies stopped because they had used up their impacts: see [Config.MaxImpacts]
	Blocked      int // kinematic bodies and surfaces slowed down or stopped because what they push could not yield
	Asleep       int // spheres that sleep
	Errors       int // length of [Physics.Errors]: entities left out, and fields of Config out of range

	// Durations: reading the world, finding candidates, predicting impacts, solving contacts and
	// resolving impacts, writing the world.
	Gather, Broadphase, Sweep, Response, Scatter time.Duration
}

// Stats returns the statistics of the last step.
func (p *Physics) Stats() Stats { return p.stats }
