package stage

import (
	"image"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/debugdraw"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
)

// debug is what the debug drawing shows, and its drawers.
type debug struct {
	show    debugdraw.Layers
	used    bool // the example has a world that it can draw
	drawers map[*systems.Physics]*debugdraw.Drawer
}

// layers are the switches of the debug drawing.
var layers = []struct {
	label string
	layer debugdraw.Layers
}{
	{"contacts", debugdraw.Contacts | debugdraw.Impacts},
	{"paths", debugdraw.Paths | debugdraw.Velocities},
	{"cells", debugdraw.Cells},
	{"sleep", debugdraw.Shapes}, // in its colours
	{"islands", debugdraw.Islands},
}

// set switches layers of the debug drawing on.
func (d *debug) set(layers int) { d.show = debugdraw.Layers(layers) }

// Debug draws what physics knows of a flat world, as far as the panel's switches say.
func (c *Canvas) Debug(p *systems.Physics, w donburi.World, cam Camera) {
	if d := c.drawer(p); d != nil {
		d.GeoM.Reset()
		if cam.Turned {
			d.GeoM.Rotate(math.Pi / 2)
		}
		d.GeoM.Scale(cam.Zoom, -cam.Zoom)
		d.GeoM.Translate(cam.Zero.X, cam.Zero.Y)
		d.DrawWorld(w, c.Image)
	}
}

// DebugSolid draws what physics knows of a world in three dimensions.
func (c *Canvas) DebugSolid(p *systems.Physics, w donburi.World, l Lens) {
	if d := c.drawer(p); d != nil {
		look, size := Inverse(l.Turn), c.Image.Bounds().Size() // smaller than the canvas within Clip
		d.Camera = &debugdraw.Camera{
			Eye: l.Eye, Target: l.Eye.Add(look.Rotate(collide.Vec3{Z: -1})), Up: look.Rotate(collide.Vec3{Y: 1}),
			FieldOfView: 2 * math.Atan(float64(size.Y)/2/l.zoom),
		}
		d.GeoM.Reset()
		d.GeoM.Translate(l.place.X-float64(size.X)/2, l.place.Y-float64(size.Y)/2)
		d.DrawWorld(w, c.Image)
	}
}

// DebugView draws what physics knows of a world in three dimensions, as an eye sees it whose
// rotation look turns -Z to where it looks. The angle is that between bottom and top.
func (c *Canvas) DebugView(p *systems.Physics, w donburi.World, eye collide.Vec3, look collide.Quat, angle float64) {
	if d := c.drawer(p); d != nil {
		d.Camera = &debugdraw.Camera{
			Eye: eye, Target: eye.Add(look.Rotate(collide.Vec3{Z: -1})), Up: look.Rotate(collide.Vec3{Y: 1}),
			FieldOfView: angle,
		}
		d.GeoM.Reset()
		d.DrawWorld(w, c.Image)
	}
}

// Clip keeps what draw draws within an area, such as what Debug draws of endless planes and cells.
func (c *Canvas) Clip(area Rect, draw func()) {
	c.Flush()
	full := c.Image
	if full != nil {
		part := image.Rect(int(area.X), int(area.Y), int(area.X+area.W), int(area.Y+area.H))
		c.Image = full.SubImage(part).(*ebiten.Image)
	}
	draw()
	c.Flush()
	c.Image = full
}

// drawer returns what draws the world of p, or nil if no layer is switched on.
func (c *Canvas) drawer(p *systems.Physics) *debugdraw.Drawer {
	c.debug.used = true
	if c.debug.show == 0 || c.Image == nil {
		return nil
	}
	c.Flush()
	d := c.debug.drawers[p]
	if d == nil {
		if len(c.debug.drawers) >= mostWorlds { // those of scenes that have begun again
			clear(c.debug.drawers)
		}
		if c.debug.drawers == nil {
			c.debug.drawers = map[*systems.Physics]*debugdraw.Drawer{}
		}
		d = debugdraw.New(p)
		c.debug.drawers[p] = d
	}
	d.Show = c.debug.show
	return d
}

// mostWorlds is the largest number of worlds that an example draws.
const mostWorlds = 4
