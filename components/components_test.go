package components_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
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
		{"the zero Friction", &components.FrictionData{}, nil},
		{"the largest Friction", &components.FrictionData{Dynamic: 1e6, Static: 1e6, Rolling: 1e6, Spinning: 1e6, Combine: components.CombineMax}, nil},
		{"friction at rest below that in motion", &components.FrictionData{Dynamic: 0.5, Static: 0.4}, []string{"Friction.Static"}},
		{"a negative Friction", &components.FrictionData{Dynamic: -0.1, Rolling: -1, Spinning: -1}, []string{"Friction.Dynamic", "Friction.Rolling", "Friction.Spinning"}},
		{"friction that is not a number, at rest fine", &components.FrictionData{Dynamic: nan, Static: 1}, []string{"Friction.Dynamic"}},
		{"a Friction wrong in all", &components.FrictionData{Dynamic: inf, Static: nan, Rolling: nan, Spinning: inf, Combine: 6}, []string{"Friction.Dynamic", "Friction.Static", "Friction.Rolling", "Friction.Spinning", "Friction.Combine"}},
		{"a friction of minus nothing", &components.FrictionData{Dynamic: math.Copysign(0, -1), Static: math.Copysign(0, -1)}, nil},
		{"the zero AngularVelocity", &components.AngularVelocityData{}, nil},
		{"an AngularVelocity at all the limits", &components.AngularVelocityData{Angular: collide.Vec3{X: 1e12, Y: -1e12}, Inertia: 1e60, Damping: 1e300}, nil},
		{"the smallest inertia", &components.AngularVelocityData{Inertia: 1e-60}, nil},
		{"an AngularVelocity wrong in all", &components.AngularVelocityData{Angular: collide.Vec3{Z: nan}, Inertia: -1, Damping: -1}, []string{"AngularVelocity.Angular", "AngularVelocity.Inertia", "AngularVelocity.Damping"}},
		{"an infinite AngularVelocity", &components.AngularVelocityData{Angular: collide.Vec3{X: 1.1e12}, Inertia: inf, Damping: inf}, []string{"AngularVelocity.Angular", "AngularVelocity.Inertia", "AngularVelocity.Damping"}},
		{"an inertia that is not a number", &components.AngularVelocityData{Inertia: nan}, []string{"AngularVelocity.Inertia"}},
		{"the fastest SurfaceVelocity", &components.SurfaceVelocityData{Linear: collide.Vec3{X: 1e9}}, nil},
		{"no SurfaceVelocity", &components.SurfaceVelocityData{Linear: collide.Vec3{X: nan}}, []string{"SurfaceVelocity.Linear"}},
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
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	transform, velocity, body, response := components.TransformData{}, components.VelocityData{}, components.BodyData{Mass: 3}, components.Bounce(0.5)
	ball, plane, force := components.SphereColliderData{Radius: 1}, components.PlaneColliderData{Normal: collide.Vec3{Y: 2}}, components.ForceData{}
	friction, spin, belt := components.Rough(0.5), components.AngularVelocityData{Angular: collide.Vec3{X: 3}}, components.SurfaceVelocityData{}
	got := testing.AllocsPerRun(10, func() {
		for _, v := range []validator{&transform, &velocity, &body, &response, &ball, &plane, &force, &friction, &spin, &belt} {
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
	e := w.Entry(w.Create(components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Response, components.CollisionFilter, components.Force, components.Sensor, components.Friction, components.AngularVelocity))
	f := w.Entry(w.Create(components.Transform, components.PlaneCollider, components.SurfaceVelocity))
	for _, v := range []validator{
		components.Transform.Get(e), components.Velocity.Get(e), components.SphereCollider.Get(e), components.Body.Get(e),
		components.Response.Get(e), components.Force.Get(e), components.PlaneCollider.Get(f),
		components.Friction.Get(e), components.AngularVelocity.Get(e), components.SurfaceVelocity.Get(f),
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

func TestEachRuleCombinesRestitutionAndFrictionAlike(t *testing.T) {
	const a, b = 0.9, 0.4
	cases := []struct {
		name string
		rule components.CombineRule
		want float64
	}{
		{"default", components.CombineDefault, a},
		{"average", components.CombineAverage, 0.65},
		{"geometric", components.CombineGeometric, 0.6},
		{"min", components.CombineMin, b},
		{"multiply", components.CombineMultiply, 0.36},
		{"max", components.CombineMax, a},
	}
	for i, one := range cases {
		for k, other := range cases {
			want := cases[max(i, k)].want
			got := components.CombineRestitution(components.ResponseData{Restitution: a, Combine: one.rule}, components.ResponseData{Restitution: b, Combine: other.rule})
			if math.Abs(got-want) > 1e-15 {
				t.Errorf("restitution, %s with %s: got %v, want %v", one.name, other.name, got, want)
			}
			f := components.CombineFriction(
				components.FrictionData{Dynamic: a, Rolling: b, Spinning: a, Combine: one.rule},
				components.FrictionData{Dynamic: b, Rolling: a, Spinning: b, Combine: other.rule})
			if math.Abs(f.Dynamic-want) > 1e-15 || f.Static != f.Dynamic || f.Rolling != f.Dynamic || f.Spinning != f.Dynamic {
				t.Errorf("friction, %s with %s: got %v, want %v in all", one.name, other.name, f, want)
			}
		}
	}
}

func TestCombinedFrictionIsSymmetricAndStaticIsNeverBelowDynamic(t *testing.T) {
	values := []float64{0, 5e-324, 0.1, 0.3, 1, 1e6}
	for rule := components.CombineDefault; rule <= components.CombineMax; rule++ {
		for _, da := range values {
			for _, db := range values {
				for _, sa := range values {
					for _, sb := range values {
						a, b := components.FrictionData{Dynamic: da, Static: max(da, sa), Combine: rule}, components.FrictionData{Dynamic: db, Static: max(db, sb)}
						ab, ba := components.CombineFriction(a, b), components.CombineFriction(b, a)
						if ab != ba || ab.Static < ab.Dynamic || !(ab.Dynamic >= 0) || math.IsInf(ab.Static, 0) {
							t.Fatalf("%v with %v: got %v and %v", a, b, ab, ba)
						}
					}
				}
			}
		}
	}
	ice := components.FrictionData{Combine: components.CombineMin}
	if got := components.CombineFriction(ice, components.Rough(0.8)); got.Dynamic != 0 || got.Static != 0 {
		t.Errorf("ice: got %v, want nothing", got)
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

func ExampleCombineFriction() {
	rubber := components.FrictionData{Dynamic: 0.9, Static: 1.1}
	ice := components.FrictionData{Dynamic: 0.1, Combine: components.CombineMin} // slippery, whatever is on it
	fmt.Println(components.CombineFriction(rubber, components.FrictionData{}).Static, components.CombineFriction(rubber, ice).Static)
	// Output: 1.1 0.1
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
