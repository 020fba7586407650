package gas

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
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	scene              *scene
	seed               uint64
	count, fill, speed float64 // sliders
	turn               float64
	late               int // ticks in which the machine didn't keep up
	reduced            bool
	spheres            stage.Spheres
	held               bool    // the pointer, in the last tick
	from               float64 // its X then
	grabs              bool    // the pointer drags spheres, and doesn't turn the box
	hand               stage.Hand
	items              []item
}

// item is a sphere to be drawn.
type item struct {
	at            stage.Pt
	radius, depth float64
	col           color.NRGBA
}

const leastCount = 500

// New returns the example.
func New(seed uint64) stage.Game {
	return &view{seed: seed, count: 10000, fill: 0.1, speed: 5, turn: 30}
}

// Reset fills the box.
func (v *view) Reset() {
	v.scene = newScene(v.seed, settings{int(v.count), v.fill, v.speed})
}

// Step plays one tick. If the machine doesn't keep up for a second, the gas begins again with fewer
// spheres.
func (v *view) Step(in stage.Input) {
	v.late++
	if in.Load < 1 {
		v.late = 0
	}
	if v.late > 60 && v.count > leastCount {
		v.count = max(math.Round(v.count*0.7/100)*100, leastCount)
		v.late, v.reduced = 0, true
		v.Reset()
	}
	if strings.Contains(in.Typed, "G") {
		v.grabs = !v.grabs
	}
	in = v.drag(in)
	if in.Held && v.held {
		v.turn = math.Mod(v.turn+540+0.4*(in.Pointer.X-v.from)/in.Scale, 360) - 180
	}
	v.held, v.from = in.Held, in.Pointer.X
	if in.Auto || in.Move.X != 0 {
		v.turn = math.Mod(v.turn+180+0.1+2*in.Move.X, 360) - 180
	}
	v.scene.step()
}

// drag lets the pointer drag a sphere: in the plane of the canvas at the sphere's distance.
func (v *view) drag(in stage.Input) stage.Input {
	s := v.scene
	area, _ := areas(in.W, in.H)
	l := v.lens(area, in.Scale)
	ahead := stage.Inverse(l.Turn).Rotate(collide.Vec3{Z: -1})
	v.hand.Fastest = 6 * s.speed
	return v.hand.Grab(in, func(at stage.Pt, held bool) bool {
		held = held && v.grabs
		return s.addWork(held, func() bool {
			return v.hand.DragThrough(s.physics, s.world, l.Eye, l.Ray(at), ahead, held,
				func(e donburi.Entity) bool { return s.world.Entry(e).HasComponent(components.SphereCollider) })
		})
	})
}

// Panel returns what is beside the gas.
func (v *view) Panel() stage.Panel {
	s := v.scene
	measured, theory := s.pressure()
	p := stage.Panel{
		Buttons: []stage.Button{{Key: 'G', Label: "grab", On: v.grabs}},
		Sliders: []stage.Slider{
			{Name: "count", Value: &v.count, Min: leastCount, Max: 20000, Step: 100, Restart: true},
			{Name: "fill", Value: &v.fill, Min: 0.02, Max: 0.3, Step: 0.01, Restart: true},
			{Name: "speed", Value: &v.speed, Min: 1, Max: 50, Step: 1, Unit: "m/s", Log: true, Restart: true},
		},
		Lines: []string{
			fmt.Sprintf("energy  %.12g J", s.energy),
			fmt.Sprintf("changed by at most  %s", stage.Small(s.drift)),
			fmt.Sprintf("pressure on the walls  %.4g Pa", measured),
			fmt.Sprintf("Carnahan and Starling  %.4g Pa", theory),
			fmt.Sprintf("impacts  %s", stage.Count(s.impacts)),
		},
		Hint: "All spheres begin at the same speed. Drag or press arrows to turn the box. With grab, drag and throw " +
			"a sphere. The number of spheres adapts, so that 60 steps a second hold.",
		Physics: s.physics, World: s.world,
	}
	if v.reduced {
		p.Lines = append(p.Lines, "spheres at 60 steps/s  "+stage.Count(s.count))
	}
	return p
}

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return stage.RGB(0x1d2126) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	measured, theory := s.pressure()
	return fmt.Sprintf("gas: %d ticks, %d spheres, %d impacts, pressure %.4g Pa, in theory %.4g\n"+
		"energy %.12g J, changed by at most %s of it",
		s.age, s.count, s.impacts, measured, theory, s.energy, stage.Small(s.drift))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return stage.Count(v.scene.count) + " spheres find Maxwell's speeds and keep their energy"
}

// areas returns the places of the box, and beside or below it of the chart.
func areas(w, h float64) (box, chart stage.Rect) {
	if h > w {
		box = stage.Rect{W: w, H: 0.62 * h}
		return box, stage.Rect{Y: box.H, W: w, H: h - box.H}
	}
	box = stage.Rect{W: 0.6 * w, H: h}
	return box, stage.Rect{X: box.W, W: w - box.W, H: h}
}

// Draw draws the box and the speeds.
func (v *view) Draw(c *stage.Canvas) {
	box, chart := areas(c.W, c.H)
	v.box(c, box)
	v.chart(c, chart)
}

