// Package gltf reads levels from glTF 2.0 (https://www.khronos.org/gltf), files ending in .glb or
// .gltf, as Blender and others write them. It uses github.com/qmuntal/gltf.
//
// Each node is an object, in the order of the file from the roots down. A node with a mesh is solid
// unless the property "collider" of it or of a node above it says otherwise. Properties are the
// node's extras, which are custom properties in Blender, where the export has to include them.
//
// The property "shape" of a node says what its collider is:
//
//   - mesh, the default: its triangles. They stop what comes from their front, or from both sides
//     if the property "twoSided" is true.
//   - hull: their convex hull
//   - box, sphere, capsule, cylinder: as large as the bounds of the mesh in the node's own frame.
//     Capsules and cylinders stand along Y, which is Blender's Z.
//
// Triggers are boxes unless they have a shape, and no meshes. Skinned nodes are only listed, and so
// are nodes without triangles. Positions may be integers, as the extension KHR_mesh_quantization
// stores them. Compressed meshes (Draco, meshopt) are errors.
package gltf

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/internal/read"
	"github.com/qmuntal/gltf"
)

// Options are the options of [Load].
type Options struct {
	levels.Options

	// Weld is the distance in the world's units up to which vertices of a mesh are merged. See
	// [collide.MeshOptions].
	Weld float64

	// Merge makes one mesh of all static nodes with triangles and the same settings, in the world's
	// frame, so that vertices of different nodes are welded, too. The nodes stay in the list, as
	// objects of the kind None.
	Merge bool
}

// Load reads a scene from fsys: the default one, or else the first one. An error names the node
// that it is about.
func Load(fsys fs.FS, name string, options Options) (*levels.Level, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	folder, err := fs.Sub(fsys, path.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	doc := &gltf.Document{}
	err = guard(func() error { return gltf.NewDecoderFS(bytes.NewReader(data), folder).Decode(doc) })
	if err != nil {
		return nil, fmt.Errorf("gltf: %s: %w", name, err)
	}
	for _, n := range doc.Nodes {
		if n != nil && n.Scale == ([3]float64{}) { // 0 in the file; FromDocument takes that for no scale
			n.Scale = [3]float64{hidden, hidden, hidden}
		}
		if n != nil && n.Matrix == ([16]float64{}) {
			n.Matrix = [16]float64{0: hidden, 5: hidden, 10: hidden, 15: 1}
		}
	}
	l, err := FromDocument(doc, options)
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, name)
	}
	return l, nil
}

// hidden is a scale at which a node has no collider: files hide things by a scale of 0.
const hidden = 1e-300

// guard makes an error of a panic of the decoder.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the decoder failed: %v", p)
		}
	}()
	return do()
}

// unreadable are the extensions that pack meshes in a way that only they explain.
var unreadable = map[string]bool{
	"KHR_draco_mesh_compression": true, "EXT_meshopt_compression": true, "KHR_meshopt_compression": true,
}

// FromDocument makes a level of a document. An error names the node that it is about.
func FromDocument(doc *gltf.Document, options Options) (*levels.Level, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	if !(options.Weld >= 0 && options.Weld <= components.MaxCoordinate) {
		return nil, fmt.Errorf("gltf: Options.Weld %v is negative or not finite", options.Weld)
	}
	for _, e := range doc.ExtensionsRequired {
		if unreadable[e] {
			return nil, fmt.Errorf("gltf: the file needs %s; export it without compression", e)
		}
	}
	l := &loader{
		doc: doc, options: options, r: read.Reader{Options: options.Options}, meshes: map[meshKey]*collide.Mesh{},
		above: make([]bool, len(doc.Nodes)), merged: map[mergeKey]int{},
	}
	roots, err := l.roots()
	if err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	base := read.Settings{Kind: levels.Solid}
	for _, n := range roots {
		if err := l.node(n, identity, base, ""); err != nil {
			return nil, fmt.Errorf("gltf: %w", err)
		}
	}
	if err := l.merge(); err != nil {
		return nil, fmt.Errorf("gltf: %w", err)
	}
	return &l.level, nil
}

type loader struct {
	doc     *gltf.Document
	options Options
	r       read.Reader
	level   levels.Level
	bounded bool // level.Bounds has something in it
	above   []bool
	meshes  map[meshKey]*collide.Mesh

	merged map[mergeKey]int // index of parts
	parts  []part
}

// roots returns the nodes at the top of the scene.
func (l *loader) roots() ([]int, error) {
	if len(l.doc.Scenes) == 0 {
		isChild := make([]bool, len(l.doc.Nodes))
		for i, n := range l.doc.Nodes {
			if n == nil {
				return nil, fmt.Errorf("node %d is null", i)
			}
			for _, c := range n.Children {
				if c >= 0 && c < len(isChild) {
					isChild[c] = true
				}
			}
		}
		var roots []int
		for i, child := range isChild {
			if !child {
				roots = append(roots, i)
			}
		}
		return roots, nil
	}
	i := 0
	if l.doc.Scene != nil {
		i = *l.doc.Scene
	}
	if i < 0 || i >= len(l.doc.Scenes) || l.doc.Scenes[i] == nil {
		return nil, fmt.Errorf("its scene is number %d of %d", i, len(l.doc.Scenes))
	}
	return l.doc.Scenes[i].Nodes, nil
}

