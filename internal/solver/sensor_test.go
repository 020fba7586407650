package solver_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/eventlog"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
)

// sensorEvents returns the sensor events of body 0 in the last step as "enters N" or "leaves N",
// and their times from the beginning of the test. Surfaces have negative numbers.
func (w *world) sensorEvents(from float64) (what []string, times []float64) {
	name := map[int32]int{}
	for i, id := range w.ids {
		name[id] = i
	}
	for k, code := range w.codes {
		name[code] = -1 - k
	}
	for _, e := range w.space.Log() {
		if e.Kind&eventlog.Sensor == 0 || name[e.A] != 0 {
			continue
		}
		word := "enters"
		if e.Kind&eventlog.End != 0 {
			word = "leaves"
		}
		what = append(what, fmt.Sprintf("%s %d", word, name[e.B]))
		times = append(times, from+e.Time)
	}
	return what, times
}

func TestSensorEventTimes(t *testing.T) {
	visitor := func(x, v collide.Vec3) ball {
		return ball{x: x, v: v, r: 0.5, mass: 1, material: bouncy(1)}
	}
	sensorAt := func(x collide.Vec3) ball {
		return ball{x: x, r: 1, kind: solver.Static, material: sensor()}
	}
	x := collide.Vec3{X: 1}
	type event struct {
		what string
		at   float64
	}
	cases := []struct {
		name string
		make func() *world
		want []event
	}{
		{"straight through", func() *world {
			return newWorld(visitor(collide.Vec3{X: -3}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, []event{{"enters 1", 1.5 / 60}, {"leaves 1", 4.5 / 60}}},
		{"within one step", func() *world {
			return newWorld(visitor(collide.Vec3{X: -3}, x.Scale(6000)), sensorAt(collide.Vec3{}))
		}, []event{{"enters 1", 1.5 / 6000}, {"leaves 1", 4.5 / 6000}}},
		{"off the centre", func() *world {
			return newWorld(visitor(collide.Vec3{X: -3, Y: 0.9}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, []event{{"enters 1", 1.8 / 60}, {"leaves 1", 4.2 / 60}}},
		{"starts inside", func() *world {
			return newWorld(visitor(collide.Vec3{}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, []event{{"enters 1", 0}, {"leaves 1", 1.5 / 60}}},
		{"starts at the edge, going in", func() *world {
			return newWorld(visitor(collide.Vec3{X: -1.5}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, []event{{"enters 1", 0}, {"leaves 1", 3.0 / 60}}},
		{"starts at the edge, going out", func() *world {
			return newWorld(visitor(collide.Vec3{X: 1.5}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, nil},
		{"passes closely", func() *world {
			return newWorld(visitor(collide.Vec3{X: -3, Y: 1.5000001}, x.Scale(60)), sensorAt(collide.Vec3{}))
		}, nil},
		{"two overlapping sensors", func() *world {
			return newWorld(visitor(collide.Vec3{X: -3}, x.Scale(600)), sensorAt(collide.Vec3{}),
				sensorAt(collide.Vec3{X: 1}))
		}, []event{{"enters 1", 1.5 / 600}, {"enters 2", 2.5 / 600}, {"leaves 1", 4.5 / 600}, {"leaves 2", 5.5 / 600}}},
		{"bounces off inside and comes back out", func() *world {
			w := newWorld(visitor(collide.Vec3{X: -3}, x.Scale(600)), sensorAt(collide.Vec3{}))
			w.plane(x.Neg(), -1, bouncy(1)) // the centre reverses at 0.5
			return w
		}, []event{{"enters 1", 1.5 / 600}, {"leaves 1", 5.5 / 600}}},
		{"leaves, bounces and enters again", func() *world {
			w := newWorld(visitor(collide.Vec3{X: -3}, x.Scale(600)), sensorAt(collide.Vec3{}))
			w.plane(x.Neg(), -3, bouncy(1)) // the centre reverses at 2.5
			return w
		}, []event{{"enters 1", 1.5 / 600}, {"leaves 1", 4.5 / 600}, {"enters 1", 6.5 / 600}, {"leaves 1", 9.5 / 600}}},
		{"a sensor that moves over a resting body", func() *world {
			w := newWorld(visitor(collide.Vec3{}, collide.Vec3{}), sensorAt(collide.Vec3{X: -3}))
			w.balls[1].kind, w.balls[1].v = solver.Kinematic, x.Scale(60)
			return w
		}, []event{{"enters 1", 1.5 / 60}, {"leaves 1", 4.5 / 60}}},
		{"both move", func() *world {
			w := newWorld(visitor(collide.Vec3{X: 3}, x.Scale(-60)), sensorAt(collide.Vec3{X: -3}))
			w.balls[1].kind, w.balls[1].v = solver.Kinematic, x.Scale(60)
			return w
		}, []event{{"enters 1", 4.5 / 120}, {"leaves 1", 7.5 / 120}}},
		{"a half-space, in and out", func() *world {
			w := newWorld(visitor(collide.Vec3{X: -3}, x.Scale(60)))
			w.plane(x.Neg(), 0, sensor())
			w.plane(x.Neg(), -2, bouncy(1)) // the centre reverses at 1.5
			return w
		}, []event{{"enters -1", 2.5 / 60}, {"leaves -1", 6.5 / 60}}},
		{"a sheet", func() *world {
			w := newWorld(visitor(collide.Vec3{X: -3}, x.Scale(60)))
			w.surfaces[w.plane(x, 0, sensor())].TwoSided = true
			w.space.SetSurface(w.surface(0), w.surfaces[0])
			return w
		}, []event{{"enters -1", 2.5 / 60}, {"leaves -1", 3.5 / 60}}},
		{"a sheet that moves over a resting body", func() *world {
			w := newWorld(visitor(collide.Vec3{}, collide.Vec3{}))
			w.surfaces[w.plane(x, -2, sensor())].TwoSided = true
			w.surfaces[0].Velocity = x.Scale(60)
			return w
		}, []event{{"enters -1", 1.5 / 60}, {"leaves -1", 2.5 / 60}}},
		{"sensors don't detect each other", func() *world {
			w := newWorld(visitor(collide.Vec3{X: -3}, x.Scale(60)), sensorAt(collide.Vec3{}))
			w.balls[0].material = sensor()
			return w
		}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := c.make()
			var what []string
			var times []float64
			for k := range 10 {
				w.step()
				a, b := w.sensorEvents(float64(k) * step)
				what, times = append(what, a...), append(times, b...)
			}
			ok := len(what) == len(c.want)
			for i := 0; ok && i < len(what); i++ {
				ok = what[i] == c.want[i].what && math.Abs(times[i]-c.want[i].at) < 1e-11
			}
			if !ok {
				t.Errorf("got %v at %v, want %v", what, times, c.want)
			}
		})
	}
}

// A body flies through many sensors. Every time is compared with the interval of the pair.
func TestSensorEventTimesMatchTheClosedForm(t *testing.T) {
	r := random(5)
	for scene := range slow.Cases(300) {
		w := newWorld()
		w.space.Seconds = 0.1
		w.add(ball{
			x: within(r, collide.Vec3{X: 5, Y: 5, Z: 5}), v: direction(r, false).Scale(30 * r.Float64()),
			r: 0.3, mass: 1, material: bouncy(1),
		})
		for range 30 {
			w.add(ball{
				x: within(r, collide.Vec3{X: 5, Y: 5, Z: 5}), v: direction(r, false).Scale(30 * r.Float64()),
				r:    logUniform(r, 0.05, 2),
				kind: solver.Kinematic, material: sensor(),
			})
		}
		start := append([]ball(nil), w.balls...)
		type interval struct{ begin, end float64 }
		got := map[int]*interval{}
		const steps = 5
		for k := range steps {
			w.step()
			what, times := w.sensorEvents(float64(k) * w.space.Seconds)
			for i, word := range what {
				var name string
				var n int
				if _, err := fmt.Sscanf(word, "%s %d", &name, &n); err != nil {
					t.Fatal(err)
				}
				switch {
				case name == "enters" && got[n] == nil:
					got[n] = &interval{times[i], math.Inf(1)}
				case name == "leaves" && got[n] != nil && math.IsInf(got[n].end, 1):
					got[n].end = times[i]
				default:
					t.Fatalf("scene %d: unexpected event %s at %v", scene, word, times[i])
				}
			}
		}
		a := &start[0]
		for n := 1; n < len(start); n++ {
			b := &start[n]
			span, ok := collide.IntervalSphereSphere(collide.Sphere{Center: a.x, Radius: a.r}, a.v,
				collide.Sphere{Center: b.x, Radius: b.r}, b.v)
			horizon := steps * w.space.Seconds
			ok = ok && span.Last > 0 && span.First <= horizon
			if ok != (got[n] != nil) {
				if span.Last-span.First > 1e-9 && math.Abs(span.First-horizon) > 1e-9 && math.Abs(span.Last) > 1e-9 {
					t.Fatalf("scene %d: sensor %d visited %v, want %v in %v", scene, n, got[n] != nil, ok, span)
				}
				continue
			}
			if !ok {
				continue
			}
			end := span.Last
			if end > horizon {
				end = math.Inf(1)
			}
			if math.Abs(got[n].begin-max(0, span.First)) > 1e-10 || got[n].end != end &&
				math.Abs(got[n].end-end) > 1e-10 {
				t.Fatalf("scene %d: sensor %d visited %v, want %v", scene, n, *got[n], span)
			}
		}
	}
}

// The game moves the body between steps, and changes its layers.
func TestSensorEventsWhenTheGameMovesABody(t *testing.T) {
	w := newWorld(ball{v: collide.Vec3{Y: 0.1}, r: 0.5, mass: 1, material: bouncy(1)},
		ball{r: 1, kind: solver.Static, material: sensor()})
	var all []string
	next := func() {
		w.step()
		what, _ := w.sensorEvents(0)
		all = append(all, what...)
	}
	next()
	w.balls[0].x, w.balls[0].v = collide.Vec3{X: 1.6}, collide.Vec3{X: -12} // outside, and moving back in
	next()
	w.balls[0].material.Layers, w.balls[1].material.Mask = 2, 1 // the masks exclude each other
	next()
	w.balls[0].material.Layers = 1
	next()
	if got, want := fmt.Sprint(all), "[enters 1 leaves 1 enters 1 leaves 1 enters 1]"; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
