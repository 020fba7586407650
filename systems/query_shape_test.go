package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// randomProbe returns a convex shape of one of several kinds around a point.
func randomProbe(r *rand.Rand, center collide.Vec3) collide.Convex {
	size := func() float64 { return 0.05 + r.ExpFloat64()*0.6 }
	turn := collide.RotationAround(vec(r.Float64(), r.Float64(), r.Float64()), r.Float64()*6)
	switch r.IntN(4) {
	case 0:
		arm := turn.Rotate(vec(0, size(), 0))
		return collide.Capsule{A: center.Sub(arm), B: center.Add(arm), Radius: size()}
	case 1:
		return collide.Box{Center: center, Half: vec(size(), size(), size()), Rotation: turn}
	case 2:
		var points []collide.Vec3
		for range 7 {
			points = append(points, vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(2))
		}
		h, err := collide.NewHull(points)
		if err != nil {
			panic(err)
		}
		return h.At(center)
	}
	return collide.Sphere{Center: center, Radius: size()}
}

// moved returns a shape of randomProbe moved by d.
func moved(shape collide.Convex, d collide.Vec3) collide.Convex {
	switch s := shape.(type) {
	case collide.Capsule:
		return collide.Capsule{A: s.A.Add(d), B: s.B.Add(d), Radius: s.Radius}
	case collide.Box:
		s.Center = s.Center.Add(d)
		return s
	case collide.PlacedHull:
		s.Position = s.Position.Add(d)
		return s
	case collide.Sphere:
		s.Center = s.Center.Add(d)
		return s
	}
	panic("unknown shape")
}

// separationFrom returns the distance between a shape and an entity of mixedWorld.
func separationFrom(e *donburi.Entry, shape collide.Convex) float64 {
	t := components.Transform.Get(e)
	switch {
	case e.HasComponent(components.SphereCollider):
		return collide.Separation(shape, collide.Sphere{
			Center: t.Position, Radius: components.SphereCollider.Get(e).Radius,
		}).Distance
	case e.HasComponent(components.PolygonCollider):
		polygon, err := components.PolygonCollider.Get(e).Shape(*t)
		if err != nil {
			panic(err)
		}
		return collide.Separation(shape, polygon).Distance
	case e.HasComponent(components.CapsuleCollider):
		return collide.Separation(shape, components.CapsuleCollider.Get(e).Shape(*t)).Distance
	}
	d := components.PlaneCollider.Get(e)
	n, _ := t.Rotation.Rotate(d.Normal).Normalized()
	// The distance from a far, huge polygon's plane: that of the support points.
	low, high := math.Inf(1), math.Inf(-1)
	note := func(p collide.Vec3, r float64) {
		h := n.Dot(p) - n.Dot(t.Position) - d.Distance
		low, high = min(low, h-r), max(high, h+r)
	}
	switch s := shape.(type) {
	case collide.Capsule:
		note(s.A, s.Radius)
		note(s.B, s.Radius)
	case collide.Sphere:
		note(s.Center, s.Radius)
	case collide.Box:
		for _, c := range s.Corners() {
			note(s.Center.Add(c), 0)
		}
	case collide.PlacedHull:
		for i := range s.Hull.Len() {
			note(s.Position.Add(s.Hull.Corner(i)), 0)
		}
	}
	if d.TwoSided && -low > high {
		return -high
	}
	return low
}

