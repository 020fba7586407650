package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Sensors that are boxes, hulls, cylinders and capsules. They are convex and don't rotate, and
// bodies move along straight paths, so a body enters one once and leaves it once: at the first
// times at which the two meet, from now on and from the end of the step backwards. What is on an
// arc enters them on its chord (see arc.go), which ends in the same places.

// entersShapeAt returns the time at which body i enters surface k, a sensor with a shape, at the
// earliest now; infinity if it does not.
func (s *Space) entersShapeAt(i, k int32, now float64) float64 {
	x, v := s.chordFrom(i, now)
	if gap, _ := s.gapAt(i, x, k, now); gap < -float64(overlapTolerance*s.size(i)) {
		return now
	}
	t, ok := s.meetsSensor(i, k, x, v.Sub(s.statics.At(k).Velocity), now, s.Seconds-now)
	if !ok {
		return math.Inf(1)
	}
	return min(now+t, s.Seconds)
}

// leavesShapeAt returns the time at which body i leaves surface k, a sensor with a shape, at the
// earliest now; infinity if it does not.
func (s *Space) leavesShapeAt(i, k int32, now float64) float64 {
	x, v := s.chordFrom(i, now)
	tolerance := float64(touchTolerance * s.size(i))
	if now == 0 && s.isOutside(i, k) {
		return now // the game has moved it out; if it enters again, that is another overlap
	}
	end := x.AddScaled(s.Seconds-now, v)
	if gap, _ := s.gapAt(i, end, k, s.Seconds); gap <= tolerance {
		return math.Inf(1)
	}
	t, ok := s.meetsSensor(i, k, end, s.statics.At(k).Velocity.Sub(v), s.Seconds, s.Seconds-now)
	if !ok {
		return now // it touches the sensor, and leaves
	}
	return max(now, s.Seconds-t)
}

// isOutside reports whether body i is apart from sensor k at the start of the step.
func (s *Space) isOutside(i, k int32) bool {
	gap, _ := s.gapAt(i, s.at(i, 0), k, 0)
	return gap > float64(touchTolerance*s.size(i))
}

// chordFrom returns where body i is at the given time, and its mean velocity from then to the end
// of the step.
func (s *Space) chordFrom(i int32, now float64) (x, v collide.Vec3) {
	if c, ok := s.arcOf(i); ok && now < s.Seconds {
		_, v, _ = c.Secant(now, s.Seconds)
		return c.At(now), v
	}
	return s.bodies[i].at(now), s.bodies[i].v
}

// meetsSensor returns after how many seconds body i, at x, first touches sensor k as it is at time
// t if it moves at v relative to it, and false if it doesn't within the given seconds.
func (s *Space) meetsSensor(i, k int32, x, v collide.Vec3, t, seconds float64) (float64, bool) {
	f := s.statics.At(k)
	var c collide.Contact
	var outcome collide.Outcome
	if a := s.shapeOf(i); a != nil {
		c, outcome = f.CastShape(collide.NewPlaced(a.Exact, x, collide.Quat{}), v, seconds, t)
	} else {
		c, outcome = f.Cast(collide.Sphere{Center: x, Radius: s.bodies[i].radius}, v, seconds, t)
	}
	return c.Time, outcome != collide.Miss
}
