package pinball

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// The table, seen from above: metres, y up the slope. The ball is as large as a real one.
const (
	width, height = 0.55, 1.05 // with the shooter lane
	field         = 0.50       // without it
	radius        = 0.0135     // of the ball
	downhill      = 1.25       // m/s², of gravity along the slope of 7 degrees
	lane          = (field + width) / 2
	plungerRest   = 0.06
	thick         = 0.008 // of walls

	flipperLength, flipperRadius = 0.066, 0.009
	flipperRestAngle, flipperUp  = -0.5, 1.0 // radians: at rest, and how far it turns
	flipperSpeed                 = 26.0      // rad/s
	bumperRadius                 = 0.032
	rampHalf                     = 0.030  // half its width
	rampPost                     = 0.0365 // from the middle of its mouth to the posts, which keep the ball off its ends
)

// Layers: the ramp leads over everything else.
const (
	ground = 1 << iota
	elevated
)

var (
	bumperPlaces = []collide.Vec3{collide.Vec2(0.176, 0.74), collide.Vec2(0.324, 0.74), collide.Vec2(0.25, 0.62)}
	lightPlaces  = []collide.Vec3{collide.Vec2(0.16, 0.93), collide.Vec2(0.25, 0.955), collide.Vec2(0.34, 0.93)}
	mouth        = collide.Vec2(0.11, 0.46)
	spinnerPlace = collide.Vec2(0.25, 0.815)
	leftPivot    = collide.Vec2(0.165, 0.155)
	rightPivot   = collide.Vec2(field-0.165, 0.155)
)

// arc returns points of a part of an ellipse, from one angle to another.
func arc(middle collide.Vec3, rx, ry, from, to float64) (points []collide.Vec3) {
	const parts = 24
	for k := range parts + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(k)/parts)
		points = append(points, middle.Add(collide.Vec2(rx*cos, ry*sin)))
	}
	return points
}

// arch is the middle of the ellipse at the upper end of the table, and its half axes.
var arch, archX, archY = collide.Vec2(width/2, 0.78), width / 2, height - 0.78

// archAt returns how far from the middle the arch is at a height.
func archAt(y float64) float64 {
	up := (y - arch.Y) / archY
	return archX * math.Sqrt(1-up*up)
}

// gate returns the gate at the end of the shooter lane.
func gate() []collide.Vec3 {
	return []collide.Vec3{collide.Vec2(arch.X+archAt(0.87), 0.87), collide.Vec2(field, 0.80)}
}

// outline returns the walls around the table, from the lower left over the top to the lane.
func outline() []collide.Vec3 {
	points := []collide.Vec3{collide.Vec2(0, -0.1)}
	points = append(points, arc(arch, archX, archY, math.Pi, 0)...)
	return append(points, collide.Vec2(width, -0.1))
}

// rails are the walls on the ground: chains of points.
func rails() [][]collide.Vec3 {
	guide := []collide.Vec3{
		collide.Vec2(0.042, 0.36), collide.Vec2(0.042, 0.228), leftPivot.Add(collide.Vec2(-0.008, 0.012)),
	}
	return [][]collide.Vec3{
		outline(),
		{collide.Vec2(field, -0.1), collide.Vec2(field, 0.80)},
		// It sends what comes over the top to the bumpers.
		{collide.Vec2(arch.X-archAt(0.87), 0.87), collide.Vec2(0.095, 0.815)},
		guide, mirrored(guide),
	}
}

// slings are the triangles above the flippers. Their first side kicks.
func slings() [][]collide.Vec3 {
	left := []collide.Vec3{collide.Vec2(0.098, 0.345), collide.Vec2(0.160, 0.222), collide.Vec2(0.098, 0.26)}
	return [][]collide.Vec3{left, mirrored(left)}
}

// mirrored returns points on the other side of the field.
func mirrored(points []collide.Vec3) (m []collide.Vec3) {
	for _, p := range points {
		m = append(m, collide.Vec2(field-p.X, p.Y))
	}
	return m
}

// ramp returns the middle of the ramp, from its mouth over the top to the right flipper.
func ramp() []collide.Vec3 {
	points := []collide.Vec3{mouth}
	points = append(points, arc(collide.Vec2(0.25, 0.74), 0.14, 0.14, math.Pi, 0)...)
	return append(points, collide.Vec2(0.425, 0.40))
}

// beside returns points at a distance to the left of a path.
func beside(path []collide.Vec3, distance float64) (points []collide.Vec3) {
	for k := range path {
		from, to := path[max(k-1, 0)], path[min(k+1, len(path)-1)]
		way, _ := to.Sub(from).Normalized()
		points = append(points, path[k].AddScaled(distance, way.Perp2D()))
	}
	return points
}

// build puts the table into the world.
func (s *scene) build() {
	chain := func(points []collide.Vec3, oneSided bool, layer uint32) {
		e, err := components.CreateChain2D(s.world, points, oneSided, components.Material, components.CollisionFilter)
		if err != nil {
			panic(err) // the table is constant
		}
		components.Material.Get(e).Restitution = 0.4
		components.CollisionFilter.SetValue(e, components.CollisionFilterData{Layers: layer, Mask: layer})
	}
	for _, r := range rails() {
		chain(r, false, ground)
	}
	chain(gate(), true, ground) // it stops only what comes back
	chain(beside(ramp(), rampHalf), false, elevated)
	chain(beside(ramp(), -rampHalf), false, elevated)
	for _, at := range []float64{-rampPost, rampPost} {
		s.post(mouth.Add(collide.Vec2(at, 0)), 0.006, 0.5)
	}
	for _, points := range slings() {
		e, err := components.CreatePolygon2D(s.world, points, components.Material, sling)
		if err != nil {
			panic(err)
		}
		components.Material.Get(e).Restitution = 0.5
		n, _ := points[1].Sub(points[0]).Perp2D().Normalized()
		if n.Y < 0 {
			n = n.Neg()
		}
		sling.SetValue(e, slingData{Normal: n, Points: points})
	}
	for _, at := range bumperPlaces {
		s.post(at, bumperRadius, 0.6, bumper)
	}
	s.left = s.flipper(leftPivot, 1)
	s.right = s.flipper(rightPivot, -1)
	s.spinner = components.CreateShape(s.world, spinnerPlace, collide.NewBox2D(collide.Vec3{}, 0.036, 0.004, 0),
		components.Velocity, components.AngularVelocity, components.Material)
	components.Material.Get(s.spinner).Restitution = 0.3
	s.plunger = components.CreateBox2D(s.world, collide.Vec2(lane, plungerRest-0.05), 0.018, 0.05, 0,
		components.Velocity)
}

// post creates a round post.
func (s *scene) post(at collide.Vec3, radius, restitution float64, more ...donburi.IComponentType) {
	more = append(more, components.Material)
	e := components.CreateShape(s.world, at, collide.Sphere{Radius: radius}, more...)
	components.Material.Get(e).Restitution = restitution
}

// flipper creates a flipper that points to the right (1) or the left (-1).
func (s *scene) flipper(pivot collide.Vec3, side float64) *donburi.Entry {
	sin, cos := math.Sincos(flipperRestAngle)
	tip := pivot.Add(collide.Vec2(side*cos, sin).Scale(flipperLength))
	e := components.CreateFlipper2D(s.world, pivot, tip, flipperRadius, side*flipperUp, flipperSpeed)
	components.Material.Get(e).Restitution = 0.25
	components.Motor.Get(e).ReturnSpeed = 14
	return e
}
