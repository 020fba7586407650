package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// leads creates the leader of a kinematic group, without a collider.
func leads(w donburi.World, v collide.Vec3) *donburi.Entry {
	return spawn(w, at(0, 0, 0), moving(v.X, v.Y, v.Z))
}

// follows returns the component of a member of a leader's group.
func follows(leader *donburi.Entry) components.KinematicGroupData {
	return components.KinematicGroupData{Leader: leader.Entity()}
}

// movedAlike fails the test unless all entries have moved by the same vector since they were at
// from, up to rounding.
func movedAlike(t *testing.T, what string, entries []*donburi.Entry, from []collide.Vec3) {
	t.Helper()
	way := position(entries[0]).Sub(from[0])
	for k, e := range entries {
		if d := position(e).Sub(from[k]).Distance(way); d > 1e-13 {
			t.Fatalf("%s: member %d is %v off its place in the group", what, k, d)
		}
	}
}

func positionsOf(entries []*donburi.Entry) (all []collide.Vec3) {
	for _, e := range entries {
		all = append(all, position(e))
	}
	return all
}

// movingBox creates a box of four walls, two metres wide, that follow leader, and returns them.
func movingBox(w donburi.World, leader *donburi.Entry) (walls []*donburi.Entry) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		side := collide.Vec3{X: n.Y, Y: n.X}
		var corners []collide.Vec3
		for _, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			corners = append(corners, n.Scale(-1).AddScaled(c[0], side).AddScaled(c[1], collide.Vec3{Z: 1}))
		}
		walls = append(walls, spawn(w, at(0, 0, 0), components.PolygonColliderData{Points: corners}, follows(leader)))
	}
	return walls
}

// A box moves to the right, with a ball inside, until its left wall presses the ball against a post
// that goes through the box.
func TestWallsOfAMovingBoxStopTogetherAtACrushedBall(t *testing.T) {
	for _, speed := range []float64{0.1, 3, 1000} {
		w := donburi.NewWorld()
		leader := leads(w, vec(speed, 0, 0))
		walls := movingBox(w, leader)
		spawn(w, at(2, 0, 0), sphere(0.25), components.CollisionFilterData{Layers: 2, Mask: 1})
		b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.25)
		p := systems.NewPhysics(systems.Config{})
		all := append([]*donburi.Entry{leader}, walls...)
		start := positionsOf(all)
		blocked := 0
		for range int(2.5/speed/tick) + 60 {
			p.Step(w) // not steps: the right wall passes the post
			movedAlike(t, fmt.Sprint("speed ", speed), all, start)
			if x := position(b).X; x-0.25 < position(walls[0]).X-1-1e-9 || x > 1.5+1e-9 {
				t.Fatalf("speed %v: the ball is at %v, in the post or the wall at %v", speed, x, position(walls[0]).X-1)
			}
			if blocked = p.Stats().Blocked; blocked > 0 && len(crushed(p)[b.Entity()]) != 1 {
				t.Fatalf("speed %v: crushed: got %v, want the ball by one wall", speed, crushed(p))
			}
		}
		// The ball is between the left wall and the post: its centre is 1.5, the wall at 1.25.
		if blocked != 1 {
			t.Errorf("speed %v: %d are blocked, want 1, the group", speed, blocked)
		}
		if x := position(walls[0]).X; !near(x, 2.25, 1e-9) {
			t.Errorf("speed %v: the box moved by %v, want 2.25", speed, x)
		}
	}
}

// tile creates a square two metres wide around x on the level y.
func tile(w donburi.World, x, y float64, more ...any) *donburi.Entry {
	return spawn(w, append([]any{at(x, y, 0), components.PolygonColliderData{Points: []collide.Vec3{
		{X: -1, Z: 1}, {X: 1, Z: 1}, {X: 1, Z: -1}, {X: -1, Z: -1},
	}}}, more...)...)
}

