package systems_test

import (
	"cmp"
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

// mixedWorld returns a world with random colliders of all kinds, in several layers, some of them
// sensors.
func mixedWorld(seed uint64) (donburi.World, []*donburi.Entry) {
	w := donburi.NewWorld()
	r := rand.New(rand.NewPCG(seed, 7))
	var all []*donburi.Entry
	for range 150 {
		p := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(40)
		radius := 0.1 + r.ExpFloat64()*0.7
		values := []any{at(p.X, p.Y, p.Z)}
		switch k := r.IntN(10); {
		case k < 7:
			values = append(values, sphere(radius))
		case k < 9:
			values = append(values, square(radius*3))
			if r.IntN(2) == 0 {
				values[1] = capsule(vec(radius, 0, 2*radius), radius/2)
			}
			values[0] = components.TransformData{
				Position: p,
				Rotation: collide.RotationAround(vec(r.Float64(), r.Float64(), r.Float64()), r.Float64()*6),
			}
		default:
			n, _ := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Normalized()
			values[0] = components.TransformData{Position: n.Scale(-30 - 10*r.Float64())}
			values = append(values, components.PlaneColliderData{Normal: n, TwoSided: r.IntN(2) == 0})
		}
		if r.IntN(2) == 0 {
			values = append(values, components.CollisionFilterData{
				Layers: uint32(r.IntN(5)), Mask: uint32(r.IntN(8)),
				Disabled: r.IntN(8) == 0,
			})
		}
		_, polygon := values[1].(components.PolygonColliderData)
		_, rod := values[1].(components.CapsuleColliderData)
		if r.IntN(8) == 0 && !polygon && !rod {
			values = append(values, components.SensorData{})
		}
		if r.IntN(2) == 0 {
			values = append(values, components.VelocityData{})
		}
		all = append(all, spawn(w, values...))
	}
	return w, all
}

// castOne casts at a single entity with the sweeps of package collide.
func castOne(e *donburi.Entry, s collide.Sphere, n collide.Vec3, distance float64) (float64, bool) {
	t := components.Transform.Get(e)
	switch {
	case e.HasComponent(components.SphereCollider):
		c, outcome := collide.SweepSphereSphere(s, n, collide.Sphere{
			Center: t.Position,
			Radius: components.SphereCollider.Get(e).Radius,
		}, collide.Vec3{}, distance)
		return c.Time, outcome != collide.Miss
	case e.HasComponent(components.PolygonCollider):
		shape, err := components.PolygonCollider.Get(e).Shape(*t)
		if err != nil {
			panic(err)
		}
		c, outcome := collide.SweepSpherePolygon(s, n, shape, collide.Vec3{}, distance)
		return c.Time, outcome != collide.Miss
	case e.HasComponent(components.CapsuleCollider):
		shape := components.CapsuleCollider.Get(e).Shape(*t)
		c, outcome := collide.SweepSphereCapsule(s, n, shape, collide.Vec3{}, distance)
		return c.Time, outcome != collide.Miss
	}
	d := components.PlaneCollider.Get(e)
	m, _ := t.Rotation.Rotate(d.Normal).Normalized()
	plane := collide.Plane{Normal: m, Distance: m.Dot(t.Position) + d.Distance}
	if h := plane.SignedDistance(s.Center); h < s.Radius && !d.TwoSided { // starts inside the half-space
		return 0, m.Dot(n) < 0
	}
	c, outcome := collide.SweepSpherePlane(s, n, plane, collide.Vec3{}, distance)
	return c.Time, outcome != collide.Miss
}

func accepts(f systems.Filter, e *donburi.Entry) bool {
	own := components.CollisionFilterData{}
	if e.HasComponent(components.CollisionFilter) {
		own = *components.CollisionFilter.Get(e)
	}
	layers, _ := own.Effective()
	if e.HasComponent(components.Sensor) && !f.Sensors || f.Layers != 0 && f.Layers&layers == 0 ||
		slices.Contains(f.Except, e.Entity()) {
		return false
	}
	if f.As != nil && !f.As.Collides(own) {
		return false
	}
	return f.Accept == nil || f.Accept(e.Entity())
}

func filters(all []*donburi.Entry) []systems.Filter {
	return []systems.Filter{
		{},
		{Sensors: true},
		{Layers: 2},
		{Layers: 6, Sensors: true},
		{As: &components.CollisionFilterData{Layers: 2, Mask: 5}},
		{As: &components.CollisionFilterData{}},
		{As: &components.CollisionFilterData{Disabled: true}},
		{Except: []donburi.Entity{all[0].Entity(), all[1].Entity(), all[2].Entity()}},
		{Accept: func(e donburi.Entity) bool { return e.Id()%2 == 0 }},
	}
}

func TestCastsMatchASearchOfAllEntities(t *testing.T) {
	hits, several := 0, 0
	for seed := range uint64(3) {
		w, all := mixedWorld(seed)
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		expectNoErrors(t, p)
		r := rand.New(rand.NewPCG(seed, 8))
		for range slow.Cases(200) {
			s := collide.Sphere{Center: vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(50)}
			if r.IntN(2) == 0 {
				s.Radius = r.ExpFloat64() * 0.5
			}
			direction := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(math.Pow(10, r.Float64()*20-10))
			if r.IntN(5) == 0 {
				direction.X = 0
			}
			distance := r.Float64() * 60
			if r.IntN(4) == 0 {
				distance = inf
			}
			n, _ := direction.Normalized()
			for _, f := range filters(all) {
				type hit struct {
					entity   donburi.Entity
					distance float64
				}
				var want []hit
				for _, e := range all {
					if d, ok := castOne(e, s, n, distance); ok && accepts(f, e) {
						want = append(want, hit{e.Entity(), d})
					}
				}
				slices.SortFunc(want, func(a, b hit) int {
					return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.entity, b.entity))
				})
				var got []hit
				last := -1.0
				for h := range p.SphereCastAll(s, direction, distance, f) {
					got = append(got, hit{h.Entity, h.Distance})
					if h.Distance < last || h.Distance > distance {
						t.Fatalf("distances: got %v after %v, want them to ascend up to %v", h.Distance, last, distance)
					}
					last = h.Distance
					if !near(h.Normal.Length(), 1, 1e-12) && !h.Overlap {
						t.Fatalf("normal: got %v, want a unit vector", h.Normal)
					}
					if want := s.Center.AddScaled(h.Distance, n); !nearVec(h.Center, want, 1e-9) {
						t.Fatalf("centre: got %v, want %v", h.Center, want)
					}
				}
				slices.SortStableFunc(got, func(a, b hit) int {
					return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.entity, b.entity))
				})
				if len(got) != len(want) {
					t.Fatalf("seed %d, sphere %v, direction %v, distance %v: got %d hits %v, want %d %v", seed, s,
						direction, distance, len(got), got, len(want), want)
				}
				for i := range want {
					if got[i].entity != want[i].entity || !near(got[i].distance, want[i].distance, 1e-9) {
						t.Fatalf("hit %d: got %v, want %v", i, got[i], want[i])
					}
				}
				h, ok := p.SphereCast(s, direction, distance, f)
				if ok != (len(want) > 0) || ok && !near(h.Distance, want[0].distance, 1e-9) {
					t.Fatalf("nearest: got %v %v, want the first of %v", h, ok, want)
				}
				hits += len(want)
				several += min(len(want), 2) / 2
			}
		}
	}
	if hits < slow.Cases(2000) || several < slow.Cases(500) {
		t.Errorf("got %d hits and %d casts with several: too few to show anything", hits, several)
	}
}

