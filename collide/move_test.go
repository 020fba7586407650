package collide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/internal/slow"
)

// scenery is a shape and obstacles that may move, for tests of MoveAndSlide.
type scenery struct {
	body      func(p Vec3) Convex
	obstacles []sceneryObstacle
}

type sceneryObstacle struct {
	shape    Convex // or mesh
	mesh     *Mesh
	velocity Vec3
}

func (s *scenery) cast(position, velocity Vec3, start, end float64) (best MoveContact, outcome Outcome) {
	for i, o := range s.obstacles {
		moved := o.velocity.Scale(start)
		body := s.body(position.Sub(moved))
		var c Contact
		var found Outcome
		if o.mesh != nil {
			m, f := SweepMesh(body, velocity, o.mesh, o.velocity, end-start)
			c, found = m.Contact, f
		} else {
			c, found = Sweep(body, velocity, o.shape, o.velocity, end-start)
		}
		if found == Miss || outcome == Overlap || found == Hit && outcome == Hit && c.Time >= best.Time {
			continue
		}
		best = MoveContact{
			Time: c.Time, Point: c.Point.Add(moved), Normal: c.Normal, Velocity: o.velocity, Obstacle: i,
		}
		if outcome = found; found == Overlap && o.shape != nil {
			best.Depth = -Separation(body, o.shape).Distance
		}
	}
	return best, outcome
}

// gap returns the smallest distance of the shape at p from an obstacle at the given time.
func (s *scenery) gap(p Vec3, time float64) float64 {
	least := math.Inf(1)
	for _, o := range s.obstacles {
		body := s.body(p.Sub(o.velocity.Scale(time)))
		if o.mesh == nil {
			least = min(least, Separation(body, o.shape).Distance)
			continue
		}
		for k := range o.mesh.triangles {
			least = min(least, Separation(body, o.mesh.triangle(uint32(k))).Distance)
		}
	}
	return least
}

func sphereAt(r float64) func(Vec3) Convex { return func(p Vec3) Convex { return Sphere{p, r} } }

func capsuleAt(r, height float64) func(Vec3) Convex {
	up := Vec3{Y: height/2 - r}
	return func(p Vec3) Convex { return Capsule{p.Sub(up), p.Add(up), r} }
}

func boxAt(x, y, z float64) func(Vec3) Convex {
	return func(p Vec3) Convex { return Box{Center: p, Half: Vec3{x, y, z}} }
}

var movers = []struct {
	name string
	body func(p Vec3) Convex
}{
	{"sphere", sphereAt(0.5)},
	{"capsule", capsuleAt(0.5, 1.8)},
	{"box", boxAt(0.4, 0.9, 0.3)},
}

// slab is a box with its upper side through at, whose outward normal there is n.
func slab(at, n Vec3) Box {
	n, _ = n.Normalized()
	side, ok := n.Cross(Vec3{Z: 1}).Normalized()
	turn := Quat{W: 1}
	if ok {
		angle := math.Acos(max(-1, min(1, n.Y)))
		axis, ok := (Vec3{Y: 1}).Cross(n).Normalized()
		if ok {
			turn = RotationAround(axis, angle)
		} else if n.Y < 0 {
			turn = RotationAround(side, math.Pi)
		}
	}
	return Box{Center: at.AddScaled(-1, n), Half: Vec3{200, 1, 200}, Rotation: turn}
}

func TestEveryImpactTakesItsTime(t *testing.T) {
	for _, m := range movers {
		t.Run(m.name, func(t *testing.T) {
			s := scenery{m.body, []sceneryObstacle{{shape: slab(Vec3{X: 3}, Vec3{X: -1})}}}
			half := m.body(Vec3{}).Bounds().Max.X
			r := MoveAndSlide(Move{Velocity: Vec3{4, 0, 3}, Seconds: 2}, s.cast, nil)
			want := Vec3{X: 3 - half, Z: 6} // along the wall no time is lost, and none is gained
			if r.Position.Distance(want) > 1e-11 || r.Velocity.Distance(Vec3{Z: 3}) > 1e-14 || r.Seconds != 2 {
				t.Errorf("at %v with %v after %v s, want %v", r.Position, r.Velocity, r.Seconds, want)
			}
			if len(r.Contacts) != 1 {
				t.Fatalf("%d contacts, want 1", len(r.Contacts))
			}
			if c := r.Contacts[0]; math.Abs(c.Time-(3-half)/4) > 1e-12 || c.Normal.Distance(Vec3{X: -1}) > 1e-15 {
				t.Errorf("contact %+v, want at %v s", c, (3-half)/4)
			}
		})
	}
}

