package corridor

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	speed, bounce float64 // sliders

	scene *scene
	still stage.Backdrop
	held  bool // the pointer, in the last tick
	tap   bool // the pointer was pressed on the button
}

// The colours.
var (
	rock   = stage.RGB(0x252b36)
	rim    = stage.RGB(0x7f8ca3)
	floor  = stage.RGB(0xf2eee4)
	grid   = stage.RGB(0xe6e0d2)
	ink    = stage.RGB(0x2a2f38)
	pale   = stage.RGB(0xdfe5ee)
	amber  = stage.RGB(0xf2a93b)
	red    = stage.RGB(0xe5484d)
	green  = stage.RGB(0x1f9d6b)
	blue   = stage.RGB(0x2f6fde)
	violet = stage.RGB(0x8e4ec6)
	panel  = stage.RGB(0x1b2029)
)

// roomy is how many points a metre has to have for more than the plan.
const roomy = 26

// shown is the visible part of the world.
var shown = collide.AABB{Min: collide.Vec3{X: -3.1, Y: -0.5}, Max: collide.Vec3{X: 14.8, Y: 10.1}}

// New returns the example, which draws nothing at random.
func New(uint64) stage.Game { return &view{speed: walkSpeed, bounce: bounce} }

// Reset puts the walker back to its start.
func (v *view) Reset() { v.scene = newScene() }

// Background returns the colour of solid rock.
func (v *view) Background() color.NRGBA { return rock }

// panes returns the halves of the split screen, beside or below each other, whichever is larger:
// dango's, and that of naive sliding.
func panes(w, h, s float64) [2]stage.Rect {
	size := shown.Max.Sub(shown.Min)
	m := 6 * s
	high, wide := (h-3*m)/2, (w-3*m)/2
	if min((w-2*m)/size.X, high/size.Y) > min(wide/size.X, (h-2*m)/size.Y) {
		return [2]stage.Rect{{X: m, Y: m, W: w - 2*m, H: high}, {X: m, Y: 2*m + high, W: w - 2*m, H: high}}
	}
	return [2]stage.Rect{{X: m, Y: m, W: wide, H: h - 2*m}, {X: 2*m + wide, Y: m, W: wide, H: h - 2*m}}
}

// cameras show the plan in both panes.
func cameras(w, h, s float64) (cams [2]stage.Camera) {
	for i, area := range panes(w, h, s) {
		cams[i] = stage.Fit(shown, area)
	}
	return cams
}

// world returns the point under the pointer, in whichever pane it is.
func world(in stage.Input) collide.Vec3 {
	cams := cameras(in.W, in.H, in.Scale)
	if panes(in.W, in.H, in.Scale)[1].Has(in.Pointer) {
		return cams[1].World(in.Pointer)
	}
	return cams[0].World(in.Pointer)
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Move: collide.Vec3{X: in.Move.X, Y: in.Move.Y}, Auto: in.Auto}
	i.Switch = in.Switch || strings.Contains(in.Typed, "M")
	if in.Held && !v.held {
		v.tap = v.button(in.W, in.H, in.Scale).Has(in.Pointer)
		i.Switch = i.Switch || v.tap
	}
	v.held = in.Held
	if in.Held && !v.tap { // towards the pointer, slower close to it
		d := world(in).Sub(v.scene.position())
		i.Move = collide.Vec3{X: d.X, Y: d.Y}.Scale(1 / max(d.Length(), 0.5))
	}
	v.scene.speed = v.speed
	v.scene.setBounce(v.bounce)
	v.scene.step(i)
}

// button returns the area of the text that shows the mode. A tap on it changes the mode.
func (v *view) button(w, h, s float64) stage.Rect {
	cam := cameras(w, h, s)[0]
	at := cam.At(collide.Vec3{X: -2.7, Y: 9.84})
	return stage.Rect{X: at.X, Y: at.Y, W: max(1.5*cam.Zoom, 76*s), H: max(0.48*cam.Zoom, 24*s)}
}

