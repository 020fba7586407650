package systems

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/bridge"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// riders are the characters that stand on dynamic bodies.
//
// In a step a character is kinematic: the body under it can't push it. So the body has the mass of
// both and bears the weight of both ([solver.Space.AddStepMass]), which is right as long as the two
// move as one. The character has to be where the body carries it, or at least not in its way: the
// acceleration of both along the up direction is computed before the step, and a character rises as
// fast as the body will, and as friction may slow down a body that slides down a slope.
type riders struct {
	list  []rider
	loads loads
}

// rider is a character that stands on a body.
type rider struct {
	entity, ground donburi.Entity
	at             collide.Vec3
	mass           float64      // kg
	weight         float64      // acceleration along up by gravity alone, m/s²
	carried        collide.Vec3 // Velocity after the last step
	given          collide.Vec3 // Velocity that beginStep has set
	room           float64      // how much faster along up it may be and meet nothing in the next step, m/s
	load, under    int32        // of the character and of its ground; 0 for none
}

// roomSlack is how much farther away a rider stays from what is above it than characters keep from
// what they touch, relative to the coordinates.
const roomSlack = 0x1p-40

// begin forgets all riders. The up direction is against gravity.
func (r *riders) begin(gravity collide.Vec3) {
	up, ok := gravity.Neg().Normalized()
	if !ok {
		up = collide.Vec3{Y: 1}
	}
	r.list, r.loads.up = r.list[:0], up
}

// setGravity changes the gravity. On the next step riders have their new weight. They don't rise
// in it if the direction has changed, since their room was found along the old one.
func (r *riders) setGravity(w donburi.World, gravity collide.Vec3) {
	was := r.loads.up
	list := r.list
	r.begin(gravity)
	for _, d := range list {
		if !w.Valid(d.entity) || !w.Entry(d.entity).HasComponent(components.CharacterController) {
			continue
		}
		k := components.CharacterController.Get(w.Entry(d.entity))
		set := settingsOf(k, gravity)
		if set.Up != r.loads.up || !(k.State.GroundNormal.Dot(set.Up) >= supportCosine) {
			continue
		}
		d.weight = set.Up.Dot(set.Gravity)
		if set.Up != was {
			d.room = min(d.room, 0)
		}
		r.list = append(r.list, d)
	}
}

// bodyUnder returns the dynamic body that a character stands on.
func (c *characters) bodyUnder(p *Physics, k *walker) (h solver.Handle, ok bool) {
	s := &k.data.State
	if s.Ground != components.OnGround {
		return h, false
	}
	h, ok = p.bridge.Handle(s.GroundEntity)
	return h, ok && !h.IsSurface() && inverseMassOf(p.bridge.World(), s.GroundEntity) > 0
}

// carriedVelocity returns the velocity at which the ground carries a character that has moved in
// the next step, m/s. It doesn't follow a dynamic body downwards that would meet something, faster
// than gravity makes it in two steps: the character would squeeze that body out as something of
// infinite mass.
func (c *characters) carriedVelocity(p *Physics, k *walker) collide.Vec3 {
	v := c.mover.CarriedVelocity(c.world.castNext)
	sinks := -c.set.Up.Dot(v)
	h, ok := c.bodyUnder(p, k)
	if !ok || !(sinks > 0) {
		return v
	}
	gained := c.set.Gravity.Scale(p.config.StepSeconds)
	if p.space.MeetingSpeed(h.Body(), v.Add(gained), p.config.StepSeconds) <= float64(2*gained.Length()) {
		return v
	}
	return v.AddScaled(sinks, c.set.Up)
}

// note takes note of the character with an index, which has moved, if it is a rider.
func (c *characters) note(p *Physics, i int) {
	k, gravity := &c.list[i], p.config.Gravity
	s, up := &k.data.State, c.riders.loads.up
	if _, ok := c.bodyUnder(p, k); !ok || upOf(k.data, gravity) != up {
		return
	}
	k.rides = true
	carried := components.Velocity.Get(k.entry).Linear
	c.riders.list = append(c.riders.list, rider{
		entity: k.entity, ground: s.GroundEntity, at: s.Position, mass: k.data.Mass,
		weight:  float64(k.data.GravityScale * up.Dot(gravity)),
		carried: carried, given: carried,
	})
}

// findRoom finds how far the riders may rise, when all characters have moved: one that moves after
// a rider may land on its head.
func (c *characters) findRoom(p *Physics) {
	for k := range c.riders.list {
		d := &c.riders.list[k]
		d.room = c.roomAbove(c.indexOf(d.entity), d.carried, p.config.StepSeconds)
	}
}

