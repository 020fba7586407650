package pinball

import (
	"fmt"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	scene *scene
	seed  uint64
	slope float64 // slider
	hand  stage.Hand
}

// New returns the example.
func New(seed uint64) stage.Game {
	return &view{seed: seed, slope: downhill, hand: stage.Hand{Fastest: 3}}
}

// Reset begins a new game.
func (v *view) Reset() { v.scene = newScene(v.seed, v.slope) }

// camera shows the table, with room for the score above it.
func camera(w, h, s float64) stage.Camera {
	box := collide.AABB{Min: collide.Vec2(-0.03, -0.04), Max: collide.Vec2(width+0.03, height+0.11)}
	return stage.Fit(box, stage.Rect{X: 4 * s, Y: 4 * s, W: w - 8*s, H: h - 8*s})
}

// Step plays one tick. A finger on the left half of the scene is the left flipper, one on the right
// half the right flipper. While the ball waits in the lane, either pulls the plunger. A press on a
// ball in play drags it.
func (v *view) Step(in stage.Input) {
	s, cam := v.scene, camera(in.W, in.H, in.Scale)
	s.dragged = false
	in = v.hand.Grab(in, func(at stage.Pt, held bool) bool {
		s.dragged = v.hand.Drag(s.physics, s.world, cam.World(at), 8*in.Scale/cam.Zoom, held)
		return s.dragged && !s.inLane()
	})
	i := input{Left: in.Move.X < -0.3 || in.Cancel && !in.Touch, Right: in.Move.X > 0.3}
	i.Draw = in.Move.Y < -0.3 || in.Jump
	if in.Move.Y > 0.3 {
		i.Left, i.Right = true, true
	}
	press := func(p stage.Pt) {
		if p.X < 0 || p.Y < 0 || p.X > in.W || p.Y > in.H {
			return
		}
		if p.X < in.W/2 {
			i.Left = true
		} else {
			i.Right = true
		}
	}
	switch {
	case len(in.Fingers) > 0:
		for _, f := range in.Fingers {
			press(f.At)
		}
	case in.Held && !in.Touch:
		press(in.Pointer)
	}
	i.Draw = i.Draw || s.inLane() && (in.Held || len(in.Fingers) > 0)
	for _, k := range in.Typed {
		switch k {
		case 'Q':
			i.Nudge = -1
		case 'E':
			i.Nudge = 1
		}
	}
	i.Auto = in.Auto
	s.slope = v.slope
	s.step(i)
}

// Panel returns what is beside the game.
func (v *view) Panel() stage.Panel {
	s := v.scene
	return stage.Panel{
		Buttons: []stage.Button{
			{Key: 'Q', Label: "nudge left", On: s.tilted}, {Key: 'E', Label: "nudge right", On: s.tilted},
		},
		Sliders: []stage.Slider{{Name: "slope", Value: &v.slope, Min: 0.5, Max: 4, Step: 0.05, Unit: "m/s²"}},
		Lines: []string{
			fmt.Sprintf("score  %s", stage.Count(s.score)),
			fmt.Sprintf("best  %s", stage.Count(s.best)),
			fmt.Sprintf("balls  %d", s.balls),
			fmt.Sprintf("ramps  %d", s.ramps),
		},
		Hint: "Arrows left and right, or a touch or click on either half: flippers. Space, arrow down, or a touch " +
			"while the ball waits: plunger. Q and E nudge the table; too many nudges switch the flippers off. " +
			"Drag and throw the ball, for no points.",
		Physics: s.physics, World: s.world, Space: true,
	}
}

// Background returns the colour around the table.
func (v *view) Background() color.NRGBA { return stage.RGB(0x14171c) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("pinball: %d ticks, %d games, best score %d, %d ramps, %d impacts",
		s.ticks, s.games, s.best, s.ramps, s.impacts)
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "flippers, bumpers, a spinner and a ramp"
}

