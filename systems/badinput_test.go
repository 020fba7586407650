package systems_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// invalidEntities are entities with invalid components, and the expected error messages.
var invalidEntities = []struct {
	name   string
	values []any
	want   []string // each a component, field and value that the message names
}{
	{
		"a position that is not a number",
		[]any{at(nan, 0, 0), moving(1, 0, 0), sphere(1)},
		[]string{"Transform.Position {NaN 0 0} is not finite"},
	},
	{
		"a position beyond the world",
		[]any{at(0, 2e9, 0), sphere(1)},
		[]string{"Transform.Position {0 2e+09 0}", "beyond 1e9"},
	},
	{
		"an infinite velocity",
		[]any{at(0, 0, 0), moving(0, inf, 0), sphere(1)},
		[]string{"Velocity.Linear {0 +Inf 0} is not finite"},
	},
	{"radius 0", []any{at(0, 0, 0), moving(1, 0, 0), sphere(0)}, []string{"SphereCollider.Radius 0 is not positive"}},
	{
		"radius -1",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(-1)},
		[]string{"SphereCollider.Radius -1 is not positive"},
	},
	{
		"a radius that is not a number",
		[]any{at(0, 0, 0), sphere(nan)},
		[]string{"SphereCollider.Radius NaN is not positive"},
	},
	{"an infinite radius", []any{at(0, 0, 0), sphere(inf)}, []string{"SphereCollider.Radius +Inf is not finite"}},
	{"a plane without a normal", []any{at(0, 0, 0), plane(0, 0, 0)}, []string{"PlaneCollider.Normal {0 0 0} is zero"}},
	{
		"a normal that is not a number",
		[]any{at(0, 0, 0), plane(nan, 0, 0)},
		[]string{"PlaneCollider.Normal {NaN 0 0} is not finite"},
	},
	{
		"a plane at no distance", []any{at(0, 0, 0), components.PlaneColliderData{
			Normal:   vec(0, 1, 0),
			Distance: nan,
		}}, []string{"PlaneCollider.Distance NaN is not finite"},
	},
	{
		"a mass that is not a number",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), components.BodyData{Mass: nan}},
		[]string{"Body.Mass NaN is not between 1e-30 and 1e30"},
	},
	{
		"a negative mass",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), components.BodyData{Mass: -2}},
		[]string{"Body.Mass -2 is not between 1e-30 and 1e30"},
	},
	{
		"a kind of body that doesn't exist", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.BodyData{Kind: 9},
		}, []string{"Body.Kind 9 is not a kind of body"},
	},
	{
		"an axis that doesn't exist",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), components.BodyData{Locked: 8}},
		[]string{"Body.Locked 8 names an axis"},
	},
	{
		"gravity scaled by no number", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.BodyData{GravityScale: nan},
		}, []string{"Body.GravityScale NaN is not finite"},
	},
	{
		"negative damping",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), components.BodyData{LinearDamping: -1}},
		[]string{"Body.LinearDamping -1 is negative"},
	},
	{
		"restitution 2",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), bouncy(2)},
		[]string{"Material.Restitution 2 is not between 0 and 1"},
	},
	{
		"restitution that is not a number",
		[]any{at(0, 0, 0), plane(0, 1, 0), bouncy(nan)},
		[]string{"Material.Restitution NaN is not between 0 and 1"},
	},
	{
		"a combine rule that doesn't exist",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), bouncePart{Combine: 99}},
		[]string{"Material.RestitutionCombine 99 is not a combine rule"},
	},
	{
		"a rotation that is none",
		[]any{components.TransformData{Rotation: collide.Quat{W: 2}}, plane(0, 1, 0)},
		[]string{"Transform.Rotation {0 0 0 2} is not of unit length"},
	},
	{
		"a rotation that is not a number",
		[]any{components.TransformData{Rotation: collide.Quat{X: nan}}, sphere(1)},
		[]string{"Transform.Rotation {NaN 0 0 0} is not of unit length"},
	},
	{
		"a collider without a Transform",
		[]any{sphere(1)},
		[]string{"Transform.Position", "every collider needs a components.Transform"},
	},
	{"two colliders", []any{at(0, 0, 0), sphere(1), plane(0, 1, 0)}, []string{"Collider", "keep one collider"}},
	{
		"a polygon without corners",
		[]any{at(0, 0, 0), components.PolygonColliderData{}},
		[]string{"PolygonCollider.Points", "make no polygon"},
	},
	{
		"a polygon with two corners",
		[]any{
			at(0, 0, 0),
			components.PolygonColliderData{Points: []collide.Vec3{vec(0, 0, 0), vec(1, 0, 0)}},
		},
		[]string{"PolygonCollider.Points", "make no polygon"},
	},
	{"a polygon that is not convex", []any{at(0, 0, 0), components.PolygonColliderData{Points: []collide.Vec3{
		vec(0, 0, 0), vec(2, 0, 0), vec(0.5, 0.5, 0), vec(0, 2, 0),
	}}}, []string{"PolygonCollider.Points", "convex"}},
	{"a polygon with a corner that is not a number", []any{
		at(0, 0, 0),
		components.PolygonColliderData{Points: []collide.Vec3{
			vec(0, 0, 0), vec(1, nan, 0), vec(0, 1, 0),
		}},
	}, []string{"PolygonCollider.Points[1] {1 NaN 0} is not finite"}},
	{
		"a polygon as a sensor",
		[]any{at(0, 0, 0), square(1), components.SensorData{}},
		[]string{"Sensor", "a polygon encloses nothing"},
	},
	{"a capsule without a radius", []any{at(0, 0, 0), capsule(vec(1, 0, 0), 0)}, []string{
		"CapsuleCollider.Radius 0 is not positive",
	}},
	{"a capsule with an end beyond the world", []any{at(0, 0, 0), components.CapsuleColliderData{
		B: vec(0, 2e9, 0), Radius: 1,
	}}, []string{"CapsuleCollider.B {0 2e+09 0} is not finite, or is beyond 1e9"}},
	{"a capsule with an end that is not a number", []any{at(0, 0, 0), moving(1, 0, 0), components.CapsuleColliderData{
		A: vec(nan, 0, 0), Radius: 1,
	}}, []string{"CapsuleCollider.A {NaN 0 0} is not finite"}},
	{"a capsule with no rotation", []any{
		components.TransformData{Rotation: collide.Quat{W: 2}}, capsule(vec(1, 0, 0), 1),
	}, []string{"Transform.Rotation {0 0 0 2} is not of unit length"}},
	{"a compound as a sensor", []any{at(0, 0, 0), components.ShapeColliderData{Parts: []components.ShapePart{
		{Shape: collide.Sphere{Radius: 1}}, {Shape: collide.Sphere{Radius: 2}},
	}}, components.SensorData{}}, []string{"Sensor.Shape (compound) can't be a sensor: only one convex shape can"}},
	{"a mesh as a sensor", []any{
		at(0, 0, 0), components.ShapeColliderData{Shape: soup(quad(vec(0, 0, 0), vec(0, 0, 1), vec(1, 0, 1),
			vec(1, 0, 0))).mesh()}, components.SensorData{},
	}, []string{"Sensor.Shape (mesh) can't be a sensor: only what is convex can"}},
	{"terrain as a sensor", []any{
		at(0, 0, 0), components.ShapeColliderData{Shape: flatField()}, components.SensorData{},
	}, []string{"Sensor.Shape (height field) can't be a sensor"}},
	{"a crate as a sensor", []any{
		at(0, 0, 0), moving(1, 0, 0),
		components.ShapeColliderData{Shape: collide.Sphere{Radius: 1}},
		components.BodyData{},
		components.SensorData{},
	}, []string{"Sensor", "dynamic shapes"}},
	{"a capsule that turns too fast", []any{
		at(0, 0, 0), moving(0, 0, 0), capsule(vec(1, 0, 0), 1), turning(2e4, 0, 0),
	}, []string{"AngularVelocity.Angular {20000 0 0}", "only spheres rotate faster"}},
	{"a capsule as a conveyor", []any{at(0, 0, 0), capsule(vec(1, 0, 0), 1), components.SurfaceVelocityData{
		Linear: vec(1, 0, 0),
	}}, []string{"SurfaceVelocity.Linear {1 0 0}", "can't be a CapsuleCollider's"}},
	{"a capsule and a sphere", []any{at(0, 0, 0), capsule(vec(1, 0, 0), 1), sphere(1)}, []string{"keep one collider"}},
	{
		"a force that is not a number", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.ForceData{Force: vec(0, nan, 0)},
		}, []string{"Force.Force {0 NaN 0} is not finite"},
	},
	{
		"a force beyond all speed", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.ForceData{Force: vec(1e30, 0, 0)},
		}, []string{"Velocity.Linear", "beyond 1e9"},
	},
	{
		"a friction that is not a number",
		[]any{at(0, 0, 0), moving(1, 0, 0), sphere(1), rough(nan)},
		[]string{"Material.Friction NaN is not between 0 and 1e6"},
	},
	{
		"a negative friction on a plane",
		[]any{at(0, 0, 0), plane(0, 1, 0), frictionPart{Rolling: -1}},
		[]string{"Material.RollingResistance -1 is not between 0 and 1e6"},
	},
	{
		"an infinite friction",
		[]any{at(0, 0, 0), square(1), rough(inf)},
		[]string{"Material.Friction +Inf is not between 0 and 1e6"},
	},
	{
		"friction that is less at rest", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			frictionPart{Dynamic: 0.5, Static: 0.2},
		}, []string{"Material.StaticFriction 0.2 is neither 0 nor between Friction and 1e6"},
	},
	{
		"a combine rule of frictions that doesn't exist",
		[]any{at(0, 0, 0), sphere(1), frictionPart{Combine: 77}},
		[]string{"Material.FrictionCombine 77 is not a combine rule"},
	},
	{
		"an angular velocity that is not a number", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			turning(0, 0, nan),
		}, []string{"AngularVelocity.Angular {0 0 NaN} is not finite"},
	},
	{
		"an angular velocity that is not a number, of what is static",
		[]any{at(0, 0, 0), sphere(1), turning(0, nan, 0)},
		[]string{"AngularVelocity.Angular {0 NaN 0} is not finite"},
	},
	{
		"a negative inertia", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.AngularVelocityData{Inertia: -1},
		}, []string{"AngularVelocity.Inertia -1 is not between 1e-60 and 1e60"},
	},
	{
		"a negative angular damping", []any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.AngularVelocityData{Damping: -1},
		}, []string{"AngularVelocity.Damping -1 is negative"},
	},
	{
		"a plane that turns without a Velocity",
		[]any{at(0, 0, 0), plane(0, 1, 0), turning(0, 1, 0)},
		[]string{"AngularVelocity.Angular {0 1 0} needs a Velocity"},
	},
	{
		"a belt that is not a number",
		[]any{
			at(0, 0, 0), plane(0, 1, 0),
			components.SurfaceVelocityData{Linear: vec(nan, 0, 0)},
		},
		[]string{"SurfaceVelocity.Linear {NaN 0 0} is not finite"},
	},
	{
		"a belt around a sphere",
		[]any{
			at(0, 0, 0), moving(1, 0, 0), sphere(1),
			components.SurfaceVelocityData{Linear: vec(1, 0, 0)},
		},
		[]string{"SurfaceVelocity.Linear {1 0 0} can't be a sphere's"},
	},
	{
		"three mistakes at once",
		[]any{at(nan, 0, 0), moving(0, nan, 0), sphere(-3)},
		[]string{"Transform.Position", "Velocity.Linear", "SphereCollider.Radius -3"},
	},
}