func TestOverlapsMatchASearchOfAllEntities(t *testing.T) {
	hits := 0
	for seed := range uint64(3) {
		w, all := mixedWorld(seed)
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		r := rand.New(rand.NewPCG(seed, 9))
		for range slow.Cases(200) {
			center := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(45)
			s := collide.Sphere{Center: center, Radius: r.ExpFloat64() * 3}
			half := vec(r.ExpFloat64(), r.ExpFloat64(), r.ExpFloat64()).Scale(2)
			b := collide.AABB{Min: center.Sub(half), Max: center.Add(half)}
			for _, f := range filters(all) {
				var inSphere, inBox []donburi.Entity
				for _, e := range all {
					if !accepts(f, e) {
						continue
					}
					s1, b1 := overlapsOne(e, s, b)
					if s1 {
						inSphere = append(inSphere, e.Entity())
					}
					if b1 {
						inBox = append(inBox, e.Entity())
					}
				}
				if got := slices.Collect(p.OverlapSphere(s, f)); !slices.Equal(got, inSphere) {
					t.Fatalf("seed %d, sphere %v: got %v, want %v", seed, s, got, inSphere)
				}
				if got := slices.Collect(p.OverlapBox(b, f)); !slices.Equal(got, inBox) {
					t.Fatalf("seed %d, box %v: got %v, want %v", seed, b, got, inBox)
				}
				hits += len(inSphere) + len(inBox)
			}
		}
	}
	if hits < slow.Cases(2000) {
		t.Errorf("hits: got %d, too few to show anything", hits)
	}
}

