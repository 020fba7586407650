package systems_test

import (
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A rotating box pushes crates along the walls of a room, into its edges and corners. A crate was
// compared with the box at a few times on its way. It came into it between them, or while the
// search for their impact had too few steps, and stayed there if it was stopped then, by up to 3
// mm. A box that was a mesh counted as one that does not rotate: crates were up to 8 cm in it.
func TestCratesThatSomethingRotatingSqueezesAgainstWallsAreNeverInIt(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	corners := make([]collide.Vec3, 8)
	for k := range corners {
		corners[k] = vec(float64(k&1), float64(k>>1&1), float64(k>>2)).Scale(1.68).Sub(vec(0.84, 0.84, 0.84))
	}
	mesh, err := collide.NewMesh(corners, []uint32{
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
	}, collide.MeshOptions{TwoSided: true})
	if err != nil {
		t.Fatal(err)
	}
	mill := collide.Box{Half: corners[7]}
	for n := range slow.Cases(80) {
		seed, shape := uint64(n/2+31)%200, collide.Shape(mill)
		if n%2 == 1 {
			shape = mesh
		}
		r := rand.New(rand.NewPCG(seed, 64))
		random := func() collide.Vec3 { return vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
		w := donburi.NewWorld()
		box(w, 1.5)
		wheel := spawn(w, components.TransformData{Rotation: collide.RotationBy(random())}, moving(0, 0, 0),
			components.ShapeColliderData{Shape: shape}, components.AngularVelocityData{Angular: random().Scale(20)})
		var crates []*donburi.Entry
		for k := range 8 {
			x := vec(float64(k&1), float64(k>>1&1), float64(k>>2)).Scale(2.5).Sub(vec(1.25, 1.25, 1.25))
			size := 0.01 + 0.03*r.Float64()
			e := components.CreateCrate(w, x, vec(size, size*(0.5+r.Float64()), size))
			components.Velocity.Get(e).Linear = random().Scale(5)
			components.Material.Get(e).Restitution = 0.3
			crates = append(crates, e)
		}
		p := systems.NewPhysics(systems.Config{})
		in := make([]bool, len(crates))
		for step := range 25 {
			p.Step(w)
			at := *components.Transform.Get(wheel)
			for k, e := range crates {
				g := collide.Separation(placed(e), collide.NewPlaced(mill, at.Position, at.Rotation))
				if g.Distance < -1e-9 && !in[k] && step > 0 {
					t.Errorf("seed %d, step %d: crate %d is %v m in a %T", seed, step, k, -g.Distance, shape)
				}
				in[k] = g.Distance < -1e-9
			}
		}
	}
}

// Crates and capsules crept off turntables of several facets or boxes, at half of their
// width times the angular velocity: each of their contacts moved at the velocity of its own middle.
func TestCratesStayOnTurntablesOfSeveralParts(t *testing.T) {
	const side = 20.0
	grounds := map[string]func(w donburi.World) *donburi.Entry{
		"height field": func(w donburi.World) *donburi.Entry {
			field, err := collide.NewHeightField(vec(-side, 0, -side), side/2, side/2, 5, make([]float64, 25))
			if err != nil {
				t.Fatal(err)
			}
			return components.CreateHeightField(w, vec(0, 0, 0), field, components.Velocity, components.AngularVelocity)
		},
		"boxes": func(w donburi.World) *donburi.Entry {
			leader := w.Entry(w.Create(components.Transform, components.Velocity, components.AngularVelocity))
			for k := range 4 {
				at := vec(side/2*float64(k%2*2-1), -1, side/2*float64(k/2*2-1))
				member := components.CreateBox(w, at, vec(side/2, 1, side/2), components.KinematicGroup)
				components.KinematicGroup.Get(member).Leader = leader.Entity()
			}
			return leader
		},
	}
	bodies := map[string]func(w donburi.World, x, z float64) *donburi.Entry{
		"crate": func(w donburi.World, x, z float64) *donburi.Entry {
			return components.CreateCrate(w, vec(x, 0.3, z), vec(0.3, 0.3, 0.3))
		},
		"box far from its position": func(w donburi.World, x, z float64) *donburi.Entry {
			shape := collide.Box{Center: vec(2, 0, 1), Half: vec(0.3, 0.3, 0.3)}
			return components.CreateShapeBody(w, vec(x-2, 0.3, z-1), shape)
		},
		"capsule": func(w donburi.World, x, z float64) *donburi.Entry {
			shape := collide.Capsule{A: vec(-0.3, 0, 0), B: vec(0.3, 0, 0), Radius: 0.3}
			return components.CreateShapeBody(w, vec(x, 0.3, z), shape)
		},
	}
	for ground, create := range grounds {
		for body, put := range bodies {
			for _, z := range []float64{0, 0.1, 0.29, 0.31} {
				if ground == "boxes" && z > 0.3 {
					continue // it comes to their seam, and feels it: see docs/limits.md
				}
				w, p := donburi.NewWorld(), onEarth()
				components.AngularVelocity.Get(create(w)).Angular = vec(0, 0.5, 0)
				b := put(w, 2.5, z)
				components.Material.SetValue(b, components.MaterialData{Friction: 1})
				components.Velocity.Get(b).Linear = vec(0, 0.5, 0).Cross(vec(2.5, 0, z))
				steps(t, w, p, 600)
				want := collide.RotationBy(vec(0, 5, 0)).Rotate(vec(2.5, 0.3, z))
				if body == "box far from its position" {
					want = want.Sub(vec(2, 0, 1))
				}
				// The first step is straight: 1e-4 m. Seams of boxes make another 4e-4 m.
				if got := position(b); got.Distance(want) > 6e-4 {
					t.Errorf("%s on %s at z = %v: at %v, want %v", body, ground, z, got, want)
				}
			}
		}
	}
}
