//go:build !js

package stage

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"math"
	"os"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
)

// recording plays an example unattended and writes pictures. It counts ticks and reads no clock.
type recording struct {
	w      *window
	o      options
	tick   int
	frame  *ebiten.Image // of the GIF
	pixels []byte
	gif    animation
	err    error
	files  []string
}

func newRecording(w *window, o options) *recording {
	r := &recording{w: w, o: o}
	w.slow = o.slow
	w.canvas.debug.set(o.debug)
	r.gif.delay = o.every
	return r
}

// Layout gives the screen the size of the PNG.
func (r *recording) Layout(int, int) (int, int) { return r.o.w, r.o.h }

// Update plays up to the next frame of the GIF and records it.
func (r *recording) Update() error {
	if r.frame == nil { // images can be read from the first Update on
		r.frame = ebiten.NewImage(r.o.gifWidth, r.o.gifWidth*r.o.h/r.o.w)
	}
	for n := 0; n < r.o.every && r.tick < r.o.ticks; n++ {
		if r.w.phase == 0 || r.w.panel.Fine {
			r.w.game.Step(Input{Auto: true, Slow: r.o.slow})
			r.w.canvas.stepped()
		}
		r.w.phase = (r.w.phase + 1) % r.o.slow
		r.tick++
	}
	if r.o.gif != "" && r.tick > r.o.from {
		r.gif.add(r.shoot(r.frame, pictureScale(r.o.gifWidth)))
	}
	if r.tick < r.o.ticks {
		return nil
	}
	if r.err = r.finish(); r.err == nil {
		fmt.Printf("%s\nwrote %s\n", r.w.game.Summary(), strings.Join(r.files, ", "))
	}
	return ebiten.Termination
}

// Draw shows the progress.
func (r *recording) Draw(screen *ebiten.Image) {
	if r.frame == nil {
		return
	}
	var o ebiten.DrawImageOptions
	o.GeoM.Scale(float64(r.o.w)/float64(r.o.gifWidth), float64(r.o.w)/float64(r.o.gifWidth))
	screen.DrawImage(r.frame, &o)
}

// shoot draws the game onto dst and returns its pixels, which stay valid until the next call.
func (r *recording) shoot(dst *ebiten.Image, scale float64) *image.RGBA {
	b := dst.Bounds()
	if r.o.panel {
		r.w.draw(dst, float64(b.Dx()), float64(b.Dy()), scale)
	} else {
		c := &r.w.canvas
		full := Canvas{Image: dst, W: float64(b.Dx()), H: float64(b.Dy()), Scale: scale}
		c.Image, c.Scale, c.W, c.H = dst, scale, full.W, full.H
		if r.o.caption {
			c.H = math.Round(full.H - captionHeight*scale)
			c.Image = dst.SubImage(image.Rect(0, 0, b.Dx(), int(c.H))).(*ebiten.Image)
			r.w.caption(&full, Rect{0, c.H, full.W, full.H - c.H})
			full.Flush()
		}
		r.w.scene(c)
	}
	if n := 4 * b.Dx() * b.Dy(); len(r.pixels) != n {
		r.pixels = make([]byte, n)
	}
	dst.ReadPixels(r.pixels)
	return &image.RGBA{Pix: r.pixels, Stride: 4 * b.Dx(), Rect: b}
}

// pictureScale returns the number of pixels in a point of a picture. Text shrinks with the picture,
// but stays legible.
func pictureScale(width int) float64 { return min(max(0.75, float64(width)/1280), 1) }

// finish writes the files.
func (r *recording) finish() error {
	var buf bytes.Buffer
	if r.o.gif != "" {
		r.gif.loop(r.o.fade)
		g := r.gif.encode()
		if err := gif.EncodeAll(&buf, g); err != nil {
			return err
		}
		if err := r.write(r.o.gif, buf.Bytes(), fmt.Sprintf("%d frames", len(g.Image))); err != nil {
			return err
		}
		buf.Reset()
	}
	if r.o.png != "" {
		img := r.shoot(ebiten.NewImage(r.o.w, r.o.h), pictureScale(r.o.w))
		if err := png.Encode(&buf, img); err != nil {
			return err
		}
		return r.write(r.o.png, buf.Bytes(), fmt.Sprintf("%dx%d", r.o.w, r.o.h))
	}
	return nil
}

func (r *recording) write(name string, data []byte, what string) error {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	r.files = append(r.files, fmt.Sprintf("%s (%s, %d kB)", name, what, (len(data)+999)/1000))
	return nil
}
