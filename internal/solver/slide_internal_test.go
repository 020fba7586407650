package solver

import (
	"testing"

	"github.com/dango-physics/dango/collide"
)

// A slow body comes from one face of a bowl to another. What the impact leaves it has no more
// energy at its time than without the limit, and none too much at the end of the step, however the
// new velocity and the new acceleration are directed.
func TestLimitingTheEnergyOfASlideDoesNotSpeedUpTheBody(t *testing.T) {
	const seconds = 1. / 60
	own := collide.Vec3{Y: -9.81}
	for _, c := range []struct {
		name       string
		v, w, a, b collide.Vec3
		t          float64
	}{
		{
			"a velocity that is half of what the acceleration adds in the step",
			collide.Vec3{X: 0.00665, Y: -0.0018},
			collide.Vec3{X: -0.0409, Y: 0.0111},
			collide.Vec3{X: 0.425, Y: -0.115},
			collide.Vec3{X: -3.01, Y: 0.816},
			0,
		},
		{
			"late in the step",
			collide.Vec3{X: -0.01},
			collide.Vec3{X: 0.02, Y: 0.01},
			collide.Vec3{},
			collide.Vec3{X: -3, Y: -1},
			0.015,
		},
		{
			"upwards without an acceleration",
			collide.Vec3{X: 0.01},
			collide.Vec3{Y: 0.01},
			collide.Vec3{},
			collide.Vec3{},
			0.002,
		},
	} {
		var s Space
		s.Seconds, s.flags, s.accelerations = seconds, []flags{accelerated}, []collide.Vec3{c.b}
		s.infos = []bodyInfo{{slideContacts: -1}}
		energyAtEnd := func(v, a collide.Vec3) float64 {
			return v.AddScaled(seconds/2, a).LengthSquared()/2 - (seconds-c.t)*own.Dot(v)
		}
		got := s.limitSlideEnergy(0, c.v, c.w, c.a, own, c.t)
		if got == c.w {
			t.Errorf("%s: the velocity has not been limited", c.name)
		}
		now, before := s.velocityFrom(0, got, c.t).Length(), c.w.AddScaled(c.t-seconds/2, c.b).Length()
		if now > before {
			t.Errorf("%s: limited to %v m/s at the time of the impact, want at most %v m/s", c.name, now, before)
		}
		after, limit := energyAtEnd(got, s.accelerations[0]), max(0, energyAtEnd(c.v, c.a))
		if after > limit+1e-15 {
			t.Errorf("%s: energy of %v J at the end of the step, want at most %v J", c.name, after, limit)
		}
	}
}
