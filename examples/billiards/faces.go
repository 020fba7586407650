package billiards

import (
	"fmt"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/hajimehoshi/ebiten/v2"
)

// faces draws balls as rotated, painted and shaded spheres, all in one batch.
type faces struct {
	atlas    *ebiten.Image // the numbers, one in each cell, in the size of the screen
	cell     int           // pixels
	vertices []ebiten.Vertex
	indices  []uint32
	waiting  []face
}

type face struct {
	at     stage.Pt
	radius float64
	number int
	q      collide.Quat
	light  float64
}

// rim is the factor by which a quad is larger than its ball, so that the smooth edge fits.
const rim = 1.1

// ballSource finds the point of the sphere at each pixel, rotates it by the inverse of the ball's
// rotation (custom), and looks up its colour.
const ballSource = `//kage:unit pixels
package billiards

var Cell float

func number(p vec2) float {
	q := p - 0.5
	f := fract(q)
	q = floor(q) + 0.5
	a := mix(imageSrc0At(q).a, imageSrc0At(q+vec2(1, 0)).a, f.x)
	b := mix(imageSrc0At(q+vec2(0, 1)).a, imageSrc0At(q+vec2(1, 1)).a, f.x)
	return mix(a, b, f.y)
}

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	o := imageSrc0Origin()
	index := floor((src.x - o.x)/Cell)
	corner := o + vec2(index*Cell, 0)
	p := ((src-corner)/Cell*2 - 1)*1.1
	p.y = -p.y
	r := length(p)
	e := fwidth(src.x)*2.2/Cell + 0.0001 // not of p, which jumps from cell to cell
	cover := clamp((1-r)/e+0.5, 0, 1)
	if cover <= 0 {
		return vec4(0)
	}
	n := vec3(p, sqrt(max(0, 1-r*r)))
	q := -custom.xyz
	l := n + 2*cross(q, cross(q, n)+custom.w*n)

	white := vec3(0.965, 0.945, 0.89)
	paint := color.rgb/color.a
	s := e*0.9 + 0.01
	if index == 0 {
		// The cue ball carries six red dots, so that one sees it roll.
		m := max(max(abs(l.x), abs(l.y)), abs(l.z))
		paint = mix(white, vec3(0.80, 0.16, 0.14), smoothstep(0.975-s*0.4, 0.975+s*0.4, m))
	} else {
		if index > 8 {
			paint = mix(paint, white, smoothstep(0.56-s, 0.56+s, abs(l.y)))
		}
		// A white disc with the number at two opposite ends.
		d := length(l.xy)
		paint = mix(paint, white, 1-smoothstep(0.50-s, 0.50+s, d))
		if d < 0.5 {
			side := l.xy
			if l.z < 0 {
				side.x = -side.x
			}
			ink := number(corner + (vec2(side.x, -side.y)/1.1+1)*Cell/2)
			paint = mix(paint, vec3(0.08, 0.08, 0.09), ink)
		}
	}
	// A lamp above and to the left, light back from the cloth, and a gloss.
	lamp := normalize(vec3(-0.35, 0.55, 0.85))
	day := 0.42 + 0.66*max(0, dot(n, lamp))
	cloth := vec3(0.02, 0.10, 0.07)*(1-n.z)
	gloss := pow(max(0, dot(reflect(-lamp, n), vec3(0, 0, 1))), 40)
	return vec4(min(vec3(1), (paint*day+cloth)*color.a+vec3(0.75*gloss)*color.a), 1)*cover*smoothstep(0, 0.25, color.a)
}
`

var ballShader *ebiten.Shader

// add adds a ball to the batch. Values of light below 1 darken it.
func (f *faces) add(at stage.Pt, radius float64, number int, q collide.Quat, light float64) {
	f.waiting = append(f.waiting, face{at, radius, number, q, light})
}

// draw draws the batch. Radius is the radius of most balls, in pixels.
func (f *faces) draw(c *stage.Canvas, radius float64) {
	c.Flush()
	if c.Image != nil {
		f.prepare(c, radius)
	}
	f.vertices, f.indices = f.vertices[:0], f.indices[:0]
	for _, w := range f.waiting {
		first := uint32(len(f.vertices))
		col, a := paint[w.number], float32(w.light)
		for _, s := range [4]stage.Pt{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
			f.vertices = append(f.vertices, ebiten.Vertex{
				DstX: float32(w.at.X + s.X*w.radius*rim), DstY: float32(w.at.Y + s.Y*w.radius*rim),
				SrcX:   float32((float64(w.number) + (s.X*0.9999+1)/2) * float64(f.cell)),
				SrcY:   float32((s.Y*0.9999 + 1) / 2 * float64(f.cell)),
				ColorR: float32(col.R) / 255 * a, ColorG: float32(col.G) / 255 * a,
				ColorB: float32(col.B) / 255 * a, ColorA: a,
				Custom0: float32(w.q.X), Custom1: float32(w.q.Y), Custom2: float32(w.q.Z), Custom3: float32(w.q.W),
			})
		}
		f.indices = append(f.indices, first, first+1, first+2, first, first+2, first+3)
	}
	f.waiting = f.waiting[:0]
	if c.Image == nil {
		return
	}
	c.Image.DrawTrianglesShader32(f.vertices, f.indices, ballShader, &ebiten.DrawTrianglesShaderOptions{
		Uniforms: map[string]any{"Cell": float32(f.cell)},
		Images:   [4]*ebiten.Image{f.atlas},
	})
}

// prepare compiles the shader and draws the numbers in the size of the screen, which keeps them
// sharp.
func (f *faces) prepare(c *stage.Canvas, radius float64) {
	if ballShader == nil {
		var err error
		if ballShader, err = ebiten.NewShader([]byte(ballSource)); err != nil {
			panic("billiards: " + err.Error())
		}
	}
	cell := max(8, int(math.Ceil(2*rim*radius)))
	if cell == f.cell {
		return
	}
	if f.atlas != nil {
		f.atlas.Deallocate()
	}
	f.cell, f.atlas = cell, ebiten.NewImage(16*cell, cell)
	numbers := stage.Canvas{Image: f.atlas, W: float64(16 * cell), H: float64(cell), Scale: 1}
	for n := 1; n < 16; n++ {
		size := radius * 0.82
		if n > 9 {
			size = radius * 0.68
		}
		at := stage.Pt{X: (float64(n) + 0.5) * float64(cell), Y: float64(cell) / 2}
		numbers.Text(fmt.Sprint(n), at, size, stage.Bold, stage.Center, color.NRGBA{0, 0, 0, 255})
	}
	numbers.Flush()
}
