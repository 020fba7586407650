package stage

import (
	"errors"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// Game is an example: a scene and its drawing.
type Game interface {
	Reset()                      // starts the scene again; also called at the beginning
	Step(in Input)               // plays one tick of 1/60 s
	Draw(c *Canvas, area Rect)   // draws the scene, its important parts inside of area
	Title() string               // title of the window
	Help() string                // the example's own keys, in one line; for the help line
	Stats() []string             // the lines of the stats overlay
	Summary() string             // text that an unattended run prints at its end
	Caption() string             // last line of its pictures, in place of the help line
	Background() color.NRGBA     // colour of the background
	Foreground() color.NRGBA     // colour of text
	PointerUsed(in Input) bool   // whether the pointer is over something that it can act on
	AreaAt(w, h, s float64) Rect // Draw's area on a canvas of that size
}

// options are the flags that every example has.
type options struct {
	ticks    int
	png, gif string
	w, h     int
	every    int
	gifWidth int
}

// Run parses the flags and plays game in a window, or unattended with -ticks, -png or -gif. It ends
// the program after an error.
func Run(game Game) {
	var o options
	size := "1280x800"
	flag.IntVar(&o.ticks, "ticks", 0, "play this many ticks unattended, print a summary and end")
	flag.StringVar(&o.png, "png", "", "write the last tick of an unattended run to this `file`")
	flag.StringVar(&o.gif, "gif", "", "write an unattended run to this `file`")
	flag.StringVar(&size, "size", size, "size of the window and of the PNG, `WxH` in pixels")
	flag.IntVar(&o.every, "every", 3, "ticks from one frame of the GIF to the next; 3 makes 20 frames a second")
	flag.IntVar(&o.gifWidth, "gifwidth", 640, "width of the GIF in pixels")
	flag.Parse()
	if _, err := fmt.Sscanf(size, "%dx%d", &o.w, &o.h); err != nil || o.w < 64 || o.h < 64 || o.w > 8192 || o.h > 8192 {
		fail(fmt.Errorf("-size %q is not like 1280x800", size))
	}
	if o.ticks < 0 || o.every < 1 || o.gifWidth < 64 || o.gifWidth > 4096 {
		fail(errors.New("-ticks, -every or -gifwidth is out of range"))
	}
	game.Reset()
	if o.ticks == 0 && o.png+o.gif != "" {
		o.ticks = 600
	}
	if o.ticks > 0 && o.png+o.gif == "" {
		fmt.Println(unseen(game, o.ticks)) // needs no window
		return
	}
	if noDisplay() {
		fail(withoutDisplay(game, o))
		return
	}

	ebiten.SetWindowTitle(game.Title())
	ebiten.SetWindowSize(o.w, o.h)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(320, 240, -1, -1)
	ebiten.SetScreenClearedEveryFrame(false)
	var err error
	if o.ticks > 0 {
		ebiten.SetTPS(ebiten.SyncWithFPS)
		ebiten.SetVsyncEnabled(false)
		ebiten.SetRunnableOnUnfocused(true)
		r := newRecording(game, o)
		if err = ebiten.RunGameWithOptions(r, runOptions(game)); err == nil {
			err = r.err
		}
	} else {
		err = ebiten.RunGameWithOptions(&window{game: game}, runOptions(game))
	}
	fail(err)
}

func runOptions(game Game) *ebiten.RunGameOptions {
	name := programName()
	return &ebiten.RunGameOptions{X11ClassName: "dango", X11InstanceName: name}
}

func programName() string {
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// fail ends the program with err, if there is one.
func fail(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", programName(), err)
		os.Exit(1)
	}
}

// unseen plays n ticks without drawing, and returns the summary.
func unseen(game Game, n int) string {
	for range n {
		game.Step(Input{Auto: true})
	}
	return game.Summary()
}

// window is a game that a person plays.
type window struct {
	game     Game
	controls controls
	canvas   Canvas
	paused   bool
	auto     bool
	stats    bool
	switched bool   // Switch was pressed while paused
	typed    string // keys typed while paused
	scale    float64
}

// LayoutF makes the screen as large as the window in physical pixels, so that nothing is scaled.
func (w *window) LayoutF(width, height float64) (float64, float64) {
	w.scale = ebiten.Monitor().DeviceScaleFactor()
	return width * w.scale, height * w.scale
}

// Layout is never called, because LayoutF exists.
func (w *window) Layout(int, int) (int, int) { panic("stage: LayoutF is there") }

// Update plays one tick.
func (w *window) Update() error {
	pressed := func(keys ...ebiten.Key) bool {
		for _, k := range keys {
			if inpututil.IsKeyJustPressed(k) {
				return true
			}
		}
		return false
	}
	if pressed(ebiten.KeyEscape) && runtime.GOOS != "js" {
		return ebiten.Termination
	}
	if pressed(ebiten.KeyP, ebiten.KeySpace) {
		w.paused = !w.paused
	}
	if pressed(ebiten.KeyTab, ebiten.KeyF1) {
		w.stats = !w.stats
	}
	if pressed(ebiten.KeyU) {
		w.auto = !w.auto
	}
	if pressed(ebiten.KeyR) {
		w.game.Reset()
	}
	in := w.controls.read()
	in.W, in.H, in.Scale = w.canvas.W, w.canvas.H, w.canvas.Scale
	in.Auto = w.auto
	in.Switch = in.Switch || w.switched
	in.Typed = w.typed + in.Typed
	w.switched, w.typed = in.Switch, in.Typed
	single := pressed(ebiten.KeyN)
	if single {
		w.paused = true
	}
	if single || !w.paused {
		w.switched, w.typed = false, ""
		w.game.Step(in)
	}
	shape := ebiten.CursorShapeDefault
	if w.game.PointerUsed(in) {
		shape = ebiten.CursorShapeCrosshair
	}
	ebiten.SetCursorShape(shape)
	return nil
}

// Draw draws the scene, the help line, and the stats if they are on.
func (w *window) Draw(screen *ebiten.Image) {
	b := screen.Bounds()
	w.canvas.Image, w.canvas.Scale = screen, w.scale
	w.canvas.W, w.canvas.H = float64(b.Dx()), float64(b.Dy())
	draw(&w.canvas, w.game)
	help(&w.canvas, w.game)
	if w.paused {
		notice(&w.canvas, w.game, "paused: N steps, P goes on")
	} else if w.auto {
		notice(&w.canvas, w.game, "playing by itself: U hands over")
	}
	if w.stats {
		lines := append(
			w.game.Stats(), fmt.Sprintf("frames  %.0f/s, ticks %.0f/s", ebiten.ActualFPS(), ebiten.ActualTPS()),
		)
		overlay(&w.canvas, w.game, lines)
	}
	w.canvas.Flush()
}

// draw shows the scene alone.
func draw(c *Canvas, game Game) {
	c.Image.Fill(game.Background())
	game.Draw(c, game.AreaAt(c.W, c.H, c.Scale))
}

// keysHelp returns the keys that all examples have. In a browser no key quits.
func keysHelp() string {
	const keys = "P pause   N step   R reset   Tab stats   U auto"
	if runtime.GOOS == "js" {
		return keys
	}
	return keys + "   Esc quit"
}

// help draws the help line at the bottom, in two lines if it is too long for one.
func help(c *Canvas, game Game) {
	col := Alpha(game.Foreground(), 0.72)
	own, y := game.Help(), c.H-15*c.Scale
	size := 13.0
	if both := own + "   " + keysHelp(); c.TextWidth(both, size, Regular) < c.W-24*c.Scale {
		c.Text(both, Pt{c.W / 2, y}, size, Regular, Center, col)
		return
	}
	for _, line := range []string{keysHelp(), own} {
		fit := min(size, size*(c.W-16*c.Scale)/c.TextWidth(line, size, Regular))
		c.Text(line, Pt{c.W / 2, y}, fit, Regular, Center, col)
		y -= 17 * c.Scale
	}
}

// notice draws a short message at the top.
func notice(c *Canvas, game Game, s string) {
	w := c.TextWidth(s, 14, Bold) + 28*c.Scale
	r := Rect{(c.W - w) / 2, 10 * c.Scale, w, 28 * c.Scale}
	c.Box(r, 14*c.Scale, RGB(0xf2c14e))
	c.Text(s, Pt{c.W / 2, r.Y + r.H/2}, 14, Bold, Center, RGB(0x22272e))
}

// caption draws a picture's last line.
func caption(c *Canvas, game Game) {
	c.Text(game.Caption(), Pt{c.W / 2, c.H - 15*c.Scale}, 14, Regular, Center, Alpha(game.Foreground(), 0.72))
}

// Small formats a small number, such as 1.5e-14, and 0 as "0".
func Small(x float64) string {
	if x == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1e", x)
}

// overlay draws the stats at the bottom left, names in one column and values in another.
func overlay(c *Canvas, game Game, lines []string) {
	s := c.Scale
	left, right := 0.0, 0.0
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "  ")
		left = max(left, c.TextWidth(name, 13, Regular))
		right = max(right, c.TextWidth(strings.TrimSpace(value), 13, Bold))
	}
	h := float64(len(lines))*19*s + 16*s
	r := Rect{12 * s, c.H - 44*s - h, left + right + 40*s, h}
	c.Box(r, 8*s, color.NRGBA{16, 20, 26, 225})
	c.Frame(r, 8*s, s, color.NRGBA{255, 255, 255, 40})
	for i, line := range lines {
		name, value, _ := strings.Cut(line, "  ")
		y := r.Y + 17.5*s + float64(i)*19*s
		c.Text(name, Pt{r.X + 12*s, y}, 13, Regular, Left, RGB(0xaab4c0))
		c.Text(strings.TrimSpace(value), Pt{r.X + left + 28*s, y}, 13, Bold, Left, RGB(0xf4f7fa))
	}
}
