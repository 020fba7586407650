package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// passenger is a character that stands on something kinematic, which carries it on. When the game
// sets another velocity for that, the step moves the character with it: what is in the way of both,
// such as a crate in a train that accelerates, is pushed like that. With the velocity of the last
// step, the character would be squeezed between the two afterwards, when bodies have moved already.
type passenger struct {
	entity   donburi.Entity // of the character
	ground   donburi.Entity
	at       collide.Vec3   // position of the ground after the step
	carrier  donburi.Entity // whose Velocity moves the ground
	velocity collide.Vec3   // of carrier, as it was when last looked at, m/s
	given    collide.Vec3   // Velocity of the character, as it was set last, m/s
}

// carriedSlack is the difference of velocities, relative to them, up to which the ground carries a
// character on: a million roundings, since what touches the character takes some of its way.
const carriedSlack = 0x1p-32

// notePassenger takes note of a character that has moved, if it is a passenger. It isn't where
// something stops the character, or has stopped or slowed down the ground.
func (c *characters) notePassenger(p *Physics, k *walker) {
	s, given := &k.data.State, components.Velocity.Get(k.entry).Linear
	same := func(u, v collide.Vec3) bool { return u.Sub(v).MaxAbs() <= float64(carriedSlack*v.MaxAbs()) }
	if s.Ground != components.OnGround || !same(given, s.GroundVelocity) {
		return
	}
	w := p.bridge.World()
	carrier := carrierOf(w, s.GroundEntity)
	h, ok := p.bridge.Handle(s.GroundEntity)
	if carrier == donburi.Null || !ok || !w.Entry(s.GroundEntity).HasComponent(components.Transform) {
		return
	}
	v := components.Velocity.Get(w.Entry(carrier)).Linear
	if same(p.space.ObstacleOf(h).Velocity, v) {
		at := components.Transform.Get(w.Entry(s.GroundEntity)).Position
		c.passengers = append(c.passengers, passenger{k.entity, s.GroundEntity, at, carrier, v, given})
	}
}

// carrierOf returns the entity whose Velocity moves something kinematic, or donburi.Null.
func carrierOf(w donburi.World, e donburi.Entity) donburi.Entity {
	if e == donburi.Null || !w.Valid(e) {
		return donburi.Null
	}
	entry := w.Entry(e)
	if entry.HasComponent(components.KinematicGroup) {
		e = components.KinematicGroup.Get(entry).Leader
		if !w.Valid(e) {
			return donburi.Null
		}
		entry = w.Entry(e)
	} else if inverseMassOf(w, e) != 0 {
		return donburi.Null
	}
	if !entry.HasComponent(components.Velocity) || entry.HasComponent(components.CharacterController) {
		return donburi.Null
	}
	return e
}

// followCarriers adds to the velocities of passengers what the game has added to those of their
// carriers. It may be called again before the step.
func (c *characters) followCarriers(w donburi.World) {
	for i := range c.passengers {
		d := &c.passengers[i]
		if !w.Valid(d.entity) || !w.Valid(d.carrier) || carrierOf(w, d.ground) != d.carrier {
			continue
		}
		if ground := w.Entry(d.ground); !ground.HasComponent(components.Transform) ||
			components.Transform.Get(ground).Position != d.at {
			continue // the game has put it elsewhere, and the character stays
		}
		entry, carrier := w.Entry(d.entity), w.Entry(d.carrier)
		if !entry.HasComponent(components.Velocity) || !carrier.HasComponent(components.Velocity) {
			continue
		}
		now, velocity := components.Velocity.Get(carrier).Linear, components.Velocity.Get(entry)
		if velocity.Linear != d.given { // the game has set it
			continue
		}
		given := d.given.Add(now.Sub(d.velocity))
		if now != d.velocity && given.MaxAbs() <= components.MaxCoordinate {
			velocity.Linear = given
			d.velocity, d.given = now, given
		}
	}
}
