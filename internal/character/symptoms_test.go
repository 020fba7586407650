package character

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// What users of other engines complain about most, one test for each complaint.

// meshOf returns a grid of triangles of which each quad has the given size. Inner vertices are
// moved by jitter of the size, and lifted to height.
func meshOf(
	t *testing.T, rng *rand.Rand, n int, size, jitter float64, height func(x, z float64) float64,
) *testObstacle {
	t.Helper()
	var vertices []vec
	var indices []uint32
	for i := range n + 1 {
		for j := range n + 1 {
			x := (float64(i-n/2) + (rng.Float64()-0.5)*jitter) * size
			z := (float64(j-n/2) + (rng.Float64()-0.5)*jitter) * size
			vertices = append(vertices, vec{X: x, Y: height(x, z), Z: z})
		}
	}
	for i := range uint32(n) {
		for j := range uint32(n) {
			k := i*uint32(n+1) + j
			r := k + uint32(n+1)
			if rng.IntN(2) == 0 {
				indices = append(indices, k, k+1, r, r+1, r, k+1)
			} else {
				indices = append(indices, k, k+1, r+1, k, r+1, r)
			}
		}
	}
	m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &testObstacle{mesh: m}
}

func TestInnerEdgesOfAFlatMeshDoNotStopOrTurnACharacter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	floor := meshOf(t, rng, 60, 0.37, 0.8, func(_, _ float64) float64 { return 0 })
	for _, k := range shapes {
		for way := range 12 {
			s, c := math.Sincos(float64(way) * 0.55)
			p := newPlayer(k.shape, vec{Y: 0.01}, floor)
			p.set.Acceleration = math.Inf(1)
			p.steps(10)
			p.in.Desired = vec{X: 5 * c, Z: 5 * s}
			p.step()
			from := p.Position
			p.steps(90)
			want := from.AddScaled(90*tick, p.in.Desired)
			if d := p.Position.Distance(want); d > 1e-9 || p.Ground != OnGround || len(p.mover.Contacts) > 0 {
				t.Errorf("%s, way %d: %v off, ground %v, contacts %v", k.name, way, d, p.Ground, p.mover.Contacts)
			}
		}
	}
}

func TestAWallOfTilesDoesNotHoldACharacter(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{1, 10, 30, 60, 85, 89} {
			obstacles := []*testObstacle{floorAt(0)}
			for i := range 30 {
				obstacles = append(obstacles, boxOf(vec{X: float64(i), Y: 1, Z: 1.5}, vec{X: 0.5, Y: 2, Z: 0.5}))
			}
			p := newPlayer(k.shape, vec{X: 0.2, Z: 0.65}, obstacles...)
			p.set.Acceleration = math.Inf(1)
			s, c := math.Sincos(angle * degrees)
			p.in.Desired = vec{X: 4 * c, Z: 4 * s}
			for p.Position.Z < 0.69999 {
				p.step()
			}
			p.step()
			from := p.Position
			p.steps(60)
			near(t, fmt.Sprintf("%s at %v degrees: along the wall", k.name, angle), p.Position.X-from.X, 4*c, 1e-9)
			near(t, fmt.Sprintf("%s at %v degrees: from the wall", k.name, angle), p.Position.Z, 0.7, 1e-9)
		}
	}
}

func TestAFloorOfTilesDoesNotHoldACharacter(t *testing.T) {
	for _, k := range shapes {
		var tiles []*testObstacle
		for i := range 40 {
			tiles = append(tiles, boxOf(vec{X: float64(i) * 0.3, Y: -0.3}, vec{X: 0.15, Y: 0.3, Z: 3}))
		}
		p := newPlayer(k.shape, vec{X: 0.5}, tiles...)
		p.set.Acceleration = math.Inf(1)
		p.in.Desired = vec{X: 6}
		p.steps(5)
		from := p.Position
		for range 60 {
			if p.step(); p.Ground != OnGround || p.OnWall {
				t.Fatalf("%s: ground %v, wall %v at %v", k.name, p.Ground, p.OnWall, p.Position)
			}
		}
		near(t, k.name+": way", p.Position.X-from.X, 6, 1e-9)
	}
}

