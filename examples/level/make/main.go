// Make builds the level of examples/level and its models:
//
//	go run ./examples/level/make
//
// Light is baked into the colours of vertices, and large faces are divided along a grid of 2 m.
// The first scene of the file is the level, the second one has the models of what moves.
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/dango-physics/dango/collide"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/unlit"
	"github.com/qmuntal/gltf/modeler"
)

const file = "examples/level/data/level.glb"

func main() {
	b := newBuilder()
	b.arena()
	b.plateau()
	b.towers()
	b.pipe()
	b.lifts()
	b.places()
	b.scene = 1
	b.models()
	var out bytes.Buffer
	if err := gltf.NewEncoder(&out).Encode(b.doc); err != nil {
		fail(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		fail(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

type vec = collide.Vec3

func v(x, y, z float64) vec { return vec{X: x, Y: y, Z: z} }

// builder collects nodes.
type builder struct {
	doc   *gltf.Document
	scene int
}

func newBuilder() *builder {
	doc := gltf.NewDocument()
	doc.Asset.Generator = "examples/level/make"
	doc.Scenes = []*gltf.Scene{{Name: "Level"}, {Name: "Models"}}
	doc.Materials = []*gltf.Material{{
		Name: "colours", Extensions: gltf.Extensions{unlit.ExtensionName: unlit.Unlit{}},
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{BaseColorFactor: &[4]float64{1, 1, 1, 1}},
	}}
	doc.ExtensionsUsed = []string{unlit.ExtensionName}
	return &builder{doc: doc}
}

// shape is a mesh in the making.
type shape struct {
	points  [][3]float32
	colours [][4]uint8
	indices []uint16
	known   map[corner]uint16
}

// corner is a vertex that triangles may share.
type corner struct {
	at     [3]float32
	colour [4]uint8
}

// node adds a node with a shape, or an empty one.
func (b *builder) node(name string, at vec, s *shape, extras map[string]any) {
	n := &gltf.Node{Name: name, Translation: [3]float64{at.X, at.Y, at.Z}}
	if extras != nil {
		n.Extras = extras
	}
	if s != nil {
		b.doc.Meshes = append(b.doc.Meshes, &gltf.Mesh{Name: name, Primitives: []*gltf.Primitive{{
			Attributes: gltf.PrimitiveAttributes{
				gltf.POSITION: modeler.WritePosition(b.doc, s.points),
				gltf.COLOR_0:  modeler.WriteColor(b.doc, s.colours),
			},
			Indices:  gltf.Index(modeler.WriteIndices(b.doc, s.indices)),
			Material: gltf.Index(0),
		}}})
		n.Mesh = gltf.Index(len(b.doc.Meshes) - 1)
	}
	b.doc.Nodes = append(b.doc.Nodes, n)
	b.doc.Scenes[b.scene].Nodes = append(b.doc.Scenes[b.scene].Nodes, len(b.doc.Nodes)-1)
}

// paint is a colour, 0 to 1.
type paint [3]float64

var (
	grassPaint  = paint{0.42, 0.66, 0.36}
	stonePaint  = paint{0.74, 0.70, 0.66}
	brickPaint  = paint{0.80, 0.52, 0.42}
	woodPaint   = paint{0.76, 0.58, 0.36}
	sandPaint   = paint{0.88, 0.78, 0.56}
	bluePaint   = paint{0.40, 0.58, 0.78}
	steelPaint  = paint{0.58, 0.63, 0.70}
	yellowPaint = paint{0.96, 0.78, 0.30}
	pinkPaint   = paint{0.97, 0.64, 0.72}
	whitePaint  = paint{1.00, 0.96, 0.90}
	leafPaint   = paint{0.60, 0.80, 0.40}
	inkPaint    = paint{0.17, 0.12, 0.18}
	shadowPaint = paint{0.36, 0.44, 0.36}
	redPaint    = paint{0.88, 0.30, 0.32}
)

var sun = v(0.45, 0.8, 0.4).Scale(1 / v(0.45, 0.8, 0.4).Length())

// lit returns a colour in the light that falls on a face.
func lit(p paint, normal vec) [4]uint8 {
	light := 0.7 + 0.3*max(0, normal.Dot(sun))
	if normal.Y < -0.5 {
		light = 0.5
	}
	var c [4]uint8
	for i := range 3 {
		// glTF's colours are linear in the light; what is mixed here are the values of screens.
		c[i] = uint8(255*math.Pow(min(p[i]*light, 1), 2.2) + 0.5)
	}
	c[3] = 255
	return c
}

// triangle adds a triangle, counter-clockwise from outside.
func (s *shape) triangle(a, b, c vec, p paint) {
	n, ok := b.Sub(a).Cross(c.Sub(a)).Normalized()
	if !ok {
		return // two corners are one
	}
	s.smooth([3]vec{a, b, c}, [3]vec{n, n, n}, [3]paint{p, p, p})
}

// smooth adds a triangle with a normal and a colour for each corner.
func (s *shape) smooth(at, normals [3]vec, paints [3]paint) {
	for i := range 3 {
		c := corner{
			[3]float32{float32(at[i].X), float32(at[i].Y), float32(at[i].Z)},
			lit(paints[i], normals[i]),
		}
		k, ok := s.known[c]
		if !ok {
			if s.known == nil {
				s.known = map[corner]uint16{}
			}
			k = uint16(len(s.points))
			s.known[c] = k
			s.points, s.colours = append(s.points, c.at), append(s.colours, c.colour)
		}
		s.indices = append(s.indices, k)
	}
}

// grid is the distance of the lines along which faces are divided.
const grid = 2.0

// quad adds a parallelogram from a corner along two sides, divided where it crosses the grid. Its
// outside is where u turns to w counter-clockwise. Cells of the grid differ a little in colour.
func (s *shape) quad(a, u, w vec, p paint) {
	us, ws := cuts(a, u), cuts(a, w)
	for i := 1; i < len(us); i++ {
		for j := 1; j < len(ws); j++ {
			at := func(x, y float64) vec { return a.AddScaled(x, u).AddScaled(y, w) }
			c := at((us[i-1]+us[i])/2, (ws[j-1]+ws[j])/2)
			cell := int(math.Floor(c.X/grid)+math.Floor(c.Y/grid)+math.Floor(c.Z/grid)) & 1
			q := p
			for k := range q {
				q[k] *= 1 - 0.06*float64(cell)
			}
			s.triangle(at(us[i-1], ws[j-1]), at(us[i], ws[j-1]), at(us[i], ws[j]), q)
			s.triangle(at(us[i-1], ws[j-1]), at(us[i], ws[j]), at(us[i-1], ws[j]), q)
		}
	}
}

// cuts returns where the way from a along u crosses the grid, as parts of u: 0 to 1.
func cuts(a, u vec) []float64 {
	from, by := a.X, u.X
	if math.Abs(u.Z) > math.Abs(by) {
		from, by = a.Z, u.Z
	}
	if math.Abs(u.Y) > math.Abs(by) {
		from, by = a.Y, u.Y
	}
	if by < 0 { // the same cuts as from the other end, so that neighbours share vertices
		back := cuts(a.Add(u), u.Scale(-1))
		for i, j := 0, len(back)-1; i <= j; i, j = i+1, j-1 {
			back[i], back[j] = 1-back[j], 1-back[i]
		}
		return back
	}
	all := []float64{0}
	for line := math.Floor(from/grid+1.001) * grid; line < from+by-1e-3; line += grid {
		all = append(all, (line-from)/by)
	}
	return append(all, 1)
}

// box adds the sides of a box but for those that skip names: any of "xXyYzZ".
func (s *shape) box(low, high vec, p, top paint, skip string) {
	d := high.Sub(low)
	x, y, z := v(d.X, 0, 0), v(0, d.Y, 0), v(0, 0, d.Z)
	side := func(name byte, a, u, w vec, p paint) {
		for i := range len(skip) {
			if skip[i] == name {
				return
			}
		}
		s.quad(a, u, w, p)
	}
	side('x', low, z, y, p)
	side('X', low.Add(x).Add(z), z.Scale(-1), y, p)
	side('y', low, x, z, p)
	side('Y', low.Add(y).Add(z), x, z.Scale(-1), top)
	side('z', low.Add(x), x.Scale(-1), y, p)
	side('Z', low.Add(z), x, y, p)
}

// wedge adds a ramp over a rectangle of the floor, which rises along Z towards low Z.
func (s *shape) wedge(x0, x1, z0, z1, height float64, p, side paint) {
	across, up := v(x1-x0, 0, 0), v(0, height, z0-z1)
	parts := cuts(v(x0, 0, z1), up)
	for i := 1; i < len(parts); i++ {
		a, b := v(x0, 0, z1).AddScaled(parts[i-1], up), v(x0, 0, z1).AddScaled(parts[i], up)
		s.strip(a, across, b.Sub(a), p)
		for _, corner := range []vec{{}, across} {
			top, low := [2]vec{a.Add(corner), b.Add(corner)}, [2]vec{a.Add(corner), b.Add(corner)}
			low[0].Y, low[1].Y = 0, 0
			if corner == (vec{}) {
				top[0], top[1], low[0], low[1] = top[1], top[0], low[1], low[0]
			}
			s.triangle(low[0], low[1], top[1], side)
			s.triangle(low[0], top[1], top[0], side)
		}
	}
}

// strip adds a parallelogram that is divided along its first side only.
func (s *shape) strip(a, u, w vec, p paint) {
	us := cuts(a, u)
	for i := 1; i < len(us); i++ {
		at := func(x, y float64) vec { return a.AddScaled(x, u).AddScaled(y, w) }
		q := p
		for k := range q {
			q[k] *= 1 - 0.06*float64(i&1)
		}
		s.triangle(at(us[i-1], 0), at(us[i], 0), at(us[i], 1), q)
		s.triangle(at(us[i-1], 0), at(us[i], 1), at(us[i-1], 1), q)
	}
}
