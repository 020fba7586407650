package corridor

import "testing"

// Naive sliding on the same tour ends up in walls, where the exact sphere never is.
func TestNaiveSlidingEndsUpInWalls(t *testing.T) {
	s := newScene()
	for range 1300 {
		s.step(input{Auto: true})
	}
	if s.naive.worst < 0.01 || s.worstOverlap > 1e-9 {
		t.Errorf("naive sliding was in walls by %g m, and the exact one by %g m", s.naive.worst, s.worstOverlap)
	}
}

// The tour reaches all goals, and the clock stops with the last one. With the same steps, naive
// sliding reaches some.
func TestGoals(t *testing.T) {
	s := newScene()
	for range 1600 {
		s.step(input{Auto: true})
	}
	if s.left > 0 || s.seconds >= 1600*stepSeconds || s.seconds < 5 {
		t.Errorf("after %.1f s the tour has missed %d of %d goals: %v", s.seconds, s.left, len(goals), s.reached)
	}
	n := 0
	for _, r := range s.naive.reached {
		if r {
			n++
		}
	}
	if n == 0 || n == len(goals) {
		t.Errorf("naive sliding has reached %d of %d goals", n, len(goals))
	}
}
