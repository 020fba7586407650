package stage

import (
	"fmt"
	"math"
	"strings"

	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
)

// The colours of the panel.
var (
	panelBack = RGB(0x171b21)
	panelBox  = RGB(0x2b323c)
	panelFill = RGB(0x3d5a80)
	panelText = RGB(0xdfe5ee)
	panelDim  = RGB(0x9aa6b5)
	panelLit  = RGB(0xf2c14e)
	panelInk  = RGB(0x22272e)
)

// The heights of rows, and the gap between them, in points.
const (
	buttonHeight = 30.0
	sliderHeight = 30.0
	lineHeight   = 17.0
	graphHeight  = 64.0
	rowGap       = 4.0
)

// widget is a part of the panel.
type widget struct {
	area Rect
	draw func(c *Canvas, r Rect)
	tap  func()          // the pointer was pressed on it
	move func(u float64) // the pointer, pressed on it, is at this part of its width
}

// Button can be pressed with the pointer or with a key.
type Button struct {
	Key   byte // the digit or capital letter on its key; pressing the button types it
	Label string
	On    bool // it is lit
}

// flow places widgets in rows, in one column after the other, and in as many pages as it takes.
type flow struct {
	columns []Rect
	scale   float64
	column  int
	y       float64
	pages   [][]widget
}

// row adds widgets of the same width side by side. It begins a new column or page where there is no
// room below.
func (f *flow) row(height float64, cells ...widget) {
	height *= f.scale
	gap := rowGap * f.scale
	if col := f.columns[f.column]; f.y+height > col.Y+col.H+0.5 && f.y > col.Y {
		f.next()
	}
	col := f.columns[f.column]
	wide := (col.W - gap*float64(len(cells)-1)) / float64(len(cells))
	for i, cell := range cells {
		cell.area = Rect{col.X + float64(i)*(wide+gap), f.y, wide, height}
		f.pages[len(f.pages)-1] = append(f.pages[len(f.pages)-1], cell)
	}
	f.y += height + gap
}

// next begins a new column, or page.
func (f *flow) next() {
	if f.column++; f.column == len(f.columns) {
		f.column = 0
		f.pages = append(f.pages, nil)
	}
	f.y = f.columns[f.column].Y
}

// layout places the widgets of the panel.
func (w *window) layout(c *Canvas, side Rect) {
	s := c.Scale
	margin := 8 * s
	inner := Rect{side.X + margin, side.Y + margin, side.W - 2*margin, side.H - 2*margin}
	columns := []Rect{inner}
	if inner.W > 360*s {
		half := (inner.W - margin) / 2
		columns = []Rect{
			{inner.X, inner.Y, half, inner.H},
			{inner.X + half + margin, inner.Y, half, inner.H},
		}
	}
	// What is always there comes first; the rest is shared out to pages if it doesn't fit.
	head := flow{columns: columns[:1], scale: s, y: inner.Y, pages: [][]widget{nil}}
	w.always(&head)
	used := head.y - inner.Y
	rest := flow{columns: append([]Rect{}, columns...), scale: s, pages: [][]widget{nil}}
	rest.columns[0].Y += used
	rest.columns[0].H -= used
	for range 2 {
		rest.column, rest.y, rest.pages = 0, rest.columns[0].Y, [][]widget{nil}
		w.rows(c, &rest)
		if len(rest.pages) == 1 {
			break
		}
		// room for the button that turns pages
		if last := &rest.columns[len(columns)-1]; last.Y+last.H == inner.Y+inner.H {
			last.H -= (buttonHeight + rowGap) * s
		}
	}
	w.pages = len(rest.pages)
	w.page %= w.pages
	w.widgets = append(head.pages[0], rest.pages[w.page]...)
	if w.pages > 1 {
		more := w.button(Button{Label: fmt.Sprintf("more  %d/%d", w.page+1, w.pages)}, func() { w.page++ })
		more.area = columns[len(columns)-1]
		more.area.Y += more.area.H - buttonHeight*s
		more.area.H = buttonHeight * s
		w.widgets = append(w.widgets, more)
	}
}

// always adds the rows that every page has.
func (w *window) always(f *flow) {
	state := fmt.Sprintf("%.0f frames/s   %.0f steps/s", w.fps, w.steps)
	if w.clock.IsZero() && w.fps == 0 {
		state = "unattended run"
	}
	f.row(lineHeight, widget{draw: func(c *Canvas, r Rect) {
		c.fit(state, Pt{r.X + r.W/2, r.Y + r.H/2}, 13, r.W, Bold, Center, panelText)
	}})
	speed := "time ×1"
	if w.slow > 1 {
		speed = fmt.Sprintf("time ×1/%d", w.slow)
	}
	f.row(buttonHeight,
		w.button(Button{Key: 'P', Label: "pause", On: w.paused}, func() { w.paused = !w.paused }),
		w.button(Button{Key: 'N', Label: "step"}, w.single),
		w.button(Button{Key: 'L', Label: speed, On: w.slow > 1}, w.slower))
	f.row(buttonHeight,
		w.button(Button{Key: 'R', Label: "reset"}, w.reset),
		w.button(Button{Key: 'U', Label: "autoplay", On: w.auto}, func() { w.auto = !w.auto }),
		w.button(Button{Label: "full screen", On: ebiten.IsFullscreen()}, fullScreen))
}

