package drum

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	seed               uint64
	count, speed, turn float64 // sliders
	adapted            float64 // the count that adapting has chosen last
	limited            bool    // there are fewer balls than there were, because the machine can't do more

	scene   *scene
	hand    stage.Hand
	chart   []stage.Pt // order by turns of the drum, at most mostPoints
	apart   float64    // turns from one point of the chart to the next
	spheres stage.Spheres
	items   []item
}

// item is a sphere to be drawn.
type item struct {
	at     stage.Pt
	radius float64 // pixels
	depth  float64 // pixels per metre; larger is nearer
	col    color.NRGBA
	turn   collide.Quat
}

// The colours.
var (
	night  = stage.RGB(0x1d2126)
	back   = stage.RGB(0x2b333e)
	steel  = stage.RGB(0x8fa0b5)
	dark   = stage.RGB(0x53606f)
	pale   = stage.RGB(0xe7ecf2)
	paints = [3]color.NRGBA{stage.RGB(0xf2b33d), stage.RGB(0x2fa58a), stage.RGB(0x3b82d6)}
	names  = [3]string{"small", "medium", "large"}
)

// New returns the example.
func New(seed uint64) stage.Game {
	return &view{
		seed: seed, count: firstBalls, adapted: firstBalls, speed: 0.8, turn: 14, spheres: stage.Spheres{Halo: 0.3},
	}
}

// Reset mixes the balls again.
func (v *view) Reset() {
	v.scene = newScene(v.seed, int(v.count))
	v.chart, v.apart = v.chart[:0], 0.02
}

// mostPoints is the largest number of points of the chart. It has no more pixels.
const mostPoints = 1000

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return night }

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	for _, k := range in.Typed {
		if k == 'T' {
			v.speed = -v.speed
		}
	}
	v.adapt(in)
	s := v.scene
	if in.W > 0 {
		box, _ := areas(in.W, in.H)
		l := v.lens(box, in.Scale)
		middle := stage.Pt{X: box.X + box.W/2, Y: box.Y + box.H/2}
		v.hand.DragThrough(s.physics, s.world, l.Eye, l.Ray(in.Pointer), l.Ray(middle), in.Held,
			func(e donburi.Entity) bool { return s.world.Entry(e).HasComponent(components.SphereCollider) })
	}
	s.step(v.speed)
	v.note()
}

// note adds a point to the chart, if it is time for one.
func (v *view) note() {
	s := v.scene
	if at := s.turned / (2 * math.Pi); s.ticks > settleTicks {
		if n := len(v.chart); n == 0 || at-v.chart[n-1].X >= v.apart {
			v.chart = append(v.chart, stage.Pt{X: at, Y: s.order})
		}
		if len(v.chart) > mostPoints { // keep every second one
			for i := range mostPoints/2 + 1 {
				v.chart[i] = v.chart[2*i]
			}
			v.chart, v.apart = v.chart[:mostPoints/2+1], 2*v.apart
		}
	}
}

// adapt begins again with fewer balls where steps take too long. Until that has happened it begins
// again with more while there is much time left, unless the number was chosen by hand.
func (v *view) adapt(in stage.Input) {
	next := v.count
	switch {
	case in.Pace > 0 && in.Pace < 1 && v.scene.ticks > settleTicks && v.count > leastBalls:
		next, v.limited = max(math.Floor(in.Pace*v.count/20)*20, leastBalls), true
	case in.Load > 0 && in.Load < 0.5 && v.scene.ticks == 3*settleTicks && !v.limited && v.count == v.adapted:
		next = min(math.Floor(1.3*v.count/20)*20, mostBalls)
	}
	if next != v.count {
		v.count, v.adapted = next, next
		v.Reset()
	}
}

// Panel returns what is beside the drum.
func (v *view) Panel() stage.Panel {
	s, most := v.scene, ""
	if v.limited {
		most = " at 60 steps/s"
	}
	return stage.Panel{
		Buttons: []stage.Button{{Key: 'T', Label: "turn the other way", On: v.speed < 0}},
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: -2, Max: 2, Step: 0.1, Unit: "rad/s"},
			{Name: "balls", Value: &v.count, Min: leastBalls, Max: mostBalls, Step: 20, Restart: true},
			{Name: "camera", Value: &v.turn, Min: -40, Max: 40, Step: 1, Unit: "°"},
		},
		Lines: []string{
			fmt.Sprintf("balls%s  %s", most, stage.Count(len(s.balls))),
			fmt.Sprintf("turns of the drum  %.2f", s.turned/(2*math.Pi)),
			fmt.Sprintf("segregation  %.2f", s.order),
			fmt.Sprintf("overlap now  %s radii", stage.Small(s.overlap/s.least)),
			fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/s.least)),
		},
		Hint: "Small balls gather in the middle. Reset mixes them. Drag and throw balls. Segregation is 1 if every " +
			"large ball is farther from the middle of the bed than every small one, and 0 if chance decides. The " +
			"number of balls adapts, so that 60 steps a second hold.",
		Physics: s.physics, World: s.world,
	}
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("drum: %d ticks, %d balls, %.2f turns, segregation %.2f, slowed down in %d steps\n"+
		"worst overlap in any tick: %s of the smallest radius", s.ticks, len(s.balls), s.turned/(2*math.Pi), s.order,
		s.blocked, stage.Small(s.worstOverlap/s.least))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "the drum turns, and the small balls gather in the middle"
}

