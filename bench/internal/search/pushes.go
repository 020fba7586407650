package search

import (
	"math"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// pushesOf returns the greatest force of characters on each body in the step after s, from what the
// game sees of them: a character pushes what it has met, and presses on what it stands on. One that
// falls on a body goes on with it, and what that takes comes in one step.
func (w *world) pushesOf(s *verify.Step) map[int]float64 {
	pushes := map[int]float64{}
	for k := range s.Things {
		t := &s.Things[k]
		if !t.Character || t.Changed {
			continue
		}
		d := components.CharacterController.Get(w.w.Entry(w.entities[t.ID]))
		if e := d.State.GroundEntity; e != donburi.Null {
			pushes[w.ids[e]] += d.Mass * s.Gravity.Length() * d.GravityScale
		}
		met := map[int]bool{}
		for _, c := range d.State.Contacts {
			id := w.ids[c.Entity]
			if met[id] {
				continue
			}
			met[id] = true
			pushes[id] += d.MaxPushForce
			if w.hasFlown(t) {
				pushes[id] += w.landing(s, t, id) / s.Seconds
			}
		}
	}
	return pushes
}

// addLifts adds what characters that have hit bodies with their heads in step s have done to these
// at its end.
func (w *world) addLifts(s *verify.Step) {
	for k := range s.Things {
		t := &s.Things[k]
		if !t.Character || t.Changed || !w.hasFlown(t) {
			continue
		}
		for _, c := range components.CharacterController.Get(w.w.Entry(w.entities[t.ID])).State.Contacts {
			id := w.ids[c.Entity]
			if !(c.Normal.Y < 0) {
				continue
			}
			lift := verify.Lift{Normal: vector(c.Normal.Neg()), Impulse: w.landing(s, t, id)}
			for i := range s.Things {
				if o := &s.Things[i]; o.ID == id {
					o.Lifts = append(o.Lifts, lift)
				}
			}
		}
	}
}

// hasFlown reports whether a character was in the air within the last step. It may leave the ground
// there without a jump, where something has hit it, and may land again.
func (w *world) hasFlown(t *verify.Thing) bool {
	s := &components.CharacterController.Get(w.w.Entry(w.entities[t.ID])).State
	return w.walked[t.ID].Ground != components.OnGround || s.Ground != components.OnGround || s.Jumped || s.Landed
}

// landing returns the greatest impulse of a character that falls on a body in step s, or rises
// under it.
func (w *world) landing(s *verify.Step, t *verify.Thing, id int) float64 {
	d := components.CharacterController.Get(w.w.Entry(w.entities[t.ID]))
	gravity := s.Gravity.Length() * d.GravityScale
	approach := w.walked[t.ID].Velocity.Length() + d.DesiredVelocity.Length() + 2*gravity*s.Seconds
	approach += math.Sqrt(2 * gravity * d.JumpHeight)
	for _, m := range s.Impacts {
		if m.A == t.ID || m.B == t.ID {
			approach += m.Impulse / d.Mass
		}
	}
	inverse := 1 / d.Mass
	for k := range s.Things {
		if o := &s.Things[k]; o.ID == id && o.Kind == verify.Dynamic {
			before := o.Start.Velocity.Length() + (o.Acceleration.Length()+o.Push/o.Mass)*s.Seconds
			for _, m := range s.Impacts {
				if m.A == id || m.B == id {
					before += m.Impulse / o.Mass
				}
			}
			approach += max(o.End.Velocity.Length(), before) // a head may have stopped it since then
			inverse += 1 / o.Mass
		}
	}
	return approach / inverse
}
