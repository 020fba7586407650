package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
	"github.com/yohamta/donburi/filter"
)

// The table: nine feet, with the balls of American pool. The bed lies around the origin, x along
// it.
const (
	tableLength = 2.54 // metres between the cushions
	tableWidth  = 1.27
	ballRadius  = 0.028575
	ballMass    = 0.17 // kilograms

	ballBounce    = 0.95 // restitution of two balls: phenolic resin hardly loses anything
	ballGrip      = 0.06 // friction of two balls: enough to throw one off the line of centres by a few degrees
	cushionBounce = 0.85
	cushionGrip   = 0.14 // what side spin works with
	// how far cushions lean in, as the sine of the angle: else a ball's roll would make it climb
	// them
	cushionLean = 0.16

	// The cloth: a ball that slides is slowed and set rolling, one that rolls by the pile of the
	// felt. Air and felt take more from what is fast. A ball shot at 4 m/s would run nearly five
	// lengths of the table, as on a real one.
	clothGrip    = 0.20
	clothRolling = 0.015
	clothTurning = 0.012 // what side spin dies of
	clothDamping = 0.20  // 1/s

	gravity = 9.81 // m/s²

	cornerHole = 0.066 // metres, radius of a pocket: a ball whose centre comes over it falls
	sideHole   = 0.060

	fastestShot = 12.0 // m/s: a hard break
	fullPull    = 0.45 // metres that the cue is drawn back for it
	leastPull   = 0.02 // metres: less is no shot

	stepSeconds = 1.0 / 60
)

// The spots: where the cue ball starts, and where the rack's first ball lies.
var (
	// beside the middle: a rack hit at an angle scatters better
	headSpot = collide.Vec3{X: -tableLength / 4, Y: 0.15, Z: ballRadius}
	footSpot = collide.Vec3{X: tableLength / 4, Z: ballRadius}
)

// ballData is what the game knows of a ball. The cue ball has the number 0.
type ballData struct{ Number int }

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
	Nudge   tip          // moves the tip by so much
	Put     *tip         // or there
	Auto    bool         // nobody plays: the scene aims and shoots by itself
}

// aim is a shot that is being prepared: from where the pointer was pressed to where it is now, the
// cue is drawn back.
type aim struct {
	Active   bool
	From, To collide.Vec3
}

// shot returns the direction of the shot and its power, 0 to 1, or false where it is drawn back too
// little.
func (a aim) shot() (direction collide.Vec3, power float64, ok bool) {
	pull := a.From.Sub(a.To)
	direction, ok = pull.Normalized()
	return direction, min(pull.Length()/fullPull, 1), a.Active && ok && pull.Length() >= leastPull
}

// tip is where the cue meets the ball, in radii from its middle: above it the ball follows what it
// hits, below it draws back, and beside it turns about the vertical, which cushions feel.
type tip struct{ Side, Up float64 }

// farTip is how far from the middle a tip still holds.
const farTip = 0.5

// tipSpeed is how fast keys move the tip, radii a tick.
const tipSpeed = 0.02

// scaled returns s·t.
func (t tip) scaled(s float64) tip { return tip{s * t.Side, s * t.Up} }

// within returns the nearest tip that holds.
func (t tip) within() tip {
	if l := math.Hypot(t.Side, t.Up); l > farTip {
		return tip{t.Side * farTip / l, t.Up * farTip / l}
	}
	return t
}

// spin returns the angular velocity that a shot gives: a solid ball of the inertia 2/5·m·r² that is
// hit beside its middle.
func (t tip) spin(velocity collide.Vec3) collide.Vec3 {
	up := collide.Vec3{Z: 1}
	right := velocity.Cross(up)
	return up.Cross(velocity).Scale(t.Up).Add(collide.Vec3{Z: right.Length() * t.Side}).Scale(1 / (0.4 * ballRadius))
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

	cloth   donburi.Entity
	cue     donburi.Entity // valid while it is on the table
	aim     aim
	tip     tip
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
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Z: -gravity}, StepSeconds: stepSeconds})

	s.physics.AddTo(s.game)
	// a game's own systems run before and after the physics, in the order in which they are added
	s.game.AddSystem(s.pocketBalls)

	s.layTable()
	s.rack()
	return s
}