func overlapsOne(e *donburi.Entry, s collide.Sphere, b collide.AABB) (sphere, box bool) {
	t := components.Transform.Get(e)
	switch {
	case e.HasComponent(components.SphereCollider):
		r := components.SphereCollider.Get(e).Radius
		return t.Position.Distance(s.Center) <= r+s.Radius, b.ClosestPoint(t.Position).Distance(t.Position) <= r
	case e.HasComponent(components.PolygonCollider):
		shape, _ := components.PolygonCollider.Get(e).Shape(*t)
		return shape.ClosestPoint(s.Center).Distance(s.Center) <= s.Radius, collide.OverlapAABBPolygon(b, shape)
	case e.HasComponent(components.CapsuleCollider):
		shape := components.CapsuleCollider.Get(e).Shape(*t)
		return shape.SignedDistance(s.Center) <= s.Radius, collide.OverlapAABBCapsule(b, shape)
	}
	d := components.PlaneCollider.Get(e)
	n, _ := t.Rotation.Rotate(d.Normal).Normalized()
	height := func(p collide.Vec3) float64 { return n.Dot(p) - n.Dot(t.Position) - d.Distance }
	lowest, highest := math.Inf(1), math.Inf(-1)
	for i := range 8 {
		c := b.Min
		if i&1 != 0 {
			c.X = b.Max.X
		}
		if i&2 != 0 {
			c.Y = b.Max.Y
		}
		if i&4 != 0 {
			c.Z = b.Max.Z
		}
		lowest, highest = min(lowest, height(c)), max(highest, height(c))
	}
	h := height(s.Center)
	if d.TwoSided {
		return math.Abs(h) <= s.Radius, lowest <= 0 && highest >= 0
	}
	return h <= s.Radius, lowest <= 0
}

func TestQueriesFindNothingBeforeTheFirstStep(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(5, 0, 0), vec(1, 0, 0), 1)
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	p := systems.NewPhysics(systems.Config{})
	check := func(when string, want int) {
		t.Helper()
		hits := 0
		if _, ok := p.RayCast(vec(0, 0, 0), vec(1, 0, 0), 100, systems.Filter{}); ok {
			hits++
		}
		hits += len(slices.Collect(p.RayCastAll(vec(0, 0, 0), vec(1, 0, 0), 100, systems.Filter{})))
		hits += len(slices.Collect(p.OverlapSphere(collide.Sphere{Center: vec(5, 1, 0), Radius: 0.5},
			systems.Filter{})))
		hits += len(slices.Collect(p.OverlapBox(collide.AABB{Min: vec(4, 1, -1), Max: vec(6, 2, 1)}, systems.Filter{})))
		if hits != want {
			t.Errorf("%s: got %d hits, want %d", when, hits, want)
		}
	}
	check("at first", 0)
	n := len(slices.Collect(p.Impacts())) + len(slices.Collect(p.ContactBegins())) +
		len(slices.Collect(p.ContactEnds())) + len(slices.Collect(p.Candidates())) +
		len(slices.Collect(p.FirstImpacts()))
	if n > 0 {
		t.Errorf("at first: got %d events", n)
	}
	p.Sync(w)
	check("after Sync", 4)
	if got := position(b); got != vec(5, 0, 0) {
		t.Errorf("Sync moved the ball to %v", got)
	}
	components.Transform.Get(b).Position.X = -5
	check("moved by the game, unseen", 4)
	p.Sync(w)
	check("moved by the game, seen", 0)
	components.Transform.Get(b).Position.X = 5
	p.Step(w)
	check("after a step", 4)
	w.Remove(b.Entity())
	check("removed, unseen", 4)
	p.Sync(w)
	check("removed, seen", 0)
}