// node adds a node and those below it.
func (l *loader) node(index int, parent transform, base read.Settings, layer string) error {
	if index < 0 || index >= len(l.doc.Nodes) || l.doc.Nodes[index] == nil {
		return fmt.Errorf("node %d doesn't exist", index)
	}
	n := l.doc.Nodes[index]
	where := fmt.Sprintf("node %d (%q)", index, n.Name)
	if l.above[index] {
		return fmt.Errorf("%s is below itself", where)
	}
	l.above[index] = true
	defer func() { l.above[index] = false }()
	p, err := extras(n.Extras)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	s, err := l.r.Inherit(base, p.Text("class"), p)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	world, err := parent.then(n)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	o := levels.ObjectData{Name: n.Name, Layer: layer, ID: strconv.Itoa(index), Properties: p}
	s.Apply(&o)
	if err := l.object(o, s, n, world); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	below := layer + n.Name + "/"
	for _, c := range n.Children {
		if err := l.node(c, world, s, below); err != nil {
			return err
		}
	}
	return nil
}

// extras converts the custom properties of a node.
func extras(extras any) (levels.Properties, error) {
	switch e := extras.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return e, nil
	}
	return nil, fmt.Errorf("its extras are %v, and not an object with properties", extras)
}

// checkTypes reports a property of a mesh that is of another type: it would count as absent.
func checkTypes(p levels.Properties) error {
	if v, ok := p["shape"]; ok {
		if _, ok := v.(string); !ok {
			return fmt.Errorf("property shape is %#v, and not a text", v)
		}
	}
	if v, ok := p["twoSided"]; ok {
		if _, ok := v.(bool); !ok {
			return fmt.Errorf("property twoSided is %#v, and not true or false", v)
		}
	}
	return nil
}

// object adds what a node is.
func (l *loader) object(o levels.ObjectData, s read.Settings, n *gltf.Node, world transform) error {
	if err := checkTypes(o.Properties); err != nil {
		return err
	}
	o.Position = l.r.Point(world.move)
	if !(o.Position.MaxAbs() <= components.MaxCoordinate) {
		return fmt.Errorf("its position %v is beyond 1e9", o.Position)
	}
	rotation, scale := world.split()
	o.Rotation = rotation
	if n.Mesh == nil || n.Skin != nil || world.by.isHidden() {
		o.Kind = levels.None
		l.level.Objects = append(l.level.Objects, o)
		return nil
	}
	shape := o.Properties.Text("shape")
	if shape == "" {
		shape = "mesh"
		if s.Kind == levels.Trigger {
			shape = "box"
		}
	}
	switch {
	case s.Kind == levels.OneWay:
		return errors.New("one-way platforms are for 2D; meshes stop only what comes from their front")
	case s.Kind == levels.Trigger && shape == "mesh":
		return errors.New("a trigger can't be a mesh; choose another shape")
	}
	t, err := l.triangles(*n.Mesh, scale)
	if err != nil {
		return fmt.Errorf("mesh %d: %w", *n.Mesh, err)
	}
	if len(t.indices) == 0 {
		o.Kind = levels.None
		l.level.Objects = append(l.level.Objects, o)
		return nil
	}
	box := collide.NewAABB(t.vertices...)
	o.Size = box.Max.Sub(box.Min)
	l.include(o, box)
	if s.Kind == levels.None {
		l.level.Objects = append(l.level.Objects, o)
		return nil
	}
	if shape == "mesh" {
		if l.options.Merge && !s.Kinematic {
			l.addPart(o, s, t)
			o.Kind = levels.None
		} else {
			m, err := l.mesh(*n.Mesh, scale, t, o.Properties.Bool("twoSided"), o.Name)
			switch {
			case err != nil:
				return err
			case m == nil:
				o.Kind = levels.None
			default:
				o.Shape = m
			}
		}
		l.level.Objects = append(l.level.Objects, o)
		return nil
	}
	if o.Shape, err = solidShape(shape, t, box); err != nil {
		return err
	}
	l.level.Objects = append(l.level.Objects, o)
	return nil
}

// include makes the bounds of the level include those of an object.
func (l *loader) include(o levels.ObjectData, box collide.AABB) {
	b := collide.NewPlaced(collide.Box{Center: box.Center(), Half: box.Max.Sub(box.Min).Scale(0.5)}, o.Position,
		o.Rotation).Bounds()
	if !l.bounded {
		l.level.Bounds, l.bounded = b, true
		return
	}
	l.level.Bounds = collide.NewAABB(l.level.Bounds.Min, l.level.Bounds.Max, b.Min, b.Max)
}

// solidShape returns a shape with the bounds of a mesh.
func solidShape(name string, t triangles, box collide.AABB) (collide.Shape, error) {
	c, half := box.Center(), box.Max.Sub(box.Min).Scale(0.5)
	across := max(half.X, half.Z)
	if name != "hull" && !(half.X > 0 && half.Y > 0 && half.Z > 0) {
		return nil, fmt.Errorf("its mesh is flat, and can't be a %s", name)
	}
	switch name {
	case "hull":
		return collide.NewHull(t.vertices)
	case "box":
		return collide.Box{Center: c, Half: half}, nil
	case "sphere":
		return collide.Sphere{Center: c, Radius: max(across, half.Y)}, nil
	case "cylinder":
		up := collide.Vec3{Y: half.Y}
		return collide.Cylinder{A: c.Sub(up), B: c.Add(up), Radius: across}, nil
	case "capsule":
		up := collide.Vec3{Y: max(half.Y-across, 0)}
		return collide.Capsule{A: c.Sub(up), B: c.Add(up), Radius: across}, nil
	}
	return nil, fmt.Errorf("property shape is %q, and not one of mesh, hull, box, sphere, capsule, cylinder", name)
}
