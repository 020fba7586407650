package breakout

import (
	"fmt"
	"image/color"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	scene *scene
	seed  uint64
	speed float64 // slider
}

// New returns the example.
func New(seed uint64) stage.Game { return &view{seed: seed, speed: 12} }

// Reset begins a new game.
func (v *view) Reset() { v.scene = newScene(v.seed, v.speed) }

func camera(w, h, s float64) stage.Camera {
	box := collide.AABB{Min: collide.Vec3{X: -0.3, Y: -0.3}, Max: collide.Vec3{X: width + 0.3, Y: height + 1.5}}
	return stage.Fit(box, stage.Rect{X: 6 * s, Y: 6 * s, W: w - 12*s, H: h - 12*s})
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Move: in.Move.X, Launch: in.Held || in.Move.Y > 0 || in.Typed == "F", Auto: in.Auto}
	if in.W > 0 && (!in.Touch || in.Held) && in.Move.X == 0 && in.Pointer.X < in.W && in.Pointer.Y < in.H {
		i.At, i.Point = camera(in.W, in.H, in.Scale).World(in.Pointer).X, true
	}
	v.scene.speed = v.speed
	v.scene.step(i)
}

// Panel returns what is beside the game.
func (v *view) Panel() stage.Panel {
	s := v.scene
	return stage.Panel{
		Buttons: []stage.Button{{Key: 'F', Label: "fire", On: s.waiting || s.over > 60}},
		Sliders: []stage.Slider{{Name: "speed", Value: &v.speed, Min: 5, Max: 200, Step: 1, Unit: "m/s", Log: true}},
		Lines: []string{
			fmt.Sprintf("score  %s", stage.Count(s.score)),
			fmt.Sprintf("best  %s", stage.Count(s.best)),
			fmt.Sprintf("lives  %d", s.lives),
			fmt.Sprintf("level  %d", s.level),
			fmt.Sprintf("balls  %d", balls.Count(s.world)),
		},
		Hint: "The pointer or the arrows move the paddle. Click, touch, arrow up or F fires. Bricks with a dot hold " +
			"another ball.",
		Physics: s.physics, World: s.world,
		Pointer: true,
	}
}

// Background returns the colour around the field.
func (v *view) Background() color.NRGBA { return stage.RGB(0x1d2126) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("breakout: %d ticks, level %d, %d points, %d lives, %d impacts",
		s.ticks, s.level, s.score, s.lives, s.impacts)
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "a complete 2D game in less than 400 lines"
}

var paints = [rows]uint32{0xe5484d, 0xee7a1f, 0xf2c14e, 0x57c4a0, 0x3b82d6, 0x8b62c9}

// Draw draws the field, the bricks, the paddle and the balls.
func (v *view) Draw(c *stage.Canvas) {
	s := v.scene
	cam := camera(c.W, c.H, c.Scale)
	m := cam.Zoom
	corner := cam.At(collide.Vec3{Y: height})
	c.Box(stage.Rect{X: corner.X - 0.2*m, Y: corner.Y - 0.2*m, W: (width + 0.4) * m, H: (height + 0.4) * m}, 0.3*m,
		stage.RGB(0x5a6675))
	c.Box(stage.Rect{X: corner.X, Y: corner.Y, W: width * m, H: (height + 0.3) * m}, 0.1*m, stage.RGB(0x262c35))
	capsule := func(at collide.Vec3, half, thick float64, col color.NRGBA) {
		along := collide.Vec3{X: half}
		c.Line(cam.At(at.Sub(along)), cam.At(at.Add(along)), thick*m, col)
	}
	for e := range bricks.Iter(s.world) {
		b, at := brick.Get(e), components.Transform.Get(e).Position
		capsule(at, brickLength/2, brickThick, stage.RGB(paints[b.Row]))
		if b.Extra {
			c.Disc(cam.At(at), 0.2*m, stage.RGB(0xffffff))
		}
	}
	capsule(components.Transform.Get(s.paddle).Position, paddleLength/2, 0.5, stage.RGB(0xe7ecf2))
	for e := range balls.Iter(s.world) {
		p := cam.At(c.Pose(s.physics, e).Position)
		c.Glow(p, radius*m, 0.25*m, stage.Alpha(stage.RGB(0xf2c14e), 0.5))
		c.Disc(p, radius*m, stage.RGB(0xffffff))
	}
	c.Debug(s.physics, s.world, cam)
	size := max(0.5*m/c.Scale, 11)
	head := corner.Y - 0.85*m
	c.Text(fmt.Sprintf("%s points", stage.Count(s.score)), stage.Pt{X: corner.X, Y: head}, size, stage.Bold, stage.Left,
		stage.RGB(0xf2c14e))
	c.Text(fmt.Sprintf("level %d", s.level), stage.Pt{X: corner.X + width*m, Y: head}, size, stage.Bold, stage.Right,
		stage.RGB(0xe7ecf2))
	if s.over > 0 {
		middle := cam.At(collide.Vec3{X: width / 2, Y: 0.4 * height})
		c.Text("game over", middle, 2*size, stage.Bold, stage.Center, stage.RGB(0xf2c14e))
		middle.Y += 2.2 * size * c.Scale
		c.Text(fmt.Sprintf("best: %s points. Fire begins again.", stage.Count(s.best)), middle, size, stage.Bold,
			stage.Center, stage.RGB(0xe7ecf2))
	}
	for i := range s.lives - 1 {
		c.Disc(stage.Pt{X: corner.X + (width/2-0.5+float64(i))*m, Y: head}, 0.22*m, stage.RGB(0xffffff))
	}
}
