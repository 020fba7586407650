package systems_test

import (
	"fmt"
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
)

// solids returns a shape of each solid kind, about 1 m large, with its distance from a point in its
// own frame.
func solids() map[string]struct {
	shape    collide.Shape
	distance func(p collide.Vec3) float64
} {
	type solid = struct {
		shape    collide.Shape
		distance func(p collide.Vec3) float64
	}
	hull, err := collide.NewHull([]collide.Vec3{
		{X: -1, Y: -0.5, Z: -1}, {X: 1, Y: -0.5, Z: -1}, {X: 0, Y: -0.5, Z: 1.2}, {Y: 1},
	})
	if err != nil {
		panic(err)
	}
	box := collide.Box{Center: vec(0.2, 0, 0), Half: vec(0.5, 0.7, 0.9), Rotation: collide.RotationBy(vec(0, 0.4, 0))}
	slab := collide.AABB{Min: vec(-1, 0, -1), Max: vec(1, 0.5, 0)}
	cylinder := collide.Cylinder{A: vec(0, -0.6, 0.1), B: vec(0.3, 0.6, 0), Radius: 0.5}
	capsule := collide.Capsule{A: vec(0, -0.6, 0.1), B: vec(0.3, 0.6, 0), Radius: 0.5}
	ball := collide.Sphere{Center: vec(0.1, 0, 0), Radius: 0.8}
	separation := func(c collide.Convex) func(p collide.Vec3) float64 {
		return func(p collide.Vec3) float64 { return collide.Separation(collide.Sphere{Center: p}, c).Distance }
	}
	return map[string]solid{
		"box":         {box, separation(box)},
		"AABB":        {slab, separation(slab)},
		"hull":        {hull, separation(hull)},
		"placed hull": {hull.At(vec(0.2, 0.1, 0)), separation(hull.At(vec(0.2, 0.1, 0)))},
		"cylinder":    {cylinder, cylinder.SignedDistance},
		"capsule":     {capsule, separation(capsule)},
		"ball":        {ball, separation(ball)},
	}
}

// A ball that is thrown at a solid in any position touches it when the distance is zero, and is
// never inside.
func TestBallsBounceOffSolidsWhereTheDistanceIsZero(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for name, s := range solids() {
		r := rand.New(rand.NewPCG(4, 4))
		hits := 0
		for range slow.Cases(300) {
			w := donburi.NewWorld()
			e := components.CreateShape(w, vec(r.Float64(), r.Float64(), r.Float64()).Scale(9), s.shape)
			x := components.Transform.Get(e)
			x.Rotation = collide.RotationBy(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(6))
			if r.IntN(3) == 0 {
				x.Rotation = collide.Quat{}
			}
			local := func(p collide.Vec3) collide.Vec3 {
				q := x.Rotation
				return collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}.Rotate(p.Sub(x.Position))
			}
			if x.Rotation == (collide.Quat{}) {
				local = func(p collide.Vec3) collide.Vec3 { return p.Sub(x.Position) }
			}
			from := vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5)
			from, _ = from.Normalized()
			radius := 0.05 + r.Float64()
			center := x.Position.AddScaled(5, from)
			b := components.CreateBall(w, center, radius)
			target := x.Position.Add(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(2))
			v := target.Sub(center).Scale(5)
			components.Velocity.Get(b).Linear = v
			components.Material.Get(b).Restitution = 1
			p := systems.NewPhysics(systems.Config{})
			for range 30 {
				p.Step(w)
				expectNoErrors(t, p)
				if d := s.distance(local(position(b))) - radius; d < -1e-9 {
					t.Fatalf("%s: a ball of radius %v is %v m inside", name, radius, -d)
				}
				for i := range p.Impacts() {
					hits++
					if d := s.distance(local(i.Point)); math.Abs(d) > 1e-9 {
						t.Fatalf("%s: an impact is at %v, %v m off the surface", name, i.Point, d)
					}
					// The distance grows along the normal.
					if d := s.distance(local(i.Point.AddScaled(1e-3, i.Normal))); math.Abs(d-1e-3) > 1e-6 {
						t.Fatalf("%s: 1 mm along the normal %v the distance is %v m", name, i.Normal, d)
					}
				}
			}
			if got := velocity(b).Length(); math.Abs(got-v.Length()) > 1e-9 {
				t.Fatalf("%s: speed %v becomes %v", name, v.Length(), got)
			}
		}
		if hits < slow.Cases(100) {
			t.Errorf("%s: only %d impacts", name, hits)
		}
	}
}

