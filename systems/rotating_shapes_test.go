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

// shaped returns a ShapeCollider of one shape, or a compound.
func shaped(parts ...components.ShapePart) components.ShapeColliderData {
	if len(parts) == 1 && parts[0].Position == (collide.Vec3{}) && parts[0].Rotation == (collide.Quat{}) {
		return components.ShapeColliderData{Shape: parts[0].Shape}
	}
	return components.ShapeColliderData{Parts: parts}
}

// turned returns a part of a compound that is turned about Z.
func turned(shape collide.Shape, at collide.Vec3, angle float64) components.ShapePart {
	return components.ShapePart{Shape: shape, Position: at, Rotation: collide.RotationBy(vec(0, 0, angle))}
}

// shapeGap returns the gap between a ball and the parts of a ShapeCollider as it is now, negative
// inside.
func shapeGap(ball *donburi.Entry, e *donburi.Entry) float64 {
	p, r := position(ball), components.SphereCollider.Get(ball).Radius
	transform := components.Transform.Get(e)
	d := components.ShapeCollider.Get(e)
	parts := d.Parts
	if len(parts) == 0 {
		parts = []components.ShapePart{{Shape: d.Shape}}
	}
	gap := math.Inf(1)
	into := func(p, at collide.Vec3, q collide.Quat) collide.Vec3 {
		return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}.Rotate(p.Sub(at))
	}
	for _, k := range parts {
		q := into(p, transform.Position, transform.Rotation)
		if k.Rotation != (collide.Quat{}) {
			q = into(q, k.Position, k.Rotation)
		} else {
			q = q.Sub(k.Position)
		}
		switch s := k.Shape.(type) {
		case collide.Box:
			gap = min(gap, collide.Separation(collide.Sphere{Center: q}, s).Distance-r)
		case *collide.Hull:
			d, _, _ := s.Nearest(q)
			gap = min(gap, d-r)
		case collide.Cylinder:
			gap = min(gap, s.SignedDistance(q)-r)
		case collide.Capsule:
			gap = min(gap, s.SignedDistance(q)-r)
		case collide.Sphere:
			gap = min(gap, s.Center.Distance(q)-s.Radius-r)
		case *collide.Mesh:
			at, _ := s.ClosestPoint(q)
			gap = min(gap, at.Distance(q)-r)
		case *collide.HeightField:
			at, _ := s.ClosestPoint(q)
			gap = min(gap, at.Distance(q)-r)
		default:
			panic("unknown shape")
		}
	}
	return gap
}

// ring returns the faces of a prism without ends around the Z axis.
func ring(sides int, radius, half float64) *collide.Mesh {
	var corners []collide.Vec3
	var indices []uint32
	for k := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		corners = append(corners, vec(radius*cos, radius*sin, -half), vec(radius*cos, radius*sin, half))
		a, b := uint32(2*k), uint32(2*((k+1)%sides))
		indices = append(indices, a, a+1, b, b, a+1, b+1)
	}
	m, err := collide.NewMesh(corners, indices, collide.MeshOptions{})
	if err != nil {
		panic(err)
	}
	return m
}

// waves returns a height field around the origin.
func waves() *collide.HeightField {
	heights := make([]float64, 81)
	for k := range heights {
		heights[k] = 0.2 * math.Sin(float64(k%9)) * math.Cos(float64(k/9))
	}
	f, err := collide.NewHeightField(vec(-2, 0, -2), 0.5, 0.5, 9, heights)
	if err != nil {
		panic(err)
	}
	return f
}

// randomHullOf returns a hull of points around the origin.
func randomHullOf(r *rand.Rand, size float64) *collide.Hull {
	points := make([]collide.Vec3, 10)
	for k := range points {
		points[k] = vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(size)
	}
	h, err := collide.NewHull(points)
	if err != nil {
		panic(err)
	}
	return h
}

