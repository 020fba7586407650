package stage

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/debugdraw"
	"github.com/dango-physics/dango/systems"
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
		look := Inverse(l.Turn)
		d.Camera = &debugdraw.Camera{
			Eye: l.Eye, Target: l.Eye.Add(look.Rotate(collide.Vec3{Z: -1})), Up: look.Rotate(collide.Vec3{Y: 1}),
			FieldOfView: 2 * math.Atan(c.H/2/l.zoom),
		}
		d.GeoM.Reset()
		d.GeoM.Translate(l.place.X-c.W/2, l.place.Y-c.H/2)
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
