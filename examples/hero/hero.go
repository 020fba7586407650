// Package hero is what the scenes of platformer and level share: lifts, and a character's jump. It
// doesn't import Ebitengine. Games may import or copy it, as they may those scenes.
package hero

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/yohamta/donburi"
)

// StepSeconds is the duration of a step of these games.
const StepSeconds = 1.0 / 60

// Lift is a platform that goes to and fro.
type Lift struct {
	Name      string
	Entry     *donburi.Entry
	From, Way collide.Vec3 // m
	Seconds   float64      // of the way and back
}

// Part returns which part of its way it has gone after this many ticks, 0 to 1, at constant speed.
func (l *Lift) Part(ticks int) float64 {
	_, part := math.Modf(float64(ticks) * StepSeconds / l.Seconds)
	return 1 - math.Abs(2*part-1)
}

// MoveTo sets the velocity that takes it to a part of its way, slower near the ends, until the end
// of the step. If something was in its way, it catches up at this speed in m/s.
func (l *Lift) MoveTo(part, fastest float64) {
	to := l.From.AddScaled(part*part*(3-2*part), l.Way)
	v := to.Sub(components.Transform.Get(l.Entry).Position).Scale(1 / StepSeconds)
	if v.Length() > fastest {
		v = v.Scale(fastest / v.Length())
	}
	components.Velocity.Get(l.Entry).Linear = v
}

// CutJump makes a low jump of a short press: while the button is up, what rises faster than least
// in m/s keeps only a part of its speed in each tick.
func CutJump(c *components.CharacterControllerData, button bool, least, part float64) {
	if v := &c.State.Velocity; !button && c.State.Ground == components.InAir && c.State.Jumping && v.Y > least {
		v.Y *= part
	}
}

// PutBack puts things of a level that are below a height back to where they began.
func PutBack(things []*donburi.Entry, below float64) {
	for _, e := range things {
		if t := components.Transform.Get(e); t.Position.Y < below {
			t.Position = levels.Object.Get(e).Position
			components.Velocity.Get(e).Linear = collide.Vec3{}
		}
	}
}

// Ground says in words on what a character stands.
func Ground(g components.GroundState) string {
	switch g {
	case components.OnGround:
		return "on the ground"
	case components.OnSteepGround:
		return "on a steep slope"
	case components.InAir:
		return "in the air"
	}
	return g.String()
}
