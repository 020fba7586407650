package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/dango-physics/dango/internal/slow"
	"github.com/dango-physics/dango/systems"
	"github.com/yohamta/donburi"
)

// conserved checks that a group of balls without walls keeps its momentum and angular momentum, and
// doesn't gain energy. The balls can rotate: others absorb angular momentum.
type conserved struct {
	balls         []*donburi.Entry
	momentum      collide.Vec3
	turn          collide.Vec3
	size, turning float64
	least, start  float64 // energy
}

func newConserved(balls []*donburi.Entry) *conserved {
	c := &conserved{balls: balls}
	c.momentum, c.size = momentum(balls)
	c.turn, c.turning = angular(balls)
	for _, b := range balls { // rows have no angular momentum, but rounding errors of one
		c.turning += mass(b) * position(b).Length() * velocity(b).Length()
	}
	c.start = energy(balls)
	c.least = c.start
	return c
}

func (c *conserved) check(t *testing.T, what string, tolerance float64) {
	t.Helper()
	after, _ := momentum(c.balls)
	if d := after.Distance(c.momentum); !(d <= tolerance*c.size) {
		t.Errorf("%s: momentum is wrong by %.3g of the sum of all", what, d/c.size)
	}
	turn, _ := angular(c.balls)
	if d := turn.Distance(c.turn); !(d <= tolerance*c.turning) {
		t.Errorf("%s: angular momentum is wrong by %.3g of the sum of all", what, d/c.turning)
	}
	now := energy(c.balls)
	if !(now <= c.least+tolerance*c.start) {
		t.Errorf("%s: the energy grows from %v to %v", what, c.least, now)
	}
	c.least = min(c.least, now)
}

// A block of balls in contact that is hit at 10 km/s has an endless sequence of impacts in one
// step. Nothing is lost in it.
func TestTouchingBallsHitAtHighSpeedKeepTheirMomentum(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	for _, restitution := range []float64{0, 0.5, 0.95, 1} {
		for _, gap := range []float64{0, 1e-3} {
			w := donburi.NewWorld()
			fast := ball(w, vec(-5, 0.1, 0.2), vec(1e4, 0, 0), 0.5, bouncy(restitution), turning(0, 0, 0))
			balls := []*donburi.Entry{fast}
			for k := range 200 {
				at := vec(float64(k%5), float64(k/5%5)-2, float64(k/25)-4).Scale(1 + gap)
				balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, bouncy(restitution), turning(0, 0, 0)))
			}
			p := systems.NewPhysics(systems.Config{})
			c := newConserved(balls)
			j := newOverlapChecker()
			for step := range 10 {
				p.Step(w)
				name := fmt.Sprintf("restitution %v, gaps of %v, step %d", restitution, gap, step)
				c.check(t, name, 1e-12)
				if deep := j.overlap(w); deep > maxOverlap {
					t.Errorf("%s: overlap by %.3g of a radius", name, deep)
				}
				if n := p.Stats().SpentBudgets; n > 0 {
					t.Errorf("%s: %d bodies stopped", name, n)
				}
			}
			if restitution == 1 && math.Abs(energy(balls)/c.start-1) > 1e-12 {
				t.Errorf("gaps of %v: elastic balls keep %v of their energy", gap, energy(balls)/c.start)
			}
		}
	}
}

// Rows of balls that are hit from both sides, of all masses.
func TestRowsKeepTheirMomentum(t *testing.T) {
	for seed := range uint64(slow.Cases(40)) {
		r := rand.New(rand.NewPCG(seed, 60))
		w := donburi.NewWorld()
		restitution := []float64{0, 0.3, 0.9, 1}[seed%4]
		var balls []*donburi.Entry
		n := 3 + r.IntN(40)
		for k := range n {
			v := 0.0
			if k == 0 || k == n-1 {
				v = 100 * (1 - 2*float64(k)/float64(n-1)) * r.Float64()
			}
			mass := components.BodyData{Mass: math.Exp(6 * r.Float64())}
			balls = append(balls, ball(w, vec(float64(k), 0.1*r.Float64()*float64(k%2), 0), vec(v, 0, 0), 0.5,
				bouncy(restitution), turning(0, 0, 0), mass))
		}
		p := systems.NewPhysics(systems.Config{RestitutionThreshold: -1})
		c := newConserved(balls)
		for step := range 60 {
			p.Step(w)
			c.check(t, fmt.Sprintf("seed %d, step %d", seed, step), 1e-12)
		}
	}
}

