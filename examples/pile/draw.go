package main

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	seed    *uint64 // a flag; set before the first Reset
	scene   *scene
	bar     stage.Bar
	watched bool    // in a window, so times may be shown
	cost    float64 // milliseconds a step, smoothed
	spheres stage.Spheres
	items   []item
	cover   cover
}

// item is a sphere to be drawn.
type item struct {
	at     stage.Pt
	radius float64 // pixels
	depth  float64 // pixels per metre; larger is nearer
	col    color.NRGBA
	turn   collide.Quat
	stirs  bool
	seen   stage.Rect // the part that is not hidden
}

// The colours.
var (
	night = stage.RGB(0x1d2126)
	pale  = stage.RGB(0xe7ecf2)
	amber = stage.RGB(0xf2c14e)
	back  = stage.RGB(0x343d49)
	side  = stage.RGB(0x2b333e)
	floor = stage.RGB(0x3d4754)
	edge  = stage.RGB(0x8fa0b5)
	steel = stage.RGB(0xc9d3df)
)

// binHeight is the visible height of the walls, in metres.
const binHeight = 1.3

// Reset empties the bin.
func (v *view) Reset() { v.scene = newScene(*v.seed) }

// Title returns the title of the window.
func (v *view) Title() string { return "dango: pile" }

// Help returns the keys of this example.
func (v *view) Help() string {
	return "Mouse stirs above, held down in the pile   arrows or T tilt   F pour   X shake"
}

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return night }

// Foreground returns the colour of text.
func (v *view) Foreground() color.NRGBA { return pale }

// AreaAt returns the area of the bin on a canvas.
func (v *view) AreaAt(w, h, s float64) stage.Rect {
	return stage.Rect{X: 16 * s, Y: 62 * s, W: w - 32*s, H: h - 156*s}
}

// barAt returns the area of the buttons.
func barAt(w, h, s float64) stage.Rect {
	return stage.Rect{X: 16 * s, Y: h - 84*s, W: w - 32*s, H: 32 * s}
}

// corner returns a corner of the bin: each of x, y and z is -1 or 1, or for y 0.
func corner(x, y, z float64) collide.Vec3 {
	return collide.Vec3{X: x * binX, Y: y * binHeight, Z: z * binZ}
}

// lens returns the lens for a canvas of that size. It zooms out while the bin leans.
func (v *view) lens(w, h, s float64) lens {
	var points []collide.Vec3
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{0, 1} {
			for _, z := range []float64{-1, 1} {
				points = append(points, corner(x, y, z), v.scene.shown(corner(x, y, z)))
			}
		}
	}
	return newLens(points, v.AreaAt(w, h, s))
}

// shown returns the position of a point of the bin in the room, with the tilt and shaking of the
// bin.
func (s *scene) shown(v collide.Vec3) collide.Vec3 {
	return s.tilt().Rotate(v.Sub(axis)).Add(axis)
}

// axis is the axis of the tilt.
var axis = collide.Vec3{Y: pivot}

// PointerUsed reports whether the pointer stirs.
func (v *view) PointerUsed(in stage.Input) bool {
	return !v.bar.Has(in, barAt(in.W, in.H, in.Scale))
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Keys: in.Typed, Lean: collide.Vec3{X: in.Move.X, Z: -in.Move.Y}, Auto: in.Auto}
	if v.watched = in.W > 0; v.watched {
		at := barAt(in.W, in.H, in.Scale)
		i.Keys = v.bar.Step(in, at)
		if !v.bar.Has(in, at) && (!in.Touch || in.Held) {
			i.At, i.Stir = v.under(in)
			i.Down = in.Held
		}
	}
	v.scene.step(i)
	p := v.scene.physics.Stats()
	v.cost += (float64(p.Gather+p.Broadphase+p.Sweep+p.Response+p.Scatter)/1e6 - v.cost) * 0.05
}

// under returns the point of the pile under the pointer, or false if it is far outside of the bin.
func (v *view) under(in stage.Input) (collide.Vec3, bool) {
	turn := inverse(v.scene.tilt())
	from, ray := turn.Rotate(eye.Sub(axis)).Add(axis), turn.Rotate(v.lens(in.W, in.H, in.Scale).ray(in.Pointer))
	if ray.Y >= 0 {
		return collide.Vec3{}, false
	}
	at := from.AddScaled((v.scene.level()-from.Y)/ray.Y, ray)
	return at, at.X*at.X < 4*binX*binX && at.Z*at.Z < 4*binZ*binZ
}

