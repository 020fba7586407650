package pile

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/dango-physics/dango/collide"
)

func TestZZ(t *testing.T) {
	s := small(2, 2000)
	for range 500 {
		s.step(input{})
	}
	run := func(name string, n int, in func(i int) input) {
		var phys time.Duration
		imp := 0
		for i := range n {
			t0 := time.Now()
			s.step(in(i))
			phys += time.Since(t0)
			st := s.physics.Stats()
			imp += st.Impacts
		}
		fmt.Printf("%s: %.2f ms a step, %d impacts a step, %+v\n", name, phys.Seconds()*1e3/float64(n), imp/n, s.physics.Stats())
	}
	run("stir", 240, func(i int) input {
		a := float64(i) / 20
		return input{Stir: true, Down: true, At: collide.Vec3{X: 3 * math.Cos(a), Z: 3 * math.Sin(a)}}
	})
	run("rest", 100, func(i int) input { return input{} })
	run("shake", 85, func(i int) input {
		if i == 0 {
			return input{Keys: "X"}
		}
		return input{}
	})
	run("rest", 100, func(i int) input { return input{} })
	run("tilt", 200, func(i int) input { return input{Lean: collide.Vec3{X: -1}} })
}
