package billiards

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
)

// view shows a scene.
type view struct {
	seed  uint64
	speed float64 // slider: of the hardest shot
	rules rules   // sliders
	scene *scene
	faces faces
	still stage.Backdrop
	held  bool // the pointer, in the last tick
	onTip bool // the pointer was pressed on the picture of the cue ball
}

// New returns the example.
func New(seed uint64) stage.Game { return &view{seed: seed, speed: fastestShot, rules: usual} }

// Reset lays a fresh rack.
func (v *view) Reset() { v.scene = newScene(v.seed) }

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
	trayHeight   = 0.095
	margin       = cushionWidth + railWidth
)

// shown is the visible part of the world: the table and, below it, the tray.
var shown = collide.AABB{
	Min: collide.Vec3{X: -tableLength/2 - margin - 0.03, Y: -tableWidth/2 - margin - 0.06 - trayHeight},
	Max: collide.Vec3{X: tableLength/2 + margin + 0.03, Y: tableWidth/2 + margin + 0.03},
}

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return wall }

// camera returns the camera for a canvas of that size. The table stands on end where that is higher
// than wide.
func (v *view) camera(w, h, s float64) stage.Camera {
	area := stage.Rect{X: 6 * s, Y: 34 * s, W: w - 12*s, H: h - 40*s} // below the line of the players
	if h > w {
		return stage.FitTurned(shown, area)
	}
	return stage.Fit(shown, area)
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Held: in.Held, Cancel: in.Cancel, Auto: in.Auto, Nudge: tip{in.Move.X, in.Move.Y}.scaled(tipSpeed)}
	if in.W > 0 {
		i.Pointer = v.camera(in.W, in.H, in.Scale).World(in.Pointer)
		t, over := v.tipAt(v.camera(in.W, in.H, in.Scale), in.Pointer)
		v.onTip = in.Held && (v.onTip || over && !v.held)
		v.held = in.Held
		if v.onTip {
			i.Put, i.Held = &t, false
		}
	}
	v.scene.fastest = v.speed
	v.scene.tune(v.rules)
	v.scene.step(i)
}

// Panel returns what is beside the table.
func (v *view) Panel() stage.Panel {
	s := v.scene
	return stage.Panel{
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: 2, Max: 100, Step: 1, Unit: "m/s", Log: true},
			{Name: "restitution", Value: &v.rules.bounce, Min: 0, Max: 1, Step: 0.01},
			{Name: "cloth", Value: &v.rules.grip, Min: 0.05, Max: 1, Step: 0.05},
			{Name: "gravity", Value: &v.rules.weight, Min: 0.1, Max: 3, Step: 0.1, Unit: "g"},
		},
		Lines: []string{
			fmt.Sprintf("racks won  %d and %d", s.wins[0], s.wins[1]),
			fmt.Sprintf("shots  %d", s.shots),
			fmt.Sprintf("impacts  %d", s.impacts),
			fmt.Sprintf("energy  %.3f J", s.energy()),
			fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/ballRadius)),
		},
		Hint: "Drag back from the cue ball and let go to shoot; the right button or a second finger cancels. " +
			"Arrows or a touch on the spin ball set the spin. Eight balls win.",
		Physics: s.physics, World: s.world,
		Pointer: s.atRest(),
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
	return "bounce, friction and spin, with the path of the shot predicted"
}

// Draw draws the table, the balls, and the shot that is being prepared.
func (v *view) Draw(c *stage.Canvas) {
	cam := v.camera(c.W, c.H, c.Scale)
	v.still.Draw(c, func(c *stage.Canvas) { v.table(c, cam) })
	v.tray(c, cam)
	v.drawTip(c, cam)
	v.players(c)

	direction, power, aiming := v.scene.aim.shot()
	if aiming {
		v.foretell(c, cam, direction, power)
	}
	v.flashes(c, cam)
	v.balls(c, cam)
	c.Debug(v.scene.physics, v.scene.world, cam)
	if aiming {
		v.cue(c, cam, direction, power)
	} else if at, ok := v.scene.cueBall(); ok && v.scene.atRest() {
		c.Ring(cam.At(at), cam.Zoom*ballRadius*1.55, 1.5*c.Scale, stage.Alpha(chalk, 0.55))
	}
}

