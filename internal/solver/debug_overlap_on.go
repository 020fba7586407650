//go:build dangodebug

package solver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/grow"
	"github.com/dango-physics/dango/internal/statics"
)

// promisedOverlap is the greatest overlap that a step may cause, as a fraction of the smaller
// radius. To it comes the rounding of coordinates and paths: docs/limits.md.
const promisedOverlap = 1e-9

// pairsPerCheck is how many pairs are tested for overlaps in a step, on average, so that the check
// of large worlds takes no longer than the step.
const pairsPerCheck = 20_000

// overlapCheck knows what overlapped when the step began.
type overlapCheck struct {
	due        bool           // this step is checked
	tests      int            // pairs that the last check tested
	next       uint32         // step from which on the next check is due
	movedApart []bool         // by id: overlapped something when the step began
	pushed     []bool         // by id: moved at the end of the step, out of something or out of the way
	starts     []collide.Vec3 // by id: where bodies were when the step began
	replaced   bool           // a surface was changed during the step
	sorted     []int32        // bodies by their least x
}

// beginOverlapCheck notes what overlaps when the step begins.
func (s *Space) beginOverlapCheck() {
	d := &s.debug.overlaps
	d.replaced = false
	if d.due = s.stepNumber >= d.next; !d.due {
		return
	}
	d.starts, d.movedApart = grow.Resize(d.starts, len(s.index)), grow.Resize(d.movedApart, len(s.index))
	d.pushed = grow.Resize(d.pushed, len(s.index))
	clear(d.movedApart)
	clear(d.pushed)
	for i := range s.bodies {
		d.starts[s.infos[i].id] = s.bodies[i].x
	}
	s.eachOverlap(0, func(a, b int32, _, _ float64) {
		d.movedApart[a] = true
		if b >= 0 {
			d.movedApart[b] = true
		}
	})
}

// endOverlapCheck checks that nothing overlaps that did not when the step began. What overlapped
// something is moved apart, and may be moved into something else.
func (s *Space) endOverlapCheck() {
	d := &s.debug.overlaps
	if !d.due || d.replaced {
		return
	}
	d.tests = 0
	s.eachOverlap(s.Seconds, func(a, b int32, depth, allowed float64) {
		if d.movedApart[a] || b >= 0 && d.movedApart[b] || s.vetoed(a, b) {
			return
		}
		if b < 0 && s.mayPass(a, surfaceOf(b), allowed) {
			return
		}
		s.fail("Finish", "body %d, at %v and then at %v, and %s overlap by %v m, want at most %v as neither "+
			"overlapped anything when the step began",
			a, d.starts[a], s.bodies[s.index[a]].x, s.describe(b), depth, allowed)
	})
	d.due, d.next = false, s.stepNumber+1+uint32(d.tests/pairsPerCheck)
}

// describe returns what is known of code, a body's id or a surface's code.
func (s *Space) describe(code int32) string {
	if code >= 0 {
		return fmt.Sprintf("body %d, at %v and then at %v,", code, s.debug.overlaps.starts[code],
			s.bodies[s.index[code]].x)
	}
	k := surfaceOf(code)
	return fmt.Sprintf("surface %d (%+v)", k, s.statics.At(k).Shape)
}

// mayPass reports whether surface k may let body id through: a polygon with one side lets through
// what comes from behind, at its edges too. So only what was wholly in front of it when the step
// began, and is above its inside now, is checked. Of facets with one side, that is the plane in
// which a shape or a pushed ball is now. A ball that is behind one of them meets the edge of its
// neighbour from inside, where no normal leads out: only what overlaps by more than allowed along a
// normal that the facets admit is checked.
func (s *Space) mayPass(id, k int32, allowed float64) bool {
	f := s.statics.At(k)
	i := s.index[id]
	switch {
	case !f.HasFacets():
	case s.flags[i]&passing != 0:
		return true
	case f.IsOneSided() && (s.flags[i]&shaped != 0 || s.debug.overlaps.pushed[id]):
		// What has a shape or is pushed, and comes from behind, has no flag before the next step.
		gap, n := s.gapAt(i, s.bodies[i].x, k, s.Seconds)
		moved := s.bodies[i].x.Sub(s.debug.overlaps.starts[id]).Sub(f.Travelled(s.Seconds))
		return gap-n.Dot(moved) < -s.rounding(i) || s.comesFromBehind(i, f, s.debug.overlaps.starts[id], moved)
	case f.IsOneSided():
		return !s.touch(id, codeOf(k), -allowed/s.bodies[i].radius)
	default:
		return false
	}
	if f.Kind() != statics.Polygon || f.TwoSided {
		return false
	}
	if f.Rotates() || s.flags[i]&passing != 0 { // after bounces, it may come from behind after all
		return true
	}
	height := f.Plane.Normal.Dot(s.debug.overlaps.starts[id].Sub(f.Offset)) - f.Plane.Distance
	b := &s.bodies[i]
	_, n := s.gapAt(i, b.x, k, s.Seconds)
	return height < b.radius || n.Dot(f.Plane.Normal) < 1-0x1p-30
}

