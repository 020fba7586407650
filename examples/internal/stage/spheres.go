package stage

import (
	"image/color"

	"github.com/dango-physics/dango/collide"
	"github.com/hajimehoshi/ebiten/v2"
)

// Spheres draws any number of shaded spheres in one batch, in the order in which they were added.
type Spheres struct {
	// spheres reflect the room, like polished steel; otherwise they are glossy with a pale belt
	// that shows their rotation
	Steel bool

	Halo float64 // in radii: how far the shadow reaches that a sphere casts on what is behind it

	vertices []ebiten.Vertex
	indices  []uint32
}

// sphereRim is the number of pixels by which a quad is larger than its sphere, so that the smooth
// edge fits.
const sphereRim = 1.0

// sphereSource finds the point of the sphere at a pixel. src is the position of the pixel in radii,
// y up; custom is the rotation.
const sphereSource = `//kage:unit pixels
package main

var Steel float
var Halo float

func Fragment(dst vec4, src vec2, color vec4, custom vec4) vec4 {
	rr := dot(src, src)
	e := fwidth(src.x) + 0.0001
	cover := clamp((1-sqrt(rr))/e+0.5, 0, 1)
	shadow := vec4(0, 0, 0, 0.5*smoothstep(1+Halo, 0.95, length(src+vec2(0, 0.1)))*min(Halo*100, 1)*(1-cover))
	if cover <= 0 {
		return shadow
	}
	n := vec3(src, sqrt(max(0, 1-rr)))
	if Steel > 0 {
		// The reflected room: a bright ceiling with a lamp, a dark horizon and a pale table.
		up := 2*n.z*n.y
		side := 2*n.z*n.x
		sky := mix(0.30, 0.92, smoothstep(0.05, 0.95, up))
		ground := mix(0.17, 0.50, smoothstep(0.0, -0.9, up))
		room := mix(ground, sky, smoothstep(-0.05, 0.10, up))
		room *= 1 - 0.25*smoothstep(0.2, 1, abs(side))
		lamp := smoothstep(0.10, 0.05, length(src-vec2(-0.34, 0.42)))
		edge := 1 - 0.45*rr*rr
		return vec4(min(vec3(1), color.rgb*room*edge*1.12+vec3(0.85*lamp)), 1)*cover*color.a + shadow
	}
	q := -custom.xyz
	height := n.y + 2*(q.z*(q.y*n.z-q.z*n.y+custom.w*n.x)-q.x*(q.x*n.y-q.y*n.x+custom.w*n.z))
	belt := smoothstep(0.30+e, 0.30-e, abs(height))
	paint := mix(color.rgb, vec3(0.96, 0.94, 0.88)*max(max(color.r, color.g), color.b), belt*0.85)
	day := 0.36 + 0.70*max(0, dot(n, vec3(-0.33, 0.62, 0.71)))
	g := max(0, dot(n, vec3(-0.18, 0.36, 0.916)))
	g *= g
	g *= g
	g *= g
	g *= g
	g *= g
	g *= g
	return vec4(min(vec3(1), paint*day+vec3(0.45*g)), 1)*cover*color.a + shadow
}
`

var sphereShader = lazyShader(sphereSource)

// Add adds a sphere to the batch.
func (s *Spheres) Add(at Pt, radius float64, col color.NRGBA, rotation collide.Quat) {
	half := radius*(1+s.Halo) + sphereRim
	s.AddPart(at, radius, col, rotation, Rect{at.X - half, at.Y - half, 2 * half, 2 * half})
}

// AddPart adds the part of a sphere that lies in r to the batch, to save the drawing of hidden
// parts.
func (s *Spheres) AddPart(at Pt, radius float64, col color.NRGBA, rotation collide.Quat, r Rect) {
	if rotation == (collide.Quat{}) {
		rotation.W = 1
	}
	half := radius*(1+s.Halo) + sphereRim
	x0, x1 := max(r.X, at.X-half), min(r.X+r.W, at.X+half)
	y0, y1 := max(r.Y, at.Y-half), min(r.Y+r.H, at.Y+half)
	first := uint32(len(s.vertices))
	for _, p := range [4]Pt{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
		s.vertices = append(s.vertices, ebiten.Vertex{
			DstX: float32(p.X), DstY: float32(p.Y),
			SrcX: float32((p.X - at.X) / radius), SrcY: float32((at.Y - p.Y) / radius),
			ColorR: float32(col.R) / 255, ColorG: float32(col.G) / 255, ColorB: float32(col.B) / 255,
			ColorA:  float32(col.A) / 255,
			Custom0: float32(rotation.X), Custom1: float32(rotation.Y), Custom2: float32(rotation.Z),
			Custom3: float32(rotation.W),
		})
	}
	s.indices = append(s.indices, first, first+1, first+2, first, first+2, first+3)
}

// Draw draws the batch and empties it.
func (s *Spheres) Draw(c *Canvas) {
	c.Flush()
	steel := float32(0)
	if s.Steel {
		steel = 1
	}
	if c.Image != nil {
		c.Image.DrawTrianglesShader32(
			s.vertices, s.indices, sphereShader(),
			&ebiten.DrawTrianglesShaderOptions{Uniforms: map[string]any{"Steel": steel, "Halo": float32(s.Halo)}},
		)
	}
	s.vertices, s.indices = s.vertices[:0], s.indices[:0]
}
