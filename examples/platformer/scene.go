// Package platformer is a 2D game in a level that was drawn for Tiled: run, jump, slopes, planks,
// lifts, a ladder, conveyor belts, coins and a flag. The world is the plane z = 0 in metres, y up;
// a tile of 16 pixels is 1 m.
package platformer

import (
	"embed"
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/examples/hero"
	"github.com/dango-physics/dango/levels"
	leveltiled "github.com/dango-physics/dango/levels/tiled"
	"github.com/dango-physics/dango/systems"
	"github.com/lafriks/go-tiled"
	"github.com/yohamta/donburi"
)

//go:generate sh -c "cd ../.. && go run ./examples/platformer/make"

// data has the map and its art, which make writes.
//
//go:embed data
var data embed.FS

const (
	pixels      = 16.0 // of a tile, which is 1 m
	gravity     = 32.0
	runSpeed    = 6.5
	climbSpeed  = 4.0
	jumpHeight  = 2.45
	heroRadius  = 0.28
	heroHeight  = 1.25
	stepSeconds = hero.StepSeconds
	mapHeight   = 16.0 // tiles
)

// input is the input of one tick.
type input struct {
	Move collide.Vec3 // -1 to 1 along X and Y
	Jump bool         // the button is down
	Auto bool         // the game plays by itself
}

// dust is a small square that flies and fades.
type dust struct {
	at, v collide.Vec3
	ticks int
	gold  bool
}

// scene is the game without its drawing.
type scene struct {
	tiles   *tiled.Map
	level   *levels.Level
	world   donburi.World
	physics *systems.Physics
	hero    *donburi.Entry
	lifts   []hero.Lift
	things  []*donburi.Entry // balls and crates
	hints   []levels.ObjectData
	goal    collide.Vec3

	checkpoint  collide.Vec3
	lantern     donburi.Entity // the last one that was reached
	coins, all  int
	falls       int
	ticks, wins int
	won         int // ticks since the flag was reached, 0 before
	best        int // ticks of the fastest way to the flag
	time        int // ticks of this game

	held     bool // the jump button, in the last tick
	climbing bool
	left     bool // the hero looks to the left
	stride   float64
	dust     []dust
	player   player
}

// newScene begins a game.
func newScene() *scene {
	m, err := leveltiled.LoadMap(data, "data/level.tmx")
	if err != nil {
		panic("platformer: " + err.Error())
	}
	s := &scene{tiles: m}
	s.restart()
	return s
}

// restart puts everything back to its beginning.
func (s *scene) restart() {
	level, err := leveltiled.FromMap(s.tiles, levels.Options{
		Unit: pixels, YUp: true, Origin: collide.Vec2(0, mapHeight),
	})
	if err != nil {
		panic("platformer: " + err.Error())
	}
	*s = scene{tiles: s.tiles, level: level, wins: s.wins, best: s.best, ticks: s.ticks}
	s.world = donburi.NewWorld()
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds, Gravity: collide.Vec2(0, -gravity)})
	for i, e := range level.Create(s.world) {
		switch o := &level.Objects[i]; o.Class {
		case "spawn":
			s.createHero(o.Position)
		case "ball":
			s.createBall(o)
		case "crate":
			s.createCrate(o)
		case "lift":
			s.lifts = append(s.lifts, hero.Lift{
				Entry: e, From: o.Position, Seconds: o.Properties.Number("seconds", 6),
				Way: collide.Vec2(o.Properties.Number("dx", 0)/pixels, -o.Properties.Number("dy", 0)/pixels),
			})
		case "coin":
			s.all++
		case "hint":
			s.hints = append(s.hints, *o)
		case "goal":
			s.goal = o.Position
		}
	}
	s.player = player{}
}

// createHero creates the hero with its feet at a point.
func (s *scene) createHero(feet collide.Vec3) {
	feet.Y += heroHeight / 2
	s.checkpoint = feet
	s.hero = components.CreateCharacter2D(s.world, feet, heroRadius, heroHeight)
	c := components.CharacterController.Get(s.hero)
	c.JumpHeight, c.MaxFallSpeed = jumpHeight, 18
	c.Acceleration, c.AirAcceleration = 60, 38
	c.MaxSlopeAngle, c.ConstantSpeed = 50*math.Pi/180, true
	c.MaxPushForce = 250
}

// createBall creates a ball that rolls.
func (s *scene) createBall(o *levels.ObjectData) {
	e := components.CreateCircle2D(s.world, o.Position, o.Size.X/2, components.AngularVelocity, levels.Object)
	*levels.Object.Get(e) = *o
	m := components.Material.Get(e)
	m.Friction, m.Restitution = 0.6, 0.45
	components.Body.Get(e).Mass = 4
	s.things = append(s.things, e)
}

// createCrate creates a crate that can be pushed.
func (s *scene) createCrate(o *levels.ObjectData) {
	e := components.CreateCrate2D(s.world, o.Position, o.Size.X/2, o.Size.Y/2, levels.Object)
	*levels.Object.Get(e) = *o
	components.Material.Get(e).Friction = 0.3
	components.Body.Get(e).Mass = 8
	s.things = append(s.things, e)
}

func (s *scene) at() collide.Vec3 { return components.Transform.Get(s.hero).Position }

func (s *scene) character() *components.CharacterControllerData {
	return components.CharacterController.Get(s.hero)
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if in.Auto {
		in = s.play()
	} else {
		s.player.lost = true
	}
	if s.won > 0 {
		s.won++
		if s.won > 240 || s.won > 60 && in.Jump && !s.held {
			s.restart()
		}
		in = input{Jump: in.Jump}
	} else {
		s.time++
	}
	s.moveLifts()
	s.control(in)
	s.physics.Step(s.world)
	s.touch()
	s.animate()
}

