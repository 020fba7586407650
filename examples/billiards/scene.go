// Package billiards shows bouncing, friction and spin: fifteen balls that slide and roll on a
// cloth, cushions that are planes, pockets that are sensors, and sphere casts that predict the path
// of the cue ball.
package billiards

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

// The table: seven feet long, as in bars, with balls of 68 mm, as in Russian billiards, which can
// be seen on a phone. The origin is the middle of the bed, x its long axis.
const (
	tableLength = 1.98 // metres between the cushions
	tableWidth  = 0.99
	ballRadius  = 0.034
	ballMass    = 0.285 // kilograms

	ballBounce    = 0.93 // restitution of two balls, of phenolic resin
	ballGrip      = 0.03 // friction of two balls: deflects a ball by a few degrees from the line of centres
	cushionBounce = 0.85
	cushionGrip   = 0.14 // lets side spin change the direction after a cushion
	// sine of the angle by which cushions lean inwards: otherwise a rolling ball would climb them
	cushionLean = 0.16

	// The cloth slows sliding balls until they roll, and rolling ones by rolling resistance.
	// Damping, by the air, slows fast balls more.
	clothGrip    = 0.20
	clothRolling = 0.005
	clothTurning = 0.012 // spinning resistance: ends side spin
	clothDamping = 0.02  // 1/s

	gravity = 9.81 // m/s²

	cornerHole = 0.074 // metres, radius of a pocket: a ball falls when its centre is over it
	sideHole   = 0.068

	fastestShot = 12.0 // m/s: a hard break; a slider changes it
	fullPull    = 0.45 // metres that the cue is drawn back for the fastest shot
	leastPull   = 0.02 // metres; drawn back less than this, the cue doesn't shoot

	stepSeconds = 1.0 / 60
)

// The spots: the start of the cue ball, and the place of the first ball of the rack.
var (
	// beside the middle: a rack hit at an angle scatters better
	headSpot = collide.Vec3{X: -tableLength / 4, Y: 0.12, Z: ballRadius}
	footSpot = collide.Vec3{X: tableLength / 4, Z: ballRadius}
)

// ballData is the game's data of a ball. The cue ball has the number 0.
type ballData struct{ Number int }

// pocketData is a hole in the table.
type pocketData struct{ Hole float64 } // metres, its radius

// The game's own components, besides dango's.
var (
	ball   = donburi.NewComponentType[ballData]()
	pocket = donburi.NewComponentType[pocketData]()
)

var (
	balls   = donburi.NewQuery(filter.Contains(ball))
	pockets = donburi.NewQuery(filter.Contains(pocket))
)

// input is the input of one tick.
type input struct {
	Pointer collide.Vec3 // on the table
	Held    bool         // the mouse button is down, or a finger touches
	Nudge   tip          // displacement of the tip
	Put     *tip         // new position of the tip, or nil
	Cancel  bool         // gives up the shot that is being prepared
	Auto    bool         // the scene plays by itself
}

// aim is a shot that is being prepared. The cue is drawn back from the point where the pointer was
// pressed to its present position.
type aim struct {
	Active   bool
	From, To collide.Vec3
}

// shot returns the direction of the shot and its power, 0 to 1, or false if the cue is drawn back
// too little.
func (a aim) shot() (direction collide.Vec3, power float64, ok bool) {
	pull := a.From.Sub(a.To)
	direction, ok = pull.Normalized()
	return direction, min(pull.Length()/fullPull, 1), a.Active && ok && pull.Length() >= leastPull
}

// tip is the point at which the cue hits the ball, in radii from its middle. Above the middle the
// ball follows the ball that it hits (follow), below it comes back (draw), and beside it spins
// about the vertical (side), which changes its direction at cushions.
type tip struct{ Side, Up float64 }

// farTip is the largest distance from the middle, in radii; beyond it a cue would slip.
const farTip = 0.5

// tipSpeed is the speed of the tip while a key is down, in radii per tick.
const tipSpeed = 0.02

// scaled returns s·t.
func (t tip) scaled(s float64) tip { return tip{s * t.Side, s * t.Up} }

// within returns the nearest valid tip.
func (t tip) within() tip {
	if l := math.Hypot(t.Side, t.Up); l > farTip {
		return tip{t.Side * farTip / l, t.Up * farTip / l}
	}
	return t
}

