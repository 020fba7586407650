package bridge

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/yohamta/donburi"
)

// stepper steps worlds as systems.Physics does, without events.
type stepper struct {
	*Bridge
	ended []EndedContact // contacts that ended since the last step
	stats stats
}

// stats is what tests need to know about the last step.
type stats struct {
	solver.Counts
	bodies, errors  int
	gather, scatter time.Duration
}

// newStepper fills in the defaults of systems.Config.
func newStepper(settings Settings) *stepper {
	s := &settings.Solver
	s.Seconds = cmp.Or(s.Seconds, 1.0/60)
	s.RestSpeed = float64(2*settings.Gravity.Length()) * s.Seconds
	s.MaxInelasticImpacts, s.MaxImpacts, s.LengthUnit, s.Sleeping = 16, 16*4096, 1, true
	s.Workers = cmp.Or(s.Workers, runtime.GOMAXPROCS(0))
	return &stepper{Bridge: New(settings)}
}

// gravity returns settings with an acceleration along Y.
func gravity(y float64) (s Settings) {
	s.Gravity.Y = y
	return s
}

// withWorkers returns settings with a number of workers.
func withWorkers(n int) Settings { return Settings{Solver: solver.Settings{Workers: n}} }

func (s *stepper) step(w donburi.World) {
	uninterrupted := s.space.Stage() == solver.Idle || !s.Serves(w)
	if uninterrupted {
		s.broadphase(w, true)
	}
	s.sweep(w)
	s.respond(w, uninterrupted)
}

func (s *stepper) broadphase(w donburi.World, uninterrupted bool) {
	start := time.Now()
	s.Read(w, s.settings.Solver.Seconds, uninterrupted)
	s.stats.gather = time.Since(start)
	s.ended = append(s.ended, s.Ended()...)
	s.space.Begin()
	s.stats.bodies, s.stats.errors = s.space.Bodies(), len(s.errors)
}

func (s *stepper) sweep(w donburi.World) {
	if s.space.Stage() == solver.Idle {
		s.broadphase(w, false)
	}
	if s.space.Stage() != solver.ImpactsFound {
		s.space.Sweep()
	}
}

func (s *stepper) respond(w donburi.World, uninterrupted bool) {
	if s.space.Stage() != solver.ImpactsFound {
		s.sweep(w)
	}
	s.space.Finish()
	start := time.Now()
	s.Write(w, uninterrupted)
	s.WriteTransforms(w)
	s.stats.scatter = time.Since(start)
	s.stats.Counts = s.space.Counts
}

func (s *stepper) sync(w donburi.World) {
	if s.space.Stage() == solver.Idle {
		s.Read(w, 0, false)
		s.ended = append(s.ended, s.Ended()...)
		s.space.Sync()
	}
}

func (s *stepper) asleep(e donburi.Entity) bool {
	handle, ok := s.Handle(e)
	return ok && !handle.IsSurface() && s.space.IsAsleep(handle.Body())
}

// events returns the events of the last step as text, and of the time since the step before.
func (s *stepper) events() (all []string) {
	all = append(all, fmt.Sprint(s.ended))
	s.ended = s.ended[:0]
	for _, e := range s.space.Log() {
		a, b := s.Sides(solver.Handle(e.A), solver.Handle(e.B), e.Kind&eventlog.Sensor != 0)
		n := e.Normal
		if a != s.Entity(solver.Handle(e.A)) {
			n = n.Neg()
		}
		all = append(all, fmt.Sprint(a, b, e.Kind, e.Time, e.Point, n, e.Approach, e.Impulse))
	}
	for _, e := range s.space.Parted() {
		a, b := s.Sides(solver.Handle(e.A), solver.Handle(e.B), false)
		all = append(all, fmt.Sprint("parted", a, b))
	}
	s.space.EachCrushed(func(body, other solver.Handle) {
		all = append(all, fmt.Sprint("crushed", s.Entity(body), s.Entity(other)))
	})
	return all
}
