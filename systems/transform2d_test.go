package systems_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
)

// disc creates a circle of a game that keeps its positions in Donburi's transform.
func disc(w donburi.World, x, y float64, v collide.Vec3, radius float64) *donburi.Entry {
	e := w.Entry(w.Create(transform.Transform, components.Transform, components.Velocity, components.SphereCollider,
		components.Material))
	transform.SetWorldPosition(e, dmath.NewVec2(x, y))
	components.Velocity.SetValue(e, components.VelocityData{Linear: v})
	components.SphereCollider.SetValue(e, sphere(radius))
	components.Material.SetValue(e, components.MaterialData{Restitution: 1})
	return e
}

// board creates a wall of such a game: a plane that faces right, rotated by degrees.
func board(w donburi.World, x, y, degrees float64) *donburi.Entry {
	e := w.Entry(w.Create(transform.Transform, components.Transform, components.PlaneCollider))
	transform.SetWorldPosition(e, dmath.NewVec2(x, y))
	transform.SetWorldRotation(e, degrees)
	components.PlaneCollider.SetValue(e, plane(1, 0, 0))
	return e
}

func flatPhysics() *systems.Physics {
	return systems.NewPhysics(systems.Config{StepSeconds: second, Transform2D: true})
}

func expectWorldPosition(t *testing.T, what string, e *donburi.Entry, x, y float64) {
	t.Helper()
	if got := transform.WorldPosition(e); !near(got.X, x, 1e-9) || !near(got.Y, y, 1e-9) {
		t.Errorf("%s: Donburi's position: got %v, want (%v, %v)", what, got, x, y)
	}
}

func TestDonburiTransformFollowsThePosition(t *testing.T) {
	w := donburi.NewWorld()
	d := disc(w, 3, 4, vec(-2, 0.5, 0), 1)
	board(w, 0, 0, 0)
	p := flatPhysics()
	p.Step(w)
	expectNoErrors(t, p)
	expectWorldPosition(t, "bounced", d, 3-2+0, 4.5)
	p.Step(w)
	expectWorldPosition(t, "bounced back", d, 3, 5)
	expectPosition(t, "ours", d, vec(3, 5, 0), 1e-12)

	transform.SetWorldPosition(d, dmath.NewVec2(10, 20)) // the game moves it
	p.Step(w)
	expectWorldPosition(t, "moved by the game", d, 12, 20.5)
}

func TestDonburiRotationRotatesWalls(t *testing.T) {
	for _, c := range []struct{ degrees, vx, vy float64 }{
		{0, -2, 0},
		{90, 0, -2},
		{180, 2, 0},
		{-90, 0, 2},
		{45, -2, -2},
	} {
		w := donburi.NewWorld()
		board(w, 0, 0, c.degrees)
		d := disc(w, -c.vx, -c.vy, vec(c.vx, c.vy, 0), 0.5)
		p := flatPhysics()
		p.Step(w)
		expectVelocity(t, fmt.Sprint("off a wall turned by ", c.degrees), d, vec(-c.vx, -c.vy, 0), 1e-12)
	}
}

func TestTransformsOfParentsAreApplied(t *testing.T) {
	w := donburi.NewWorld()
	p := flatPhysics()
	parent, child, grandchild := disc(w, 10, 0, vec(1, 0, 0), 1), disc(w, 20, 0, vec(0, 1, 0), 1),
		disc(w, 30, 0, vec(0, 0, 0), 1)
	transform.AppendChild(parent, child, true)
	transform.AppendChild(child, grandchild, true)
	anchor := w.Entry(w.Create(transform.Transform)) // not simulated
	rider := disc(w, 0, 50, vec(0, 0, 0), 1)
	transform.AppendChild(anchor, rider, true)
	p.Step(w)
	p.Step(w)
	expectNoErrors(t, p)
	expectWorldPosition(t, "parent", parent, 12, 0)
	expectWorldPosition(t, "child goes its own way", child, 20, 2)
	expectWorldPosition(t, "grandchild", grandchild, 30, 0)
	if got := transform.GetTransform(child).LocalPosition; got != dmath.NewVec2(8, 2) {
		t.Errorf("child in relation to its parent: got %v, want (8, 2)", got)
	}
	transform.SetWorldPosition(anchor, dmath.NewVec2(-5, 0))
	p.Step(w)
	expectWorldPosition(t, "carried by the game", rider, -5, 50)
	expectPosition(t, "carried by the game", rider, vec(-5, 50, 0), 0)
}

