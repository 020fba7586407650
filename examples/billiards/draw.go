package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/hajimehoshi/ebiten/v2"
)

// view shows a scene.
type view struct {
	seed  *uint64 // a flag; set before the first Reset
	scene *scene
	faces faces
	still stage.Backdrop
	held  bool // the pointer, in the last tick
	onTip bool // the pointer was pressed on the picture of the cue ball
}

// Reset lays a fresh rack.
func (v *view) Reset() { v.scene = newScene(*v.seed) }

// The colours.
var (
	wall     = stage.RGB(0x1d2126)
	wood     = stage.RGB(0x6b3f22)
	woodEdge = stage.RGB(0x4a2a15)
	woodSoft = stage.RGB(0x7d4c2b)
	felt     = stage.RGB(0x14735a)
	nose     = stage.RGB(0x0b4c3b)
	chalk    = stage.RGB(0xf3f1e7)
	gold     = stage.RGB(0xf2c14e)
	hole     = stage.RGB(0x0a0b0d)
	brass    = stage.RGB(0x30261d)
	chalked  = stage.RGB(0x3f6fa8)
	shaft    = stage.RGB(0xd9b27c)
	butt     = stage.RGB(0x3a2016)
)

// paint returns the colour of a ball by its number. Balls from 9 on are striped, in the colours of
// 1 to 7.
var paint = [16]color.NRGBA{
	stage.RGB(0xf6f1e3),
	stage.RGB(0xf0b41c), stage.RGB(0x1f4fb0), stage.RGB(0xd3352f), stage.RGB(0x6a3a9c),
	stage.RGB(0xee7a1f), stage.RGB(0x1d8a4c), stage.RGB(0x8c2331), stage.RGB(0x1a1a1d),
	stage.RGB(0xf0b41c), stage.RGB(0x1f4fb0), stage.RGB(0xd3352f), stage.RGB(0x6a3a9c),
	stage.RGB(0xee7a1f), stage.RGB(0x1d8a4c), stage.RGB(0x8c2331),
}

const (
	cushionWidth = 0.045 // metres, of felt around the bed
	railWidth    = 0.115 // metres, of wood around that
	trayHeight   = 0.085
	margin       = cushionWidth + railWidth
)

// shown is the visible part of the world: the table and, below it, the tray.
var shown = collide.AABB{
	Min: collide.Vec3{X: -tableLength/2 - margin - 0.03, Y: -tableWidth/2 - margin - 0.06 - trayHeight},
	Max: collide.Vec3{X: tableLength/2 + margin + 0.03, Y: tableWidth/2 + margin + 0.03},
}

// Title returns the title of the window.
func (v *view) Title() string { return "dango: billiards" }

// Help returns the keys of this example.
func (v *view) Help() string {
	return "Drag back from the cue ball and let go to shoot   arrows, or the ball below: where the cue meets it"
}

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return wall }

// Foreground returns the colour of text.
func (v *view) Foreground() color.NRGBA { return chalk }

// AreaAt returns the area of the table on a canvas.
func (v *view) AreaAt(w, h, s float64) stage.Rect {
	return stage.Rect{X: 8 * s, Y: 10 * s, W: w - 16*s, H: h - 50*s}
}

// camera returns the camera for a canvas of that size.
func (v *view) camera(w, h, s float64) stage.Camera { return stage.Fit(shown, v.AreaAt(w, h, s)) }

// PointerUsed reports whether the player could shoot now.
func (v *view) PointerUsed(stage.Input) bool { return v.scene.atRest() }

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Held: in.Held, Auto: in.Auto, Nudge: tip{in.Move.X, in.Move.Y}.scaled(tipSpeed)}
	if in.W > 0 {
		i.Pointer = v.camera(in.W, in.H, in.Scale).World(in.Pointer)
		t, over := tipAt(i.Pointer)
		v.onTip = in.Held && (v.onTip || over && !v.held)
		v.held = in.Held
		if v.onTip {
			i.Put, i.Held = &t, false
		}
	}
	v.scene.step(i)
}