var rotatingShapes = []struct {
	name  string
	parts func(r *rand.Rand) []components.ShapePart
}{
	{"box", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: collide.Box{Center: vec(0.2, 0, 0), Half: vec(1.5, 0.1, 0.5)}}}
	}},
	{"hull", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: randomHullOf(r, 0.7)}}
	}},
	{"cylinder", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: collide.Cylinder{A: vec(-1, 0.2, 0), B: vec(1, 0, 0.3), Radius: 0.5}}}
	}},
	{"capsule", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: collide.Capsule{A: vec(-1, 0.2, 0), B: vec(1, 0, 0.3), Radius: 0.2}}}
	}},
	{"sphere", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: collide.Sphere{Center: vec(0.5, 0.3, 0), Radius: 0.6}}}
	}},
	{"mesh", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: ring(12, 1, 0.5)}}
	}},
	{"height field", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{{Shape: waves()}}
	}},
	{"compound", func(r *rand.Rand) []components.ShapePart {
		return []components.ShapePart{
			turned(collide.Box{Half: vec(1.5, 0.1, 0.5)}, vec(0.1, 0, 0), 0.3),
			turned(collide.Box{Half: vec(0.1, 1.5, 0.5)}, vec(0, 0.1, 0), 0.3),
			turned(collide.Cylinder{A: vec(0, 0, -0.6), B: vec(0, 0, 0.6), Radius: 0.4}, vec(0, 0, 0), 0),
			turned(randomHullOf(r, 0.3), vec(1.2, 0.5, 0), 1),
		}
	}},
}

// TestNothingPassesOrOverlapsRotatingShapes shoots balls at shapes that rotate about any axis and
// pivot, with and without gravity.
func TestNothingPassesOrOverlapsRotatingShapes(t *testing.T) {
	for _, shape := range rotatingShapes {
		t.Run(shape.name, func(t *testing.T) {
			impacts, blocked, spent := 0, 0, 0
			for seed := range slow.Cases(12) {
				r := rand.New(rand.NewPCG(uint64(seed), 3))
				w := donburi.NewWorld()
				p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth*float64(seed%2), 0)})
				spin := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(math.Exp(2 * r.NormFloat64()))
				if seed%3 == 0 {
					spin = vec(0, 0, 5*r.NormFloat64())
				}
				e := spawn(w, at(0, 0, 0), moving(0.2*r.NormFloat64(), 0, 0), shaped(shape.parts(r)...),
					about(spin, vec(0.5*r.NormFloat64(), 0, 0)), rough(0.3), bouncy(0.5*float64(seed%3)))
				var balls []*donburi.Entry
				for range 12 {
					at := vec(2*r.NormFloat64(), 2+r.NormFloat64(), 2*r.NormFloat64())
					v := at.Scale(-5 * r.Float64())
					b := ball(w, at, v, 0.1+0.2*r.Float64(), rough(0.3), bouncy(0.5*float64(seed%3)),
						components.AngularVelocityData{})
					apart := shapeGap(b, e) > 0
					for _, o := range balls {
						apart = apart && position(o).Distance(position(b)) > 0.61
					}
					if !apart {
						w.Remove(b.Entity())
						continue
					}
					balls = append(balls, b)
				}
				for step := range 60 {
					p.Step(w)
					for _, b := range balls {
						if gap := shapeGap(b, e); gap < -1e-9*components.SphereCollider.Get(b).Radius {
							t.Fatalf("seed %d, step %d: overlap of %v, spin %v", seed, step, -gap, spin)
						}
					}
					for range p.Impacts() {
						impacts++
					}
					blocked += p.Stats().Blocked
					spent += p.Stats().SpentBudgets
				}
				expectNoErrors(t, p)
			}
			t.Logf("%d impacts, %d blocked, %d budgets spent", impacts, blocked, spent)
			if impacts == 0 {
				t.Error("no impacts")
			}
		})
	}
}