// comesFromBehind reports whether body i, which has a shape, first meets the back of a mesh when it
// moves from x by d.
func (s *Space) comesFromBehind(i int32, f *statics.Surface, x, d collide.Vec3) bool {
	shape := s.shapeOf(i)
	if shape == nil || f.Mesh == nil || f.Rotates() {
		return false
	}
	q := f.Rotation
	inverse := collide.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W}
	from := collide.NewPlaced(shape.Exact, inverse.Rotate(x.Sub(f.Offset).Sub(f.Travelled(0))), inverse)
	mesh := f.Mesh.WithBothSides()
	c, outcome := collide.SweepMesh(from, inverse.Rotate(d), mesh, collide.Vec3{}, 1)
	if outcome != collide.Hit {
		return false
	}
	back := false
	mesh.EachFacetAt(c.Point, float64(0x1p-20*s.size(i)), func(t collide.Facet) {
		back = back || t.Triangle() == c.Triangle && t.Normal().Dot(c.Normal) < 0
	})
	return back
}

// notePushed notes that body id is moved at the end of the step.
func (s *Space) notePushed(id int32) {
	if d := &s.debug.overlaps; d.due && int(id) < len(d.pushed) {
		d.pushed[id] = true
	}
}

// noteReplaced notes that a surface is changed or removed during a step. The bodies that were to
// hit it are not predicted again, so they may hit nothing in this step. Package systems does not do
// that.
func (s *Space) noteReplaced() {
	if s.stage != Idle {
		s.debug.overlaps.replaced = true
	}
}

// eachOverlap calls yield with each pair of a body and something else that stop each other and
// overlap at time t, 0 or the end of the step. It does not use the grid or the tree.
func (s *Space) eachOverlap(t float64, yield func(a, b int32, depth, allowed float64)) {
	d := &s.debug.overlaps
	d.sorted = d.sorted[:0]
	for i, f := range s.flags {
		if f&alive != 0 && !s.infos[i].material.Sensor {
			d.sorted = append(d.sorted, int32(i))
		}
	}
	low := func(i int32) float64 { return s.bodies[i].x.X - s.bodies[i].radius }
	slices.SortFunc(d.sorted, func(i, j int32) int { return cmp.Compare(low(i), low(j)) })
	for at, i := range d.sorted {
		b, f := &s.bodies[i], &s.infos[i]
		high := b.x.X + b.radius
		for _, j := range d.sorted[at+1:] {
			if low(j) > high {
				break
			}
			d.tests++
			o, g := &s.bodies[j], &s.infos[j]
			reach := b.radius + o.radius
			if b.x.Sub(o.x).LengthSquared() >= float64(reach*reach) || f.kind != Dynamic && g.kind != Dynamic ||
				!f.material.collides(&g.material) {
				continue
			}
			allowed := float64(promisedOverlap*min(s.size(i), s.size(j))) + s.rounding(i) + s.rounding(j)
			depth := reach - b.x.Distance(o.x)
			if !s.areSpheres(i, j) {
				depth = -s.gapNow(i, j)
			}
			if depth > allowed {
				yield(f.id, g.id, depth, allowed)
			}
		}
		if f.kind != Dynamic {
			continue
		}
		for n := range s.surfaces {
			k := int32(n)
			surface := s.statics.At(k)
			if !surface.Alive || surface.Sensor {
				continue
			}
			d.tests++
			if !f.material.collides(&s.surfaces[k].material) || surface.Kind() == statics.Polygon &&
				!s.isNearPolygon(b, surface, t) {
				continue
			}
			// A search for the nearest facet looks at more and more of them the farther away it is.
			if surface.HasFacets() && s.flags[i]&shaped == 0 && !surface.IsNearFacets(b.x, b.radius, t) {
				continue
			}
			gap, _ := s.gapAt(i, b.x, k, t)
			if allowed := float64(promisedOverlap*s.size(i)) + s.rounding(i); -gap > allowed {
				yield(f.id, codeOf(k), -gap, allowed)
			}
		}
	}
}

// isNearPolygon is a quick test for whether body b may overlap a polygon at time t.
func (s *Space) isNearPolygon(b *body, f *statics.Surface, t float64) bool {
	height := f.Plane.Normal.Dot(b.x.Sub(f.Offset).Sub(f.Travelled(t))) - f.Plane.Distance
	return math.Abs(height) <= b.radius
}

// rounding returns the rounding of body i's position: that of its coordinates and of its path.
func (s *Space) rounding(i int32) float64 {
	b := &s.bodies[i]
	travel := float64(math.Sqrt(s.infos[i].maxSpeedSquared) * s.Seconds)
	return 8 * 0x1p-53 * (b.x.SumAbs() + s.startPositions[i].SumAbs() + b.radius + travel)
}