// Stats returns the lines of the overlay.
func (v *view) Stats() []string {
	s, p := v.scene, v.scene.physics.Stats()
	return []string{
		fmt.Sprintf("tick  %d", s.ticks),
		fmt.Sprintf("bodies, surfaces  %d, %d", p.Bodies, p.Surfaces),
		fmt.Sprintf("pairs, sweeps  %d, %d", p.Pairs, p.Sweeps),
		fmt.Sprintf("impacts  %d (%d in all)", p.Impacts, s.impacts),
		fmt.Sprintf("step  %.0f µs", float64(p.Gather+p.Broadphase+p.Sweep+p.Response+p.Scatter)/1e3),
		fmt.Sprintf("energy  %.3f J", s.energy()),
		fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/ballRadius)),
		fmt.Sprintf("shots, pocketed  %d, %d", s.shots, s.pocketed),
	}
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("billiards: %d ticks, %d shots, %d impacts, %d balls pocketed, %d scratches\n"+
		"energy left %.6f J, worst overlap in any tick: %s of a radius",
		s.ticks, s.shots, s.impacts, s.pocketed, s.scratches, s.energy(), stage.Small(s.worstOverlap/ballRadius))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	s := v.scene
	return fmt.Sprintf(
		"dango   tick %d   %d impacts   %d pocketed   worst overlap %s", s.ticks, s.impacts, s.pocketed,
		stage.Small(s.worstOverlap/ballRadius),
	)
}

// Draw draws the table, the balls, and the shot that is being prepared.
func (v *view) Draw(c *stage.Canvas, _ stage.Rect) {
	cam := v.camera(c.W, c.H, c.Scale)
	v.still.Draw(c, func(c *stage.Canvas) { v.table(c, cam) })
	v.tray(c, cam)
	v.drawTip(c, cam)

	direction, power, aiming := v.scene.aim.shot()
	if aiming {
		v.foretell(c, cam, direction, power)
	}
	v.flashes(c, cam)
	v.balls(c, cam)
	if aiming {
		v.cue(c, cam, direction, power)
	} else if at, ok := v.scene.cueBall(); ok && v.scene.atRest() {
		c.Ring(cam.At(at), cam.Zoom*ballRadius*1.55, 1.5*c.Scale, stage.Alpha(chalk, 0.55))
	}
}

// rect returns the part of the canvas that shows a rectangle around the world's origin.
func rect(cam stage.Camera, hx, hy float64) stage.Rect {
	p := cam.At(collide.Vec3{X: -hx, Y: hy})
	return stage.Rect{X: p.X, Y: p.Y, W: 2 * hx * cam.Zoom, H: 2 * hy * cam.Zoom}
}

