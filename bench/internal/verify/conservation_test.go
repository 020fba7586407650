package verify

import (
	"maps"
	"math"
	"slices"
	"testing"
)

// conserved returns the limits of the failures of momentum and energy in a step.
func conserved(s *Step) map[string]string {
	got := map[string]string{}
	for _, f := range NewChecker().Check(s) {
		if f.Check == "momentum" || f.Check == "energy" {
			got[f.Check] = f.Limit
		}
	}
	return got
}

// A force presses ball 1 on ball 2, and both fly at 100 m/s. Ball 3 hits the first one from the
// side in the middle of the step. It leaves the contact with half of the impulse, and the other
// keeps all of it. What the first has beyond that is no limit, nor is it one without a contact, or
// without a bounce. The two may meet again afterwards.
func TestABodyThatBouncesLeavesOthersTheImpulseOfItsContact(t *testing.T) {
	const a = 12.0
	type change struct {
		more float64 // N·s that ball 1 has beyond what the limit explains
		gap  float64 // between balls 1 and 2
		flat bool    // the impact doesn't bounce
		free bool    // there is no impact
		meet bool    // balls 1 and 2 meet after the impact
	}
	step := func(d change) *Step {
		one, two := sphere(1, V{}, V{100, 0, 0}), sphere(2, V{1 + d.gap, 0, 0}, V{100, 0, 0})
		three := sphere(3, V{}, V{100, 10, 0})
		one.Acceleration = V{a, 0, 0}
		one.End.Velocity, two.End.Velocity = V{100 + a*dt/2, 0, 0}, V{100 + a*dt/2, 0, 0}
		three.Start.Position = V{0, -1 - 5*dt, 0}
		three.End.Position = three.Start.Position.Add(three.End.Velocity.Scale(dt))
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		hit := &s.Things[0]
		if !d.free {
			s.Impacts = []Impact{{1, 3, dt / 2, V{50 * dt, -0.5, 0}, V{0, 1, 0}, 10, 10}}
			hit.End.Velocity = V{100 + a*dt/4 + a*dt/2, 10, 0}
			s.Things[2].End.Velocity = V{100, 0, 0}
		}
		if d.meet {
			s.Impacts = append(s.Impacts, Impact{1, 2, dt * 3 / 4, V{75*dt + 0.5, 0, 0}, V{-1, 0, 0}, 1e-3, 0})
		}
		hit.End.Velocity[0] += d.more
		for i := range s.Things {
			x := &s.Things[i]
			if d.flat {
				x.Restitution = 0
			}
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	kept := a * dt / 4 // N·s
	limit := map[string]string{"momentum": limitBounces, "energy": limitBounces}
	fails := map[string]string{"momentum": "", "energy": ""}
	for _, tt := range []struct {
		change change
		want   map[string]string // limits of the failures
	}{
		{change{more: -kept}, nil},
		{change{}, limit},
		{change{meet: true}, limit},
		{change{more: 0.03 * kept}, fails},
		{change{more: kept, free: true}, fails},
		{change{gap: 0.1}, fails}, // within reach, but too far for a contact
		{change{flat: true}, fails},
	} {
		if got := conserved(step(tt.change)); !maps.Equal(got, tt.want) {
			t.Errorf("%+v: got %q, want %q", tt.change, got, tt.want)
		}
	}
}

// A force presses ball 1 on ball 2 as soon as the step begins, and ball 3 hits that in the middle
// of the step. All three keep what the contact would have done to them in the whole step: momentum
// lasts, and the energy of what parts is no limit beyond that.
func TestBodiesKeepTheImpulseOfAContactThatHasBegunInTheStep(t *testing.T) {
	const a = 12.0
	step := func(more float64, begun bool) *Step {
		towards := V{0.5, math.Sqrt(0.75), 0}
		one, two, three := sphere(1, V{}, V{}), sphere(2, V{1, 0, 0}, V{}), sphere(3, V{}, towards.Scale(10))
		three.Start.Position = V{1, 0, 0}.Sub(towards.Scale(1 + 5*dt))
		one.Acceleration = V{a, 0, 0}
		exchanged := 10 - a*dt/8
		one.End.Velocity = V{a * dt / 2, 0, 0}
		two.End.Velocity = towards.Scale(exchanged).Add(V{a*dt/2 + more, 0, 0})
		three.End.Velocity = towards.Scale(10 - exchanged)
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		if begun {
			s.Impacts = []Impact{{1, 2, 1e-9, V{0.5, 0, 0}, V{-1, 0, 0}, 1e-9, a * dt / 4}}
		}
		point := V{1, 0, 0}.Sub(towards.Scale(0.5))
		s.Impacts = append(s.Impacts, Impact{2, 3, dt / 2, point, towards, exchanged, exchanged})
		for i := range s.Things {
			x := &s.Things[i]
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	for _, tt := range []struct {
		more  float64
		begun bool
		want  string
	}{{0, true, limitBounces}, {0.5, true, ""}, {0.5, false, ""}} {
		if got, ok := conserved(step(tt.more, tt.begun))["energy"]; !ok || got != tt.want {
			t.Errorf("%+v: got %q, %v", tt, got, ok)
		}
	}
}

// Ball 1 drives itself along ball 2, which stands, by friction with it: like a wheel, which turns
// at 60 m/s and moves at 50. Ball 3 ends that for its spin, and not for its velocity. It then keeps
// half of what its spin would have lost.
func TestABodyThatIsNotTurnedAnyLongerKeepsTheEnergyOfItsSpin(t *testing.T) {
	const impulse, inertia = 0.1, 0.1
	step := func(more float64) *Step {
		one, two := sphere(1, V{}, V{0, 50, 0}), sphere(2, V{1, 0, 0}, V{})
		three := sphere(3, V{0, 0, -1 - 5*dt}, V{0, 50, 10})
		one.Inertia, one.Start.Angular = inertia, V{0, 0, 120}
		one.End.Velocity, two.End.Velocity, three.End.Velocity = V{0, 50 + impulse, 10}, V{0, -impulse, 0}, V{0, 50, 0}
		one.End.Angular = V{0, 0, 120 - (0.5-more)*impulse*0.5/inertia}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{one, two, three}}
		s.Impacts = []Impact{{1, 3, dt / 2, V{0, 25 * dt, -0.5}, V{0, 0, 1}, 10, 10}}
		for i := range s.Things {
			x := &s.Things[i]
			x.Friction = 1
			x.End.Position = x.Start.Position.Add(x.End.Velocity.Scale(dt))
		}
		return s
	}
	for more, want := range map[float64]map[string]string{0: {"energy": limitBounces}, 0.2: {"energy": ""}} {
		if got := conserved(step(more)); !maps.Equal(got, want) {
			t.Errorf("%v of the impulse more: got %q, want %q", more, got, want)
		}
	}
}

// A wall that yields may rotate faster within a step than before and after it. A ball slows it down
// when the step is nearly over, by its impact, its friction and its weight.
func TestAWallThatYieldsMayBeFasterUntilABallRubsOnIt(t *testing.T) {
	const between = 2.4
	for _, c := range []struct {
		friction, weight float64
		want             int
	}{{1, 0, 0}, {0, 0.25, 0}, {0, 0, 1}} {
		rotor := Thing{
			ID: 1, Shape: Convex, Kind: Kinematic, Yields: true, Inertia: 1, Layers: 1, Mask: 1, Turns: 2,
			Start: State{Angular: V{0, 0, 2}}, End: State{Angular: V{0, 0, 2}},
			Solid: cube(), EndSolid: turnedCube(between * dt),
		}
		corner := rotor.Solid.Points[0]
		rotor.Swing = math.Hypot(corner[0], corner[1])
		b := sphere(2, V{0, 1 + 0.5, 0}, V{})
		b.Mass, b.Friction = 1, c.friction
		b.Acceleration = V{0, -c.weight / rotor.Swing / contactAcceleration / (dt / 2), 0}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{rotor, b}}
		s.Impacts = []Impact{{2, 1, dt / 2, V{0, 1, 0}, V{0, 1, 0}, 0, 0.25 / rotor.Swing}}
		found := slices.DeleteFunc(NewChecker().Check(s), func(f Failure) bool { return f.Check != "driven" })
		if len(found) != c.want {
			t.Errorf("friction %v, weight %v: %v, want %d failures", c.friction, c.weight, found, c.want)
		}
	}
}

// A ball presses on a wall that yields, by its momentum or its weight. The wall turns until
// something stops it, or another ball that it presses on slows it down when the step ends.
func TestAWallThatYieldsMayTurnUntilItIsStopped(t *testing.T) {
	for _, c := range []struct {
		speed   float64 // of the ball
		weight  float64 // what it may add to the speed in the step
		blocked int
		want    int
	}{{2, 0, 1, 0}, {2, 0, 0, 1}, {1, 0, 1, 1}, {0, 2, 0, 0}, {0, 1, 0, 1}, {1, 1, 1, 0}} {
		rotor := Thing{
			ID: 1, Shape: Convex, Kind: Kinematic, Yields: true, Inertia: 1, Layers: 1, Mask: ^uint32(0),
			Solid: cube(), EndSolid: turnedCube(dt),
		}
		rotor.Swing = math.Hypot(rotor.Solid.Points[0][0], rotor.Solid.Points[0][1])
		b := sphere(2, V{0, 1, 0}, V{c.speed, 0, 0})
		b.Mass, b.Acceleration = 1, V{0, -c.weight / contactAcceleration / dt, 0}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{rotor, b}, Blocked: c.blocked}
		found := slices.DeleteFunc(NewChecker().Check(s), func(f Failure) bool { return f.Check != "driven" })
		if len(found) != c.want {
			t.Errorf("%+v: %v", c, found)
		}
	}
}

// A ball on a floor bounces off another one. Friction with the floor accelerates it all the time.
func TestFrictionAcceleratesABallByItsCoefficientTimesItsWeight(t *testing.T) {
	for _, c := range []struct {
		friction float64
		want     int
	}{{5, 0}, {0, 1}} {
		floor := Thing{
			ID: 1, Shape: Plane, Kind: Static, Normal: V{0, 1, 0}, OneSided: true, Layers: 1, Mask: ^uint32(0),
			Friction: c.friction, Start: State{Position: V{0, -0.5, 0}}, End: State{Position: V{0, -0.5, 0}},
		}
		const speed, by, at = 4.0, 50.0, dt / 2 // by friction, m/s²
		b, o := sphere(2, V{}, V{speed, 0, 0}), sphere(3, V{1 + speed*at, 0, 0}, V{})
		b.Acceleration, b.Restitution = V{0, -10, 0}, 0
		b.End = State{Position: V{speed * at, 0, 0}, Velocity: V{by * dt / 2, 0, 0}}
		o.End = State{Position: V{1 + speed*dt, 0, 0}, Velocity: V{speed, 0, 0}}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{floor, b, o}}
		s.Impacts = []Impact{{2, 3, at, V{speed*at + 0.5, 0, 0}, V{-1, 0, 0}, speed, speed}}
		s.Begins = []Contact{{A: 2, B: 3, Time: at}}
		s.Ends = s.Begins
		found := slices.DeleteFunc(NewChecker().Check(s), func(f Failure) bool { return f.Check != "path" })
		if len(found) != c.want {
			t.Errorf("friction %v: %v, want %d failures", c.friction, found, c.want)
		}
	}
}

