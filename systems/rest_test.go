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

// A ball dropped from height h bounces for sqrt(2h/g)·(1+e)/(1-e) and then rests.
func TestBouncingBallRestsAfterTheSumOfItsBounces(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const h = 2.0
	for _, e := range []float64{0, 0.2, 0.5, 0.8} {
		for _, dt := range []float64{tick, tick / 4} {
			threshold := 2 * earth * dt
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			b := ball(w, vec(0, 0.5+h, 0), vec(0, 0, 0), 0.5, bouncy(e))
			p := systems.NewPhysics(systems.Config{
				Gravity: vec(0, -earth, 0), StepSeconds: dt,
				RestitutionThreshold: threshold,
			})
			rest := 0.0
			for step := 1; float64(step)*dt < 10; step++ {
				steps(t, w, p, 1)
				if velocity(b).Length() > 0 {
					rest = float64(step+1) * dt
				}
			}
			want := math.Sqrt(2*h/earth) * (1 + e) / (1 - e)
			// The bounces below the threshold u would take at most another 2eu/(g(1-e)). In
			// addition, an impact is up to offChord/v too early, and its speed v is up to
			// g·offChord/v too small, which shortens the later bounces by 2e/(g(1-e)) times that.
			// 1/v is at most 1/u for the last bounce and smaller by a factor e for each earlier
			// one, so the sum is at most 1/(1-e) times the last one's. Finally, rest is observed at
			// the end of a step.
			off := earth * dt * dt / 8
			early := 2*e*threshold/(earth*(1-e)) + off/threshold*(1+2*e/(1-e))/(1-e)
			if rest < want-early || rest > want+dt+off/threshold/(1-e) {
				t.Errorf("restitution %v, steps of %v s: rests after %v s, want %v, at most %v earlier", e, dt, rest,
					want, early)
			}
			t.Logf("restitution %v, steps of %.4f s: rests after %.4f s, of %.4f, bound %.4f", e, dt, rest, want, early)
			expectOn(t, fmt.Sprint("restitution ", e), b, vec(0, 0.5, 0), vec(0, 1, 0), 1e-12)
			expectUnchanged(t, w, p, 60, b)
		}
	}
}

// column creates a stack of touching balls with these masses on the floor.
func column(w donburi.World, radius float64, masses ...float64) (balls []*donburi.Entry) {
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	for k, m := range masses {
		balls = append(balls, ball(w, vec(0, radius*float64(2*k+1), 0), vec(0, 0, 0), radius,
			components.BodyData{Mass: m}))
	}
	return balls
}

// A straight column is in equilibrium. Nothing pushes it sideways, as no coordinate is rounded.
func TestColumnsOfDifferentMassesDoNotMove(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
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
				// If the radius isn't a power of two, neighbours may overlap or have a gap of one
				// rounding error.
				for k, b := range balls {
					expectPosition(t, fmt.Sprint("ball ", k), b, vec(0, radius*float64(2*k+1), 0),
						1e-9*radius+restGap*float64(k+1))
				}
				expectRest(t, w, p, balls, 10)
			})
		}
	}
}

