package systems

import (
	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
)

// form is what a surface was made of, so that it is made anew only when something changed: 64 bytes, a cache line.
type form struct {
	transform components.TransformData
	from, n   int32 // its points: the corners of a polygon, or the normal of a plane, as its collider has them
}

// forms are the forms of all surfaces. Their points are in one list, since going through a list is many times as fast as going from one to the next
// of many small ones.
type forms struct {
	list  []form // by surface number
	all   []collide.Vec3
	waste int // points of all that are no form's any more
}

// points returns the points of f.
func (s *forms) points(f *form) []collide.Vec3 { return s.all[f.from : f.from+f.n] }

// keep notes what surface k was made of.
func (s *forms) keep(k int32, transform *components.TransformData, points []collide.Vec3) {
	s.list = extend(s.list, int(k))
	f := &s.list[k]
	f.transform = *transform
	if int(f.n) != len(points) {
		s.drop(k)
		if s.waste > len(s.all)/2 {
			s.tidy()
		}
		f.from, f.n = int32(len(s.all)), int32(len(points))
		s.all = append(s.all, points...)
		return
	}
	copy(s.points(f), points)
}

// drop forgets the points of surface k.
func (s *forms) drop(k int32) {
	if int(k) < len(s.list) {
		s.waste += int(s.list[k].n)
		s.list[k].n = 0
	}
}

// tidy takes what is no form's out of the list of points.
func (s *forms) tidy() {
	all := make([]collide.Vec3, 0, len(s.all)-s.waste)
	for k := range s.list {
		f := &s.list[k]
		from := int32(len(all))
		all = append(all, s.points(f)...)
		f.from = from
	}
	s.all, s.waste = all, 0
}
