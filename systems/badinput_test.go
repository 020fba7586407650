package systems_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
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
			components.ForceData{Force: vec(0, 1e30, 0)},
		}, []string{"Force.Force {0 1e+30 0}", "beyond 1e9"},
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

// A Force does nothing to what is static or kinematic, and an invalid one was no error there.
func TestAnInvalidForceIsAnErrorOfWhatItDoesNotMove(t *testing.T) {
	for name, create := range map[string]func(w donburi.World) *donburi.Entry{
		"static sphere": func(w donburi.World) *donburi.Entry {
			return spawn(w, at(0, 0, 0), sphere(1), components.ForceData{})
		},
		"static box": func(w donburi.World) *donburi.Entry {
			return components.CreateBox(w, collide.Vec3{}, vec(1, 1, 1), components.Force)
		},
		"kinematic box": func(w donburi.World) *donburi.Entry {
			return components.CreateBox(w, collide.Vec3{}, vec(1, 1, 1), components.Force, components.Velocity)
		},
		"plane": func(w donburi.World) *donburi.Entry {
			return components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0), components.Force)
		},
		"character": func(w donburi.World) *donburi.Entry {
			return components.CreateCharacter(w, collide.Vec3{}, 0.3, 1.8, components.Force)
		},
	} {
		w := donburi.NewWorld()
		e := create(w)
		p := systems.NewPhysics(systems.Config{})
		for range 3 {
			p.Step(w)
			expectNoErrors(t, p)
		}
		components.Force.Get(e).Force.Y = nan
		for range 2 {
			p.Step(w)
			all := errorsOf(p)
			if len(all) != 1 || !strings.Contains(all[0].Error(), "Force.Force {0 NaN 0} is not finite") {
				t.Errorf("%s: got errors %v, want one of its Force", name, all)
			}
		}
		components.Force.Get(e).Force.Y = 0
		p.Step(w)
		expectNoErrors(t, p)
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

// A character that was a sensor was in itself, and in contact with what it fell through in nearly
// every step.
func TestACharacterCannotBeASensor(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	components.CreateCharacter(w, vec(0, 1, 0), 0.3, 1.8, components.Sensor)
	p.Step(w)
	const want = "Sensor.Shape (character) can't be a sensor: give the sensor an entity of its own"
	if got := errorsOf(p); len(got) != 1 || !strings.HasSuffix(got[0].Error(), want) {
		t.Errorf("got %v, want an error that ends in %q", got, want)
	}
}

// These errors named the velocity of the body, and nothing of the leader.
func TestErrorsNameTheGravityScaleAndTheFieldOfALeader(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	ball(w, vec(0, 0, 0), vec(0, 0, 0), 1, components.BodyData{GravityScale: 1e300})
	wants := []string{"Body.GravityScale 1e+300 accelerates it"}
	negative := components.AngularVelocityData{Inertia: -1}
	for want, parts := range map[string][]any{
		"AngularVelocity.Inertia -1 is not":         {at(0, 0, 0), moving(0, 0, 0), negative},
		"AngularVelocity.Angular {20000 0 0} is":    {at(0, 0, 0), moving(0, 0, 0), turning(2e4, 0, 0)},
		"Transform.Position {NaN 0 0} is not":       {at(nan, 0, 0), moving(0, 0, 0)},
		"Velocity.Linear {0 +Inf 0} is not finite,": {at(0, 0, 0), moving(0, inf, 0)},
	} {
		leader := spawn(w, parts...)
		spawn(w, at(9, 0, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}}, follows(leader))
		wants = append(wants,
			fmt.Sprintf("Leader (entity %d) names an entity with an error: %s", leader.Entity().Id(), want))
	}
	p.Step(w)
	got := errorsOf(p)
	if len(got) != len(wants) {
		t.Fatalf("errors %v, want %d", got, len(wants))
	}
	for k, want := range wants {
		if !strings.Contains(got[k].Error(), want) {
			t.Errorf("got %q, want %q", got[k], want)
		}
	}
}
