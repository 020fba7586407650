package debugdraw

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	"github.com/yohamta/donburi/filter"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Layers is a set of what to draw.
type Layers uint16

// What can be drawn, to be joined with |. Shapes are green if dynamic, dark green if asleep, blue
// if kinematic, grey if static, and yellow if they are sensors.
const (
	Shapes     Layers = 1 << iota // colliders
	Contacts                      // points at which things touch, and the normals there
	Impacts                       // impacts of the last step, larger for larger impulses than others
	Velocities                    // where a body will be in a tenth of a second
	Paths                         // the way within the last step, with a dot at each impact
	Cells                         // cells of the broadphase's grid that have bodies in them
	Islands                       // bodies that are connected by contacts, in a colour for each island
	Numbers                       // figures of the last step, as text

	// Default is what New sets.
	Default = Shapes | Contacts | Impacts | Velocities

	// All is everything.
	All = Shapes | Contacts | Impacts | Velocities | Paths | Cells | Islands | Numbers
)

// Drawer draws the world of one physics.
type Drawer struct {
	// Show is what to draw. It may change at any time.
	Show Layers

	// GeoM maps the plane z = 0 of the world to the screen, if Camera is nil: the zero value draws
	// worlds in pixels as they are. For a world in metres with Y up it scales by the pixels in a
	// metre, mirrors Y and moves the origin. With a Camera it moves and scales what the Camera
	// shows.
	GeoM ebiten.GeoM

	// Camera draws the world in three dimensions. With nil it is drawn flat.
	Camera *Camera

	// Interpolate draws spheres and surfaces where [systems.Physics.Interpolated] says, as games do
	// that call Advance. Contacts, paths and cells are those of the end of the step.
	Interpolate bool

	// LineWidth is the width of lines in pixels; 0 stands for 1.5.
	LineWidth float64

	physics *systems.Physics
	canvas  canvas
	page    *image.RGBA                       // Numbers
	written *ebiten.Image                     // page on the graphics card
	parents map[donburi.Entity]donburi.Entity // islands: for each body another one of its island, or itself
}

// New returns a Drawer that shows [Default].
func New(physics *systems.Physics) *Drawer { return &Drawer{Show: Default, physics: physics} }

// Draw draws the world of game on screen. It is a renderer for ecs.ECS.AddRenderer.
func (d *Drawer) Draw(game *ecs.ECS, screen *ebiten.Image) { d.DrawWorld(game.World, screen) }

// DrawWorld draws world on screen, for games without an ecs.ECS.
func (d *Drawer) DrawWorld(world donburi.World, screen *ebiten.Image) {
	bounds := screen.Bounds()
	d.canvas.left, d.canvas.top = float64(bounds.Min.X), float64(bounds.Min.Y)
	d.collect(world, float64(bounds.Dx()), float64(bounds.Dy()))
	d.canvas.flush(screen)
	if d.Show&Numbers != 0 {
		d.write(screen, d.numbers())
	}
}

// write writes a text into the top left corner of screen. Package text/v2 of Ebitengine could, but
// it adds a megabyte to a packed program for browsers.
func (d *Drawer) write(screen *ebiten.Image, text string) {
	const letter, lineHeight, border = 7, 14, 4
	lines := strings.Split(text, "\n")
	size := image.Pt(0, (len(lines)+1)*lineHeight)
	for _, line := range lines {
		size.X = max(size.X, (len(line)+2)*letter)
	}
	if d.page == nil || !size.In(d.page.Rect) {
		d.page, d.written = image.NewRGBA(image.Rectangle{Max: size.Mul(2)}), ebiten.NewImage(2*size.X, 2*size.Y)
	}
	clear(d.page.Pix)
	pen := font.Drawer{Dst: d.page, Src: image.White, Face: basicfont.Face7x13}
	for i, line := range lines {
		pen.Dot = fixed.P(border, lineHeight*(i+1))
		pen.DrawString(line)
	}
	d.written.WritePixels(d.page.Pix)
	corner := screen.Bounds().Min
	var o ebiten.DrawImageOptions
	o.GeoM.Translate(float64(corner.X), float64(corner.Y))
	screen.DrawImage(d.written, &o)
}

