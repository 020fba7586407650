package collide

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Errors returned by [NewHeightField], in addition to [ErrPoint].
var (
	ErrHeightCount = errors.New("collide: a height field needs two rows or more of two or more heights each")
	ErrCellSize    = errors.New("collide: a height field's cells have no positive finite size, or none after rounding")
	ErrHeight      = errors.New("collide: a height is infinite or beyond 1e72")
)

// HeightField is terrain over a regular grid in the X-Z plane: two triangles between each four
// neighbouring heights, whose front is up, towards +Y. It takes 5 bytes a triangle, and gives the
// same contacts as the [Mesh] of its triangles. Height fields are immutable, so any number of
// shapes may share one.
type HeightField struct {
	origin        Vec3
	cellX, cellZ  float64
	rows, columns int
	heights       []float64
	marks         []cellMarks // by the index of a cell's first height
	bounds        AABB
	twoSided      bool
	both          *HeightField // of a one-sided one, the same with both sides solid
	needBoth      sync.Once    // sets the marks of both when somebody asks for it
	scratch       sync.Pool    // of *fieldScratch, for facets: searches run on several goroutines at once
}

// cellMarks says which edges and corners of a cell's two triangles are tested, as testsEdge and
// testsVertex do, with a bit for each: edge e of triangle k is bit 3k+e, corner e is bit 6+3k+e.
type cellMarks uint16

const (
	isHole    cellMarks = 1 << 12 // the cell has no triangles
	isRegular cellMarks = 1 << 13 // neither it nor any of the eight cells around it is a hole or missing
)

// NewHeightField returns the terrain with the given heights: height i·columns + j is that at origin
// + (i·cellX, height, j·cellZ). A NaN makes a hole: cells with such a corner have no triangles. The
// slice is copied. The error is [ErrHeightCount] if the number of heights isn't at least two rows
// of columns, [ErrCellSize] (also for cells so small that two rows or columns are at the same
// coordinate), [ErrPoint] for the origin, or wraps [ErrHeight] and names the height.
func NewHeightField(origin Vec3, cellX, cellZ float64, columns int, heights []float64) (*HeightField, error) {
	switch {
	case columns < 2 || len(heights) < 2*columns || len(heights)%columns != 0 || len(heights) > 1<<28:
		return nil, ErrHeightCount
	case !(cellX > 0 && cellX <= maxInput && cellZ > 0 && cellZ <= maxInput):
		return nil, ErrCellSize
	case !origin.within(maxInput):
		return nil, ErrPoint
	}
	f := &HeightField{
		origin: origin, cellX: cellX, cellZ: cellZ, rows: len(heights) / columns, columns: columns,
		heights: slices.Clone(heights), bounds: NewAABB(),
	}
	low, high := math.Inf(1), math.Inf(-1)
	for k, y := range heights {
		if y < -maxInput || y > maxInput {
			return nil, fmt.Errorf("%w: row %d, column %d", ErrHeight, k/columns, k%columns)
		}
		if y == y {
			low, high = min(low, y), max(high, y)
		}
	}
	if f.isFlattened() {
		return nil, ErrCellSize
	}
	f.bounds = AABB{f.at(0, 0), f.at(f.rows-1, columns-1)}
	f.bounds.Min.Y, f.bounds.Max.Y = origin.Y+low, origin.Y+high
	if !f.bounds.Max.within(maxInput) && low <= high {
		return nil, ErrCellSize
	}
	f.both = &HeightField{
		origin: f.origin, cellX: f.cellX, cellZ: f.cellZ, rows: f.rows, columns: f.columns, heights: f.heights,
		bounds: f.bounds, twoSided: true,
	}
	f.setMarks()
	return f, nil
}

// isFlattened reports whether two rows or two columns are at the same coordinate, by rounding.
func (f *HeightField) isFlattened() bool {
	for i := 1; i < f.rows; i++ {
		if !(f.at(i, 0).X > f.at(i-1, 0).X) {
			return true
		}
	}
	for j := 1; j < f.columns; j++ {
		if !(f.at(0, j).Z > f.at(0, j-1).Z) {
			return true
		}
	}
	return false
}

// TwoSided reports whether the lower sides of the triangles are solid, too: whether the terrain is
// one of [HeightField.WithBothSides].
func (f *HeightField) TwoSided() bool { return f.twoSided }

// WithBothSides returns the terrain with both sides of its triangles solid. The two share the
// heights. The first call takes as long as making the terrain.
func (f *HeightField) WithBothSides() *HeightField {
	if f.twoSided || f.isEmpty() {
		return f
	}
	f.needBoth.Do(f.both.setMarks)
	return f.both
}

