package collide

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEachProcessorOpensTheSameBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 16))
	coordinate := func() float64 { return math.Ldexp(2*r.Float64()-1, r.IntN(8)) }
	entered, left := 0, 0
	for range 200_000 {
		var n meshNode
		for axis := range 3 {
			n.origin[axis] = float32(coordinate())
			n.scale[axis] = float32(math.Ldexp(r.Float64(), -r.IntN(8)))
			if r.IntN(8) == 0 {
				n.scale[axis] = 0 // a flat box
			}
			for k := range meshWidth {
				a, b := uint8(r.IntN(256)), uint8(r.IntN(256))
				n.quanta[axis][k], n.quanta[axis+3][k] = min(a, b), max(a, b)
			}
		}
		for k := range 1 + r.IntN(meshWidth) {
			n.children[k] = 1 + meshChild(r.Uint32()>>1)
			if r.IntN(2) == 0 {
				n.children[k] |= leafChild
			}
		}
		p := Vec3{coordinate(), coordinate(), coordinate()}
		v := Vec3{coordinate(), coordinate(), coordinate()}
		if r.IntN(4) > 0 { // towards the boxes
			at := Vec3{float64(n.origin[0]), float64(n.origin[1]), float64(n.origin[2])}
			v = at.Sub(p).AddScaled(r.Float64(), Vec3{1, 1, 1})
		}
		switch r.IntN(6) {
		case 0:
			v.X = 0
		case 1:
			v = Vec3{}
		case 2:
			p.Y = float64(n.origin[1])
		}
		m := &Mesh{treeScale: 1, extent: 0x1p8, nodes: []meshNode{n}}
		var a, b meshSearch
		a.begin(m, p, v, float64(r.IntN(3))*r.Float64(), math.Ldexp(r.Float64(), r.IntN(10)-4))
		b = a
		got, want := a.enterBoxes(&n), b.enterBoxesGo(&n)
		if got != want {
			t.Fatalf("%#v: boxes %04b of %#v, want %04b", b, got, n, want)
		}
		for k := range meshWidth {
			if got>>k&1 == 0 {
				left++
				continue
			}
			if entered++; a.enters[k] != b.enters[k] {
				t.Fatalf("%#v: box %d of %#v at %v, want %v", b, k, n, a.enters[k], b.enters[k])
			}
		}
	}
	if entered < 10_000 || left < 10_000 {
		t.Errorf("%d boxes entered, %d not", entered, left)
	}
}