func TestABallInsideASolidIsMovedOut(t *testing.T) {
	for name, s := range solids() {
		w := donburi.NewWorld()
		components.CreateShape(w, collide.Vec3{}, s.shape)
		b := components.CreateBall(w, vec(0.1, 0.15, -0.05), 0.3)
		p := systems.NewPhysics(systems.Config{})
		for range 240 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		if d := s.distance(position(b)) - 0.3; d < -1e-9 || d > 1e-3 {
			t.Errorf("%s: after four seconds the gap is %v m, want 0", name, d)
		}
		if v := velocity(b).Length(); v > 1e-9 {
			t.Errorf("%s: it has gained a speed of %v m/s", name, v)
		}
	}
}

// Queries find shapes where package collide does.
func TestQueriesFindShapesInAnyPosition(t *testing.T) {
	mesh := terrains()["hills"].mesh()
	shapes := map[string]struct {
		shape    collide.Shape
		distance func(p collide.Vec3) float64
	}{
		"mesh": {mesh, func(p collide.Vec3) float64 {
			q, _ := mesh.ClosestPoint(p)
			return q.Distance(p)
		}},
	}
	for name, s := range solids() {
		shapes[name] = s
	}
	for name, s := range shapes {
		r := rand.New(rand.NewPCG(5, 5))
		hits := 0
		for range slow.Cases(200) {
			w := donburi.NewWorld()
			e := components.CreateShape(w, vec(r.Float64(), r.Float64(), r.Float64()).Scale(9), s.shape)
			x := components.Transform.Get(e)
			x.Rotation = collide.RotationBy(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(6))
			q := collide.Quat{X: -x.Rotation.X, Y: -x.Rotation.Y, Z: -x.Rotation.Z, W: x.Rotation.W}
			local := func(p collide.Vec3) collide.Vec3 { return q.Rotate(p.Sub(x.Position)) }
			p := systems.NewPhysics(systems.Config{})
			p.Sync(w)
			expectNoErrors(t, p)
			up := x.Rotation.Rotate(vec(r.Float64()-0.5, 1, r.Float64()-0.5))
			from := x.Position.AddScaled(6, up)
			aim := x.Position.Add(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(3))
			n, _ := aim.Sub(from).Normalized()
			radius := 0.0
			if r.IntN(2) == 0 {
				radius = r.Float64()
			}
			h, ok := p.SphereCast(collide.Sphere{Center: from, Radius: radius}, n, 30, systems.Filter{})
			end := 30.0
			if ok {
				hits++
				end = h.Distance
				if d := s.distance(local(h.Center)) - radius; math.Abs(d) > 1e-9 || h.Entity != e.Entity() {
					t.Fatalf("%s: the cast of radius %v ends %v m off the surface", name, radius, d)
				}
				if h.Normal.Dot(n) >= 0 {
					t.Fatalf("%s: normal %v of a cast along %v", name, h.Normal, n)
				}
			}
			for k := range 100 {
				at := from.AddScaled(end*float64(k)/100, n)
				if d := s.distance(local(at)) - radius; d < -1e-9 {
					t.Fatalf("%s: the cast of radius %v passes through, %v m deep", name, radius, -d)
				}
			}
			// A ball as any convex shape finds the same, and so does a capsule without length.
			for _, shape := range []collide.Convex{
				collide.Capsule{A: from, B: from, Radius: radius + 0x1p-60},
				collide.Placed{Shape: collide.Sphere{Radius: radius}, Position: from},
			} {
				g, also := p.ShapeCast(shape, n, 30, systems.Filter{})
				if name == "cylinder" { // a prism stands for it
					continue
				}
				if ok != also || ok && math.Abs(g.Distance-h.Distance) > 1e-7 {
					t.Fatalf("%s: cast as %T: got %v %v, want %v %v", name, shape, g.Distance, also, h.Distance, ok)
				}
			}
			want := s.distance(local(from))
			if g, near := p.ClosestPoint(from, inf, systems.Filter{}); !near || math.Abs(g.Distance-want) > 1e-9 {
				t.Fatalf("%s: the closest point of %v is %v m away, want %v", name, from, g.Distance, want)
			}
			touching := slices.Collect(p.OverlapSphere(collide.Sphere{Center: from, Radius: 6}, systems.Filter{}))
			if (want <= 6) != (len(touching) == 1) {
				t.Fatalf("%s: a ball of 6 m at %v overlaps %v, at a distance of %v", name, from, touching, want)
			}
		}
		if hits < slow.Cases(200)/6 {
			t.Errorf("%s: only %d hits", name, hits)
		}
	}
}

