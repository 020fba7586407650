package sweeps

import (
	"math"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/exact"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// mover is a shape that can be made anywhere.
type mover struct {
	make  func(at vec) collide.Convex
	cloud func(at vec) exact.Cloud
}

// movers are the shapes that move, for a size of about 1.
var movers = map[string]func(g *generator, size float64) mover{
	"point": func(*generator, float64) mover { return ball(0) },
	"sphere": func(g *generator, size float64) mover {
		return ball(g.radius(size))
	},
	"capsule": func(g *generator, size float64) mover {
		axis, r := g.vec(size), g.radius(0.7*size)
		if g.IntN(3) == 0 {
			axis = vec{Y: size}
		}
		return mover{
			func(at vec) collide.Convex { return collide.Capsule{A: at, B: at.Add(axis), Radius: r} },
			func(at vec) exact.Cloud { return exact.Cloud{Points: []vec{at, at.Add(axis)}, Radius: r} },
		}
	},
	"AABB": func(g *generator, size float64) mover {
		half := vec{X: g.length(size), Y: g.length(size), Z: g.length(size)}
		box := func(at vec) collide.AABB { return collide.AABB{Min: at.Sub(half), Max: at.Add(half)} }
		return mover{
			func(at vec) collide.Convex { return box(at) },
			func(at vec) exact.Cloud { return exact.Cloud{Points: cornersOf(box(at))} },
		}
	},
	"box": func(g *generator, size float64) mover {
		b := collide.Box{Half: vec{X: g.length(size), Y: g.length(size), Z: g.length(size)}, Rotation: g.rotation()}
		corners := b.Corners()
		return mover{
			func(at vec) collide.Convex { b := b; b.Center = at; return b },
			func(at vec) exact.Cloud { return exact.Cloud{Origin: at, Points: corners[:]} },
		}
	},
	"box2D": func(g *generator, size float64) mover {
		b := collide.NewBox2D(vec{}, g.length(size), g.length(size), 6*g.Float64())
		var corners []vec
		for _, c := range b.Corners() {
			if c.Z > 0 {
				corners = append(corners, vec{X: c.X, Y: c.Y})
			}
		}
		return mover{
			func(at vec) collide.Convex { b := b; b.Center = at; return b },
			func(at vec) exact.Cloud { return exact.Cloud{Origin: at, Points: corners} },
		}
	},
	"hull": func(g *generator, size float64) mover {
		h, points := g.hull(size)
		return mover{
			func(at vec) collide.Convex { return h.At(at) },
			func(at vec) exact.Cloud { return exact.Cloud{Origin: at, Points: points} },
		}
	},
}

func ball(r float64) mover {
	return mover{
		func(at vec) collide.Convex { return collide.Sphere{Center: at, Radius: r} },
		func(at vec) exact.Cloud { return exact.Cloud{Points: []vec{at}, Radius: r} },
	}
}

func cornersOf(b collide.AABB) (corners []vec) {
	for i := range 8 {
		p := b.Min
		if i&1 > 0 {
			p.X = b.Max.X
		}
		if i&2 > 0 {
			p.Y = b.Max.Y
		}
		if i&4 > 0 {
			p.Z = b.Max.Z
		}
		corners = append(corners, p)
	}
	return corners
}

func (g *generator) rotation() collide.Quat {
	switch g.family {
	case "lattice":
		return collide.Quat{}
	case "flat":
		return collide.Rotation2D(6 * g.Float64())
	}
	return collide.RotationAround(g.vec(1), 6*g.Float64())
}

// hull returns a hull and its points: random ones, and on a lattice an octahedron, with sides that
// are parallel to those of others.
func (g *generator) hull(size float64) (*collide.Hull, []vec) {
	for range 20 {
		points := make([]vec, 4+g.IntN(4))
		for i := range points {
			points[i] = vec{X: g.number(size), Y: g.number(size), Z: g.number(size)}
		}
		if h, err := collide.NewHull(points); err == nil {
			return h, points
		}
	}
	points := []vec{{X: size}, {X: -size}, {Y: size}, {Y: -size}, {Z: size}, {Z: -size}}
	h, err := collide.NewHull(points)
	if err != nil {
		panic(err)
	}
	return h, points
}

// target is what is hit: its pieces, and the value that the sweep gets.
type target struct {
	pieces []piece
	shape  any
	// union says that the pieces act as one surface, so that the oracle's first contact isn't that
	// of a sweep against the piece alone.
	union bool
}

// describe returns the target for an error message.
func (t *target) describe() any {
	if !t.union {
		return t.shape
	}
	return t.pieces
}

func one(shape any, cloud exact.Cloud) *target {
	return &target{pieces: []piece{{Cloud: cloud}}, shape: shape}
}

// targets are the shapes that are hit.
var targets = map[string]func(g *generator, at vec) *target{
	"point": func(_ *generator, at vec) *target { return one(at, exact.Cloud{Points: []vec{at}}) },
	"sphere": func(g *generator, at vec) *target {
		r := g.radius(1)
		return one(collide.Sphere{Center: at, Radius: r}, exact.Cloud{Points: []vec{at}, Radius: r})
	},
	"segment": func(g *generator, at vec) *target {
		s := collide.Segment{A: at, B: at.Add(g.vec(1))}
		return one(s, exact.Cloud{Points: []vec{s.A, s.B}})
	},
	"capsule": func(g *generator, at vec) *target {
		c := collide.Capsule{A: at, B: at.Add(g.vec(1)), Radius: g.radius(0.7)}
		return one(c, exact.Cloud{Points: []vec{c.A, c.B}, Radius: c.Radius})
	},
	"triangle": triangle(true), "triangle front": triangle(false),
	"polygon": polygon(true), "polygon front": polygon(false),
	"plane": plane(false, true), "plane front": plane(false, false), "half space": plane(true, false),
	"AABB": func(g *generator, at vec) *target {
		b := collide.AABB{Min: at, Max: at.Add(vec{X: g.length(1), Y: g.length(1), Z: g.length(1)})}
		return one(b, exact.Cloud{Points: cornersOf(b)})
	},
	"box": func(g *generator, at vec) *target {
		m := movers["box"](g, 1)
		return one(m.make(at), m.cloud(at))
	},
	"hull": func(g *generator, at vec) *target {
		h, points := g.hull(1)
		return one(h.At(at), exact.Cloud{Origin: at, Points: points})
	},
	"placed": func(g *generator, at vec) *target {
		c := collide.Capsule{B: g.vec(1), Radius: g.radius(0.5)}
		p := collide.NewPlaced(c, at, g.rotation())
		ends := []vec{p.Rotation.Rotate(c.A), p.Rotation.Rotate(c.B)}
		return one(p, exact.Cloud{Origin: at, Points: ends, Radius: c.Radius})
	},
	"cylinder": func(g *generator, at vec) *target {
		c := collide.Cylinder{A: at, B: at.Add(g.vec(1)), Radius: g.length(1)}
		if c.A == c.B {
			return nil
		}
		t := one(c, exact.Cloud{Points: []vec{c.A, c.B}})
		t.pieces[0].cylinder, t.pieces[0].wide = true, c.Radius
		return t
	},
	"mesh": mesh(false), "two-sided mesh": mesh(true),
	"height field": heightField, "chain2D": chain, "polygon2D": outline, "compound": compound,
}

func triangle(twoSided bool) func(g *generator, at vec) *target {
	return func(g *generator, at vec) *target {
		t := collide.Triangle{A: at, B: at.Add(g.vec(2)), C: at.Add(g.vec(2))}
		return flat(t, twoSided, t.A, t.B, t.C)
	}
}

func flat(shape any, twoSided bool, corners ...vec) *target {
	t := one(shape, exact.Cloud{Points: corners})
	n, ok := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0])).Normalized()
	if !ok {
		return nil
	}
	t.pieces[0].flat = true
	if !twoSided {
		t.pieces[0].normal = n
	}
	return t
}

