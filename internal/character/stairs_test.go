package character

import (
	"math"
	"testing"
)

// stairsOf returns steps of the same height and depth that rise along X from the origin. Each
// reaches to the end of the last one.
func stairsOf(n int, height, depth, tread float64) []*testObstacle {
	end := float64(n-1)*depth + tread
	var all []*testObstacle
	for i := range n {
		from, top := float64(i)*depth, float64(i+1)*height
		all = append(all, boxOf(
			vec{X: (from + end) / 2, Y: top - 20}, vec{X: (end - from) / 2, Y: 20, Z: 3},
		))
	}
	return all
}

// walker is a way to walk to a step.
type walker struct{ speed, acceleration, seconds, from float64 }

var walkers = []walker{
	{4, 40, 1.0 / 60, -2},
	{4, math.Inf(1), 1.0 / 60, -2},
	{4, 40, 1.0 / 60, -0.3}, // it stands at the step when it begins
	{0.1, 40, 1.0 / 60, -0.31},
	{0.5, 1, 1.0 / 60, -0.35},
	{1, 40, 1.0 / 240, -0.5},
	{8, 40, 1.0 / 30, -2},
	{12, 100, 1.0 / 20, -2},
	{30, math.Inf(1), 1.0 / 60, -3},
}

// walkFor lets p walk along X, or at an angle to that, until it has gone for a length, or long
// enough to have done so, and returns how high it was.
func walkFor(p *player, speed, acceleration, seconds, angle, length float64) (top float64) {
	p.set.Acceleration = acceleration
	s, c := math.Sincos(angle)
	p.in.Desired = vec{X: speed * c, Z: speed * s}
	from := p.Position.X
	for range int(1.5*length/(speed*min(1, 1.5*c)*seconds)) + 60 {
		if p.mover.Step(&p.State, &p.set, p.in, seconds); p.Position.X-from > length {
			break
		}
		p.Position.Z = 0
		top = max(top, p.feet().Y)
	}
	return top
}

func TestStairsAsSteepAsALadderAreAWall(t *testing.T) {
	for _, k := range shapes {
		for _, step := range []struct{ height, depth float64 }{
			{0.3, 0.05},
			{0.4, 0.05},
			{0.21, 0.04},
			{0.15, 0.03},
			{0.1, 0.02},
			{0.05, 0.01},
			{0.02, 0.004},
			{0.3, 0.1},
			{0.4, 0.13},
		} {
			n := int(0.6/step.height) + 1 // higher than StepHeight
			for _, w := range walkers {
				for _, angle := range []float64{0, 30, 80} {
					if angle > 0 && w.speed < 4 {
						continue // to save time
					}
					obstacles := append(stairsOf(n, step.height, step.depth, 3), floorAt(0))
					p := newPlayer(k.shape, vec{X: w.from}, obstacles...)
					top := walkFor(p, w.speed, w.acceleration, w.seconds, angle*degrees, -w.from)
					if top > 1e-6 || p.Ground != OnGround {
						t.Errorf("%s, steps of %v x %v m, %v, %v degrees: it climbs %v m, ground %v",
							k.name, step.height, step.depth, w, angle, top, p.Ground)
					}
				}
			}
		}
	}
}

func TestStairsOfRealHousesAreClimbedAtAnySpeed(t *testing.T) {
	for _, k := range shapes {
		for _, step := range []struct{ height, depth float64 }{
			{0.18, 0.28},
			{0.15, 0.35},
			{0.2, 0.2},
			{0.3, 0.3},
			{0.4, 0.4},
			{0.25, 0.18}, // to an attic
			{0.3, 0.2},
			{0.05, 0.05},
			{0.02, 0.02},
		} {
			for _, w := range walkers {
				for _, angle := range []float64{0, 45} {
					const n = 6
					// A wall at the end leaves a landing as deep as the steps.
					obstacles := append(stairsOf(n, step.height, step.depth, 3), floorAt(0))
					end := float64(n-1)*step.depth + 1
					obstacles = append(obstacles, boxOf(vec{X: end + 1, Y: 0}, vec{X: 1, Y: 9, Z: 3}))
					p := newPlayer(k.shape, vec{X: w.from}, obstacles...)
					top := walkFor(p, w.speed, w.acceleration, w.seconds, angle*degrees, end-w.from-0.31)
					if want := n * step.height; math.Abs(top-want) > 1e-6 || p.world.gap(p.Position) < -1e-15 {
						t.Errorf("%s, steps of %v x %v m, %v, %v degrees: it is %v m high, want %v; gap %v",
							k.name, step.height, step.depth, w, angle, top, want, p.world.gap(p.Position))
					}
				}
			}
		}
	}
}

func TestAKerbAndTheTopOfAThinWallAreClimbedAtAnySpeed(t *testing.T) {
	const radius, ledge = 0.3, 0.14
	step := func(from, to, top float64) *testObstacle {
		return boxOf(vec{X: (from + to) / 2, Y: top - 5}, vec{X: (to - from) / 2, Y: 5, Z: 3})
	}
	for _, k := range shapes {
		// What is round stands on the edge of a narrow ledge, with its lowest point beside it.
		hangs := 0.0
		if k.name != "box" {
			hangs = radius - math.Sqrt(radius*radius-(radius-ledge)*(radius-ledge))
		}
		for _, height := range []float64{0.05, 0.12, 0.3, 0.4} {
			for _, w := range walkers {
				for _, kind := range []struct {
					name      string
					obstacle  []*testObstacle
					low, high float64 // how high it gets
					crosses   bool
				}{
					{"kerb", []*testObstacle{step(0, 10, height)}, height, height, true},
					// One that is fast is over the top and down again within a tick.
					{"wall of 0.1 m", []*testObstacle{step(0, 0.1, height)}, 0, height, true},
					{
						"ledge",
						[]*testObstacle{step(0, 2, height), step(ledge, 2, 9)},
						height - hangs, height - hangs, false,
					},
					{"ledge of 0.12 m", []*testObstacle{step(0, 2, height), step(0.12, 2, 9)}, 0, 0, false},
				} {
					p := newPlayer(k.shape, vec{X: w.from}, append(kind.obstacle, floorAt(0))...)
					top := walkFor(p, w.speed, w.acceleration, w.seconds, 0, 0.6-w.from)
					if top < kind.low-1e-6 || top > kind.high+1e-6 || p.Position.X > 0.5 != kind.crosses {
						t.Errorf("%s, %s, %v high, %v: it gets %v m high, and is at %v",
							k.name, kind.name, height, w, top, p.feet())
					}
				}
			}
		}
	}
}

func TestACrateAtTheEdgeOfAStepDoesNotKeepACharacterOffIt(t *testing.T) {
	for _, k := range shapes {
		crate := boxOf(vec{X: 0.35, Y: 0.55}, vec{X: 0.25, Y: 0.25, Z: 0.25})
		crate.mass = 10
		p := newPlayer(k.shape, vec{X: -1}, floorAt(0), boxOf(vec{X: 5, Y: -0.7}, vec{X: 5, Y: 1, Z: 3}), crate)
		p.in.Desired = vec{X: 2}
		p.steps(120)
		near(t, k.name+": height", p.feet().Y, 0.3, 1e-9)
		if crate.offset.X < 1 {
			t.Errorf("%s: it pushes the crate by %v m", k.name, crate.offset.X)
		}
	}
}
