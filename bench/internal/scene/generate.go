package scene

import (
	"math/rand/v2"

	"github.com/dango-physics/dango/collide"
)

// The scenes made here have the same bits on every platform: velocities are uniform, since the
// normal distribution needs a logarithm, sizes of boxes are products and not roots, and every
// product is rounded on its own.

// Gas returns n elastic spheres of radius 0.5 at volume fraction 0.2 that move about a radius a
// step.
func Gas(n int, seed uint64) *Scene {
	// A cube 1.375 m wide holds one sphere, π/6 m³, which fills a fifth of it.
	return gas(n, 1.375, 30, rand.New(rand.NewPCG(seed, 1)))
}

// gas returns n elastic spheres of radius 0.5 and the given speed, one to a cube of the given
// pitch.
func gas(n int, pitch, speed float64, rng *rand.Rand) *Scene {
	s, cells := lattice(n, pitch)
	s.Restitution = 1
	for _, p := range cells {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, speed), Radius: 0.5, Mass: 1})
	}
	return s
}

// Mix returns n elastic spheres of radius 0.05 to 1, small ones more often, with masses as the
// cubes of their radii.
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

// mostBullets is how many bullets there is room for.
const mostBullets = 12 * 12 * 12

// Bullets returns n small spheres at up to 1700 m/s among 27 large, heavy ones at rest; n is at
// most mostBullets. In a step a bullet crosses a hundred of its own diameters.
func Bullets(n int, seed uint64) *Scene {
	rng := rand.New(rand.NewPCG(seed, 4))
	s, targets := lattice(27, 6)
	s.Restitution = 1
	for _, p := range targets {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Radius: 1, Mass: 10})
	}
	// A cell centre is at least 1.29 m from every target, since it lies 0.75 m off along each axis.
	_, cells := lattice(mostBullets, 1.5)
	for k := range n {
		p := cells[k*len(cells)/n]
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 1000), Radius: 0.05, Mass: 1})
	}
	return s
}

// Pile returns n spheres of radius 0.5 that fall into an open bin, where they bounce with the given
// restitution.
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

// Gas2D returns n elastic circles of radius 0.5 in the plane z = 0, which they fill to a fifth,
// that move about a radius a step.
func Gas2D(n int, seed uint64) *Scene {
	const pitch = 2 // metres; the circle fills π/16 of its square
	rng := rand.New(rand.NewPCG(seed, 5))
	side := 1
	for side*side < n {
		side++
	}
	s := newBox(float64(side) * pitch / 2)
	s.Restitution = 1
	s.Flat = true
	for k := range n {
		v := uniform(rng, 30)
		v.Z = 0
		p := collide.Vec3{X: along(k%side, side, pitch), Y: along(k/side, side, pitch)}
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: v, Radius: 0.5, Mass: 1})
	}
	return s
}

// Decades returns n elastic spheres of radii over three orders of magnitude, 0.004 to 8 where n is
// large enough, with masses as the cubes of their radii. Each halving of the radius has twice as
// many spheres, from n/2047 of the largest.
func Decades(n int, seed uint64) *Scene {
	const (
		levels = 11
		widest = 16.0 // metres, the cell of a largest sphere
	)
	// How many spheres live in cells of each width, and how many cells are split in eight to make
	// room for the smaller ones.
	var count, split [levels]int
	left := n
	for k := range levels - 1 {
		count[k] = min(left, max(1, n<<k/(1<<levels-1)))
		left -= count[k]
	}
	count[levels-1] = left
	for k := levels - 2; k >= 0; k-- {
		split[k] = (count[k+1] + split[k+1] + 7) / 8
	}

	rng := rand.New(rand.NewPCG(seed, 6))
	s, cells := lattice(count[0]+split[0], widest)
	s.Restitution = 1
	width := widest
	for k := range levels {
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		for _, p := range cells[split[k] : split[k]+count[k]] {
			r := float64(width/4) + float64(width*0.2421875*unit(rng))
			s.Spheres = append(
				s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 10), Radius: r, Mass: r * r * r * 8},
			)
		}
		var eighths []collide.Vec3
		for _, p := range cells[:split[k]] {
			for corner := range 8 {
				side := func(bit int) float64 { return float64(float64(corner>>bit&1*2-1) * width / 4) }
				eighths = append(eighths, p.Add(collide.Vec3{X: side(0), Y: side(1), Z: side(2)}))
			}
		}
		cells, width = eighths, width/2
	}
	return s
}

// Giants returns n elastic spheres: one in 2000 of radius 10, the others, of radius 0.25, all
// around them.
func Giants(n int, seed uint64) *Scene {
	const (
		pitch = 22.0 // metres, the cell of a giant
		inner = 16   // small spheres along the side of a cell, so that they are 1.375 apart
	)
	rng := rand.New(rand.NewPCG(seed, 7))
	giants := min(n, 1+n/2000)
	small := n - giants
	s, cells := lattice(giants+(small+inner*inner*inner-1)/(inner*inner*inner), pitch)
	s.Restitution = 1
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for _, p := range cells[:giants] {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 3), Radius: 10, Mass: 64000})
	}
	rooms := cells[giants:]
	for k := range small { // one to each room, then another to each
		p, at := rooms[k%len(rooms)], k/len(rooms)
		p = p.Add(collide.Vec3{
			X: along(at%inner, inner, pitch/inner), Y: along(at/(inner*inner), inner, pitch/inner),
			Z: along(at/inner%inner, inner, pitch/inner),
		})
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 30), Radius: 0.25, Mass: 1})
	}
	return s
}

