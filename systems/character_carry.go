package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// passenger is a character that stands on something kinematic, which carries it on. When the game
// sets another velocity for that, the step moves the character with it: what is in the way of both,
// such as a crate in a train that accelerates, is pushed like that. With the velocity of the last
// step, the character would be squeezed between the two afterwards, when bodies have moved already.
type passenger struct {
	index    int // of the character in the list
	ground   donburi.Entity
	at       collide.Vec3   // position of the ground after the step
	carrier  donburi.Entity // whose Velocity moves the ground
	velocity collide.Vec3   // of carrier, as it was when last looked at, m/s
	free     collide.Vec3   // Velocity of the character if nothing is in its way, m/s
}

// carriedSlack is the difference of velocities, relative to them, up to which the ground carries a
// character on: a million roundings, since what touches the character takes some of its way.
const carriedSlack = 0x1p-32

// isSame reports whether two velocities are the same, but for carriedSlack.
func isSame(u, v collide.Vec3) bool { return u.Sub(v).MaxAbs() <= float64(carriedSlack*v.MaxAbs()) }

// hasTurned reports whether a character that is carried on at v, by ground that moves at ground,
// may be in the way of others, which have seen it move at the velocity was: something has stopped
// it, or its velocity has changed by more than an eighth.
func hasTurned(v, was, ground collide.Vec3) bool {
	change := v.Sub(was).MaxAbs()
	return !isSame(v, was) && !isSame(v, ground) || change > max(v.MaxAbs(), was.MaxAbs())/8
}

// maxSettlings is how often settleCarried goes through the characters, back and forth. A row of
// them that one ground carries settles in one way, if it is the right one.
const maxSettlings = 8

// settleCarried stops characters that are carried on in the next step behind others that have
// turned: so those behind one that has come to a wall stop behind it. Velocities become smaller
// only.
func (c *characters) settleCarried(p *Physics) {
	seconds := p.config.StepSeconds
	for i := range c.list {
		if k := &c.list[i]; !k.gone {
			at, v := components.Transform.Get(k.entry).Position, components.Velocity.Get(k.entry).Linear
			c.extend(k, at.AddScaled(seconds, v))
		}
	}
	for i := range c.list {
		if k := &c.list[i]; k.turned && !k.gone {
			k.turned, k.recast = false, c.isCarried(k)
			c.recastNear(i, seconds)
		}
	}
	for pass := range maxSettlings {
		settled := true
		for n := range c.list {
			i := n
			if pass%2 == 0 {
				i = len(c.list) - 1 - n
			}
			k := &c.list[i]
			if !k.recast {
				continue
			}
			k.recast = false
			if v := c.stopped(i, seconds); v != k.given {
				k.give(v)
				c.recastNear(i, seconds)
				settled = false
			}
		}
		if settled {
			break
		}
	}
	for i := range c.list {
		c.list[i].recast = false
	}
}

// give sets the Velocity of a character.
func (k *walker) give(v collide.Vec3) {
	components.Velocity.Get(k.entry).Linear, k.given = v, v
}

// isCarried reports whether the ground carries a character on at a Velocity that the game has not
// changed. When a step begins, riders aren't looked at: their ground decides how they move.
func (c *characters) isCarried(k *walker) bool {
	return !k.gone && k.given != collide.Vec3{} && !(k.rides && c.world.beginning) &&
		components.Velocity.Get(k.entry).Linear == k.given
}

// recastNear has the characters recast that are carried, and whose way in the next step may meet
// that of the one with an index.
func (c *characters) recastNear(i int, seconds float64) {
	way := func(k *walker) collide.AABB {
		at, v := components.Transform.Get(k.entry).Position, components.Velocity.Get(k.entry).Linear
		return k.shape.Bounds(at).Union(k.shape.Bounds(at.AddScaled(seconds, v)))
	}
	own := way(&c.list[i])
	see := func(k *walker) {
		k.recast = k.recast || c.isCarried(k) && way(k).Overlaps(own)
	}
	for k := i - 1; k >= 0 && c.list[k].start.X+c.reach >= own.Min.X; k-- {
		see(&c.list[k])
	}
	for k := i + 1; k < len(c.list) && c.list[k].start.X-c.reach <= own.Max.X; k++ {
		see(&c.list[k])
	}
}