func TestErrorsNameEntityComponentFieldAndValue(t *testing.T) {
	for _, c := range invalidEntities {
		t.Run(c.name, func(t *testing.T) {
			w := donburi.NewWorld()
			e := spawn(w, c.values...)
			p := systems.NewPhysics(systems.Config{})
			p.Step(w)
			if len(errorsOf(p)) != 1 {
				t.Fatalf("errors: got %v, want one", errorsOf(p))
			}
			got := errorsOf(p)[0]
			if got.Entity != e.Entity() {
				t.Errorf("entity: got %v, want %v", got.Entity, e.Entity())
			}
			for _, want := range append(c.want, fmt.Sprintf("entity %d: ", e.Entity().Id())) {
				if !strings.Contains(got.Error(), want) {
					t.Errorf("message: got %q, want it to name %q", got.Error(), want)
				}
			}
			var field *components.FieldError
			if !errors.As(got, &field) {
				t.Errorf("error: got %T, want a *components.FieldError in it", got.Err)
			}
			if s := p.Stats(); s.Errors != 1 || s.Bodies+s.Surfaces != 0 {
				t.Errorf("stats: got %d errors, %d bodies and %d surfaces, want only the error", s.Errors, s.Bodies,
					s.Surfaces)
			}
		})
	}
}

