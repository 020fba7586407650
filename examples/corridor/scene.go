// Package corridor shows sliding: a sphere slides through corners of every kind and a shaft of its
// own radius without sticking, jittering or tunnelling.
package corridor

import (
	"cmp"
	"math"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// The walker and its world: a floor plan in the plane z = 0, in metres, with upright walls. The
// axis of the shaft, a tube, lies in the same plane.
const (
	radius    = 0.4   // of the walker, and of the shaft
	touch     = 1e-9  // metres; gaps up to this are drawn as contacts
	play      = 1e-15 // metres by which the shaft is wider: without it rounding would decide whether the walker fits
	walkSpeed = 3.5   // m/s, in slide mode
	push      = 14    // m/s², in bounce mode
	bounce    = 0.9   // restitution in bounce mode, unless the slider changes it
	liveliest = 0.95  // the slider's largest: with 1 the walker bounces in the shaft without end
	air       = 0.4   // 1/s, damping in bounce mode

	wallHeight = 2.0  // metres, half of it below the plane
	shaftY     = 8.2  // y of the shaft's axis
	shaftSides = 32   // a multiple of four, so that the plane z = 0 cuts sides in their middle
	mouthX     = 11.8 // x at which the mouth opens into the room

	stepSeconds = 1.0 / 60
)

// start is the initial position of the walker.
var start = collide.Vec3{X: 3.4, Y: 2.4}

// outline returns the corners of the floor, from one end of the shaft's mouth to the other. The
// floor is on the left of each wall.
func outline() []collide.Vec3 {
	// The wedge: ten degrees between the wall along y = 0 and the next one.
	const tip, back = 12.5, 6.0
	wedge := (tip - back) * math.Tan(10*math.Pi/180)
	// The bend: thirty degrees to the left, so an inner corner of 150.
	rise := math.Tan(30 * math.Pi / 180)
	bend := func(x, y, to float64) collide.Vec3 { return collide.Vec3{X: to, Y: y + (to-x)*rise} }
	low := bend(8.6, 2.6, 11.2)
	const highX, highY = 8.15, 4.3
	return []collide.Vec3{
		{X: mouthX, Y: shaftY - mouth[0].radius},
		bend(highX, highY, mouthX),
		{X: highX, Y: highY},
		{X: 5.5, Y: highY},
		{X: 5.5, Y: 6},
		{X: -2.6, Y: 6}, // acute: 53 degrees
		{X: 0, Y: 2.6},
		{X: 0, Y: 0}, // right
		{X: tip, Y: 0},
		{X: back, Y: wedge},
		{X: back, Y: 2.6},
		{X: 8.6, Y: 2.6}, // obtuse: 150 degrees
		low,
		{X: 14.2, Y: low.Y},
		{X: 14.2, Y: 9.6},
		{X: mouthX, Y: 9.6},
		{X: mouthX, Y: shaftY + mouth[0].radius},
	}
}

// station is a position along the shaft and the distance of its sides from the axis there.
type station struct{ x, radius float64 }

// mouth is the shaft from its opening to its end: a funnel, a tube of the walker's own radius, and
// a taper in which it gets stuck.
var mouth = []station{{mouthX, 1.0}, {10.2, radius + play}, {4.4, radius + play}, {1.6, 0.2}}

// wallData is the game's data of a wall.
type wallData struct {
	Normal collide.Vec3 // towards the floor
	Shaft  bool
}

// wall is the game's own component, besides dango's.
var wall = donburi.NewComponentType[wallData]()

// input is the input of one tick.
type input struct {
	Move   collide.Vec3 // direction, of length 1 at most
	Switch bool         // changes between bounce and slide
	Auto   bool         // the scene plays by itself
}

// contact is a point at which the walker touches a wall.
type contact struct {
	Point, Normal collide.Vec3
	Shaft         bool
}

// flash is an impact, for drawing.
type flash struct {
	contact
	Speed float64
	Age   int // ticks
}

// Durations of traces, in ticks.
const (
	flashTicks = 24
	trailTicks = 90
)

// scene is the game without its drawing.
type scene struct {
	game    *ecs.ECS
	world   donburi.World
	physics *systems.Physics
	walker  donburi.Entity
	guide   guide
	naive   naive // walks as the walker does, in slide mode
	reached []bool
	left    int     // goals that have not been reached
	seconds float64 // until the last one was, or until now

	slide    bool
	speed    float64      // m/s, of a walker that slides; 0 stands for walkSpeed
	wish     collide.Vec3 // direction that the player asks for
	contacts []contact    // after the last step
	flashes  []flash
	trail    []collide.Vec3

	ticks, impacts, stuckTicks int
	worstOverlap               float64 // metres, over all steps
}

// newScene returns the scene with the walker in slide mode.
func newScene() *scene {
	s := &scene{world: donburi.NewWorld(), slide: true, naive: naive{at: start}}
	s.game = ecs.NewECS(s.world)
	s.physics = systems.NewPhysics(systems.Config{StepSeconds: stepSeconds})
	s.game.AddSystem(s.steer) // before physics: sets the velocity
	s.physics.AddTo(s.game)
	s.game.AddSystem(s.note) // after physics: records the results

	s.build()
	s.newWalker()
	return s
}

// build creates the walls.
func (s *scene) build() {
	// Walls along the outline: upright rectangles that face the floor.
	corners := outline()
	down, up := collide.Vec3{Z: -wallHeight / 2}, collide.Vec3{Z: wallHeight / 2}
	for i := 1; i < len(corners); i++ {
		a, b := corners[i-1], corners[i]
		s.newWall(false, b.Add(down), a.Add(down), a.Add(up), b.Add(up))
	}
	// The shaft: a ring of long thin sides from each station to the next.
	for i := 1; i < len(mouth); i++ {
		for k := range shaftSides {
			s.newWall(true, shaftCorner(i, k), shaftCorner(i-1, k), shaftCorner(i-1, k+1), shaftCorner(i, k+1))
		}
	}
}

// shaftCorner returns the k-th corner of the shaft's cross-section at the i-th station. The
// station's distance is that of the middles of sides, not of the corners, because it is the radius
// of the largest sphere that fits.
func shaftCorner(i, k int) collide.Vec3 {
	angle := 2 * math.Pi * (float64(k%shaftSides) - 0.5) / shaftSides
	r := mouth[i].radius / math.Cos(math.Pi/shaftSides)
	return collide.Vec3{X: mouth[i].x, Y: shaftY + r*math.Cos(angle), Z: r * math.Sin(angle)}
}

// newWall creates a flat wall. Its corners run counter-clockwise when seen from the side of the
// walker.
func (s *scene) newWall(shaft bool, corners ...collide.Vec3) {
	e := s.world.Entry(s.world.Create(components.Transform, components.PolygonCollider, wall))
	components.PolygonCollider.SetValue(e, components.PolygonColliderData{Points: corners, OneSided: true})
	normal, _ := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0])).Normalized()
	wall.SetValue(e, wallData{Normal: normal, Shaft: shaft})
}