func TestMovementsEndStillInCornersWedgesAndFunnels(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	degrees := math.Pi / 180
	// wedge is two slabs that meet at the origin, open towards -X.
	wedge := func(angle float64) []sceneryObstacle {
		s, c := math.Sincos(angle / 2)
		return []sceneryObstacle{
			{shape: slab(Vec3{}, Vec3{-s, c, 0})}, {shape: slab(Vec3{}, Vec3{-s, -c, 0})},
		}
	}
	funnel := func(sides int, steep float64) (all []sceneryObstacle) {
		for k := range sides {
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
			all = append(all, sceneryObstacle{shape: slab(Vec3{}, Vec3{c * steep, 1, s * steep})})
		}
		return all
	}
	scenes := []struct {
		name      string
		obstacles []sceneryObstacle
		from, v   Vec3
	}{
		{"right corner", wedge(90 * degrees), Vec3{X: -4}, Vec3{5, -0.3, 0}},
		{"acute corner", wedge(30 * degrees), Vec3{X: -6}, Vec3{5, 0.2, 0}},
		{"obtuse corner", wedge(150 * degrees), Vec3{X: -4}, Vec3{5, 0.1, 0}},
		{"almost flat corner", wedge(179 * degrees), Vec3{X: -4}, Vec3{5, 0, 0}},
		{"wedge of 1 degree", wedge(1 * degrees), Vec3{X: -130}, Vec3{5, 0.01, 0}},
		{"funnel with 3 sides", funnel(3, 1), Vec3{0.3, 5, 0.1}, Vec3{0.3, -5, 0.2}},
		{"funnel with 8 sides", funnel(8, 2), Vec3{0.1, 7, 0.1}, Vec3{0.1, -5, 0.2}},
		{"steep funnel", funnel(5, 9), Vec3{0, 15, 0}, Vec3{0.1, -5, 0}},
		{
			"corner of floor and two walls",
			[]sceneryObstacle{
				{shape: slab(Vec3{}, Vec3{Y: 1})},
				{shape: slab(Vec3{X: 2}, Vec3{X: -1})},
				{shape: slab(Vec3{Z: 2}, Vec3{-0.6, 0, -0.8})},
			},
			Vec3{Y: 3},
			Vec3{3, -9, 4},
		},
	}
	for _, sc := range scenes {
		for _, m := range movers {
			for _, far := range []float64{0, 1000} {
				t.Run(fmt.Sprintf("%s/%s/%v m away", sc.name, m.name, far), func(t *testing.T) {
					origin := Vec3{far, -far / 2, far / 3}
					s := scenery{body: m.body}
					for _, o := range sc.obstacles {
						b := o.shape.(Box)
						b.Center = b.Center.Add(origin)
						s.obstacles = append(s.obstacles, sceneryObstacle{shape: b})
					}
					p := sc.from.Add(origin)
					if s.gap(p, 0) < 0 {
						t.Fatalf("the scene is wrong: it starts %v deep", -s.gap(p, 0))
					}
					move := func() (r MoveResult) {
						r = MoveAndSlide(Move{Position: p, Velocity: sc.v, Seconds: 1.0 / 60}, s.cast, nil)
						p = r.Position
						return r
					}
					for last := p; ; last = p { // until it's there
						if move(); p.Distance(last) < 1e-9 {
							break
						}
					}
					end, seen := p, map[Vec3]bool{}
					for range slow.Steps(10_000) {
						if seen[p] { // a movement depends on nothing else, so all further ones repeat
							break
						}
						seen[p] = true
						r := move()
						if d := p.Distance(end); d > 1e-9 || r.Velocity.Length() > 1e-9 {
							t.Fatalf("it moves by %v, at %v", d, r.Velocity)
						}
					}
					t.Logf("%d positions", len(seen))
					if g := s.gap(p, 0); g < 0 || g > 1e-9*(1+far/100) {
						t.Errorf("it ends %v from the obstacles", g)
					}
				})
			}
		}
	}
}

