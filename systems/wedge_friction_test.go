package systems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// squeezed returns the largest speed that a body of half a width of 0.4 m gets between a slope at
// the given angle, on which it lies, and a press that comes down on it at 0.5 m/s, with these
// frictions.
func squeezed(
	t *testing.T, body func(w donburi.World) *donburi.Entry, round bool, degrees, onSlope, onPress float64,
) (fastest float64) {
	t.Helper()
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{Workers: 1})
	rough := func(e *donburi.Entry, friction float64) {
		m := components.MaterialData{Friction: friction, FrictionCombine: components.CombineMax}
		components.Material.SetValue(e, m)
	}
	angle := degrees * math.Pi / 180
	slope := components.CreatePlane(w, collide.Vec3{}, collide.Vec3{Y: 1}.Rotated2D(-angle), components.Material)
	rough(slope, onSlope)
	y := 0.4 + 0.4*math.Tan(angle) // a corner touches the slope
	if round {
		y = 0.4 / math.Cos(angle)
	}
	press := components.CreateBox(w, collide.Vec3{Y: y + 0.901}, collide.Vec3{X: 50, Y: 0.5, Z: 5},
		components.Velocity, components.Material)
	rough(press, onPress)
	components.Velocity.Get(press).Linear.Y = -0.5
	e := body(w)
	components.Transform.Get(e).Position = collide.Vec3{Y: y + 1e-9}
	rough(e, 0)
	for range 20 {
		if p.Step(w); p.Stats().Errors > 0 {
			t.Fatal(p.Errors())
		}
		fastest = max(fastest, components.Velocity.Get(e).Linear.Length())
	}
	return fastest
}

// A press shot away what lay under it on a slope of one degree, at 57 times its speed, though
// friction held it. Friction holds what can't rotate up to the sum of the angles of friction, and a
// ball that can rotate up to twice the smaller one.
func TestFrictionHoldsWhatIsSqueezedInAWedge(t *testing.T) {
	crate := func(w donburi.World) *donburi.Entry {
		return components.CreateCrate(w, collide.Vec3{}, collide.Vec3{X: 0.4, Y: 0.4, Z: 0.4})
	}
	sliding := func(w donburi.World) *donburi.Entry { return components.CreateBall(w, collide.Vec3{}, 0.4) }
	ball := func(w donburi.World) *donburi.Entry {
		return components.CreateBall(w, collide.Vec3{}, 0.4, components.AngularVelocity)
	}
	angle := func(friction float64) float64 { return math.Atan(friction) * 180 / math.Pi }
	for _, tt := range []struct {
		name             string
		body             func(w donburi.World) *donburi.Entry
		round            bool
		onSlope, onPress float64
		limit            float64 // degrees
	}{
		{"a crate", crate, false, 0.5, 0.5, 2 * angle(0.5)},
		{"a crate on a smoother slope", crate, false, 0.1, 0.3, angle(0.1) + angle(0.3)},
		{"a ball that doesn't rotate", sliding, true, 0.3, 0.1, angle(0.1) + angle(0.3)},
		{"a ball that rotates", ball, true, 0.3, 0.1, 2 * angle(0.1)},
		{"a ball that rotates, rough everywhere", ball, true, 0.2, 0.2, 2 * angle(0.2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, fraction := range []float64{0.02, 0.5, 0.98} {
				if got := squeezed(t, tt.body, tt.round, fraction*tt.limit, tt.onSlope, tt.onPress); got > 1e-9 {
					t.Errorf("at %.1f of %.1f degrees it gets %v m/s", fraction*tt.limit, tt.limit, got)
				}
			}
			degrees := 1.02 * tt.limit
			got := squeezed(t, tt.body, tt.round, degrees, tt.onSlope, tt.onPress)
			least := 0.5 / math.Sin(degrees*math.Pi/180)
			if got < least || got > 1.3*least {
				t.Errorf("at %.1f degrees, above %.1f, it gets %v m/s, want %v", degrees, tt.limit, got, least)
			}
		})
	}
}

// Circles between two pegs were held by friction, and pressed against both more in each step: their
// gaps were to open, which only presses them more. At 16,000 times the weight of the heap, the
// rounding of that made 50 impacts a step, and one heap in ten never came to rest.
func TestHeapsOnPegsComeToRest(t *testing.T) {
	for _, c := range []struct {
		seed     uint64
		friction float64
	}{{22, 0.3}, {24, 0.3}, {5, 0.6}, {21, 0.6}} {
		r := rand.New(rand.NewPCG(c.seed, 3))
		w, p := donburi.NewWorld(), onEarth()
		for x := -5.0; x <= 5; x += 0.5 {
			components.CreateThickWall2D(w, vec(x, -2, 0), vec(x, 0, 0), 0.2)
		}
		for _, x := range []float64{-5, 5} {
			components.CreateThickWall2D(w, vec(x, -3, 0), vec(x, 30, 0), 0.2)
		}
		const n = 60
		for k := range n {
			size := 0.15 + 0.2*r.Float64()
			b := components.CreateBall(w, vec(8*r.Float64()-4, 1+0.7*float64(k/10), 0), size)
			components.Material.SetValue(b, components.MaterialData{Restitution: 0.3, Friction: c.friction})
		}
		for range 900 { // some begin inside others
			p.Step(w)
		}
		if s := p.Stats(); s.Asleep != n || s.Impacts > 0 {
			t.Errorf("friction %v: %d of %d circles sleep after 15 s, %d impacts", c.friction, s.Asleep, n, s.Impacts)
		}
	}
}
