package platformer

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// player plays the level for pictures: it follows a list of errands.
type player struct {
	at      int  // index of the errand
	ticks   int  // since it began
	holding int  // ticks for which the jump button stays down
	lost    bool // the hero is elsewhere: it fell, or somebody else has played
}

// errand is a part of the way.
type errand struct {
	x    float64 // to which it runs
	do   deed
	y    float64 // of the feet: how far to climb; of a lift: which one it waits for, and where
	lift int
}

// deed is what the player does when it is there.
type deed uint8

const (
	run   deed = iota
	jump       // a high jump on the way
	hop        // a low one
	climb      // up a ladder
	wait       // until the lift is within 0.4 m of y along its way
	board      // run to the middle of the lift
	ride       // stay there until the lift is there
)

// errands lead from the start to the flag.
var errands = []errand{
	{x: 11.9, do: hop},
	{x: 14.1, do: hop},
	{x: 28, do: jump},
	{x: 36.2, do: wait, lift: 0, y: 39},
	{do: board, lift: 0},
	{do: ride, lift: 0, y: 45},
	{x: 46.1, do: jump},
	{x: 49.4, do: jump},
	{x: 55.3, do: jump},
	{x: 61, do: run},
	{x: 62.5, do: climb, y: 12.3},
	{x: 66.5, do: hop},
	{x: 74.6, do: jump},
	{x: 82.97, do: jump},
	{x: 86.4, do: jump},
	{x: 94, do: jump},
	{x: 104.3, do: jump},
	{x: 108.7, do: jump},
	{x: 111.4, do: wait, lift: 1, y: 5.75},
	{do: board, lift: 1},
	{do: ride, lift: 1, y: 10.75},
	{x: 115.2, do: jump},
	{x: 119.5, do: run},
}

// resume goes on with the first errand that leads on from x.
func (p *player) resume(x float64) {
	*p = player{}
	for p.at < len(errands) && errands[p.at].x < x {
		p.at++
	}
}

// play returns the input of the player.
func (s *scene) play() (in input) {
	p := &s.player
	if p.lost {
		p.resume(s.at().X)
	}
	p.ticks++
	if p.at >= len(errands) || s.won > 0 {
		return input{Jump: s.won > 150 && s.won%8 == 0}
	}
	e := errands[p.at]
	at, state := s.at(), &s.character().State
	next := func() {
		p.at++
		p.ticks = 0
	}
	in.Jump = p.holding > 0
	p.holding--
	onGround := state.Ground == components.OnGround
	to := e.x
	switch e.do {
	case board, ride, wait:
		l := components.Transform.Get(s.lifts[e.lift].Entry).Position
		along := l.X
		if s.lifts[e.lift].Way.X == 0 {
			along = l.Y
		}
		if e.do != wait {
			to = l.X
		}
		in.Move = towards(to - at.X)
		there := math.Abs(along-e.y) < 0.4
		if e.do == wait && there && math.Abs(to-at.X) < 0.4 || e.do == ride && there ||
			e.do == board && onGround && math.Abs(to-at.X) < 0.4 {
			next()
		}
		return in
	case climb:
		if feet := at.Y - heroHeight/2; feet > e.y {
			next()
		}
		in.Move = towards(to - at.X)
		if math.Abs(to-at.X) < 0.25 {
			in.Move = collide.Vec2(0, 1)
		}
		return in
	case run, jump, hop:
	}
	in.Move = collide.Vec2(1, 0)
	if at.X >= to && (onGround || e.do == run) {
		switch e.do {
		case jump:
			p.holding, in.Jump = 24, true
		case hop:
			p.holding, in.Jump = 9, true
		}
		next()
	}
	return in
}

// towards returns the direction that closes a distance.
func towards(distance float64) collide.Vec3 {
	return collide.Vec2(min(max(distance*3, -1), 1), 0)
}
