package main

import "math"

const half = 18.0 // of the arena's width

// arena adds the floor and the walls around it.
func (b *builder) arena() {
	var floor, walls shape
	floor.quad(v(-half, 0, half), v(2*half, 0, 0), v(0, 0, -2*half), grassPaint)
	b.node("floor", vec{}, &floor, nil)
	const h, w = 3.0, half + 2
	walls.box(v(-w, 0, -w), v(w, h, -half), stonePaint, whitePaint, "yz")
	walls.box(v(-w, 0, half), v(w, h, w), stonePaint, whitePaint, "yZ")
	walls.box(v(-w, 0, -half), v(-half, h, half), stonePaint, whitePaint, "yxzZ")
	walls.box(v(half, 0, -half), v(w, h, half), stonePaint, whitePaint, "yXzZ")
	b.node("walls", vec{}, &walls, nil)
}

// plateau adds the middle: a plateau with a ramp and stairs.
func (b *builder) plateau() {
	var s, ramp, stairs shape
	s.box(v(-6, 0, -8), v(6, 3, 0), brickPaint, sandPaint, "y")
	b.node("plateau", vec{}, &s, nil)
	ramp.wedge(-6, -2, 0, 8, 3, sandPaint, brickPaint)
	b.node("ramp", vec{}, &ramp, nil)
	const n, rise, deep = 10, 0.3, 0.5
	for i := range n {
		y, z := rise*float64(i), deep*float64(n-i)
		stairs.strip(v(2, y, z), v(4, 0, 0), v(0, rise, 0), brickPaint)
		stairs.strip(v(2, y+rise, z), v(4, 0, 0), v(0, 0, -deep), sandPaint)
		for k := range i + 1 { // the sides in layers, so that all vertices are shared
			y := rise * float64(k)
			stairs.strip(v(2, y, z-deep), v(0, 0, deep), v(0, rise, 0), brickPaint)
			stairs.strip(v(6, y, z), v(0, 0, -deep), v(0, rise, 0), brickPaint)
		}
	}
	b.node("stairs", vec{}, &stairs, nil)
}

// towers adds two towers, a bridge with a gap between them, and a slide.
func (b *builder) towers() {
	var east, west, bridge, slide shape
	east.box(v(10, 0, -8), v(16, 6, -2), bluePaint, sandPaint, "y")
	b.node("tower east", vec{}, &east, nil)
	west.box(v(-16, 0, -8), v(-10, 6, -2), bluePaint, sandPaint, "y")
	b.node("tower west", vec{}, &west, nil)
	bridge.box(v(-10, 5.6, -6), v(-1.5, 6, -4), woodPaint, woodPaint, "x")
	bridge.box(v(1.5, 5.6, -6), v(6, 6, -4), woodPaint, woodPaint, "")
	b.node("bridge", vec{}, &bridge, nil)
	slide.wedge(-16, -12, -2, 8, 6, sandPaint, bluePaint)
	b.node("slide", vec{}, &slide, nil)
}

// pipe adds a quarter of a pipe at the back, in which balls roll up and down.
func (b *builder) pipe() {
	var s shape
	const x0, x1, z, r, n = -8.0, 8.0, -14.0, 4.0, 10
	at := func(i int) (y, zz float64) {
		sin, cos := math.Sincos(math.Pi / 2 * float64(i) / n)
		return r - r*cos, z - r*sin
	}
	for i := range n {
		y0, z0 := at(i)
		y1, z1 := at(i + 1)
		s.strip(v(x0, y0, z0), v(x1-x0, 0, 0), v(0, y1-y0, z1-z0), bluePaint)
		s.triangle(v(x0, 0, -half), v(x0, y0, z0), v(x0, y1, z1), bluePaint)
		s.triangle(v(x1, 0, -half), v(x1, y1, z1), v(x1, y0, z0), bluePaint)
	}
	b.node("pipe", vec{}, &s, nil)
}

// lifts adds two platforms that go up and down.
func (b *builder) lifts() {
	for _, l := range []struct {
		name             string
		at               vec
		dy, dz, secs, wx float64
	}{
		{"lift east", v(8, 0.02, -5), 5.78, 0, 9, 1.7},
		{"ferry", v(-13, 0.05, 12), 0, 4, 6, 1.5},
	} {
		var s shape
		s.box(v(-l.wx, 0, -1.5), v(l.wx, 0.2, 1.5), steelPaint, yellowPaint, "")
		b.node(l.name, l.at, &s, map[string]any{
			"class": "lift", "kinematic": true, "shape": "box", "friction": 1.0, "dy": l.dy, "dz": l.dz,
			"seconds": l.secs,
		})
	}
}

