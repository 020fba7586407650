// Package drum shows a wall that rotates: a drum turns balls of three sizes over and over, and they
// segregate. Small balls sink through the layer that flows down, and gather in the middle.
package drum

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/ecs"
)

// The origin is the middle of the drum, y up. The drum rotates about z, between two end plates that
// stand still and are without friction.
const (
	radius = 1.0 // metres, to the corners of the drum
	sides  = 96  // of the drum
	deep   = 2.0 // distance of the end plates, in diameters of the largest ball

	filled  = 0.45 // part of the drum that the bed takes
	packing = 0.58 // part of the bed that the balls take

	density = 1000.0 // kg/m³
	grip    = 0.5    // friction of balls and drum

	leastBalls = 100
	firstBalls = 240
	mostBalls  = 1000

	settleTicks = 60 // after which the balls lie in a bed

	gravity     = 9.81
	stepSeconds = 1.0 / 60
)

// sizes are the radii of the three sizes of balls, relative to the smallest. All balls of a size
// have the same volume together, so there are fewer of the large ones.
var sizes = [3]float64{1, 1.4, 2}

// ballData is the game's data of a ball.
type ballData struct{ Size int }

// ball is the game's own component, besides dango's.
var ball = donburi.NewComponentType[ballData]()

// scene is the drum without its drawing.
type scene struct {
	game    *ecs.ECS
	world   donburi.World
	physics *systems.Physics

	balls []*donburi.Entry
	drum  *donburi.Entry
	least float64 // radius of the smallest balls, metres
	half  float64 // half the distance of the end plates, metres

	turned       float64 // radians that the drum has turned, either way
	order        float64 // see segregation
	overlap      float64 // metres, after the last step
	worstOverlap float64 // metres, over all steps
	blocked      int     // steps in which the balls slowed the drum down
	ticks        int
	impacts      int

	spheres []collide.Sphere // scratch
}

// counts returns how many balls of each size there are among n.
func counts(n int) (count [3]int) {
	sum := 0.0
	for _, s := range sizes {
		sum += 1 / (s * s * s)
	}
	rest := n
	for k := 2; k > 0; k-- {
		s := sizes[k]
		count[k] = int(float64(n)/(s*s*s)/sum + 0.5)
		rest -= count[k]
	}
	count[0] = rest
	return count
}

// newScene returns a drum with n balls in no order. They are as large as it takes to fill the drum
// to the same height with any number. Equal seeds give the same bits.
func newScene(seed uint64, n int) *scene {
	s := &scene{world: donburi.NewWorld()}
	count, volume := counts(n), 0.0 // of all balls if the smallest had a radius of 1
	for k, size := range sizes {
		volume += float64(count[k]) * 4 / 3 * math.Pi * size * size * size
	}
	most := sizes[2]
	s.least = radius * math.Sqrt(filled*packing*math.Pi*2*deep*most/volume)
	s.half = deep * most * s.least

	s.game = ecs.NewECS(s.world)
	s.physics = systems.NewPhysics(systems.Config{Gravity: collide.Vec3{Y: -gravity}, StepSeconds: stepSeconds})
	s.physics.AddTo(s.game)
	s.game.AddSystem(s.note)

	for _, side := range []float64{-1, 1} {
		plate := components.CreatePlane(
			s.world, collide.Vec3{Z: side * s.half}, collide.Vec3{Z: -side}, components.Material,
		)
		components.Material.SetValue(plate, components.MaterialData{FrictionCombine: components.CombineMin})
	}
	s.drum = s.world.Entry(s.world.Create(
		components.Transform, components.Velocity, components.AngularVelocity, components.ShapeCollider,
		components.Material,
	))
	components.ShapeCollider.Get(s.drum).Shape = wall(1.1 * s.half)
	components.Material.SetValue(s.drum, components.MaterialData{Friction: grip})
	s.fill(rand.New(rand.NewPCG(seed, 6)), count)
	s.order = s.segregation()
	return s
}

// wall returns the wall of the drum, without its ends.
func wall(half float64) *collide.Mesh {
	var corners []collide.Vec3
	var indices []uint32
	for k := range uint32(sides) {
		p := rim(int(k))
		corners = append(corners, collide.Vec3{X: p.X, Y: p.Y, Z: -half}, collide.Vec3{X: p.X, Y: p.Y, Z: half})
		a, b := 2*k, 2*((k+1)%sides)
		indices = append(indices, a, a+1, b, b, a+1, b+1)
	}
	m, err := collide.NewMesh(corners, indices, collide.MeshOptions{})
	if err != nil {
		panic("drum: " + err.Error())
	}
	return m
}

// rim returns a corner of the drum in its own frame.
func rim(k int) collide.Vec3 {
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
	return collide.Vec3{X: radius * cos, Y: radius * sin}
}

