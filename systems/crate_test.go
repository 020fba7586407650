package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// crateHalf is half the side lengths of the cubes of these tests.
var crateHalf = vec(0.5, 0.5, 0.5)

func newCrateWorld() (donburi.World, *systems.Physics) {
	return donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
}

func stepCrates(t *testing.T, p *systems.Physics, w donburi.World, n int) {
	t.Helper()
	for range n {
		p.Step(w)
		expectNoErrors(t, p)
	}
}

func TestACrateFallsExactly(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	const height = 5.0
	crate := components.CreateCrate(w, vec(0, height+0.5, 0), crateHalf)
	components.Material.Get(crate).Restitution = 0.5
	seconds := math.Sqrt(2 * height / 9.81)
	var hit *systems.Impact
	for n := 0; hit == nil && n < 100; n++ {
		p.Step(w)
		expectNoErrors(t, p)
		for e := range p.Impacts() {
			hit = &e
		}
		if hit != nil {
			got := float64(n)/60 + hit.Time
			// The path in a step is the chord of the parabola, at most g·dt²/8 from it.
			if math.Abs(got-seconds) > 9.81/3600/8/(9.81*seconds)*1.01 {
				t.Errorf("it hits the floor after %v s, want %v", got, seconds)
			}
			if hit.Point.Y != 0 || math.Abs(hit.Point.X) > 1e-12 || hit.Normal.Distance(vec(0, 1, 0)) > 1e-12 &&
				hit.Normal.Distance(vec(0, -1, 0)) > 1e-12 {
				t.Errorf("the impact is at %v along %v, want the middle of the lower face", hit.Point, hit.Normal)
			}
		}
	}
	if hit == nil {
		t.Fatal("it never hits the floor")
	}
}

func TestAStackOfTenCratesSleepsAndStaysForAMinute(t *testing.T) {
	w, p := newCrateWorld()
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	var crates []*donburi.Entry
	for i := range 10 {
		e := components.CreateCrate(w, vec(0, 0.5+float64(i), 0), crateHalf)
		components.Material.Get(e).Friction = 0.5
		crates = append(crates, e)
	}
	stepCrates(t, p, w, 600)
	var rest []collide.Vec3
	for i, e := range crates {
		if !p.Asleep(e.Entity()) {
			t.Errorf("crate %d is awake after ten seconds", i)
		}
		rest = append(rest, components.Transform.Get(e).Position)
		if got := components.Transform.Get(e).Position; math.Abs(got.Y-(0.5+float64(i))) > 0.01*float64(i)+1e-9 ||
			got.X != 0 || got.Z != 0 {
			t.Errorf("crate %d is at %v", i, got)
		}
	}
	stepCrates(t, p, w, 3000)
	for i, e := range crates {
		if got := components.Transform.Get(e).Position; got != rest[i] {
			t.Errorf("crate %d has moved from %v to %v", i, rest[i], got)
		}
	}
}

// shapeOf returns a body's shape where it is, for package collide.
func placed(e *donburi.Entry) collide.Convex {
	x := components.Transform.Get(e).Position
	if e.HasComponent(components.SphereCollider) {
		return collide.Sphere{Center: x, Radius: components.SphereCollider.Get(e).Radius}
	}
	return collide.NewPlaced(components.ShapeCollider.Get(e).Shape.(collide.Convex), x,
		components.Transform.Get(e).Rotation)
}

// gasOfShapes fills a closed room with boxes, capsules, hulls and spheres that bounce without loss.
func gasOfShapes(w donburi.World, n int, twoD bool, size float64, order []int) []*donburi.Entry {
	for _, wall := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		if twoD && wall.Z != 0 {
			continue
		}
		e := components.CreatePlane(w, wall.Scale(-size), wall, components.Material)
		components.Material.Get(e).Restitution = 1
	}
	pyramid, err := collide.NewHull([]collide.Vec3{
		vec(-0.4, -0.3, -0.4), vec(0.4, -0.3, -0.4), vec(0.4, -0.3, 0.4), vec(-0.4, -0.3, 0.4), vec(0.1, 0.5, 0),
	})
	if err != nil {
		panic(err)
	}
	wedge, err := collide.NewHull2D([]collide.Vec3{vec(-0.4, -0.3, 0), vec(0.4, -0.3, 0), vec(0.1, 0.5, 0)})
	if err != nil {
		panic(err)
	}
	all := make([]*donburi.Entry, n)
	side := int(math.Ceil(math.Cbrt(float64(n))))
	if twoD {
		side = int(math.Ceil(math.Sqrt(float64(n))))
	}
	for _, i := range order {
		r := rand.New(rand.NewPCG(uint64(i), 9))
		cell := func(k int) float64 { return (float64(k)+0.5)*2*size/float64(side) - size }
		x := vec(cell(i%side), cell(i/side%side), cell(i/side/side))
		v := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(5)
		turn := collide.RotationBy(vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()))
		if twoD {
			x.Z, v.Z, turn = 0, 0, collide.RotationBy(vec(0, 0, r.NormFloat64()))
		}
		half := func() float64 { return 0.2 + float64(0.2*r.Float64()) } // rounded: no fused multiply-add
		var e *donburi.Entry
		switch kind := i % 5; {
		case kind == 0:
			e = components.CreateBall(w, x, 0.3+float64(0.2*r.Float64()))
		case kind == 1 && twoD:
			e = components.CreateCrate2D(w, x, half(), half())
		case kind == 1:
			e = components.CreateCrate(w, x, vec(half(), half(), half()))
		case kind == 2:
			e = components.CreateCrate(w, x, vec(0.3, 0.25, 0.45))
			components.Transform.Get(e).Rotation = turn
		case kind == 3:
			e = components.CreateShapeBody(w, x, collide.Capsule{A: vec(-0.2, 0.1, 0), B: vec(0.2, 0, 0), Radius: 0.25})
			components.Transform.Get(e).Rotation = turn
		case twoD:
			e = components.CreateShapeBody(w, x, wedge)
		default:
			e = components.CreateShapeBody(w, x, pyramid)
			components.Transform.Get(e).Rotation = turn
		}
		components.Velocity.Get(e).Linear = v
		components.Material.Get(e).Restitution = 1
		components.Body.Get(e).Mass = 0.5 + r.Float64()
		if twoD {
			components.Body.Get(e).Locked = components.AxisZ
		}
		all[i] = e
	}
	return all
}