func TestInvalidShapesAreErrorsThatNameTheField(t *testing.T) {
	nan := math.NaN()
	box := collide.Box{Half: vec(1, 1, 1)}
	type data = components.ShapeColliderData
	type piece = components.ShapePart
	for _, tt := range []struct {
		data data
		want string
	}{
		{data{}, "ShapeCollider.Shape (none) is missing"},
		{data{Shape: collide.Box{Half: vec(1, 0, 1)}}, "ShapeCollider.Shape.Half.Y 0 is not positive"},
		{data{Shape: collide.Box{Half: vec(1, 1, nan)}}, "ShapeCollider.Shape.Half.Z NaN is not positive"},
		{data{Shape: collide.Box{Center: vec(inf, 0, 0), Half: vec(1, 1, 1)}}, "ShapeCollider.Shape.Center"},
		{
			data{Shape: collide.Box{Half: vec(1, 1, 1), Rotation: collide.Quat{X: 3}}},
			"ShapeCollider.Shape.Rotation {3 0 0 0} is not of unit length",
		},
		{data{Shape: collide.AABB{}}, "ShapeCollider.Shape"},
		{data{Shape: collide.Sphere{Radius: -1}}, "ShapeCollider.Shape.Radius -1 is not positive"},
		{data{Shape: collide.Capsule{A: vec(nan, 0, 0), Radius: 1}}, "ShapeCollider.Shape.A"},
		{data{Shape: collide.Cylinder{Radius: 1}}, "ShapeCollider.Shape.B"},
		{data{Shape: (*collide.Hull)(nil)}, "ShapeCollider.Shape (hull) is nil"},
		{data{Shape: collide.PlacedHull{}}, "ShapeCollider.Shape.Hull (hull) is nil"},
		{data{Shape: (*collide.Mesh)(nil)}, "ShapeCollider.Shape (mesh) is nil"},
		{data{Shape: (*collide.HeightField)(nil)}, "ShapeCollider.Shape (height field) is nil"},
		{data{Shape: collide.Segment{}}, "is no shape that an entity can have"},
		{data{Shape: box, Parts: []piece{{Shape: box}}}, "is ambiguous"},
		{
			data{Parts: []piece{{Shape: box}, {}}},
			"ShapeCollider.Parts[1].Shape (none) is missing",
		},
		{
			data{Parts: []piece{{Shape: box, Position: vec(0, nan, 0)}}},
			"ShapeCollider.Parts[0].Position",
		},
	} {
		w := donburi.NewWorld()
		good := components.CreateBox(w, vec(0, -1, 0), vec(5, 1, 5))
		bad := spawn(w, components.TransformData{}, tt.data)
		b := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
		p := onEarth()
		for range 30 {
			p.Step(w)
		}
		all := slices.Collect(p.Errors())
		if len(all) != 1 || all[0].Entity != bad.Entity() || !strings.Contains(all[0].Err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %q of %v", tt.data, all, tt.want, bad.Entity())
		}
		if y := position(b).Y; y != 0.5 || !good.Valid() {
			t.Errorf("%+v: the ball beside it is at y = %v, want 0.5", tt.data, y)
		}
	}
	for name, values := range map[string][]any{
		"AngularVelocity.Angular": {components.AngularVelocityData{Angular: vec(0, 1, 0)}},
		"Collider.Shape":          {components.SphereColliderData{Radius: 1}},
	} {
		w := donburi.NewWorld()
		spawn(w, append([]any{components.TransformData{}, components.ShapeColliderData{Shape: box}}, values...)...)
		p := onEarth()
		p.Step(w)
		if all := slices.Collect(p.Errors()); len(all) != 1 || !strings.Contains(all[0].Err.Error(), name) {
			t.Errorf("%s: got %v", name, all)
		}
	}
}