func polygon(twoSided bool) func(g *generator, at vec) *target {
	return func(g *generator, at vec) *target {
		// Corners on a circle or on a grid, in one plane up to rounding.
		x, ok := g.vec(1).Normalized()
		y, ok2 := x.Cross(g.vec(1)).Normalized()
		if g.family == "lattice" || !ok || !ok2 {
			x, y = vec{X: 1}, vec{Z: 1}
		}
		n, r, start := 3+g.IntN(5), g.length(2), g.Float64()
		corners := make([]vec, n)
		for i := range corners {
			sin, cos := math.Sincos((float64(i) + start) * 2 * math.Pi / float64(n))
			corners[i] = at.AddScaled(r*cos, x).AddScaled(r*sin, y)
		}
		if g.family == "lattice" {
			corners = []vec{at, at.Add(vec{X: 2}), at.Add(vec{X: 3, Z: 1}), at.Add(vec{X: 1, Z: 3}), at.Add(vec{Z: 2})}
		}
		p, err := collide.NewPolygon(corners...)
		if err != nil {
			return nil
		}
		t := flat(p, twoSided, corners...)
		if t != nil {
			for _, c := range corners { // what NewPolygon admits
				t.pieces[0].wobble = max(t.pieces[0].wobble, 0x1p-45*c.MaxAbs())
			}
		}
		return t
	}
}