func (v *view) table(c *stage.Canvas, cam stage.Camera) {
	m := cam.Zoom // pixels in a metre
	const hx, hy = tableLength / 2, tableWidth / 2
	outer := rect(cam, hx+margin, hy+margin)
	shade := outer
	shade.Y += 0.02 * m
	c.Shade(shade, 0.06*m, 0.05*m, color.NRGBA{0, 0, 0, 150})
	c.Box(outer, 0.06*m, woodEdge)
	c.Box(rect(cam, hx+margin-0.008, hy+margin-0.008), 0.054*m, wood)
	c.Frame(rect(cam, hx+cushionWidth+railWidth*0.55, hy+cushionWidth+railWidth*0.55), 0.03*m, 0.004*m, woodSoft)

	// Diamonds at the eighths of the long sides and the quarters of the short ones.
	out := cushionWidth + railWidth*0.55
	for i := 1; i < 8; i++ {
		if i == 4 {
			continue
		}
		x := tableLength * (float64(i)/8 - 0.5)
		for _, y := range []float64{-1, 1} {
			c.Disc(cam.At(collide.Vec3{X: x, Y: y * (hy + out)}), 0.0075*m, chalk)
		}
	}
	for i := 1; i < 4; i++ {
		y := tableWidth * (float64(i)/4 - 0.5)
		for _, x := range []float64{-1, 1} {
			c.Disc(cam.At(collide.Vec3{X: x * (hx + out), Y: y}), 0.0075*m, chalk)
		}
	}

	// Cushions, then the bed, slightly darker in the shade of the cushions.
	c.Box(rect(cam, hx+cushionWidth, hy+cushionWidth), 0.012*m, nose)
	c.Box(rect(cam, hx, hy), 0, felt)
	for i, w := range []float64{0.028, 0.018, 0.009} {
		d := w / 2
		c.Frame(rect(cam, hx-d, hy-d), 0, w*m, stage.Alpha(nose, 0.16+0.05*float64(i)))
	}
	a, b := cam.At(collide.Vec3{X: headSpot.X, Y: hy}), cam.At(collide.Vec3{X: headSpot.X, Y: -hy})
	c.Line(a, b, max(1, 0.0035*m), stage.Mix(felt, chalk, 0.22))
	c.Disc(cam.At(footSpot), 0.008*m, stage.Mix(felt, chalk, 0.35))
	c.Disc(cam.At(headSpot), 0.008*m, stage.Mix(felt, chalk, 0.35))

	for e := range pockets.Iter(v.scene.world) {
		p := cam.At(components.Transform.Get(e).Position)
		r := pocket.Get(e).Hole * m
		c.Disc(p, r+0.016*m, brass)
		c.Disc(p, r, hole)
		c.Glow(stage.Pt{X: p.X, Y: p.Y + 0.012*m}, r*0.55, r*0.4, color.NRGBA{40, 44, 50, 120})
	}
}

// tipPlace returns the centre and radius, in metres, of the picture of the cue ball on which the
// player sets the tip.
var tipPlace = collide.Vec3{X: tableLength/2 - 0.10, Y: -tableWidth/2 - margin - 0.03 - trayHeight/2}

const tipRadius = 0.046

// tipAt returns the tip for a point on the table, and whether the point is on the picture.
func tipAt(at collide.Vec3) (tip, bool) {
	d := at.Sub(tipPlace).Scale(1 / tipRadius)
	return tip{d.X, d.Y}, math.Hypot(d.X, d.Y) < 1.1
}

// drawTip draws the cue ball from behind, with the point that the tip will hit.
func (v *view) drawTip(c *stage.Canvas, cam stage.Camera) {
	m, t := cam.Zoom, v.scene.tip
	p := cam.At(tipPlace)
	r := tipRadius * m
	c.Disc(p, r, paint[0])
	c.Glow(p.Add(stage.Pt{X: -0.3 * r, Y: -0.35 * r}), 0.25*r, 0.3*r, color.NRGBA{255, 255, 255, 200})
	c.Ring(p, farTip*r, c.Scale, stage.Alpha(wall, 0.35))
	c.Line(p.Sub(stage.Pt{X: farTip * r}), p.Add(stage.Pt{X: farTip * r}), c.Scale, stage.Alpha(wall, 0.25))
	c.Line(p.Sub(stage.Pt{Y: farTip * r}), p.Add(stage.Pt{Y: farTip * r}), c.Scale, stage.Alpha(wall, 0.25))
	c.Disc(p.Add(stage.Pt{X: t.Side * r, Y: -t.Up * r}), 0.15*r, chalked)
	c.Text(t.name(), p.Sub(stage.Pt{X: r + 10*c.Scale}), 13, stage.Regular, stage.Right, stage.Alpha(chalk, 0.8))
}

// name returns the usual name of the tip.
func (t tip) name() string {
	var names []string
	switch {
	case t.Up > 0.05:
		names = append(names, "follow")
	case t.Up < -0.05:
		names = append(names, "draw")
	}
	switch {
	case t.Side > 0.05:
		names = append(names, "right")
	case t.Side < -0.05:
		names = append(names, "left")
	}
	return strings.Join(names, ", ")
}

