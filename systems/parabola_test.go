package systems_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

func TestAnElasticBallKeepsItsHeightOnAPlane(t *testing.T) {
	const g = 9.81
	for height, steps := range map[float64]int{
		20: 36_000, 5: 36_000, 1: 216_000, 0.5: 36_000, 1e-3: 36_000, 1e-6: 36_000, 1e-9: 600, 1e-12: 100,
	} {
		if slow.All() && height >= 1e-9 {
			steps = 216_000 // an hour
		}
		if testing.Short() {
			steps /= 60
		}
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(0, 1, 0), bouncy(1))
		b := ball(w, vec(0, 0.5+height, 0), vec(0, 0, 0), 0.5, bouncy(1))
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), Parabolic: true})
		impacts, worst := 0, 0.0
		for range steps {
			p.Step(w)
			impacts += p.Stats().Impacts
			risen := position(b).Y - 0.5 - height + velocity(b).LengthSquared()/(2*g)
			worst = max(worst, math.Abs(risen))
		}
		hop := 2 * math.Sqrt(2*height/g)
		if float64(impacts) < float64(steps)/60/hop-2 || worst > min(1e-12, 0.1*height) {
			t.Errorf("height %v: off by %v after %d impacts in %d steps", height, worst, impacts, steps)
		}
	}
}

// A plane with an AngularVelocity that stood still was met where the chord would meet it: a ball
// that bounced between two of them in steps of 1 s ended 0.16 m inside one.
func TestAPlaneThatCouldRotateIsMetByTheParabola(t *testing.T) {
	play := func(seconds, restitution float64, twoSided, rotatable bool) (path []components.TransformData) {
		w := donburi.NewWorld()
		for _, up := range []float64{1, -1} {
			plane := wall(w, vec(0, -2*up, 0), vec(0.01, up, 0), bouncy(restitution))
			components.PlaneCollider.Get(plane).TwoSided = twoSided
			if rotatable {
				plane.AddComponent(components.Velocity)
				plane.AddComponent(components.AngularVelocity)
			}
		}
		b := ball(w, vec(0, 0.3, 0), vec(0.1, 3, 0), 0.5, bouncy(restitution))
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Parabolic: true, StepSeconds: seconds})
		for range 300 {
			p.Step(w)
			path = append(path, *components.Transform.Get(b))
		}
		return path
	}
	for _, seconds := range []float64{1, 0.1, 1.0 / 60} {
		for _, restitution := range []float64{1, 0.7} {
			for _, twoSided := range []bool{false, true} {
				fixed := play(seconds, restitution, twoSided, false)
				for i, at := range play(seconds, restitution, twoSided, true) {
					if d := at.Position.Distance(fixed[i].Position); d > 1e-11 {
						t.Errorf("steps of %v s, restitution %v, two-sided %v: %v m off after %d steps",
							seconds, restitution, twoSided, d, i+1)
						break
					}
				}
			}
		}
	}
}

func TestAThrownBallMeetsACornerWhereTheClosedFormSays(t *testing.T) {
	const g = 9.81
	// A ball is thrown at the upper edge of a box and at one of its corners, and against a floor.
	for name, c := range map[string]struct {
		v, from collide.Vec3
		corner  collide.Vec3 // nearest point of the box
	}{
		"edge":   {vec(4, 1.8, 0), vec(-2, 0.3, 0), vec(0, 0, 0)},
		"corner": {vec(4, 1.8, 1.3), vec(-2, 0.3, 0.6), vec(0, 0, 1)},
	} {
		w := donburi.NewWorld()
		const r = 0.25
		spawn(w, at(1, -1, 0), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 1, 1)}}, bouncy(1))
		ball(w, c.from, c.v, r, bouncy(1))
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), Parabolic: true})
		for step := 0; ; step++ {
			p.Step(w)
			done := false
			for e := range p.Impacts() {
				got := float64(step)/60 + e.Time
				want := cornerTime(c.from.Sub(c.corner), c.v, vec(0, -g, 0), r, name == "edge")
				if math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: got %v, want %v, off by %v", name, got, want, got-want)
				}
				done = true
			}
			if done {
				break
			}
			if step > 200 {
				t.Fatalf("%s: no impact", name)
			}
		}
	}
}

