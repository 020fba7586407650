package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// twin is one of two worlds to which the same happens. In one of them everything is read the long way, in the other three lanes share the rows.
type twin struct {
	w       donburi.World
	game    *ecs.ECS
	p       *Physics
	r       *rand.Rand
	long    bool
	entries []*donburi.Entry
	tiles   []*donburi.Entry // and planes
}

// newTwin makes a twin of many different things and as many more spheres that are all alike.
func newTwin(config Config, seed uint64, long bool, alike int) *twin {
	w := donburi.NewWorld()
	t := &twin{w: w, game: ecs.NewECS(w), p: NewPhysics(config), r: rand.New(rand.NewPCG(seed, 5)), long: long}
	if !long {
		t.p.config.Workers, t.p.lanes.rows = 3, blockRows/8
	}
	if !long && alike > 0 { // pieces of several blocks, as in a large world
		t.p.lanes.rows, t.p.lanes.readAhead, t.p.lanes.writeAhead = 5*blockRows/2, 0, 0
	}
	for range alike { // first, since Donburi can't create into archetypes whose first entity came by AddComponent
		e := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Velocity, components.Response))
		components.Transform.Get(e).Position = t.vector(5.5)
		components.SphereCollider.Get(e).Radius = 0.05
		components.Velocity.Get(e).Linear = t.vector(1)
		t.entries = append(t.entries, e)
	}
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		wall := w.Entry(w.Create(components.Transform, components.PlaneCollider))
		components.Transform.Get(wall).Position = n.Scale(-6)
		components.PlaneCollider.Get(wall).Normal = n
	}
	for range 150 {
		t.spawn()
	}
	for range 20 {
		t.lay()
	}
	return t
}

// lay adds a tile, or now and then a floor far below.
func (t *twin) lay() {
	kinds := []donburi.IComponentType{components.Transform, components.PolygonCollider}
	if t.r.IntN(4) == 0 {
		kinds[1] = components.PlaneCollider
	}
	e := t.w.Entry(t.w.Create(kinds...))
	for _, c := range []donburi.IComponentType{components.Velocity, components.Body, components.Response, components.CollisionFilter, components.Force, components.Friction, components.SurfaceVelocity} {
		if t.r.IntN(4) == 0 {
			e.AddComponent(c)
		}
	}
	if e.HasComponent(components.PlaneCollider) {
		components.Transform.Get(e).Position = t.vector(1).Add(collide.Vec3{Y: -8})
	} else {
		components.Transform.Get(e).Position = t.vector(4)
		t.cut(e)
	}
	t.tiles = append(t.tiles, e)
}

// cut gives a tile three corners, or four that are a little off one plane by rounding at most.
func (t *twin) cut(e *donburi.Entry) {
	a, b := t.vector(1), t.vector(1)
	points := []collide.Vec3{{}, a, b}
	if t.r.IntN(2) == 0 {
		points = []collide.Vec3{{}, a, a.Add(b), b}
	}
	components.PolygonCollider.Get(e).Points = points
}

// alter changes something about a tile or a floor.
func (t *twin) alter() {
	at := t.r.IntN(len(t.tiles))
	e, v := t.tiles[at], t.vector(1)
	tile := tileOf(e)
	switch t.r.IntN(20) {
	case 0:
		tile.transform.Position = tile.transform.Position.AddScaled(0.1, v)
	case 1:
		tile.transform.Rotation = collide.RotationAround(collide.Vec3{Y: 1}, v.X)
	case 2:
		tile.transform.Rotation = collide.Quat{X: math.NaN()}
	case 3:
		tile.transform.Rotation = collide.Quat{}
	case 4, 5, 6:
		if tile.plane != nil {
			tile.plane.Normal = collide.Vec3{Y: 1}.AddScaled(0.1, v)
			tile.plane.TwoSided = !tile.plane.TwoSided
		} else if t.r.IntN(3) == 0 {
			t.cut(e)
		} else {
			tile.polygon.Points[1] = tile.polygon.Points[1].AddScaled(0.1, v) // a triangle stays flat
		}
	case 7:
		if tile.plane != nil {
			tile.plane.Distance = v.X
		} else {
			tile.polygon.OneSided = !tile.polygon.OneSided
		}
	case 8:
		if tile.polygon != nil {
			tile.polygon.Points = tile.polygon.Points[:2+t.r.IntN(len(tile.polygon.Points)-1)]
			if len(tile.polygon.Points) < 3 {
				t.cut(e)
			}
		}
	case 9:
		e.Remove()
		t.tiles[at] = t.tiles[len(t.tiles)-1]
		t.tiles = t.tiles[:len(t.tiles)-1]
		t.lay()
	case 10:
		tile.velocity.Linear = v
	case 11:
		tile.velocity.Linear = collide.Vec3{}
	case 12:
		tile.body.Mass = v.X - 0.8 // an error mostly
	case 13:
		tile.body.Mass = 0
	case 14:
		tile.response.Restitution = v.Y // an error every other time
	case 15:
		tile.filter.Layers ^= 2
	case 16:
		tile.friction.Dynamic = v.X + 0.9 // an error now and then
	case 17:
		tile.friction.Combine = components.CombineRule(t.r.IntN(6))
	case 18:
		tile.belt.Linear = v
	case 19:
		tile.belt.Linear = collide.Vec3{X: math.Copysign(0, v.X)}
	}
}

