package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestAPileOfCratesAndBallsComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, twoD := range []bool{false, true} {
		w, p := newCrateWorld()
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0), components.Material)
		const room = 2.5
		for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
			if !twoD || n.Z == 0 {
				components.CreatePlane(w, n.Scale(-room), n)
			}
		}
		r := rand.New(rand.NewPCG(3, 1))
		var all []*donburi.Entry
		for i := range 40 {
			x := vec(r.Float64()*3.4-1.7, 1+0.9*float64(i), r.Float64()*3.4-1.7)
			if twoD {
				x.Z = 0
			}
			var e *donburi.Entry
			switch {
			case i%4 == 0 && twoD:
				e = components.CreateCircle2D(w, x, 0.3)
			case i%4 == 0:
				e = components.CreateBall(w, x, 0.3)
			case i%4 == 1:
				pill := collide.Capsule{A: vec(-0.2, 0, 0), B: vec(0.2, 0.1, 0), Radius: 0.2}
				e = components.CreateShapeBody(w, x, pill)
			case twoD:
				e = components.CreateCrate2D(w, x, 0.2+0.2*r.Float64(), 0.2+0.2*r.Float64())
			default:
				e = components.CreateCrate(w, x, vec(0.2+0.2*r.Float64(), 0.2+0.2*r.Float64(), 0.2+0.2*r.Float64()))
				components.Transform.Get(e).Rotation = collide.RotationBy(vec(0, r.Float64(), 0))
			}
			if twoD {
				components.Body.Get(e).Locked = components.AxisZ
			}
			components.Material.Get(e).Friction = 0.5
			components.Material.Get(e).Restitution = 0.2
			all = append(all, e)
		}
		asleep := 0
		for step := range 1200 {
			p.Step(w)
			expectNoErrors(t, p)
			if step%20 == 0 {
				checkApart(t, step, all, 100, false)
			}
			if asleep = p.Stats().Asleep; asleep == len(all) {
				break
			}
		}
		if asleep < len(all) {
			t.Errorf("2D=%v: %d of %d sleep after 20 s", twoD, asleep, len(all))
		}
	}
}

func TestAPyramidOfCratesStands(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	var all []*donburi.Entry
	for row := range 8 {
		for i := range 8 - row {
			e := components.CreateCrate(w, vec(1.02*(float64(i)+float64(row)/2), 0.5+float64(row), 0), crateHalf)
			components.Material.Get(e).Friction = 0.5
			all = append(all, e)
		}
	}
	for range 600 {
		p.Step(w)
		expectNoErrors(t, p)
		if p.Stats().Asleep == len(all) {
			break
		}
	}
	checkApart(t, 0, all, 100, false)
	if n := p.Stats().Asleep; n < len(all) {
		t.Errorf("%d of %d crates sleep", n, len(all))
	}
}

func TestACrateBouncesLikeABall(t *testing.T) {
	w, p := newCrateWorld()
	floor := components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0), components.Material)
	components.Material.SetValue(floor, components.MaterialData{Restitution: 0.2, Friction: 0.3})
	ball := components.CreateBall(w, vec(0, 3, 0), 0.5)
	crate := components.CreateCrate(w, vec(5, 3, 0), crateHalf)
	for _, e := range []*donburi.Entry{ball, crate} {
		components.Velocity.Get(e).Linear = vec(2, 0, 0)
		components.Material.SetValue(e, components.MaterialData{Restitution: 0.6, Friction: 0.1})
	}
	for range 200 {
		p.Step(w)
		expectNoErrors(t, p)
		d := components.Transform.Get(crate).Position.Sub(components.Transform.Get(ball).Position)
		if d.Distance(vec(5, 0, 0)) > 1e-9 {
			t.Fatalf("the crate is at %v from the ball, want 5 m", d)
		}
	}
}

func TestACrateOnTerrainAndAChain(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	flat := make([]float64, 41*41)
	field, err := collide.NewHeightField(vec(0, 0, 0), 1, 1, 41, flat)
	if err != nil {
		t.Fatal(err)
	}
	w, p := newCrateWorld()
	components.CreateHeightField(w, vec(0, 0, 0), field)
	e := components.CreateCrate(w, vec(3, 0.3, 4), vec(0.4, 0.3, 0.5))
	v := vec(5, 0, 4.3)
	components.Velocity.Get(e).Linear = v
	points := []collide.Vec3{}
	for i := range 60 {
		points = append(points, collide.Vec2(float64(i)*0.7, -10))
	}
	if _, err := components.CreateChain2D(w, points, false); err != nil {
		t.Fatal(err)
	}
	on := components.CreateCrate2D(w, collide.Vec2(2, -9.5), 0.4, 0.5)
	components.Velocity.Get(on).Linear = v.Add(vec(0, 0, -v.Z))
	stepCrates(t, p, w, 360)
	if x, want := components.Transform.Get(e).Position, vec(3, 0.3, 4).AddScaled(6, v); x.Distance(want) > 1e-9 {
		t.Errorf("on terrain it is at %v, want %v", x, want)
	}
	if x, want := components.Transform.Get(on).Position, vec(2+6*v.X, -9.5, 0); x.Distance(want) > 1e-9 {
		t.Errorf("on a chain it is at %v, want %v", x, want)
	}
}

