package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/yohamta/donburi"
)

// workScene is a scene of elastic balls without friction, and one surface that rotates about Z
// through its position. Then energy changes by the work of that surface, and by nothing else.
type workScene struct {
	name  string
	build func(w donburi.World, r *rand.Rand) (wall *donburi.Entry, balls []*donburi.Entry)
	steps int
}

// elasticBox puts six walls around the box from -half to half.
func elasticBox(w donburi.World, half collide.Vec3) {
	for k, n := range []collide.Vec3{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)} {
		wall(w, n.Scale(-half.Component(k)), n, bouncy(1))
		wall(w, n.Scale(half.Component(k)), n.Neg(), bouncy(1))
	}
}

// elasticBalls creates balls at places of a grid around the origin that admit accepts.
func elasticBalls(
	w donburi.World, r *rand.Rand, n int, apart, radius, speed float64, admit func(p collide.Vec3) bool,
) (balls []*donburi.Entry) {
	const side = 16
	for k := 0; len(balls) < n && k < side*side*side; k++ {
		p := vec(float64(k%side)-(side-1)/2.0, float64(k/side%side)-(side-1)/2.0, float64(k/side/side)-(side-1)/2.0)
		if p = p.Scale(apart); !admit(p) {
			continue
		}
		v := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(speed)
		balls = append(balls, ball(w, p, v, radius*(0.7+0.3*r.Float64()), bouncy(1),
			components.BodyData{Mass: 1 + r.Float64()}))
	}
	return balls
}

// elasticMill is four blades.
func elasticMill(length, wide float64) components.ShapeColliderData {
	var parts []components.ShapePart
	for k := range 4 {
		a := math.Pi / 2 * float64(k)
		parts = append(parts, components.ShapePart{
			Shape:    collide.Box{Half: vec(length/2, 0.03, wide)},
			Position: vec(math.Cos(a), math.Sin(a), 0).Scale(length / 2),
			Rotation: collide.RotationBy(vec(0, 0, a)),
		})
	}
	return shaped(parts...)
}

var workScenes = []workScene{
	{"a drum", func(w donburi.World, r *rand.Rand) (*donburi.Entry, []*donburi.Entry) {
		drum := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0.8), bouncy(1),
			shaped(components.ShapePart{Shape: ring(36, 1, 0.3)}))
		wall(w, vec(0, 0, -0.3), vec(0, 0, 1), bouncy(1))
		wall(w, vec(0, 0, 0.3), vec(0, 0, -1), bouncy(1))
		return drum, elasticBalls(w, r, 60, 0.17, 0.07, 1, func(p collide.Vec3) bool {
			return math.Hypot(p.X, p.Y) < 0.88 && math.Abs(p.Z) < 0.2
		})
	}, 240},
	{"a bin", func(w donburi.World, r *rand.Rand) (*donburi.Entry, []*donburi.Entry) {
		const thick = 0.02
		var parts []components.ShapePart
		for _, n := range []collide.Vec3{vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)} {
			half := vec(0.5, 0.5, 0.5).Sub(n.Scale(0.5 - thick))
			for _, side := range []float64{-1, 1} {
				parts = append(parts, components.ShapePart{
					Shape: collide.Box{Half: half}, Position: n.Scale(side * (0.5 + thick)),
				})
			}
		}
		motor := components.MotorData{High: math.Pi, Speed: 3, On: true, Swing: true}
		bin := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, 0), bouncy(1), shaped(parts...), motor)
		return bin, elasticBalls(w, r, 40, 0.19, 0.08, 1, func(p collide.Vec3) bool { return p.MaxAbs() < 0.4 })
	}, 240},
	{"a mill", func(w donburi.World, r *rand.Rand) (*donburi.Entry, []*donburi.Entry) {
		mill := spawn(w, at(0, 0, 0), moving(0, 0, 0), turning(0, 0, -2), bouncy(1), elasticMill(1, 0.6))
		elasticBox(w, vec(1.5, 1.5, 0.6))
		return mill, elasticBalls(w, r, 40, 0.25, 0.1, 1, func(p collide.Vec3) bool {
			return p.Y > 1.1 && p.Y < 1.4 && math.Abs(p.X) < 1.4 && math.Abs(p.Z) < 0.5
		})
	}, 240},
	{"a mill that yields", func(w donburi.World, r *rand.Rand) (*donburi.Entry, []*donburi.Entry) {
		mill := loaded(w, vec(0, 0, 0), components.MotorData{Inertia: 2}, elasticMill(1, 0.6), bouncy(1))
		elasticBox(w, vec(1.5, 1.5, 0.6))
		return mill, elasticBalls(w, r, 40, 0.25, 0.1, 1, func(p collide.Vec3) bool {
			return p.Y > 1.1 && p.Y < 1.4 && math.Abs(p.X) < 1.4 && math.Abs(p.Z) < 0.5
		})
	}, 240},
	{"a seesaw", func(w donburi.World, r *rand.Rand) (*donburi.Entry, []*donburi.Entry) {
		s := loaded(w, vec(0, -0.5, 0), components.MotorData{Inertia: 1.5}, plank(), bouncy(1))
		elasticBox(w, vec(2.5, 1, 0.5))
		return s, elasticBalls(w, r, 12, 0.3, 0.12, 1, func(p collide.Vec3) bool {
			return p.Y > 0.4 && p.Y < 0.8 && math.Abs(p.X) < 2 && math.Abs(p.Z) < 0.3
		})
	}, 240},
}

