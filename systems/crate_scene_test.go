package systems_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

func TestShapesHaveTheSameBitsForAnyOrderAndWorkers(t *testing.T) {
	run := func(order []int, workers int) []collide.Vec3 {
		w := donburi.NewWorld()
		all := gasOfShapes(w, 60, false, 2.8, order)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: workers})
		for i, e := range all {
			if i%2 == 0 {
				components.Material.Get(e).Restitution = 0.3
				components.Material.Get(e).Friction = 0.4
			}
		}
		stepCrates(t, p, w, 40)
		var x []collide.Vec3
		for _, e := range all {
			x = append(x, components.Transform.Get(e).Position, components.Velocity.Get(e).Linear)
		}
		return x
	}
	want := run(upTo(60), 1)
	hash := fnv.New64a()
	for _, x := range want {
		for k := range 3 {
			_ = binary.Write(hash, binary.LittleEndian, math.Float64bits(x.Component(k)))
		}
	}
	// On all processors; see CONTRIBUTING.md.
	if got := hash.Sum64(); got != 0x6d1163d29a6fa67 {
		t.Errorf("the hash of all positions and velocities is %#x", got)
	}
	shuffled := rand.New(rand.NewPCG(4, 4)).Perm(60)
	if got := run(shuffled, 1); !slices.Equal(got, want) {
		t.Error("another order of creation gives another result")
	}
	if got := run(upTo(60), 4); !slices.Equal(got, want) {
		t.Error("four workers give another result")
	}
}

func TestACrateOnASlopeSlidesOrStays(t *testing.T) {
	for _, test := range []struct{ slope, friction float64 }{{0.3, 0.2}, {0.3, 0.4}, {0.6, 0.5}, {0.6, 0.8}} {
		w, p := newCrateWorld()
		n := vec(math.Sin(test.slope), math.Cos(test.slope), 0)
		floor := components.CreatePlane(w, vec(0, 0, 0), n, components.Material)
		components.Material.Get(floor).Friction = test.friction
		crate := components.CreateCrate(w, n.Scale(0.5), crateHalf)
		components.Transform.Get(crate).Rotation = collide.RotationBy(vec(0, 0, -test.slope))
		components.Material.Get(crate).Friction = test.friction
		start := components.Transform.Get(crate).Position
		stepCrates(t, p, w, 60)
		downhill := vec(math.Cos(test.slope), -math.Sin(test.slope), 0)
		way := components.Transform.Get(crate).Position.Sub(start)
		want := 0.0
		if a := 9.81 * (math.Sin(test.slope) - test.friction*math.Cos(test.slope)); a > 0 {
			want = a / 2
		}
		if got := way.Dot(downhill); math.Abs(got-want) > 0.03*want+1e-9 {
			t.Errorf("%+v: it slides %v m in a second, want %v", test, got, want)
		}
		if off := way.Dot(n); math.Abs(off) > 1e-9 {
			t.Errorf("%+v: it is %v m off the slope", test, off)
		}
	}
}

func TestACrateRidesALiftAndAConveyor(t *testing.T) {
	w, p := newCrateWorld()
	lift := components.CreateBox(w, vec(0, -0.5, 0), vec(2, 0.5, 2), components.Velocity, components.Material)
	components.Velocity.Get(lift).Linear = vec(0.3, 1, 0)
	components.Material.Get(lift).Friction = 0.8
	below := components.CreateCrate(w, vec(0, 0.5, 0), crateHalf)
	above := components.CreateCrate(w, vec(0.2, 1.5, 0), crateHalf)
	conveyor := components.CreateBox(w, vec(10, -0.5, 0), vec(5, 0.5, 2), components.Material,
		components.SurfaceVelocity)
	components.SurfaceVelocity.Get(conveyor).Linear = vec(1, 0, 0)
	components.Material.Get(conveyor).Friction = 0.8
	carried := components.CreateCrate(w, vec(8, 0.5, 0), crateHalf)
	for _, e := range []*donburi.Entry{below, above, carried} {
		components.Material.Get(e).Friction = 0.8
	}
	stepCrates(t, p, w, 120)
	for i, e := range []*donburi.Entry{below, above} {
		x, up := components.Transform.Get(e).Position, components.Transform.Get(lift).Position.Y+1+float64(i)
		if x.Y < up-1e-9 || x.Y > up+0.01*float64(i+1) {
			t.Errorf("crate %d is at %v on a lift whose top is at %v", i, x, up-0.5)
		}
		if v := components.Velocity.Get(e).Linear; v.Distance(vec(0.3, 1, 0)) > 0.02 {
			t.Errorf("crate %d moves at %v on a lift at (0.3, 1, 0)", i, v)
		}
	}
	if v := components.Velocity.Get(carried).Linear; v.Distance(vec(1, 0, 0)) > 1e-9 {
		t.Errorf("a crate on a conveyor moves at %v, want 1 m/s", v)
	}
}

