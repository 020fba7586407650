package solver

import (
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// newSpaceWithFloor returns a space in which bodies may sleep, with a plane as the floor, and the
// material of that.
func newSpaceWithFloor() (*Space, Material) {
	s := &Space{Settings: Settings{
		Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32, LengthUnit: 1, RestSpeed: 0.3,
		CombineRestitution: func(a, b *Material) float64 { return max(a.Restitution, b.Restitution) },
		Down:               collide.Vec3{Y: -10}, Sleeping: true,
	}}
	material := Material{Layers: 1, Mask: 1}
	s.SetSurface(s.AddSurface(), Surface{
		Shape: statics.Shape{Plane: collide.Plane{Normal: collide.Vec3{Y: 1}}}, Material: material,
	})
	return s, material
}

// Contacts keep the order in which they are solved while none begins or ends. An island that falls
// asleep ends no contact of another. If it had the others put into a new order, their last digits
// would depend on whether anything sleeps.
func TestAnIslandThatFallsAsleepDoesNotReorderTheContactsOfOthers(t *testing.T) {
	s, material := newSpaceWithFloor()
	// A ball that falls asleep, and two towers whose upper balls keep them awake.
	centers := []collide.Vec3{{X: -8, Y: 0.5}, {X: 0, Y: 0.5}, {X: 0, Y: 1.5}, {X: 4, Y: 0.5}, {X: 4, Y: 1.5}}
	for _, x := range centers {
		s.Set(s.Add(), State{Position: x}, 0.5, 1, Dynamic, material)
	}
	step := func() {
		for id := range s.index {
			s.Set(int32(id), s.State(int32(id)), 0.5, 1, Dynamic, material)
			s.Accelerate(int32(id), collide.Vec3{Y: -10})
			if id == 2 || id == 4 {
				s.KeepAwake(int32(id))
			}
		}
		s.Begin()
		s.Sweep()
		s.Finish()
	}
	order := func() (pairs [][2]int32) {
		for k := range s.solverContacts {
			if c := &s.solverContacts[k]; c.a != 0 {
				pairs = append(pairs, [2]int32{c.a, c.b})
			}
		}
		return pairs
	}
	for range 5 {
		step()
	}
	if len(order()) != 4 || s.Counts.Asleep != 0 {
		t.Fatalf("contacts %v, %d asleep", order(), s.Counts.Asleep)
	}
	// Any order will do; the opposite one is not what OrderContacts gives.
	s.clearContactLists()
	slices.Reverse(s.solverContacts)
	s.buildContactLists()
	want := order()
	for range 400 {
		step()
		if s.Counts.Asleep > 0 {
			break
		}
	}
	step()
	if got := order(); s.Counts.Asleep != 1 || !slices.Equal(got, want) {
		t.Errorf("%d asleep, the order is %v, want %v", s.Counts.Asleep, got, want)
	}
}

// A lift anywhere in the world made all that sleeps predict impacts with surfaces in each step.
// 2,000 balls asleep on terrain took 8 ms a step instead of 0.02.
func TestWhatMovesFarAwayMakesNothingThatSleepsPredictImpacts(t *testing.T) {
	s := &Space{Settings: Settings{
		Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32, LengthUnit: 1, RestSpeed: 0.3,
		CombineRestitution: func(a, b *Material) float64 { return max(a.Restitution, b.Restitution) },
		Down:               collide.Vec3{Y: -10}, Sleeping: true,
	}}
	material := Material{Layers: 1, Mask: 1}
	box := func(at, half, v collide.Vec3) {
		s.SetSurface(s.AddSurface(), Surface{
			Shape:     statics.Shape{Half: half, Offset: at, Velocity: v},
			Kinematic: v != collide.Vec3{}, Material: material,
		})
	}
	box(collide.Vec3{Y: -1}, collide.Vec3{X: 50, Y: 1, Z: 50}, collide.Vec3{})
	for k := range 9 {
		s.Set(s.Add(), State{Position: collide.Vec3{X: float64(3 * k), Y: 0.5}}, 0.5, 1, Dynamic, material)
	}
	sweep := func() (predicting int) {
		s.Begin()
		s.Sweep()
		for i := range s.bodies {
			if s.hasOwnEvents(int32(i)) {
				predicting++
			}
		}
		return predicting
	}
	for range 200 {
		sweep()
		s.Finish()
	}
	if s.Counts.Asleep != 9 {
		t.Fatalf("%d of 9 bodies sleep", s.Counts.Asleep)
	}
	box(collide.Vec3{Y: 30}, collide.Vec3{X: 1, Y: 1, Z: 1}, collide.Vec3{X: 1})
	for step := range 3 {
		if n := sweep(); n != 0 {
			t.Errorf("step %d: %d bodies predict impacts while a box moves far away", step, n)
		}
		s.Finish()
	}
	box(collide.Vec3{X: 6, Y: 20}, collide.Vec3{X: 1, Y: 1, Z: 1}, collide.Vec3{Y: -1200}) // falls on the third
	if n := sweep(); n != 1 {
		t.Errorf("%d bodies predict impacts below a box that falls, want 1", n)
	}
	s.Finish()
	if s.log.Len() == 0 {
		t.Error("the box has no impact")
	}
}

// What moves among many bodies and tiles at rest has to do with few of them. Comparing each lift
// with each body that sleeps would make 1,000 lifts among 1,000 of these take most of a tick.
func TestLiftsAmongManySleepingBodiesAreComparedWithThoseNearThem(t *testing.T) {
	s, material := newSpaceWithFloor()
	const side, lifts = 30, 25
	spot := func(n, side int) collide.Vec3 {
		return collide.Vec3{X: 60 * float64(n%side) / float64(side), Z: 60 * float64(n/side) / float64(side)}
	}
	for n := range side * side {
		x := spot(n, side)
		x.Y = 0.5
		s.Set(s.Add(), State{Position: x}, 0.5, 1, Dynamic, material)
	}
	under := int32(7) // a ball that a lift comes down on
	for n := range lifts {
		lift := Surface{Material: material, Kinematic: true}
		lift.Half, lift.Rotation = collide.Vec3{X: 1, Y: 0.1, Z: 1}, collide.Quat{W: 1}
		lift.Offset, lift.Velocity = spot(n, 5), collide.Vec3{X: 1}
		lift.Offset.Y = 20
		if n == 0 {
			lift.Offset, lift.Velocity = s.State(under).Position, collide.Vec3{Y: -1}
			lift.Offset.Y = 3
		}
		s.SetSurface(s.AddSurface(), lift)
	}
	woken := false
	for n := range 180 {
		for id := range s.index {
			s.Set(int32(id), s.State(int32(id)), 0.5, 1, Dynamic, material)
			s.Accelerate(int32(id), collide.Vec3{Y: -10})
		}
		for k := range s.surfaces { // what moves is set in each step
			if f := s.statics.At(int32(k)); n > 0 && f.Moves() {
				next := Surface{Shape: f.Shape, Material: material, Kinematic: true}
				next.Offset = next.Offset.Add(s.Travelled(int32(k)))
				s.SetSurface(int32(k), next)
			}
		}
		s.Begin()
		s.Sweep()
		s.Finish()
		if n > 40 && s.Counts.Asleep < side*side {
			woken = true
		}
		if tests := s.Counts.reachTests; tests > 3*40*lifts {
			t.Fatalf("step %d: %d tests of bodies and %d lifts, with %d asleep", n, tests, lifts, s.Counts.Asleep)
		}
	}
	if !woken {
		t.Error("the lift that comes down on a ball didn't wake it")
	}
}
