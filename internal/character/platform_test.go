package character

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
)

func TestPlatformsCarry(t *testing.T) {
	for _, k := range shapes {
		for _, v := range []vec{{X: 3}, {X: -30, Z: 7}, {Y: 2}, {Y: -2}, {Y: 60}, {Y: -60}, {X: 5, Y: -12, Z: 1}} {
			lift := boxOf(vec{Y: -0.1}, vec{X: 2, Y: 0.1, Z: 2})
			p := newPlayer(k.shape, vec{}, lift)
			p.steps(2)
			lift.velocity = v
			start := p.Position.Sub(lift.offset)
			for range 120 {
				p.step()
				if p.Ground != OnGround {
					t.Fatalf("%s on a platform at %v: ground %v", k.name, v, p.Ground)
				}
			}
			if d := p.Position.Sub(lift.offset).Distance(start); d > 1e-9 {
				t.Errorf("%s on a platform at %v: moved on it by %v", k.name, v, d)
			}
			p.in.Jump = true
			p.step()
			if want := math.Sqrt(2*9.81) - 9.81*tick; !p.Jumped || math.Abs(p.Velocity.Y-v.Y-want) > 1e-9 ||
				math.Abs(p.Velocity.X-v.X) > 1e-9 {
				t.Errorf("%s: a jump off a platform at %v gives %v", k.name, v, p.Velocity)
			}
		}
	}
}

func TestLeavingAPlatform(t *testing.T) {
	for _, tt := range []struct {
		mode LeaveMode
		v    vec
		want vec // velocity after the jump, without that of the jump
	}{
		{KeepVelocity, vec{X: 3, Y: -1}, vec{X: 3, Y: -1}},
		{KeepUpwardVelocity, vec{X: 3, Y: -1}, vec{X: 3}},
		{KeepUpwardVelocity, vec{X: 3, Y: 1}, vec{X: 3, Y: 1}},
		{KeepNothing, vec{X: 3, Y: 1}, vec{}},
	} {
		lift := boxOf(vec{Y: -0.1}, vec{X: 2, Y: 0.1, Z: 2})
		p := newPlayer(shapes[0].shape, vec{}, lift)
		p.set.OnLeave = tt.mode
		p.steps(2)
		lift.velocity = tt.v
		p.steps(3)
		p.in.Jump = true
		p.step()
		if got := p.Velocity.Sub(vec{Y: math.Sqrt(2*9.81) - 9.81*tick}); got.Distance(tt.want) > 1e-9 {
			t.Errorf("mode %d off %v: %v, want %v", tt.mode, tt.v, got, tt.want)
		}
	}
}

func TestConveyors(t *testing.T) {
	conveyor := floorAt(0)
	conveyor.surface = vec{X: 2}
	p := newPlayer(shapes[0].shape, vec{}, conveyor)
	p.steps(10) // it slides on the conveyor first
	from := p.Position
	p.steps(60)
	near(t, "carried", p.Position.X-from.X, 2, 1e-9)
	p.in.Desired = vec{X: -2}
	p.steps(20)
	from = p.Position
	p.steps(60)
	near(t, "walking against it", p.Position.X-from.X, 0, 1e-9)
}

func TestAWallPushesAndAPressCrushes(t *testing.T) {
	for _, k := range shapes {
		wall := boxOf(vec{X: -2}, vec{X: 1, Y: 3, Z: 3})
		p := newPlayer(k.shape, vec{}, floorAt(0), wall)
		p.steps(2)
		wall.velocity = vec{X: 30}
		p.steps(30)
		near(t, k.name+": pushed to", p.Position.X, -1+30*30*tick+0.3, 1e-9)
		stop := boxOf(vec{X: p.Position.X + 1.5}, vec{X: 1, Y: 3, Z: 3})
		p.world.obstacles = append(p.world.obstacles, stop)
		p.steps(3)
		if !p.Crushed {
			t.Errorf("%s: not crushed at %v", k.name, p.Position)
		}
		near(t, k.name+": crushed at", p.Position.X, stop.shape.(collide.Box).Center.X-1.3, 1e-9)
	}
}