// Sparse returns a gas that fills half a millionth of its box: hardly anything ever meets.
func Sparse(n int, seed uint64) *Scene { return gas(n, 100, 30, rand.New(rand.NewPCG(seed, 8))) }

// Dense returns a gas that fills 0.456 of its box: a liquid, nearly.
func Dense(n int, seed uint64) *Scene { return gas(n, 1.046875, 30, rand.New(rand.NewPCG(seed, 9))) }

// Corner returns a slow gas in one corner of a box sixteen times as wide as it needs.
func Corner(n int, seed uint64) *Scene {
	s := gas(n, 1.375, 3, rand.New(rand.NewPCG(seed, 10)))
	wide := s.Half.Scale(16)
	for i := range s.Spheres {
		p := &s.Spheres[i].Position
		*p = p.Add(s.Half).Sub(wide)
	}
	s.Half = wide
	return s
}

// Still returns n elastic spheres at rest, well apart, and ten that fly among them.
func Still(n int, seed uint64) *Scene {
	const pitch = 4 // metres: a sphere that flies meets one in a hundred steps
	rng := rand.New(rand.NewPCG(seed, 11))
	s, cells := lattice(n, pitch)
	s.Restitution = 1
	for _, p := range cells {
		s.Spheres = append(s.Spheres, Sphere{Position: p, Radius: 0.5, Mass: 1})
	}
	s.fly(rng, cells, min(n, 10), pitch)
	return s
}

// Level returns n things that never move, every other a sphere and every other a square tile that
// is turned some way, and three spheres in a thousand of them, at least ten where n is, that fly
// among them.
func Level(n int, seed uint64) *Scene {
	const pitch = 3 // metres
	rng := rand.New(rand.NewPCG(seed, 12))
	s, cells := lattice(n, pitch)
	s.Restitution = 1
	for k, p := range cells {
		if k%2 == 0 {
			s.Fixed = append(s.Fixed, Sphere{Position: p, Radius: 0.5, Mass: 1})
			continue
		}
		a := collide.Vec3{X: 0.75}.Add(uniform(rng, 0.25))
		b := collide.Vec3{Y: 0.75}.Add(uniform(rng, 0.25))
		for range k / 2 % 3 {
			a, b = collide.Vec3{X: a.Z, Y: a.X, Z: a.Y}, collide.Vec3{X: b.Z, Y: b.X, Z: b.Y}
		}
		s.Tiles = append(s.Tiles, []collide.Vec3{p.Sub(a).Sub(b), p.Add(a).Sub(b), p.Add(a).Add(b), p.Sub(a).Add(b)})
	}
	s.fly(rng, cells, min(n, max(10, n*3/1000)), pitch)
	return s
}

// fly adds n spheres of radius 0.25 that start at the corners of cells of the given pitch, spread
// over all of them.
func (s *Scene) fly(rng *rand.Rand, cells []collide.Vec3, n int, pitch float64) {
	half := float64(pitch / 2)
	for k := range n {
		p := cells[k*len(cells)/n].Sub(collide.Vec3{X: half, Y: half, Z: half})
		// Those at the sides of the box start in it.
		p.X, p.Y, p.Z = max(p.X, 0.5-s.Half.X), max(p.Y, 0.5-s.Half.Y), max(p.Z, 0.5-s.Half.Z)
		s.Spheres = append(s.Spheres, Sphere{Position: p, Velocity: uniform(rng, 30), Radius: 0.25, Mass: 1})
	}
}

// newBox returns an empty cube, from -half to half along each axis.
func newBox(half float64) *Scene {
	return &Scene{Half: collide.Vec3{X: half, Y: half, Z: half}, StepSeconds: 1.0 / 60, Steps: 300, Every: 30}
}

// along returns where the centre of cell i of a row of cells is that is centred on 0.
func along(i, cells int, pitch float64) float64 {
	return float64((float64(i)+0.5)*pitch) - float64(float64(cells)*pitch/2)
}

// lattice returns a box of cubic cells, pitch metres wide, and the centres of n of them, from the
// bottom up.
func lattice(n int, pitch float64) (*Scene, []collide.Vec3) {
	side := 1
	for side*side*side < n {
		side++
	}
	cells := make([]collide.Vec3, 0, n)
	for k := range n {
		cells = append(
			cells,
			collide.Vec3{
				X: along(k%side, side, pitch), Y: along(k/(side*side), side, pitch),
				Z: along(k/side%side, side, pitch),
			},
		)
	}
	return newBox(float64(float64(side) * pitch / 2)), cells
}

// uniform returns a vector whose components are uniform in [-size, size).
func uniform(rng *rand.Rand, size float64) collide.Vec3 {
	x := 2*unit(rng) - 1
	y := 2*unit(rng) - 1
	z := 2*unit(rng) - 1
	return collide.Vec3{X: x, Y: y, Z: z}.Scale(size)
}

// unit returns a number that is uniform in [0, 1). Float64 ends with a division by a power of two,
// which the compiler turns into a product and would fuse with a sum that follows; the conversion
// keeps them apart.
func unit(rng *rand.Rand) float64 { return float64(rng.Float64()) }
