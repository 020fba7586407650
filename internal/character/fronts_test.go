package character

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
)

// inclinedStep returns a step that rises along X from the given one up to the top, with a front at
// an angle to the ground. Its end is at the given X.
func inclinedStep(t *testing.T, from, end, top, height, angle float64) *testObstacle {
	t.Helper()
	edge := from + height/math.Tan(angle)
	var corners []vec
	for _, z := range []float64{-3, 3} {
		corners = append(
			corners, vec{X: from, Y: top - height, Z: z}, vec{X: edge, Y: top, Z: z},
			vec{X: end, Y: top, Z: z}, vec{X: end, Y: top - height, Z: z},
			vec{X: from, Y: top - height - 0.5, Z: z}, vec{X: end, Y: top - height - 0.5, Z: z},
		)
	}
	hull, err := collide.NewHull(corners)
	if err != nil {
		t.Fatal(err)
	}
	return &testObstacle{shape: hull}
}

// walkUp is walkFor, which also reports an overlap, and a tick in which p was faster than on the
// level.
func walkUp(t *testing.T, name string, p *player, w walker, angle, length float64) (top float64) {
	t.Helper()
	p.set.Acceleration = w.acceleration
	s, c := math.Sincos(angle)
	p.in.Desired = vec{X: w.speed * c, Z: w.speed * s}
	from, failed := p.Position.X, false
	for range int(1.5*length/(w.speed*min(1, 1.5*c)*w.seconds)) + 60 {
		before := p.Position
		p.mover.Step(&p.State, &p.set, p.in, w.seconds)
		top = max(top, p.feet().Y)
		moved := p.Position.Sub(before)
		if way := math.Hypot(moved.X, moved.Z); p.Ground == OnGround && way > w.speed*w.seconds*(1+1e-9) {
			failed = true
			t.Errorf("%s: it moves by %v m in a tick, want at most %v", name, way, w.speed*w.seconds)
		}
		if gap := p.world.gap(p.Position); gap < -1e-14 {
			failed = true
			t.Errorf("%s: it is %v m deep at %v", name, -gap, p.feet())
		}
		if failed || p.Position.X-from > length {
			break
		}
		p.Position.Z = 0
	}
	return top
}

// pick returns one of the values.
func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

func TestAStepWithAnInclinedFrontIsClimbedAtAnySpeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range slow.Cases(1500) {
		k, w, way := shapes[rng.IntN(len(shapes))], pick(rng, walkers...), pick[float64](rng, 0, 30, 80)
		angle := pick(rng, 46, 50, 60, 70, 75, 80, 85, 89, 89.5, 89.9)
		height := pick(rng, 0.02, 0.1, 0.18, 0.3, 0.39, 0.4)
		if w.speed < 1 {
			way = 0 // to save time
		}
		name := fmt.Sprintf("%s, %v m at %v degrees, %v, %v degrees", k.name, height, angle, w, way)
		step := inclinedStep(t, 0, 9, height, height, angle*degrees)
		p := newPlayer(k.shape, vec{X: w.from}, step, floorAt(0))
		top := walkUp(t, name, p, w, way*degrees, 0.9-w.from)
		if math.Abs(top-height) > 1e-6 || p.Ground != OnGround || p.Position.X < 0.8 {
			t.Errorf("%s: it is %v m high, ground %v, at %v", name, top, p.Ground, p.feet())
		}
	}
}

func TestAWallWithAnInclinedFrontIsNotClimbed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range slow.Cases(500) {
		k, w, way := shapes[rng.IntN(len(shapes))], pick(rng, walkers...), pick[float64](rng, 0, 30, 80)
		angle := pick[float64](rng, 46, 50, 60, 75, 85, 89)
		height := pick(rng, 1.01, 1.05, 1.5, 2, 3, 10)
		if w.speed < 4 {
			way = 0 // to save time
		}
		name := fmt.Sprintf("%s, %v steps high, %v degrees, %v, %v degrees", k.name, height, angle, w, way)
		wall := inclinedStep(t, 0, 9, 0.4*height, 0.4*height, angle*degrees)
		p := newPlayer(k.shape, vec{X: w.from}, wall, floorAt(0))
		top := walkUp(t, name, p, w, way*degrees, 0.5-w.from)
		if top > 1e-6 || p.Ground != OnGround {
			t.Errorf("%s: it climbs %v m, ground %v, at %v", name, top, p.Ground, p.feet())
		}
	}
}