// What does not bounce off a ceiling falls from the moment at which it has reached it, and doesn't
// stay there until the end of the step.
func TestWhatHitsACeilingFallsFromThereAtOnce(t *testing.T) {
	gravity := vec(0, -9.81, 0)
	for _, down := range []collide.Vec3{vec(0, -1, 0), vec(0.6, -0.8, 0), vec(-0.6, -0.8, 0)} {
		for _, more := range [][]any{nil, {components.SlidingData{}}} {
			w := donburi.NewWorld()
			wall(w, vec(0, 0, 0), down)
			const gap, r = 0.4, 0.25
			from, v := down.Scale(gap+r), vec(0.7, 4, 0.3)
			b := ball(w, from, v, r, more...)
			p := systems.NewPhysics(systems.Config{Gravity: gravity, Parabolic: true})
			// It hits the ceiling where the gap is a root of gap + speed·t + a·t²/2.
			speed, a := v.Dot(down), gravity.Dot(down)
			hits := (-speed - math.Sqrt(speed*speed-2*a*gap)) / a
			at, left := from.AddScaled(hits, v).AddScaled(hits*hits/2, gravity), v.AddScaled(hits, gravity)
			left = left.AddScaled(-left.Dot(down), down)
			for step := 1; step <= 20; step++ {
				steps(t, w, p, 1)
				since := float64(step)/60 - hits
				if since < 0 {
					continue
				}
				want := at.AddScaled(since, left).AddScaled(since*since/2, gravity)
				if off := position(b).Distance(want); off > 1e-9 {
					t.Fatalf("a ceiling with normal %v, sliding %v: %v s after it was hit, a ball is at %v, want %v",
						down, more != nil, since, position(b), want)
				}
				expectVelocity(t, "after the ceiling", b, left.AddScaled(since, gravity), 1e-9)
			}
		}
	}
}

// cornerTime returns when a thrown point is at distance r of the origin, or of the z axis.
func cornerTime(x, v, a collide.Vec3, r float64, axis bool) float64 {
	const bits = 200
	num := func(f float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(f) }
	gap := func(t *big.Float) int {
		sum := num(-r * r)
		for k := range 3 {
			if axis && k == 2 {
				continue
			}
			half := num(0).Mul(num(a.Component(k)/2), t)
			p := num(0).Add(num(v.Component(k)), half)
			p.Add(p.Mul(p, t), num(x.Component(k)))
			sum.Add(sum, p.Mul(p, p))
		}
		return sum.Sign()
	}
	t := num(0)
	for step := num(1.0 / 1024); step.Cmp(num(0x1p-60)) > 0; step.Quo(step, num(2)) {
		for gap(num(0).Add(t, step)) > 0 && t.Cmp(num(10)) < 0 {
			t.Add(t, step)
		}
	}
	f, _ := t.Float64()
	return f
}

func TestABallInABowlOfSpheresHasTheImpactsOfAnExactCalculation(t *testing.T) {
	const g, radius, ballRadius = 9.81, 20, 0.5
	from := vec(0.1, 0.5, 0.05) // too low to leave the bowl
	var centers []collide.Vec3
	w := donburi.NewWorld()
	for k := range 3 {
		angle := float64(k) * 2 * math.Pi / 3
		c := vec(10*math.Cos(angle), -17.9, 10*math.Sin(angle))
		centers = append(centers, c)
		ball(w, c, vec(0, 0, 0), radius, components.BodyData{Kind: components.Static}, bouncy(1))
	}
	bouncing := ball(w, from, vec(0, 0, 0), ballRadius, bouncy(1))
	p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), Parabolic: true})
	want := exactBounces(from, vec(0, -g, 0), centers, radius+ballRadius, 25)
	found := 0
	for step := 0; found < len(want) && step < 60*60; step++ {
		p.Step(w)
		for e := range p.Impacts() {
			if found == len(want) {
				break
			}
			time := float64(step)/60 + e.Time
			other := e.A
			if other == bouncing.Entity() {
				other = e.B
			}
			center := position(w.Entry(other))
			if off := math.Abs(time - want[found].time); off > 1e-9 || center != centers[want[found].sphere] {
				t.Fatalf("impact %d: at %v with %v, want %v with %v", found, time, center,
					want[found].time, centers[want[found].sphere])
			}
			found++
		}
	}
	if found < len(want) {
		t.Errorf("got %d impacts, want %d", found, len(want))
	}
}

// bounce is an impact with one of several spheres.
type bounce struct {
	time   float64
	sphere int
}