// lens returns the lens that shows the box in an area.
func (v *view) lens(area stage.Rect, scale float64) stage.Lens {
	// The whole turn fits, so that the picture doesn't breathe.
	var round []collide.Vec3
	for i := range 24 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 12)
		round = append(round, collide.Vec3{X: 1.42 * half * cos, Y: half, Z: 1.42 * half * sin},
			collide.Vec3{X: 1.42 * half * cos, Y: -half, Z: 1.42 * half * sin})
	}
	m := 8 * scale
	return stage.NewLens(collide.Vec3{}, 30, v.turn*math.Pi/180, 0.35, round,
		stage.Rect{X: area.X + m, Y: area.Y + m, W: area.W - 2*m, H: area.H - 2*m})
}

// box draws the spheres from far to near, and the edges of the box.
func (v *view) box(c *stage.Canvas, area stage.Rect) {
	s := v.scene
	var corners []collide.Vec3
	for i := range 8 {
		at := func(bit int) float64 { return half * float64((i>>bit&1)*2-1) }
		corners = append(corners, collide.Vec3{X: at(0), Y: at(1), Z: at(2)})
	}
	lens := v.lens(area, c.Scale)
	v.items = v.items[:0]
	slow, middle, fast := stage.RGB(0x3b82d6), stage.RGB(0xf2e3b3), stage.RGB(0xe5484d)
	for _, e := range s.balls {
		at, scale := lens.At(c.Pose(s.physics, e).Position)
		u := components.Velocity.Get(e).Linear.Length() / (2 * s.speed)
		col := stage.Mix(slow, middle, min(2*u, 1))
		if u > 0.5 {
			col = stage.Mix(middle, fast, min(2*u-1, 1))
		}
		v.items = append(v.items, item{at, s.radius * scale, scale, col})
	}
	slices.SortFunc(v.items, func(a, b item) int { return cmp.Compare(a.depth, b.depth) })
	edges := func(near bool) {
		for i, a := range corners {
			for bit := range 3 {
				j := i ^ 1<<bit
				pa, da := lens.At(a)
				pb, db := lens.At(corners[j])
				_, middle := lens.At(collide.Vec3{})
				if i < j && (da > middle || db > middle) == near {
					c.Line(pa, pb, 1.5*c.Scale, stage.RGB(0x5a6675))
				}
			}
		}
	}
	edges(false)
	for _, b := range v.items {
		v.spheres.Add(b.at, b.radius, b.col, collide.Quat{})
	}
	v.spheres.Draw(c)
	edges(true)
	c.Clip(area, func() { c.DebugSolid(s.physics, s.world, lens) })
}

// chart draws the histogram of speeds and Maxwell's curve.
func (v *view) chart(c *stage.Canvas, area stage.Rect) {
	s, k := v.scene, c.Scale
	pale, amber, blue := stage.RGB(0xe7ecf2), stage.RGB(0xf2c14e), stage.RGB(0x3b82d6)
	panel := stage.Rect{X: area.X + 8*k, Y: area.Y + 8*k, W: area.W - 16*k, H: area.H - 16*k}
	panel.H = min(panel.H, 0.9*panel.W+60*k)
	panel.Y += (area.H - 16*k - panel.H) / 2
	c.Box(panel, 8*k, stage.RGB(0x262c35))
	left := panel.X + 12*k
	c.Text("speeds of the spheres", stage.Pt{X: left, Y: panel.Y + 18*k}, 14, stage.Bold, stage.Left, pale)
	c.Text("Maxwell's curve", stage.Pt{X: left, Y: panel.Y + 37*k}, 13, stage.Regular, stage.Left, amber)
	plot := stage.Rect{X: left, Y: panel.Y + 52*k, W: panel.W - 24*k, H: panel.H - 52*k - 30*k}
	total, top := 0.0, 0.0
	for i, n := range s.histogram {
		total += n
		top = max(top, 1.5*s.maxwell(i))
	}
	wide := plot.W / bins
	for i, n := range s.histogram {
		high := min(n/max(total, 1)/top, 1) * plot.H
		c.Box(stage.Rect{X: plot.X + float64(i)*wide, Y: plot.Y + plot.H - high, W: wide - 1, H: high}, 0, blue)
	}
	var last stage.Pt
	for i := range bins {
		p := stage.Pt{X: plot.X + (float64(i)+0.5)*wide, Y: plot.Y + plot.H*(1-s.maxwell(i)/top)}
		if i > 0 {
			c.Line(last, p, 2.5*k, amber)
		}
		last = p
	}
	c.Line(stage.Pt{X: plot.X, Y: plot.Y + plot.H}, stage.Pt{X: plot.X + plot.W, Y: plot.Y + plot.H}, k, pale)
	y := plot.Y + plot.H + 14*k
	c.Text("0", stage.Pt{X: plot.X, Y: y}, 12, stage.Regular, stage.Left, pale)
	end := fmt.Sprintf("%.3g m/s", bins*s.binWidth())
	c.Text(end, stage.Pt{X: plot.X + plot.W, Y: y}, 12, stage.Regular, stage.Right, pale)
}
