package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// The game puts the lowest corner of a tilted crate into flat ground, where triangles meet. From
// each triangle alone the shortest way out leads into the next one, so the crate fell through.
func TestACrateWithACornerInASeamIsMovedOut(t *testing.T) {
	var corners []collide.Vec3
	for x := range 3 {
		for z := range 3 {
			corners = append(corners, vec(float64(x), 0, float64(z)))
		}
	}
	indices := []uint32{0, 1, 3, 3, 1, 4, 1, 2, 4, 4, 2, 5, 3, 4, 6, 6, 4, 7, 4, 5, 7, 7, 5, 8}
	for name, ground := range map[string]func(w donburi.World){
		"terrain": func(w donburi.World) { components.CreateHeightField(w, vec(0, 0, 0), flatField()) },
		"one-sided mesh": func(w donburi.World) {
			mesh, err := collide.NewMesh(corners, indices, collide.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			components.CreateMesh(w, vec(0, 0, 0), mesh)
		},
		"two-sided mesh": func(w donburi.World) {
			mesh, err := collide.NewMesh(corners, indices, collide.MeshOptions{TwoSided: true})
			if err != nil {
				t.Fatal(err)
			}
			components.CreateMesh(w, vec(0, 0, 0), mesh)
		},
	} {
		r := rand.New(rand.NewPCG(17, 18))
		for range 30 {
			w := donburi.NewWorld()
			ground(w)
			half := vec(0.05+0.4*r.Float64(), 0.05+0.4*r.Float64(), 0.05+0.4*r.Float64())
			turn := collide.RotationAround(vec(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5), 7*r.Float64())
			low := vec(0, 0, 0)
			for k := range 8 {
				corner := turn.Rotate(half.MulElem(vec(float64(k&1)*2-1, float64(k&2)-1, float64(k&4)/2-1)))
				if corner.Y < low.Y {
					low = corner
				}
			}
			depth := math.Pow(10, -2-8*r.Float64())
			at := vec(1, -depth, 1)
			if r.IntN(2) == 0 {
				at.X += 0.8 * (r.Float64() - 0.5)
			}
			e := components.CreateCrate(w, at.Sub(low), half)
			components.Transform.Get(e).Rotation = turn
			components.Velocity.Get(e).Linear.Y = -1
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -10, 0)})
			steps(t, w, p, 1)
			if v := velocity(e).Y; v < -1e-9 {
				t.Errorf("%s: with a corner %v m deep it falls on at %v m/s", name, depth, v)
			}
			steps(t, w, p, 29)
			if y := position(e).Add(low).Y; y < -1e-9 {
				t.Errorf("%s: a corner that begins %v m deep ends at a height of %v m", name, depth, y)
			}
		}
	}
}