func TestChildWithoutVelocityMovesWithItsParent(t *testing.T) {
	w := donburi.NewWorld()
	cart := disc(w, 0, 0, vec(2, 0, 0), 1)
	sign := w.Entry(w.Create(transform.Transform, components.Transform, components.SphereCollider))
	transform.SetWorldPosition(sign, dmath.NewVec2(0, 5))
	transform.AppendChild(cart, sign, true)
	p := flatPhysics()
	for range 3 {
		p.Step(w)
	}
	expectWorldPosition(t, "sign", sign, 6, 5)
	p.Sync(w)
	expectPosition(t, "sign", sign, vec(6, 5, 0), 0)
}

func TestChildKeepsItsPositionWhenItsParentIsRemoved(t *testing.T) {
	w := donburi.NewWorld()
	parent, child := disc(w, 10, 0, vec(0, 0, 0), 1), disc(w, 20, 0, vec(1, 0, 0), 1)
	transform.AppendChild(parent, child, true)
	p := flatPhysics()
	p.Step(w)
	w.Remove(parent.Entity())
	for range 3 {
		p.Step(w)
		w.Create(components.Velocity) // reuses the parent's number without a Transform
	}
	if got := transform.GetTransform(child).LocalPosition; got != dmath.NewVec2(11, 0) {
		t.Errorf("in relation to nothing: got %v, want it as it was", got)
	}
	expectPosition(t, "our own", child, vec(24, 0, 0), 1e-12)
}

func TestDonburiTransformsSetBetweenTheSystemsRemain(t *testing.T) {
	w := donburi.NewWorld()
	d := disc(w, 0, 0, vec(1, 0, 0), 1)
	p := flatPhysics()
	e := newECS(w)
	p.Broadphase(e)
	transform.SetWorldPosition(d, dmath.NewVec2(7, 7))
	p.Sweep(e)
	p.Response(e)
	expectWorldPosition(t, "set in between", d, 7, 7)
	p.Step(w)
	expectWorldPosition(t, "a step later", d, 8, 7)
}

func TestTransform2DKeepsAllDigits(t *testing.T) {
	run := func(bridge bool) (all []collide.Vec3) {
		w := donburi.NewWorld()
		anchor := w.Entry(w.Create(transform.Transform))
		transform.SetWorldPosition(anchor, dmath.NewVec2(0.1, 1.0/3))
		var discs []*donburi.Entry
		for i := range 30 {
			d := disc(w, float64(i%6)*1.1, float64(i/6)*1.3, vec(float64(i%5)-2, float64(i%7)-3, 0), 0.4)
			set(d, at(float64(i%6)*1.1, float64(i/6)*1.3, 0))
			if bridge && i%2 == 0 {
				transform.AppendChild(anchor, d, true)
			}
			discs = append(discs, d)
		}
		for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			wall(w, n.Scale(-8), n)
		}
		p := systems.NewPhysics(systems.Config{Transform2D: bridge})
		if bridge { // the first step rounds positions of children: start from the same digits
			p.Sync(w)
			for i, d := range discs {
				q := vec(float64(i%6)*1.1, float64(i/6)*1.3, 0)
				if !nearVec(position(d), q, 1e-12) {
					t.Fatalf("pulled: got %v, want %v", position(d), q)
				}
				set(d, at(q.X, q.Y, 0))
				transform.SetWorldPosition(d, dmath.NewVec2(q.X, q.Y))
			}
		}
		for range 300 {
			p.Step(w)
			all = append(all, states(discs)...)
		}
		return all
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("with Donburi's transforms the discs move differently")
	}
}

func TestTheBridgeIsFreeWhereNobodyUsesIt(t *testing.T) {
	w := donburi.NewWorld()
	w.Create(transform.Transform)
	b := ball(w, vec(0, 0, 3), vec(1, 1, 1), 1)
	d := disc(w, 0, 9, vec(0, 0, 0), 1)
	set(d, at(0, 9, 2)) // Z belongs to the game
	p := flatPhysics()
	p.Step(w)
	expectPosition(t, "without Donburi's transform", b, vec(1, 1, 4), 1e-12)
	expectPosition(t, "z", d, vec(0, 9, 2), 0)

	off := systems.NewPhysics(systems.Config{StepSeconds: second})
	components.Velocity.Get(d).Linear = vec(5, 0, 0)
	off.Step(w)
	expectWorldPosition(t, "switched off", d, 0, 9)
}

