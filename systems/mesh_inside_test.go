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

// A ball that the game had put into a mesh, or a veto had let in, slid over the edge to the next
// triangle. It was as deep in that one when its nearest point came into it, which counted as no
// impact, so it went deeper until the step ended.
func TestABallThatTheGamePutIntoAMeshComesNoDeeperIntoTheNextTriangle(t *testing.T) {
	field, mesh := terrain(0.05)
	const radius = 0.3
	for seed := range slow.Cases(8000) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		gravity := vec(0, []float64{0, -9.81}[seed%2], 0)
		w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: gravity, Parabolic: seed%16 >= 8})
		nearest := mesh.ClosestPoint
		if seed%8 >= 4 {
			nearest = field.ClosestPoint
			components.CreateHeightField(w, vec(0, 0, 0), field)
		} else {
			components.CreateMesh(w, vec(0, 0, 0), mesh)
		}
		at := vec(7*r.Float64()-3.5, 0, 7*r.Float64()-3.5)
		at.Y, _ = field.Height(at.X, at.Z)
		at.Y += radius
		q, _ := nearest(at)
		out, _ := at.Sub(q).Normalized()
		at = q.AddScaled(radius*(1-math.Pow(10, -1-3*r.Float64())), out)
		q, _ = nearest(at)
		before := radius - at.Distance(q)
		e := ball(w, at, vec(10*r.Float64()-5, 4*r.Float64()-3, 10*r.Float64()-5), radius)
		p.Step(w)
		expectNoErrors(t, p)
		q, _ = nearest(position(e))
		if after := radius - position(e).Distance(q); after > before+1e-9*radius {
			t.Errorf("seed %d: %v deep, then %v", seed, before, after)
		}
	}
}

// A game tilts the ground below a crate at rest, lifts it, or replaces it by other terrain. What
// was then in the ground counted as coming from behind, and fell through, unless it was a ball.
func TestACrateStaysOnGroundThatTheGameTiltsLiftsOrReplaces(t *testing.T) {
	field := func(height float64) collide.Shape {
		f, err := collide.NewHeightField(vec(-1, 0, -1), 2, 2, 2, []float64{height, height, height, height})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	capsule := collide.Capsule{A: vec(-0.1, 0, 0), B: vec(0.1, 0, 0), Radius: 0.3}
	for name, change := range map[string]func(ground *donburi.Entry){
		"tilted": func(g *donburi.Entry) {
			components.Transform.Get(g).Rotation = collide.RotationBy(vec(0, 0, 0.1))
		},
		"lifted":   func(g *donburi.Entry) { components.Transform.Get(g).Position.Y = 0.1 },
		"replaced": func(g *donburi.Entry) { components.ShapeCollider.Get(g).Shape = field(0.1) },
	} {
		for kind, shape := range map[string]collide.Shape{"terrain": field(0), "mesh": oneSidedSquare(t)} {
			w, p := newCrateWorld()
			ground := components.CreateShape(w, vec(0, 0, 0), shape)
			bodies := []*donburi.Entry{
				components.CreateCrate(w, vec(-0.5, 0.3, 0), vec(0.3, 0.3, 0.3)),
				components.CreateShapeBody(w, vec(0.5, 0.3, 0), capsule),
				components.CreateBall(w, vec(0.5, 0.3, 0.7), 0.3),
			}
			for _, e := range bodies {
				components.Material.Get(e).Friction = 0.8
			}
			stepCrates(t, p, w, 60)
			change(ground)
			stepCrates(t, p, w, 60)
			for k, e := range bodies {
				if y := position(e).Y; y < 0.25 || velocity(e).Length() > 1e-3 {
					t.Errorf("%s, %s: body %d is at a height of %v m, at %v m/s", kind, name, k, y, velocity(e))
				}
			}
		}
	}
}

// What passes a one-sided mesh from behind goes on with that when the game moves the mesh.
func TestACratePassesAMeshFromBehindThatTheGameMoves(t *testing.T) {
	w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{})
	mesh := components.CreateShape(w, vec(0, 0, 0), oneSidedSquare(t))
	e := components.CreateCrate(w, vec(0, -1, 0), vec(0.3, 0.3, 0.3))
	components.Velocity.Get(e).Linear.Y = 1
	stepCrates(t, p, w, 50) // its upper face is 0.13 m above the mesh
	for k := range 130 {
		components.Transform.Get(mesh).Position.Y = 0.01 * float64(k%2)
		stepCrates(t, p, w, 1)
	}
	if y := position(e).Y; math.Abs(y-2) > 1e-9 {
		t.Errorf("it is at a height of %v m after 3 s at 1 m/s, want 2", y)
	}
}

// oneSidedSquare is a mesh of two triangles whose front is above.
func oneSidedSquare(t *testing.T) collide.Shape {
	mesh, err := collide.NewMesh([]collide.Vec3{{X: -1, Z: -1}, {X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}},
		[]uint32{0, 1, 2, 0, 2, 3}, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// A crate that the game had enlarged, so that it was in the ground, and that balls jammed in the
// same step, counted as having come from behind in the next one: it fell through one-sided ground,
// and stayed in a box.
func TestACrateInTheGroundIsMovedOutAfterAJam(t *testing.T) {
	jammed := 0
	for tick := range 40 {
		for name, ground := range map[string]func(w donburi.World){
			"mesh": func(w donburi.World) { components.CreateShape(w, vec(0, 0, 0), oneSidedSquare(t)) },
			"box":  func(w donburi.World) { components.CreateBox(w, vec(0, -1, 0), vec(1, 1, 1)) },
		} {
			w, p := donburi.NewWorld(), systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), MaxImpacts: 1})
			ground(w)
			e := components.CreateCrate(w, vec(0.3, 0.5, 0.2), vec(0.5, 0.5, 0.5))
			for k := range 9 {
				ball := components.CreateBall(w,
					vec(0.3*float64(k/3), 1.6+0.01*float64(k), 0.3*float64(k%3)-0.1), 0.1)
				components.Material.Get(ball).Restitution = 0.5
			}
			for n := range 120 {
				if n == tick {
					components.ShapeCollider.Get(e).Shape = collide.Box{Half: vec(0.5, 0.55, 0.5)}
				}
				if p.Step(w); n >= tick && n < tick+4 {
					jammed += p.Stats().Jammed
				}
			}
			if y := position(e).Y; math.Abs(y-0.55) > 1e-3 { // contacts keep a gap of up to 1/512
				t.Errorf("on a %s, enlarged in tick %d: it is at a height of %v m, want 0.55", name, tick, y)
			}
		}
	}
	if jammed == 0 {
		t.Error("nothing was jammed")
	}
}
