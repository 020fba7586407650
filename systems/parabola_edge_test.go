package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// Small balls fly along parabolas at the edges and corners of large polygons, boxes and meshes.
// None ends in what it flies at, and each that would come into it has an impact.
func TestASmallBallOnAnArcMeetsTheEdgeOfALargePolygon(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	hits := 0
	for n := range 3000 {
		size := math.Pow(10, 4*rng.Float64()-1)
		r := size * math.Pow(10, -4*rng.Float64())
		half := vec(size, 0, size*(0.1+rng.Float64()))
		turn := collide.RotationAround(vec(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()), 3*rng.Float64())
		center := vec(size*rng.NormFloat64(), size*rng.NormFloat64(), size*rng.NormFloat64())
		corners := []collide.Vec3{
			vec(-half.X, 0, -half.Z), vec(-half.X, 0, half.Z), vec(half.X, 0, half.Z), vec(half.X, 0, -half.Z),
		}
		for k := range corners {
			corners[k] = turn.Rotate(corners[k])
		}
		k := rng.IntN(4)
		fraction := rng.Float64()
		if rng.IntN(4) == 0 {
			fraction = 0
		}
		meets := corners[k].AddScaled(fraction, corners[(k+1)%4].Sub(corners[k])).Add(center)
		// It would be less than its radius from the edge, between a quarter and 3/4 of the step.
		out := vec(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(0.4 * r)
		v := vec(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(r * (100 + 1000*rng.Float64()))
		g := vec(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(r * 1e4 * rng.Float64())
		const dt = 1.0 / 60
		early := dt / 2 * (0.5 + rng.Float64())
		from := meets.Add(out).AddScaled(-early, v).AddScaled(early*early/2, g)
		v0 := v.AddScaled(-early, g)
		w := donburi.NewWorld()
		shape := "polygon"
		switch rng.IntN(3) {
		case 0:
			spawn(w, at(center.X, center.Y, center.Z), components.PolygonColliderData{Points: corners}, bouncy(1))
		case 1:
			shape = "box"
			box := collide.Box{Half: vec(half.X, size*0.01, half.Z)}
			turned := components.TransformData{Position: center, Rotation: turn}
			spawn(w, turned, components.ShapeColliderData{Shape: box}, bouncy(1))
		case 2:
			shape = "mesh"
			mesh, err := collide.NewMesh(corners, []uint32{0, 1, 2, 0, 2, 3}, collide.MeshOptions{TwoSided: true})
			if err != nil {
				t.Fatal(err)
			}
			spawn(w, at(center.X, center.Y, center.Z), components.ShapeColliderData{Shape: mesh}, bouncy(1))
		}
		back := collide.Quat{X: -turn.X, Y: -turn.Y, Z: -turn.Z, W: turn.W}
		gap := func(p collide.Vec3) float64 { // to the sheet in the middle
			local := back.Rotate(p.Sub(center))
			return local.Distance(vec(
				max(-half.X, min(half.X, local.X)), 0, max(-half.Z, min(half.Z, local.Z)))) - r
		}
		if gap(from) < 0.2*r || shape == "box" && gap(from) < size*0.011 { // it begins in it
			continue
		}
		b := ball(w, from, v0, r, bouncy(1))
		p := systems.NewPhysics(systems.Config{Gravity: g, Parabolic: true})
		p.Step(w)
		end := from.AddScaled(dt, v0).AddScaled(dt*dt/2, g)
		if p.Stats().Impacts == 0 {
			deepest := math.Inf(1)
			for k := range 201 {
				s := dt * float64(k) / 200
				deepest = min(deepest, gap(from.AddScaled(s, v0).AddScaled(s*s/2, g)))
			}
			if deepest < -1e-6*r {
				t.Errorf("scene %d: a ball of %g m passes a %s of %g m, %.2g radii deep", n, r, shape, size, -deepest/r)
			}
			if position(b).Distance(end) > 1e-9*size {
				t.Errorf("scene %d: it ends at %v, want %v", n, position(b), end)
			}
			continue
		}
		hits++
		if deep := -gap(position(b)); deep > 1e-9*r+1e-13*size {
			t.Errorf("scene %d: a ball of %g m ends %g radii deep in a %s of %g m", n, r, deep/r, shape, size)
		}
	}
	if hits < 1000 {
		t.Errorf("got %d impacts", hits)
	}
}
