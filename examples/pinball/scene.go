// Package pinball is a table with flippers, bumpers, slingshots, a spinner, a ramp, a plunger and a
// tilt. All of them are kinematic or static, and the ball meets them at the exact time. The world
// is the plane z = 0, in metres, y up the slope.
package pinball

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
	stepSeconds = 1.0 / 60
	firstBalls  = 3
	tiltLimit   = 3.0 // nudges, which wear off in a second and a half each
	inertia     = 4e-5
)

// slingData is what the game knows of a slingshot.
type slingData struct {
	Normal collide.Vec3 // of the side that kicks
	Points []collide.Vec3
}

// The game's own components, besides dango's.
var (
	sling     = donburi.NewComponentType[slingData]()
	bumper    = donburi.NewTag()
	slingsOf  = donburi.NewQuery(filter.Contains(sling))
	bumpersOf = donburi.NewQuery(filter.Contains(bumper))
)

// input is the input of one tick.
type input struct {
	Left, Right, Draw bool
	Nudge             float64 // -1 to the left, 1 to the right
	Auto              bool    // the game plays by itself
}

// scene is the game without its drawing.
type scene struct {
	world                               donburi.World
	physics                             *systems.Physics
	random                              *rand.Rand
	ball, left, right, spinner, plunger *donburi.Entry
	onRamp, tilted, dragged             bool // dragged: a hand holds the ball
	lights                              [3]bool
	balls, score, best, multiplier      int
	games, serves, ramps                int
	tilt, jolt                          float64
	spin                                float64 // angle that the spinner has turned since it scored last
	glow                                map[donburi.Entity]float64
	flash                               float64 // of the table
	flips                               [2]int  // for how many ticks the player that plays by itself holds a flipper
	aim, drawn                          int     // ticks for which it draws the plunger: that are left, and of this try
	idle, ticks, impacts                int
	slope                               float64
}

// newScene begins a game.
func newScene(seed uint64, slope float64) *scene {
	s := &scene{
		world: donburi.NewWorld(), random: rand.New(rand.NewPCG(seed, 9)), slope: slope,
		glow: map[donburi.Entity]float64{},
	}
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds, Gravity: collide.Vec2(0, -1)})
	s.build()
	s.newGame()
	return s
}

func (s *scene) newGame() {
	s.games++
	s.balls, s.score, s.multiplier = firstBalls, 0, 1
	s.serve()
}

// serve puts a new ball into the shooter lane.
func (s *scene) serve() {
	s.serves++
	if s.ball != nil {
		s.world.Remove(s.ball.Entity())
	}
	s.ball = components.CreateBall(s.world, collide.Vec2(lane, plungerRest+radius+0.002), radius,
		components.CollisionFilter)
	components.Body.Get(s.ball).Locked = components.AxisZ
	components.Body.Get(s.ball).Mass = 0.08
	components.Material.Get(s.ball).Restitution = 1 // the other side decides: see CombineMultiply
	components.Material.Get(s.ball).RestitutionCombine = components.CombineMultiply
	s.setRamp(false)
	s.tilted, s.tilt, s.idle, s.lights = false, 0, 0, [3]bool{}
	s.drawn = 20 + s.random.IntN(12)
	s.aim = s.drawn
}

// setRamp lifts the ball onto the ramp, or lets it down.
func (s *scene) setRamp(on bool) {
	s.onRamp = on
	layer := uint32(ground)
	if on {
		layer = elevated
	}
	components.CollisionFilter.SetValue(s.ball, components.CollisionFilterData{Layers: layer, Mask: layer})
}

func (s *scene) at() collide.Vec3        { return components.Transform.Get(s.ball).Position }
func (s *scene) velocity() *collide.Vec3 { return &components.Velocity.Get(s.ball).Linear }

// inLane reports whether the ball waits for the plunger.
func (s *scene) inLane() bool {
	at := s.at()
	return at.X > field && at.Y < 0.3
}

// add adds points.
func (s *scene) add(points int) {
	if !s.tilted && !s.dragged {
		s.score += points * s.multiplier
		s.best = max(s.best, s.score)
	}
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	s.ticks++
	if in.Auto {
		in = s.play()
	}
	components.Body.Get(s.ball).GravityScale = s.slope
	components.Motor.Get(s.left).On = in.Left && !s.tilted
	components.Motor.Get(s.right).On = in.Right && !s.tilted
	s.movePlunger(in.Draw)
	s.nudge(in.Nudge)
	before := s.at()
	s.physics.Step(s.world)
	s.respond()
	s.turnSpinner()
	s.follow(before)
	for e, g := range s.glow {
		s.glow[e] = g * 0.9
	}
	s.flash *= 0.93
	s.jolt *= 0.8
}

// movePlunger draws the plunger back, or lets it go: it is fast until it has come to its place.
func (s *scene) movePlunger(pulled bool) {
	at, v := s.plungerAt(), 0.0
	switch {
	case pulled:
		v = max(-0.09, (plungerRest-0.055-at)/stepSeconds)
	case at < plungerRest-1e-6:
		v = min(46*(plungerRest-at)+0.3, (plungerRest-at)/stepSeconds)
	}
	components.Velocity.Get(s.plunger).Linear = collide.Vec2(0, v)
}

