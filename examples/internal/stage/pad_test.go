package stage

import (
	"math"
	"testing"
)

func TestPadReadsTwoThumbs(t *testing.T) {
	var p Pad
	in := Input{W: 800, H: 400, Scale: 1}
	read := func(fingers ...Finger) Controls {
		in.Fingers = fingers
		return p.Read(in)
	}
	button := jumpButton(800, 400, 1)
	if c := read(Finger{0, Pt{100, 300}}); c.Move != (Pt{}) || c.Jump {
		t.Errorf("a thumb that rests: %+v", c)
	}
	if c := read(Finger{0, Pt{100 + padStick/2, 300}}, Finger{7, button}); c.Move != (Pt{0.5, 0}) || !c.Jump {
		t.Errorf("half to the right, and jump: %+v", c)
	}
	// Up to the left and beyond the edge; it stays the stick where the other half begins.
	if c := read(Finger{0, Pt{-200, 0}}); math.Abs(c.Move.Len()-1) > 1e-12 || c.Move.X >= 0 || c.Move.Y <= 0 {
		t.Errorf("up to the left: %+v", c)
	}
	if c := read(Finger{0, Pt{700, 300}}); c.Move != (Pt{1, 0}) {
		t.Errorf("far to the right: %+v", c)
	}
	if c := read(); c != (Controls{}) {
		t.Errorf("no finger: %+v", c)
	}
	read(Finger{3, Pt{600, 100}})
	if c := read(Finger{3, Pt{610, 80}}); c.Look.X <= 0 || c.Look.Y <= 0 || c.Move != (Pt{}) {
		t.Errorf("a finger that looks up to the right: %+v", c)
	}
}

func TestPadReadsKeysAndMouse(t *testing.T) {
	var p Pad
	in := Input{W: 800, H: 400, Scale: 2, Move: Pt{-1, 0}, Jump: true, Held: true, Pointer: Pt{50, 50}}
	if c := p.Read(in); c != (Controls{Move: Pt{-1, 0}, Jump: true}) {
		t.Errorf("keys: %+v", c)
	}
	in.Pointer = Pt{90, 50}
	if c := p.Read(in); c.Look.X <= 0 || c.Look.Y != 0 {
		t.Errorf("the mouse is dragged to the right: %+v", c)
	}
}
