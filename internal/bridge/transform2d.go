package bridge

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
	"github.com/yohamta/donburi/filter"
)

// transformLinks finds the entities whose components.Transform is tied to Donburi's Transform:
// those that have both.
type transformLinks struct {
	seen   int     // archetypes of the world that learn has seen
	tables []int   // those whose entities have both: their indices in the world's list
	moves  []shift // scratch of pushTransforms
}

// shift is a change of an entity's Transform of Donburi: of its position, its rotation or both.
type shift struct {
	entry        *donburi.Entry
	to           dmath.Vec2
	degrees      float64
	moves, turns bool
	depth        int // how many parents it has, theirs included
}

var bothTransforms = filter.Contains(components.Transform, transform.Transform)

// learn finds the archetypes that were added to the world since the last call, and returns all
// whose entities have both Transforms.
func (l *transformLinks) learn(w donburi.World) []int {
	all := w.Archetypes()
	for ; l.seen < len(all); l.seen++ {
		if bothTransforms.MatchesLayout(all[l.seen].Layout().Components()) {
			l.tables = append(l.tables, l.seen)
		}
	}
	return l.tables
}

// pullTransforms sets components.Transform to Donburi's Transforms. One that agrees already keeps
// its digits.
func (b *Bridge) pullTransforms(w donburi.World) {
	for _, at := range b.links.learn(w) {
		table := w.Archetypes()[at]
		layout := table.Layout()
		turns := hasOf(layout)&anySurface != 0
		spins := layout.HasComponent(components.AngularVelocity)
		for _, e := range table.Entities() {
			if !e.IsReady() {
				continue
			}
			entry := w.Entry(e)
			parent, _, ok := frame(entry)
			if !ok {
				continue
			}
			t := components.Transform.Get(entry)
			if !stands(entry, parent, t.Position) {
				at := parent.position.Add(transform.GetTransform(entry).LocalPosition)
				t.Position.X, t.Position.Y = at.X, at.Y
			}
			if (turns || spins) && !points(entry, parent, t.Rotation) {
				t.Rotation = turned(parent.rotation + transform.GetTransform(entry).LocalRotation)
			}
		}
	}
}

// pushTransforms sets Donburi's Transforms to components.Transform. Those that the game has changed
// since the step began stay as they are.
func (b *Bridge) pushTransforms(w donburi.World) {
	moves := b.links.moves[:0]
	for _, at := range b.links.learn(w) {
		for _, e := range w.Archetypes()[at].Entities() {
			began, ok := b.began(e)
			if !ok {
				continue
			}
			entry := w.Entry(e)
			parent, depth, ok := frame(entry)
			if !ok {
				continue
			}
			t := components.Transform.Get(entry)
			m := shift{entry: entry, depth: depth, moves: stands(entry, parent, began.position)}
			m.turns = began.turns && (t.Rotation != began.rotation || hasParent(entry)) &&
				points(entry, parent, began.rotation)
			if m.moves {
				m.to = dmath.Vec2{X: t.Position.X, Y: t.Position.Y}
			}
			if m.turns {
				m.degrees = degreesOf(t.Rotation)
			}
			if m.moves || m.turns {
				moves = append(moves, m)
			}
		}
	}
	// Parents first, because their children's positions are relative to them.
	slices.SortStableFunc(moves, func(a, b shift) int { return cmp.Compare(a.depth, b.depth) })
	for _, m := range moves {
		if m.moves {
			transform.SetWorldPosition(m.entry, m.to)
		}
		if m.turns {
			transform.SetWorldRotation(m.entry, m.degrees)
		}
	}
	b.links.moves = moves
}

// pose is where an entity was when the step began.
type pose struct {
	position collide.Vec3
	rotation collide.Quat
	turns    bool // the step may have rotated it
}