func TestMessagesMentionOnlyInvalidValues(t *testing.T) {
	w := donburi.NewWorld()
	spawn(w, at(nan, 0, 0), square(1)) // the corners are valid
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	if got := errorsOf(p)[0].Error(); strings.Contains(got, "PolygonCollider") {
		t.Errorf("message: got %q, want nothing about the corners", got)
	}
}

func TestInvalidEntitiesDoNotAffectOthers(t *testing.T) {
	run := func(bad bool) ([]*donburi.Entry, [][]collide.Vec3, []*donburi.Entry) {
		w := donburi.NewWorld()
		var wrong []*donburi.Entry
		mix := func(i int) {
			if bad && i < len(invalidEntities) {
				wrong = append(wrong, spawn(w, invalidEntities[i].values...))
			}
		}
		for i := range 5 {
			mix(i)
		}
		good := gas(w, 100)
		for i := 5; i < len(invalidEntities); i++ {
			mix(i)
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
		var all [][]collide.Vec3
		for range 100 {
			p.Step(w)
			all = append(all, states(good))
		}
		if got, want := len(errorsOf(p)), len(wrong); got != want {
			t.Errorf("errors: got %d, want %d", got, want)
		}
		return good, all, wrong
	}
	_, want, _ := run(false)
	_, got, wrong := run(true)
	for step := range want {
		for i := range want[step] {
			if got[step][i] != want[step][i] {
				t.Fatalf("step %d, ball %d: got %v, want %v", step, i/2, got[step][i], want[step][i])
			}
		}
	}
	for i, e := range wrong {
		for _, v := range invalidEntities[i].values {
			if got, want := fmt.Sprint(present(e, v)), fmt.Sprint(v); got != want {
				t.Errorf("%s: got %v, want what the game set: %v", invalidEntities[i].name, got, want)
			}
		}
	}
}

// present returns what e has now of the same kind as value.
func present(e *donburi.Entry, value any) any {
	m := func() *components.MaterialData { return components.Material.Get(e) }
	switch value.(type) {
	case bouncePart:
		return bouncePart{m().Restitution, m().RestitutionCombine}
	case frictionPart:
		return frictionPart{
			m().Friction, m().StaticFriction, m().RollingResistance, m().SpinningResistance, m().FrictionCombine,
		}
	}
	return dataOf(e, value)
}

func TestCorrectedEntityIsSimulated(t *testing.T) {
	w := donburi.NewWorld()
	e := ball(w, vec(0, 0, 0), vec(6, 0, 0), -1)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	expectPosition(t, "bad", e, vec(0, 0, 0), 0)
	set(e, sphere(1))
	p.Step(w)
	expectNoErrors(t, p)
	expectPosition(t, "mended", e, vec(0.1, 0, 0), 1e-15)
}

func TestInvalidValuesEndTheContactsOfAnEntity(t *testing.T) {
	w := donburi.NewWorld()
	floor := wall(w, vec(0, 0, 0), vec(0, 1, 0))
	resting, other := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1), ball(w, vec(5, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for range 10 {
		p.Step(w)
	}
	if got := slices.Collect(p.Touching(resting.Entity())); len(got) != 1 || got[0] != floor.Entity() {
		t.Fatalf("touching before: got %v, want the floor", got)
	}
	components.Transform.Get(resting).Position.X = nan
	p.Step(w)
	if got := slices.Collect(p.ContactEnds()); len(got) != 1 || got[0].A != resting.Entity() ||
		got[0].B != floor.Entity() {
		t.Errorf("ends: got %v, want one of ball and floor", got)
	}
	if got := slices.Collect(p.Touching(floor.Entity())); len(got) != 1 || got[0] != other.Entity() {
		t.Errorf("the floor touches: got %v, want the other ball", got)
	}
	if len(errorsOf(p)) != 1 {
		t.Errorf("errors: got %v, want one", errorsOf(p))
	}
	expectPosition(t, "the other", other, vec(5, 1, 0), 1e-9)
	components.Transform.Get(resting).Position.X = 0
	p.Step(w)
	if got := slices.Collect(p.ContactBegins()); len(got) != 1 || got[0].A != resting.Entity() {
		t.Errorf("mended: begins: got %v, want one of ball and floor", got)
	}
}

// A locked axis hid it.
func TestAForceThatBecomesInvalidOnALockedAxisIsAnError(t *testing.T) {
	w := donburi.NewWorld()
	e := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1, components.BodyData{Locked: components.AxisX},
		components.ForceData{Force: vec(0, 1, 0)})
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	expectNoErrors(t, p)
	components.Force.Get(e).Force.X = nan
	p.Step(w)
	if len(errorsOf(p)) != 1 {
		t.Errorf("errors: got %v, want one", errorsOf(p))
	}
}

func TestErrorsArePublishedOnceUntilCorrected(t *testing.T) {
	w := donburi.NewWorld()
	e := ball(w, vec(0, 0, 0), vec(6, 0, 0), -1)
	p := systems.NewPhysics(systems.Config{Publish: systems.PublishErrors})
	var got []systems.EntityError
	systems.ErrorEvent.Subscribe(w, func(_ donburi.World, e systems.EntityError) { got = append(got, e) })
	steps := func(n, want int, what string) {
		t.Helper()
		got = nil
		for range n {
			p.Step(w)
			systems.ErrorEvent.ProcessEvents(w)
		}
		if len(got) != want {
			t.Errorf("%s: got %d events, want %d", what, len(got), want)
		}
	}
	steps(5, 1, "broken from the start")
	set(e, sphere(1))
	steps(5, 0, "mended")
	set(e, sphere(nan))
	steps(5, 1, "broken again")
	set(e, sphere(1))
	p.Step(w)
	set(e, sphere(0))
	p.Sync(w)
	steps(5, 1, "found by Sync")
	set(e, sphere(1))
	p.Step(w)
	set(e, sphere(0))
	p.Advance(w, 0)
	p.Step(w)
	w.Remove(e.Entity())
	steps(1, 1, "and removed") // the event of the previous step
	ball(w, vec(0, 0, 0), vec(6, 0, 0), -1)
	steps(5, 1, "another with its number")
}

func TestInvalidConfigIsReportedAndReplacedByDefaults(t *testing.T) {
	cases := []struct {
		name   string
		config systems.Config
		want   string
	}{
		{
			"gravity that is not a number",
			systems.Config{Gravity: vec(nan, 0, 0)},
			"Config.Gravity {NaN 0 0} is not finite",
		},
		{"endless gravity", systems.Config{Gravity: vec(0, -inf, 0)}, "Config.Gravity {0 -Inf 0} is not finite"},
		{"gravity beyond all speed", systems.Config{Gravity: vec(0, -1e200, 0)}, "Config.Gravity {0 -1e+200 0}"},
		{"a step of no length", systems.Config{StepSeconds: nan}, "Config.StepSeconds NaN"},
		{"a negative step", systems.Config{StepSeconds: -1}, "Config.StepSeconds -1"},
		{"an endless step", systems.Config{StepSeconds: inf}, "Config.StepSeconds +Inf"},
		{"a step too short to count", systems.Config{StepSeconds: 1e-300}, "Config.StepSeconds 1e-300"},
		{
			"a threshold that is not a number",
			systems.Config{RestitutionThreshold: nan},
			"Config.RestitutionThreshold NaN is not finite",
		},
		{
			"an infinite threshold",
			systems.Config{RestitutionThreshold: inf},
			"Config.RestitutionThreshold +Inf is not finite",
		},
		{
			"a threshold of minus infinity",
			systems.Config{RestitutionThreshold: -inf},
			"Config.RestitutionThreshold -Inf is not finite",
		},
		{
			"a step just too short",
			systems.Config{StepSeconds: 0.9e-9},
			"Config.StepSeconds 9e-10 is not between 1e-9 and 1000",
		},
		{
			"a step just too long",
			systems.Config{StepSeconds: 1001},
			"Config.StepSeconds 1001 is not between 1e-9 and 1000",
		},
		{
			"a unit of length that is not a number",
			systems.Config{LengthUnit: nan},
			"Config.LengthUnit NaN is not between 1e-6 and 1e6",
		},
		{"a negative unit of length", systems.Config{LengthUnit: -50}, "Config.LengthUnit -50"},
		{"a unit of length beyond all", systems.Config{LengthUnit: inf}, "Config.LengthUnit +Inf"},
		{"a unit of length too small to count", systems.Config{LengthUnit: 9e-7}, "Config.LengthUnit 9e-07"},
		{"a negative budget", systems.Config{MaxImpacts: -1}, "Config.MaxImpacts -1"},
		{"a huge budget", systems.Config{MaxImpacts: math.MaxInt32}, "Config.MaxImpacts 2147483647"},
		{"a negative number of steps", systems.Config{MaxSteps: -1}, "Config.MaxSteps -1 is negative"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := systems.NewPhysics(c.config)
			w := donburi.NewWorld()
			e := ball(w, vec(0, 0, 0), vec(60, 0, 0), 1)
			for range 2 {
				if len(errorsOf(p)) != 1 || !strings.Contains(errorsOf(p)[0].Error(), c.want) ||
					errorsOf(p)[0].Entity != donburi.Null {
					t.Fatalf("errors: got %v, want one that says %q and names no entity", errorsOf(p), c.want)
				}
				p.Step(w)
			}
			expectPosition(t, "two steps of the default", e, vec(1+1, 0, 0), 1e-12)
		})
	}
	p := systems.NewPhysics(systems.Config{StepSeconds: -1, MaxSteps: -1, MaxImpacts: -1})
	if len(errorsOf(p)) != 3 {
		t.Errorf("three mistakes: got %v", errorsOf(p))
	}
	w := donburi.NewWorld()
	spawn(w, at(0, 0, 0), sphere(-1))
	for range 3 {
		p.Step(w)
		if len(errorsOf(p)) != 4 || errorsOf(p)[3].Entity == donburi.Null {
			t.Errorf("three mistakes of the Config and an entity's: got %v", errorsOf(p))
		}
	}
}

