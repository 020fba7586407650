package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// about returns an angular velocity about a pivot in the frame of the Transform.
func about(w, pivot collide.Vec3) components.AngularVelocityData {
	return components.AngularVelocityData{Angular: w, Pivot: pivot}
}

// gapTo returns the gap between a ball and the capsule, polygon or plane of another entity as they
// are now, negative inside.
func gapTo(ball, wall *donburi.Entry) float64 {
	p, r := position(ball), components.SphereCollider.Get(ball).Radius
	transform := *components.Transform.Get(wall)
	switch {
	case wall.HasComponent(components.CapsuleCollider):
		c := components.CapsuleCollider.Get(wall).Shape(transform)
		return c.SignedDistance(p) - r
	case wall.HasComponent(components.PolygonCollider):
		g, err := components.PolygonCollider.Get(wall).Shape(transform)
		if err != nil {
			panic(err)
		}
		return g.ClosestPoint(p).Distance(p) - r
	}
	d := components.PlaneCollider.Get(wall)
	n, _ := transform.Rotation.Rotate(d.Normal).Normalized()
	return n.Dot(p.Sub(transform.Position)) - d.Distance - r
}

func TestARotatingWallMovesAsItsAngularVelocitySays(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	door := spawn(w, at(1, 2, 3), moving(0.5, 0, 0), capsule(vec(1, 0, 0), 0.1), about(vec(0, 0, 2), vec(-1, 0, 0)))
	for range 60 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	// The pivot has moved by 0.5 m, and the middle is 1 m away from it at 2 rad.
	want := vec(0.5, 2, 3).Add(vec(math.Cos(2), math.Sin(2), 0))
	expectPosition(t, "door", door, want, 1e-13)
	q := components.Transform.Get(door).Rotation
	if got := 2 * math.Atan2(q.Z, q.W); !near(got, 2, 1e-13) {
		t.Errorf("turned by %v, want 2", got)
	}
}

func TestAnElasticBallBouncesOffARotatingWallWithItsVelocityAtTheContact(t *testing.T) {
	for _, shape := range []any{
		capsule(vec(1, 0, 0), 0.125),
		square(1),
		plane(0, 1, 0),
	} {
		t.Run(fmt.Sprintf("%T", shape), func(t *testing.T) {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
			b := ball(w, vec(0.8, 0.5, 0), vec(0, -3, 0), 0.25, bouncy(1))
			spawn(w, at(0, 0, 0), moving(0, 0, 0), shape, turning(0, 0, 5), bouncy(1))
			before := energy([]*donburi.Entry{b})
			work, impacts := 0.0, 0
			motion := collide.Rotating{Angular: vec(0, 0, 5), Seconds: 1.0 / 60}
			for range 20 {
				p.Step(w)
				for i := range p.Impacts() {
					u := motion.VelocityAt(i.Point, i.Time)
					work += math.Abs(i.Impulse) * math.Abs(u.Dot(i.Normal))
					impacts++
				}
			}
			expectNoErrors(t, p)
			if got := energy([]*donburi.Entry{b}) - before; impacts == 0 || !near(got, work, 1e-9*got) {
				t.Errorf("%d impacts, the ball gained %v J, and the wall did work of %v J", impacts, got, work)
			}
		})
	}
}

func TestFastBallsDoNotPassFastFlippers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range slow.Cases(200) {
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		e := float64(n%3) * 0.5
		flipper := spawn(w, at(0, 0, 0), moving(0, 0, 0), capsule(vec(0.04, 0, 0), 0.01),
			about(vec(0, 0, 60), vec(-0.04, 0, 0)), bouncy(e))
		v := vec(r.NormFloat64(), r.NormFloat64(), 0)
		v = v.Scale(50 / v.Length())
		at := vec(0.1*r.NormFloat64(), 0.1*r.NormFloat64(), 0)
		b := ball(w, at.Sub(v.Scale(0.04*r.Float64())), v, 0.0135, bouncy(e),
			components.BodyData{Locked: components.AxisZ})
		if gapTo(b, flipper) < 0 {
			continue
		}
		for step := range 12 {
			p.Step(w)
			if gap := gapTo(b, flipper); gap < -1e-9*0.0135 {
				t.Fatalf("scene %d, step %d: overlap of %v, restitution %v", n, step, -gap, e)
			}
		}
		expectNoErrors(t, p)
	}
}

