package stage

import (
	"bytes"
	"image/color"
	"strings"

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

// Label is a text and its place.
type Label struct {
	Text string
	Area Rect
	Size float64 // points
}

// Text draws s with the middle of its line at p, size points high.
func (c *Canvas) Text(s string, p Pt, size float64, weight Weight, align Align, col color.NRGBA) {
	c.Flush()
	f := face(weight, size*c.Scale)
	w, h := c.TextWidth(s, size, weight), 0.72*size*c.Scale // of capitals; few letters go below the line
	left := p.X - w*[...]float64{Left: 0, Center: 0.5, Right: 1}[align]
	c.Labels = append(c.Labels, Label{s, Rect{left, p.Y - h/2, w, h}, size})
	if c.Image == nil {
		return
	}
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

// fit draws a text, smaller if it is wider than width.
func (c *Canvas) fit(s string, p Pt, size, width float64, weight Weight, align Align, col color.NRGBA) {
	if w := c.TextWidth(s, size, weight); w > width {
		size *= 0.96 * width / w // sizes are rounded
	}
	c.Text(s, p, size, weight, align, col)
}

// Wrap breaks a text into lines of at most this width.
func (c *Canvas) Wrap(s string, size, width float64) (lines []string) {
	for word := range strings.FieldsSeq(s) {
		if n := len(lines); n > 0 && c.TextWidth(lines[n-1]+" "+word, size, Regular) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