func TestMovingOutOfAnOverlapIsGentle(t *testing.T) {
	for _, m := range movers {
		t.Run(m.name, func(t *testing.T) {
			s := scenery{m.body, []sceneryObstacle{{shape: slab(Vec3{}, Vec3{X: -1})}}}
			half := m.body(Vec3{}).Bounds().Max.X
			overlaps := func(p Vec3, found []MoveContact) []MoveContact {
				if g := Separation(s.body(p), s.obstacles[0].shape); g.Distance < 0 {
					found = append(found, MoveContact{Point: g.PointB, Normal: g.Normal, Depth: -g.Distance})
				}
				return found
			}
			p := Vec3{X: -half + 0.05}
			for step := 1; step <= 10; step++ {
				move := Move{Position: p, Velocity: Vec3{Z: 2}, Seconds: 0.01, RecoverySpeed: 1, Overlaps: overlaps}
				r := MoveAndSlide(move, s.cast, nil)
				p = r.Position
				if r.Velocity.Distance(Vec3{Z: 2}) > 1e-14 {
					t.Errorf("step %d: velocity %v", step, r.Velocity)
				}
				want := Vec3{X: -half + max(0, 0.05-0.01*float64(step)), Z: 0.02 * float64(step)}
				if p.Distance(want) > 1e-12 {
					t.Fatalf("step %d: at %v, want %v", step, p, want)
				}
			}
		})
	}
}

func TestWithoutRecoveryAnOverlapGetsNoDeeper(t *testing.T) {
	s := scenery{sphereAt(0.5), []sceneryObstacle{{shape: slab(Vec3{}, Vec3{X: -1})}}}
	r := MoveAndSlide(Move{Position: Vec3{X: -0.4}, Velocity: Vec3{3, 1, 0}, Seconds: 1}, s.cast, nil)
	if r.Position.Distance(Vec3{-0.4, 1, 0}) > 2*leavingSpeed {
		t.Errorf("at %v, want it to slide inside", r.Position)
	}
	r = MoveAndSlide(Move{Position: Vec3{X: -0.4}, Velocity: Vec3{X: -3}, Seconds: 1}, s.cast, nil)
	if r.Position != (Vec3{X: -3.4}) || len(r.Contacts) != 0 {
		t.Errorf("at %v, want it to leave freely", r.Position)
	}
}

// Whether what a shape slides along is approached is a matter of rounding.
func TestAMovementAlongWhatItTouchesEndsAtAWall(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	for _, m := range movers {
		for i := range slow.Cases(20_000) {
			way, _ := randomVec(rng).Normalized()
			side, ok := way.Cross(randomVec(rng)).Normalized()
			if !ok {
				continue
			}
			at := Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			beside := at.AddScaled(5, side)
			round := Capsule{A: beside, B: beside.Add(Vec3{Y: rng.Float64()}), Radius: 0.5}
			s := scenery{m.body, []sceneryObstacle{{shape: round}, {shape: slab(at.AddScaled(3, way), way.Neg())}}}
			g := Separation(m.body(at), round)
			at = at.AddScaled(float64(rng.NormFloat64()*1e-13)-g.Distance, g.Normal)
			v := way.AddScaled(-way.Dot(g.Normal), g.Normal).Scale(math.Exp(3 * rng.NormFloat64()))
			r := MoveAndSlide(Move{Position: at, Velocity: v, Seconds: 4 / v.Length()}, s.cast, nil)
			if gap := s.gap(r.Position, 0); gap < -1e-12 {
				t.Fatalf("%s, case %d: ends %v deep, after %+v", m.name, i, -gap, r.Contacts)
			}
		}
	}
}

func TestAMovingWallPushesAtItsSpeed(t *testing.T) {
	for _, m := range movers {
		half := m.body(Vec3{}).Bounds().Max.X
		s := scenery{m.body, []sceneryObstacle{{shape: slab(Vec3{X: -1 - half}, Vec3{X: 1}), velocity: Vec3{X: 40}}}}
		r := MoveAndSlide(Move{Velocity: Vec3{X: -10, Z: 1}, Seconds: 0.1}, s.cast, nil)
		// They meet after 1/50 s at -0.2, and then it goes with the wall.
		if want := (Vec3{X: -0.2 + 40*0.08, Z: 0.1}); r.Position.Distance(want) > 1e-11 {
			t.Errorf("%s: at %v, want %v", m.name, r.Position, want)
		}
		// A thin plate that crosses the whole shape in the time of the movement.
		s.obstacles[0].shape = Box{Center: Vec3{X: -1.1 - half}, Half: Vec3{0.1, 3, 3}}
		s.obstacles[0].velocity = Vec3{X: 1000}
		r = MoveAndSlide(Move{Seconds: 0.1}, s.cast, nil)
		if want := (Vec3{X: 99}); r.Position.Distance(want) > 1e-9 {
			t.Errorf("%s: a plate moves it to %v, want %v", m.name, r.Position, want)
		}
	}
}