// Draw draws the drum, and beside or below it the chart.
func (v *view) Draw(c *stage.Canvas) {
	box, chart := areas(c.W, c.H)
	l := v.lens(box, c.Scale)
	v.drawDrum(c, l)
	v.drawBalls(c, l)
	v.drawRim(c, l)
	v.drawChart(c, chart)
	c.Clip(box, func() { c.DebugSolid(v.scene.physics, v.scene.world, l) })
}

// areas returns the parts of a canvas with the drum and with the chart.
func areas(w, h float64) (box, chart stage.Rect) {
	if h > w {
		box = stage.Rect{W: w, H: 0.66 * h}
		return box, stage.Rect{Y: box.H, W: w, H: h - box.H}
	}
	box = stage.Rect{W: 0.66 * w, H: h}
	return box, stage.Rect{X: box.W, W: w - box.W, H: h}
}

// lens returns the lens that shows the drum in an area.
func (v *view) lens(area stage.Rect, scale float64) stage.Lens {
	s := v.scene
	var points []collide.Vec3
	for k := range sides {
		p := rim(k).Scale(1.04)
		points = append(points, p.Add(collide.Vec3{Z: s.half}), p.Sub(collide.Vec3{Z: s.half}))
	}
	const degree = math.Pi / 180
	m := 16 * scale
	return stage.NewLens(collide.Vec3{}, 4.5, v.turn*degree, 7*degree, points,
		stage.Rect{X: area.X + m, Y: area.Y + m, W: area.W - 2*m, H: area.H - 2*m})
}

// corners returns the corners of the drum at one end, on the canvas.
func (v *view) corners(l stage.Lens, z, scale float64) []stage.Pt {
	turn := components.Transform.Get(v.scene.drum).Rotation
	at := make([]stage.Pt, sides)
	for k := range at {
		p := turn.Rotate(rim(k)).Scale(scale)
		p.Z = z
		at[k], _ = l.At(p)
	}
	return at
}

// drawDrum draws the plate behind the balls and the wall, as far as its inside is seen.
func (v *view) drawDrum(c *stage.Canvas, l stage.Lens) {
	behind := v.corners(l, -v.scene.half, 1)
	c.Poly(behind, back)
	v.drawWall(c, l, true)
}

// drawWall draws the sides of the drum that show their inside, or their outside. Every eighth is
// dark, so that one sees the drum turn.
func (v *view) drawWall(c *stage.Canvas, l stage.Lens, inside bool) {
	s := v.scene
	turn := components.Transform.Get(s.drum).Rotation
	behind, front := v.corners(l, -s.half, 1), v.corners(l, s.half, 1)
	for k := range sides {
		next := (k + 1) % sides
		n := turn.Rotate(rim(k).Add(rim(next)).Scale(0.5))
		if (l.Eye.Sub(n).Dot(n) < 0) != inside {
			continue
		}
		col := stage.Mix(dark, steel, 0.35+0.25*n.Y)
		if k/4%2 == 0 {
			col = stage.Mix(col, night, 0.35)
		}
		c.Poly([]stage.Pt{behind[k], behind[next], front[next], front[k]}, col)
	}
}

// drawRim draws what is in front of the balls: the sides that show their outside, and the rim.
func (v *view) drawRim(c *stage.Canvas, l stage.Lens) {
	v.drawWall(c, l, false)
	inner, outer := v.corners(l, v.scene.half, 1), v.corners(l, v.scene.half, 1.035)
	for k := range sides {
		next := (k + 1) % sides
		col := steel
		if k/4%2 == 0 {
			col = stage.Mix(steel, night, 0.4)
		}
		c.Poly([]stage.Pt{inner[k], inner[next], outer[next], outer[k]}, col)
	}
}