func fullScreen() { ebiten.SetFullscreen(!ebiten.IsFullscreen()) }

// rows adds the rows that may be on other pages.
func (w *window) rows(c *Canvas, f *flow) {
	for i := 0; i < len(w.panel.Buttons); i += 3 {
		var cells []widget
		for _, b := range w.panel.Buttons[i:min(i+3, len(w.panel.Buttons))] {
			cells = append(cells, w.button(b, func() {
				w.typed += string(rune(b.Key))
				w.auto = false
			}))
		}
		f.row(buttonHeight, cells...)
	}
	for _, s := range w.panel.Sliders {
		f.row(sliderHeight, w.slider(s))
	}
	if len(f.columns) > 1 && f.column == 0 {
		f.next()
	}
	for _, line := range w.panel.Lines {
		name, value, _ := strings.Cut(line, "  ")
		f.row(lineHeight, widget{draw: func(c *Canvas, r Rect) {
			left := c.TextWidth(name, 12, Regular)
			room := min(1, (r.W-10*c.Scale)/(left+c.TextWidth(value, 12, Bold)))
			if room < 1 {
				room *= 0.95 // sizes are rounded
			}
			c.Text(name, Pt{r.X, r.Y + r.H/2}, 12*room, Regular, Left, panelDim)
			c.Text(value, Pt{r.X + r.W, r.Y + r.H/2}, 12*room, Bold, Right, panelText)
		}})
	}
	f.row(graphHeight, widget{draw: w.graph})
	if w.canvas.debug.used {
		show := &w.canvas.debug.show
		var cells []widget
		for _, l := range layers {
			cells = append(cells, w.button(Button{Label: l.label, On: *show&l.layer != 0}, func() { *show ^= l.layer }))
		}
		f.row(buttonHeight, cells[:3]...)
		f.row(buttonHeight, cells[3:]...)
	}
	hint := c.Wrap(w.panel.Hint, 12, f.columns[0].W)
	f.row(lineHeight*float64(len(hint)), widget{draw: func(c *Canvas, r Rect) {
		for i, line := range hint {
			c.Text(line, Pt{r.X, r.Y + (float64(i)+0.5)*lineHeight*c.Scale}, 12, Regular, Left, panelDim)
		}
	}})
	nav := []widget{
		w.button(Button{Label: "previous"}, func() { w.turn(-1) }),
		w.button(Button{Label: "gallery"}, func() { w.leave("") }),
		w.button(Button{Label: "next"}, func() { w.turn(1) }),
	}
	f.row(buttonHeight, nav...)
	last := []widget{w.button(Button{Label: w.sound.label(), On: w.sound.on}, w.sound.toggle)}
	if inBrowser {
		last = append(last, w.button(Button{Label: "source"}, func() { showSource(w.entry().Name) }))
	}
	f.row(buttonHeight, last...)
}

// button returns a widget that can be pressed.
func (w *window) button(b Button, tap func()) widget {
	return widget{tap: tap, draw: func(c *Canvas, r Rect) {
		fill, ink := panelBox, panelText
		if b.On {
			fill, ink = panelLit, panelInk
		}
		c.Box(r, 6*c.Scale, fill)
		label := b.Label
		if b.Key != 0 && r.W > 70*c.Scale { // with their keys, all buttons of a row fit or none
			if long := string(rune(b.Key)) + "  " + label; c.TextWidth(long, 12, Bold) < r.W-8*c.Scale {
				label = long
			}
		}
		c.fit(label, Pt{r.X + r.W/2, r.Y + r.H/2}, 12, r.W-6*c.Scale, Bold, Center, ink)
	}}
}

// part returns the place of a value between the ends of the slider, 0 to 1.
func (s Slider) part() float64 {
	if s.Log {
		return math.Log(*s.Value/s.Min) / math.Log(s.Max/s.Min)
	}
	return (*s.Value - s.Min) / (s.Max - s.Min)
}

// at returns the value at a place between the ends of the slider.
func (s Slider) at(u float64) float64 {
	u = min(max(u, 0), 1)
	if s.Log {
		return s.Min * math.Pow(s.Max/s.Min, u)
	}
	return s.Min + u*(s.Max-s.Min)
}

