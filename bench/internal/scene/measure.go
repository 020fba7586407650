package scene

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// Report is what a moment of a run looks like.
type Report struct {
	Energy  float64 // J, kinetic
	Fastest float64 // m/s
	Overlap float64 // deepest overlap of two spheres, over the radius of the smaller; <= 0 where none overlaps
	Sunk    float64 // deepest that a sphere reaches into a wall, over its radius; <= 0 where none does
	Escaped int     // spheres whose centre is outside of the box
	NaN     int     // spheres with a coordinate that isn't a number
}

// Measure compares every sphere of w with every other: slow and hard to get wrong.
func (s *Scene) Measure(w *World) Report {
	r := Report{Overlap: math.Inf(-1), Sunk: math.Inf(-1)}
	for i, a := range s.Spheres {
		p, v := w.Motion(i)
		if !p.IsFinite() || !v.IsFinite() {
			r.NaN++
			continue
		}
		r.Energy += float64(a.Mass * v.LengthSquared() / 2)
		r.Fastest = max(r.Fastest, v.Length())
		outside := -math.MaxFloat64 // how far the centre is behind the wall that it is farthest behind
		for _, wall := range s.walls() {
			outside = max(outside, wall.Distance-wall.Normal.Dot(p))
		}
		r.Sunk = max(r.Sunk, (outside+a.Radius)/a.Radius)
		if outside > 0 {
			r.Escaped++
		}
		for j, b := range s.Spheres[:i] {
			q, _ := w.Motion(j)
			r.Overlap = max(r.Overlap, (a.Radius+b.Radius-p.Distance(q))/min(a.Radius, b.Radius))
		}
	}
	return r
}

// Hash returns one number for all bits of all positions and velocities, in scene order: FNV-1a.
func (w *World) Hash() uint64 {
	h := fnv.New64a()
	var bits [8]byte
	for i := range w.spheres {
		p, v := w.Motion(i)
		for _, x := range [6]float64{p.X, p.Y, p.Z, v.X, v.Y, v.Z} {
			binary.LittleEndian.PutUint64(bits[:], math.Float64bits(x))
			h.Write(bits[:])
		}
	}
	return h.Sum64()
}
