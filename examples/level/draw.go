package level

import (
	"fmt"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/hero"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	scene   *scene
	pad     stage.Pad
	hand    stage.Hand
	painter *painter
}

// New returns the example. The game is the same for every seed.
func New(uint64) stage.Game { return &view{hand: stage.Hand{Fastest: 15}} }

// Reset begins a new game.
func (v *view) Reset() {
	if v.scene == nil {
		v.scene = newScene()
		return
	}
	v.scene.restart()
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	c := v.pad.Read(v.drag(in))
	v.scene.step(input{
		Move: collide.Vec2(c.Move.X, c.Move.Y), Jump: c.Jump, Turn: collide.Vec2(c.Look.X, c.Look.Y), Auto: in.Auto,
	})
}

// drag lets a pointer that was pressed on a crate or a ball drag it. All others are left to the
// camera and to the pad.
func (v *view) drag(in stage.Input) stage.Input {
	s, look := v.scene, v.scene.look()
	zoom := in.H / 2 / math.Tan(angleOf(in.W, in.H)/2) // pixels per metre at a distance of one metre
	return v.hand.Grab(in, func(at stage.Pt, held bool) bool {
		ray := look.Rotate(collide.Vec3{X: (at.X - in.W/2) / zoom, Y: (in.H/2 - at.Y) / zoom, Z: -1})
		return v.hand.DragThrough(s.physics, s.world, s.eye, ray, look.Rotate(collide.Vec3{Z: -1}), held,
			func(e donburi.Entity) bool { return e != s.hero.Entity() })
	})
}

// look returns the rotation from the eye to the world.
func (s *scene) look() collide.Quat {
	return collide.RotationAround(collide.Vec3{Y: 1}, s.yaw).Mul(collide.RotationAround(collide.Vec3{X: 1}, -s.pitch))
}

// angleOf returns the vertical angle of view. What is high and narrow shows as much from left to
// right as a square.
func angleOf(w, h float64) float64 {
	angle := math.Pi / 3
	if h > w {
		angle = 2 * math.Atan(math.Tan(angle/2)*math.Min(h/w, 1.6))
	}
	return angle
}

// clock formats ticks as seconds.
func clock(ticks int) string { return fmt.Sprintf("%.1f s", float64(ticks)*stepSeconds) }

// Panel returns what is beside the game.
func (v *view) Panel() stage.Panel {
	s := v.scene
	st := &s.character().State
	return stage.Panel{
		Lines: []string{
			fmt.Sprintf("stars  %d of %d", s.all-len(s.stars), s.all),
			fmt.Sprintf("goals  %d of %d", min(s.goals, goalsToWin), goalsToWin),
			"time  " + clock(s.time),
			"state  " + hero.Ground(st.Ground),
			fmt.Sprintf("speed  %.1f m/s", st.Velocity.Length()),
			fmt.Sprintf("triangles  %s", stage.Count(s.triangles())),
		},
		Hint: "Arrows or WASD run, space jumps, drag turns the camera, or throws the crate or ball it began on. " +
			"Gamepad: two sticks and the lower button. Touch: the left thumb runs, the right thumb turns the " +
			"camera, the disc jumps.",
		Physics: s.physics, World: s.world,
		Space: true,
	}
}

// triangles returns how many triangles the level has for physics.
func (s *scene) triangles() (n int) {
	for i := range s.level.Objects {
		if m, ok := s.level.Objects[i].Shape.(*collide.Mesh); ok {
			n += m.Triangles()
		}
	}
	return n
}

// Background returns the colour of the sky.
func (v *view) Background() color.NRGBA { return stage.RGB(0x9fd0ee) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("level: %d ticks, %d of %d stars, %d goals, %d kicks, %d falls",
		s.ticks, s.all-len(s.stars), s.all, s.goals, s.kicks, s.falls)
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "a level in a glTF file: ramps, stars, balls to kick"
}

// Draw draws the game.
func (v *view) Draw(c *stage.Canvas) {
	s := v.scene
	look, angle := s.look(), angleOf(c.W, c.H)
	if c.Image != nil {
		v.drawWorld(c, look, angle)
	}
	c.DebugView(s.physics, s.world, s.eye, look, angle)
	v.drawTexts(c)
	v.pad.Draw(c)
}

