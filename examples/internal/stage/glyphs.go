package stage

import (
	"image"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Text is drawn here and not by package text/v2 of Ebitengine, which knows all scripts: it would
// add a megabyte to the web page of the examples.

// regular is the parsed font. It never changes.
var regular = parse(goregular.TTF)

func parse(ttf []byte) *sfnt.Font {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("stage: " + err.Error())
	}
	return f
}

// face is a font at a size.
type face struct {
	weight Weight
	size   fixed.Int26_6 // pixels, see pixels
}

// extra returns by how much the strokes of a face are wider than those of the font. Bold letters
// are drawn twice, side by side.
func (f face) extra() fixed.Int26_6 {
	if f.weight == Bold {
		return f.size / 20
	}
	return 0
}

// pixels returns a size rounded to half a pixel, so that resizing the window doesn't fill the
// cache.
func pixels(size float64) fixed.Int26_6 { return fixed.Int26_6(size*2+0.5) * 32 }

// glyph is the picture of a letter.
type glyph struct {
	img  *ebiten.Image // nil for a space
	x, y float64       // of its corner, from the pen
}

// A glyph begins at a multiple of 1/glyphParts of a pixel.
const glyphParts = 4

type letter struct {
	face
	rune rune
	part int // glyphParts of a pixel
}

// The caches belong to the goroutine that draws.
var (
	glyphs   = map[letter]glyph{}
	advances = map[letter]float64{}
	buffer   sfnt.Buffer
)

// maxGlyphs is the size at which the cache begins again. A text that is resized a lot gets there.
const maxGlyphs = 5000

// advance returns how far the pen moves for a letter, in pixels.
func (f face) advance(r rune) float64 {
	key := letter{face: f, rune: r}
	a, ok := advances[key]
	if !ok {
		index, _ := regular.GlyphIndex(&buffer, r)
		units, _ := regular.GlyphAdvance(&buffer, index, f.size, font.HintingNone)
		a = float64(units+f.extra()) / 64
		advances[key] = a
	}
	return a
}

// width returns the width of s in pixels.
func (f face) width(s string) (w float64) {
	for _, r := range s {
		w += f.advance(r)
	}
	return w
}

// draw draws s from left on, with the middle of its line at y.
func (f face) draw(to *ebiten.Image, s string, left, y float64, col color.NRGBA) {
	m, _ := regular.Metrics(&buffer, f.size, font.HintingNone)
	line := math.Round(y + float64(m.Ascent-m.Descent)/128)
	var o ebiten.DrawImageOptions
	o.ColorScale.ScaleWithColor(col)
	for _, r := range s {
		at := math.Floor(left*glyphParts+0.5) / glyphParts
		g := f.glyph(r, int(glyphParts*(at-math.Floor(at))))
		if g.img != nil {
			o.GeoM.Reset()
			o.GeoM.Translate(math.Floor(at)+g.x, line+g.y)
			to.DrawImage(g.img, &o)
		}
		left += f.advance(r)
	}
}

// glyph returns the picture of a letter that begins within a pixel.
func (f face) glyph(r rune, part int) glyph {
	key := letter{f, r, part}
	if g, ok := glyphs[key]; ok {
		return g
	}
	if len(glyphs) >= maxGlyphs {
		for _, g := range glyphs {
			if g.img != nil {
				g.img.Deallocate()
			}
		}
		clear(glyphs)
	}
	index, _ := regular.GlyphIndex(&buffer, r)
	outline, _ := regular.LoadGlyph(&buffer, index, f.size, nil)
	g := rasterize(outline, fixed.Int26_6(part*64/glyphParts), f.extra())
	glyphs[key] = g
	return g
}

// rasterize draws an outline, moved to the right, and again a little further.
func rasterize(outline sfnt.Segments, right, extra fixed.Int26_6) glyph {
	b := outline.Bounds()
	x, y := (b.Min.X + right).Floor(), b.Min.Y.Floor()
	w, h := (b.Max.X+right+extra).Ceil()-x, b.Max.Y.Ceil()-y
	if w <= 0 || h <= 0 {
		return glyph{}
	}
	z := vector.NewRasterizer(w, h)
	trace(z, outline, float32(right)/64-float32(x), float32(-y))
	if extra > 0 { // where both are, the rasterizer cuts the sum off at 1
		trace(z, outline, float32(right+extra)/64-float32(x), float32(-y))
	}
	picture := image.NewRGBA(image.Rect(0, 0, w, h))
	z.Draw(picture, picture.Rect, image.White, image.Point{})
	return glyph{ebiten.NewImageFromImage(picture), float64(x), float64(y)}
}

// trace adds an outline, moved by x and y.
func trace(z *vector.Rasterizer, outline sfnt.Segments, x, y float32) {
	for _, s := range outline {
		var p [3][2]float32
		for i, a := range s.Args {
			p[i] = [2]float32{float32(a.X)/64 + x, float32(a.Y)/64 + y}
		}
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(p[0][0], p[0][1])
		case sfnt.SegmentOpLineTo:
			z.LineTo(p[0][0], p[0][1])
		case sfnt.SegmentOpQuadTo:
			z.QuadTo(p[0][0], p[0][1], p[1][0], p[1][1])
		case sfnt.SegmentOpCubeTo:
			z.CubeTo(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1])
		}
	}
	z.ClosePath()
}
