package components_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

type validator interface{ Validate() error }

func TestValidateNamesEveryFieldThatIsWrong(t *testing.T) {
	cases := []struct {
		name string
		data validator
		want []string // Component.Field of each mistake, in order
	}{
		{"a Transform at the edge of the world", &components.TransformData{Position: collide.Vec3{X: 1e9, Y: -1e9}}, nil},
		{"the zero Transform", &components.TransformData{}, nil},
		{"a Transform just beyond", &components.TransformData{Position: collide.Vec3{X: math.Nextafter(1e9, 2e9)}}, []string{"Transform.Position"}},
		{"a Transform that is nowhere and turned by nothing", &components.TransformData{Position: collide.Vec3{Z: nan}, Rotation: collide.Quat{W: nan}}, []string{"Transform.Position", "Transform.Rotation"}},
		{"a rotation after many products", &components.TransformData{Rotation: collide.Quat{W: 1 + 4e-7}}, nil},
		{"a rotation that was not meant as one", &components.TransformData{Rotation: collide.Quat{W: 1 + 1e-5}}, []string{"Transform.Rotation"}},
		{"a tiny rotation", &components.TransformData{Rotation: collide.Quat{X: 1e-300}}, []string{"Transform.Rotation"}},
		{"an infinite rotation", &components.TransformData{Rotation: collide.Quat{X: inf}}, []string{"Transform.Rotation"}},
		{"the fastest Velocity", &components.VelocityData{Linear: collide.Vec3{Y: -1e9}}, nil},
		{"an infinite Velocity", &components.VelocityData{Linear: collide.Vec3{Y: -inf}}, []string{"Velocity.Linear"}},
		{"a large Force", &components.ForceData{Force: collide.Vec3{X: 1e30}}, nil},
		{"no Force", &components.ForceData{Force: collide.Vec3{X: nan}}, []string{"Force.Force"}},
		{"the smallest sphere", &components.SphereColliderData{Radius: 5e-324}, nil},
		{"the zero sphere", &components.SphereColliderData{}, []string{"SphereCollider.Radius"}},
		{"an infinite sphere", &components.SphereColliderData{Radius: inf}, []string{"SphereCollider.Radius"}},
		{"a plane with a short normal", &components.PlaneColliderData{Normal: collide.Vec3{X: 1e-200}}, nil},
		{"the zero plane", &components.PlaneColliderData{}, []string{"PlaneCollider.Normal"}},
		{"a plane wrong in all", &components.PlaneColliderData{Normal: collide.Vec3{X: inf}, Distance: nan}, []string{"PlaneCollider.Normal", "PlaneCollider.Distance"}},
		{"a triangle", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {Y: 1}}}, nil},
		{"the zero polygon", &components.PolygonColliderData{}, []string{"PolygonCollider.Points"}},
		{"a polygon in one line", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 2}}}, []string{"PolygonCollider.Points"}},
		{"a polygon that is not flat", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 1, Y: 1, Z: 0.5}, {Y: 1}}}, []string{"PolygonCollider.Points"}},
		{"a polygon with a corner twice", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 1}, {Y: 1}}}, []string{"PolygonCollider.Points"}},
		{"a polygon with a bad corner", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {Y: inf}}}, []string{"PolygonCollider.Points[2]"}},
		{"the zero Body", &components.BodyData{}, nil},
		{"a Body of all the kinds of limit", &components.BodyData{Kind: components.Static, Mass: 1e30, GravityScale: -5, Locked: 7, LinearDamping: 1e6}, nil},
		{"a mass too small for its inverse", &components.BodyData{Mass: 1e-320}, []string{"Body.Mass"}},
		{"a Body wrong in all", &components.BodyData{Kind: 3, Mass: -1, GravityScale: inf, LinearDamping: nan, Locked: 255}, []string{"Body.Kind", "Body.Mass", "Body.GravityScale", "Body.LinearDamping", "Body.Locked"}},
		{"the zero Response", &components.ResponseData{}, nil},
		{"the ends of restitution", &components.ResponseData{Restitution: 1, Mode: components.ModeSlide, Combine: components.CombineMax}, nil},
		{"a Response wrong in all", &components.ResponseData{Restitution: nan, Mode: 2, Combine: 6}, []string{"Response.Mode", "Response.Restitution", "Response.Combine"}},
		{"restitution just above 1", &components.ResponseData{Restitution: math.Nextafter(1, 2)}, []string{"Response.Restitution"}},
		{"restitution just below 0", &components.ResponseData{Restitution: -5e-324}, []string{"Response.Restitution"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.data.Validate()
			if (err == nil) != (len(c.want) == 0) {
				t.Fatalf("got %v, want mistakes in %v", err, c.want)
			}
			if err == nil {
				return
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("got %q, want a line for each of %v", err, c.want)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want+" ") {
					t.Errorf("line %d: got %q, want it about %s", i, lines[i], want)
				}
			}
			var field *components.FieldError
			if !errors.As(err, &field) || field.Component+"."+field.Field != c.want[0] {
				t.Errorf("got %T %v, want a *FieldError of %s", err, field, c.want[0])
			}
		})
	}
}