// Tall columns whose masses differ by up to 1000 come to rest, although the weight of each ball
// reaches the floor only through all those below it.
func TestTallColumnsOfDifferentMassesComeToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, c := range []struct {
		name   string
		radius float64
		n      int
		mass   func(k int) float64
	}{
		{"1 and 1000 kg in turn", 0.5, 50, func(k int) float64 { return 1 + 999*float64(k%2) }},
		{"1 and 5 kg in turn", 0.5, 50, func(k int) float64 { return 1 + 4*float64(k%2) }},
		{"1000 kg on 49 balls of 1 kg", 0.5, 50, func(k int) float64 { return 1 + 999*float64(k/49) }},
		{"a hundred of 1 and 100 kg in turn", 0.5, 100, func(k int) float64 { return 1 + 99*float64(k%2) }},
		{"small, 1 kg each", 0.1, 50, func(int) float64 { return 1 }},
		{"small, 1 and 1000 kg in turn", 0.1, 50, func(k int) float64 { return 1 + 999*float64(k%2) }},
		{"small, 1000 kg on 49 balls of 1 kg", 0.1, 50, func(k int) float64 { return 1 + 999*float64(k/49) }},
		{"small, 1 and 10,000 kg in turn", 0.1, 50, func(k int) float64 { return 1 + 9999*float64(k%2) }},
		{"tiny, 1000 kg on 49 balls of 1 kg", 0.01, 50, func(k int) float64 { return 1 + 999*float64(k/49) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			radius := c.radius
			var masses []float64
			for k := range c.n {
				masses = append(masses, c.mass(k))
			}
			w := donburi.NewWorld()
			balls := column(w, radius, masses...)
			p := onEarth()
			steps(t, w, p, 600)
			for k, b := range balls {
				want := vec(0, radius*float64(2*k+1), 0)
				expectPosition(t, fmt.Sprint("ball ", k), b, want, 1e-9*radius+restGap*float64(k+1))
				if v := velocity(b); v != vec(0, 0, 0) {
					t.Errorf("ball %d moves at %v", k, v)
				}
			}
			if p.Stats().Asleep != c.n {
				t.Errorf("%d balls sleep, want %d", p.Stats().Asleep, c.n)
			}
		})
	}
}

// A column that falls to the floor, as a whole or ball by ball, stands like one that was built
// there.
func TestDroppedStackStands(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
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
				expectRest(t, w, p, balls, 10)
			})
		}
	}
}

// bin creates four walls and a floor at y = 0.
func bin(w donburi.World, half float64, more ...any) (walls []*donburi.Entry) {
	for _, n := range []collide.Vec3{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}} {
		walls = append(walls, wall(w, n.Scale(-half), n, more...))
	}
	return append(walls, wall(w, vec(0, 0, 0), vec(0, 1, 0), more...))
}

// pyramid creates a square of side by side balls of radius 0.5 on a floor between four walls, a
// smaller square in its dimples, and so on. The walls leave space for one gap between any two balls
// of a row.
func pyramid(w donburi.World, side int, room float64, more ...any) (balls []*donburi.Entry) {
	bin(w, float64(side)/2+float64(side+1)*room/2, more...) // space for the gaps of persistent contacts
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

func TestPyramidStands(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	w := donburi.NewWorld()
	balls := pyramid(w, 5, room)
	home := states(balls)
	p := onEarth()
	steps(t, w, p, 60)
	for k, b := range balls {
		// The initial positions have rounding errors.
		expectPosition(t, fmt.Sprint("ball ", k), b, home[2*k], 1e-6+5*room)
	}
	expectRest(t, w, p, balls, 10)
}

func TestBallDroppedOnAStackComesToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, m := range []float64{0.1, 1, 10} {
		for _, e := range []float64{0, 0.3} {
			t.Run(fmt.Sprintf("%v kg, restitution %v", m, e), func(t *testing.T) {
				w := donburi.NewWorld()
				balls := column(w, 0.5, 1, 1, 1, 1, 1)
				p := onEarth()
				steps(t, w, p, 30)
				balls = append(balls, ball(w, vec(0, 7.5, 0), vec(0, 0, 0), 0.5, bouncy(e),
					components.BodyData{Mass: m}))
				steps(t, w, p, 420)
				for k, b := range balls {
					expectPosition(t, fmt.Sprint("ball ", k), b, vec(0, 0.5+float64(k), 0), 1e-6+restGap*float64(k+1))
				}
				expectRest(t, w, p, balls, 10)
			})
		}
	}
}