// TestAPushedBallSlidesAlongARotatingDoorAsTheClosedFormSays compares with x” = ω²·x, the motion of
// a ball in the frame of a door without friction.
func TestAPushedBallSlidesAlongARotatingDoorAsTheClosedFormSays(t *testing.T) {
	const omega, offset, from = 3.0, 0.35, 1.2
	deviation := func(perSecond int) float64 {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{StepSeconds: 1 / float64(perSecond)})
		door := spawn(w, at(0, 0, 0), moving(0, 0, 0), capsule(vec(1, 0, 0), 0.1),
			about(vec(0, 0, omega), vec(-1, 0, 0)))
		b := ball(w, vec(from-1, offset, 0), vec(0, 0, 0), 0.25)
		n := perSecond / 5
		for range n {
			p.Step(w)
			if gap := gapTo(b, door); math.Abs(gap) > 1e-9*0.25 {
				t.Fatalf("gap %v", gap)
			}
			if s := p.Stats(); s.SpentBudgets > 0 || s.Blocked > 0 {
				t.Fatalf("%+v", s)
			}
		}
		expectNoErrors(t, p)
		// At the start, the ball moves by omega·offset along the door, which moves.
		angle := omega * float64(n) / float64(perSecond)
		x := from*math.Cosh(angle) + offset*math.Sinh(angle)
		got := collide.RotationAround(vec(0, 0, 1), -angle).Rotate(position(b).Sub(vec(-1, 0, 0)))
		return math.Abs(got.X - x)
	}
	coarse, fine := deviation(60), deviation(240)
	if coarse > 2e-3 || fine > coarse/3 {
		t.Errorf("off by %v m with 60 steps a second, and by %v with 240", coarse, fine)
	}
}

// TestABallRollsOnATurntableAsTheClosedFormSays: its path is a circle, at 2/7 of the rate of the
// turntable.
func TestABallRollsOnATurntableAsTheClosedFormSays(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), StepSeconds: 1.0 / 240})
	const omega = 2.0
	spawn(w, at(0, 0, 0), moving(0, 0, 0), plane(0, 1, 0), turning(0, omega, 0), rough(10))
	b := ball(w, vec(1, 0.1, 0), vec(0, 0, 0.3), 0.1, rough(10), components.AngularVelocityData{})
	for range 60 { // until it rolls
		p.Step(w)
	}
	from, seconds := velocity(b), 2.0
	for range int(seconds * 240) {
		p.Step(w)
		if y := position(b).Y; !near(y, 0.1, 1e-9) {
			t.Fatalf("height %v", y)
		}
	}
	expectNoErrors(t, p)
	to := velocity(b)
	angle := math.Atan2(from.Cross(to).Y, from.Dot(to))
	want := 2.0 / 7 * omega * seconds
	if !near(angle, want, 0.01*want) || !near(to.Length(), from.Length(), 0.02*from.Length()) {
		t.Errorf("its velocity turned by %v, want %v; speed %v, was %v", angle, want, to.Length(), from.Length())
	}
}

func TestABallThatSticksIsCarriedByATurntable(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	spawn(w, at(0, 0, 0), moving(0, 0, 0), plane(0, 1, 0), turning(0, 1, 0), rough(1))
	b := ball(w, vec(1, 0.1, 0), vec(0, 0, -1), 0.1, rough(1))
	for range 120 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	want := vec(math.Cos(2), 0.1, -math.Sin(2))
	expectPosition(t, "ball", b, want, 1e-4)
}

