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
				n.quanta[k/4][axis][k%4], n.quanta[k/4][axis+3][k%4] = min(a, b), max(a, b)
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

func TestSearchEntersEachBoxThatIsTouched(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 26))
	for n := range 400_000 {
		size := math.Ldexp(1, r.IntN(220)-110)
		if n%2 == 0 {
			size = math.Ldexp(1, r.IntN(20)-8)
		}
		coordinate := func() float64 { return float64(size * (2*r.Float64() - 1)) }
		node := meshNode{children: [meshWidth]meshChild{1, 2, 3, 4, 5, 6, 7, 8}}
		k := r.IntN(meshWidth)
		var low, high Vec3
		for axis, l := range []*float64{&low.X, &low.Y, &low.Z} {
			node.origin[axis] = float32(coordinate())
			node.scale[axis] = float32(float64(size * math.Ldexp(r.Float64(), -8-r.IntN(8))))
			a, b := r.IntN(256), r.IntN(256)
			node.quanta[k/4][axis][k%4], node.quanta[k/4][axis+3][k%4] = uint8(min(a, b)), uint8(max(a, b))
			*l = float64(node.origin[axis]) + float64(float64(min(a, b))*float64(node.scale[axis]))
			*[]*float64{&high.X, &high.Y, &high.Z}[axis] = float64(node.origin[axis]) +
				float64(float64(max(a, b))*float64(node.scale[axis]))
		}
		// A corner, a side or the inside of the box is at a point of the moving box, at some time.
		at := func(low, high float64) float64 {
			return [3]float64{low, high, low + float64((high-low)*r.Float64())}[r.IntN(3)]
		}
		touched := Vec3{at(low.X, high.X), at(low.Y, high.Y), at(low.Z, high.Z)}
		half := Vec3{r.Float64(), r.Float64(), r.Float64()}.Scale(float64(size * float64(r.IntN(2))))
		v := Vec3{coordinate(), coordinate(), coordinate()}
		for _, c := range []*float64{&v.X, &v.Y, &v.Z} {
			switch r.IntN(8) {
			case 0:
				*c = 0
			case 1:
				*c = math.Ldexp(*c, -r.IntN(200))
			}
		}
		time := r.Float64()
		offset := Vec3{at(-half.X, half.X), at(-half.Y, half.Y), at(-half.Z, half.Z)}
		p := touched.Sub(offset).AddScaled(-time, v)
		end := time
		switch r.IntN(3) {
		case 0:
			end = 1
		case 1:
			end = math.Inf(1)
		}
		m := &Mesh{treeScale: 1, extent: max(low.MaxAbs(), high.MaxAbs()), nodes: []meshNode{node}}
		var s meshSearch
		s.beginBox(m, p, v, half, end)
		entered := s.enterBoxes(&node)
		if entered>>k&1 == 0 {
			t.Fatalf("box %d of %#v isn't entered from %v at %v in %v s with the half extents %v, but at %v s",
				k, node, p, v, end, half, time)
		}
		if limit := float64(s.enters[k]) * (1 - timeSlack); limit > float64(time*s.unit)*(1+0x1p-40)+minSlack {
			t.Fatalf("box %d of %#v is entered after %v, but touched at %v", k, node, limit/s.unit, time)
		}
	}
}

// Waiting nodes have a fixed amount of memory, and no level makes the builder need it all.
func TestASearchOfTheHighestTreeHasRoomForAllThatWaits(t *testing.T) {
	var b treeBuilder
	b.nodes = make([]binaryNode, 1)
	// Each node down to the lowest has a subtree of seven leaves beside the rest of the tree, and
	// all eight are to be children of one node.
	var fill func(at, height, leaves int)
	fill = func(at, height, leaves int) {
		if height == 0 || leaves == 1 {
			b.nodes[at] = binaryNode{count: 1}
			return
		}
		first := len(b.nodes)
		b.nodes = append(b.nodes, binaryNode{}, binaryNode{})
		beside, below := 1, leaves-1
		if leaves == 0 {
			beside, below = min(meshWidth-1, height), 0
		}
		fill(first, height-1, beside)
		fill(first+1, height-1, below)
		n := &b.nodes[at]
		n.first = uint32(first)
		n.height = 1 + max(b.nodes[first].height, b.nodes[first+1].height)
		for k := 1; k < meshWidth; k++ {
			n.splits[k] = uint8(min(k, beside))
		}
	}
	fill(0, maxMeshHeight, 0)
	if b.nodes[0].height != maxMeshHeight {
		t.Fatalf("height %d, want %d", b.nodes[0].height, maxMeshHeight)
	}
	b.wide = make([]meshNode, 1)
	b.widen(0, 0, 1)
	most, leaves, full := 0, 0, 0
	var walk func(at meshChild, waiting int)
	walk = func(at meshChild, waiting int) {
		if at&leafChild != 0 {
			leaves++
			return
		}
		children := 0
		for _, c := range b.wide[at].children {
			if c != 0 {
				children++
			}
		}
		if children == meshWidth {
			full++
		}
		waiting += children - 1
		most = max(most, waiting)
		for _, c := range b.wide[at].children[:children] {
			walk(c, waiting)
		}
	}
	walk(0, 1)
	want := 0
	for k := range b.nodes {
		if b.nodes[k].count > 0 {
			want++
		}
	}
	if most > maxMeshStack || leaves != want || full == 0 {
		t.Errorf("%d wait, room for %d; %d leaves, want %d; %d full nodes", most, maxMeshStack, leaves, want, full)
	}
}
