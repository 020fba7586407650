package stage

import (
	"bytes"
	"image/color"

	"github.com/hajimehoshi/ebiten/v2/text/v2"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// Weight is the weight of a font.
type Weight int

// The weights.
const (
	Regular Weight = iota
	Bold
)

// Align says which point of a text is at its position.
type Align int

// The alignments.
const (
	Left Align = iota
	Center
	Right
)

// sources are the parsed fonts, by Weight. They never change.
var sources = [...]*text.GoTextFaceSource{Regular: parse(goregular.TTF), Bold: parse(gobold.TTF)}

func parse(ttf []byte) *text.GoTextFaceSource {
	s, err := text.NewGoTextFaceSource(bytes.NewReader(ttf))
	if err != nil {
		panic("stage: " + err.Error())
	}
	return s
}

// face returns the font at the given size in pixels. The size is rounded, so that resizing the
// window doesn't fill the glyph cache.
func face(weight Weight, pixels float64) *text.GoTextFace {
	return &text.GoTextFace{Source: sources[weight], Size: float64(int(pixels*2+0.5)) / 2}
}

// Text draws s with the middle of its line at p, size points high.
func (c *Canvas) Text(s string, p Pt, size float64, weight Weight, align Align, col color.NRGBA) {
	c.Flush()
	f := face(weight, size*c.Scale)
	var o text.DrawOptions
	o.GeoM.Translate(float64(int(p.X+0.5)), float64(int(p.Y+0.5)))
	o.ColorScale.ScaleWithColor(col)
	o.PrimaryAlign = [...]text.Align{Left: text.AlignStart, Center: text.AlignCenter, Right: text.AlignEnd}[align]
	o.SecondaryAlign = text.AlignCenter
	text.Draw(c.Image, s, f, &o)
}

// TextWidth returns the width of s in pixels.
func (c *Canvas) TextWidth(s string, size float64, weight Weight) float64 {
	return text.AdvanceAt(s, len(s), face(weight, size*c.Scale))
}