// TestAGroupRotatesLikeACompound compares a compound with the same parts as members of groups, with
// and without a leader that has a collider. Balls that are pushed get the same velocities.
func TestAGroupRotatesLikeACompound(t *testing.T) {
	parts := []components.ShapePart{
		turned(collide.Box{Half: vec(1.5, 0.1, 0.5)}, vec(0, 0, 0), 0),
		turned(collide.Box{Half: vec(0.1, 1.5, 0.5)}, vec(0.25, 0, 0), 0),
		{Shape: collide.Sphere{Radius: 0.5}, Position: vec(1.5, 0, 0)},
	}
	build := func(kind int) (donburi.World, *donburi.Entry, *donburi.Entry) {
		w := donburi.NewWorld()
		spin := about(vec(0, 0, 2), vec(0.5, 0, 0))
		var first *donburi.Entry
		switch kind {
		case 0:
			first = spawn(w, at(0, 1, 0), moving(0.5, 0, 0), shaped(parts...), spin)
		case 1: // the first part leads
			first = spawn(w, at(0, 1, 0), moving(0.5, 0, 0), shaped(parts[0]), spin)
		case 2:
			first = spawn(w, at(0, 1, 0), moving(0.5, 0, 0), spin)
			spawn(w, at(0, 1, 0), shaped(parts[0]), components.KinematicGroupData{Leader: first.Entity()})
		}
		for _, p := range parts[1:] {
			if kind > 0 {
				spawn(w, at(p.Position.X, 1+p.Position.Y, 0), shaped(components.ShapePart{Shape: p.Shape}),
					components.KinematicGroupData{Leader: first.Entity()})
			}
		}
		return w, first, ball(w, vec(1.2, 1.6, 0), vec(0, 0, 0), 0.25)
	}
	var want []collide.Vec3
	for kind := range 3 {
		w, first, b := build(kind)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0)})
		for range 40 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		q := components.Transform.Get(first).Rotation
		if got := 2 * math.Atan2(q.Z, q.W); !near(got, 2*40.0/60, 1e-12) {
			t.Errorf("kind %d turned by %v", kind, got)
		}
		got := []collide.Vec3{position(first), position(b), velocity(b)}
		if kind == 0 {
			want = got
			if velocity(b).Length() < 0.5 {
				t.Error("the ball was not pushed")
			}
		}
		for k := range want {
			if !nearVec(got[k], want[k], 1e-9) {
				t.Errorf("kind %d: value %d is %v, want %v", kind, k, got[k], want[k])
			}
		}
	}
}

func TestASphereInAGroupThatRotatesIsAnError(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	leader := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 1))
	spawn(w, at(1, 0, 0), components.SphereColliderData{Radius: 0.5},
		components.KinematicGroupData{Leader: leader.Entity()})
	spawn(w, at(1, 3, 0), moving(0, 0, 0), square(1), turning(0, 0, 1),
		components.KinematicGroupData{Leader: leader.Entity()})
	p.Step(w)
	if n := len(errorsOf(p)); n != 2 {
		t.Errorf("%d errors, want 2: %v", n, errorsOf(p))
	}
}

func TestRotatingShapesGiveTheSameBitsAndDoNotAllocate(t *testing.T) {
	var want []collide.Vec3
	for _, workers := range []int{1, 3} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		r := rand.New(rand.NewPCG(1, 2))
		wall(w, vec(0, -4, 0), vec(0, 1, 0))
		var balls []*donburi.Entry
		for k, shape := range rotatingShapes {
			x := 5 * float64(k)
			spawn(w, at(x, 0, 0), moving(0, 0, 0), turning(0, 0, 1+float64(k)/2), rough(0.3),
				shaped(shape.parts(r)...))
			for n := range 8 {
				from := vec(x+0.3*float64(n)-1, 2.5+0.1*float64(n), 0.02*float64(n))
				balls = append(balls, ball(w, from, vec(0, 0, 0), 0.14, rough(0.3), components.AngularVelocityData{}))
			}
		}
		for range 90 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		if got := states(balls); want == nil {
			want = got
			for range 200 { // until the balls lie still or have left, and no buffer grows
				p.Step(w)
			}
			if n := testing.AllocsPerRun(20, func() { p.Step(w) }); n > 0 && !slow.RaceDetector {
				t.Errorf("%v allocations", n)
			}
		} else {
			for k := range got {
				if !got[k].SameBits(want[k]) {
					t.Fatalf("%d workers: state %d is %v, want %v", workers, k, got[k], want[k])
				}
			}
		}
	}
}

