package cradle

import (
	"fmt"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	scene  *scene
	past   []moment // of the last seconds
	bounce float64  // slider
	part   int      // of a tick, in slow motion
	still  stage.Backdrop
	steel  stage.Spheres
	held   bool // the pointer, in the last tick
	target target
	ball   int // that the pointer drags, if target is onBall
}

// moment is the state of the row after a tick.
type moment struct{ energy, momentum float64 }

// pastTicks is the duration of the plots.
const pastTicks = 240

// target is what the pointer was pressed on.
type target int

const (
	onNothing target = iota
	onBall
	onDrop
	onCorner
)

// The colours.
var (
	night  = stage.RGB(0x1d2126)
	panel  = stage.RGB(0x262c35)
	table  = stage.RGB(0x323a45)
	pale   = stage.RGB(0xe7ecf2)
	amber  = stage.RGB(0xf2c14e)
	wood   = stage.RGB(0x7a4a29)
	dark   = stage.RGB(0x4a2a15)
	tube   = stage.RGB(0xaab4c0)
	chrome = stage.RGB(0xf4f8ff)
	copper = stage.RGB(0xffb27a)
	azure  = stage.RGB(0x8fb8ff)
	thread = stage.RGB(0xd9dee6)
)

// New returns the example, which draws nothing at random.
func New(uint64) stage.Game { return &view{bounce: 1} }

// Reset hangs up the balls.
func (v *view) Reset() { v.scene, v.past = newScene(), nil }

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return night }

// layout is the arrangement of the panels.
type layout struct {
	row, drop, corner stage.Rect
	plot              stage.Rect // in the row; empty if there is no room
	swing, fall, shot stage.Camera
}

// The visible parts of the worlds.
var (
	rowShown  = collide.AABB{Min: collide.Vec3{X: -0.385, Y: -0.41}, Max: collide.Vec3{X: 0.385, Y: 0.05}}
	dropShown = collide.AABB{
		Min: collide.Vec3{X: -0.80, Y: -0.07},
		Max: collide.Vec3{X: 0.38, Y: 4*dropHeight + lightRest + lightRadius + 0.03},
	}
	cornerShown = collide.AABB{Min: collide.Vec3{X: -0.06, Y: -0.06}, Max: collide.Vec3{X: 1.5, Y: cornerSize}}
)

// layout returns the panels for a canvas of that size: side by side, or below each other if it is
// higher than wide.
func (v *view) layout(w, h, s float64) layout {
	a := stage.Rect{X: 10 * s, Y: 10 * s, W: w - 20*s, H: h - 20*s}
	gap := 10 * s
	var l layout
	if a.W > a.H {
		side := a.W * 0.34
		l.row = stage.Rect{X: a.X, Y: a.Y, W: a.W - side - gap, H: a.H}
		l.drop = stage.Rect{X: l.row.X + l.row.W + gap, Y: a.Y, W: side, H: (a.H - gap) * 0.60}
		l.corner = stage.Rect{X: l.drop.X, Y: l.drop.Y + l.drop.H + gap, W: side, H: a.H - gap - l.drop.H}
	} else {
		low := a.H * 0.36
		l.row = stage.Rect{X: a.X, Y: a.Y, W: a.W, H: a.H - low - gap}
		l.drop = stage.Rect{X: a.X, Y: l.row.Y + l.row.H + gap, W: (a.W - gap) * 0.45, H: low}
		l.corner = stage.Rect{X: a.X + l.drop.W + gap, Y: l.drop.Y, W: a.W - gap - l.drop.W, H: low}
	}
	top := 82 * s
	if l.row.H > 300*s {
		l.plot = stage.Rect{X: l.row.X + 16*s, Y: l.row.Y + top, W: l.row.W - 32*s, H: min(0.22*l.row.H, 150*s)}
		top += l.plot.H + 10*s
	}
	l.swing = stage.Fit(rowShown, inset(l.row, 14*s, top, 14*s, 14*s))
	l.fall = stage.Fit(dropShown, inset(l.drop, 10*s, 10*s, 10*s, 8*s))
	l.shot = stage.Fit(cornerShown, inset(l.corner, 10*s, 10*s, 10*s, 10*s))
	return l
}

