package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// liftSpeed is that of one of the inclinedFronts, m/s.
const liftSpeed = 0.7

// inclinedFronts are steps along X of each kind of shape. The front begins at the origin, ends at
// an edge, and has the ground before it at height 0.
var inclinedFronts = []struct {
	name  string
	build func(s *characterScene, edge collide.Vec3) error
}{
	{"hull", func(s *characterScene, edge collide.Vec3) error {
		s.floor()
		var corners []collide.Vec3
		for _, z := range []float64{-2, 2} {
			corners = append(corners, vec(0, 0, z), vec(edge.X, edge.Y, z), vec(5, edge.Y, z), vec(5, 0, z))
		}
		h, err := collide.NewHull(corners)
		components.CreateHull(s.world, collide.Vec3{}, h)
		return err
	}},
	{"mesh", func(s *characterScene, edge collide.Vec3) error {
		var corners []collide.Vec3
		var indices []uint32
		for i, p := range []collide.Vec3{{X: -5}, {}, edge, {X: 5, Y: edge.Y}} {
			corners = append(corners, vec(p.X, p.Y, -2), vec(p.X, p.Y, 2))
			if k := uint32(2 * i); i > 0 {
				indices = append(indices, k-2, k-1, k, k, k-1, k+1)
			}
		}
		m, err := collide.NewMesh(corners, indices, collide.MeshOptions{})
		components.CreateMesh(s.world, collide.Vec3{}, m)
		return err
	}},
	{"height field", func(s *characterScene, edge collide.Vec3) error {
		before := int(3/edge.X) + 1
		const columns = 5
		var heights []float64
		for i := range (2*before + 2) * columns {
			heights = append(heights, 0)
			if i/columns > before {
				heights[i] = edge.Y
			}
		}
		f, err := collide.NewHeightField(vec(-float64(before)*edge.X, 0, -2), edge.X, 1, columns, heights)
		components.CreateHeightField(s.world, collide.Vec3{}, f)
		return err
	}},
	{"turned box", func(s *characterScene, edge collide.Vec3) error {
		s.floor()
		components.CreateBox(s.world, vec(edge.X+2.5, edge.Y-1, 0), vec(2.5, 1, 2))
		length := edge.Length()
		front := components.CreateBox(s.world, collide.Vec3{}, vec(length/2, 0.01, 2))
		out := vec(-edge.Y/length, edge.X/length, 0)
		at := components.Transform.Get(front)
		at.Position = edge.Scale(0.5).AddScaled(-0.01, out)
		at.Rotation = collide.RotationAround(collide.Vec3{Z: 1}, math.Atan2(edge.Y, edge.X))
		return nil
	}},
	{"tiles", func(s *characterScene, edge collide.Vec3) error {
		corners := []collide.Vec3{{X: -5}, {}, edge, {X: 5, Y: edge.Y}}
		for i := range 3 {
			a, b := corners[i], corners[i+1]
			for z := -2.0; z < 2; z++ {
				components.PolygonCollider.Get(components.CreatePolygon(s.world, []collide.Vec3{
					vec(a.X, a.Y, z), vec(a.X, a.Y, z+1), vec(b.X, b.Y, z+1), vec(b.X, b.Y, z),
				})).OneSided = true
			}
		}
		return nil
	}},
	{"chain", func(s *characterScene, edge collide.Vec3) error {
		_, err := components.CreateChain2D(s.world, []collide.Vec3{{X: -5}, {}, edge, {X: 5, Y: edge.Y}}, false)
		return err
	}},
	{"polygon", func(s *characterScene, edge collide.Vec3) error {
		_, err := components.CreatePolygon2D(s.world, []collide.Vec3{
			{X: -5}, {}, edge, {X: 5, Y: edge.Y}, {X: 5, Y: -2}, {X: -5, Y: -2},
		})
		return err
	}},
	{"lift", func(s *characterScene, edge collide.Vec3) error {
		h, err := collide.NewHull([]collide.Vec3{
			vec(0, 0, -2), vec(0, 0, 2), vec(edge.X, edge.Y, -2), vec(edge.X, edge.Y, 2),
			vec(5, 0, -2), vec(5, 0, 2), vec(5, edge.Y, -2), vec(5, edge.Y, 2),
		})
		e := components.CreateCompound(s.world, collide.Vec3{}, []components.ShapePart{
			{Shape: h}, {Shape: collide.Box{Center: vec(0, -0.5, 0), Half: vec(5, 0.5, 2)}},
		}, components.Velocity, components.Body)
		components.Body.Get(e).Kind = components.Kinematic
		components.Velocity.Get(e).Linear = vec(0.5, liftSpeed, 0)
		return err
	}},
}