func TestADoorAndACharacterPushACrate(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	crate := components.CreateCrate(w, vec(0, 0.5, 0), crateHalf)
	door := components.CreateBox(w, vec(-2, 1, 0), vec(0.1, 1, 1), components.Velocity)
	components.Velocity.Get(door).Linear = vec(2, 0, 0)
	other := components.CreateCrate(w, vec(0, 0.5, 10), crateHalf)
	walker := components.CreateCharacter(w, vec(-2, 1, 10), 0.4, 1.8)
	for range 150 {
		components.CharacterController.Get(walker).DesiredVelocity = vec(2, 0, 0)
		p.Step(w)
		expectNoErrors(t, p)
		gap := components.Transform.Get(crate).Position.X - 0.5 - (components.Transform.Get(door).Position.X + 0.1)
		if gap < -1e-9 {
			t.Fatalf("the door is %v m inside the crate", -gap)
		}
	}
	at := components.Transform.Get(door).Position.X
	if x := components.Transform.Get(crate).Position; math.Abs(x.X-(at+0.6)) > 1e-6 || math.Abs(x.Y-0.5) > 1e-9 {
		t.Errorf("the door at %v has pushed the crate to %v", at, x)
	}
	if x := components.Transform.Get(other).Position; x.X < 0.5 || math.Abs(x.Y-0.5) > 1e-9 {
		t.Errorf("the character at %v has pushed the crate to %v only", components.Transform.Get(walker).Position, x)
	}
}

func TestACrateSlidesOverAMeshWithoutGhostCollisions(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	mesh := flatFloor(100, 0.5, 1, same)
	for _, shape := range []collide.Shape{
		collide.Box{Half: vec(0.4, 0.3, 0.5)},
		collide.Box{Half: vec(0.4, 0.3, 0.5), Rotation: collide.RotationBy(vec(0, 0.4, 0))},
		collide.Capsule{A: vec(-0.3, 0, 0), B: vec(0.3, 0, 0.2), Radius: 0.3},
	} {
		w, p := newCrateWorld()
		components.CreateMesh(w, vec(0, 0, 0), mesh)
		e := components.CreateShapeBody(w, vec(-20, 0.3, -19), shape)
		v := vec(7, 0, 6.6)
		components.Velocity.Get(e).Linear = v
		begins := 0
		for range 330 {
			p.Step(w)
			expectNoErrors(t, p)
			for range p.ContactBegins() {
				begins++
			}
		}
		want := vec(-20, 0.3, -19).AddScaled(330.0/60, v)
		if x := components.Transform.Get(e).Position; x.Distance(want) > 1e-9 {
			t.Errorf("%T: it is at %v, want %v", shape, x, want)
		}
		if u := components.Velocity.Get(e).Linear; u.Distance(v) > 1e-9 {
			t.Errorf("%T: its velocity is %v, want %v", shape, u, v)
		}
		if begins > 1 {
			t.Errorf("%T: its contact with the mesh began %d times", shape, begins)
		}
	}
}

func TestACrateSlidesOverTilesWithoutGhostCollisions(t *testing.T) {
	for _, crates := range []bool{false, true} {
		w, p := newCrateWorld()
		for i := range 40 {
			half := vec(0.5, 0.5, 1)
			if crates {
				e := components.CreateCrate(w, vec(float64(i), -0.5, 0), half)
				components.Body.Get(e).Kind = components.Kinematic
			} else {
				components.CreateBox(w, vec(float64(i), -0.5, 0), half)
			}
		}
		e := components.CreateCrate(w, vec(0, 0.25, 0), vec(0.25, 0.25, 0.25))
		v := vec(5.01, 0, 0)
		components.Velocity.Get(e).Linear = v
		stepCrates(t, p, w, 400)
		want := vec(0, 0.25, 0).AddScaled(400.0/60, v)
		if x := components.Transform.Get(e).Position; x.Distance(want) > 1e-9 {
			t.Errorf("crates=%v: it is at %v, want %v", crates, x, want)
		}
	}
}