// drawBalls draws the balls from far to near.
func (v *view) drawBalls(c *stage.Canvas, l stage.Lens) {
	s := v.scene
	v.items = v.items[:0]
	for _, e := range s.balls {
		t := c.Pose(s.physics, e)
		at, scale := l.At(t.Position)
		light := 0.86 + 0.14*t.Position.Z/s.half // balls farther back are darker
		v.items = append(v.items, item{
			at, components.SphereCollider.Get(e).Radius * scale, scale,
			stage.Mix(night, paints[ball.Get(e).Size], light), l.Turn.Mul(t.Rotation),
		})
	}
	slices.SortFunc(v.items, func(a, b item) int { return cmp.Compare(a.depth, b.depth) })
	for _, b := range v.items {
		v.spheres.Add(b.at, b.radius, b.col, b.turn)
	}
	v.spheres.Draw(c)
}

// drawChart draws the segregation over the turns of the drum.
func (v *view) drawChart(c *stage.Canvas, area stage.Rect) {
	s, k := v.scene, c.Scale
	panel := stage.Rect{X: area.X + 8*k, Y: area.Y + 8*k, W: area.W - 16*k, H: area.H - 16*k}
	panel.H = min(panel.H, 0.8*panel.W+90*k)
	panel.Y += (area.H - 16*k - panel.H) / 2
	c.Box(panel, 8*k, stage.RGB(0x262c35))
	left := panel.X + 12*k
	c.Text("segregation", stage.Pt{X: left, Y: panel.Y + 18*k}, 14, stage.Bold, stage.Left, pale)
	now := fmt.Sprintf("%.2f", s.order)
	c.Text(now, stage.Pt{X: panel.X + panel.W - 12*k, Y: panel.Y + 18*k}, 14, stage.Bold, stage.Right, pale)

	top, bottom := 60*k, 30*k
	if panel.H < top+bottom+40*k { // there is only room for the chart itself
		v.plot(c, stage.Rect{X: left + 22*k, Y: panel.Y + 36*k, W: panel.W - 46*k, H: panel.H - 48*k})
		return
	}
	// The sizes: a dot, how many, and which.
	wide := (panel.W - 24*k) / 3
	for size, n := range counts(len(s.balls)) {
		x := left + float64(size)*wide
		r := 3 * k * sizes[size]
		c.Disc(stage.Pt{X: x + r, Y: panel.Y + 40*k}, r, paints[size])
		text := fmt.Sprintf("%d %s", n, names[size])
		if c.TextWidth(text, 11, stage.Regular) > wide-2*r-8*k {
			text = fmt.Sprint(n)
		}
		c.Text(text, stage.Pt{X: x + 2*r + 4*k, Y: panel.Y + 40*k}, 11, stage.Regular, stage.Left, pale)
	}

	plot := stage.Rect{X: left + 22*k, Y: panel.Y + top, W: panel.W - 46*k, H: panel.H - top - bottom}
	end := v.plot(c, plot)
	below := plot.Y + plot.H + 14*k
	c.Text("turns", stage.Pt{X: plot.X, Y: below}, 11, stage.Regular, stage.Left, pale)
	c.Text(fmt.Sprintf("%.0f", end), stage.Pt{X: plot.X + plot.W, Y: below}, 11, stage.Regular, stage.Right, pale)
}

// plot draws the curve and its scale, and returns the number of turns at its end.
func (v *view) plot(c *stage.Canvas, plot stage.Rect) (end float64) {
	k := c.Scale
	// The scale ends at 1, and begins below 0 because mixtures are on both sides of it.
	const low = -0.2
	y := func(order float64) float64 { return plot.Y + plot.H*(1-(max(order, low)-low)/(1-low)) }
	for _, at := range []float64{0, 0.5, 1} {
		c.Line(stage.Pt{X: plot.X, Y: y(at)}, stage.Pt{X: plot.X + plot.W, Y: y(at)}, k, stage.Alpha(pale, 0.25))
		c.Text(fmt.Sprint(at), stage.Pt{X: plot.X - 4*k, Y: y(at)}, 11, stage.Regular, stage.Right, pale)
	}
	end = 2.0 // turns
	if n := len(v.chart); n > 0 {
		for v.chart[n-1].X > end {
			end *= 2
		}
	}
	at := func(p stage.Pt) stage.Pt { return stage.Pt{X: plot.X + p.X/end*plot.W, Y: y(p.Y)} }
	for i := 1; i < len(v.chart); i++ {
		c.Line(at(v.chart[i-1]), at(v.chart[i]), 2*k, paints[0])
	}
	return end
}
