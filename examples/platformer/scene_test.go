package platformer

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// The level can be finished: the game plays itself to the flag without a fall, and begins again.
func TestTheGameIsPlayed(t *testing.T) {
	s := newScene()
	rode, climbed := false, false
	for s.wins == 0 {
		s.step(input{Auto: true})
		for err := range s.physics.Errors() {
			t.Fatal(err)
		}
		if s.ticks > 60*60 {
			t.Fatalf("after a minute it is at %v, errand %d, %d coins, %d falls", s.at(), s.player.at, s.coins, s.falls)
		}
		rode = rode || s.character().State.GroundEntity == s.lifts[1].Entry.Entity()
		climbed = climbed || s.climbing
	}
	if s.falls > 0 || s.coins < 12 || !rode || !climbed {
		t.Errorf("%d falls, %d coins, rode the second lift: %v, climbed: %v", s.falls, s.coins, rode, climbed)
	}
	for range 300 {
		s.step(input{Auto: true})
	}
	if s.won > 0 || s.time > 240 || s.at().X > 30 {
		t.Errorf("it did not begin again: it is at %v after %d ticks", s.at(), s.time)
	}
}

// put places the hero with its feet at a point, and lets it come to rest.
func put(s *scene, x, y float64) {
	components.Transform.Get(s.hero).Position = collide.Vec2(x, y+heroHeight/2)
	s.character().State.Velocity = collide.Vec3{}
	for range 30 {
		s.step(input{})
	}
}

// Autoplay ran against a wall for ever when somebody had walked back before, because it didn't do
// the errands behind the hero again.
func TestAutoplayGoesOnAfterAWalkBack(t *testing.T) {
	for _, c := range []struct {
		to   float64
		back int // ticks
	}{{20, 120}, {80, 60}} {
		s := newScene()
		for s.at().X < c.to {
			s.step(input{Auto: true})
		}
		for range c.back {
			s.step(input{Move: collide.Vec2(-1, 0)})
		}
		from, until := s.at(), s.ticks+60*20
		for s.at().X < c.to+10 && s.ticks < until {
			s.step(input{Auto: true})
		}
		if s.ticks == until {
			t.Errorf("back from x = %g to %g, it is at %v after 20 s, errand %d", c.to, from.X, s.at(), s.player.at)
		}
	}
}

func TestMoves(t *testing.T) {
	feet := func(s *scene) float64 { return s.at().Y - heroHeight/2 }
	highest := func(s *scene, ticks int) (top float64) {
		for k := range 60 {
			s.step(input{Jump: k < ticks})
			top = max(top, feet(s))
		}
		return top
	}
	s := newScene()
	put(s, 5, 4)
	if at := feet(s); math.Abs(at-4) > 0.01 {
		t.Fatalf("the hero stands at %v, and not on the ground", at)
	}
	high := highest(s, 30)
	low := highest(s, 2)
	if high < 6.2 || high > 6.6 || low > high-0.8 || low < 4.5 {
		t.Errorf("a long press jumps to %v, and a short one to %v", high, low)
	}

	// Planks: from below it goes through, down drops.
	put(s, 53.5, 4)
	for range 60 {
		s.step(input{Jump: true, Move: collide.Vec2(0, 0)})
	}
	put(s, 53.5, 7.5)
	if at := feet(s); math.Abs(at-7) > 0.01 {
		t.Errorf("on the plank its feet are at %v", at)
	}
	for range 40 {
		s.step(input{Move: collide.Vec2(0, -1)})
	}
	if at := feet(s); math.Abs(at-4) > 0.01 {
		t.Errorf("after it dropped through the plank its feet are at %v", at)
	}

	// Up the ladder, down again, and off by a jump.
	put(s, 62.5, 4)
	for range 60 {
		s.step(input{Move: collide.Vec2(0, 1)})
	}
	if at := feet(s); !s.climbing || at < 7 {
		t.Errorf("after a second on the ladder its feet are at %v", at)
	}
	for range 90 {
		s.step(input{Move: collide.Vec2(0, -1)})
	}
	if at := feet(s); s.climbing || math.Abs(at-4) > 0.02 {
		t.Errorf("after it climbed down its feet are at %v, climbing %v", at, s.climbing)
	}

	// It pushes a crate, and stands on one.
	crate := s.things[len(s.things)-1]
	from := components.Transform.Get(crate).Position
	put(s, from.X-1, 4)
	for range 40 {
		s.step(input{Move: collide.Vec2(1, 0)})
	}
	if way := components.Transform.Get(crate).Position.X - from.X; way < 0.5 {
		t.Errorf("it pushes the crate by %v", way)
	}
	put(s, components.Transform.Get(crate).Position.X, 5.2)
	if at := feet(s); math.Abs(at-5) > 0.02 {
		t.Errorf("on the crate its feet are at %v", at)
	}

	// The belt carries it to the left, and spikes send it back.
	put(s, 76, 11)
	x := s.at().X
	for range 30 {
		s.step(input{})
	}
	if way := s.at().X - x; math.Abs(way+1.25) > 0.1 {
		t.Errorf("the belt carries it by %v in half a second, want -1.25", way)
	}
	falls := s.falls
	put(s, 114, 5)
	if s.falls != falls+1 {
		t.Errorf("spikes: %d falls, want %d", s.falls, falls+1)
	}
}

// It walks from a tile to the next, up and down slopes, without a bump and at a constant speed,
// but for the corners, around which it takes the short way.
func TestRunningIsSmooth(t *testing.T) {
	s := newScene()
	put(s, 22, 4)
	for range 20 {
		s.step(input{Move: collide.Vec2(1, 0)}) // to full speed
	}
	was := s.at()
	for s.at().X < 35 {
		s.step(input{Move: collide.Vec2(1, 0)})
		now := s.at()
		way, ground := now.Distance(was), s.character().State.Ground
		if math.Abs(way-runSpeed*stepSeconds) > 0.02 || ground != components.OnGround {
			t.Fatalf("at %v it went %v m in a tick, want %v; %v", now, way, runSpeed*stepSeconds, ground)
		}
		was = now
		if s.ticks > 600 {
			t.Fatalf("it is stuck at %v", now)
		}
	}
}

// The committed files are those that make writes.
func TestTheMapIsWhatMakeWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "make")
	if out, err := exec.Command("go", "build", "-o", program, "./make").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"level.tmx", "tiles.tsx", "tiles.png", "sprites.png", "back.png"} {
		want, err := os.ReadFile(filepath.Join(dir, "examples", "platformer", "data", name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := data.ReadFile("data/" + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from what make writes (%v): run go generate ./examples/platformer", name, err)
		}
	}
}