// A cast stops where the distance becomes zero. The distances are those of Separation, which
// shares nothing with a sweep but the corners.
func TestShapeCastsStopWhereTheDistanceIsZero(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	hits, misses := 0, 0
	for seed := range uint64(3) {
		w, all := mixedWorld(seed)
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		expectNoErrors(t, p)
		r := rand.New(rand.NewPCG(seed, 31))
		for range slow.Cases(100) {
			center := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(45)
			shape := randomProbe(r, center)
			target := components.Transform.Get(all[r.IntN(len(all))]).Position
			n, _ := target.Sub(center).Add(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5)).Normalized()
			distance := r.Float64() * 40
			h, ok := p.ShapeCast(shape, n.Scale(3), distance, systems.Filter{Sensors: true})
			end := distance
			if ok {
				end = h.Distance
			}
			if h.Overlap {
				continue
			}
			// Up to there, nothing comes closer.
			for _, e := range all {
				from := separationFrom(e, shape)
				if from < 0 { // it moves out, or would be an overlap
					continue
				}
				for k := range 20 {
					at := float64(end * float64(k+1) / 20)
					if d := separationFrom(e, moved(shape, n.Scale(at))); d < -1e-9 {
						t.Fatalf("seed %d: %T cast from %v along %v: got distance %v, but it overlaps %v by %v at %v",
							seed, shape, center, n, end, e, -d, at)
					}
				}
			}
			if !ok {
				misses++
				continue
			}
			hits++
			e := w.Entry(h.Entity)
			if d := separationFrom(e, moved(shape, n.Scale(end))); math.Abs(d) > 1e-9 {
				t.Fatalf("seed %d: %T hits %v after %v m: got a gap of %v there, want 0", seed, shape, e, end, d)
			}
			if h.Normal.Dot(n) >= 0 {
				t.Fatalf("normal: got %v for a cast along %v, want one against it", h.Normal, n)
			}
			if want := moved(shape, n.Scale(end)).Bounds().Center(); !nearVec(h.Center, want, 1e-9) {
				t.Fatalf("centre: got %v, want %v", h.Center, want)
			}
			first := slices.Collect(p.ShapeCastAll(shape, n.Scale(3), distance, systems.Filter{Sensors: true}))
			if len(first) == 0 || first[0] != h {
				t.Fatalf("ShapeCastAll: got %v, want %v first", first, h)
			}
		}
	}
	if hits < slow.Cases(100) || misses < 1 {
		t.Errorf("got %d hits and %d misses: too few to show anything", hits, misses)
	}
}

func TestGapsAreDistancesToAllEntities(t *testing.T) {
	found := 0
	for seed := range uint64(3) {
		w, all := mixedWorld(seed)
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		r := rand.New(rand.NewPCG(seed, 32))
		for range slow.Cases(60) {
			shape := randomProbe(r, vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(45))
			margin := r.Float64() * 5
			if r.IntN(4) == 0 {
				margin = inf
			}
			want := map[donburi.Entity]float64{}
			for _, e := range all {
				if d := separationFrom(e, shape); d <= margin {
					want[e.Entity()] = d
				}
			}
			last, n := math.Inf(-1), 0
			for g := range p.Gaps(shape, margin, systems.Filter{Sensors: true}) {
				d, ok := want[g.Entity]
				if !ok || math.Abs(d-g.Distance) > 1e-9 || g.Distance < last {
					t.Fatalf("%T: got a gap of %v to %v after %v, want %v %v", shape, g.Distance, g.Entity, last, d, ok)
				}
				if got := g.Own.Sub(g.Point).Dot(g.Normal); math.Abs(got-d) > 1e-7 {
					t.Fatalf("%T: points %v and %v are %v apart along %v, want %v", shape, g.Own, g.Point, got,
						g.Normal, d)
				}
				if near, ok := p.Distance(shape, g.Entity); !ok || near != g.Distance {
					t.Fatalf("Distance: got %v, want %v", near, g.Distance)
				}
				if n == 0 {
					if c, ok := p.Closest(shape, margin, systems.Filter{Sensors: true}); !ok || c != g {
						t.Fatalf("Closest: got %v, want %v", c, g)
					}
				}
				last = g.Distance
				n++
			}
			if n != len(want) {
				t.Fatalf("%T: got %d gaps up to %v m, want %d", shape, n, margin, len(want))
			}
			found += n
		}
	}
	if found < slow.Cases(1000) {
		t.Errorf("got %d gaps: too few to show anything", found)
	}
}

