package randomgame

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Game is a game that makes random changes. Two games with the same seed and the same Kinds, on
// which the same methods are called, do the same.
type Game struct {
	*rand.Rand
	World   donburi.World
	Entries []*donburi.Entry // of all entities that it has created, also of those that it has removed

	kinds   []Kind
	repairs []repair // of invalid values
	shapes  []collide.Shape
	solids  []collide.Shape // those that a body may have
}

// Kind is a kind of entity.
type Kind uint8

// The kinds of entities. The first may be in a step that several workers share.
const (
	Ball      Kind = iota
	Rough          // a ball that rotates
	Static         // a ball that doesn't move
	Kinematic      // a ball
	Polygon        // a tile, static or kinematic
	Plane          // far below
	Capsule
	Member   // of a kinematic group
	Sensor   // a ball, or another shape
	Surface  // with any shape
	Compound // of some shapes
	Rotating // a surface that rotates, or a motor

	Shaped    // a body with a shape that isn't a ball
	Yielding  // a motor with a moment of inertia
	Character // that walks
	kinds
)

// Spheres are kinds that several workers may step. All are all kinds.
var (
	Spheres = []Kind{
		Ball, Ball, Ball, Ball, Rough, Rough, Static, Kinematic, Polygon, Plane, Capsule, Member, Sensor, Surface,
		Compound, Rotating, Character,
	}
	All = append([]Kind{Shaped, Shaped, Yielding}, Spheres...)
)

// types are the component types that a change adds or removes.
var types = []donburi.IComponentType{
	components.Velocity, components.AngularVelocity, components.Body, components.Material, components.Sensor,
	components.CollisionFilter, components.Force, components.Sliding, components.SurfaceVelocity,
	components.KinematicGroup, components.Constant, components.Motor, components.CharacterController,
	components.SphereCollider, components.PolygonCollider, components.ShapeCollider, components.PlaneCollider,
	components.CapsuleCollider, components.Transform,
}

// New returns a game in a world of n random entities of the given kinds within walls.
func New(seed uint64, n int, kinds []Kind) *Game {
	g := &Game{Rand: rand.New(rand.NewPCG(seed, 77)), World: donburi.NewWorld(), kinds: kinds}
	// Every type is used once, since Donburi panics if one is new in a world of many archetypes.
	g.World.Remove(g.World.Create(types...))
	g.makeShapes()
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
		components.CreatePlane(g.World, n.Scale(-half), n)
	}
	for range n {
		g.Add()
	}
	return g
}

// half is half of the side of the room, metres.
const half = 4

// Position returns a random position in the room.
func (g *Game) Position() collide.Vec3 { return g.vector(half - 0.3) }

// vector returns a vector in a cube.
func (g *Game) vector(size float64) collide.Vec3 {
	random := func() float64 { return float64((float64(g.unit()*2) - 1) * size) }
	return collide.Vec3{X: random(), Y: random(), Z: random()}
}

// direction returns a unit vector, mostly along an axis.
func (g *Game) direction() collide.Vec3 {
	axes := []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	if n, ok := g.vector(1).Normalized(); ok && g.IntN(3) == 0 {
		return n
	}
	return axes[g.IntN(len(axes))]
}

func (g *Game) rotation() collide.Quat {
	switch g.IntN(3) {
	case 0:
		return collide.Quat{}
	case 1:
		return collide.RotationAround(collide.Vec3{Y: 1}, float64(g.IntN(8))*math.Pi/4)
	}
	return collide.RotationAround(g.direction(), float64(g.unit()*6)-3)
}

// Add creates a random entity.
func (g *Game) Add() *donburi.Entry {
	var e *donburi.Entry
	w, at := g.World, g.Position()
	moves := []donburi.IComponentType{components.Velocity, components.Body, components.Material}
	rotates := append([]donburi.IComponentType{components.AngularVelocity}, moves...)
	switch g.kinds[g.IntN(len(g.kinds))] {
	case Ball:
		e = components.CreateBall(w, at, g.radius())
	case Rough:
		e = components.CreateBall(w, at, g.radius(), components.AngularVelocity)
	case Static:
		e = components.CreateBall(w, at, g.radius())
		e.RemoveComponent(components.Velocity)
	case Kinematic:
		e = components.CreateBall(w, at, g.radius())
		components.Body.Get(e).Kind = components.Kinematic
	case Polygon:
		e = components.CreatePolygon(w, g.corners(), components.Material)
		components.Transform.Get(e).Position = g.lattice()
	case Plane:
		e = components.CreatePlane(w, g.vector(1).Add(collide.Vec3{Y: -half}), g.vector(0.3).Add(collide.Vec3{Y: 1}))
	case Capsule:
		e = components.CreateCapsule(w, at, at.Add(g.vector(1)), 0.2)
	case Member:
		e = components.CreateBall(w, at, g.radius(), components.KinematicGroup)
		g.setLeader(e)
	case Sensor:
		e = components.CreateSensor(w, at, 4*g.radius())
		if g.IntN(2) == 0 {
			e.RemoveComponent(components.SphereCollider)
			e.AddComponent(components.ShapeCollider)
			components.ShapeCollider.Get(e).Shape = g.solids[g.IntN(len(g.solids))]
		}
	case Surface:
		e = components.CreateShape(w, g.lattice(), g.shapes[g.IntN(len(g.shapes))], components.Material)
	case Compound:
		e = components.CreateCompound(w, g.lattice(), g.parts())
	case Rotating:
		e = components.CreateShape(w, at, g.shapes[g.IntN(len(g.shapes))], rotates...)
		components.Body.Get(e).Kind = components.Kinematic
		if g.IntN(3) == 0 {
			e.AddComponent(components.Motor)
		}
	case Yielding:
		e = components.CreateShape(w, at, g.solids[g.IntN(len(g.solids))], append(rotates, components.Motor)...)
		components.Body.Get(e).Kind = components.Kinematic
		components.Motor.Get(e).Inertia = 1 + g.unit()
	case Shaped:
		e = components.CreateShapeBody(w, at, g.solids[g.IntN(len(g.solids))])
	case Character:
		e = components.CreateCharacter(w, at, 0.2+float64(0.2*g.unit()), 1.2)
	}
	for _, c := range types[:9] {
		if g.IntN(8) == 0 && !e.HasComponent(c) {
			e.AddComponent(c)
		}
	}
	for range 3 {
		g.vary(e)
	}
	g.Entries = append(g.Entries, e)
	return e
}