func mode(slide bool) string {
	if slide {
		return "slide"
	}
	return "bounce"
}

// Panel returns what is beside the plan.
func (v *view) Panel() stage.Panel {
	s := v.scene
	goal := fmt.Sprintf("%d of %d in %.0f s", len(goals)-s.left, len(goals), s.seconds)
	if s.left == 0 {
		goal = fmt.Sprintf("all %d in %.1f s", len(goals), s.seconds)
	}
	return stage.Panel{
		Buttons: []stage.Button{{Key: 'M', Label: "bounce", On: !s.slide}},
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: 1, Max: 100, Step: 0.5, Unit: "m/s", Log: true},
			{Name: "restitution", Value: &v.bounce, Min: 0, Max: liveliest, Step: 0.05},
		},
		Lines: []string{
			"goals  " + goal,
			fmt.Sprintf("naive sliding, overlap  %.0f mm", 1e3*s.naive.inside),
			fmt.Sprintf("naive sliding, at worst  %.0f mm", 1e3*s.naive.worst),
			fmt.Sprintf("speed  %.2f m/s", s.velocity().Length()),
			fmt.Sprintf("contacts  %d", len(s.contacts)),
			fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/radius)),
		},
		Hint: "Arrows, WASD, gamepad or pointer walk. Reach all goals. The red sphere in the other half takes the " +
			"same steps with naive sliding.",
		Physics: s.physics, World: s.world,
		Pointer: true,
	}
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	e := s.velocity().LengthSquared() / 2
	return fmt.Sprintf("corridor: %d ticks, %d impacts, stuck for %d ticks, in %s mode at the end\n"+
		"energy left %.3f J, worst overlap in any tick: %s of a radius",
		s.ticks, s.impacts, s.stuckTicks, mode(s.slide), e, stage.Small(s.worstOverlap/radius))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "dango slides along every wall; naive sliding ends up in walls, with the same steps"
}

// Draw draws the plan, the walker and its contacts, and a cross-section of the shaft.
func (v *view) Draw(c *stage.Canvas) {
	s, cams := v.scene, cameras(c.W, c.H, c.Scale)
	cam, other := cams[0], cams[1]
	v.still.Draw(c, func(c *stage.Canvas) {
		for _, cam := range cams {
			v.floor(c, cam)
			v.shaft(c, cam)
			v.walls(c, cam)
		}
		v.labels(c, cam)
		a, b := panes(c.W, c.H, c.Scale)[0], panes(c.W, c.H, c.Scale)[1]
		middle := stage.Pt{X: (a.X + a.W + b.X) / 2, Y: (a.Y + a.H + b.Y) / 2}
		if a.Y == b.Y {
			c.Line(stage.Pt{X: middle.X}, stage.Pt{X: middle.X, Y: c.H}, c.Scale, stage.Alpha(rim, 0.6))
		} else {
			c.Line(stage.Pt{Y: middle.Y}, stage.Pt{X: c.W, Y: middle.Y}, c.Scale, stage.Alpha(rim, 0.6))
		}
	})
	v.goals(c, cam, s.reached)
	v.trail(c, cam, s.trail, v.color())
	v.walker(c, cam)
	c.Clip(panes(c.W, c.H, c.Scale)[0], func() { c.Debug(s.physics, s.world, cam) })
	v.section(c, cam)
	v.state(c, cam)
	caption(c, cam, "dango: "+tally(s.reached), fmt.Sprintf("in walls by %.0f mm", 1e3*s.worstOverlap), pale)
	v.goals(c, other, s.naive.reached)
	v.trail(c, other, s.naive.trail, red)
	v.naive(c, other)
}

