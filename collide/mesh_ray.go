package collide

import (
	"math"
	"unsafe"

	"github.com/dango-physics/dango/internal/prefetch"
)

// RayCastMesh returns the first point where r meets m, at most horizon lengths of r.Direction away.
// The rules are those of [RayCastTriangle]. A ray passes a one-sided mesh from the back. Between
// triangles that share an edge no ray passes. CenterB is zero.
func RayCastMesh(r Ray, m *Mesh, horizon float64) (MeshContact, Outcome) {
	var c rayMeshCast
	if !c.start(m, r, horizon) {
		return MeshContact{}, Miss
	}
	for {
		at, ok := c.search.pop()
		switch {
		case !ok:
			return c.contact()
		case at&leafChild != 0:
			first, count := at.leaf()
			m.loadBlock(first)
			c.leaf(m, first, count)
		default:
			bottom := c.search.depth
			c.search.open(&m.nodes[at])
			c.search.loadFrom(m, bottom)
		}
	}
}

// loadFrom begins to load what waits on the stack above the place bottom, but for the top, which is
// next. In a mesh that is larger than the cache, a ray mostly waits for memory.
func (s *meshSearch) loadFrom(m *Mesh, bottom int) {
	for k := bottom; k < s.depth-1; k++ {
		var p unsafe.Pointer
		if at := s.stack[k].child; at&leafChild != 0 {
			first, _ := at.leaf()
			p = unsafe.Pointer(&m.triangles[first])
		} else {
			p = unsafe.Pointer(&m.nodes[at])
		}
		prefetch.Lines(p)
	}
}

// loadBlock begins to load the vertices of the block with triangle k: seven cache lines, which is
// nearly all of the 17 that a block has in the middle of a smooth mesh.
func (m *Mesh) loadBlock(k uint32) {
	if !prefetch.Works {
		return
	}
	v := m.vertices[m.blocks[k/meshBlock]:]
	last := len(v) - 1
	prefetch.Lines(unsafe.Pointer(&v[0]), unsafe.Pointer(&v[min(3, last)]), unsafe.Pointer(&v[min(5, last)]),
		unsafe.Pointer(&v[min(8, last)]), unsafe.Pointer(&v[min(11, last)]), unsafe.Pointer(&v[min(13, last)]),
		unsafe.Pointer(&v[min(16, last)]))
}

// rayMeshCast is the cast of a ray at a mesh.
type rayMeshCast struct {
	search meshSearch
	ray    Ray
	end    float64 // of the ray, or the time of the first contact found so far
	hit    bool
	found  uint32 // the original number of the triangle
	normal Vec3
}

// start returns false for invalid input.
func (c *rayMeshCast) start(m *Mesh, r Ray, horizon float64) bool {
	if !r.Origin.within(maxInput) || !r.Direction.within(maxInput) || !(horizon >= 0) {
		return false
	}
	c.ray, c.end, c.hit = r, horizon, false
	c.search.begin(m, r.Origin, r.Direction, 0, horizon)
	return true
}

// leaf tests the triangles of a leaf.
func (c *rayMeshCast) leaf(m *Mesh, first, count uint32) {
	for k := first; k < first+count; k++ {
		t, n, ok := m.rayTriangle(c.ray, k, c.end)
		original := m.triangles[k].original
		if !ok || c.hit && t == c.end && original > c.found {
			continue
		}
		c.end, c.found, c.normal, c.hit = t, original, n, true
		c.search.shorten(t)
	}
}

// contact returns the contact found.
func (c *rayMeshCast) contact() (MeshContact, Outcome) {
	if !c.hit {
		return MeshContact{}, Miss
	}
	at := c.ray.Origin.AddScaled(c.end, c.ray.Direction)
	return MeshContact{Contact{Time: c.end, Point: at, Normal: c.normal, CenterA: at}, int(c.found)}, Hit
}

// rayTriangle returns when r meets triangle k, if that is by the end.
func (m *Mesh) rayTriangle(r Ray, k uint32, end float64) (t float64, normal Vec3, ok bool) {
	va, vb, vc := m.corners(k)
	// In float64, with error bounds: the coordinates x along e and y along g of the point where the
	// ray meets the plane, and the time, all multiplied by det (Möller and Trumbore, "Fast, minimum
	// storage ray/triangle intersection", 1997).
	d, p := r.Direction, r.Origin.Sub(*va)
	e, g := vb.Sub(*va), vc.Sub(*va)
	dg := d.Cross(g)
	det, x := e.Dot(dg), p.Dot(dg)
	side := 1.0 // -1 from the back
	if det < 0 {
		det, x, side = -det, -x, -1
	}
	// Each of the following is a sum of six products of three lengths, whose sizes are bounded
	// here.
	ds, ps, es, gs := d.SumAbs(), p.SumAbs(), e.SumAbs(), g.SumAbs()
	detErr := float64(2 * termError * float64(float64(ds*es)*gs))
	slack := float64(2*termError*float64(float64(ds*ps)*max(es, gs))) + detErr
	if x < -slack || x > det+slack || side < 0 && det > slack && !m.twoSided {
		return 0, Vec3{}, false
	}
	pe := p.Cross(e)
	y, at := float64(side*d.Dot(pe)), float64(side*g.Dot(pe))
	atErr := float64(2 * termError * float64(float64(ps*es)*gs))
	if y < -slack || x+y > det+2*slack || at < -atErr || at-atErr > float64((det+detErr)*end) {
		return 0, Vec3{}, false
	}
	if !(x > slack && y > slack && det-x-y > 2*slack) {
		// At an edge, up to rounding: exactly, the ray must pass all edges on the same side.
		sa, sb, sc := r.side(*vb, *vc), r.side(*vc, *va), r.side(*va, *vb)
		if (sa > 0 || sb > 0 || sc > 0) && (sa < 0 || sb < 0 || sc < 0) {
			return 0, Vec3{}, false
		}
	}
	// In float64, if the error of the time is below fastTolerance and the horizon isn't that near.
	if n := e.Cross(g); atErr < float64(0.5*fastTolerance*at) && detErr < float64(0.5*fastTolerance*det) &&
		isAccurate(n, e, g) {
		if t = at / det; math.Abs(t-end) > float64(fastTolerance*t) {
			normal, _ = n.Scale(side).Normalized()
			return t, normal, t < end
		}
	}
	n2 := twoDiff3(*vb, *va).cross(twoDiff3(*vc, *va))
	n2 = n2.scaled(inverseScale(n2))
	height2, rate2 := n2.dot(twoDiff3(r.Origin, *va)), n2.dot(toTwofold3(d))
	normal, _ = n2.rounded().Normalized()
	if height2.hi < 0 {
		if !m.twoSided {
			return 0, Vec3{}, false
		}
		height2, rate2, normal = height2.neg(), rate2.neg(), normal.Neg()
	}
	if height2.hi == 0 || rate2.hi >= 0 {
		return 0, Vec3{}, false
	}
	t = height2.div(rate2.neg()).hi
	return t, normal, t <= end
}
