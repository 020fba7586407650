package stage

import (
	"image/color"
	"strings"
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

// Label is a text and its place.
type Label struct {
	Text string
	Area Rect
	Size float64 // points
}

// Text draws s with the middle of its line at p, size points high.
func (c *Canvas) Text(s string, p Pt, size float64, weight Weight, align Align, col color.NRGBA) {
	c.Flush()
	f := face{weight, pixels(size * c.Scale)}
	w, h := f.width(s), 0.72*size*c.Scale // of capitals; few letters go below the line
	left := p.X - w*[...]float64{Left: 0, Center: 0.5, Right: 1}[align]
	c.Labels = append(c.Labels, Label{s, Rect{left, p.Y - h/2, w, h}, size})
	if c.Image == nil {
		return
	}
	f.draw(c.Image, s, left, p.Y, col)
}

// TextWidth returns the width of s in pixels.
func (c *Canvas) TextWidth(s string, size float64, weight Weight) float64 {
	return face{weight, pixels(size * c.Scale)}.width(s)
}

// fit draws a text, smaller if it is wider than width.
func (c *Canvas) fit(s string, p Pt, size, width float64, weight Weight, align Align, col color.NRGBA) {
	if w := c.TextWidth(s, size, weight); w > width {
		size *= 0.96 * width / w // sizes are rounded
	}
	c.Text(s, p, size, weight, align, col)
}

// shorten returns as many words of a text as fit into this width, with an ellipsis.
func (c *Canvas) shorten(s string, size, width float64) string {
	for c.TextWidth(s+" …", size, Regular) > width && strings.Contains(s, " ") {
		s = s[:strings.LastIndexByte(s, ' ')]
	}
	return strings.TrimRight(s, ",:") + " …"
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