func TestNilWorldPanicsWithTheNameOfTheMethod(t *testing.T) {
	p := systems.NewPhysics(systems.Config{})
	for name, call := range map[string]func(){
		"AddTo": func() { p.AddTo(nil) }, "Broadphase": func() { p.Broadphase(nil) }, "Sweep": func() { p.Sweep(nil) },
		"Response": func() { p.Response(&ecs.ECS{}) }, "Step": func() { p.Step(nil) }, "Advance": func() {
			p.Advance(nil, 0)
		},
		"Sync": func() { p.Sync(nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "systems: Physics."+name+" needs ") {
					t.Errorf("%s: got %q, want a panic that begins with the package and the method", name, got)
				}
			}()
			call()
		}()
	}
}

func TestIterationOverErrorsMayStopEarly(t *testing.T) {
	w := donburi.NewWorld()
	first := spawn(w, at(0, 0, 0), sphere(-1))
	spawn(w, at(0, 0, 0), sphere(-2))
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	n := 0
	for err := range p.Errors() {
		if n++; err.Entity != first.Entity() {
			t.Errorf("got %v first, want the first entity's", err)
		}
		break
	}
	if n != 1 || p.Stats().Errors != 2 {
		t.Errorf("got %d errors and %d in Stats, want 1 and 2", n, p.Stats().Errors)
	}
}