// A mesh, hull or terrain that is the zero value of its type ended the program.
func TestShapesThatNoConstructorHasMadeDoNotEndTheProgram(t *testing.T) {
	const (
		noHull  = " (hull) has no corners: make it with collide.NewHull"
		noMesh  = " (mesh) has no triangles: make it with collide.NewMesh"
		noField = " (height field) has no cells: make it with collide.NewHeightField"
	)
	ok := collide.Box{Half: vec(1, 1, 1)}
	for _, shape := range []struct {
		made collide.Shape
		want string
	}{
		{&collide.Hull{}, noHull},
		{collide.PlacedHull{Hull: &collide.Hull{}}, ".Hull" + noHull},
		{collide.PlacedHull{Hull: &collide.Hull{}, Position: vec(1, 2, 3)}, ".Hull" + noHull},
		{&collide.Mesh{}, noMesh},
		{&collide.HeightField{}, noField},
		{(*collide.Box)(nil), " (*collide.Box) is no shape that an entity can have"},
		{&collide.Sphere{Radius: 1}, " (*collide.Sphere) is no shape that an entity can have"},
		{(*collide.Placed)(nil), " (*collide.Placed) is no shape that an entity can have"},
		{&collide.PlacedHull{}, " (*collide.PlacedHull) is no shape that an entity can have"},
		{collide.Placed{}, " (collide.Placed) is no shape that an entity can have"},
		{collide.Polygon{}, " (collide.Polygon) is no shape that an entity can have"},
	} {
		alone := components.ShapeColliderData{Shape: shape.made}
		compound := components.ShapeColliderData{Parts: []components.ShapePart{{Shape: ok}, {Shape: shape.made}}}
		w, p := donburi.NewWorld(), onEarth()
		leader := leads(w, vec(1, 0, 0))
		components.CreateBox(w, vec(0, -1, 0), vec(5, 1, 5))
		for kind, values := range map[string][]any{
			"static":    {alone},
			"turned":    {alone, components.TransformData{Rotation: collide.RotationBy(vec(0, 1, 0))}},
			"kinematic": {alone, moving(1, 0, 0), components.BodyData{Kind: components.Kinematic}},
			"rotating":  {alone, moving(1, 0, 0), turning(0, 0, 1), components.BodyData{Kind: components.Kinematic}},
			"dynamic":   {alone, moving(1, 0, 0), components.BodyData{}},
			"compound":  {compound},
			"lift":      {compound, moving(1, 0, 0), components.BodyData{Kind: components.Kinematic}},
			"member":    {alone, follows(leader)},
			"corrupted": {alone, moving(0, 1, 0), components.BodyData{Kind: components.Kinematic}},
			"constant":  {alone, components.ConstantData{}},
		} {
			what := fmt.Sprintf("%T, %s", shape.made, kind)
			b := components.CreateBall(w, vec(0, 0.5, 0), 0.5)
			bad := spawn(w, append([]any{components.TransformData{}}, values...)...)
			if kind == "corrupted" {
				set(bad, components.ShapeColliderData{Shape: ok})
				components.Transform.Get(bad).Position = vec(20, 0, 0)
				steps(t, w, p, 3)
				set(bad, alone)
			}
			for range 10 {
				p.Step(w)
			}
			want := "ShapeCollider.Shape" + shape.want
			if len(components.ShapeCollider.Get(bad).Parts) > 0 {
				want = "ShapeCollider.Parts[1].Shape" + shape.want
			}
			if all := errorsOf(p); len(all) != 1 || all[0].Entity != bad.Entity() ||
				!strings.HasPrefix(all[0].Err.Error(), want) {
				t.Errorf("%s: got %v, want %q", what, all, want)
			}
			if y := position(b).Y; y != 0.5 {
				t.Errorf("%s: the ball beside it is at y = %v, want 0.5", what, y)
			}
			p.Check(w)
			components.Transform.Get(bad).Position = vec(20, 0, 0)
			set(bad, components.ShapeColliderData{Shape: ok})
			steps(t, w, p, 3)
			w.Remove(bad.Entity())
			w.Remove(b.Entity())
		}
	}
}