func plane(half, twoSided bool) func(g *generator, at vec) *target {
	return func(g *generator, at vec) *target {
		p, err := collide.PlaneThrough(at, g.vec(1))
		if err != nil {
			return nil
		}
		t := one(p, exact.Cloud{Points: []vec{p.Normal.Scale(p.Distance)}})
		b := &t.pieces[0]
		b.plane, b.normal, b.half, b.twoSided = true, p.Normal, half, twoSided
		return t
	}
}

// surface makes pieces of triangles that act as one.
func surface(shape any, twoSided bool, triangles []collide.Triangle) *target {
	t := &target{shape: shape, union: true}
	for _, tr := range triangles {
		if f := flat(nil, twoSided, tr.A, tr.B, tr.C); f != nil {
			t.pieces = append(t.pieces, f.pieces...)
		}
	}
	return t
}

// mesh returns hills, stairs, a closed box, or a room.
func mesh(twoSided bool) func(g *generator, at vec) *target {
	return func(g *generator, at vec) *target {
		var vertices []vec
		var indices []uint32
		if g.IntN(3) > 0 {
			vertices, indices = g.hills(at)
		} else {
			vertices, indices = g.chest(at)
		}
		m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{TwoSided: twoSided, SkipDegenerate: true})
		if err != nil {
			return nil
		}
		var triangles []collide.Triangle
		for i := 0; i < len(indices); i += 3 {
			triangles = append(triangles, collide.Triangle{
				A: vertices[indices[i]], B: vertices[indices[i+1]], C: vertices[indices[i+2]],
			})
		}
		return surface(m, twoSided, triangles)
	}
}

func (g *generator) hills(at vec) (vertices []vec, indices []uint32) {
	const side = 5
	rough, kind := g.Float64(), g.IntN(4)
	for i := range side {
		for j := range side {
			p := vec{X: float64(i - side/2), Y: rough * g.NormFloat64(), Z: float64(j - side/2)}
			switch {
			case g.family == "lattice" || kind == 1:
				p.Y = float64(g.IntN(2))
			case kind == 2: // stairs with vertical risers
				p.X, p.Y = float64((i+1)/2*2-side/2), float64(i/2)*rough
			default:
				p = p.Add(vec{X: 0.3 * g.Float64(), Z: 0.3 * g.Float64()})
			}
			vertices = append(vertices, at.Add(p))
		}
	}
	for i := range uint32(side - 1) {
		for j := range uint32(side - 1) {
			k := i*side + j
			indices = append(indices, k, k+1, k+side, k+side+1, k+side, k+1)
		}
	}
	return vertices, indices
}

// chest returns the sides of a box, which face outwards or inwards.
func (g *generator) chest(at vec) (vertices []vec, indices []uint32) {
	corners := collide.Box{Half: vec{X: g.length(2), Y: g.length(2), Z: g.length(2)}, Rotation: g.rotation()}.Corners()
	for _, c := range corners {
		vertices = append(vertices, at.Add(c))
	}
	inwards := g.IntN(2) == 0
	for _, f := range [6][4]uint32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		if inwards {
			f[1], f[3] = f[3], f[1]
		}
		indices = append(indices, f[0], f[1], f[2], f[0], f[2], f[3])
	}
	return vertices, indices
}

