package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// fails reports whether a scene has a failure of that check that no limit allows, and is valid.
func fails(s *Scene, check string, ignored []string) (step int, ok bool) {
	r := Run(s, ignored...)
	for _, f := range r.Found {
		if f.Check == "error" && check != "error" {
			return 0, false
		}
	}
	for _, f := range r.Found {
		if f.Limit == "" && f.Check == check {
			return f.Step, true
		}
	}
	return 0, false
}

// Shrink returns a smaller scene that fails the same check: with fewer things, changes, steps and
// components, and rounder numbers. It takes at most that long.
func Shrink(s *Scene, check string, most time.Duration, ignored ...string) *Scene {
	end := time.Now().Add(most)
	best := s.clone()
	overlaps := overlap(s)
	accept := func(candidate *Scene) bool {
		if time.Now().After(end) || !overlaps && overlap(candidate) {
			return false
		}
		step, ok := fails(candidate, check, ignored)
		if ok {
			candidate.Steps = step + 1
			best = candidate
		}
		return ok
	}
	if !accept(best.clone()) {
		return best // it took too long, or isn't repeatable
	}
	for again := true; again && time.Now().Before(end); {
		again = false
		for _, pass := range []func(*Scene, func(*Scene) bool) bool{
			fewerThings, later, fewerChanges, simplerConfig, simplerThings, rounder,
		} {
			again = pass(best, accept) || again
		}
	}
	return best
}

// overlap reports whether things overlap when a scene begins.
func overlap(s *Scene) bool {
	for k := range s.Things {
		if !fits(&s.Things[k], s.Things[:k], -1e-9) {
			return true
		}
	}
	return false
}

// fewerThings removes things.
func fewerThings(s *Scene, accept func(*Scene) bool) bool {
	_, better := fewer(s, func(s *Scene) *[]Thing { return &s.Things }, accept)
	return better
}

// fewerChanges removes changes and vetoes.
func fewerChanges(s *Scene, accept func(*Scene) bool) bool {
	s, better := fewer(s, func(s *Scene) *[]Change { return &s.Changes }, accept)
	_, best := fewer(s, func(s *Scene) *[]Veto { return &s.Vetoes }, accept)
	return better || best
}

// fewer removes elements of a list of a scene: halves, quarters, single ones. It returns the last
// scene that was accepted, and whether one was.
func fewer[T any](s *Scene, of func(*Scene) *[]T, accept func(*Scene) bool) (best *Scene, better bool) {
	for size := (len(*of(s)) + 1) / 2; size >= 1; size /= 2 {
		for at := 0; at < len(*of(s)); {
			c := s.clone()
			list := of(c)
			*list = slices.Delete(*list, at, min(at+size, len(*list)))
			if accept(c) {
				s, better = c, true
			} else {
				at += size
			}
		}
	}
	return s, better
}

// later begins with the state after some steps.
func later(s *Scene, accept func(*Scene) bool) bool {
	if len(s.Changes)+len(s.Vetoes) > 0 || s.Steps < 2 {
		return false
	}
	for _, skip := range []int{s.Steps - 1, s.Steps - 2, s.Steps - 3, s.Steps * 3 / 4, s.Steps / 2} {
		if skip <= 0 {
			continue
		}
		c := s.clone()
		w := newWorld(s, nil)
		if !survives(w, skip) {
			return false
		}
		for k := range c.Things {
			t := &c.Things[k]
			if e := w.w.Entry(w.entities[t.ID]); t.Bad == "" {
				t.Transform = *components.Transform.Get(e)
				if t.Velocity != nil {
					*t.Velocity = *components.Velocity.Get(e)
				}
				if t.Spin != nil {
					*t.Spin = *components.AngularVelocity.Get(e)
				}
			}
		}
		c.Steps = s.Steps - skip
		if accept(c) {
			return true
		}
	}
	return false
}

// survives runs steps, and reports whether they ended without a panic and with finite numbers.
func survives(w *world, steps int) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	for range steps {
		w.advance(func() {}, func() {})
	}
	for _, id := range w.live() {
		s := w.state(id)
		for k := range 3 {
			if s.Position[k]-s.Position[k] != 0 || s.Velocity[k]-s.Velocity[k] != 0 || s.Angular[k]-s.Angular[k] != 0 {
				return false
			}
		}
	}
	return true
}

// simplerConfig tries defaults and round values. It never goes back from a value to one that was
// simpler, so it ends.
func simplerConfig(s *Scene, accept func(*Scene) bool) (better bool) {
	list := []func(*Scene){
		func(c *Scene) { c.Mode = OneCall },
		func(c *Scene) { c.Config.RestitutionThreshold = 0 },
		func(c *Scene) { c.Config.StepSeconds = 0 },
		func(c *Scene) { c.Config.LengthUnit, c.Config.MaxImpacts = 0, 0 },
		func(c *Scene) { c.Config.TouchingGap = 0 },
		func(c *Scene) { c.Config.NoSleeping = false },
		func(c *Scene) { c.Config.Gravity = collide.Vec3{} },
		func(c *Scene) { c.Twin = nil },
		func(c *Scene) { c.Oracle = false },
	}
	if g := s.Config.Gravity; g != (collide.Vec3{}) && g != vec(0, -10, 0) {
		list = append(list, func(c *Scene) { c.Config.Gravity = vec(0, -10, 0) })
	}
	if d := s.Config.StepSeconds; d != 0 && d != 1 {
		list = append(list, func(c *Scene) { c.Config.StepSeconds = 1 })
	}
	for _, change := range list {
		c := s.clone()
		if change(c); !same(c, s) && accept(c) {
			s, better = c, true
		}
	}
	return better
}