// A lift is a box with a velocity. What stands on it goes with it, and sleeps when it stops.
func TestALiftCarriesABall(t *testing.T) {
	for name, s := range map[string]collide.Shape{
		"box":  collide.Box{Half: vec(2, 0.5, 2)},
		"mesh": soup(quad(vec(-2, 0.5, -2), vec(-2, 0.5, 2), vec(2, 0.5, 2), vec(2, 0.5, -2))).mesh(),
		"hull": func() collide.Shape {
			h, err := collide.NewHull([]collide.Vec3{
				{X: -2, Y: 0.5, Z: -2}, {X: -2, Y: 0.5, Z: 2}, {X: 2, Y: 0.5, Z: 2}, {X: 2, Y: 0.5, Z: -2}, {Y: -1},
			})
			if err != nil {
				panic(err)
			}
			return h
		}(),
		"cylinder": collide.Cylinder{A: vec(0, -0.5, 0), B: vec(0, 0.5, 0), Radius: 2},
	} {
		w := donburi.NewWorld()
		lift := components.CreateShape(w, collide.Vec3{}, s, components.Velocity, components.Body)
		components.Body.Get(lift).Kind = components.Kinematic
		b := components.CreateBall(w, vec(0.2, 0.5+0.25, 0.1), 0.25)
		p := onEarth()
		for n := range 300 {
			v := 0.0
			if n < 120 {
				v = 2
			}
			components.Velocity.Get(lift).Linear = vec(0, v, 0)
			p.Step(w)
			expectNoErrors(t, p)
			gap := position(b).Y - position(lift).Y - 0.75
			if gap < -1e-9 || n < 119 && gap > 1e-3 {
				t.Fatalf("%s: in step %d the ball is %v m above the lift", name, n, gap)
			}
		}
		if y := position(lift).Y; math.Abs(y-4) > 1e-9 {
			t.Errorf("%s: the lift is at %v, want 4", name, y)
		}
		if gap := position(b).Y - 4.75; math.Abs(gap) > 1e-9 || !p.Asleep(b.Entity()) {
			t.Errorf("%s: the ball is %v m above the lift, asleep: %v", name, gap, p.Asleep(b.Entity()))
		}
	}
}

// A ball that rolls from part to part, or from triangle to triangle, has one contact with the
// entity: it begins once and ends once.
func TestACompoundHasOneContactWithABall(t *testing.T) {
	var parts []components.ShapePart
	for k := range 8 {
		parts = append(parts, components.ShapePart{
			Shape: collide.Box{Half: vec(0.5, 0.5, 3)}, Position: vec(float64(k), 0, 0),
		})
	}
	// A wall at the side, so that the ball touches two parts at once.
	parts = append(parts, components.ShapePart{Shape: collide.Box{Half: vec(9, 3, 0.5)}, Position: vec(0, 0, -0.75)})
	for name, create := range map[string]func(w donburi.World) *donburi.Entry{
		"compound": func(w donburi.World) *donburi.Entry {
			return components.CreateCompound(w, vec(0, -0.5, 0), parts)
		},
		"mesh": func(w donburi.World) *donburi.Entry {
			s := append(quad(vec(-9, 0, 3), vec(7.5, 0, 3), vec(7.5, 0, -0.25), vec(-9, 0, -0.25)),
				quad(vec(-9, 0, -0.25), vec(9, 0, -0.25), vec(9, 3, -0.25), vec(-9, 3, -0.25))...)
			return components.CreateMesh(w, collide.Vec3{}, s.mesh())
		},
	} {
		w := donburi.NewWorld()
		floor := create(w)
		b := components.CreateBall(w, vec(0, 0.3, 0.05), 0.25, components.AngularVelocity)
		components.Velocity.Get(b).Linear = vec(2, 0, -0.2)
		components.Material.Get(b).Friction = 0.3
		p := onEarth()
		begins, ends := 0, 0
		for range 400 {
			p.Step(w)
			expectNoErrors(t, p)
			for c := range p.ContactBegins() {
				begins++
				if c.B != floor.Entity() && c.A != floor.Entity() {
					t.Errorf("%s: a contact with %v begins", name, c.B)
				}
			}
			for range p.ContactEnds() {
				ends++
			}
			if touching := slices.Collect(p.Touching(b.Entity())); len(touching) > 1 {
				t.Fatalf("%s: it touches %v", name, touching)
			}
			if position(b).Y < -5 {
				break
			}
		}
		if begins < 1 || begins > 3 || ends != begins || position(b).Y > -5 {
			t.Errorf("%s: %d contacts begin and %d end, and the ball is at %v", name, begins, ends, position(b))
		}
		all := slices.Collect(p.RayCastAll(vec(-5, 0.1, 2), vec(0, -0.2, -1), 100, systems.Filter{}))
		if len(all) != 1 {
			t.Errorf("%s: a ray finds %v, want the entity once", name, all)
		}
	}
}

