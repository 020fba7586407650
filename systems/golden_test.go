package systems_test

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// These scenes hold what TestSameBitsEverywhere of bench/internal/scene doesn't: rotating walls,
// shapes of levels, characters, jams and queries. As long as they have these hashes on a platform,
// other tests need not compare results there. A scene is built from vectors and package rand alone:
// package math, and sums of products, may differ between platforms.
var goldenScenes = []struct {
	name  string
	build func(w donburi.World) (each func(step int)) // each, if any, is called before a step
	steps int
	want  uint64
}{
	{"rotating walls", rotatingWalls, 80, 0xfd255a5b24144518},
	{"shapes", levelShapes, 60, 0x2114ed7a8fef0d54},
	{"characters", crowdOfCharacters, 60, 0xadaf7e2f5a865312},
	{"loads", seesawAndDoor, 90, 0x8a4c68843a6d096c},
	{"jams", pressedHeap, 40, 0x8acee54ca9f7ce2a},
}

func TestSameBitsEverywhereWithAllFeatures(t *testing.T) {
	slow.Skip(t, slow.Race, "one goroutine")
	for _, scene := range goldenScenes {
		t.Run(scene.name, func(t *testing.T) {
			w := donburi.NewWorld()
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Workers: 1})
			each := scene.build(w)
			h := bitHash{fnv.New64a()}
			impacts, jammed := 0, 0
			for step := range scene.steps {
				if each != nil {
					each(step)
				}
				p.Step(w)
				h.step(p)
				impacts, jammed = impacts+p.Stats().Impacts, jammed+p.Stats().Jammed
			}
			expectNoErrors(t, p)
			h.world(w)
			h.queries(p)
			if got := h.Sum64(); got != scene.want {
				t.Errorf("got hash %#x, want %#x, after %d impacts", got, scene.want, impacts)
			}
			if impacts < 10 || scene.name == "jams" && jammed < 50 {
				t.Errorf("%d impacts, %d bodies jammed", impacts, jammed)
			}
		})
	}
}

// bitHash is a hash of the bits of numbers.
type bitHash struct{ hash.Hash64 }

