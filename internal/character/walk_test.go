package character

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

func TestWalkingOnAFlatFloor(t *testing.T) {
	for _, k := range shapes {
		t.Run(k.name, func(t *testing.T) {
			p := newPlayer(k.shape, vec{Y: 0.5}, floorAt(0))
			p.steps(60)
			if p.Ground != OnGround || p.GroundNormal != (vec{Y: 1}) {
				t.Fatalf("it fell onto the floor: ground %v, normal %v", p.Ground, p.GroundNormal)
			}
			near(t, "height", p.feet().Y, 0, 1e-11)
			p.in.Desired = vec{X: 4, Z: -3}
			p.steps(30) // accelerates
			from := p.Position
			p.steps(60)
			d := p.Position.Sub(from)
			near(t, "X", d.X, 4, 1e-11)
			near(t, "Z", d.Z, -3, 1e-11)
			near(t, "Y", p.feet().Y, 0, 1e-11)
			p.in.Desired = vec{}
			p.steps(30)
			rest := p.Position
			for range 1000 {
				if p.step(); p.Position != rest || p.Velocity != (vec{}) || p.Ground != OnGround {
					t.Fatalf("it moves by %v at rest", p.Position.Sub(rest))
				}
			}
		})
	}
}

func TestSlopesUpDownAndAcross(t *testing.T) {
	for _, k := range shapes {
		for angle := 0; angle <= 80; angle += 5 {
			for _, constant := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%d degrees/constant speed %v", k.name, angle, constant), func(t *testing.T) {
					a := float64(angle) * degrees
					walkable := angle <= 45
					c, s, tan := math.Cos(a), math.Sin(a), math.Tan(a)
					upSpeed, downSpeed := 4*c, 4/c // along the slope
					if constant {
						upSpeed, downSpeed = 4, 4
					}
					for _, way := range []struct {
						name        string
						desired     vec
						alongSlope  float64 // distance in a second, up
						acrossSlope float64
					}{
						{"standing", vec{}, 0, 0},
						{"up", vec{X: 4}, upSpeed, 0},
						{"down", vec{X: -4}, -downSpeed, 0},
						{"across", vec{Z: 4}, 0, 4},
					} {
						p := newPlayer(k.shape, vec{Y: 0.5}, ramp(a))
						p.set.ConstantSpeed = constant
						p.set.Acceleration = math.Inf(1)
						for p.Ground == InAir {
							p.step()
						}
						if (p.Ground == OnGround) != walkable {
							t.Fatalf("%s: ground %v", way.name, p.Ground)
						}
						if !walkable {
							// It slides down with the acceleration of the slope, whatever it wants.
							p.in.Desired = way.desired
							p.set.AirAcceleration = 0
							before := p.Velocity
							p.steps(30)
							near(t, way.name+": speed down", -p.Velocity.Y+before.Y, 0.5*9.81*s*s, 1e-9)
							if p.Ground != OnSteepGround {
								t.Errorf("%s: ground %v on a steep slope", way.name, p.Ground)
							}
							continue
						}
						p.step()
						p.in.Desired = way.desired
						p.step()
						from := p.Position
						p.steps(60)
						d := p.Position.Sub(from)
						near(t, way.name+": along X", d.X, way.alongSlope*c, 1e-9)
						near(t, way.name+": along Y", d.Y, way.alongSlope*s, 1e-9)
						near(t, way.name+": along Z", d.Z, way.acrossSlope, 1e-9)
						if p.Ground != OnGround {
							t.Errorf("%s: ground %v", way.name, p.Ground)
						}
						if angle > 0 {
							near(t, way.name+": on the slope", d.Y, d.X*tan, 1e-9)
						}
					}
				})
			}
		}
	}
}

func TestASlopeThatIsTooSteepIsAWall(t *testing.T) {
	for _, k := range shapes {
		p := newPlayer(k.shape, vec{X: -3}, floorAt(0), ramp(50*degrees))
		p.in.Desired = vec{X: 4, Z: 1}
		p.steps(120)
		near(t, k.name+": height", p.feet().Y, 0, 1e-9)
		if p.Position.Z < 1 || p.Ground != OnGround {
			t.Errorf("%s: at %v, ground %v; want it to go along the slope", k.name, p.Position, p.Ground)
		}
		// Neither does a jump climb it.
		p.in.Jump = true
		top := 0.0
		for range 120 {
			p.in.Jump = p.Ground == OnGround
			p.step()
			top = max(top, p.feet().Y)
		}
		if top > 1.001 {
			t.Errorf("%s: it jumped %v high", k.name, top)
		}
	}
}

