package verify

import (
	"fmt"
	"math"
)

// oracle is an event-driven engine for frictionless spheres and planes that tests all pairs with
// the formulas of a textbook. It follows the documentation: within a step bodies move along chords,
// and an impact at time t happens at the velocities of that time.
type oracle struct {
	seconds   float64
	threshold float64
	bodies    []ball
	log       [][2]int
}

// ball is a thing in the oracle.
type ball struct {
	thing *Thing
	x, v  V // where it would have been at time 0 on its present path, and its mean velocity
}

// Compare runs the oracle on a step that has just been checked, and compares the results. It
// reports false for steps for which the oracle has no answer: with contacts, friction, polygons,
// impacts that do not bounce, impacts at the same time, or motion so unstable that rounding errors
// show.
//
// Bodies that have been in contact are kept apart by the rest gap of heaps as long as they are
// close to each other (docs/limits.md, "Gaps"), so such a step has no answer either.
func (c *Checker) Compare(s *Step) ([]Failure, bool) {
	if c.rested {
		return nil, false
	}
	return compare(s)
}

// compare is Compare for things that have not been in contact.
func compare(s *Step) ([]Failure, bool) {
	if s.Spent > 0 || s.Blocked > 0 || len(s.Vetoes) > 0 {
		return nil, false
	}
	one, ok := newOracle(s, 0)
	if !ok || !one.run() {
		return nil, false
	}
	const nudge = 1e-11 // of a radius: far above rounding, far below what a fault would do
	two, _ := newOracle(s, nudge)
	if !two.run() || len(one.log) != len(two.log) {
		return nil, false
	}
	for k, pair := range one.log {
		if pair != two.log[k] {
			return nil, false
		}
	}
	var found []Failure
	fail := func(a, b int, text string) {
		found = append(found, Failure{Check: "oracle", Text: text, A: a, B: b})
	}
	type difference struct{ x, v, tolX, tolV float64 }
	all := make([]difference, len(one.bodies))
	for i, b := range one.bodies {
		t := b.thing
		if t.isImmovable() {
			continue
		}
		end, nudged := one.end(i), two.end(i)
		d := difference{
			x:    t.End.Position.Sub(end.Position).Length(),
			v:    t.End.Velocity.Sub(end.Velocity).Length(),
			tolX: 1e-9*t.Radius + 10*end.Position.Sub(nudged.Position).Length(),
			tolV: 1e-9*t.speeds(s.Seconds) + 10*end.Velocity.Sub(nudged.Velocity).Length(),
		}
		if d.tolX > 0.01*t.Radius || d.tolV > 0.01*t.speeds(s.Seconds) || slack(t, t, s.Seconds) > nudge*t.Radius {
			return nil, false
		}
		all[i] = d
	}
	same := len(one.log) == len(s.Impacts)
	for k := 0; same && k < len(one.log); k++ {
		m := &s.Impacts[k]
		a, b := one.bodies[one.log[k][0]].thing.ID, one.bodies[one.log[k][1]].thing.ID
		same = min(a, b) == min(m.A, m.B) && max(a, b) == max(m.A, m.B)
	}
	if !same {
		var want [][2]int
		for _, p := range one.log {
			want = append(want, [2]int{one.bodies[p[0]].thing.ID, one.bodies[p[1]].thing.ID})
		}
		fail(-1, -1, "the oracle has the impacts "+sprint(want)+" and physics "+sprintImpacts(s.Impacts))
		return found, true
	}
	for i, d := range all {
		if d.x > d.tolX || d.v > d.tolV {
			t := one.bodies[i].thing
			fail(t.ID, -1, fmt.Sprintf(
				"thing %d is %.3g m and %.3g m/s from the oracle's, with tolerances of %.3g and %.3g",
				t.ID, d.x, d.v, d.tolX, d.tolV))
		}
	}
	return found, true
}

// newOracle reports false if the scene has something that the oracle doesn't know.
func newOracle(s *Step, nudge float64) (*oracle, bool) {
	o := &oracle{seconds: s.Seconds, threshold: s.Threshold}
	for i := range s.Things {
		t := &s.Things[i]
		if t.Sensor {
			continue
		}
		if t.Shape == Polygon || t.Friction > 0 || t.StaticFriction > 0 || t.Sliding || t.Changed ||
			t.Shape == Plane && (!t.OneSided || t.Kind == Kinematic) {
			return nil, false
		}
		b := ball{t, t.Start.Position, V{}}
		switch {
		case t.Shape == Sphere && t.Kind == Dynamic:
			b.v = t.begin(s.Seconds).mean
			k := float64(i)
			side := V{math.Sin(k + 1), math.Sin(2*k + 2), math.Sin(3*k + 3)}
			b.x = b.x.Add(side.unlocked(t.Locked).Scale(nudge * t.Radius))
		case t.Kind == Kinematic:
			b.v = t.Start.Velocity.unlocked(t.Locked)
		}
		o.bodies = append(o.bodies, b)
	}
	for i := range o.bodies {
		for j := range i {
			a, b := o.bodies[i].thing, o.bodies[j].thing
			if a.Shape != Sphere {
				a, b = b, a
			}
			if a.Shape == Sphere && collides(a, b) {
				g := gap(a, a.Start.Position, b, b.Start.Position, 1)
				if g < 1e-6*reach(a, b) {
					return nil, false
				}
			}
		}
	}
	return o, true
}

