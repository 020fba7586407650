package stage

import "strings"

// Button can be pressed with the pointer or with a key.
type Button struct {
	Key   byte // the digit or capital letter on its key
	Label string
	On    bool // it is lit
}

// Bar is a row of buttons. A key and its button give the same letter.
type Bar struct {
	Buttons []Button
	held    bool // the pointer is down
	mine    bool // it was pressed on the bar
}

// Step returns the keys that were pressed in this tick, typed or touched, for a bar in the given
// place.
func (b *Bar) Step(in Input, area Rect) (keys string) {
	keys = in.Typed
	if in.Held && !b.held {
		i := b.at(in, area)
		if b.mine = i >= 0; b.mine {
			keys += string(rune(b.Buttons[i].Key))
		}
	}
	b.held = in.Held
	b.mine = b.mine && in.Held
	return keys
}

// Has reports whether the bar uses the pointer: it is over the bar, or was pressed there and is
// still down.
func (b *Bar) Has(in Input, area Rect) bool {
	if in.Held {
		return b.mine
	}
	return b.at(in, area) >= 0
}

// at returns the index of the button under the pointer, or -1.
func (b *Bar) at(in Input, area Rect) int {
	for i := range b.Buttons {
		if b.cell(i, area, in.Scale).Has(in.Pointer) {
			return i
		}
	}
	return -1
}

// cell returns the area of a button. All have the same width, side by side in the middle of area.
func (b *Bar) cell(i int, area Rect, s float64) Rect {
	n, gap := float64(len(b.Buttons)), 7*s
	w := min((area.W+gap)/n-gap, 148*s)
	left := area.X + (area.W-n*(w+gap)+gap)/2
	return Rect{left + float64(i)*(w+gap), area.Y, w, area.H}
}

// Draw draws the buttons, each with its key if there is room.
func (b *Bar) Draw(c *Canvas, area Rect) {
	for i, button := range b.Buttons {
		r := b.cell(i, area, c.Scale)
		fill, ink := RGB(0x2b323c), RGB(0xdfe5ee)
		if button.On {
			fill, ink = RGB(0xf2c14e), RGB(0x22272e)
		}
		c.Box(r, r.H/2, fill)
		text := button.Label
		if key := string(rune(button.Key)); !strings.HasPrefix(text, key) {
			text = key + "  " + text
		}
		if c.TextWidth(text, 13, Bold) > r.W-12*c.Scale {
			text = button.Label
		}
		size := 13 * min(1, (r.W-8*c.Scale)/c.TextWidth(text, 13, Bold))
		c.Text(text, Pt{r.X + r.W/2, r.Y + r.H/2}, size, Bold, Center, ink)
	}
}