// Balls, a thousand if all cases are asked for, are crowded together again and again by speeds
// towards the middle, without walls: what is set changes what is to be kept, and nothing else does.
func TestShakenCrowdWithoutWallsKeepsItsMomentum(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	side, rounds := 6, 500 // 10,000 steps
	if slow.Cases(rounds) == rounds {
		side = 10
	}
	if testing.Short() {
		rounds = 10
	}
	r := rand.New(rand.NewPCG(1, 61))
	w := donburi.NewWorld()
	var balls []*donburi.Entry
	for k := range side * side * side {
		middle := vec(1, 1, 1).Scale(float64(side-1) / 2)
		at := vec(float64(k%side), float64(k/side%side), float64(k/side/side)).Sub(middle)
		balls = append(balls, ball(w, at.Scale(0.55), vec(0, 0, 0), 0.2+0.05*r.Float64(), bouncy(0.5*r.Float64()),
			turning(0, 0, 0), components.BodyData{Mass: math.Exp(2 * r.Float64())}))
	}
	p := systems.NewPhysics(systems.Config{})
	jammed, spent := 0, 0
	for round := range rounds {
		for _, b := range balls {
			x := position(b)
			components.Velocity.SetValue(b, components.VelocityData{Linear: x.Scale(-3).Add(
				vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(3))})
		}
		c := newConserved(balls)
		for step := range 20 {
			p.Step(w)
			c.check(t, fmt.Sprintf("round %d, step %d", round, step), 1e-12)
			jammed, spent = jammed+p.Stats().Jammed, spent+p.Stats().SpentBudgets
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d balls: %d were jammed in %d rounds", len(balls), jammed, rounds)
	if jammed == 0 || spent > 0 {
		t.Errorf("%d bodies were jammed, want some; %d stopped, want none", jammed, spent)
	}
}

// Galperin, Playing pool with pi, 2003: a ball at rest between a wall and a ball that is 100^k
// times as heavy has as many impacts as the first k+1 digits of pi say.
func TestImpactsBetweenAWallAndAHeavyBallCountPi(t *testing.T) {
	for k, want := range []int{3, 31, 314, 3141, 31415} {
		w := donburi.NewWorld()
		wall(w, vec(0, 0, 0), vec(1, 0, 0), bouncy(1))
		light := ball(w, vec(2, 0, 0), vec(0, 0, 0), 0.5, bouncy(1))
		mass := math.Pow(100, float64(k))
		heavy := ball(w, vec(4, 0, 0), vec(-10, 0, 0), 0.5, bouncy(1), components.BodyData{Mass: mass})
		p := systems.NewPhysics(systems.Config{})
		impacts := 0
		start := energy([]*donburi.Entry{light, heavy})
		for range 120 {
			p.Step(w)
			impacts += p.Stats().Impacts
		}
		if impacts != want {
			t.Errorf("mass %v: %d impacts, want %d", mass, impacts, want)
		}
		if ratio := energy([]*donburi.Entry{light, heavy}) / start; math.Abs(ratio-1) > 1e-9 {
			t.Errorf("mass %v: the energy changes by a factor of %v", mass, ratio)
		}
	}
}

// expectMirrored fails if the velocities of a rack, as rack returns it, aren't those of its mirror
// image.
func expectMirrored(t *testing.T, what string, balls []*donburi.Entry, tolerance float64) {
	t.Helper()
	for _, a := range balls {
		x, v := position(a), velocity(a)
		found := slices.ContainsFunc(balls, func(b *donburi.Entry) bool {
			y, u := position(b), velocity(b)
			return nearVec(vec(x.X, x.Y, -x.Z), y, tolerance) && nearVec(vec(v.X, v.Y, -v.Z), u, tolerance)
		})
		if !found {
			t.Errorf("%s: no ball mirrors the one at %v with %v", what, x, v)
		}
	}
}

// A touching rack that is hit in the middle stays symmetric, and keeps momentum and energy.
func TestRackThatIsHitInTheMiddleStaysSymmetric(t *testing.T) {
	const radius, speed = 0.0286, 12.0
	for _, restitution := range []float64{0, 0.5, 0.95, 1} {
		var want []collide.Vec3
		for seed := range uint64(3) {
			name := fmt.Sprintf("restitution %v, order %d", restitution, seed)
			w := donburi.NewWorld()
			balls := rack(w, radius, speed, restitution, rand.New(rand.NewPCG(seed, 62)))
			c := newConserved(balls)
			p := systems.NewPhysics(systems.Config{TouchingGap: 1e-5})
			for step := range 12 {
				p.Step(w)
				c.check(t, fmt.Sprintf("%s, step %d", name, step), 1e-12)
				expectMirrored(t, fmt.Sprintf("%s, step %d", name, step), balls, 1e-12*speed)
			}
			if ratio := energy(balls) / c.start; restitution == 1 && math.Abs(ratio-1) > 1e-12 {
				t.Errorf("%s: the energy changes by a factor of %v", name, ratio)
			}
			if got := states(balls); want == nil {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: not the bits of order 0", name)
			}
			var speeds []float64
			for _, b := range balls[1:] {
				speeds = append(speeds, velocity(b).Length())
			}
			slices.Sort(speeds)
			t.Logf("%s: median %.3g m/s, energy %.3g", name, speeds[7], energy(balls)/c.start)
		}
	}
}

// In a group, impulses travel through rows as they do one after another: Newton's cradle, a corner
// and a pair with masses 3:1 come out as without TouchingGap.
func TestTouchingGapKeepsCradleCornerAndPair(t *testing.T) {
	config := systems.Config{TouchingGap: 0.02}
	for came := 1; came <= 4; came++ {
		for _, gap := range []float64{0, 0.01} {
			w := donburi.NewWorld()
			var balls []*donburi.Entry
			for k := range 5 {
				x, v := float64(k)*(1+gap), 0.0
				if k < came {
					x, v = x-1, 3
				}
				balls = append(balls, ball(w, vec(x, 0, 0), vec(v, 0, 0), 0.5, bouncy(1)))
			}
			steps(t, w, systems.NewPhysics(config), 120)
			for k, b := range balls {
				want := vec(0, 0, 0)
				if k >= 5-came {
					want.X = 3
				}
				expectVelocity(t, fmt.Sprintf("%d come, gaps of %v: ball %d", came, gap, k), b, want, 1e-12)
			}
		}
	}
	w := donburi.NewWorld()
	for _, n := range []collide.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
		wall(w, vec(0, 0, 0), n)
	}
	b := ball(w, vec(3, 3, 3), vec(-2, -2, -2), 1, bouncy(1))
	steps(t, w, systems.NewPhysics(config), 120)
	expectVelocity(t, "corner", b, vec(2, 2, 2), 1e-12)

	w = donburi.NewWorld()
	wall(w, vec(0, 0, 0), vec(0, 1, 0))
	lower := ball(w, vec(0, 3, 0), vec(0, -4, 0), 0.5, bouncy(1), components.BodyData{Mass: 3})
	upper := ball(w, vec(0, 4, 0), vec(0, -4, 0), 0.5, bouncy(1))
	steps(t, w, systems.NewPhysics(config), 60)
	expectVelocity(t, "lower", lower, vec(0, 0, 0), 1e-12)
	expectVelocity(t, "upper", upper, vec(0, 8, 0), 1e-12)
}

// A ball that spins hits another one, beside which a third lies. The third gets nothing, and the
// first two move as without it: friction between them turns both.
func TestAHitHasItsFrictionBesideABallThatItDoesNotMove(t *testing.T) {
	var want []collide.Vec3
	for _, third := range []bool{false, true} {
		w := donburi.NewWorld()
		balls := []*donburi.Entry{
			ball(w, vec(-1.1, 0, 0), vec(6, 0, 0), 0.5, rough(0.2), turning(0, 0, 30)),
			ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, rough(0.2), turning(0, 0, 0)),
		}
		if third {
			ball(w, vec(0, 0, 1), vec(0, 0, 0), 0.5, rough(0.2), turning(0, 0, 0))
		}
		steps(t, w, systems.NewPhysics(systems.Config{TouchingGap: 1e-5}), 4)
		var got []collide.Vec3
		for _, b := range balls {
			got = append(got, velocity(b), components.AngularVelocity.Get(b).Angular)
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("velocities and angular velocities of the two are %v, and without the third ball %v", got, want)
		}
	}
	if math.Abs(want[2].Y) < 0.1 {
		t.Errorf("the ball that is hit moves at %v, want friction to move it across", want[2])
	}
}