func TestStepsUpToTheLimit(t *testing.T) {
	for _, k := range shapes {
		for _, tt := range []struct {
			height float64
			climbs bool
		}{
			{0.01, true},
			{0.1, true},
			{0.25, true},
			{0.399, true},
			{0.4, true},
			{0.4001, false},
			{0.45, false},
			{0.55, false},
		} {
			p := newPlayer(k.shape, vec{X: -2}, floorAt(0), boxOf(vec{X: 3, Y: tt.height - 1}, vec{X: 3, Y: 1, Z: 3}))
			p.in.Desired = vec{X: 4}
			p.set.Acceleration = math.Inf(1)
			p.step()
			from := p.Position
			fastest := 0.0
			for range 45 {
				before := p.Position
				p.step()
				fastest = max(fastest, p.Position.X-before.X)
				if p.Ground != OnGround {
					t.Errorf("%s, step of %v: ground %v", k.name, tt.height, p.Ground)
				}
			}
			if fastest > 4*tick+1e-12 {
				t.Errorf("%s, step of %v: faster than on the level: %v in a tick", k.name, tt.height, fastest)
			}
			want := 0.0
			if tt.climbs {
				want = tt.height
				if k.name != "box" { // the arc over the edge costs nothing but what walls cost
					near(t, fmt.Sprintf("%s, step of %v: X", k.name, tt.height), p.Position.X-from.X, 3, 0.3)
				} else {
					near(t, fmt.Sprintf("%s, step of %v: X", k.name, tt.height), p.Position.X-from.X, 3, 1e-9)
				}
			}
			near(t, fmt.Sprintf("%s, step of %v: height", k.name, tt.height), p.feet().Y, want, 1e-9)
		}
	}
}

// The lowest point of who walks up a slope is below the foot of the step in front. That made a step
// of 0.39 m look higher than the limit of 0.4 m.
func TestAStepAtTheTopOfASlopeIsNoHigherThanItIs(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{0, 5, 15, 30, 40} {
			for _, height := range []float64{0.1, 0.3, 0.39, 0.41, 0.45, 0.6} {
				foot := math.Tan(angle * degrees)
				// The step reaches far down and forward, where the slope would be higher.
				wall := boxOf(vec{X: 21, Y: foot + height - 20}, vec{X: 20, Y: 20, Z: 5})
				c, s := math.Cos(angle*degrees), math.Sin(angle*degrees)
				slope := &testObstacle{shape: collide.Box{
					Center: vec{X: -5 * c, Y: -5 * s}.Add(vec{X: s, Y: -c}), Half: vec{X: 6.5, Y: 1, Z: 40},
					Rotation: collide.RotationAround(vec{Z: 1}, angle*degrees),
				}}
				p := newPlayer(k.shape, vec{X: -2, Y: -2*foot + 0.6}, slope, wall)
				p.in.Desired = vec{X: 4}
				p.steps(120)
				top := p.feet().Y - foot
				if height < 0.4 && !(math.Abs(top-height) < 1e-9) || height > 0.4 && top > 0.1 {
					t.Errorf("%s, %v degrees, a step of %v: it is at %v", k.name, angle, height, top)
				}
			}
		}
	}
}

func TestStairsUpAndDown(t *testing.T) {
	for _, k := range shapes {
		var stairs []*testObstacle
		for i := range 20 {
			stairs = append(stairs, boxOf(vec{X: 3 + 0.3*float64(i), Y: 0.25*float64(i+1) - 3}, vec{X: 3, Y: 3, Z: 3}))
		}
		for i := range stairs { // each step ends at the last one
			b := stairs[i].shape.(collide.Box)
			from := 0.3 * float64(i)
			b.Center.X, b.Half.X = (from+12)/2, (12-from)/2
			stairs[i].shape = b
		}
		p := newPlayer(k.shape, vec{X: -1}, append(stairs, floorAt(0))...)
		p.in.Desired = vec{X: 3}
		p.set.Acceleration = math.Inf(1)
		p.step()
		from := p.Position.X
		for range 180 {
			p.step()
			if p.Ground != OnGround || p.world.gap(p.Position) < 0 {
				t.Fatalf("%s: ground %v, %v deep at %v", k.name, p.Ground, -p.world.gap(p.Position), p.feet())
			}
		}
		near(t, k.name+": at the top", p.feet().Y, 5, 1e-9)
		if k.name == "box" {
			near(t, k.name+": X", p.Position.X, from+9, 1e-9)
		} else if p.Position.X > from+9+1e-9 || p.Position.X < from+7.8 { // round shapes roll over edges, as up a slope
			t.Errorf("%s: X = %v", k.name, p.Position.X)
		}
		p.in.Desired = vec{X: -3}
		for range 240 {
			if p.step(); p.Ground != OnGround {
				t.Fatalf("%s: it lost the ground on the way down at %v", k.name, p.feet())
			}
		}
		near(t, k.name+": at the bottom", p.feet().Y, 0, 1e-9)
	}
}