// exactBounces returns the first n bounces of a point that falls from rest under the acceleration a
// among spheres of radius r, with more than 60 digits.
func exactBounces(from, a collide.Vec3, centers []collide.Vec3, r float64, n int) (all []bounce) {
	type number = *big.Float
	num := func(f float64) number { return new(big.Float).SetPrec(256).SetFloat64(f) }
	vector := func(v collide.Vec3) [3]number { return [3]number{num(v.X), num(v.Y), num(v.Z)} }
	add := func(a, b number) number { return num(0).Add(a, b) }
	mul := func(a, b number) number { return num(0).Mul(a, b) }
	dot := func(a, b [3]number) number { return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2])) }
	after := func(p, v [3]number, t number) (q [3]number) {
		for k := range q {
			q[k] = add(p[k], mul(v[k], t))
		}
		return q
	}
	x, v, g, clock := vector(from), vector(collide.Vec3{}), vector(a), num(0)
	at := func(t number) [3]number { return after(after(x, v, t), g, mul(mul(t, t), num(0.5))) }
	outside := func(k int, t number) bool { // of sphere k
		d := after(at(t), vector(centers[k]), num(-1))
		return dot(d, d).Cmp(mul(num(r), num(r))) > 0
	}
	for len(all) < n {
		// The first step of 2^-10 s at whose end it is inside a sphere, after it has left the last
		// one.
		t, hit := num(0x1p-10), -1
		for ; hit < 0 && t.Cmp(num(10)) < 0; t = add(t, num(0x1p-10)) {
			for k := range centers {
				if !outside(k, t) {
					hit = k
				}
			}
		}
		if hit < 0 {
			return all // it has fallen out
		}
		t = add(t, num(-0x1p-9))
		for step := 0x1p-10; step > 0x1p-240; step /= 2 {
			for outside(hit, add(t, num(step))) {
				t = add(t, num(step))
			}
		}
		x, v = at(t), after(v, g, t)
		d := after(x, vector(centers[hit]), num(-1))
		v = after(v, d, num(0).Quo(mul(num(-2), dot(v, d)), dot(d, d)))
		clock = add(clock, t)
		time, _ := clock.Float64()
		all = append(all, bounce{time, hit})
	}
	return all
}

// parabolicScene creates balls that fall on surfaces and other balls, and through a sensor, and
// returns them.
func parabolicScene(w donburi.World, order []int) (balls []*donburi.Entry) {
	wall(w, vec(0, -2, 0), vec(0.1, 1, 0), bouncy(1))
	wall(w, vec(-8, 0, 0), vec(1, 0, 0), bouncy(0.5))
	wall(w, vec(8, 0, 0), vec(-1, 0, 0), bouncy(1))
	wall(w, vec(0, 0, -8), vec(0, 0, 1), bouncy(1))
	wall(w, vec(0, 0, 8), vec(0, 0, -1), rough(0.3))
	spawn(w, at(2, -1, 1), components.ShapeColliderData{Shape: collide.Box{Half: vec(1, 0.5, 2)}}, bouncy(0.8))
	spawn(w, at(-3, -1, 0), capsule(vec(1, 0.2, 0.3), 0.4), bouncy(1))
	spawn(w, at(0, -1, -4), square(2), bouncy(0.7))
	ball(w, vec(-4, 0, 4), vec(0, 0, 0), 1, components.BodyData{Kind: components.Static}, bouncy(1))
	ball(w, vec(4, 1, -4), vec(0.3, 0, 0), 1, components.BodyData{Kind: components.Kinematic}, bouncy(1))
	ball(w, vec(0, 1, 0), vec(0, 0, 0), 2, components.SensorData{})
	balls = make([]*donburi.Entry, len(order))
	for _, k := range order {
		p := vec(float64(float64(k%8)*1.8)-6.3, 2+float64(k/64)*1.5, float64(float64(k/8%8)*1.8)-6.3)
		values := []any{bouncy([]float64{0, 0.5, 1}[k%3])}
		if k%5 == 0 {
			values = append(values, rough(0.2), turning(1, float64(k%7), 3))
		}
		if k%11 == 0 {
			values = append(values, components.ForceData{Force: vec(float64(k%3), 0.5, 0)})
		}
		v := vec(float64(k%5)-2, float64(k%4)-2, float64(k%3)-1)
		balls[k] = ball(w, p, v, 0.2+float64(0.1*float64(k%4)), values...)
	}
	return balls
}

func TestParabolasHaveTheSameBitsEverywhere(t *testing.T) {
	const n, want = 256, 0x50e137038cd5eb69
	run := func(workers int, order []int) uint64 {
		w := donburi.NewWorld()
		balls := parabolicScene(w, order)
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -9.81, 0), Parabolic: true, Workers: workers})
		impacts := 0
		for range 150 {
			p.Step(w)
			impacts += p.Stats().Impacts
		}
		expectNoErrors(t, p)
		if impacts < 1000 {
			t.Errorf("got %d impacts, want at least 1000", impacts)
		}
		h := fnv.New64a()
		for _, b := range balls {
			x, v := position(b), velocity(b)
			for _, f := range [6]float64{x.X, x.Y, x.Z, v.X, v.Y, v.Z} {
				h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
			}
		}
		return h.Sum64()
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	got := run(1, order)
	if got != want {
		t.Errorf("the hash is %#x, want %#x", got, uint64(want))
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	if again := run(3, order); again != got {
		t.Errorf("in another order the hash is %#x, want %#x", again, got)
	}
}