// rect returns the part of the canvas that shows a rectangle around the world's origin.
func rect(cam stage.Camera, hx, hy float64) stage.Rect {
	return between(cam, collide.Vec3{X: -hx, Y: -hy}, collide.Vec3{X: hx, Y: hy})
}

// between returns the part of the canvas that shows a rectangle with these corners.
func between(cam stage.Camera, a, b collide.Vec3) stage.Rect {
	p, q := cam.At(a), cam.At(b)
	return stage.Rect{X: min(p.X, q.X), Y: min(p.Y, q.Y), W: math.Abs(p.X - q.X), H: math.Abs(p.Y - q.Y)}
}

// players draws whose turn it is, and how many balls each has.
func (v *view) players(c *stage.Canvas) {
	s := v.scene
	for i := range 2 {
		x, align := 12*c.Scale, stage.Left
		if i == 1 {
			x, align = c.W-12*c.Scale, stage.Right
		}
		text, col := fmt.Sprintf("Player %d: %d", i+1, s.points[i]), stage.Alpha(chalk, 0.55)
		if i == s.turn {
			col = gold
		}
		if s.points[i] >= enough {
			text = fmt.Sprintf("Player %d wins", i+1)
		}
		c.Text(text, stage.Pt{X: x, Y: 18 * c.Scale}, 16, stage.Bold, align, col)
	}
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

	// The bed reaches below the cushions and into the pockets, which are cut into them.
	c.Box(rect(cam, hx+cushionWidth, hy+cushionWidth), 0.012*m, felt)
	v.cushions(c, cam)
	a, b := cam.At(collide.Vec3{X: headSpot.X, Y: hy}), cam.At(collide.Vec3{X: headSpot.X, Y: -hy})
	c.Line(a, b, max(1, 0.0035*m), stage.Mix(felt, chalk, 0.22))
	c.Disc(cam.At(footSpot), 0.008*m, stage.Mix(felt, chalk, 0.35))
	c.Disc(cam.At(headSpot), 0.008*m, stage.Mix(felt, chalk, 0.35))

	for e := range pockets.Iter(v.scene.world) {
		p := cam.At(components.Transform.Get(e).Position)
		r := pocket.Get(e).Hole * m
		c.Disc(p, r, hole)
		c.Ring(p, r, 0.008*m, brass)
		c.Glow(stage.Pt{X: p.X, Y: p.Y + 0.012*m}, r*0.55, r*0.4, color.NRGBA{40, 44, 50, 120})
	}
}

// cushions draws the six cushions, with ends that open towards the pockets.
func (v *view) cushions(c *stage.Canvas, cam stage.Camera) {
	const hx, hy = tableLength / 2, tableWidth / 2
	side, corner := 0.062, 0.078 // metres from a pocket to the nose of a cushion
	piece := func(from, to collide.Vec3, out collide.Vec3, open0, open1 float64) {
		along, _ := to.Sub(from).Normalized()
		back0 := from.AddScaled(cushionWidth, out).AddScaled(-open0*cushionWidth, along)
		back1 := to.AddScaled(cushionWidth, out).AddScaled(open1*cushionWidth, along)
		c.Poly([]stage.Pt{cam.At(from), cam.At(to), cam.At(back1), cam.At(back0)}, nose)
		c.Line(cam.At(from), cam.At(to), max(1, 0.005*cam.Zoom), stage.Mix(nose, chalk, 0.18))
	}
	for _, y := range []float64{-1, 1} {
		out := collide.Vec3{Y: y}
		for _, x := range []float64{-1, 1} {
			piece(
				collide.Vec3{X: x * side, Y: y * hy}, collide.Vec3{X: x * (hx - corner), Y: y * hy}, out, 0.3, 0.9,
			)
		}
	}
	for _, x := range []float64{-1, 1} {
		from, to := collide.Vec3{X: x * hx, Y: corner - hy}, collide.Vec3{X: x * hx, Y: hy - corner}
		piece(from, to, collide.Vec3{X: x}, 0.9, 0.9)
	}
}