// newWalker creates the sphere at its start.
func (s *scene) newWalker() {
	bouncing := []donburi.IComponentType{
		components.Transform, components.Velocity, components.SphereCollider, components.Body, components.Material,
	}
	// Donburi 1.15.7 miscounts entities if the first with these components got them by
	// RemoveComponent, as setSlide does. So one is created first.
	s.world.Remove(s.world.Create(bouncing...))
	e := s.world.Entry(s.world.Create(append(bouncing, components.Sliding)...))
	components.Transform.SetValue(e, components.TransformData{Position: start})
	components.SphereCollider.SetValue(e, components.SphereColliderData{Radius: radius})
	components.Body.SetValue(e, components.BodyData{Locked: components.AxisZ})
	components.Material.SetValue(e, components.MaterialData{Restitution: bounce})
	s.walker = e.Entity()
}

// steer is the system that applies the player's input. In slide mode it sets the velocity, in
// bounce mode it accelerates the sphere.
func (s *scene) steer(game *ecs.ECS) {
	e := game.World.Entry(s.walker)
	v := components.Velocity.Get(e)
	if s.slide {
		v.Linear = s.wish.Scale(s.pace())
		return
	}
	v.Linear = v.Linear.AddScaled(push*stepSeconds, s.wish)
}

// pace returns the speed of a walker that slides.
func (s *scene) pace() float64 { return cmp.Or(s.speed, walkSpeed) }

// setBounce changes the restitution.
func (s *scene) setBounce(restitution float64) {
	components.Material.Get(s.world.Entry(s.walker)).Restitution = restitution
}

// setSlide changes between slide and bounce mode by changing two components.
func (s *scene) setSlide(slide bool) {
	s.slide = slide
	e := s.world.Entry(s.walker)
	switch {
	case !slide:
		e.RemoveComponent(components.Sliding)
		components.Body.Get(e).LinearDamping = air
	default:
		if !e.HasComponent(components.Sliding) {
			e.AddComponent(components.Sliding)
		}
		components.Body.Get(e).LinearDamping = 0
	}
}