// began returns where an entity was when the step began. It returns false if the step cannot have
// moved it.
func (b *Bridge) began(e donburi.Entity) (pose, bool) {
	handle, ok := b.registry.handle(e)
	switch {
	case !ok:
		return b.groups.began(e)
	case b.registry.records[e.Id()].kind == components.Static && !b.isCharacter(e):
		return pose{}, false
	case handle.IsSurface():
		from := &b.registry.sources.list[handle.Surface()].transform
		return pose{from.Position, from.Rotation, true}, true
	}
	p := pose{position: b.space.StartPosition(handle.Body())}
	if from := b.registry.spin(handle); from != nil && b.world.Entry(e).HasComponent(components.AngularVelocity) {
		p.rotation, p.turns = from.rotation, true
	}
	return p, true
}

// isCharacter reports whether an entity may have been moved after the step, by its controller.
func (b *Bridge) isCharacter(e donburi.Entity) bool {
	return b.world.Entry(e).HasComponent(components.CharacterController)
}

// parentFrame is the coordinate system that an entity's parents define. Scales are ignored.
type parentFrame struct {
	position dmath.Vec2
	rotation float64 // degrees
}

// frame returns the coordinate system of entry's position and rotation, and how many parents entry
// has. It returns false if a parent has been removed from the world: then Donburi doesn't know the
// entity's position either.
func frame(entry *donburi.Entry) (above parentFrame, depth int, ok bool) {
	if !hasParent(entry) {
		return parentFrame{}, 0, true
	}
	parent, ok := transform.GetParent(entry)
	if !ok || !parent.HasComponent(transform.Transform) { // its id may be another entity's by now
		return parentFrame{}, 0, false
	}
	if above, depth, ok = frame(parent); !ok {
		return parentFrame{}, 0, false
	}
	t := transform.GetTransform(parent)
	return parentFrame{above.position.Add(t.LocalPosition), above.rotation + t.LocalRotation}, depth + 1, true
}

// hasParent reports whether Donburi's Transform is relative to a parent, which may have been
// removed. Donburi has no method for that, but the field that refers to the parent is the only one
// left when all others are cleared.
func hasParent(entry *donburi.Entry) bool {
	t := *transform.GetTransform(entry)
	t.LocalPosition, t.LocalRotation, t.LocalScale = dmath.Vec2{}, 0, dmath.Vec2{}
	return t != transform.TransformData{}
}

// stands reports whether entry, in the frame of its parents, is at q exactly.
func stands(entry *donburi.Entry, parent parentFrame, q collide.Vec3) bool {
	local := transform.GetTransform(entry).LocalPosition
	return local.X == q.X-parent.position.X && local.Y == q.Y-parent.position.Y
}

// points reports whether entry, in the frame of its parents, is rotated in the plane as q says,
// apart from rounding and full turns.
func points(entry *donburi.Entry, parent parentFrame, q collide.Quat) bool {
	const slack = 1e-9 // degrees: far above rounding, far below what can be seen
	is := parent.rotation + transform.GetTransform(entry).LocalRotation
	return math.Abs(math.Remainder(is-degreesOf(q), 360)) <= slack
}

// degreesOf returns the angle in degrees by which q rotates in the plane, from X towards Y, -180 to
// 180. Its last digits may differ between processors. No motion depends on it, except of walls that
// are children of something that rotates.
func degreesOf(q collide.Quat) float64 {
	if q.W < 0 {
		q.Z, q.W = -q.Z, -q.W
	}
	return 2 * math.Atan2(q.Z, q.W) * (180 / math.Pi)
}

// turned returns the rotation by an angle in degrees in the plane, from X towards Y: NaN, which is
// reported as an error, if the angle is not finite.
func turned(degrees float64) collide.Quat {
	switch {
	case degrees == 0:
		return collide.Quat{W: 1}
	case degrees-degrees != 0:
		return collide.Quat{Z: math.NaN(), W: math.NaN()}
	}
	return collide.RotationBy(collide.Vec3{Z: degrees * (math.Pi / 180)})
}
