package systems

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/solver"
)

// What the processor's own way of examining rows finds is what Go finds, for any number of rows, any components and any bit that is otherwise. Bytes
// between fields, which may be anything, count for nothing.
func TestRowsAreExaminedAsInGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vector := func() collide.Vec3 { return collide.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()} }
	found := map[string]int{}
	for round := range 20_000 {
		n := 1 + round%blockRows
		var sizes measures
		landed := make([]solver.State, n+1)
		transforms, velocities := make([]components.TransformData, n), make([]components.VelocityData, n)
		spheres, bodies, responses := make([]components.SphereColliderData, n), make([]components.BodyData, n), make([]components.ResponseData, n)
		columns := [5][]pointer{}
		body := components.BodyData{GravityScale: 3, LinearDamping: 1, Weightless: r.IntN(2) == 0, Locked: components.AxisZ}
		response := components.ResponseData{Mode: components.ModeSlide, Restitution: r.Float64(), Combine: components.CombineMax}
		for i := range n {
			landed[i] = solver.State{Position: vector(), Velocity: vector()}
			sizes.radius[i], sizes.mass[i] = r.Float64(), r.Float64()
			transforms[i] = components.TransformData{Position: landed[i].Position, Rotation: collide.Quat{W: 1}}
			velocities[i].Linear = landed[i].Velocity
			spheres[i].Radius, bodies[i], responses[i] = sizes.radius[i], body, response
			bodies[i].Mass = sizes.mass[i]
			for k, at := range []pointer{pointer(&transforms[i]), pointer(&velocities[i]), pointer(&spheres[i]), pointer(&bodies[i]), pointer(&responses[i])} {
				columns[k] = append(columns[k], at)
			}
		}
		e := exam{
			rows: n, transforms: &columns[0][0], velocities: &columns[1][0], spheres: &columns[2][0], bodies: &columns[3][0], responses: &columns[4][0],
			sizes: &sizes, landed: &landed[0], has: hasBody | hasResponse, body: body, response: response,
		}
		for k, bit := range map[int]has{3: hasBody, 4: hasResponse} {
			if r.IntN(8) == 0 {
				e.has &^= bit
				*[]**pointer{3: &e.bodies, 4: &e.responses}[k] = e.transforms
			}
		}
		if round%3 > 0 { // any bit of anything
			i := r.IntN(n)
			k := r.IntN(5)
			size := [5]uintptr{unsafe.Sizeof(transforms[0]), unsafe.Sizeof(velocities[0]), unsafe.Sizeof(spheres[0]), unsafe.Sizeof(bodies[0]), unsafe.Sizeof(responses[0])}[k]
			*(*byte)(unsafe.Add(columns[k][i], r.IntN(int(size)))) ^= 1 << r.IntN(8)
		}
		got, want := examine(&e), examinePlain(&e)
		if (got.differs == 0) != (want.differs == 0) || (got.rotation == 0) != (want.rotation == 0) || (got.strays == 0) != (want.strays == 0) ||
			bits(&got.squares) != bits(&want.squares) && got.squares == got.squares {
			t.Fatalf("%d rows: got %v, want %v", n, got, want)
		}
		for name, is := range map[string]bool{"differs": want.differs != 0, "rotation": want.rotation != 0, "strays": want.strays != 0, "nothing": want.differs|want.rotation|want.strays == 0} {
			if is {
				found[name]++
			}
		}
	}
	for _, name := range []string{"differs", "rotation", "strays", "nothing"} {
		if found[name] < 500 {
			t.Errorf("%s: found only %d times", name, found[name])
		}
	}
}
