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

// expectWork steps a world for a second and compares the kinetic energy of elastic balls without
// friction with the work of what rotates at an angular velocity about pivots: at an impact, the
// impulse times the velocity of the surface there. Both follow from the events.
func expectWork(
	t *testing.T, w donburi.World, balls []*donburi.Entry, angular collide.Vec3, pivots map[donburi.Entity]collide.Vec3,
) {
	t.Helper()
	p := systems.NewPhysics(systems.Config{})
	before, met := energy(balls), 0
	checker := newOverlapChecker()
	for step := range 60 {
		p.Step(w)
		worst, work := checker.overlap(w), 0.0
		for e := range pivots {
			if w.Entry(e).HasComponent(components.ShapeCollider) {
				for _, b := range balls {
					worst = max(worst, -shapeGap(b, w.Entry(e))/components.SphereCollider.Get(b).Radius)
				}
			}
		}
		if worst > 1e-9 {
			t.Fatalf("step %d: overlap of %v radii", step, worst)
		}
		for hit := range p.Impacts() {
			u := collide.Vec3{}
			if pivot, ok := pivots[hit.B]; ok {
				m := collide.Rotating{Pivot: pivot, Angular: angular, Seconds: 1.0 / 60}
				u = m.VelocityAt(hit.Point, hit.Time)
				met++
			}
			work += hit.Impulse * hit.Normal.Dot(u)
		}
		now := energy(balls)
		if math.Abs(now-before-work) > 1e-6*now {
			t.Fatalf("step %d: energy from %v to %v, want a change of %v", step, before, now, work)
		}
		before = now
	}
	expectNoErrors(t, p)
	if met == 0 {
		t.Error("no ball met what rotates")
	}
}

func TestTheEnergyOfBallsIsTheWorkOfTheFlippers(t *testing.T) {
	const speed = 60
	for n := range slow.Cases(20) {
		r := rand.New(rand.NewPCG(uint64(n), 3))
		w, pivots := donburi.NewWorld(), map[donburi.Entity]collide.Vec3{}
		for _, x := range []float64{-0.06, 0.06} {
			flipper := spawn(w, at(x, 0, 0), moving(0, 0, 0), capsule(vec(0.04, 0, 0), 0.01),
				about(vec(0, 0, speed), vec(-0.04, 0, 0)), bouncy(1))
			pivots[flipper.Entity()] = vec(x-0.04, 0, 0)
		}
		for _, side := range []collide.Vec3{vec(1, 0, 0), vec(-1, 0, 0), vec(0, 1, 0), vec(0, -1, 0)} {
			wall(w, side.Scale(-0.4), side, bouncy(1))
		}
		var balls []*donburi.Entry
		for k := range 4 {
			v := vec(r.NormFloat64(), r.NormFloat64(), 0)
			balls = append(balls, ball(w, vec(0.15*float64(k)-0.25, 0.2, 0), v.Scale(50/v.Length()), 0.0135, bouncy(1),
				components.BodyData{Locked: components.AxisZ, Mass: 1 + float64(k)}))
		}
		expectWork(t, w, balls, vec(0, 0, speed), pivots)
	}
}

// The wings of the door are boxes, which balls meet in three dimensions, with their edges and
// corners too, and between wing, wall and floor.
func TestTheEnergyOfBallsIsTheWorkOfARevolvingDoor(t *testing.T) {
	for n := range slow.Cases(20) {
		r := rand.New(rand.NewPCG(uint64(n), 4))
		w, speed := donburi.NewWorld(), vec(0, 2+3*r.Float64(), 0)
		door := spawn(w, at(0.3, 0, 0), moving(0, 0, 0), turning(0, speed.Y, 0), bouncy(1), shaped(
			components.ShapePart{Shape: collide.Box{Half: vec(1, 1, 0.05)}},
			components.ShapePart{Shape: collide.Box{Half: vec(0.05, 1, 1)}},
		))
		for _, side := range []collide.Vec3{
			vec(1, 0, 0), vec(-1, 0, 0), vec(0, 1, 0), vec(0, -1, 0), vec(0, 0, 1), vec(0, 0, -1),
		} {
			wall(w, side.Scale(-1.6), side, bouncy(1))
		}
		var balls []*donburi.Entry
		for k := range 12 {
			a := 2 * math.Pi * float64(k) / 12
			balls = append(balls, ball(w, vec(0.3+0.6*math.Cos(a+0.26), 0.5*r.NormFloat64(), 0.6*math.Sin(a+0.26)),
				vec(3*r.NormFloat64(), 3*r.NormFloat64(), 3*r.NormFloat64()), 0.05+0.05*r.Float64(), bouncy(1),
				components.BodyData{Mass: 1 + 3*r.Float64()}))
		}
		expectWork(t, w, balls, speed, map[donburi.Entity]collide.Vec3{door.Entity(): vec(0.3, 0, 0)})
	}
}

