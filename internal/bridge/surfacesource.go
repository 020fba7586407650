package bridge

import (
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/grow"
)

// surfaceSource is what a surface was made from, for comparison: it is made again only when that
// changes. It has 64 bytes, a cache line.
type surfaceSource struct {
	transform components.TransformData
	from, n   int32 // its points, as its collider has them: corners, the ends of a capsule or the normal of a plane
}

// surfaceSources are the sources of all surfaces. Their points are in one list, because many small
// lists would take many times as long to read.
type surfaceSources struct {
	list   []surfaceSource // by surface number
	points []collide.Vec3
	unused int // elements of points that are no source's any more
}

// pointsOf returns the points of f.
func (s *surfaceSources) pointsOf(f *surfaceSource) []collide.Vec3 {
	return s.points[f.from : f.from+f.n]
}

// reserve makes room for n more surfaces, most of them with four corners.
func (s *surfaceSources) reserve(n int) {
	s.list, s.points = slices.Grow(s.list, n), slices.Grow(s.points, 4*n)
}

// set stores what surface k was made from.
func (s *surfaceSources) set(k int32, transform *components.TransformData, points []collide.Vec3) {
	s.list = grow.Extend(s.list, int(k)+1)
	f := &s.list[k]
	f.transform = *transform
	if int(f.n) != len(points) {
		s.remove(k)
		if s.unused > len(s.points)/2 {
			s.compact()
		}
		f.from, f.n = int32(len(s.points)), int32(len(points))
		s.points = append(s.points, points...)
		return
	}
	copy(s.pointsOf(f), points)
}

// remove removes the points of surface k.
func (s *surfaceSources) remove(k int32) {
	if int(k) < len(s.list) {
		s.unused += int(s.list[k].n)
		s.list[k].n = 0
	}
}

// compact removes unused elements from the list of points.
func (s *surfaceSources) compact() {
	points := make([]collide.Vec3, 0, len(s.points)-s.unused)
	for k := range s.list {
		f := &s.list[k]
		from := int32(len(points))
		points = append(points, s.pointsOf(f)...)
		f.from = from
	}
	s.points, s.unused = points, 0
}
