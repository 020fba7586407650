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
		{
			"a Transform at the edge of the world",
			&components.TransformData{Position: collide.Vec3{X: 1e9, Y: -1e9}}, nil,
		},
		{"the zero Transform", &components.TransformData{}, nil},
		{
			"a Transform just beyond",
			&components.TransformData{Position: collide.Vec3{X: math.Nextafter(1e9, 2e9)}},
			[]string{"Transform.Position"},
		},
		{
			"a Transform that is nowhere and turned by nothing",
			&components.TransformData{Position: collide.Vec3{Z: nan}, Rotation: collide.Quat{W: nan}},
			[]string{"Transform.Position", "Transform.Rotation"},
		},
		{"a rotation after many products", &components.TransformData{Rotation: collide.Quat{W: 1 + 4e-7}}, nil},
		{
			"a rotation that was not meant as one", &components.TransformData{Rotation: collide.Quat{W: 1 + 1e-5}},
			[]string{"Transform.Rotation"},
		},
		{
			"a tiny rotation", &components.TransformData{Rotation: collide.Quat{X: 1e-300}},
			[]string{"Transform.Rotation"},
		},
		{
			"an infinite rotation", &components.TransformData{Rotation: collide.Quat{X: inf}},
			[]string{"Transform.Rotation"},
		},
		{"the fastest Velocity", &components.VelocityData{Linear: collide.Vec3{Y: -1e9}}, nil},
		{"an infinite Velocity", &components.VelocityData{Linear: collide.Vec3{Y: -inf}}, []string{"Velocity.Linear"}},
		{"a large Force", &components.ForceData{Force: collide.Vec3{X: 1e30}}, nil},
		{"no Force", &components.ForceData{Force: collide.Vec3{X: nan}}, []string{"Force.Force"}},
		{"the smallest sphere", &components.SphereColliderData{Radius: 5e-324}, nil},
		{"the zero sphere", &components.SphereColliderData{}, []string{"SphereCollider.Radius"}},
		{"an infinite sphere", &components.SphereColliderData{Radius: inf}, []string{"SphereCollider.Radius"}},
		{"a plane with a short normal", &components.PlaneColliderData{Normal: collide.Vec3{X: 1e-200}}, nil},
		{"the zero plane", &components.PlaneColliderData{}, []string{"PlaneCollider.Normal"}},
		{
			"a plane wrong in all", &components.PlaneColliderData{Normal: collide.Vec3{X: inf}, Distance: nan},
			[]string{"PlaneCollider.Normal", "PlaneCollider.Distance"},
		},
		{"a triangle", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {Y: 1}}}, nil},
		{"the zero polygon", &components.PolygonColliderData{}, []string{"PolygonCollider.Points"}},
		{
			"a polygon in one line", &components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 2}}},
			[]string{"PolygonCollider.Points"},
		},
		{
			"a polygon that is not flat",
			&components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 1, Y: 1, Z: 0.5}, {Y: 1}}},
			[]string{"PolygonCollider.Points"},
		},
		{
			"a polygon with a corner twice",
			&components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {X: 1}, {Y: 1}}},
			[]string{"PolygonCollider.Points"},
		},
		{
			"a polygon with a bad corner",
			&components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 1}, {Y: inf}}},
			[]string{"PolygonCollider.Points[2]"},
		},
		{"a capsule that is a ball", &components.CapsuleColliderData{Radius: 1e9}, nil},
		{"the zero capsule", &components.CapsuleColliderData{}, []string{"CapsuleCollider.Radius"}},
		{
			"a capsule wrong in all",
			&components.CapsuleColliderData{A: collide.Vec3{X: nan}, B: collide.Vec3{Y: 2e9}, Radius: inf},
			[]string{"CapsuleCollider.A", "CapsuleCollider.B", "CapsuleCollider.Radius"},
		},
		{"the zero Body", &components.BodyData{}, nil},
		{
			"a Body of all the kinds of limit",
			&components.BodyData{Kind: components.Static, Mass: 1e30, GravityScale: -5, Locked: 7, LinearDamping: 1e6},
			nil,
		},
		{"a mass too small for its inverse", &components.BodyData{Mass: 1e-320}, []string{"Body.Mass"}},
		{
			"a Body wrong in all",
			&components.BodyData{Kind: 3, Mass: -1, GravityScale: inf, LinearDamping: nan, Locked: 255},
			[]string{"Body.Kind", "Body.Mass", "Body.GravityScale", "Body.LinearDamping", "Body.Locked"},
		},
		{"a member of a group", &components.KinematicGroupData{Leader: 1}, nil},
		{"a member of no group", &components.KinematicGroupData{}, []string{"KinematicGroup.Leader"}},
		{"the zero Material", &components.MaterialData{}, nil},
		{"the largest Material", &components.MaterialData{
			Restitution: 1, Friction: 1e6, StaticFriction: 1e6, RollingResistance: 1e6, SpinningResistance: 1e6,
			RestitutionCombine: components.CombineMax, FrictionCombine: components.CombineMax,
		}, nil},
		{
			"friction at rest below that in motion", &components.MaterialData{Friction: 0.5, StaticFriction: 0.4},
			[]string{"Material.StaticFriction"},
		},
		{
			"a negative Material",
			&components.MaterialData{Restitution: -1, Friction: -0.1, RollingResistance: -1, SpinningResistance: -1},
			[]string{
				"Material.Restitution", "Material.Friction", "Material.RollingResistance",
				"Material.SpinningResistance",
			},
		},
		{
			"friction that is not a number, at rest fine",
			&components.MaterialData{Friction: nan, StaticFriction: 1},
			[]string{"Material.Friction"},
		},
		{"a Material wrong in all", &components.MaterialData{
			Restitution: nan, Friction: inf, StaticFriction: nan, RollingResistance: nan, SpinningResistance: inf,
			RestitutionCombine: 6, FrictionCombine: 7,
		}, []string{
			"Material.Restitution", "Material.Friction", "Material.StaticFriction", "Material.RollingResistance",
			"Material.SpinningResistance",
			"Material.RestitutionCombine", "Material.FrictionCombine",
		}},
		{
			"a friction of minus nothing",
			&components.MaterialData{Friction: math.Copysign(0, -1), StaticFriction: math.Copysign(0, -1)}, nil,
		},
		{"the zero AngularVelocity", &components.AngularVelocityData{}, nil},
		{
			"an AngularVelocity at all the limits",
			&components.AngularVelocityData{Angular: collide.Vec3{X: 1e12, Y: -1e12}, Inertia: 1e60, Damping: 1e300},
			nil,
		},
		{"the smallest inertia", &components.AngularVelocityData{Inertia: 1e-60}, nil},
		{
			"an AngularVelocity wrong in all",
			&components.AngularVelocityData{Angular: collide.Vec3{Z: nan}, Inertia: -1, Damping: -1},
			[]string{"AngularVelocity.Angular", "AngularVelocity.Inertia", "AngularVelocity.Damping"},
		},
		{
			"an infinite AngularVelocity",
			&components.AngularVelocityData{Angular: collide.Vec3{X: 1.1e12}, Inertia: inf, Damping: inf},
			[]string{"AngularVelocity.Angular", "AngularVelocity.Inertia", "AngularVelocity.Damping"},
		},
		{
			"an inertia that is not a number", &components.AngularVelocityData{Inertia: nan},
			[]string{"AngularVelocity.Inertia"},
		},
		{"the fastest SurfaceVelocity", &components.SurfaceVelocityData{Linear: collide.Vec3{X: 1e9}}, nil},
		{
			"no SurfaceVelocity", &components.SurfaceVelocityData{Linear: collide.Vec3{X: nan}},
			[]string{"SurfaceVelocity.Linear"},
		},
		{
			"restitution just above 1", &components.MaterialData{Restitution: math.Nextafter(1, 2)},
			[]string{"Material.Restitution"},
		},
		{"restitution just below 0", &components.MaterialData{Restitution: -5e-324}, []string{"Material.Restitution"}},
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
	transform, velocity, body := components.TransformData{}, components.VelocityData{}, components.BodyData{Mass: 3}
	ball := components.SphereColliderData{Radius: 1}
	plane := components.PlaneColliderData{Normal: collide.Vec3{Y: 2}}
	force := components.ForceData{}
	material := components.MaterialData{Restitution: 0.5, Friction: 0.5}
	spin := components.AngularVelocityData{Angular: collide.Vec3{X: 3}}
	belt := components.SurfaceVelocityData{}
	got := testing.AllocsPerRun(10, func() {
		for _, v := range []validator{&transform, &velocity, &body, &material, &ball, &plane, &force, &spin, &belt} {
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
	e := w.Entry(w.Create(
		components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Material,
		components.CollisionFilter, components.Force, components.Sensor, components.Sliding,
		components.AngularVelocity,
	))
	f := w.Entry(w.Create(components.Transform, components.PlaneCollider, components.SurfaceVelocity))
	for _, v := range []validator{
		components.Transform.Get(e), components.Velocity.Get(e), components.SphereCollider.Get(e),
		components.Body.Get(e),
		components.Material.Get(e), components.Force.Get(e), components.PlaneCollider.Get(f),
		components.AngularVelocity.Get(e), components.SurfaceVelocity.Get(f),
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
	if got := *components.CollisionFilter.Get(e); got != (components.CollisionFilterData{}) {
		t.Errorf("filter: got %v, want the default", got)
	}
	other := w.Entry(w.Create(components.Transform, components.SphereCollider))
	components.SphereCollider.Get(e).Radius = 7
	if got := components.SphereCollider.Get(other).Radius; got != 0.5 {
		t.Errorf("another's radius: got %v, want its own 0.5", got)
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
			m := components.CombineMaterials(
				components.MaterialData{Restitution: a, RestitutionCombine: one.rule},
				components.MaterialData{Restitution: b, RestitutionCombine: other.rule})
			if math.Abs(m.Restitution-want) > 1e-15 || m.Friction != 0 {
				t.Errorf("restitution, %s with %s: got %v, want %v", one.name, other.name, m, want)
			}
			m = components.CombineMaterials(
				components.MaterialData{
					Friction: a, RollingResistance: b, SpinningResistance: a, FrictionCombine: one.rule,
				},
				components.MaterialData{
					Friction: b, RollingResistance: a, SpinningResistance: b, FrictionCombine: other.rule,
				})
			if math.Abs(m.Friction-want) > 1e-15 || m.StaticFriction != m.Friction ||
				m.RollingResistance != m.Friction || m.SpinningResistance != m.Friction || m.Restitution != 0 {
				t.Errorf("friction, %s with %s: got %v, want %v in all", one.name, other.name, m, want)
			}
		}
	}
}

func TestCombineMaterialsIsSymmetricAndBounded(t *testing.T) {
	values := []float64{0, 5e-324, 0.1, 0.3, 1, 1e6}
	for rule := components.CombineDefault; rule <= components.CombineMax; rule++ {
		for _, da := range values {
			for _, db := range values {
				for _, sa := range values {
					for _, sb := range values {
						a := components.MaterialData{
							Restitution: min(da, 1), Friction: da, StaticFriction: max(da, sa),
							RestitutionCombine: rule, FrictionCombine: rule,
						}
						b := components.MaterialData{Restitution: min(db, 1), Friction: db, StaticFriction: max(db, sb)}
						ab, ba := components.CombineMaterials(a, b), components.CombineMaterials(b, a)
						if ab != ba || ab.StaticFriction < ab.Friction || !(ab.Friction >= 0) ||
							math.IsInf(ab.StaticFriction, 0) || !(ab.Restitution >= 0 && ab.Restitution <= 1) {
							t.Fatalf("%v with %v: got %v and %v", a, b, ab, ba)
						}
					}
				}
			}
		}
	}
	ice := components.MaterialData{FrictionCombine: components.CombineMin}
	if got := components.CombineMaterials(ice, components.MaterialData{Friction: 0.8}); got.Friction != 0 ||
		got.StaticFriction != 0 {
		t.Errorf("ice: got %v, want nothing", got)
	}
}

func TestTheZeroFilterIsInLayerOneAndCollidesWithEverything(t *testing.T) {
	for _, c := range []struct {
		filter       components.CollisionFilterData
		layers, mask uint32
	}{
		{components.CollisionFilterData{}, components.DefaultLayer, math.MaxUint32},
		{components.CollisionFilterData{Layers: 6}, 6, math.MaxUint32},
		{components.CollisionFilterData{Mask: 6}, components.DefaultLayer, 6},
		{components.CollisionFilterData{Disabled: true}, components.DefaultLayer, 0},
		{components.CollisionFilterData{Layers: 6, Mask: 6, Disabled: true}, 6, 0},
	} {
		if layers, mask := c.filter.Effective(); layers != c.layers || mask != c.mask {
			t.Errorf("%+v: got %#x and %#x, want %#x and %#x", c.filter, layers, mask, c.layers, c.mask)
		}
		if got, want := c.filter.Collides(components.CollisionFilterData{}), c.mask&1 != 0; got != want {
			t.Errorf("%+v with the zero value: got %v, want %v", c.filter, got, want)
		}
	}
}

func TestNothingIsCreatedInANilWorld(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "components: ") {
			t.Errorf("got %q, want a panic that names the package", got)
		}
	}()
	components.CreateBall(nil, collide.Vec3{}, 1)
}