// Draw draws the table and the ball.
func (v *view) Draw(c *stage.Canvas) {
	s := v.scene
	cam := camera(c.W, c.H, c.Scale)
	cam.Zero.X += s.jolt * 0.006 * cam.Zoom
	m := cam.Zoom
	polygon := func(points []collide.Vec3, col color.NRGBA) {
		var at []stage.Pt
		for _, p := range points {
			at = append(at, cam.At(p))
		}
		c.Poly(at, col)
	}
	path := func(points []collide.Vec3, wide float64, col color.NRGBA) {
		for k := 1; k < len(points); k++ {
			c.Line(cam.At(points[k-1]), cam.At(points[k]), wide*m, col)
		}
	}
	floor := stage.Mix(stage.RGB(0x1d2b4d), stage.RGB(0x35549c), s.flash)
	frame := outline()
	frame[0].Y, frame[len(frame)-1].Y = -0.08, -0.08 // below the picture
	path(frame, 0.05, stage.RGB(0x6b4a2f))
	polygon(frame, floor)
	v.decorate(c, cam)
	for _, r := range rails() {
		for k := range r {
			r[k].Y = max(r[k].Y, -0.03)
		}
		path(r, thick, stage.RGB(0xc9d1dc))
	}
	path(gate(), 0.004, stage.RGB(0xf2c14e))
	v.drawParts(c, cam)
	at := c.Pose(s.physics, s.ball)
	if !s.onRamp {
		v.drawBall(c, cam, at)
	}
	walls := [2][]collide.Vec3{beside(ramp(), rampHalf), beside(ramp(), -rampHalf)}
	for k := 1; k < len(walls[0]); k++ {
		side := []collide.Vec3{walls[0][k-1], walls[0][k], walls[1][k], walls[1][k-1]}
		polygon(side, stage.Alpha(stage.RGB(0x57c4a0), 0.25))
	}
	for _, wall := range walls {
		path(wall, 0.005, stage.Alpha(stage.RGB(0xa9ead2), 0.9))
	}
	if s.onRamp {
		v.drawBall(c, cam, at)
	}
	c.Debug(s.physics, s.world, cam)
	v.drawScore(c, cam)
}

// decorate draws what is painted on the table.
func (v *view) decorate(c *stage.Canvas, cam stage.Camera) {
	s, m := v.scene, cam.Zoom
	for k, p := range lightPlaces {
		col := stage.RGB(0x4a5d8c)
		if s.lights[k] {
			col = stage.RGB(0xf2c14e)
			c.Glow(cam.At(p), 0.012*m, 0.02*m, stage.Alpha(col, 0.6))
		}
		c.Disc(cam.At(p), 0.012*m, col)
	}
	for k := range 9 {
		col := stage.RGB(0x31456f)
		if k < s.multiplier {
			col = stage.RGB(0xee7a1f)
		}
		sin, cos := math.Sincos(math.Pi * (1 + float64(k)/8))
		c.Disc(cam.At(collide.Vec2(field/2+0.075*cos, 0.40+0.075*sin)), 0.008*m, col)
	}
	c.Text(fmt.Sprintf("x%d", s.multiplier), cam.At(collide.Vec2(field/2, 0.385)), 0.045*m/c.Scale, stage.Bold,
		stage.Center, stage.RGB(0x8fa6dc))
	for k := range 3 { // arrows to the ramp
		p := mouth.Add(collide.Vec2(0, -0.03-0.022*float64(k)))
		c.Line(cam.At(p.Add(collide.Vec2(-0.012, -0.008))), cam.At(p), 0.004*m, stage.RGB(0x57c4a0))
		c.Line(cam.At(p.Add(collide.Vec2(0.012, -0.008))), cam.At(p), 0.004*m, stage.RGB(0x57c4a0))
	}
}

