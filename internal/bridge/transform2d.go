package bridge

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
	dmath "github.com/yohamta/donburi/features/math"
	"github.com/yohamta/donburi/features/transform"
	"github.com/yohamta/donburi/filter"
)

// transformLinks ties dango's Transform to the one of Donburi's features/transform, where entities have both.
type transformLinks struct {
	seen   int     // archetypes of the world that have been looked at
	tables []int   // those whose entities have both: their places in the world's list
	moves  []shift // scratch of push
}

// shift is an entity that is to be moved to a place, or turned, or both.
type shift struct {
	entry        *donburi.Entry
	to           dmath.Vec2
	degrees      float64
	moves, turns bool
	depth        int // how many parents it has above it
}

var bothTransforms = filter.Contains(components.Transform, transform.Transform)

// learn finds the archetypes that have come into the world since the last time.
func (l *transformLinks) learn(w donburi.World) []int {
	all := w.Archetypes()
	for ; l.seen < len(all); l.seen++ {
		if bothTransforms.MatchesLayout(all[l.seen].Layout().Components()) {
			l.tables = append(l.tables, l.seen)
		}
	}
	return l.tables
}

// pullTransforms brings dango's Transforms to where Donburi's are. One that is there already keeps its digits.
func (b *Bridge) pullTransforms(w donburi.World) {
	for _, at := range b.links.learn(w) {
		table := w.Archetypes()[at]
		turns := table.Layout().HasComponent(components.PlaneCollider) || table.Layout().HasComponent(components.PolygonCollider)
		spins := table.Layout().HasComponent(components.AngularVelocity)
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
			if turns || spins && !points(entry, parent, t.Rotation) {
				t.Rotation = turned(parent.rotation + transform.GetTransform(entry).LocalRotation)
			}
		}
	}
}

// pushTransforms moves Donburi's Transforms to where dango's have come. One that the game has changed since the step began stays.
func (b *Bridge) pushTransforms(w donburi.World) {
	moves := b.links.moves[:0]
	for _, at := range b.links.learn(w) {
		for _, e := range w.Archetypes()[at].Entities() {
			handle, ok := b.registry.handle(e)
			if !ok || b.registry.records[e.Id()].kind == components.Static {
				continue
			}
			entry := w.Entry(e)
			parent, depth, ok := frame(entry)
			if !ok {
				continue
			}
			t := components.Transform.Get(entry)
			m := shift{entry: entry, depth: depth, moves: stands(entry, parent, b.began(handle))}
			if handle >= 0 && entry.HasComponent(components.AngularVelocity) {
				from := b.registry.spins[handle].rotation
				m.turns = t.Rotation != from && points(entry, parent, from)
			}
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
	// Parents first: their children are placed in relation to them.
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

// began returns where a body or surface was when the step began.
func (b *Bridge) began(handle int32) collide.Vec3 {
	if handle >= 0 {
		return b.space.StartPosition(handle)
	}
	return b.registry.sources.list[solver.Handle(handle).Surface()].transform.Position
}

// place is where an entity's parents put it.
type place struct {
	position dmath.Vec2
	rotation float64 // degrees
}

// frame returns the place that entry's position and rotation are relative to, and how many parents it has. It returns false where a parent
// has been removed from the world: then Donburi doesn't know either where the entity is.
func frame(entry *donburi.Entry) (above place, depth int, ok bool) {
	if !hasParent(entry) {
		return place{}, 0, true
	}
	parent, ok := transform.GetParent(entry)
	if !ok || !parent.HasComponent(transform.Transform) { // its number may be another entity's by now
		return place{}, 0, false
	}
	if above, depth, ok = frame(parent); !ok {
		return place{}, 0, false
	}
	t := transform.GetTransform(parent)
	return place{above.position.Add(t.LocalPosition), above.rotation + t.LocalRotation}, depth + 1, true
}

// hasParent reports whether Donburi's Transform is in relation to a parent, which may be gone. Donburi has no word for that, but the
// field that holds it is all that is left when the others are cleared.
func hasParent(entry *donburi.Entry) bool {
	t := *transform.GetTransform(entry)
	t.LocalPosition, t.LocalRotation, t.LocalScale = dmath.Vec2{}, 0, dmath.Vec2{}
	return t != transform.TransformData{}
}

// stands reports whether entry, below parent, is where q says: whether moving it there would change nothing.
func stands(entry *donburi.Entry, parent place, q collide.Vec3) bool {
	local := transform.GetTransform(entry).LocalPosition
	return local.X == q.X-parent.position.X && local.Y == q.Y-parent.position.Y
}

// points reports whether entry, below parent, is turned in the plane as q says, to rounding and full turns.
func points(entry *donburi.Entry, parent place, q collide.Quat) bool {
	const slack = 1e-9 // degrees: far above rounding, far below what can be seen
	return math.Abs(math.Remainder(parent.rotation+transform.GetTransform(entry).LocalRotation-degreesOf(q), 360)) <= slack
}

// degreesOf returns how far q turns in the plane, from X towards Y, -180 to 180. Its last digits may differ from one processor to another. Nothing that
// moves depends on it, but for walls that are children of what turns.
func degreesOf(q collide.Quat) float64 {
	if q.W < 0 {
		q.Z, q.W = -q.Z, -q.W
	}
	return 2 * math.Atan2(q.Z, q.W) * (180 / math.Pi)
}

// turned returns the rotation by that many degrees in the plane, from X towards Y.
func turned(degrees float64) collide.Quat {
	if degrees == 0 {
		return collide.Quat{W: 1}
	}
	return collide.RotationBy(collide.Vec3{Z: degrees * (math.Pi / 180)})
}