// extrusion returns a mesh through points of the plane z = 0, from left to right, reaching along Z.
func extrusion(t *testing.T, points ...vec) *testObstacle {
	t.Helper()
	var corners []vec
	var indices []uint32
	for i, p := range points {
		corners = append(corners, p.Add(vec{Z: -3}), p.Add(vec{Z: 3}))
		if k := uint32(2 * i); i > 0 {
			indices = append(indices, k-2, k-1, k, k, k-1, k+1)
		}
	}
	m, err := collide.NewMesh(corners, indices, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &testObstacle{mesh: m}
}

// profile returns a mesh that rises along X over points (x, y), and the highest rise without a
// tread. Its fronts are of up to three steep slopes, its treads are 0.3 m deep or more.
func profile(t *testing.T, rng *rand.Rand) (ground *testObstacle, x, y, highest float64) {
	t.Helper()
	points := []vec{{X: -5}, {}}
	for range 1 + rng.IntN(4) {
		rise := 0.02 + 0.38*rng.Float64()
		if rng.IntN(5) == 0 {
			rise = 0.404 + 0.2*rng.ExpFloat64()
		}
		highest = max(highest, rise)
		slopes := 1 + rng.IntN(3)
		for range slopes {
			height := rise / float64(slopes)
			x, y = x+height/math.Tan((46+43.9*rng.Float64())*degrees), y+height
			points = append(points, vec{X: x, Y: y})
		}
		x += 0.3 + 0.5*rng.Float64()
		points = append(points, vec{X: x, Y: y})
	}
	return extrusion(t, append(points, vec{X: x + 5, Y: y})...), x, y, highest
}

func TestAStepWithAnInclinedFrontIsClimbedBetweenSlopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for range slow.Cases(2000) {
		k, w := shapes[rng.IntN(len(shapes))], pick(rng, walkers[:6]...)
		before, after := pick[float64](rng, -30, -15, 0, 15, 30), pick[float64](rng, -30, -15, 0, 15, 30)
		height, angle := 0.02+0.33*rng.Float64(), 46+43*rng.Float64()
		edge := vec{X: height / math.Tan(angle*degrees), Y: height}
		p := newPlayer(
			k.shape, vec{X: -1, Y: 0.5 - math.Tan(before*degrees)},
			extrusion(
				t, vec{X: -5, Y: -5 * math.Tan(before*degrees)}, vec{}, edge,
				edge.Add(vec{X: 5, Y: 5 * math.Tan(after*degrees)}),
			),
		)
		p.steps(60)
		w.speed = max(w.speed, 0.5) // to save time
		name := fmt.Sprintf("%s, %v m at %v degrees between %v and %v degrees, %v",
			k.name, height, angle, before, after, w)
		walkUp(t, name, p, w, 0, 2.5)
		if p.Position.X < 1.5 {
			t.Errorf("%s: ground %v, at %v", name, p.Ground, p.feet())
		}
	}
}

func TestAStepWithAnInclinedFrontIsClimbedWithOtherSettings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for range slow.Cases(500) {
		k, w := shapes[rng.IntN(len(shapes))], pick(rng, walkers[:6]...)
		most, slope := pick(rng, 0.05, 0.1, 0.2, 0.8), pick[float64](rng, 20, 30, 45, 60, 70)
		height, angle := most*pick(rng, 0.3, 0.7, 0.98), slope+1+(88.5-slope)*rng.Float64()
		depth := height / math.Tan(angle*degrees)
		if depth > most {
			continue // that deep it is no front
		}
		p := newPlayer(k.shape, vec{X: w.from}, inclinedStep(t, 0, 12, height, height, angle*degrees), floorAt(0))
		p.set.StepHeight, p.set.MinGroundCosine = most, math.Cos(slope*degrees)
		w.speed = max(w.speed, 0.3) // to save time
		name := fmt.Sprintf("%s, %v of %v m at %v degrees, limit %v degrees, %v", k.name, height, most, angle, slope, w)
		top := walkUp(t, name, p, w, 0, depth+0.6-w.from)
		near(t, name+": height", top, height, 1e-6)
	}
}

