package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// A ball dropped from h bounces for sqrt(2h/g)·(1+e)/(1-e) and then lies still.
func TestABouncingBallRestsWhenItsBouncesAddUp(t *testing.T) {
	const h = 2.0
	for _, e := range []float64{0, 0.2, 0.5, 0.8} {
		for _, dt := range []float64{tick, tick / 4} {
			threshold := 2 * earth * dt
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			b := ball(w, vec(0, 0.5+h, 0), vec(0, 0, 0), 0.5, bouncy(e))
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -earth, 0), StepSeconds: dt, RestitutionThreshold: threshold})
			rest := 0.0
			for step := 1; float64(step)*dt < 10; step++ {
				steps(t, w, p, 1)
				if velocity(b).Length() > 0 {
					rest = float64(step+1) * dt
				}
			}
			want := math.Sqrt(2*h/earth) * (1 + e) / (1 - e)
			// The bounces that the threshold leaves out would have taken 2eu/(g(1-e)), where u is the threshold at most: that much too early. Beyond it,
			// an impact comes up to offChord/v too early, and its speed v is up to g·offChord/v too small, which costs the later bounces 2e/(g(1-e)) as
			// long. 1/v is at most 1/u for the last bounce and e times less for each before, so all of them together are at most 1/(1-e) times the last one's. Last,
			// rest is seen at the end of a step.
			off := earth * dt * dt / 8
			early := 2*e*threshold/(earth*(1-e)) + off/threshold*(1+2*e/(1-e))/(1-e)
			if rest < want-early || rest > want+dt+off/threshold/(1-e) {
				t.Errorf("restitution %v, steps of %v s: rests after %v s, want %v, at most %v earlier", e, dt, rest, want, early)
			}
			t.Logf("restitution %v, steps of %.4f s: rests after %.4f s, of %.4f, bound %.4f", e, dt, rest, want, early)
			expectOn(t, fmt.Sprint("restitution ", e), b, vec(0, 0.5, 0), vec(0, 1, 0), 1e-12)
			staysToTheBit(t, w, p, 60, b)
		}
	}
}

// column stacks balls of these masses on the floor, each touching the next.
func column(w donburi.World, radius float64, masses ...float64) (balls []*donburi.Entry) {
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	for k, m := range masses {
		balls = append(balls, ball(w, vec(0, radius*float64(2*k+1), 0), vec(0, 0, 0), radius, components.BodyData{Mass: m}))
	}
	return balls
}

// A column straight on top of itself is an equilibrium, and nothing pushes it aside: no digit is rounded.
func TestColumnsOfAllMassesStandStill(t *testing.T) {
	twenty := make([]float64, 20)
	rising, falling := make([]float64, 7), make([]float64, 7)
	for k := range twenty {
		twenty[k] = 1
	}
	for k := range rising {
		rising[k], falling[k] = math.Pow(10, float64(k)/2), math.Pow(10, -float64(k)/2)
	}
	for _, c := range []struct {
		name   string
		masses []float64
	}{
		{"1000 kg on 1 kg", []float64{1, 1000}},
		{"1 kg on 1000 kg", []float64{1000, 1}},
		{"1 kg between 1000 kg", []float64{1000, 1, 1000}},
		{"1000 kg between 1 kg", []float64{1, 1000, 1}},
		{"masses that grow upwards, 1 to 1000", rising},
		{"masses that shrink upwards, 1 to 1/1000", falling},
		{"a stack of twenty", twenty},
	} {
		for _, radius := range []float64{0.5, 0.1} {
			t.Run(fmt.Sprint(c.name, ", radius ", radius), func(t *testing.T) {
				w := donburi.NewWorld()
				balls := column(w, radius, c.masses...)
				p := onEarth()
				steps(t, w, p, 60)
				// Where a radius isn't a round number, neighbours may overlap by a rounding, or lack one, and close it.
				for k, b := range balls {
					expectPosition(t, fmt.Sprint("ball ", k), b, vec(0, radius*float64(2*k+1), 0), 1e-9*radius+restGap*float64(k+1))
				}
				rests(t, w, p, balls, 10)
			})
		}
	}
}

// A column that falls onto the floor in one piece, or piece by piece, stands like one that was built.
func TestAStackThatIsDroppedStands(t *testing.T) {
	for _, gap := range []float64{0, 0.05} {
		for _, e := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("gaps of %v, restitution %v", gap, e), func(t *testing.T) {
				w := donburi.NewWorld()
				wall(w, vec(0, 0, 0), vec(0, 1, 0))
				var balls []*donburi.Entry
				for k := range 20 {
					balls = append(balls, ball(w, vec(0, 0.6+float64(k)*(1+gap), 0), vec(0, 0, 0), 0.5, bouncy(e)))
				}
				p := onEarth()
				steps(t, w, p, 480)
				for k, b := range balls {
					expectPosition(t, fmt.Sprint("ball ", k), b, vec(0, 0.5+float64(k), 0), 1e-6+restGap*float64(k+1))
				}
				rests(t, w, p, balls, 10)
			})
		}
	}
}

