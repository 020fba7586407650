package level

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// player plays the level for pictures: it follows a list of errands.
type player struct {
	at      int // index of the errand
	ticks   int // since it began
	holding int // ticks for which the jump button stays down
}

// errand is a point to which the player runs.
type errand struct {
	x, z float64
	do   deed
	y    float64 // height of the lift at which it goes on
}

// deed is what the player does at its point.
type deed uint8

const (
	run   deed = iota
	jump       // and goes on to the next one in the air
	board      // waits until the lift is below y, and goes on to the next point
	ride       // waits until the lift is above y
	shoot      // kicks the ball that is nearest, towards the goal
)

var errands = []errand{
	{x: 0, z: 9},
	{x: -4, z: 9},
	{x: -4, z: -1},
	{x: 0, z: -4},
	{x: 4, z: -2.5},
	{x: 4, z: 7},
	{do: shoot},
	{x: 8, z: 2},
	{x: 8, z: -2.6, do: board, y: 0.3},
	{x: 8, z: -5, do: ride, y: 5.6},
	{x: 13, z: -5},
	{x: 10.6, z: -5, do: ride, y: 5.7},
	{x: 6.9, z: -5, do: jump},
	{x: 5, z: -5},
	{x: 1.8, z: -5, do: jump},
	{x: -8, z: -5},
	{x: -13, z: -5},
	{x: -14, z: -3},
	{x: -14, z: 8},
	{x: -13, z: 15},
	{x: -8, z: 8},
	{x: -8.5, z: -11},
	{x: 0, z: -13},
	{x: 0, z: -15.6, do: jump},
	{x: 0, z: -16.5},
	{x: 0, z: -13},
}

// play returns the input of the player.
func (s *scene) play() (in input) {
	p := &s.player
	p.ticks++
	if p.at >= len(errands) || p.ticks > 1600 {
		p.at, p.ticks = 0, 0
	}
	e := errands[p.at]
	next := func() { p.at, p.ticks = p.at+1, 0 }
	in.Jump = p.holding > 0
	p.holding--
	at := s.at()
	target := collide.Vec3{X: e.x, Z: e.z}
	l := components.Transform.Get(s.lifts[0].Entry).Position.Y
	switch e.do {
	case shoot:
		target = s.aim()
		if s.goals >= goalsToWin || p.ticks > 1500 {
			next()
		}
	case run, jump, board, ride:
		way := target.Sub(at)
		there := math.Hypot(way.X, way.Z) < 0.5
		switch {
		case !there:
		case e.do == board && l > e.y, e.do == ride && l < e.y:
			return in
		case e.do == jump:
			p.holding, in.Jump = 20, true
			next()
		default:
			next()
		}
	}
	way := target.Sub(at)
	way.Y = 0
	n, ok := way.Normalized()
	if !ok {
		return in
	}
	ahead, right := s.directions()
	in.Move = collide.Vec2(n.Dot(right), n.Dot(ahead)).Scale(min(1, way.Length()*2))
	// The camera follows where it runs.
	turn := math.Remainder(math.Atan2(-n.X, -n.Z)-s.yaw, 2*math.Pi)
	in.Turn.X = -min(max(turn*0.03, -0.03), 0.03)
	return in
}

// aim returns the point from which to kick the ball that is nearest to the goal, or the ball
// itself.
func (s *scene) aim() collide.Vec3 {
	goal := s.goal.Center()
	var ball collide.Vec3
	best := math.Inf(1)
	for _, e := range s.balls {
		b := components.Transform.Get(e).Position
		if d := b.Distance(goal); d < best && b.Y < 1 {
			best, ball = d, b
		}
	}
	shot := goal.Sub(ball)
	shot.Y = 0
	n, ok := shot.Normalized()
	if !ok {
		return ball
	}
	behind := ball.AddScaled(-1.6, n)
	toBall := ball.Sub(s.at())
	toBall.Y = 0
	if m, ok := toBall.Normalized(); ok && m.Dot(n) > 0.9 {
		return ball
	}
	// Around the ball, not through it.
	side := collide.Vec3{X: -n.Z, Z: n.X}
	if toBall.Dot(side) > 0 {
		side = side.Scale(-1)
	}
	if toBall.Dot(n) < 0.5 {
		return behind.AddScaled(1.4, side)
	}
	return behind
}
