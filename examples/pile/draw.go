package pile

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/yohamta/donburi"
)

// view shows a scene.
type view struct {
	seed    uint64
	limited bool // balls were removed, or are not poured, because the machine can't do more
	// sliders
	restitution, friction, weight, turn, height float64

	scene   *scene
	spheres stage.Spheres
	grabs   bool // the pointer drags balls, and doesn't stir
	hand    stage.Hand
	items   []item
	cover   cover
}

// item is a sphere to be drawn.
type item struct {
	at     stage.Pt
	radius float64 // pixels
	depth  float64 // pixels per metre; larger is nearer
	col    color.NRGBA
	turn   collide.Quat
	stirs  bool
	seen   stage.Rect // the part that is not hidden
}

// The colours.
var (
	night = stage.RGB(0x1d2126)
	back  = stage.RGB(0x343d49)
	side  = stage.RGB(0x2b333e)
	floor = stage.RGB(0x3d4754)
	edge  = stage.RGB(0x8fa0b5)
	steel = stage.RGB(0xc9d3df)
)

// binHeight is the visible height of the walls, in metres.
const binHeight = 1.3

// New returns the example.
func New(seed uint64) stage.Game {
	return &view{
		seed: seed, restitution: bounce, friction: grip, weight: 1, height: 24, spheres: stage.Spheres{Halo: 0.35},
	}
}

// Reset empties the bin.
func (v *view) Reset() { v.scene = newScene(v.seed) }

// Background returns the colour of the room.
func (v *view) Background() color.NRGBA { return night }

// corner returns a corner of the bin: each of x, y and z is -1 or 1, or for y 0.
func corner(x, y, z float64) collide.Vec3 {
	return collide.Vec3{X: x * binX, Y: y * binHeight, Z: z * binZ}
}

// lens returns the lens for a canvas of that size. It zooms out while the bin leans.
func (v *view) lens(w, h, s float64) stage.Lens {
	var points []collide.Vec3
	for _, x := range []float64{-1, 1} {
		for _, y := range []float64{0, 1} {
			for _, z := range []float64{-1, 1} {
				points = append(points, corner(x, y, z), v.scene.shown(corner(x, y, z)))
			}
		}
	}
	const degree = math.Pi / 180
	return stage.NewLens(collide.Vec3{Y: 0.7}, 4.6, v.turn*degree, v.height*degree, points,
		stage.Rect{X: 12 * s, Y: 12 * s, W: w - 24*s, H: h - 24*s})
}

// shown returns the position of a point of the bin in the room, with the tilt and shaking of the
// bin.
func (s *scene) shown(v collide.Vec3) collide.Vec3 {
	return s.tilt().Rotate(v.Sub(axis)).Add(axis)
}

// axis is the axis of the tilt.
var axis = collide.Vec3{Y: pivot}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	i := input{Keys: in.Typed, Lean: collide.Vec3{X: in.Move.X, Z: -in.Move.Y}, Auto: in.Auto}
	if strings.Contains(in.Typed, "G") {
		v.grabs = !v.grabs
	}
	if in.W > 0 && !v.grabs && (!in.Touch || in.Held) {
		i.At, i.Stir = v.under(in)
		i.Down = in.Held
	}
	if n := len(v.scene.balls); n > 0 {
		i.Drop = max(n-in.Adapt(n, firstBalls/4, mostBalls), 0)
	}
	if i.Drop > 0 || in.Load > 0.8 && v.scene.waiting > 0 {
		v.scene.waiting, v.limited = 0, true
	} else if in.Pace > 1 {
		v.limited = false
	}
	v.scene.tune(v.restitution, v.friction, v.weight)
	v.drag(in)
	v.scene.step(i)
}

// Panel returns what is beside the bin.
func (v *view) Panel() stage.Panel {
	s, most := v.scene, ""
	if v.limited {
		most = " at 60 steps/s"
	}
	return stage.Panel{
		Buttons: []stage.Button{
			{Key: 'F', Label: "pour", On: s.waiting > 0},
			{Key: 'T', Label: "tilt", On: s.lean.Length() > 0.02},
			{Key: 'X', Label: "shake", On: s.shaking > 0},
			{Key: 'G', Label: "grab", On: v.grabs},
		},
		Sliders: []stage.Slider{
			{Name: "restitution", Value: &v.restitution, Min: 0, Max: 1, Step: 0.05},
			{Name: "friction", Value: &v.friction, Min: 0, Max: 1, Step: 0.05},
			{Name: "gravity", Value: &v.weight, Min: 0, Max: 3, Step: 0.1, Unit: "g"},
			{Name: "camera", Value: &v.turn, Min: -180, Max: 180, Step: 5, Unit: "°"},
			{Name: "elevation", Value: &v.height, Min: 5, Max: 80, Step: 1, Unit: "°"},
		},
		Lines: []string{
			fmt.Sprintf("balls%s  %s", most, stage.Count(len(s.balls))),
			fmt.Sprintf("fastest  %.4f m/s", s.fastest),
			fmt.Sprintf("overlap now  %s radii", stage.Small(s.overlap/leastRadius)),
			fmt.Sprintf("worst overlap  %s radii", stage.Small(s.worstOverlap/leastRadius)),
		},
		Hint: "Move the pointer to stir, and press it to push the stirrer into the pile. With grab, drag and throw " +
			"balls. Arrows tilt the box. The number of balls adapts, so that 60 steps a second hold.",
		Physics: s.physics, World: s.world,
		Pointer: true,
	}
}

