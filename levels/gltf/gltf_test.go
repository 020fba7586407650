package gltf_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/levels"
	"github.com/dango-physics/dango/levels/gltf"
	"github.com/dango-physics/dango/systems"
	format "github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"github.com/yohamta/donburi"
)

// cube adds a mesh: a box from -1 to 1 without its lower side, if it is open.
func cube(doc *format.Document) int {
	corners := [][3]float32{
		{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1},
	}
	faces := [][4]uint16{{4, 5, 6, 7}, {1, 0, 3, 2}, {5, 1, 2, 6}, {0, 4, 7, 3}, {7, 6, 2, 3}, {0, 1, 5, 4}}
	var indices []uint16
	for _, f := range faces {
		indices = append(indices, f[0], f[1], f[2], f[0], f[2], f[3])
	}
	doc.Meshes = append(doc.Meshes, &format.Mesh{Name: "cube", Primitives: []*format.Primitive{{
		Attributes: format.PrimitiveAttributes{format.POSITION: modeler.WritePosition(doc, corners)},
		Indices:    format.Index(modeler.WriteIndices(doc, indices)),
	}}})
	return len(doc.Meshes) - 1
}

// scene is a floor of two slabs, a turned and stretched ramp, a mirrored cube, and things of other
// kinds.
func scene() *format.Document {
	doc := format.NewDocument()
	mesh := format.Index(cube(doc))
	add := func(n *format.Node) int {
		doc.Nodes = append(doc.Nodes, n)
		return len(doc.Nodes) - 1
	}
	root := func(n *format.Node) {
		i := add(n)
		doc.Scenes[0].Nodes = append(doc.Scenes[0].Nodes, i)
	}
	root(&format.Node{Name: "west", Mesh: mesh, Scale: [3]float64{5, 1, 5}, Translation: [3]float64{-5, -1, 0}})
	root(&format.Node{Name: "east", Mesh: mesh, Scale: [3]float64{5, 1, 5}, Translation: [3]float64{5, -1, 0}})
	quarter := math.Sqrt(0.5)
	root(&format.Node{
		Name: "tower", Translation: [3]float64{0, 0, -20}, Rotation: [4]float64{0, quarter, 0, quarter},
		Extras: map[string]any{"friction": 0.7},
		Children: []int{
			add(&format.Node{Name: "beam", Mesh: mesh, Scale: [3]float64{4, 0.5, 0.5}, Translation: [3]float64{
				0, 3,
				0,
			}}),
			add(&format.Node{Name: "mirror", Mesh: mesh, Scale: [3]float64{-1, 1, 1}, Translation: [3]float64{
				6, 1,
				0,
			}}),
		},
	})
	root(&format.Node{Name: "goal", Mesh: mesh, Translation: [3]float64{8, 1, 0}, Extras: map[string]any{
		"collider": "trigger", "class": "goal",
	}})
	root(&format.Node{Name: "start", Translation: [3]float64{-8, 2, 0}})
	for i, shape := range []string{"hull", "box", "sphere", "capsule", "cylinder"} {
		root(&format.Node{Name: shape, Mesh: mesh, Scale: [3]float64{1, 2, 1}, Translation: [3]float64{
			float64(4 * i),
			2, 20,
		}, Extras: map[string]any{
			"shape": shape, "kinematic": shape == "box",
		}})
	}
	root(&format.Node{Name: "leaf", Mesh: mesh, Extras: map[string]any{"collider": "none"}})
	return doc
}

