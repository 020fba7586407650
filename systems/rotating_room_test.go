package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// cube is a room: a box of twelve triangles with sides of twice half.
func cube(t *testing.T, half float64) components.ShapeColliderData {
	t.Helper()
	var points []collide.Vec3
	for k := range 8 {
		side := func(bit int) float64 { return half * float64(2*(k>>bit&1)-1) }
		points = append(points, vec(side(0), side(1), side(2)))
	}
	mesh, err := collide.NewMesh(points, []uint32{
		0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 2, 6, 0, 6, 4, 1, 7, 3, 1, 5, 7, 0, 4, 5, 0, 5, 1, 2, 7, 6, 2, 3, 7,
	}, collide.MeshOptions{TwoSided: true})
	if err != nil {
		t.Fatal(err)
	}
	return components.ShapeColliderData{Shape: mesh}
}

// little is a crate.
var little = collide.Box{Half: vec(0.08, 0.08, 0.08)}

// A ball that one wall of a room pushes into the next was taken for one that is in the first, which
// pushed it until it was out, at 200 m/s and then 1,200.
func TestWhatMovesIntoTheCornerOfARoomThatRotatesIsNotShot(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape any
		at    collide.Vec3
	}{
		{"ball", sphere(0.0818), vec(0.003, -1.94727, 1)},
		{"crate", shaped(components.ShapePart{Shape: little}), vec(0.003, -1.92, 1)},
	} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
		spawn(w,
			components.TransformData{Rotation: collide.RotationBy(vec(0, 0, 0.7893))},
			moving(0, 0, 0), turning(0, 0, 1), cube(t, 1.4619778759961126),
		)
		b := spawn(w,
			components.TransformData{Position: c.at, Rotation: collide.Quat{W: 1}}, moving(3, -1, 0), c.shape,
			components.BodyData{}, bouncy(0.3),
		)
		for step := range 60 {
			p.Step(w)
			// Falling to the other end of the room gives it sqrt(100) m/s, and a wall moves at 2.
			if v, x := velocity(b).Length(), position(b).Length(); v > 15 || x > 1.47*math.Sqrt(3) {
				t.Fatalf("%s, step %d: %v m/s, %v m from the middle", c.name, step, v, x)
			}
		}
		expectNoErrors(t, p)
	}
}

// A crate that slid over the diagonal of a wall was in that by 1e-9 m, as far as the arc of the
// wall is off the chord of its path, and so came into the other triangle at once, again and again:
// 471 impacts in a step, after which it was jammed.
func TestACrateSlidesOverADiagonalOfAWallThatRotatesWithFewImpacts(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	q := collide.Quat{X: -0.15299396853957653, Y: -0.01792401562073883, Z: -0.15472035881159327, W: 0.9758755995636691}
	spawn(w,
		components.TransformData{Rotation: q}, moving(0, 0, 0),
		turning(-0.44067503027674043, -0.05162730401562612, -0.4456476255538781), cube(t, 1.9102836546190742),
	)
	spawn(w,
		components.TransformData{Position: vec(-1.0758028928242178, -0.9226845232525182, -1.598529271027646)},
		moving(-0.6097172423810752, -4.124145168610621, 1.6630975110809174),
		shaped(components.ShapePart{Shape: collide.Box{
			Half: vec(0.06047069436817171, 0.14918512322568778, 0.049929526316205106),
		}}),
		components.BodyData{Mass: 0.9518488347053322}, rough(0.5989582780169841),
	)
	p.Step(w)
	expectNoErrors(t, p)
	if n := p.Stats().Impacts; n == 0 || n > 20 || p.Stats().Jammed > 0 {
		t.Errorf("%d impacts, jammed: %d", n, p.Stats().Jammed)
	}
}

// As above, for a hull that left the first triangle with an edge: it was less deep in that than in
// the wall, and so it came into the other one 347 times, was halted, and ended in the wall.
func TestAHullSlidesOverADiagonalOfAWallThatRotatesWithFewImpacts(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	angular := vec(-0.07367159268459826, 0.16956427121177958, -0.09570840609648106)
	spawn(w,
		components.TransformData{Rotation: collide.RotationBy(angular.Scale(42.0 / 60))}, moving(0, 0, 0),
		components.AngularVelocityData{Angular: angular}, cube(t, 4.661617948729772),
	)
	hull, err := collide.NewHull([]collide.Vec3{
		vec(0, -0.4445831495487357, 0), vec(-0.16370350859359561, -0.02159198630174046, 0.3090142173739052),
		vec(-0.26696472618581407, -0.1622559960401623, 0.22649746160296838),
		vec(0.3309414639456537, -0.027529382301245076, 0.2812179021206257),
		vec(-0.03641142244763759, -0.19544750031800628, 0.34185355793344974), vec(0, 0.42214032592510503, 0),
		vec(0.30487571480515624, -0.27624490694781045, -0.07085158227120254),
	})
	if err != nil {
		t.Fatal(err)
	}
	spawn(w,
		components.TransformData{Position: vec(-3.3730685750529155, -2.0401390688167775, -4.148010080757705)},
		moving(-0.6072989113298589, -6.884623526396652, 0.9793936563962554),
		shaped(components.ShapePart{Shape: hull}), components.BodyData{Mass: 1.7119317655394046},
	)
	p.Step(w)
	expectNoErrors(t, p)
	if n := p.Stats().Impacts; n == 0 || n > 20 || p.Stats().Jammed > 0 {
		t.Errorf("%d impacts, jammed: %d", n, p.Stats().Jammed)
	}
}

func TestAStepWithCratesInARoomThatRotatesDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w, p := donburi.NewWorld(), onEarth()
	spawn(w, components.TransformData{}, moving(0, 0, 0), turning(0, 0, 0.5), cube(t, 1.5))
	for k := range 8 {
		spawn(w,
			components.TransformData{Position: vec(float64(k%4)*0.3-0.5, float64(k/4)*0.3-1, 0)}, moving(1, 0, 0.5),
			shaped(components.ShapePart{Shape: little}), components.BodyData{}, rough(0.3),
		)
	}
	steps(t, w, p, 90)
	if n := testing.AllocsPerRun(60, func() { p.Step(w) }); n > 0 {
		t.Errorf("%v allocations in a step", n)
	}
}