// plungerAt returns the height of the plunger's end.
func (s *scene) plungerAt() float64 { return components.Transform.Get(s.plunger).Position.Y + 0.05 }

// nudge pushes the table. Who does it too often tilts.
func (s *scene) nudge(side float64) {
	s.tilt = max(0, s.tilt-stepSeconds/1.5)
	if side == 0 || s.tilted {
		return
	}
	s.jolt = side
	if s.tilt++; s.tilt > tiltLimit {
		s.tilted = true
		return
	}
	if !s.inLane() {
		v := s.velocity()
		*v = v.Add(collide.Vec2(0.25*side, 0.12))
	}
}

// respond handles the impacts of the step: bumpers and slingshots kick, and the spinner is driven.
func (s *scene) respond() {
	for hit := range s.physics.Impacts() {
		s.impacts++
		if hit.A != s.ball.Entity() || hit.Approach < 0.05 {
			continue
		}
		other := s.world.Entry(hit.B)
		v := s.velocity()
		switch {
		case other.HasComponent(bumper):
			*v = v.AddScaled(max(0, 1.1-hit.Normal.Dot(*v)), hit.Normal)
			s.glow[hit.B] = 1
			s.add(100)
		case other.HasComponent(sling):
			if n := sling.Get(other).Normal; n.Dot(hit.Normal) > 0.9 && !s.tilted {
				*v = v.AddScaled(max(0, 1.0-n.Dot(*v)), n)
				s.glow[hit.B] = 1
				s.add(20)
			}
		case hit.B == s.spinner.Entity():
			spin := &components.AngularVelocity.Get(s.spinner).Angular
			arm := hit.Point.Sub(spinnerPlace)
			spin.Z -= arm.Cross2D(hit.Normal.Scale(hit.Impulse)) / inertia
			spin.Z = max(-60, min(60, spin.Z))
		}
	}
}

// turnSpinner slows the spinner down, and scores for each half turn.
func (s *scene) turnSpinner() {
	spin := &components.AngularVelocity.Get(s.spinner).Angular
	s.spin += math.Abs(spin.Z) * stepSeconds
	for ; s.spin > math.Pi; s.spin -= math.Pi {
		s.add(50)
		s.glow[s.spinner.Entity()] = 1
	}
	if spin.Z *= 0.985; math.Abs(spin.Z) < 0.4 {
		spin.Z = 0
	}
}

// follow finds out where the ball has come: onto the ramp, over a light, or out.
func (s *scene) follow(before collide.Vec3) {
	at, v := s.at(), *s.velocity()
	switch {
	case !s.onRamp && before.Y <= mouth.Y && at.Y > mouth.Y && math.Abs(at.X-mouth.X) < rampHalf-radius:
		s.setRamp(true)
	case s.onRamp && at.Y < 0.40 && at.X > field/2:
		s.setRamp(false)
		s.ramps++
		s.flash = 1
		s.add(2000)
	case s.onRamp && at.Y < mouth.Y && at.X < field/2:
		s.setRamp(false) // it was too slow
	}
	for k, p := range lightPlaces {
		if !s.onRamp && at.Distance(p) < 0.02 && !s.lights[k] {
			s.lights[k] = true
			s.add(250)
		}
	}
	if s.lights == [3]bool{true, true, true} {
		s.lights, s.flash = [3]bool{}, 1
		s.multiplier = min(s.multiplier+1, 9)
		s.add(1000)
	}
	// A ball that lies somewhere for three seconds is freed.
	if s.idle++; v.Length() > 0.02 || s.inLane() {
		s.idle = 0
	} else if s.idle > 180 {
		s.idle = 0
		*s.velocity() = collide.Vec2(0.4*s.random.Float64()-0.2, 0.6)
	}
	if at.Y > -0.03 || at.X > field {
		return
	}
	if s.balls--; s.balls > 0 {
		s.serve()
		return
	}
	s.newGame()
}

// play returns the input of a simple player: it shoots, and flips when the ball comes down to a
// flipper. From where it lies there follows where it goes, so it waits a little, at random.
func (s *scene) play() (in input) {
	at, v := s.at(), *s.velocity()
	if s.inLane() {
		if s.aim == 0 && v == (collide.Vec3{}) && s.plungerAt() > plungerRest-1e-6 { // the shot was too weak
			s.drawn = min(s.drawn+6, 40) // the plunger is all the way back after 37
			s.aim = s.drawn
		}
		if s.aim > 0 && v.Length() < 0.2 {
			s.aim--
			in.Draw = true
		}
		return in
	}
	for k, pivot := range [2]collide.Vec3{leftPivot, rightPivot} {
		d := at.Sub(pivot)
		if k == 1 {
			d.X = -d.X
		}
		over := d.X - 0.012*s.random.Float64()
		if s.flips[k] == 0 && over > 0.022 && d.X < 0.085 && d.Y > -0.045 && d.Y < 0.03 && v.Y < 0.2 {
			s.flips[k] = 12
		}
		s.flips[k] = max(0, s.flips[k]-1)
	}
	in.Left, in.Right = s.flips[0] > 0, s.flips[1] > 0
	return in
}
