package stage

import (
	"bytes"
	"image/png"
	"io/fs"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
)

// Pictures has a NAME.png for each example, which the gallery shows; a web page has its own.
var Pictures fs.FS

// menu is the gallery of the desktop program.
type menu struct {
	cards    []Rect
	pictures map[string]*ebiten.Image
	held     bool
	over     int
	canvas   Canvas
}

// arrange returns the places of n cards.
func (m *menu) arrange(n int, width, height, s float64) {
	columns := min(max(int(width/(250*s)), 1), 4)
	if width > height {
		columns = max(columns, 3)
	}
	rows := (n + columns - 1) / columns
	gap := 12 * s
	top := 54 * s
	wide := (width - gap*float64(columns+1)) / float64(columns)
	high := (height - top - gap*float64(rows)) / float64(rows)
	m.cards = m.cards[:0]
	for i := range n {
		m.cards = append(m.cards, Rect{
			gap + float64(i%columns)*(wide+gap), top + float64(i/columns)*(high+gap), wide, high,
		})
	}
}

// choose returns the card under p, or -1.
func (m *menu) choose(p Pt) int {
	for i, r := range m.cards {
		if r.Has(p) {
			return i
		}
	}
	return -1
}

// draw draws the gallery. Without an image it only notes the places of texts.
func (m *menu) drawCards(w *window, c *Canvas) {
	s := c.Scale
	c.Labels = c.Labels[:0]
	c.Fill(panelBack)
	c.fit("dango: exact physics for Donburi and Ebitengine", Pt{c.W / 2, 28 * s}, 20, c.W-24*s, Bold, Center, panelText)
	m.arrange(len(w.examples), c.W, c.H, s)
	for i, r := range m.cards {
		entry := w.entryOf(w.examples[i].Name)
		fill := panelBox
		if i == m.over {
			fill = panelFill
		}
		c.Box(r, 8*s, fill)
		lines := c.Wrap(entry.Sentence, 12, r.W-20*s)
		if room := max(int((r.H-28*s)/(16*s)), 0); len(lines) > room {
			lines = lines[:room]
			if room > 0 {
				lines[room-1] = c.shorten(lines[room-1], 12, r.W-20*s)
			}
		}
		text := 26*s + float64(len(lines))*15*s
		if high := r.H - text - 12*s; high > 40*s {
			m.picture(c, entry.Name, Rect{r.X + 6*s, r.Y + 6*s, r.W - 12*s, high})
		}
		y := r.Y + r.H - text + 8*s
		if len(lines) == 0 {
			y = r.Y + r.H/2
		}
		c.Text(entry.Title, Pt{r.X + 10*s, y}, 15, Bold, Left, panelLit)
		for k, line := range lines {
			c.Text(line, Pt{r.X + 10*s, y + 18*s + float64(k)*15*s}, 12, Regular, Left, panelText)
		}
	}
	c.Flush()
}

// draw draws the gallery onto the screen.
func (m *menu) draw(w *window, screen *ebiten.Image) {
	b := screen.Bounds()
	m.canvas.Image, m.canvas.Scale = screen, w.scale
	m.canvas.W, m.canvas.H = float64(b.Dx()), float64(b.Dy())
	if !inBrowser {
		m.drawCards(w, &m.canvas)
	}
}

// picture draws the picture of an example as large as it fits into r.
func (m *menu) picture(c *Canvas, name string, r Rect) {
	if c.Image == nil || Pictures == nil {
		return
	}
	if m.pictures == nil {
		m.pictures = map[string]*ebiten.Image{}
	}
	img, ok := m.pictures[name]
	if !ok {
		if data, err := fs.ReadFile(Pictures, name+".png"); err == nil {
			if decoded, err := png.Decode(bytes.NewReader(data)); err == nil {
				img = ebiten.NewImageFromImage(decoded)
			}
		}
		m.pictures[name] = img
	}
	if img == nil {
		return
	}
	c.Flush()
	size := img.Bounds().Size()
	zoom := math.Min(r.W/float64(size.X), r.H/float64(size.Y))
	var o ebiten.DrawImageOptions
	o.GeoM.Scale(zoom, zoom)
	o.GeoM.Translate(r.X+(r.W-zoom*float64(size.X))/2, r.Y+(r.H-zoom*float64(size.Y))/2)
	o.Filter = ebiten.FilterLinear
	c.Image.DrawImage(img, &o)
}
