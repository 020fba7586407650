package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// While something kinematic moves, only bodies that it may meet predict impacts with surfaces. What
// comes by at any speed, is set somewhere else by the game, rotates or is a sensor has the same
// effect on bodies that sleep as on bodies that don't.
func TestWhatComesByMeetsSleepingBodiesAsItMeetsOthers(t *testing.T) {
	asleep, met := 0, 0
	for seed := range uint64(slow.Cases(3000)) {
		var logs [2][]string
		for k, noSleeping := range []bool{false, true} {
			log, slept, hits := passBy(seed, noSleeping)
			logs[k] = log
			if !noSleeping {
				asleep, met = asleep+slept, met+hits
			}
		}
		for k := range logs[0] {
			if logs[0][k] != logs[1][k] {
				t.Fatalf("seed %d, step %d, asleep and awake:\n%s\n%s", seed, k, logs[0][k], logs[1][k])
			}
		}
	}
	if asleep < 100 || met < 10 {
		t.Errorf("%d bodies slept, and %d impacts after that", asleep, met)
	}
}

// passBy lets bodies fall asleep, and then something come by. It returns where everything was after
// each step with its events, how many bodies slept, and how many impacts came after that.
func passBy(seed uint64, noSleeping bool) (log []string, asleep, met int) {
	rng := rand.New(rand.NewPCG(seed, 17))
	w := donburi.NewWorld()
	gravity := vec(0, -9.81, 0)
	if rng.IntN(4) == 0 {
		gravity = collide.Vec3{}
	}
	switch rng.IntN(3) {
	case 0:
		components.CreatePlane(w, vec(0, 0, 0), vec(0, 1, 0))
	case 1:
		components.CreateBox(w, vec(0, -1, 0), vec(20, 1, 20))
	default:
		f, err := collide.NewHeightField(vec(-20, 0, -20), 5, 5, 9, make([]float64, 81))
		if err != nil {
			panic(err)
		}
		components.CreateHeightField(w, vec(0, 0, 0), f)
	}
	var bodies []*donburi.Entry
	for k := range 4 {
		at := vec(float64(3*k-5), 0.5, rng.Float64()-0.5)
		if rng.IntN(2) == 0 {
			bodies = append(bodies, components.CreateBall(w, at, 0.5))
		} else {
			bodies = append(bodies, components.CreateCrate(w, at, vec(0.5, 0.5, 0.5)))
		}
	}
	p := systems.NewPhysics(systems.Config{Gravity: gravity, NoSleeping: noSleeping})
	for range 90 {
		p.Step(w)
	}
	asleep = p.Stats().Asleep
	start := vec(-12, 1.5*rng.Float64(), rng.Float64()-0.5)
	size := vec(0.2+rng.Float64(), 0.1+0.5*rng.Float64(), 0.2+rng.Float64())
	more := []donburi.IComponentType{components.Velocity}
	rotates := rng.IntN(4) == 0
	if rotates {
		more = append(more, components.AngularVelocity)
	}
	var passer *donburi.Entry
	switch rng.IntN(3) {
	case 0:
		passer = components.CreateBox(w, start, size, more...)
	case 1:
		passer = components.CreateCapsule(w, start, start.Add(vec(0, 0, size.Z)), size.Y, more...)
	default:
		passer = components.CreateBox(w, start, size, append(more, components.Sensor)...)
	}
	if rotates {
		components.AngularVelocity.Get(passer).Angular = vec(0, 4*rng.Float64()-2, 0)
	}
	speed := math.Pow(10, 3*rng.Float64()-1) // up to 100 m/s
	jumps := rng.IntN(3) == 0
	components.Velocity.Get(passer).Linear = vec(speed, 0, 0)
	if jumps {
		components.Velocity.Get(passer).Linear = collide.Vec3{}
	}
	for step := range 60 {
		if jumps && step%7 == 3 {
			components.Transform.Get(passer).Position = vec(14*rng.Float64()-7, 1.5*rng.Float64(), rng.Float64()-0.5)
		}
		p.Step(w)
		line := ""
		for _, e := range bodies {
			line += fmt.Sprintln(*components.Transform.Get(e), velocity(e))
		}
		for e := range p.Impacts() {
			line += fmt.Sprintln("impact", e.Time, e.A, e.B, e.Normal)
			met++
		}
		for e := range p.ContactBegins() {
			line += fmt.Sprintln("begin", e.A, e.B)
		}
		for e := range p.ContactEnds() {
			line += fmt.Sprintln("end", e.A, e.B)
		}
		log = append(log, line)
	}
	return log, asleep, met
}
