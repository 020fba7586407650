package verify

import (
	"math"
	"slices"
	"testing"
)

// A character that rises gives a ball a velocity with its head when the step is over. That was
// taken for the velocity of the last piece of its path.
func TestACharacterMayLiftABallButNotMoveIt(t *testing.T) {
	for _, c := range []struct {
		name     string
		lift, to V
		bounce   bool // off a floor, at 0.008 s
		want     string
	}{
		{"nothing", V{}, V{}, false, ""},
		{"all that it can", V{0, 2, 0}, V{}, false, ""},
		{"more than it can", V{0, 2.001, 0}, V{}, false, "free motion"},
		{"downwards", V{0, -0.001, 0}, V{}, false, "free motion"},
		{"to the side", V{0.001, 1, 0}, V{}, false, "free motion"},
		{"and moves it", V{0, 1, 0}, V{0, 1e-6, 0}, false, "path"},
		{"nothing after a bounce", V{}, V{}, true, ""},
		{"all that it can after a bounce", V{0, 2, 0}, V{}, true, ""},
		{"more than it can after a bounce", V{0, 2.001, 0}, V{}, true, "path"},
		{"downwards after a bounce", V{0, -0.001, 0}, V{}, true, "path"},
		{"to the side after a bounce", V{0.001, 1, 0}, V{}, true, "path"},
		{"and moves it to the side after a bounce", V{0, 1, 0}, V{1e-6, 0, 0}, true, "path"},
		{"and moves it up after a bounce", V{0, 1, 0}, V{0, 0.01, 0}, true, "path"},
		{"all that it can, and moves it down after a bounce", V{0, 2, 0}, V{0, -1e-6, 0}, true, "path"},
	} {
		b, v, end := sphere(1, V{}, V{100, 0, 0}), V{100, 0, 0}, V{100 * dt, 0, 0}
		s := &Step{Seconds: dt, LengthUnit: 1}
		if c.bounce {
			b.Start, v = State{Position: V{0, 1.3, 0}, Velocity: V{0, -100, 0}}, V{0, 100, 0}
			end = V{0, 0.5 + 100*(dt-0.008), 0}
			floor := sphere(2, V{}, V{})
			floor.Shape, floor.Kind, floor.Normal, floor.Distance = Plane, Static, V{0, 1, 0}, 0
			floor.OneSided, floor.Radius = true, 0
			s.Impacts = []Impact{{1, 2, 0.008, V{}, V{0, 1, 0}, 100, 200}}
			s.Begins, s.Ends = []Contact{{A: 1, B: 2, Time: 0.008}}, []Contact{{A: 1, B: 2, Time: 0.008}}
			s.Things = []Thing{floor}
		}
		b.Lifts, b.End = []Lift{{V{0, 1, 0}, 2 * b.Mass}}, State{Position: end.Add(c.to), Velocity: v.Add(c.lift)}
		s.Things = append([]Thing{b}, s.Things...)
		found := NewChecker().Check(s)
		if bad := len(found) > 0; bad != (c.want != "") || bad && !slices.ContainsFunc(found, func(f Failure) bool {
			return f.Check == c.want
		}) {
			t.Errorf("%s: got %v, want %q", c.name, found, c.want)
		}
	}
}

func TestBeyondIsTheDistanceToSumsOfPartsOfWays(t *testing.T) {
	for _, c := range []struct {
		off  V
		ways []V
		want float64
	}{
		{V{3, 4, 0}, nil, 5},
		{V{3, 4, 0}, []V{{}}, 5},
		{V{0.5, 2, 0}, []V{{1, 0, 0}}, 2},
		{V{-1, 0, 0}, []V{{1, 0, 0}}, 1},
		{V{1, 0.5, 0}, []V{{2, 0, 0}, {2, 1, 0}}, 0},
		{V{3, 1, 2}, []V{{2, 0, 0}, {2, 1, 0}}, 2},
		{V{0, 2, 0}, []V{{2, 0, 0}, {0, 1, 0}}, 1},
		{V{0.3, 0.3001, 0}, []V{{1, 1, 0}, {1, 1.001, 0}}, 0}, // almost the same way
		{V{1, 2, 3}, []V{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, 0},
		{V{1, 2, 5}, []V{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}, 1},
		{V{1, 2, 6}, []V{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {0, 0.5, 0}}, 1.5}, // a bound
	} {
		if got := beyond(c.off, c.ways); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v beyond %v: got %v, want %v", c.off, c.ways, got, c.want)
		}
	}
}