// moveLifts moves the lifts.
func (s *scene) moveLifts() {
	for _, l := range s.lifts {
		l.MoveTo(l.Part(s.time+1), 8)
	}
}

// control moves the hero as the player wants.
func (s *scene) control(in input) {
	c := s.character()
	ladder, onLadder := s.ladder()
	in.Jump = in.Jump || in.Move.Y > 0.7 && !onLadder && !s.climbing // up jumps where it can't climb
	pressed := in.Jump && !s.held
	s.held = in.Jump
	if in.Move.X != 0 {
		s.left = in.Move.X < 0
	}
	c.DropThrough = in.Move.Y < -0.5
	if onLadder && !s.climbing && (in.Move.Y > 0.5 || in.Move.Y < -0.5 && !c.OnGround()) {
		s.climbing = true
	}
	if s.climbing && (!onLadder || pressed) {
		s.climbing = false
		if pressed {
			c.State.Velocity = collide.Vec2(in.Move.X*runSpeed, 9)
			pressed = false
		}
	}
	if s.climbing {
		c.Mode = components.Floating
		c.DesiredVelocity = collide.Vec2(in.Move.X*runSpeed/2, in.Move.Y*climbSpeed)
		if in.Move.X == 0 {
			c.DesiredVelocity.X = (ladder.X - s.at().X) * 8
		}
		for _, k := range c.State.Contacts {
			s.climbing = s.climbing && (k.Normal.Y < 0.7 || in.Move.Y >= 0) // it has come down to the ground
		}
		return
	}
	c.Mode = components.Grounded
	c.DesiredVelocity = collide.Vec2(in.Move.X*runSpeed, 0)
	c.Jump = pressed
	hero.CutJump(c, in.Jump, 4, 0.6) // a short press makes a low jump
}

// touched calls found with each trigger that the hero touches.
func (s *scene) touched(shape collide.Convex, found func(e *donburi.Entry, o *levels.ObjectData)) {
	var all []donburi.Entity
	for e := range s.physics.OverlapShape(shape, systems.Filter{Layers: levels.TriggerLayer, Sensors: true}) {
		all = append(all, e)
	}
	for _, e := range all {
		if s.world.Valid(e) {
			entry := s.world.Entry(e)
			found(entry, levels.Object.Get(entry))
		}
	}
}

// ladder returns the middle of the ladder at which the hero is.
func (s *scene) ladder() (at collide.Vec3, ok bool) {
	s.touched(collide.Sphere{Center: s.at().Sub(collide.Vec2(0, heroHeight/2-0.1)), Radius: 0.1},
		func(_ *donburi.Entry, o *levels.ObjectData) {
			if o.Class == "ladder" {
				at, ok = o.Position, true
			}
		})
	return at, ok
}

// touch does what triggers do.
func (s *scene) touch() {
	body := components.CapsuleCollider.Get(s.hero).Shape(*components.Transform.Get(s.hero))
	s.touched(body, func(e *donburi.Entry, o *levels.ObjectData) {
		switch o.Class {
		case "coin":
			s.coins++
			s.burst(o.Position, 8, true)
			e.Remove()
		case "checkpoint":
			if s.lantern != e.Entity() {
				s.lantern = e.Entity()
				s.checkpoint = collide.Vec2(o.Position.X, o.Position.Y-o.Size.Y/2+heroHeight/2)
				s.burst(o.Position, 10, true)
			}
		case "goal":
			if s.won == 0 {
				s.won = 1
				s.wins++
				if s.best == 0 || s.time < s.best {
					s.best = s.time
				}
				s.burst(o.Position, 30, true)
			}
		}
	})
	hurt := s.at().Y < -2
	s.touched(collide.Sphere{Center: s.at().Sub(collide.Vec2(0, heroHeight/2-0.15)), Radius: 0.12},
		func(_ *donburi.Entry, o *levels.ObjectData) { hurt = hurt || o.Class == "spikes" })
	if hurt || s.character().State.Crushed {
		s.fall()
	}
	hero.PutBack(s.things, -2)
}

// fall puts the hero back to the last lantern.
func (s *scene) fall() {
	s.burst(s.at(), 16, false)
	s.falls++
	components.Transform.Get(s.hero).Position = s.checkpoint
	s.character().State.Velocity = collide.Vec3{}
	s.climbing = false
	s.player.lost = true
}

// burst makes dust fly.
func (s *scene) burst(at collide.Vec3, n int, gold bool) {
	for i := range n {
		angle := float64(i) * 2.4
		v := collide.Polar2D(2+float64(i%3), angle)
		s.dust = append(s.dust, dust{at: at, v: v, gold: gold})
	}
}

// animate moves what only decorates.
func (s *scene) animate() {
	st := &s.character().State
	s.stride += math.Abs(st.Velocity.X-st.GroundVelocity.X) * stepSeconds
	if s.climbing {
		s.stride += math.Abs(st.Velocity.Y) * stepSeconds
	}
	if st.Landed || st.Jumped {
		s.burst(s.at().Sub(collide.Vec2(0, heroHeight/2)), 4, false)
	}
	kept := s.dust[:0]
	for _, d := range s.dust {
		d.at = d.at.AddScaled(stepSeconds, d.v)
		d.v.Y -= 6 * stepSeconds
		if d.ticks++; d.ticks < 30 {
			kept = append(kept, d)
		}
	}
	s.dust = kept
}

// hint returns what to do where the hero is.
func (s *scene) hint() string {
	for _, h := range s.hints {
		if x := s.at().X; math.Abs(x-h.Position.X) < h.Size.X/2 {
			return h.Properties.Text("text")
		}
	}
	return ""
}
