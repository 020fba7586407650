package components_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

func ExampleCreatePlane() {
	world := donburi.NewWorld()
	floor := components.CreatePlane(world, collide.Vec3{}, collide.Vec3{Y: 1}, components.Material)
	components.Material.Get(floor).Friction = 0.5
	fmt.Println(components.PlaneCollider.Get(floor).Normal)
	// Output: {0 1 0}
}

func ExampleCreatePolygon() {
	world := donburi.NewWorld()
	table := components.CreatePolygon(world, []collide.Vec3{{}, {Z: 1}, {X: 2, Z: 1}, {X: 2}}) // 2 m by 1 m
	components.Transform.Get(table).Position.Y = 0.8
	shape, err := components.PolygonCollider.Get(table).Shape(*components.Transform.Get(table))
	fmt.Println(shape.Plane().Normal, shape.Corner(0), err)
	// Output: {0 1 0} {0 0.8 0} <nil>
}

func ExampleCreateCapsule() {
	world := donburi.NewWorld()
	pillar := components.CreateCapsule(world, collide.Vec3{X: 4}, collide.Vec3{X: 4, Y: 3}, 0.5)
	shape := components.CapsuleCollider.Get(pillar).Shape(*components.Transform.Get(pillar))
	fmt.Println(shape.A, shape.B, shape.Radius)
	// Output: {4 0 0} {4 3 0} 0.5
}

func ExampleCreateWall2D() {
	world := donburi.NewWorld()
	ground := components.CreateWall2D(world, collide.Vec2(0, 400), collide.Vec2(640, 400))
	from, to := collide.Vec2(100, 300), collide.Vec2(200, 300)
	bumper := components.CreateThickWall2D(world, from, to, 16, components.Material)
	components.Material.Get(bumper).Restitution = 1
	fmt.Println(len(components.PolygonCollider.Get(ground).Points), components.CapsuleCollider.Get(bumper).Radius)
	// Output: 4 8
}

func ExampleCreateSensor() {
	world := donburi.NewWorld()
	coin := donburi.NewTag().SetName("Coin")
	e := components.CreateSensor(world, collide.Vec2(320, 200), 10, coin)
	fmt.Println(e.HasComponent(components.Sensor), e.HasComponent(coin), e.HasComponent(components.Velocity))
	// Output: true true false
}

func ExampleCreateCharacter2D() {
	const pixels = 50 // in a metre
	world := donburi.NewWorld()
	hero := components.CreateCharacter2D(world, collide.Vec2(100, 380), 12, 40)
	c := components.CharacterController.Get(hero)
	*c = components.NewCharacterController().Scaled(pixels) // the defaults are in metres
	c.DesiredVelocity = collide.Vec2(200, 0)                // in every tick, from the input
	fmt.Println(c.JumpHeight, c.OnGround(), c.State.Ground) // the state is known after the next step
	// Output: 50 false InAir
}

func ExampleNewCharacterController() {
	c := components.NewCharacterController()
	c.StepHeight = 0.3
	fmt.Printf("%.0f degrees, error: %v\n", c.MaxSlopeAngle*180/math.Pi, c.Validate())
	// Output: 45 degrees, error: <nil>
}

func ExampleCreateCharacter() {
	world := donburi.NewWorld()
	person := components.CreateCharacter(world, collide.Vec3{Y: 0.9}, 0.3, 1.8) // it stands on Y = 0
	fmt.Println(components.Transform.Get(person).Position)
	// Output: {0 0.9 0}
}

func ExampleCombineRule() {
	a, b := components.CombineMultiply, components.CombineAverage
	fmt.Println(a.With(b) == components.CombineMultiply, a.Apply(0.5, 0.4), b.Apply(0.5, 0.4))
	// Output: true 0.2 0.45
}

func ExampleCollisionFilterData_Effective() {
	layers, mask := components.CollisionFilterData{}.Effective()
	fmt.Printf("%#x %#x\n", layers, mask) // in the default layer, and collides with everything
	// Output: 0x1 0xffffffff
}

// Physics validates what it reads. A level editor may do the same before it saves.
func ExampleFieldError() {
	for _, err := range []error{
		(&components.TransformData{Position: collide.Vec3{X: 1e10}}).Validate(),
		(&components.VelocityData{Linear: collide.Vec3{X: math.NaN()}}).Validate(),
		(&components.AngularVelocityData{Damping: -1}).Validate(),
		(&components.ForceData{Force: collide.Vec3{X: math.Inf(1)}}).Validate(),
		(&components.SphereColliderData{}).Validate(),
		(&components.PlaneColliderData{}).Validate(),
		(&components.PolygonColliderData{}).Validate(),
		(&components.CapsuleColliderData{Radius: -1}).Validate(),
		(&components.BodyData{Mass: -2}).Validate(),
		(&components.MaterialData{Restitution: 1.5}).Validate(),
		(&components.SurfaceVelocityData{Linear: collide.Vec3{X: 1e10}}).Validate(),
		(&components.KinematicGroupData{}).Validate(),
	} {
		if e := new(components.FieldError); errors.As(err, &e) {
			fmt.Println(e.Component, e.Field)
		}
	}
	// Output:
	// Transform Position
	// Velocity Linear
	// AngularVelocity Damping
	// Force Force
	// SphereCollider Radius
	// PlaneCollider Normal
	// PolygonCollider Points
	// CapsuleCollider Radius
	// Body Mass
	// Material Restitution
	// SurfaceVelocity Linear
	// KinematicGroup Leader
}