func TestACrushedShapeStaysWhereItIs(t *testing.T) {
	for _, m := range movers {
		half := m.body(Vec3{}).Bounds().Max.X
		s := scenery{m.body, []sceneryObstacle{
			{shape: slab(Vec3{X: half + 0.5}, Vec3{X: -1})},
			{shape: slab(Vec3{X: -half - 0.5}, Vec3{X: 1}), velocity: Vec3{X: 2}},
		}}
		r := MoveAndSlide(Move{Velocity: Vec3{Y: 1}, Seconds: 2}, s.cast, nil)
		if r.Outcome != Crushed || math.Abs(r.Position.X-0.5) > 1e-11 {
			t.Errorf("%s: %v at %v, want crushed at X = 0.5", m.name, r.Outcome, r.Position)
		}
	}
}

// A floor, and a slab at 0.1 rad to it that comes down at 1 m/s, push a shape out to the side at
// 1/sin(0.1) = 10.02 m/s.
func TestAShapeIsSqueezedOutUpToALimit(t *testing.T) {
	ball := sphereAt(0.5)
	tilted := Vec3{X: math.Sin(0.1), Y: -math.Cos(0.1)}
	speed := 1 / math.Sin(0.1)
	s := scenery{ball, []sceneryObstacle{
		{shape: slab(Vec3{Y: -0.5}, Vec3{Y: 1})},
		{shape: slab(tilted.Scale(-0.5), tilted), velocity: tilted},
	}}
	for _, tt := range []struct{ limit, want float64 }{{0, speed}, {10.1, speed}, {9.9, 0}, {1, 0}} {
		r := MoveAndSlide(Move{Seconds: 0.1, MaxSqueeze: tt.limit}, s.cast, nil)
		if crushed := r.Outcome == Crushed; crushed != (tt.want == 0) ||
			r.Velocity.Distance(Vec3{X: tt.want}) > 1e-9 || r.Position.Distance(Vec3{X: 0.1 * tt.want}) > 1e-9 {
			t.Errorf("limit %v: %v at %v m/s to %v, want %v m/s", tt.limit, r.Outcome, r.Velocity, r.Position, tt.want)
		}
	}
}

func TestAMovementStopsWhereAskedAndGoesOn(t *testing.T) {
	s := scenery{sphereAt(0.5), []sceneryObstacle{{shape: slab(Vec3{X: 3}, Vec3{X: -1})}}}
	m := Move{Velocity: Vec3{4, 0, 3}, Seconds: 2}
	m.OnContact = func(Vec3, MoveContact) MoveResponse { return MoveResponse{Stop: true} }
	r := MoveAndSlide(m, s.cast, nil)
	if math.Abs(r.Seconds-0.625) > 1e-12 || r.Position.Distance(Vec3{2.5, 0, 1.875}) > 1e-11 {
		t.Fatalf("stopped at %v after %v s", r.Position, r.Seconds)
	}
	m.OnContact, m.Position, m.Seconds = nil, r.Position, 2-r.Seconds
	m.Constraints = []SlideContact{{Normal: r.Contacts[0].Normal}}
	if r = MoveAndSlide(m, s.cast, nil); r.Position.Distance(Vec3{2.5, 0, 6}) > 1e-11 || len(r.Contacts) != 0 {
		t.Errorf("went on to %v with %d contacts", r.Position, len(r.Contacts))
	}
}

