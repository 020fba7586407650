package scene

import (
	"math"

	"github.com/dango-physics/dango/collide"
)

// Watch checks every step of a long run, as [Scene.Measure] does, in a fraction of the time of a
// step. It is for scenes of walls and spheres of about the same size.
type Watch struct {
	scene *Scene
	walls []wall
	cell  float64 // metres, the widest sphere
	p     []collide.Vec3

	// The spheres by cell: those of cell c are order[start[c]:start[c+1]]. Cells are shared by
	// whatever is a multiple of side cells away along an axis.
	side  int
	home  []int32
	start []int32
	order []int32
}

type wall struct {
	normal   collide.Vec3
	distance float64
}

// Depth describes the present state of a run. Lengths are in metres.
type Depth struct {
	Pair    float64 // deepest overlap of two spheres; -Inf if there is none
	Wall    float64 // deepest overlap of a sphere with a wall; <= 0 if there is none
	Fastest float64 // m/s
	Escaped int     // spheres whose centre is outside of the box, or no number
}

// NewWatch returns a watch over runs of s.
func NewWatch(s *Scene) *Watch {
	w := &Watch{scene: s}
	for _, p := range s.walls() {
		w.walls = append(w.walls, wall{p.Normal, p.Distance})
	}
	for _, b := range s.Spheres {
		w.cell = max(w.cell, 2*b.Radius)
	}
	w.side = 4 // two neighbours along an axis are never the same cell
	for w.side*w.side*w.side < len(s.Spheres) {
		w.side *= 2
	}
	n := len(s.Spheres)
	w.p, w.home, w.order, w.start = make([]collide.Vec3, n), make([]int32, n), make([]int32, n), make(
		[]int32, w.side*w.side*w.side+1,
	)
	return w
}

// Look returns the present state of the run.
func (w *Watch) Look(run *World) Depth {
	d := Depth{Pair: math.Inf(-1), Wall: math.Inf(-1)}
	clear(w.start)
	for i := range w.p {
		p, v := run.Motion(i)
		r := w.scene.Spheres[i].Radius
		w.p[i] = p
		d.Fastest = max(d.Fastest, v.Length())
		outside := math.Inf(-1)
		for _, f := range w.walls {
			outside = max(outside, f.distance-f.normal.Dot(p))
		}
		d.Wall = max(d.Wall, outside+r)
		if !(outside <= 0) || !p.IsFinite() || !v.IsFinite() {
			d.Escaped++
		}
		w.home[i] = w.cellOf(w.along(p.X), w.along(p.Y), w.along(p.Z))
		w.start[w.home[i]]++
	}
	sum := int32(0)
	for c := range w.start {
		sum += w.start[c]
		w.start[c] = sum
	}
	for i := len(w.p) - 1; i >= 0; i-- {
		w.start[w.home[i]]--
		w.order[w.start[w.home[i]]] = int32(i)
	}
	for i := range w.p {
		d.Pair = max(d.Pair, w.deepest(int32(i)))
	}
	return d
}

// deepest returns the deepest overlap of sphere i with one before it.
func (w *Watch) deepest(i int32) float64 {
	worst := math.Inf(-1)
	p, r := w.p[i], w.scene.Spheres[i].Radius
	x, y, z := w.along(p.X), w.along(p.Y), w.along(p.Z)
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			for dz := -1; dz <= 1; dz++ {
				c := w.cellOf(x+dx, y+dy, z+dz)
				for _, j := range w.order[w.start[c]:w.start[c+1]] {
					if j >= i {
						continue
					}
					reach := r + w.scene.Spheres[j].Radius
					if gap := p.Sub(w.p[j]).LengthSquared(); gap < float64(reach*reach) {
						worst = max(worst, reach-math.Sqrt(gap))
					}
				}
			}
		}
	}
	return worst
}

// along returns the cell of a coordinate along its axis.
func (w *Watch) along(x float64) int {
	if x-x != 0 { // the conversion of values that are not finite is undefined
		return 0
	}
	return int(math.Floor(x / w.cell))
}

func (w *Watch) cellOf(x, y, z int) int32 {
	mask := w.side - 1
	return int32(((x&mask)*w.side+(y&mask))*w.side + (z & mask))
}