func TestAShapeThatStandsOnAFloorCanBeCastAlongIt(t *testing.T) {
	w := donburi.NewWorld()
	components.CreatePlane(w, collide.Vec3{}, vec(0, 1, 0))
	wall := components.CreatePolygon(w, []collide.Vec3{
		vec(5, -1, -3), vec(5, -1, 3), vec(5, 4, 3), vec(5, 4, -3),
	})
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	for name, shape := range map[string]collide.Convex{
		"box":     collide.Box{Center: vec(0, 1, 0), Half: vec(0.5, 1, 0.5)},
		"capsule": collide.Capsule{A: vec(0, 0.5, 0), B: vec(0, 1.5, 0), Radius: 0.5},
		"sphere":  collide.Sphere{Center: vec(0, 0.5, 0), Radius: 0.5},
	} {
		h, ok := p.ShapeCast(shape, vec(1, 0, 0), 10, systems.Filter{})
		if !ok || h.Entity != wall.Entity() || h.Distance != 4.5 || h.Normal != vec(-1, 0, 0) {
			t.Errorf("%s: got %+v %v, want the wall after 4.5 m", name, h, ok)
		}
		if h, ok = p.ShapeCast(shape, vec(0, -1, 0), 10, systems.Filter{}); !ok || h.Distance != 0 || h.Overlap {
			t.Errorf("%s, downwards: got %+v %v, want the floor at distance 0", name, h, ok)
		}
		if h, ok = p.ShapeCast(shape, vec(0, 1, 0), 10, systems.Filter{}); ok {
			t.Errorf("%s, upwards: got %+v, want nothing", name, h)
		}
	}
}

func TestAShapeCastPassesAOneSidedPolygonFromBehind(t *testing.T) {
	w := donburi.NewWorld()
	e := components.CreatePolygon(w, []collide.Vec3{vec(-3, 2, 3), vec(3, 2, 3), vec(3, 2, -3), vec(-3, 2, -3)})
	components.PolygonCollider.Get(e).OneSided = true
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	for _, tt := range []struct {
		name string
		y    float64
		up   float64
		want bool
	}{
		{"from above", 5, -1, true},
		{"from below", 0, 1, false},
		{"downwards, with the middle below it", 1.8, -1, false},
		{"downwards, with the middle above it", 2.2, -1, true},
		{"upwards, with the middle above it", 2.2, 1, false},
	} {
		shape := collide.Capsule{A: vec(0, tt.y-0.5, 0), B: vec(0, tt.y+0.5, 0), Radius: 0.3}
		if h, ok := p.CapsuleCast(shape, vec(0, tt.up, 0), 10, systems.Filter{}); ok != tt.want {
			t.Errorf("%s: got %+v %v, want %v", tt.name, h, ok, tt.want)
		}
	}
}

func TestQueriesRefuseInvalidShapes(t *testing.T) {
	w := donburi.NewWorld()
	ball := components.CreateBall(w, collide.Vec3{}, 1)
	components.CreateBox(w, collide.Vec3{}, vec(1, 1, 1))
	components.CreateCrate(w, collide.Vec3{}, vec(1, 1, 1))
	components.CreateBox(w, collide.Vec3{}, vec(1, 1, 1), components.Velocity, components.AngularVelocity)
	components.CreateShape(w, collide.Vec3{}, flatField())
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	nan := math.NaN()
	for _, shape := range []collide.Convex{
		nil,
		collide.Sphere{Radius: -1},
		collide.Sphere{Center: vec(nan, 0, 0)},
		collide.Capsule{Radius: -1},
		collide.Capsule{A: vec(inf, 0, 0), Radius: 1},
		collide.Box{Half: vec(1, -1, 1)},
		collide.Box{Half: vec(1, nan, 1)},
		(*collide.Hull)(nil),
		collide.PlacedHull{},
		&collide.Hull{},
		collide.PlacedHull{Hull: &collide.Hull{}},
		collide.Placed{Shape: &collide.Hull{}},
		collide.Placed{},
		collide.Placed{Shape: collide.Placed{Shape: collide.Sphere{Radius: 1}}},
		collide.Placed{Shape: &collide.Placed{Shape: collide.Sphere{Radius: 1}}},
		collide.Placed{Shape: (*collide.Placed)(nil)},
		collide.Placed{Shape: (*collide.Box)(nil)},
		(*collide.Placed)(nil),
		&collide.Placed{},
		&collide.Placed{Shape: (*collide.Hull)(nil)},
		collide.Polygon{},
		// Pointers to shapes that are values are no shapes, but have their methods.
		(*collide.Sphere)(nil),
		(*collide.Capsule)(nil),
		(*collide.Segment)(nil),
		(*collide.Triangle)(nil),
		(*collide.Polygon)(nil),
		(*collide.AABB)(nil),
		(*collide.Box)(nil),
		(*collide.PlacedHull)(nil),
		&collide.Sphere{Radius: 1},
		collide.AABB{Min: vec(1, 0, 0)},
		collide.Capsule{A: vec(2e9, 0, 0), Radius: 1},
	} {
		if h, ok := p.ShapeCast(shape, vec(0, -1, 0), 10, systems.Filter{}); ok {
			t.Errorf("%#v: the cast found %v", shape, h)
		}
		if n := len(slices.Collect(p.ShapeCastAll(shape, vec(0, -1, 0), 10, systems.Filter{}))); n > 0 {
			t.Errorf("%#v: the cast found %d entities", shape, n)
		}
		if g, ok := p.Closest(shape, 1, systems.Filter{}); ok {
			t.Errorf("%#v: the nearest entity is %v", shape, g)
		}
		if shape != nil {
			casts := []systems.CastQuery{{Shape: shape, Direction: vec(0, -1, 0), Distance: 10}}
			if h := p.CastBatch(casts, systems.Filter{}, nil)[0]; h.Entity != donburi.Null {
				t.Errorf("%#v: the batch of casts found %v", shape, h)
			}
			if all := p.OverlapBatch([]systems.OverlapQuery{{Shape: shape}}, systems.Filter{}, nil); len(all) > 0 {
				t.Errorf("%#v: the batch of overlaps found %v", shape, all)
			}
		}
		if n := len(slices.Collect(p.Gaps(shape, 1, systems.Filter{}))); n > 0 {
			t.Errorf("%#v: got %d gaps, want none", shape, n)
		}
		if _, ok := p.Distance(shape, ball.Entity()); ok {
			t.Errorf("%#v: got a distance", shape)
		}
		if n := len(slices.Collect(p.OverlapShape(shape, systems.Filter{}))); n > 0 {
			t.Errorf("%#v: got %d overlaps, want none", shape, n)
		}
	}
}

