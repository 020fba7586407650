package breakout

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// The game plays itself through a level: bricks break one by one, no ball is inside of anything or
// leaves the field but at the bottom, at 200 m/s too.
func TestTheGameIsPlayed(t *testing.T) {
	for _, speed := range []float64{12, 200} {
		s := newScene(1, speed)
		best := 0
		for range 60 * 90 {
			s.step(input{Auto: true})
			best = max(best, s.level)
			for e := range balls.Iter(s.world) {
				at := components.Transform.Get(e).Position
				const hair = 1e-9
				if at.X < radius-hair || at.X > width-radius+hair || at.Y > height-radius+hair || at.Z != 0 {
					t.Fatalf("%g m/s, tick %d: a ball is at %v", speed, s.ticks, at)
				}
				for b := range bricks.Iter(s.world) {
					d := at.Sub(components.Transform.Get(b).Position)
					d.X = max(math.Abs(d.X)-brickLength/2, 0)
					if gap := d.Length() - radius - brickThick/2; gap < -hair {
						t.Fatalf("%g m/s, tick %d: a ball is %g m inside of a brick", speed, s.ticks, -gap)
					}
				}
			}
			if errs := s.physics.Errors(); errs != nil {
				for err := range errs {
					t.Fatal(err)
				}
			}
		}
		if best < 2 && speed < 100 || s.impacts < 100 {
			t.Errorf("%g m/s: level %d after 90 s, %d impacts", speed, best, s.impacts)
		}
	}
}

// A ball that falls costs a life, the last one begins a new game.
func TestLives(t *testing.T) {
	s := newScene(1, 12)
	s.score = 50
	for want := firstLives - 1; want >= 0; want-- {
		removeAll(s.world, balls)
		s.step(input{})
		if want == 0 {
			want = firstLives
			if s.lives != want || s.score != 0 {
				t.Errorf("after the last life: %d lives, %d points", s.lives, s.score)
			}
			break
		}
		if s.lives != want || !s.waiting || balls.Count(s.world) != 1 {
			t.Errorf("%d lives, want %d and a ball on the paddle", s.lives, want)
		}
	}
}

// Where the ball meets the paddle decides where it goes.
func TestThePaddleSteers(t *testing.T) {
	for off, want := range map[float64]float64{-1: -1, 0: 0, 1: 1} {
		s := newScene(1, 12)
		removeAll(s.world, balls)
		s.waiting = false
		s.newBall(collide.Vec3{X: width/2 + off, Y: 3}, collide.Vec3{Y: -12})
		for range 30 {
			s.step(input{})
		}
		for e := range balls.Iter(s.world) {
			if v := components.Velocity.Get(e).Linear; v.Y <= 0 || v.X*want < 0 || want != 0 && v.X == 0 {
				t.Errorf("met %g m beside the middle, the ball flies at %v", off, v)
			}
		}
	}
}

// A ball that the paddle has hit from above was sent up against its underside, in each of up to
// hundreds of ticks.
func TestABallBelowThePaddleIsNotSentUpAgain(t *testing.T) {
	s := newScene(1, 12)
	removeAll(s.world, balls)
	s.waiting = false
	s.newBall(collide.Vec3{X: width / 2, Y: 0.3}, collide.Vec3{Y: 12})
	hits := 0
	for range 60 {
		s.step(input{})
		for hit := range s.physics.Impacts() {
			if hit.B == s.paddle.Entity() {
				hits++
			}
		}
	}
	if hits != 1 {
		t.Errorf("%d impacts with the underside of the paddle, want 1", hits)
	}
}

func TestTheGameHasLessThan400Lines(t *testing.T) {
	lines := 0
	for _, name := range []string{"scene.go", "draw.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(data, []byte("\n"))
	}
	if lines >= 400 {
		t.Errorf("%d lines", lines)
	}
}
