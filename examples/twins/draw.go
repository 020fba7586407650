package twins

import (
	"fmt"
	"image/color"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	scene *scene
	seed  uint64
	speed float64 // slider
	hands [2]stage.Hand
	at    collide.Vec3 // of the pointer, in either box, where it was there last
	drags bool         // the pointer is pressed, and was in a box since
}

// New returns the example.
func New(seed uint64) stage.Game { return &view{seed: seed, speed: 6} }

// Reset creates both worlds.
func (v *view) Reset() { v.scene = newScene(v.seed, v.speed) }

// cameras return the places of the two boxes: side by side, or below each other.
func cameras(w, h, s float64) (cams [2]stage.Camera) {
	box := collide.AABB{Min: collide.Vec3{X: -half, Y: -half}, Max: collide.Vec3{X: half, Y: half}}
	for i := range cams {
		area := stage.Rect{X: float64(i) * w / 2, W: w / 2, H: h - 62*s}
		if h > w {
			area = stage.Rect{Y: float64(i) * (h - 62*s) / 2, W: w, H: (h - 62*s) / 2}
		}
		cams[i] = stage.Fit(box, stage.Rect{X: area.X + 10*s, Y: area.Y + 34*s, W: area.W - 20*s, H: area.H - 40*s})
	}
	return cams
}

// Step plays one tick. The pointer drags the same ball in both worlds.
func (v *view) Step(in stage.Input) {
	if in.W > 0 {
		v.drags = v.drags && in.Held
		for _, cam := range cameras(in.W, in.H, in.Scale) {
			if at := cam.World(in.Pointer); at.MaxAbs() < half {
				v.at, v.drags = at, in.Held
			}
		}
		for i, t := range v.scene.twins {
			if v.hands[i].Drag(t.physics, t.world, v.at, 0.6, v.drags) {
				v.scene.touched = true
			}
		}
	}
	v.scene.step()
}

// Panel returns what is beside the boxes.
func (v *view) Panel() stage.Panel {
	s := v.scene
	return stage.Panel{
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: 1, Max: 100, Step: 1, Unit: "m/s", Log: true, Restart: true},
		},
		Lines: []string{
			fmt.Sprintf("steps with equal bits  %s of %s", stage.Count(s.equal), stage.Count(s.ticks)),
			"recording, amd64  " + s.recording(),
			"workers  1 and 4",
		},
		Hint:    "Drag a ball: it is dragged in both worlds, and they stay equal.",
		Physics: s.twins[1].physics, World: s.twins[1].world,
		Pointer: true,
	}
}

// Background returns the colour around the boxes.
func (v *view) Background() color.NRGBA { return stage.RGB(0x1d2126) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("twins: %d ticks, equal bits after %d of them, hash %016x, recording: %s",
		s.ticks, s.equal, s.hashes[0], s.recording())
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "different workers and order of creation, equal bits"
}

// Draw draws both boxes and their hashes.
func (v *view) Draw(c *stage.Canvas) {
	s, k := v.scene, c.Scale
	pale, good, bad := stage.RGB(0xe7ecf2), stage.RGB(0x57c4a0), stage.RGB(0xe5484d)
	col, sign := good, "="
	if s.equal < s.ticks {
		col, sign = bad, "is not"
	}
	for i, cam := range cameras(c.W, c.H, k) {
		t := s.twins[i]
		a, b := cam.At(collide.Vec3{X: -half, Y: half}), cam.At(collide.Vec3{X: half, Y: -half})
		box := stage.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}
		c.Box(box, 0, stage.RGB(0x262c35))
		for n, e := range t.balls {
			row := float64(n/columns) / columns // the colours are stripes at the beginning
			paint := stage.Mix(stage.RGB(0x3b82d6), stage.RGB(0xf2c14e), row)
			c.Disc(cam.At(c.Pose(t.physics, e).Position), radius*cam.Zoom, paint)
		}
		c.Frame(box, 0, 2*k, stage.RGB(0x5a6675))
		c.Clip(box, func() { c.Debug(t.physics, t.world, cam) })
		name := []string{"1 worker, created forwards", "4 workers, created backwards"}[i]
		c.Text(name, stage.Pt{X: (a.X + b.X) / 2, Y: a.Y - 14*k}, 14, stage.Bold, stage.Center, pale)
	}
	text := fmt.Sprintf("%016x %s %016x", s.hashes[0], sign, s.hashes[1])
	size := 20 * min(1, (c.W-20*k)/c.TextWidth(text, 20, stage.Bold))
	c.Text(text, stage.Pt{X: c.W / 2, Y: c.H - 44*k}, size, stage.Bold, stage.Center, col)
	c.Text("hashes of all positions and velocities", stage.Pt{X: c.W / 2, Y: c.H - 20*k}, 13, stage.Regular,
		stage.Center, stage.Alpha(pale, 0.75))
}
