package stage

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
)

// recording plays a game unattended and writes pictures. It counts ticks and reads no clock.
type recording struct {
	game   Game
	o      options
	tick   int
	canvas Canvas
	frame  *ebiten.Image // of the GIF
	pixels []byte
	gif    animation
	err    error
	files  []string
}

func newRecording(game Game, o options) *recording {
	r := &recording{game: game, o: o}
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
		r.game.Step(Input{Auto: true})
		r.tick++
	}
	if r.o.gif != "" {
		r.gif.add(r.shoot(r.frame, pictureScale(r.o.gifWidth)))
	}
	if r.tick < r.o.ticks {
		return nil
	}
	if r.err = r.finish(); r.err == nil {
		fmt.Printf("%s\nwrote %s\n", r.game.Summary(), strings.Join(r.files, ", "))
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
	r.canvas.Image, r.canvas.Scale = dst, scale
	r.canvas.W, r.canvas.H = float64(b.Dx()), float64(b.Dy())
	draw(&r.canvas, r.game)
	caption(&r.canvas, r.game)
	r.canvas.Flush()
	if n := 4 * b.Dx() * b.Dy(); len(r.pixels) != n {
		r.pixels = make([]byte, n)
	}
	dst.ReadPixels(r.pixels)
	return &image.RGBA{Pix: r.pixels, Stride: 4 * b.Dx(), Rect: b}
}

// pictureScale returns the number of pixels in a point of a picture. Text shrinks with the picture,
// but stays legible.
func pictureScale(width int) float64 { return max(0.75, float64(width)/1280) }

// finish writes the files.
func (r *recording) finish() error {
	var buf bytes.Buffer
	if r.o.gif != "" {
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
	if err := writeFile(name, data); err != nil {
		return err
	}
	r.files = append(r.files, fmt.Sprintf("%s (%s, %d kB)", name, what, (len(data)+999)/1000))
	return nil
}