func (h bitHash) add(numbers ...float64) {
	for _, x := range numbers {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
}

func (h bitHash) vectors(all ...collide.Vec3) {
	for _, v := range all {
		h.add(v.X, v.Y, v.Z)
	}
}

// step adds the events of the last step.
func (h bitHash) step(p *systems.Physics) {
	s := p.Stats()
	h.add(float64(s.Impacts), float64(s.Jammed), float64(s.Blocked), float64(s.Asleep))
	for i := range p.Impacts() {
		h.add(i.Time, i.Approach, i.Impulse)
	}
}

// world adds the state of all entities.
func (h bitHash) world(w donburi.World) {
	for e := range donburi.NewQuery(filter.Contains(components.Transform)).Iter(w) {
		x := components.Transform.Get(e)
		h.vectors(x.Position)
		h.add(x.Rotation.W, x.Rotation.X, x.Rotation.Y, x.Rotation.Z)
		if e.HasComponent(components.Velocity) {
			h.vectors(velocity(e))
		}
		if e.HasComponent(components.AngularVelocity) {
			h.vectors(components.AngularVelocity.Get(e).Angular)
		}
	}
}

// queries adds what a number of queries find.
func (h bitHash) queries(p *systems.Physics) {
	r := rand.New(rand.NewPCG(8, 1))
	cast := func(hit systems.CastHit, ok bool) {
		if ok {
			h.add(float64(hit.Entity.Id()), hit.Distance)
			h.vectors(hit.Point, hit.Normal)
		}
	}
	for range 40 {
		from, way := between(r, vec(-5, 0, -5), vec(5, 4, 5)), between(r, vec(-1, -1, -1), vec(1, 0.5, 1))
		turn := collide.RotationBy(between(r, vec(-3, -3, -3), vec(3, 3, 3)))
		box := collide.Box{Center: from, Half: vec(0.2, 0.4, 0.3), Rotation: turn}
		cast(p.RayCast(from, way, 20, systems.Filter{}))
		cast(p.SphereCast(collide.Sphere{Center: from, Radius: 0.2}, way, 20, systems.Filter{}))
		capsule := collide.Capsule{A: from, B: from.Add(vec(0, 0.5, 0)), Radius: 0.2}
		cast(p.CapsuleCast(capsule, way, 20, systems.Filter{}))
		cast(p.BoxCast(box, way, 20, systems.Filter{}))
		for gap := range p.Gaps(box, 0.5, systems.Filter{}) {
			h.add(gap.Distance)
			h.vectors(gap.Normal, gap.Point, gap.Own)
		}
	}
}

// between returns a random point of a box.
func between(r *rand.Rand, low, high collide.Vec3) collide.Vec3 {
	d := high.Sub(low)
	return low.Add(vec(float64(d.X*r.Float64()), float64(d.Y*r.Float64()), float64(d.Z*r.Float64())))
}

// someBalls drops n balls of all kinds from a box.
func someBalls(w donburi.World, n int, low, high collide.Vec3) {
	r := rand.New(rand.NewPCG(uint64(n), 2))
	for k := range n {
		radius := 0.25 * (0.5 + r.Float64())
		e := components.CreateBall(w, between(r, low, high), radius, components.AngularVelocity)
		components.Velocity.Get(e).Linear = between(r, vec(-3, -3, -3), vec(3, 1, 3))
		components.Material.SetValue(e, components.MaterialData{
			Restitution: []float64{0, 0.4, 1}[k%3], Friction: 0.3 * float64(k%4),
			RollingResistance: 0.01 * float64(k%2),
		})
	}
}

// rotatingWalls is a drum of twelve polygons with a mill of capsules in it.
func rotatingWalls(w donburi.World) func(int) {
	spin := collide.RotationBy(vec(0, 0, 0.5235987755982988)) // π/6
	n, half := vec(0, -2, 0), vec(0.535898384862245, 0, 0)    // tan(π/12)
	for range 12 {
		wall := components.CreatePolygon(w, []collide.Vec3{
			n.Add(half).Add(vec(0, 0, -1)), n.Sub(half).Add(vec(0, 0, -1)),
			n.Sub(half).Add(vec(0, 0, 1)), n.Add(half).Add(vec(0, 0, 1)),
		}, components.Velocity, components.AngularVelocity)
		components.AngularVelocity.Get(wall).Angular = vec(0, 0, 1)
		n, half = spin.Rotate(n), spin.Rotate(half)
	}
	for _, tip := range []collide.Vec3{{X: 1}, {Y: 1}} {
		arm := components.CreateCapsule(w, tip.Neg(), tip, 0.1, components.Velocity, components.AngularVelocity)
		components.AngularVelocity.Get(arm).Angular = vec(0, 0, -3)
	}
	components.CreatePlane(w, vec(0, 0, -0.9), vec(0, 0, 1))
	components.CreatePlane(w, vec(0, 0, 0.9), vec(0, 0, -1))
	someBalls(w, 24, vec(-1.2, -1.2, -0.5), vec(1.2, 1.2, 0.5))
	return nil
}

// terrain is a height field of 10 by 10 metres around the origin with heights from 0 to high, and
// mesh the same as a mesh.
func terrain(high float64) (field *collide.HeightField, mesh *collide.Mesh) {
	const n = 11
	r := rand.New(rand.NewPCG(4, 4))
	var heights []float64
	var vertices []collide.Vec3
	var indices []uint32
	for i := range n {
		for j := range n {
			heights = append(heights, high*r.Float64())
			vertices = append(vertices, vec(float64(i-5), heights[len(heights)-1], float64(j-5)))
			if a := uint32(i*n + j); i > 0 && j > 0 {
				indices = append(indices, a-n-1, a-n, a, a-n-1, a, a-1)
			}
		}
	}
	field, err := collide.NewHeightField(vec(-5, 0, -5), 1, 1, n, heights)
	if err != nil {
		panic(err)
	}
	if mesh, err = collide.NewMesh(vertices, indices, collide.MeshOptions{TwoSided: true}); err != nil {
		panic(err)
	}
	return field, mesh
}

// levelShapes is a level of every static shape, with a kinematic compound.
func levelShapes(w donburi.World) func(int) {
	field, mesh := terrain(1)
	components.CreateHeightField(w, vec(0, 0, 0), field)
	components.CreateMesh(w, vec(10, 0, 0), mesh)
	hull, err := collide.NewHull([]collide.Vec3{{X: -1}, {X: 1}, {Z: 1}, {Z: -1}, {Y: 1.5}})
	if err != nil {
		panic(err)
	}
	components.CreateHull(w, vec(0, 0.3, 0), hull)
	tilted := components.CreateBox(w, vec(3, 1, 2), vec(1, 0.2, 1))
	components.Transform.Get(tilted).Rotation = collide.RotationBy(vec(0.3, 0.2, 0.1))
	components.CreateCylinder(w, vec(-3, 0, -2), vec(-3, 1.5, -2), 0.6)
	components.CreateCapsule(w, vec(-4, 1, 3), vec(-1, 1.5, 3), 0.3)
	lift := components.CreateCompound(w, vec(2, 0.5, -3), []components.ShapePart{
		{Shape: collide.Box{Half: vec(0.8, 0.2, 0.8)}},
		{Shape: collide.Sphere{Center: vec(0, 0.3, 0), Radius: 0.4}},
	}, components.Velocity, components.Body)
	components.Body.Get(lift).Kind = components.Kinematic
	components.Velocity.Get(lift).Linear = vec(0, 0.7, 0.2)
	someBalls(w, 40, vec(-4, 2, -4), vec(4, 5, 4))
	return nil
}

// crowdOfCharacters walks over steps, a slope, a platform that moves, and terrain, among balls.
func crowdOfCharacters(w donburi.World) func(int) {
	field, _ := terrain(1)
	components.CreateHeightField(w, vec(0, -0.7, 0), field)
	for k := range 4 {
		components.CreateBox(w, vec(float64(k), 0.15*float64(k), 2), vec(0.5, 0.2, 1))
	}
	slope := components.CreateBox(w, vec(-2, 0.3, 0), vec(1.5, 0.1, 1.5))
	components.Transform.Get(slope).Rotation = collide.RotationBy(vec(0, 0, 0.4))
	platform := components.CreateBox(w, vec(0, 0.4, -3), vec(1, 0.1, 1), components.Velocity, components.Body)
	components.Body.Get(platform).Kind = components.Kinematic
	components.Velocity.Get(platform).Linear = vec(0.6, 0.2, 0)
	var controls []*components.CharacterControllerData
	for k := range 10 {
		at := vec(float64(k%5), 0, float64(k/5)).Scale(1.3).Add(vec(-3, 2, -1))
		controls = append(controls, components.CharacterController.Get(components.CreateCharacter(w, at, 0.25, 1.2)))
	}
	someBalls(w, 16, vec(-4, 3, -4), vec(4, 5, 4))
	r := rand.New(rand.NewPCG(5, 1))
	return func(step int) {
		for k, c := range controls {
			if (step+7*k)%25 == 0 {
				c.DesiredVelocity = between(r, vec(-4, 0, -4), vec(4, 0, 4))
				c.Jump = k%3 == 0
			}
		}
	}
}

// pressedHeap is a heap into which two walls push, and on which a heavy ball falls.
func pressedHeap(w donburi.World) func(int) {
	components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	components.CreatePlane(w, vec(0, 0, -1.5), vec(0, 0, 1))
	components.CreatePlane(w, vec(0, 0, 1.5), vec(0, 0, -1))
	for _, side := range []float64{-1, 1} {
		wall := components.CreatePlane(w, vec(2*side, 0, 0), vec(-side, 0, 0), components.Velocity, components.Body)
		components.Body.Get(wall).Kind = components.Kinematic
		components.Velocity.Get(wall).Linear = vec(-0.6*side, 0, 0)
	}
	r := rand.New(rand.NewPCG(6, 6))
	for k := range 80 {
		at := vec(float64(k%5), float64(k/20), float64(k/5%4)).Scale(0.6).Add(vec(-1.2, 0.3, -0.9))
		at = at.Add(between(r, vec(0, 0, 0), vec(0.02, 0.02, 0.02)))
		e := components.CreateBall(w, at, 0.28, components.AngularVelocity)
		components.Velocity.Get(e).Linear = between(r, vec(-9, -9, -9), vec(9, 0, 9))
		components.Material.SetValue(e, components.MaterialData{Restitution: 0.3 * float64(k%2), Friction: 0.3})
	}
	heavy := components.CreateBall(w, vec(0.1, 4, 0.1), 0.5)
	components.Body.Get(heavy).Mass = 100
	components.Velocity.Get(heavy).Linear = vec(0, -30, 0)
	return nil
}
