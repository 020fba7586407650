//go:build amd64 && !purego

package bridge

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
)

// rowsDiffer finds the same differences as cachedRowsDiffer: every bit of a field, with every
// number of rows. Neither finds the signs of a rotation's imaginary parts or bytes between fields.
func TestRowsDifferFindsWhatTheGoVersionFinds(t *testing.T) {
	slow.Skip(t, slow.Emulated, slow.Portable)
	if !hasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(3, 4))
	columns := map[int]reflect.Type{
		colTransform: reflect.TypeFor[components.TransformData](),
		colVelocity:  reflect.TypeFor[components.VelocityData](),
		colSphere:    reflect.TypeFor[components.SphereColliderData](), colBody: reflect.TypeFor[components.BodyData](),
		colMaterial: reflect.TypeFor[components.MaterialData](),
	}
	for n := 1; n <= blockRows; n++ {
		w, entries := crowdOf(n, 0, components.Transform, components.Velocity, components.SphereCollider,
			components.Body, components.Material)
		for i, e := range entries {
			components.Body.SetValue(e, components.BodyData{
				Mass: float64(i + 1), GravityScale: 3, LinearDamping: 1, Weightless: true, Locked: components.AxisZ,
			})
			components.Material.SetValue(e, components.MaterialData{
				Restitution: 0.5, Friction: 0.5, StaticFriction: 0.75, RollingResistance: 0.1,
			})
		}
		p := newStepper(Settings{})
		for range 3 {
			p.step(w)
		}
		table := &p.registry.tables[0]
		c := p.cache(table, 0)
		if table.has != rowsDifferColumns || c.n != n {
			t.Fatalf("%d rows of %b are cached, want %d of %b", c.n, table.has, n, rowsDifferColumns)
		}
		check := func(want bool, what ...any) {
			t.Helper()
			if got := !p.isCached(table, 0, n, 0, c, task{}); got != want {
				t.Errorf("%d rows: %v: rowsDiffer finds %v, want %v", n, what, got, want)
			}
			if got := p.cachedRowsDiffer(table, 0, n, c, task{}); got != want {
				t.Errorf("%d rows: %v: cachedRowsDiffer finds %v, want %v", n, what, got, want)
			}
		}
		check(false, "nothing")
		for col, kind := range columns {
			for at := range kind.Size() {
				for bit := range 8 {
					want, is := fieldAt(kind, at)
					if is == reflect.Bool && bit > 0 {
						continue // not a value of a bool
					}
					if col == colTransform && at >= 24 && at < 48 && at%8 == 7 && bit == 7 {
						want = false // a sign
					}
					row := r.IntN(n)
					b := (*byte)(unsafe.Add(table.cols[col][row], at))
					*b ^= 1 << bit
					check(want, kind, "byte", at, "bit", bit, "row", row)
					*b ^= 1 << bit
				}
			}
		}
		check(false, "nothing")
		for _, e := range entries {
			components.Transform.Get(e).Rotation.W = 0
		}
		check(false, "the zero rotation")
		for _, e := range entries {
			components.Transform.Get(e).Rotation.W = 0.5
		}
		check(true, "half a rotation")
	}
}