func TestAWallStopsTheClimbOfASlope(t *testing.T) {
	s := scenery{capsuleAt(0.5, 1.8), []sceneryObstacle{{shape: slab(Vec3{X: 3}, Vec3{-0.8, 0.6, 0})}}}
	m := Move{Velocity: Vec3{4, 0, 1}, Seconds: 2}
	if r := MoveAndSlide(m, s.cast, nil); r.Position.Y < 1 {
		t.Errorf("without a wall it ends at %v, want it to climb", r.Position)
	}
	m.OnContact = func(_ Vec3, c MoveContact) MoveResponse {
		wall, _ := Vec3{X: c.Normal.X, Z: c.Normal.Z}.Normalized()
		return MoveResponse{Wall: wall}
	}
	if r := MoveAndSlide(m, s.cast, nil); r.Position.Y != 0 || math.Abs(r.Position.Z-2) > 1e-9 {
		t.Errorf("with a wall it ends at %v, want no climb and Z = 2", r.Position)
	}
}

func TestInvalidMovementsStay(t *testing.T) {
	s := scenery{sphereAt(0.5), []sceneryObstacle{{shape: slab(Vec3{X: 3}, Vec3{X: -1})}}}
	nan, at := math.NaN(), Vec3{1, 0, 0}
	for _, m := range []Move{
		{Position: at, Velocity: Vec3{X: nan}, Seconds: 1},
		{Position: at, Velocity: Vec3{X: 1}, Seconds: nan},
		{Position: at, Velocity: Vec3{X: 1}, Seconds: -1},
		{Position: at, Velocity: Vec3{X: 1}},
		{Position: at, Velocity: Vec3{X: math.Inf(1)}, Seconds: 1},
		{Position: at, Velocity: Vec3{X: 1}, Seconds: math.Inf(1)},
	} {
		if r := MoveAndSlide(m, s.cast, nil); r.Position != at || r.Seconds != 0 || len(r.Contacts) != 0 {
			t.Errorf("%+v ends at %v", m, r)
		}
	}
	bad := func(Vec3, Vec3, float64, float64) (MoveContact, Outcome) {
		return MoveContact{Normal: Vec3{X: nan}}, Hit
	}
	if r := MoveAndSlide(Move{Velocity: Vec3{X: 1}, Seconds: 1}, bad, nil); r.Position != (Vec3{X: 1}) {
		t.Errorf("a contact that isn't valid stops the movement at %v", r.Position)
	}
}

