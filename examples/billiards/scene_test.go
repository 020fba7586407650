package billiards

import (
	"math"
	"slices"
	"testing"

	"github.com/dango-physics/dango/collide"
	"github.com/dango-physics/dango/components"
	"github.com/yohamta/donburi"
)

// slack is how deep things may be in each other, as a part of a radius: the engine's promise.
const slack = 1e-9

// hair is how far beside an impact may be, metres: the prediction thinks of balls that lie on the
// cloth, and a ball at rest is held within a gap of it.
const hair = 1e-5

// lifted is what it takes to raise sixteen balls by a hair, joules.
const lifted = 16 * ballMass * gravity * hair

// positions returns where every ball on the table is, by number.
func positions(s *scene) map[int]collide.Vec3 {
	at := map[int]collide.Vec3{}
	for e := range balls.Iter(s.world) {
		at[ball.Get(e).Number] = components.Transform.Get(e).Position
	}
	return at
}

// only leaves nothing but the cue ball on the table.
func only(s *scene) {
	var others []donburi.Entity
	for e := range balls.Iter(s.world) {
		if e.Entity() != s.cue {
			others = append(others, e.Entity())
		}
	}
	for _, e := range others {
		s.world.Remove(e)
	}
}

// place puts the cue ball somewhere on the cloth.
func place(s *scene, at collide.Vec3) {
	at.Z = ballRadius
	components.Transform.Get(s.world.Entry(s.cue)).Position = at
}

func TestRack(t *testing.T) {
	for seed := range uint64(50) {
		s := newScene(seed)
		at := positions(s)
		if len(at) != 16 {
			t.Fatalf("seed %d: %d different balls, want 16", seed, len(at))
		}
		if s.overlap() > 0 {
			t.Errorf("seed %d: balls overlap by %g m", seed, s.overlap())
		}
		if d := at[8].Distance(footSpot); math.Abs(d-2*(2*ballRadius)*math.Sqrt(3)/2) > 0.002 {
			t.Errorf("seed %d: the 8 is %g m behind the foot spot, not in the rack's middle", seed, d)
		}
	}
}

// Unattended games of many shots: nothing leaves the table but through a pocket, nothing overlaps,
// and energy comes from shots alone.
func TestUnattendedPlay(t *testing.T) {
	for seed := range uint64(4) {
		s := newScene(seed)
		energy, shots := 0.0, 0
		for range 3000 {
			s.step(input{Auto: true})
			if o := s.overlap(); o > slack*ballRadius {
				t.Fatalf("seed %d, tick %d: overlap of %g m", seed, s.ticks, o)
			}
			if e := s.energy(); s.shots == shots && e > energy*(1+1e-12)+lifted {
				t.Fatalf("seed %d, tick %d: energy rose from %g to %g J", seed, s.ticks, energy, e)
			}
			energy, shots = s.energy(), s.shots
			seen := slices.Clone(s.tray)
			for n, p := range positions(s) {
				if n != 0 {
					seen = append(seen, n)
				}
				if math.Abs(p.X) > tableLength/2 || math.Abs(p.Y) > tableWidth/2 ||
					p.Z < ballRadius*(1-slack) || p.Z > 5*ballRadius {
					t.Fatalf("seed %d, tick %d: ball %d is at %v, off the table", seed, s.ticks, n, p)
				}
			}
			slices.Sort(seen)
			if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; !slices.Equal(seen, want) {
				t.Fatalf("seed %d, tick %d: table and tray hold %v, want %v", seed, s.ticks, seen, want)
			}
			if errs := slices.Collect(s.physics.Errors()); len(errs) > 0 {
				t.Fatalf("seed %d: %v", seed, errs)
			}
		}
		if s.shots < 5 || s.pocketed == 0 || s.impacts < 50 {
			t.Errorf(
				"seed %d: %d shots, %d pocketed, %d impacts: not much of a game", seed, s.shots, s.pocketed,
				s.impacts,
			)
		}
	}
}