// What slides outwards on a wall that yields to load, and turns towards it, is pushed along a
// chord: faster than the wall by half of what Coriolis' acceleration adds in the step.
func TestWhatSlidesOnAWallThatYieldsMayBeFasterThanThat(t *testing.T) {
	const spin, speed, x = 0.1, 6, 0.5
	for _, c := range []struct {
		more float64
		want int
	}{{1.01 * spin * speed * dt, 0}, {15 * spin * speed * dt, 1}} {
		rotor := Thing{
			ID: 1, Shape: Convex, Kind: Kinematic, Yields: true, Inertia: 10, Layers: 1, Mask: 1,
			Start: State{Angular: V{0, 0, spin}}, End: State{Angular: V{0, 0, spin}},
		}
		corners := func(q float64) (all []V) {
			for k := range 8 {
				p := V{2*float64(k&1) - 1, 0.1 * float64(k&2-1), 0.5*float64(k&4) - 1}
				all = append(all, V{p[0]*math.Cos(q) - p[1]*math.Sin(q), p[0]*math.Sin(q) + p[1]*math.Cos(q), p[2]})
			}
			return all
		}
		rotor.Solid, rotor.EndSolid = NewSolid(corners(0), 0), NewSolid(corners(spin*dt), 0)
		rotor.Swing, rotor.Turns = rotor.Solid.Reach, spin
		b := sphere(2, V{x, 0.6, 0}, V{speed, spin * x, 0})
		b.Restitution, b.End.Velocity[1] = 0, spin*x+c.more
		b.End.Position = b.Start.Position.Add(b.End.Velocity.Scale(dt))
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{rotor, b}}
		s.Impacts = []Impact{{2, 1, 0, V{x, 0.1, 0}, V{0, 1, 0}, 0, 0}}
		s.Begins, s.Touching = []Contact{{A: 2, B: 1}}, [][2]int{{1, 2}, {2, 1}}
		found := slices.DeleteFunc(NewChecker().Check(s), func(f Failure) bool { return f.Check != "energy" })
		if len(found) != c.want {
			t.Errorf("%v m/s faster than the wall: %v, want %d failures", c.more, found, c.want)
		}
	}
}