// Bounds returns a box that contains f: over the whole grid, with its holes, and from the lowest to
// the highest height. It is empty if no height is a number.
func (f *HeightField) Bounds() AABB { return f.bounds }

// Triangles returns the number of triangles, with those of holes. Triangles 2·k and 2·k+1 are those
// of cell k = i·(columns-1) + j, between rows i and i+1 and columns j and j+1. The zero HeightField
// has none.
func (f *HeightField) Triangles() int { return 2 * max(0, f.rows-1) * max(0, f.columns-1) }

// IsHole reports whether triangle k is missing, because one of the heights of its cell is NaN.
func (f *HeightField) IsHole(k int) bool {
	if k < 0 || k >= f.Triangles() {
		return true
	}
	cell := k / 2
	return !f.hasCell(cell/(f.columns-1), cell%(f.columns-1))
}

// isEmpty reports whether f is nil or the zero HeightField, neither of which has a triangle.
func (f *HeightField) isEmpty() bool { return f == nil || f.rows == 0 }

// at returns the point of row i and column j. Its Y is NaN in a hole.
func (f *HeightField) at(i, j int) Vec3 {
	return Vec3{
		f.origin.X + float64(float64(i)*f.cellX), f.origin.Y + f.heights[i*f.columns+j],
		f.origin.Z + float64(float64(j)*f.cellZ),
	}
}

// fieldCell is a cell and those around it as a small mesh of 3 by 3 cells, so that all that is
// known about edges and vertices of meshes holds for height fields.
type fieldCell struct {
	vertices  [16]Vec3
	triangles [18]meshTriangle
	empty     bool // the cell in the middle is a hole
}

// The triangles of the cell in the middle.
const (
	middleTriangle = 8
	middleCount    = 2
)

// fieldNeighbors has, for both triangles of a cell, the neighbour over each edge: the offset of its
// cell, and which of the cell's triangles it is.
var fieldNeighbors = [2][3]struct{ i, j, triangle int }{
	{{-1, 0, 1}, {0, 0, 1}, {0, -1, 1}},
	{{1, 0, 0}, {0, 0, 0}, {0, 1, 0}},
}

// surface returns c, a cell of f, as a mesh that shares its memory.
func (f *HeightField) surface(c *fieldCell) Mesh {
	both := f != nil && f.twoSided
	return Mesh{vertices: c.vertices[:], blocks: fieldBlocks[:], triangles: c.triangles[:], twoSided: both}
}

// fieldBlocks says that all triangles of a fieldCell share its vertices.
var fieldBlocks [(len(fieldCell{}.triangles) + meshBlock - 1) / meshBlock]uint32

// cell sets c to the cell between rows i and i+1 and columns j and j+1, and to those around it. m
// is its surface.
func (f *HeightField) cell(c *fieldCell, m *Mesh, i, j int) {
	marks := f.marks[i*f.columns+j]
	if c.empty = marks&isHole != 0; c.empty {
		return
	}
	if marks&isRegular != 0 {
		c.triangles = regularCell
		for k := range c.vertices {
			c.vertices[k] = f.at(i-1+k/4, j-1+k%4)
		}
	} else {
		f.irregularCell(c, i, j)
	}
	number := uint32(2 * (i*(f.columns-1) + j))
	for k := range uint32(middleCount) {
		t := &c.triangles[middleTriangle+k]
		t.original = number + k
		for e := range t.sides {
			t.sides[e] |= uint32(marks>>(3*int(k)+e)&1)*testsEdge | uint32(marks>>(6+3*int(k)+e)&1)*testsVertex
		}
	}
}

// irregularCell is cell where there are holes, or cells are missing.
func (f *HeightField) irregularCell(c *fieldCell, i, j int) {
	c.triangles = regularCell
	for k := range c.vertices {
		if x, z := i-1+k/4, j-1+k%4; x >= 0 && z >= 0 && x < f.rows && z < f.columns {
			c.vertices[k] = f.at(x, z)
		}
	}
	for k := range c.triangles {
		for e, n := range fieldNeighbors[k%2] {
			if !f.hasCell(i-1+k/6+n.i, j-1+k/2%3+n.j) {
				c.triangles[k].sides[e] = noNeighbor
			}
		}
	}
}