// drawParts draws slingshots, bumpers, the spinner, the plunger and the flippers.
func (v *view) drawParts(c *stage.Canvas, cam stage.Camera) {
	s, m := v.scene, cam.Zoom
	for e := range slingsOf.Iter(s.world) {
		d := sling.Get(e)
		glow := s.glow[e.Entity()]
		var at []stage.Pt
		for _, p := range d.Points {
			at = append(at, cam.At(p))
		}
		c.Poly(at, stage.Mix(stage.RGB(0x8b2f3f), stage.RGB(0xff8a5c), glow))
		for k := range at {
			c.Line(at[k], at[(k+1)%3], 0.004*m, stage.RGB(0xf0d0c8))
		}
	}
	for e := range bumpersOf.Iter(s.world) {
		p := cam.At(components.Transform.Get(e).Position)
		glow := s.glow[e.Entity()]
		c.Glow(p, bumperRadius*m, 0.03*m, stage.Alpha(stage.RGB(0xff6b5e), 0.15+0.7*glow))
		c.Disc(p, bumperRadius*m, stage.RGB(0xe7ecf2))
		c.Disc(p, bumperRadius*0.78*m, stage.Mix(stage.RGB(0xd63c41), stage.RGB(0xffe08a), glow))
		c.Disc(p, bumperRadius*0.3*m, stage.RGB(0xe7ecf2))
	}
	for _, p := range []collide.Vec3{mouth.Add(collide.Vec2(-rampPost, 0)), mouth.Add(collide.Vec2(rampPost, 0))} {
		c.Disc(cam.At(p), 0.006*m, stage.RGB(0xf2c14e))
	}
	turned := func(q collide.Quat, at, p collide.Vec3) stage.Pt { return cam.At(at.Add(q.Rotate(p))) }
	pose := c.Pose(s.physics, s.spinner)
	arm := collide.Vec2(0.036, 0)
	c.Line(turned(pose.Rotation, pose.Position, arm.Neg()), turned(pose.Rotation, pose.Position, arm), 0.008*m,
		stage.Mix(stage.RGB(0x9fc3ff), stage.RGB(0xffffff), s.glow[s.spinner.Entity()]))
	c.Disc(cam.At(spinnerPlace), 0.006*m, stage.RGB(0x3b82d6))
	pose = c.Pose(s.physics, s.plunger)
	top, bottom := pose.Position.Add(collide.Vec2(0, 0.05)), collide.Vec2(lane, -0.03)
	c.Line(cam.At(top.Sub(collide.Vec2(0, 0.012))), cam.At(bottom), 0.012*m, stage.RGB(0x8d99a8))
	c.Line(cam.At(top.Add(collide.Vec2(-0.014, -0.004))), cam.At(top.Add(collide.Vec2(0.014, -0.004))), 0.008*m,
		stage.RGB(0xe5484d))
	for _, e := range [2]*donburi.Entry{s.left, s.right} {
		pose := c.Pose(s.physics, e)
		shape := components.CapsuleCollider.Get(e)
		a, b := turned(pose.Rotation, pose.Position, shape.A), turned(pose.Rotation, pose.Position, shape.B)
		c.Line(a, b, 2*flipperRadius*m, stage.RGB(0xf2c14e))
		c.Disc(a, 0.45*flipperRadius*m, stage.RGB(0x8a5a10))
	}
}

// drawBall draws the ball.
func (v *view) drawBall(c *stage.Canvas, cam stage.Camera, at components.TransformData) {
	p, r := cam.At(at.Position), radius*cam.Zoom
	c.Glow(p.Add(stage.Pt{X: 0.2 * r, Y: 0.3 * r}), r, 0.5*r, stage.Alpha(stage.RGB(0x000000), 0.35))
	c.Disc(p, r, stage.RGB(0x9aa7b6))
	c.Disc(p.Sub(stage.Pt{X: 0.12 * r, Y: 0.14 * r}), 0.8*r, stage.RGB(0xdfe6ee))
	c.Disc(p.Sub(stage.Pt{X: 0.3 * r, Y: 0.35 * r}), 0.3*r, stage.RGB(0xffffff))
}

// drawScore draws the line above the table.
func (v *view) drawScore(c *stage.Canvas, cam stage.Camera) {
	s := v.scene
	size := max(0.05*cam.Zoom/c.Scale, 13)
	p := cam.At(collide.Vec2(width/2, height+0.055))
	text, col := stage.Count(s.score), stage.RGB(0xf2c14e)
	if s.tilted {
		text, col = "TILT", stage.RGB(0xff5c5c)
	}
	c.Text(text, stage.Pt{X: p.X, Y: p.Y}, size, stage.Bold, stage.Center, col)
	for k := range s.balls - 1 {
		at := cam.At(collide.Vec2(0.02+0.034*float64(k), 0))
		c.Disc(stage.Pt{X: at.X, Y: p.Y}, 0.012*cam.Zoom, stage.RGB(0xdfe6ee))
	}
}
