package solver

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/dango-physics/dango/collide"
)

// What the processor's own way of reading and writing bodies does is what Go does, to the bit.
func TestBodiesFlyAndLandAsInGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e300, math.Inf(1), math.NaN(), 5e-324}
	value := func() float64 { return values[r.IntN(len(values))] }
	vector := func() collide.Vec3 { return collide.Vec3{X: value(), Y: value(), Z: value()} }
	for n := range 100 {
		for round := range 20 {
			var ids, index []int32
			var bodies []body
			var all []flags
			positions, velocities := make([]collide.Vec3, n), make([]collide.Vec3, n)
			var xs, vs []unsafe.Pointer
			for range n + 3 {
				all = append(all, 0)
				bodies = append(bodies, body{vector(), vector(), 1, 2})
			}
			for _, i := range r.Perm(n + 3) {
				index = append(index, int32(i))
			}
			for k, id := range r.Perm(n + 3)[:n] {
				ids = append(ids, int32(id))
				b := &bodies[index[id]]
				if r.IntN(9) == 0 {
					b.v = collide.Vec3{}
				}
				positions[k], velocities[k] = b.x, vector()
				xs, vs = append(xs, unsafe.Pointer(&positions[k])), append(vs, unsafe.Pointer(&velocities[k]))
			}
			if n > 0 && round%4 > 0 { // something stops it
				k := r.IntN(n)
				switch round % 4 {
				case 1:
					all[index[ids[k]]] = flags(1 << r.IntN(16))
				case 2:
					positions[k].X = math.Nextafter(positions[k].X, 3)
				case 3:
					*[]*float64{&positions[k].X, &positions[k].Y, &positions[k].Z}[r.IntN(3)] += 1
				}
			}
			mask := int(flags(r.Uint32()))
			want, got := append([]body{}, bodies...), append([]body{}, bodies...)
			if a, b := flyPlain(ids, index, want, all, mask, xs, vs), fly(ids, index, got, all, mask, xs, vs); n > 0 && a != b {
				t.Fatalf("%d bodies fly: got %d, want %d", n, b, a)
			}
			if n > 0 && !sameBits(got, want) {
				t.Fatalf("%d bodies fly: got %v, want %v", n, got, want)
			}
			if n == 0 {
				continue
			}
			bring(ids, index, bodies)
			for _, keep := range []bool{false, true} {
				var states, wanted []State
				if keep {
					states, wanted = make([]State, n), make([]State, n)
				}
				a := landPlain(ids, index, bodies, all, xs, vs, wanted)
				x, v := append([]collide.Vec3{}, positions...), append([]collide.Vec3{}, velocities...)
				clear(positions)
				clear(velocities)
				b := land(ids, ids, index, bodies, all, xs, vs, 0, states)
				if a != b || !sameBits(x, positions) || !sameBits(v, velocities) || !sameBits(states, wanted) {
					t.Fatalf("%d bodies land: got %#x, %v, %v, want %#x, %v, %v", n, b, positions, velocities, a, x, v)
				}
			}
		}
	}
}

// sameBits reports whether a and b, of numbers without gaps between them, have the same bits.
func sameBits[T any](a, b []T) bool {
	bytes := func(s []T) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
	}
	return reflect.DeepEqual(append([]byte{}, bytes(a)...), append([]byte{}, bytes(b)...))
}