// bin is four walls and a floor; its floor is y = 0.
func bin(w donburi.World, half float64, more ...any) (walls []*donburi.Entry) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		walls = append(walls, wall(w, n.Scale(-half), n, more...))
	}
	return append(walls, wall(w, vec(0, 0, 0), vec(0, 1, 0), more...))
}

// pyramid is balls of radius 0.5 in a square of side by side, on a floor between four walls that hold it together, with a smaller square in its dimples, and so
// on. The walls leave so much room for each gap in a row.
func pyramid(w donburi.World, side int, room float64, more ...any) (balls []*donburi.Entry) {
	bin(w, float64(side)/2+float64(side+1)*room/2, more...) // the gaps that rest leaves
	for layer := range side {
		n := side - layer
		for i := range n {
			for j := range n {
				at := vec(float64(i)-float64(n-1)/2, 0.5+float64(layer)*math.Sqrt2/2, float64(j)-float64(n-1)/2)
				balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, more...))
			}
		}
	}
	return balls
}

func TestAPyramidStands(t *testing.T) {
	w := donburi.NewWorld()
	balls := pyramid(w, 5, room)
	home := states(balls)
	p := onEarth()
	steps(t, w, p, 60)
	for k, b := range balls {
		expectPosition(t, fmt.Sprint("ball ", k), b, home[2*k], 1e-6+5*room) // it was built to rounding
	}
	rests(t, w, p, balls, 10)
}

func TestABallDroppedOnAStackComesToRestOnIt(t *testing.T) {
	for _, m := range []float64{0.1, 1, 10} {
		for _, e := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%v kg, restitution %v", m, e), func(t *testing.T) {
				w := donburi.NewWorld()
				balls := column(w, 0.5, 1, 1, 1, 1, 1)
				p := onEarth()
				steps(t, w, p, 30)
				balls = append(balls, ball(w, vec(0, 7.5, 0), vec(0, 0, 0), 0.5, bouncy(e), components.BodyData{Mass: m}))
				steps(t, w, p, 420)
				for k, b := range balls {
					expectPosition(t, fmt.Sprint("ball ", k), b, vec(0, 0.5+float64(k), 0), 1e-6+restGap*float64(k+1))
				}
				rests(t, w, p, balls, 10)
			})
		}
	}
}

// A thousand times as heavy as what it lies on, or a thousandth: a ball in the dimple of a bed of others.
func TestBedsCarryWhatIsMuchHeavierOrLighter(t *testing.T) {
	slow.Skip(t, slow.Sequential, "one goroutine, and TestSameBitsEverywhere compares the bits")
	for _, c := range []struct{ bed, top float64 }{{1, 1000}, {1000, 1}, {1, 1}, {0.01, 10}} {
		for _, friction := range []float64{0, 0.5} {
			t.Run(fmt.Sprintf("%v kg on %v kg, friction %v", c.top, c.bed, friction), func(t *testing.T) {
				w := donburi.NewWorld()
				rough := rough(friction)
				bin(w, 2+2.5*restGap, rough)
				var balls []*donburi.Entry
				for k := range 16 {
					at := vec(float64(k%4)-1.5, 0.5, float64(k/4)-1.5)
					balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, components.BodyData{Mass: c.bed}, rough))
				}
				for k := range 4 { // in the dimples beside the middle, a little above, so that they fall into them
					at := vec(float64(k%2)*2-1, 1.25, float64(k/2)*2-1)
					balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, components.BodyData{Mass: c.top}, rough))
				}
				p := onEarth()
				steps(t, w, p, 300)
				for k, b := range balls[16:] {
					want := vec(float64(k%2)*2-1, 0.5+math.Sqrt2/2, float64(k/2)*2-1)
					expectPosition(t, fmt.Sprint("top ", k), b, want, 1e-6+4*restGap)
				}
				rests(t, w, p, balls, 10)
			})
		}
	}
}

// poured is a bin with a small disordered heap of balls of about a kilogram, each of a size of its own, above its floor.
func poured(w donburi.World, n int, seed uint64, more ...any) (balls []*donburi.Entry) {
	return pouredInto(w, n, seed, more, more...)
}

// pouredInto is poured where the walls have other components than the balls.
func pouredInto(w donburi.World, n int, seed uint64, walls []any, more ...any) (balls []*donburi.Entry) {
	r := rand.New(rand.NewPCG(seed, 30))
	side := max(2, int(math.Ceil(math.Cbrt(float64(n)))))
	bin(w, float64(side)*0.4, walls...)
	for k := range n {
		shift := func() float64 { return (r.Float64() - 0.5) * 0.1 }
		x := (float64(k%side)-float64(side-1)/2)*0.75 + shift()
		z := (float64(k/side%side)-float64(side-1)/2)*0.75 + shift()
		y := 0.4 + 0.75*float64(k/side/side) + shift()
		radius := 0.2 + 0.1*r.Float64()
		balls = append(balls, ball(w, vec(x, y, z), vec(0, 0, 0), radius, append([]any{components.BodyData{Mass: radius * radius * radius * 64}}, more...)...))
	}
	return balls
}