// The picture of the cue ball on which the player sets the spin is at one end of the tray.
const tipRadius = 0.055

func tipPlace(cam stage.Camera) stage.Pt {
	return cam.At(collide.Vec3{X: tableLength/2 - 0.02, Y: -tableWidth/2 - margin - 0.03 - trayHeight/2})
}

// tipAt returns the tip for a point on the canvas, and whether the point is on the picture.
func (v *view) tipAt(cam stage.Camera, at stage.Pt) (tip, bool) {
	d := at.Sub(tipPlace(cam)).Scale(1 / (tipRadius * cam.Zoom))
	return tip{d.X, -d.Y}, d.Len() < 1.25
}

// drawTip draws the cue ball from behind, with the point that the tip will hit.
func (v *view) drawTip(c *stage.Canvas, cam stage.Camera) {
	m, t := cam.Zoom, v.scene.tip
	p := tipPlace(cam)
	r := tipRadius * m
	c.Disc(p, r, paint[0])
	c.Glow(p.Add(stage.Pt{X: -0.3 * r, Y: -0.35 * r}), 0.25*r, 0.3*r, color.NRGBA{255, 255, 255, 200})
	c.Ring(p, farTip*r, c.Scale, stage.Alpha(wall, 0.35))
	c.Line(p.Sub(stage.Pt{X: farTip * r}), p.Add(stage.Pt{X: farTip * r}), c.Scale, stage.Alpha(wall, 0.25))
	c.Line(p.Sub(stage.Pt{Y: farTip * r}), p.Add(stage.Pt{Y: farTip * r}), c.Scale, stage.Alpha(wall, 0.25))
	c.Disc(p.Add(stage.Pt{X: t.Side * r, Y: -t.Up * r}), 0.15*r, chalked)
	label, at, align := "spin", p.Sub(stage.Pt{X: r + 8*c.Scale}), stage.Right
	if name := t.name(); name != "" {
		label += ": " + name
	}
	if cam.Turned { // the tray is beside the table
		at, align = stage.Pt{X: c.W - 10*c.Scale, Y: p.Y - r - 10*c.Scale}, stage.Right
	}
	c.Text(label, at, 14, stage.Bold, align, gold)
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

// trayMiddle is the x of the tray's middle: it leaves room for the spin.
const trayMiddle = -0.30

// tray draws the pocketed balls below the table.
func (v *view) tray(c *stage.Canvas, cam stage.Camera) {
	m := cam.Zoom
	y := -tableWidth/2 - margin - 0.03 - trayHeight/2
	const half = 8 * 2.2 * ballRadius
	low := collide.Vec3{X: trayMiddle - half, Y: y - trayHeight/2}
	box := between(cam, low, low.Add(collide.Vec3{X: 2 * half, Y: trayHeight}))
	c.Box(box, trayHeight*m/2, stage.RGB(0x14171b))
	c.Frame(box, trayHeight*m/2, 0.006*m, woodEdge)
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
		X: trayMiddle + (float64(i)-7)*2.2*ballRadius,
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
		t := c.Pose(v.scene.physics, e)
		rotation := t.Rotation
		if cam.Turned {
			rotation = quarter.Mul(rotation)
		}
		items = append(items, item{ball.Get(e).Number, cam.At(t.Position), rotation})
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

// quarter turns the world as a turned camera does.
var quarter = collide.RotationAround(collide.Vec3{Z: 1}, math.Pi/2)

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
	label := fmt.Sprintf("%.1f m/s", power*v.scene.fastest)
	c.Text(label, p.Add(stage.Pt{Y: -r - 14*c.Scale}), 13, stage.Bold, stage.Center, chalk)
}
