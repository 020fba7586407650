package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// grid returns a mesh over n·n cells, each divided into two triangles, with its front upwards.
func grid(t *testing.T, n int, point func(u, v float64) collide.Vec3) *collide.Mesh {
	t.Helper()
	var vertices []collide.Vec3
	var indices []uint32
	id := func(i, j int) uint32 { return uint32(i*(n+1) + j) }
	for i := range n + 1 {
		for j := range n + 1 {
			vertices = append(vertices, point(float64(i)/float64(n), float64(j)/float64(n)))
		}
	}
	for i := range n {
		for j := range n {
			indices = append(indices, id(i, j), id(i, j+1), id(i+1, j), id(i+1, j+1), id(i+1, j), id(i, j+1))
		}
	}
	m, err := collide.NewMesh(vertices, indices, collide.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// facetScenes are surfaces of facets, with where bodies begin and how fast.
func facetScenes(t *testing.T) map[string]struct {
	mesh        *collide.Mesh
	from, speed collide.Vec3
} {
	return map[string]struct {
		mesh        *collide.Mesh
		from, speed collide.Vec3
	}{
		"a faceted sphere": {grid(t, 20, func(u, v float64) collide.Vec3 { // its upper part, from above
			x, z := 8*(u-0.5), 8*(v-0.5)
			return vec(x, math.Sqrt(64-x*x-z*z)-8, z)
		}), vec(0.3, 0.6, 0.2), vec(1.5, 0, 0.7)},
		"a saddle": {grid(t, 16, func(u, v float64) collide.Vec3 {
			x, z := 10*(u-0.5), 10*(v-0.5)
			return vec(x, 0.06*(x*x-z*z), z)
		}), vec(-3, 1.2, 0.3), vec(1, 0, 0.4)},
		"stairs": {grid(t, 24, func(u, v float64) collide.Vec3 { // treads of 1 m, risers of 0.25 m
			k := math.Round(24 * u)
			return vec(math.Floor((k+1)/2)-6, -0.25*math.Floor(k/2), 10*(v-0.5))
		}), vec(-5.5, 0.6, 0.1), vec(2, 0, 0.3)},
		"a half-pipe": {grid(t, 24, func(u, v float64) collide.Vec3 {
			sin, cos := math.Sincos(math.Pi * (u - 0.5))
			return vec(4*sin, 4-4*cos, 30*(v-0.5))
		}), vec(-3, 2.5, -8), vec(0.5, 0, 1.5)},
	}
}

// There are no more impacts than facets that a body comes near, and energy never grows. Impacts are
// on the surface, with a normal of the surface as a whole.
func TestNoImpactsButThoseOfFacets(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	bodies := map[string]struct {
		shape collide.Shape
		rolls bool
	}{
		"a ball slides":            {collide.Sphere{Radius: 0.2}, false},
		"a ball rolls":             {collide.Sphere{Radius: 0.2}, true},
		"a standing capsule":       {collide.Capsule{A: vec(0, -0.15, 0), B: vec(0, 0.15, 0), Radius: 0.15}, false},
		"a lying capsule":          {collide.Capsule{A: vec(-0.2, 0, 0.1), B: vec(0.2, 0, -0.1), Radius: 0.15}, false},
		"a box":                    {collide.Box{Half: vec(0.15, 0.2, 0.1)}, false},
		"a box turned by a little": {collide.Box{Half: vec(0.15, 0.2, 0.1), Rotation: generalRotation()}, false},
	}
	for ground, s := range facetScenes(t) {
		for name, b := range bodies {
			t.Run(name+" on "+ground, func(t *testing.T) {
				for k := range slow.Cases(16) {
					turn := 0.02 * float64(k)
					w := donburi.NewWorld()
					components.CreateMesh(w, collide.Vec3{}, s.mesh)
					from, v := s.from.Add(vec(turn, 0, -turn)), s.speed.Add(vec(turn, 0, 2*turn))
					var e *donburi.Entry
					if ball, ok := b.shape.(collide.Sphere); ok {
						e = components.CreateBall(w, from, ball.Radius, components.AngularVelocity)
						components.Material.Get(e).Friction = 0
						if b.rolls {
							components.Material.Get(e).Friction = 0.5
						}
					} else {
						e = components.CreateShapeBody(w, from, b.shape)
						components.Material.Get(e).Friction = 0
					}
					components.Velocity.Get(e).Linear = v
					watchFacets(t, w, e, s.mesh, b.shape)
				}
			})
		}
	}
}

// watchFacets runs 4 s and checks impacts, their normals, energy, and how deep a ball is in facets.
func watchFacets(
	t *testing.T, w donburi.World, e *donburi.Entry, mesh *collide.Mesh, shape collide.Shape,
) {
	t.Helper()
	const g = 9.81
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0)})
	energy := func() float64 {
		sum := velocity(e).LengthSquared()/2 + g*position(e).Y
		if s, ok := shape.(collide.Sphere); ok {
			sum += 0.2 * s.Radius * s.Radius * components.AngularVelocity.Get(e).Angular.LengthSquared()
		}
		return sum
	}
	touched := make([]bool, mesh.Triangles()) // near enough to be met
	around := shape.Bounds().Grow(0.1)
	impacts, met, last, deepest := 0, 0, energy(), 0.0
	for step := range 240 {
		before := position(e)
		p.Step(w)
		if now := energy(); now > last+1e-9*(1+math.Abs(last)) {
			t.Fatalf("step %d: energy grows from %v to %v", step, last, now)
		}
		last = energy()
		if position(e).Y < -6 {
			break
		}
		for i := range p.Impacts() {
			impacts++
			checkFacetNormal(t, mesh, i.Point, i.Normal)
		}
		for k := range mesh.Triangles() {
			c := mesh.Facet(k).Corners()
			tr := collide.Triangle{A: c[0], B: c[1], C: c[2]}
			close, bounds := false, tr.Bounds()
			for _, at := range [2]collide.Vec3{before, position(e)} {
				close = close || around.Translate(at).Overlaps(bounds) &&
					collide.Separation(collide.NewPlaced(shape.(collide.Convex), at, collide.Quat{}), tr).Distance < 0.1
			}
			if close && !touched[k] {
				met++
			}
			touched[k] = close
			if ball, ok := shape.(collide.Sphere); ok && close {
				deepest = max(deepest, ball.Radius-tr.ClosestPoint(position(e)).Distance(position(e)))
			}
		}
	}
	expectNoErrors(t, p)
	if impacts == 0 || impacts > met {
		t.Errorf("%d impacts, and %d facets were met", impacts, met)
	}
	if deepest > 1e-13 { // coordinates of 10 m are rounded to 1e-15 m
		t.Errorf("the ball is up to %v m deep in a facet", deepest)
	}
}

// checkFacetNormal checks that n is a normal of the surface at p: that of a facet there, or one
// such that no facet there rises above the plane through p that is perpendicular to n.
func checkFacetNormal(t *testing.T, mesh *collide.Mesh, p, n collide.Vec3) {
	t.Helper()
	front, face, nearest, rise := false, false, math.Inf(1), 0.0
	for k := range mesh.Triangles() {
		c := mesh.Facet(k).Corners()
		q := (collide.Triangle{A: c[0], B: c[1], C: c[2]}).ClosestPoint(p)
		if nearest = min(nearest, q.Distance(p)); q.Distance(p) > 1e-9 {
			continue
		}
		front = front || n.Dot(mesh.Facet(k).Normal()) > -1e-9
		face = face || n.Distance(mesh.Facet(k).Normal()) < 1e-9
		for _, corner := range c {
			rise = max(rise, n.Dot(corner.Sub(p)))
		}
	}
	if nearest > 1e-9 || !front || !face && rise > 1e-7 {
		t.Fatalf("an impact at %v with normal %v: the surface is %v away, from the front: %v, and rises by %v", p, n,
			nearest, front, rise)
	}
}