// What is round comes close to the edge of the next tile before it is above it. A contact with that
// edge, solved ahead, slowed it down.
func TestCapsulesAndBallsSlideOverTilesWithoutGhostCollisions(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	half := vec(0.5, 0.5, 2)
	floors := map[string]func(w donburi.World, x float64){
		"boxes": func(w donburi.World, x float64) { components.CreateBox(w, vec(x, -0.5, 0), half) },
		"polygons": func(w donburi.World, x float64) {
			components.CreatePolygon(w, []collide.Vec3{
				vec(x-0.5, 0, -2), vec(x-0.5, 0, 2), vec(x+0.5, 0, 2), vec(x+0.5, 0, -2),
			})
		},
		"kinematic crates": func(w donburi.World, x float64) {
			e := components.CreateCrate(w, vec(x, -0.5, 0), half)
			components.Body.Get(e).Kind = components.Kinematic
		},
	}
	shapes := map[string]collide.Shape{
		"upright": collide.Capsule{A: vec(0, -0.25, 0), B: vec(0, 0.25, 0), Radius: 0.25},
		"along":   collide.Capsule{A: vec(-0.3, -0.25, 0), B: vec(0.3, -0.25, 0), Radius: 0.25},
		"across":  collide.Capsule{A: vec(0.1, -0.25, -0.3), B: vec(0, -0.25, 0.3), Radius: 0.25},
		"ball":    collide.Sphere{Center: vec(0, -0.25, 0), Radius: 0.25},
	}
	for floor, tile := range floors {
		for name, shape := range shapes {
			for _, v := range []collide.Vec3{vec(5.01, 0, 0), vec(0.7, 0, 0.01), vec(10, 0, 0.1)} {
				w, p := newCrateWorld()
				for i := range 70 {
					tile(w, float64(i))
				}
				e := components.CreateShapeBody(w, vec(0, 0.5, 0), shape)
				components.Velocity.Get(e).Linear = v
				impacts := 0
				for range 400 {
					p.Step(w)
					expectNoErrors(t, p)
					for range p.Impacts() {
						impacts++
					}
				}
				want := vec(0, 0.5, 0).AddScaled(400.0/60, v)
				if x := components.Transform.Get(e).Position; x.Distance(want) > 1e-9 || impacts > 0 {
					t.Errorf("%s, %s, at %v: it is at %v, want %v, after %d impacts", floor, name, v, x, want, impacts)
				}
			}
		}
	}
}

func TestSensorsQueriesFiltersAndVetoesSeeCrates(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	crate := components.CreateCrate(w, vec(0, 3, 0), crateHalf)
	components.CreateSensor(w, vec(0, 1.5, 0.2), 0.25)
	through := components.CreateCrate(w, vec(0, 6, 0), crateHalf, components.CollisionFilter)
	components.CollisionFilter.SetValue(through, components.CollisionFilterData{Disabled: true})
	vetoed := components.CreateCrate(w, vec(0, 9, 0), crateHalf)
	entered, left, game := 0, 0, ecs.NewECS(w)
	for range 60 {
		p.Broadphase(game)
		p.Veto(crate.Entity(), vetoed.Entity())
		p.Response(game)
		expectNoErrors(t, p)
		for e := range p.ContactBegins() {
			if e.Sensor {
				entered++
			}
		}
		for e := range p.ContactEnds() {
			if e.Sensor {
				left++
			}
		}
	}
	if entered != 1 || left != 1 {
		t.Errorf("the sensor saw %d entries and %d exits", entered, left)
	}
	if y := components.Transform.Get(through).Position.Y; y > 2 {
		t.Errorf("a crate that collides with nothing is at height %v after a second", y)
	}
	hit, ok := p.RayCast(vec(-5, 0.4, 0.1), vec(1, 0, 0), 10, systems.Filter{})
	if !ok || hit.Entity != crate.Entity() || math.Abs(hit.Distance-4.5) > 1e-12 || hit.Normal != vec(-1, 0, 0) {
		t.Errorf("a ray hits %+v, want the crate at 4.5 m", hit)
	}
	box := collide.Box{Center: vec(-5, 0.4, 0), Half: vec(0.1, 0.1, 0.1)}
	cast, ok := p.ShapeCast(box, vec(1, 0, 0), 10, systems.Filter{})
	if !ok || cast.Entity != crate.Entity() || math.Abs(cast.Distance-4.4) > 1e-12 {
		t.Errorf("a box hits %+v, want the crate at 4.4 m", cast)
	}
	found := 0
	for e := range p.OverlapBox(collide.AABB{Min: vec(0.4, 0.1, 0.4), Max: vec(0.6, 0.2, 0.6)}, systems.Filter{}) {
		if e == crate.Entity() {
			found++
		}
	}
	for e := range p.OverlapSphere(collide.Sphere{Center: vec(0.6, 0.6, 0), Radius: 0.2}, systems.Filter{}) {
		if e == crate.Entity() {
			found++
		}
	}
	if found != 2 {
		t.Errorf("the crate is in %d of two overlaps", found)
	}
	// Its bound reaches that far, the crate itself doesn't.
	for e := range p.OverlapSphere(collide.Sphere{Center: vec(0.7, 1.2, 0.7), Radius: 0.2}, systems.Filter{}) {
		if e == crate.Entity() {
			t.Error("the crate overlaps a sphere beside its corner")
		}
	}
	gap, ok := p.ClosestPoint(vec(1.5, 0.5, 0), 2, systems.Filter{})
	if !ok || math.Abs(gap.Distance-0.5) > 1e-12 {
		t.Errorf("the closest thing is %+v, want the floor at 0.5 m", gap)
	}
}