func TestQueriesWithInvalidInputFindNothing(t *testing.T) {
	w := donburi.NewWorld()
	box(w, 5)
	ball(w, vec(0, 0, 0), vec(0, 0, 0), 1)
	spawn(w, at(0, -3, 0), square(1))
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	x := vec(1, 0, 0)
	if _, ok := p.RayCast(vec(-3, 0, 0), x, 10, systems.Filter{}); !ok {
		t.Fatal("a sound ray found nothing")
	}
	casts := []struct {
		name              string
		origin, direction collide.Vec3
		radius, distance  float64
	}{
		{"an origin that is not a number", vec(nan, 0, 0), x, 0, 10},
		{"an infinite origin", vec(0, inf, 0), x, 0, 10},
		{"an origin beyond the world", vec(0, 2e9, 0), vec(0, -1, 0), 0, 1e10},
		{"no direction", vec(-3, 0, 0), vec(0, 0, 0), 0, 10},
		{"a direction that is not a number", vec(-3, 0, 0), vec(1, nan, 0), 0, 10},
		{"an infinite direction", vec(-3, 0, 0), vec(inf, 0, 0), 0, 10},
		{"a distance that is not a number", vec(-3, 0, 0), x, 0, nan},
		{"a negative distance", vec(-3, 0, 0), x, 0, -1},
		{"a radius that is not a number", vec(-3, 0, 0), x, nan, 10},
		{"a negative radius", vec(-3, 0, 0), x, -1, 10},
		{"an infinite radius", vec(-3, 0, 0), x, inf, 10},
	}
	for _, c := range casts {
		s := collide.Sphere{Center: c.origin, Radius: c.radius}
		if h, ok := p.SphereCast(s, c.direction, c.distance, systems.Filter{}); ok {
			t.Errorf("%s: SphereCast found %v", c.name, h)
		}
		if all := slices.Collect(p.SphereCastAll(s, c.direction, c.distance, systems.Filter{})); len(all) > 0 {
			t.Errorf("%s: SphereCastAll found %v", c.name, all)
		}
	}
	for _, s := range []collide.Sphere{
		{Radius: nan},
		{Radius: -1},
		{Radius: inf},
		{Center: vec(nan, 0, 0), Radius: 1},
		{Center: vec(0, 0, inf), Radius: 1},
	} {
		if all := slices.Collect(p.OverlapSphere(s, systems.Filter{})); len(all) > 0 {
			t.Errorf("OverlapSphere(%v) found %v", s, all)
		}
	}
	for _, b := range []collide.AABB{
		{Min: vec(1, 0, 0), Max: vec(0, 1, 1)},
		{Min: vec(nan, 0, 0), Max: vec(1, 1, 1)},
		{Min: vec(-1, -1, -1), Max: vec(1, nan, 1)},
		{Min: vec(-inf, -1, -1), Max: vec(1, 1, 1)},
	} {
		if all := slices.Collect(p.OverlapBox(b, systems.Filter{})); len(all) > 0 {
			t.Errorf("OverlapBox(%v) found %v", b, all)
		}
	}
	if got := slices.Collect(p.OverlapSphere(collide.Sphere{}, systems.Filter{})); len(got) != 1 {
		t.Errorf("a point inside the ball: got %v, want the ball", got)
	}
	if got := slices.Collect(p.OverlapBox(collide.AABB{}, systems.Filter{})); len(got) != 1 {
		t.Errorf("a box that is a point inside the ball: got %v, want the ball", got)
	}
	if _, ok := p.RayCast(vec(0, 0, 0), vec(1, 0, 0), 0, systems.Filter{}); !ok {
		t.Error("a ray of no length inside the ball found nothing")
	}
}