// A ball that the game puts into a hull that rotates is moved out, and not shot: it got the speed
// at which it would have been outside at the end of the step, and again from each side of the hull,
// up to 7e6 m/s.
func TestABallInARotatingHullIsNotShotOut(t *testing.T) {
	inside := 0
	for seed := range slow.Cases(200) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		w := donburi.NewWorld()
		spin := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(8)
		shape := shaped(components.ShapePart{Shape: randomHullOf(r, 1)})
		e := spawn(w, at(0, 0, 0), moving(0, 0, 0), shape, about(spin, vec(0, 0, 0)))
		b := ball(w, vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()), vec(0, 0, 0), 0.2+0.8*r.Float64())
		if shapeGap(b, e) > 0 {
			continue
		}
		inside++
		p := systems.NewPhysics(systems.Config{})
		for step := range 300 {
			p.Step(w)
			// what the hull pushes at is within reach of it
			if v, most := velocity(b).Length(), 2*spin.Length()*3; v > most {
				t.Fatalf("seed %d, step %d: the ball has %v m/s, the hull at most %v", seed, step, v, most/2)
			}
			if n := p.Stats().Impacts; n > 300 {
				t.Errorf("seed %d, step %d: %d impacts", seed, step, n)
			}
		}
		if gap := shapeGap(b, e); gap < 0 {
			t.Errorf("seed %d: the ball is %v m in the hull after 5 s", seed, -gap)
		}
	}
	if inside == 0 {
		t.Error("no ball is in a hull")
	}
}

// A ball that a rotating box presses on a plane slips out of the wedge, or stops the box. Jammed,
// it was pushed along the plane once in 3e-12 s, and the step had no end. One that another plane
// stopped within the step was left in the box by 0.15 radii.
func TestABallInTheWedgeOfARotatingBoxDoesNotHangTheStep(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	most, jams := 0, 0
	for seed := range slow.Cases(400) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		w := donburi.NewWorld()
		turn := collide.RotationAround(vec(0, 0, 1), 0.5*r.NormFloat64())
		shape := shaped(components.ShapePart{Shape: collide.Box{Half: vec(2, 2, 2)}})
		tilted := components.TransformData{Rotation: turn}
		spin := vec(0, 0, 20*(2*r.Float64()-1))
		e := spawn(w, tilted, moving(0, 0, 0), shape, about(spin, vec(0, 0, 0)), bouncy(0.9), rough(0.2))
		x := turn.Rotate(vec(-2.35, 4*r.Float64()-2, 0))
		wall(w, x.Sub(vec(0.35, 0, 0)), vec(1, 0, 0), bouncy(0.12), rough(1))
		wall(w, x.Sub(vec(0, 0.4, 0)), vec(0, 1, 0), bouncy(1))
		wall(w, x.Add(vec(0, 0.4+r.Float64(), 0)), vec(0, -1, 0), bouncy(1))
		b := ball(w, x, vec(0, 150*r.NormFloat64(), 0), 0.35, bouncy(0.5), rough(0.1))
		p := systems.NewPhysics(systems.Config{})
		for step := range 10 {
			p.Step(w)
			if gap := shapeGap(b, e); gap < -1e-9*0.35 {
				t.Fatalf("seed %d, step %d: the ball is %v m in the box", seed, step, -gap)
			}
			most, jams = max(most, p.Stats().Impacts), jams+p.Stats().Jammed
		}
	}
	if t.Log(most, "impacts,", jams, "jams"); most > 5000 || jams == 0 {
		t.Errorf("up to %d impacts in a step, %d jams", most, jams)
	}
}

