package billiards

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// autoplayer moves the pointer like a player: it waits, draws the cue back while it corrects its
// aim, waits again, and shoots.
type autoplayer struct {
	tick      int // of the shot that is being prepared; 0 if there is none
	direction collide.Vec3
	power     float64
	swing     float64 // radians; error of the first aim
}

// Durations of the phases of a shot, in ticks.
const (
	lookTicks = 10
	drawTicks = 44
	holdTicks = 12
)

// play returns the input of one tick.
func (a *autoplayer) play(s *scene, rest bool) input {
	at, ok := s.cueBall()
	if !rest || !ok {
		a.tick = 0
		return input{}
	}
	if a.tick == 0 {
		s.tip = tip{}
		if len(s.tray) > 0 {
			s.tip.Up = 0.4 * float64(s.random.IntN(3)-1) // follow, stun or draw
		}
		a.direction, a.power = s.plan(at)
		a.swing = (s.random.Float64() - 0.5) * 0.5
	}
	a.tick++
	t := a.tick - lookTicks
	switch {
	case t <= 0:
		return input{Pointer: at}
	case t == 1:
		return input{Pointer: at, Held: true}
	case t <= drawTicks+holdTicks:
		u := min(float64(t)/drawTicks, 1)
		u = u * u * (3 - 2*u) // smooth at both ends
		direction := turned(a.direction, a.swing*(1-u))
		return input{Pointer: at.AddScaled(-u*a.power*fullPull, direction), Held: true}
	}
	a.tick = 0
	return input{}
}

// plan returns a good shot from at: the straightest one that pockets a ball, or a hard shot at the
// nearest ball if there is none.
func (s *scene) plan(at collide.Vec3) (direction collide.Vec3, power float64) {
	type target struct {
		entity donburi.Entity
		number int
		at     collide.Vec3
	}
	s.physics.Sync(s.world)
	var targets []target
	for e := range balls.Iter(s.world) {
		if n := ball.Get(e).Number; n != 0 {
			targets = append(targets, target{e.Entity(), n, components.Transform.Get(e).Position})
		}
	}
	slices.SortFunc(targets, func(a, b target) int { return cmp.Compare(a.number, b.number) })

	best := 0.0
	if len(targets) < 15 { // the break: aim at the first ball of the rack
		for _, t := range targets {
			for hole := range pockets.Iter(s.world) {
				goal := components.Transform.Get(hole).Position
				line, _ := goal.Sub(t.at).Normalized()
				way := goal.Distance(t.at)
				ghost := t.at.AddScaled(-2*ballRadius, line) // position of the cue ball at the impact
				d, ok := ghost.Sub(at).Normalized()
				if !ok || d.Dot(line) < 0.3 {
					continue // the angle is too large
				}
				hit, ok := s.cast(at, at.AddScaled(3, d), []donburi.Entity{s.cloth, s.cue})
				if !ok || hit.Entity != t.entity {
					continue // another ball is in the way
				}
				sunk, ok := s.cast(t.at, goal, []donburi.Entity{s.cloth, s.cue, t.entity})
				if !ok || sunk.Entity != hole.Entity() {
					continue
				}
				if score := d.Dot(line) / (1 + way + hit.Distance); score > best {
					best, direction = score, d
					power = min(1.4+1.4*(hit.Distance+way/d.Dot(line)), 6) / s.fastest
				}
			}
		}
	}
	if best == 0 {
		near := slices.MinFunc(
			targets, func(a, b target) int { return cmp.Compare(at.Distance(a.at), at.Distance(b.at)) },
		)
		direction, _ = near.at.Sub(at).Normalized()
		power = 6 / s.fastest
		if len(targets) == 15 {
			power = 1
		}
	}
	if best > 0 {
		direction = s.correct(direction, power)
	}
	wobble := 0.004 * (s.random.Float64() - 0.5) // random error of the aim
	return turned(direction, wobble), power
}

// correct returns the middle of the directions around d that pocket a ball. Because of friction, a
// ball leaves at a small angle to the line of centres.
func (s *scene) correct(d collide.Vec3, power float64) collide.Vec3 {
	sum, n := 0.0, 0
	for i := -20; i <= 20; i++ {
		const degree = math.Pi / 180
		if a := float64(i) * 0.1 * degree; s.predict(turned(d, a), power).Sinks {
			sum, n = sum+a, n+1
		}
	}
	return turned(d, sum/float64(max(n, 1)))
}

// turned returns a direction on the table, rotated counter-clockwise by an angle in radians.
func turned(d collide.Vec3, radians float64) collide.Vec3 {
	return collide.RotationAround(collide.Vec3{Z: 1}, radians).Rotate(d)
}
