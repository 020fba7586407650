package randomgame

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Perturb makes some changes now and then.
func (g *Game) Perturb() {
	if g.IntN(4) > 0 {
		return
	}
	for range 1 + g.IntN(4) {
		g.Change()
	}
}

// Change makes a random change to a random entity, creates one or removes one.
func (g *Game) Change() {
	if len(g.repairs) > 0 && g.IntN(4) == 0 {
		g.repairOne()
	}
	e := g.any()
	if e == nil {
		g.Add()
		return
	}
	switch g.IntN(16) {
	case 0:
		if g.IntN(3) == 0 {
			e.Remove()
		}
	case 1:
		if len(g.Entries) < 300 {
			g.Add()
		}
	case 2:
		e.Remove()
		g.Add()
	case 3:
		g.toggle(e, types[g.IntN(len(types))])
	case 4, 5:
		g.toggle(e, types[g.IntN(9)])
	case 6: // gone and back between two steps
		c := types[g.IntN(9)]
		g.toggle(e, c)
		g.toggle(e, c)
	case 7:
		g.corrupt(e)
	default:
		g.vary(e)
	}
}

// any returns a random entity that exists, or nil if it finds none.
func (g *Game) any() *donburi.Entry {
	for range 20 {
		if len(g.Entries) == 0 {
			return nil
		}
		k := g.IntN(len(g.Entries))
		if e := g.Entries[k]; e.Valid() {
			return e
		}
		g.Entries[k] = g.Entries[len(g.Entries)-1]
		g.Entries = g.Entries[:len(g.Entries)-1]
	}
	return nil
}

func (g *Game) toggle(e *donburi.Entry, c donburi.IComponentType) {
	if e.HasComponent(c) {
		if len(e.Archetype().Layout().Components()) > 1 { // Donburi panics when the last is removed
			e.RemoveComponent(c)
		}
		return
	}
	e.AddComponent(c)
	if c.Id() == components.KinematicGroup.Id() {
		g.setLeader(e)
	}
}

// vary changes something of an entity. What it sets is valid, but it need not go with the rest.
func (g *Game) vary(e *donburi.Entry) {
	if !e.HasComponent(components.Transform) {
		e.AddComponent(components.Transform)
	}
	zero := math.Copysign(0, float64(g.IntN(2)*2-1))
	switch where := components.Transform.Get(e); g.IntN(12) {
	case 0:
		where.Position = g.Position()
	case 1:
		where.Position.X = zero
	case 2:
		where.Position = where.Position.AddScaled(1e-9*float64(g.IntN(3)-1), g.direction())
	case 3: // into something else, or onto it
		if o := g.any(); o != nil && o.HasComponent(components.Transform) {
			where.Position = components.Transform.Get(o).Position.AddScaled(0.4*g.unit(), g.direction())
		}
	case 4:
		where.Rotation = g.rotation()
	default:
		for range 3 {
			if g.varyComponent(e) {
				return
			}
		}
	}
}

