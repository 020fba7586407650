package stage

import (
	"bytes"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/gif"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A viewer of the GIF sees the frames as they were, as long as they have few colours.
func TestGIFShowsWhatWasDrawn(t *testing.T) {
	const w, h, frames, delay = 40, 30, 30, 2
	paint := func(n int) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		imagedraw.Draw(img, img.Rect, image.NewUniform(color.RGBA{20, 115, 90, 255}), image.Point{}, imagedraw.Src)
		at := image.Pt(n, n/2)
		if n >= 25 {
			at = image.Pt(25, 12) // it rests: these frames show nothing new
		}
		ball := color.RGBA{uint8(80 + 8*(n%5)), 40, 200, 255} // comes late, and yet has its own colour
		if n < 25 {
			ball = color.RGBA{240, 180, 30, 255}
		} else {
			ball.R = 80
		}
		imagedraw.Draw(
			img, image.Rectangle{at, at.Add(image.Pt(6, 6))}, image.NewUniform(ball), image.Point{}, imagedraw.Src,
		)
		return img
	}
	var a animation
	a.delay = delay
	for n := range frames {
		a.add(paint(n))
	}
	var buf bytes.Buffer
	if err := gif.EncodeAll(&buf, a.encode()); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&buf)
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, w, h))
	total := 0
	for n, f := range g.Image {
		imagedraw.Draw(screen, f.Rect, f, f.Rect.Min, imagedraw.Over)
		if want := paint(n); !bytes.Equal(screen.Pix, want.Pix) {
			t.Fatalf("frame %d differs from what was drawn", n)
		}
		if n > 0 && f.Rect.Dx()*f.Rect.Dy() > 20*20 {
			t.Errorf("frame %d holds %v, much more than what changed", n, f.Rect)
		}
		total += g.Delay[n]
	}
	if len(g.Image) != 26 || total != frames*delay*100/60 {
		t.Errorf("%d frames in %d hundredths of a second, want 26 in %d", len(g.Image), total, frames*delay*100/60)
	}
}

// A picture of many colours keeps to 256 and stays close to what it was.
func TestPaletteIsClose(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 128, 128))
	for y := range 128 {
		for x := range 128 {
			img.SetRGBA(x, y, color.RGBA{uint8(2 * x), uint8(2 * y), uint8(x + y), 255})
		}
	}
	var a animation
	a.delay = 1
	a.add(img)
	g := a.encode()
	if n := len(g.Image[0].Palette); n > 256 {
		t.Fatalf("%d colours", n)
	}
	worst := 0
	for y := range 128 {
		for x := range 128 {
			got := color.RGBAModel.Convert(g.Image[0].At(x, y)).(color.RGBA)
			want := img.RGBAAt(x, y)
			for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
				worst = max(worst, d, -d)
			}
		}
	}
	if worst > 24 {
		t.Errorf("a colour is %d levels off", worst)
	}
}

func TestCameraGoesBothWays(t *testing.T) {
	box := collide.AABB{Min: collide.Vec3{X: -3, Y: -1}, Max: collide.Vec3{X: 5, Y: 4}}
	area := Rect{10, 20, 800, 300}
	c := Fit(box, area)
	for _, v := range []collide.Vec3{box.Min, box.Max, {X: 1.5, Y: 0.25}} {
		p := c.At(v)
		if p.X < area.X-1e-9 || p.X > area.X+area.W+1e-9 || p.Y < area.Y-1e-9 || p.Y > area.Y+area.H+1e-9 {
			t.Errorf("%v is shown at %v, outside of %v", v, p, area)
		}
		if d := c.World(p).Distance(v); d > 1e-12 {
			t.Errorf("%v comes back %g m off", v, d)
		}
	}
	turned := FitTurned(box, area)
	for _, v := range []collide.Vec3{box.Min, box.Max, {X: 1.5, Y: 0.25}} {
		p := turned.At(v)
		if p.X < area.X-1e-9 || p.X > area.X+area.W+1e-9 || p.Y < area.Y-1e-9 || p.Y > area.Y+area.H+1e-9 {
			t.Errorf("turned, %v is shown at %v, outside of %v", v, p, area)
		}
		if d := turned.World(p).Distance(v); d > 1e-12 {
			t.Errorf("turned, %v comes back %g m off", v, d)
		}
	}
	if h := c.At(box.Min).Y - c.At(box.Max).Y; math.Abs(h-area.H) > 1e-9 {
		t.Errorf("the box is %g pixels high, want all %g", h, area.H)
	}
}

// board is a game with nothing but a panel.
type board struct {
	speed, count   float64
	resets, steps  int
	typed          string
	held, wasMoved bool
	switched       bool
	fine           bool
}