// velocity returns the velocity of body i at time t.
func (o *oracle) velocity(i int, t float64) V {
	b := &o.bodies[i]
	if b.thing.isImmovable() {
		return b.v
	}
	return b.v.Add(b.thing.Acceleration.Scale(t - o.seconds/2))
}

// end returns the state of body i at the end of the step.
func (o *oracle) end(i int) State {
	b := &o.bodies[i]
	return State{Position: b.x.Add(b.v.Scale(o.seconds)), Velocity: o.velocity(i, o.seconds)}
}

// run processes all impacts of the step. It reports false where the oracle gives up.
func (o *oracle) run() bool {
	now := 0.0
	for len(o.log) < 200 {
		first, second := math.Inf(1), math.Inf(1)
		var a, b int
		for i := range o.bodies {
			for j := range i {
				if t := o.meet(i, j, now); t < first {
					first, second, a, b = t, first, i, j
				} else if t < second {
					second = t
				}
			}
		}
		if first > o.seconds {
			return true
		}
		if second-first < 1e-9*o.seconds {
			return false
		}
		now = first
		if !o.bounce(a, b, now) {
			return false
		}
		o.log = append(o.log, [2]int{a, b})
	}
	return false
}

// meet returns when bodies i and j touch, at time now or later, or +Inf.
func (o *oracle) meet(i, j int, now float64) float64 {
	a, b := &o.bodies[i], &o.bodies[j]
	if a.thing.Shape != Sphere {
		a, b = b, a
	}
	if a.thing.Shape != Sphere || !collides(a.thing, b.thing) {
		return math.Inf(1)
	}
	w := a.v.Sub(b.v)
	d := a.x.Sub(b.x)
	if b.thing.Shape == Plane {
		n := b.thing.Normal
		speed := w.Dot(n)
		if speed >= 0 {
			return math.Inf(1)
		}
		return max(now, (b.thing.Distance+a.thing.Radius-d.Dot(n))/speed)
	}
	d = d.Add(w.Scale(now))
	r := a.thing.Radius + b.thing.Radius
	ww, dw := w.Dot(w), d.Dot(w)
	if dw >= 0 {
		return math.Inf(1)
	}
	// the distance at which the centres pass, compared with r
	pass := d.Cross(w)
	disc := ww*r*r - pass.Dot(pass)
	if disc < 0 {
		return math.Inf(1)
	}
	c := (d.Length() - r) * (d.Length() + r)
	return now + max(0, c)/(math.Sqrt(disc)-dw)
}

// bounce resolves an impact. It reports false where the oracle gives up.
func (o *oracle) bounce(i, j int, now float64) bool {
	if o.bodies[i].thing.Shape != Sphere {
		i, j = j, i
	}
	a, b := &o.bodies[i], &o.bodies[j]
	pa, pb := a.x.Add(a.v.Scale(now)), b.x.Add(b.v.Scale(now))
	n := b.thing.Normal
	if b.thing.Shape == Sphere {
		n = pa.Sub(pb).Unit()
	}
	va, vb := o.velocity(i, now), o.velocity(j, now)
	closing := vb.Sub(va).Dot(n)
	e := restitution(a.thing, b.thing)
	gain := (a.thing.Acceleration.Length() + b.thing.Acceleration.Length()) * o.seconds
	speeds := va.Length() + vb.Length() + gain
	if e*closing < 1e-6*speeds || gain > 0 && e*closing <= speeds*1e-3+2*gain ||
		e < 1 && closing <= o.threshold*(1+1e-6) {
		return false
	}
	inverse := func(t *Thing) (V, float64) {
		if t.isImmovable() {
			return V{}, 0
		}
		free := n.unlocked(t.Locked)
		return free.Scale(1 / t.Mass), free.Dot(free) / t.Mass
	}
	da, ma := inverse(a.thing)
	db, mb := inverse(b.thing)
	if ma+mb == 0 {
		return false
	}
	impulse := (1 + e) * closing / (ma + mb)
	da, db = da.Scale(impulse), db.Scale(-impulse)
	a.v, b.v = a.v.Add(da), b.v.Add(db)
	a.x, b.x = pa.Sub(a.v.Scale(now)), pb.Sub(b.v.Scale(now))
	return true
}
