package randomgame

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// repair makes a component of an entity as it was before it got an invalid value.
type repair struct {
	entry     *donburi.Entry
	component donburi.IComponentType
	undo      func()
}

// corrupt gives a component of an entity an invalid value, which is repaired some time later.
func (g *Game) corrupt(e *donburi.Entry) {
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 2e9}[g.IntN(5)]
	c := types[g.IntN(len(types))]
	if !e.HasComponent(c) {
		c = components.Transform
	}
	if !e.HasComponent(c) {
		return
	}
	switch c.Id() {
	case components.Transform.Id():
		d := components.Transform.Get(e)
		if g.IntN(3) == 0 {
			corrupt(g, e, components.Transform, &d.Rotation, collide.Quat{X: bad})
		} else if bad != -1 {
			corrupt(g, e, components.Transform, &d.Position, collide.Vec3{Y: bad})
		}
	case components.Velocity.Id():
		if bad != -1 {
			corrupt(g, e, components.Velocity, &components.Velocity.Get(e).Linear, collide.Vec3{Z: bad})
		}
	case components.AngularVelocity.Id():
		corrupt(g, e, components.AngularVelocity, &components.AngularVelocity.Get(e).Inertia, bad)
	case components.Body.Id():
		d := components.Body.Get(e)
		switch g.IntN(4) {
		case 0:
			corrupt(g, e, components.Body, &d.Mass, bad)
		case 1:
			corrupt(g, e, components.Body, &d.LinearDamping, bad)
		case 2:
			corrupt(g, e, components.Body, &d.Kind, 9)
		case 3:
			corrupt(g, e, components.Body, &d.Locked, 8)
		}
	case components.Material.Id():
		d := components.Material.Get(e)
		if g.IntN(2) == 0 {
			corrupt(g, e, components.Material, &d.Restitution, bad)
		} else {
			corrupt(g, e, components.Material, &d.Friction, bad)
		}
	case components.SurfaceVelocity.Id():
		if bad != -1 {
			corrupt(g, e, components.SurfaceVelocity, &components.SurfaceVelocity.Get(e).Linear, collide.Vec3{Z: bad})
		}
	case components.Force.Id():
		if bad != -1 {
			corrupt(g, e, components.Force, &components.Force.Get(e).Force, collide.Vec3{Z: bad})
		}
	case components.KinematicGroup.Id():
		corrupt(g, e, components.KinematicGroup, &components.KinematicGroup.Get(e).Leader, donburi.Null)
	case components.Motor.Id():
		corrupt(g, e, components.Motor, &components.Motor.Get(e).Speed, bad)
	case components.CharacterController.Id():
		corrupt(g, e, components.CharacterController, &components.CharacterController.Get(e).Mass, bad)
	case components.SphereCollider.Id():
		corrupt(g, e, components.SphereCollider, &components.SphereCollider.Get(e).Radius, bad)
	case components.PlaneCollider.Id():
		if bad == -1 {
			bad = 0
		}
		corrupt(g, e, components.PlaneCollider, &components.PlaneCollider.Get(e).Normal, collide.Vec3{X: bad})
	case components.PolygonCollider.Id():
		corrupt(g, e, components.PolygonCollider, &components.PolygonCollider.Get(e).Points, []collide.Vec3{
			{}, {X: bad}, {X: 2 * bad},
		})
	case components.CapsuleCollider.Id():
		corrupt(g, e, components.CapsuleCollider, &components.CapsuleCollider.Get(e).Radius, bad)
	case components.ShapeCollider.Id():
		shape := collide.Shape(collide.Box{Half: collide.Vec3{X: bad, Y: 1, Z: 1}})
		if g.IntN(3) == 0 {
			shape = nil
		}
		d := components.ShapeCollider.Get(e)
		corrupt(g, e, components.ShapeCollider, d, components.ShapeColliderData{Shape: shape})
	}
}

// corrupt sets a field, and notes how to repair it.
func corrupt[T any](g *Game, e *donburi.Entry, c donburi.IComponentType, field *T, bad T) {
	old := *field
	*field = bad
	g.repairs = append(g.repairs, repair{e, c, func() { *field = old }})
}

// repairOne repairs an invalid value.
func (g *Game) repairOne() {
	k := g.IntN(len(g.repairs))
	if r := g.repairs[k]; r.entry.Valid() && r.entry.HasComponent(r.component) {
		r.undo()
	}
	g.repairs[k] = g.repairs[len(g.repairs)-1]
	g.repairs = g.repairs[:len(g.repairs)-1]
}