func TestCastThatStartsInContactMayMoveAway(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	ball(w, vec(5, 1, 0), vec(0, 0, 0), 1)
	spawn(w, at(-10, 3, 0), square(2))
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	cases := []struct {
		name      string
		center    collide.Vec3
		direction collide.Vec3
		distance  float64 // of the hit; -1 for no hit within 2 m
		overlap   bool
	}{
		{"away from the floor", vec(0, 1, 0), vec(0, 1, 0), -1, false},
		{"along the floor", vec(0, 1, 0), vec(0, 0, 1), -1, false},
		{"into the floor", vec(0, 1, 0), vec(0, -1, 0), 0, false},
		{"along the floor to the ball", vec(2, 1, 0), vec(1, 0, 0), 1, false},
		{"in touch with the ball, away", vec(3, 1, 0), vec(-1, 0, 0), -1, false},
		{"in touch with the ball, along", vec(3, 1, 0), vec(0, 0, 1), -1, false},
		{"in touch with the ball, into", vec(3, 1, 0), vec(1, 0, 0), 0, false},
		{"inside the ball, out", vec(4, 2, 0), vec(-1, 0.5, 0), -1, false},
		{"inside the ball, further in", vec(4, 1, 0), vec(1, 0, 0), 0, true},
		{"inside the ball, neither in nor out", vec(4, 1, 0), vec(0, 0, 1), 0, true},
		{"in the ball's centre", vec(5, 1, 0), vec(0, 0, 1), 0, true},
		{"halfway through the polygon, out", vec(-10, 3.5, 0), vec(0, 1, 0), -1, false},
		{"halfway through the polygon, along", vec(-10, 3.5, 0), vec(1, 0, 0), 0, true},
		{"halfway through the polygon, through", vec(-10, 3.5, 0), vec(0, -1, 0), 0, true},
		// To the floor.
		{"halfway through the polygon from below, out", vec(-10, 2.5, 0), vec(0, -1, 0), 0.5 + 1, false},
		{"centre in the polygon, out", vec(-10, 3, 0), vec(0, 1, 0), 0, true},
		{"inside the floor, out", vec(0, -5, 0), vec(0, 1, 0), -1, false},
		{"inside the floor, along", vec(0, -5, 0), vec(1, 0, 0), -1, false},
		{"inside the floor, deeper", vec(0, -5, 0), vec(1, -1, 0), 0, true},
		{"on the polygon, away", vec(-10, 4, 0), vec(0, 1, 0), -1, false},
		{"on the polygon, along", vec(-10, 4, 0), vec(1, 0, 0), -1, false},
		{"on the polygon, into", vec(-10, 4, 0), vec(0, -1, 0), 0, false},
		{"onto the polygon", vec(-10, 5.5, 0), vec(0, -1, 0), 1.5, false},
		{"below the polygon, away", vec(-10, 2, 0), vec(0, -1, 0), 1, false}, // to the floor
	}
	for _, c := range cases {
		h, ok := p.SphereCast(collide.Sphere{Center: c.center, Radius: 1}, c.direction, 2, systems.Filter{})
		if ok != (c.distance >= 0) || ok && (!near(h.Distance, c.distance, 1e-12) || h.Overlap != c.overlap) {
			t.Errorf("%s: got %+v %v, want distance %v, overlap %v", c.name, h, ok, c.distance, c.overlap)
		}
	}
}

// A point has no depth. A ray that starts in a collider and doesn't leave it is an overlap
// nevertheless.
func TestRayThatStartsInsideACollider(t *testing.T) {
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	ball(w, vec(5, 2, 0), vec(0, 0, 0), 1)
	spawn(w, at(-10, 3, 0), square(2))
	oneSided := square(2)
	oneSided.OneSided = true
	spawn(w, at(-20, 3, 0), oneSided)
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	for _, c := range []struct {
		name              string
		origin, direction collide.Vec3
		distance          float64 // of the hit; -1 for no hit within 1.5 m
		overlap           bool
	}{
		{"in the ball, inwards", vec(4.5, 2, 0), vec(1, 0, 0), 0, true},
		{"in the ball, across", vec(4.5, 2, 0), vec(0, 1, 0), 0, true},
		{"in the ball, outwards", vec(4.5, 2, 0), vec(-1, 0, 0), -1, false},
		{"in the ball's centre", vec(5, 2, 0), vec(0, 1, 0), 0, true},
		{"on the ball, inwards", vec(4, 2, 0), vec(1, 0, 0), 0, false},
		{"on the ball, along", vec(4, 2, 0), vec(0, 1, 0), -1, false},
		{"in the floor, downwards", vec(0, -1, 0), vec(0, -1, 0), 0, true},
		{"in the floor, along", vec(0, -1, 0), vec(1, 0, 0), -1, false},
		{"in the floor, upwards", vec(0, -1, 0), vec(0, 1, 0), -1, false},
		{"on the floor, downwards", vec(0, 0, 0), vec(0, -1, 0), 0, false},
		{"in the sheet, through", vec(-10, 3, 0), vec(0, -1, 0), -1, false},
		{"in the sheet, along", vec(-10, 3, 0), vec(1, 0, 0), -1, false},
		{"in a one-sided sheet, through", vec(-20, 3, 0), vec(0, -1, 0), 0, false},
		{"behind a one-sided sheet, through", vec(-20, 2.5, 0), vec(0, 1, 0), -1, false},
	} {
		h, ok := p.RayCast(c.origin, c.direction, 1.5, systems.Filter{})
		if ok != (c.distance >= 0) || ok && (!near(h.Distance, c.distance, 1e-12) || h.Overlap != c.overlap) {
			t.Errorf("%s: got %+v %v, want distance %v, overlap %v", c.name, h, ok, c.distance, c.overlap)
		}
	}
}