func TestSmallHeapsComeToRest(t *testing.T) {
	for _, e := range []float64{0, 0.5} {
		for seed := range uint64(fewer(5)) {
			t.Run(fmt.Sprintf("restitution %v, seed %d", e, seed), func(t *testing.T) {
				w := donburi.NewWorld()
				balls := poured(w, 30, seed, bouncy(e))
				p := onEarth()
				steps(t, w, p, 1800) // no friction: 30 s
				rests(t, w, p, balls, 10)
			})
		}
	}
}

// bounds fails where a ball's centre is behind one of walls.
func bounds(t *testing.T, balls, walls []*donburi.Entry) {
	t.Helper()
	for k, b := range balls {
		for _, e := range walls {
			n := components.Transform.Get(e).Rotation.Rotate(components.PlaneCollider.Get(e).Normal)
			if n.Dot(position(b).Sub(position(e))) < 0 {
				t.Fatalf("ball %d at %v is behind a wall", k, position(b))
			}
		}
	}
}

// closedBin is a bin with a lid whose walls can move, and balls in it.
func closedBin(w donburi.World, n int, seed uint64, more ...any) (balls, walls []*donburi.Entry) {
	balls = pouredInto(w, n, seed, append([]any{moving(0, 0, 0)}, more...), more...)
	wall(w, vec(0, 3.5, 0), vec(0, -1, 0), append([]any{moving(0, 0, 0)}, more...)...)
	newJudge().walls.Each(w, func(e *donburi.Entry) { walls = append(walls, e) })
	return balls, walls
}

// A bin is shaken for eight seconds, by the velocities of its walls. Then what is in it comes to rest.
func TestAShakenBinLosesNothing(t *testing.T) {
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(fewer(3)) {
			w := donburi.NewWorld()
			balls, walls := closedBin(w, 30, seed, bouncy(0.3), rough(mu))
			home := make([]collide.Vec3, len(walls))
			for k, e := range walls {
				home[k] = position(e)
			}
			p := onEarth()
			for step := range fewer(480) {
				s := float64(step+1) * tick
				to := vec(0.2*math.Sin(8*s), 0.1*math.Sin(11*s), 0.2*math.Sin(7*s))
				for k, e := range walls { // each goes where it should be, also where it was stopped before
					components.Velocity.SetValue(e, components.VelocityData{Linear: home[k].Add(to).Sub(position(e)).Scale(1 / tick)})
				}
				steps(t, w, p, 1)
				bounds(t, balls, walls)
			}
			for _, e := range walls {
				components.Velocity.SetValue(e, moving(0, 0, 0))
			}
			steps(t, w, p, 1200)
			bounds(t, balls, walls)
			rests(t, w, p, balls, 5)
		}
	}
}

// A box of polygons, which have edges, is shaken.
func TestAShakenBoxOfPolygonsLosesNothing(t *testing.T) {
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(fewer(3)) {
			w := donburi.NewWorld()
			const half, high = 1.6, 3.5
			corner := func(k int) collide.Vec3 {
				return vec(half*float64(k&1*2-1), high*float64(k>>1&1), half*float64(k>>2&1*2-1))
			}
			var faces []*donburi.Entry
			for _, f := range [][4]int{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}} {
				face := components.CreatePolygon(w, []collide.Vec3{corner(f[0]), corner(f[1]), corner(f[2]), corner(f[3])}, components.Velocity, components.Material)
				components.Material.Get(face).Friction = mu
				faces = append(faces, face)
			}
			other := donburi.NewWorld() // the balls of a bin, without the bin
			var balls []*donburi.Entry
			for _, b := range pouredInto(other, 30, seed, nil) {
				balls = append(balls, ball(w, position(b), vec(0, 0, 0), components.SphereCollider.Get(b).Radius, components.BodyData{Mass: mass(b)}, rough(mu), bouncy(0.3)))
			}
			p := onEarth()
			for step := range fewer(480) {
				s := float64(step+1) * tick
				to := vec(0.2*math.Sin(8*s), 0.1*math.Sin(11*s), 0.2*math.Sin(7*s))
				for _, e := range faces { // each goes where it should be, also where it was stopped before
					components.Velocity.SetValue(e, components.VelocityData{Linear: to.Sub(position(e)).Scale(1 / tick)})
				}
				steps(t, w, p, 1)
				for k, e := range faces {
					shape, err := components.PolygonCollider.Get(e).Shape(components.TransformData{})
					if err != nil {
						t.Fatal(err)
					}
					front := shape.Plane()
					if d := front.Normal.Dot(vec(0, high/2, 0)) - front.Distance; d < 0 {
						front.Normal, front.Distance = front.Normal.Neg(), -front.Distance
					}
					for i, b := range balls {
						if d := front.Normal.Dot(position(b).Sub(position(e))) - front.Distance; d < 0 {
							t.Fatalf("friction %v, seed %d, step %d: ball %d is %v behind face %d, %+v", mu, seed, step, i, -d, k, p.Stats())
						}
					}
				}
			}
			for _, e := range faces {
				components.Velocity.SetValue(e, moving(0, 0, 0))
			}
			steps(t, w, p, 1200)
			rests(t, w, p, balls, 5)
		}
	}
}