// same reports whether two scenes are equal.
func same(a, b *Scene) bool {
	return literal(a) == literal(b)
}

// simplerThings takes components and fields away from things.
func simplerThings(s *Scene, accept func(*Scene) bool) (better bool) {
	list := []func(*Thing){
		func(t *Thing) { t.Transform.Rotation = collide.Quat{} },
		func(t *Thing) { t.Spin = nil },
		func(t *Thing) { t.Force = nil },
		func(t *Thing) { t.Filter = nil },
		func(t *Thing) { t.Belt = nil },
		func(t *Thing) { t.Sliding = false },
		func(t *Thing) { t.Material = nil },
		func(t *Thing) {
			if t.Material != nil {
				m := t.Material
				*m = components.MaterialData{Restitution: m.Restitution, Friction: m.Friction}
			}
		},
		func(t *Thing) {
			if t.Material != nil {
				*t.Material = components.MaterialData{Restitution: t.Material.Restitution}
			}
		},
		func(t *Thing) {
			if t.Material != nil && t.Material.Restitution != 1 {
				t.Material.Restitution = 0
			}
		},
		func(t *Thing) {
			if t.Body != nil {
				t.Body = &components.BodyData{Kind: t.Body.Kind, Mass: t.Body.Mass, Locked: t.Body.Locked}
			}
		},
		func(t *Thing) {
			if t.Body != nil {
				t.Body.Mass = 0
			}
		},
		func(t *Thing) {
			if t.Body != nil {
				t.Body.Locked = 0
			}
		},
		func(t *Thing) {
			// A cylinder without a Body isn't the prism that package verify takes it for.
			if t.Body != nil && *t.Body == (components.BodyData{}) && (t.Solid == nil || !t.Solid.Cylinder) {
				t.Body = nil
			}
		},
		func(t *Thing) {
			if t.Velocity != nil {
				t.Velocity.Linear = collide.Vec3{}
			}
		},
		func(t *Thing) {
			if t.Spin != nil {
				*t.Spin = components.AngularVelocityData{Angular: t.Spin.Angular}
			}
		},
		func(t *Thing) {
			if t.Spin != nil {
				t.Spin.Angular = collide.Vec3{}
			}
		},
	}
	for k := range s.Things {
		for _, change := range list {
			c := s.clone()
			if change(&c.Things[k]); !same(c, s) && accept(c) {
				s, better = c, true
			}
		}
	}
	return better
}

// rounder gives numbers fewer digits.
func rounder(s *Scene, accept func(*Scene) bool) (better bool) {
	for _, digits := range []int{0, 1, 3, 6} {
		whole := s.clone()
		for k := range whole.Things {
			for _, p := range numbers(&whole.Things[k]) {
				*p = round(*p, digits)
			}
		}
		if !same(whole, s) && accept(whole) {
			return true
		}
		for k := range s.Things {
			for n := range numbers(&s.Things[k]) {
				c := s.clone()
				p := numbers(&c.Things[k])[n]
				if r := round(*p, digits); r != *p {
					if *p = r; accept(c) {
						s, better = c, true
					}
				}
			}
		}
	}
	return better
}

// round gives x that many significant digits.
func round(x float64, digits int) float64 {
	if digits == 0 {
		return math.Round(x) + 0 // no -0
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return x
	}
	return r + 0
}

// numbers returns the numbers of a thing that may be rounded.
func numbers(t *Thing) []*float64 {
	var list []*float64
	add := func(v *collide.Vec3) { list = append(list, &v.X, &v.Y, &v.Z) }
	add(&t.Transform.Position)
	if t.Velocity != nil {
		add(&t.Velocity.Linear)
	}
	if t.Sphere != nil {
		list = append(list, &t.Sphere.Radius)
	}
	if t.Plane != nil {
		add(&t.Plane.Normal)
		list = append(list, &t.Plane.Distance)
	}
	if t.Body != nil {
		list = append(list, &t.Body.Mass)
	}
	if t.Material != nil {
		list = append(list, &t.Material.Restitution, &t.Material.Friction)
	}
	if t.Spin != nil {
		add(&t.Spin.Angular)
	}
	return list
}

// Seeded is the random source of a run's scene number n.
func Seeded(seed uint64, n int) uint64 {
	return rand.New(rand.NewPCG(seed, uint64(n))).Uint64() >> 12 // fits into a JSON number
}