// frontWalkers are the characters that walk to them. The feet of each are at the origin.
var frontWalkers = []struct {
	name  string
	build func(w donburi.World) *donburi.Entry
}{
	{"capsule", func(w donburi.World) *donburi.Entry {
		return components.CreateCharacter(w, collide.Vec3{Y: 0.9}, 0.3, 1.8)
	}},
	{"2D capsule", func(w donburi.World) *donburi.Entry {
		return components.CreateCharacter2D(w, collide.Vec3{Y: 0.9}, 0.3, 1.8)
	}},
	{"box", boxCharacter},
	{"turned box", func(w donburi.World) *donburi.Entry {
		e := boxCharacter(w)
		components.Transform.Get(e).Rotation = collide.RotationAround(collide.Vec3{Y: 1}, 0.5)
		return e
	}},
	{"2D box", func(w donburi.World) *donburi.Entry {
		e := boxCharacter(w)
		components.Body.Get(e).Locked = components.AxisZ
		return e
	}},
}

func boxCharacter(w donburi.World) *donburi.Entry {
	e := components.CreateBox(w, vec(0, 0.9, 0), vec(0.3, 0.9, 0.3),
		components.Velocity, components.Body, components.CharacterController)
	components.Body.Get(e).Kind = components.Kinematic
	return e
}

func TestInclinedFrontsOfEveryKindOfShapeAreClimbedUpToStepHeight(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(values ...float64) float64 { return values[rng.IntN(len(values))] }
	for _, front := range inclinedFronts {
		for _, walker := range frontWalkers {
			for range slow.Cases(20) {
				angle, height, speed := pick(46, 60, 75, 85), pick(0.1, 0.3, 0.4, 0.42, 1), pick(0.5, 3, 8)
				if front.name == "lift" {
					height = min(height, 0.38) // what it rises in a tick counts, too
				}
				name := fmt.Sprintf("%s, %s, %v degrees, %v m, at %v m/s",
					front.name, walker.name, angle, height, speed)
				s := newCharacterScene()
				if err := front.build(s, vec(height/math.Tan(angle*math.Pi/180), height, 0)); err != nil {
					t.Fatal(err)
				}
				e := walker.build(s.world)
				c, at := components.CharacterController.Get(e), components.Transform.Get(e)
				at.Position.X = -0.7
				c.DesiredVelocity.X = speed
				ticks := int(2.5 / speed * 60)
				s.steps(ticks)
				s.noErrors(t)
				up, want := at.Position.Y-0.9, height
				if front.name == "lift" {
					up -= liftSpeed * float64(ticks) / 60
				}
				if height > 0.4 {
					want = 0
				}
				if math.Abs(up-want) > 1e-6 || c.State.Ground != components.OnGround {
					t.Errorf("%s: it is %v m high, want %v; ground %v, at %v",
						name, up, want, c.State.Ground, at.Position)
				}
			}
		}
	}
}

// A character that pressed on a wall while it stood on the edge of a ledge had a velocity of up to
// 0.41 m/s upwards: it slid up the wall, and was put down on the edge again. One that walks up a
// ramp along a wall really rises.
func TestACharacterThatAWallHoldsOnALedgeDoesNotRise(t *testing.T) {
	for _, deep := range []float64{0.1, 0.15, 0.2, 0.3} {
		for _, forward := range []float64{0, 1} {
			s := newCharacterScene()
			components.CreateBox(s.world, vec(5.5, 5, 0), vec(0.5, 5, 5))
			ledge := components.CreateBox(s.world, vec(5-deep/2, 0.15, 0), vec(deep/2, 0.15, 20))
			if forward > 0 { // it rises towards +Z
				components.Transform.Get(ledge).Rotation = collide.RotationBy(vec(-0.3, 0, 0))
			}
			e, c := s.character(vec(4.7-1e-9, 0.4, 0))
			c.DesiredVelocity = vec(3, 0, forward)
			s.steps(60)
			before := components.Transform.Get(e).Position
			s.steps(1)
			moved := components.Transform.Get(e).Position.Sub(before).Scale(60)
			// A position that is rounded to 1e-15 m is a velocity of 1e-13 m/s.
			if d := c.State.Velocity.Distance(moved); d > 1e-11 || !c.OnGround() || moved.Y < 0.2*forward {
				t.Errorf("ledge of %v m: velocity %v, but moves at %v", deep, c.State.Velocity, moved)
			}
			s.noErrors(t)
		}
	}
}