func TestAnIdleCharacterDoesNotDriftDownASlope(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{5, 20, 44, 45} {
			p := newPlayer(k.shape, vec{X: 1, Y: 3}, ramp(angle*degrees))
			p.set.AirAcceleration = 0
			p.steps(90)
			at := p.Position
			steps := 2000
			if testing.Short() {
				steps = 200
			}
			p.steps(steps)
			if p.Position != at || p.Ground != OnGround {
				t.Errorf("%s on %v degrees: drifts by %v", k.name, angle, p.Position.Sub(at))
			}
		}
	}
}

func TestGroundDoesNotFlickerOnUnevenTerrain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	terrain := meshOf(t, rng, 70, 0.5, 0.5, func(x, z float64) float64 {
		return 0.5*math.Sin(x) + 0.4*math.Cos(1.3*z) + 0.02*math.Sin(17*x)*math.Cos(13*z)
	})
	for _, k := range shapes[:2] {
		p := newPlayer(k.shape, vec{Y: 1.5}, terrain)
		p.steps(60)
		for i := range 600 {
			s, c := math.Sincos(float64(i) * 0.013)
			p.in.Desired = vec{X: 4 * c, Z: 4 * s}
			if p.step(); p.Ground != OnGround {
				t.Fatalf("%s: ground %v in step %d at %v, normal %v", k.name, p.Ground, i, p.Position, p.GroundNormal)
			}
		}
	}
}

func TestALiftThatStopsDoesNotThrowItsRider(t *testing.T) {
	lift := boxOf(vec{Y: -0.1}, vec{X: 2, Y: 0.1, Z: 2})
	p := newPlayer(shapes[0].shape, vec{}, lift)
	p.steps(2)
	lift.velocity = vec{Y: 8}
	p.steps(30)
	lift.velocity = vec{}
	for range 10 {
		if p.step(); p.Ground != OnGround || p.Velocity != (vec{}) {
			t.Fatalf("ground %v, velocity %v", p.Ground, p.Velocity)
		}
	}
	near(t, "height", p.feet().Y, 8*30*tick, 1e-9)
}

func TestWalkingOnAMovingPlatformIsRelativeToIt(t *testing.T) {
	lift := boxOf(vec{Y: -0.1}, vec{X: 20, Y: 0.1, Z: 20})
	p := newPlayer(shapes[2].shape, vec{}, lift)
	p.set.Acceleration = math.Inf(1)
	p.steps(2)
	lift.velocity = vec{X: 3, Y: -4, Z: 1}
	p.in.Desired = vec{X: -2, Z: 2}
	p.step()
	from := p.Position.Sub(lift.offset)
	p.steps(60)
	d := p.Position.Sub(lift.offset).Sub(from)
	if d.Distance(p.in.Desired) > 1e-9 {
		t.Errorf("it walks by %v in a second, want %v", d, p.in.Desired)
	}
}

func TestAWedgeOfSteepSlopesLetsACharacterJumpOut(t *testing.T) {
	left := ramp(60 * degrees)
	b := left.shape.(collide.Box)
	b.Center.X, b.Rotation.Z = -b.Center.X, -b.Rotation.Z
	left.shape = b
	for _, k := range shapes {
		p := newPlayer(k.shape, vec{Y: 2}, ramp(60*degrees), left)
		p.steps(300)
		if p.Ground != OnGround {
			t.Errorf("%s: ground %v", k.name, p.Ground)
		}
		p.in.Jump = true
		if p.step(); !p.Jumped {
			t.Errorf("%s: it can't jump out", k.name)
		}
	}
}

func TestAWalkingCharacterNeverFallsThroughALongThinFloor(t *testing.T) {
	for _, k := range shapes {
		floor := &testObstacle{shape: collide.Triangle{
			A: vec{X: -1e4, Z: 1e4}, B: vec{X: 1e4, Z: 1e4}, C: vec{Z: -1e4},
		}}
		p := newPlayer(k.shape, vec{Y: 500}, floor)
		p.Velocity = vec{Y: -5000}
		p.set.AirAcceleration = 0
		p.steps(30)
		near(t, k.name+": height", p.feet().Y, 0, 1e-8)
	}
}

