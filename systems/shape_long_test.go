package systems_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball rolls 1 km over a flat mesh of 100,000 jittered triangles, in several directions.
func TestABallRollsAKilometreOverAMeshAsOnAPlane(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	mesh := flatFloor(224, 5, 6, same)
	if n := mesh.Triangles(); n < 1e5 {
		t.Fatalf("got %d triangles, want 100,000", n)
	}
	for k := range slow.Cases(8) {
		angle := 0.1 + float64(k)
		way := vec(math.Cos(angle), 0, math.Sin(angle))
		const radius, speed = 0.5, 40.0
		w := donburi.NewWorld()
		components.CreateMesh(w, collide.Vec3{}, mesh, components.Constant)
		from := way.Scale(-500).Add(vec(0, radius, 0))
		e := components.CreateBall(w, from, radius, components.AngularVelocity)
		components.Velocity.Get(e).Linear = way.Scale(speed)
		components.AngularVelocity.Get(e).Angular = vec(0, 1, 0).Cross(way).Scale(speed / radius)
		components.Material.Get(e).Friction = 0.5
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		impacts := 0
		for range 1500 { // 25 s
			p.Step(w)
			impacts += p.Stats().Impacts
			if y := position(e).Y; math.Abs(y-radius) > 1e-9 {
				t.Fatalf("direction %v: the ball is at height %v, want %v", way, y, radius)
			}
		}
		expectNoErrors(t, p)
		x, v := position(e).Sub(from), velocity(e)
		if d := x.Distance(way.Scale(1000)); d > 1e-9*1000 {
			t.Errorf("direction %v: after 1 km it is %v m off", way, d)
		}
		if d := v.Distance(way.Scale(speed)); d > 1e-9*speed {
			t.Errorf("direction %v: its velocity has changed by %v m/s", way, d)
		}
		if impacts > 1 {
			t.Errorf("direction %v: it has had %d impacts", way, impacts)
		}
	}
}

// Without friction, bodies of any shape slide as far.
func TestShapesSlideAKilometreOverAMeshAsOnAPlane(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	mesh := flatFloor(224, 5, 6, same)
	shapes := map[string]struct {
		shape  collide.Shape
		height float64 // of the origin
	}{
		"a ball":             {collide.Sphere{Radius: 0.5}, 0.5},
		"a standing capsule": {collide.Capsule{A: vec(0, -0.6, 0), B: vec(0, 0.6, 0), Radius: 0.3}, 0.9},
		"a lying capsule":    {collide.Capsule{A: vec(-0.5, 0, 0.3), B: vec(0.5, 0, -0.3), Radius: 0.3}, 0.3},
		"a box":              {collide.Box{Half: vec(0.5, 0.4, 0.3)}, 0.4},
	}
	for name, s := range shapes {
		for k := range slow.Cases(8) {
			angle := 0.2 + float64(k)
			way := vec(math.Cos(angle), 0, math.Sin(angle))
			const speed = 40.0
			w := donburi.NewWorld()
			components.CreateMesh(w, collide.Vec3{}, mesh, components.Constant)
			from := way.Scale(-500).Add(vec(0, s.height, 0))
			e := components.CreateShapeBody(w, from, s.shape)
			components.Velocity.Get(e).Linear = way.Scale(speed)
			p := onEarth()
			impacts := 0
			for range 1500 { // 25 s
				p.Step(w)
				impacts += p.Stats().Impacts
				if y := position(e).Y; math.Abs(y-s.height) > 1e-9 {
					t.Fatalf("%s, direction %v: its height is %v, want %v", name, way, y, s.height)
				}
			}
			expectNoErrors(t, p)
			if d := position(e).Sub(from).Distance(way.Scale(1000)); d > 1e-9*1000 {
				t.Errorf("%s, direction %v: after 1 km it is %v m off", name, way, d)
			}
			if d := velocity(e).Distance(way.Scale(speed)); d > 1e-9*speed {
				t.Errorf("%s, direction %v: its velocity has changed by %v m/s", name, way, d)
			}
			if impacts > 1 {
				t.Errorf("%s, direction %v: it has had %d impacts", name, way, impacts)
			}
		}
	}
}

func TestStepsOnShapesDoNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Foreign, "counts what one goroutine allocates, which no platform changes")
	slow.Skip(t, slow.Race, "the detector drops a quarter of what is put into a sync.Pool, which height fields use")
	w := donburi.NewWorld()
	s := terrains()
	components.CreateMesh(w, collide.Vec3{}, s["hills"].mesh())
	heights := make([]float64, 30*30)
	for i := range heights {
		heights[i] = float64(i*7%5) / 5
	}
	field, err := collide.NewHeightField(vec(10, 0, -8), 0.7, 0.7, 30, heights)
	if err != nil {
		t.Fatal(err)
	}
	components.CreateHeightField(w, collide.Vec3{}, field)
	components.CreateBox(w, vec(-9, 0, 0), vec(2.5, 1, 6))
	lift := components.CreateCompound(w, vec(-20, 0, 0), []components.ShapePart{
		{Shape: collide.Box{Half: vec(4, 1, 6)}},
		{Shape: collide.Cylinder{A: vec(0, 1, 0), B: vec(0, 3, 0), Radius: 1}},
	}, components.Velocity, components.Body)
	components.Body.Get(lift).Kind = components.Kinematic
	components.Velocity.Get(lift).Linear = vec(0, 0.1, 0)
	for i := range 80 {
		e := components.CreateBall(w, vec(float64(i%40)-22, 3+float64(i/40), float64(i*7%9)-4), 0.2,
			components.AngularVelocity)
		components.Material.SetValue(e, components.MaterialData{Restitution: 0.3, Friction: 0.4})
	}
	p := onEarth()
	for range 300 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	if n := testing.AllocsPerRun(60, func() { p.Step(w) }); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

// A ball that lies on a flat mesh lies on it above edges and corners, too.
func TestABallAboveAnEdgeOfAFlatMeshTouchesIt(t *testing.T) {
	for _, turn := range []collide.Quat{{}, collide.RotationBy(vec(0, 0.3, 0))} {
		w := donburi.NewWorld()
		mesh := flatFloor(4, 2, 1, func(p collide.Vec3) collide.Vec3 { return p })
		floor := components.CreateMesh(w, collide.Vec3{}, mesh)
		components.Transform.Get(floor).Rotation = turn
		var balls []*donburi.Entry
		for k := range mesh.Triangles() {
			c := mesh.Facet(k).Corners()
			for i := range c {
				for _, fraction := range []float64{0, 0.5, 0.3} {
					at := turn.Rotate(c[i].Lerp(c[(i+1)%3], fraction))
					if at.MaxAbs() > 3.5 {
						continue // the rim
					}
					e := components.CreateBall(w, at.Add(vec(0, 0.5, 0)), 0.5, components.CollisionFilter)
					components.CollisionFilter.SetValue(e, components.CollisionFilterData{Layers: 2, Mask: 1})
					balls = append(balls, e)
				}
			}
		}
		p := onEarth()
		for n := range 60 {
			p.Step(w)
			for _, e := range balls {
				if y := position(e).Y; y != 0.5 && math.Abs(y-0.5) > 1e-12 || velocity(e).Length() > 1e-9 {
					t.Fatalf("in step %d a ball moves to %v at %v", n, position(e), velocity(e))
				}
				touching := false
				for other := range p.Touching(e.Entity()) {
					touching = touching || other == floor.Entity()
				}
				if !touching {
					t.Fatalf("in step %d a ball at %v doesn't touch the floor", n, position(e))
				}
			}
		}
		if len(balls) < 50 || !p.Asleep(balls[0].Entity()) {
			t.Errorf("%d balls, asleep: %v", len(balls), p.Asleep(balls[0].Entity()))
		}
	}
}

// A level is built once, and stands in the world twice.
func Example_mesh() {
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: 5}, {X: 5, Z: -5}}
	mesh, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 0, 2, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	w := donburi.NewWorld()
	components.CreateMesh(w, collide.Vec3{}, mesh)
	upper := components.CreateMesh(w, collide.Vec3{X: 20, Y: 3}, mesh)
	ball := components.CreateBall(w, collide.Vec3{X: 20, Y: 5}, 0.5)

	p := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -9.81}})
	for range 120 {
		p.Step(w)
	}
	for other := range p.Touching(ball.Entity()) {
		fmt.Println("lies on the upper mesh:", other == upper.Entity())
	}
	fmt.Printf("height: %.1f m\n", components.Transform.Get(ball).Position.Y)
	// Output:
	// lies on the upper mesh: true
	// height: 3.5 m
}

// A table is one entity of five boxes.
func Example_compound() {
	leg := collide.Box{Half: collide.Vec3{X: 0.05, Y: 0.4, Z: 0.05}}
	parts := []components.ShapePart{
		{Shape: collide.Box{Half: collide.Vec3{X: 0.8, Y: 0.05, Z: 0.5}}, Position: collide.Vec3{Y: 0.85}},
	}
	for _, x := range []float64{-0.7, 0.7} {
		for _, z := range []float64{-0.4, 0.4} {
			parts = append(parts, components.ShapePart{Shape: leg, Position: collide.Vec3{X: x, Y: 0.4, Z: z}})
		}
	}
	w := donburi.NewWorld()
	table := components.CreateCompound(w, collide.Vec3{}, parts)
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)

	hit, _ := p.RayCast(collide.Vec3{Y: 3}, collide.Vec3{Y: -1}, 10, systems.Filter{})
	fmt.Printf("%v, %.1f m up\n", hit.Entity == table.Entity(), hit.Point.Y)
	// Output: true, 0.9 m up
}