// parts are the components of a tile. Those that it doesn't have are nobody's.
type parts struct {
	transform *components.TransformData
	velocity  *components.VelocityData
	plane     *components.PlaneColliderData
	polygon   *components.PolygonColliderData
	body      *components.BodyData
	response  *components.ResponseData
	filter    *components.CollisionFilterData
	friction  *components.FrictionData
	belt      *components.SurfaceVelocityData
}

func tileOf(e *donburi.Entry) parts {
	t := parts{
		components.Transform.Get(e), &components.VelocityData{}, nil, nil, &components.BodyData{}, &components.ResponseData{}, &components.CollisionFilterData{},
		&components.FrictionData{}, &components.SurfaceVelocityData{},
	}
	if e.HasComponent(components.PlaneCollider) {
		t.plane = components.PlaneCollider.Get(e)
	} else {
		t.polygon = components.PolygonCollider.Get(e)
	}
	if e.HasComponent(components.Velocity) {
		t.velocity = components.Velocity.Get(e)
	}
	if e.HasComponent(components.Body) {
		t.body = components.Body.Get(e)
	}
	if e.HasComponent(components.Response) {
		t.response = components.Response.Get(e)
	}
	if e.HasComponent(components.CollisionFilter) {
		t.filter = components.CollisionFilter.Get(e)
	}
	if e.HasComponent(components.Friction) {
		t.friction = components.Friction.Get(e)
	}
	if e.HasComponent(components.SurfaceVelocity) {
		t.belt = components.SurfaceVelocity.Get(e)
	}
	return t
}

func (t *twin) vector(size float64) collide.Vec3 {
	random := func() float64 { return float64((t.r.Float64()*2 - 1) * size) }
	return collide.Vec3{X: random(), Y: random(), Z: random()}
}

func (t *twin) spawn() {
	e := t.w.Entry(t.w.Create(components.Transform, components.SphereCollider)) // Donburi can't create into archetypes whose first entity came by AddComponent
	for _, c := range []donburi.IComponentType{
		components.Velocity, components.Velocity, components.Body, components.Response, components.CollisionFilter, components.Friction, components.AngularVelocity,
	} {
		if t.r.IntN(4) > 0 && !e.HasComponent(c) {
			e.AddComponent(c)
		}
	}
	components.Transform.Get(e).Position = t.vector(5.5)
	components.SphereCollider.Get(e).Radius = 0.1 + t.r.Float64()*0.3
	if e.HasComponent(components.Velocity) && t.r.IntN(3) > 0 {
		components.Velocity.Get(e).Linear = t.vector(10)
	}
	if e.HasComponent(components.Body) {
		components.Body.Get(e).Mass = t.r.Float64() * 3
	}
	if e.HasComponent(components.Friction) {
		*components.Friction.Get(e) = components.Rough(float64(t.r.IntN(3)) / 4)
	}
	if e.HasComponent(components.AngularVelocity) {
		components.AngularVelocity.Get(e).Angular = t.vector(float64(t.r.IntN(3) * 5))
	}
	t.entries = append(t.entries, e)
}

