// Package scenes makes the scenes of the comparison: the same spheres, from the same places, for
// every engine. A scene has the same bits on every run of a machine; on other processors the last
// digits of a velocity may differ, which is no problem because nothing here is compared bit for
// bit.
package scenes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// kinds are the kinds of scenes. All but the disc are shared with package scene.
var kinds = []string{"gas", "mix", "bullets", "pile", "disc"}

// Flat reports whether the scene lies in the plane z = 0.
func (n Name) Flat() bool { return n.Kind == "disc" }

// Elastic reports whether the scene has to keep its energy; otherwise it has to come to rest.
func (n Name) Elastic() bool { return n.Kind != "pile" }

// Describe describes the scene in a few words.
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
	if !slices.Contains(kinds, kind) || err != nil || n < 1 {
		return Name{}, fmt.Errorf(
			"no scene %q: a name is gas, mix, bullets, pile or disc and a number of spheres, as in gas1000", text,
		)
	}
	return Name{kind, n}, nil
}

// Make returns the scene, with up to thirty frames in its dump: fewer if they would come every
// other step, because writing a frame empties the caches.
func (n Name) Make(steps int) *scene.Scene {
	if n.Flat() {
		return timed(disc(rand.New(rand.NewPCG(1, 2)), n.N), steps)
	}
	s, err := scene.Shared(n.Kind, n.N)
	if err != nil {
		panic("scenes: " + err.Error()) // Parse gives no such name
	}
	return timed(s, steps)
}

// timed gives s its number of steps and frames.
func timed(s *scene.Scene, steps int) *scene.Scene {
	s.StepSeconds = 1.0 / 60
	s.Steps, s.Every = steps, max(min(5, steps), steps/30)
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

// normal returns a vector whose components have a normal distribution with deviation sigma.
func normal(rng *rand.Rand, sigma float64) collide.Vec3 {
	x := rng.NormFloat64() * sigma
	y := rng.NormFloat64() * sigma
	z := rng.NormFloat64() * sigma
	return collide.Vec3{X: x, Y: y, Z: z}
}
