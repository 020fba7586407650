package scene

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
)

// loose is a lattice of spheres of radius 0.5: its pitch, the rise from layer to layer, and how far
// each sphere is shifted along every axis.
type loose struct{ pitch, rise, jitter float64 }

// Poured returns one of the scenes that every engine we compare with comes to rest in, to the bit
// the one that the generator they share writes: `pile`, dropped in near-columns, `heap`, from a
// disordered start, and `rain`, from 30 m high and with restitution 0.5.
func Poured(kind string, n int) (*Scene, error) {
	switch kind {
	case "pile":
		return bin(n, loose{pitch: 1.08, rise: 1.1, jitter: 0.02}, 0, 0), nil
	case "heap":
		return bin(n, loose{pitch: 1.3, rise: 1.3, jitter: 0.14}, 0, 0), nil
	case "rain":
		return bin(n, loose{pitch: 1.3, rise: 1.3, jitter: 0.14}, 0.5, 30), nil
	}
	return nil, fmt.Errorf("nothing that is poured is called %q; there are pile, heap and rain", kind)
}

// bin returns an open bin with a loose lattice of n spheres above its floor.
func bin(n int, l loose, restitution, drop float64) *Scene {
	rng := rand.New(rand.NewPCG(1, 2))
	side := int(math.Ceil(math.Cbrt(float64(n))))
	layers := (n + side*side - 1) / (side * side)
	half := float64(float64(side) * l.pitch * 0.51)
	s := &Scene{
		Half:    collide.Vec3{X: half, Y: float64(layers), Z: half},
		Gravity: collide.Vec3{Y: -9.81}, Restitution: restitution, Friction: 0.3,
		StepSeconds: 1.0 / 60, Steps: 600, Every: 60, OpenTop: true,
	}
	middle := float64(float64(side-1) / 2)
	shift := func() float64 { return float64((float64(2*unit(rng)) - 1) * l.jitter) }
	for k := range n {
		layer, i, j := k/(side*side), k/side%side, k%side
		x := float64((float64(i)-middle)*l.pitch) + shift()
		z := float64((float64(j)-middle)*l.pitch) + shift()
		y := -s.Half.Y + 0.51 + l.jitter + float64(float64(layer)*l.rise) + shift() + drop
		s.Spheres = append(s.Spheres, Sphere{Position: collide.Vec3{X: x, Y: y, Z: z}, Radius: 0.5, Mass: 1})
	}
	return s
}
