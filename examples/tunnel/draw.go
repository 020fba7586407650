package tunnel

import (
	"fmt"
	"image/color"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	scene        *scene
	seed         uint64
	speed, count float64 // sliders
	round        int     // of autoplay
	held         bool    // the pointer, in the last tick
	ball         int     // that the pointer drags, in every box; -1 if none
}

// New returns the example.
func New(seed uint64) stage.Game { return &view{seed: seed, speed: 100, count: 24} }

// Reset fills the boxes.
func (v *view) Reset() { v.scene = newScene(v.seed, int(v.count), v.speed) }

// roundTicks is how long autoplay stays at a speed.
const roundTicks = 300

// Step plays one tick. Autoplay goes from slow to fast.
func (v *view) Step(in stage.Input) {
	if in.Auto && v.scene.ticks == roundTicks {
		v.round++
		v.speed = []float64{100, 300, 1000, 10, 30}[v.round%5]
		v.Reset()
	}
	if in.W > 0 {
		v.drag(in)
	}
	v.scene.step()
}

// drag lets the pointer drag a ball of the box that it is in, and the same ball of the others, and
// throw them.
func (v *view) drag(in stage.Input) {
	for i, l := range v.scene.lanes {
		area, square := boxArea(in.W, in.H, in.Scale, i)
		if !area.Has(in.Pointer) {
			continue
		}
		at := camera(square).World(in.Pointer)
		if in.Held && !v.held {
			v.ball = v.scene.nearest(l, at, 3*radius)
		}
		if in.Held && v.ball >= 0 && v.ball < v.scene.count {
			v.scene.pull(v.ball, at)
		}
	}
	v.held = in.Held
}

// boxArea returns the place of a lane and the square of its box. Lanes are side by side, with the
// texts above and below the box, or below each other with the texts beside it where the canvas is
// higher than wide.
func boxArea(w, h, s float64, i int) (area, square stage.Rect) {
	if h > w {
		area = stage.Rect{Y: h * float64(i) / 3, W: w, H: h / 3}
		side := min(area.H-16*s, area.W/2)
		return area, stage.Rect{X: area.X + 16*s, Y: area.Y + (area.H-side)/2, W: side, H: side}
	}
	area = stage.Rect{X: w * float64(i) / 3, W: w / 3, H: h}
	side := min(area.W-16*s, area.H-88*s)
	return area, stage.Rect{X: area.X + (area.W-side)/2, Y: area.Y + (area.H-side-12*s)/2, W: side, H: side}
}

// camera shows a box, and a little of what is around it, in a square.
func camera(square stage.Rect) stage.Camera {
	const out = 1.25 * half
	return stage.Fit(collide.AABB{Min: collide.Vec3{X: -out, Y: -out}, Max: collide.Vec3{X: out, Y: out}}, square)
}

var names = [3]string{"naive stepping", "8 substeps", "dango"}

// Panel returns what is beside the boxes.
func (v *view) Panel() stage.Panel {
	s := v.scene
	p := stage.Panel{
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: 1, Max: 1000, Step: 1, Unit: "m/s", Log: true, Restart: true},
			{Name: "count", Value: &v.count, Min: 1, Max: 36, Step: 1, Unit: "balls", Restart: true},
		},
		Hint: "Choose a speed, or drag and throw a ball: the same ball is thrown in all three boxes. Slow time down " +
			"to 1/16 to see the paths within a step.",
		Pointer: true,
	}
	for i := range s.lanes {
		p.Lines = append(p.Lines, names[i]+", escapes  "+stage.Count(s.escapes[i]))
	}
	p.Lines = append(p.Lines, fmt.Sprintf("dango, energy  %.12f", s.energy(2)))
	lane := s.lanes[2].(*exact)
	p.Physics, p.World = lane.physics, lane.world
	return p
}

// Background returns the colour behind the boxes.
func (v *view) Background() color.NRGBA { return stage.RGB(0x1d2126) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("tunnel: %d ticks at %.0f m/s, %d escapes if naive, %d with substeps, %d with dango\n"+
		"energy in dango's box: %.15f of that at the beginning",
		s.ticks, s.speed, s.escapes[0], s.escapes[1], s.escapes[2], s.energy(2))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return fmt.Sprintf("the same %d balls at %.0f m/s, 60 steps a second", v.scene.count, v.scene.speed)
}

// Draw draws the boxes.
func (v *view) Draw(c *stage.Canvas) {
	for i, l := range v.scene.lanes {
		v.box(c, i, l)
	}
}

// box draws one lane: its name, the box, and what is left in it.
func (v *view) box(c *stage.Canvas, i int, l lane) {
	s := c.Scale
	good, bad, pale := stage.RGB(0x57c4a0), stage.RGB(0xe5484d), stage.RGB(0xe7ecf2)
	area, square := boxArea(c.W, c.H, s, i)
	side := square.H
	card := stage.Rect{X: area.X + 3*s, Y: square.Y - 34*s, W: area.W - 6*s, H: side + 82*s}
	cam := camera(square)

	escaped := v.scene.escapes[i]
	col := good
	if escaped > 0 {
		col = bad
	}
	inside := stage.Rect{X: card.X, Y: square.Y, W: card.W, H: square.H}
	x, top, below := area.X+area.W/2, square.Y-15*s, square.Y+side+10*s
	if c.H > c.W {
		card, inside = stage.Rect{X: area.X + 3*s, Y: area.Y + 3*s, W: area.W - 6*s, H: area.H - 6*s}, square
		x, top, below = (square.X+side+area.X+area.W)/2, area.Y+area.H/2-26*s, area.Y+area.H/2+4*s
	}
	c.Box(card, 8*s, stage.RGB(0x262c35))
	c.Text(names[i], stage.Pt{X: x, Y: top}, 17, stage.Bold, stage.Center, pale)
	c.Text(stage.Count(escaped)+" escapes", stage.Pt{X: x, Y: below},
		15, stage.Bold, stage.Center, col)
	c.Text(fmt.Sprintf("energy inside %.1f %%", 100*v.scene.energy(i)), stage.Pt{X: x, Y: below + 19*s},
		13, stage.Regular, stage.Center, pale)

	for _, w := range walls {
		c.Line(cam.At(w[0]), cam.At(w[1]), 3*s, col)
	}
	r := radius * cam.Zoom
	inside = stage.Rect{X: inside.X + r, Y: inside.Y + r, W: inside.W - 2*r, H: inside.H - 2*r}
	for k := range v.scene.count {
		path := v.path(c, l, k)
		end := path[len(path)-1]
		p := cam.At(end)
		if !inside.Has(p) {
			continue // far away by now
		}
		if c.Part < 1 {
			for m := 1; m < len(path); m++ {
				c.Line(cam.At(path[m-1]), cam.At(path[m]), 1.2*s, stage.Alpha(pale, 0.35))
			}
		}
		fill := stage.RGB(0xf2c14e)
		if outside(end) {
			fill = bad
		}
		c.Disc(p, r, fill)
	}
	if e, ok := l.(*exact); ok {
		c.Clip(card, func() { c.Debug(e.physics, e.world, cam) })
	}
}

// path returns the way of a ball in the step up to what is drawn: naive stepping jumps straight to
// the end, dango goes from impact to impact.
func (v *view) path(c *stage.Canvas, l lane, i int) []collide.Vec3 {
	if n, ok := l.(*naive); ok {
		return []collide.Vec3{n.before[i].at, n.before[i].at.Lerp(n.balls[i].at, c.Part)}
	}
	e := l.(*exact)
	return c.Path(e.physics, e.balls[i])
}