func from(t *testing.T, doc *format.Document, o gltf.Options) *levels.Level {
	t.Helper()
	l, err := gltf.FromDocument(doc, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNodesBecomeObjects(t *testing.T) {
	l := from(t, scene(), gltf.Options{})
	find := func(name string) *levels.ObjectData {
		o, err := l.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if len(l.Objects) != 13 {
		t.Errorf("%d objects, want 13", len(l.Objects))
	}
	if find("west").Shape != find("east").Shape {
		t.Error("two nodes with one mesh of one size have two meshes")
	}
	if o := find("beam"); o.Material.Friction != 0.7 || o.Layer != "tower/" || o.Position.Distance(collide.Vec3{
		Y: 3,
		Z: -20,
	}) > 1e-12 {
		t.Errorf("the beam is %+v", o)
	}
	beam := collide.NewPlaced(collide.Box{Half: find("beam").Size.Scale(0.5)}, find("beam").Position,
		find("beam").Rotation).Bounds()
	if want := (collide.Vec3{X: 0.5, Y: 3.5, Z: -16}); beam.Max.Distance(want) > 1e-12 {
		t.Errorf("the beam's bounds are %v, want %v", beam, want)
	}
	if o := find("goal"); o.Kind != levels.Trigger || o.Class != "goal" {
		t.Errorf("the goal is %+v", o)
	}
	if o := find("start"); o.Kind != levels.None || o.Position != (collide.Vec3{X: -8, Y: 2}) || o.Shape != nil {
		t.Errorf("the start is %+v", o)
	}
	if o := find("leaf"); o.Kind != levels.None || o.Size != (collide.Vec3{X: 2, Y: 2, Z: 2}) {
		t.Errorf("the leaf is %+v", o)
	}
	shapes := map[string]collide.Shape{
		"box":      collide.Box{Half: collide.Vec3{X: 1, Y: 2, Z: 1}},
		"sphere":   collide.Sphere{Radius: 2},
		"capsule":  collide.Capsule{A: collide.Vec3{Y: -1}, B: collide.Vec3{Y: 1}, Radius: 1},
		"cylinder": collide.Cylinder{A: collide.Vec3{Y: -2}, B: collide.Vec3{Y: 2}, Radius: 1},
	}
	for name, want := range shapes {
		if o := find(name); o.Shape != want || o.Kinematic != (name == "box") {
			t.Errorf("%s is %+v, kinematic %v", name, o.Shape, o.Kinematic)
		}
	}
	if h, ok := find("hull").Shape.(*collide.Hull); !ok || h.Faces() != 6 {
		t.Errorf("the hull is %v", find("hull").Shape)
	}
}

// A sphere slides over the seam of two slabs, lands on what is turned and what is mirrored, in one
// mesh or in several.
func TestCollidersAreWhereTheNodesAre(t *testing.T) {
	for _, merge := range []bool{false, true} {
		l := from(t, scene(), gltf.Options{Merge: merge, Weld: 1e-6})
		w := donburi.NewWorld()
		physics := systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -10}})
		created := 0
		for _, e := range l.Create(w) {
			if e != nil {
				created++
			}
		}
		if want := map[bool]int{false: 10, true: 8}[merge]; created != want {
			t.Errorf("merged %v: %d colliders, want %d", merge, created, want)
		}
		slider := components.CreateBall(w, collide.Vec3{X: -2, Y: 0.5}, 0.5)
		components.Velocity.Get(slider).Linear = collide.Vec3{X: 3}
		falling := map[*donburi.Entry]collide.Vec3{}
		for _, from := range []collide.Vec3{{Y: 4.5, Z: -22}, {X: 0.3, Y: 3, Z: -26.3}, {X: 8.2, Y: 6, Z: 20.1}} {
			falling[components.CreateBall(w, from, 0.5)] = from
		}
		for range 80 {
			physics.Step(w)
			for err := range physics.Errors() {
				t.Fatal(err)
			}
		}
		if at := components.Transform.Get(slider).Position; math.Abs(at.X-2) > 1e-9 || math.Abs(at.Y-0.5) > 1e-9 {
			t.Errorf("merged %v: the sphere is at %v", merge, at)
		}
		for e, from := range falling {
			at := components.Transform.Get(e).Position
			top := map[float64]float64{4.5: 4, 3: 2.5}[from.Y]
			if top == 0 {
				if at.Distance(collide.Vec3{X: 8, Y: 2, Z: 20}) < 2.5-1e-9 {
					t.Errorf("the sphere from %v is inside of another one, at %v", from, at)
				}
				continue
			}
			if math.Abs(at.Y-top) > 1e-9 {
				t.Errorf("merged %v: the sphere from %v is at %v, and not at %v", merge, from, at, top)
			}
		}
	}
}

