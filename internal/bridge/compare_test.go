package bridge

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// The fast path finds every bit of a component's field that differs, in any row. Bytes between
// fields don't matter.
func TestEveryBitThatDiffersIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w, entries := crowdOf(blockRows, 1e-3,
		append(slices.Clone(inBench), components.CollisionFilter, components.SurfaceVelocity)...)
	for _, e := range entries {
		components.Body.SetValue(e, components.BodyData{
			Mass: 2, GravityScale: 3, LinearDamping: 1, Weightless: true, Locked: components.AxisZ,
		})
		components.Material.SetValue(e, components.MaterialData{
			Restitution: 0.5, Friction: 0.5, RollingResistance: 0.1,
		})
	}
	p := newStepper(Settings{})
	p.step(w)
	table := &p.registry.tables[0]
	var b rowBlock
	b.to = blockRows
	columns := map[int]reflect.Type{
		colSphere: reflect.TypeFor[components.SphereColliderData](), colBody: reflect.TypeFor[components.BodyData](),
		colMaterial:        reflect.TypeFor[components.MaterialData](),
		colFilter:          reflect.TypeFor[components.CollisionFilterData](),
		colSurfaceVelocity: reflect.TypeFor[components.SurfaceVelocityData](),
	}
	differs := func() bool {
		if !p.findUniform(table, &b) {
			t.Fatal("the rows have several profiles")
		}
		return p.differs(table, 0, blockRows, &p.registry.profiles.list[b.profile], &b.sizes)
	}
	if differs() {
		t.Fatal("rows that nobody changed differ")
	}
	for col, kind := range columns {
		for at := range kind.Size() {
			for bit := range 8 {
				want, is := fieldAt(kind, at)
				if is == reflect.Bool && bit > 0 {
					continue // not a value of a bool
				}
				c := (*byte)(unsafe.Add(table.cols[col][r.IntN(blockRows)], at))
				*c ^= 1 << bit
				if got := differs(); got != want {
					t.Errorf("%v: bit %d of byte %d: got %v, want %v", kind, bit, at, got, want)
				}
				*c ^= 1 << bit
			}
		}
	}
}

// fieldAt reports whether the byte of a struct at an offset belongs to a field, and to which kind
// of field.
func fieldAt(t reflect.Type, at uintptr) (bool, reflect.Kind) {
	for i := range t.NumField() {
		if f := t.Field(i); at >= f.Offset && at < f.Offset+f.Type.Size() {
			return true, f.Type.Kind()
		}
	}
	return false, reflect.Invalid
}

// A block of unchanged spheres is read by its cache until any bit of a component differs.
func TestTheRowCacheFindsEveryChange(t *testing.T) {
	for name, types := range map[string][]donburi.IComponentType{
		"spheres": {components.Transform, components.Velocity, components.SphereCollider},
		"spins":   {components.Transform, components.Velocity, components.SphereCollider, components.AngularVelocity},
	} {
		w, entries := crowdOf(blockRows, 0, types...)
		p := newStepper(Settings{})
		for range 3 {
			p.step(w)
		}
		cached := func() bool {
			table := &p.registry.tables[0]
			return p.isCached(table, 0, blockRows, 0, p.cache(table, 0), task{uninterrupted: true})
		}
		if !cached() {
			t.Fatalf("%s: nothing is cached", name)
		}
		e := entries[7]
		x, v := components.Transform.Get(e), components.Velocity.Get(e)
		numbers := []*float64{
			&x.Position.X, &x.Position.Y, &x.Position.Z, &v.Linear.X, &v.Linear.Y, &v.Linear.Z,
			&components.SphereCollider.Get(e).Radius,
		}
		if e.HasComponent(components.AngularVelocity) {
			s := components.AngularVelocity.Get(e)
			numbers = append(numbers, &s.Angular.X, &s.Angular.Y, &s.Angular.Z, &s.Inertia, &s.Damping)
		} else {
			numbers = append(numbers, &x.Rotation.X, &x.Rotation.Y, &x.Rotation.Z, &x.Rotation.W)
		}
		for k, number := range numbers {
			was := *number
			for bit := range 64 {
				if bit == 63 && was == 0 {
					continue // the sign of a zero may count or not
				}
				*number = math.Float64frombits(math.Float64bits(was) ^ 1<<bit)
				if cached() {
					t.Errorf("%s: a change of number %d from %v to %v is not found", name, k, was, *number)
				}
			}
			*number = was
		}
		if !cached() {
			t.Errorf("%s: what was changed back is not cached", name)
		}
	}
}

// A plane is read again when any bit of its Transform differs.
func TestTheFastPathFindsEveryBitOfAPlanesTransform(t *testing.T) {
	w := donburi.NewWorld()
	e := w.Entry(w.Create(components.Transform, components.PlaneCollider))
	components.PlaneCollider.Get(e).Normal.Y = 1
	x := components.Transform.Get(e)
	x.Position = collide.Vec3{X: 1, Y: 2, Z: 3}
	x.Rotation = collide.Quat{X: 0.5, Y: -0.5, Z: 0.5, W: 0.5}
	p := newStepper(Settings{})
	p.step(w)
	p.step(w)
	found := func() bool {
		rows := rowBlock{to: 1}
		p.findRecords(&p.registry.tables[0], &rows)
		p.compareSources(&p.registry.tables[0], &rows)
		return rows.handles[0] == none
	}
	if found() {
		t.Fatal("an unchanged plane is read again")
	}
	for at := range unsafe.Sizeof(*x) {
		for bit := range 8 {
			b := (*byte)(unsafe.Add(unsafe.Pointer(x), at))
			*b ^= 1 << bit
			if !found() {
				t.Errorf("bit %d of byte %d is not found", bit, at)
			}
			*b ^= 1 << bit
		}
	}
}
