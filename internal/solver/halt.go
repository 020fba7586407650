package solver

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// A body is halted if what pushes it and what is in its way leave it no room, or if it is jammed
// and meets something that stands still. It stops where it is for the rest of the step, and is
// immovable to all others. So nothing overlaps, and steps end.

// haltedBody is a body that was halted, and its velocity at the beginning of the next step.
type haltedBody struct {
	index    int32
	velocity collide.Vec3
}

// crushedBudget is the budget of a body that its impact has crushed.
const crushedBudget = math.MinInt32

// drivenShare is the number of impacts without loss with something kinematic that moves that count
// as one with loss. Between things that close in they have no end, and each adds energy.
const drivenShare = 128

// maxFreeRounds is the number of impacts at the same time, each caused by the one before, from
// which on an impact without loss counts as one with loss. Between two walls that it touches,
// something elastic has no end of them. With fewer, long rows of touching balls would be jams; with
// more, such a step takes longer.
const maxFreeRounds = 256

// settlingShare is how many lossy impacts one without a bounce counts as for a body in a heap that
// something immovable supports. Bodies there touch each other, so each impact causes others; the
// contacts of the next step take up the momentum better. With 1 a heap that is stirred has three
// times as many impacts. With 16 the first one halts a body, and twice as many are. In worlds with
// surfaces that yield to torque it is 1: a body that is halted there blocks them.
const settlingShare = 4

// spendBudget subtracts an impact of restitution e from the budget of body i, which is at p at time
// t. driven says that the other side is kinematic and moves. If the budget is exceeded, the body is
// jammed. A crushed body is halted.
func (s *Space) spendBudget(i int32, p collide.Vec3, t, e float64, driven bool) {
	f := &s.infos[i]
	cost := 1
	switch {
	case e < 1 || s.calendar.Round() >= maxFreeRounds:
		cost = max(1, s.MaxImpacts/s.MaxInelasticImpacts)
		if e == 0 && len(s.rotors) == 0 && s.isInHeap(i) {
			cost *= settlingShare
		}
	case driven:
		cost = max(1, s.MaxImpacts/s.MaxInelasticImpacts/drivenShare)
	}
	if f.budget == crushedBudget {
		s.halt(i, p, t)
		if s.owns(i) {
			s.Counts.SpentBudgets++
		}
	} else if f.budget >= 0 {
		if f.budget -= int32(cost); f.budget < 0 {
			s.jam(i)
			if s.isSettling(i) {
				s.halt(i, p, t)
			}
		}
	}
}

// maxMeetings bounds the groups that a jammed body may be in with what meets it again within the
// step: that many with surfaces that rotate, and a 64th of them with bodies that it overlaps.
// Without a bound a step might not end. With a smaller one, balls in a drum stop it; a larger one
// makes a step longer that has no end otherwise, and heaps of bodies that the game has put into
// each other slow.
const maxMeetings = 1024

// spendMeeting counts such a group for body i, which is jammed, and halts it if they are too many.
// overlaps says that bodies that overlap meet in it.
func (s *Space) spendMeeting(i int32, p collide.Vec3, t float64, overlaps bool) {
	f := &s.infos[i]
	f.budget--
	if overlaps {
		f.budget -= 63
	}
	if f.budget >= -maxMeetings {
		return
	}
	s.halt(i, p, t)
	if s.owns(i) {
		s.Counts.SpentBudgets++
	}
}

// lastingRestitution returns the restitution e of an impact with body i or, if that is halted, 0:
// it stands still until the end of the step only, so what bounces between it and something else is
// squeezed, too. With e, something elastic would have all of its budget there.
func (s *Space) lastingRestitution(e float64, i int32) float64 {
	if s.isHaltedDynamic(i) {
		return 0
	}
	return e
}

// jam makes body i jammed.
func (s *Space) jam(i int32) {
	s.infos[i].budget = -1
	if s.owns(i) {
		s.Counts.Jammed++
	}
}

// isSettling reports whether contacts with something immovable support the weight of body i, by
// themselves or through others. If it is jammed it is halted: it stands on things that take its
// momentum anyway, and a group would undo what the contact solver has found, so that tall columns
// never come to rest. In an island into which something moves, a halted body would stop that.
func (s *Space) isSettling(i int32) bool {
	is := s.sleepStateOf(s.infos[i].id)
	return s.isSolved(is) && is.supported && !is.driven && is.ownAcceleration != (collide.Vec3{})
}