// Stats returns the lines of the overlay.
func (v *view) Stats() []string {
	s, p := v.scene, v.scene.physics.Stats()
	return []string{
		fmt.Sprintf("tick  %d", s.ticks),
		fmt.Sprintf("bodies, surfaces  %d, %d", p.Bodies, p.Surfaces),
		fmt.Sprintf("pairs, sweeps  %d, %d", p.Pairs, p.Sweeps),
		fmt.Sprintf("impacts  %d", p.Impacts),
		fmt.Sprintf("budgets spent, blocked  %d, %d", p.SpentBudgets, p.Blocked),
		fmt.Sprintf("step  %.2f ms", v.cost),
		fmt.Sprintf("drawn  %d of %d", v.cover.kept, len(v.items)),
		fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/leastRadius)),
	}
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("pile: %d ticks, %d balls, %d impacts, the fastest ball at %.2g m/s\n"+
		"worst overlap in any tick: %s of the smallest "+
		"radius", s.ticks, len(s.balls), s.impacts, s.fastest, stage.Small(s.worstOverlap/leastRadius))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	s := v.scene
	return fmt.Sprintf(
		"dango   tick %d   %d balls   worst overlap %s of a radius", s.ticks, len(s.balls),
		stage.Small(s.worstOverlap/leastRadius),
	)
}

// Draw draws the bin, its contents, and the text.
func (v *view) Draw(c *stage.Canvas, _ stage.Rect) {
	l := v.lens(c.W, c.H, c.Scale)
	v.drawBin(c, l)
	v.drawBalls(c, l)
	v.drawGlass(c, l)
	v.drawReadout(c)
	v.bar.Buttons = []stage.Button{
		{Key: 'F', Label: "pour", On: v.scene.waiting > 0},
		{Key: 'T', Label: "tilt", On: v.scene.lean.Length() > 0.02},
		{Key: 'X', Label: "shake", On: v.scene.shaking > 0},
	}
	v.bar.Draw(c, barAt(c.W, c.H, c.Scale))
}

// at returns the position of a point of the bin on the canvas.
func (v *view) at(l lens, p collide.Vec3) stage.Pt {
	q, _ := l.at(v.scene.shown(p.Add(v.scene.shift())))
	return q
}

// drawBin draws the floor and the walls that are behind the balls.
func (v *view) drawBin(c *stage.Canvas, l lens) {
	face := func(col color.NRGBA, points ...collide.Vec3) {
		var at []stage.Pt
		for _, p := range points {
			at = append(at, v.at(l, p))
		}
		c.Poly(at, col)
	}
	face(back, corner(-1, 0, -1), corner(1, 0, -1), corner(1, 1, -1), corner(-1, 1, -1))
	face(side, corner(-1, 0, -1), corner(-1, 1, -1), corner(-1, 1, 1), corner(-1, 0, 1))
	face(side, corner(1, 0, -1), corner(1, 1, -1), corner(1, 1, 1), corner(1, 0, 1))
	face(floor, corner(-1, 0, -1), corner(1, 0, -1), corner(1, 0, 1), corner(-1, 0, 1))
	for _, e := range [][2]collide.Vec3{
		{corner(-1, 0, -1), corner(1, 0, -1)},
		{corner(-1, 0, -1), corner(-1, 1, -1)},
		{corner(1, 0, -1), corner(1, 1, -1)},
		{corner(-1, 1, -1), corner(1, 1, -1)},
		{corner(-1, 1, -1), corner(-1, 1, 1)},
		{corner(1, 1, -1), corner(1, 1, 1)},
		{corner(-1, 0, -1), corner(-1, 0, 1)},
		{corner(1, 0, -1), corner(1, 0, 1)},
	} {
		c.Line(v.at(l, e[0]), v.at(l, e[1]), 1.5*c.Scale, stage.Alpha(edge, 0.55))
	}
}

// drawGlass draws the edges of the wall in front of the balls.
func (v *view) drawGlass(c *stage.Canvas, l lens) {
	rim := []stage.Pt{
		v.at(l, corner(-1, 0, 1)), v.at(l, corner(1, 0, 1)), v.at(l, corner(1, 1, 1)), v.at(l, corner(-1, 1, 1)),
	}
	for i := range rim {
		c.Line(rim[i], rim[(i+1)%len(rim)], 2*c.Scale, stage.Alpha(edge, 0.9))
	}
}