// tray draws the pocketed balls below the table.
func (v *view) tray(c *stage.Canvas, cam stage.Camera) {
	m := cam.Zoom
	y := -tableWidth/2 - margin - 0.03 - trayHeight/2
	const half = 8 * 2.35 * ballRadius
	at := cam.At(collide.Vec3{X: -half, Y: y + trayHeight/2})
	c.Box(stage.Rect{X: at.X, Y: at.Y, W: 2 * half * m, H: trayHeight * m}, trayHeight*m/2, stage.RGB(0x14171b))
	c.Frame(stage.Rect{X: at.X, Y: at.Y, W: 2 * half * m, H: trayHeight * m}, trayHeight*m/2, 0.006*m, woodEdge)
	for i := range 15 {
		p := cam.At(trayPlace(i))
		if i < len(v.scene.tray) {
			v.faces.add(p, ballRadius*m, v.scene.tray[i], upright, 1)
		} else {
			c.Disc(p, ballRadius*m*0.8, stage.RGB(0x1d2126))
		}
	}
}

// trayPlace returns the position of the i-th pocketed ball.
func trayPlace(i int) collide.Vec3 {
	return collide.Vec3{
		X: (float64(i) - 7) * 2.35 * ballRadius,
		Y: -tableWidth/2 - margin - 0.03 - trayHeight/2,
	}
}

// upright is a rotation with the number towards the viewer, slightly tilted.
var upright = collide.Quat{Z: 0.0998, W: 0.995}

// balls draws the balls on the table and those that fall, after their shadows.
func (v *view) balls(c *stage.Canvas, cam stage.Camera) {
	m := cam.Zoom
	type item struct {
		number int
		at     stage.Pt
		q      collide.Quat
	}
	var items []item
	for e := range balls.Iter(v.scene.world) {
		t := components.Transform.Get(e)
		items = append(items, item{ball.Get(e).Number, cam.At(t.Position), t.Rotation})
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Compare(a.number, b.number) })
	for _, b := range items {
		// The lamp is above the middle of the table, so shadows point outwards.
		lean := b.at.Sub(cam.At(collide.Vec3{})).Scale(0.012)
		c.Glow(
			b.at.Add(lean).Add(stage.Pt{Y: 0.006 * m}), ballRadius*m*0.95, ballRadius*m*0.45,
			color.NRGBA{0, 20, 14, 170},
		)
	}
	for _, d := range v.scene.drops {
		u := float64(d.Age) / dropTicks
		at := cam.At(d.From.Lerp(d.To, math.Sqrt(u)))
		v.faces.add(at, ballRadius*m*(1-0.35*u), d.Number, upright, 1-u)
	}
	for _, b := range items {
		v.faces.add(b.at, ballRadius*m, b.number, b.q, 1)
	}
	v.faces.draw(c, ballRadius*m)
}

// flashes draws a fading ring around the point of each hard impact.
func (v *view) flashes(c *stage.Canvas, cam stage.Camera) {
	for _, f := range v.scene.flashes {
		u := float64(f.Age) / flashTicks
		strength := min(f.Speed/3, 1)
		r := cam.Zoom * (0.015 + (0.02+0.06*strength)*u)
		c.Ring(cam.At(f.At), r, cam.Zoom*0.006*(1-u)+0.5, stage.Alpha(chalk, (1-u)*(0.25+0.6*strength)))
	}
}