// sight returns where the eye is in the frame of the bin, and the direction to what is under a
// point of the canvas.
func (v *view) sight(in stage.Input, p stage.Pt) (from, ray collide.Vec3) {
	turn, l := stage.Inverse(v.scene.tilt()), v.lens(in.W, in.H, in.Scale)
	return turn.Rotate(l.Eye.Sub(axis)).Add(axis), turn.Rotate(l.Ray(p))
}

// drag lets the pointer drag a ball: in the plane of the canvas at the ball's distance.
func (v *view) drag(in stage.Input) {
	s := v.scene
	from, ray := v.sight(in, in.Pointer)
	_, ahead := v.sight(in, stage.Pt{X: in.W / 2, Y: in.H / 2})
	v.hand.DragThrough(s.physics, s.world, from, ray, ahead, v.grabs && in.Held && in.W > 0,
		func(e donburi.Entity) bool { return s.world.Entry(e).HasComponent(ball) })
}

// under returns the point of the pile under the pointer, or false if it is far outside of the bin.
func (v *view) under(in stage.Input) (collide.Vec3, bool) {
	from, ray := v.sight(in, in.Pointer)
	if ray.Y >= 0 {
		return collide.Vec3{}, false
	}
	at := from.AddScaled((v.scene.level()-from.Y)/ray.Y, ray)
	return at, at.X*at.X < 4*binX*binX && at.Z*at.Z < 4*binZ*binZ
}

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("pile: %d ticks, %d balls, %d impacts, the fastest ball at %.2g m/s\n"+
		"worst overlap in any tick: %s of the smallest "+
		"radius", s.ticks, len(s.balls), s.impacts, s.fastest, stage.Small(s.worstOverlap/leastRadius))
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "poured, stirred, tilted and shaken: no two balls overlap"
}

// Draw draws the bin, its contents, and the text.
func (v *view) Draw(c *stage.Canvas) {
	l := v.lens(c.W, c.H, c.Scale)
	v.drawBin(c, l)
	v.drawBalls(c, l)
	v.drawGlass(c, l)
	s := v.scene
	c.DebugSolid(s.physics, s.world, l.In(s.tilt(), axis, s.shift()))
}

// at returns the position of a point of the bin on the canvas.
func (v *view) at(l stage.Lens, p collide.Vec3) stage.Pt {
	q, _ := l.At(v.scene.shown(p.Add(v.scene.shift())))
	return q
}

// drawBin draws the floor and the walls that are behind the balls.
func (v *view) drawBin(c *stage.Canvas, l stage.Lens) {
	face := func(col color.NRGBA, points ...collide.Vec3) {
		var at []stage.Pt
		for _, p := range points {
			at = append(at, v.at(l, p))
		}
		c.Poly(at, col)
	}
	face(floor, corner(-1, 0, -1), corner(1, 0, -1), corner(1, 0, 1), corner(-1, 0, 1))
	for i, w := range v.sides() {
		if v.behind(l, i) {
			face([]color.NRGBA{back, side, back, side}[i], w[:]...)
			for k := range w {
				c.Line(v.at(l, w[k]), v.at(l, w[(k+1)%4]), 1.5*c.Scale, stage.Alpha(edge, 0.55))
			}
		}
	}
}

// sides returns the corners of the four walls.
func (v *view) sides() [4][4]collide.Vec3 {
	wall := func(x0, z0, x1, z1 float64) [4]collide.Vec3 {
		return [4]collide.Vec3{corner(x0, 0, z0), corner(x1, 0, z1), corner(x1, 1, z1), corner(x0, 1, z0)}
	}
	return [4][4]collide.Vec3{wall(-1, -1, 1, -1), wall(1, -1, 1, 1), wall(1, 1, -1, 1), wall(-1, 1, -1, -1)}
}

