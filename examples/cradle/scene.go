package main

import (
	"strings"

	"github.com/dango-physics/dango/collide"
)

// input is what a player does in one tick.
type input struct {
	Keys string // the keys that were pressed: 1 to 4 so many balls, 5 one from each side, G gaps
	Auto bool   // nobody plays: the scene goes through its programme

	Grab bool // a ball of the row is held, and pulled to At along its arc
	Ball int
	At   float64

	Drop float64       // the two balls are dropped from this height, where it is above 0
	Shot *collide.Vec3 // the ball is shot into the corner from here
}

// scene is the game without its drawing: three worlds, which know nothing of each other.
type scene struct {
	row    *row
	drop   *drop
	corner *corner
	hand   hand
	part   int // of the programme, that comes next
	wait   int // ticks until then

	ticks int
}

// newScene returns a cradle whose first ball is being pulled out.
func newScene() *scene {
	s := &scene{row: newRow(0), drop: newDrop(dropHeight), corner: newCorner(collide.Vec3{X: 0.86, Y: 0.52})}
	s.press("1")
	return s
}

// hand pulls balls out by itself, and lets them go.
type hand struct {
	left, right int // so many from each side
	tick        int // 0: it has nothing to do
}

// The beats of a pull, ticks.
const (
	calmTicks = 24 // it brings the balls to rest
	pullTicks = 54
	stayTicks = 10
)

// holds returns what the hand holds in this tick.
func (h *hand) holds() (holds [ballCount]hold) {
	if h.tick == 0 {
		return holds
	}
	if h.tick++; h.tick > calmTicks+pullTicks+stayTicks {
		h.tick = 0
		return holds
	}
	u := min(max(float64(h.tick-calmTicks), 0)/pullTicks, 1)
	out := 0.8 * farthest * u * u * (3 - 2*u) // starts and ends gently
	for i := range holds {
		switch holds[i].Held = true; {
		case i < h.left:
			holds[i].At = -out
		case i >= ballCount-h.right:
			holds[i].At = out
		}
	}
	return holds
}

// programme is what is played unattended: keys, and for how many ticks.
var programme = []struct {
	keys  string
	ticks int
}{{"1", 360}, {"2", 320}, {"3", 320}, {"5", 320}, {"G1", 600}, {"G4", 320}}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if in.Auto {
		in = input{}
		if s.wait--; s.wait < 0 {
			next := programme[s.part]
			in.Keys, s.wait = next.keys, next.ticks
			s.part = (s.part + 1) % len(programme)
		}
	}
	s.press(in.Keys)
	holds := s.hand.holds()
	if in.Grab {
		s.hand.tick = 0
		holds = grasp(in.Ball, in.At)
	}
	s.row.hold(holds)
	s.row.step()
	if in.Drop > 0 {
		s.drop = newDrop(in.Drop)
	}
	s.drop.step()
	if in.Shot != nil {
		s.corner = newCorner(*in.Shot)
	}
	s.corner.step()
}

// press does what keys say.
func (s *scene) press(keys string) {
	for _, k := range keys {
		switch {
		case k == 'G':
			s.row = newRow(wideGap - s.row.gap)
			s.hand = hand{left: 1, tick: calmTicks}
		case strings.ContainsRune("1234", k):
			s.hand = hand{left: int(k - '0'), tick: 1}
		case k == '5':
			s.hand = hand{left: 1, right: 1, tick: 1}
		}
	}
}