func (b *board) Reset() { b.resets++ }
func (b *board) Step(in Input) {
	b.steps++
	b.typed += in.Typed
	b.held = in.Held
	b.switched = b.switched || in.Switch
	b.wasMoved = b.wasMoved || in.Move != (Pt{})
}
func (b *board) Draw(*Canvas)            {}
func (b *board) Background() color.NRGBA { return RGB(0) }
func (b *board) Summary() string         { return "" }
func (b *board) Caption() string         { return "" }
func (b *board) Panel() Panel {
	return Panel{
		Buttons: []Button{{Key: 'F', Label: "fill"}, {Key: 'G', Label: "gaps"}},
		Sliders: []Slider{
			{Name: "pace", Value: &b.speed, Min: 0, Max: 10, Step: 0.5, Unit: "m/s"},
			{Name: "count", Value: &b.count, Min: 10, Max: 1000, Step: 10, Log: true, Restart: true},
		},
		Fine: b.fine,
	}
}

// boardWindow is a window that plays a board.
func boardWindow(b *board, settings string) *window {
	w := newWindow([]Example{{Name: "pile", New: func(uint64) Game { return b }}})
	w.open("pile", settings)
	w.draw(nil, 1280, 800, 1)
	w.tick(Input{}) // nothing is pressed
	return w
}

// middle returns the middle of the widget that shows this text.
func middle(t *testing.T, w *window, text string) Pt {
	t.Helper()
	for _, l := range w.draw(nil, 1280, 800, 1) {
		if strings.Contains(l.Text, text) {
			for _, wid := range w.widgets {
				if wid.area.Has(Pt{l.Area.X, l.Area.Y}) {
					return Pt{wid.area.X + wid.area.W/2, wid.area.Y + wid.area.H/2}
				}
			}
		}
	}
	t.Fatalf("nothing shows %q", text)
	return Pt{}
}

// A button of the panel answers once to each touch, and the scene doesn't see what was pressed on
// the panel.
func TestButtonsAnswerOnce(t *testing.T) {
	b := &board{count: 10}
	w := boardWindow(b, "")
	at := middle(t, w, "gaps")
	for range 3 {
		w.tick(Input{Pointer: at, Held: true})
	}
	w.tick(Input{Pointer: Pt{100, 100}, Held: true}) // dragged into the scene
	if b.typed != "G" || b.held {
		t.Errorf("typed %q, the scene's pointer held: %v; want G and false", b.typed, b.held)
	}
	w.tick(Input{Pointer: at})
	w.tick(Input{Pointer: at, Held: true})
	if b.typed != "GG" {
		t.Errorf("typed %q, want GG", b.typed)
	}
	w.tick(Input{Pointer: Pt{100, 100}})
	w.tick(Input{Pointer: Pt{100, 100}, Held: true})
	if !b.held {
		t.Error("the scene doesn't see its own pointer")
	}
	w.tick(Input{Pointer: at, Held: true}) // dragged onto the panel
	if b.typed != "GG" || !b.held {
		t.Errorf("typed %q, held %v; want GG and true", b.typed, b.held)
	}
}

// pairWindow is a window with two examples, of which the first is open, and nothing is pressed.
func pairWindow(first, second *board) *window {
	w := newWindow([]Example{
		{Name: "pile", New: func(uint64) Game { return first }},
		{Name: "gas", New: func(uint64) Game { return second }},
	})
	w.open("pile", "")
	w.draw(nil, 1280, 800, 1)
	w.tick(Input{})
	return w
}

// The button "gallery" ended the desktop program: the tick went on without an example. The press
// must not choose a card of the gallery either.
func TestTheGalleryButtonShowsTheGallery(t *testing.T) {
	w := pairWindow(&board{count: 10}, &board{count: 10})
	w.tick(Input{Pointer: middle(t, w, "gallery"), Held: true})
	if w.game != nil {
		t.Fatal("the example is still there")
	}
	w.menu.arrange(2, 1280, 800, 1)
	card := w.menu.cards[1]
	at := Input{Pointer: Pt{card.X + card.W/2, card.Y + card.H/2}}
	held := at
	held.Held = true
	for range 3 {
		w.browse(held)
	}
	if w.game != nil {
		t.Fatal("the press on the button has chosen a card, too")
	}
	w.browse(at)
	if w.browse(held); w.game == nil || w.at != 1 {
		t.Error("a press on a card opens nothing")
	}
}

