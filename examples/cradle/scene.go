// Package cradle shows simultaneous impacts: Newton's cradle with and without gaps, a ball that
// hits a corner, and two balls dropped one above the other.
package cradle

import (
	"strings"

	"github.com/dango-physics/dango/collide"
)

// input is the input of one tick.
type input struct {
	Keys string // the keys that were pressed: 1 to 4 pull out that many balls, 5 one from each side, G changes gaps
	Auto bool   // the scene plays by itself

	Grab bool // a ball of the row is held and pulled to At along its arc
	Ball int
	At   float64

	Drop float64       // height from which the two balls are dropped, if > 0
	Shot *collide.Vec3 // position from which the ball is shot into the corner, or nil
}

// scene is the game without its drawing: three independent worlds.
type scene struct {
	row    *row
	drop   *drop
	corner *corner
	hand   hand
	part   int // index of the next part of the programme
	wait   int // ticks until then

	ticks int
}

// newScene returns the scene, with the first ball being pulled out.
func newScene() *scene {
	s := &scene{row: newRow(0), drop: newDrop(dropHeight), corner: newCorner(collide.Vec3{X: 0.86, Y: 0.52})}
	s.press("1")
	return s
}

// hand pulls balls out and releases them, for keys and unattended runs.
type hand struct {
	left, right int // number of balls from each side
	tick        int // of the pull; 0 if there is none
}

// Durations of the phases of a pull, in ticks.
const (
	calmTicks = 24 // bringing the balls to rest
	pullTicks = 54
	stayTicks = 10
)

// holds returns the balls that the hand holds in this tick.
func (h *hand) holds() (holds [ballCount]hold) {
	if h.tick == 0 {
		return holds
	}
	if h.tick++; h.tick > calmTicks+pullTicks+stayTicks {
		h.tick = 0
		return holds
	}
	u := min(max(float64(h.tick-calmTicks), 0)/pullTicks, 1)
	out := 0.8 * farthest * u * u * (3 - 2*u) // smooth at both ends
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

// programme is the course of an unattended run: keys, and numbers of ticks.
var programme = []struct {
	keys  string
	ticks int
}{{"1", 360}, {"2", 320}, {"3", 320}, {"5", 320}, {"G1", 600}, {"G4", 320}}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.begin(in)
	s.advance(1)
}

// begin applies the input of a tick.
func (s *scene) begin(in input) {
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
	s.row.age()
	if in.Drop > 0 {
		s.drop = newDrop(in.Drop)
	}
	if in.Shot != nil {
		s.corner = newCorner(*in.Shot)
	}
}

// advance runs the steps of a tick, or in slow motion a part of them: 1/slow, down to 1/16.
func (s *scene) advance(slow int) {
	s.row.step(stepsPerTick / slow)
	s.drop.step(dropSteps / slow)
	s.corner.step(cornerSteps / slow)
}

// press executes the given keys.
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