func TestJumpsReachTheirHeight(t *testing.T) {
	for _, height := range []float64{0.3, 1, 2.5} {
		p := newPlayer(shapes[0].shape, vec{}, floorAt(0))
		p.set.JumpHeight = height
		p.steps(2)
		p.in.Jump = true
		p.step()
		if !p.Jumped || p.Ground != InAir {
			t.Fatalf("no jump: %+v", p.State)
		}
		// Positions are on the parabola, so the height of its top follows from any of them.
		near(t, "top", p.feet().Y+p.Velocity.Y*p.Velocity.Y/(2*9.81), height, 1e-12)
		landed := false
		for range 120 {
			p.step()
			landed = landed || p.Landed
		}
		if !landed || p.Ground != OnGround {
			t.Errorf("it didn't land")
		}
	}
}

func TestCoyoteTimeAndJumpBuffer(t *testing.T) {
	for _, late := range []int{1, 5, 7, 9} {
		p := newPlayer(shapes[0].shape, vec{X: -1}, boxOf(vec{X: -2, Y: -1}, vec{X: 2, Y: 1, Z: 2}), floorAt(-5))
		p.in.Desired = vec{X: 5}
		for p.step(); p.Ground == OnGround; {
			p.step()
		}
		p.steps(late - 1)
		p.in.Jump = true
		p.step()
		if got, want := p.Jumped, float64(late)*tick <= p.set.CoyoteTime; got != want {
			t.Errorf("%d steps after the ground: jumped %v, want %v", late, got, want)
		}
		again := p.Jumped
		p.in.Jump = true
		if p.step(); again && p.Jumped {
			t.Errorf("it jumps twice in the coyote time")
		}
	}
	for _, early := range []int{1, 3, 5, 9} {
		p := newPlayer(shapes[0].shape, vec{Y: 1}, floorAt(0))
		landsAt := 0
		for ; p.Ground != OnGround; landsAt++ {
			p.step()
		}
		p = newPlayer(shapes[0].shape, vec{Y: 1}, floorAt(0))
		p.steps(landsAt - early)
		p.in.Jump = true
		jumped := false
		for range 20 {
			p.step()
			jumped = jumped || p.Jumped
		}
		if want := float64(early)*tick <= p.set.JumpBuffer; jumped != want {
			t.Errorf("wished %d steps before landing: jumped %v, want %v", early, jumped, want)
		}
	}
}

func TestCeilings(t *testing.T) {
	for _, k := range shapes {
		height := 2 * k.shape.Half.Y
		if k.shape.Kind != Box {
			height = 2 * (k.shape.B.Y + k.shape.Radius)
		}
		p := newPlayer(k.shape, vec{}, floorAt(0), boxOf(vec{Y: height + 0.5 + 1}, vec{X: 9, Y: 1, Z: 9}))
		p.steps(2)
		p.in.Jump, p.in.Desired = true, vec{X: 2}
		hit := -1
		for i := range 60 {
			p.step()
			if p.OnCeiling && hit < 0 {
				hit = i
				near(t, k.name+": below the ceiling", p.feet().Y, 0.5, 0.02)
			}
			if p.feet().Y > 0.5 {
				t.Fatalf("%s: in the ceiling", k.name)
			}
			if i == hit+1 && hit >= 0 && !(p.Velocity.Y < 0) {
				t.Errorf("%s: it hangs at the ceiling", k.name)
			}
		}
		if hit < 0 || p.Ground != OnGround {
			t.Errorf("%s: hit the ceiling in step %d, ground %v", k.name, hit, p.Ground)
		}
	}
}

func TestFloating(t *testing.T) {
	for _, k := range shapes {
		p := newPlayer(k.shape, vec{Y: 2}, boxOf(vec{X: 3}, vec{X: 1, Y: 9, Z: 9}))
		p.set.Floating = true
		p.in.Desired = vec{X: 1, Y: 1, Z: -1}
		p.steps(300)
		near(t, k.name+": at the wall", p.Position.X, 1.7, 1e-9)
		if p.Position.Y < 6 || p.Position.Z > -4 || !p.OnWall {
			t.Errorf("%s: it slides to %v", k.name, p.Position)
		}
		at := p.Position
		p.in.Desired = vec{X: 1, Y: 0.2} // 11 degrees from the normal: it stops
		p.steps(60)
		if p.Position.Distance(at) > 0.1 || p.Velocity.Length() > 1e-9 {
			t.Errorf("%s: it slides at a small angle by %v", k.name, p.Position.Distance(at))
		}
	}
}