func TestFrontsOfSeveralSteepSlopesAreClimbedIfTheyAreNoHigherThanAStep(t *testing.T) {
	for seed := range uint64(slow.Cases(800)) {
		rng := rand.New(rand.NewPCG(1, seed))
		ground, x, y, highest := profile(t, rng)
		k, w, way := shapes[rng.IntN(len(shapes))], pick(rng, walkers[:6]...), pick[float64](rng, 0, 20, 45, 70)
		w.speed = max(w.speed, 0.5) // to save time
		name := fmt.Sprintf("seed %d, %s, %v, %v degrees", seed, k.name, w, way)
		p := newPlayer(k.shape, vec{X: w.from}, ground)
		top := walkUp(t, name, p, w, way*degrees, x+0.5-w.from)
		if climbs := math.Abs(top-y) < 1e-6 && p.Position.X > x; climbs != (highest <= 0.4) || p.Ground != OnGround {
			t.Errorf("%s: fronts of up to %v m: it climbs %v m of %v, ground %v, at %v",
				name, highest, top, y, p.Ground, p.feet())
		}
	}
}

func TestStairsWithInclinedFrontsAreClimbedUpAndDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range slow.Cases(300) {
		k, w := shapes[rng.IntN(len(shapes))], pick(rng, walkers...)
		angle := pick[float64](rng, 50, 60, 75, 85)
		step := pick(rng, []vec{
			{X: 0.28, Y: 0.18},
			{X: 0.35, Y: 0.15},
			{X: 0.4, Y: 0.38},
			{X: 0.3, Y: 0.3},
			{X: 0.2, Y: 0.2},
			{X: 0.05, Y: 0.05},
		}...)
		w.speed = max(w.speed, 0.5)
		if cot := 1 / math.Tan(angle*degrees); step.X-step.Y*cot+(0.4-step.Y)*cot < minTread*0.4 {
			continue // not deep enough
		}
		name := fmt.Sprintf("%s, steps of %v x %v m, fronts of %v degrees, %v", k.name, step.Y, step.X, angle, w)
		const n = 6
		obstacles := []*testObstacle{floorAt(0)}
		for i := range n {
			from, top := float64(i)*step.X, float64(i+1)*step.Y
			obstacles = append(obstacles, inclinedStep(t, from, n*step.X+5, top, step.Y, angle*degrees))
		}
		p := newPlayer(k.shape, vec{X: w.from}, obstacles...)
		top := walkUp(t, name, p, w, 0, n*step.X+1-w.from)
		near(t, name+": height", top, n*step.Y, 1e-6)
		p.in.Desired.X *= -1
		for range int(2*p.Position.X/(w.speed*w.seconds)) + 60 {
			p.mover.Step(&p.State, &p.set, p.in, w.seconds)
			if w.speed*w.seconds < 0.1 && p.Ground != OnGround {
				t.Fatalf("%s: on the way down it leaves the ground at %v", name, p.feet())
			}
		}
		near(t, name+": height after the way down", p.feet().Y, 0, 1e-6)
	}
}

func TestLaddersWithInclinedFrontsAreWalls(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{77, 80, 88} {
			for _, step := range []vec{
				{X: 0.01, Y: 0.3}, {X: 0.02, Y: 0.4}, {X: 0.01, Y: 0.1}, {X: 0.01, Y: 0.2}, {Y: 0.39},
			} {
				depth := step.X + step.Y/math.Tan(angle*degrees)
				if 4*depth > step.Y { // stairs of less than 76 degrees
					continue
				}
				obstacles := []*testObstacle{floorAt(0)}
				for i := range 6 {
					obstacles = append(obstacles, inclinedStep(
						t, float64(i)*depth, 5, float64(i+1)*step.Y, step.Y, angle*degrees,
					))
				}
				for _, w := range walkers[:3] {
					p := newPlayer(k.shape, vec{X: w.from}, obstacles...)
					name := fmt.Sprintf("%s, %v, %v degrees, %v", k.name, step, angle, w)
					if top := walkUp(t, name, p, w, 0, -w.from); top > 1e-6 {
						t.Errorf("%s: it climbs %v m", name, top)
					}
				}
			}
		}
	}
}