func TestShapePutsThePolygonWhereItsTransformIs(t *testing.T) {
	d := components.PolygonColliderData{Points: []collide.Vec3{{}, {X: 2}, {Y: 2}}}
	shape, err := d.Shape(components.TransformData{
		Position: collide.Vec3{Z: 5}, Rotation: collide.RotationAround(collide.Vec3{Z: 1}, math.Pi/2),
	})
	if err != nil {
		t.Fatal(err)
	}
	b := shape.Bounds()
	want := collide.AABB{Min: collide.Vec3{X: -2, Z: 5}, Max: collide.Vec3{Y: 2, Z: 5}}
	if b.Min.Distance(want.Min) > 1e-12 || b.Max.Distance(want.Max) > 1e-12 {
		t.Errorf("bounds: got %v, want %v", b, want)
	}
}

func ExampleCombineMaterials() {
	rubber := components.MaterialData{Restitution: 0.8, Friction: 0.9, StaticFriction: 1.1}
	// deadens whatever hits it
	felt := components.MaterialData{Restitution: 0.2, RestitutionCombine: components.CombineMin}
	// slippery, whatever is on it
	ice := components.MaterialData{Friction: 0.1, FrictionCombine: components.CombineMin}
	fmt.Println(
		components.CombineMaterials(rubber, rubber).Restitution,
		components.CombineMaterials(rubber, felt).Restitution,
	)
	fmt.Println(
		components.CombineMaterials(rubber, felt).StaticFriction,
		components.CombineMaterials(rubber, ice).StaticFriction,
	)
	// Output:
	// 0.8 0.2
	// 1.1 0.1
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
