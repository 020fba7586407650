package solver

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A body that is halted stands still for groups of impacts, too. They gave it the part of its
// acceleration that the contact solver had left it, and a ball went 1.7e-3 radii into it.
func TestAHaltedBodyStandsStillInAGroup(t *testing.T) {
	s := &Space{}
	s.Seconds = 1.0 / 60
	id := s.Add()
	s.Set(id, State{Velocity: collide.Vec3{X: 1}}, 0.5, 1, Dynamic, Material{})
	s.needSleepStates()
	s.sleepStates[id] = sleepState{solvedInStep: s.stepNumber, leftByContacts: collide.Vec3{X: -3}, island: -1}
	s.infos[0].acceleratedByContacts, s.infos[0].movesAtEndVelocity = true, true
	s.halt(0, collide.Vec3{}, 0)
	s.resetGroup()
	if at := s.joinGroup(0, 0); s.group.bodies[at].Velocity != (collide.Vec3{}) {
		t.Errorf("it moves at %v", s.group.bodies[at].Velocity)
	}
}