// naive draws what slides naively, with the wish that it has in common with the walker.
func (v *view) naive(c *stage.Canvas, cam stage.Camera) {
	s, n := v.scene, &v.scene.naive
	what := fmt.Sprintf("in walls by %.0f mm, at worst %.0f", 1e3*n.inside, 1e3*n.worst)
	col := pale
	switch {
	case !s.slide:
		what = "doesn't bounce"
	case n.inside > 1e-3:
		col = amber
	}
	p := cam.At(n.at)
	if shown.Contains(n.at) {
		sphere(c, p, radius*cam.Zoom, red)
		if s.wish.Length() > 0.05 {
			c.Arrow(p, cam.At(n.at.AddScaled(0.95, s.wish)), 3.5*c.Scale, ink)
		}
	} else {
		what, col = "has left the plan", amber
	}
	caption(c, cam, "naive: "+tally(n.reached), what, col)
}

// tally says how many goals have been reached.
func tally(reached []bool) string {
	n := 0
	for _, r := range reached {
		if r {
			n++
		}
	}
	return fmt.Sprintf("%d of %d goals", n, len(goals))
}

// caption draws the two lines above the plan that say whose it is.
func caption(c *stage.Canvas, cam stage.Camera, who, what string, col color.NRGBA) {
	at := cam.At(collide.Vec3{X: 5.6, Y: 9.75})
	size := max(11, 0.34*cam.Zoom/c.Scale)
	c.Text(who, at, size, stage.Bold, stage.Center, pale)
	at.Y += 1.25 * size * c.Scale
	c.Text(what, at, 0.9*size, stage.Regular, stage.Center, col)
}

func points(cam stage.Camera, vs []collide.Vec3) []stage.Pt {
	out := make([]stage.Pt, len(vs))
	for i, v := range vs {
		out[i] = cam.At(v)
	}
	return out
}

func (v *view) floor(c *stage.Canvas, cam stage.Camera) {
	corners := points(cam, outline())
	c.Shape(corners, floor)
	// One grid line per metre, drawn only inside of the walls.
	for x := -2.25; x < 14; x++ {
		gridLine(c, cam, collide.Vec3{X: x, Y: -1}, collide.Vec3{X: x, Y: 11})
	}
	for y := 0.75; y < 10; y++ {
		gridLine(c, cam, collide.Vec3{X: -4, Y: y}, collide.Vec3{X: 16, Y: y})
	}
}

// gridLine draws the parts of the line from a to b that lie on the floor. The line enters or leaves
// the floor at every wall that it crosses.
func gridLine(c *stage.Canvas, cam stage.Camera, a, b collide.Vec3) {
	corners := outline()
	var cuts []float64
	d := b.Sub(a)
	for i := range corners {
		p, q := corners[i], corners[(i+1)%len(corners)]
		e := q.Sub(p)
		den := d.X*e.Y - d.Y*e.X
		if den == 0 {
			continue
		}
		t := ((p.X-a.X)*e.Y - (p.Y-a.Y)*e.X) / den
		u := ((p.X-a.X)*d.Y - (p.Y-a.Y)*d.X) / den
		if u >= 0 && u < 1 && t > 0 && t < 1 {
			cuts = append(cuts, t)
		}
	}
	slices.Sort(cuts)
	for i := 1; i < len(cuts); i += 2 {
		c.Line(cam.At(a.Lerp(b, cuts[i-1])), cam.At(a.Lerp(b, cuts[i])), c.Scale, grid)
	}
}