func TestRayAlongARowHitsAllBodiesInOrder(t *testing.T) {
	for _, outlier := range []bool{false, true} { // a distant sphere makes the ray long compared with the cells
		w := donburi.NewWorld()
		var row []donburi.Entity
		for i := range 1000 {
			row = append(row, ball(w, vec(float64(i)*3, 0, 0), vec(0, 0, 0), 1).Entity())
		}
		if outlier {
			row = append(row, ball(w, vec(1e6, 0, 0), vec(0, 0, 0), 1).Entity())
		}
		p := systems.NewPhysics(systems.Config{})
		p.Sync(w)
		i := 0
		for h := range p.RayCastAll(vec(-10, 0, 0), vec(1, 0, 0), 1e9, systems.Filter{}) {
			want := float64(i)*3 + 9
			if i == 1000 {
				want = 1e6 + 9
			}
			if h.Entity != row[i] || !near(h.Distance, want, 1e-9) || h.Normal != vec(-1, 0, 0) ||
				!nearVec(h.Point, vec(want-10, 0, 0), 1e-9) {
				t.Fatalf("hit %d: got %+v, want the sphere at %v", i, h, want)
			}
			i++
		}
		if i != len(row) {
			t.Errorf("hits: got %d, want %d", i, len(row))
		}
		back, ok := p.RayCast(vec(2e6, 0, 0), vec(-1, 0, 0), 1e7, systems.Filter{})
		if !ok || back.Entity != row[len(row)-1] {
			t.Errorf("from the far end: got %+v %v, want the last sphere", back, ok)
		}
		// The nearest hit of a long ray, with the others filtered out.
		for _, k := range []int{1, 500, 999} {
			h, ok := p.RayCast(vec(-10, 0.5, 0), vec(1, 0, 0), inf,
				systems.Filter{Accept: func(e donburi.Entity) bool { return e == row[k] }})
			if !ok || h.Entity != row[k] {
				t.Errorf("sphere %d alone: got %+v %v", k, h, ok)
			}
		}
		if h, ok := p.RayCast(vec(-10, 1.0000001, 0), vec(1, 0, 0), inf, systems.Filter{}); ok {
			t.Errorf("a ray just above the row: got %+v, want nothing", h)
		}
		n := 0
		for range p.RayCastAll(vec(-10, 0, 0), vec(1, 0, 0), 1e9, systems.Filter{}) { // iteration may stop early
			if n++; n == 3 {
				break
			}
		}
	}
}

func TestQueriesMayBeNested(t *testing.T) {
	w := donburi.NewWorld()
	for i := range 200 {
		ball(w, vec(float64(i%20), float64(i/20), 0), vec(0, 0, 0), 0.4)
	}
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	s := collide.Sphere{Center: vec(10, 5, 0), Radius: 4}
	count := func(f systems.Filter) (n [3]int) {
		n[0] = len(slices.Collect(p.OverlapSphere(s, f)))
		n[1] = len(slices.Collect(p.RayCastAll(vec(-5, 5, 0), vec(1, 0, 0), 100, f)))
		n[2] = len(slices.Collect(p.OverlapBox(collide.AABB{Min: vec(3, 3, -1), Max: vec(9, 9, 1)}, f)))
		return n
	}
	want := count(systems.Filter{})
	got := count(systems.Filter{Accept: func(donburi.Entity) bool {
		for range p.OverlapSphere(collide.Sphere{Center: vec(0, 0, 0), Radius: 3}, systems.Filter{}) {
		}
		p.RayCast(vec(0, -5, 0), vec(0, 1, 0), 100, systems.Filter{})
		return true
	}})
	if got != want {
		t.Errorf("queries that ask queries: got %v, want %v", got, want)
	}
	n := 0
	for range p.OverlapSphere(s, systems.Filter{}) {
		for range p.RayCastAll(vec(-5, 5, 0), vec(1, 0, 0), 100, systems.Filter{}) {
			n++
		}
	}
	if n != want[0]*want[1] {
		t.Errorf("a loop in a loop: got %d, want %d", n, want[0]*want[1])
	}
}
