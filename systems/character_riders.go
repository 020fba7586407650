package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// riders are the characters that stand on dynamic bodies.
//
// In a step a character is kinematic: the body under it can't push it, and doesn't feel its mass.
// So before the step the acceleration of both is computed. Then the character presses on the body
// only with what is left of its weight in that acceleration, and gets out of the way of a body that
// rises. A body that sleeps accelerates only if what it rests on has been removed.
type riders struct {
	list    []rider
	loads   loads
	watched donburi.World // it reports removed entities
	removed bool          // entities, since the last step
}

// watch makes a world report removed entities.
func (r *riders) watch(w donburi.World) {
	if r.watched == w {
		return
	}
	r.watched = w
	w.OnRemove(func(of donburi.World, _ donburi.Entity) { r.removed = r.removed || of == r.watched })
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
	relief         float64      // force along up that beginStep has added to the weight on the ground, N
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

// note takes note of a character that has moved, if it is a rider.
func (c *characters) note(p *Physics, k *walker) {
	s, up := &k.data.State, c.riders.loads.up
	if s.Ground != components.OnGround || c.set.Up != up {
		return
	}
	h, ok := p.bridge.Handle(s.GroundEntity)
	w := p.bridge.World()
	if !ok || h.IsSurface() || inverseMassOf(w, s.GroundEntity) == 0 {
		return
	}
	if p.space.SleptThrough(h.Body()) {
		c.riders.watch(w)
	}
	carried := components.Velocity.Get(k.entry).Linear
	c.riders.list = append(c.riders.list, rider{
		entity: k.entity, ground: s.GroundEntity, at: s.Position, mass: k.data.Mass, weight: up.Dot(c.set.Gravity),
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
	c.world.begin(i, seconds)
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

// beginStep prepares the riders for a step. It may be called again before the step ends.
func (c *characters) beginStep(p *Physics, w donburi.World) {
	r := &c.riders
	removed := r.removed
	r.removed = false
	if !p.bridge.Serves(w) {
		r.list = r.list[:0]
	}
	if len(r.list) == 0 {
		return
	}
	r.loads.find(p, w, r.list, removed)
	c.world.p = p
	for k := range r.list {
		d := &r.list[k]
		if d.load == 0 {
			continue
		}
		up := r.loads.up
		relief := 0.0
		if own := r.loads.rootOf(d.load); !own.sticks {
			relief = float64(d.mass * own.acceleration())
		}
		h, _ := p.bridge.Handle(d.ground)
		if c.world.pushBody(h, up.Scale(d.relief-relief)) {
			d.relief = relief
		}
		velocity := components.Velocity.Get(w.Entry(d.entity))
		if velocity.Linear != d.given {
			continue // the game has set it
		}
		under := r.loads.rootOf(d.under)
		ground := components.Velocity.Get(w.Entry(d.ground)).Linear
		gained := float64(p.config.StepSeconds * under.acceleration())
		rise := up.Dot(ground.Sub(d.carried)) + gained
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