// What is written is read again, from a file with all in it and from one beside its data.
func TestFiles(t *testing.T) {
	doc := scene()
	var binary bytes.Buffer
	if err := format.NewEncoder(&binary).Encode(doc); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"in/level.glb": {Data: binary.Bytes()}}
	l, err := gltf.Load(files, "in/level.glb", gltf.Options{})
	if err != nil || len(l.Objects) != 13 {
		t.Fatal(l, err)
	}
	doc.Buffers[0].URI = "level.bin"
	var text bytes.Buffer
	e := format.NewEncoder(&text)
	e.AsBinary = false
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	files["in/level.gltf"] = &fstest.MapFile{Data: text.Bytes()}
	files["in/level.bin"] = &fstest.MapFile{Data: doc.Buffers[0].Data}
	if l, err = gltf.Load(files, "in/level.gltf", gltf.Options{}); err != nil || len(l.Objects) != 13 {
		t.Fatal(l, err)
	}
	for _, name := range []string{"in/gone.glb", "in/level.bin"} {
		if _, err := gltf.Load(files, name, gltf.Options{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	files["in/level.glb"].Data = binary.Bytes()[:len(binary.Bytes())/2]
	if _, err := gltf.Load(files, "in/level.glb", gltf.Options{}); err == nil {
		t.Error("half a file is no error")
	}
}

func TestErrorsNameTheNode(t *testing.T) {
	index := format.Index
	tests := []struct {
		name   string
		change func(doc *format.Document)
		want   []string
	}{
		{
			"no such mesh", func(d *format.Document) { d.Nodes[0].Mesh = index(7) },
			[]string{`node 0 ("west")`, "mesh 7"},
		},
		{
			"a mesh below 0", func(d *format.Document) { d.Nodes[0].Mesh = index(-1) },
			[]string{`node 0 ("west")`, "mesh -1"},
		},
		{"no such child", func(d *format.Document) { d.Nodes[0].Children = []int{99} }, []string{"node 99"}},
		{
			"a circle", func(d *format.Document) { d.Nodes[0].Children = []int{0} },
			[]string{`node 0 ("west")`, "below itself"},
		},
		{"a null node", func(d *format.Document) { d.Nodes[0] = nil }, []string{"node 0"}},
		{"no such scene", func(d *format.Document) { d.Scene = index(3) }, []string{"scene"}},
		{
			"an index too large", func(d *format.Document) { d.Buffers[0].Data[96] = 200 },
			[]string{`node 0 ("west")`, "primitive 0", "vertex 200 of 8"},
		},
		{
			"more elements than data", func(d *format.Document) { d.Accessors[0].Count = 1 << 40 },
			[]string{`node 0 ("west")`, "accessor 0", "data for 8"},
		},
		{
			"an offset below 0", func(d *format.Document) { d.Accessors[1].ByteOffset = -4 },
			[]string{`node 0 ("west")`, "indices"},
		},
		{
			"more sparse elements than elements",
			func(d *format.Document) { d.Accessors[0].Sparse = &format.Sparse{Count: 1 << 31} },
			[]string{`node 0 ("west")`, "accessor 0", "sparse"},
		},
		{
			"no such view", func(d *format.Document) { d.Accessors[1].BufferView = index(9) },
			[]string{`node 0 ("west")`, "view 9"},
		},
		{
			"no such buffer", func(d *format.Document) { d.BufferViews[0].Buffer = 9 },
			[]string{`node 0 ("west")`, "positions"},
		},
		{
			"a buffer below 0", func(d *format.Document) { d.BufferViews[0].Buffer = -9 },
			[]string{`node 0 ("west")`, "positions"},
		},
		{
			"not a number", func(d *format.Document) { copy(d.Buffers[0].Data, []byte{0, 0, 0xc0, 0x7f}) },
			[]string{`node 0 ("west")`, "mesh 0"},
		},
		{
			"no positions", func(d *format.Document) { d.Meshes[0].Primitives[0].Attributes = nil },
			[]string{`node 0 ("west")`, "no positions"},
		},
		{
			"too far", func(d *format.Document) { d.Nodes[0].Translation[1] = math.Inf(1) },
			[]string{`node 0 ("west")`, "finite"},
		},
		{
			"unknown shape", func(d *format.Document) { d.Nodes[0].Extras = map[string]any{"shape": "torus"} },
			[]string{`node 0 ("west")`, "torus"},
		},
		{
			"a shape that is a number", func(d *format.Document) { d.Nodes[0].Extras = map[string]any{"shape": 7.0} },
			[]string{`node 0 ("west")`, "shape"},
		},
		{
			"sides that are a text", func(d *format.Document) { d.Nodes[0].Extras = map[string]any{"twoSided": "yes"} },
			[]string{`node 0 ("west")`, "twoSided"},
		},
		{"a mesh as a trigger", func(d *format.Document) {
			d.Nodes[0].Extras = map[string]any{"shape": "mesh", "collider": "trigger"}
		}, []string{`node 0 ("west")`, "trigger"}},
		{
			"extras that are a list", func(d *format.Document) { d.Nodes[0].Extras = []any{1} },
			[]string{`node 0 ("west")`, "extras"},
		},
		{
			"a compressed mesh",
			func(d *format.Document) { d.ExtensionsRequired = []string{"KHR_draco_mesh_compression"} },
			[]string{"draco"},
		},
		{"a flat box", func(d *format.Document) {
			d.Nodes[0].Scale, d.Nodes[0].Extras = [3]float64{1, 1e-320, 1}, map[string]any{"shape": "box"}
		}, []string{`node 0 ("west")`, "flat"}},
	}
	for _, test := range tests {
		doc := scene()
		test.change(doc)
		_, err := gltf.FromDocument(doc, gltf.Options{})
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, w := range test.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error is %q, without %q", test.name, err, w)
			}
		}
	}
	if _, err := gltf.FromDocument(scene(), gltf.Options{Weld: -1}); err == nil {
		t.Error("no error for a negative distance")
	}
}