// regularCell is the triangles of a fieldCell without holes.
var regularCell = func() (triangles [18]meshTriangle) {
	for k := range triangles {
		x, z := k/6, k/2%3
		v := uint8(4*x + z)
		t := &triangles[k]
		if t.corners = [3]uint8{v, v + 1, v + 4}; k%2 == 1 {
			t.corners = [3]uint8{v + 5, v + 4, v + 1}
		}
		for e, n := range fieldNeighbors[k%2] {
			t.sides[e] = noNeighbor
			if nx, nz := x+n.i, z+n.j; nx >= 0 && nx < 3 && nz >= 0 && nz < 3 {
				t.sides[e] = uint32(2*(3*nx+nz) + n.triangle)
			}
		}
	}
	return triangles
}()

// hasCell reports whether there is a cell with first row i and first column j that is no hole.
func (f *HeightField) hasCell(i, j int) bool {
	return i >= 0 && j >= 0 && i < f.rows-1 && j < f.columns-1 && f.marks[i*f.columns+j]&isHole == 0
}

// setMarks finds out which edges and corners are tested: of those that are sharp, as
// [Mesh.isSharp] says, each is by the first of the triangles that share it.
func (f *HeightField) setMarks() {
	f.marks = make([]cellMarks, len(f.heights))
	for k := range f.marks {
		i, j := k/f.columns, k%f.columns
		if i+1 == f.rows || j+1 == f.columns || math.IsNaN(f.heights[k]+f.heights[k+1]+
			f.heights[k+f.columns]+f.heights[k+f.columns+1]) {
			f.marks[k] = isHole
		}
	}
	sharp := make([]bool, len(f.heights)) // corners
	for i := range f.rows {
		for j := range f.columns {
			here, next := gridPoint{i, j}, gridPoint{i, j + 1}
			above, across := gridPoint{i + 1, j}, gridPoint{i + 1, j + 1}
			// Edge 0 of triangle 1 in the row before is edge 0 of triangle 0 here, edge 2 of
			// triangle 1 in the column before is edge 2 of triangle 0, and edge 1 is between the
			// two triangles here.
			f.markEdge(sharp, [4]gridPoint{next, here, {i - 1, j + 1}, above}, gridPoint{i - 1, j}, 3, here, 0)
			f.markEdge(sharp, [4]gridPoint{here, above, {i + 1, j - 1}, next}, gridPoint{i, j - 1}, 5, here, 2)
			f.markEdge(sharp, [4]gridPoint{next, above, here, across}, here, 1, here, 4)
		}
	}
	for k, is := range sharp {
		if is {
			f.markCorner(k/f.columns, k%f.columns)
		}
	}
	for k := range f.marks {
		i, j, regular := k/f.columns, k%f.columns, isRegular
		for near := range 9 {
			if !f.hasCell(i-1+near/3, j-1+near%3) {
				regular = 0
			}
		}
		f.marks[k] |= regular
	}
}

// gridPoint is a row and a column: of a height, or of the first height of a cell.
type gridPoint struct{ i, j int }

// markEdge marks the edge between p[0] and p[1] if it is sharp: that of cell one with the given
// bit, whose triangle has p[2] as its third corner, or of cell other, if there is no cell one.
func (f *HeightField) markEdge(sharp []bool, p [4]gridPoint, one gridPoint, bit int, other gridPoint, otherBit int) {
	has, hasOther := f.hasCell(one.i, one.j), f.hasCell(other.i, other.j)
	if has && hasOther {
		var at [4]Vec3
		for k := range at {
			at[k] = f.at(p[k].i, p[k].j)
		}
		if o := Orientation(at[0], at[1], at[2], at[3]); o == 0 || o > 0 && !f.twoSided {
			return
		}
	}
	switch {
	case has:
		f.marks[one.i*f.columns+one.j] |= 1 << bit
	case hasOther:
		f.marks[other.i*f.columns+other.j] |= 1 << otherBit
	default:
		return
	}
	sharp[p[0].i*f.columns+p[0].j], sharp[p[1].i*f.columns+p[1].j] = true, true
}

// markCorner marks a corner for the first triangle that has it: corner 0 of triangle 1, or a corner
// of triangle 0.
func (f *HeightField) markCorner(i, j int) {
	for k, cell := range [4]gridPoint{{i - 1, j - 1}, {i - 1, j}, {i, j - 1}, {i, j}} {
		if f.hasCell(cell.i, cell.j) {
			f.marks[cell.i*f.columns+cell.j] |= 1 << (9 - k)
			return
		}
	}
}

