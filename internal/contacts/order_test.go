package contacts_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/contacts"
)

// pyramid returns two pyramids of balls on a floor, and one ball by itself.
func pyramid(side int) *scene {
	s := newScene()
	s.friction = contacts.FrictionCoefficients{Static: 0.5, Dynamic: 0.4, Rolling: 0.01}
	floor := s.floor(surface{normal: collide.Vec3{Y: 1}, friction: s.friction})
	for at := range 2 {
		for layer := range side {
			for x := range side - layer {
				for z := range side - layer {
					offset := float64(layer) / 2
					s.ball(collide.Vec3{
						X: float64(x) + offset + float64(100*at),
						Y: 0.5 + float64(layer)*math.Sqrt(0.5),
						Z: float64(z) + offset,
					}, 0.5, 1+float64((x+z)%3), collide.Vec3{})
				}
			}
		}
	}
	s.ball(collide.Vec3{X: -50, Y: 0.5}, 0.5, 1, collide.Vec3{X: 1})
	for k, b := range s.bodies {
		for j := range k {
			if _, gap := s.normal(pair{j, k}); gap < 1e-6 {
				s.contact(j, k)
			}
		}
		if b.Position.Y == 0.5 {
			s.contact(k, floor)
		}
	}
	return s
}

func TestTheOrderOfContactsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 5 {
		a, b := pyramid(4), pyramid(4)
		b.order = r.Perm(max(len(b.bodies), len(b.pairs)))
		for step := range 5 {
			a.solve()
			b.solve()
			for k := range a.bodies {
				if a.velocity(k) != b.velocity(k) || a.spin(k) != b.spin(k) {
					t.Fatalf("step %d: ball %d moves at %v, or at %v", step, k, a.velocity(k), b.velocity(k))
				}
			}
			if !slices.Equal(a.history, b.history) {
				t.Fatalf("step %d: impulses differ", step)
			}
			a.move()
			b.move()
		}
	}
}

// swapped returns the same scene with the bodies created in the opposite order, so that each
// contact of two bodies has them the other way round.
func (s *scene) swapped() *scene {
	o := *s
	last := len(s.bodies) - 1
	o.bodies, o.pairs, o.history = slices.Clone(s.bodies), slices.Clone(s.pairs), slices.Clone(s.history)
	o.impulse, o.results, o.accelerations = slices.Clone(s.impulse), slices.Clone(s.results), nil
	slices.Reverse(o.bodies)
	for k := range o.bodies {
		o.bodies[k].ID = int32(k)
	}
	for k := range o.pairs {
		if p := &o.pairs[k]; p.b >= 0 {
			p.a, p.b = last-p.b, last-p.a
		} else {
			p.a = last - p.a
		}
	}
	return &o
}

// sameSwapped fails unless a scene and its swapped twin move alike for some steps.
func sameSwapped(t *testing.T, s *scene, steps int) {
	t.Helper()
	o, last := s.swapped(), len(s.bodies)-1
	for step := range steps {
		s.solve()
		o.solve()
		for k := range s.bodies {
			if s.bodies[k].InverseMass == 0 {
				continue
			}
			at, twin := s.numbers[k], o.numbers[last-k]
			v, w := s.solver.LimitMotion(at), o.solver.LimitMotion(twin)
			if v != w {
				t.Fatalf("step %d: body %d begins with %v, or with %v", step, k, v, w)
			}
			if v, w := s.velocity(k), o.velocity(last-k); v != w {
				t.Fatalf("step %d: body %d moves at %v, or at %v", step, k, v, w)
			}
			if v, w := s.spin(k), o.spin(last-k); v != w {
				t.Fatalf("step %d: body %d spins at %v, or at %v", step, k, v, w)
			}
			if v, w := s.solver.Acceleration(at), o.solver.Acceleration(twin); v != w {
				t.Fatalf("step %d: body %d accelerates by %v, or by %v", step, k, v, w)
			}
		}
		s.move()
		o.move()
	}
}

// The velocity of a ball enters an immovable one by no more than rounding, as after it has slid
// along something else.
func TestABallOnAnImmovableOneMovesAlikeWhicheverWasCreatedFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 100 {
		s := newScene()
		mu := r.Float64()
		s.friction = contacts.FrictionCoefficients{Static: mu, Dynamic: mu / 2}
		s.bodies = append(s.bodies, contacts.Body{Radius: 0.7})
		for range 1 + r.IntN(2) {
			n := direction(r)
			n.Y = math.Abs(n.Y)
			across := n.Cross(direction(r)).Scale(math.Pow(10, -20*r.Float64()))
			v := across.AddScaled(-math.Pow(2, -30-20*r.Float64())*across.SumAbs(), n)
			s.contact(0, s.ball(n.Scale(1.2), 0.5, 1, v))
		}
		if len(s.bodies) == 3 {
			s.contact(1, 2)
		}
		sameSwapped(t, s, 3)
	}
}