// inset returns r without margins.
func inset(r stage.Rect, left, top, right, bottom float64) stage.Rect {
	return stage.Rect{X: r.X + left, Y: r.Y + top, W: r.W - left - right, H: r.H - top - bottom}
}

// hung returns the position on the canvas of a ball at this distance along its arc, and the angle
// of its string.
func (r *row) hung(i int) (at collide.Vec3, angle float64) {
	angle = r.out(i) / stringLength
	return collide.Vec3{X: r.place(i) + stringLength*math.Sin(angle), Y: -stringLength * math.Cos(angle)}, angle
}

// nearest returns the ball of the row at a point, or -1. The area is larger than the ball, for
// fingers.
func (r *row) nearest(p collide.Vec3) int {
	best, reach := -1, 1.7*ballRadius
	for i := range r.balls {
		at, _ := r.hung(i)
		if d := at.Distance(p); d < reach {
			best, reach = i, d
		}
	}
	return best
}

// under returns the target under the pointer.
func (v *view) under(l layout, p stage.Pt) (target, int) {
	switch i := v.scene.row.nearest(l.swing.World(p)); {
	case i >= 0:
		return onBall, i
	case l.drop.Has(p):
		return onDrop, 0
	case l.corner.Has(p):
		return onCorner, 0
	}
	return onNothing, 0
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Keys: in.Typed, Auto: in.Auto}
	if in.W > 0 {
		v.point(in, &i)
	}
	stage.SetMaterial(v.scene.row.world, v.bounce, 0)
	if v.part == 0 {
		v.scene.begin(i)
	}
	slow := max(in.Slow, 1)
	v.scene.advance(slow)
	if v.part = (v.part + 1) % slow; v.part > 0 {
		return
	}
	r := v.scene.row
	now := moment{energy: r.energy()}
	for i := range r.balls {
		now.momentum += ballMass * r.speed(i)
	}
	if v.past = append(v.past, now); len(v.past) > pastTicks {
		v.past = append(v.past[:0], v.past[1:]...)
	}
}

// point translates the pointer into the input of the scene.
func (v *view) point(in stage.Input, i *input) {
	l := v.layout(in.W, in.H, in.Scale)
	pressed := in.Held && !v.held
	v.held = in.Held
	if !in.Held {
		v.target = onNothing
		return
	}
	if pressed {
		v.target, v.ball = v.under(l, in.Pointer)
	}
	switch v.target {
	case onNothing:
	case onBall:
		p := l.swing.World(in.Pointer)
		i.Grab, i.Ball = true, v.ball
		i.At = stringLength * math.Atan2(p.X-v.scene.row.place(v.ball), max(-p.Y, 0.02))
	case onDrop:
		if pressed {
			i.Drop = min(max(l.fall.World(in.Pointer).Y-lightRest, 0.05), dropHeight)
		}
	case onCorner:
		if pressed {
			p := l.shot.World(in.Pointer)
			i.Shot = &collide.Vec3{
				X: min(max(p.X, 3*shotRadius), 1.4), Y: min(max(p.Y, 3*shotRadius), cornerSize-shotRadius),
			}
		}
	}
}

