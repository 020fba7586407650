package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// lockedScene is a few balls of which each may move along some axes only, over a floor or in a
// room.
type lockedScene struct {
	balls    []ball
	friction []float64
	gravity  collide.Vec3
	floor    float64 // height of the floor
	tilt     float64 // of the floor, from which its normal follows
	room     bool    // walls on all sides
	driven   bool    // one of the balls is kinematic, or the floor moves
}

// randomLockedScene returns two to four balls, close to each other, that may not move along most
// axes.
func randomLockedScene(r *rand.Rand) lockedScene {
	s := lockedScene{floor: -0.5, room: r.IntN(3) == 0}
	if r.IntN(3) > 0 {
		s.gravity = collide.Vec3{Y: -9.81}
	}
	if r.IntN(3) == 0 {
		s.tilt = r.Float64() - 0.5
	}
	s.driven = r.IntN(4) == 0
	grid := r.IntN(2) == 0 // places on a grid make contact normals that are exactly or almost axes
	for range 2 + r.IntN(3) {
		b := ball{r: 0.5, mass: 1, material: bouncy([]float64{0, 0, 0.5, 1}[r.IntN(4)])}
		if r.IntN(2) == 0 {
			b.mass = logUniform(r, 1e-5, 1e5)
		}
		if r.IntN(3) == 0 {
			b.r = 0.1 + 0.5*r.Float64()
		}
		b.material.Locked = uint8(r.IntN(7))
		b.x = collide.Vec3{X: 3 * r.Float64(), Y: 3 * r.Float64(), Z: 3 * r.Float64()}
		if grid {
			b.x = collide.Vec3{X: float64(r.IntN(3)), Y: float64(r.IntN(4)), Z: float64(r.IntN(3))}
			b.x = b.x.Add(within(r, collide.Vec3{X: 1, Y: 1, Z: 1}).Scale(logUniform(r, 1e-18, 1e-2)))
		}
		b.v = within(r, collide.Vec3{X: 5, Y: 5, Z: 5}).Scale(float64(r.IntN(2)))
		b.v = solver.Unlocked(b.v, b.material.Locked)
		if s.driven && len(s.balls) == 0 {
			b.kind, b.mass, b.v = solver.Kinematic, 0, within(r, collide.Vec3{X: 5, Y: 5, Z: 5})
		}
		s.balls = append(s.balls, b)
		s.friction = append(s.friction, []float64{0, 0, 0.3, 10}[r.IntN(4)])
		if s.overlaps() {
			s.balls, s.friction = s.balls[:len(s.balls)-1], s.friction[:len(s.friction)-1]
		}
	}
	return s
}

// overlaps reports whether anything overlaps at the start, if only by rounding.
func (s *lockedScene) overlaps() bool {
	worst, _, _ := s.world().overlap()
	return worst > 0
}

// world returns the scene as a world.
func (s *lockedScene) world() *spinWorld {
	w := newSpinWorld()
	w.gravity = s.gravity
	w.plane(collide.Vec3{X: s.tilt, Y: 1}, s.floor, bouncy(0))
	if s.room {
		for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			w.plane(n, -4, bouncy(0))
		}
	}
	for k, b := range s.balls {
		b.material.FrictionID = w.frictionID(solver.FrictionCoefficients{Static: s.friction[k], Dynamic: s.friction[k]})
		spin := bodySpin{noSpin: true}
		if b.mass > 0 && k%2 == 0 {
			spin = bodySpin{inverseInertia: solidInverseInertia(b)}
		}
		w.add(b, spin)
	}
	return w
}

// fault steps the scene and returns what goes wrong, or nothing.
func (s *lockedScene) fault(steps int) (what string) {
	defer func() {
		if p := recover(); p != nil {
			what = fmt.Sprint(p)
		}
	}()
	w := s.world()
	start, _ := s.energy(w)
	for k := range steps {
		before, allowed := s.energy(w)
		allowed += 1e-14 * math.Abs(start) // of velocities that are rounding themselves
		w.step()
		if after, _ := s.energy(w); !s.driven && !(after-before <= allowed) {
			return fmt.Sprintf("step %d: the energy grows from %g to %g J, by more than %g", k, before, after, allowed)
		}
		if worst, a, b := w.overlap(); worst > maxOverlap {
			return fmt.Sprintf("step %d: %d and %d overlap by %.3g of the smaller radius", k, a, b, worst)
		}
		for i := range w.balls {
			b := &w.balls[i]
			if !b.x.IsFinite() || !b.v.IsFinite() {
				return fmt.Sprintf("step %d: ball %d is at %v and moves at %v", k, i, b.x, b.v)
			}
			if speed := b.v.Length(); s.isPushed() && speed > 5e3 {
				return fmt.Sprintf("step %d: ball %d moves at %v m/s", k, i, speed)
			}
			if d := b.x.Sub(s.balls[i].x); b.kind == solver.Dynamic && d != solver.Unlocked(d, b.material.Locked) {
				return fmt.Sprintf("step %d: ball %d has moved by %v along locked axes", k, i, d)
			}
		}
	}
	return ""
}