// spin returns the angular velocity after a shot, for a solid ball with inertia 2/5·m·r² that is
// hit outside of its middle.
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

// flash is a hard impact, for drawing.
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
	cue     donburi.Entity // invalid while it is off the table
	aim     aim
	tip     tip
	wasHeld bool
	fastest float64 // m/s, of a shot of full power
	rules   rules

	tray    []int  // the pocketed balls, in the order in which they fell
	turn    int    // the player whose turn it is, 0 or 1
	points  [2]int // balls that each has pocketed in this rack
	sunk    int    // by the last shot; negative: the cue ball fell
	shot    bool   // the balls move because of a shot
	wins    [2]int // racks
	drops   []drop
	flashes []flash

	ticks, shots, scratches, racks int
	impacts                        int
	pocketed                       int
	worstOverlap                   float64 // metres, over all steps
}

// newScene returns a table with a new rack. Equal seeds give games with the same bits.
func newScene(seed uint64) *scene {
	s := &scene{world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 15)), fastest: fastestShot, rules: usual}
	s.game = ecs.NewECS(s.world)
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Z: -gravity}, StepSeconds: stepSeconds})

	s.physics.AddTo(s.game)
	// systems of the game run before or after physics, in the order in which they are added
	s.game.AddSystem(s.pocketBalls)

	s.layTable()
	s.rack()
	return s
}

// layTable creates the static entities: five infinite planes as cloth and cushions, and six sensors
// as pockets.
func (s *scene) layTable() {
	plane := func(at, normal collide.Vec3, material components.MaterialData) donburi.Entity {
		e := components.CreatePlane(s.world, at, normal, components.Material)
		// CombineMin: an impact of ball and cushion has the restitution of the cushion. The larger
		// friction of the two counts.
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
		touching := side.out.Scale(side.half - ballRadius) // centre of a ball on the cloth that touches the cushion
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
			// A ball touches this sphere when its centre is above the rim of the hole.
			components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: hole - ballRadius})
			pocket.SetValue(e, pocketData{Hole: hole})
		}
	}
}

// tune changes the rules.
func (s *scene) tune(r rules) {
	if r == s.rules {
		return
	}
	s.rules = r
	components.Material.Get(s.world.Entry(s.cloth)).Friction = r.grip
	for e := range balls.Iter(s.world) {
		components.Material.Get(e).Restitution = r.bounce
		components.Body.Get(e).GravityScale = r.weight
	}
}

// rack creates the fifteen balls and the cue ball.
func (s *scene) rack() {
	s.racks++
	s.points = [2]int{}
	s.tray = s.tray[:0]
	// The 8 is in the middle, a solid and a striped ball in the two rear corners, the others at
	// random.
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
	// Small random gaps between the balls: without them the rack would break symmetrically.
	const hair = 0.0003
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
	// Its number points up, slightly tilted.
	lean := collide.Vec3{X: s.random.Float64() - 0.5, Y: s.random.Float64() - 0.5, Z: s.random.Float64() - 0.5}
	components.Transform.SetValue(
		e, components.TransformData{Position: at, Rotation: collide.RotationAround(lean, 0.6)},
	)
	components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: ballRadius})
	components.Body.SetValue(e, components.BodyData{
		Mass: ballMass, LinearDamping: clothDamping, GravityScale: s.rules.weight,
	})
	// equal to the linear damping, so that the ball keeps rolling
	components.AngularVelocity.SetValue(e, components.AngularVelocityData{Damping: clothDamping})
	components.Material.SetValue(e, components.MaterialData{Restitution: s.rules.bounce, Friction: ballGrip})
	ball.SetValue(e, ballData{Number: number})
	return e.Entity()
}

// placeCueBall puts the cue ball on the head spot, or beside it if another ball is in the way.
func (s *scene) placeCueBall() {
	s.physics.Sync(s.world) // lets the query see the balls created since the last step
	at := headSpot
	for i := 0; i < 20 && s.occupied(at); i++ {
		side := headSpot.Y + float64((i+2)/2)*2.5*ballRadius*float64(2*(i%2)-1)
		if math.Abs(side) < tableWidth/2-ballRadius {
			at.Y = side
		}
	}
	s.cue = s.newBall(0, at)
	s.physics.Sync(s.world)
}

