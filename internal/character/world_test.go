package character

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
)

type vec = collide.Vec3

const degrees = math.Pi / 180

// testWorld is a World of a few obstacles.
type testWorld struct {
	shape     Shape
	obstacles []*testObstacle
	ignore    bool
	casts     int
}

// testObstacle is an obstacle. Its shape is where it is at the start of the step, without offset.
type testObstacle struct {
	shape    collide.Convex // or mesh
	mesh     *collide.Mesh
	oneWay   bool // a triangle or polygon whose front stops what comes from there
	normal   vec  // of a oneWay
	offset   vec
	velocity vec
	surface  vec
	mass     float64 // 0 for what can't be pushed
}

func (w *testWorld) sweep(
	p, v vec, time, seconds float64, moving bool,
) (best collide.MoveContact, outcome collide.Outcome) {
	w.casts++
	for i, o := range w.obstacles {
		at, vo := o.offset.AddScaled(time, o.velocity), vec{}
		if moving {
			vo = o.velocity
		}
		if o.oneWay {
			low := w.shape.Lowest(p.Sub(at), o.normal)
			corner := o.shape.(collide.Triangle).A
			if w.ignore || low < o.normal.Dot(corner)-1e-9 || o.normal.Dot(v.Sub(vo)) >= 0 {
				continue
			}
		}
		var c collide.Contact
		var found collide.Outcome
		if o.mesh != nil {
			m, f := w.sweepMesh(p.Sub(at), v, o, vo, seconds)
			c, found = m.Contact, f
		} else {
			c, found = w.shape.Sweep(p.Sub(at), v, o.shape, vo, seconds)
		}
		if found == collide.Miss || outcome == collide.Overlap ||
			found == collide.Hit && outcome == collide.Hit && c.Time >= best.Time {
			continue
		}
		best = collide.MoveContact{Time: c.Time, Point: c.Point.Add(at), Normal: c.Normal, Velocity: vo, Obstacle: i}
		if outcome = found; found == collide.Overlap {
			best.Depth = w.depth(i, p.Sub(at))
		}
	}
	return best, outcome
}

// sweepMesh is [collide.SweepMesh] of the shape of the character at p.
func (w *testWorld) sweepMesh(
	p, v vec, o *testObstacle, vo vec, seconds float64,
) (collide.MeshContact, collide.Outcome) {
	switch w.shape.Kind {
	case Capsule:
		return collide.SweepMesh(w.shape.Capsule(p), v, o.mesh, vo, seconds)
	case Box:
		return collide.SweepMesh(w.shape.Box(p), v, o.mesh, vo, seconds)
	}
	return collide.SweepSphereMesh(w.shape.Sphere(p), v, o.mesh, vo, seconds)
}

func (w *testWorld) depth(i int, p vec) float64 {
	if s := w.obstacles[i].shape; s != nil {
		return -w.shape.Separation(p, s).Distance
	}
	return 0.01
}

func (w *testWorld) Cast(p, v vec, start, end float64) (collide.MoveContact, collide.Outcome) {
	return w.sweep(p, v, start, end-start, true)
}

func (w *testWorld) Probe(p, d vec, time float64) (collide.MoveContact, collide.Outcome) {
	return w.sweep(p, d, time, 1, false)
}

func (w *testWorld) Overlaps(p vec, found []collide.MoveContact) []collide.MoveContact {
	for i, o := range w.obstacles {
		if o.shape == nil || o.oneWay {
			continue
		}
		if g := w.shape.Separation(p.Sub(o.offset), o.shape); g.Distance < 0 {
			found = append(found, collide.MoveContact{
				Point: g.PointB, Normal: g.Normal, Depth: -g.Distance, Velocity: o.velocity, Obstacle: i,
			})
		}
	}
	return found
}

func (w *testWorld) IsFree(p vec, time float64, _ bool) bool {
	for _, o := range w.obstacles {
		if o.shape != nil && w.shape.Separation(p.Sub(o.offset.AddScaled(time, o.velocity)), o.shape).Distance < -1e-9 {
			return false
		}
	}
	return true
}

func (w *testWorld) Ray(from, d vec, time float64) (point, normal vec, ok bool) {
	best := 2.0
	for _, o := range w.obstacles {
		r := collide.Ray{Origin: from.Sub(o.offset.AddScaled(time, o.velocity)), Direction: d}
		var c collide.Contact
		var found collide.Outcome
		if o.mesh != nil {
			m, f := collide.RayCastMesh(r, o.mesh, 1)
			c, found = m.Contact, f
		} else {
			c, found = collide.RayCast(r, o.shape, 1)
		}
		if found == collide.Hit && c.Time < best {
			best, point, normal, ok = c.Time, from.AddScaled(c.Time, d), c.Normal, true
		}
	}
	return point, normal, ok
}