func (t *twin) change() {
	at := t.r.IntN(len(t.entries))
	e, kind, x := t.entries[at], t.r.IntN(30), t.r.Float64()
	v := t.vector(10)
	toggle := func(c donburi.IComponentType) {
		if e.HasComponent(c) {
			e.RemoveComponent(c)
		} else {
			e.AddComponent(c)
		}
	}
	switch kind {
	case 0:
		toggle(components.Velocity)
	case 1:
		toggle(components.Body)
	case 2:
		toggle(components.Response)
	case 3:
		toggle(components.CollisionFilter)
	case 4:
		if x < 0.2 {
			toggle(components.Sensor)
		}
	case 5:
		if x < 0.3 {
			toggle(components.Force)
		}
	case 6: // gone and back between two readings
		toggle(components.Velocity)
		toggle(components.Velocity)
	case 7:
		e.Remove()
		t.entries[at] = t.entries[len(t.entries)-1]
		t.entries = t.entries[:len(t.entries)-1]
		t.spawn()
	case 8, 9:
		components.Transform.Get(e).Position = v.Scale(0.5)
	case 10:
		components.Transform.Get(e).Rotation.X = math.NaN()
	case 11:
		components.Transform.Set(e, &components.TransformData{Position: v.Scale(0.5)})
	case 12:
		components.SphereCollider.Get(e).Radius = x*0.5 - 0.02
	}
	if e = t.entries[at%len(t.entries)]; e.HasComponent(components.Velocity) {
		d := components.Velocity.Get(e)
		switch kind {
		case 13:
			d.Linear = v
		case 14:
			d.Linear = collide.Vec3{}
		case 15:
			d.Linear = collide.Vec3{X: math.Copysign(0, -1)}
		case 16:
			if x < 0.02 {
				d.Linear = v.Scale(5e7)
			}
		}
	}
	if e.HasComponent(components.Body) {
		d := components.Body.Get(e)
		switch kind {
		case 17:
			d.Mass = x
		case 18:
			d.LinearDamping = float64(t.r.IntN(3))
		case 19:
			d.Locked = components.Axes(t.r.IntN(8))
		case 20:
			d.Kind = components.BodyKind(t.r.IntN(3))
		case 21:
			d.Weightless = !d.Weightless
		case 12:
			d.GravityScale = float64(t.r.IntN(3))
		case 24:
			d.NeverSleep = !d.NeverSleep
		}
	}
	if kind == 25 {
		toggle(components.Friction)
	}
	if kind == 26 {
		toggle(components.AngularVelocity)
	}
	if e.HasComponent(components.Friction) && kind == 27 {
		*components.Friction.Get(e) = components.FrictionData{Dynamic: x/2 - 0.01, Rolling: x / 10, Combine: components.CombineRule(t.r.IntN(6))}
	}
	if e.HasComponent(components.AngularVelocity) {
		d, q := components.AngularVelocity.Get(e), &components.Transform.Get(e).Rotation
		switch kind {
		case 28:
			*d = components.AngularVelocityData{Angular: v, Inertia: float64(t.r.IntN(3)) - 0.1*x, Damping: float64(t.r.IntN(2))}
		case 29:
			d.Angular = collide.Vec3{X: math.Copysign(0, x-0.5)}
		case 0:
			*q = collide.RotationAround(v, x)
		case 1:
			*q = collide.Quat{}
		case 2:
			d.Angular = v.Scale(1e11)
		case 3:
			q.W *= 1 + 1e-6*(x-0.5)
		}
	}
	if e.HasComponent(components.Response) && kind == 22 {
		*components.Response.Get(e) = components.ResponseData{Mode: components.ResponseMode(t.r.IntN(2)), Restitution: float64(t.r.IntN(3)) / 2, Combine: components.CombineRule(t.r.IntN(6))}
	}
	if e.HasComponent(components.CollisionFilter) && kind == 23 {
		*components.CollisionFilter.Get(e) = components.CollisionFilterData{Layers: 1 << t.r.IntN(2), Mask: uint32(t.r.IntN(4))}
	}
}

func (t *twin) shake() {
	for range t.r.IntN(4) {
		t.change()
		t.alter()
	}
}

func (t *twin) forget() {
	if t.long {
		t.p.forgetStyles()
	}
}

func (t *twin) step() {
	t.forget()
	switch t.r.IntN(8) {
	case 0:
		t.p.Broadphase(t.game)
		t.shake()
		t.p.Sweep(t.game)
		t.shake()
		t.p.Response(t.game)
	case 1:
		t.p.Sync(t.w)
		t.shake()
		t.forget()
		t.p.Step(t.w)
	case 2: // a step that the game breaks off
		t.p.Broadphase(t.game)
		t.shake()
		t.forget()
		t.p.Step(t.w)
	default:
		t.p.Step(t.w)
	}
	if t.r.IntN(3) == 0 {
		t.shake()
	}
}