// A hard break leaves no heap: over 20 racks the median ball ends far from where it was, and hardly
// any stays.
func TestBreakScatters(t *testing.T) {
	const racks = 20
	var moved []float64 // in diameters
	stay := 0           // balls that end within a diameter of where they were
	for seed := range uint64(racks) {
		s := newScene(seed)
		before := positions(s)
		d, _ := footSpot.Sub(headSpot).Normalized()
		s.shoot(d, 1)
		for s.step(input{}); !s.atRest(); s.step(input{}) {
			if s.ticks > 3000 {
				t.Fatalf("seed %d: not at rest after %d ticks", seed, s.ticks)
			}
		}
		after := positions(s)
		for number := 1; number <= 15; number++ {
			way := math.Inf(1) // pocketed
			if at, ok := after[number]; ok {
				way = at.Distance(before[number]) / (2 * ballRadius)
			}
			moved = append(moved, way)
			if way < 1 {
				stay++
			}
		}
	}
	// Of 120 racks it is 1.1 balls a rack, and 0 to 5 of one.
	if stay > 2*racks {
		t.Errorf("%d of %d balls end within a diameter of where they were", stay, 15*racks)
	}
	slices.Sort(moved)
	if median := moved[len(moved)/2]; median < 3 {
		t.Errorf("the median ball ends %.1f diameters from where it was", median)
	}
}

// Who pockets a ball goes on, who doesn't or loses the cue ball gives the turn away, and eight
// balls win the rack.
func TestTurnsAndAWinner(t *testing.T) {
	s := newScene(1)
	only(s)
	play := func(from, to collide.Vec3) {
		t.Helper()
		place(s, from)
		d, _ := to.Sub(from).Normalized()
		s.shoot(d, 0.3)
		for range 900 {
			s.step(input{})
		}
	}
	corner := collide.Vec3{X: tableLength / 2, Y: tableWidth / 2}
	s.newBall(1, collide.Vec3{Z: ballRadius})
	play(collide.Vec3{X: -0.5, Y: 0.3}, collide.Vec3{X: -0.5, Y: -0.4})
	if s.turn != 1 {
		t.Error("a shot that pockets nothing keeps the turn")
	}
	s.points = [2]int{}
	e := s.world.Entry(s.cue)
	for b := range balls.Iter(s.world) {
		if b.Entity() != e.Entity() {
			components.Transform.Get(b).Position = collide.Vec3{X: 0.8, Y: 0.4, Z: ballRadius}
		}
	}
	s.newBall(2, collide.Vec3{X: -0.8, Y: -0.3, Z: ballRadius})
	play(collide.Vec3{X: 0.6, Y: 0.6 * tableWidth / tableLength}, corner)
	if s.points != [2]int{0, 1} && s.scratches == 0 || s.turn != 1 && s.scratches == 0 {
		t.Errorf("after a pocketed ball the points are %v and the turn is %d", s.points, s.turn)
	}
	s.points[0] = enough
	for range 600 {
		s.step(input{})
	}
	if s.wins != [2]int{1, 0} || s.racks != 2 || balls.Count(s.world) != 16 {
		t.Errorf("with eight balls: %v racks won, rack %d, %d balls", s.wins, s.racks, balls.Count(s.world))
	}
}

// The right button gives up a shot, and the release after that doesn't shoot.
func TestCancel(t *testing.T) {
	s := newScene(1)
	at, _ := s.cueBall()
	s.step(input{Pointer: at, Held: true})
	s.step(input{Pointer: at.Sub(collide.Vec3{X: 0.3}), Held: true})
	s.step(input{Pointer: at.Sub(collide.Vec3{X: 0.3}), Held: true, Cancel: true})
	s.step(input{Pointer: at.Sub(collide.Vec3{X: 0.3}), Held: true})
	s.step(input{Pointer: at.Sub(collide.Vec3{X: 0.3})})
	if s.shots != 0 || s.aim.Active {
		t.Errorf("%d shots, aim %v", s.shots, s.aim)
	}
}