// Panel returns what is beside the scene.
func (v *view) Panel() stage.Panel {
	r := v.scene.row
	return stage.Panel{
		Buttons: []stage.Button{
			{Key: '1', Label: "one"},
			{Key: '2', Label: "two"},
			{Key: '3', Label: "three"},
			{Key: '4', Label: "four"},
			{Key: '5', Label: "both sides"},
			{Key: 'G', Label: "gaps", On: r.gap > 0},
		},
		Sliders: []stage.Slider{{Name: "restitution", Value: &v.bounce, Min: 0.5, Max: 1, Step: 0.01}},
		Lines: []string{
			fmt.Sprintf("impacts  %d", r.impacts),
			fmt.Sprintf("energy  %.12f J", r.energy()),
			fmt.Sprintf("energy changed by  %s", stage.Small(r.drift)),
			fmt.Sprintf("worst overlap  %s radii", stage.Small(r.worstOverlap/ballRadius)),
		},
		Hint: "Drag balls of the cradle out and let go. Click the other two tiles to drop two balls, and to shoot " +
			"one into the corner.",
		Physics: r.physics, World: r.world, Impacts: r.heard,
		Pointer: true,
		Fine:    true,
	}
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("cradle: %d ticks, %d impacts in the row, %d visits to the corner, the upper ball flew to "+
		"%.6f of its height\n"+
		"energy %.12f J, changed by %s of it since the balls were let go, worst overlap in any step: %s of a radius",
		s.ticks, s.row.impacts, s.corner.visits, s.drop.highest, s.row.energy(), stage.Small(s.row.drift), stage.Small(
			s.row.worstOverlap/ballRadius,
		))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "impacts at the same time: cradle, dropped balls, corner"
}

// Draw draws the three panels.
func (v *view) Draw(c *stage.Canvas) {
	l := v.layout(c.W, c.H, c.Scale)
	v.still.Draw(c, func(c *stage.Canvas) {
		c.Fill(night)
		for _, r := range []stage.Rect{l.row, l.drop, l.corner} {
			c.Box(r, 12*c.Scale, panel)
		}
		drawStand(c, l)
		drawScale(c, l)
	})
	v.drawRow(c, l)
	v.drawDrop(c, l)
	v.drawCorner(c, l)
	c.Clip(l.drop, func() { c.Debug(v.scene.drop.physics, v.scene.drop.world, l.fall) })
	c.Clip(l.corner, func() { c.Debug(v.scene.corner.physics, v.scene.corner.world, l.shot) })
}

// The stand, metres: rails in front of the balls and behind them, on posts that stand on a slab of
// wood.
const (
	standHalf  = 0.315
	standBase  = -0.375 // y of the slab's middle
	standDepth = 0.030  // by how much things behind are drawn higher
	standScale = 0.06   // and by how much they are drawn smaller
)

// standAt returns the position of a point of the stand on the canvas. Depth is 1 at the back rail
// and -1 at the front rail.
func standAt(l layout, x, y, depth float64) stage.Pt {
	return l.swing.At(collide.Vec3{X: x * (1 - standScale*depth), Y: y + standDepth*depth})
}

// drawTube draws a shining tube.
func drawTube(c *stage.Canvas, a, b stage.Pt, width, light float64) {
	c.Line(a, b, width, stage.Mix(night, tube, light*0.75))
	shift := stage.Pt{X: -width * 0.18, Y: -width * 0.18}
	c.Line(a.Add(shift), b.Add(shift), width*0.30, stage.Mix(tube, chrome, light*0.8))
}

// drawStand draws the parts of the stand behind and below the balls.
func drawStand(c *stage.Canvas, l layout) {
	m := l.swing.Zoom
	// The table, down to the lower end of the panel.
	top := l.swing.At(collide.Vec3{Y: standBase + 2.2*standDepth}).Y
	c.Box(stage.Rect{X: l.row.X, Y: top, W: l.row.W, H: l.row.Y + l.row.H - top}, 12*c.Scale, table)
	c.Box(stage.Rect{X: l.row.X, Y: top, W: l.row.W, H: 14 * c.Scale}, 0, table)

	const half = standHalf + 0.03
	slab := []stage.Pt{
		standAt(l, -half, standBase, 1.4), standAt(l, half, standBase, 1.4),
		standAt(l, half, standBase, -1.4), standAt(l, -half, standBase, -1.4),
	}
	low := stage.Pt{Y: 0.026 * m}
	shadow := stage.Rect{X: slab[3].X, Y: slab[3].Y, W: slab[2].X - slab[3].X, H: low.Y + 0.008*m}
	c.Shade(shadow, 0.01*m, 0.016*m, color.NRGBA{0, 0, 0, 150})
	c.Poly([]stage.Pt{slab[3], slab[2], slab[2].Add(low), slab[3].Add(low)}, dark)
	c.Poly(slab, wood)
	c.Line(slab[3], slab[2], 1.5*c.Scale, stage.Mix(wood, chrome, 0.25))

	for _, x := range []float64{-standHalf, standHalf} {
		drawTube(c, standAt(l, x, standBase, 1), standAt(l, x, 0, 1), 0.011*m, 0.75)
	}
	drawTube(c, standAt(l, -standHalf, 0, 1), standAt(l, standHalf, 0, 1), 0.011*m, 0.75)
}