func TestAStepWithCratesAllocatesNothing(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w, p := newCrateWorld()
	components.CreateMesh(w, vec(0, 0, 0), flatFloor(20, 1, 1, same))
	components.CreatePlane(w, vec(-8, 0, 0), vec(1, 0, 0))
	ball := collide.Capsule{A: vec(-0.2, 0, 0), B: vec(0.2, 0, 0), Radius: 0.2}
	for i := range 12 {
		components.CreateCrate(w, vec(-3+float64(i%4), 0.5+1.1*float64(i/4), 0), vec(0.4, 0.5, 0.4), components.Body)
		e := components.CreateShapeBody(w, vec(-3+float64(i%4), 0.5, 2+float64(i/4)), ball)
		components.Velocity.Get(e).Linear = vec(1, 0, 0.3)
		components.Body.Get(e).NeverSleep = true
	}
	stepCrates(t, p, w, 100)
	if n := testing.AllocsPerRun(50, func() { p.Step(w) }); n > 0 {
		t.Errorf("a step allocates %v times", n)
	}
}

func TestBadShapeBodiesAreErrors(t *testing.T) {
	mesh := flatFloor(2, 1, 1, same)
	for _, test := range []struct {
		want   string
		change func(w donburi.World) *donburi.Entry
	}{
		{"ShapeCollider.Shape", func(w donburi.World) *donburi.Entry {
			return components.CreateShapeBody(w, vec(0, 0, 0), mesh)
		}},
		{"ShapeCollider.Shape", func(w donburi.World) *donburi.Entry {
			return components.CreateShapeBody(w, vec(0, 0, 0), nil)
		}},
		{"ShapeCollider.Shape.Half.X", func(w donburi.World) *donburi.Entry {
			return components.CreateCrate(w, vec(0, 0, 0), vec(-1, 1, 1))
		}},
		{"ShapeCollider.Parts", func(w donburi.World) *donburi.Entry {
			e := components.CreateShapeBody(w, vec(0, 0, 0), nil)
			components.ShapeCollider.Get(e).Parts = []components.ShapePart{{Shape: collide.Box{Half: vec(1, 1, 1)}}}
			return e
		}},
		{"AngularVelocity.Angular", func(w donburi.World) *donburi.Entry {
			e := components.CreateCrate(w, vec(0, 0, 0), vec(1, 1, 1), components.AngularVelocity)
			components.AngularVelocity.Get(e).Angular = vec(1, 0, 0)
			return e
		}},
		{"SurfaceVelocity.Linear", func(w donburi.World) *donburi.Entry {
			e := components.CreateCrate(w, vec(0, 0, 0), vec(1, 1, 1), components.SurfaceVelocity)
			components.SurfaceVelocity.Get(e).Linear = vec(1, 0, 0)
			return e
		}},
		{"Sensor", func(w donburi.World) *donburi.Entry {
			return components.CreateCrate(w, vec(0, 0, 0), vec(1, 1, 1), components.Sensor)
		}},
		{"Transform.Position", func(w donburi.World) *donburi.Entry {
			return components.CreateCrate(w, vec(nan, 0, 0), vec(1, 1, 1))
		}},
		{"Velocity.Linear", func(w donburi.World) *donburi.Entry {
			e := components.CreateCrate(w, vec(0, 0, 0), vec(1, 1, 1))
			components.Velocity.Get(e).Linear.X = inf
			return e
		}},
	} {
		w, p := newCrateWorld()
		e := test.change(w)
		p.Step(w)
		errs := errorsOf(p)
		if len(errs) != 1 || errs[0].Entity != e.Entity() || !strings.Contains(errs[0].Error(), test.want) {
			t.Errorf("got %v, want an error of %s", errs, test.want)
		}
	}
}