// Spinning resistance takes energy out of an impact, also where the restitution is 1.
func TestResistanceIsALoss(t *testing.T) {
	for _, resistance := range []float64{0, 0.1} {
		s := right()
		s.Things, s.Impacts = []Thing{s.Things[0], s.Things[1]}, s.Impacts[:1]
		for k := range s.Things {
			b := &s.Things[k]
			b.Resistance, b.Inertia, b.Start.Angular = resistance, 0.1, V{1, 0, 0}
		}
		found := NewChecker().Check(s)
		lost := slices.ContainsFunc(found, func(f Failure) bool { return f.Check == "elastic energy" })
		if lost != (resistance == 0) {
			t.Errorf("resistance %v: got %v", resistance, found)
		}
	}
}

// A ball with a force up pushes one with its weight, which at first moves away from it: the contact
// solver gives both one velocity at the end of the step. Then something touches the upper one
// without an impulse, or would do so where that velocity leads, and from there on both follow their
// own parabolas with these velocities. At the start of the step, that adds J·(w - (a-b)·dt)/2 to
// their energy, of the impulse J and the velocity w at which they part; later it is less.
func TestWhatLeavesAContactWithinAStepKeepsItsVelocity(t *testing.T) {
	for _, c := range []struct {
		leaves  float64 // after this fraction of the step
		impacts int
		more    float64 // m/s
		want    bool
	}{{0, 1, 0, false}, {0, 1, 0.4, true}, {0.02, 0, 0, false}, {0.02, 0, 0.4, true}, {1, 0, 0.2, true}} {
		ball := func(id int, x V, v, end, a float64) Thing {
			b := sphere(id, x, V{0, v, 0})
			b.Radius, b.Restitution, b.Acceleration = 0.05, 0, V{0, a, 0}
			left := dt * (1 - c.leaves)
			b.End = State{Position: x.Add(V{0, end*dt - a*left*left/2, 0}), Velocity: V{0, end, 0}}
			return b
		}
		const w, up, down = 0.35, 40, -10
		end := (w + (up+down)*dt) / 2
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{
			ball(1, V{}, 0, end+c.more, up),
			ball(2, V{0, 0.1, 0}, w, end+c.more, down),
		}}
		if c.impacts > 0 {
			s.Things = append(s.Things, ball(3, V{0.1, 0.1, 0}, w, w+down*dt, down))
			s.Impacts = []Impact{{2, 3, 0, V{0.05, 0.1, 0}, V{-1, 0, 0}, 0, 0}}
		}
		found := NewChecker().Check(s)
		if got := slices.ContainsFunc(found, func(f Failure) bool { return f.Check == "energy" }); got != c.want {
			t.Errorf("leaves at %v, %d impacts, %v m/s more: got %v", c.leaves, c.impacts, c.more, found)
		}
	}
}