func TestTheEnergyThatAnIslandGainsIsTheSameSumInAnyOrderOfCreation(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 100 {
		s := tree(r, 4+r.IntN(12), contacts.FrictionCoefficients{})
		s.gravity = collide.Vec3{Y: -g}
		o := s.swapped()
		s.solve()
		o.solve()
		gain, loss := s.solver.TotalRise()
		if twin, twinLoss := o.solver.TotalRise(); gain != twin || loss != twinLoss {
			t.Fatalf("%d bodies gain %v and lose %v, or %v and %v", len(s.bodies), gain, loss, twin, twinLoss)
		}
	}
}

func TestContactsAreOrderedFromTheHighest(t *testing.T) {
	s := pyramid(4)
	s.order = rand.New(rand.NewPCG(9, 10)).Perm(max(len(s.bodies), len(s.pairs)))
	s.solve()
	last := map[int32]float64{} // by island: height of its last contact
	before := map[int32]int32{} // by island: its last constraint
	for _, k := range s.solved {
		p := s.pairs[k]
		y := s.bodies[p.a].Position.Y
		if p.b >= 0 {
			y = max(y, s.bodies[p.b].Position.Y)
		}
		island, constraint := s.solver.IslandRoot(s.numbers[p.a]), s.constraints[k]
		if high, ok := last[island]; ok && (y > high || constraint != before[island]+1) {
			t.Fatalf("constraint %d at height %v comes after constraint %d at %v", constraint, y, before[island], high)
		}
		last[island], before[island] = y, constraint
	}
	if len(last) != 3 {
		t.Errorf("%d islands, want 3", len(last))
	}
}

// A new contact of an island comes after the others, also where another island is put in order at
// the same time, whose contacts were found before.
func TestANewContactComesLastWhereAnotherIslandIsPutInOrder(t *testing.T) {
	var s contacts.Solver
	s.Reset(newScene().settings)
	var pairs []contacts.Pair
	for range 3 { // more than the second column has bodies, so that it is no chain
		pairs = append(pairs, contacts.Pair{A: 20, B: 21, Order: contacts.Ordered})
	}
	for k := range int32(40) { // two columns, the second higher up
		s.AddBody(&contacts.Body{ID: k, Position: collide.Vec3{Y: float64(k)}, Radius: 0.5, InverseMass: 1})
		order := contacts.Placed // a column that is to be put in order
		switch {
		case k == 0 || k == 20:
			continue
		case k == 39:
			order = contacts.New
		case k > 20:
			order = contacts.Ordered
		}
		s.LinkBodies(k-1, k)
		pairs = append(pairs, contacts.Pair{A: k - 1, B: k, Order: order})
	}
	s.GroupContacts(pairs)
	moves := s.OrderContacts(pairs, nil)
	if len(moves) != 20 {
		t.Fatalf("%d contacts move, want the 19 of the first column and the new one", len(moves))
	}
	last := int32(len(pairs) - 1)
	for _, m := range moves {
		if (m.From == last) != (m.To == last) {
			t.Errorf("contact %d moves to place %d, where the new one is at %d and stays", m.From, m.To, last)
		}
	}
}

// Contacts keep their places as long as few of an island are new. Where many are, and where islands
// have merged, all are put in order. So are those of a chain where one is new.
func TestContactsAreSortedWhenMoreThanAFewAreNew(t *testing.T) {
	const n = 40 // balls of a column; the contacts of ball k are above it
	solve := func(pairs []contacts.Pair, linked func(k int) bool) []contacts.Move {
		var s contacts.Solver
		s.Reset(newScene().settings)
		for k := range n {
			s.AddBody(&contacts.Body{ID: int32(k), Position: collide.Vec3{Y: float64(k)}, Radius: 0.5, InverseMass: 1})
		}
		for k := range n - 1 {
			if linked(k) {
				s.LinkBodies(int32(k), int32(k+1))
			}
		}
		s.GroupContacts(pairs)
		return slices.Clone(s.OrderContacts(pairs, nil))
	}
	column := func(order contacts.Order, heights ...int) (pairs []contacts.Pair) {
		for _, k := range heights {
			pairs = append(pairs, contacts.Pair{A: int32(k), B: int32(k + 1), Order: order})
		}
		return pairs
	}
	all := func(int) bool { return true }
	rising := make([]int, n-3)
	for k := range rising {
		rising[k] = k + 1
	}
	chain := column(contacts.Ordered, rising...)
	if moves := solve(append(chain, column(contacts.New, 0)...), all); len(moves) != len(chain)+1 {
		t.Errorf("%d contacts of a chain of %d move when one is new", len(moves), len(chain)+1)
	}
	old := append(slices.Clone(chain), column(contacts.Ordered, 1, 1, 1, 1, 1)...) // no chain
	fixed := len(old)
	if moves := solve(old, all); len(moves) != 0 {
		t.Errorf("%d contacts of an island in order move", len(moves))
	}
	added := append(old, column(contacts.New, 0, n-2)...)
	moves := solve(added, all)
	if len(moves) != 2 || moves[0].From != int32(fixed+1) || moves[0].To != int32(fixed) ||
		moves[0].Order != contacts.Placed {
		t.Errorf("of two new contacts the higher one has to come first: %+v", moves)
	}
	for k := range 2 {
		added[len(rising)-1-k].Order = contacts.New
	}
	if moves := solve(added, all); len(moves) != len(added) || moves[0].From != int32(fixed+1) || moves[0].To != 0 ||
		moves[0].Order != contacts.Ordered {
		t.Errorf("with four new contacts of %d all have to be put in order: %d move", len(added), len(moves))
	}
	two := column(contacts.Ordered, rising...)
	gap := func(k int) bool { return k != n/2 }
	two = slices.Delete(two, n/2-1, n/2)
	if moves := solve(two, gap); len(moves) != 0 {
		t.Errorf("%d contacts of two islands in order move", len(moves))
	}
	if moves := solve(two, all); len(moves) != len(two) {
		t.Errorf("%d contacts move when two islands merge, want all %d", len(moves), len(two))
	}
}

