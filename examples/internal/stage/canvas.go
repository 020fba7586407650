package stage

import (
	"image/color"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
)

// Pt is a point on a canvas, in pixels, y down.
type Pt struct{ X, Y float64 }

// Add returns a + b.
func (a Pt) Add(b Pt) Pt { return Pt{a.X + b.X, a.Y + b.Y} }

// Sub returns a - b.
func (a Pt) Sub(b Pt) Pt { return Pt{a.X - b.X, a.Y - b.Y} }

// Scale returns s·a.
func (a Pt) Scale(s float64) Pt { return Pt{a.X * s, a.Y * s} }

// Len returns |a|.
func (a Pt) Len() float64 { return math.Hypot(a.X, a.Y) }

// Lerp returns the point that is t of the way from a to b.
func (a Pt) Lerp(b Pt, t float64) Pt { return a.Add(b.Sub(a).Scale(t)) }

// Rect is a rectangle on a canvas.
type Rect struct{ X, Y, W, H float64 }

// Has reports whether p lies in r.
func (r Rect) Has(p Pt) bool { return p.X >= r.X && p.X < r.X+r.W && p.Y >= r.Y && p.Y < r.Y+r.H }

// Camera shows a part of the plane z = 0 on a canvas. The world's y points up, the canvas's down.
type Camera struct {
	Zoom   float64 // pixels a metre
	Zero   Pt      // position of the world's origin on the canvas
	Turned bool    // the world's x points up, and y to the left
}

// Fit returns the camera that shows box in the middle of area, as large as possible.
func Fit(box collide.AABB, area Rect) Camera {
	w, h := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y
	zoom := min(area.W/w, area.H/h)
	return Camera{
		Zoom: zoom,
		Zero: Pt{
			area.X + area.W/2 - zoom*(box.Min.X+box.Max.X)/2,
			area.Y + area.H/2 + zoom*(box.Min.Y+box.Max.Y)/2,
		},
	}
}

// FitTurned is Fit, with the world turned by a right angle.
func FitTurned(box collide.AABB, area Rect) Camera {
	turned := collide.AABB{
		Min: collide.Vec3{X: -box.Max.Y, Y: box.Min.X}, Max: collide.Vec3{X: -box.Min.Y, Y: box.Max.X},
	}
	c := Fit(turned, area)
	c.Turned = true
	return c
}

// At returns the position of v on the canvas.
func (c Camera) At(v collide.Vec3) Pt {
	if c.Turned {
		v.X, v.Y = -v.Y, v.X
	}
	return Pt{c.Zero.X + c.Zoom*v.X, c.Zero.Y - c.Zoom*v.Y}
}

// World returns the point of the plane z = 0 at p.
func (c Camera) World(p Pt) collide.Vec3 {
	if c.Turned {
		return collide.Vec3{X: (c.Zero.Y - p.Y) / c.Zoom, Y: (c.Zero.X - p.X) / c.Zoom}
	}
	return collide.Vec3{X: (p.X - c.Zero.X) / c.Zoom, Y: (c.Zero.Y - p.Y) / c.Zoom}
}

// Canvas draws smooth shapes onto an image. Shapes are collected and drawn in one batch, which is
// an order of magnitude faster with software OpenGL. Without an image it only notes texts.
type Canvas struct {
	Image *ebiten.Image
	W, H  float64 // pixels
	Scale float64 // pixels in a point, the unit of text and line widths: 2 on a HiDPI screen
	Part  float64 // the part of the last step that is over, 1 or in slow motion less: see Pose

	Labels []Label // the texts drawn since the frame began, for tests
	debug  debug
	paths  map[*systems.Physics]map[donburi.Entity][]knot

	vertices []ebiten.Vertex
	indices  []uint32
}

// shapeSource draws every shape as the set of points within a distance of a rounded box. src is the
// position relative to the box's centre along its axes. custom holds its half sizes, the radius,
// and the kind of edge: > 0 an outline of that half width, < 0 a soft edge of that width.
const shapeSource = `//kage:unit pixels
package main

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	q := abs(src) - custom.xy
	d := length(max(q, vec2(0))) + min(max(q.x, q.y), 0) - custom.z
	if custom.w < 0 {
		a := smoothstep(custom.w, -custom.w, -d)
		return color * a * a
	}
	if custom.w > 0 {
		d = abs(d) - custom.w
	}
	return color * clamp(0.5-d, 0, 1)
}
`

var shapeShader = lazyShader(shapeSource)

