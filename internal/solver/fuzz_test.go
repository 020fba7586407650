package solver_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/internal/solver"
	"github.com/dango-physics/dango/internal/statics"
)

// choices turns bytes into the choices that make up a scene.
type choices struct{ data []byte }

func (d *choices) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// number returns a number between -size and size. Most come from a coarse lattice, so that exact
// coincidences are frequent.
func (d *choices) number(size float64) float64 {
	k := d.byte()
	if k < 200 {
		return size * (float64(k%41) - 20) / 20
	}
	var raw [2]byte
	raw[0], raw[1] = d.byte(), d.byte()
	return size * (float64(binary.LittleEndian.Uint16(raw[:]))/32768 - 1)
}

func (d *choices) vector(size float64) collide.Vec3 {
	return collide.Vec3{X: d.number(size), Y: d.number(size), Z: d.number(size)}
}

// scene returns a scene in which nothing overlaps, and whether anything in it can add energy.
func (d *choices) scene() (w *world, driven bool) {
	w = newWorld()
	w.space.Seconds = []float64{step, 1e-3, 0.25}[d.byte()%3]
	w.space.RestSpeed = []float64{0, 0, 0.5, 5}[d.byte()%4]
	if d.byte()%4 == 0 {
		w.gravity = d.vector(20)
		driven = w.gravity != collide.Vec3{}
	}
	restitution := func() solver.Material {
		switch k := d.byte(); {
		case k < 60:
			return bouncy(0)
		case k < 120:
			return bouncy(1)
		case k < 140:
			return slippery()
		case k < 150:
			return sensor()
		default:
			return bouncy(float64(k-150) / 105)
		}
	}
	surfaces := int(d.byte() % 7)
	for range surfaces {
		n, ok := d.vector(1).Normalized()
		if !ok {
			continue
		}
		f := solver.Surface{Shape: statics.Shape{TwoSided: d.byte()%3 == 0}, Material: restitution()}
		if f.Material.Sliding {
			f.Material = bouncy(0)
		}
		kind := d.byte() % 4
		if kind == 3 && !f.Material.Sensor {
			a := d.vector(4)
			f.Capsule = collide.Capsule{A: a, B: a.Add(n), Radius: 0.5 + math.Abs(d.number(1))}
		} else if kind == 0 && !f.Material.Sensor {
			g := sheet(d.vector(4), n, 0.5+math.Abs(d.number(3)))
			f.Polygon, f.Plane, f.TwoSided = &g, g.Plane(), true // bodies may pass one-sided polygons at their edges
		} else {
			f.Plane = collide.Plane{Normal: n, Distance: -1 + d.number(4)}
		}
		if d.byte()%6 == 0 {
			f.Velocity = d.vector(20)
			driven = driven || f.Velocity != collide.Vec3{}
		}
		w.addSurface(f)
	}
	for tries := 0; len(d.data) > 0 && tries < 24; tries++ {
		b := ball{
			x: d.vector(4), v: d.vector([]float64{1, 30, 1000, 1e5}[d.byte()%4]),
			r:    []float64{0.5, 0.5, 0.1, 1, 0.01, 3}[d.byte()%6],
			mass: []float64{1, 1, 1e-3, 1e3, 2}[d.byte()%5], material: restitution(),
		}
		b.material.Locked = []uint8{0, 0, 0, 4, 1, 3}[d.byte()%6]
		switch d.byte() % 8 {
		case 0:
			b.kind, b.v, b.mass = solver.Static, collide.Vec3{}, 0
		case 1:
			b.kind, b.mass = solver.Kinematic, 0
			driven = driven || !b.material.Sensor
		}
		b.v = solver.Unlocked(b.v, b.material.Locked)
		w.balls = append(w.balls, b)
		gap, _, _ := w.overlap()
		w.balls = w.balls[:len(w.balls)-1]
		if gap <= 0 {
			w.add(b)
		}
	}
	return w, driven
}

// FuzzStep checks that every step ends, that bodies that were apart don't overlap, that no state
// becomes infinite, and that no energy is gained.
func FuzzStep(f *testing.F) {
	f.Add([]byte{0, 0, 1, 4, 10, 20, 30, 3, 130, 200, 1, 2, 3, 10, 12, 14})
	r := random(1)
	for n := range 30 {
		data := make([]byte, 40+10*n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(checkSteps)
}

func checkSteps(t *testing.T, data []byte) {
	if len(data) > 1000 {
		return
	}
	d := &choices{data}
	w, driven := d.scene()
	for k := range 4 {
		before := w.energy()
		w.step()
		for _, e := range w.space.Log() {
			if e.Approach > 1e7 {
				return // elastic impacts between closing walls: positions have errors of 1e-10 m
			}
		}
		w.checkApart(t, k)
		if w.space.Counts.Impacts > 100_000 {
			t.Fatalf("step %d: %d impacts of %d bodies", k, w.space.Counts.Impacts, len(w.balls))
		}
		if e := w.energy(); !driven && e > before*(1+1e-9) {
			t.Fatalf("step %d: energy rises from %v to %v", k, before, e)
		}
	}
}

// FuzzStep with random bytes, as a plain test.
func TestRandomScenesKeepBodiesApart(t *testing.T) {
	r := random(2)
	for range slow.Cases(1000) {
		data := make([]byte, 20+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if !t.Run("", func(t *testing.T) { checkSteps(t, data) }) {
			t.Fatalf("from %#v", data)
		}
	}
}

// checkParallelSteps makes a scene from bytes as FuzzStep does, and compares sequential and
// parallel steps.
func checkParallelSteps(t *testing.T, data []byte) {
	if len(data) < 2 || len(data) > 1000 {
		return
	}
	var worlds [3]*world
	for k := range worlds {
		w, _ := (&choices{data[2:]}).scene()
		w.space.Workers = []int{1, 2, 5}[k]
		w.space.ForceParallelFrom = 2
		worlds[k] = w
	}
	for step := range 5 {
		for k, w := range worlds {
			w.space.SetHalo(float64(data[(step+k)%2]%32) / 4)
			w.step()
			if d := worlds[0].differs(w); d != "" {
				t.Fatalf("step %d, %d workers: %s", step, w.space.Workers, d)
			}
			// Every point must be in exactly one box. The boxes of subdomains without bodies once
			// overlapped others, so that two subdomains owned the same body.
			for x := range 27 {
				p := collide.Vec3{X: float64(x%3 - 1), Y: float64(x/3%3 - 1), Z: float64(x/9 - 1)}.Scale(10)
				if n, ok := w.space.SubdomainsWith(p); ok && n != 1 {
					t.Fatalf("step %d, %d workers: %v is in the boxes of %d subdomains, want 1", step,
						w.space.Workers, p, n)
				}
			}
		}
	}
}

// FuzzParallelStep compares sequential and parallel steps of scenes made from bytes.
func FuzzParallelStep(f *testing.F) {
	slow.Skip(f, slow.Emulated, slow.Hashed)
	r := random(3)
	for n := range 30 {
		data := make([]byte, 60+15*n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(checkParallelSteps)
}

// FuzzParallelStep with random bytes, as a plain test.
func TestRandomScenesInParallel(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Hashed)
	r := random(4)
	for range slow.Cases(2000) {
		data := make([]byte, 100+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if !t.Run("", func(t *testing.T) { checkParallelSteps(t, data) }) {
			t.Fatalf("from %#v", data)
		}
	}
}
