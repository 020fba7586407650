package level

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// Ebitengine has no depth buffer, so everything is drawn from back to front. The level is a tree of
// planes (binary space partitioning), with the triangles that lie in each. What moves is cut by
// these planes and drawn with the part of the level that it is in.

// corner is a corner of a triangle.
type corner struct {
	at     collide.Vec3
	colour [3]float32 // of the screen, 0 to 1
}

// triangle is seen from where its corners go counter-clockwise.
type triangle struct {
	corners  [3]corner
	normal   collide.Vec3
	height   float64 // of its plane: normal·p = height
	wall     bool    // what is behind its plane is drawn before what is in front
	distance float64 // m from the eye to the middle of what it belongs to, if that moves
}

// newTriangle returns false if the corners are on a line.
func newTriangle(corners [3]corner) (t triangle, ok bool) {
	a := corners[0].at
	n, ok := corners[1].at.Sub(a).Cross(corners[2].at.Sub(a)).Normalized()
	return triangle{corners: corners, normal: n, height: n.Dot(a)}, ok
}

// above returns the distance of p from the plane of t, negative if it is behind.
func (t *triangle) above(p collide.Vec3) float64 { return t.normal.Dot(p) - t.height }

// sides sorts triangles by the plane of t: those behind, in it, and in front. It cuts those on both
// sides.
func (t *triangle) sides(list []triangle) (back, in, front []triangle) {
	const thick = 1e-4 // m; corners of the file are rounded to less
	for i := range list {
		c := &list[i].corners
		h := [3]float64{t.above(c[0].at), t.above(c[1].at), t.above(c[2].at)}
		low, high := min(h[0], h[1], h[2]), max(h[0], h[1], h[2])
		switch {
		case low >= -thick && high <= thick:
			in = append(in, list[i])
		case low >= -thick:
			front = append(front, list[i])
		case high <= thick:
			back = append(back, list[i])
		default:
			front = list[i].cut(front, h)
			back = list[i].cut(back, [3]float64{-h[0], -h[1], -h[2]})
		}
	}
	return back, in, front
}

// cut appends the part of t whose height is positive, for these heights of its corners.
func (t *triangle) cut(list []triangle, height [3]float64) []triangle {
	part := clip(t.corners, height)
	for k := 2; k < len(part); k++ {
		if piece, ok := newTriangle([3]corner{part[0], part[k-1], part[k]}); ok {
			piece.normal, piece.height, piece.wall, piece.distance = t.normal, t.height, t.wall, t.distance
			list = append(list, piece)
		}
	}
	return list
}

// clip returns the corners of the part of a triangle whose height is positive.
func clip(corners [3]corner, height [3]float64) (part []corner) {
	for i := range 3 {
		k := (i + 1) % 3
		if height[i] >= 0 {
			part = append(part, corners[i])
		}
		if (height[i] < 0) != (height[k] < 0) {
			a, b, u := corners[i], corners[k], height[i]/(height[i]-height[k])
			a.at = a.at.Lerp(b.at, u)
			for n := range a.colour {
				a.colour[n] += (b.colour[n] - a.colour[n]) * float32(u)
			}
			part = append(part, a)
		}
	}
	return part
}

// tree is the level in front of and behind a plane. Nil is empty space.
type tree struct {
	plane       triangle
	in          []triangle // those in the plane
	front, back *tree
}

// newTree takes the best of some planes: it cuts few triangles and leaves as many on either side.
func newTree(list []triangle) *tree {
	if len(list) == 0 {
		return nil
	}
	const tries = 10
	var best triangle
	least := math.MaxInt
	for i := range min(tries, len(list)) {
		t := list[i*len(list)/min(tries, len(list))]
		back, in, front := t.sides(list)
		cuts := len(back) + len(in) + len(front) - len(list)
		if cost := 4*cuts + max(len(back), len(front)); cost < least {
			best, least = t, cost
		}
	}
	back, in, front := best.sides(list)
	return &tree{plane: best, in: in, front: newTree(front), back: newTree(back)}
}

// painter draws the level and what moves in it.
type painter struct {
	models map[string][]triangle // of what moves, around its own zero
	level  *tree
	white  *ebiten.Image

	eye    collide.Vec3
	turn   collide.Quat // from the world to the eye: x to the right, y up, z back
	zoom   float64      // pixels per metre at a distance of one metre
	middle stage.Pt
	moving []triangle

	vertices []ebiten.Vertex
	indices  []uint32
}

// newPainter reads the file.
func newPainter() *painter {
	still, models, err := readScenes()
	if err != nil {
		panic("level: " + err.Error())
	}
	return &painter{level: newTree(still), models: models}
}

// readScenes returns what does not move, and the models of what does. They are two scenes of the
// file, but for the lifts, which are in the level.
func readScenes() (still []triangle, models map[string][]triangle, err error) {
	file, err := data.ReadFile("data/level.glb")
	if err != nil {
		return nil, nil, err
	}
	var doc gltf.Document
	if err := gltf.NewDecoder(bytes.NewReader(file)).Decode(&doc); err != nil {
		return nil, nil, err
	}
	models = map[string][]triangle{}
	for i, scene := range doc.Scenes {
		for _, n := range scene.Nodes {
			node := doc.Nodes[n]
			extras, _ := node.Extras.(map[string]any)
			if node.Mesh == nil || extras["class"] == "goal" {
				continue
			}
			list, err := readMesh(&doc, doc.Meshes[*node.Mesh])
			if err != nil {
				return nil, nil, err
			}
			if i == 1 || extras["class"] == "lift" {
				models[node.Name] = list
				continue
			}
			at := collide.Vec3{X: node.Translation[0], Y: node.Translation[1], Z: node.Translation[2]}
			still = append(still, placed(list, components.TransformData{Position: at})...)
		}
	}
	return still, models, nil
}