// drawWorld draws the world as the camera sees it.
func (v *view) drawWorld(c *stage.Canvas, look collide.Quat, angle float64) {
	if v.painter == nil {
		v.painter = newPainter()
	}
	p, s := v.painter, v.scene
	p.look(s.eye, look, angle, c.W, c.H)

	// Shadows come first: they are flat, and in front of nothing but the ground.
	var balls []components.TransformData
	for _, e := range s.balls {
		balls = append(balls, c.Pose(s.physics, e))
	}
	for _, at := range v.shadows(balls) {
		p.add("shadow", at, false)
	}
	for i := range p.moving {
		p.moving[i].distance = math.Inf(1)
	}
	if s.eye.Distance(s.target()) > 1.2 {
		feet := s.at().Sub(collide.Vec3{Y: heroHeight / 2})
		if s.character().OnGround() {
			feet.Y += 0.06 * math.Abs(math.Sin(s.stride*3)) // it hops as it runs
		}
		turn := collide.RotationAround(collide.Vec3{Y: 1}, s.facing)
		p.add("hero", components.TransformData{Position: feet, Rotation: turn}, false)
	}
	for _, at := range balls {
		p.add("ball", at, false)
	}
	spin := collide.RotationAround(collide.Vec3{Y: 1}, float64(s.ticks)*0.05)
	for i, at := range s.stars {
		at.Y += 0.1 * math.Sin(float64(s.ticks)*0.06+float64(i))
		p.add("star", components.TransformData{Position: at, Rotation: spin}, false)
	}
	for _, e := range s.crates {
		p.add("crate", *components.Transform.Get(e), true)
	}
	for _, l := range s.lifts {
		p.add(l.Name, *components.Transform.Get(l.Entry), true)
	}
	c.Flush()
	p.draw(c.Image)
}

// shadows returns the places of the shadows of what may be in the air, on what is below.
func (v *view) shadows(balls []components.TransformData) (all []components.TransformData) {
	s := v.scene
	below := func(from collide.Vec3) {
		hit, ok := s.physics.RayCast(from, collide.Vec3{Y: -1}, 12, systems.Filter{
			Accept: func(e donburi.Entity) bool { return s.world.Entry(e).HasComponent(components.ShapeCollider) },
		})
		if !ok {
			return
		}
		// From level to the slope of the ground.
		axis := collide.Vec3{Y: 1}.Cross(hit.Normal)
		turn := collide.RotationAround(axis, math.Acos(min(hit.Normal.Y, 1)))
		all = append(all, components.TransformData{Position: hit.Point.AddScaled(0.03, hit.Normal), Rotation: turn})
	}
	below(s.at())
	for _, b := range balls {
		below(b.Position)
	}
	return all
}

// drawTexts draws the score, and what there is to do.
func (v *view) drawTexts(c *stage.Canvas) {
	s, p := v.scene, c.Scale
	paper := color.NRGBA{0x1d, 0x26, 0x33, 190}
	score := fmt.Sprintf("%d / %d stars   %d / %d goals   %s", s.all-len(s.stars), s.all, min(s.goals, goalsToWin),
		goalsToWin,
		clock(s.time))
	wide := c.TextWidth(score, 14, stage.Bold)
	c.Box(stage.Rect{X: 8 * p, Y: 8 * p, W: wide + 20*p, H: 24 * p}, 8*p, paper)
	c.Text(score, stage.Pt{X: 18 * p, Y: 20 * p}, 14, stage.Bold, stage.Left, stage.RGB(0xf4c542))
	lines := c.Wrap(s.hint(), 14, c.W-60*p)
	if len(lines) == 0 {
		return
	}
	wide = 0
	for _, line := range lines {
		wide = max(wide, c.TextWidth(line, 14, stage.Regular))
	}
	top := 40 * p
	c.Box(stage.Rect{X: c.W/2 - wide/2 - 12*p, Y: top, W: wide + 24*p, H: (float64(len(lines))*19 + 10) * p}, 8*p,
		paper)
	for i, line := range lines {
		c.Text(line, stage.Pt{X: c.W / 2, Y: top + (float64(i)*19+14.5)*p}, 14, stage.Regular, stage.Center,
			stage.RGB(0xfff6e6))
	}
}
