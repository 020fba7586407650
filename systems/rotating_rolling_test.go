package systems_test

import (
	"math"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// A ball that rolls on a turntable moves in a circle, at 2/7 of the angular velocity of the
// turntable and at constant speed (Routh, Dynamics of a System of Rigid Bodies, 1905). It lost 15 %
// of its speed in two seconds, in proportion to the length of a step: friction gave its lowest
// point the velocity of the surface where that had been carried to, and not where the ball had
// rolled to.
func TestABallThatRollsOnATurntableKeepsItsSpeed(t *testing.T) {
	const rate, size, seconds = 3.5, 0.2, 2
	shapes := map[string]collide.Shape{
		"box":      collide.Box{Half: vec(20, 1, 20)},
		"cylinder": collide.Cylinder{A: vec(0, -1, 0), B: vec(0, 1, 0), Radius: 20},
	}
	for name, shape := range shapes {
		w, p := donburi.NewWorld(), onEarth()
		spawn(w, at(0, -1, 0), moving(0, 0, 0), turning(0, rate, 0), components.ShapeColliderData{Shape: shape})
		from, velocityBefore := vec(1.3, size, 0.4), vec(1, 0, 0)
		slip := vec(0, rate, 0).Cross(vec(from.X, 0, from.Z)).Sub(velocityBefore)
		b := ball(w, from, velocityBefore, size, rough(3), turning(-slip.Z/size, 0, slip.X/size))
		steps(t, w, p, seconds*60)
		want := collide.RotationBy(vec(0, 2./7*rate*seconds, 0)).Rotate(velocityBefore)
		if got := velocity(b); got.Distance(want) > 0.01 || math.Abs(got.Length()-1) > 1e-3 {
			t.Errorf("%s: %v m/s, want %v", name, got, want)
		}
	}
}
