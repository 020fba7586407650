package level

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The level can be finished: the game plays itself until it has all stars and enough goals, without
// a fall, and begins again. The camera is never inside of anything.
func TestTheGameIsPlayed(t *testing.T) {
	s := newScene()
	if len(s.level.Warnings) > 0 {
		t.Error(s.level.Warnings)
	}
	rode := false
	for s.won == 0 {
		s.step(input{Auto: true})
		for err := range s.physics.Errors() {
			t.Fatal(err)
		}
		if s.ticks > 60*60 {
			t.Fatalf("after a minute it is at %v, errand %d, %d stars are left, %d goals", s.at(), s.player.at,
				len(s.stars), s.goals)
		}
		rode = rode || s.character().State.GroundEntity == s.lifts[0].Entry.Entity()
		if s.ticks%10 > 0 {
			continue
		}
		eye := collide.Sphere{Center: s.eye, Radius: 0.8 * eyeRadius}
		for e := range s.physics.OverlapSphere(eye, systems.Filter{
			Accept: func(e donburi.Entity) bool { return s.world.Entry(e).HasComponent(components.ShapeCollider) },
			Layers: 1,
		}) {
			t.Fatalf("tick %d: the camera at %v is inside of entity %d", s.ticks, s.eye, e.Id())
		}
	}
	if s.falls > 0 || !rode || s.kicks < goalsToWin {
		t.Errorf("%d falls, rode the lift: %v, %d kicks", s.falls, rode, s.kicks)
	}
	for range 400 {
		s.step(input{Auto: true})
	}
	if s.won > 0 || len(s.stars) == 0 || s.time > 100 {
		t.Errorf("it did not begin again: %d stars, %d ticks", len(s.stars), s.time)
	}
}

// put places the hero with its feet at a point, looking along -Z, and lets it come to rest.
func put(s *scene, at collide.Vec3) {
	at.Y += heroHeight / 2
	components.Transform.Get(s.hero).Position = at
	s.character().State.Velocity = collide.Vec3{}
	s.yaw = 0
	for range 30 {
		s.step(input{})
	}
}

func TestMoves(t *testing.T) {
	feet := func(s *scene) float64 { return s.at().Y - heroHeight/2 }
	s := newScene()

	// Up ten steps of 0.3 m, as fast as on the level: their time is charged.
	put(s, collide.Vec3{X: 4, Z: 7})
	ticks := 0
	for s.at().Z > -1 && ticks < 300 {
		s.step(input{Move: collide.Vec3{Y: 1}})
		ticks++
	}
	if math.Abs(feet(s)-3) > 0.02 || ticks < 75 {
		t.Errorf("after %d ticks its feet are at %v, and not at the top of the stairs", ticks, feet(s))
	}

	// Up and down the ramp without leaving the ground.
	put(s, collide.Vec3{X: -4, Z: 9})
	for s.at().Z > -1 {
		s.step(input{Move: collide.Vec3{Y: 1}})
		if s.character().State.Ground != components.OnGround {
			t.Fatalf("at %v it is not on the ground", s.at())
		}
	}
	for s.at().Z < 9 {
		s.step(input{Move: collide.Vec3{Y: -1}})
		if s.character().State.Ground != components.OnGround {
			t.Fatalf("at %v, down the ramp, it is not on the ground", s.at())
		}
	}

	// A jump from the level.
	put(s, collide.Vec3{X: 10})
	top := 0.0
	for range 60 {
		s.step(input{Jump: true})
		top = max(top, feet(s))
	}
	if math.Abs(top-jumpHeight) > 0.1 {
		t.Errorf("it jumps to %v, want %v", top, jumpHeight)
	}

	// A kicked ball flies, and one in the goal counts and comes back.
	ball := s.balls[0]
	at := components.Transform.Get(ball).Position
	put(s, at.Add(collide.Vec3{Y: -0.5, Z: 2}))
	for range 30 {
		s.step(input{Move: collide.Vec3{Y: 1}})
	}
	if v := components.Velocity.Get(ball).Linear; s.kicks == 0 || v.Z > -4 {
		t.Errorf("%d kicks, and the ball moves at %v", s.kicks, v)
	}
	components.Transform.Get(ball).Position = s.goal.Center()
	s.step(input{})
	if s.goals != 1 || components.Transform.Get(ball).Position.Distance(at) > 0.01 {
		t.Errorf("%d goals, and the ball is at %v, want 1 and %v", s.goals, components.Transform.Get(ball).Position, at)
	}
}

// A lift that came down on the hero went through it. Now the hero begins at the start again, as
// after a fall.
func TestALiftDoesNotGoThroughTheHero(t *testing.T) {
	s := newScene()
	l := &s.lifts[0]
	for l.Part(s.time) < 0.5 { // until it is up
		s.step(input{})
	}
	components.Transform.Get(s.hero).Position = l.From.Add(collide.Vec3{X: 0.8, Y: heroHeight/2 + 0.03})
	for s.falls == 0 && s.time < 60*10 {
		s.step(input{})
		body := components.CapsuleCollider.Get(s.hero).Shape(*components.Transform.Get(s.hero))
		if d, _ := s.physics.Distance(body, l.Entry.Entity()); d < -0.05 {
			t.Fatalf("tick %d: the lift is %.2f m inside of the hero", s.ticks, -d)
		}
	}
	if s.falls != 1 || s.at().Distance(s.start) > 0.1 {
		t.Errorf("%d falls, the hero is at %v", s.falls, s.at())
	}
}

func TestPhysicsFindsNothingWrongWithTheScene(t *testing.T) {
	s := newScene()
	for tick := range 160 {
		if tick%40 == 0 {
			for _, f := range s.physics.Check(s.world) {
				t.Errorf("tick %d: %v", tick, f)
			}
		}
		s.step(input{Auto: true})
	}
}

// The committed file is the one that make writes.
func TestTheLevelIsWhatMakeWrites(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("it builds a program, and sines have other last digits elsewhere")
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
	want, err := os.ReadFile(filepath.Join(dir, "examples", "level", "data", "level.glb"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := data.ReadFile("data/level.glb"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("level.glb differs from what make writes (%v): run go generate ./examples/level", err)
	}
}
