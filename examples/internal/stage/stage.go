package stage

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/examples/internal/catalog"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Example is an entry of the gallery.
type Example struct {
	Name string                 // as in package catalog
	New  func(seed uint64) Game // Reset is called before anything else
}

// Game is a scene and its drawing.
type Game interface {
	Reset()                  // starts the scene again, with the values of the sliders
	Step(in Input)           // plays one tick of 1/60 s
	Draw(c *Canvas)          // fills the canvas
	Panel() Panel            // what is beside the scene; asked for in every frame
	Background() color.NRGBA // colour of the background; texts on it are pale
	Summary() string         // text that an unattended run prints at its end
	Caption() string         // last line of its pictures
}

// Panel is what an example shows beside its scene, besides the rows that all have.
type Panel struct {
	Buttons []Button
	Sliders []Slider
	Lines   []string         // values: a name, two spaces, a value
	Hint    string           // what the pointer and the keys do
	Physics *systems.Physics // whose times and impacts are shown and heard; may be nil
	World   donburi.World    // of Physics
	Impacts []systems.Impact // of the last tick, if that has several steps; else those of Physics are heard
	Fine    bool             // a tick has many steps: slow motion calls Step in every tick, with Input.Slow
	Space   bool             // the space bar is the example's, and doesn't pause
	Pointer bool             // the pointer is over something that it can act on
}

// Slider changes a value.
type Slider struct {
	Name     string // in the address, and beside the slider
	Value    *float64
	Min, Max float64
	Step     float64 // values are multiples of it, from Min on
	Unit     string
	Log      bool // equal ways are equal factors; Min > 0
	Restart  bool // a new value begins a new scene
}

// Set sets the value, rounded to a step and within its range. What is not a number changes nothing.
func (s Slider) Set(x float64) {
	if math.IsNaN(x) {
		return
	}
	*s.Value = min(s.Min+s.Step*float64(int((min(max(x, s.Min), s.Max)-s.Min)/s.Step+0.5)), s.Max)
}

// Small formats a small number, such as 1.5e-14, and 0 as "0".
func Small(x float64) string {
	if x == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1e", x)
}

// Count formats a count with separators, such as 12,345.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// title returns the title of the window.
func (w *window) title() string {
	if w.game == nil {
		return "dango: gallery"
	}
	return "dango: " + w.entry().Title
}

// entry describes the running example.
func (w *window) entry() catalog.Entry { return w.entryOf(w.examples[w.at].Name) }

func (w *window) entryOf(name string) catalog.Entry {
	e, _ := catalog.Find(name)
	return e
}

// Probe finds the texts that an example shows, for tests.
type Probe struct{ w *window }

// NewProbe plays some ticks of an example unattended. An empty name stands for the gallery.
func NewProbe(examples []Example, name string, ticks int) Probe {
	w := newWindow(examples)
	w.open(name, "")
	for range ticks {
		w.game.Step(Input{Auto: true})
	}
	w.fps, w.steps = 60, 60
	return Probe{w}
}

// Texts returns the texts of the example and of a page of its panel in a window of this size, and
// the number of pages.
func (p Probe) Texts(page int, width, height, scale float64) (texts []Label, pages int) {
	if p.w.game == nil {
		c := &Canvas{W: width, H: height, Scale: scale}
		p.w.menu.drawCards(p.w, c)
		return c.Labels, 1
	}
	p.w.page = page
	return p.w.draw(nil, width, height, scale), p.w.pages
}

// Peak plays some ticks unattended, with the sound on, and returns the largest sample, 0 to 1.
func (p Probe) Peak(ticks int) (peak float64) {
	p.w.sound.on = true
	samples := make([]byte, 4*sampleRate/60)
	for range ticks {
		p.w.step(Input{})
		_, _ = p.w.sound.mixer.Read(samples) // it has no error
		for at := 0; at < len(samples); at += 4 {
			sample := math.Float32frombits(binary.LittleEndian.Uint32(samples[at:]))
			peak = max(peak, math.Abs(float64(sample)))
		}
	}
	return peak
}

// open starts an example, or shows the gallery if name is empty. Settings are as in the address:
// seed=7&gravity=4.9. The result is false if there is no such example.
func (w *window) open(name, settings string) bool {
	at := -1
	for i, e := range w.examples {
		if e.Name == name {
			at = i
		}
	}
	// What was pressed before counts for nothing, and the pointer only when it is pressed again.
	w.typed, w.pressed = "", false
	w.held, w.onPanel, w.drag, w.menu.held = true, true, -1, true
	if at < 0 {
		w.game = nil
		return name == ""
	}
	w.at = at
	w.seed = w.entry().Seed
	values := map[string]float64{}
	for pair := range strings.SplitSeq(settings, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if n, err := strconv.ParseUint(value, 10, 64); err == nil && key == "seed" {
			w.seed = n
		}
		if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(x) {
			values[key] = x
		}
	}
	w.game = w.examples[at].New(w.seed)
	w.game.Reset()
	w.initial = map[string]float64{}
	set := false
	for _, s := range w.game.Panel().Sliders {
		w.initial[s.Name] = *s.Value
		if x, ok := values[s.Name]; ok {
			s.Set(x)
			set = true
		}
	}
	if set {
		w.game.Reset()
	}
	w.canvas = Canvas{}
	w.paused, w.auto, w.slow, w.phase, w.page = false, true, 1, 0, 0
	w.panel, w.widgets = w.game.Panel(), nil
	w.times = w.times[:0]
	w.load, w.pace, w.next = 0, pace{}, 0
	return true
}

// checkSettings returns an error if settings, as in open, name something that the example which is
// open doesn't have, or have a value that is no finite number, or for the seed no whole number.
func (w *window) checkSettings(settings string) error {
	if w.game == nil || settings == "" {
		return nil
	}
	names := []string{"seed"}
	for _, s := range w.game.Panel().Sliders {
		names = append(names, s.Name)
	}
	for pair := range strings.SplitSeq(settings, "&") {
		key, value, _ := strings.Cut(pair, "=")
		if !slices.Contains(names, key) {
			return fmt.Errorf("there is no slider %q; there are %s", key, strings.Join(names, ", "))
		}
		if _, err := strconv.ParseUint(value, 10, 64); key == "seed" && err != nil {
			return fmt.Errorf("the seed is %q, and not a whole number from 0 to %d", value, uint64(math.MaxUint64))
		}
		if x, err := strconv.ParseFloat(value, 64); err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("the value of %s is %q, and not a finite number", key, value)
		}
	}
	return nil
}

// settings returns what in the address differs from the initial values.
func (w *window) settings() string {
	parts := []string{}
	if w.seed != w.entry().Seed {
		parts = append(parts, "seed="+strconv.FormatUint(w.seed, 10))
	}
	for _, s := range w.panel.Sliders {
		if x := *s.Value; x != w.initial[s.Name] {
			parts = append(parts, s.Name+"="+strconv.FormatFloat(x, 'g', 6, 64))
		}
	}
	return strings.Join(parts, "&")
}