// A crate is moved down until it stands on something.
func ExamplePhysics_BoxCast() {
	w := donburi.NewWorld()
	components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
	components.CreateBall(w, collide.Vec3{Y: 1}, 1)
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)

	crate := collide.Box{Center: collide.Vec3{X: 1.5, Y: 4}, Half: collide.Vec3{X: 1, Y: 0.5, Z: 1}}
	hit, ok := p.BoxCast(crate, collide.Vec3{Y: -1}, 10, systems.Filter{})
	fmt.Printf("%v, %.3f m\n", ok, hit.Distance)
	// Output: true, 1.634 m
}

// The feet of a character touch the floor, and its right side a wall.
func ExamplePhysics_Gaps() {
	w := donburi.NewWorld()
	components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1})
	components.CreatePlane(w, collide.Vec3{X: 2}, collide.Vec3{X: -1})
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)

	character := collide.Capsule{A: collide.Vec3{X: 1.5, Y: 0.5}, B: collide.Vec3{X: 1.5, Y: 1.5}, Radius: 0.4}
	for gap := range p.Gaps(character, 0.2, systems.Filter{}) {
		fmt.Printf("%.1f m along %v\n", gap.Distance, gap.Normal)
	}
	// Output:
	// 0.1 m along {0 1 0}
	// 0.1 m along {-1 0 0}
}