func TestACrateSlidesAKilometreOverThinTriangles(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	mesh := flatFloor(100, 0.5, 2, func(p collide.Vec3) collide.Vec3 { return vec(20*p.X, 0, p.Z) })
	for _, shape := range []collide.Shape{
		collide.Box{Half: vec(0.4, 0.3, 0.5), Rotation: collide.RotationBy(vec(0, 0.4, 0))},
		collide.Capsule{A: vec(-0.3, 0, 0), B: vec(0.3, 0, 0.2), Radius: 0.3},
	} {
		w, p := newCrateWorld()
		components.CreateMesh(w, vec(0, 0, 0), mesh)
		start, v := vec(-495, 0.3, -9), vec(50, 0, 1.1)
		e := components.CreateShapeBody(w, start, shape)
		components.Velocity.Get(e).Linear = v
		stepCrates(t, p, w, 1180)
		want := start.AddScaled(1180.0/60, v)
		if x := components.Transform.Get(e).Position; math.Abs(x.Y-0.3) > 1e-9 || x.Distance(want) > 1e-8 {
			t.Errorf("%T: it is at %v, want %v", shape, x, want)
		}
		if u := components.Velocity.Get(e).Linear; u.Distance(v) > 1e-9 {
			t.Errorf("%T: its velocity is %v, want %v", shape, u, v)
		}
	}
}

func TestCratesConserveMomentum(t *testing.T) {
	for _, restitution := range []float64{0, 0.5, 1} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{})
		var all []*donburi.Entry
		for i := range 6 {
			e := components.CreateCrate(w, vec(1.5*float64(i), 0.1*float64(i), 0.05*float64(i)), crateHalf)
			components.Velocity.Get(e).Linear = vec(3-float64(i), 0.2, 0.1*float64(i))
			components.Body.Get(e).Mass = 1 + float64(i)
			components.Material.SetValue(e, components.MaterialData{Restitution: restitution, Friction: 0.3})
			all = append(all, e)
		}
		momentum := func() (sum collide.Vec3) {
			for _, e := range all {
				sum = sum.AddScaled(components.Body.Get(e).Mass, components.Velocity.Get(e).Linear)
			}
			return sum
		}
		before, energy := momentum(), kineticEnergy(all)
		stepCrates(t, p, w, 120)
		if after := momentum(); after.Distance(before) > 1e-9 {
			t.Errorf("restitution %v: the momentum has changed from %v to %v", restitution, before, after)
		}
		if after := kineticEnergy(all); after > energy*(1+1e-9) {
			t.Errorf("restitution %v: the energy has grown from %v to %v", restitution, energy, after)
		}
	}
}

func TestAMillSweepsCratesAside(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	arm := components.CreatePolygon(w, []collide.Vec3{vec(-2, 0, 0), vec(2, 0, 0), vec(2, 2, 0), vec(-2, 2, 0)},
		components.Velocity, components.AngularVelocity)
	components.AngularVelocity.Get(arm).Angular = vec(0, 1.5, 0)
	crate := components.CreateCrate(w, vec(1.2, 0.4, 0.8), vec(0.4, 0.4, 0.4))
	start := components.Transform.Get(crate).Position
	for range 120 {
		p.Step(w)
		expectNoErrors(t, p)
		for g := range p.Gaps(placed(crate), 0.1, systems.Filter{}) {
			if g.Entity != crate.Entity() && g.Distance < -1e-6 {
				t.Fatalf("the crate is %v m inside %v", -g.Distance, g.Entity)
			}
		}
	}
	if d := components.Transform.Get(crate).Position.Sub(start); d.Length() < 0.3 || math.Abs(d.Y) > 1e-6 {
		t.Errorf("the crate has moved by %v", d)
	}
}

func TestARowOfTouchingCratesPassesAnImpactOn(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{TouchingGap: 1e-6})
	var all []*donburi.Entry
	for i := range 5 {
		x := vec(float64(i), 0, 0)
		if i == 0 {
			x.X = -1
		}
		e := components.CreateCrate(w, x, crateHalf)
		components.Material.Get(e).Restitution = 1
		all = append(all, e)
	}
	components.Velocity.Get(all[0]).Linear = vec(3, 0, 0)
	stepCrates(t, p, w, 60)
	for i, e := range all {
		want := vec(0, 0, 0)
		if i == 4 {
			want.X = 3
		}
		if v := components.Velocity.Get(e).Linear; v.Distance(want) > 1e-9 {
			t.Errorf("crate %d moves at %v, want %v", i, v, want)
		}
	}
}

func TestACharacterStandsOnACrate(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	crate := components.CreateCrate(w, vec(0, 0.5, 0), crateHalf)
	components.Body.Get(crate).Mass = 50
	hero := components.CreateCharacter(w, vec(0.2, 2.2, 0), 0.3, 1.8)
	stepCrates(t, p, w, 120)
	if y := components.Transform.Get(hero).Position.Y; math.Abs(y-1.9) > 0.01 {
		t.Errorf("the middle of a character on a crate is at height %v, want 1.9", y)
	}
	if x := components.Transform.Get(crate).Position; x.Distance(vec(0, 0.5, 0)) > 1e-6 {
		t.Errorf("it has moved the crate to %v", x)
	}
}
