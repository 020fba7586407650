package main

import (
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	"github.com/yohamta/donburi/filter"
)

// The table: nine feet, with the balls of American pool. The bed lies around the origin, x along it.
const (
	tableLength = 2.54 // metres between the cushions
	tableWidth  = 1.27
	ballRadius  = 0.028575
	ballMass    = 0.17 // kilograms

	ballBounce    = 0.95 // restitution of two balls: phenolic resin hardly loses anything
	cushionBounce = 0.80

	// The cloth: air and the pile of the felt grow with speed, rolling resistance does not. A ball shot
	// at 4 m/s would run nearly five lengths of the table, as on a real one.
	clothDamping = 0.22 // 1/s
	rollingDrag  = 0.15 // m/s²

	cornerHole = 0.066 // metres, radius of a pocket: a ball whose centre comes over it falls
	sideHole   = 0.060

	fastestShot = 12.0 // m/s: a hard break
	fullPull    = 0.45 // metres that the cue is drawn back for it
	leastPull   = 0.02 // metres: less is no shot

	stepSeconds = 1.0 / 60
)

// The spots: where the cue ball starts, and where the rack's first ball lies.
var (
	headSpot = collide.Vec3{X: -tableLength / 4, Y: 0.15} // beside the middle: a rack hit at an angle scatters better
	footSpot = collide.Vec3{X: tableLength / 4}
)

// ballData is what the game knows of a ball. The cue ball has the number 0.
type ballData struct {
	Number int
	Last   collide.Vec3 // where it was drawn last, for turning it
}

// pocketData is a hole in the table.
type pocketData struct{ Hole float64 } // metres, its radius

// The game's own components, next to dango's.
var (
	ball   = donburi.NewComponentType[ballData]()
	pocket = donburi.NewComponentType[pocketData]()
)

var (
	balls   = donburi.NewQuery(filter.Contains(ball))
	pockets = donburi.NewQuery(filter.Contains(pocket))
)

// input is what a player does in one tick.
type input struct {
	Pointer collide.Vec3 // on the table
	Held    bool         // the mouse button is down, or a finger touches
	Auto    bool         // nobody plays: the scene aims and shoots by itself
}

// aim is a shot that is being prepared: from where the pointer was pressed to where it is now, the cue is drawn back.
type aim struct {
	Active   bool
	From, To collide.Vec3
}

// shot returns the direction of the shot and its power, 0 to 1, or false where it is drawn back too little.
func (a aim) shot() (direction collide.Vec3, power float64, ok bool) {
	pull := a.From.Sub(a.To)
	direction, ok = pull.Normalized()
	return direction, min(pull.Length()/fullPull, 1), a.Active && ok && pull.Length() >= leastPull
}

// drop is a ball on its way into a pocket, for drawing.
type drop struct {
	Number   int
	From, To collide.Vec3
	Age      int // ticks
}

// flash is an impact that was hard enough to see.
type flash struct {
	At    collide.Vec3
	Speed float64
	Age   int // ticks
}

// scene is the game without its drawing.
type scene struct {
	game    *ecs.ECS
	world   donburi.World
	physics *systems.Physics
	random  *rand.Rand
	player  autoplayer

	cue     donburi.Entity // valid while it is on the table
	aim     aim
	wasHeld bool

	tray    []int // the pocketed balls, in the order in which they fell
	drops   []drop
	flashes []flash

	ticks, shots, scratches, racks int
	impacts                        int
	pocketed                       int
	worstOverlap                   float64 // metres, over all steps
}

// newScene returns a table with a fresh rack. Equal seeds give the same games, bit by bit.
func newScene(seed uint64) *scene {
	s := &scene{world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 15))}
	s.game = ecs.NewECS(s.world)
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})

	// A game's own systems run before and after the physics, in the order in which they are added.
	s.game.AddSystem(cloth)
	s.physics.AddTo(s.game)
	s.game.AddSystem(s.pocketBalls)
	s.game.AddSystem(roll)

	s.layTable()
	s.rack()
	return s
}

// layTable makes what never moves: four endless planes as cushions, and six sensors as pockets.
func (s *scene) layTable() {
	for _, c := range []components.PlaneColliderData{
		{Normal: collide.Vec3{X: 1}, Distance: -tableLength / 2},
		{Normal: collide.Vec3{X: -1}, Distance: -tableLength / 2},
		{Normal: collide.Vec3{Y: 1}, Distance: -tableWidth / 2},
		{Normal: collide.Vec3{Y: -1}, Distance: -tableWidth / 2},
	} {
		cushion := s.world.Entry(s.world.Create(components.Transform, components.PlaneCollider, components.Response))
		components.PlaneCollider.SetValue(cushion, c)
		// CombineMin: a ball that bounces better than the cushion bounces like the cushion.
		components.Response.SetValue(cushion, components.ResponseData{Restitution: cushionBounce, Combine: components.CombineMin})
	}
	for _, x := range []float64{-1, 0, 1} {
		for _, y := range []float64{-1, 1} {
			hole, out := cornerHole, 0.010
			if x == 0 {
				hole, out = sideHole, 0.020
			}
			e := s.world.Entry(s.world.Create(components.Transform, components.SphereCollider, components.Sensor, pocket))
			components.Transform.SetValue(e, components.TransformData{Position: collide.Vec3{
				X: x * (tableLength/2 + out),
				Y: y * (tableWidth/2 + out),
			}})
			// A ball touches this sphere at the moment in which its centre is over the hole's rim.
			components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: hole - ballRadius})
			pocket.SetValue(e, pocketData{Hole: hole})
		}
	}
}