// A cluster of balls in contact is thrown into a bowl of terrain, or of the triangles of a mesh, so
// hard that the balls are jammed there, or fall into it with TouchingGap.
func TestBallsJammedInAMeshOrOnTerrain(t *testing.T) {
	slow.Skip(t, slow.Sequential, slow.Hashed)
	const n, cell = 17, 0.75
	height := func(i, j int) float64 {
		x, z := cell*(float64(i)-(n-1)/2), cell*(float64(j)-(n-1)/2)
		return (x*x + z*z) / 6
	}
	var heights []float64
	var vertices []collide.Vec3
	var indices []uint32
	for i := range n {
		for j := range n {
			heights = append(heights, height(i, j))
			vertices = append(vertices, vec(cell*(float64(j)-(n-1)/2), height(i, j), cell*(float64(i)-(n-1)/2)))
			if i > 0 && j > 0 {
				a := uint32(i*n + j)
				indices = append(indices, a, a-1, a-n-1, a, a-n-1, a-n)
			}
		}
	}
	field, err := collide.NewHeightField(vec(-cell*(n-1)/2, 0, -cell*(n-1)/2), cell, cell, n, heights)
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := collide.NewMesh(vertices, indices, collide.MeshOptions{TwoSided: true})
	if err != nil {
		t.Fatal(err)
	}
	jams := 0
	for _, shape := range []collide.Shape{field, mesh} {
		for _, config := range []systems.Config{
			{},
			{TouchingGap: 1e-3},
			{TouchingGap: 0.02, Gravity: vec(0, -9.81, 0)},
		} {
			for _, speed := range []float64{5, 1000} {
				w := donburi.NewWorld()
				components.Material.SetValue(components.CreateShape(w, collide.Vec3{}, shape, components.Material),
					components.MaterialData{Restitution: 0.5})
				for k := range 45 {
					at := vec(float64(k%3)-1, 4+float64(k/9), float64(k/3%3)-1)
					ball(w, at, vec(0, -speed, 0), 0.5, bouncy(0.5))
				}
				p := systems.NewPhysics(config)
				for range 12 {
					steps(t, w, p, 1)
					jams += p.Stats().Jammed
				}
			}
		}
	}
	if jams == 0 {
		t.Error("no ball was jammed")
	}
}