// drawRow draws the balls on their strings, and the front of the stand.
func (v *view) drawRow(c *stage.Canvas, l layout) {
	r, m := v.scene.row, l.swing.Zoom
	radius := ballRadius * m
	for i := range r.balls { // shadows on the slab
		at, _ := r.hung(i)
		p := l.swing.At(collide.Vec3{X: at.X, Y: standBase})
		wide := radius * (0.8 + 5*(at.Y+stringLength)) // fainter and wider, the higher it is
		for _, part := range []float64{1, 0.75, 0.5} { // nested boxes look round
			w, h := wide*part, 0.3*wide*part
			c.Shade(
				stage.Rect{X: p.X - w, Y: p.Y - h, W: 2 * w, H: 2 * h}, h, 0.3*wide,
				stage.Alpha(night, 0.3*radius*radius/(wide*wide)),
			)
		}
	}
	string := func(i int, depth float64) {
		at, angle := r.hung(i)
		end := at.Add(collide.Vec3{X: -ballRadius * math.Sin(angle), Y: ballRadius * math.Cos(angle)})
		c.Line(standAt(l, r.place(i), 0, depth), l.swing.At(end), max(1, 0.0016*m), stage.Alpha(thread, 0.75-0.2*depth))
	}
	for i := range r.balls {
		string(i, 1)
	}
	for i := range r.balls {
		at, _ := r.hung(i)
		v.steel.Add(l.swing.At(at), radius, chrome, collide.Quat{})
	}
	v.steel.Steel = true
	v.steel.Draw(c)
	for i := range r.balls {
		at, angle := r.hung(i)
		end := l.swing.At(at.Add(collide.Vec3{X: -ballRadius * math.Sin(angle), Y: ballRadius * math.Cos(angle)}))
		c.Disc(end, 0.0035*m, tube)
		string(i, -1)
		if r.holds[i].Held && v.target == onBall {
			c.Ring(l.swing.At(at), radius*1.12, 2*c.Scale, amber)
		}
	}
	for _, b := range r.blows {
		u := float64(b.Age) / blowTicks
		left, _ := r.hung(b.Left)
		right, _ := r.hung(b.Left + 1)
		strength := min(b.Speed, 1)
		c.Ring(
			l.swing.At(left.Lerp(right, 0.5)), m*(0.008+0.030*u*strength), 2*c.Scale,
			stage.Alpha(amber, (1-u)*(0.3+0.6*strength)),
		)
	}
	for _, x := range []float64{-standHalf, standHalf} {
		drawTube(c, standAt(l, x, standBase, -1), standAt(l, x, 0, -1), 0.013*m, 1)
	}
	drawTube(c, standAt(l, -standHalf, 0, -1), standAt(l, standHalf, 0, -1), 0.013*m, 1)

	v.drawPlot(c, l.plot)
	words := newWriter(c, l.row)
	words.line(fmt.Sprintf("energy %.12f J", r.energy()), 18, stage.Bold, pale)
	changed := "changed since they were let go by " + stage.Small(r.drift) + " of it"
	if held(r.holds) {
		changed = "in the hand"
	}
	words.line(changed, 14, stage.Regular, stage.Alpha(pale, 0.75))
	kind := "touching balls: one blow goes through all at once"
	if r.gap > 0 {
		kind = "gaps of 4 mm: one blow after the other, soon all swing"
	}
	words.line(kind, 14, stage.Regular, stage.Alpha(pale, 0.75))
}