// A vertex on the edge of another triangle is a warning, and strips and fans are triangles.
func TestTJunctionsAndModes(t *testing.T) {
	doc := format.NewDocument()
	corners := [][3]float32{{0, 0, 0}, {0, 0, 2}, {2, 0, 0}, {2, 0, 1}, {2, 0, 2}, {4, 0, 0}}
	primitive := func(mode format.PrimitiveMode, indices ...uint16) *format.Primitive {
		return &format.Primitive{
			Mode: mode, Indices: format.Index(modeler.WriteIndices(doc, indices)),
			Attributes: format.PrimitiveAttributes{format.POSITION: modeler.WritePosition(doc, corners)},
		}
	}
	doc.Meshes = []*format.Mesh{{Primitives: []*format.Primitive{
		primitive(format.PrimitiveTriangleStrip, 0, 1, 2, 4),
		primitive(format.PrimitiveTriangleFan, 5, 2, 3, 4),
		primitive(format.PrimitiveLines, 0, 1),
	}}}
	doc.Nodes = []*format.Node{{Name: "floor", Mesh: format.Index(0)}}
	doc.Scenes = nil
	l := from(t, doc, gltf.Options{})
	m := l.Objects[0].Shape.(*collide.Mesh)
	if m.Triangles() != 4 {
		t.Errorf("%d triangles, want 4", m.Triangles())
	}
	for x := 0.25; x < 2.5; x += 0.5 {
		hit, outcome := collide.RayCastMesh(collide.Ray{
			Origin:    collide.Vec3{X: x, Y: 1, Z: 0.4},
			Direction: collide.Vec3{Y: -1},
		}, m, 2)
		if outcome != collide.Hit || hit.Normal != (collide.Vec3{Y: 1}) {
			t.Errorf("a ray from above at %v: %v, normal %v", x, outcome, hit.Normal)
		}
	}
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Error(), `"floor"`) {
		t.Errorf("warnings %v", l.Warnings)
	}
}

// A node that was mirrored and turned lost its rotation: shapes that are as large as the bounds of
// the mesh got those in the world.
func TestAMirroredNodeKeepsItsRotation(t *testing.T) {
	for _, shape := range []string{"box", "capsule", "cylinder", "hull", "mesh"} {
		for _, mirror := range [][3]float64{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}} {
			build := func(sign [3]float64) *levels.Level {
				doc := format.NewDocument()
				doc.Nodes = []*format.Node{{
					Name: "plank", Mesh: format.Index(cube(doc)), Extras: map[string]any{"shape": shape},
					Rotation: [4]float64{0, math.Sin(0.4), 0, math.Cos(0.4)},
					Scale:    [3]float64{0.2 * sign[0], 4 * sign[1], 0.3 * sign[2]},
				}}
				doc.Scenes[0].Nodes = []int{0}
				return from(t, doc, gltf.Options{})
			}
			want, got := build([3]float64{1, 1, 1}), build(mirror)
			if d := got.Objects[0].Size.Distance(want.Objects[0].Size); d > 1e-6 {
				t.Errorf("%s, mirrored by %v: size %v, want %v",
					shape, mirror, got.Objects[0].Size, want.Objects[0].Size)
			}
			bounds := func(l *levels.Level) collide.AABB {
				w := donburi.NewWorld()
				l.Create(w)
				p := systems.NewPhysics(systems.Config{})
				p.Sync(w)
				at := [6]float64{}
				for k := range at {
					d := collide.Vec3{}.Sub([3]collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[k/2].Scale(float64(2*(k%2) - 1)))
					hit, ok := p.RayCast(d.Scale(-20), d, 40, systems.Filter{})
					if !ok {
						t.Fatalf("%s, mirrored by %v: no ray along %v hits it", shape, mirror, d)
					}
					at[k] = hit.Point.Dot(d)
				}
				return collide.AABB{
					Min: collide.Vec3{X: at[0], Y: at[2], Z: at[4]}, Max: collide.Vec3{X: at[1], Y: at[3], Z: at[5]},
				}
			}
			if a, b := bounds(got), bounds(want); a.Min.Distance(b.Min) > 1e-6 || a.Max.Distance(b.Max) > 1e-6 {
				t.Errorf("%s, mirrored by %v: rays hit it at %v, want %v", shape, mirror, a, b)
			}
		}
	}
}