func TestBallsFallAsleepOnWhatStopsRotating(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	floor := spawn(w, at(0, 0, 0), moving(0, 0, 0), square(5), turning(0, 0.5, 0), rough(0.5))
	var balls []*donburi.Entry
	for i := range 3 {
		balls = append(balls, ball(w, vec(float64(i)*0.7, 0.25, 0), vec(0, 0, 0), 0.25, rough(0.5)))
	}
	for range 60 {
		p.Step(w)
	}
	if p.Stats().Asleep > 0 {
		t.Error("balls sleep on a floor that rotates")
	}
	components.AngularVelocity.Get(floor).Angular = vec(0, 0, 0)
	for range 240 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	if got := p.Stats().Asleep; got != 3 {
		t.Errorf("%d of 3 balls sleep", got)
	}
	at := states(balls)
	components.AngularVelocity.Get(floor).Angular = vec(0, 0.5, 0)
	for range 60 {
		p.Step(w)
	}
	if p.Stats().Asleep > 0 || position(balls[2]).Distance(at[4]) < 0.3 {
		t.Errorf("%d balls sleep, and the outer one moved by %v", p.Stats().Asleep, position(balls[2]).Distance(at[4]))
	}
}

// rotatingScene fills a world and returns the balls.
type rotatingScene struct {
	name  string
	build func(w donburi.World) []*donburi.Entry
	steps int
}

var rotatingScenes = []rotatingScene{
	{"a drum", func(w donburi.World) []*donburi.Entry {
		var balls []*donburi.Entry
		for k := range 12 {
			a := 2 * math.Pi * float64(k) / 12
			n := vec(math.Cos(a), math.Sin(a), 0)
			u := vec(-n.Y, n.X, 0).Scale(math.Tan(math.Pi / 12))
			spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 1), rough(0.4), components.PolygonColliderData{
				Points: []collide.Vec3{
					n.Add(u).Add(vec(0, 0, -1)), n.Add(u).Add(vec(0, 0, 1)),
					n.Sub(u).Add(vec(0, 0, 1)), n.Sub(u).Add(vec(0, 0, -1)),
				},
			})
		}
		wall(w, vec(0, 0, -0.3), vec(0, 0, 1), rough(0.4))
		wall(w, vec(0, 0, 0.3), vec(0, 0, -1), rough(0.4))
		r := rand.New(rand.NewPCG(1, 1))
		for i := range 100 {
			radius := 0.03 + 0.02*r.Float64()
			balls = append(balls, ball(w,
				vec(float64(i%10)*0.12-0.54, float64(i/10)*0.12-0.6, 0.02*r.Float64()), vec(0, 0, 0), radius,
				rough(0.4), components.AngularVelocityData{}))
		}
		return balls
	}, 300},
	{"a revolving door", func(w donburi.World) []*donburi.Entry {
		var balls []*donburi.Entry
		for k := range 3 {
			a := 2 * math.Pi * float64(k) / 3
			spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 3, 0), bouncy(0.3), components.CapsuleColliderData{
				B: vec(2*math.Cos(a), 0, 2*math.Sin(a)), Radius: 0.1,
			})
		}
		wall(w, vec(0, -0.3, 0), vec(0, 1, 0), rough(0.5))
		for k := range 4 {
			a := math.Pi * float64(k) / 2
			wall(w, vec(-3*math.Cos(a), 0, -3*math.Sin(a)), vec(math.Cos(a), 0, math.Sin(a)))
		}
		for i := range 30 {
			a := 2 * math.Pi * (float64(i) + 0.5) / 30
			balls = append(balls, ball(w,
				vec(2.5*math.Cos(a), 0, 2.5*math.Sin(a)), vec(-4*math.Cos(a), 0, -4*math.Sin(a)), 0.2,
				rough(0.5), bouncy(0.3)))
		}
		return balls
	}, 300},
	{"a mill under a stream of balls", func(w donburi.World) []*donburi.Entry {
		var balls []*donburi.Entry
		for k := range 4 {
			a := math.Pi * float64(k) / 2
			e := vec(math.Cos(a), math.Sin(a), 0)
			spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, -2), rough(0.3), components.PolygonColliderData{
				Points: []collide.Vec3{vec(0, 0, -1), e.Add(vec(0, 0, -1)), e.Add(vec(0, 0, 1)), vec(0, 0, 1)},
			})
		}
		wall(w, vec(0, -3, 0), vec(0, 1, 0), rough(0.3))
		for i := range 60 {
			balls = append(balls, ball(w, vec(0.5, 1.5+0.3*float64(i), 0.1*float64(i%7)-0.3), vec(0, -2, 0), 0.1,
				rough(0.3), components.AngularVelocityData{}))
		}
		return balls
	}, 240},
}