// A ball in a dimple of a bed of balls has a thousand times the mass of the others, or a
// thousandth.
func TestBedSupportsMuchHeavierOrLighterBalls(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, c := range []struct {
		side     int // of the bed, in balls
		bed, top float64
	}{{4, 1, 1000}, {4, 1000, 1}, {4, 1, 1}, {4, 0.01, 10}, {8, 1, 1000}, {12, 1, 1000}} {
		for _, friction := range []float64{0, 0.5} {
			name := fmt.Sprintf("%v kg on %d² of %v kg, friction %v", c.top, c.side, c.bed, friction)
			t.Run(name, func(t *testing.T) {
				w := donburi.NewWorld()
				rough := rough(friction)
				half := float64(c.side) / 2
				bin(w, half+2.5*restGap, rough)
				var balls []*donburi.Entry
				for k := range c.side * c.side {
					at := vec(float64(k%c.side)-half+0.5, 0.5, float64(k/c.side)-half+0.5)
					balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, components.BodyData{Mass: c.bed}, rough))
				}
				pairs := c.side / 2
				above := func(k int, y float64) collide.Vec3 {
					return vec(float64(k%pairs)*2-half+1, y, float64(k/pairs)*2-half+1)
				}
				for k := range pairs * pairs { // slightly above every other dimple
					at := above(k, 1.25)
					balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, components.BodyData{Mass: c.top}, rough))
				}
				p := onEarth()
				steps(t, w, p, 300)
				for k, b := range balls[c.side*c.side:] {
					want := above(k, 0.5+math.Sqrt2/2)
					expectPosition(t, fmt.Sprint("top ", k), b, want, 1e-6+4*restGap)
				}
				expectRest(t, w, p, balls, 10)
			})
		}
	}
}

// heap creates a bin and above its floor a small disordered heap of balls of about 1 kg with
// different sizes.
func heap(w donburi.World, n int, seed uint64, more ...any) (balls []*donburi.Entry) {
	return heapInBin(w, n, seed, more, more...)
}

// heapInBin is heap with other components for the walls than for the balls.
func heapInBin(w donburi.World, n int, seed uint64, walls []any, more ...any) (balls []*donburi.Entry) {
	r := rand.New(rand.NewPCG(seed, 30))
	side := max(2, int(math.Ceil(math.Cbrt(float64(n)))))
	bin(w, float64(side)*0.4, walls...)
	for k := range n {
		shift := func() float64 { return (r.Float64() - 0.5) * 0.1 }
		x := (float64(k%side)-float64(side-1)/2)*0.75 + shift()
		z := (float64(k/side%side)-float64(side-1)/2)*0.75 + shift()
		y := 0.4 + 0.75*float64(k/side/side) + shift()
		radius := 0.2 + 0.1*r.Float64()
		balls = append(balls, ball(w, vec(x, y, z), vec(0, 0, 0), radius,
			append([]any{components.BodyData{Mass: radius * radius * radius * 64}}, more...)...))
	}
	return balls
}

func TestSmallHeapsComeToRest(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, e := range []float64{0, 0.5} {
		for seed := range uint64(slow.Cases(5)) {
			t.Run(fmt.Sprintf("restitution %v, seed %d", e, seed), func(t *testing.T) {
				w := donburi.NewWorld()
				balls := heap(w, 30, seed, bouncy(e))
				p := onEarth()
				steps(t, w, p, 1800) // no friction: 30 s
				expectRest(t, w, p, balls, 10)
			})
		}
	}
}

// expectInside fails if the centre of a ball is behind a wall.
func expectInside(t *testing.T, balls, walls []*donburi.Entry) {
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

// closedBin creates a bin with a lid, whose walls can move, and balls in it.
func closedBin(w donburi.World, n int, seed uint64, more ...any) (balls, walls []*donburi.Entry) {
	balls = heapInBin(w, n, seed, append([]any{moving(0, 0, 0)}, more...), more...)
	wall(w, vec(0, 3.5, 0), vec(0, -1, 0), append([]any{moving(0, 0, 0)}, more...)...)
	newOverlapChecker().walls.Each(w, func(e *donburi.Entry) { walls = append(walls, e) })
	return balls, walls
}

// A bin is shaken for eight seconds by the velocities of its walls. Then its contents come to rest.
func TestBallsStayInAShakenBin(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(slow.Cases(3)) {
			w := donburi.NewWorld()
			balls, walls := closedBin(w, 30, seed, bouncy(0.3), rough(mu))
			home := make([]collide.Vec3, len(walls))
			for k, e := range walls {
				home[k] = position(e)
			}
			p := onEarth()
			for step := range slow.Steps(480) {
				s := float64(step+1) * tick
				to := vec(0.2*math.Sin(8*s), 0.1*math.Sin(11*s), 0.2*math.Sin(7*s))
				for k, e := range walls { // towards its nominal position, also after it was stopped
					components.Velocity.SetValue(e, components.VelocityData{
						Linear: home[k].Add(to).Sub(position(e)).Scale(1 / tick),
					})
				}
				steps(t, w, p, 1)
				expectInside(t, balls, walls)
			}
			for _, e := range walls {
				components.Velocity.SetValue(e, moving(0, 0, 0))
			}
			steps(t, w, p, 1200)
			expectInside(t, balls, walls)
			expectRest(t, w, p, balls, 5)
		}
	}
}