// A node that a file hides by a scale of 0 was loaded at its full size.
func TestANodeScaledByZeroHasNoCollider(t *testing.T) {
	doc := scene()
	var file bytes.Buffer
	encoder := format.NewEncoder(&file)
	encoder.AsBinary = false
	if err := encoder.Encode(doc); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{`"scale":[0,0,0]`, `"matrix":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]`} {
		text := strings.Replace(file.String(), `"scale":[5,1,5],"translation":[-5,-1,0]`, how, 1)
		if text == file.String() {
			t.Fatal("the file has no such node")
		}
		l, err := gltf.Load(fstest.MapFS{"a.gltf": {Data: []byte(text)}}, "a.gltf", gltf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		west, err := l.Find("west")
		if err != nil {
			t.Fatal(err)
		}
		if west.Kind != levels.None || west.Shape != nil {
			t.Errorf("%s: the node has the collider %v", how, west.Shape)
		}
	}
}

// A node that is scaled to a line made the whole level fail.
func TestANodeThatIsALineHasNoColliderAndAWarning(t *testing.T) {
	for _, merge := range []bool{false, true} {
		doc := scene()
		doc.Nodes[0].Scale = [3]float64{5, 1e-320, 1e-320}
		l, err := gltf.FromDocument(doc, gltf.Options{Merge: merge})
		if err != nil {
			t.Fatal(err)
		}
		west, err := l.Find("west")
		if err != nil {
			t.Fatal(err)
		}
		if west.Kind != levels.None || west.Shape != nil {
			t.Errorf("the node has the collider %v", west.Shape)
		}
		if !merge && (len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0].Error(), `"west"`)) {
			t.Errorf("warnings %v", l.Warnings)
		}
	}
}

// Positions of KHR_mesh_quantization, which gltfpack writes, were an error that named no extension.
func TestPositionsMayBeIntegers(t *testing.T) {
	corners := [][3]float64{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}
	tests := []struct {
		component  format.ComponentType
		normalized bool
		one        float64 // the integer that stands for 1
		bytes      int
	}{
		{format.ComponentByte, true, 127, 1},
		{format.ComponentByte, false, 1, 1},
		{format.ComponentShort, true, 32767, 2},
		{format.ComponentShort, false, 1, 2},
	}
	for _, test := range tests {
		var data []byte
		stride := 4 * test.bytes
		for _, c := range corners {
			for k := range 4 { // rows are padded to four integers
				x := 0
				if k < 3 {
					x = int(c[k] * test.one)
				}
				for b := range test.bytes {
					data = append(data, byte(x>>(8*b)))
				}
			}
		}
		doc := format.NewDocument()
		doc.ExtensionsRequired = []string{"KHR_mesh_quantization"}
		doc.Buffers = []*format.Buffer{{ByteLength: len(data), Data: data}}
		doc.BufferViews = []*format.BufferView{{ByteLength: len(data), ByteStride: stride}}
		doc.Accessors = []*format.Accessor{{
			BufferView: format.Index(0), ComponentType: test.component, Normalized: test.normalized,
			Type: format.AccessorVec3, Count: len(corners),
		}}
		doc.Meshes = []*format.Mesh{{Primitives: []*format.Primitive{{
			Attributes: format.PrimitiveAttributes{format.POSITION: 0},
		}}}}
		doc.Nodes = []*format.Node{{Name: "floor", Mesh: format.Index(0), Scale: [3]float64{3, 1, 3}}}
		doc.Scenes[0].Nodes = []int{0}
		l, err := gltf.FromDocument(doc, gltf.Options{})
		if err != nil {
			t.Errorf("%+v: %v", test, err)
			continue
		}
		want := collide.AABB{Min: collide.Vec3{X: -3, Z: -3}, Max: collide.Vec3{X: 3, Z: 3}}
		if got := l.Objects[0].Shape.(*collide.Mesh).Bounds(); got != want {
			t.Errorf("%+v: bounds %v, want %v", test, got, want)
		}
	}
}