// A click on "next" takes several ticks. It went on to the example after the next one in a browser,
// where the address opens examples a little later, and on the desktop the next scene saw it.
func TestAClickOnNextOpensOneExample(t *testing.T) {
	for _, late := range []bool{false, true} {
		first, second := &board{count: 10}, &board{count: 10}
		w := pairWindow(first, second)
		name := "next"
		if late {
			name = "gaps" // a button that doesn't open anything by itself
		}
		press := Input{Pointer: middle(t, w, name), Held: true}
		w.tick(press)
		if late {
			w.open("gas", "")
		}
		if w.at != 1 {
			t.Fatalf("example %d is open, want 1", w.at)
		}
		for i := range 4 {
			w.tick(press)
			if i == 1 {
				w.draw(nil, 1280, 800, 1)
			}
		}
		w.tick(Input{Pointer: Pt{100, 100}, Held: true}) // dragged into the scene
		if w.at != 1 || second.held || second.typed != "" || !w.auto {
			t.Errorf("late %v: example %d, its pointer held: %v, typed %q, autoplay %v; want 1, false, nothing, true",
				late, w.at, second.held, second.typed, w.auto)
		}
		w.tick(Input{Pointer: Pt{100, 100}})
		if w.tick(Input{Pointer: Pt{100, 100}, Held: true}); !second.held {
			t.Errorf("late %v: the next press counts for nothing", late)
		}
	}
}

// Keys that were pressed during a pause went to the next example, or to the scene that began again.
func TestKeysOfAPauseDontReachTheNextScene(t *testing.T) {
	for _, next := range []func(w *window){func(w *window) { w.open("pile", "") }, (*window).reset} {
		b := &board{count: 10}
		w := boardWindow(b, "")
		w.paused = true
		w.tick(Input{Typed: "F", Switch: true})
		next(w)
		w.paused = false
		if w.tick(Input{}); b.typed != "" || b.switched {
			t.Errorf("the new scene gets %q and a switch: %v", b.typed, b.switched)
		}
	}
}

// Not a number passed every comparison with the range of a slider, and made scenes panic.
func TestSlidersRefuseNotANumber(t *testing.T) {
	b := &board{speed: 1, count: 10}
	w := boardWindow(b, "pace=NaN&count=nan")
	if b.speed != 1 || b.count != 10 || w.settings() != "" {
		t.Errorf("speed %g, count %g, settings %q", b.speed, b.count, w.settings())
	}
	w.game.Panel().Sliders[0].Set(math.NaN())
	if b.speed != 1 {
		t.Errorf("Set makes it %g", b.speed)
	}
}

// A slider follows the pointer to both ends and beyond, in its steps. One that needs it begins the
// scene again.
func TestSlidersFollowThePointer(t *testing.T) {
	b := &board{count: 10}
	w := boardWindow(b, "")
	drag := func(name string, to float64) {
		at := middle(t, w, name)
		w.tick(Input{Pointer: at, Held: true})
		for _, wid := range w.widgets {
			if wid.area.Has(at) {
				w.tick(Input{Pointer: Pt{wid.area.X + to*wid.area.W, at.Y + 90}, Held: true})
			}
		}
		w.tick(Input{Pointer: at})
	}
	for _, c := range []struct{ to, want float64 }{{0.33, 3.5}, {1.5, 10}, {-1, 0}} {
		if drag("pace", c.to); b.speed != c.want {
			t.Errorf("dragged to %g: speed %g, want %g", c.to, b.speed, c.want)
		}
	}
	if before := b.resets; before != 1 {
		t.Errorf("%d resets by a slider that needs none", before-1)
	}
	if drag("count", 0.5); b.count != 100 || b.resets < 2 {
		t.Errorf("count %g, want 100, half way between 10 and 1000; %d resets", b.count, b.resets)
	}
}

// The address has what differs, and brings it back.
func TestSettingsComeBack(t *testing.T) {
	b := &board{speed: 1, count: 10}
	w := boardWindow(b, "")
	if got := w.settings(); got != "" {
		t.Errorf("a new scene has the settings %q", got)
	}
	b2 := &board{speed: 1, count: 10}
	w = boardWindow(b2, "seed=7&pace=2.5&nonsense=3&count=x")
	if got := w.settings(); got != "seed=7&pace=2.5" || b2.speed != 2.5 || w.seed != 7 {
		t.Errorf("settings %q, speed %g, seed %d", got, b2.speed, w.seed)
	}
}

