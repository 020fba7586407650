package search

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dango-physics/dango/bench/internal/verify"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// Found is a failure and the step in which it was.
type Found struct {
	Step int
	verify.Failure
}

// Result is the outcome of a scene.
type Result struct {
	Steps    int
	Found    []Found
	Impacts  int
	Compared int // steps compared with the oracle or the twin
}

// Unlimited returns the first failure that no limit allows and whose check isn't ignored.
func (r *Result) Unlimited(ignored ...string) (Found, bool) {
	for _, f := range r.Found {
		if f.Limit == "" && !slices.Contains(ignored, f.Check) {
			return f, true
		}
	}
	return Found{}, false
}

// mostImpacts is the number of impacts after which a scene ends, so that one scene doesn't take the
// time of many.
const mostImpacts = 5_000

// Run runs a scene and checks every step. It stops after the first step with a failure that no
// limit allows and whose check isn't ignored. A panic is a failure.
func Run(s *Scene, ignored ...string) (result Result) {
	defer func() {
		if r := recover(); r != nil {
			result.Found = append(result.Found, Found{result.Steps, verify.Failure{
				Check: "panic", Text: fmt.Sprint(r), A: -1, B: -1,
			}})
		}
	}()
	w := newWorld(s, nil)
	var twin *comparison
	if s.Twin != nil {
		twin = newComparison(s, newWorld(s, s.Twin))
	}
	checker := verify.NewChecker()
	for k := range s.Steps {
		var step *verify.Step
		var found []verify.Failure
		w.advance(func() { step = w.observe() }, func() {
			found = append(found, w.complete(step)...)
			if !s.Quick {
				found = append(found, checker.Check(step)...)
			}
			if s.Oracle {
				f, compared := checker.Compare(step)
				found = append(found, f...)
				if compared {
					result.Compared++
				}
			}
			if twin != nil {
				twin.record(w)
			}
			result.Impacts += len(step.Impacts)
		})
		if twin != nil {
			found = append(found, twin.step()...)
			result.Compared++
		}
		result.Steps++
		bad := false
		for _, f := range found {
			result.Found = append(result.Found, Found{k, f})
			bad = bad || f.Limit == "" && !slices.Contains(ignored, f.Check)
		}
		if bad || result.Impacts > mostImpacts {
			break
		}
	}
	return result
}

// Print runs the first steps of a scene and prints the states and impacts of each.
func Print(out io.Writer, s *Scene, steps int) {
	w := newWorld(s, nil)
	for k := range steps {
		var step *verify.Step
		w.advance(func() { step = w.observe() }, func() { w.complete(step) })
		fmt.Fprintf(out, "step %d: %d spent, %d blocked\n", k, step.Spent, step.Blocked)
		for _, t := range step.Things {
			if t.Kind != verify.Static {
				fmt.Fprintf(out, "  %d: %+v to %+v\n", t.ID, t.Start, t.End)
			}
		}
		for _, m := range step.Impacts {
			fmt.Fprintf(out, "  impact %+v\n", m)
		}
		for _, m := range step.Begins {
			fmt.Fprintf(out, "  begin of %d and %d at %v\n", m.A, m.B, m.Time)
		}
		for _, m := range step.Ends {
			fmt.Fprintf(out, "  end of %d and %d at %v\n", m.A, m.B, m.Time)
		}
	}
}

// observe describes the world at the start of a step.
func (w *world) observe() *verify.Step {
	c := w.scene.Config
	s := &verify.Step{
		Seconds: c.StepSeconds, LengthUnit: c.LengthUnit, Threshold: c.RestitutionThreshold, Gravity: vector(c.Gravity),
		TouchingGap: c.TouchingGap, Arcs: c.Parabolic,
	}
	if s.Seconds == 0 {
		s.Seconds = 1.0 / 60
	}
	if s.LengthUnit == 0 {
		s.LengthUnit = 1
	}
	if s.Threshold == 0 {
		s.Threshold = 2 * c.Gravity.Length() * s.Seconds
	}
	s.Vetoes = w.vetoes()
	for _, id := range w.live() {
		if w.things[id].Bad == "" {
			s.Things = append(s.Things, w.describe(id))
		}
	}
	return s
}