// layTable makes what never moves: five endless planes as cloth and cushions, and six sensors as
// pockets.
func (s *scene) layTable() {
	plane := func(at, normal collide.Vec3, material components.MaterialData) donburi.Entity {
		e := components.CreatePlane(s.world, at, normal, components.Material)
		// CombineMin: a ball that bounces better than the cushion bounces like the cushion. The
		// rougher side decides how two things hold.
		material.RestitutionCombine = components.CombineMin
		components.Material.SetValue(e, material)
		return e.Entity()
	}
	s.cloth = plane(collide.Vec3{}, collide.Vec3{Z: 1},
		components.MaterialData{Friction: clothGrip, RollingResistance: clothRolling, SpinningResistance: clothTurning})
	for _, side := range []struct {
		out  collide.Vec3
		half float64
	}{
		{collide.Vec3{X: -1}, tableLength / 2},
		{collide.Vec3{X: 1}, tableLength / 2},
		{collide.Vec3{Y: -1}, tableWidth / 2},
		{collide.Vec3{Y: 1}, tableWidth / 2},
	} {
		touching := side.out.Scale(side.half - ballRadius) // the middle of a ball on the cloth that touches it
		touching.Z = ballRadius
		normal := side.out.Scale(-math.Sqrt(1 - cushionLean*cushionLean)).Add(collide.Vec3{Z: -cushionLean})
		plane(
			touching.AddScaled(-ballRadius, normal), normal,
			components.MaterialData{Restitution: cushionBounce, Friction: cushionGrip},
		)
	}
	for _, x := range []float64{-1, 0, 1} {
		for _, y := range []float64{-1, 1} {
			hole, out := cornerHole, 0.010
			if x == 0 {
				hole, out = sideHole, 0.020
			}
			e := s.world.Entry(s.world.Create(
				components.Transform, components.SphereCollider, components.Sensor, pocket,
			))
			components.Transform.SetValue(e, components.TransformData{Position: collide.Vec3{
				X: x * (tableLength/2 + out),
				Y: y * (tableWidth/2 + out),
				Z: ballRadius,
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
	// The 8 in the middle, one full and one striped ball in the corners behind, the others by
	// chance.
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
	// A hair between the balls, and never the same: a rack that touches everywhere breaks like a
	// mirror image.
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
		components.Transform, components.Velocity, components.AngularVelocity, components.SphereCollider,
		components.Body, components.Material, ball))
	// Its number looks up, leaning a little to one side.
	lean := collide.Vec3{X: s.random.Float64() - 0.5, Y: s.random.Float64() - 0.5, Z: s.random.Float64() - 0.5}
	components.Transform.SetValue(
		e, components.TransformData{Position: at, Rotation: collide.RotationAround(lean, 0.6)},
	)
	components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: ballRadius})
	components.Body.SetValue(e, components.BodyData{Mass: ballMass, LinearDamping: clothDamping})
	// as much, so that it goes on rolling
	components.AngularVelocity.SetValue(e, components.AngularVelocityData{Damping: clothDamping})
	components.Material.SetValue(e, components.MaterialData{Restitution: ballBounce, Friction: ballGrip})
	ball.SetValue(e, ballData{Number: number})
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
	for range s.physics.OverlapSphere(
		collide.Sphere{Center: at, Radius: ballRadius}, systems.Filter{Except: []donburi.Entity{s.cloth}},
	) {
		return true
	}
	return false
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

// slow is what nobody sees moving, m/s.
const slow = 2e-3

// atRest reports whether nothing moves and the cue ball can be played. A ball that turns on the
// spot doesn't hold up the game.
func (s *scene) atRest() bool {
	for e := range balls.Iter(s.world) {
		spin := components.AngularVelocity.Get(e).Angular
		spin.Z = 0
		if components.Velocity.Get(e).Linear.Length() > slow || spin.Length()*ballRadius > 2*slow {
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
	s.tip = tip{s.tip.Side + in.Nudge.Side, s.tip.Up + in.Nudge.Up}.within()
	if in.Put != nil {
		s.tip = in.Put.within()
	}
	s.takeAim(in, rest)
	s.game.Update() // the three stages of physics, pockets
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
		e := s.world.Entry(s.cue)
		velocity := direction.Scale(power * fastestShot)
		components.Velocity.Get(e).Linear = velocity
		components.AngularVelocity.Get(e).Angular = s.tip.spin(velocity)
		s.shots++
		s.tip = tip{}
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
		if i.B == s.cloth {
			continue
		}
		s.impacts++
		if i.Approach > 0.15 && !s.overHole(i.Point) {
			s.flashes = append(s.flashes, flash{At: i.Point, Speed: i.Approach})
		}
	}
	s.worstOverlap = max(s.worstOverlap, s.overlap())
}

// overHole reports whether a place is at a pocket: the endless cushions go on behind the holes,
// where nobody should see them.
func (s *scene) overHole(at collide.Vec3) bool {
	for e := range pockets.Iter(s.world) {
		if at.Distance(components.Transform.Get(e).Position) < pocket.Get(e).Hole+ballRadius {
			return true
		}
	}
	return false
}

// overlap returns how deep any two balls, a ball and a cushion or a ball and the cloth, are in each
// other: 0 says nowhere.
func (s *scene) overlap() float64 {
	worst := 0.0
	var seen []collide.Vec3
	for e := range balls.Iter(s.world) {
		p := components.Transform.Get(e).Position
		for _, q := range seen {
			worst = max(worst, 2*ballRadius-p.Distance(q))
		}
		seen = append(seen, p)
		worst = max(worst, ballRadius-p.Z)
		// Higher up the cushions are nearer.
		reach := ballRadius + (p.Z-ballRadius)*cushionLean/math.Sqrt(1-cushionLean*cushionLean)
		worst = max(worst, max(p.X, -p.X)+reach-tableLength/2, max(p.Y, -p.Y)+reach-tableWidth/2)
	}
	return worst
}

// energy returns what all balls move and turn with, and can fall by, joules.
func (s *scene) energy() float64 {
	sum := 0.0
	for e := range balls.Iter(s.world) {
		v, w := components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular
		height := components.Transform.Get(e).Position.Z - ballRadius
		sum += ballMass * (v.LengthSquared()/2 + 0.2*ballRadius*ballRadius*w.LengthSquared() + gravity*height)
	}
	return sum
}
