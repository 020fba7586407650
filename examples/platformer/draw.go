package platformer

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/hero"
	"github.com/dango-physics/dango/examples/internal/stage"
	"github.com/dango-physics/dango/levels"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/lafriks/go-tiled"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// view shows a scene.
type view struct {
	scene *scene
	pad   stage.Pad
	hand  stage.Hand

	camera        stage.Pt      // middle of what is shown, in pixels of the map
	screen, world *ebiten.Image // what is shown, and all tiles, in pixels of the map
	tiles         *ebiten.Image
	sprites       *ebiten.Image
	back          *ebiten.Image
	belts         []belt
}

// belt is a tile that moves, at a place on the map.
type belt struct {
	tile *tiled.TilesetTile
	x, y float64
}

// New returns the example. The game is the same for every seed.
func New(uint64) stage.Game { return &view{hand: stage.Hand{Fastest: 18}} }

// Reset begins a new game.
func (v *view) Reset() {
	v.scene = newScene()
	v.camera = v.target()
}

// Step plays one tick.
func (v *view) Step(in stage.Input) {
	cam := v.shown(in.W, in.H)
	in = v.hand.Grab(in, func(at stage.Pt, held bool) bool {
		return v.hand.Drag(v.scene.physics, v.scene.world, cam.World(at), 0.2, held)
	})
	c := v.pad.Read(in)
	v.scene.step(input{Move: collide.Vec2(c.Move.X, c.Move.Y), Jump: c.Jump, Auto: in.Auto})
	to := v.target()
	if way := to.Sub(v.camera); way.Len() > 20*pixels {
		v.camera = to
	} else {
		v.camera = v.camera.Add(stage.Pt{X: way.X * 0.09, Y: way.Y * 0.06})
	}
}

// target returns where the camera wants to be: a little ahead of the hero.
func (v *view) target() stage.Pt {
	s := v.scene
	ahead := 1.5
	if s.left {
		ahead = -ahead
	}
	return mapPoint(s.at().Add(collide.Vec2(ahead, 1)))
}

// mapPoint returns the position on the map, in pixels with y down.
func mapPoint(p collide.Vec3) stage.Pt {
	return stage.Pt{X: p.X * pixels, Y: (mapHeight - p.Y) * pixels}
}

// clock formats ticks as seconds.
func clock(ticks int) string { return fmt.Sprintf("%.1f s", float64(ticks)*stepSeconds) }

// Panel returns what is beside the game.
func (v *view) Panel() stage.Panel {
	s := v.scene
	ground := hero.Ground(s.character().State.Ground)
	if s.climbing {
		ground = "climbing"
	}
	best := "none yet"
	if s.best > 0 {
		best = clock(s.best)
	}
	return stage.Panel{
		Lines: []string{
			fmt.Sprintf("coins  %d of %d", s.coins, s.all),
			"time  " + clock(s.time),
			"best time  " + best,
			fmt.Sprintf("falls  %d", s.falls),
			"state  " + ground,
			fmt.Sprintf("colliders  %d", colliders.Count(s.world)),
		},
		Hint: "Arrows or WASD run and climb, space or W jumps, down drops through planks. A gamepad " +
			"or two thumbs do the same. Drag and throw crates and balls.",
		Physics: s.physics, World: s.world,
		Space: true,
	}
}

// colliders are what levels.Create has made.
var colliders = donburi.NewQuery(filter.Contains(levels.Object))

// Background returns the colour around the picture.
func (v *view) Background() color.NRGBA { return stage.RGB(0x7cc4ee) }

// Summary returns the text that an unattended run prints at its end.
func (v *view) Summary() string {
	s := v.scene
	return fmt.Sprintf("platformer: %d ticks, %d of %d coins, %d falls, the flag reached %d times",
		s.ticks, s.coins, s.all, s.falls, s.wins)
}

// Caption returns the last line of a picture.
func (v *view) Caption() string {
	return "a 2D level from Tiled: belts, slopes, coins"
}