func TestSameSeedSameGame(t *testing.T) {
	a, b := newScene(7), newScene(7)
	for range 1500 {
		a.step(input{Auto: true})
		b.step(input{Auto: true})
	}
	pa, pb := positions(a), positions(b)
	for n, p := range pa {
		if pb[n] != p {
			t.Fatalf("ball %d is at %v and at %v", n, p, pb[n])
		}
	}
	if a.impacts != b.impacts || !slices.Equal(a.tray, b.tray) {
		t.Errorf("%d impacts and %v, %d impacts and %v", a.impacts, a.tray, b.impacts, b.tray)
	}
}

// What the dashed line promises is what happens: the place of the cue ball's first impact, for
// shots all around.
func TestFirstImpactIsWhereThePredictionSaysIt(t *testing.T) {
	met := map[bool]int{}
	for i := range 720 {
		s := newScene(uint64(i % 5))
		place(s, collide.Vec3{X: -0.4 + 0.0008*float64(i), Y: 0.2 - 0.0005*float64(i)})
		if s.overlap() > 0 {
			continue
		}
		angle := float64(i) * math.Pi / 360
		d := collide.Vec3{X: math.Cos(angle), Y: math.Sin(angle)}
		if i%3 == 0 { // at the rack
			at, _ := s.cueBall()
			d, _ = footSpot.Add(d.Scale(0.1)).Sub(at).Normalized()
		}
		const power = 0.7
		p := s.predict(d, power)
		s.shoot(d, power)
		got, ok := firstImpact(s)
		if p.Falls && len(p.Bounces) == 0 {
			if s.scratches != 1 {
				t.Errorf("shot %d should fall into a pocket and did not", i)
			}
			met[false]++
			continue
		}
		if !ok {
			t.Fatalf("shot %d met nothing", i)
		}
		want := p.Path[len(p.Path)-1]
		if len(p.Bounces) > 0 {
			want = p.Bounces[0]
		}
		if far := got.Distance(want); far > hair {
			t.Errorf("shot %d: met something at %v, want %v: %g m off", i, got, want, far)
		}
		met[p.Meets && len(p.Bounces) == 0]++
	}
	if met[true] < 50 || met[false] < 200 {
		t.Errorf("%d shots met a ball first and %d did not: too few of either", met[true], met[false])
	}
}

// firstImpact plays until the cue ball meets something or falls, and returns where its centre was
// then.
func firstImpact(s *scene) (collide.Vec3, bool) {
	for range 600 {
		s.step(input{})
		for i := range s.physics.Impacts() {
			if i.A == s.cue && i.B != s.cloth {
				return i.Point.AddScaled(ballRadius, i.Normal), true
			}
			if i.B == s.cue {
				return i.Point.AddScaled(-ballRadius, i.Normal), true
			}
		}
		if s.scratches > 0 {
			break
		}
	}
	return collide.Vec3{}, false
}

// The second leg holds too: after a cushion, a ball goes about where the prediction says.
func TestPredictionFollowsCushions(t *testing.T) {
	s := newScene(1)
	only(s)
	place(s, collide.Vec3{X: 0.1})
	d, _ := collide.Vec3{X: 1, Y: 0.85}.Normalized()
	p := s.predict(d, 0.8)
	if len(p.Bounces) != maxCushions+1 {
		t.Fatalf("cushions at %v, want %d", p.Bounces, maxCushions+1)
	}
	s.shoot(d, 0.8)
	var got []collide.Vec3
	for range 600 {
		s.step(input{})
		for i := range s.physics.Impacts() {
			if i.B != s.cloth {
				got = append(got, i.Point.AddScaled(ballRadius, i.Normal))
			}
		}
	}
	for i := range maxCushions {
		if far := got[i].Distance(p.Bounces[i]); far > 0.02 {
			t.Errorf("cushion %d met at %v, want %v: %g m off", i, got[i], p.Bounces[i], far)
		}
	}
}

