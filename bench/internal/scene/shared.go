package scene

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
)

// SharedKinds are the scenes that [Shared] makes.
var SharedKinds = []string{"gas", "mix", "bullets", "pile", "heap", "rain"}

// Shared returns one of the scenes that all compared engines run. A kind and a number always give
// the same scene: `gas` and `mix` are elastic spheres of one and of many sizes, `bullets` n small
// spheres at 1000 m/s among 200 large ones, `pile`, `heap` and `rain` those of [Poured].
//
// The velocities of the first three have a normal distribution, whose logarithms and exponentials
// may round differently on other processors than amd64.
func Shared(kind string, n int) (*Scene, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	switch kind {
	case "gas":
		return sharedGas(rng, n, 0.2, func() float64 { return 0.5 }), nil
	case "mix":
		return sharedGas(rng, n, 0.12, func() float64 { return 0.05 * math.Pow(20, unit(rng)*unit(rng)) }), nil
	case "bullets":
		return sharedBullets(rng, n), nil
	case "pile", "heap", "rain":
		return Poured(kind, n)
	}
	return nil, fmt.Errorf("no shared scene is called %q; there are %v", kind, SharedKinds)
}

// sharedGas fills a cube to the given fraction of its volume, or less where a cubic lattice of the
// largest sphere needs more room. The velocities are those of a gas in equilibrium, with a mean
// speed of 30 m/s for spheres of radius 0.5.
func sharedGas(rng *rand.Rand, n int, fraction float64, radius func() float64) *Scene {
	s := &Scene{Restitution: 1, StepSeconds: 1.0 / 60, Steps: 300, Every: 30}
	volume, largest := 0.0, 0.0
	for range n {
		r := radius()
		s.Spheres = append(s.Spheres, Sphere{Radius: r, Mass: r * r * r / 0.125})
		volume += float64(4.0 / 3 * math.Pi * r * r * r)
		largest = max(largest, r)
	}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	edge := max(math.Cbrt(volume/fraction), float64(float64(side)*2.02*largest))
	pitch := edge / float64(side)
	at := func(i int) float64 { return float64(-edge/2) + float64((float64(i)+0.5)*pitch) }
	sigma := 30 / math.Sqrt(8/math.Pi)
	for k := range s.Spheres {
		b := &s.Spheres[k]
		b.Position = collide.Vec3{X: at(k / (side * side)), Y: at(k / side % side), Z: at(k % side)}
		b.Velocity = normal(rng, sigma/math.Sqrt(b.Mass))
	}
	s.Half = collide.Vec3{X: edge / 2, Y: edge / 2, Z: edge / 2}
	return s
}

// sharedBullets returns n small spheres among 200 large ones at rest.
func sharedBullets(rng *rand.Rand, n int) *Scene {
	const targets = 200
	s := newBox(20)
	s.Restitution = 1
	for i := range targets {
		at := func(k int) float64 { return float64(float64(k)*6) - 15 }
		p := collide.Vec3{X: at(i % 6), Y: at(i / 6 % 6), Z: at(i / 36)}
		s.Spheres = append(s.Spheres, Sphere{Position: p, Radius: 1, Mass: 10})
	}
	side := int(math.Ceil(math.Cbrt(float64(n))))
	pitch := 36.0 / float64(side)
	at := func(i int) float64 { return -18 + float64((float64(i)+0.5)*pitch) }
	for i := range n {
		p := collide.Vec3{X: at(i % side), Y: at(i / side % side), Z: at(i / side / side)}
		for _, t := range s.Spheres[:targets] { // push it out of a target
			switch d := p.Sub(t.Position); {
			case d.Length() < 1e-9:
				p.X += 1.1
			case d.Length() < 1.1:
				p = t.Position.Add(d.Scale(1.1 / d.Length()))
			}
		}
		v := normal(rng, 1)
		v = v.Scale(1000 / v.Length())
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: v, Radius: 0.05, Mass: 1})
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