func TestRayMayBeInfinite(t *testing.T) {
	w := donburi.NewWorld()
	far := ball(w, vec(1e8, 0, 0), vec(0, 0, 0), 1)
	spawn(w, at(0, -3, 0), square(1))
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	h, ok := p.RayCast(vec(0, 0, 0), vec(1, 0, 0), inf, systems.Filter{})
	if !ok || h.Entity != far.Entity() || h.Distance != 1e8-1 {
		t.Errorf("endless ray: got %v %v, want the far ball at 99999999", h, ok)
	}
	if h, ok := p.SphereCast(collide.Sphere{Radius: 0.5}, vec(0, 1, 0), inf, systems.Filter{}); ok {
		t.Errorf("endless cast into nothing: got %v", h)
	}
	if all := slices.Collect(p.RayCastAll(vec(0, 0, 0), vec(0, -1, 0), inf, systems.Filter{})); len(all) != 1 ||
		all[0].Distance != 3 {
		t.Errorf("endless ray downwards: got %v, want the polygon at 3", all)
	}
}

func TestNullAndUnknownEntitiesAreIgnored(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	a := ball(w, vec(0, 1, 0), vec(0, -1, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	stale := ball(w, vec(9, 9, 9), vec(0, 0, 0), 1).Entity()
	w.Remove(stale)
	for _, e := range []donburi.Entity{donburi.Null, stale, w.Create(components.Velocity), donburi.Entity(1 << 40)} {
		p.Step(w)
		if got := slices.Collect(p.Touching(e)); len(got) > 0 {
			t.Errorf("Touching(%v): got %v, want nothing", e, got)
		}
		if got, ok := p.Interpolated(e); ok {
			t.Errorf("Interpolated(%v): got %v, want nothing", e, got)
		}
		p.Veto(e, a.Entity())
	}
	if got := slices.Collect(p.Touching(a.Entity())); len(got) != 1 {
		t.Errorf("the ball touches: got %v, want the floor", got)
	}
}

// flatField returns terrain of four cells.
func flatField() *collide.HeightField {
	f, err := collide.NewHeightField(collide.Vec3{}, 1, 1, 3, make([]float64, 9))
	if err != nil {
		panic(err)
	}
	return f
}

func TestImpactsMakeNothingFasterThanASpeedThatIsAnError(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(10, 0, 0), Workers: 1})
	light := ball(w, vec(0, 0, 0), vec(-8e8, 2, 3), 1)
	heavy := ball(w, vec(-1e7, 0, 0), vec(8e8, 0, 0), 1)
	for e, mass := range map[*donburi.Entry]float64{light: 1, heavy: 1e15} {
		e.AddComponent(components.Body)
		e.AddComponent(components.Material)
		components.Body.Get(e).Mass = mass
		components.Material.Get(e).Restitution = 1
	}
	for step := range 5 {
		p.Step(w)
		for err := range p.Errors() {
			t.Fatalf("step %d: %v", step, err)
		}
	}
	if v := components.Velocity.Get(light).Linear; v.X != 1e9 || v.Y == 0 {
		t.Errorf("the light ball has the velocity %v", v)
	}
}