func TestInvalidDonburiTransformIsReported(t *testing.T) {
	w := donburi.NewWorld()
	d := disc(w, nan, 0, vec(1, 0, 0), 1)
	p := flatPhysics()
	p.Step(w)
	if len(errorsOf(p)) != 1 || errorsOf(p)[0].Entity != d.Entity() {
		t.Errorf("errors: got %v, want one of the disc", errorsOf(p))
	}
	transform.SetWorldPosition(d, dmath.NewVec2(1, 1))
	p.Step(w)
	expectNoErrors(t, p)
	expectWorldPosition(t, "mended", d, 2, 1)
}

// A rotation that was not finite counted as none, without an error.
func TestADonburiRotationThatIsNotFiniteIsReported(t *testing.T) {
	for _, bad := range []float64{nan, inf, -inf} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Transform2D: true})
		wall := board(w, 0, 0, bad)
		mill := components.CreateBox2D(w, vec(9, 0, 0), 1, 1, 0,
			components.Velocity, components.AngularVelocity, transform.Transform)
		transform.GetTransform(mill).LocalRotation = bad
		p.Step(w)
		got := errorsOf(p)
		if len(got) != 2 || got[0].Entity != wall.Entity() || got[1].Entity != mill.Entity() ||
			!strings.Contains(got[0].Error(), "Transform.Rotation {0 0 NaN NaN} is not of unit length") {
			t.Errorf("rotation %v: errors %v, want one of each entity's rotation", bad, got)
		}
		transform.SetWorldRotation(wall, 90)
		transform.SetWorldRotation(mill, 45)
		p.Step(w)
		expectNoErrors(t, p)
		if got := components.Transform.Get(mill).Rotation.Angle2D(); !near(got, math.Pi/4, 1e-12) {
			t.Errorf("the rotation is %v, want %v", got, math.Pi/4)
		}
	}
}

func TestTransform2DDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w := donburi.NewWorld()
	anchor := w.Entry(w.Create(transform.Transform))
	for i := range 100 {
		d := disc(w, float64(i%10), float64(i/10), vec(float64(i%5)-2, float64(i%7)-3, 0), 0.4)
		if i%2 == 0 {
			transform.AppendChild(anchor, d, true)
		}
	}
	for i := range 4 {
		board(w, -3, -3, float64(i)) // rotated, so that their shapes would change with the rotation
	}
	p := systems.NewPhysics(systems.Config{Transform2D: true})
	for range 200 {
		p.Step(w)
	}
	if got := testing.AllocsPerRun(50, func() { p.Step(w) }); got > 0 {
		t.Errorf("allocations a step: got %v, want 0", got)
	}
}

// The first step turned a new box back, since Donburi's transform had no angle.
func TestANewBoxKeepsItsAngleWithDonburisTransform(t *testing.T) {
	w, p := donburi.NewWorld(), flatPhysics()
	box := components.CreateBox2D(w, vec(3, 4, 0), 2, 1, 0.5, transform.Transform)
	p.Step(w)
	expectNoErrors(t, p)
	want := collide.Rotation2D(0.5)
	if got := components.Transform.Get(box).Rotation; !near(got.Z, want.Z, 1e-15) || !near(got.W, want.W, 1e-15) {
		t.Errorf("the rotation is %v, want %v", got, want)
	}
}

