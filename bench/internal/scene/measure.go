package scene

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/dango-physics/dango/collide"
)

// Report describes the present state of a run.
type Report struct {
	Energy  float64 // J, kinetic
	Fastest float64 // m/s
	// deepest overlap of two spheres, or of a sphere and a tile, in radii of the smaller one; <= 0
	// if there is none
	Overlap float64
	Sunk    float64 // deepest overlap of a sphere with a wall, in its radii; <= 0 if there is none
	Escaped int     // spheres with their centre outside of the box
	NaN     int     // spheres with a coordinate that isn't a number
}

// Measure tests every sphere of w with everything else. It is slow and simple.
func (s *Scene) Measure(w *World) Report {
	r, balls := s.measureEach(w)
	for i := range balls {
		for j := range balls[:i] {
			r.Overlap = max(r.Overlap, overlap(balls[i], balls[j]))
		}
	}
	for _, tile := range s.tiles() {
		for _, b := range balls {
			r.Overlap = max(r.Overlap, sunk(b, tile))
		}
	}
	return r
}

// MeasureNear returns the report of [Scene.Measure] in linear instead of quadratic time. It differs
// if nothing overlaps: Overlap is then that of close things, or -Inf.
func (s *Scene) MeasureNear(w *World) Report {
	r, balls := s.measureEach(w)
	near := newCells(balls)
	for i, b := range balls {
		near.find(b, levelOf(b.Radius), func(j int) { // the smaller of two finds the larger; equals find each other
			if j != i {
				r.Overlap = max(r.Overlap, overlap(b, balls[j]))
			}
		})
	}
	tiles := s.tiles()
	around := make([]collide.Sphere, len(tiles))
	for i, t := range tiles {
		box := t.Bounds()
		around[i] = collide.Sphere{Center: box.Center(), Radius: box.Size().Length() / 2}
	}
	near = newCells(around)
	for _, b := range balls {
		near.find(b, near.least, func(j int) { r.Overlap = max(r.Overlap, sunk(b, tiles[j])) })
	}
	return r
}

// measureEach measures everything but overlaps, and returns all spheres, moving and fixed, with a
// finite position.
func (s *Scene) measureEach(w *World) (Report, []collide.Sphere) {
	r := Report{Overlap: math.Inf(-1), Sunk: math.Inf(-1)}
	balls := make([]collide.Sphere, 0, len(s.Spheres)+len(s.Fixed))
	walls := s.walls()
	for i, a := range s.Spheres {
		p, v := w.Motion(i)
		if !p.IsFinite() || !v.IsFinite() {
			r.NaN++
			continue
		}
		r.Energy += float64(a.Mass * v.LengthSquared() / 2)
		r.Fastest = max(r.Fastest, v.Length())
		outside := -math.MaxFloat64 // largest distance of the centre behind a wall
		for _, wall := range walls {
			outside = max(outside, wall.Distance-wall.Normal.Dot(p))
		}
		r.Sunk = max(r.Sunk, (outside+a.Radius)/a.Radius)
		if outside > 0 || s.Flat && p.Z != 0 {
			r.Escaped++
		}
		balls = append(balls, collide.Sphere{Center: p, Radius: a.Radius})
	}
	for _, f := range s.Fixed {
		balls = append(balls, collide.Sphere{Center: f.Position, Radius: f.Radius})
	}
	return r, balls
}

// tiles returns the polygons of s. They are valid, because physics has accepted them.
func (s *Scene) tiles() []collide.Polygon {
	tiles := make([]collide.Polygon, 0, len(s.Tiles))
	for _, corners := range s.Tiles {
		if tile, err := collide.NewPolygon(corners...); err == nil {
			tiles = append(tiles, tile)
		}
	}
	return tiles
}

// overlap returns the overlap of a and b, in radii of the smaller one.
func overlap(a, b collide.Sphere) float64 {
	return (a.Radius + b.Radius - a.Center.Distance(b.Center)) / min(a.Radius, b.Radius)
}

// sunk returns the overlap of b with the tile, in radii of b.
func sunk(b collide.Sphere, tile collide.Polygon) float64 {
	return (b.Radius - b.Center.Distance(tile.ClosestPoint(b.Center))) / b.Radius
}

// cells finds the spheres near a point. A sphere is in the cell of its centre, on a level whose
// cells are at least as wide as the sphere.
type cells struct {
	first       map[cell]int // the last sphere that was put in the cell
	next        []int        // the one before it in the same cell, -1 for none
	least, most int          // levels
}

// cell is a cube of side 2^level.
type cell struct {
	level   int
	x, y, z float64 // whole numbers
}

func cellOf(level int, p collide.Vec3) cell {
	width := math.Ldexp(1, level)
	return cell{level, math.Floor(p.X / width), math.Floor(p.Y / width), math.Floor(p.Z / width)}
}

// levelOf returns the level of a sphere: the lowest one with wider cells.
func levelOf(radius float64) int { return math.Ilogb(2*radius) + 1 }

func newCells(balls []collide.Sphere) cells {
	c := cells{
		first: make(map[cell]int, len(balls)), next: make([]int, len(balls)), least: math.MaxInt, most: math.MinInt,
	}
	for i, b := range balls {
		level := levelOf(b.Radius)
		c.least, c.most = min(c.least, level), max(c.most, level)
		at := cellOf(level, b.Center)
		c.next[i] = -1
		if j, taken := c.first[at]; taken {
			c.next[i] = j
		}
		c.first[at] = i
	}
	return c
}

// find calls found with every sphere of this level and above that overlaps b, and with others close
// to it.
func (c *cells) find(b collide.Sphere, level int, found func(int)) {
	for ; level <= c.most; level++ {
		reach := math.Ceil(math.Ldexp(b.Radius, -level) + 0.5) // cells, to the centre of the widest of the level
		at := cellOf(level, b.Center)
		for x := at.x - reach; x <= at.x+reach; x++ {
			for y := at.y - reach; y <= at.y+reach; y++ {
				for z := at.z - reach; z <= at.z+reach; z++ {
					j, ok := c.first[cell{level, x, y, z}]
					for ; ok && j >= 0; j = c.next[j] {
						found(j)
					}
				}
			}
		}
	}
}

// Hash returns the FNV-1a hash of all bits of all positions and velocities, in scene order.
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