// fill creates the balls at random places, the large ones first, while there is most room.
func (s *scene) fill(random *rand.Rand, count [3]int) {
	inside := radius*math.Cos(math.Pi/sides) - 0.001
	for size := 2; size >= 0; size-- {
		r := sizes[size] * s.least
		for range count[size] {
			at := collide.Sphere{Radius: r}
			for try := 0; try == 0 || s.occupied(at); try++ {
				within := func(half float64) float64 { return half * (2*random.Float64() - 1) }
				at.Center = collide.Vec3{X: within(inside), Y: within(inside), Z: within(s.half - 1.001*r)}
				if math.Hypot(at.Center.X, at.Center.Y) > inside-sizes[2]*s.least {
					try = -1 // too near to the wall for the large ones
				}
			}
			s.spheres = append(s.spheres, at)
			s.newBall(at, size)
		}
	}
}

// occupied reports whether a ball would overlap one of those that fill has created.
func (s *scene) occupied(place collide.Sphere) bool {
	for _, o := range s.spheres {
		if o.Center.Distance(place.Center) < 1.001*(o.Radius+place.Radius) {
			return true
		}
	}
	return false
}

// newBall creates a ball.
func (s *scene) newBall(at collide.Sphere, size int) {
	e := components.CreateBall(
		s.world, at.Center, at.Radius, components.AngularVelocity, components.Material, ball,
	)
	components.Body.Get(e).Mass = density * 4 / 3 * math.Pi * at.Radius * at.Radius * at.Radius
	components.Material.SetValue(e, components.MaterialData{Friction: grip})
	ball.SetValue(e, ballData{Size: size})
	s.balls = append(s.balls, e)
}

// step plays one tick of 1/60 s, in which the drum turns at a speed in radians per second.
func (s *scene) step(speed float64) {
	s.ticks++
	components.AngularVelocity.Get(s.drum).Angular = collide.Vec3{Z: speed}
	before := components.Transform.Get(s.drum).Rotation
	s.game.Update()
	after := components.Transform.Get(s.drum).Rotation
	s.turned += 2 * math.Abs(math.Asin(after.Z*before.W-after.W*before.Z))
}

// note is the system that measures the state after a step.
func (s *scene) note(*ecs.ECS) {
	stats := s.physics.Stats()
	s.impacts += stats.Impacts
	if stats.Blocked > 0 {
		s.blocked++
	}
	s.order = s.segregation()
	s.overlap = s.deepest()
	s.worstOverlap = max(s.worstOverlap, s.overlap)
}

// middle returns the centre of mass of all balls.
func (s *scene) middle() collide.Vec3 {
	sum, mass := collide.Vec3{}, 0.0
	for _, e := range s.balls {
		m := components.Body.Get(e).Mass
		sum, mass = sum.AddScaled(m, components.Transform.Get(e).Position), mass+m
	}
	return sum.Scale(1 / mass)
}

// segregation compares each small ball with each large one. It is the share of pairs in which the
// large ball is farther from the middle of the bed, seen along the axis, less the share in which
// the small one is: 0 if they are mixed, 1 if all small balls are inside.
func (s *scene) segregation() float64 {
	var far [3][]float64
	m := s.middle()
	for _, e := range s.balls {
		d := components.Transform.Get(e).Position.Sub(m)
		size := ball.Get(e).Size
		far[size] = append(far[size], math.Hypot(d.X, d.Y))
	}
	slices.Sort(far[0])
	sum := 0
	for _, d := range far[2] {
		nearer, _ := slices.BinarySearch(far[0], d)
		sum += 2*nearer - len(far[0])
	}
	return float64(sum) / float64(len(far[0])*len(far[2]))
}

// deepest returns the deepest overlap of balls with each other, the plates and the drum, in metres.
// It is independent of the library.
func (s *scene) deepest() float64 {
	s.spheres = s.spheres[:0]
	turn := components.Transform.Get(s.drum).Rotation
	angle, worst := 2*math.Atan2(turn.Z, turn.W), 0.0
	for _, e := range s.balls {
		b := collide.Sphere{
			Center: components.Transform.Get(e).Position, Radius: components.SphereCollider.Get(e).Radius,
		}
		s.spheres = append(s.spheres, b)
		worst = max(worst, b.Radius+math.Abs(b.Center.Z)-s.half, b.Radius-room(b.Center, angle))
	}
	slices.SortFunc(s.spheres, func(a, b collide.Sphere) int { return cmp.Compare(a.Center.X, b.Center.X) })
	widest := 2 * sizes[2] * s.least
	for i, a := range s.spheres {
		for _, b := range s.spheres[i+1:] {
			if b.Center.X-a.Center.X > widest {
				break
			}
			worst = max(worst, a.Radius+b.Radius-a.Center.Distance(b.Center))
		}
	}
	return worst
}

// room returns the distance of a point from the side of the drum that is nearest, when the drum has
// turned by an angle. It is negative outside.
func room(p collide.Vec3, angle float64) float64 {
	const wide = 2 * math.Pi / sides
	side := math.Floor((math.Atan2(p.Y, p.X) - angle) / wide)
	sin, cos := math.Sincos(angle + (side+0.5)*wide) // of its normal
	return radius*math.Cos(wide/2) - p.X*cos - p.Y*sin
}