// drawPlot draws the energy and the momentum of the row over the last seconds.
func (v *view) drawPlot(c *stage.Canvas, r stage.Rect) {
	if r.H == 0 {
		return
	}
	c.Box(r, 6*c.Scale, night)
	most := moment{1e-9, 1e-9}
	for _, m := range v.past {
		most = moment{max(most.energy, m.energy), max(most.momentum, m.momentum, -m.momentum)}
	}
	middle := r.Y + 0.62*r.H
	c.Line(stage.Pt{X: r.X, Y: middle}, stage.Pt{X: r.X + r.W, Y: middle}, c.Scale, stage.Alpha(pale, 0.25))
	at := func(i int, part float64) stage.Pt {
		return stage.Pt{X: r.X + r.W*float64(i)/pastTicks, Y: middle - part*0.34*r.H}
	}
	for i := 1; i < len(v.past); i++ {
		a, b := v.past[i-1], v.past[i]
		c.Line(at(i-1, a.momentum/most.momentum), at(i, b.momentum/most.momentum), 1.8*c.Scale, azure)
		c.Line(at(i-1, a.energy/most.energy), at(i, b.energy/most.energy), 2.2*c.Scale, amber)
	}
	y := r.Y + 11*c.Scale
	c.Text("energy", stage.Pt{X: r.X + 8*c.Scale, Y: y}, 12, stage.Bold, stage.Left, amber)
	c.Text("momentum", stage.Pt{X: r.X + 66*c.Scale, Y: y}, 12, stage.Bold, stage.Left, azure)
}

// writer writes lines below each other in a panel, small enough to fit.
type writer struct {
	canvas *stage.Canvas
	at     stage.Pt
	width  float64
}

func newWriter(c *stage.Canvas, panel stage.Rect) *writer {
	return &writer{c, stage.Pt{X: panel.X + 16*c.Scale, Y: panel.Y + 22*c.Scale}, panel.W - 32*c.Scale}
}

func (w *writer) line(text string, size float64, weight stage.Weight, col color.NRGBA) {
	fit := size * min(1, w.width/w.canvas.TextWidth(text, size, weight))
	w.canvas.Text(text, w.at, fit, weight, stage.Left, col)
	w.at.Y += (size + 7) * w.canvas.Scale
}

// drawScale draws the floor and the scale of heights of the drop, and the walls of the corner.
func drawScale(c *stage.Canvas, l layout) {
	floor := l.fall.At(collide.Vec3{}).Y
	c.Box(stage.Rect{X: l.drop.X, Y: floor, W: l.drop.W, H: l.drop.Y + l.drop.H - floor}, 12*c.Scale, table)
	c.Box(stage.Rect{X: l.drop.X, Y: floor, W: l.drop.W, H: 4 * c.Scale}, 0, tube)

	o := l.shot.At(collide.Vec3{})
	c.Box(stage.Rect{X: l.corner.X, Y: l.corner.Y, W: o.X - l.corner.X, H: l.corner.H}, 12*c.Scale, table)
	c.Box(stage.Rect{X: l.corner.X, Y: o.Y, W: l.corner.W, H: l.corner.Y + l.corner.H - o.Y}, 12*c.Scale, table)
	c.Box(stage.Rect{X: o.X - 4*c.Scale, Y: l.corner.Y, W: 4 * c.Scale, H: o.Y - l.corner.Y + 4*c.Scale}, 0, tube)
	c.Box(stage.Rect{X: o.X - 4*c.Scale, Y: o.Y, W: l.corner.X + l.corner.W - o.X + 4*c.Scale, H: 4 * c.Scale}, 0, tube)
}