// Islands by union-find against a search through all contacts.
func TestIslandsAreConnectedComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		n := 2 + r.IntN(40)
		var s contacts.Solver
		s.Reset(newScene().settings)
		immovable := make([]bool, n)
		for k := range n {
			b := contacts.Body{ID: int32(k), Radius: 1, InverseMass: 1}
			if immovable[k] = r.IntN(5) == 0; immovable[k] {
				b.InverseMass = 0
			}
			s.AddBody(&b)
		}
		near := make([][]int, n)
		for range r.IntN(2 * n) {
			a, b := r.IntN(n), r.IntN(n)
			if a == b {
				continue
			}
			s.LinkBodies(int32(a), int32(b))
			if !immovable[a] && !immovable[b] {
				near[a], near[b] = append(near[a], b), append(near[b], a)
			}
		}
		for k := range n {
			least, queue, seen := k, []int{k}, map[int]bool{k: true}
			for len(queue) > 0 {
				at := queue[0]
				queue = queue[1:]
				least = min(least, at)
				for _, o := range near[at] {
					if !seen[o] {
						seen[o] = true
						queue = append(queue, o)
					}
				}
			}
			if got := s.IslandRoot(int32(k)); got != int32(least) {
				t.Fatalf("the root of %d is %d, want %d", k, got, least)
			}
			if s.Linked(int32(k)) != (len(near[k]) > 0) {
				t.Fatalf("%d is linked: %v, with %d neighbours", k, s.Linked(int32(k)), len(near[k]))
			}
		}
	}
}

func TestAWarmSolverAllocatesNothing(t *testing.T) {
	s := pyramid(5)
	piston := s.floor(surface{normal: collide.Vec3{X: 1}, distance: -0.5, velocity: collide.Vec3{X: 1}})
	s.contact(0, piston)
	s.solve()
	pairs := make([]contacts.Pair, len(s.pairs))
	if n := testing.AllocsPerRun(10, func() {
		c := &s.solver
		c.Reset(s.settings)
		for k := range s.bodies {
			c.AddBody(&s.bodies[k])
		}
		for k := range s.surfaces {
			key := contacts.SortKey{ID: int32(-1 - k)}
			c.AddSurface(&contacts.Surface{SortKey: key, Velocity: s.surfaces[k].velocity})
		}
		for k, p := range s.pairs {
			pairs[k] = contacts.Pair{A: s.number(p.a), B: s.number(p.b)}
			c.LinkBodies(pairs[k].A, pairs[k].B)
		}
		c.GroupContacts(pairs)
		c.OrderContacts(pairs, nil)
		for k, p := range pairs {
			n, gap := s.normal(s.pairs[k])
			c.AddContact(&contacts.Contact{A: p.A, B: p.B, Normal: n, Gap: gap, History: &s.history[k]})
		}
		c.Solve()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A heap that is thrown together comes to rest, to a velocity of exactly zero, and may sleep a step
// later.
func TestAColumnComesToRest(t *testing.T) {
	s := column(0, 1, 2, 3)
	rested, slept := 0, 0
	for step := 1; step < 100 && slept == 0; step++ {
		s.solve()
		s.move()
		at := s.numbers[0]
		if s.solver.Rests(at) && rested == 0 {
			rested = step
		}
		if s.solver.MaySleep(at) {
			slept = step
		}
	}
	if rested < 30 || slept != rested+1 {
		t.Errorf("at rest in step %d, asleep in step %d; want 30 or later, and one step later", rested, slept)
	}
	for k, b := range s.bodies {
		if b.Velocity != (collide.Vec3{}) {
			t.Errorf("ball %d moves at %v", k, b.Velocity)
		}
	}
}

// What slides down a slope, however flat, never counts as calm.
func TestWhatSlidesIsNotCalm(t *testing.T) {
	for _, angle := range []float64{1e-4, 1e-3, 0.1} {
		s := slope(angle, 0, 0, false)
		for range 40 {
			s.solve()
			b := &s.bodies[0]
			b.Velocity, b.CalmSteps = s.velocity(0), s.solver.CalmSteps(s.numbers[0])
		}
		near(t, fmt.Sprint("sloping by ", angle), s.velocity(0).X, 40*dt*g*math.Sin(angle), 40*dt*g, 1e-12)
	}
}