// A group makes the bodies of a rack on a floor move at their velocities at the end of the step,
// without gravity. One that bounces up later in the step must feel its weight again: without it,
// two balls that a shot at 400 m/s threw up gained 15 J. So must one that slid on the floor before
// the group.
func TestARackThatIsShotOnAFloorGainsNoEnergy(t *testing.T) {
	const g = 9.81
	for seed := range uint64(slow.Cases(120)) {
		gap := []float64{0.0025, 3e-6}[seed%2]
		r := rand.New(rand.NewPCG(seed, 61))
		w := donburi.NewWorld()
		wall(w, vec(0, -0.5, 0), vec(0, 1, 0), bouncy(1))
		var balls []*donburi.Entry
		for k := range 8 {
			at := vec(float64(k%2), float64(k/2%2), float64(k/4)).Scale(1 + gap*2*float64(r.IntN(4))/3)
			body := components.BodyData{Mass: math.Exp(float64(r.IntN(3) - 1))}
			balls = append(balls, ball(w, at, vec(0, 0, 0), 0.5, bouncy(1), body))
		}
		speed := math.Exp(8 * r.Float64())
		shot := vec(-2, []float64{0.2, 0.5}[r.IntN(2)], 0.5)
		balls = append(balls, ball(w, shot, vec(speed, 0, 0), 0.5, bouncy(1)))
		height := func() (sum float64) {
			for _, b := range balls {
				sum += mass(b) * g * position(b).Y
			}
			return sum
		}
		p := systems.NewPhysics(systems.Config{Gravity: vec(0, -g, 0), TouchingGap: gap})
		for step := range 20 {
			before := energy(balls) + height()
			p.Step(w)
			// Along a chord a body is up to g·dt²/8 off its parabola: docs/limits.md, "Chords".
			explained := 2*float64(p.Stats().Impacts)*g*g/(60*60*4) + 1e-12*before
			for _, b := range balls {
				explained += mass(b) * g * 0.5 / 512 // gaps of heaps
			}
			if gain := energy(balls) + height() - before; gain > explained {
				t.Errorf("seed %d, step %d: the rack gains %.3g J of %.6g J; chords explain %.3g J",
					seed, step, gain, before, explained)
				break
			}
		}
	}
}

