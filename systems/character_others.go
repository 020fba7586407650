package systems

import (
	"cmp"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/character"
)

// This file is what a character sees of other characters.

// velocityOf returns the velocity at which a character moves in the step, as far as that is known:
// one that has not moved yet may stay where its ground carries it.
func (c *characterWorld) velocityOf(k *walker) collide.Vec3 {
	if !k.moved {
		return k.carried
	}
	if k.end == k.start {
		return collide.Vec3{}
	}
	return k.end.Sub(k.start).Scale(1 / c.seconds)
}

// sweepOther sweeps the shape at p against the shape of another character at the origin.
func (c *characterWorld) sweepOther(
	k *walker, p, v collide.Vec3, seconds float64,
) (collide.Contact, collide.Outcome) {
	zero := collide.Vec3{}
	switch k.shape.Kind {
	case character.Capsule:
		if contact, found, ok := sweepParallel(&c.shape, p, v, &k.shape, seconds); ok {
			return contact, found
		}
		return c.shape.Sweep(p, v, k.shape.Capsule(zero), zero, seconds)
	case character.Box:
		return c.shape.Sweep(p, v, k.shape.Box(zero), zero, seconds)
	case character.Sphere:
	}
	return c.shape.Sweep(p, v, k.shape.Sphere(zero), zero, seconds)
}

// sweepParallel sweeps capsule a at p against capsule b at the origin. It returns false if they are
// no capsules with parallel axes. The centre of an end of a touches a longer capsule around b then
// as a ball does, which takes a fifth of the time of [collide.Sweep].
func sweepParallel(
	a *character.Shape, p, v collide.Vec3, b *character.Shape, seconds float64,
) (c collide.Contact, outcome collide.Outcome, ok bool) {
	axis, own := b.B.Sub(b.A), a.B.Sub(a.A)
	if a.Kind != character.Capsule || own.Cross(axis) != (collide.Vec3{}) || !(own.Dot(axis) > 0) {
		return c, outcome, false
	}
	ball := collide.Sphere{Center: p.Add(a.A), Radius: a.Radius}
	longer := collide.Capsule{A: b.A.Sub(own), B: b.B, Radius: b.Radius}
	c, outcome = collide.SweepSphereCapsule(ball, v, longer, collide.Vec3{}, seconds)
	if outcome == collide.Miss {
		return c, outcome, true
	}
	// The point is beside the middle of the part of b's axis that is beside that of a.
	unit, _ := axis.Normalized()
	length, from := axis.Length(), unit.Dot(c.CenterA.Sub(b.A))
	at := float64(0.5 * (max(0, min(length, from)) + max(0, min(length, from+own.Length()))))
	c.Point = b.A.AddScaled(at, unit).AddScaled(b.Radius, c.Normal)
	if outcome == collide.Overlap {
		beside := c.CenterA.AddScaled(max(0, min(own.Length(), at-from)), unit)
		depth := a.Radius - c.Normal.Dot(beside.Sub(c.Point))
		c.Point = c.Point.AddScaled(float64(-0.5*depth), c.Normal)
	}
	return c, outcome, true
}

// CastAtCharacter implements character.World.
func (c *characterWorld) CastAtCharacter(
	number int, p, v collide.Vec3, start, end float64,
) (hit collide.MoveContact, outcome collide.Outcome) {
	if !isCharacter(number) {
		return hit, collide.Miss
	}
	k := &c.all.list[number/numbers]
	own := c.velocityOf(k)
	at := k.start.AddScaled(start, own)
	contact, outcome := c.sweepOther(k, p.Sub(at), v.Sub(own), end-start)
	return collide.MoveContact{
		Time: contact.Time, Point: contact.Point.Add(at), Normal: contact.Normal, Velocity: own, Obstacle: number,
	}, outcome
}

// gapOther returns the gap between the shape at p and the shape of another character at the origin.
func (c *characterWorld) gapOther(k *walker, p collide.Vec3) collide.Gap {
	switch k.shape.Kind {
	case character.Capsule:
		return c.shape.Separation(p, k.shape.Capsule(collide.Vec3{}))
	case character.Box:
		return c.shape.Separation(p, k.shape.Box(collide.Vec3{}))
	case character.Sphere:
	}
	return c.shape.Separation(p, k.shape.Sphere(collide.Vec3{}))
}

// meeting is a contact of a character that has met another one.
type meeting struct {
	by, other int32 // indices in list
	contact   components.CharacterContact
}

// addMeetings adds the contact with a character that has met another one to the contacts of that,
// unless it has met the first one, too: so one that stands still has those that walk into it.
func (c *characters) addMeetings() {
	c.meetings = c.meetings[:0]
	for i := range c.list {
		for _, k := range c.list[i].data.State.Contacts {
			if j := c.indexOf(k.Entity); j >= 0 {
				c.meetings = append(c.meetings, meeting{int32(i), int32(j), k})
			}
		}
	}
	for n := range c.meetings {
		m := &c.meetings[n]
		by, all := &c.list[m.by], &c.list[m.other].data.State.Contacts
		if slices.ContainsFunc(*all, func(k components.CharacterContact) bool { return k.Entity == by.entity }) {
			continue
		}
		k := m.contact
		k.Entity, k.Normal, k.Velocity = by.entity, k.Normal.Neg(), by.data.State.Velocity
		at, _ := slices.BinarySearchFunc(*all, k.Time, func(k components.CharacterContact, time float64) int {
			return cmp.Or(cmp.Compare(k.Time, time), -1) // after those at the same time
		})
		*all = slices.Insert(*all, at, k)
	}
}