func ExampleCreateBox() {
	world := donburi.NewWorld()
	step := components.CreateBox(world, collide.Vec3{Y: 0.1}, collide.Vec3{X: 1, Y: 0.1, Z: 0.5}) // half sides
	components.Transform.Get(step).Rotation = collide.RotationBy(collide.Vec3{Y: 0.3})
	drum := components.CreateCylinder(world, collide.Vec3{X: 4}, collide.Vec3{X: 4, Y: 1}, 0.4)
	fmt.Println(components.ShapeCollider.Get(step).Validate(), components.Transform.Get(drum).Position)
	// Output: <nil> {4 0.5 0}
}

func ExampleCreateBox2D() {
	world := donburi.NewWorld()
	crate := components.CreateBox2D(world, collide.Vec2(300, 380), 20, 20, 0) // 40 by 40, not turned
	hill := []collide.Vec3{collide.Vec2(0, 400), collide.Vec2(200, 350), collide.Vec2(400, 400)}
	ground, err := components.CreateChain2D(world, hill, false)
	fmt.Println(components.Transform.Get(crate).Position, ground != nil, err)
	rock, err := components.CreatePolygon2D(
		world, []collide.Vec3{collide.Vec2(500, 400), collide.Vec2(540, 350), collide.Vec2(600, 400)})
	fmt.Println(rock != nil, err)
	// Output:
	// {300 380 0} true <nil>
	// true <nil>
}

// A shape that takes long to build is built once, and shared.
func ExampleCreateShape() {
	world := donburi.NewWorld()
	wedge, err := collide.NewHull([]collide.Vec3{{}, {X: 2}, {X: 2, Y: 1}, {Z: 1}, {X: 2, Z: 1}, {X: 2, Y: 1, Z: 1}})
	if err != nil {
		panic(err)
	}
	for k := range 3 {
		components.CreateHull(world, collide.Vec3{X: 5 * float64(k)}, wedge)
	}
	vertices := []collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: -5}, {X: 5, Z: 5}}
	level, err := collide.NewMesh(vertices, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	components.CreateMesh(world, collide.Vec3{}, level)
	hills, err := collide.NewHeightField(collide.Vec3{}, 2, 2, 3, make([]float64, 9))
	if err != nil {
		panic(err)
	}
	components.CreateHeightField(world, collide.Vec3{Y: -3}, hills)
	ball := components.CreateShape(world, collide.Vec3{Y: 9}, collide.Sphere{Radius: 1}) // anything of package collide
	fmt.Println(world.Len(), components.ShapeCollider.Get(ball).Shape)
	// Output: 6 {{0 0 0} 1}
}

func ExampleCreateCompound() {
	world := donburi.NewWorld()
	table := components.CreateCompound(world, collide.Vec3{}, []components.ShapePart{
		{Shape: collide.Box{Half: collide.Vec3{X: 1, Y: 0.05, Z: 0.5}}, Position: collide.Vec3{Y: 0.75}},
		{Shape: collide.Box{Half: collide.Vec3{X: 0.05, Y: 0.35, Z: 0.05}}, Position: collide.Vec3{Y: 0.35}},
	})
	fmt.Println(len(components.ShapeCollider.Get(table).Parts))
	// Output: 2
}

func ExampleCreateCrate() {
	world := donburi.NewWorld()
	crate := components.CreateCrate(world, collide.Vec3{Y: 1}, collide.Vec3{X: 0.5, Y: 0.5, Z: 0.5})
	components.Body.Get(crate).Mass = 20
	components.Material.Get(crate).Friction = 0.6
	fmt.Println(components.ShapeCollider.Get(crate).Validate())
	// Output: <nil>
}

func ExampleCreateCrate2D() {
	world := donburi.NewWorld()
	player := components.CreateCrate2D(world, collide.Vec2(100, 50), 8, 12, components.Sliding)
	fmt.Println(components.Body.Get(player).Locked == components.AxisZ)
	// Output: true
}

func ExampleCreateShapeBody() {
	world := donburi.NewWorld()
	barrel := collide.Cylinder{A: collide.Vec3{Y: -0.5}, B: collide.Vec3{Y: 0.5}, Radius: 0.4}
	pill := collide.Capsule{A: collide.Vec3{X: -0.3}, B: collide.Vec3{X: 0.3}, Radius: 0.2}
	components.CreateShapeBody(world, collide.Vec3{Y: 3}, barrel)
	e := components.CreateShapeBody(world, collide.Vec3{Y: 5}, pill)
	components.Velocity.Get(e).Linear = collide.Vec3{X: 2}
	fmt.Println(world.Len())
	// Output: 2
}
