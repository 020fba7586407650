package bridge

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// groups are the kinematic groups of a step. Members are read after all other entities, because
// they move at their leader's velocity. They always take the slow path.
type groups struct {
	list      []group
	of        map[donburi.Entity]int32 // indices in list, by leader
	followers []groupMember
}

// group is a leader and what its members need to know of it.
type group struct {
	leader donburi.Entity
	groupMotion
	err      error         // why nothing can follow this leader
	handle   solver.Handle // of the leader, or none if it has no collider
	member   solver.Handle // a surface of the group, or none
	position collide.Vec3  // of the leader's Transform, m
	rotation collide.Quat  // of the leader's Transform
}

// groupMotion is how a group moves.
type groupMotion struct {
	velocity components.VelocityData
	turning  solver.Turning
}

// groupMember is an entity with a KinematicGroup that is not its own leader: its row of a table.
type groupMember struct {
	table, row int
	entity     donburi.Entity
	leader     donburi.Entity
}

// beginGroups forgets the groups of the last step.
func (b *Bridge) beginGroups() {
	g := &b.groups
	g.list, g.followers = g.list[:0], g.followers[:0]
	clear(g.of)
	b.space.ClearGroups()
}

// waitForLeader reports whether a row is to be read by readGroups, because it follows a leader.
func (b *Bridge) waitForLeader(table, row int, k *record) bool {
	t := &b.registry.tables[table]
	leader := get[components.KinematicGroupData](t.cols[colGroup], row).Leader
	if leader == k.entity {
		b.addGroup(leader)
		return false
	}
	b.groups.followers = append(b.groups.followers, groupMember{table, row, k.entity, leader})
	return true
}

// addGroup returns the index of the group of a leader.
func (b *Bridge) addGroup(leader donburi.Entity) int32 {
	g := &b.groups
	at, ok := g.of[leader]
	if !ok {
		if g.of == nil {
			g.of = map[donburi.Entity]int32{}
		}
		at = int32(len(g.list))
		g.of[leader] = at
		g.list = append(g.list, group{leader: leader})
	}
	return at
}

// readGroups reads the members of all groups. All leaders with a collider have been read.
func (b *Bridge) readGroups(w donburi.World, seconds float64) {
	g := &b.groups
	for _, m := range g.followers {
		b.addGroup(m.leader)
	}
	for i := range g.list {
		l := &g.list[i]
		if l.err = b.readLeader(w, l); l.err == nil && l.handle != none {
			b.join(l.handle, int32(i)+1)
		}
	}
	for _, m := range g.followers {
		at := b.addGroup(m.leader)
		l, k := &g.list[at], &b.registry.records[m.entity.Id()]
		err := l.err
		if err == nil {
			err = b.readSlowly(&b.registry.tables[m.table], m.row, k, &l.groupMotion, seconds)
		}
		b.noteError(k, err)
		if err == nil {
			k.flags |= grouped
			b.join(k.handle, at+1)
			if k.handle.IsSurface() {
				l.member = k.handle
			}
		}
	}
}

// join makes a body, or a surface with all parts of its entity, a member of a group.
func (b *Bridge) join(handle solver.Handle, group int32) {
	if !handle.IsSurface() {
		b.space.Join(handle, group)
		return
	}
	b.eachPart(handle.Surface(), func(surface int32) { b.space.Join(solver.SurfaceHandle(surface), group) })
}