// The colours. They are pre-multiplied by their opacity.
var (
	dynamicColor   = color.RGBA{90, 220, 110, 255}
	asleepColor    = color.RGBA{55, 95, 70, 255}
	kinematicColor = color.RGBA{90, 150, 255, 255}
	staticColor    = color.RGBA{150, 150, 160, 255}
	sensorColor    = color.RGBA{210, 190, 60, 255}
	errorColor     = color.RGBA{255, 60, 60, 255}
	contactColor   = color.RGBA{255, 90, 200, 255}
	impactColor    = color.RGBA{255, 160, 40, 255}
	velocityColor  = color.RGBA{120, 220, 255, 255}
	pathColor      = color.RGBA{255, 255, 255, 255}
	cellColor      = color.RGBA{60, 60, 90, 110}
)

var (
	spheres = donburi.NewQuery(filter.Contains(components.Transform, components.SphereCollider))
	bodies  = donburi.NewQuery(filter.And(filter.Contains(components.Transform), filter.Or(
		filter.Contains(components.SphereCollider),
		filter.Contains(components.ShapeCollider, components.Velocity, components.Body))))
	others = donburi.NewQuery(filter.And(filter.Contains(components.Transform), filter.Or(
		filter.Contains(components.PlaneCollider), filter.Contains(components.PolygonCollider),
		filter.Contains(components.CapsuleCollider), filter.Contains(components.ShapeCollider))))
)

// collect collects the lines of what is shown on a screen of the given size, pixels.
func (d *Drawer) collect(world donburi.World, width, height float64) {
	c := &d.canvas
	c.begin(d.Camera, d.GeoM, width, height, d.LineWidth)
	if d.Show&Cells != 0 {
		d.drawCells(world)
	}
	if d.Show&Shapes != 0 {
		others.Each(world, d.drawSurface)
		spheres.Each(world, d.drawSphere)
	}
	if d.Show&Islands != 0 {
		d.drawIslands(world)
	}
	if d.Show&Paths != 0 {
		bodies.Each(world, d.drawPath)
	}
	if d.Show&Velocities != 0 {
		bodies.Each(world, d.drawVelocity)
	}
	if d.Show&Contacts != 0 {
		bodies.Each(world, d.drawContacts)
	}
	if d.Show&Impacts != 0 {
		most := 0.0
		for hit := range d.physics.Impacts() {
			most = max(most, hit.Impulse)
		}
		for hit := range d.physics.Impacts() {
			c.star(hit.Point, 2+6*hit.Impulse/max(most, math.SmallestNonzeroFloat64), impactColor)
		}
	}
}

// transform returns where to draw an entity.
func (d *Drawer) transform(e *donburi.Entry) components.TransformData {
	if d.Interpolate {
		if at, ok := d.physics.Interpolated(e.Entity()); ok {
			return at
		}
	}
	return *components.Transform.Get(e)
}

// colorOf returns the colour of an entity.
func (d *Drawer) colorOf(e *donburi.Entry) color.RGBA {
	switch {
	case e.HasComponent(components.Sensor):
		return sensorColor
	case e.HasComponent(components.KinematicGroup):
		return kinematicColor
	case !e.HasComponent(components.Velocity),
		e.HasComponent(components.Body) && components.Body.Get(e).Kind == components.Static:
		return staticColor
	case !isDynamic(e):
		return kinematicColor
	case d.physics.Asleep(e.Entity()):
		return asleepColor
	}
	return dynamicColor
}

// sizeOf returns the radius of a sphere, or half the least width of the bounds of a shape.
func sizeOf(e *donburi.Entry) float64 {
	if e.HasComponent(components.SphereCollider) {
		return components.SphereCollider.Get(e).Radius
	}
	if s := components.ShapeCollider.Get(e).Shape; s != nil {
		size := s.Bounds().Size()
		return min(size.X, size.Y, size.Z) / 2
	}
	return 0
}

// drawPath draws the way of a body in the last step.
func (d *Drawer) drawPath(e *donburi.Entry) {
	first, count := true, 0
	var last collide.Vec3
	for _, at := range d.physics.Path(e.Entity()) {
		if !first {
			d.canvas.line(last, at, pathColor)
		}
		if count++; count > 2 {
			d.canvas.dot(last, 2, pathColor)
		}
		first, last = false, at
	}
}

// drawVelocity draws the velocity of a body.
func (d *Drawer) drawVelocity(e *donburi.Entry) {
	if isBody(e) && e.HasComponent(components.Velocity) {
		if v := components.Velocity.Get(e).Linear; v != (collide.Vec3{}) {
			from := d.transform(e).Position
			d.canvas.line(from, from.AddScaled(0.1, v), velocityColor)
		}
	}
}

