package scene

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// World is a scene as a game would create it: entities of a Donburi world, and physics.
type World struct {
	Physics *systems.Physics

	world   donburi.World
	game    *ecs.ECS         // that steps the systems one by one; nil for Physics.Step
	spheres []*donburi.Entry // in scene order
	frame   []byte
}

// Options are the options of a world. No result depends on Workers, Shuffle or Systems.
type Options struct {
	Workers int // how many goroutines share a step; 0 for as many as there are processors
	// seed of a random order in which entities are created; 0 for walls first, then spheres in
	// scene order
	Shuffle    uint64
	NoSleeping bool // sleep is off
	Systems    bool // step through the three systems of an ECS, as AddTo adds them, instead of Physics.Step
}

// NewWorld creates the entities of s: walls and fixed things, then the spheres in scene order.
func NewWorld(s *Scene) *World { return Options{}.NewWorld(s) }

// NewWorld creates the entities of s with these options.
func (o Options) NewWorld(s *Scene) *World {
	config := systems.Config{
		Gravity: s.Gravity, StepSeconds: s.StepSeconds, Workers: o.Workers, NoSleeping: o.NoSleeping,
	}
	w := &World{
		Physics: systems.NewPhysics(config),
		world:   donburi.NewWorld(),
		spheres: make([]*donburi.Entry, len(s.Spheres)),
	}
	if o.Systems {
		w.game = ecs.NewECS(w.world)
		w.Physics.AddTo(w.game)
	}
	walls := s.walls()
	order := make([]int, len(walls)+len(s.Fixed)+len(s.Tiles)+len(s.Spheres))
	for i := range order {
		order[i] = i
	}
	if o.Shuffle != 0 {
		rng := rand.New(rand.NewPCG(o.Shuffle, 0))
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for _, i := range order {
		if i < len(walls) {
			wall := w.world.Entry(w.world.Create(s.rough(components.Transform, components.PlaneCollider)...))
			components.PlaneCollider.SetValue(wall, walls[i])
			s.roughen(wall)
			continue
		}
		if i -= len(walls); i < len(s.Fixed) {
			e := w.world.Entry(w.world.Create(s.rough(components.Transform, components.SphereCollider)...))
			s.roughen(e)
			components.Transform.Get(e).Position = s.Fixed[i].Position
			components.SphereCollider.Get(e).Radius = s.Fixed[i].Radius
			continue
		}
		if i -= len(s.Fixed); i < len(s.Tiles) {
			s.roughen(components.CreatePolygon(w.world, s.Tiles[i], s.rough()...))
			continue
		}
		i -= len(s.Tiles)
		w.spheres[i] = w.createSphere(s, i)
	}
	return w
}

func (w *World) createSphere(s *Scene, i int) *donburi.Entry {
	b := s.Spheres[i]
	e := w.world.Entry(w.world.Create(
		components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Material,
	))
	components.Transform.Get(e).Position = b.Position
	components.Velocity.SetValue(e, components.VelocityData{Linear: b.Velocity})
	components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: b.Radius})
	body := components.BodyData{Mass: b.Mass}
	if s.Flat {
		body.Locked = components.AxisZ
	}
	components.Body.SetValue(e, body)
	components.Material.Get(e).Restitution = s.Restitution
	s.roughen(e)
	return e
}

// rough returns types, and that of friction where s has any.
func (s *Scene) rough(types ...donburi.IComponentType) []donburi.IComponentType {
	if s.Friction > 0 {
		types = append(types, components.Material)
	}
	return types
}

// roughen gives e the friction of s.
func (s *Scene) roughen(e *donburi.Entry) {
	if s.Friction > 0 {
		components.Material.Get(e).Friction = s.Friction
	}
}

// walls returns the planes of the box, facing inwards. They have no restitution of their own, so
// that the spheres decide.
func (s *Scene) walls() []components.PlaneColliderData {
	walls := []components.PlaneColliderData{
		{Normal: collide.Vec3{X: 1}, Distance: -s.Half.X},
		{Normal: collide.Vec3{X: -1}, Distance: -s.Half.X},
		{Normal: collide.Vec3{Y: 1}, Distance: -s.Half.Y},
	}
	if !s.Flat {
		walls = append(walls,
			components.PlaneColliderData{Normal: collide.Vec3{Z: 1}, Distance: -s.Half.Z},
			components.PlaneColliderData{Normal: collide.Vec3{Z: -1}, Distance: -s.Half.Z})
	}
	if !s.OpenTop {
		walls = append(walls, components.PlaneColliderData{Normal: collide.Vec3{Y: -1}, Distance: -s.Half.Y})
	}
	return walls
}

// Step runs one step of the physics.
func (w *World) Step() {
	if w.game != nil {
		w.game.Update()
		return
	}
	w.Physics.Step(w.world)
}

// Motion returns the position and velocity of sphere i of the scene.
func (w *World) Motion(i int) (position, velocity collide.Vec3) {
	return components.Transform.Get(w.spheres[i]).Position, components.Velocity.Get(w.spheres[i]).Linear
}

// Asleep returns whether sphere i of the scene sleeps.
func (w *World) Asleep(i int) bool { return w.Physics.Asleep(w.spheres[i].Entity()) }

// FrameBytes is the size of one sphere in a dump: six little-endian float64, position then
// velocity.
const FrameBytes = 6 * 8

// WriteFrame appends the positions and velocities of all spheres, in scene order, to a dump.
func (w *World) WriteFrame(out io.Writer) error {
	b := w.frame[:0]
	for i := range w.spheres {
		p, v := w.Motion(i)
		for _, x := range [6]float64{p.X, p.Y, p.Z, v.X, v.Y, v.Z} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	w.frame = b
	_, err := out.Write(b)
	return err
}