// A lift of two tiles, of which the first leads, moves up until a ball on one of them is stopped by
// a ceiling. A ball on the other tile stays on it.
func TestTilesOfALiftStayLevelWhenOneIsBlocked(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, heap := range []bool{false, true} {
		w := donburi.NewWorld()
		left := tile(w, -1, 0, moving(0, 0.5, 0))
		right := tile(w, 1, 0, follows(left))
		tile(w, -1, 3)
		free := ball(w, vec(1, 0.5, 0), vec(0, 0, 0), 0.5)
		ball(w, vec(-1, 0.5, 0), vec(0, 0, 0), 0.5)
		room := 2.0
		if heap {
			ball(w, vec(-1, 1.5, 0), vec(0, 0, 0), 0.5)
			room = 1
		}
		p := onEarth()
		tiles := []*donburi.Entry{left, right}
		start := positionsOf(tiles)
		wasBlocked := false
		for range 400 {
			steps(t, w, p, 1)
			movedAlike(t, fmt.Sprint("heap ", heap), tiles, start)
			wasBlocked = wasBlocked || p.Stats().Blocked > 0
			if p.Stats().Blocked > 1 {
				t.Fatalf("heap %v: %d are blocked, want 1, the group", heap, p.Stats().Blocked)
			}
			if gap := position(free).Y - 0.5 - position(right).Y; gap < -1e-9 || gap > 0.025 {
				t.Fatalf("heap %v: the free ball is %v above its tile", heap, gap)
			}
			for c := range p.Crushed() {
				if c.Entity == free.Entity() {
					t.Fatalf("heap %v: the free ball is crushed by %v", heap, c.Other)
				}
			}
		}
		if gap := position(free).Y - 0.5 - position(right).Y; gap > 0.001 {
			t.Errorf("heap %v: in the end, the free ball hovers %v above its tile", heap, gap)
		}
		if y := position(left).Y; !wasBlocked || y > room+1e-9 || y < room-0.02 {
			t.Errorf("heap %v: the lift is at %v, blocked: %v; want to stop at %v", heap, y, wasBlocked, room)
		}
	}
}

// Spheres and surfaces are members of one group, led by a sphere, with every kind of
// obstacle for one of them.
func TestGroupOfSpheresAndSurfacesMovesAsOne(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for obstacle := range 4 {
		w := donburi.NewWorld()
		leader := kinematicBall(w, vec(0, 5, 0), vec(1, 0, 0), 0.5)
		group := []*donburi.Entry{
			leader,
			spawn(w, at(0, 2, 0), sphere(0.5), follows(leader)), // without a Velocity
			ball(w, vec(0, -2, 0), vec(0, 7, 0), 0.5, turning(0, 0, 3), follows(leader)),
			spawn(w, at(-1, 0, 0), plane(1, 0, 0), follows(leader)),
			tile(w, 0, 20, follows(leader)),
			spawn(w, at(0, -9, 0), capsule(vec(0, 0, 1), 0.5), follows(leader)),
		}
		heavy := []any{components.BodyData{Mass: 1e6}, components.CollisionFilterData{Layers: 2, Mask: 3}}
		switch obstacle {
		case 0: // the leader
			ball(w, vec(3, 5, 0), vec(0, 0, 0), 0.5, heavy...)
			spawn(w, at(5, 5, 0), sphere(0.5), components.CollisionFilterData{Layers: 2, Mask: 2})
		case 1: // a sphere that follows
			ball(w, vec(3, -2, 0), vec(0, 0, 0), 0.5, heavy...)
			spawn(w, at(5, -2, 0), sphere(0.5), components.CollisionFilterData{Layers: 2, Mask: 2})
		case 2: // the plane
			ball(w, vec(3, 0, 0), vec(0, 0, 0), 0.5, heavy...)
			spawn(w, at(5, 0, 0), sphere(0.5), components.CollisionFilterData{Layers: 2, Mask: 2})
		case 3: // the capsule
			ball(w, vec(3, -9, 0), vec(0, 0, 0), 0.5, heavy...)
			spawn(w, at(5, -9, 0), sphere(0.5), components.CollisionFilterData{Layers: 2, Mask: 2})
		}
		p := systems.NewPhysics(systems.Config{})
		start := positionsOf(group)
		for range 400 {
			steps(t, w, p, 1)
			movedAlike(t, fmt.Sprint("obstacle ", obstacle), group, start)
		}
		want := 3.0
		if obstacle == 2 {
			want = 4.5
		}
		if x := position(leader).X; !near(x, want, 1e-9) {
			t.Errorf("obstacle %d: moved by %v, want %v", obstacle, x, want)
		}
		if v := velocity(group[2]); v != vec(0, 7, 0) {
			t.Errorf("obstacle %d: the velocity of a member was changed to %v", obstacle, v)
		}
		if q := components.Transform.Get(group[2]).Rotation; q.W == 1 {
			t.Errorf("obstacle %d: a roller in the group does not turn", obstacle)
		}
	}
}

