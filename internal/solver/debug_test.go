//go:build dangodebug

package solver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/statics"
)

// Each of these tests breaks one invariant on purpose, and expects the check that is there for it.

// pile returns a space with three balls, one on the other, on a floor, and steps until they sleep.
func pile(t *testing.T) *Space {
	t.Helper()
	s := flight()
	floor := s.AddSurface()
	s.SetSurface(floor, Surface{Shape: ground(), Material: Material{
		Layers: 1,
		Mask:   7,
	}})
	s.Down, s.Sleeping = collide.Vec3{Y: -10}, true
	for k := range 3 {
		id := s.Add()
		s.Set(id, State{Position: collide.Vec3{Y: 0.5 + float64(k)}}, 0.5, 1, Dynamic, Material{Layers: 1, Mask: 7})
	}
	for range 400 {
		beginStep(s)
		s.Sweep()
		s.Finish()
		if s.Counts.Asleep == 3 {
			return s
		}
	}
	t.Fatal("the pile does not fall asleep")
	return nil
}

// ground returns the plane y = 0.
func ground() statics.Shape {
	return statics.Shape{Plane: collide.Plane{Normal: collide.Vec3{Y: 1}}}
}

// flight returns an empty space.
func flight() *Space {
	return &Space{Settings: Settings{
		Seconds: 1.0 / 60, MaxImpacts: 32, MaxInelasticImpacts: 32, LengthUnit: 1, RestSpeed: 0.3,
		CombineRestitution: func(a, b *Material) float64 { return max(a.Restitution, b.Restitution) },
	}}
}

// beginStep begins a step under gravity.
func beginStep(s *Space) {
	for id := range s.index {
		state := s.State(int32(id))
		s.Set(int32(id), state, 0.5, 1, Dynamic, Material{Layers: 1, Mask: 7})
		s.Accelerate(int32(id), collide.Vec3{Y: -10})
	}
	s.Begin()
}

// addBall adds a ball of radius 0.5.
func addBall(s *Space, x, v collide.Vec3) int32 {
	id := s.Add()
	s.Set(id, State{x, v}, 0.5, 1, Dynamic, Material{Restitution: 1, Layers: 1, Mask: 7})
	return id
}

// wantPanic runs f and fails the test unless it panics with all of these words.
func wantPanic(t *testing.T, f func(), words ...string) {
	t.Helper()
	defer func() {
		t.Helper()
		got := recover()
		if got == nil {
			t.Fatalf("nothing noticed, want a panic with %q", words)
		}
		for _, w := range words {
			if !strings.Contains(fmt.Sprint(got), w) {
				t.Errorf("got %v, want it to contain %q", got, w)
			}
		}
		t.Log(got)
	}()
	f()
}

func TestDebugFindsABodyThatIsNotInItsCell(t *testing.T) {
	s := flight()
	for k := range 50 {
		addBall(s, collide.Vec3{X: 2 * float64(k)}, collide.Vec3{})
	}
	s.Begin()
	s.Sweep()
	s.bodies[3].x.X += 40
	wantPanic(t, s.Finish, "solver: processEvents", "grid: body", "want it in cell")
}

func TestDebugFindsABodyThatIsInNoList(t *testing.T) {
	s := flight()
	for k := range 50 {
		addBall(s, collide.Vec3{X: 2 * float64(k)}, collide.Vec3{})
	}
	for range 3 {
		s.Finish()
	}
	s.grid.Remove(7) // it is unchanged, so nothing puts it back
	wantPanic(t, s.Begin, "solver: findPairs", "body 7", "want it in the grid")
}

func TestDebugFindsAContactOfARemovedBody(t *testing.T) {
	s := pile(t)
	s.appendContact(&contact{a: 0, b: 2})
	s.flags[s.index[2]] = 0 // removed, but not in removedIDs: nothing removes its contacts
	s.freeIDs = append(s.freeIDs, 2)
	s.sleepingIslands[0].bodies, s.sleepingIslands[0].contacts = nil, nil
	wantPanic(t, s.Begin, "solver: Begin", "contact 0 is of 0 and 2")
}

func TestDebugFindsADanglingContact(t *testing.T) {
	s := pile(t)
	s.appendContact(&contact{a: 0, b: codeOf(7)})
	wantPanic(t, func() { beginStep(s) }, "solver: Begin", "contact 0 is of 0 and -9", "in the world")
}