// foretell draws a prediction.
func (v *view) foretell(c *stage.Canvas, cam stage.Camera, direction collide.Vec3, power float64) {
	p := v.scene.predict(direction, power)
	w := 2 * c.Scale
	r := cam.Zoom * ballRadius
	line := func(points []collide.Vec3, width float64, col color.NRGBA) {
		var way []stage.Pt
		for _, at := range points {
			way = append(way, cam.At(at))
		}
		c.DashedPath(way, width, 5*c.Scale, 5*c.Scale, col)
	}
	line(p.Path, w, stage.Alpha(chalk, 0.85))
	for _, at := range p.Bounces {
		c.Ring(cam.At(at), r, 1.2*c.Scale, stage.Alpha(chalk, 0.5))
	}
	if p.Falls {
		c.Ring(cam.At(p.Path[len(p.Path)-1]), r*1.2, w, stage.RGB(0xe5484d))
	}
	if !p.Meets {
		return
	}
	ghost := cam.At(p.Path[len(p.Path)-1])
	c.Disc(ghost, r, stage.Alpha(chalk, 0.18))
	c.Ring(ghost, r-0.7*c.Scale, 1.4*c.Scale, stage.Alpha(chalk, 0.95))
	line(p.After, 1.6*c.Scale, stage.Alpha(chalk, 0.5))
	if n := len(p.Object); n > 1 && p.Object[n-1].Distance(p.Object[0]) > ballRadius {
		for i := 1; i < n-1; i++ {
			c.Line(cam.At(p.Object[i-1]), cam.At(p.Object[i]), w*1.2, gold)
		}
		c.Arrow(cam.At(p.Object[n-2]), cam.At(p.Object[n-1]), w*1.2, gold)
	}
	if p.Sinks {
		c.Ring(cam.At(p.Object[len(p.Object)-1]), r*1.1, w, gold)
	}
}

// cue draws the cue and the strength of the shot.
func (v *view) cue(c *stage.Canvas, cam stage.Camera, direction collide.Vec3, power float64) {
	at, ok := v.scene.cueBall()
	if !ok {
		return
	}
	back := func(d, side float64) stage.Pt { // a point d metres behind the ball
		p := at.AddScaled(-d, direction)
		return cam.At(p.Add(collide.Vec3{X: -direction.Y * side, Y: direction.X * side}))
	}
	m := cam.Zoom
	d := ballRadius + 0.012 + power*0.24
	piece := func(from, to, w0, w1 float64, col color.NRGBA) {
		c.Poly([]stage.Pt{back(d+from, w0), back(d+to, w1), back(d+to, -w1), back(d+from, -w0)}, col)
	}
	drop := stage.Pt{X: 0.012 * m, Y: 0.022 * m}
	c.Line(back(d, 0).Add(drop), back(d+1.3, 0).Add(drop), 0.018*m, color.NRGBA{0, 0, 0, 70})
	piece(0, 0.012, 0.0062, 0.0062, chalked)
	piece(0.012, 0.035, 0.0064, 0.0066, chalk)
	piece(0.035, 0.85, 0.0066, 0.011, shaft)
	piece(0.85, 0.88, 0.011, 0.0112, gold)
	piece(0.88, 1.3, 0.0112, 0.014, butt)

	// The strength, as an arc around the ball.
	const parts = 40
	r := m * ballRadius * 1.75
	p := cam.At(at)
	for i := range parts {
		if float64(i) >= power*parts {
			break
		}
		u := float64(i) / parts
		a := 2*math.Pi*u - math.Pi/2
		b := 2*math.Pi*(u+1.0/parts) - math.Pi/2
		col := stage.Mix(gold, stage.RGB(0xe5484d), u)
		c.Line(
			p.Add(stage.Pt{X: r * math.Cos(a), Y: r * math.Sin(a)}),
			p.Add(stage.Pt{X: r * math.Cos(b), Y: r * math.Sin(b)}), 0.008*m, col,
		)
	}
	label := fmt.Sprintf("%.1f m/s", power*fastestShot)
	c.Text(label, p.Add(stage.Pt{Y: -r - 14*c.Scale}), 13, stage.Bold, stage.Center, chalk)
}

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
package main

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
	f.prepare(c, radius)
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
