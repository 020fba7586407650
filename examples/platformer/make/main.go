// Make draws the art of examples/platformer and writes its map from level.txt, so that both can be
// changed in a text editor:
//
//	go run ./examples/platformer/make
package main

import (
	_ "embed"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
)

//go:embed level.txt
var level string

const folder = "examples/platformer/data"

func main() {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		fail(err)
	}
	write("tiles.png", tiles())
	write("sprites.png", sprites())
	write("back.png", back())
	text("tiles.tsx", tileset())
	text("level.tmx", tileMap(strings.Fields(level)))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func write(name string, img image.Image) {
	f, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		fail(err)
	}
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(f, img); err != nil {
		fail(err)
	}
	if err := f.Close(); err != nil {
		fail(err)
	}
}

func text(name, s string) {
	if err := os.WriteFile(filepath.Join(folder, name), []byte(s), 0o644); err != nil {
		fail(err)
	}
}

// sheet is a picture that is drawn in places with an origin of their own.
type sheet struct {
	*image.Paletted
	x, y int
}

func newSheet(w, h int) *sheet {
	return &sheet{Paletted: image.NewPaletted(image.Rect(0, 0, w, h), palette())}
}

// cell moves the origin to a cell of this size.
func (s *sheet) cell(column, row, w, h int) { s.x, s.y = column*w, row*h }

func (s *sheet) set(x, y int, c uint8) { s.SetColorIndex(s.x+x, s.y+y, c) }

func (s *sheet) box(x0, y0, x1, y1 int, c uint8) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			s.set(x, y, c)
		}
	}
}

// disc draws a filled circle around a point in half pixels, with a darker rim and a highlight.
func (s *sheet) disc(cx, cy, r2 int, fill, rim, light uint8) {
	for y := (cy - r2) / 2; y <= (cy+r2)/2; y++ {
		for x := (cx - r2) / 2; x <= (cx+r2)/2; x++ {
			dx, dy := 2*x-cx, 2*y-cy
			d := dx*dx + dy*dy
			switch {
			case d > r2*r2:
			case d > (r2-2)*(r2-2):
				s.set(x, y, rim)
			case light != 0 && dx < 0 && dy < 0 && d < r2*r2/2 && d > r2*r2/6:
				s.set(x, y, light)
			default:
				s.set(x, y, fill)
			}
		}
	}
}

// The palette.
const (
	clear = iota
	ink
	dirt
	dirtDark
	dirtLight
	grass
	grassDark
	grassLight
	wood
	woodDark
	woodLight
	steel
	steelDark
	steelLight
	gold
	goldDark
	goldLight
	pink
	pinkDark
	white
	whiteDark
	leaf
	leafDark
	red
	redDark
	sky0
	sky1
	sky2
	sky3
	hill0
	hill1
	hill2
	hill3
	cloud
	blush
)

func palette() color.Palette {
	p := color.Palette{color.NRGBA{}}
	for _, c := range []uint32{
		0x2b1d2e, 0x8f5f3f, 0x744a33, 0xa8764f, 0x5fae4b, 0x3d8340, 0x93d262, 0xc08a4e, 0x8a5a30, 0xe0b070,
		0x8b96a8, 0x5a6478, 0xc7d0dc, 0xf4c542, 0xc98a1e, 0xfff0a0, 0xf7a6b8, 0xd8708c, 0xfff6e6, 0xd9c9b4,
		0x9ccc65, 0x6a9a3c, 0xe5484d, 0xa8323c, 0x7cc4ee, 0x97d3f2, 0xb6e2f5, 0xd8f0f5, 0x9cc7c9, 0x7fb3b0,
		0x86bd7c, 0x6aa566, 0xffffff, 0xf58a9c,
	} {
		p = append(p, color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255})
	}
	return p
}

// noise returns a number from 0 to n-1 that looks random and depends on its arguments only.
func noise(x, y, n int) int {
	h := uint32(x)*374761393 + uint32(y)*668265263
	h = (h ^ h>>13) * 1274126177
	return int((h ^ h>>16) % uint32(n))
}