// Groups of several members, of which some push into a heap, give the same bits with any number of
// workers and in any order of creation.
func TestGroupsDoNotDependOnWorkersOrCreationOrder(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	run := func(workers int, backwards bool) (seen []string) {
		w := donburi.NewWorld()
		var make []func()
		named := map[string]*donburi.Entry{}
		leader := leads(w, vec(0, -0.7, 0))
		r := rand.New(rand.NewPCG(2, 7))
		jitter := func() float64 { return 0.04 * r.Float64() } // no two contacts at the same height
		for k := range 6 {
			x, jitter := float64(k)-2.5, jitter()
			make = append(make, func() {
				named[fmt.Sprint("piston ", k)] = spawn(w, at(x, 5.3+0.1*x, jitter), sphere(0.45), follows(leader))
			})
		}
		make = append(make, func() { named["lid"] = spawn(w, at(0, 6, 0), plane(0, -1, 0), follows(leader)) })
		for k := range 60 {
			at := vec(float64(k%6)*0.9-2.2+jitter(), 0.5+float64(k/12)*0.85+jitter(), float64(k/6%2)-0.5+jitter())
			make = append(make, func() { named[fmt.Sprint("ball ", k)] = ball(w, at, vec(0, 0, 0), 0.4, rough(0.3)) })
		}
		for k := range make {
			if backwards {
				k = len(make) - 1 - k
			}
			make[k]()
		}
		for _, n := range []collide.Vec3{{Y: 1}, {X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
			wall(w, n.Scale(-3*math.Abs(n.X)-math.Abs(n.Z)), n)
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), Workers: workers})
		for range 240 {
			p.Step(w)
			blocked := p.Stats().Blocked
			line := fmt.Sprint("blocked ", blocked, " leader ", position(leader))
			for k := range 6 {
				line += fmt.Sprint(" ", position(named[fmt.Sprint("piston ", k)]))
			}
			for k := range 60 {
				b := named[fmt.Sprint("ball ", k)]
				line += fmt.Sprint(" ", position(b), velocity(b))
			}
			seen = append(seen, line)
		}
		return seen
	}
	want := run(1, false)
	if !strings.Contains(strings.Join(want, "\n"), "blocked 1") {
		t.Fatal("the group was never blocked")
	}
	for _, c := range []struct {
		workers   int
		backwards bool
	}{{1, true}, {3, false}, {3, true}} {
		got := run(c.workers, c.backwards)
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("%d workers, backwards %v: step %d differs", c.workers, c.backwards, k)
			}
		}
	}
}