// lazyShader returns a function that compiles source when it is first called, which has to be after
// the game began.
func lazyShader(source string) func() *ebiten.Shader {
	var shader *ebiten.Shader
	return func() *ebiten.Shader {
		if shader == nil {
			var err error
			if shader, err = ebiten.NewShader([]byte(source)); err != nil {
				panic("stage: " + err.Error())
			}
		}
		return shader
	}
}

// quad adds a rectangle around centre with half sizes hx along the unit vector u and hy across it.
func (c *Canvas) quad(centre, u Pt, hx, hy float64, col color.NRGBA, custom [4]float64) {
	if col.A == 0 {
		return
	}
	a := float32(col.A) / 255
	r, g, b := float32(col.R)/255*a, float32(col.G)/255*a, float32(col.B)/255*a
	first := uint32(len(c.vertices))
	for _, s := range [4]Pt{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x, y := s.X*hx, s.Y*hy
		c.vertices = append(c.vertices, ebiten.Vertex{
			DstX: float32(centre.X + u.X*x - u.Y*y), DstY: float32(centre.Y + u.Y*x + u.X*y),
			SrcX: float32(x), SrcY: float32(y),
			ColorR: r, ColorG: g, ColorB: b, ColorA: a,
			Custom0: float32(custom[0]), Custom1: float32(custom[1]), Custom2: float32(custom[2]),
			Custom3: float32(custom[3]),
		})
	}
	c.indices = append(c.indices, first, first+1, first+2, first, first+2, first+3)
}

// Flush draws the batch. Call it before drawing to Image directly.
func (c *Canvas) Flush() {
	if c.Image != nil {
		c.Image.DrawTrianglesShader32(c.vertices, c.indices, shapeShader(), nil)
	}
	c.vertices, c.indices = c.vertices[:0], c.indices[:0]
}

// Fill fills the canvas with one colour.
func (c *Canvas) Fill(col color.NRGBA) { c.box(Rect{-2, -2, c.W + 4, c.H + 4}, 0, 0, col) }

// Disc draws a filled circle.
func (c *Canvas) Disc(p Pt, r float64, col color.NRGBA) {
	c.quad(p, Pt{1, 0}, r+1, r+1, col, [4]float64{0, 0, r, 0})
}

// Ring draws a circle's outline.
func (c *Canvas) Ring(p Pt, r, width float64, col color.NRGBA) {
	m := r + width + 1
	c.quad(p, Pt{1, 0}, m, m, col, [4]float64{0, 0, r, width / 2})
}

// Glow draws a disc that fades out over soft pixels on both sides of its rim: a shadow or a light.
func (c *Canvas) Glow(p Pt, r, soft float64, col color.NRGBA) {
	m := r + soft + 1
	c.quad(p, Pt{1, 0}, m, m, col, [4]float64{0, 0, r, -soft})
}

// Line draws a line with round ends.
func (c *Canvas) Line(a, b Pt, width float64, col color.NRGBA) {
	d := b.Sub(a)
	l := d.Len()
	u := Pt{1, 0}
	if l > 0 {
		u = d.Scale(1 / l)
	}
	m := width/2 + 1
	c.quad(a.Add(b).Scale(0.5), u, l/2+m, m, col, [4]float64{l / 2, 0, width / 2, 0})
}

// Dashes draws a line of dashes, each on pixels long and off pixels apart.
func (c *Canvas) Dashes(a, b Pt, width, on, off float64, col color.NRGBA) {
	c.DashedPath([]Pt{a, b}, width, on, off, col)
}

// DashedPath draws dashes along a path. Dashes continue from one segment to the next.
func (c *Canvas) DashedPath(path []Pt, width, on, off float64, col color.NRGBA) {
	left := on // of the dash; negative: of the gap after it
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		l := b.Sub(a).Len()
		for s := 0.0; s < l; {
			if left > 0 {
				end := min(s+left, l)
				c.Line(a.Lerp(b, s/l), a.Lerp(b, end/l), width, col)
				left -= end - s
				s = end
				if left < 1e-6 {
					left = -off
				}
				continue
			}
			end := min(s-left, l)
			left += end - s
			s = end
			if left > -1e-6 {
				left = on
			}
		}
	}
}

// Arrow draws a line from a to b with a head at b.
func (c *Canvas) Arrow(a, b Pt, width float64, col color.NRGBA) {
	d := b.Sub(a)
	l := d.Len()
	if l == 0 {
		return
	}
	u := d.Scale(1 / l)
	head := min(width*4, l)
	n := Pt{-u.Y, u.X}
	base := b.Sub(u.Scale(head))
	c.Line(a, base, width, col)
	c.Poly([]Pt{b, base.Add(n.Scale(head / 2)), base.Sub(n.Scale(head / 2))}, col)
}

