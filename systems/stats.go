package systems

import "time"

// Stats counts what the last step did.
type Stats struct {
	Bodies       int // spheres in the step: dynamic, kinematic, static and sensors
	Surfaces     int // planes and polygons in the step
	Pairs        int // candidate pairs from the broadphase; more where several workers share the step
	Sweeps       int // times of impact computed, over the whole step; likewise
	Impacts      int // impacts resolved
	SpentBudgets int // bodies stopped because their budget of impacts was spent
	Blocked      int // kinematic bodies stopped by something that could not give way
	Asleep       int // spheres that sleep
	Errors       int // entities left out, and fields of the Config that are out of range: those of [Physics.Errors]

	Gather, Broadphase, Sweep, Response, Scatter time.Duration
}

// Stats returns what the last step did.
func (p *Physics) Stats() Stats { return p.stats }