func TestNothingPassesOrOverlapsRotatingWalls(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, scene := range rotatingScenes {
		t.Run(scene.name, func(t *testing.T) {
			w, p := donburi.NewWorld(), onEarth()
			balls := scene.build(w)
			checker, worst, blocked, spent := newOverlapChecker(), 0.0, 0, 0
			for step := range scene.steps {
				p.Step(w)
				overlap := checker.overlap(w)
				worst = max(worst, overlap)
				if overlap > 1e-9 {
					t.Fatalf("step %d: overlap of %v radii", step, overlap)
				}
				blocked += p.Stats().Blocked
				spent += p.Stats().SpentBudgets
			}
			expectNoErrors(t, p)
			t.Logf("overlap %.2g, %d blocked, %d budgets spent, fastest ball %v", worst, blocked, spent, fastest(balls))
		})
	}
}

func TestRotatingWallsGiveTheSameBitsWithAnyNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	for _, scene := range rotatingScenes {
		t.Run(scene.name, func(t *testing.T) {
			var want []collide.Vec3
			steps := scene.steps / 2
			if testing.Short() {
				steps /= 3
			}
			for _, workers := range slow.Workers(1, 2, 3, 7) {
				w := donburi.NewWorld()
				p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
				balls := scene.build(w)
				for range steps {
					p.Step(w)
				}
				got := states(balls)
				if want == nil {
					want = got
				}
				for k := range got {
					if !got[k].SameBits(want[k]) {
						t.Fatalf("%d workers: state %d is %v, want %v", workers, k, got[k], want[k])
					}
				}
			}
		})
	}
}