// A bounce off something immovable that would be over within half a step counts as rest (see
// systems.Config), and may last for some steps. So energy is not compared in the few steps that
// have one.
func TestTheEnergyOfBallsIsTheWorkOfWhatRotates(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, scene := range workScenes {
		t.Run(scene.name, func(t *testing.T) {
			met, compared, worst, scenes := 0, 0, 0.0, slow.Cases(20)
			for seed := range scenes {
				m, c, off := scene.run(t, uint64(seed))
				met, compared, worst = met+m, compared+c, max(worst, off)
			}
			t.Logf("%d impacts, off by %.2g in %d steps", met, worst, compared)
			if steps := scenes * scene.steps; met < steps/10 || compared < steps*8/10 {
				t.Errorf("%d impacts with what rotates, and energy compared in %d of %d steps", met, compared, steps)
			}
		})
	}
}

// run returns how many impacts there were with what rotates, in how many steps energy was compared
// with work, and by how much it was off at most, as a fraction of the energy.
func (s *workScene) run(t *testing.T, seed uint64) (met, compared int, worst float64) {
	const tick = 1.0 / 60
	r := rand.New(rand.NewPCG(seed, 5))
	w, p := donburi.NewWorld(), onEarth()
	rotating, balls := s.build(w, r)
	inertia := 0.0
	if rotating.HasComponent(components.Motor) {
		inertia = components.Motor.Get(rotating).Inertia
	}
	total := func() float64 {
		sum := energy(balls) + inertia*turnsAt(rotating)*turnsAt(rotating)/2
		for _, b := range balls {
			sum += mass(b) * earth * (position(b).Y + 2)
		}
		return sum
	}
	before, checker, rested := total(), newOverlapChecker(), -9
	for step := range s.steps {
		p.Step(w)
		overlap := checker.overlap(w)
		for _, b := range balls {
			overlap = max(overlap, -shapeGap(b, rotating)/components.SphereCollider.Get(b).Radius)
		}
		if overlap > 1e-9 {
			t.Fatalf("seed %d, step %d: overlap of %v radii", seed, step, overlap)
		}
		motion := collide.Rotating{
			Pivot:   components.Transform.Get(rotating).Position,
			Angular: components.AngularVelocity.Get(rotating).Angular, Seconds: tick,
		}
		work := 0.0
		for hit := range p.Impacts() {
			onBall := w.Entry(hit.B).HasComponent(components.SphereCollider)
			if !onBall && hit.Approach < earth*tick/2 {
				rested = step
			}
			if hit.B != rotating.Entity() {
				continue
			}
			met++
			if inertia == 0 { // otherwise the work is its own energy
				work += hit.Impulse * hit.Normal.Dot(motion.VelocityAt(hit.Point, hit.Time))
			}
		}
		now := total()
		if step > rested+2 {
			compared++
			off := math.Abs(now-before-work) / now
			worst = max(worst, off)
			if off > 1e-6 {
				t.Fatalf("seed %d, step %d: energy from %v to %v J, but work of %v J", seed, step, before, now, work)
			}
		}
		before = now
		for _, b := range balls {
			for range p.Touching(b.Entity()) {
				rested = step
			}
		}
	}
	expectNoErrors(t, p)
	return met, compared, worst
}