// shaft draws the lower half of the tube, as seen when its upper half is cut away.
func (v *view) shaft(c *stage.Canvas, cam stage.Camera) {
	for i := 1; i < len(mouth); i++ {
		for k := shaftSides / 2; k <= shaftSides; k++ {
			a, b, d, e := shaftCorner(i-1, k), shaftCorner(i-1, k+1), shaftCorner(i, k+1), shaftCorner(i, k)
			if (a.Z+b.Z)/2 > 1e-9 {
				continue
			}
			// The light comes from above and from the north.
			angle := 2 * math.Pi * float64(k) / shaftSides
			light := 0.55 - 0.35*math.Sin(angle) - 0.25*math.Cos(angle)
			col := stage.Mix(stage.RGB(0x9fa8b8), floor, min(max(light, 0), 1))
			if k%2 == 1 {
				col = stage.Mix(col, ink, 0.035)
			}
			c.Poly([]stage.Pt{cam.At(clip(a)), cam.At(clip(b)), cam.At(clip(d)), cam.At(clip(e))}, col)
		}
	}
	for i := 1; i < len(mouth); i++ {
		r := mouth[i].radius
		c.Line(cam.At(collide.Vec3{X: mouth[i].x, Y: shaftY - r}), cam.At(collide.Vec3{X: mouth[i].x, Y: shaftY + r}),
			1.2*c.Scale, stage.Alpha(ink, 0.35))
	}
}

// clip moves a corner above the cut to the cut, which goes through the middle of a side.
func clip(p collide.Vec3) collide.Vec3 {
	if p.Z > 0 {
		y := (p.Y - shaftY) * math.Cos(math.Pi/shaftSides)
		return collide.Vec3{X: p.X, Y: shaftY + y*1}
	}
	return p
}

func (v *view) walls(c *stage.Canvas, cam stage.Camera) {
	w := 3 * c.Scale
	corners := points(cam, outline())
	for i := 1; i < len(corners); i++ {
		c.Line(corners[i-1], corners[i], w, rim)
	}
	for i := 1; i < len(mouth); i++ {
		for _, side := range []float64{-1, 1} {
			c.Line(cam.At(collide.Vec3{X: mouth[i-1].x, Y: shaftY + side*mouth[i-1].radius}),
				cam.At(collide.Vec3{X: mouth[i].x, Y: shaftY + side*mouth[i].radius}), w, rim)
		}
	}
}

// places are the labels of the plan.
var places = []struct {
	text  string
	at    collide.Vec3
	align stage.Align
	light bool // on rock
}{
	{"acute corner, 53°", collide.Vec3{X: -1.05, Y: 5.62}, stage.Left, false},
	{"right corner", collide.Vec3{X: 0.85, Y: 0.3}, stage.Left, false},
	{"10° wedge", collide.Vec3{X: 8.3, Y: -0.25}, stage.Left, true},
	{"obtuse, 150°", collide.Vec3{X: 9.0, Y: 2.3}, stage.Right, true},
	{"funnel", collide.Vec3{X: 10.9, Y: 9.45}, stage.Right, true},
	{"shaft of the sphere's own radius", collide.Vec3{X: 7.3, Y: 8.9}, stage.Center, true},
	{"taper", collide.Vec3{X: 3.0, Y: 8.9}, stage.Center, true},
}

func (v *view) labels(c *stage.Canvas, cam stage.Camera) {
	if cam.Zoom < 28*c.Scale {
		return // there is no room
	}
	for _, p := range places {
		col := stage.Alpha(ink, 0.75)
		if p.light {
			col = stage.Alpha(pale, 0.9)
		}
		c.Text(p.text, cam.At(p.at), max(10.5, 0.2*cam.Zoom/c.Scale), stage.Regular, p.align, col)
	}
}

func (v *view) color() color.NRGBA {
	if v.scene.slide {
		return blue
	}
	return violet
}

func (v *view) trail(c *stage.Canvas, cam stage.Camera, t []collide.Vec3, col color.NRGBA) {
	for i := 1; i < len(t); i++ {
		if t[i] == t[i-1] || !shown.Contains(t[i]) {
			continue
		}
		u := float64(i) / float64(len(t))
		// Mixed instead of transparent, because transparent pieces would be visible where they
		// overlap.
		c.Line(cam.At(t[i-1]), cam.At(t[i]), (1+3*u)*c.Scale, stage.Mix(floor, col, 0.8*u))
	}
}