// complete adds to a step what a game sees after it, and checks the errors.
func (w *world) complete(s *verify.Step) []verify.Failure {
	for k := range s.Things {
		t := &s.Things[k]
		if _, alive := w.entities[t.ID]; !alive || w.changed[t.ID] {
			t.Changed = true
			continue
		}
		t.End = w.state(t.ID)
		if t.Character {
			t.Crushed = components.CharacterController.Get(w.w.Entry(w.entities[t.ID])).State.Crushed
		}
		if t.Rotates() {
			if o := w.things[t.ID]; o.Solid != nil {
				t.EndSolid = w.turned(o.Solid, w.rotation(t.ID))
			} else {
				t.EndParts = o.partsAt(w.rotation(t.ID))
			}
		}
		if (t.Shape == verify.Sphere || t.Shape == verify.Convex) && !w.scene.Quick {
			for at, p := range w.p.Path(w.entities[t.ID]) {
				t.Path = append(t.Path, verify.Vertex{T: at, P: vector(p)})
			}
		}
	}
	id := func(e donburi.Entity) int { return w.ids[e] }
	for m := range w.p.Impacts() {
		s.Impacts = append(s.Impacts, verify.Impact{
			A: id(m.A), B: id(m.B), Time: m.Time, Point: vector(m.Point), Normal: vector(m.Normal),
			Approach: m.Approach, Impulse: m.Impulse,
		})
	}
	for m := range w.p.ContactBegins() {
		s.Begins = append(s.Begins, verify.Contact{
			A: id(m.A), B: id(m.B), Time: m.Time, Point: vector(m.Point), Normal: vector(m.Normal), Sensor: m.Sensor,
		})
	}
	for m := range w.p.ContactEnds() {
		s.Ends = append(s.Ends, verify.Contact{A: id(m.A), B: id(m.B), Time: m.Time, Sensor: m.Sensor})
	}
	if !w.scene.Quick {
		for _, k := range w.live() {
			for c := range w.p.Contacts(w.entities[k]) {
				if !c.Sensor {
					s.Touching = append(s.Touching, [2]int{k, id(c.Other)})
				}
			}
		}
	}
	for c := range w.p.Crushed() {
		s.Crushed = append(s.Crushed, id(c.Entity))
	}
	w.pushes = w.pushesOf(s)
	w.addLifts(s)
	stats := w.p.Stats()
	s.Spent, s.Blocked = stats.Jammed+stats.SpentBudgets, stats.Blocked
	return w.errors()
}

// errors checks that physics reports what is wrong, by entity and field, and nothing else.
func (w *world) errors() []verify.Failure {
	var found []verify.Failure
	wrong := map[int]bool{}
	for e := range w.p.Errors() {
		id := w.ids[e.Entity]
		wrong[id] = true
		if t := w.things[id]; e.Entity == donburi.Null {
			text := "of the configuration: " + e.Error()
			found = append(found, verify.Failure{Check: "error", Text: text, A: -1, B: -1})
		} else if t != nil && !w.changed[id] && (t.Bad == "" || !strings.Contains(e.Error(), t.Bad+" ")) {
			found = append(found, verify.Failure{
				Check: "error", Text: fmt.Sprintf("thing %d, wrong in %q: %s", id, t.Bad, e.Error()), A: id, B: -1,
			})
		}
	}
	for _, id := range w.live() {
		if t := w.things[id]; t.Bad != "" && !wrong[id] && !w.changed[id] {
			found = append(found, verify.Failure{
				Check: "error", Text: fmt.Sprintf("thing %d has an invalid %s, and no error", id, t.Bad), A: id, B: -1,
			})
		}
	}
	return found
}