// places adds what has no mesh, and the goal.
func (b *builder) places() {
	b.node("start", v(0, 0, 14), nil, nil)
	for _, at := range []vec{
		v(0, 1, 9), v(-4, 3.4, 2), v(0, 4, -4), v(4, 4, -1), v(13, 7, -5), v(0, 7.4, -5), v(-13, 7, -5), v(-14, 4, 3),
		v(0, 3, -16), v(-13, 1.2, 15),
	} {
		b.node("star", at, nil, map[string]any{"class": "star"})
	}
	for _, at := range []vec{
		v(11, 0.5, 10), v(9, 0.5, 8), v(13, 0.5, 8), v(-4, 1, -15), v(4, 1, -15), v(-13.5, 6.5, -3), v(1, 0.5, 11.5),
	} {
		b.node("ball", at, nil, map[string]any{"class": "ball"})
	}
	for _, at := range []vec{
		v(-2, 0.5, 12), v(-3.1, 0.5, 12), v(-2.5, 1.5, 12), v(3, 3.5, -6), v(-3, 3.5, -6), v(-3, 4.5, -6),
	} {
		b.node("crate", at, nil, map[string]any{"class": "crate"})
	}
	var frame, inside shape
	frame.box(v(8, 0, 15.7), v(8.3, 2.6, 16), whitePaint, whitePaint, "y")
	frame.box(v(13.7, 0, 15.7), v(14, 2.6, 16), whitePaint, whitePaint, "y")
	frame.box(v(8, 2.6, 15.7), v(14, 2.9, 16), whitePaint, whitePaint, "")
	b.node("frame", vec{}, &frame, nil)
	inside.box(v(-2.7, -1.3, -0.9), v(2.7, 1.3, 0.9), redPaint, redPaint, "")
	b.node("goal", v(11, 1.3, 17), &inside, map[string]any{"class": "goal", "collider": "trigger"})
}

// models adds what moves.
func (b *builder) models() {
	var hero, ball, crate, star shape
	hero.sphere(v(0, 0.42, 0), 0.36, leafPaint, leafPaint)
	hero.sphere(v(0, 0.92, 0), 0.36, whitePaint, whitePaint)
	hero.sphere(v(0, 1.44, 0), 0.38, pinkPaint, pinkPaint)
	hero.box(v(-0.03, 1.7, -0.03), v(0.03, 2.1, 0.03), woodPaint, woodPaint, "y")
	for _, x := range []float64{-0.13, 0.13} {
		hero.sphere(v(x, 1.5, 0.345), 0.06, inkPaint, inkPaint)
		hero.box(v(x-0.08, 0, -0.1), v(x+0.08, 0.1, 0.16), inkPaint, inkPaint, "y")
	}
	b.node("hero", vec{}, &hero, nil)
	ball.sphere(vec{}, 0.5, redPaint, whitePaint)
	b.node("ball", vec{}, &ball, nil)
	for _, side := range [][2]vec{
		{v(1, 0, 0), v(0, 1, 0)},
		{v(-1, 0, 0), v(0, 1, 0)},
		{v(0, 0, -1), v(0, 1, 0)},
		{v(0, 0, 1), v(0, 1, 0)},
		{v(1, 0, 0), v(0, 0, -1)},
		{v(1, 0, 0), v(0, 0, 1)},
	} {
		crate.panel(side[0], side[1])
	}
	b.node("crate", vec{}, &crate, nil)
	const points = 5
	for i := range 2 * points {
		at := func(i int) vec {
			r := 0.42
			if i%2 == 1 {
				r = 0.18
			}
			sin, cos := math.Sincos(math.Pi * float64(i) / points)
			return v(r*sin, r*cos, 0)
		}
		front, back := v(0, 0, 0.14), v(0, 0, -0.14)
		star.triangle(front, at(i+1), at(i), yellowPaint)
		star.triangle(back, at(i), at(i+1), yellowPaint)
	}
	b.node("star", vec{}, &star, nil)
	var shadow shape
	const n = 12
	for i := range n {
		at := func(i int) vec {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
			return v(0.42*cos, 0, -0.42*sin)
		}
		shadow.triangle(vec{}, at(i), at(i+1), shadowPaint)
	}
	b.node("shadow", vec{}, &shadow, nil)
}

// panel adds a side of a crate along two directions: boards with a frame around them.
func (s *shape) panel(u, w vec) {
	n := u.Cross(w).Scale(0.5)
	at := func(half float64) (c [4]vec) {
		for i, k := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			c[i] = n.AddScaled(k[0]*half, u).AddScaled(k[1]*half, w)
		}
		return c
	}
	outer, inner := at(0.5), at(0.37)
	for i := range 4 {
		k := (i + 1) % 4
		s.triangle(outer[i], outer[k], inner[k], sandPaint)
		s.triangle(outer[i], inner[k], inner[i], sandPaint)
	}
	s.triangle(inner[0], inner[1], inner[2], woodPaint)
	s.triangle(inner[0], inner[2], inner[3], woodPaint)
}

// sphere adds a ball with stripes of two colours.
func (s *shape) sphere(center vec, r float64, p, q paint) {
	const rings, slices = 8, 12
	at := func(i, j int) vec {
		sin, cos := math.Sincos(math.Pi * float64(i) / rings)
		ss, cc := math.Sincos(2 * math.Pi * float64(j) / slices)
		return v(sin*cc, cos, -sin*ss)
	}
	for i := range rings {
		for j := range slices {
			c := p
			if j/2%2 == 1 || i == 0 || i == rings-1 {
				c = q
			}
			corners := [4]vec{at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)}
			add := func(a, b, d int) {
				n := [3]vec{corners[a], corners[b], corners[d]}
				var points [3]vec
				for k := range 3 {
					points[k] = center.AddScaled(r, n[k])
				}
				s.smooth(points, n, [3]paint{c, c, c})
			}
			if i < rings-1 {
				add(0, 1, 2)
			}
			if i > 0 {
				add(0, 2, 3)
			}
		}
	}
}
