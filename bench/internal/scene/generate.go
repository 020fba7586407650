package scene

import (
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
)

// The scenes made here have the same bits on every platform: velocities are uniform, since the normal
// distribution needs a logarithm, sizes of boxes are products and not roots, and every product is
// rounded on its own.

// Gas returns n elastic spheres of radius 0.5 at volume fraction 0.2 that move about a radius a step.
func Gas(n int, seed uint64) *Scene {
	const pitch = 1.375 // metres; the cube of it holds one sphere, π/6 m³, which fills a fifth of it
	rng := rand.New(rand.NewPCG(seed, 1))
	s, cells := lattice(n, pitch)
	s.Restitution = 1
	for _, p := range cells {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 30), Radius: 0.5, Mass: 1})
	}
	return s
}

// Mix returns n elastic spheres of radius 0.05 to 1, small ones more often, with masses as the cubes of their radii.
func Mix(n int, seed uint64) *Scene {
	rng := rand.New(rand.NewPCG(seed, 2))
	s, cells := lattice(n, 2.0625)
	s.Restitution = 1
	for _, p := range cells {
		r := 0.05 + float64(0.95*float64(unit(rng)*unit(rng)))
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 30), Radius: r, Mass: r * r * r * 8})
	}
	return s
}

// Bullets returns n small spheres at up to 1700 m/s among 27 large, heavy ones at rest; n is at most 1728. In a
// step a bullet crosses a hundred of its own diameters.
func Bullets(n int, seed uint64) *Scene {
	rng := rand.New(rand.NewPCG(seed, 4))
	s, targets := lattice(27, 6)
	s.Restitution = 1
	for _, p := range targets {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Radius: 1, Mass: 10})
	}
	// A cell centre is at least 1.29 m from every target, since it lies 0.75 m off along each axis.
	_, cells := lattice(12*12*12, 1.5)
	for k := range n {
		p := cells[k*len(cells)/n]
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 1000), Radius: 0.05, Mass: 1})
	}
	return s
}

// Pile returns n spheres of radius 0.5 that fall into an open bin, where they bounce with the given restitution.
func Pile(n int, restitution float64, seed uint64) *Scene {
	rng := rand.New(rand.NewPCG(seed, 3))
	s, cells := lattice(n, 1.125)
	s.Gravity = collide.Vec3{Y: -9.81}
	s.Restitution = restitution
	s.OpenTop = true
	for _, p := range cells {
		s.Spheres = append(s.Spheres, Sphere{Position: p.Add(uniform(rng, 0.03125)), Radius: 0.5, Mass: 1})
	}
	return s
}

// lattice returns a box of cubic cells, pitch metres wide, and the centres of n of them, from the bottom up.
func lattice(n int, pitch float64) (*Scene, []collide.Vec3) {
	side := 1
	for side*side*side < n {
		side++
	}
	half := float64(float64(side) * pitch / 2)
	along := func(i int) float64 { return float64((float64(i)+0.5)*pitch) - half }
	var cells []collide.Vec3
	for k := range n {
		cells = append(cells, collide.Vec3{X: along(k % side), Y: along(k / (side * side)), Z: along(k / side % side)})
	}
	return &Scene{Half: collide.Vec3{X: half, Y: half, Z: half}, StepSeconds: 1.0 / 60, Steps: 300, Every: 30}, cells
}

// uniform returns a vector whose components are uniform in [-size, size).
func uniform(rng *rand.Rand, size float64) collide.Vec3 {
	x := 2*unit(rng) - 1
	y := 2*unit(rng) - 1
	z := 2*unit(rng) - 1
	return collide.Vec3{X: x, Y: y, Z: z}.Scale(size)
}

// unit returns a number that is uniform in [0, 1). Float64 ends with a division by a power of two, which the compiler
// turns into a product and would fuse with a sum that follows; the conversion keeps them apart.
func unit(rng *rand.Rand) float64 { return float64(rng.Float64()) }
