package breakout

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
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

// A ball that falls costs a life. After the last one the game is over, and began again without a
// word: now it waits until it is told to, and keeps the best score.
func TestTheGameIsOverAfterTheLastBall(t *testing.T) {
	v := New(1).(*view)
	v.Reset()
	s := v.scene
	s.score, s.best = 50, 70
	for want := firstLives - 1; want > 0; want-- {
		removeAll(s.world, balls)
		s.step(input{})
		if s.lives != want || !s.waiting || balls.Count(s.world) != 1 {
			t.Errorf("%d lives, want %d and a ball on the paddle", s.lives, want)
		}
	}
	removeAll(s.world, balls)
	for range 60 {
		s.step(input{Launch: true}) // the finger is still down
	}
	if s.lives != 0 || s.score != 50 || s.level != 1 || balls.Count(s.world) != 0 {
		t.Fatalf("after the last life: %d lives, %d points, %d balls", s.lives, s.score, balls.Count(s.world))
	}
	c := &stage.Canvas{W: 296, H: 320, Scale: 1}
	v.Draw(c)
	said := 0
	for _, l := range c.Labels {
		if strings.Contains(l.Text, "game over") || strings.Contains(l.Text, "70 points") {
			said++
		}
		if l.Area.X < 0 || l.Area.X+l.Area.W > c.W {
			t.Errorf("%q leaves the window: %v", l.Text, l.Area)
		}
	}
	if said != 2 {
		t.Errorf("the texts are %v, and don't say that it is over", c.Labels)
	}
	s.step(input{})
	if s.step(input{Launch: true}); s.lives != firstLives || s.score != 0 || s.best != 70 || !s.waiting {
		t.Errorf("the next game: %d lives, %d points, best %d, waiting %v", s.lives, s.score, s.best, s.waiting)
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