// A box of polygons, which have edges, is shaken.
func TestBallsStayInAShakenBoxOfPolygons(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, mu := range []float64{0, 0.4} {
		for seed := range uint64(slow.Cases(3)) {
			w := donburi.NewWorld()
			const half, high = 1.6, 3.5
			corner := func(k int) collide.Vec3 {
				return vec(half*float64(k&1*2-1), high*float64(k>>1&1), half*float64(k>>2&1*2-1))
			}
			var faces []*donburi.Entry
			for _, f := range [][4]int{
				{0, 1, 3, 2},
				{4, 6, 7, 5},
				{0, 2, 6, 4},
				{1, 5, 7, 3},
				{0, 4, 5, 1},
				{2, 3, 7, 6},
			} {
				face := components.CreatePolygon(w, []collide.Vec3{
					corner(f[0]), corner(f[1]), corner(f[2]),
					corner(f[3]),
				}, components.Velocity, components.Material)
				components.Material.Get(face).Friction = mu
				faces = append(faces, face)
			}
			other := donburi.NewWorld() // the balls without the bin
			var balls []*donburi.Entry
			for _, b := range heapInBin(other, 30, seed, nil) {
				balls = append(balls, ball(w, position(b), vec(0, 0, 0), components.SphereCollider.Get(b).Radius,
					components.BodyData{Mass: mass(b)}, rough(mu), bouncy(0.3)))
			}
			p := onEarth()
			for step := range slow.Steps(480) {
				s := float64(step+1) * tick
				to := vec(0.2*math.Sin(8*s), 0.1*math.Sin(11*s), 0.2*math.Sin(7*s))
				for _, e := range faces { // towards its nominal position, also after it was stopped
					components.Velocity.SetValue(e, components.VelocityData{
						Linear: to.Sub(position(e)).Scale(1 / tick),
					})
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
							t.Fatalf("friction %v, seed %d, step %d: ball %d is %v behind face %d, %+v", mu, seed,
								step, i, -d, k, p.Stats())
						}
					}
				}
			}
			for _, e := range faces {
				components.Velocity.SetValue(e, moving(0, 0, 0))
			}
			steps(t, w, p, 1200)
			expectRest(t, w, p, balls, 5)
		}
	}
}

func TestGlidingColumnKeepsItsSpeed(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	// A column glides over the floor. Supporting the balls above must not slow a ball down or spend
	// its budget.
	for _, mass := range []float64{1, 5, 0.2} {
		for _, slide := range []bool{false, true} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), vec(0, 1, 0))
			var column []*donburi.Entry
			for k := range 5 {
				b := ball(w, vec(0, 10+20*float64(k), 0), vec(100, 0, 0), 10,
					components.BodyData{Mass: math.Pow(mass, float64(k))})
				if slide {
					b.AddComponent(components.Sliding)
				}
				column = append(column, b)
			}
			p := systems.NewPhysics(systems.Config{Gravity: vec(0, -900, 0)})
			spent := 0
			for range 120 {
				p.Step(w)
				spent += p.Stats().Jammed
			}
			expectNoErrors(t, p)
			for k, b := range column {
				x, v := components.Transform.Get(b).Position, components.Velocity.Get(b).Linear
				// Balls in contact separate by up to 2^-9 of a radius each, at 1e-5 m/s at most. A
				// metre is 92 units here, as gravity shows.
				gap := x.Y - 10 - 20*float64(k)
				if x.Distance(vec(200, x.Y, 0)) > 1e-6 || gap < -1e-6 || gap > 1e-6+0x1p-9*10*float64(k+1) ||
					v.Distance(vec(100, v.Y, 0)) > 1e-6 || math.Abs(v.Y) > 1e-5*92 {
					t.Errorf("mass ratio %v, slide %v: ball %d is at %v and moves at %v", mass, slide, k, x, v)
				}
			}
			if spent > 0 {
				t.Errorf("mass ratio %v, slide %v: %d bodies jammed", mass, slide, spent)
			}
		}
	}
}