// A misspelled slider on the command line was ignored.
func TestUnknownSettingsAreErrors(t *testing.T) {
	w := boardWindow(&board{speed: 1, count: 10}, "")
	for settings, ok := range map[string]bool{
		"": true, "seed=7&pace=2.5": true, "sed=7": false, "pace=fast": false, "pace": false,
		"pace=NaN": false, "pace=-inf": false, "pace=1e999": false, "seed=nan": false,
		"seed=1.5": false, "seed=-3": false, "seed=18446744073709551616": false, "seed=18446744073709551615": true,
	} {
		if err := w.checkSettings(settings); (err == nil) != ok {
			t.Errorf("%q: %v", settings, err)
		}
	}
}

// Slow motion takes 1, 2, 4, 8 or 16 ticks for a step and forgets no key; pausing stops, and a
// single step goes on by one.
func TestSlowMotion(t *testing.T) {
	b := &board{count: 10}
	w := boardWindow(b, "")
	for _, ticks := range []int{1, 2, 4, 8, 16} {
		if w.slow != ticks {
			t.Fatalf("a step takes %d ticks, want %d", w.slow, ticks)
		}
		before := b.steps
		for i := range 32 {
			w.tick(Input{})
			want := float64(i%ticks+1) / float64(ticks)
			w.draw(nil, 1280, 800, 1)
			if w.canvas.Part != want {
				t.Fatalf("1/%d, tick %d: draws %g of the step, want %g", ticks, i, w.canvas.Part, want)
			}
		}
		if got := b.steps - before; got != 32/ticks {
			t.Errorf("1/%d: %d steps in 32 ticks", ticks, got)
		}
		w.slower()
	}
	w.slow = 8
	w.tick(Input{})
	w.tick(Input{Typed: "F"})
	for range 8 {
		w.tick(Input{})
	}
	if b.typed != "F" {
		t.Errorf("typed between steps: %q, want F", b.typed)
	}
	w.paused = true
	before := b.steps
	for range 20 {
		w.tick(Input{})
	}
	w.single()
	w.single()
	if b.steps != before+2 {
		t.Errorf("%d steps while paused, want 2 single ones", b.steps-before)
	}
	b.fine, w.paused = true, false
	w.tick(Input{})
	before = b.steps
	for range 16 {
		w.tick(Input{})
	}
	if b.steps != before+16 {
		t.Errorf("a fine game got %d of 16 ticks", b.steps-before)
	}
}

// The panel is beside the scene or below it, and has room for both at every size.
func TestThePanelIsBesideTheScene(t *testing.T) {
	for _, size := range []Pt{{1280, 800}, {640, 360}, {400, 800}, {800, 400}, {320, 240}, {3840, 2160}} {
		for _, s := range []float64{1, 2} {
			w, h := size.X*s, size.Y*s
			scene, side := areas(w, h, s)
			if scene.W*scene.H+side.W*side.H != w*h || scene.X+scene.W > side.X && scene.Y+scene.H > side.Y {
				t.Errorf("%v: scene %v and panel %v", size, scene, side)
			}
			if scene.W < 130*s || scene.H < 140*s || side.W < 180*s {
				t.Errorf("%v: scene %v or panel %v is too small", size, scene, side)
			}
		}
	}
}

// A body is drawn on its path, which goes to the wall and back, and not on the straight line to its
// end. It goes where the hand drags it, and flies on when it is released.
func TestPoseAndHand(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{})
	components.CreatePlane(w, collide.Vec3{X: 1}, collide.Vec3{X: -1})
	ball := components.CreateBall(w, collide.Vec3{X: 0}, 0.25)
	components.Material.Get(ball).Restitution = 1
	components.Velocity.Get(ball).Linear = collide.Vec3{X: 60} // a metre in a step, of which 0.75 are free
	p.Step(w)
	for _, part := range []float64{0.25, 0.5, 0.75, 0.875, 1} {
		c := &Canvas{Part: part}
		want := part
		if want > 0.75 {
			want = 1.5 - want
		}
		if got := c.Pose(p, ball).Position.X; math.Abs(got-want) > 1e-9 {
			t.Errorf("after %g of the step the ball is drawn at %g, want %g", part, got, want)
		}
	}
	var hand Hand
	components.Velocity.Get(ball).Linear = collide.Vec3{}
	to := collide.Vec3{X: -3, Y: 2}
	at := components.Transform.Get(ball).Position.Add(collide.Vec3{X: 0.1})
	hand.Drag(p, w, collide.Vec3{X: 0.2, Y: 5}, 0.1, true)
	hand.Drag(p, w, at, 0.1, true) // pressed elsewhere before: nothing is held
	p.Step(w)
	if v := components.Velocity.Get(ball).Linear; v != (collide.Vec3{}) {
		t.Errorf("a pointer that was pressed elsewhere moves the ball at %v", v)
	}
	hand.Drag(p, w, at, 0.1, false)
	hand.Drag(p, w, at, 0.1, true)
	for range 120 {
		hand.Drag(p, w, to, 0.1, true)
		p.Step(w)
	}
	if got := components.Transform.Get(ball).Position; got.Distance(to) > 0.11 {
		t.Errorf("dragged to %v, the ball is at %v", to, got)
	}
	hand.Drag(p, w, to.Add(collide.Vec3{Y: 1}), 0.1, true)
	hand.Drag(p, w, to.Add(collide.Vec3{Y: 1}), 0.1, false)
	p.Step(w)
	if v := components.Velocity.Get(ball).Linear; v.Y < 5 {
		t.Errorf("thrown up, the ball flies at %v", v)
	}
}