// Walls that rotated got their rotation back in each step: Donburi's transform didn't follow.
func TestDonburiRotationFollowsWallsThatRotate(t *testing.T) {
	for _, parent := range []bool{false, true} {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Transform2D: true})
		rotating := []donburi.IComponentType{transform.Transform, components.Velocity, components.AngularVelocity}
		box := func(x, y float64) *donburi.Entry {
			e := components.CreateBox2D(w, vec(x, y, 0), 60, 5, 0, rotating...)
			components.AngularVelocity.Get(e).Angular.Z = 1
			return e
		}
		mill, door := box(0, 0), box(0, 500)
		components.AngularVelocity.Get(door).Pivot = vec(-60, 0, 0)
		flipper := components.CreateFlipper2D(w, vec(400, 0, 0), vec(500, 0, 0), 5, 1, 1, transform.Transform)
		components.Motor.Get(flipper).On = true
		leader := w.Entry(w.Create(append(rotating, components.Transform)...))
		components.AngularVelocity.Get(leader).Angular.Z = 1
		member := components.CreateBox2D(w, vec(200, 0, 0), 20, 20, 0, components.KinematicGroup, transform.Transform)
		components.KinematicGroup.Get(member).Leader = leader.Entity()
		if parent {
			above := w.Entry(w.Create(transform.Transform))
			transform.SetWorldPosition(above, dmath.NewVec2(-7, 3))
			transform.AppendChild(above, mill, true)
		}
		for range 60 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		const degree = 180 / math.Pi
		c, s := math.Cos(1), math.Sin(1)
		for _, want := range []struct {
			name string
			e    *donburi.Entry
			at   collide.Vec3
		}{
			{"mill", mill, vec(0, 0, 0)},
			{"door", door, vec(60*c-60, 500+60*s, 0)},
			{"flipper", flipper, components.Transform.Get(flipper).Position},
			{"leader", leader, vec(0, 0, 0)},
			{"member of a group", member, vec(200*c, 200*s, 0)},
		} {
			expectPosition(t, want.name, want.e, want.at, 1e-9)
			expectWorldPosition(t, want.name, want.e, want.at.X, want.at.Y)
			if got := components.Transform.Get(want.e).Rotation.Angle2D(); !near(got, 1, 1e-9) {
				t.Errorf("%s: the angle is %v rad, want 1", want.name, got)
			}
			if got := transform.WorldRotation(want.e); !near(got, degree, 1e-6) {
				t.Errorf("%s: Donburi's rotation is %v degrees, want %v", want.name, got, degree)
			}
		}
		lift := components.CreateBox2D(w, vec(-300, 0, 0), 5, 5, 0, transform.Transform, components.Velocity)
		transform.AppendChild(leader, lift, true) // what physics moves doesn't turn with its parent
		components.Velocity.Get(lift).Linear.Y = 2
		for range 30 {
			p.Step(w)
		}
		if got := components.Transform.Get(lift); got.Position.Distance(vec(-300, 1, 0)) > 1e-9 ||
			!near(got.Rotation.Angle2D(), 0, 1e-9) || !near(transform.WorldRotation(lift), 0, 1e-6) {
			t.Errorf("the lift below a mill is at %v, turned by %v, in Donburi %v degrees", got.Position,
				got.Rotation.Angle2D(), transform.WorldRotation(lift))
		}
		transform.SetWorldRotation(mill, 90) // the game turns it
		p.Step(w)
		if got := components.Transform.Get(mill).Rotation.Angle2D(); !near(got, math.Pi/2+1.0/60, 1e-9) {
			t.Errorf("the mill that the game has turned: the angle is %v rad", got)
		}
	}
}

// Motor.Angle counted the rotation that Donburi's transform had: a door at 0.5 rad opened by half.
func TestAMotorDoesNotCountTheRotationOfDonburisTransform(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Transform2D: true})
	door := func(y float64) *donburi.Entry {
		return components.CreateBox2D(w, vec(0, y, 0), 50, 5, 0,
			components.Velocity, components.AngularVelocity, components.Motor, transform.Transform)
	}
	tilted, ridden, table := door(0), door(200), w.Entry(w.Create(transform.Transform))
	transform.SetWorldRotation(tilted, 0.5*180/math.Pi)
	components.Motor.SetValue(tilted, components.MotorData{High: 1, Speed: 3, On: true})
	transform.AppendChild(table, ridden, false)
	components.Motor.SetValue(ridden, components.MotorData{High: 1, Speed: 0.1, On: true})
	for range 100 { // the table turns by 1 rad, and the door on it by a sixth
		transform.GetTransform(table).LocalRotation += 0.01 * 180 / math.Pi
		p.Step(w)
	}
	expectNoErrors(t, p)
	for _, want := range []struct {
		e               *donburi.Entry
		angle, rotation float64
	}{{tilted, 1, 1.5}, {ridden, 1.0 / 6, 1 + 1.0/6}} {
		angle, rotation := components.Motor.Get(want.e).Angle, components.Transform.Get(want.e).Rotation.Angle2D()
		if !near(angle, want.angle, 1e-12) || !near(rotation, want.rotation, 1e-9) {
			t.Errorf("angle %v, rotation %v, want %v and %v", angle, rotation, want.angle, want.rotation)
		}
	}
}
