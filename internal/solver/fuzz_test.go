package solver_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/solver"
)

// dice makes choices from bytes.
type dice struct{ data []byte }

func (d *dice) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// number returns one of a few numbers that like to meet exactly, or any within size.
func (d *dice) number(size float64) float64 {
	k := d.byte()
	if k < 200 {
		return size * (float64(k%41) - 20) / 20
	}
	var raw [2]byte
	raw[0], raw[1] = d.byte(), d.byte()
	return size * (float64(binary.LittleEndian.Uint16(raw[:]))/32768 - 1)
}

func (d *dice) vector(size float64) collide.Vec3 {
	return collide.Vec3{X: d.number(size), Y: d.number(size), Z: d.number(size)}
}

// scene reads a scene in which nothing overlaps, and whether anything in it can add energy.
func (d *dice) scene() (w *world, driven bool) {
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
		f := solver.Surface{TwoSided: d.byte()%3 == 0, Material: restitution()}
		if f.Material.Sliding {
			f.Material = bouncy(0)
		}
		if d.byte()%3 == 0 && !f.Material.Sensor {
			g := sheet(d.vector(4), n, 0.5+math.Abs(d.number(3)))
			f.Polygon, f.Plane, f.TwoSided = &g, g.Plane(), true // open one-sided ones let pass what moves along them
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
			x: d.vector(4), v: d.vector([]float64{1, 30, 1000, 1e5}[d.byte()%4]), r: []float64{0.5, 0.5, 0.1, 1, 0.01, 3}[d.byte()%6],
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

// FuzzStep makes scenes from bytes: each step ends, nothing overlaps that was apart, nothing becomes infinite, and nothing gains.
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
	d := &dice{data}
	w, driven := d.scene()
	for k := range 4 {
		before := w.energy()
		w.step()
		for _, e := range w.space.Log() {
			if e.Approach > 1e7 {
				return // elastic, between walls that close in: where it was 1/60 s ago is known to 1e-10 m only
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

// TestRandomScenesOfEveryKind is FuzzStep with plain random bytes, for those who don't fuzz.
func TestRandomScenesOfEveryKind(t *testing.T) {
	r := random(2)
	for range heavy(1000) {
		data := make([]byte, 20+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if !t.Run("", func(t *testing.T) { checkSteps(t, data) }) {
			t.Fatalf("from %#v", data)
		}
	}
}