// drumOf creates a drum of 36 sides with a radius of 1 m that rotates about Z, between two static
// ends, and balls in it.
func drumOf(w donburi.World, n int, speed float64) (drum *donburi.Entry, balls []*donburi.Entry) {
	const half = 0.3
	drum = spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, speed), rough(0.5),
		shaped(components.ShapePart{Shape: ring(36, 1, half)}))
	wall(w, vec(0, 0, -half), vec(0, 0, 1), rough(0.1))
	wall(w, vec(0, 0, half), vec(0, 0, -1), rough(0.1))
	r := rand.New(rand.NewPCG(1, 1))
	for i := 0; len(balls) < n; i++ {
		p := vec(float64(i%13)*0.11-0.66, float64(i/13/4)*0.11-0.66, float64(i/13%4)*0.12-0.18)
		if math.Hypot(p.X, p.Y) > 0.9 {
			continue
		}
		balls = append(balls, ball(w, p, vec(0, 0, 0), 0.025+0.025*r.Float64(), rough(0.5),
			components.AngularVelocityData{}))
	}
	return drum, balls
}

// runDrum turns a drum of balls, and returns in how many steps after the first second it was
// blocked, and the deepest overlap in any frame, in radii.
func runDrum(t *testing.T, n, steps int) (blocked int, deepest float64) {
	w, p := donburi.NewWorld(), onEarth()
	drum, balls := drumOf(w, n, 0.8)
	checker := newOverlapChecker()
	for step := range steps {
		p.Step(w)
		worst := checker.overlap(w)
		for _, b := range balls {
			r, size := math.Hypot(position(b).X, position(b).Y), components.SphereCollider.Get(b).Radius
			if r > 1 {
				t.Fatalf("step %d: a ball has left the drum, to %v m from its axis", step, r)
			}
			if r+size > 0.99 { // the middle of a side is 0.996 m from the axis
				worst = max(worst, -shapeGap(b, drum)/size)
			}
		}
		if worst > 1e-9 {
			t.Fatalf("step %d: overlap of %v radii", step, worst)
		}
		deepest = max(deepest, worst)
		if step >= 60 && p.Stats().Blocked > 0 {
			blocked++
		}
	}
	expectNoErrors(t, p)
	return blocked, deepest
}

// All cases are ten minutes of the drum, which take longer than all other tests of this package.
func TestAHeapThatFlowsDoesNotBlockItsDrum(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	n, steps := 500, 140
	switch {
	case testing.Short():
		n, steps = 80, 120
	case slow.All():
		steps = 36000
	}
	blocked, deepest := runDrum(t, n, steps)
	t.Logf("blocked in %d of %d steps, overlap %.2g", blocked, steps, deepest)
	if blocked > steps/50 {
		t.Errorf("blocked in %d of %d steps", blocked, steps)
	}
}

