package systems_test

import (
	"testing"

	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A heavy ball came down on a light one that two planes held, and the contact solver squeezed the
// light one out. Then both hit each other again, and the heavy one got back nearly all of the speed
// that it had given.
func TestAHeavyBallDoesNotGetBackTheSpeedWithWhichItSqueezesOutALightOne(t *testing.T) {
	for _, acceleration := range []float64{5, 20, 42, 80} {
		w := donburi.NewWorld()
		p := systems.NewPhysics(systems.Config{})
		for _, e := range []*donburi.Entry{
			components.CreatePlane(w, vec(0.736, 0.676, 0), vec(1.17346, -0.0623, 0)),
			components.CreatePlane(w, vec(-0.7647156495106467, -0.242, 0), vec(-0.955, -1.6, 0)),
		} {
			components.PlaneCollider.Get(e).TwoSided = true
		}
		heavy := components.CreateBall(w, vec(0.628883259142317, -1.0190667998488, 0), 0.01702227905030156,
			components.Force)
		light := components.CreateBall(w, vec(0.6072230947217389, -1.043057777325324, 0), 0.0153)
		for _, e := range []*donburi.Entry{heavy, light} {
			components.Material.Get(e).Friction = 0
			components.Body.Get(e).Locked = components.AxisZ
		}
		components.Material.Get(light).Restitution = 0.3
		components.Material.Get(heavy).RestitutionCombine = components.CombineMin
		components.Body.Get(heavy).Mass, components.Body.Get(light).Mass = 2, 0.2
		components.Velocity.Get(heavy).Linear = vec(0, -2.45, 0)
		components.Velocity.Get(light).Linear = vec(-3, 2, 0)
		components.Force.Get(heavy).Force = vec(0.88, -0.47, 0).Scale(2 * acceleration)
		energy := func() float64 {
			sum := 0.0
			for _, e := range []*donburi.Entry{heavy, light} {
				sum += components.Body.Get(e).Mass * components.Velocity.Get(e).Linear.LengthSquared() / 2
			}
			return sum
		}
		at, before := components.Transform.Get(heavy).Position, energy()
		stepCrates(t, p, w, 1)
		work := components.Force.Get(heavy).Force.Dot(components.Transform.Get(heavy).Position.Sub(at))
		if after := energy(); after > before+work {
			t.Errorf("%v m/s²: %v J, then %v, although the force did %v J of work", acceleration, before, after, work)
		}
	}
}