// rack lays the fifteen balls and the cue ball.
func (s *scene) rack() {
	s.racks++
	s.tray = s.tray[:0]
	// The 8 in the middle, one full and one striped ball in the corners behind, the others by chance.
	order := []int{1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15}
	s.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	order = slices.Insert(order, 4, 8)
	full := slices.IndexFunc(order, func(n int) bool { return n < 8 })
	order[full], order[10] = order[10], order[full]
	striped := len(order) - 1
	for order[striped] < 9 {
		striped--
	}
	order[striped], order[14] = order[14], order[striped]

	const rows = 5
	// A hair between the balls, and never the same: a rack that touches everywhere breaks like a mirror image.
	const hair = 0.0002
	pitch := 2*ballRadius + 2*hair
	i := 0
	for row := range rows {
		for k := range row + 1 {
			at := footSpot.Add(collide.Vec3{
				X: float64(row) * pitch * 0.8660254037844386, // √3/2
				Y: (float64(k) - float64(row)/2) * pitch,
			})
			at.X += (s.random.Float64() - 0.5) * hair
			at.Y += (s.random.Float64() - 0.5) * hair
			s.newBall(order[i], at)
			i++
		}
	}
	s.placeCueBall()
}

// newBall puts a ball on the table, at rest.
func (s *scene) newBall(number int, at collide.Vec3) donburi.Entity {
	e := s.world.Entry(s.world.Create(
		components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Response, ball))
	// Its number looks up, leaning a little to one side.
	lean := collide.Vec3{X: s.random.Float64() - 0.5, Y: s.random.Float64() - 0.5, Z: s.random.Float64() - 0.5}
	components.Transform.SetValue(e, components.TransformData{Position: at, Rotation: collide.RotationAround(lean, 0.6)})
	components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: ballRadius})
	components.Body.SetValue(e, components.BodyData{
		Mass:          ballMass,
		LinearDamping: clothDamping,
		Locked:        components.AxisZ, // a game in the plane
	})
	components.Response.SetValue(e, components.Bounce(ballBounce))
	ball.SetValue(e, ballData{Number: number, Last: at})
	return e.Entity()
}

// placeCueBall puts the cue ball on the head spot, or beside it where another ball is in the way.
func (s *scene) placeCueBall() {
	s.physics.Sync(s.world) // the query sees the balls that were laid since the last step
	at := headSpot
	for i := 0; i < 20 && s.occupied(at); i++ {
		at.Y = float64((i+2)/2) * 2.5 * ballRadius * float64(1-2*(i%2))
	}
	s.cue = s.newBall(0, at)
	s.physics.Sync(s.world)
}

// occupied reports whether a ball lies where another would be laid at a place.
func (s *scene) occupied(at collide.Vec3) bool {
	for range s.physics.OverlapSphere(collide.Sphere{Center: at, Radius: ballRadius}, systems.Filter{}) {
		return true
	}
	return false
}

// cloth is the system that slows rolling balls down. Components do the part that grows with speed
// (Body.LinearDamping); this is the rest, and what brings a ball to a stop.
func cloth(game *ecs.ECS) {
	for e := range balls.Iter(game.World) {
		v := components.Velocity.Get(e)
		speed := v.Linear.Length()
		const loss = rollingDrag * stepSeconds
		if speed <= loss {
			v.Linear = collide.Vec3{}
			continue
		}
		v.Linear = v.Linear.Scale((speed - loss) / speed)
	}
}

// pocketBalls is the system that takes away the balls that came over a hole in the last step.
func (s *scene) pocketBalls(game *ecs.ECS) {
	for c := range s.physics.ContactBegins() {
		if !c.Sensor || !game.World.Valid(c.A) {
			continue
		}
		fallen, hole := game.World.Entry(c.A), game.World.Entry(c.B) // the sensor comes second
		number := ball.Get(fallen).Number
		s.drops = append(s.drops, drop{
			Number: number,
			From:   components.Transform.Get(fallen).Position,
			To:     components.Transform.Get(hole).Position,
		})
		if number == 0 {
			s.scratches++
		} else {
			s.tray = append(s.tray, number)
			s.pocketed++
		}
		game.World.Remove(c.A)
	}
}