// Heaps in two dimensions have more layers than in three, and need more iterations: a drum of 1,000
// circles had 4,000 impacts in a step, and most of its time went into groups of jammed bodies.
func TestADrumOfCirclesHasFewImpacts(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const n, size = 600, 0.0185
	w, p := donburi.NewWorld(), onEarth()
	drum := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0.8), rough(0.5),
		shaped(components.ShapePart{Shape: ring(96, 1, 0.1)}))
	r := rand.New(rand.NewPCG(1, 1))
	var balls []*donburi.Entry
	for k := 0; len(balls) < n; k++ {
		at := vec(float64(k%34)*0.042-0.7, float64(k/34)*0.042-0.7, 0)
		if at.Length() > 0.95 {
			continue
		}
		balls = append(balls, ball(w, at, vec(0, 0, 0), size*(0.6+0.4*r.Float64()), rough(0.5),
			components.BodyData{Locked: components.AxisZ}, components.AngularVelocityData{}))
	}
	impacts, steps := 0, 100
	for step := range steps {
		p.Step(w)
		if step >= 60 {
			impacts += p.Stats().Impacts
		}
	}
	expectNoErrors(t, p)
	for _, b := range balls {
		if gap := shapeGap(b, drum); gap < -1e-9*size {
			t.Errorf("a circle is %v m inside of the drum", -gap)
		}
	}
	t.Logf("%d impacts in %d steps", impacts, steps-60)
	if impacts > 40*600 { // it has 16,500, and 33,500 with fewer iterations
		t.Errorf("%d impacts in %d steps", impacts, steps-60)
	}
}

// binOf creates a closed bin that a motor turns over and back about Z, and balls in it.
func binOf(w donburi.World) (bin *donburi.Entry, balls []*donburi.Entry) {
	const thick = 0.02
	var parts []components.ShapePart
	for _, n := range []collide.Vec3{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)} {
		half := vec(0.5, 0.5, 0.5).Sub(n.Scale(0.5 - thick))
		for _, side := range []float64{-1, 1} {
			at := n.Scale(side * (0.5 + thick))
			parts = append(parts, components.ShapePart{Shape: collide.Box{Half: half}, Position: at})
		}
	}
	bin = spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0), rough(0.4), shaped(parts...), components.MotorData{
		High: math.Pi, Speed: 3, On: true, Swing: true,
	})
	r := rand.New(rand.NewPCG(7, 7))
	for k := range 60 {
		balls = append(balls, ball(w, vec(float64(k%5)*0.19-0.38, float64(k/20)*0.19-0.38, float64(k/5%4)*0.19-0.28),
			vec(0, 0, 0), 0.05+0.04*r.Float64(), rough(0.4), components.AngularVelocityData{}))
	}
	return bin, balls
}

func TestABinThatIsTurnedOverAndBackKeepsItsBalls(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w, p := donburi.NewWorld(), onEarth()
	bin, balls := binOf(w)
	checker, over, back, was := newOverlapChecker(), 0, 0, 0.0
	for step := range slow.Cases(600) + 140 {
		p.Step(w)
		worst := checker.overlap(w)
		for _, b := range balls {
			worst = max(worst, -shapeGap(b, bin)/components.SphereCollider.Get(b).Radius)
			q := components.Transform.Get(bin).Rotation
			local := collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}.Rotate(position(b))
			if local.MaxAbs() > 0.5 {
				t.Fatalf("step %d: a ball is at %v in the frame of the bin", step, local)
			}
		}
		if worst > 1e-9 {
			t.Fatalf("step %d: overlap of %v radii", step, worst)
		}
		angle := components.Motor.Get(bin).Angle
		if angle == math.Pi && was != angle {
			over++
		}
		if angle == 0 && was != angle {
			back++
		}
		was = angle
	}
	expectNoErrors(t, p)
	if over == 0 || back == 0 {
		t.Errorf("turned over %d times and back %d times", over, back)
	}
}

func TestDrumAndBinGiveTheSameBitsWithAnyNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	for name, build := range map[string]func(w donburi.World) []*donburi.Entry{
		"drum": func(w donburi.World) []*donburi.Entry { _, balls := drumOf(w, 120, 0.8); return balls },
		"bin":  func(w donburi.World) []*donburi.Entry { _, balls := binOf(w); return balls },
	} {
		var want []collide.Vec3
		for _, workers := range []int{1, 2, 7} {
			w := donburi.NewWorld()
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
			balls := build(w)
			steps(t, w, p, slow.Cases(60)+30)
			got := states(balls)
			if want == nil {
				want = got
			}
			for k := range got {
				if !got[k].SameBits(want[k]) {
					t.Fatalf("%s, %d workers: value %d is %v, want %v", name, workers, k, got[k], want[k])
				}
			}
		}
	}
}