func TestPocketsCatch(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to collide.Vec3
	}{
		{"straight into a corner", collide.Vec3{X: 0.7, Y: 0.2}, collide.Vec3{X: 0.99, Y: 0.495}},
		{"along the long cushion into a corner", collide.Vec3{X: 0.4, Y: 0.46}, collide.Vec3{X: 0.99, Y: 0.46}},
		{"straight into a side pocket", collide.Vec3{X: 0, Y: 0}, collide.Vec3{X: 0, Y: -0.495}},
		{"at an angle into a side pocket", collide.Vec3{X: 0.3, Y: 0}, collide.Vec3{X: 0.01, Y: -0.48}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(1)
			only(s)
			place(s, c.from)
			d, _ := c.to.Sub(c.from).Normalized()
			if p := s.predict(d, 0.3); !p.Falls {
				t.Errorf("the prediction %v doesn't end in a pocket", p.Path)
			}
			s.shoot(d, 0.3)
			for range 60 {
				s.step(input{})
			}
			if s.scratches != 1 {
				t.Errorf("%d balls fell, want 1", s.scratches)
			}
		})
	}
}

// A pocketed cue ball comes back when everything is at rest, and never on top of another ball.
func TestCueBallComesBack(t *testing.T) {
	s := newScene(1)
	for e := range balls.Iter(s.world) {
		if ball.Get(e).Number == 3 {
			components.Transform.Get(e).Position = headSpot // someone lies on its spot
		}
	}
	place(s, collide.Vec3{X: -0.85, Y: 0.36})
	d, _ := collide.Vec3{X: -0.99, Y: 0.495}.Sub(collide.Vec3{X: -0.85, Y: 0.36}).Normalized()
	s.shoot(d, 0.2)
	for s.step(input{}); !s.atRest() || !s.world.Valid(s.cue); s.step(input{}) {
		if s.ticks > 1000 {
			t.Fatal("the cue ball didn't come back")
		}
	}
	if at, _ := s.cueBall(); s.scratches != 1 || s.overlap() > 0 || at.Distance(headSpot) > 0.2 {
		t.Errorf("scratches %d, cue ball at %v, overlap %g", s.scratches, at, s.overlap())
	}
}

func TestDragShoots(t *testing.T) {
	for _, c := range []struct {
		name  string
		pull  collide.Vec3
		shots int
		speed float64
	}{
		{"a full pull", collide.Vec3{X: -fullPull}, 1, fastestShot},
		{"beyond the full pull", collide.Vec3{X: -3 * fullPull}, 1, fastestShot},
		{"a quarter", collide.Vec3{Y: 0.25 * fullPull}, 1, fastestShot / 4},
		{"hardly moved", collide.Vec3{X: leastPull / 2}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(1)
			at, _ := s.cueBall()
			s.step(input{Pointer: at})
			s.step(input{Pointer: at, Held: true})
			s.step(input{Pointer: at.Add(c.pull.Scale(0.5)), Held: true})
			s.step(input{Pointer: at.Add(c.pull), Held: true})
			s.step(input{Pointer: at.Add(c.pull)})
			v := components.Velocity.Get(s.world.Entry(s.cue)).Linear
			// The first step on the cloth has passed.
			if s.shots != c.shots ||
				math.Abs(v.Length()+clothGrip*gravity*stepSeconds-c.speed) > 0.01*c.speed && c.shots > 0 ||
				v.Dot(c.pull) > 0 {
				t.Errorf(
					"%d shots, velocity %v, want %d shots at about %g m/s against the pull", s.shots, v, c.shots,
					c.speed,
				)
			}
		})
	}
}

func TestAllDownMeansNewRack(t *testing.T) {
	s := newScene(1)
	only(s)
	s.step(input{})
	if n := balls.Count(s.world); n != 16 || s.racks != 2 {
		t.Errorf("%d balls and rack %d, want 16 balls and rack 2", n, s.racks)
	}
}

