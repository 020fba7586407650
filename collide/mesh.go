package collide

import (
	"errors"
	"strconv"
)

// Errors returned by [NewMesh], in addition to [ErrPoint].
var (
	ErrIndexCount = errors.New("collide: a mesh needs three indices for each triangle, and a triangle")
	ErrIndex      = errors.New("collide: an index of a mesh is out of range")
	ErrDegenerate = errors.New("collide: a triangle of a mesh has no area")
	ErrMeshOption = errors.New("collide: the welding distance of a mesh is negative, NaN or infinite")
	ErrLargeMesh  = errors.New("collide: a mesh has at most 2^29 triangles")
)

// MeshError is an error in one triangle or vertex of a mesh. Err is [ErrIndex], [ErrDegenerate] or
// [ErrPoint].
type MeshError struct {
	Err error
	// Triangle is the number of the triangle, or -1 for an error in a vertex.
	Triangle int
	// Vertex is the number of the vertex, or -1 for a triangle without area.
	Vertex int
}

// MeshOptions are the options of [NewMesh]. The zero value welds equal vertices only, and makes the
// mesh one-sided.
type MeshOptions struct {
	// Weld is the distance in metres up to which vertices are merged into one. Pieces of a level
	// that touch, but whose vertices differ by rounding, leave steps at which bodies stumble.
	Weld float64
	// TwoSided makes both sides of all triangles solid. Otherwise the back of a triangle, from
	// which its corners run clockwise, is open: what comes from there passes.
	TwoSided bool
	// SkipDegenerate leaves triangles out that have no area, also after welding. Otherwise they are
	// errors.
	SkipDegenerate bool
}

// TJunction is a vertex in the middle of an edge of a triangle that doesn't have it as a corner. At
// such places, rounding may leave a gap or a step. Adding the vertex to the triangle's side, by
// dividing the triangle, removes it.
type TJunction struct {
	Vertex   Vec3 // metres
	Triangle int  // number of the triangle
	Edge     int  // 0 to 2; from corner Edge to the next
}

// Mesh is a set of triangles, such as a level, with what is needed to find those near a moving
// shape. Meshes are made by [NewMesh]. They are immutable, so any number of shapes may share one.
//
// No sweep reports an edge or a corner where the surface is flat or concave: where a body slides
// over the seam of two triangles, there is nothing to stumble over. A contact with an edge has a
// normal between those of its two faces, and a contact with a vertex one in the cone of normals
// around it.
type Mesh struct {
	triangles []meshTriangle
	vertices  []Vec3   // of the first block of triangles, then those of the next one, and so on
	blocks    []uint32 // the first vertex of each block
	nodes     []meshNode
	treeScale float64 // of the coordinates in the tree, a power of two
	bounds    AABB
	extent    float64 // largest coordinate
	twoSided  bool
	allSharp  bool  // all edges and corners are tested: the marks of triangles are for the front only
	both      *Mesh // of a one-sided mesh, the same with both sides solid
	junctions []TJunction
}

// meshTriangle is a triangle of a mesh. Triangles are in the order of the leaves of the tree.
type meshTriangle struct {
	// For edge k, from corner k to the next, the triangle on its other side, or noNeighbor. The two
	// highest bits are testsEdge and testsVertex.
	sides    [3]uint32
	original uint32   // its number in the indices given
	corners  [3]uint8 // among the vertices of its block
}

// meshBlock is the number of triangles that have vertices of their own, so that a cast can load
// these together with the triangles; see loadBlock. A smaller number takes more memory: vertices
// that several blocks share are stored in each. With a larger one, more is loaded than needed.
const meshBlock = 16

// Each edge and vertex at which the mesh isn't flat or concave is tested by one of the triangles
// that share it. These bits mark edge k and corner k.
const (
	testsEdge   = 1 << 31
	testsVertex = 1 << 30
)

// noNeighbor marks the edges without a neighbour: those at the rim, and those that more than two
// triangles share or that two share in the same direction.
const noNeighbor = 1<<30 - 1

// neighbor returns the triangle on the other side of edge k, or noNeighbor.
func (t *meshTriangle) neighbor(k int) uint32 { return t.sides[k] & noNeighbor }