func TestCharacterOnTilesKeepsGroundContact(t *testing.T) {
	for _, speed := range []float64{1, 137.3, 1000} {
		w := donburi.NewWorld()
		for k := range 120 {
			x := float64(k) * 16
			components.CreatePolygon(w, []collide.Vec3{
				{X: x, Z: 50},
				{X: x + 16, Z: 50},
				{X: x + 16, Z: -50},
				{X: x, Z: -50},
			})
		}
		hero := ball(w, vec(8, 12, 0), vec(speed, 0, 0), 12, components.SlidingData{})
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -900, 0)})
		p.Step(w)
		open := map[donburi.Entity]int{}
		for step := range int(1500/speed*60) % 1000 {
			for range p.Touching(hero.Entity()) {
				open[hero.Entity()]++
			}
			if open[hero.Entity()] == 0 {
				t.Fatalf("speed %v: no ground after step %d", speed, step)
			}
			open[hero.Entity()] = 0
			p.Step(w)
			if v := components.Velocity.Get(hero).Linear; v.Distance(vec(speed, 0, 0)) > 1e-9*speed {
				t.Fatalf("speed %v: moves at %v after step %d", speed, v, step)
			}
		}
	}
}

func TestSeparationDoesNotDependOnTheOrderOfBodies(t *testing.T) {
	run := func(order []int) (at [3]collide.Vec3) {
		w := donburi.NewWorld()
		var entries [3]*donburi.Entry
		for _, k := range order {
			entries[k] = ball(w, vec(1, 2, 0), vec(0, 0, 0), 1+float64(k%2), components.BodyData{Mass: float64(k + 1)})
		}
		p := systems.NewPhysics(systems.Config{})
		for range 60 {
			p.Step(w)
		}
		for k, e := range entries {
			at[k] = components.Transform.Get(e).Position
		}
		return at
	}
	want := run([]int{0, 1, 2})
	if want[0] == want[1] || want[1] == want[2] {
		t.Errorf("they don't part: %v", want)
	}
	for _, order := range [][]int{{2, 1, 0}, {1, 0, 2}, {1, 2, 0}} {
		if got := run(order); got != want {
			t.Errorf("created in the order %v: got %v, want %v", order, got, want)
		}
	}
}

func TestTeleportedBodyHitsNothingOnTheWay(t *testing.T) {
	w := donburi.NewWorld()
	b := ball(w, vec(0, 0, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{})
	p.Step(w)
	p.Advance(w, 1.5/60)
	components.Transform.Get(b).Position = vec(1000, 0, 0)
	p.Sync(w)
	if got, ok := p.Interpolated(b.Entity()); !ok || got.Position != vec(1000, 0, 0) {
		t.Errorf("got %v, %v, want where it was put", got, ok)
	}
}

func TestCrushedBallIsNotLaunched(t *testing.T) {
	// A press comes down on a ball on the floor.
	w := donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	spawn(w, at(0, 2, 0), moving(0, -0.1, 0), plane(0, -1, 0))
	under := ball(w, vec(0, 1, 0), vec(0, 0, 0), 1)
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0)})
	for step := range 30 {
		p.Step(w)
		if p.Stats().Blocked == 0 {
			t.Fatalf("step %d: nothing blocks the press", step)
		}
		if v, x := components.Velocity.Get(under).Linear,
			components.Transform.Get(under).Position; v.Length() > 1e-12 || x.Distance(vec(0, 1, 0)) > 1e-12 {
			t.Fatalf("step %d: the ball is at %v and moves at %v", step, x, v)
		}
	}
}