// Changing a shape, or removing the entity, wakes what rests on it.
func TestABallOnAShapeThatChangesFalls(t *testing.T) {
	low := flatFloor(4, 1, 2, func(p collide.Vec3) collide.Vec3 { return p.Add(vec(0, -1, 0)) })
	high := flatFloor(4, 1, 3, same)
	for name, change := range map[string]func(w donburi.World, e *donburi.Entry){
		"another mesh": func(_ donburi.World, e *donburi.Entry) { components.ShapeCollider.Get(e).Shape = low },
		"moved":        func(_ donburi.World, e *donburi.Entry) { components.Transform.Get(e).Position.Y = -1 },
		"removed":      func(w donburi.World, e *donburi.Entry) { w.Remove(e.Entity()) },
		"now a compound": func(_ donburi.World, e *donburi.Entry) {
			*components.ShapeCollider.Get(e) = components.ShapeColliderData{Parts: []components.ShapePart{
				{Shape: low}, {Shape: collide.Box{Half: vec(1, 1, 1)}, Position: vec(0, -2, 0)},
			}}
		},
	} {
		w := donburi.NewWorld()
		components.CreatePlane(w, vec(0, -1, 0), vec(0, 1, 0))
		e := components.CreateMesh(w, collide.Vec3{}, high)
		b := components.CreateBall(w, vec(0.1, 0.5, 0.2), 0.5)
		p := onEarth()
		for range 60 {
			p.Step(w)
		}
		if y := position(b).Y; y != 0.5 || !p.Asleep(b.Entity()) {
			t.Fatalf("%s: the ball is at %v, asleep: %v", name, y, p.Asleep(b.Entity()))
		}
		change(w, e)
		for range 120 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		if y := position(b).Y; math.Abs(y+0.5) > 1e-9 {
			t.Errorf("%s: the ball is at %v, want -0.5", name, y)
		}
	}
}

func TestShapesHaveTheSameBitsWithAnyNumberOfWorkers(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	s := terrains()
	run := func(workers int, reversed bool) []uint64 {
		w := donburi.NewWorld()
		create := []func(){
			func() { components.CreateMesh(w, vec(0, 0, 0), s["hills"].mesh()) },
			func() { components.CreateMesh(w, vec(12, 0, 0), s["stairs"].mesh()) },
			func() { components.CreateBox(w, vec(-9, 0, 0), vec(3, 1, 6)) },
			func() { components.CreateCylinder(w, vec(-9, 1, 2), vec(-9, 3, 2), 1) },
		}
		if reversed {
			slices.Reverse(create)
		}
		for _, f := range create {
			f()
		}
		r := rand.New(rand.NewPCG(2, 2))
		var balls []*donburi.Entry
		for range slow.Cases(4000) {
			e := components.CreateBall(w, vec(30*r.Float64()-12, 2+60*r.Float64(), 12*r.Float64()-6), 0.15,
				components.AngularVelocity)
			components.Velocity.Get(e).Linear = vec(r.Float64()-0.5, -3*r.Float64(), r.Float64()-0.5).Scale(4)
			components.Material.SetValue(e, components.MaterialData{Restitution: 0.3, Friction: 0.4})
			balls = append(balls, e)
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: workers})
		for range 60 {
			p.Step(w)
		}
		expectNoErrors(t, p)
		var bits []uint64
		for _, e := range balls {
			x, v := position(e), velocity(e)
			for _, c := range []float64{x.X, x.Y, x.Z, v.X, v.Y, v.Z} {
				bits = append(bits, math.Float64bits(c))
			}
		}
		return bits
	}
	want := run(1, false)
	for _, workers := range []int{2, 5} {
		if got := run(workers, false); !slices.Equal(got, want) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
	if got := run(1, true); !slices.Equal(got, want) {
		t.Error("the order of creation changes results")
	}
}