// varyComponent changes a random component, and reports whether the entity has it.
func (g *Game) varyComponent(e *donburi.Entry) bool {
	c := types[g.IntN(len(types))]
	if !e.HasComponent(c) {
		return false
	}
	zero := math.Copysign(0, float64(g.IntN(2)*2-1))
	switch c.Id() {
	case components.Velocity.Id():
		g.varyVelocity(&components.Velocity.Get(e).Linear, 3)
	case components.AngularVelocity.Id():
		d := components.AngularVelocity.Get(e)
		switch g.IntN(6) {
		case 0:
			d.Inertia = float64(g.IntN(2)) * g.unit()
		case 1:
			d.Damping = float64(g.IntN(2))
		case 2:
			d.Pivot = g.vector(float64(g.IntN(2)))
		default:
			g.varyVelocity(&d.Angular, 5)
		}
	case components.Body.Id():
		g.varyBody(components.Body.Get(e))
	case components.Material.Id():
		*components.Material.Get(e) = components.MaterialData{
			Restitution: float64(g.IntN(3)) / 2, Friction: float64(g.IntN(3)) / 2,
			RollingResistance:  0.1 * float64(g.IntN(2)),
			RestitutionCombine: components.CombineRule(g.IntN(5)), FrictionCombine: components.CombineRule(g.IntN(5)),
		}
	case components.CollisionFilter.Id():
		*components.CollisionFilter.Get(e) = components.CollisionFilterData{
			Layers: uint32(g.IntN(4)), Mask: uint32(g.IntN(4)), Disabled: g.IntN(4) == 0,
		}
	case components.Force.Id():
		d := components.Force.Get(e)
		d.Force = g.vector(10)
	case components.SurfaceVelocity.Id():
		components.SurfaceVelocity.Get(e).Linear = g.vector(float64(g.IntN(3)))
	case components.KinematicGroup.Id():
		g.setLeader(e)
	case components.Motor.Id():
		g.varyMotor(components.Motor.Get(e))
	case components.CharacterController.Id():
		g.varyCharacter(components.CharacterController.Get(e))
	case components.SphereCollider.Id():
		components.SphereCollider.Get(e).Radius = g.radius()
	case components.PolygonCollider.Id():
		d := components.PolygonCollider.Get(e)
		if d.OneSided = !d.OneSided; g.IntN(3) == 0 || len(d.Points) == 0 {
			d.Points = g.corners()
		}
	case components.ShapeCollider.Id():
		g.varyShape(components.ShapeCollider.Get(e))
	case components.PlaneCollider.Id():
		d := components.PlaneCollider.Get(e)
		d.Normal, d.Distance, d.TwoSided = g.vector(0.3).Add(collide.Vec3{Y: 1}), -half*g.unit(), !d.TwoSided
	case components.CapsuleCollider.Id():
		d := components.CapsuleCollider.Get(e)
		d.Radius = g.radius()
		if g.IntN(2) == 0 {
			d.A, d.B = g.vector(0.5), collide.Vec3{X: zero}
		}
	}
	return true
}

func (g *Game) varyVelocity(v *collide.Vec3, size float64) {
	switch g.IntN(8) {
	case 0:
		*v = collide.Vec3{X: math.Copysign(0, float64(g.IntN(2)*2-1))}
	case 1:
		*v = collide.Vec3{}
	case 2:
		*v = g.vector(20 * size)
	case 3:
		*v = g.direction().Scale(size / 4)
	default:
		*v = g.vector(size)
	}
}

func (g *Game) varyBody(d *components.BodyData) {
	switch g.IntN(8) {
	case 0, 1:
		d.Kind = components.BodyKind(g.IntN(3))
	case 2:
		d.Mass = []float64{0, 1, 5, 100, 1e-3}[g.IntN(5)]
	case 3:
		d.LinearDamping = float64(g.IntN(3))
	case 4:
		d.Locked = components.Axes(g.IntN(8))
	case 5:
		d.Weightless = !d.Weightless
	case 6:
		d.GravityScale = float64(g.IntN(3)) - 1
	case 7:
		d.NeverSleep = !d.NeverSleep
	}
}

func (g *Game) varyMotor(d *components.MotorData) {
	switch g.IntN(6) {
	case 0:
		d.Axis = g.direction()
	case 1:
		d.Low, d.High = -g.unit(), g.unit()
	case 2:
		d.Speed, d.ReturnSpeed = 5*g.unit(), float64(g.IntN(2))
	case 3:
		d.On = !d.On
	case 4:
		d.Swing = !d.Swing
	case 5:
		d.MaxTorque = 100 * g.unit()
	}
}

func (g *Game) varyCharacter(d *components.CharacterControllerData) {
	switch g.IntN(10) {
	case 0:
		d.Jump = true
	case 1:
		d.Crouch, d.CrouchHeight = !d.Crouch, 0.9
	case 2:
		d.DropThrough = !d.DropThrough
	case 3:
		d.Mode = components.MotionMode(g.IntN(2))
	case 4:
		d.Up = g.direction()
	case 5:
		d.StepHeight, d.SnapLength = 0.4*g.unit(), 0.2*float64(g.IntN(2))
	case 6:
		d.Mass = 1 + float64(100*g.unit())
	case 7:
		d.State.Velocity = g.vector(5)
	default:
		d.DesiredVelocity = g.vector(6)
	}
}

func (g *Game) varyShape(d *components.ShapeColliderData) {
	switch g.IntN(3) {
	case 0:
		d.Shape, d.Parts = nil, g.parts()
	case 1:
		d.Shape, d.Parts = g.shapes[g.IntN(len(g.shapes))], nil
	case 2:
		d.Shape, d.Parts = g.solids[g.IntN(len(g.solids))], nil
	}
}