// occupied reports whether a ball at this position would overlap another one.
func (s *scene) occupied(at collide.Vec3) bool {
	for range s.physics.OverlapSphere(
		collide.Sphere{Center: at, Radius: ballRadius}, systems.Filter{Except: []donburi.Entity{s.cloth}},
	) {
		return true
	}
	return false
}

// pocketBalls is the system that removes the balls that entered a pocket in the last step.
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
			s.sunk = -16 // whatever else falls
		} else {
			s.tray = append(s.tray, number)
			s.pocketed++
			s.points[s.turn]++
			s.sunk++
		}
		game.World.Remove(c.A)
	}
}

// slow is a speed too low to be visible, m/s.
const slow = 2e-3

// atRest reports whether no ball moves and the cue ball can be played. A ball that only spins
// doesn't count as moving.
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

// cueBall returns the position of the cue ball, or false while it is off the table.
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
	if rest && s.shot {
		s.endShot()
	}
	if rest && !s.world.Valid(s.cue) {
		s.placeCueBall()
	}
	if rest && (balls.Count(s.world) == 1 || s.points[s.leader()] >= enough) {
		s.wins[s.leader()]++
		s.clear()
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
	s.game.Update() // the three systems of physics, then pocketBalls
	s.note()
}

// clear removes all balls.
func (s *scene) clear() {
	var all []donburi.Entity
	for e := range balls.Iter(s.world) {
		all = append(all, e.Entity())
	}
	for _, e := range all {
		s.world.Remove(e)
	}
}

// endShot gives the turn to the other player if the shot pocketed nothing, or the cue ball.
func (s *scene) endShot() {
	s.shot = false
	if s.sunk <= 0 {
		s.turn = 1 - s.turn
	}
}

// leader returns the player with more balls of this rack.
func (s *scene) leader() int {
	if s.points[1] > s.points[0] {
		return 1
	}
	return 0
}

// enough is the number of balls with which a player has won the rack, more than half of fifteen.
const enough = 8

// takeAim draws the cue back with the pointer, and shoots when the pointer is released.
func (s *scene) takeAim(in input, rest bool) {
	pressed := in.Held && !s.wasHeld
	s.wasHeld = in.Held
	switch {
	case !rest || in.Cancel:
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
		velocity := direction.Scale(power * s.fastest)
		components.Velocity.Get(e).Linear = velocity
		components.AngularVelocity.Get(e).Angular = s.tip.spin(velocity)
		s.shots++
		s.shot, s.sunk = true, 0
		s.tip = tip{}
	}
}

// age advances the age of drops and flashes, and removes old ones.
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

// Durations of drops and flashes, in ticks.
const (
	dropTicks  = 18
	flashTicks = 16
)

// note records the events of the step, for the flashes and the summary.
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

// overHole reports whether a point is at a pocket. The infinite cushions also exist there, and
// nothing should be drawn for impacts with them.
func (s *scene) overHole(at collide.Vec3) bool {
	for e := range pockets.Iter(s.world) {
		if at.Distance(components.Transform.Get(e).Position) < pocket.Get(e).Hole+ballRadius {
			return true
		}
	}
	return false
}

// overlap returns the deepest overlap of two balls, or of a ball and a cushion or the cloth, in
// metres; 0 if there is none.
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
		// Cushions lean inwards, so they are nearer higher up.
		reach := ballRadius + (p.Z-ballRadius)*cushionLean/math.Sqrt(1-cushionLean*cushionLean)
		worst = max(worst, max(p.X, -p.X)+reach-tableLength/2, max(p.Y, -p.Y)+reach-tableWidth/2)
	}
	return worst
}

// energy returns the kinetic, rotational and potential energy of all balls, in joules.
func (s *scene) energy() float64 {
	sum := 0.0
	for e := range balls.Iter(s.world) {
		v, w := components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular
		height := components.Transform.Get(e).Position.Z - ballRadius
		spin := 0.2 * ballRadius * ballRadius * w.LengthSquared()
		sum += ballMass * (v.LengthSquared()/2 + spin + s.rules.weight*gravity*height)
	}
	return sum
}
