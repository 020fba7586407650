package stage

import (
	"math"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// Input is the input of one tick.
type Input struct {
	W, H  float64 // size of the canvas, pixels
	Scale float64 // as in [Canvas]

	Pointer Pt   // the mouse, or the first finger
	Held    bool // the mouse button is down, or a finger touches
	Touch   bool // the pointer is a finger

	Move   Pt     // arrow keys, WASD, left stick or cross of a gamepad: y up, of length 1 at most
	Switch bool   // M, or the gamepad's lower button, was pressed in this tick
	Typed  string // the digits and letters whose keys were pressed in this tick, such as "2G"
	Jump   bool   // the space bar or the gamepad's lower button is down
	Look   Pt     // right stick of a gamepad: y up
	Auto   bool   // the example plays by itself
	Cancel bool   // the right mouse button is down, or a second finger touches

	Fingers []Finger // all that touch the scene; see Pad

	Slow int     // a step takes this many ticks, at most 16; 0 stands for 1
	Load float64 // part of the time that steps and drawing take, smoothed; 0 in unattended runs
	Pace float64 // the number of bodies should change by this factor; 0 if it should stay
}

// Finger is a finger on the screen.
type Finger struct {
	ID int // as long as it touches
	At Pt  // pixels
}

// controls reads the devices. The zero value is ready.
type controls struct {
	touches []ebiten.TouchID
	pads    []ebiten.GamepadID
	keys    []ebiten.Key
	last    Pt // last position of the finger, for the tick in which it is lifted
}

// read returns the present input. Positions are in pixels of the canvas, because Layout makes the
// screen as large as the canvas.
func (c *controls) read() Input {
	var in Input
	c.touches = ebiten.AppendTouchIDs(c.touches[:0])
	x, y := ebiten.CursorPositionF()
	in.Pointer = Pt{x, y}
	in.Held = ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	in.Cancel = ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight)
	if len(c.touches) > 0 {
		x, y := ebiten.TouchPositionF(c.touches[0])
		c.last = Pt{x, y}
		in.Pointer, in.Held, in.Touch = c.last, true, true
		in.Cancel = len(c.touches) > 1
	} else if c.last != (Pt{}) {
		in.Pointer, in.Touch = c.last, true
		c.last = Pt{}
	}

	for _, id := range c.touches {
		x, y := ebiten.TouchPositionF(id)
		in.Fingers = append(in.Fingers, Finger{int(id), Pt{x, y}})
	}

	down := func(keys ...ebiten.Key) float64 {
		for _, k := range keys {
			if ebiten.IsKeyPressed(k) {
				return 1
			}
		}
		return 0
	}
	in.Move.X = down(ebiten.KeyArrowRight, ebiten.KeyD) - down(ebiten.KeyArrowLeft, ebiten.KeyA)
	in.Move.Y = down(ebiten.KeyArrowUp, ebiten.KeyW) - down(ebiten.KeyArrowDown, ebiten.KeyS)
	in.Jump = down(ebiten.KeySpace) > 0
	in.Switch = inpututil.IsKeyJustPressed(ebiten.KeyM)
	c.keys = inpututil.AppendJustPressedKeys(c.keys[:0])
	for _, k := range c.keys {
		name := strings.TrimPrefix(strings.TrimPrefix(k.String(), "Digit"), "Numpad")
		if len(name) == 1 {
			in.Typed += name
		}
	}

	c.pads = ebiten.AppendGamepadIDs(c.pads[:0])
	for _, id := range c.pads {
		if !ebiten.IsStandardGamepadLayoutAvailable(id) {
			continue
		}
		button := func(b ebiten.StandardGamepadButton) float64 {
			if ebiten.IsStandardGamepadButtonPressed(id, b) {
				return 1
			}
			return 0
		}
		stick := Pt{
			ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickHorizontal),
			-ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickVertical),
		}
		if stick.Len() > 0.2 { // the resting position of sticks is rarely exact
			in.Move = in.Move.Add(stick)
		}
		in.Move.X += button(ebiten.StandardGamepadButtonLeftRight) - button(ebiten.StandardGamepadButtonLeftLeft)
		in.Move.Y += button(ebiten.StandardGamepadButtonLeftTop) - button(ebiten.StandardGamepadButtonLeftBottom)
		look := Pt{
			ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisRightStickHorizontal),
			-ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisRightStickVertical),
		}
		if look.Len() > 0.2 {
			in.Look = in.Look.Add(look)
		}
		in.Jump = in.Jump || button(ebiten.StandardGamepadButtonRightBottom) > 0
		in.Switch = in.Switch ||
			inpututil.IsStandardGamepadButtonJustPressed(id, ebiten.StandardGamepadButtonRightBottom)
	}
	if l := math.Hypot(in.Move.X, in.Move.Y); l > 1 {
		in.Move = in.Move.Scale(1 / l)
	}
	return in
}