// load reads the art.
func (v *view) load() {
	read := func(name string) *ebiten.Image {
		b, err := data.ReadFile("data/" + name)
		if err != nil {
			panic("platformer: " + err.Error())
		}
		img, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			panic("platformer: " + name + ": " + err.Error())
		}
		return ebiten.NewImageFromImage(img)
	}
	v.tiles, v.sprites, v.back = read("tiles.png"), read("sprites.png"), read("back.png")
	m := v.scene.tiles
	v.world = ebiten.NewImage(m.Width*m.TileWidth, m.Height*m.TileHeight)
	for _, layer := range m.Layers {
		for i, t := range layer.Tiles {
			if t.IsNil() {
				continue
			}
			x, y := float64(i%m.Width*m.TileWidth), float64(i/m.Width*m.TileHeight)
			if k, err := t.Tileset.GetTilesetTile(t.ID); err == nil && len(k.Animation) > 0 {
				v.belts = append(v.belts, belt{k, x, y})
				continue
			}
			var o ebiten.DrawImageOptions
			o.GeoM.Translate(x, y)
			v.world.DrawImage(v.tiles.SubImage(t.Tileset.GetTileRect(t.ID)).(*ebiten.Image), &o)
		}
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

// zoom returns the pixels of the canvas in one of the map: about 13 tiles are as high as the
// canvas, and at least 14 as wide.
func zoom(w, h float64) float64 {
	return math.Max(1, math.Round(math.Min(h/(13*pixels), w/(14*pixels))))
}

// corner returns the place on the map that is shown in the upper left corner. The camera doesn't
// show what is beside the map, and stays below it where the map is lower than the picture.
func (v *view) corner(w, h float64) stage.Pt {
	m, z := v.scene.tiles, zoom(w, h)
	wide, high := math.Ceil(w/z), math.Ceil(h/z)
	return stage.Pt{
		X: math.Round(min(max(v.camera.X-wide/2, 0), float64(m.Width*m.TileWidth)-wide)),
		Y: math.Round(min(v.camera.Y-high/2, float64(m.Height*m.TileHeight)-high)),
	}
}

// shown returns the camera in metres.
func (v *view) shown(w, h float64) stage.Camera {
	z, corner := zoom(w, h), v.corner(w, h)
	return stage.Camera{
		Zoom: z * pixels, Zero: stage.Pt{X: -corner.X * z, Y: (mapHeight*pixels - corner.Y) * z},
	}
}

// drawWorld draws what is in the world, in pixels of the map, and then makes them larger.
func (v *view) drawWorld(c *stage.Canvas) {
	if v.tiles == nil {
		v.load()
	}
	s, z := v.scene, zoom(c.W, c.H)
	w, h := int(math.Ceil(c.W/z)), int(math.Ceil(c.H/z))
	if v.screen == nil || v.screen.Bounds().Size() != image.Pt(w, h) {
		if v.screen != nil {
			v.screen.Deallocate()
		}
		v.screen = ebiten.NewImage(w, h)
	}
	corner := v.corner(c.W, c.H)
	left, top := corner.X, corner.Y
	v.drawBack(left, top, w, h)
	shift := func(img *ebiten.Image, x, y float64) {
		var o ebiten.DrawImageOptions
		o.GeoM.Translate(math.Round(x)-left, math.Round(y)-top)
		v.screen.DrawImage(img, &o)
	}
	shift(v.world, 0, 0)
	for _, b := range v.belts {
		// Frames are 2 pixels apart, and belts move by 40 pixels a second.
		id := b.tile.Animation[s.ticks/3%len(b.tile.Animation)].TileID
		shift(v.tiles.SubImage(s.tiles.Tilesets[0].GetTileRect(id)).(*ebiten.Image), b.x, b.y)
	}
	for e := range colliders.Iter(s.world) {
		o := levels.Object.Get(e)
		p := mapPoint(components.Transform.Get(e).Position)
		switch o.Class {
		case "coin":
			bob := math.Sin(float64(s.ticks)/20+o.Position.X) * 1.2
			shift(v.sprite(s.ticks/8%4, 1, 1, 16), p.X-8, p.Y-8+bob)
		case "checkpoint":
			lit := 0
			if e.Entity() == s.lantern {
				lit = 1
			}
			shift(v.sprite(4+lit, 1, 1, 24), p.X-8, p.Y-12)
		case "goal":
			shift(v.sprite(6+s.ticks/16%2, 1, 1, 24), p.X-8, p.Y-12)
		case "lift":
			shift(v.sprite(0, 2, 3, 8), p.X-24, p.Y-4)
		case "ball":
			v.turned(v.sprite(9, 1, 1, 16), c.Pose(s.physics, e), left, top)
		case "crate":
			shift(v.sprite(8, 1, 1, 16), p.X-8, p.Y-8)
		}
	}
	v.drawHero(left, top)
	for _, d := range s.dust {
		col := stage.RGB(0xfff6e6)
		if d.gold {
			col = stage.RGB(0xf4c542)
		}
		p := mapPoint(d.at)
		side := 1 + (30-d.ticks)/12
		x, y := int(math.Round(p.X-left)), int(math.Round(p.Y-top))
		v.screen.SubImage(image.Rect(x, y, x+side, y+side)).(*ebiten.Image).Fill(col)
	}
	c.Flush()
	var o ebiten.DrawImageOptions
	o.GeoM.Scale(z, z)
	c.Image.DrawImage(v.screen, &o)
	c.Debug(s.physics, s.world, v.shown(c.W, c.H))
}

// drawBack draws sky and hills, which move by a quarter of what the camera does.
func (v *view) drawBack(left, top float64, w, h int) {
	v.screen.Fill(stage.RGB(0x7cc4ee))
	size := v.back.Bounds().Size()
	x := -math.Mod(math.Round(left/4), float64(size.X))
	y := math.Round(float64(h-size.Y) - top/8)
	if y > 0 {
		y = min(y, float64(h-size.Y)) // high pictures have more sky
	}
	for ; x < float64(w); x += float64(size.X) {
		var o ebiten.DrawImageOptions
		o.GeoM.Translate(x, y)
		v.screen.DrawImage(v.back, &o)
	}
	if below := int(y) + size.Y; below < h {
		v.screen.SubImage(image.Rect(0, below, w, h)).(*ebiten.Image).Fill(stage.RGB(0x6aa566))
	}
}

// sprite returns some cells of the sheet.
func (v *view) sprite(column, row, columns, height int) *ebiten.Image {
	return v.sprites.SubImage(image.Rect(16*column, 24*row, 16*(column+columns), 24*row+height)).(*ebiten.Image)
}

// turned draws a sprite that rotates about its middle.
func (v *view) turned(img *ebiten.Image, pose components.TransformData, left, top float64) {
	var o ebiten.DrawImageOptions
	b := img.Bounds()
	p := mapPoint(pose.Position)
	o.GeoM.Translate(-float64(b.Dx())/2, -float64(b.Dy())/2)
	o.GeoM.Rotate(-pose.Rotation.Angle2D())
	o.GeoM.Translate(math.Round(p.X-left), math.Round(p.Y-top))
	v.screen.DrawImage(img, &o)
}

// drawHero draws the hero.
func (v *view) drawHero(left, top float64) {
	s := v.scene
	st := &s.character().State
	frame := 0
	switch speed := math.Abs(st.Velocity.X - st.GroundVelocity.X); {
	case s.climbing:
		frame = 7 + int(s.stride*2)%2
	case st.Ground == components.InAir && st.Velocity.Y > 0:
		frame = 5
	case st.Ground == components.InAir:
		frame = 6
	case speed > 0.4:
		frame = 1 + int(s.stride*2.2)%4
	}
	p := mapPoint(s.at().Sub(collide.Vec2(0, heroHeight/2)))
	var o ebiten.DrawImageOptions
	o.GeoM.Translate(-8, -24)
	if s.left {
		o.GeoM.Scale(-1, 1)
	}
	o.GeoM.Translate(math.Round(p.X-left), math.Round(p.Y-top))
	v.screen.DrawImage(v.sprite(frame, 0, 1, 24), &o)
}

// drawTexts draws the score, and what to do here.
func (v *view) drawTexts(c *stage.Canvas) {
	s, p := v.scene, c.Scale
	ink, paper := stage.RGB(0xfff6e6), color.NRGBA{0x2b, 0x1d, 0x2e, 190}
	score := fmt.Sprintf("%d / %d coins   %s", s.coins, s.all, clock(s.time))
	wide := c.TextWidth(score, 14, stage.Bold)
	c.Box(stage.Rect{X: 8 * p, Y: 8 * p, W: wide + 20*p, H: 24 * p}, 8*p, paper)
	c.Text(score, stage.Pt{X: 18 * p, Y: 20 * p}, 14, stage.Bold, stage.Left, stage.RGB(0xf4c542))
	if s.won > 0 {
		v.banner(c, []string{
			"The flag!", fmt.Sprintf("%d of %d coins, %d falls, %s", s.coins, s.all, s.falls, clock(s.time)),
			"Jump to play again",
		})
		return
	}
	hint := s.hint()
	if hint == "" {
		return
	}
	lines := c.Wrap(hint, 14, c.W-60*p)
	for _, line := range lines {
		wide = max(wide, c.TextWidth(line, 14, stage.Regular))
	}
	high := float64(len(lines))*19*p + 10*p
	top := 40 * p
	c.Box(stage.Rect{X: c.W/2 - wide/2 - 12*p, Y: top, W: wide + 24*p, H: high}, 8*p, paper)
	for i, line := range lines {
		c.Text(line, stage.Pt{X: c.W / 2, Y: top + (float64(i)*19+14.5)*p}, 14, stage.Regular, stage.Center, ink)
	}
}

// banner draws lines in the middle.
func (v *view) banner(c *stage.Canvas, lines []string) {
	p := c.Scale
	size := []float64{30, 14, 14}
	wide := 0.0
	for i, line := range lines {
		wide = max(wide, c.TextWidth(line, size[i], stage.Bold))
	}
	top := c.H/2 - 60*p
	c.Box(stage.Rect{X: c.W/2 - wide/2 - 20*p, Y: top, W: wide + 40*p, H: 112 * p}, 12*p, color.NRGBA{
		0x2b, 0x1d, 0x2e,
		220,
	})
	at := []float64{28, 64, 90}
	for i, line := range lines {
		col := stage.RGB(0xfff6e6)
		if i == 0 {
			col = stage.RGB(0xf4c542)
		}
		c.Text(line, stage.Pt{X: c.W / 2, Y: top + at[i]*p}, size[i], stage.Bold, stage.Center, col)
	}
}
