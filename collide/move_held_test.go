package collide

import "testing"

// A shape that two walls held, which moved alike, stayed where it was: by rounding it met one of
// them, and then the other, at once. It has to move on with them, but not through what is in the
// way.
func TestAShapeThatTwoWallsHoldMovesOnWithThem(t *testing.T) {
	for _, blocked := range []bool{false, true} {
		casts := 0
		cast := func(p, v Vec3, start, end float64) (MoveContact, Outcome) {
			if start == end { // is there something at p?
				if blocked && p.X > 1 && p.X < 1.2 {
					return MoveContact{Normal: Vec3{X: -1}, Depth: 0.1, Obstacle: 2}, Overlap
				}
				return MoveContact{}, Miss
			}
			casts++
			k := casts % 2
			return MoveContact{Normal: Vec3{X: float64(2*k - 1)}, Velocity: Vec3{X: 3}, Obstacle: k}, Hit
		}
		r := MoveAndSlide(Move{Seconds: 1}, cast, nil)
		want := 3.0
		if blocked {
			want = 0
		}
		if r.Position != (Vec3{X: want}) || r.Velocity != (Vec3{X: 3}) || r.Outcome == Crushed {
			t.Errorf("blocked %v: %+v, want it at %v with 3 m/s", blocked, r, want)
		}
	}
}