// step plays one tick of 1/60 s.
func (s *scene) step(in input) {
	if in.Auto {
		in = s.guide.walk(s)
	}
	if in.Switch {
		s.setSlide(!s.slide)
	}
	s.wish = in.Move
	s.ticks++
	s.game.Update()
	if s.slide {
		s.naive.step(s.wish.Scale(s.pace()))
	} else {
		s.naive.at = s.position() // it can't bounce, so it comes along
	}
	s.visit()
}

// position returns the walker's centre.
func (s *scene) position() collide.Vec3 {
	return components.Transform.Get(s.world.Entry(s.walker)).Position
}

// velocity returns the walker's velocity.
func (s *scene) velocity() collide.Vec3 {
	return components.Velocity.Get(s.world.Entry(s.walker)).Linear
}

// stuck reports whether the player steers but contacts block the walker.
func (s *scene) stuck() bool {
	return s.slide && s.wish.Length() > 0.5 && s.velocity().Length() < 1e-3*s.pace()
}

// note is the system that records the results of the step, for the drawing and the summary.
func (s *scene) note(*ecs.ECS) {
	at := s.position()
	s.contacts = s.contacts[:0]
	// The drawing shows all walls close to the walker, not only those that Physics.Touching lists.
	for e := range s.physics.OverlapSphere(
		collide.Sphere{Center: at, Radius: radius + touch}, systems.Filter{Except: []donburi.Entity{s.walker}},
	) {
		w := wall.Get(s.world.Entry(e))
		// The overlap test says which wall; a short cast towards it finds the point.
		hit, ok := s.physics.SphereCast(collide.Sphere{Center: at, Radius: radius}, w.Normal.Neg(), 2*touch,
			systems.Filter{Accept: func(other donburi.Entity) bool { return other == e }})
		if ok {
			s.contacts = append(s.contacts, contact{hit.Point, hit.Normal, w.Shaft})
		}
	}
	for i := range s.flashes {
		s.flashes[i].Age++
	}
	s.flashes = slices.DeleteFunc(s.flashes, func(f flash) bool { return f.Age > flashTicks })
	for i := range s.physics.Impacts() {
		s.impacts++
		if !s.slide && i.Approach > 0.3 {
			shaft := wall.Get(s.world.Entry(i.B)).Shaft
			s.flashes = append(s.flashes, flash{contact: contact{i.Point, i.Normal, shaft}, Speed: i.Approach})
		}
	}
	s.trail = follow(s.trail, at)
	if s.stuck() {
		s.stuckTicks++
	}
	s.worstOverlap = max(s.worstOverlap, s.overlap())
}

// follow adds a place to a trail, and forgets the oldest.
func follow(trail []collide.Vec3, at collide.Vec3) []collide.Vec3 {
	trail = append(trail, at)
	if len(trail) > trailTicks {
		trail = slices.Delete(trail, 0, 1)
	}
	return trail
}

// overlap returns the deepest overlap of the walker with a wall, in metres; 0 if there is none. It
// computes distances itself, independently of the library that it checks.
func (s *scene) overlap() float64 {
	at := s.position()
	worst := 0.0
	corners := outline()
	for i := 1; i < len(corners); i++ {
		a, b := corners[i-1], corners[i]
		ab := b.Sub(a)
		t := min(max(at.Sub(a).Dot(ab)/ab.LengthSquared(), 0), 1)
		worst = max(worst, radius-at.Distance(a.AddScaled(t, ab)))
	}
	if r, ok := shaftRadius(at.X); ok && math.Abs(at.Y-shaftY) < r {
		for i := 1; i < len(mouth); i++ {
			a, b := mouth[i-1], mouth[i]
			// A side's plane, in the half-plane through the axis and the side's middle.
			nx, nr := b.radius-a.radius, a.x-b.x
			l := math.Hypot(nx, nr)
			for k := range shaftSides {
				angle := 2 * math.Pi * float64(k) / shaftSides
				out := (at.Y-shaftY)*math.Cos(angle) + at.Z*math.Sin(angle)
				gap := (nr*(a.radius-out) + nx*(a.x-at.X)) / l
				if along := at.X + nx/l*gap; along <= a.x && along >= b.x {
					worst = max(worst, radius-gap)
				}
			}
		}
	}
	return worst
}

// shaftRadius returns the distance of the shaft's sides from its axis at x, or false if there is no
// shaft.
func shaftRadius(x float64) (float64, bool) {
	for i := 1; i < len(mouth); i++ {
		a, b := mouth[i-1], mouth[i]
		if x <= a.x && x >= b.x {
			return a.radius + (b.radius-a.radius)*(a.x-x)/(a.x-b.x), true
		}
	}
	return 0, false
}
