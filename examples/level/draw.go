package level

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/systems"
	"github.com/solarlune/tetra3d"
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	scene *scene
	pad   stage.Pad
	drawn *drawing
}

// New returns the example. The game is the same for every seed.
func New(uint64) stage.Game { return &view{} }

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
	c := v.pad.Read(in)
	v.scene.step(input{
		Move: collide.Vec2(c.Move.X, c.Move.Y), Jump: c.Jump, Turn: collide.Vec2(c.Look.X, c.Look.Y), Auto: in.Auto,
	})
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
			fmt.Sprintf("goals  %d of %d", s.goals, goalsToWin),
			"time  " + clock(s.time),
			"state  " + st.Ground.String(),
			fmt.Sprintf("speed  %.1f m/s", st.Velocity.Length()),
			fmt.Sprintf("triangles  %s", stage.Count(s.triangles())),
		},
		Hint: "Arrows or WASD run, space jumps, drag turns the camera. A gamepad has two sticks and a button; on a " +
			"screen the left thumb runs, the right one looks, and the disc jumps.",
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
	s := v.scene
	return fmt.Sprintf("a level in a glTF file, drawn by tetra3d   %d of %d stars   %d goals",
		s.all-len(s.stars), s.all, s.goals)
}

// drawing is what tetra3d draws.
type drawing struct {
	scene   *tetra3d.Scene
	camera  *tetra3d.Camera
	library *tetra3d.Library
	hero    tetra3d.INode
	balls   []tetra3d.INode
	crates  []tetra3d.INode
	stars   []tetra3d.INode
	shadows []tetra3d.INode
	lifts   map[string]tetra3d.INode
}

// load reads the file for drawing. The level and the models are two of its scenes.
func load() *drawing {
	file, err := data.ReadFile("data/level.glb")
	if err != nil {
		panic("level: " + err.Error())
	}
	library, err := tetra3d.LoadGLTFData(bytes.NewReader(file), nil)
	if err != nil {
		panic("level: " + err.Error())
	}
	d := &drawing{library: library, scene: library.Scenes[0], lifts: map[string]tetra3d.INode{}}
	d.scene.World.LightingOn = false // light is in the colours
	for _, n := range d.scene.Root.Children(true) {
		if !n.Properties().Has("class") {
			continue
		}
		switch n.Properties().GetByName("class").AsString() {
		case "goal":
			n.SetVisible(false, true)
		case "lift":
			d.lifts[n.Name()] = n
		}
	}
	d.hero = d.add("hero")
	return d
}

// add adds a model to what is drawn.
func (d *drawing) add(name string) tetra3d.INode {
	n := d.library.Scenes[1].Root.Get(name).Clone()
	d.scene.Root.AddChildren(n)
	return n
}

// place puts the models of a list where things are, and hides those that are too many.
func (d *drawing) place(list *[]tetra3d.INode, model string, at []components.TransformData) {
	for len(*list) < len(at) {
		*list = append(*list, d.add(model))
	}
	for i, n := range *list {
		n.SetVisible(i < len(at), true)
		if i < len(at) {
			move(n, at[i])
		}
	}
}

// move puts a model somewhere.
func move(n tetra3d.INode, t components.TransformData) {
	p, q := t.Position, t.Rotation
	n.SetLocalPosition(float32(p.X), float32(p.Y), float32(p.Z))
	if q != (collide.Quat{}) {
		n.SetLocalRotation(tetra3d.NewQuaternion(float32(q.X), float32(q.Y), float32(q.Z), float32(q.W)).ToMatrix4())
	}
}

// Draw draws the game.
func (v *view) Draw(c *stage.Canvas) {
	if c.Image != nil {
		v.drawWorld(c)
	}
	v.drawTexts(c)
	v.pad.Draw(c)
}

// drawWorld draws the world as the camera sees it.
func (v *view) drawWorld(c *stage.Canvas) {
	if v.drawn == nil {
		v.drawn = load()
	}
	d, s := v.drawn, v.scene
	w, h := int(c.W), int(c.H)
	if d.camera == nil {
		d.camera = tetra3d.NewCamera("eye", w, h)
		d.camera.SetNear(0.1)
		d.camera.SetFar(90)
		d.scene.Root.AddChildren(d.camera)
	}
	if cw, ch := d.camera.Size(); cw != w || ch != h {
		d.camera.Resize(w, h)
	}
	// What is high and narrow shows as much from left to right as a square.
	angle := 60.0
	if h > w {
		angle = 2 * math.Atan(math.Tan(angle/2*math.Pi/180)*math.Min(float64(h)/float64(w), 1.6)) * 180 / math.Pi
	}
	d.camera.SetFieldOfView(float32(angle))
	look := collide.RotationAround(collide.Vec3{Y: 1}, s.yaw).Mul(collide.RotationAround(collide.Vec3{X: 1}, -s.pitch))
	move(d.camera, components.TransformData{Position: s.eye, Rotation: look})

	feet := s.at().Sub(collide.Vec3{Y: heroHeight / 2})
	if s.character().OnGround() {
		feet.Y += 0.06 * math.Abs(math.Sin(s.stride*3)) // it hops as it runs
	}
	move(d.hero, components.TransformData{
		Position: feet, Rotation: collide.RotationAround(collide.Vec3{Y: 1}, s.facing),
	})
	d.hero.SetVisible(s.eye.Distance(s.target()) > 1.2, true)
	for _, l := range s.lifts {
		move(d.lifts[l.name], *components.Transform.Get(l.entry))
	}
	poses := func(entries []*donburi.Entry) (all []components.TransformData) {
		for _, e := range entries {
			all = append(all, c.Pose(s.physics, e))
		}
		return all
	}
	balls := poses(s.balls)
	d.place(&d.balls, "ball", balls)
	var crates []components.TransformData
	for _, e := range s.crates {
		crates = append(crates, *components.Transform.Get(e))
	}
	d.place(&d.crates, "crate", crates)
	spin := collide.RotationAround(collide.Vec3{Y: 1}, float64(s.ticks)*0.05)
	var stars []components.TransformData
	for i, at := range s.stars {
		at.Y += 0.1 * math.Sin(float64(s.ticks)*0.06+float64(i))
		stars = append(stars, components.TransformData{Position: at, Rotation: spin})
	}
	d.place(&d.stars, "star", stars)
	d.place(&d.shadows, "shadow", v.shadows(balls))

	d.camera.ClearWithColor(tetra3d.NewColor4FromColor(v.Background()))
	d.camera.RenderScene(d.scene)
	c.Flush()
	c.Image.DrawImage(d.camera.ColorTexture(), nil)
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