// each calls test for the cells that a box around p with the given half extents may touch while it
// moves at v from time 0 to end, in the order of rows along the motion. test returns the new end.
func (f *HeightField) each(p, v, half Vec3, end float64, test func(i, j int) float64) {
	if f.isEmpty() || f.bounds.IsEmpty() {
		return
	}
	size := p.MaxAbs() + half.MaxAbs() + f.bounds.Min.MaxAbs() + f.bounds.Max.MaxAbs()
	margin := float64(0x1p-44 * size)
	half = half.Add(Vec3{margin, margin, margin})
	start := 0.0
	end = min(end, longestSweep) // so that what doesn't move is somewhere at the end

	for k := range 3 { // the time in which the box is in the bounds
		from, to, ok := passing(f.bounds.Min.Component(k), f.bounds.Max.Component(k), p.Component(k), v.Component(k),
			half.Component(k))
		if !ok {
			return
		}
		start, end = max(start, from), min(end, to)
	}
	if !(start <= end) {
		return
	}
	row := func(t float64, side float64) int {
		x := (p.X + float64(v.X*t) + float64(side*half.X) - f.origin.X) / f.cellX
		return int(max(0, min(math.Floor(x), float64(f.rows-2))))
	}
	first, last, step := row(start, -1), row(end, 1), 1
	if v.X < 0 {
		first, last, step = row(start, 1), row(end, -1), -1
	}
	// One more on both sides, for the rounding of positions.
	first, last = max(0, min(first-step, f.rows-2)), max(0, min(last+step, f.rows-2))
	for i := first; ; i += step {
		from, to, ok := passing(f.at(i, 0).X, f.at(i+1, 0).X, p.X, v.X, half.X)
		from, to = max(from, start), min(to, end)
		if ok && from <= to {
			end = f.eachInRow(i, p, v, half, from, to, end, test)
		}
		if i == last {
			return
		}
	}
}

// eachInRow calls test for the cells of row i that the box may touch between two times.
func (f *HeightField) eachInRow(
	i int, p, v, half Vec3, from, to, end float64, test func(i, j int) float64,
) float64 {
	a, b := p.AddScaled(from, v), p.AddScaled(to, v)
	slack := float64(0x1p-44 * (a.MaxAbs() + b.MaxAbs()))
	low, high := min(a.Y, b.Y)-half.Y-slack-f.origin.Y, max(a.Y, b.Y)+half.Y+slack-f.origin.Y
	column := func(z float64) int {
		return int(max(0, min(math.Floor((z-f.origin.Z)/f.cellZ), float64(f.columns-2))))
	}
	first := max(0, column(min(a.Z, b.Z)-half.Z-slack)-1)
	last := min(f.columns-2, column(max(a.Z, b.Z)+half.Z+slack)+1)
	for j := first; j <= last; j++ {
		k := i*f.columns + j
		h := [4]float64{f.heights[k], f.heights[k+1], f.heights[k+f.columns], f.heights[k+f.columns+1]}
		top, bottom := max(h[0], h[1], h[2], h[3]), min(h[0], h[1], h[2], h[3]) // NaN in a hole
		if top >= low && bottom <= high {
			end = min(end, test(i, j))
		}
	}
	return end
}

// passing returns when the interval from p-half to p+half, which moves at v, overlaps that from low
// to high, with a margin for rounding. It is false if it never does.
func passing(low, high, p, v, half float64) (from, to float64, ok bool) {
	if math.Abs(v) < minSpeed {
		return math.Inf(-1), math.Inf(1), p+half >= low && p-half <= high
	}
	from, to = (low-half-p)/v, (high+half-p)/v
	if v < 0 {
		from, to = to, from
	}
	return from - float64(0x1p-50*math.Abs(from)), to + float64(0x1p-50*math.Abs(to)), true
}

// SweepSphereHeightField returns the first contact of a, moving at va, with the terrain b, moving
// at vb, within horizon seconds. The rules are those of [SweepSphereMesh].
func SweepSphereHeightField(a Sphere, va Vec3, b *HeightField, vb Vec3, horizon float64) (MeshContact, Outcome) {
	var c fieldCell
	m := b.surface(&c)
	s := meshSweep{m: &m}
	if !s.begin(a, va, vb, horizon) {
		return MeshContact{}, Miss
	}
	b.each(a.Center, s.v, Vec3{a.Radius, a.Radius, a.Radius}, horizon, func(i, j int) float64 {
		b.cell(&c, &m, i, j)
		if !c.empty {
			for k := range uint32(middleCount) {
				s.triangle(middleTriangle + k)
			}
		}
		return s.end
	})
	return s.contact(a, va, vb)
}