// sheets returns a mesh and terrain, both flat, one-sided and 4 m wide around the origin, that face
// up.
func sheets(t *testing.T) map[string]collide.Shape {
	t.Helper()
	corners := []collide.Vec3{vec(-2, 0, -2), vec(-2, 0, 2), vec(2, 0, -2), vec(2, 0, 2)}
	mesh, err := collide.NewMesh(corners, []uint32{0, 1, 2, 2, 1, 3}, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	field, err := collide.NewHeightField(vec(-2, 0, -2), 4, 4, 2, make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]collide.Shape{"mesh": mesh, "terrain": field}
}

func TestCastsMeetBothSidesOfASheetThatCanRotate(t *testing.T) {
	for name, sheet := range sheets(t) {
		for _, rotates := range []bool{false, true} {
			w := donburi.NewWorld()
			parts := []any{at(0, 0, 0), shaped(components.ShapePart{Shape: sheet})}
			if rotates {
				parts = append(parts, moving(0, 0, 0), turning(0, 0, 0))
			}
			spawn(w, parts...)
			p := systems.NewPhysics(systems.Config{})
			p.Sync(w)
			expectNoErrors(t, p)
			for _, side := range []float64{1, -1} {
				from, way := vec(0.3, 2*side, 0.4), vec(0, -side, 0)
				upper, lower := from.Add(vec(0, 0.25, 0)), from.Sub(vec(0, 0.25, 0))
				for what, shape := range map[string]collide.Convex{
					"sphere":  collide.Sphere{Center: from, Radius: 0.5},
					"capsule": collide.Capsule{A: lower, B: upper, Radius: 0.25},
					"box":     collide.Box{Center: from, Half: vec(0.5, 0.5, 0.5)},
				} {
					h, ok := p.ShapeCast(shape, way, 10, systems.Filter{})
					if want := side > 0 || rotates; ok != want || ok && !near(h.Distance, 1.5, 1e-12) {
						t.Errorf("%s, rotates: %v, a %s from side %v: got %+v %v, want %v",
							name, rotates, what, side, h, ok, want)
					}
				}
				h, ok := p.RayCast(from, way, 10, systems.Filter{})
				if want := side > 0 || rotates; ok != want || ok && !near(h.Distance, 2, 1e-12) {
					t.Errorf("%s, rotates: %v, a ray from side %v: got %+v %v, want %v",
						name, rotates, side, h, ok, want)
				}
			}
		}
	}
}

// A body that is in the floor is moved out of it, and touches the back of a sheet above it.
func TestWhatIsMovedOutOfTheFloorDoesNotComeIntoTheBackOfASheetThatRotates(t *testing.T) {
	for name, sheet := range sheets(t) {
		for what, create := range map[string]func(w donburi.World, p collide.Vec3) *donburi.Entry{
			"ball": func(w donburi.World, p collide.Vec3) *donburi.Entry {
				return components.CreateBall(w, p, 0.5)
			},
			"crate": func(w donburi.World, p collide.Vec3) *donburi.Entry {
				return components.CreateCrate(w, p, vec(0.5, 0.5, 0.5))
			},
		} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			collider := shaped(components.ShapePart{Shape: sheet})
			roof := spawn(w, at(0, 0.91, 0), collider, moving(0, 0, 0), turning(0, 1e-3, 0))
			body := create(w, vec(0.3, 0.4, 0.4))
			p := systems.NewPhysics(systems.Config{})
			for range 30 {
				p.Step(w)
			}
			expectNoErrors(t, p)
			if top := position(body).Y + 0.5; top > position(roof).Y+1e-9 {
				t.Errorf("%s: a %s comes %v m into it", name, what, top-position(roof).Y)
			}
		}
	}
}