// The number of bodies settles where ticks take three quarters of their time, from far below and
// above, whether a tick's time grows with the number or faster, and though other programs delay one
// tick in ten. It doesn't swing.
func TestTheNumberOfBodiesSettles(t *testing.T) {
	for _, power := range []float64{1, 1.5} {
		for _, start := range []int{100, 1000, 20000} {
			var p pace
			n, random := start, rand.New(rand.NewPCG(1, 2))
			changes, last := 0, 0
			for tick := range 3000 {
				load := 0.75 * math.Pow(float64(n)/2000, power) * (0.95 + 0.1*random.Float64())
				if random.IntN(10) == 0 {
					load += 3
				}
				if next := (Input{Pace: p.add(load)}).Adapt(n, 100, 50000); next != n {
					n = next
					changes++
					last = tick
				}
			}
			if n < 1500 || n > 2500 || changes > 14 || last > 1600 {
				t.Errorf("from %d bodies, power %g: %d bodies after %d changes, the last in tick %d; want about 2000",
					start, power, n, changes, last)
			}
		}
	}
	if got := (Input{}).Adapt(500, 1000, 2000); got != 500 {
		t.Errorf("an unattended run has %d bodies, want its 500", got)
	}
	var p pace
	for range 20 {
		if p.add(20) != 0 {
			return
		}
	}
	t.Error("with ticks of a third of a second nothing is done within 7 s")
}

// A looped animation has no frame of the beginning that it fades into, and its last frame is nearly
// the first.
func TestLoopFades(t *testing.T) {
	var a animation
	a.delay = 3
	for i := range 20 {
		img := image.NewRGBA(image.Rect(0, 0, 4, 4))
		red := image.NewUniform(color.RGBA{uint8(10 * i), 0, 0, 255})
		imagedraw.Draw(img, img.Rect, red, image.Point{}, imagedraw.Src)
		a.add(img)
	}
	a.loop(4)
	if len(a.frames) != 16 {
		t.Fatalf("%d frames, want 16", len(a.frames))
	}
	if last := a.last[0]; last < 30 || last > 70 { // frame 3 is 30, and the original end 190
		t.Errorf("the last frame is %d, want nearly 30", last)
	}
}

// Dashes go on around the corners of a path, and come to an end whatever their lengths.
func TestDashedPath(t *testing.T) {
	for _, on := range []float64{0.1, 1, 3.3, 1000} {
		var c Canvas
		c.DashedPath([]Pt{{0, 0}, {10, 0}, {10, 0}, {10, 10.1}}, 1, on, 2, color.NRGBA{A: 255})
		dashes := len(c.indices) / 6
		least := int(20.1 / (on + 2))
		if dashes < least || dashes > least+3 {
			t.Errorf("%d dashes of %g, want about %d", dashes, on, least)
		}
	}
}

// A lens for something that is shown tilted and shifted shows its points where they are seen.
func TestLensInATiltedFrame(t *testing.T) {
	corners := []collide.Vec3{{X: -1, Y: -1}, {X: 1, Y: 1}}
	l := NewLens(collide.Vec3{Y: 0.2}, 4, 0.3, 0.5, corners, Rect{X: 10, W: 300, H: 200})
	turn := collide.RotationAround(collide.Vec3{X: 1, Z: 0.5}, 0.4)
	about, shift := collide.Vec3{Y: 0.5}, collide.Vec3{X: 0.1, Z: -0.2}
	v := collide.Vec3{X: 0.3, Y: 0.6, Z: -0.7}
	want, wantScale := l.At(turn.Rotate(v.Add(shift).Sub(about)).Add(about))
	got, gotScale := l.In(turn, about, shift).At(v)
	if math.Hypot(got.X-want.X, got.Y-want.Y) > 1e-9 || math.Abs(gotScale-wantScale) > 1e-9 {
		t.Errorf("a point is seen at %v, scale %g, and not at %v, scale %g", got, gotScale, want, wantScale)
	}
}