// drawBalls draws the balls from far to near. Most of a pile is hidden; hidden balls are left out.
func (v *view) drawBalls(c *stage.Canvas, l lens) {
	s := v.scene
	turn := l.turn.Mul(s.tilt())
	v.items = v.items[:0]
	shift := s.shift()
	add := func(t *components.TransformData, radius float64, col color.NRGBA, stirs bool) {
		at, scale := l.at(s.shown(t.Position.Add(shift)))
		v.items = append(v.items, item{at, radius * scale, scale, col, turn.Mul(t.Rotation), stirs, stage.Rect{}})
	}
	level := max(s.level(), 0.3)
	for _, e := range s.balls {
		t := components.Transform.Get(e)
		// Balls deep in the pile are darker.
		light := min(max(0.62+0.38*t.Position.Y/level, 0.62), 1)
		add(
			t, components.SphereCollider.Get(e).Radius,
			stage.Mix(night, stage.RGB(paints[ball.Get(e).Colour]), light), false,
		)
	}
	stirrer := components.Transform.Get(s.stirrer)
	add(stirrer, stirRadius, steel, true)
	slices.SortFunc(v.items, func(a, b item) int { return cmp.Compare(b.depth, a.depth) })
	v.cover.prune(v.items, c.W, c.H)

	for i := len(v.items) - 1; i >= 0; i-- {
		b := v.items[i]
		if b.seen.W == 0 {
			continue
		}
		v.spheres.AddPart(b.at, b.radius, b.col, b.turn, b.seen)
		if b.stirs {
			v.spheres.Draw(c) // the stick is drawn after the balls behind it and before those in front of it
			end, _ := l.at(s.shown(stirrer.Position.Add(shift).Add(collide.Vec3{Y: 1.2})))
			c.Line(b.at.Lerp(end, 0.11), end, 0.05*b.depth, stage.Mix(night, steel, 0.75))
			c.Line(b.at.Lerp(end, 0.11), end, 0.015*b.depth, steel)
		}
	}
	v.spheres.Draw(c)
}

// cover records which cells of the canvas are hidden by nearer balls.
type cover struct {
	w, h  int
	cells []bool
	kept  int
}

// coverCell is the width of a cell in pixels, a fraction of that of a ball.
const coverCell = 5

// prune finds the visible part of each item. Items are ordered from near to far.
func (k *cover) prune(items []item, w, h float64) {
	k.w, k.h = int(w/coverCell)+1, int(h/coverCell)+1
	k.cells = append(k.cells[:0], make([]bool, k.w*k.h)...)
	k.kept = 0
	for i := range items {
		b := &items[i]
		const corner = coverCell * 0.71 // from the middle of a cell to its corner
		outer, inner := b.radius+1+corner, max(b.radius-1-corner, 0)
		x0, x1 := max(int((b.at.X-b.radius-1)/coverCell), 0), min(int((b.at.X+b.radius+1)/coverCell), k.w-1)
		y0, y1 := max(int((b.at.Y-b.radius-1)/coverCell), 0), min(int((b.at.Y+b.radius+1)/coverCell), k.h-1)
		left, right, top, bottom := x1+1, x0, y1+1, y0
		for y := y0; y <= y1; y++ {
			dy := (float64(y)+0.5)*coverCell - b.at.Y
			row := k.cells[y*k.w:][:k.w]
			for x := x0; x <= x1; x++ {
				dx := (float64(x)+0.5)*coverCell - b.at.X
				if d := dx*dx + dy*dy; !row[x] && d < outer*outer {
					left, right, top, bottom = min(left, x), max(right, x+1), min(top, y), max(bottom, y+1)
					row[x] = d < inner*inner
				}
			}
		}
		if left < right {
			b.seen = stage.Rect{
				X: float64(left * coverCell), Y: float64(top * coverCell),
				W: float64((right - left) * coverCell), H: float64((bottom - top) * coverCell),
			}
			k.kept++
		}
	}
}

// drawReadout draws the numbers.
func (v *view) drawReadout(c *stage.Canvas) {
	s := v.scene
	parts := []struct{ name, value string }{
		{"balls", fmt.Sprint(len(s.balls))},
		{"fastest", fmt.Sprintf("%.4f m/s", s.fastest)},
		{"overlap now", stage.Small(s.overlap/leastRadius) + " radii"},
		{"worst ever", stage.Small(s.worstOverlap/leastRadius) + " radii"},
	}
	if v.watched {
		parts = append(parts, struct{ name, value string }{"a step", fmt.Sprintf("%.1f ms", v.cost)})
	}
	c.Box(stage.Rect{W: c.W, H: 54 * c.Scale}, 0, stage.Alpha(night, 0.92))
	w := min(c.W/float64(len(parts)), 210*c.Scale)
	x := (c.W - w*float64(len(parts))) / 2
	for _, p := range parts {
		at := stage.Pt{X: x + w/2, Y: 18 * c.Scale}
		fit := min(1, (w-8*c.Scale)/c.TextWidth(p.value, 17, stage.Bold))
		c.Text(p.name, at, 12*fit, stage.Regular, stage.Center, stage.Alpha(pale, 0.65))
		c.Text(p.value, at.Add(stage.Pt{Y: 20 * c.Scale}), 17*fit, stage.Bold, stage.Center, amber)
		x += w
	}
}