// Two balls in touch that move alike but for the last digit had an impact that left their
// velocities as they were, and so again until both were jammed.
func TestBallsThatMoveAlikeToRoundingHaveNoImpacts(t *testing.T) {
	for _, restitution := range []float64{0, 0.5, 1} {
		for _, gap := range []float64{0, 1e-3} {
			w := donburi.NewWorld()
			left := ball(w, vec(3, 0, 0), vec(1.85, 1e-16, 0), 0.5, bouncy(restitution))
			right := ball(w, vec(math.Nextafter(4, 3), 1e-15, 0), vec(1.85, -1e-16, 0), 0.5, bouncy(restitution))
			p := systems.NewPhysics(systems.Config{TouchingGap: gap, RestitutionThreshold: -1})
			steps(t, w, p, 1)
			if s := p.Stats(); s.Impacts+s.Jammed > 0 {
				t.Errorf("restitution %v, gap %v: %d impacts, %d jammed", restitution, gap, s.Impacts, s.Jammed)
			}
			expectVelocity(t, "left", left, vec(1.85, 0, 0), 1e-15)
			expectVelocity(t, "right", right, vec(1.85, 0, 0), 1e-15)
		}
	}
}

// Two balls that the game has put into each other, and that a jam has stopped, went deeper when a
// third one hit one of them later in the step.
func TestBallsInEachOtherGoNoDeeperAfterAJam(t *testing.T) {
	jams := 0
	for seed := range uint64(slow.Cases(400)) {
		r := rand.New(rand.NewPCG(seed, 62))
		w := donburi.NewWorld()
		a := ball(w, vec(0, 0, 0), vec(0, 0, 0), 0.5, bouncy(0.3))
		b := ball(w, vec(0.8, 0, 0), vec(0, 0, 0), 0.5, bouncy(0.3))
		others := []*donburi.Entry{a, b}
		for range 8 {
			at := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(1.2)
			free := true
			for _, o := range others {
				free = free && position(o).Distance(at) > 1.01
			}
			if free {
				others = append(others, ball(w, at, at.Scale(-40*r.Float64()), 0.5, bouncy(0.3)))
			}
		}
		p := systems.NewPhysics(systems.Config{MaxImpacts: 2})
		for step := range 4 {
			before := position(a).Distance(position(b))
			p.Step(w)
			jams += p.Stats().Jammed
			if after := position(a).Distance(position(b)); before < 1 && after < before-1e-9 {
				t.Errorf("seed %d, step %d: from a distance of %v m to %v", seed, step, before, after)
			}
		}
	}
	if jams == 0 {
		t.Error("no ball was jammed")
	}
}

// An elastic ball that hits one of a row lost up to half of the row's energy where the gap behind
// that one was TouchingGap: one measure made it a contact, and by another one it was open, and
// nothing bounces across an open gap. The same where the rounding of coordinates exceeds the gap.
func TestElasticRowsWithGapsOfTouchingGapKeepTheirEnergy(t *testing.T) {
	for seed := range uint64(slow.Cases(4000)) {
		r := rand.New(rand.NewPCG(seed, 63))
		n := vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		n = n.Scale(1 / n.Length())
		gap, at := math.Exp(-22*r.Float64()), vec(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		at = at.Scale(math.Exp(20 * r.Float64()))
		w, radius := donburi.NewWorld(), []float64{0.5, 0.005}[seed%2]
		balls := []*donburi.Entry{
			ball(w, at.AddScaled(-2.2*radius, n), n.Scale(30), radius, bouncy(1)),
			ball(w, at, vec(0, 0, 0), radius, bouncy(1)),
			ball(w, at.AddScaled(2*radius+gap, n), vec(0, 0, 0), radius, bouncy(1)),
		}
		p := systems.NewPhysics(systems.Config{TouchingGap: gap})
		for range 2 {
			p.Step(w)
		}
		if e := energy(balls); math.Abs(e-450) > 1e-10 {
			t.Errorf("seed %d, gap %v at %v: %v J left of 450", seed, gap, at, e)
		}
	}
}