func TestCornersAndNarrowPlaces(t *testing.T) {
	turned := func(center, half vec, angle float64) *testObstacle {
		return &testObstacle{
			shape: collide.Box{Center: center, Half: half, Rotation: collide.RotationAround(vec{Y: 1}, angle)},
		}
	}
	for _, k := range shapes {
		for _, tt := range []struct {
			name  string
			walls []*testObstacle
		}{
			{"right corner", []*testObstacle{
				boxOf(vec{X: 3}, vec{X: 1, Y: 9, Z: 9}), boxOf(vec{Z: 3}, vec{X: 9, Y: 9, Z: 1}),
			}},
			{"gap narrower than the body", []*testObstacle{
				boxOf(vec{X: 3, Z: 2.29}, vec{X: 1, Y: 9, Z: 2}), boxOf(vec{X: 3, Z: -2.29}, vec{X: 1, Y: 9, Z: 2}),
			}},
			{"wedge", []*testObstacle{
				turned(vec{X: 5, Z: 3}, vec{X: 9, Y: 9, Z: 1}, 0.2),
				turned(vec{X: 5, Z: -3}, vec{X: 9, Y: 9, Z: 1}, -0.2),
			}},
			{"between steep slopes", []*testObstacle{ramp(60 * degrees), func() *testObstacle {
				o := ramp(60 * degrees)
				b := o.shape.(collide.Box)
				b.Center.X, b.Rotation.Z = -b.Center.X-3, -b.Rotation.Z
				o.shape = b
				return o
			}()}},
		} {
			t.Run(k.name+"/"+tt.name, func(t *testing.T) {
				p := newPlayer(k.shape, vec{X: -1.5, Y: 0.5}, append(tt.walls, floorAt(0))...)
				p.in.Desired = vec{X: 4}
				if tt.name == "right corner" || tt.name == "wedge" {
					p.in.Desired.Z = 0.3
				}
				p.steps(1500)
				end, v := p.Position, p.Velocity
				ground := p.Ground
				seen := map[State]bool{}
				for range slow.Steps(10_000) {
					state := p.State
					state.JumpWish = 0 // it counts down for ever, and means nothing below 0
					if seen[state] {   // nothing else changes here, so all further steps repeat
						break
					}
					seen[state] = true
					if p.step(); p.Position.Distance(end) > 1e-9 || p.Ground != ground {
						t.Fatalf("it moves by %v, ground %v, velocity %v",
							p.Position.Distance(end), p.Ground, p.Velocity)
					}
				}
				t.Logf("%d states", len(seen))
				if v.Length() > 1e-9 || ground != OnGround || p.world.gap(p.Position) < 0 {
					t.Errorf("at rest: velocity %v, ground %v, gap %v", v, ground, p.world.gap(p.Position))
				}
			})
		}
	}
}

func TestSpawningInAWall(t *testing.T) {
	for _, k := range shapes {
		for _, x := range []float64{-0.2, 0, 0.1} { // in the last two the middle is in the wall, too
			p := newPlayer(k.shape, vec{X: x}, floorAt(0), boxOf(vec{X: 1}, vec{X: 1, Y: 9, Z: 9}))
			p.MayOverlap = true
			for range int(math.Ceil((x + 0.3) / tick)) {
				before := p.Position
				p.step()
				if d := p.Position.Distance(before); d > tick*1.0001 {
					t.Errorf("%s at %v: moved by %v in a tick, want at most %v", k.name, x, d, tick)
				}
			}
			p.steps(5)
			near(t, fmt.Sprintf("%s at %v: moved out to", k.name, x), p.Position.X, -0.3, 1e-9)
			at := p.Position
			p.steps(5)
			if p.Position != at || p.Ground != OnGround {
				t.Errorf("%s at %v: it moves on by %v", k.name, x, p.Position.Sub(at))
			}
		}
	}
}

func TestAGivenVelocityLaunches(t *testing.T) {
	p := newPlayer(shapes[0].shape, vec{}, floorAt(0))
	p.steps(3)
	p.Velocity = vec{X: 3, Y: 7}
	p.step()
	near(t, "rises", p.Velocity.Y, 7-9.81*tick, 1e-12)
	near(t, "flies", p.Velocity.X, 3, 1e-12)
}
