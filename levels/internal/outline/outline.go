// Package outline traces the outline of what polygons cover together, such as the solid tiles of a
// level, so that nothing inside of it is a wall.
package outline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/dango-physics/dango/collide"
)

// Tracer collects polygons in the plane z = 0. The zero value is ready.
type Tracer struct {
	straight map[line][]span // edges along X or Y, by the line on which they are
	slanted  map[edge]int    // the tag of every other edge
}

// line is a line along X or along Y.
type line struct {
	alongY bool
	at     float64 // its other coordinate
}

// span is a part of a line. What is on the left of the way from from to to is solid.
type span struct {
	from, to float64
	tag      int
}

// edge is a straight part of the outline.
type edge struct{ from, to collide.Vec3 }

// Chain is a part of the outline, with what is solid on the left of the way from a point to the
// next. No three points in a row are on a straight line. The last point of a closed one is the
// first one.
type Chain struct {
	Points []collide.Vec3
	Tag    int
}

// Add adds what is inside a simple polygon, whose points may be in either order around it. Its part
// of the outline has this tag. Where two edges are opposites, neither is a part of the outline.
func (t *Tracer) Add(points []collide.Vec3, tag int) {
	for e := range edges(points) {
		t.AddEdge(e.from, e.to, tag)
	}
}

// AddFacing adds only those edges of a polygon whose outside faces up: towards Y times sign.
func (t *Tracer) AddFacing(points []collide.Vec3, sign float64, tag int) {
	for e := range edges(points) {
		if float64((e.from.X-e.to.X)*sign) > 0 {
			t.AddEdge(e.from, e.to, tag)
		}
	}
}

// edges yields the edges of a polygon counter-clockwise.
func edges(points []collide.Vec3) func(yield func(edge) bool) {
	area := 0.0
	for i, a := range points {
		b := points[(i+1)%len(points)]
		area += float64((a.X-points[0].X)*(b.Y-points[0].Y)) - float64((b.X-points[0].X)*(a.Y-points[0].Y))
	}
	return func(yield func(edge) bool) {
		for i, a := range points {
			e := edge{a, points[(i+1)%len(points)]}
			if area < 0 {
				e.from, e.to = e.to, e.from
			}
			if e.from != e.to && !yield(e) {
				return
			}
		}
	}
}

// AddEdge adds an edge of the outline, with what is solid on the left of the way from a to b.
func (t *Tracer) AddEdge(a, b collide.Vec3, tag int) {
	if t.straight == nil {
		t.straight, t.slanted = map[line][]span{}, map[edge]int{}
	}
	switch {
	case a.Y == b.Y:
		t.straight[line{false, a.Y}] = append(t.straight[line{false, a.Y}], span{a.X, b.X, tag})
	case a.X == b.X:
		t.straight[line{true, a.X}] = append(t.straight[line{true, a.X}], span{a.Y, b.Y, tag})
	default:
		e, opposite := edge{a, b}, edge{b, a}
		if _, ok := t.slanted[opposite]; ok {
			delete(t.slanted, opposite)
			return
		}
		if other, ok := t.slanted[e]; !ok || tag < other {
			t.slanted[e] = tag
		}
	}
}

// Chains returns the outline. The result is the same for any order of polygons, up to opposite
// edges that are added more than twice.
func (t *Tracer) Chains() []Chain {
	var all []taggedEdge
	for l, spans := range t.straight {
		for _, s := range uncovered(spans) {
			e := taggedEdge{edge{collide.Vec3{X: s.from, Y: l.at}, collide.Vec3{X: s.to, Y: l.at}}, s.tag}
			if l.alongY {
				e.from, e.to = collide.Vec3{X: l.at, Y: s.from}, collide.Vec3{X: l.at, Y: s.to}
			}
			all = append(all, e)
		}
	}
	for _, e := range slices.Collect(maps.Keys(t.slanted)) {
		all = append(all, taggedEdge{e, t.slanted[e]})
	}
	slices.SortFunc(all, func(a, b taggedEdge) int {
		return cmp.Or(cmp.Compare(a.tag, b.tag), comparePoints(a.from, b.from), comparePoints(a.to, b.to))
	})
	return chain(all)
}

type taggedEdge struct {
	edge
	tag int
}

func comparePoints(a, b collide.Vec3) int {
	return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
}