// duel leaves the cue ball and one other, straight ahead, and shoots with the given tip.
func duel(t *testing.T, at tip, power float64) (s *scene, hit func() (cue, object collide.Vec3)) {
	t.Helper()
	s = newScene(1)
	only(s)
	place(s, collide.Vec3{X: -0.6})
	object := s.newBall(1, collide.Vec3{X: -0.2, Z: ballRadius})
	s.step(input{Put: &at})
	s.shoot(collide.Vec3{X: 1}, power)
	return s, func() (collide.Vec3, collide.Vec3) {
		for range 100 {
			s.step(input{})
		}
		return positions(s)[0], components.Transform.Get(s.world.Entry(object)).Position
	}
}

// Above the middle the cue ball follows the ball that it hits full, below it comes back, and low
// enough to arrive without a turn it stays.
func TestFollowStunDraw(t *testing.T) {
	for _, c := range []struct {
		name     string
		tip      tip
		from, to float64 // where the cue ball is 100 ticks later
	}{
		{"follow", tip{Up: 0.4}, 0, 1},
		{"a little low", tip{Up: -0.2}, -0.32, -0.2},
		{"draw", tip{Up: -0.5}, -1, -0.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, hit := duel(t, c.tip, 0.15)
			cue, object := hit()
			if cue.X < c.from || cue.X > c.to || math.Abs(cue.Y) > 1e-6 {
				t.Errorf("the cue ball is at %v, want x between %g and %g", cue, c.from, c.to)
			}
			if object.X < 0.2 {
				t.Errorf("the other ball is at %v: hardly hit", object)
			}
		})
	}
}

// A ball that is hit at 7/5 of its radius rolls at once; one hit in its middle slides until it has
// 5/7 of its speed.
func TestSlidingBecomesRolling(t *testing.T) {
	for _, c := range []struct {
		name  string
		tip   tip
		share float64
	}{{"in the middle", tip{}, 5.0 / 7}, {"where it rolls at once", tip{Up: 0.4}, 1}, {"low", tip{Up: -0.4}, 3.0 / 7}} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(1)
			only(s)
			for e := range balls.Iter(s.world) { // the friction that sets it rolling, and nothing else
				components.Body.Get(e).LinearDamping = 0
				components.AngularVelocity.Get(e).Damping = 0
			}
			cloth := components.Material.Get(s.world.Entry(s.cloth))
			cloth.RollingResistance = 0
			place(s, collide.Vec3{X: -0.85})
			s.tip = c.tip
			s.shoot(collide.Vec3{X: 1}, 0.1)
			for range 50 {
				s.step(input{})
			}
			e := s.world.Entry(s.cue)
			v, w := components.Velocity.Get(e).Linear, components.AngularVelocity.Get(e).Angular
			if want := c.share * 0.1 * fastestShot; math.Abs(v.X-want) > 1e-4*want ||
				math.Abs(w.Y*ballRadius-want) > 1e-4*want {
				t.Errorf("%g m/s and turning at %g, want both %g", v.X, w.Y*ballRadius, want)
			}
		})
	}
}

// Hit right of its middle, a ball leaves a cushion that it meets straight on to the right, and the
// prediction knows.
func TestSideIsFeltAtCushions(t *testing.T) {
	for side, want := range map[float64]float64{0.4: -1, -0.4: 1, 0: 0} {
		s := newScene(1)
		only(s)
		place(s, collide.Vec3{X: 0.2})
		s.tip = tip{Side: side}
		p := s.predict(collide.Vec3{X: 1}, 0.2)
		s.shoot(collide.Vec3{X: 1}, 0.2)
		for range 100 {
			s.step(input{})
		}
		at, _ := s.cueBall()
		if at.Y*want < 0.05*want*want || want == 0 && math.Abs(at.Y) > 1e-6 {
			t.Errorf("side %g: the ball went to %v", side, at)
		}
		if far := distance(at, p.Path); far > 0.03 {
			t.Errorf("side %g: the ball at %v is %g m beside its prediction", side, at, far)
		}
	}
}