// A ball without friction that something has hit springs back in a wedge: both gaps open, which
// lifts it by more than one gap. It gains 0.0217 J, and one rest gap of weight and a chord are
// 0.0167.
func TestABallThatSpringsBackInAWedgeGainsAtMostAFreeFall(t *testing.T) {
	for _, c := range []struct {
		name           string
		half           float64 // of the angle of the wedge, radians
		speed, rubbing float64
		want           bool
	}{
		{"within the gaps", 0.25, 0.1, 0, false},
		{"faster than it would fall in a step", 0.25, 0.17, 0, true},
		{"out of the gaps", 1.2, 0.1, 0, true},
		{"with friction, which leaves no spring", 0.25, 0.1, 0.5, true},
	} {
		sin, cos := math.Sincos(c.half)
		b := sphere(1, V{0, 0.5 / sin, 0}, V{})
		b.Restitution, b.Acceleration, b.Friction = 0, V{0, -10, 0}, c.rubbing
		b.End = State{Position: b.Start.Position.Add(V{0, c.speed * dt, 0}), Velocity: V{0, c.speed, 0}}
		s := &Step{Seconds: dt, LengthUnit: 1, Threshold: 1, Things: []Thing{b}}
		for k, n := range []V{{cos, sin, 0}, {-cos, sin, 0}} {
			s.Things = append(s.Things, Thing{
				ID: 2 + k, Shape: Plane, Kind: Static, Normal: n, OneSided: true, Layers: 1, Mask: ^uint32(0),
			})
			s.Begins = append(s.Begins, Contact{A: 1, B: 2 + k})
			s.Touching = append(s.Touching, [2]int{1, 2 + k})
		}
		found := NewChecker().Check(s)
		if got := slices.ContainsFunc(found, func(f Failure) bool { return f.Check == "energy" }); got != c.want {
			t.Errorf("%s: got %v", c.name, found)
		}
	}
}

