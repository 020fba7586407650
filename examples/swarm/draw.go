package swarm

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
)

// view shows a scene.
type view struct {
	scene        *scene
	seed         uint64
	speed, count float64 // sliders
	was          float64 // count in the last tick: another one was chosen by hand
	adapts       bool    // the number of bodies, to the machine
	want         int     // number of bodies
	load         float64
	seen         collide.Vec3 // half of what the camera shows, which follows the box
	grabs        bool         // the pointer drags bodies, and doesn't pull the swarm
	hand         stage.Hand
}

// New returns the example.
func New(seed uint64) stage.Game {
	return &view{seed: seed, speed: 8, count: firstBodies, was: firstBodies, adapts: true}
}

// Reset begins with a few bodies again.
func (v *view) Reset() {
	v.want = int(v.count)
	v.scene = newScene(v.seed, v.want, v.speed)
	v.seen = v.scene.half
}

func (v *view) camera(w, h, s float64) stage.Camera {
	box := collide.AABB{Min: v.seen.Scale(-1.02), Max: v.seen.Scale(1.02)}
	return stage.Fit(box, stage.Rect{X: 6 * s, Y: 40 * s, W: w - 12*s, H: h - 46*s})
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	if strings.Contains(in.Typed, "G") {
		v.grabs = !v.grabs
	}
	i := input{Pull: in.Held && !v.grabs}
	cam := v.camera(in.W, in.H, in.Scale)
	if in.W > 0 {
		i.At = cam.World(in.Pointer)
	}
	v.hand.Fastest = 60
	v.hand.Grab(in, func(at stage.Pt, held bool) bool {
		return v.hand.Drag(v.scene.physics, v.scene.world, cam.World(at), 14*in.Scale/cam.Zoom, held && v.grabs)
	})
	if in.Auto {
		t := float64(v.scene.ticks) * stepSeconds
		i.Pull = math.Mod(t, 6) > 3
		i.At = collide.Vec3{X: 0.6 * v.scene.half.X * math.Cos(t), Y: 0.6 * v.scene.half.Y * math.Sin(1.3*t)}
	}
	v.load = in.Load
	n := len(v.scene.bodies)
	v.adapts = v.adapts && v.count == v.was
	if strings.Contains(in.Typed, "B") {
		if v.adapts = !v.adapts; !v.adapts {
			v.count = float64(n)
		}
	}
	v.was = v.count
	if !v.adapts {
		v.want = int(v.count)
	} else if in.Pace > 0 {
		v.want = in.Adapt(n, leastBodies, mostBodies)
	}
	i.Want = min(max(v.want, n-n/25-1), n+n/50+1) // a change takes half a second
	v.scene.speed = v.speed
	v.scene.step(i)
	v.seen = v.seen.Lerp(v.scene.half, 0.05)
}

// Panel returns what is beside the swarm.
func (v *view) Panel() stage.Panel {
	s := v.scene
	return stage.Panel{
		Buttons: []stage.Button{
			{Key: 'B', Label: "best number", On: v.adapts}, {Key: 'G', Label: "grab", On: v.grabs},
		},
		Sliders: []stage.Slider{
			{Name: "speed", Value: &v.speed, Min: 1, Max: 200, Step: 1, Unit: "m/s", Log: true},
			{Name: "count", Value: &v.count, Min: leastBodies, Max: mostBodies, Step: 100, Log: true},
		},
		Lines: []string{
			fmt.Sprintf("bodies  %s", stage.Count(len(s.bodies))),
			fmt.Sprintf("impacts a step  %s", stage.Count(s.physics.Stats().Impacts)),
			fmt.Sprintf("busy  %.0f %% of 1/60 s", 100*v.load),
		},
		Hint: "Press and hold to pull the swarm. With grab, drag and throw a body. The number of bodies adapts, so " +
			"that 60 steps a second hold, unless the slider has changed it.",
		Physics: s.physics, World: s.world,
		Pointer: true,
	}
}

// Background returns the colour around the box.
func (v *view) Background() color.NRGBA { return stage.RGB(0x171b21) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("swarm: %d ticks, %d bodies, %d impacts", s.ticks, len(s.bodies), s.impacts)
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "hold to pull the bodies; their number adapts to the machine"
}

// Draw draws the bodies, the faster the brighter.
func (v *view) Draw(c *stage.Canvas) {
	s := v.scene
	cam := v.camera(c.W, c.H, c.Scale)
	a, b := cam.At(collide.Vec3{X: -s.half.X, Y: s.half.Y}), cam.At(collide.Vec3{X: s.half.X, Y: -s.half.Y})
	c.Frame(stage.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}, 0, 2*c.Scale, stage.RGB(0x5a6675))
	slow, middle, fast := stage.RGB(0x2f4f8f), stage.RGB(0x57c4a0), stage.RGB(0xf2e3b3)
	for _, e := range s.bodies {
		u := components.Velocity.Get(e).Linear.Length() / 30
		col := stage.Mix(slow, middle, min(2*u, 1))
		if u > 0.5 {
			col = stage.Mix(middle, fast, min(2*u-1, 1))
		}
		c.Disc(cam.At(c.Pose(s.physics, e).Position), components.SphereCollider.Get(e).Radius*cam.Zoom, col)
	}
	c.Debug(s.physics, s.world, cam)
	text := stage.Count(len(s.bodies)) + " bodies"
	c.Text(text, stage.Pt{X: c.W / 2, Y: 21 * c.Scale}, 22, stage.Bold, stage.Center, stage.RGB(0xe7ecf2))
}
