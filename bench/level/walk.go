package main

import (
	"bufio"
	"encoding/binary"
	"math"
	"os"
	"time"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/internal/character"
)

// Characters are capsules with a radius of 0.3 m and a height of 1.8 m that walk at 4 m/s for ten
// seconds, each two seconds in another direction.
const (
	tick         = 1.0 / 60
	walkTicks    = 600
	walkSpeed    = 4
	ticksPerWay  = 120
	climbers     = 400 // stand in front of stairs
	climbedStair = 1.0 // they are up after two seconds if they have risen that far, metres
)

// walkResult is what 1,000 characters did.
type walkResult struct {
	perTick  float64 // median time of a tick, milliseconds
	slowest  float64
	standing float64 // time of a tick of a character that stands, microseconds
	fell     int     // in the air at the end
	climbed  int     // of the climbers
	casts    float64 // for each character and tick
	dump     []collide.Vec3
}

// walk lets all characters of the level walk on the mesh.
func walk(l *level, m *collide.Mesh) walkResult {
	world := &meshWorld{mesh: m, shape: character.Shape{
		Kind: character.Capsule, A: collide.Vec3{Y: -0.6}, B: collide.Vec3{Y: 0.6}, Radius: 0.3,
	}}
	mover := character.NewMover(world)
	set := character.Settings{
		Up: collide.Vec3{Y: 1}, Gravity: collide.Vec3{Y: -9.81}, Foot: 0.9,
		Acceleration: 50, AirAcceleration: 10, JumpHeight: 1,
		MinGroundCosine: math.Cos(50 * math.Pi / 180), StepHeight: 0.4, SnapLength: 0.1,
		Mass: 70, MaxPushForce: 100, RecoverySpeed: 1,
	}
	states := make([]character.State, len(l.walkers))
	near := make([]collide.MeshNear, len(states))
	for i := range states {
		states[i] = character.State{Position: l.walkers[i].center, GroundObstacle: -1, SinceGround: 1}
	}
	var r walkResult
	times := make([]float64, 0, walkTicks)
	starts := make([]float64, len(states))
	step := func(desired func(i int) collide.Vec3) float64 {
		begin := time.Now()
		for i := range states {
			world.near = &near[i]
			mover.Step(&states[i], &set, character.Input{Desired: desired(i)}, tick)
		}
		return time.Since(begin).Seconds()
	}
	keep := func() {
		for i := range states {
			r.dump = append(r.dump, states[i].Position)
		}
	}
	keep()
	for i := range states {
		starts[i] = states[i].Position.Y
	}
	world.casts = 0
	for k := range walkTicks {
		seconds := step(func(i int) collide.Vec3 { return l.walkers[i].ways[k/ticksPerWay].Scale(walkSpeed) })
		times = append(times, 1e3*seconds)
		if k == ticksPerWay-1 {
			for i := range min(climbers, len(states)) {
				if states[i].Position.Y-starts[i] > climbedStair {
					r.climbed++
				}
			}
		}
		if k%60 == 59 {
			keep()
		}
	}
	r.casts = float64(world.casts) / float64(walkTicks*len(states))
	for i := range states {
		if states[i].Ground == character.InAir {
			r.fell++
		}
	}
	for range 60 { // until all stand
		step(func(int) collide.Vec3 { return collide.Vec3{} })
	}
	var still []float64
	for range 60 {
		still = append(still, 1e6*step(func(int) collide.Vec3 { return collide.Vec3{} })/float64(len(states)))
	}
	r.standing = median(still)
	r.perTick = median(times)
	r.slowest = times[len(times)-1]
	return r
}

// write writes the positions of the characters, one frame a second.
func (r *walkResult) write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	if err := binary.Write(out, binary.LittleEndian, r.dump); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// meshWorld is the world of a character that consists of a mesh. It implements character.World.
type meshWorld struct {
	mesh  *collide.Mesh
	shape character.Shape
	near  *collide.MeshNear // of the character that moves
	casts int
}

func (w *meshWorld) Cast(p, v collide.Vec3, start, end float64) (collide.MoveContact, collide.Outcome) {
	w.casts++
	c, outcome := w.near.SweepCapsule(w.shape.Capsule(p), v, w.mesh, collide.Vec3{}, end-start)
	return collide.MoveContact{Time: c.Time, Point: c.Point, Normal: c.Normal}, outcome
}

func (w *meshWorld) Probe(p, d collide.Vec3, _ float64) (collide.MoveContact, collide.Outcome) {
	return w.Cast(p, d, 0, 1)
}

func (w *meshWorld) Overlaps(_ collide.Vec3, found []collide.MoveContact) []collide.MoveContact {
	return found
}

func (w *meshWorld) Ray(from, d collide.Vec3, _ float64) (point, normal collide.Vec3, ok bool) {
	c, outcome := collide.RayCastMesh(collide.Ray{Origin: from, Direction: d}, w.mesh, 1)
	return c.Point, c.Normal, outcome == collide.Hit
}

func (w *meshWorld) Extent(d collide.Vec3) float64                 { return w.shape.Extent(d) }
func (w *meshWorld) Obstacle(int, collide.Vec3) character.Obstacle { return character.Obstacle{} }
func (w *meshWorld) Push(int, collide.Vec3)                        {}
func (w *meshWorld) Hit(int, collide.Vec3)                         {}
func (w *meshWorld) Load(int, float64, collide.Vec3)               {}
func (w *meshWorld) CastAtCharacter(
	int, collide.Vec3, collide.Vec3, float64, float64,
) (hit collide.MoveContact, o collide.Outcome) {
	return hit, collide.Miss
}

func (w *meshWorld) LoadSurface(int, collide.Vec3, float64, collide.Vec3, bool) {}
func (w *meshWorld) PushSurface(int, collide.Vec3, collide.Vec3, float64, float64, float64) float64 {
	return 0
}
func (w *meshWorld) IsUnchanged() bool                       { return true }
func (w *meshWorld) IsFree(collide.Vec3, float64, bool) bool { return true }
func (w *meshWorld) IgnoreOneWay(bool)                       {}
