package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// characterVisitor is a character that has moved, for the sensors that it may be in. It implements
// solver.Visitor.
type characterVisitor struct {
	world *characterWorld
	end   collide.Vec3 // where the character is
}

// findSensors finds the sensors that characters have entered or left: each has moved straight from
// where it was to where it is.
func (c *characters) findSensors(p *Physics) {
	if !p.space.HasSensors() {
		return
	}
	for i := range c.list {
		k := &c.list[i]
		handle, ok := p.bridge.Handle(k.entity)
		if !ok || p.space.Material(handle).Sensor { // it was one when the step began, which is an error
			continue
		}
		c.world.setShape(k.shape)
		c.visitor = characterVisitor{&c.world, k.end}
		path := k.shape.Bounds(k.start).Union(k.shape.Bounds(k.end))
		p.space.CompareWithSensors(handle, path, k.end.Sub(k.start), &c.visitor)
	}
}

// SensorGap implements solver.Visitor.
func (v *characterVisitor) SensorGap(h solver.Handle, shift collide.Vec3) collide.Gap {
	return v.world.gap(h, v.end.Add(shift))
}

// MeetsSensor implements solver.Visitor.
func (v *characterVisitor) MeetsSensor(
	h solver.Handle, shift, velocity collide.Vec3, seconds float64,
) (t float64, meets bool) {
	k, outcome := v.world.sweepNear(h, v.end.Add(shift), velocity, seconds)
	return k.Time, outcome != collide.Miss
}
