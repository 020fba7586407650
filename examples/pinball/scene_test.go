package pinball

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// overlap returns how deep the ball is in the flippers, the spinner or a bumper.
func (s *scene) overlap() float64 {
	at, deepest := s.at(), 0.0
	if !s.onRamp {
		for _, p := range bumperPlaces {
			deepest = max(deepest, bumperRadius+radius-at.Distance(p))
		}
		for _, e := range [2]collide.Capsule{s.capsule(0), s.capsule(1)} {
			deepest = max(deepest, radius-e.SignedDistance(at))
		}
		turn := components.Transform.Get(s.spinner).Rotation
		local := collide.Quat{X: -turn.X, Y: -turn.Y, Z: -turn.Z, W: turn.W}.Rotate(at.Sub(spinnerPlace))
		off := collide.Vec2(max(0, math.Abs(local.X)-0.036), max(0, math.Abs(local.Y)-0.004))
		deepest = max(deepest, radius-off.Length())
	}
	return deepest
}

// capsule returns a flipper as it is now.
func (s *scene) capsule(right int) collide.Capsule {
	e := s.left
	if right == 1 {
		e = s.right
	}
	return components.CapsuleCollider.Get(e).Shape(*components.Transform.Get(e))
}

// The game plays itself: the ball stays on the table and out of everything, and everything on the
// table is used.
func TestTheGamePlaysItself(t *testing.T) {
	minutes := 10
	if testing.Short() {
		minutes = 2
	}
	s := newScene(2, downhill)
	spun, kicked, longest, since, last := false, false, 0, 0, s.serves
	from, still := s.at(), 0 // the ball has been near this place for so many ticks
	for range 3600 * minutes {
		s.step(input{Auto: true})
		at := s.at()
		if at.X < radius-1e-9 || at.X > width-radius+1e-9 || at.Y > height-radius+1e-9 || at.Y < -0.1 || at.Z != 0 {
			t.Fatalf("tick %d: the ball is at %v", s.ticks, at)
		}
		if d := s.overlap(); d > 1e-9*radius {
			t.Fatalf("tick %d: the ball is %v m inside of something", s.ticks, d)
		}
		for err := range s.physics.Errors() {
			t.Fatal(err)
		}
		if s.ticks%600 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", s.ticks, f)
			}
		}
		spun = spun || components.AngularVelocity.Get(s.spinner).Angular.Z != 0
		kicked = kicked || len(s.glow) > 1
		if still++; at.Distance(from) > 0.05 || s.inLane() {
			from, still = at, 0
		} else if still > 240 {
			t.Fatalf("tick %d: the ball has stuck at %v for four seconds", s.ticks, at)
		}
		if since++; s.serves != last {
			longest, since, last = max(longest, since), 0, s.serves
		}
	}
	t.Logf("%d balls, the longest %d s, best score %d, %d ramps, %d impacts",
		s.serves, longest/60, s.best, s.ramps, s.impacts)
	if !spun || !kicked || s.ramps == 0 || s.best < 5000 || s.serves < 4 || longest < 600 {
		t.Errorf("spun %v, kicked %v, %d ramps, best score %d, %d balls, the longest %d ticks",
			spun, kicked, s.ramps, s.best, s.serves, longest)
	}
}

// The farther the plunger is drawn back, the faster the ball.
func TestThePlunger(t *testing.T) {
	speed := func(ticks int) float64 {
		s, fastest := newScene(1, downhill), 0.0
		for tick := range 120 {
			s.step(input{Draw: tick < ticks})
			fastest = max(fastest, s.velocity().Y)
		}
		return fastest
	}
	if short, long := speed(8), speed(30); short < 0.2 || long < 1.3*short || long < 1.6 {
		t.Errorf("%v m/s after 8 ticks, %v after 30", short, long)
	}
}

// On steep tables the player that plays by itself waited in the lane for ever after a shot that was
// too weak.
func TestAWeakShotIsFollowedByAStrongerOne(t *testing.T) {
	for _, slope := range []float64{2, 4} {
		for seed := range uint64(5) {
			s, inLane := newScene(seed, slope), 0
			for s.ticks < 60*20 && inLane < 60*12 {
				if s.step(input{Auto: true}); s.inLane() {
					inLane++
				} else if s.at().X < field {
					inLane = 0
				}
			}
			if inLane == 60*12 {
				t.Errorf("slope %g, seed %d: for 12 s the ball is in the lane", slope, seed)
			}
		}
	}
}

// A flipper throws the ball that lies on it up the table, and holds it while it is up.
func TestAFlipperShoots(t *testing.T) {
	s := newScene(1, downhill)
	components.Transform.Get(s.ball).Position = leftPivot.Add(collide.Vec2(0.04, 0.02))
	for range 4 {
		s.step(input{})
	}
	fastest := 0.0
	for range 10 {
		s.step(input{Left: true})
		fastest = max(fastest, s.velocity().Length())
	}
	if fastest < 1 {
		t.Errorf("the ball flies off at %v m/s", fastest)
	}
	if m := components.Motor.Get(s.left); m.Angle != m.High {
		t.Errorf("the flipper is at %v, want %v", m.Angle, m.High)
	}
}

// Nudging pushes the ball, and too much of it is a tilt: the flippers are dead until the next ball.
func TestTilt(t *testing.T) {
	s := newScene(1, downhill)
	components.Transform.Get(s.ball).Position = collide.Vec2(0.25, 0.5)
	s.step(input{Nudge: 1})
	if v := s.velocity().X; v < 0.1 {
		t.Errorf("a nudge gave %v m/s", v)
	}
	for range 3 {
		s.step(input{Nudge: -1})
	}
	s.step(input{Left: true})
	if !s.tilted || components.Motor.Get(s.left).On {
		t.Error("no tilt")
	}
	s.serve()
	if s.step(input{Left: true}); s.tilted || !components.Motor.Get(s.left).On {
		t.Error("the tilt doesn't end with the ball")
	}
}

// The third ball ends the game.
func TestBalls(t *testing.T) {
	s := newScene(1, downhill)
	s.score = 50
	for k := range firstBalls {
		components.Transform.Get(s.ball).Position = collide.Vec2(0.25, 0)
		*s.velocity() = collide.Vec2(0, -3)
		s.step(input{})
		if k < firstBalls-1 && (s.balls != firstBalls-1-k || s.games != 1) {
			t.Errorf("%d balls in game %d", s.balls, s.games)
		}
	}
	if s.games != 2 || s.score != 0 || s.balls != firstBalls || !s.inLane() {
		t.Errorf("game %d, %d points, %d balls", s.games, s.score, s.balls)
	}
}