func (w *testWorld) Extent(d vec) float64 { return w.shape.Extent(d) }

func (w *testWorld) Obstacle(i int, _ vec) Obstacle {
	o := w.obstacles[i]
	r := Obstacle{Velocity: o.velocity.Add(o.surface)}
	if o.mass > 0 {
		r.InverseMass = 1 / o.mass
	}
	return r
}

func (w *testWorld) Hit(i int, impulse vec) {
	o := w.obstacles[i]
	o.velocity = o.velocity.AddScaled(1/o.mass, impulse)
}

func (w *testWorld) CastAtCharacter(int, vec, vec, float64, float64) (hit collide.MoveContact, o collide.Outcome) {
	return hit, collide.Miss
}

func (w *testWorld) LoadSurface(int, vec, float64, vec, bool) {}

func (w *testWorld) PushSurface(int, vec, vec, float64, float64, float64) float64 { return 0 }

func (w *testWorld) Load(i int, _ float64, weight vec) { w.Push(i, weight) }

func (w *testWorld) Push(i int, force vec) {
	o := w.obstacles[i]
	o.velocity = o.velocity.AddScaled(tick/o.mass, force)
}

func (w *testWorld) IsUnchanged() bool { return false }

func (w *testWorld) IgnoreOneWay(ignore bool) { w.ignore = ignore }

// gap returns the smallest distance of the shape from an obstacle.
func (w *testWorld) gap(p vec) float64 {
	least := math.Inf(1)
	for _, o := range w.obstacles {
		if o.shape != nil && !o.oneWay {
			least = min(least, w.shape.Separation(p.Sub(o.offset), o.shape).Distance)
		}
	}
	return least
}

const tick = 1.0 / 60

// player is a character in a testWorld.
type player struct {
	State
	set   Settings
	in    Input
	world *testWorld
	mover *Mover
}

var shapes = []struct {
	name  string
	shape Shape
}{
	{"capsule", Shape{Kind: Capsule, A: vec{Y: -0.6}, B: vec{Y: 0.6}, Radius: 0.3}},
	{"sphere", Shape{Kind: Sphere, Radius: 0.3}},
	{"box", Shape{Kind: Box, Half: vec{X: 0.3, Y: 0.9, Z: 0.3}}},
}

// newPlayer puts a character with its feet at feet.
func newPlayer(shape Shape, feet vec, obstacles ...*testObstacle) *player {
	w := &testWorld{shape: shape, obstacles: obstacles}
	p := &player{world: w, mover: NewMover(w)}
	p.set = Settings{
		Up: vec{Y: 1}, Gravity: vec{Y: -9.81}, Foot: -shape.Lowest(vec{}, vec{Y: 1}),
		Acceleration: 40, AirAcceleration: 10, JumpHeight: 1, CoyoteTime: 0.1, JumpBuffer: 0.1,
		MinGroundCosine: math.Cos(45 * degrees), StepHeight: 0.4, SnapLength: 0.1,
		MinWallSlideCosine: math.Cos(15 * degrees), Mass: 70, MaxPushForce: 100, RecoverySpeed: 1,
	}
	p.Position = feet.Add(vec{Y: p.set.Foot})
	p.SinceGround, p.GroundObstacle = 1e9, -1
	return p
}

func (p *player) feet() vec { return p.Position.Sub(vec{Y: p.set.Foot}) }

func (p *player) step() {
	p.mover.Step(&p.State, &p.set, p.in, tick)
	for _, o := range p.world.obstacles {
		o.offset = o.offset.AddScaled(tick, o.velocity)
	}
	p.in.Jump = false
}

func (p *player) steps(n int) {
	for range n {
		p.step()
	}
}

func floorAt(y float64) *testObstacle {
	return &testObstacle{shape: collide.Box{Center: vec{Y: y - 1}, Half: vec{X: 50, Y: 1, Z: 50}}}
}

func boxOf(center, half vec) *testObstacle {
	return &testObstacle{shape: collide.Box{Center: center, Half: half}}
}

// ramp is a slope that rises along X from the origin, with sides along Z.
func ramp(angle float64) *testObstacle {
	c, s := math.Cos(angle), math.Sin(angle)
	normal := vec{X: -s, Y: c}
	return &testObstacle{shape: collide.Box{
		Center: normal.Scale(-1), Half: vec{X: 40, Y: 1, Z: 40},
		Rotation: collide.RotationAround(vec{Z: 1}, angle),
	}}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