func TestDebugFindsAContactThatIsListedTwice(t *testing.T) {
	s := pile(t)
	s.appendContact(&contact{a: 0, b: 1})
	s.appendContact(&contact{a: 0, b: 1})
	wantPanic(t, func() { beginStep(s) }, "solver: Begin", "0 and 1", "listed twice")
}

func TestDebugFindsAnEventOutOfOrder(t *testing.T) {
	s := flight()
	a := addBall(s, collide.Vec3{}, collide.Vec3{X: 1})
	b := addBall(s, collide.Vec3{X: 1.01}, collide.Vec3{})
	s.Begin()
	s.Sweep()
	i, j := s.index[a], s.index[b]
	combine := s.CombineRestitution
	s.CombineRestitution = func(m, n *Material) float64 { // in the middle of the impact
		s.calendar.Push(0.001, i, j, s.pathIDs[i].Stamp, s.pathIDs[j].Stamp, 0)
		return combine(m, n)
	}
	wantPanic(t, s.Finish, "solver: processEvents", "want times in order")
}

func TestDebugFindsAnEventOfThePathToCome(t *testing.T) {
	s := flight()
	i := s.index[addBall(s, collide.Vec3{}, collide.Vec3{X: 1})]
	s.Begin()
	s.calendar.Push(0.001, i, crossingCode, s.pathIDs[i].Stamp+1, 1, 0)
	wantPanic(t, s.Sweep, "solver: predictFirstImpacts", "stamp", "path")
}

func TestDebugFindsAnEventBeyondTheStep(t *testing.T) {
	s := flight()
	i := s.index[addBall(s, collide.Vec3{}, collide.Vec3{X: 1})]
	s.Begin()
	wantPanic(t, func() { s.calendar.Push(1, i, crossingCode, 0, 0, 0) }, "calendar: Push",
		"within a step")
}

func TestDebugFindsASleepingIslandWhoseSupportIsGone(t *testing.T) {
	s := pile(t)
	s.surfaces[0].supportsSleeper = false // forgotten: nothing wakes
	s.statics.Remove(0)
	wantPanic(t, func() { beginStep(s) }, "solver: Begin", "sleeping island 0", "want two that are in the world")
}

func TestDebugFindsASleepingIslandThatWouldFall(t *testing.T) {
	for name, plane := range map[string]collide.Plane{
		"its support is out of reach": {Normal: collide.Vec3{Y: 1}, Distance: -1},
		"its support is a slope":      {Normal: collide.Vec3{X: 0.6, Y: 0.8}, Distance: -0.1},
	} {
		t.Run(name, func(t *testing.T) {
			s := pile(t)
			s.surfaces[0].supportsSleeper = false // forgotten: nothing wakes
			s.SetSurface(0, Surface{Shape: statics.Shape{Plane: plane}, Material: Material{Layers: 1, Mask: 7}})
			wantPanic(t, func() { beginStep(s); s.Sweep(); s.Finish() },
				"solver: solvePersistentContacts", "sleeping island 0")
		})
	}
}

func TestDebugFindsASleeperThatWasMoved(t *testing.T) {
	s := pile(t)
	s.bodies[s.index[1]].x.Y += 0.25
	wantPanic(t, s.Begin, "solver: Begin", "fell asleep", "want it to stay")
}

func TestDebugFindsAnOverlap(t *testing.T) {
	s := flight()
	a := addBall(s, collide.Vec3{}, collide.Vec3{X: 1})
	b := addBall(s, collide.Vec3{X: 1.01}, collide.Vec3{})
	s.Begin()
	s.Sweep()
	i, j := s.index[a], s.index[b]
	s.pathIDs[i].Stamp++ // their impact is void, and nothing predicts it again
	s.pathIDs[j].Stamp++
	wantPanic(t, s.Finish, "solver: Finish", "overlap by", "as neither overlapped anything when the step began")
}

func TestDebugFindsAnOverlapWithASurface(t *testing.T) {
	s := flight()
	floor := s.AddSurface()
	s.SetSurface(floor, Surface{Shape: ground(), Material: Material{
		Layers: 1,
		Mask:   7,
	}})
	i := s.index[addBall(s, collide.Vec3{Y: 0.51}, collide.Vec3{Y: -1})]
	s.Begin()
	s.Sweep()
	s.pathIDs[i].Stamp++
	wantPanic(t, s.Finish, "solver: Finish", "surface 0", "overlap by")
}