// Errors of motors came last, and weren't published.
func TestErrorsOfMotorsComeInOrderAndArePublished(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Publish: systems.PublishErrors})
	var published []donburi.Entity
	systems.ErrorEvent.Subscribe(w, func(_ donburi.World, e systems.EntityError) {
		published = append(published, e.Entity)
	})
	var want []donburi.Entity
	for k := range 4 {
		m := components.MotorData{Speed: -1}
		if k%2 == 0 {
			m = components.MotorData{Inertia: 1} // a plane can't yield to load
		}
		want = append(want,
			spawn(w, at(0, -9, 0), plane(0, 1, 0), moving(0, 0, 0), turning(0, 0, 0), m).Entity(),
			ball(w, vec(0, 0, 0), vec(0, 0, 0), -1).Entity())
	}
	for range 3 {
		p.Step(w)
		p.Sync(w)
		var got []donburi.Entity
		for e := range p.Errors() {
			got = append(got, e.Entity)
		}
		if !slices.Equal(got, want) {
			t.Errorf("errors: got %v, want %v", got, want)
		}
		systems.ErrorEvent.ProcessEvents(w)
		slices.Sort(published)
		if !slices.Equal(published, want) {
			t.Errorf("published: got %v, want %v once", published, want)
		}
	}
}
