package solver

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// The contacts that are held are solved by projected successive over-relaxation: contact by contact, from the lowest to the highest, the impulse that
// brings its two to the velocity that they should have, over and over, beginning with the impulses of the step before.
//
// A contact is a stiff spring and damper within the gap that it keeps, and hard where that is used up. The spring is what lets disordered
// heaps come to rest: with hard contacts alone the forces in them have hardly one solution, and no step finds it.
const (
	softness    = 0x1p-8 // of a contact, in parts of its effective inverse mass
	overGrip    = 1.7    // relaxation where there is friction
	overSlip    = 1.7    // and where there is none
	roundsGrip  = 20
	roundsSlip  = 80
	solvedShare = 0x1p-17 // of what gravity adds to a velocity in a step: changes below count as none
)

func (s *Space) solve() {
	rounds, over := roundsSlip, overSlip
	scale := 0.0
	for k := range s.ties {
		t := &s.ties[k]
		if t.grip != (Grip{}) {
			rounds, over = roundsGrip, overGrip
		}
		if t.push != 0 {
			s.apply(t, t.normal.Scale(t.push).Add(t.drag))
		}
	}
	for k := range s.seats[:s.members] {
		if i := s.seats[k].body; i >= 0 {
			scale = max(scale, abs1(s.pulls[i]))
		}
	}
	enough := float64(solvedShare*scale) * s.Seconds
	s.Counts.Rounds = 0
	for range rounds {
		s.Counts.Rounds++
		if s.relax(over) <= enough {
			break
		}
	}
	DevRounds = s.Counts.Rounds
}

// apply gives the two of a tie an impulse.
func (s *Space) apply(t *tie, p collide.Vec3) {
	a, b := &s.seats[t.a], &s.seats[t.b]
	a.v = a.v.Add(mul(p, a.inverse))
	b.v = b.v.Sub(mul(p, b.inverse))
}

// relax goes once through all contacts, and returns the greatest change of a velocity.
func (s *Space) relax(over float64) float64 {
	most := 0.0
	seats := s.seats
	for k := range s.ties {
		t := &s.ties[k]
		a, b := &seats[t.a], &seats[t.b]
		w := a.v.Sub(b.v)
		along := w.Dot(t.normal)
		push := t.push + float64(max(float64(float64(float64((t.least-along)*t.mass)-float64(t.soft*t.push))*(over/(1+t.soft))), float64((t.bound-along)*t.mass)))
		push = max(push, 0)
		change := push - t.push
		t.push = push
		p := t.normal.Scale(change)
		if t.grip.Static > 0 && (push > 0 || t.drag != collide.Vec3{}) {
			drag := t.drag.AddScaled(-t.side, w.AddScaled(-along, t.normal))
			if l := drag.LengthSquared(); l > float64(t.grip.Static*t.grip.Static)*float64(push*push) {
				drag = drag.Scale(t.grip.Dynamic * push / math.Sqrt(l))
			}
			p = p.Add(drag.Sub(t.drag))
			t.drag = drag
		}
		most = max(most, math.Abs(change)/t.mass)
		a.v = a.v.Add(mul(p, a.inverse))
		b.v = b.v.Sub(mul(p, b.inverse))
	}
	return most
}

// unseat gives the bodies the velocities that were found.
func (s *Space) unseat() {
	for k := range s.ties {
		t := &s.ties[k]
		h := &s.holds[t.hold]
		h.push, h.drag = t.push, t.drag
	}
	for k := range s.seats {
		st := &s.seats[k]
		i := st.body
		if i < 0 || st.inverse == (collide.Vec3{}) {
			continue
		}
		b := &s.bodies[i]
		b.v = st.v
		s.pulls[i] = collide.Vec3{}
		s.flags[i] &^= pulled
	}
}