// uncovered returns the parts of a line with something solid on one side only, as few spans as
// possible. Where spans of the same direction overlap, the lower tag counts.
func uncovered(spans []span) (result []span) {
	var ends []float64
	for _, s := range spans {
		ends = append(ends, s.from, s.to)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Compare(min(a.from, a.to), min(b.from, b.to))
	})
	first := 0 // spans before it end before the present part
	for i := 1; i < len(ends); i++ {
		low, high := ends[i-1], ends[i]
		var found [2]int // one more than the lowest tag, by direction
		for first < len(spans) && max(spans[first].from, spans[first].to) <= low {
			first++
		}
		for _, s := range spans[first:] {
			if min(s.from, s.to) > low {
				break
			}
			if max(s.from, s.to) < high {
				continue
			}
			d := 0
			if s.from > s.to {
				d = 1
			}
			if found[d] == 0 || s.tag+1 < found[d] {
				found[d] = s.tag + 1
			}
		}
		if (found[0] == 0) == (found[1] == 0) {
			continue
		}
		s := span{low, high, found[0] - 1}
		if found[1] > 0 {
			s = span{high, low, found[1] - 1}
		}
		if n := len(result) - 1; n >= 0 && result[n].tag == s.tag {
			switch last := &result[n]; {
			case last.from < last.to && s.from < s.to && last.to == s.from:
				last.to = s.to
				continue
			case last.from > last.to && s.from > s.to && last.from == s.to:
				last.from = s.from
				continue
			}
		}
		result = append(result, s)
	}
	return result
}

// chain joins edges whose ends meet.
func chain(all []taggedEdge) (chains []Chain) {
	from := map[collide.Vec3][]int{}
	for i, e := range all {
		from[e.from] = append(from[e.from], i)
	}
	// next[i] is the edge that follows edge i, and has the same tag, or -1. Where several begin,
	// it is the one that turns left most: solids that touch at a corner stay apart.
	next, hasPrevious := make([]int, len(all)), make([]bool, len(all))
	for i, e := range all {
		next[i] = -1
		for _, k := range from[e.to] {
			if !hasPrevious[k] && all[k].tag == e.tag && (next[i] < 0 || moreLeft(e.edge, all[k].to, all[next[i]].to)) {
				next[i] = k
			}
		}
		if next[i] >= 0 {
			hasPrevious[next[i]] = true
		}
	}
	done := make([]bool, len(all))
	walk := func(i int) {
		c := Chain{Tag: all[i].tag}
		for ; i >= 0 && !done[i]; i = next[i] {
			done[i] = true
			c.Points = append(c.Points, all[i].from)
			if next[i] < 0 || done[next[i]] {
				c.Points = append(c.Points, all[i].to)
			}
		}
		c.Points = straighten(c.Points)
		chains = append(chains, c)
	}
	for i := range all {
		if !hasPrevious[i] {
			walk(i)
		}
	}
	for i := range all {
		if !done[i] {
			walk(i)
		}
	}
	return chains
}

// moreLeft reports whether the way along e and then to a turns left more than the one to b.
func moreLeft(e edge, a, b collide.Vec3) bool {
	ta, tb := turn(e.from, e.to, a), turn(e.from, e.to, b)
	if ta != tb {
		return ta > tb
	}
	return turn(e.to, b, a) > 0
}

// turn returns 1 if the way from a over b to c turns left, -1 if it turns right, and 0 if it is
// straight or turns back. It is exact.
func turn(a, b, c collide.Vec3) int {
	above := a
	above.Z = 1 + 2*a.MaxAbs()
	return collide.Orientation(a, b, c, above)
}

// straighten removes the points at which a chain doesn't turn.
func straighten(points []collide.Vec3) []collide.Vec3 {
	straight := func(a, b, c collide.Vec3) bool { return turn(a, b, c) == 0 && b.Sub(a).Dot(c.Sub(b)) > 0 }
	kept := points[:1:1]
	for i := 1; i+1 < len(points); i++ {
		if !straight(kept[len(kept)-1], points[i], points[i+1]) {
			kept = append(kept, points[i])
		}
	}
	kept = append(kept, points[len(points)-1])
	if n := len(kept); n > 3 && kept[0] == kept[n-1] && straight(kept[n-2], kept[0], kept[1]) {
		kept[0] = kept[n-2]
		kept = kept[:n-1]
	}
	return kept
}