// state is everything that a step changes, as text, so that NaNs are equal and zeros of different signs are not.
func (t *twin) state() []string {
	s := []string{fmt.Sprint(t.p.Errors()), fmt.Sprint(t.p.stats.Impacts, t.p.stats.Pairs, t.p.stats.Bodies, t.p.stats.Errors)}
	for _, e := range append(t.entries, t.tiles...) {
		line := fmt.Sprint(e.Entity(), *components.Transform.Get(e))
		if e.HasComponent(components.AngularVelocity) {
			line += fmt.Sprint(components.AngularVelocity.Get(e).Angular)
		}
		if e.HasComponent(components.Velocity) {
			line += fmt.Sprint(components.Velocity.Get(e).Linear)
		}
		s = append(s, line)
	}
	return s
}

// Whatever the game does and whenever, what is read the quick way gives the bits that the long way gives.
func TestTheQuickWayGivesTheBitsOfTheLongWay(t *testing.T) {
	steps := 500
	if testing.Short() {
		steps = 100
	}
	for name, config := range map[string]Config{"weightless": {}, "under gravity": {Gravity: collide.Vec3{Y: -9.81}}} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				alike, steps := 0, steps
				if seed == 3 {
					alike, steps = 4*blockRows, steps/2
				}
				quick, long := newTwin(config, seed, false, alike), newTwin(config, seed, true, alike)
				for step := range steps {
					quick.step()
					long.step()
					got, want := quick.state(), long.state()
					for i := range want {
						if got[i] != want[i] {
							t.Errorf("step %d: got %s, want %s", step, got[i], want[i])
						}
					}
					if wrong := quick.p.misremembered(); wrong != "" {
						t.Errorf("step %d: %s", step, wrong)
					}
					if t.Failed() {
						t.FailNow()
					}
				}
				if long.p.stats.Bodies < 50 {
					t.Errorf("only %d bodies are left", long.p.stats.Bodies)
				}
			})
		}
	}
}

// misremembered says what a page that the next step would go by says wrongly of a member.
func (p *Physics) misremembered() string {
	for i := range p.members.tables {
		t := &p.members.tables[i]
		for from := 0; from < len(t.ents); from += blockRows {
			ents := t.ents[from:min(from+blockRows, len(t.ents))]
			g := p.page(t, from)
			if g == nil || !g.recalls(ents, p.members.round) {
				continue
			}
			for k, e := range ents {
				m := p.members.find(e)
				if m == nil || m.style != g.style || m.code != g.ids[k] || m.kind != components.Dynamic || m.marks&still != 0 || (m.marks&bends != 0) != g.bends {
					return fmt.Sprintf("%v is %+v, and on a page of style %d", e, m, g.style)
				}
				if s := &p.members.styles.list[g.style]; s.has&hasBody != 0 && m.mass != g.mass[k] || m.radius != g.radius[k] {
					return fmt.Sprintf("%v is %+v, and has radius %v and mass %v on its page", e, m, g.radius[k], g.mass[k])
				}
			}
		}
	}
	return ""
}

// An entity leaves its table and comes back, and in between another was in its row.
func TestWhoComesBackIntoItsRowIsReadAnew(t *testing.T) {
	for _, lost := range []donburi.IComponentType{components.Response, components.SphereCollider} {
		t.Run(lost.Name(), func(t *testing.T) {
			w := donburi.NewWorld()
			var all []*donburi.Entry
			for i := range blockRows + 1 {
				e := w.Entry(w.Create(components.Transform, components.SphereCollider, components.Velocity, components.Response))
				components.Transform.Get(e).Position = collide.Vec3{X: float64(10 * i), Y: 100}
				components.Velocity.Get(e).Linear = collide.Vec3{Y: -1}
				components.SphereCollider.Get(e).Radius = 1
				components.Response.SetValue(e, components.Bounce(1))
				all = append(all, e)
			}
			last, gone := all[blockRows], all[5]
			components.Response.SetValue(last, components.Bounce(0.5)) // of another style
			p := NewPhysics(Config{})
			p.Step(w)
			p.Step(w)
			gone.RemoveComponent(lost) // the last comes into its row
			p.Step(w)
			gone.AddComponent(lost)
			components.Response.SetValue(gone, components.Bounce(1))
			components.SphereCollider.Get(gone).Radius = 1
			last.Remove() // and it is in its row again
			floor := w.Entry(w.Create(components.Transform, components.PlaneCollider))
			components.PlaneCollider.Get(floor).Normal = collide.Vec3{Y: 1}
			components.Transform.Get(floor).Position.Y = 98.5
			for range 60 {
				p.Step(w)
				if wrong := p.misremembered(); wrong != "" {
					t.Fatal(wrong)
				}
			}
			if got, want := *components.Velocity.Get(gone), *components.Velocity.Get(all[4]); got != want {
				t.Errorf("it moves at %v after the floor, and the others at %v", got, want)
			}
		})
	}
}

