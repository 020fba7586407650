package collide

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// CI runs this on all platforms.
func TestConvexShapesAndMeshesGiveTheSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	number := func() float64 { return float64(2*rng.Float64()) - 1 } // NormFloat64 may differ
	vec := func(size float64) Vec3 {
		return Vec3{
			float64(size * number()), float64(size * number()),
			float64(size * number()),
		}
	}
	const n = 16
	vertices, indices := hills(n, func(i, j int) Vec3 {
		return Vec3{float64(i) - n/2, 0, float64(j) - n/2}.Add(vec(0.3))
	})
	m := newMesh(t, vertices, indices, MeshOptions{})
	hash, hits := fnv.New64a(), 0
	add := func(c Contact, o Outcome) {
		if o != Miss {
			hits++
		}
		for _, x := range []float64{
			float64(o), c.Time, c.Normal.X, c.Normal.Y, c.Normal.Z, c.Point.X, c.Point.Y, c.Point.Z,
		} {
			hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	for range 300 {
		from := vec(3).Add(Vec3{Y: 5})
		hull, err := NewHull([]Vec3{vec(1), vec(1), vec(1), vec(1), vec(1), vec(1)})
		if err != nil {
			t.Fatal(err)
		}
		shapes := []Convex{
			Sphere{from, 0.5},
			Capsule{from, from.Add(vec(1)), 0.3},
			hull.At(from),
			Box{Center: from, Half: Vec3{0.3, 0.5, 0.7}, Rotation: RotationBy(vec(3))},
		}
		v, other := vec(3).Sub(from), NewBox2D(vec(1), 1, 2, number())
		for _, a := range shapes {
			add(Sweep(a, v, other, Vec3{}, 2))
			c, o := SweepMesh(a, v, m, Vec3{}, 2)
			add(c.Contact, o)
			g := Separation(a, other)
			add(Contact{Time: g.Distance, Normal: g.Normal, Point: g.PointA}, Hit)
		}
		c, o := RayCastMesh(Ray{from, v}, m, 2)
		add(c.Contact, o)
		add(SweepSphereCylinder(Sphere{from, 0.5}, v, Cylinder{vec(1), vec(1), 0.4}, Vec3{}, 2))
	}
	const want uint64 = 0x2180d17a6ebf8138
	if got := hash.Sum64(); got != want || hits < 2000 {
		t.Errorf("hash %#x, want %#x; %d contacts", got, want, hits)
	}
}