// behind reports whether a wall is behind the balls, as seen from the eye.
func (v *view) behind(l stage.Lens, i int) bool {
	w := v.sides()[i]
	middle := v.scene.shown(w[0].Lerp(w[2], 0.5))
	inwards := v.scene.tilt().Rotate(collide.Vec3{X: -w[0].Lerp(w[2], 0.5).X, Z: -w[0].Lerp(w[2], 0.5).Z})
	return l.Eye.Sub(middle).Dot(inwards) > 0
}

// drawGlass draws the edges of the walls in front of the balls.
func (v *view) drawGlass(c *stage.Canvas, l stage.Lens) {
	for i, w := range v.sides() {
		if v.behind(l, i) {
			continue
		}
		for k := range w {
			c.Line(v.at(l, w[k]), v.at(l, w[(k+1)%4]), 2*c.Scale, stage.Alpha(edge, 0.9))
		}
	}
}

// drawBalls draws the balls from far to near. Most of a pile is hidden; hidden balls are left out.
func (v *view) drawBalls(c *stage.Canvas, l stage.Lens) {
	s := v.scene
	turn := l.Turn.Mul(s.tilt())
	v.items = v.items[:0]
	shift := s.shift()
	add := func(t *components.TransformData, radius float64, col color.NRGBA, stirs bool) {
		at, scale := l.At(s.shown(t.Position.Add(shift)))
		v.items = append(v.items, item{at, radius * scale, scale, col, turn.Mul(t.Rotation), stirs, stage.Rect{}})
	}
	level := max(s.level(), 0.3)
	for _, e := range s.balls {
		t := components.Transform.Get(e)
		// Balls deep in the pile are darker.
		light := min(max(0.78+0.22*t.Position.Y/level, 0.78), 1)
		add(
			t, components.SphereCollider.Get(e).Radius,
			stage.Mix(night, stage.RGB(paints[ball.Get(e).Colour]), light), false,
		)
	}
	stirrer := components.Transform.Get(s.stirrer)
	add(stirrer, stirRadius, steel, true)
	slices.SortFunc(v.items, func(a, b item) int { return cmp.Compare(b.depth, a.depth) })
	v.cover.halo = v.spheres.Halo
	v.cover.prune(v.items, c.W, c.H)

	for i := len(v.items) - 1; i >= 0; i-- {
		b := v.items[i]
		if b.seen.W == 0 {
			continue
		}
		v.spheres.AddPart(b.at, b.radius, b.col, b.turn, b.seen)
		if b.stirs {
			v.spheres.Draw(c) // the stick is drawn after the balls behind it and before those in front of it
			end, _ := l.At(s.shown(stirrer.Position.Add(shift).Add(collide.Vec3{Y: 1.2})))
			c.Line(b.at.Lerp(end, 0.11), end, 0.05*b.depth, stage.Mix(night, steel, 0.75))
			c.Line(b.at.Lerp(end, 0.11), end, 0.015*b.depth, steel)
		}
	}
	v.spheres.Draw(c)
}

// cover records which cells of the canvas are hidden by nearer balls.
type cover struct {
	w, h  int
	cells []bool
	kept  int
	halo  float64 // of the spheres, which counts as seen
}

// coverCell is the width of a cell in pixels, a fraction of that of a ball.
const coverCell = 5

// prune finds the visible part of each item. Items are ordered from near to far.
func (k *cover) prune(items []item, w, h float64) {
	k.w, k.h = int(w/coverCell)+1, int(h/coverCell)+1
	k.cells = append(k.cells[:0], make([]bool, k.w*k.h)...)
	k.kept = 0
	for i := range items {
		b := &items[i]
		const corner = coverCell * 0.71 // from the middle of a cell to its corner
		reach := b.radius*(1+k.halo) + 1
		outer, inner := reach+corner, max(b.radius-1-corner, 0)
		x0, x1 := max(int((b.at.X-reach)/coverCell), 0), min(int((b.at.X+reach)/coverCell), k.w-1)
		y0, y1 := max(int((b.at.Y-reach)/coverCell), 0), min(int((b.at.Y+reach)/coverCell), k.h-1)
		left, right, top, bottom := x1+1, x0, y1+1, y0
		for y := y0; y <= y1; y++ {
			dy := (float64(y)+0.5)*coverCell - b.at.Y
			row := k.cells[y*k.w:][:k.w]
			for x := x0; x <= x1; x++ {
				dx := (float64(x)+0.5)*coverCell - b.at.X
				if d := dx*dx + dy*dy; !row[x] && d < outer*outer {
					left, right, top, bottom = min(left, x), max(right, x+1), min(top, y), max(bottom, y+1)
					row[x] = d < inner*inner
				}
			}
		}
		if left < right {
			b.seen = stage.Rect{
				X: float64(left * coverCell), Y: float64(top * coverCell),
				W: float64((right - left) * coverCell), H: float64((bottom - top) * coverCell),
			}
			k.kept++
		}
	}
}
