package systems_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/yohamta/donburi"

	"github.com/dango-physics/dango/components"
)

// A game locks axes of balls in columns at rest. What lies between a floor and a locked ball bears
// any load, so the equations of that column have no single solution: its balls had positions of
// NaN.
func TestLockingAxesInAColumnLeavesItWhereItIs(t *testing.T) {
	w, p := donburi.NewWorld(), onEarth()
	components.CreateBox(w, vec(0, -1, 0), vec(5, 1, 5))
	r := rand.New(rand.NewPCG(1, 2))
	balls := map[int]*donburi.Entry{}
	used := []int{4, 23, 29, 38, 48, 54, 63, 79, 98, 104, 123, 129, 148, 154, 173, 179, 188, 198}
	for i := range 200 { // three columns of those in which a game found it
		radius := 0.25 + 0.05*r.Float64()
		if !slices.Contains(used, i) {
			continue
		}
		at := vec(float64(i%5)*0.7-1.4, 0.5+float64(i/25)*0.7, float64(i/5%5)*0.7-1.4)
		b := components.CreateBall(w, at, radius, components.AngularVelocity)
		components.Material.SetValue(b, components.MaterialData{
			Friction: 0.4, RollingResistance: 0.02, SpinningResistance: 0.02,
		})
		balls[i] = b
	}
	for tick := range 720 {
		switch tick {
		case 317:
			components.Body.Get(balls[29]).Locked = components.AxisY
		case 354:
			components.Body.Get(balls[198]).Locked = components.AxisX | components.AxisY | components.AxisZ
		case 399:
			components.Body.Get(balls[63]).Locked = components.AxisY
		}
		p.Step(w)
		expectNoErrors(t, p)
		for k, b := range balls {
			if v := velocity(b); tick > 300 && !(v.Length() < 1e-6) {
				t.Fatalf("tick %d: ball %d moves at %v, at %v", tick, k, v, position(b))
			}
		}
	}
}
