package stage

import (
	"image"
	"math"
	"slices"
	"time"

	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// window shows an example and its panel, or the gallery.
type window struct {
	examples []Example
	at       int  // the running example
	game     Game // nil in the gallery
	seed     uint64
	initial  map[string]float64 // values of the sliders
	shown    string             // the address that is shown
	menu     menu

	controls controls
	sound    sound
	canvas   Canvas
	panel    Panel
	scale    float64

	paused, auto bool
	slow         int // a step takes this many ticks
	phase        int // ticks since the last step, below slow
	typed        string
	pressed      bool // Switch, until the next step

	held    bool // the pointer, in the last tick
	onPanel bool // it was pressed on the panel, or before the example was opened
	drag    int  // index of the widget that it drags; -1 if it drags none
	page    int  // of the panel
	pages   int
	widgets []widget

	times []systems.Stats // of the last steps
	load  float64         // as in Input
	pace  pace
	next  float64       // Pace of the next Input
	work  time.Duration // of the last Draw
	steps float64       // a second
	fps   float64
	count int // steps since clock
	clock time.Time
}

func newWindow(examples []Example) *window {
	return &window{examples: examples, slow: 1, scale: 1}
}

// LayoutF makes the screen as large as the window in physical pixels, so that nothing is scaled.
func (w *window) LayoutF(width, height float64) (float64, float64) {
	w.scale = ebiten.Monitor().DeviceScaleFactor()
	return width * w.scale, height * w.scale
}

// Layout is never called, because LayoutF exists.
func (w *window) Layout(int, int) (int, int) { panic("stage: LayoutF is there") }

// graphSteps is the number of steps in the graph of times.
const graphSteps = 120

// areas returns the place of the scene, which begins at 0, and that of the panel beside it, or
// below it where the canvas is higher than wide. Whole pixels leave no seam between them.
func areas(width, height, s float64) (scene, panel Rect) {
	if width >= height {
		side := math.Round(min(max(0.24*width, 184*s), 280*s))
		return Rect{0, 0, width - side, height}, Rect{width - side, 0, side, height}
	}
	low := math.Round(min(max(0.36*height, 250*s), 340*s))
	return Rect{0, 0, width, height - low}, Rect{0, height - low, width, low}
}

// Update plays one tick.
func (w *window) Update() error {
	if w.follow() {
		ebiten.SetWindowTitle(w.title())
	}
	pressed := func(keys ...ebiten.Key) bool {
		for _, k := range keys {
			if inpututil.IsKeyJustPressed(k) {
				return true
			}
		}
		return false
	}
	in := w.controls.read()
	if w.game == nil {
		if pressed(ebiten.KeyEscape) && !inBrowser {
			return ebiten.Termination
		}
		w.browse(in)
		return nil
	}
	switch {
	case pressed(ebiten.KeyEscape):
		w.leave("")
		return nil
	case pressed(ebiten.KeyPageDown):
		w.turn(1)
		return nil
	case pressed(ebiten.KeyPageUp):
		w.turn(-1)
		return nil
	case pressed(ebiten.KeyP), pressed(ebiten.KeySpace) && !w.panel.Space:
		w.paused = !w.paused
	case pressed(ebiten.KeyU):
		w.auto = !w.auto
	case pressed(ebiten.KeyR):
		w.reset()
	case pressed(ebiten.KeyL):
		w.slower()
	case pressed(ebiten.KeyF11):
		fullScreen()
	case pressed(ebiten.KeyN):
		w.single()
	}
	w.tick(in)
	return nil
}

// tick plays one tick with this input.
func (w *window) tick(in Input) {
	in.W, in.H, in.Scale = w.canvas.W, w.canvas.H, w.canvas.Scale
	game := w.game
	if w.point(&in); w.game != game {
		return // a button has opened another example, or the gallery
	}
	in.Jump = in.Jump && w.panel.Space
	in.Fingers = slices.DeleteFunc(in.Fingers, func(f Finger) bool { return f.At.X >= in.W || f.At.Y >= in.H })
	acts := in.Held || in.Move != (Pt{}) || in.Jump || in.Look != (Pt{})
	if acts || in.Switch || in.Typed != "" {
		w.auto = w.auto && in.Typed != "" && !acts && !ownKey(w.panel, in.Typed)
	}
	w.held = in.Held || w.onPanel
	w.pressed = w.pressed || in.Switch
	w.typed += in.Typed
	if !w.paused {
		w.step(in)
	}
	w.panel = w.game.Panel()
	shape := ebiten.CursorShapeDefault
	if w.panel.Pointer && !w.onPanel {
		shape = ebiten.CursorShapeCrosshair
	}
	ebiten.SetCursorShape(shape)
	if now := time.Now(); now.Sub(w.clock) > time.Second/2 {
		w.steps = float64(w.count) / now.Sub(w.clock).Seconds()
		w.fps = ebiten.ActualFPS()
		w.count, w.clock = 0, now
	}
	w.show()
}

// ownKey reports whether one of the keys belongs to a button of the example.
func ownKey(p Panel, keys string) bool {
	for _, b := range p.Buttons {
		for _, k := range []byte(keys) {
			if b.Key == k {
				return true
			}
		}
	}
	return false
}

// step advances the game by a tick: by a step, or in slow motion by a part of one.
func (w *window) step(in Input) {
	due := w.phase == 0 || w.panel.Fine
	w.phase = (w.phase + 1) % w.slow
	if !due {
		return
	}
	in.Switch, in.Typed = w.pressed, w.typed
	w.pressed, w.typed = false, ""
	in.Auto, in.Slow, in.Load, in.Pace = w.auto, w.slow, w.load, w.next
	begin := time.Now()
	w.game.Step(in)
	w.canvas.stepped()
	if w.phase == 1%w.slow { // not in every tick of a fine game
		w.count++
	}
	busy := time.Since(begin) + w.work
	w.load += (busy.Seconds()*60/float64(w.slow) - w.load) * 0.05
	w.next = 0
	if w.slow == 1 {
		w.next = w.pace.add(busy.Seconds() * 60)
	}
	var stats systems.Stats
	if p := w.game.Panel(); p.Physics != nil {
		stats = p.Physics.Stats()
		w.sound.listen(p, w.slow)
	}
	w.times = append(w.times, stats)
	if len(w.times) > graphSteps {
		w.times = append(w.times[:0], w.times[1:]...)
	}
}

// single pauses and runs one step.
func (w *window) single() {
	w.paused = true
	w.phase = 0
	w.step(Input{W: w.canvas.W, H: w.canvas.H, Scale: w.canvas.Scale})
	w.phase = 0
}

// slower chooses the next of 1, 1/2, 1/4, 1/8 and 1/16 of the speed.
func (w *window) slower() {
	if w.slow *= 2; w.slow > 16 {
		w.slow = 1
	}
	w.phase = 0
}

// reset begins the scene again.
func (w *window) reset() {
	w.phase = 0
	w.typed, w.pressed = "", false
	w.canvas.stepped()
	w.game.Reset()
}

// turn opens the example that is n after this one.
func (w *window) turn(n int) {
	w.leave(w.examples[(w.at+n+len(w.examples))%len(w.examples)].Name)
}

// Draw draws the scene and its panel, or the gallery.
func (w *window) Draw(screen *ebiten.Image) {
	begin := time.Now()
	if w.game == nil {
		w.menu.draw(w, screen)
		return
	}
	b := screen.Bounds()
	w.draw(screen, float64(b.Dx()), float64(b.Dy()), w.scale)
	w.work = time.Since(begin)
}

// draw draws the scene and its panel onto an image of this size. Without an image it only notes the
// places of texts.
func (w *window) draw(screen *ebiten.Image, width, height, scale float64) (texts []Label) {
	scene, side := areas(width, height, scale)
	full := Canvas{Image: screen, W: width, H: height, Scale: scale}
	w.canvas.Image, w.canvas.Scale, w.canvas.W, w.canvas.H = nil, scale, scene.W, scene.H
	if screen != nil {
		w.canvas.Image = screen.SubImage(image.Rect(0, 0, int(scene.W+0.5), int(scene.H+0.5))).(*ebiten.Image)
	}
	w.scene(&w.canvas)
	full.Labels = w.canvas.Labels
	full.Box(side, 0, panelBack)
	w.panel = w.game.Panel()
	w.layout(&full, side)
	for i := range w.widgets {
		w.widgets[i].draw(&full, w.widgets[i].area)
	}
	full.Flush()
	return full.Labels
}

// scene draws the scene alone.
func (w *window) scene(c *Canvas) {
	c.Labels = c.Labels[:0]
	c.Part = 1
	if w.slow > 1 && !w.panel.Fine && w.phase > 0 {
		c.Part = float64(w.phase) / float64(w.slow)
	}
	c.Fill(w.game.Background())
	w.game.Draw(c)
	c.Flush()
}

// captionHeight is the height of a picture's last line, in points.
const captionHeight = 24.0

// caption draws a picture's last line, below the scene.
func (w *window) caption(c *Canvas, area Rect) {
	c.Box(area, 0, panelBack)
	middle := Pt{area.X + area.W/2, area.Y + area.H/2}
	c.fit(w.game.Caption(), middle, 14, area.W-20*c.Scale, Regular, Center, panelText)
}
