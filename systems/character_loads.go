package systems

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// loads finds how bodies that lie on each other, and the riders on them, accelerate along the up
// direction in the next step. Of two that would come closer, both accelerate as the mass of both
// and the forces on both say, and so on. What is static or locked doesn't accelerate, and what is
// kinematic does as the game says.
type loads struct {
	up     collide.Vec3
	list   []load  // the first one is all that doesn't accelerate
	of     []int32 // by entity id: index in list, or 0
	bodies []int32 // indices in list
	stacks []stack // one lies on the other
}

// load is a body or a rider, and all that has been joined to it.
type load struct {
	entity      donburi.Entity
	at          collide.Vec3
	mass        float64 // kg
	force, size float64 // along up, and the sum of the sizes of all forces; N
	fixed       bool    // nothing can accelerate it
	given       float64 // acceleration of one that is fixed, m/s²
	joined      int32   // the load to which it has been joined, or itself
}

// stack is two loads that touch.
type stack struct{ above, below int32 }

const (
	// supportCosine is the least component along up of the normal between two of which one lies on
	// the other. Below some 6 degrees it is a wall.
	supportCosine = 0.1

	// maxLoads is about how many bodies are looked at. What else they touch counts as fixed: a heap
	// that is so large mostly lies on something.
	maxLoads = 256

	// loadSlack is the part of all forces up to which their sum is rounding.
	loadSlack = 0x1p-40
)

// find finds the loads of riders and of all that their ground touches and that doesn't sleep.
func (l *loads) find(p *Physics, w donburi.World, riders []rider) {
	for k := range l.list[min(1, len(l.list)):] {
		l.of[l.list[k+1].entity.Id()] = 0
	}
	l.bodies, l.stacks = l.bodies[:0], l.stacks[:0]
	l.list = append(l.list[:0], load{fixed: true})
	for k := range riders {
		d := &riders[k]
		d.load, d.under = 0, 0
		if !w.Valid(d.entity) || !w.Entry(d.entity).HasComponent(components.CharacterController) ||
			!w.Entry(d.entity).HasComponent(components.Velocity) {
			continue
		}
		if d.under = l.addBody(p, w, d.ground); d.under > 0 {
			weight, damping := float64(d.mass*d.weight), d.damping(w, l.up, p.config.StepSeconds)
			d.load = l.add(load{
				entity: d.entity, at: d.at, mass: d.mass, force: weight + damping,
				size: math.Abs(weight) + math.Abs(damping),
			})
			l.stacks = append(l.stacks, stack{d.load, d.under})
		}
	}
	for first := 0; first < len(l.bodies); {
		last := len(l.bodies)
		for _, k := range l.bodies[first:last] {
			l.addTouching(p, w, k, last < maxLoads)
		}
		first = last
	}
	l.join()
}

// add adds a load and returns its index.
func (l *loads) add(k load) int32 {
	k.joined = int32(len(l.list))
	l.list = append(l.list, k)
	id := int(k.entity.Id())
	if id >= len(l.of) {
		l.of = append(l.of, make([]int32, id+1-len(l.of))...)
	}
	l.of[id] = k.joined
	return k.joined
}

// loadOf returns the load of an entity, or 0.
func (l *loads) loadOf(e donburi.Entity) int32 {
	if id := int(e.Id()); id < len(l.of) {
		return l.of[id]
	}
	return 0
}

// addBody adds the body of an entity, and returns its load, or 0 if it doesn't accelerate.
func (l *loads) addBody(p *Physics, w donburi.World, e donburi.Entity) int32 {
	if k := l.loadOf(e); k > 0 {
		return k
	}
	h, ok := p.bridge.Handle(e)
	inverseMass := inverseMassOf(w, e)
	if !ok || inverseMass == 0 || h.IsSurface() || p.space.SleptThrough(h.Body()) {
		return 0
	}
	entry := w.Entry(e)
	if !entry.HasComponent(components.Transform) || character.Free(lockedOf(entry), l.up) != l.up {
		return 0
	}
	forces, size := p.bridge.Forces(entry, p.config.StepSeconds)
	k := l.add(load{
		entity: e, at: components.Transform.Get(entry).Position, mass: 1 / inverseMass,
		force: l.up.Dot(forces), size: size,
	})
	l.bodies = append(l.bodies, k)
	return k
}