// isInHeap reports whether body i is supported, and a contact presses it on another body. Balls on
// a table do not press on each other: halted, they would lose the momentum of a break.
func (s *Space) isInHeap(i int32) bool {
	is := s.sleepStateOf(s.infos[i].id)
	return is.pressedByBody && s.isSettling(i)
}

// halt stops body i at p for the rest of the step. It keeps its velocity for the next step, since
// the halt is no impact. What slows it down by friction turns it no more either.
func (s *Space) halt(i int32, p collide.Vec3, t float64) {
	f := &s.infos[i]
	s.haltedBodies = append(s.haltedBodies, haltedBody{i, limited(s.velocityForNextStep(i, t))})
	if !f.movesAtEndVelocity {
		s.endTurning(i, t)
	}
	s.flags[i] |= frozen
	f.slideContacts = -1 // the bodies it slid on have new impacts with it
	f.movesAtEndVelocity = false
	s.bodies[i].inverseMass = 0
	s.setAcceleration(i, collide.Vec3{})
	s.setPath(i, p, collide.Vec3{}, t)
}

// isHaltedDynamic reports whether body i is halted and dynamic. It stops what is kinematic, which
// goes through a halted kinematic body as through any other.
func (s *Space) isHaltedDynamic(i int32) bool {
	return s.flags[i]&frozen != 0 && s.infos[i].kind == Dynamic
}

// velocityForNextStep returns the velocity in the next step of body i, which is halted at time t.
//
// If the contact solver has moved the body at its velocity at the end of the step, that velocity
// contains the whole acceleration of the step. The part for the time after t is subtracted, but no
// more than what the velocity has in the direction of the acceleration.
func (s *Space) velocityForNextStep(i int32, t float64) collide.Vec3 {
	v := s.velocity(i, t)
	a, solved := s.accelerationBeforeSolving(i)
	if projection := a.Dot(v); solved && s.infos[i].movesAtEndVelocity && projection > 0 {
		v = v.AddScaled(-min(s.Seconds-t, projection/a.LengthSquared()), a)
	}
	return v
}

// blockPair halts both bodies of a pair of which neither can yield: for example, a kinematic body
// and a body that it pushes against a wall.
func (s *Space) blockPair(i, j int32, t float64) {
	for n, k := range [2]int32{i, j} {
		if s.flags[k]&frozen == 0 && s.bodies[k].v != (collide.Vec3{}) {
			if s.infos[k].kind == Kinematic {
				s.noteCrushed([2]int32{j, i}[n], s.infos[k].id, s.pathIDs[k].Key, t)
			}
			if g := s.infos[k].group; g > 0 {
				s.stopGroup(g, t)
				continue
			}
			s.halt(k, s.at(k, t), t)
			if s.owns(k) {
				s.Counts.Blocked++
			}
			s.repredict(k, t)
		}
	}
}

// crushedBody is a dynamic body that could not yield to a kinematic body or a surface that pushed
// it, and stopped it.
type crushedBody struct {
	time  float64
	key   uint32 // for ties in time
	body  int32  // id
	other int32  // id or code of what pushed
}

// noteCrushed notes that body i could not yield at time t to something kinematic that pushed it and
// has now stopped: code is its id or surface code, and key its tie-breaking key. Bodies that are
// not dynamic are not noted. Each pair is noted at most once in a step, since what pushed moves no
// more. In a parallel step, the subdomain that owns the body notes it.
func (s *Space) noteCrushed(i, code int32, key uint32, t float64) {
	if s.infos[i].kind == Dynamic && s.owns(i) {
		s.crushedBodies = append(s.crushedBodies, crushedBody{t, s.pathKey(i) + key, s.infos[i].id, code})
	}
}

// EachCrushed calls yield with each body that was crushed in the last step and with what pushed
// it, in chronological order.
func (s *Space) EachCrushed(yield func(body, other Handle)) {
	slices.SortFunc(s.crushedBodies, func(a, b crushedBody) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.key, b.key),
			cmp.Compare(a.body, b.body), cmp.Compare(b.other, a.other))
	})
	for k := range s.crushedBodies {
		yield(BodyHandle(s.crushedBodies[k].body), Handle(s.crushedBodies[k].other))
	}
}
