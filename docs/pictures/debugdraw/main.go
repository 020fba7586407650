// Debugdraw makes the picture of package debugdraw in the guide:
//
//	go run ./docs/pictures/debugdraw FILE
package main

import (
	"errors"
	"image/color"
	"image/png"
	"log"
	"os"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/debugdraw"
	"github.com/dango-physics/dango/systems"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
)

const ticks = 100

type game struct {
	world   donburi.World
	physics *systems.Physics
	debug   *debugdraw.Drawer
	tick    int
	file    string
}

func newGame() *game {
	g := &game{world: donburi.NewWorld()}
	g.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec2(0, 900), LengthUnit: 90})
	g.debug = debugdraw.New(g.physics)
	g.debug.Show = debugdraw.All &^ debugdraw.Numbers
	w := g.world
	components.CreatePlane(w, collide.Vec2(0, 380), collide.Vec2(0, -1))
	components.CreatePlane(w, collide.Vec2(20, 0), collide.Vec2(1, -0.1))
	components.CreateWall2D(w, collide.Vec2(200, 230), collide.Vec2(330, 270))
	components.CreateThickWall2D(w, collide.Vec2(360, 180), collide.Vec2(460, 160), 20)
	lift := components.CreateWall2D(w, collide.Vec2(480, 370), collide.Vec2(600, 370), components.Velocity)
	components.Velocity.Get(lift).Linear.Y = -40
	components.CreateSensor(w, collide.Vec2(400, 90), 40)
	for k := range 40 {
		at := collide.Vec2(120+float64(k%8)*60, -60+float64(k/8)*45)
		b := components.CreateCircle2D(w, at, 10+float64(k%4)*3, components.AngularVelocity)
		components.Material.SetValue(b, components.MaterialData{Friction: 0.4, Restitution: 0.5})
	}
	return g
}

func (g *game) Update() error {
	if g.tick < ticks {
		g.physics.Step(g.world)
		g.tick++
		return nil
	}
	if g.file == "" {
		return ebiten.Termination
	}
	return nil
}

func (g *game) Draw(screen *ebiten.Image) {
	screen.Fill(color.RGBA{18, 18, 24, 255})
	g.debug.DrawWorld(g.world, screen)
	if g.tick < ticks || g.file == "" {
		return
	}
	file, err := os.Create(g.file)
	if err == nil {
		err = errors.Join(png.Encode(file, screen), file.Close())
	}
	if err != nil {
		log.Fatal(err)
	}
	g.file = ""
}

func (g *game) Layout(int, int) (int, int) { return 640, 400 }

func main() {
	g := newGame()
	if len(os.Args) != 2 {
		log.Fatal("which file?")
	}
	g.file = os.Args[1]
	if err := ebiten.RunGame(g); err != nil {
		log.Fatal(err)
	}
}
