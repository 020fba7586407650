// Package examples holds the tests that need a window or a browser: they run the programs as a
// person would, and look at what they draw.
package examples

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dango-physics/dango/internal/slow"
)

// picture says what an example's PNG of 640x400 must show.
type picture struct {
	name    string
	at      image.Point // a place that is always of the same colour
	want    color.RGBA
	colours int // at least so many different ones
}

var pictures = []picture{
	{"billiards", image.Pt(320, 250), color.RGBA{0x14, 0x73, 0x5a, 255}, 200}, // felt
	{"corridor", image.Pt(133, 240), color.RGBA{0xf2, 0xee, 0xe4, 255}, 100},  // floor
	{"tunnel", image.Pt(320, 55), color.RGBA{0x1d, 0x21, 0x26, 255}, 60},      // between the cards
	{"breakout", image.Pt(40, 40), color.RGBA{0x1d, 0x21, 0x26, 255}, 60},     // beside the field
	{"pinball", image.Pt(100, 40), color.RGBA{0x14, 0x17, 0x1c, 255}, 60},     // beside the table
	{"platformer", image.Pt(320, 115), color.RGBA{0x97, 0xd3, 0xf2, 255}, 25}, // sky
	{"level", image.Pt(280, 340), color.RGBA{0x65, 0x9f, 0x55, 255}, 200},     // grass
	{"twins", image.Pt(320, 20), color.RGBA{0x1d, 0x21, 0x26, 255}, 100},      // between the boxes
	{"swarm", image.Pt(320, 5), color.RGBA{0x17, 0x1b, 0x21, 255}, 100},       // above the box
	{"gas", image.Pt(400, 20), color.RGBA{0x1d, 0x21, 0x26, 255}, 200},        // above the chart
	{"drum", image.Pt(8, 8), color.RGBA{0x1d, 0x21, 0x26, 255}, 200},          // beside the drum
	{"cradle", image.Pt(400, 40), color.RGBA{0x26, 0x2c, 0x35, 255}, 200},     // its panel
}

func (p picture) check(t *testing.T, data []byte) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 640 || b.Dy() != 400 {
		t.Fatalf("the picture is %v, want 640x400", b)
	}
	seen := map[color.RGBA]bool{}
	for y := range 400 {
		for x := range 640 {
			seen[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)] = true
		}
	}
	if len(seen) < p.colours {
		t.Errorf("%d different colours, want at least %d", len(seen), p.colours)
	}
	got := color.RGBAModel.Convert(img.At(p.at.X, p.at.Y)).(color.RGBA)
	near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 3 }
	if !near(got.R, p.want.R) || !near(got.G, p.want.G) || !near(got.B, p.want.B) {
		t.Errorf("colour %v at %v, want about %v", got, p.at, p.want)
	}
}

// gallery compiles the gallery once for all tests.
var gallery = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(folder, "gallery")
	out, err := exec.Command("go", "build", "-o", path, "./gallery").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// folder is where the tests write.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "dango-pictures-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build returns the path of the gallery as a program.
func build(t *testing.T) string {
	t.Helper()
	path, err := gallery()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func needDisplay(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" {
		t.Skip("needs a display: run under xvfb-run")
	}
	slow.Skip(t, slow.Short, "it opens windows; the tests of each example play the same without")
}

// A real window, a PNG and a GIF.
func TestWindow(t *testing.T) {
	needDisplay(t)
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			program, dir := build(t), t.TempDir()
			still, moving := filepath.Join(dir, "a.png"), filepath.Join(dir, "a.gif")
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			out, err := exec.CommandContext(
				ctx, program, p.name, "-ticks", "90", "-size", "640x400", "-gifwidth", "320", "-png", still,
				"-gif", moving,
			).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.Contains(string(out), "90 ticks") {
				t.Errorf("the summary is %q", out)
			}
			data, err := os.ReadFile(still)
			if err != nil {
				t.Fatal(err)
			}
			p.check(t, data)

			f, err := os.Open(moving)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			g, err := gif.DecodeAll(f)
			if err != nil {
				t.Fatal(err)
			}
			length := 0
			for _, d := range g.Delay {
				length += d
			}
			if g.Config.Width != 320 || g.Config.Height != 200 || len(g.Image) < 10 || length != 150 {
				t.Errorf("GIF of %dx%d, %d frames and %d hundredths of a second, want 320x200, more than 10 and 150",
					g.Config.Width, g.Config.Height, len(g.Image), length)
			}
		})
	}
}

// Two runs draw the same pictures, byte for byte: ticks are counted, and never the clock.
func TestPicturesRepeat(t *testing.T) {
	needDisplay(t)
	program := build(t)
	var first []byte
	for range 2 {
		name := filepath.Join(t.TempDir(), "a.gif")
		if out, err := exec.Command(
			program, "corridor", "-ticks", "60", "-size", "640x400", "-gifwidth", "320", "-gif", name,
		).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Error("two runs wrote different GIFs")
		}
	}
}

// Without a display nothing fails as long as no picture is asked for.
func TestNoDisplay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux runs without a display")
	}
	for _, p := range pictures {
		program := build(t)
		cmd := exec.Command(program, p.name, "-ticks", "60")
		cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "60 ticks") {
			t.Errorf("%s -ticks 60: %v\n%s", p.name, err, out)
		}
		// A picture without a display, and without xvfb-run: a summary, and one sentence that
		// helps.
		cmd = exec.Command(program, p.name, "-ticks", "60", "-png", filepath.Join(t.TempDir(), "a.png"))
		cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "PATH=")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "60 ticks") || !strings.Contains(string(out), "install xvfb") {
			t.Errorf("%s without xvfb-run: %v\n%s", p.name, err, out)
		}
	}
}
