package systems_test

import (
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
