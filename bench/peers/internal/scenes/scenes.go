// Package scenes makes the scenes of the comparison: the same spheres, from the same places, for every engine. A scene
// has the same bits on every run of a machine; on other processors the last digits of a velocity may differ, since
// nothing here is compared bit for bit.
package scenes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/dango-physics/dango/bench/internal/scene"
	"github.com/dango-physics/dango/collide"
)

// Name is a scene by kind and number of spheres, as in "gas1000".
type Name struct {
	Kind string
	N    int
}

// String returns the name as [Parse] reads it.
func (n Name) String() string { return n.Kind + strconv.Itoa(n.N) }

// kinds has what makes each kind of scene.
var kinds = map[string]func(rng *rand.Rand, n int) *scene.Scene{
	"gas":     gas,
	"mix":     mix,
	"bullets": bullets,
	"pile":    pile,
	"disc":    disc,
}

// Flat reports whether the scene lies in the plane z = 0.
func (n Name) Flat() bool { return n.Kind == "disc" }

// Elastic reports whether the scene has to keep its energy; otherwise it has to come to rest.
func (n Name) Elastic() bool { return n.Kind != "pile" }

// Describe says in a few words what the scene is.
func (n Name) Describe() string {
	return map[string]string{
		"gas":     "elastic spheres, a fifth of the volume, mean speed 30 m/s",
		"mix":     "elastic spheres of radius 0.05 to 1",
		"bullets": "small elastic spheres at 1000 m/s among 200 large ones",
		"pile":    "spheres dropped into a bin, restitution 0, friction 0.3",
		"disc":    "elastic circles in 2D, a fifth of the area, mean speed 30 m/s",
	}[n.Kind]
}

// Parse reads a name such as "gas1000".
func Parse(text string) (Name, error) {
	kind := strings.TrimRight(text, "0123456789")
	n, err := strconv.Atoi(strings.TrimPrefix(text, kind))
	if kinds[kind] == nil || err != nil || n < 1 {
		return Name{}, fmt.Errorf("no scene %q: a name is gas, mix, bullets, pile or disc and a number of spheres, as in gas1000", text)
	}
	return Name{kind, n}, nil
}

// Make returns the scene, with up to thirty frames in its dump: fewer where they would come every other step, since writing
// one empties the caches.
func (n Name) Make(steps int) *scene.Scene {
	s := kinds[n.Kind](rand.New(rand.NewPCG(1, 2)), n.N)
	s.StepSeconds = 1.0 / 60
	s.Steps, s.Every = steps, max(min(5, steps), steps/30)
	return s
}

func gas(rng *rand.Rand, n int) *scene.Scene {
	return box(rng, n, 0.2, func() float64 { return 0.5 })
}

func mix(rng *rand.Rand, n int) *scene.Scene {
	return box(rng, n, 0.12, func() float64 { return 0.05 * math.Pow(20, rng.Float64()*rng.Float64()) })
}

// box fills a cube to the given fraction of its volume, less where a cubic lattice of the largest sphere needs more room.
// The velocities are those of a gas in equilibrium, with a mean speed of 30 m/s for spheres of radius 0.5.
func box(rng *rand.Rand, n int, fraction float64, radius func() float64) *scene.Scene {
	s := &scene.Scene{Restitution: 1}
	volume, largest := 0.0, 0.0
	for range n {
		r := radius()
		s.Spheres = append(s.Spheres, scene.Sphere{Radius: r, Mass: r * r * r / 0.125})
		volume += 4.0 / 3 * math.Pi * r * r * r
		largest = max(largest, r)
	}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	edge := max(math.Cbrt(volume/fraction), float64(side)*2.02*largest)
	along := func(i int) float64 { return -edge/2 + (float64(i)+0.5)*(edge/float64(side)) }
	sigma := 30 / math.Sqrt(8/math.Pi)
	for k := range s.Spheres {
		b := &s.Spheres[k]
		b.Position = collide.Vec3{X: along(k / (side * side)), Y: along(k / side % side), Z: along(k % side)}
		b.Velocity = normal(rng, sigma/math.Sqrt(b.Mass))
	}
	s.Half = collide.Vec3{X: edge / 2, Y: edge / 2, Z: edge / 2}
	return s
}

