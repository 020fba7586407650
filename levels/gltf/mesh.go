package gltf

import (
	"errors"
	"fmt"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// triangles are the triangles of a mesh, in the world's units.
type triangles struct {
	vertices []collide.Vec3
	indices  []uint32
}

// meshKey tells which nodes can share a mesh.
type meshKey struct {
	mesh     int
	scale    linear
	twoSided bool
}

// triangles returns the triangles of a mesh, with its vertices multiplied by scale.
func (l *loader) triangles(index int, scale linear) (t triangles, err error) {
	if index < 0 || index >= len(l.doc.Meshes) || l.doc.Meshes[index] == nil {
		return t, errors.New("it doesn't exist")
	}
	mirrored := scale.determinant() < 0
	for i, p := range l.doc.Meshes[index].Primitives {
		if p == nil {
			return t, fmt.Errorf("primitive %d is null", i)
		}
		corners, ok := cornersOf[p.Mode]
		if !ok {
			continue // points or lines
		}
		vertices, indices, err := l.primitive(p)
		if err != nil {
			return t, fmt.Errorf("primitive %d: %w", i, err)
		}
		first := uint32(len(t.vertices))
		for _, v := range vertices {
			t.vertices = append(t.vertices, l.r.Direction(scale.apply(v)))
		}
		for k := 0; ; k++ {
			a, b, c, ok := corners(k, len(indices))
			if !ok {
				break
			}
			if mirrored {
				b, c = c, b
			}
			for _, j := range [3]int{a, b, c} {
				if int(indices[j]) >= len(vertices) {
					return t, fmt.Errorf("primitive %d: triangle %d names vertex %d of %d", i, k, indices[j],
						len(vertices))
				}
				t.indices = append(t.indices, first+indices[j])
			}
		}
	}
	return t, nil
}

// cornersOf returns the corners of triangle k of n indices, for each mode that has triangles.
var cornersOf = map[gltf.PrimitiveMode]func(k, n int) (a, b, c int, ok bool){
	gltf.PrimitiveTriangles: func(k, n int) (a, b, c int, ok bool) { return 3 * k, 3*k + 1, 3*k + 2, 3*k+2 < n },
	gltf.PrimitiveTriangleStrip: func(k, n int) (a, b, c int, ok bool) {
		return k, k + 1 + k%2, k + 2 - k%2, k+2 < n
	},
	gltf.PrimitiveTriangleFan: func(k, n int) (a, b, c int, ok bool) { return 0, k + 1, k + 2, k+2 < n },
}

// primitive reads positions and indices.
func (l *loader) primitive(p *gltf.Primitive) (vertices []collide.Vec3, indices []uint32, err error) {
	position, ok := p.Attributes[gltf.POSITION]
	if !ok {
		return nil, nil, errors.New("it has no positions")
	}
	a, err := l.accessor(position)
	if err != nil {
		return nil, nil, fmt.Errorf("positions: %w", err)
	}
	if err := guard(func() (err error) { vertices, err = l.positions(a); return err }); err != nil {
		return nil, nil, fmt.Errorf("positions: %w", err)
	}
	if p.Indices == nil {
		for i := range vertices {
			indices = append(indices, uint32(i))
		}
		return vertices, indices, nil
	}
	if a, err = l.accessor(*p.Indices); err != nil {
		return nil, nil, fmt.Errorf("indices: %w", err)
	}
	if err := guard(func() (err error) { indices, err = modeler.ReadIndices(l.doc, a, nil); return err }); err != nil {
		return nil, nil, fmt.Errorf("indices: %w", err)
	}
	return vertices, indices, nil
}

// positions reads positions, which are integers in a file with the extension KHR_mesh_quantization.
func (l *loader) positions(a *gltf.Accessor) ([]collide.Vec3, error) {
	data, err := modeler.ReadAccessor(l.doc, a, nil)
	if err != nil {
		return nil, err
	}
	switch v := data.(type) {
	case [][3]float32:
		return vectors(v, 1), nil
	case [][3]int8:
		return quantized(v, math.MaxInt8, a.Normalized), nil
	case [][3]uint8:
		return quantized(v, math.MaxUint8, a.Normalized), nil
	case [][3]int16:
		return quantized(v, math.MaxInt16, a.Normalized), nil
	case [][3]uint16:
		return quantized(v, math.MaxUint16, a.Normalized), nil
	}
	return nil, fmt.Errorf("they are of type %T, and not three floats, bytes or shorts each", data)
}

// quantized converts positions that are integers. Normalized ones are between -1 and 1.
func quantized[N int8 | uint8 | int16 | uint16](all [][3]N, largest float64, normalized bool) []collide.Vec3 {
	if !normalized {
		return vectors(all, 1)
	}
	v := vectors(all, 1/largest)
	for i := range v {
		v[i] = collide.Vec3{X: max(v[i].X, -1), Y: max(v[i].Y, -1), Z: max(v[i].Z, -1)}
	}
	return v
}

// vectors converts positions, and multiplies them by scale.
func vectors[N int8 | uint8 | int16 | uint16 | float32](all [][3]N, scale float64) []collide.Vec3 {
	v := make([]collide.Vec3, len(all))
	for i, p := range all {
		v[i] = collide.Vec3{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}.Scale(scale)
	}
	return v
}

// maxElements limits accessors without data of their own, which are all zeros.
const maxElements = 1 << 22

// accessor returns an accessor whose count fits its data, so that reading it takes no more memory
// than the file.
func (l *loader) accessor(index int) (*gltf.Accessor, error) {
	if index < 0 || index >= len(l.doc.Accessors) || l.doc.Accessors[index] == nil {
		return nil, fmt.Errorf("accessor %d doesn't exist", index)
	}
	a := l.doc.Accessors[index]
	room := maxElements
	if a.BufferView != nil {
		if *a.BufferView < 0 || *a.BufferView >= len(l.doc.BufferViews) || l.doc.BufferViews[*a.BufferView] == nil {
			return nil, fmt.Errorf("accessor %d: buffer view %d doesn't exist", index, *a.BufferView)
		}
		view := l.doc.BufferViews[*a.BufferView]
		size := max(gltf.SizeOfElement(a.ComponentType, a.Type), 1)
		room = (view.ByteLength - a.ByteOffset) / size
		if a.ByteOffset < 0 || view.ByteLength < a.ByteOffset {
			room = 0
		}
	}
	if a.Count < 0 || a.Count > room {
		return nil, fmt.Errorf("accessor %d has %d elements, and data for %d", index, a.Count, room)
	}
	if sparse := a.Sparse; sparse != nil && (sparse.Count < 0 || sparse.Count > a.Count) {
		return nil, fmt.Errorf("accessor %d has %d elements, and %d sparse ones", index, a.Count, sparse.Count)
	}
	return a, nil
}

// mesh returns the mesh of a node, which nodes with the same triangles share; nil if no triangle
// has an area.
func (l *loader) mesh(index int, scale linear, t triangles, twoSided bool, name string) (*collide.Mesh, error) {
	key := meshKey{index, scale, twoSided}
	if m, ok := l.meshes[key]; ok {
		return m, nil
	}
	m, err := l.build(t, twoSided, fmt.Sprintf("node %q", name))
	if err != nil {
		return nil, fmt.Errorf("mesh %d: %w", index, err)
	}
	l.meshes[key] = m
	return m, nil
}

// build makes a mesh, and warns of its T-junctions. If no triangle has an area, such as where a
// node is scaled to a line, it warns of that and returns nil.
func (l *loader) build(t triangles, twoSided bool, what string) (*collide.Mesh, error) {
	m, err := collide.NewMesh(t.vertices, t.indices, collide.MeshOptions{
		Weld: l.options.Weld, TwoSided: twoSided, SkipDegenerate: true,
	})
	if errors.Is(err, collide.ErrIndexCount) { // all triangles are skipped, since there are some
		l.level.Warnings = append(l.level.Warnings, fmt.Errorf(
			"gltf: %s: none of its %d triangles has an area, so it has no collider", what, len(t.indices)/3))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if found := m.TJunctions(); len(found) > 0 {
		l.level.Warnings = append(l.level.Warnings, fmt.Errorf(
			"gltf: %s: %d T-junctions, the first is %+v; bodies may stumble where a vertex lies on an edge", what,
			len(found), found[0]))
	}
	return m, nil
}

// part is the triangles of all nodes that become one mesh.
type part struct {
	triangles
	object levels.ObjectData
}

// mergeKey tells which nodes can become one mesh.
type mergeKey struct {
	read.Settings
	twoSided bool
}

// addPart adds the triangles of a node to what becomes one mesh.
func (l *loader) addPart(o levels.ObjectData, s read.Settings, t triangles) {
	key := mergeKey{s, o.Properties.Bool("twoSided")}
	i, ok := l.merged[key]
	if !ok {
		i = len(l.parts)
		l.merged[key] = i
		first := levels.ObjectData{Properties: levels.Properties{"twoSided": key.twoSided}, Constant: true}
		s.Apply(&first)
		l.parts = append(l.parts, part{object: first})
	}
	p := &l.parts[i]
	base := uint32(len(p.vertices))
	for _, v := range t.vertices {
		p.vertices = append(p.vertices, o.Position.Add(o.Rotation.Rotate(v)))
	}
	for _, k := range t.indices {
		p.indices = append(p.indices, base+k)
	}
}

// merge adds the meshes that nodes have become together, before all other objects.
func (l *loader) merge() error {
	var all []levels.ObjectData
	for i := range l.parts {
		p := &l.parts[i]
		m, err := l.build(p.triangles, p.object.Properties.Bool("twoSided"), "merged nodes")
		if err != nil {
			return fmt.Errorf("merged nodes: %w", err)
		}
		if m == nil {
			continue
		}
		p.object.Shape = m
		all = append(all, p.object)
	}
	l.level.Objects = append(all, l.level.Objects...)
	return nil
}