// A ball lies in a wedge without friction, and another one, which has friction with it, on top.
// When the gaps of the lower one open, both rise by more than one rest gap.
func TestBallsThatGapsLiftOutOfAWedgeGainNoMoreThanThat(t *testing.T) {
	for _, c := range []struct {
		name  string
		half  float64 // of the angle of the wedge, radians
		speed float64
		want  bool
	}{
		{"within the gaps", 0.25, 0.15, false},
		{"out of the gaps", 0.25, 0.3, true},
		{"out of those of a wide wedge", 1.2, 0.15, true},
	} {
		sin, cos := math.Sincos(c.half)
		low, high := sphere(1, V{0, 0.5 / sin, 0}, V{}), sphere(2, V{0, 0.5/sin + 1, 0}, V{})
		high.FrictionRule, low.FrictionRule = 2, 2 // geometric: none with the wedge
		s := &Step{Seconds: dt, LengthUnit: 1, Threshold: 1, Things: []Thing{low, high}}
		for k := range s.Things {
			b := &s.Things[k]
			b.Restitution, b.Acceleration, b.Friction = 0, V{0, -10, 0}, 0.5
			b.End = State{Position: b.Start.Position.Add(V{0, c.speed * dt, 0}), Velocity: V{0, c.speed, 0}}
		}
		s.Begins, s.Touching = []Contact{{A: 1, B: 2}}, [][2]int{{1, 2}}
		for k, n := range []V{{cos, sin, 0}, {-cos, sin, 0}} {
			s.Things = append(s.Things, Thing{
				ID: 3 + k, Shape: Plane, Kind: Static, Normal: n, OneSided: true,
				Layers: 1, Mask: ^uint32(0), FrictionRule: 2,
			})
			s.Begins = append(s.Begins, Contact{A: 1, B: 3 + k})
			s.Touching = append(s.Touching, [2]int{1, 3 + k})
		}
		found := NewChecker().Check(s)
		if got := slices.ContainsFunc(found, func(f Failure) bool { return f.Check == "energy" }); got != c.want {
			t.Errorf("%s: got %v", c.name, found)
		}
	}
}

