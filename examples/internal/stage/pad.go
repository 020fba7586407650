package stage

import "math"

// Pad makes a game controller of all devices: keys, gamepads, the mouse, and fingers. The left
// thumb on a screen is a stick, a disc in the lower right corner is the jump button, and other
// fingers look around. The zero value is ready.
type Pad struct {
	seen   bool         // a finger has touched the scene
	stick  int          // ID of the finger that moves; 0 if there is none, otherwise one more
	origin Pt           // where it touched first
	thumb  Pt           // where it is
	look   map[int]Pt   // where fingers that look around were in the last tick
	known  map[int]bool // fingers that have touched before
	mouse  Pt           // where the mouse was in the last tick, if it was down
	drags  bool
	jumps  bool
}

// Controls are what a player wants.
type Controls struct {
	Move Pt   // of length 1 at most, y up
	Jump bool // the button is down
	Look Pt   // radians by which to turn to the right and up
}

// The sizes of the pad, in points.
const (
	padStick  = 46.0 // way of the stick
	padButton = 38.0 // radius
	padMargin = 18.0
)

// jumpButton returns the place of the button.
func jumpButton(width, height, s float64) Pt {
	d := (padButton + padMargin) * s
	return Pt{width - d, height - d}
}

// Read returns the controls of this tick.
func (p *Pad) Read(in Input) Controls {
	c := Controls{Move: in.Move, Jump: in.Jump, Look: in.Look.Scale(0.04)}
	s := max(in.Scale, 0.5)
	if p.look == nil {
		p.look, p.known = map[int]Pt{}, map[int]bool{}
	}
	p.seen = p.seen || len(in.Fingers) > 0
	moves := false
	p.jumps = false
	button := jumpButton(in.W, in.H, s)
	now := map[int]bool{}
	for _, f := range in.Fingers {
		now[f.ID] = true
		isNew := !p.known[f.ID]
		was, looks := p.look[f.ID]
		switch {
		case p.stick == f.ID+1:
			moves = true
		case looks:
			c.Look = c.Look.Add(turnBy(f.At.Sub(was), s))
			p.look[f.ID] = f.At
			continue
		case f.At.Sub(button).Len() < 1.3*padButton*s:
			p.jumps = true
			continue
		case isNew && p.stick == 0 && f.At.X < in.W/2:
			p.stick, p.origin, moves = f.ID+1, f.At, true
		case isNew:
			p.look[f.ID] = f.At
			continue
		default:
			continue
		}
		p.thumb = f.At
		way := f.At.Sub(p.origin).Scale(1 / (padStick * s))
		if l := way.Len(); l > 1 {
			way = way.Scale(1 / l)
		}
		if math.Abs(way.X) < 0.2 {
			way.X = 0
		}
		if math.Abs(way.Y) < 0.2 {
			way.Y = 0
		}
		c.Move = Pt{way.X, -way.Y}
	}
	if !moves {
		p.stick = 0
	}
	p.known = now
	for id := range p.look {
		if !now[id] {
			delete(p.look, id)
		}
	}
	c.Jump = c.Jump || p.jumps
	if drags := in.Held && !in.Touch; drags {
		if p.drags {
			c.Look = c.Look.Add(turnBy(in.Pointer.Sub(p.mouse), s))
		}
		p.mouse, p.drags = in.Pointer, true
	} else {
		p.drags = false
	}
	return c
}

// turnBy returns the angles by which a drag turns.
func turnBy(way Pt, s float64) Pt { return Pt{way.X, -way.Y}.Scale(0.006 / s) }

// Draw draws stick and button, once a finger has touched the scene.
func (p *Pad) Draw(c *Canvas) {
	if !p.seen {
		return
	}
	s, white := c.Scale, RGB(0xffffff)
	origin, thumb := Pt{(padStick + padMargin) * s, c.H - (padStick+padMargin)*s}, Pt{}
	if p.stick > 0 {
		origin = p.origin
		if thumb = p.thumb.Sub(p.origin); thumb.Len() > padStick*s {
			thumb = thumb.Scale(padStick * s / thumb.Len())
		}
	}
	c.Disc(origin, padStick*s, Alpha(white, 0.12))
	c.Ring(origin, padStick*s, 2*s, Alpha(white, 0.4))
	c.Disc(origin.Add(thumb), 20*s, Alpha(white, 0.5))
	b := jumpButton(c.W, c.H, s)
	fill := 0.2
	if p.jumps {
		fill = 0.5
	}
	c.Disc(b, padButton*s, Alpha(white, fill))
	c.Ring(b, padButton*s, 2*s, Alpha(white, 0.5))
	c.Arrow(b.Add(Pt{0, 14 * s}), b.Sub(Pt{0, 16 * s}), 6*s, Alpha(white, 0.8))
}