// distance returns how far a place is from a path.
func distance(at collide.Vec3, path []collide.Vec3) float64 {
	best := math.Inf(1)
	for i := 1; i < len(path); i++ {
		a, ab := path[i-1], path[i].Sub(path[i-1])
		u := min(max(at.Sub(a).Dot(ab)/max(ab.LengthSquared(), 1e-12), 0), 1)
		best = min(best, at.Distance(a.AddScaled(u, ab)))
	}
	return best
}

// After a hit at an angle both balls go where the prediction says, the cue ball on a curve. That
// holds for all values of the sliders.
func TestPredictionOfAHit(t *testing.T) {
	for _, r := range []rules{usual, {bounce: 0.5, grip: 0.4, weight: 0.6}} {
		for _, up := range []float64{-0.4, 0, 0.4} {
			for _, aside := range []float64{0.2, 0.6, -0.7} {
				s := newScene(1)
				only(s)
				place(s, collide.Vec3{X: -0.6})
				object := s.newBall(1, collide.Vec3{X: -0.1, Z: ballRadius})
				s.tune(r)
				s.tip = tip{Up: up}
				d, _ := collide.Vec3{X: 0.5, Y: 2 * ballRadius * aside}.Normalized()
				p := s.predict(d, 0.2)
				s.shoot(d, 0.2)
				for range 26 {
					s.step(input{})
				}
				cue, hit := positions(s)[0], components.Transform.Get(s.world.Entry(object)).Position
				if far := distance(cue, p.After); far > 0.02 {
					t.Errorf("%+v, tip %g, %g beside the middle: the cue ball at %v is %g m beside %v",
						r, up, aside, cue, far, p.After)
				}
				if far := distance(hit, p.Object); far > 0.02 {
					t.Errorf("%+v, tip %g, %g beside the middle: the other ball at %v is %g m beside %v",
						r, up, aside, hit, far, p.Object)
				}
			}
		}
	}
}

// A ball that rolled just as far as the cushion had no velocity that is a number, by rounding.
func TestABallThatJustReachesTheCushionStops(t *testing.T) {
	s := newScene(1)
	at, _ := s.cueBall()
	s.physics.Sync(s.world)
	except := []donburi.Entity{s.cloth, s.cue}
	reached := 0
	for k := range 60 {
		sin, cos := math.Sincos(2 + 0.007*float64(k))
		d := collide.Vec3{X: cos, Y: sin}
		hit, ok := s.cast(at, at.AddScaled(5, d), except)
		if !ok {
			t.Fatal("there is no cushion")
		}
		slow, fast := 0.0, 10.0 // between them is the speed with which it gets there
		for range 100 {
			if v := (slow + fast) / 2; s.rules.rollingDistance(v) < hit.Distance {
				slow = v
			} else {
				fast = v
			}
		}
		for range 20 {
			slow = math.Nextafter(slow, 10)
			m := motion{rules: s.rules, at: at, v: d.Scale(slow), w: rolling(d.Scale(slow))}
			if _, _, ok := s.follow(&m, except); ok {
				reached++
			}
			if !(m.v.Length() < 10) {
				t.Errorf("along %v with %g m/s: it goes on at %v", d, slow, m.v)
			}
		}
	}
	if reached < 100 {
		t.Errorf("only %d balls have reached the cushion", reached)
	}
}

func TestTheTipHolds(t *testing.T) {
	s := newScene(1)
	for range 100 {
		s.step(input{Nudge: tip{tipSpeed, tipSpeed}})
	}
	if l := math.Hypot(s.tip.Side, s.tip.Up); math.Abs(l-farTip) > 1e-9 || s.tip.Side != s.tip.Up {
		t.Errorf("the tip is at %v, want it %g out, up and right", s.tip, farTip)
	}
}