func TestNoCharacterLeavesAClosedLevel(t *testing.T) {
	steps := slow.Cases(34_000) // a random movement each
	for _, k := range shapes {
		t.Run(k.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 8))
			lift := boxOf(vec{X: 3, Y: 0.2, Z: -3}, vec{X: 1.2, Y: 0.1, Z: 1.2})
			p := newPlayer(
				k.shape, vec{Y: 1},
				floorAt(0), boxOf(vec{Y: 8}, vec{X: 50, Y: 1, Z: 50}),
				boxOf(vec{X: 6}, vec{X: 1, Y: 50, Z: 50}), boxOf(vec{X: -6}, vec{X: 1, Y: 50, Z: 50}),
				boxOf(vec{Z: 6}, vec{X: 50, Y: 50, Z: 1}), boxOf(vec{Z: -6}, vec{X: 50, Y: 50, Z: 1}),
				boxOf(vec{X: -3, Z: 2}, vec{X: 1, Y: 0.35, Z: 1}), boxOf(vec{X: -3, Z: 3}, vec{X: 1, Y: 0.7, Z: 1}),
				ramp(40*degrees), lift,
				&testObstacle{shape: collide.Capsule{A: vec{X: -2, Z: -3}, B: vec{X: -2, Y: 5, Z: -2}, Radius: 0.3}},
				&testObstacle{shape: collide.Sphere{Center: vec{X: -4, Z: -4}, Radius: 0.8}},
			)
			for i := range steps {
				if i%7 == 0 {
					v := math.Exp(rng.NormFloat64()*2 + 1)
					s, c := math.Sincos(rng.Float64() * 2 * math.Pi)
					p.in.Desired = vec{X: v * c, Z: v * s}
					p.in.Jump = rng.IntN(3) == 0
					p.set.Acceleration = math.Exp(rng.NormFloat64()*2 + 3)
					p.set.Floating = rng.IntN(8) == 0
				}
				if i%50 == 0 { // thrown at any speed
					p.Velocity = vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(
						math.Exp(rng.NormFloat64() * 3))
				}
				if i%120 == 0 {
					lift.velocity = vec{Y: []float64{0, 0.5, -0.5}[i/120%3]}
				}
				p.step()
				if q := p.Position; math.Abs(q.X) > 5 || math.Abs(q.Z) > 5 || q.Y < 0 || q.Y > 7 {
					t.Fatalf("step %d: out at %v", i, q)
				}
				if i%5 == 0 && !p.MayOverlap && !p.Crushed && p.world.gap(p.Position) < -1e-9 {
					t.Fatalf("step %d: %v deep at %v", i, -p.world.gap(p.Position), p.Position)
				}
			}
		})
	}
}

// The floor goes on under the slope, as it does under a wall that stands on it.
func TestASteepSlopeOnAFloorLiftsNobodyWhoWalksIntoIt(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{50, 60, 64, 70, 85} {
			for start := range 10 {
				p := newPlayer(k.shape, vec{X: -1 - 0.01*float64(start)}, floorAt(0), ramp(angle*degrees))
				p.set.Acceleration = math.Inf(1)
				s, c := math.Sincos(float64(start) * 7 * degrees)
				p.in.Desired = vec{X: 4 * c, Z: 4 * s}
				for range 40 {
					p.step()
					if p.feet().Y > 1e-9 || p.Ground != OnGround {
						t.Fatalf("%s, %v degrees: the feet are at %v, ground %v", k.name, angle, p.feet(), p.Ground)
					}
				}
			}
		}
	}
}

// Inside of the slope, the upper side of each box looks like ground.
func TestNobodyStandsOnASteepSlopeOfBoxes(t *testing.T) {
	for _, k := range shapes {
		for start := range 20 {
			turn := collide.RotationAround(vec{Z: 1}, 70*degrees)
			var slope []*testObstacle
			for i := range 12 {
				slope = append(slope, &testObstacle{shape: collide.Box{
					Center: turn.Rotate(vec{X: 0.25 + 0.5*float64(i), Y: -0.25}),
					Half:   vec{X: 0.25, Y: 0.25, Z: 5}, Rotation: turn,
				}})
			}
			p := newPlayer(k.shape, vec{X: 0.4, Y: 3 + 0.03*float64(start)}, slope...)
			p.in.Desired = vec{X: 1}
			for range 200 {
				p.step()
				if p.feet().Y < 0.5 {
					break
				}
				if p.Ground == OnGround {
					t.Fatalf("%s, start %d: stands at %v", k.name, start, p.feet())
				}
			}
		}
	}
}