// A crate that the game has put into a wall leaves it by itself, faster than the wall moves.
func TestACrateThatLeavesARotatingWallInWhichItWasIsNotHitByIt(t *testing.T) {
	walls := sheets(t)
	walls["box"] = collide.Box{Center: vec(0, -0.5, 0), Half: vec(2, 0.5, 2)}
	for name, shape := range walls {
		for _, yields := range []bool{false, true} {
			w := donburi.NewWorld()
			parts := []any{at(0, 0, 0), shaped(components.ShapePart{Shape: shape}), moving(0, 0, 0), turning(0, 0, 0.1)}
			if yields {
				parts = append(parts, components.MotorData{Axis: vec(0, 0, 1), Inertia: 0.3, Low: -1, High: 1})
			}
			door := spawn(w, append(parts, components.BodyData{Kind: components.Kinematic})...)
			crate := components.CreateCrate(w, vec(1.2, 0.4, 0.3), vec(0.5, 0.5, 0.5))
			*components.Velocity.Get(crate) = moving(0, 4, 0)
			set(crate, rough(0.5))
			p := systems.NewPhysics(systems.Config{})
			p.Step(w)
			expectNoErrors(t, p)
			for e := range p.Impacts() {
				t.Errorf("%s, yields: %v: got %+v", name, yields, e)
			}
			if stats := p.Stats(); stats.Jammed > 0 {
				t.Errorf("%s, yields: %v: %d jammed", name, yields, stats.Jammed)
			}
			if v := velocity(crate); v != vec(0, 4, 0) {
				t.Errorf("%s, yields: %v: the velocity becomes %v", name, yields, v)
			}
			if a := components.AngularVelocity.Get(door).Angular; a != vec(0, 0, 0.1) {
				t.Errorf("%s, yields: %v: the wall rotates at %v", name, yields, a)
			}
		}
	}
}

// A hull that the game had put into terrain came from one triangle into the next as deep as it was,
// which counted as an impact. The terrain pushed it until it was out, at up to 300 m/s.
func TestAHullInTerrainThatRotatesIsNotThrownWhereItComesToTheNextTriangle(t *testing.T) {
	var hulls []*collide.Hull
	for _, points := range [][]collide.Vec3{
		{vec(0, 0, 0), vec(0.1, 0.2, 0.1), vec(-0.1, 0.2, 0.1), vec(0, 0.2, -0.1)},
		{vec(0, 0, 0), vec(0.1, 0.01, 0.02), vec(0, 0.2, 0.1), vec(0, 0.2, -0.1)},
		{vec(0, 0, 0), vec(0.1, 0.1, 0.02), vec(-0.05, 0.05, 0), vec(0, 0.05, -0.1), vec(0, 0.1, 0.1)},
	} {
		hull, err := collide.NewHull(points)
		if err != nil {
			t.Fatal(err)
		}
		hulls = append(hulls, hull)
	}
	for seed := range slow.Cases(1600) {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
		var heights []float64
		for range 9 {
			heights = append(heights, 0.05*r.Float64())
		}
		field, err := collide.NewHeightField(vec(-1, 0, -1), 1, 1, 3, heights)
		if err != nil {
			t.Fatal(err)
		}
		spawn(w, at(0, 0, 0), shaped(components.ShapePart{Shape: field}), moving(0, 0, 0), turning(0.05, 0, 0))
		x, z := 1.6*r.Float64()-0.8, 1.6*r.Float64()-0.8
		y, _ := field.Height(x, z)
		hull := components.CreateShapeBody(w, vec(x, y-0.01, z), hulls[r.IntN(3)])
		*components.Velocity.Get(hull) = moving(-2, 0, 0)
		p.Step(w)
		expectNoErrors(t, p)
		// The terrain moves at 0.05 m/s. It also deflects what slides up a slope.
		if v, n := velocity(hull).Length(), p.Stats().Impacts; v > 2.1 || n > 10 {
			t.Errorf("seed %d: %v m/s after %d impacts", seed, v, n)
		}
	}
}