func TestAStepWithRotatingWallsDoesNotAllocate(t *testing.T) {
	slow.Skip(t, slow.Sequential, "counts what one goroutine allocates, which no platform changes")
	w, p := donburi.NewWorld(), onEarth()
	rotatingScenes[1].build(w)
	for range 400 {
		p.Step(w)
	}
	if n := testing.AllocsPerRun(100, func() { p.Step(w) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestInterpolationFollowsARotatingWall(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	door := spawn(w, at(0, 0, 0), moving(0.6, 0, 0), capsule(vec(1, 0, 0), 0.1), about(vec(0, 0, 6), vec(-1, 0, 0)))
	p.Interpolated(door.Entity()) // paths are recorded from now on
	p.Advance(w, 3.5/60)
	got, ok := p.Interpolated(door.Entity())
	const angle = 6 * 2.5 / 60
	want := vec(-1+0.6*2.5/60, 0, 0).Add(vec(math.Cos(angle), math.Sin(angle), 0))
	turned := 2 * math.Atan2(got.Rotation.Z, got.Rotation.W)
	if !ok || !nearVec(got.Position, want, 1e-9) || !near(turned, angle, 1e-9) {
		t.Errorf("at %v, turned by %v, want %v, %v", got.Position, turned, want, angle)
	}
}

func TestWhatCannotRotateIsAnError(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	spawn(w, at(0, 0, 0), plane(0, 1, 0), turning(0, 1, 0))
	spawn(w, at(0, 0, 0), moving(0, 0, 0), plane(0, 1, 0), turning(0, 1, 0), components.SensorData{})
	spawn(w, at(0, 0, 0), moving(0, 0, 0), plane(0, 1, 0), turning(0, 1e5, 0))
	p.Step(w)
	if n := len(errorsOf(p)); n != 3 {
		t.Errorf("%d errors, want 3: %v", n, errorsOf(p))
	}
}

func TestARotationThatTheGameSetsIsATeleport(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	door := spawn(w, at(0, 0, 0), moving(0, 0, 0), capsule(vec(2, 0, 0), 0.1), turning(0, 0, 0))
	b := ball(w, vec(1.5, 1.5, 0), vec(0, 0, 0), 0.25)
	for range 3 {
		p.Step(w)
	}
	components.Transform.Get(door).Rotation = collide.RotationAround(vec(0, 0, 1), math.Pi/2)
	for range 3 {
		p.Step(w)
	}
	expectNoErrors(t, p)
	expectVelocity(t, "ball", b, vec(0, 0, 0), 0)
}

// A ball that slips over the edge of a wall that rotates had 65,537 impacts in a step: the edge
// turned into its straight path at once, and never approached it.
func TestABallSlipsOffARotatingWallWithFewImpacts(t *testing.T) {
	for _, seed := range []uint64{9, 25, 50, 619, 630, 662, 2946} {
		r := rand.New(rand.NewPCG(seed, 9))
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81*float64(r.IntN(2)), 0)})
		omega := 12 * r.Float64()
		var shape any
		switch r.IntN(3) {
		case 0:
			shape = capsule(vec(1, 0, 0), 0.1)
		case 1:
			shape = square(1)
		case 2:
			shape = square(0.3 + r.Float64())
		}
		across := omega * (r.Float64() - 0.5)
		spawn(w, at(0, 0, 0), moving(0, 0, 0), shape, about(vec(across, 0, omega), vec(-r.Float64(), 0, 0)))
		x := vec(r.Float64()*1.2, 0.4+0.3*r.Float64(), 0.5*r.Float64())
		ball(w, x, vec(r.Float64()-0.5, -r.Float64(), r.Float64()-0.5), 0.25)
		for step := range 30 {
			p.Step(w)
			if n := p.Stats().Impacts; n > 300 {
				t.Errorf("seed %d, step %d: %d impacts", seed, step+1, n)
			}
		}
		expectNoErrors(t, p)
	}
}

// An elastic ball is faster after each bounce off a wall that turns towards another one. It had
// 65,560 impacts in the step in which the gap closes, which took nine seconds.
func TestAnElasticBallThatARotatingWallSqueezesHasFewImpacts(t *testing.T) {
	w := donburi.NewWorld()
	box := components.CreateBox(w, vec(0, 0, 0), vec(0.5, 1, 1), components.Velocity, components.AngularVelocity,
		components.Material)
	components.AngularVelocity.Get(box).Angular = vec(0, 0, 5)
	components.Material.Get(box).Restitution = 1
	wall(w, vec(0.92, 0, 0), vec(-1, 0, 0), bouncy(1))
	b := ball(w, vec(0.71, -0.5, 0), vec(80, 0, 0), 0.2, bouncy(1),
		components.BodyData{Locked: components.AxisY | components.AxisZ})
	p := systems.NewPhysics(systems.Config{})
	most := 0
	for range 5 {
		p.Step(w)
		most = max(most, p.Stats().Impacts)
	}
	if most > 5000 || most < 1000 {
		t.Errorf("%d impacts in a step, want at most 5,000, and more than 1,000", most)
	}
	if x := position(b); x.X > 0.72+1e-9 {
		t.Errorf("the ball is at %v, in the wall", x)
	}
}