// disc is a gas in the plane z = 0.
func disc(rng *rand.Rand, n int) *scene.Scene {
	const radius = 0.5
	side := int(math.Ceil(math.Sqrt(float64(n))))
	edge := math.Sqrt(float64(n) * math.Pi * radius * radius / 0.2)
	along := func(i int) float64 { return -edge/2 + (float64(i)+0.5)*(edge/float64(side)) }
	sigma := 30 / math.Sqrt(math.Pi/2)
	s := &scene.Scene{Restitution: 1, Half: collide.Vec3{X: edge / 2, Y: edge / 2, Z: 10 * radius}}
	for k := range n {
		v := normal(rng, sigma)
		v.Z = 0
		s.Spheres = append(s.Spheres, scene.Sphere{
			Position: collide.Vec3{X: along(k / side), Y: along(k % side)}, Velocity: v, Radius: radius, Mass: 1,
		})
	}
	return s
}

// bullets is n small spheres among 200 large ones at rest.
func bullets(rng *rand.Rand, n int) *scene.Scene {
	s := &scene.Scene{Half: collide.Vec3{X: 20, Y: 20, Z: 20}, Restitution: 1}
	const targets = 200
	for i := range targets {
		at := collide.Vec3{X: float64(i%6)*6 - 15, Y: float64(i/6%6)*6 - 15, Z: float64(i/36)*6 - 15}
		s.Spheres = append(s.Spheres, scene.Sphere{Position: at, Radius: 1, Mass: 10})
	}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	along := func(i int) float64 { return -18 + (float64(i)+0.5)*(36.0/float64(side)) }
	for i := range n {
		p := collide.Vec3{X: along(i % side), Y: along(i / side % side), Z: along(i / side / side)}
		for _, t := range s.Spheres[:targets] { // push it out of a target
			switch d := p.Sub(t.Position); {
			case d.Length() < 1e-9:
				p.X += 1.1
			case d.Length() < 1.1:
				p = t.Position.Add(d.Scale(1.1 / d.Length()))
			}
		}
		v := normal(rng, 1)
		s.Spheres = append(s.Spheres, scene.Sphere{Position: p, Velocity: v.Scale(1000 / v.Length()), Radius: 0.05, Mass: 1})
	}
	return s
}

// pile is an open bin with near-columns of spheres above its floor.
func pile(rng *rand.Rand, n int) *scene.Scene {
	const pitch, rise, jitter = 1.08, 1.1, 0.02
	side := int(math.Ceil(math.Cbrt(float64(n))))
	layers := (n + side*side - 1) / (side * side)
	half := collide.Vec3{X: float64(side) * pitch * 0.51, Y: float64(layers), Z: float64(side) * pitch * 0.51}
	s := &scene.Scene{Half: half, Gravity: collide.Vec3{Y: -9.81}, Friction: 0.3, OpenTop: true}
	shift := func() float64 { return (2*rng.Float64() - 1) * jitter }
	for k := range n {
		x := (float64(k/side%side)-float64(side-1)/2)*pitch + shift()
		z := (float64(k%side)-float64(side-1)/2)*pitch + shift()
		y := -half.Y + 0.51 + jitter + float64(k/(side*side))*rise + shift()
		s.Spheres = append(s.Spheres, scene.Sphere{Position: collide.Vec3{X: x, Y: y, Z: z}, Radius: 0.5, Mass: 1})
	}
	return s
}

// normal returns a vector whose components have a normal distribution with deviation sigma.
func normal(rng *rand.Rand, sigma float64) collide.Vec3 {
	x := rng.NormFloat64() * sigma
	y := rng.NormFloat64() * sigma
	z := rng.NormFloat64() * sigma
	return collide.Vec3{X: x, Y: y, Z: z}
}
