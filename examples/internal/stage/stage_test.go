package stage

import (
	"bytes"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/gif"
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
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
	if h := c.At(box.Min).Y - c.At(box.Max).Y; math.Abs(h-area.H) > 1e-9 {
		t.Errorf("the box is %g pixels high, want all %g", h, area.H)
	}
}

// A bar's buttons answer once to each touch, and what goes down on the bar is the bar's until it is
// let go.
func TestBar(t *testing.T) {
	bar := Bar{Buttons: []Button{{Key: '1', Label: "one"}, {Key: 'G', Label: "gaps"}}}
	area := Rect{0, 100, 400, 30}
	in := Input{W: 400, H: 200, Scale: 1}
	step := func(x, y float64, held bool, typed, want string, has bool) {
		t.Helper()
		in.Pointer, in.Held, in.Typed = Pt{x, y}, held, typed
		if got := bar.Step(in, area); got != want {
			t.Errorf("at %g, %g, held %v: keys %q, want %q", x, y, held, got, want)
		}
		if got := bar.Has(in, area); got != has {
			t.Errorf("at %g, %g, held %v: the bar's: %v, want %v", x, y, held, got, has)
		}
	}
	step(150, 115, false, "", "", true)
	step(150, 115, true, "", "1", true)
	step(250, 115, true, "", "", true) // slid to the other
	step(250, 10, true, "", "", true)
	step(250, 10, false, "", "", false)
	step(250, 10, true, "", "", false)
	step(250, 115, true, "", "", false) // came from elsewhere
	step(250, 115, false, "", "", true)
	step(250, 115, true, "1", "1G", true)
	step(5, 115, false, "G", "G", false) // beside the buttons
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