// goals draws the goals that are left.
func (v *view) goals(c *stage.Canvas, cam stage.Camera, reached []bool) {
	for i, g := range goals {
		if i < len(reached) && reached[i] {
			continue
		}
		p := cam.At(g)
		c.Ring(p, 0.22*cam.Zoom, 2*c.Scale, amber)
		c.Disc(p, 0.1*cam.Zoom, amber)
	}
}

func (v *view) walker(c *stage.Canvas, cam stage.Camera) {
	s := v.scene
	m := cam.Zoom
	p := cam.At(s.position())
	r := radius * m
	c.Glow(p.Add(stage.Pt{X: 0.03 * m, Y: 0.05 * m}), r*0.95, r*0.3, color.NRGBA{0, 0, 0, 90})
	sphere(c, p, r, v.color())

	for _, f := range s.flashes {
		u := float64(f.Age) / flashTicks
		c.Ring(cam.At(f.Point), m*(0.06+0.35*u), 2.5*c.Scale, stage.Alpha(amber, 1-u))
		c.Arrow(
			cam.At(f.Point), cam.At(f.Point.AddScaled(0.3+0.06*f.Speed, f.Normal)), 2.5*c.Scale,
			stage.Alpha(red, 1-u),
		)
	}
	for _, k := range s.contacts {
		if k.Shaft && math.Abs(k.Normal.Z) > 0.3 {
			continue // above or below the plane: drawn in the cross-section
		}
		q := cam.At(k.Point)
		c.Arrow(q, cam.At(k.Point.AddScaled(0.85, k.Normal)), 4*c.Scale, red)
		c.Disc(q, 4.5*c.Scale, red)
		c.Ring(q, 4.5*c.Scale, 1.2*c.Scale, stage.RGB(0xffffff))
	}
	// The velocity that the player asks for, and the actual velocity.
	if s.wish.Length() > 0.05 {
		c.Arrow(p, cam.At(s.position().AddScaled(0.95, s.wish)), 3.5*c.Scale, ink)
	}
	if vel := s.velocity(); vel.Length() > 0.05 {
		long := min(0.95*vel.Length()/walkSpeed, 2) // in bounce mode the sphere may be fast
		c.Arrow(p, cam.At(s.position().AddScaled(long/vel.Length(), vel)), 5*c.Scale, green)
	}
}

// sphere draws a shaded ball.
func sphere(c *stage.Canvas, p stage.Pt, r float64, col color.NRGBA) {
	c.Disc(p, r, stage.Mix(col, ink, 0.45))
	white := stage.RGB(0xffffff)
	for i := 1; i <= 6; i++ { // towards the light, in steps with soft edges
		u := float64(i) / 6
		at := p.Add(stage.Pt{X: -0.16 * r * u, Y: -0.2 * r * u})
		c.Glow(at, r*(0.86-0.5*u), r*0.13, stage.Alpha(stage.Mix(col, white, 0.25*u*u), 0.55))
	}
}