// slider returns a widget that changes a value.
func (w *window) slider(s Slider) widget {
	set := func(u float64) {
		before := *s.Value
		s.Set(s.at(u))
		if *s.Value != before && s.Restart {
			w.reset()
		}
	}
	return widget{move: set, draw: func(c *Canvas, r Rect) {
		c.Box(r, 6*c.Scale, panelBox)
		full := max(min(max(s.part(), 0), 1)*r.W, 12*c.Scale)
		c.Box(Rect{r.X, r.Y, full, r.H}, 6*c.Scale, panelFill)
		knob := Rect{r.X + full - 5*c.Scale, r.Y + r.H - 7*c.Scale, 3 * c.Scale, 5 * c.Scale} // below the texts
		c.Box(knob, 1.5*c.Scale, Alpha(panelText, 0.6))
		decimals := max(0, int(math.Ceil(-math.Log10(s.Step)-1e-9)))
		value := strings.TrimSpace(fmt.Sprintf("%.*f %s", decimals, *s.Value, s.Unit))
		if s.Step >= 1 {
			value = strings.TrimSpace(Count(int(*s.Value)) + " " + s.Unit)
		}
		y := r.Y + r.H/2
		c.Text(s.Name, Pt{r.X + 9*c.Scale, y}, 12, Regular, Left, panelText)
		c.Text(value, Pt{r.X + r.W - 9*c.Scale, y}, 12, Bold, Right, panelText)
	}}
}

// stages are the stages of a step, from the bottom of the graph up.
var stages = []struct {
	name  string
	color uint32
	of    func(s systems.Stats) float64 // milliseconds
}{
	{"gather", 0x5aa9e6, func(s systems.Stats) float64 { return s.Gather.Seconds() * 1e3 }},
	{"broad", 0x57c4a0, func(s systems.Stats) float64 { return s.Broadphase.Seconds() * 1e3 }},
	{"sweep", 0xf2c14e, func(s systems.Stats) float64 { return s.Sweep.Seconds() * 1e3 }},
	{"respond", 0xe5684a, func(s systems.Stats) float64 { return s.Response.Seconds() * 1e3 }},
	{"scatter", 0xb48ce0, func(s systems.Stats) float64 { return s.Scatter.Seconds() * 1e3 }},
}

// graph draws the times of the stages of the last steps, on top of each other.
func (w *window) graph(c *Canvas, r Rect) {
	s := c.Scale
	c.Box(r, 6*s, panelBox)
	most, last := 0.0, 0.0
	for _, t := range w.times {
		last = 0
		for _, stage := range stages {
			last += stage.of(t)
		}
		most = max(most, last)
	}
	plot := Rect{r.X + 6*s, r.Y + 20*s, r.W - 12*s, r.H - 38*s}
	wide := plot.W / graphSteps
	for i, t := range w.times {
		y := plot.Y + plot.H
		for _, stage := range stages {
			high := stage.of(t) / max(most, 1e-3) * plot.H
			c.bar(Rect{plot.X + float64(i)*wide, y - high, wide, high}, RGB(stage.color))
			y -= high
		}
	}
	text := fmt.Sprintf("step %.2f of 16.67 ms, at most %.2f", last, most)
	c.fit(text, Pt{r.X + 6*s, r.Y + 10*s}, 11, r.W-12*s, Regular, Left, panelText)
	x, size := r.X+6*s, 10.5
	total := 0.0
	for _, stage := range stages {
		total += c.TextWidth(stage.name, size, Regular)
	}
	gap := 6 * s
	size *= min(1, (r.W-12*s-4*gap)/total)
	for _, stage := range stages {
		c.Text(stage.name, Pt{x, r.Y + r.H - 9*s}, size, Regular, Left, RGB(stage.color))
		x += c.TextWidth(stage.name, size, Regular) + gap
	}
}

// point gives the pointer to the panel if it was pressed there, and otherwise leaves it to the
// scene.
func (w *window) point(in *Input) {
	pressed := in.Held && !w.held
	if pressed {
		w.onPanel, w.drag = in.Pointer.X >= in.W || in.Pointer.Y >= in.H, -1
		for i, wid := range w.widgets {
			if !w.onPanel || !wid.area.Has(in.Pointer) {
				continue
			}
			w.drag = i
			if wid.tap != nil {
				wid.tap()
			}
		}
	}
	if !in.Held {
		w.onPanel = false
		return
	}
	if w.onPanel {
		if w.drag >= 0 && w.drag < len(w.widgets) && w.widgets[w.drag].move != nil {
			a := w.widgets[w.drag].area
			w.widgets[w.drag].move((in.Pointer.X - a.X) / a.W)
		}
		in.Held = false
	}
}