// readLeader finds out how the leader of a group moves, or why nothing can follow it.
func (b *Bridge) readLeader(w donburi.World, l *group) error {
	wrong := func(reason string) error {
		return &components.FieldError{Component: "KinematicGroup", Field: "Leader", Value: l.leader, Reason: reason}
	}
	l.handle, l.member = none, none
	switch {
	case l.leader == donburi.Null:
		return wrong("names no entity")
	case !w.Valid(l.leader):
		return wrong("names an entity that has been removed")
	}
	e := w.Entry(l.leader)
	if !e.HasComponent(components.Velocity) {
		return wrong("names an entity without a Velocity")
	}
	if e.HasComponent(components.KinematicGroup) && components.KinematicGroup.Get(e).Leader != l.leader {
		return wrong("names a member of another group")
	}
	l.velocity = *components.Velocity.Get(e)
	if err := l.velocity.Validate(); err != nil {
		return wrong("names an entity with an error: " + err.Error())
	}
	l.turning = solver.Turning{}
	if e.HasComponent(components.Transform) {
		transform := components.Transform.Get(e)
		if err := transform.Validate(); err != nil { // read nowhere else if the leader has no collider
			return wrong("names an entity with an error: " + err.Error())
		}
		l.position, l.rotation = transform.Position, transform.Rotation
		if e.HasComponent(components.AngularVelocity) {
			spin := components.AngularVelocity.Get(e)
			err := spin.Validate()
			if err == nil {
				err = b.tooFast(spin.Angular)
			}
			if err != nil {
				return wrong("names an entity with an error: " + err.Error())
			}
			l.turning = turningOf(spin, transform)
		}
	} else if e.HasComponent(components.AngularVelocity) &&
		components.AngularVelocity.Get(e).Angular != (collide.Vec3{}) {
		return wrong("names an entity that rotates and has no Transform")
	}
	if hasOf(e.Archetype().Layout())&anyCollider == 0 {
		return l.applyBody(e)
	}
	k := b.registry.find(l.leader)
	switch {
	case k == nil || k.handle == none:
		return wrong("names an entity with an error")
	case !k.handle.IsSurface() && k.kind != components.Kinematic:
		return wrong("names a ball or crate that is not kinematic")
	case k.handle.IsSurface():
		f := &b.registry.surfaceState[k.handle.Surface()]
		l.velocity.Linear, l.turning = f.Velocity, f.Turning // without locked axes
	default:
		l.turning = solver.Turning{} // a sphere rotates about its centre, and the group doesn't
	}
	l.handle = k.handle
	return nil
}

// applyBody applies the Body of a leader without a collider, if it has one: what is static or has
// locked axes doesn't move so.
func (l *group) applyBody(leader *donburi.Entry) error {
	if !leader.HasComponent(components.Body) {
		return nil
	}
	body := components.Body.Get(leader)
	if err := body.Validate(); err != nil {
		return &components.FieldError{
			Component: "KinematicGroup", Field: "Leader", Value: l.leader,
			Reason: "names an entity with an error: " + err.Error(),
		}
	}
	l.velocity.Linear = solver.Unlocked(l.velocity.Linear, uint8(body.Locked))
	if body.Kind == components.Static {
		l.velocity.Linear, l.turning = collide.Vec3{}, solver.Turning{}
	}
	return nil
}

// began returns where a leader without a collider was when the step began.
func (g *groups) began(e donburi.Entity) (pose, bool) {
	at, ok := g.of[e]
	if !ok || g.list[at].err != nil || g.list[at].handle != none {
		return pose{}, false
	}
	l := &g.list[at]
	return pose{l.position, l.rotation, true}, true
}

// writeGroups writes the positions of the members of all groups, and of leaders without a collider.
func (b *Bridge) writeGroups(w donburi.World, uninterrupted bool) {
	g := &b.groups
	for _, m := range g.followers {
		k := b.registry.find(m.entity)
		transform := transformOf(w, m.entity)
		if k == nil || k.handle == none || k.flags&grouped == 0 || transform == nil {
			continue
		}
		if k.handle.IsSurface() {
			b.moveSurface(k, transform)
			continue
		}
		if uninterrupted || transform.Position.SameBits(b.space.StartPosition(k.handle.Body())) {
			transform.Position, _ = b.space.Motion(k.handle.Body())
		}
		if e := w.Entry(m.entity); e.HasComponent(components.AngularVelocity) {
			b.scatterSpin(k, transform, components.AngularVelocity.Get(e), uninterrupted)
		}
	}
	for i := range g.list {
		l := &g.list[i]
		transform := transformOf(w, l.leader)
		if l.err != nil || l.handle != none || transform == nil {
			continue
		}
		if l.turning.On && l.member != none {
			b.turnLeader(l, transform)
		} else if transform.Position == l.position {
			transform.Position = l.position.AddScaled(b.space.TravelTime(int32(i)+1), l.velocity.Linear)
		}
	}
}

// turnLeader moves and rotates the Transform of a leader without a collider as its group has.
func (b *Bridge) turnLeader(l *group, transform *components.TransformData) {
	if transform.Position == l.position {
		transform.Position = b.space.Moved(l.member.Surface(), l.position)
	}
	if turned := b.space.Turned(l.member.Surface()); turned != upright && transform.Rotation == l.rotation {
		transform.Rotation = turned.Mul(transform.Rotation).Normalized()
	}
}

// transformOf returns the Transform of an entity, or nil.
func transformOf(w donburi.World, entity donburi.Entity) *components.TransformData {
	if w.Valid(entity) {
		if e := w.Entry(entity); e.HasComponent(components.Transform) {
			return components.Transform.Get(e)
		}
	}
	return nil
}
