// Package breakout is a complete 2D game in less than 400 lines: lives, score, levels, a second
// ball, mouse, keys and touch. The world is the plane z = 0, in metres, y up.
package breakout

import (
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

const (
	width, height = 16.0, 20.0 // metres
	radius        = 0.25       // of a ball
	columns, rows = 8, 6       // of bricks
	brickLength   = 1.1        // without the round ends
	brickThick    = 0.7
	paddleLength  = 2.2
	paddleY       = 1.0
	paddleSpeed   = 40.0 // m/s, the fastest
	firstLives    = 3
	stepSeconds   = 1.0 / 60
)

// brickData is the game's data of a brick.
type brickData struct {
	Row   int
	Extra bool // brings another ball
}

// The game's own components, besides dango's.
var (
	brick  = donburi.NewComponentType[brickData]()
	ball   = donburi.NewTag()
	bricks = donburi.NewQuery(filter.Contains(brick))
	balls  = donburi.NewQuery(filter.Contains(ball))
)

// input is the input of one tick.
type input struct {
	At     float64 // x of the pointer, if Point
	Point  bool
	Move   float64 // of the keys, -1 to 1
	Launch bool
	Auto   bool // the game plays by itself
}

// scene is the game without its drawing.
type scene struct {
	world   donburi.World
	physics *systems.Physics
	random  *rand.Rand
	paddle  *donburi.Entry
	floor   donburi.Entity // a sensor below the paddle

	waiting                     bool // the ball is on the paddle
	lives, score, level, streak int  // streak: bricks since the ball was on the paddle
	best                        int  // score of all games
	over                        int  // ticks since the last ball was lost, 0 before
	speed                       float64
	ticks, impacts              int
}

// newScene begins a game.
func newScene(seed uint64, speed float64) *scene {
	s := &scene{world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 8)), speed: speed}
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})
	for _, p := range []struct{ at, normal collide.Vec3 }{
		{collide.Vec3{}, collide.Vec3{X: 1}},
		{collide.Vec3{X: width}, collide.Vec3{X: -1}},
		{collide.Vec3{Y: height}, collide.Vec3{Y: -1}},
	} {
		components.CreatePlane(s.world, p.at, p.normal)
	}
	// Whatever touches this sensor, of which only the upper side is in the world, has fallen.
	floor := components.CreatePlane(s.world, collide.Vec3{Y: -2}, collide.Vec3{Y: 1}, components.Sensor)
	s.floor = floor.Entity()
	half := collide.Vec3{X: paddleLength / 2}
	middle := collide.Vec3{X: width / 2, Y: paddleY}
	s.paddle = components.CreateThickWall2D(
		s.world, middle.Sub(half), middle.Add(half), 0.5, components.Velocity, // with a velocity it is kinematic
	)
	s.newGame()
	return s
}

func (s *scene) newGame() {
	s.lives, s.score, s.level, s.over = firstLives, 0, 0, 0
	s.newLevel()
}

// newLevel builds the bricks and puts the ball on the paddle.
func (s *scene) newLevel() {
	s.level++
	removeAll(s.world, bricks)
	for row := range rows {
		for column := range columns {
			x := (float64(column) + 0.5) * width / columns
			y := height - 2.5 - float64(row)*1.1
			from, to := collide.Vec3{X: x - brickLength/2, Y: y}, collide.Vec3{X: x + brickLength/2, Y: y}
			b := components.CreateThickWall2D(s.world, from, to, brickThick, brick)
			brick.SetValue(b, brickData{Row: row, Extra: s.random.IntN(12) == 0})
		}
	}
	s.serve()
}

// removeAll removes what a query finds.
func removeAll(w donburi.World, q *donburi.Query) {
	var all []donburi.Entity
	for e := range q.Iter(w) {
		all = append(all, e.Entity())
	}
	for _, e := range all {
		w.Remove(e)
	}
}

// serve puts one ball on the paddle.
func (s *scene) serve() {
	removeAll(s.world, balls)
	s.waiting, s.streak = true, 0
	s.newBall(s.onPaddle(), collide.Vec3{})
}

func (s *scene) onPaddle() collide.Vec3 {
	at := components.Transform.Get(s.paddle).Position
	return collide.Vec3{X: at.X, Y: at.Y + 0.25 + radius + 0.01}
}