func TestValidateOfWhatIsRightAllocatesNothing(t *testing.T) {
	transform, velocity, body, response := components.TransformData{}, components.VelocityData{}, components.BodyData{Mass: 3}, components.Bounce(0.5)
	ball, plane, force := components.SphereColliderData{Radius: 1}, components.PlaneColliderData{Normal: collide.Vec3{Y: 2}}, components.ForceData{}
	got := testing.AllocsPerRun(10, func() {
		for _, v := range []validator{&transform, &velocity, &body, &response, &ball, &plane, &force} {
			if err := v.Validate(); err != nil {
				t.Error(err)
			}
		}
	})
	if got > 0 {
		t.Errorf("allocations: got %v, want 0", got)
	}
}

func TestNewComponentsHaveTheirDefaults(t *testing.T) {
	w := donburi.NewWorld()
	e := w.Entry(w.Create(components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Response, components.CollisionFilter, components.Force, components.Sensor))
	f := w.Entry(w.Create(components.Transform, components.PlaneCollider))
	for _, v := range []validator{
		components.Transform.Get(e), components.Velocity.Get(e), components.SphereCollider.Get(e), components.Body.Get(e),
		components.Response.Get(e), components.Force.Get(e), components.PlaneCollider.Get(f),
	} {
		if err := v.Validate(); err != nil {
			t.Errorf("%T as it is created: %v", v, err)
		}
	}
	if got := components.SphereCollider.Get(e).Radius; got != 0.5 {
		t.Errorf("radius: got %v, want 0.5", got)
	}
	if got := components.PlaneCollider.Get(f).Normal; got != (collide.Vec3{Y: 1}) {
		t.Errorf("normal: got %v, want up", got)
	}
	if got := *components.CollisionFilter.Get(e); got != components.DefaultFilter {
		t.Errorf("filter: got %v, want the default", got)
	}
	other := w.Entry(w.Create(components.Transform, components.SphereCollider))
	components.SphereCollider.Get(e).Radius = 7
	if got := components.SphereCollider.Get(other).Radius; got != 0.5 {
		t.Errorf("another's radius: got %v, want its own 0.5", got)
	}
}

func TestCombineRestitutionIsSymmetricAndBounded(t *testing.T) {
	for ra := components.CombineDefault; ra <= components.CombineMax; ra++ {
		for rb := components.CombineDefault; rb <= components.CombineMax; rb++ {
			for _, ea := range []float64{0, 0.3, 1} {
				for _, eb := range []float64{0, 0.8, 1} {
					a, b := components.ResponseData{Restitution: ea, Combine: ra}, components.ResponseData{Restitution: eb, Combine: rb}
					ab, ba := components.CombineRestitution(a, b), components.CombineRestitution(b, a)
					if ab != ba || ab < 0 || ab > 1 {
						t.Errorf("%v with %v: got %v and %v, want the same between 0 and 1", a, b, ab, ba)
					}
					a.Mode = components.ModeSlide
					if got := components.CombineRestitution(a, b) + components.CombineRestitution(b, a); got != 0 {
						t.Errorf("%v with %v: got %v, want 0 where one slides", a, b, got)
					}
				}
			}
		}
	}
}

func TestShapePutsThePolygonWhereItsTransformIs(t *testing.T) {
	d := components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 2}, {Y: 2}}}
	shape, err := d.Shape(components.TransformData{Position: collide.Vec3{Z: 5}, Rotation: collide.RotationAround(collide.Vec3{Z: 1}, math.Pi/2)})
	if err != nil {
		t.Fatal(err)
	}
	b := shape.Bounds()
	want := collide.AABB{Min: collide.Vec3{X: -2, Z: 5}, Max: collide.Vec3{Y: 2, Z: 5}}
	if b.Min.Distance(want.Min) > 1e-12 || b.Max.Distance(want.Max) > 1e-12 {
		t.Errorf("bounds: got %v, want %v", b, want)
	}
}

func ExampleCombineRestitution() {
	rubber := components.ResponseData{Restitution: 0.8}
	felt := components.ResponseData{Restitution: 0.2, Combine: components.CombineMin} // deadens whatever hits it
	fmt.Println(components.CombineRestitution(rubber, rubber), components.CombineRestitution(rubber, felt))
	// Output: 0.8 0.2
}

func ExampleCollisionFilterData_Collides() {
	const walls, players, ghosts = 1, 2, 4
	player := components.CollisionFilterData{Layers: players, Mask: walls | players}
	ghost := components.CollisionFilterData{Layers: ghosts, Mask: walls}
	wall := components.CollisionFilterData{Layers: walls, Mask: walls | players | ghosts}
	fmt.Println(player.Collides(ghost), ghost.Collides(wall))
	// Output: false true
}

func ExampleSphereColliderData_Validate() {
	ball := components.SphereColliderData{Radius: -1}
	fmt.Println(ball.Validate())
	// Output: SphereCollider.Radius -1 is not positive
}
