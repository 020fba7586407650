package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/yohamta/donburi"
)

// takeImpacts gives characters their part of the impulses of bodies that have hit them in the step.
// The step has resolved these impacts as those with something immovable; the bodies get back what
// the character gives way. Only the last impact of a body in a step counts, since the velocity
// after another one is not that of the body any more, and those that the contact solver has solved
// for the whole step, which are logged at its start or end.
func (c *characters) takeImpacts(p *Physics, w donburi.World) {
	n := c.impacts
	for hit := range p.Impacts() {
		c.impacts++
		c.noteImpact(hit.A)
		c.noteImpact(hit.B)
	}
	for _, e := range p.space.Log() {
		if e.Kind&eventlog.Impact == 0 {
			continue
		}
		n++ // as above
		hit := p.impact(&e)
		solved := e.Kind&eventlog.Bounce == 0 && (e.Time == 0 || e.Time == p.space.Seconds)
		counts := func(e donburi.Entity) bool { return c.lastImpacts[e.Id()] == n || solved }
		if i := c.indexOf(hit.B); i >= 0 && counts(hit.A) {
			c.takeImpact(w, i, hit.A, hit.Normal.Neg(), &hit, solved)
		} else if i := c.indexOf(hit.A); i >= 0 && counts(hit.B) {
			c.takeImpact(w, i, hit.B, hit.Normal, &hit, solved)
		}
	}
}

// noteImpact notes that the last of the impacts is one of e.
func (c *characters) noteImpact(e donburi.Entity) {
	if id := int(e.Id()); id >= len(c.lastImpacts) {
		c.lastImpacts = append(c.lastImpacts, make([]uint64, id+1-len(c.lastImpacts))...)
	}
	c.lastImpacts[e.Id()] = c.impacts
}

// takeImpact is takeImpacts for one impact. The impulse on the character is along d.
func (c *characters) takeImpact(
	w donburi.World, i int, body donburi.Entity, d collide.Vec3, hit *Impact, solved bool,
) {
	k := &c.list[i]
	inverseMass := inverseMassOf(w, body)
	if inverseMass == 0 || !(hit.Approach > 0) {
		return
	}
	bodyWay := character.Free(lockedOf(w.Entry(body)), d)
	bodyYields := float64(inverseMass * bodyWay.LengthSquared())
	s := &k.data.State
	if solved && s.Ground == components.OnGround && s.GroundEntity == body {
		return // it carries the character
	}
	// The step has moved the character with the ground only.
	own := s.Velocity.Sub(s.GroundVelocity)
	total := hit.Impulse
	switch {
	case bodyYields > 0 && solved: // it doesn't bounce; the impulse may be a part, or have those of bodies behind in it
		total = hit.Approach / bodyYields
	case bodyYields > 0: // more than in an elastic impact is what others press it on the character with
		total = min(total, 2*hit.Approach/bodyYields)
	}
	impulse := float64(total * max(0, min(1, (hit.Approach-own.Dot(d))/hit.Approach)))
	way := character.Free(lockedOf(k.entry), d)
	if into := way.Dot(s.GroundNormal); s.Ground == components.OnGround && into < 0 {
		way = way.AddScaled(-into, s.GroundNormal)
	}
	yields := float64(way.LengthSquared() / k.data.Mass)
	if bodyYields+yields == 0 {
		return
	}
	impulse *= bodyYields / (bodyYields + yields)
	given := way.Scale(impulse / k.data.Mass)
	s.Velocity = s.Velocity.Add(given)
	up := upOf(k.data, c.world.p.config.Gravity)
	if s.Ground == components.OnGround && character.StaysOnGround(given, s.GroundNormal, up) {
		s.LastVelocity = s.LastVelocity.Add(given) // the game hasn't set it
		s.Walk = character.WalkAfterHit(s.Walk, own, given, s.GroundNormal, up)
	}
	v := components.Velocity.Get(w.Entry(body))
	back := total - float64(impulse)
	if bodyYields > 0 && solved { // from the velocity that it has to that which the impact leaves it
		now := v.Linear.Sub(s.GroundVelocity).Dot(d)
		back = (hit.Approach - float64(impulse*bodyYields) - now) / bodyYields
	}
	v.Linear = v.Linear.AddScaled(float64(back*inverseMass), bodyWay)
}

// lockedOf returns which axes the Body of an entity locks.
func lockedOf(e *donburi.Entry) (locked [3]bool) {
	if e.HasComponent(components.Body) {
		axes := components.Body.Get(e).Locked
		locked = [3]bool{axes&components.AxisX != 0, axes&components.AxisY != 0, axes&components.AxisZ != 0}
	}
	return locked
}

// inverseMassOf returns 1 over the mass of a dynamic entity, and 0 for others, 1/kg.
func inverseMassOf(w donburi.World, e donburi.Entity) float64 {
	if !w.Valid(e) {
		return 0
	}
	entry := w.Entry(e)
	shaped := entry.HasComponent(components.ShapeCollider) && entry.HasComponent(components.Body)
	if !shaped && !entry.HasComponent(components.SphereCollider) || !entry.HasComponent(components.Velocity) {
		return 0
	}
	if !entry.HasComponent(components.Body) {
		return 1
	}
	body := components.Body.Get(entry)
	switch {
	case body.Kind != components.Dynamic || entry.HasComponent(components.KinematicGroup):
		return 0
	case body.Mass == 0:
		return 1
	}
	return 1 / body.Mass
}