// roll is the system that turns balls as they would look when they roll. It is for the eye alone: physics moves
// spheres without turning them.
func roll(game *ecs.ECS) {
	for e := range balls.Iter(game.World) {
		t, b := components.Transform.Get(e), ball.Get(e)
		d := t.Position.Sub(b.Last)
		b.Last = t.Position
		if d == (collide.Vec3{}) {
			continue
		}
		axis := collide.Vec3{Z: 1}.Cross(d)
		q := collide.RotationAround(axis, d.Length()/ballRadius).Mul(t.Rotation)
		// Thousands of small turns must not stretch it.
		l := (1 + q.LengthSquared()) / 2 // the square root, this close to 1
		t.Rotation = collide.Quat{X: q.X / l, Y: q.Y / l, Z: q.Z / l, W: q.W / l}
	}
}

// atRest reports whether nothing moves and the cue ball can be played.
func (s *scene) atRest() bool {
	for e := range balls.Iter(s.world) {
		if components.Velocity.Get(e).Linear != (collide.Vec3{}) {
			return false
		}
	}
	return len(s.drops) == 0
}

// cueBall returns where the cue ball is, or false while it is off the table.
func (s *scene) cueBall() (collide.Vec3, bool) {
	if !s.world.Valid(s.cue) {
		return collide.Vec3{}, false
	}
	return components.Transform.Get(s.world.Entry(s.cue)).Position, true
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	s.age()
	rest := s.atRest()
	if rest && !s.world.Valid(s.cue) {
		s.placeCueBall()
	}
	if rest && balls.Count(s.world) == 1 {
		s.world.Remove(s.cue) // all fifteen are down
		s.rack()
	}
	if in.Auto {
		in = s.player.play(s, rest)
	}
	s.takeAim(in, rest)
	s.game.Update() // cloth, the three stages of physics, pockets, roll
	s.note()
}

// takeAim lets the pointer draw the cue back, and shoots where it is let go.
func (s *scene) takeAim(in input, rest bool) {
	pressed := in.Held && !s.wasHeld
	s.wasHeld = in.Held
	switch {
	case !rest:
		s.aim = aim{}
	case pressed:
		s.aim = aim{Active: true, From: in.Pointer, To: in.Pointer}
	case in.Held && s.aim.Active:
		s.aim.To = in.Pointer
	case s.aim.Active:
		if direction, power, ok := s.aim.shot(); ok {
			s.shoot(direction, power)
		}
		s.aim = aim{}
	}
}

// shoot sets the cue ball in motion.
func (s *scene) shoot(direction collide.Vec3, power float64) {
	if s.world.Valid(s.cue) {
		components.Velocity.Get(s.world.Entry(s.cue)).Linear = direction.Scale(power * fastestShot)
		s.shots++
	}
}

// age lets the drawn traces of the past fade.
func (s *scene) age() {
	for i := range s.drops {
		s.drops[i].Age++
	}
	s.drops = slices.DeleteFunc(s.drops, func(d drop) bool { return d.Age > dropTicks })
	for i := range s.flashes {
		s.flashes[i].Age++
	}
	s.flashes = slices.DeleteFunc(s.flashes, func(f flash) bool { return f.Age > flashTicks })
}

// How long drops and flashes are seen, ticks.
const (
	dropTicks  = 18
	flashTicks = 16
)

// note keeps what the step did, for the flashes and the summary.
func (s *scene) note() {
	for i := range s.physics.Impacts() {
		s.impacts++
		if i.Approach > 0.15 && !s.overHole(i.Point) {
			s.flashes = append(s.flashes, flash{At: i.Point, Speed: i.Approach})
		}
	}
	s.worstOverlap = max(s.worstOverlap, s.overlap())
}

// overHole reports whether a place is at a pocket: the endless cushions go on behind the holes, where nobody should see them.
func (s *scene) overHole(at collide.Vec3) bool {
	for e := range pockets.Iter(s.world) {
		if at.Distance(components.Transform.Get(e).Position) < pocket.Get(e).Hole+ballRadius {
			return true
		}
	}
	return false
}

// overlap returns how deep any two balls, or a ball and a cushion, are in each other: 0 says nowhere.
func (s *scene) overlap() float64 {
	worst := 0.0
	var seen []collide.Vec3
	for e := range balls.Iter(s.world) {
		p := components.Transform.Get(e).Position
		for _, q := range seen {
			worst = max(worst, 2*ballRadius-p.Distance(q))
		}
		seen = append(seen, p)
		worst = max(worst,
			max(p.X, -p.X)+ballRadius-tableLength/2,
			max(p.Y, -p.Y)+ballRadius-tableWidth/2)
	}
	return worst
}

// energy returns the kinetic energy of all balls, joules.
func (s *scene) energy() float64 {
	sum := 0.0
	for e := range balls.Iter(s.world) {
		sum += ballMass / 2 * components.Velocity.Get(e).Linear.LengthSquared()
	}
	return sum
}