// drawContacts draws the contacts of a body. Those of two bodies are drawn once.
func (d *Drawer) drawContacts(e *donburi.Entry) {
	if e.HasComponent(components.Sensor) || !isBody(e) {
		return
	}
	for c := range d.physics.Contacts(e.Entity()) {
		if c.Sensor || c.Other < e.Entity() && e.World.Valid(c.Other) && isBody(e.World.Entry(c.Other)) {
			continue
		}
		d.canvas.dot(c.Point, 2.5, contactColor)
		d.canvas.line(c.Point, c.Point.AddScaled(0.6*sizeOf(e), c.Normal), contactColor)
	}
}

// isBody reports whether an entity is a sphere or a dynamic shape.
func isBody(e *donburi.Entry) bool { return e.HasComponent(components.SphereCollider) || isDynamic(e) }

// drawCells draws the grid cells that have bodies in them.
func (d *Drawer) drawCells(world donburi.World) {
	drawn := map[collide.AABB]bool{}
	bodies.Each(world, func(e *donburi.Entry) {
		if cell, ok := d.physics.Cell(e.Entity()); ok && !drawn[cell] {
			drawn[cell] = true
			d.canvas.box(cell, cellColor)
		}
	})
}

// drawIslands draws lines between the centres of bodies in contact, in a colour for each island.
func (d *Drawer) drawIslands(world donburi.World) {
	if d.parents == nil {
		d.parents = map[donburi.Entity]donburi.Entity{}
	}
	clear(d.parents)
	type link struct{ a, b donburi.Entity }
	var links []link
	bodies.Each(world, func(e *donburi.Entry) {
		if !isDynamic(e) {
			return
		}
		for c := range d.physics.Contacts(e.Entity()) {
			if !c.Sensor && c.Other > e.Entity() && world.Valid(c.Other) && isDynamic(world.Entry(c.Other)) {
				links = append(links, link{e.Entity(), c.Other})
				d.parents[d.root(e.Entity())] = d.root(c.Other)
			}
		}
	})
	slices.SortFunc(links, func(x, y link) int { return int(x.a) - int(y.a) })
	for _, l := range links {
		// The number of an island is that of one of its bodies, so colours change when islands do.
		hue := float64(uint64(d.root(l.a).Id())*0x9e3779b97f4a7c15>>40) / (1 << 24)
		d.canvas.line(
			d.transform(world.Entry(l.a)).Position, d.transform(world.Entry(l.b)).Position, hueColor(hue))
	}
}

// root returns the body that stands for the island of e.
func (d *Drawer) root(e donburi.Entity) donburi.Entity {
	for {
		p, ok := d.parents[e]
		if !ok || p == e {
			return e
		}
		e = p
	}
}

// isDynamic reports whether an entity is a dynamic body.
func isDynamic(e *donburi.Entry) bool {
	if !e.HasComponent(components.Velocity) || e.HasComponent(components.Sensor) ||
		e.HasComponent(components.KinematicGroup) || e.HasComponent(components.CharacterController) {
		return false
	}
	if !e.HasComponent(components.Body) {
		return e.HasComponent(components.SphereCollider)
	}
	return components.Body.Get(e).Kind == components.Dynamic &&
		(e.HasComponent(components.SphereCollider) || e.HasComponent(components.ShapeCollider))
}

// hueColor returns a bright colour, for a hue of 0 to 1.
func hueColor(hue float64) color.RGBA {
	channel := func(shift float64) uint8 {
		x := hue + shift
		x -= float64(int(x))
		return uint8(80 + 175*min(max(3*(1-2*max(x, 1-x))+2, 0), 1))
	}
	return color.RGBA{channel(0), channel(1.0 / 3), channel(2.0 / 3), 255}
}

// numbers returns the figures of the last step.
func (d *Drawer) numbers() string {
	s := d.physics.Stats()
	text := fmt.Sprintf("bodies %d  asleep %d  surfaces %d\nimpacts %d  pairs %d  jammed %d  blocked %d\n"+
		"ms: gather %.2f  broadphase %.2f  sweep %.2f  response %.2f  scatter %.2f",
		s.Bodies, s.Asleep, s.Surfaces, s.Impacts, s.Pairs, s.Jammed, s.Blocked,
		s.Gather.Seconds()*1e3, s.Broadphase.Seconds()*1e3, s.Sweep.Seconds()*1e3, s.Response.Seconds()*1e3,
		s.Scatter.Seconds()*1e3)
	for err := range d.physics.Errors() {
		text += "\n" + err.Error()
	}
	return text
}