// section draws the cross-section of the shaft at the walker, with contacts that the plan cannot
// show.
func (v *view) section(c *stage.Canvas, cam stage.Camera) {
	if cam.Zoom < roomy*c.Scale {
		return
	}
	s := v.scene
	at := s.position()
	m := cam.Zoom
	a, b := cam.At(collide.Vec3{X: 9.95, Y: 3.0}), cam.At(collide.Vec3{X: 14.2, Y: 0.6})
	box := stage.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}
	c.Box(box, 0.12*m, panel)
	c.Frame(box, 0.12*m, c.Scale, stage.Alpha(rim, 0.5))

	x := min(max(at.X, mouth[len(mouth)-1].x), mouth[0].x)
	r, _ := shaftRadius(x)
	within := at.X <= mouth[0].x && math.Abs(at.Y-shaftY) < 1.2
	// The view shows a diameter of one metre; the wide end of the funnel may be larger.
	zoom := box.H * 0.45 / 0.52
	centre := stage.Pt{X: box.X + box.H*0.5, Y: box.Y + box.H*0.5}
	place := func(y, z float64) stage.Pt { return centre.Add(stage.Pt{X: (y - shaftY) * zoom, Y: -z * zoom}) }
	if !within {
		r = radius
	}
	drawn := min(r, 0.52)
	var ring []stage.Pt
	for k := range shaftSides {
		angle := 2 * math.Pi * (float64(k) - 0.5) / shaftSides
		q := drawn / math.Cos(math.Pi/shaftSides)
		ring = append(ring, place(shaftY+q*math.Cos(angle), q*math.Sin(angle)))
	}
	c.Poly(ring, floor)
	for k := range ring {
		c.Line(ring[k], ring[(k+1)%len(ring)], 2*c.Scale, rim)
	}
	text := stage.Pt{X: box.X + box.H - 0.02*m, Y: box.Y + 0.42*m}
	line := func(t string, col color.NRGBA, weight stage.Weight) {
		size := max(9.5, 0.185*m/c.Scale)
		size *= min(1, (box.X+box.W-text.X-4*c.Scale)/c.TextWidth(t, size, weight))
		c.Text(t, text, size, weight, stage.Left, col)
		text.Y += 0.34 * m
	}
	line("Shaft,", pale, stage.Bold)
	line("end on", pale, stage.Bold)
	if !within {
		line("walk into it", stage.Alpha(pale, 0.6), stage.Regular)
		return
	}
	sphere(c, place(at.Y, at.Z), radius*zoom, v.color())
	n := 0
	for _, k := range s.contacts {
		if !k.Shaft {
			continue
		}
		n++
		q := place(k.Point.Y, k.Point.Z)
		c.Arrow(q, place(k.Point.Y+0.17*k.Normal.Y, k.Point.Z+0.17*k.Normal.Z), 1.6*c.Scale, red)
		c.Disc(q, 2.6*c.Scale, red)
	}
	line(fmt.Sprintf("%d contacts", n), amber, stage.Bold)
	line(fmt.Sprintf("%d sides", shaftSides), stage.Alpha(pale, 0.8), stage.Regular)
	line(fmt.Sprintf("play %.0e m", r-radius), stage.Alpha(pale, 0.8), stage.Regular)
}

// state draws the mode and state at the top left.
func (v *view) state(c *stage.Canvas, cam stage.Camera) {
	s := v.scene
	m := cam.Zoom
	size := max(12, 0.26*m/c.Scale)
	pill := v.button(c.W, c.H, c.Scale)
	at := stage.Pt{X: pill.X, Y: pill.Y + pill.H/2}
	c.Box(pill, pill.H/2, v.color())
	c.Text(
		mode(s.slide), stage.Pt{X: pill.X + pill.W/2, Y: at.Y}, size*1.25, stage.Bold, stage.Center,
		stage.RGB(0xffffff),
	)
	what, col := fmt.Sprintf("%.1f m/s", s.velocity().Length()), pale
	if s.stuck() {
		what, col = "stuck", amber
	}
	c.Text(what, stage.Pt{X: at.X, Y: at.Y + pill.H/2 + max(0.3*m, 11*c.Scale)}, size, stage.Bold, stage.Left, col)
	if m < roomy*c.Scale {
		return
	}
	legend := []struct {
		text string
		col  color.NRGBA
	}{{"wish", stage.RGB(0xffffff)}, {"velocity", green}, {"contact normal", red}}
	for i, l := range legend {
		y := at.Y + pill.H/2 + max(0.73*m, 26*c.Scale) + float64(i)*max(0.33*m, 13*c.Scale)
		long := max(0.5*m, 20*c.Scale)
		c.Arrow(stage.Pt{X: at.X, Y: y}, stage.Pt{X: at.X + long, Y: y}, 2.5*c.Scale, l.col)
		c.Text(
			l.text, stage.Pt{X: at.X + long + max(0.15*m, 6*c.Scale), Y: y}, max(9.5, 0.185*m/c.Scale),
			stage.Regular, stage.Left, stage.Alpha(pale, 0.85),
		)
	}
}