// roomAbove returns how much faster than carried the character with an index may rise in the next
// step and meet nothing that can't be pushed, m/s. It is negative if carried is too fast.
func (c *characters) roomAbove(i int, carried collide.Vec3, seconds float64) float64 {
	k := &c.list[i]
	c.world.begin(i, seconds, true)
	up, at := c.riders.loads.up, k.data.State.Position
	room := max(k.data.StepHeight, k.data.SnapLength) / seconds // then it can step down to the ground
	hit, outcome := c.world.castNext(at, carried.AddScaled(room, up), 0, seconds)
	if outcome == collide.Miss {
		return room
	}
	own := up.Dot(carried)
	way := float64((room+own)*hit.Time) - float64(roomSlack*(at.MaxAbs()+hit.Point.MaxAbs()))
	return max(way/seconds, min(own, 0)) - own
}

// brakingRise returns by how much friction may reduce the speed at which the ground of a rider
// sinks because it slides down on what it lies on, in the next step, m/s. A character that doesn't
// rise as much would push the ground on, like a wedge, and it would never stop.
func (r *riders) brakingRise(p *Physics, ground solver.Handle, d *rider) (rise float64) {
	up := r.loads.up
	p.space.Touching(ground, func(other solver.Handle, sensor bool) bool {
		_, n := p.space.Between(ground, other) // to the ground
		slope := n.Dot(up)
		if sensor || slope < supportCosine {
			return true
		}
		if sinks := up.Dot(p.space.ObstacleOf(other).Velocity.Sub(d.carried)); sinks > 0 {
			friction := max(p.space.FrictionOf(ground).Static, p.space.FrictionOf(other).Static)
			// Friction and the part of the weight that it holds, both in the direction of the
			// slope.
			brake := float64((1+friction)*math.Abs(d.weight)) * math.Sqrt(max(0, 1-float64(slope*slope)))
			rise = max(rise, min(sinks, float64(brake*p.config.StepSeconds)))
		}
		return true
	})
	return rise
}

// damping returns the force along the up direction by which the damping of its ground slows down a
// rider, N.
func (d *rider) damping(w donburi.World, up collide.Vec3, seconds float64) float64 {
	ground := w.Entry(d.ground)
	if !ground.HasComponent(components.Body) {
		return 0
	}
	loss := bridge.DampingLoss(components.Body.Get(ground), seconds)
	return -float64(d.mass*loss) * up.Dot(components.Velocity.Get(ground).Linear) / seconds
}

// beginStep prepares the riders and passengers for a step. It may be called again before the step
// ends.
func (c *characters) beginStep(p *Physics, w donburi.World) {
	r := &c.riders
	if !p.bridge.Serves(w) {
		r.list, c.passengers = r.list[:0], c.passengers[:0]
	}
	c.followCarriers(p, w)
	if len(r.list) == 0 {
		return
	}
	r.loads.find(p, w, r.list)
	c.world.p = p
	for k := range r.list {
		d := &r.list[k]
		if d.load == 0 {
			continue
		}
		up := r.loads.up
		h, _ := p.bridge.Handle(d.ground)
		velocity := components.Velocity.Get(w.Entry(d.entity))
		if velocity.Linear != d.given {
			continue // the game has set it
		}
		under := r.loads.rootOf(d.under)
		ground := components.Velocity.Get(w.Entry(d.ground)).Linear
		gained := float64(p.config.StepSeconds * under.acceleration())
		rise := up.Dot(ground.Sub(d.carried)) + gained + r.brakingRise(p, h, d)
		if e := w.Entry(d.ground); e.HasComponent(components.Body) { // damping acts as the step begins
			loss := bridge.DampingLoss(components.Body.Get(e), p.config.StepSeconds)
			rise = max(rise, up.Dot(ground.Scale(1-loss).Sub(d.carried)))
		}
		if !under.fixed && ground != (collide.Vec3{}) || gained > 0 {
			// A little faster, so that contacts find no reason to press the two apart.
			rise += p.space.RestGap(h.Body()) / p.config.StepSeconds
		}
		d.given = d.carried.AddScaled(min(max(rise, 0), d.room), up)
		if !(d.given.MaxAbs() <= components.MaxCoordinate) {
			d.given = d.carried
		}
		velocity.Linear = d.given
	}
}