// What the game changes and takes back before the next step has no effect, though the space was told in between.
func TestWhatIsTakenBackHasNotBeen(t *testing.T) {
	for name, look := range map[string]func(p *Physics, w donburi.World){
		"in Sync":       func(p *Physics, w donburi.World) { p.Sync(w) },
		"in Broadphase": func(p *Physics, w donburi.World) { p.Broadphase(ecs.NewECS(w)) },
	} {
		w, entries := crowd(100, 1)
		v, untouched := crowd(100, 1)
		p, q := NewPhysics(Config{}), NewPhysics(Config{})
		for range 3 {
			p.Step(w)
			q.Step(v)
		}
		velocity, position := components.Velocity.Get(entries[7]), components.Transform.Get(entries[8])
		was, place := *velocity, *position
		velocity.Linear.X++
		position.Position.Y += 0.5
		look(p, w)
		*velocity, *position = was, place
		for range 3 {
			p.Step(w)
			q.Step(v)
		}
		for i := range entries {
			if got, want := *components.Transform.Get(entries[i]), *components.Transform.Get(untouched[i]); got != want {
				t.Errorf("%s: ball %d: got %v, want %v", name, i, got, want)
			}
		}
	}
}

// Looks that change all the time don't pile up.
func TestStylesThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := crowd(10, 1)
	p := NewPhysics(Config{})
	for step := range 3 * minStyles {
		components.Body.Get(entries[step%10]).LinearDamping = float64(step) / 1e6
		p.Step(w)
		if n := len(p.members.styles.list); n > minStyles+30 {
			t.Fatalf("step %d: %d styles", step, n)
		}
	}
}

// Corners that are cut off and on again don't pile up.
func TestPointsThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := surfaces(10, components.PolygonCollider)
	p := NewPhysics(Config{})
	for step := range 300 {
		d := components.PolygonCollider.Get(entries[step%10])
		d.Points = d.Points[:3+step/10%2]
		p.Step(w)
		if n := len(p.members.forms.all); n > 100 {
			t.Fatalf("step %d: %d points", step, n)
		}
		for i, e := range entries {
			if got, want := p.members.forms.points(&p.members.forms.list[i]), components.PolygonCollider.Get(e).Points; !slices.Equal(got, want) {
				t.Fatalf("step %d: tile %d: got %v, want %v", step, i, got, want)
			}
		}
	}
}

// What a game changes about a surface through a pointer is seen, whatever it is.
func TestEveryChangeOfASurfaceIsSeen(t *testing.T) {
	w, entries := surfaces(100, components.PolygonCollider)
	floors, _ := surfaces(100, components.PlaneCollider)
	p, q := NewPhysics(Config{}), NewPhysics(Config{})
	for range 2 {
		p.Step(w)
		q.Step(floors)
	}
	if long := p.longWay() + q.longWay(); long > 0 {
		t.Errorf("%d of them that nobody changed are read the long way", long)
	}
	for i, e := range entries {
		d, x := components.PolygonCollider.Get(e), components.Transform.Get(e)
		for name, f := range map[string]*float64{"a corner": &d.Points[i%4].X, "its place": &x.Position.Y} {
			was := *f
			*f = math.Nextafter(was, 100)
			p.Step(w)
			if n := p.longWay(); n != 1 {
				t.Errorf("%s: %d are read the long way, want 1", name, n)
			}
			*f = was
			p.Step(w)
		}
	}
	if len(p.Errors()) > 0 {
		t.Error(p.Errors())
	}
}