// Box draws a filled rectangle with corners of the given radius.
func (c *Canvas) Box(r Rect, corner float64, col color.NRGBA) { c.box(r, corner, 0, col) }

// Frame draws the outline of such a rectangle.
func (c *Canvas) Frame(r Rect, corner, width float64, col color.NRGBA) {
	c.box(r, corner, width/2, col)
}

// Shade draws such a rectangle with an edge that fades out over soft pixels on both sides.
func (c *Canvas) Shade(r Rect, corner, soft float64, col color.NRGBA) { c.box(r, corner, -soft, col) }

func (c *Canvas) box(r Rect, corner, edge float64, col color.NRGBA) {
	corner = min(corner, r.W/2, r.H/2)
	m := math.Abs(edge) + 1
	c.quad(Pt{r.X + r.W/2, r.Y + r.H/2}, Pt{1, 0}, r.W/2+m, r.H/2+m, col,
		[4]float64{r.W/2 - corner, r.H/2 - corner, corner, edge})
}

// Poly fills a convex polygon, with a smooth rim.
func (c *Canvas) Poly(points []Pt, col color.NRGBA) {
	c.fill(points, col)
	c.rim(points, col)
}

// rim makes the edge of a polygon smooth.
func (c *Canvas) rim(points []Pt, col color.NRGBA) {
	if col.A == 255 { // a rim over a transparent fill would be visible
		for i, p := range points {
			c.Line(p, points[(i+1)%len(points)], 1, col)
		}
	}
}

// Shape fills any polygon that doesn't cross itself, convex or not, with a smooth rim. It cuts off
// one corner after the other (ear clipping), in the batch: a path of Ebitengine's package vector
// takes an image of its own, and 25 of them in a frame took five sixths of its time.
func (c *Canvas) Shape(points []Pt, col color.NRGBA) {
	rest := slices.Clone(points)
	area := 0.0
	for i, p := range rest {
		area += cross(rest[0], p, rest[(i+1)%len(rest)])
	}
	if area < 0 {
		slices.Reverse(rest)
	}
	for len(rest) >= 3 {
		ear := 0 // also if rounding leaves none
		for i := range rest {
			if isEar(rest, i) {
				ear = i
				break
			}
		}
		n := len(rest)
		c.fill([]Pt{rest[(ear+n-1)%n], rest[ear], rest[(ear+1)%n]}, col)
		rest = slices.Delete(rest, ear, ear+1)
	}
	c.rim(points, col)
}

// cross returns twice the area of the triangle a, b, c, negative if it turns the other way.
func cross(a, b, c Pt) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// isEar reports whether the corner i of a polygon can be cut off: it is convex, and its triangle
// has no other corner in it.
func isEar(points []Pt, i int) bool {
	n := len(points)
	before, after := (i+n-1)%n, (i+1)%n
	a, b, c := points[before], points[i], points[after]
	if cross(a, b, c) <= 0 {
		return false
	}
	for k, p := range points {
		if k != before && k != i && k != after && cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0 {
			return false
		}
	}
	return true
}

// fill adds a fan of triangles in one colour.
func (c *Canvas) fill(points []Pt, col color.NRGBA) {
	first := uint32(len(c.vertices))
	a := float32(col.A) / 255
	for _, p := range points {
		c.vertices = append(c.vertices, ebiten.Vertex{
			DstX: float32(p.X), DstY: float32(p.Y),
			ColorR: float32(col.R) / 255 * a, ColorG: float32(col.G) / 255 * a, ColorB: float32(col.B) / 255 * a,
			ColorA:  a,
			Custom2: 1e4, // everything is well inside
		})
	}
	for i := 2; i < len(points); i++ {
		c.indices = append(c.indices, first, first+uint32(i)-1, first+uint32(i))
	}
}

// bar draws a rectangle with sharp edges.
func (c *Canvas) bar(r Rect, col color.NRGBA) {
	c.fill([]Pt{{r.X, r.Y}, {r.X + r.W, r.Y}, {r.X + r.W, r.Y + r.H}, {r.X, r.Y + r.H}}, col)
}

// Alpha returns col with its opacity multiplied by a, 0 to 1.
func Alpha(col color.NRGBA, a float64) color.NRGBA {
	col.A = uint8(float64(col.A)*min(max(a, 0), 1) + 0.5)
	return col
}

// Mix returns the colour that is t of the way from a to b.
func Mix(a, b color.NRGBA, t float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), m(a.A, b.A)}
}

// RGB returns the opaque colour with the hexadecimal code 0xRRGGBB.
func RGB(code uint32) color.NRGBA {
	return color.NRGBA{uint8(code >> 16), uint8(code >> 8), uint8(code), 255}
}