func TestOneWayPlatforms(t *testing.T) {
	sheet := func(y float64) *testObstacle {
		return &testObstacle{
			shape:  collide.Triangle{A: vec{X: -9, Y: y, Z: 9}, B: vec{X: 9, Y: y, Z: 9}, C: vec{Y: y, Z: -9}},
			oneWay: true, normal: vec{Y: 1},
		}
	}
	for _, k := range shapes {
		for _, v := range []float64{5, 8, 100, 1000} { // any speed upwards
			p := newPlayer(k.shape, vec{}, sheet(1))
			p.Velocity = vec{Y: v}
			p.set.MaxFallSpeed = 0
			for range 60 * 220 {
				if p.step(); p.Ground == OnGround {
					break
				}
			}
			if v >= 5 {
				near(t, fmt.Sprintf("%s, up at %v: height", k.name, v), p.feet().Y, 1, 1e-9)
			}
		}
		// Not high enough: it falls back.
		p := newPlayer(k.shape, vec{}, sheet(1), floorAt(0))
		p.set.JumpHeight = 0.99
		p.step()
		p.in.Jump = true
		p.steps(90)
		near(t, k.name+": a jump too low", p.feet().Y, 0, 1e-9)
		// A platform that rises at any speed takes those above it along, and passes those lower.
		for _, speed := range []float64{3, 300} {
			lift := sheet(-0.5)
			p = newPlayer(k.shape, vec{}, lift)
			p.set.Gravity = vec{Y: -1e-6}
			lift.velocity = vec{Y: speed}
			p.steps(30)
			near(t, fmt.Sprintf("%s: on a platform that came from below at %v", k.name, speed),
				p.feet().Y, -0.5+speed*30*tick, 1e-6)
			lift = sheet(0.1)
			p = newPlayer(k.shape, vec{}, floorAt(0), lift)
			lift.velocity = vec{Y: speed}
			p.steps(30)
			near(t, k.name+": passed by a platform", p.feet().Y, 0, 1e-9)
		}
		// Drop-through.
		p = newPlayer(k.shape, vec{Y: 1}, sheet(1), floorAt(0))
		p.steps(5)
		near(t, k.name+": on the platform", p.feet().Y, 1, 1e-9)
		p.in.DropThrough = true
		p.step()
		p.in.DropThrough = false
		p.steps(60)
		near(t, k.name+": dropped to", p.feet().Y, 0, 1e-9)
	}
}

func TestPushingAndStandingOnBodies(t *testing.T) {
	for _, tt := range []struct {
		mass float64
		want float64 // speed after a tick of pushing at 4 m/s
	}{{0.1, 4}, {1000, 100 * tick / 1000}, {5000, 100 * tick / 5000}} {
		crate := boxOf(vec{X: 1.3, Y: 1}, vec{X: 1, Y: 1, Z: 1})
		crate.mass = tt.mass
		p := newPlayer(shapes[0].shape, vec{}, floorAt(0), crate)
		p.set.Acceleration = math.Inf(1)
		p.set.StepHeight = 0
		p.steps(2)
		p.in.Desired = vec{X: 4}
		p.step()
		near(t, fmt.Sprintf("speed of %v kg", tt.mass), crate.velocity.X, tt.want, 1e-9)
		p.steps(9)
		near(t, fmt.Sprintf("speed of %v kg after ten ticks", tt.mass), crate.velocity.X, min(4, 10*tt.want), 1e-9)
	}
	ground := boxOf(vec{Y: -1}, vec{X: 1, Y: 1, Z: 1})
	ground.mass = 1e6
	p := newPlayer(shapes[0].shape, vec{}, ground)
	p.steps(60)
	near(t, "speed of what it stands on", ground.velocity.Y, -70*9.81/1e6, 0.02*70*9.81/1e6)
}

func TestWhatMovesPushesACharacterThatAWallOrCeilingHasStopped(t *testing.T) {
	for _, k := range shapes {
		for name, prepare := range map[string]func(p *player){
			"floats into a wall": func(p *player) {
				p.set.Floating = true
				p.in.Desired = vec{X: 6}
			},
			"jumps at a ceiling": func(p *player) {
				p.set.NoCeilingSlide = true
				p.Velocity = vec{Y: 6}
			},
		} {
			pusher := boxOf(vec{Z: -1.35}, vec{X: 9, Y: 9, Z: 1})
			p := newPlayer(k.shape, vec{}, boxOf(vec{X: 1.31}, vec{X: 1, Y: 9, Z: 9}), pusher)
			top := p.Position.Y + p.set.Foot // all shapes are symmetrical
			p.world.obstacles = append(p.world.obstacles, boxOf(vec{Y: top + 1.01}, vec{X: 9, Y: 1, Z: 9}))
			pusher.velocity = vec{Z: 6}
			prepare(p)
			p.step()
			if gap := p.world.gap(p.Position); gap < -1e-9 || p.Crushed {
				t.Errorf("%s: one that %s ends %v deep in what pushes it, crushed %v", k.name, name, -gap, p.Crushed)
			}
		}
	}
}