// A character that keeps pushing against a wall is stopped in each step, which Velocity shows,
// however the systems are run.
func TestBodyThatPushesAgainstAWallIsStoppedInEveryStep(t *testing.T) {
	for _, how := range []string{"Step", "one by one"} {
		t.Run(how, func(t *testing.T) {
			w := donburi.NewWorld()
			p := systems.NewPhysics(systems.Config{})
			e := newECS(w)
			player := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, components.SlidingData{})
			wall(w, vec(1, 0, 0), vec(-1, 0, 0))
			for k := range 60 {
				components.Velocity.Get(player).Linear = vec(3, 0, 0)
				if how == "Step" {
					p.Step(w)
				} else {
					p.Broadphase(e)
					p.Sweep(e)
					p.Response(e)
				}
				if v := velocity(player); k > 12 && v != (collide.Vec3{}) {
					t.Fatalf("step %d: velocity %v at %v", k, v, position(player))
				}
			}
			expectPosition(t, "the player", player, vec(0.5, 0, 0), 1e-9)
		})
	}
}

// A stack of two that lost its floor fell by g·dt·t/2 too far in t: it moved at the velocity of the
// end of each step, like one that lies on something.
func TestAStackThatLosesItsFloorFallsLikeABody(t *testing.T) {
	const g = 10.0
	for _, rate := range []int{30, 60, 240} {
		for _, n := range []int{2, 3, 5} {
			for _, parabolic := range []bool{false, true} {
				for _, crates := range []bool{false, true} {
					w := donburi.NewWorld()
					dt := 1 / float64(rate)
					p := systems.NewPhysics(systems.Config{
						Gravity: vec(0, -g, 0), StepSeconds: dt, Parabolic: parabolic,
					})
					floor := components.CreateBox(w, vec(0, -1, 0), vec(5, 0.5, 1))
					bodies := make([]*donburi.Entry, n)
					for k := range bodies {
						at := vec(0, float64(k), 0)
						if crates {
							bodies[k] = components.CreateCrate(w, at, vec(0.5, 0.5, 0.5))
						} else {
							bodies[k] = components.CreateBall(w, at, 0.5)
						}
					}
					for range rate {
						p.Step(w)
					}
					w.Remove(floor.Entity())
					start := make([]collide.Vec3, n)
					for k, e := range bodies {
						start[k] = position(e)
					}
					for range rate {
						p.Step(w)
					}
					expectNoErrors(t, p)
					for k, e := range bodies { // the gap between two may still open
						name := fmt.Sprintf("%d Hz, %d bodies, parabolic %v, crates %v: body %d",
							rate, n, parabolic, crates, k)
						expectPosition(t, name, e, start[k].Add(vec(0, -g/2, 0)), 0.002*float64(n))
						expectVelocity(t, name, e, vec(0, -g, 0), 0.02)
					}
				}
			}
		}
	}
}

// Two bodies that forces press together stay where they are, and don't move apart and back.
func TestTwoThatForcesPressTogetherStay(t *testing.T) {
	w := donburi.NewWorld()
	p := systems.NewPhysics(systems.Config{})
	var bodies [2]*donburi.Entry
	for k := range bodies {
		x := 0.5 - float64(k)
		bodies[k] = components.CreateBall(w, vec(x, 0, 0), 0.5, components.Force)
		components.Force.Get(bodies[k]).Force = vec(-20*x, 0, 0)
	}
	for range 120 {
		p.Step(w)
		for k, e := range bodies {
			expectPosition(t, "a body", e, vec(0.5-float64(k), 0, 0), 0.001)
			expectVelocity(t, "a body", e, vec(0, 0, 0), 0.01)
		}
	}
}