// SweepHeightField returns the first contact of a, moving at va, with the terrain b, moving at vb,
// within horizon seconds. The rules are those of [SweepMesh].
func SweepHeightField(a Convex, va Vec3, b *HeightField, vb Vec3, horizon float64) (MeshContact, Outcome) {
	if ball, ok := a.(Sphere); ok {
		return SweepSphereHeightField(ball, va, b, vb, horizon)
	}
	if capsule, ok := a.(Capsule); ok && capsule.A != capsule.B {
		return sweepCapsuleHeightField(capsule, va, b, vb, horizon)
	}
	var c fieldCell
	m := b.surface(&c)
	s, ok := newConvexMeshSweep(&m, a, va, vb, horizon)
	if !ok {
		return MeshContact{}, Miss
	}
	b.each(s.center, va.Sub(vb), s.half, horizon, func(i, j int) float64 {
		b.cell(&c, &m, i, j)
		if !c.empty {
			for k := range uint32(middleCount) {
				s.triangle(a, va, middleTriangle+k, vb)
			}
		}
		return s.end
	})
	return s.best, s.outcome
}

// sweepCapsuleHeightField is SweepHeightField for a capsule.
func sweepCapsuleHeightField(a Capsule, va Vec3, b *HeightField, vb Vec3, horizon float64) (MeshContact, Outcome) {
	if b.isEmpty() {
		return MeshContact{}, Miss
	}
	scratch := b.takeScratch()
	defer b.scratch.Put(scratch)
	var s capsuleMeshSweep
	if !s.begin(&scratch.mesh, a, va, vb, horizon) {
		return MeshContact{}, Miss
	}
	b.each(s.center, s.motion, s.half, horizon, func(i, j int) float64 {
		corners := [4]Vec3{b.at(i, j), b.at(i, j+1), b.at(i+1, j), b.at(i+1, j+1)}
		first := s.isOutside(&corners[0], &corners[1], &corners[2])
		second := s.isOutside(&corners[3], &corners[2], &corners[1])
		if first && second {
			return s.end
		}
		if !b.fill(scratch, i, j) {
			return s.end
		}
		var t nearTriangle
		if !first {
			t.set(s.m, middleTriangle, &[3]Vec3{corners[0], corners[1], corners[2]})
			s.within(&t, va, vb)
		}
		if !second {
			t.set(s.m, middleTriangle+1, &[3]Vec3{corners[3], corners[2], corners[1]})
			s.within(&t, va, vb)
		}
		return s.end
	})
	return s.result(va, vb)
}

// RayCastHeightField returns the first point where r meets the terrain f, at most
// horizon lengths of r.Direction away. The rules are those of [RayCastMesh].
func RayCastHeightField(r Ray, f *HeightField, horizon float64) (MeshContact, Outcome) {
	if !r.Origin.within(maxInput) || !r.Direction.within(maxInput) || !(horizon >= 0) {
		return MeshContact{}, Miss
	}
	var c fieldCell
	m := f.surface(&c)
	var best MeshContact
	outcome, end := Miss, horizon
	f.each(r.Origin, r.Direction, Vec3{}, horizon, func(i, j int) float64 {
		if f.cell(&c, &m, i, j); c.empty {
			return end
		}
		for k := range uint32(middleCount) {
			t, n, ok := m.rayTriangle(r, middleTriangle+k, end)
			number := int(c.triangles[middleTriangle+k].original)
			if !ok || outcome == Hit && t == end && number > best.Triangle {
				continue
			}
			at := r.Origin.AddScaled(t, r.Direction)
			best, outcome, end = MeshContact{Contact{Time: t, Point: at, Normal: n, CenterA: at}, number}, Hit, t
		}
		return end
	})
	return best, outcome
}

// Height returns the height of the terrain at x and z, and false outside of it and in a hole.
func (f *HeightField) Height(x, z float64) (float64, bool) {
	i, j := math.Floor((x-f.origin.X)/f.cellX), math.Floor((z-f.origin.Z)/f.cellZ)
	i, j = min(i, float64(f.rows-2)), min(j, float64(f.columns-2)) // the far rim belongs to the last cell
	if !(i >= 0 && j >= 0) {
		return 0, false
	}
	a, d := f.at(int(i), int(j)), f.at(int(i)+1, int(j)+1)
	b, c := f.at(int(i), int(j)+1), f.at(int(i)+1, int(j))
	u, w := (x-a.X)/f.cellX, (z-a.Z)/f.cellZ
	if !(u <= 1 && w <= 1) {
		return 0, false
	}
	y := a.Y + float64((c.Y-a.Y)*u) + float64((b.Y-a.Y)*w)
	if u+w > 1 {
		y = d.Y + float64((b.Y-d.Y)*(1-u)) + float64((c.Y-d.Y)*(1-w))
	}
	return y, a.Y-a.Y+b.Y-b.Y+c.Y-c.Y+d.Y-d.Y == 0
}