// drawDrop draws the two balls that fall on top of each other.
func (v *view) drawDrop(c *stage.Canvas, l layout) {
	d, m := v.scene.drop, l.fall.Zoom
	for _, n := range []float64{0, 1, 4} {
		p := l.fall.At(collide.Vec3{Y: lightRest + n*d.height})
		half := 0.20 * m
		c.Dashes(
			stage.Pt{X: p.X - half, Y: p.Y}, stage.Pt{X: p.X + half, Y: p.Y}, 1.2*c.Scale, 5*c.Scale, 5*c.Scale,
			stage.Alpha(pale, 0.35),
		)
		label := map[float64]string{0: "0", 1: "h", 4: "4 h"}[n]
		c.Text(
			label, stage.Pt{X: p.X + half + 6*c.Scale, Y: p.Y}, 13, stage.Regular, stage.Left,
			stage.Alpha(pale, 0.7),
		)
	}
	heavy, light := components.Transform.Get(d.heavy).Position, components.Transform.Get(d.light).Position
	floor := l.fall.At(collide.Vec3{})
	w := heavyRadius * m * 0.9 / (1 + 3*(heavy.Y-heavyRadius))
	c.Shade(
		stage.Rect{X: floor.X - w, Y: floor.Y + 2*c.Scale, W: 2 * w, H: 5 * c.Scale}, 3*c.Scale, 5*c.Scale,
		stage.Alpha(night, 0.6),
	)
	v.steel.Add(l.fall.At(heavy), heavyRadius*m, azure, collide.Quat{})
	v.steel.Add(l.fall.At(light), lightRadius*m, copper, collide.Quat{})
	v.steel.Draw(c)
	if size := 0.045 * m / c.Scale; size > 7 { // smaller ones can't be read
		c.Text("3", l.fall.At(heavy), 1.3*size, stage.Bold, stage.Center, night)
		c.Text("1", l.fall.At(light), size, stage.Bold, stage.Center, night)
	}

	words := newWriter(c, l.drop)
	words.width = l.drop.W * 0.39
	words.line("masses 3 : 1", 15, stage.Bold, pale)
	words.line("dropped", 13, stage.Regular, stage.Alpha(pale, 0.75))
	if d.highest > 1.5 {
		words.line("upper flew to", 13, stage.Regular, stage.Alpha(pale, 0.75))
		words.line(fmt.Sprintf("%.5f h", d.highest), 14, stage.Bold, amber)
	}
}

// drawCorner draws the ball that goes into the corner.
func (v *view) drawCorner(c *stage.Canvas, l layout) {
	s, m := v.scene.corner, l.shot.Zoom
	home := collide.Vec3{X: shotRadius, Y: shotRadius}
	c.Dashes(l.shot.At(home), l.shot.At(s.from), 1.5*c.Scale, 6*c.Scale, 5*c.Scale, stage.Alpha(amber, 0.6))
	// The third wall, across its way.
	wall := s.from.AddScaled(-shotRadius, s.way)
	across := collide.Vec3{X: -s.way.Y, Y: s.way.X}
	behind := s.way.Scale(-0.012)
	c.Line(
		l.shot.At(wall.AddScaled(0.13, across).Add(behind)), l.shot.At(wall.AddScaled(-0.13, across).Add(behind)),
		0.024*m, tube,
	)
	p := l.shot.At(s.at())
	v.steel.Add(p, shotRadius*m, chrome, collide.Quat{})
	v.steel.Draw(c)
	c.Arrow(p, l.shot.At(s.at().AddScaled(0.08, s.velocity())), 2.5*c.Scale, amber)

	words := newWriter(c, l.corner)
	words.at.X = l.shot.At(collide.Vec3{}).X + 14*c.Scale
	words.width = l.corner.X + l.corner.W - words.at.X - 12*c.Scale
	words.line("two walls at once", 15, stage.Bold, pale)
	top := min(l.shot.At(wall.AddScaled(0.13, across)).Y, l.shot.At(wall.AddScaled(-0.13, across)).Y)
	for _, line := range []string{
		"beside its line by " + stage.Small(s.astray) + " m",
		fmt.Sprintf("%d times in and out the same way", s.visits),
	} {
		if words.at.Y+10*c.Scale < top { // a small panel has room for one of them
			words.line(line, 13, stage.Regular, stage.Alpha(pale, 0.75))
		}
	}
}
