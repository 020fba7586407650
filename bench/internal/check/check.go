// Package check checks the dump of a run: energy, overlaps, and spheres outside of the box.
package check

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

// Frame describes one frame of a run.
type Frame struct {
	Energy  float64 // J, kinetic
	Fastest float64 // m/s
	Overlap float64 // deepest overlap of two spheres, in radii of the smaller one
	Sunk    float64 // deepest overlap of a sphere with a wall, in its radii
	Escaped int     // spheres with their centre outside of the box
	NaN     int     // spheres with a coordinate that isn't a finite number
}

// Worst has the worst values of all frames, and values of the last one.
type Worst struct {
	Frames  int
	Overlap float64
	Sunk    float64
	Escaped int // most at a time
	NaN     int // most at a time
	Energy  float64
	Ratio   float64 // energy at the end over energy at the start; 0 if that was 0
	Drift   float64 // largest deviation of that ratio from 1
	Fastest float64 // m/s, at the end
}

// Dump reads the frames of a run of s.
func Dump(s *scene.Scene, in io.Reader) ([]Frame, error) {
	motions := make([]byte, len(s.Spheres)*scene.FrameBytes)
	positions := make([]collide.Vec3, len(s.Spheres))
	var frames []Frame
	for {
		switch _, err := io.ReadFull(in, motions); {
		case errors.Is(err, io.EOF):
			return frames, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return frames, fmt.Errorf("the dump ends within frame %d", len(frames))
		case err != nil:
			return frames, err
		}
		frames = append(frames, measure(s, motions, positions))
	}
}

// Summary returns the worst values of all frames. There has to be at least one.
func Summary(frames []Frame) Worst {
	first, last := frames[0], frames[len(frames)-1]
	w := Worst{Frames: len(frames), Energy: last.Energy, Fastest: last.Fastest}
	if first.Energy > 0 {
		w.Ratio = last.Energy / first.Energy
	}
	for _, f := range frames {
		w.Overlap = max(w.Overlap, f.Overlap)
		w.Sunk = max(w.Sunk, f.Sunk)
		w.Escaped = max(w.Escaped, f.Escaped)
		w.NaN = max(w.NaN, f.NaN)
		if first.Energy > 0 {
			w.Drift = max(w.Drift, math.Abs(f.Energy/first.Energy-1))
		}
	}
	return w
}

// fastest is the speed in m/s beyond which a body counts as lost. Energies stay finite below it.
const fastest = 1e100

// measure checks one frame of s and fills positions. A sphere whose position is not finite overlaps
// nothing.
func measure(s *scene.Scene, motions []byte, positions []collide.Vec3) Frame {
	var f Frame
	half := s.Half
	for i, b := range s.Spheres {
		var x [6]float64
		for k := range x {
			x[k] = math.Float64frombits(binary.LittleEndian.Uint64(motions[i*scene.FrameBytes+k*8:]))
		}
		p, v := collide.Vec3{X: x[0], Y: x[1], Z: x[2]}, collide.Vec3{X: x[3], Y: x[4], Z: x[5]}
		positions[i] = p
		if !p.IsFinite() || v.Length() > fastest || !v.IsFinite() {
			f.NaN++
			positions[i] = collide.Vec3{X: math.NaN()}
			continue
		}
		f.Energy += float64(b.Mass * v.LengthSquared() / 2)
		f.Fastest = max(f.Fastest, v.Length())
		up := p.Y - half.Y
		if s.OpenTop {
			up = math.Inf(-1)
		}
		outside := max(math.Abs(p.X)-half.X, math.Abs(p.Z)-half.Z, -p.Y-half.Y, up)
		f.Sunk = max(f.Sunk, (outside+b.Radius)/b.Radius)
		if outside > 0 {
			f.Escaped++
		}
	}
	f.Overlap = overlap(s, positions)
	return f
}

// cell is a cell of a grid with cells as wide as the largest sphere.
type cell struct{ x, y, z int32 }

// overlap returns the deepest overlap of two spheres, in radii of the smaller one.
func overlap(s *scene.Scene, positions []collide.Vec3) float64 {
	width := 0.0
	for _, b := range s.Spheres {
		width = max(width, 2*b.Radius)
	}
	along := func(x float64) int32 { return int32(math.Floor(min(max(x/width, -1e9), 1e9))) }
	at := func(p collide.Vec3) cell { return cell{along(p.X), along(p.Y), along(p.Z)} }

	// Each cell is a list: its first sphere in the map, the one after it in next.
	first := make(map[cell]int32, len(positions))
	next := make([]int32, len(positions))
	for i, p := range positions {
		if math.IsNaN(p.X) {
			continue
		}
		c := at(p)
		if j, ok := first[c]; ok {
			next[i] = j
		} else {
			next[i] = -1
		}
		first[c] = int32(i)
	}
	deepest := 0.0
	for i, p := range positions {
		if math.IsNaN(p.X) {
			continue
		}
		c := at(p)
		for k := range int32(27) {
			j, ok := first[cell{c.x + k%3 - 1, c.y + k/3%3 - 1, c.z + k/9 - 1}]
			for ; ok && j >= 0; j = next[j] {
				if int(j) < i {
					a, b := s.Spheres[i].Radius, s.Spheres[j].Radius
					deepest = max(deepest, (a+b-p.Distance(positions[j]))/min(a, b))
				}
			}
		}
	}
	return deepest
}