// Of a ball that the game has put into what rotates, contacts ask how deep it was at first. With
// workers they read what the last step had left of that, and last digits differed.
func TestBallsPutIntoARotatingBoxHaveTheSameBitsWithWorkers(t *testing.T) {
	var want []components.TransformData
	for workers := 1; workers <= 3; workers++ {
		w := donburi.NewWorld()
		wall(w, vec(0, -1, 0), vec(0, 1, 0))
		box := components.CreateBox(w, vec(0, 0, 0), vec(2, 0.5, 2), components.Velocity, components.AngularVelocity)
		components.AngularVelocity.Get(box).Angular = vec(0.3, 1, 0.2)
		var balls []*donburi.Entry
		for k := range 40 {
			x := vec(float64(k%7-3), 0.3+0.1*float64(k%5), float64(k/7-3))
			balls = append(balls, ball(w, x, vec(0, 0, 0), 0.4, rough(0.3)))
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		p.ForceParallelFrom(2)
		var got []components.TransformData
		for range 90 {
			p.Step(w)
			for _, b := range balls {
				got = append(got, *components.Transform.Get(b))
			}
		}
		if want == nil {
			want = got
		}
		for k := range got {
			if got[k] != want[k] {
				t.Fatalf("%d workers, step %d: ball %d is at %v, want %v", workers, k/40, k%40, got[k], want[k])
			}
		}
	}
}

// A plane that rotated was stopped in the middle of a step, since what it pushed could not yield.
// Balls that came to it later in the step bounced off it as it was when the step began, and those
// that moved along that went through it.
func TestABallDoesNotGoThroughARotatingPlaneThatIsStoppedInTheStep(t *testing.T) {
	stops, hits := 0, 0
	for seed := range slow.Cases(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 1954))
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		plane := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, -5-15*r.Float64()),
			components.PlaneColliderData{Normal: vec(1, 0, 0)})
		const radius = 0.1
		ball(w, vec(radius, 1, 0), vec(0, 0, 0), radius) // which the plane pushes into the box
		box := collide.Box{Half: vec(1, 1, 1)}
		spawn(w, at(1+2*radius+0.1*r.Float64(), 1, 0), components.ShapeColliderData{Shape: box})
		other := ball(w, vec(radius+0.01, 0, 3), vec(4*r.Float64(), 100*r.Float64(), 0), radius)
		p.Step(w)
		expectNoErrors(t, p)
		stops += p.Stats().Blocked
		for hit := range p.Impacts() {
			if hit.A == other.Entity() {
				hits++
			}
		}
		if gap := gapTo(other, plane); gap < -1e-9*radius {
			t.Errorf("seed %d: a ball is %v m in the plane", seed, -gap)
		}
	}
	if stops == 0 || hits == 0 {
		t.Errorf("the plane was stopped %d times, and met the other ball %d times: no test", stops, hits)
	}
}

// Balls passed through what rotated by more than 1608 rad in a step, without an error.
func TestARotationThatIsTooFastForTheStepIsAnError(t *testing.T) {
	for _, speed := range []float64{1600, 1620} {
		for _, led := range []bool{false, true} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{StepSeconds: second})
			slab := []any{at(0, 0, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(0.5, 50, 50)}}}
			spin := []any{moving(0, 0, 0), turning(speed, 0, 0)}
			if led {
				slab = append(slab, follows(spawn(w, append(spin, at(0, 0, 0))...)))
			} else {
				slab = append(slab, spin...)
			}
			spawn(w, slab...)
			b := ball(w, vec(-30.3, 0, 0), vec(7, 0, 0), 0.3)
			for range 10 {
				p.Step(w)
			}
			switch got := errorsOf(p); {
			case speed > 1600 && (len(got) != 1 || !strings.Contains(got[0].Error(), "AngularVelocity")):
				t.Errorf("%v rad in a step, led %v: errors %v, want one", speed, led, got)
			case speed <= 1600 && (len(got) != 0 || !near(position(b).X, -0.8, 1e-6)):
				t.Errorf("%v rad in a step, led %v: the ball is at %v m, errors %v", speed, led, position(b).X, got)
			}
		}
	}
}