// The distance to a one-sided mesh or height field, through which a shape reached from behind, was
// that to the edge of some triangle.
func TestAShapeReachesAOneSidedMeshFromBehind(t *testing.T) {
	mesh, err := collide.NewMesh([]collide.Vec3{{X: -5, Z: -5}, {X: -5, Z: 5}, {X: 5, Z: 5}, {X: 5, Z: -5}},
		[]uint32{0, 1, 2, 0, 2, 3}, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	field, err := collide.NewHeightField(vec(-5, 0, -5), 10, 10, 2, make([]float64, 4))
	if err != nil {
		t.Fatal(err)
	}
	for name, create := range map[string]func(w donburi.World){
		"mesh":  func(w donburi.World) { components.CreateMesh(w, vec(0, 0, 0), mesh) },
		"field": func(w donburi.World) { components.CreateHeightField(w, vec(0, 0, 0), field) },
	} {
		w := donburi.NewWorld()
		create(w)
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		for _, x := range []float64{0, 0.1, 1, 3} {
			for y := -0.7; y < 0.8; y += 0.09 {
				for _, shape := range []collide.Convex{
					collide.Sphere{Center: vec(x, y, 0), Radius: 0.5},
					collide.Box{Center: vec(x, y, 0), Half: vec(0.4, 0.5, 0.3)},
				} {
					what := fmt.Sprintf("%s, %T at (%v, %v)", name, shape, x, y)
					want := math.Abs(y) - 0.5
					if y < 0 {
						want = max(want, 0)
					}
					got, ok := p.Closest(shape, 10, systems.Filter{})
					if !ok || math.Abs(got.Distance-want) > 1e-12 || math.Abs(got.Point.Y) > 1e-12 {
						t.Errorf("%s: distance %v at %v, want %v", what, got.Distance, got.Point, want)
					}
					found := 0
					for range p.OverlapShape(shape, systems.Filter{}) {
						found++
					}
					if overlaps := y >= 0 && y < 0.5; (found == 1) != overlaps {
						t.Errorf("%s: overlaps %d", what, found)
					}
				}
			}
		}
	}
}

// OverlapBox found a one-sided polygon from behind, and OverlapShape of the same box did not.
func TestAllOverlapsFindAOneSidedPolygonFromItsFrontOnly(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	square := []collide.Vec3{{X: -5, Z: 5}, {X: 5, Z: 5}, {X: 5, Z: -5}, {X: -5, Z: -5}} // its front is above
	components.PolygonCollider.Get(components.CreatePolygon(w, square)).OneSided = true
	p.Sync(w)
	for _, y := range []float64{-0.6, -0.3, -1e-9, 1e-9, 0.3, 0.6} {
		half := vec(0.5, 0.5, 0.5)
		box := collide.AABB{Min: vec(0, y, 0).Sub(half), Max: vec(0, y, 0).Add(half)}
		shape, ball := collide.Box{Center: vec(0, y, 0), Half: half}, collide.Sphere{Center: vec(0, y, 0), Radius: 0.5}
		for name, got := range map[string][]donburi.Entity{
			"OverlapBox":    slices.Collect(p.OverlapBox(box, systems.Filter{})),
			"OverlapShape":  slices.Collect(p.OverlapShape(shape, systems.Filter{})),
			"OverlapSphere": slices.Collect(p.OverlapSphere(ball, systems.Filter{})),
		} {
			if want := y >= 0 && y <= 0.5; (len(got) == 1) != want {
				t.Errorf("%s at a height of %v m: got %v", name, y, got)
			}
		}
	}
}

// From a triangle alone, the shortest way out leads over its edge into the next one, where a shape
// is deeper in the mesh than it is away from the edge. A character that the game put there was
// moved to and fro, and fell through.
func TestTheWayOutOfAMeshDoesNotLeadIntoTheNextTriangle(t *testing.T) {
	grounds := sheets(t)
	grounds["mesh with two sides"] = grounds["mesh"].(*collide.Mesh).WithBothSides()
	for name, ground := range grounds {
		for _, x := range []float64{-0.2, -0.1, -0.6} { // the diagonal is at -0.2
			for _, shape := range []collide.Convex{
				collide.Capsule{A: vec(x, -0.4, 0.2), B: vec(x, 0.6, 0.2), Radius: 0.3},
				collide.Box{Center: vec(x, 0.1, 0.2), Half: vec(0.2, 0.8, 0.2)},
			} {
				w := donburi.NewWorld()
				components.CreateShape(w, collide.Vec3{}, ground)
				p := systems.NewPhysics(systems.Config{})
				p.Sync(w)
				g, ok := p.Closest(shape, 1, systems.Filter{})
				if !ok || !near(g.Distance, -0.7, 1e-12) || !near(g.Normal.Y, 1, 1e-12) {
					t.Errorf("%T in %s at x = %v: a way of %v along %v, want 0.7 up",
						shape, name, x, -g.Distance, g.Normal)
				}
			}
			s := newCharacterScene()
			components.CreateShape(s.world, collide.Vec3{}, ground)
			e := components.CreateCharacter(s.world, vec(x, 0.3, 0.2), 0.3, 1.8)
			stepCrates(t, s.physics, s.world, 60)
			expectPosition(t, "the character", e, vec(x, 0.9, 0.2), 1e-9)
		}
	}
}