func (s *scene) newBall(at, velocity collide.Vec3) {
	e := components.CreateBall(s.world, at, radius, ball)
	components.Body.Get(e).Locked = components.AxisZ
	components.Material.Get(e).Restitution = 1
	components.Velocity.Get(e).Linear = velocity
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if in.Auto {
		in = s.play()
	}
	if s.over > 60 && in.Launch {
		s.newGame()
		in.Launch = false // the next one fires the ball
	}
	s.movePaddle(in)
	for e := range balls.Iter(s.world) {
		v := components.Velocity.Get(e)
		switch direction, ok := v.Linear.Normalized(); {
		case s.waiting:
			components.Transform.Get(e).Position = s.onPaddle()
			v.Linear = collide.Vec3{}
			if in.Launch {
				v.Linear = towards(0.5 * (s.random.Float64() - 0.5)).Scale(s.pace())
			}
		case ok:
			// The speed is the game's: a paddle that moves would change it. A ball that flies
			// nearly level would take forever.
			if math.Abs(direction.Y) < 0.2 {
				direction.Y = math.Copysign(0.2, direction.Y)
			}
			direction, _ = direction.Normalized()
			v.Linear = direction.Scale(s.pace())
		}
	}
	s.waiting = s.waiting && !in.Launch
	s.physics.Step(s.world)
	s.respond()
}

// pace returns the speed of a ball, which grows with the level and the streak.
func (s *scene) pace() float64 {
	return s.speed * (1 + 0.15*float64(s.level-1)) * (1 + min(0.02*float64(s.streak), 0.5))
}

// towards returns the direction that leans to the right by an angle.
func towards(angle float64) collide.Vec3 {
	sin, cos := math.Sincos(angle)
	return collide.Vec3{X: sin, Y: cos}
}

// movePaddle lets the paddle follow the input. It pushes balls, and they can't end up inside of it.
func (s *scene) movePaddle(in input) {
	at := components.Transform.Get(s.paddle).Position.X
	const room = paddleLength/2 + 0.25
	to := at + in.Move*20*stepSeconds
	if in.Point {
		to = in.At
	}
	to = min(max(to, room), width-room)
	v := min(max((to-at)/stepSeconds, -paddleSpeed), paddleSpeed)
	components.Velocity.Get(s.paddle).Linear = collide.Vec3{X: v}
}

// respond handles the impacts of the step: bricks break, the place on the paddle steers the ball,
// and what has fallen is lost.
func (s *scene) respond() {
	for hit := range s.physics.Impacts() {
		s.impacts++
		if !s.world.Valid(hit.A) || !s.world.Valid(hit.B) {
			continue // gone by an earlier impact of this step
		}
		other := s.world.Entry(hit.B)
		switch {
		case other.HasComponent(brick):
			s.streak++
			s.score += 10 * (rows - brick.Get(other).Row) * s.level
			s.best = max(s.best, s.score)
			if brick.Get(other).Extra {
				s.newBall(components.Transform.Get(other).Position, collide.Vec3{Y: s.pace()})
			}
			s.world.Remove(hit.B)
		case hit.B == s.paddle.Entity() && hit.Normal.Y > 0: // from above; from below it just bounces
			s.streak = 0
			off := (hit.Point.X - components.Transform.Get(s.paddle).Position.X) / (paddleLength/2 + 0.25)
			components.Velocity.Get(s.world.Entry(hit.A)).Linear = towards(1.1 * off).Scale(s.pace())
		}
	}
	for c := range s.physics.ContactBegins() {
		if c.B == s.floor && s.world.Valid(c.A) {
			s.world.Remove(c.A)
		}
	}
	switch {
	case bricks.Count(s.world) == 0:
		s.newLevel()
	case balls.Count(s.world) > 0:
	case s.lives > 1:
		s.lives--
		s.serve()
	default:
		s.lives = 0
		s.over++
	}
}

// play returns the input of a simple player: it goes where the lowest ball comes down, a little off
// the middle.
func (s *scene) play() input {
	in := input{Point: true, Launch: s.ticks%60 == 0, At: components.Transform.Get(s.paddle).Position.X}
	lowest := math.Inf(1)
	for e := range balls.Iter(s.world) {
		at, v := components.Transform.Get(e).Position, components.Velocity.Get(e).Linear
		if v.Y < 0 && at.Y < lowest {
			lowest = at.Y
			x := at.X + v.X*(at.Y-paddleY)/-v.Y
			x = math.Mod(math.Abs(x), 2*width) // the walls mirror its way
			in.At = min(x, 2*width-x) + 0.9*math.Sin(float64(s.ticks)*0.02)
		}
	}
	return in
}