// Round characters climbed the front, met the slope behind the ledge, slid back and trembled there
// for good, or stood on the front.
func TestALedgeThatIsTooNarrowBelowASteepSlopeIsNotClimbed(t *testing.T) {
	const front, slope = 0.38, 2.0
	cot := 1 / math.Tan(60*degrees)
	for _, k := range shapes {
		for _, ledge := range []float64{0.02, 0.05, 0.08} {
			edge := vec{X: front * cot, Y: front}
			foot := edge.Add(vec{X: ledge})
			p := newPlayer(k.shape, vec{X: -1}, extrusion(
				t, vec{X: -5}, vec{}, edge, foot, foot.Add(vec{X: slope * cot, Y: slope}),
			))
			p.in.Desired = vec{X: 1}
			for tick := range 300 {
				if p.step(); p.Ground != OnGround || p.feet().Y > 1e-6 {
					t.Errorf("%s, %v m: in tick %d it is at %v, ground %v", k.name, ledge, tick, p.feet(), p.Ground)
					break
				}
			}
		}
	}
}

func TestALipAboveStepHeightIsNotClimbed(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{60, 89.9} {
			at := 0.436 / math.Tan(angle*degrees)
			ground := extrusion(
				t, vec{X: -5}, vec{}, vec{X: at, Y: 0.436}, vec{X: at + 0.02, Y: 0.436}, vec{X: at + 0.0201, Y: 0.4},
				vec{X: 5, Y: 0.4},
			)
			for _, w := range walkers[:3] {
				p := newPlayer(k.shape, vec{X: w.from}, ground)
				name := fmt.Sprintf("%s, %v degrees, %v", k.name, angle, w)
				if top := walkUp(t, name, p, w, 0, 0.5-w.from); top > 1e-6 {
					t.Errorf("%s: it climbs %v m", name, top)
				}
			}
		}
	}
}

func TestACharacterThatStopsOnTheFrontOfAStepStandsThere(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{46, 60, 75} {
			name := fmt.Sprintf("%s, %v degrees", k.name, angle)
			p := newPlayer(k.shape, vec{X: -1}, inclinedStep(t, 0, 9, 0.39, 0.39, angle*degrees), floorAt(0))
			p.in.Desired = vec{X: 0.5}
			for p.Climbed == 0 && p.Position.X < 1 {
				p.step()
			}
			p.in.Desired = vec{}
			p.steps(20)
			at, climbed := p.Position, p.Climbed
			if p.steps(60); p.Position != at || p.Ground != OnGround || !(climbed > 0) || p.Resting {
				t.Errorf("%s: it moves by %v, ground %v, climbed %v", name, p.Position.Sub(at), p.Ground, climbed)
			}
			p.in.Desired = vec{X: -1}
			for range 40 {
				if p.step(); p.Ground != OnGround {
					t.Fatalf("%s: on the way back it leaves the ground at %v", name, p.feet())
				}
			}
			near(t, name+": height", p.feet().Y, 0, 1e-9)
		}
	}
}

// The wall is 0.45 m higher than the floor, and less above one that has climbed the front a bit.
func TestFromTheFrontOfAStepNothingHigherIsClimbed(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{46, 60} {
			for _, speed := range []float64{0.5, 2, 8} {
				p := newPlayer(k.shape, vec{X: -1}, inclinedStep(t, 0, 9, 0.39, 0.39, angle*degrees), floorAt(0),
					boxOf(vec{X: 0, Y: 0.05, Z: 2.5}, vec{X: 0.5, Y: 0.4, Z: 2}))
				p.in.Desired = vec{X: 0.5}
				for !(p.Climbed > 0.1) && p.Position.X < 1 {
					p.step()
				}
				p.set.Acceleration = math.Inf(1)
				p.in.Desired = vec{Z: speed}
				for range int(2 / speed * 60) {
					p.step()
					if p.Ground != OnGround || p.feet().Y > 0.3 {
						t.Fatalf("%s, %v degrees, at %v m/s: ground %v, at %v",
							k.name, angle, speed, p.Ground, p.feet())
					}
				}
			}
		}
	}
}

func TestAClimbOnAnInclinedFrontDoesNotAllocate(t *testing.T) {
	p := newPlayer(shapes[2].shape, vec{X: -0.3}, inclinedStep(t, 0, 9, 0.39, 0.39, 50*degrees), floorAt(0))
	p.in.Desired = vec{X: 0.5}
	p.steps(10)
	if n := testing.AllocsPerRun(10, p.step); n > 0 || !(p.Climbed > 0) {
		t.Errorf("%v allocations a tick, climbed %v", n, p.Climbed)
	}
}