// energy returns the kinetic and potential energy of a world, and by how much it may grow in a
// step. Impacts have the time of the chord (docs/limits.md), and gaps between balls that rest open
// by at most 1/512 of a radius.
func (s *lockedScene) energy(w *spinWorld) (sum, allowed float64) {
	sum = w.energy()
	allowed = 1e-12 * sum
	g := s.gravity.Length()
	for _, b := range w.balls {
		if b.kind != solver.Dynamic {
			continue
		}
		height := -solver.Unlocked(s.gravity, b.material.Locked).Dot(b.x)
		sum += b.mass * height
		allowed += b.mass * (1e-12*math.Abs(height) + g*(g*step*step+b.r/512))
	}
	return sum, allowed
}

// isPushed reports whether something kinematic pushes what does not bounce.
func (s *lockedScene) isPushed() bool {
	for _, b := range s.balls {
		if b.material.Restitution > 0 {
			return false
		}
	}
	return s.driven
}

// shrink removes from a scene what its fault does not need.
func (s *lockedScene) shrink(steps int) lockedScene {
	small := *s
	for again := true; again; {
		again = false
		try := func(edit func(c *lockedScene)) {
			c := small
			c.balls = append([]ball(nil), small.balls...)
			c.friction = append([]float64(nil), small.friction...)
			edit(&c)
			if fmt.Sprint(c) != fmt.Sprint(small) && !c.overlaps() && c.fault(steps) != "" {
				small, again = c, true
			}
		}
		for k := len(small.balls) - 1; k >= 0; k-- {
			try(func(c *lockedScene) {
				c.balls = append(c.balls[:k], c.balls[k+1:]...)
				c.friction = append(c.friction[:k], c.friction[k+1:]...)
			})
		}
		try(func(c *lockedScene) { c.room = false })
		try(func(c *lockedScene) { c.tilt = 0 })
		try(func(c *lockedScene) { c.gravity = collide.Vec3{} })
		for k := range small.balls {
			try(func(c *lockedScene) { c.friction[k] = 0 })
			try(func(c *lockedScene) { c.balls[k].v = collide.Vec3{} })
			try(func(c *lockedScene) { c.balls[k].mass = 1 })
			try(func(c *lockedScene) { c.balls[k].material.Restitution = 0 })
			try(func(c *lockedScene) { c.balls[k].r = 0.5 })
		}
	}
	return small
}

// Two balls whose axes are locked meet along a normal that is almost one of them. Whatever the
// balls may do, their energy does not grow and they do not overlap.
func TestBallsWithLockedAxesNeverGainEnergyOrOverlap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const steps = 60
	failures := 0
	for seed := range slow.Cases(15_000) {
		s := randomLockedScene(random(uint64(seed)))
		if what := s.fault(steps); what != "" {
			small := s.shrink(steps)
			t.Errorf("seed %d: %s\nshrunk: %s\n%+v", seed, what, small.fault(steps), small)
			if failures++; failures == 5 {
				break
			}
		}
	}
}

// Two balls may move only up and down. The upper one falls past the lower one, which lies on the
// floor, so close that the normal of their contact is almost horizontal when both lie on the floor.
func TestABallThatFallsPastAnotherIsNotFlungAway(t *testing.T) {
	w := newWorld()
	w.gravity = collide.Vec3{Y: -9.81}
	w.plane(collide.Vec3{Y: 1}, -0.5, bouncy(0))
	m := bouncy(0)
	m.Locked = 5
	w.add(ball{x: collide.Vec3{X: 1, Z: 1}, r: 0.5, mass: 1, material: m})
	w.add(ball{x: collide.Vec3{X: 2, Y: 2, Z: 1}, r: 0.5, mass: 1, material: m})
	for k := range 120 {
		w.step()
		w.checkApart(t, k)
		if speed := w.balls[0].v.Length() + w.balls[1].v.Length(); speed > math.Sqrt(2*9.81*2) {
			t.Fatalf("step %d: the balls move at %v and %v m/s", k, w.balls[0].v, w.balls[1].v)
		}
	}
}

// A ball that cannot move along z lands on a floor, and then a spinning ball bounces off it along
// z. The friction of that bounce turns into a velocity along y, which must not drive it into the
// floor.
func TestFrictionOfABounceAlongALockedAxisDrivesNothingIntoTheFloor(t *testing.T) {
	w := newSpinWorld()
	m := bouncy(0)
	m.FrictionID = w.frictionID(solver.FrictionCoefficients{Static: 1, Dynamic: 1})
	w.plane(collide.Vec3{Y: 1}, 0, bouncy(0))
	locked, elastic := m, m
	locked.Locked, elastic.Restitution = 4, 1
	low := ball{x: collide.Vec3{Y: 0.505}, v: collide.Vec3{Y: -1}, r: 0.5, mass: 1, material: locked}
	w.add(low, bodySpin{noSpin: true})
	b := ball{x: collide.Vec3{Y: 0.5, Z: 1.02}, v: collide.Vec3{Z: -2}, r: 0.5, mass: 1, material: elastic}
	w.add(b, bodySpin{w: collide.Vec3{X: -20}, inverseInertia: solidInverseInertia(b)})
	w.step()
	if y := w.balls[0].x.Y; y < 0.5-1e-9*0.5 {
		t.Errorf("the ball is %v m deep in the floor", 0.5-y)
	}
}