// NewMesh returns the mesh of triangles between vertices. Each three indices are the corners of a
// triangle, counter-clockwise when seen from its front. Vertices at most options.Weld apart become
// one, the first of them. Of triangles that are there twice, facing the same side, the first
// counts. The error is
//
//   - [ErrIndexCount] if the number of indices isn't a positive multiple of three,
//   - [ErrMeshOption] for a welding distance that is negative, NaN or infinite,
//   - [ErrLargeMesh] for more than 2^29 triangles,
//   - a [*MeshError] with [ErrIndex], [ErrPoint] (a coordinate is NaN, infinite or beyond 1e72), or
//     [ErrDegenerate] (the corners of a triangle lie exactly on one line, or are welded).
//
// The slices aren't kept. Building takes about 1 µs a triangle, and the mesh about 60 bytes a
// triangle.
func NewMesh(vertices []Vec3, indices []uint32, options MeshOptions) (*Mesh, error) {
	if len(indices) == 0 || len(indices)%3 != 0 {
		return nil, ErrIndexCount
	}
	if !(options.Weld >= 0 && options.Weld <= maxInput) {
		return nil, ErrMeshOption
	}
	if len(indices)/3 > 1<<29 {
		return nil, ErrLargeMesh
	}
	for i, v := range vertices {
		if !v.within(maxInput) {
			return nil, &MeshError{ErrPoint, -1, i}
		}
	}
	for i, k := range indices {
		if int(k) >= len(vertices) {
			return nil, &MeshError{ErrIndex, i / 3, int(k)}
		}
	}
	m := new(Mesh)
	b := meshBuilder{m: m}
	for twice := true; twice; { // again without what is there twice, which few meshes have
		*m = Mesh{twoSided: options.TwoSided}
		if err := b.weld(vertices, indices, options); err != nil {
			return nil, err
		}
		b.buildTree()
		b.renumber()
		b.setBlocks()
		twice = b.connect()
	}
	b.classify()
	b.findJunctions(options.Weld)
	if !m.twoSided {
		both := *m
		both.twoSided, both.allSharp = true, true
		m.both = &both
	}
	return m, nil
}

// Triangles returns the number of triangles, without those that [NewMesh] has left out.
func (m *Mesh) Triangles() int { return len(m.triangles) }

// isEmpty reports whether m is nil or the zero Mesh, neither of which has a triangle.
func (m *Mesh) isEmpty() bool { return m == nil || len(m.nodes) == 0 }

// Bounds returns the smallest box that contains the mesh.
func (m *Mesh) Bounds() AABB { return m.bounds }

// TwoSided reports whether both sides of the triangles are solid.
func (m *Mesh) TwoSided() bool { return m.twoSided }

// WithBothSides returns the mesh with both sides of its triangles solid. The two share their
// memory.
func (m *Mesh) WithBothSides() *Mesh {
	if m.twoSided || m.isEmpty() {
		return m
	}
	return m.both
}

// TJunctions returns the vertices that lie in the middle of another triangle's edge, at most as far
// off it as the welding distance, or as rounding allows. There are none in a well-made mesh. The
// caller must not change the slice.
func (m *Mesh) TJunctions() []TJunction { return m.junctions }

// Bytes returns the memory that the mesh takes.
func (m *Mesh) Bytes() int {
	return len(m.vertices)*24 + len(m.triangles)*20 + len(m.blocks)*4 + len(m.nodes)*128 + len(m.junctions)*40
}

// triangle returns the corners of the triangle at index k of the tree's order.
func (m *Mesh) triangle(k uint32) Triangle {
	a, b, c := m.corners(k)
	return Triangle{*a, *b, *c}
}

// corners returns where the corners of triangle k are.
func (m *Mesh) corners(k uint32) (a, b, c *Vec3) {
	of, t := m.vertices[m.blocks[k/meshBlock]:], &m.triangles[k].corners
	return &of[t[0]], &of[t[1]], &of[t[2]]
}

// corner returns corner i of triangle k.
func (m *Mesh) corner(k uint32, i int) Vec3 {
	return m.vertices[m.blocks[k/meshBlock]+uint32(m.triangles[k].corners[i])]
}

// Error names the vertex or triangle.
func (e *MeshError) Error() string {
	switch {
	case e.Triangle < 0:
		return e.Err.Error() + ": " + "vertex " + strconv.Itoa(e.Vertex)
	case e.Vertex < 0:
		return e.Err.Error() + ": " + "triangle " + strconv.Itoa(e.Triangle)
	}
	return e.Err.Error() + ": " + "vertex " + strconv.Itoa(e.Vertex) + " of triangle " + strconv.Itoa(e.Triangle)
}

// Unwrap returns e.Err.
func (e *MeshError) Unwrap() error { return e.Err }
