package character

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
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
	from := p.Position.X
	for range int(1.5*length/(w.speed*min(1, 1.5*c)*w.seconds)) + 60 {
		before := p.Position
		p.mover.Step(&p.State, &p.set, p.in, w.seconds)
		top = max(top, p.feet().Y)
		moved := p.Position.Sub(before)
		if way := math.Hypot(moved.X, moved.Z); way > w.speed*w.seconds*(1+1e-9) {
			t.Errorf("%s: it moves by %v m in a tick, want at most %v", name, way, w.speed*w.seconds)
		}
		if gap := p.world.gap(p.Position); gap < -1e-14 {
			t.Errorf("%s: it is %v m deep at %v", name, -gap, p.feet())
		}
		if t.Failed() || p.Position.X-from > length {
			break
		}
		p.Position.Z = 0
	}
	return top
}

func TestAStepWithAnInclinedFrontIsClimbedAtAnySpeed(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{46, 50, 60, 70, 75, 80, 85, 89, 89.5, 89.9} {
			for _, height := range []float64{0.02, 0.1, 0.18, 0.3, 0.39, 0.4} {
				for _, w := range walkers {
					for _, way := range []float64{0, 30, 80} {
						name := fmt.Sprintf("%s, %v m at %v degrees, %v, %v degrees", k.name, height, angle, w, way)
						if way > 0 && w.speed < 1 {
							continue // to save time
						}
						step := inclinedStep(t, 0, 9, height, height, angle*degrees)
						p := newPlayer(k.shape, vec{X: w.from}, step, floorAt(0))
						top := walkUp(t, name, p, w, way*degrees, 0.9-w.from)
						if math.Abs(top-height) > 1e-6 || p.Ground != OnGround || p.Position.X < 0.8 {
							t.Fatalf("%s: it is %v m high, ground %v, at %v", name, top, p.Ground, p.feet())
						}
					}
				}
			}
		}
	}
}

func TestAWallWithAnInclinedFrontIsNotClimbed(t *testing.T) {
	for _, k := range shapes {
		for _, angle := range []float64{46, 50, 60, 75, 85, 89} {
			for _, height := range []float64{1.01, 1.05, 1.5, 2, 3, 10} {
				for _, w := range walkers {
					for _, way := range []float64{0, 30, 80} {
						name := fmt.Sprintf("%s, %v steps high, %v degrees, %v, %v degrees", k.name, height, angle, w, way)
						if way > 0 && w.speed < 4 {
							continue // to save time
						}
						wall := inclinedStep(t, 0, 9, 0.4*height, 0.4*height, angle*degrees)
						p := newPlayer(k.shape, vec{X: w.from}, wall, floorAt(0))
						top := walkUp(t, name, p, w, way*degrees, 0.5-w.from)
						if top > 1e-6 || p.Ground != OnGround {
							t.Fatalf("%s: it climbs %v m, ground %v, at %v", name, top, p.Ground, p.feet())
						}
					}
				}
			}
		}
	}
}