// addKinematic adds an entity if it is kinematic and about to change its velocity, and returns its
// load, or 0.
func (l *loads) addKinematic(p *Physics, w donburi.World, e donburi.Entity, h solver.Handle) int32 {
	entry := w.Entry(e)
	kinematic := h.IsSurface()
	if entry.HasComponent(components.Body) {
		kinematic = components.Body.Get(entry).Kind == components.Kinematic
	}
	if !kinematic || !entry.HasComponent(components.Transform) || !entry.HasComponent(components.Velocity) ||
		entry.HasComponent(components.KinematicGroup) || entry.HasComponent(components.CharacterController) {
		return 0
	}
	last, next := p.space.ObstacleOf(h).Velocity, components.Velocity.Get(entry).Linear
	gained := l.up.Dot(next.Sub(last))
	if !(math.Abs(gained) > float64(loadSlack*(next.Length()+last.Length()))) {
		return 0
	}
	return l.add(load{
		entity: e, at: components.Transform.Get(entry).Position, fixed: true, given: gained / p.config.StepSeconds,
	})
}

// addTouching adds what a body touches. What isn't known yet counts as fixed unless more is set.
func (l *loads) addTouching(p *Physics, w donburi.World, body int32, more bool) {
	h, _ := p.bridge.Handle(l.list[body].entity)
	p.space.Touching(h, func(other solver.Handle, sensor bool) bool {
		e := p.bridge.Entity(other)
		if sensor || !w.Valid(e) {
			return true
		}
		_, n := p.space.Between(h, other) // to the body
		slope := n.Dot(l.up)
		k := l.loadOf(e)
		if math.Abs(slope) < supportCosine {
			return true
		}
		if k == 0 && more {
			k = l.addBody(p, w, e)
		}
		if k == 0 {
			k = l.addKinematic(p, w, e, other)
		}
		if slope > 0 {
			l.stacks = append(l.stacks, stack{body, k})
		} else {
			l.stacks = append(l.stacks, stack{k, body})
		}
		return true
	})
}

// join joins the loads that would come closer. Where they are decides about the order, and not
// which was created first.
func (l *loads) join() {
	slices.SortFunc(l.stacks, func(a, b stack) int {
		if order := l.compare(a.above, b.above); order != 0 {
			return order
		}
		return l.compare(a.below, b.below)
	})
	for again := true; again; {
		again = false
		for _, s := range l.stacks {
			above, below := l.rootOf(s.above), l.rootOf(s.below)
			if above == below || above.fixed && below.fixed || !(below.acceleration() > above.acceleration()) {
				continue
			}
			root, other := below, above
			if above.fixed {
				root, other = above, below
			}
			other.joined = root.joined
			root.mass += other.mass
			root.force += other.force
			root.size += other.size
			again = true
		}
	}
}

// compare compares where two loads are.
func (l *loads) compare(a, b int32) int {
	x, y := &l.list[a].at, &l.list[b].at
	switch { // not cmp.Or, which would compare all of them each time
	case x.X != y.X:
		return cmp.Compare(x.X, y.X)
	case x.Y != y.Y:
		return cmp.Compare(x.Y, y.Y)
	}
	return cmp.Compare(x.Z, y.Z)
}

// rootOf returns the load to which load k has been joined.
func (l *loads) rootOf(k int32) *load {
	for l.list[k].joined != k {
		k = l.list[k].joined
	}
	return &l.list[k]
}

// acceleration returns the acceleration along up, m/s².
func (l *load) acceleration() float64 {
	if l.fixed {
		return l.given
	}
	if !(math.Abs(l.force) > float64(loadSlack*l.size)) {
		return 0 // also for a force that isn't valid
	}
	return l.force / l.mass
}