// A hull slid from one triangle of terrain to the next within a step. The first one counted it as
// 5 cm deep at the end, along a normal on which the two had had no contact, and pushed it out.
func TestAHullThatSlidesOnTerrainThatRotatesIsNotThrownByATriangleThatItLeaves(t *testing.T) {
	const cell = 0.12642658285432798
	heights := []float64{
		0.014696305704272874, 0.030845953003239977, -0.033895145510698034, -0.03786303401546003,
		-0.050509688146163315, -0.014862480929517346, 0.033806131473561894, 0.03902070484591164,
		-0.02852839681102178, 0.04975049843425534, -0.004199473470287061, 0.04203751036800423,
		-0.0388059716481013, 0.01065385720290112, 0.0003553720548830093, -0.01506872295188148,
		-0.01525731589585819, 0.060007306084078116, -0.019611015446351535, 0.06022176318861468,
		-0.016082612750825998, -0.04965385698730078, 0.05360170647244788, -0.042978029278669665,
		0.05769954298481956, 0.044318009130660856, 0.037214674607517303, -0.010053471319702549,
		-0.04595247335307756, -0.06017986873156217, 0.031793491131993465, 0.005950574444342077,
		0.025933442408528656, 0.05976083922561555, 0.021668600758852605, -0.02758008842404001,
		-0.05081482727250145, -0.06170761263601443, -0.0023829705366108706, -0.008258179026116228,
		-0.01437831873165251, 0.04316706981912643, 0.025784396384081077, 0.05696542455011861,
		0.012685601181781343, -0.031062022458284533, 0.027385598618889208, 0.0478388207743395,
		-0.0007455413123717252,
	}
	field, err := collide.NewHeightField(vec(-3*cell, 0, -3*cell), cell, cell, 7, heights)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := collide.NewHull([]collide.Vec3{
		vec(0.03355250904938486, 0.01237455751443394, -0.011028349415600795),
		vec(0.0538520589888004, 0.04099920121766196, 0.011153300028281457),
		vec(-0.00017316972658970597, 0.025688097513129532, 0.10403731331893229),
		vec(-0.006139322021647102, -0.06260663532227681, -0.12297891464925634),
		vec(0.07205971311968933, -0.06178584951648828, 0.01667442903112489),
		vec(-0.11061905175480058, 0.05969360942215743, 0.007961853650378742),
	})
	if err != nil {
		t.Fatal(err)
	}
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
	terrain := spawn(
		w, at(0.5916579575871037, 0.08105867582165249, -0.18573376259583999),
		shaped(components.ShapePart{Shape: field}), moving(0, 0, 0), turning(0, 0.3594934565455203, 0),
	)
	components.Transform.Get(terrain).Rotation = collide.Quat{Y: 0.06286986427577644, W: 0.9980217333134311}
	hull := components.CreateShapeBody(w, vec(0.3167568810509848, 0.16798630573945778, -0.16969305908002838), shape)
	components.Transform.Get(hull).Rotation = collide.Quat{
		X: 0.09842538183445013, Y: -0.23182952074947258, Z: -0.24829530123852167, W: 0.9353699593757993,
	}
	*components.Velocity.Get(hull) = moving(-0.06333926696843689, -0.02623529965533339, 0.21135810958760157)
	for step := range 20 {
		before := velocity(hull).Length()
		p.Step(w)
		if v := velocity(hull).Length(); v > before+10.0/60 {
			t.Fatalf("step %d: %v m/s after %v", step, v, before)
		}
	}
	expectNoErrors(t, p)
}