// readMesh returns the triangles of a mesh. Light is in the colours of its corners.
func readMesh(doc *gltf.Document, mesh *gltf.Mesh) (list []triangle, err error) {
	for _, primitive := range mesh.Primitives {
		accessor := func(name string) *gltf.Accessor { return doc.Accessors[primitive.Attributes[name]] }
		points, err := modeler.ReadPosition(doc, accessor(gltf.POSITION), nil)
		if err != nil {
			return nil, err
		}
		colours, err := modeler.ReadColor(doc, accessor(gltf.COLOR_0), nil)
		if err != nil {
			return nil, err
		}
		indices, err := modeler.ReadIndices(doc, doc.Accessors[*primitive.Indices], nil)
		if err != nil {
			return nil, err
		}
		for i := 0; i+2 < len(indices); i += 3 {
			var corners [3]corner
			for k := range corners {
				at, c := points[indices[i+k]], colours[indices[i+k]]
				corners[k].at = collide.Vec3{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
				for n := range 3 { // glTF's colours are linear in the light
					corners[k].colour[n] = float32(math.Pow(float64(c[n])/255, 1/2.2))
				}
			}
			if t, ok := newTriangle(corners); ok {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// placed returns triangles at a place in the world.
func placed(list []triangle, at components.TransformData) []triangle {
	list = slices.Clone(list)
	for i := range list {
		t := &list[i]
		for k := range t.corners {
			p := t.corners[k].at
			if at.Rotation != (collide.Quat{}) {
				p = at.Rotation.Rotate(p)
			}
			t.corners[k].at = p.Add(at.Position)
		}
		*t, _ = newTriangle(t.corners)
	}
	return list
}

// look begins a picture as seen from an eye with this rotation, and so many radians from top to
// bottom.
func (p *painter) look(eye collide.Vec3, rotation collide.Quat, angle, w, h float64) {
	p.eye, p.turn = eye, stage.Inverse(rotation)
	p.middle = stage.Pt{X: w / 2, Y: h / 2}
	p.zoom = h / 2 / math.Tan(angle/2)
	p.moving, p.vertices, p.indices = p.moving[:0], p.vertices[:0], p.indices[:0]
}

// add adds a model. Walls are models with few planes, on which others can stand.
func (p *painter) add(model string, at components.TransformData, wall bool) {
	n := len(p.moving)
	p.moving = append(p.moving, placed(p.models[model], at)...)
	for i := n; i < len(p.moving); i++ {
		p.moving[i].wall, p.moving[i].distance = wall, at.Position.Distance(p.eye)
	}
}

// draw ends the picture.
func (p *painter) draw(to *ebiten.Image) {
	p.walk(p.level, p.moving)
	if p.white == nil {
		p.white = ebiten.NewImage(3, 3)
		p.white.Fill(color.White)
	}
	white := p.white.SubImage(image.Rect(1, 1, 2, 2)).(*ebiten.Image)
	to.DrawTriangles32(p.vertices, p.indices, white, nil)
}

// walk draws a tree, and what moves in it.
func (p *painter) walk(t *tree, moving []triangle) {
	if t == nil {
		p.mix(moving)
		return
	}
	back, in, front := t.plane.sides(moving)
	far, near := t.back, t.front
	if t.plane.above(p.eye) < 0 {
		far, near, back, front = near, far, front, back
	}
	p.walk(far, back)
	p.flat(t.in)
	p.flat(in)
	p.walk(near, front)
}

// mix draws what moves in empty space: sorted by the planes of walls, and else by distance.
func (p *painter) mix(list []triangle) {
	if wall := slices.IndexFunc(list, func(t triangle) bool { return t.wall }); wall >= 0 {
		t := list[wall]
		back, in, front := t.sides(list)
		if t.above(p.eye) < 0 {
			back, front = front, back
		}
		p.mix(back)
		p.flat(in)
		p.mix(front)
		return
	}
	middle := func(t *triangle) float64 {
		c := &t.corners
		return c[0].at.Add(c[1].at).Add(c[2].at).Scale(1.0 / 3).Distance(p.eye)
	}
	slices.SortStableFunc(list, func(a, b triangle) int {
		return cmp.Or(cmp.Compare(b.distance, a.distance), cmp.Compare(middle(&b), middle(&a)))
	})
	p.flat(list)
}

// flat draws triangles in their order, but for those that are seen from behind.
func (p *painter) flat(list []triangle) {
	const near = 0.05 // m
	for i := range list {
		if list[i].above(p.eye) <= 0 {
			continue
		}
		corners := list[i].corners
		var depth [3]float64
		for k := range corners {
			corners[k].at = p.turn.Rotate(corners[k].at.Sub(p.eye))
			depth[k] = -corners[k].at.Z - near
		}
		part := clip(corners, depth)
		first := uint32(len(p.vertices))
		for _, c := range part {
			scale := p.zoom / -c.at.Z
			p.vertices = append(p.vertices, ebiten.Vertex{
				DstX: float32(p.middle.X + c.at.X*scale), DstY: float32(p.middle.Y - c.at.Y*scale), SrcX: 1, SrcY: 1,
				ColorR: c.colour[0], ColorG: c.colour[1], ColorB: c.colour[2], ColorA: 1,
			})
		}
		for k := 2; k < len(part); k++ {
			p.indices = append(p.indices, first, first+uint32(k-1), first+uint32(k))
		}
	}
}