func TestDebugFindsAnOverlapWithAHeightField(t *testing.T) {
	field, err := collide.NewHeightField(collide.Vec3{X: -4, Z: -4}, 1, 1, 9, make([]float64, 9*9))
	if err != nil {
		t.Fatal(err)
	}
	s := flight()
	floor := s.AddSurface()
	s.SetSurface(floor, Surface{Shape: statics.Shape{Field: field}, Material: Material{Layers: 1, Mask: 7}})
	i := s.index[addBall(s, collide.Vec3{X: 0.3, Y: 0.51, Z: 0.2}, collide.Vec3{Y: -1})]
	s.Begin()
	s.Sweep()
	s.pathIDs[i].Stamp++
	wantPanic(t, s.Finish, "solver: Finish", "surface 0", "overlap by")
}

func TestDebugFindsAnImpactThatAddsEnergy(t *testing.T) {
	s := flight()
	addBall(s, collide.Vec3{}, collide.Vec3{X: 1})
	addBall(s, collide.Vec3{X: 1.01}, collide.Vec3{})
	s.CombineRestitution = func(_, _ *Material) float64 { return 1.5 }
	wantPanic(t, s.Finish, "solver: processEvents", "adds", "want none")
}

func TestDebugFindsAFlagThatWasLeftBehind(t *testing.T) {
	s := flight()
	i := s.index[addBall(s, collide.Vec3{}, collide.Vec3{X: 1})]
	s.flags[i] |= stale
	wantPanic(t, s.Begin, "solver: Begin", "flags", "step before")
}

func TestDebugFindsAnIDThatIsFreeAndInUse(t *testing.T) {
	s := flight()
	id := addBall(s, collide.Vec3{}, collide.Vec3{X: 1})
	s.freeIDs = append(s.freeIDs, id)
	wantPanic(t, s.Begin, "solver: Begin", "id 0 is free")
}

func TestDebugFindsAnIndexThatPointsElsewhere(t *testing.T) {
	s := flight()
	addBall(s, collide.Vec3{}, collide.Vec3{X: 1})
	addBall(s, collide.Vec3{Y: 3}, collide.Vec3{X: 1})
	s.index[0] = 1
	wantPanic(t, s.Begin, "solver: Begin", "does not have index")
}

func TestDebugFindsNumbersThatAreNone(t *testing.T) {
	s := flight()
	i := s.index[addBall(s, collide.Vec3{}, collide.Vec3{X: 1})]
	s.bodies[i].v.Y /= s.bodies[i].v.Z // 0/0
	wantPanic(t, s.Begin, "solver: Begin", "want finite numbers")
}

func TestDebugFindsAContactThatPulls(t *testing.T) {
	s := pile(t)
	s.wakeIsland(0)
	s.solverContacts[0].NormalImpulse = -1
	wantPanic(t, func() { beginStep(s) }, "solver: Begin", "none negative")
}

func TestDebugFindsAStepForceOfNoBody(t *testing.T) {
	s := pile(t)
	s.AddStepForce(1, collide.Vec3{X: 1})
	s.stepForces[0].id = 2
	wantPanic(t, s.Begin, "solver: Begin", "body 1 has step force 0")
}

func TestDebugFindsASleeperUnderAnotherForce(t *testing.T) {
	s := pile(t)
	s.AddStepForce(1, collide.Vec3{X: 1})
	beginStep(s)
	s.flags[s.index[1]] |= sleeping
	wantPanic(t, s.checkGameChanges, "solver: Begin", "body 1", "under the force")
}

// The check of sleeping islands once noted in their contacts what it had found.
func TestTheCheckOfSleepersDoesNotChangeTheirContacts(t *testing.T) {
	s := pile(t)
	var want []contact
	for n := range s.sleepingIslands {
		for k := range s.sleepingIslands[n].contacts {
			c := &s.sleepingIslands[n].contacts[k]
			c.gap, c.normal, c.solverA, c.solverB = 0, collide.Vec3{}, -1, -1
			want = append(want, *c)
		}
	}
	s.checkSleepersRest("a test")
	for n := range s.sleepingIslands {
		for _, got := range s.sleepingIslands[n].contacts {
			if got != want[0] {
				t.Errorf("got %+v, want %+v", got, want[0])
			}
			want = want[1:]
		}
	}
}