// A character may push a ball with 60 N, by 1 m/s in a step.
func TestAPushedBallGainsNoMoreThanThePushAllows(t *testing.T) {
	for _, c := range []struct {
		push  float64
		v     V
		wrong bool
	}{
		{60, V{11, 0, 0}, false},
		{60, V{10, 1, 0}, false},
		{60, V{9, 0, 0}, false},
		{60, V{11.001, 0, 0}, true},
		{0, V{10.001, 0, 0}, true},
		{0, V{9.999, 0, 0}, true},
	} {
		b := sphere(1, V{}, V{10, 0, 0})
		b.Push = c.push
		b.End = State{Position: V{10, 0, 0}.Add(c.v).Scale(dt / 2), Velocity: c.v}
		found := NewChecker().Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b}})
		if len(found) > 0 != c.wrong {
			t.Errorf("%v N, from 10 m/s to %v: got %v", c.push, c.v, found)
		}
	}
}

// A character throws up a ball that hardly moves, with more than its weight: the work of the push
// is its force times the way of the ball. At no velocity would the ball have come as high without
// the push, so the energy can't be bounded by that velocity.
func TestAPushMayThrowUpABallThatHardlyMoves(t *testing.T) {
	for _, tooMuch := range []float64{0, 1} {
		b := sphere(1, V{}, V{0, 0.3, 0})
		b.Push, b.Acceleration = 300, V{0, -10, 0}
		v := V{0, 0.3 + 290*dt + tooMuch, 0}
		b.End = State{Position: V{0, 0.3, 0}.Add(v).Scale(dt / 2), Velocity: v}
		found := NewChecker().Check(&Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b}})
		isEnergy := func(f Failure) bool { return f.Check == "energy" }
		if bad := slices.ContainsFunc(found, isEnergy); bad != (tooMuch > 0) || len(found) > 0 != bad {
			t.Errorf("%v m/s too much: got %v", tooMuch, found)
		}
	}
}

func TestAWedgeLiftsByTheImpulsesThatBearTheWeight(t *testing.T) {
	tilted := func(degrees, around float64) V { // from straight up
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		y, x := math.Sincos(around * math.Pi / 180)
		return V{sin * x, cos, sin * y}
	}
	for _, c := range []struct {
		name    string
		normals []V
		want    float64
	}{
		{"a floor", []V{{0, 1, 0}}, 1},
		{"a floor and a wall", []V{{0, 1, 0}, {1, 0, 0}}, 1},
		{"a floor under a ceiling that is nearly level", []V{{0, 1, 0}, tilted(178, 0)}, 1},
		{"two walls", []V{{1, 0, 0}, {-1, 0, 0}}, 1},
		{"a wedge of 60 degrees", []V{tilted(60, 0), tilted(60, 180)}, 2},
		{"a wedge of which one side is upright", []V{tilted(60, 0), {-1, 0, 0}}, 2 + math.Sqrt(3)},
		{"a funnel", []V{tilted(60, 0), tilted(60, 120), tilted(60, 240)}, 2},
		{"a steep funnel", []V{tilted(87, 10), tilted(87, 130), tilted(87, 250)}, 1 / math.Cos(87*math.Pi/180)},
		{"a wedge that is nearly closed", []V{tilted(89.99, 0), tilted(89.99, 180)}, 1},
	} {
		b := sphere(1, V{}, V{})
		b.Acceleration = V{0, -10, 0}
		s := &Step{Seconds: dt, LengthUnit: 1, Things: []Thing{b}}
		for k, n := range c.normals {
			s.Things = append(s.Things, Thing{
				ID: 2 + k, Shape: Plane, Kind: Static, Normal: n, Distance: -b.Radius, OneSided: true,
				Layers: 1, Mask: ^uint32(0),
			})
		}
		checker := NewChecker()
		checker.Check(s)
		if got := checker.wedgeLift(0); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("%s lifts by %v rest gaps, want %v", c.name, got, c.want)
		}
	}
}