// What is rough, and what turns, whichever way it is turned and however that changes, is read the quick way.
func TestFrictionAndSpinAreReadTheQuickWay(t *testing.T) {
	w, entries := spinningCrowd(300)
	floor := w.Entry(w.Create(components.Transform, components.PlaneCollider, components.Friction, components.SurfaceVelocity))
	components.Transform.Get(floor).Position.Y = -100
	components.Friction.SetValue(floor, components.FrictionData{Dynamic: 0.3, Rolling: 0.1, Combine: components.CombineMin})
	components.SurfaceVelocity.Get(floor).Linear.X = 3
	p := NewPhysics(Config{Gravity: collide.Vec3{Y: -1}})
	p.Step(w)
	for step := range 20 {
		p.Step(w)
		if n := p.longWay(); n > 0 || len(p.Errors()) > 0 {
			t.Fatalf("step %d: %d are read the long way, errors %v", step, n, p.Errors())
		}
		components.AngularVelocity.Get(entries[step]).Angular.X = float64(step)
	}
	for name, change := range map[string]func(){
		"a friction":       func() { components.Friction.Get(entries[7]).Rolling += 0.1 },
		"a floor's":        func() { components.Friction.Get(floor).Combine = components.CombineMax },
		"a belt":           func() { components.SurfaceVelocity.Get(floor).Linear.Z++ },
		"an inertia":       func() { components.AngularVelocity.Get(entries[7]).Inertia = 3 },
		"a spin's drag":    func() { components.AngularVelocity.Get(entries[7]).Damping = 3 },
		"whether it rests": func() { components.Body.Get(entries[7]).NeverSleep = true },
	} {
		change()
		p.Step(w)
		if n := p.longWay(); n != 1 {
			t.Errorf("%s: %d are read the long way, want 1", name, n)
		}
		p.Step(w)
		if n := p.longWay(); n != 0 {
			t.Errorf("%s: %d are read the long way in the step after, want none", name, n)
		}
	}
}

// What neither moves nor turns is left alone, whichever way it is turned.
func TestWhatDoesNotTurnIsStill(t *testing.T) {
	w, entries := spinningCrowd(100)
	for i, e := range entries {
		components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular = collide.Vec3{}, collide.Vec3{}
		components.Transform.Get(e).Rotation = collide.RotationAround(collide.Vec3{X: 1, Y: 2}, float64(i))
	}
	p := NewPhysics(Config{})
	for range 3 {
		p.Step(w)
	}
	for i, e := range entries {
		if k := p.members.find(e.Entity()); k.marks&still == 0 {
			t.Fatalf("ball %d is not still", i)
		}
	}
	components.AngularVelocity.Get(entries[3]).Angular.Y = 1
	p.Step(w)
	if p.members.find(entries[3].Entity()).marks&still != 0 || p.longWay() != 0 {
		t.Error("one that the game has spun is taken to be still, or read the long way")
	}
}

// Frictions that change all the time don't pile up, and those in use stay what they are.
func TestGripsThatAreOutOfUseAreForgotten(t *testing.T) {
	w, entries := spinningCrowd(10)
	p := NewPhysics(Config{})
	for step := range 3 * minGrips {
		components.Friction.Get(entries[step%9]).Dynamic = float64(step) / 1e6
		p.Step(w)
		if n := p.space.Grips(); n > minGrips+30 {
			t.Fatalf("step %d: %d grips", step, n)
		}
		for _, e := range entries {
			code, _ := p.members.code(e.Entity())
			if got, want := p.space.HoldOf(code).Dynamic, components.Friction.Get(e).Dynamic; got != want {
				t.Fatalf("step %d: friction: got %v, want %v", step, got, want)
			}
		}
	}
}

// longWay returns how many entities were read the long way in the last step.
func (p *Physics) longWay() (n int) {
	for _, l := range p.lanes.all {
		n += len(l.odd)
	}
	return n
}

func TestAWarmStepOfALargeWorldAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		w, _ := crowd(leastShared*pieceRows, 1e-3)
		p := NewPhysics(Config{Workers: workers})
		for range 40 {
			p.Step(w)
		}
		if n := len(p.lanes.all); n != min(workers, leastShared) {
			t.Errorf("%d workers: %d share the rows", workers, n)
		}
		if got := allocations(func() { p.Step(w) }); got > 0 {
			t.Errorf("%d workers: got %v allocations a step, want none", workers, got)
		}
	}
}

// allocations returns how often f allocates. On a busy machine a goroutine that has done its work may not have ended when the next is started, and
// then the runtime makes room for one more: so it is counted again until it has.
func allocations(f func()) (n float64) {
	for range 10 {
		if n = testing.AllocsPerRun(20, f); n == 0 {
			break
		}
	}
	return n
}