func kineticEnergy(all []*donburi.Entry) (energy float64) {
	for _, e := range all {
		energy += components.Body.Get(e).Mass * components.Velocity.Get(e).Linear.LengthSquared() / 2
	}
	return energy
}

func upTo(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func TestElasticShapesKeepTheirEnergyAndNeverOverlap(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, twoD := range []bool{false, true} {
		t.Run(fmt.Sprintf("2D=%v", twoD), func(t *testing.T) {
			n, size := 200, 4.0
			if twoD {
				size = 9
			}
			w := donburi.NewWorld()
			all := gasOfShapes(w, n, twoD, size, upTo(n))
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, 0, 0)})
			before := kineticEnergy(all)
			impacts := 0
			count := 60
			if testing.Short() {
				count = 20
			}
			for step := range count {
				p.Step(w)
				expectNoErrors(t, p)
				impacts += p.Stats().Impacts
				checkApart(t, step, all, size, twoD)
			}
			if after := kineticEnergy(all); math.Abs(after/before-1) > 1e-9 {
				t.Errorf("the energy has changed from %v to %v", before, after)
			}
			if impacts < n*count/60 {
				t.Errorf("only %d impacts", impacts)
			}
		})
	}
}

// checkApart checks that no two shapes overlap, and none leaves the room.
func checkApart(t *testing.T, step int, all []*donburi.Entry, size float64, twoD bool) {
	t.Helper()
	for i, e := range all {
		a := placed(e)
		box := a.Bounds()
		for _, f := range all[:i] {
			b := placed(f)
			if !box.Overlaps(b.Bounds()) {
				continue
			}
			if g := collide.Separation(a, b); g.Distance < -2e-10 {
				t.Fatalf("step %d: %v and %v overlap by %v", step, e.Entity(), f.Entity(), -g.Distance)
			}
		}
		if twoD {
			box.Min.Z, box.Max.Z = 0, 0
		}
		if box.Min.MaxAbs() > size+1e-9 || box.Max.MaxAbs() > size+1e-9 {
			t.Fatalf("step %d: %v has left the room: %v", step, e.Entity(), box)
		}
	}
}

// A box that rotates comes near a crate more slowly than it would in another direction. It takes
// the search for their impact more steps than it may make to come as close as a touch.
func TestARotatingBoxDoesNotSinkIntoACrateInItsWay(t *testing.T) {
	w := donburi.NewWorld()
	q := collide.RotationBy(vec(-0.08828627, -0.0048545, 0.0465025))
	mill := collide.Box{Half: vec(0.3753552976113438, 0.6190884075528558, 0.6323775117394412)}
	spawn(w, components.TransformData{Position: vec(0, -1.21, 0.1), Rotation: q}, moving(0, -2, -1),
		turning(-3, 0, 1), components.ShapeColliderData{Shape: mill})
	crate := components.CreateCrate(w, vec(0, -1.52, -0.9), vec(0.34186, 0.34186, 0.34186))
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	if n := p.Stats().Impacts; n == 0 || position(crate).Z > -0.905 {
		t.Errorf("%d impacts, and the crate is at %v; the box reaches 9 mm into where it was", n, position(crate))
	}
}

// A crate that slept was pressed on harder, so it woke, and was at rest again in the same step. A
// ball that met it in that step was predicted to meet one that falls, and got 1.4 mm into it.
func TestABallMeetsACrateThatAForceWakesWhereItIs(t *testing.T) {
	const dt, g, radius, top = 1.0 / 60, 10.0, 0.5, 1.0
	for _, pressed := range []bool{false, true} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0)})
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
		crate := components.CreateCrate(w, vec(0, 0.5, 0), vec(0.5, 0.5, 0.5), components.Force)
		stepCrates(t, p, w, 60)
		if !p.Asleep(crate.Entity()) {
			t.Fatal("the crate is awake, so this tests nothing")
		}
		const speed, gap = 5.0, 0.05
		ball(w, vec(0, top+radius+gap, 0), vec(0, -speed, 0), radius)
		if pressed {
			components.Force.Get(crate).Force = vec(0, -5, 0)
		}
		stepCrates(t, p, w, 1)
		want, met := gap/(speed+g*dt/2), false
		for e := range p.Impacts() {
			met = true
			if math.Abs(e.Time-want) > 1e-12 {
				t.Errorf("pressed %v: the ball meets the crate at %v s, want %v", pressed, e.Time, want)
			}
			break
		}
		if !met {
			t.Errorf("pressed %v: they don't meet", pressed)
		}
	}
}