// Whatever is wrong with a leader is an error of the members, which take part again once it is
// corrected.
func TestErrorsOfGroupsNameMemberAndField(t *testing.T) {
	w := donburi.NewWorld()
	leader := leads(w, vec(1, 0, 0))
	gone := leads(w, vec(1, 0, 0)).Entity()
	w.Remove(gone)
	floor := spawn(w, at(0, 0, 0), plane(0, 1, 0))
	dynamic := ball(w, vec(0, 9, 0), vec(0, 0, 0), 0.5)
	broken := spawn(w, at(0, 0, 0), plane(0, 0, 0), moving(1, 0, 0))
	fast := leads(w, vec(math.Inf(1), 0, 0))
	mill := leads(w, vec(1, 0, 0))
	mill.AddComponent(components.AngularVelocity)
	components.AngularVelocity.Get(mill).Angular.Z = 1
	member := spawn(w, at(3, 0, 0), sphere(0.5), follows(leader))
	pivotless := spawn(w, moving(1, 0, 0), turning(0, 0, 1))
	p := systems.NewPhysics(systems.Config{})
	for _, c := range []struct {
		of   donburi.Entity
		want string
	}{
		{donburi.Null, "Leader (none) names no entity"},
		{gone, fmt.Sprintf("Leader (entity %d) names an entity that has been removed", gone.Id())},
		{floor.Entity(), "without a Velocity"},
		{dynamic.Entity(), "not kinematic"},
		{broken.Entity(), "with an error"},
		{fast.Entity(), "an error: Velocity.Linear {+Inf 0 0}"},
		{mill.Entity(), "Leader (rotates) can't lead a sphere"},
		{pivotless.Entity(), "an entity that rotates and has no Transform"},
		{spawn(w, at(9, 0, 0), sphere(0.5), moving(0, 0, 0), follows(leader)).Entity(), "member of another group"},
	} {
		components.KinematicGroup.Get(member).Leader = c.of
		from := position(member)
		p.Step(w)
		found := ""
		for err := range p.Errors() {
			if err.Entity == member.Entity() {
				found = err.Error()
			}
		}
		if !strings.Contains(found, "KinematicGroup.Leader") || !strings.Contains(found, c.want) {
			t.Errorf("got error %q, want %q", found, c.want)
		}
		if position(member) != from {
			t.Errorf("%s: the member moved", c.want)
		}
		components.KinematicGroup.Get(member).Leader = leader.Entity()
		p.Step(w)
		if moved := position(member).X - from.X; !near(moved, tick, 1e-12) {
			t.Errorf("%s: corrected, the member moved by %v", c.want, moved)
		}
	}
}

// pairOf returns a leader at x = 2, with a small box as its collider or without one, that turns at
// spin, and the two boxes that follow it, among others.
func pairOf(w donburi.World, collider bool, spin float64) (leader *donburi.Entry, pair []*donburi.Entry) {
	leader = spawn(w, at(2, 0, 0), moving(1, 0, 0), turning(0, 0, spin))
	if collider {
		leader.AddComponent(components.ShapeCollider)
		set(leader, components.ShapeColliderData{Shape: collide.Box{Half: vec(0.1, 0.1, 0.1)}})
	}
	for k := range 2 {
		m := components.CreateBox(w, vec(float64(4*k), 0, 0), vec(1, 1, 1), components.KinematicGroup)
		set(m, follows(leader))
		pair = append(pair, m)
	}
	for k := range 5 { // so that the tree of boxes has many nodes
		components.CreateBox(w, vec(float64(20+3*k), 0, 0), vec(1, 1, 1), components.Velocity)
	}
	return leader, pair
}

// A leader without a collider brought its members to where it was: a step never ended, or they had
// no position any more.
func TestALeaderAtNoPositionDoesNotHangTheStep(t *testing.T) {
	turned := func(q collide.Quat) components.TransformData {
		return components.TransformData{Position: vec(2, 0, 0), Rotation: q}
	}
	for _, bad := range []components.TransformData{
		at(nan, 0, 0), at(0, inf, 0), at(0, 0, -inf), at(1e300, 0, 0), at(0, 2e9, 0),
		turned(collide.Quat{Z: nan}), turned(collide.Quat{X: inf}), turned(collide.Quat{W: 2}),
	} {
		for i := range 4 {
			collider, spin := i%2 == 1, float64(i/2)
			w, p := donburi.NewWorld(), onEarth()
			leader, pair := pairOf(w, collider, spin)
			free := ball(w, vec(50, 0, 0), vec(0, 0, 0), 0.3)
			steps(t, w, p, 3)
			was, high := *components.Transform.Get(leader), position(free).Y
			before := []components.TransformData{
				*components.Transform.Get(pair[0]), *components.Transform.Get(pair[1]),
			}

			set(leader, bad)
			for range 3 {
				p.Step(w)
				errs := errorsOf(p)
				if collider && len(errs) > 0 && errs[0].Entity == leader.Entity() {
					errs = errs[1:] // of its Transform
				}
				if len(errs) != 2 {
					t.Fatalf("%v, collider %v: got errors %v, want one of each member", bad, collider, errorsOf(p))
				}
				want := fmt.Sprintf("KinematicGroup.Leader (entity %d) names an entity with an error",
					leader.Entity().Id())
				for k, m := range pair {
					if errs[k].Entity != m.Entity() || !strings.Contains(errs[k].Error(), want) {
						t.Errorf("%v, collider %v: got error %q, want %q", bad, collider, errs[k], want)
					}
					if got := *components.Transform.Get(m); got != before[k] {
						t.Errorf("%v: member %d moved from %v to %v", bad, k, before[k], got)
					}
				}
			}
			if !(position(free).Y < high) {
				t.Errorf("%v: the ball stopped at %v", bad, position(free))
			}

			set(leader, was)
			steps(t, w, p, 1)
			for k, m := range pair {
				if position(m) == before[k].Position {
					t.Errorf("%v: corrected, member %d stayed at %v", bad, k, position(m))
				}
			}
		}
	}
}