// A closed room with pillars, a ramp, a ledge and a low ceiling. Whatever the length of the moves,
// a shape never leaves it and is never deeper in something than rounding.
func TestNoMovementLeavesAClosedLevel(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	room, err := NewMesh(
		[]Vec3{
			{-6, 0, -6},
			{6, 0, -6},
			{6, 0, 6},
			{-6, 0, 6},
			{-6, 5, -6},
			{6, 5, -6},
			{6, 5, 6},
			{-6, 5, 6},
		},
		[]uint32{
			0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
		}, MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	things := []sceneryObstacle{
		{mesh: room},
		{shape: Box{Center: Vec3{3, 0, 3}, Half: Vec3{1, 9, 1}, Rotation: RotationAround(Vec3{Y: 1}, 0.6)}},
		{shape: Capsule{Vec3{-3, -1, 3}, Vec3{-3, 6, 2.5}, 0.4}},
		{shape: slab(Vec3{-5, 0, -3}, Vec3{0.5, 1, 0.1})},
		{shape: Box{Center: Vec3{3, 4.6, -3}, Half: Vec3{3, 2, 3}}},
		{shape: Box{Center: Vec3{0, 0, -5}, Half: Vec3{1, 0.3, 1}}},
		{shape: Sphere{Vec3{2, 0, 0}, 0.7}},
	}
	levels := []struct {
		name string
		all  []sceneryObstacle
		from Vec3
		seed uint64
	}{
		{"room", things, Vec3{0, 2, 2}, 4},
		{"room again", things, Vec3{0, 2, 2}, 5},
		{"cave", []sceneryObstacle{{mesh: cave(t)}}, Vec3{}, 6},
	}
	steps := slow.Cases(34_000) // a random movement each: 102,000 in each level
	for _, m := range movers {
		for _, l := range levels {
			t.Run(m.name+" in the "+l.name, func(t *testing.T) {
				s := scenery{m.body, l.all}
				inside := l.all[0].mesh.Bounds()
				rng := rand.New(rand.NewPCG(3, l.seed))
				p := l.from
				if s.gap(p, 0) < 0 {
					t.Fatal("the scene is wrong")
				}
				var contacts []MoveContact
				hits := 0
				for step := range steps {
					v := Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
					v = v.Scale(math.Exp(rng.NormFloat64()*4 - 1))
					r := MoveAndSlide(Move{Position: p, Velocity: v, Seconds: 1.0 / 60}, s.cast, contacts[:0])
					contacts = r.Contacts
					hits += len(contacts)
					if p = r.Position; step%10 != 0 {
						continue
					}
					if g := s.gap(p, 0); g < 0 || !inside.Contains(p) {
						t.Fatalf("step %d: %v deep at %v after %v", step, -g, p, v)
					}
				}
				if hits < steps/3 {
					t.Errorf("only %d contacts", hits)
				}
			})
		}
	}
}

// cave returns an uneven sphere of triangles whose front is the inside.
func cave(t *testing.T) *Mesh {
	const around, up = 14, 9
	rng := rand.New(rand.NewPCG(1, 7))
	vertices := []Vec3{{Y: -5}, {Y: 5}}
	for i := range up {
		sin, cos := math.Sincos(math.Pi * float64(i+1) / (up + 1))
		for j := range around {
			s, c := math.Sincos(2 * math.Pi * float64(j) / around)
			vertices = append(vertices, Vec3{sin * c, -cos, sin * s}.Scale(4.5+1.5*rng.Float64()))
		}
	}
	id := func(i, j int) uint32 { return uint32(2 + i*around + j%around) }
	var indices []uint32
	for j := range around {
		indices = append(indices, 0, id(0, j+1), id(0, j), 1, id(up-1, j), id(up-1, j+1))
		for i := range up - 1 {
			indices = append(indices, id(i, j), id(i, j+1), id(i+1, j), id(i+1, j+1), id(i+1, j), id(i, j+1))
		}
	}
	return newMesh(t, vertices, indices, MeshOptions{})
}

// A shape that two obstacles squeeze met one of them again and again: 256 casts, and up to 92
// slides for each, which took a second.
func TestMoveOfASqueezedShapeNeedsFewCasts(t *testing.T) {
	floor := MoveContact{Normal: Vec3{Y: 1}, Depth: 0.5}
	ceiling := MoveContact{Normal: Vec3{Y: -1}, Depth: 0.5, Obstacle: 1}
	casts := 0
	cast := func(_, v Vec3, _, _ float64) (MoveContact, Outcome) {
		casts++
		return floor, Overlap // by rounding: v leads along it
	}
	overlaps := func(_ Vec3, found []MoveContact) []MoveContact { return append(found, floor, ceiling) }
	move := Move{Velocity: Vec3{X: 1, Y: -1}, Seconds: 1, RecoverySpeed: 1, Overlaps: overlaps}
	r := MoveAndSlide(move, cast, nil)
	if r.Position != (Vec3{}) || r.Velocity != (Vec3{X: 1}) || r.Seconds != 1 {
		t.Errorf("got %+v, want the velocity that is left, and no motion", r)
	}
	if casts > 3 {
		t.Errorf("casts: got %d, want at most 3", casts)
	}
}

// A shape deep in two walls has a third one at its back. Each push out of the one makes it meet the
// other: 256 casts, and 15 ms for a character in a level.
func TestMoveDeepInTwoWallsNeedsFewCasts(t *testing.T) {
	for _, recovery := range []float64{0, 1, 20} {
		for _, back := range []Vec3{{X: 1}, {X: 0.6, Y: 0.8}, {X: 0.8, Z: -0.6}, {Z: -1}} {
			casts := 0
			cast := func(_, v Vec3, _, _ float64) (MoveContact, Outcome) {
				if casts++; v.X < 0 {
					return MoveContact{Normal: Vec3{Z: 1}, Depth: 0.04}, Overlap
				}
				return MoveContact{Normal: Vec3{X: -1}, Depth: 0.4, Obstacle: 1}, Overlap
			}
			r := MoveAndSlide(Move{
				Velocity: Vec3{Y: -0.5}, Seconds: 1.0 / 60, RecoverySpeed: recovery,
				Constraints: []SlideContact{{Normal: back}},
			}, cast, nil)
			if casts > maxIdleCasts+1 || r.Seconds != 1.0/60 {
				t.Errorf("recovery %v, back %v: %d casts, %v s", recovery, back, casts, r.Seconds)
			}
		}
	}
}