func (g *Game) radius() float64 {
	return []float64{0.2, 0.2, 0.3, 0.1 + float64(0.3*g.unit())}[g.IntN(4)]
}

// lattice returns a position at which tiles and boxes meet, or any.
func (g *Game) lattice() collide.Vec3 {
	if g.IntN(4) == 0 {
		return g.Position()
	}
	return collide.Vec3{X: float64(2*g.IntN(4) - 3), Y: float64(g.IntN(3)) - half + 0.5, Z: float64(2*g.IntN(4) - 3)}
}

// corners returns the corners of a tile: mostly a square that faces up.
func (g *Game) corners() []collide.Vec3 {
	if g.IntN(4) > 0 {
		return []collide.Vec3{{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1}}
	}
	return []collide.Vec3{{}, g.vector(1), g.vector(1)}
}

// makeShapes makes the shapes that entities have.
func (g *Game) makeShapes() {
	size := func() float64 { return 0.1 + float64(0.3*g.unit()) }
	g.solids = []collide.Shape{
		collide.Box{Half: collide.Vec3{X: 0.2, Y: 0.2, Z: 0.2}},
		collide.Box{Half: collide.Vec3{X: size(), Y: size(), Z: size()}, Rotation: g.rotation()},
		collide.AABB{Min: collide.Vec3{X: -0.3, Y: -0.1, Z: -0.2}, Max: collide.Vec3{X: 0.2, Y: 0.2, Z: 0.3}},
		collide.Capsule{A: collide.Vec3{X: -size()}, B: collide.Vec3{X: size()}, Radius: 0.15},
		collide.Cylinder{A: collide.Vec3{Y: -size()}, B: collide.Vec3{Y: size()}, Radius: size()},
		collide.Sphere{Center: g.vector(0.1), Radius: 0.2},
	}
	points := make([]collide.Vec3, 6)
	for k := range points {
		points[k] = g.vector(0.4)
	}
	if hull, err := collide.NewHull(points); err == nil {
		g.solids = append(g.solids, hull, hull.At(g.vector(0.1)))
	}
	g.shapes = append(g.shapes, g.solids...)
	g.shapes = append(g.shapes, collide.Box{Half: collide.Vec3{X: 1, Y: 0.1, Z: 1}})
	heights := make([]float64, 16)
	for k := range heights {
		heights[k] = 0.3 * g.unit() * float64(g.IntN(2))
	}
	if field, err := collide.NewHeightField(collide.Vec3{X: -1.5, Z: -1.5}, 1, 1, 4, heights); err == nil {
		g.shapes = append(g.shapes, field)
	}
	corners := []collide.Vec3{{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1}, {Y: 0.5 * g.unit()}}
	for _, twoSided := range []bool{false, true} {
		mesh, err := collide.NewMesh(
			corners, []uint32{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}, collide.MeshOptions{TwoSided: twoSided},
		)
		if err == nil {
			g.shapes = append(g.shapes, mesh)
		}
	}
}

// parts returns the parts of a compound.
func (g *Game) parts() []components.ShapePart {
	parts := make([]components.ShapePart, 1+g.IntN(3))
	for k := range parts {
		parts[k] = components.ShapePart{
			Shape: g.shapes[g.IntN(len(g.shapes))], Position: g.vector(0.6), Rotation: g.rotation(),
		}
	}
	return parts
}

// setLeader makes an entity with a KinematicGroup a member of some group.
func (g *Game) setLeader(e *donburi.Entry) {
	d := components.KinematicGroup.Get(e)
	for range 10 {
		if len(g.Entries) == 0 {
			return
		}
		o := g.Entries[g.IntN(len(g.Entries))]
		if !o.Valid() {
			continue
		}
		if o.HasComponent(components.KinematicGroup) {
			d.Leader = components.KinematicGroup.Get(o).Leader
			return
		}
		if o.HasComponent(components.Velocity) {
			d.Leader = o.Entity()
			if o.HasComponent(components.Body) {
				components.Body.Get(o).Kind = components.Kinematic
			}
			return
		}
	}
}

// unit returns a random number from 0 to 1. It is not inlined: the product in Float64 would be
// fused with what is added.
//
//go:noinline
func (g *Game) unit() float64 { return g.Float64() }