// A sphere that leads itself is on the fast path of no other. When it is given another leader, it
// follows at once, and when it leaves the group, it moves by itself.
func TestMembersMayChangeTheirGroup(t *testing.T) {
	w := donburi.NewWorld()
	a, b := leads(w, vec(1, 0, 0)), leads(w, vec(0, 2, 0))
	m := kinematicBall(w, vec(0, 0, 0), vec(0, 0, 3), 0.5, follows(a))
	p := systems.NewPhysics(systems.Config{})
	want := collide.Vec3{}
	for _, c := range []struct {
		leader *donburi.Entry
		v      collide.Vec3
	}{{a, vec(1, 0, 0)}, {m, vec(0, 0, 3)}, {b, vec(0, 2, 0)}, {m, vec(0, 0, 3)}, {nil, vec(0, 0, 3)}} {
		if c.leader != nil {
			set(m, follows(c.leader))
		} else {
			m.RemoveComponent(components.KinematicGroup)
		}
		for range 3 {
			steps(t, w, p, 1)
			want = want.AddScaled(tick, c.v)
		}
		expectPosition(t, fmt.Sprint("at ", c.v), m, want, 1e-12)
	}
}

// The parent of Donburi's features/transform may be the leader of a lift in a 2D game.
func TestLeaderAtAPositionSetByTheGameStaysThere(t *testing.T) {
	w := donburi.NewWorld()
	leader := leads(w, vec(1, 0, 0))
	m := tile(w, 0, 0, follows(leader))
	p := systems.NewPhysics(systems.Config{})
	game := newECS(w)
	p.Broadphase(game)
	components.Transform.Get(leader).Position = vec(5, 0, 0)
	p.Response(game)
	expectPosition(t, "the leader", leader, vec(5, 0, 0), 0)
	expectPosition(t, "the member", m, vec(tick, 0, 0), 1e-15)
}

// The Body of a leader without a collider was not read.
func TestLeaderWithoutAColliderStandsIfItIsStaticAndKeepsToItsAxes(t *testing.T) {
	for _, c := range []struct {
		name string
		body components.BodyData
		want collide.Vec3 // where the member is after a step
	}{
		{"kinematic", components.BodyData{Kind: components.Kinematic}, vec(tick, 2*tick, 0)},
		{"locked", components.BodyData{Kind: components.Kinematic, Locked: components.AxisX}, vec(0, 2*tick, 0)},
		{"static", components.BodyData{Kind: components.Static}, vec(0, 0, 0)},
		{"invalid", components.BodyData{Mass: -1}, vec(0, 0, 0)},
	} {
		for _, collider := range []bool{false, true} {
			w := donburi.NewWorld()
			leader := spawn(w, at(0, 0, 0), moving(1, 2, 0), c.body)
			if collider {
				leader.AddComponent(components.ShapeCollider)
				set(leader, components.ShapeColliderData{Parts: []components.ShapePart{{
					Shape: collide.Box{Half: vec(0.1, 0.1, 0.1)}, Position: vec(9, 0, 0),
				}}})
			}
			m := tile(w, 0, 0, follows(leader))
			p := systems.NewPhysics(systems.Config{})
			p.Step(w)
			name := fmt.Sprintf("%s, with a collider %v", c.name, collider)
			expectPosition(t, name+": the member", m, c.want, 1e-15)
			expectPosition(t, name+": the leader", leader, c.want, 1e-15)
			if got := p.Stats().Errors > 0; got != (c.name == "invalid") {
				t.Errorf("%s: an error is reported: %v", name, got)
			}
		}
	}
}
