package systems

import "github.com/dango-physics/dango/collide"

// ForceParallelFrom makes steps of at least n moving bodies for each worker parallel.
func (p *Physics) ForceParallelFrom(n int) { p.space.ForceParallelFrom = n }

// SweepParallel is how characters sweep capsules with parallel axes.
var SweepParallel = sweepParallel

// CharacterOverlaps returns how many things the character that has moved last overlaps where its
// shape is at p, at the given time of the last step, and how many the gaps to all things near say.
func (p *Physics) CharacterOverlaps(at collide.Vec3, time float64) (got, want int) {
	c := &p.characters.world
	got = len(c.overlapsAt(at, time, nil))
	for i := range c.near {
		if o := &c.near[i]; c.gap(o.Handle, at.AddScaled(c.seconds-time, o.Velocity)).Distance < 0 {
			want++
		}
	}
	return got, want
}