// stopped returns the velocity at which the character with an index is carried on in the next step:
// that which it has been given, or a part of it, so that it comes as far as to the first thing that
// it can't push.
func (c *characters) stopped(i int, seconds float64) collide.Vec3 {
	k := &c.list[i]
	v := k.given
	c.world.begin(i, seconds, true)
	c.world.ground = c.world.number(k.data.State.GroundEntity)
	hit, outcome := c.world.castNext(components.Transform.Get(k.entry).Position, v, 0, seconds)
	c.world.ground = noObstacle
	switch {
	case outcome == collide.Hit && hit.Time < seconds:
		return v.Scale(hit.Time / seconds)
	case outcome == collide.Overlap && hit.Normal.Dot(v.Sub(hit.Velocity)) < 0:
		return collide.Vec3{}
	}
	return v
}

// notePassenger takes note of the character with an index, which has moved, if it is a passenger.
// It isn't where something stops the character, or has stopped or slowed down the ground.
func (c *characters) notePassenger(p *Physics, i int) {
	k := &c.list[i]
	s, given := &k.data.State, components.Velocity.Get(k.entry).Linear
	if s.Ground != components.OnGround || !isSame(given, s.GroundVelocity) {
		return
	}
	w := p.bridge.World()
	carrier := carrierOf(w, s.GroundEntity)
	h, ok := p.bridge.Handle(s.GroundEntity)
	if carrier == donburi.Null || !ok || !w.Entry(s.GroundEntity).HasComponent(components.Transform) {
		return
	}
	v := components.Velocity.Get(w.Entry(carrier)).Linear
	if isSame(p.space.ObstacleOf(h).Velocity, v) {
		at := components.Transform.Get(w.Entry(s.GroundEntity)).Position
		c.passengers = append(c.passengers, passenger{i, s.GroundEntity, at, carrier, v, given})
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
	if !entry.HasComponent(components.Velocity) || entry.HasComponent(components.CharacterController) ||
		entry.HasComponent(components.Body) && components.Body.Get(entry).Kind == components.Static {
		return donburi.Null
	}
	return e
}

// followCarriers adds to the velocities of passengers what the game has added to those of their
// carriers, as far as nothing that they can't push is in the way. It may be called again before the
// step.
func (c *characters) followCarriers(p *Physics, w donburi.World) {
	turned := false
	for i := range c.passengers {
		d := &c.passengers[i]
		k := &c.list[d.index]
		if !k.isIn(w) || !w.Valid(d.carrier) || carrierOf(w, d.ground) != d.carrier {
			continue
		}
		if ground := w.Entry(d.ground); !ground.HasComponent(components.Transform) ||
			components.Transform.Get(ground).Position != d.at {
			continue // the game has put it elsewhere, and the character stays
		}
		carrier := w.Entry(d.carrier)
		if !carrier.HasComponent(components.Velocity) || components.Velocity.Get(k.entry).Linear != k.given {
			continue // the game has set it
		}
		now := components.Velocity.Get(carrier).Linear
		free := character.Free(lockedOf(k.entry), d.free.Add(now.Sub(d.velocity)))
		if now != d.velocity && free.MaxAbs() <= components.MaxCoordinate {
			k.give(free)
			d.velocity, d.free = now, free
			k.recast, turned = components.Transform.Get(k.entry).Position == k.data.State.Position, true
		}
	}
	if turned && p.space.Stage() == solver.Idle {
		c.settlePassengers(p, w)
	}
}

// isIn reports whether a character that has moved in the last step still is one.
func (k *walker) isIn(w donburi.World) bool {
	return w.Valid(k.entity) && k.entry.HasComponent(components.CharacterController) &&
		k.entry.HasComponent(components.Velocity) && k.entry.HasComponent(components.Transform)
}

// settlePassengers is settleCarried before a step, for the passengers that turn. The game may have
// changed anything since they have moved.
func (c *characters) settlePassengers(p *Physics, w donburi.World) {
	for i := range c.list {
		k := &c.list[i]
		k.gone = !k.isIn(w) || validateCharacter(k.entry) != nil || !hasValidShape(k.entry) ||
			components.Velocity.Get(k.entry).Validate() != nil
		k.turned = k.recast
	}
	c.enlist()
	c.world.p, c.world.beginning = p, true
	c.settleCarried(p)
	c.world.beginning = false
	c.unlist()
}
