package debugdraw

import (
	"image"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/hajimehoshi/ebiten/v2"
)

// canvas collects lines of the world as triangles on the screen.
type canvas struct {
	camera        *Camera
	view          view
	geom          ebiten.GeoM
	left, top     float64 // of the screen, pixels: not 0 for a part of an image
	width, height float64 // of the screen, pixels
	half          float64 // half of the width of lines, pixels
	vertices      []ebiten.Vertex
	indices       []uint32
	brush         *ebiten.Image // white in the middle, and transparent above and below
}

// begin empties the canvas and prepares it for a screen.
func (c *canvas) begin(camera *Camera, geom ebiten.GeoM, width, height, lineWidth float64) {
	c.camera, c.geom, c.width, c.height = camera, geom, width, height
	c.vertices, c.indices = c.vertices[:0], c.indices[:0]
	if !(lineWidth > 0) {
		lineWidth = 1.5
	}
	c.half = lineWidth / 2
	if camera != nil {
		c.view = camera.view(width, height)
	}
}

// isFlat reports whether the world is drawn as a plane.
func (c *canvas) isFlat() bool { return c.camera == nil }

// scale returns how many pixels a length of 1 has at p, and false if p is behind the camera.
func (c *canvas) scale(p collide.Vec3) (float64, bool) {
	a, b := c.geom.Element(0, 0), c.geom.Element(1, 0)
	zoom := math.Sqrt(a*a + b*b)
	if c.isFlat() {
		return zoom, true
	}
	_, _, scale, ok := c.view.project(c.view.see(p))
	return zoom * scale, ok
}

// line draws a line between two points of the world.
func (c *canvas) line(a, b collide.Vec3, clr color.RGBA) {
	if c.isFlat() {
		ax, ay := c.geom.Apply(a.X, a.Y)
		bx, by := c.geom.Apply(b.X, b.Y)
		c.stroke(ax, ay, bx, by, c.half, clr)
		return
	}
	// Cut off what is behind the camera.
	a, b = c.view.see(a), c.view.see(b)
	if a.Z < c.view.near && b.Z < c.view.near {
		return
	}
	if a.Z < c.view.near {
		a = a.Lerp(b, (c.view.near-a.Z)/(b.Z-a.Z))
		a.Z = c.view.near
	} else if b.Z < c.view.near {
		b = b.Lerp(a, (c.view.near-b.Z)/(a.Z-b.Z))
		b.Z = c.view.near
	}
	ax, ay, _, _ := c.view.project(a)
	bx, by, _, _ := c.view.project(b)
	ax, ay = c.geom.Apply(ax, ay)
	bx, by = c.geom.Apply(bx, by)
	c.stroke(ax, ay, bx, by, c.half, clr)
}

// dot draws a small square at a point of the world, of a size in pixels.
func (c *canvas) dot(p collide.Vec3, size float64, clr color.RGBA) {
	if x, y, ok := c.point(p); ok {
		c.stroke(x-size, y, x+size, y, size, clr)
	}
}

// star draws a cross of two diagonals at a point of the world, of a size in pixels.
func (c *canvas) star(p collide.Vec3, size float64, clr color.RGBA) {
	if x, y, ok := c.point(p); ok {
		c.stroke(x-size, y-size, x+size, y+size, c.half, clr)
		c.stroke(x-size, y+size, x+size, y-size, c.half, clr)
	}
}

// point returns where a point of the world is on the screen.
func (c *canvas) point(p collide.Vec3) (x, y float64, ok bool) {
	if c.isFlat() {
		x, y = c.geom.Apply(p.X, p.Y)
		return x, y, true
	}
	x, y, _, ok = c.view.project(c.view.see(p))
	x, y = c.geom.Apply(x, y)
	return x, y, ok
}

// circle draws a circle with a centre and two vectors of its radius at right angles.
func (c *canvas) circle(center, u, v collide.Vec3, clr color.RGBA) {
	scale, ok := c.scale(center)
	if !ok {
		return
	}
	n := int(min(max(8+1.5*math.Sqrt(u.Length()*scale)*2, 8), 64))
	last := center.Add(u)
	for k := 1; k <= n; k++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		next := center.AddScaled(cos, u).AddScaled(sin, v)
		c.line(last, next, clr)
		last = next
	}
}

// box draws the edges of a box. One without depth is a rectangle.
func (c *canvas) box(b collide.AABB, clr color.RGBA) {
	corner := func(k int) collide.Vec3 {
		p := b.Min
		if k&1 != 0 {
			p.X = b.Max.X
		}
		if k&2 != 0 {
			p.Y = b.Max.Y
		}
		if k&4 != 0 {
			p.Z = b.Max.Z
		}
		return p
	}
	flat := c.isFlat() || b.Min.Z == b.Max.Z
	for k := range 8 {
		for axis := range 3 {
			if bit := 1 << axis; k&bit == 0 && !(flat && (k&4 != 0 || bit == 4)) {
				c.line(corner(k), corner(k|bit), clr)
			}
		}
	}
}

// stroke draws a line on the screen, in pixels. What is far outside is left out.
func (c *canvas) stroke(ax, ay, bx, by, half float64, clr color.RGBA) {
	if max(ax, bx) < c.left-half || min(ax, bx) > c.left+c.width+half ||
		max(ay, by) < c.top-half || min(ay, by) > c.top+c.height+half {
		return
	}
	dx, dy := bx-ax, by-ay
	length := math.Sqrt(dx*dx + dy*dy)
	if !(length > 0 && length < 1e6) {
		return
	}
	half += 0.5 // the edges of the brush, where it becomes transparent
	nx, ny := -dy/length*half, dx/length*half
	first := uint32(len(c.vertices))
	r, g, b, a := float32(clr.R)/255, float32(clr.G)/255, float32(clr.B)/255, float32(clr.A)/255
	for _, p := range [4][3]float64{
		{ax + nx, ay + ny, 0.5}, {ax - nx, ay - ny, 3.5}, {bx - nx, by - ny, 3.5}, {bx + nx, by + ny, 0.5},
	} {
		c.vertices = append(c.vertices, ebiten.Vertex{
			DstX: float32(p[0]), DstY: float32(p[1]), SrcX: 2, SrcY: float32(p[2]),
			ColorR: r, ColorG: g, ColorB: b, ColorA: a,
		})
	}
	c.indices = append(c.indices, first, first+1, first+2, first, first+2, first+3)
}

// flush draws what was collected. Lines are smooth because the brush is filtered across them.
func (c *canvas) flush(screen *ebiten.Image) {
	if c.brush == nil {
		c.brush = ebiten.NewImage(4, 4)
		c.brush.SubImage(image.Rect(0, 1, 4, 3)).(*ebiten.Image).Fill(color.White)
	}
	options := &ebiten.DrawTrianglesOptions{
		ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha, Filter: ebiten.FilterLinear,
	}
	screen.DrawTriangles32(c.vertices, c.indices, c.brush, options)
}