func heightField(g *generator, at vec) *target {
	rows, columns := 2+g.IntN(4), 2+g.IntN(4)
	x, z, rough := g.length(1), g.length(1), g.Float64()
	heights := make([]float64, rows*columns)
	for i := range heights {
		if heights[i] = rough * g.number(1); g.IntN(16) == 0 {
			heights[i] = math.NaN()
		}
	}
	f, err := collide.NewHeightField(at, x, z, columns, heights)
	if err != nil {
		return nil
	}
	var triangles []collide.Triangle
	for i := range rows - 1 {
		for j := range columns - 1 {
			p := func(i, j int) vec {
				return at.Add(vec{X: float64(i) * x, Y: heights[i*columns+j], Z: float64(j) * z})
			}
			a, b, c, d := p(i, j), p(i, j+1), p(i+1, j), p(i+1, j+1)
			if a.IsFinite() && b.IsFinite() && c.IsFinite() && d.IsFinite() {
				triangles = append(triangles, collide.Triangle{A: a, B: b, C: c}, collide.Triangle{A: d, B: c, C: b})
			}
		}
	}
	if len(triangles) == 0 {
		return nil
	}
	return surface(f, false, triangles)
}

// chain returns walls of a 2D game, which the oracle sees as segments.
func chain(g *generator, at vec) *target {
	points := make([]vec, 2+g.IntN(6))
	for i := range points {
		points[i] = vec{X: at.X + float64(i) + 0.5*g.Float64(), Y: at.Y + g.NormFloat64()}
		if g.family == "lattice" {
			points[i] = vec{X: at.X + float64(i), Y: at.Y + float64(g.IntN(2))}
		}
	}
	m, err := collide.NewChain2D(points, collide.MeshOptions{})
	if err != nil {
		return nil
	}
	return walls(m, points)
}

func outline(g *generator, at vec) *target {
	n := 3 + g.IntN(6)
	points := make([]vec, n)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r := 0.3 + 2*g.Float64() // a star, in general not convex
		points[i] = vec{X: at.X + r*cos, Y: at.Y + r*sin}
	}
	if g.family == "lattice" {
		points = []vec{{}, {X: 3}, {X: 3, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 1}, {Y: 1}}
		for i := range points {
			points[i] = points[i].Add(vec{X: at.X, Y: at.Y})
		}
	}
	m, err := collide.NewPolygon2D(points, collide.MeshOptions{})
	if err != nil {
		return nil
	}
	// Counter-clockwise with the outside as the front, to the right of the way.
	return walls(m, append(points, points[0]))
}

// walls returns walls through points, whose front is to the right of the way from one to the next.
func walls(m *collide.Mesh, points []vec) *target {
	t := &target{shape: m, union: true}
	for i := range len(points) - 1 {
		a, b := points[i], points[i+1]
		e := b.Sub(a)
		n, _ := vec{X: e.Y, Y: -e.X}.Normalized()
		t.pieces = append(t.pieces, piece{Cloud: exact.Cloud{Points: []vec{a, b}}, normal: n})
	}
	return t
}

// compound returns two to four parts of one entity.
func compound(g *generator, at vec) *target {
	t := &target{union: true}
	var parts []components.ShapePart
	for range 2 + g.IntN(3) {
		p := components.ShapePart{Position: at.Add(g.vec(1))}
		c := exact.Cloud{Origin: p.Position}
		switch g.IntN(4) {
		case 0:
			s := collide.Sphere{Center: g.vec(0.5), Radius: g.length(1)}
			p.Shape, c.Points, c.Radius = s, []vec{s.Center}, s.Radius
		case 1:
			s := collide.Capsule{B: g.vec(1), Radius: g.length(0.5)}
			p.Shape, c.Points, c.Radius = s, []vec{s.A, s.B}, s.Radius
		case 2:
			s := collide.Box{Half: vec{X: g.length(1), Y: g.length(1), Z: g.length(1)}}
			corners := s.Corners()
			p.Shape, c.Points = s, corners[:]
		case 3:
			p.Shape, c.Points = g.hull(1)
		}
		parts = append(parts, p)
		t.pieces = append(t.pieces, piece{Cloud: c})
	}
	w := donburi.NewWorld()
	components.CreateCompound(w, vec{}, parts)
	p := systems.NewPhysics(systems.Config{})
	p.Sync(w)
	t.shape = p
	return t
}
